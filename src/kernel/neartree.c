/*-------------------------------------------------------------------------
 *
 * neartree.c
 *		A tree over points that tells which of them can be near a query.
 *
 * A static tree of bounding boxes with eight children per node (as the packed R-tree of
 * I. Kamel and C. Faloutsos, "On packing R-trees", CIKM 1993, on the points in kd order),
 * laid out for vector arithmetic: the boxes of the children of a node, and the points of a
 * leaf, are stored dimension by dimension, so that eight of them are looked at
 * at once.
 *
 * All of it is in single precision, which halves the memory traffic and doubles the
 * points per instruction.  It decides nothing but what is certainly too far.  With c the
 * middle of the points, a coordinate becomes float((x - c) * unit); unit is
 * 1, unless the numbers are so great that their squares need a smaller one.  Let u =
 * 2^-24.  A difference of two such coordinates is wrong by at most u (|q| + |p|), one from a
 * box by less than 4 u (|q| + |p|).  By the triangle inequality the computed distance is
 * above the true one by at most the norm of these errors, besides the relative rounding
 * of the sum.  Limits are widened by both.  Codes of nominal attributes are rounded
 * monotonously: where floats differ codes do.
 *
 * Missing values: a dimension that the query lacks is skipped; it is the same for
 * all points.  In a partial tree a box in which a point lacks a dimension is unbounded
 * there, and a leaf counts common dimensions point by point.
 *
 * Complexity: a search that ends near takes O(log count) steps; in high dimensions it
 * takes O(count).  Memory: see sdc_neartree_memory.  Determinism: the order of
 * visits is determined by the input and the same with all instruction sets, which
 * round alike.  Limits: count below 2^32.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/kernel_env.h"

#include <float.h>
#include <math.h>

#include "kernel/neartree.h"

#define LEAF SDC_NEARTREE_LEAF
#define FANOUT SDC_NEARTREE_FANOUT
#define LEAF_VECTORS (LEAF / FANOUT)

/* Levels of nodes: 8^10 leaves of 32 are more than 2^32 points. */
#define MAX_LEVELS 10

/* A way down leaves at most FANOUT - 1 nodes per level behind. */
#define MAX_STACK (FANOUT * (MAX_LEVELS + 1))

/* Coordinates up to this have squares that can be added in single precision. */
#define FLOAT_COORDINATE_MAX 1e15

/* The unit roundoff of single precision. */
#define ROUNDOFF 0x1p-24

/* Vectors begin at multiples of this, and rows of boxes fill one cache line. */
#define ALIGNMENT 64

/* Eight numbers, and eight truth values. */
typedef float Vector __attribute__((vector_size(32)));
typedef int32 Mask __attribute__((vector_size(32)));

/*
 * The boxes of the children of a node in one dimension.  While the tree is built, low and
 * high; then center and half the width, which are quicker to compare with.
 */
typedef struct BoxRow
{
	float		center[FANOUT];
	float		half[FANOUT];
} BoxRow;

struct SdcNeartree
{
	/* what it is about */
	uint32		start;			/* the first point */
	uint32		count;
	int			total;			/* dimensions of the space */
	int			rows;			/* dimensions of the tree */
	int			numeric;		/* rows that are numeric; they come first */
	bool		squared;
	bool		partial;
	double		unit;			/* of single precision */
	float		weight;			/* contribution of a nominal dimension in that unit */

	/* by row */
	int		   *dimension;		/* of the space */
	double	   *middle;			/* between the least and the greatest coordinate */
	double	   *reach;			/* no coordinate is farther from it, in units */

	/* points and boxes */
	uint32		leaves;
	float	   *leaf;			/* LEAF points, row by row, of each leaf */
	int			levels;			/* of nodes; the last one has a single node */
	BoxRow	   *box[MAX_LEVELS];	/* all rows of each node of a level */
	uint32		children[MAX_LEVELS];	/* nodes of the level below (or leaves) */

	/* of the running search: the rows that the query has, numeric ones first */
	int			query_rows;
	int			query_numeric;
	int		   *query_row;
	float	   *query;
	void	   *memory;			/* leaf and box, not aligned */
};

/* A node or leaf that waits. */
typedef struct Waiting
{
	float		bound;			/* no point in it is nearer */
	int			level;			/* of the node; -1 is a leaf */
	uint32		index;
} Waiting;

