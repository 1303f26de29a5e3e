/*-------------------------------------------------------------------------
 *
 * ranklink.c
 *		Rank swapping record linkage: intersection and annotated union.
 *
 * Both attacks are from J. Nin, J. Herranz, V. Torra, "Rethinking rank swapping to
 * decrease disclosure risk", Data & Knowledge Engineering 64, 2008.  A record
 * swapped within windows is in the intersection of the windows of its
 * original; if that holds one record only, the link is certain.  Methods
 * that leave the window now and then empty the intersection; the union
 * asks for the records that are in the most windows instead.
 *
 * Records are searched for in a tree (ranksearch.c).  Here originals are put in the
 * order of their codes, so that equal ones come together and are searched for
 * once; only whether a link is correct differs between them.
 *
 * The original's own protected record is where the search starts: where it is inside many
 * windows, or near, few others have to be looked at.  It is a candidate like any other, so
 * that the result is the same without it.
 *
 * The union looks for groups of attributes instead, where that is quicker (rankunion.c).
 *
 * With more and more known attributes candidates only drop out.  As soon
 * as an original has few of them they are kept, and the windows and distances of
 * further attributes are those of the list.  Sums of contributions grow in
 * the order of the dimensions, as those of sdc_metricspace_measure do.
 *
 * Complexity: see ranksearch.c.  Memory: sdc_ranklink_memory.  Determinism: by the inputs.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include <math.h>

#include "kernel/rank/rankcandidates.h"
#include "kernel/rank/rankunion.h"

/* Points up to which a search remembers its candidates, so as not to search for them again. */
#define LIST_POINTS 256

/*
 * Records up to which candidates are kept for further attributes: as many as can be filtered
 * in the time in which the search for them tested its blocks, but few enough for a
 * stack of lists.
 */
#define CHAIN_MINIMUM 32
#define CHAIN_PER_BLOCK 8
#define CHAIN_RECORDS 4096

/* Originals for which it is worth while to plan a union by groups. */
#define MINIMUM_UNION 1000

/*
 * sdc_ranklink_memory: the largest tree, and what goes with an original and a record.  While
 * groups are built, the tree of all attributes is not.
 */
uint64
sdc_ranklink_memory(uint32 records, int count)
{
	uint64		chain = (uint64) CHAIN_RECORDS * (count + 1) * (2 * sizeof(uint32) + sizeof(double));
	uint64		originals = (uint64) records * (4 * sizeof(uint32) + sizeof(int)) +
		LIST_POINTS * sizeof(uint32);
	uint64		prefixes = chain + (uint64) records * count * (sizeof(uint32) + sizeof(double));
	uint64		grouped = sdc_rankgroup_memory(records, count) +
		records * (sizeof(SdcRankStand) + 3 * sizeof(uint32) +
				   count * (sizeof(SdcInterval) + sizeof(SdcRankRange) + sizeof(double)));

	return sdc_ranktree_memory(records, count) + originals +
		(prefixes > grouped ? prefixes : grouped);
}

/* sdc_ranklink_run: see ranklink.h. */
void
sdc_ranklink_run(const SdcRankTask *task, SdcRankMode mode, const uint32 *record,
				 uint32 count, SdcRankLink *link)
{
	int			outside = mode == SDC_RANK_UNION ? task->count - 1 : 0;
	bool		grouped;
	SdcRankTree *tree;
	SdcRankCandidates		finder;

	if (count == 0)
		return;
	tree = sdc_ranktree_create(task->pairs, task->known, task->count, task->space);
	sdc_rankcandidates_start(&finder, task, task->space, record, count, LIST_POINTS);
	grouped = mode == SDC_RANK_UNION && (count >= MINIMUM_UNION || task->grouped) &&
		sdc_rankunion_link(&finder, tree, link);
	for (uint32 place = 0, end; place < count && !grouped; place = end)
	{
		end = sdc_rankcandidates_run_end(&finder, place, count, task->count);
		sdc_rankcandidates_link(&finder, tree, place, end, outside, link);
	}
	sdc_rankcandidates_end(&finder);
	sdc_ranktree_destroy(tree);
}

/* A run over numbers of known attributes. */
typedef struct Prefixes
{
	SdcRankCandidates		finder;
	const SdcMetricSpace *const *spaces;
	SdcRankResult result;
	void	   *arg;

	uint8	   *leading;		/* by place: in how many leading windows the own record is */
	uint32		active;			/* places still to be searched for */

	/*
	 * Protected records as the tree at work has them, so that candidates are neighbours in
	 * memory: which they are, and from the attributes of the tree on their codes and coordinates.
	 */
	const uint32 *record;
	uint32	  **code;			/* by attribute */
	double	  **coordinate;		/* by dimension of the space of all attributes */
	bool	   *sure;			/* by dimension: a number, and no coordinate is missing */
	bool		filled;

	/* kept candidates: a stack of lists, one for each number of attributes */
	uint32	   *candidate;		/* place in record */
	uint32	   *common;			/* dimensions that are not sure, but it and the original have */
	double	   *sum;			/* of contributions */
} Prefixes;

