/*-------------------------------------------------------------------------
 *
 * doublelanes.h
 *		Two doubles computed at once: one register of any 64-bit machine.
 *
 * Arrays of doubles are aligned to one double.  The type of lanes in an array is less
 * aligned than a register, therefore, and serves to read and write arrays alone: not
 * every machine has a convention for passing such a value to a function (gcc 14 ends in
 * an internal error on arm64).  Everything else has the type SdcDoubleLanes.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_DOUBLELANES_H
#define SDC_KERNEL_DOUBLELANES_H

#include "kernel/base/kernel_env.h"

/* Doubles that are computed at once. */
#define SDC_DOUBLELANES 2

typedef double SdcDoubleLanes __attribute__((vector_size(SDC_DOUBLELANES * sizeof(double))));
typedef SdcDoubleLanes SdcDoubleLanesAt __attribute__((aligned(8), may_alias));

/* sdc_doublelanes_read reads from an array. */
static inline SdcDoubleLanes
sdc_doublelanes_read(const double *from)
{
	return *(const SdcDoubleLanesAt *) from;
}

/* sdc_doublelanes_write writes into an array. */
static inline void
sdc_doublelanes_write(double *to, SdcDoubleLanes lanes)
{
	*(SdcDoubleLanesAt *) to = lanes;
}

#endif							/* SDC_KERNEL_DOUBLELANES_H */
