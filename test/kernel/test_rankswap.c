/*-------------------------------------------------------------------------
 *
 * test_rankswap.c
 *		Rank swapping: golden pairs, properties, references, distributions.
 *
 * Four kinds of tests of the same three kernels:
 *
 *	- golden pairs of golden.py;
 *	- what every run must satisfy, over many sizes, parameters and seeds;
 *	- equality with references that list the candidates of every position and
 *	  know nothing of the set;
 *	- chi-square tests of what is drawn, against probabilities that are
 *	  computed from the definition of the method.
 *
 * All seeds are fixed; a failure prints the parameters and the stratum, which
 * is the seed.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include "kernel/rank/rankswap.h"

#pragma GCC diagnostic ignored "-Wunused-const-variable"
#include "golden.h"
#include "tap.h"

#define MAX_N 200000
#define NOBODY UINT32_MAX
#define LENGTH(array) ((uint32) (sizeof(array) / sizeof((array)[0])))

static SdcStream *stream;
static uint8 master[SDC_MASTER_KEY_BYTES];

/* What a run emitted. */
typedef struct Pairs
{
	uint32		n;				/* positions of the run */
	uint32		count;
	uint32		a[MAX_N / 2];
	uint32		b[MAX_N / 2];
	uint32		mate[MAX_N];	/* the partner of a position, or NOBODY */
} Pairs;

static Pairs got;
static Pairs expected;

/* A method with its parameters. */
typedef struct Setting
{
	enum
	{
		STANDARD, DISTRIBUTION, BUCKETS
	}			method;
	uint32		parameter;		/* window or buckets */
	double		mu;
	double		sigma;
	const SdcBucketWeights *weights;
} Setting;

/* describe prints a setting for a message. */
static const char *
describe(const Setting *s, uint32 n, uint64 stratum)
{
	static char text[200];

	if (s->method == DISTRIBUTION)
		snprintf(text, sizeof(text), "distribution %g %g, n %u, stratum %u",
				 s->mu, s->sigma, n, (unsigned) stratum);
	else
		snprintf(text, sizeof(text), "%s %u, n %u, stratum %u",
				 s->method == STANDARD ? "standard" : "buckets",
				 s->parameter, n, (unsigned) stratum);
	return text;
}

/* start places the stream; the stratum is the seed of a test. */
static void
start(uint64 stratum)
{
	CHECK(sdc_stream_start(stream, master, "test", "column", "draw",
						   stratum) == SDC_OK);
}

/* clear_pairs begins a collection. */
static void
clear_pairs(Pairs *pairs, uint32 n)
{
	pairs->n = n;
	pairs->count = 0;
	for (uint32 i = 0; i < n; i++)
		pairs->mate[i] = NOBODY;
}

/*
 * collect is the emit function.  It checks what it may be given: a < b < n, a
 * ascending, nobody twice.
 */
static void
collect(void *arg, uint32 a, uint32 b)
{
	Pairs	   *pairs = arg;

	CHECKF(a < b && b < pairs->n, "pair %u, %u of %u", a, b, pairs->n);
	if (!(a < b && b < pairs->n) || pairs->count >= MAX_N / 2)
		return;
	CHECKF(pairs->count == 0 || pairs->a[pairs->count - 1] < a,
		   "%u is not ascending", a);
	CHECKF(pairs->mate[a] == NOBODY, "%u is swapped twice", a);
	CHECKF(pairs->mate[b] == NOBODY, "%u is swapped twice", b);
	pairs->mate[a] = b;
	pairs->mate[b] = a;
	pairs->a[pairs->count] = a;
	pairs->b[pairs->count] = b;
	pairs->count++;
}

/* run_kernel runs a setting on a started stream; the set is larger than n. */
static void
run_kernel(const Setting *s, uint32 n, SdcPositionSet *set, Pairs *pairs)
{
	SdcSwapRun	run = {.n = n, .stream = stream, .unswapped = set,
	.emit = collect, .arg = pairs};

	clear_pairs(pairs, n);
	if (s->method == STANDARD)
		sdc_rankswap_by_window(&run, s->parameter);
	else if (s->method == DISTRIBUTION)
		sdc_rankswap_by_distribution(&run, s->mu, s->sigma);
	else
		sdc_rankswap_by_buckets(&run, s->parameter, s->weights);
}

