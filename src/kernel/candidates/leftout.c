/*-------------------------------------------------------------------------
 *
 * leftout.c
 *		Records that agree with an original in all randomized columns but one.
 *
 * The hash of a record is a sum over its columns, so that leaving one out is a subtraction.  For every
 * column the places are sorted by the hash of the others.  Only some bits of a hash fit beside the number
 * of a place: what is found has to be looked at, as with any hash.  The result does not depend on it.
 *
 * Time: O(n) a column to make, a binary search to ask.  Memory: 8 bytes a record and column.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include "kernel/base/checksum.h"
#include "kernel/base/ordered.h"
#include "kernel/base/wordsort.h"
#include "kernel/candidates/leftout.h"

/* codes_of are the codes of one of the files in a RANDOMIZED column. */
static inline const uint32 *
codes_of(const SdcConditions *conditions, int column, bool original)
{
	const SdcCandidatesColumn *known =
		&conditions->task->column[conditions->column[SDC_CANDIDATES_RANDOMIZED][column]];

	return original ? known->original : known->protected;
}

/* hash_record is the hash of a record of one of the files. */
static uint64
hash_record(const SdcConditions *conditions, uint32 record, bool original)
{
	uint64		hash = 0;

	for (int a = 0; a < conditions->count[SDC_CANDIDATES_RANDOMIZED]; a++)
		hash += sdc_checksum_pair((uint32) a, codes_of(conditions, a, original)[record]);
	return hash;
}

/* sdc_leftout_create: see leftout.h. */
SdcLeftout *
sdc_leftout_create(SdcConditions *conditions, uint32 first, uint32 count)
{
	SdcLeftout *leftout = sdc_alloc(sizeof(SdcLeftout));
	int			columns = conditions->count[SDC_CANDIDATES_RANDOMIZED];
	uint64	   *hash = sdc_alloc_array(uint64, count);

	leftout->conditions = conditions;
	leftout->first = first;
	leftout->count = count;
	leftout->bits = sdc_wordsort_width(count);
	leftout->word = sdc_alloc_array(uint64 *, columns);
	for (uint32 p = 0; p < count; p++)
	{
		sdc_interrupts_spend(&conditions->credit, 1);
		hash[p] = hash_record(conditions, conditions->order[first + p], false);
	}
	for (int a = 0; a < columns; a++)
	{
		const uint32 *protected = codes_of(conditions, a, false);
		uint64	   *word = sdc_alloc_array(uint64, count);
		uint64	   *spare = sdc_alloc_array(uint64, count);

		for (uint32 p = 0; p < count; p++)
		{
			uint64		others = hash[p] - sdc_checksum_pair((uint32) a, protected[conditions->order[first + p]]);

			sdc_interrupts_spend(&conditions->credit, 1);
			word[p] = others << leftout->bits | p;
		}
		leftout->word[a] = sdc_wordsort(word, spare, count, leftout->bits, 64 - leftout->bits);
		sdc_free(leftout->word[a] == word ? spare : word);
	}
	sdc_free(hash);
	return leftout;
}

/* sdc_leftout_destroy accepts NULL. */
void
sdc_leftout_destroy(SdcLeftout *leftout)
{
	if (leftout == NULL)
		return;
	for (int a = 0; a < leftout->conditions->count[SDC_CANDIDATES_RANDOMIZED]; a++)
		sdc_free(leftout->word[a]);
	sdc_free(leftout->word);
	sdc_free(leftout);
}

/* sdc_leftout_hash: see leftout.h. */
uint64
sdc_leftout_hash(const SdcLeftout *leftout, uint32 original)
{
	return hash_record(leftout->conditions, original, true);
}

/* words_below is the number of words of a column that are below one. */
static uint32
words_below(const SdcLeftout *leftout, int column, uint64 bound)
{
	uint32		low = 0;
	uint32		high = leftout->count;

	SDC_BISECT(low, high, middle, leftout->word[column][middle] < bound);
	return low;
}

/* sdc_leftout_find: see leftout.h. */
void
sdc_leftout_find(const SdcLeftout *leftout, int column, uint32 original, uint64 hash,
				 uint32 *first, uint32 *end)
{
	uint32		code = codes_of(leftout->conditions, column, true)[original];
	uint64		others = (hash - sdc_checksum_pair((uint32) column, code)) << leftout->bits;
	uint64		last = others | ((UINT64_C(1) << leftout->bits) - 1);

	*first = words_below(leftout, column, others);
	*end = *first;
	if (*first < leftout->count && leftout->word[column][*first] <= last)
		*end = last == UINT64_MAX ? leftout->count : words_below(leftout, column, last + 1);
}
