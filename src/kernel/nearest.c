/*-------------------------------------------------------------------------
 *
 * nearest.c
 *		Distance based record linkage: for original records the nearest protected ones.
 *
 * The attack of D. Pagliuca and G. Seri ("Some results of individual ranking method on the
 * system of enterprise accounts annual survey", Esprit SDC project, 1999), by
 * nearest neighbour search instead of all pairs:
 *
 * Equal protected points become one point that counts for as many, and equal
 * originals one query: with coarse attributes hardly anything else is left, and no
 * number of tied records costs more than one.
 *
 * Points go into trees (neartree.h): one for the points that have all dimensions, one
 * for each other set of dimensions that enough points have in common, and one for the
 * rest.  So missing values loosen no bounds but in the last one.
 *
 * Queries are taken in kd order: one follows another in its neighbourhood, whose part of the
 * tree is in the cache.  A query starts from the best of a few points that are probably
 * near: the record's own protected one, a hint of the caller, and the result of the
 * query before.
 *
 * The measures that decide are those of sdc_space_measure.  Ties need the final least
 * measure, so measures near the least one so far are kept, with how many records have them.
 * Equal points apart, near measures are equal or differ by rounding: a few are
 * kept, and in the odd case that there are more, a second search counts.
 *
 * Complexity: O(n log n) while neighbours are much nearer than other records; in high
 * dimensions up to O(n^2), a fraction of which remains.  Memory: O(n dimensions),
 * see sdc_nearest_memory.  Determinism: whatever the order of visits, the result is the
 * same, since it is defined by the set of measures.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/kernel_env.h"

#include <math.h>

#include "kernel/kdorder.h"
#include "kernel/nearest.h"
#include "kernel/neartree.h"
#include "kernel/rankorder.h"

/* Trees of points with missing values: each is a step of every query. */
#define PARTIAL_TREES 256

/* Points that deserve a tree. */
#define TREE_POINTS 64

/* Near measures that are kept. */
#define NEAR_MEASURES 16

/* Records of a query whose own records and hints are tried. */
#define HINTED_RECORDS 4

/* Points that are hashed at a time. */
#define HASH_BLOCK 512

/* Queries are ordered down to such groups. */
#define QUERY_LEAF 16

/* Sides of the box in which nominal attributes take part in the order. */
#define NOMINAL_SPREAD 2.0

#define NONE UINT32_MAX

/* Points of which few are equal. */
typedef struct Points
{
	uint32		count;
	double	  **column;			/* coordinates by dimension, until they are in order */
	double	   *point;			/* coordinates by point, after that */
	uint32	   *first;			/* the first record that is there */
	uint32	   *multiplicity;	/* how many are */
} Points;

/* How many records have one measure. */
typedef struct Near
{
	double		measure;
	uint32		first;
	uint32		count;
} Near;

typedef struct Linker
{
	/* set once */
	const SdcSpace *space;
	Points		points;			/* protected records */
	uint32	   *point_of;		/* of every protected record, or NONE */
	SdcNeartree **tree;
	int			trees;

	/* the query at work */
	const double *query;
	double		least;			/* measure so far */
	uint32		nearest;		/* a point with it */
	bool		recount;		/* there were too many measures */
	int			nears;
	Near		near[NEAR_MEASURES];	/* up to least * SDC_SPACE_TIE */
} Linker;

/* hash_slots is the size of the hash table for so many points: a power of two. */
static uint64
hash_slots(uint32 points)
{
	uint64		slots = 64;

	while (slots < (uint64) points * 2)
		slots *= 2;
	return slots;
}

/* coordinate_bits are equal where coordinates are: those of 0 and of NaN are made unique. */
static inline uint64
coordinate_bits(double coordinate)
{
	uint64		bits;

	if (coordinate != coordinate)
		return UINT64_C(0x7FF8000000000000);
	coordinate += 0.0;
	memcpy(&bits, &coordinate, sizeof(bits));
	return bits;
}

/* hash_point mixes the coordinates of a point. */
static inline uint64
hash_point(const double *point, int dimensions)
{
	uint64		hash = UINT64_C(0x9E3779B97F4A7C15);

	for (int d = 0; d < dimensions; d++)
	{
		hash = (hash ^ coordinate_bits(point[d])) * UINT64_C(0xFF51AFD7ED558CCD);
		hash ^= hash >> 32;
	}
	return hash;
}

