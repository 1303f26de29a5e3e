/*-------------------------------------------------------------------------
 *
 * nearprefix.c
 *		Distance based record linkage with the first 1, 2, ... attributes known.
 *
 * The results are those of sdc_nearest_run for every number of attributes, at about the cost of
 * the most expensive one.  The spaces share their dimensions: each one begins with those of
 * the one before.  So points are collected once, and trees are searched for several prefixes
 * of the dimensions at once (nearquery.h).
 *
 * A tree is good for the prefixes from the one that its points are ordered by to the next few.
 * Work is done in levels: one for a low prefix plants a forest ordered by it, and finds the nearest by
 * this and the next ones.  Where records are near, all further prefixes are an attempt
 * with few steps: a record whose own protected one is near by all dimensions has few
 * others within that distance by some of them.  Whether the attempt is worth while is learnt from
 * the queries before, which are neighbours in space.
 *
 * By few dimensions many records can be equal, which are different points by all of them.
 * Queries that are, or that come across too many points that are, are left to sdc_nearest_run
 * for the prefix of the level, since it takes equal records together, and go on with the next
 * one.  One dimension has an order, and needs no tree.
 *
 * With missing values the same holds: limits are kept prefix by prefix.  Where spaces do
 * not share their dimensions (mahalanobis) every number of attributes is a run of its own.
 *
 * Complexity: that of the most expensive run, times a small factor; with ties at most that of
 * all runs.  Memory: about 100 bytes a record and what a tree takes.  Determinism: results by definition, the
 * order of their calls by the input.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include <math.h>

#include "kernel/distance/nearprefix.h"
#include "kernel/distance/nearquery.h"

/* Queries whose coordinates are gathered at a time. */
#define GATHERED 256

/* Records of a query whose own records are tried. */
#define HINTED_RECORDS 4

/* More neighbouring queries than that are not searched for one by one if they are equal. */
#define EQUAL_QUERIES 8

/* Of so many queries of a level one must be different, or trees for them are not worth while. */
#define FEW_QUERIES 16

/* Visits after which a query gives up, since there must be many equal points near. */
#define VISITS 1024

/*
 * Steps of an attempt to find the nearest by all prefixes at once, on average: they cost about as
 * much as a level.  What one attempt leaves others can spend, up to so many at once.
 */
#define ATTEMPT_STEPS 64
#define ATTEMPT_MOST 4096

/* When all is spent attempts are rare: one in so many queries. */
#define RARELY 64

#define NONE SDC_NEARPOINTS_NONE

typedef struct Prefixes
{
	/* set once */
	const SdcMetricSpace *const *spaces;
	const SdcMetricSpace *full;	/* the last one */
	int			count;			/* of attributes */
	int		   *known;			/* by dimensions: the least number of attributes that has them */
	const uint32 *record;		/* originals, as given */
	uint32		records;
	SdcTeam    *team;
	SdcNearprefixResult result;
	void	   *arg;

	/* points by all dimensions */
	SdcNearpoints protected;
	uint32	   *point_of;		/* of every protected record, or NONE; NULL: each is one */
	SdcNearpoints originals;
	uint32	   *query_of;		/* of every index of record[], or NONE; NULL: each is one, */
	uint32	   *next;			/* the next index of the same query, or NONE; and there is none */

	/* by query */
	uint16	   *done;			/* dimensions up to which it is answered */
	uint32	   *hint;			/* a record that was near then, or NONE */

	/* the level at work */
	int			low;
	int			high;			/* prefixes up to this are searched for together */
	SdcNearforest *forest;
	SdcNearquery *query;
	uint32		bank;			/* steps that attempts have left */
	uint32		skipped;		/* queries without an attempt */
	uint32		near_low;		/* places near the query before, or NONE */
	uint32		near_high;

	SdcLink    *found;			/* room for the results of a query, by prefix */
	bool	   *correct;
} Prefixes;

/* first_of is the first original record of a query. */
static inline uint32
first_of(const Prefixes *prefixes, uint32 query)
{
	return sdc_record_at(prefixes->record, sdc_nearpoints_first(&prefixes->originals, query));
}

/* point_at is the point of a protected record, or NONE. */
static inline uint32
point_at(const Prefixes *prefixes, uint32 record)
{
	return prefixes->point_of != NULL ? prefixes->point_of[record] : record;
}

/* own_point is the point of the own protected record of an index. */
static inline uint32
own_point(const Prefixes *prefixes, uint32 index)
{
	return point_at(prefixes, sdc_record_at(prefixes->record, index));
}

