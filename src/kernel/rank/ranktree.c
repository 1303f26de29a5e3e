/*-------------------------------------------------------------------------
 *
 * ranktree.c
 *		Protected records by their codes, in a tree.
 *
 * A kd-tree (J. L. Bentley, "Multidimensional binary search trees used for associative
 * searching", Communications of the ACM 18, 1975), kept in the order of the points,
 * of which only every fifth level is a level of nodes.  Points are placed by ranks, as
 * windows are equally wide everywhere in these; records with the same codes are one point,
 * or else many equal ones would make every search a scan.
 *
 * A node knows the least and the greatest code of each attribute, and coordinate of each
 * dimension.  A missing code is greater than all others: then a node that has one is never
 * inside a window, and no window reaches up to it.  A missing coordinate may be anywhere.
 *
 * Complexity: O(attributes n log n).  Memory: sdc_ranktree_memory.  Determinism: by the
 * input; what a search finds does not depend on the order of points.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include <math.h>

#include "kernel/base/codesort.h"
#include "kernel/base/kdorder.h"
#include "kernel/rank/ranktree.h"

#define FAN SDC_RANKLEVEL_FAN

/* Codes are fetched so many points ahead. */
#define AHEAD 8

/*
 * sdc_ranktree_memory: records, where their points begin, and the order; beside them first what it takes to put them in
 * order, and then the tree.  Two files have at most two codes a record.
 */
uint64
sdc_ranktree_memory(uint32 records, int attributes)
{
	uint64		words = ((uint64) records + 1) * sizeof(uint32);
	uint64		blocks = (uint64) records / FAN + 1;
	uint64		points = 2 * words + (uint64) records * attributes * sizeof(double) +
		blocks * attributes * FAN * sizeof(int32);
	uint64		nodes = (blocks + blocks / (FAN - 1) + SDC_RANKLEVEL_MOST * FAN) *
		(attributes * (2 * sizeof(int32) + 2 * sizeof(double)) + sizeof(uint32));
	uint64		positions = (uint64) records * attributes * sizeof(double) + 2 * words +
		sdc_kdorder_memory(attributes);
	uint64		tree = points + nodes;

	return 3 * words + (positions > tree ? positions : tree) + sizeof(SdcRankTree);
}

/* sdc_ranktree_team_memory: without what each process has of its own, but with places between arrays. */
uint64
sdc_ranktree_team_memory(uint32 records, int attributes)
{
	return sdc_ranktree_memory(records, attributes) +
		(uint64) (attributes + 4 * SDC_RANKLEVEL_MOST + 8) * SDC_TEAM_ALIGNMENT;
}

/* What is needed while a tree is built. */
typedef struct Builder
{
	const SdcPairs *pairs;
	const int  *known;
	SdcRankTree *tree;
	uint32	   *record;			/* sorted by codes, then by number */
	uint32	   *first;			/* by point: the first of its records in it, and the end; both NULL: one each */
	uint32		points;
	uint32	   *order;			/* kd order of the points */
	uint32		credit;
} Builder;

/* column_of is the column of a known attribute. */
static inline const SdcPairColumn *
column_of(const Builder *builder, int a)
{
	return &builder->pairs->column[builder->known[a]];
}

/* same_codes tells whether two records are one point. */
static bool
same_codes(const Builder *builder, uint32 x, uint32 y)
{
	for (int a = 0; a < builder->tree->attributes; a++)
	{
		const uint32 *protected = column_of(builder, a)->protected;

		if (protected[x] != protected[y])
			return false;
	}
	return true;
}

/* is_distinct tells whether some attribute alone has all records different. */
static bool
is_distinct(Builder *builder)
{
	for (int a = 0; a < builder->tree->attributes; a++)
	{
		const SdcPairColumn *column = column_of(builder, a);
		SdcCodesort sort = {column->protected, 1, column->codes, NULL};

		if (sdc_codesort_distinct(&sort, builder->pairs->records, &builder->credit))
			return true;
	}
	return false;
}

