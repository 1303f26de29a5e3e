/*-------------------------------------------------------------------------
 *
 * rulevalue.c
 *		What a rule makes of a value.
 *
 * Ranges of numbers are reckoned in decimal numbers, of floats by their shortest ones; of whole numbers, where all of
 * a rule are whole, in integers.  NaN and infinities stay what they are: as ranges, those of one value.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "catalog/pg_type.h"
#include "kernel/base/kernel_env.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "relation/base/compat.h"
#include "relation/column/rangevalue.h"
#include "relation/read/missing.h"
#include "relation/recode/labeltable.h"
#include "relation/recode/rulevalue.h"
#include "utils/builtins.h"
#include "utils/date.h"
#include "utils/datetime.h"
#include "utils/guc.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/rangetypes.h"
#include "utils/timestamp.h"

#define ADD(a, b) DirectFunctionCall2(numeric_add, a, b)
#define SUBTRACT(a, b) DirectFunctionCall2(numeric_sub, a, b)
#define MULTIPLY(a, b) DirectFunctionCall2(numeric_mul, a, b)
#define ORDER(a, b) DatumGetInt32(DirectFunctionCall2(numeric_cmp, a, b))

/* The ends of a range: the lower one is in it, the upper one is not. */
typedef struct Ends
{
	bool		has_lower;
	bool		has_upper;
	Datum		lower;
	Datum		upper;
} Ends;

/* sdc_rulevalue_is_finite: see rulevalue.h. */
bool
sdc_rulevalue_is_finite(const SdcType *type, Datum value)
{
	switch (type->base)
	{
		case FLOAT4OID:
			return isfinite(DatumGetFloat4(value));
		case FLOAT8OID:
			return isfinite(DatumGetFloat8(value));
		case NUMERICOID:
			return !numeric_is_nan(DatumGetNumeric(value)) && !numeric_is_inf(DatumGetNumeric(value));
		case DATEOID:
			return !DATE_NOT_FINITE(DatumGetDateADT(value));
		case TIMESTAMPOID:
		case TIMESTAMPTZOID:
			return !TIMESTAMP_NOT_FINITE(DatumGetTimestamp(value));
		default:
			return true;
	}
}

/* range_of makes a range. */
static Datum
range_of(const SdcRule *rule, const Ends *ends)
{
	RangeBound	lower = {ends->lower, !ends->has_lower, true, true};
	RangeBound	upper = {ends->upper, !ends->has_upper, false, false};

	return RangeTypePGetDatum(sdc_make_range(rule->range, &lower, &upper));
}

/* ------------------------------------------------------------------------
 * Numbers
 * ------------------------------------------------------------------------
 */

/* whole_end is an end as the ranges of a type of whole numbers have it; false: all values are on one side of it. */
static bool
whole_end(const SdcRule *rule, int128 end, Datum *datum)
{
	bool		small = rule->release_type == INT4RANGEOID || rule->type.base == INT4OID || rule->type.base == INT2OID;
	int128		largest = small ? PG_INT32_MAX : PG_INT64_MAX;
	int128		smallest = small ? PG_INT32_MIN : PG_INT64_MIN;

	if (end > largest || end < smallest)
		return false;
	*datum = small ? Int32GetDatum((int32) end) : Int64GetDatum((int64) end);
	return true;
}

/* whole_ends finds the range of a whole number, where the rule has whole numbers. */
static void
whole_ends(const SdcRule *rule, int level, int64 value, Ends *ends)
{
	int128		origin = rule->whole_origin;
	int128		width = rule->whole_width[level];
	int128		above = ((int128) value - origin) % width;
	int128		lower = (int128) value - (above < 0 ? above + width : above);
	int128		upper = lower + width;
	bool		below_bottom = rule->bottom != NULL && value < rule->whole_bottom;
	bool		at_top = rule->top != NULL && value >= rule->whole_top;

	if (at_top || (rule->top != NULL && !below_bottom && upper > rule->whole_top))
		upper = rule->whole_top;
	if (at_top)
		lower = upper;
	if (below_bottom)
		upper = rule->whole_bottom;
	else if (rule->bottom != NULL && lower < rule->whole_bottom && !at_top)
		lower = rule->whole_bottom;
	ends->has_lower = !below_bottom && whole_end(rule, lower, &ends->lower);
	ends->has_upper = !at_top && whole_end(rule, upper, &ends->upper);
}

