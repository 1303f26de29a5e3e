/*-------------------------------------------------------------------------
 *
 * test_loss.c
 *		Information loss of whole files and of merged states.
 *
 * Both are compared with a reference, over shapes of data that are hard on sums.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include "kernel/loss/lossstate.h"

#include "lossreference.h"
#include "random.h"
#include "tap.h"

/* normal draws from the standard normal distribution. */
static double
normal(void)
{
	double		u = 1 - uniform();

	return sqrt(-2 * log(u)) * cos(2 * M_PI * uniform());
}

/* near tells whether two numbers agree to 1e-9, or to what is nothing. */
static bool
near(double got, double want)
{
	return fabs(got - want) <= 1e-9 * fabs(want) + 1e-11;
}

/* near_pil is near, but for what rounding explains. */
static bool
near_pil(double got, double want)
{
	return near(got, want) || fabs(got - want) <= rounding * fabs(want);
}

/* compare compares all measures. */
static void
compare(const char *what, const SdcLoss *got, const SdcLoss *want)
{
	CHECKF(got->records == want->records && got->attributes == want->attributes, "%s", what);
	CHECKF(got->lost == want->lost, "%s: %d lost, want %d", what, (int) got->lost, (int) want->lost);
	for (int m = 0; m < 5; m++)
	{
		CHECKF(near(got->il[m], want->il[m]), "%s: IL%d %.17g, want %.17g", what, m + 1,
			   got->il[m], want->il[m]);
		CHECKF(got->has_il[m] == want->has_il[m], "%s: IL%d is known: %d, want %d", what, m + 1, got->has_il[m],
			   want->has_il[m]);
		CHECKF(got->left_out[m] == want->left_out[m], "%s: IL%d left out %d, want %d", what,
			   m + 1, (int) got->left_out[m], (int) want->left_out[m]);
	}
	CHECKF(near(got->total, want->total), "%s: IL %.17g, want %.17g", what, got->total, want->total);
	CHECKF(near(got->il1s, want->il1s), "%s: IL1s %.17g, want %.17g", what, got->il1s, want->il1s);
	CHECKF(got->il1s_left_out == want->il1s_left_out, "%s: IL1s left out %d, want %d", what,
		   (int) got->il1s_left_out, (int) want->il1s_left_out);
	if (!got->has_pil)
		return;
	for (int p = 0; p < SDC_LOSS_PARTS; p++)
	{
		CHECKF(near_pil(got->pil[p], want->pil[p]), "%s: PIL part %d %.17g, want %.17g", what, p,
			   got->pil[p], want->pil[p]);
		CHECKF(got->has_part[p] == want->has_part[p], "%s: PIL part %d has terms: %d, want %d",
			   what, p, got->has_part[p], want->has_part[p]);
	}
	CHECKF(near_pil(got->pil_total, want->pil_total), "%s: PIL %.17g, want %.17g", what,
		   got->pil_total, want->pil_total);
	CHECKF(got->pil_left_out == want->pil_left_out, "%s: PIL left out %d, want %d", what,
		   (int) got->pil_left_out, (int) want->pil_left_out);
}

/* all_finite is the promise that no measure is NaN or infinite. */
static bool
all_finite(const SdcLoss *loss)
{
	bool		ok = isfinite(loss->total) && isfinite(loss->il1s) && isfinite(loss->pil_total);

	for (int m = 0; m < 5; m++)
		ok = ok && isfinite(loss->il[m]) && isfinite(loss->pil[m]);
	return ok;
}

/* copy_column copies a column of the test: SdcLossColumn. */
static void
copy_column(void *arg, bool of_protected, int attribute, double *column)
{
	(void) arg;
	memcpy(column, of_protected ? protected[attribute] : original[attribute], records * sizeof(double));
}

/* measure measures the files of the test. */
static void
measure(bool with_pil, SdcLoss *loss)
{
	SdcLossTask task = {copy_column, NULL, records, attributes, with_pil, {NULL, NULL}};

	sdc_loss_measure(&task, loss);
	CHECK(all_finite(loss));
	CHECK(loss->has_pil == with_pil && (with_pil || !loss->has_part[SDC_LOSS_QUANTILE]));
}

/* state_create makes a state without records. */
static SdcLossState *
state_create(void)
{
	SdcLossState *state = sdc_alloc(sdc_lossstate_size(attributes));

	sdc_lossstate_init(state, attributes);
	CHECK(sdc_lossstate_attributes(state) == attributes);
	return state;
}

/* state_add adds the records from start to end. */
static void
state_add(SdcLossState *state, uint32 start, uint32 end)
{
	double		x[MAX_K];
	double		y[MAX_K];

	for (uint32 i = start; i < end; i++)
	{
		for (int j = 0; j < attributes; j++)
		{
			x[j] = original[j][i];
			y[j] = protected[j][i];
		}
		sdc_lossstate_add(state, x, y);
	}
}

