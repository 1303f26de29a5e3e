/*-------------------------------------------------------------------------
 *
 * test_ranklanes.c
 *		Tests of a block at once, on both units of the machine, against one lane after the other.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include "kernel/rank/ranklanes.h"

#include "random.h"
#include "tap.h"

#define FAN SDC_RANKLEVEL_FAN
#define ATTRIBUTES 64

/* A block: codes from low to high, bins, windows of both, and what lanes are outside of before. */
typedef struct Block
{
	int			attributes;
	int32		low[ATTRIBUTES * FAN];
	int32		high[ATTRIBUTES * FAN];
	uint8		bin[ATTRIBUTES * FAN];
	SdcRankTest test[ATTRIBUTES];
	SdcRankRange range[ATTRIBUTES];
	int32		outside[FAN];
	uint64		open;
	int			allowed;
} Block;

/* draw_block draws a block whose windows reach most lanes, or few. */
static void
draw_block(Block *block)
{
	int32		width = 1 + (int32) pick(12);
	uint32		bins = 1 + pick(250);

	block->attributes = 1 + (int) pick(pick(2) == 0 ? 4 : ATTRIBUTES);
	for (int a = 0; a < block->attributes; a++)
	{
		/* around 0, and at the ends of the signed codes */
		int32		base = pick(4) == 0 ? INT32_MIN : pick(4) == 0 ? INT32_MAX - 30 : -15;

		block->test[a].first = base + (int32) pick(16);
		block->test[a].last = block->test[a].first + (int32) pick((uint32) width);
		block->range[a] = (SdcRankRange) {(uint8) pick(256), (int8_t) (pick(256) - 128)};
		for (int k = 0; k < FAN; k++)
		{
			block->low[a * FAN + k] = base + (int32) pick(20);
			block->high[a * FAN + k] = block->low[a * FAN + k] + (int32) pick(10);
			block->bin[a * FAN + k] = (uint8) pick(bins);
		}
	}
	for (int k = 0; k < FAN; k++)
		block->outside[k] = (int32) pick(3);
	block->open = random64() & (block->attributes == 64 ? ~UINT64_C(0) : (UINT64_C(1) << block->attributes) - 1);
	block->allowed = (int) pick((uint32) block->attributes + 2);
}

/* check_codes looks at the tests of nodes and points. */
static void
check_codes(const SdcRankTests *tests, const Block *block)
{
	SdcRankBlock result;
	int32		outside[FAN];
	uint32		nodes;
	uint32		points;
	uint32		overlap = tests->overlap(block->low, block->high, block->test, block->attributes);

	memcpy(result.outside, block->outside, sizeof(outside));
	memcpy(outside, block->outside, sizeof(outside));
	nodes = tests->block(block->low, block->high, block->test, block->open, block->allowed, &result);
	points = tests->points(block->low, block->test, block->open, block->allowed, outside);
	for (int k = 0; k < FAN; k++)
	{
		int32		of_node = block->outside[k];
		int32		of_point = block->outside[k];
		uint64		open = 0;
		bool		reached = true;

		for (int a = 0; a < block->attributes; a++)
		{
			int32		low = block->low[a * FAN + k];
			int32		high = block->high[a * FAN + k];
			SdcRankTest test = block->test[a];
			bool		none = low > test.last || high < test.first;
			bool		whole = low >= test.first && high <= test.last;

			reached = reached && !none;
			if (!(block->open >> a & 1))
				continue;
			of_node += none;
			of_point += low < test.first || low > test.last;
			open |= (uint64) (!none && !whole) << a;
		}
		CHECK(result.outside[k] == of_node && (nodes >> k & 1) == (of_node <= block->allowed));
		CHECK((result.open[0][k] | (uint64) result.open[1][k] << 32) == open);
		CHECK(outside[k] == of_point && (points >> k & 1) == (of_point <= block->allowed));
		CHECK((overlap >> k & 1) == reached);
	}
}

/* check_bins looks at the test of members: all windows of the first attributes, and most of the open ones behind. */
static void
check_bins(const SdcRankTests *tests, const Block *block, int first)
{
	uint64		open = first == 64 ? 0 : block->open >> first << first;
	uint32		members = tests->members(block->bin, block->range, first, open, block->allowed);

	for (int k = 0; k < FAN; k++)
	{
		bool		inside = true;
		int			outside = 0;

		for (int a = 0; a < block->attributes; a++)
		{
			bool		is = (int8_t) (uint8) (block->bin[a * FAN + k] + block->range[a].shift) <= block->range[a].span;

			inside = inside && (a >= first || is);
			outside += (open >> a & 1) && !is;
		}
		CHECK((members >> k & 1) == (inside && outside <= block->allowed));
	}
}

/* both_units have the same results, those of the definitions. */
static void
both_units(void)
{
	static Block block;

	random_state = 1;
	for (int round = 0; round < ROUNDS(4000); round++)
	{
		draw_block(&block);
		for (int vectors = 0; vectors < 2; vectors++)
		{
			SdcRankTests tests = sdc_ranklanes_choose(vectors == 1);

			check_codes(&tests, &block);
			check_bins(&tests, &block, (int) pick(3) % (block.attributes + 1));
			check_bins(&tests, &block, block.attributes);
		}
	}
}

int
main(void)
{
	RUN(both_units);
	return tap_done();
}
