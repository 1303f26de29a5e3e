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
#include "relation/read/bins.h"

/* equidepth_swap or equiwidth_swap */
extern SdcBinKind sdc_binargs_method(FunctionCallInfo fcinfo, int number);

/* At least 2, and at least 1. */
extern uint32 sdc_binargs_depth(FunctionCallInfo fcinfo, int number);
extern uint32 sdc_binargs_intervals(FunctionCallInfo fcinfo, int number);

/*
 * sdc_binargs_boxes reads intervals and, behind it, widths: one for each of request->columns.  One of
 * them is needed; both only if columns are cut that are not named.
 */
extern void sdc_binargs_boxes(FunctionCallInfo fcinfo, int intervals, bool unnamed,
							  SdcBinRequest *request);

#endif							/* SDC_SQL_BINARGS_H */
