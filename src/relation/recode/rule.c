/*-------------------------------------------------------------------------
 *
 * rule.c
 *		Rules by which the values of a column become coarser: reading them, and what types they are for.
 *
 * All that differs by kind is in one table: the member by which a rule of this kind is known, its other members, what
 * reads them, and what types it is for.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "relation/base/compat.h"
#include "relation/catalog/parameters.h"
#include "relation/column/meanvalue.h"
#include "relation/recode/rule.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/timestamp.h"

#define MEMBERS 6

/* The longest prefix, and whole numbers that are reckoned as such. */
#define LONGEST_PREFIX 10485760
#define LARGEST_WHOLE INT64CONST(1000000000000000000)

/* A rule that is read. */
typedef struct Reading
{
	SdcRule    *rule;
	JsonbContainer *object;
	bool		hierarchies;
	const char *argument;
} Reading;

static void read_width(Reading *reading);
static void read_trunc(Reading *reading);
static void read_prefix(Reading *reading);
static void read_table(Reading *reading);
static void read_coded(Reading *reading);
static bool is_number(const SdcType *type);
static bool is_time(const SdcType *type);
static bool is_text(const SdcType *type);
static bool is_ordered(const SdcType *type);
static bool is_measured(const SdcType *type);

/* The kinds of rules, in the order of SdcRuleKind; that of codes is known by having none of the other members. */
static const struct Kind
{
	const char *known_by;
	const char *members[MEMBERS + 1];	/* NULL behind the last */
	const char *single[3];		/* those besides that a hierarchy does not have */
	void		(*read) (Reading *reading);
	bool		(*fits) (const SdcType *type);
	const char *types;			/* that it is for, in messages */
}			kinds[] =
{
	[SDC_RULE_WIDTH] = {"width", {"width", "origin", "bottom", "top"}, {"as"}, read_width, is_number, "numbers"},
	[SDC_RULE_TRUNC] = {"trunc", {"trunc", "timezone"}, {"as"}, read_trunc, is_time, "dates and timestamps"},
	[SDC_RULE_PREFIX] = {"prefix", {"prefix"}, {NULL}, read_prefix, is_text, "text"},
	[SDC_RULE_TABLE] = {"table", {"table", "value", "levels"}, {"level"}, read_table, is_ordered, "types with an order"},
	[SDC_RULE_CODED] = {NULL, {NULL}, {NULL}, read_coded, is_measured, "numbers, dates and times"},
	[SDC_RULE_PLAIN] = {NULL, {NULL}, {NULL}, NULL, is_ordered, "types with an order"}
};

/* The members of a rule that codes: what is above and what is below, by threshold or by percent. */
static const char *const cut_members[][2] = {
	[SDC_RULE_TOP] = {"top", "top_percent"},
	[SDC_RULE_BOTTOM] = {"bottom", "bottom_percent"}
};

static const char *const replacements[] = {
	[SDC_RULE_THRESHOLD] = "threshold",
	[SDC_RULE_MEAN] = "mean",
	[SDC_RULE_MEDIAN] = "median"
};

static const char *const units[] = {
	[SDC_UNIT_DAY] = "day",
	[SDC_UNIT_WEEK] = "week",
	[SDC_UNIT_MONTH] = "month",
	[SDC_UNIT_QUARTER] = "quarter",
	[SDC_UNIT_YEAR] = "year",
	[SDC_UNIT_DECADE] = "decade"
};

/* refuse raises the error for a rule that cannot be. */
static void
refuse(const Reading *reading, const char *problem, const char *hint)
{
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("argument \"%s\", column \"%s\": %s", reading->argument, reading->rule->column, problem),
			 errhint("%s", hint)));
}

/* find_member returns a member of a rule, NULL without.  What decides how much is protected cannot be null. */
static JsonbValue *
find_member(const Reading *reading, const char *name)
{
	JsonbValue *value = sdc_parameters_find(reading->object, name);

	if (value != NULL && value->type == jbvNull)
		ereport(ERROR,
				(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
				 errmsg("argument \"%s\", column \"%s\": member \"%s\" must not be null", reading->argument,
						reading->rule->column, name)));
	return value;
}

