/*-------------------------------------------------------------------------
 *
 * nearpoints.c
 *		Points of records, and trees of them.
 *
 * Equal points are found by hashing.  A record that has a code of the attribute with the most codes for itself
 * is a point of its own, and is not looked at.
 *
 * A forest has one tree for the points that have all dimensions, one for each other set of
 * dimensions that enough points have in common, and one for the rest.  So missing
 * values loosen no bounds but in the last one.
 *
 * Complexity: O(n dimensions), and O(n log n) for the order of the trees.  Memory: O(n
 * dimensions).  Determinism: by the input alone.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include "kernel/base/bitset.h"
#include "kernel/base/kdorder.h"
#include "kernel/base/rankorder.h"
#include "kernel/distance/nearpoints.h"

/* Trees of points with missing values: each is a step of every query. */
#define PARTIAL_TREES 256

/* Points that deserve a tree. */
#define TREE_POINTS 64

/* Points that are looked up at a time, at most, hashed, and placed. */
#define LOOKED_UP 256
#define HASH_BLOCK 256
#define PLACED 64

/* Queries are ordered down to such groups. */
#define QUERY_LEAF 16

/* Sides of the box in which nominal attributes take part in the order. */
#define NOMINAL_SPREAD 2.0

#define NONE SDC_NEARPOINTS_NONE

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

/*
 * look_up writes the coordinates of at most LOOKED_UP records in one dimension, so far apart.  First come all codes and
 * then all values: either lie anywhere, and many of them are fetched at the same time in loops as short as that.
 */
static void
look_up(const SdcNearpoints *points, int d, const uint32 *record, uint32 count, double *to, Size apart)
{
	const SdcPairColumn *column = &points->space->pairs->column[points->space->attribute[d]];
	const uint32 *from = points->original ? column->original : column->protected;
	uint32		code[LOOKED_UP];

	for (uint32 i = 0; i < count; i++)
		code[i] = from[record[i]];
	for (uint32 i = 0; i < count; i++)
		to[i * apart] = sdc_metricspace_coordinate(points->space, d, code[i]);
}

/* coordinate_at is the coordinate of an index while points are collected: they are at the front of the columns. */
static inline double
coordinate_at(const SdcNearpoints *points, int d, uint32 index)
{
	return points->column != NULL ? points->column[d][index] : sdc_nearpoints_at(points, d, index);
}

/* same_point compares a point and an index. */
static inline bool
same_point(const SdcNearpoints *points, int dimensions, uint32 point, uint32 index)
{
	for (int d = 0; d < dimensions; d++)
		if (coordinate_bits(sdc_nearpoints_coordinate(points, d, point)) !=
			coordinate_bits(coordinate_at(points, d, index)))
			return false;
	return true;
}

/*
 * find_place is the place of record i's point among the points, or where it will be if it is
 * new: then the hash table has it already.  A slot holds half of the hash and the place.
 */
static inline uint32
find_place(const SdcNearpoints *points, uint64 *slot, uint64 slots, uint64 hash, uint32 i,
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
			same_point(points, dimensions, place, i))
			return place;
	}
}

/* hash_block hashes the points of some indexes. */
static void
hash_block(const SdcNearpoints *points, int dimensions, const uint32 *index, uint32 count, uint64 *hash)
{
	uint32		record[LOOKED_UP];
	double		coordinate[LOOKED_UP];

	for (uint32 i = 0; i < count; i++)
	{
		hash[i] = UINT64_C(0x9E3779B97F4A7C15);
		record[i] = sdc_record_at(points->record, index[i]);
	}
	for (int d = 0; d < dimensions; d++)
	{
		if (points->column == NULL)
			look_up(points, d, record, count, coordinate, 1);
		for (uint32 i = 0; i < count; i++)
		{
			double		x = points->column == NULL ? coordinate[i] : points->column[d][index[i]];

			hash[i] = (hash[i] ^ coordinate_bits(x)) * UINT64_C(0xFF51AFD7ED558CCD);
			hash[i] ^= hash[i] >> 32;
		}
	}
}

/* has_coordinate tells whether a record's point has any coordinate. */
static inline bool
has_coordinate(const SdcNearpoints *points, int dimensions, uint32 i)
{
	for (int d = 0; d < dimensions; d++)
	{
		double		x = coordinate_at(points, d, i);

		if (x == x)
			return true;
	}
	return false;
}

