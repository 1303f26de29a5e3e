/*-------------------------------------------------------------------------
 *
 * test_stream.c
 *		The streams against golden values, and their distributions.
 *
 * golden.h was computed by golden.py with a ChaCha20 of its own, which it first
 * checks against the vectors of RFC 8439.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include "kernel/base/stream.h"

#pragma GCC diagnostic ignored "-Wunused-const-variable"
#include "golden.h"
#include "tap.h"

#define LENGTH(array) ((int) (sizeof(array) / sizeof((array)[0])))

static SdcStream *stream;
static uint8 master[SDC_MASTER_KEY_BYTES];

/* start_golden starts the stream of golden.py. */
static void
start_golden(void)
{
	CHECK(sdc_stream_start(stream, master, "rank-swap", "income", "draw",
						   7) == SDC_OK);
}

/* first_of is the first 64-bit word of a named stream. */
static uint64
first_of(const uint8 *key, const char *method, const char *attribute,
		 const char *purpose, uint64 stratum)
{
	CHECK(sdc_stream_start(stream, key, method, attribute, purpose,
						   stratum) == SDC_OK);
	return sdc_stream_next64(stream);
}

/* master_from_seed compares the master key. */
static void
master_from_seed(void)
{
	uint8		other[SDC_MASTER_KEY_BYTES];

	CHECK(sdc_stream_master_from_seed("golden", 6, master) == SDC_OK);
	CHECK(memcmp(master, golden_master, sizeof(master)) == 0);
	CHECK(sdc_stream_master_from_seed("golden", 5, other) == SDC_OK);
	CHECK(memcmp(master, other, sizeof(master)) != 0);
	CHECK(sdc_stream_master_from_seed("golden", 7, other) == SDC_OK);
	CHECK(memcmp(master, other, sizeof(master)) != 0);
}

/* golden_words compares 32-bit words, near and far. */
static void
golden_words(void)
{
	uint32		position = 0;

	start_golden();
	for (int i = 0; i < LENGTH(golden_first); i++)
		CHECKF(sdc_stream_next32(stream) == golden_first[i], "word %d", i);

	start_golden();
	for (int i = 0; i < LENGTH(golden_place); i++)
	{
		uint32		word = 0;

		for (; position <= golden_place[i]; position++)
			word = sdc_stream_next32(stream);
		CHECKF(word == golden_at_place[i], "word %u", golden_place[i]);
	}
	CHECK(sdc_stream_status(stream) == SDC_OK);
}

/* golden_words64 reads 64-bit words at odd places, across refills. */
static void
golden_words64(void)
{
	start_golden();
	sdc_stream_next32(stream);
	for (int i = 0; i < LENGTH(golden_odd64); i++)
		CHECKF(sdc_stream_next64(stream) == golden_odd64[i], "word %d", i);
}

/* golden_other_name uses an empty seed and method and bytes above 127. */
static void
golden_other_name(void)
{
	uint8		key[SDC_MASTER_KEY_BYTES];

	CHECK(sdc_stream_master_from_seed("", 0, key) == SDC_OK);
	CHECK(sdc_stream_start(stream, key, "", "gr\xC3\xB6\xC3\x9F" "e", "x",
						   UINT64_MAX) == SDC_OK);
	for (int i = 0; i < LENGTH(golden_other); i++)
		CHECKF(sdc_stream_next32(stream) == golden_other[i], "word %d", i);
}

/* golden_publication has the number of a publication behind the stratum. */
static void
golden_publication(void)
{
	CHECK(sdc_stream_restart(stream, master, "rank-swap", "income", "draw", 7,
								 (UINT64_C(1) << 40) + 3) == SDC_OK);
	for (int i = 0; i < LENGTH(golden_again); i++)
		CHECKF(sdc_stream_next32(stream) == golden_again[i], "word %d", i);
}

/* golden_draws compares bounded and real draws. */
static void
golden_draws(void)
{
	start_golden();
	for (int i = 0; i < LENGTH(golden_bound); i++)
		CHECKF(sdc_stream_below(stream, golden_bound[i]) == golden_below[i],
			   "draw %d below %u", i, golden_bound[i]);
	start_golden();
	for (int i = 0; i < LENGTH(golden_uniform); i++)
		CHECKF(sdc_stream_uniform(stream) == golden_uniform[i], "draw %d", i);
}

/* fill_is_next mixes both and compares with words one by one. */
static void
fill_is_next(void)
{
	static const Size piece[] = {0, 1, 5, 31, 32, 33, 1000, 1024, 3000, 1};
	static uint32 word[6000];
	static uint32 filled[6000];
	Size		n = 0;

	start_golden();
	for (int i = 0; i < 6000; i++)
		word[i] = sdc_stream_next32(stream);
	start_golden();
	for (int i = 0; i < LENGTH(piece); i++)
	{
		sdc_stream_fill32(stream, filled + n, piece[i]);
		n += piece[i];
		filled[n++] = sdc_stream_next32(stream);
	}
	CHECK(memcmp(word, filled, n * sizeof(uint32)) == 0);
}

