/*-------------------------------------------------------------------------
 *
 * rankunion.c
 *		The annotated union by groups of attributes.
 *
 * A record that is outside of fewer windows than there are groups of attributes is inside all windows of one
 * of the groups (the pigeonhole principle).  A tree whose points are ordered by the attributes of one
 * group only has nodes that are small in these, so that all that are inside all its windows are found
 * quickly.  Groups are taken one after the other, each for all originals, so that there is one such tree
 * at a time and neighbours come together.  A candidate is counted in the first group that it is in all
 * windows of; so who is in as many windows as the own record is looked for in the first groups only.
 *
 * How many groups there are is decided by what searches take for a sample.  It changes the time, never
 * the result.
 *
 * What stands after a group is the result so far: the candidates, the nearest and its ties.
 * As these are not kept, it can happen that a nearer one leaves open which of them are
 * still tied, where measures differ by rounding.  Then the original is searched for in the tree
 * of all attributes, as are those for which no group has a candidate.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include <math.h>

#include "kernel/rank/rankunion.h"

#define FAN SDC_RANKLEVEL_FAN

/* Originals that are looked at to plan a union, and records that each is compared with. */
#define SAMPLES 64

/* Groups at most. */
#define MOST_GROUPS 32

/* Cells by which the originals of a group are sorted. */
#define CELLS 4096

/*
 * What a group takes, in the time of a block of the tree, measured: a search; each block in it, and
 * each point that may be a candidate; each point when it is built.
 */
#define SEARCH_COST 8.0
#define BLOCK_COST 0.5
#define POINT_COST 1.5
#define BUILD_COST 5.0

/* A window that so large a share of the records is in is not worth a place in a group. */
#define WIDE_SHARE 0.9

/* What a sample of originals tells, and the groups. */
typedef struct Plan
{
	int			attributes;
	double		blocks;			/* of points in a tree */
	double		originals;		/* that each of the sample stands for */
	uint32		samples;
	int			own[SAMPLES];	/* windows that the own record is outside of, */
	int			least[SAMPLES];	/* and the candidates, */
	double		steps[SAMPLES];	/* and what the search took */
	double		share[64];		/* of the records that are inside the window of an attribute */
	double		passing[65];	/* points that are outside of so many windows at most */
	int			groups;
	uint64		member[MOST_GROUPS];	/* attributes of each, as a set */
} Plan;

/* sample_pairs compares an original with some records. */
static void
sample_pairs(SdcRankCandidates *finder, uint32 sample, Plan *plan)
{
	uint32		records = finder->task->pairs->records;

	for (uint32 k = 0; k < SAMPLES; k++)
	{
		uint32		record = (uint32) ((sample * SAMPLES + k) * UINT64_C(2654435761) % records);
		int			outside = 0;

		for (int a = 0; a < plan->attributes; a++)
		{
			bool		inside = sdc_rankcandidates_inside(&finder->window[a], finder->protected[a][record]);

			plan->share[a] += inside;
			outside += !inside;
		}
		plan->passing[outside]++;
	}
	sdc_interrupts_spend(&finder->credit, SAMPLES);
}

/* take_sample searches for a few originals in the tree of all attributes. */
static void
take_sample(SdcRankCandidates *finder, const SdcRankTree *tree, Plan *plan)
{
	const SdcRankQuery *query = &finder->query;
	double		pairs;

	plan->attributes = tree->attributes;
	plan->blocks = (double) tree->level[0].count / FAN + 1;
	plan->samples = finder->count < SAMPLES ? finder->count : SAMPLES;
	plan->originals = (double) finder->count / plan->samples;
	for (uint32 i = 0; i < plan->samples; i++)
	{
		uint32		place = (uint32) ((uint64) i * finder->count / plan->samples);
		uint32		original = sdc_record_at(finder->record, finder->order[place]);

		sdc_rankcandidates_windows(finder, original, plan->attributes);
		sample_pairs(finder, i, plan);
		sdc_rankcandidates_search(finder, tree, place, place + 1, plan->attributes - 1);
		sdc_ranksearch_nearest(tree, &finder->query);
		sdc_rankcandidates_spend(finder, query->steps);
		plan->own[i] = sdc_rankcandidates_outside(finder, original, plan->attributes);
		plan->least[i] = query->candidates == 0 ? plan->attributes : query->outside;
		plan->steps[i] = (double) query->steps;
	}
	pairs = (double) plan->samples * SAMPLES;
	for (int a = 0; a < plan->attributes; a++)
		plan->share[a] = (plan->share[a] + 0.5) / pairs;
	for (int outside = 0; outside <= plan->attributes; outside++)
		plan->passing[outside] = plan->passing[outside] * tree->level[0].count / pairs +
			(outside > 0 ? plan->passing[outside - 1] : 0);
}