/* same_point compares two points of columns. */
static inline bool
same_point(double *const *column, int dimensions, uint32 a, uint32 b)
{
	for (int d = 0; d < dimensions; d++)
		if (coordinate_bits(column[d][a]) != coordinate_bits(column[d][b]))
			return false;
	return true;
}

/*
 * find_place is the place of record i's point among the points, or where it will be if it is
 * new: then the hash table has it already.  A slot holds half of the hash and the place.
 */
static inline uint32
find_place(const Points *points, uint64 *slot, uint64 slots, uint64 hash, uint32 i,
		   int dimensions)
{
	uint64		tag = hash & ~(uint64) UINT32_MAX;

	for (uint64 at = hash;; at++)
	{
		uint64	   *here = &slot[at & (slots - 1)];
		uint32		place = (uint32) *here;

		if (place == NONE)
		{
			*here = tag | points->count;
			return points->count;
		}
		if ((*here & ~(uint64) UINT32_MAX) == tag &&
			same_point(points->column, dimensions, place, i))
			return place;
	}
}

/* hash_block hashes the points of some records. */
static void
hash_block(double *const *column, int dimensions, uint32 start, uint32 count, uint64 *hash)
{
	for (uint32 i = 0; i < count; i++)
		hash[i] = UINT64_C(0x9E3779B97F4A7C15);
	for (int d = 0; d < dimensions; d++)
	{
		const double *from = column[d] + start;

		for (uint32 i = 0; i < count; i++)
		{
			hash[i] = (hash[i] ^ coordinate_bits(from[i])) * UINT64_C(0xFF51AFD7ED558CCD);
			hash[i] ^= hash[i] >> 32;
		}
	}
}

/* has_coordinate tells whether a record's point has any coordinate. */
static inline bool
has_coordinate(double *const *column, int dimensions, uint32 i)
{
	for (int d = 0; d < dimensions; d++)
		if (column[d][i] == column[d][i])
			return true;
	return false;
}

/*
 * collapse_points moves different points to the front of the columns.  place_of[i] becomes
 * the place of record i's point, NONE if it has no coordinate.
 */
static void
collapse_points(Points *points, int dimensions, uint32 count, uint32 *place_of)
{
	uint64		slots = hash_slots(count);
	uint64	   *slot = sdc_alloc(slots * sizeof(uint64));
	uint64		hash[HASH_BLOCK];

	memset(slot, 0xFF, slots * sizeof(uint64));
	for (uint32 i = 0; i < count; i++)
	{
		uint32		place;

		if (i % HASH_BLOCK == 0)
		{
			SDC_CHECK_INTERRUPTS();
			hash_block(points->column, dimensions, i,
					   count - i < HASH_BLOCK ? count - i : HASH_BLOCK, hash);
		}
		place_of[i] = NONE;
		if (!has_coordinate(points->column, dimensions, i))
			continue;
		place = find_place(points, slot, slots, hash[i % HASH_BLOCK], i, dimensions);
		place_of[i] = place;
		if (place < points->count)
		{
			points->multiplicity[place]++;
			continue;
		}
		for (int d = 0; d < dimensions; d++)
			points->column[d][place] = points->column[d][i];
		points->first[place] = i;
		points->multiplicity[place] = 1;
		points->count++;
	}
	sdc_free(slot);
}

/*
 * all_different tells whether some attribute alone keeps all records apart: then there is
 * nothing to collapse, nor a record without coordinates.  A miss does no harm.
 */
