/*-------------------------------------------------------------------------
 *
 * rankswap.c
 *		sdc_rankswap, sdc_rankswap_distribution, sdc_rankswap_buckets.
 *
 * Each has a form that takes a table's name, one that takes its OID, and one that
 * takes its row type.  The first two write a release and return what
 * happened to every column; the third returns the protected rows.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "relation/args.h"
#include "relation/protect.h"
#include "sql/rankmethod.h"
#include "utils/builtins.h"
#include "utils/float.h"

PG_FUNCTION_INFO_V1(sdc_rankswap_text);
PG_FUNCTION_INFO_V1(sdc_rankswap_regclass);
PG_FUNCTION_INFO_V1(sdc_rankswap_rows);
PG_FUNCTION_INFO_V1(sdc_rankswap_distribution_text);
PG_FUNCTION_INFO_V1(sdc_rankswap_distribution_regclass);
PG_FUNCTION_INFO_V1(sdc_rankswap_distribution_rows);
PG_FUNCTION_INFO_V1(sdc_rankswap_buckets_text);
PG_FUNCTION_INFO_V1(sdc_rankswap_buckets_regclass);
PG_FUNCTION_INFO_V1(sdc_rankswap_buckets_rows);

/* Arguments of the forms that write a release, then of the row type form. */
enum
{
	ARG_RELATION, ARG_PARAMETER, ARG_COLUMNS, ARG_TARGET, ARG_KEY, ARG_STRATA, ARG_OMIT,
	ARG_SEED, ARG_REPLACE
};
enum
{
	ARG_ROW_KEY = 3, ARG_ROW_STRATA, ARG_ROW_OMIT, ARG_ROW_SEED
};

/* check_bucket_records insists on no more buckets than records. */
static void
check_bucket_records(const SdcProtection *protection, uint64 records)
{
	const SdcRankParameters *parameters = protection->method->parameters;

	if (parameters->buckets > records)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("argument \"buckets\" is larger than the number of records"),
				 errhint("It must be between 1 and " UINT64_FORMAT ".", records)));
}

/* read_arguments reads what both forms have; number[] are its places. */
static void
read_arguments(FunctionCallInfo fcinfo, SdcProtection *protection, SdcRankKind kind,
			   int key, int strata, int omit, int seed)
{
	SdcSourceRequest *request = &protection->request;
	SdcRankParameters *parameters = palloc(sizeof(SdcRankParameters));
	SdcSwapMethod *method = palloc(sizeof(SdcSwapMethod));

	if (kind == SDC_RANK_BUCKETS)
	{
		parameters->buckets = sdc_rankmethod_check_buckets(PG_GETARG_DATUM(ARG_PARAMETER),
														   PG_ARGISNULL(ARG_PARAMETER));
		protection->parameters = psprintf("{\"buckets\": %u}", parameters->buckets);
		protection->check_records = check_bucket_records;
	}
	else
	{
		parameters->percent = sdc_args_check_percent(PG_GETARG_DATUM(ARG_PARAMETER),
													 PG_ARGISNULL(ARG_PARAMETER), "p");
		protection->parameters = psprintf("{\"p\": %s}", float8out_internal(parameters->percent));
	}
	*method = *sdc_rankmethod(kind);
	method->parameters = parameters;
	protection->method = method;

	protection->catalog_schema = sdc_args_extension_schema(fcinfo);
	request->columns_given = sdc_args_names(fcinfo, ARG_COLUMNS, "columns", &request->columns);
	request->key_given = sdc_args_names(fcinfo, key, "key", &request->key);
	(void) sdc_args_names(fcinfo, strata, "strata", &request->strata);
	(void) sdc_args_names(fcinfo, omit, "omit", &request->omit);
	protection->seed = sdc_args_seed(fcinfo, seed);
}

/* return_report returns what happened to every column of the source. */
static void
return_report(FunctionCallInfo fcinfo, const SdcSource *source, Oid release)
{
	ReturnSetInfo *result = (ReturnSetInfo *) fcinfo->resultinfo;

	for (int i = 0; i < source->attribute_count; i++)
	{
		const SdcAttribute *attribute = &source->attributes[i];
		Datum		values[5];
		bool		nulls[5] = {false};

		values[0] = ObjectIdGetDatum(release);
		values[1] = NameGetDatum(&attribute->name);
		values[2] = CStringGetTextDatum(sdc_action_name(attribute->action));
		values[3] = Int64GetDatum((int64) source->records);
		values[4] = Int64GetDatum((int64) attribute->changed);
		nulls[4] = attribute->action == SDC_ACTION_OMITTED;
		tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
	}
}

