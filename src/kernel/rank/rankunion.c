/*-------------------------------------------------------------------------
 *
 * rankunion.c
 *		The annotated union by groups of attributes.
 *
 * Whoever is inside as many windows as a record already known is outside
 * of few, say of r.  So if the attributes are divided into r + 1 groups, it is inside all
 * windows of one of them (the pigeonhole principle).  More generally, of so many
 * attributes that they cannot be spread over the parts with fewer than s of them in each,
 * some s of a part are in.  A tree of the attributes of one group only is small in these, so that
 * all that are inside all its windows are found quickly.
 *
 * Originals are taken by levels, by the number of windows that a candidate must be in: that
 * of the own record, or if it is less, that which nearly all originals of a sample reach.
 * rankplan.c plans the sets of attributes for each level, or for several; who finds nothing
 * has a lower level next.  Sets are taken one after the other, each for all originals,
 * so that there is one tree at a time and neighbours come together.  A record is
 * counted in the first of the sets that it is in all windows of.
 *
 * What stands after a set is the result so far: the candidates, the nearest and its ties.
 * As these are not kept, it can happen that a nearer one leaves open which of them are
 * still tied, where measures differ by rounding.  Then the original is searched for in the tree
 * of all attributes, as are those for which that is quicker.  The result is the same.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include <math.h>

#include "kernel/rank/rankplan.h"
#include "kernel/rank/rankunion.h"

/* Originals that are looked at to plan a union, and records that each is compared with. */
#define SAMPLES 64

/* Cells by which the originals of a group are sorted. */
#define CELLS 4096

/* The level of an original whose candidates are known. */
#define DONE (-1)

/* sample_pairs notes in which windows of an original some records are. */
static void
sample_pairs(SdcRankCandidates *finder, uint32 sample, SdcRankCensus *census, uint64 *hit)
{
	uint32		records = finder->task->pairs->records;

	for (uint32 k = 0; k < SAMPLES; k++)
	{
		uint32		record = (uint32) ((sample * SAMPLES + k) * UINT64_C(2654435761) % records);
		uint64		set = 0;

		for (int a = 0; a < census->attributes; a++)
			set |= (uint64) sdc_rankcandidates_inside(&finder->window[a],
													  finder->protected[a][record]) << a;
		hit[census->hits++] = set;
	}
	sdc_interrupts_spend(&finder->credit, SAMPLES);
}

/* Searches of a sample: what they cost and how many there are, by the number of windows. */
typedef struct Searches
{
	double		steps[65];		/* sums */
	uint32		count[65];
} Searches;

/* add_below makes the sums those of all levels up to each. */
static void
add_below(Searches *searches, int top)
{
	for (int level = 1; level <= top; level++)
	{
		searches->steps[level] += searches->steps[level - 1];
		searches->count[level] += searches->count[level - 1];
	}
}

/*
 * level_costs estimates what a search in the tree costs by the level of an original.  Up to
 * the usual one, own records are in fewer windows; below it, others are so too, and
 * nothing ends the search.
 */
static void
level_costs(SdcRankCensus *census, Searches *own, Searches *best, int usual)
{
	add_below(own, usual);
	add_below(best, usual);
	for (int level = census->attributes; level >= 0; level--)
	{
		const Searches *like = level < usual ? best : own;

		if (like->count[level] > 0)
			census->cost[level] = like->steps[level] / like->count[level];
		else if (level < usual)
			census->cost[level] = 2.0 * census->points / SDC_RANKLEVEL_FAN;
		else
			census->cost[level] = level < census->attributes ? census->cost[level + 1] : 0;
	}
}

/*
 * take_sample searches for a few originals, to know what that costs and how many there are of
 * each level.  It returns in how many windows the candidates of nearly all originals are.
 */
static int
take_sample(SdcRankCandidates *finder, const SdcRankTree *tree, SdcRankCensus *census, uint64 *hit)
{
	const SdcRankQuery *query = &finder->query;
	uint32		samples = finder->count < SAMPLES ? finder->count : SAMPLES;
	Searches	own = {.count = {0}};
	Searches	best = {.count = {0}};
	uint32		few = 0;
	int			usual;

	for (uint32 i = 0; i < samples; i++)
	{
		uint32		place = (uint32) ((uint64) i * finder->count / samples);
		uint32		original = sdc_rankcandidates_record(finder, finder->order[place]);
		int			level;

		sdc_rankcandidates_windows(finder, original, census->attributes);
		sample_pairs(finder, i, census, hit);
		sdc_rankcandidates_search(finder, tree, place, place + 1, census->attributes - 1);
		sdc_ranksearch_nearest(tree, &finder->query);
		sdc_rankcandidates_spend(finder, query->steps);
		level = census->attributes - sdc_rankcandidates_outside(finder, original,
																census->attributes);
		own.steps[level] += (double) query->steps;
		own.count[level]++;
		level = query->candidates == 0 ? 0 : census->attributes - query->outside;
		best.steps[level] += (double) query->steps;
		best.count[level]++;
	}
	for (usual = 0; (few += best.count[usual]) <= samples / 10; usual++)
		;
	for (int level = 0; level <= census->attributes; level++)
		census->originals[level < usual ? usual : level] +=
			(uint32) ((uint64) own.count[level] * finder->count / samples);
	level_costs(census, &own, &best, usual);
	return usual;
}

