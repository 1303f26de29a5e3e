/*-------------------------------------------------------------------------
 *
 * columnbounds.h
 *		What a protected column of a publication tells for certain about a condition on it.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_MEASURE_COLUMNBOUNDS_H
#define SDC_MEASURE_COLUMNBOUNDS_H

#include "measure/accuracy/swapbins.h"
#include "relation/condition/conditionform.h"

/* The units of the records of a publication. */
typedef struct SdcBoundUnits
{
	bool		hidden;			/* there are some, and nobody can tell which records are of one */
	uint32		count;			/* 0: each record is one */
	uint32	   *size;			/* records of each */
	double		design;			/* how many times as much a count by units varies */
} SdcBoundUnits;

typedef struct SdcColumnBoundsTask
{
	const SdcAccuracyDrawing *drawing;
	const SdcBoundUnits *units;
	uint32		records;
	const bool *unit_holds;		/* the condition, by unit; NULL: units have several values, or are records */
	SdcConditionKind kind;		/* of the condition, if it is one */
	bool		labels;			/* the column has texts in the place of values */
} SdcColumnBoundsTask;

/*
 * sdc_columnbounds_find finds for which records the condition holds in any case, and for which it can, and for how many
 * originals at least and at most.  By then matrices have set sure and possible, which others have not.
 */
extern void sdc_columnbounds_find(const SdcColumnBoundsTask *task, SdcSwapBins *column);

/*
 * sdc_columnbounds_turnover is by how many of so many records a swapped column that is continued can differ from that
 * of the source; NaN: it is not said.
 */
extern double sdc_columnbounds_turnover(const SdcSwapBins *column, double records);

/* sdc_columnbounds_why_drawn says why nothing is known of a condition on a randomized column, or returns NULL. */
extern const char *sdc_columnbounds_why_drawn(Oid relid, const SdcAccuracyColumn *column, const SdcConditionForm *form);

#endif							/* SDC_MEASURE_COLUMNBOUNDS_H */
