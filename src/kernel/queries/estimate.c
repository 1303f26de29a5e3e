/*-------------------------------------------------------------------------
 *
 * estimate.c
 *		Counts, sums and averages of the original, estimated from a randomized release.
 *
 * Unbiased inversion of a known randomization: S. Warner, "Randomized response", Journal of the American
 * Statistical Association 60 (1965); A. Gouweleeuw, P. Kooiman, L. Willenborg and P.-P. de Wolf, "Post
 * randomisation for statistical disclosure control", Journal of Official Statistics 14 (1998).  The closed
 * form and the variance are ours.
 *
 * A column that is drawn forgets its value: it gets one from the margin of its column.  So let a function
 * of a record's pattern be written as a sum over the sets A of conditions of a coefficient times the
 * product over A of bit_j - a_j, a_j being the share of the records for which condition j holds.
 * Randomization (forward) multiplies the coefficient of A by lambda(A), the probability that no column of A
 * is drawn: 1 - sum of p under RA 1, C(m - s, k) / C(m, k) for s columns under RA 2, q^s under PRAM.  Inverse divides.
 * With g = 1 for the pattern of all conditions, sum N(S) ghat(S), ghat = inverse(g), has the true count as
 * its expectation.
 *
 * The value of a randomized measure takes the place of a bit, z = y - mean instead of bit - a; y is the
 * value, 0 where its own condition does not hold.  A function is then a polynomial in z for every pattern,
 * of degree 2 at most, and the square has the coefficient of the deviation z^2 - E z^2.  So a column of
 * many values costs three numbers for a pattern, not one for each value.
 *
 * Variance: a_j and the mean are estimated too, and D_j is the derivative of the estimate by them: phi =
 * ghat + sum of D_j (bit_j - a_j) / n_j is what a record adds, and given its original its variance is the
 * expectation of phi^2 less the square of that of phi, psi = forward(phi): sum N (phi^2 - inverse(psi^2))
 * has that expectation. Records that lack a value elsewhere add to the margins only.
 *
 * Time: 30 c 2^c for c conditions, and stratum.  Memory: one model, 2^c patterns.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include <math.h>

#include "kernel/base/moments.h"
#include "kernel/base/normal.h"
#include "kernel/queries/estimate.h"

/* lambda below this is rounding of 0. */
#define LAMBDA_LEAST 1e-12

/* What is below this part of what was added up for it is rounding of 0. */
#define ROUNDING 1e-13

/* A polynomial p[0] + p[1] z + p[2] z^2. */
typedef struct Poly
{
	double		p[3];
} Poly;

/* A stratum, and what is to be estimated: patterns are those of the bits, without the condition of the value. */
typedef struct Model
{
	/* set once */
	const SdcEstimateTask *task;
	int			bits;
	int			condition[SDC_ESTIMATE_CONDITIONS]; /* of each bit */
	bool		value;			/* a randomized measure is summed */
	bool		weighted;		/* a copied one is */
	Size		patterns;
	double	   *lambda;			/* by set of bits */
	double	   *lambda_value;	/* by set of bits and the value */

	/* by stratum */
	double		share[SDC_ESTIMATE_CONDITIONS]; /* a_j by bit */
	double		mean;			/* of y */
	double		spread;			/* its mean square deviation */
	double		measured;		/* records with a y */
	double	   *records;		/* by pattern */
	double	   *sum;			/* of z, or of the copied measure */
	double	   *square;

	/* work space by pattern */
	double	   *deviation;		/* M(A): sum over the records of the product of deviations, weighted */
	double	   *deviation_value;	/* with z in the product */
	double	   *means;			/* product of a_j over the bits that are not in the set */
	Poly	   *ghat;
	Poly	   *h;				/* phi - ghat, or phi */
	Poly	   *forward_a;
	Poly	   *forward_b;
	double		derivative[SDC_ESTIMATE_CONDITIONS];	/* D_j by bit */
	double		derivative_value;
} Model;