/* A union at work. */
typedef struct Union
{
	SdcRankCandidates	   *finder;
	const SdcRankTree *tree;
	uint32		runs;			/* of equal originals */
	uint32	   *place;			/* by run: where it begins; and the end */
	SdcRankStand *stand;		/* by run */
	SdcRankBins *bins;
	SdcInterval *window;		/* by run and attribute */
	SdcRankRange *range;		/* and in bins */
	double	   *point;			/* by run and dimension */
	uint32	   *active;			/* runs to search for in a group, in an order like its own */
	uint32	   *cell;			/* by run: where in that order; CELLS: nowhere */
} Union;

/* start_run finds the run at a place: in how many windows an own record of it is. */
static uint32
start_run(Union *work, uint32 place)
{
	SdcRankCandidates	   *finder = work->finder;
	int			attributes = finder->task->count;
	uint32		end = sdc_rankcandidates_run_end(finder, place, finder->count, attributes);
	uint32		first = sdc_rankcandidates_record(finder, finder->order[place]);
	SdcRankStand *stand = &work->stand[work->runs];

	*stand = (SdcRankStand) {.best = INFINITY, .linked = SDC_RECORD_NONE};
	sdc_rankcandidates_windows(finder, first, attributes);
	for (int a = 0; a < attributes; a++)
	{
		work->window[(Size) work->runs * attributes + a] = finder->window[a];
		work->range[(Size) work->runs * attributes + a] =
			sdc_ranksearch_range(work->bins->of_code[a], &finder->window[a]);
	}
	sdc_metricspace_original(finder->full, first,
							 work->point + (Size) work->runs * finder->full->dimensions);
	for (uint32 i = place; i < end; i++)
	{
		int			inside = attributes -
			sdc_rankcandidates_outside(finder, sdc_rankcandidates_record(finder, finder->order[i]),
									   attributes);

		sdc_interrupts_spend(&finder->credit, attributes);
		stand->inside = inside > stand->inside ? inside : stand->inside;
	}
	work->place[work->runs++] = place;
	return end;
}

/* set_levels sets what originals begin with. */
static void
set_levels(Union *work, int usual)
{
	for (uint32 run = 0; run < work->runs; run++)
	{
		SdcRankStand *stand = &work->stand[run];

		sdc_interrupts_spend(&work->finder->credit, 1);
		stand->level = stand->inside < usual ? usual : stand->inside;
	}
}

/* count_levels counts the originals whose candidates are not known. */
static void
count_levels(Union *work, SdcRankCensus *census)
{
	memset(census->originals, 0, sizeof(census->originals));
	for (uint32 run = 0; run < work->runs; run++)
	{
		sdc_interrupts_spend(&work->finder->credit, 1);
		if (work->stand[run].level != DONE)
			census->originals[work->stand[run].level]++;
	}
}

/*
 * list_active lists the runs that are to be searched for in a group, so that neighbours in
 * the group come together: what they look at is in the cache then.
 */
