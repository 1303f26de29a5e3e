/*-------------------------------------------------------------------------
 *
 * lossagg.h
 *		The measures of information loss as columns.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_SQL_LOSSAGG_H
#define SDC_SQL_LOSSAGG_H

#include "measure/accuracy/lossbytea.h"

#define SDC_LOSSAGG_MEASURES 21

/*
 * sdc_lossagg_measures fills the columns il1 .. lost.  Measures of no records or
 * attributes, those that were not computed, probabilistic ones without a term, and others without
 * one where values are lost are NULL.
 */
extern void sdc_lossagg_measures(const SdcLoss *loss, Datum *values, bool *nulls);

#endif							/* SDC_SQL_LOSSAGG_H */
