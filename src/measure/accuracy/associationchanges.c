/*-------------------------------------------------------------------------
 *
 * associationchanges.c
 *		The associations that a release keeps, loses and makes up.
 *
 * The associations of both files are found one after the other, kept with their items, sorted, and merged.  They are
 * those that sdc_associations_recall counts.
 *
 * Memory: eight bytes an item and forty an association, besides what finding those of one file takes.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "measure/accuracy/associationchanges.h"
#include "measure/accuracy/itemjson.h"
#include "relation/base/memory.h"
#include "relation/base/progress.h"

/* An association that was found; its items are those of the antecedent, then those of the consequent. */
typedef struct Found
{
	const SdcItem *item;
	uint16		antecedent;		/* items */
	uint16		consequent;
	uint64		records;		/* that support it */
	double		confidence;
} Found;

/* Those of one file. */
typedef struct Finding
{
	SdcAssociationReading reading;
	MemoryContext context;
	SdcItem    *item;
	uint64		items;
	uint64		item_space;
	Found	   *found;
	uint64		count;
	uint64		space;
} Finding;

/* make_room makes room for so many items more, and an association. */
static void
make_room(Finding *finding, uint64 items)
{
	if (finding->items + items > finding->item_space)
	{
		finding->item_space = 2 * (finding->item_space + items);
		finding->item = sdc_memory_grow(finding->context, finding->item, finding->items, finding->item_space,
										sizeof(SdcItem));
	}
	if (finding->count == finding->space)
	{
		finding->space *= 2;
		finding->found = sdc_memory_grow(finding->context, finding->found, finding->count, finding->space,
										 sizeof(Found));
	}
}

/* take_rule keeps an association: SdcRuleEmit. */
static void
take_rule(void *arg, const SdcRule *rule)
{
	Finding    *finding = arg;
	Found	   *found;
	Size		antecedent = rule->antecedent_items * sizeof(SdcItem);

	make_room(finding, (uint64) rule->antecedent_items + rule->consequent_items);
	memcpy(finding->item + finding->items, rule->antecedent, antecedent);
	finding->items += rule->antecedent_items;
	memcpy(finding->item + finding->items, rule->consequent, rule->consequent_items * sizeof(SdcItem));
	finding->items += rule->consequent_items;
	found = &finding->found[finding->count++];
	found->antecedent = (uint16) rule->antecedent_items;
	found->consequent = (uint16) rule->consequent_items;
	found->records = finding->reading == SDC_RULE_ANTECEDENT ? rule->antecedent_count : rule->both_count;
	found->confidence = (double) rule->both_count / rule->antecedent_count;
}

/* length_of is the length of an association. */
static int
length_of(const Found *found, SdcAssociationReading reading)
{
	return found->antecedent + (reading == SDC_RULE_ANY ? found->consequent : 0);
}

/* compare_found orders associations by their length, then by what they say. */
static int
compare_found(const void *left, const void *right, void *arg)
{
	const Found *a = left;
	const Found *b = right;
	const SdcAssociationReading *reading = arg;
	int			difference = length_of(a, *reading) - length_of(b, *reading);

	CHECK_FOR_INTERRUPTS();
	if (difference == 0)
		difference = a->antecedent - b->antecedent;
	if (difference == 0)
		difference = a->consequent - b->consequent;
	for (int i = 0; i < a->antecedent + a->consequent && difference == 0; i++)
	{
		const SdcItem *x = &a->item[i];
		const SdcItem *y = &b->item[i];

		if (x->attribute != y->attribute)
			difference = x->attribute < y->attribute ? -1 : 1;
		else if (x->code != y->code)
			difference = x->code < y->code ? -1 : 1;
	}
	return difference;
}

