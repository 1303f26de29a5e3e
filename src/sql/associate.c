/*-------------------------------------------------------------------------
 *
 * associate.c
 *		sdc_frequent_itemsets, sdc_associations, sdc_association_recall, and what is below the
 *		view sdc_association_recall.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/relation.h"
#include "access/sysattr.h"
#include "fmgr.h"
#include "funcapi.h"
#include "kernel/itemsets/rules.h"
#include "nodes/bitmapset.h"
#include "sql/args.h"
#include "sql/comparisonargs.h"
#include "relation/label.h"
#include "relation/memory.h"
#include "relation/attempt.h"
#include "measure/itemjson.h"
#include "sql/settings.h"
#include "utils/builtins.h"
#include "utils/rel.h"

PG_FUNCTION_INFO_V1(sdc_frequent_itemsets);
PG_FUNCTION_INFO_V1(sdc_associations);
PG_FUNCTION_INFO_V1(sdc_association_recall);
PG_FUNCTION_INFO_V1(sdc_association_recall_internal);

#define RECALL_COLUMNS 6

/* Where itemsets and rules go. */
typedef struct Output
{
	ReturnSetInfo *result;
	SdcItemJson *json;
	uint64		records;
	int			itemsets;		/* returned */
} Output;

/* default_attributes lists the columns of a relation that can be items: no keys, no identifiers. */
static List *
default_attributes(Oid relid)
{
	Relation	rel = sdc_source_open(relid, AccessShareLock);
	TupleDesc	desc = RelationGetDescr(rel);
	Bitmapset  *key = RelationGetIndexAttrBitmap(rel, INDEX_ATTR_BITMAP_PRIMARY_KEY);
	List	   *names = NIL;

	for (int i = 0; i < desc->natts; i++)
	{
		Form_pg_attribute att = TupleDescAttr(desc, i);
		SdcType		type;

		if (att->attisdropped ||
			bms_is_member(att->attnum - FirstLowInvalidHeapAttributeNumber, key) ||
			sdc_label_get(relid, att->attnum) == SDC_ROLE_IDENTIFIER)
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

/* read_max_length reads the largest number of items. */
static int
read_max_length(FunctionCallInfo fcinfo, int number)
{
	if (PG_ARGISNULL(number))
		return PG_INT32_MAX;
	if (PG_GETARG_INT32(number) < 1)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("argument \"max_length\" is out of range"),
				 errhint("It is a number of items: at least 1.")));
	return PG_GETARG_INT32(number);
}

/* read_reading reads what an association is. */
static SdcRuleReading
read_reading(FunctionCallInfo fcinfo, int number)
{
	char	   *reading;

	sdc_args_require(fcinfo, number, "reading");
	reading = text_to_cstring(PG_GETARG_TEXT_PP(number));
	if (strcmp(reading, "antecedent") == 0)
		return SDC_RULE_ANTECEDENT;
	if (strcmp(reading, "rule") == 0)
		return SDC_RULE_RULE;
	if (strcmp(reading, "any") == 0)
		return SDC_RULE_ANY;
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("argument \"reading\" is not known"),
			 errhint("It is antecedent, rule or any.")));
	return SDC_RULE_ANTECEDENT;	/* not reached */
}

/*
 * put_itemset returns a frequent itemset: SdcItemsetEmit.  With columns that nearly always have the same
 * value there are as many as there are sets of these columns, so there is a limit.
 */
static void
put_itemset(void *arg, const SdcItem *item, int items, uint64 count)
{
	Output	   *output = arg;
	Datum		values[4];
	bool		nulls[4] = {false};

	if (++output->itemsets > sdc_setting_itemset_limit)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("there are more than %d frequent itemsets", sdc_setting_itemset_limit),
				 errhint("Name fewer columns, raise min_support, set max_length, or increase sdc.itemset_limit.")));
	values[0] = sdc_itemjson_build(output->json, 0, item, items);
	values[1] = Int32GetDatum(items);
	values[2] = Int64GetDatum((int64) count);
	values[3] = Float8GetDatum((double) count / output->records);
	tuplestore_putvalues(output->result->setResult, output->result->setDesc, values, nulls);
}

/*
 * sdc_frequent_itemsets(relation regclass, attributes name[], min_support float8, max_length int)
 *		RETURNS TABLE (itemset jsonb, length int, records bigint, support float8)
 */