/* run_setting starts the stream and runs on a set of just the right size. */
static void
run_setting(const Setting *s, uint32 n, uint64 stratum, Pairs *pairs)
{
	SdcPositionSet *set = sdc_positionset_create(n);

	start(stratum);
	run_kernel(s, n, set, pairs);
	sdc_positionset_destroy(set);
}

/* ---- references ---- */

/* normal_below is the distribution function, in long double. */
static long double
normal_below(long double z)
{
	return 0.5L * erfcl(-z / sqrtl(2.0L));
}

/* quantile inverts it by bisection. */
static long double
quantile(long double p)
{
	long double low = -40;
	long double high = 40;

	for (int i = 0; i < 80; i++)
	{
		long double middle = (low + high) / 2;

		if (normal_below(middle) < p)
			low = middle;
		else
			high = middle;
	}
	return (low + high) / 2;
}

/* free_in counts the unswapped positions in [from, to). */
static uint32
free_in(const Pairs *pairs, uint32 from, uint32 to)
{
	uint32		count = 0;

	for (uint32 j = from; j < to; j++)
		count += pairs->mate[j] == NOBODY;
	return count;
}

/*
 * mate_between draws the mate of i among the unswapped positions of [from, to): in a
 * long interval up to 32 places, then a number among the candidates.
 */
static void
mate_between(Pairs *pairs, uint32 i, uint32 from, uint32 to)
{
	uint32		candidates = free_in(pairs, from, to);
	uint32		k;

	for (int trial = 0; trial < 32 && to - from > 64; trial++)
	{
		uint32		j = from + sdc_stream_below(stream, to - from);

		if (pairs->mate[j] == NOBODY)
		{
			collect(pairs, i, j);
			return;
		}
	}
	if (candidates == 0)
		return;
	k = sdc_stream_below(stream, candidates);
	for (uint32 j = from; j < to; j++)
	{
		if (pairs->mate[j] == NOBODY && k-- == 0)
		{
			collect(pairs, i, j);
			return;
		}
	}
}

/* reference_standard lists the window. */
static void
reference_standard(const Setting *s, uint32 n)
{
	for (uint32 i = 0; i < n; i++)
	{
		uint32		end = s->parameter < n - i ? i + s->parameter + 1 : n;

		if (expected.mate[i] == NOBODY)
			mate_between(&expected, i, i + 1, end);
	}
}

/* reference_distribution looks at the distance of all positions above. */
static void
reference_distribution(const Setting *s, uint32 n)
{
	for (uint32 i = 0; i < n; i++)
	{
		long double low = normal_below((0.5L - s->mu) / s->sigma);
		long double high = normal_below((n - 1 - i + 0.5L - s->mu) / s->sigma);
		long double r;
		uint32		nearest = NOBODY;
		int64		target;

		if (expected.mate[i] != NOBODY || free_in(&expected, i + 1, n) == 0)
			continue;
		r = floorl(s->mu + s->sigma * quantile(low + (high - low) *
											   sdc_stream_uniform(stream)) + 0.5L);
		r = r < 1 ? 1 : (r > n - 1 - i ? n - 1 - i : r);
		target = (int64) i + (int64) r;
		for (uint32 j = i + 1; j < n; j++)
		{
			if (expected.mate[j] == NOBODY &&
				(nearest == NOBODY || llabs((long long) (j - target)) <
				 llabs((long long) (nearest - target))))
				nearest = j;
		}
		collect(&expected, i, nearest);
	}
}

/* pick_weighted draws one of the distances < reach that are eligible. */
static uint32
pick_weighted(const double *weight, const bool *eligible, uint32 reach)
{
	double		sum = 0;
	double		x;
	uint32		last = 0;

	for (uint32 d = 0; d < reach; d++)
		sum += eligible == NULL || eligible[d] ? weight[d] : 0;
	x = sdc_stream_uniform(stream) * sum;
	sum = 0;
	for (uint32 d = 0; d < reach; d++)
	{
		if (eligible != NULL && !eligible[d])
			continue;
		sum += weight[d];
		last = d;
		if (x < sum)
			break;
	}
	return last;
}

