/*-------------------------------------------------------------------------
 *
 * windowmasks.h
 *		The bitmap of the records of a bucket that are inside all windows of an original.
 *
 * For the files of this room only.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_WINDOWMASKS_H
#define SDC_KERNEL_WINDOWMASKS_H

#include "kernel/candidates/codemaps.h"
#include "kernel/candidates/conditions.h"

typedef struct SdcWindowMasks
{
	SdcConditions *conditions;
	uint32		first;			/* places of the bucket */
	uint32		count;
	Size		words;			/* of a bitmap */
	int			columns;		/* WINDOW columns */
	SdcCodeMap *window;			/* by WINDOW column */
	uint64	   *mask;
	uint32		credit;
} SdcWindowMasks;

/*
 * sdc_windowmasks_wanted tells whether bitmaps are quicker than lists of candidates in a bucket: by
 * some of its originals.  To list a candidate takes as long as so many words of a bitmap in a
 * column.  Windows must be conditions, and nothing randomized.
 */
extern bool sdc_windowmasks_wanted(SdcConditions *conditions, uint32 bucket, uint32 cost);

/*
 * sdc_windowmasks_create prepares the bitmaps of a bucket: bit[p] is that of place first + p,
 * 0 .. count - 1, each once; or p if bit is NULL.
 */
extern SdcWindowMasks *sdc_windowmasks_create(SdcConditions *conditions, uint32 bucket,
											  const uint32 *bit);
extern void sdc_windowmasks_destroy(SdcWindowMasks *masks);

/* sdc_windowmasks_take is the bitmap of an original of the bucket, until the next one. */
extern const uint64 *sdc_windowmasks_take(SdcWindowMasks *masks, uint32 original);

#endif							/* SDC_KERNEL_WINDOWMASKS_H */