/* The attribute with the most codes, and what records make of them. */
typedef struct Apart
{
	bool		tells;			/* whose point is no other's: a factor makes points without coordinates */
	const SdcPairColumn *column;
	const uint32 *code;			/* by record */
	uint64	   *again;			/* codes that several records have */
} Apart;

/* is_alone tells whether the point of an index is no other's, and has a coordinate; that it is not is no harm. */
static inline bool
is_alone(const SdcNearpoints *points, const Apart *apart, uint32 index)
{
	uint32		code = apart->code[sdc_record_at(points->record, index)];

	return apart->tells && code != SDC_CODE_NULL && !sdc_bitset_contains(apart->again, code) &&
		(apart->column->value == NULL || apart->column->value[code] == apart->column->value[code]);
}

/* find_apart finds which codes several records have, and returns how many indexes are alone. */
static uint32
find_apart(const SdcNearpoints *points, uint32 count, Apart *apart)
{
	const SdcPairColumn *column = points->space->pairs->column;
	uint64	   *seen;
	uint32		alone = 0;
	int			most = 0;

	for (int d = 0; d < points->space->dimensions; d++)
		if (d == 0 || column[points->space->attribute[d]].codes > column[most].codes)
			most = points->space->attribute[d];
	apart->tells = points->space->factor == NULL && points->space->dimensions > 0;
	apart->column = &column[most];
	apart->code = points->original ? apart->column->original : apart->column->protected;
	seen = sdc_alloc_zeros(uint64, sdc_bitset_words(apart->column->codes));
	apart->again = sdc_alloc_zeros(uint64, sdc_bitset_words(apart->column->codes));
	for (uint32 i = 0; i < count; i++)
	{
		uint32		code = apart->code[sdc_record_at(points->record, i)];

		sdc_interrupts_step(i);
		if (code != SDC_CODE_NULL)
			sdc_bitset_add(sdc_bitset_contains(seen, code) ? apart->again : seen, code);
	}
	sdc_free(seen);
	for (uint32 i = 0; i < count; i++)
	{
		sdc_interrupts_step(i);
		alone += is_alone(points, apart, i);
	}
	return alone;
}

/* crowded_indexes lists those of a block that are not alone, and returns how many there are. */
static uint32
crowded_indexes(const SdcNearpoints *points, const Apart *apart, uint32 start, uint32 count, uint32 *index)
{
	uint32		crowded = 0;

	for (uint32 i = start; i < start + count; i++)
		if (!is_alone(points, apart, i))
			index[crowded++] = i;
	return crowded;
}

/* add_record adds a record to the point at a place, which may be new. */
static void
add_record(SdcNearpoints *points, uint32 i, uint32 place)
{
	if (place < points->count)
	{
		points->multiplicity[place]++;
		return;
	}
	for (int d = 0; d < points->space->dimensions && points->column != NULL; d++)
		points->column[d][place] = points->column[d][i];
	points->first[place] = i;
	points->multiplicity[place] = 1;
	points->count++;
}

/*
 * collapse_points moves different points to the front of the columns, if there are any.  place_of[i] becomes
 * the place of record i's point, NONE if it has no coordinate.  So many are alone.
 */
static void
collapse_points(SdcNearpoints *points, uint32 count, const Apart *apart, uint32 alone, uint32 *place_of)
{
	int			dimensions = points->space->dimensions;
	uint64		slots = hash_slots(count - alone);
	uint64	   *slot = sdc_alloc_array(uint64, slots);
	uint64		hash[HASH_BLOCK];
	uint32		index[HASH_BLOCK];

	memset(slot, 0xFF, slots * sizeof(uint64));
	for (uint32 start = 0, some; start < count; start += some)
	{
		uint32		crowded;
		uint32		next = 0;

		SDC_CHECK_INTERRUPTS();
		some = count - start < HASH_BLOCK ? count - start : HASH_BLOCK;
		crowded = crowded_indexes(points, apart, start, some, index);
		hash_block(points, dimensions, index, crowded, hash);
		for (uint32 i = start; i < start + some; i++)
		{
			place_of[i] = points->count;
			if (next < crowded && index[next] == i)
				place_of[i] = !has_coordinate(points, dimensions, i) ? NONE :
					find_place(points, slot, slots, hash[next], i, dimensions);
			next += next < crowded && index[next] == i;
			if (place_of[i] != NONE)
				add_record(points, i, place_of[i]);
		}
	}
	sdc_free(slot);
}

