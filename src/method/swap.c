/*-------------------------------------------------------------------------
 *
 * swap.c
 *		Protecting a column by a method that swaps sorted positions.
 *
 * Order the values, run the method's kernel on the positions of every stratum,
 * turn its swaps into a donor map, apply the map to the values.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "method/externalswap.h"
#include "method/swap.h"
#include "relation/base/memory.h"
#include "relation/base/progress.h"

/* What lies at random places is fetched this many records ahead of its use. */
#define PREFETCH_RECORDS 24

/*
 * set_partners is the SdcSwapEmit of the in-memory path; arg has for each position of
 * the stratum the one it swaps with.
 */
static void
set_partners(void *arg, uint32 a, uint32 b)
{
	uint32	   *partner = arg;

	partner[a] = b;
	partner[b] = a;
}

/* values_memory returns the bytes of the arena that the values of a column take. */
static uint64
values_memory(const SdcOrderingTask *task)
{
	return sdc_arena_bytes(sdc_column_loaded_size(task->column), 1);
}

/* map_memory returns the bytes of the arena that the donor map takes. */
static uint64
map_memory(const SdcOrderingTask *task)
{
	return 3 * sdc_arena_bytes(sdc_column_count(task->column), sizeof(uint32)) +
		sdc_arena_bytes(task->strata + 2, sizeof(uint32));
}

/*
 * values_first tells whether the values are loaded before they are ordered.  That saves a
 * reading; values that have a sort key can also be loaded after it, in the place of
 * what the sort needs.
 */
static bool
values_first(const SdcOrderingTask *task)
{
	return task->type->key == SDC_KEY_NONE ||
		values_memory(task) + sdc_ordering_memory(task) +
		sdc_rankswap_memory((uint32) sdc_column_count(task->column)) <= sdc_memory_budget();
}

/* arena_memory returns the bytes of the arena that a column takes at its peak. */
static uint64
arena_memory(const SdcOrderingTask *task)
{
	uint64		ordering = sdc_ordering_memory(task);
	uint64		map = map_memory(task);

	if (values_first(task))
		return values_memory(task) + Max(ordering, map);
	return Max(ordering, values_memory(task) + map);
}

/* sdc_swap_memory returns the bytes that the in-memory path takes at its peak. */
uint64
sdc_swap_memory(const SdcOrderingTask *task)
{
	return arena_memory(task) + sdc_rankswap_memory((uint32) sdc_column_count(task->column));
}

/*
 * swap_positions runs the kernel on every stratum and returns for each position the
 * one it swaps with, counted from the start of its stratum.
 */
static uint32 *
swap_positions(const SdcOrderingTask *task, const SdcOrdering *ordering,
			   const SdcSwapMethod *method)
{
	uint32	   *partner = sdc_arena_take(task->arena, ordering->count, sizeof(uint32));
	SdcSwapRun	run;

	run.unswapped = sdc_positionset_create(ordering->longest);
	run.emit = set_partners;
	for (uint32 s = 0; s < ordering->strata; s++)
	{
		uint32	   *positions = partner + ordering->start[s];

		run.n = ordering->start[s + 1] - ordering->start[s];
		for (uint32 i = 0; i < run.n; i++)
			positions[i] = i;
		if (run.n < 2)
			continue;
		CHECK_FOR_INTERRUPTS();
		run.arg = positions;
		run.stream = sdc_random_start(task->random, task->attribute, SDC_PURPOSE_DRAWS, s);
		method->run(&run, method->parameters);
		sdc_random_verify(task->random);
	}
	sdc_positionset_destroy(run.unswapped);
	return partner;
}

/* build_donors turns swapped positions into the donor of every record. */
static uint32 *
build_donors(const SdcOrderingTask *task, const SdcOrdering *ordering, const uint32 *partner)
{
	uint64		records = sdc_column_count(task->column);
	uint32	   *donor = sdc_arena_take(task->arena, records, sizeof(uint32));

	/* records without a value keep it */
	for (uint64 r = 0; r < records && ordering->count < records; r++)
		donor[r] = (uint32) r;
	for (uint32 s = 0; s < ordering->strata; s++)
	{
		const uint32 *order = ordering->order + ordering->start[s];
		const uint32 *positions = partner + ordering->start[s];
		uint32		n = ordering->start[s + 1] - ordering->start[s];

		for (uint32 i = 0; i < n; i++)
		{
			if (i + PREFETCH_RECORDS < n)
			{
				__builtin_prefetch(&donor[order[i + PREFETCH_RECORDS]], 1);
				__builtin_prefetch(&order[positions[i + PREFETCH_RECORDS]]);
			}
			if (i % 65536 == 0)
				CHECK_FOR_INTERRUPTS();
			donor[order[i]] = order[positions[i]];
		}
	}
	return donor;
}