/* find_rules finds the associations of a file, in their order. */
static void
find_rules(SdcRuleTask *task, Finding *finding)
{
	const SdcItem *item;

	memset(finding, 0, sizeof(*finding));
	finding->reading = task->reading;
	finding->context = CurrentMemoryContext;
	finding->item_space = finding->space = 256;
	finding->item = palloc(finding->item_space * sizeof(SdcItem));
	finding->found = palloc(finding->space * sizeof(Found));
	task->emit = take_rule;
	task->arg = finding;
	if (task->coded->records > 0)
		sdc_associations_check(sdc_rules(task));
	item = finding->item;
	for (uint64 i = 0; i < finding->count; i++)
	{
		CHECK_FOR_INTERRUPTS();
		finding->found[i].item = item;
		item += finding->found[i].antecedent + finding->found[i].consequent;
	}
	qsort_arg(finding->found, finding->count, sizeof(Found), compare_found, &finding->reading);
}

/* describe_items describes the columns of a coded release for their values as jsonb. */
static SdcItemJson *
describe_items(const SdcCodedRelease *coded)
{
	int			count = coded->qi_count + coded->sensitive_count;
	SdcCodedTable *table = palloc0(sizeof(SdcCodedTable));

	table->coded.attributes = count;
	table->coded.records = coded->records;
	table->column = palloc0(sizeof(SdcCodedTableColumn) * count);
	for (int i = 0; i < count; i++)
	{
		const SdcComparedColumn *compared = i < coded->qi_count ? &coded->qi[i] :
			&coded->sensitive[i - coded->qi_count];

		table->column[i].name = compared->name;
		table->column[i].type = compared->type;
		table->column[i].dictionary = compared->values.dictionary;
		table->column[i].coding.codes = compared->pair.codes;
		table->column[i].coding.number = compared->values.number;
	}
	return sdc_itemjson_create(table);
}

/* merge_rules emits the associations of two files; a file that does not have one has NULL for it. */
static void
merge_rules(const Finding finding[2], uint32 records, SdcItemJson *json, SdcAssociationChangeEmit emit,
			void *arg)
{
	uint64		next[2] = {0, 0};
	SdcAssociationReading reading = finding[0].reading;

	while (next[0] < finding[0].count || next[1] < finding[1].count)
	{
		const Found *found[2];
		const Found *one;
		SdcAssociationChange change;
		int			order = 0;

		for (int file = 0; file < 2; file++)
			found[file] = next[file] < finding[file].count ? &finding[file].found[next[file]] : NULL;
		if (found[0] != NULL && found[1] != NULL)
			order = compare_found(found[0], found[1], &reading);
		if (order > 0)
			found[0] = NULL;
		if (order < 0)
			found[1] = NULL;
		for (int file = 0; file < 2; file++)
		{
			next[file] += found[file] != NULL;
			change.support[file] = found[file] == NULL ? NAN : (double) found[file]->records / records;
			change.confidence[file] = found[file] == NULL ? NAN : found[file]->confidence;
		}
		change.fate = found[1] == NULL ? SDC_ASSOCIATION_LOST :
			found[0] == NULL ? SDC_ASSOCIATION_NEW : SDC_ASSOCIATION_KEPT;
		one = found[0] != NULL ? found[0] : found[1];
		change.length = length_of(one, reading);
		change.antecedent = sdc_itemjson_build(json, 0, one->item, one->antecedent);
		change.consequent = sdc_itemjson_build(json, 1, one->item + one->antecedent, one->consequent);
		emit(arg, &change);
	}
}

/* sdc_associationchanges_list: see associationchanges.h. */
void
sdc_associationchanges_list(const SdcRecallRequest *request, SdcAssociationChangeEmit emit, void *arg)
{
	SdcCodedReleaseRequest reading = request->release;
	SdcCodedRelease *coded;
	SdcRuleTask task[2];
	Finding		finding[2];
	SdcItemJson *json;

	reading.values = true;
	reading.needs_sensitive = true;
	coded = sdc_codedrelease_open(&reading);
	sdc_associations_tasks(coded, request, task);
	sdc_progress_evaluating(coded->records, 2 * sdc_associations_parts(request->reading));
	find_rules(&task[0], &finding[0]);
	find_rules(&task[1], &finding[1]);
	json = describe_items(coded);
	merge_rules(finding, coded->records, json, emit, arg);
	sdc_itemjson_destroy(json);
	sdc_codedrelease_close(coded);
}