/* state_measure measures a state and frees it. */
static void
state_measure(SdcLossState *state, SdcLoss *loss)
{
	SdcLoss		again;

	CHECK(sdc_lossstate_valid(state, sdc_lossstate_size(attributes)));
	sdc_lossstate_measure(state, loss);
	sdc_lossstate_measure(state, &again);
	CHECK(memcmp(loss, &again, sizeof(again)) == 0);
	CHECK(all_finite(loss));
	CHECK(loss->has_pil && !loss->has_part[SDC_LOSS_QUANTILE]);
	sdc_free(state);
}

/* merged_measure measures a state merged from about so many pieces, in a random tree. */
static void
merged_measure(uint32 pieces, SdcLoss *loss)
{
	SdcLossState *state[64];
	uint32		count = 0;

	for (uint32 start = 0, end; start < records || count == 0; start = end)
	{
		end = start + 1 + (uint32) (uniform() * 2 * records / pieces);
		if (end > records || count == 63)
			end = records;
		state[count] = state_create();
		state_add(state[count], start, end);
		if (uniform() < 0.3)
			sdc_lossstate_flush(state[count]);
		count++;
	}
	while (count > 1)
	{
		uint32		into = (uint32) (uniform() * (count - 1));

		sdc_lossstate_merge(state[into], state[count - 1]);
		sdc_free(state[--count]);
	}
	state_measure(state[0], loss);
}

/* check_all compares the measures of files and states with the reference. */
static void
check_all(const char *what)
{
	SdcLoss		want;
	SdcLoss		got;
	SdcLossState *state;

	reference_measure(true, &want);
	measure(true, &got);
	compare(what, &got, &want);
	measure(false, &got);
	compare(what, &got, &want);

	reference_measure(false, &want);
	state = state_create();
	state_add(state, 0, records);
	state_measure(state, &got);
	compare(what, &got, &want);
	for (uint32 pieces = 1; pieces <= 50; pieces += 12)
	{
		merged_measure(pieces, &got);
		compare(what, &got, &want);
	}
}

/* What data look like. */
typedef enum Shape
{
	NORMAL, OFFSET, SKEWED, TIES, OUTLIER_FIRST, MISSING, INFORMATIVE, SHAPES
} Shape;

/* fill makes files of a shape: correlated attributes, protected with a little noise. */
static void
fill(Shape shape, uint32 n, int k, uint64 seed)
{
	random_state = seed;
	origin = shape == OFFSET ? 1e9 : 0;
	records = n;
	attributes = k;
	for (uint32 i = 0; i < n; i++)
	{
		double		common = normal();

		for (int j = 0; j < k; j++)
		{
			double		value = common * (j + 1) / 4 + normal();
			double		noise = 0.05 * normal();

			if (shape == OFFSET)
				value += 1e9;
			if (shape == SKEWED)
				value = exp(1.5 * value);
			if (shape == TIES)
				value = floor(1.5 * value);
			if (shape == OUTLIER_FIRST && i < 2)
				value = 1e7 * (i == 0 ? 1 : -1) * (j % 2 == 0 ? 3 : 1);
			original[j][i] = value;
			protected[j][i] = shape == SKEWED ? value * (1 + noise) : value + noise;
			if (shape == TIES)
				protected[j][i] = floor(protected[j][i]);
			if (shape == MISSING && uniform() < 0.15)
				original[j][i] = uniform() < 0.5 ? NAN : INFINITY;
			if (shape == MISSING && uniform() < 0.1 * j)
				protected[j][i] = NAN;
			/* missing where another is large, and only late in the file */
			if (shape == INFORMATIVE && j > 0 && i > 40 && original[0][i] > 0)
				original[j][i] = NAN;
			if (shape == INFORMATIVE && j == 1)
				protected[j][i] = i % 3 == 0 ? protected[j][i] : NAN;
		}
	}
}

/* against_reference compares all shapes in several sizes. */
static void
against_reference(void)
{
	static const uint32 sizes[] = {0, 1, 2, 3, 5, 31, 32, 33, 64, 100, 255, 256, 257, 515};
	char		what[80];

	for (int shape = 0; shape < SHAPES; shape++)
		for (int s = 0; s < 14; s++)
			for (int k = 1; k <= (s < 10 ? 4 : 2); k++)
			{
				fill(shape, sizes[s], k, (uint64) (1000 * shape + 10 * s + k));
				snprintf(what, sizeof(what), "shape %d, n %u, k %d", shape, sizes[s], k);
				check_all(what);
			}
	fill(MISSING, 1100, MAX_K, 77);
	check_all("large");
}

