/*-------------------------------------------------------------------------
 *
 * rulelevels.c
 *		What the values of a column become at every level of a hierarchy, numbered.
 *
 * Two values are one node of a level where the release has equal values for them.  A missing value, and a missing code
 * that no table has, are a node of their own at every level.
 *
 * Memory: four bytes a value and level, and the labels of one level.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_collation.h"
#include "kernel/base/kernel_env.h"
#include "miscadmin.h"
#include "relation/base/memory.h"
#include "relation/recode/labeltable.h"
#include "relation/recode/rulecheck.h"
#include "relation/recode/rulelevels.h"
#include "relation/recode/rulevalue.h"
#include "utils/memutils.h"

/* check insists on a hierarchy. */
static void
check(const SdcRule *rule, const SdcCodeList *list, const SdcDictionaryCodes *coding, bool mixed)
{
	SdcRuleValues values = sdc_rulecheck_values(list->dictionary, coding, list->code, list->count);
	SdcDictionaryCodes plain = *coding;
	SdcRuleLevel *level;

	/* a table need not have missing codes */
	plain.codes = plain.values;
	values.coding = &plain;
	sdc_rulecheck_stars(rule, &values);
	if (rule->kind == SDC_RULE_PLAIN)
		return;
	level = sdc_rulecheck_levels(rule, &values);
	for (int h = 0; h < rule->levels; h++)
		if (level[h].values_without > 0 || level[h].twice > 0 || level[h].nulls > 0 || level[h].parents > 0 ||
			(mixed && level[h].ambiguous > 0))
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("argument \"hierarchies\", column \"%s\": level %d is none of a hierarchy", rule->column,
							h + 1),
					 errdetail("Values without a label: %u, in " UINT64_FORMAT " records; values in several rows: %u; rows without a label: %u; labels with several on the next level: %u; labels that stand for other values on another level: %u.",
							   level[h].values_without, level[h].records_without, level[h].twice, level[h].nulls,
							   level[h].parents, level[h].ambiguous),
					 errhint("sdc_hierarchy_check counts what is wrong with all levels.")));
	sdc_free(values.records);
}

/* is_apart tells whether a code is of a missing code that no label stands for. */
static bool
is_apart(const SdcRule *rule, const SdcDictionaryCodes *coding, uint32 code, Datum value)
{
	return code >= coding->values &&
		(rule->kind != SDC_RULE_TABLE || sdc_labeltable_find(rule, value) == rule->labels->rows);
}

/* number_level numbers what the values become at a level; codes has the missing value, too. */
static void
number_level(const SdcRule *rule, uint32 level, const SdcDictionary *dictionary, const SdcDictionaryCodes *coding,
			 uint32 codes, uint32 *node)
{
	MemoryContext scratch = AllocSetContextCreate(CurrentMemoryContext, "sdc level", ALLOCSET_DEFAULT_SIZES);
	uint32	   *classes;
	SdcDictionary *labels;
	SdcType		type;
	uint32		count;

	sdc_type_lookup(&type, rule->release_type, C_COLLATION_OID);
	labels = sdc_dictionary_create(&type);
	for (uint32 c = 0; c < codes; c++)
	{
		Datum		value = c < coding->codes ? sdc_dictionary_value(dictionary, coding->number[c]) : 0;
		MemoryContext old = MemoryContextSwitchTo(scratch);
		bool		apart = c == coding->codes || is_apart(rule, coding, c, value);
		bool		same;
		Datum		label = apart ? 0 : sdc_rulevalue_level(rule, level, value, c >= coding->values, &same);

		MemoryContextSwitchTo(old);
		node[c] = apart ? SDC_CODE_NULL : sdc_dictionary_number(labels, label);
		MemoryContextReset(scratch);
		sdc_interrupts_step(c);
	}
	count = sdc_dictionary_count(labels);
	classes = count == 0 ? NULL : sdc_dictionary_classes(labels, &count);
	for (uint32 c = 0; c < codes; c++)
		if (node[c] == SDC_CODE_NULL)
			node[c] = count++;
		else if (classes != NULL)
			node[c] = classes[node[c]];
	sdc_dictionary_destroy(labels);
	MemoryContextDelete(scratch);
}

/* is_one tells whether all values are one node. */
static bool
is_one(const uint32 *node, uint32 values)
{
	uint32		c = 1;

	while (c < values && node[c] == node[0])
		c++;
	return c >= values;
}

/* sdc_rulelevels_number: see rulelevels.h. */
void
sdc_rulelevels_number(const SdcRule *rule, const SdcCodeList *list, const SdcDictionaryCodes *coding, bool mixed,
					  SdcRuleLevels *result)
{
	bool		missing = false;

	for (uint64 i = 0; i < list->count && !missing; i++)
	{
		missing = list->code[i] == SDC_CODE_NULL;
		sdc_interrupts_step(i);
	}
	result->levels = 0;
	result->codes = coding->codes + (missing ? 1 : 0);
	if (rule == NULL)
		return;
	check(rule, list, coding, mixed);
	result->levels = (uint32) rule->levels + 1;
	result->node = palloc(sizeof(uint32 *) * result->levels);
	for (uint32 h = 0; h < result->levels; h++)
	{
		result->node[h] = sdc_memory_array(Max(result->codes, 1), sizeof(uint32));
		number_level(rule, h, list->dictionary, coding, result->codes, result->node[h]);
	}
	while (result->levels > 1 && is_one(result->node[result->levels - 1], coding->values))
		result->levels--;
}
