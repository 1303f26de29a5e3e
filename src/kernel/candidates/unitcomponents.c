/*-------------------------------------------------------------------------
 *
 * unitcomponents.c
 *		The units that are left when all of them are known.
 *
 * As in matching.c, with units in the place of records: in the graph with an edge from u to v wherever v is in B(u)
 * those are left that are in the same strongly connected component as u.  Units of which the same is known are one
 * node.
 *
 * Components are found by R. Tarjan's search ("Depth-first search and linear graph algorithms", SIAM Journal on
 * Computing 1, 1972), without recursion.  A node that is reached keeps what it leads to and was not reached before in
 * an area of LIST_AREA words a unit.  When that is full, what the nodes below have kept is given up, and they search
 * again when they are come back to.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include "kernel/base/codesort.h"
#include "kernel/candidates/unitlinks.h"
#include "kernel/candidates/unitsearch.h"

/* Words for lists a unit; a list has up to one for each. */
#define LIST_AREA 4

/* A node that the search is at, or came through. */
typedef struct Frame
{
	uint32		node;
	uint64		next;			/* in the area: the next node that it leads to, */
	uint64		end;			/* and the end of those */
} Frame;

/* The search.  Nodes are groups of units. */
typedef struct Components
{
	SdcUnitSearch *search;
	uint32	   *unit;			/* all units, by group */
	uint32	   *start;			/* by group: its first one, and the end */
	uint64		edges;
	bool		sound;

	uint32		reached;		/* nodes so far */
	uint32	   *index;			/* by node: when it was reached, from 1 on; 0: not yet */
	uint32	   *low;			/* by node: the least index that it leads to */
	uint32	   *component;		/* by node: its first unit's number; SDC_RECORD_NONE: not known yet */
	uint32	   *open;			/* nodes that are reached and have no component, in that order */
	uint32		opens;
	Frame	   *frame;
	uint32		depth;
	uint32		lost;			/* frames below this one have given up what they kept */
	uint32	   *area;
	uint64		area_size;
	uint32		credit;
} Components;

/* start_components allocates what the search needs. */
static void
start_components(Components *components, const SdcUnitLinksTask *task)
{
	SdcUnitSearch *search = sdc_unitsearch_create(task, SDC_CANDIDATES_NEAREST);
	uint32		units = task->units->count;

	components->search = search;
	components->unit = sdc_alloc_array(uint32, units);
	components->start = sdc_alloc_zeros(uint32, (uint64) search->groups + 1);
	sdc_conditions_sort(search->group, search->groups, NULL, units, components->unit, &components->credit);
	for (uint32 u = 0; u < units; u++)
		components->start[search->group[u]]++;
	sdc_codesort_starts(components->start, search->groups, &components->credit);
	components->start[search->groups] = units;
	components->index = sdc_alloc_zeros(uint32, search->groups);
	components->low = sdc_alloc_array(uint32, search->groups);
	components->component = sdc_alloc_array(uint32, search->groups);
	memset(components->component, 0xFF, (Size) search->groups * sizeof(uint32));
	components->open = sdc_alloc_array(uint32, search->groups);
	components->frame = sdc_alloc_array(Frame, search->groups);
	components->area_size = LIST_AREA * (uint64) units;
	components->area = sdc_alloc_array(uint32, components->area_size);
}

/* end_components frees it. */
static void
end_components(Components *components)
{
	sdc_free(components->area);
	sdc_free(components->frame);
	sdc_free(components->open);
	sdc_free(components->component);
	sdc_free(components->low);
	sdc_free(components->index);
	sdc_free(components->start);
	sdc_free(components->unit);
	sdc_unitsearch_destroy(components->search);
}