/* by_hand is an example that can be followed with a pencil. */
static void
by_hand(void)
{
	SdcLoss		loss;

	records = 3;
	attributes = 2;
	origin = 0;
	memcpy(original[0], (double[]) {1, 2, 3}, 3 * sizeof(double));
	memcpy(original[1], (double[]) {0, 4, 8}, 3 * sizeof(double));
	memcpy(protected[0], (double[]) {2, 2, 5}, 3 * sizeof(double));
	memcpy(protected[1], (double[]) {0, 8, 4}, 3 * sizeof(double));
	measure(true, &loss);
	/* 1/1, 0/2, 2/3 and 4/4, 4/8; one cell is 0 */
	CHECK(near(loss.il[0], (1 + 0 + 2.0 / 3 + 1 + 0.5) / 5) && loss.left_out[0] == 1);
	CHECK(near(loss.il[1], (1.0 / 2 + 0) / 2));	/* means 2, 4 and 3, 4 */
	CHECK(near(loss.il[3], (2.0 + 0) / 2));		/* variances 1, 16 and 3, 16 */
	CHECK(near(loss.il[2], (2.0 + 0 + 1) / 3));	/* covariances 4 and 0 */
	CHECK(near(loss.il[4], 1));					/* correlations 1 and 0 */
	CHECK(near(loss.total, 20 * (3.1666666666666667 / 5 + 0.25 + 1 + 1 + 1)));
	CHECK(near(loss.il1s, (3 / sqrt(2) + 8 / (4 * sqrt(2))) / 6));
	CHECK(near(loss.pil[SDC_LOSS_MEAN], 100 * erf(1 / sqrt(2.0 / 9) / sqrt(2)) / 2));
	CHECK(near(loss.pil[SDC_LOSS_VARIANCE],
			   100 * erf(2 / sqrt((2.0 / 3 - 4.0 / 9) / 3) / sqrt(2)) / 2));
	/* perfectly correlated: no sampling error, but a change */
	CHECK(!loss.has_part[SDC_LOSS_CORRELATION] && loss.pil_left_out == 1);
	CHECK(loss.has_part[SDC_LOSS_COVARIANCE] && loss.has_part[SDC_LOSS_QUANTILE]);
	check_all("by hand");
}

/* identical_files lose nothing, exactly, and leave out the same. */
static void
identical_files(void)
{
	SdcLoss		loss;

	for (int shape = 0; shape < SHAPES; shape++)
		for (int way = 0; way < 3; way++)
		{
			fill(shape, 700, 4, (uint64) (shape + 1));
			memcpy(protected, original, sizeof(protected));
			if (way == 0)
				measure(true, &loss);
			else
				merged_measure(way == 1 ? 1 : 20, &loss);
			for (int m = 0; m < 5; m++)
				CHECKF(loss.il[m] == 0 && loss.pil[m] == 0, "shape %d, way %d", shape, way);
			CHECK(loss.total == 0 && loss.il1s == 0 && loss.pil_total == 0);
			CHECK(loss.left_out[1] == 0 && loss.left_out[2] == 0 && loss.pil_left_out == 0);
		}
}

/* permuted_columns keep means, variances and quantiles. */
static void
permuted_columns(void)
{
	for (int shape = 0; shape < MISSING; shape++)
	{
		SdcLoss		loss;

		fill(shape, 2000, 4, (uint64) (shape + 11));
		for (int j = 0; j < attributes; j++)
		{
			memcpy(protected[j], original[j], sizeof(protected[j]));
			for (uint32 i = records - 1; i > 0; i--)
			{
				uint32		other = (uint32) (uniform() * (i + 1));
				double		kept = protected[j][i];

				protected[j][i] = protected[j][other];
				protected[j][other] = kept;
			}
		}
		measure(true, &loss);
		CHECKF(loss.il[1] <= 1e-12 && loss.il[3] <= 1e-12, "shape %d: %g %g", shape,
			   loss.il[1], loss.il[3]);
		CHECK(loss.pil[SDC_LOSS_QUANTILE] == 0 && loss.pil[SDC_LOSS_MEAN] < 1e-9);
		CHECK(loss.il[0] > 0 && loss.il[4] > 0);
		CHECK(shape == OUTLIER_FIRST || loss.pil[SDC_LOSS_CORRELATION] > 1);
		merged_measure(10, &loss);
		CHECKF(loss.il[1] <= 1e-12 && loss.il[3] <= 1e-12, "shape %d: %g %g", shape,
			   loss.il[1], loss.il[3]);
	}
}

