/*-------------------------------------------------------------------------
 *
 * ordering.c
 *		The sorted order of one attribute's values, in memory.
 *
 * Types with an order-preserving 64-bit key are radix sorted by it.  For all others the
 * type's own comparator decides: numeric, text under a collation with abbreviated
 * keys, bytea and uuid are radix sorted by those keys first, and the comparator sees
 * only what they do not tell apart.  Both orders are the same as those of
 * external.c: by stratum, value, tie word, record number.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "kernel/base/rankorder.h"
#include "kernel/base/sortkey.h"
#include "relation/column/ordering.h"
#include "utils/sortsupport.h"

/* One record in a comparison sort. */
typedef struct Item
{
	Datum		value;
	uint32		record;
} Item;

/* What the comparison of two items needs. */
typedef struct Comparison
{
	SortSupportData support;	/* set up without abbreviation */
	const uint32 *tie;
	uint32		calls;
} Comparison;

/* How the abbreviated keys of a type become 64-bit keys that keep their order. */
typedef enum AbbreviationKind
{
	ABBREVIATION_NONE,			/* the type has none, or not under this collation */
	ABBREVIATION_UNSIGNED,		/* compared as unsigned integers */
	ABBREVIATION_NEGATED		/* compared as signed integers, the larger first */
} AbbreviationKind;

/* sdc_ordering_result_memory: the records, where each stratum starts, and the ties. */
uint64
sdc_ordering_result_memory(const SdcOrderingTask *task)
{
	uint64		count = sdc_column_count(task->column) - sdc_column_null_count(task->column);
	uint64		bytes = sdc_arena_bytes(count, sizeof(uint32)) + sdc_arena_bytes(task->strata + 2, sizeof(uint32));

	if (task->ties && task->type->key != SDC_KEY_NONE)
		bytes += sdc_arena_bytes(count, sizeof(bool));
	return bytes;
}

