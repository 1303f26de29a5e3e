/*-------------------------------------------------------------------------
 *
 * associations.c
 *		Frequent itemsets and associations of a relation, and what a release keeps of them.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "access/relation.h"
#include "access/sysattr.h"
#include "measure/accuracy/associations.h"
#include "measure/accuracy/itemjson.h"
#include "nodes/bitmapset.h"
#include "relation/base/memory.h"
#include "relation/base/names.h"
#include "relation/base/progress.h"
#include "relation/read/codedtable.h"
#include "relation/rights/label.h"
#include "utils/guc.h"
#include "utils/rel.h"

/* Splits are shown after each of so many parts. */
#define SPLIT_PARTS 16384

/* How far a search or splits are. */
typedef struct Steps
{
	uint64		done;
	uint64		total;
} Steps;

/* Sets of columns that are looked at for associations where nobody says how long they may be. */
#define SETS_MOST 100000

/* show_steps shows others how far it is: SdcItemsearchAdvance. */
static void
show_steps(void *arg, uint64 steps)
{
	Steps	   *shown = arg;

	shown->done += steps;
	SDC_REPORT(shown->done, shown->total);
}

/* run_search runs a search, and shows how far it is: SdcItemsearchRunner. */
static bool
run_search(const SdcItemsearch *search)
{
	SdcItemsearch shown = *search;
	SdcItemrun *run = sdc_itemsearch_open(&shown);
	Steps		steps = {0, sdc_itemsearch_weight(run)};
	bool		complete = true;

	shown.advance = show_steps;
	shown.advance_arg = &steps;
	for (uint32 part = 0; complete && part < sdc_itemsearch_parts(run); part++)
		complete = sdc_itemsearch_part(run, part);
	sdc_itemsearch_close(run);
	sdc_progress_next_part();
	return complete;
}

/* run_splits runs over all splits, likewise: SdcItemsplitsRunner. */
static bool
run_splits(const SdcItemsplits *splits)
{
	SdcItemsplits shown = *splits;
	uint64		itemsets = splits->store->n;
	uint64		parts = Min(itemsets, SPLIT_PARTS);
	Steps		steps = {0, itemsets};
	bool		complete = true;

	shown.advance = show_steps;
	shown.advance_arg = &steps;
	for (uint64 part = 0; complete && part < parts; part++)
		complete = sdc_itemsplits_run(&shown, (uint32) (itemsets * part / parts),
									  (uint32) (itemsets * (part + 1) / parts));
	sdc_progress_next_part();
	return complete;
}

/* default_attributes lists the columns of a relation that can be items: no keys, no identifiers. */
static List *
default_attributes(Oid relid)
{
	Relation	rel = sdc_source_open(relid, AccessShareLock);
	TupleDesc	desc = RelationGetDescr(rel);
	Bitmapset  *key = RelationGetIndexAttrBitmap(rel, INDEX_ATTR_BITMAP_PRIMARY_KEY);
	SdcRole    *roles = sdc_label_roles(relid, NULL);
	List	   *names = NIL;

	for (int i = 0; i < desc->natts; i++)
	{
		Form_pg_attribute att = TupleDescAttr(desc, i);
		SdcType		type;

		if (att->attisdropped ||
			bms_is_member(att->attnum - FirstLowInvalidHeapAttributeNumber, key) ||
			roles[i] == SDC_ROLE_IDENTIFIER)
			continue;
		sdc_type_lookup(&type, att->atttypid, att->attcollation);
		if (type.orderable)
			names = lappend(names, pstrdup(NameStr(att->attname)));
	}
	relation_close(rel, NoLock);
	return names;
}

/* check_named insists that columns named in an argument are there. */
static void
check_named(Oid relid, const List *names, const char *argument)
{
	ListCell   *cell;

	sdc_source_check_kind(relid);
	sdc_source_check_readable(relid);
	if (names == NIL)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("argument \"%s\" must name at least one column", argument)));
	foreach(cell, names)
		(void) sdc_source_find_column(relid, lfirst(cell), argument);
}

/* Where itemsets go. */
typedef struct ItemsetOutput
{
	const SdcItemsetRequest *request;
	SdcItemJson *json;
	uint64		records;
	int			itemsets;		/* emitted */
} ItemsetOutput;

/*
 * put_itemset passes a frequent itemset on: SdcItemsetEmit.  With columns that nearly always have the same
 * value there are as many as there are sets of these columns, so there is a limit.
 */
static void
put_itemset(void *arg, const SdcItem *item, int items, uint64 count)
{
	ItemsetOutput *output = arg;
	const SdcItemsetRequest *request = output->request;
	SdcFrequentItemset itemset;

	if (++output->itemsets > request->limit)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("there are more than %d frequent itemsets", request->limit),
				 errhint("Name fewer columns, raise min_support, set max_length, or increase sdc.itemset_limit.")));
	itemset.itemset = sdc_itemjson_build(output->json, 0, item, items);
	itemset.length = items;
	itemset.records = count;
	itemset.support = (double) count / output->records;
	request->emit(request->arg, &itemset);
}

