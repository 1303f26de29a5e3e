/*-------------------------------------------------------------------------
 *
 * supports.h
 *		What random anonymization does to the support of a combination of values of a relation.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_MEASURE_SUPPORTS_H
#define SDC_MEASURE_SUPPORTS_H

#include "kernel/groups/support.h"
#include "nodes/pg_list.h"

typedef struct SdcSupportsRequest
{
	Oid			relid;
	List	   *qi;				/* char *: the columns that random anonymization draws from */
	Datum		combination;	/* jsonb: an object of values by column */
	const double *probability;	/* RA 1: of each column, NULL: the optimal ones */
	int			draws;			/* above 0, RA 2: columns drawn for a record */
	List	   *strata;			/* char *: within whose values donors are drawn, or NIL */
} SdcSupportsRequest;

/* Receives the result, and the columns of the combination that its lifts are of. */
typedef void (*SdcSupportsEmit) (void *arg, const SdcSupport *support,
								 const char *const *column, int items);

/* sdc_supports_measure calls emit once, and not at all without records. */
extern void sdc_supports_measure(const SdcSupportsRequest *request, SdcSupportsEmit emit,
								 void *arg);

#endif							/* SDC_MEASURE_SUPPORTS_H */
