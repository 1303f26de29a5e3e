/*-------------------------------------------------------------------------
 *
 * unitcosts.c
 *		How badly the rows that are known of a unit fit those of another one, paired as well as possible.
 *
 * An assignment problem.  It is solved by shortest augmenting paths with dual values (H. W. Kuhn, "The Hungarian
 * method for the assignment problem", 1955; J. Munkres, 1957; in the form of E. L. Lawler, 1976), row by row.  Costs are
 * vectors in lexicographic order, which add and subtract as numbers do.  The costs of a row are computed when they are
 * needed: memory is O(rows).
 *
 * Before that bounds are computed: the sum over the known rows of the least cost of each.  Where these are those of
 * different rows they are the assignment, and what is worse than the best so far is left.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include <math.h>

#include "kernel/candidates/unitcosts.h"

/* Sums of logarithms that differ by less than this are the same number, computed in another order. */
#define SAME_UNLIKELY 1e-10

struct SdcUnitCosts
{
	SdcUnitSearch *search;
	uint32		unit;			/* that was taken */
	const uint32 *known;		/* its known rows */
	uint32		rows;
	double	   *point;			/* their coordinates */
	double	   *place;			/* those of a protected row */
	uint64		points;			/* room for coordinates */
	const uint32 *member;		/* the rows of the unit at work */
	uint32		size;

	/* by row on the left and right: dual values; the others by row on the right */
	uint32		room;
	SdcUnitCost *left;
	SdcUnitCost *right;
	SdcUnitCost *least;			/* the shortest path so far */
	SdcUnitCost *cost;			/* of the row at work */
	uint32	   *owner;			/* the row on the left that has it */
	uint32	   *before;			/* the one before it on that path, */
	bool	   *reached;		/* which is final */
};

/* What no pair costs. */
static const SdcUnitCost none = {INFINITY, INFINITY, INFINITY};

/* sdc_unitcosts_create: see unitcosts.h. */
SdcUnitCosts *
sdc_unitcosts_create(SdcUnitSearch *search)
{
	SdcUnitCosts *costs = sdc_alloc_zeros(SdcUnitCosts, 1);

	costs->search = search;
	costs->place = sdc_alloc_array(double, search->conditions->space->dimensions);
	return costs;
}

/* free_work frees what belongs to rows on the right. */
static void
free_work(SdcUnitCosts *costs)
{
	if (costs->room == 0)
		return;
	sdc_free(costs->reached);
	sdc_free(costs->before);
	sdc_free(costs->owner);
	sdc_free(costs->cost);
	sdc_free(costs->least);
	sdc_free(costs->right);
	sdc_free(costs->left);
	costs->room = 0;
}

/* sdc_unitcosts_destroy frees it. */
void
sdc_unitcosts_destroy(SdcUnitCosts *costs)
{
	free_work(costs);
	if (costs->point != NULL)
		sdc_free(costs->point);
	sdc_free(costs->place);
	sdc_free(costs);
}

/* need_work has room for so many rows on the right, one more, and as many on the left at most. */
static void
need_work(SdcUnitCosts *costs, uint32 rows)
{
	if (rows < costs->room)
		return;
	free_work(costs);
	costs->room = rows + 1;
	costs->left = sdc_alloc_array(SdcUnitCost, costs->room);
	costs->right = sdc_alloc_array(SdcUnitCost, costs->room);
	costs->least = sdc_alloc_array(SdcUnitCost, costs->room);
	costs->cost = sdc_alloc_array(SdcUnitCost, costs->room);
	costs->owner = sdc_alloc_array(uint32, costs->room);
	costs->before = sdc_alloc_array(uint32, costs->room);
	costs->reached = sdc_alloc_array(bool, costs->room);
}

/* sdc_unitcosts_take: see unitcosts.h. */
void
sdc_unitcosts_take(SdcUnitCosts *costs, uint32 unit)
{
	const SdcUnitSearch *search = costs->search;
	const SdcMetricSpace *space = search->conditions->space;
	uint64		points;

	costs->unit = unit;
	costs->known = search->known + search->start[unit];
	costs->rows = search->start[unit + 1] - search->start[unit];
	points = (uint64) costs->rows * (uint64) space->dimensions;
	if (points > costs->points)
	{
		if (costs->point != NULL)
			sdc_free(costs->point);
		costs->point = sdc_alloc_matrix(double, costs->rows, space->dimensions);
		costs->points = points;
	}
	for (uint32 a = 0; a < costs->rows && points > 0; a++)
		sdc_metricspace_original(space, costs->known[a], costs->point + (Size) a * space->dimensions);
}

