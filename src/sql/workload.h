/*-------------------------------------------------------------------------
 *
 * workload.h
 *		The argument "workload": conditions whose records are counted.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_SQL_WORKLOAD_H
#define SDC_SQL_WORKLOAD_H

#include "fmgr.h"
#include "relation/condition/condition.h"

/* sdc_workload_read reads an argument, and checks its conditions on a relation with the rights of the caller. */
extern SdcCondition *sdc_workload_read(FunctionCallInfo fcinfo, int number, Oid relid, int *count);

#endif							/* SDC_SQL_WORKLOAD_H */
