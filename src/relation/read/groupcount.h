/*-------------------------------------------------------------------------
 *
 * groupcount.h
 *		The groups of records of a relation that agree in some columns.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_RELATION_GROUPCOUNT_H
#define SDC_RELATION_GROUPCOUNT_H

#include "nodes/pg_list.h"
#include "tcop/dest.h"

/*
 * sdc_groupcount_check_column insists on a column, named in an argument, that the caller may read and the server
 * can group by.
 */
extern void sdc_groupcount_check_column(Oid relid, const char *name, const char *argument);

/* How large the groups are. */
typedef struct SdcGroupSizes
{
	uint64		groups;
	uint64		smallest;		/* records; 0: there are no groups */
	uint64		single;			/* groups of one record */
} SdcGroupSizes;

/*
 * sdc_groupcount_sizes counts the records of every group; names is a list of char *, the columns in
 * which its records agree.  NULLs agree with each other.
 */
extern void sdc_groupcount_sizes(Oid relid, List *names, SdcGroupSizes *sizes);

/* How many groups there are of each size. */
typedef struct SdcGroupHistogram
{
	uint32		sizes;
	uint64	   *size;			/* ascending, each once */
	uint64	   *groups;			/* how many have it */
	uint64		records;		/* of the relation */
} SdcGroupHistogram;

/* sdc_groupcount_histogram counts the groups by their sizes, in the current memory context. */
extern void sdc_groupcount_histogram(Oid relid, List *names, SdcGroupHistogram *histogram);

/*
 * sdc_groupcount_values calls a function for every group, in any order, with the counts, in any
 * order, of the values that another column has in it; NULL is a value too.
 */
typedef void (*SdcGroupValues) (void *arg, const uint64 *count, uint64 values);

extern void sdc_groupcount_values(Oid relid, List *names, const char *column,
								  SdcGroupValues group, void *arg);

/*
 * sdc_groupcount_check insists on a relation with such columns, a list of char * and another one or NULL,
 * which the caller may read and the server group by.  It returns the role that is to read it.
 */
extern Oid	sdc_groupcount_check(Oid relid, List *names, const char *column);

#endif							/* SDC_RELATION_GROUPCOUNT_H */
