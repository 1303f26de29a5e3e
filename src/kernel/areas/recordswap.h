/*-------------------------------------------------------------------------
 *
 * recordswap.h
 *		Targeted record swapping: units at risk exchange their areas with similar units elsewhere.
 *
 * A call goes through its levels, from the largest areas to the smallest ones:
 *
 *	1. sdc_recordswap_create			who must move at which level
 *	2. sdc_recordswap_level				for every level, in order: who must move at it does, if it can
 *	3. sdc_recordswap_rate				pairs until the share that is asked for has moved
 *	4. sdc_recordswap_finish			what there is to tell of it
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_RECORDSWAP_H
#define SDC_KERNEL_RECORDSWAP_H

#include "kernel/base/codedfile.h"
#include "kernel/base/stream.h"
#include "kernel/base/units.h"

/* A file of units, and what is asked of it.  A missing value is a value, and comes after all others. */
typedef struct SdcRecordSwapTask
{
	const SdcUnits *units;
	const uint32 *stratum;		/* of each unit, 0 .. strata - 1; NULL: all units are in one */
	uint32		strata;
	const SdcCodedColumn *area; /* by unit; from the largest areas to the smallest ones */
	int			levels;			/* their number, at least 1 */
	const SdcCodedColumn *risk; /* by record */
	int			risks;
	const SdcCodedColumn *similar;	/* by unit */
	int			similars;
	int			relax;			/* so many of these, from the last one, can be given up */
	bool		any_size;		/* units of different sizes are similar, too */
	uint32		k;				/* at least 1: nobody has to move */
	double		rate;			/* percent of the units that move, 0 .. 100 */
} SdcRecordSwapTask;

/* What there is to tell of a level; all are numbers of units, but for pairs. */
typedef struct SdcRecordSwapLevel
{
	uint32		at_risk;		/* that must move at it */
	uint32		swapped;		/* that found each other at it */
	uint32		partial;		/* that must, did not, and moved at a deeper one */
	uint32		at_risk_after;	/* that would have to move at it if the release was swapped */
	uint32	   *pairs;			/* that agree in each profile: all of similar, all but the last, .. */
} SdcRecordSwapLevel;

typedef struct SdcRecordSwapResult
{
	uint32	   *partner;		/* of each unit: whose areas it gets; itself where it stays */
	SdcRecordSwapLevel *level;
	uint64		target;			/* units that were to move by the rate */
	uint32		unmatched;		/* that must move and did not at all */
	uint64		lacking;		/* pairs that regions are short of, by the rate */
} SdcRecordSwapResult;

typedef struct SdcRecordSwap SdcRecordSwap;

/* sdc_recordswap_create finds who must move.  The task must stay. */
extern SdcRecordSwap *sdc_recordswap_create(const SdcRecordSwapTask *task);

/* sdc_recordswap_level moves who must move at a level, and who was left over at the one before. */
extern void sdc_recordswap_level(SdcRecordSwap *swap, int level, SdcStream *stream);

/* sdc_recordswap_rate adds pairs until the rate is reached, after the last level. */
extern void sdc_recordswap_rate(SdcRecordSwap *swap, SdcStream *stream);

/* sdc_recordswap_finish fills in what is known at the end; the result goes with the swap. */
extern const SdcRecordSwapResult *sdc_recordswap_finish(SdcRecordSwap *swap);
extern void sdc_recordswap_destroy(SdcRecordSwap *swap);

#endif							/* SDC_KERNEL_RECORDSWAP_H */
