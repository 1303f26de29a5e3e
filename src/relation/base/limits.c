/*-------------------------------------------------------------------------
 *
 * limits.c
 *		Whether a measure keeps its limit, and how a message shows the two.
 *
 * Policies, assertions, sdc_sweep and sdc_publish compare by this, and by nothing else.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "relation/base/limits.h"
#include "relation/base/shortest.h"
#include "utils/builtins.h"
#include "utils/fmgrprotos.h"

/* Sums of shares are rounded: what is beyond its limit by no more than this part of that keeps it. */
#define TOLERANCE 1e-9

/* sdc_limits_keeps: see limits.h. */
bool
sdc_limits_keeps(double value, double bound, bool at_most)
{
	double		tolerance = TOLERANCE * fabs(bound);

	return at_most ? value <= bound + tolerance : value >= bound - tolerance;
}

/* compare orders two numbers: -1, 0 or 1. */
static int
compare(Numeric a, Numeric b)
{
	return DatumGetInt32(DirectFunctionCall2(numeric_cmp, NumericGetDatum(a), NumericGetDatum(b)));
}

/* sdc_limits_told_apart: see limits.h. */
char *
sdc_limits_told_apart(double value, double bound, int digits)
{
	Numeric		shown = sdc_shortest_float8(value);
	Numeric		limit = sdc_shortest_float8(bound);
	Numeric		rounded = DatumGetNumeric(DirectFunctionCall2(numeric_round, NumericGetDatum(shown),
															  Int32GetDatum(digits)));

	if (compare(rounded, limit) != compare(shown, limit))
		return sdc_shortest_text(value);
	return DatumGetCString(DirectFunctionCall1(numeric_out, NumericGetDatum(rounded)));
}
