/*-------------------------------------------------------------------------
 *
 * regression.h
 *		Least squares with an intercept, and how far two intervals overlap.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_REGRESSION_H
#define SDC_KERNEL_REGRESSION_H

#include "kernel/base/kernel_env.h"

/* A coefficient; both are NaN if it is left out. */
typedef struct SdcRegressionTerm
{
	double		estimate;
	double		standard_error; /* classical; NaN also if nothing is left to estimate it from */
} SdcRegressionTerm;

/*
 * sdc_regression_fit explains y by columns x[0], x[1], ...: term[0] becomes the intercept, term[j + 1]
 * the coefficient of x[j].  Only records with finite values everywhere count; their number is returned, and without
 * any all terms are left out.  A column that depends linearly on those before it is left out.
 */
extern uint32 sdc_regression_fit(const double *y, const double *const *x, int columns,
								 uint32 records, SdcRegressionTerm *term);

/*
 * sdc_regression_overlap is the overlap of the 95 percent intervals of two estimates: 1 for the same, negative
 * if they are apart.  Two without width overlap by 1 if they are equal, else NaN; so is one without width and one with.
 */
extern double sdc_regression_overlap(const SdcRegressionTerm *a, const SdcRegressionTerm *b);

#endif							/* SDC_KERNEL_REGRESSION_H */
