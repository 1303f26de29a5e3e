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

/*
 * Below, names is a list of char *, the columns in which the records of a group agree; NULLs agree with each other.
 * unit has columns that name the unit of a record, from sdc_unitcolumns_find (unitcolumns.h): then units are counted,
 * each once in a group.  NIL: records are.
 */

/* How large the groups are. */
typedef struct SdcGroupSizes
{
	uint64		groups;
	uint64		smallest;		/* records or units; 0: there are no groups */
	uint64		single;			/* groups of one */
	bool		missing;		/* some have no value in some column */
} SdcGroupSizes;

/* sdc_groupcount_sizes counts the records or units of every group. */
extern void sdc_groupcount_sizes(Oid relid, List *names, List *unit, SdcGroupSizes *sizes);

/* How many groups there are of each size. */
typedef struct SdcGroupHistogram
{
	uint32		sizes;
	uint64	   *size;			/* ascending, each once */
	uint64	   *groups;			/* how many have it */
	uint64		records;		/* of the relation; the sum of the sizes where these are units */
} SdcGroupHistogram;

/* sdc_groupcount_histogram counts the groups by their sizes, in the current memory context. */
extern void sdc_groupcount_histogram(Oid relid, List *names, List *unit, SdcGroupHistogram *histogram);

/* What a group has of another column. */
typedef struct SdcGroupCounts
{
	const uint64 *count;		/* of its values, in any order; NULL is a value too */
	uint64		values;
	uint64		size;			/* of the group: a unit with two values is counted for both, and is one */
} SdcGroupCounts;

/* sdc_groupcount_values calls a function for every group, in any order, with the counts of the values in it. */
typedef void (*SdcGroupValues) (void *arg, const SdcGroupCounts *counts);

extern void sdc_groupcount_values(Oid relid, List *names, const char *column, List *unit,
								  SdcGroupValues group, void *arg);

/*
 * sdc_groupcount_check insists on a relation with such columns, a list of char * and another one or NULL,
 * which the caller may read and the server group by.  It returns the role that is to read it.
 */
extern Oid	sdc_groupcount_check(Oid relid, List *names, const char *column);

/* Groups whose records, or units, have weights. */
typedef struct SdcGroupMasses
{
	uint64		uniques;		/* groups of one */
	uint64		pairs;			/* groups of two */
	double		others;			/* sum of weight - 1 over those that are in groups of two */
	double		least;			/* the least sum of the weights of a group; NaN without groups */
} SdcGroupMasses;

/* sdc_groupcount_masses counts them as sdc_groupcount_histogram does; bad weights are an error (weights.h). */
extern void sdc_groupcount_masses(Oid relid, List *names, List *unit, const char *weight, SdcGroupMasses *masses);

#endif							/* SDC_RELATION_GROUPCOUNT_H */
