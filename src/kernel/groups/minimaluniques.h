/*-------------------------------------------------------------------------
 *
 * minimaluniques.h
 *		Minimal sample uniques: the smallest sets of columns that make a record unique.
 *
 * A set S of columns is a minimal unique of a record if no other record has its values in S, and no proper
 * subset of S has that property.  A missing value takes part in none.  Where records are about units, other records are
 * those of other units.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_MINIMALUNIQUES_H
#define SDC_KERNEL_MINIMALUNIQUES_H

#include "kernel/base/codedfile.h"

/* More columns have too many sets. */
#define SDC_MINIMALUNIQUES_COLUMNS 16

typedef struct SdcMinimalUniquesTask
{
	const SdcCodedFile *coded;	/* m attributes, 1 .. SDC_MINIMALUNIQUES_COLUMNS */
	int			max_size;		/* of sets, 1 .. m */
	const uint32 *unit;			/* of each record: any numbers; NULL: each record is a unit */
} SdcMinimalUniquesTask;

typedef struct SdcMinimalUniques
{
	uint64		unique;			/* records that are unique in all columns, missing values being values */
	uint64		pairs;			/* pairs of units that are equal in them, and no third one is */
	uint64		records;		/* records with a minimal unique */
	uint64		sets[SDC_MINIMALUNIQUES_COLUMNS + 1];	/* minimal uniques by size */
	double		total;			/* sum of the scores */
	double		contribution[SDC_MINIMALUNIQUES_COLUMNS];	/* of each column, percent of it; 0 if it is 0 */
} SdcMinimalUniques;

/*
 * sdc_minimaluniques_find finds the minimal uniques of up to max_size columns of all records.
 *
 *	size	size[max_size i + s - 1] becomes the number of those of record i with s columns
 *	score	score[i] becomes the sum of (m - s)! over those of record i
 *	part	part[m i + j] becomes the same sum over those of them with column j; or NULL
 *	first	first[i] becomes whether no record before record i is equal in all columns; or NULL
 *
 * O(records) for each of the sets of up to max_size columns.
 */
extern void sdc_minimaluniques_find(const SdcMinimalUniquesTask *task, uint32 *size,
										 uint64 *score, uint64 *part, bool *first, SdcMinimalUniques *result);

/*
 * sdc_minimaluniques_dis turns scores into dis scores, of a sample that is the share of its population,
 * 0 < share <= 1; pairs is that of the result.  0 where the score is 0.  Records of a unit that are equal in all
 * columns are a unique once: first, or NULL where each record is a unit.
 */
extern void sdc_minimaluniques_dis(const uint64 *score, const bool *first, uint32 records, int attributes,
								   uint64 pairs, double share, double *dis);

#endif							/* SDC_KERNEL_MINIMALUNIQUES_H */
