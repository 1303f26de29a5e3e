/*-------------------------------------------------------------------------
 *
 * test_attackerrisk.c
 *		Risks from a table of the population, against a look at all records.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include <math.h>

#include "kernel/base/boxes.h"
#include "kernel/groups/attackerrisk.h"

#include "random.h"
#include "reference.h"
#include "tap.h"

#define PEOPLE 50
#define CLASSES 1300			/* more than two blocks */
#define COLUMNS 3
#define CODES 6
#define SET 4

static uint32 person[COLUMNS][PEOPLE];
static uint32 low[COLUMNS][CLASSES];
static uint32 high[COLUMNS][CLASSES];
static uint32 start[COLUMNS][CLASSES + 1];
static uint32 element[COLUMNS][CLASSES * SET];
static uint64 released[CLASSES];
static uint64 population[CLASSES];
static SdcAttackerColumn column[COLUMNS];

/* contains: whether a class is compatible with a value. */
static bool
contains(int j, uint32 class, uint32 code)
{
	switch (column[j].kind)
	{
		case SDC_ATTACKER_EQUAL:
			return low[j][class] == code;
		case SDC_ATTACKER_RANGE:
			return low[j][class] == SDC_CODE_NULL ||
				(code != SDC_CODE_NULL && low[j][class] <= code && code <= high[j][class]);
		default:
			if (low[j][class] == SDC_CODE_NULL)
				return true;
			for (uint32 e = start[j][low[j][class]]; e < start[j][low[j][class] + 1]; e++)
				if (element[j][e] == code)
					return true;
			return false;
	}
}

/* draw_code draws a code, or a missing value. */
static uint32
draw_code(void)
{
	return pick(6) == 0 ? SDC_CODE_NULL : pick(CODES);
}

/* draw_column fills a column of any kind. */
static void
draw_column(int j, uint32 people, uint32 classes)
{
	column[j] = (SdcAttackerColumn) {(SdcAttackerKind) pick(3), person[j], CODES, low[j], high[j],
	start[j], element[j]};
	for (uint32 i = 0; i < people; i++)
		person[j][i] = draw_code();
	start[j][0] = 0;
	for (uint32 c = 0; c < classes; c++)
	{
		low[j][c] = column[j].kind == SDC_ATTACKER_SET && pick(6) > 0 ? pick(classes) : draw_code();
		if (column[j].kind == SDC_ATTACKER_SET && low[j][c] >= classes)
			low[j][c] = SDC_CODE_NULL;
		high[j][c] = pick(CODES);
		start[j][c + 1] = start[j][c] + pick(SET + 1);
		for (uint32 e = start[j][c]; e < start[j][c + 1]; e++)
			element[j][e] = draw_code();
	}
}

/* compatible: whether a person fits into a class. */
static bool
compatible(int columns, uint32 class, uint32 i)
{
	for (int j = 0; j < columns; j++)
		if (!contains(j, class, person[j][i]))
			return false;
	return true;
}

/* Classes that overlap, of all kinds of columns. */
static void
covers_agree(void)
{
	static double shares[PEOPLE];
	static uint64 count[PEOPLE];
	SdcAttackerTask task = {0, NULL, 0, 0, column, released};
	SdcAttackerPresence got;

	for (uint32 round = 0; round < 1500; round++)
	{
		double		least = 1;
		double		greatest = 0;

		random_state = round;
		task.people = pick(PEOPLE + 1);
		task.count = pick(2) == 0 ? NULL : count;
		for (uint32 i = 0; i < task.people; i++)
			count[i] = 1 + pick(3);
		task.classes = round % 50 == 0 ? 500 + pick(CLASSES - 499) : pick(20);
		task.columns = 1 + (int) pick(COLUMNS);
		for (int j = 0; j < task.columns; j++)
			draw_column(j, task.people, task.classes);
		for (uint32 c = 0; c < task.classes; c++)
			released[c] = 1 + pick(4);
		memset(population, 0xFF, sizeof(population));
		memset(shares, 0, sizeof(shares));
		sdc_attackerrisk_cover(&task, population, &got);
		for (uint32 c = 0; c < task.classes; c++)
		{
			uint64		all = 0;

			for (uint32 i = 0; i < task.people; i++)
				if (compatible(task.columns, c, i))
					all += task.count != NULL ? count[i] : 1;
			CHECKF(population[c] == all, "round %u, class %u", round, c);
			for (uint32 i = 0; i < task.people; i++)
				if (compatible(task.columns, c, i))
					shares[i] += fmin(1, (double) released[c] / (double) all);
		}
		for (uint32 i = 0; i < task.people; i++)
		{
			least = fmin(least, fmin(1, shares[i]));
			greatest = fmax(greatest, fmin(1, shares[i]));
		}
		least = task.people > 0 ? least : 0;
		CHECKF(fabs(got.least - least) < 1e-12 && fabs(got.greatest - greatest) < 1e-12,
			   "round %u: %g %g, %g %g", round, got.least, least, got.greatest, greatest);
	}
}

