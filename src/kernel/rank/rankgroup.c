/*-------------------------------------------------------------------------
 *
 * rankgroup.c
 *		The points of a tree again, in trees of a few attributes.
 *
 * A group is another tree of the same points, with nodes of some attributes and points of bytes.
 *
 * Complexity: O(attributes n log n).  Memory: 7 bytes a record and attribute.  Determinism: by the
 * input; what a search finds does not depend on the order of points.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include "kernel/rank/rankgroup.h"
#include "kernel/rank/rankwindow.h"

#define FAN SDC_RANKLEVEL_FAN

/* sdc_rankgroup_bins: see rankgroup.h.  Where there are many codes, bins have as many values. */
SdcRankBins *
sdc_rankgroup_bins(const SdcRankTree *tree, const SdcPairs *pairs, const int *known)
{
	SdcRankBins *bins = sdc_alloc(sizeof(SdcRankBins));
	uint32		points = tree->level[0].count;
	uint32		credit = SDC_INTERRUPT_STEPS;

	bins->attributes = tree->attributes;
	bins->of_code = sdc_alloc_array(uint8 *, tree->attributes);
	bins->of_point = sdc_alloc_matrix(uint8, points, tree->attributes);
	for (int a = 0; a < tree->attributes; a++)
	{
		const SdcPairColumn *column = &pairs->column[known[a]];
		uint8	   *bin = sdc_alloc_array(uint8, column->codes);
		SdcPositions sorted;

		sdc_positions_create(&sorted, column->protected, pairs->records, column->codes);
		for (uint32 c = 0; c < column->codes; c++)
		{
			uint64		place = (uint64) sorted.below[c] * SDC_RANKGROUP_MISSING /
				((uint64) sorted.count + 1);

			sdc_interrupts_spend(&credit, 1);
			bin[c] = (uint8) (column->codes <= SDC_RANKGROUP_MISSING ? c : place);
		}
		sdc_positions_destroy(&sorted);
		for (uint32 p = 0; p < points; p++)
		{
			uint32		code = column->protected[sdc_ranktree_first(tree, p)];

			sdc_interrupts_spend(&credit, 1);
			bins->of_point[(Size) p * tree->attributes + a] =
				code == SDC_CODE_NULL ? SDC_RANKGROUP_MISSING : bin[code];
		}
		bins->of_code[a] = bin;
	}
	return bins;
}

/* sdc_rankgroup_unbin frees bins. */
void
sdc_rankgroup_unbin(SdcRankBins *bins)
{
	for (int a = 0; a < bins->attributes; a++)
		sdc_free(bins->of_code[a]);
	sdc_free(bins->of_code);
	sdc_free(bins->of_point);
	sdc_free(bins);
}

/* order_group finds the order of a group, and writes the codes that nodes are made from. */
static void
order_group(SdcRankGroup *group, const SdcRankTree *tree, const SdcPairs *pairs,
			const int *known, uint32 *credit)
{
	uint32		points = tree->level[0].count;
	double	   *position[64];

	for (int a = 0; a < group->attributes; a++)
	{
		position[a] = sdc_alloc_array(double, points);
		sdc_ranklevel_positions(&pairs->column[known[group->attribute[a]]], pairs->records, tree->record,
								tree->start, points, position[a], credit);
	}
	group->point = sdc_alloc_array(uint32, points);
	sdc_ranklevel_order((const double *const *) position, group->attributes, group->point, points, NULL);
	for (int a = 0; a < group->attributes; a++)
		sdc_free(position[a]);
	group->level[0].count = points;
	group->level[0].low = sdc_ranklevel_codes(points, group->attributes, NULL, credit);
	group->level[0].high = group->level[0].low;
	for (int a = 0; a < group->attributes; a++)
	{
		const uint32 *protected = pairs->column[known[group->attribute[a]]].protected;

		for (uint32 p = 0; p < points; p++)
		{
			uint32		record = sdc_ranktree_first(tree, group->point[p]);

			sdc_interrupts_spend(credit, 1);
			group->level[0].low[sdc_ranklevel_place(group->attributes, p) + (Size) a * FAN] =
				sdc_ranklevel_signed(protected[record]);
		}
	}
}