/* What strata add up to. */
typedef struct Sums
{
	SdcMomentsSum estimate;
	SdcMomentsSum variance;
	SdcMomentsSum raw;
	double		estimate_size;	/* of what is added and subtracted, at most */
	double		variance_size;
} Sums;

/* What a model has for a pattern: arrays of numbers, then of polynomials. */
#define PATTERN_NUMBERS 8
#define PATTERN_POLYS 4

/* lambda_of is the probability that no column of a set of elements of the task is drawn. */
static double
lambda_of(const SdcEstimateTask *task, uint32 set)
{
	double		sum = 0;
	double		lambda = 1;
	int			drawn = 0;

	for (uint32 rest = set; rest != 0; rest &= rest - 1)
	{
		int			j = __builtin_ctz(rest);

		if (task->probability != NULL)
			sum += task->probability[j];
		else
			drawn += task->drawn[j];
	}
	if (task->probability != NULL)
		lambda = 1 - sum;
	else if (task->retain > 0)
		lambda = pow(task->retain, drawn);
	else
		for (int s = 0; s < drawn; s++)
			lambda *= (double) (task->attributes - task->draws - s) / (task->attributes - s);
	return lambda < LAMBDA_LEAST ? 0 : lambda;
}

/* elements_of is the set of all elements that a statistic of the task is about. */
static uint32
elements_of(const SdcEstimateTask *task)
{
	uint32		all = (UINT32_C(1) << task->conditions) - 1;

	if (task->statistic != SDC_ESTIMATE_COUNT && task->measure == SDC_ESTIMATE_RANDOMIZED &&
		task->own < 0)
		all |= UINT32_C(1) << task->conditions;
	return all;
}

/* sdc_estimate_identifiable: all conditions together have the least lambda. */
bool
sdc_estimate_identifiable(const SdcEstimateTask *task)
{
	return lambda_of(task, elements_of(task)) > 0;
}

/* create_model allocates and fills what does not depend on the stratum. */
static void
create_model(const SdcEstimateTask *task, bool count, Model *model)
{
	bool		measure = !count && task->measure != SDC_ESTIMATE_NONE;
	int			value;

	memset(model, 0, sizeof(*model));
	model->task = task;
	model->value = measure && task->measure == SDC_ESTIMATE_RANDOMIZED;
	model->weighted = measure && task->measure == SDC_ESTIMATE_COPIED;
	for (int j = 0; j < task->conditions; j++)
		if (!model->value || j != task->own)
			model->condition[model->bits++] = j;
	value = task->own >= 0 ? task->own : task->conditions;
	model->patterns = (Size) 1 << model->bits;
	model->lambda = sdc_alloc_matrix(double, model->patterns, PATTERN_NUMBERS);
	model->lambda_value = model->lambda + model->patterns;
	model->records = model->lambda_value + model->patterns;
	model->sum = model->records + model->patterns;
	model->square = model->sum + model->patterns;
	model->deviation = model->square + model->patterns;
	model->deviation_value = model->deviation + model->patterns;
	model->means = model->deviation_value + model->patterns;
	model->ghat = sdc_alloc_matrix(Poly, model->patterns, PATTERN_POLYS);
	model->h = model->ghat + model->patterns;
	model->forward_a = model->h + model->patterns;
	model->forward_b = model->forward_a + model->patterns;
	for (Size set = 0; set < model->patterns; set++)
	{
		uint32		elements = 0;

		sdc_interrupts_step(set);
		for (int i = 0; i < model->bits; i++)
			elements |= (uint32) (set >> i & 1) << model->condition[i];
		model->lambda[set] = lambda_of(task, elements);
		model->lambda_value[set] = model->value ?
			lambda_of(task, elements | UINT32_C(1) << value) : model->lambda[set];
	}
}

/* destroy_model frees it. */
static void
destroy_model(Model *model)
{
	sdc_free(model->ghat);
	sdc_free(model->lambda);
}

