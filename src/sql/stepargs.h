/*-------------------------------------------------------------------------
 *
 * stepargs.h
 *		The argument that says what several methods are to do in one release.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_SQL_STEPARGS_H
#define SDC_SQL_STEPARGS_H

#include "fmgr.h"
#include "measure/sweep.h"
#include "method/step.h"
#include "utils/jsonb.h"

/*
 * sdc_stepargs_read reads an array of steps: objects with the name of a method and the arguments that the
 * function of that method has of its own.  All is checked that can be without the relation; an error tells the step.
 */
extern void sdc_stepargs_read(FunctionCallInfo fcinfo, int number, SdcProtection *protection);

/* sdc_stepargs_read_array does so for an array that is no argument. */
extern void sdc_stepargs_read_array(Jsonb *steps, SdcProtection *protection);

/* sdc_stepargs_read_object reads one step from an object; an error tells the place that the step has. */
extern void sdc_stepargs_read_object(Jsonb *object, SdcMethodStep *step);

/* What the largest value of a parameter is. */
typedef enum SdcGridEnd
{
	SDC_GRID_OPEN,
	SDC_GRID_RECORDS,			/* the number of records */
	SDC_GRID_STRATUM,			/* that of the smallest stratum */
	SDC_GRID_COLUMNS			/* the number of quasi-identifiers */
} SdcGridEnd;

#define SDC_GRID_VALUES 10

/* The parameter of a method that a sweep tries, and the values that it tries unless others are given. */
typedef struct SdcGrid
{
	const char *parameter;		/* NULL: there is none */
	SdcSweepScale scale;
	SdcGridEnd	end;
	double		value[SDC_GRID_VALUES]; /* 0: behind the last; first: others must be given */
} SdcGrid;

/* sdc_stepargs_swept reads an argument that names a method with such a parameter. */
extern const char *sdc_stepargs_swept(FunctionCallInfo fcinfo, int number, const SdcGrid **grid);

/* The readers of the methods' own arguments, which stand from number 1 on; they prepare a step. */
extern void sdc_rankswap_read(FunctionCallInfo fcinfo, SdcMethodStep *step);
extern void sdc_rankswap_distribution_read(FunctionCallInfo fcinfo, SdcMethodStep *step);
extern void sdc_rankswap_buckets_read(FunctionCallInfo fcinfo, SdcMethodStep *step);
extern void sdc_equidepth_swap_read(FunctionCallInfo fcinfo, SdcMethodStep *step);
extern void sdc_equiwidth_swap_read(FunctionCallInfo fcinfo, SdcMethodStep *step);
extern void sdc_randomize_read(FunctionCallInfo fcinfo, SdcMethodStep *step);
extern void sdc_generalize_read(FunctionCallInfo fcinfo, SdcMethodStep *step);
extern void sdc_recode_read(FunctionCallInfo fcinfo, SdcMethodStep *step);
extern void sdc_suppress_read(FunctionCallInfo fcinfo, SdcMethodStep *step);
extern void sdc_microaggregate_read(FunctionCallInfo fcinfo, SdcMethodStep *step);
extern void sdc_pram_read(FunctionCallInfo fcinfo, SdcMethodStep *step);
extern void sdc_noise_read(FunctionCallInfo fcinfo, SdcMethodStep *step);
extern void sdc_permute_read(FunctionCallInfo fcinfo, SdcMethodStep *step);
extern void sdc_record_swap_read(FunctionCallInfo fcinfo, SdcMethodStep *step);
extern void sdc_permutation_swap_read(FunctionCallInfo fcinfo, SdcMethodStep *step);

#endif							/* SDC_SQL_STEPARGS_H */