/* keeps_candidates tells whether a list is better than a search with one more attribute. */
static inline bool
keeps_candidates(const SdcRankQuery *query)
{
	return query->candidates <= CHAIN_RECORDS &&
		query->candidates <= CHAIN_MINIMUM + CHAIN_PER_BLOCK * query->steps;
}

/* A list on the stack. */
typedef struct Chain
{
	uint32		start;
	uint32		count;
	uint32		sure;			/* dimensions that all candidates and the original have */
} Chain;

/* emit_run reports one result for the originals at places [place, end). */
static void
emit_run(Prefixes *prefixes, uint32 place, uint32 end, int attributes, SdcLink *link)
{
	SdcRankCandidates	   *finder = &prefixes->finder;
	const SdcMetricSpace *space = prefixes->spaces[attributes - 1];

	for (uint32 i = place; i < end; i++)
	{
		uint32		index = finder->order[i];
		uint32		record = sdc_rankcandidates_record(finder, index);

		sdc_interrupts_spend(&finder->credit, 1);
		link->correct = link->ties > 0 && prefixes->leading[i] >= attributes &&
			sdc_rankcandidates_measure(finder, space,
									   record) <= finder->query.best * SDC_METRICSPACE_TIE;
		prefixes->result(prefixes->arg, attributes, index, link);
	}
}

/* emit_nothing reports for so many attributes and more that there is no link. */
static void
emit_nothing(Prefixes *prefixes, uint32 place, uint32 end, int attributes)
{
	SdcLink		none = {.linked = SDC_RECORD_NONE};

	for (int c = attributes; c <= prefixes->finder.task->count; c++)
		emit_run(prefixes, place, end, c, &none);
}

/* own_windows counts for each place the leading windows that the own record is in. */
static void
own_windows(Prefixes *prefixes)
{
	SdcRankCandidates	   *finder = &prefixes->finder;
	int			attributes = finder->task->count;

	for (uint32 i = 0; i < finder->count; i++)
	{
		uint32		record = sdc_rankcandidates_record(finder, finder->order[i]);
		int			a = 0;

		sdc_interrupts_spend(&finder->credit, 1);
		sdc_rankcandidates_windows(finder, record, attributes);
		while (a < attributes &&
			   sdc_rankcandidates_inside(&finder->window[a], finder->protected[a][record]))
			a++;
		prefixes->leading[i] = (uint8) a;
	}
}

/* fill_records writes codes and coordinates of the records in the order of a tree. */
static void
fill_records(Prefixes *prefixes, const SdcRankTree *tree)
{
	SdcRankCandidates	   *finder = &prefixes->finder;
	const SdcMetricSpace *space = finder->full;
	uint32		records = finder->task->pairs->records;

	for (int d = 0; d < space->dimensions; d++)
		prefixes->sure[d] = !space->nominal[d];
	for (uint32 i = 0; i < records; i++)
	{
		sdc_interrupts_spend(&finder->credit, 1);
		for (int a = tree->attributes; a < finder->task->count; a++)
			prefixes->code[a][i] = finder->protected[a][tree->record[i]];
		sdc_metricspace_protected(space, tree->record[i], finder->own);
		finder->own_of = tree->record[i];
		for (int d = 0; d < space->dimensions; d++)
		{
			prefixes->coordinate[d][i] = finder->own[d];
			prefixes->sure[d] = prefixes->sure[d] && finder->own[d] == finder->own[d];
		}
	}
	prefixes->record = tree->record;
	prefixes->filled = true;
}

/* add_dimension adds the contributions of a dimension to a list. */
static void
add_dimension(Prefixes *prefixes, Chain *chain, int d)
{
	bool		nominal = prefixes->finder.full->nominal[d];
	const double *coordinate = prefixes->coordinate[d];
	const uint32 *candidate = prefixes->candidate + chain->start;
	uint32	   *common = prefixes->common + chain->start;
	double	   *sum = prefixes->sum + chain->start;
	double		x = prefixes->finder.point[d];

	if (prefixes->sure[d] && x == x)
	{
		chain->sure++;
		for (uint32 i = 0; i < chain->count; i++)
		{
			double		difference = x - coordinate[candidate[i]];

			sum[i] += difference * difference;
		}
		return;
	}
	for (uint32 i = 0; i < chain->count; i++)
	{
		double		difference = x - coordinate[candidate[i]];

		if (difference != difference)
			continue;
		common[i]++;
		sum[i] += nominal ? difference != 0 : difference * difference;
	}
}

