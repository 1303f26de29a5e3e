/*-------------------------------------------------------------------------
 *
 * anonymity.h
 *		The probabilistic anonymity of random anonymization.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_MEASURE_ANONYMITY_H
#define SDC_MEASURE_ANONYMITY_H

#include "kernel/base/codedfile.h"
#include "nodes/pg_list.h"

/*
 * sdc_anonymity_optimal returns the probabilities of attributes to be drawn that maximize probabilistic
 * anonymity, in the current memory context.
 */
extern double *sdc_anonymity_optimal(const SdcCodedFile *coded);

/*
 * sdc_anonymity_measure returns the probabilistic anonymity of a relation whose columns, a list of
 * char *, are drawn with some probabilities, NULL: the optimal ones; false without records.
 */
extern bool sdc_anonymity_measure(Oid relid, List *qi, const double *probability,
								  double *anonymity);

#endif							/* SDC_MEASURE_ANONYMITY_H */
