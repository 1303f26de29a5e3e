/*-------------------------------------------------------------------------
 *
 * test_entropy.c
 *		Entropy against the definition in long double, and the sort of words below it.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include <math.h>

#include "kernel/base/wordsort.h"
#include "kernel/groups/entropy.h"

#include "random.h"
#include "tap.h"

#define MAX_VALUES 20000

static uint64 count[MAX_VALUES];

/* near compares with a relative tolerance. */
static bool
near(double a, double b, double tolerance)
{
	return a == b || fabs(a - b) <= tolerance * fmax(fabs(a), fabs(b));
}

/* reference adds the terms in the order of the counts, with log1p where P is near 1. */
static double
reference(uint32 values)
{
	long double total = 0;
	long double sum = 0;

	for (uint32 i = 0; i < values; i++)
		total += count[i];
	for (uint32 i = 0; i < values; i++)
		if (count[i] > 0)
			sum -= count[i] / total * log1pl((count[i] - total) / total);
	return (double) sum;
}

/* shuffle permutes the counts. */
static void
shuffle(uint32 values)
{
	for (uint32 i = values; i > 1; i--)
	{
		uint32		other = pick(i);
		uint64		held = count[i - 1];

		count[i - 1] = count[other];
		count[other] = held;
	}
}

/* Entropies are right to the last digits, and do not depend on the order to the last bit. */
static void
entropy_agrees(void)
{
	static const uint32 values[] = {2, 3, 14, 41, 1000, MAX_VALUES};
	static const uint64 scale[] = {1, 2, 100, 1 << 20, UINT64_C(1) << 40};

	random_state = 1;
	for (int v = 0; v < 6; v++)
	{
		for (int s = 0; s < 5; s++)
		{
			double		entropy;

			for (uint32 i = 0; i < values[v]; i++)
				count[i] = 1 + random64() % scale[s] / (1 + pick(1000));
			entropy = sdc_entropy_of_counts(count, values[v]);
			CHECKF(near(entropy, reference(values[v]), 1e-14), "%u values, scale %g: %.17g",
				   values[v], (double) scale[s], entropy);
			for (int i = 0; i < 3; i++)
			{
				shuffle(values[v]);
				CHECK(sdc_entropy_of_counts(count, values[v]) == entropy);
			}
		}
	}
}

/* A constant attribute has entropy 0, equal counts ln J, counts of 0 make no difference. */
static void
entropy_has_ends(void)
{
	uint64		zeros[] = {0, 7, 0, 0, 21, 0};
	uint64		kept[] = {7, 21};
	uint64		rare[] = {1, UINT64_C(3000000000000000)};
	uint64		single[] = {0, 12, 0};

	CHECK(sdc_entropy_of_counts(NULL, 0) == 0);
	CHECK(sdc_entropy_of_counts(kept, 1) == 0);
	CHECK(sdc_entropy_of_counts(single, 3) == 0 && !signbit(sdc_entropy_of_counts(single, 3)));
	CHECK(sdc_entropy_of_counts(single + 2, 1) == 0);
	CHECK(sdc_entropy_of_counts(zeros, 6) == sdc_entropy_of_counts(kept, 2));
	for (uint32 i = 0; i < MAX_VALUES; i++)
		count[i] = 3;
	for (uint32 n = 2; n <= MAX_VALUES; n = n * 3 + 1)
		CHECK(near(sdc_entropy_of_counts(count, n), log(n), 1e-15));
	/* -ln P of the large one is nearly 1 - P, which is lost if P is rounded first */
	CHECK(near(sdc_entropy_of_counts(rare, 2), (log(3e15) + 1) / 3e15, 1e-13));
}

/* tally_is_known: of 1, 1, 2, 2 and 2 in 8 the entropy is 2 / 8 ln 8 + 6 / 8 ln 4, in whatever form they come. */
static void
tally_is_known(void)
{
	static const uint64 count[] = {1, 2};
	static const uint64 values[] = {2, 3};
	static const uint64 all[] = {2, 1, 2, 1, 2};
	double		entropy = sdc_entropy_of_tally(count, values, 2);

	CHECKF(near(entropy, 2.25 * log(2), 1e-15), "%.17g", entropy);
	CHECK(entropy == sdc_entropy_of_counts(all, 5));
	CHECK(sdc_entropy_of_tally(count, values, 0) == 0);
	CHECK(sdc_entropy_of_tally(count + 1, count, 1) == 0);
	CHECK(near(sdc_entropy_of_tally(count, count + 1, 1), log(2), 1e-15));
}