Datum
sdc_frequent_itemsets(PG_FUNCTION_ARGS)
{
	Oid			relid = sdc_args_relation(fcinfo, 0, "relation");
	double		support = sdc_args_share(fcinfo, 2, "min_support",
										 sdc_setting_association_min_support);
	int			max_length = read_max_length(fcinfo, 3);
	MemoryContext context;
	MemoryContext before;
	SdcItemsetTask task = {0};
	Output		output = {0};
	SdcTable   *table;
	List	   *names;

	if (!sdc_args_names(fcinfo, 1, "attributes", &names))
	{
		sdc_source_check_kind(relid);
		sdc_source_check_readable(relid);
		names = default_attributes(relid);
	}
	check_named(relid, names, "attributes");
	sdc_args_result(fcinfo, 0);
	context = AllocSetContextCreate(CurrentMemoryContext, "sdc itemsets", ALLOCSET_DEFAULT_SIZES);
	before = MemoryContextSwitchTo(context);
	table = sdc_table_load(relid, names);
	if (table->coded.records > 0)
	{
		output.result = (ReturnSetInfo *) fcinfo->resultinfo;
		output.records = table->coded.records;
		task.coded = &table->coded;
		task.min_count = sdc_itemsets_min_count(support, table->coded.records);
		task.max_length = Min(max_length, table->coded.attributes);
		task.emit = put_itemset;
		task.arg = &output;
		sdc_memory_require(table->memory + sdc_itemsets_memory(&task), "finding frequent itemsets");
		output.json = sdc_itemjson_create(table);
		sdc_itemsets(&task);
		sdc_itemjson_destroy(output.json);
	}
	MemoryContextSwitchTo(before);
	MemoryContextDelete(context);
	return (Datum) 0;
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

/* check_status raises the error for what a kernel could not do. */
static void
check_status(SdcStatus status)
{
	if (status == SDC_ERROR_MEMORY)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("the frequent combinations of values do not fit into the " UINT64_FORMAT " MB of memory that are allowed",
						sdc_memory_budget() / (1024 * 1024)),
				 errhint("Increase maintenance_work_mem or the least support, or limit the length.")));
	Assert(status == SDC_OK);
}

/* A rule with its reading, for the output. */
typedef struct RuleOutput
{
	Output		output;
	SdcRuleReading reading;
} RuleOutput;

/* put_rule returns an association: SdcRuleEmit. */
static void
put_rule(void *arg, const SdcRule *rule)
{
	RuleOutput *rules = arg;
	Output	   *output = &rules->output;
	double		records = (double) output->records;
	double		confidence = (double) rule->both_count / rule->antecedent_count;
	uint64		supporting = rules->reading == SDC_RULE_ANTECEDENT ? rule->antecedent_count :
		rule->both_count;
	Datum		values[10];
	bool		nulls[10] = {false};

	values[0] = sdc_itemjson_build(output->json, 0, rule->antecedent, rule->antecedent_items);
	values[1] = sdc_itemjson_build(output->json, 1, rule->consequent, rule->consequent_items);
	values[2] = Int32GetDatum(rule->antecedent_items +
							  (rules->reading == SDC_RULE_ANY ? rule->consequent_items : 0));
	values[3] = Int64GetDatum((int64) supporting);
	values[4] = Float8GetDatum(supporting / records);
	values[5] = Float8GetDatum(confidence);
	values[6] = Float8GetDatum(confidence / (rule->consequent_count / records));
	values[7] = Int64GetDatum((int64) rule->antecedent_count);
	values[8] = Int64GetDatum((int64) rule->consequent_count);
	values[9] = Int64GetDatum((int64) rule->both_count);
	tuplestore_putvalues(output->result->setResult, output->result->setDesc, values, nulls);
}

/* find_associations finds the associations of a table and returns them. */
static void
find_associations(FunctionCallInfo fcinfo, SdcTable *table, SdcRuleTask *task)
{
	RuleOutput	rules = {0};
	uint64		budget = sdc_memory_budget();

	if (table->coded.records == 0)
		return;
	rules.output.result = (ReturnSetInfo *) fcinfo->resultinfo;
	rules.output.records = table->coded.records;
	rules.output.json = sdc_itemjson_create(table);
	rules.reading = task->reading;
	task->coded = &table->coded;
	task->memory = budget - Min(budget, table->memory);
	task->emit = put_rule;
	task->arg = &rules;
	check_status(sdc_rules(task));
	sdc_itemjson_destroy(rules.output.json);
}

/*
 * sdc_associations(relation regclass, qi name[], sensitive name[], min_support float8,
 *					min_confidence float8, max_length int, reading text)
 *		RETURNS TABLE (antecedent jsonb, consequent jsonb, length int, records bigint,
 *					   support float8, confidence float8, lift float8,
 *					   antecedent_records bigint, consequent_records bigint, both_records bigint)
 */
