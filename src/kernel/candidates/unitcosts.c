/*-------------------------------------------------------------------------
 *
 * unitcosts.c
 *		How badly the rows that are known of a unit fit those of another one, paired as well as possible.
 *
 * An assignment problem.  It is solved by shortest augmenting paths (R. Jonker and A. Volgenant, "A shortest augmenting
 * path algorithm for dense and sparse linear assignment problems", Computing 38, 1987): rounds of augmenting row
 * reduction, and for each row still free a path by Dijkstra's algorithm.  Rows on the right can be more: those that no
 * row on the left has keep the price 0.  Costs are vectors in lexicographic order, which add and subtract as
 * numbers do.  The costs of a row are computed when they are needed: memory is O(rows).
 *
 * Before that bounds are computed: the distances of the known rows to the box around those of the unit, and the sum
 * over the known rows of the least cost of each.  Where these are those of different rows they are the assignment, and
 * what is worse than the best so far is left.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include <math.h>

#include "kernel/candidates/unitcosts.h"

/* Rounds of row reduction, and the steps of a round, in multiples of the rows. */
#define REDUCTIONS 3
#define REDUCTION_STEPS 4

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
	double	   *box;			/* by unit and dimension: the least coordinate of a protected row, and the largest */
	const uint32 *member;		/* the rows of the unit at work */
	uint32		size;

	/* by row on the right */
	uint32		room;
	SdcUnitCost *price;			/* the dual variable */
	SdcUnitCost *path;			/* the shortest path so far */
	SdcUnitCost *cost;			/* of the row at work */
	uint32	   *owner;			/* the row on the left that has it, or none */
	uint32	   *before;			/* the row on the left before it on that path, */
	bool	   *reached;		/* which is final */

	/* by row on the left */
	uint32	   *match;			/* the row on the right that it has, or none */
	uint32	   *list;			/* rows without one */
};

/* What no pair costs. */
static const SdcUnitCost none = {INFINITY, INFINITY, INFINITY};

/* extend has a box reach to a point, or everywhere where that has no coordinate, or one that is a code. */
static void
extend(const SdcMetricSpace *space, double *box, const double *point)
{
	for (int d = 0; d < space->dimensions; d++)
	{
		bool		anywhere = space->nominal[d] || isnan(point[d]);

		box[2 * d] = fmin(box[2 * d], anywhere ? -INFINITY : point[d]);
		box[2 * d + 1] = fmax(box[2 * d + 1], anywhere ? INFINITY : point[d]);
	}
}

/* make_boxes finds where the protected rows of each unit are. */
static void
make_boxes(SdcUnitCosts *costs)
{
	SdcUnitSearch *search = costs->search;
	const SdcConditions *conditions = search->conditions;
	const SdcUnits *units = search->units;
	Size		dimensions = (Size) conditions->space->dimensions;
	Size		bounds = 2 * dimensions;

	costs->box = sdc_alloc_matrix(double, units->count, bounds);
	for (uint32 u = 0; u < units->count; u++)
	{
		double	   *box = costs->box + u * bounds;

		for (Size d = 0; d < dimensions; d++)
		{
			box[2 * d] = INFINITY;
			box[2 * d + 1] = -INFINITY;
		}
		sdc_interrupts_spend(&search->credit, sdc_units_size(units, u));
		for (uint32 i = units->start[u]; i < units->start[u + 1]; i++)
			extend(conditions->space, box, conditions->coordinate + conditions->place[units->member[i]] * dimensions);
	}
}

/* sdc_unitcosts_create: see unitcosts.h. */
SdcUnitCosts *
sdc_unitcosts_create(SdcUnitSearch *search)
{
	SdcUnitCosts *costs = sdc_alloc_zeros(SdcUnitCosts, 1);

	costs->search = search;
	costs->place = sdc_alloc_array(double, search->conditions->space->dimensions);
	if (search->conditions->space->dimensions > 0 && search->conditions->likelihood == NULL)
		make_boxes(costs);
	return costs;
}

/* free_work frees what belongs to rows on the right. */
static void
free_work(SdcUnitCosts *costs)
{
	if (costs->room == 0)
		return;
	sdc_free(costs->list);
	sdc_free(costs->match);
	sdc_free(costs->reached);
	sdc_free(costs->before);
	sdc_free(costs->owner);
	sdc_free(costs->cost);
	sdc_free(costs->path);
	sdc_free(costs->price);
	costs->room = 0;
}