/* search_cost estimates what a search in a group takes. */
static double
search_cost(const Plan *plan, uint64 member)
{
	double		edge = pow(plan->blocks, -1.0 / __builtin_popcountll(member));
	double		reached = 1;

	for (uint64 rest = member; rest != 0; rest &= rest - 1)
	{
		double		width = plan->share[__builtin_ctzll(rest)] + edge;

		reached *= width < 1 ? width : 1;
	}
	return SEARCH_COST + BLOCK_COST * plan->blocks * reached;
}

/* sort_groups puts those groups first that are searched in quickly: most originals are looked for in them. */
static void
sort_groups(Plan *plan)
{
	for (int j = 1; j < plan->groups; j++)
	{
		uint64		member = plan->member[j];
		double		cost = search_cost(plan, member);
		int			place = j;

		for (; place > 0 && search_cost(plan, plan->member[place - 1]) > cost; place--)
			plan->member[place] = plan->member[place - 1];
		plan->member[place] = member;
	}
}

/* divide_attributes makes so many groups, about equally narrow; false if there are not so many attributes. */
static bool
divide_attributes(Plan *plan, int groups)
{
	double		width[MOST_GROUPS];
	uint64		left = 0;

	if (groups > MOST_GROUPS)
		return false;
	for (int a = 0; a < plan->attributes; a++)
		if (plan->share[a] <= WIDE_SHARE)
			left |= UINT64_C(1) << a;
	if (__builtin_popcountll(left) < groups)
		return false;
	plan->groups = groups;
	for (int j = 0; j < groups; j++)
	{
		plan->member[j] = 0;
		width[j] = 1;
	}
	/* the narrowest that is left goes to the widest */
	while (left != 0)
	{
		int			narrowest = __builtin_ctzll(left);
		int			widest = 0;

		for (uint64 rest = left; rest != 0; rest &= rest - 1)
			if (plan->share[__builtin_ctzll(rest)] < plan->share[narrowest])
				narrowest = __builtin_ctzll(rest);
		for (int j = 1; j < groups; j++)
			if (width[j] > width[widest])
				widest = j;
		plan->member[widest] |= UINT64_C(1) << narrowest;
		width[widest] *= plan->share[narrowest];
		left &= ~(UINT64_C(1) << narrowest);
	}
	sort_groups(plan);
	return true;
}

/* plan_cost estimates what the groups take for all originals, and the searches for those that need the tree. */
static double
plan_cost(const Plan *plan)
{
	double		below[MOST_GROUPS];	/* of a search in the groups up to each */
	double		sum = 0;

	for (int j = 0; j < plan->groups; j++)
		below[j] = search_cost(plan, plan->member[j]) + (j > 0 ? below[j - 1] : 0);
	for (uint32 i = 0; i < plan->samples; i++)
	{
		int			outside = plan->own[i] < plan->groups ? plan->own[i] : plan->groups - 1;

		if (plan->own[i] > 0)
			sum += below[outside] + POINT_COST * plan->passing[outside];
		if (plan->own[i] == 0 || plan->least[i] >= plan->groups)
			sum += plan->steps[i];
	}
	return plan->originals * sum + BUILD_COST * FAN * plan->blocks * plan->groups;
}

