/*-------------------------------------------------------------------------
 *
 * pramcounts.h
 *		Counts of the source, estimated from a published table whose categories were drawn by matrices.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_MEASURE_PRAMCOUNTS_H
#define SDC_MEASURE_PRAMCOUNTS_H

#include "nodes/pg_list.h"
#include "utils/jsonb.h"

/* The counts of one combination of values. */
typedef struct SdcPramCount
{
	Datum		cell;			/* jsonb */
	bool		known;			/* what is not, has no estimate */
	double		estimate;
	double		standard_error;
	double		low;			/* the interval of 95 percent */
	double		high;
	double		raw;			/* of the release as it is */
} SdcPramCount;

typedef struct SdcPramCountsRequest
{
	Oid			catalog_schema;
	Oid			relid;
	List	   *columns;		/* char * */
	Jsonb	   *matrices;		/* NULL: those that the catalog has, or the accuracy table */
	void		(*emit) (void *arg, const SdcPramCount *count);
	void	   *arg;
} SdcPramCountsRequest;

/* sdc_pramcounts_measure reads a relation with the rights of the caller, and emits all combinations of values. */
extern void sdc_pramcounts_measure(const SdcPramCountsRequest *request);

#endif							/* SDC_MEASURE_PRAMCOUNTS_H */