/* sdc_unitcosts_destroy frees it. */
void
sdc_unitcosts_destroy(SdcUnitCosts *costs)
{
	free_work(costs);
	if (costs->box != NULL)
		sdc_free(costs->box);
	if (costs->point != NULL)
		sdc_free(costs->point);
	sdc_free(costs->place);
	sdc_free(costs);
}

/* need_work has room for so many rows on the right, and as many on the left at most. */
static void
need_work(SdcUnitCosts *costs, uint32 rows)
{
	if (rows <= costs->room)
		return;
	free_work(costs);
	costs->room = rows;
	costs->price = sdc_alloc_array(SdcUnitCost, rows);
	costs->path = sdc_alloc_array(SdcUnitCost, rows);
	costs->cost = sdc_alloc_array(SdcUnitCost, rows);
	costs->owner = sdc_alloc_array(uint32, rows);
	costs->before = sdc_alloc_array(uint32, rows);
	costs->reached = sdc_alloc_array(bool, rows);
	costs->match = sdc_alloc_array(uint32, rows);
	costs->list = sdc_alloc_array(uint32, rows);
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

/* less_price lowers the cost of every pair of the row at work by the price of the row on the right. */
static void
less_price(SdcUnitCosts *costs)
{
	for (uint32 l = 0; l < costs->size; l++)
		if (!isinf(costs->cost[l].measure))
			add_cost(&costs->cost[l], &costs->price[l], -1);
}

/* give gives a row on the left one on the right, and returns the row that had it, or none. */
static uint32
give(SdcUnitCosts *costs, uint32 row, uint32 right)
{
	uint32		had = costs->owner[right];

	costs->owner[right] = row;
	costs->match[row] = right;
	if (had != SDC_BIPARTITE_NONE)
		costs->match[had] = SDC_BIPARTITE_NONE;
	return had;
}

/*
 * reduce_row gives a row the one on the right that costs least, and lowers its price as far as it stays the best.  It
 * returns the row that had it, or none; changed tells whether the price is another one.
 */
static uint32
reduce_row(SdcUnitCosts *costs, uint32 row, bool *changed)
{
	uint32		best = 0;
	uint32		second = SDC_BIPARTITE_NONE;

	fill_row(costs, row);
	less_price(costs);
	for (uint32 l = 1; l < costs->size; l++)
		if (is_less(&costs->cost[l], &costs->cost[best]))
		{
			second = best;
			best = l;
		}
		else if (second == SDC_BIPARTITE_NONE || is_less(&costs->cost[l], &costs->cost[second]))
			second = l;
	*changed = second != SDC_BIPARTITE_NONE && !isinf(costs->cost[second].measure) &&
		is_less(&costs->cost[best], &costs->cost[second]);
	if (*changed && costs->owner[best] != SDC_BIPARTITE_NONE)
	{
		add_cost(&costs->price[best], &costs->cost[best], 1);
		add_cost(&costs->price[best], &costs->cost[second], -1);
	}
	else if (second != SDC_BIPARTITE_NONE && costs->owner[best] != SDC_BIPARTITE_NONE &&
			 costs->owner[second] == SDC_BIPARTITE_NONE && !is_less(&costs->cost[best], &costs->cost[second]) &&
			 !isinf(costs->cost[second].measure))
		best = second;
	return give(costs, row, best);
}

/* reduce_rows gives most rows one, in rounds, and returns how many are left in the list. */
static uint32
reduce_rows(SdcUnitCosts *costs)
{
	uint32		left = costs->rows;

	for (uint32 row = 0; row < left; row++)
		costs->list[row] = row;
	for (int round = 0; round < REDUCTIONS && left > 0; round++)
	{
		uint64		steps = REDUCTION_STEPS * (uint64) costs->rows;
		uint32		kept = 0;

		for (uint32 i = 0; i < left; i++)
		{
			uint32		row = costs->list[i];
			bool		changed = true;

			while (row != SDC_BIPARTITE_NONE && changed && steps > 0)
			{
				row = reduce_row(costs, row, &changed);
				steps--;
			}
			if (row != SDC_BIPARTITE_NONE)
				costs->list[kept++] = row;
		}
		left = kept;
	}
	return left;
}

/* nearest_path returns the row on the right with the shortest path that is not final. */
static uint32
nearest_path(const SdcUnitCosts *costs)
{
	uint32		nearest = SDC_BIPARTITE_NONE;

	for (uint32 l = 0; l < costs->size; l++)
		if (!costs->reached[l] &&
			(nearest == SDC_BIPARTITE_NONE || is_less(&costs->path[l], &costs->path[nearest])))
			nearest = l;
	SDC_ASSERT(nearest != SDC_BIPARTITE_NONE && !isinf(costs->path[nearest].measure));
	return nearest;
}

/* go_on shortens paths by those that lead over a row on the right, and the one that has it. */
static void
go_on(SdcUnitCosts *costs, uint32 right)
{
	uint32		row = costs->owner[right];
	SdcUnitCost so_far = costs->path[right];

	fill_row(costs, row);
	less_price(costs);
	add_cost(&so_far, &costs->cost[right], -1);
	for (uint32 l = 0; l < costs->size; l++)
	{
		SdcUnitCost *path = &costs->cost[l];

		if (costs->reached[l] || isinf(path->measure))
			continue;
		add_cost(path, &so_far, 1);
		if (!is_less(path, &costs->path[l]))
			continue;
		costs->path[l] = *path;
		costs->before[l] = row;
	}
}

/* assign_row gives one more row one on the right, by a shortest path to one that is free. */
static void
assign_row(SdcUnitCosts *costs, uint32 row)
{
	uint32		at;

	fill_row(costs, row);
	less_price(costs);
	memcpy(costs->path, costs->cost, (Size) costs->size * sizeof(SdcUnitCost));
	memset(costs->reached, 0, (Size) costs->size * sizeof(bool));
	for (uint32 l = 0; l < costs->size; l++)
		costs->before[l] = row;
	for (at = nearest_path(costs); costs->owner[at] != SDC_BIPARTITE_NONE; at = nearest_path(costs))
	{
		costs->reached[at] = true;
		go_on(costs, at);
	}
	for (uint32 l = 0; l < costs->size; l++)
		if (costs->reached[l])
		{
			add_cost(&costs->price[l], &costs->path[l], 1);
			add_cost(&costs->price[l], &costs->path[at], -1);
		}
	for (uint32 from = SDC_BIPARTITE_NONE; from != row;)
	{
		uint32		next;

		from = costs->before[at];
		next = costs->match[from];
		costs->owner[at] = from;
		costs->match[from] = at;
		at = next;
	}
}

/* assign finds the assignment that costs least. */
static void
assign(SdcUnitCosts *costs, SdcUnitCost *cost)
{
	uint32		left;

	for (uint32 l = 0; l < costs->size; l++)
	{
		costs->price[l] = (SdcUnitCost) {0, 0, 0};
		costs->owner[l] = SDC_BIPARTITE_NONE;
	}
	for (uint32 row = 0; row < costs->rows; row++)
		costs->match[row] = SDC_BIPARTITE_NONE;
	left = reduce_rows(costs);
	for (uint32 i = 0; i < left; i++)
		assign_row(costs, costs->list[i]);
	*cost = (SdcUnitCost) {0, 0, 0};
	for (uint32 row = 0; row < costs->rows; row++)
	{
		fill_row(costs, row);
		add_cost(cost, &costs->cost[costs->match[row]], 1);
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

/*
 * sdc_unitcosts_least: see unitcosts.h.  It adds as a measure does (metricspace.h), so that rounding keeps the order; a
 * coordinate that is missing adds nothing, and then the measure only is larger for it.
 */
double
sdc_unitcosts_least(const SdcUnitCosts *costs, uint32 other)
{
	const SdcMetricSpace *space = costs->search->conditions->space;
	const double *point = costs->point;
	const double *box;
	double		least = 0;

	if (costs->box == NULL)
		return 0;
	box = costs->box + (Size) other * 2 * (Size) space->dimensions;
	sdc_interrupts_spend(&costs->search->credit, costs->rows);
	for (uint32 a = 0; a < costs->rows; a++, point += space->dimensions)
	{
		double		measure = 0;

		for (int d = 0; d < space->dimensions; d++)
		{
			double		outside = fmax(fmax(box[2 * d] - point[d], point[d] - box[2 * d + 1]), 0);

			measure += space->squared ? outside * outside : outside;
		}
		least += measure;
	}
	return least;
}

/* sdc_unitcosts_find: see unitcosts.h. */
bool
sdc_unitcosts_find(SdcUnitCosts *costs, uint32 other, const SdcUnitCost *best, SdcUnitCost *cost)
{
	const SdcUnits *units = costs->search->units;
	SdcUnitCost parts = {0, 0, cost->measure};

	if (costs->box != NULL && is_worse(&parts, best))
		return false;
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