/* load_margins fills the shares of a stratum, and the mean and spread of y = (x - from), 0 without its condition. */
static void
load_margins(Model *model, const SdcEstimateStratum *stratum, double from)
{
	const SdcEstimateTask *task = model->task;
	double		offset = task->center - from;
	double		n = (double) stratum->measured;

	for (int i = 0; i < model->bits; i++)
	{
		int			j = model->condition[i];

		model->share[i] = stratum->present[j] == 0 ? 0 :
			(double) stratum->holds[j] / (double) stratum->present[j];
	}
	if (!model->value)
		return;
	model->measured = task->own < 0 ? n : (double) stratum->present[task->own];
	model->mean = model->spread = 0;
	if (model->measured == 0)
		return;
	if (task->own < 0)
	{
		/* d is near its mean: nothing cancels */
		double		mean = stratum->measured_sum / n;

		model->mean = mean + offset;
		model->spread = stratum->measured_square / n - mean * mean;
	}
	else
	{
		model->mean = (stratum->measured_sum + n * offset) / model->measured;
		model->spread = (stratum->measured_square + 2 * offset * stratum->measured_sum +
						 n * offset * offset) / model->measured - model->mean * model->mean;
	}
	model->spread = fmax(model->spread, 0);
}

/* center_sums turns sums of d (or of y, by its condition) of a pattern into sums of z. */
static void
center_sums(Model *model, double from)
{
	double		shift = model->task->own < 0 ? model->task->center - from - model->mean : -model->mean;

	for (Size s = 0; s < model->patterns; s++)
	{
		sdc_interrupts_step(s);
		model->square[s] += shift * (2 * model->sum[s] + shift * model->records[s]);
		model->sum[s] += shift * model->records[s];
	}
}

/* load_patterns fills the records and sums of a stratum by the patterns of the model. */
static void
load_patterns(Model *model, const SdcEstimateStratum *stratum, double from)
{
	const SdcEstimateTask *task = model->task;
	double		offset = task->center - from;

	memset(model->records, 0, 3 * model->patterns * sizeof(double));
	for (Size full = 0; full < (Size) 1 << task->conditions; full++)
	{
		double		n = (double) stratum->records[full];
		Size		s = 0;

		sdc_interrupts_step(full);
		for (int i = 0; i < model->bits; i++)
			s |= (full >> model->condition[i] & 1) << i;
		model->records[s] += n;
		if (model->weighted || (model->value && task->own >= 0 && full >> task->own & 1))
		{
			model->sum[s] += stratum->sum[full] + offset * n;
			model->square[s] += stratum->square[full] +
				offset * (2 * stratum->sum[full] + offset * n);
		}
		else if (model->value && task->own < 0)
		{
			model->sum[s] += stratum->sum[full];
			model->square[s] += stratum->square[full];
		}
	}
	if (model->value)
		center_sums(model, from);
}

/*
 * turn_bit turns functions of patterns into coefficients by sets that have a bit or not, in place; back: it is the
 * inverse.
 */
static inline void
turn_bit(const Model *model, Poly *f, int i, bool back)
{
	Size		bit = (Size) 1 << i;
	double		a = model->share[i];

	for (Size s = 0; s < model->patterns; s++)
	{
		sdc_interrupts_step(s);
		for (int q = 0; q < 3 && !(s & bit); q++)
		{
			double		first = f[s].p[q];
			double		second = f[s | bit].p[q];

			f[s].p[q] = back ? first - a * second : (1 - a) * first + a * second;
			f[s | bit].p[q] = back ? first + (1 - a) * second : second - first;
		}
	}
}

/*
 * to_coefficients turns functions of patterns into coefficients by sets, in place: p[0] that of the bits alone,
 * p[1] and p[2] those of the deviations of z and z^2.
 */
static void
to_coefficients(const Model *model, Poly *f)
{
	for (int i = 0; i < model->bits; i++)
		turn_bit(model, f, i, false);
	for (Size s = 0; s < model->patterns; s++)
		f[s].p[0] += f[s].p[2] * model->spread;
}

