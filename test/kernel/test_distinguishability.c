/*-------------------------------------------------------------------------
 *
 * test_distinguishability.c
 *		Distinguishability against a regression on all features, written out.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include <math.h>

#include "kernel/loss/distinguishability.h"

#include "random.h"
#include "reference.h"
#include "tap.h"

#define RECORDS 60
#define COLUMNS 4
#define CODES 5
#define FEATURES 400

static uint32 code[2][COLUMNS][RECORDS];
static double value[2][COLUMNS][RECORDS];
static SdcDistinguishColumn column[COLUMNS];
static SdcDistinguishTask task = {0, 0, 0, column, true};

/* The stack: features by column, and all of them. */
static double single[COLUMNS][2 * CODES][2 * RECORDS];
static int	singles[COLUMNS];
static double feature[FEATURES][2 * RECORDS];
static int	features;

/* file_of and record_of find a record of the stack. */
static int
file_of(uint32 i)
{
	return i >= task.originals;
}

static uint32
record_of(uint32 i)
{
	return i >= task.originals ? i - task.originals : i;
}

/* number_features writes the features of a column of numbers. */
static void
number_features(int j, uint32 all)
{
	double		mean = 0;
	double		square = 0;
	uint32		present = 0;

	for (int pass = 0; pass < 2; pass++)
	{
		for (uint32 i = 0; i < all; i++)
		{
			double		x = value[file_of(i)][j][record_of(i)];

			if (!isfinite(x))
				continue;
			mean += pass == 0 ? x : 0;
			square += pass == 0 ? 0 : (x - mean) * (x - mean);
			present += pass == 0;
		}
		mean /= pass == 0 && present > 0 ? present : 1;
	}
	square = square > 1e-20 ? sqrt(square / present) : 1;
	for (uint32 i = 0; i < all; i++)
	{
		double		x = value[file_of(i)][j][record_of(i)];

		single[j][0][i] = isfinite(x) ? (x - mean) / square : 0;
		single[j][1][i] = !isfinite(x);
	}
	singles[j] = present < all ? 2 : 1;
}

/* code_features writes the indicators of a column of codes. */
static void
code_features(int j, uint32 all)
{
	bool		first = true;

	singles[j] = 0;
	for (uint32 c = 0; c <= CODES; c++)
	{
		uint32		wanted = c == CODES ? SDC_CODE_NULL : c;
		uint32		count = 0;

		for (uint32 i = 0; i < all; i++)
			count += code[file_of(i)][j][record_of(i)] == wanted;
		if (count == 0)
			continue;
		if (!first)
		{
			for (uint32 i = 0; i < all; i++)
				single[j][singles[j]][i] = code[file_of(i)][j][record_of(i)] == wanted;
			singles[j]++;
		}
		first = false;
	}
}

/* write_features writes all features of the stack. */
static void
write_features(uint32 all)
{
	features = 0;
	for (int j = 0; j < task.columns; j++)
	{
		if (column[j].original_value)
			number_features(j, all);
		else
			code_features(j, all);
		for (int f = 0; f < singles[j]; f++)
			memcpy(feature[features++], single[j][f], all * sizeof(double));
	}
	for (int a = 0; a < task.columns && task.pairs; a++)
		for (int b = a + 1; b < task.columns; b++)
			for (int f = 0; f < singles[a]; f++)
				for (int g = 0; g < singles[b]; g++, features++)
					for (uint32 i = 0; i < all; i++)
						feature[features][i] = single[a][f][i] * single[b][g][i];
}

/* project takes the kept columns out of another, twice. */
static double
project(double *x, int kept, uint32 all)
{
	double		square = 0;

	for (int pass = 0; pass < 2; pass++)
		for (int k = 0; k < kept; k++)
		{
			double		part = 0;

			for (uint32 i = 0; i < all; i++)
				part += x[i] * feature[k][i];
			for (uint32 i = 0; i < all; i++)
				x[i] -= part * feature[k][i];
		}
	for (uint32 i = 0; i < all; i++)
		square += x[i] * x[i];
	return square;
}

/* twin is the regression: the features, centered, become orthonormal in place. */
static double
twin(uint32 all, uint32 *rank)
{
	double		z[2 * RECORDS];
	double		before = 0;
	int			kept = 0;

	for (int f = 0; f < features; f++)
	{
		double		mean = 0;
		double		own = 0;
		double		square;

		for (uint32 i = 0; i < all; i++)
			mean += feature[f][i] / all;
		for (uint32 i = 0; i < all; i++)
		{
			feature[f][i] -= mean;
			own += feature[f][i] * feature[f][i];
		}
		square = project(feature[f], kept, all);
		if (own < 1e-12 || square < 1e-9 * own)
			continue;
		for (uint32 i = 0; i < all; i++)
			feature[kept][i] = feature[f][i] / sqrt(square);
		kept++;
	}
	*rank = (uint32) kept;
	for (uint32 i = 0; i < all; i++)
	{
		z[i] = file_of(i) - (double) task.releases / all;
		before += z[i] * z[i];
	}
	return 1 - project(z, kept, all) / before;
}