/* query_at is the query of an index, or NONE. */
static inline uint32
query_at(const Prefixes *prefixes, uint32 index)
{
	return prefixes->query_of != NULL ? prefixes->query_of[index] : index;
}

/* next_index is the next index of the same query, or NONE. */
static inline uint32
next_index(const Prefixes *prefixes, uint32 index)
{
	return prefixes->next != NULL ? prefixes->next[index] : NONE;
}

/* level_high is the greatest prefix for which a forest ordered by a low one is good. */
static int
level_high(const Prefixes *prefixes, int low)
{
	int			high = low + (low + 1) / 2;

	/* one more that would be left over is no level of its own */
	return high + 1 >= prefixes->full->dimensions ? prefixes->full->dimensions : high;
}

/* emit reports the link of an index for all numbers of attributes with so many dimensions. */
static void
emit(const Prefixes *prefixes, uint32 index, int dimensions, const SdcLink *link)
{
	for (int k = prefixes->known[dimensions]; k < prefixes->known[dimensions + 1]; k++)
		prefixes->result(prefixes->arg, k, index, link);
}

/* share_dimensions tells whether each space begins with the dimensions of the one before. */
static bool
share_dimensions(const SdcMetricSpace *const *spaces, int count)
{
	const SdcMetricSpace *full = spaces[count - 1];

	for (int k = 0; k < count; k++)
	{
		const SdcMetricSpace *space = spaces[k];

		if (space->factor != NULL || space->metric != full->metric ||
			space->dimensions > full->dimensions ||
			space->dimensions > (k == 0 ? 0 : spaces[k - 1]->dimensions) + 1)
			return false;
		for (int d = 0; d < space->dimensions; d++)
			if (space->attribute[d] != full->attribute[d] ||
				space->nominal[d] != full->nominal[d] ||
				space->center[d] != full->center[d] || space->scale[d] != full->scale[d])
				return false;
	}
	return true;
}

/* run_each is for spaces that do not share their dimensions. */
static void
run_each(const SdcMetricSpace *const *spaces, int count, const uint32 *record, uint32 records,
		 SdcTeam *team, SdcNearprefixResult result, void *arg)
{
	SdcLink    *link = sdc_alloc_array(SdcLink, records);

	for (uint32 i = 0; i < records; i++)
		link[i].linked = SDC_RECORD_NONE;
	for (int k = 1; k <= count; k++)
	{
		/* the links by one attribute less are where the search begins */
		sdc_nearest_run(spaces[k - 1], record, records, team, link);
		for (uint32 i = 0; i < records; i++)
		{
			sdc_interrupts_step(i);
			result(arg, k, i, &link[i]);
		}
	}
	sdc_free(link);
}

/* Protected records by the code of the first dimension. */
typedef struct Line
{
	uint32		count;			/* of codes that records have */
	double	   *x;				/* their coordinates, ascending */
	uint32	   *first;			/* the first record */
	uint32	   *multiplicity;	/* how many there are */
	uint32	   *below;			/* by code, and for one more: codes below it that records have */
} Line;

/* draw_line puts the protected records on a line. */
static void
draw_line(const Prefixes *prefixes, Line *line)
{
	const SdcPairColumn *column = &prefixes->full->pairs->column[prefixes->full->attribute[0]];
	Size		codes = column->codes;

	line->x = sdc_alloc_array(double, codes);
	line->first = sdc_alloc_array(uint32, codes);
	line->multiplicity = sdc_alloc_zeros(uint32, codes);
	line->below = sdc_alloc_array(uint32, codes + 1);
	for (uint32 p = 0; p < prefixes->protected.count; p++)
	{
		double		x = sdc_nearpoints_coordinate(&prefixes->protected, 0, p);
		uint32		first = sdc_nearpoints_first(&prefixes->protected, p);
		uint32		code = column->protected[first];

		sdc_interrupts_step(p);
		if (x != x)
			continue;
		if (line->multiplicity[code] == 0 || first < line->first[code])
			line->first[code] = first;
		line->x[code] = x;
		line->multiplicity[code] += sdc_nearpoints_multiplicity(&prefixes->protected, p);
	}
	line->count = 0;
	for (uint32 code = 0; code < codes; code++)
	{
		uint32		to = line->count;

		sdc_interrupts_step(code);
		line->below[code] = to;
		if (line->multiplicity[code] == 0)
			continue;
		line->x[to] = line->x[code];
		line->first[to] = line->first[code];
		line->multiplicity[to] = line->multiplicity[code];
		line->count++;
	}
	line->below[codes] = line->count;
}

