/*-------------------------------------------------------------------------
 *
 * averages.h
 *		A column whose values become those of groups: means, or medians.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_METHOD_AVERAGES_H
#define SDC_METHOD_AVERAGES_H

#include "relation/column/grouprecords.h"
#include "relation/column/loadedvalues.h"
#include "relation/read/source.h"

/* What a record has in a column: a value that has a place among the others, or something that stays what it is. */
typedef enum SdcAverageState
{
	SDC_AVERAGE_VALUE,
	SDC_AVERAGE_NULL,
	SDC_AVERAGE_NAN,
	SDC_AVERAGE_ABOVE,			/* infinity */
	SDC_AVERAGE_BELOW,
	SDC_AVERAGE_CODE			/* a missing code: this one, or one of those that follow */
} SdcAverageState;

/* A column, while its groups are made. */
typedef struct SdcAverageColumn
{
	SdcAttribute *attribute;
	SdcLoadedValues values;
	uint32	   *state;			/* SdcAverageState of each record */
	uint32		states;			/* they are below this */
	bool		complete;		/* all records have a value */
	double	   *number;			/* of the values: their distances and squares are finite */
} SdcAverageColumn;

/* The groups of records. */
typedef struct SdcAverageGroups
{
	uint32	   *group;			/* of each record, SDC_CODE_NULL: it is in none */
	uint32		groups;
	bool	   *lost;			/* which records lose what they have; NULL: none */
} SdcAverageGroups;

/* sdc_averages_is_for tells whether values of a type can be averaged, or have a median at least. */
extern bool sdc_averages_is_for(const SdcType *type);

/* sdc_averages_load loads a column, and sdc_averages_free gives that back. */
extern void sdc_averages_load(SdcAttribute *attribute, SdcAverageColumn *column);
extern void sdc_averages_free(SdcAverageColumn *column);

/*
 * sdc_averages_replace replaces the values of a column by the means of their groups, or by their lower medians, and
 * counts those that differ.
 */
extern void sdc_averages_replace(SdcAverageColumn *column, const SdcAverageGroups *groups, bool median,
								 SdcSpool *spool);

#endif							/* SDC_METHOD_AVERAGES_H */
