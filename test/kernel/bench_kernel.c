/*-------------------------------------------------------------------------
 *
 * bench_kernel.c
 *		What the kernels of rank swapping cost, without a server.
 *
 * Usage: bench_kernel [records] [columns]
 *
 * Prints milliseconds for one column (best and median of a few runs): sorting
 * columns of several kinds, each method with several parameters, and applying
 * donor maps; then, for each method, sort + draw + map of all columns, as a
 * release does them.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include <math.h>
#include <time.h>

#include "kernel/rank/positionset.h"
#include "kernel/base/rankorder.h"
#include "kernel/rank/rankswap.h"
#include "kernel/base/sortkey.h"
#include "kernel/base/stream.h"

#define ROUNDS 5

/* The arrays that the measurements share; n of each. */
static uint32 n;
static int	columns;
static double *value;
static double *result;
static uint64 *key;
static uint32 *tie;
static uint32 *order;
static uint32 *donor;
static void *work;
static SdcPositionSet *unswapped;
static SdcStream *stream;
static uint32 swapped;

/* now_ms is a monotonic time in milliseconds. */
static double
now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double) now.tv_sec * 1e3 + (double) now.tv_nsec / 1e6;
}

/* start places the stream at one of its names. */
static void
start(const char *purpose, uint64 stratum)
{
	static const uint8 master[SDC_MASTER_KEY_BYTES] = {1, 2, 3};

	if (sdc_stream_start(stream, master, "bench", "column", purpose,
						 stratum) != SDC_OK)
		abort();
}

/* compare_double orders doubles for qsort. */
static int
compare_double(const void *a, const void *b)
{
	double		x = *(const double *) a;
	double		y = *(const double *) b;

	return (x > y) - (x < y);
}

/* report prints best and median of ROUNDS times. */
static void
report(const char *what, double *times)
{
	qsort(times, ROUNDS, sizeof(double), compare_double);
	printf("%-40s %9.1f %9.1f\n", what, times[0], times[ROUNDS / 2]);
}

/* The kinds of columns. */
typedef enum Kind
{
	UNIFORM, NORMAL, LOGNORMAL, INTEGERS_100, BINARY, CONSTANT, SORTED,
	WHOLE_RANGE, KINDS
} Kind;

static const char *const kind_name[KINDS] = {
	"uniform", "normal", "lognormal with zeros", "100 values", "2 values",
	"constant", "already sorted", "any bits"
};

/* make_value draws one value of a column. */
static double
make_value(Kind kind, uint32 i)
{
	double		u = sdc_stream_uniform(stream);
	double		normal = sqrt(-2 * log(u)) *
		cos(6.283185307179586 * sdc_stream_uniform(stream));
	uint64		bits = sdc_stream_next64(stream);

	switch (kind)
	{
		case UNIFORM:
			return u;
		case NORMAL:
			return normal;
		case LOGNORMAL:
			return u < 0.3 ? 0 : floor(exp(10 + normal));
		case INTEGERS_100:
			return floor(100 * u);
		case BINARY:
			return u < 0.4;
		case SORTED:
			return i;
		case WHOLE_RANGE:
			memcpy(&u, &bits, sizeof(u));
			return u;
		default:
			return 42;
	}
}

/* make_column fills value and key. */
static void
make_column(Kind kind)
{
	start("data", kind);
	for (uint32 i = 0; i < n; i++)
	{
		value[i] = make_value(kind, i);
		key[i] = sdc_sortkey_from_float8(value[i]);
	}
}

/* sort_column orders it. */
static void
sort_column(void)
{
	sdc_rankorder_sort(key, NULL, n, tie, work, order);
}

/* record_swap makes donors of a pair. */
static void
record_swap(void *arg, uint32 a, uint32 b)
{
	uint32		record = order[a];

	(void) arg;
	donor[record] = order[b];
	donor[order[b]] = record;
	swapped++;
}

/* The methods. */
typedef enum Method
{
	STANDARD, DISTRIBUTION, BUCKETS
} Method;

/* draw runs a method on the sorted column; the parameter is p. */
static void
draw(Method method, double p)
{
	SdcSwapRun	run = {.n = n, .stream = stream, .unswapped = unswapped,
	.emit = record_swap};

	start("draw", 0);
	swapped = 0;
	for (uint32 i = 0; i < n; i++)
		donor[i] = i;
	if (method == STANDARD)
		sdc_rankswap_by_window(&run, sdc_rankswap_window(p, n));
	else if (method == DISTRIBUTION)
		sdc_rankswap_by_distribution(&run, 0.005 * p * n, 0.005 * p * n);
	else
		sdc_rankswap_by_buckets(&run, p < n ? (uint32) p : n,
								&sdc_rankswap_halving);
}

/* apply gathers the donors' values. */
static void
apply(void)
{
	for (uint32 i = 0; i < n; i++)
		result[i] = value[donor[i]];
}