/* constant_columns have no variance and no correlation. */
static void
constant_columns(void)
{
	SdcLoss		loss;

	/* 0.1 n times has a sum that is not n / 10 */
	fill(NORMAL, 333, 3, 5);
	for (uint32 i = 0; i < records; i++)
	{
		original[1][i] = 0.1;
		protected[2][i] = 1e9 + 0.3;
	}
	check_all("constant");
	merged_measure(9, &loss);
	CHECK(loss.left_out[1] == 0 && loss.left_out[3] == 1 && loss.left_out[4] == 3);
	CHECK(loss.left_out[2] == 3 && loss.il1s_left_out == records);

	memcpy(protected[1], original[1], sizeof(protected[1]));
	check_all("constant in both files");
	for (uint32 i = 0; i < records; i++)
		original[1][i] = protected[1][i] = 0;
	check_all("zeros");
	measure(true, &loss);
	CHECK(loss.left_out[0] == records && loss.left_out[1] == 1);

	/* a constant has quantiles, with a density as wide as its size, or 1 */
	for (uint32 i = 0; i < records; i++)
	{
		protected[1][i] = 0.01;
		original[2][i] = -0.1;
		protected[2][i] = -0.1 - 1e-4;
	}
	check_all("constants that moved");
	measure(true, &loss);
	CHECK(loss.pil_left_out >= 2 * QUANTILES);

	/* constant only in the records of a pair */
	fill(NORMAL, 200, 2, 6);
	for (uint32 i = 0; i < records; i++)
	{
		if (i % 2 == 0)
			original[0][i] = NAN;
		else
			original[1][i] = 0.7;
	}
	check_all("constant where both are there");
	measure(false, &loss);
	CHECK(loss.left_out[4] == 1 && loss.left_out[3] == 0);
	attributes = 1;
	check_all("a single attribute");
}

/* noise_is_zero: what is 0 but for rounding divides nothing. */
static void
noise_is_zero(void)
{
	SdcLoss		loss;

	/* means and covariance are some 1e-18 */
	origin = 0;
	records = 300;
	attributes = 2;
	for (uint32 i = 0; i < records; i++)
	{
		original[0][i] = (i % 3 == 0 ? 0.1 : i % 3 == 1 ? 0.2 : -0.3);
		original[1][i] = (i / 3 % 2 == 0 ? 0.7 : -0.7);
		protected[0][i] = original[0][i] + 0.01;
		protected[1][i] = original[1][i] * (i == 7 ? 2 : 1);
	}
	check_all("means of 0");
	for (int way = 0; way < 2; way++)
	{
		if (way == 0)
			measure(true, &loss);
		else
			merged_measure(20, &loss);
		CHECK(loss.left_out[1] == 2 && loss.left_out[2] == 1);
		CHECK(loss.il[1] == 0 && loss.pil[SDC_LOSS_MEAN] > 1);
		/* two values equally often: the variance has no sampling error, but changed */
		CHECK(loss.pil_left_out == 1);
	}
	protected[1][7] = original[1][7];
	measure(true, &loss);
	CHECK(loss.pil_left_out == 0);
	check_all("balanced values kept");

	/* a linear relation that stays */
	for (uint32 i = 0; i < records; i++)
	{
		original[0][i] = normal();
		original[1][i] = 3 - original[0][i] / 7;
		protected[0][i] = 2 * original[0][i];
		protected[1][i] = 5 * original[1][i];
	}
	check_all("perfect correlation");
	merged_measure(5, &loss);
	CHECK(loss.pil_left_out == 0 && loss.pil[SDC_LOSS_CORRELATION] == 0 && loss.il[4] < 1e-12);
	CHECK(loss.has_part[SDC_LOSS_CORRELATION]);
}

/* powers_of_two scale nothing but the exponents: the same bits. */
static void
powers_of_two(void)
{
	SdcLoss		loss;
	SdcLoss		scaled;

	for (int way = 0; way < 2; way++)
	{
		fill(MISSING, 900, 3, 8);
		for (int side = 0; side < 2; side++)
		{
			SdcLoss    *to = side == 0 ? &loss : &scaled;

			random_state = 1;
			if (way == 0)
				measure(true, to);
			else
				merged_measure(7, to);
			for (int j = 0; j < attributes; j++)
				for (uint32 i = 0; i < records; i++)
				{
					original[j][i] = ldexp(original[j][i], 20 * j - 10);
					protected[j][i] = ldexp(protected[j][i], 20 * j - 10);
				}
		}
		CHECK(memcmp(&loss, &scaled, sizeof(loss)) == 0);
	}
}

/* extreme_values overflow and underflow, but nothing becomes NaN. */
static void
extreme_values(void)
{
	static const double sizes[] = {1e75, 1e100, 1e160, 1e300, DBL_MAX, 1e-75, 1e-160, 1e-300,
	5e-324};

	for (int s = 0; s < 9; s++)
		for (int where = 0; where < 4; where++)
		{
			SdcLoss		loss;

			fill(NORMAL, 100, 3, 9);
			for (uint32 i = 0; i < records; i++)
			{
				double		part = sizes[s] >= 1 ? 1 / (1 + fabs(normal())) : 1;

				if (where != 1 && (where < 2 || i == 50))
					original[0][i] = (i % 2 == 0 ? 1 : -1) * sizes[s] * part;
				if (where >= 1 && (where < 2 || i == 50))
					protected[0][i] = (i % 3 == 0 ? 1 : -1) * sizes[s] * part;
				if (where == 3)
					original[1][i] = protected[1][i] = original[0][i];
			}
			measure(true, &loss);
			merged_measure(6, &loss);
			memcpy(protected, original, sizeof(protected));
			measure(true, &loss);
			CHECK(loss.total == 0 && loss.pil_total == 0);
		}
}