/* restarts starts again after any number of words, also with other keys. */
static void
restarts(void)
{
	uint8		other[SDC_MASTER_KEY_BYTES];
	SdcStream  *second;

	CHECK(sdc_stream_master_from_seed("other", 5, other) == SDC_OK);
	for (int count = 0; count < 3000; count = count * 3 + 1)
	{
		start_golden();
		for (int i = 0; i < count; i++)
			sdc_stream_next32(stream);
		if (count % 2 == 0)
			(void) first_of(other, "a", "b", "c", 0);
		start_golden();
		CHECKF(sdc_stream_next32(stream) == golden_first[0], "after %d", count);
	}

	/* two streams do not disturb each other */
	CHECK(sdc_stream_create(&second) == SDC_OK);
	start_golden();
	CHECK(sdc_stream_start(second, master, "rank-swap", "income", "draw",
						   7) == SDC_OK);
	for (int i = 0; i < LENGTH(golden_first); i++)
	{
		CHECK(sdc_stream_next32(stream) == golden_first[i]);
		CHECK(sdc_stream_next32(second) == golden_first[i]);
	}
	sdc_stream_destroy(second);
}

/* names_differ changes each part of a name, and moves bytes between parts. */
static void
names_differ(void)
{
	uint8		other[SDC_MASTER_KEY_BYTES];
	uint64		first[11];
	int			n = 0;

	memcpy(other, master, sizeof(other));
	other[31] ^= 1;
	first[n++] = first_of(master, "m", "a", "p", 1);
	first[n++] = first_of(other, "m", "a", "p", 1);
	first[n++] = first_of(master, "n", "a", "p", 1);
	first[n++] = first_of(master, "m", "b", "p", 1);
	first[n++] = first_of(master, "m", "a", "q", 1);
	first[n++] = first_of(master, "m", "a", "p", 2);
	first[n++] = first_of(master, "m", "a", "p", UINT64_C(1) << 56);
	first[n++] = first_of(master, "ma", "", "p", 1);
	first[n++] = first_of(master, "", "ma", "p", 1);
	first[n++] = first_of(master, "m", "ap", "", 1);
	first[n++] = first_of(master, "m", "", "ap", 1);
	for (int i = 0; i < n; i++)
	{
		for (int j = 0; j < i; j++)
			CHECKF(first[i] != first[j], "names %d and %d", i, j);
	}
}

/* below_is_uniform tests small bounds cell by cell, large ones in 16 cells. */
static void
below_is_uniform(void)
{
	static const uint32 bounds[] = {2, 3, 5, 7, 10, 16, 100, 1000,
		(UINT32_C(1) << 31) + 1, UINT32_C(3) << 30, UINT32_MAX};
	const int	draws = 200000;

	for (int b = 0; b < LENGTH(bounds); b++)
	{
		static int	seen[1000];
		int			cells = bounds[b] <= 1000 ? (int) bounds[b] : 16;
		double		expected = (double) draws / cells;
		double		chi = 0;

		CHECK(sdc_stream_start(stream, master, "t", "below", "u",
							   (uint64) b) == SDC_OK);
		memset(seen, 0, sizeof(seen));
		for (int i = 0; i < draws; i++)
		{
			uint32		drawn = sdc_stream_below(stream, bounds[b]);

			CHECKF(drawn < bounds[b], "%u", drawn);
			seen[(uint64) drawn * (uint64) cells / bounds[b]]++;
		}
		for (int i = 0; i < cells; i++)
			chi += (seen[i] - expected) * (seen[i] - expected) / expected;
		CHECKF(chi < tap_chi_square_limit(cells - 1),
			   "bound %u, stratum %d: chi-square %g", bounds[b], b, chi);
	}
	for (int i = 0; i < 100; i++)
		CHECK(sdc_stream_below(stream, 1) == 0);
}

/* uniform_is_uniform tests range, mean, variance and 64 cells. */
static void
uniform_is_uniform(void)
{
	const int	draws = 500000;
	int			seen[64] = {0};
	double		chi = 0;
	double		sum = 0;
	double		squares = 0;

	CHECK(sdc_stream_start(stream, master, "t", "uniform", "u", 0) == SDC_OK);
	for (int i = 0; i < draws; i++)
	{
		double		u = sdc_stream_uniform(stream);

		CHECKF(u > 0 && u < 1, "%.17g", u);
		seen[(int) (64 * u)]++;
		sum += u - 0.5;
		squares += (u - 0.5) * (u - 0.5);
	}
	for (int i = 0; i < 64; i++)
		chi += pow(seen[i] - draws / 64.0, 2) / (draws / 64.0);
	CHECKF(chi < tap_chi_square_limit(63), "chi-square %g", chi);
	/* four standard deviations */
	CHECKF(fabs(sum / draws) < 4 * sqrt(1 / 12.0 / draws), "%g", sum / draws);
	CHECKF(fabs(squares / draws - 1 / 12.0) < 4 * sqrt(1 / 180.0 / draws),
		   "%g", squares / draws);
}

/* main runs the tests. */
int
main(void)
{
	if (sdc_stream_create(&stream) != SDC_OK)
	{
		printf("Bail out! libcrypto offers no ChaCha20 or HMAC\n");
		return 1;
	}
	RUN(master_from_seed);
	RUN(golden_words);
	RUN(golden_words64);
	RUN(golden_other_name);
	RUN(golden_publication);
	RUN(golden_draws);
	RUN(fill_is_next);
	RUN(restarts);
	RUN(names_differ);
	RUN(below_is_uniform);
	RUN(uniform_is_uniform);
	sdc_stream_destroy(stream);
	sdc_stream_destroy(NULL);
	return tap_done();
}
