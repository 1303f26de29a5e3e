/*-------------------------------------------------------------------------
 *
 * metricspace.h
 *		The space in which a distance based attack looks for neighbours.
 *
 * Points are records as the intruder sees them: the known attributes, scaled.
 *
 *	euclidean	x / S, S the standard deviation (n - 1) of the original values
 *	mahalanobis	L^-1 x, with L L' the covariance matrix of the original records
 *				that have all known attributes
 *	manhattan	x / S
 *	gower		x / R, R the range of the original values
 *
 * The contribution of a dimension is the squared difference (euclidean,
 * mahalanobis) or the absolute difference (manhattan, gower); of a nominal
 * attribute 1 where the values differ and 0 where they do not.  The measure of a
 * pair is the sum of the contributions of the dimensions that both records
 * have, times dimensions / common dimensions; a pair without a common dimension
 * has no distance.  Mahalanobis needs all dimensions of both records, and numbers.
 *
 * A dimension whose original values are all equal tells records apart by
 * nothing and has no scale: it is left out.  If nothing is left, all pairs have
 * distance 0.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_METRICSPACE_H
#define SDC_KERNEL_METRICSPACE_H

#include "kernel/base/pairs.h"

typedef enum SdcMetric
{
	SDC_METRIC_EUCLIDEAN,
	SDC_METRIC_MAHALANOBIS,
	SDC_METRIC_MANHATTAN,
	SDC_METRIC_GOWER
} SdcMetric;

typedef struct SdcMetricSpace
{
	const SdcPairs *pairs;
	SdcMetric	metric;
	bool		squared;		/* contributions are squared differences */
	int			dimensions;		/* that are left */
	int		   *attribute;		/* index in pairs->column of each dimension */
	bool	   *nominal;		/* by dimension: coordinates are codes */
	double	   *center;			/* by dimension: subtracted first; no distance depends on it */
	double	   *scale;			/* by dimension: S or R, 1 where nominal */
	double	   *factor;			/* mahalanobis: the factor of the correlation matrix (L
								 * with row d divided by scale d), row by row; else NULL */
} SdcMetricSpace;

/*
 * sdc_metricspace_create measures the original records.  known[] are the indexes of
 * the attributes that the intruder knows; O(records count), for mahalanobis
 * O(records count^2).  A covariance matrix that is singular (to 1e-12 of the
 * diagonal) loses the attributes that depend on those before them.
 */
extern SdcMetricSpace *sdc_metricspace_create(const SdcPairs *pairs, const int *known, int count,
											  SdcMetric metric);

/*
 * sdc_metricspace_first is the space of the first count of the attributes that a space was made of: what
 * sdc_metricspace_create makes of them, without measuring them again.  The space has no factor.
 */
extern SdcMetricSpace *sdc_metricspace_first(const SdcMetricSpace *space, const int *known, int count);
extern void sdc_metricspace_destroy(SdcMetricSpace *space);

/* Coordinates end here: squares of differences, times dimensions^2, stay finite. */
#define SDC_METRICSPACE_COORDINATE_MAX 1e140

/* sdc_metricspace_bounded keeps a coordinate within the bounds; NaN stays. */
static inline double
sdc_metricspace_bounded(double coordinate)
{
	if (coordinate > SDC_METRICSPACE_COORDINATE_MAX)
		return SDC_METRICSPACE_COORDINATE_MAX;
	if (coordinate < -SDC_METRICSPACE_COORDINATE_MAX)
		return -SDC_METRICSPACE_COORDINATE_MAX;
	return coordinate;
}

/* sdc_metricspace_coordinate scales a value, given as its code: the coordinate where there is no factor. */
static inline double
sdc_metricspace_coordinate(const SdcMetricSpace *space, int d, uint32 code)
{
	const SdcPairColumn *column = &space->pairs->column[space->attribute[d]];

	if (code == SDC_CODE_NULL)
		return __builtin_nan("");
	if (space->nominal[d])
		return code;
	return sdc_metricspace_bounded((column->value[code] - space->center[d]) / space->scale[d]);
}

/* The coordinates of a record; a missing one is NaN. */
extern void sdc_metricspace_original(const SdcMetricSpace *space, uint32 record, double *point);
extern void sdc_metricspace_protected(const SdcMetricSpace *space, uint32 record, double *point);

/*
 * sdc_metricspace_columns writes the coordinates of many records: coordinate[d][i] of record[i],
 * or of record i if record is NULL.  They are those of the functions above, and quicker to get.
 */
extern void sdc_metricspace_columns(const SdcMetricSpace *space, bool original,
									const uint32 *record, uint32 count, double *const *coordinate);

/*
 * sdc_metricspace_measure returns the measure of two points, or infinity for a pair
 * without a distance.  Contributions are added in the order of the dimensions:
 * code that computes a measure in another way does the same, so that it is equal.
 */
extern double sdc_metricspace_measure(const SdcMetricSpace *space, const double *a,
									  const double *b);

/* The distance that a measure stands for: its root, or for gower its mean. */
extern double sdc_metricspace_distance(const SdcMetricSpace *space, double measure);

/* Measures up to this times the least one are ties. */
#define SDC_METRICSPACE_TIE (1.0 + 1e-9)

#endif							/* SDC_KERNEL_METRICSPACE_H */
