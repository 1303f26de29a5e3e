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
 * A group is another tree of the same points, with nodes of some attributes and points of bytes.
 * The plan says which groups an annotated union needs (rankunion.h): it estimates what searches
 * take from a sample, and chooses for each level how many parts the attributes have, and then
 * what levels to take together.  It decides about time, never about results.
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
#include "kernel/rank/rankwindow.h"

#define BITS SDC_RANKTREE_BITS
#define FAN SDC_RANKTREE_FAN

/*
 * What a group takes, in the time of a block of the tree, measured: a search; each block in it, and
 * each point that may be a candidate; each point when it is built.
 */
#define SEARCH_COST 8.0
#define BLOCK_COST 0.5
#define POINT_COST 1.5
#define BUILD_COST 5.0

/* What costs more than anything else. */
#define LAST_RESORT 1e12

/* A window that so large a share of the records is in is not worth a place in a group. */
#define WIDE_SHARE 0.9

/* blocks_of is the number of blocks of so many points or nodes. */
static inline uint32
blocks_of(uint32 count)
{
	return count / FAN + (count % FAN != 0);
}

/* sdc_ranktree_memory: the tree, and while it is built the order and its coordinates. */
uint64
sdc_ranktree_memory(uint32 records, int attributes)
{
	uint64		blocks = (uint64) records / FAN + 1;
	uint64		points = (uint64) records * (2 * sizeof(uint32) + attributes * sizeof(double)) +
		blocks * attributes * FAN * sizeof(int32);
	uint64		nodes = (blocks + blocks / (FAN - 1) + SDC_RANKTREE_LEVELS * FAN) *
		(attributes * (2 * sizeof(int32) + 2 * sizeof(double)) + sizeof(uint32));
	uint64		work = (uint64) records * (8 * sizeof(uint32) + attributes * sizeof(double));

	return points + nodes + work + sizeof(SdcRankTree);
}

