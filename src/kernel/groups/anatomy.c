/*-------------------------------------------------------------------------
 *
 * anatomy.c
 *		Anatomy: groups whose sensitive values are different, and permutation in groups.
 *
 * Source: X. Xiao, Y. Tao, "Anatomy: simple and effective privacy preservation", VLDB 2006,
 * figure 3.  The records of each sensitive value are a bucket.  As long as l buckets have
 * records, one record of each of the l largest makes a new group; of buckets of the same size,
 * those of lower codes count as larger.  What remains is the residue.  Each of its records, in
 * the order of the codes, goes to a group drawn uniformly among those that have no record with
 * its value.
 *
 * With a feasible l (no value has more than 1/l of the records) at most l - 1 records remain,
 * each with a value of its own, and for each there is a group without it.  So there are
 * floor(n / l) groups.  With other l, which is beyond the paper, a value can remain many times,
 * and can be in all groups: then its records go to groups drawn uniformly among all.
 *
 * Which record of a bucket is taken is drawn by a shuffle of each bucket at the beginning.
 *
 * A value with several records in the residue is in all groups.  For if its bucket was passed
 * over once, l others had no fewer records, and so at most one less afterwards.  From then on
 * there are always l others with at most one record less than it: when it is passed over, those
 * that are taken, and when it is taken, the same, as they lose one at most.  In the end l
 * buckets would not be empty.  So at most one record of a value has to look for the groups
 * without it, and as there are fewer than l such values and at most n / l groups, it may look
 * at all.
 *
 * The largest buckets come from a heap: O(n log v) for v values.  Once the largest has one
 * record all have, and the rest is taken in the order of the codes.
 *
 * Memory: an order of the records, and the sort that makes it, or five words a value and one a
 * group.
 *
 * Determinism: what is drawn from the stream, in which order, is described at each function and
 * is part of SDC_STREAM_VERSION.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include "kernel/base/codesort.h"
#include "kernel/base/ordered.h"
#include "kernel/base/rankorder.h"
#include "kernel/base/sample.h"
#include "kernel/groups/anatomy.h"

/* The records of one sensitive value. */
typedef struct Bucket
{
	uint32		start;			/* its place in the order of the records */
	uint32		left;			/* its first records, which are in no group yet */
} Bucket;

/* What the steps share. */
typedef struct Anatomy
{
	/* set once */
	SdcStream  *stream;
	uint32		l;
	uint32		records;
	uint32		first;			/* number of the first group */
	uint32	   *group;			/* the result */
	uint32	   *order;			/* records by sensitive value, shuffled in each bucket */
	Bucket	   *bucket;			/* by code */
	uint32		buckets;

	/* changes */
	uint64	   *heap;			/* buckets with records: see heap_key */
	uint32		heaped;
	uint32		groups;
	uint32		credit;			/* records until the next interrupt check */
} Anatomy;

/* value_limit is how many different values there can be at most. */
static uint32
value_limit(uint32 records, uint32 codes)
{
	return codes < records ? codes + 1 : records;
}

/* plain_code has a code for a missing value, after all others. */
static inline uint32
plain_code(const SdcAnatomyTask *task, uint32 record)
{
	uint32		code = task->sensitive->code[record];

	return code != SDC_CODE_NULL ? code : task->sensitive->codes;
}

/*
 * order_records orders the records of a task by sensitive value, those of one value ascending.
 * As tie words the values themselves do, as they are equal where they are looked at.
 */
static uint32 *
order_records(const SdcAnatomyTask *task)
{
	Size		records = task->records;
	uint32	   *order = sdc_alloc_array(uint32, records);
	uint64	   *key = sdc_alloc_array(uint64, records);
	void	   *work = sdc_alloc(sdc_rankorder_memory(task->records));

	for (uint32 i = 0; i < task->records; i++)
	{
		sdc_interrupts_step(i);
		key[i] = plain_code(task, sdc_record_at(task->record, i));
	}
	sdc_rankorder_sort(key, task->record, task->records, task->sensitive->code, work, order);
	sdc_free(work);
	sdc_free(key);
	return order;
}

/* bucket_end is where the records end whose value is that at start. */
static uint32
bucket_end(const SdcAnatomyTask *task, const uint32 *order, uint32 start)
{
	const uint32 *code = task->sensitive->code;
	uint32		end = start + 1;

	for (; end < task->records && code[order[end]] == code[order[start]]; end++)
	{
		sdc_interrupts_step(end);
	}
	return end;
}

