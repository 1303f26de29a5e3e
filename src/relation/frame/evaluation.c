/*-------------------------------------------------------------------------
 *
 * evaluation.c
 *		A release that is attacked or measured, and which of its records are.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "kernel/base/sample.h"
#include "relation/base/memory.h"
#include "relation/base/progress.h"
#include "relation/base/random.h"
#include "relation/frame/evaluation.h"

#define SAMPLE_METHOD "sample"
#define SAMPLE_PURPOSE "records"

/* A sample of less than one in so many is not divided: the trees of all records take longer than its searches. */
#define SHARED_LEAST 4

/* draw_sample decides which records, or units, are attacked. */
static void
draw_sample(SdcEvaluation *evaluation)
{
	uint32		records = sdc_evaluation_population(evaluation);
	SdcRandom  *random;

	evaluation->count = records;
	if (!evaluation->request.given || evaluation->request.count >= records)
		return;
	evaluation->sampled = true;
	evaluation->count = (uint32) evaluation->request.count;
	evaluation->record = sdc_memory_array(evaluation->count, sizeof(uint32));
	random = sdc_random_create(evaluation->request.seed, SAMPLE_METHOD);
	sdc_sample_draw(sdc_random_start(random, "", SAMPLE_PURPOSE, 0), records, evaluation->count,
					evaluation->record);
	sdc_random_verify(random);
}

/* sdc_evaluation_start: see evaluation.h. */
void
sdc_evaluation_start(SdcEvaluation *evaluation, const SdcSampleRequest *sample)
{
	memset(evaluation, 0, sizeof(SdcEvaluation));
	if (sample != NULL)
		evaluation->request = *sample;
	evaluation->context = AllocSetContextCreate(CurrentMemoryContext, "sdc evaluation",
												ALLOCSET_DEFAULT_SIZES);
	evaluation->before = MemoryContextSwitchTo(evaluation->context);
}

/* sdc_evaluation_draw: see evaluation.h. */
void
sdc_evaluation_draw(SdcEvaluation *evaluation)
{
	draw_sample(evaluation);
	sdc_progress_evaluating(evaluation->count, 1);
}

/* sdc_evaluation_begin reads a release and draws the sample. */
void
sdc_evaluation_begin(SdcEvaluation *evaluation, const SdcPairedReleaseRequest *request,
					 const SdcSampleRequest *sample)
{
	sdc_evaluation_start(evaluation, sample);
	evaluation->paired = sdc_pairedrelease_load(request);
	sdc_evaluation_draw(evaluation);
}

/* sdc_evaluation_end frees everything. */
void
sdc_evaluation_end(SdcEvaluation *evaluation)
{
	sdc_progress_end();
	MemoryContextSwitchTo(evaluation->before);
	MemoryContextDelete(evaluation->context);
}

/* sdc_evaluation_key: see evaluation.h.  All records of a unit have what it is named by. */
char *
sdc_evaluation_key(const SdcEvaluation *evaluation, uint32 number)
{
	const SdcUnits *units = evaluation->units;

	return sdc_pairedrelease_key(evaluation->paired, units != NULL ? units->member[units->start[number]] : number);
}

/* sdc_evaluation_shares: see evaluation.h. */
uint32
sdc_evaluation_shares(const SdcEvaluation *evaluation, uint32 records, int processes)
{
	return evaluation->count >= records / SHARED_LEAST ? (uint32) processes : 1;
}

/* sdc_evaluation_share: see evaluation.h. */
void
sdc_evaluation_share(const SdcEvaluation *evaluation, uint32 share, uint32 shares, SdcEvaluation *part)
{
	uint32	   *record;

	*part = *evaluation;
	if (shares == 1)
		return;
	record = sdc_memory_array(evaluation->count / shares + SDC_EVALUATION_BLOCK, sizeof(uint32));
	part->record = record;
	part->count = 0;
	for (uint64 start = (uint64) share * SDC_EVALUATION_BLOCK; start < evaluation->count;
		 start += (uint64) shares * SDC_EVALUATION_BLOCK)
		for (uint64 i = start; i < Min(start + SDC_EVALUATION_BLOCK, evaluation->count); i++)
			record[part->count++] = sdc_evaluation_record(evaluation, (uint32) i);
}
