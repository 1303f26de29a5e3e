/*-------------------------------------------------------------------------
 *
 * recode.c
 *		Recoding columns of a relation: coarser values, the same for everybody.
 *
 * A value becomes what its rule makes of it (relation/recode), whatever else a record has: nothing is drawn, records
 * of a unit that agree still do, and strata do not matter.  The thresholds of codes are those of the whole relation;
 * where a release is continued they are those of its first night, and so are labels.
 *
 * Memory: four bytes a record and the distinct values, of a column with thresholds or labels; the rows of a table.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "method/recode.h"
#include "miscadmin.h"
#include "relation/base/memory.h"
#include "relation/base/names.h"
#include "relation/base/progress.h"
#include "relation/catalog/methods.h"
#include "relation/column/dictionary.h"
#include "relation/column/meanvalue.h"
#include "relation/column/paircodes.h"
#include "relation/read/missing.h"
#include "relation/recode/labeltable.h"
#include "relation/recode/rulecheck.h"
#include "relation/recode/rulelaw.h"
#include "relation/recode/rulevalue.h"
#include "utils/builtins.h"
#include "utils/datum.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/numeric.h"

/* Fewer coded values have no mean that hides them. */
#define LEAST_OF_MEAN 3

#define NUMBER(whole) NumericGetDatum(int64_to_numeric(whole))

/* The codes of the values beyond a threshold: first .. last, and their records. */
typedef struct Beyond
{
	uint32		first;
	uint32		last;			/* below first: there are none */
	uint64		records;
} Beyond;

/* ------------------------------------------------------------------------
 * Thresholds
 * ------------------------------------------------------------------------
 */

/* finite_codes finds the codes of the finite values: infinities and NaN are at the ends. */
static Beyond
finite_codes(const SdcRule *rule, const SdcRuleValues *values)
{
	Beyond		all = {PG_UINT32_MAX, 0, 0};

	for (uint32 c = 0; c < values->coding->codes; c++)
	{
		sdc_interrupts_step(c);
		if (!sdc_rulevalue_is_finite(&rule->type, sdc_rulecheck_value(values, c)))
			continue;
		all.first = Min(all.first, c);
		all.last = c;
		all.records += values->records[c];
	}
	return all;
}

/* share_of returns how many of some records a percentage is, rounded down. */
static uint64
share_of(Numeric percent, uint64 records)
{
	Datum		product = DirectFunctionCall2(numeric_mul, NumericGetDatum(percent), NUMBER((int64) records));

	return (uint64) DatumGetInt64(DirectFunctionCall1(numeric_int8,
													  DirectFunctionCall2(numeric_div_trunc, product, NUMBER(100))));
}

/*
 * find_threshold finds the value nearest to the middle that at most so many records are beyond.  Records with the same
 * value are never told apart.
 */
static uint32
find_threshold(const SdcRuleValues *values, const Beyond *all, int side, uint64 most)
{
	uint32		code = side == SDC_RULE_TOP ? all->last : all->first;
	uint64		beyond = 0;

	while (code != (side == SDC_RULE_TOP ? all->first : all->last) && beyond + values->records[code] <= most)
	{
		sdc_interrupts_step(code);
		beyond += values->records[code];
		code = side == SDC_RULE_TOP ? code - 1 : code + 1;
	}
	return code;
}

/* find_beyond finds the values that are coded. */
static Beyond
find_beyond(SdcRule *rule, const SdcRuleValues *values, const Beyond *all, int side)
{
	Beyond		beyond = {PG_UINT32_MAX, 0, 0};

	for (uint32 c = all->first; c <= all->last && c < values->coding->codes; c++)
	{
		int			order = sdc_type_compare(&rule->type, sdc_rulecheck_value(values, c), rule->cut[side].threshold);

		sdc_interrupts_step(c);
		if (side == SDC_RULE_TOP ? order <= 0 : order >= 0)
			continue;
		beyond.first = Min(beyond.first, c);
		beyond.last = c;
		beyond.records += values->records[c];
	}
	return beyond;
}