/* sort_records sorts the records by their codes, and tells whether no two are equal. */
static bool
sort_records(Builder *builder)
{
	uint32		records = builder->pairs->records;
	uint32	   *spare = sdc_alloc_array(uint32, records);
	SdcCodesort *sort = sdc_alloc_array(SdcCodesort, builder->tree->attributes);
	bool		distinct;

	for (int a = 0; a < builder->tree->attributes; a++)
		sort[a] = (SdcCodesort) {column_of(builder, a)->protected, 1, column_of(builder, a)->codes, NULL};
	distinct = sdc_codesort_all(sort, builder->tree->attributes, &builder->record, &spare, records, &builder->credit);
	sdc_free(sort);
	sdc_free(spare);
	return distinct;
}

/* forget_collapsed gives up what says which records are which point. */
static void
forget_collapsed(Builder *builder)
{
	sdc_free(builder->first);
	sdc_free(builder->record);
	builder->first = builder->record = NULL;
}

/* first_record is the first record of a point. */
static inline uint32
first_record(const Builder *builder, uint32 point)
{
	return builder->first != NULL ? builder->record[builder->first[point]] : point;
}

/* collapse_records puts records with the same codes together and finds the points. */
static void
collapse_records(Builder *builder)
{
	uint32		records = builder->pairs->records;
	uint32		points = 0;

	builder->points = records;
	if (is_distinct(builder))
		return;
	builder->record = sdc_alloc_array(uint32, records);
	for (uint32 i = 0; i < records; i++)
		builder->record[i] = i;
	if (sort_records(builder))
	{
		sdc_free(builder->record);
		builder->record = NULL;
		return;
	}
	builder->first = sdc_alloc_array(uint32, (Size) records + 1);
	for (uint32 i = 0; i < records; i++)
	{
		sdc_interrupts_spend(&builder->credit, 1);
		if (i == 0 || !same_codes(builder, builder->record[i - 1], builder->record[i]))
			builder->first[points++] = i;
	}
	builder->first[points] = records;
	builder->points = points;
}

/* attribute_of is which known attribute a dimension is of. */
static int
attribute_of(const Builder *builder, int d)
{
	int			a = 0;

	/* the space is of the known attributes */
	while (builder->known[a] != builder->tree->space->attribute[d])
		a++;
	return a;
}

/* fill_coordinates writes the coordinates of a part of the points, which follow from their codes. */
static void
fill_coordinates(Builder *builder)
{
	SdcRankTree *tree = builder->tree;
	SdcTeamPart part = sdc_ranklevel_part(tree->team, builder->points);
	int			dimensions = tree->space->dimensions;
	int			attribute[64];

	for (int d = 0; d < dimensions; d++)
	{
		attribute[d] = attribute_of(builder, d);
		tree->plain = tree->plain && !tree->space->nominal[d];
	}
	for (uint32 start = part.start; start < part.end; start += FAN)
	{
		uint32		end = part.end - start < FAN ? part.end : start + FAN;

		sdc_interrupts_spend(&builder->credit, FAN);
		for (int d = 0; d < dimensions; d++)
			for (uint32 p = start; p < end; p++)
			{
				int32		code = tree->level[0].low[sdc_ranklevel_place(tree->attributes, p) + attribute[d] * FAN];
				double		coordinate = sdc_metricspace_coordinate(tree->space, d, sdc_ranklevel_code(code));

				tree->coordinate[(Size) p * dimensions + d] = coordinate;
				if (coordinate != coordinate)
					tree->plain = false;
			}
	}
	tree->plain = sdc_team_least(tree->team, tree->plain) != 0;
}

