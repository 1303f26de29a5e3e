/*-------------------------------------------------------------------------
 *
 * matching.c
 *		Candidates that are left when everybody else is known.
 *
 * Maximum knowledge is the term of J. Domingo-Ferrer and K. Muralidhar, "New directions in
 * anonymization: permutation paradigm, verifiability by subjects and intruders,
 * transparency to users", Information Sciences 337-338, 2016.  Of the candidates of a record those
 * are left that some perfect matching of all originals with all protected records uses.  The right
 * pairing is one.  Another one changes it along cycles: i gets the record of j, j that of a
 * third, and so on.  So in the graph with an edge from i to j wherever the protected record of j is a
 * candidate of i, that candidate is left just when i and j are in the same strongly connected
 * component.
 *
 * Where groups and bins are all that is asked for in a bucket, its cells are nodes, too: an original
 * leads to its cells, and a cell to the originals of its records.  That is the same graph with
 * fewer edges, and an original and a cell that lead to each other do so with all records of the cell.
 *
 * Components are found by R. Tarjan's search ("Depth-first search and linear graph algorithms", SIAM
 * Journal on Computing 1, 1972), without recursion.  Equal originals have the same edges, and
 * an edge from their own records: they are one node.  Edges are not stored: a node lists its
 * candidates when it is reached, and keeps those that were not reached before in an area of
 * LIST_AREA words a record.  When that is full, all that the nodes below have kept is given up;
 * they list their candidates again when the search comes back to them.  That happens once for each time
 * that the area was filled, so that it takes a fraction of the time.  A node that is reached
 * between the two lists is above the one that lists, and cannot lower where that one leads to.
 *
 * Where many are candidates of many the search gets them as bitmaps (windowmasks.h, agreeing.h) of the
 * places of the bucket, and has bitmaps of those that were not reached before and of those that
 * are open.  A node keeps a few of the new ones, and asks again if there were more.  Of open ones it
 * needs the one that was reached first.  When a node leads to one of which it is known that it leads to
 * the root, so do all nodes on the way, and with them all that are open: these need no look later.
 * The root is one with many candidates, as that is likely to be among those that lead to each other.
 *
 * Time: that of two searches for the candidates of all different originals, or O(records / 64) a column
 * for each of them where that is less, but for open nodes that do not lead to the root.
 * Memory: O(records).
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"
#include "kernel/candidates/buckets.h"

#include <math.h>

#include "kernel/candidates/matching.h"
#include "kernel/candidates/search.h"
#include "kernel/candidates/windowmasks.h"

/* Buckets of which the candidates may be bitmaps. */
#define MASKED_BUCKET 16

/* Words of a bitmap, in a column, that take as long as to list a candidate. */
#define WORDS_A_CANDIDATE 1

/* Originals that are tried to learn how many candidates they have, and for a good root. */
#define TRIED 16

/* Words for lists a record; a list has up to one for each. */
#define LIST_AREA 4

/* A node that the search is at, or came through. */
typedef struct Frame
{
	uint32		node;
	uint64		start;			/* in the area: nodes that it keeps */
	uint64		next;			/* the next of them */
	uint64		end;
	bool		more;			/* bitmaps: there were more than it keeps */
} Frame;

/* The bucket at work, if its candidates are bitmaps: bits are places, from the first on. */
typedef struct Masked
{
	bool		wanted;
	uint32		first;			/* places of the bucket */
	uint32		count;
	Size		words;
	SdcWindowMasks *windows;	/* NULL: records were randomized */
	uint64	   *fresh;			/* those that were not reached */
	uint32		left;			/* how many they are */
	uint64	   *open;			/* reached, without a component, and not known to lead to the root */
	uint64	   *rooted;			/* those that are known to */
} Masked;