/* start_of finds where the range of a number begins: at the last multiple of the width up to it, from the origin. */
static Datum
start_of(const SdcRule *rule, int level, Datum number)
{
	Datum		width = NumericGetDatum(rule->width[level]);
	Datum		rest = SUBTRACT(number, NumericGetDatum(rule->origin));
	Datum		times = DirectFunctionCall2(numeric_div_trunc, rest, width);

	/* it was cut towards 0 */
	if (ORDER(MULTIPLY(times, width), rest) > 0)
		times = SUBTRACT(times, NumericGetDatum(int64_to_numeric(1)));
	return ADD(NumericGetDatum(rule->origin), MULTIPLY(times, width));
}

/* numeric_ends finds the range of a decimal number. */
static void
numeric_ends(const SdcRule *rule, int level, Datum number, Ends *ends)
{
	Datum		bottom = NumericGetDatum(rule->bottom);
	Datum		top = NumericGetDatum(rule->top);

	*ends = (Ends) {true, true, 0, 0};
	if (rule->top != NULL && ORDER(number, top) >= 0)
	{
		ends->lower = top;
		ends->has_upper = false;
		return;
	}
	if (rule->bottom != NULL && ORDER(number, bottom) < 0)
	{
		ends->upper = bottom;
		ends->has_lower = false;
		return;
	}
	ends->lower = start_of(rule, level, number);
	ends->upper = ADD(ends->lower, NumericGetDatum(rule->width[level]));
	if (rule->bottom != NULL && ORDER(ends->lower, bottom) < 0)
		ends->lower = bottom;
	if (rule->top != NULL && ORDER(ends->upper, top) > 0)
		ends->upper = top;
}

/* round_up turns an end that is a decimal number into one of a range of whole numbers: the next one. */
static bool
round_up(const SdcRule *rule, Datum *end)
{
	Datum		next = DirectFunctionCall1(numeric_ceil, *end);

	/* beyond all integers, and then beyond those of the type */
	if (ORDER(next, NumericGetDatum(int64_to_numeric(PG_INT64_MAX))) > 0 ||
		ORDER(next, NumericGetDatum(int64_to_numeric(PG_INT64_MIN))) < 0)
		return false;
	return whole_end(rule, DatumGetInt64(DirectFunctionCall1(numeric_int8, next)), end);
}

/* number_ends finds the range of a number. */
static void
number_ends(const SdcRule *rule, int level, Datum value, Ends *ends)
{
	if (sdc_type_is_integer(rule->type.base) && rule->whole)
	{
		whole_ends(rule, level, sdc_type_word(&rule->type, value), ends);
		return;
	}
	numeric_ends(rule, level, sdc_rangevalue_of(rule->type.base, value, NUMERICOID), ends);
	if (!sdc_type_is_integer(rule->type.base))
		return;
	ends->has_lower = ends->has_lower && round_up(rule, &ends->lower);
	ends->has_upper = ends->has_upper && round_up(rule, &ends->upper);
}

/* refuse_lower raises the error for a start of a range that a column cannot have. */
static void
refuse_lower(const SdcRule *rule)
{
	ereport(ERROR,
			(errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
			 errmsg("column \"%s\" cannot have the start of a range, which is out of range for its type", rule->column),
			 errhint("Use \"as\": \"range\", or another origin.")));
}

/* number_lower returns where the range of a number begins, as a value of the column's type. */
static Datum
number_lower(const SdcRule *rule, const Ends *ends)
{
	int64		lower;

	if (!ends->has_lower)
		refuse_lower(rule);
	if (!sdc_type_is_integer(rule->type.base))
		return sdc_type_from_numeric(&rule->type, ends->lower);
	lower = rule->type.base == INT8OID ? DatumGetInt64(ends->lower) : DatumGetInt32(ends->lower);
	if (rule->type.base != INT2OID)
		return ends->lower;
	if (lower < PG_INT16_MIN)
		refuse_lower(rule);
	return Int16GetDatum((int16) lower);
}

/* ------------------------------------------------------------------------
 * Dates and times
 * ------------------------------------------------------------------------
 */

/* start_day returns the Julian day on which the unit of a day begins, or the one that is so many units later. */
static int
start_day(SdcRuleUnit unit, int day, int later)
{
	int			year;
	int			month;
	int			first;

	if (unit == SDC_UNIT_DAY)
		return day + later;
	/* Julian day 0 was a Monday */
	if (unit == SDC_UNIT_WEEK)
		return day - day % 7 + 7 * later;
	j2date(day, &year, &month, &first);
	if (unit == SDC_UNIT_MONTH)
		month += later;
	else if (unit == SDC_UNIT_QUARTER)
		month += 3 * later - (month - 1) % 3;
	else
		month = 1;
	if (unit == SDC_UNIT_YEAR)
		year += later;
	/* the year 0 is 1 BC, which is in the decade of the years up to 9 */
	if (unit == SDC_UNIT_DECADE)
		year += 10 * later - (year % 10 + 10) % 10;
	if (month > 12)
	{
		month -= 12;
		year++;
	}
	/* no calendar begins before */
	return year < JULIAN_MINYEAR || (year == JULIAN_MINYEAR && month < JULIAN_MINMONTH) ? -1 : date2j(year, month, 1);
}

