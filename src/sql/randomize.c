/*-------------------------------------------------------------------------
 *
 * randomize.c
 *		sdc_randomize.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"
#include "sql/args.h"
#include "relation/catalog.h"
#include "method/randomize.h"
#include "sql/forms.h"

PG_FUNCTION_INFO_V1(sdc_randomize_text);
PG_FUNCTION_INFO_V1(sdc_randomize_regclass);
PG_FUNCTION_INFO_V1(sdc_randomize_rows);

enum
{
	ARG_QI = 1, ARG_K, ARG_PROBABILITIES, ARG_COMMON
};

/* read_parameters reads what is asked for. */
static void
read_parameters(FunctionCallInfo fcinfo, SdcProtection *protection)
{
	SdcRandomizing *randomizing = palloc0(sizeof(SdcRandomizing));

	randomizing->qi = sdc_args_qi(fcinfo, ARG_QI);
	randomizing->k = sdc_args_attributes_drawn(fcinfo, ARG_K, list_length(randomizing->qi));
	randomizing->probability = sdc_args_probabilities(fcinfo, ARG_PROBABILITIES,
													  list_length(randomizing->qi));
	if (randomizing->k > 0 && randomizing->probability != NULL)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("arguments \"k\" and \"probabilities\" cannot be used together"),
				 errhint("With \"k\" all sets of k attributes are equally likely.")));
	protection->method = SDC_METHOD_RANDOMIZE;
	protection->arguments = randomizing;
	protection->protect = sdc_randomize_protect;
	protection->unchanged_allowed = randomizing->probability != NULL;
	protection->unchanged_hint = "Use larger strata or a larger k, or leave the column out.";
	protection->request.columns_given = true;
	protection->request.columns = randomizing->qi;
	protection->request.columns_argument = "qi";
	protection->request.numbered = true;
}

/* write_release does the work of the forms that write a release. */
static Datum
write_release(FunctionCallInfo fcinfo, Oid relid)
{
	SdcProtection protection = {0};

	sdc_protection_begin(fcinfo, &protection, relid);
	read_parameters(fcinfo, &protection);
	return sdc_protection_to_table(fcinfo, &protection, ARG_COMMON);
}

/*
 * sdc_randomize(relation text, qi name[], k int, probabilities float8[], target text, key name[],
 *				 strata name[], omit name[], seed "any", replace boolean)
 *		RETURNS TABLE (release regclass, attribute name, action text,
 *					   records bigint, changed bigint)
 */
Datum
sdc_randomize_text(PG_FUNCTION_ARGS)
{
	return write_release(fcinfo, sdc_args_relation_text(fcinfo, 0));
}

/* sdc_randomize(relation regclass, ...): the same for a table's OID */
Datum
sdc_randomize_regclass(PG_FUNCTION_ARGS)
{
	return write_release(fcinfo, sdc_args_relation(fcinfo, 0, "relation"));
}

/*
 * sdc_randomize(row_type anyelement, qi name[], k int, probabilities float8[], key name[],
 *				 strata name[], omit name[], seed "any") RETURNS SETOF anyelement
 */
Datum
sdc_randomize_rows(PG_FUNCTION_ARGS)
{
	SdcProtection protection = {0};

	sdc_protection_begin_rows(fcinfo, &protection);
	read_parameters(fcinfo, &protection);
	return sdc_protection_to_rows(fcinfo, &protection, ARG_COMMON);
}