/* check_donors insists in assert builds that a donor map is a permutation. */
static void
check_donors(const uint32 *donor, uint64 records)
{
#ifdef USE_ASSERT_CHECKING
	for (uint64 r = 0; r < records; r++)
		Assert(donor[r] < records && donor[donor[r]] == r);
#else
	(void) donor;
	(void) records;
#endif
}

/*
 * apply_donors returns a new column in which every record has its donor's value.
 */
static SdcColumn *
apply_donors(const SdcOrderingTask *task, SdcSpool *spool, const Datum *values,
			 const uint32 *donor, uint64 *changed)
{
	SdcColumn  *result = sdc_column_successor(task->column, spool, sdc_column_type(task->column));
	SdcColumnReader *nulls = NULL;
	uint64		records = sdc_column_count(task->column);
	uint64		count = 0;

	if (sdc_column_null_count(task->column) > 0)
		nulls = sdc_column_open(task->column);
	for (uint64 r = 0; r < records; r++)
	{
		Datum		value;
		bool		valid = nulls == NULL || sdc_column_next(nulls, &value);

		if (r + PREFETCH_RECORDS < records)
			__builtin_prefetch(&values[donor[r + PREFETCH_RECORDS]]);
		value = values[donor[r]];
		if (valid && donor[r] != r && !sdc_type_equal(task->type, values[r], value))
			count++;
		sdc_column_append(result, value, !valid);
		if (r % 4096 == 0)
		{
			CHECK_FOR_INTERRUPTS();
			sdc_progress_records(r);
		}
	}
	sdc_column_finish(result);
	if (nulls != NULL)
		sdc_column_close(nulls);
	*changed = count;
	return result;
}

/* load_values loads the column's values to the arena. */
static Datum *
load_values(const SdcOrderingTask *task)
{
	return sdc_column_load(task->column,
						   sdc_arena_take(task->arena, sdc_column_loaded_size(task->column), 1));
}

/* sdc_swap_donors: see swap.h. */
uint32 *
sdc_swap_donors(const SdcOrderingTask *task, const Datum *values, const SdcSwapMethod *method,
				SdcOrdering **ordering)
{
	uint32	   *donor;

	*ordering = sdc_ordering_build(task, values);
	donor = build_donors(task, *ordering, swap_positions(task, *ordering, method));
	check_donors(donor, sdc_column_count(task->column));
	return donor;
}

/* sdc_swap_donors_memory returns the bytes of the arena that takes. */
uint64
sdc_swap_donors_memory(const SdcOrderingTask *task)
{
	return Max(sdc_ordering_memory(task), map_memory(task));
}

/* count_within counts the records that swap with another one of their unit. */
static uint64
count_within(const uint32 *donor, uint64 records, const uint32 *unit)
{
	uint64		within = 0;

	for (uint64 r = 0; r < records; r++)
		within += donor[r] != r && unit[donor[r]] == unit[r];
	return within;
}

/* sdc_swap_in_memory protects a column with all its values in memory. */
SdcColumn *
sdc_swap_in_memory(const SdcOrderingTask *task, SdcSpool *spool,
				   const SdcSwapMethod *method, uint64 *changed)
{
	return sdc_swap_by_units(task, spool, method, NULL, changed, NULL);
}

/* sdc_swap_by_units: see swap.h. */
SdcColumn *
sdc_swap_by_units(const SdcOrderingTask *task, SdcSpool *spool, const SdcSwapMethod *method, const uint32 *unit,
				  uint64 *changed, uint64 *within)
{
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext, "sdc swap",
												  ALLOCSET_DEFAULT_SIZES);
	MemoryContext old;
	Datum	   *values = NULL;
	SdcOrdering *ordering;
	uint32	   *donor;
	SdcColumn  *result;

	sdc_arena_reserve(task->arena, arena_memory(task));
	old = MemoryContextSwitchTo(context);
	if (values_first(task))
		values = load_values(task);
	donor = sdc_swap_donors(task, values, method, &ordering);
	if (values == NULL)
		values = load_values(task);
	result = apply_donors(task, spool, values, donor, changed);
	if (unit != NULL)
		*within = count_within(donor, sdc_column_count(task->column), unit);
	MemoryContextSwitchTo(old);
	MemoryContextDelete(context);
	return result;
}

/*
 * sdc_swap_column protects one column, in memory where the budget allows it.
 */
SdcColumn *
sdc_swap_column(const SdcOrderingTask *task, SdcSpool *spool,
				const SdcSwapMethod *method, uint64 *changed)
{
	uint64		budget = sdc_memory_budget();
	uint64		needed = sdc_swap_memory(task);

	/* an arena that an earlier column needed is still there */
	if (needed - arena_memory(task) + task->arena->size > budget || needed > budget)
		sdc_arena_free(task->arena);
	if (needed > budget)
		return sdc_externalswap_column(task, spool, method, changed);
	needed += Max(task->arena->size, arena_memory(task)) - arena_memory(task);
	sdc_spool_set_limit(spool, sdc_memory_left(needed));
	return sdc_swap_in_memory(task, spool, method, changed);
}
