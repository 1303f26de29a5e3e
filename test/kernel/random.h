/*-------------------------------------------------------------------------
 *
 * random.h
 *		A generator of the tests' own: repeatable, and good enough to make cases.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_TEST_RANDOM_H
#define SDC_TEST_RANDOM_H

static uint64 random_state = 1;

/* random64 is S. Vigna's splitmix64. */
static inline uint64
random64(void)
{
	uint64		z = (random_state += UINT64_C(0x9E3779B97F4A7C15));

	z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
	return z ^ (z >> 31);
}

/* pick draws below bound. */
static inline uint32
pick(uint32 bound)
{
	return (uint32) (((random64() >> 32) * bound) >> 32);
}

/* uniform draws from [0, 1). */
static inline double
uniform(void)
{
	return (double) (random64() >> 11) * 0x1p-53;
}

#endif							/* SDC_TEST_RANDOM_H */