/* nothing_present: files whose values are all missing, in one or both. */
static void
nothing_present(void)
{
	SdcLoss		loss;

	for (int which = 1; which <= 3; which++)
	{
		fill(NORMAL, 90, 2, 4);
		for (uint32 i = 0; i < records; i++)
		{
			if (which & 1)
				original[0][i] = NAN;
			if (which & 2)
				protected[0][i] = -INFINITY;
		}
		check_all("missing");
		measure(true, &loss);
		CHECK(loss.left_out[0] == (which == 2 ? records : 0) && loss.left_out[1] == 1 && loss.left_out[4] == 1);
		CHECK(loss.pil_left_out == 1 + 1 + 1 + 1 + QUANTILES);
		attributes = 1;
		check_all("missing, one attribute");
	}
	/* no attributes at all */
	attributes = 0;
	measure(true, &loss);
	CHECK(loss.total == 0 && loss.attributes == 0);
}

/* lost_by_hand can be followed with a pencil: two columns, and the last value of the first one is lost. */
static void
lost_by_hand(void)
{
	SdcLoss		loss;

	records = 3;
	attributes = 2;
	origin = 0;
	memcpy(original[0], (double[]) {1, 2, 3}, 3 * sizeof(double));
	memcpy(original[1], (double[]) {0, 4, 8}, 3 * sizeof(double));
	memcpy(protected, original, sizeof(protected));
	protected[0][2] = NAN;
	measure(true, &loss);
	/* standard deviations 1 and 4: the lost value is between 0 and 4 */
	CHECK(near(loss.il[0], 4.0 / 3 / 5) && loss.left_out[0] == 2);
	/* the mean 2 becomes 1 at most, 7/3 at least */
	CHECK(near(loss.il[1], 0.5 / 2) && loss.left_out[1] == 1);
	/* of 1, 2, 4 the variance is 7/3, of 1, 2, 1.5 it is 1/4; it was 1 */
	CHECK(near(loss.il[3], 4.0 / 3 / 2) && loss.left_out[3] == 1);
	/* the pair (4, -4) in the place of (3, 8) makes the covariance 4 to -4 */
	CHECK(near(loss.il[2], (4.0 / 3 + 0 + 2) / 3) && loss.left_out[2] == 2);
	/* and the correlation 1 to -1 */
	CHECK(near(loss.il[4], 2) && loss.left_out[4] == 1);
	CHECK(near(loss.il1s, 4 / sqrt(2.0) / 6) && loss.il1s_left_out == 1);
	/* the variance of the mean is 2/9; the correlation was without error */
	CHECK(near(loss.pil[SDC_LOSS_MEAN], 100 * erf(1 / sqrt(2.0 / 9) / sqrt(2)) / 2));
	CHECK(near(loss.pil[SDC_LOSS_CORRELATION], 100));
	check_all("lost by hand");

	/* a zero has no relative change: of three cells one is lost */
	attributes = 1;
	memset(original[0], 0, 3 * sizeof(double));
	memcpy(protected[0], (double[]) {0, 0, INFINITY}, 3 * sizeof(double));
	measure(true, &loss);
	CHECK(near(loss.il[0], 1.0 / 3) && near(loss.il[1], 1.0 / 3) && near(loss.il[3], 1.0 / 3));
	CHECK(near(loss.il1s, 1.0 / 3));
	CHECK(loss.has_il[3] && !loss.has_il[4] && near(loss.pil_total, 100));
	check_all("zeros are lost");
	/* a constant that is lost costs what it is */
	for (uint32 i = 0; i < 3; i++)
	{
		original[0][i] = -5;
		protected[0][i] = -INFINITY;
	}
	measure(true, &loss);
	CHECK(near(loss.il[0], 1) && near(loss.il[1], 1) && near(loss.il[3], 1) && near(loss.il1s, 1));
	check_all("constants are lost");
}

/* release makes a release of the original file: as it is, with noise, or with its columns permuted. */
static void
release(int way)
{
	for (int j = 0; j < attributes; j++)
		for (uint32 i = 0; i < records; i++)
		{
			double		deviation = 0.3 * fabs(original[j][i] - original[j][(i + 1) % records]);

			protected[j][i] = original[j][i] + (way == 1 ? deviation * (uniform() - 0.5) : 0);
		}
	for (int j = 0; way == 2 && j < attributes; j++)
		for (uint32 i = records - 1; i > 0; i--)
		{
			uint32		other = (uint32) (uniform() * (i + 1));
			double		kept = protected[j][i];

			if (!isfinite(kept) || !isfinite(protected[j][other]))
				continue;
			protected[j][i] = protected[j][other];
			protected[j][other] = kept;
		}
}