Datum
sdc_associations(PG_FUNCTION_ARGS)
{
	Oid			relid = sdc_args_relation(fcinfo, 0, "relation");
	List	   *qi = sdc_args_qi(fcinfo, 1);
	List	   *sensitive;
	double		support = sdc_args_share(fcinfo, 3, "min_support",
										 sdc_setting_association_min_support);
	MemoryContext context;
	MemoryContext before;
	SdcRuleTask task = {0};
	SdcTable   *table;
	ListCell   *cell;
	ListCell   *other;

	sdc_args_require(fcinfo, 2, "sensitive");
	(void) sdc_args_names(fcinfo, 2, "sensitive", &sensitive);
	task.min_confidence = sdc_args_share(fcinfo, 4, "min_confidence",
										 sdc_setting_association_min_confidence);
	task.max_length = read_max_length(fcinfo, 5);
	task.reading = read_reading(fcinfo, 6);
	check_named(relid, qi, "qi");
	check_named(relid, sensitive, "sensitive");
	foreach(cell, qi)
		foreach(other, sensitive)
			if (strcmp(lfirst(cell), lfirst(other)) == 0)
				ereport(ERROR,
						(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						 errmsg("column \"%s\" cannot be both quasi-identifier and sensitive",
								(char *) lfirst(cell))));
	sdc_args_result(fcinfo, 0);
	context = AllocSetContextCreate(CurrentMemoryContext, "sdc associations",
									ALLOCSET_DEFAULT_SIZES);
	before = MemoryContextSwitchTo(context);
	task.sensitive = sensitive_flags(list_length(qi), list_length(sensitive));
	table = sdc_table_load(relid, list_concat_copy(qi, sensitive));
	task.min_count = sdc_itemsets_min_count(support, table->coded.records);
	find_associations(fcinfo, table, &task);
	MemoryContextSwitchTo(before);
	MemoryContextDelete(context);
	return (Datum) 0;
}

/* A comparison of the associations of a release and its source. */
typedef struct Recalling
{
	SdcComparisonRequest request;
	double		min_support;
	double		min_confidence;
	SdcRuleReading reading;
	MemoryContext context;		/* of the results */
	int			lengths;		/* results for 1 .. lengths, and in front the total */
	SdcRecall  *recall;
} Recalling;

/* coded_file returns the attributes of one of the two files. */
static SdcCoded *
coded_file(const SdcComparison *comparison, bool masked)
{
	int			count = comparison->qi_count + comparison->sensitive_count;
	SdcCodedColumn *column = palloc(sizeof(SdcCodedColumn) * count);
	SdcCoded   *coded = palloc(sizeof(SdcCoded));

	for (int i = 0; i < count; i++)
	{
		const SdcComparedColumn *compared = i < comparison->qi_count ? &comparison->qi[i] :
			&comparison->sensitive[i - comparison->qi_count];

		column[i].codes = compared->codes;
		column[i].code = !masked ? compared->original->code : compared->masked != NULL ?
			compared->masked->code : sdc_comparison_certain(comparison, compared);
	}
	coded->records = comparison->records;
	coded->attributes = count;
	coded->column = column;
	return coded;
}

/* recall_memory returns what is left of the budget when the files are ready for comparison. */
static uint64
recall_memory(const SdcComparison *comparison)
{
	uint64		certain = 0;

	for (int i = 0; i < comparison->qi_count; i++)
		if (comparison->qi[i].masked == NULL)
			certain += comparison->records * sizeof(uint32);
	sdc_memory_require(comparison->memory + certain, "comparing associations");
	return sdc_comparison_rest(comparison) - certain;
}

/* run_recall reads a release and compares associations; the results are in recalling->context. */
static void
run_recall(void *arg)
{
	Recalling  *recalling = arg;
	SdcComparison *comparison = sdc_comparison_open(&recalling->request);
	SdcRuleTask original = {0};
	SdcRuleTask release;

	if (comparison->sensitive_count == 0)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("release \"%s\" has no sensitive column", comparison->name),
				 errhint("Name columns in argument \"sensitive\", or classify one before the release is made.")));
	original.memory = recall_memory(comparison) / 2;
	original.coded = coded_file(comparison, false);
	original.sensitive = sensitive_flags(comparison->qi_count, comparison->sensitive_count);
	original.reading = recalling->reading;
	original.min_count = sdc_itemsets_min_count(recalling->min_support, comparison->records);
	original.min_confidence = recalling->min_confidence;
	original.max_length = PG_INT32_MAX;
	release = original;
	release.coded = coded_file(comparison, true);
	recalling->lengths = original.coded->attributes;
	recalling->recall = MemoryContextAllocZero(recalling->context,
											   sizeof(SdcRecall) * (recalling->lengths + 1));
	check_status(sdc_rules_recall(&original, &release, recalling->recall));
	sdc_comparison_close(comparison);
}

