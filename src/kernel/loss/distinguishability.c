/*-------------------------------------------------------------------------
 *
 * distinguishability.c
 *		How well a linear model tells released records from original ones.
 *
 * The propensity mean squared error (M. Woo, J. Reiter, A. Oganian and A. Karr, "Global measures of data
 * utility for microdata masked for disclosure limitation", Journal of Privacy and Confidentiality 1, 2009;
 * J. Snoke, G. Raab, B. Nowok, C. Dibben and A. Slavkovic, Journal of the Royal Statistical Society A 181,
 * 2018) with a linear model in place of a logistic one.
 *
 * Both files are stacked, N records of which the share c are released.  Features of a column of numbers:
 * the number, standardized by the stack, 0 if it is missing, and an indicator of missing ones if there are
 * any.  Of a column of codes: an indicator for every value of the stack but the first.  With pairs: the
 * products of the features of two columns. With D the difference of the means of the features and T their
 * covariance, r2 = c (1 - c) D' T^-1 D and pmse = c (1 - c) r2.  Features that depend on others are left
 * out, by pivots of the correlation matrix (Cholesky's factor) up to 1e-10.
 *
 * Every record has one feature of a column at most that is not 0: so few products of features are not, and
 * only they are added up, compensated and in the order of the records.
 *
 * Memory: 40 bytes for every two features.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include <math.h>

#include "kernel/base/moments.h"
#include "kernel/loss/distinguishability.h"

/* A pivot of the correlation matrix up to this is rounding. */
#define PIVOT_LEAST 1e-10

/* A variance below this part of the mean square is rounding. */
#define VARIANCE_LEAST 1e-14

/* No feature: of a record that has only zeros in a column, and of a value that does not occur. */
#define NONE UINT32_MAX

/* A column and its features, which begin at first. */
typedef struct Features
{
	uint32		first;
	uint32		count;
	uint32	   *number;			/* of codes: the feature of each value, missing ones last, or NONE */
	double		mean;			/* of numbers */
	double		deviation;		/* 0: all are equal */
} Features;

/* A feature of a record that is not 0. */
typedef struct Active
{
	uint32		feature;
	double		value;
} Active;

typedef struct Model
{
	const SdcDistinguishTask *task;
	Features   *column;
	uint32	   *pair;			/* where the products of columns a < b begin: pair[a columns + b] */
	uint64		features;
	Active	   *single;			/* by column, of a record; feature NONE: nothing */
	Active	   *active;			/* what is not 0, ascending */
	SdcMomentsSum *product;		/* sums of products, i >= j at i (i + 1) / 2 + j */
	SdcMomentsSum *sum;			/* sums of features, in the source and in the release */
	double	   *matrix;			/* of correlations, as product */
	double	   *vector;			/* differences of the means, in standard deviations */
	double	   *factor;			/* a column of the factor */
} Model;

/* packed is where element i, j <= i of a matrix is. */
static inline Size
packed(Size i, Size j)
{
	return i * (i + 1) / 2 + j;
}

/* measure_numbers finds mean and standard deviation of the numbers of a column in the stack, / N. */
static void
measure_numbers(const SdcDistinguishTask *task, const SdcDistinguishColumn *column,
				Features *features)
{
	const double *value[2] = {column->original_value, column->protected_value};
	const uint32 records[2] = {task->originals, task->releases};
	SdcMomentsSum sum = {0, 0};
	SdcMomentsSum square = {0, 0};
	double		least = INFINITY;
	double		greatest = -INFINITY;
	uint64		n = 0;

	for (int pass = 0; pass < 2; pass++)
	{
		features->mean = n > 0 ? sdc_moments_total(&sum) / (double) n : 0;
		for (int file = 0; file < 2; file++)
		{
			for (uint32 i = 0; i < records[file]; i++)
			{
				double		x = value[file][i];

				sdc_interrupts_step(i);
				if (!sdc_moments_present(x))
					continue;
				least = fmin(least, x);
				greatest = fmax(greatest, x);
				n += pass == 0;
				sdc_moments_add(pass == 0 ? &sum : &square, pass == 0 ? x :
								(x - features->mean) * (x - features->mean));
			}
		}
	}
	features->deviation = least < greatest ? sqrt(sdc_moments_total(&square) / (double) n) : 0;
	/* the number, and an indicator */
	features->count = 1 + (n < (uint64) task->originals + task->releases);
}

