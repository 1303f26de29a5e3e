/*-------------------------------------------------------------------------
 *
 * queries.h
 *		How far counts on a release are from those on its source.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_MEASURE_QUERIES_H
#define SDC_MEASURE_QUERIES_H

#include "kernel/queries/queries.h"
#include "measure/codedrelease.h"

/* The errors of the queries with one number of attributes. */
typedef SdcQueryErrors SdcWorkloadErrors;

/* Random queries that are asked of a release and its source, and what came of them. */
typedef struct SdcWorkload
{
	SdcCodedReleaseRequest comparison;
	uint32		queries;		/* for each number of attributes */
	const char *seed;			/* or NULL */
	MemoryContext context;		/* of the errors */
	/* set by sdc_queries_measure */
	int			numbers;		/* of attributes: so many errors */
	SdcWorkloadErrors *errors;
} SdcWorkload;

/* sdc_queries_measure reads a release and its source and asks both the queries. */
extern void sdc_queries_measure(SdcWorkload *workload);

/* How many records of a release and its source fulfil a condition. */
typedef struct SdcConditionError
{
	int64		answer;			/* of the source, */
	int64		estimate;		/* and of the release */
	double		relative_error; /* NaN if only the release has such records */
} SdcConditionError;

/*
 * sdc_queries_count counts the records of a release and its source that fulfil a condition
 * (condition.h), which comes from an argument.
 */
extern void sdc_queries_count(Oid catalog_schema, Oid release, const char *condition,
							  const char *argument, SdcConditionError *error);

#endif							/* SDC_MEASURE_QUERIES_H */