/* reference_bucket draws the bucket distance, given the eligible ones. */
static uint32
reference_bucket(const SdcBucketWeights *weights, const bool *eligible,
				 uint32 buckets)
{
	uint32		reach = buckets;
	uint32		nearest = 0;

	while (!eligible[nearest])
		nearest++;
	if (reach > (uint32) weights->count)
		reach = (uint32) weights->count;
	for (int trial = 0; trial < 8; trial++)
	{
		uint32		d = pick_weighted(weights->weight, NULL, reach);

		if (eligible[d])
			return d;
	}
	if (nearest >= reach)
		return nearest;
	return pick_weighted(weights->weight, eligible, reach);
}

/* bucket_of is the definition. */
static uint32
bucket_of(uint32 position, uint32 buckets, uint32 n)
{
	return (uint32) ((uint64) position * buckets / n);
}

/* reference_buckets lists the buckets of all positions above. */
static void
reference_buckets(const Setting *s, uint32 n)
{
	bool	   *eligible = sdc_alloc(n + 1);

	for (uint32 i = 0; i < n; i++)
	{
		uint32		own = bucket_of(i, s->parameter, n);
		uint32		from = n;
		uint32		to = 0;
		uint32		d;

		if (expected.mate[i] != NOBODY || free_in(&expected, i + 1, n) == 0)
			continue;
		memset(eligible, 0, n + 1);
		for (uint32 j = i + 1; j < n; j++)
		{
			if (expected.mate[j] == NOBODY)
				eligible[bucket_of(j, s->parameter, n) - own] = true;
		}
		d = reference_bucket(s->weights, eligible, s->parameter - own);
		for (uint32 j = n - 1; j > i; j--)
		{
			if (bucket_of(j, s->parameter, n) == own + d)
			{
				from = j;
				to = to > j ? to : j + 1;
			}
		}
		mate_between(&expected, i, from, to);
	}
	sdc_free(eligible);
}

/* run_reference fills expected. */
static void
run_reference(const Setting *s, uint32 n, uint64 stratum)
{
	start(stratum);
	clear_pairs(&expected, n);
	if (s->method == STANDARD)
		reference_standard(s, n);
	else if (s->method == DISTRIBUTION)
		reference_distribution(s, n);
	else
		reference_buckets(s, n);
}

/* ---- properties ---- */

/* check_standard: nobody goes too far, nobody stays who had a candidate. */
static void
check_standard(const Setting *s, uint32 n, uint64 stratum)
{
	for (uint32 p = 0; p < got.count; p++)
		CHECKF(got.b[p] - got.a[p] <= s->parameter, "%u, %u: %s", got.a[p],
			   got.b[p], describe(s, n, stratum));
	for (uint32 i = 0; i < n; i++)
	{
		if (got.mate[i] != NOBODY)
			continue;
		for (uint32 j = i + 1; j < n && j - i <= s->parameter; j++)
			CHECKF(got.mate[j] < i, "%u stays though %u is free: %s", i, j,
				   describe(s, n, stratum));
	}
}

/* check_pairing: with a partner at any distance at most one stays. */
static void
check_pairing(const Setting *s, uint32 n, uint64 stratum)
{
	CHECKF(got.count == n / 2, "%u pairs: %s", got.count,
		   describe(s, n, stratum));
}

/*
 * check_setting runs one setting twice and checks everything that can be said
 * of a single run; collect has checked that the map is an involution.
 */
