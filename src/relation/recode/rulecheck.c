/*-------------------------------------------------------------------------
 *
 * rulecheck.c
 *		Whether a hierarchy is one, for the values that a column has.
 *
 * What a table says of values is looked at row by row, also of values that the column does not have; the other rules
 * are functions of the values of the column.  The values are numbered either way, and so are all labels, which are
 * compared as their type compares them.
 *
 * Memory: four bytes a value and level, 24 bytes a label and level.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_collation.h"
#include "catalog/pg_type.h"
#include "common/hashfn.h"
#include "kernel/base/kernel_env.h"
#include "miscadmin.h"
#include "relation/base/memory.h"
#include "relation/recode/labeltable.h"
#include "relation/recode/rulecheck.h"
#include "relation/recode/rulevalue.h"
#include "utils/builtins.h"
#include "utils/memutils.h"

#define NO_LABEL PG_UINT32_MAX

/* The values that a label stands for on a level, as their number and the sum of their hashes. */
typedef struct LabelSet
{
	uint64		values;
	uint64		sum;
} LabelSet;

/* A hierarchy that is looked at. */
typedef struct Checking
{
	const SdcRule *rule;
	const SdcRuleValues *values;
	uint32		count;			/* values that are looked at: those of the table, or of the column */
	bool		texts;			/* values can be labels themselves, on level 0 */
	uint32	  **label;			/* by level, from 0, and value: the number of its label, or NO_LABEL */
	uint32		labels;			/* different ones on all levels */
	LabelSet  **set;			/* by level and label */
} Checking;

/* sdc_rulecheck_values: see rulecheck.h. */
SdcRuleValues
sdc_rulecheck_values(const SdcDictionary *dictionary, const SdcDictionaryCodes *coding, const uint32 *code,
					 uint64 records)
{
	SdcRuleValues values = {dictionary, coding, sdc_memory_zeros(coding->codes, sizeof(uint64))};

	for (uint64 i = 0; i < records; i++)
	{
		if (code[i] != SDC_CODE_NULL)
			values.records[code[i]]++;
		sdc_interrupts_step(i);
	}
	return values;
}

/* is_text tells whether a column has texts. */
static bool
is_text(const SdcRule *rule)
{
	return rule->type.base == TEXTOID || rule->type.base == VARCHAROID || rule->type.base == BPCHAROID;
}

/* sdc_rulecheck_stars: see rulecheck.h. */
void
sdc_rulecheck_stars(const SdcRule *rule, const SdcRuleValues *values)
{
	uint64		records = 0;

	if (rule->form != SDC_RULE_LABEL || !is_text(rule))
		return;
	for (uint32 c = 0; c < values->coding->codes; c++)
	{
		Datum		value = sdc_rulecheck_value(values, c);
		char	   *written;

		if (rule->type.base == BPCHAROID)
			value = DirectFunctionCall1(rtrim1, value);
		written = TextDatumGetCString(value);
		if (strcmp(written, SDC_RULE_EVERYTHING) == 0)
			records += values->records[c];
		pfree(written);
		sdc_interrupts_step(c);
	}
	if (records > 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg_plural("column \"%s\": the value of " UINT64_FORMAT " record is \"" SDC_RULE_EVERYTHING "\"",
							   "column \"%s\": the value of " UINT64_FORMAT " records is \"" SDC_RULE_EVERYTHING "\"",
							   (unsigned long) records, rule->column, records),
				 errdetail("That means everything."),
				 errhint("Write the value in another way, in a view.")));
}

/* value_of returns a value that is looked at. */
static Datum
value_of(const Checking *checking, uint32 number)
{
	return checking->rule->kind == SDC_RULE_TABLE ? checking->rule->labels->value[number] :
		sdc_rulecheck_value(checking->values, number);
}

/* label_of returns what a value becomes on a level, or the value itself as a label; false: there is none. */
static bool
label_of(const Checking *checking, int level, uint32 number, Datum *label)
{
	const SdcRule *rule = checking->rule;
	bool		isnull;
	bool		same;

	if (level == 0)
	{
		*label = rule->type.base == BPCHAROID ? DirectFunctionCall1(rtrim1, value_of(checking, number)) :
			value_of(checking, number);
		return checking->texts;
	}
	if (rule->kind == SDC_RULE_TABLE)
	{
		*label = PointerGetDatum(sdc_labeltable_label(rule->labels, number, level - 1));
		return DatumGetPointer(*label) != NULL;
	}
	*label = sdc_rulevalue_of(rule, level - 1, value_of(checking, number), &isnull, &same);
	return !isnull;
}

/* number_labels numbers the labels of all levels. */
static void
number_labels(Checking *checking)
{
	int			levels = checking->rule->levels;
	SdcType		type;
	SdcDictionary *dictionary;
	uint32	   *classes;
	MemoryContext scratch = AllocSetContextCreate(CurrentMemoryContext, "sdc labels", ALLOCSET_DEFAULT_SIZES);

	sdc_type_lookup(&type, checking->rule->release_type, C_COLLATION_OID);
	dictionary = sdc_dictionary_create(&type);
	checking->label = palloc(sizeof(uint32 *) * (levels + 1));
	for (int h = 0; h <= levels; h++)
	{
		checking->label[h] = sdc_memory_array(checking->count, sizeof(uint32));
		for (uint32 i = 0; i < checking->count; i++)
		{
			MemoryContext old = MemoryContextSwitchTo(scratch);
			Datum		label;
			bool		has = label_of(checking, h, i, &label);

			MemoryContextSwitchTo(old);
			checking->label[h][i] = has ? sdc_dictionary_number(dictionary, label) : NO_LABEL;
			MemoryContextReset(scratch);
			sdc_interrupts_step(i);
		}
	}
	checking->labels = sdc_dictionary_count(dictionary);
	classes = checking->labels == 0 ? NULL : sdc_dictionary_classes(dictionary, &checking->labels);
	for (int h = 0; h <= levels && classes != NULL; h++)
		for (uint32 i = 0; i < checking->count; i++)
			if (checking->label[h][i] != NO_LABEL)
				checking->label[h][i] = classes[checking->label[h][i]];
	sdc_dictionary_destroy(dictionary);
	MemoryContextDelete(scratch);
}

