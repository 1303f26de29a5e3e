/*-------------------------------------------------------------------------
 *
 * binargs.h
 *		The arguments that say how records are partitioned into bins.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_SQL_BINARGS_H
#define SDC_SQL_BINARGS_H

#include "fmgr.h"
#include "relation/bins.h"

/* equidepth or equiwidth */
extern SdcBinKind sdc_binargs_method(FunctionCallInfo fcinfo, int number);

/* At least 2, and at least 1. */
extern uint32 sdc_binargs_k(FunctionCallInfo fcinfo, int number);
extern uint32 sdc_binargs_intervals(FunctionCallInfo fcinfo, int number);

/* One width for each of request->columns. */
extern void sdc_binargs_widths(FunctionCallInfo fcinfo, int number, SdcBinRequest *request);

#endif							/* SDC_SQL_BINARGS_H */
