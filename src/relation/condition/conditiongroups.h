/*-------------------------------------------------------------------------
 *
 * conditiongroups.h
 *		The groups of records of a relation for which the same conditions hold.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_RELATION_CONDITIONGROUPS_H
#define SDC_RELATION_CONDITIONGROUPS_H

#include "kernel/queries/estimatecells.h"
#include "nodes/pg_list.h"
#include "relation/column/dictionary.h"

/* A column that has conditions, or in which the records of a group agree, or both. */
typedef struct SdcConditionColumn
{
	const char *name;
	List	   *conditions;		/* texts (char *) on this column only, which were checked (condition.h) */
	bool		by;
	bool		missing;		/* the conditions say what holds for a missing value: otherwise none does */
} SdcConditionColumn;

typedef struct SdcConditionGroupsRequest
{
	Oid			relid;
	int			columns;
	const SdcConditionColumn *column;
	const char *measure;		/* a column of numbers that is summed, or NULL */
	List	   *strata;			/* columns, char * */
} SdcConditionGroupsRequest;

/* The values that a column has where groups agree in it; groups have their codes. */
typedef struct SdcConditionValues
{
	SdcType		type;
	SdcDictionary *dictionary;
	SdcDictionaryCodes coding;
} SdcConditionValues;

/* Equal groups can occur more than once. */
typedef struct SdcConditionGroups
{
	uint32		groups;
	SdcEstimateGroup *group;
	uint32		strata;
	double		center;			/* of the sums of the measure */
	uint8	  **state;			/* of each column, of each group */
	uint32	  **code;			/* NULL where groups do not agree in a column */
	SdcConditionValues *values; /* of each column */
} SdcConditionGroups;

/*
 * sdc_conditiongroups_check insists on columns that the caller may read, that can be grouped by, and on a measure of
 * numbers.
 */
extern void sdc_conditiongroups_check(const SdcConditionGroupsRequest *request);

/* sdc_conditiongroups_read reads the groups with the rights of the caller, in the current memory context. */
extern SdcConditionGroups *sdc_conditiongroups_read(const SdcConditionGroupsRequest *request);

/* sdc_conditiongroups_holds tells whether the conditions on a column hold for a value that no record has. */
extern bool sdc_conditiongroups_holds(Oid relid, const SdcConditionColumn *column, Datum value);

/* sdc_conditiongroups_value returns the value of a group in a column. */
static inline Datum
sdc_conditiongroups_value(const SdcConditionGroups *groups, int column, uint32 group, bool *isnull)
{
	const SdcConditionValues *values = &groups->values[column];
	uint32		code = groups->code[column][group];

	*isnull = code == SDC_CODE_NULL;
	return *isnull ? (Datum) 0 :
		sdc_dictionary_value(values->dictionary, values->coding.number[code]);
}

#endif							/* SDC_RELATION_CONDITIONGROUPS_H */
