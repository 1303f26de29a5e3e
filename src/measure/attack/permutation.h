/*-------------------------------------------------------------------------
 *
 * permutation.h
 *		How far the records of a release were permuted, and whether chance does as much.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_MEASURE_PERMUTATION_H
#define SDC_MEASURE_PERMUTATION_H

#include "kernel/rank/permutationsummary.h"
#include "relation/frame/evaluation.h"

/* What is found of a record; the numbers are SDC_PERMUTATION_INFINITE where no gap is finite. */
typedef void (*SdcPermutationEmit) (void *arg, const char *record, uint32 distance, uint32 shift,
									uint32 ties);

/* sdc_permutation_distances passes on every record, in the order of the key. */
extern void sdc_permutation_distances(const SdcEvaluation *evaluation, SdcPermutationEmit emit,
									  void *arg);

/* sdc_permutation_summary sums all of them up, and says what chance would give. */
extern void sdc_permutation_summary(const SdcEvaluation *evaluation, SdcPermutationSummary *summary);

#endif							/* SDC_MEASURE_PERMUTATION_H */
