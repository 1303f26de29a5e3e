/*-------------------------------------------------------------------------
 *
 * external.c
 *		Protecting a column that does not fit the memory budget.
 *
 * The same result as swap.c by four sorts through tuplesort and temporary files:
 *
 *	1.	(stratum, value, tie word and record)  -> the records by sorted position
 *	2.	the kernel's swaps as (position, partner), by position, joined with 1
 *		-> (partner, receiving record)
 *	3.	by partner, joined with the values of 1 -> (receiving record, value)
 *	4.	by record -> the protected column
 *
 * Only the kernel's set of positions is in memory, about a seventh of a byte a
 * record.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "executor/tuptable.h"
#include "method/external.h"
#include "relation/memory.h"
#include "relation/pairsort.h"
#include "relation/progress.h"

/* The records and values of a column by sorted position. */
typedef struct Sorted
{
	SdcColumn  *record;			/* int8 */
	SdcColumn  *value;
	SdcColumn  *length;			/* int8: positions of each stratum that has any */
	SdcColumn  *stratum;		/* int4: its number */
	uint64		count;
	uint64		longest;
} Sorted;

/* sort_values does the first sort. */
static Tuplesortstate *
sort_values(const SdcOrderingTask *task, TupleTableSlot *slot)
{
	Tuplesortstate *sort = sdc_rowsort_begin(slot->tts_tupleDescriptor, task->type);
	SdcColumnReader *values = sdc_column_open(task->column);
	SdcColumnReader *strata = task->stratum == NULL ? NULL : sdc_column_open(task->stratum);
	SdcStream  *stream = sdc_random_start(task->random, task->attribute, SDC_PURPOSE_TIES, 0);
	uint64		records = sdc_column_count(task->column);
	Datum		stratum = Int32GetDatum(0);

	for (uint64 r = 0; r < records; r++)
	{
		Datum		value;
		bool		valid = sdc_column_next(values, &value);
		uint32		tie = sdc_stream_next32(stream);

		if (strata != NULL)
			(void) sdc_column_next(strata, &stratum);
		if (!valid)
			continue;
		ExecClearTuple(slot);
		slot->tts_values[0] = stratum;
		slot->tts_values[1] = value;
		slot->tts_values[2] = sdc_pair_datum(tie, (uint32) r);
		memset(slot->tts_isnull, false, 3);
		ExecStoreVirtualTuple(slot);
		tuplesort_puttupleslot(sort, slot);
		if (r % 4096 == 0)
		{
			CHECK_FOR_INTERRUPTS();
			sdc_progress_records(r);
		}
	}
	sdc_random_verify(task->random);
	sdc_column_close(values);
	if (strata != NULL)
		sdc_column_close(strata);
	tuplesort_performsort(sort);
	return sort;
}

/* sorted_close_stratum records that a stratum ended. */
static void
sorted_close_stratum(Sorted *sorted, int32 stratum, uint64 length)
{
	if (length == 0)
		return;
	sdc_column_append(sorted->length, Int64GetDatum((int64) length), false);
	sdc_column_append(sorted->stratum, Int32GetDatum(stratum), false);
	sorted->longest = Max(sorted->longest, length);
}

