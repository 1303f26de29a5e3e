/*-------------------------------------------------------------------------
 *
 * queries.h
 *		How far random counts on a release are from those on its source.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_MEASURE_QUERIES_H
#define SDC_MEASURE_QUERIES_H

#include "kernel/queries/queries.h"
#include "relation/frame/codedrelease.h"

/* The views ask the same queries of all releases of a source, every time. */
#define SDC_QUERIES_SEED "sdc_query_errors"

/* The errors of the queries with one number of attributes. */
typedef SdcQueryErrors SdcWorkloadErrors;

/* Random queries that are asked of a release and its source, and what came of them. */
typedef struct SdcWorkload
{
	SdcCodedReleaseRequest release;
	uint32		queries;		/* for each number of attributes, */
	int			most;			/* up to so many; 0: all */
	const char *seed;			/* or NULL */
	MemoryContext context;		/* of the errors */
	/* set by sdc_queries_measure */
	int			numbers;		/* of attributes: so many errors */
	SdcWorkloadErrors *errors;
} SdcWorkload;

/* sdc_queries_measure reads a release and its source and asks both the queries. */
extern void sdc_queries_measure(SdcWorkload *workload);

#endif							/* SDC_MEASURE_QUERIES_H */
