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

#include "kernel/rank/rankcandidates.h"

/* sort_originals is one pass of a radix sort, by the code of a known attribute, missing last. */
static void
sort_originals(SdcRankLinker *linker, int a, const uint32 *from, uint32 *to)
{
	uint32		codes = linker->task->pairs->column[linker->task->known[a]].codes;
	const uint32 *original = linker->original[a];
	uint32	   *below = sdc_alloc(((Size) codes + 2) * sizeof(uint32));

	memset(below, 0, ((Size) codes + 2) * sizeof(uint32));
	for (uint32 i = 0; i < linker->count; i++)
	{
		uint32		code = original[sdc_ranklinker_record(linker, from[i])];

		sdc_interrupts_spend(&linker->credit, 1);
		below[(code == SDC_CODE_NULL ? codes : code) + 1]++;
	}
	for (uint32 c = 0; c <= codes; c++)
	{
		sdc_interrupts_spend(&linker->credit, 1);
		below[c + 1] += below[c];
	}
	for (uint32 i = 0; i < linker->count; i++)
	{
		uint32		code = original[sdc_ranklinker_record(linker, from[i])];

		sdc_interrupts_spend(&linker->credit, 1);
		to[below[code == SDC_CODE_NULL ? codes : code]++] = from[i];
	}
	sdc_free(below);
}

/* order_originals sorts the originals by their codes and notes how many they share. */
static void
order_originals(SdcRankLinker *linker)
{
	uint32	   *from = sdc_alloc((Size) linker->count * sizeof(uint32));
	uint32	   *to = sdc_alloc((Size) linker->count * sizeof(uint32));

	for (uint32 i = 0; i < linker->count; i++)
		from[i] = i;
	for (int a = linker->task->count - 1; a >= 0; a--)
	{
		uint32	   *swap = from;

		sort_originals(linker, a, from, to);
		from = to;
		to = swap;
	}
	sdc_free(to);
	linker->order = from;
	linker->shared = sdc_alloc((Size) linker->count * sizeof(int));
	for (uint32 i = 0; i < linker->count; i++)
	{
		int			a = 0;

		sdc_interrupts_spend(&linker->credit, 1);
		if (i > 0)
			while (a < linker->task->count &&
				   linker->original[a][sdc_ranklinker_record(linker, from[i])] ==
				   linker->original[a][sdc_ranklinker_record(linker, from[i - 1])])
				a++;
		linker->shared[i] = a;
	}
}

/* sdc_ranklinker_start prepares what both attacks need, with lists of so many points. */
void
sdc_ranklinker_start(SdcRankLinker *linker, const SdcRankTask *task, const SdcSpace *full,
			 const uint32 *record, uint32 count, uint32 capacity)
{
	linker->task = task;
	linker->record = record;
	linker->count = count;
	linker->credit = SDC_INTERRUPT_STEPS;
	linker->full = full;
	linker->point_of = SDC_RECORD_NONE;
	linker->own_of = SDC_RECORD_NONE;
	linker->original = sdc_alloc(task->count * sizeof(uint32 *));
	linker->masked = sdc_alloc(task->count * sizeof(uint32 *));
	for (int a = 0; a < task->count; a++)
	{
		linker->original[a] = task->pairs->column[task->known[a]].original;
		linker->masked[a] = task->pairs->column[task->known[a]].masked;
	}
	linker->window = sdc_alloc(task->count * sizeof(SdcInterval));
	linker->point = sdc_alloc(task->count * sizeof(double));
	linker->own = sdc_alloc(task->count * sizeof(double));
	linker->query.window = linker->window;
	linker->query.point = linker->point;
	linker->query.capacity = capacity;
	linker->query.list = sdc_alloc((Size) capacity * sizeof(uint32));
	order_originals(linker);
}

/* sdc_ranklinker_end frees what sdc_ranklinker_start allocated. */
void
sdc_ranklinker_end(SdcRankLinker *linker)
{
	sdc_free(linker->shared);
	sdc_free(linker->order);
	sdc_free(linker->query.list);
	sdc_free(linker->own);
	sdc_free(linker->point);
	sdc_free(linker->window);
	sdc_free(linker->masked);
	sdc_free(linker->original);
}

/* sdc_ranklinker_window looks up the window of an original in an attribute. */
void
sdc_ranklinker_window(SdcRankLinker *linker, uint32 original, int a)
{
	static const SdcInterval empty = {1, 0};
	uint32		code = linker->original[a][original];

	linker->window[a] = code == SDC_CODE_NULL ? empty : linker->task->interval[a][code];
}

/* sdc_ranklinker_windows looks up the windows of an original in the first attributes. */
void
sdc_ranklinker_windows(SdcRankLinker *linker, uint32 original, int attributes)
{
	for (int a = 0; a < attributes; a++)
		sdc_ranklinker_window(linker, original, a);
}

/* sdc_ranklinker_outside is how many of the windows a protected record is outside of. */
int
sdc_ranklinker_outside(const SdcRankLinker *linker, uint32 record, int attributes)
{
	int			outside = 0;

	for (int a = 0; a < attributes; a++)
		outside += !sdc_ranklinker_inside(&linker->window[a], linker->masked[a][record]);
	return outside;
}