static void
check_setting(const Setting *s, uint32 n, uint64 stratum, bool reference)
{
	run_setting(s, n, stratum, &expected);
	run_setting(s, n, stratum, &got);
	CHECKF(got.count == expected.count &&
		   memcmp(got.mate, expected.mate, n * sizeof(uint32)) == 0,
		   "not repeatable: %s", describe(s, n, stratum));
	CHECKF(sdc_stream_status(stream) == SDC_OK, "stream");

	if (s->method == STANDARD)
		check_standard(s, n, stratum);
	else
		check_pairing(s, n, stratum);
	if (s->method == BUCKETS)
	{
		for (uint32 p = 0; p < got.count; p++)
			CHECKF(bucket_of(got.b[p], s->parameter, n) >=
				   bucket_of(got.a[p], s->parameter, n), "%u, %u: %s",
				   got.a[p], got.b[p], describe(s, n, stratum));
	}
	if (!reference)
		return;
	run_reference(s, n, stratum);
	CHECKF(got.count == expected.count &&
		   memcmp(got.mate, expected.mate, n * sizeof(uint32)) == 0,
		   "differs from the reference: %s", describe(s, n, stratum));
}

/* Sizes: small ones, and around words and blocks of the set. */
static const uint32 sizes[] = {0, 1, 2, 3, 4, 5, 6, 7, 10, 17, 63, 64, 65, 100,
127, 128, 129, 300, 511, 512, 513, 1025};

/* standard_runs tries windows of all sizes. */
static void
standard_runs(void)
{
	for (uint32 k = 0; k < LENGTH(sizes); k++)
	{
		uint32		n = sizes[k];
		uint32		windows[] = {1, 2, 3, 5, 10, 63, 64, 65, n / 10 + 1,
		n / 2 + 1, n > 1 ? n - 1 : 1, n + 1, UINT32_MAX};

		for (uint32 w = 0; w < LENGTH(windows); w++)
		{
			Setting		s = {.method = STANDARD, .parameter = windows[w]};

			for (uint64 stratum = 0; stratum < 4; stratum++)
				check_setting(&s, n, stratum, true);
		}
	}
}

/* distribution_runs tries usual and strange normals. */
static void
distribution_runs(void)
{
	for (uint32 k = 0; k < LENGTH(sizes); k++)
	{
		uint32		n = sizes[k];
		double		normals[][2] = {{0.01, 0.01}, {0.5, 0.5}, {1, 1}, {3, 3},
		{0.05 * n + 0.01, 0.05 * n + 0.01}, {n + 1, n + 1}, {5, 0.1},
		{5, 100}, {0.1, 3}, {n / 2 + 1, 1}, {0.3, 2.5},
		{76e5, 1e6}};

		for (uint32 w = 0; w < LENGTH(normals); w++)
		{
			Setting		s = {.method = DISTRIBUTION,.mu = normals[w][0],
			.sigma = normals[w][1]};

			/* in the tails the kernel draws otherwise than the reference */
			for (uint64 stratum = 0; stratum < 2; stratum++)
				check_setting(&s, n, stratum, n <= 300 && s.mu <= 9 * s.sigma &&
							  s.sigma >= 0.4);
		}
	}
}

/* distribution_extremes only has to end well. */
static void
distribution_extremes(void)
{
	static const double normals[][2] = {{1e-300, 1e-300}, {1e300, 1e300},
	{1e300, 1}, {1e9, 1e-9}, {1e-9, 1e9}, {1e6, 1e5}, {1, 1e-12}, {1e17, 1e16},
	{100, 3}, {1e-5, 1e-3}};

	for (uint32 k = 0; k < LENGTH(sizes); k++)
	{
		for (uint32 w = 0; w < LENGTH(normals); w++)
		{
			Setting		s = {.method = DISTRIBUTION,.mu = normals[w][0],
			.sigma = normals[w][1]};

			check_setting(&s, sizes[k], 0, false);
		}
	}
}

/* Weights other than the halving ones. */
static const double flat_weight[100] = {
	1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
	1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
	1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
	1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
	1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1
};
static const double rising_weight[] = {0.001, 0.01, 0.1, 1, 10};
static const SdcBucketWeights weight_kinds[] = {
	{flat_weight, 1}, {flat_weight, 3}, {flat_weight, 100}, {rising_weight, 5}
};

