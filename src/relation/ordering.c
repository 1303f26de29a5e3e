/*-------------------------------------------------------------------------
 *
 * ordering.c
 *		The sorted order of one attribute's values, in memory.
 *
 * Types with an order-preserving 64-bit key are radix sorted by it.  For all
 * others records are sorted by the type's own comparator, with abbreviated
 * keys where the type has them.  Both orders are the same as those of
 * external.c: by stratum, value, tie word, record number.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "kernel/rankorder.h"
#include "relation/ordering.h"
#include "utils/sortsupport.h"

/* One record in a comparison sort. */
typedef struct Item
{
	Datum		key;			/* the abbreviated key, or the value */
	uint32		record;
} Item;

/* What the comparison of two items needs. */
typedef struct Comparison
{
	SortSupportData support;
	bool		abbreviated;
	const Datum *values;
	const uint32 *tie;
	uint32		calls;
} Comparison;

/* Abbreviated keys are given up after this many values if they do not pay. */
#define ABBREVIATION_TRIAL 10000

/* sdc_ordering_memory returns the bytes of the arena that ordering takes. */
uint64
sdc_ordering_memory(const SdcOrderingTask *task)
{
	uint64		records = sdc_column_count(task->column);
	uint64		count = records - sdc_column_null_count(task->column);
	uint64		bytes;

	/* the result, the next place of each stratum, the tie words */
	bytes = sdc_arena_bytes(count, sizeof(uint32)) +
		2 * sdc_arena_bytes(task->strata + 2, sizeof(uint32)) +
		sdc_arena_bytes(records, sizeof(uint32));
	if (task->type->key != SDC_KEY_NONE)
		bytes += sdc_arena_bytes(count, sizeof(uint64)) + sdc_arena_bytes(count, sizeof(uint32)) +
			sdc_arena_bytes(sdc_rankorder_memory((uint32) count), 1);
	else
		bytes += sdc_arena_bytes(count, sizeof(Item));
	return bytes;
}

/* ordering_slice sets where each stratum starts, from the counts of its records. */
static void
ordering_slice(SdcOrdering *ordering, const SdcOrderingTask *task)
{
	SdcColumnReader *reader = sdc_column_open(task->column);
	SdcColumnReader *strata = task->stratum == NULL ? NULL : sdc_column_open(task->stratum);
	uint64		records = sdc_column_count(task->column);
	Datum		value;
	Datum		stratum = Int32GetDatum(0);

	ordering->strata = task->stratum == NULL ? 1 : Max(1, (uint32) task->strata);
	ordering->start = sdc_arena_take(task->arena, (uint64) ordering->strata + 1, sizeof(uint32));
	memset(ordering->start, 0, sizeof(uint32) * ((Size) ordering->strata + 1));
	if (strata == NULL)
		ordering->start[1] = records - sdc_column_null_count(task->column);
	else
		for (uint64 r = 0; r < records; r++)
		{
			bool		valid = sdc_column_next(reader, &value);

			(void) sdc_column_next(strata, &stratum);
			if (valid)
				ordering->start[DatumGetInt32(stratum) + 1]++;
		}
	for (uint32 s = 0; s < ordering->strata; s++)
	{
		ordering->longest = Max(ordering->longest, ordering->start[s + 1]);
		ordering->start[s + 1] += ordering->start[s];
	}
	ordering->count = ordering->start[ordering->strata];
	sdc_column_close(reader);
	if (strata != NULL)
		sdc_column_close(strata);
}

/*
 * collect_records puts the records that have a value to their stratum, in
 * ascending order, and with key not NULL their sort keys beside them.
 */
static void
collect_records(const SdcOrdering *ordering, const SdcOrderingTask *task,
				uint32 *record, uint64 *key)
{
	SdcColumnReader *reader = sdc_column_open(task->column);
	SdcColumnReader *strata = task->stratum == NULL ? NULL : sdc_column_open(task->stratum);
	uint32	   *next = sdc_arena_take(task->arena, ordering->strata, sizeof(uint32));
	uint64		records = sdc_column_count(task->column);
	Datum		value;
	Datum		stratum = Int32GetDatum(0);

	memcpy(next, ordering->start, sizeof(uint32) * ordering->strata);
	for (uint64 r = 0; r < records; r++)
	{
		bool		valid = sdc_column_next(reader, &value);
		uint32		place;

		if (strata != NULL)
			(void) sdc_column_next(strata, &stratum);
		if (!valid)
			continue;
		place = next[DatumGetInt32(stratum)]++;
		record[place] = (uint32) r;
		if (key != NULL)
			key[place] = sdc_type_key(task->type, value);
	}
	sdc_column_close(reader);
	if (strata != NULL)
		sdc_column_close(strata);
}

/* collect_keys does it where all records are in one stratum and have a value. */
static void
collect_keys(const SdcOrderingTask *task, uint64 *key)
{
	SdcColumnReader *reader = sdc_column_open(task->column);
	uint64		records = sdc_column_count(task->column);

	for (uint64 r = 0; r < records; r++)
	{
		Datum		value;

		(void) sdc_column_next(reader, &value);
		key[r] = sdc_type_key(task->type, value);
	}
	sdc_column_close(reader);
}

