/*-------------------------------------------------------------------------
 *
 * querytable.c
 *		Which of many queries a value satisfies.
 *
 * A condition names ranks, of the values of the original file.  Both files have the same ranks: a protected value
 * that is none of the original's is in no set, but in a range if it lies between the ends.  A missing value is in
 * none.  What has no condition is satisfied by all.
 *
 * A table has a row for each code, with a bit for each query of a batch.  A record then satisfies the queries that
 * are in the rows of all its codes: one look for each attribute serves up to 256 queries.
 *
 * Filling a table with sets transposes their bitmaps, 64 ranks of 64 queries at a time (H. S. Warren, Hacker's
 * Delight, chapter 7); ranges are marked where they begin and where they are over, and summed up.  O(codes) for
 * the queries of a lane.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include "kernel/queries/querytable.h"

/* Looks are at this many records behind the one whose row is fetched. */
#define FETCH_AHEAD 16

/* put_lane writes a lane of a row. */
static inline void
put_lane(uint8 *lane, uint32 width, uint64 bits)
{
	if (width >= 8)
		*(uint64 *) lane = bits;
	else if (width == 4)
		*(uint32 *) lane = (uint32) bits;
	else if (width == 2)
		*(uint16 *) lane = (uint16) bits;
	else
		*lane = (uint8) bits;
}

/* get_lane reads it. */
static inline uint64
get_lane(const uint8 *lane, uint32 width)
{
	if (width >= 8)
		return *(const uint64 *) lane;
	if (width == 4)
		return *(const uint32 *) lane;
	if (width == 2)
		return *(const uint16 *) lane;
	return *lane;
}

/* transpose mirrors a matrix of 64 times 64 bits: bit k of word j becomes bit j of word k. */
static void
transpose(uint64 *bits)
{
	uint64		mask = UINT64_C(0x00000000FFFFFFFF);

	for (uint32 step = 32; step > 0; step /= 2, mask ^= mask << step)
	{
		for (uint32 j = 0; j < 64; j += 2 * step)
		{
			for (uint32 k = j; k < j + step; k++)
			{
				uint64		moved = ((bits[k] >> step) ^ bits[k + step]) & mask;

				bits[k] ^= moved << step;
				bits[k + step] ^= moved;
			}
		}
	}
}

/* transpose_ranks writes which queries of a lane ask for a rank, for 64 ranks from first on. */
static void
transpose_ranks(const SdcQueryCondition *const condition[SDC_QUERY_LANE], uint32 first, uint64 *queries)
{
	for (int q = 0; q < SDC_QUERY_LANE; q++)
		queries[q] = condition[q] == NULL ? ~UINT64_C(0) : condition[q]->member[first / SDC_BITSET_BITS];
	transpose(queries);
}

/* fill_sets fills in a lane of sets; others are the queries without a condition. */
static void
fill_sets(SdcQueryTable *table, uint8 *lane, const SdcQueryCondition *const condition[SDC_QUERY_LANE],
		  uint64 others)
{
	uint64		queries[SDC_BITSET_BITS];
	uint32		rank = 0;

	for (uint32 code = 0; code < table->codes; code++, lane += table->width)
	{
		sdc_interrupts_step(code);
		if (!sdc_bitset_contains(table->present, code))
		{
			put_lane(lane, table->width, others);
			continue;
		}
		if (rank % SDC_BITSET_BITS == 0)
			transpose_ranks(condition, rank, queries);
		put_lane(lane, table->width, queries[rank++ % SDC_BITSET_BITS]);
	}
	put_lane(lane, table->width, others);
}

/* nth_code finds the code of a rank. */
static uint32
nth_code(const uint64 *present, uint32 rank)
{
	Size		word = 0;
	uint64		bits;

	for (;;)
	{
		uint32		count = sdc_bitset_popcount(present[word], false);

		if (rank < count)
			break;
		rank -= count;
		word++;
	}
	bits = present[word];
	while (rank-- > 0)
		bits &= bits - 1;
	return (uint32) (word * SDC_BITSET_BITS) + (uint32) __builtin_ctzll(bits);
}

/* turn_lane turns a query of a lane on, or off if it was on. */
static void
turn_lane(const SdcQueryTable *table, uint8 *lane, uint32 code, int query)
{
	uint8	   *at = lane + (Size) code * table->width;

	put_lane(at, table->width, get_lane(at, table->width) ^ (UINT64_C(1) << query));
}

