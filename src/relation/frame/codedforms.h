/*-------------------------------------------------------------------------
 *
 * codedforms.h
 *		What a generalized release has in the place of values, as sets of codes.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_MEASURE_CODEDFORMS_H
#define SDC_MEASURE_CODEDFORMS_H

#include "relation/frame/codedrelease.h"

/*
 * sdc_codedforms_sets finds the sets of the generalized columns of a coded release, whose original values have codes,
 * and the groups of records that have the same ones; until then coded->group are those that the release was made with.
 */
extern void sdc_codedforms_sets(SdcCodedRelease *coded);

#endif							/* SDC_MEASURE_CODEDFORMS_H */
