/*-------------------------------------------------------------------------
 *
 * releaseloss.c
 *		The information loss of a release.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "measure/accuracy/releaseloss.h"
#include "relation/base/memory.h"

/* Fourth powers of numbers up to 2^200, and sums of many, are numbers too. */
#define USUAL_EXPONENT 200

/* Numbers of a column that lie apart by at most so many powers of two can share a unit. */
#define USUAL_RANGE 900

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

/* The numeric attributes, and the unit of each. */
typedef struct Numbers
{
	uint32		records;
	const SdcPairColumn **column;
	double	   *unit;
} Numbers;

/* number_column writes out the numbers of a column's codes, in its unit: SdcLossColumn. */
static void
number_column(void *arg, bool protected, int attribute, double *number)
{
	const Numbers *numbers = arg;
	const SdcPairColumn *column = numbers->column[attribute];
	const uint32 *code = protected ? column->protected : column->original;
	double		unit = numbers->unit[attribute];

	for (uint32 i = 0; i < numbers->records; i++)
		number[i] = sdc_pairs_value(column, code[i]) * unit;
	CHECK_FOR_INTERRUPTS();
}

/* sdc_releaseloss_measure measures the information loss of the numeric attributes. */
void
sdc_releaseloss_measure(const SdcPairedRelease *paired, bool with_pil, SdcLoss *loss)
{
	const SdcPairs *pairs = &paired->values;
	Numbers		numbers = {.records = pairs->records,
		.column = palloc(sizeof(SdcPairColumn *) * Max(pairs->attributes, 1)),
	.unit = palloc(sizeof(double) * Max(pairs->attributes, 1))};
	SdcLossTask task = {.column = number_column, .arg = &numbers, .records = pairs->records,
		.with_pil = with_pil && paired->weights.of[0] == NULL,
	.weight = {paired->weights.of[0], paired->weights.of[1]}};
	int			count = 0;

	for (int j = 0; j < pairs->attributes; j++)
	{
		if (paired->kind[j] != SDC_VALUE_NUMBER)
			continue;
		numbers.unit[count] = column_unit(&pairs->column[j]);
		numbers.column[count++] = &pairs->column[j];
	}
	task.attributes = count;
	sdc_loss_measure(&task, loss);
}
