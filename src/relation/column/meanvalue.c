/*-------------------------------------------------------------------------
 *
 * meanvalue.c
 *		The mean of values, as a value of their type.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "catalog/pg_type.h"
#include "relation/base/memory.h"
#include "relation/column/meanvalue.h"
#include "utils/builtins.h"
#include "utils/numeric.h"

#define NUMBER(whole) NumericGetDatum(int64_to_numeric(whole))

/* sdc_meanvalue_scale: see meanvalue.h. */
int
sdc_meanvalue_scale(const SdcType *type, int32 typmod)
{
	if (type->base != NUMERICOID || typmod < (int32) VARHDRSZ)
		return SDC_MEANVALUE_ANY_SCALE;
	/* eleven bits with a sign */
	return (((typmod - VARHDRSZ) & 0x7FF) ^ 1024) - 1024;
}

/* sdc_meanvalue_is_for: see meanvalue.h. */
bool
sdc_meanvalue_is_for(const SdcType *type)
{
	return type->kind != SDC_VALUE_NOMINAL && (type->base == NUMERICOID || type->key != SDC_KEY_NONE);
}

/* sdc_meanvalue_begin: see meanvalue.h. */
void
sdc_meanvalue_begin(SdcMeanValue *mean, const SdcType *type, int32 typmod)
{
	memset(mean, 0, sizeof(SdcMeanValue));
	mean->type = type;
	mean->scale = sdc_meanvalue_scale(type, typmod);
	mean->most = PG_INT32_MIN;
	if (type->base == NUMERICOID)
		mean->decimal = NUMBER(0);
}

/* sdc_meanvalue_add: see meanvalue.h. */
void
sdc_meanvalue_add(SdcMeanValue *mean, Datum value, uint64 records)
{
	mean->count += records;
	if (sdc_type_is_binary(mean->type))
	{
		double		number = sdc_type_number(mean->type, value);

		for (uint64 r = 0; r < records; r++)
		{
			sdc_interrupts_step(r);
			sdc_moments_add(&mean->binary, number);
		}
	}
	else if (mean->type->base == NUMERICOID)
	{
		int			scale = DatumGetInt32(DirectFunctionCall1(numeric_scale, value));

		mean->most = Max(mean->most, scale);
		if (records > 1)
			value = DirectFunctionCall2(numeric_mul, value, NUMBER((int64) records));
		mean->decimal = DirectFunctionCall2(numeric_add, mean->decimal, value);
	}
	else
		mean->whole += (int128) sdc_type_word(mean->type, value) * records;
}

/* whole_mean returns the mean of whole numbers, dates or times. */
static Datum
whole_mean(const SdcMeanValue *mean)
{
	int128		count = mean->count;
	int128		sum = mean->whole;
	int64		rounded = (int64) (sum < 0 ? -((-2 * sum + count) / (2 * count)) : (2 * sum + count) / (2 * count));

	switch (mean->type->typlen)
	{
		case 2:
			return Int16GetDatum((int16) rounded);
		case 4:
			return Int32GetDatum((int32) rounded);
		default:
			return Int64GetDatum(rounded);
	}
}

/* power_of_ten returns a power of ten. */
static Datum
power_of_ten(int exponent)
{
	return DirectFunctionCall3(numeric_in, CStringGetDatum(psprintf("1e%d", exponent)), ObjectIdGetDatum(InvalidOid),
							   Int32GetDatum(-1));
}

/* decimal_mean returns the mean of decimal numbers; nothing is rounded before. */
static Datum
decimal_mean(const SdcMeanValue *mean)
{
	int			scale = mean->scale == SDC_MEANVALUE_ANY_SCALE ? mean->most : mean->scale;
	Datum		count = NUMBER((int64) mean->count);
	Datum		twice;

	twice = DirectFunctionCall2(numeric_mul, DirectFunctionCall2(numeric_mul, mean->decimal, power_of_ten(scale)),
								NUMBER(2));
	count = DirectFunctionCall2(numeric_mul, count, DirectFunctionCall1(numeric_sign, mean->decimal));
	if (DatumGetInt32(DirectFunctionCall2(numeric_cmp, mean->decimal, NUMBER(0))) == 0)
		return DirectFunctionCall2(numeric_round, mean->decimal, Int32GetDatum(scale));
	twice = DirectFunctionCall2(numeric_div_trunc, DirectFunctionCall2(numeric_add, twice, count),
								NUMBER(2 * (int64) mean->count));
	return DirectFunctionCall2(numeric_round, DirectFunctionCall2(numeric_mul, twice, power_of_ten(-scale)),
							   Int32GetDatum(scale));
}

/* sdc_meanvalue_end: see meanvalue.h. */
bool
sdc_meanvalue_end(const SdcMeanValue *mean, Datum *value)
{
	if (sdc_type_is_binary(mean->type))
	{
		double		number = sdc_moments_total(&mean->binary) / (double) mean->count;

		*value = mean->type->base == FLOAT4OID ? Float4GetDatum((float4) number) : Float8GetDatum(number);
		return isfinite(number);
	}
	*value = mean->type->base == NUMERICOID ? decimal_mean(mean) : whole_mean(mean);
	return true;
}