/* draw_column draws a column of both files. */
static void
draw_column(int j, uint32 missing)
{
	uint32		codes = 1 + pick(CODES);

	for (int file = 0; file < 2; file++)
	{
		for (uint32 i = 0; i < RECORDS; i++)
		{
			code[file][j][i] = pick(100) < missing ? SDC_CODE_NULL :
				pick(5) == 0 ? pick(codes) : (i + (uint32) file) % codes;
			value[file][j][i] = pick(100) < missing ? (pick(2) ? NAN : INFINITY) :
				1000 + pick(1 + pick(40)) + file * pick(3);
		}
	}
	if (pick(2))
		column[j] = (SdcDistinguishColumn) {value[0][j], value[1][j], NULL, NULL, 0};
	else
		column[j] = (SdcDistinguishColumn) {NULL, NULL, code[0][j], code[1][j], CODES};
}

/* Small files of all kinds agree with the regression. */
static void
small_files_agree(void)
{
	for (uint32 round = 0; round < 1500; round++)
	{
		SdcDistinguishability got;
		uint32		missing;
		uint32		rank;
		uint32		all;
		double		want;
		double		balance;

		random_state = round;
		task.originals = 1 + pick(pick(3) ? RECORDS : 4);
		task.releases = pick(2) ? task.originals : 1 + pick(RECORDS);
		task.columns = 1 + (int) pick(COLUMNS);
		task.pairs = pick(3) != 0;
		missing = pick(3) == 0 ? 15 : 0;
		for (int j = 0; j < task.columns; j++)
			draw_column(j, missing);
		all = task.originals + task.releases;
		write_features(all);
		CHECKF(sdc_distinguishability_features(&task) == (uint64) features, "round %u: %d", round,
			   features);
		sdc_distinguishability_measure(&task, &got);
		want = twin(all, &rank);
		balance = (double) task.originals / all * task.releases / all;
		CHECKF(got.rank == rank, "round %u: %u %u", round, got.rank, rank);
		CHECKF(fabs(got.r2 - want) < 1e-8, "round %u: %.12g %.12g", round, got.r2, want);
		CHECK(fabs(got.pmse - balance * got.r2) < 1e-15 && fabs(got.chance - (double) rank / (all - 1)) < 1e-15);
	}
}

/* The same file twice, files that have nothing in common, and no file. */
static void
ends_are_defined(void)
{
	SdcDistinguishability got;

	random_state = 5;
	task.columns = 3;
	task.pairs = true;
	task.originals = task.releases = RECORDS;
	for (int j = 0; j < 3; j++)
	{
		draw_column(j, 10);
		memcpy(code[1][j], code[0][j], sizeof(code[0][j]));
		memcpy(value[1][j], value[0][j], sizeof(value[0][j]));
	}
	sdc_distinguishability_measure(&task, &got);
	CHECK(got.r2 < 1e-20 && got.rank > 0);
	column[0] = (SdcDistinguishColumn) {NULL, NULL, code[0][0], code[1][0], CODES};
	for (uint32 i = 0; i < RECORDS; i++)
	{
		code[0][0][i] = i % 2;
		code[1][0][i] = 2 + i % 2;
	}
	sdc_distinguishability_measure(&task, &got);
	CHECKF(fabs(got.r2 - 1) < 1e-9 && fabs(got.pmse - 0.25) < 1e-9, "%g", got.r2);
	task.releases = 0;
	sdc_distinguishability_measure(&task, &got);
	CHECK(got.r2 == 0 && got.chance == 0 && got.rank == 0);
	CHECK(sdc_distinguishability_features(&task) > 0);
}

/* The census with random permutations of its columns: main effects see nothing, pairs see all. */
static void
census_agrees(void)
{
	static SdcDistinguishColumn all[REFERENCE_COLUMNS];
	Reference	census;
	SdcDistinguishTask big = {0, 0, 0, all, true};
	SdcDistinguishability got;
	double		mean = 0;

	if (!reference_load("census.csv", &census))
		return;
	big.originals = big.releases = census.records;
	for (int j = 0; j < census.columns; j++)
		if (strcmp(census.name[j], "id") != 0)
			all[big.columns++] = (SdcDistinguishColumn) {census.value[j],
			memcpy(malloc(census.records * sizeof(double)), census.value[j],
				   census.records * sizeof(double)), NULL, NULL, 0};
	for (uint32 seed = 1; seed <= 3; seed++)
	{
		random_state = seed;
		for (int j = 0; j < big.columns; j++)
		{
			double	   *x = (double *) all[j].protected_value;

			for (uint32 i = census.records - 1; i > 0; i--)
			{
				uint32		other = pick(i + 1);
				double		swap = x[i];

				x[i] = x[other];
				x[other] = swap;
			}
		}
		sdc_distinguishability_measure(&big, &got);
		mean += got.r2 / 3;
		CHECK(got.rank == 13 + 78 && fabs(got.chance - 0.042) < 0.0005);
	}
	CHECKF(fabs(mean - 0.397) < 0.02, "%g", mean);
	big.pairs = false;
	sdc_distinguishability_measure(&big, &got);
	CHECKF(got.r2 < 1e-20 && got.rank == 13, "%g", got.r2);
	for (int j = 0; j < big.columns; j++)
		free((void *) all[j].protected_value);
	reference_free(&census);
}

int
main(void)
{
	RUN(small_files_agree);
	RUN(ends_are_defined);
	RUN(census_agrees);
	return tap_done();
}
