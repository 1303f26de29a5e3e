/*-------------------------------------------------------------------------
 *
 * stored.c
 *		What the views over all releases show: what is kept of a release, or what is measured now.
 *
 * What is kept is shown to those who may read all columns of source and release that it was made from.  Somebody to
 * whom row security shows only some of the records sees it as long as the records that he sees are those
 * that it was made from, all of them.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/relation.h"
#include "catalog/pg_class.h"
#include "miscadmin.h"
#include "relation/base/spi.h"
#include "relation/catalog/catalogtable.h"
#include "relation/catalog/parameters.h"
#include "relation/frame/evaluations.h"
#include "relation/frame/openrelease.h"
#include "relation/read/source.h"
#include "sql/args.h"
#include "sql/rows.h"
#include "sql/settings.h"
#include "sql/stored.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/rls.h"
#include "utils/timestamp.h"

/* The work of one look. */
typedef struct Look
{
	Oid			schema;
	Oid			release;
	SdcStored  *stored;
	SdcReleaseRow row;
	SdcKeptEvaluation kept;
	char	   *problem;
} Look;

/* check_kept compares source and release with what they were: it is the work of sdc_rows_attempt. */
static void
check_kept(void *arg)
{
	Look	   *look = arg;

	look->problem = sdc_evaluations_problem(look->schema, &look->row, &look->kept, true, false);
}

/* check_rights insists that the caller may read what an evaluation reads: it is the work of sdc_rows_attempt. */
static void
check_rights(void *arg)
{
	Look	   *look = arg;
	SdcOpenRelease *opened = sdc_openrelease_find(look->schema, look->release, true);

	sdc_openrelease_plan(opened, NIL, opened->row.columns);
}

/* statement returns a problem with the statement that helps. */
static char *
statement(const Look *look, const char *problem)
{
	char	   *name = get_rel_persistence(look->release) == RELPERSISTENCE_TEMP ?
		sdc_spi_qualified_name("pg_temp", get_rel_name(look->release)) : sdc_spi_relation_name(look->release);

	return psprintf("%s: SELECT * FROM sdc_evaluate(%s)", problem, quote_literal_cstr(name));
}

/* is_restricted tells whether the caller may be shown some of the records only. */
static bool
is_restricted(const SdcReleaseRow *row)
{
	return check_enable_rls(row->source, InvalidOid, true) == RLS_ENABLED ||
		check_enable_rls(row->release, InvalidOid, true) == RLS_ENABLED;
}

/* look_at_kept decides about what is kept, and returns false where the caller is not to see it. */
static bool
look_at_kept(Look *look)
{
	SdcStored  *stored = look->stored;
	char	   *error;

	if (!sdc_evaluations_get(look->schema, look->release, &look->kept) ||
		!sdc_evaluations_may_read(&look->row, &look->kept) || !sdc_rows_attempt(check_kept, look, &error))
		return false;
	if ((error != NULL || look->problem != NULL) && is_restricted(&look->row))
		return false;
	if (error != NULL)
		stored->problem = psprintf("it cannot be told whether it has changed: %s", error);
	else if (look->problem != NULL)
		stored->problem = statement(look, look->problem);
	stored->at = look->kept.at;
	stored->measures = look->kept.measures;
	if (look->row.records > (uint64) sdc_setting_view_records)
		stored->other = statement(look, "evaluated by other settings");
	stored->answer = SDC_STORED_SHOW;
	return true;
}

/* decide decides what is shown: it is the work of sdc_rows_attempt. */
static void
decide(void *arg)
{
	Look	   *look = arg;
	char	   *error;

	/* from here on it stays */
	relation_close(sdc_source_open(look->release, AccessShareLock), NoLock);
	if (!sdc_catalog_get_visible(look->schema, look->release, &look->row) || look_at_kept(look) ||
		look->row.records <= (uint64) sdc_setting_view_records)
		return;
	if (!sdc_rows_attempt(check_rights, look, &error))
	{
		look->stored->answer = SDC_STORED_NOTHING;
		return;
	}
	look->stored->problem = error != NULL ? error : statement(look, "not evaluated");
	look->stored->answer = SDC_STORED_PROBLEM;
}

