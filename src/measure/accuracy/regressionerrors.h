/*-------------------------------------------------------------------------
 *
 * regressionerrors.h
 *		A linear regression on a release, beside that on its source.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_MEASURE_REGRESSIONERRORS_H
#define SDC_MEASURE_REGRESSIONERRORS_H

#include "nodes/pg_list.h"

/* One coefficient; NaN is NULL. */
typedef struct SdcRegressionError
{
	const char *term;			/* a column, or NULL: the intercept */
	double		original;
	double		original_error; /* standard errors */
	double		protected;
	double		protected_error;
	double		relative_error;
	double		overlap;
} SdcRegressionError;

typedef struct SdcRegressionErrorsRequest
{
	Oid			catalog_schema;
	Oid			release;
	char	   *y;				/* a column that is explained */
	List	   *x;				/* by columns, char * */
	void		(*emit) (void *arg, const SdcRegressionError *error);
	void	   *arg;
} SdcRegressionErrorsRequest;

/* sdc_regressionerrors_measure reads a release and its source with the rights of the caller. */
extern void sdc_regressionerrors_measure(const SdcRegressionErrorsRequest *request);

#endif							/* SDC_MEASURE_REGRESSIONERRORS_H */
