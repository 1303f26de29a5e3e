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
 * release does them.  In the end the search for candidates: windows beside the
 * attack by windows alone, and a table of categories protected in every way; and when
 * everybody else is known.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include <math.h>
#include <time.h>

#include "kernel/base/rankorder.h"
#include "kernel/base/sortkey.h"
#include "kernel/base/stream.h"
#include "kernel/candidates/candidates.h"
#include "kernel/distance/metricspace.h"
#include "kernel/rank/positionset.h"
#include "kernel/rank/ranklink.h"
#include "kernel/rank/rankswap.h"

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

/* ------------------------------------------------------------------------
 * Candidates
 * ------------------------------------------------------------------------
 */

#define WINDOW_RECORDS 100000
#define WINDOW_COLUMNS 10
#define TABLE_RECORDS 30162
#define TABLE_COLUMNS 9
#define GROUP_RECORDS 27		/* of a group or bin */

/* What an attack on a task takes, and finds: it prints the milliseconds and the mean share. */
static double
bench_attack(const char *what, const SdcCandidatesTask *task, SdcCandidatesAttack attack)
{
	SdcCandidatesLink *link = sdc_alloc(task->records * sizeof(SdcCandidatesLink));
	double		best = HUGE_VAL;
	double		found = 0;

	for (int round = 0; round < 2; round++)
	{
		double		time = now_ms();

		sdc_candidates_run(task, attack, NULL, task->records, link);
		time = now_ms() - time;
		best = time < best ? time : best;
	}
	for (uint32 i = 0; i < task->records; i++)
		found += sdc_link_share(&link[i].link);
	printf("%-40s %9.1f   %5.2f %% found\n", what, best, 100 * found / task->records);
	sdc_free(link);
	return best;
}

/* bench_everybody measures what is left when everybody else is known. */
static double
bench_everybody(const char *what, const SdcCandidatesTask *task)
{
	uint32	   *left = sdc_alloc(task->records * sizeof(uint32));
	double		time = now_ms();
	SdcCandidatesStatus status = sdc_candidates_everybody(task, left, NULL);
	uint32		certain = 0;

	time = now_ms() - time;
	for (uint32 i = 0; i < task->records && status == SDC_CANDIDATES_OK; i++)
		certain += left[i] == 1;
	printf("%-40s %9.1f   %5.2f %% certain%s\n", what, time, 100.0 * certain / task->records,
		   status == SDC_CANDIDATES_OK ? "" : ": refused");
	sdc_free(left);
	return time;
}

/* swap_column makes a column without equal values and swaps it by ranks: p = 10. */
static void
swap_column(uint32 records, int column, uint32 *original, uint32 *protected)
{
	SdcSwapRun	run = {.n = records, .stream = stream, .unswapped = unswapped,
	.emit = record_swap};

	start("candidates", (uint64) column);
	sdc_stream_fill32(stream, tie, records);
	for (uint32 i = 0; i < records; i++)
	{
		key[i] = 0;
		donor[i] = i;
	}
	sdc_rankorder_sort(key, NULL, records, tie, work, order);
	for (uint32 i = 0; i < records; i++)
		original[order[i]] = i;
	sdc_rankswap_by_window(&run, sdc_rankswap_window(10, records));
	for (uint32 i = 0; i < records; i++)
		protected[i] = original[donor[i]];
}

