/*-------------------------------------------------------------------------
 *
 * test_equiwidth.c
 *		Equi-width partitioning and the numbering of boxes, against comparing all records with each other.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include <float.h>

#include "kernel/base/boxes.h"
#include "kernel/bins/equiwidth.h"
#include "random.h"
#include "tap.h"

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))
#define MAX_RECORDS 3000
#define MAX_ATTRIBUTES 8
#define UNTOUCHED UINT32_C(0xABCDABCD)

/* A file and its task. */
static double value[MAX_ATTRIBUTES][MAX_RECORDS];
static const double *column[MAX_ATTRIBUTES];
static double low[MAX_ATTRIBUTES];
static double range[MAX_ATTRIBUTES];
static double width[MAX_ATTRIBUTES];
static uint64 vector[MAX_RECORDS][MAX_ATTRIBUTES];
static uint32 bin[MAX_RECORDS];

/* kind_value draws a value of one of several kinds of attribute. */
static double
kind_value(int kind)
{
	switch (kind)
	{
		case 0:
			return uniform();
		case 1:
			return pick(5);
		case 2:
			return 7;
		case 3:
			return exp(30 * uniform());
		case 4:
			return pick(1000) == 0 ? 1e12 : uniform();
		case 5:
			return (uniform() - 0.5) * 2 * 1.7e308;
		case 6:
			return (double) pick(1000) * 5e-324;
		default:
			return 1e9 + pick(100) / 10.0;
	}
}

/* make_file fills a file of attributes of random kinds. */
static void
make_file(SdcEquiwidthTask *task, uint32 records, int attributes)
{
	memset(task, 0, sizeof(*task));
	for (int a = 0; a < attributes; a++)
	{
		int			kind = (int) pick(8);
		double		high = -DBL_MAX;

		low[a] = DBL_MAX;
		for (uint32 r = 0; r < records; r++)
		{
			value[a][r] = kind_value(kind);
			low[a] = fmin(low[a], value[a][r]);
			high = fmax(high, value[a][r]);
		}
		column[a] = value[a];
		range[a] = records > 0 ? high - low[a] : 0;
	}
	task->value = column;
	task->attributes = attributes;
	task->records = records;
	task->low = low;
	task->range = range;
}

/* naive_index is the interval in long doubles, which do not overflow; UINT64_MAX: not comparable. */
static uint64
naive_index(const SdcEquiwidthTask *task, int a, double x)
{
	double		difference = x - task->low[a];
	double		quotient;

	if (task->range[a] == 0)
		return 0;
	if (isinf(task->range[a]))
		return UINT64_MAX;
	if (task->intervals > 0)
	{
		quotient = floor(difference * task->intervals / task->range[a]);
		return isinf(difference * task->intervals) ? UINT64_MAX :
			(uint64) fmin(quotient, task->intervals - 1.0);
	}
	quotient = floor(difference / task->width[a]);
	if (quotient >= 0x1p53)
		return UINT64_MAX;
	return (uint64) fmin(quotient, fmax(ceil(task->range[a] / task->width[a]), 1) - 1);
}

/* compare_vectors orders records by their vectors. */
static int
compare_vectors(uint32 r, uint32 s, int attributes)
{
	for (int a = 0; a < attributes; a++)
		if (vector[r][a] != vector[s][a])
			return vector[r][a] < vector[s][a] ? -1 : 1;
	return 0;
}

/*
 * check_numbers compares bins with the order of the vectors: equal exactly if the vectors are, in their
 * order, and none left out.
 */
static void
check_numbers(const uint32 *record, uint32 records, int attributes, uint32 first, uint32 bins,
			  const char *what)
{
	uint32		highest = 0;

	for (uint32 i = 0; i < records; i++)
	{
		uint32		r = record == NULL ? i : record[i];
		uint32		below = 0;
		uint32		s = record == NULL ? pick(records) : record[pick(records)];
		int			order = compare_vectors(r, s, attributes);

		CHECKF(bin[r] >= first && bin[r] - first < bins, "bin %u: %s", bin[r], what);
		CHECKF((order < 0) == (bin[r] < bin[s]) && (order == 0) == (bin[r] == bin[s]),
			   "records %u, %u: %s", r, s, what);
		highest = bin[r] - first + 1 > highest ? bin[r] - first + 1 : highest;
		if (records > 100)
			continue;
		/* the number is that of the distinct smaller vectors */
		for (uint32 j = 0; j < records; j++)
		{
			bool		known = false;

			s = record == NULL ? j : record[j];
			if (compare_vectors(s, r, attributes) >= 0)
				continue;
			for (uint32 k = 0; k < j && !known; k++)
				known = compare_vectors(record == NULL ? k : record[k], s, attributes) == 0;
			below += !known;
		}
		CHECKF(bin[r] - first == below, "record %u: bin %u, %u below: %s", r, bin[r], below, what);
	}
	CHECKF(highest == bins, "%u bins, not %u: %s", bins, highest, what);
}

