/*-------------------------------------------------------------------------
 *
 * lossbytea.h
 *		States of information loss as the values (bytea) of an aggregate.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_MEASURE_LOSSBYTEA_H
#define SDC_MEASURE_LOSSBYTEA_H

#include "kernel/loss/lossstate.h"

/* sdc_lossbytea_create makes the packed form of a state without records, in the current context. */
extern bytea *sdc_lossbytea_create(int attributes);

/*
 * sdc_lossbytea_copy returns a copy of a packed state from anywhere, or raises an error if it
 * is no state.
 */
extern bytea *sdc_lossbytea_copy(Datum value);

/* sdc_lossbytea_read does so for one that is not changed, and copies only if it must. */
extern bytea *sdc_lossbytea_read(Datum value);

/* sdc_lossbytea_add adds a record of so many attributes: NaN where a value is missing. */
extern void sdc_lossbytea_add(bytea *packed, int attributes, const double *original,
							  const double *protected);

/* sdc_lossbytea_merge adds what another packed state has. */
extern void sdc_lossbytea_merge(bytea *packed, bytea *other);

/* sdc_lossbytea_flush leaves no single record in the state. */
extern void sdc_lossbytea_flush(bytea *packed);

/* sdc_lossbytea_measure measures what the state has, and leaves it as it is. */
extern void sdc_lossbytea_measure(bytea *packed, SdcLoss *loss);

#endif							/* SDC_MEASURE_LOSSBYTEA_H */
