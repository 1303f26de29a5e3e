/*-------------------------------------------------------------------------
 *
 * patterntuples.c
 *		The distinct tuples of codes of a file, in lexicographic order.
 *
 * Records are sorted by one position after the other, the last one first; neighbours that differ begin a tuple.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include "kernel/agreement/patterntuples.h"
#include "kernel/base/bitset.h"
#include "kernel/base/codesort.h"
#include "kernel/base/pairs.h"

/* codes_of is the column of codes of a file at a position. */
static inline const uint32 *
codes_of(const SdcTuplesShape *shape, bool original, int position)
{
	const SdcPairColumn *column = shape->rows.column[shape->attribute[position]];

	return original ? column->original : column->protected;
}

/* is_narrow tells whether the codes of a position are bytes. */
static inline bool
is_narrow(const SdcTuplesShape *shape, int position)
{
	return shape->codes[position] <= SDC_TUPLES_NARROW_CODES;
}

/* sort_members makes the members of the tuples, in lexicographic order of the tuples. */
static void
sort_members(SdcTuples *tuples, const SdcTuplesShape *shape, bool original, const uint32 *record, uint32 records)
{
	uint32	   *spare = sdc_alloc_array(uint32, (Size) records + 1);
	uint32	   *start = sdc_alloc_array(uint32, (Size) shape->most_codes + 1);
	uint32		credit = 0;

	tuples->member = sdc_alloc_array(uint32, (Size) records + 1);
	for (uint32 i = 0; i < records; i++)
		tuples->member[i] = i;
	for (int position = shape->positions - 1; position >= 0; position--)
	{
		/* codes that equal nothing share the last place */
		SdcCodesort sort = {codes_of(shape, original, position), 1, shape->codes[position], record};
		uint32	   *member = tuples->member;

		sdc_codesort_pass(&sort, member, spare, records, start, &credit);
		tuples->member = spare;
		spare = member;
	}
	sdc_free(spare);
	sdc_free(start);
}

/* add_tuple adds the tuple of a record; none is the byte of a code that equals nothing. */
static void
add_tuple(SdcTuples *tuples, const SdcTuplesShape *shape, bool original, uint32 record, uint8 none)
{
	Size		tuple = tuples->count++;
	uint8	   *narrow = tuples->narrow + tuple * SDC_TUPLES_NARROW;

	memset(narrow, none, SDC_TUPLES_NARROW);
	for (int position = 0; position < shape->positions; position++)
	{
		uint32		code = codes_of(shape, original, position)[record];

		if (!is_narrow(shape, position))
			tuples->wide[position][tuple] = code;
		else if (code < SDC_TUPLES_NARROW_CODES)
			narrow[position] = (uint8) code;
	}
}

/* same_tuple compares two records in the attributes of the shape. */
static bool
same_tuple(const SdcTuplesShape *shape, bool original, uint32 a, uint32 b)
{
	int			position = 0;

	while (position < shape->positions &&
		   codes_of(shape, original, position)[a] == codes_of(shape, original, position)[b])
		position++;
	return position == shape->positions;
}

/* make_room finds where tuples begin among the members, and makes room for so many. */
static uint64 *
make_room(SdcTuples *tuples, const SdcTuplesShape *shape, bool original, const uint32 *record, uint32 records)
{
	uint64	   *begins = sdc_alloc_zeros(uint64, sdc_bitset_words(records));
	uint32		last = 0;
	uint32		count = 0;

	for (uint32 i = 0; i < records; i++)
	{
		uint32		now = sdc_record_at(record, tuples->member[i]);

		sdc_interrupts_step(i);
		if (i == 0 || !same_tuple(shape, original, last, now))
		{
			sdc_bitset_add(begins, i);
			count++;
		}
		last = now;
	}
	tuples->narrow = sdc_alloc_matrix(uint8, (Size) count + 1, SDC_TUPLES_NARROW);
	tuples->first = sdc_alloc_array(uint32, (Size) count + 1);
	for (int position = 0; position < shape->positions; position++)
		tuples->wide[position] = is_narrow(shape, position) ? NULL : sdc_alloc_array(uint32, (Size) count + 1);
	return begins;
}