typedef struct Search
{
	SdcNeartree *tree;
	SdcNeartreeVisit visit;
	void	   *arg;
	double		limit;			/* as the caller sees it */
	double		error;			/* of a distance (the root of a squared one) */
	double		share;			/* common dimensions per dimension; partial: at most */
	float		point_limit;	/* single precision sums above it are too far */
	float		node_limit;		/* the same for nodes */
	uint32		credit;			/* points until the next interrupt check */
	int			waiting;
	Waiting		stack[MAX_STACK];
} Search;

/* round_up divides, up. */
static inline uint64
round_up(uint64 n, uint64 by)
{
	return (n + by - 1) / by;
}

/* block_bytes is the size of leaves and boxes, and what aligning takes. */
static uint64
block_bytes(uint32 points, int rows)
{
	uint64		nodes = round_up(points, LEAF);
	uint64		bytes = nodes * LEAF * sizeof(float) * rows + ALIGNMENT;

	do
	{
		nodes = round_up(nodes, FANOUT);
		bytes += nodes * sizeof(BoxRow) * rows;
	} while (nodes > 1);
	return bytes;
}

/* sdc_neartree_memory adds everything up. */
uint64
sdc_neartree_memory(uint32 points, int dimensions)
{
	return sizeof(SdcNeartree) + block_bytes(points, dimensions) +
		(uint64) dimensions * (2 * sizeof(int) + 2 * sizeof(double) + sizeof(float));
}

/* choose_rows puts the numeric dimensions first. */
static void
choose_rows(SdcNeartree *tree, const SdcSpace *space, const int *dimension, int dimensions)
{
	tree->rows = 0;
	for (int nominal = 0; nominal < 2; nominal++)
	{
		for (int k = 0; k < dimensions; k++)
			if (space->nominal[dimension[k]] == (nominal == 1))
				tree->dimension[tree->rows++] = dimension[k];
		if (nominal == 0)
			tree->numeric = tree->rows;
	}
}

/* choose_unit finds the middle of each row, how far it reaches, and the unit. */
static void
choose_unit(SdcNeartree *tree, const double *point)
{
	double		greatest = 0;

	for (int row = 0; row < tree->rows; row++)
	{
		const double *from = point + tree->dimension[row];
		double		low = INFINITY;
		double		high = -INFINITY;

		for (uint32 i = 0; i < tree->count; i++)
		{
			double		x = from[(Size) i * tree->total];

			low = x < low ? x : low;
			high = x > high ? x : high;
			if (i % SDC_INTERRUPT_STEPS == 0)
				SDC_CHECK_INTERRUPTS();
		}
		tree->middle[row] = low <= high ? low / 2 + high / 2 : 0;
		tree->reach[row] = low <= high ? fmax(high - tree->middle[row],
											  tree->middle[row] - low) : 0;
		if (row < tree->numeric)
			greatest = fmax(greatest, tree->reach[row]);
	}
	tree->unit = 1;
	while (greatest * tree->unit > FLOAT_COORDINATE_MAX)
		tree->unit /= 2;
	for (int row = 0; row < tree->numeric; row++)
		tree->reach[row] *= tree->unit;
	tree->weight = (float) (tree->squared ? tree->unit * tree->unit : tree->unit);
}

/* to_float converts a coordinate.  Codes have no unit. */
static inline float
to_float(const SdcNeartree *tree, int row, double coordinate)
{
	double		x = coordinate - tree->middle[row];

	return (float) (row < tree->numeric ? x * tree->unit : x);
}

/* fill_leaves converts the points; what the last leaf has too much is NaN. */
static void
fill_leaves(SdcNeartree *tree, const double *point)
{
	for (uint32 leaf = 0; leaf < tree->leaves; leaf++)
	{
		float	   *to = tree->leaf + (Size) leaf * LEAF * tree->rows;
		uint32		first = leaf * LEAF;
		uint32		points = tree->count - first < LEAF ? tree->count - first : LEAF;

		if (leaf % (SDC_INTERRUPT_STEPS / LEAF) == 0)
			SDC_CHECK_INTERRUPTS();
		for (int row = 0; row < tree->rows; row++, to += LEAF)
		{
			const double *from = point + (Size) first * tree->total + tree->dimension[row];

			for (uint32 i = 0; i < points; i++)
				to[i] = to_float(tree, row, from[(Size) i * tree->total]);
			for (uint32 i = points; i < LEAF; i++)
				to[i] = NAN;
		}
	}
}