static bool
all_different(const SdcSpace *space, const uint32 *record, uint32 count, bool original)
{
	bool		different = false;

	for (int d = 0; d < space->dimensions && !different; d++)
	{
		const SdcPairColumn *column = &space->pairs->column[space->attribute[d]];
		const uint32 *code = original ? column->original : column->masked;
		bool	   *seen;

		if (column->codes < count)
			continue;
		seen = sdc_alloc(column->codes * sizeof(bool));
		memset(seen, 0, column->codes * sizeof(bool));
		different = true;
		for (uint32 i = 0; i < count && different; i++)
		{
			uint32		c = code[record != NULL ? record[i] : i];

			if (i % SDC_INTERRUPT_STEPS == 0)
				SDC_CHECK_INTERRUPTS();
			different = c != SDC_CODE_NULL && !seen[c] &&
				(column->value == NULL || column->value[c] == column->value[c]);
			if (different)
				seen[c] = true;
		}
		sdc_free(seen);
	}
	/* a lack elsewhere makes a point without coordinates of it */
	return different && space->factor == NULL;
}

/*
 * collect_points makes points of records, original or protected.  place_of[i] becomes the
 * place of record[i] (of i, if record is NULL), NONE if it has no coordinate; in points
 * first is an index i as well.
 */
static void
collect_points(const SdcSpace *space, const uint32 *record, uint32 count, bool original,
			   Points *points, uint32 *place_of)
{
	points->count = 0;
	points->point = NULL;
	points->column = sdc_alloc(space->dimensions * sizeof(double *));
	for (int d = 0; d < space->dimensions; d++)
		points->column[d] = sdc_alloc((Size) count * sizeof(double));
	points->first = sdc_alloc((Size) count * sizeof(uint32));
	points->multiplicity = sdc_alloc((Size) count * sizeof(uint32));
	sdc_space_columns(space, original, record, count, points->column);
	if (!all_different(space, record, count, original))
	{
		collapse_points(points, space->dimensions, count, place_of);
		return;
	}
	for (uint32 i = 0; i < count; i++)
	{
		if (i % SDC_INTERRUPT_STEPS == 0)
			SDC_CHECK_INTERRUPTS();
		place_of[i] = i;
		points->first[i] = i;
		points->multiplicity[i] = 1;
	}
	points->count = count;
}

/* free_points frees what points consist of; the columns are gone by then. */
static void
free_points(Points *points)
{
	sdc_free(points->point);
	sdc_free(points->first);
	sdc_free(points->multiplicity);
}

/*
 * spread_columns returns the columns by which points are put in order: codes of nominal
 * attributes have no scale, so they get one.
 */
static const double **
spread_columns(const SdcSpace *space, const Points *points)
{
	const double **column = sdc_alloc(space->dimensions * sizeof(double *));

	for (int d = 0; d < space->dimensions; d++)
	{
		double	   *spread;
		double		codes = space->pairs->column[space->attribute[d]].codes;

		column[d] = points->column[d];
		if (!space->nominal[d])
			continue;
		spread = sdc_alloc((Size) points->count * sizeof(double));
		for (uint32 i = 0; i < points->count; i++)
		{
			if (i % SDC_INTERRUPT_STEPS == 0)
				SDC_CHECK_INTERRUPTS();
			spread[i] = points->column[d][i] * (NOMINAL_SPREAD / codes);
		}
		column[d] = spread;
	}
	return column;
}

/* free_columns frees what spread_columns returned. */
static void
free_columns(const SdcSpace *space, const double **column)
{
	for (int d = 0; d < space->dimensions; d++)
		if (space->nominal[d])
			sdc_free((void *) column[d]);
	sdc_free(column);
}

/* move_words permutes words: the one at order[i] comes to i. */
static void
move_words(uint32 *array, const uint32 *order, uint32 count, uint32 *spare)
{
	for (uint32 i = 0; i < count; i++)
	{
		if (i % SDC_INTERRUPT_STEPS == 0)
			SDC_CHECK_INTERRUPTS();
		spare[i] = array[order[i]];
	}
	memcpy(array, spare, (Size) count * sizeof(uint32));
}

/*
 * move_points puts points in order, as points instead of columns.  If places is not NULL it
 * gets where each point went to.
 */
