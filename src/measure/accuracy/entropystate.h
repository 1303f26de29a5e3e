/*-------------------------------------------------------------------------
 *
 * entropystate.h
 *		States of entropy: the values of an aggregate (bytea) that count other values.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_MEASURE_ENTROPYSTATE_H
#define SDC_MEASURE_ENTROPYSTATE_H

#include "relation/column/canonical.h"

/* A state that is to be changed. */
typedef struct SdcEntropyState
{
	Datum		value;			/* bytea, from anywhere */
	bool		none;			/* there is no value yet: the state of no values */
	bool		own;			/* of the aggregate that runs: it is changed in place, others are copied */
} SdcEntropyState;

/* sdc_entropystate_keep returns a state as it is; there must be one. */
extern bytea *sdc_entropystate_keep(const SdcEntropyState *state);

/* sdc_entropystate_add counts a value, and returns the state or what takes its place. */
extern bytea *sdc_entropystate_add(const SdcEntropyState *state, SdcCanonicalType *type,
								   Datum value);

/*
 * sdc_entropystate_merge adds what another state, a bytea from anywhere, has counted.  Whatever it is,
 * the result counts every form once.
 */
extern bytea *sdc_entropystate_merge(const SdcEntropyState *state, Datum other);

/*
 * sdc_entropystate_measure returns the entropy of a state from anywhere, and leaves it as it is; false:
 * it has no values.  The type of the values, if it is needed, is remembered between calls in known,
 * which is NULL at first, and in a memory context.
 */
extern bool sdc_entropystate_measure(Datum value, void **known, MemoryContext context,
									 double *entropy);

/* sdc_entropystate_pack returns the packed form of a state from anywhere. */
extern bytea *sdc_entropystate_pack(Datum value);

#endif							/* SDC_MEASURE_ENTROPYSTATE_H */
