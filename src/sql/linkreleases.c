/*-------------------------------------------------------------------------
 *
 * linkreleases.c
 *		sdc_link_releases, sdc_compare_releases, and below limits: what several releases of a table tell together.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "catalog/pg_type.h"
#include "fmgr.h"
#include "funcapi.h"
#include "measure/attack/composition.h"
#include "measure/attack/historyrisk.h"
#include "relation/catalog/catalogtable.h"
#include "sql/args.h"
#include "sql/plumbing.h"
#include "sql/releaseargs.h"
#include "sql/rows.h"
#include "utils/array.h"
#include "utils/builtins.h"

PG_FUNCTION_INFO_V1(sdc_link_releases);
PG_FUNCTION_INFO_V1(sdc_compare_releases);

/* More releases than anybody keeps: more are a mistake. */
#define MAX_RELEASES 10000

/* read_relations reads an argument of type regclass[]; the relations are looked up later. */
static Oid *
read_relations(FunctionCallInfo fcinfo, int number, const char *name, int *count)
{
	ArrayType  *array = PG_GETARG_ARRAYTYPE_P(number);
	Datum	   *elements;
	bool	   *nulls;
	Oid		   *relation;

	if (ARR_NDIM(array) > 1)
		ereport(ERROR,
				(errcode(ERRCODE_ARRAY_SUBSCRIPT_ERROR),
				 errmsg("argument \"%s\" must be a one-dimensional array of relations", name)));
	if (ArrayGetNItems(ARR_NDIM(array), ARR_DIMS(array)) > MAX_RELEASES)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("argument \"%s\" names more than %d relations", name, MAX_RELEASES)));
	deconstruct_array(array, REGCLASSOID, sizeof(Oid), true, TYPALIGN_INT, &elements, &nulls, count);
	relation = palloc(sizeof(Oid) * Max(*count, 1));
	for (int i = 0; i < *count; i++)
	{
		if (nulls[i])
			ereport(ERROR,
					(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
					 errmsg("argument \"%s\" must not contain nulls", name)));
		relation[i] = DatumGetObjectId(elements[i]);
	}
	return relation;
}

/* read_sources reads the argument sources: none, one for all releases, or one for each. */
static void
read_sources(FunctionCallInfo fcinfo, int number, SdcHistoryRequest *request)
{
	if (PG_ARGISNULL(number))
		return;
	request->source = read_relations(fcinfo, number, "sources", &request->sources);
	if (request->sources != 1 && request->sources != request->releases)
		ereport(ERROR,
				(errcode(ERRCODE_ARRAY_SUBSCRIPT_ERROR),
				 errmsg("argument \"sources\" has the wrong length"),
				 errhint("Name one source for each of the %d releases, or one for all.", request->releases)));
}

/* check_releases insists on releases that are named once each. */
static void
check_releases(const SdcHistoryRequest *request)
{
	for (int i = 0; i < request->releases; i++)
		for (int j = 0; j < i; j++)
			if (request->release[i] == request->release[j])
				ereport(ERROR,
						(errcode(ERRCODE_DUPLICATE_OBJECT),
						 errmsg("a release is named twice"),
						 errhint("A release that is published again without a change tells nothing new: leave it out.")));
}

/* read_releases reads the argument releases. */
static void
read_releases(FunctionCallInfo fcinfo, SdcHistoryRequest *request)
{
	sdc_args_require(fcinfo, 0, "releases");
	request->release = read_relations(fcinfo, 0, "releases", &request->releases);
	if (request->releases == 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("argument \"releases\" must name at least one release"),
				 errhint("Name them in the order in which they were published.")));
	check_releases(request);
}

/* put_number fills in a number that may not be there. */
static void
put_number(Datum *values, bool *nulls, int column, double number)
{
	values[column] = Float8GetDatum(number);
	nulls[column] = isnan(number);
}

/* put_attack returns (attack, release, targets, percent, candidates, inside, guess, error, wrong). */
static void
put_attack(void *arg, const SdcHistoryRow *row)
{
	Datum		values[9];
	bool		nulls[9] = {false};

	values[0] = CStringGetTextDatum(row->attack);
	values[1] = ObjectIdGetDatum(row->release);
	nulls[1] = !OidIsValid(row->release);
	values[2] = Int64GetDatum((int64) row->targets);
	put_number(values, nulls, 3, row->percent);
	put_number(values, nulls, 4, row->candidates);
	put_number(values, nulls, 5, row->inside);
	put_number(values, nulls, 6, row->guess);
	put_number(values, nulls, 7, row->error);
	put_number(values, nulls, 8, row->wrong);
	sdc_rows_put(arg, values, nulls);
}

