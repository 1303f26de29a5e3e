/*-------------------------------------------------------------------------
 *
 * lossstate.h
 *		Information loss of a stream of records, in a state that can be merged.
 *
 * Everything that sdc_loss_measure finds, but the quantiles.  The state is one piece of memory
 * without pointers, of sdc_lossstate_size bytes; it is the value of the aggregate's state.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_LOSSSTATE_H
#define SDC_KERNEL_LOSSSTATE_H

#include "kernel/loss/loss.h"

typedef struct SdcLossState SdcLossState;

/* At most so many attributes: the state has about 250 bytes a pair of them. */
#define SDC_LOSSSTATE_ATTRIBUTES 512

extern Size sdc_lossstate_size(int attributes);
extern void sdc_lossstate_init(SdcLossState *state, int attributes);
extern int	sdc_lossstate_attributes(const SdcLossState *state);
extern void sdc_lossstate_add(SdcLossState *state, const double *original, const double *protected);
extern void sdc_lossstate_merge(SdcLossState *state, const SdcLossState *other);

/* The state keeps the last few records as they are, until flush makes moments of them. */
extern void sdc_lossstate_flush(SdcLossState *state);
extern void sdc_lossstate_measure(const SdcLossState *state, SdcLoss *loss);

/* sdc_lossstate_valid tells whether size bytes from anywhere are a state. */
extern bool sdc_lossstate_valid(const void *bytes, Size size);

#endif							/* SDC_KERNEL_LOSSSTATE_H */
