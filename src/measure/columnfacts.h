/*-------------------------------------------------------------------------
 *
 * columnfacts.h
 *		What the columns of a relation have: values, rare ones, long ones, such as look like missing codes, what could
 *		be made coarser, and what follows from what.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_MEASURE_COLUMNFACTS_H
#define SDC_MEASURE_COLUMNFACTS_H

#include "nodes/pg_list.h"

typedef struct SdcColumnFacts
{
	uint64		records;
	uint64		different;		/* values, NULL being one */
	uint64		single;			/* records whose value nobody else has */
	bool		many;			/* so many of both that they identify people */
	/* of codes, most of one length, with many values: most characters that have not too many, and their values; or 0 */
	int			prefix;
	uint64		prefixes;
	double		length;			/* mean characters of a text; NaN of other types, and without values */
	/* records with a number that is repeated at one end, far from all others: a missing code? */
	uint64		apart;
	int			follows;		/* the column with the fewest values that tell those of this one, or -1 */
} SdcColumnFacts;

/* sdc_columnfacts_find reads columns (char *) of a relation with the rights of the caller, all of them once. */
extern SdcColumnFacts *sdc_columnfacts_find(Oid relid, List *names);

#endif							/* SDC_MEASURE_COLUMNFACTS_H */
