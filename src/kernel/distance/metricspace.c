/*-------------------------------------------------------------------------
 *
 * metricspace.c
 *		The space in which a distance based attack looks for neighbours.
 *
 * Means, variances and covariances are computed in two passes with compensated sums
 * (moments.h), in record order: they are determined by the input to the last bit, and
 * good to nearly the last bit.  Before that every value is divided by a power
 * of two near the greatest one of its column, so that no square overflows.
 *
 * Mahalanobis: with S the standard deviations and C = K K' the correlation
 * matrix, the covariance matrix is (S K) (S K)', and L^-1 x = K^-1 (x / S).  The
 * second form is used: units of measurement do not matter to it.  Its values are centred,
 * since the substitution would magnify the rounding of values far from 0.  K is
 * A.-L. Cholesky's factor; an attribute whose pivot is nothing but rounding depends
 * on those before it.
 *
 * Otherwise values are measured from the least original one, which is exact for values near
 * it: where values are far from 0 and near each other, what tells them apart would be lost in
 * x / S.
 *
 * Coordinates are held within +-1e140, so that no measure becomes infinite.  No value
 * within 1e140 standard deviations of 0 notices.
 *
 * Complexity: see metricspace.h.  Memory: O(count^2).  Determinism: by the input alone.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include <float.h>
#include <math.h>

#include "kernel/base/moments.h"
#include "kernel/distance/metricspace.h"

/* A pivot of the correlation matrix (diagonal 1) up to this is rounding. */
#define PIVOT_MIN 1e-12

/* What the first passes say of one numeric attribute. */
typedef struct Moments
{
	uint64		count;			/* values */
	double		least;
	double		most;
	int			exponent;		/* the greatest value is about 2^exponent */
	double		mean;
	double		deviation;		/* standard deviation */
} Moments;

/*
 * original_number is the original value of a record, NaN if there is none, or if
 * the record does not take part (taking NULL: all do).
 */
static inline double
original_number(const SdcPairColumn *column, const bool *taking, uint32 record)
{
	if (taking != NULL && !taking[record])
		return NAN;
	return sdc_pairs_value(column, column->original[record]);
}

/* measure_range finds count, least, most and exponent. */
static void
measure_range(const SdcPairColumn *column, const bool *taking, uint32 records,
			  Moments *moments)
{
	double		greatest;

	moments->count = 0;
	moments->least = INFINITY;
	moments->most = -INFINITY;
	moments->exponent = 0;
	for (uint32 start = 0, end; start < records; start = end)
	{
		end = sdc_interrupts_block(start, records);
		for (uint32 i = start; i < end; i++)
		{
			double		x = original_number(column, taking, i);

			moments->count += x == x;
			moments->least = x < moments->least ? x : moments->least;
			moments->most = x > moments->most ? x : moments->most;
		}
	}
	greatest = fmax(fabs(moments->least), fabs(moments->most));
	if (moments->count > 0 && greatest > 0)
		frexp(greatest, &moments->exponent);

	/* 2^1000 and 2^-1000 are numbers; what is beyond them is near enough to 1 then */
	if (moments->exponent > 1000)
		moments->exponent = 1000;
	if (moments->exponent < -1000)
		moments->exponent = -1000;
}

/* measure_moments finds mean and standard deviation of a column with two values at least. */
static void
measure_moments(const SdcPairColumn *column, const bool *taking, uint32 records,
				Moments *moments)
{
	SdcMomentsSum sum = {0, 0};
	SdcMomentsSum squares = {0, 0};
	double		unit = ldexp(1, -moments->exponent);
	double		mean;

	for (uint32 start = 0, end; start < records; start = end)
	{
		end = sdc_interrupts_block(start, records);
		for (uint32 i = start; i < end; i++)
		{
			double		x = original_number(column, taking, i);

			if (x == x)
				sdc_moments_add(&sum, x * unit);
		}
	}
	mean = sdc_moments_total(&sum) / (double) moments->count;
	for (uint32 start = 0, end; start < records; start = end)
	{
		end = sdc_interrupts_block(start, records);
		for (uint32 i = start; i < end; i++)
		{
			double		x = original_number(column, taking, i);
			double		deviation = x * unit - mean;

			if (x == x)
				sdc_moments_add(&squares, deviation * deviation);
		}
	}
	moments->mean = ldexp(mean, moments->exponent);
	moments->deviation = ldexp(sqrt(sdc_moments_total(&squares) / (double) (moments->count - 1)),
							   moments->exponent);
}

