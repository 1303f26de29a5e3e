/*-------------------------------------------------------------------------
 *
 * rankprefix.c
 *		Whom the intersection of windows links, with the first 1, 2, ... attributes known.
 *
 * The links are those of ranklink.c.  What is wanted of them is only whether the own protected record is among
 * the best, and of how many.  That mostly follows from the link by distance alone, which a score has anyway:
 *
 *	- An own record outside of a window is no candidate.
 *	- If the own record is nearer than all others, it is so among those inside the windows.
 *	- If the nearest of all is nearer than the own record, and inside the windows, the own record is not the
 *	  nearest there.
 *
 * By few attributes the nearest is next to the original, and so inside; by many it is the own record.  What is left
 * are original records with a few numbers of attributes between.  They are searched for in a tree (ranksearch.c),
 * from the measure of their own record on, and no further once another candidate is nearer.
 *
 * Original records that are equal are searched for once, and those that are near each other one after the other:
 * what they look at is in the cache then.
 *
 * Complexity: O(attributes n), and the searches.  Memory: 8 to 10 bytes a record and attribute.  Determinism: by the
 * inputs.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include <math.h>

#include "kernel/base/bitset.h"
#include "kernel/base/codesort.h"
#include "kernel/rank/narrowwindows.h"
#include "kernel/rank/rankprefix.h"
#include "kernel/rank/ranksearch.h"

/* Attributes by which near original records are put together, and parts of each. */
#define CELL_ATTRIBUTES 4
#define CELL_BITS 4
#define CELLS (1 << CELL_ATTRIBUTES * CELL_BITS)

/* Equal original records up to which there always is room. */
#define FEW 64

/* What a search takes, to what a record takes when a tree is built: measured. */
#define SEARCH_COST 3.0

struct SdcRankPrefix
{
	/* set once */
	const SdcRankTask *task;
	const SdcMetricSpace *const *spaces;
	const SdcMetricSpace *full;	/* the last one: others have its first dimensions */
	const uint32 *record;		/* original records, as given */
	uint32		count;
	SdcRankPrefixResult result;
	void	   *arg;
	SdcNarrowWindows *windows;	/* by known attribute */

	/* changes */
	uint8	   *leading;		/* by index: how many leading windows the own record is in */
	uint64	  **open;			/* by number of attributes - 1: bits of the indexes without a result, */
	uint32	   *opened;			/* and how many there are */
	SdcInterval *window;		/* of an original record, by attribute */
	double	   *point;			/* its coordinates */
	double	   *other;			/* those of a protected record */
	double	   *own;			/* by place in a run of equal original records: the measure of the own record */
	uint32		own_size;
	SdcRankQuery query;
	uint32		credit;
};

/* sdc_rankprefix_team_memory: a tree. */
uint64
sdc_rankprefix_team_memory(uint32 records, int count)
{
	return sdc_ranktree_team_memory(records, count);
}

/* column_of is the column of a known attribute. */
static inline const SdcPairColumn *
column_of(const SdcRankPrefix *prefix, int a)
{
	return &prefix->task->pairs->column[prefix->task->known[a]];
}

/* window_of is the window of an original record in an attribute: empty where its value is missing. */
static inline SdcInterval
window_of(const SdcRankPrefix *prefix, int a, uint32 original)
{
	static const SdcInterval empty = {1, 0};
	uint32		code = column_of(prefix, a)->original[original];

	return code == SDC_CODE_NULL ? empty : sdc_narrowwindows_interval(&prefix->windows[a], code);
}

/* is_inside tells whether a protected record is in the window of an original one. */
static inline bool
is_inside(const SdcRankPrefix *prefix, int a, uint32 original, uint32 protected)
{
	uint32		code = column_of(prefix, a)->original[original];
	uint32		other = column_of(prefix, a)->protected[protected];

	return code != SDC_CODE_NULL && other != SDC_CODE_NULL &&
		sdc_narrowwindows_inside(&prefix->windows[a], code, other);
}

/* find_leading counts for each index the leading windows that the own record is in. */
static void
find_leading(SdcRankPrefix *prefix)
{
	memset(prefix->leading, 0, prefix->count);
	for (int a = 0; a < prefix->task->count; a++)
		for (uint32 i = 0; i < prefix->count; i++)
		{
			uint32		record = sdc_record_at(prefix->record, i);

			sdc_interrupts_spend(&prefix->credit, 1);
			if (prefix->leading[i] == a && is_inside(prefix, a, record, record))
				prefix->leading[i]++;
		}
}