/* to_function is its inverse. */
static void
to_function(const Model *model, Poly *f)
{
	for (int i = 0; i < model->bits; i++)
		turn_bit(model, f, i, true);
	for (Size s = 0; s < model->patterns; s++)
		f[s].p[0] -= f[s].p[2] * model->spread;
}

/* randomize replaces a function by forward of it, or by inverse. */
static void
randomize(const Model *model, Poly *f, bool forward)
{
	to_coefficients(model, f);
	for (Size set = 0; set < model->patterns; set++)
	{
		double		lambda = forward ? model->lambda[set] : 1 / model->lambda[set];
		double		with_value = forward ? model->lambda_value[set] : 1 / model->lambda_value[set];

		f[set].p[0] *= lambda;
		f[set].p[1] *= with_value;
		f[set].p[2] *= with_value;
	}
	to_function(model, f);
}

/* find_ghat writes what estimates the pattern of all conditions, times y if there is one. */
static void
find_ghat(Model *model)
{
	memset(model->ghat, 0, model->patterns * sizeof(Poly));
	model->ghat[model->patterns - 1] = (Poly) {{model->value ? model->mean : 1, model->value, 0}};
	randomize(model, model->ghat, false);
}

/* find_deviations fills M and the products of the shares. */
static void
find_deviations(Model *model)
{
	const double *weight = model->weighted ? model->sum : model->records;

	memcpy(model->deviation, weight, model->patterns * sizeof(double));
	memcpy(model->deviation_value, model->sum, model->patterns * sizeof(double));
	model->means[model->patterns - 1] = 1;
	for (Size s = model->patterns - 1; s-- > 0;)
	{
		int			i = __builtin_ctzll(~(uint64) s);

		model->means[s] = model->means[s | (Size) 1 << i] * model->share[i];
	}
	for (int i = 0; i < model->bits; i++)
	{
		Size		bit = (Size) 1 << i;
		double		a = model->share[i];

		for (Size s = 0; s < model->patterns; s++)
		{
			double		without = model->deviation[s];
			double		without_value = model->deviation_value[s];

			sdc_interrupts_step(s);
			if (s & bit)
				continue;
			model->deviation[s] += model->deviation[s | bit];
			model->deviation[s | bit] = (1 - a) * model->deviation[s | bit] - a * without;
			model->deviation_value[s] += model->deviation_value[s | bit];
			model->deviation_value[s | bit] = (1 - a) * model->deviation_value[s | bit] -
				a * without_value;
		}
	}
}

/* find_derivatives fills D_j: how the estimate changes with the share of a bit, or the mean of y. */
static void
find_derivatives(Model *model)
{
	double		mean = model->value ? model->mean : 1;

	for (int i = 0; i < model->bits; i++)
	{
		Size		bit = (Size) 1 << i;
		SdcMomentsSum sum = {0, 0};

		for (Size s = 0; s < model->patterns; s++)
		{
			double		means = model->means[s | bit];

			sdc_interrupts_step(s);
			if (s & bit)
				continue;
			sdc_moments_add(&sum, (1 / model->lambda[s] - 1 / model->lambda[s | bit]) *
							model->deviation[s] * means * mean);
			if (model->value)
				sdc_moments_add(&sum, (1 / model->lambda_value[s] - 1 / model->lambda_value[s | bit]) *
								model->deviation_value[s] * means);
		}
		model->derivative[i] = sdc_moments_total(&sum);
	}
	model->derivative_value = 0;
	for (Size s = 0; s < model->patterns && model->value; s++)
		model->derivative_value += (1 / model->lambda[s] - 1 / model->lambda_value[s]) *
			model->deviation[s] * model->means[s];
}

