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
	uint32	   *row;			/* of each value of the column its row of the table, or count; NULL: no table */
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

/* has_texts tells whether a rule makes labels of texts, which values can be themselves. */
static bool
has_texts(const SdcRule *rule)
{
	return rule->form == SDC_RULE_LABEL && sdc_type_is_text(rule->type.base);
}

/* is_star tells whether a value is the label of everything. */
static bool
is_star(const SdcRule *rule, Datum value)
{
	text	   *written = DatumGetTextPP(sdc_type_text(rule->type.base, value));
	bool		star = sdc_rule_is_everything(written);

	if ((Pointer) written != DatumGetPointer(value))
		pfree(written);
	return star;
}

/* refuse_stars raises the error for values that mean everything, if there are any. */
static void
refuse_stars(const SdcRule *rule, uint64 records)
{
	if (records == 0)
		return;
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg_plural("column \"%s\": the value of " UINT64_FORMAT " record is \"" SDC_RULE_EVERYTHING "\"",
						   "column \"%s\": the value of " UINT64_FORMAT " records is \"" SDC_RULE_EVERYTHING "\"",
						   (unsigned long) records, rule->column, records),
			 errdetail("That means everything."),
			 errhint("Write the value in another way, in a view.")));
}

/* sdc_rulecheck_stars: see rulecheck.h. */
void
sdc_rulecheck_stars(const SdcRule *rule, const SdcRuleValues *values)
{
	uint64		records = 0;

	for (uint32 c = 0; c < values->coding->codes && has_texts(rule); c++)
	{
		sdc_interrupts_step(c);
		records += is_star(rule, sdc_rulecheck_value(values, c)) ? values->records[c] : 0;
	}
	refuse_stars(rule, records);
}

/* sdc_rulecheck_column: see rulecheck.h. */
void
sdc_rulecheck_column(const SdcRule *rule, SdcColumn *column)
{
	SdcColumnReader *reader;
	uint64		count = sdc_column_count(column);
	uint64		records = 0;

	if (!has_texts(rule))
		return;
	reader = sdc_column_open(column);
	for (uint64 r = 0; r < count; r++)
	{
		Datum		value;

		sdc_interrupts_step(r);
		records += sdc_column_next(reader, &value) && is_star(rule, value);
	}
	sdc_column_close(reader);
	refuse_stars(rule, records);
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
		*label = sdc_type_text(rule->type.base, value_of(checking, number));
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
		{
			sdc_interrupts_step(i);
			if (checking->label[h][i] != NO_LABEL)
				checking->label[h][i] = classes[checking->label[h][i]];
		}
	sdc_dictionary_destroy(dictionary);
	MemoryContextDelete(scratch);
}

/* same_value tells whether a row of a table has the value of the one before. */
static bool
same_value(const SdcRule *rule, uint32 row)
{
	SdcType    *type = unconstify(SdcType *, &rule->type);

	return row > 0 && sdc_type_compare(type, rule->labels->value[row - 1], rule->labels->value[row]) == 0;
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

			sdc_interrupts_step(i);
			if (label == NO_LABEL || (checking->rule->kind == SDC_RULE_TABLE && same_value(checking->rule, i)))
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

		sdc_interrupts_step(a);
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

		sdc_interrupts_step(i);
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

/* sdc_rulecheck_rows: see rulecheck.h. */
void
sdc_rulecheck_rows(const SdcRule *rule, const SdcRuleValues *values, SdcRuleLevel *result)
{
	const SdcLabelTable *table = rule->labels;

	for (uint32 i = 0; i < table->rows; i++)
	{
		sdc_interrupts_step(i);
		result->twice += same_value(rule, i) && !(i > 1 && same_value(rule, i - 1));
	}
	for (uint32 c = 0; c < values->coding->codes; c++)
	{
		sdc_interrupts_step(c);
		if (sdc_labeltable_find(rule, sdc_rulecheck_value(values, c)) < table->rows)
			continue;
		result->values_without++;
		result->records_without += values->records[c];
	}
}

/* sdc_rulecheck_nulls: see rulecheck.h. */
uint32
sdc_rulecheck_nulls(const SdcRule *rule, int level)
{
	const SdcLabelTable *table = rule->labels;
	uint32		nulls = 0;

	for (uint32 i = 0; i < table->rows; i++)
	{
		sdc_interrupts_step(i);
		nulls += sdc_labeltable_label(table, i, level) == NULL;
	}
	return nulls;
}

/* count_labels counts the different labels that the values of the column have on a level. */
static uint32
count_labels(const Checking *checking, int level)
{
	bool	   *seen = sdc_memory_zeros(checking->labels, sizeof(bool));
	uint32		labels = 0;

	for (uint32 c = 0; c < checking->values->coding->codes; c++)
	{
		uint32		number = checking->row == NULL ? c : checking->row[c];
		uint32		label = number == checking->count ? NO_LABEL : checking->label[level][number];

		sdc_interrupts_step(c);
		if (label == NO_LABEL || seen[label])
			continue;
		seen[label] = true;
		labels++;
	}
	sdc_free(seen);
	return labels;
}

/* find_rows finds the row of each value of the column in the table of a rule. */
static uint32 *
find_rows(const SdcRule *rule, const SdcRuleValues *values)
{
	uint32	   *row = sdc_memory_array(values->coding->codes, sizeof(uint32));

	for (uint32 c = 0; c < values->coding->codes; c++)
	{
		sdc_interrupts_step(c);
		row[c] = sdc_labeltable_find(rule, sdc_rulecheck_value(values, c));
	}
	return row;
}

/* sdc_rulecheck_levels: see rulecheck.h. */
SdcRuleLevel *
sdc_rulecheck_levels(const SdcRule *rule, const SdcRuleValues *values)
{
	Checking	checking = {.rule = rule, .values = values, .texts = has_texts(rule)};
	SdcRuleLevel *level = palloc0(sizeof(SdcRuleLevel) * rule->levels);
	bool		table = rule->kind == SDC_RULE_TABLE;
	SdcRuleLevel rows = {0};

	checking.count = table ? rule->labels->rows : values->coding->codes;
	checking.row = table ? find_rows(rule, values) : NULL;
	number_labels(&checking);
	find_sets(&checking);
	if (table)
		sdc_rulecheck_rows(rule, values, &rows);
	for (int h = 1; h <= rule->levels; h++)
	{
		level[h - 1] = rows;
		level[h - 1].labels = count_labels(&checking, h);
		level[h - 1].parents = count_parents(&checking, h);
		level[h - 1].ambiguous = count_ambiguous(&checking, h);
		level[h - 1].nulls = table ? sdc_rulecheck_nulls(rule, h - 1) : 0;
	}
	for (int h = 0; h <= rule->levels; h++)
	{
		sdc_free(checking.label[h]);
		sdc_free(checking.set[h]);
	}
	if (table)
		sdc_free(checking.row);
	return level;
}
