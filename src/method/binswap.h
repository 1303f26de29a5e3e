/*-------------------------------------------------------------------------
 *
 * binswap.h
 *		Equi-depth and equi-width swapping of a relation.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_METHOD_BINSWAP_H
#define SDC_METHOD_BINSWAP_H

#include "method/step.h"
#include "relation/read/bins.h"

/*
 * sdc_binswap_prepare fills in what a protection by equi-depth or equi-width swapping is, whose
 * columns and complement are there; the request must stay.
 */
extern void sdc_binswap_prepare(SdcMethodStep *step, const SdcBinRequest *request);

#endif							/* SDC_METHOD_BINSWAP_H */