/* erase_line frees a line. */
static void
erase_line(Line *line)
{
	sdc_free(line->below);
	sdc_free(line->multiplicity);
	sdc_free(line->first);
	sdc_free(line->x);
}

/* measure_one is the measure in one dimension, as sdc_metricspace_measure has it. */
static inline double
measure_one(const SdcMetricSpace *space, double a, double b)
{
	double		difference = a - b;

	if (difference != difference)
		return INFINITY;
	if (space->nominal[0])
		return difference != 0;
	return space->squared ? difference * difference : fabs(difference);
}

/* link_line finds the nearest to a coordinate among all, or among some codes that hold them. */
static double
link_line(const Prefixes *prefixes, const Line *line, double x, uint32 at, SdcLink *link)
{
	const SdcMetricSpace *space = prefixes->spaces[prefixes->known[1] - 1];
	double		least = INFINITY;
	uint32		start = at;
	uint32		end = at;

	link->linked = SDC_RECORD_NONE;
	link->ties = 0;
	link->distance = 0;
	if (at < line->count)
		least = measure_one(space, x, line->x[at]);
	if (at > 0)
		least = fmin(least, measure_one(space, x, line->x[at - 1]));

	/* a line of codes has no direction: where no record has the same, all are as near */
	while (start > 0 && measure_one(space, x, line->x[start - 1]) <= least * SDC_METRICSPACE_TIE)
		start--;
	while (end < line->count && measure_one(space, x, line->x[end]) <= least * SDC_METRICSPACE_TIE)
		end++;
	for (uint32 i = start; i < end; i++)
	{
		sdc_interrupts_step(i - start);
		link->ties += line->multiplicity[i];
		link->linked = line->first[i] < link->linked ? line->first[i] : link->linked;
	}
	link->candidates = link->ties;
	if (link->ties > 0)
		link->distance = sdc_metricspace_distance(space, least);
	return least;
}

/* emit_line reports the link by the first dimension for all records of a query. */
static void
emit_line(Prefixes *prefixes, uint32 query, double least, SdcLink *link)
{
	double		x = sdc_nearpoints_coordinate(&prefixes->originals, 0, query);
	uint32		step = 0;

	for (uint32 i = sdc_nearpoints_first(&prefixes->originals, query); i != NONE; i = next_index(prefixes, i))
	{
		uint32		own = own_point(prefixes, i);

		sdc_interrupts_step(step++);
		link->correct = link->ties > 0 && own != NONE &&
			measure_one(prefixes->full, x, sdc_nearpoints_coordinate(&prefixes->protected, 0, own)) <=
			least * SDC_METRICSPACE_TIE;
		emit(prefixes, i, 1, link);
	}
	prefixes->done[query] = 1;
	prefixes->hint[query] = link->linked;
}

/* order_queries sorts queries by the code of their first dimension, missing ones last. */
static void
order_queries(const Prefixes *prefixes, uint32 *order)
{
	const SdcPairColumn *column = &prefixes->full->pairs->column[prefixes->full->attribute[0]];
	uint32	   *below = sdc_alloc_zeros(uint32, (Size) column->codes + 2);

	for (int pass = 0; pass < 2; pass++)
	{
		for (uint32 q = 0; q < prefixes->originals.count; q++)
		{
			uint32		code = column->original[first_of(prefixes, q)];

			sdc_interrupts_step(q);
			code = code == SDC_CODE_NULL ? column->codes : code;
			if (pass == 0)
				below[code + 1]++;
			else
				order[below[code]++] = q;
		}
		for (uint32 code = 0; pass == 0 && code <= column->codes; code++)
			below[code + 1] += below[code];
	}
	sdc_free(below);
}

/* answer_line answers all queries by the first dimension; equal ones share what is found. */
static void
answer_line(Prefixes *prefixes)
{
	const SdcPairColumn *column = &prefixes->full->pairs->column[prefixes->full->attribute[0]];
	uint32	   *order = sdc_alloc_array(uint32, prefixes->originals.count);
	SdcLink		none = {.linked = SDC_RECORD_NONE};
	SdcLink		link = none;
	double		least = INFINITY;
	uint32		before = SDC_CODE_NULL;
	Line		line;

	draw_line(prefixes, &line);
	order_queries(prefixes, order);
	for (uint32 i = 0; i < prefixes->originals.count; i++)
	{
		uint32		query = order[i];
		double		x = sdc_nearpoints_coordinate(&prefixes->originals, 0, query);
		uint32		code = column->original[first_of(prefixes, query)];

		sdc_interrupts_step(i);
		if (x != x)
			link = none;
		else if (code != before)
		{
			/* a code that a record has is the first of those not below it */
			uint32		at = line.below[code];

			least = link_line(prefixes, &line, x, at, &link);
		}
		before = x != x ? SDC_CODE_NULL : code;
		emit_line(prefixes, query, least, &link);
	}
	erase_line(&line);
	sdc_free(order);
}