/* What is needed while a tree is built. */
typedef struct Builder
{
	const SdcPairs *pairs;
	const int  *known;
	SdcRankTree *tree;
	uint32	   *record;			/* sorted by codes, then by number */
	uint32	   *first;			/* by point: the first of its records in it, and the end */
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

/* collapse_records sorts the records by their codes and finds the points. */
static void
collapse_records(Builder *builder)
{
	uint32		records = builder->pairs->records;
	uint32	   *from = sdc_alloc_array(uint32, records);
	uint32	   *to = sdc_alloc_array(uint32, records);
	uint32		points = 0;

	for (uint32 i = 0; i < records; i++)
		from[i] = i;
	for (int a = builder->tree->attributes - 1; a >= 0; a--)
	{
		const SdcPairColumn *column = column_of(builder, a);
		SdcCodesort sort = {column->protected, 1, column->codes, NULL};
		uint32	   *start = sdc_alloc_array(uint32, (Size) column->codes + 1);
		uint32	   *swap = from;

		sdc_codesort_pass(&sort, from, to, records, start, &builder->credit);
		from = to;
		to = swap;
		sdc_free(start);
	}
	builder->record = from;
	builder->first = sdc_alloc_array(uint32, (Size) records + 1);
	for (uint32 i = 0; i < records; i++)
	{
		sdc_interrupts_spend(&builder->credit, 1);
		if (i == 0 || !same_codes(builder, from[i - 1], from[i]))
			builder->first[points++] = i;
	}
	builder->first[points] = records;
	builder->points = points;
	sdc_free(to);
}

/*
 * place_points gives each point its place in a column, by ranks, in which windows are
 * equally wide everywhere: twice the middle of its tie group.  The records of a point begin at
 * record[first[point]].
 */
static double *
place_points(const SdcPairColumn *column, uint32 records, const uint32 *record,
			 const uint32 *first, uint32 points, uint32 *credit)
{
	double	   *position = sdc_alloc_array(double, points);
	SdcPositions sorted;

	sdc_positions_create(&sorted, column->protected, records, column->codes);
	for (uint32 p = 0; p < points; p++)
	{
		uint32		code = column->protected[record[first[p]]];

		sdc_interrupts_spend(credit, 1);
		position[p] = code == SDC_CODE_NULL ? 2.0 * records :
			(double) sorted.below[code] + sorted.below[code + 1];
	}
	sdc_positions_destroy(&sorted);
	return position;
}

/*
 * order_points finds the kd order: of the largest nodes, of the next smaller ones in
 * them, and so on, so that each node is a part of space.  It frees the positions.
 */
static uint32 *
order_points(double **position, int attributes, uint32 points)
{
	uint32	   *order = sdc_alloc_array(uint32, points);

	for (uint32 p = 0; p < points; p++)
		order[p] = p;
	for (int level = SDC_RANKTREE_LEVELS - 1; level > 0; level--)
	{
		uint64		parent = UINT64_C(1) << (level + 1) * BITS;

		for (uint64 first = 0; first < points; first += parent)
		{
			uint64		rest = points - first;

			sdc_kdorder_build((const double *const *) position, attributes, order + first,
							  (uint32) (rest < parent ? rest : parent),
							  UINT32_C(1) << level * BITS);
		}
	}
	for (int a = 0; a < attributes; a++)
		sdc_free(position[a]);
	return order;
}

/* code_place is where the codes of a node or point are; the next attribute's are FAN on. */
static inline Size
code_place(int attributes, uint32 node)
{
	return (Size) (node / FAN) * attributes * FAN + node % FAN;
}

/* create_codes allocates the codes of a level, missing where there is no node. */
static int32 *
create_codes(uint32 count, int attributes, uint32 *credit)
{
	Size		rows = (Size) blocks_of(count) * attributes;
	int32	   *code = sdc_alloc_matrix(int32, rows, FAN);

	for (Size row = 0; row < rows; row++)
	{
		sdc_interrupts_spend(credit, FAN);
		for (int k = 0; k < FAN; k++)
			code[row * FAN + k] = sdc_ranktree_signed(SDC_CODE_NULL);
	}
	return code;
}

/* fill_points writes records, codes and coordinates of the points in their order. */
static void
fill_points(Builder *builder)
{
	SdcRankTree *tree = builder->tree;
	int			dimensions = tree->space->dimensions;
	uint32		records = 0;

	tree->start = sdc_alloc_array(uint32, (Size) builder->points + 1);
	tree->record = sdc_alloc_array(uint32, builder->pairs->records);
	tree->coordinate = sdc_alloc_matrix(double, builder->points, dimensions);
	tree->level[0].count = builder->points;
	tree->distinct = builder->points == builder->pairs->records;
	tree->level[0].low = create_codes(builder->points, tree->attributes, &builder->credit);
	tree->level[0].high = tree->level[0].low;
	for (uint32 p = 0; p < builder->points; p++)
	{
		const uint32 *from = builder->record + builder->first[builder->order[p]];
		uint32		count = builder->first[builder->order[p] + 1] -
			builder->first[builder->order[p]];
		int32	   *code = tree->level[0].low + code_place(tree->attributes, p);
		double	   *coordinate = tree->coordinate + (Size) p * dimensions;

		sdc_interrupts_spend(&builder->credit, count);
		tree->start[p] = records;
		memcpy(tree->record + records, from, count * sizeof(uint32));
		records += count;
		for (int a = 0; a < tree->attributes; a++)
			code[a * FAN] = sdc_ranktree_signed(column_of(builder, a)->protected[from[0]]);
		sdc_metricspace_protected(tree->space, from[0], coordinate);
		for (int d = 0; d < dimensions; d++)
			if (coordinate[d] != coordinate[d] || tree->space->nominal[d])
				tree->plain = false;
	}
	tree->start[builder->points] = records;
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
			tree->record[tree->start[child]];

		least = record < least ? record : least;
	}
	tree->level[level].least[node] = least;
}