static void
move_points(const SdcSpace *space, Points *points, const uint32 *order, uint32 *places)
{
	int			dimensions = space->dimensions;
	uint32		count = points->count;
	uint32	   *spare = sdc_alloc((Size) count * sizeof(uint32));

	move_words(points->first, order, count, spare);
	move_words(points->multiplicity, order, count, spare);
	sdc_free(spare);
	points->point = sdc_alloc((Size) count * dimensions * sizeof(double));
	for (int d = 0; d < dimensions; d++)
	{
		const double *from = points->column[d];
		double	   *to = points->point + d;

		for (uint32 i = 0; i < count; i++, to += dimensions)
		{
			if (i % SDC_INTERRUPT_STEPS == 0)
				SDC_CHECK_INTERRUPTS();
			*to = from[order[i]];
		}
		sdc_free(points->column[d]);
	}
	sdc_free(points->column);
	for (uint32 i = 0; i < count && places != NULL; i++)
		places[order[i]] = i;
}

/* rename_places replaces places by where the points went to. */
static void
rename_places(uint32 *place_of, uint32 records, const uint32 *places)
{
	for (uint32 i = 0; i < records; i++)
	{
		if (i % SDC_INTERRUPT_STEPS == 0)
			SDC_CHECK_INTERRUPTS();
		if (place_of[i] != NONE)
			place_of[i] = places[place_of[i]];
	}
}

/*
 * order_aligned orders points so that leaves and all groups of FANOUT, FANOUT^2, ...
 * leaves are ranges of the kd order: coarse groups first, each then in itself.
 */
static void
order_aligned(const double *const *column, int dimensions, uint32 *order, uint32 count)
{
	uint64		group = SDC_NEARTREE_LEAF;
	uint64		range = count;

	while (group < count)
		group *= SDC_NEARTREE_FANOUT;
	while (group > SDC_NEARTREE_LEAF)
	{
		group /= SDC_NEARTREE_FANOUT;
		for (uint64 start = 0; start < count; start += range)
			sdc_kdorder_build(column, dimensions, order + start,
							  (uint32) (count - start < range ? count - start : range),
							  (uint32) group);
		range = group;
	}
}

/* missing_set has a bit for every dimension that a point lacks. */
static uint64
missing_set(const SdcSpace *space, const Points *points, uint32 place)
{
	uint64		set = 0;

	for (int d = 0; d < space->dimensions; d++)
	{
		double		x = points->column[d][place];

		/* beyond 64 dimensions sets are not told apart: such points are among the rest */
		if (x != x)
			set |= space->dimensions > 64 ? 1 : UINT64_C(1) << d;
	}
	return set;
}

/* run_end ends the run of equal sets that starts in order[start]. */
static uint32
run_end(const uint64 *set, const uint32 *order, uint32 start, uint32 count)
{
	uint32		end = start + 1;

	while (end < count && set[order[end]] == set[order[start]])
		end++;
	return end;
}

/*
 * deserving_size is how many points with the same missing dimensions deserve a tree:
 * at least TREE_POINTS, more if that makes too many trees.
 */
static uint32
deserving_size(const uint64 *set, const uint32 *order, uint32 count)
{
	for (uint64 size = TREE_POINTS;; size *= 2)
	{
		int			trees = 0;

		SDC_CHECK_INTERRUPTS();
		for (uint32 start = 0, end; start < count; start = end)
		{
			end = run_end(set, order, start, count);
			trees += end - start >= size;
		}
		if (trees <= PARTIAL_TREES)
			return (uint32) (size < NONE ? size : NONE);
	}
}

/* A range of points that will be a tree. */
typedef struct Range
{
	uint32		start;
	uint32		count;
	uint64		missing;		/* in all of its points */
	bool		partial;		/* in some of its points others are */
} Range;

/*
 * group_points sorts the places of points by what they lack, and returns the number of
 * ranges.  What is in no other range comes last.
 */