/* fill_recall fills in the columns of one length, 0 for all. */
static void
fill_recall(const SdcRecall *recall, int length, Datum *values, bool *nulls)
{
	double		original = (double) recall->original;

	memset(nulls, false, sizeof(bool) * RECALL_COLUMNS);
	values[0] = Int32GetDatum(length);
	nulls[0] = length == 0;
	values[1] = Int64GetDatum((int64) recall->original);
	values[2] = Int64GetDatum((int64) recall->recovered);
	values[3] = Int64GetDatum((int64) recall->artificial);
	nulls[4] = nulls[5] = recall->original == 0;
	values[4] = Float8GetDatum(nulls[4] ? 0 : 100.0 * recall->recovered / original);
	values[5] = Float8GetDatum(nulls[5] ? 0 : 100.0 * recall->artificial / original);
}

/* return_recall returns the rows; a column behind them, if there is one, is NULL. */
static void
return_recall(FunctionCallInfo fcinfo, const Recalling *recalling)
{
	ReturnSetInfo *result = (ReturnSetInfo *) fcinfo->resultinfo;
	Datum		values[RECALL_COLUMNS + 1] = {0};
	bool		nulls[RECALL_COLUMNS + 1];

	for (int length = 1; length <= recalling->lengths + 1; length++)
	{
		int			row = length <= recalling->lengths ? length : 0;
		const SdcRecall *recall = &recalling->recall[row];

		if (row > 0 && recall->original == 0 && recall->artificial == 0)
			continue;
		nulls[RECALL_COLUMNS] = true;
		fill_recall(recall, row, values, nulls);
		tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
	}
}

/*
 * sdc_association_recall(release regclass, min_support float8, min_confidence float8, reading text,
 *						  qi name[], sensitive name[])
 *		RETURNS TABLE (length int, original bigint, recovered bigint, artificial bigint,
 *					   recall_percent float8, artificial_percent float8)
 */
Datum
sdc_association_recall(PG_FUNCTION_ARGS)
{
	Recalling	recalling = {0};

	recalling.min_support = sdc_args_share(fcinfo, 1, "min_support",
										   sdc_setting_association_min_support);
	recalling.min_confidence = sdc_args_share(fcinfo, 2, "min_confidence",
											  sdc_setting_association_min_confidence);
	recalling.reading = read_reading(fcinfo, 3);
	sdc_comparisonargs_read(fcinfo, 4, 5, &recalling.request);
	sdc_args_result(fcinfo, 0);
	recalling.context = CurrentMemoryContext;
	run_recall(&recalling);
	return_recall(fcinfo, &recalling);
	return (Datum) 0;
}

/*
 * sdc_association_recall_internal(release regclass) RETURNS SETOF record
 *
 * sdc_association_recall_internal returns the recall of a release by the settings, or the reason why
 * there is none; no row when the caller may not read the release or its source.
 */
Datum
sdc_association_recall_internal(PG_FUNCTION_ARGS)
{
	ReturnSetInfo *result = (ReturnSetInfo *) fcinfo->resultinfo;
	Recalling	recalling = {0};
	Datum		values[RECALL_COLUMNS + 1] = {0};
	bool		nulls[RECALL_COLUMNS + 1];
	ErrorData  *error;

	recalling.min_support = sdc_setting_association_min_support;
	recalling.min_confidence = sdc_setting_association_min_confidence;
	recalling.reading = SDC_RULE_ANTECEDENT;
	sdc_comparisonargs_read(fcinfo, 0, 0, &recalling.request);
	recalling.request.unnamed = true;
	sdc_args_result(fcinfo, 0);
	recalling.context = CurrentMemoryContext;
	error = sdc_attempt(run_recall, &recalling);
	if (error != NULL && error->sqlerrcode == ERRCODE_INSUFFICIENT_PRIVILEGE)
		return (Datum) 0;
	if (error == NULL)
	{
		return_recall(fcinfo, &recalling);
		return (Datum) 0;
	}
	memset(nulls, true, sizeof(nulls));
	nulls[RECALL_COLUMNS] = false;
	values[RECALL_COLUMNS] = CStringGetTextDatum(error->message);
	tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
	return (Datum) 0;
}