/* The optimal probabilities are proportional to exp(H), and nothing has more anonymity. */
static void
optimal_is_optimal(void)
{
	double		entropy[6];
	double		best[6];
	double		other[6];

	random_state = 2;
	for (int round = 0; round < 200; round++)
	{
		int			m = 1 + (int) pick(6);
		double		sum = 0;
		double		largest = 0;
		double		direct = 0;
		double		anonymity;

		for (int i = 0; i < m; i++)
		{
			entropy[i] = pick(4) == 0 ? 0 : pick(1000) / 150.0;
			largest += exp(entropy[i]);
		}
		sdc_entropy_optimal(entropy, m, best);
		anonymity = sdc_entropy_anonymity(entropy, best, m);
		/* at the optimum, it is the sum of the diversities */
		CHECKF(near(anonymity, largest, 1e-13), "%.17g %.17g", anonymity, largest);
		for (int i = 0; i < m; i++)
		{
			CHECK(near(best[i], exp(entropy[i]) / largest, 1e-14));
			other[i] = pick(3) == 0 ? 0 : 1 + pick(100);
			sum += other[i];
		}
		if (sum == 0)
			continue;
		for (int i = 0; i < m; i++)
		{
			other[i] /= sum;
			if (other[i] > 0)
				direct += other[i] * (entropy[i] - log(other[i]));
		}
		CHECK(near(sdc_entropy_anonymity(entropy, other, m), exp(direct), 1e-13));
		CHECK(sdc_entropy_anonymity(entropy, other, m) <= anonymity * (1 + 1e-13));
	}
}

/*
 * Uniform probabilities: m times the geometric mean of the diversities.  Large entropies do not
 * overflow.
 */
static void
anonymity_of_uniform_is_known(void)
{
	double		entropy[] = {0.5, 1.5, 2.5, 3.5};
	double		large[] = {5000, 5000};
	double		probability[4] = {0.25, 0.25, 0.25, 0.25};
	double		one = 1;

	CHECK(near(sdc_entropy_anonymity(entropy, probability, 4), 4 * exp(2), 1e-14));
	CHECK(near(sdc_entropy_anonymity(entropy, &one, 1), exp(0.5), 1e-15));
	/* six pairs of four, of the mean entropy 4 */
	CHECK(near(sdc_entropy_anonymity_drawn(entropy, 4, 2), 6 * exp(4), 1e-14));
	CHECK(near(sdc_entropy_anonymity_drawn(entropy, 4, 1), 4 * exp(2), 1e-14));
	CHECK(near(sdc_entropy_anonymity_drawn(entropy, 4, 4), exp(8), 1e-14));
	sdc_entropy_optimal(large, 2, probability);
	CHECK(probability[0] == 0.5 && probability[1] == 0.5);
	sdc_entropy_optimal(entropy, 1, probability);
	CHECK(probability[0] == 1);
}

/* optimal_of computes the optimal probabilities of some columns of codes. */
static void
optimal_of(uint32 column[4][600], uint32 records, double *probability)
{
	double		entropy[4];

	for (int j = 0; j < 4; j++)
	{
		memset(count, 0, 600 * sizeof(uint64));
		for (uint32 i = 0; i < records; i++)
			count[column[j][i]]++;
		entropy[j] = sdc_entropy_of_counts(count, 600);
	}
	sdc_entropy_optimal(entropy, 4, probability);
}

/*
 * Coarse probabilities are near the exact ones and sum to 1, and a record that is replaced moves them by a step at
 * most.
 */
