/*-------------------------------------------------------------------------
 *
 * test_support.c
 *		Supports in a release: against all outcomes, against equation (10), and against releases.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include <math.h>

#include "kernel/groups/randomize.h"
#include "kernel/groups/support.h"

#include "random.h"
#include "tap.h"

#define MAX_RECORDS 3000
#define MAX_ATTRIBUTES 24

/* One file at a time, and a combination. */
static uint32 code[MAX_ATTRIBUTES][MAX_RECORDS];
static SdcCodedColumn column[MAX_ATTRIBUTES];
static SdcCodedFile coded = {.column = column};
static SdcItem item[SDC_SUPPORT_ITEMS];
static double probability[MAX_ATTRIBUTES];
static uint32 stratum[MAX_RECORDS];
static SdcSupportTask task = {.coded = &coded, .item = item};

/* make_file draws a file; missing is how many of 100 values lack. */
static void
make_file(uint32 records, int attributes, uint32 codes, uint32 missing)
{
	coded.records = records;
	coded.attributes = attributes;
	for (int j = 0; j < attributes; j++)
	{
		column[j] = (SdcCodedColumn) {code[j], codes};
		for (uint32 i = 0; i < records; i++)
			code[j][i] = pick(100) < missing ? SDC_CODE_NULL : pick(1 + pick(codes));
	}
}

/* make_task draws a combination of items attributes, and probabilities for k = 0 (RA 1). */
static void
make_task(int items, int k, uint32 codes)
{
	int			left = items;
	double		sum = 0;

	task.items = items;
	task.k = k;
	task.probability = k > 0 ? NULL : probability;
	for (int j = 0; j < coded.attributes; j++)
	{
		if (pick((uint32) (coded.attributes - j)) < (uint32) left)
			item[items - left--] = (SdcItem) {(uint32) j, pick(1 + pick(codes))};
		probability[j] = pick(4) == 0 ? 0 : 1 + pick(9);
		sum += probability[j];
	}
	if (sum == 0)
		probability[0] = sum = 1;
	for (int j = 0; j < coded.attributes; j++)
		probability[j] /= sum;
}

/* set_chance is the probability that just the attributes of a set are drawn. */
static double
set_chance(uint32 set)
{
	double		sets = 1;

	if (task.probability != NULL)
		return __builtin_popcount(set) == 1 ? probability[__builtin_ctz(set)] : 0;
	if (__builtin_popcount(set) != task.k)
		return 0;
	for (int i = 0; i < task.k; i++)
		sets = sets * (coded.attributes - i) / (i + 1);
	return 1 / sets;
}

/* donor_chance is the share of an item among the donors of its attribute: those of a stratum, or all. */
static double
donor_chance(const SdcItem *wanted, const uint32 *of)
{
	uint32		same = 0;
	uint32		donors = 0;

	for (uint32 i = 0; i < coded.records; i++)
	{
		if (of != NULL && stratum[i] != *of)
			continue;
		same += code[wanted->attribute][i] == wanted->code;
		donors += code[wanted->attribute][i] != SDC_CODE_NULL;
	}
	return donors > 0 ? (double) same / donors : 0;
}

/* record_chance goes through all sets of attributes that can be drawn. */
static double
record_chance(uint32 record, const double *share)
{
	double		sum = 0;

	for (uint32 set = 0; set < UINT32_C(1) << coded.attributes; set++)
	{
		double		chance = set_chance(set);

		for (int i = 0; i < task.items && chance > 0; i++)
		{
			uint32		value = code[item[i].attribute][record];
			bool		drawn = (set >> item[i].attribute) & 1;

			if (drawn && value != SDC_CODE_NULL)
				chance *= share[i];
			else if (value != item[i].code)
				chance = 0;
		}
		sum += chance;
	}
	return sum;
}

/* near compares with a tolerance. */
static bool
near(double a, double b, double tolerance)
{
	return fabs(a - b) <= tolerance * fmax(1, fabs(b)) || (isnan(a) && isnan(b));
}

/* matches is the number of records that have the items, but for one that is left out. */
static uint32
matches(int without)
{
	uint32		count = 0;

	for (uint32 i = 0; i < coded.records; i++)
	{
		bool		all = true;

		for (int k = 0; k < task.items; k++)
		{
			uint32		value = code[item[k].attribute][i];

			all = all && (k == without ? value != SDC_CODE_NULL : value == item[k].code);
		}
		count += all;
	}
	return count;
}