/* scale_sum makes the measure of a sum, as sdc_metricspace_measure does. */
static inline double
scale_sum(int dimensions, double sum, uint32 common)
{
	if (common == (uint32) dimensions)
		return sum;
	return common == 0 ? INFINITY : sum * ((double) dimensions / common);
}

/* link_chain finds the nearest of a list. */
static SdcLink
link_chain(Prefixes *prefixes, const Chain *chain, int attributes)
{
	SdcRankQuery *query = &prefixes->finder.query;
	const SdcMetricSpace *space = prefixes->spaces[attributes - 1];
	const double *sum = prefixes->sum + chain->start;
	const uint32 *common = prefixes->common + chain->start;
	const uint32 *candidate = prefixes->candidate + chain->start;
	double		limit;

	query->best = INFINITY;
	query->ties = 0;
	query->linked = SDC_RECORD_NONE;
	query->candidates = chain->count;
	for (uint32 i = 0; i < chain->count; i++)
	{
		double		measure = scale_sum(space->dimensions, sum[i], chain->sure + common[i]);

		query->best = measure < query->best ? measure : query->best;
	}
	limit = query->best * SDC_METRICSPACE_TIE;
	for (uint32 i = 0; i < chain->count; i++)
	{
		uint32		record;

		if (!(scale_sum(space->dimensions, sum[i], chain->sure + common[i]) <= limit))
			continue;
		query->ties++;
		record = prefixes->record[candidate[i]];
		query->linked = record < query->linked ? record : query->linked;
	}
	return sdc_rankcandidates_make(space, query);
}

/* filter_chain puts those of a list that are in one more window on top of the stack. */
static Chain
filter_chain(Prefixes *prefixes, const Chain *chain, int a)
{
	const uint32 *code = prefixes->code[a];
	const SdcInterval window = prefixes->finder.window[a];
	Chain		next = {.start = chain->start + chain->count, .sure = chain->sure};
	uint32		place = next.start;

	for (uint32 i = chain->start; i < chain->start + chain->count; i++)
	{
		uint32		candidate = prefixes->candidate[i];

		prefixes->candidate[place] = candidate;
		prefixes->common[place] = prefixes->common[i];
		prefixes->sum[place] = prefixes->sum[i];
		place += sdc_rankcandidates_inside(&window, code[candidate]);
	}
	next.count = place - next.start;
	return next;
}

/*
 * follow_chain takes the originals at places [place, end), which are equal in the first
 * attributes and have the candidates of a list, on to one attribute more, and further.
 */
static void
follow_chain(Prefixes *prefixes, uint32 place, uint32 end, int attributes, const Chain *chain)
{
	SdcRankCandidates	   *finder = &prefixes->finder;
	int			dimensions = prefixes->spaces[attributes - 1]->dimensions;

	if (attributes == finder->task->count)
		return;
	for (uint32 next; place < end; place = next)
	{
		uint32		original = sdc_rankcandidates_record(finder, finder->order[place]);
		Chain		rest;
		SdcLink		link;

		next = sdc_rankcandidates_run_end(finder, place, end, attributes + 1);
		sdc_rankcandidates_window(finder, original, attributes);
		rest = filter_chain(prefixes, chain, attributes);
		sdc_interrupts_spend(&finder->credit, 1 + chain->count);
		if (rest.count == 0)
		{
			emit_nothing(prefixes, place, next, attributes + 1);
			continue;
		}
		sdc_rankcandidates_take(finder, original);
		if (prefixes->spaces[attributes]->dimensions > dimensions)
			add_dimension(prefixes, &rest, dimensions);
		link = link_chain(prefixes, &rest, attributes + 1);
		emit_run(prefixes, place, next, attributes + 1, &link);
		follow_chain(prefixes, place, next, attributes + 1, &rest);
	}
}

/* start_chain makes a list of the candidates of a search. */
static Chain
start_chain(Prefixes *prefixes, const SdcRankTree *tree)
{
	const SdcRankQuery *query = &prefixes->finder.query;
	Chain		chain = {0, 0, 0};

	if (!prefixes->filled)
		fill_records(prefixes, tree);
	for (uint32 i = 0; i < query->listed; i++)
	{
		uint32		point = query->list[i];

		for (uint32 k = tree->start[point]; k < tree->start[point + 1]; k++)
		{
			prefixes->candidate[chain.count] = k;
			prefixes->common[chain.count] = 0;
			prefixes->sum[chain.count] = 0;
			chain.count++;
		}
	}
	SDC_ASSERT(chain.count == query->candidates);
	sdc_interrupts_spend(&prefixes->finder.credit, chain.count);
	for (int d = 0; d < tree->space->dimensions; d++)
		add_dimension(prefixes, &chain, d);
	return chain;
}

