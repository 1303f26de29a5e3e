/*-------------------------------------------------------------------------
 *
 * test_nearprefix.c
 *		Linkage by distance for all numbers of attributes, against one run for each and all pairs.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include <math.h>

#include "kernel/distance/nearprefix.h"

#include "random.h"
#include "tap.h"

#define MAX_ATTRIBUTES 8

/* Files up to this are compared with all pairs too. */
#define NAIVE_RECORDS 150

/* What is tied, written down here: the kernel's own constant would follow a mistake in it. */
#define TIE (1 + 1e-9)

/* What the attributes of a file are like. */
enum
{
	DISTINCT, FEW_VALUES, MIXED, SKEWED, MISSING, CLOSE, KINDS
};

/* A file of pairs, and what is found in it. */
static SdcPairs pairs;
static SdcPairColumn column[MAX_ATTRIBUTES];
static int	known[MAX_ATTRIBUTES];
static uint32 *record;			/* those that are linked, or NULL */
static uint32 count;
static SdcLink *found;			/* by number of attributes, then by index */
static uint32 calls;

/* make_column makes an attribute: mostly near the original value, else the same or any. */
static void
make_column(int j, uint32 n, int kind)
{
	uint32		codes = kind == DISTINCT || (kind == MIXED && j % 2 == 0) ? 4 * n + 4 :
		kind == FEW_VALUES ? 2 + pick(6) : 1 + pick(40);
	uint32	   *original = sdc_alloc((n + 1) * sizeof(uint32));
	uint32	   *protected = sdc_alloc((n + 1) * sizeof(uint32));
	double	   *value = sdc_alloc(codes * sizeof(double));

	/* CLOSE: distances that differ by about as much as tied ones may */
	for (uint32 c = 0; c < codes; c++)
		value[c] = kind == SKEWED ? exp(0.2 * c) :
			kind == CLOSE ? (c < codes / 2 ? 0 : 1e6 + 2e-5 * c) : c;
	if (pick(20) == 0)
		value[codes - 1] = NAN;
	for (uint32 i = 0; i < n; i++)
	{
		uint32		way = pick(10);

		original[i] = pick(codes);
		protected[i] = way < 6 ? (original[i] + pick(codes / 20 + 1)) % codes :
			way < 8 ? original[i] : pick(codes);
		if (kind == MISSING && pick(6) == 0)
			original[i] = SDC_CODE_NULL;
		if (kind == MISSING && pick(6) == 0)
			protected[i] = SDC_CODE_NULL;
	}
	column[j] = (SdcPairColumn) {original, protected, codes, value};
	if (pick(25) == 0)
	{
		sdc_free(value);
		column[j].value = NULL;	/* nominal */
	}
}

/* make_file makes a file, and chooses the records to link. */
static void
make_file(uint32 n, int attributes, int kind)
{
	pairs = (SdcPairs) {n, attributes, column};
	for (int j = 0; j < attributes; j++)
	{
		known[j] = j;
		make_column(j, n, kind);
	}
	record = NULL;
	count = n;
	if (n > 3 && pick(3) == 0)
	{
		record = sdc_alloc(n * sizeof(uint32));
		count = 0;
		for (uint32 i = 0; i < n; i++)
			if (pick(2) == 0)
				record[count++] = i;
	}
}

/* free_file frees it. */
static void
free_file(void)
{
	for (int j = 0; j < pairs.attributes; j++)
	{
		sdc_free((void *) column[j].original);
		sdc_free((void *) column[j].protected);
		if (column[j].value != NULL)
			sdc_free((void *) column[j].value);
	}
	if (record != NULL)
		sdc_free(record);
}

/* note_link is the SdcNearprefixResult. */
static void
note_link(void *arg, int attributes, uint32 index, const SdcLink *link)
{
	(void) arg;
	found[(Size) (attributes - 1) * count + index] = *link;
	calls++;
}

/* check_naively compares a link with what all pairs say. */
static void
check_naively(const SdcMetricSpace *space, uint32 original, const SdcLink *link)
{
	double		query[MAX_ATTRIBUTES];
	double		point[MAX_ATTRIBUTES];
	double		least = INFINITY;
	uint32		ties = 0;
	uint32		first = SDC_RECORD_NONE;

	sdc_metricspace_original(space, original, query);
	for (int pass = 0; pass < 2; pass++)
		for (uint32 i = 0; i < pairs.records; i++)
		{
			double		measure;

			sdc_metricspace_protected(space, i, point);
			measure = sdc_metricspace_measure(space, query, point);
			if (pass == 0)
				least = fmin(least, measure);
			else if (!isinf(least) && measure <= least * TIE)
			{
				first = ties++ == 0 ? i : first;
			}
		}
	CHECKF(link->ties == ties && link->linked == first, "ties %u, want %u", link->ties, ties);
}

/* check_attributes compares the links by so many attributes with those of a run. */
static void
check_attributes(const SdcMetricSpace *space, int attributes)
{
	SdcLink    *link = sdc_alloc(count * sizeof(SdcLink));

	for (uint32 i = 0; i < count; i++)
		link[i].linked = SDC_RECORD_NONE;
	sdc_nearest_run(space, record, count, NULL, link);
	for (uint32 i = 0; i < count; i++)
	{
		const SdcLink *got = &found[(Size) (attributes - 1) * count + i];

		CHECKF(got->ties == link[i].ties && got->linked == link[i].linked &&
			   got->correct == link[i].correct &&
			   (got->ties == 0 || got->distance == link[i].distance),
			   "n %u, %d attributes, record %u: ties %u, want %u", pairs.records, attributes, i,
			   got->ties, link[i].ties);
		if (pairs.records <= NAIVE_RECORDS)
			check_naively(space, record == NULL ? i : record[i], got);
	}
	sdc_free(link);
}

/* check_file compares all numbers of attributes. */
static void
check_file(uint32 n, int attributes, int kind)
{
	const SdcMetric metric = pick(5) == 0 ? SDC_METRIC_MANHATTAN :
		pick(6) == 0 ? SDC_METRIC_GOWER : SDC_METRIC_EUCLIDEAN;
	const SdcMetricSpace *spaces[MAX_ATTRIBUTES];

	make_file(n, attributes, kind);
	for (int c = 1; c <= attributes; c++)
		spaces[c - 1] = sdc_metricspace_create(&pairs, known, c, metric);
	found = sdc_alloc((Size) count * attributes * sizeof(SdcLink));
	calls = 0;
	sdc_nearprefix_run(spaces, attributes, record, count, NULL, note_link, NULL);
	CHECKF(calls == count * attributes, "%u calls", calls);
	for (int c = 1; c <= attributes; c++)
		check_attributes(spaces[c - 1], c);
	for (int c = 1; c <= attributes; c++)
		sdc_metricspace_destroy((SdcMetricSpace *) spaces[c - 1]);
	sdc_free(found);
	free_file();
}

/* Files of all kinds and sizes. */
static void
prefixes_are_runs(void)
{
	for (int round = 0; round < 100; round++)
		check_file(round % 7 == 0 ? pick(4) : 1 + pick(600), 1 + pick(MAX_ATTRIBUTES),
				   round % KINDS);
}

/* Larger ones, where searches give up and lists are long. */
static void
large_files(void)
{
	for (int kind = 0; kind < KINDS; kind++)
		check_file(3000, MAX_ATTRIBUTES, kind);
}

int
main(void)
{
	RUN(prefixes_are_runs);
	RUN(large_files);
	return tap_done();
}
