/*-------------------------------------------------------------------------
 *
 * lostvalues.h
 *		What the moments of a file can be when some of its values are lost.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_LOSTVALUES_H
#define SDC_KERNEL_LOSTVALUES_H

#include "kernel/base/moments.h"

/* Two numbers, and all between them: what a lost value can be, or what a moment can be. */
typedef struct SdcLostRange
{
	double		low;
	double		high;
} SdcLostRange;

/* sdc_lostvalues_range is what a lost value of an attribute can be, and _from_zero the same with 0. */
extern SdcLostRange sdc_lostvalues_range(const SdcMomentsCells *cells, const SdcMoments *original);
extern SdcLostRange sdc_lostvalues_from_zero(SdcLostRange range);

/* sdc_lostvalues_farthest is how far a number can be from one in a range, at most. */
extern double sdc_lostvalues_farthest(double number, SdcLostRange range);

/*
 * The mean of the protected file above that of the original, the sum of squares of an attribute's deviations, the sum
 * of products and the correlation of a pair.  lost values are in range, those of a pair in x and y; without lost
 * values each is one number.  The correlation of a pair of which nothing is left is not a number.
 */
extern SdcLostRange sdc_lostvalues_mean(const SdcMoments *original, const SdcMoments *protected, double lost,
										SdcLostRange range);
extern SdcLostRange sdc_lostvalues_squares(const SdcMoments *protected, double lost, SdcLostRange range);
extern SdcLostRange sdc_lostvalues_products(const SdcMomentsPair *protected, double lost, SdcLostRange x,
											SdcLostRange y);
extern SdcLostRange sdc_lostvalues_correlation(const SdcMomentsPair *protected, double lost, SdcLostRange x,
											   SdcLostRange y);

#endif							/* SDC_KERNEL_LOSTVALUES_H */
