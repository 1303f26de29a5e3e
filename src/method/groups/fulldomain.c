/*-------------------------------------------------------------------------
 *
 * fulldomain.c
 *		Generalizing values to levels of hierarchies: one for all values of a column, or by group.
 *
 * Groups that are cut have the lowest node of their records in every column with a hierarchy (kernel/partition/cuts.h);
 * the other columns have ranges and sets, as ever.  Otherwise every column has one level for all records of a stratum,
 * the best one that a kernel finds (kernel/partition/lattice.h), and suppressed records have everything in all columns.
 * Numbers, dates and times become ranges, all else labels.
 *
 * Memory: four bytes a value and level, what the kernel takes, and a byte a record.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "kernel/base/kernel_env.h"
#include "kernel/partition/cuts.h"
#include "method/groups/fulldomain.h"
#include "miscadmin.h"
#include "relation/base/memory.h"
#include "relation/base/names.h"
#include "relation/base/progress.h"
#include "relation/base/shortest.h"
#include "relation/catalog/methods.h"
#include "relation/column/grouprecords.h"
#include "relation/recode/labeltable.h"
#include "relation/recode/rulelaw.h"
#include "relation/recode/rulevalue.h"
#include "utils/datum.h"
#include "utils/json.h"

/* ------------------------------------------------------------------------
 * The plan
 * ------------------------------------------------------------------------
 */

/* check_columns insists on hierarchies of quasi-identifiers. */
static void
check_columns(const SdcPartitionRequest *request)
{
	ListCell   *cell;

	foreach(cell, request->domain->hierarchies)
	{
		const char *column = ((const SdcRule *) lfirst(cell))->column;

		if (!sdc_names_have(request->qi, column))
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("column \"%s\" has a hierarchy, and is not named in argument \"qi\"", column)));
	}
}

/* bind_rules finds the hierarchy of every quasi-identifier, and binds it to its column. */
static List *
bind_rules(const SdcPartitionRequest *request, SdcSource *source)
{
	List	   *rules = NIL;
	ListCell   *cell;

	foreach(cell, request->qi)
	{
		SdcAttribute *attribute = &source->attributes[sdc_source_find_attribute(source, lfirst(cell), "qi")];
		SdcRule    *rule = sdc_rule_find(request->domain->hierarchies, lfirst(cell));

		if (rule == NULL && request->domain->cuts)
		{
			rules = lappend(rules, NULL);
			continue;
		}
		if (rule == NULL)
			rule = sdc_rule_plain(lfirst(cell));
		sdc_rule_bind(rule, attribute->type.typid, attribute->typmod, attribute->type.collation);
		if (rule->kind == SDC_RULE_TABLE)
			sdc_labeltable_plan(rule);
		attribute->release_type = rule->release_type;
		rules = lappend(rules, rule);
	}
	return rules;
}

/* sdc_fulldomain_plan: see fulldomain.h. */
void
sdc_fulldomain_plan(const SdcPartitionRequest *request, SdcSource *source)
{
	check_columns(request);
	(void) bind_rules(request, source);
}

/* ------------------------------------------------------------------------
 * Groups
 * ------------------------------------------------------------------------
 */

/* sdc_fulldomain_begin: see fulldomain.h. */
SdcFullDomain *
sdc_fulldomain_begin(const SdcPartitionRequest *request, SdcSource *source, const SdcPartition *partition,
					 uint32 strata)
{
	SdcFullDomain *domain = palloc0(sizeof(SdcFullDomain));
	uint64		nodes = 1;
	SdcProgress before;
	ListCell   *cell;

	domain->request = request->domain;
	domain->rules = bind_rules(request, source);
	sdc_progress_save(&before);
	foreach(cell, domain->rules)
		if (lfirst(cell) != NULL && ((SdcRule *) lfirst(cell))->kind == SDC_RULE_TABLE)
			sdc_labeltable_read(lfirst(cell));
	sdc_progress_restore(&before);
	domain->levels = palloc0(sizeof(SdcRuleLevels) * partition->attributes);
	domain->strata = strata;
	domain->level = sdc_memory_zeros((uint64) strata * partition->attributes, sizeof(uint32));
	domain->loss = palloc0(sizeof(double) * partition->attributes);
	domain->suppressed = sdc_memory_zeros(partition->records, sizeof(bool));
	foreach(cell, domain->rules)
	{
		int			c = foreach_current_index(cell);
		const SdcPartitionColumn *column = &partition->qi[c];

		sdc_rulelevels_number(lfirst(cell), column->list, &column->coding, request->domain->cuts, &domain->levels[c]);
		nodes = nodes > SDC_LATTICE_NODES ? nodes : nodes * (domain->levels[c].levels + 1);
	}
	if (nodes > SDC_LATTICE_NODES && !request->domain->cuts)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("the hierarchies have more than %d combinations of levels", SDC_LATTICE_NODES),
				 errhint("Use fewer levels, or fewer columns in \"qi\".")));
	return domain;
}