/* write_release does the work of the forms that write a release. */
static Datum
write_release(FunctionCallInfo fcinfo, SdcRankKind kind, Oid relid)
{
	SdcProtection protection = {0};
	SdcSource  *source;
	Oid			release;

	PreventCommandIfReadOnly("rank swapping into a table");
	InitMaterializedSRF(fcinfo, 0);
	protection.request.relid = relid;
	read_arguments(fcinfo, &protection, kind, ARG_KEY, ARG_STRATA, ARG_OMIT, ARG_SEED);
	if (!PG_ARGISNULL(ARG_TARGET))
		protection.target = text_to_cstring(PG_GETARG_TEXT_PP(ARG_TARGET));
	sdc_args_require(fcinfo, ARG_REPLACE, "replace");
	protection.replace = PG_GETARG_BOOL(ARG_REPLACE);
	source = sdc_protect_to_table(&protection, &release);
	return_report(fcinfo, source, release);
	return (Datum) 0;
}

/* return_rows does the work of the row type form. */
static Datum
return_rows(FunctionCallInfo fcinfo, SdcRankKind kind)
{
	SdcProtection protection = {0};
	ReturnSetInfo *result;

	protection.request.relid = sdc_args_row_type(fcinfo, ARG_RELATION);
	protection.request.keeps_row_type = true;
	InitMaterializedSRF(fcinfo, MAT_SRF_USE_EXPECTED_DESC);
	read_arguments(fcinfo, &protection, kind, ARG_ROW_KEY, ARG_ROW_STRATA, ARG_ROW_OMIT,
				   ARG_ROW_SEED);
	result = (ReturnSetInfo *) fcinfo->resultinfo;
	sdc_protect_to_store(&protection, result->setResult, result->setDesc);
	return (Datum) 0;
}

/*
 * sdc_rankswap(relation text, p float8, columns name[], target text, key name[],
 *				strata name[], omit name[], seed "any", replace boolean)
 *		RETURNS TABLE (release regclass, attribute name, action text,
 *					   records bigint, changed bigint)
 */
Datum
sdc_rankswap_text(PG_FUNCTION_ARGS)
{
	return write_release(fcinfo, SDC_RANK_STANDARD, sdc_args_relation_text(fcinfo, ARG_RELATION));
}

/* sdc_rankswap(relation regclass, ...): the same for a table's OID */
Datum
sdc_rankswap_regclass(PG_FUNCTION_ARGS)
{
	return write_release(fcinfo, SDC_RANK_STANDARD,
						 sdc_args_relation(fcinfo, ARG_RELATION, "relation"));
}

/*
 * sdc_rankswap(row_type anyelement, p float8, columns name[], key name[],
 *				strata name[], omit name[], seed "any") RETURNS SETOF anyelement
 */
Datum
sdc_rankswap_rows(PG_FUNCTION_ARGS)
{
	return return_rows(fcinfo, SDC_RANK_STANDARD);
}

/* sdc_rankswap_distribution(relation text, ...): as sdc_rankswap */
Datum
sdc_rankswap_distribution_text(PG_FUNCTION_ARGS)
{
	return write_release(fcinfo, SDC_RANK_DISTRIBUTION,
						 sdc_args_relation_text(fcinfo, ARG_RELATION));
}

/* sdc_rankswap_distribution(relation regclass, ...) */
Datum
sdc_rankswap_distribution_regclass(PG_FUNCTION_ARGS)
{
	return write_release(fcinfo, SDC_RANK_DISTRIBUTION,
						 sdc_args_relation(fcinfo, ARG_RELATION, "relation"));
}

/* sdc_rankswap_distribution(row_type anyelement, ...) */
Datum
sdc_rankswap_distribution_rows(PG_FUNCTION_ARGS)
{
	return return_rows(fcinfo, SDC_RANK_DISTRIBUTION);
}

/* sdc_rankswap_buckets(relation text, buckets int, ...): as sdc_rankswap */
Datum
sdc_rankswap_buckets_text(PG_FUNCTION_ARGS)
{
	return write_release(fcinfo, SDC_RANK_BUCKETS, sdc_args_relation_text(fcinfo, ARG_RELATION));
}

/* sdc_rankswap_buckets(relation regclass, ...) */
Datum
sdc_rankswap_buckets_regclass(PG_FUNCTION_ARGS)
{
	return write_release(fcinfo, SDC_RANK_BUCKETS,
						 sdc_args_relation(fcinfo, ARG_RELATION, "relation"));
}

/* sdc_rankswap_buckets(row_type anyelement, ...) */
Datum
sdc_rankswap_buckets_rows(PG_FUNCTION_ARGS)
{
	return return_rows(fcinfo, SDC_RANK_BUCKETS);
}