/* compare runs the kernel and the definition on the file. */
static void
compare(const char *name)
{
	SdcSupport	got;
	double		share[SDC_SUPPORT_ITEMS];
	double		expected = 0;
	double		own = 0;
	double		variance = 0;
	double		n = coded.records;
	uint32		all = matches(-1);

	sdc_support_expect(&task, &got);
	for (int i = 0; i < task.items; i++)
	{
		double		lift;

		share[i] = donor_chance(&item[i], NULL);
		lift = all / (matches(i) * share[i]);
		CHECKF(near(got.lift[i], lift, 1e-13), "%s: lift %.17g %.17g", name, got.lift[i], lift);
		CHECK(task.items > 1 || all == 0 || got.lift[i] == 1);
	}
	for (uint32 i = 0; i < coded.records; i++)
	{
		double		chance;
		bool		had = true;

		for (int k = 0; k < task.items; k++)
		{
			if (task.stratum != NULL)
				share[k] = donor_chance(&item[k], &stratum[i]);
			had = had && code[item[k].attribute][i] == item[k].code;
		}
		chance = record_chance(i, share);
		expected += chance / n;
		own += had ? chance / n : 0;
		variance += chance * (1 - chance) / n / n;
	}
	CHECKF(got.records == all && near(got.support, all / n, 1e-15), "%s: %u %u", name,
		   (unsigned) got.records, all);
	CHECKF(near(got.expected, expected, 1e-13), "%s: %.17g %.17g", name, got.expected, expected);
	CHECKF(near(got.own, own, 1e-13) && near(got.others, expected - own, 1e-13), "%s: own %.17g %.17g", name, got.own, own);
	CHECK(near(got.own + got.others, got.expected, 1e-15));
	CHECKF(fabs(got.variance - variance) <= 1e-12 * variance + 1e-15 / n, "%s: %.17g %.17g", name,
		   got.variance, variance);
	CHECKF(all == 0 ? isnan(got.bias) : near(got.bias, fabs(expected * n - all) / all, 1e-12),
		   "%s: bias %.17g", name, got.bias);
	CHECK(got.variance >= 0);
}

/* Small files agree with the sum over all sets of attributes that can be drawn. */
static void
outcomes_agree(void)
{
	for (uint32 seed = 0; seed < 300; seed++)
	{
		char		name[60];
		uint32		codes = 1 + seed % 4;
		int			attributes = 1 + (int) (seed % 7);
		int			items = 1 + (int) (seed / 7 % (uint32) attributes);
		int			k = (int) (seed / 3 % (uint32) (attributes + 1));

		random_state = seed;
		make_file(1 + pick(60), attributes, codes, seed % 3 * 12);
		make_task(items, k, codes);
		snprintf(name, sizeof(name), "seed %u: %d items of %d, k %d", seed, items, attributes, k);
		compare(name);
		task.stratum = stratum;
		task.strata = 1 + pick(5);
		for (uint32 i = 0; i < coded.records; i++)
			stratum[i] = pick(task.strata);
		compare(name);
		task.stratum = NULL;
	}
}

/* Every set of donors of a tiny file: expectation and variance are exact, and donors independent. */
static void
donors_agree(void)
{
	enum
	{
		N = 3, M = 2, CHOICES = M * N
	};
	static const uint32 value[M][N] = {{0, 0, 1}, {0, 1, 0}};
	double		chances[M] = {0.3, 0.7};
	double		mean = 0;
	double		own = 0;
	double		square = 0;
	SdcSupport	got;

	coded.records = N;
	coded.attributes = M;
	for (int j = 0; j < M; j++)
	{
		memcpy(code[j], value[j], sizeof(value[j]));
		column[j] = (SdcCodedColumn) {code[j], 2};
		item[j] = (SdcItem) {(uint32) j, 0};
	}
	task.items = M;
	task.probability = chances;
	/* a record has 6 outcomes: an attribute and a donor */
	for (int outcome = 0; outcome < CHOICES * CHOICES * CHOICES; outcome++)
	{
		int			rest = outcome;
		double		chance = 1;
		double		share = 0;
		double		stayed = 0;

		for (int i = 0; i < N; i++, rest /= CHOICES)
		{
			int			j = rest % CHOICES / N;
			int			donor = rest % N;
			bool		has = value[j][donor] == 0 && value[1 - j][i] == 0;

			chance *= chances[j] / N;
			share += has ? 1.0 / N : 0;
			stayed += has && value[j][i] == 0 ? 1.0 / N : 0;
		}
		mean += chance * share;
		own += chance * stayed;
		square += chance * share * share;
	}
	sdc_support_expect(&task, &got);
	CHECKF(near(got.expected, mean, 1e-14), "%.17g %.17g", got.expected, mean);
	CHECKF(near(got.variance, square - mean * mean, 1e-14), "%.17g %.17g", got.variance,
		   square - mean * mean);
	CHECKF(near(got.own, own, 1e-14) && near(got.others, mean - own, 1e-14), "%.17g %.17g", got.own, own);
}

