/*-------------------------------------------------------------------------
 *
 * entropy.h
 *		Entropy of attributes, and the probabilistic anonymity that follows from it.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_ENTROPY_H
#define SDC_KERNEL_ENTROPY_H

#include "kernel/base/kernel_env.h"

/*
 * sdc_entropy_of_counts returns the entropy -sum P ln P of frequencies: compensated, independent of the order
 * of the counts to the last bit (it sorts a copy), 0 without any.  Counts of 0 do not matter.
 */
extern double sdc_entropy_of_counts(const uint64 *count, uint64 values);

/*
 * sdc_entropy_of_tally returns the same, to the last bit, where values[i] values occur count[i] times each; the
 * counts are ascending, and above 0.
 */
extern double sdc_entropy_of_tally(const uint64 *count, const uint64 *values, uint64 counts);

/* sdc_entropy_optimal writes the probabilities exp(H_i) / sum_j exp(H_j). */
extern void sdc_entropy_optimal(const double *entropy, int attributes, double *probability);

/*
 * sdc_entropy_coarse rounds such probabilities, of so many records, so that no record shows (base/grain.h), and
 * returns the step: it is above SDC_FIGURE_COARSEST where nothing can be told.  They sum to 1 as before, and differ by
 * less than the step.  One record moves each by a step at most, but for a chance that takes many columns.
 */
extern double sdc_entropy_coarse(const double *probability, int attributes, uint64 records, double *coarse);

/* sdc_entropy_anonymity returns exp(sum_i p_i (-ln p_i + H_i)), with 0 ln 0 = 0. */
extern double sdc_entropy_anonymity(const double *entropy, const double *probability,
									int attributes);

/*
 * sdc_entropy_anonymity_drawn returns exp(sum_T h(T) (-ln h(T) + sum of H_i over T)) for the sets T of so many
 * attributes that are drawn, all with the same h.
 */
extern double sdc_entropy_anonymity_drawn(const double *entropy, int attributes, int draws);

#endif							/* SDC_KERNEL_ENTROPY_H */
