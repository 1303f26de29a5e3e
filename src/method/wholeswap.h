/*-------------------------------------------------------------------------
 *
 * wholeswap.h
 *		Rank swapping of columns of which units have several values.
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
 * among the different values.  Where the step asks for that, they are swapped record by record, and those that swap
 * with
 * another record of their unit are counted.
 */
extern void sdc_wholeswap_protect(SdcMethodStep *step, SdcSource *source, SdcSpool *spool, SdcRandom *random);

#endif							/* SDC_METHOD_WHOLESWAP_H */
