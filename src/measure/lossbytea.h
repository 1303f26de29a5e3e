/*-------------------------------------------------------------------------
 *
 * lossbytea.h
 *		States of information loss as the values (bytea) of an aggregate.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_MEASURE_LOSSBYTEA_H
#define SDC_MEASURE_LOSSBYTEA_H

#include "kernel/loss/loss.h"

/* sdc_lossimage_create makes the image of a state without records, in the current context. */
extern bytea *sdc_lossimage_create(int attributes);

/* sdc_lossimage_copy returns a copy of an image from anywhere, or raises an error if it is no state. */
extern bytea *sdc_lossimage_copy(Datum value);

/* sdc_lossimage_read does so for one that is not changed, and copies only if it must. */
extern bytea *sdc_lossimage_read(Datum value);

/* sdc_lossimage_add adds a record of so many attributes: NaN where a value is missing. */
extern void sdc_lossimage_add(bytea *image, int attributes, const double *original,
							  const double *masked);

/* sdc_lossimage_merge adds what another image has. */
extern void sdc_lossimage_merge(bytea *image, bytea *other);

/* sdc_lossimage_flush leaves no single record in the state. */
extern void sdc_lossimage_flush(bytea *image);

/* sdc_lossimage_measure measures what the state has, and leaves it as it is. */
extern void sdc_lossimage_measure(bytea *image, SdcLoss *loss);

#endif							/* SDC_MEASURE_LOSSBYTEA_H */
