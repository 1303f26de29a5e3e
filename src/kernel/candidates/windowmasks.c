/*-------------------------------------------------------------------------
 *
 * windowmasks.c
 *		The bitmap of the records of a bucket that are inside all windows of an original.
 *
 * Each column has the bitmap of those inside its window (codemaps.h); all of them are met.  That takes
 * 1/64 step for each record and column, whatever the windows: where an original has
 * many candidates it is far less than to list them, where it has few far more than a tree takes.
 *
 * Time: O(records / 64) for an original and column.  Memory: a map of codes for every column (codemaps.h).
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include "kernel/candidates/windowmasks.h"

/* Originals that are tried to learn how many candidates they have. */
#define TRIED 16

/* sdc_windowmasks_wanted: see windowmasks.h. */
bool
sdc_windowmasks_wanted(SdcConditions *conditions, uint32 bucket, uint32 cost)
{
	uint32		first = conditions->bucket_start[bucket];
	uint32		count = conditions->bucket_start[bucket + 1] - first;
	uint64		words = sdc_bitset_words(count);
	uint64		candidates = 0;

	if (count == 0)
		return false;
	for (uint32 t = 0; t < TRIED; t++)
	{
		uint32		original = conditions->order[first + (uint64) count * t / TRIED];

		/* an original that is not of this bucket has no candidates here */
		if (conditions->bucket[original] != bucket)
			continue;
		for (uint32 p = first; p < first + count; p++)
		{
			sdc_interrupts_spend(&conditions->credit, 1);
			candidates += sdc_conditions_inside(conditions, original, conditions->order[p]);
		}
	}
	return candidates * cost > TRIED * words * conditions->count[SDC_CANDIDATES_WINDOW];
}

/* create_window makes the list of a column. */
static void
create_window(SdcWindowMasks *masks, int a, const uint32 *bit)
{
	SdcConditions *conditions = masks->conditions;
	int			j = conditions->column[SDC_CANDIDATES_WINDOW][a];
	const uint32 *protected = conditions->task->column[j].protected;
	uint64	   *entry = sdc_alloc_array(uint64, masks->count);

	for (uint32 p = 0; p < masks->count; p++)
	{
		uint32		record = conditions->order[masks->first + p];

		sdc_interrupts_spend(&masks->credit, 1);
		entry[p] = (uint64) protected[record] << 32 | (bit != NULL ? bit[p] : p);
	}
	sdc_codemap_create(&masks->window[a], entry, masks->count, masks->count);
	sdc_free(entry);
}

/* sdc_windowmasks_create: see windowmasks.h. */
SdcWindowMasks *
sdc_windowmasks_create(SdcConditions *conditions, uint32 bucket, const uint32 *bit)
{
	SdcWindowMasks *masks = sdc_alloc(sizeof(SdcWindowMasks));

	masks->conditions = conditions;
	masks->credit = SDC_INTERRUPT_STEPS;
	masks->first = conditions->bucket_start[bucket];
	masks->count = conditions->bucket_start[bucket + 1] - masks->first;
	masks->words = sdc_bitset_words(masks->count);
	masks->columns = conditions->count[SDC_CANDIDATES_WINDOW];
	masks->window = sdc_alloc_array(SdcCodeMap, masks->columns);
	for (int a = 0; a < masks->columns; a++)
		create_window(masks, a, bit);
	masks->mask = sdc_alloc_array(uint64, masks->words);
	return masks;
}

/* sdc_windowmasks_destroy accepts NULL. */
void
sdc_windowmasks_destroy(SdcWindowMasks *masks)
{
	if (masks == NULL)
		return;
	for (int a = 0; a < masks->columns; a++)
		sdc_codemap_destroy(&masks->window[a]);
	sdc_free(masks->window);
	sdc_free(masks->mask);
	sdc_free(masks);
}

/* fill_mask sets the bits of all records. */
static void
fill_mask(SdcWindowMasks *masks)
{
	uint32		whole = masks->count / SDC_BITSET_BITS;

	memset(masks->mask, 0, masks->words * sizeof(uint64));
	memset(masks->mask, 0xFF, whole * sizeof(uint64));
	if (masks->count % SDC_BITSET_BITS != 0)
		masks->mask[whole] = (UINT64_C(1) << (masks->count % SDC_BITSET_BITS)) - 1;
}

/* sdc_windowmasks_take: see windowmasks.h.  A missing value is so for the whole bucket. */
const uint64 *
sdc_windowmasks_take(SdcWindowMasks *masks, uint32 original)
{
	const SdcConditions *conditions = masks->conditions;
	uint64		steps = masks->words * masks->columns / SDC_BITSET_BLOCK + 1;
	bool		filled = false;

	for (int a = 0; a < masks->columns; a++)
	{
		int			j = conditions->column[SDC_CANDIDATES_WINDOW][a];
		const uint64 *inside;

		if (conditions->task->column[j].original[original] == SDC_CODE_NULL)
			continue;
		inside = sdc_codemap_take(&masks->window[a], sdc_conditions_window(conditions, j, original));
		if (filled)
			sdc_bitset_intersect(masks->mask, inside, masks->words);
		else
			memcpy(masks->mask, inside, masks->words * sizeof(uint64));
		filled = true;
	}
	if (!filled)
		fill_mask(masks);
	sdc_interrupts_spend(&masks->credit, steps < SDC_INTERRUPT_STEPS ? (uint32) steps :
						 SDC_INTERRUPT_STEPS);
	return masks->mask;
}
