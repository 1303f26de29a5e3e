/*-------------------------------------------------------------------------
 *
 * shortest.h
 *		Binary numbers as decimal ones.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_RELATION_SHORTEST_H
#define SDC_RELATION_SHORTEST_H

#include "utils/numeric.h"

/*
 * sdc_shortest_float4 and sdc_shortest_float8 return the decimal number of the fewest digits that
 * stands for a binary one and for no other.  In ranges of generalized columns binary numbers are
 * these.  In the same order as the numbers themselves.
 */
extern Numeric sdc_shortest_float4(float4 number);
extern Numeric sdc_shortest_float8(float8 number);

/* sdc_shortest_text returns this decimal number as text, for what is kept: parameters of a method. */
extern char *sdc_shortest_text(float8 number);

#endif							/* SDC_RELATION_SHORTEST_H */
