/*-------------------------------------------------------------------------
 *
 * pipeline.h
 *		The way of a relation from its source to its release.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_METHOD_PIPELINE_H
#define SDC_METHOD_PIPELINE_H

#include "method/step.h"
#include "relation/frame/frame.h"

/* sdc_pipeline_describe writes the steps as the catalog has them, with the names that they have in the argument. */
extern char *sdc_pipeline_describe(const SdcProtection *protection);

/*
 * sdc_pipeline_plan checks all that can be checked before anything is read, and returns what is to happen to every
 * column.
 */
extern SdcSource *sdc_pipeline_plan(SdcProtection *protection);

/*
 * sdc_pipeline_to_table makes a release in a table and enters it in the catalog.
 * It returns what happened to every column, in the current memory context.
 */
extern SdcSource *sdc_pipeline_to_table(SdcProtection *protection, Oid *release);

/* sdc_pipeline_to_store returns the protected rows and keeps nothing. */
extern void sdc_pipeline_to_store(SdcProtection *protection, Tuplestorestate *store,
								  TupleDesc desc);

/* A relation that was read once, to be protected on trial any number of times. */
typedef struct SdcTrials SdcTrials;

/*
 * sdc_pipeline_read plans a protection, and reads the relation.  The steps of all trials must protect the same columns,
 * each with the method that it has there.
 */
extern SdcTrials *sdc_pipeline_read(SdcProtection *protection);

/* sdc_pipeline_source returns what was read. */
extern const SdcFrameSource *sdc_pipeline_source(const SdcTrials *trials);

/*
 * sdc_pipeline_try makes the release that sdc_pipeline_to_table would make with these steps, in memory, with the seed
 * that the protection has by then.  It stays until sdc_pipeline_forget; there can be one at a time.
 */
extern SdcFrame *sdc_pipeline_try(SdcTrials *trials, const SdcMethodStep *steps);
extern void sdc_pipeline_forget(SdcTrials *trials);

/* sdc_pipeline_end frees everything. */
extern void sdc_pipeline_end(SdcTrials *trials);

#endif							/* SDC_METHOD_PIPELINE_H */