/* Equation (10): the bias under RA 1 follows from the lifts, for any p and with missing values. */
static void
bias_follows_from_lift(void)
{
	for (uint32 seed = 0; seed < 200; seed++)
	{
		SdcSupport	got;
		double		sum = 0;

		random_state = 500 + seed;
		make_file(MAX_RECORDS, 9, 3, seed % 2 * 10);
		make_task(1 + (int) pick(4), 0, 2);
		if (seed % 4 < 2)
			for (int j = 0; j < 9; j++)
				probability[j] = 1.0 / 9;
		sdc_support_expect(&task, &got);
		if (got.records == 0)
			continue;
		for (int i = 0; i < task.items; i++)
			sum += probability[item[i].attribute] * (1 / got.lift[i] - 1);
		CHECKF(near(got.bias, fabs(sum), 1e-12), "seed %u: %.17g %.17g", seed, got.bias, fabs(sum));
		if (task.items == 1)
			CHECKF(got.bias < 1e-14, "seed %u: %.17g", seed, got.bias);
	}
}

/* RA 2 with k = 1 is RA 1 with equal probabilities; with k = m all attributes are independent. */
static void
special_cases_agree(void)
{
	random_state = 900;
	make_file(MAX_RECORDS, 7, 3, 5);
	for (int items = 1; items <= 7; items++)
	{
		SdcSupport	one;
		SdcSupport	other;
		double		product = 1;
		double		possible = 0;

		make_task(items, 1, 2);
		sdc_support_expect(&task, &one);
		task.probability = probability;
		for (int j = 0; j < 7; j++)
			probability[j] = 1.0 / 7;
		sdc_support_expect(&task, &other);
		CHECK(near(one.expected, other.expected, 1e-14));
		CHECK(near(one.variance, other.variance, 1e-16));
		CHECK(near(one.bias, other.bias, 1e-12));
		task.probability = NULL;
		task.k = 7;
		sdc_support_expect(&task, &one);
		for (int i = 0; i < items; i++)
			product *= donor_chance(&item[i], NULL);
		for (uint32 i = 0; i < coded.records; i++)
		{
			bool		complete = true;

			for (int k = 0; k < items; k++)
				complete = complete && code[item[k].attribute][i] != SDC_CODE_NULL;
			possible += complete;
		}
		CHECK(near(one.expected, product * possible / MAX_RECORDS, 1e-14));
	}
}

/* Twenty items: the sum over sets of a file in which all records have all of them. */
static void
many_items_are_possible(void)
{
	SdcSupport	got;

	make_file(50, 24, 1, 0);
	make_task(SDC_SUPPORT_ITEMS, 12, 1);
	sdc_support_expect(&task, &got);
	CHECK(got.records == 50 && near(got.expected, 1, 1e-13) && got.bias < 1e-13);
	CHECK(got.variance >= 0 && got.variance < 1e-15);
	/* one record lacks the first item: it gets it if the attribute is drawn, from 49 of 50 */
	code[item[0].attribute][7] = 5;
	sdc_support_expect(&task, &got);
	CHECK(got.records == 49 && near(got.lift[1], 1, 1e-14));
	CHECKF(near(got.expected, (49 * (0.5 + 0.5 * 49 / 50) + 0.5 * 49 / 50) / 50, 1e-13), "%.17g",
		   got.expected);
	/* or never, when it has no value there */
	code[item[0].attribute][7] = SDC_CODE_NULL;
	sdc_support_expect(&task, &got);
	CHECK(near(got.expected, 49.0 / 50, 1e-13));
}

