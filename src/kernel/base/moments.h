/*-------------------------------------------------------------------------
 *
 * moments.h
 *		Central moments of the attributes of two files and of their pairs, up to
 *		order four: what the measures of information loss are made of.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_MOMENTS_H
#define SDC_KERNEL_MOMENTS_H

#include <float.h>
#include <math.h>

#include "kernel/base/kernel_env.h"

/* The two files. */
#define SDC_MOMENTS_ORIGINAL 0
#define SDC_MOMENTS_PROTECTED 1
#define SDC_MOMENTS_FILES 2

/* A sum and what was lost in making it. */
typedef struct SdcMomentsSum
{
	double		sum;
	double		carry;
} SdcMomentsSum;

/*
 * sdc_moments_add adds to a compensated sum.  The error of an addition is itself a
 * double (D. E. Knuth, The Art of Computer Programming 2, 4.2.2, theorem B), found
 * without the branch of A. Neumaier's form of it.
 */
static inline void
sdc_moments_add(SdcMomentsSum *sum, double value)
{
	double		total = sum->sum + value;
	double		added = total - sum->sum;

	sum->carry += (sum->sum - (total - added)) + (value - added);
	sum->sum = total;
}

/* sdc_moments_total is the value of a compensated sum. */
static inline double
sdc_moments_total(const SdcMomentsSum *sum)
{
	return sum->sum + sum->carry;
}

/* sdc_moments_present: NaN is missing, and so is what has no mean, infinity. */
static inline bool
sdc_moments_present(double value)
{
	return fabs(value) <= DBL_MAX;
}

/*
 * The moments of one attribute.  m2 .. m4 are the sums of the powers of the deviations
 * from the mean; m2 is exactly 0 when all values are equal.
 */
typedef struct SdcMoments
{
	uint64		n;				/* values there are */
	double		mass;			/* the sum of their weights; n without */
	SdcMomentsSum sum;			/* of them */
	double		m2;
	double		m3;
	double		m4;
} SdcMoments;

/* A mean in two parts: one double cannot hold a mean of 10^9 to better than 10^-7. */
typedef struct SdcMomentsMean
{
	double		high;
	double		low;
} SdcMomentsMean;

/*
 * The sums of products of deviations of a pair of attributes: m21 is the sum of
 * dx^2 dy.  Those of the protected file have only the first.
 */
enum
{
	SDC_MOMENTS_11,
	SDC_MOMENTS_21,
	SDC_MOMENTS_12,
	SDC_MOMENTS_22,
	SDC_MOMENTS_31,
	SDC_MOMENTS_13,
	SDC_MOMENTS_CROSS			/* how many there are */
};

/* How many of them to compute. */
#define SDC_MOMENTS_SECOND 1
#define SDC_MOMENTS_FOURTH SDC_MOMENTS_CROSS

/* A number of cells. */
typedef struct SdcMomentsCount
{
	uint64		n;
	double		mass;			/* the sum of their weights; n without */
} SdcMomentsCount;

/* The cells of an attribute with a value in the original file.  A cell is lost if it has none in the protected one. */
typedef struct SdcMomentsCells
{
	SdcMomentsSum relative;		/* of |x - x'| / |x| */
	SdcMomentsSum absolute;		/* of |x - x'| */
	SdcMomentsSum inverse;		/* of 1 / |x|, of lost cells */
	double		least;			/* no x is beyond these, which tell none; 0 without a cell */
	double		greatest;
	SdcMomentsCount cells;		/* with a value in both files */
	SdcMomentsCount relatives;	/* terms of relative: x is not 0 */
	SdcMomentsCount absolutes;	/* terms of absolute: all that do not overflow */
	SdcMomentsCount lost;
	SdcMomentsCount inverses;	/* terms of inverse: x is not 0 */
} SdcMomentsCells;

/*
 * The moments of two files.  Pairs i < j are numbered by i, then by j.
 *
 * A pair is seen in the records where the file has both its values.  While neither
 * attribute has a missing value, the moments of either in the pair are its own, and
 * only the products are kept for the pair.
 */
typedef struct SdcMomentsTable
{
	int			attributes;
	uint64		records;
	SdcMoments *attribute[SDC_MOMENTS_FILES];
	SdcMoments *own[SDC_MOMENTS_FILES]; /* two a pair, if one has missing values */
	double	   *cross[SDC_MOMENTS_FILES];	/* sdc_moments_words a pair */
	double	   *lost;			/* of a pair: the mass of the records that have it in the original file alone */
	SdcMomentsCells *cells;
} SdcMomentsTable;

/* sdc_moments_words is the number of products that are kept for a pair. */
static inline int
sdc_moments_words(int file)
{
	return file == SDC_MOMENTS_ORIGINAL ? SDC_MOMENTS_FOURTH : SDC_MOMENTS_SECOND;
}

/* A pair in one file. */
typedef struct SdcMomentsPair
{
	const SdcMoments *x;		/* both of the same records */
	const SdcMoments *y;
	const double *cross;
} SdcMomentsPair;

/* The mean of an attribute, 0 without values, and how far that of b is above that of a. */
extern SdcMomentsMean sdc_moments_mean(const SdcMoments *moments);
extern double sdc_moments_distance(const SdcMoments *a, const SdcMoments *b);

/* The table is one piece of memory without pointers; map finds its parts. */
extern Size sdc_moments_table_size(int attributes);
extern void sdc_moments_table_map(void *memory, int attributes, SdcMomentsTable *table);

/* Whether a pair (number, i, j) has no missing value, and the pair. */
extern bool sdc_moments_complete(const SdcMomentsTable *table, int file, int i, int j);
extern void sdc_moments_pair(const SdcMomentsTable *table, int file, Size number, int i, int j,
							 SdcMomentsPair *pair);

/*
 * sdc_moments_file fills the table for one file of table->records records: column[j][i]
 * for attribute j, record i, and weight, or NULL, for a record.  words: SDC_MOMENTS_SECOND or, for the original,
 * SDC_MOMENTS_FOURTH, but not with weights.  Deviations are taken from the exact mean; O(records attributes^2).
 */
extern Size sdc_moments_file_memory(uint64 records, int attributes);
extern void sdc_moments_file(const double *const *column, const double *weight, int file, int words,
							 SdcMomentsTable *table);

/*
 * sdc_moments_presence marks the records with a value in a bitmap (bitset.h).  sdc_moments_lost counts the lost pairs
 * of a table: of each file it takes the bitmaps of the attributes, one after the other.
 */
extern void sdc_moments_presence(const double *column, uint64 n, uint64 *bitmap);
extern void sdc_moments_lost(const uint64 *original, const uint64 *protected, const double *weight,
							 SdcMomentsTable *table);

/* sdc_moments_cells adds n cells of one attribute, with the weights of the original file. */
extern void sdc_moments_cells(const double *original, const double *protected, const double *weight, uint64 n,
							  SdcMomentsCells *cells);

/* sdc_moments_merge adds the records of another table. */
extern void sdc_moments_merge(SdcMomentsTable *table, const SdcMomentsTable *other);

#endif							/* SDC_KERNEL_MOMENTS_H */