/* bench_windows compares linkage by windows with that of ranklink.h. */
static void
bench_windows(void)
{
	static SdcCandidatesColumn column[WINDOW_COLUMNS];
	static SdcPairColumn pair[WINDOW_COLUMNS];
	const SdcInterval *interval[WINDOW_COLUMNS];
	int			known[WINDOW_COLUMNS];
	uint32		width = sdc_rankswap_window(10, WINDOW_RECORDS);
	SdcCandidatesTask task = {.records = WINDOW_RECORDS, .count = WINDOW_COLUMNS,
	.column = column};
	SdcPairs	pairs = {WINDOW_RECORDS, WINDOW_COLUMNS, pair};
	SdcRankTask alone = {.pairs = &pairs, .known = known, .count = WINDOW_COLUMNS,
	.interval = interval};
	SdcRankLink *link = sdc_alloc(WINDOW_RECORDS * sizeof(SdcRankLink));
	double	   *number = sdc_alloc(WINDOW_RECORDS * sizeof(double));
	double		time;
	double		both;

	for (uint32 c = 0; c < WINDOW_RECORDS; c++)
		number[c] = c;
	for (int a = 0; a < WINDOW_COLUMNS; a++)
	{
		uint32	   *original = sdc_alloc(WINDOW_RECORDS * sizeof(uint32));
		uint32	   *protected = sdc_alloc(WINDOW_RECORDS * sizeof(uint32));
		SdcInterval *window = sdc_alloc(WINDOW_RECORDS * sizeof(SdcInterval));
		SdcInterval *of_code = sdc_alloc(WINDOW_RECORDS * sizeof(SdcInterval));

		swap_column(WINDOW_RECORDS, a, original, protected);
		column[a] = (SdcCandidatesColumn) {.kind = SDC_CANDIDATES_WINDOW, .original = original,
		.protected = protected, .codes = WINDOW_RECORDS, .value = number, .window = window};
		sdc_candidates_windows(&task, &column[a], &width, window);
		pair[a] = (SdcPairColumn) {original, protected, WINDOW_RECORDS, number};
		for (uint32 i = 0; i < WINDOW_RECORDS; i++)
			of_code[original[i]] = window[i];
		interval[a] = of_code;
		known[a] = a;
	}
	time = now_ms();
	alone.space = sdc_metricspace_create(&pairs, known, WINDOW_COLUMNS, SDC_METRIC_EUCLIDEAN);
	sdc_ranklink_run(&alone, SDC_RANK_INTERSECTION, NULL, WINDOW_RECORDS, link);
	time = now_ms() - time;
	printf("\n%-40s %9.1f\n", "attack by windows, 100,000 x 10", time);
	both = bench_attack("  candidates, nearest", &task, SDC_CANDIDATES_NEAREST);
	both += bench_attack("  distance", &task, SDC_CANDIDATES_DISTANCE);
	printf("  both, in attacks by windows %22.2f\n", both / time);
	bench_everybody("  everybody else known", &task);
}

/* A table of categories, like a census: columns of so many values, the first the most frequent. */
static const uint32 table_codes[TABLE_COLUMNS] = {74, 16, 7, 7, 6, 5, 41, 2, 2};
static uint32 *table_original[TABLE_COLUMNS];
static uint32 *table_protected[TABLE_COLUMNS];
static double *table_share[TABLE_COLUMNS];

/* make_table draws it, with shares. */
static void
make_table(void)
{
	start("table", 0);
	for (int a = 0; a < TABLE_COLUMNS; a++)
	{
		table_original[a] = sdc_alloc(TABLE_RECORDS * sizeof(uint32));
		table_protected[a] = sdc_alloc(TABLE_RECORDS * sizeof(uint32));
		table_share[a] = sdc_alloc(table_codes[a] * sizeof(double));
		memset(table_share[a], 0, table_codes[a] * sizeof(double));
		for (uint32 i = 0; i < TABLE_RECORDS; i++)
		{
			double		u = sdc_stream_uniform(stream);
			uint32		code = (uint32) (table_codes[a] * (a == 0 ? u : u * u * u));

			table_original[a][i] = code;
			table_share[a][code] += 1.0 / TABLE_RECORDS;
		}
	}
}

/* randomize_table draws k columns of every record, and copies them from others. */
static void
randomize_table(uint32 k)
{
	start("randomize", k);
	for (int a = 0; a < TABLE_COLUMNS; a++)
		memcpy(table_protected[a], table_original[a], TABLE_RECORDS * sizeof(uint32));
	for (uint32 i = 0; i < TABLE_RECORDS; i++)
	{
		uint32		left = k;

		for (uint32 a = 0; a < TABLE_COLUMNS; a++)
			if (sdc_stream_below(stream, TABLE_COLUMNS - a) < left)
			{
				left--;
				table_protected[a][i] =
					table_original[a][sdc_stream_below(stream, TABLE_RECORDS)];
			}
	}
}

