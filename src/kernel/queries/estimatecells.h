/*-------------------------------------------------------------------------
 *
 * estimatecells.h
 *		Estimates from a randomized release for every cell of a GROUP BY.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_ESTIMATECELLS_H
#define SDC_KERNEL_ESTIMATECELLS_H

#include "kernel/base/pairs.h"
#include "kernel/queries/estimate.h"

/* More columns are an error of the caller. */
#define SDC_ESTIMATE_COLUMNS 32

/* A column of a group of records. */
enum
{
	SDC_ESTIMATE_MISSING,		/* it has no value */
	SDC_ESTIMATE_FALSE,			/* the condition on it does not hold */
	SDC_ESTIMATE_TRUE			/* it does, or there is none */
};

/* A column that has a condition, or in which the records of a cell agree, or both. */
typedef struct SdcEstimateColumn
{
	bool		drawn;			/* it is in qi */
	double		probability;	/* RA 1: to be drawn */
	bool		condition;
	const uint8 *state;			/* of each group */
	const uint32 *code;			/* of each group, or SDC_CODE_NULL; NULL: cells do not agree in it */
	uint32		codes;
} SdcEstimateColumn;

/* Records of one stratum that agree in all states and codes. */
typedef struct SdcEstimateGroup
{
	uint64		records;
	uint32		stratum;
	bool		measured;		/* they have a value of the measure, or there is none */
	double		sum;			/* of x - center, x the measure */
	double		square;			/* of its square */
} SdcEstimateGroup;

typedef struct SdcEstimateCellsTask
{
	SdcEstimateStatistic statistic;
	SdcEstimateMeasure measure;
	int			own;			/* the column that a randomized measure is, or -1 */
	bool		drawn;			/* such a one that is no column: in qi, */
	double		probability;	/* and to be drawn */
	double		center;
	bool		single;			/* RA 1; else RA 2 */
	int			attributes;		/* RA 2: columns of qi */
	int			draws;			/* RA 2: so many of them are drawn */
	double		retain;			/* PRAM, as in SdcEstimateTask */
	int			columns;
	const SdcEstimateColumn *column;
	uint32		groups;
	const SdcEstimateGroup *group;
	uint32		strata;
} SdcEstimateCellsTask;

/* Conditions of a cell: those on columns that are drawn, and one for all the others together. */
extern int	sdc_estimatecells_conditions(const SdcEstimateCellsTask *task);

/* sdc_estimatecells_identifiable: whether the release tells anything of such cells; groups are not looked at. */
extern bool sdc_estimatecells_identifiable(const SdcEstimateCellsTask *task);

/*
 * sdc_estimatecells_run emits the cells that the groups have, in the order of their codes, missing values last;
 * without columns in which cells agree one cell, whatever there is.  group is one of the cell's, or SDC_RECORD_NONE.
 * The estimate is that of sdc_estimate_run with a condition for each column: that it has the value of the cell, if
 * there is one; that a value is missing is known.  Cells must be identifiable, with at most SDC_ESTIMATE_CONDITIONS.
 */
typedef void (*SdcEstimateCellsEmit) (void *arg, uint32 group, const SdcEstimate *estimate);

extern void sdc_estimatecells_run(const SdcEstimateCellsTask *task, SdcEstimateCellsEmit emit,
								  void *arg);

#endif							/* SDC_KERNEL_ESTIMATECELLS_H */
