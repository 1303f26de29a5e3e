/*-------------------------------------------------------------------------
 *
 * label.c
 *		sdc_label: what a release has instead of a value, as a person would write it.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "relation/column/valuelabel.h"
#include "sql/call.h"
#include "utils/builtins.h"

PG_FUNCTION_INFO_V1(sdc_label_range);
PG_FUNCTION_INFO_V1(sdc_label_array);
PG_FUNCTION_INFO_V1(sdc_label_text);

/* separator_of returns the argument that stands between values, or NULL. */
static const char *
separator_of(FunctionCallInfo fcinfo)
{
	return PG_ARGISNULL(1) ? NULL : text_to_cstring(PG_GETARG_TEXT_PP(1));
}

/*
 * sdc_label(value anyrange, separator text) RETURNS text
 *
 * sdc_label_range writes a range.
 */
Datum
sdc_label_range(PG_FUNCTION_ARGS)
{
	RangeType  *range;

	if (PG_ARGISNULL(0))
		PG_RETURN_NULL();
	range = PG_GETARG_RANGE_P(0);
	PG_RETURN_TEXT_P(cstring_to_text(sdc_valuelabel_range(range_get_typcache(fcinfo, RangeTypeGetOid(range)), range,
														  separator_of(fcinfo))));
}

/*
 * sdc_label(value anyarray, separator text) RETURNS text
 *
 * sdc_label_array writes the values of an array.
 */
Datum
sdc_label_array(PG_FUNCTION_ARGS)
{
	if (PG_ARGISNULL(0))
		PG_RETURN_NULL();
	PG_RETURN_TEXT_P(cstring_to_text(sdc_valuelabel_array(PG_GETARG_ARRAYTYPE_P(0), separator_of(fcinfo))));
}

/*
 * sdc_label(value text) RETURNS text
 *
 * sdc_label_text writes a text that no spreadsheet takes for a formula.
 */
Datum
sdc_label_text(PG_FUNCTION_ARGS)
{
	PG_RETURN_TEXT_P(cstring_to_text(sdc_valuelabel_text(text_to_cstring(PG_GETARG_TEXT_PP(0)))));
}
