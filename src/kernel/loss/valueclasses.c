/*-------------------------------------------------------------------------
 *
 * valueclasses.c
 *		A few classes of the values of a column, made from its release alone.
 *
 * What is said of distributions, correlations and counts is said of classes, so that nobody learns more of a value than
 * its class, from however many releases.  For that the classes of different releases of one source must be nearly
 * always the same.  Numbers are divided at round numbers of the binary system: an interval with more than its share of
 * the records at the roundest number between its least and its greatest released value, which other releases share.
 * A cut that would leave too few records on one side is not made, and the other side goes on to be divided.
 * Values that are no numbers have a class of their own where they are frequent.
 *
 * The definition is ours.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include <math.h>

#include "kernel/base/ordered.h"
#include "kernel/base/pairs.h"
#include "kernel/loss/valueclasses.h"

/* The work on one column. */
typedef struct Dividing
{
	const double *value;
	const uint64 *below;		/* below[c]: records with a code less than c */
	uint64		least;
	uint64		wanted;			/* an interval of no more records is not divided */
	uint32		cuts;
	uint32		cut[SDC_VALUE_CLASSES]; /* ascending: the first code behind each */
} Dividing;

/* roundest returns the multiple of the largest power of two that is above one number and not above another. */
static double
roundest(double low, double high)
{
	int			exponent;

	(void) frexp(fmax(fabs(low), fabs(high)), &exponent);
	for (;; exponent--)
	{
		double		unit = ldexp(1, exponent);
		double		multiple = unit > 0 ? unit * floor(high / unit) : high;

		if (multiple > low)
			return multiple;
	}
}

/* first_above returns the first code in front of which there are more records than so many. */
static uint32
first_above(const Dividing *dividing, uint32 first, uint32 end, uint64 records)
{
	SDC_BISECT(first, end, middle, dividing->below[middle] <= records);
	return first;
}

/* first_from returns the first code whose number is not below another. */
static uint32
first_from(const Dividing *dividing, uint32 first, uint32 end, double number)
{
	SDC_BISECT(first, end, middle, !(dividing->value[middle] >= number));
	return first;
}

/* divide divides the codes from first on, which are numbers, and notes the cuts. */
static void
divide(Dividing *dividing, uint32 first, uint32 end)
{
	const uint64 *below = dividing->below;

	while (below[end] - below[first] > dividing->wanted)
	{
		uint32		lowest = first_above(dividing, first, end, below[first]) - 1;
		uint32		highest = first_above(dividing, first, end, below[end] - 1) - 1;
		double		low = dividing->value[lowest];
		uint32		cut;

		SDC_CHECK_INTERRUPTS();
		if (!(dividing->value[highest] > low))
			return;
		cut = first_from(dividing, lowest, highest, roundest(low, dividing->value[highest]));
		if (below[cut] - below[first] < dividing->least)
			first = cut;
		else if (below[end] - below[cut] < dividing->least)
			end = cut;
		else
		{
			divide(dividing, first, cut);
			dividing->cut[dividing->cuts++] = cut;
			first = cut;
		}
	}
}

/* divide_numbers divides a column of numbers; codes that are none are at its ends. */
static void
divide_numbers(const uint64 *count, uint32 codes, const double *value, uint64 least, uint64 wanted,
			   SdcValueClasses *result)
{
	uint64	   *below = sdc_alloc_array(uint64, (Size) codes + 1);
	Dividing	dividing = {.value = value, .below = below, .least = least, .wanted = wanted};
	uint32		first = 0;
	uint32		end = codes;
	uint32		class = 0;

	below[0] = 0;
	for (uint32 c = 0; c < codes; c++)
	{
		sdc_interrupts_step(c);
		below[c + 1] = below[c] + count[c];
	}
	while (first < end && isnan(value[first]))
		sdc_interrupts_step(++first);
	while (end > first && isnan(value[end - 1]))
		sdc_interrupts_step(--end);
	divide(&dividing, first, end);
	for (uint32 c = 0; c < codes; c++)
	{
		sdc_interrupts_step(c);
		while (class < dividing.cuts && c >= dividing.cut[class])
			class++;
		result->of[c] = (uint8) class;
	}
	result->values = dividing.cuts + 1;
	sdc_free(below);
}

/* divide_others gives frequent values a class each, and all others one, which may be the last of these. */
static void
divide_others(const uint64 *count, uint32 codes, uint64 least, SdcValueClasses *result)
{
	uint64		others = 0;
	uint32		own = 0;

	for (uint32 c = 0; c < codes; c++)
	{
		sdc_interrupts_step(c);
		if (count[c] < least)
			others += count[c];
		else
			result->of[c] = (uint8) own++;
	}
	result->values = own == 0 || others >= least ? own + 1 : own;
	for (uint32 c = 0; c < codes; c++)
	{
		sdc_interrupts_step(c);
		if (count[c] < least)
			result->of[c] = (uint8) (result->values - 1);
	}
}

/* sdc_valueclasses_make: see valueclasses.h. */
void
sdc_valueclasses_make(const uint64 *count, uint32 codes, const double *value, uint64 least, SdcValueClasses *result)
{
	uint64		missing = count[codes];
	uint64		all = missing;

	result->of = sdc_alloc_array(uint8, (Size) codes + 1);
	for (uint32 c = 0; c < codes; c++)
	{
		sdc_interrupts_step(c);
		all += count[c];
		if (value != NULL && isnan(value[c]))
			missing += count[c];
	}
	if (least <= all / SDC_VALUE_CLASSES)
		least = all / SDC_VALUE_CLASSES + 1;
	if (value != NULL)
		divide_numbers(count, codes, value, least, all / SDC_VALUE_CLASSES_WANTED, result);
	else
		divide_others(count, codes, least, result);
	result->classes = result->values + (missing >= least ? 1 : 0);
	result->of[codes] = (uint8) (result->classes - 1);
	for (uint32 c = 0; value != NULL && c < codes; c++)
	{
		sdc_interrupts_step(c);
		if (isnan(value[c]))
			result->of[c] = result->of[codes];
	}
	SDC_ASSERT(result->classes <= SDC_VALUE_CLASSES);
}

/* sdc_valueclasses_count: see valueclasses.h. */
void
sdc_valueclasses_count(const SdcValueClasses *classes, const uint32 *code, uint32 codes, uint32 records,
					   uint32 count[SDC_VALUE_CLASSES])
{
	memset(count, 0, sizeof(uint32) * SDC_VALUE_CLASSES);
	for (uint32 i = 0; i < records; i++)
	{
		sdc_interrupts_step(i);
		count[classes->of[code[i] == SDC_CODE_NULL ? codes : code[i]]]++;
	}
}
