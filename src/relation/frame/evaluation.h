/*-------------------------------------------------------------------------
 *
 * evaluation.h
 *		A release that is attacked or measured, and which of its records are.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_MEASURE_EVALUATION_H
#define SDC_MEASURE_EVALUATION_H

#include "kernel/base/units.h"
#include "relation/frame/pairedrelease.h"

/* Which original records, or units, are attacked. */
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
	SdcPairedRelease *paired;
	SdcSampleRequest request;
	const SdcUnits *units;		/* units are attacked: in the place of records, below as well; NULL: records are */
	uint32	   *record;			/* the records that are attacked, NULL: all */
	uint32		count;			/* their number */
	bool		sampled;
} SdcEvaluation;

/*
 * sdc_evaluation_begin reads a release and draws the sample; sample NULL: all records.
 * Everything is allocated in a context of its own, which sdc_evaluation_end deletes.
 */
extern void sdc_evaluation_begin(SdcEvaluation *evaluation, const SdcPairedReleaseRequest *request,
								 const SdcSampleRequest *sample);
extern void sdc_evaluation_end(SdcEvaluation *evaluation);

/*
 * sdc_evaluation_start makes the context and goes there; who calls it puts the release there, and
 * sdc_evaluation_draw then draws the sample.
 */
extern void sdc_evaluation_start(SdcEvaluation *evaluation, const SdcSampleRequest *sample);
extern void sdc_evaluation_draw(SdcEvaluation *evaluation);

/* sdc_evaluation_population is how many records, or units, the release has. */
static inline uint32
sdc_evaluation_population(const SdcEvaluation *evaluation)
{
	return evaluation->units != NULL ? evaluation->units->count : evaluation->paired->pairs.records;
}

/* sdc_evaluation_key returns the key of a record, or what a unit is named by, as text: the keys were loaded. */
extern char *sdc_evaluation_key(const SdcEvaluation *evaluation, uint32 number);

/* The record that result i of an attack is about. */
static inline uint32
sdc_evaluation_record(const SdcEvaluation *evaluation, uint32 i)
{
	return evaluation->record == NULL ? i : evaluation->record[i];
}

/*
 * Shares of the records that are attacked, for several processes: each has every so manyth block of them, so that all
 * take about as long whatever order the records have.
 */
#define SDC_EVALUATION_BLOCK 64

/* sdc_evaluation_shares is how many there are for so many processes: 1 of a small sample, which is not worth more. */
extern uint32 sdc_evaluation_shares(const SdcEvaluation *evaluation, uint32 records, int processes);

/* sdc_evaluation_share makes an evaluation of a share: results of its records belong to sdc_evaluation_place. */
extern void sdc_evaluation_share(const SdcEvaluation *evaluation, uint32 share, uint32 shares, SdcEvaluation *part);

/* sdc_evaluation_place is where result i of a share is among those of all. */
static inline uint32
sdc_evaluation_place(uint32 share, uint32 shares, uint32 i)
{
	return (i / SDC_EVALUATION_BLOCK * shares + share) * SDC_EVALUATION_BLOCK + i % SDC_EVALUATION_BLOCK;
}

#endif							/* SDC_MEASURE_EVALUATION_H */