/* sort_column puts records and values into sorted order. */
static void
sort_column(const SdcOrderingTask *task, SdcSpool *spool, Sorted *sorted)
{
	Oid			types[3] = {INT4OID, task->type->typid, INT8OID};
	TupleTableSlot *slot = MakeSingleTupleTableSlot(sdc_rowsort_desc(3, types, task->type->collation),
													&TTSOpsMinimalTuple);
	TupleTableSlot *input = MakeSingleTupleTableSlot(slot->tts_tupleDescriptor, &TTSOpsVirtual);
	Tuplesortstate *sort = sort_values(task, input);
	int32		stratum = -1;
	uint64		length = 0;

	memset(sorted, 0, sizeof(Sorted));
	sorted->record = sdc_column_create(spool, INT8OID);
	sorted->value = sdc_column_create(spool, task->type->typid);
	sorted->length = sdc_column_create(spool, INT8OID);
	sorted->stratum = sdc_column_create(spool, INT4OID);
	while (tuplesort_gettupleslot(sort, true, false, slot, NULL))
	{
		slot_getallattrs(slot);
		if (DatumGetInt32(slot->tts_values[0]) != stratum)
		{
			sorted_close_stratum(sorted, stratum, length);
			stratum = DatumGetInt32(slot->tts_values[0]);
			length = 0;
		}
		sdc_column_append(sorted->record,
						  Int64GetDatum((int64) sdc_pair_second(slot->tts_values[2])), false);
		sdc_column_append(sorted->value, slot->tts_values[1], false);
		sorted->count++;
		if (++length % 4096 == 0)
			CHECK_FOR_INTERRUPTS();
	}
	sorted_close_stratum(sorted, stratum, length);
	sdc_column_finish(sorted->record);
	sdc_column_finish(sorted->value);
	sdc_column_finish(sorted->length);
	sdc_column_finish(sorted->stratum);
	tuplesort_end(sort);
	ExecDropSingleTupleTableSlot(input);
	ExecDropSingleTupleTableSlot(slot);
}

/* Where the kernel's swaps go. */
typedef struct SwapSort
{
	Tuplesortstate *sort;
	uint32		base;			/* position of the stratum's first record */
} SwapSort;

/* swap_sort_put is the SdcSwapEmit of the external path. */
static void
swap_sort_put(void *arg, uint32 a, uint32 b)
{
	SwapSort   *swaps = arg;

	a += swaps->base;
	b += swaps->base;
	tuplesort_putdatum(swaps->sort, sdc_pair_datum(a, b), false);
	tuplesort_putdatum(swaps->sort, sdc_pair_datum(b, a), false);
}

/* sort_swaps runs the kernel on every stratum and sorts its swaps by position. */
static Tuplesortstate *
sort_swaps(const SdcOrderingTask *task, const SdcSwapMethod *method, Sorted *sorted)
{
	SdcColumnReader *lengths = sdc_column_open(sorted->length);
	SdcColumnReader *strata = sdc_column_open(sorted->stratum);
	SwapSort	swaps = {sdc_pairsort_begin(), 0};
	SdcSwapRun	run;

	run.unswapped = sdc_positionset_create((uint32) sorted->longest);
	run.emit = swap_sort_put;
	run.arg = &swaps;
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
		swaps.base += run.n;
		CHECK_FOR_INTERRUPTS();
	}
	sdc_positionset_destroy(run.unswapped);
	sdc_column_close(strata);
	sdc_column_close(lengths);
	tuplesort_performsort(swaps.sort);
	return swaps.sort;
}

/*
 * sort_receivers joins swaps and records by position, and sorts by partner: for every
 * position the record that receives its value.
 */
static Tuplesortstate *
sort_receivers(Tuplesortstate *swaps, Sorted *sorted)
{
	Tuplesortstate *receivers = sdc_pairsort_begin();
	SdcColumnReader *records = sdc_column_open(sorted->record);
	Datum		swap = (Datum) 0;
	bool		isnull;
	bool		more = sdc_tuplesort_getdatum(swaps, &swap, &isnull);

	for (uint64 position = 0; position < sorted->count; position++)
	{
		uint32		partner = (uint32) position;
		Datum		record;

		(void) sdc_column_next(records, &record);
		if (more && sdc_pair_first(swap) == position)
		{
			partner = sdc_pair_second(swap);
			more = sdc_tuplesort_getdatum(swaps, &swap, &isnull);
		}
		tuplesort_putdatum(receivers, sdc_pair_datum(partner, (uint32) DatumGetInt64(record)), false);
		if (position % 4096 == 0)
			CHECK_FOR_INTERRUPTS();
	}
	Assert(!more);
	sdc_column_close(records);
	tuplesort_performsort(receivers);
	return receivers;
}