/* check_more checks that no measure is less than it was. */
static void
check_more(const char *what, const SdcLoss *before, const SdcLoss *now)
{
	for (int m = 0; m < 5; m++)
	{
		CHECKF(now->il[m] >= before->il[m] * (1 - 1e-9) - 1e-11, "%s: IL%d %.17g after %.17g", what, m + 1, now->il[m],
			   before->il[m]);
		CHECKF(now->pil[m] >= before->pil[m] * (1 - 1e-9) - 1e-9, "%s: PIL part %d %.17g after %.17g", what, m,
			   now->pil[m], before->pil[m]);
		CHECK(now->left_out[m] >= before->left_out[m]);
	}
	CHECKF(now->total >= before->total * (1 - 1e-9) - 1e-11, "%s: IL %.17g after %.17g", what, now->total,
		   before->total);
	CHECKF(now->il1s >= before->il1s * (1 - 1e-9) - 1e-11, "%s: IL1s %.17g after %.17g", what, now->il1s,
		   before->il1s);
	CHECKF(now->pil_total >= before->pil_total * (1 - 1e-9) - 1e-9, "%s: PIL %.17g after %.17g", what, now->pil_total,
		   before->pil_total);
	CHECK(now->il1s_left_out >= before->il1s_left_out && now->pil_left_out >= before->pil_left_out);
}

/* suppress puts what is no value into so many cells that have one, at random or the largest first. */
static void
suppress(uint32 count, bool largest)
{
	static const double missing[] = {NAN, INFINITY, -INFINITY};

	for (uint32 done = 0, tries = 0; done < count && tries < 100000; tries++)
	{
		int			j = (int) (uniform() * attributes);
		uint32		at = (uint32) (uniform() * records);

		for (uint32 i = 0; largest && i < records; i++)
			if (isfinite(protected[j][i]) && !(protected[j][at] > protected[j][i]))
				at = i;
		if (!isfinite(protected[j][at]))
			continue;
		protected[j][at] = missing[done % 3];
		done++;
	}
}

/* suppressed_more: whatever is suppressed beyond what is, no measure becomes less; in a state as in files. */
static void
suppressed_more(void)
{
	static const uint32 sizes[] = {1, 2, 3, 4, 7, 20, 60, 200};
	char		what[80];

	for (int shape = 0; shape <= MISSING; shape++)
		for (int s = 0; s < 8; s++)
			for (int way = 0; way < 6; way++)
			{
				uint32		cells = 0;
				SdcLoss		before;
				SdcLoss		now;

				fill(shape, sizes[s], 1 + (s + way) % 4, (uint64) (5000 * shape + 10 * s + way));
				release(way % 3);
				measure(true, &before);
				for (int j = 0; j < attributes; j++)
					for (uint32 i = 0; i < records; i++)
						cells += isfinite(original[j][i]);
				for (uint32 lost = 0; lost < cells;)
				{
					uint32		more = 1 + (uint32) (uniform() * cells / 10);

					more = more < cells - lost ? more : cells - lost;
					suppress(more, way >= 3);
					lost += more;
					snprintf(what, sizeof(what), "shape %d, n %u, way %d, %u of %u lost", shape, sizes[s], way, lost, cells);
					measure(true, &now);
					check_more(what, &before, &now);
					CHECKF(now.total > 0 && now.il[0] > 0 && now.il1s > 0, "%s: IL %g", what, now.total);
					before = now;
				}
				if (cells == 0)
					continue;
				/* all is lost */
				for (int m = 0; m < 5; m++)
					CHECKF(!now.has_il[m] || now.il[m] >= 1 - 1e-9 || records < 5, "%s: IL%d %g", what, m + 1, now.il[m]);
				CHECK(now.has_il[4] == (attributes > 1));
				merged_measure(5, &before);
				for (int m = 0; m < 5; m++)
					CHECKF(near(before.il[m], now.il[m]), "%s: IL%d %.17g, merged %.17g", what, m + 1, now.il[m], before.il[m]);
			}
}

/* worst_values: no values in the place of the lost ones make more loss. */
static void
worst_values(void)
{
	static double lost[MAX_K][MAX_N];
	char		what[80];

	for (int shape = 0; shape <= MISSING; shape++)
		for (int round = 0; round < ROUNDS(40); round++)
		{
			SdcLoss		most;
			SdcLoss		loss;

			fill(shape, 2 + (uint32) round / 2, 3, (uint64) (100 * shape + round));
			release(round % 3);
			suppress(1 + (uint32) round / 3, false);
			memcpy(lost, protected, sizeof(lost));
			reference_measure(true, &most);
			measure(true, &most);
			for (int filling = 0; filling < 20; filling++)
			{
				memcpy(protected, lost, sizeof(protected));
				for (int j = 0; j < attributes; j++)
					for (uint32 i = 0; i < records; i++)
					{
						double		place = uniform();
						Real		width = range_of[j].high - range_of[j].low;

						if (!isfinite(original[j][i]) || isfinite(protected[j][i]))
							continue;
						place = filling % 2 == 0 ? (double) (place < 0.5) : place;
						protected[j][i] = (double) (origin + range_of[j].low + place * width);
					}
				measure(true, &loss);
				snprintf(what, sizeof(what), "shape %d, round %d, filling %d", shape, round, filling);
				for (int m = 0; m < 5; m++)
				{
					CHECKF(loss.il[m] <= most.il[m] * (1 + 1e-9) + 1e-11, "%s: IL%d %.17g, lost %.17g", what, m + 1,
						   loss.il[m], most.il[m]);
					CHECKF(loss.pil[m] <= most.pil[m] * (1 + 1e-9) + 1e-9, "%s: PIL part %d %.17g, lost %.17g", what, m,
						   loss.pil[m], most.pil[m]);
				}
			}
		}
}

