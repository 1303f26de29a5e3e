/*-------------------------------------------------------------------------
 *
 * releaseloss.c
 *		The information loss of a release.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "measure/releaseloss.h"
#include "relation/memory.h"

/* Fourth powers of numbers up to 2^200, and sums of many, are numbers too. */
#define USUAL_EXPONENT 200

/* Numbers of a column that lie apart by at most so many powers of two can share a unit. */
#define USUAL_RANGE 900

/* sdc_releaseloss_memory returns the bytes of the information loss, if all attributes are numeric. */
uint64
sdc_releaseloss_memory(uint64 records, int attributes)
{
	return 2 * attributes * records * sizeof(double) + sdc_loss_memory((uint32) records, attributes);
}

/*
 * column_unit returns what to multiply a column by so that its squares neither overflow nor vanish:
 * no measure depends on units, and a power of two changes no digit.  1 for usual columns, and for
 * those with values so different that none suits all.
 */
static double
column_unit(const SdcPairColumn *column)
{
	double		least = INFINITY;
	double		greatest = 0;
	int			lowest;
	int			highest;

	for (uint32 c = 0; c < column->codes; c++)
	{
		double		size = fabs(column->value[c]);

		if (size > greatest)	/* false for NaN */
			greatest = size;
		if (size > 0 && size < least)
			least = size;
	}
	if (greatest == 0)
		return 1;
	(void) frexp(least, &lowest);
	(void) frexp(greatest, &highest);
	if (abs(highest) < USUAL_EXPONENT || highest - lowest > USUAL_RANGE)
		return 1;
	return ldexp(1, -Max(highest, -1000));
}

/* number_column writes out the numbers of a column's codes, in a unit. */
static double *
number_column(const SdcPairColumn *column, const uint32 *code, uint32 records, double unit)
{
	double	   *number = sdc_memory_array(records, sizeof(double));

	for (uint32 i = 0; i < records; i++)
		number[i] = sdc_pairs_value(column, code[i]) * unit;
	return number;
}

/* sdc_releaseloss_measure measures the information loss of the numeric attributes. */
void
sdc_releaseloss_measure(const SdcPairedRelease *paired, bool with_pil, SdcLoss *loss)
{
	const SdcPairs *pairs = &paired->pairs;
	const double **original = palloc(sizeof(double *) * Max(pairs->attributes, 1));
	const double **protected = palloc(sizeof(double *) * Max(pairs->attributes, 1));
	int			count = 0;

	for (int j = 0; j < pairs->attributes; j++)
		count += paired->kind[j] == SDC_VALUE_NUMBER;
	sdc_memory_expect(paired->memory + (uint64) count * 2 * pairs->records * sizeof(double) +
					  sdc_loss_memory(pairs->records, count), "measuring the information loss");
	count = 0;
	for (int j = 0; j < pairs->attributes; j++)
	{
		double		unit;

		if (paired->kind[j] != SDC_VALUE_NUMBER)
			continue;
		unit = column_unit(&pairs->column[j]);
		original[count] = number_column(&pairs->column[j], pairs->column[j].original,
										pairs->records, unit);
		protected[count++] = number_column(&pairs->column[j], pairs->column[j].protected,
										   pairs->records, unit);
	}
	sdc_loss_measure(original, protected, pairs->records, count, with_pil, loss);
	for (int j = 0; j < count; j++)
	{
		sdc_free((void *) original[j]);
		sdc_free((void *) protected[j]);
	}
}