/* fill_ranges fills in a lane of ranges. */
static void
fill_ranges(SdcQueryTable *table, uint8 *lane, const SdcQueryCondition *const condition[SDC_QUERY_LANE],
			uint64 others)
{
	uint64		asked = others;

	for (uint32 code = 0; code <= table->codes; code++)
	{
		sdc_interrupts_step(code);
		put_lane(lane + (Size) code * table->width, table->width, 0);
	}
	for (int q = 0; q < SDC_QUERY_LANE; q++)
	{
		const SdcQueryCondition *range = condition[q];

		if (range == NULL || range->count == 0)
			continue;
		turn_lane(table, lane, nth_code(table->present, range->first), q);
		turn_lane(table, lane, nth_code(table->present, range->first + range->count - 1) + 1, q);
	}
	for (uint32 code = 0; code < table->codes; code++, lane += table->width)
	{
		sdc_interrupts_step(code);
		asked ^= get_lane(lane, table->width);
		put_lane(lane, table->width, asked);
	}
	put_lane(lane, table->width, others);
}

/* sdc_querytable_fill: see querytable.h. */
void
sdc_querytable_fill(SdcQueryTable *table, uint32 lane,
					const SdcQueryCondition *const condition[SDC_QUERY_LANE])
{
	uint8	   *first = table->row + (Size) lane * sizeof(uint64);
	uint64		asking = 0;

	for (int q = 0; q < SDC_QUERY_LANE; q++)
	{
		SDC_ASSERT(condition[q] == NULL || condition[q]->values == table->values);
		SDC_ASSERT(condition[q] == NULL || (condition[q]->member == NULL) == table->range);
		asking |= (uint64) (condition[q] != NULL) << q;
	}
	table->asking[lane] = asking;
	if (table->range)
		fill_ranges(table, first, condition, ~asking);
	else
		fill_sets(table, first, condition, ~asking);
}

/* row_at is the row of the value of a record. */
SDC_BITSET_INLINE const uint8 *
row_at(const SdcQueryTable *table, const uint32 *code, const uint32 *order, uint32 at, uint32 width, bool ordered)
{
	uint32		value = code[ordered ? order[at] : at];

	return table->row + (Size) (value < table->codes ? value : table->codes) * width;
}

/* meet_by is sdc_querytable_intersect; width, and whether there is an order, are constants. */
SDC_BITSET_INLINE void
meet_by(const SdcQueryTable *table, const uint32 *code, const uint32 *order, uint32 first, uint32 count,
		uint64 *rows, uint32 width, bool ordered)
{
	for (uint32 i = 0; i < count; i++)
	{
		const uint8 *row = row_at(table, code, order, first + i, width, ordered);

		if (i + FETCH_AHEAD < count)
			__builtin_prefetch(row_at(table, code, order, first + i + FETCH_AHEAD, width, ordered));
		if (width == SDC_QUERY_WIDTH)
			*(SdcBitsetLanes *) (rows + (Size) i * SDC_QUERY_WORDS) &= *(const SdcBitsetLanes *) row;
		else
			rows[i] &= get_lane(row, width);
	}
}

/* meet_width is sdc_querytable_intersect for a constant width. */
SDC_BITSET_INLINE void
meet_width(const SdcQueryTable *table, const uint32 *code, const uint32 *order, uint32 first, uint32 count,
		   uint64 *rows, uint32 width)
{
	if (order == NULL)
		meet_by(table, code, order, first, count, rows, width, false);
	else
		meet_by(table, code, order, first, count, rows, width, true);
}

/* sdc_querytable_intersect: see querytable.h. */
void
sdc_querytable_intersect(const SdcQueryTable *table, const uint32 *code, const uint32 *order, uint32 first,
					uint32 count, uint64 *rows)
{
	switch (table->width)
	{
		case 1:
			meet_width(table, code, order, first, count, rows, 1);
			break;
		case 2:
			meet_width(table, code, order, first, count, rows, 2);
			break;
		case 4:
			meet_width(table, code, order, first, count, rows, 4);
			break;
		case 8:
			meet_width(table, code, order, first, count, rows, 8);
			break;
		default:
			SDC_ASSERT(table->width == SDC_QUERY_WIDTH);
			meet_width(table, code, order, first, count, rows, SDC_QUERY_WIDTH);
			break;
	}
}
