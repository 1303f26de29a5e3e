/*-------------------------------------------------------------------------
 *
 * attackerrisk.h
 *		What somebody finds in a relation who has a table of the population.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_MEASURE_ATTACKERRISK_H
#define SDC_MEASURE_ATTACKERRISK_H

#include "kernel/groups/attackerrisk.h"
#include "nodes/pg_list.h"

typedef struct SdcPopulationRisk
{
	SdcAttackerRisk risk;
	SdcAttackerPresence presence;
	uint64		people;			/* records of the population */
} SdcPopulationRisk;

/*
 * sdc_attackerrisk_of compares the classes of a relation, by columns named in a list of char *, with the columns of
 * these names of a table of the population: by equality, NULL being equal to NULL, or by what ranges and
 * arrays of the relation contain.
 */
extern void sdc_attackerrisk_of(Oid relid, List *qi, Oid population, double threshold,
								SdcPopulationRisk *result);

#endif							/* SDC_MEASURE_ATTACKERRISK_H */