/* find_h writes what a record adds to the estimate through the margins. */
static void
find_h(Model *model, const SdcEstimateStratum *stratum)
{
	memset(model->h, 0, model->patterns * sizeof(Poly));
	for (Size s = 0; s < model->patterns; s++)
	{
		sdc_interrupts_step(s);
		for (int i = 0; i < model->bits; i++)
		{
			double		n = (double) stratum->present[model->condition[i]];

			if (n > 0)
				model->h[s].p[0] += model->derivative[i] *
					((double) (s >> i & 1) - model->share[i]) / n;
		}
		if (model->measured > 0)
			model->h[s].p[1] = model->derivative_value / model->measured;
	}
}

/* multiply multiplies two polynomials of degree 1. */
static inline Poly
multiply(Poly a, Poly b)
{
	return (Poly) {{a.p[0] * b.p[0], a.p[0] * b.p[1] + a.p[1] * b.p[0], a.p[1] * b.p[1]}};
}

/*
 * add_products adds the sum over the records of a b - inverse(forward(a) forward(b)) for functions a and b, times
 * a power of the copied measure: weight is n, or its sum, or the sum of its squares, by pattern.
 */
static void
add_products(Model *model, const Poly *a, const Poly *b, const double *weight, double factor,
			 Sums *sums)
{
	Poly	   *x = model->forward_a;
	Poly	   *y = model->forward_b;
	double		largest = 0;

	memcpy(x, a, model->patterns * sizeof(Poly));
	memcpy(y, b, model->patterns * sizeof(Poly));
	randomize(model, x, true);
	randomize(model, y, true);
	for (Size s = 0; s < model->patterns; s++)
	{
		x[s] = multiply(x[s], y[s]);
		largest = fmax(largest, fabs(a[s].p[0] * b[s].p[0]));
	}
	randomize(model, x, false);
	for (Size s = 0; s < model->patterns; s++)
	{
		Poly		product = multiply(a[s], b[s]);

		sdc_interrupts_step(s);
		sums->variance_size += fabs(factor * weight[s]) * largest;
		sdc_moments_add(&sums->variance, factor * weight[s] * (product.p[0] - x[s].p[0]));
		if (!model->value)
			continue;
		sums->variance_size += model->square[s] * product.p[2];
		sdc_moments_add(&sums->variance, model->sum[s] * (product.p[1] - x[s].p[1]));
		sdc_moments_add(&sums->variance, model->square[s] * (product.p[2] - x[s].p[2]));
	}
}

/* add_incomplete adds the variance through the margins of records that lack a value elsewhere. */
static void
add_incomplete(const Model *model, const SdcEstimateStratum *stratum, SdcMomentsSum *sum)
{
	double		complete = 0;
	double		square = 0;
	double		scale;
	double		lambda = model->lambda_value[0];

	for (Size s = 0; s < model->patterns; s++)
	{
		complete += model->records[s];
		square += model->square[s];
	}
	for (int i = 0; i < model->bits; i++)
	{
		double		n = (double) stratum->present[model->condition[i]];
		double		a = model->share[i];
		double		own = model->lambda[(Size) 1 << i];
		double		mean = own * own * a * (1 - a);
		double		difference = own * (1 - 2 * a);
		double		with = (double) stratum->holds[model->condition[i]];
		double		without = n - with - complete;

		for (Size s = 0; s < model->patterns; s++)
			if (s >> i & 1)
			{
				with -= model->records[s];
				without += model->records[s];
			}
		scale = n > 0 ? model->derivative[i] / n : 0;
		sdc_moments_add(sum, scale * scale *
						(with * ((1 - a) * (1 - a) - mean - (1 - a) * difference) +
						 without * (a * a - mean + a * difference)));
	}
	if (!model->value || model->measured == 0)
		return;
	scale = model->derivative_value / model->measured;
	square = model->measured * model->spread - square;
	complete = model->measured - complete;
	sdc_moments_add(sum, scale * scale * (1 - lambda) *
					(square + lambda * model->spread * complete));
}

/* add_phi makes phi of h. */
static void
add_phi(Model *model)
{
	for (Size s = 0; s < model->patterns; s++)
		for (int q = 0; q < 3; q++)
			model->h[s].p[q] += model->ghat[s].p[q];
}