/* with_missing returns the codes of a column, the missing value being the last one. */
static uint32 *
with_missing(const SdcPartitionColumn *column, uint32 records)
{
	uint32	   *code = sdc_memory_array(records, sizeof(uint32));

	for (uint32 i = 0; i < records; i++)
	{
		sdc_interrupts_step(i);
		code[i] = column->list->code[i] == SDC_CODE_NULL ? column->coding.codes : column->list->code[i];
	}
	return code;
}

/* fill_columns describes the quasi-identifiers for the kernel. */
static SdcLatticeColumn *
fill_columns(const SdcFullDomain *domain, const SdcPartition *partition)
{
	SdcLatticeColumn *column = palloc0(sizeof(SdcLatticeColumn) * partition->attributes);

	for (int c = 0; c < partition->attributes; c++)
	{
		column[c].code = with_missing(&partition->qi[c], partition->records);
		column[c].codes = domain->levels[c].codes;
		column[c].levels = domain->levels[c].levels;
		column[c].node = domain->levels[c].node;
		column[c].importance = domain->request->importance == NULL ? 1 : domain->request->importance[c];
	}
	return column;
}

/* fill_sensitive describes the sensitive column, with its records in the source. */
static void
fill_sensitive(SdcGroupCondition *condition, const SdcPartitionColumn *sensitive, uint32 records, SdcCodedColumn *coded)
{
	uint64	   *total;

	if (sensitive == NULL)
		return;
	coded->code = with_missing(sensitive, records);
	coded->codes = sensitive->coding.codes + 1;
	total = sdc_memory_zeros(coded->codes, sizeof(uint64));
	for (uint32 i = 0; i < records; i++)
	{
		sdc_interrupts_step(i);
		total[coded->code[i]]++;
	}
	condition->sensitive = coded;
	condition->total = total;
}

/* demand_columns demands what is demanded of columns; combination NULL: k records that agree in all. */
static SdcLatticeDemand
demand_columns(const SdcPartition *partition, const SdcSuppressDemand *combination, uint32 k)
{
	int		   *column = palloc(sizeof(int) * partition->attributes);
	int			columns = 0;

	for (int c = 0; c < partition->attributes; c++)
		if (combination == NULL || (combination->columns >> c & 1) != 0)
			column[columns++] = c;
	return (SdcLatticeDemand) {column, columns, combination == NULL ? k : combination->k};
}

/* fill_demands lists what is demanded for the kernel. */
static void
fill_demands(SdcLatticeTask *task, const SdcPartitionRequest *request, const SdcPartition *partition)
{
	const SdcCombinations *sets = &request->domain->combinations;
	SdcLatticeDemand *demand = sdc_memory_array(Max(sets->count, 1), sizeof(SdcLatticeDemand));

	demand[0] = demand_columns(partition, NULL, Max(request->k, 1));
	for (int d = 0; d < sets->count; d++)
		demand[d] = demand_columns(partition, &sets->demand[d], 0);
	task->demand = demand;
	task->demands = Max(sets->count, 1);
}

