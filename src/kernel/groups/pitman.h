/*-------------------------------------------------------------------------
 *
 * pitman.h
 *		How many people are unique in a population, by a model of the sizes of the classes of a sample.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_PITMAN_H
#define SDC_KERNEL_PITMAN_H

#include "kernel/base/kernel_env.h"

/* How many classes there are of each size: sizes ascending, from 1 on, each once. */
typedef struct SdcClassSizes
{
	uint32		sizes;
	const uint64 *size;			/* records of a class */
	const uint64 *classes;		/* how many have it, at least 1 */
} SdcClassSizes;

/* The parameters that make the sizes most likely. */
typedef struct SdcPitman
{
	double		theta;			/* above -alpha */
	double		alpha;			/* 0 <= alpha < 1 */
} SdcPitman;

/*
 * sdc_pitman_fit finds the parameters; false: there are none, as for one class only, or for classes of one
 * record only.
 */
extern bool sdc_pitman_fit(const SdcClassSizes *sizes, SdcPitman *pitman);

/* sdc_pitman_uniques is the expected number of classes of one record in a population of so many people. */
extern double sdc_pitman_uniques(const SdcPitman *pitman, double people);

#endif							/* SDC_KERNEL_PITMAN_H */