/* sdc_unitcosts_compare: see unitcosts.h. */
int
sdc_unitcosts_compare(const SdcUnitCost *a, const SdcUnitCost *b)
{
	if (fabs(a->unlikely - b->unlikely) > SDC_LIKELIHOOD_TIE)
		return a->unlikely < b->unlikely ? -1 : 1;
	if (a->without != b->without)
		return a->without < b->without ? -1 : 1;
	if (a->measure > b->measure * SDC_METRICSPACE_TIE)
		return 1;
	return b->measure > a->measure * SDC_METRICSPACE_TIE ? -1 : 0;
}

/* is_less compares costs without ties, but for logarithms. */
static inline bool
is_less(const SdcUnitCost *a, const SdcUnitCost *b)
{
	if (a->unlikely != b->unlikely && !(fabs(a->unlikely - b->unlikely) <= SAME_UNLIKELY))
		return a->unlikely < b->unlikely;
	if (a->without != b->without)
		return a->without < b->without;
	return a->measure < b->measure;
}

/* add_cost adds a cost, so many times. */
static inline void
add_cost(SdcUnitCost *sum, const SdcUnitCost *cost, double times)
{
	sum->unlikely += times * cost->unlikely;
	sum->without += times * cost->without;
	sum->measure += times * cost->measure;
}

/* fill_row computes what the pairs of a row on the left cost; those that are not compatible cost what none does. */
static void
fill_row(SdcUnitCosts *costs, uint32 a)
{
	SdcUnitSearch *search = costs->search;
	SdcConditions *conditions = search->conditions;
	const SdcMetricSpace *space = conditions->space;
	const uint64 *edges = sdc_bipartite_edges(search->graph, a);
	const double *point = costs->point + (Size) a * space->dimensions;

	if (conditions->likelihood != NULL)
		sdc_likelihood_take(conditions->likelihood, costs->known[a]);
	for (uint32 l = 0; l < costs->size; l++)
	{
		SdcUnitCost *cost = &costs->cost[l];
		double		measure = 0;

		sdc_interrupts_spend(&search->credit, 1);
		*cost = none;
		if (!sdc_bitset_contains(edges, l))
			continue;
		cost->unlikely = conditions->likelihood == NULL ? 0 :
			-sdc_likelihood_log(conditions->likelihood, costs->member[l]);
		if (space->dimensions > 0)
			measure = sdc_metricspace_measure(space, point, conditions->coordinate +
											  (Size) conditions->place[costs->member[l]] * space->dimensions);
		cost->without = isinf(measure) ? 1 : 0;
		cost->measure = isinf(measure) ? 0 : measure;
	}
}

/*
 * bound computes what a unit costs at least, part by part; and the sum over the known rows of what each costs at least:
 * true if that is an assignment.
 */
static bool
bound(SdcUnitCosts *costs, SdcUnitCost *parts, SdcUnitCost *sum)
{
	bool		different = true;

	*parts = *sum = (SdcUnitCost) {0, 0, 0};
	memset(costs->reached, 0, (Size) costs->size * sizeof(bool));
	for (uint32 a = 0; a < costs->rows; a++)
	{
		SdcUnitCost least = none;
		uint32		best = 0;

		fill_row(costs, a);
		for (uint32 l = 0; l < costs->size; l++)
		{
			const SdcUnitCost *cost = &costs->cost[l];

			if (is_less(cost, &costs->cost[best]))
				best = l;
			least.unlikely = fmin(least.unlikely, cost->unlikely);
			least.without = fmin(least.without, cost->without);
			least.measure = fmin(least.measure, cost->measure);
		}
		different = different && !costs->reached[best];
		costs->reached[best] = true;
		add_cost(parts, &least, 1);
		add_cost(sum, &costs->cost[best], 1);
	}
	return different;
}