/* first_records decide nothing, wherever they are. */
static void
first_records(void)
{
	SdcLoss		want;
	SdcLoss		got;

	fill(OFFSET, 2500, 3, 21);
	for (uint32 i = 0; i < 32; i++)
		for (int j = 0; j < attributes; j++)
			original[j][i] = protected[j][i] = NAN;
	for (int j = 0; j < attributes; j++)
		original[j][40] = protected[j][40] = 0;
	reference_measure(false, &want);
	merged_measure(1, &got);
	compare("zero among 10^9", &got, &want);
	merged_measure(40, &got);
	compare("zero among 10^9, merged", &got, &want);
}

/* merged_with_nothing: states without records are neutral on either side. */
static void
merged_with_nothing(void)
{
	SdcLoss		want;
	SdcLoss		got;

	fill(MISSING, 100, 3, 31);
	for (int side = 0; side < 2; side++)
	{
		SdcLossState *full = state_create();
		SdcLossState *empty = state_create();

		state_add(full, 0, records);
		sdc_lossstate_measure(full, &want);
		sdc_lossstate_merge(side == 0 ? full : empty, side == 0 ? empty : full);
		sdc_lossstate_measure(side == 0 ? full : empty, &got);
		CHECK(memcmp(&got, &want, sizeof(got)) == 0);
		sdc_free(empty);
		sdc_free(full);
	}
	records = 0;
	merged_measure(1, &got);
	CHECK(got.records == 0 && got.total == 0 && got.attributes == 3);
}

/* flushed_states have no record left in them, and measure the same. */
static void
flushed_states(void)
{
	SdcLoss		want;
	SdcLoss		got;
	SdcLossState *state;
	bool		found = false;

	fill(NORMAL, 60, 2, 41);
	state = state_create();
	state_add(state, 0, records);
	sdc_lossstate_measure(state, &want);
	sdc_lossstate_flush(state);
	sdc_lossstate_measure(state, &got);
	CHECK(memcmp(&got, &want, sizeof(got)) == 0);
	for (Size at = 0; at + sizeof(double) <= sdc_lossstate_size(attributes); at += sizeof(double))
		for (uint32 i = 0; i < records; i++)
			for (int j = 0; j < attributes; j++)
				found = found || memcmp((char *) state + at, &original[j][i], sizeof(double)) == 0;
	CHECK(!found);
	sdc_free(state);
}

/* check_buffered looks at the number of buffered records: as many as a state has at most, and one more. */
static void
check_buffered(void)
{
	SdcLossState *state = state_create();
	uint32		most = 0;

	for (uint32 i = 0; i < 2 * records; i++)
	{
		uint32		buffered;

		state_add(state, i % records, i % records + 1);
		memcpy(&buffered, (char *) state + 16, sizeof(buffered));
		most = buffered > most ? buffered : most;
	}
	for (uint32 buffered = 0; buffered <= most + 1; buffered++)
	{
		memcpy((char *) state + 16, &buffered, sizeof(buffered));
		CHECKF(sdc_lossstate_valid(state, sdc_lossstate_size(attributes)) == (buffered <= most), "%u buffered",
			   buffered);
	}
	sdc_free(state);
}

/* foreign_states: what is no state is seen; what might be one does no harm. */
static void
foreign_states(void)
{
	Size		size;
	char	   *bytes;
	SdcLossState *state;

	fill(MISSING, 75, 3, 51);
	size = sdc_lossstate_size(attributes);
	state = state_create();
	state_add(state, 0, records);
	bytes = sdc_alloc(size + 1);
	memcpy(bytes + 1, state, size);
	CHECK(sdc_lossstate_valid(bytes + 1, size));	/* not aligned */
	CHECK(!sdc_lossstate_valid(bytes + 1, size - 1) && !sdc_lossstate_valid(bytes, size + 1));
	CHECK(!sdc_lossstate_valid(bytes + 1, 0) && !sdc_lossstate_valid(bytes + 1, 8));
	/* head: magic, attributes, records, buffered, unused */
	for (Size at = 0; at < 24; at++)
	{
		if (at >= 8 && at < 16)
			continue;
		bytes[1 + at] ^= 0x40;
		CHECKF(!sdc_lossstate_valid(bytes + 1, size), "byte %d", (int) at);
		bytes[1 + at] ^= 0x40;
	}
	check_buffered();
	random_state = 3;
	for (int round = 0; round < ROUNDS(300); round++)
	{
		SdcLossState *evil = state_create();
		SdcLoss		loss;

		state_add(evil, 0, 70);
		for (Size at = 24; at < size; at += 1 + (Size) (uniform() * 100))
			((char *) evil)[at] = (char) (int) (round % 3 == 0 ? 0xFF : uniform() * 256);
		for (Size at = 8; round % 2 == 0 && at < 16; at++)
			((char *) evil)[at] = (char) (int) (uniform() * 256);
		CHECK(sdc_lossstate_valid(evil, size));
		sdc_lossstate_measure(evil, &loss);
		CHECK(all_finite(&loss));
		sdc_lossstate_merge(evil, state);
		state_add(evil, 0, 40);
		state_measure(evil, &loss);
	}
	sdc_free(bytes);
	sdc_free(state);
}

