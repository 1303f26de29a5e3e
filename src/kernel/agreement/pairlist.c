/*-------------------------------------------------------------------------
 *
 * pairlist.c
 *		The patterns of all pairs of records, with their counts.
 *
 * Patterns are sorted with the first attribute as the highest bit.  So those that agree in the first attributes are
 * neighbours, however many attributes these are, and leaving the last ones out is one pass.
 *
 * Work: n^2 for the sort, by digits.  Memory: two words for each pair while it is made.  Deterministic: counts.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include "kernel/agreement/pairlist.h"
#include "kernel/base/wordsort.h"

/* reverse reverses the bits of a word. */
static inline uint64
reverse(uint64 word)
{
	word = (word >> 1 & UINT64_C(0x5555555555555555)) | (word & UINT64_C(0x5555555555555555)) << 1;
	word = (word >> 2 & UINT64_C(0x3333333333333333)) | (word & UINT64_C(0x3333333333333333)) << 2;
	word = (word >> 4 & UINT64_C(0x0F0F0F0F0F0F0F0F)) | (word & UINT64_C(0x0F0F0F0F0F0F0F0F)) << 4;
	return __builtin_bswap64(word);
}

/* fill_words writes the reversed patterns of all pairs. */
static void
fill_words(const SdcAgreementRows *rows, uint64 *word)
{
	for (uint32 x = 0; x < rows->records; x++)
	{
		SDC_CHECK_INTERRUPTS();
		for (uint32 y = 0; y < rows->records; y++)
			*word++ = reverse(sdc_agreement_compare(rows, rows->attributes, x, y, 0));
	}
}

/* sdc_pairlist_make: see pairlist.h. */
void
sdc_pairlist_make(SdcPairList *list, const SdcAgreementRows *rows)
{
	uint64		pairs = (uint64) rows->records * rows->records;
	uint64	   *word = sdc_alloc_array(uint64, pairs);
	uint64	   *spare = sdc_alloc_array(uint64, pairs);
	uint64		patterns = 0;

	fill_words(rows, word);
	list->pattern = sdc_wordsort(word, spare, pairs, 64 - rows->attributes, rows->attributes);
	sdc_free(list->pattern == word ? spare : word);
	word = list->pattern;
	for (uint64 i = 0; i < pairs; i++)
	{
		sdc_interrupts_step(i);
		patterns += i == 0 || word[i] != word[i - 1];
	}
	list->count = sdc_alloc_zeros(uint32, patterns);
	list->attributes = rows->attributes;
	list->patterns = 0;
	/* a pattern is written behind those that are read */
	for (uint64 i = 0; i < pairs; i++)
	{
		uint64		pattern = reverse(word[i]);

		sdc_interrupts_step(i);
		if (list->patterns == 0 || list->pattern[list->patterns - 1] != pattern)
			list->pattern[list->patterns++] = pattern;
		list->count[list->patterns - 1]++;
	}
}

/* sdc_pairlist_free: see pairlist.h. */
void
sdc_pairlist_free(SdcPairList *list)
{
	sdc_free(list->pattern);
	sdc_free(list->count);
}

/* sdc_pairlist_fold: see pairlist.h. */
void
sdc_pairlist_fold(SdcPairList *list, int attributes)
{
	uint64		mask = ~UINT64_C(0) >> (64 - attributes);
	uint64		patterns = 0;

	SDC_ASSERT(attributes <= list->attributes);
	for (uint64 i = 0; i < list->patterns; i++)
	{
		uint64		pattern = list->pattern[i] & mask;
		uint32		count = list->count[i];

		sdc_interrupts_step(i);
		if (patterns == 0 || list->pattern[patterns - 1] != pattern)
		{
			list->pattern[patterns] = pattern;
			list->count[patterns++] = 0;
		}
		list->count[patterns - 1] += count;
	}
	list->patterns = patterns;
	list->attributes = attributes;
}