/* The search.  Nodes are queries, and after them cells, if they are nodes. */
typedef struct Matching
{
	SdcConditions *conditions;
	SdcSearch  *search;
	bool		whole;			/* cells are nodes */
	uint32		nodes;
	uint32	   *record;			/* all originals, by bucket and query */
	uint32	   *first;			/* by query: the place in record[] of the first one */
	uint32	   *candidate;		/* nodes that a node leads to */
	uint64		edges;
	bool		sound;

	uint32		reached;		/* nodes so far */
	uint32	   *index;			/* by node: when it was reached, from 1 on; 0: not yet */
	uint32	   *low;			/* by node: the least index that it leads to */
	uint32	   *component;		/* by node: a number from 1 on; 0: not known yet */
	uint32		components;
	uint32	   *open;			/* nodes that are reached and have no component, in that order */
	uint32		opens;

	Frame	   *frame;
	uint32		depth;
	Masked		masked;
	uint32		lost;			/* frames below this one have given up what they kept */
	uint32	   *area;
	uint64		area_size;
	uint64		area_used;
	uint32		credit;
} Matching;

/* start_matching allocates what the search needs. */
static void
start_matching(Matching *matching, const SdcCandidatesTask *task)
{

	matching->conditions = sdc_buckets_create(task, SDC_CANDIDATES_NEAREST);
	matching->search = sdc_search_create(matching->conditions, task->records);
	/* records with blanks lead from bucket to bucket */
	if (matching->conditions->blanks != NULL)
		sdc_search_keep(matching->search);
	matching->whole = !matching->conditions->windows && matching->conditions->likelihood == NULL;
	matching->nodes = matching->conditions->queries +
		(matching->whole ? matching->conditions->bucket_cell[matching->conditions->buckets] : 0);
	matching->record = sdc_alloc_array(uint32, task->records);
	matching->candidate = sdc_alloc_array(uint32, task->records);
	sdc_conditions_order(matching->conditions, NULL, task->records, matching->record, &matching->credit);
	matching->first = sdc_alloc_array(uint32, matching->conditions->queries);
	for (uint32 i = task->records; i-- > 0;)
	{
		sdc_interrupts_spend(&matching->credit, 1);
		matching->first[matching->conditions->query[matching->record[i]]] = i;
	}
	matching->index = sdc_alloc_array(uint32, matching->nodes);
	matching->low = sdc_alloc_array(uint32, matching->nodes);
	matching->component = sdc_alloc_array(uint32, matching->nodes);
	matching->open = sdc_alloc_array(uint32, matching->nodes);
	memset(matching->index, 0, (Size) matching->nodes * sizeof(uint32));
	memset(matching->component, 0, (Size) matching->nodes * sizeof(uint32));
	matching->frame = sdc_alloc_array(Frame, matching->nodes);
	matching->area_size = LIST_AREA * (uint64) task->records;
	matching->area = sdc_alloc_array(uint32, matching->area_size);
}

/* end_matching frees it. */
static void
end_matching(Matching *matching)
{
	sdc_free(matching->area);
	sdc_free(matching->frame);
	sdc_free(matching->open);
	sdc_free(matching->component);
	sdc_free(matching->low);
	sdc_free(matching->index);
	sdc_free(matching->first);
	sdc_free(matching->candidate);
	sdc_free(matching->record);
	sdc_search_destroy(matching->search);
	sdc_buckets_destroy(matching->conditions);
}

/* query_end is where the originals of a query end in record[]. */
static uint32
query_end(const Matching *matching, uint32 query)
{
	uint32		end = matching->first[query] + 1;

	while (end < matching->conditions->task->records &&
		   matching->conditions->query[matching->record[end]] == query)
		end++;
	return end;
}

/* cell_of is the cell that a node stands for. */
static inline uint32
cell_of(const Matching *matching, uint32 node)
{
	return node - matching->conditions->queries;
}

/* cell_size is how many records it has. */
static inline uint32
cell_size(const Matching *matching, uint32 node)
{
	const uint32 *start = matching->conditions->cell_start + cell_of(matching, node);

	return start[1] - start[0];
}