/* ------------------------------------------------------------------------
 * What coded values become
 * ------------------------------------------------------------------------
 */

/* median_of returns the lower median of the coded values. */
static Datum
median_of(const SdcRuleValues *values, const Beyond *beyond)
{
	uint64		left = (beyond->records - 1) / 2;
	uint32		code = beyond->first;

	while (left >= values->records[code])
		left -= values->records[code++];
	return sdc_rulecheck_value(values, code);
}

/* mean_of returns the mean of the coded values. */
static Datum
mean_of(const SdcRule *rule, const SdcRuleValues *values, const Beyond *beyond)
{
	SdcMeanValue mean;
	Datum		value;

	if (beyond->records < LEAST_OF_MEAN)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg_plural("column \"%s\": the mean of " UINT64_FORMAT " coded value would show it",
							   "column \"%s\": the mean of " UINT64_FORMAT " coded values would show them",
							   (unsigned long) beyond->records, rule->column, beyond->records),
				 errhint("Code at least %d values, or none, or use \"replace\": \"threshold\".", LEAST_OF_MEAN)));
	sdc_meanvalue_begin(&mean, &rule->type, rule->typmod);
	for (uint32 c = beyond->first; c <= beyond->last; c++)
	{
		sdc_meanvalue_add(&mean, sdc_rulecheck_value(values, c), values->records[c]);
		sdc_interrupts_step(c);
	}
	if (!sdc_meanvalue_end(&mean, &value))
		ereport(ERROR,
				(errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
				 errmsg("column \"%s\": the sum of the coded values is out of range", rule->column),
				 errhint("Use \"replace\": \"threshold\" or \"median\".")));
	return value;
}

/* find_side finds the threshold of one side, and what values beyond it become. */
static void
find_side(SdcRule *rule, const SdcRuleValues *values, int side, bool quiet)
{
	SdcRuleCut *cut = &rule->cut[side];
	Beyond		all = finite_codes(rule, values);
	Beyond		beyond;

	if (cut->percent != NULL)
	{
		uint64		most = share_of(cut->percent, all.records);

		/* nobody has a value, so nobody is beyond one */
		if (all.records == 0)
			return;
		cut->threshold = sdc_rulecheck_value(values, find_threshold(values, &all, side, most));
		cut->known = true;
		if (most == 0 && !quiet)
			ereport(NOTICE,
					(errmsg("column \"%s\": nothing is coded, as %s percent of " UINT64_FORMAT " values are less than one",
							rule->column, numeric_normalize(cut->percent), all.records)));
	}
	else if (!cut->known)
		return;
	beyond = find_beyond(rule, values, &all, side);
	cut->coded = beyond.records;
	cut->value = beyond.records == 0 || rule->replace == SDC_RULE_THRESHOLD ? cut->threshold :
		rule->replace == SDC_RULE_MEAN ? mean_of(rule, values, &beyond) : median_of(values, &beyond);
}

/* ------------------------------------------------------------------------
 * Columns
 * ------------------------------------------------------------------------
 */

/* check_labels insists on a table that has one label for every value. */
static void
check_labels(const SdcRule *rule, const SdcRuleValues *values)
{
	SdcRuleLevel level = {0};

	sdc_rulecheck_rows(rule, values, &level);
	level.nulls = sdc_rulecheck_nulls(rule, 0);
	if (level.values_without == 0 && level.twice == 0 && level.nulls == 0)
		return;
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("table \"%s\" does not have one label for every value of column \"%s\"", rule->table, rule->column),
			 errdetail("Values without a row: %u, in " UINT64_FORMAT " records; values in several rows: %u; rows without a label: %u.",
					   level.values_without, level.records_without, level.twice, level.nulls),
			 rule->continued ?
			 errhint("The release that is continued has the labels that the table had on the first night: give the values one of these, or drop the release to begin anew.") :
			 errhint("sdc_hierarchy_check counts what is wrong with a table.")));
}