/* sdc_tuples_make collects the distinct tuples of records (NULL: all) of one file. */
void
sdc_tuples_make(SdcTuples *tuples, const SdcTuplesShape *shape, bool original, const uint32 *record, uint32 records,
			uint8 none)
{
	uint64	   *begins;

	sort_members(tuples, shape, original, record, records);
	begins = make_room(tuples, shape, original, record, records);
	tuples->count = 0;
	for (uint32 i = 0; i < records; i++)
	{
		sdc_interrupts_step(i);
		if (!sdc_bitset_contains(begins, i))
			continue;
		tuples->first[tuples->count] = i;
		add_tuple(tuples, shape, original, sdc_record_at(record, tuples->member[i]), none);
	}
	tuples->first[tuples->count] = records;
	sdc_free(begins);
}

#ifdef SDC_CHECKS

/* check_tuple: a tuple comes after the one before. */
static bool
check_tuple(const SdcTuples *tuples, const SdcTuplesShape *shape, uint32 tuple)
{
	bool		above = tuple == 0;

	for (int position = 0; position < shape->positions && !above; position++)
	{
		SdcTuplesView		view = sdc_tuples_view(tuples, position);
		uint32		codes = shape->codes[position];
		uint32		code = sdc_tuples_code(&view, tuple);
		uint32		before = sdc_tuples_code(&view, tuple - 1);

		code = code < codes ? code : codes;
		before = before < codes ? before : codes;
		if (code < before)
			return false;
		above = code > before;
	}
	return above;
}

/* check_codes: a tuple has the codes of a record. */
static bool
check_codes(const SdcTuples *tuples, const SdcTuplesShape *shape, bool original, uint32 tuple, uint32 record)
{
	for (int position = 0; position < shape->positions; position++)
	{
		SdcTuplesView		view = sdc_tuples_view(tuples, position);
		uint32		codes = shape->codes[position];
		uint32		code = codes_of(shape, original, position)[record];
		uint32		here = sdc_tuples_code(&view, tuple);

		if (code < codes ? here != code : here < codes)
			return false;
	}
	return true;
}

/* sdc_tuples_check: each record of a file is a member of one tuple, with its codes, in their order. */
bool
sdc_tuples_check(const SdcTuples *tuples, const SdcTuplesShape *shape, bool original, const uint32 *record,
				 uint32 records)
{
	bool	   *seen = sdc_alloc_zeros(bool, records);
	bool		good = tuples->count <= records && tuples->first[tuples->count] == records &&
		(records == 0 || tuples->first[0] == 0);

	for (uint32 t = 0; good && t < tuples->count; t++)
	{
		good = tuples->first[t] < tuples->first[t + 1] && tuples->first[t + 1] <= records &&
			check_tuple(tuples, shape, t);
		for (uint32 i = tuples->first[t]; good && i < tuples->first[t + 1]; i++)
		{
			uint32		index = tuples->member[i];

			good = index < records && !seen[index];
			if (!good)
				break;
			seen[index] = true;
			good = check_codes(tuples, shape, original, t, sdc_record_at(record, index));
		}
	}
	sdc_free(seen);
	return good;
}

#endif							/* SDC_CHECKS */

/* sdc_tuples_free frees their arrays. */
void
sdc_tuples_free(SdcTuples *tuples)
{
	for (int position = 0; position < SDC_PATTERNCOUNTS_ATTRIBUTES; position++)
		if (tuples->wide[position] != NULL)
			sdc_free(tuples->wide[position]);
	sdc_free(tuples->narrow);
	sdc_free(tuples->member);
	sdc_free(tuples->first);
}