/*
 * A record of weight 1, 2 or 3 is so many records, but for the divisor of variances, which cancels, and for IL1s, whose
 * unit is not weighted.
 */
static void
weights_are_records(void)
{
	for (uint32 round = 0; round < ROUNDS(200); round++)
	{
		uint32		count;
		uint32		all = 0;
		double		weight[MAX_N];
		double		many[MAX_N];
		SdcLoss		weighted;
		SdcLoss		repeated;

		random_state = round;
		attributes = 1 + (int) pick(3);
		records = count = 2 + pick(30);
		for (uint32 i = 0; i < count; i++)
		{
			weight[i] = 1 + pick(3);
			all += (uint32) weight[i];
			for (int j = 0; j < attributes; j++)
			{
				original[j][i] = pick(12) == 0 ? NAN : pick(20) + 1.0;
				protected[j][i] = isnan(original[j][i]) ? NAN : pick(20) + 1.0;
			}
		}
		{
			SdcLossTask task = {copy_column, NULL, records, attributes, false, {weight, weight}};

			sdc_loss_measure(&task, &weighted);
		}
		for (int file = 0; file < 2; file++)
			for (int j = 0; j < attributes; j++)
			{
				double	   *column = file == 0 ? original[j] : protected[j];
				uint32		place = 0;

				for (uint32 i = 0; i < count; i++)
					for (uint32 k = 0; k < (uint32) weight[i]; k++)
						many[place++] = column[i];
				memcpy(column, many, all * sizeof(double));
			}
		records = all;
		measure(false, &repeated);
		for (int m = 0; m < 5; m++)
			CHECKF(near(weighted.il[m], repeated.il[m]) && weighted.has_il[m] == repeated.has_il[m],
				   "round %u: IL%d %.17g, want %.17g", round, m + 1, weighted.il[m], repeated.il[m]);
	}
}

/* weights_of_one are no weights, where values are lost, too, but for the divisor of variances, which cancels. */
static void
weights_of_one(void)
{
	double		weight[MAX_N];

	for (uint32 i = 0; i < MAX_N; i++)
		weight[i] = 1;
	for (uint32 round = 0; round < ROUNDS(100); round++)
	{
		SdcLoss		weighted;
		SdcLoss		plain;

		fill(MISSING, 2 + round, 1 + (int) (round % 5), round);
		for (int j = 0; j < attributes; j++)
			for (uint32 i = 0; i < records; i++)
				protected[j][i] = isfinite(original[j][i]) ? protected[j][i] : NAN;
		{
			SdcLossTask task = {copy_column, NULL, records, attributes, false, {weight, weight}};

			sdc_loss_measure(&task, &weighted);
		}
		measure(false, &plain);
		for (int m = 0; m < 5; m++)
			CHECKF(near(weighted.il[m], plain.il[m]) && weighted.has_il[m] == plain.has_il[m],
				   "round %u: IL%d %.17g, want %.17g", round, m + 1, weighted.il[m], plain.il[m]);
	}
}

/* sizes_are_right is what callers reckon with. */
static void
sizes_are_right(void)
{
	/* a file with two bits a cell, a column more, and two words a record */
	CHECK(sdc_lossstate_size(1) < 2048);
	CHECK(sdc_lossstate_size(10) < 21000);
	CHECK(sdc_lossstate_size(SDC_LOSSSTATE_ATTRIBUTES) < 40000000);
}

/* main runs the tests. */
int
main(void)
{
	RUN(by_hand);
	RUN(against_reference);
	RUN(identical_files);
	RUN(permuted_columns);
	RUN(constant_columns);
	RUN(noise_is_zero);
	RUN(powers_of_two);
	RUN(extreme_values);
	RUN(nothing_present);
	RUN(lost_by_hand);
	RUN(suppressed_more);
	RUN(worst_values);
	RUN(first_records);
	RUN(merged_with_nothing);
	RUN(flushed_states);
	RUN(foreign_states);
	RUN(weights_are_records);
	RUN(weights_of_one);
	RUN(sizes_are_right);
	return tap_done();
}