/* nominal_varies tells whether a nominal attribute has two different original values. */
static bool
nominal_varies(const SdcPairColumn *column, uint32 records)
{
	uint32		seen = SDC_CODE_NULL;

	for (uint32 start = 0, end; start < records; start = end)
	{
		end = sdc_interrupts_block(start, records);
		for (uint32 i = start; i < end; i++)
		{
			uint32		code = column->original[i];

			if (code == SDC_CODE_NULL || code == seen)
				continue;
			if (seen != SDC_CODE_NULL)
				return true;
			seen = code;
		}
	}
	return false;
}

/* add_dimension appends a dimension. */
static void
add_dimension(SdcMetricSpace *space, int attribute, bool nominal, double center, double scale)
{
	int			d = space->dimensions++;

	space->attribute[d] = attribute;
	space->nominal[d] = nominal;
	space->center[d] = center;
	space->scale[d] = scale;
}

/* add_attribute appends an attribute, unless it tells records apart by nothing. */
static void
add_attribute(SdcMetricSpace *space, int attribute, const bool *taking)
{
	const SdcPairColumn *column = &space->pairs->column[attribute];
	uint32		records = space->pairs->records;
	Moments		moments;
	double		scale;

	if (column->value == NULL)
	{
		SDC_ASSERT(space->metric != SDC_METRIC_MAHALANOBIS);
		if (nominal_varies(column, records))
			add_dimension(space, attribute, true, 0, 1);
		return;
	}
	measure_range(column, taking, records, &moments);
	if (moments.count < 2 || moments.least == moments.most)
		return;
	if (space->metric == SDC_METRIC_GOWER)
		scale = fmin(moments.most - moments.least, DBL_MAX);
	else
	{
		measure_moments(column, taking, records, &moments);
		scale = fmin(moments.deviation, DBL_MAX);
	}
	/* values that differ by less than a number can say have no scale either */
	if (scale > 0)
		add_dimension(space, attribute, false,
					  space->metric == SDC_METRIC_MAHALANOBIS ? moments.mean : moments.least, scale);
}

/* varies tells whether a numeric attribute has two different original values. */
static bool
varies(const SdcPairs *pairs, int attribute)
{
	Moments		moments;

	measure_range(&pairs->column[attribute], NULL, pairs->records, &moments);
	return moments.count >= 2 && moments.least < moments.most;
}

/*
 * mark_complete marks the records whose original values are all there, but for those of
 * attributes that are left out anyway.
 */
static bool *
mark_complete(const SdcPairs *pairs, const int *known, int count)
{
	bool	   *complete = sdc_alloc_array(bool, pairs->records);

	memset(complete, true, pairs->records);
	for (int k = 0; k < count; k++)
	{
		const SdcPairColumn *column = &pairs->column[known[k]];

		SDC_ASSERT(column->value != NULL);
		if (!varies(pairs, known[k]))
			continue;
		for (uint32 start = 0, end; start < pairs->records; start = end)
		{
			end = sdc_interrupts_block(start, pairs->records);
			for (uint32 i = start; i < end; i++)
			{
				double		x = sdc_pairs_value(column, column->original[i]);

				complete[i] = complete[i] && x == x;
			}
		}
	}
	return complete;
}

/* correlate_records returns the correlation of two dimensions over marked records. */
static double
correlate_records(const SdcMetricSpace *space, int a, int b, const bool *complete)
{
	const uint32 *code_a = space->pairs->column[space->attribute[a]].original;
	const uint32 *code_b = space->pairs->column[space->attribute[b]].original;
	uint32		records = space->pairs->records;
	uint64		count = 0;
	SdcMomentsSum sum = {0, 0};

	for (uint32 start = 0, end; start < records; start = end)
	{
		end = sdc_interrupts_block(start, records);
		for (uint32 i = start; i < end; i++)
		{
			if (!complete[i])
				continue;
			sdc_moments_add(&sum, sdc_metricspace_coordinate(space, a, code_a[i]) *
					sdc_metricspace_coordinate(space, b, code_b[i]));
			count++;
		}
	}
	return sdc_moments_total(&sum) / (double) (count - 1);
}

