/*-------------------------------------------------------------------------
 *
 * optimalruns.h
 *		Sorted numbers cut into runs that differ least within.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_OPTIMALRUNS_H
#define SDC_KERNEL_OPTIMALRUNS_H

#include "kernel/base/kernel_env.h"

/* Costs that differ by no more of the sum of squares of all numbers are equal. */
#define SDC_OPTIMALRUNS_TIE 1e-12

/*
 * sdc_optimalruns cuts n ascending numbers into runs of k to 2 k - 1 numbers, 1 <= k <= n, so that the sum of the
 * squares of their distances from the means of their runs is least: no other groups of at least k numbers have less.
 * Of equally good ways to cut the first numbers, that with the shorter last run is taken.
 *
 * run[i] gets the number of the run of number i, from 0; the number of runs is returned.  *within is the sum of the
 * squares, *squares that of the distances from the mean of all.
 */
extern uint32 sdc_optimalruns(const double *value, uint32 n, uint32 k, uint32 *run, double *within, double *squares);

#endif							/* SDC_KERNEL_OPTIMALRUNS_H */