/* list_node lists the nodes that a node leads to, and counts the candidates behind them. */
static uint32
list_node(Matching *matching, uint32 node, uint64 *candidates)
{
	const SdcConditions *conditions = matching->conditions;
	uint32	   *list = matching->candidate;
	uint32		count = 0;

	*candidates = 0;
	if (node >= conditions->queries)
	{
		uint32		cell = cell_of(matching, node);

		for (uint32 p = conditions->cell_start[cell]; p < conditions->cell_start[cell + 1]; p++)
			list[count++] = conditions->query[conditions->order[p]];
		return count;
	}
	if (!matching->whole)
	{
		count = sdc_search_list(matching->search, matching->record[matching->first[node]], list);
		for (uint32 c = 0; c < count; c++)
			list[c] = conditions->query[list[c]];
		*candidates = count;
		return count;
	}
	sdc_cells_find(matching->search->cells, matching->record[matching->first[node]]);
	for (; count < matching->search->cells->found; count++)
	{
		list[count] = conditions->queries + matching->search->cells->cell[count];
		*candidates += cell_size(matching, list[count]);
	}
	return count;
}

/* check_own sees that the originals of a query are their own candidates. */
static void
check_own(Matching *matching, uint32 query, uint32 end)
{
	SdcConditions *conditions = matching->conditions;

	for (uint32 i = matching->first[query]; i < end; i++)
	{
		uint32		record = matching->record[i];

		sdc_interrupts_spend(&matching->credit, 1);
		if (conditions->likelihood != NULL)
			sdc_likelihood_take(conditions->likelihood, record);
		if (!sdc_buckets_compatible(conditions, record, record) ||
			(conditions->likelihood != NULL &&
			 sdc_likelihood_log(conditions->likelihood, record) == -INFINITY))
			matching->sound = false;
	}
}

/* keep_candidates notes what the node of the uppermost frame leads to, and keeps what is new. */
static void
keep_candidates(Matching *matching, uint32 count)
{
	Frame	   *frame = &matching->frame[matching->depth - 1];

	if (matching->area_used + count > matching->area_size)
	{
		matching->lost = matching->depth - 1;
		matching->area_used = 0;
	}
	frame->start = matching->area_used;
	for (uint32 c = 0; c < count; c++)
	{
		uint32		node = matching->candidate[c];

		sdc_interrupts_spend(&matching->credit, 1);
		if (matching->index[node] == 0)
			matching->area[matching->area_used++] = node;
		else if (matching->component[node] == 0 &&
				 matching->index[node] < matching->low[frame->node])
			matching->low[frame->node] = matching->index[node];
	}
	frame->next = frame->start;
	frame->end = matching->area_used;
}

/* ------------------------------------------------------------------------
 * Candidates that are bitmaps
 * ------------------------------------------------------------------------
 */

/* mask_node is the bitmap of the candidates of a node. */
static const uint64 *
mask_node(Matching *matching, uint32 node)
{
	uint32		original = matching->record[matching->first[node]];

	return matching->masked.windows != NULL ?
		sdc_windowmasks_take(matching->masked.windows, original) :
		sdc_search_mask(matching->search, original);
}

/* mark_node sets or clears the bits of the own records of a node. */
static void
mark_node(const Matching *matching, uint32 node, uint64 *bits, bool set)
{
	uint32		end = query_end(matching, node);

	for (uint32 i = matching->first[node]; i < end; i++)
	{
		uint32		bit = matching->conditions->place[matching->record[i]] - matching->masked.first;

		if (set)
			sdc_bitset_add(bits, bit);
		else
			sdc_bitset_remove(bits, bit);
	}
}

/* node_at is the node of a bit. */
static inline uint32
node_at(const Matching *matching, Size bit)
{
	const SdcConditions *conditions = matching->conditions;

	return conditions->query[conditions->order[matching->masked.first + bit]];
}

/* meets tells whether two bitmaps have a bit in common. */
static bool
intersects(const uint64 *bits, const uint64 *other, Size words)
{
	for (Size w = 0; w < words; w++)
		if ((bits[w] & other[w]) != 0)
			return true;
	return false;
}

