/*-------------------------------------------------------------------------
 *
 * supports.c
 *		What random anonymization does to the support of a combination of values of a relation.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "kernel/groups/support.h"
#include "measure/attack/anonymity.h"
#include "measure/supports.h"
#include "relation/base/progress.h"
#include "relation/catalog/parameters.h"
#include "relation/read/codedtable.h"
#include "relation/rights/trust.h"
#include "utils/builtins.h"
#include "utils/jsonb.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/numeric.h"

/* find_attribute returns the index of a named attribute of a table. */
static int
find_attribute(const SdcCodedTable *table, const char *name)
{
	for (int i = 0; i < table->coded.attributes; i++)
		if (strcmp(table->column[i].name, name) == 0)
			return i;
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("argument \"combination\" has a key that is not named in argument \"qi\""),
			 errhint("It is an object of values by column.")));
	return -1;					/* not reached */
}

/* value_text returns the text of a value of a JSON object. */
static char *
value_text(const JsonbValue *value)
{
	char	   *text = sdc_parameters_scalar(value);

	if (text == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("argument \"combination\" has a value that is not a string, number or boolean"),
				 errhint("It is an object of values by column.")));
	return text;
}

/* find_code returns the code of a value, or SDC_CODE_NULL where no record has it. */
static uint32
find_code(SdcCodedTable *table, int attribute, char *text)
{
	SdcCodedTableColumn *column = &table->column[attribute];
	Oid			input;
	Oid			parameter;
	uint32		code;
	bool		found;

	/* that of a domain would run its checks */
	sdc_trust_require_input(column->type.base);
	getTypeInputInfo(column->type.base, &input, &parameter);
	code = sdc_codedtable_place(table, (uint32) attribute, OidInputFunctionCall(input, text, parameter, -1), &found);
	return found ? code : SDC_CODE_NULL;
}

/* compare_items is for qsort. */
static int
compare_items(const void *a, const void *b)
{
	return (int) ((const SdcItem *) a)->attribute - (int) ((const SdcItem *) b)->attribute;
}

/* read_combination turns the combination into items of a table, and returns their number. */
static int
read_combination(Datum combination, SdcCodedTable *table, SdcItem *item)
{
	Jsonb	   *json = DatumGetJsonbP(combination);
	JsonbIterator *iterator = NULL;
	JsonbValue	value;
	const char *name;
	int			items = 0;

	if (!JB_ROOT_IS_OBJECT(json) || JB_ROOT_COUNT(json) < 1 ||
		JB_ROOT_COUNT(json) > SDC_SUPPORT_ITEMS)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("argument \"combination\" is not a combination of values"),
				 errhint("It is an object of 1 to %d values by column, such as {\"sex\": \"Female\"}.",
						 SDC_SUPPORT_ITEMS)));
	while ((name = sdc_parameters_next(&json->root, &iterator, &value)) != NULL)
	{
		int			attribute = find_attribute(table, name);

		item[items].attribute = (uint32) attribute;
		item[items++].code = find_code(table, attribute, value_text(&value));
	}
	qsort(item, items, sizeof(SdcItem), compare_items);
	return items;
}

/* emit_support computes the result and hands it over. */
static void
emit_support(const SdcCodedTable *table, const SdcSupportTask *task, SdcSupportsEmit emit,
			 void *arg)
{
	SdcSupport	support;
	const char *column[SDC_SUPPORT_ITEMS];

	sdc_support_expect(task, &support);
	for (int i = 0; i < task->items; i++)
		column[i] = table->column[task->item[i].attribute].name;
	emit(arg, &support, column, task->items);
}

/* sdc_supports_measure reads the columns in a context of its own, in which emit is called. */
void
sdc_supports_measure(const SdcSupportsRequest *request, SdcSupportsEmit emit, void *arg)
{
	SdcSupportTask task = {.probability = request->probability, .k = request->draws};
	SdcItem		item[SDC_SUPPORT_ITEMS];
	MemoryContext context;
	MemoryContext before;
	SdcCodedTable *table;

	context = AllocSetContextCreate(CurrentMemoryContext, "sdc support", ALLOCSET_DEFAULT_SIZES);
	before = MemoryContextSwitchTo(context);
	table = sdc_codedtable_load_strata(request->relid, request->qi, request->strata);
	task.coded = &table->coded;
	task.stratum = table->stratum;
	task.strata = table->strata;
	task.items = read_combination(request->combination, table, item);
	task.item = item;
	if (task.k == 0 && task.probability == NULL)
		task.probability = sdc_anonymity_optimal(&table->coded);
	sdc_progress_evaluating(table->coded.records, 1);
	if (table->coded.records > 0)
		emit_support(table, &task, emit, arg);
	sdc_progress_end();
	MemoryContextSwitchTo(before);
	MemoryContextDelete(context);
}
