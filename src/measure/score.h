/*-------------------------------------------------------------------------
 *
 * score.h
 *		The score of a release: its disclosure risk and its information loss together.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_MEASURE_SCORE_H
#define SDC_MEASURE_SCORE_H

#include "measure/attack/people.h"
#include "relation/frame/evaluation.h"

/* What a release scores; has_loss is false without a numeric attribute or a record. */
typedef struct SdcScore
{
	SdcPeopleFound people;		/* filled in by who asks for it, by sdc_people_measure */
	SdcPeopleLinks *links;		/* NULL, or where that goes what sdc_people_measure need not find again */
	double		percent;		/* 0, or what the intruder takes for the reach of the method: then links are NULL */
	bool		has_risk;		/* there are records, and known attributes */
	bool		has_loss;
	bool		specific;
	double		il;
	uint64		lost;			/* values that the release lacks */
	double		dld;
	double		pld;
	double		rsld;
	double		interval_disclosure;
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

/* sdc_score_measure scores a release of which known_max attributes are known; it leaves people alone. */
extern void sdc_score_measure(const SdcEvaluation *evaluation, const int *known, int known_max,
							  SdcScore *score);

/*
 * sdc_score_baseline scores a random permutation of the source in its place.  The protected
 * values of the pairing are lost.
 */
extern void sdc_score_baseline(const SdcEvaluation *evaluation, const int *known, int known_max,
							   SdcScore *score);

#endif							/* SDC_MEASURE_SCORE_H */
