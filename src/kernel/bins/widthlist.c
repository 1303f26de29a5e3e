/*-------------------------------------------------------------------------
 *
 * widthlist.c
 *		The list of candidates for widths, and what is added up of them.
 *
 * N* is the number of records in the smallest bin.  Those with N* < 2 are not admissible, and of
 * all with the same N* the widest is the representative.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include "kernel/base/bitset.h"
#include "kernel/bins/widthlist.h"

/* find_range finds where an attribute begins and how far it reaches. */
static void
find_range(const double *value, uint32 records, double *low, double *range)
{
	double		least = records > 0 ? value[0] : 0;
	double		most = least;

	for (uint32 start = 0, end; start < records; start = end)
	{
		end = sdc_interrupts_block(start, records);
		for (uint32 i = start; i < end; i++)
		{
			least = value[i] < least ? value[i] : least;
			most = value[i] > most ? value[i] : most;
		}
	}
	*low = least;
	*range = most - least;
}

/* sdc_widthlist_begin: see widthlist.h. */
void
sdc_widthlist_begin(SdcWidthList *list, const SdcWidthTask *task, bool listing)
{
	memset(list, 0, sizeof(SdcWidthList));
	list->task = task;
	list->listing = listing;
	list->low = sdc_alloc_array(double, task->attributes);
	list->range = sdc_alloc_array(double, task->attributes);
	for (int a = 0; a < task->attributes; a++)
		find_range(task->value[a], task->records, &list->low[a], &list->range[a]);
	list->seen = sdc_alloc_zeros(uint64, sdc_widthlist_words(task->records));
	list->fixed = sdc_widthlist_words(task->records) * sizeof(uint64) +
		2 * task->attributes * sizeof(double);
	if (!listing)
	{
		list->tuple = sdc_alloc_zeros(double, task->records);
		list->fixed += task->records * sizeof(double);
	}
}

/* sdc_widthlist_end: see widthlist.h. */
void
sdc_widthlist_end(SdcWidthList *list)
{
	if (list->tuple != NULL)
		sdc_free(list->tuple);
	sdc_free(list->seen);
	sdc_free(list->range);
	sdc_free(list->low);
}

/* sdc_widthlist_reserve: see widthlist.h. */
bool
sdc_widthlist_reserve(SdcWidthList *list, uint64 room)
{
	uint64		most = list->task->memory / sizeof(SdcWidthCandidate);
	SdcWidthCandidate *larger;

	/* both lists are there for a while */
	if (room > most || room + list->room > most ||
		list->fixed > list->task->memory -
		(room + list->room) * sizeof(SdcWidthCandidate))
		return false;
	larger = sdc_alloc_array(SdcWidthCandidate, room);
	if (list->candidate != NULL)
	{
		memcpy(larger, list->candidate, (Size) list->count * sizeof(SdcWidthCandidate));
		sdc_free(list->candidate);
	}
	list->candidate = larger;
	list->room = room;
	return true;
}

/* add_tuples adds the probabilities of all records at a width. */
static void
add_tuples(const SdcWidthList *list, const SdcWidthPartition *partition)
{
	uint32		records = list->task->records;

	for (uint32 start = 0, end; start < records; start = end)
	{
		end = sdc_interrupts_block(start, records);
		for (uint32 r = start; r < end; r++)
			list->tuple[r] += 1.0 / partition->size[partition->bin[r]];
	}
}

/* sdc_widthlist_note: see widthlist.h. */
bool
sdc_widthlist_note(SdcWidthList *list, double share, const SdcWidthPartition *partition)
{
	uint64		depth = partition->depth;
	bool		representative = depth >= 2 && !sdc_bitset_contains(list->seen, (uint32) depth);
	SdcWidthCandidate *candidate;

	sdc_bitset_add(list->seen, (uint32) depth);
	if (representative)
	{
		list->representatives++;
		list->minimal += 1.0 / (double) depth;
		if (list->tuple != NULL)
			add_tuples(list, partition);
	}
	if (!list->listing)
		return true;
	if (list->task->grid == SDC_WIDTH_CONTINUOUS && list->count > 0 &&
		list->candidate[list->count - 1].depth == depth)
		return true;
	if (list->count == list->room && !sdc_widthlist_reserve(list, 2 * list->room))
		return false;
	candidate = &list->candidate[list->count++];
	candidate->share = share;
	candidate->degree = partition->degree;
	candidate->depth = depth;
	candidate->representative = representative;
	return true;
}