static void
coarse_shows_no_record(void)
{
	static uint32 column[4][600];
	uint32		moved = 0;
	uint32		told = 0;
	double		half[2] = {0.5, 0.5};
	double		coarse[4];

	for (int turn = 0; turn < 60; turn++)
	{
		uint32		records;
		double		exact[4];
		double		step;
		double		sum = 0;

		random_state = (uint64) turn;
		records = 30 + pick(571);
		for (int j = 0; j < 4; j++)
		{
			uint32		codes = 1 + pick(j == 0 ? records : 12);

			for (uint32 i = 0; i < records; i++)
				column[j][i] = pick(1 + pick(codes));
		}
		optimal_of(column, records, exact);
		step = sdc_entropy_coarse(exact, 4, records, coarse);
		for (int j = 0; j < 4 && step <= 0.1; j++)
		{
			CHECK(fabs(coarse[j] - exact[j]) < step && fabs(coarse[j] / step - round(coarse[j] / step)) < 1e-6);
			sum += coarse[j];
		}
		CHECK(step > 0.1 || fabs(sum - 1) < 1e-9);
		for (uint32 i = 0; i < records; i += 7)
		{
			uint32		own[4];
			double		other[4];
			double		other_step;

			for (int j = 0; j < 4; j++)
			{
				own[j] = column[j][i];
				/* a value of its own, or that of somebody else */
				column[j][i] = pick(3) == 0 ? 599 : column[j][pick(records)];
			}
			optimal_of(column, records, exact);
			other_step = sdc_entropy_coarse(exact, 4, records, other);
			for (int j = 0; j < 4; j++)
			{
				column[j][i] = own[j];
				if (step > 0.1 || other_step > 0.1)
					continue;
				told++;
				moved += coarse[j] != other[j];
				CHECKF(fabs(coarse[j] - other[j]) <= fmax(step, other_step) + 1e-9, "turn %d, record %u", turn, i);
			}
		}
	}
	CHECKF(moved > 0 && told > 5000 && moved < told / 5, "%u of %u moved", moved, told);
	/* of a thousand: 2 (1 + ln 1000) / 1000 is 0.0158, times 1/4 is 0.00398; of ten nothing is told */
	CHECK(sdc_entropy_coarse(half, 2, 1000, coarse) == 0.005 && coarse[0] == 0.5 && coarse[1] == 0.5);
	CHECK(sdc_entropy_coarse(half, 2, 10, coarse) > 0.1 && sdc_entropy_coarse(half, 2, 0, coarse) > 0.1);
}

/* sorted_by checks that words are ascending in their bits, and stable in the bits below. */
static void
sorted_by(uint64 *word, uint64 *spare, uint64 n, int from, int bits)
{
	uint64		mask = bits == 0 ? 0 : (~UINT64_C(0) >> (64 - bits)) << from;
	uint64		sum = 0;
	uint64	   *sorted;

	for (uint64 i = 0; i < n; i++)
	{
		/* bits below number the words, as far as there are such; bits above are anything */
		word[i] = from >= 16 ? (random64() & ~UINT64_C(0xFFFF)) | i : random64();
		sum += word[i] * word[i];
	}
	sorted = sdc_wordsort(word, spare, n, from, bits);
	for (uint64 i = 0; i < n; i++)
	{
		sum -= sorted[i] * sorted[i];
		if (i == 0)
			continue;
		CHECKF((sorted[i - 1] & mask) <= (sorted[i] & mask), "%u of %u, bits %d from %d",
			   (unsigned) i, (unsigned) n, bits, from);
		if (from >= 16)
			CHECKF((sorted[i - 1] & mask) < (sorted[i] & mask) ||
				   (sorted[i - 1] & 0xFFFF) < (sorted[i] & 0xFFFF), "%u of %u is not stable",
				   (unsigned) i, (unsigned) n);
	}
	CHECK(sum == 0);
}

/* Words of all sizes are sorted by all sorts of bits. */
static void
words_are_sorted(void)
{
	static const uint64 sizes[] = {0, 1, 2, 3, 39, 40, 41, 42, 500, 5000};
	uint64	   *word = sdc_alloc(5000 * sizeof(uint64));
	uint64	   *spare = sdc_alloc(5000 * sizeof(uint64));

	random_state = 3;
	for (int s = 0; s < 10; s++)
	{
		for (int bits = 0; bits <= 64; bits++)
		{
			sorted_by(word, spare, sizes[s], 0, bits);
			if (bits <= 32)
				sorted_by(word, spare, sizes[s], 32, bits);
			if (bits <= 48)
				sorted_by(word, spare, sizes[s], 16, bits);
		}
	}
	sdc_free(word);
	sdc_free(spare);
	CHECK(sdc_wordsort_width(0) == 0 && sdc_wordsort_width(1) == 1);
	CHECK(sdc_wordsort_width(255) == 8 && sdc_wordsort_width(256) == 9);
	CHECK(sdc_wordsort_width(UINT64_MAX) == 64);
}

int
main(void)
{
	RUN(entropy_agrees);
	RUN(entropy_has_ends);
	RUN(tally_is_known);
	RUN(optimal_is_optimal);
	RUN(anonymity_of_uniform_is_known);
	RUN(coarse_shows_no_record);
	RUN(words_are_sorted);
	return tap_done();
}