/* zone_day finds when a Julian day begins in the zone of a rule; false: that is no time of the type. */
static bool
zone_day(const SdcRule *rule, int day, Timestamp *stamp)
{
	struct pg_tm tm = {0};
	int			offset;

	j2date(day, &tm.tm_year, &tm.tm_mon, &tm.tm_mday);
	offset = DetermineTimeZoneOffset(&tm, rule->zone);
	return tm2timestamp(&tm, 0, &offset, stamp) == 0;
}

/* zone_julian returns the Julian day that a time has in the zone of a rule. */
static int
zone_julian(const SdcRule *rule, TimestampTz value)
{
	struct pg_tm tm;
	fsec_t		fraction;
	int			offset;

	if (timestamp2tm(value, &offset, &tm, &fraction, NULL, rule->zone) != 0)
		ereport(ERROR,
				(errcode(ERRCODE_DATETIME_VALUE_OUT_OF_RANGE),
				 errmsg("timestamp out of range")));
	return date2j(tm.tm_year, tm.tm_mon, tm.tm_mday);
}

/* day_datum turns a Julian day into a value of a type; false: it has none that is so early or late. */
static bool
day_datum(const SdcRule *rule, int day, Datum *datum)
{
	int			date;
	Timestamp	stamp;

	/* a day behind the last one of all calendars is below zero, too */
	if (day < 0)
		return false;
	date = day - POSTGRES_EPOCH_JDATE;
	if (rule->type.base == DATEOID)
	{
		*datum = DateADTGetDatum(date);
		return IS_VALID_DATE(date);
	}
	if (day > TIMESTAMP_END_JULIAN)
		return false;
	stamp = (Timestamp) date * USECS_PER_DAY;
	if (!IS_VALID_TIMESTAMP(stamp))
		return false;
	/* one that is out of range only by its zone is as far as the type reaches */
	if (rule->zone != NULL && !zone_day(rule, day, &stamp))
		return false;
	*datum = TimestampGetDatum(stamp);
	return true;
}

/* local_day returns the Julian day of a date or time. */
static int
local_day(const SdcRule *rule, Datum value)
{
	Timestamp	stamp;
	int64		day;

	if (rule->type.base == DATEOID)
		return DatumGetDateADT(value) + POSTGRES_EPOCH_JDATE;
	if (rule->zone != NULL)
		return zone_julian(rule, DatumGetTimestampTz(value));
	stamp = DatumGetTimestamp(value);
	day = stamp / USECS_PER_DAY - (stamp % USECS_PER_DAY < 0 ? 1 : 0);
	return (int) (day + POSTGRES_EPOCH_JDATE);
}

/* time_ends finds the unit that a date or time is in. */
static void
time_ends(const SdcRule *rule, int level, Datum value, Ends *ends)
{
	int			day = local_day(rule, value);

	ends->has_lower = day_datum(rule, start_day(rule->unit[level], day, 0), &ends->lower);
	ends->has_upper = day_datum(rule, start_day(rule->unit[level], day, 1), &ends->upper);
}

/* ------------------------------------------------------------------------
 * Labels, codes, and all of them
 * ------------------------------------------------------------------------
 */

/* prefix_of cuts a text behind some characters; a text that has no more stays. */
static Datum
prefix_of(const SdcRule *rule, int level, Datum value, bool *same)
{
	text	   *whole = DatumGetTextPP(sdc_type_text(rule->type.base, value));
	const char *data = VARDATA_ANY(whole);
	int			bytes = (int) VARSIZE_ANY_EXHDR(whole);
	int			kept = pg_mbcharcliplen(data, bytes, rule->prefix[level]);
	text	   *result;

	*same = kept == bytes;
	if (*same)
		return PointerGetDatum(cstring_to_text_with_len(data, bytes));
	result = palloc(VARHDRSZ + kept + 1);
	SET_VARSIZE(result, VARHDRSZ + kept + 1);
	memcpy(VARDATA(result), data, kept);
	VARDATA(result)[kept] = '*';
	return PointerGetDatum(result);
}

