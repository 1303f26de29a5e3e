/*-------------------------------------------------------------------------
 *
 * recordrisk.c
 *		For every record the attacks that link it.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "measure/attack/recordrisk.h"
#include "miscadmin.h"
#include "utils/memutils.h"

/* note_attack takes an attack into account. */
static void
note_attack(SdcRecordRisk *risk, SdcPeopleAttack attack, const SdcLink *link)
{
	bool		chooses = attack == SDC_PEOPLE_NEAREST || attack == SDC_PEOPLE_WIDE ||
		attack == SDC_PEOPLE_NARROW;
	uint32		candidates = chooses ? link->candidates : link->ties;

	if (!link->correct)
		return;
	risk->attack[risk->count++] = sdc_people_attack_name(attack);
	if (risk->fewest == 0 || candidates < risk->fewest)
		risk->fewest = candidates;
}

/* judge_record sums up what the attacks say of a record. */
static void
judge_record(const SdcPeople *people, uint32 i, SdcRecordRisk *risk)
{
	memset(risk, 0, sizeof(SdcRecordRisk));
	for (int a = SDC_PEOPLE_NEAREST; a < SDC_PEOPLE_AGREEMENT; a++)
		if (people->link[a] != NULL)
			note_attack(risk, (SdcPeopleAttack) a, &people->link[a][i].link);
	if (people->agreement != NULL)
		note_attack(risk, SDC_PEOPLE_AGREEMENT, &people->agreement[i]);
	risk->certain = sdc_people_certain(people, i);
}

/* sdc_recordrisk_measure runs all attacks. */
void
sdc_recordrisk_measure(const SdcEvaluation *evaluation, const SdcWholeRelease *whole,
					   SdcRecordRiskEmit emit, void *arg)
{
	SdcPeople	people;
	MemoryContext context;
	MemoryContext old;

	sdc_people_attack(evaluation, whole, false, NULL, &people);
	context = AllocSetContextCreate(CurrentMemoryContext, "sdc row", ALLOCSET_SMALL_SIZES);
	old = MemoryContextSwitchTo(context);
	for (uint32 i = 0; i < evaluation->count; i++)
	{
		SdcRecordRisk risk;

		judge_record(&people, i, &risk);
		risk.record = sdc_evaluation_key(evaluation, sdc_evaluation_record(evaluation, i));
		emit(arg, &risk);
		MemoryContextReset(context);
		if (i % 1024 == 0)
			CHECK_FOR_INTERRUPTS();
	}
	MemoryContextSwitchTo(old);
}
