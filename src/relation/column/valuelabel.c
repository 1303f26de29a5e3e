/*-------------------------------------------------------------------------
 *
 * valuelabel.c
 *		Ranges, sets and texts as a person would write them, for files.
 *
 * What begins like a formula gets an apostrophe in front: a spreadsheet that opens the file would compute it.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "lib/stringinfo.h"
#include "mb/pg_wchar.h"
#include "relation/column/valuelabel.h"
#include "utils/date.h"
#include "utils/lsyscache.h"

#define NOTHING "none"
#define MISSING "missing"

/* The characters of full width that some spreadsheets take for = + - @, in UTF-8. */
static const char *const wide[] = {"\xEF\xBC\x9D", "\xEF\xBC\x8B", "\xEF\xBC\x8D", "\xEF\xBC\xA0"};

/* is_number tells whether a text is a decimal number, without a plus. */
static bool
is_number(const char *text)
{
	size_t		digits;

	text += *text == '-';
	digits = strspn(text, "0123456789");
	text += digits;
	if (digits > 0 && *text == '.')
	{
		digits = strspn(text + 1, "0123456789");
		text += 1 + digits;
	}
	return digits > 0 && *text == '\0';
}

/* is_formula tells whether a spreadsheet may take a text for a formula. */
static bool
is_formula(const char *text)
{
	if (*text == '\0' || is_number(text))
		return false;
	if (strchr("=+-@\t\r\n", *text) != NULL)
		return true;
	for (int i = 0; i < (int) lengthof(wide); i++)
		if (GetDatabaseEncoding() == PG_UTF8 && strncmp(text, wide[i], strlen(wide[i])) == 0)
			return true;
	return false;
}

/* sdc_valuelabel_text: see valuelabel.h. */
char *
sdc_valuelabel_text(const char *text)
{
	return psprintf("%s%s", is_formula(text) ? "'" : "", text);
}

/* include turns an excluded end of whole numbers or days into an included one. */
static void
include(Oid subtype, RangeBound *bound)
{
	int			step = bound->lower ? 1 : -1;

	if (bound->infinite || bound->inclusive)
		return;
	if (subtype == INT4OID && DatumGetInt32(bound->val) != (bound->lower ? PG_INT32_MAX : PG_INT32_MIN))
		bound->val = Int32GetDatum(DatumGetInt32(bound->val) + step);
	else if (subtype == INT8OID && DatumGetInt64(bound->val) != (bound->lower ? PG_INT64_MAX : PG_INT64_MIN))
		bound->val = Int64GetDatum(DatumGetInt64(bound->val) + step);
	else if (subtype == DATEOID && !DATE_NOT_FINITE(DatumGetDateADT(bound->val)))
		bound->val = DateADTGetDatum(DatumGetDateADT(bound->val) + step);
	else
		return;
	bound->inclusive = true;
}

/* value_text writes a value as its type does. */
static char *
value_text(Oid type, Datum value)
{
	Oid			output;
	bool		varlena;

	getTypeOutputInfo(type, &output, &varlena);
	return OidOutputFunctionCall(output, value);
}

/* is_span tells whether both ends are included, and begin with a digit: then a hyphen between them is clear. */
static bool
is_span(Oid subtype, const RangeBound *lower, const char *first, const RangeBound *upper, const char *last)
{
	char		category;
	bool		preferred;

	get_type_category_preferred(subtype, &category, &preferred);
	return category == TYPCATEGORY_NUMERIC && lower->inclusive && upper->inclusive &&
		first[0] >= '0' && first[0] <= '9' && last[0] >= '0' && last[0] <= '9';
}

/* two_ends writes a range that has both ends. */
static char *
two_ends(Oid subtype, const RangeBound *lower, const RangeBound *upper, bool timed, const char *separator)
{
	char	   *first = value_text(subtype, lower->val);
	char	   *last = value_text(subtype, upper->val);
	const char *before = "";

	if (separator == NULL)
		separator = is_span(subtype, lower, first, upper, last) ? "-" : " to ";
	if (!lower->inclusive)
		before = timed ? "after " : "above ";
	else if (first[0] == '-')
		before = "from ";		/* or it would begin like a formula */
	return psprintf("%s%s%s%s%s", before, first, separator,
					upper->inclusive ? "" : timed ? "before " : "below ", last);
}

/* is_one tells whether a range has one value only. */
static bool
is_one(TypeCacheEntry *type, const RangeBound *lower, const RangeBound *upper)
{
	return lower->inclusive && upper->inclusive &&
		DatumGetInt32(FunctionCall2Coll(&type->rng_cmp_proc_finfo, type->rng_collation, lower->val, upper->val)) == 0;
}

/* sdc_valuelabel_range: see valuelabel.h. */
char *
sdc_valuelabel_range(TypeCacheEntry *type, const RangeType *range, const char *separator)
{
	Oid			subtype = type->rngelemtype->type_id;
	RangeBound	lower;
	RangeBound	upper;
	bool		empty;
	char		category;
	bool		preferred;
	bool		timed;

	range_deserialize(type, range, &lower, &upper, &empty);
	if (empty)
		return pstrdup(NOTHING);
	subtype = getBaseType(subtype);
	get_type_category_preferred(subtype, &category, &preferred);
	timed = category == TYPCATEGORY_DATETIME;
	include(subtype, &lower);
	include(subtype, &upper);
	if (lower.infinite && upper.infinite)
		return pstrdup("any");
	if (lower.infinite)
		return psprintf("%s %s", upper.inclusive ? "up to" : timed ? "before" : "below", value_text(subtype, upper.val));
	if (upper.infinite)
		return psprintf("%s %s", lower.inclusive ? "from" : timed ? "after" : "above", value_text(subtype, lower.val));
	if (is_one(type, &lower, &upper))
		return sdc_valuelabel_text(value_text(subtype, lower.val));
	return sdc_valuelabel_text(two_ends(subtype, &lower, &upper, timed, separator));
}

/* sdc_valuelabel_array: see valuelabel.h. */
char *
sdc_valuelabel_array(ArrayType *array, const char *separator)
{
	Oid			type = ARR_ELEMTYPE(array);
	StringInfoData label;
	Datum	   *values;
	bool	   *nulls;
	int			count;
	int16		length;
	bool		by_value;
	char		align;

	get_typlenbyvalalign(type, &length, &by_value, &align);
	deconstruct_array(array, type, length, by_value, align, &values, &nulls, &count);
	if (count == 0)
		return pstrdup(NOTHING);
	initStringInfo(&label);
	for (int i = 0; i < count; i++)
	{
		if (i > 0)
			appendStringInfoString(&label, separator != NULL ? separator : i == count - 1 ? " or " : ", ");
		appendStringInfoString(&label, nulls[i] ? MISSING : value_text(type, values[i]));
	}
	return sdc_valuelabel_text(label.data);
}
