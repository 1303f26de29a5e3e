/*-------------------------------------------------------------------------
 *
 * binswap.c
 *		sdc_equidepth_swap and sdc_equiwidth_swap.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"
#include "lib/stringinfo.h"
#include "sql/args.h"
#include "method/binswap.h"
#include "relation/catalog.h"
#include "sql/binargs.h"
#include "sql/forms.h"
#include "utils/builtins.h"
#include "utils/float.h"
#include "utils/json.h"

PG_FUNCTION_INFO_V1(sdc_equidepth_swap_text);
PG_FUNCTION_INFO_V1(sdc_equidepth_swap_regclass);
PG_FUNCTION_INFO_V1(sdc_equidepth_swap_rows);
PG_FUNCTION_INFO_V1(sdc_equiwidth_swap_text);
PG_FUNCTION_INFO_V1(sdc_equiwidth_swap_regclass);
PG_FUNCTION_INFO_V1(sdc_equiwidth_swap_rows);

/* The arguments in front of those that all methods have. */
enum
{
	ARG_K = 1, ARG_DEPTH_COMPLEMENT, ARG_DEPTH_COLUMNS, ARG_DEPTH_COMMON
};
enum
{
	ARG_INTERVALS = 1, ARG_WIDTH, ARG_WIDTH_COMPLEMENT, ARG_WIDTH_COLUMNS, ARG_WIDTH_COMMON
};

/* check_depth_records insists on no larger k than there are records. */
static void
check_depth_records(const SdcProtection *protection, uint64 records)
{
	sdc_bins_check_k(((const SdcBinRequest *) protection->arguments)->k, records);
}

/* read_complement reads what happens to the columns that are not in the swapping set. */
static bool
read_complement(FunctionCallInfo fcinfo, int number)
{
	char	   *complement;

	sdc_args_require(fcinfo, number, "complement");
	complement = text_to_cstring(PG_GETARG_TEXT_PP(number));
	if (strcmp(complement, "copy") != 0 && strcmp(complement, "swap") != 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("argument \"complement\" is not known"),
				 errhint("It is copy or swap.")));
	return strcmp(complement, "swap") == 0;
}

/* begin_request starts what both methods have. */
static SdcBinRequest *
begin_request(FunctionCallInfo fcinfo, SdcProtection *protection, SdcBinKind kind,
			  int complement, int columns)
{
	SdcBinRequest *request = palloc0(sizeof(SdcBinRequest));
	bool		swap = read_complement(fcinfo, complement);

	request->kind = kind;
	protection->request.complement = swap;
	protection->request.columns_given = sdc_args_names(fcinfo, columns, "columns",
													   &protection->request.columns);
	request->columns = protection->request.columns;
	protection->method = kind == SDC_BIN_EQUIDEPTH ? SDC_METHOD_EQUIDEPTH : SDC_METHOD_EQUIWIDTH;
	protection->arguments = request;
	protection->check_plan = sdc_binswap_check;
	protection->protect = sdc_binswap_protect;
	protection->unchanged_hint = kind == SDC_BIN_EQUIDEPTH ? "Use a larger k." :
		"Use fewer intervals or larger widths.";
	return request;
}

/* describe closes the parameters for the catalog. */
static char *
describe(StringInfo json, const SdcProtection *protection)
{
	if (protection->request.complement)
		appendStringInfoString(json, ", \"complement\": \"swap\"");
	appendStringInfoChar(json, '}');
	return json->data;
}

/* read_depth reads the arguments of sdc_equidepth_swap. */
static void
read_depth(FunctionCallInfo fcinfo, SdcProtection *protection)
{
	SdcBinRequest *request = begin_request(fcinfo, protection, SDC_BIN_EQUIDEPTH,
										   ARG_DEPTH_COMPLEMENT, ARG_DEPTH_COLUMNS);
	StringInfoData json;

	request->k = sdc_binargs_k(fcinfo, ARG_K);
	protection->check_records = check_depth_records;
	initStringInfo(&json);
	appendStringInfo(&json, "{\"k\": %u", request->k);
	protection->parameters = describe(&json, protection);
}

