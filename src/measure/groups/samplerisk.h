/*-------------------------------------------------------------------------
 *
 * samplerisk.h
 *		What a sample tells of the population that it was drawn from.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_MEASURE_SAMPLERISK_H
#define SDC_MEASURE_SAMPLERISK_H

#include "nodes/pg_list.h"

typedef struct SdcSampleRisk
{
	uint64		uniques;		/* classes of one record or unit */
	uint64		pairs;			/* classes of two */
	double		match;			/* how often a match of a unique with the population is right; NaN: not known */
	double		population;		/* people who are unique in the population, by a model; NaN: not known */
} SdcSampleRisk;

/*
 * sdc_samplerisk_of looks at the classes of records that agree in some columns, a list of char *.  With unit, from
 * sdc_unitcolumns_find (unitcolumns.h), units are counted in them, and are what was drawn.
 */
extern void sdc_samplerisk_of(Oid relid, List *qi, List *unit, double fraction, SdcSampleRisk *result);

#endif							/* SDC_MEASURE_SAMPLERISK_H */
