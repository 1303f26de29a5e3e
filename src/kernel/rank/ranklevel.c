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
double *
sdc_ranklevel_positions(const SdcPairColumn *column, uint32 records, const uint32 *record,
						const uint32 *first, uint32 points, uint32 *credit)
{
	double	   *position = sdc_alloc_array(double, points);
	SdcPositions sorted;

	sdc_positions_create(&sorted, column->protected, records, column->codes);
	for (uint32 p = 0; p < points; p++)
	{
		uint32		code = column->protected[record[first[p]]];

		sdc_interrupts_spend(credit, 1);
		position[p] = code == SDC_CODE_NULL ? 2.0 * records :
			(double) sorted.below[code] + sorted.below[code + 1];
	}
	sdc_positions_destroy(&sorted);
	return position;
}

/* sdc_ranklevel_order: see ranklevel.h. */
uint32 *
sdc_ranklevel_order(double **position, int attributes, uint32 points)
{
	uint32	   *order = sdc_alloc_array(uint32, points);

	for (uint32 p = 0; p < points; p++)
		order[p] = p;
	for (int level = SDC_RANKLEVEL_MOST - 1; level > 0; level--)
	{
		uint64		parent = UINT64_C(1) << (level + 1) * BITS;

		for (uint64 first = 0; first < points; first += parent)
		{
			uint64		rest = points - first;

			sdc_kdorder_build((const double *const *) position, attributes, order + first,
							  (uint32) (rest < parent ? rest : parent),
							  UINT32_C(1) << level * BITS);
		}
	}
	for (int a = 0; a < attributes; a++)
		sdc_free(position[a]);
	return order;
}

/* sdc_ranklevel_codes: see ranklevel.h. */
int32 *
sdc_ranklevel_codes(uint32 count, int attributes, uint32 *credit)
{
	Size		rows = (Size) sdc_ranklevel_blocks(count) * attributes;
	int32	   *code = sdc_alloc_matrix(int32, rows, FAN);

	for (Size row = 0; row < rows; row++)
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
					uint32 *credit)
{
	nodes->count = sdc_ranklevel_blocks(children->count);
	nodes->low = sdc_ranklevel_codes(nodes->count, attributes, credit);
	nodes->high = sdc_ranklevel_codes(nodes->count, attributes, credit);
	for (uint32 node = 0; node < nodes->count; node++)
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