/* take_result keeps what came of a stratum. */
static void
take_result(SdcFullDomain *domain, const SdcPartition *partition, const SdcLatticeTask *task,
			const SdcLatticeResult *result)
{
	double		share = (double) task->records / partition->records;

	for (int c = 0; c < partition->attributes; c++)
		domain->loss[c] += share * result->column_loss[c];
	domain->release_loss += share * result->loss;
	domain->suppressed_count += result->suppressed;
	for (uint32 i = 0; i < task->records && result->suppressed > 0; i++)
	{
		uint32		record = task->record == NULL ? i : task->record[i];

		sdc_interrupts_step(i);
		domain->suppressed[record] = partition->group[record] == result->suppressed_group;
	}
}

/* cut_groups cuts the records of a stratum along hierarchies. */
static uint32
cut_groups(const SdcLatticeTask *task, SdcPartition *partition)
{
	SdcCutsTask cuts = {task->column, task->columns, task->record, task->records, task->demand->k, task->condition};

	return sdc_cuts(&cuts, partition->groups, partition->group);
}

/* count_codes counts the codes of every node of a level. */
static uint32 *
count_codes(const SdcRuleLevels *levels, uint32 level)
{
	uint32	   *size = sdc_memory_zeros(Max(levels->codes, 1), sizeof(uint32));

	for (uint32 c = 0; c < levels->codes; c++)
		size[levels->node[level][c]]++;
	return size;
}

/* find_levels finds the lowest node of every group in a column, and what the records lose. */
static void
find_levels(SdcFullDomain *domain, const SdcPartition *partition, int c)
{
	const SdcRuleLevels *levels = &domain->levels[c];
	uint32	   *code = with_missing(&partition->qi[c], partition->records);
	uint32	   *first = sdc_memory_array(partition->groups, sizeof(uint32));
	uint32	  **size = palloc(sizeof(uint32 *) * levels->levels);
	uint64		spread = 0;

	for (uint32 r = partition->records; r-- > 0;)
		first[partition->group[r]] = code[r];
	for (uint32 r = 0; r < partition->records; r++)
	{
		uint32		group = partition->group[r];
		uint32	   *level = &domain->level[(uint64) group * partition->attributes + c];

		sdc_interrupts_step(r);
		while (*level < levels->levels && levels->node[*level][code[r]] != levels->node[*level][first[group]])
			(*level)++;
	}
	for (uint32 h = 0; h < levels->levels; h++)
		size[h] = count_codes(levels, h);
	for (uint32 r = 0; r < partition->records; r++)
	{
		uint32		level = domain->level[(uint64) partition->group[r] * partition->attributes + c];

		spread += (level == levels->levels ? levels->codes : size[level][levels->node[level][code[r]]]) - 1;
	}
	domain->loss[c] = levels->codes < 2 ? 0 : (double) spread / (levels->codes - 1) / partition->records;
	for (uint32 h = 0; h < levels->levels; h++)
		sdc_free(size[h]);
	sdc_free(code);
	sdc_free(first);
}

/* sdc_fulldomain_levels: see fulldomain.h. */
void
sdc_fulldomain_levels(SdcPartition *partition)
{
	SdcFullDomain *domain = partition->domain;

	if (!domain->request->cuts)
		return;
	domain->level = sdc_memory_zeros((uint64) partition->groups * partition->attributes, sizeof(uint32));
	for (int c = 0; c < partition->attributes; c++)
		if (sdc_fulldomain_has(partition, c))
			find_levels(domain, partition, c);
}

/* sdc_fulldomain_has: see fulldomain.h. */
bool
sdc_fulldomain_has(const SdcPartition *partition, int number)
{
	return partition->domain != NULL && list_nth(partition->domain->rules, number) != NULL;
}

