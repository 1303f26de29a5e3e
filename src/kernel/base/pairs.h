/*-------------------------------------------------------------------------
 *
 * pairs.h
 *		Original and protected records side by side: what attacks and measures see.
 *
 * Record i of the original file and record i of the protected file are the same
 * individual.  Every attribute has codes, common to both files: two values are
 * equal exactly when their codes are, and codes have the order of the values.
 * So equality, ranks and windows need no values.  An attribute with an order
 * but without numbers (text) is nominal.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_PAIRS_H
#define SDC_KERNEL_PAIRS_H

#include "kernel/base/kernel_env.h"

/* The code of a missing value (NULL): it equals nothing, not even itself. */
#define SDC_CODE_NULL UINT32_MAX

/* No record. */
#define SDC_RECORD_NONE UINT32_MAX

typedef struct SdcPairColumn
{
	const uint32 *original;		/* code of each original value, or SDC_CODE_NULL */
	const uint32 *protected;	/* code of each protected value */
	uint32		codes;			/* codes are 0 .. codes - 1, in the order of the values */
	const double *value;		/* the number of each code, NaN where it is not finite;
								 * NULL: the attribute is nominal */
} SdcPairColumn;

typedef struct SdcPairs
{
	uint32		records;
	int			attributes;
	const SdcPairColumn *column;
} SdcPairs;

/* The number behind a code: NaN for a missing one, or one that is not finite. */
static inline double
sdc_pairs_value(const SdcPairColumn *column, uint32 code)
{
	return code == SDC_CODE_NULL ? __builtin_nan("") : column->value[code];
}

/* sdc_pairs_count is the number of values of a file that are there. */
static inline uint32
sdc_pairs_count(const uint32 *code, uint32 records)
{
	uint32		count = 0;

	for (uint32 i = 0; i < records; i++)
	{
		sdc_interrupts_step(i);
		count += code[i] != SDC_CODE_NULL;
	}
	return count;
}

/*
 * sdc_pairs_blanks tells whether values were taken out of the protected file: whether it lacks one that the original
 * file has; where what is missing can have moved, whether it has fewer values.
 */
static inline bool
sdc_pairs_blanks(const SdcPairColumn *column, uint32 records, bool moved)
{
	if (moved)
		return sdc_pairs_count(column->protected, records) < sdc_pairs_count(column->original, records);
	for (uint32 i = 0; i < records; i++)
	{
		sdc_interrupts_step(i);
		if (column->protected[i] == SDC_CODE_NULL && column->original[i] != SDC_CODE_NULL)
			return true;
	}
	return false;
}

/* sdc_pairs_complete tells whether every value is there in both files, and has a number. */
static inline bool
sdc_pairs_complete(const SdcPairColumn *column, uint32 records)
{
	if (column->value == NULL)
		return false;
	for (uint32 c = 0; c < column->codes; c++)
	{
		sdc_interrupts_step(c);
		if (__builtin_isnan(column->value[c]))
			return false;
	}
	for (uint32 i = 0; i < records; i++)
	{
		sdc_interrupts_step(i);
		if (column->original[i] == SDC_CODE_NULL || column->protected[i] == SDC_CODE_NULL)
			return false;
	}
	return true;
}

/* What an attack says of one original record. */
typedef struct SdcLink
{
	double		distance;		/* or weight, or 0; infinite or NaN never */
	uint32		linked;			/* of the best records the first in key order, or none */
	uint32		ties;			/* how many records are the best; 0: no link */
	uint32		candidates;		/* how many records the attack leaves to choose from */
	bool		correct;		/* the record's own protected record is among the best */
} SdcLink;

/* The share of a link that is correct: 1 / ties, as all are as likely. */
static inline double
sdc_link_share(const SdcLink *link)
{
	return link->correct ? 1.0 / link->ties : 0.0;
}

/* sdc_record_at is the record of an index: of those that were given, or the index itself where all are meant. */
static inline uint32
sdc_record_at(const uint32 *record, uint32 index)
{
	return record != NULL ? record[index] : index;
}

#endif							/* SDC_KERNEL_PAIRS_H */