/* read_width reads the arguments of sdc_equiwidth_swap. */
static void
read_width(FunctionCallInfo fcinfo, SdcProtection *protection)
{
	SdcBinRequest *request = begin_request(fcinfo, protection, SDC_BIN_EQUIWIDTH,
										   ARG_WIDTH_COMPLEMENT, ARG_WIDTH_COLUMNS);
	StringInfoData json;

	request->intervals = sdc_binargs_intervals(fcinfo, ARG_INTERVALS);
	initStringInfo(&json);
	if (PG_ARGISNULL(ARG_WIDTH))
		appendStringInfo(&json, "{\"intervals\": %u", request->intervals);
	else
	{
		sdc_binargs_widths(fcinfo, ARG_WIDTH, request);
		appendStringInfoString(&json, "{\"width\": {");
		for (int i = 0; i < request->widths; i++)
		{
			if (i > 0)
				appendStringInfoString(&json, ", ");
			escape_json(&json, list_nth(request->columns, i));
			appendStringInfo(&json, ": %s", float8out_internal(request->width[i]));
		}
		appendStringInfoChar(&json, '}');
		if (protection->request.complement)
			appendStringInfo(&json, ", \"intervals\": %u", request->intervals);
	}
	protection->parameters = describe(&json, protection);
}

/* swap_to_table does the work of the forms that write a release. */
static Datum
swap_to_table(FunctionCallInfo fcinfo, SdcBinKind kind, Oid relid)
{
	SdcProtection protection = {0};

	sdc_protection_begin(fcinfo, &protection, relid);
	if (kind == SDC_BIN_EQUIDEPTH)
		read_depth(fcinfo, &protection);
	else
		read_width(fcinfo, &protection);
	return sdc_protection_to_table(fcinfo, &protection, kind == SDC_BIN_EQUIDEPTH ?
								   ARG_DEPTH_COMMON : ARG_WIDTH_COMMON);
}

/* swap_to_rows does the work of the row type form. */
static Datum
swap_to_rows(FunctionCallInfo fcinfo, SdcBinKind kind)
{
	SdcProtection protection = {0};

	sdc_protection_begin_rows(fcinfo, &protection);
	if (kind == SDC_BIN_EQUIDEPTH)
		read_depth(fcinfo, &protection);
	else
		read_width(fcinfo, &protection);
	return sdc_protection_to_rows(fcinfo, &protection, kind == SDC_BIN_EQUIDEPTH ?
								  ARG_DEPTH_COMMON : ARG_WIDTH_COMMON);
}

/*
 * sdc_equidepth_swap(relation text, k int, complement text, columns name[], target text, key name[],
 *					  strata name[], omit name[], seed "any", replace boolean)
 *		RETURNS TABLE (release regclass, attribute name, action text, records bigint,
 *					   changed bigint, bins bigint, single_bins bigint)
 */
Datum
sdc_equidepth_swap_text(PG_FUNCTION_ARGS)
{
	return swap_to_table(fcinfo, SDC_BIN_EQUIDEPTH, sdc_args_relation_text(fcinfo, 0));
}

/* sdc_equidepth_swap(relation regclass, ...): the same for a table's OID */
Datum
sdc_equidepth_swap_regclass(PG_FUNCTION_ARGS)
{
	return swap_to_table(fcinfo, SDC_BIN_EQUIDEPTH, sdc_args_relation(fcinfo, 0, "relation"));
}

/*
 * sdc_equidepth_swap(row_type anyelement, k int, complement text, columns name[], key name[],
 *					  strata name[], omit name[], seed "any") RETURNS SETOF anyelement
 */
Datum
sdc_equidepth_swap_rows(PG_FUNCTION_ARGS)
{
	return swap_to_rows(fcinfo, SDC_BIN_EQUIDEPTH);
}

/*
 * sdc_equiwidth_swap(relation text, intervals int, width float8[], complement text, columns name[],
 *					  target text, key name[], strata name[], omit name[], seed "any",
 *					  replace boolean)
 *		RETURNS TABLE (release regclass, attribute name, action text, records bigint,
 *					   changed bigint, bins bigint, single_bins bigint)
 */
Datum
sdc_equiwidth_swap_text(PG_FUNCTION_ARGS)
{
	return swap_to_table(fcinfo, SDC_BIN_EQUIWIDTH, sdc_args_relation_text(fcinfo, 0));
}

/* sdc_equiwidth_swap(relation regclass, ...): the same for a table's OID */
Datum
sdc_equiwidth_swap_regclass(PG_FUNCTION_ARGS)
{
	return swap_to_table(fcinfo, SDC_BIN_EQUIWIDTH, sdc_args_relation(fcinfo, 0, "relation"));
}

/*
 * sdc_equiwidth_swap(row_type anyelement, intervals int, width float8[], complement text,
 *					  columns name[], key name[], strata name[], omit name[], seed "any")
 *		RETURNS SETOF anyelement
 */
Datum
sdc_equiwidth_swap_rows(PG_FUNCTION_ARGS)
{
	return swap_to_rows(fcinfo, SDC_BIN_EQUIWIDTH);
}