/* bound_codes makes a level of nodes from that of their children. */
static void
bound_codes(SdcRankLevel *nodes, const SdcRankLevel *children, int attributes, uint32 *credit)
{
	nodes->count = blocks_of(children->count);
	nodes->low = create_codes(nodes->count, attributes, credit);
	nodes->high = create_codes(nodes->count, attributes, credit);
	for (uint32 node = 0; node < nodes->count; node++)
	{
		uint32		first = node * FAN;
		uint32		count = children->count - first > FAN ? FAN : children->count - first;

		sdc_interrupts_spend(credit, FAN);
		for (int a = 0; a < attributes; a++)
		{
			Size		from = code_place(attributes, first) + (Size) a * FAN;
			Size		to = code_place(attributes, node) + (Size) a * FAN;
			int32		low = children->low[from];
			int32		high = children->high[from];

			for (uint32 i = 1; i < count; i++)
			{
				low = children->low[from + i] < low ? children->low[from + i] : low;
				high = children->high[from + i] > high ? children->high[from + i] : high;
			}
			nodes->low[to] = low;
			nodes->high[to] = high;
		}
	}
}

/* fill_level bounds the nodes of a level by their children. */
static void
fill_level(Builder *builder, int level)
{
	SdcRankTree *tree = builder->tree;
	const SdcRankLevel *children = &tree->level[level - 1];
	SdcRankLevel *nodes = &tree->level[level];
	Size		corners = 2 * (Size) tree->space->dimensions;

	bound_codes(nodes, children, tree->attributes, &builder->credit);
	nodes->corner = sdc_alloc_matrix(double, nodes->count, corners);
	nodes->least = sdc_alloc_array(uint32, nodes->count);
	for (uint32 node = 0; node < nodes->count; node++)
	{
		uint32		first = node * FAN;
		uint32		end = children->count - first > FAN ? first + FAN : children->count;

		sdc_interrupts_spend(&builder->credit, FAN);
		bound_corners(tree, level, node, first, end);
	}
}

/* sdc_ranktree_create: see ranktree.h. */
SdcRankTree *
sdc_ranktree_create(const SdcPairs *pairs, const int *known, int attributes,
					const SdcMetricSpace *space)
{
	SdcRankTree *tree = sdc_alloc(sizeof(SdcRankTree));
	Builder		builder = {.pairs = pairs, .known = known, .tree = tree,
	.credit = SDC_INTERRUPT_STEPS};
	double	   *position[64];

	SDC_ASSERT(attributes >= 1 && attributes <= 64);
	SDC_ASSERT(space->factor == NULL);
	tree->attributes = attributes;
	tree->space = space;
	tree->plain = space->squared;
	tree->vectors = true;
	collapse_records(&builder);
	for (int a = 0; a < attributes; a++)
		position[a] = place_points(column_of(&builder, a), pairs->records, builder.record,
								   builder.first, builder.points, &builder.credit);
	builder.order = order_points(position, attributes, builder.points);
	fill_points(&builder);
	sdc_free(builder.order);
	sdc_free(builder.first);
	sdc_free(builder.record);

	tree->levels = 1;
	while (tree->level[tree->levels - 1].count > FAN)
	{
		fill_level(&builder, tree->levels);
		tree->levels++;
	}
	return tree;
}

/* sdc_ranktree_destroy accepts NULL. */
void
sdc_ranktree_destroy(SdcRankTree *tree)
{
	if (tree == NULL)
		return;
	for (int level = 1; level < tree->levels; level++)
	{
		sdc_free(tree->level[level].least);
		sdc_free(tree->level[level].corner);
		sdc_free(tree->level[level].high);
		sdc_free(tree->level[level].low);
	}
	sdc_free(tree->level[0].low);
	sdc_free(tree->coordinate);
	sdc_free(tree->record);
	sdc_free(tree->start);
	sdc_free(tree);
}