/* number_values gives the values of a column of codes that occur their features, but the first. */
static void
number_values(const SdcDistinguishTask *task, const SdcDistinguishColumn *column,
			  Features *features)
{
	const uint32 *code[2] = {column->original_code, column->protected_code};
	const uint32 records[2] = {task->originals, task->releases};
	uint32		values = 0;

	features->number = sdc_alloc_zeros(uint32, (uint64) column->codes + 1);
	for (int file = 0; file < 2; file++)
	{
		for (uint32 i = 0; i < records[file]; i++)
		{
			uint32		value = code[file][i];

			sdc_interrupts_step(i);
			features->number[value == SDC_CODE_NULL ? column->codes : value] = 1;
		}
	}
	for (Size value = 0; value <= column->codes; value++)
	{
		sdc_interrupts_step(value);
		if (features->number[value] == 0 || values++ == 0)
			features->number[value] = NONE;
		else
			features->number[value] = values - 2;
	}
	features->count = values > 0 ? values - 1 : 0;
}

/* create_columns finds the features of the columns; their number is what it returns. */
static uint64
create_columns(const SdcDistinguishTask *task, Features *features)
{
	uint64		single = 0;
	uint64		pairs = 0;

	for (int j = 0; j < task->columns; j++)
	{
		features[j].number = NULL;
		if (task->column[j].original_value != NULL)
			measure_numbers(task, &task->column[j], &features[j]);
		else
			number_values(task, &task->column[j], &features[j]);
		features[j].first = (uint32) single;
		pairs += single * features[j].count;
		single += features[j].count;
	}
	return single + (task->pairs ? pairs : 0);
}

/* destroy_columns frees what they have. */
static void
destroy_columns(const SdcDistinguishTask *task, Features *features)
{
	for (int j = 0; j < task->columns; j++)
		if (features[j].number != NULL)
			sdc_free(features[j].number);
	sdc_free(features);
}

/* sdc_distinguishability_features: see distinguishability.h. */
uint64
sdc_distinguishability_features(const SdcDistinguishTask *task)
{
	Features   *features = sdc_alloc_array(Features, (uint64) task->columns);
	uint64		count = create_columns(task, features);

	destroy_columns(task, features);
	return count;
}

/* active_of is the feature of a record in a column that is not 0. */
static Active
active_of(const Model *model, int j, bool released, uint32 record)
{
	const SdcDistinguishColumn *column = &model->task->column[j];
	const Features *features = &model->column[j];
	Active		active = {NONE, 1};

	if (column->original_value != NULL)
	{
		double		x = (released ? column->protected_value : column->original_value)[record];

		active.feature = features->first;
		if (!sdc_moments_present(x))
			active.feature++;
		else if (features->deviation > 0)
			active.value = (x - features->mean) / features->deviation;
		else
			active.value = 0;
		if (active.value == 0)
			active.feature = NONE;
	}
	else
	{
		uint32		code = (released ? column->protected_code : column->original_code)[record];
		uint32		number = features->number[code == SDC_CODE_NULL ? column->codes : code];

		if (number != NONE)
			active.feature = features->first + number;
	}
	return active;
}

/* find_active writes all features of a record that are not 0, and returns their number. */
static Size
find_active(const Model *model, bool released, uint32 record)
{
	int			columns = model->task->columns;
	Size		count = 0;

	for (int j = 0; j < columns; j++)
	{
		model->single[j] = active_of(model, j, released, record);
		if (model->single[j].feature != NONE)
			model->active[count++] = model->single[j];
	}
	for (int a = 0; a < columns && model->task->pairs; a++)
	{
		for (int b = a + 1; b < columns; b++)
		{
			const Active *x = &model->single[a];
			const Active *y = &model->single[b];

			if (x->feature == NONE || y->feature == NONE)
				continue;
			model->active[count].feature = model->pair[(Size) a * (Size) columns + (Size) b] +
				(x->feature - model->column[a].first) * model->column[b].count +
				(y->feature - model->column[b].first);
			model->active[count++].value = x->value * y->value;
		}
	}
	return count;
}

/* add_records adds up the features of a file and their products. */
static void
add_records(Model *model, bool released)
{
	uint32		records = released ? model->task->releases : model->task->originals;
	SdcMomentsSum *sum = model->sum + (released ? model->features : 0);

	for (uint32 r = 0; r < records; r++)
	{
		Size		count = find_active(model, released, r);

		SDC_CHECK_INTERRUPTS();
		if (r % SDC_INTERRUPT_STEPS == 0)
			SDC_REPORT((released ? (uint64) model->task->originals : 0) + r,
					   (uint64) model->task->originals + model->task->releases);
		for (Size i = 0; i < count; i++)
		{
			SdcMomentsSum *row = model->product + packed(model->active[i].feature, 0);
			double		value = model->active[i].value;

			sdc_moments_add(&sum[model->active[i].feature], value);
			for (Size j = 0; j <= i; j++)
				sdc_moments_add(&row[model->active[j].feature], value * model->active[j].value);
		}
	}
}

