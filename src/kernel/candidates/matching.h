/*-------------------------------------------------------------------------
 *
 * matching.h
 *		Candidates that are left when everybody else is known (declared in candidates.h).
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_MATCHING_H
#define SDC_KERNEL_MATCHING_H

#include "kernel/candidates/candidates.h"

/* What sdc_candidates_everybody takes beside conditions and a search. */
extern uint64 sdc_matching_memory(const SdcCandidatesTask *task);

#endif							/* SDC_KERNEL_MATCHING_H */
