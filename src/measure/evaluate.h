/*-------------------------------------------------------------------------
 *
 * evaluate.h
 *		What the functions that attack and measure a release have in common.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_MEASURE_EVALUATE_H
#define SDC_MEASURE_EVALUATE_H

#include "fmgr.h"
#include "kernel/rank/ranklink.h"
#include "relation/pairing.h"

/* Which original records are attacked. */
typedef struct SdcSampleRequest
{
	bool		given;
	int64		count;
	char	   *seed;			/* or NULL */
} SdcSampleRequest;

/* A release under evaluation. */
typedef struct SdcEvaluation
{
	MemoryContext context;		/* everything of the evaluation */
	MemoryContext before;
	SdcPairing *pairing;
	SdcSampleRequest request;
	uint32	   *record;			/* the records that are attacked, NULL: all */
	uint32		count;			/* their number */
	bool		sampled;
} SdcEvaluation;

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

/* Reads the arguments sample and seed. */
extern void sdc_evaluate_sample_args(FunctionCallInfo fcinfo, int sample, int seed,
									 SdcSampleRequest *request);

/*
 * sdc_evaluate_begin reads release argument 0 and draws the sample.  Everything is
 * allocated in a context of its own, which sdc_evaluate_end deletes.
 */
extern void sdc_evaluate_begin(SdcEvaluation *evaluation, FunctionCallInfo fcinfo,
							   const SdcSampleRequest *sample, bool keys,
							   SdcPairingExtra extra);

/* sdc_evaluate_begin_unnamed does so for a query that has not named the release. */
extern void sdc_evaluate_begin_unnamed(SdcEvaluation *evaluation, FunctionCallInfo fcinfo,
									   SdcPairingExtra extra);
extern void sdc_evaluate_end(SdcEvaluation *evaluation);

/* The record that result i of an attack is about. */
static inline uint32
sdc_evaluate_record(const SdcEvaluation *evaluation, uint32 i)
{
	return evaluation->record == NULL ? i : evaluation->record[i];
}

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
extern int	sdc_evaluate_known_max(FunctionCallInfo fcinfo, int number, const SdcPairing *pairing);

extern void sdc_evaluate_score(const SdcEvaluation *evaluation, int known_max, SdcScore *score);

/*
 * sdc_evaluate_disclosure returns the interval disclosure of an attribute in percent, or below 0 of
 * all of them together; false where no record has a value in both files.
 */
extern bool sdc_evaluate_disclosure(const SdcPairing *pairing, int attribute, double *percent);

#endif							/* SDC_MEASURE_EVALUATE_H */