/* sdc_ranktree_bins: see ranktree.h.  Where there are many codes, bins have as many values. */
SdcRankBins *
sdc_ranktree_bins(const SdcRankTree *tree, const SdcPairs *pairs, const int *known)
{
	SdcRankBins *bins = sdc_alloc(sizeof(SdcRankBins));
	uint32		points = tree->level[0].count;
	uint32		credit = SDC_INTERRUPT_STEPS;

	bins->attributes = tree->attributes;
	bins->of_code = sdc_alloc_array(uint8 *, tree->attributes);
	bins->of_point = sdc_alloc_matrix(uint8, points, tree->attributes);
	for (int a = 0; a < tree->attributes; a++)
	{
		const SdcPairColumn *column = &pairs->column[known[a]];
		uint8	   *bin = sdc_alloc_array(uint8, column->codes);
		SdcPositions sorted;

		sdc_positions_create(&sorted, column->protected, pairs->records, column->codes);
		for (uint32 c = 0; c < column->codes; c++)
		{
			uint64		place = (uint64) sorted.below[c] * SDC_RANKTREE_MISSING /
				((uint64) sorted.count + 1);

			sdc_interrupts_spend(&credit, 1);
			bin[c] = (uint8) (column->codes <= SDC_RANKTREE_MISSING ? c : place);
		}
		sdc_positions_destroy(&sorted);
		for (uint32 p = 0; p < points; p++)
		{
			uint32		code = column->protected[tree->record[tree->start[p]]];

			sdc_interrupts_spend(&credit, 1);
			bins->of_point[(Size) p * tree->attributes + a] =
				code == SDC_CODE_NULL ? SDC_RANKTREE_MISSING : bin[code];
		}
		bins->of_code[a] = bin;
	}
	return bins;
}

/* sdc_ranktree_unbin frees bins. */
void
sdc_ranktree_unbin(SdcRankBins *bins)
{
	for (int a = 0; a < bins->attributes; a++)
		sdc_free(bins->of_code[a]);
	sdc_free(bins->of_code);
	sdc_free(bins->of_point);
	sdc_free(bins);
}

/* order_group finds the order of a group, and writes the codes that nodes are made from. */
static void
order_group(SdcRankGroup *group, const SdcRankTree *tree, const SdcPairs *pairs,
			const int *known, uint32 *credit)
{
	uint32		points = tree->level[0].count;
	double	   *position[64];

	for (int a = 0; a < group->attributes; a++)
		position[a] = place_points(&pairs->column[known[group->attribute[a]]], pairs->records,
								   tree->record, tree->start, points, credit);
	group->point = order_points(position, group->attributes, points);
	group->level[0].count = points;
	group->level[0].low = create_codes(points, group->attributes, credit);
	group->level[0].high = group->level[0].low;
	for (int a = 0; a < group->attributes; a++)
	{
		const uint32 *protected = pairs->column[known[group->attribute[a]]].protected;

		for (uint32 p = 0; p < points; p++)
		{
			uint32		record = tree->record[tree->start[group->point[p]]];

			sdc_interrupts_spend(credit, 1);
			group->level[0].low[code_place(group->attributes, p) + (Size) a * FAN] =
				sdc_ranktree_signed(protected[record]);
		}
	}
}

/* fill_bins writes the bins of the points in the order of a group. */
static void
fill_bins(SdcRankGroup *group, const SdcRankBins *bins, uint32 *credit)
{
	uint32		points = group->level[0].count;
	Size		blocks = (Size) blocks_of(points) * group->stored;

	group->bin = sdc_alloc_matrix(uint8, blocks, FAN);
	for (Size block = 0; block < blocks; block++)
	{
		sdc_interrupts_spend(credit, 1);
		memset(group->bin + block * FAN, SDC_RANKTREE_MISSING, FAN);
	}
	for (uint32 p = 0; p < points; p++)
	{
		const uint8 *from = bins->of_point + (Size) group->point[p] * bins->attributes;
		uint8	   *to = group->bin + code_place(group->stored, p);

		sdc_interrupts_spend(credit, 1);
		for (int a = 0; a < group->stored; a++)
			to[a * FAN] = from[group->attribute[a]];
	}
}