/* keep_fresh keeps the first nodes of a bitmap that were not reached before. */
static void
keep_fresh(Matching *matching, const uint64 *mask)
{
	Masked	   *masked = &matching->masked;
	Frame	   *frame = &matching->frame[matching->depth - 1];

	frame->more = false;
	for (Size w = 0; w < masked->words && masked->left > 0 && !frame->more; w++)
		for (uint64 rest = mask[w] & masked->fresh[w]; rest != 0; rest &= rest - 1)
		{
			frame->more = frame->end - frame->start == LIST_AREA;
			if (frame->more)
				break;
			matching->area[frame->end++] =
				node_at(matching, w * SDC_BITSET_BITS + __builtin_ctzll(rest));
		}
	matching->area_used = frame->end;
}

/* look_back finds where the node of the uppermost frame leads to among those that are open. */
static void
look_back(Matching *matching, const uint64 *mask)
{
	Masked	   *masked = &matching->masked;
	uint32		node = matching->frame[matching->depth - 1].node;

	if (intersects(mask, masked->rooted, masked->words))
	{
		matching->low[node] = matching->index[matching->frame[0].node];
		sdc_bitset_unite(masked->rooted, masked->open, masked->words);
		memset(masked->open, 0, masked->words * sizeof(uint64));
		return;
	}
	for (Size w = 0; w < masked->words; w++)
		for (uint64 rest = mask[w] & masked->open[w]; rest != 0; rest &= rest - 1)
		{
			uint32		other = node_at(matching, w * SDC_BITSET_BITS + __builtin_ctzll(rest));

			sdc_interrupts_spend(&matching->credit, 1);
			if (matching->index[other] < matching->low[node])
				matching->low[node] = matching->index[other];
		}
}

/* reach_masked goes on to a node with so many originals, whose number and frame are there. */
static void
reach_masked(Matching *matching, uint32 node, uint32 originals)
{
	Masked	   *masked = &matching->masked;
	Frame	   *frame = &matching->frame[matching->depth - 1];
	const uint64 *mask = mask_node(matching, node);

	matching->edges += originals * sdc_bitset_count(mask, masked->words);
	mark_node(matching, node, masked->fresh, false);
	masked->left -= originals;
	mark_node(matching, node, matching->depth == 1 ? masked->rooted : masked->open, true);
	look_back(matching, mask);
	frame->start = frame->end = frame->next = matching->area_used;
	keep_fresh(matching, mask);
	sdc_interrupts_spend(&matching->credit, 1);
}

/* ------------------------------------------------------------------------
 * The search
 * ------------------------------------------------------------------------
 */

/* reach_listed goes on to a node whose candidates are listed. */
static void
reach_listed(Matching *matching, uint32 node, uint32 originals)
{
	uint64		candidates;
	uint32		count = list_node(matching, node, &candidates);

	matching->edges += originals * candidates;
	keep_candidates(matching, count);
}

/* reach_node goes on to a node. */
static void
reach_node(Matching *matching, uint32 node)
{
	uint32		originals = 0;
	Frame	   *frame = &matching->frame[matching->depth++];

	*frame = (Frame) {.node = node, .start = matching->area_used, .next = matching->area_used,
	.end = matching->area_used};
	if (node < matching->conditions->queries)
	{
		uint32		end = query_end(matching, node);

		originals = end - matching->first[node];
		check_own(matching, node, end);
	}
	matching->index[node] = ++matching->reached;
	matching->low[node] = matching->reached;
	matching->open[matching->opens++] = node;
	/* else the search ends, and the own records may be in another bucket */
	if (!matching->sound)
		return;
	if (matching->masked.wanted)
		reach_masked(matching, node, originals);
	else
		reach_listed(matching, node, originals);
}

/* leave_node goes back from a node; one that leads nowhere before it is a component, with what is open. */
static void
leave_node(Matching *matching)
{
	const Frame *frame = &matching->frame[--matching->depth];
	uint32		node = frame->node;

	matching->area_used = frame->start;
	if (matching->low[node] == matching->index[node])
	{
		uint32		last;

		matching->components++;
		do
		{
			last = matching->open[--matching->opens];
			matching->component[last] = matching->components;
			if (matching->masked.wanted)
			{
				mark_node(matching, last, matching->masked.open, false);
				mark_node(matching, last, matching->masked.rooted, false);
			}
		} while (last != node);
	}
	if (matching->depth > 0)
	{
		uint32		below = matching->frame[matching->depth - 1].node;

		if (matching->low[node] < matching->low[below])
			matching->low[below] = matching->low[node];
	}
}

