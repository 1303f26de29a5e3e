/*-------------------------------------------------------------------------
 *
 * rankplan.h
 *		Which groups of attributes an annotated union needs.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_RANKPLAN_H
#define SDC_KERNEL_RANKPLAN_H

#include "kernel/base/kernel_env.h"

/* Groups of a stage, at most. */
#define SDC_RANKPLAN_GROUPS 32

/*
 * Sets of attributes for the originals of the levels level .. top, which are numbers of
 * windows: whoever is inside so many windows is inside all of one of the sets.  Who is
 * inside more than reach of a set is so of one of the sets before it.
 */
typedef struct SdcRankStage
{
	int			level;
	int			top;
	int			groups;
	uint64		member[SDC_RANKPLAN_GROUPS];
	int			reach[SDC_RANKPLAN_GROUPS];
} SdcRankStage;

/* What a plan is made from. */
typedef struct SdcRankCensus
{
	int			attributes;
	uint32		points;
	const uint64 *hit;			/* windows that records are in, of some pairs */
	uint32		hits;			/* their number, not 0 */
	uint32		originals[65];	/* by level */
	double		cost[65];		/* of one of them without groups, in blocks */
	bool		free;			/* to build groups costs nothing */
} SdcRankCensus;

/* sdc_rankplan_make writes the stages, from the top down; it returns how many there are. */
extern int	sdc_rankplan_make(const SdcRankCensus *census, SdcRankStage stage[64]);

/* Bytes that a plan takes, with its stages and a sample. */
extern uint64 sdc_rankplan_memory(void);

#endif							/* SDC_KERNEL_RANKPLAN_H */