/* check_task runs a task and checks intervals and bins. */
static void
check_task(const SdcEquiwidthTask *task, const char *what)
{
	uint32		first = pick(2) == 0 ? 0 : pick(1000);
	uint32		bins;

	for (uint32 r = 0; r < MAX_RECORDS; r++)
		bin[r] = UNTOUCHED;
	bins = sdc_equiwidth(task, first, bin);
	for (uint32 i = 0; i < task->records; i++)
	{
		uint32		r = task->record == NULL ? i : task->record[i];

		for (int a = 0; a < task->attributes; a++)
		{
			uint64		naive = naive_index(task, a, value[a][r]);

			vector[r][a] = sdc_equiwidth_index(task, a, value[a][r]);
			CHECKF(naive == UINT64_MAX || vector[r][a] == naive, "%.17g in %llu, not %llu: %s",
				   value[a][r], (unsigned long long) vector[r][a], (unsigned long long) naive, what);
		}
	}
	check_numbers(task->record, task->records, task->attributes, first, bins, what);
	if (task->record != NULL)
	{
		uint32		i = 0;

		for (uint32 r = 0; r < MAX_RECORDS; r++)
		{
			if (i < task->records && task->record[i] == r)
				i++;
			else
				CHECKF(bin[r] == UNTOUCHED, "record %u is not of the task: %s", r, what);
		}
	}
}

/* random_files tries files of all kinds, with numbers of intervals and with widths. */
static void
random_files(void)
{
	static const uint32 counts[] = {1, 2, 3, 10, 37, 1000, 1000000, UINT32_MAX};
	static uint32 record[MAX_RECORDS];

	for (int seed = 0; seed < 700; seed++)
	{
		SdcEquiwidthTask task;
		uint32		records = pick(4) == 0 ? pick(MAX_RECORDS) + 1 : pick(90);
		int			attributes = 1 + (int) pick(MAX_ATTRIBUTES);
		char		what[100];

		random_state = (uint64) seed * 77 + 5;
		make_file(&task, records, attributes);
		if (pick(2) == 0)
			task.intervals = counts[pick(LENGTH(counts))];
		else
		{
			for (int a = 0; a < attributes; a++)
			{
				width[a] = pick(3) == 0 ? range[a] / (1 + pick(20)) : range[a] * exp(-50 * uniform());
				if (pick(20) == 0)
					width[a] = 5e-324;
				if (pick(20) == 0)
					width[a] = DBL_MAX;
				width[a] = fmax(fmin(width[a], DBL_MAX), 5e-324);
			}
			task.width = width;
		}
		if (pick(3) == 0)
		{
			task.records = 0;
			for (uint32 r = 0; r < records; r++)
				if (pick(2) == 0)
					record[task.records++] = r;
			task.record = record;
		}
		snprintf(what, sizeof(what), "seed %d, %u records, %d attributes, %u intervals", seed,
				 task.records, attributes, task.intervals);
		check_task(&task, what);
	}
}

/* one_attribute prepares a task of one attribute. */
static void
one_attribute(SdcEquiwidthTask *task, double least, double reach, uint32 intervals, double step)
{
	memset(task, 0, sizeof(*task));
	column[0] = value[0];
	low[0] = least;
	range[0] = reach;
	width[0] = step;
	task->value = column;
	task->attributes = 1;
	task->low = low;
	task->range = range;
	task->intervals = intervals;
	task->width = width;
}

/* index_of is the interval of a value. */
static unsigned long long
index_of(const SdcEquiwidthTask *task, double x)
{
	return sdc_equiwidth_index(task, 0, x);
}

