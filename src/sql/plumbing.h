/*-------------------------------------------------------------------------
 *
 * plumbing.h
 *		Functions that are below others, in the schema of the extension.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_SQL_PLUMBING_H
#define SDC_SQL_PLUMBING_H

#include "sql/call.h"


/* sdc_enter does what the function of its name in the schema of the extension does. */
extern Datum sdc_enter(PG_FUNCTION_ARGS);

/* sdc_plumbing_call calls a function with the rights of the caller. */
extern Datum sdc_plumbing_call(PGFunction function, FunctionCallInfo fcinfo);

/*
 * SDC_PLUMBING defines function sdc_private.NAME, whose body follows.  It works with the rights of the caller of the
 * function of the interface that is at work, also when a function in PL/pgSQL of this schema calls it.
 */
#define SDC_PLUMBING(name) \
static Datum name##_body(FunctionCallInfo fcinfo); \
PG_FUNCTION_INFO_V1(sdc_private_##name); \
Datum \
sdc_private_##name(PG_FUNCTION_ARGS) \
{ \
	return sdc_plumbing_call(name##_body, fcinfo); \
} \
static Datum \
name##_body(FunctionCallInfo fcinfo)

#endif							/* SDC_SQL_PLUMBING_H */