/*
 * leaf_box finds the box of a leaf in one row.  A partial tree has no bound where a
 * point lacks the coordinate.
 */
static void
leaf_box(const SdcNeartree *tree, uint32 leaf, int row, float *low, float *high)
{
	const float *x = tree->leaf + ((Size) leaf * tree->rows + row) * LEAF;
	uint32		points = tree->count - leaf * LEAF < LEAF ? tree->count - leaf * LEAF : LEAF;
	bool		missing = false;

	*low = INFINITY;
	*high = -INFINITY;
	for (uint32 i = 0; i < points; i++)
	{
		*low = x[i] < *low ? x[i] : *low;
		*high = x[i] > *high ? x[i] : *high;
		missing = missing || x[i] != x[i];
	}
	if (missing)
	{
		*low = -INFINITY;
		*high = INFINITY;
	}
}

/* node_box finds the box of a node of a level in one row, around those of its children. */
static void
node_box(const SdcNeartree *tree, int level, uint32 node, int row, float *low, float *high)
{
	const BoxRow *box = tree->box[level] + (Size) node * tree->rows + row;
	uint32		children = tree->children[level] - node * FANOUT;

	*low = INFINITY;
	*high = -INFINITY;
	for (uint32 i = 0; i < FANOUT && i < children; i++)
	{
		*low = box->center[i] < *low ? box->center[i] : *low;
		*high = box->half[i] > *high ? box->half[i] : *high;
	}
}

/* bound_children fills a level: low and high of all its nodes' children. */
static void
bound_children(SdcNeartree *tree, int level)
{
	for (uint32 child = 0; child < tree->children[level]; child++)
	{
		BoxRow	   *box = tree->box[level] + (Size) (child / FANOUT) * tree->rows;
		uint32		place = child % FANOUT;

		if (child % (SDC_INTERRUPT_STEPS / LEAF) == 0)
			SDC_CHECK_INTERRUPTS();
		for (int row = 0; row < tree->rows; row++)
		{
			if (level == 0)
				leaf_box(tree, child, row, &box[row].center[place], &box[row].half[place]);
			else
				node_box(tree, level - 1, child, row, &box[row].center[place],
						 &box[row].half[place]);
		}
	}
}

/* center_boxes turns low and high of a level into center and half the width, rounded up. */
static void
center_boxes(SdcNeartree *tree, int level)
{
	uint64		rows = round_up(tree->children[level], FANOUT) * tree->rows;

	for (uint64 i = 0; i < rows; i++)
	{
		BoxRow	   *box = &tree->box[level][i];

		if (i % SDC_INTERRUPT_STEPS == 0)
			SDC_CHECK_INTERRUPTS();
		for (int place = 0; place < FANOUT; place++)
		{
			float		low = box->center[place];
			float		high = box->half[place];
			bool		bounded = low > -INFINITY && high < INFINITY;
			float		center = bounded ? low / 2 + high / 2 : 0;
			float		half = fmaxf(high - center, center - low);

			box->center[place] = center;
			box->half[place] = bounded ? half * (1 + 2 * FLT_EPSILON) : INFINITY;
		}
	}
}

/* lay_out allocates leaves and boxes, and aligns them. */
static void
lay_out(SdcNeartree *tree)
{
	uint64		bytes = block_bytes(tree->count, tree->rows);
	uint32		nodes = tree->leaves;
	char	   *place;

	tree->memory = sdc_alloc(bytes);
	place = (char *) tree->memory + (-(uintptr_t) tree->memory & (ALIGNMENT - 1));
	tree->leaf = (float *) place;
	place += (Size) tree->leaves * LEAF * tree->rows * sizeof(float);
	tree->levels = 0;
	do
	{
		Size		rows = round_up(nodes, FANOUT) * tree->rows;

		tree->children[tree->levels] = nodes;
		tree->box[tree->levels] = (BoxRow *) place;
		/* places without a child are never looked at, but calculated with */
		memset(place, 0, rows * sizeof(BoxRow));
		place += rows * sizeof(BoxRow);
		nodes = (uint32) round_up(nodes, FANOUT);
		tree->levels++;
	} while (nodes > 1);
	SDC_ASSERT(tree->levels <= MAX_LEVELS);
	SDC_ASSERT(place <= (char *) tree->memory + bytes);
}

