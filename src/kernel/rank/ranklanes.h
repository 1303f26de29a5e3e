/*-------------------------------------------------------------------------
 *
 * ranklanes.h
 *		Tests of a block of nodes or points at once, on vector units.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_RANKLANES_H
#define SDC_KERNEL_RANKLANES_H

#include "kernel/rank/ranklevel.h"

/* A window in signed codes.  Nothing is in an empty one. */
typedef struct SdcRankTest
{
	int32		first;
	int32		last;
} SdcRankTest;

/* What a test of a block says. */
typedef struct SdcRankBlock
{
	int32		outside[SDC_RANKLEVEL_FAN];	/* windows that no point of the child is in */
	uint32		open[2][SDC_RANKLEVEL_FAN];	/* windows that only some points may be in, 32 in a
											 * word */
} SdcRankBlock;

/* The bins of a window, so that a bin + shift is at most span in it, as a signed number. */
typedef struct SdcRankRange
{
	uint8		shift;
	int8_t		span;
} SdcRankRange;

/* The tests of a machine. */
typedef struct SdcRankTests
{
	/* returns as bits the children that are outside of no more than allowed */
	uint32		(*block) (const int32 *low, const int32 *high, const SdcRankTest *test,
						  uint64 open, int32 allowed, SdcRankBlock *block);

	/* the same for points, for which nothing remains open */
	uint32		(*points) (const int32 *code, const SdcRankTest *test, uint64 open,
						   int32 allowed, int32 *outside);

	/* returns as bits the nodes that windows of all attributes reach into */
	uint32		(*overlap) (const int32 *low, const int32 *high, const SdcRankTest *test,
							int attributes);

	/*
	 * returns as bits the points that may be in the windows of the first attributes, and outside
	 * of no more than allowed of the others that are open
	 */
	uint32		(*members) (const uint8 *bin, const SdcRankRange *range, int attributes,
							uint64 open, int allowed);
} SdcRankTests;

/* The best that the machine has, if vectors is true: all have the same results. */
extern SdcRankTests sdc_ranklanes_choose(bool vectors);

#endif							/* SDC_KERNEL_RANKLANES_H */