/* group_table makes groups of neighbours: sorted by all columns, the first first. */
static uint32
group_table(uint32 *group, SdcInterval **range, uint64 *start_of, uint32 **element)
{
	uint32		groups = (TABLE_RECORDS + GROUP_RECORDS - 1) / GROUP_RECORDS;

	for (uint32 i = 0; i < TABLE_RECORDS; i++)
	{
		key[i] = 0;
		for (int a = 0; a < TABLE_COLUMNS; a++)
			key[i] = key[i] * table_codes[a] + table_original[a][i];
	}
	memset(tie, 0, TABLE_RECORDS * sizeof(uint32));
	sdc_rankorder_sort(key, NULL, TABLE_RECORDS, tie, work, order);
	for (uint32 g = 0; g <= groups; g++)
		start_of[g] = g < groups ? (uint64) g * GROUP_RECORDS : TABLE_RECORDS;
	for (int a = 0; a < TABLE_COLUMNS; a++)
	{
		range[a] = sdc_alloc(groups * sizeof(SdcInterval));
		element[a] = sdc_alloc(TABLE_RECORDS * sizeof(uint32));
		for (uint32 g = 0; g < groups; g++)
			range[a][g] = (SdcInterval) {UINT32_MAX - 1, 0};
		for (uint32 p = 0; p < TABLE_RECORDS; p++)
		{
			uint32		code = table_original[a][order[p]];
			SdcInterval *of_group = &range[a][p / GROUP_RECORDS];

			group[order[p]] = p / GROUP_RECORDS;
			element[a][p] = code;
			of_group->first = code < of_group->first ? code : of_group->first;
			of_group->last = code > of_group->last ? code : of_group->last;
		}
	}
	return groups;
}

/* bench_table measures one way to protect the table, with everybody known if that is not refused. */
static double
bench_table(const char *what, const SdcCandidatesTask *task, bool everybody)
{
	double		time = bench_attack(what, task, SDC_CANDIDATES_NEAREST);

	if (everybody)
		bench_everybody("  everybody else known", task);
	return time;
}

/* bench_tables measures all ways to protect it. */
static void
bench_tables(void)
{
	static SdcCandidatesColumn column[TABLE_COLUMNS];
	static SdcInterval *range[TABLE_COLUMNS];
	static uint32 *element[TABLE_COLUMNS];
	static const uint32 draws[] = {1, 3, 5, 9};
	uint32	   *group = sdc_alloc(TABLE_RECORDS * sizeof(uint32));
	uint64	   *start_of = sdc_alloc((TABLE_RECORDS + 1) * sizeof(uint64));
	SdcCandidatesTask task = {.records = TABLE_RECORDS, .count = TABLE_COLUMNS,
	.column = column};
	double		sum = 0;

	make_table();
	printf("\n%-40s\n", "a table of categories, 30,162 x 9");
	for (int a = 0; a < TABLE_COLUMNS; a++)
		column[a] = (SdcCandidatesColumn) {.kind = SDC_CANDIDATES_EXACT,
		.original = table_original[a], .protected = table_original[a], .codes = table_codes[a]};
	sum += bench_table("copied", &task, true);
	for (size_t i = 0; i < sizeof(draws) / sizeof(uint32); i++)
	{
		SdcCandidatesDraw draw = {.columns = TABLE_COLUMNS, .k = i == 0 ? 0 : (int) draws[i]};
		char		what[64];

		randomize_table(draws[i]);
		for (int a = 0; a < TABLE_COLUMNS; a++)
			column[a] = (SdcCandidatesColumn) {.kind = SDC_CANDIDATES_RANDOMIZED,
			.original = table_original[a], .protected = table_protected[a],
			.codes = table_codes[a], .share = table_share[a], .probability = 1.0 / TABLE_COLUMNS};
		task.draw = &draw;
		task.draws = 1;
		snprintf(what, sizeof(what), i == 0 ? "RA 1" : "RA 2, k = %u", draws[i]);
		sum += bench_table(what, &task, i == 0);
		task.draws = 0;
	}
	task.groups = group_table(group, range, start_of, element);
	task.group = group;
	for (int a = 0; a < TABLE_COLUMNS; a++)
		column[a] = (SdcCandidatesColumn) {.kind = a == 0 ? SDC_CANDIDATES_RANGE :
		SDC_CANDIDATES_SET, .original = table_original[a], .codes = table_codes[a],
		.range = range[a], .start = start_of, .element = element[a]};
	sum += bench_table("generalized", &task, true);
	for (int a = 0; a < TABLE_COLUMNS; a++)
		column[a].kind = SDC_CANDIDATES_JOINT;
	task.joints = 1;
	task.joint = &(SdcCandidatesJoint) {group, task.groups};
	sum += bench_table("bins", &task, true);
	printf("  sum %46.1f\n", sum);
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
	if (n >= WINDOW_RECORDS)
	{
		bench_windows();
		bench_tables();
	}

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
