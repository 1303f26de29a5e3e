/*-------------------------------------------------------------------------
 *
 * permutationdistance.c
 *		How far records were permuted, as a person can see in the release, and as chance would have it.
 *
 * After J. Domingo-Ferrer and K. Muralidhar, "New directions in anonymization: permutation paradigm,
 * verifiability by subjects and intruders, transparency to users", Information Sciences 337-338 (2016). The
 * frequency of values, for types without numbers, is ours, and so is the comparison with chance.
 *
 * A released record is a box in the space of positions, that of the tie groups of its values, and a query
 * another one.  The nearest by the greatest gap is found in a tree of bounding boxes over records in kd
 * order (kdorder.h), beginning with the query's own record where it is known; how many are as near is
 * counted in the same tree, whole boxes at a time.
 *
 * Under random permutations a released record is within t of a query with the probability prod, the product
 * over the columns of the share of values within t; of n records none is with (1 - prod)^n.  Its sum over t
 * is the expected least gap.  Where n prod rounds to nothing it is 1, which bisection finds; from there on
 * t goes from one change of a window to the next, until what is left is too little to matter.  As that can be
 * O(n) steps for each of n records, many records are content with some points and straight lines between them.
 *
 * Memory: 24 bytes a record and attribute, and the tree.  The result is determined by the input.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include <math.h>

#include "kernel/base/kdorder.h"
#include "kernel/base/moments.h"
#include "kernel/base/ordered.h"
#include "kernel/rank/permutationdistance.h"
#include "kernel/rank/rankwindow.h"

/* Released records of a leaf. */
#define LEAF 8

/* The place of a missing value: above all positions, which are below SDC_CODE_NULL - 1. */
#define PLACE_NULL UINT32_MAX

/* A gap that no two values have. */
#define GAP_INFINITE INT64_MAX

/* Expected gaps are exact to about so much of themselves. */
#define NEGLIGIBLE 1e-14

/* Where there are many records and more gaps than this matter, the probability is looked at for some of them. */
#define GAPS 2000
#define POINTS 100

/* The positions of a value of a record: its tie group; last = first - 1 for a value that is not there. */
typedef struct Place
{
	uint32		first;
	uint32		last;
} Place;

/* The places of several records in one column. */
typedef struct Box
{
	uint32		least_first;
	uint32		greatest_first;
	uint32		least_last;
	uint32		greatest_last;
} Box;

typedef struct Tree
{
	uint32		records;
	int			attributes;
	SdcPositions *positions;	/* by column */
	uint32	   *order;			/* the record of each point */
	Place	   *point;			/* places, point by point */
	Box		   *box;			/* boxes, node by node: a node, its left part, its right part */
	uint32	  **begin;			/* begin[j][p]: where the tie group of position p begins, */
	uint32	  **end;			/* and where it ends; NULL without chance */
	uint32		credit;			/* until the next look for a cancel */
} Tree;

/* A query. */
typedef struct Query
{
	Tree	   *tree;
	Place	   *place;			/* by column */
	int64		limit;			/* records farther away do not matter */
} Query;

/* leaves_of is the number of leaves of a range. */
static inline uint32
leaves_of(uint32 start, uint32 end)
{
	return (uint32) (((uint64) end - start + LEAF - 1) / LEAF);
}

/* place_of is the place of a code in the sorted released column. */
static inline Place
place_of(const SdcPositions *positions, uint32 code)
{
	Place		place = {PLACE_NULL, PLACE_NULL};

	if (code != SDC_CODE_NULL)
	{
		place.first = positions->below[code];
		/* below the first position, as a signed number, if there is no such value */
		place.last = positions->below[code + 1] - 1;
	}
	return place;
}

/* end_of is the last position of a place: -1 for a value below all positions. */
static inline int64
end_of(Place place)
{
	return place.last == place.first - 1 ? (int64) place.first - 1 : (int64) place.last;
}

/* order_points puts the records into kd order by the middles of their places. */
static void
order_points(const SdcPermutationTask *task, Tree *tree)
{
	double	  **coordinate = sdc_alloc_array(double *, tree->attributes);

	for (int j = 0; j < tree->attributes; j++)
	{
		coordinate[j] = sdc_alloc_array(double, tree->records);
		for (uint32 i = 0; i < tree->records; i++)
		{
			Place		place = place_of(&tree->positions[j], task->column[j].released[i]);

			sdc_interrupts_spend(&tree->credit, 1);
			coordinate[j][i] = place.first == PLACE_NULL ? NAN :
				((double) place.first + (double) place.last) / 2;
		}
	}
	for (uint32 i = 0; i < tree->records; i++)
	{
		sdc_interrupts_spend(&tree->credit, 1);
		tree->order[i] = i;
	}
	if (tree->attributes > 0)
		sdc_kdorder_build((const double *const *) coordinate, tree->attributes, tree->order,
						  tree->records, LEAF);
	for (int j = 0; j < tree->attributes; j++)
		sdc_free(coordinate[j]);
	sdc_free(coordinate);
}