/* buckets_runs tries 1 .. n buckets and all weights. */
static void
buckets_runs(void)
{
	for (uint32 k = 0; k < LENGTH(sizes); k++)
	{
		uint32		n = sizes[k];
		uint32		buckets[] = {1, 2, 3, 7, 10, 20, 64, n / 3 + 1, n / 2 + 1,
		n > 1 ? n - 1 : 1, n};

		for (uint32 w = 0; w < LENGTH(buckets); w++)
		{
			if (buckets[w] > n)
				continue;
			for (uint32 kind = 0; kind <= LENGTH(weight_kinds); kind++)
			{
				Setting		s = {.method = BUCKETS, .parameter = buckets[w],
				.weights = kind == 0 ? &sdc_rankswap_halving :
				&weight_kinds[kind - 1]};

				check_setting(&s, n, kind, n <= 300 || kind == 0);
			}
		}
	}
}

/* large_runs checks properties with a set of several levels. */
static void
large_runs(void)
{
	static const uint32 parameters[] = {1, 2, 20, 1000, 100000, MAX_N};

	for (uint32 k = 0; k < LENGTH(parameters); k++)
	{
		Setting		s = {.method = STANDARD, .parameter = parameters[k]};

		check_setting(&s, s.parameter > 1000 ? 20000 : MAX_N, 0, false);
		s.method = DISTRIBUTION;
		s.mu = s.sigma = s.parameter / 2.0;
		check_setting(&s, MAX_N, 0, false);
		s.method = BUCKETS;
		s.weights = &sdc_rankswap_halving;
		check_setting(&s, MAX_N, 0, false);
	}
}

/* set_is_reusable runs on one large set, where others have run before. */
static void
set_is_reusable(void)
{
	SdcPositionSet *set = sdc_positionset_create(5000);
	Setting		s = {.method = STANDARD, .parameter = 4};

	for (uint32 n = 0; n < 200; n++)
	{
		run_setting(&s, n, n, &expected);
		start(n);
		run_kernel(&s, n, set, &got);
		CHECKF(got.count == expected.count &&
			   memcmp(got.mate, expected.mate, n * sizeof(uint32)) == 0,
			   "n %u", n);
		run_kernel(&s, 5000 - n, set, &got);
	}
	sdc_positionset_destroy(set);
}

/* halving_weights are powers of two, all that a draw can meet. */
static void
halving_weights(void)
{
	CHECK(sdc_rankswap_halving.count == 63);
	for (int d = 0; d < sdc_rankswap_halving.count; d++)
		CHECKF(sdc_rankswap_halving.weight[d] == ldexp(1, -(d + 1)), "%d", d);
}

/* window_of_percent checks rounding and bounds. */
static void
window_of_percent(void)
{
	CHECK(sdc_rankswap_window(10, 1080) == 108);
	CHECK(sdc_rankswap_window(2, 4092) == 82);	/* 81.84 */
	CHECK(sdc_rankswap_window(1, 150) == 2);	/* 1.5 up */
	CHECK(sdc_rankswap_window(1, 149) == 1);
	CHECK(sdc_rankswap_window(0.3, 500) == 2);	/* 1.5 up */
	CHECK(sdc_rankswap_window(0.001, 10) == 1);
	CHECK(sdc_rankswap_window(0, 10) == 1);
	CHECK(sdc_rankswap_window(-5, 10) == 1);
	CHECK(sdc_rankswap_window(NAN, 10) == 1);
	CHECK(sdc_rankswap_window(100, 10) == 10);
	CHECK(sdc_rankswap_window(1e300, 10) == 10);
	CHECK(sdc_rankswap_window(INFINITY, 10) == 10);
	CHECK(sdc_rankswap_window(50, 0) == 1);
	CHECK(sdc_rankswap_window(50, 1) == 1);
	CHECK(sdc_rankswap_window(100, UINT32_MAX) == UINT32_MAX);
	CHECK(sdc_rankswap_memory(1000) >= sdc_positionset_memory(1000));
}

/* ---- golden pairs ---- */