/* sdc_ranklinker_take computes the coordinates of an original, unless they are there. */
void
sdc_ranklinker_take(SdcRankLinker *linker, uint32 original)
{
	if (linker->point_of != original)
		sdc_space_original(linker->full, original, linker->point);
	linker->point_of = original;
}

/* sdc_ranklinker_measure is the measure of the original taken and a protected record. */
double
sdc_ranklinker_measure(SdcRankLinker *linker, const SdcSpace *space, uint32 record)
{
	if (linker->own_of != record)
		sdc_space_masked(linker->full, record, linker->own);
	linker->own_of = record;
	return sdc_space_measure(space, linker->point, linker->own);
}

/* sdc_ranklinker_run_end is the end of a run of originals that share so many codes, places [place, end). */
uint32
sdc_ranklinker_run_end(const SdcRankLinker *linker, uint32 place, uint32 end, int attributes)
{
	uint32		next = place + 1;

	while (next < end && linker->shared[next] >= attributes)
		next++;
	return next;
}

/*
 * sdc_ranklinker_search finds the candidates of the originals at places [place, end), which are equal,
 * among records outside of at most so many windows.  It leaves to find the nearest.
 */
void
sdc_ranklinker_search(SdcRankLinker *linker, const SdcRankTree *tree, uint32 place, uint32 end, int outside)
{
	SdcRankQuery *query = &linker->query;
	double		best = INFINITY;
	int			nearest = outside;

	sdc_ranklinker_take(linker, sdc_ranklinker_record(linker, linker->order[place]));
	for (uint32 i = place; i < end; i++)
	{
		uint32		record = sdc_ranklinker_record(linker, linker->order[i]);
		int			own = sdc_ranklinker_outside(linker, record, tree->attributes);
		double		measure;

		sdc_interrupts_spend(&linker->credit, 1);
		if (own > nearest)
			continue;
		measure = sdc_ranklinker_measure(linker, tree->space, record);
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
 * sdc_ranklinker_spend looks for a cancel after enough searches: one alone may be too short
 * to do so.
 */
void
sdc_ranklinker_spend(SdcRankLinker *linker, uint64 blocks)
{
	uint64		steps = 1 + blocks * SDC_RANKSEARCH_CREDIT;

	sdc_interrupts_spend(&linker->credit, steps < SDC_INTERRUPT_STEPS ? (uint32) steps :
				 SDC_INTERRUPT_STEPS);
}

/* sdc_ranklinker_own tells whether a record's own protected one is among those found. */
bool
sdc_ranklinker_own(SdcRankLinker *linker, const SdcSpace *space, int attributes, uint32 record)
{
	const SdcRankQuery *query = &linker->query;

	return query->candidates > 0 &&
		sdc_ranklinker_outside(linker, record, attributes) == query->outside &&
		sdc_ranklinker_measure(linker, space, record) <= query->best * SDC_SPACE_TIE;
}

/* sdc_ranklinker_make is the link that a search found, but for whether it is correct. */
SdcLink
sdc_ranklinker_make(const SdcSpace *space, const SdcRankQuery *query)
{
	SdcLink		link = {.linked = SDC_RECORD_NONE};

	if (query->candidates == 0)
		return link;
	link.distance = isinf(query->best) ? 0 : sdc_space_distance(space, query->best);
	link.linked = query->linked;
	link.ties = query->ties;
	link.candidates = query->candidates;
	return link;
}

/* sdc_ranklinker_write makes the links of the originals at places [place, end) from the query. */
void
sdc_ranklinker_write(SdcRankLinker *linker, uint32 place, uint32 end, SdcRankLink *link)
{
	const SdcRankTask *task = linker->task;
	SdcRankLink found = {.link = sdc_ranklinker_make(task->space, &linker->query)};

	if (found.link.ties > 0)
		found.inside = task->count - linker->query.outside;
	for (uint32 i = place; i < end; i++)
	{
		uint32		index = linker->order[i];

		sdc_interrupts_spend(&linker->credit, 1);
		link[index] = found;
		link[index].link.correct = found.link.ties == 1 ?
			found.link.linked == sdc_ranklinker_record(linker, index) :
			sdc_ranklinker_own(linker, task->space, task->count, sdc_ranklinker_record(linker, index));
	}
}

/* sdc_ranklinker_link searches the tree for equal originals, and writes their links. */
void
sdc_ranklinker_link(SdcRankLinker *linker, const SdcRankTree *tree, uint32 place, uint32 end, int outside,
		 SdcRankLink *link)
{
	sdc_ranklinker_windows(linker, sdc_ranklinker_record(linker, linker->order[place]), tree->attributes);
	sdc_ranklinker_search(linker, tree, place, end, outside);
	sdc_ranksearch_nearest(tree, &linker->query);
	sdc_ranklinker_spend(linker, linker->query.steps);
	sdc_ranklinker_write(linker, place, end, link);
}