/* search_prefix searches for all active originals in the first attributes. */
static void
search_prefix(Prefixes *prefixes, int attributes)
{
	SdcRankCandidates	   *finder = &prefixes->finder;
	const SdcMetricSpace *space = prefixes->spaces[attributes - 1];
	SdcRankTree *tree = sdc_ranktree_create(finder->task->pairs, finder->task->known,
											attributes, space);
	uint32		kept = 0;

	prefixes->filled = false;
	for (uint32 place = 0, end; place < prefixes->active; place = end)
	{
		SdcLink		link;

		end = sdc_rankcandidates_run_end(finder, place, prefixes->active, attributes);
		sdc_rankcandidates_windows(finder, sdc_rankcandidates_record(finder, finder->order[place]),
								   attributes);
		sdc_rankcandidates_search(finder, tree, place, end, 0);
		sdc_rankcandidates_spend(finder, finder->query.steps);
		if (finder->query.candidates == 0)
			emit_nothing(prefixes, place, end, attributes);
		else if (keeps_candidates(&finder->query))
		{
			Chain		chain = start_chain(prefixes, tree);

			link = link_chain(prefixes, &chain, attributes);
			emit_run(prefixes, place, end, attributes, &link);
			follow_chain(prefixes, place, end, attributes, &chain);
		}
		else
		{
			sdc_ranksearch_nearest(tree, &finder->query);
			sdc_rankcandidates_spend(finder, finder->query.steps);
			link = sdc_rankcandidates_make(space, &finder->query);
			emit_run(prefixes, place, end, attributes, &link);
			/* runs stay whole, so those kept differ in these attributes from those before */
			for (uint32 i = place; i < end; i++, kept++)
			{
				finder->order[kept] = finder->order[i];
				finder->shared[kept] = finder->shared[i];
				prefixes->leading[kept] = prefixes->leading[i];
			}
		}
	}
	prefixes->active = kept;
	sdc_ranktree_destroy(tree);
}

/* start_prefixes allocates what goes with the finder. */
static void
start_prefixes(Prefixes *prefixes, uint32 count)
{
	const SdcRankTask *task = prefixes->finder.task;
	uint32		records = task->pairs->records;
	int			dimensions = prefixes->spaces[task->count - 1]->dimensions;
	Size		stack = (Size) CHAIN_RECORDS * (task->count + 1);

	prefixes->leading = sdc_alloc_array(uint8, count);
	prefixes->candidate = sdc_alloc_array(uint32, stack);
	prefixes->common = sdc_alloc_array(uint32, stack);
	prefixes->sum = sdc_alloc_array(double, stack);
	prefixes->code = sdc_alloc_array(uint32 *, task->count);
	prefixes->coordinate = sdc_alloc_array(double *, dimensions);
	prefixes->sure = sdc_alloc_array(bool, dimensions);
	for (int a = 0; a < task->count; a++)
		prefixes->code[a] = sdc_alloc_array(uint32, records);
	for (int d = 0; d < dimensions; d++)
		prefixes->coordinate[d] = sdc_alloc_array(double, records);
}

/* end_prefixes frees what start_prefixes allocated. */
static void
end_prefixes(Prefixes *prefixes)
{
	const SdcRankTask *task = prefixes->finder.task;

	for (int d = 0; d < prefixes->spaces[task->count - 1]->dimensions; d++)
		sdc_free(prefixes->coordinate[d]);
	for (int a = 0; a < task->count; a++)
		sdc_free(prefixes->code[a]);
	sdc_free(prefixes->sure);
	sdc_free(prefixes->coordinate);
	sdc_free(prefixes->code);
	sdc_free(prefixes->sum);
	sdc_free(prefixes->common);
	sdc_free(prefixes->candidate);
	sdc_free(prefixes->leading);
}

/* sdc_ranklink_prefixes: see ranklink.h. */
void
sdc_ranklink_prefixes(const SdcRankTask *task, const SdcMetricSpace *const *spaces,
					  const uint32 *record, uint32 count, SdcRankResult result, void *arg)
{
	Prefixes	prefixes = {.spaces = spaces, .result = result, .arg = arg, .active = count};

	sdc_rankcandidates_start(&prefixes.finder, task, spaces[task->count - 1], record, count,
							 CHAIN_RECORDS);
	start_prefixes(&prefixes, count);
	own_windows(&prefixes);
	for (int c = 1; c <= task->count && prefixes.active > 0; c++)
		search_prefix(&prefixes, c);
	end_prefixes(&prefixes);
	sdc_rankcandidates_end(&prefixes.finder);
}
