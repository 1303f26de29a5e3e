/*-------------------------------------------------------------------------
 *
 * scale.c
 *		Finds the scale of an attribute.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include <math.h>

#include "kernel/base/scale.h"

/* Magnitudes up to here have finite differences. */
#define LARGE 0x1p1000

/* sdc_scale_limits: see scale.h. */
uint32
sdc_scale_limits(const double *value, uint32 records, double *low, double *high)
{
	uint32		count = 0;

	*low = INFINITY;
	*high = -INFINITY;
	for (uint32 start = 0, end; start < records; start = end)
	{
		end = sdc_interrupts_block(start, records);
		for (uint32 i = start; i < end; i++)
		{
			if (!sdc_moments_present(value[i]))
				continue;
			count++;
			*low = value[i] < *low ? value[i] : *low;
			*high = value[i] > *high ? value[i] : *high;
		}
	}
	return count;
}

/* sdc_scale_find: see scale.h. */
void
sdc_scale_find(const double *value, uint32 records, SdcScale *scale)
{
	double		low;
	double		high;
	uint32		count = sdc_scale_limits(value, records, &low, &high);
	int			exponent;

	scale->missing = count < records;
	scale->constant = count == 0 || low == high;
	scale->half = scale->unit = 1;
	scale->low = 0;
	if (count == 0)
		return;
	if (fabs(low) > LARGE || fabs(high) > LARGE)
		scale->half = 0.5;
	scale->low = low * scale->half;
	(void) frexp(high * scale->half - scale->low, &exponent);
	/* 2^1000 is a number, and the smallest differences are large enough in that unit */
	scale->unit = ldexp(1, exponent < -1000 ? 1000 : -exponent);
}