/* find_itemsets finds the frequent itemsets of a table. */
static void
find_itemsets(const SdcItemsetRequest *request, SdcCodedTable *table)
{
	SdcItemsetTask task = {0};
	ItemsetOutput output = {0};

	if (table->coded.records == 0)
		return;
	output.request = request;
	output.records = table->coded.records;
	task.coded = &table->coded;
	task.min_count = sdc_itemsets_min_count(request->min_support, table->coded.records);
	task.max_length = Min(request->max_length, table->coded.attributes);
	task.emit = put_itemset;
	task.arg = &output;
	task.search = run_search;
	output.json = sdc_itemjson_create(table);
	sdc_progress_evaluating(table->coded.records, 1);
	sdc_itemsets(&task);
	sdc_itemjson_destroy(output.json);
}

/* sdc_associations_itemsets finds the frequent itemsets of a relation. */
void
sdc_associations_itemsets(const SdcItemsetRequest *request)
{
	Oid			relid = request->relid;
	List	   *names = request->columns;
	MemoryContext context;
	MemoryContext before;

	if (!request->columns_given)
	{
		sdc_source_check_kind(relid);
		sdc_source_check_readable(relid);
		names = default_attributes(relid);
	}
	check_named(relid, names, "columns");
	context = AllocSetContextCreate(CurrentMemoryContext, "sdc itemsets", ALLOCSET_DEFAULT_SIZES);
	before = MemoryContextSwitchTo(context);
	find_itemsets(request, sdc_codedtable_load(relid, names));
	sdc_progress_end();
	MemoryContextSwitchTo(before);
	MemoryContextDelete(context);
}

/* sensitive_flags marks the sensitive ones among attributes of which they are the last. */
static bool *
sensitive_flags(int qi, int sensitive)
{
	bool	   *flag = palloc0(sizeof(bool) * (qi + sensitive));

	for (int i = qi; i < qi + sensitive; i++)
		flag[i] = true;
	return flag;
}

/* sdc_associations_check: see associations.h. */
void
sdc_associations_check(SdcStatus status)
{
	if (status == SDC_ERROR_MEMORY && temp_file_limit < 0)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("there are too many frequent combinations of values"),
				 errhint("Increase the least support, or limit the length.")));
	if (status == SDC_ERROR_MEMORY)
		ereport(ERROR,
				(errcode(ERRCODE_CONFIGURATION_LIMIT_EXCEEDED),
				 errmsg("the frequent combinations of values do not fit into " UINT64_FORMAT
						" MB of memory and %d MB of temporary files",
						sdc_memory_budget() / (1024 * 1024), temp_file_limit / 1024),
				 errhint("Increase temp_file_limit, maintenance_work_mem or the least support, or limit the length.")));
	Assert(status == SDC_OK);
}

/* sdc_associations_parts: see associations.h. */
int
sdc_associations_parts(SdcAssociationReading reading)
{
	return reading == SDC_RULE_ANY ? 3 : 1;
}

/* Where associations go. */
typedef struct AssociationOutput
{
	const SdcAssociationRequest *request;
	SdcItemJson *json;
	uint64		records;
} AssociationOutput;

/* put_rule passes an association on: SdcRuleEmit. */
static void
put_rule(void *arg, const SdcRule *rule)
{
	AssociationOutput *output = arg;
	const SdcAssociationRequest *request = output->request;
	double		records = (double) output->records;
	SdcAssociation found;

	found.antecedent = sdc_itemjson_build(output->json, 0, rule->antecedent, rule->antecedent_items);
	found.consequent = sdc_itemjson_build(output->json, 1, rule->consequent, rule->consequent_items);
	found.length = rule->antecedent_items +
		(request->reading == SDC_RULE_ANY ? rule->consequent_items : 0);
	found.records = request->reading == SDC_RULE_ANTECEDENT ? rule->antecedent_count :
		rule->both_count;
	found.support = found.records / records;
	found.confidence = (double) rule->both_count / rule->antecedent_count;
	found.lift = found.confidence / (rule->consequent_count / records);
	found.antecedent_records = rule->antecedent_count;
	found.consequent_records = rule->consequent_count;
	found.both_records = rule->both_count;
	request->emit(request->arg, &found);
}

/* find_associations finds the associations of a table whose first columns are the quasi-identifiers. */
static void
find_associations(const SdcAssociationRequest *request, SdcCodedTable *table, const bool *sensitive)
{
	AssociationOutput output = {0};
	SdcRuleTask task = {0};

	if (table->coded.records == 0)
		return;
	output.request = request;
	output.records = table->coded.records;
	output.json = sdc_itemjson_create(table);
	task.coded = &table->coded;
	task.sensitive = sensitive;
	task.reading = request->reading;
	task.min_count = sdc_itemsets_min_count(request->min_support, table->coded.records);
	task.min_confidence = request->min_confidence;
	task.max_length = request->max_length;
	task.memory = sdc_memory_allowed();
	task.emit = put_rule;
	task.arg = &output;
	task.search = run_search;
	task.split = run_splits;
	sdc_progress_evaluating(table->coded.records, sdc_associations_parts(request->reading));
	sdc_associations_check(sdc_rules(&task));
	sdc_itemjson_destroy(output.json);
}