/* create_model allocates and numbers the features. */
static void
create_model(const SdcDistinguishTask *task, Model *model)
{
	Size		columns = (Size) task->columns;
	uint32		next;
	Size		products;

	model->task = task;
	model->column = sdc_alloc_array(Features, columns);
	model->features = create_columns(task, model->column);
	model->pair = sdc_alloc_matrix(uint32, columns, columns);
	next = columns == 0 ? 0 : model->column[columns - 1].first + model->column[columns - 1].count;
	for (Size a = 0; a < columns; a++)
	{
		for (Size b = a + 1; b < columns; b++)
		{
			model->pair[a * columns + b] = next;
			next += model->column[a].count * model->column[b].count;
		}
	}
	model->single = sdc_alloc_matrix(Active, columns + 2, columns);
	model->active = model->single + columns;
	products = packed((Size) model->features, 0);
	model->product = sdc_alloc_zeros(SdcMomentsSum, products);
	model->sum = sdc_alloc_zeros(SdcMomentsSum, model->features + model->features);
	model->matrix = sdc_alloc_array(double, products);
	model->vector = sdc_alloc_matrix(double, model->features, 3);
	model->factor = model->vector + model->features;
}

/* destroy_model frees it. */
static void
destroy_model(Model *model)
{
	sdc_free(model->vector);
	sdc_free(model->matrix);
	sdc_free(model->sum);
	sdc_free(model->product);
	sdc_free(model->single);
	sdc_free(model->pair);
	destroy_columns(model->task, model->column);
}

/* correlate makes the matrix and the vector; features without variance get a diagonal of 0. */
static void
correlate(Model *model)
{
	double	   *mean = model->factor + model->features;
	double	   *deviation = model->factor;
	double		originals = model->task->originals;
	double		releases = model->task->releases;

	for (Size i = 0; i < model->features; i++)
	{
		double		original = sdc_moments_total(&model->sum[i]);
		double		released = sdc_moments_total(&model->sum[model->features + i]);
		double		square = sdc_moments_total(&model->product[packed(i, i)]) / (originals + releases);
		double		variance;

		mean[i] = (original + released) / (originals + releases);
		variance = square - mean[i] * mean[i];
		deviation[i] = variance > VARIANCE_LEAST * square ? sqrt(variance) : 0;
		model->vector[i] = deviation[i] > 0 ?
			(released / releases - original / originals) / deviation[i] : 0;
	}
	for (Size i = 0; i < model->features; i++)
	{
		SDC_CHECK_INTERRUPTS();
		for (Size j = 0; j <= i; j++)
		{
			double		covariance = sdc_moments_total(&model->product[packed(i, j)]) /
				(originals + releases) - mean[i] * mean[j];

			model->matrix[packed(i, j)] = deviation[i] > 0 && deviation[j] > 0 ?
				covariance / deviation[i] / deviation[j] : 0;
		}
	}
}

/* remove_pivot removes what a feature explains from the others and from the vector; it returns that of the vector. */
static double
remove_pivot(Model *model, Size pivot)
{
	double		root = sqrt(model->matrix[packed(pivot, pivot)]);
	double		explained = model->vector[pivot] / root;

	for (Size i = 0; i < model->features; i++)
		model->factor[i] = model->matrix[i < pivot ? packed(pivot, i) : packed(i, pivot)] / root;
	for (Size i = 0; i < model->features; i++)
	{
		double		own = model->factor[i];
		double	   *row = model->matrix + packed(i, 0);

		SDC_CHECK_INTERRUPTS();
		model->vector[i] -= own * explained;
		for (Size j = 0; j <= i && own != 0; j++)
			row[j] -= own * model->factor[j];
	}
	/* and it is used up */
	model->matrix[packed(pivot, pivot)] = 0;
	return explained * explained;
}

/* find_pivot finds the feature that those before explain least; false: all are explained. */
static bool
find_pivot(const Model *model, Size *pivot)
{
	double		greatest = PIVOT_LEAST;
	bool		found = false;

	for (Size i = 0; i < model->features; i++)
	{
		if (model->matrix[packed(i, i)] > greatest)
		{
			greatest = model->matrix[packed(i, i)];
			*pivot = i;
			found = true;
		}
	}
	return found;
}

/* sdc_distinguishability_measure: see distinguishability.h. */
void
sdc_distinguishability_measure(const SdcDistinguishTask *task, SdcDistinguishability *result)
{
	double		all = (double) task->originals + task->releases;
	double		balance;
	SdcMomentsSum explained = {0, 0};
	Model		model;
	Size		pivot;

	memset(result, 0, sizeof(*result));
	if (task->originals == 0 || task->releases == 0)
		return;
	balance = task->releases / all * (task->originals / all);
	create_model(task, &model);
	add_records(&model, false);
	add_records(&model, true);
	correlate(&model);
	while (find_pivot(&model, &pivot))
	{
		sdc_moments_add(&explained, remove_pivot(&model, pivot));
		result->rank++;
	}
	destroy_model(&model);
	result->r2 = fmin(balance * sdc_moments_total(&explained), 1);
	result->pmse = balance * result->r2;
	result->chance = result->rank / (all - 1);
}