/* sdc_neartree_create: see neartree.h. */
SdcNeartree *
sdc_neartree_create(const SdcSpace *space, const double *point, const int *dimension,
					int dimensions, uint32 start, uint32 count, bool partial)
{
	SdcNeartree *tree = sdc_alloc(sizeof(SdcNeartree));

	SDC_ASSERT(count > 0 && dimensions > 0);
	tree->start = start;
	tree->count = count;
	tree->total = space->dimensions;
	tree->squared = space->squared;
	tree->partial = partial;
	tree->dimension = sdc_alloc((Size) dimensions * sizeof(int));
	tree->middle = sdc_alloc((Size) dimensions * sizeof(double));
	tree->reach = sdc_alloc((Size) dimensions * sizeof(double));
	tree->query_row = sdc_alloc((Size) dimensions * sizeof(int));
	tree->query = sdc_alloc((Size) dimensions * sizeof(float));
	tree->leaves = (uint32) round_up(count, LEAF);

	choose_rows(tree, space, dimension, dimensions);
	choose_unit(tree, point + (Size) start * tree->total);
	lay_out(tree);
	fill_leaves(tree, point + (Size) start * tree->total);
	for (int level = 0; level < tree->levels; level++)
		bound_children(tree, level);
	for (int level = 0; level < tree->levels; level++)
		center_boxes(tree, level);
	return tree;
}

/* sdc_neartree_destroy accepts NULL. */
void
sdc_neartree_destroy(SdcNeartree *tree)
{
	if (tree == NULL)
		return;
	sdc_free(tree->memory);
	sdc_free(tree->query);
	sdc_free(tree->query_row);
	sdc_free(tree->reach);
	sdc_free(tree->middle);
	sdc_free(tree->dimension);
	sdc_free(tree);
}

/* float_above is a float not below x >= 0. */
static inline float
float_above(double x)
{
	return x < FLT_MAX / 2 ? (float) (x * (1 + 4 * ROUNDOFF)) : INFINITY;
}

/*
 * set_limit widens a limit by all errors of single precision.  The last term is for
 * sums so small that they have no relative precision.
 */
static void
set_limit(Search *search, double limit)
{
	const SdcNeartree *tree = search->tree;
	double		relative = 1 + 2 * (tree->rows + 8) * ROUNDOFF;
	double		error = search->error;
	double		sum = limit * (tree->partial ? 1 : search->share);

	search->limit = limit;
	if (tree->squared)
	{
		sum = sqrt(sum) * tree->unit + error;
		sum *= sum;
	}
	else
		sum = sum * tree->unit + error;
	search->point_limit = float_above(sum * relative + 1e-36);
	search->node_limit = float_above((tree->partial ? sum * search->share : sum) * relative +
									 1e-36);
}

/*
 * set_query converts the query and adds up its errors; false if it has nothing in common
 * with the points.
 */
static bool
set_query(Search *search, const double *query)
{
	SdcNeartree *tree = search->tree;
	int			rows = 0;
	double		sum = 0;

	for (int row = 0; row < tree->rows; row++)
	{
		double		x = query[tree->dimension[row]];

		if (row == tree->numeric)
			tree->query_numeric = rows;
		if (x != x)
			continue;
		tree->query_row[rows] = row;
		tree->query[rows] = to_float(tree, row, x);
		if (row < tree->numeric)
		{
			double		error = 4 * ROUNDOFF * (fabs((double) tree->query[rows]) +
												tree->reach[row]);

			sum += tree->squared ? error * error : error;
		}
		rows++;
	}
	if (tree->numeric == tree->rows)
		tree->query_numeric = rows;
	tree->query_rows = rows;
	search->share = (double) rows / tree->total;
	search->error = tree->squared ? sqrt(sum) : sum;

	/* a point with one common dimension: the error counts in full, the limit only once */
	if (tree->partial)
		search->error *= tree->squared ? sqrt(tree->total) : tree->total;
	return rows > 0;
}

/* MAGNITUDE clears signs.  (Macros: functions do not take vectors the same way everywhere.) */
#define MAGNITUDE(x) ((Vector) ((Mask) (x) & 0x7FFFFFFF))