/* Nothing is undefined without records, without values, without the combination. */
static void
ends_are_defined(void)
{
	SdcSupport	got;

	for (int k = 0; k < 2; k++)
	{
		make_file(0, 3, 2, 0);
		make_task(2, k, 2);
		sdc_support_expect(&task, &got);
		CHECK(got.records == 0 && got.support == 0 && got.expected == 0 && got.variance == 0);
		CHECK(isnan(got.bias) && isnan(got.lift[0]));
		make_file(20, 3, 2, 100);
		sdc_support_expect(&task, &got);
		CHECK(got.records == 0 && got.expected == 0 && isnan(got.bias) && isnan(got.lift[1]));
		make_file(20, 3, 1, 0);
		item[1].code = 9;
		sdc_support_expect(&task, &got);
		CHECK(got.support == 0 && got.expected == 0 && isnan(got.lift[1]));
	}
}

/* simulate counts the records with the combination in one release. */
static uint32
simulate(SdcStream *stream)
{
	static uint32 donor[MAX_ATTRIBUTES][MAX_RECORDS];
	static uint32 member[MAX_RECORDS];
	uint32		count = 0;
	SdcChoice  *choice = task.probability != NULL ?
		sdc_choice_single(stream, coded.records, probability, coded.attributes) :
		sdc_choice_subset(stream, coded.records, coded.attributes, task.k);

	for (int i = 0; i < task.items; i++)
	{
		int			j = (int) item[i].attribute;
		uint32		members = 0;

		for (uint32 r = 0; r < coded.records; r++)
		{
			donor[i][r] = r;
			if (code[j][r] != SDC_CODE_NULL)
				member[members++] = r;
		}
		sdc_randomize_donors(stream, choice, j, member, members, donor[i]);
	}
	for (uint32 r = 0; r < coded.records; r++)
	{
		bool		all = true;

		for (int i = 0; i < task.items; i++)
			all = all && code[item[i].attribute][donor[i][r]] == item[i].code;
		count += all;
	}
	sdc_choice_destroy(choice);
	return count;
}

/* Mean and variance over releases are what was computed, within four standard errors. */
static void
releases_agree(void)
{
	enum
	{
		RELEASES = 3000
	};
	uint8		master[SDC_MASTER_KEY_BYTES];
	SdcStream  *stream;

	CHECK(sdc_stream_create(&stream) == SDC_OK);
	CHECK(sdc_stream_master_from_seed("support", 7, master) == SDC_OK);
	random_state = 4711;
	for (int k = 0; k < 5; k++)
	{
		SdcSupport	got;
		double		sum = 0;
		double		squares = 0;
		double		mean;

		make_file(120, 5, 3, 8);
		make_task(3, k, 1);
		item[0].code = item[1].code = item[2].code = 0;
		sdc_support_expect(&task, &got);
		CHECK(sdc_stream_start(stream, master, "test", "", "release", (uint64) k) == SDC_OK);
		for (int i = 0; i < RELEASES; i++)
		{
			double		support = simulate(stream) / 120.0;

			sum += support;
			squares += support * support;
		}
		mean = sum / RELEASES;
		CHECKF(fabs(mean - got.expected) < 4 * sqrt(got.variance / RELEASES), "k %d: %g %g", k,
			   mean, got.expected);
		/* the standard error of a variance is about sqrt(2 / n) of it */
		CHECKF(fabs((squares / RELEASES - mean * mean) / got.variance - 1) < 4 * sqrt(2.0 / RELEASES),
			   "k %d: %g %g", k, squares / RELEASES - mean * mean, got.variance);
	}
	sdc_stream_destroy(stream);
}

/* The order of the records makes no difference to the last bit. */
static void
order_does_not_matter(void)
{
	for (int k = 0; k < 5; k++)
	{
		SdcSupport	before;
		SdcSupport	after;

		random_state = (uint64) k;
		make_file(MAX_RECORDS, 6, 3, 10);
		make_task(4, k, 1);
		sdc_support_expect(&task, &before);
		for (int j = 0; j < 6; j++)
		{
			for (uint32 i = 0; i < MAX_RECORDS / 2; i++)
			{
				uint32		held = code[j][i];

				code[j][i] = code[j][MAX_RECORDS - 1 - i];
				code[j][MAX_RECORDS - 1 - i] = held;
			}
		}
		sdc_support_expect(&task, &after);
		CHECK(memcmp(&before, &after, sizeof(before)) == 0);
	}
}

int
main(void)
{
	RUN(outcomes_agree);
	RUN(donors_agree);
	RUN(bias_follows_from_lift);
	RUN(special_cases_agree);
	RUN(many_items_are_possible);
	RUN(ends_are_defined);
	RUN(releases_agree);
	RUN(order_does_not_matter);
	return tap_done();
}