/* sdc_rankprefix_create: see rankprefix.h. */
SdcRankPrefix *
sdc_rankprefix_create(const SdcRankTask *task, const SdcMetricSpace *const *spaces, const uint32 *record,
					  uint32 count, SdcRankPrefixResult result, void *arg)
{
	SdcRankPrefix *prefix = sdc_alloc(sizeof(SdcRankPrefix));
	int			dimensions = spaces[task->count - 1]->dimensions;

	*prefix = (SdcRankPrefix) {.task = task, .spaces = spaces, .full = spaces[task->count - 1], .record = record,
		.count = count, .result = result, .arg = arg, .credit = SDC_INTERRUPT_STEPS};
	prefix->windows = sdc_alloc_array(SdcNarrowWindows, task->count);
	for (int a = 0; a < task->count; a++)
		sdc_narrowwindows_create(&prefix->windows[a], column_of(prefix, a)->protected, task->pairs->records,
								 column_of(prefix, a)->codes, task->width[a]);
	prefix->leading = sdc_alloc_array(uint8, count);
	prefix->open = sdc_alloc_array(uint64 *, task->count);
	for (int a = 0; a < task->count; a++)
		prefix->open[a] = sdc_alloc_zeros(uint64, sdc_bitset_words(count));
	prefix->opened = sdc_alloc_zeros(uint32, task->count);
	prefix->window = sdc_alloc_array(SdcInterval, task->count);
	prefix->point = sdc_alloc_array(double, dimensions);
	prefix->other = sdc_alloc_array(double, dimensions);
	prefix->own_size = FEW;
	prefix->own = sdc_alloc_array(double, prefix->own_size);
	prefix->query = (SdcRankQuery) {.window = prefix->window, .point = prefix->point};
	find_leading(prefix);
	return prefix;
}

/* sdc_rankprefix_destroy accepts NULL. */
void
sdc_rankprefix_destroy(SdcRankPrefix *prefix)
{
	if (prefix == NULL)
		return;
	sdc_free(prefix->own);
	sdc_free(prefix->other);
	sdc_free(prefix->point);
	sdc_free(prefix->window);
	for (int a = 0; a < prefix->task->count; a++)
		sdc_free(prefix->open[a]);
	sdc_free(prefix->opened);
	sdc_free(prefix->open);
	sdc_free(prefix->leading);
	for (int a = 0; a < prefix->task->count; a++)
		sdc_narrowwindows_destroy(&prefix->windows[a]);
	sdc_free(prefix->windows);
	sdc_free(prefix);
}

/* measure_record is the measure of the original record whose point is there and a protected one. */
static double
measure_record(SdcRankPrefix *prefix, const SdcMetricSpace *space, uint32 protected)
{
	sdc_metricspace_protected(space, protected, prefix->other);
	return sdc_metricspace_measure(space, prefix->point, prefix->other);
}

/*
 * is_beaten tells whether the record that is linked by distance shows that the own record, which is not as near as
 * the nearest, is not the nearest inside the windows.  Where several are tied, it may be a little further than the
 * nearest of them.
 */
static bool
is_beaten(SdcRankPrefix *prefix, int known, uint32 original, const SdcLink *nearest)
{
	const SdcMetricSpace *space = prefix->spaces[known - 1];

	for (int a = 0; a < known; a++)
		if (!is_inside(prefix, a, original, nearest->linked))
			return false;
	if (nearest->ties == 1)
		return true;
	sdc_metricspace_original(space, original, prefix->point);
	return measure_record(prefix, space, original) >
		measure_record(prefix, space, nearest->linked) * SDC_METRICSPACE_TIE;
}

/* sdc_rankprefix_take: see rankprefix.h. */
void
sdc_rankprefix_take(SdcRankPrefix *prefix, int known, uint32 index, const SdcLink *nearest)
{
	if (prefix->leading[index] < known)
		prefix->result(prefix->arg, known, index, 0);
	else if (nearest->correct && nearest->ties == 1)
		prefix->result(prefix->arg, known, index, 1);
	else if (!nearest->correct && nearest->ties > 0 &&
			 is_beaten(prefix, known, sdc_record_at(prefix->record, index), nearest))
		prefix->result(prefix->arg, known, index, 0);
	else
	{
		sdc_bitset_add(prefix->open[known - 1], index);
		prefix->opened[known - 1]++;
	}
}

/* ------------------------------------------------------------------------
 * Searches
 * ------------------------------------------------------------------------
 */

/* Indexes that are searched for, equal ones next to each other. */
typedef struct Listed
{
	uint32	   *index;
	uint32	   *spare;			/* while they are put in order */
	uint32		count;
	bool		distinct;		/* all original records are different */
} Listed;