/* bench_sorting measures the order of each kind of column. */
static void
bench_sorting(void)
{
	double		times[ROUNDS];
	char		what[64];

	for (int round = 0; round < ROUNDS; round++)
	{
		times[round] = now_ms();
		start("tie", 0);
		sdc_stream_fill32(stream, tie, n);
		times[round] = now_ms() - times[round];
	}
	report("tie words", times);
	for (int kind = 0; kind < KINDS; kind++)
	{
		make_column((Kind) kind);
		for (int round = 0; round < ROUNDS; round++)
		{
			times[round] = now_ms();
			sort_column();
			times[round] = now_ms() - times[round];
		}
		snprintf(what, sizeof(what), "order, %s", kind_name[kind]);
		report(what, times);
	}
}

/* bench_method measures the draws of a method. */
static void
bench_method(const char *name, Method method, double p)
{
	double		times[ROUNDS];
	char		what[64];

	for (int round = 0; round < ROUNDS; round++)
	{
		times[round] = now_ms();
		draw(method, p);
		times[round] = now_ms() - times[round];
	}
	snprintf(what, sizeof(what), "%s, p = %g", name, p);
	report(what, times);
}

/* bench_release measures sort, draw and map of all columns. */
static void
bench_release(const char *name, Method method, double p)
{
	double		times[ROUNDS];
	char		what[64];

	for (int round = 0; round < ROUNDS; round++)
	{
		times[round] = now_ms();
		for (int column = 0; column < columns; column++)
		{
			start("tie", (uint64) column);
			sdc_stream_fill32(stream, tie, n);
			sort_column();
			draw(method, p);
			apply();
		}
		times[round] = now_ms() - times[round];
	}
	snprintf(what, sizeof(what), "%d columns: %s, p = %g", columns, name, p);
	report(what, times);
}

/* bench_strata measures many small runs. */
static void
bench_strata(void)
{
	double		times[ROUNDS];
	SdcSwapRun	run = {.n = 10, .stream = stream, .unswapped = unswapped,
	.emit = record_swap};

	for (int round = 0; round < ROUNDS; round++)
	{
		times[round] = now_ms();
		for (uint32 first = 0; first + 10 <= n; first += 10)
		{
			start("draw", first);
			sdc_rankorder_sort(key + first, NULL, 10, tie, work, order);
			sdc_rankswap_by_window(&run, 3);
		}
		times[round] = now_ms() - times[round];
	}
	report("strata of 10: start, order, draw", times);
	for (int round = 0; round < ROUNDS; round++)
	{
		times[round] = now_ms();
		for (uint32 first = 0; first + 10 <= n; first += 10)
			start("draw", first);
		times[round] = now_ms() - times[round];
	}
	report("  the starts alone", times);
}

/* bench_apply measures the gather of all columns. */
static void
bench_apply(void)
{
	double		times[ROUNDS];
	char		what[64];

	for (int round = 0; round < ROUNDS; round++)
	{
		times[round] = now_ms();
		for (int column = 0; column < columns; column++)
			apply();
		times[round] = now_ms() - times[round];
	}
	snprintf(what, sizeof(what), "apply the map, %d columns", columns);
	report(what, times);
}

/* main allocates and runs everything. */
int
main(int argc, char **argv)
{
	static const double bucket_counts[] = {1, 20, 75, 1000, 1e9};

	n = argc > 1 ? (uint32) strtoul(argv[1], NULL, 10) : 1000000;
	columns = argc > 2 ? atoi(argv[2]) : 10;
	value = sdc_alloc(sizeof(double) * n);
	result = sdc_alloc(sizeof(double) * n);
	key = sdc_alloc(sizeof(uint64) * n);
	tie = sdc_alloc(sizeof(uint32) * n);
	order = sdc_alloc(sizeof(uint32) * n);
	donor = sdc_alloc(sizeof(uint32) * n);
	work = sdc_alloc(sdc_rankorder_memory(n));
	unswapped = sdc_positionset_create(n > 10 ? n : 10);
	if (n < 10 || sdc_stream_create(&stream) != SDC_OK)
		return 1;

	printf("%u records\n%-40s %9s %9s\n", n, "ms", "best", "median");
	bench_sorting();
	make_column(UNIFORM);
	sort_column();
	bench_method("standard", STANDARD, 1e-9);
	bench_method("standard", STANDARD, 1);
	bench_method("standard", STANDARD, 50);
	bench_method("standard", STANDARD, 100);
	bench_method("p-distribution", DISTRIBUTION, 0.001);
	bench_method("p-distribution", DISTRIBUTION, 1);
	bench_method("p-distribution", DISTRIBUTION, 50);
	bench_method("p-distribution", DISTRIBUTION, 100);
	for (size_t i = 0; i < sizeof(bucket_counts) / sizeof(double); i++)
		bench_method("p-buckets", BUCKETS, bucket_counts[i]);
	draw(STANDARD, 10);
	bench_apply();
	bench_release("standard", STANDARD, 10);
	bench_release("p-distribution", DISTRIBUTION, 10);
	bench_release("p-buckets", BUCKETS, 75);
	bench_strata();

	sdc_stream_destroy(stream);
	sdc_positionset_destroy(unswapped);
	sdc_free(work);
	sdc_free(donor);
	sdc_free(order);
	sdc_free(tie);
	sdc_free(key);
	sdc_free(result);
	sdc_free(value);
	return 0;
}