/* keep_dimension moves dimension d, with its row of the factor, to a place before it. */
static void
keep_dimension(SdcMetricSpace *space, int d, int place, int stride)
{
	space->attribute[place] = space->attribute[d];
	space->nominal[place] = space->nominal[d];
	space->center[place] = space->center[d];
	space->scale[place] = space->scale[d];
	memmove(space->factor + (Size) place * stride, space->factor + (Size) d * stride,
			stride * sizeof(double));
}

/*
 * factor_covariance computes the factor, row by row, and drops dimensions that
 * depend on those before them.  Rows are stride long while it is at work.
 */
static void
factor_covariance(SdcMetricSpace *space, const bool *complete)
{
	int			stride = space->dimensions;
	int			kept = 0;

	space->factor = sdc_alloc_matrix(double, stride, stride);
	for (int d = 0; d < stride; d++)
	{
		double	   *row = space->factor + (Size) d * stride;
		double		pivot = correlate_records(space, d, d, complete);
		double		least = PIVOT_MIN * pivot;

		memset(row, 0, stride * sizeof(double));
		for (int j = 0; j < kept; j++)
		{
			const double *other = space->factor + (Size) j * stride;
			double		rest = correlate_records(space, d, j, complete);

			for (int m = 0; m < j; m++)
				rest -= row[m] * other[m];
			row[j] = rest / other[j];
			pivot -= row[j] * row[j];
		}
		if (!(pivot > least))
			continue;
		row[kept] = sqrt(pivot);
		keep_dimension(space, d, kept, stride);
		kept++;
	}
	for (int d = 0; d < kept; d++)
		memmove(space->factor + (Size) d * kept, space->factor + (Size) d * stride,
				kept * sizeof(double));
	space->dimensions = kept;
}

/* start_space makes a space that has room for some dimensions, and none yet. */
static SdcMetricSpace *
start_space(const SdcPairs *pairs, int room, SdcMetric metric)
{
	SdcMetricSpace *space = sdc_alloc(sizeof(SdcMetricSpace));

	space->pairs = pairs;
	space->metric = metric;
	space->squared = metric == SDC_METRIC_EUCLIDEAN || metric == SDC_METRIC_MAHALANOBIS;
	space->dimensions = 0;
	space->attribute = sdc_alloc_array(int, room);
	space->nominal = sdc_alloc_array(bool, room);
	space->center = sdc_alloc_array(double, room);
	space->scale = sdc_alloc_array(double, room);
	space->factor = NULL;
	return space;
}

/* sdc_metricspace_create: see metricspace.h. */
SdcMetricSpace *
sdc_metricspace_create(const SdcPairs *pairs, const int *known, int count, SdcMetric metric)
{
	SdcMetricSpace *space = start_space(pairs, count, metric);
	bool	   *complete = NULL;

	if (metric == SDC_METRIC_MAHALANOBIS)
		complete = mark_complete(pairs, known, count);
	for (int k = 0; k < count; k++)
		add_attribute(space, known[k], complete);
	if (metric == SDC_METRIC_MAHALANOBIS)
	{
		factor_covariance(space, complete);
		sdc_free(complete);
	}
	return space;
}

/* sdc_metricspace_first: see metricspace.h. */
SdcMetricSpace *
sdc_metricspace_first(const SdcMetricSpace *space, const int *known, int count)
{
	SdcMetricSpace *first = start_space(space->pairs, count, space->metric);

	SDC_ASSERT(space->factor == NULL);
	/* an attribute that tells nothing has no dimension */
	for (int k = 0, d = 0; k < count && d < space->dimensions; k++)
		if (space->attribute[d] == known[k])
		{
			add_dimension(first, known[k], space->nominal[d], space->center[d], space->scale[d]);
			d++;
		}
	return first;
}

/* sdc_metricspace_destroy accepts NULL. */
void
sdc_metricspace_destroy(SdcMetricSpace *space)
{
	if (space == NULL)
		return;
	if (space->factor != NULL)
		sdc_free(space->factor);
	sdc_free(space->scale);
	sdc_free(space->center);
	sdc_free(space->nominal);
	sdc_free(space->attribute);
	sdc_free(space);
}

