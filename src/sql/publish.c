/*-------------------------------------------------------------------------
 *
 * publish.c
 *		sdc_publish, sdc_withdraw, and what is below the view sdc_publications.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"
#include "funcapi.h"
#include "publish/intact.h"
#include "publish/publish.h"
#include "publish/publishlog.h"
#include "publish/runs.h"
#include "relation/base/spi.h"
#include "relation/catalog/catalog.h"
#include "relation/catalog/catalogtable.h"
#include "relation/frame/publications.h"
#include "relation/rights/trust.h"
#include "sql/args.h"
#include "sql/plumbing.h"
#include "sql/rows.h"
#include "utils/acl.h"
#include "utils/builtins.h"

PG_FUNCTION_INFO_V1(sdc_publish);
PG_FUNCTION_INFO_V1(sdc_withdraw);

/* flag_argument returns a boolean that must not be null. */
static bool
flag_argument(FunctionCallInfo fcinfo, int number, const char *name)
{
	sdc_args_require(fcinfo, number, name);
	return PG_GETARG_BOOL(number);
}

/* put_published returns the row about what was published. */
static void
put_published(FunctionCallInfo fcinfo, const SdcPublished *published)
{
	Datum		values[5];
	bool		nulls[5] = {false};
	bytea	   *sha256 = palloc(VARHDRSZ + SDC_CONTENTS_BYTES);

	SET_VARSIZE(sha256, VARHDRSZ + SDC_CONTENTS_BYTES);
	memcpy(VARDATA(sha256), published->sha256, SDC_CONTENTS_BYTES);
	values[0] = ObjectIdGetDatum(published->target);
	values[1] = Int64GetDatum((int64) published->records);
	values[2] = sdc_catalog_names_datum(published->columns);
	values[3] = PointerGetDatum(sha256);
	values[4] = Float8GetDatum(published->locked);
	sdc_rows_put(fcinfo, values, nulls);
}

/* read_limit reads how many people may be found. */
static void
read_limit(FunctionCallInfo fcinfo, int number, SdcPublishRequest *request)
{
	request->limited = !PG_ARGISNULL(number);
	if (!request->limited)
		return;
	request->max_people_found = PG_GETARG_FLOAT8(number);
	if (!(request->max_people_found >= 0 && request->max_people_found <= 100))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("argument \"%s\" is out of range", "max_people_found"),
				 errhint("It is a percentage of the people: 0 to 100.")));
}

/* publish makes the public copy of a release, by the arguments of sdc_publish, but for the last two. */
static Datum
publish(FunctionCallInfo fcinfo, SdcPublishRequest request)
{
	SdcPublished published;
	SdcPublished of_units;

	request.catalog_schema = sdc_catalogtable_schema();
	request.release = sdc_args_relation(fcinfo, 0, "release");
	request.target = sdc_args_text(fcinfo, 1, "target");
	(void) sdc_args_names(fcinfo, 2, "keep", &request.keep);
	(void) sdc_args_names(fcinfo, 3, "grant_to", &request.grant_to);
	request.mode = (SdcPublishMode) sdc_args_word(fcinfo, 4, "mode", sdc_publish_modes);
	request.replace = flag_argument(fcinfo, 5, "replace");
	sdc_rows_begin(fcinfo, 0);
	sdc_publish_release(&request, &published, &of_units);
	put_published(fcinfo, &published);
	if (request.units_as != NULL)
		put_published(fcinfo, &of_units);
	return (Datum) 0;
}

/*
 * sdc_publish(release regclass, target text, keep name[], grant_to name[], mode text, replace boolean, force boolean,
 *			   max_people_found float8, keep_units boolean, units_as text)
 *		RETURNS TABLE (target regclass, records bigint, columns name[], sha256 bytea, locked_ms float8)
 *
 * sdc_publish makes the public copy of a release.
 */
Datum
sdc_publish(PG_FUNCTION_ARGS)
{
	SdcPublishRequest request = {0};

	sdc_runs_require_own_hand("sdc_publish");
	request.force = flag_argument(fcinfo, 6, "force");
	request.keep_units = flag_argument(fcinfo, 8, "keep_units");
	if (!PG_ARGISNULL(9))
		request.units_as = sdc_args_text(fcinfo, 9, "units_as");
	read_limit(fcinfo, 7, &request);
	return publish(fcinfo, request);
}