/* prefetch_codes has the codes of a point fetched that will be needed soon: they lie where its record does. */
static inline void
prefetch_codes(const Builder *builder, uint32 p)
{
	uint32		record;

	if (p >= builder->points)
		return;
	record = first_record(builder, builder->order[p]);
	for (int a = 0; a < builder->tree->attributes; a++)
		__builtin_prefetch(&column_of(builder, a)->protected[record]);
}

/* start_points finds where the records of the points begin. */
static void
start_points(Builder *builder)
{
	uint32	   *start = builder->tree->start;

	start[0] = 0;
	for (uint32 p = 0; p < builder->points; p++)
	{
		const uint32 *first = builder->first + builder->order[p];

		sdc_interrupts_spend(&builder->credit, 1);
		start[p + 1] = start[p] + first[1] - first[0];
	}
}

/* fill_records writes the records of a part of the points. */
static void
fill_records(Builder *builder, SdcTeamPart part)
{
	SdcRankTree *tree = builder->tree;

	for (uint32 p = part.start; p < part.end; p++)
	{
		uint32		count = tree->start == NULL ? 1 : tree->start[p + 1] - tree->start[p];

		sdc_interrupts_spend(&builder->credit, count);
		if (tree->start == NULL)
			tree->record[p] = builder->order[p];
		else
			memcpy(tree->record + tree->start[p], builder->record + builder->first[builder->order[p]],
				   count * sizeof(uint32));
	}
}

/* fill_points writes records, codes and coordinates of the points in their order. */
static void
fill_points(Builder *builder)
{
	SdcRankTree *tree = builder->tree;
	SdcTeamPart part = sdc_ranklevel_part(tree->team, builder->points);

	tree->distinct = builder->first == NULL;
	tree->start = tree->distinct ? NULL : sdc_team_array(tree->team, uint32, (Size) builder->points + 1);
	tree->record = sdc_team_array(tree->team, uint32, builder->pairs->records);
	tree->coordinate = sdc_team_matrix(tree->team, double, builder->points, tree->space->dimensions);
	tree->level[0].count = builder->points;
	tree->level[0].low = sdc_ranklevel_codes(builder->points, tree->attributes, tree->team, &builder->credit);
	tree->level[0].high = tree->level[0].low;
	if (sdc_team_first(tree->team) && !tree->distinct)
		start_points(builder);
	sdc_team_barrier(tree->team);
	fill_records(builder, part);
	for (uint32 p = part.start; p < part.end; p++)
	{
		uint32		record = first_record(builder, builder->order[p]);
		int32	   *code = tree->level[0].low + sdc_ranklevel_place(tree->attributes, p);

		sdc_interrupts_spend(&builder->credit, 1);
		prefetch_codes(builder, p + AHEAD);
		for (int a = 0; a < tree->attributes; a++)
			code[a * FAN] = sdc_ranklevel_signed(column_of(builder, a)->protected[record]);
	}
	fill_coordinates(builder);
}

/* child_corner gets the coordinates that a child of a node lies between in one dimension. */
static inline void
child_corner(const SdcRankTree *tree, int level, uint32 child, int d, double *corner)
{
	int			dimensions = tree->space->dimensions;
	double		coordinate;

	if (level > 0)
	{
		corner[0] = tree->level[level].corner[((Size) child * dimensions + d) * 2];
		corner[1] = tree->level[level].corner[((Size) child * dimensions + d) * 2 + 1];
		return;
	}
	/* a missing coordinate contributes nothing: it may be anywhere */
	coordinate = tree->coordinate[(Size) child * dimensions + d];
	corner[0] = coordinate == coordinate ? coordinate : -INFINITY;
	corner[1] = coordinate == coordinate ? coordinate : INFINITY;
}

