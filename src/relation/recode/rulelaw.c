/*-------------------------------------------------------------------------
 *
 * rulelaw.c
 *		Rules as the catalog has them: with all that somebody needs who wants to know what they make of a value.
 *
 * A recoding hides nothing of how it is made: beside the rules the parameters have the thresholds and what values
 * beyond them became, as text, and the rows of tables.  So a measure makes of a value of the source what the recoding
 * did.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "relation/base/names.h"
#include "relation/catalog/methods.h"
#include "relation/recode/labeltable.h"
#include "relation/recode/rulelaw.h"
#include "relation/recode/rulevalue.h"
#include "relation/rights/trust.h"
#include "utils/guc.h"
#include "utils/json.h"
#include "utils/lsyscache.h"

/* The members of what was found of a column. */
static const char *const found_members[][3] = {
	[SDC_RULE_TOP] = {"top", "top_value", "top_coded"},
	[SDC_RULE_BOTTOM] = {"bottom", "bottom_value", "bottom_coded"}
};

/* sdc_rulelaw_value: see rulelaw.h. */
Datum
sdc_rulelaw_value(const SdcRule *rule, const char *text)
{
	int			nest = sdc_type_pin_settings();
	Oid			input;
	Oid			parameter;
	Datum		value;

	getTypeInputInfo(rule->type.base, &input, &parameter);
	value = OidInputFunctionCall(input, unconstify(char *, text), parameter, -1);
	AtEOXact_GUC(true, nest);
	return value;
}

/* sdc_rulelaw_check_order: see rulelaw.h. */
void
sdc_rulelaw_check_order(const SdcRule *rule)
{
	const SdcRuleCut *top = &rule->cut[SDC_RULE_TOP];
	const SdcRuleCut *bottom = &rule->cut[SDC_RULE_BOTTOM];

	if (top->known && bottom->known &&
		sdc_type_compare(unconstify(SdcType *, &rule->type), bottom->threshold, top->threshold) > 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("column \"%s\": the threshold of the bottom is above that of the top", rule->column),
				 errhint("Use a lower bottom or a higher top.")));
}

/* sdc_rulelaw_thresholds: see rulelaw.h. */
void
sdc_rulelaw_thresholds(SdcRule *rule)
{
	for (int side = SDC_RULE_TOP; side <= SDC_RULE_BOTTOM; side++)
	{
		SdcRuleCut *cut = &rule->cut[side];

		if (cut->text == NULL)
			continue;
		cut->threshold = cut->value = sdc_rulelaw_value(rule, cut->text);
		cut->known = true;
		if (!sdc_rulevalue_is_finite(&rule->type, cut->threshold))
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("column \"%s\": member \"%s\" is no finite value", rule->column, found_members[side][0])));
	}
	sdc_rulelaw_check_order(rule);
}

/* append_found appends what was found of a column; first: nothing stands before it. */
static void
append_found(StringInfo json, const SdcRule *rule, bool first)
{
	int			count = 0;

	appendStringInfoString(json, first ? "" : ", ");
	escape_json(json, rule->column);
	appendStringInfoString(json, ": {");
	for (int side = SDC_RULE_TOP; side <= SDC_RULE_BOTTOM; side++)
	{
		const SdcRuleCut *cut = &rule->cut[side];

		if (!cut->known)
			continue;
		appendStringInfo(json, "%s\"%s\": ", count++ == 0 ? "" : ", ", found_members[side][0]);
		escape_json(json, sdc_rulevalue_text(rule, cut->threshold));
		appendStringInfo(json, ", \"%s\": ", found_members[side][1]);
		escape_json(json, sdc_rulevalue_text(rule, cut->value));
		appendStringInfo(json, ", \"%s\": " UINT64_FORMAT, found_members[side][2], cut->coded);
	}
	appendStringInfoChar(json, '}');
}

/* has_found tells whether something was found of a column. */
static bool
has_found(const SdcRule *rule)
{
	return rule->cut[SDC_RULE_TOP].known || rule->cut[SDC_RULE_BOTTOM].known;
}

/* sdc_rulelaw_append_tables: see rulelaw.h. */
void
sdc_rulelaw_append_tables(StringInfo json, List *rules)
{
	ListCell   *cell;
	int			tables = 0;

	foreach(cell, rules)
	{
		SdcRule    *rule = lfirst(cell);

		if (rule == NULL || rule->kind != SDC_RULE_TABLE || rule->labels == NULL || rule->labels->value == NULL)
			continue;
		appendStringInfoString(json, tables++ == 0 ? ", \"" SDC_PARAMETER_TABLES "\": {" : ", ");
		escape_json(json, rule->column);
		appendStringInfoString(json, ": ");
		sdc_labeltable_describe(rule, json);
	}
	appendStringInfoString(json, tables > 0 ? "}" : "");
}

/* sdc_rulelaw_describe: see rulelaw.h. */
char *
sdc_rulelaw_describe(List *rules, const char *argument)
{
	List	   *relabelled = sdc_rule_columns(rules, true);
	StringInfoData json;
	ListCell   *cell;
	int			found = 0;

	initStringInfo(&json);
	appendStringInfo(&json, "{\"" SDC_PARAMETER_RECODES "\": %s", argument);
	if (relabelled != NIL)
	{
		appendStringInfoString(&json, ", \"" SDC_PARAMETER_RELABELLED "\": ");
		sdc_names_append_json(&json, relabelled);
	}
	foreach(cell, rules)
		if (has_found(lfirst(cell)))
		{
			appendStringInfoString(&json, found == 0 ? ", \"" SDC_PARAMETER_FOUND "\": {" : "");
			append_found(&json, lfirst(cell), found++ == 0);
		}
	appendStringInfoString(&json, found > 0 ? "}" : "");
	sdc_rulelaw_append_tables(&json, rules);
	appendStringInfoChar(&json, '}');
	return json.data;
}