/* keep_cut keeps what was found when the values are gone that it was found among. */
static void
keep_cut(const SdcRule *rule, SdcRuleCut *cut)
{
	if (!cut->known)
		return;
	cut->threshold = datumCopy(cut->threshold, rule->type.typbyval, rule->type.typlen);
	cut->value = datumCopy(cut->value, rule->type.typbyval, rule->type.typlen);
}

/* check_found insists on thresholds of values, where all later nights have the same. */
static void
check_found(const SdcRule *rule)
{
	for (int side = SDC_RULE_TOP; side <= SDC_RULE_BOTTOM; side++)
		if (rule->cut[side].percent != NULL && !rule->cut[side].known)
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("column \"%s\" has no values that a threshold could be found among", rule->column),
					 errdetail("A release that is continued keeps the thresholds of its first night."),
					 errhint("Give the threshold itself, or begin when there are values.")));
}

/* find_sides finds the thresholds of a rule, and what values beyond them become. */
static void
find_sides(SdcRule *rule, const SdcRuleValues *values, const SdcMethodStep *step)
{
	for (int side = SDC_RULE_TOP; side <= SDC_RULE_BOTTOM; side++)
	{
		find_side(rule, values, side, step->quiet);
		keep_cut(rule, &rule->cut[side]);
	}
	sdc_rulelaw_check_order(rule);
	if (step->night != NULL)
		check_found(rule);
}

/* look_at_values finds what a rule needs to know of all values of its column; missing codes are none. */
static void
look_at_values(SdcRule *rule, SdcAttribute *attribute, SdcSpool *spool, const SdcMethodStep *step)
{
	SdcColumn  *column = attribute->column;
	SdcDictionary *dictionary;
	SdcDictionaryCodes coding;
	SdcCodeList *list;
	SdcRuleValues values;

	sdc_rulecheck_column(rule, attribute->column);
	if (rule->kind != SDC_RULE_TABLE && (rule->kind != SDC_RULE_CODED || rule->continued))
		return;
	if (attribute->missing != NULL)
		column = sdc_missing_blank(attribute, column, spool, NULL);
	dictionary = sdc_dictionary_create(&rule->type);
	list = sdc_paircodes_rank(column, dictionary, &coding);
	values = sdc_rulecheck_values(dictionary, &coding, list->code, list->count);
	if (rule->kind == SDC_RULE_CODED)
		find_sides(rule, &values, step);
	else
		check_labels(rule, &values);
	sdc_free(values.records);
	sdc_free(coding.code);
	sdc_free(coding.number);
	sdc_free(list->code);
	sdc_dictionary_destroy(dictionary);
	if (column != attribute->column)
		sdc_column_destroy(column);
}

/* read_labels reads the table of a rule, if it has one. */
static void
read_labels(SdcRule *rule)
{
	SdcProgress before;

	if (rule->kind != SDC_RULE_TABLE || rule->continued)
		return;
	sdc_progress_save(&before);
	sdc_labeltable_read(rule);
	sdc_progress_restore(&before);
}

/* protect recodes column by column, when all of them are found to be as they should. */
static void
protect(SdcMethodStep *step, SdcSource *source, SdcSpool *spool, SdcRandom *random)
{
	const SdcRecoding *recoding = step->arguments;
	ListCell   *cell;

	(void) random;
	foreach(cell, recoding->rules)
	{
		SdcRule    *rule = lfirst(cell);

		read_labels(rule);
		look_at_values(rule, &source->attributes[sdc_source_find_attribute(source, rule->column, "recodes")],
					   spool, step);
	}
	foreach(cell, recoding->rules)
	{
		const SdcRule *rule = lfirst(cell);
		SdcAttribute *attribute = &source->attributes[sdc_source_find_attribute(source, rule->column, "recodes")];

		sdc_rulevalue_recode(rule, attribute, spool);
		attribute->changed = attribute->recoded;
		if (attribute->passed && OidIsValid(rule->release_type))
			attribute->type = attribute->passed_type;
		/* unless the caller has said which level it has */
		if (attribute->passed && (attribute->level != SDC_LEVEL_ROW || attribute->units_differing > 0))
			attribute->level = SDC_LEVEL_UNKNOWN;
		/* records of a night are compared when it is known which of them wait */
		if (!attribute->passed && step->night == NULL)
		{
			sdc_column_destroy(attribute->before);
			attribute->before = NULL;
		}
		if (sdc_step_is_of(step, attribute))
			sdc_progress_next();
	}
	step->parameters = sdc_rulelaw_describe(recoding->rules, recoding->argument);
}

