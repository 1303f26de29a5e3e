/*-------------------------------------------------------------------------
 *
 * externalswap.c
 *		Protecting a column that does not fit the memory budget.
 *
 * The same result as swap.c through temporary files:
 *
 *	1.	the records and values by sorted position (relation/externalorder)
 *	2.	the kernel's swaps, to ranges of positions; range by range the partner of every position is in memory, and its
 *		record requests the partner's value
 *	3.	the requests are granted (relation/gather)
 *
 * Of the whole column only the kernel's set of positions is in memory, about a seventh of a byte a record.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "method/externalswap.h"
#include "relation/base/memory.h"
#include "relation/base/progress.h"
#include "relation/column/externalorder.h"
#include "relation/column/gather.h"

/* The partners of all positions, in ranges. */
typedef struct Partners
{
	SdcSpool   *spool;			/* of the swaps */
	int			shift;			/* 2^shift positions are a range */
	uint32		ranges;
	SdcColumn **swaps;			/* of every range: position and partner, in one int8 */
	uint32		base;			/* position of the stratum's first record */
} Partners;

/* create_partners makes ranges of positions. */
static Partners
create_partners(uint64 positions, uint64 memory)
{
	Partners	partners = {0};

	partners.shift = sdc_gather_shift(positions, sizeof(uint32), memory / 2);
	partners.ranges = (uint32) (positions >> partners.shift) + 1;
	partners.spool = sdc_spool_create(memory / 2, (int) partners.ranges);
	partners.swaps = palloc(sizeof(SdcColumn *) * partners.ranges);
	for (uint32 i = 0; i < partners.ranges; i++)
		partners.swaps[i] = sdc_column_create(partners.spool, INT8OID);
	return partners;
}

/* put_swap is the SdcSwapEmit of the external path. */
static void
put_swap(void *arg, uint32 a, uint32 b)
{
	Partners   *partners = arg;

	a += partners->base;
	b += partners->base;
	sdc_column_append(partners->swaps[a >> partners->shift], sdc_pair_datum(a, b), false);
	sdc_column_append(partners->swaps[b >> partners->shift], sdc_pair_datum(b, a), false);
}

/* swap_positions runs the kernel on every stratum. */
static void
swap_positions(const SdcOrderingTask *task, const SdcSwapMethod *method, const SdcSortedColumn *sorted,
			   Partners *partners)
{
	SdcColumnReader *lengths = sdc_column_open(sorted->length);
	SdcColumnReader *strata = sdc_column_open(sorted->stratum);
	SdcSwapRun	run = {.emit = put_swap, .arg = partners};

	run.unswapped = sdc_positionset_create((uint32) sorted->longest);
	for (uint64 i = 0; i < sdc_column_count(sorted->length); i++)
	{
		Datum		length;
		Datum		stratum;

		(void) sdc_column_next(lengths, &length);
		(void) sdc_column_next(strata, &stratum);
		run.n = (uint32) DatumGetInt64(length);
		run.stream = sdc_random_start(task->random, task->attribute, SDC_PURPOSE_DRAWS,
									  (uint64) DatumGetInt32(stratum));
		if (run.n > 1)
			method->run(&run, method->parameters);
		sdc_random_verify(task->random);
		partners->base += run.n;
		CHECK_FOR_INTERRUPTS();
	}
	sdc_positionset_destroy(run.unswapped);
	sdc_column_close(strata);
	sdc_column_close(lengths);
	for (uint32 i = 0; i < partners->ranges; i++)
		sdc_column_finish(partners->swaps[i]);
}

/* load_partners finds the partner of every position of a range: itself, if it was not swapped. */
static void
load_partners(const Partners *partners, uint32 range, uint32 first, uint32 count, uint32 *partner)
{
	SdcColumn  *swaps = partners->swaps[range];
	SdcColumnReader *reader = sdc_column_open(swaps);
	uint64		number = sdc_column_count(swaps);

	for (uint32 i = 0; i < count; i++)
		partner[i] = first + i;
	for (uint64 i = 0; i < number; i++)
	{
		Datum		swap;

		(void) sdc_column_next(reader, &swap);
		Assert(sdc_pair_first(swap) - first < count);
		partner[sdc_pair_first(swap) - first] = sdc_pair_second(swap);
	}
	sdc_column_close(reader);
	sdc_column_destroy(swaps);
}

/* request has every record request the value of its partner. */
static void
request(const Partners *partners, const SdcSortedColumn *sorted, SdcGather *gather)
{
	uint64		length = Min(UINT64CONST(1) << partners->shift, sorted->count);
	uint32	   *partner = sdc_memory_array(length, sizeof(uint32));
	SdcColumnReader *records = sdc_column_open(sorted->record);

	for (uint32 range = 0; range < partners->ranges; range++)
	{
		uint64		first = (uint64) range << partners->shift;
		uint32		count = (uint32) Min(length, sorted->count - first);

		load_partners(partners, range, (uint32) first, count, partner);
		for (uint32 i = 0; i < count; i++)
		{
			Datum		record;

			(void) sdc_column_next(records, &record);
			sdc_gather_put(gather, partner[i], (uint32) DatumGetInt32(record));
		}
	}
	sdc_column_close(records);
	sdc_free(partner);
}

/* sdc_externalswap_column protects one column through temporary files. */
SdcColumn *
sdc_externalswap_column(const SdcOrderingTask *task, SdcSpool *spool,
						 const SdcSwapMethod *method, uint64 *changed)
{
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext, "sdc external swap",
												  ALLOCSET_DEFAULT_SIZES);
	MemoryContext old = MemoryContextSwitchTo(context);
	uint64		set = sdc_rankswap_memory((uint32) sdc_column_count(task->column));
	uint64		memory;
	SdcSortedColumn sorted;
	Partners	partners;
	SdcGather  *gather;
	SdcColumn  *result;

	sdc_memory_require(set, "swapping the records of one attribute");
	memory = sdc_memory_left(set) / 4;
	sdc_spool_set_limit(spool, memory);
	sdc_externalorder_build(task, 3 * memory, spool, &sorted);
	partners = create_partners(sorted.count, memory);
	swap_positions(task, method, &sorted, &partners);
	gather = sdc_gather_begin(sorted.value, 2 * memory);
	request(&partners, &sorted, gather);
	sdc_spool_destroy(partners.spool);
	result = sdc_gather_end(gather, task->column, task->type, spool, changed);
	sdc_externalorder_destroy(&sorted);
	MemoryContextSwitchTo(old);
	MemoryContextDelete(context);
	return result;
}