/* check_golden compares with pairs of golden.py. */
static void
check_golden(const Setting *s, uint32 n, const uint32 *pair, uint32 words)
{
	SdcPositionSet *set = sdc_positionset_create(n);

	CHECK(sdc_stream_start(stream, golden_master, "rank-swap", "income", "draw",
						   7) == SDC_OK);
	run_kernel(s, n, set, &got);
	CHECKF(2 * got.count == words, "%s", describe(s, n, 7));
	for (uint32 p = 0; p < got.count && 2 * p < words; p++)
		CHECKF(got.a[p] == pair[2 * p] && got.b[p] == pair[2 * p + 1],
			   "pair %u: %s", p, describe(s, n, 7));
	sdc_positionset_destroy(set);
}

/* golden_pairs compares all methods. */
static void
golden_pairs(void)
{
	Setting		s = {.method = STANDARD, .parameter = 7,.mu = 6,.sigma = 6,
	.weights = &sdc_rankswap_halving};

	check_golden(&s, 60, golden_standard, LENGTH(golden_standard));
	s.parameter = 150;
	check_golden(&s, 400, golden_long_standard, LENGTH(golden_long_standard));
	s.method = DISTRIBUTION;
	check_golden(&s, 61, golden_distribution, LENGTH(golden_distribution));
	s.method = BUCKETS;
	s.parameter = 9;
	check_golden(&s, 61, golden_buckets, LENGTH(golden_buckets));
	s.parameter = 3;
	check_golden(&s, 400, golden_long_buckets, LENGTH(golden_long_buckets));
	s.parameter = 40;
	check_golden(&s, 40, golden_single_buckets, LENGTH(golden_single_buckets));
}

/* ---- distributions ---- */

/* A Fenwick tree of the unswapped positions, for counts in long runs. */
static uint32 tree[MAX_N + 1];

/* tree_add changes the count at a position. */
static void
tree_add(uint32 n, uint32 position, int change)
{
	for (uint32 i = position + 1; i <= n; i += i & (0 - i))
		tree[i] += (uint32) change;
}

/* tree_below counts the positions < end. */
static uint32
tree_below(uint32 end)
{
	uint32		sum = 0;

	for (uint32 i = end; i > 0; i &= i - 1)
		sum += tree[i];
	return sum;
}

/* Observations and expectations in cells, for a chi-square test. */
#define CELLS 128
typedef struct Cells
{
	double		seen[CELLS];
	double		due[CELLS];
} Cells;

/* check_cells adds neighbours up until 20 are due, and tests. */
static void
check_cells(const Cells *cells, const char *what)
{
	double		seen = 0;
	double		due = 0;
	double		chi = 0;
	int			used = 0;

	for (int i = 0; i < CELLS; i++)
	{
		seen += cells->seen[i];
		due += cells->due[i];
		if (due < 20)
			continue;
		chi += (seen - due) * (seen - due) / due;
		used++;
		seen = due = 0;
	}
	/* what remains belongs to no cell that counts: hardly anything */
	CHECKF(seen < due + 6 * sqrt(due) + 3, "%g seen, %g due: %s", seen, due,
		   what);
	CHECKF(used < 2 || chi < tap_chi_square_limit(used - 1),
		   "chi-square %g of %d cells: %s", chi, used, what);
}

/*
 * count_rank enters rank number k of count into CELLS equal parts of (0, 1),
 * at (k + 1/2) / count, with the exact probabilities of the parts.
 */
static void
count_rank(Cells *cells, uint32 k, uint32 count)
{
	double		before = 0;

	for (int cell = 0; cell < CELLS; cell++)
	{
		/* ranks with (k + 1/2) / count < (cell + 1) / CELLS */
		double		upto = ceil((double) count * (cell + 1) / CELLS - 0.5);

		cells->due[cell] += (upto - before) / count;
		cells->seen[cell] += k >= before && k < upto;
		before = upto;
	}
}

/*
 * watch_ranks walks through a long run and enters the rank of each partner
 * among the candidates in [first(i), last(i)), for standard and buckets.
 */