/* sort_results joins receivers and values by position, and sorts by record. */
static Tuplesortstate *
sort_results(Tuplesortstate *receivers, Sorted *sorted, TupleTableSlot *slot)
{
	Tuplesortstate *results = sdc_rowsort_begin(slot->tts_tupleDescriptor, NULL);
	SdcColumnReader *values = sdc_column_open(sorted->value);

	for (uint64 position = 0; position < sorted->count; position++)
	{
		Datum		receiver = (Datum) 0;
		Datum		value;
		bool		isnull;

		(void) sdc_column_next(values, &value);
		if (!sdc_tuplesort_getdatum(receivers, &receiver, &isnull) ||
			sdc_pair_first(receiver) != position)
			elog(ERROR, "swaps do not form a permutation");
		ExecClearTuple(slot);
		slot->tts_values[0] = Int64GetDatum((int64) sdc_pair_second(receiver));
		slot->tts_values[1] = value;
		slot->tts_isnull[0] = slot->tts_isnull[1] = false;
		ExecStoreVirtualTuple(slot);
		tuplesort_puttupleslot(results, slot);
		if (position % 4096 == 0)
			CHECK_FOR_INTERRUPTS();
	}
	sdc_column_close(values);
	tuplesort_performsort(results);
	return results;
}

/* collect_results writes the protected column in record order. */
static SdcColumn *
collect_results(const SdcOrderingTask *task, SdcSpool *spool, Tuplesortstate *results,
				TupleTableSlot *slot, uint64 *changed)
{
	SdcColumn  *result = sdc_column_create(spool, task->type->typid);
	SdcColumnReader *original = sdc_column_open(task->column);
	uint64		records = sdc_column_count(task->column);

	*changed = 0;
	for (uint64 r = 0; r < records; r++)
	{
		Datum		own;

		if (!sdc_column_next(original, &own))
			sdc_column_append(result, (Datum) 0, true);
		else
		{
			if (!tuplesort_gettupleslot(results, true, false, slot, NULL))
				elog(ERROR, "a record received no value");
			slot_getallattrs(slot);
			Assert(DatumGetInt64(slot->tts_values[0]) == (int64) r);
			if (!sdc_type_equal(task->type, own, slot->tts_values[1]))
				(*changed)++;
			sdc_column_append(result, slot->tts_values[1], false);
		}
		if (r % 4096 == 0)
			CHECK_FOR_INTERRUPTS();
	}
	sdc_column_finish(result);
	sdc_column_close(original);
	return result;
}

/* sdc_external_swap_column protects one column through temporary files. */
SdcColumn *
sdc_external_swap_column(const SdcOrderingTask *task, SdcSpool *spool,
						 const SdcSwapMethod *method, uint64 *changed)
{
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext, "sdc external swap",
												  ALLOCSET_DEFAULT_SIZES);
	MemoryContext old = MemoryContextSwitchTo(context);
	Oid			types[2] = {INT8OID, task->type->typid};
	TupleDesc	desc = sdc_rowsort_desc(2, types, task->type->collation);
	TupleTableSlot *input = MakeSingleTupleTableSlot(desc, &TTSOpsVirtual);
	TupleTableSlot *output = MakeSingleTupleTableSlot(desc, &TTSOpsMinimalTuple);
	Tuplesortstate *swaps;
	Tuplesortstate *receivers;
	Tuplesortstate *results;
	Sorted		sorted;
	SdcColumn  *result;

	sdc_memory_require(sdc_rankswap_memory((uint32) sdc_column_count(task->column)),
					   "swapping the records of one attribute");
	sort_column(task, spool, &sorted);
	swaps = sort_swaps(task, method, &sorted);
	receivers = sort_receivers(swaps, &sorted);
	tuplesort_end(swaps);
	results = sort_results(receivers, &sorted, input);
	tuplesort_end(receivers);
	sdc_column_destroy(sorted.record);
	sdc_column_destroy(sorted.value);
	sdc_column_destroy(sorted.length);
	sdc_column_destroy(sorted.stratum);
	result = collect_results(task, spool, results, output, changed);
	tuplesort_end(results);
	ExecDropSingleTupleTableSlot(input);
	ExecDropSingleTupleTableSlot(output);
	MemoryContextSwitchTo(old);
	MemoryContextDelete(context);
	return result;
}