/* next_node is the next new node that the uppermost frame leads to; false: there is none. */
static bool
next_node(Matching *matching, uint32 *node)
{
	Frame	   *frame = &matching->frame[matching->depth - 1];

	if (matching->depth <= matching->lost)
	{
		uint64		candidates;

		/* what it kept is given up; all frames below are in the same case */
		matching->lost = matching->depth - 1;
		matching->area_used = 0;
		keep_candidates(matching, list_node(matching, frame->node, &candidates));
	}
	while (frame->next < frame->end)
	{
		sdc_interrupts_spend(&matching->credit, 1);
		*node = matching->area[frame->next++];
		if (matching->index[*node] == 0)
			return true;
	}
	if (!frame->more || matching->masked.left == 0)
		return false;
	/* what was kept is reached: what else is new? */
	frame->end = frame->next = frame->start;
	keep_fresh(matching, mask_node(matching, frame->node));
	if (frame->end == frame->start)
		return false;
	*node = matching->area[frame->next++];
	return true;
}

/*
 * try_originals finds how many candidates some originals of a bucket have, all together, and a
 * record of that with the most of them.  It returns false where there are no bitmaps.
 */
static bool
try_originals(Matching *matching, uint64 *candidates, uint32 *root)
{
	const SdcConditions *conditions = matching->conditions;
	const Masked *masked = &matching->masked;
	uint64		most = 0;

	*candidates = 0;
	for (uint32 t = 0; t < TRIED; t++)
	{
		uint32		original = conditions->order[masked->first + (uint64) masked->count * t / TRIED];
		const uint64 *mask;
		uint64		count;

		/* an original of another bucket is not sound: the search will find it */
		if (conditions->bucket[original] != conditions->bucket[*root])
			continue;
		mask = mask_node(matching, conditions->query[original]);
		if (mask == NULL)
			return false;
		count = sdc_bitset_count(mask, masked->words);
		*candidates += count;
		if (count > most)
		{
			most = count;
			*root = original;
		}
	}
	return true;
}

/* leave_bucket frees the bitmaps of a bucket. */
static void
leave_bucket(Matching *matching)
{
	Masked	   *masked = &matching->masked;

	if (masked->wanted)
	{
		sdc_windowmasks_destroy(masked->windows);
		sdc_free(masked->rooted);
		sdc_free(masked->open);
		sdc_free(masked->fresh);
	}
	masked->wanted = false;
}

/* enter_bucket decides how a bucket is searched, from the record on that is returned. */
static uint32
enter_bucket(Matching *matching, uint32 record)
{
	SdcConditions *conditions = matching->conditions;
	uint32		bucket = conditions->bucket[record];
	Masked	   *masked = &matching->masked;
	int			columns = conditions->count[SDC_CANDIDATES_RANDOMIZED] +
		conditions->count[SDC_CANDIDATES_WINDOW];
	uint64		candidates;

	leave_bucket(matching);
	masked->first = conditions->bucket_start[bucket];
	masked->count = conditions->bucket_start[bucket + 1] - masked->first;
	masked->words = sdc_bitset_words(masked->count);
	masked->windows = NULL;
	if (matching->whole || conditions->blanks != NULL || masked->count <= MASKED_BUCKET)
		return record;
	if (conditions->likelihood == NULL)
	{
		if (conditions->cells || !sdc_windowmasks_wanted(conditions, bucket, WORDS_A_CANDIDATE))
			return record;
		masked->windows = sdc_windowmasks_create(conditions, bucket, NULL);
	}
	if (!try_originals(matching, &candidates, &record) ||
		(masked->windows == NULL &&
		 candidates * WORDS_A_CANDIDATE <= TRIED * masked->words * (uint64) columns))
		return record;
	masked->wanted = true;
	masked->left = masked->count;
	masked->fresh = sdc_alloc_array(uint64, masked->words);
	memset(masked->fresh, 0xFF, masked->words * sizeof(uint64));
	masked->open = sdc_alloc_zeros(uint64, masked->words);
	masked->rooted = sdc_alloc_zeros(uint64, masked->words);
	return record;
}

