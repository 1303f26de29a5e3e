/*-------------------------------------------------------------------------
 *
 * rankplan.c
 *		Which groups of attributes an annotated union needs.
 *
 * The plan says which groups an annotated union needs (rankunion.h): it estimates what searches
 * take from a sample, and chooses for each level how many parts the attributes have, and then
 * what levels to take together.  It decides about time, never about results.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include <math.h>

#include "kernel/rank/ranklevel.h"
#include "kernel/rank/rankplan.h"

#define FAN SDC_RANKLEVEL_FAN

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

/* A plan at work. */
typedef struct Planner
{
	const SdcRankCensus *census;
	double		share[64];		/* of the pairs that are inside the window of an attribute */
	int			sorted[64];		/* attributes, the narrowest windows first */
	int			wide;			/* that tell next to nothing */
	double		passing[65];	/* points inside so many windows, at least */
	SdcRankStage stage[65];		/* the best by its level */
	double		cost[65][SDC_RANKPLAN_GROUPS];	/* of a search in its groups */
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

	for (int i = 1; i <= part->chosen && count <= SDC_RANKPLAN_GROUPS; i++)
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
	Part		part[SDC_RANKPLAN_GROUPS];

	if (rest < 0 || parts > SDC_RANKPLAN_GROUPS)
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
		if (sets > SDC_RANKPLAN_GROUPS)
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
		double		cost[SDC_RANKPLAN_GROUPS];
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

/* sdc_rankplan_make: see rankplan.h.  Levels up to each are planned for before the next. */
int
sdc_rankplan_make(const SdcRankCensus *census, SdcRankStage stage[64])
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

/* sdc_rankplan_memory: see rankplan.h. */
uint64
sdc_rankplan_memory(void)
{
	return sizeof(Planner) + 64 * sizeof(SdcRankStage) + (1 << 16);
}
