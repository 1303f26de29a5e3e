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
 * The union looks for groups of attributes instead, where that is quicker (rankunion.h).
 *
 * With more and more known attributes candidates only drop out.  As soon
 * as an original has few of them they are kept, and the windows and distances of
 * further attributes are those of the list.  Sums of contributions grow in
 * the order of the dimensions, as those of sdc_space_measure do.
 *
 * Complexity: see ranksearch.c.  Memory: sdc_ranklink_memory.  Determinism: by the inputs.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/kernel_env.h"

#include <math.h>

#include "kernel/ranklink.h"
#include "kernel/ranksearch.h"

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

/* What the functions share. */
typedef struct Linker
{
	const SdcRankTask *task;
	const uint32 *record;		/* originals to link, or NULL */
	uint32		count;
	uint32	   *order;			/* indexes of them in the order of their codes */
	int		   *shared;			/* by place in order: how many leading codes are those before */

	/* by known attribute */
	const uint32 **original;
	const uint32 **masked;

	/* the originals at work */
	SdcInterval *window;		/* of each attribute */
	const SdcSpace *full;		/* the space of all attributes: others have its first dimensions */
	double	   *point;			/* coordinates of an original in it */
	uint32		point_of;		/* of which */
	double	   *own;			/* and of an own protected record */
	uint32		own_of;
	SdcRankQuery query;
	uint32		credit;			/* steps until the next interrupt check */
} Linker;

/* spend_credit looks for a cancel after enough steps. */
static inline void
spend_credit(uint32 *credit, uint32 steps)
{
	if (steps < *credit)
	{
		*credit -= steps;
		return;
	}
	*credit = SDC_INTERRUPT_STEPS;
	SDC_CHECK_INTERRUPTS();
}

/* record_at is the record of an index of the caller. */
static inline uint32
record_at(const Linker *linker, uint32 index)
{
	return linker->record != NULL ? linker->record[index] : index;
}

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
	uint64		grouped = sdc_ranktree_group_memory(records, count) +
		records * (sizeof(SdcRankStand) + 3 * sizeof(uint32) +
				   count * (sizeof(SdcInterval) + sizeof(SdcRankRange) + sizeof(double)));

	return sdc_ranktree_memory(records, count) + originals +
		(prefixes > grouped ? prefixes : grouped);
}

/* sort_originals is one pass of a radix sort, by the code of a known attribute, missing last. */
static void
sort_originals(Linker *linker, int a, const uint32 *from, uint32 *to)
{
	uint32		codes = linker->task->pairs->column[linker->task->known[a]].codes;
	const uint32 *original = linker->original[a];
	uint32	   *below = sdc_alloc(((Size) codes + 2) * sizeof(uint32));

	memset(below, 0, ((Size) codes + 2) * sizeof(uint32));
	for (uint32 i = 0; i < linker->count; i++)
	{
		uint32		code = original[record_at(linker, from[i])];

		spend_credit(&linker->credit, 1);
		below[(code == SDC_CODE_NULL ? codes : code) + 1]++;
	}
	for (uint32 c = 0; c <= codes; c++)
	{
		spend_credit(&linker->credit, 1);
		below[c + 1] += below[c];
	}
	for (uint32 i = 0; i < linker->count; i++)
	{
		uint32		code = original[record_at(linker, from[i])];

		spend_credit(&linker->credit, 1);
		to[below[code == SDC_CODE_NULL ? codes : code]++] = from[i];
	}
	sdc_free(below);
}

/* order_originals sorts the originals by their codes and notes how many they share. */
static void
order_originals(Linker *linker)
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

		spend_credit(&linker->credit, 1);
		if (i > 0)
			while (a < linker->task->count &&
				   linker->original[a][record_at(linker, from[i])] ==
				   linker->original[a][record_at(linker, from[i - 1])])
				a++;
		linker->shared[i] = a;
	}
}

