/*-------------------------------------------------------------------------
 *
 * shortest.c
 *		Binary numbers as decimal ones.
 *
 * There are no ranges of binary numbers, so generalization makes ranges of decimal ones.  The cast
 * of the server keeps 6 or 15 digits, which are up to some thousand binary numbers; the text of a
 * binary number depends on the setting extra_float_digits.  Here nothing does.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "common/shortest_dec.h"
#include "relation/base/shortest.h"
#include "utils/builtins.h"

/* numeric_of reads the text of a number, which may be infinite or NaN. */
static Numeric
numeric_of(char *text)
{
	return DatumGetNumeric(DirectFunctionCall3(numeric_in, CStringGetDatum(text),
											   ObjectIdGetDatum(InvalidOid), Int32GetDatum(-1)));
}

/* sdc_shortest_float4: see shortest.h. */
Numeric
sdc_shortest_float4(float4 number)
{
	char		text[FLOAT_SHORTEST_DECIMAL_LEN];

	float_to_shortest_decimal_buf(number, text);
	return numeric_of(text);
}

/* sdc_shortest_float8: see shortest.h. */
Numeric
sdc_shortest_float8(float8 number)
{
	char		text[DOUBLE_SHORTEST_DECIMAL_LEN];

	double_to_shortest_decimal_buf(number, text);
	return numeric_of(text);
}

/* sdc_shortest_text: see shortest.h. */
char *
sdc_shortest_text(float8 number)
{
	char	   *text = palloc(DOUBLE_SHORTEST_DECIMAL_LEN);

	double_to_shortest_decimal_buf(number, text);
	return text;
}