/* try_places lets the search for a query start from points that are probably near. */
static void
try_places(Prefixes *prefixes, uint32 query)
{
	const uint32 *place = prefixes->forest->place;
	uint32		hint = prefixes->hint[query];
	int			tried = 0;

	sdc_nearquery_try(prefixes->query, prefixes->near_low);
	if (prefixes->near_high != prefixes->near_low)
		sdc_nearquery_try(prefixes->query, prefixes->near_high);
	if (hint != SDC_RECORD_NONE)
		sdc_nearquery_try(prefixes->query, place[point_at(prefixes, hint)]);
	for (uint32 i = sdc_nearpoints_first(&prefixes->originals, query); i != NONE && tried < HINTED_RECORDS;
		 i = next_index(prefixes, i), tried++)
		if (own_point(prefixes, i) != NONE)
			sdc_nearquery_try(prefixes->query, place[own_point(prefixes, i)]);
}

/* report_query reports what was found up to a prefix. */
static void
report_query(Prefixes *prefixes, uint32 query, int reached)
{
	int			low = prefixes->low;
	uint32		step = 0;

	for (int c = low; c <= reached; c++)
		sdc_nearquery_link(prefixes->query, c, prefixes->spaces[prefixes->known[c] - 1],
						   &prefixes->found[c - low]);
	for (uint32 i = sdc_nearpoints_first(&prefixes->originals, query); i != NONE; i = next_index(prefixes, i))
	{
		uint32		own = own_point(prefixes, i);

		sdc_interrupts_step(step++);
		sdc_nearquery_correct(prefixes->query, own != NONE ? prefixes->forest->place[own] : NONE,
							  reached, prefixes->correct);
		for (int c = low; c <= reached; c++)
		{
			prefixes->found[c - low].correct = prefixes->correct[c - low];
			emit(prefixes, i, c, &prefixes->found[c - low]);
		}
	}
	prefixes->done[query] = (uint16) reached;
	prefixes->hint[query] = prefixes->found[reached - low].linked;
	prefixes->near_low = sdc_nearquery_nearest(prefixes->query, low);
	prefixes->near_high = sdc_nearquery_nearest(prefixes->query, reached);
}

/* answer_query searches by the prefixes of the level, and perhaps by all, for a query that has so many coordinates. */
static void
answer_query(Prefixes *prefixes, uint32 query, double *coordinate, int gathered)
{
	int			all = prefixes->full->dimensions;
	bool		attempt = prefixes->high < all &&
		(prefixes->bank > 0 || ++prefixes->skipped % RARELY == 0);
	uint32		steps = ATTEMPT_STEPS + prefixes->bank;
	int			reached;

	if (attempt && gathered < all)
		sdc_nearpoints_gather(&prefixes->originals, all, &query, 1, coordinate);
	sdc_nearquery_start(prefixes->query, coordinate, prefixes->low,
						attempt ? all : prefixes->high);
	try_places(prefixes, query);
	reached = sdc_nearquery_search(prefixes->query, prefixes->high, attempt ? &steps : NULL,
								   VISITS);
	if (attempt)
		prefixes->bank = reached < all ? 0 : steps < ATTEMPT_MOST ? steps : ATTEMPT_MOST;
	if (reached >= prefixes->low)
		report_query(prefixes, query, reached);
}