/* same_value tells whether a row of a table has the value of the one before. */
static bool
same_value(const Checking *checking, uint32 number)
{
	SdcType    *type = unconstify(SdcType *, &checking->rule->type);

	return checking->rule->kind == SDC_RULE_TABLE && number > 0 &&
		sdc_type_compare(type, value_of(checking, number - 1), value_of(checking, number)) == 0;
}

/* find_sets finds the values that every label stands for on each level; of one in several rows the first counts. */
static void
find_sets(Checking *checking)
{
	checking->set = palloc(sizeof(LabelSet *) * (checking->rule->levels + 1));
	for (int h = 0; h <= checking->rule->levels; h++)
	{
		checking->set[h] = sdc_memory_zeros(checking->labels, sizeof(LabelSet));
		for (uint32 i = 0; i < checking->count; i++)
		{
			uint32		label = checking->label[h][i];

			if (label == NO_LABEL || same_value(checking, i))
				continue;
			checking->set[h][label].values++;
			checking->set[h][label].sum += hash_bytes_uint32_extended(i, 0);
		}
	}
}

/* count_ambiguous counts the labels of a level that stand for other values on another one. */
static uint32
count_ambiguous(const Checking *checking, int level)
{
	uint32		ambiguous = 0;

	for (uint32 a = 0; a < checking->labels; a++)
	{
		const LabelSet *set = &checking->set[level][a];
		bool		differs = false;

		for (int h = 0; h <= checking->rule->levels && set->values > 0; h++)
		{
			const LabelSet *other = &checking->set[h][a];

			differs |= other->values > 0 && (other->values != set->values || other->sum != set->sum);
		}
		ambiguous += differs;
	}
	return ambiguous;
}

/* count_parents counts the labels of a level whose values have several labels on the next one. */
static uint32
count_parents(const Checking *checking, int level)
{
	uint32	   *parent = sdc_memory_array(checking->labels, sizeof(uint32));
	bool	   *several = sdc_memory_zeros(checking->labels, sizeof(bool));
	uint32		parents = 0;

	for (uint32 a = 0; a < checking->labels; a++)
		parent[a] = NO_LABEL;
	for (uint32 i = 0; i < checking->count && level < checking->rule->levels; i++)
	{
		uint32		label = checking->label[level][i];
		uint32		above = checking->label[level + 1][i];

		if (label == NO_LABEL || above == NO_LABEL)
			continue;
		if (parent[label] == NO_LABEL)
			parent[label] = above;
		several[label] |= parent[label] != above;
	}
	for (uint32 a = 0; a < checking->labels; a++)
		parents += several[a];
	sdc_free(parent);
	sdc_free(several);
	return parents;
}

/* count_rows counts what is wrong with the rows of a table. */
static void
count_rows(const Checking *checking, int level, SdcRuleLevel *result)
{
	const SdcRuleValues *values = checking->values;

	for (uint32 i = 0; i < checking->count; i++)
	{
		result->nulls += checking->label[level][i] == NO_LABEL;
		result->twice += same_value(checking, i) && !(i > 1 && same_value(checking, i - 1));
		sdc_interrupts_step(i);
	}
	for (uint32 c = 0; c < values->coding->codes; c++)
		if (sdc_labeltable_find(checking->rule, sdc_rulecheck_value(values, c)) == checking->rule->labels->rows)
		{
			result->values_without++;
			result->records_without += values->records[c];
		}
}

/* count_labels counts the different labels that the values of the column have on a level. */
static uint32
count_labels(const Checking *checking, int level)
{
	bool	   *seen = sdc_memory_zeros(checking->labels, sizeof(bool));
	uint32		labels = 0;

	for (uint32 c = 0; c < checking->values->coding->codes; c++)
	{
		uint32		number = checking->rule->kind != SDC_RULE_TABLE ? c :
			sdc_labeltable_find(checking->rule, sdc_rulecheck_value(checking->values, c));
		uint32		label = number == checking->count ? NO_LABEL : checking->label[level][number];

		if (label == NO_LABEL || seen[label])
			continue;
		seen[label] = true;
		labels++;
	}
	sdc_free(seen);
	return labels;
}

/* sdc_rulecheck_levels: see rulecheck.h. */
SdcRuleLevel *
sdc_rulecheck_levels(const SdcRule *rule, const SdcRuleValues *values)
{
	Checking	checking = {.rule = rule, .values = values, .texts = is_text(rule) && rule->form == SDC_RULE_LABEL};
	SdcRuleLevel *level = palloc0(sizeof(SdcRuleLevel) * rule->levels);

	checking.count = rule->kind == SDC_RULE_TABLE ? rule->labels->rows : values->coding->codes;
	number_labels(&checking);
	find_sets(&checking);
	for (int h = 1; h <= rule->levels; h++)
	{
		level[h - 1].labels = count_labels(&checking, h);
		level[h - 1].parents = count_parents(&checking, h);
		level[h - 1].ambiguous = count_ambiguous(&checking, h);
		if (rule->kind == SDC_RULE_TABLE)
			count_rows(&checking, h, &level[h - 1]);
	}
	for (int h = 0; h <= rule->levels; h++)
	{
		sdc_free(checking.label[h]);
		sdc_free(checking.set[h]);
	}
	return level;
}
