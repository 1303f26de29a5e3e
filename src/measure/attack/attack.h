/*-------------------------------------------------------------------------
 *
 * attack.h
 *		The attacks on a release.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_MEASURE_ATTACK_H
#define SDC_MEASURE_ATTACK_H

#include "kernel/agreement/fellegisunter.h"
#include "kernel/rank/rankprefix.h"
#include "relation/catalog/steps.h"
#include "relation/frame/evaluation.h"

/*
 * sdc_attack_reach finds the reach of the step of each attribute, or for a percent above 0, what the intruder takes for
 * it, this one, and whether that of any is known.
 */
extern SdcStepReach *sdc_attack_reach(const SdcPairedRelease *paired, double percent, bool *known);

/* sdc_attack_check_known insists on no more known attributes than an attack by agreement or windows can use. */
extern void sdc_attack_check_known(int count);

/*
 * The links of the records that are attacked, when some attributes are known.  Of a continued release rankswap takes
 * for each record the better one of two, by windows that are sound and by those of the method; candidates are
 * those of the sound ones.
 */
extern SdcLink *sdc_attack_distance(const SdcEvaluation *evaluation, SdcTeam *team, const int *known,
									int count, SdcMetric metric);
extern SdcLink *sdc_attack_probabilistic(const SdcEvaluation *evaluation, SdcTeam *team, const int *known,
										 int count, bool assign, bool names);
extern SdcRankLink *sdc_attack_rankswap(const SdcEvaluation *evaluation,
										const SdcStepReach *reach, const int *known,
										int count, SdcRankMode mode);

/*
 * sdc_attack_rank_task prepares rank swapping record linkage by some known attributes. It has intervals for every
 * attribute; space is the Euclidean one of all of them.  sound: windows that the right value is in.
 */
extern SdcRankTask *sdc_attack_rank_task(const SdcPairedRelease *paired, const SdcStepReach *reach,
										 const int *known, int count, bool sound, const SdcMetricSpace *space);

/* sdc_attack_prefix_task prepares the same for all numbers of known attributes (rankprefix.h). */
extern SdcRankTask *sdc_attack_prefix_task(const SdcPairedRelease *paired, const SdcStepReach *reach,
										   const int *known, int count, bool sound, const SdcMetricSpace *space);

/* sdc_attack_continued tells whether the reach of a known attribute is that of a continued release. */
extern bool sdc_attack_continued(const SdcStepReach *reach, const int *known, int count);

/*
 * sdc_attack_agreement indexes the agreement of known attributes, and sdc_attack_models estimates the model of all of
 * them, or those of the first 1, 2, ...
 */
extern SdcAgreement *sdc_attack_agreement(const SdcPairedRelease *paired, const int *known,
										  int count);
extern void sdc_attack_models(SdcAgreement *agreement, SdcTeam *team, bool prefixes, SdcLinkModel *models);

#endif							/* SDC_MEASURE_ATTACK_H */