/* cell_of is a number that near original records share. */
static uint32
cell_of(const SdcRankPrefix *prefix, int known, uint32 index)
{
	uint32		original = sdc_record_at(prefix->record, index);
	uint32		cell = 0;

	for (int a = 0; a < known && a < CELL_ATTRIBUTES; a++)
	{
		const SdcPairColumn *column = column_of(prefix, a);
		uint32		code = column->original[original];

		/* without a window there is no search */
		cell = cell << CELL_BITS |
			(code == SDC_CODE_NULL ? 0 : (uint32) (((uint64) code << CELL_BITS) / column->codes));
	}
	return cell;
}

/* sort_listed sorts original records by their codes, unless some attribute alone has all different. */
static void
sort_listed(SdcRankPrefix *prefix, int known, Listed *listed)
{
	SdcCodesort *sort = sdc_alloc_array(SdcCodesort, known);

	for (int a = 0; a < known; a++)
	{
		sort[a] = (SdcCodesort) {column_of(prefix, a)->original, 1, column_of(prefix, a)->codes, prefix->record};
		listed->distinct = listed->distinct || sdc_codesort_distinct(&sort[a], prefix->count, &prefix->credit);
	}
	if (!listed->distinct)
		listed->distinct = sdc_codesort_all(sort, known, &listed->index, &listed->spare, listed->count,
											&prefix->credit);
	sdc_free(sort);
}

/* order_listed puts equal original records next to each other, and near ones not far. */
static void
order_listed(SdcRankPrefix *prefix, int known, Listed *listed)
{
	uint32	   *below = sdc_alloc_zeros(uint32, CELLS);

	sort_listed(prefix, known, listed);
	for (uint32 i = 0; i < listed->count; i++)
	{
		sdc_interrupts_spend(&prefix->credit, 1);
		below[cell_of(prefix, known, listed->index[i])]++;
	}
	sdc_codesort_starts(below, CELLS, &prefix->credit);
	for (uint32 i = 0; i < listed->count; i++)
	{
		sdc_interrupts_spend(&prefix->credit, 1);
		listed->spare[below[cell_of(prefix, known, listed->index[i])]++] = listed->index[i];
	}
	sdc_free(listed->index);
	listed->index = listed->spare;
	sdc_free(below);
}

/* list_open lists the indexes that are open with so many attributes, or all. */
static Listed
list_open(SdcRankPrefix *prefix, int known, bool all)
{
	const uint64 *open = prefix->open[known - 1];
	Listed		listed = {.count = 0};
	uint32		count = all ? prefix->count : prefix->opened[known - 1];

	if (count == 0)
		return listed;
	listed.index = sdc_alloc_array(uint32, count);
	listed.spare = sdc_alloc_array(uint32, count);
	for (uint32 i = 0; i < prefix->count; i++)
	{
		sdc_interrupts_spend(&prefix->credit, 1);
		if (all || sdc_bitset_contains(open, i))
			listed.index[listed.count++] = i;
	}
	order_listed(prefix, known, &listed);
	return listed;
}

/* free_listed frees its orders, if there are any. */
static void
free_listed(Listed *listed)
{
	if (listed->count == 0)
		return;
	sdc_free(listed->index);
}

/* run_end is where the run of equal original records ends that begins at a place. */
static uint32
run_end(const SdcRankPrefix *prefix, int known, const Listed *listed, uint32 place)
{
	uint32		first = sdc_record_at(prefix->record, listed->index[place]);
	uint32		end = place + 1;

	for (; end < listed->count && !listed->distinct; end++)
	{
		uint32		next = sdc_record_at(prefix->record, listed->index[end]);

		for (int a = 0; a < known; a++)
			if (column_of(prefix, a)->original[first] != column_of(prefix, a)->original[next])
				return end;
	}
	return end;
}

/* take_windows looks up the windows of an original record. */
static void
take_windows(SdcRankPrefix *prefix, int known, uint32 original)
{
	for (int a = 0; a < known; a++)
		prefix->window[a] = window_of(prefix, a, original);
}

/* spend_search looks for a cancel after enough searches. */
static void
spend_search(SdcRankPrefix *prefix, uint32 run)
{
	uint64		steps = 1 + run + prefix->query.steps * SDC_RANKSEARCH_CREDIT;

	sdc_interrupts_spend(&prefix->credit, steps < SDC_INTERRUPT_STEPS ? (uint32) steps : SDC_INTERRUPT_STEPS);
}

/* measure_own measures the own records of a run, and returns the least measure. */
static double
measure_own(SdcRankPrefix *prefix, const SdcMetricSpace *space, const uint32 *index, uint32 run)
{
	double		least = INFINITY;

	prefix->own = sdc_alloc_room(prefix->own, &prefix->own_size, run, sizeof(double));
	sdc_metricspace_original(space, sdc_record_at(prefix->record, index[0]), prefix->point);
	for (uint32 i = 0; i < run; i++)
	{
		sdc_interrupts_spend(&prefix->credit, 1);
		prefix->own[i] = measure_record(prefix, space, sdc_record_at(prefix->record, index[i]));
		least = prefix->own[i] < least ? prefix->own[i] : least;
	}
	return least;
}

