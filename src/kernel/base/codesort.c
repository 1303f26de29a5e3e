/*-------------------------------------------------------------------------
 *
 * codesort.c
 *		Elements sorted by a code, one pass for each attribute.
 *
 * A counting sort.  There are no more codes than records, so that it is linear; it is stable, and
 * so the result of all passes is determined by codes and the order of the elements at first.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include "kernel/base/bitset.h"
#include "kernel/base/codesort.h"

/* code_of is the code of an element. */
static inline uint32
code_of(const SdcCodesort *sort, uint32 element)
{
	uint32		record = sort->record != NULL ? sort->record[element] : element;
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

/* sdc_codesort_pass: see codesort.h. */
void
sdc_codesort_pass(const SdcCodesort *sort, const uint32 *from, uint32 *to, uint32 elements,
				  uint32 *start, uint32 *credit)
{
	memset(start, 0, ((Size) sort->codes + 1) * sizeof(uint32));
	for (uint32 i = 0; i < elements; i++)
	{
		sdc_interrupts_spend(credit, 1);
		start[code_of(sort, from[i])]++;
	}
	sdc_codesort_starts(start, (uint64) sort->codes + 1, credit);
	for (uint32 i = 0; i < elements; i++)
	{
		sdc_interrupts_spend(credit, 1);
		to[start[code_of(sort, from[i])]++] = from[i];
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
