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
	uint64		people;			/* records of the population, or its units in all classes */
} SdcPopulationRisk;

typedef struct SdcAttackerRequest
{
	Oid			relid;
	List	   *qi;				/* char * */
	List	   *unit;			/* of the relation, from sdc_unitcolumns_find (unitcolumns.h): NIL counts records */
	Oid			population;
	List	   *population_unit;	/* likewise */
	double		threshold;
} SdcAttackerRequest;

/*
 * sdc_attackerrisk_of compares the classes of a relation, by columns, with the columns of these names of a table of the
 * population: by equality, NULL being equal to NULL, or by what ranges and arrays of the relation contain.
 */
extern void sdc_attackerrisk_of(const SdcAttackerRequest *request, SdcPopulationRisk *result);

#endif							/* SDC_MEASURE_ATTACKERRISK_H */