/* add_stratum adds a stratum to the estimate of the sum of x - from, or of the number of records. */
static void
add_stratum(Model *model, const SdcEstimateStratum *stratum, double from, Sums *sums)
{
	Size		last = model->patterns - 1;
	const double *weight = model->weighted ? model->sum : model->records;
	double		largest = 0;

	load_margins(model, stratum, from);
	load_patterns(model, stratum, from);
	find_ghat(model);
	for (Size s = 0; s < model->patterns; s++)
		largest = fmax(largest, fabs(model->ghat[s].p[0]));
	for (Size s = 0; s < model->patterns; s++)
	{
		sums->estimate_size += fabs(weight[s]) * largest + fabs(model->sum[s] * model->ghat[s].p[1]);
		sdc_moments_add(&sums->estimate, weight[s] * model->ghat[s].p[0]);
		if (model->value)
			sdc_moments_add(&sums->estimate, model->sum[s] * model->ghat[s].p[1]);
	}
	sdc_moments_add(&sums->raw, model->value ? model->sum[last] + model->mean * model->records[last] :
					weight[last]);
	find_deviations(model);
	find_derivatives(model);
	find_h(model, stratum);
	if (model->weighted)
	{
		add_products(model, model->ghat, model->ghat, model->square, 1, sums);
		add_products(model, model->ghat, model->h, model->sum, 2, sums);
		add_products(model, model->h, model->h, model->records, 1, sums);
	}
	else
	{
		add_phi(model);
		add_products(model, model->h, model->h, model->records, 1, sums);
	}
	add_incomplete(model, stratum, &sums->variance);
}

/* estimate_total estimates the sum of x - from over the records that satisfy all conditions, or their number. */
static void
estimate_total(const SdcEstimateTask *task, bool count, double from, SdcEstimate *result)
{
	Sums		sums = {{0, 0}, {0, 0}, {0, 0}, 0, 0};
	double		variance;
	Model		model;

	create_model(task, count, &model);
	for (uint32 s = 0; s < task->strata; s++)
	{
		SDC_CHECK_INTERRUPTS();
		add_stratum(&model, &task->stratum[s], from, &sums);
	}
	destroy_model(&model);
	result->estimate = sdc_moments_total(&sums.estimate);
	if (fabs(result->estimate) < ROUNDING * sums.estimate_size)
		result->estimate = 0;
	result->raw = sdc_moments_total(&sums.raw);
	variance = sdc_moments_total(&sums.variance);
	result->standard_error = variance > ROUNDING * sums.variance_size ? sqrt(variance) : 0;
}

/* sdc_estimate_run: an average is a quotient, with the variance of the sum of what its values are above it. */
void
sdc_estimate_run(const SdcEstimateTask *task, SdcEstimate *result)
{
	SdcEstimate count;

	SDC_ASSERT(task->conditions >= 1 && task->conditions <= SDC_ESTIMATE_CONDITIONS);
	SDC_ASSERT(task->statistic == SDC_ESTIMATE_COUNT || task->measure != SDC_ESTIMATE_NONE);
	if (task->statistic != SDC_ESTIMATE_AVG)
		estimate_total(task, task->statistic == SDC_ESTIMATE_COUNT, 0, result);
	else
	{
		estimate_total(task, true, 0, &count);
		estimate_total(task, false, task->center, result);
		result->raw = count.raw > 0 ? task->center + result->raw / count.raw : NAN;
		if (count.estimate == 0)
			result->estimate = result->standard_error = NAN;
		else
		{
			double		average = task->center + result->estimate / count.estimate;
			double		raw = result->raw;

			estimate_total(task, false, average, result);
			result->estimate = average;
			result->raw = raw;
			result->standard_error /= fabs(count.estimate);
		}
	}
	result->low = result->estimate - SDC_NORMAL_975 * result->standard_error;
	result->high = result->estimate + SDC_NORMAL_975 * result->standard_error;
}
