/*-------------------------------------------------------------------------
 *
 * call.h
 *		How the server calls functions in C.
 *
 * A function in C is bound by its name alone, and is called with the arguments that the SQL objects declare, which can
 * be of another version than the library.  The two are compared when a session looks a function up, which it does
 * once, and whenever the executor is about to call one (sql/module.c).  And no argument is read that was not passed.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_SQL_CALL_H
#define SDC_SQL_CALL_H

#include "fmgr.h"
#include "relation/base/api.h"

/* sdc_call_argument returns an argument of a call, which must have so many. */
static inline const NullableDatum *
sdc_call_argument(FunctionCallInfo fcinfo, int number)
{
	if (unlikely(number >= fcinfo->nargs))
		sdc_api_lacks(fcinfo->flinfo == NULL ? InvalidOid : fcinfo->flinfo->fn_oid, number + 1);
	return &fcinfo->args[number];
}

/* What the server has for this reads what lies behind the arguments. */
#undef PG_GETARG_DATUM
#define PG_GETARG_DATUM(number) (sdc_call_argument(fcinfo, number)->value)
#undef PG_ARGISNULL
#define PG_ARGISNULL(number) (sdc_call_argument(fcinfo, number)->isnull)

/*
 * The server calls the second function when it looks the first one up.  It compiles none into a query (JIT): it reads
 * the code for that from a file which can be of a later version than the library of the session.
 */
#define SDC_FUNCTION_INFO(name, check) \
extern PGDLLEXPORT pg_noinline Datum name(PG_FUNCTION_ARGS); \
extern PGDLLEXPORT const Pg_finfo_record *pg_finfo_##name(void); \
const Pg_finfo_record * \
pg_finfo_##name(void) \
{ \
	static const Pg_finfo_record info = {1}; \
\
	check; \
	return &info; \
} \
extern int	no_such_variable

#undef PG_FUNCTION_INFO_V1
#define PG_FUNCTION_INFO_V1(name) SDC_FUNCTION_INFO(name, sdc_api_require())

/* a function that serves objects of every version */
#define SDC_ANY_VERSION(name) SDC_FUNCTION_INFO(name, (void) 0)

#endif							/* SDC_SQL_CALL_H */