/*
 * sdc_link_releases(releases regclass[], known name[], sources regclass[], p float8, sensitive name[])
 *		RETURNS TABLE (attack text, release regclass, targets bigint, percent float8,
 *					   candidates float8, inside float8, guess float8, error float8, wrong float8)
 */
Datum
sdc_link_releases(PG_FUNCTION_ARGS)
{
	SdcHistoryRequest request = {.catalog_schema = sdc_catalogtable_schema()};

	read_releases(fcinfo, &request);
	request.known_given = sdc_args_names(fcinfo, 1, "known", &request.known);
	read_sources(fcinfo, 2, &request);
	request.p = sdc_args_percent(fcinfo, 3);
	request.sensitive = sdc_args_sensitive(fcinfo, 4);
	sdc_rows_begin(fcinfo, 0);
	sdc_historyrisk_link(&request, put_attack, fcinfo);
	return (Datum) 0;
}

/*
 * put_difference returns (attribute, side, appeared, vanished, cells, exposed, guess, holders,
 * partners_exposed, partners_guess).
 */
static void
put_difference(void *arg, const SdcDifferenceRow *row)
{
	Datum		values[10];
	bool		nulls[10] = {false};
	NameData	name;

	nulls[0] = row->attribute == NULL;
	if (row->attribute != NULL)
		namestrcpy(&name, row->attribute);
	values[0] = NameGetDatum(&name);
	values[1] = CStringGetTextDatum(row->side);
	values[2] = Int64GetDatum((int64) row->appeared);
	values[3] = Int64GetDatum((int64) row->vanished);
	values[4] = Int64GetDatum((int64) row->cells);
	values[5] = Int64GetDatum((int64) row->exposed);
	values[6] = Float8GetDatum(row->guess);
	values[7] = Int64GetDatum((int64) row->holders);
	values[8] = Int64GetDatum((int64) row->partners_exposed);
	values[9] = Float8GetDatum(row->partners_guess);
	nulls[7] = nulls[8] = nulls[9] = !row->has_holders;
	sdc_rows_put(arg, values, nulls);
}

/*
 * sdc_compare_releases(before regclass, after regclass, known name[], sources regclass[], linkable boolean, p float8)
 *		RETURNS TABLE (attribute name, side text, appeared bigint, vanished bigint, cells bigint,
 *					   exposed bigint, guess float8, holders bigint, partners_exposed bigint,
 *					   partners_guess float8)
 */
Datum
sdc_compare_releases(PG_FUNCTION_ARGS)
{
	SdcHistoryRequest request = {.catalog_schema = sdc_catalogtable_schema(), .releases = 2};
	Oid			release[2];

	release[0] = sdc_args_relation(fcinfo, 0, "before");
	release[1] = sdc_args_relation(fcinfo, 1, "after");
	request.release = release;
	check_releases(&request);
	request.known_given = sdc_args_names(fcinfo, 2, "known", &request.known);
	read_sources(fcinfo, 3, &request);
	sdc_args_require(fcinfo, 4, "linkable");
	request.p = sdc_args_percent(fcinfo, 5);
	sdc_rows_begin(fcinfo, 0);
	sdc_historyrisk_compare(&request, PG_GETARG_BOOL(4), put_difference, fcinfo);
	return (Datum) 0;
}

/*
 * sdc_private.composition(releases regclass[], known name[], sample bigint, seed_text text)
 *		RETURNS TABLE (composed_people_found float8, exposed float8)
 */
SDC_PLUMBING(composition)
{
	SdcHistoryRequest request = {.catalog_schema = sdc_catalogtable_schema(), .by_last = true};
	SdcSampleRequest sample;
	SdcComposition found;
	Datum		values[2];
	bool		nulls[2];

	read_releases(fcinfo, &request);
	request.known_given = sdc_args_names(fcinfo, 1, "known", &request.known);
	sdc_evaluation_args_sample(fcinfo, 2, 3, &sample);
	sdc_rows_begin(fcinfo, 0);
	sdc_composition_measure(&request, &sample, &found);
	put_number(values, nulls, 0, found.people_found);
	put_number(values, nulls, 1, found.exposed);
	sdc_rows_put(fcinfo, values, nulls);
	return (Datum) 0;
}
