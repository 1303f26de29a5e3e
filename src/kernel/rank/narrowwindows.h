/*-------------------------------------------------------------------------
 *
 * narrowwindows.h
 *		The windows of a column (rankwindow.h) in a byte or two for each code, or less.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_NARROWWINDOWS_H
#define SDC_KERNEL_NARROWWINDOWS_H

#include "kernel/rank/rankwindow.h"

/* Codes of a block, and positions. */
#define SDC_NARROWWINDOWS_BITS 6

/* below[c] of SdcPositions is base[c / 64] + more[c], of bytes that are as wide as the column asks for. */
typedef struct SdcNarrowWindows
{
	uint32		width;			/* of the windows, in positions */
	uint32		count;			/* values */
	uint32		codes;
	uint32		blocks;
	uint32	   *base;			/* by block */
	int			bits;			/* 8, 16 or 32; or 2, which are more than c % 64 */
	union
	{
		void	   *any;
		uint8	   *some;		/* four codes in each */
		uint8	   *one;
		uint16	   *two;
		uint32	   *four;
	}			more;			/* codes + 1 */
	uint32	   *block_at;		/* the block of the code at every 64th position, and the last one */
} SdcNarrowWindows;

/* sdc_narrowwindows_create makes the windows of the protected codes of a column. */
extern void sdc_narrowwindows_create(SdcNarrowWindows *windows, const uint32 *code, uint32 records, uint32 codes,
									 uint32 width);
extern void sdc_narrowwindows_destroy(SdcNarrowWindows *windows);

/* sdc_narrowwindows_interval is the interval of a code. */
extern SdcInterval sdc_narrowwindows_interval(const SdcNarrowWindows *windows, uint32 code);

/* sdc_narrowwindows_below is how many values have a code below one. */
static inline uint32
sdc_narrowwindows_below(const SdcNarrowWindows *windows, uint32 code)
{
	uint32		base = windows->base[code >> SDC_NARROWWINDOWS_BITS];

	if (windows->bits == 2)
	{
		uint32		within = code % (UINT32_C(1) << SDC_NARROWWINDOWS_BITS);

		return base + within + (windows->more.some[code / 4] >> code % 4 * 2 & 3);
	}
	if (windows->bits == 8)
		return base + windows->more.one[code];
	return base + (windows->bits == 16 ? windows->more.two[code] : windows->more.four[code]);
}

/* sdc_narrowwindows_ends finds the positions of the window of a code, and tells whether there are any. */
static inline bool
sdc_narrowwindows_ends(const SdcNarrowWindows *windows, uint32 code, uint32 *start, uint32 *end)
{
	uint32		below = sdc_narrowwindows_below(windows, code);
	uint64		above = (uint64) sdc_narrowwindows_below(windows, code + 1) + windows->width;

	*start = below > windows->width ? below - windows->width : 0;
	above = above < windows->count ? above : windows->count;
	*end = (uint32) above - 1;
	return *start < above;
}

/* sdc_narrowwindows_inside tells whether a code that some value has is inside the window of another. */
static inline bool
sdc_narrowwindows_inside(const SdcNarrowWindows *windows, uint32 code, uint32 other)
{
	uint32		start;
	uint32		end;

	/* a value is inside if any position of its tie group is */
	return sdc_narrowwindows_ends(windows, code, &start, &end) && sdc_narrowwindows_below(windows, other) <= end &&
		sdc_narrowwindows_below(windows, other + 1) > start;
}

#endif							/* SDC_KERNEL_NARROWWINDOWS_H */
