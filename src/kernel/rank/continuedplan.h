/*-------------------------------------------------------------------------
 *
 * continuedplan.h
 *		Whose night it is: who of a continued release stays, is gone, changed, and new.
 *
 * Members are the records of the state, sources those of tonight's source; both are in the order of
 * their key.  A lot is one of a stratum, since differences of releases can be taken there.  So many
 * have to be changed, or new, before any of them is shown.  Where sources are of units, so many units
 * have to be, and a source of a unit that is not shown itself waits without being counted.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_CONTINUEDPLAN_H
#define SDC_KERNEL_CONTINUEDPLAN_H

#include "kernel/base/units.h"
#include "kernel/rank/continued.h"

/* What is known before: members and sources paired by key. */
typedef struct SdcContinuedPairing
{
	uint32		members;
	uint32		sources;
	const uint32 *source;		/* of each member, ascending; SDC_CONTINUED_NOBODY: it is gone */
	const bool *changed;		/* of each member: a protected value differs from that of the state */
	const uint32 *stratum;		/* of each source; NULL: one stratum */
	uint32		strata;
	uint32		least;			/* changed members, or new sources, that make a lot */
	const SdcUnits *units;		/* of the sources; NULL: each is one */
	const bool *shown;			/* of each unit: it is; NULL: all are.  Sources of others have no member */
} SdcContinuedPairing;

/* What happens in a stratum. */
typedef struct SdcContinuedStratum
{
	uint32		changed;		/* members, or their units */
	uint32		arrived;		/* sources that are no members, or their units */
	bool		settle;			/* changed values are taken over */
	bool		join;			/* new sources become members */
} SdcContinuedStratum;

/* Tonight's records are those that stay and those that join, in the order of the sources. */
typedef struct SdcContinuedPlan
{
	uint32		departed;		/* members that are gone */
	uint32		waiting;		/* sources that are not shown yet */
	uint32		records;
	uint32	   *number;			/* of each member: its record, or SDC_CONTINUED_NOBODY */
	uint32	   *source;			/* of each record */
	uint32	   *member;			/* of each record, or SDC_CONTINUED_NOBODY: it joins */
	SdcContinuedStratum *stratum;
} SdcContinuedPlan;

extern uint64 sdc_continuedplan_memory(uint32 members, uint32 sources, uint32 strata);
extern void sdc_continuedplan_make(const SdcContinuedPairing *pairing, SdcContinuedPlan *plan);
extern void sdc_continuedplan_destroy(SdcContinuedPlan *plan);

/* sdc_continuedplan_is_quiet tells whether nobody goes, joins or changes tonight. */
extern bool sdc_continuedplan_is_quiet(const SdcContinuedPairing *pairing,
									   const SdcContinuedPlan *plan);

#endif							/* SDC_KERNEL_CONTINUEDPLAN_H */
