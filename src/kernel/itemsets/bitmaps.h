/*-------------------------------------------------------------------------
 *
 * bitmaps.h
 *		Bitmaps that are intersected, counted and squeezed, many at a time.
 *
 * A bitmap is an array of words with unused bits 0; several of the same length stand one
 * after the other.  There are several implementations with the same results.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_BITMAPS_H
#define SDC_KERNEL_BITMAPS_H

#include "kernel/base/kernel_env.h"

#define SDC_BITMAPS_WORD 64

/* How many words n bits take. */
static inline Size
sdc_bitmaps_words(uint64 n)
{
	return (Size) ((n + SDC_BITMAPS_WORD - 1) / SDC_BITMAPS_WORD);
}

/* The steps in which bits of a word are moved together without an instruction for it. */
#define SDC_BITMAPS_MOVES 6

/* Which bits of bitmaps to keep, prepared for use with many bitmaps. */
typedef struct SdcBitmapsMask
{
	uint32		words;			/* words with something to keep, */
	uint32	   *word;			/* their indexes, */
	uint64	   *bits;			/* and the bits to keep */
	uint64	   *move;			/* SDC_BITMAPS_MOVES for each of them; NULL: not needed */
} SdcBitmapsMask;

typedef struct SdcBitmaps
{
	/*
	 * meet intersects a bitmap with others, and keeps those that it has at least min_count bits
	 * in common with: kept[] are their numbers, from first on, and count[] the common bits.
	 * Returns how many there are; both arrays need room for one more.
	 */
	uint32		(*intersect) (const uint64 *bitmap, const uint64 *other, Size words, uint32 others,
						 uint32 min_count, uint32 first, uint32 *kept, uint32 *count);

	/* prepare makes a mask of a bitmap. */
	void		(*prepare) (const uint64 *bitmap, Size words, SdcBitmapsMask *mask);

	/*
	 * squeeze copies those bits of a bitmap that the mask keeps, without the gaps.  It may write
	 * one word more than they take.
	 */
	void		(*squeeze) (const SdcBitmapsMask *mask, const uint64 *bitmap, uint64 *to);

	bool		moves;			/* masks need move[] */
} SdcBitmaps;

#define SDC_BITMAPS_VARIANTS 3

/* sdc_bitmaps_variant returns an implementation, of which 0 is portable; NULL: it cannot run here. */
extern const SdcBitmaps *sdc_bitmaps_variant(int variant);

/* sdc_bitmaps_fastest returns the fastest one for this machine. */
extern const SdcBitmaps *sdc_bitmaps_fastest(void);

#endif							/* SDC_KERNEL_BITMAPS_H */
