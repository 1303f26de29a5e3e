/*-------------------------------------------------------------------------
 *
 * wholeswap.h
 *		Rank swapping of all the values that a unit has of a column.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_METHOD_WHOLESWAP_H
#define SDC_METHOD_WHOLESWAP_H

#include "method/step.h"

/*
 * sdc_wholeswap_protect swaps the columns of a step in which units have several values.  Units with as many values are
 * ranked by the sum of these, and swapped by the step's method; the r-th smallest value of a unit becomes the r-th
 * smallest of its partner.  Missing values stay where they are.  Where values have no sum it is that of their ranks
 * among the different values.
 */
extern void sdc_wholeswap_protect(SdcMethodStep *step, SdcSource *source, SdcSpool *spool, SdcRandom *random);

#endif							/* SDC_METHOD_WHOLESWAP_H */