/* answer_trees answers queries that are different, if it can. */
static void
answer_trees(Prefixes *prefixes, const uint32 *order, uint32 count)
{
	int			dimensions = prefixes->full->dimensions;
	double	   *point = sdc_alloc_matrix(double, GATHERED, dimensions);

	prefixes->forest = sdc_nearforest_create(&prefixes->protected, prefixes->low, prefixes->team);
	prefixes->query = sdc_nearquery_create(prefixes->forest);
	prefixes->bank = ATTEMPT_MOST / 4;
	prefixes->skipped = 0;
	prefixes->near_low = prefixes->near_high = NONE;
	for (uint32 start = 0, end; start < count; start = end)
	{
		/* without attempts the coordinates of the level will do */
		int			gathered = prefixes->bank > 0 ? dimensions : prefixes->high;

		end = count - start < GATHERED ? count : start + GATHERED;
		SDC_CHECK_INTERRUPTS();
		sdc_nearpoints_gather(&prefixes->originals, gathered, order + start, end - start, point);
		for (uint32 i = start; i < end; i++)
			answer_query(prefixes, order[i], point + (Size) (i - start) * dimensions, gathered);
	}
	sdc_nearquery_destroy(prefixes->query);
	sdc_nearforest_destroy(prefixes->forest);
	sdc_free(point);
}

/* same_query compares queries by the prefix of the level. */
static bool
same_query(const Prefixes *prefixes, uint32 a, uint32 b)
{
	for (int d = 0; d < prefixes->low; d++)
	{
		double		x = sdc_nearpoints_coordinate(&prefixes->originals, d, a);
		double		y = sdc_nearpoints_coordinate(&prefixes->originals, d, b);

		if (x != y && (x == x || y == y))
			return false;
	}
	return true;
}

/*
 * drop_equal leaves in order[] the queries that are not among many equal ones next to each other,
 * and returns their number.
 */
static uint32
drop_equal(const Prefixes *prefixes, uint32 *order, uint32 count)
{
	uint32		kept = 0;

	for (uint32 start = 0, end; start < count; start = end)
	{
		end = start + 1;
		while (end < count && same_query(prefixes, order[start], order[end]))
		{
			sdc_interrupts_step(end);
			end++;
		}
		if (start % (SDC_INTERRUPT_STEPS / 4) == 0)
			SDC_CHECK_INTERRUPTS();
		if (end - start <= EQUAL_QUERIES)
			for (uint32 i = start; i < end; i++)
				order[kept++] = order[i];
	}
	return kept;
}

/* answer_rest answers the queries of a level that are left, by its low prefix alone. */
static void
answer_rest(Prefixes *prefixes)
{
	int			low = prefixes->low;
	uint32	   *index = sdc_alloc_array(uint32, prefixes->records);
	uint32	   *record = sdc_alloc_array(uint32, prefixes->records);
	SdcLink    *link;
	uint32		count = 0;

	for (uint32 i = 0; i < prefixes->records; i++)
	{
		uint32		query = query_at(prefixes, i);

		sdc_interrupts_step(i);
		if (query == NONE || prefixes->done[query] >= low)
			continue;
		index[count] = i;
		record[count++] = sdc_record_at(prefixes->record, i);
	}
	link = sdc_alloc_array(SdcLink, count);
	for (uint32 i = 0; i < count; i++)
		link[i].linked = prefixes->hint[query_at(prefixes, index[i])];
	if (sdc_team_most(prefixes->team, count) > 0)
		sdc_nearest_run_lean(prefixes->spaces[prefixes->known[low] - 1], record, count, prefixes->team, link);
	for (uint32 i = 0; i < count; i++)
	{
		uint32		query = query_at(prefixes, index[i]);

		sdc_interrupts_step(i);
		emit(prefixes, index[i], low, &link[i]);
		prefixes->done[query] = (uint16) low;
		prefixes->hint[query] = link[i].linked;
	}
	sdc_free(link);
	sdc_free(record);
	sdc_free(index);
}

/*
 * answer_level takes the queries that are answered up to the prefix before one, and returns the
 * least prefix that some query needs next.
 */
static int
answer_level(Prefixes *prefixes, int low)
{
	uint32		queries = prefixes->originals.count;
	uint32	   *order = sdc_alloc_array(uint32, queries);
	uint32		count = 0;
	uint32		different;
	int			next = prefixes->full->dimensions + 1;

	prefixes->low = low;
	prefixes->high = level_high(prefixes, low);
	for (uint32 q = 0; q < queries; q++)
	{
		sdc_interrupts_step(q);
		if (prefixes->done[q] < low)
			order[count++] = q;
	}
	sdc_nearpoints_order(&prefixes->originals, low, order, count);
	different = drop_equal(prefixes, order, count);
	if (sdc_team_sum(prefixes->team, different) > sdc_team_sum(prefixes->team, count) / FEW_QUERIES)
		answer_trees(prefixes, order, different);
	sdc_free(order);
	answer_rest(prefixes);
	for (uint32 q = 0; q < queries; q++)
	{
		sdc_interrupts_step(q);
		next = prefixes->done[q] < next ? prefixes->done[q] + 1 : next;
	}
	return (int) sdc_team_least(prefixes->team, (uint64) next);
}