static void
watch_ranks(const Setting *s, uint32 n, Cells *cells)
{
	for (uint32 i = 0; i <= n; i++)
		tree[i] = 0;
	for (uint32 i = 0; i < n; i++)
		tree_add(n, i, 1);
	for (uint32 p = 0; p < got.count; p++)
	{
		uint32		a = got.a[p];
		uint32		b = got.b[p];
		uint32		first = a + 1;
		uint32		end = s->parameter < n - a ? a + s->parameter + 1 : n;

		if (s->method == BUCKETS)
		{
			uint32		bucket = bucket_of(b, s->parameter, n);

			first = end = b;
			while (first > a + 1 &&
				   bucket_of(first - 1, s->parameter, n) == bucket)
				first--;
			while (end < n && bucket_of(end, s->parameter, n) == bucket)
				end++;
		}
		count_rank(cells, tree_below(b) - tree_below(first),
				   tree_below(end) - tree_below(first));
		tree_add(n, a, -1);
		tree_add(n, b, -1);
	}
}

/* standard_ranks: the partner is uniform among the candidates. */
static void
standard_ranks(void)
{
	static const uint32 windows[] = {2, 3, 10, 100, 2000, 150000};

	for (uint32 w = 0; w < LENGTH(windows); w++)
	{
		Setting		s = {.method = STANDARD, .parameter = windows[w]};
		static Cells cells;

		memset(&cells, 0, sizeof(cells));
		run_setting(&s, MAX_N, 100 + w, &got);
		CHECK(got.count > MAX_N / 3);
		watch_ranks(&s, MAX_N, &cells);
		check_cells(&cells, describe(&s, MAX_N, 100 + w));
	}
}

/* bucket_ranks: the partner is uniform among those of its bucket. */
static void
bucket_ranks(void)
{
	static const uint32 buckets[] = {1000, 5000, 66667};

	for (uint32 w = 0; w < LENGTH(buckets); w++)
	{
		Setting		s = {.method = BUCKETS, .parameter = buckets[w],
		.weights = &sdc_rankswap_halving};
		static Cells cells;

		memset(&cells, 0, sizeof(cells));
		run_setting(&s, MAX_N, 200 + w, &got);
		watch_ranks(&s, MAX_N, &cells);
		check_cells(&cells, describe(&s, MAX_N, 200 + w));
	}
}

/*
 * check_bucket_distances walks through a run and compares the distances drawn
 * with their probabilities given the buckets that had a candidate.  Each draw
 * has its own probabilities, so each distance is tested by its standardised
 * sum, up to four and a half deviations.
 */
static void
check_bucket_distances(const Setting *s, uint32 n, uint64 stratum)
{
	double		seen[64] = {0};
	double		due[64] = {0};
	double		variance[64] = {0};
	uint32	   *left = sdc_alloc((s->parameter + 1) * sizeof(uint32));

	run_setting(s, n, stratum, &got);
	memset(left, 0, (s->parameter + 1) * sizeof(uint32));
	for (uint32 i = 0; i < n; i++)
		left[bucket_of(i, s->parameter, n)]++;
	for (uint32 p = 0; p < got.count; p++)
	{
		uint32		own = bucket_of(got.a[p], s->parameter, n);
		uint32		reach = s->parameter - own;
		uint32		drawn = bucket_of(got.b[p], s->parameter, n) - own;
		double		sum = 0;

		left[own]--;			/* everybody below a is swapped already */
		if (reach > 64)
			reach = 64;
		if (reach > (uint32) s->weights->count)
			reach = (uint32) s->weights->count;
		for (uint32 d = 0; d < reach; d++)
			sum += left[own + d] > 0 ? s->weights->weight[d] : 0;
		left[own + drawn]--;
		if (sum == 0)
			continue;			/* nobody within reach */
		CHECKF(drawn < reach, "distance %u: %s", drawn, describe(s, n, stratum));
		for (uint32 d = 0; d < reach; d++)
		{
			double		probability = s->weights->weight[d] / sum;

			if (d == drawn)
				seen[d]++;
			else if (left[own + d] == 0)
				continue;
			due[d] += probability;
			variance[d] += probability * (1 - probability);
		}
	}
	for (int d = 0; d < 64; d++)
		CHECKF(fabs(seen[d] - due[d]) <= 4.5 * sqrt(variance[d]) + 1,
			   "distance %d: %g seen, %g due: %s", d, seen[d], due[d],
			   describe(s, n, stratum));
	sdc_free(left);
}

