/*-------------------------------------------------------------------------
 *
 * limits.h
 *		Whether a measure keeps its limit, and how a message shows the two.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_RELATION_LIMITS_H
#define SDC_RELATION_LIMITS_H

/* The SQLSTATE of a release that misses a limit: SD001. */
#define SDC_ERRCODE_LIMIT MAKE_SQLSTATE('S', 'D', '0', '0', '1')

/* sdc_limits_keeps tells whether a measure is at most, or at least, its limit.  NAN is neither: it is not defined. */
extern bool sdc_limits_keeps(double value, double bound, bool at_most);

/*
 * sdc_limits_told_apart returns a measure as a message shows it beside its limit: rounded to so many digits behind the
 * point, if what is left of it is still on the same side of the limit; otherwise with all its digits.
 */
extern char *sdc_limits_told_apart(double value, double bound, int digits);

#endif							/* SDC_RELATION_LIMITS_H */