static int
group_points(const SdcSpace *space, const Points *points, uint32 *order, Range *range)
{
	uint32		count = points->count;
	uint64	   *set = sdc_alloc((Size) count * sizeof(uint64));
	uint32	   *sorted = sdc_alloc((Size) count * sizeof(uint32));
	void	   *work = sdc_alloc(sdc_rankorder_memory(count));
	uint32		rest = count;
	uint32		done = 0;
	uint32		size;
	int			ranges = 0;

	for (uint32 i = 0; i < count; i++)
	{
		if (i % SDC_INTERRUPT_STEPS == 0)
			SDC_CHECK_INTERRUPTS();
		set[i] = missing_set(space, points, i);
	}
	sdc_rankorder_sort(set, NULL, count, points->first, work, sorted);
	sdc_free(work);
	size = deserving_size(set, sorted, count);
	for (uint32 start = 0, end; start < count; start = end)
	{
		bool		mixed = space->dimensions > 64 && set[sorted[start]] != 0;

		end = run_end(set, sorted, start, count);
		if (!mixed && (end - start >= size || set[sorted[start]] == 0))
		{
			Range		same = {done, end - start, set[sorted[start]], false};

			range[ranges++] = same;
			memcpy(order + done, sorted + start, (end - start) * sizeof(uint32));
			done += end - start;
		}
		else
		{
			rest -= end - start;
			memcpy(order + rest, sorted + start, (end - start) * sizeof(uint32));
		}
	}
	if (done < count)
	{
		Range		last = {done, count - done, 0, true};

		range[ranges++] = last;
	}
	sdc_free(sorted);
	sdc_free(set);
	return ranges;
}

/* plant_tree makes the tree of a range. */
static SdcNeartree *
plant_tree(const SdcSpace *space, const Points *points, const Range *range)
{
	int		   *dimension = sdc_alloc(space->dimensions * sizeof(int));
	int			dimensions = 0;
	SdcNeartree *tree;

	for (int d = 0; d < space->dimensions; d++)
		if (d >= 64 || !(range->missing >> d & 1))
			dimension[dimensions++] = d;
	tree = sdc_neartree_create(space, points->point, dimension, dimensions,
							   range->start, range->count, range->partial);
	sdc_free(dimension);
	return tree;
}

/* plant_trees orders the protected points and makes trees of them. */
static void
plant_trees(Linker *linker)
{
	const SdcSpace *space = linker->space;
	Points	   *points = &linker->points;
	Range	   *range = sdc_alloc((PARTIAL_TREES + 2) * sizeof(Range));
	uint32	   *order = sdc_alloc((Size) points->count * sizeof(uint32));
	uint32	   *places;
	const double **column = spread_columns(space, points);

	linker->trees = group_points(space, points, order, range);
	for (int t = 0; t < linker->trees; t++)
		order_aligned(column, space->dimensions, order + range[t].start, range[t].count);
	free_columns(space, column);
	places = sdc_alloc((Size) points->count * sizeof(uint32));
	move_points(space, points, order, places);
	rename_places(linker->point_of, space->pairs->records, places);
	sdc_free(places);
	sdc_free(order);

	linker->tree = sdc_alloc(linker->trees * sizeof(SdcNeartree *));
	for (int t = 0; t < linker->trees; t++)
		linker->tree[t] = plant_tree(space, points, &range[t]);
	sdc_free(range);
}

/* measure_to is the measure of the query and a point. */
static inline double
measure_to(const Linker *linker, uint32 place)
{
	return sdc_space_measure(linker->space, linker->query, linker->points.point +
							 (Size) place * linker->space->dimensions);
}

/* try_place lets the query start from a point. */
static void
try_place(Linker *linker, uint32 place)
{
	double		measure;

	if (place == NONE)
		return;
	measure = measure_to(linker, place);
	if (measure < linker->least)
	{
		linker->least = measure;
		linker->nearest = place;
	}
}

/* count_measure counts the records of a point with a measure. */
static void
count_measure(Linker *linker, double measure, uint32 place)
{
	uint32		first = linker->points.first[place];
	uint32		count = linker->points.multiplicity[place];
	int			i;

	for (i = 0; i < linker->nears && linker->near[i].measure != measure; i++)
		;
	if (i == NEAR_MEASURES)
	{
		linker->recount = true;
		return;
	}
	if (i == linker->nears)
	{
		Near		near = {measure, first, 0};

		linker->near[linker->nears++] = near;
	}
	linker->near[i].count += count;
	if (first < linker->near[i].first)
		linker->near[i].first = first;
}