/* sdc_fulldomain_group: see fulldomain.h. */
uint32
sdc_fulldomain_group(SdcFullDomain *domain, const SdcPartitionRequest *request, SdcPartition *partition,
					 const SdcPartitionColumn *sensitive, uint32 stratum, const uint32 *record, uint32 records)
{
	SdcLatticeColumn *column = fill_columns(domain, partition);
	SdcCodedColumn coded;
	SdcLatticeTask task = {.column = column, .columns = partition->attributes, .record = record, .records = records,
	.condition = {NULL, request->l, domain->request->t, domain->request->ordered, NULL}};
	SdcLatticeResult result = {.level = domain->level + (uint64) stratum * partition->attributes,
	.column_loss = palloc(sizeof(double) * partition->attributes)};
	bool		found;

	fill_demands(&task, request, partition);
	fill_sensitive(&task.condition, sensitive, partition->records, &coded);
	if (domain->request->cuts)
		return cut_groups(&task, partition);
	/* so that a percentage is not cut that is whole but for its binary form */
	task.allowed = (uint32) floor(domain->request->suppress_percent * records / 100 + 1e-9);
	found = sdc_lattice(&task, partition->groups, partition->group, &result);
	if (found)
		take_result(domain, partition, &task, &result);
	for (int c = 0; c < partition->attributes; c++)
		sdc_free(unconstify(uint32 *, column[c].code));
	if (sensitive != NULL)
	{
		sdc_free(unconstify(uint32 *, coded.code));
		sdc_free(unconstify(uint64 *, task.condition.total));
	}
	return found ? result.groups : 0;
}

/* ------------------------------------------------------------------------
 * The release
 * ------------------------------------------------------------------------
 */

/* What the values of a column are in the release, by level and code; they are made when they are wanted. */
typedef struct Forms
{
	const SdcRule *rule;
	const SdcRuleLevels *levels;
	const SdcPartitionColumn *column;
	Datum	  **form;			/* by level, and code; 0: not made by now */
	bool	  **changed;
	Datum		everything;
	SdcKept		kept;
	MemoryContext scratch;
} Forms;

/* make_form makes what a value becomes. */
static void
make_form(Forms *forms, uint32 level, uint32 code)
{
	const SdcDictionaryCodes *coding = &forms->column->coding;
	Datum		value = sdc_dictionary_value(forms->column->list->dictionary, coding->number[code]);
	MemoryContext old = MemoryContextSwitchTo(forms->scratch);
	struct varlena *form;
	bool		same;

	form = PG_DETOAST_DATUM(sdc_rulevalue_level(forms->rule, level, value, code >= coding->values, &same));
	MemoryContextSwitchTo(old);
	forms->form[level][code] = PointerGetDatum(sdc_memory_keep(&forms->kept, form, VARSIZE_ANY(form)));
	forms->changed[level][code] = !same;
	MemoryContextReset(forms->scratch);
}

/* form_of finds what a record has in the release; it returns whether that is another one than its value. */
static bool
form_of(Forms *forms, uint32 level, bool suppressed, uint32 code, Datum *form, bool *isnull)
{
	*isnull = false;
	*form = forms->everything;
	if (suppressed || level == forms->levels->levels)
		return true;
	*isnull = code == SDC_CODE_NULL;
	if (*isnull)
		return false;
	if (forms->form[level] == NULL)
	{
		forms->form[level] = sdc_memory_zeros(forms->column->coding.codes, sizeof(Datum));
		forms->changed[level] = sdc_memory_zeros(forms->column->coding.codes, sizeof(bool));
	}
	if (forms->form[level][code] == 0)
		make_form(forms, level, code);
	*form = forms->form[level][code];
	return forms->changed[level][code];
}

/* sdc_fulldomain_column: see fulldomain.h. */
SdcColumn *
sdc_fulldomain_column(const SdcPartition *partition, int number, SdcSource *source, SdcAttribute *attribute,
					  SdcSpool *spool)
{
	const SdcFullDomain *domain = partition->domain;
	const SdcRule *rule = list_nth(domain->rules, number);
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext, "sdc full domain", ALLOCSET_DEFAULT_SIZES);
	MemoryContext old = MemoryContextSwitchTo(context);
	Forms		forms = {.rule = rule, .levels = &domain->levels[number], .column = &partition->qi[number]};
	SdcColumn  *result = sdc_column_create(spool, attribute->release_type);
	uint32	   *stratum = source->stratum == NULL ? NULL : sdc_grouprecords_strata(source->stratum, source->records);

	forms.form = palloc0(sizeof(Datum *) * forms.levels->levels);
	forms.changed = palloc0(sizeof(bool *) * forms.levels->levels);
	forms.everything = sdc_rulevalue_everything(rule);
	forms.scratch = AllocSetContextCreate(context, "sdc form", ALLOCSET_SMALL_SIZES);
	attribute->changed = 0;
	for (uint32 r = 0; r < partition->records; r++)
	{
		uint32		place = domain->request->cuts ? partition->group[r] : stratum == NULL ? 0 : stratum[r];
		uint32		level = domain->level[(uint64) place * partition->attributes + number];
		Datum		form;
		bool		isnull;

		attribute->changed += form_of(&forms, level, domain->suppressed[r], forms.column->list->code[r], &form,
									  &isnull);
		sdc_column_append(result, form, isnull);
		sdc_interrupts_step(r);
		if (r % 4096 == 0)
			sdc_progress_records(r);
	}
	sdc_column_finish(result);
	attribute->leveled = (SdcLeveled) {true, domain->strata == 1 && !domain->request->cuts, domain->level[number],
	domain->loss[number], domain->suppressed_count};
	MemoryContextSwitchTo(old);
	MemoryContextDelete(context);
	return result;
}