/* sdc_ordering_memory returns the bytes of the arena that ordering takes. */
uint64
sdc_ordering_memory(const SdcOrderingTask *task)
{
	uint64		records = sdc_column_count(task->column);
	uint64		count = records - sdc_column_null_count(task->column);
	uint64		bytes;

	/* the result, the next place of each stratum, the tie words */
	bytes = sdc_ordering_result_memory(task) + sdc_arena_bytes(task->strata + 2, sizeof(uint32)) +
		sdc_arena_bytes(records, sizeof(uint32));
	if (task->type->key != SDC_KEY_NONE)
		bytes += sdc_arena_bytes(count, sizeof(uint64)) + sdc_arena_bytes(count, sizeof(uint32)) +
			sdc_arena_bytes(sdc_rankorder_memory((uint32) count), 1);
	else
		bytes += sdc_arena_bytes(records, sizeof(uint64)) + sdc_arena_bytes(count, sizeof(uint64)) +
			sdc_arena_bytes(count, sizeof(uint32)) +
			Max(sdc_arena_bytes(count, sizeof(Item)),
				sdc_arena_bytes(sdc_rankorder_memory((uint32) count), 1));
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
	Datum		stratum = Int32GetDatum(task->first_stratum);

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
				ordering->start[DatumGetInt32(stratum) - task->first_stratum + 1]++;
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
	Datum		stratum = Int32GetDatum(task->first_stratum);

	memcpy(next, ordering->start, sizeof(uint32) * ordering->strata);
	for (uint64 r = 0; r < records; r++)
	{
		bool		valid = sdc_column_next(reader, &value);
		uint32		place;

		if (strata != NULL)
			(void) sdc_column_next(strata, &stratum);
		if (!valid)
			continue;
		place = next[DatumGetInt32(stratum) - task->first_stratum]++;
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
collect_keys(const SdcOrderingTask *task, const Datum *values, uint64 *key)
{
	SdcColumnReader *reader;
	uint64		records = sdc_column_count(task->column);

	if (values != NULL)
	{
		for (uint64 r = 0; r < records; r++)
			key[r] = sdc_type_key(task->type, values[r]);
		return;
	}
	reader = sdc_column_open(task->column);

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
order_by_key(SdcOrdering *ordering, const SdcOrderingTask *task, const Datum *values,
			 const uint32 *tie)
{
	uint64	   *key = sdc_arena_take(task->arena, ordering->count, sizeof(uint64));
	uint32	   *record = NULL;
	void	   *work = sdc_arena_take(task->arena, sdc_rankorder_memory(ordering->longest), 1);

	if (task->stratum == NULL && ordering->count == sdc_column_count(task->column))
		collect_keys(task, values, key);
	else
	{
		record = sdc_arena_take(task->arena, ordering->count, sizeof(uint32));
		collect_records(ordering, task, record, key);
	}
	for (uint32 s = 0; s < ordering->strata; s++)
	{
		uint32		start = ordering->start[s];

		sdc_rankorder_ties(key + start, record == NULL ? NULL : record + start, ordering->start[s + 1] - start,
						   tie, work, ordering->order + start, ordering->tied == NULL ? NULL : ordering->tied + start);
	}
}

/* compare_items is the order by value, tie word and record. */
static int
compare_items(const void *a, const void *b, void *arg)
{
	const Item *left = a;
	const Item *right = b;
	Comparison *comparison = arg;
	int			result = comparison->support.comparator(left->value, right->value,
														 &comparison->support);

	if (++comparison->calls % 65536 == 0)
		CHECK_FOR_INTERRUPTS();
	if (result != 0)
		return result;
	if (comparison->tie[left->record] != comparison->tie[right->record])
		return comparison->tie[left->record] < comparison->tie[right->record] ? -1 : 1;
	return left->record < right->record ? -1 : left->record > right->record;
}

/* prepare_support sets a type's sort support up, with abbreviated keys or without. */
static void
prepare_support(SortSupport support, const SdcType *type, bool abbreviate)
{
	memset(support, 0, sizeof(SortSupportData));
	support->ssup_cxt = CurrentMemoryContext;
	support->ssup_collation = type->collation;
	support->abbreviate = abbreviate;
	PrepareSortSupportFromOrderingOp(type->less, support);
}

/*
 * abbreviation_kind tells how a type's abbreviated keys are compared.  Only types whose
 * comparison is known take part; check_order proves it in assert builds.
 */
static AbbreviationKind
abbreviation_kind(const SdcType *type, const SortSupportData *support)
{
	if (support->abbrev_converter == NULL)
		return ABBREVIATION_NONE;
	switch (type->base)
	{
		case NUMERICOID:
			return ABBREVIATION_NEGATED;
		case TEXTOID:
		case VARCHAROID:
		case BPCHAROID:
		case BYTEAOID:
		case UUIDOID:
			return support->comparator == ssup_datum_unsigned_cmp ?
				ABBREVIATION_UNSIGNED : ABBREVIATION_NONE;
		default:
			return ABBREVIATION_NONE;
	}
}

/* sort_items sorts the records at some positions by the comparator. */
static void
sort_items(SdcOrdering *ordering, uint32 start, uint32 end, Comparison *comparison,
		   const Datum *values, Item *items)
{
	for (uint32 i = start; i < end; i++)
	{
		items[i - start].record = ordering->order[i];
		items[i - start].value = values[ordering->order[i]];
	}
	qsort_arg(items, end - start, sizeof(Item), compare_items, comparison);
	for (uint32 i = start; i < end; i++)
		ordering->order[i] = items[i - start].record;
}

/* all_equal tells whether the records at some positions have equal values. */
static bool
all_equal(const SdcOrdering *ordering, uint32 start, uint32 end, Comparison *comparison,
		  const Datum *values)
{
	for (uint32 i = start + 1; i < end; i++)
	{
		if (i % 65536 == 0)
			CHECK_FOR_INTERRUPTS();
		if (comparison->support.comparator(values[ordering->order[start]],
										   values[ordering->order[i]], &comparison->support) != 0)
			return false;
	}
	return true;
}

/*
 * order_runs finishes a stratum that is sorted by abbreviated keys: records with equal
 * keys are sorted by the comparator.  Where all of them are equal, which is so in
 * most columns, the ties are in order already.
 */
static void
order_runs(SdcOrdering *ordering, uint32 stratum, Comparison *comparison,
		   const Datum *values, const uint64 *key, Item *items)
{
	uint32		end = ordering->start[stratum + 1];
	uint32		next;

	for (uint32 i = ordering->start[stratum]; i < end; i = next)
	{
		for (next = i + 1; next < end; next++)
			if (key[ordering->order[next]] != key[ordering->order[i]])
				break;
		if (next - i > 1 && !all_equal(ordering, i, next, comparison, values))
			sort_items(ordering, i, next, comparison, values, items);
		if (next / 4096 != i / 4096)
			CHECK_FOR_INTERRUPTS();
	}
}

/* abbreviate_values returns the abbreviated key of each record that has a value. */
static uint64 *
abbreviate_values(const SdcOrderingTask *task, const SdcOrdering *ordering,
				  const Datum *values, SortSupport support, AbbreviationKind kind)
{
	uint64	   *key = sdc_arena_take(task->arena, sdc_column_count(task->column), sizeof(uint64));

	for (uint32 i = 0; i < ordering->count; i++)
	{
		uint32		record = ordering->order[i];
		uint64		abbreviated = (uint64) support->abbrev_converter(values[record], support);

		key[record] = kind == ABBREVIATION_UNSIGNED ? abbreviated :
			~sdc_sortkey_from_int64((int64) abbreviated);
		if (i % 4096 == 0)
			CHECK_FOR_INTERRUPTS();
	}
	return key;
}

/*
 * order_by_abbreviation orders every stratum by abbreviated keys, and what they do not
 * tell apart by the comparator.
 */
static void
order_by_abbreviation(SdcOrdering *ordering, const SdcOrderingTask *task,
					  Comparison *comparison, const Datum *values, const uint64 *key)
{
	uint64	   *sorted = sdc_arena_take(task->arena, ordering->longest, sizeof(uint64));
	uint32	   *record = sdc_arena_take(task->arena, ordering->longest, sizeof(uint32));
	uint64		mark = task->arena->used;

	for (uint32 s = 0; s < ordering->strata; s++)
	{
		uint32		start = ordering->start[s];
		uint32		n = ordering->start[s + 1] - start;

		for (uint32 i = 0; i < n; i++)
		{
			record[i] = ordering->order[start + i];
			sorted[i] = key[record[i]];
		}
		sdc_rankorder_sort(sorted, record, n, comparison->tie,
						   sdc_arena_take(task->arena, sdc_rankorder_memory(n), 1),
						   ordering->order + start);
		task->arena->used = mark;
		order_runs(ordering, s, comparison, values, key,
				   sdc_arena_take(task->arena, n, sizeof(Item)));
		task->arena->used = mark;
	}
}

/* check_order insists in assert builds that the comparator agrees with the result. */
static void
check_order(const SdcOrdering *ordering, Comparison *comparison, const Datum *values)
{
#ifdef USE_ASSERT_CHECKING
	for (uint32 s = 0; s < ordering->strata; s++)
		for (uint32 i = ordering->start[s] + 1; i < ordering->start[s + 1]; i++)
		{
			Item		left = {values[ordering->order[i - 1]], ordering->order[i - 1]};
			Item		right = {values[ordering->order[i]], ordering->order[i]};

			Assert(compare_items(&left, &right, comparison) < 0);
		}
#else
	(void) ordering;
	(void) comparison;
	(void) values;
#endif
}

/* order_by_comparator orders every stratum by the type's comparator. */
static void
order_by_comparator(SdcOrdering *ordering, const SdcOrderingTask *task,
					const Datum *values, const uint32 *tie)
{
	Comparison	comparison = {.tie = tie};
	SortSupportData support;
	AbbreviationKind kind;

	prepare_support(&comparison.support, task->type, false);
	prepare_support(&support, task->type, true);
	kind = abbreviation_kind(task->type, &support);
	collect_records(ordering, task, ordering->order, NULL);
	if (kind != ABBREVIATION_NONE)
		order_by_abbreviation(ordering, task, &comparison, values,
							  abbreviate_values(task, ordering, values, &support, kind));
	else
	{
		Item	   *items = sdc_arena_take(task->arena, ordering->longest, sizeof(Item));

		for (uint32 s = 0; s < ordering->strata; s++)
		{
			CHECK_FOR_INTERRUPTS();
			sort_items(ordering, ordering->start[s], ordering->start[s + 1], &comparison,
					   values, items);
		}
	}
	check_order(ordering, &comparison, values);
}

/* sdc_ordering_ties: see ordering.h. */
SdcStream *
sdc_ordering_ties(const SdcOrderingTask *task)
{
	return sdc_random_restart(task->random, task->attribute, SDC_PURPOSE_TIES, 0, task->publication);
}

/* draw_ties draws the tie words of all records, unless they are given. */
static const uint32 *
draw_ties(const SdcOrderingTask *task)
{
	uint64		records = sdc_column_count(task->column);
	uint32	   *tie;

	if (task->tie != NULL)
		return task->tie;
	tie = sdc_arena_take(task->arena, records, sizeof(uint32));
	if (task->random == NULL)
		memset(tie, 0, sizeof(uint32) * records);
	else
	{
		sdc_stream_fill32(sdc_ordering_ties(task), tie, records);
		sdc_random_verify(task->random);
	}
	return tie;
}

/* keep keeps an order where the task wants it, in the memory context of that. */
static void
keep(const SdcOrderingTask *task, const SdcOrdering *ordering)
{
	MemoryContext context = GetMemoryChunkContext(task->kept);

	Assert(ordering->tied == NULL);
	*task->kept = *ordering;
	task->kept->order = sdc_memory_array_in(context, ordering->count, sizeof(uint32));
	task->kept->start = sdc_memory_array_in(context, ordering->strata + 1, sizeof(uint32));
	memcpy(task->kept->order, ordering->order, ordering->count * sizeof(uint32));
	memcpy(task->kept->start, ordering->start, (ordering->strata + 1) * sizeof(uint32));
}

/* sdc_ordering_build orders the values of a column. */
SdcOrdering *
sdc_ordering_build(const SdcOrderingTask *task, const Datum *values)
{
	SdcOrdering *ordering = palloc0(sizeof(SdcOrdering));
	const uint32 *tie;
	uint64		mark;

	if (task->kept != NULL && task->kept->start != NULL)
		return task->kept;
	ordering_slice(ordering, task);
	ordering->order = sdc_arena_take(task->arena, ordering->count, sizeof(uint32));
	if (task->ties && task->type->key != SDC_KEY_NONE)
		ordering->tied = sdc_arena_take(task->arena, ordering->count, sizeof(bool));
	mark = task->arena->used;
	tie = draw_ties(task);
	if (task->type->key != SDC_KEY_NONE)
		order_by_key(ordering, task, values, tie);
	else
		order_by_comparator(ordering, task, values, tie);
	task->arena->used = mark;
	if (task->kept != NULL)
		keep(task, ordering);
	return ordering;
}