/* check_plan insists on columns that rules are for, and decides which types the release has. */
static void
check_plan(SdcMethodStep *step, SdcSource *source, Oid catalog_schema, SdcTarget *target)
{
	const SdcRecoding *recoding = step->arguments;
	ListCell   *cell;

	(void) catalog_schema;
	(void) target;
	foreach(cell, recoding->rules)
	{
		SdcRule    *rule = lfirst(cell);
		SdcAttribute *attribute = &source->attributes[sdc_source_find_attribute(source, rule->column, "recodes")];

		sdc_rule_bind(rule, attribute->type.typid, attribute->typmod, attribute->type.collation);
		if (rule->kind == SDC_RULE_CODED)
			sdc_rulelaw_thresholds(rule);
		if (rule->kind == SDC_RULE_TABLE)
			sdc_labeltable_plan(rule);
		attribute->release_type = rule->release_type;
	}
	if (source->keeps_row_type && step->relabelled != NIL)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("recoding changes the type of column \"%s\"", (char *) linitial(step->relabelled)),
				 errhint("The rows of a relation keep its row type; write a release, or use \"as\": \"lower\" or top and bottom codes.")));
}

/* sdc_recode_prepare: see recode.h. */
void
sdc_recode_prepare(SdcMethodStep *step, const SdcRecoding *recoding)
{
	step->method = sdc_methods_find(SDC_METHOD_RECODE);
	step->arguments = recoding;
	step->parameters = sdc_rulelaw_describe(recoding->rules, recoding->argument);
	step->changes = SDC_CHANGES_ANY;
	step->check_plan = check_plan;
	step->protect = protect;
	step->columns_given = true;
	step->columns = sdc_rule_columns(recoding->rules, false);
	step->columns_argument = "recodes";
	step->relabelled = sdc_rule_columns(recoding->rules, true);
}

/* ------------------------------------------------------------------------
 * Columns that another step protects then
 * ------------------------------------------------------------------------
 */

/* sdc_recode_is: see recode.h. */
bool
sdc_recode_is(const SdcMethodStep *step)
{
	return step->method->tells == SDC_TELLS_FUNCTION;
}

/* sdc_recode_is_passed: see recode.h. */
bool
sdc_recode_is_passed(const SdcProtection *protection, const SdcAttribute *attribute)
{
	bool		recoded = false;
	bool		other = false;

	for (int i = 0; i < protection->step_count; i++)
	{
		const SdcMethodStep *step = &protection->steps[i];

		if (sdc_names_have(step->columns, NameStr(attribute->name)) ||
			sdc_names_have(step->read_besides, NameStr(attribute->name)))
			*(sdc_recode_is(step) ? &recoded : &other) = true;
	}
	return recoded && other;
}

/* sdc_recode_of: see recode.h. */
const SdcRecoding *
sdc_recode_of(const SdcProtection *protection, const char *column)
{
	for (int i = 0; i < protection->step_count; i++)
		if (sdc_recode_is(&protection->steps[i]) && sdc_names_have(protection->steps[i].columns, column))
			return protection->steps[i].arguments;
	return NULL;
}

/* sdc_recode_continue: see recode.h. */
bool
sdc_recode_continue(const SdcRecoding *recoding, const char *column, SdcParameters *parameters, const char *before)
{
	SdcRule    *rule = sdc_rule_find(recoding->rules, column);
	SdcRule    *other;

	if (!sdc_rulelaw_same_rule(sdc_parameters_read(recoding->argument), column,
							   sdc_parameters_inner(parameters, SDC_PARAMETER_RECODES), before))
		return false;
	other = sdc_rulelaw_of(parameters, before, rule->type.typid, rule->typmod, rule->type.collation);
	if (other == NULL)
		return false;
	sdc_rulelaw_continue(rule, other);
	return true;
}