/* label_of finds the label of a value. */
static Datum
label_of(const SdcRule *rule, int level, Datum value, bool *isnull, bool *same)
{
	uint32		row = sdc_labeltable_find(rule, value);
	text	   *label = row == rule->labels->rows ? NULL : sdc_labeltable_label(rule->labels, row, level);

	*isnull = label == NULL;
	*same = false;
	return PointerGetDatum(label);
}

/* code_of codes a value that is above or below a threshold. */
static Datum
code_of(const SdcRule *rule, Datum value, bool *same)
{
	SdcType    *type = unconstify(SdcType *, &rule->type);

	for (int side = SDC_RULE_TOP; side <= SDC_RULE_BOTTOM; side++)
	{
		const SdcRuleCut *cut = &rule->cut[side];
		int			order = cut->known ? sdc_type_compare(type, value, cut->threshold) : 0;

		if (side == SDC_RULE_TOP ? order > 0 : order < 0)
		{
			*same = sdc_type_equal(type, value, cut->value);
			return cut->value;
		}
	}
	return value;
}

/* single_of is a value that stays what it is. */
static Datum
single_of(const SdcRule *rule, Datum value)
{
	if (rule->form != SDC_RULE_RANGE)
		return value;
	return RangeTypePGetDatum(sdc_rangevalue_range(rule->range, rule->type.base, value, value));
}

/* sdc_rulevalue_of: see rulevalue.h. */
Datum
sdc_rulevalue_of(const SdcRule *rule, int level, Datum value, bool *isnull, bool *same)
{
	Ends		ends;

	*isnull = false;
	*same = true;
	if (rule->kind == SDC_RULE_PREFIX)
		return prefix_of(rule, level, value, same);
	if (rule->kind == SDC_RULE_TABLE)
		return label_of(rule, level, value, isnull, same);
	if (!sdc_rulevalue_is_finite(&rule->type, value))
		return single_of(rule, value);
	if (rule->kind == SDC_RULE_CODED)
		return code_of(rule, value, same);
	if (rule->kind == SDC_RULE_WIDTH)
		number_ends(rule, level, value, &ends);
	else
		time_ends(rule, level, value, &ends);
	if (rule->form == SDC_RULE_RANGE)
	{
		*same = false;
		return range_of(rule, &ends);
	}
	if (rule->kind == SDC_RULE_WIDTH)
		ends.lower = number_lower(rule, &ends);
	else if (!ends.has_lower)
		refuse_lower(rule);
	*same = sdc_type_equal(unconstify(SdcType *, &rule->type), value, ends.lower);
	return ends.lower;
}

/* label_itself is a value as a label. */
static Datum
label_itself(const SdcRule *rule, Datum value)
{
	if (sdc_type_is_text(rule->type.base))
		return sdc_type_text(rule->type.base, value);
	if (rule->type.base == BOOLOID)
		return DirectFunctionCall1(booltext, value);
	return CStringGetTextDatum(sdc_rulevalue_text(rule, value));
}

/* sdc_rulevalue_text: see rulevalue.h. */
char *
sdc_rulevalue_text(const SdcRule *rule, Datum value)
{
	int			nest = sdc_type_pin_settings();
	Oid			output;
	bool		varlena;
	char	   *text;

	getTypeOutputInfo(rule->type.base, &output, &varlena);
	text = OidOutputFunctionCall(output, value);
	AtEOXact_GUC(true, nest);
	return text;
}

/* stays tells whether a missing code stays what it is: unless a table has it. */
static bool
stays(const SdcRule *rule, Datum code)
{
	return rule->kind != SDC_RULE_TABLE || sdc_labeltable_find(rule, code) == rule->labels->rows;
}

/* itself is a value that stays what it is, as the release has it. */
static Datum
itself(const SdcRule *rule, Datum value)
{
	return rule->form == SDC_RULE_LABEL ? label_itself(rule, value) : single_of(rule, value);
}

/* sdc_rulevalue_level: see rulevalue.h. */
Datum
sdc_rulevalue_level(const SdcRule *rule, uint32 level, Datum value, bool coded, bool *same)
{
	bool		isnull;

	*same = true;
	if (level > 0 && !(coded && stays(rule, value)))
		return sdc_rulevalue_of(rule, (int) level - 1, value, &isnull, same);
	return itself(rule, value);
}

/* sdc_rulevalue_everything: see rulevalue.h. */
Datum
sdc_rulevalue_everything(const SdcRule *rule)
{
	Ends		ends = {false, false, 0, 0};

	return rule->form == SDC_RULE_RANGE ? range_of(rule, &ends) : CStringGetTextDatum(SDC_RULE_EVERYTHING);
}

