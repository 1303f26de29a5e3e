/*-------------------------------------------------------------------------
 *
 * sortkey.h
 *		Order-preserving 64-bit keys for numbers.
 *
 * key(a) < key(b) exactly when PostgreSQL's btree order has a < b, and
 * key(a) = key(b) exactly when it has a = b: NaN equals NaN and is above
 * infinity, -0 equals 0.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_SORTKEY_H
#define SDC_KERNEL_SORTKEY_H

#include "kernel/base/kernel_env.h"

#define SDC_SORTKEY_SIGN UINT64_C(0x8000000000000000)

/* The key of every NaN: above that of infinity, 0xFFF0000000000000. */
#define SDC_SORTKEY_NAN UINT64_C(0xFFF8000000000000)

/*
 * sdc_sortkey_from_float8: the bits of an IEEE number, read as sign and
 * magnitude, have its order; setting the sign of a positive number and
 * complementing a negative one turns that into the order of unsigned numbers.
 */
static inline uint64
sdc_sortkey_from_float8(double value)
{
	uint64		bits;

	if (value != value)
		return SDC_SORTKEY_NAN;
	value += 0.0;				/* -0 becomes 0, nothing else changes */
	memcpy(&bits, &value, sizeof(bits));
	return (bits & SDC_SORTKEY_SIGN) ? ~bits : bits | SDC_SORTKEY_SIGN;
}

/* sdc_sortkey_from_int64 shifts the range so that the least is 0. */
static inline uint64
sdc_sortkey_from_int64(int64 value)
{
	return (uint64) value ^ SDC_SORTKEY_SIGN;
}

#endif							/* SDC_KERNEL_SORTKEY_H */