/* visit_point is called for points that may be near enough. */
static double
visit_point(void *arg, uint32 place)
{
	Linker	   *linker = arg;
	double		measure = measure_to(linker, place);

	if (measure < linker->least)
	{
		int			kept = 0;

		linker->least = measure;
		linker->nearest = place;
		for (int i = 0; i < linker->nears; i++)
			if (linker->near[i].measure <= measure * SDC_SPACE_TIE)
				linker->near[kept++] = linker->near[i];
		linker->nears = kept;
	}
	/* without a distance both are infinite */
	if (measure <= linker->least * SDC_SPACE_TIE && measure < INFINITY)
		count_measure(linker, measure, place);
	return linker->least * SDC_SPACE_TIE;
}

/* recount_point is called in the second search: the least measure is known. */
static double
recount_point(void *arg, uint32 place)
{
	Linker	   *linker = arg;

	if (measure_to(linker, place) <= linker->least * SDC_SPACE_TIE)
		count_measure(linker, linker->least, place);
	return linker->least * SDC_SPACE_TIE;
}

/* search_trees searches all trees. */
static void
search_trees(Linker *linker, SdcNeartreeVisit visit)
{
	linker->nears = 0;
	linker->recount = false;
	for (int t = 0; t < linker->trees; t++)
		sdc_neartree_search(linker->tree[t], linker->query, linker->least * SDC_SPACE_TIE,
							visit, linker);
}

/* find_nearest searches the points nearest to the query, and writes a link without correct. */
static void
find_nearest(Linker *linker, SdcLink *link)
{
	search_trees(linker, visit_point);
	if (linker->recount)
		search_trees(linker, recount_point);

	link->distance = 0;
	link->linked = SDC_RECORD_NONE;
	link->ties = 0;
	for (int i = 0; i < linker->nears; i++)
	{
		link->ties += linker->near[i].count;
		if (linker->near[i].first < link->linked)
			link->linked = linker->near[i].first;
	}
	link->candidates = link->ties;
	link->correct = false;
	if (linker->nears > 0)
		link->distance = sdc_space_distance(linker->space, linker->least);
}

/* The records to link, and which of them are one query. */
typedef struct Queries
{
	const uint32 *record;		/* as given */
	Points		points;			/* first is an index of record[] */
	uint32	   *next;			/* the next index of the same query, or NONE */
} Queries;

/* hint_place is a point where the caller supposes the nearest record. */
static uint32
hint_place(const Linker *linker, uint32 hint)
{
	return hint < linker->space->pairs->records ? linker->point_of[hint] : NONE;
}

/* answer_query links all records of a query. */
static void
answer_query(Linker *linker, const Queries *queries, uint32 place, SdcLink *link)
{
	const uint32 *record = queries->record;
	uint32		first = queries->points.first[place];
	int			hinted = 0;
	SdcLink		result;

	linker->query = queries->points.point + (Size) place * linker->space->dimensions;
	linker->least = INFINITY;
	try_place(linker, linker->nearest);
	for (uint32 i = first; i != NONE && hinted < HINTED_RECORDS; i = queries->next[i])
	{
		try_place(linker, linker->point_of[record != NULL ? record[i] : i]);
		try_place(linker, hint_place(linker, link[i].linked));
		hinted++;
	}
	find_nearest(linker, &result);
	for (uint32 i = first, step = 0; i != NONE; i = queries->next[i], step++)
	{
		uint32		own = linker->point_of[record != NULL ? record[i] : i];

		if (step % SDC_INTERRUPT_STEPS == 0)
			SDC_CHECK_INTERRUPTS();
		link[i] = result;
		if (result.ties > 0 && own != NONE)
			link[i].correct = measure_to(linker, own) <= linker->least * SDC_SPACE_TIE;
	}
}

/* chain_queries connects the records of each query, in ascending order. */
static void
chain_queries(Queries *queries, uint32 count)
{
	uint32	   *next = queries->next;
	uint32	   *last = sdc_alloc((Size) queries->points.count * sizeof(uint32));

	for (uint32 i = 0; i < count; i++)
	{
		uint32		place = next[i];

		if (i % SDC_INTERRUPT_STEPS == 0)
			SDC_CHECK_INTERRUPTS();
		next[i] = NONE;
		if (place == NONE)
			continue;
		if (queries->points.first[place] != i)
			next[last[place]] = i;
		last[place] = i;
	}
	sdc_free(last);
}