/* look_ahead finds what the node of the uppermost frame leads to, and keeps what is new. */
static void
look_ahead(Components *components)
{
	const SdcUnitSearch *search = components->search;
	Frame	   *frame = &components->frame[components->depth - 1];
	uint64		used = components->depth - 1 > components->lost ? frame[-1].end : 0;

	sdc_unitsearch_find(components->search, frame->node);
	if (used + search->candidates > components->area_size)
	{
		components->lost = components->depth - 1;
		used = 0;
	}
	frame->next = used;
	for (uint32 c = 0; c < search->candidates; c++)
	{
		uint32		node = search->group[search->candidate[c]];

		sdc_interrupts_spend(&components->credit, 1);
		if (components->index[node] == 0)
			components->area[used++] = node;
		else if (components->component[node] == SDC_RECORD_NONE &&
				 components->index[node] < components->low[frame->node])
			components->low[frame->node] = components->index[node];
	}
	frame->end = used;
}

/* reach_node goes on to a node. */
static void
reach_node(Components *components, uint32 node)
{
	uint32		units = components->start[node + 1] - components->start[node];

	components->frame[components->depth++] = (Frame) {.node = node};
	components->index[node] = components->low[node] = ++components->reached;
	components->open[components->opens++] = node;
	look_ahead(components);
	components->edges += units * (uint64) components->search->candidates;
	for (uint32 u = components->start[node]; u < components->start[node + 1]; u++)
		if (!sdc_unitsearch_inside(components->search, components->unit[u]))
			components->sound = false;
}

/* leave_node goes back from a node; one that leads nowhere before it is a component, with what is open. */
static void
leave_node(Components *components)
{
	uint32		node = components->frame[--components->depth].node;

	if (components->low[node] == components->index[node])
	{
		uint32		last;

		do
		{
			last = components->open[--components->opens];
			components->component[last] = components->search->first[node];
		} while (last != node);
	}
	if (components->depth > 0)
	{
		uint32		below = components->frame[components->depth - 1].node;

		if (components->low[node] < components->low[below])
			components->low[below] = components->low[node];
	}
}

/* next_node is the next new node that the uppermost frame leads to; false: there is none. */
static bool
next_node(Components *components, uint32 *node)
{
	Frame	   *frame = &components->frame[components->depth - 1];

	if (components->depth <= components->lost)
	{
		/* what it kept is given up; all frames below are in the same case */
		components->lost = components->depth - 1;
		look_ahead(components);
	}
	while (frame->next < frame->end)
	{
		sdc_interrupts_spend(&components->credit, 1);
		*node = components->area[frame->next++];
		if (components->index[*node] == 0)
			return true;
	}
	return false;
}

/* search_from searches from a node, up to a reason to stop. */
static SdcCandidatesStatus
search_from(Components *components, uint32 node)
{
	components->lost = 0;
	reach_node(components, node);
	while (components->depth > 0)
	{
		if (!components->sound)
			return SDC_CANDIDATES_UNSOUND;
		if (components->edges > SDC_CANDIDATES_EDGES_MAX)
			return SDC_CANDIDATES_EDGES;
		if (next_node(components, &node))
			reach_node(components, node);
		else
			leave_node(components);
	}
	return SDC_CANDIDATES_OK;
}

/* sdc_unitlinks_everybody: see unitlinks.h. */
SdcCandidatesStatus
sdc_unitlinks_everybody(const SdcUnitLinksTask *task, uint32 *component)
{
	Components	components = {.sound = true, .credit = SDC_INTERRUPT_STEPS};
	SdcCandidatesStatus status = SDC_CANDIDATES_OK;

	if (task->units->count == 0)
		return SDC_CANDIDATES_OK;
	start_components(&components, task);
	for (uint32 g = 0; g < components.search->groups && status == SDC_CANDIDATES_OK; g++)
		if (components.index[g] == 0)
			status = search_from(&components, g);
	for (uint32 u = 0; u < task->units->count && status == SDC_CANDIDATES_OK; u++)
	{
		sdc_interrupts_spend(&components.credit, 1);
		component[u] = components.component[components.search->group[u]];
	}
	end_components(&components);
	return status;
}