/* bound_leaf makes the boxes of a leaf. */
static void
bound_leaf(Tree *tree, Box *box, uint32 start, uint32 end)
{
	for (int j = 0; j < tree->attributes; j++)
	{
		box[j] = (Box) {UINT32_MAX, 0, UINT32_MAX, 0};
		for (uint32 k = start; k < end; k++)
		{
			Place		place = tree->point[(Size) k * (Size) tree->attributes + (Size) j];

			box[j].least_first = place.first < box[j].least_first ? place.first : box[j].least_first;
			box[j].least_last = place.last < box[j].least_last ? place.last : box[j].least_last;
			if (place.first > box[j].greatest_first)
				box[j].greatest_first = place.first;
			if (place.last > box[j].greatest_last)
				box[j].greatest_last = place.last;
		}
	}
}

/* join_boxes makes a box of two. */
static inline Box
join_boxes(const Box *a, const Box *b)
{
	Box			box = *a;

	box.least_first = b->least_first < a->least_first ? b->least_first : a->least_first;
	box.least_last = b->least_last < a->least_last ? b->least_last : a->least_last;
	if (b->greatest_first > a->greatest_first)
		box.greatest_first = b->greatest_first;
	if (b->greatest_last > a->greatest_last)
		box.greatest_last = b->greatest_last;
	return box;
}

/* right_of is the node that is the right part of another, whose left part ends at middle. */
static inline Size
right_of(Size node, uint32 start, uint32 middle)
{
	return node + 2 * (Size) leaves_of(start, middle);
}

/* bound_nodes makes the boxes of a range and its parts. */
static void
bound_nodes(Tree *tree, Size node, uint32 start, uint32 end)
{
	Size		width = (Size) tree->attributes;
	uint32		middle;
	Size		right;

	sdc_interrupts_spend(&tree->credit, LEAF);
	if (end - start <= LEAF)
	{
		bound_leaf(tree, tree->box + node * width, start, end);
		return;
	}
	middle = sdc_kdorder_middle(start, end, LEAF);
	right = right_of(node, start, middle);
	bound_nodes(tree, node + 1, start, middle);
	bound_nodes(tree, right, middle, end);
	for (Size j = 0; j < width; j++)
		tree->box[node * width + j] = join_boxes(&tree->box[(node + 1) * width + j],
												 &tree->box[right * width + j]);
}

/* find_ends writes where the tie groups of all positions of a column begin and end. */
static void
find_ends(Tree *tree, int column)
{
	const SdcPositions *positions = &tree->positions[column];

	tree->begin[column] = sdc_alloc_matrix(uint32, 2, tree->records);
	tree->end[column] = tree->begin[column] + tree->records;
	for (uint32 c = 0; c < positions->codes; c++)
	{
		sdc_interrupts_spend(&tree->credit, 1);
		for (uint32 p = positions->below[c]; p < positions->below[c + 1]; p++)
		{
			sdc_interrupts_spend(&tree->credit, 1);
			tree->begin[column][p] = positions->below[c];
			tree->end[column][p] = positions->below[c + 1] - 1;
		}
	}
}

/* create_tree makes the tree of the released records. */
static void
create_tree(const SdcPermutationTask *task, Tree *tree)
{
	Size		columns = (Size) task->attributes;
	uint64		nodes = 2 * (uint64) leaves_of(0, task->records) + 1;

	tree->records = task->records;
	tree->attributes = task->attributes;
	tree->credit = 0;
	tree->positions = sdc_alloc_array(SdcPositions, columns);
	tree->begin = sdc_alloc_matrix(uint32 *, 2, columns);
	tree->end = tree->begin + columns;
	for (int j = 0; j < task->attributes; j++)
		sdc_positions_create(&tree->positions[j], task->column[j].released, task->records,
							 task->column[j].codes);
	tree->order = sdc_alloc_array(uint32, task->records);
	order_points(task, tree);
	tree->point = sdc_alloc_matrix(Place, task->records, columns);
	for (uint32 k = 0; k < task->records; k++)
	{
		sdc_interrupts_spend(&tree->credit, 1);
		for (Size j = 0; j < columns; j++)
			tree->point[(Size) k * columns + j] =
				place_of(&tree->positions[j], task->column[j].released[tree->order[k]]);
	}
	tree->box = sdc_alloc_matrix(Box, nodes, columns);
	if (task->records > 0)
		bound_nodes(tree, 0, 0, task->records);
	for (int j = 0; j < task->attributes && task->chance; j++)
		find_ends(tree, j);
}