/* sdc_recode_is_seen: see recode.h. */
bool
sdc_recode_is_seen(const SdcProtection *protection, const SdcAttribute *attribute)
{
	return attribute->passed && !sdc_recode_is(&protection->steps[attribute->step]);
}

/* sdc_recode_types_begin: see recode.h. */
SdcAttribute *
sdc_recode_types_begin(SdcSource *source)
{
	SdcAttribute *before = palloc(sizeof(SdcAttribute) * Max(source->attribute_count, 1));

	memcpy(before, source->attributes, sizeof(SdcAttribute) * source->attribute_count);
	for (int i = 0; i < source->attribute_count; i++)
	{
		SdcAttribute *attribute = &source->attributes[i];

		if (!attribute->passed)
			continue;
		sdc_rulevalue_type(attribute, attribute->release_type);
		attribute->release_type = InvalidOid;
	}
	return before;
}

/* sdc_recode_types_end: see recode.h. */
void
sdc_recode_types_end(SdcSource *source, SdcAttribute *before)
{
	for (int i = 0; i < source->attribute_count; i++)
	{
		SdcAttribute *attribute = &source->attributes[i];

		if (!attribute->passed || !OidIsValid(before[i].release_type))
			continue;
		attribute->passed_type = attribute->type;
		attribute->type = before[i].type;
		attribute->typmod = before[i].typmod;
		if (!OidIsValid(attribute->release_type))
			attribute->release_type = before[i].release_type;
	}
	pfree(before);
}

/*
 * count_changed counts the records with another value than in the source, in a column that was recoded first.  In a
 * column of another type a value is itself as a label, or as a range.
 */
static void
count_changed(SdcAttribute *attribute)
{
	bool		typed = OidIsValid(attribute->release_type);
	SdcType    *type = typed ? &attribute->passed_type : &attribute->type;
	SdcColumnReader *before = sdc_column_open(attribute->before);
	SdcColumnReader *after = sdc_column_open(attribute->column);
	uint64		records = sdc_column_count(attribute->column);
	MemoryContext scratch = AllocSetContextCreate(CurrentMemoryContext, "sdc changes", ALLOCSET_SMALL_SIZES);
	MemoryContext old = MemoryContextSwitchTo(scratch);

	attribute->changed = 0;
	for (uint64 r = 0; r < records; r++)
	{
		Datum		was;
		Datum		is;
		bool		had = sdc_column_next(before, &was);
		bool		has = sdc_column_next(after, &is);
		bool		same;

		sdc_interrupts_step(r);
		if (had && has && typed)
			was = sdc_rulevalue_level(attribute->rule, 0, was, false, &same);
		attribute->changed += had != has || (had && !sdc_type_equal(type, was, is));
		MemoryContextReset(scratch);
	}
	MemoryContextSwitchTo(old);
	MemoryContextDelete(scratch);
	sdc_column_close(before);
	sdc_column_close(after);
}

/* sdc_recode_recount: see recode.h. */
void
sdc_recode_recount(SdcSource *source)
{
	for (int i = 0; i < source->attribute_count; i++)
		if (source->attributes[i].before != NULL)
			source->attributes[i].changed = source->attributes[i].recoded =
				sdc_rulevalue_count(&source->attributes[i]);
}

/*
 * sdc_recode_compare: see recode.h.  A type that another step has made is a change by itself, and so is that of a
 * column that was recoded and nothing else.
 */
void
sdc_recode_compare(SdcSource *source)
{
	for (int i = 0; i < source->attribute_count; i++)
	{
		SdcAttribute *attribute = &source->attributes[i];

		if (attribute->before == NULL)
			continue;
		if (OidIsValid(attribute->release_type) &&
			(!attribute->passed || attribute->release_type != attribute->rule->release_type))
			attribute->changed = Max(attribute->changed, attribute->recoded);
		else
			count_changed(attribute);
		sdc_column_destroy(attribute->before);
		attribute->before = NULL;
	}
}