/* order_by_key orders every stratum by the 64-bit keys. */
static void
order_by_key(SdcOrdering *ordering, const SdcOrderingTask *task, const uint32 *tie)
{
	uint64	   *key = sdc_arena_take(task->arena, ordering->count, sizeof(uint64));
	uint32	   *record = NULL;
	void	   *work = sdc_arena_take(task->arena, sdc_rankorder_memory(ordering->longest), 1);

	if (task->stratum == NULL && ordering->count == sdc_column_count(task->column))
		collect_keys(task, key);
	else
	{
		record = sdc_arena_take(task->arena, ordering->count, sizeof(uint32));
		collect_records(ordering, task, record, key);
	}
	for (uint32 s = 0; s < ordering->strata; s++)
	{
		uint32		start = ordering->start[s];

		sdc_rankorder_sort(key + start, record == NULL ? NULL : record + start, ordering->start[s + 1] - start,
						   tie, work, ordering->order + start);
	}
}

/* compare_items is the order by value, tie word and record. */
static int
compare_items(const void *a, const void *b, void *arg)
{
	const Item *left = a;
	const Item *right = b;
	Comparison *comparison = arg;
	SortSupport support = &comparison->support;
	int			result = support->comparator(left->key, right->key, support);

	if (++comparison->calls % 65536 == 0)
		CHECK_FOR_INTERRUPTS();
	if (result == 0 && comparison->abbreviated)
		result = support->abbrev_full_comparator(comparison->values[left->record],
												 comparison->values[right->record], support);
	if (result != 0)
		return result;
	if (comparison->tie[left->record] != comparison->tie[right->record])
		return comparison->tie[left->record] < comparison->tie[right->record] ? -1 : 1;
	return left->record < right->record ? -1 : left->record > right->record;
}

/*
 * comparison_keys fills in the keys of the items: abbreviated ones where the type has
 * them and they tell values apart, else the values.
 */
static void
comparison_keys(Comparison *comparison, Item *items, uint32 count)
{
	SortSupport support = &comparison->support;

	comparison->abbreviated = support->abbrev_converter != NULL;
	for (uint32 i = 0; i < count && comparison->abbreviated; i++)
	{
		items[i].key = support->abbrev_converter(comparison->values[items[i].record], support);
		if (i % ABBREVIATION_TRIAL == ABBREVIATION_TRIAL - 1)
		{
			CHECK_FOR_INTERRUPTS();
			if (support->abbrev_abort(i + 1, support))
				comparison->abbreviated = false;
		}
	}
	if (comparison->abbreviated)
		return;
	if (support->abbrev_converter != NULL)
		support->comparator = support->abbrev_full_comparator;
	for (uint32 i = 0; i < count; i++)
		items[i].key = comparison->values[items[i].record];
}

/* order_by_comparator orders every stratum by the type's comparator. */
static void
order_by_comparator(SdcOrdering *ordering, const SdcOrderingTask *task,
					const Datum *values, const uint32 *tie)
{
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext, "sdc comparator",
												  ALLOCSET_DEFAULT_SIZES);
	Item	   *items = sdc_arena_take(task->arena, ordering->count, sizeof(Item));
	Comparison	comparison;

	memset(&comparison, 0, sizeof(comparison));
	comparison.values = values;
	comparison.tie = tie;
	comparison.support.ssup_cxt = context;
	comparison.support.ssup_collation = task->type->collation;
	comparison.support.abbreviate = true;
	PrepareSortSupportFromOrderingOp(task->type->less, &comparison.support);

	collect_records(ordering, task, ordering->order, NULL);
	for (uint32 i = 0; i < ordering->count; i++)
		items[i].record = ordering->order[i];
	comparison_keys(&comparison, items, ordering->count);
	for (uint32 s = 0; s < ordering->strata; s++)
	{
		uint32		start = ordering->start[s];

		CHECK_FOR_INTERRUPTS();
		qsort_arg(items + start, ordering->start[s + 1] - start, sizeof(Item),
				  compare_items, &comparison);
	}
	for (uint32 i = 0; i < ordering->count; i++)
		ordering->order[i] = items[i].record;
	MemoryContextDelete(context);
}

/* sdc_ordering_build orders the values of a column. */
SdcOrdering *
sdc_ordering_build(const SdcOrderingTask *task, const Datum *values)
{
	SdcOrdering *ordering = palloc0(sizeof(SdcOrdering));
	uint64		records = sdc_column_count(task->column);
	uint32	   *tie;
	uint64		mark;

	ordering_slice(ordering, task);
	ordering->order = sdc_arena_take(task->arena, ordering->count, sizeof(uint32));
	mark = task->arena->used;
	tie = sdc_arena_take(task->arena, records, sizeof(uint32));
	sdc_stream_fill32(sdc_random_start(task->random, task->attribute, SDC_PURPOSE_TIES, 0),
					  tie, records);
	sdc_random_verify(task->random);
	if (task->type->key != SDC_KEY_NONE)
		order_by_key(ordering, task, tie);
	else
		order_by_comparator(ordering, task, values, tie);
	task->arena->used = mark;
	return ordering;
}
