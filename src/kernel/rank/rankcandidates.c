/*-------------------------------------------------------------------------
 *
 * rankcandidates.c
 *		What the attacks by windows have in common: originals, their windows, one search.
 *
 * Originals are taken in the order of their codes, so that equal ones come one after the
 * other and are searched for once.  The own protected records of theirs are candidates that cost
 * nothing: a search begins from the best of them.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include <math.h>

#include "kernel/base/codesort.h"
#include "kernel/rank/rankcandidates.h"

/* sort_originals is one pass of a sort, by the code of a known attribute, missing last. */
static void
sort_originals(SdcRankCandidates *finder, int a, const uint32 *from, uint32 *to)
{
	uint32		codes = finder->task->pairs->column[finder->task->known[a]].codes;
	SdcCodesort sort = {finder->original[a], 1, codes, finder->record};
	uint32	   *start = sdc_alloc_array(uint32, (Size) codes + 1);

	sdc_codesort_pass(&sort, from, to, finder->count, start, &finder->credit);
	sdc_free(start);
}

/* order_originals sorts the originals by their codes and notes how many they share. */
static void
order_originals(SdcRankCandidates *finder)
{
	uint32	   *from = sdc_alloc_array(uint32, finder->count);
	uint32	   *to = sdc_alloc_array(uint32, finder->count);

	for (uint32 i = 0; i < finder->count; i++)
		from[i] = i;
	for (int a = finder->task->count - 1; a >= 0; a--)
	{
		uint32	   *swap = from;

		sort_originals(finder, a, from, to);
		from = to;
		to = swap;
	}
	sdc_free(to);
	finder->order = from;
	finder->shared = sdc_alloc_array(int, finder->count);
	for (uint32 i = 0; i < finder->count; i++)
	{
		int			a = 0;

		sdc_interrupts_spend(&finder->credit, 1);
		if (i > 0)
			while (a < finder->task->count &&
				   finder->original[a][sdc_record_at(finder->record, from[i])] ==
				   finder->original[a][sdc_record_at(finder->record, from[i - 1])])
				a++;
		finder->shared[i] = a;
	}
}

/* sdc_rankcandidates_start prepares what both attacks need, with lists of so many points. */
void
sdc_rankcandidates_start(SdcRankCandidates *finder, const SdcRankTask *task,
						 const SdcMetricSpace *full,
			 const uint32 *record, uint32 count, uint32 capacity)
{
	finder->task = task;
	finder->record = record;
	finder->count = count;
	finder->credit = SDC_INTERRUPT_STEPS;
	finder->full = full;
	finder->point_of = SDC_RECORD_NONE;
	finder->own_of = SDC_RECORD_NONE;
	finder->original = sdc_alloc_array(const uint32 *, task->count);
	finder->protected = sdc_alloc_array(const uint32 *, task->count);
	for (int a = 0; a < task->count; a++)
	{
		finder->original[a] = task->pairs->column[task->known[a]].original;
		finder->protected[a] = task->pairs->column[task->known[a]].protected;
	}
	finder->window = sdc_alloc_array(SdcInterval, task->count);
	finder->point = sdc_alloc_array(double, task->count);
	finder->own = sdc_alloc_array(double, task->count);
	finder->query.window = finder->window;
	finder->query.point = finder->point;
	finder->query.capacity = capacity;
	finder->query.enough = 0;
	finder->query.space = NULL;
	finder->query.list = sdc_alloc_array(uint32, capacity);
	order_originals(finder);
}

/* sdc_rankcandidates_end frees what sdc_rankcandidates_start allocated. */
void
sdc_rankcandidates_end(SdcRankCandidates *finder)
{
	sdc_free(finder->shared);
	sdc_free(finder->order);
	sdc_free(finder->query.list);
	sdc_free(finder->own);
	sdc_free(finder->point);
	sdc_free(finder->window);
	sdc_free(finder->protected);
	sdc_free(finder->original);
}

/* take_window looks up the window of an original in an attribute. */
static void
take_window(SdcRankCandidates *finder, uint32 original, int a)
{
	static const SdcInterval empty = {1, 0};
	uint32		code = finder->original[a][original];

	finder->window[a] = code == SDC_CODE_NULL ? empty : finder->task->interval[a][code];
}

/* sdc_rankcandidates_windows looks up the windows of an original in the first attributes. */
void
sdc_rankcandidates_windows(SdcRankCandidates *finder, uint32 original, int attributes)
{
	for (int a = 0; a < attributes; a++)
		take_window(finder, original, a);
}

/* sdc_rankcandidates_outside is how many of the windows a protected record is outside of. */
int
sdc_rankcandidates_outside(const SdcRankCandidates *finder, uint32 record, int attributes)
{
	int			outside = 0;

	for (int a = 0; a < attributes; a++)
		outside += !sdc_rankcandidates_inside(&finder->window[a], finder->protected[a][record]);
	return outside;
}

