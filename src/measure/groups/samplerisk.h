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
	double		population_k;	/* with weights: people of the population in the smallest class, estimated; or NaN */
	double		population;		/* people who are unique in the population, by a model; NaN: not known */
} SdcSampleRisk;

/*
 * sdc_samplerisk_of looks at the classes of records that agree in some columns, a list of char *.  With unit, from
 * sdc_unitcolumns_find (unitcolumns.h), units are counted in them, and are what was drawn.
 */
extern void sdc_samplerisk_of(Oid relid, List *qi, List *unit, double fraction, SdcSampleRisk *result);

/*
 * sdc_samplerisk_weighted does so for a sample in which everybody stands for as many people as his weight says, a
 * column:
 * the match is unbiased if each was drawn independently with 1 / weight, whatever these are, and nothing is modelled.
 */
extern void sdc_samplerisk_weighted(Oid relid, List *qi, List *unit, const char *weight, SdcSampleRisk *result);

#endif							/* SDC_MEASURE_SAMPLERISK_H */
