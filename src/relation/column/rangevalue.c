/*-------------------------------------------------------------------------
 *
 * rangevalue.c
 *		Values as ends of ranges: the types of ranges that columns are generalized to.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "common/shortest_dec.h"
#include "relation/base/compat.h"
#include "relation/base/shortest.h"
#include "relation/column/rangevalue.h"
#include "relation/column/types.h"
#include "utils/builtins.h"
#include "utils/cash.h"
#include "utils/date.h"
#include "utils/lsyscache.h"
#include "utils/numeric.h"
#include "utils/timestamp.h"

/* The last date that a range of dates can end before. */
#define DATE_LAST (DATE_END_JULIAN - POSTGRES_EPOCH_JDATE - 1)

/* sdc_rangevalue_fits: all integers fit into numeric, and short ones into long ones. */
bool
sdc_rangevalue_fits(Oid base, Oid subtype)
{
	subtype = getBaseType(subtype);
	if (base == subtype)
		return true;
	switch (base)
	{
		case INT2OID:
			return subtype == INT4OID || subtype == INT8OID || subtype == NUMERICOID;
		case INT4OID:
			return subtype == INT8OID || subtype == NUMERICOID;
		case INT8OID:
		case FLOAT4OID:
		case FLOAT8OID:
		case CASHOID:
			return subtype == NUMERICOID;
		default:
			return false;
	}
}

/* sdc_rangevalue_of: see rangevalue.h. */
Datum
sdc_rangevalue_of(Oid base, Datum value, Oid subtype)
{
	int64		whole;

	subtype = getBaseType(subtype);
	switch (base)
	{
		case INT2OID:
			whole = DatumGetInt16(value);
			break;
		case INT4OID:
			whole = DatumGetInt32(value);
			break;
		case INT8OID:
			whole = DatumGetInt64(value);
			break;
		case FLOAT4OID:
			return subtype == base ? value : NumericGetDatum(sdc_shortest_float4(DatumGetFloat4(value)));
		case FLOAT8OID:
			return subtype == base ? value : NumericGetDatum(sdc_shortest_float8(DatumGetFloat8(value)));
		case CASHOID:
			return subtype == base ? value : DirectFunctionCall1(cash_numeric, value);
		default:
			return value;
	}
	if (subtype == NUMERICOID)
		return NumericGetDatum(int64_to_numeric(whole));
	if (subtype == INT8OID)
		return Int64GetDatum(whole);
	return subtype == INT4OID ? Int32GetDatum((int32) whole) : value;
}

/* sdc_rangevalue_own: see rangevalue.h. */
Datum
sdc_rangevalue_own(Oid base, Datum value)
{
	return sdc_rangevalue_of(base, value, get_range_subtype(sdc_type_known(base)->range));
}

/* sdc_rangevalue_is_last: see rangevalue.h. */
bool
sdc_rangevalue_is_last(Oid base, Datum value)
{
	switch (base)
	{
		case INT4OID:
			return DatumGetInt32(value) == PG_INT32_MAX;
		case INT8OID:
			return DatumGetInt64(value) == PG_INT64_MAX;
		case DATEOID:
			return DatumGetDateADT(value) == DATE_LAST;
		default:
			return false;
	}
}

/* compare_words compares two numbers. */
static int
compare_words(int64 a, int64 b)
{
	return a < b ? -1 : a > b;
}

/* sdc_rangevalue_compare: see rangevalue.h. */
int
sdc_rangevalue_compare(Oid base, Datum a, Datum b)
{
	switch (sdc_type_known(base)->range)
	{
		case INT4RANGEOID:
			return compare_words(DatumGetInt32(a), DatumGetInt32(b));
		case DATERANGEOID:
			return compare_words(DatumGetDateADT(a), DatumGetDateADT(b));
		case NUMRANGEOID:
			return DatumGetInt32(DirectFunctionCall2(numeric_cmp, a, b));
		default:
			return compare_words(DatumGetInt64(a), DatumGetInt64(b));
	}
}

/* range_bound turns a value into a bound of a range over a type that includes it. */
static RangeBound
range_bound(Oid base, Datum value, Oid subtype, bool lower)
{
	/* a range of integers is kept with an excluded end, which the last one has none for */
	bool		infinite = !lower && sdc_rangevalue_is_last(base, value);
	RangeBound	bound = {sdc_rangevalue_of(base, value, subtype), infinite, true, lower};

	return bound;
}

/* sdc_rangevalue_range: see rangevalue.h. */
RangeType *
sdc_rangevalue_range(TypeCacheEntry *range, Oid base, Datum least, Datum greatest)
{
	RangeBound	lower = range_bound(base, least, range->rngelemtype->type_id, true);
	RangeBound	upper = range_bound(base, greatest, range->rngelemtype->type_id, false);

	return sdc_make_range(range, &lower, &upper);
}