/* sdc_rankcandidates_take computes the coordinates of an original, unless they are there. */
void
sdc_rankcandidates_take(SdcRankCandidates *finder, uint32 original)
{
	if (finder->point_of != original)
		sdc_metricspace_original(finder->full, original, finder->point);
	finder->point_of = original;
}

/* measure_own is the measure of the original taken and a protected record. */
static double
measure_own(SdcRankCandidates *finder, const SdcMetricSpace *space, uint32 record)
{
	if (finder->own_of != record)
		sdc_metricspace_protected(finder->full, record, finder->own);
	finder->own_of = record;
	return sdc_metricspace_measure(space, finder->point, finder->own);
}

/*
 * sdc_rankcandidates_run_end is the end of a run of originals that share so many codes, places
 * [place, end).
 */
uint32
sdc_rankcandidates_run_end(const SdcRankCandidates *finder, uint32 place, uint32 end,
						   int attributes)
{
	uint32		next = place + 1;

	while (next < end && finder->shared[next] >= attributes)
		next++;
	return next;
}

/*
 * sdc_rankcandidates_search finds the candidates of the originals at places [place, end), which
 * are equal, among records outside of at most so many windows.  It leaves to find the nearest.
 */
void
sdc_rankcandidates_search(SdcRankCandidates *finder, const SdcRankTree *tree, uint32 place,
						  uint32 end, int outside)
{
	SdcRankQuery *query = &finder->query;
	double		best = INFINITY;
	int			nearest = outside;

	sdc_rankcandidates_take(finder, sdc_record_at(finder->record, finder->order[place]));
	for (uint32 i = place; i < end; i++)
	{
		uint32		record = sdc_record_at(finder->record, finder->order[i]);
		int			own = sdc_rankcandidates_outside(finder, record, tree->attributes);
		double		measure;

		sdc_interrupts_spend(&finder->credit, 1);
		if (own > nearest)
			continue;
		measure = measure_own(finder, tree->space, record);
		if (own < nearest || measure < best)
			best = measure;
		nearest = own;
	}
	query->outside = nearest;
	sdc_ranksearch_count(tree, query);
	/* if another is inside more windows, the own ones are no candidates */
	query->best = query->outside == nearest ? best : INFINITY;
}

/*
 * sdc_rankcandidates_spend looks for a cancel after enough searches: one alone may be too short
 * to do so.
 */
void
sdc_rankcandidates_spend(SdcRankCandidates *finder, uint64 blocks)
{
	uint64		steps = 1 + blocks * SDC_RANKSEARCH_CREDIT;

	sdc_interrupts_spend(&finder->credit, steps < SDC_INTERRUPT_STEPS ? (uint32) steps :
				 SDC_INTERRUPT_STEPS);
}

/* has_own tells whether a record's own protected one is among those found. */
static bool
has_own(SdcRankCandidates *finder, const SdcMetricSpace *space, int attributes,
					   uint32 record)
{
	const SdcRankQuery *query = &finder->query;

	return query->candidates > 0 &&
		sdc_rankcandidates_outside(finder, record, attributes) == query->outside &&
		measure_own(finder, space, record) <= query->best * SDC_METRICSPACE_TIE;
}

/* make_link is the link that a search found, but for whether it is correct. */
static SdcLink
make_link(const SdcMetricSpace *space, const SdcRankQuery *query)
{
	SdcLink		link = {.linked = SDC_RECORD_NONE};

	if (query->candidates == 0)
		return link;
	link.distance = isinf(query->best) ? 0 : sdc_metricspace_distance(space, query->best);
	link.linked = query->linked;
	link.ties = query->ties;
	link.candidates = query->candidates;
	return link;
}

/*
 * sdc_rankcandidates_write makes the links of the originals at places [place, end) from the
 * query.
 */
void
sdc_rankcandidates_write(SdcRankCandidates *finder, uint32 place, uint32 end, SdcRankLink *link)
{
	const SdcRankTask *task = finder->task;
	SdcRankLink found = {.link = make_link(task->space, &finder->query)};

	if (found.link.ties > 0)
		found.inside = task->count - finder->query.outside;
	for (uint32 i = place; i < end; i++)
	{
		uint32		index = finder->order[i];

		sdc_interrupts_spend(&finder->credit, 1);
		link[index] = found;
		link[index].link.correct = found.link.ties == 1 ?
			found.link.linked == sdc_record_at(finder->record, index) :
			has_own(finder, task->space, task->count,
								   sdc_record_at(finder->record, index));
	}
}

/* sdc_rankcandidates_link searches the tree for equal originals, and writes their links. */
void
sdc_rankcandidates_link(SdcRankCandidates *finder, const SdcRankTree *tree, uint32 place,
						uint32 end, int outside,
		 SdcRankLink *link)
{
	sdc_rankcandidates_windows(finder, sdc_record_at(finder->record, finder->order[place]),
							   tree->attributes);
	sdc_rankcandidates_search(finder, tree, place, end, outside);
	sdc_ranksearch_nearest(tree, &finder->query);
	sdc_rankcandidates_spend(finder, finder->query.steps);
	sdc_rankcandidates_write(finder, place, end, link);
}
