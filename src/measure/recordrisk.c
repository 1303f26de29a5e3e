/*-------------------------------------------------------------------------
 *
 * recordrisk.c
 *		For every record the attacks that link it.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "measure/attack.h"
#include "measure/recordrisk.h"
#include "relation/memory.h"

/* The links of every attack; rankswap is NULL for methods without one of their own. */
typedef struct Attacks
{
	const SdcLink *distance;
	const SdcLink *probabilistic;
	const SdcRankLink *rankswap;
} Attacks;

/* note_attack takes an attack into account. */
static void
note_attack(SdcRecordRisk *risk, const char *name, const SdcLink *link, uint32 candidates)
{
	if (!link->correct)
		return;
	risk->attack[risk->count++] = name;
	if (risk->fewest == 0 || candidates < risk->fewest)
		risk->fewest = candidates;
}

/* judge_record sums up what the attacks say of a record. */
static void
judge_record(const Attacks *attacks, uint32 i, SdcRecordRisk *risk)
{
	memset(risk, 0, sizeof(SdcRecordRisk));
	note_attack(risk, "distance", &attacks->distance[i], attacks->distance[i].ties);
	note_attack(risk, "probabilistic", &attacks->probabilistic[i], attacks->probabilistic[i].ties);
	if (attacks->rankswap != NULL)
		note_attack(risk, "rankswap", &attacks->rankswap[i].link,
					attacks->rankswap[i].link.candidates);
	risk->certain = attacks->rankswap != NULL && attacks->rankswap[i].link.correct &&
		attacks->rankswap[i].link.candidates == 1;
}

/* emit_records passes on what the attacks say of every record. */
static void
emit_records(const SdcEvaluation *evaluation, const Attacks *attacks, SdcRecordRiskEmit emit,
			 void *arg)
{
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext, "sdc row",
												  ALLOCSET_SMALL_SIZES);
	MemoryContext old = MemoryContextSwitchTo(context);

	for (uint32 i = 0; i < evaluation->count; i++)
	{
		SdcRecordRisk risk;

		judge_record(attacks, i, &risk);
		risk.record = sdc_pairedrelease_key(evaluation->paired,
											sdc_evaluation_record(evaluation, i));
		emit(arg, &risk);
		MemoryContextReset(context);
		if (i % 1024 == 0)
			CHECK_FOR_INTERRUPTS();
	}
	MemoryContextSwitchTo(old);
}

/* sdc_recordrisk_measure runs all attacks. */
void
sdc_recordrisk_measure(const SdcEvaluation *evaluation, SdcRecordRiskEmit emit, void *arg)
{
	Attacks		attacks = {0};
	SdcAttackReach *reach;
	bool		specific;
	int			count;
	int		   *known;

	if (evaluation->count == 0)
		return;
	reach = sdc_attack_reach(evaluation->paired, &specific);
	known = sdc_pairedrelease_known(evaluation->paired, false, NIL, &count);
	attacks.distance = sdc_attack_distance(evaluation, known, count, SDC_METRIC_EUCLIDEAN);
	attacks.probabilistic = sdc_attack_probabilistic(evaluation, known, count, false, false);
	if (specific)
		attacks.rankswap = sdc_attack_rankswap(evaluation, reach, known, count,
											   SDC_RANK_INTERSECTION);
	emit_records(evaluation, &attacks, emit, arg);
}