/* bucket_distances does so for few, many and single-position buckets. */
static void
bucket_distances(void)
{
	static const uint32 buckets[] = {2, 5, 75, 1000, 50000, MAX_N};

	for (uint32 w = 0; w < LENGTH(buckets); w++)
	{
		Setting		s = {.method = BUCKETS, .parameter = buckets[w],
		.weights = &sdc_rankswap_halving};

		check_bucket_distances(&s, MAX_N, 300 + w);
		s.weights = &weight_kinds[1];
		check_bucket_distances(&s, MAX_N, 310 + w);
		s.weights = &weight_kinds[3];
		check_bucket_distances(&s, MAX_N, 320 + w);
	}
}

/* mass_between is the probability of an interval, with digits in both tails. */
static long double
mass_between(long double low, long double high)
{
	return low > 0 ? normal_below(-low) - normal_below(-high) :
		normal_below(high) - normal_below(low);
}

/*
 * check_distances draws the distance of position 0 many times: nobody is
 * swapped yet, so the partner of 0 is the distance.  Compares its distribution,
 * mean and standard deviation with the truncated normal.
 */
static void
check_distances(double mu, double sigma, uint32 n)
{
	static Cells cells;
	const int	draws = 40000;
	Setting		s = {.method = DISTRIBUTION,.mu = mu,.sigma = sigma};
	SdcPositionSet *set = sdc_positionset_create(n);
	long double all = mass_between((0.5L - mu) / sigma, (n - 0.5L - mu) / sigma);
	double		mean = 0;
	double		square = 0;
	double		sum = 0;

	memset(&cells, 0, sizeof(cells));
	for (uint32 r = 1; r < n; r++)
	{
		double		p = (double) (mass_between((r - 0.5L - mu) / sigma,
											   (r + 0.5L - mu) / sigma) / all);

		cells.due[(r - 1) % CELLS] += draws * p;
		mean += p * r;
		square += p * r * r;
	}
	start(n);
	for (int i = 0; i < draws; i++)
	{
		run_kernel(&s, n, set, &got);
		cells.seen[(got.mate[0] - 1) % CELLS]++;
		sum += got.mate[0];
	}
	check_cells(&cells, describe(&s, n, n));
	CHECKF(fabs(sum / draws - mean) <=
		   4.5 * sqrt(fmax(square - mean * mean, 0) / draws) + 1e-3,
		   "mean %g, not %g: %s", sum / draws, mean, describe(&s, n, n));
	sdc_positionset_destroy(set);
}

/* distances are those of the truncated normal, in the middle and the tails. */
static void
distances(void)
{
	check_distances(5, 5, 60);
	check_distances(3, 3, 5);
	check_distances(0.5, 0.5, 10);
	check_distances(20, 20, 30);
	check_distances(1e5, 1e5, 20);
	check_distances(10, 2, 12);
	check_distances(100, 100, 129);
	check_distances(0.01, 0.01, 8);
	/* low > 0: the upper tail */
	check_distances(0.1, 3, 20);
	check_distances(0.001, 0.1, 8);
	/* the interval begins or ends more than eight deviations away */
	check_distances(100, 10, 20);
	check_distances(100, 3, 50);
	check_distances(1000, 80, 60);
	check_distances(4e4, 1e3, 100);
	check_distances(78, 10, 8);
	check_distances(0.1, 0.04, 8);
}

/* main runs the tests. */
int
main(void)
{
	if (sdc_stream_create(&stream) != SDC_OK ||
		sdc_stream_master_from_seed("test_rankswap", 13, master) != SDC_OK)
	{
		printf("Bail out! no stream\n");
		return 1;
	}
	RUN(golden_pairs);
	RUN(window_of_percent);
	RUN(halving_weights);
	RUN(standard_runs);
	RUN(distribution_runs);
	RUN(distribution_extremes);
	RUN(buckets_runs);
	RUN(large_runs);
	RUN(set_is_reusable);
	RUN(standard_ranks);
	RUN(bucket_ranks);
	RUN(bucket_distances);
	RUN(distances);
	sdc_stream_destroy(stream);
	return tap_done();
}
