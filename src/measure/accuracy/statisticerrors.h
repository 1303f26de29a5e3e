/*-------------------------------------------------------------------------
 *
 * statisticerrors.h
 *		Statistics of the columns of a release, beside those of its source.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_MEASURE_STATISTICERRORS_H
#define SDC_MEASURE_STATISTICERRORS_H

#include "kernel/loss/margins.h"
#include "relation/frame/releasecolumns.h"

/* One statistic of one column; NaN is NULL. */
typedef struct SdcStatisticError
{
	const char *column;
	const char *statistic;
	double		original;
	double		protected;
	double		relative_error;
	double		standard_error; /* of the original one */
} SdcStatisticError;

typedef void (*SdcStatisticErrorEmit) (void *arg, const SdcStatisticError *error);

/* sdc_statisticerrors_measure reads a release and its source with the rights of the caller. */
extern void sdc_statisticerrors_measure(Oid catalog_schema, Oid release, const SdcWeightRequest *weight,
										SdcStatisticErrorEmit emit, void *arg);

/* What statistics of a column in one of the files are made of. */
typedef struct SdcStatisticFile
{
	SdcMarginsFile margins;
	double	   *value;			/* by record; NULL: the column is none of numbers */
} SdcStatisticFile;

/*
 * sdc_statisticerrors_load finds it for file 0 (the source) or 1, in what another column was loaded to, or zeros;
 * sdc_margins_end and sdc_free take it back.
 */
extern void sdc_statisticerrors_load(const SdcReleaseColumns *columns, int number, int file, SdcStatisticFile *loaded);

/* sdc_statisticerrors_of measures one of the columns that were read, in both files. */
extern void sdc_statisticerrors_of(const SdcReleaseColumns *columns, int number, const SdcStatisticFile *file,
								   SdcStatisticErrorEmit emit, void *arg);

#endif							/* SDC_MEASURE_STATISTICERRORS_H */
