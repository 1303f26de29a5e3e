/*-------------------------------------------------------------------------
 *
 * test_groupprivacy.c
 *		What groups tell of a sensitive value, against the definitions, value by value.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include <math.h>

#include "kernel/groups/groupprivacy.h"

#include "random.h"
#include "reference.h"
#include "tap.h"

#define MOST 60
#define GROUPS 40
#define VALUES 12				/* the last one stands for a missing value */

static uint32 group[MOST];
static uint32 code[MOST];

/* Codes are not dense. */
#define CODES (VALUES * 3)

/* code_of spreads the values over codes; the last is a missing one. */
static uint32
code_of(uint32 value)
{
	return value == VALUES - 1 ? SDC_CODE_NULL : value * 3;
}

/* value_of is its inverse. */
static uint32
value_of(uint32 of)
{
	return of == SDC_CODE_NULL ? VALUES - 1 : of / 3;
}

/* measure calls the kernel with records one by one. */
static void
measure(uint32 records, uint32 l, SdcGroupPrivacy *result)
{
	SdcGroupPrivacyTask task = {records, group, GROUPS, code, CODES, NULL, l};

	memset(result, 0xFF, sizeof(*result));
	sdc_groupprivacy_measure(&task, result);
}

/* measure_cells calls it with records that agree put together: all of them, or some. */
static void
measure_cells(uint32 records, uint32 l, bool all, SdcGroupPrivacy *result)
{
	uint32		cell_group[MOST];
	uint32		cell_code[MOST];
	uint64		count[MOST];
	uint32		cells = 0;
	SdcGroupPrivacyTask task = {0, cell_group, GROUPS, cell_code, CODES, count, l};

	for (uint32 i = 0; i < records; i++)
	{
		uint32		c = 0;

		while (c < cells && (cell_group[c] != group[i] || cell_code[c] != code[i]))
			c++;
		if (c == cells || (!all && pick(3) == 0))
		{
			cell_group[cells] = group[i];
			cell_code[cells] = code[i];
			count[c = cells++] = 0;
		}
		count[c]++;
	}
	task.cells = cells;
	memset(result, 0xFF, sizeof(*result));
	sdc_groupprivacy_measure(&task, result);
}

/* ratio is c of a group by its counts. */
static double
ratio(const double *count, uint32 l, bool *has)
{
	double		sorted[VALUES];
	double		rest = 0;
	uint32		values = 0;

	memcpy(sorted, count, sizeof(sorted));
	for (int i = 0; i < VALUES; i++)
	{
		for (int j = i + 1; j < VALUES; j++)
		{
			if (sorted[j] > sorted[i])
			{
				double		swap = sorted[i];

				sorted[i] = sorted[j];
				sorted[j] = swap;
			}
		}
		values += sorted[i] > 0;
		rest += i + 1 >= (int) l ? sorted[i] : 0;
	}
	*has = values >= l;
	return *has ? sorted[0] / rest : 0;
}

/* add_group compares a group with the file. */
static void
add_group(const double *q, const double *total, uint32 size, uint32 records, uint32 l,
		  SdcGroupPrivacy *result)
{
	double		t = 0;
	double		ordered = 0;
	double		sum = 0;
	double		entropy = 0;
	uint32		seen = 0;
	uint32		distinct = 0;
	bool		has;

	for (int s = 0; s < VALUES; s++)
	{
		double		share = q[s] / size;
		double		all = total[s] / records;

		if (total[s] == 0)
			continue;
		t += fabs(share - all) / 2;
		sum += share - all;
		if (++seen < result->values)
			ordered += fabs(sum) / (result->values - 1);
		result->enhanced = result->enhanced && (share - all) / all <= -log(all) + 1e-12;
		if (share == 0)
			continue;
		distinct++;
		entropy -= share * log(share);
		result->beta = fmax(result->beta, (share - all) / all);
		result->delta = fmax(result->delta, fabs(log(share / all)));
		result->alpha = fmax(result->alpha, share);
	}
	result->t = fmax(result->t, t);
	result->t_ordered = fmax(result->t_ordered, ordered);
	result->k = size < result->k ? size : result->k;
	result->distinct_l = distinct < result->distinct_l ? distinct : result->distinct_l;
	result->entropy_l = fmin(result->entropy_l, exp(entropy));
	result->absent += distinct < result->values;
	result->c = fmax(result->c, ratio(q, l, &has));
	result->has_c = result->has_c && has;
	result->groups++;
}

/* twin does what the definitions say. */
static SdcGroupPrivacy
twin(uint32 records, uint32 l)
{
	SdcGroupPrivacy result = {.k = UINT32_MAX, .distinct_l = UINT32_MAX, .entropy_l = INFINITY,
	.has_c = true, .enhanced = true};
	double		total[VALUES] = {0};

	for (uint32 i = 0; i < records; i++)
		total[value_of(code[i])]++;
	for (int s = 0; s < VALUES; s++)
		result.values += total[s] > 0;
	for (uint32 i = 0; i < records; i++)
	{
		double		q[VALUES] = {0};
		uint32		size = 0;
		bool		first = true;

		for (uint32 r = 0; r < records; r++)
		{
			if (group[r] != group[i])
				continue;
			first = first && r >= i;
			q[value_of(code[r])]++;
			size++;
		}
		if (first)
			add_group(q, total, size, records, l, &result);
	}
	return result;
}

/* near: equal up to rounding. */
static bool
near(double a, double b)
{
	return fabs(a - b) <= 1e-12 * fmax(1, fabs(b));
}