/* read_text returns a member that is a text, NULL without. */
static char *
read_text(const Reading *reading, const char *name)
{
	JsonbValue *value = find_member(reading, name);

	if (value != NULL && value->type != jbvString)
		refuse(reading, psprintf("member \"%s\" is not a text", name), "Write it in double quotes.");
	return sdc_parameters_text_of(value);
}

/* read_word returns the index of a member among words, -1 without. */
static int
read_word(const Reading *reading, const char *name, const char *const *words, int count)
{
	char	   *text = read_text(reading, name);
	StringInfoData list;

	if (text == NULL)
		return -1;
	initStringInfo(&list);
	for (int i = 0; i < count; i++)
	{
		if (strcmp(text, words[i]) == 0)
			return i;
		appendStringInfo(&list, "%s%s", i == 0 ? "" : i == count - 1 ? " or " : ", ", words[i]);
	}
	refuse(reading, psprintf("member \"%s\" is not known", name), psprintf("It is %s.", list.data));
	return -1;
}

/* copy_number copies a number of JSON. */
static Numeric
copy_number(const JsonbValue *value)
{
	return DatumGetNumericCopy(NumericGetDatum(value->val.numeric));
}

/* read_number returns a member that is a number, NULL without. */
static Numeric
read_number(const Reading *reading, const char *name)
{
	JsonbValue *value = find_member(reading, name);

	if (value == NULL)
		return NULL;
	if (value->type != jbvNumeric)
		refuse(reading, psprintf("member \"%s\" is not a number", name), "Write it without quotes.");
	return copy_number(value);
}

/*
 * read_levels returns the values of a member with one for every level, which is an array in hierarchies only.  All are
 * of a type of JSON.
 */
static JsonbValue **
read_levels(Reading *reading, const char *name, enum jbvType type)
{
	JsonbValue *value = find_member(reading, name);
	JsonbContainer *array = reading->hierarchies ? sdc_parameters_array_of(value) : NULL;
	int			count = array != NULL ? (int) JsonContainerSize(array) : 1;
	JsonbValue **level = palloc(sizeof(JsonbValue *) * Max(count, 1));

	if (count == 0)
		refuse(reading, psprintf("member \"%s\" is empty", name), "Name at least one level.");
	for (int i = 0; i < count; i++)
	{
		level[i] = array != NULL ? getIthJsonbValueFromContainer(array, (uint32) i) : value;
		if (level[i]->type != type)
			refuse(reading, psprintf("member \"%s\" is not a %s", name, type == jbvNumeric ? "number" : "text"),
				   reading->hierarchies ? "It is one, or an array of them." : "A recoding has one level.");
	}
	reading->rule->levels = count;
	return level;
}

/* numeric_order compares two numbers. */
static int
numeric_order(Numeric a, Numeric b)
{
	return DatumGetInt32(DirectFunctionCall2(numeric_cmp, NumericGetDatum(a), NumericGetDatum(b)));
}

/* is_whole tells whether a number, if there is one, is a whole one. */
static bool
is_whole(Numeric number)
{
	Numeric		cut;

	if (number == NULL)
		return true;
	cut = DatumGetNumeric(DirectFunctionCall2(numeric_trunc, NumericGetDatum(number), Int32GetDatum(0)));
	return numeric_order(cut, number) == 0;
}

/* is_small tells whether a number, if there is one, is not too large to be reckoned as an int8. */
static bool
is_small(Numeric number)
{
	return number == NULL || (numeric_order(number, int64_to_numeric(LARGEST_WHOLE)) <= 0 &&
							  numeric_order(number, int64_to_numeric(-LARGEST_WHOLE)) >= 0);
}