/* WHERE keeps the numbers at which the mask is set and makes the others 0. */
#define WHERE(mask, x) ((Vector) ((mask) & (Mask) (x)))

/* lanes_set has bit i set where truth value i is. */
static inline __attribute__((always_inline)) uint32
lanes_set(const Mask *mask)
{
#if defined(__x86_64__) && defined(__GNUC__)
	typedef float Half __attribute__((vector_size(16), may_alias));
	const Half *half = (const Half *) mask;

	return (uint32) __builtin_ia32_movmskps(half[0]) |
		(uint32) __builtin_ia32_movmskps(half[1]) << 4;
#else
	uint32		bits = 0;

	for (int i = 0; i < FANOUT; i++)
		bits |= (uint32) ((*mask)[i] & 1) << i;
	return bits;
#endif
}

/* box_bounds computes how near the points of eight children can be. */
static inline __attribute__((always_inline)) void
box_bounds(const SdcNeartree *tree, const BoxRow *node, const bool squared, Vector *bound)
{
	Vector		sum = {0};
	Vector		weight = tree->weight - sum;
	int			k;

	for (k = 0; k < tree->query_numeric; k++)
	{
		const BoxRow *box = &node[tree->query_row[k]];
		Vector		x = MAGNITUDE(tree->query[k] - *(const Vector *) box->center) -
			*(const Vector *) box->half;

		x = WHERE(x > 0, x);
		sum += squared ? x * x : x;
	}
	for (; k < tree->query_rows; k++)
	{
		const BoxRow *box = &node[tree->query_row[k]];
		Vector		x = MAGNITUDE(tree->query[k] - *(const Vector *) box->center) -
			*(const Vector *) box->half;

		sum += WHERE(x > 0, weight);
	}
	*bound = sum;
}

/* push_children puts the children that are near enough on the stack, the nearest on top. */
static inline __attribute__((always_inline)) void
push_children(Search *search, int level, uint32 node, const bool squared)
{
	SdcNeartree *tree = search->tree;
	uint32		children = tree->children[level] - node * FANOUT;
	int			bottom = search->waiting;
	uint32		near;
	float		bounds[FANOUT];
	Vector		bound;
	Mask		mask;

	box_bounds(tree, tree->box[level] + (Size) node * tree->rows, squared, &bound);
	mask = bound <= search->node_limit;
	near = lanes_set(&mask);
	if (children < FANOUT)
		near &= (1u << children) - 1;
	memcpy(bounds, &bound, sizeof(bounds));
	while (near != 0)
	{
		uint32		i = (uint32) __builtin_ctz(near);
		Waiting		child = {bounds[i], level - 1, node * FANOUT + i};
		int			place = search->waiting++;

		near &= near - 1;
		for (; place > bottom && search->stack[place - 1].bound < child.bound; place--)
			search->stack[place] = search->stack[place - 1];
		search->stack[place] = child;
	}
}

/* visit_lanes visits points of a leaf. */
static void
visit_lanes(Search *search, uint32 first, uint32 lanes)
{
	while (lanes != 0)
	{
		uint32		i = first + (uint32) __builtin_ctz(lanes);
		double		limit;

		lanes &= lanes - 1;
		if (i >= search->tree->count)
			return;
		limit = search->visit(search->arg, search->tree->start + i);
		if (limit < search->limit)
			set_limit(search, limit);
	}
}

/* scan_leaf looks at the points of a leaf that all have the dimensions of the tree. */
static inline __attribute__((always_inline)) void
scan_leaf(Search *search, uint32 leaf, const bool squared)
{
	const SdcNeartree *tree = search->tree;
	const float *points = tree->leaf + (Size) leaf * LEAF * tree->rows;
	Vector		sum[LEAF_VECTORS] = {{0}};
	Vector		weight = tree->weight - sum[0];
	Mask		any = {0};
	int			k;

	for (k = 0; k < tree->query_numeric; k++)
	{
		const Vector *x = (const Vector *) (points + tree->query_row[k] * LEAF);

		for (int v = 0; v < LEAF_VECTORS; v++)
		{
			Vector		difference = tree->query[k] - x[v];

			sum[v] += squared ? difference * difference : MAGNITUDE(difference);
		}
	}
	for (; k < tree->query_rows; k++)
	{
		const Vector *x = (const Vector *) (points + tree->query_row[k] * LEAF);

		for (int v = 0; v < LEAF_VECTORS; v++)
			sum[v] += WHERE(x[v] - tree->query[k] != 0, weight);
	}
	for (int v = 0; v < LEAF_VECTORS; v++)
		any |= sum[v] <= search->point_limit;
	if (lanes_set(&any) == 0)
		return;
	for (int v = 0; v < LEAF_VECTORS; v++)
	{
		any = sum[v] <= search->point_limit;
		visit_lanes(search, leaf * LEAF + (uint32) v * FANOUT, lanes_set(&any));
	}
}

