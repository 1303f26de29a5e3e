/*-------------------------------------------------------------------------
 *
 * patterncounts.h
 *		Counts of pairs by agreement in up to 16 attributes, without a look at pairs.
 *
 * Part of agreement.c: for attributes in which so many pairs agree that looking at
 * them one by one would be slow.
 *
 * A cell is a set of attributes, like a pattern, with bits in an order of the grouping's
 * own.  Originals with equal codes have equal counts: they are counted once, as a tuple.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_PATTERNCOUNTS_H
#define SDC_KERNEL_PATTERNCOUNTS_H

#include "kernel/agreement/agreement.h"

/* At most so many attributes: a tuple has 2^16 counts, 256 kB. */
#define SDC_PATTERNCOUNTS_ATTRIBUTES 16

typedef struct SdcPatternCounts
{
	int			positions;		/* attributes; bit i of a cell is attribute[i] */
	int			attribute[SDC_PATTERNCOUNTS_ATTRIBUTES];
	Size		width;			/* cells, 2^positions */
	uint32	   *cell;			/* the cells in the ascending order of their patterns, */
	uint64	   *pattern;		/* and these patterns */
	uint32		tuples;			/* distinct tuples of originals */
	const uint32 *member;		/* indexes of originals, in the order of their tuples */
	const uint32 *first;		/* members of tuple i: first[i] .. first[i + 1] - 1 */
} SdcPatternCounts;


/*
 * sdc_patterncounts_create groups the originals record[] (NULL: all) and all protected records
 * by attributes of the rows, of which the first has the fewest pairs that agree.
 */
extern SdcPatternCounts *sdc_patterncounts_create(const SdcAgreementRows *rows, const int *attribute, int count,
												  const uint32 *record, uint32 records);
extern void sdc_patterncounts_destroy(SdcPatternCounts *grouping);

#ifdef SDC_CHECKS
extern bool sdc_patterncounts_check(const SdcPatternCounts *grouping, const uint32 *record,
									uint32 records);
#endif

/* sdc_patterncounts_total counts the pairs of all originals by cell. */
extern void sdc_patterncounts_total(SdcPatternCounts *grouping, uint64 *total);

/*
 * sdc_patterncounts_count counts the pairs of each of the tuples first .. end - 1: width counts
 * for each tuple.
 */
extern void sdc_patterncounts_count(SdcPatternCounts *grouping, uint32 first, uint32 end,
									uint32 *count);

/* sdc_patterncounts_cell has the bits of a pattern's attributes at their positions. */
static inline uint32
sdc_patterncounts_cell(const SdcPatternCounts *grouping, uint64 pattern)
{
	uint32		cell = 0;

	for (int i = 0; i < grouping->positions; i++)
		cell |= (uint32) ((pattern >> grouping->attribute[i]) & 1) << i;
	return cell;
}

#endif							/* SDC_KERNEL_PATTERNCOUNTS_H */