/* sdc_anatomy_feasible: see anatomy.h. */
uint32
sdc_anatomy_feasible(const SdcAnatomyTask *task)
{
	uint32	   *order;
	uint32		largest = 0;
	uint32		credit = 0;

	if (task->records == 0)
		return UINT32_MAX;
	order = order_records(task);
	for (uint32 start = 0, end; start < task->records; start = end)
	{
		sdc_interrupts_spend(&credit, 1);
		end = bucket_end(task, order, start);
		if (end - start > largest)
			largest = end - start;
	}
	sdc_free(order);
	return task->records / largest;
}

/* fill_buckets makes the buckets, by code, and counts them. */
static void
fill_buckets(Anatomy *a, const SdcAnatomyTask *task)
{
	a->buckets = 0;
	for (uint32 start = 0, end; start < a->records; start = end)
	{
		Bucket	   *bucket = &a->bucket[a->buckets++];

		sdc_interrupts_spend(&a->credit, 1);
		end = bucket_end(task, a->order, start);
		bucket->start = start;
		bucket->left = end - start;
	}
}

/*
 * shuffle_buckets shuffles the records of each bucket: one sdc_sample_shuffle each, in the
 * order of codes.
 */
static void
shuffle_buckets(Anatomy *a)
{
	for (uint32 b = 0; b < a->buckets; b++)
	{
		sdc_interrupts_spend(&a->credit, 1);
		sdc_sample_shuffle(a->stream, a->order + a->bucket[b].start, a->bucket[b].left);
	}
}

/* heap_key has the order of buckets: by records that are left, then by code, the lowest first. */
static inline uint64
heap_key(const Anatomy *a, uint32 bucket)
{
	return (uint64) a->bucket[bucket].left << 32 | (UINT32_MAX - bucket);
}

/* heap_bucket is the bucket of a key. */
static inline uint32
heap_bucket(uint64 key)
{
	return UINT32_MAX - (uint32) key;
}

/* IS_LARGER is the order of keys in the heap: the largest bucket is on top. */
#define IS_LARGER(a, b) ((a) > (b))

/* fill_heap makes a heap of all buckets. */
static void
fill_heap(Anatomy *a)
{
	a->heaped = a->buckets;
	for (uint32 b = 0; b < a->buckets; b++)
		a->heap[b] = heap_key(a, b);
	for (uint32 place = a->heaped / 2; place-- > 0;)
	{
		sdc_interrupts_spend(&a->credit, 1);
		SDC_HEAP_SIFT(a->heap, a->heaped, place, a->heap[place], IS_LARGER);
	}
}

/* heap_pop takes the largest bucket out of the heap. */
static uint32
heap_pop(Anatomy *a)
{
	uint32		bucket = heap_bucket(a->heap[0]);

	a->heaped--;
	if (a->heaped > 0)
		SDC_HEAP_SIFT(a->heap, a->heaped, 0, a->heap[a->heaped], IS_LARGER);
	return bucket;
}

/* heap_push puts a bucket into the heap. */
static void
heap_push(Anatomy *a, uint32 bucket)
{
	uint64		key = heap_key(a, bucket);
	uint32		place = a->heaped++;

	while (place > 0 && a->heap[(place - 1) / 2] < key)
	{
		a->heap[place] = a->heap[(place - 1) / 2];
		place = (place - 1) / 2;
	}
	a->heap[place] = key;
}

/* take_record takes the last record that is left in a bucket into a group. */
static inline void
take_record(Anatomy *a, uint32 bucket, uint32 group)
{
	Bucket	   *from = &a->bucket[bucket];

	sdc_interrupts_spend(&a->credit, 1);
	from->left--;
	a->group[a->order[from->start + from->left]] = a->first + group;
}

/* make_groups makes groups while the largest bucket has several records. */
static void
make_groups(Anatomy *a)
{
	uint32	   *taken = sdc_alloc_array(uint32, a->l);	/* buckets */

	while (a->heaped >= a->l && a->heap[0] >> 32 > 1)
	{
		for (uint32 i = 0; i < a->l; i++)
		{
			taken[i] = heap_pop(a);
			take_record(a, taken[i], a->groups);
		}
		for (uint32 i = 0; i < a->l; i++)
		{
			if (a->bucket[taken[i]].left > 0)
				heap_push(a, taken[i]);
		}
		a->groups++;
	}
	sdc_free(taken);
}

/* make_last_groups makes groups when all buckets with records have one. */
static void
make_last_groups(Anatomy *a)
{
	uint32		whole = a->heaped / a->l * a->l;	/* buckets to take */
	uint32		taken = 0;

	for (uint32 b = 0; taken < whole; b++)
	{
		sdc_interrupts_spend(&a->credit, 1);
		if (a->bucket[b].left == 0)
			continue;
		take_record(a, b, a->groups);
		if (++taken % a->l == 0)
			a->groups++;
	}
}

