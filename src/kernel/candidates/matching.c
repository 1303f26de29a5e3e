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
 * Time: that of two searches for the candidates of all different originals.  Memory: O(records).
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include <math.h>

#include "kernel/candidates/matching.h"
#include "kernel/candidates/search.h"

/* Words for lists a record; a list has up to one for each. */
#define LIST_AREA 4

/* A node that the search is at, or came through. */
typedef struct Frame
{
	uint32		node;
	uint64		start;			/* in the area: nodes that it keeps */
	uint64		next;			/* the next of them */
	uint64		end;
} Frame;

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
	uint32		lost;			/* frames below this one have given up what they kept */
	uint32	   *area;
	uint64		area_size;
	uint64		area_used;
	uint32		credit;
} Matching;

/* sdc_matching_memory: see Matching; and the list of a search. */
uint64
sdc_matching_memory(const SdcCandidatesTask *task)
{
	return (uint64) task->records *
		(2 * sizeof(Frame) + (15 + LIST_AREA) * sizeof(uint32)) + 1024;
}

/* start_matching allocates what the search needs. */
static void
start_matching(Matching *matching, const SdcCandidatesTask *task)
{
	uint32	   *from = sdc_alloc_array(uint32, task->records);

	matching->conditions = sdc_conditions_create(task, SDC_CANDIDATES_NEAREST);
	matching->search = sdc_search_create(matching->conditions, task->records);
	matching->whole = !matching->conditions->windows && matching->conditions->likelihood == NULL;
	matching->nodes = matching->conditions->queries +
		(matching->whole ? matching->conditions->bucket_cell[matching->conditions->buckets] : 0);
	matching->record = sdc_alloc_array(uint32, task->records);
	matching->candidate = sdc_alloc_array(uint32, task->records);
	sdc_conditions_sort(matching->conditions->query, matching->conditions->queries, NULL,
						task->records, from, &matching->credit);
	sdc_conditions_sort(matching->conditions->bucket, matching->conditions->buckets, from,
						task->records, matching->record, &matching->credit);
	sdc_free(from);
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
	sdc_conditions_destroy(matching->conditions);
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
		if (!sdc_conditions_all(conditions, record, record) ||
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

/* reach_node goes on to a node. */
static void
reach_node(Matching *matching, uint32 node)
{
	uint64		candidates;
	uint32		count = list_node(matching, node, &candidates);

	if (node < matching->conditions->queries)
	{
		uint32		end = query_end(matching, node);

		matching->edges += (end - matching->first[node]) * candidates;
		check_own(matching, node, end);
	}
	matching->index[node] = ++matching->reached;
	matching->low[node] = matching->reached;
	matching->open[matching->opens++] = node;
	matching->frame[matching->depth++].node = node;
	keep_candidates(matching, count);
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
	return false;
}

/* find_components searches from all nodes, unless there is a reason to stop. */
static SdcCandidatesStatus
find_components(Matching *matching)
{
	uint32		records = matching->conditions->task->records;

	for (uint32 i = 0; i < records; i++)
	{
		uint32		node = matching->conditions->query[matching->record[i]];

		sdc_interrupts_spend(&matching->credit, 1);
		if (matching->index[node] != 0)
			continue;
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
	}
	return SDC_CANDIDATES_OK;
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