/*
 * scan_partial does the same where points lack dimensions.  The sum is for the common ones:
 * times total / common it is the measure.
 */
static inline __attribute__((always_inline)) void
scan_partial(Search *search, uint32 leaf, const bool squared)
{
	const SdcNeartree *tree = search->tree;
	const float *points = tree->leaf + (Size) leaf * LEAF * tree->rows;

	for (int v = 0; v < LEAF_VECTORS; v++, points += FANOUT)
	{
		Vector		sum = {0};
		Vector		common = {0};
		Vector		weight = tree->weight - sum;
		Vector		one = 1.0f - sum;
		Mask		near;

		for (int k = 0; k < tree->query_rows; k++)
		{
			Vector		x = tree->query[k] -
				*(const Vector *) (points + tree->query_row[k] * LEAF);
			Mask		there = x == x;

			if (k >= tree->query_numeric)
				x = WHERE(x != 0, weight);
			else
				x = squared ? x * x : MAGNITUDE(x);
			sum += WHERE(there, x);
			common += WHERE(there, one);
		}
		near = (common > 0) & (sum * (float) tree->total <= common * search->point_limit);
		visit_lanes(search, leaf * LEAF + (uint32) v * FANOUT, lanes_set(&near));
	}
}

/* search_tree takes nodes and leaves from the stack. */
static inline __attribute__((always_inline)) void
search_tree(Search *search, const bool squared)
{
	search->waiting = 0;
	push_children(search, search->tree->levels - 1, 0, squared);
	while (search->waiting > 0)
	{
		Waiting		next = search->stack[--search->waiting];

		if (next.bound > search->node_limit)
			continue;
		if (search->credit < LEAF)
		{
			search->credit = SDC_INTERRUPT_STEPS;
			SDC_CHECK_INTERRUPTS();
		}
		search->credit -= LEAF;
		if (next.level >= 0)
			push_children(search, next.level, next.index, squared);
		else if (search->tree->partial)
			scan_partial(search, next.index, squared);
		else
			scan_leaf(search, next.index, squared);
	}
}

/* search_portable is for every processor. */
static void
search_portable(Search *search)
{
	if (search->tree->squared)
		search_tree(search, true);
	else
		search_tree(search, false);
}

#if defined(__x86_64__) && defined(__GNUC__)

/* search_avx2 is the same code, translated for processors with 256 bit vectors. */
__attribute__((target("avx2")))
static void
search_avx2(Search *search)
{
	if (search->tree->squared)
		search_tree(search, true);
	else
		search_tree(search, false);
}

#endif

/* start_search prepares a search; false if nothing can be found. */
static bool
start_search(Search *search, SdcNeartree *tree, const double *query, double limit,
			 SdcNeartreeVisit visit, void *arg)
{
	search->tree = tree;
	search->visit = visit;
	search->arg = arg;
	search->credit = SDC_INTERRUPT_STEPS;
	if (!set_query(search, query))
		return false;
	set_limit(search, limit);
	return true;
}

/* sdc_neartree_search_portable: see neartree.h. */
void
sdc_neartree_search_portable(SdcNeartree *tree, const double *query, double limit,
							 SdcNeartreeVisit visit, void *arg)
{
	Search		search;

	if (start_search(&search, tree, query, limit, visit, arg))
		search_portable(&search);
}

/* sdc_neartree_search: see neartree.h. */
void
sdc_neartree_search(SdcNeartree *tree, const double *query, double limit,
					SdcNeartreeVisit visit, void *arg)
{
	Search		search;

	if (!start_search(&search, tree, query, limit, visit, arg))
		return;
#if defined(__x86_64__) && defined(__GNUC__)
	if (__builtin_cpu_supports("avx2"))
	{
		search_avx2(&search);
		return;
	}
#endif
	search_portable(&search);
}
