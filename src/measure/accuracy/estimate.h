/*-------------------------------------------------------------------------
 *
 * estimate.h
 *		Counts, sums and averages of the source, estimated from a published table.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_MEASURE_ESTIMATE_H
#define SDC_MEASURE_ESTIMATE_H

#include "kernel/queries/estimate.h"
#include "relation/frame/openrelease.h"

/* SDC_ESTIMATE_COUNT, SDC_ESTIMATE_SUM, SDC_ESTIMATE_AVG. */
typedef SdcEstimateStatistic SdcStatisticKind;

/* What is estimated of one cell; NaN is NULL. */
typedef struct SdcEstimatedCell
{
	Datum		cell;			/* jsonb, which lives until the next one */
	SdcEstimate estimate;
	const char *why;			/* there is no standard error and no interval; else NULL */
} SdcEstimatedCell;

typedef struct SdcEstimateRequest
{
	Oid			catalog_schema;
	Oid			relid;
	List	   *qi;				/* columns (char *) that were randomized; NIL: as the catalog has them */
	List	   *conditions;		/* texts (char *) of the argument of this name (relation/condition/condition.h) */
	bool		where;			/* as after WHERE: missing values can satisfy those on columns that were not drawn */
	const char *measure;		/* a column, or NULL */
	SdcStatisticKind statistic;
	SdcWeightRequest weight;
	const double *probability;	/* RA 1: in the order of qi; NULL: RA 2, or as the catalog has them */
	int			draws;			/* RA 2; 0: RA 1, or as the catalog has them */
	double		retain;			/* PRAM; 0: another way, or as the catalog has it */
	List	   *by;				/* columns, char * */
	bool		strata_given;	/* otherwise as the catalog has them, where it is asked */
	List	   *strata;
	void		(*emit) (void *arg, const SdcEstimatedCell *cell);
	void	   *arg;
} SdcEstimateRequest;

/*
 * sdc_estimate_measure reads a published table with the rights of the caller, and emits cell after cell.  It returns
 * why these have no standard error, or NULL.
 */
extern const char *sdc_estimate_measure(const SdcEstimateRequest *request);

#endif							/* SDC_MEASURE_ESTIMATE_H */