/* sdc_associations_find finds the associations of a relation. */
void
sdc_associations_find(const SdcAssociationRequest *request)
{
	MemoryContext context;
	MemoryContext before;
	bool	   *sensitive;

	check_named(request->relid, request->qi, "qi");
	check_named(request->relid, request->sensitive, "sensitive");
	sdc_names_check_roles(request->qi, request->sensitive);
	context = AllocSetContextCreate(CurrentMemoryContext, "sdc associations",
									ALLOCSET_DEFAULT_SIZES);
	before = MemoryContextSwitchTo(context);
	sensitive = sensitive_flags(list_length(request->qi), list_length(request->sensitive));
	find_associations(request,
					  sdc_codedtable_load(request->relid,
										  list_concat_copy(request->qi, request->sensitive)),
					  sensitive);
	sdc_progress_end();
	MemoryContextSwitchTo(before);
	MemoryContextDelete(context);
}

/* coded_file returns the attributes of one of the two files. */
static SdcCodedFile *
coded_file(const SdcCodedRelease *coded, bool protected)
{
	int			count = coded->qi_count + coded->sensitive_count;
	SdcCodedColumn *column = palloc(sizeof(SdcCodedColumn) * count);
	SdcCodedFile *file = palloc(sizeof(SdcCodedFile));

	for (int i = 0; i < count; i++)
	{
		const SdcComparedColumn *compared = i < coded->qi_count ? &coded->qi[i] :
			&coded->sensitive[i - coded->qi_count];

		column[i].codes = compared->pair.codes;
		column[i].code = !protected ? compared->pair.original : compared->pair.protected != NULL ?
			compared->pair.protected : sdc_codedrelease_certain(coded, compared);
	}
	file->records = coded->records;
	file->attributes = count;
	file->column = column;
	return file;
}

/* recall_rows makes the rows of what was counted by length, with the total in front. */
static void
recall_rows(SdcRecallRequest *request, const SdcRecall *recall, int lengths)
{
	request->row = MemoryContextAllocZero(request->context, sizeof(SdcRecalled) * (lengths + 1));
	for (int i = 1; i <= lengths + 1; i++)
	{
		int			length = i <= lengths ? i : 0;
		const SdcRecall *counted = &recall[length];
		double		original = (double) counted->original;
		SdcRecalled *row = &request->row[request->rows];

		if (length > 0 && counted->original == 0 && counted->artificial == 0)
			continue;
		row->length = length;
		row->original = counted->original;
		row->recovered = counted->recovered;
		row->artificial = counted->artificial;
		row->recall_percent = original == 0 ? NAN : 100.0 * counted->recovered / original;
		row->artificial_percent = original == 0 ? NAN : 100.0 * counted->artificial / original;
		request->rows++;
	}
}

/* sdc_associations_length: see associations.h.  2^16 sets are fewer than the limit. */
int
sdc_associations_length(int columns)
{
	double		sets = 1;
	double		all = 0;

	for (int length = 1; length <= columns; length++)
	{
		sets *= (double) (columns - length + 1) / length;
		all += sets;
		if (all > SETS_MOST && length > 1)
			return length - 1;
	}
	return Max(columns, 1);
}

/* sdc_associations_tasks: see associations.h. */
void
sdc_associations_tasks(const SdcCodedRelease *coded, const SdcRecallRequest *request,
					   SdcRuleTask task[2])
{
	Assert(coded->sensitive_count > 0);
	memset(&task[0], 0, sizeof(SdcRuleTask));
	task[0].memory = sdc_memory_allowed() / 2;
	task[0].coded = coded_file(coded, false);
	task[0].sensitive = sensitive_flags(coded->qi_count, coded->sensitive_count);
	task[0].reading = request->reading;
	task[0].min_count = sdc_itemsets_min_count(request->min_support, coded->records);
	task[0].min_confidence = request->min_confidence;
	task[0].max_length = request->max_length > 0 ? request->max_length : sdc_associations_length(coded->qi_count);
	task[0].search = run_search;
	task[0].split = run_splits;
	task[1] = task[0];
	task[1].coded = coded_file(coded, true);
}

/* sdc_associations_recall reads a release and compares associations; the rows are in request->context. */
void
sdc_associations_recall(SdcRecallRequest *request)
{
	SdcCodedRelease *coded;
	SdcRuleTask task[2];
	SdcRecall  *recall;

	request->release.needs_sensitive = true;
	coded = sdc_codedrelease_open(&request->release);
	sdc_associations_tasks(coded, request, task);
	recall = palloc0(sizeof(SdcRecall) * (task[0].coded->attributes + 1));
	sdc_progress_evaluating(coded->records, 2 * sdc_associations_parts(request->reading));
	sdc_associations_check(sdc_rules_recall(&task[0], &task[1], recall));
	recall_rows(request, recall, task[0].coded->attributes);
	sdc_codedrelease_close(coded);
}