/* bound_corners finds the corners of a node of a level, and its smallest record. */
static void
bound_corners(SdcRankTree *tree, int level, uint32 node, uint32 first, uint32 end)
{
	int			dimensions = tree->space->dimensions;
	double	   *corner = tree->level[level].corner + (Size) node * dimensions * 2;
	uint32		least = SDC_RECORD_NONE;

	for (int d = 0; d < dimensions; d++)
	{
		double		low = INFINITY;
		double		high = -INFINITY;
		double		of_child[2];

		for (uint32 child = first; child < end; child++)
		{
			child_corner(tree, level - 1, child, d, of_child);
			low = of_child[0] < low ? of_child[0] : low;
			high = of_child[1] > high ? of_child[1] : high;
		}
		corner[2 * d] = low;
		corner[2 * d + 1] = high;
	}
	for (uint32 child = first; child < end; child++)
	{
		uint32		record = level > 1 ? tree->level[level - 1].least[child] :
			sdc_ranktree_first(tree, child);

		least = record < least ? record : least;
	}
	tree->level[level].least[node] = least;
}

/* fill_level bounds the nodes of a level by their children, which all are there. */
static void
fill_level(Builder *builder, int level)
{
	SdcRankTree *tree = builder->tree;
	const SdcRankLevel *children = &tree->level[level - 1];
	SdcRankLevel *nodes = &tree->level[level];
	Size		corners = 2 * (Size) tree->space->dimensions;
	SdcTeamPart part;

	sdc_ranklevel_bound(nodes, children, tree->attributes, tree->team, &builder->credit);
	nodes->corner = sdc_team_matrix(tree->team, double, nodes->count, corners);
	nodes->least = sdc_team_array(tree->team, uint32, nodes->count);
	part = sdc_ranklevel_part(tree->team, nodes->count);
	for (uint32 node = part.start; node < part.end; node++)
	{
		uint32		first = node * FAN;
		uint32		end = children->count - first > FAN ? first + FAN : children->count;

		sdc_interrupts_spend(&builder->credit, FAN);
		bound_corners(tree, level, node, first, end);
	}
	sdc_team_barrier(tree->team);
}

#ifdef SDC_CHECKS

/* check_points: each record is in one point, in ascending order, and has its codes. */
static bool
check_points(const SdcRankTree *tree, const SdcPairs *pairs, const int *known)
{
	uint32		points = tree->level[0].count;
	bool	   *seen = sdc_alloc_zeros(bool, pairs->records);
	bool		good = sdc_ranktree_start(tree, 0) == 0 && sdc_ranktree_start(tree, points) == pairs->records;

	for (uint32 p = 0; good && p < points; p++)
	{
		const int32 *code = tree->level[0].low + sdc_ranklevel_place(tree->attributes, p);

		uint32		start = sdc_ranktree_start(tree, p);
		uint32		end = sdc_ranktree_start(tree, p + 1);

		good = start < end && end <= pairs->records;
		for (uint32 i = start; good && i < end; i++)
		{
			uint32		record = tree->record[i];

			good = record < pairs->records && !seen[record] &&
				(i == start || record > tree->record[i - 1]);
			for (int a = 0; good && a < tree->attributes; a++)
				good = code[a * FAN] ==
					sdc_ranklevel_signed(pairs->column[known[a]].protected[record]);
			if (good)
				seen[record] = true;
		}
	}
	sdc_free(seen);
	return good;
}

/* check_node: the corners of a node are around those of its children, its least record is theirs. */
static bool
check_node(const SdcRankTree *tree, int level, uint32 node)
{
	const SdcRankLevel *nodes = &tree->level[level];
	int			dimensions = tree->space->dimensions;
	const double *corner = nodes->corner + (Size) node * dimensions * 2;
	uint32		end = tree->level[level - 1].count;
	uint32		least = SDC_RECORD_NONE;

	for (uint32 child = node * FAN; child < end && child / FAN == node; child++)
	{
		uint32		record = level > 1 ? tree->level[level - 1].least[child] :
			sdc_ranktree_first(tree, child);
		double		of_child[2];

		least = record < least ? record : least;
		for (int d = 0; d < dimensions; d++)
		{
			child_corner(tree, level - 1, child, d, of_child);
			if (!(corner[2 * d] <= of_child[0] && of_child[1] <= corner[2 * d + 1]))
				return false;
		}
	}
	return nodes->least[node] == least;
}

