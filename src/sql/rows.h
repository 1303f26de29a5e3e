/*-------------------------------------------------------------------------
 *
 * rows.h
 *		The rows that a function returns.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_SQL_ROWS_H
#define SDC_SQL_ROWS_H

#include "fmgr.h"
#include "funcapi.h"

/*
 * sdc_rows_begin prepares the result set of a function.  The flags are those of InitMaterializedSRF, which
 * does the work, but for a function that another session has dropped meanwhile.
 */
extern void sdc_rows_begin(FunctionCallInfo fcinfo, bits32 flags);

/* sdc_rows_put adds a row. */
static inline void
sdc_rows_put(FunctionCallInfo fcinfo, Datum *values, bool *nulls)
{
	ReturnSetInfo *result = (ReturnSetInfo *) fcinfo->resultinfo;

	tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
}

/*
 * sdc_rows_attempt does a part of such work, and says what problem there was, or NULL; false: the caller
 * may not read the release or its source, which has no row then.
 */
extern bool sdc_rows_attempt(void (*work) (void *arg), void *arg, char **problem);

#endif							/* SDC_SQL_ROWS_H */
