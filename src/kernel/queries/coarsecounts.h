/*-------------------------------------------------------------------------
 *
 * coarsecounts.h
 *		How far random counts on a release are from those on its source, and no record's value.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_COARSECOUNTS_H
#define SDC_KERNEL_COARSECOUNTS_H

#include "kernel/base/grain.h"
#include "kernel/base/units.h"

/* The class of a missing value, which satisfies no condition; and the bit of one that may be missing. */
#define SDC_COARSE_MISSING 63

/* A column by classes (valueclasses.h), 0 .. classes - 1. */
typedef struct SdcCoarseColumn
{
	uint32		classes;		/* from 1 to SDC_COARSE_MISSING */
	bool		range;			/* conditions are ranges of classes, not sets */
	const uint8 *original;		/* of each record */
	const uint8 *released;		/* NULL: the release has ranges or sets, */
	const uint64 *possible;		/* of each record a bitmap: the classes that these have */
} SdcCoarseColumn;

typedef struct SdcCoarseCounts
{
	uint32		records;
	uint32		grain;
	int			attributes;
	int			sensitives;		/* one of them is asked for in every query, if there are any */
	const SdcCoarseColumn *column;	/* the attributes, and then the sensitive ones */
	const SdcUnits *units;	/* that have a record which satisfies a query are counted; NULL: records are */
} SdcCoarseCounts;

typedef struct SdcCoarseErrors
{
	SdcFigure	mean;			/* of relative errors */
	SdcFigure	median;
	SdcFigure	p95;
} SdcCoarseErrors;

/*
 * sdc_coarsecounts_run asks queries with so many attributes, 1 .. attributes, and compares the counts.  The queries
 * and whether they count depend on the classes and on the release alone.  Without enough of them all is withheld; it
 * returns whether there were enough.
 */
extern bool sdc_coarsecounts_run(const SdcCoarseCounts *task, int number, SdcCoarseErrors *errors);

#endif							/* SDC_KERNEL_COARSECOUNTS_H */