/* sdc_ranktree_check: the points are the records, and all nodes know what is below them. */
bool
sdc_ranktree_check(const SdcRankTree *tree, const SdcPairs *pairs, const int *known)
{
	if (!check_points(tree, pairs, known) || tree->level[tree->levels - 1].count > FAN)
		return false;
	for (int level = 1; level < tree->levels; level++)
	{
		if (!sdc_ranklevel_check(&tree->level[level], &tree->level[level - 1], tree->attributes))
			return false;
		for (uint32 node = 0; node < tree->level[level].count; node++)
			if (!check_node(tree, level, node))
				return false;
	}
	return true;
}

#endif							/* SDC_CHECKS */

/* order_points finds the order of the points. */
static void
order_points(Builder *builder)
{
	SdcTeam    *team = builder->tree->team;
	int			attributes = builder->tree->attributes;
	uint64		mark;
	double	   *position[64];

	builder->order = sdc_team_array(team, uint32, builder->points);
	mark = sdc_team_mark(team);
	for (int a = 0; a < attributes; a++)
	{
		position[a] = sdc_team_array(team, double, builder->points);
		if (sdc_team_takes(team, (uint64) a))
			sdc_ranklevel_positions(column_of(builder, a), builder->pairs->records, builder->record, builder->first,
									builder->points, position[a], &builder->credit);
	}
	/* they meet before the first of them orders points, and after the last */
	sdc_ranklevel_order((const double *const *) position, attributes, builder->order, builder->points, team);
	for (int a = 0; a < attributes; a++)
		sdc_team_free(team, position[a]);
	sdc_team_release(team, mark);
}

/* sdc_ranktree_create: see ranktree.h. */
SdcRankTree *
sdc_ranktree_create(const SdcPairs *pairs, const int *known, int attributes,
					const SdcMetricSpace *space, SdcTeam *team)
{
	SdcRankTree *tree = sdc_alloc(sizeof(SdcRankTree));
	Builder		builder = {.pairs = pairs, .known = known, .tree = tree,
	.credit = SDC_INTERRUPT_STEPS};

	SDC_ASSERT(attributes >= 1 && attributes <= 64);
	SDC_ASSERT(space->factor == NULL);
	tree->attributes = attributes;
	tree->space = space;
	tree->plain = space->squared;
	tree->vectors = true;
	tree->team = team;
	tree->mark = sdc_team_mark(team);
	collapse_records(&builder);
	order_points(&builder);
	fill_points(&builder);
	sdc_team_free(team, builder.order);
	if (builder.first != NULL)
		forget_collapsed(&builder);

	tree->levels = 1;
	while (tree->level[tree->levels - 1].count > FAN)
	{
		fill_level(&builder, tree->levels);
		tree->levels++;
	}
	SDC_ASSERT(sdc_ranktree_check(tree, pairs, known));
	return tree;
}

/* sdc_ranktree_destroy accepts NULL. */
void
sdc_ranktree_destroy(SdcRankTree *tree)
{
	if (tree == NULL)
		return;
	for (int level = tree->levels - 1; level > 0; level--)
	{
		sdc_team_free(tree->team, tree->level[level].least);
		sdc_team_free(tree->team, tree->level[level].corner);
		sdc_team_free(tree->team, tree->level[level].high);
		sdc_team_free(tree->team, tree->level[level].low);
	}
	sdc_team_free(tree->team, tree->level[0].low);
	sdc_team_free(tree->team, tree->coordinate);
	sdc_team_free(tree->team, tree->record);
	if (tree->start != NULL)
		sdc_team_free(tree->team, tree->start);
	sdc_team_release(tree->team, tree->mark);
	sdc_free(tree);
}
