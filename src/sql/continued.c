/*-------------------------------------------------------------------------
 *
 * continued.c
 *		sdc_pending.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/objectaddress.h"
#include "fmgr.h"
#include "funcapi.h"
#include "method/continued/night.h"
#include "method/continued/nightstate.h"
#include "miscadmin.h"
#include "relation/base/compat.h"
#include "relation/catalog/catalogtable.h"
#include "sql/args.h"
#include "sql/rows.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"

PG_FUNCTION_INFO_V1(sdc_pending);

/* put_waiting adds a row: SdcNightWaits. */
static void
put_waiting(void *arg, const char *kind, const char *column, uint64 records, TimestampTz since)
{
	Datum		values[4];
	bool		nulls[4] = {false, column == NULL, false, since == 0 || records == 0};

	values[0] = CStringGetTextDatum(kind);
	values[1] = column == NULL ? (Datum) 0 : DirectFunctionCall1(namein, CStringGetDatum(column));
	values[2] = Int64GetDatum((int64) records);
	values[3] = TimestampTzGetDatum(since);
	sdc_rows_put(arg, values, nulls);
}

/*
 * sdc_pending(release regclass) RETURNS TABLE (kind text, attribute name, records bigint, since timestamptz)
 *
 * sdc_pending tells what waits in a release that is continued: its owner may know.
 */
Datum
sdc_pending(PG_FUNCTION_ARGS)
{
	Oid			release = sdc_args_relation(fcinfo, 0, "release");

	sdc_rows_begin(fcinfo, 0);
	if (!sdc_is_relation_owner(release, GetUserId()))
		aclcheck_error(ACLCHECK_NOT_OWNER, get_relkind_objtype(get_rel_relkind(release)), get_rel_name(release));
	sdc_nightstate_pending(sdc_catalogtable_schema(), release, put_waiting, fcinfo);
	return (Datum) 0;
}