/*
 * nth_lacking is the group number n, ascending from 0, of those that have no record of a
 * bucket.
 */
static uint32
nth_lacking(Anatomy *a, uint32 bucket, uint32 end, uint32 n, uint32 *mark)
{
	const Bucket *from = &a->bucket[bucket];
	uint32		g = 0;

	for (uint32 i = from->start + from->left; i < end; i++)
	{
		sdc_interrupts_spend(&a->credit, 1);
		mark[a->group[a->order[i]] - a->first] = bucket;
	}
	for (;; g++)
	{
		sdc_interrupts_spend(&a->credit, 1);
		if (mark[g] != bucket && n-- == 0)
			return g;
	}
}

/*
 * place_residue places what is in no group yet, in the order of the codes.
 *
 * Draws: for the record of a value that some groups lack, below(those groups): its group among
 * them, ascending.  For every other record below(groups).
 */
static void
place_residue(Anatomy *a)
{
	uint32	   *mark = sdc_alloc_array(uint32, a->groups);	/* a bucket in it */

	for (uint32 g = 0; g < a->groups; g++)
	{
		sdc_interrupts_spend(&a->credit, 1);
		mark[g] = UINT32_MAX;
	}
	for (uint32 b = 0; b < a->buckets; b++)
	{
		Bucket	   *from = &a->bucket[b];
		uint32		end = b + 1 < a->buckets ? from[1].start : a->records;
		uint32		lacking = a->groups - (end - from->start - from->left);

		sdc_interrupts_spend(&a->credit, 1);
		if (from->left > 0 && lacking > 0)
		{
			uint32		drawn = sdc_stream_below(a->stream, lacking);

			SDC_ASSERT(from->left == 1);
			take_record(a, b, nth_lacking(a, b, end, drawn, mark));
		}
		while (from->left > 0)
			take_record(a, b, sdc_stream_below(a->stream, a->groups));
	}
	sdc_free(mark);
}

/* make_one_group puts all records into the first group. */
static void
make_one_group(Anatomy *a)
{
	for (uint32 i = 0; i < a->records; i++)
	{
		sdc_interrupts_spend(&a->credit, 1);
		a->group[a->order[i]] = a->first;
	}
	a->groups = 1;
}

/*
 * sdc_anatomy: see anatomy.h.
 *
 * Draws: those of shuffle_buckets, then those of place_residue.  None with fewer than l values.
 */
uint32
sdc_anatomy(const SdcAnatomyTask *task, SdcStream *stream, uint32 first, uint32 *group)
{
	Anatomy		a = {.stream = stream, .l = task->l, .records = task->records, .first = first,
	.group = group};
	Size		values = value_limit(task->records, task->sensitive->codes);

	SDC_ASSERT(task->l >= 1);
	if (task->records == 0)
		return 0;
	a.order = order_records(task);
	a.bucket = sdc_alloc_array(Bucket, values);
	fill_buckets(&a, task);
	if (a.buckets < a.l)
		make_one_group(&a);
	else
	{
		a.heap = sdc_alloc_array(uint64, a.buckets);
		shuffle_buckets(&a);
		fill_heap(&a);
		make_groups(&a);
		if (a.heaped >= a.l)
			make_last_groups(&a);
		sdc_free(a.heap);
		place_residue(&a);
	}
	sdc_free(a.bucket);
	sdc_free(a.order);
	return a.groups;
}

/*
 * sdc_anatomy_donors: see anatomy.h.  The records of all groups are brought together by
 * counting.
 *
 * Draws: one sdc_sample_shuffle of the records of each group, which are ascending before;
 * groups in the order of their numbers.  The records then take, ascending, what is at their
 * place.
 */
void
sdc_anatomy_donors(SdcStream *stream, const uint32 *group, uint32 groups, uint32 records,
				   uint32 *donor)
{
	uint32	   *end = sdc_alloc_array(uint32, (Size) groups + 1);
	SdcCodesort sort = {group, 1, groups, NULL};
	uint32	   *member = sdc_alloc_array(uint32, records);
	uint32		credit = 0;

	sdc_codesort_pass(&sort, NULL, member, records, end, &credit);
	for (uint32 g = 0, start = 0; g < groups; start = end[g++])
	{
		sdc_interrupts_spend(&credit, 1);
		sdc_sample_shuffle(stream, member + start, end[g] - start);
	}
	/* down from the last record, the ends become the places of the records */
	for (uint32 r = records; r-- > 0;)
	{
		sdc_interrupts_spend(&credit, 1);
		donor[r] = member[--end[group[r]]];
	}
	sdc_free(member);
	sdc_free(end);
}