/* sdc_rulevalue_is_everything: see rulevalue.h. */
bool
sdc_rulevalue_is_everything(const SdcRule *rule, Datum value)
{
	RangeBound	lower;
	RangeBound	upper;
	bool		empty;

	if (rule->form != SDC_RULE_RANGE)
		return sdc_rule_is_everything(DatumGetTextPP(value));
	range_deserialize(rule->range, DatumGetRangeTypeP(value), &lower, &upper, &empty);
	return !empty && lower.infinite && upper.infinite;
}

/* sdc_rulevalue_column: see rulevalue.h. */
SdcColumn *
sdc_rulevalue_column(const SdcRule *rule, SdcAttribute *attribute, SdcSpool *spool, uint64 *changed)
{
	MemoryContext scratch = AllocSetContextCreate(CurrentMemoryContext, "sdc recoding", ALLOCSET_DEFAULT_SIZES);
	SdcColumnReader *reader = sdc_column_open(attribute->column);
	SdcColumn  *result = sdc_column_create(spool, sdc_rule_type(rule));
	uint64		records = sdc_column_count(attribute->column);

	*changed = 0;
	for (uint64 r = 0; r < records; r++)
	{
		Datum		value;
		bool		isnull = !sdc_column_next(reader, &value);
		bool		same = true;
		MemoryContext old = MemoryContextSwitchTo(scratch);

		if (!isnull && attribute->missing != NULL && sdc_missing_which(attribute, value) >= 0 && stays(rule, value))
			value = itself(rule, value);
		else if (!isnull)
			value = sdc_rulevalue_of(rule, 0, value, &isnull, &same);
		*changed += !same;
		MemoryContextSwitchTo(old);
		sdc_column_append(result, value, isnull);
		MemoryContextReset(scratch);
		sdc_interrupts_step(r);
	}
	sdc_column_close(reader);
	sdc_column_finish(result);
	MemoryContextDelete(scratch);
	return result;
}

/* sdc_rulevalue_count: see rulevalue.h.  Codes that have stayed are those of what was recoded. */
uint64
sdc_rulevalue_count(SdcAttribute *attribute)
{
	MemoryContext scratch = AllocSetContextCreate(CurrentMemoryContext, "sdc recoding", ALLOCSET_DEFAULT_SIZES);
	SdcColumnReader *before = sdc_column_open(attribute->before);
	SdcColumnReader *after = sdc_column_open(attribute->column);
	uint64		records = sdc_column_count(attribute->column);
	uint64		changed = 0;

	for (uint64 r = 0; r < records; r++)
	{
		Datum		value;
		Datum		made;
		bool		had = sdc_column_next(before, &value);
		bool		isnull;
		bool		same = !sdc_column_next(after, &made) || sdc_missing_which(attribute, made) >= 0;
		MemoryContext old = MemoryContextSwitchTo(scratch);

		if (had && !same)
			(void) sdc_rulevalue_of(attribute->rule, 0, value, &isnull, &same);
		changed += !same;
		MemoryContextSwitchTo(old);
		MemoryContextReset(scratch);
		sdc_interrupts_step(r);
	}
	sdc_column_close(before);
	sdc_column_close(after);
	MemoryContextDelete(scratch);
	return changed;
}

/* sdc_rulevalue_type: see rulevalue.h. */
void
sdc_rulevalue_type(SdcAttribute *attribute, Oid type)
{
	if (!OidIsValid(type))
		return;
	sdc_type_lookup(&attribute->type, type, get_typcollation(type));
	attribute->typmod = -1;
}

/* recode_codes has the missing codes of an attribute be what they have become; those that a table has are labels. */
static void
recode_codes(const SdcRule *rule, SdcAttribute *attribute)
{
	const SdcMissing *before = attribute->missing;
	SdcMissing *missing = palloc0(sizeof(SdcMissing));

	missing->code = palloc(sizeof(Datum) * Max(before->count, 1));
	for (int i = 0; i < before->count; i++)
		if (stays(rule, before->code[i]))
			missing->code[missing->count++] = itself(rule, before->code[i]);
	attribute->missing = missing->count > 0 ? missing : NULL;
}

/* sdc_rulevalue_recode: see rulevalue.h. */
void
sdc_rulevalue_recode(const SdcRule *rule, SdcAttribute *attribute, SdcSpool *spool)
{
	attribute->before = attribute->column;
	attribute->column = sdc_rulevalue_column(rule, attribute, spool, &attribute->recoded);
	attribute->rule = rule;
	if (attribute->missing != NULL && OidIsValid(rule->release_type))
		recode_codes(rule, attribute);
	sdc_rulevalue_type(attribute, rule->release_type);
}