/*
 * sdc_private.publish has the same arguments, and in the place of the last two whether a run was approved, and the mark
 * of the evaluation that it has made: runs and approvals publish by it.
 */
SDC_PLUMBING(publish)
{
	return publish(fcinfo, (SdcPublishRequest) {
		.approved = flag_argument(fcinfo, 6, "approved"), .evaluation = sdc_args_text(fcinfo, 7, "evaluation"),
		.keep_units = flag_argument(fcinfo, 8, "keep_units"),
		.units_as = PG_ARGISNULL(9) ? NULL : sdc_args_text(fcinfo, 9, "units_as")
	});
}

/*
 * sdc_withdraw(target regclass, why text) RETURNS void
 *
 * sdc_withdraw drops a publication.
 */
Datum
sdc_withdraw(PG_FUNCTION_ARGS)
{
	Oid			target = sdc_args_relation(fcinfo, 0, "target");

	const char *why = sdc_args_text(fcinfo, 1, "why");
	const char *name = sdc_spi_relation_name(target);
	Oid			owner = sdc_trust_owner(target);

	sdc_runs_require_own_hand("sdc_withdraw");
	sdc_publish_withdraw(sdc_catalogtable_schema(), target, why);
	sdc_publishlog_withdrawn(sdc_catalogtable_schema(), name, owner, why);
	PG_RETURN_VOID();
}

/*
 * sdc_private.publication_problem(publication regclass, owner name, readers name[])
 *		RETURNS TABLE (problem text, other_columns boolean)
 */
SDC_PLUMBING(publication_problem)
{
	List	   *readers = NIL;
	bool		other_columns;
	char	   *problem;

	(void) sdc_args_names(fcinfo, 2, "readers", &readers);
	sdc_rows_begin(fcinfo, 0);
	problem = sdc_intact_problem(sdc_catalogtable_schema(), sdc_args_relation(fcinfo, 0, "publication"),
								 PG_ARGISNULL(1) ? InvalidOid : get_role_oid(NameStr(*PG_GETARG_NAME(1)), true),
								 readers, &other_columns);
	if (problem != NULL)
	{
		Datum		values[2] = {CStringGetTextDatum(problem), BoolGetDatum(other_columns)};
		bool		nulls[2] = {false};

		sdc_rows_put(fcinfo, values, nulls);
	}
	return (Datum) 0;
}

/*
 * sdc_private.drop_publication(publication regclass) RETURNS void
 */
SDC_PLUMBING(drop_publication)
{
	sdc_publish_withdraw(sdc_catalogtable_schema(), sdc_args_relation(fcinfo, 0, "publication"), "a run publishes it anew");
	PG_RETURN_VOID();
}

/* The columns of the view, in its order; behind them comes the accuracy table. */
static const SdcPublicationColumn shown[] = {
	SDC_PUBLICATION_TABLE, SDC_PUBLICATION_RELEASE, SDC_PUBLICATION_MODE, SDC_PUBLICATION_COLUMNS, SDC_PUBLICATION_KEPT,
	SDC_PUBLICATION_RECORDS, SDC_PUBLICATION_SHA256, SDC_PUBLICATION_FORCED, SDC_PUBLICATION_PUBLISHED_BY,
	SDC_PUBLICATION_PUBLISHED_AT
};

/* show_row adds a row to the result: SdcPublicationVisit. */
static void
show_row(void *arg, Datum *values, bool *nulls)
{
	Oid			accuracy = sdc_publications_accuracy(sdc_catalogtable_schema(),
													 DatumGetObjectId(values[SDC_PUBLICATION_TABLE - 1]));
	Datum		row[lengthof(shown) + 1];
	bool		row_nulls[lengthof(shown) + 1];

	row[lengthof(shown)] = ObjectIdGetDatum(accuracy);
	row_nulls[lengthof(shown)] = !OidIsValid(accuracy);
	for (int i = 0; i < (int) lengthof(shown); i++)
	{
		row[i] = values[shown[i] - 1];
		row_nulls[i] = nulls[shown[i] - 1];
	}
	sdc_rows_put(arg, row, row_nulls);
}

/*
 * sdc_private.publications() RETURNS SETOF record
 *
 * sdc_private.publications returns what is known of the publications that the caller may know of.
 */
SDC_PLUMBING(publications)
{
	sdc_rows_begin(fcinfo, 0);
	sdc_publications_visit(sdc_catalogtable_schema(), show_row, fcinfo);
	return (Datum) 0;
}
