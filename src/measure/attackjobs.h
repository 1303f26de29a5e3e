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
#include "measure/attack.h"

typedef enum SdcAttackKind
{
	/* with the first 1, 2, ... attributes known */
	SDC_ATTACK_DISTANCES,
	SDC_ATTACK_AGREEMENTS,
	SDC_ATTACK_WINDOWS,
	/* with all of them */
	SDC_ATTACK_DISTANCE,
	SDC_ATTACK_AGREEMENT,
	SDC_ATTACK_WINDOW
} SdcAttackKind;

typedef struct SdcAttackJob
{
	SdcAttackKind kind;
	SdcMetric	metric;			/* DISTANCE */
	SdcRankMode mode;			/* WINDOW */
	bool		sound;			/* WINDOWS: those that the right value is in (attack.h) */
	bool		names;			/* AGREEMENT: the link names a record */

	/* results */
	SdcShareSum *sum;			/* DISTANCES, AGREEMENTS, WINDOWS: correct links, by number of known attributes - 1 */
	void	   *link;			/* by record that is attacked, with all attributes: SdcLink, of WINDOW SdcRankLink;
								 * NULL: they are not wanted */
} SdcAttackJob;

/* What is attacked. */
typedef struct SdcAttackWork
{
	SdcEvaluation evaluation;
	const SdcAttackReach *reach;	/* by attribute of the pairing; windows only */
	const int  *known;
	int			known_max;
	SdcAttackJob *job;
	int			jobs;
} SdcAttackWork;

/* sdc_attackjobs_run runs the jobs; those that take longest should be the first. */
extern void sdc_attackjobs_run(const SdcAttackWork *work);

#endif							/* SDC_MEASURE_ATTACKJOBS_H */