/* read_form returns what "as" says. */
static SdcRuleForm
read_form(const Reading *reading, SdcRuleForm fallback)
{
	static const char *const forms[] = {[SDC_RULE_RANGE] = "range", [SDC_RULE_LOWER] = "lower"};
	int			form = reading->hierarchies ? -1 : read_word(reading, "as", forms, lengthof(forms));

	return form < 0 ? fallback : (SdcRuleForm) form;
}

/* int64_of returns a whole number that fits; 0: there is none. */
static int64
int64_of(Numeric number)
{
	return number == NULL ? 0 : DatumGetInt64(DirectFunctionCall1(numeric_int8, NumericGetDatum(number)));
}

/* take_whole keeps the numbers of a rule as whole ones, which are reckoned with quickly. */
static void
take_whole(SdcRule *rule)
{
	rule->whole_origin = int64_of(rule->origin);
	rule->whole_bottom = int64_of(rule->bottom);
	rule->whole_top = int64_of(rule->top);
	rule->whole_width = palloc(sizeof(int64) * rule->levels);
	for (int i = 0; i < rule->levels; i++)
		rule->whole_width[i] = int64_of(rule->width[i]);
}

/* read_width reads ranges of a width. */
static void
read_width(Reading *reading)
{
	SdcRule    *rule = reading->rule;
	JsonbValue **level = read_levels(reading, "width", jbvNumeric);

	rule->width = palloc(sizeof(Numeric) * rule->levels);
	rule->origin = read_number(reading, "origin");
	rule->bottom = read_number(reading, "bottom");
	rule->top = read_number(reading, "top");
	rule->form = read_form(reading, SDC_RULE_RANGE);
	if (rule->origin == NULL)
		rule->origin = int64_to_numeric(0);
	rule->whole = is_whole(rule->origin) && is_small(rule->origin) && is_whole(rule->bottom) &&
		is_small(rule->bottom) && is_whole(rule->top) && is_small(rule->top);
	for (int i = 0; i < rule->levels; i++)
	{
		rule->width[i] = copy_number(level[i]);
		if (numeric_order(rule->width[i], int64_to_numeric(0)) <= 0)
			refuse(reading, "member \"width\" must be above 0", "It is how wide the ranges of values are.");
		if (i > 0 && (numeric_order(rule->width[i], rule->width[i - 1]) <= 0 ||
					  numeric_order(DatumGetNumeric(DirectFunctionCall2(numeric_mod, NumericGetDatum(rule->width[i]),
																		NumericGetDatum(rule->width[i - 1]))),
									int64_to_numeric(0)) != 0))
			refuse(reading, psprintf("width %d is no multiple of the one before", i + 1),
				   "Ranges of a level must be made of whole ranges of the level below.");
		rule->whole &= is_whole(rule->width[i]) && is_small(rule->width[i]);
	}
	if (rule->whole)
		take_whole(rule);
	if (rule->bottom != NULL && rule->top != NULL && numeric_order(rule->bottom, rule->top) >= 0)
		refuse(reading, "member \"bottom\" must be below \"top\"", "Leave one of them out, or change it.");
	if (rule->form == SDC_RULE_LOWER && rule->bottom != NULL)
		refuse(reading, "what is below \"bottom\" has no lower end", "Leave it out, or use \"as\": \"range\".");
}

/* read_trunc reads units of time. */
static void
read_trunc(Reading *reading)
{
	SdcRule    *rule = reading->rule;
	JsonbValue **level = read_levels(reading, "trunc", jbvString);

	rule->unit = palloc(sizeof(SdcRuleUnit) * rule->levels);
	rule->timezone = read_text(reading, "timezone");
	rule->form = read_form(reading, reading->hierarchies ? SDC_RULE_RANGE : SDC_RULE_LOWER);
	for (int i = 0; i < rule->levels; i++)
	{
		char	   *text = sdc_parameters_text_of(level[i]);
		int			unit = 0;

		while (unit < (int) lengthof(units) && strcmp(units[unit], text) != 0)
			unit++;
		if (unit == lengthof(units))
			refuse(reading, "member \"trunc\" is not known",
				   "It is day (of timestamps), week, month, quarter, year or decade.");
		rule->unit[i] = (SdcRuleUnit) unit;
		if (i > 0 && rule->unit[i] <= rule->unit[i - 1])
			refuse(reading, "a unit is not longer than the one before", "Name the shortest one first.");
		if (rule->levels > 1 && unit == SDC_UNIT_WEEK)
			refuse(reading, "weeks are in no longer unit", "Name \"week\" alone, or leave it out.");
	}
}