/* has_all tells whether every record has a coordinate in a dimension: quicker than to look them up, but for few. */
static bool
has_all(const SdcNearpoints *points, int d)
{
	const SdcPairColumn *column = &points->space->pairs->column[points->space->attribute[d]];
	const uint32 *code = points->original ? column->original : column->protected;

	if (points->count < points->space->pairs->records / 8)
		return false;
	for (uint32 c = 0; c < column->codes && !points->space->nominal[d]; c++)
	{
		sdc_interrupts_step(c);
		if (column->value[c] != column->value[c])
			return false;
	}
	for (uint32 r = 0; r < points->space->pairs->records; r++)
	{
		sdc_interrupts_step(r);
		if (code[r] == SDC_CODE_NULL)
			return false;
	}
	return true;
}

/* is_complete tells whether no point lacks a coordinate. */
static bool
is_complete(const SdcNearpoints *points)
{
	for (int d = 0; d < points->space->dimensions; d++)
	{
		if (points->column == NULL && has_all(points, d))
			continue;
		for (uint32 i = 0; i < points->count; i++)
		{
			double		x = sdc_nearpoints_coordinate(points, d, i);

			sdc_interrupts_step(i);
			if (x != x)
				return false;
		}
	}
	return true;
}

/* forget_collapsed gives up what says which records are which point, as all are one each. */
static void
forget_collapsed(SdcNearpoints *points)
{
	sdc_free(points->first);
	sdc_free(points->multiplicity);
	points->first = points->multiplicity = NULL;
}

/* sdc_nearpoints_collect: see nearpoints.h. */
void
sdc_nearpoints_collect(const SdcMetricSpace *space, bool original, const uint32 *record,
					   uint32 count, bool columns, SdcNearpoints *points, uint32 *place_of)
{
	Apart		apart;
	uint32		alone;

	*points = (SdcNearpoints) {.space = space, .original = original, .record = record};
	points->first = sdc_alloc_array(uint32, count);
	points->multiplicity = sdc_alloc_array(uint32, count);
	if (columns || space->factor != NULL)
	{
		points->column = sdc_alloc_array(double *, space->dimensions);
		for (int d = 0; d < space->dimensions; d++)
			points->column[d] = sdc_alloc_array(double, count);
		sdc_metricspace_columns(space, original, record, count, points->column);
	}
	alone = find_apart(points, count, &apart);
	if (alone < count)
		collapse_points(points, count, &apart, alone, place_of);
	else
	{
		for (uint32 i = 0; i < count; i++)
		{
			sdc_interrupts_step(i);
			place_of[i] = i;
		}
		points->count = count;
	}
	sdc_free(apart.again);
	if (points->count == count)
		forget_collapsed(points);
	points->complete = is_complete(points);
}

/* sdc_nearpoints_free: see nearpoints.h. */
void
sdc_nearpoints_free(SdcNearpoints *points)
{
	for (int d = 0; d < points->space->dimensions && points->column != NULL; d++)
		sdc_free(points->column[d]);
	if (points->column != NULL)
		sdc_free(points->column);
	if (points->first != NULL)
		forget_collapsed(points);
}

/* sdc_nearpoints_chain: see nearpoints.h. */
void
sdc_nearpoints_chain(const SdcNearpoints *points, uint32 count, const uint32 *place_of,
					 uint32 *next)
{
	uint32	   *last = sdc_alloc_array(uint32, points->count);

	for (uint32 i = 0; i < count; i++)
	{
		uint32		place = place_of[i];

		sdc_interrupts_step(i);
		next[i] = NONE;
		if (place == NONE)
			continue;
		if (sdc_nearpoints_first(points, place) != i)
			next[last[place]] = i;
		last[place] = i;
	}
	sdc_free(last);
}

/* fill_spread writes coordinates by which points are put in order: codes of nominal attributes get a scale. */
static void
fill_spread(const SdcNearpoints *points, int d, SdcTeamPart part, double *column)
{
	const SdcMetricSpace *space = points->space;
	double		codes = space->pairs->column[space->attribute[d]].codes;
	double		scale = space->nominal[d] ? NOMINAL_SPREAD / codes : 1;
	uint32		record[LOOKED_UP];

	for (uint32 start = part.start, count; start < part.end; start += count)
	{
		count = part.end - start < LOOKED_UP ? part.end - start : LOOKED_UP;
		SDC_CHECK_INTERRUPTS();
		for (uint32 i = 0; i < count; i++)
			record[i] = sdc_record_at(points->record, sdc_nearpoints_first(points, start + i));
		if (points->column == NULL)
			look_up(points, d, record, count, column + start, 1);
		for (uint32 i = start; i < start + count; i++)
			column[i] = (points->column == NULL ? column[i] : points->column[d][i]) * scale;
	}
}