/* destroy_tree frees it. */
static void
destroy_tree(Tree *tree, bool chance)
{
	for (int j = 0; j < tree->attributes; j++)
	{
		sdc_positions_destroy(&tree->positions[j]);
		if (chance)
			sdc_free(tree->begin[j]);
	}
	sdc_free(tree->box);
	sdc_free(tree->point);
	sdc_free(tree->order);
	sdc_free(tree->begin);
	sdc_free(tree->positions);
}

/* greater is the greater one of two gaps. */
static inline int64
greater(int64 a, int64 b)
{
	return a > b ? a : b;
}

/* gap_to is the gap of a query and a point, or something above the limit. */
static inline int64
gap_to(const Query *query, const Place *point)
{
	int64		gap = 0;

	for (int j = 0; j < query->tree->attributes && gap <= query->limit; j++)
	{
		Place		place = query->place[j];

		if (place.first == PLACE_NULL || point[j].first == PLACE_NULL)
		{
			if (place.first != point[j].first)
				return GAP_INFINITE;
			continue;
		}
		gap = greater(gap, (int64) point[j].first - end_of(place));
		gap = greater(gap, (int64) place.first - (int64) point[j].last);
	}
	return gap;
}

/* least_gap: no point of a node is nearer. */
static inline int64
least_gap(const Query *query, const Box *box)
{
	int64		gap = 0;

	for (int j = 0; j < query->tree->attributes && gap <= query->limit; j++)
	{
		Place		place = query->place[j];

		if (place.first == PLACE_NULL ? box[j].greatest_first != PLACE_NULL :
			box[j].least_first == PLACE_NULL)
			return GAP_INFINITE;
		if (place.first == PLACE_NULL)
			continue;
		gap = greater(gap, (int64) box[j].least_first - end_of(place));
		gap = greater(gap, (int64) place.first - (int64) box[j].greatest_last);
	}
	return gap;
}

/* all_within: whether all points of a node are within the limit. */
static inline bool
all_within(const Query *query, const Box *box)
{
	for (int j = 0; j < query->tree->attributes; j++)
	{
		Place		place = query->place[j];

		if (place.first == PLACE_NULL)
		{
			if (box[j].least_first != PLACE_NULL)
				return false;
		}
		else if (box[j].greatest_first == PLACE_NULL)
			return false;
		else if ((int64) box[j].greatest_first - end_of(place) > query->limit ||
				 (int64) place.first - (int64) box[j].least_last > query->limit)
			return false;
	}
	return true;
}

/* find_nearest lowers the limit to the gap of the nearest point of a node; least is its least_gap. */
static void
find_nearest(Query *query, Size node, uint32 start, uint32 end, int64 least)
{
	const Tree *tree = query->tree;
	Size		width = (Size) tree->attributes;
	uint32		middle;
	Size		right;
	int64		left_gap;
	int64		right_gap;

	sdc_interrupts_spend(&query->tree->credit, LEAF);
	if (least >= query->limit)
		return;
	if (end - start <= LEAF)
	{
		for (uint32 k = start; k < end; k++)
		{
			int64		gap = gap_to(query, tree->point + (Size) k * width);

			query->limit = gap < query->limit ? gap : query->limit;
		}
		return;
	}
	middle = sdc_kdorder_middle(start, end, LEAF);
	right = right_of(node, start, middle);
	left_gap = least_gap(query, tree->box + (node + 1) * width);
	right_gap = least_gap(query, tree->box + right * width);
	if (left_gap <= right_gap)
		find_nearest(query, node + 1, start, middle, left_gap);
	find_nearest(query, right, middle, end, right_gap);
	if (left_gap > right_gap)
		find_nearest(query, node + 1, start, middle, left_gap);
}

