/*-------------------------------------------------------------------------
 *
 * queries.h
 *		The errors of random count queries on a release.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_QUERIES_H
#define SDC_KERNEL_QUERIES_H

#include "kernel/base/pairs.h"
#include "kernel/base/stream.h"

/* So many queries are asked at once. */
#define SDC_QUERIES_AT_ONCE 256

/* How a count is estimated from a release. */
typedef enum SdcQueryKind
{
	SDC_QUERY_PLAIN,			/* it is counted */
	SDC_QUERY_GENERALIZED,		/* groups of records with the same sets of values: equation (12) */
	SDC_QUERY_PERMUTED			/* groups in which sensitive values were permuted: equation (13) */
} SdcQueryKind;

/* A set of different values: so many elements, from one on. */
typedef struct SdcQuerySet
{
	uint64		first;
	uint32		count;
} SdcQuerySet;

/* An attribute of the workload.  Of a generalized one the release has a set in the place of a value. */
typedef struct SdcQueryAttribute
{
	const uint32 *original;		/* codes as in pairs.h, common to both files */
	const uint32 *protected;	/* NULL: generalized */
	uint32		codes;
	bool		range;			/* asked for by ranges of values, not by sets */
	const SdcQuerySet *set;		/* generalized: of each group */
	const uint32 *element;		/* codes; SDC_CODE_NULL for values that satisfy no condition */
	uint64		elements;
} SdcQueryAttribute;

typedef struct SdcQueryTask
{
	uint32		records;
	SdcQueryKind kind;
	int			attributes;		/* quasi-identifiers */
	const SdcQueryAttribute *qi;
	int			sensitives;		/* may be 0: then queries have no sensitive condition */
	const SdcQueryAttribute *sensitive; /* one of them is drawn for every query */
	const uint32 *group;		/* of each record of the release; not for plain counts */
	uint32		groups;
	const double *weight[2];	/* of every record in the original and in the release, both NULL: there are none */
	uint32		queries;		/* for each number of attributes, */
	int			most;			/* up to so many; 0: all that there can be */
	/* returns the stream, started, that queries with so many attributes are drawn from */
	SdcStream  *(*stream) (void *arg, int attributes);
	/* told that so many more queries are asked, of all numbers of attributes; or NULL */
	void		(*advance) (void *arg, uint64 queries);
	void	   *arg;
	uint64		memory;			/* bytes that may be used at most, at least sdc_queries_memory */
} SdcQueryTask;

typedef struct SdcQueryErrors
{
	int			attributes;		/* quasi-identifiers in a query */
	uint32		queries;		/* that were evaluated */
	uint64		redrawn;		/* that were drawn again, as no original record satisfies them */
	double		mean;			/* relative errors; NaN without queries */
	double		median;
	double		p95;
	double		other[3];		/* 5, 25 and 75 percent of them are at most these */
} SdcQueryErrors;

/* The least memory that will do; more makes it faster. */
extern uint64 sdc_queries_memory(const SdcQueryTask *task);

/*
 * sdc_queries_numbers: queries have 1 .. so many attributes, all but one, but at least one; all if
 * there is no sensitive attribute; never more than most.
 */
static inline int
sdc_queries_numbers(const SdcQueryTask *task)
{
	int			numbers = task->attributes;

	if (task->sensitives > 0)
		numbers = numbers > 2 ? numbers - 1 : 1;
	return task->most > 0 && task->most < numbers ? task->most : numbers;
}

/*
 * sdc_queries_run writes sdc_queries_numbers(task) results.  There are fewer queries than asked for
 * if 100 for each and 1000 more were drawn again for one number of attributes, and none without
 * records.  Which queries are asked depends on the original values and the stream alone.
 */
extern void sdc_queries_run(const SdcQueryTask *task, SdcQueryErrors *result);

/*
 * The same in parts, for those who share them: sdc_queries_number finds the errors with one number of attributes,
 * whatever was asked before, and sdc_queries_finish puts the results of all numbers right.
 */
typedef struct SdcQueryRun SdcQueryRun;

extern SdcQueryRun *sdc_queries_create(const SdcQueryTask *task);
extern void sdc_queries_number(SdcQueryRun *run, int number, SdcQueryErrors *result);
extern void sdc_queries_finish(const SdcQueryTask *task, SdcQueryErrors *result);
extern void sdc_queries_destroy(SdcQueryRun *run);

/* sdc_queries_percentile sorts errors, none of them NaN, and interpolates between the two next to a share of them. */
extern double sdc_queries_percentile(double *error, uint32 count, double share);

#endif							/* SDC_KERNEL_QUERIES_H */
