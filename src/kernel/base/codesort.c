/*-------------------------------------------------------------------------
 *
 * codesort.c
 *		Elements sorted by a code, one pass for each attribute.
 *
 * A counting sort.  There are no more codes than records, so that it is linear; it is stable, and
 * so the result of all passes is determined by codes and the order of the elements at first.  Where few
 * elements have a code in common, those that do are put in order by comparing them: one pass instead of all.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include "kernel/base/bitset.h"
#include "kernel/base/codesort.h"
#include "kernel/base/pairs.h"

/* code_of is the code of an element. */
static inline uint32
code_of(const SdcCodesort *sort, uint32 element)
{
	uint32		record = sdc_record_at(sort->record, element);
	uint32		code = sort->code[record * sort->stride];

	return code < sort->codes ? code : sort->codes;
}

/* sdc_codesort_starts: see codesort.h. */
void
sdc_codesort_starts(uint32 *count, uint64 codes, uint32 *credit)
{
	uint32		below = 0;

	for (uint64 code = 0; code < codes; code++)
	{
		uint32		here = count[code];

		sdc_interrupts_spend(credit, 1);
		count[code] = below;
		below += here;
	}
}

/* sdc_codesort_pass: see codesort.h.  What is local is not read again for every element. */
void
sdc_codesort_pass(const SdcCodesort *sort, const uint32 *from, uint32 *to, uint32 elements,
				  uint32 *start, uint32 *credit)
{
	const SdcCodesort by = *sort;

	memset(start, 0, ((Size) by.codes + 1) * sizeof(uint32));
	for (uint32 first = 0, end; first < elements; first = end)
	{
		end = sdc_interrupts_piece(first, elements);
		sdc_interrupts_spend(credit, end - first);
		for (uint32 i = first; i < end; i++)
			start[code_of(&by, from != NULL ? from[i] : i)]++;
	}
	sdc_codesort_starts(start, (uint64) by.codes + 1, credit);
	for (uint32 first = 0, end; first < elements; first = end)
	{
		end = sdc_interrupts_piece(first, elements);
		sdc_interrupts_spend(credit, end - first);
		for (uint32 i = first; i < end; i++)
		{
			uint32		element = from != NULL ? from[i] : i;

			to[start[code_of(&by, element)]++] = element;
		}
	}
}

/* sdc_codesort_distinct: see codesort.h.  Missing values are equal, too. */
bool
sdc_codesort_distinct(const SdcCodesort *sort, uint32 elements, uint32 *credit)
{
	uint64	   *seen;
	uint32		i = 0;

	if ((uint64) sort->codes + 1 < elements)
		return false;
	seen = sdc_alloc_zeros(uint64, sdc_bitset_words((uint64) sort->codes + 1));
	for (; i < elements; i++)
	{
		uint32		code = code_of(sort, i);

		sdc_interrupts_spend(credit, 1);
		if (sdc_bitset_contains(seen, code))
			break;
		sdc_bitset_add(seen, code);
	}
	sdc_free(seen);
	return i == elements;
}

/* compare_elements compares two elements by several codes. */
static inline int
compare_elements(const SdcCodesort *sort, int count, uint32 x, uint32 y)
{
	for (int i = 0; i < count; i++)
	{
		uint32		a = code_of(&sort[i], x);
		uint32		b = code_of(&sort[i], y);

		if (a != b)
			return a < b ? -1 : 1;
	}
	return 0;
}

/* are_few tells whether comparing what has a code in common is less than a pass; ends are those of the codes. */
static bool
are_few(const uint32 *end, uint64 codes, uint32 elements, uint32 *credit)
{
	uint64		compared = 0;
	uint32		start = 0;

	for (uint64 code = 0; code < codes && compared < elements; code++)
	{
		uint64		run = end[code] - start;

		sdc_interrupts_spend(credit, 1);
		if (run > 1)
			compared += run * (run - 1);
		start = end[code];
	}
	return compared < elements;
}

/* sort_runs sorts the elements of each code by further ones, and tells whether no two are equal. */
static bool
sort_runs(const SdcCodesort *sort, int count, uint32 *order, const uint32 *end, uint32 *credit)
{
	bool		distinct = true;
	uint32		start = 0;

	for (uint64 code = 0; code < (uint64) sort[0].codes + 1; code++)
	{
		sdc_interrupts_spend(credit, 1 + end[code] - start);
		for (uint32 i = start + 1; i < end[code]; i++)
		{
			uint32		element = order[i];
			uint32		place = i;
			int			compared = -1;

			while (place > start &&
				   (compared = compare_elements(sort + 1, count - 1, element, order[place - 1])) < 0)
			{
				order[place] = order[place - 1];
				place--;
			}
			distinct = distinct && compared != 0;
			order[place] = element;
		}
		start = end[code];
	}
	return distinct;
}

/* are_distinct tells whether no two neighbors are equal. */
static bool
are_distinct(const SdcCodesort *sort, int count, const uint32 *order, uint32 elements, uint32 *credit)
{
	for (uint32 i = 1; i < elements; i++)
	{
		sdc_interrupts_spend(credit, 1);
		if (compare_elements(sort, count, order[i - 1], order[i]) == 0)
			return false;
	}
	return true;
}

/* pass_over sorts by one code, and returns where the elements of each end. */
static uint32 *
pass_over(const SdcCodesort *sort, uint32 **order, uint32 **spare, uint32 elements, uint32 *credit)
{
	uint32	   *end = sdc_alloc_array(uint32, (Size) sort->codes + 1);
	uint32	   *swap = *order;

	sdc_codesort_pass(sort, *order, *spare, elements, end, credit);
	*order = *spare;
	*spare = swap;
	return end;
}

/* sdc_codesort_all: see codesort.h. */
bool
sdc_codesort_all(const SdcCodesort *sort, int count, uint32 **order, uint32 **spare, uint32 elements, uint32 *credit)
{
	uint32	   *end = pass_over(&sort[0], order, spare, elements, credit);
	bool		few = are_few(end, (uint64) sort[0].codes + 1, elements, credit);
	bool		distinct = few && sort_runs(sort, count, *order, end, credit);

	sdc_free(end);
	if (few)
		return distinct;
	/* equal elements are still in their order */
	for (int i = count - 1; i >= 0 && count > 1; i--)
		sdc_free(pass_over(&sort[i], order, spare, elements, credit));
	return are_distinct(sort, count, *order, elements, credit);
}

/* sdc_codesort_two: see codesort.h. */
uint32 *
sdc_codesort_two(const SdcCodesort *first, const SdcCodesort *second, uint32 elements)
{
	uint32		most = first->codes > second->codes ? first->codes : second->codes;
	uint32	   *by_second = sdc_alloc_array(uint32, elements);
	uint32	   *order = sdc_alloc_array(uint32, elements);
	uint32	   *start = sdc_alloc_array(uint32, (uint64) most + 1);
	uint32		credit = 0;

	sdc_codesort_pass(second, NULL, by_second, elements, start, &credit);
	sdc_codesort_pass(first, by_second, order, elements, start, &credit);
	sdc_free(start);
	sdc_free(by_second);
	return order;
}
