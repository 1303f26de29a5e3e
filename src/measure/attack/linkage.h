/*-------------------------------------------------------------------------
 *
 * linkage.h
 *		The links of one attack, record by record.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_MEASURE_LINKAGE_H
#define SDC_MEASURE_LINKAGE_H

#include "kernel/candidates/candidates.h"
#include "measure/attack/attack.h"

/* What an attack says of a record. */
typedef struct SdcLinkageRow
{
	char	   *record;			/* its key; of a unit what names it */
	char	   *linked;			/* the key of the first of the best records, or NULL */
	const SdcLink *link;
	uint32		inside;			/* windows that the best are in; rank swapping only */
} SdcLinkageRow;

/* Called for every record that was attacked, in a context that is empty each time. */
typedef void (*SdcLinkageEmit) (void *arg, const SdcLinkageRow *row);

/* The attacks, with some attributes known. */
extern void sdc_linkage_distance(const SdcEvaluation *evaluation, const int *known, int count,
								 SdcMetric metric, SdcLinkageEmit emit, void *arg);
extern void sdc_linkage_probabilistic(const SdcEvaluation *evaluation, const int *known,
									  int count, bool assign, SdcLinkageEmit emit, void *arg);
extern void sdc_linkage_rankswap(const SdcEvaluation *evaluation, const SdcStepReach *reach,
								 const int *known, int count, SdcRankMode mode,
								 SdcLinkageEmit emit, void *arg);

/* Links that were found by all that is known (people.h). */
extern void sdc_linkage_release(const SdcEvaluation *evaluation, const SdcCandidatesLink *link,
								SdcLinkageEmit emit, void *arg);

/*
 * sdc_linkage_reach is a reach in percent of the ranks, or for percent 0 that of the release's own
 * method, or the error that it does not tell.
 */
extern SdcStepReach *sdc_linkage_reach(const SdcPairedRelease *paired, double percent);

#endif							/* SDC_MEASURE_LINKAGE_H */