/* intervals_by_hand checks intervals that are known. */
static void
intervals_by_hand(void)
{
	SdcEquiwidthTask task;

	one_attribute(&task, 10, 20, 4, 0);
	CHECK(index_of(&task, 10) == 0);
	CHECK(index_of(&task, 14.999) == 0);
	CHECK(index_of(&task, 15) == 1);
	CHECK(index_of(&task, 29.999) == 3);
	CHECK(index_of(&task, 30) == 3);
	CHECK(index_of(&task, 9) == 0);
	CHECK(index_of(&task, -DBL_MAX) == 0);
	CHECK(index_of(&task, DBL_MAX) == 3);

	/* widths: the last interval is closed if they divide the range, and short if they do not */
	one_attribute(&task, 0, 10, 0, 5);
	CHECK(index_of(&task, 5) == 1);
	CHECK(index_of(&task, 10) == 1);
	CHECK(index_of(&task, 1e300) == 1);
	one_attribute(&task, 0, 10, 0, 4);
	CHECK(index_of(&task, 7.999) == 1);
	CHECK(index_of(&task, 8) == 2);
	CHECK(index_of(&task, 10) == 2);
	one_attribute(&task, 0, 10, 0, 10);
	CHECK(index_of(&task, 10) == 0);
	one_attribute(&task, 0, 10, 0, 1e300);
	CHECK(index_of(&task, 10) == 0);

	/* constant */
	one_attribute(&task, 3, 0, 0, 1);
	CHECK(index_of(&task, 3) == 0);
	one_attribute(&task, 3, 0, 7, 0);
	CHECK(index_of(&task, 3) == 0);
	CHECK(index_of(&task, 9) == 0);
}

/* as_in_sql: values on the border between intervals go where the expression in doubles puts them. */
static void
as_in_sql(void)
{
	SdcEquiwidthTask task;

	for (uint32 m = 1; m < 60; m++)
		for (uint32 k = 0; k <= 120; k++)
		{
			double		x = 0.1 + k * 0.01;

			one_attribute(&task, 0.1, 1.3 - 0.1, m, 0);
			CHECKF(index_of(&task, x) == naive_index(&task, 0, x), "%u intervals, %.17g", m, x);
			one_attribute(&task, 0.1, 1.3 - 0.1, 0, m * 0.01);
			CHECKF(index_of(&task, x) == naive_index(&task, 0, x), "width %.17g, %.17g", width[0], x);
		}
}

/* extreme_numbers checks ranges that overflow, that are tiny, and widths that are tiny against them. */
static void
extreme_numbers(void)
{
	SdcEquiwidthTask task;

	/* the product with the intervals would overflow */
	one_attribute(&task, 0, DBL_MAX, 4, 0);
	CHECK(index_of(&task, 0) == 0);
	CHECK(index_of(&task, DBL_MAX / 4) == 1);
	CHECK(index_of(&task, nextafter(DBL_MAX / 2, 0)) == 1);
	CHECK(index_of(&task, DBL_MAX / 2) == 2);
	CHECK(index_of(&task, DBL_MAX) == 3);
	one_attribute(&task, -0x1p1022, 0x1p1023, UINT32_MAX, 0);
	CHECK(index_of(&task, 0) == UINT32_MAX / 2);
	CHECK(index_of(&task, 0x1p1022) == UINT32_MAX - 1);

	/* the range itself overflows: up to the largest double */
	one_attribute(&task, -DBL_MAX, INFINITY, 4, 0);
	CHECK(index_of(&task, -DBL_MAX) == 0);
	CHECK(index_of(&task, -DBL_MAX / 2) == 1);
	CHECK(index_of(&task, -DBL_MAX / 1.99) == 0);
	CHECK(index_of(&task, 0) == 2);
	CHECK(index_of(&task, DBL_MAX) == 3);
	one_attribute(&task, -DBL_MAX, INFINITY, 0, DBL_MAX);
	CHECK(index_of(&task, -1e300) == 0);
	CHECK(index_of(&task, 0) == 1);
	CHECK(index_of(&task, DBL_MAX) == 1);

	/* denormal numbers */
	one_attribute(&task, 0, 10 * 5e-324, 5, 0);
	CHECK(index_of(&task, 5e-324) == 0);
	CHECK(index_of(&task, 2 * 5e-324) == 1);
	CHECK(index_of(&task, 10 * 5e-324) == 4);
	one_attribute(&task, 0, 10 * 5e-324, 0, 3 * 5e-324);
	CHECK(index_of(&task, 3 * 5e-324) == 1);
	CHECK(index_of(&task, 10 * 5e-324) == 3);

	/* 10^300 widths and more: every value for itself, in order */
	for (int unit = 0; unit < 2; unit++)
	{
		one_attribute(&task, unit == 0 ? 0 : -1e308, unit == 0 ? 1e300 : 1.1e308, 0,
					  unit == 0 ? 1 : 5e-324);
		CHECK(index_of(&task, low[0]) == 0);
		for (double x = 1; x < 1e300; x *= 1.37)
		{
			double		at = low[0] + range[0] * (x / 1e300);
			double		next = nextafter(at, INFINITY);
			unsigned long long here = index_of(&task, at);
			unsigned long long above = index_of(&task, next);

			CHECKF(here <= above, "%g", x);
			CHECKF(here < above || at - low[0] == next - low[0] || at - low[0] < 0x1p53, "%g", x);
		}
	}
	one_attribute(&task, 0, 1e300, 0, 1);
	CHECK(index_of(&task, 3.5) == 3);
	CHECK(index_of(&task, 0x1p53 - 1) == (UINT64_C(1) << 53) - 1);
	CHECK(index_of(&task, 0x1p53) < index_of(&task, nextafter(0x1p53, INFINITY)));
	CHECK(index_of(&task, 1e301) == index_of(&task, 1e300));
}