/* make_plan chooses the number of groups: 0 if none is quicker. */
static void
make_plan(Plan *plan, int given)
{
	double		least = 0;
	int			best = 0;

	for (uint32 i = 0; i < plan->samples; i++)
		least += plan->originals * plan->steps[i];
	for (int groups = 1; divide_attributes(plan, groups) && groups != given; groups++)
	{
		double		cost = plan_cost(plan);

		if (cost < least)
			best = groups;
		least = cost < least ? cost : least;
	}
	if (given == 0 && (best == 0 || !divide_attributes(plan, best)))
		plan->groups = 0;
}

/* A union at work. */
typedef struct Union
{
	SdcRankCandidates *finder;
	const SdcRankTree *tree;
	const Plan *plan;
	uint32		runs;			/* of equal originals */
	uint32	   *place;			/* by run: where it begins; and the end */
	SdcRankStand *stand;		/* by run */
	SdcRankBins *bins;
	uint32	   *active;			/* runs to search for in a group, in an order like its own */
	uint32	   *cell;			/* by run: where in that order; CELLS: nowhere */
} Union;

/* start_union finds the runs, and in how many windows an own record of each is. */
static void
start_union(Union *work)
{
	SdcRankCandidates *finder = work->finder;
	int			attributes = work->plan->attributes;
	int			least = attributes - work->plan->groups + 1;

	work->bins = sdc_rankgroup_bins(work->tree, finder->task->pairs, finder->task->known);
	work->place = sdc_alloc_array(uint32, (Size) finder->count + 1);
	work->stand = sdc_alloc_array(SdcRankStand, finder->count);
	work->active = sdc_alloc_array(uint32, finder->count);
	work->cell = sdc_alloc_array(uint32, finder->count);
	for (uint32 place = 0, end; place < finder->count; place = end)
	{
		SdcRankStand *stand = &work->stand[work->runs];

		*stand = (SdcRankStand) {.best = INFINITY, .linked = SDC_RECORD_NONE, .inside = least};
		end = sdc_rankcandidates_run_end(finder, place, finder->count, attributes);
		sdc_rankcandidates_windows(finder, sdc_record_at(finder->record, finder->order[place]), attributes);
		for (uint32 i = place; i < end; i++)
		{
			int			inside = attributes -
				sdc_rankcandidates_outside(finder, sdc_record_at(finder->record, finder->order[i]), attributes);

			sdc_interrupts_spend(&finder->credit, attributes);
			stand->inside = inside > stand->inside ? inside : stand->inside;
		}
		work->place[work->runs++] = place;
	}
	work->place[work->runs] = finder->count;
}

/* end_union frees what start_union allocated. */
static void
end_union(Union *work)
{
	sdc_free(work->cell);
	sdc_free(work->active);
	sdc_free(work->stand);
	sdc_free(work->place);
	sdc_rankgroup_unbin(work->bins);
}

/*
 * list_active lists the runs that are to be searched for in a group, so that neighbours in
 * the group come together: what they look at is in the cache then.
 */
static uint32
list_active(Union *work, int number)
{
	SdcRankCandidates *finder = work->finder;
	const SdcRankTask *task = finder->task;
	uint64		member = work->plan->member[number];
	uint32		steps = (uint32) pow(CELLS, 1.0 / __builtin_popcountll(member));
	uint32		below[CELLS + 1] = {0};

	for (uint32 run = 0; run < work->runs; run++)
	{
		uint32		original = sdc_record_at(finder->record, finder->order[work->place[run]]);
		uint32		cell = 0;

		sdc_interrupts_spend(&finder->credit, 1);
		work->cell[run] = CELLS;
		/* who is in none of the groups before is outside of as many windows; who is outside of none needs no group */
		if (work->stand[run].inside > work->plan->attributes - (number > 0 ? number : 1))
			continue;
		for (uint64 rest = member; rest != 0 && cell < CELLS; rest &= rest - 1)
		{
			int			a = __builtin_ctzll(rest);
			uint32		code = finder->original[a][original];
			uint32		codes = task->pairs->column[task->known[a]].codes;

			/* without a window nothing is found */
			cell = code == SDC_CODE_NULL ? CELLS :
				cell * steps + (uint32) ((uint64) code * steps / codes);
		}
		work->cell[run] = cell;
		if (cell < CELLS)
			below[cell + 1]++;
	}
	for (uint32 cell = 0; cell < CELLS; cell++)
		below[cell + 1] += below[cell];
	for (uint32 run = 0; run < work->runs; run++)
	{
		sdc_interrupts_spend(&finder->credit, 1);
		if (work->cell[run] < CELLS)
			work->active[below[work->cell[run]]++] = run;
	}
	return below[CELLS - 1];
}