/* fill_bins writes the bins of the points in the order of a group. */
static void
fill_bins(SdcRankGroup *group, const SdcRankBins *bins, uint32 *credit)
{
	uint32		points = group->level[0].count;
	Size		blocks = (Size) sdc_ranklevel_blocks(points) * group->stored;

	group->bin = sdc_alloc_matrix(uint8, blocks, FAN);
	for (Size block = 0; block < blocks; block++)
	{
		sdc_interrupts_spend(credit, 1);
		memset(group->bin + block * FAN, SDC_RANKGROUP_MISSING, FAN);
	}
	for (uint32 p = 0; p < points; p++)
	{
		const uint8 *from = bins->of_point + (Size) group->point[p] * bins->attributes;
		uint8	   *to = group->bin + sdc_ranklevel_place(group->stored, p);

		sdc_interrupts_spend(credit, 1);
		for (int a = 0; a < group->stored; a++)
			to[a * FAN] = from[group->attribute[a]];
	}
}

#ifdef SDC_CHECKS

/* check_place: the point in a place of the order has its bins there. */
static bool
check_place(const SdcRankGroup *group, const SdcRankBins *bins, uint32 place)
{
	const uint8 *of_point = bins->of_point + (Size) group->point[place] * bins->attributes;
	const uint8 *bin = group->bin + sdc_ranklevel_place(group->stored, place);

	for (int a = 0; a < group->stored; a++)
		if (bin[a * FAN] != of_point[group->attribute[a]])
			return false;
	return true;
}

/*
 * sdc_rankgroup_check: every point of the tree is there once, with its bins; places without a point
 * are missing; and nodes know what is below them, as far as that has been kept.
 */
bool
sdc_rankgroup_check(const SdcRankGroup *group, const SdcRankTree *tree, const SdcRankBins *bins)
{
	uint32		points = tree->level[0].count;
	bool	   *seen = sdc_alloc_zeros(bool, points);
	bool		good = group->level[0].count == points &&
		__builtin_popcountll(group->member) == group->attributes;

	for (uint32 place = 0; good && place < sdc_ranklevel_blocks(points) * FAN; place++)
	{
		const uint8 *bin = group->bin + sdc_ranklevel_place(group->stored, place);

		if (place >= points)
			for (int a = 0; good && a < group->stored; a++)
				good = bin[a * FAN] == SDC_RANKGROUP_MISSING;
		else
		{
			good = group->point[place] < points && !seen[group->point[place]] &&
				check_place(group, bins, place);
			if (good)
				seen[group->point[place]] = true;
		}
	}
	/* the codes of points are not kept */
	for (int level = 2; good && level < group->levels; level++)
		good = sdc_ranklevel_check(&group->level[level], &group->level[level - 1],
								   group->attributes);
	sdc_free(seen);
	return good;
}

#endif							/* SDC_CHECKS */

/* sdc_rankgroup_create: see rankgroup.h. */
SdcRankGroup *
sdc_rankgroup_create(const SdcRankTree *tree, const SdcRankBins *bins, const SdcPairs *pairs,
					 const int *known, uint64 member)
{
	SdcRankGroup *group = sdc_alloc(sizeof(SdcRankGroup));
	uint32		credit = SDC_INTERRUPT_STEPS;

	*group = (SdcRankGroup) {.member = member};
	for (int of_nodes = 1; of_nodes >= 0; of_nodes--)
		for (int a = 0; a < tree->attributes; a++)
		{
			if ((int) (member >> a & 1) != of_nodes)
				continue;
			group->attribute[group->stored++] = a;
			group->attributes += of_nodes;
		}
	order_group(group, tree, pairs, known, &credit);
	fill_bins(group, bins, &credit);
	group->levels = 1;
	while (group->level[group->levels - 1].count > FAN)
	{
		sdc_ranklevel_bound(&group->level[group->levels], &group->level[group->levels - 1],
							group->attributes, NULL, &credit);
		group->levels++;
	}
	sdc_free(group->level[0].low);
	SDC_ASSERT(sdc_rankgroup_check(group, tree, bins));
	return group;
}

/* sdc_rankgroup_destroy frees a group. */
void
sdc_rankgroup_destroy(SdcRankGroup *group)
{
	for (int level = 1; level < group->levels; level++)
	{
		sdc_free(group->level[level].high);
		sdc_free(group->level[level].low);
	}
	sdc_free(group->bin);
	sdc_free(group->point);
	sdc_free(group);
}
