/*-------------------------------------------------------------------------
 *
 * codemaps.h
 *		The bitmap of all that have a code in an interval.
 *
 * A list has entries, each a code and a position.  For an interval of codes it gives the bitmap of the
 * positions that occur an odd number of times there.  If every position has one code, that
 * are those with a code in the interval; if each has an entry where it comes and one where it
 * goes, those that are there at the end of an interval from the first code on.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_CODEMAPS_H
#define SDC_KERNEL_CODEMAPS_H

#include "kernel/base/bitset.h"
#include "kernel/rank/rankwindow.h"

typedef struct SdcCodeMap
{
	uint64		count;			/* entries */
	uint32	   *code;			/* ascending */
	uint32	   *position;
	Size		words;			/* of a bitmap */
	uint64		step;			/* entries between two bitmaps that are kept */
	uint64	   *kept;			/* number b: of the first b * step entries */

	/* the last answer, for the same question */
	SdcInterval interval;
	bool		asked;
	uint64	   *answer;
} SdcCodeMap;

/* sdc_codemap_create takes entries code << 32 | position, in any order; it destroys them. */
extern void sdc_codemap_create(SdcCodeMap *list, uint64 *entry, uint64 count, uint32 positions);
extern void sdc_codemap_destroy(SdcCodeMap *list);

/* sdc_codemap_take returns the bitmap of an interval; it lasts until the next one. */
extern const uint64 *sdc_codemap_take(SdcCodeMap *list, SdcInterval interval);

#endif							/* SDC_KERNEL_CODEMAPS_H */