/* sdc_ranktree_group: see ranktree.h. */
SdcRankGroup *
sdc_ranktree_group(const SdcRankTree *tree, const SdcRankBins *bins, const SdcPairs *pairs,
				   const int *known, uint64 member)
{
	SdcRankGroup *group = sdc_alloc(sizeof(SdcRankGroup));
	uint32		credit = SDC_INTERRUPT_STEPS;

	*group = (SdcRankGroup) {.member = member};
	for (int of_nodes = 1; of_nodes >= 0; of_nodes--)
		for (int a = 0; a < tree->attributes; a++)
		{
			if ((int) (member >> a & 1) != of_nodes)
				continue;
			group->attribute[group->stored++] = a;
			group->attributes += of_nodes;
		}
	order_group(group, tree, pairs, known, &credit);
	fill_bins(group, bins, &credit);
	group->levels = 1;
	while (group->level[group->levels - 1].count > FAN)
	{
		bound_codes(&group->level[group->levels], &group->level[group->levels - 1],
					group->attributes, &credit);
		group->levels++;
	}
	sdc_free(group->level[0].low);
	return group;
}

/* sdc_ranktree_ungroup frees a group. */
void
sdc_ranktree_ungroup(SdcRankGroup *group)
{
	for (int level = 1; level < group->levels; level++)
	{
		sdc_free(group->level[level].high);
		sdc_free(group->level[level].low);
	}
	sdc_free(group->bin);
	sdc_free(group->point);
	sdc_free(group);
}

/* A plan at work. */
typedef struct Planner
{
	const SdcRankCensus *census;
	double		share[64];		/* of the pairs that are inside the window of an attribute */
	int			sorted[64];		/* attributes, the narrowest windows first */
	int			wide;			/* that tell next to nothing */
	double		passing[65];	/* points inside so many windows, at least */
	SdcRankStage stage[65];		/* the best by its level */
	double		cost[65][SDC_RANKTREE_GROUPS];	/* of a search in its groups */
	double		build;			/* of a tree */
	uint32		credit;
} Planner;

/* group_cost estimates what a search in a group takes, in blocks. */
static double
group_cost(Planner *planner, uint64 member)
{
	const SdcRankCensus *census = planner->census;
	double		blocks = (double) census->points / FAN + 1;
	double		edge = member == 0 ? 0 : pow(blocks, -1.0 / __builtin_popcountll(member));
	double		reached = 1;
	uint32		joint = 0;

	for (uint64 rest = member; rest != 0; rest &= rest - 1)
	{
		double		width = planner->share[__builtin_ctzll(rest)] + edge;

		reached *= width < 1 ? width : 1;
	}
	/* attributes that depend on each other share more than that */
	for (uint32 i = 0; i < census->hits; i++)
		joint += (member & ~census->hit[i]) == 0;
	sdc_interrupts_spend(&planner->credit, census->hits);
	if (reached * census->hits < joint)
		reached = (double) joint / census->hits;
	if (member == 0 && census->free)
		return LAST_RESORT / 2;
	return SEARCH_COST + BLOCK_COST * blocks * reached;
}

/* stage_cost is what a search for an original of a level takes in a stage. */
static double
stage_cost(const Planner *planner, const SdcRankStage *stage, const double *cost, int level)
{
	double		sum = POINT_COST * planner->passing[level];

	for (int j = 0; j < stage->groups; j++)
		sum += stage->reach[j] >= level ? cost[j] : 0;
	return sum * planner->census->originals[level];
}

/* A part of the attributes, of which so many are in each set. */
typedef struct Part
{
	int			size;
	int			chosen;
	uint64		member;
	double		share;			/* of the members, multiplied */
} Part;

/* choices is how many sets a part gives, or a few more than too many. */
static double
choices(const Part *part, int size)
{
	double		count = 1;

	for (int i = 1; i <= part->chosen && count <= SDC_RANKTREE_GROUPS; i++)
		count = count * (size - part->chosen + i) / i;
	return count;
}