/* whole_number returns a number of JSON that is a whole one in a range, 0 for any other. */
static int
whole_number(const JsonbValue *value, int largest)
{
	Numeric		number = value->val.numeric;

	if (!is_whole(number) || numeric_order(number, int64_to_numeric(1)) < 0 ||
		numeric_order(number, int64_to_numeric(largest)) > 0)
		return 0;
	return DatumGetInt32(DirectFunctionCall1(numeric_int4, NumericGetDatum(number)));
}

/* read_prefix reads how many characters stay. */
static void
read_prefix(Reading *reading)
{
	SdcRule    *rule = reading->rule;
	JsonbValue **level = read_levels(reading, "prefix", jbvNumeric);

	rule->prefix = palloc(sizeof(int) * rule->levels);
	rule->form = SDC_RULE_LABEL;
	for (int i = 0; i < rule->levels; i++)
	{
		rule->prefix[i] = whole_number(level[i], LONGEST_PREFIX);
		if (rule->prefix[i] == 0)
			refuse(reading, "member \"prefix\" must be a whole number of at least 1",
				   "It is how many of the first characters stay.");
		if (i > 0 && rule->prefix[i] >= rule->prefix[i - 1])
			refuse(reading, "a prefix is not shorter than the one before", "Name the longest one first.");
	}
}

/* read_label_columns reads which columns of a table have the labels of a hierarchy. */
static void
read_label_columns(Reading *reading)
{
	SdcRule    *rule = reading->rule;
	JsonbValue *value = find_member(reading, "levels");
	JsonbContainer *array = sdc_parameters_array_of(value);

	if (value == NULL)
		return;
	if (array == NULL)
		refuse(reading, "member \"levels\" is not an array", "It has the names of the columns with the labels.");
	for (uint32 i = 0; i < JsonContainerSize(array); i++)
	{
		char	   *name = sdc_parameters_text_of(getIthJsonbValueFromContainer(array, i));

		if (name == NULL)
			refuse(reading, "member \"levels\" has something else than names",
				   "It has the names of the columns with the labels.");
		rule->label_columns = lappend(rule->label_columns, name);
	}
}

/* read_table reads where labels are. */
static void
read_table(Reading *reading)
{
	SdcRule    *rule = reading->rule;
	JsonbValue *level;

	rule->form = SDC_RULE_LABEL;
	rule->table = read_text(reading, "table");
	rule->value_column = read_text(reading, "value");
	read_label_columns(reading);
	if (reading->hierarchies)
		return;
	rule->levels = 1;
	level = find_member(reading, "level");
	if (level == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
				 errmsg("argument \"%s\", column \"%s\": member \"level\" must be given", reading->argument,
						rule->column),
				 errhint("It is the number of a level, from 1, or the name of the column that has its labels.")));
	rule->level_name = sdc_parameters_text_of(level);
	if (level->type == jbvNumeric)
		rule->level = whole_number(level, MaxHeapAttributeNumber);
	if (rule->level_name == NULL && rule->level == 0)
		refuse(reading, "member \"level\" is neither a name nor a whole number of at least 1",
			   "It is the number of a level, or the name of the column that has its labels.");
}