/* search_run searches for a run of equal original records whose own records are inside all windows. */
static void
search_run(SdcRankPrefix *prefix, const SdcRankTree *tree, int known, const uint32 *index, uint32 run)
{
	SdcRankQuery *query = &prefix->query;

	take_windows(prefix, known, sdc_record_at(prefix->record, index[0]));
	query->attributes = known;
	query->space = prefix->spaces[known - 1];
	query->best = query->enough = measure_own(prefix, query->space, index, run);
	sdc_ranksearch_inside(tree, query);
	spend_search(prefix, run);
	for (uint32 i = 0; i < run; i++)
		prefix->result(prefix->arg, known, index[i],
					   prefix->own[i] <= query->best * SDC_METRICSPACE_TIE ? query->ties : 0);
}

/* count_run counts the candidates of a run of equal original records. */
static void
count_run(SdcRankPrefix *prefix, const SdcRankTree *tree, const uint32 *index, uint32 run, uint32 *candidates)
{
	SdcRankQuery *query = &prefix->query;

	take_windows(prefix, tree->attributes, sdc_record_at(prefix->record, index[0]));
	query->space = NULL;
	query->outside = 0;
	sdc_ranksearch_count(tree, query);
	spend_search(prefix, run);
	for (uint32 i = 0; i < run; i++)
		candidates[index[i]] = prefix->leading[index[i]] < tree->attributes ? 0 : query->candidates;
}

/*
 * is_worth_tree tells whether so many searches by the first attributes are worth a tree of their own, when there is
 * one that divides the points by further attributes, too.
 */
static bool
is_worth_tree(const SdcRankPrefix *prefix, const SdcRankTree *tree, int known, uint64 opened)
{
	double		records = prefix->task->pairs->records;
	double		blocks = records / SDC_RANKLEVEL_FAN + 1;
	double		longer;

	if (tree == NULL)
		return true;
	/* leaves that a search looks at, to those in a tree of its own */
	longer = pow(blocks, 1 - (double) known / tree->attributes);
	return (double) opened * SEARCH_COST * (longer - 1) > records;
}

/* search_open searches for those of a run that are open with so many attributes, which come first in it from now on. */
static void
search_open(SdcRankPrefix *prefix, const SdcRankTree *tree, int known, uint32 *index, uint32 run)
{
	const uint64 *open = prefix->open[known - 1];
	uint32		count = 0;

	for (uint32 i = 0; i < run; i++)
		if (sdc_bitset_contains(open, index[i]))
		{
			uint32		swap = index[count];

			index[count++] = index[i];
			index[i] = swap;
		}
	if (count > 0)
		search_run(prefix, tree, known, index, count);
}

/* search_listed searches in a tree for what is listed and open, and counts candidates of all that is listed. */
static void
search_listed(SdcRankPrefix *prefix, const SdcRankTree *tree, int known, const Listed *listed, uint32 *candidates)
{
	for (uint32 place = 0, end; place < listed->count; place = end)
	{
		end = run_end(prefix, known, listed, place);
		search_open(prefix, tree, known, listed->index + place, end - place);
		if (candidates != NULL)
			count_run(prefix, tree, listed->index + place, end - place, candidates);
	}
}

/* sdc_rankprefix_finish: see rankprefix.h.  Trees are used for fewer attributes while that is quicker. */
void
sdc_rankprefix_finish(SdcRankPrefix *prefix, SdcTeam *team, uint32 *candidates)
{
	SdcRankTree *tree = NULL;
	uint64		count = sdc_team_sum(team, prefix->count);

	for (int known = prefix->task->count; known > 0; known--)
	{
		bool		counts = candidates != NULL && known == prefix->task->count && count > 0;
		uint64		opened = sdc_team_sum(team, prefix->opened[known - 1]);
		bool		plants = is_worth_tree(prefix, tree, known, opened);
		Listed		listed;

		if (opened == 0 && !counts)
			continue;
		if (plants)
		{
			sdc_ranktree_destroy(tree);
			tree = NULL;
		}
		/* what puts them in order is gone before there is a tree */
		listed = list_open(prefix, known, counts);
		if (plants)
			tree = sdc_ranktree_create(prefix->task->pairs, prefix->task->known, known, prefix->spaces[known - 1],
									   team);
		search_listed(prefix, tree, known, &listed, counts ? candidates : NULL);
		free_listed(&listed);
	}
	sdc_ranktree_destroy(tree);
}