/* Figures of classes, record by record. */
static void
classes_agree(void)
{
	for (uint32 round = 0; round < 5000; round++)
	{
		SdcAttackerRisk got;
		SdcAttackerPresence presence;
		uint32		classes;
		double		threshold;
		double		sum[5] = {0};	/* records, their 1 / f, 1 / F, and at risk by either */
		double		most[2] = {0};
		uint64		least = UINT64_MAX;
		uint64		count[3] = {0};
		uint64		people;
		double		low_share = 1;
		double		high_share = 0;

		random_state = round;
		classes = pick(12);
		threshold = pick(2) ? 0.2 : 1.0 / (1 + pick(6));
		people = 0;
		for (uint32 c = 0; c < classes; c++)
		{
			released[c] = 1 + pick(1 + pick(8));
			population[c] = pick(4) == 0 ? pick(9) : released[c] + pick(1 + pick(9));
			people += population[c];
		}
		sdc_attackerrisk_measure(released, population, classes, threshold, &got);
		for (uint32 c = 0; c < classes; c++)
		{
			uint64		f = released[c];
			uint64		all = population[c] > 0 && population[c] < f ? f : population[c];

			for (uint64 i = 0; i < f; i++)
			{
				sum[0]++;
				sum[1] += 1.0 / (double) f;
				sum[2] += all > 0 ? 1.0 / (double) all : 0;
				sum[3] += 1.0 / (double) f > threshold;
				sum[4] += all > 0 && 1.0 / (double) all > threshold;
				count[0] += all == 0;
				count[1] += population[c] > 0 && population[c] < f;
				count[2] += f == 1 && population[c] == 1;
			}
			most[0] = fmax(most[0], 1.0 / (double) f);
			if (all == 0)
				continue;
			most[1] = fmax(most[1], 1.0 / (double) all);
			least = all < least ? all : least;
			low_share = fmin(low_share, (double) f / (double) all);
			high_share = fmax(high_share, (double) f / (double) all);
		}
		CHECK(got.records == sum[0] && got.classes == classes);
		CHECK(got.prosecutor_max == most[0] && got.journalist_max == most[1]);
		CHECK(got.k_map == (most[1] > 0 ? least : 0));
		CHECK(got.absent == count[0] && got.inconsistent == count[1] &&
			  got.population_uniques == count[2]);
		if (sum[0] == 0)
			continue;
		CHECK(fabs(got.prosecutor_mean - sum[1] / sum[0]) < 1e-12);
		CHECKF(fabs(got.marketer - sum[2] / sum[0]) < 1e-12, "round %u", round);
		CHECK(got.prosecutor_at_risk == sum[3] / sum[0]);
		CHECK(got.journalist_at_risk == sum[4] / sum[0]);
		sdc_attackerrisk_presence(released, population, classes, people, &presence);
		CHECK(presence.least == (people > 0 ? low_share : 0) && presence.greatest == high_share);
		sdc_attackerrisk_presence(released, population, classes, people + 1, &presence);
		CHECK(presence.least == 0 && presence.greatest == high_share);
	}
}

/* Nothing, and samples that say nothing. */
static void
ends_are_defined(void)
{
	SdcAttackerRisk risk;
	SdcAttackerPresence presence;
	SdcAttackerTask task = {0, NULL, 0, 0, column, released};

	sdc_attackerrisk_measure(NULL, NULL, 0, 0.2, &risk);
	CHECK(risk.records == 0 && risk.k_map == 0 && risk.marketer == 0 && risk.prosecutor_mean == 0);
	sdc_attackerrisk_presence(NULL, NULL, 0, 0, &presence);
	CHECK(presence.least == 0 && presence.greatest == 0);
	sdc_attackerrisk_cover(&task, population, &presence);
	CHECK(presence.least == 0 && presence.greatest == 0);
	task.people = 3;
	task.classes = 2;
	released[0] = 1;
	released[1] = 1;
	/* no column: everybody is compatible with every class */
	sdc_attackerrisk_cover(&task, population, &presence);
	CHECK(population[0] == 3 && population[1] == 3);
	CHECK(fabs(presence.least - 2.0 / 3) < 1e-15 && presence.greatest == presence.least);
	CHECK(isnan(sdc_attackerrisk_match(0, 0, 0.1)) && sdc_attackerrisk_match(5, 9, 1) == 1);
	CHECK(sdc_attackerrisk_match(5, 0, 0.1) == 1 && sdc_attackerrisk_match(0, 5, 0.1) == 0);
	CHECK(fabs(sdc_attackerrisk_match(10553, 1637, 0.01) - 0.031532) < 6e-7);
}