/* read_cut reads a threshold, or how many percent are beyond it. */
static void
read_cut(Reading *reading, int side)
{
	SdcRuleCut *cut = &reading->rule->cut[side];
	JsonbValue *value = find_member(reading, cut_members[side][0]);

	cut->percent = read_number(reading, cut_members[side][1]);
	if (value != NULL && value->type == jbvNumeric)
		cut->text = DatumGetCString(DirectFunctionCall1(numeric_out, NumericGetDatum(value->val.numeric)));
	else if (value != NULL && (cut->text = sdc_parameters_text_of(value)) == NULL)
		refuse(reading, psprintf("member \"%s\" is not a value", cut_members[side][0]), "It is a number or a text.");
	if (cut->percent == NULL)
		return;
	if (cut->text != NULL)
		refuse(reading, psprintf("members \"%s\" and \"%s\" cannot be used together", cut_members[side][0],
								 cut_members[side][1]), "Leave one of them out.");
	if (numeric_order(cut->percent, int64_to_numeric(0)) <= 0 ||
		numeric_order(cut->percent, int64_to_numeric(100)) >= 0)
		refuse(reading, psprintf("member \"%s\" is out of range", cut_members[side][1]),
			   "It is above 0 and below 100.");
}

/* read_coded reads thresholds, and what values beyond them become. */
static void
read_coded(Reading *reading)
{
	SdcRule    *rule = reading->rule;
	int			replace;

	rule->form = SDC_RULE_VALUE;
	rule->levels = 1;
	for (int side = SDC_RULE_TOP; side <= SDC_RULE_BOTTOM; side++)
		read_cut(reading, side);
	replace = read_word(reading, "replace", replacements, lengthof(replacements));
	if (replace < 0)
		ereport(ERROR,
				(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
				 errmsg("argument \"%s\", column \"%s\": member \"replace\" must be given", reading->argument,
						rule->column),
				 errhint("It decides what is left to see: threshold, mean or median.")));
	rule->replace = (SdcRuleReplace) replace;
}

/* is_number tells whether values of a type are numbers that have ranges. */
static bool
is_number(const SdcType *type)
{
	return type->kind == SDC_VALUE_NUMBER && OidIsValid(sdc_type_known(type->base)->range);
}

/* is_time tells whether values of a type are dates, perhaps with a time. */
static bool
is_time(const SdcType *type)
{
	return type->base == DATEOID || type->base == TIMESTAMPOID || type->base == TIMESTAMPTZOID;
}

/* is_text tells whether values of a type are texts. */
static bool
is_text(const SdcType *type)
{
	return sdc_type_is_text(type->base);
}

/* is_ordered tells whether values of a type can be compared. */
static bool
is_ordered(const SdcType *type)
{
	return type->orderable;
}

/* is_measured tells whether values of a type have a mean. */
static bool
is_measured(const SdcType *type)
{
	return is_number(type) || is_time(type) || type->base == TIMEOID;
}

/* has_word tells whether a list that ends with NULL has a word. */
static bool
has_word(const char *const *words, int count, const char *word)
{
	for (int i = 0; i < count && words[i] != NULL; i++)
		if (strcmp(words[i], word) == 0)
			return true;
	return false;
}

/* is_member tells whether a rule has a member. */
static bool
is_member(const Reading *reading, const char *name)
{
	const struct Kind *kind = &kinds[reading->rule->kind];

	if (reading->rule->kind != SDC_RULE_CODED)
		return has_word(kind->members, MEMBERS, name) ||
			(!reading->hierarchies && has_word(kind->single, lengthof(kind->single), name));
	return strcmp(name, "replace") == 0 || has_word(cut_members[SDC_RULE_TOP], 2, name) ||
		has_word(cut_members[SDC_RULE_BOTTOM], 2, name);
}