/* shorten shortens the paths to rows on the right by those that lead over a row on the left; it returns the nearest. */
static uint32
shorten(SdcUnitCosts *costs, uint32 from, uint32 row)
{
	uint32		nearest = costs->size;

	fill_row(costs, row);
	for (uint32 l = 0; l < costs->size; l++)
	{
		SdcUnitCost *path = &costs->cost[l];

		if (costs->reached[l])
			continue;
		if (!isinf(path->measure))
		{
			add_cost(path, &costs->left[row], -1);
			add_cost(path, &costs->right[l], -1);
			if (is_less(path, &costs->least[l]))
			{
				costs->least[l] = *path;
				costs->before[l] = from;
			}
		}
		if (nearest == costs->size || is_less(&costs->least[l], &costs->least[nearest]))
			nearest = l;
	}
	return nearest;
}

/* change_duals makes the path to a row on the right cost nothing. */
static void
change_duals(SdcUnitCosts *costs, const SdcUnitCost *length)
{
	SdcUnitCost by = *length;

	for (uint32 l = 0; l <= costs->size; l++)
	{
		if (costs->reached[l])
		{
			add_cost(&costs->left[costs->owner[l]], &by, 1);
			add_cost(&costs->right[l], &by, -1);
		}
		else if (!isinf(costs->least[l].measure))
			add_cost(&costs->least[l], &by, -1);
	}
}

/* assign_row gives one more row on the left one of its own: the right row size stands for that it has none. */
static void
assign_row(SdcUnitCosts *costs, uint32 row)
{
	uint32		at = costs->size;

	costs->owner[at] = row;
	for (uint32 l = 0; l <= costs->size; l++)
	{
		costs->least[l] = none;
		costs->reached[l] = false;
	}
	do
	{
		uint32		nearest;

		costs->reached[at] = true;
		nearest = shorten(costs, at, costs->owner[at]);
		SDC_ASSERT(nearest < costs->size && !isinf(costs->least[nearest].measure));
		change_duals(costs, &costs->least[nearest]);
		at = nearest;
	} while (costs->owner[at] != SDC_BIPARTITE_NONE);
	for (uint32 before; at != costs->size; at = before)
	{
		before = costs->before[at];
		costs->owner[at] = costs->owner[before];
	}
}

/* assign finds the assignment that costs least. */
static void
assign(SdcUnitCosts *costs, SdcUnitCost *cost)
{
	uint32	   *match = costs->before;

	for (uint32 l = 0; l <= costs->size; l++)
	{
		costs->left[l] = costs->right[l] = (SdcUnitCost) {0, 0, 0};
		costs->owner[l] = SDC_BIPARTITE_NONE;
	}
	for (uint32 row = 0; row < costs->rows; row++)
		assign_row(costs, row);
	for (uint32 l = 0; l < costs->size; l++)
		if (costs->owner[l] != SDC_BIPARTITE_NONE)
			match[costs->owner[l]] = l;
	*cost = (SdcUnitCost) {0, 0, 0};
	for (uint32 row = 0; row < costs->rows; row++)
	{
		fill_row(costs, row);
		add_cost(cost, &costs->cost[match[row]], 1);
	}
}

/* is_worse tells whether a cost of which every part is at least so much is more than the best one, and no tie. */
static bool
is_worse(const SdcUnitCost *parts, const SdcUnitCost *best)
{
	if (parts->unlikely > best->unlikely + SDC_LIKELIHOOD_TIE)
		return true;
	return parts->unlikely >= best->unlikely && parts->without >= best->without &&
		parts->measure > best->measure * SDC_METRICSPACE_TIE;
}

/* sdc_unitcosts_find: see unitcosts.h. */
bool
sdc_unitcosts_find(SdcUnitCosts *costs, uint32 other, const SdcUnitCost *best, SdcUnitCost *cost)
{
	const SdcUnits *units = costs->search->units;
	SdcUnitCost parts;

	costs->member = units->member + units->start[other];
	costs->size = sdc_units_size(units, other);
	need_work(costs, costs->size);
	(void) sdc_unitsearch_edges(costs->search, costs->unit, other);
	if (bound(costs, &parts, cost))
		return true;
	if (is_worse(&parts, best))
		return false;
	assign(costs, cost);
	return true;
}
