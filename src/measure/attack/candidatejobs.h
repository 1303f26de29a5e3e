/*-------------------------------------------------------------------------
 *
 * candidatejobs.h
 *		Attacks by all that is known of a release, run by this process or shared with parallel workers.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_MEASURE_CANDIDATEJOBS_H
#define SDC_MEASURE_CANDIDATEJOBS_H

#include "kernel/candidates/unitlinks.h"
#include "relation/base/jobs.h"
#include "relation/frame/evaluation.h"

typedef struct SdcCandidatesJob
{
	const SdcCandidatesTask *task;	/* of records, or NULL */
	const SdcUnitLinksTask *units;	/* of units, or NULL */
	SdcCandidatesAttack attack;
	SdcCandidatesLink *link;	/* the result, by record or unit that is attacked */
} SdcCandidatesJob;

typedef struct SdcCandidatesWork
{
	const SdcEvaluation *evaluation;
	const SdcCandidatesJob *job;
	int			jobs;
	uint32		shares;			/* of the records, that are tasks; sdc_candidatejobs_begin sets it */
} SdcCandidatesWork;

/*
 * sdc_candidatejobs_begin has workers begin, if there are any; the caller may do something else meanwhile that writes
 * nothing, and then sdc_candidatejobs_finish does what is left, and waits. The jobs stay as they are in between.
 */
extern SdcJobs *sdc_candidatejobs_begin(SdcCandidatesWork *work);
extern void sdc_candidatejobs_finish(SdcJobs *jobs, const SdcCandidatesWork *work);

#endif							/* SDC_MEASURE_CANDIDATEJOBS_H */