/* search_from searches from a node, unless it was reached, up to a reason to stop. */
static SdcCandidatesStatus
search_from(Matching *matching, uint32 node)
{
	if (matching->index[node] != 0)
		return SDC_CANDIDATES_OK;
	matching->lost = 0;
	matching->area_used = 0;
	reach_node(matching, node);
	while (matching->depth > 0)
	{
		if (!matching->sound)
			return SDC_CANDIDATES_UNSOUND;
		if (matching->edges > SDC_CANDIDATES_EDGES_MAX)
			return SDC_CANDIDATES_EDGES;
		if (next_node(matching, &node))
			reach_node(matching, node);
		else
			leave_node(matching);
	}
	return SDC_CANDIDATES_OK;
}

/* find_components searches from all nodes, bucket by bucket. */
static SdcCandidatesStatus
find_components(Matching *matching)
{
	const SdcConditions *conditions = matching->conditions;
	uint32		records = conditions->task->records;
	SdcCandidatesStatus status = SDC_CANDIDATES_OK;

	for (uint32 i = 0; i < records && status == SDC_CANDIDATES_OK; i++)
	{
		uint32		record = matching->record[i];

		sdc_interrupts_spend(&matching->credit, 1);
		if (i == 0 || conditions->bucket[record] != conditions->bucket[matching->record[i - 1]])
			status = search_from(matching, conditions->query[enter_bucket(matching, record)]);
		if (status == SDC_CANDIDATES_OK)
			status = search_from(matching, conditions->query[record]);
	}
	leave_bucket(matching);
	return status;
}

/* count_left counts for every query the candidates in its component. */
static void
count_left(Matching *matching, uint32 *left)
{
	uint32		records = matching->conditions->task->records;

	for (uint32 i = 0, end; i < records; i = end)
	{
		uint32		query = matching->conditions->query[matching->record[i]];
		uint64		candidates;
		uint32		nodes = list_node(matching, query, &candidates);
		uint32		count = 0;

		for (uint32 c = 0; c < nodes; c++)
		{
			uint32		node = matching->candidate[c];

			sdc_interrupts_spend(&matching->credit, 1);
			if (matching->component[node] == matching->component[query])
				count += matching->whole ? cell_size(matching, node) : 1;
		}
		end = query_end(matching, query);
		for (uint32 k = i; k < end; k++)
			left[matching->record[k]] = count;
	}
}

/*
 * number_components gives records the number of their component.  Components of cells alone are
 * among those that were counted: the numbers of records are the first originals of theirs.
 */
static void
number_components(const Matching *matching, uint32 *component)
{
	uint32		records = matching->conditions->task->records;
	uint32	   *number = sdc_alloc_array(uint32, matching->components);

	memset(number, 0xFF, (Size) matching->components * sizeof(uint32));
	for (uint32 i = 0; i < records; i++)
	{
		uint32		found = matching->component[matching->conditions->query[i]] - 1;

		sdc_interrupts_step(i);
		if (number[found] == SDC_RECORD_NONE)
			number[found] = i;
		component[i] = number[found];
	}
	sdc_free(number);
}

/* sdc_candidates_everybody: see candidates.h. */
SdcCandidatesStatus
sdc_candidates_everybody(const SdcCandidatesTask *task, uint32 *left, uint32 *component)
{
	Matching	matching = {.sound = true, .credit = SDC_INTERRUPT_STEPS};
	SdcCandidatesStatus status;

	if (task->records == 0)
		return SDC_CANDIDATES_OK;
	start_matching(&matching, task);
	status = find_components(&matching);
	if (status == SDC_CANDIDATES_OK && left != NULL)
		count_left(&matching, left);
	if (status == SDC_CANDIDATES_OK && component != NULL)
		number_components(&matching, component);
	end_matching(&matching);
	return status;
}