/* find_kind finds out of which kind a rule is. */
static SdcRuleKind
find_kind(const Reading *reading)
{
	int			kind = 0;

	while (kinds[kind].known_by != NULL && find_member(reading, kinds[kind].known_by) == NULL)
		kind++;
	if (kind < SDC_RULE_CODED)
		return (SdcRuleKind) kind;
	for (int side = SDC_RULE_TOP; side <= SDC_RULE_BOTTOM && !reading->hierarchies; side++)
		if (find_member(reading, cut_members[side][0]) != NULL || find_member(reading, cut_members[side][1]) != NULL)
			return SDC_RULE_CODED;
	refuse(reading, "nothing says how its values become coarser", reading->hierarchies ?
		   "It has one of the members width, trunc, prefix and table." :
		   "It has one of the members width, trunc, prefix, table, top, top_percent, bottom and bottom_percent.");
	return SDC_RULE_CODED;
}

/* check_members insists on members that a rule of its kind has. */
static void
check_members(const Reading *reading)
{
	JsonbIterator *iterator = NULL;
	JsonbValue	value;
	const char *name;

	while ((name = sdc_parameters_next(reading->object, &iterator, &value)) != NULL)
		if (!is_member(reading, name))
			refuse(reading, psprintf("unknown member \"%s\"", name),
				   "The members of every rule are listed in the reference, at sdc_recode and sdc_hierarchy_check.");
}

/* read_rule reads the rule of a column. */
static SdcRule *
read_rule(const char *column, const JsonbValue *value, bool hierarchies, const char *argument)
{
	SdcRule    *rule = palloc0(sizeof(SdcRule));
	Reading		reading = {rule, NULL, hierarchies, argument};

	rule->column = column;
	reading.object = sdc_parameters_object_of(value);
	if (reading.object == NULL)
		refuse(&reading, "its rule is not an object", "Such as: {\"age\": {\"width\": 5}}");
	rule->kind = find_kind(&reading);
	check_members(&reading);
	kinds[rule->kind].read(&reading);
	return rule;
}

/* sdc_rule_read: see rule.h. */
List *
sdc_rule_read(JsonbContainer *object, bool hierarchies, const char *argument)
{
	JsonbIterator *iterator = NULL;
	JsonbValue	value;
	List	   *rules = NIL;
	const char *column;

	if (!JsonContainerIsObject(object) || JsonContainerSize(object) == 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("argument \"%s\" must be an object with at least one column", argument),
				 errhint("Such as: {\"age\": {\"width\": 5}}")));
	while ((column = sdc_parameters_next(object, &iterator, &value)) != NULL)
		rules = lappend(rules, read_rule(column, &value, hierarchies, argument));
	return rules;
}

/* sdc_rule_find: see rule.h. */
SdcRule *
sdc_rule_find(List *rules, const char *column)
{
	ListCell   *cell;

	foreach(cell, rules)
		if (strcmp(((SdcRule *) lfirst(cell))->column, column) == 0)
			return lfirst(cell);
	return NULL;
}

/* sdc_rule_plain: see rule.h. */
SdcRule *
sdc_rule_plain(const char *column)
{
	SdcRule    *rule = palloc0(sizeof(SdcRule));

	rule->column = column;
	rule->kind = SDC_RULE_PLAIN;
	return rule;
}

/* refuse_type raises the error for a column of a type that a rule is not for. */
static void
refuse_type(const SdcRule *rule, const char *detail)
{
	ereport(ERROR,
			(errcode(ERRCODE_DATATYPE_MISMATCH),
			 errmsg("column \"%s\" cannot be recoded by \"%s\"", rule->column,
					rule->kind == SDC_RULE_CODED ? "top or bottom" : kinds[rule->kind].known_by),
			 errdetail("%s", detail)));
}

/* sdc_rule_type: see rule.h. */
Oid
sdc_rule_type(const SdcRule *rule)
{
	return OidIsValid(rule->release_type) ? rule->release_type : rule->type.typid;
}

/* sdc_rule_is_everything: see rule.h. */
bool
sdc_rule_is_everything(const text *label)
{
	return VARSIZE_ANY_EXHDR(label) == 1 && *VARDATA_ANY(label) == *SDC_RULE_EVERYTHING;
}