/* ------------------------------------------------------------------------
 * The catalog
 * ------------------------------------------------------------------------
 */

/* append_columns appends a number of every quasi-identifier. */
static void
append_columns(StringInfo json, const SdcPartitionRequest *request, const SdcFullDomain *domain, const char *name)
{
	ListCell   *cell;

	appendStringInfo(json, ", \"%s\": {", name);
	foreach(cell, request->qi)
	{
		int			c = foreach_current_index(cell);

		appendStringInfoString(json, c == 0 ? "" : ", ");
		escape_json(json, lfirst(cell));
		appendStringInfoString(json, ": ");
		if (strcmp(name, SDC_PARAMETER_LOSSES) == 0)
			appendStringInfoString(json, sdc_shortest_text(domain->loss[c]));
		else
			appendStringInfo(json, "%u", strcmp(name, SDC_PARAMETER_LEVELS) == 0 ? domain->level[c] :
							 domain->levels[c].levels);
	}
	appendStringInfoChar(json, '}');
}

/* sdc_fulldomain_describe: see fulldomain.h. */
void
sdc_fulldomain_describe(StringInfo json, const char *comma, const SdcPartitionRequest *request,
						const SdcFullDomain *domain)
{
	const SdcFullDomainRequest *asked = request->domain;

	appendStringInfo(json, "%s\"" SDC_PARAMETER_HIERARCHIES "\": %s, \"" SDC_PARAMETER_SCHEME "\": \"%s\"", comma,
					 asked->argument, asked->cuts ? "cuts" : "lattice");
	appendStringInfo(json, ", \"" SDC_PARAMETER_SUPPRESS_PERCENT "\": %s", sdc_shortest_text(asked->suppress_percent));
	if (asked->t >= 0)
		appendStringInfo(json, ", \"" SDC_PARAMETER_T "\": %s, \"" SDC_PARAMETER_T_DISTANCE "\": \"%s\"",
						 sdc_shortest_text(asked->t), asked->ordered ? "ordered" : "equal");
	for (int c = 0; c < list_length(request->qi) && asked->importance != NULL; c++)
		appendStringInfo(json, "%s%s%s", c == 0 ? ", \"" SDC_PARAMETER_IMPORTANCE "\": [" : ", ",
						 sdc_shortest_text(asked->importance[c]), c == list_length(request->qi) - 1 ? "]" : "");
	if (asked->sets != NULL)
		appendStringInfo(json, ", \"" SDC_PARAMETER_COMBINATIONS "\": %s",
						 JsonbToCString(NULL, &asked->sets->root, -1));
	if (domain == NULL)
		return;
	/* otherwise they differ from group to group, or from stratum to stratum */
	if (domain->strata == 1 && !asked->cuts)
	{
		append_columns(json, request, domain, SDC_PARAMETER_LEVELS);
		append_columns(json, request, domain, SDC_PARAMETER_EVERYTHING);
	}
	if (!asked->cuts)
	{
		append_columns(json, request, domain, SDC_PARAMETER_LOSSES);
		appendStringInfo(json, ", \"" SDC_PARAMETER_LOSS "\": %s", sdc_shortest_text(domain->release_loss));
	}
	sdc_rulelaw_append_tables(json, domain->rules);
}
