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

/*
 * sdc_statisticerrors_of does so for one of the columns that were read, whose records with each value
 * sdc_statisticerrors_count has counted, file 0 (the source) and 1; sdc_margins_end frees what that took.
 */
extern SdcMarginsFile sdc_statisticerrors_count(const SdcReleaseColumns *columns, int number, int file);
extern void sdc_statisticerrors_of(const SdcReleaseColumns *columns, int number, const SdcMarginsFile *file,
								   SdcStatisticErrorEmit emit, void *arg);

#endif							/* SDC_MEASURE_STATISTICERRORS_H */
