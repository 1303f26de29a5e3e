/*-------------------------------------------------------------------------
 *
 * wordorder.c
 *		Records in the order of whole numbers that they have, through temporary files.
 *
 * Time: that of externalorder.c, and of gather.c where ranks go back to their records.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "relation/gather.h"
#include "relation/wordorder.h"
#include "utils/datum.h"

/* sort_column sorts a column, ties in the order of the records. */
static void
sort_column(SdcColumn *column, SdcType *type, uint64 memory, SdcSpool *spool, SdcSortedColumn *sorted)
{
	SdcArena	arena = {0};
	SdcOrderingTask task = {.column = column, .type = type, .strata = 1, .attribute = "", .arena = &arena};

	sdc_externalorder_build(&task, memory, spool, sorted);
}

/* sdc_wordorder_sort: see wordorder.h. */
void
sdc_wordorder_sort(SdcColumn *words, uint64 memory, SdcSpool *spool, SdcSortedColumn *sorted)
{
	SdcType		type;

	sdc_type_lookup(&type, INT8OID, InvalidOid);
	sort_column(words, &type, memory, spool, sorted);
}

/* give_back returns a column that has for every record what its position has, and NULL for those without one. */
static SdcColumn *
give_back(SdcColumn *values, SdcColumn *record, uint64 records, uint64 memory, SdcSpool *spool)
{
	SdcGather  *gather = sdc_gather_begin(values, memory);
	SdcColumnReader *reader = sdc_column_open(record);
	uint64		positions = sdc_column_count(record);
	SdcColumn  *nothing = sdc_column_create(spool, sdc_column_type(values));
	SdcColumn  *result;
	SdcType		type;
	uint64		changed;

	for (uint64 i = 0; i < positions; i++)
	{
		Datum		number;

		(void) sdc_column_next(reader, &number);
		sdc_gather_put(gather, (uint32) i, (uint32) DatumGetInt32(number));
	}
	sdc_column_close(reader);
	for (uint64 r = 0; r < records; r++)
		sdc_column_append(nothing, (Datum) 0, true);
	sdc_column_finish(nothing);
	sdc_type_lookup(&type, sdc_column_type(values), InvalidOid);
	result = sdc_gather_end(gather, nothing, &type, spool, &changed);
	sdc_column_destroy(nothing);
	return result;
}

/* rank_positions returns the ranks of sorted words by position, or the first records. */
static SdcColumn *
rank_positions(const SdcSortedColumn *sorted, bool first, SdcSpool *spool, uint64 *ranks)
{
	SdcColumnReader *words = sdc_column_open(sorted->value);
	SdcColumnReader *records = sdc_column_open(sorted->record);
	SdcColumn  *result = sdc_column_create(spool, INT8OID);
	Datum		before = (Datum) 0;
	uint64		at = 0;

	*ranks = 0;
	for (uint64 i = 0; i < sorted->count; i++)
	{
		Datum		word;
		Datum		record;

		(void) sdc_column_next(words, &word);
		(void) sdc_column_next(records, &record);
		if (i == 0 || word != before)
		{
			at = first ? (uint32) DatumGetInt32(record) : *ranks;
			(*ranks)++;
		}
		before = word;
		sdc_column_append(result, sdc_word_datum(at), false);
	}
	sdc_column_finish(result);
	sdc_column_close(words);
	sdc_column_close(records);
	return result;
}

/* sdc_wordorder_rank: see wordorder.h. */
SdcColumn *
sdc_wordorder_rank(SdcColumn *words, bool first, uint64 memory, SdcSpool *spool, uint64 *ranks)
{
	SdcSortedColumn sorted;
	SdcColumn  *positions;
	SdcColumn  *result;

	sdc_wordorder_sort(words, memory, spool, &sorted);
	positions = rank_positions(&sorted, first, spool, ranks);
	result = give_back(positions, sorted.record, sdc_column_count(words), memory, spool);
	sdc_column_destroy(positions);
	sdc_externalorder_destroy(&sorted);
	return result;
}

/* rank_words replaces words by their ranks, and returns how many differ. */
static uint64
rank_words(const SdcWordBoxes *boxes, SdcColumn **words)
{
	uint64		ranks;
	SdcColumn  *ranked = sdc_wordorder_rank(*words, false, boxes->memory, boxes->spool, &ranks);

	sdc_column_destroy(*words);
	*words = ranked;
	return ranks;
}

/* sdc_wordboxes_add: see wordorder.h. */
void
sdc_wordboxes_add(SdcWordBoxes *boxes, SdcColumn *component, uint64 most)
{
	uint64		digits = most + 1;
	uint64		records = sdc_column_count(component);
	SdcColumn  *result;
	SdcColumnReader *words;
	SdcColumnReader *components;

	if (boxes->span > PG_UINT64_MAX / digits)
		boxes->span = rank_words(boxes, &boxes->word);
	if (boxes->span > PG_UINT64_MAX / digits)
		digits = rank_words(boxes, &component);
	result = sdc_column_create(boxes->spool, INT8OID);
	words = sdc_column_open(boxes->word);
	components = sdc_column_open(component);
	for (uint64 r = 0; r < records; r++)
	{
		Datum		word;
		Datum		next;

		(void) sdc_column_next(words, &word);
		(void) sdc_column_next(components, &next);
		sdc_column_append(result, sdc_word_datum(sdc_word_of(word) * digits + sdc_word_of(next)), false);
	}
	sdc_column_finish(result);
	sdc_column_close(words);
	sdc_column_close(components);
	sdc_column_destroy(boxes->word);
	sdc_column_destroy(component);
	boxes->word = result;
	boxes->span *= digits;
}

/* code_positions writes the codes of sorted values by position, and the first value of each. */
static SdcColumn *
code_positions(const SdcSortedColumn *sorted, SdcType *type, SdcSpool *spool, SdcColumn *values)
{
	SdcColumnReader *reader = sdc_column_open(sorted->value);
	SdcColumn  *codes = sdc_column_create(spool, INT4OID);
	Datum		first = (Datum) 0;
	uint32		code = 0;

	for (uint64 i = 0; i < sorted->count; i++)
	{
		Datum		value;

		(void) sdc_column_next(reader, &value);
		if (i == 0 || !sdc_type_equal(type, first, value))
		{
			code += i > 0;
			if (i > 0 && !type->typbyval)
				pfree(DatumGetPointer(first));
			first = datumCopy(value, type->typbyval, type->typlen);
			sdc_column_append(values, value, false);
		}
		sdc_column_append(codes, Int32GetDatum((int32) code), false);
	}
	sdc_column_finish(codes);
	sdc_column_finish(values);
	sdc_column_close(reader);
	return codes;
}

/* sdc_wordorder_codes: see wordorder.h. */
void
sdc_wordorder_codes(SdcColumn *column, SdcType *type, uint64 memory, SdcSpool *spool, SdcColumn **codes,
					SdcColumn **values)
{
	SdcSortedColumn sorted;
	SdcColumn  *positions;

	sort_column(column, type, memory, spool, &sorted);
	*values = sdc_column_create(spool, sdc_column_type(column));
	positions = code_positions(&sorted, type, spool, *values);
	*codes = give_back(positions, sorted.record, sdc_column_count(column), memory, spool);
	sdc_column_destroy(positions);
	sdc_externalorder_destroy(&sorted);
}