/* divide_attributes fills the parts so that they are about equally narrow. */
static void
divide_attributes(const Planner *planner, Part *part, int parts, int attributes)
{
	for (int i = 0; i < attributes; i++)
	{
		Part	   *widest = NULL;

		for (int k = 0; k < parts; k++)
			if (__builtin_popcountll(part[k].member) < part[k].size &&
				(widest == NULL || part[k].share > widest->share))
				widest = &part[k];
		widest->member |= UINT64_C(1) << planner->sorted[i];
		widest->share *= planner->share[planner->sorted[i]];
	}
}

/* list_sets makes the sets of a stage from its parts. */
static void
list_sets(const Part *part, int parts, int wide, SdcRankStage *stage)
{
	int			before = wide;	/* windows that a record can be in that is in no set so far */

	for (int k = 0; k < parts; k++)
		before += part[k].size;
	stage->groups = 0;
	for (int k = 0; k < parts; k++)
	{
		int			count = (int) choices(&part[k], part[k].size);
		uint64		places = ~UINT64_C(0) >> (64 - part[k].chosen);

		/* in ascending order, as numbers: what is below the highest member has been before */
		for (int i = 0; i < count; i++)
		{
			int			highest = 63 - __builtin_clzll(places);
			uint64		low = places & -places;
			uint64		next = places + low;
			uint64		member = 0;
			uint64		rest = part[k].member;

			for (int place = 0; rest != 0; rest &= rest - 1, place++)
				if (places >> place & 1)
					member |= rest & -rest;
			stage->member[stage->groups] = member;
			stage->reach[stage->groups++] = before - highest - 1 + part[k].chosen;
			places = (((next ^ places) >> 2) / low) | next;
		}
		before -= part[k].size - part[k].chosen + 1;
	}
}

/*
 * make_stage makes a stage of so many parts.  Of those inside level windows some part has
 * at least so many as it chooses, if what they all may have without it adds up to less.
 */
static bool
make_stage(const Planner *planner, int level, int parts, SdcRankStage *stage)
{
	int			wide = planner->wide < level ? planner->wide : level - 1;
	int			attributes = planner->census->attributes - wide;
	int			spread = level - wide - 1;
	int			rest = attributes - spread - parts;
	double		sets = parts;
	Part		part[SDC_RANKTREE_GROUPS];

	if (rest < 0 || parts > SDC_RANKTREE_GROUPS)
		return false;
	for (int k = 0; k < parts; k++)
	{
		int			chosen = 1 + spread / parts + (k < spread % parts);

		part[k] = (Part) {.size = chosen, .chosen = chosen, .share = 1};
	}
	for (; rest > 0; rest--)
	{
		Part	   *cheapest = NULL;
		double		least = INFINITY;

		for (int k = 0; k < parts; k++)
		{
			double		more = choices(&part[k], part[k].size + 1) - choices(&part[k], part[k].size);

			if (more < least)
				cheapest = &part[k];
			least = more < least ? more : least;
		}
		cheapest->size++;
		sets += least;
		if (sets > SDC_RANKTREE_GROUPS)
			return false;
	}
	divide_attributes(planner, part, parts, attributes);
	list_sets(part, parts, wide, stage);
	stage->level = level;
	return true;
}

/* best_stage looks for the best stage for a level alone; it has no groups if there is none. */
static void
best_stage(Planner *planner, int level)
{
	SdcRankStage *best = &planner->stage[level];
	double		least = INFINITY;

	best->groups = 0;
	if (planner->census->originals[level] == 0)
		return;
	for (int parts = 0; parts <= level; parts++)
	{
		/* no part: all points are looked at */
		SdcRankStage stage = {.level = level, .groups = 1,
		.reach = {planner->census->attributes}};
		double		cost[SDC_RANKTREE_GROUPS];
		double		sum;

		if (parts > 0 && !make_stage(planner, level, parts, &stage))
			continue;
		for (int j = 0; j < stage.groups; j++)
			cost[j] = group_cost(planner, stage.member[j]);
		sum = stage_cost(planner, &stage, cost, level) + planner->build * stage.groups;
		if (sum < least)
		{
			least = sum;
			*best = stage;
			memcpy(planner->cost[level], cost, sizeof(cost));
		}
	}
}