/* emit_lost reports records that have no coordinate, and prefixes without a dimension. */
static void
emit_lost(const Prefixes *prefixes)
{
	uint32		all = prefixes->full->pairs->records;
	SdcLink		none = {.linked = SDC_RECORD_NONE};
	SdcLink		same = {0, 0, all, all, true};

	for (uint32 i = 0; i < prefixes->records; i++)
	{
		sdc_interrupts_step(i);
		emit(prefixes, i, 0, &same);
		if (query_at(prefixes, i) == NONE)
			for (int c = 1; c <= prefixes->full->dimensions; c++)
				emit(prefixes, i, c, &none);
	}
}

/* give_up frees an array, if there is one. */
static void
give_up(uint32 **array)
{
	if (*array != NULL)
		sdc_free(*array);
	*array = NULL;
}

/* start_prefixes collects the points, and allocates the rest. */
static void
start_prefixes(Prefixes *prefixes)
{
	const SdcMetricSpace *full = prefixes->full;
	int			dimensions = full->dimensions;
	Size		records = prefixes->records;
	int			c = 0;

	prefixes->known = sdc_alloc_array(int, dimensions + 2);
	for (int k = 1; k <= prefixes->count; k++)
		while (c <= prefixes->spaces[k - 1]->dimensions)
			prefixes->known[c++] = k;
	prefixes->known[c] = prefixes->count + 1;
	SDC_ASSERT(c == dimensions + 1);

	prefixes->point_of = sdc_alloc_array(uint32, full->pairs->records);
	sdc_nearpoints_collect(full, false, NULL, full->pairs->records, false, &prefixes->protected,
						   prefixes->point_of);
	if (prefixes->protected.first == NULL)
		give_up(&prefixes->point_of);
	prefixes->query_of = sdc_alloc_array(uint32, records);
	sdc_nearpoints_collect(full, true, prefixes->record, prefixes->records, false,
						   &prefixes->originals, prefixes->query_of);
	if (prefixes->originals.first == NULL)
		give_up(&prefixes->query_of);
	else
	{
		prefixes->next = sdc_alloc_array(uint32, records);
		sdc_nearpoints_chain(&prefixes->originals, prefixes->records, prefixes->query_of,
							 prefixes->next);
	}
	prefixes->done = sdc_alloc_array(uint16, prefixes->originals.count);
	prefixes->hint = sdc_alloc_array(uint32, prefixes->originals.count);
	prefixes->found = sdc_alloc_array(SdcLink, dimensions);
	prefixes->correct = sdc_alloc_array(bool, dimensions);
}

/* end_prefixes frees what start_prefixes allocated. */
static void
end_prefixes(Prefixes *prefixes)
{
	sdc_free(prefixes->correct);
	sdc_free(prefixes->found);
	sdc_free(prefixes->hint);
	sdc_free(prefixes->done);
	sdc_nearpoints_free(&prefixes->originals);
	sdc_nearpoints_free(&prefixes->protected);
	give_up(&prefixes->next);
	give_up(&prefixes->query_of);
	give_up(&prefixes->point_of);
	sdc_free(prefixes->known);
}

/* sdc_nearprefix_run: see nearprefix.h. */
void
sdc_nearprefix_run(const SdcMetricSpace *const *spaces, int count, const uint32 *record,
				   uint32 records, SdcTeam *team, SdcNearprefixResult result, void *arg)
{
	Prefixes	prefixes = {.spaces = spaces, .count = count, .record = record,
	.records = records, .team = team, .result = result, .arg = arg};

	if (count == 0 || (team == NULL && records == 0))
		return;
	if (!share_dimensions(spaces, count))
	{
		run_each(spaces, count, record, records, team, result, arg);
		return;
	}
	prefixes.full = spaces[count - 1];
	start_prefixes(&prefixes);
	emit_lost(&prefixes);
	if (prefixes.full->dimensions > 0)
		answer_line(&prefixes);
	for (int low = 2; low <= prefixes.full->dimensions;)
		low = answer_level(&prefixes, low);
	end_prefixes(&prefixes);
}

/* sdc_nearprefix_team_memory: a forest, whose arrays are aligned, or a number of each member. */
uint64
sdc_nearprefix_team_memory(uint32 records, int dimensions)
{
	return sdc_nearforest_memory(records, dimensions) + (uint64) (dimensions + 8) * SDC_TEAM_ALIGNMENT;
}