/* missing_values have an interval of their own in sdc_equiwidth_indices. */
static void
missing_values(void)
{
	SdcEquiwidthTask task;
	uint64		index[4];

	one_attribute(&task, 0, 10, 5, 0);
	task.records = 4;
	value[0][0] = 10;
	value[0][1] = NAN;
	value[0][2] = 2;
	value[0][3] = INFINITY;
	CHECK(sdc_equiwidth_indices(&task, 0, index) == 5);
	CHECK(index[0] == 4 && index[1] == 5 && index[2] == 1 && index[3] == 4);
	range[0] = 0;
	CHECK(sdc_equiwidth_indices(&task, 0, index) == 1);
	CHECK(index[0] == 0 && index[1] == 1 && index[2] == 0 && index[3] == 0);
}

/* no_records and records without attributes have 0 bins and 1. */
static void
no_records(void)
{
	SdcEquiwidthTask task;

	one_attribute(&task, 0, 0, 5, 0);
	CHECK(sdc_equiwidth(&task, 3, bin) == 0);
	range[0] = 1;
	CHECK(sdc_equiwidth(&task, 3, bin) == 0);
	task.attributes = 0;
	task.records = 5;
	CHECK(sdc_equiwidth(&task, 3, bin) == 1);
	CHECK(bin[0] == 3 && bin[4] == 3);
	task.attributes = 1;
	task.records = 1;
	value[0][0] = 0.5;
	CHECK(sdc_equiwidth(&task, 0, bin) == 1 && bin[0] == 0);
	CHECK(sdc_equiwidth_memory(1000, 3) >= 32000);
	CHECK(sdc_equiwidth_memory(UINT32_MAX, 3) > UINT64_C(32) * UINT32_MAX);
}

/* boxes_of_any_size numbers vectors whose components need few bits, many, or all. */
static void
boxes_of_any_size(void)
{
	for (int seed = 0; seed < 300; seed++)
	{
		uint32		records = pick(3) == 0 ? 1 + pick(MAX_RECORDS) : pick(90);
		int			attributes = (int) pick(MAX_ATTRIBUTES);
		SdcBoxes   *boxes = sdc_boxes_create(records);
		char		what[100];
		uint32		bins;

		random_state = (uint64) seed * 31 + 1;
		for (int a = 0; a < attributes; a++)
		{
			int			bits = (int) pick(64);
			uint64		most = 0;
			uint64		values = 1 + pick(pick(2) == 0 ? 3 : 10000);
			uint64		base = random64() >> bits;

			for (uint32 r = 0; r < records; r++)
			{
				uint64		one = values > 5000 ? random64() >> bits : base / (1 + pick((uint32) values));

				one = one == UINT64_MAX ? 0 : one;
				vector[r][a] = sdc_boxes_column(boxes)[r] = one;
				most = one > most ? one : most;
			}
			sdc_boxes_add(boxes, pick(2) == 0 || most == UINT64_MAX - 1 ? most : most + 1);
		}
		bins = sdc_boxes_number(boxes, NULL, 7, bin);
		snprintf(what, sizeof(what), "seed %d, %u records, %d attributes", seed, records, attributes);
		check_numbers(NULL, records, attributes, 7, bins, what);
		sdc_boxes_destroy(boxes);
	}
}

/* order_does_not_matter: records in another order have the same bins. */
static void
order_does_not_matter(void)
{
	SdcEquiwidthTask task;
	static uint32 straight[MAX_RECORDS];

	make_file(&task, 2000, 3);
	task.intervals = 9;
	sdc_equiwidth(&task, 0, straight);
	for (int a = 0; a < 3; a++)
		for (uint32 r = 0; r < 1000; r++)
		{
			double		held = value[a][r];

			value[a][r] = value[a][1999 - r];
			value[a][1999 - r] = held;
		}
	sdc_equiwidth(&task, 0, bin);
	for (uint32 r = 0; r < 2000; r++)
		CHECK(bin[r] == straight[1999 - r]);
}

/* main runs the tests. */
int
main(void)
{
	RUN(intervals_by_hand);
	RUN(as_in_sql);
	RUN(extreme_numbers);
	RUN(missing_values);
	RUN(no_records);
	RUN(boxes_of_any_size);
	RUN(random_files);
	RUN(order_does_not_matter);
	return tap_done();
}