/*
 * measure_shares finds how wide the windows of the attributes are, and sorts them, and how
 * many points are inside so many of them.
 */
static void
measure_shares(Planner *planner)
{
	const SdcRankCensus *census = planner->census;

	planner->wide = 0;
	for (int a = 0; a < census->attributes; a++)
	{
		uint32		inside = 0;
		int			place = a;

		for (uint32 i = 0; i < census->hits; i++)
			inside += census->hit[i] >> a & 1;
		sdc_interrupts_spend(&planner->credit, census->hits);
		planner->share[a] = (inside + 0.5) / census->hits;
		planner->wide += planner->share[a] > WIDE_SHARE;
		for (; place > 0 && planner->share[planner->sorted[place - 1]] > planner->share[a]; place--)
			planner->sorted[place] = planner->sorted[place - 1];
		planner->sorted[place] = a;
	}
	memset(planner->passing, 0, sizeof(planner->passing));
	for (uint32 i = 0; i < census->hits; i++)
		planner->passing[__builtin_popcountll(census->hit[i])] +=
			(double) census->points / census->hits;
	for (int level = 64; level > 0; level--)
		planner->passing[level - 1] += planner->passing[level];
}

/* sdc_ranktree_plan: see ranktree.h.  Levels up to each are planned for before the next. */
int
sdc_ranktree_plan(const SdcRankCensus *census, SdcRankStage stage[64])
{
	Planner    *planner = sdc_alloc(sizeof(Planner));
	double		total[65] = {0};	/* of the levels up to one */
	int			lowest[65];		/* of the stage for a level, or 0 */
	int			stages = 0;

	planner->census = census;
	planner->build = census->free ? 0 : BUILD_COST * census->points;
	planner->credit = SDC_INTERRUPT_STEPS;
	measure_shares(planner);
	for (int level = 1; level <= census->attributes; level++)
	{
		lowest[level] = 0;
		total[level] = total[level - 1] +
			(census->free ? LAST_RESORT : census->cost[level]) * census->originals[level];
		best_stage(planner, level);
		for (int low = 1; low <= level; low++)
		{
			const SdcRankStage *from = &planner->stage[low];
			double		sum = total[low - 1] + planner->build * from->groups;

			if (from->groups == 0)
				continue;
			for (int l = low; l <= level; l++)
				sum += stage_cost(planner, from, planner->cost[low], l);
			if (sum >= total[level])
				continue;
			total[level] = sum;
			lowest[level] = low;
		}
	}
	for (int level = census->attributes; level > 0; level--)
	{
		if (lowest[level] == 0)
			continue;
		stage[stages] = planner->stage[lowest[level]];
		stage[stages++].top = level;
		level = lowest[level];
	}
	sdc_free(planner);
	return stages;
}

/*
 * sdc_ranktree_group_memory: bins of points and of codes, which are at most twice as many;
 * the bins, the order and the codes of a group; its nodes; and what a plan takes.
 */
uint64
sdc_ranktree_group_memory(uint32 records, int attributes)
{
	uint64		blocks = (uint64) records / FAN + 1;
	uint64		nodes = (blocks + blocks / (FAN - 1) + SDC_RANKTREE_LEVELS * FAN) *
		attributes * 2 * sizeof(int32);
	uint64		bins = (uint64) attributes * (3 * (uint64) records + blocks * FAN);
	uint64		group = blocks * FAN * (attributes + 1) * sizeof(int32);

	return bins + group + nodes + sizeof(Planner) + 64 * sizeof(SdcRankStage) + (1 << 16);
}