/* answer_all takes the queries in their kd order. */
static void
answer_all(Linker *linker, Queries *queries, SdcLink *link)
{
	uint32		count = queries->points.count;
	const double **column = spread_columns(linker->space, &queries->points);
	uint32	   *order = sdc_alloc((Size) count * sizeof(uint32));

	for (uint32 i = 0; i < count; i++)
		order[i] = i;
	sdc_kdorder_build(column, linker->space->dimensions, order, count, QUERY_LEAF);
	free_columns(linker->space, column);
	move_points(linker->space, &queries->points, order, NULL);
	sdc_free(order);
	linker->nearest = NONE;
	for (uint32 i = 0; i < count; i++)
	{
		if (i % (SDC_INTERRUPT_STEPS / 64) == 0)
			SDC_CHECK_INTERRUPTS();
		answer_query(linker, queries, i, link);
	}
}

/* link_same writes one link for all: no distance to any record, or 0 to all of them. */
static void
link_same(uint32 count, uint32 ties, SdcLink *link)
{
	SdcLink		same = {0, ties > 0 ? 0 : SDC_RECORD_NONE, ties, ties, ties > 0};

	for (uint32 i = 0; i < count; i++)
	{
		if (i % SDC_INTERRUPT_STEPS == 0)
			SDC_CHECK_INTERRUPTS();
		link[i] = same;
	}
}

/* link_lost writes the links of the records without a coordinate. */
static void
link_lost(const uint32 *place_of, uint32 count, SdcLink *link)
{
	for (uint32 i = 0; i < count; i++)
	{
		if (i % SDC_INTERRUPT_STEPS == 0)
			SDC_CHECK_INTERRUPTS();
		if (place_of[i] == NONE)
			link_same(1, 0, &link[i]);
	}
}

/* sdc_nearest_run: see nearest.h. */
void
sdc_nearest_run(const SdcSpace *space, const uint32 *record, uint32 count, SdcLink *link)
{
	Linker		linker = {.space = space};
	Queries		queries = {.record = record};
	uint32		records = space->pairs->records;

	if (space->dimensions == 0)
	{
		link_same(count, records, link);
		return;
	}
	linker.point_of = sdc_alloc((Size) records * sizeof(uint32));
	collect_points(space, NULL, records, false, &linker.points, linker.point_of);
	plant_trees(&linker);

	queries.next = sdc_alloc((Size) count * sizeof(uint32));
	collect_points(space, record, count, true, &queries.points, queries.next);
	link_lost(queries.next, count, link);
	chain_queries(&queries, count);
	answer_all(&linker, &queries, link);

	free_points(&queries.points);
	sdc_free(queries.next);
	for (int t = 0; t < linker.trees; t++)
		sdc_neartree_destroy(linker.tree[t]);
	sdc_free(linker.tree);
	free_points(&linker.points);
	sdc_free(linker.point_of);
}

/*
 * sdc_nearest_memory adds up what is there at the end, and the most of what is needed
 * beside it for a time.
 */
uint64
sdc_nearest_memory(uint32 records, int dimensions)
{
	uint64		doubles = (uint64) records * dimensions * sizeof(double) +
		dimensions * sizeof(double *);
	uint64		words = (uint64) records * sizeof(uint32);
	uint64		points = doubles + 3 * words;
	uint64		trees = sdc_neartree_memory(records, dimensions);
	uint64		small = (uint64) records / TREE_POINTS + 2;
	uint64		hash = hash_slots(records) * sizeof(uint64);
	uint64		codes = 2 * (uint64) records * sizeof(bool);
	uint64		order = doubles + 2 * words + sdc_kdorder_memory(dimensions);
	uint64		group = 4 * words + sdc_rankorder_memory(records);
	uint64		most = hash > codes ? hash : codes;

	if (small > PARTIAL_TREES + 2)
		small = PARTIAL_TREES + 2;
	trees += small * (sdc_neartree_memory(1, dimensions) + sizeof(SdcNeartree *) +
					  sizeof(Range) + dimensions * sizeof(int));
	most = order > most ? order : most;
	most = group > most ? group : most;
	return 2 * points + trees + most + 4096;
}
