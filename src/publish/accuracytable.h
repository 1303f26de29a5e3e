/*-------------------------------------------------------------------------
 *
 * accuracytable.h
 *		The table that says how exact a publication is.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_PUBLISH_ACCURACYTABLE_H
#define SDC_PUBLISH_ACCURACYTABLE_H

#include "executor/spi.h"
#include "publish/publishplan.h"
#include "publish/publishtarget.h"
#include "relation/catalog/steps.h"

/* The most records of a release whose accuracy is measured when it is published. */
extern int	sdc_accuracy_records;

typedef struct SdcAccuracyTable
{
	Oid			catalog_schema;
	SdcPublishTarget table;
	uint64		count;			/* rows that were measured */
	SPITupleTable *rows;
	const SdcPublishPlan *plan;
} SdcAccuracyTable;

/*
 * sdc_accuracytable_resolve finds out where the accuracy of a publication goes, and insists that it can.  A table
 * that is there is locked: others read it, and nobody writes to it.  sdc_accuracytable_check insists on it again.
 */
extern void sdc_accuracytable_resolve(SdcAccuracyTable *accuracy, Oid catalog_schema, const SdcPublishTarget *target);
extern void sdc_accuracytable_check(const SdcAccuracyTable *accuracy);

/* sdc_accuracytable_measure measures a release, with the rights of the caller; within SPI. */
extern void sdc_accuracytable_measure(SdcAccuracyTable *accuracy, SdcPublishPlan *plan);

/* sdc_accuracytable_write writes the rows for a publication, in place of those there were, and returns the table. */
extern Oid	sdc_accuracytable_write(const SdcAccuracyTable *accuracy, Oid publication, uint64 records);

/*
 * sdc_accuracytable_probabilities returns the probabilities of a step as they may be published, and what they are
 * rounded to, 0 where somebody has chosen them; NULL: they may not be published.
 */
extern double *sdc_accuracytable_probabilities(const SdcStep *step, uint64 records, double *rounding);

#endif							/* SDC_PUBLISH_ACCURACYTABLE_H */
