/*-------------------------------------------------------------------------
 *
 * releaseargs.h
 *		The arguments of the functions that attack and measure a release.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_SQL_RELEASEARGS_H
#define SDC_SQL_RELEASEARGS_H

#include "fmgr.h"
#include "relation/frame/wholerelease.h"

/* Reads the arguments sample and seed. */
extern void sdc_evaluation_args_sample(FunctionCallInfo fcinfo, int sample, int seed,
									   SdcSampleRequest *request);

/*
 * sdc_evaluation_args_begin reads argument 0 and begins the evaluation of that release; who calls
 * it ends it by sdc_evaluation_end.
 */
extern void sdc_evaluation_args_begin(SdcEvaluation *evaluation, FunctionCallInfo fcinfo,
									  const SdcSampleRequest *sample, bool keys);

/* sdc_evaluation_args_begin_weighted does so for what is weighted. */
extern void sdc_evaluation_args_begin_weighted(SdcEvaluation *evaluation, FunctionCallInfo fcinfo,
											   const SdcSampleRequest *sample, SdcWeightRequest weight);

/* sdc_evaluation_args_begin_strata does so for what needs the strata. */
extern void sdc_evaluation_args_begin_strata(SdcEvaluation *evaluation, FunctionCallInfo fcinfo);

/* sdc_evaluation_args_begin_unnamed does so for a query that has not named the release. */
extern void sdc_evaluation_args_begin_unnamed(SdcEvaluation *evaluation, FunctionCallInfo fcinfo);

/* Arguments that are about the columns of a release: it must be read already. */
extern int *sdc_evaluation_args_known(FunctionCallInfo fcinfo, int number,
									  const SdcPairedRelease *paired, int *count);

/* Reads arguments 0, the release, and known, for attacks that see all of it. */
extern void sdc_evaluation_args_whole(FunctionCallInfo fcinfo, int known, SdcWholeRequest *request);

/*
 * sdc_evaluation_args_begin_whole reads these, known being argument 1, and sample, seed, unit, known_rows and linked,
 * which follow one another; a function without the last three (plumbing.sql) takes the units of the release.  It begins
 * the result set, and then an evaluation as above.
 */
extern SdcWholeRelease *sdc_evaluation_args_begin_whole(SdcEvaluation *evaluation, FunctionCallInfo fcinfo, int sample,
														SdcWholeRequest *request);

/*
 * sdc_evaluation_args_order reads arguments known and known_max: the indexes of the first attributes that are
 * known, in the order in which they were named, or of the columns.  Copied columns are passed over with
 * copied set, and an error otherwise.
 */
extern int *sdc_evaluation_args_order(FunctionCallInfo fcinfo, int known, int known_max,
									  const SdcPairedRelease *paired, bool copied, int *count);

#endif							/* SDC_SQL_RELEASEARGS_H */
