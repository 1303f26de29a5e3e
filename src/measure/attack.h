/*-------------------------------------------------------------------------
 *
 * attack.h
 *		What the functions that attack and measure a release have in common.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_MEASURE_ATTACK_H
#define SDC_MEASURE_ATTACK_H

#include "kernel/rank/ranklink.h"
#include "measure/evaluation.h"

/* How far the method of a release moves a value, as far as that is known. */
typedef struct SdcReach
{
	bool		known;
	double		percent;		/* of the ranks */
	double		buckets;		/* or, where above 0, a number of buckets */
} SdcReach;

/* The correct links of every attack: sums of shares, for c = 1 .. known_max attributes. */
typedef struct SdcRisk
{
	int			known_max;
	bool		specific;		/* there is an attack on the method */
	double	   *distance;
	double	   *probabilistic;
	double	   *rankswap;
	uint64		tried;			/* records so far, over all attacks and numbers */
} SdcRisk;

/* What a release scores; has_loss is false without a numeric attribute or a record. */
typedef struct SdcScore
{
	bool		has_risk;		/* there are records */
	bool		has_loss;
	bool		specific;
	double		il;
	double		dld;
	double		pld;
	double		rsld;
	double		id;
	double		dr;
	double		dr_generic;
	double		score;
	double		score_generic;
	bool		sampled;		/* the links come from a sample: then also */
	double		dr_bound[2];	/* 95 % confidence intervals */
	double		dld_bound[2];
	double		pld_bound[2];
	double		rsld_bound[2];
} SdcScore;

/* sdc_evaluate_reach finds the reach of the method of a release in its parameters. */
extern SdcReach sdc_evaluate_reach(const SdcPairing *pairing);

/*
 * sdc_evaluate_rank_task prepares rank swapping record linkage by some known attributes. It
 * has intervals for every attribute, and the space of all of them.
 */
extern SdcRankTask *sdc_evaluate_rank_task(const SdcPairing *pairing, const SdcReach *reach,
										   const int *known, int count);

/* What each attack takes, and all attacks and measures one after the other: SdcPairingExtra. */
extern uint64 sdc_evaluate_distance_memory(uint64 records, int attributes);
extern uint64 sdc_evaluate_probabilistic_memory(uint64 records, int attributes);
extern uint64 sdc_evaluate_rankswap_memory(uint64 records, int attributes);
extern uint64 sdc_evaluate_memory(uint64 records, int attributes);

extern SdcLink *sdc_evaluate_distance(const SdcEvaluation *evaluation, const int *known,
									  int count, SdcMetric metric);
extern SdcLink *sdc_evaluate_probabilistic(const SdcEvaluation *evaluation, const int *known,
										   int count, bool assign, bool names);
extern SdcRankLink *sdc_evaluate_rankswap(const SdcEvaluation *evaluation, const SdcReach *reach,
										  const int *known, int count, SdcRankMode mode);

/* known_max 0: all attributes. */
extern SdcRisk *sdc_evaluate_risk(const SdcEvaluation *evaluation, int known_max);

extern void sdc_evaluate_score(const SdcEvaluation *evaluation, int known_max, SdcScore *score);

/*
 * sdc_evaluate_disclosure returns the interval disclosure of an attribute in percent, or below 0 of
 * all of them together; false where no record has a value in both files.
 */
extern bool sdc_evaluate_disclosure(const SdcPairing *pairing, int attribute, double *percent);

#endif							/* SDC_MEASURE_ATTACK_H */
