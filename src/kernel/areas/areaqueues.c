/*-------------------------------------------------------------------------
 *
 * areaqueues.c
 *		Units that wait for a partner from another region, in an order: who is next.
 *
 * A bucket has the units that can be partners of each other.  Its units of a region are a queue in their order, and
 * its queues a heap by the unit at their head.  A unit that looks for a partner looks at the queue on top; where
 * that is the one of its own region, at the two below it, of which one is the next.
 *
 * Units that are gone are passed over when they are at the head of a queue that is looked at.  What a heap has for a
 * queue is until then the place of a unit that is gone: it is never behind the true one, so that what is on top and is
 * not gone is the first.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include "kernel/areas/areaqueues.h"
#include "kernel/base/codesort.h"
#include "kernel/base/ordered.h"

/* IS_BEFORE is the order in a heap: the lowest place on top. */
#define IS_BEFORE(a, b) ((a) < (b))

/* heap_word is what a heap has for a queue. */
static inline uint64
heap_word(const SdcAreaQueues *queues, uint32 queue)
{
	return (uint64) queues->place[queues->unit[queues->head[queue]]] << 32 | queue;
}

/* sort_units sorts the units by bucket and region, those of both in their order. */
static void
sort_units(SdcAreaQueues *queues, const SdcAreaQueuesTask *task)
{
	SdcCodesort by_region = {.code = task->region, .stride = 1, .codes = task->regions};
	SdcCodesort by_bucket = {.code = task->bucket, .stride = 1, .codes = task->buckets};
	uint32		codes = task->buckets > task->regions ? task->buckets : task->regions;
	uint32	   *start = sdc_alloc_array(uint32, (uint64) codes + 1);
	uint32	   *spare = sdc_alloc_array(uint32, task->units);

	sdc_codesort_pass(&by_region, task->order, spare, task->units, start, &queues->credit);
	sdc_codesort_pass(&by_bucket, spare, queues->unit, task->units, start, &queues->credit);
	sdc_free(spare);
	sdc_free(start);
}

/* find_queues finds where queues begin and end. */
static void
find_queues(SdcAreaQueues *queues, const SdcAreaQueuesTask *task)
{
	uint32		count = 0;
	uint32		bucket = 0;

	for (uint32 i = 0; i < task->units; i++)
	{
		uint32		unit = queues->unit[i];
		uint32		before = i == 0 ? unit : queues->unit[i - 1];

		sdc_interrupts_spend(&queues->credit, 1);
		if (i > 0 && task->bucket[unit] == task->bucket[before] && task->region[unit] == task->region[before])
		{
			queues->end[count - 1]++;
			continue;
		}
		for (; bucket <= task->bucket[unit]; bucket++)
			queues->first[bucket] = count;
		queues->size[task->bucket[unit]]++;
		queues->head[count] = i;
		queues->end[count++] = i + 1;
	}
	for (; bucket < task->buckets; bucket++)
		queues->first[bucket] = count;
}

/* make_heaps makes a heap of the queues of every bucket. */
static void
make_heaps(SdcAreaQueues *queues, uint32 buckets)
{
	for (uint32 b = 0; b < buckets; b++)
	{
		uint64	   *heap = queues->heap + queues->first[b];
		uint32		size = queues->size[b];

		sdc_interrupts_spend(&queues->credit, size + 1);
		for (uint32 i = 0; i < size; i++)
			heap[i] = heap_word(queues, queues->first[b] + i);
		for (uint32 i = size / 2; i-- > 0;)
			SDC_HEAP_SIFT(heap, size, i, heap[i], IS_BEFORE);
	}
}

/* sdc_areaqueues_create: see areaqueues.h. */
void
sdc_areaqueues_create(SdcAreaQueues *queues, const SdcAreaQueuesTask *task)
{
	queues->unit = sdc_alloc_array(uint32, task->units);
	queues->head = sdc_alloc_array(uint32, task->units);
	queues->end = sdc_alloc_array(uint32, task->units);
	queues->heap = sdc_alloc_array(uint64, task->units);
	queues->first = sdc_alloc_array(uint32, task->buckets);
	queues->size = sdc_alloc_zeros(uint32, task->buckets);
	queues->place = task->place;
	queues->region = task->region;
	queues->gone = task->gone;
	queues->credit = 0;
	sort_units(queues, task);
	find_queues(queues, task);
	make_heaps(queues, task->buckets);
}

/* sdc_areaqueues_destroy: see areaqueues.h. */
void
sdc_areaqueues_destroy(SdcAreaQueues *queues)
{
	sdc_free(queues->unit);
	sdc_free(queues->head);
	sdc_free(queues->end);
	sdc_free(queues->heap);
	sdc_free(queues->first);
	sdc_free(queues->size);
}

/* queue_unit is the unit at the head of a queue. */
static inline uint32
queue_unit(const SdcAreaQueues *queues, uint64 word)
{
	return queues->unit[queues->head[(uint32) word]];
}

/*
 * pass_over passes over units that are gone at the head of the queue at a place of a heap, until one is there that is
 * not, or no queue is.  Nothing but the top of the heap may be above this place.
 */
static void
pass_over(SdcAreaQueues *queues, uint32 bucket, uint32 at)
{
	uint64	   *heap = queues->heap + queues->first[bucket];
	uint32	   *size = &queues->size[bucket];

	while (at < *size && queues->gone[queue_unit(queues, heap[at])])
	{
		uint32		queue = (uint32) heap[at];

		while (queues->head[queue] < queues->end[queue] && queues->gone[queues->unit[queues->head[queue]]])
		{
			sdc_interrupts_spend(&queues->credit, 1);
			queues->head[queue]++;
		}
		if (queues->head[queue] < queues->end[queue])
			SDC_HEAP_SIFT(heap, *size, at, heap_word(queues, queue), IS_BEFORE);
		else if (--*size > at)
			SDC_HEAP_SIFT(heap, *size, at, heap[*size], IS_BEFORE);
	}
}

/* sdc_areaqueues_next: see areaqueues.h. */
uint32
sdc_areaqueues_next(SdcAreaQueues *queues, uint32 bucket, uint32 region)
{
	const uint64 *heap = queues->heap + queues->first[bucket];
	const uint32 *size = &queues->size[bucket];
	uint32		at = 0;

	sdc_interrupts_spend(&queues->credit, 1);
	pass_over(queues, bucket, 0);
	if (*size > 0 && queues->region[queue_unit(queues, heap[0])] == region)
	{
		pass_over(queues, bucket, 1);
		pass_over(queues, bucket, 2);
		at = *size > 2 && heap[2] < heap[1] ? 2 : 1;
	}
	return at < *size ? queue_unit(queues, heap[at]) : SDC_AREAQUEUES_NONE;
}
