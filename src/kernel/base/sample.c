/*-------------------------------------------------------------------------
 *
 * sample.c
 *		Simple random samples of records, and what a rate in one tells.
 *
 * Selection sampling: D. E. Knuth, "The Art of Computer Programming" 2, 3.4.2,
 * algorithm S.  Every subset of the size is as likely.
 *
 * The interval is that of E. B. Wilson, "Probable inference, the law of succession, and
 * statistical inference", Journal of the American Statistical Association 22
 * (1927), which stays inside 0 .. 1 and means something for rates of 0 and 1 too.
 * The sample comes from a finite population, so its size counts as count (N - 1) / (N -
 * count): a sample of everything leaves no doubt.  A mean of shares between 0
 * and 1 varies at most as much as one of zeros and ones with the same mean.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include <math.h>

#include "kernel/base/normal.h"
#include "kernel/base/sample.h"

/* sdc_sample_draw draws records without replacement. */
void
sdc_sample_draw(SdcStream *stream, uint32 records, uint32 count, uint32 *record)
{
	uint32		taken = 0;

	SDC_ASSERT(count <= records);
	for (uint32 r = 0; taken < count; r++)
	{
		if (sdc_stream_below(stream, records - r) < count - taken)
			record[taken++] = r;
		sdc_interrupts_step(r);
	}
}

/* sdc_sample_shuffle permutes an array (R. A. Fisher and F. Yates, 1938). */
void
sdc_sample_shuffle(SdcStream *stream, uint32 *element, uint32 count)
{
	for (uint32 i = count; i > 1; i--)
	{
		uint32		other = sdc_stream_below(stream, i);
		uint32		held = element[i - 1];

		element[i - 1] = element[other];
		element[other] = held;
		sdc_interrupts_step(i);
	}
}

/* sdc_sample_interval writes Wilson's interval for a sample of a finite population. */
void
sdc_sample_interval(double hits, uint64 count, uint64 records, double *low, double *high)
{
	const double z = SDC_NORMAL_975;
	double		rate;
	double		size;
	double		centre;
	double		half;

	SDC_ASSERT(count <= records);
	*low = 0;
	*high = 1;
	if (count == 0)
		return;
	rate = fmin(hits / (double) count, 1.0);
	*low = *high = rate;
	if (count == records)
		return;
	size = (double) count * ((double) records - 1) / ((double) records - (double) count);
	centre = (rate + z * z / (2 * size)) / (1 + z * z / size);
	half = z * sqrt(rate * (1 - rate) / size + z * z / (4 * size * size)) / (1 + z * z / size);
	/* the ends for rates of 0 and 1 are exact */
	*low = rate <= 0 ? 0 : fmax(0, centre - half);
	*high = rate >= 1 ? 1 : fmin(1, centre + half);
}