/* count_within counts the points of a node within the limit. */
static uint32
count_within(Query *query, Size node, uint32 start, uint32 end)
{
	const Tree *tree = query->tree;
	Size		width = (Size) tree->attributes;
	const Box  *box = tree->box + node * width;
	uint32		count = 0;
	uint32		middle;

	sdc_interrupts_spend(&query->tree->credit, LEAF);
	if (least_gap(query, box) > query->limit)
		return 0;
	if (all_within(query, box))
		return end - start;
	if (end - start <= LEAF)
	{
		for (uint32 k = start; k < end; k++)
			count += gap_to(query, tree->point + (Size) k * width) <= query->limit;
		return count;
	}
	middle = sdc_kdorder_middle(start, end, LEAF);
	return count_within(query, node + 1, start, middle) +
		count_within(query, right_of(node, start, middle), middle, end);
}

/* values_within is how many released values of a column are within t of a query. */
static inline uint32
values_within(const Query *query, int column, uint32 t)
{
	const Tree *tree = query->tree;
	Place		place = query->place[column];
	int64		last = (int64) tree->positions[column].count - 1;
	int64		low = (int64) place.first - t;
	int64		high = end_of(place) + t;

	if (place.first == PLACE_NULL)
		return tree->records - tree->positions[column].count;
	low = low < 0 ? 0 : low;
	high = high > last ? last : high;
	if (low > high)
		return 0;
	return tree->end[column][high] - tree->begin[column][low] + 1;
}

/* near_share is the probability that a released record is within t of a query. */
static double
near_share(const Query *query, uint32 t)
{
	double		share = 1;

	for (int j = 0; j < query->tree->attributes; j++)
		share *= (double) values_within(query, j, t) / query->tree->records;
	return share;
}

/* none_near is the probability that none is: (1 - share)^n. */
static inline double
none_near(const Query *query, double share)
{
	return share >= 1 ? 0 : exp(query->tree->records * log1p(-share));
}

/* widest is the least t for which all windows contain their columns. */
static uint32
widest(const Query *query)
{
	int64		t = 0;

	for (int j = 0; j < query->tree->attributes; j++)
	{
		Place		place = query->place[j];

		if (place.first == PLACE_NULL)
			continue;
		t = greater(t, place.first);
		t = greater(t, (int64) query->tree->positions[j].count - 1 - end_of(place));
	}
	return (uint32) t;
}

/*
 * next_change is the least number above t at which a window of a query grows, or widest; only columns count whose
 * tie groups have so many records on the average.
 */
static uint32
next_change(const Query *query, uint32 t, uint32 most, uint32 least)
{
	const Tree *tree = query->tree;
	int64		next = most;

	for (int j = 0; j < tree->attributes; j++)
	{
		Place		place = query->place[j];
		int64		low = (int64) place.first - t;
		int64		high = end_of(place) + t;
		int64		last = (int64) tree->positions[j].count - 1;

		if (place.first == PLACE_NULL ||
			(uint64) tree->positions[j].codes * least > tree->positions[j].count)
			continue;
		if (low > last || high < 0)
			return t + 1;
		if (low > 0)
			next = (int64) place.first - tree->begin[j][low] + 1 < next ?
				(int64) place.first - tree->begin[j][low] + 1 : next;
		if (high < last)
			next = (int64) tree->end[j][high] + 1 - end_of(place) < next ?
				(int64) tree->end[j][high] + 1 - end_of(place) : next;
	}
	return next > t ? (uint32) next : t + 1;
}

/* none_within is the probability that nobody is within t. */
static inline double
none_within(const Query *query, uint32 t)
{
	return none_near(query, near_share(query, t));
}

/* first_likely is the least t for which the probability that nobody is within it is not 1. */
static uint32
first_likely(const Query *query, uint32 most)
{
	uint32		low = 0;
	uint32		high = most;

	SDC_BISECT(low, high, middle, near_share(query, middle) * query->tree->records < NEGLIGIBLE / 100);
	return low;
}

/* sum_changes adds the probabilities from low on, from one change of a window to the next. */
static double
sum_changes(const Query *query, uint32 low, uint32 most)
{
	uint32		records = query->tree->records;
	SdcMomentsSum sum = {0, 0};

	sdc_moments_add(&sum, low);
	for (uint32 t = low, next; t < most; t = next)
	{
		double		none = none_within(query, t);

		sdc_interrupts_spend(&query->tree->credit, (uint32) query->tree->attributes);
		next = next_change(query, t, most, 0);
		if (none * (records - t) <= NEGLIGIBLE * sdc_moments_total(&sum))
			return sdc_moments_total(&sum);
		sdc_moments_add(&sum, none * (next - t));
	}
	sdc_moments_add(&sum, none_within(query, most) * (records - most));
	return sdc_moments_total(&sum);
}