/* is_spread tells whether points can be put in order by a column that they have. */
static inline bool
is_spread(const SdcNearpoints *points, int d)
{
	return points->column != NULL && !points->space->nominal[d];
}

/* spread_columns returns the columns by which points are put in order. */
static double **
spread_columns(const SdcNearpoints *points, int dimensions, SdcTeam *team)
{
	double	  **column = sdc_alloc_array(double *, dimensions);

	for (int d = 0; d < dimensions; d++)
	{
		column[d] = is_spread(points, d) ? points->column[d] : sdc_team_array(team, double, points->count);
		if (!is_spread(points, d))
			fill_spread(points, d, sdc_team_part(team, points->count, 1), column[d]);
	}
	sdc_team_barrier(team);
	return column;
}

/* free_spread frees what spread_columns returned. */
static void
free_spread(const SdcNearpoints *points, double **column, int dimensions, const SdcTeam *team)
{
	for (int d = 0; d < dimensions; d++)
		if (!is_spread(points, d))
			sdc_team_free(team, column[d]);
	sdc_free(column);
}

/* sdc_nearpoints_order: see nearpoints.h. */
void
sdc_nearpoints_order(const SdcNearpoints *points, int dimensions, uint32 *order, uint32 count)
{
	double	  **column = spread_columns(points, dimensions, NULL);

	sdc_kdorder_build((const double *const *) column, dimensions, order, count, QUERY_LEAF);
	free_spread(points, column, dimensions, NULL);
}

/* sdc_nearpoints_gather: see nearpoints.h. */
void
sdc_nearpoints_gather(const SdcNearpoints *points, int dimensions, const uint32 *order, uint32 count,
					  double *point)
{
	Size		apart = points->space->dimensions;
	uint32		record[LOOKED_UP];

	for (uint32 start = 0, some; start < count; start += some, point += some * apart)
	{
		some = count - start < LOOKED_UP ? count - start : LOOKED_UP;
		SDC_CHECK_INTERRUPTS();
		for (uint32 i = 0; i < some; i++)
			record[i] = sdc_record_at(points->record, sdc_nearpoints_first(points, order[start + i]));
		for (int d = 0; d < dimensions; d++)
			if (points->column == NULL)
				look_up(points, d, record, some, point + d, apart);
			else
				for (uint32 i = 0; i < some; i++)
					point[i * apart + d] = points->column[d][order[start + i]];
	}
}

/*
 * place_points writes the coordinates of a part of the points to their places.  They are read in the order that they
 * have, and written point by point: either order alone would touch a line of the cache for each coordinate.
 */
static void
place_points(const SdcNearpoints *points, SdcTeamPart part, const uint32 *place, double *point)
{
	int			dimensions = points->space->dimensions;
	double	   *block = sdc_alloc_matrix(double, PLACED, dimensions);
	uint32		order[PLACED];

	for (uint32 start = part.start, count; start < part.end; start += count)
	{
		count = part.end - start < PLACED ? part.end - start : PLACED;
		for (uint32 i = 0; i < count; i++)
			order[i] = start + i;
		sdc_nearpoints_gather(points, dimensions, order, count, block);
		for (uint32 i = 0; i < count; i++)
			memcpy(point + (Size) place[start + i] * dimensions, block + (Size) i * dimensions,
				   dimensions * sizeof(double));
	}
	sdc_free(block);
}

/* number_points writes what is known of a part of the points by their places, and these by point. */
static void
number_points(const SdcNearpoints *points, SdcTeamPart part, const uint32 *order, SdcNearforest *forest)
{
	for (uint32 i = part.start; i < part.end; i++)
	{
		sdc_interrupts_step(i);
		forest->first[i] = sdc_nearpoints_first(points, order[i]);
		if (forest->multiplicity != NULL)
			forest->multiplicity[i] = points->multiplicity[order[i]];
		forest->place[order[i]] = i;
	}
}

/*
 * order_aligned orders points so that leaves and all groups of FANOUT, FANOUT^2, ...
 * leaves are ranges of the kd order: coarse groups first, each then in itself.  The members of a team take turns.
 */