/* search_group searches in a group for a run. */
static void
search_group(Union *work, int number, const SdcRankGroup *group, uint32 run)
{
	SdcRankCandidates *finder = work->finder;
	uint32		original = sdc_record_at(finder->record, finder->order[work->place[run]]);
	SdcRankStand *stand = &work->stand[run];
	SdcRankRange range[64];

	sdc_rankcandidates_windows(finder, original, work->plan->attributes);
	sdc_rankcandidates_take(finder, original);
	for (int a = 0; a < work->plan->attributes; a++)
		range[a] = sdc_ranksearch_range(work->bins->of_code[a], &finder->window[a]);
	sdc_ranksearch_group(work->tree, group, work->plan->member, number, stand->inside, range, &finder->query, stand);
	sdc_rankcandidates_spend(finder, finder->query.steps);
}

/* run_groups searches in one group after the other. */
static void
run_groups(Union *work)
{
	const SdcRankTask *task = work->finder->task;
	int			groups = work->plan->groups;

	for (int number = 0; number < groups; number++)
	{
		SdcReportScope before = SDC_REPORT_WITHIN(number, number + 1, groups);
		uint32		active = list_active(work, number);
		SdcRankGroup *group;

		if (active > 0)
		{
			group = sdc_rankgroup_create(work->tree, work->bins, task->pairs, task->known, work->plan->member[number]);
			for (uint32 i = 0; i < active; i++)
			{
				SDC_REPORT(i, active);
				search_group(work, number, group, work->active[i]);
			}
			sdc_rankgroup_destroy(group);
		}
		SDC_REPORT_BACK(before);
	}
}

/* finish_union writes the links; runs that have none so far are searched for in the tree. */
static void
finish_union(Union *work, SdcRankLink *link)
{
	SdcRankCandidates *finder = work->finder;
	SdcRankQuery *query = &finder->query;
	int			attributes = work->plan->attributes;

	for (uint32 run = 0; run < work->runs; run++)
	{
		const SdcRankStand *stand = &work->stand[run];
		uint32		place = work->place[run];
		uint32		original = sdc_record_at(finder->record, finder->order[place]);

		if (stand->candidates == 0 || stand->vague)
		{
			sdc_rankcandidates_link(finder, work->tree, place, work->place[run + 1], attributes - 1, link);
			continue;
		}
		query->outside = attributes - stand->inside;
		query->candidates = stand->candidates;
		query->best = stand->best;
		query->ties = stand->ties;
		query->linked = stand->linked;
		if (stand->ties > 1)
		{
			sdc_rankcandidates_windows(finder, original, attributes);
			sdc_rankcandidates_take(finder, original);
		}
		sdc_rankcandidates_write(finder, place, work->place[run + 1], link);
	}
}

/* sdc_rankunion_link: see rankunion.h. */
bool
sdc_rankunion_link(SdcRankCandidates *finder, const SdcRankTree *tree, SdcRankLink *link)
{
	Plan		plan = {.groups = 0};
	Union		work = {.finder = finder, .tree = tree, .plan = &plan};

	take_sample(finder, tree, &plan);
	make_plan(&plan, finder->task->groups);
	if (plan.groups == 0)
		return false;
	start_union(&work);
	run_groups(&work);
	finish_union(&work, link);
	end_union(&work);
	return true;
}

