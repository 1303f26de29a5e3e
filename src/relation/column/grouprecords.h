/*-------------------------------------------------------------------------
 *
 * grouprecords.h
 *		The records of every stratum, group or class.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_RELATION_GROUPRECORDS_H
#define SDC_RELATION_GROUPRECORDS_H

#include "kernel/base/pairs.h"
#include "relation/column/column.h"

typedef struct SdcGroupRecords
{
	uint32		groups;
	uint32	   *start;			/* group g has members start[g] .. start[g + 1] - 1 */
	uint32	   *member;			/* records, ascending in each group */
} SdcGroupRecords;

/* Bytes that a list of members takes. */
extern uint64 sdc_grouprecords_memory(uint64 records, uint64 groups);

/*
 * sdc_grouprecords_list lists the records of the groups 0 .. groups - 1 in the current memory
 * context; a record with SDC_CODE_NULL is in none.
 */
extern void sdc_grouprecords_list(const uint32 *group, uint64 records, uint32 groups,
								  SdcGroupRecords *members);
extern void sdc_grouprecords_free(SdcGroupRecords *members);

/* The number of members of a group, and the first of them. */
static inline uint32
sdc_grouprecords_count(const SdcGroupRecords *members, uint32 group)
{
	return members->start[group + 1] - members->start[group];
}

static inline const uint32 *
sdc_grouprecords_of(const SdcGroupRecords *members, uint32 group)
{
	return members->member + members->start[group];
}

/* sdc_grouprecords_strata reads the stratum of every record; all are 0 without a column. */
extern uint32 *sdc_grouprecords_strata(SdcColumn *stratum, uint64 records);

/* sdc_grouprecords_valued finds the records that have a value in a column, by stratum. */
extern void sdc_grouprecords_valued(SdcColumn *stratum, uint32 strata, SdcColumn *column, SdcGroupRecords *members);

/* sdc_grouprecords_column returns a column of such numbers, with something added to each. */
extern SdcColumn *sdc_grouprecords_column(const uint32 *number, uint32 records, int32 more, SdcSpool *spool);

#endif							/* SDC_RELATION_GROUPRECORDS_H */