/* restore_count reads how many records were coded; 0: nobody has said so. */
static uint64
restore_count(SdcParameters *found, const char *member)
{
	double		count = sdc_parameters_number(found, member);

	return count > 0 && count < PG_UINT32_MAX ? (uint64) count : 0;
}

/* restore_found reads what was found of a column; false: something is missing. */
static bool
restore_found(SdcRule *rule, SdcParameters *found)
{
	for (int side = SDC_RULE_TOP; side <= SDC_RULE_BOTTOM; side++)
	{
		SdcRuleCut *cut = &rule->cut[side];
		char	   *threshold = found == NULL ? NULL : sdc_parameters_text(found, found_members[side][0]);
		char	   *value = found == NULL ? NULL : sdc_parameters_text(found, found_members[side][1]);

		/* a column without values has no threshold of a percentage, and nothing that it could be compared with */
		if (cut->text == NULL && threshold == NULL)
			continue;
		if (threshold == NULL || value == NULL)
			return false;
		cut->threshold = sdc_rulelaw_value(rule, threshold);
		cut->value = sdc_rulelaw_value(rule, value);
		cut->coded = restore_count(found, found_members[side][2]);
		cut->known = true;
	}
	return true;
}

/* restore_rows reads the rows of the table of a column; false: there are none. */
static bool
restore_rows(SdcRule *rule, SdcParameters *tables)
{
	JsonbContainer *rows = sdc_parameters_array_of(sdc_parameters_find(tables, rule->column));

	if (rows == NULL)
		return false;
	sdc_labeltable_restore(rule, rows);
	return true;
}

/* restore reads what else a rule needs that was bound to its column; false: something is missing. */
static bool
restore(SdcRule *rule, SdcParameters *parameters)
{
	SdcParameters *found = sdc_parameters_inner(parameters, SDC_PARAMETER_FOUND);

	if (rule->kind == SDC_RULE_CODED)
		return restore_found(rule, found == NULL ? NULL : sdc_parameters_inner(found, rule->column));
	return rule->kind != SDC_RULE_TABLE || restore_rows(rule, sdc_parameters_inner(parameters, SDC_PARAMETER_TABLES));
}

/* sdc_rulelaw_same_rule: see rulelaw.h. */
bool
sdc_rulelaw_same_rule(SdcParameters *rules, const char *column, SdcParameters *others, const char *other)
{
	JsonbContainer *one = sdc_parameters_child(rules, column);
	JsonbContainer *two = sdc_parameters_child(others, other);

	return one == NULL || two == NULL ? one == two : compareJsonbContainers(one, two) == 0;
}

/* same_found tells whether the same was found of a column: thresholds, and what values beyond them became. */
static bool
same_found(SdcParameters *found, SdcParameters *other)
{
	for (int side = SDC_RULE_TOP; side <= SDC_RULE_BOTTOM; side++)
		for (int member = 0; member < 2; member++)
		{
			const char *one = sdc_parameters_text(found, found_members[side][member]);
			const char *two = sdc_parameters_text(other, found_members[side][member]);

			if (one == NULL || two == NULL ? one != two : strcmp(one, two) != 0)
				return false;
		}
	return true;
}

/* sdc_rulelaw_same: see rulelaw.h. */
bool
sdc_rulelaw_same(SdcParameters *parameters, const char *column, SdcParameters *others, const char *other)
{
	SdcParameters *found = sdc_parameters_inner(parameters, SDC_PARAMETER_FOUND);
	SdcParameters *other_found = sdc_parameters_inner(others, SDC_PARAMETER_FOUND);

	return sdc_rulelaw_same_rule(sdc_parameters_inner(parameters, SDC_PARAMETER_RECODES), column,
								 sdc_parameters_inner(others, SDC_PARAMETER_RECODES), other) &&
		sdc_rulelaw_same_rule(sdc_parameters_inner(parameters, SDC_PARAMETER_TABLES), column,
							  sdc_parameters_inner(others, SDC_PARAMETER_TABLES), other) &&
		same_found(sdc_parameters_inner(found, column), sdc_parameters_inner(other_found, other));
}

/* sdc_rulelaw_continue: see rulelaw.h. */
void
sdc_rulelaw_continue(SdcRule *rule, const SdcRule *before)
{
	memcpy(rule->cut, before->cut, sizeof(rule->cut));
	rule->labels = before->labels;
	rule->levels = before->levels;
	rule->continued = true;
}

/* sdc_rulelaw_of: see rulelaw.h. */
SdcRule *
sdc_rulelaw_of(SdcParameters *parameters, const char *column, Oid typid, int32 typmod, Oid collation)
{
	bool		hierarchies = sdc_parameters_has(parameters, SDC_PARAMETER_HIERARCHIES);
	const char *argument = hierarchies ? SDC_PARAMETER_HIERARCHIES : SDC_PARAMETER_RECODES;
	SdcParameters *rules = sdc_parameters_inner(parameters, argument);
	SdcRule    *rule = NULL;

	if (rules != NULL && sdc_parameters_inner(rules, column) != NULL)
		rule = sdc_rule_find(sdc_rule_read(rules, hierarchies, argument), column);
	else if (hierarchies)
		rule = sdc_rule_plain(column);
	if (rule == NULL)
		return NULL;
	sdc_rule_bind(rule, typid, typmod, collation);
	return restore(rule, parameters) ? rule : NULL;
}