static uint32
list_active(Union *work, const SdcRankStage *stage, int group)
{
	SdcRankCandidates	   *finder = work->finder;
	const SdcRankTask *task = finder->task;
	uint64		member = stage->member[group];
	uint32		steps = member == 0 ? 1 :
		(uint32) pow(CELLS, 1.0 / __builtin_popcountll(member));
	uint32		below[CELLS + 1] = {0};

	for (uint32 run = 0; run < work->runs; run++)
	{
		const SdcRankStand *stand = &work->stand[run];
		int			least = stand->inside > stage->level ? stand->inside : stage->level;
		uint32		original = sdc_rankcandidates_record(finder, finder->order[work->place[run]]);
		uint32		cell = 0;

		sdc_interrupts_spend(&finder->credit, 1);
		work->cell[run] = CELLS;
		if (stand->level < stage->level || stand->level > stage->top ||
			least > stage->reach[group])
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

/* run_stage searches in the groups of a stage. */
static void
run_stage(Union *work, const SdcRankStage *stage)
{
	SdcRankCandidates	   *finder = work->finder;
	const SdcRankTask *task = finder->task;
	SdcRankQuery query = {.steps = 0};

	for (int j = 0; j < stage->groups; j++)
	{
		SdcReportScope before = SDC_REPORT_WITHIN(j, j + 1, stage->groups);
		uint32		active = list_active(work, stage, j);
		SdcRankGroup *group;

		if (active == 0)
		{
			SDC_REPORT_BACK(before);
			continue;
		}
		group = sdc_rankgroup_create(work->tree, work->bins, task->pairs, task->known, stage->member[j]);
		for (uint32 i = 0; i < active; i++)
		{
			uint32		run = work->active[i];
			SdcRankStand *stand = &work->stand[run];
			int			least = stand->inside > stage->level ? stand->inside : stage->level;

			SDC_REPORT(i, active);
			query.window = work->window + (Size) run * task->count;
			query.point = work->point + (Size) run * finder->full->dimensions;
			sdc_ranksearch_group(work->tree, group, stage->member, j, least,
								 work->range + (Size) run * task->count, &query, stand);
			sdc_rankcandidates_spend(finder, query.steps);
		}
		sdc_rankgroup_destroy(group);
		SDC_REPORT_BACK(before);
	}
	/* who has found nothing has to look for less */
	for (uint32 run = 0; run < work->runs; run++)
	{
		SdcRankStand *stand = &work->stand[run];

		sdc_interrupts_spend(&finder->credit, 1);
		if (stand->level >= stage->level && stand->level <= stage->top)
			stand->level = stand->candidates > 0 ? DONE : stage->level - 1;
	}
}

/* finish_union writes the links; runs that no stage was for are searched for in the tree. */
static void
finish_union(Union *work, SdcRankLink *link)
{
	SdcRankCandidates	   *finder = work->finder;
	SdcRankQuery *query = &finder->query;
	int			attributes = finder->task->count;

	for (uint32 run = 0; run < work->runs; run++)
	{
		const SdcRankStand *stand = &work->stand[run];
		uint32		place = work->place[run];
		uint32		original = sdc_rankcandidates_record(finder, finder->order[place]);

		if (stand->level != DONE || stand->vague)
		{
			sdc_rankcandidates_link(finder, work->tree, place, work->place[run + 1],
					 attributes - (stand->inside > 0 ? stand->inside : 1), link);
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

/* start_union prepares what is needed of all originals. */
static void
start_union(Union *work)
{
	SdcRankCandidates	   *finder = work->finder;
	Size		runs = finder->count;

	work->bins = sdc_rankgroup_bins(work->tree, finder->task->pairs, finder->task->known);
	work->place = sdc_alloc_array(uint32, runs + 1);
	work->stand = sdc_alloc_array(SdcRankStand, runs);
	work->window = sdc_alloc_matrix(SdcInterval, runs, work->tree->attributes);
	work->range = sdc_alloc_matrix(SdcRankRange, runs, work->tree->attributes);
	work->point = sdc_alloc_matrix(double, runs, work->tree->space->dimensions);
	work->active = sdc_alloc_array(uint32, runs);
	work->cell = sdc_alloc_array(uint32, runs);
	for (uint32 place = 0; place < finder->count;)
		place = start_run(work, place);
	work->place[work->runs] = finder->count;
}

/* end_union frees what start_union allocated. */
static void
end_union(Union *work)
{
	sdc_free(work->cell);
	sdc_free(work->active);
	sdc_free(work->point);
	sdc_free(work->range);
	sdc_free(work->window);
	sdc_free(work->stand);
	sdc_free(work->place);
	sdc_rankgroup_unbin(work->bins);
}

/*
 * sdc_rankunion_link links the originals by groups of attributes, as far as that is quicker; false if
 * it is not for any.
 */
bool
sdc_rankunion_link(SdcRankCandidates *finder, const SdcRankTree *tree, SdcRankLink *link)
{
	Union		work = {.finder = finder, .tree = tree};
	uint64	   *hit = sdc_alloc_matrix(uint64, SAMPLES, SAMPLES);
	SdcRankStage *stage = sdc_alloc_array(SdcRankStage, 64);
	SdcRankCensus census = {.attributes = tree->attributes, .points = tree->level[0].count,
	.hit = hit, .free = finder->task->grouped};
	int			usual = take_sample(finder, tree, &census, hit);
	int			stages = sdc_rankplan_make(&census, stage);

	if (stages > 0)
	{
		start_union(&work);
		set_levels(&work, usual);
		/* what is left after a stage is planned for again */
		while (count_levels(&work, &census), sdc_rankplan_make(&census, stage) > 0)
			run_stage(&work, &stage[0]);
		finish_union(&work, link);
		end_union(&work);
	}
	sdc_free(stage);
	sdc_free(hit);
	return stages > 0;
}
