/*-------------------------------------------------------------------------
 *
 * rankcandidates.h
 *		What the attacks by windows have in common: originals, their windows, one search.
 *
 * For ranklink.c and rankunion.c only.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_RANKCANDIDATES_H
#define SDC_KERNEL_RANKCANDIDATES_H

#include "kernel/rank/ranklink.h"
#include "kernel/rank/ranksearch.h"

/* What the functions share. */
typedef struct SdcRankLinker
{
	const SdcRankTask *task;
	const uint32 *record;		/* originals to link, or NULL */
	uint32		count;
	uint32	   *order;			/* indexes of them in the order of their codes */
	int		   *shared;			/* by place in order: how many leading codes are those before */

	/* by known attribute */
	const uint32 **original;
	const uint32 **masked;

	/* the originals at work */
	SdcInterval *window;		/* of each attribute */
	const SdcSpace *full;		/* the space of all attributes: others have its first dimensions */
	double	   *point;			/* coordinates of an original in it */
	uint32		point_of;		/* of which */
	double	   *own;			/* and of an own protected record */
	uint32		own_of;
	SdcRankQuery query;
	uint32		credit;			/* steps until the next interrupt check */
} SdcRankLinker;

/* sdc_ranklinker_record is the record of an index of the caller. */
static inline uint32
sdc_ranklinker_record(const SdcRankLinker *linker, uint32 index)
{
	return linker->record != NULL ? linker->record[index] : index;
}

/*
 * sdc_ranklinker_inside tells whether a code is in a window; a missing one never is.  Both sides
 * are always compared: which of many codes are inside cannot be guessed.
 */
static inline bool
sdc_ranklinker_inside(const SdcInterval *window, uint32 code)
{
	return (code >= window->first) & (code <= window->last);
}

/* sdc_ranklinker_start prepares what both attacks need, with lists of so many points. */
extern void sdc_ranklinker_start(SdcRankLinker *linker, const SdcRankTask *task,
								 const SdcSpace *full, const uint32 *record, uint32 count,
								 uint32 capacity);

/* sdc_ranklinker_end frees what sdc_ranklinker_start allocated. */
extern void sdc_ranklinker_end(SdcRankLinker *linker);

/* sdc_ranklinker_window looks up the window of an original in an attribute. */
extern void sdc_ranklinker_window(SdcRankLinker *linker, uint32 original, int a);

/* sdc_ranklinker_windows looks up the windows of an original in the first attributes. */
extern void sdc_ranklinker_windows(SdcRankLinker *linker, uint32 original, int attributes);

/* sdc_ranklinker_outside is how many of the windows a protected record is outside of. */
extern int		sdc_ranklinker_outside(const SdcRankLinker *linker, uint32 record, int attributes);

/* sdc_ranklinker_take computes the coordinates of an original, unless they are there. */
extern void sdc_ranklinker_take(SdcRankLinker *linker, uint32 original);

/* sdc_ranklinker_measure is the measure of the original taken and a protected record. */
extern double	sdc_ranklinker_measure(SdcRankLinker *linker, const SdcSpace *space, uint32 record);

/* sdc_ranklinker_run_end is the end of a run of originals that share so many codes, places [place, end). */
extern uint32	sdc_ranklinker_run_end(const SdcRankLinker *linker, uint32 place, uint32 end,
									 int attributes);

/*
 * sdc_ranklinker_search finds the candidates of the originals at places [place, end), which are equal,
 * among records outside of at most so many windows.  It leaves to find the nearest.
 */
extern void sdc_ranklinker_search(SdcRankLinker *linker, const SdcRankTree *tree, uint32 place,
								  uint32 end, int outside);

/*
 * sdc_ranklinker_spend looks for a cancel after enough searches: one alone may be too short
 * to do so.
 */
extern void sdc_ranklinker_spend(SdcRankLinker *linker, uint64 blocks);

/* sdc_ranklinker_own tells whether a record's own protected one is among those found. */
extern bool	sdc_ranklinker_own(SdcRankLinker *linker, const SdcSpace *space, int attributes,
							   uint32 record);

/* sdc_ranklinker_make is the link that a search found, but for whether it is correct. */
extern SdcLink	sdc_ranklinker_make(const SdcSpace *space, const SdcRankQuery *query);

/* sdc_ranklinker_write makes the links of the originals at places [place, end) from the query. */
extern void sdc_ranklinker_write(SdcRankLinker *linker, uint32 place, uint32 end,
								 SdcRankLink *link);

/* sdc_ranklinker_link searches the tree for equal originals, and writes their links. */
extern void sdc_ranklinker_link(SdcRankLinker *linker, const SdcRankTree *tree, uint32 place,
								uint32 end, int outside, SdcRankLink *link);

#endif							/* SDC_KERNEL_RANKCANDIDATES_H */