/* number_classes numbers the combinations of some columns of the first records. */
static uint32
number_classes(const Reference *data, const int *known, int columns, uint32 records, uint32 *number)
{
	SdcBoxes   *boxes = sdc_boxes_create(records);
	uint32		classes;

	for (int j = 0; j < columns; j++)
	{
		uint64	   *cell = sdc_boxes_column(boxes);

		for (uint32 i = 0; i < records; i++)
			cell[i] = data->code[known[j]][i];
		sdc_boxes_add(boxes, data->codes[known[j]]);
	}
	classes = sdc_boxes_number(boxes, NULL, 0, number);
	sdc_boxes_destroy(boxes);
	return classes;
}

/* count_classes counts the population and a sample by class; classes that are not in the sample go. */
static uint32
count_classes(const uint32 *number, uint32 records, const bool *sampled, uint32 classes,
			  uint64 *f, uint64 *all)
{
	uint32		kept = 0;

	memset(f, 0, classes * sizeof(uint64));
	memset(all, 0, classes * sizeof(uint64));
	for (uint32 i = 0; i < records; i++)
	{
		f[number[i]] += sampled[i];
		all[number[i]]++;
	}
	for (uint32 c = 0; c < classes; c++)
	{
		if (f[c] == 0)
			continue;
		f[kept] = f[c];
		all[kept++] = all[c];
	}
	return kept;
}

/*
 * Adult: every tenth of the first 3,000 records as a release, by an independent computation, and what samples
 * tell of matches, on the average.
 */
static void
adult_agrees(void)
{
	Reference	adult;
	int			known[9];
	uint32	   *number;
	uint64	   *f;
	uint64	   *all;
	bool	   *sampled;
	SdcAttackerRisk risk;
	SdcAttackerPresence presence;
	uint32		classes;
	double		bias = 0;

	if (!reference_load("adult.csv", &adult))
		return;
	number = malloc(adult.records * sizeof(uint32));
	f = malloc(adult.records * sizeof(uint64));
	all = malloc(adult.records * sizeof(uint64));
	sampled = malloc(adult.records * sizeof(bool));
	for (uint32 i = 0; i < adult.records; i++)
		sampled[i] = i % 10 == 0;
	known[0] = reference_column(&adult, "age");
	known[1] = reference_column(&adult, "sex");
	known[2] = reference_column(&adult, "race");
	known[3] = reference_column(&adult, "education");
	classes = number_classes(&adult, known, 4, 3000, number);
	classes = count_classes(number, 3000, sampled, classes, f, all);
	sdc_attackerrisk_measure(f, all, classes, 0.2, &risk);
	sdc_attackerrisk_presence(f, all, classes, 3000, &presence);
	CHECK(risk.classes == 233 && risk.records == 300 && risk.population_uniques == 63);
	CHECKF(fabs(risk.marketer - 0.36061923717264266) < 1e-13, "%.17g", risk.marketer);
	CHECK(risk.absent == 0 && risk.inconsistent == 0 && presence.greatest == 1 && presence.least == 0);
	for (int j = 1, k = 0; j < adult.columns; j++)
		if (strcmp(adult.name[j], "occupation") != 0)
			known[k++] = j;
	classes = number_classes(&adult, known, 9, adult.records, number);
	for (uint32 seed = 1; seed <= 40; seed++)
	{
		uint32		kept;
		uint64		uniques = 0;
		uint64		pairs = 0;
		double		right = 0;

		random_state = seed;
		for (uint32 i = 0; i < adult.records; i++)
			sampled[i] = pick(10) == 0;
		kept = count_classes(number, adult.records, sampled, classes, f, all);
		for (uint32 c = 0; c < kept; c++)
		{
			uniques += f[c] == 1;
			pairs += f[c] == 2;
			right += f[c] == 1 ? 1.0 : 0;
		}
		/* the share of right ones among all matches of sample uniques with the population */
		{
			double		matches = 0;

			for (uint32 c = 0; c < kept; c++)
				matches += f[c] == 1 ? (double) all[c] : 0;
			bias += (sdc_attackerrisk_match(uniques, pairs, 0.1) - right / matches) / 40;
		}
	}
	CHECKF(fabs(bias) < 0.01, "%g", bias);
	free(number);
	free(f);
	free(all);
	free(sampled);
	reference_free(&adult);
}

int
main(void)
{
	RUN(covers_agree);
	RUN(classes_agree);
	RUN(ends_are_defined);
	RUN(adult_agrees);
	return tap_done();
}
