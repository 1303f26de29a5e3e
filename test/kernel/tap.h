/*-------------------------------------------------------------------------
 *
 * tap.h
 *		A tiny test framework: named tests, checks, output as TAP.
 *
 * A test is a function without arguments that is run with RUN(function).  In
 * it, CHECK(condition) and CHECKF(condition, format, ...) note a failure and
 * go on; the first few of a test are explained.  main ends with "return
 * tap_done();", which is not 0 if a test failed.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_TEST_TAP_H
#define SDC_TEST_TAP_H

#include <math.h>
#include <stdio.h>

/*
 * Rounds of random cases: all in a long run (make check LONG=yes), half of them ordinarily, and an eighth of them where
 * kernels run once more without their special instructions.
 */
#if defined(SDC_LONG)
#define ROUNDS(n) (n)
#elif defined(SDC_KERNEL_PORTABLE)
#define ROUNDS(n) ((n) / 8)
#else
#define ROUNDS(n) ((n) / 2)
#endif

/* Explained failures of one test. */
#define TAP_EXPLAINED 5

static int	tap_tests = 0;
static int	tap_failed_tests = 0;
static long tap_failures = 0;	/* of the running test */

#define RUN(test) \
	do { \
		tap_failures = 0; \
		test(); \
		tap_tests++; \
		if (tap_failures > 0) \
			tap_failed_tests++; \
		printf("%s %d - %s\n", tap_failures > 0 ? "not ok" : "ok", \
			   tap_tests, #test); \
		fflush(stdout); \
	} while (0)

#define CHECKF(condition, ...) \
	do { \
		if (!(condition)) \
		{ \
			if (tap_failures++ < TAP_EXPLAINED) \
			{ \
				printf("# %s:%d: %s: ", __FILE__, __LINE__, #condition); \
				printf(__VA_ARGS__); \
				printf("\n"); \
			} \
		} \
	} while (0)

#define CHECK(condition) CHECKF(condition, "failed")

/* tap_done prints the plan. */
static inline int
tap_done(void)
{
	printf("1..%d\n", tap_tests);
	return tap_failed_tests > 0;
}

/*
 * tap_chi_square_limit is about the quantile of the chi-square distribution
 * that a sound generator exceeds once in 10,000 tests (E. B. Wilson and M. M.
 * Hilferty, 1931).  The seeds are fixed: a test that passes goes on passing.
 */
static inline double
tap_chi_square_limit(int degrees)
{
	double		t = 2.0 / (9.0 * degrees);

	return degrees * pow(1 - t + 3.72 * sqrt(t), 3);
}

#endif							/* SDC_TEST_TAP_H */
