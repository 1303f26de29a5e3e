/*-------------------------------------------------------------------------
 *
 * patterntuples.h
 *		The distinct tuples of codes of a file, in lexicographic order.
 *
 * Codes that are few are bytes, side by side, so that a tuple is compared at once; others are columns of their own.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_PATTERNTUPLES_H
#define SDC_KERNEL_PATTERNTUPLES_H

#include "kernel/base/kernel_env.h"

#include "kernel/agreement/patterncounts.h"
#include "kernel/base/bytelanes.h"

/* Codes of a row of bytes, and its largest number of codes: 254 and 255 equal nothing. */
#define SDC_TUPLES_NARROW SDC_BYTELANES
#define SDC_TUPLES_NARROW_CODES 254

/* What the tuples are of. */
typedef struct SdcTuplesShape
{
	SdcAgreementRows rows;
	int			positions;
	const int  *attribute;		/* of the rows, by position */
	uint32		codes[SDC_PATTERNCOUNTS_ATTRIBUTES]; /* by position: 0 .. codes - 1 */
	uint32		most_codes;		/* of these */
} SdcTuplesShape;

/* The distinct tuples of one file, in lexicographic order; arrays by position and tuple. */
typedef struct SdcTuples
{
	uint32		count;
	uint8	   *narrow;			/* SDC_TUPLES_NARROW bytes a tuple: codes where they fit, */
	uint32	   *wide[SDC_PATTERNCOUNTS_ATTRIBUTES];	/* and all of a position where not; else NULL */
	uint32	   *member;			/* indexes of records in the order of their tuples */
	uint32	   *first;			/* members of tuple i: first[i] .. first[i + 1] - 1 */
} SdcTuples;

/*
 * sdc_tuples_make collects the distinct tuples of records (NULL: all) of one file; none is the byte of a code that
 * equals nothing.
 */
extern void sdc_tuples_make(SdcTuples *tuples, const SdcTuplesShape *shape, bool original, const uint32 *record,
							uint32 records, uint8 none);
extern void sdc_tuples_free(SdcTuples *tuples);

#ifdef SDC_CHECKS
extern bool sdc_tuples_check(const SdcTuples *tuples, const SdcTuplesShape *shape, bool original,
							 const uint32 *record, uint32 records);
#endif

/* The codes of a position, of one file. */
typedef struct SdcTuplesView
{
	const uint8 *narrow;		/* with SDC_TUPLES_NARROW bytes from tuple to tuple, or */
	const uint32 *wide;
} SdcTuplesView;

/* sdc_tuples_view is the view of a position. */
static inline SdcTuplesView
sdc_tuples_view(const SdcTuples *tuples, int position)
{
	return (SdcTuplesView) {tuples->narrow + position, tuples->wide[position]};
}

/* sdc_tuples_code is the code of a tuple: that of one that equals nothing is no code of a column. */
static inline uint32
sdc_tuples_code(const SdcTuplesView *view, uint32 tuple)
{
	return view->wide == NULL ? view->narrow[(Size) tuple * SDC_TUPLES_NARROW] : view->wide[tuple];
}

/* sdc_tuples_same tells whether two tuples of a file agree in the first positions. */
static inline bool
sdc_tuples_same(const SdcTuples *tuples, int positions, uint32 a, uint32 b)
{
	uint32		all = (UINT32_C(1) << positions) - 1;

	const uint8 *narrow = tuples->narrow;

	if ((sdc_bytelanes_equal(narrow + (Size) a * SDC_TUPLES_NARROW,
							 narrow + (Size) b * SDC_TUPLES_NARROW) & all) != all)
		return false;
	for (int position = 0; position < positions; position++)
		if (tuples->wide[position] != NULL && tuples->wide[position][a] != tuples->wide[position][b])
			return false;
	return true;
}

#endif							/* SDC_KERNEL_PATTERNTUPLES_H */
