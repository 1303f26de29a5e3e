/*-------------------------------------------------------------------------
 *
 * ranklevel.c
 *		A level of a tree of points with codes, and the order of the points in it.
 *
 * Points are placed by ranks, as windows are equally wide everywhere in these.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include "kernel/base/kdorder.h"
#include "kernel/rank/ranklevel.h"
#include "kernel/rank/rankwindow.h"

#define BITS SDC_RANKLEVEL_BITS
#define FAN SDC_RANKLEVEL_FAN

/* sdc_ranklevel_positions: see ranklevel.h. */
void
sdc_ranklevel_positions(const SdcPairColumn *column, uint32 records, const uint32 *record,
						const uint32 *first, uint32 points, double *position, uint32 *credit)
{
	SdcPositions sorted;

	sdc_positions_create(&sorted, column->protected, records, column->codes);
	for (uint32 p = 0; p < points; p++)
	{
		uint32		of = first == NULL ? p : first[p];
		uint32		code = column->protected[record == NULL ? of : record[of]];

		sdc_interrupts_spend(credit, 1);
		position[p] = code == SDC_CODE_NULL ? 2.0 * records :
			(double) sorted.below[code] + sorted.below[code + 1];
	}
	sdc_positions_destroy(&sorted);
}

/* sdc_ranklevel_order: see ranklevel.h. */
void
sdc_ranklevel_order(const double *const *position, int attributes, uint32 *order, uint32 points,
					SdcTeam *team)
{
	SdcTeamPart part = sdc_team_part(team, points, 1);

	for (uint32 p = part.start; p < part.end; p++)
		order[p] = p;
	sdc_team_barrier(team);
	for (int level = SDC_RANKLEVEL_MOST - 1; level > 0; level--)
	{
		uint64		parent = UINT64_C(1) << (level + 1) * BITS;

		for (uint64 first = 0, number = 0; first < points; first += parent, number++)
		{
			uint64		rest = points - first;

			if (sdc_team_takes(team, number))
				sdc_kdorder_build(position, attributes, order + first,
								  (uint32) (rest < parent ? rest : parent),
								  UINT32_C(1) << level * BITS);
		}
		sdc_team_barrier(team);
	}
}

/* sdc_ranklevel_codes: see ranklevel.h. */
int32 *
sdc_ranklevel_codes(uint32 count, int attributes, SdcTeam *team, uint32 *credit)
{
	SdcTeamPart part = sdc_ranklevel_part(team, count);
	Size		end = (Size) sdc_ranklevel_blocks(part.end) * attributes;
	int32	   *code = sdc_team_matrix(team, int32, (Size) sdc_ranklevel_blocks(count) * attributes, FAN);

	for (Size row = (Size) sdc_ranklevel_blocks(part.start) * attributes; row < end; row++)
	{
		sdc_interrupts_spend(credit, FAN);
		for (int k = 0; k < FAN; k++)
			code[row * FAN + k] = sdc_ranklevel_signed(SDC_CODE_NULL);
	}
	return code;
}

/* sdc_ranklevel_bound: see ranklevel.h. */
void
sdc_ranklevel_bound(SdcRankLevel *nodes, const SdcRankLevel *children, int attributes,
					SdcTeam *team, uint32 *credit)
{
	SdcTeamPart part;

	nodes->count = sdc_ranklevel_blocks(children->count);
	nodes->low = sdc_ranklevel_codes(nodes->count, attributes, team, credit);
	nodes->high = sdc_ranklevel_codes(nodes->count, attributes, team, credit);
	part = sdc_ranklevel_part(team, nodes->count);
	for (uint32 node = part.start; node < part.end; node++)
	{
		uint32		first = node * FAN;
		uint32		count = children->count - first > FAN ? FAN : children->count - first;

		sdc_interrupts_spend(credit, FAN);
		for (int a = 0; a < attributes; a++)
		{
			Size		from = sdc_ranklevel_place(attributes, first) + (Size) a * FAN;
			Size		to = sdc_ranklevel_place(attributes, node) + (Size) a * FAN;
			int32		low = children->low[from];
			int32		high = children->high[from];

			for (uint32 i = 1; i < count; i++)
			{
				low = children->low[from + i] < low ? children->low[from + i] : low;
				high = children->high[from + i] > high ? children->high[from + i] : high;
			}
			nodes->low[to] = low;
			nodes->high[to] = high;
		}
	}
}

#ifdef SDC_CHECKS

/* check_codes: what a node has of an attribute is tight, and a place without a node is missing. */
static bool
check_codes(const SdcRankLevel *nodes, const SdcRankLevel *children, int attributes, uint32 node,
			int a)
{
	Size		to = sdc_ranklevel_place(attributes, node) + (Size) a * FAN;
	Size		from = sdc_ranklevel_place(attributes, node * FAN) + (Size) a * FAN;
	int32		missing = sdc_ranklevel_signed(SDC_CODE_NULL);
	bool		low = false;
	bool		high = false;

	if (node >= nodes->count)
		return nodes->low[to] == missing && nodes->high[to] == missing;
	for (uint32 i = 0; i < FAN && i < children->count - node * FAN; i++)
	{
		if (children->low[from + i] < nodes->low[to] || children->high[from + i] > nodes->high[to])
			return false;
		low = low || children->low[from + i] == nodes->low[to];
		high = high || children->high[from + i] == nodes->high[to];
	}
	return low && high;
}

/* sdc_ranklevel_check: see ranklevel.h. */
bool
sdc_ranklevel_check(const SdcRankLevel *nodes, const SdcRankLevel *children, int attributes)
{
	if (nodes->count != sdc_ranklevel_blocks(children->count))
		return false;
	for (uint32 node = 0; node < sdc_ranklevel_blocks(nodes->count) * FAN; node++)
		for (int a = 0; a < attributes; a++)
			if (!check_codes(nodes, children, attributes, node, a))
				return false;
	return true;
}

#endif							/* SDC_CHECKS */