/*
 * solve_factor replaces a point by factor^-1 point.  A point with a missing coordinate
 * has none at all.
 */
static void
solve_factor(const SdcMetricSpace *space, double *point)
{
	const double *row = space->factor;
	bool		missing = false;

	for (int d = 0; d < space->dimensions; d++)
		missing = missing || point[d] != point[d];
	for (int d = 0; d < space->dimensions; d++, row += space->dimensions)
	{
		double		rest = point[d];

		for (int m = 0; m < d; m++)
			rest -= row[m] * point[m];
		point[d] = missing ? NAN : sdc_metricspace_bounded(rest / row[d]);
	}
}

/* sdc_metricspace_original: see metricspace.h. */
void
sdc_metricspace_original(const SdcMetricSpace *space, uint32 record, double *point)
{
	for (int d = 0; d < space->dimensions; d++)
		point[d] = sdc_metricspace_coordinate(space, d,
								 space->pairs->column[space->attribute[d]].original[record]);
	if (space->factor != NULL)
		solve_factor(space, point);
}

/* sdc_metricspace_protected: see metricspace.h. */
void
sdc_metricspace_protected(const SdcMetricSpace *space, uint32 record, double *point)
{
	for (int d = 0; d < space->dimensions; d++)
		point[d] = sdc_metricspace_coordinate(space, d,
								 space->pairs->column[space->attribute[d]].protected[record]);
	if (space->factor != NULL)
		solve_factor(space, point);
}

/* fill_column writes the coordinates of one dimension, before solve_factor. */
static void
fill_column(const SdcMetricSpace *space, int d, bool original, const uint32 *record, uint32 count,
			double *coordinate)
{
	const SdcPairColumn *column = &space->pairs->column[space->attribute[d]];
	const uint32 *code = original ? column->original : column->protected;

	for (uint32 start = 0, end; start < count; start = end)
	{
		end = sdc_interrupts_block(start, count);
		if (record == NULL)
			for (uint32 i = start; i < end; i++)
				coordinate[i] = sdc_metricspace_coordinate(space, d, code[i]);
		else
			for (uint32 i = start; i < end; i++)
				coordinate[i] = sdc_metricspace_coordinate(space, d, code[record[i]]);
	}
}

/* sdc_metricspace_columns: see metricspace.h. */
void
sdc_metricspace_columns(const SdcMetricSpace *space, bool original, const uint32 *record,
						uint32 count, double *const *coordinate)
{
	double	   *point;

	for (int d = 0; d < space->dimensions; d++)
		fill_column(space, d, original, record, count, coordinate[d]);
	if (space->factor == NULL)
		return;
	point = sdc_alloc_array(double, space->dimensions);
	for (uint32 start = 0, end; start < count; start = end)
	{
		end = sdc_interrupts_block(start, count);
		for (uint32 i = start; i < end; i++)
		{
			for (int d = 0; d < space->dimensions; d++)
				point[d] = coordinate[d][i];
			solve_factor(space, point);
			for (int d = 0; d < space->dimensions; d++)
				coordinate[d][i] = point[d];
		}
	}
	sdc_free(point);
}

/* sdc_metricspace_measure: see metricspace.h. */
double
sdc_metricspace_measure(const SdcMetricSpace *space, const double *a, const double *b)
{
	double		sum = 0;
	int			common = 0;

	if (space->dimensions == 0)
		return 0;
	for (int d = 0; d < space->dimensions; d++)
	{
		double		difference = a[d] - b[d];

		if (difference != difference)
			continue;
		common++;
		if (space->nominal[d])
			sum += difference != 0;
		else
			sum += space->squared ? difference * difference : fabs(difference);
	}
	if (common == space->dimensions)
		return sum;
	return common == 0 ? INFINITY : sum * ((double) space->dimensions / common);
}

/* sdc_metricspace_distance: see metricspace.h. */
double
sdc_metricspace_distance(const SdcMetricSpace *space, double measure)
{
	if (space->squared)
		return sqrt(measure);
	if (space->metric == SDC_METRIC_GOWER && space->dimensions > 0)
		return measure / space->dimensions;
	return measure;
}
