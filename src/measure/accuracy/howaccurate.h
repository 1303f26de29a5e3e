/*-------------------------------------------------------------------------
 *
 * howaccurate.h
 *		Between which numbers a count of the source is, by what was published.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_MEASURE_HOWACCURATE_H
#define SDC_MEASURE_HOWACCURATE_H

#include "measure/accuracy/estimate.h"

/* A cell and its interval; NaN is NULL. */
typedef struct SdcAccurateCell
{
	Datum		cell;			/* jsonb, which lives until the next one */
	double		released;
	double		estimate;
	double		low;
	double		high;
	const char *kind;			/* exact, interval, bounds, unknown */
	const char *why;			/* it is unknown; else NULL */
} SdcAccurateCell;

typedef struct SdcAccurateRequest
{
	Oid			catalog_schema;
	Oid			relid;
	const char *condition;
	List	   *by;				/* columns, char * */
	SdcStatisticKind statistic;
	const char *measure;		/* a column, or NULL */
	double		confidence;		/* above 0, below 1 */
	void		(*emit) (void *arg, const SdcAccurateCell *cell);
	void	   *arg;
} SdcAccurateRequest;

/* sdc_howaccurate_measure reads a publication with the rights of the caller, and emits cell after cell. */
extern void sdc_howaccurate_measure(const SdcAccurateRequest *request);

#endif							/* SDC_MEASURE_HOWACCURATE_H */
