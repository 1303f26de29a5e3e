/*-------------------------------------------------------------------------
 *
 * attackjobs.h
 *		Attacks on a release, run by this process or shared with parallel workers.
 *
 * Attacks do not know each other, and what an attack says of a record does not depend on which others are attacked:
 * so every job is divided into shares of the records, and processes take shares of jobs until there are none left.
 * Sums are exact (kernel/base/sharesum.h): the results are those of one process.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_MEASURE_ATTACKJOBS_H
#define SDC_MEASURE_ATTACKJOBS_H

#include "kernel/base/sharesum.h"
#include "measure/attack/attack.h"

typedef enum SdcAttackKind
{
	/* with the first 1, 2, ... attributes known */
	SDC_ATTACK_DISTANCES,		/* by distance, and by windows, which mostly follow from it */
	SDC_ATTACK_AGREEMENTS,
	/* with all of them */
	SDC_ATTACK_DISTANCE,
	SDC_ATTACK_AGREEMENT,
	SDC_ATTACK_WINDOW
} SdcAttackKind;

/* The results of the first two. */
typedef enum SdcAttackResult
{
	SDC_ATTACK_OWN,				/* of the attack that the kind names */
	SDC_ATTACK_METHOD,			/* of that by the windows of the method */
	SDC_ATTACK_SOUND			/* of that by windows that the right value is in (attack.h) */
} SdcAttackResult;

#define SDC_ATTACK_RESULTS (SDC_ATTACK_SOUND + 1)

typedef struct SdcAttackJob
{
	SdcAttackKind kind;
	SdcMetric	metric;			/* DISTANCE */
	SdcRankMode mode;			/* WINDOW */

	/*
	 * DISTANCES, AGREEMENTS: correct links, by number of known attributes - 1, NULL: not wanted; and by record that is
	 * attacked, with all attributes, how many records are the best if the right one is among them, or 0; NULL: not
	 * wanted.  candidates: all inside of the windows of the method, if the right one is, or 0.
	 */
	SdcShareSum *sum[SDC_ATTACK_RESULTS];
	uint32	   *ties[SDC_ATTACK_RESULTS];
	uint32	   *candidates;

	/* the others: by record that is attacked, SdcLink, of WINDOW SdcRankLink */
	void	   *link;
} SdcAttackJob;

/* What is attacked. */
typedef struct SdcAttackWork
{
	SdcEvaluation evaluation;
	const SdcStepReach *reach;	/* by attribute of the pairing; windows only */
	const int  *known;
	int			known_max;
	SdcAttackJob *job;
	int			jobs;
} SdcAttackWork;

/* sdc_attackjobs_run runs the jobs; those that take longest should be the first. */
extern void sdc_attackjobs_run(SdcAttackWork *work);

#endif							/* SDC_MEASURE_ATTACKJOBS_H */