/* start_linker prepares what both attacks need, with lists of so many points. */
static void
start_linker(Linker *linker, const SdcRankTask *task, const SdcSpace *full,
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

/* end_linker frees what start_linker allocated. */
static void
end_linker(Linker *linker)
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

/* set_window looks up the window of an original in an attribute. */
static inline void
set_window(Linker *linker, uint32 original, int a)
{
	static const SdcInterval empty = {1, 0};
	uint32		code = linker->original[a][original];

	linker->window[a] = code == SDC_CODE_NULL ? empty : linker->task->interval[a][code];
}

/* set_windows looks up the windows of an original in the first attributes. */
static void
set_windows(Linker *linker, uint32 original, int attributes)
{
	for (int a = 0; a < attributes; a++)
		set_window(linker, original, a);
}

/*
 * inside tells whether a code is in a window; a missing one never is.  Both sides are always
 * compared: which of many codes are inside cannot be guessed.
 */
static inline bool
inside(const SdcInterval *window, uint32 code)
{
	return (code >= window->first) & (code <= window->last);
}

/* outside_own is how many of the windows a protected record is outside of. */
static int
outside_own(const Linker *linker, uint32 record, int attributes)
{
	int			outside = 0;

	for (int a = 0; a < attributes; a++)
		outside += !inside(&linker->window[a], linker->masked[a][record]);
	return outside;
}

/* take_original computes the coordinates of an original, unless they are there. */
static void
take_original(Linker *linker, uint32 original)
{
	if (linker->point_of != original)
		sdc_space_original(linker->full, original, linker->point);
	linker->point_of = original;
}

/* measure_own is the measure of the original taken and a protected record. */
static double
measure_own(Linker *linker, const SdcSpace *space, uint32 record)
{
	if (linker->own_of != record)
		sdc_space_masked(linker->full, record, linker->own);
	linker->own_of = record;
	return sdc_space_measure(space, linker->point, linker->own);
}

/* run_end is the end of a run of originals that share so many codes, places [place, end). */
static uint32
run_end(const Linker *linker, uint32 place, uint32 end, int attributes)
{
	uint32		next = place + 1;

	while (next < end && linker->shared[next] >= attributes)
		next++;
	return next;
}

/*
 * search_run finds the candidates of the originals at places [place, end), which are equal,
 * among records outside of at most so many windows.  It leaves to find the nearest.
 */
static void
search_run(Linker *linker, const SdcRankTree *tree, uint32 place, uint32 end, int outside)
{
	SdcRankQuery *query = &linker->query;
	double		best = INFINITY;
	int			nearest = outside;

	take_original(linker, record_at(linker, linker->order[place]));
	for (uint32 i = place; i < end; i++)
	{
		uint32		record = record_at(linker, linker->order[i]);
		int			own = outside_own(linker, record, tree->attributes);
		double		measure;

		spend_credit(&linker->credit, 1);
		if (own > nearest)
			continue;
		measure = measure_own(linker, tree->space, record);
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
 * spend_blocks looks for a cancel after enough searches: one alone may be too short
 * to do so.
 */
static inline void
spend_blocks(Linker *linker, uint64 blocks)
{
	uint64		steps = 1 + blocks * SDC_RANKSEARCH_CREDIT;

	spend_credit(&linker->credit, steps < SDC_INTERRUPT_STEPS ? (uint32) steps :
				 SDC_INTERRUPT_STEPS);
}

/* own_link tells whether a record's own protected one is among those found. */
static bool
own_link(Linker *linker, const SdcSpace *space, int attributes, uint32 record)
{
	const SdcRankQuery *query = &linker->query;

	return query->candidates > 0 &&
		outside_own(linker, record, attributes) == query->outside &&
		measure_own(linker, space, record) <= query->best * SDC_SPACE_TIE;
}

/* make_link is the link that a search found, but for whether it is correct. */
static SdcLink
make_link(const SdcSpace *space, const SdcRankQuery *query)
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

/* write_links makes the links of the originals at places [place, end) from the query. */
static void
write_links(Linker *linker, uint32 place, uint32 end, SdcRankLink *link)
{
	const SdcRankTask *task = linker->task;
	SdcRankLink found = {.link = make_link(task->space, &linker->query)};

	if (found.link.ties > 0)
		found.inside = task->count - linker->query.outside;
	for (uint32 i = place; i < end; i++)
	{
		uint32		index = linker->order[i];

		spend_credit(&linker->credit, 1);
		link[index] = found;
		link[index].link.correct = found.link.ties == 1 ?
			found.link.linked == record_at(linker, index) :
			own_link(linker, task->space, task->count, record_at(linker, index));
	}
}

/* link_run searches the tree for equal originals, and writes their links. */
static void
link_run(Linker *linker, const SdcRankTree *tree, uint32 place, uint32 end, int outside,
		 SdcRankLink *link)
{
	set_windows(linker, record_at(linker, linker->order[place]), tree->attributes);
	search_run(linker, tree, place, end, outside);
	sdc_ranksearch_nearest(tree, &linker->query);
	spend_blocks(linker, linker->query.steps);
	write_links(linker, place, end, link);
}

#include "kernel/rankunion.h"

/* sdc_ranklink_run: see ranklink.h. */
void
sdc_ranklink_run(const SdcRankTask *task, SdcRankMode mode, const uint32 *record,
				 uint32 count, SdcRankLink *link)
{
	int			outside = mode == SDC_RANK_UNION ? task->count - 1 : 0;
	bool		grouped;
	SdcRankTree *tree;
	Linker		linker;

	if (count == 0)
		return;
	tree = sdc_ranktree_create(task->pairs, task->known, task->count, task->space);
	start_linker(&linker, task, task->space, record, count, LIST_POINTS);
	grouped = mode == SDC_RANK_UNION && (count >= MINIMUM_UNION || task->grouped) &&
		link_grouped(&linker, tree, link);
	for (uint32 place = 0, end; place < count && !grouped; place = end)
	{
		end = run_end(&linker, place, count, task->count);
		link_run(&linker, tree, place, end, outside, link);
	}
	end_linker(&linker);
	sdc_ranktree_destroy(tree);
}

/* A run over numbers of known attributes. */
typedef struct Prefixes
{
	Linker		linker;
	const SdcSpace *const *spaces;
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
	Linker	   *linker = &prefixes->linker;
	const SdcSpace *space = prefixes->spaces[attributes - 1];

	for (uint32 i = place; i < end; i++)
	{
		uint32		index = linker->order[i];
		uint32		record = record_at(linker, index);

		spend_credit(&linker->credit, 1);
		link->correct = link->ties > 0 && prefixes->leading[i] >= attributes &&
			measure_own(linker, space, record) <= linker->query.best * SDC_SPACE_TIE;
		prefixes->result(prefixes->arg, attributes, index, link);
	}
}

/* emit_nothing reports for so many attributes and more that there is no link. */
static void
emit_nothing(Prefixes *prefixes, uint32 place, uint32 end, int attributes)
{
	SdcLink		none = {.linked = SDC_RECORD_NONE};

	for (int c = attributes; c <= prefixes->linker.task->count; c++)
		emit_run(prefixes, place, end, c, &none);
}

/* own_windows counts for each place the leading windows that the own record is in. */
static void
own_windows(Prefixes *prefixes)
{
	Linker	   *linker = &prefixes->linker;
	int			attributes = linker->task->count;

	for (uint32 i = 0; i < linker->count; i++)
	{
		uint32		record = record_at(linker, linker->order[i]);
		int			a = 0;

		spend_credit(&linker->credit, 1);
		set_windows(linker, record, attributes);
		while (a < attributes && inside(&linker->window[a], linker->masked[a][record]))
			a++;
		prefixes->leading[i] = (uint8) a;
	}
}

/* fill_records writes codes and coordinates of the records in the order of a tree. */
static void
fill_records(Prefixes *prefixes, const SdcRankTree *tree)
{
	Linker	   *linker = &prefixes->linker;
	const SdcSpace *space = linker->full;
	uint32		records = linker->task->pairs->records;

	for (int d = 0; d < space->dimensions; d++)
		prefixes->sure[d] = !space->nominal[d];
	for (uint32 i = 0; i < records; i++)
	{
		spend_credit(&linker->credit, 1);
		for (int a = tree->attributes; a < linker->task->count; a++)
			prefixes->code[a][i] = linker->masked[a][tree->record[i]];
		sdc_space_masked(space, tree->record[i], linker->own);
		linker->own_of = tree->record[i];
		for (int d = 0; d < space->dimensions; d++)
		{
			prefixes->coordinate[d][i] = linker->own[d];
			prefixes->sure[d] = prefixes->sure[d] && linker->own[d] == linker->own[d];
		}
	}
	prefixes->record = tree->record;
	prefixes->filled = true;
}

/* add_dimension adds the contributions of a dimension to a list. */
static void
add_dimension(Prefixes *prefixes, Chain *chain, int d)
{
	bool		nominal = prefixes->linker.full->nominal[d];
	const double *coordinate = prefixes->coordinate[d];
	const uint32 *candidate = prefixes->candidate + chain->start;
	uint32	   *common = prefixes->common + chain->start;
	double	   *sum = prefixes->sum + chain->start;
	double		x = prefixes->linker.point[d];

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

/* scale_sum makes the measure of a sum, as sdc_space_measure does. */
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
	SdcRankQuery *query = &prefixes->linker.query;
	const SdcSpace *space = prefixes->spaces[attributes - 1];
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
	limit = query->best * SDC_SPACE_TIE;
	for (uint32 i = 0; i < chain->count; i++)
	{
		uint32		record;

		if (!(scale_sum(space->dimensions, sum[i], chain->sure + common[i]) <= limit))
			continue;
		query->ties++;
		record = prefixes->record[candidate[i]];
		query->linked = record < query->linked ? record : query->linked;
	}
	return make_link(space, query);
}

/* filter_chain puts those of a list that are in one more window on top of the stack. */
static Chain
filter_chain(Prefixes *prefixes, const Chain *chain, int a)
{
	const uint32 *code = prefixes->code[a];
	const SdcInterval window = prefixes->linker.window[a];
	Chain		next = {.start = chain->start + chain->count, .sure = chain->sure};
	uint32		place = next.start;

	for (uint32 i = chain->start; i < chain->start + chain->count; i++)
	{
		uint32		candidate = prefixes->candidate[i];

		prefixes->candidate[place] = candidate;
		prefixes->common[place] = prefixes->common[i];
		prefixes->sum[place] = prefixes->sum[i];
		place += inside(&window, code[candidate]);
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
	Linker	   *linker = &prefixes->linker;
	int			dimensions = prefixes->spaces[attributes - 1]->dimensions;

	if (attributes == linker->task->count)
		return;
	for (uint32 next; place < end; place = next)
	{
		uint32		original = record_at(linker, linker->order[place]);
		Chain		rest;
		SdcLink		link;

		next = run_end(linker, place, end, attributes + 1);
		set_window(linker, original, attributes);
		rest = filter_chain(prefixes, chain, attributes);
		spend_credit(&linker->credit, 1 + chain->count);
		if (rest.count == 0)
		{
			emit_nothing(prefixes, place, next, attributes + 1);
			continue;
		}
		take_original(linker, original);
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
	const SdcRankQuery *query = &prefixes->linker.query;
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
	spend_credit(&prefixes->linker.credit, chain.count);
	for (int d = 0; d < tree->space->dimensions; d++)
		add_dimension(prefixes, &chain, d);
	return chain;
}

/* search_prefix searches for all active originals in the first attributes. */
static void
search_prefix(Prefixes *prefixes, int attributes)
{
	Linker	   *linker = &prefixes->linker;
	const SdcSpace *space = prefixes->spaces[attributes - 1];
	SdcRankTree *tree = sdc_ranktree_create(linker->task->pairs, linker->task->known,
											attributes, space);
	uint32		kept = 0;

	prefixes->filled = false;
	for (uint32 place = 0, end; place < prefixes->active; place = end)
	{
		SdcLink		link;

		end = run_end(linker, place, prefixes->active, attributes);
		set_windows(linker, record_at(linker, linker->order[place]), attributes);
		search_run(linker, tree, place, end, 0);
		spend_blocks(linker, linker->query.steps);
		if (linker->query.candidates == 0)
			emit_nothing(prefixes, place, end, attributes);
		else if (keeps_candidates(&linker->query))
		{
			Chain		chain = start_chain(prefixes, tree);

			link = link_chain(prefixes, &chain, attributes);
			emit_run(prefixes, place, end, attributes, &link);
			follow_chain(prefixes, place, end, attributes, &chain);
		}
		else
		{
			sdc_ranksearch_nearest(tree, &linker->query);
			spend_blocks(linker, linker->query.steps);
			link = make_link(space, &linker->query);
			emit_run(prefixes, place, end, attributes, &link);
			/* runs stay whole, so those kept differ in these attributes from those before */
			for (uint32 i = place; i < end; i++, kept++)
			{
				linker->order[kept] = linker->order[i];
				linker->shared[kept] = linker->shared[i];
				prefixes->leading[kept] = prefixes->leading[i];
			}
		}
	}
	prefixes->active = kept;
	sdc_ranktree_destroy(tree);
}

/* start_prefixes allocates what goes with the linker. */
static void
start_prefixes(Prefixes *prefixes, uint32 count)
{
	const SdcRankTask *task = prefixes->linker.task;
	uint32		records = task->pairs->records;
	int			dimensions = prefixes->spaces[task->count - 1]->dimensions;
	Size		stack = (Size) CHAIN_RECORDS * (task->count + 1);

	prefixes->leading = sdc_alloc(count);
	prefixes->candidate = sdc_alloc(stack * sizeof(uint32));
	prefixes->common = sdc_alloc(stack * sizeof(uint32));
	prefixes->sum = sdc_alloc(stack * sizeof(double));
	prefixes->code = sdc_alloc(task->count * sizeof(uint32 *));
	prefixes->coordinate = sdc_alloc(dimensions * sizeof(double *));
	prefixes->sure = sdc_alloc(dimensions);
	for (int a = 0; a < task->count; a++)
		prefixes->code[a] = sdc_alloc((Size) records * sizeof(uint32));
	for (int d = 0; d < dimensions; d++)
		prefixes->coordinate[d] = sdc_alloc((Size) records * sizeof(double));
}

/* end_prefixes frees what start_prefixes allocated. */
static void
end_prefixes(Prefixes *prefixes)
{
	const SdcRankTask *task = prefixes->linker.task;

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
sdc_ranklink_prefixes(const SdcRankTask *task, const SdcSpace *const *spaces,
					  const uint32 *record, uint32 count, SdcRankResult result, void *arg)
{
	Prefixes	prefixes = {.spaces = spaces, .result = result, .arg = arg, .active = count};

	start_linker(&prefixes.linker, task, spaces[task->count - 1], record, count, CHAIN_RECORDS);
	start_prefixes(&prefixes, count);
	own_windows(&prefixes);
	for (int c = 1; c <= task->count && prefixes.active > 0; c++)
		search_prefix(&prefixes, c);
	end_prefixes(&prefixes);
	end_linker(&prefixes.linker);
}