/* sdc_stored_check: who measures a release tells what is wrong with it, such as that it was dropped just now. */
void
sdc_stored_check(FunctionCallInfo fcinfo, SdcStored *stored)
{
	Look		look = {.schema = sdc_catalogtable_schema(), .stored = stored};
	char	   *error;

	memset(stored, 0, sizeof(SdcStored));
	stored->answer = SDC_STORED_MEASURE;
	if (PG_ARGISNULL(0))
		return;
	look.release = PG_GETARG_OID(0);
	(void) sdc_rows_attempt(decide, &look, &error);
}

/* sdc_stored_kept: nor where the caller may not read all that it was made from. */
Jsonb *
sdc_stored_kept(Oid release, bool only_release)
{
	Oid			schema = sdc_catalogtable_schema();
	SdcKeptEvaluation kept;
	SdcReleaseRow row;

	if (!sdc_catalog_get_visible(schema, release, &row) ||
		!sdc_evaluations_get(schema, release, &kept) || !sdc_evaluations_may_read(&row, &kept) ||
		sdc_evaluations_problem(schema, &row, &kept, false, only_release) != NULL)
		return NULL;
	return kept.measures;
}

/* sdc_stored_part: see stored.h. */
JsonbContainer *
sdc_stored_part(const SdcStored *stored, const char *part)
{
	return stored->measures == NULL ? NULL : sdc_parameters_child(&stored->measures->root, part);
}

/* sdc_stored_row: see stored.h. */
JsonbContainer *
sdc_stored_row(JsonbContainer *part, int index)
{
	JsonbContainer *rows = sdc_parameters_array_of(sdc_parameters_find(part, "rows"));
	JsonbValue *value;

	if (rows == NULL)
		return NULL;
	value = getIthJsonbValueFromContainer(rows, (uint32) index);
	return value == NULL || value->type != jbvBinary ? NULL : value->val.binary.data;
}

/* sdc_stored_setting: see stored.h. */
void
sdc_stored_setting(SdcStored *stored, const char *part, const char *name, double setting)
{
	double		then;

	if (stored->answer != SDC_STORED_SHOW || stored->problem != NULL ||
		!sdc_evaluations_number(sdc_stored_part(stored, part), name, &then) || then == setting)
		return;
	stored->problem = stored->other;
	if (stored->other == NULL)
		stored->answer = SDC_STORED_MEASURE;
}

/* sdc_stored_whole: see stored.h. */
int64
sdc_stored_whole(double value, int64 end)
{
	return value <= 0 ? 0 : value >= (double) end ? end : (int64) value;
}

/* sdc_stored_problem: see stored.h. */
char *
sdc_stored_problem(const SdcStored *stored, const char *part)
{
	return stored->problem != NULL ? stored->problem : sdc_parameters_text(sdc_stored_part(stored, "problems"), part);
}

/* sdc_stored_put_rest: see stored.h. */
void
sdc_stored_put_rest(const SdcStored *stored, const char *problem, Datum *values, bool *nulls)
{
	nulls[0] = problem == NULL;
	values[0] = problem == NULL ? (Datum) 0 : CStringGetTextDatum(problem);
	nulls[1] = stored->answer != SDC_STORED_SHOW;
	values[1] = TimestampTzGetDatum(stored->at);
}

/* sdc_stored_put_problem: see stored.h. */
void
sdc_stored_put_problem(FunctionCallInfo fcinfo, const SdcStored *stored, const char *problem, int before,
					   int columns)
{
	Datum	   *values = palloc0(sizeof(Datum) * columns);
	bool	   *nulls = palloc(sizeof(bool) * columns);

	memset(nulls, true, sizeof(bool) * columns);
	sdc_stored_put_rest(stored, problem, values + before, nulls + before);
	sdc_rows_put(fcinfo, values, nulls);
}

/* sdc_stored_put_answer: see stored.h. */
void
sdc_stored_put_answer(FunctionCallInfo fcinfo, const SdcStored *stored, SdcStoredPut put_kept, SdcStoredPut put_now,
					  int before, int columns)
{
	switch (stored->answer)
	{
		case SDC_STORED_SHOW:
			put_kept(fcinfo, stored);
			break;
		case SDC_STORED_MEASURE:
			put_now(fcinfo, stored);
			break;
		case SDC_STORED_PROBLEM:
			sdc_stored_put_problem(fcinfo, stored, stored->problem, before, columns);
			break;
		case SDC_STORED_NOTHING:
			break;
	}
}