/* check_scale insists on starts of ranges that a column can have. */
static void
check_scale(const SdcRule *rule)
{
	int			scale;
	Numeric		number[] = {rule->width[0], rule->origin, rule->top};

	if (sdc_type_is_integer(rule->type.base))
		scale = 0;
	else
		scale = sdc_meanvalue_scale(&rule->type, rule->typmod);
	for (int i = 0; i < (int) lengthof(number) && scale != SDC_MEANVALUE_ANY_SCALE; i++)
		if (number[i] != NULL &&
			numeric_order(DatumGetNumeric(DirectFunctionCall2(numeric_trunc, NumericGetDatum(number[i]),
															  Int32GetDatum(scale))), number[i]) != 0)
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("column \"%s\" cannot have the starts of the ranges", rule->column),
					 errdetail("A width, origin or top has decimals that its type has not."),
					 errhint("Use \"as\": \"range\", or other numbers.")));
}

/*
 * check_timezone insists on a time zone where one matters.  It has a full name: what abbreviations mean is a setting of
 * the session.
 */
static void
check_timezone(SdcRule *rule)
{
	if ((rule->timezone != NULL) != (rule->type.base == TIMESTAMPTZOID))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 rule->timezone != NULL ? errmsg("column \"%s\" has no time zone", rule->column) :
				 errmsg("column \"%s\" needs member \"timezone\"", rule->column),
				 errdetail("Where days begin must not depend on a setting.")));
	if (rule->timezone != NULL && (rule->zone = pg_tzset(rule->timezone)) == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("time zone \"%s\" not recognized", rule->timezone),
				 errhint("It is a full name, such as those of the view pg_timezone_names.")));
	for (int i = 0; i < rule->levels; i++)
		if (rule->type.base == DATEOID && rule->unit[i] == SDC_UNIT_DAY)
			refuse_type(rule, "A date is a day already.");
}

/* sdc_rule_bind: see rule.h. */
void
sdc_rule_bind(SdcRule *rule, Oid typid, int32 typmod, Oid collation)
{
	sdc_type_lookup(&rule->type, typid, sdc_type_order_collation(collation));
	if (typid != rule->type.base)
		(void) getBaseTypeAndTypmod(typid, &typmod);
	rule->typmod = typmod;
	if (!kinds[rule->kind].fits(&rule->type))
		refuse_type(rule, psprintf("Its type is %s, and this rule is for %s.", format_type_be(typid),
								   kinds[rule->kind].types));
	if (rule->kind == SDC_RULE_PLAIN)
		rule->form = OidIsValid(sdc_type_known(rule->type.base)->range) ? SDC_RULE_RANGE : SDC_RULE_LABEL;
	if (rule->kind == SDC_RULE_TRUNC)
		check_timezone(rule);
	if (rule->kind == SDC_RULE_WIDTH && rule->form == SDC_RULE_LOWER)
		check_scale(rule);
	if (rule->form == SDC_RULE_LOWER || rule->form == SDC_RULE_VALUE)
		sdc_type_refuse_new(typid, rule->column, "Recode it to ranges, or cast it to its base type in a view.");
	rule->release_type = rule->form == SDC_RULE_RANGE ? sdc_type_known(rule->type.base)->range :
		rule->form == SDC_RULE_LABEL ? TEXTOID : InvalidOid;
	if (rule->form == SDC_RULE_RANGE)
		rule->range = lookup_type_cache(rule->release_type, TYPECACHE_RANGE_INFO);
}

/* sdc_rule_columns: see rule.h. */
List *
sdc_rule_columns(List *rules, bool relabelled)
{
	List	   *columns = NIL;
	ListCell   *cell;

	foreach(cell, rules)
	{
		const SdcRule *rule = lfirst(cell);

		if (!relabelled || rule->form == SDC_RULE_RANGE || rule->form == SDC_RULE_LABEL)
			columns = lappend(columns, unconstify(char *, rule->column));
	}
	return columns;
}