static void
order_aligned(const double *const *column, int dimensions, uint32 *order, uint32 count, SdcTeam *team)
{
	uint64		group = SDC_NEARTREE_LEAF;
	uint64		range = count;

	while (group < count)
		group *= SDC_NEARTREE_FANOUT;
	while (group > SDC_NEARTREE_LEAF)
	{
		group /= SDC_NEARTREE_FANOUT;
		for (uint64 start = 0, number = 0; start < count; start += range, number++)
			if (sdc_team_takes(team, number))
				sdc_kdorder_build(column, dimensions, order + start,
								  (uint32) (count - start < range ? count - start : range),
								  (uint32) group);
		sdc_team_barrier(team);
		range = group;
	}
}

/* missing_set has a bit for every dimension that a point lacks. */
static uint64
missing_set(const SdcNearpoints *points, uint32 place)
{
	int			dimensions = points->space->dimensions;
	uint64		set = 0;

	for (int d = 0; d < dimensions; d++)
	{
		double		x = sdc_nearpoints_coordinate(points, d, place);

		/* beyond 64 dimensions sets are not told apart: such points are among the rest */
		if (x != x)
			set |= dimensions > 64 ? 1 : UINT64_C(1) << d;
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
group_points(const SdcNearpoints *points, uint32 *order, Range *range)
{
	uint32		count = points->count;
	uint64	   *set = sdc_alloc_array(uint64, count);
	uint32	   *sorted = sdc_alloc_array(uint32, count);
	void	   *work = sdc_alloc(sdc_rankorder_memory(count));
	uint32		rest = count;
	uint32		done = 0;
	uint32		size;
	int			ranges = 0;

	for (uint32 i = 0; i < count; i++)
	{
		sdc_interrupts_step(i);
		set[i] = missing_set(points, i);
	}
	sdc_rankorder_sort(set, NULL, count, points->first, work, sorted);
	sdc_free(work);
	size = deserving_size(set, sorted, count);
	for (uint32 start = 0, end; start < count; start = end)
	{
		bool		mixed = points->space->dimensions > 64 && set[sorted[start]] != 0;

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

/* take_all has all points in one range: none lacks a coordinate. */
static int
take_all(const SdcNearpoints *points, SdcTeamPart part, uint32 *order, Range *range)
{
	*range = (Range) {0, points->count, 0, false};
	for (uint32 i = part.start; i < part.end; i++)
	{
		sdc_interrupts_step(i);
		order[i] = i;
	}
	return points->count > 0;
}

/* plant_tree makes the tree of a range. */
static SdcNeartree *
plant_tree(const SdcMetricSpace *space, const double *point, const Range *range, SdcTeam *team)
{
	int		   *dimension = sdc_alloc_array(int, space->dimensions);
	int			dimensions = 0;
	SdcNeartree *tree;

	for (int d = 0; d < space->dimensions; d++)
		if (d >= 64 || !(range->missing >> d & 1))
			dimension[dimensions++] = d;
	tree = sdc_neartree_create(space, point, dimension, dimensions,
							   range->start, range->count, range->partial, team);
	sdc_free(dimension);
	return tree;
}

#ifdef SDC_CHECKS

/* sdc_nearforest_check: every point is in one place, as it was; its trees look at themselves. */
bool
sdc_nearforest_check(const SdcNearforest *forest, const SdcNearpoints *points)
{
	int			dimensions = points->space->dimensions;
	bool	   *seen = sdc_alloc_zeros(bool, points->count);
	bool		good = true;

	for (uint32 i = 0; good && i < points->count; i++)
	{
		uint32		place = forest->place[i];

		good = place < points->count && !seen[place] && sdc_nearpoints_multiplicity(points, i) > 0 &&
			forest->first[place] == sdc_nearpoints_first(points, i) &&
			(forest->multiplicity != NULL ? forest->multiplicity[place] : 1) == sdc_nearpoints_multiplicity(points, i);
		for (int d = 0; good && d < dimensions; d++)
		{
			double		x = sdc_nearpoints_coordinate(points, d, i);

			good = memcmp(&forest->point[(Size) place * dimensions + d], &x, sizeof(double)) == 0;
		}
		if (good)
			seen[place] = true;
	}
	sdc_free(seen);
	return good;
}

#endif							/* SDC_CHECKS */

/* order_forest puts the points in the order of the trees, and returns how many of these there will be. */
static int
order_forest(SdcNearforest *forest, const SdcNearpoints *points, int dimensions, Range *range)
{
	SdcTeam    *team = forest->team;
	SdcTeamPart part = sdc_team_part(team, points->count, 1);
	uint64		mark = sdc_team_mark(team);
	uint32	   *order = sdc_team_array(team, uint32, points->count);
	int			trees = points->complete ? take_all(points, part, order, range) : group_points(points, order, range);
	double	  **column = spread_columns(points, dimensions, team);

	for (int t = 0; t < trees; t++)
		order_aligned((const double *const *) column, dimensions, order + range[t].start, range[t].count, team);
	free_spread(points, column, dimensions, team);
	number_points(points, part, order, forest);
	sdc_team_free(team, order);
	sdc_team_release(team, mark);
	return trees;
}

/* sdc_nearforest_create: see nearpoints.h.  Where points lack coordinates each member of a team has its own. */
SdcNearforest *
sdc_nearforest_create(const SdcNearpoints *points, int dimensions, SdcTeam *team)
{
	const SdcMetricSpace *space = points->space;
	SdcNearforest *forest = sdc_alloc(sizeof(SdcNearforest));
	Range	   *range = sdc_alloc_array(Range, PARTIAL_TREES + 2);

	team = points->complete ? team : NULL;
	forest->space = space;
	forest->team = team;
	forest->mark = sdc_team_mark(team);
	forest->first = sdc_team_array(team, uint32, points->count);
	forest->multiplicity = points->multiplicity == NULL ? NULL : sdc_team_array(team, uint32, points->count);
	forest->place = sdc_team_array(team, uint32, points->count);
	forest->trees = order_forest(forest, points, dimensions, range);
	forest->point = sdc_team_matrix(team, double, points->count, space->dimensions);
	place_points(points, sdc_team_part(team, points->count, 1), forest->place, forest->point);
	sdc_team_barrier(team);
	forest->tree = sdc_alloc_array(SdcNeartree *, forest->trees);
	for (int t = 0; t < forest->trees; t++)
		forest->tree[t] = plant_tree(space, forest->point, &range[t], team);
	sdc_free(range);
	SDC_ASSERT(sdc_nearforest_check(forest, points));
	return forest;
}

/* sdc_nearforest_destroy accepts NULL. */
void
sdc_nearforest_destroy(SdcNearforest *forest)
{
	if (forest == NULL)
		return;
	for (int t = forest->trees; t-- > 0;)
		sdc_neartree_destroy(forest->tree[t]);
	sdc_free(forest->tree);
	sdc_team_free(forest->team, forest->point);
	sdc_team_free(forest->team, forest->place);
	if (forest->multiplicity != NULL)
		sdc_team_free(forest->team, forest->multiplicity);
	sdc_team_free(forest->team, forest->first);
	sdc_team_release(forest->team, forest->mark);
	sdc_free(forest);
}

/* sdc_nearforest_search: see nearpoints.h. */
int
sdc_nearforest_search(const SdcNearforest *forest, const double *query, SdcNeartreeTask *task)
{
	for (int t = 0; t < forest->trees && task->high >= task->low; t++)
		task->high = sdc_neartree_search(forest->tree[t], query, task);
	return task->high;
}

/* sdc_nearpoints_order_memory is what it takes to order them by some dimensions. */
uint64
sdc_nearpoints_order_memory(uint32 records, int dimensions)
{
	return (uint64) records * dimensions * sizeof(double) + dimensions * sizeof(double *) +
		sdc_kdorder_memory(dimensions);
}

/* sdc_nearforest_memory: the order of the points, and then the trees. */
uint64
sdc_nearforest_memory(uint32 records, int dimensions)
{
	uint64		words = (uint64) records * sizeof(uint32);
	uint64		small = (uint64) records / TREE_POINTS + 2;
	uint64		group = 4 * words + sdc_rankorder_memory(records);
	uint64		order = sdc_nearpoints_order_memory(records, dimensions);
	uint64		trees;

	if (small > PARTIAL_TREES + 2)
		small = PARTIAL_TREES + 2;
	trees = sdc_neartree_memory(records, dimensions) +
		small * (sdc_neartree_memory(1, dimensions) + sizeof(SdcNeartree *) + dimensions * sizeof(int)) +
		((uint64) records + PLACED) * dimensions * sizeof(double);
	order = order > group ? order : group;
	return sizeof(SdcNearforest) + (PARTIAL_TREES + 2) * sizeof(Range) + 4 * words + (trees > order ? trees : order);
}