/* same compares two results; c counts only where it is. */
static bool
same(const SdcGroupPrivacy *a, const SdcGroupPrivacy *b)
{
	return a->groups == b->groups && a->values == b->values && a->k == b->k &&
		a->distinct_l == b->distinct_l && near(a->entropy_l, b->entropy_l) &&
		near(a->alpha, b->alpha) && near(a->t, b->t) && near(a->t_ordered, b->t_ordered) &&
		near(a->beta, b->beta) && near(a->delta, b->delta) && a->has_c == b->has_c &&
		(!a->has_c || near(a->c, b->c)) && a->enhanced == b->enhanced && a->absent == b->absent;
}

/* Small files of all kinds agree with the definitions. */
static void
small_files_agree(void)
{
	for (uint32 round = 0; round < 20000; round++)
	{
		uint32		records;
		uint32		groups;
		uint32		values;
		uint32		l;
		SdcGroupPrivacy got;
		SdcGroupPrivacy cells;
		SdcGroupPrivacy want;

		random_state = round;
		records = 1 + pick(MOST);
		groups = 1 + pick(1 + pick(10));
		values = 1 + pick(VALUES);
		l = 1 + pick(4);
		for (uint32 i = 0; i < records; i++)
		{
			group[i] = pick(groups) * 3;
			code[i] = code_of(pick(5) == 0 ? VALUES - 1 - pick(values) : pick(1 + pick(values)));
		}
		measure(records, l, &got);
		want = twin(records, l);
		CHECKF(same(&got, &want), "round %u: t %g %g, ordered %.17g %.17g, c %g %g", round,
			   got.t, want.t, got.t_ordered, want.t_ordered, got.c, want.c);
		measure_cells(records, l, true, &cells);
		CHECKF(memcmp(&cells, &got, sizeof(got)) == 0, "round %u: cells", round);
		measure_cells(records, l, false, &cells);
		CHECKF(memcmp(&cells, &got, sizeof(got)) == 0, "round %u: cells in parts", round);
	}
}

/* One group is the file: everything that compares is exactly 0. */
static void
one_group_is_the_file(void)
{
	for (uint32 round = 0; round < 1000; round++)
	{
		uint32		records;
		SdcGroupPrivacy got;

		random_state = round;
		records = 1 + pick(MOST);
		for (uint32 i = 0; i < records; i++)
		{
			group[i] = 7;
			code[i] = code_of(pick(VALUES));
		}
		measure(records, 1, &got);
		CHECK(got.t == 0 && got.t_ordered == 0 && got.beta == 0 && got.delta == 0);
		CHECK(got.enhanced && got.absent == 0 && got.groups == 1 && got.k == records);
		CHECK(got.has_c && near(got.c, got.alpha) && got.distinct_l == got.values);
	}
}

/* No record, one record, and constants. */
static void
ends_are_defined(void)
{
	SdcGroupPrivacy got;

	measure(0, 3, &got);
	CHECK(got.groups == 0 && got.k == 0 && got.values == 0 && got.t == 0 && !got.has_c && got.enhanced);
	group[0] = GROUPS - 1;
	code[0] = SDC_CODE_NULL;
	measure(1, 1, &got);
	CHECK(got.groups == 1 && got.k == 1 && got.values == 1 && got.t == 0 && got.t_ordered == 0);
	CHECK(got.has_c && got.c == 1 && got.alpha == 1 && got.entropy_l == 1 && got.absent == 0);
	measure(1, 2, &got);
	CHECK(!got.has_c && got.c == 0);
}

/* expect compares with published figures of 6 digits. */
static void
expect(const char *what, const SdcGroupPrivacy *got, const double *want, uint32 absent)
{
	const double value[] = {got->t, got->t_ordered, got->beta, got->delta, got->alpha, got->c};

	for (int i = 0; i < 6; i++)
		CHECKF(fabs(value[i] - want[i]) <= 6e-7, "%s %d: %.9f %.9f", what, i, value[i], want[i]);
	CHECK(got->groups == 10 && got->absent == absent && !got->enhanced && got->has_c);
}

/* Adult, groups by sex and race: figures of an independent computation. */
static void
adult_agrees(void)
{
	static const double by_occupation[] = {0.324962, 0.078239, 17.722533, 3.132722, 0.278912,
	0.510669};
	static const double by_age[] = {0.353204, 0.091936, 16.617991, 2.868921, 0.080460, 0.094595};
	Reference	adult;
	uint32	   *both;
	SdcGroupPrivacyTask task = {.l = 3};
	SdcGroupPrivacy got;
	int			sex;
	int			race;

	if (!reference_load("adult.csv", &adult))
		return;
	sex = reference_column(&adult, "sex");
	race = reference_column(&adult, "race");
	both = malloc(adult.records * sizeof(uint32));
	for (uint32 i = 0; i < adult.records; i++)
		both[i] = adult.code[sex][i] * adult.codes[race] + adult.code[race][i];
	task.cells = adult.records;
	task.group = both;
	task.groups = adult.codes[sex] * adult.codes[race];
	task.code = adult.code[reference_column(&adult, "occupation")];
	task.codes = adult.codes[reference_column(&adult, "occupation")];
	sdc_groupprivacy_measure(&task, &got);
	expect("occupation", &got, by_occupation, 9);
	task.code = adult.code[reference_column(&adult, "age")];
	task.codes = adult.codes[reference_column(&adult, "age")];
	sdc_groupprivacy_measure(&task, &got);
	expect("age", &got, by_age, 10);
	free(both);
	reference_free(&adult);
}

int
main(void)
{
	RUN(small_files_agree);
	RUN(one_group_is_the_file);
	RUN(ends_are_defined);
	RUN(adult_agrees);
	return tap_done();
}