/* last_likely is the least t from which on the probability is too little to matter, or most. */
static uint32
last_likely(const Query *query, uint32 low, uint32 most)
{
	uint32		end = low;
	uint32		high = most;

	SDC_BISECT(end, high, middle, none_within(query, middle) * (query->tree->records - middle) >
			   NEGLIGIBLE * (1 + (double) low));
	return end;
}

/*
 * sum_points adds them as if they were on straight lines between a number of points.  Where a column with large tie
 * groups changes, a line ends before the change.
 */
static double
sum_points(const Query *query, uint32 low, uint32 end, uint32 most)
{
	uint32		step = 1 + (end - low) / POINTS;
	double		none = none_within(query, low);
	SdcMomentsSum sum = {0, 0};

	sdc_moments_add(&sum, low);
	for (uint32 t = low, next; t < end; t = next)
	{
		uint32		change = next_change(query, t, most, step);
		double		after;

		sdc_interrupts_spend(&query->tree->credit, (uint32) query->tree->attributes);
		next = end - t > step ? t + step : end;
		next = change < next ? change : next;
		after = none_within(query, next);
		/* t .. next - 1 */
		if (next == change)
			sdc_moments_add(&sum, (none + none_within(query, next - 1)) / 2 * (next - t));
		else
			sdc_moments_add(&sum, none * (next - t) + (after - none) * (next - t - 1) / 2);
		none = after;
	}
	if (end == most)
		sdc_moments_add(&sum, none * (query->tree->records - most));
	return sdc_moments_total(&sum);
}

/* expected_gap sums the probability that nobody is within t over t = 0 .. records - 1. */
static double
expected_gap(const Query *query)
{
	uint32		records = query->tree->records;
	uint32		most = widest(query);
	uint32		low;
	uint32		end;

	most = most < records ? most : records;
	low = first_likely(query, most);
	if (records <= SDC_PERMUTATION_EXACT)
		return sum_changes(query, low, most);
	end = last_likely(query, low, most);
	return end - low > GAPS ? sum_points(query, low, end, most) : sum_changes(query, low, most);
}

/* find_record fills the result of one query. */
static void
find_record(const SdcPermutationTask *task, Query *query, uint32 number,
			SdcPermutationRecord *result)
{
	Tree	   *tree = query->tree;
	int64		shift = GAP_INFINITE;

	*result = (SdcPermutationRecord) {SDC_PERMUTATION_INFINITE, 0, SDC_PERMUTATION_INFINITE, false, 1, 0};
	query->limit = GAP_INFINITE - 1;
	for (int j = 0; j < task->attributes; j++)
		query->place[j] = place_of(&tree->positions[j], task->column[j].original[number]);
	if (task->own != NULL)
	{
		Place	   *other = query->place + task->attributes;

		for (int j = 0; j < task->attributes; j++)
			other[j] = place_of(&tree->positions[j], task->column[j].released[task->own[number]]);
		shift = gap_to(query, other);
	}
	query->limit = shift;
	if (task->records > 0)
		find_nearest(query, 0, 0, task->records, least_gap(query, tree->box));
	if (shift < GAP_INFINITE)
		result->shift = (uint32) shift;
	if (query->limit < GAP_INFINITE)
	{
		result->distance = (uint32) query->limit;
		result->own = shift == query->limit;
		result->ties = count_within(query, 0, 0, task->records);
	}
	if (!task->chance || task->records == 0)
		return;
	result->expected = expected_gap(query);
	if (query->limit < GAP_INFINITE)
	{
		double		share = near_share(query, result->distance);

		result->chance = share >= 1 ? 1 : -expm1(task->records * log1p(-share));
	}
}

/* sdc_permutationdistance_find: see permutationdistance.h. */
void
sdc_permutationdistance_find(const SdcPermutationTask *task, SdcPermutationRecord *result)
{
	Tree		tree;
	Query		query;

	create_tree(task, &tree);
	query.tree = &tree;
	query.place = sdc_alloc_matrix(Place, 2, task->attributes);
	for (uint32 q = 0; q < task->queries; q++)
	{
		SDC_CHECK_INTERRUPTS();
		SDC_REPORT(q, task->queries);
		find_record(task, &query, q, &result[q]);
	}
	sdc_free(query.place);
	destroy_tree(&tree, task->chance);
}
