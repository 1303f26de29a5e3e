/*-------------------------------------------------------------------------
 *
 * recordrisk.c
 *		sdc_record_risk: for every record the attacks that link it.
 *
 * All protected attributes are known to the intruder.  A record counts as linked by an attack when
 * its own protected record is among those that the attack finds best.  The candidates
 * are what is left to choose from: for distance and agreement the records that are
 * equally good, for the windows of rank swapping those inside all of them.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "fmgr.h"
#include "funcapi.h"
#include "kernel/agreement/problink.h"
#include "sql/args.h"
#include "sql/evaluation_args.h"
#include "measure/attack.h"
#include "measure/score.h"
#include "utils/array.h"
#include "utils/builtins.h"

PG_FUNCTION_INFO_V1(sdc_record_risk);

/* The links of every attack; rankswap is NULL for methods without one of their own. */
typedef struct Attacks
{
	const SdcLink *distance;
	const SdcLink *probabilistic;
	const SdcRankLink *rankswap;
} Attacks;

/* How a record fares under the attacks so far. */
typedef struct Verdict
{
	Datum		attack[3];		/* names of those that link it */
	int			count;
	uint32		fewest;			/* candidates of the best of them, 0: none links it */
} Verdict;

/* note_attack takes an attack into account. */
static void
note_attack(Verdict *verdict, const char *name, const SdcLink *link, uint32 candidates)
{
	if (!link->correct)
		return;
	verdict->attack[verdict->count++] = CStringGetTextDatum(name);
	if (verdict->fewest == 0 || candidates < verdict->fewest)
		verdict->fewest = candidates;
}

/* judge_record sums up what the attacks say of a record. */
static void
judge_record(const Attacks *attacks, uint32 i, Verdict *verdict)
{
	memset(verdict, 0, sizeof(Verdict));
	note_attack(verdict, "distance", &attacks->distance[i], attacks->distance[i].ties);
	note_attack(verdict, "probabilistic", &attacks->probabilistic[i], attacks->probabilistic[i].ties);
	if (attacks->rankswap != NULL)
		note_attack(verdict, "rankswap", &attacks->rankswap[i].link,
					attacks->rankswap[i].link.candidates);
}

/* return_records returns a row for every record that was attacked. */
static void
return_records(FunctionCallInfo fcinfo, const SdcEvaluation *evaluation, const Attacks *attacks)
{
	ReturnSetInfo *result = (ReturnSetInfo *) fcinfo->resultinfo;
	MemoryContext row = AllocSetContextCreate(CurrentMemoryContext, "sdc row",
											  ALLOCSET_SMALL_SIZES);
	MemoryContext old = MemoryContextSwitchTo(row);

	for (uint32 i = 0; i < evaluation->count; i++)
	{
		Datum		values[4];
		bool		nulls[4] = {false};
		Verdict		verdict;
		char	   *key = sdc_pairing_key(evaluation->pairing, sdc_evaluation_record(evaluation, i));

		judge_record(attacks, i, &verdict);
		values[0] = CStringGetTextDatum(key);
		values[1] = PointerGetDatum(construct_array(verdict.attack, verdict.count, TEXTOID, -1,
													false, TYPALIGN_INT));
		values[2] = Int64GetDatum((int64) verdict.fewest);
		nulls[2] = verdict.count == 0;
		/* one candidate inside all windows leaves the intruder no doubt */
		values[3] = BoolGetDatum(attacks->rankswap != NULL && attacks->rankswap[i].link.correct &&
								 attacks->rankswap[i].link.candidates == 1);
		tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
		MemoryContextReset(row);
		if (i % 1024 == 0)
			CHECK_FOR_INTERRUPTS();
	}
	MemoryContextSwitchTo(old);
}

/*
 * sdc_record_risk(release regclass, sample bigint, seed "any")
 *		RETURNS TABLE (record text, attacks text[], candidates bigint, certain boolean)
 */
Datum
sdc_record_risk(PG_FUNCTION_ARGS)
{
	SdcSampleRequest sample;
	SdcEvaluation evaluation;
	Attacks		attacks = {0};

	sdc_evaluation_args_sample(fcinfo, 1, 2, &sample);
	sdc_args_result(fcinfo, 0);
	sdc_evaluation_args_begin(&evaluation, fcinfo, &sample, true, sdc_score_memory);
	if (evaluation.count > 0)
	{
		SdcAttackReach reach = sdc_attack_reach(evaluation.pairing);
		int			count;
		int		   *known = sdc_pairing_known(evaluation.pairing, false, NIL, &count);

		attacks.distance = sdc_attack_distance(&evaluation, known, count, SDC_METRIC_EUCLIDEAN);
		attacks.probabilistic = sdc_attack_probabilistic(&evaluation, known, count, false, false);
		if (reach.known)
			attacks.rankswap = sdc_attack_rankswap(&evaluation, &reach, known, count,
												   SDC_RANK_INTERSECTION);
		return_records(fcinfo, &evaluation, &attacks);
	}
	sdc_evaluation_end(&evaluation);
	return (Datum) 0;
}
