/*-------------------------------------------------------------------------
 *
 * mdav.c
 *		Groups of k near records: maximum distance to average vector.
 *
 * J. Domingo-Ferrer, V. Torra, "Ordinal, continuous and heterogeneous k-anonymity through microaggregation", Data
 * Mining and Knowledge Discovery 11, 2005.
 *
 * All distances from one point are computed at once, attribute by attribute in their order.  The sums of the records
 * that are left keep what their additions lose, so that a centre is the exact one, rounded, whatever was taken before.
 * The records that are left lie in their order: of equal distances the first one is that of the lower record.  Those
 * that are taken stay among them, with no number in the place of a coordinate, until they are an eighth.
 *
 * Complexity: about 3 n^2 / (4 k) distances from centres and as many twice from records; 8 bytes a record and
 * attribute, and 16 a record.  Determinism: by the inputs.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/partition/mdav.h"

#include <math.h>

#include "kernel/base/doublelanes.h"
#include "kernel/base/moments.h"

/* Of so many places at least, some are taken before the others close up. */
#define CLOSE_UP 8

/* Lanes that are computed together. */
#define TOGETHER 4

/* How an attribute is measured. */
typedef struct Measure
{
	double		mean;
	double		deviation;		/* 0: the attribute is constant */
} Measure;

/* The records that are left, by place, and some that are taken. */
typedef struct Points
{
	uint32		places;
	uint32		left;
	int			attributes;
	double	  **coordinate;		/* by attribute and place; NaN in the first of those that are taken */
	uint32	   *record;			/* by place, ascending */
	double	   *distance;		/* by place, its square from the point; NaN: taken */
	double	   *point;			/* by attribute: from where distances are measured */
	SdcMomentsSum *sum;			/* by attribute, of those that are left */
	uint32	   *nearest;		/* places that are found, a heap whose first is the farthest */
} Points;

/* ------------------------------------------------------------------------
 * Measuring
 * ------------------------------------------------------------------------
 */

/* measure_of finds how an attribute is measured. */
static Measure
measure_of(const double *value, uint32 n)
{
	SdcMomentsSum sum = {0, 0};
	SdcMomentsSum squares = {0, 0};
	Measure		measure;
	bool		constant = true;

	for (uint32 i = 0; i < n; i++)
	{
		sdc_interrupts_step(i);
		sdc_moments_add(&sum, value[i]);
		constant = constant && value[i] == value[0];
	}
	measure.mean = sdc_moments_total(&sum) / n;
	for (uint32 i = 0; i < n; i++)
	{
		sdc_interrupts_step(i);
		sdc_moments_add(&squares, (value[i] - measure.mean) * (value[i] - measure.mean));
	}
	measure.deviation = constant ? 0 : sqrt(sdc_moments_total(&squares) / (n - 1));
	return measure;
}

/* measured is a number as it is measured. */
static inline double
measured(const Measure *measure, double value)
{
	return measure->deviation > 0 ? (value - measure->mean) / measure->deviation : 0;
}

/* measure_piece computes the distances of some places from the point. */
static void
measure_piece(Points *points, uint32 start, uint32 end)
{
	uint32		i = start;

	for (; i + TOGETHER * SDC_DOUBLELANES <= end; i += TOGETHER * SDC_DOUBLELANES)
	{
		SdcDoubleLanes sum[TOGETHER] = {{0}};

		for (int j = 0; j < points->attributes; j++)
		{
			const double *from = points->coordinate[j] + i;
			SdcDoubleLanes point = {points->point[j], points->point[j]};

			for (int t = 0; t < TOGETHER; t++)
			{
				SdcDoubleLanes apart = sdc_doublelanes_read(from + t * SDC_DOUBLELANES) - point;

				sum[t] += apart * apart;
			}
		}
		for (int t = 0; t < TOGETHER; t++)
			sdc_doublelanes_write(points->distance + i + t * SDC_DOUBLELANES, sum[t]);
	}
	for (; i < end; i++)
	{
		double		sum = 0;

		for (int j = 0; j < points->attributes; j++)
		{
			double		apart = points->coordinate[j][i] - points->point[j];

			sum += apart * apart;
		}
		points->distance[i] = sum;
	}
}

/* measure_all computes the distances of all places from the point. */
static void
measure_all(Points *points)
{
	for (uint32 start = 0, end; start < points->places; start = end)
	{
		end = sdc_interrupts_block(start, points->places);
		measure_piece(points, start, end);
	}
}

/* farthest finds the place that is farthest from the point, the first one of equally far ones. */
static uint32
farthest(const Points *points)
{
	double		most = -1;
	uint32		place = 0;

	for (uint32 i = 0; i < points->places; i++)
		if (points->distance[i] > most)
		{
			most = points->distance[i];
			place = i;
		}
	SDC_ASSERT(most >= 0);
	return place;
}

/* ------------------------------------------------------------------------
 * The nearest ones
 * ------------------------------------------------------------------------
 */

/* is_farther tells whether a place is farther than another one, or as far and behind it. */
static inline bool
is_farther(const Points *points, uint32 place, uint32 other)
{
	double		distance = points->distance[place];
	double		than = points->distance[other];

	return distance > than || (distance == than && place > other);
}

/* sift_down puts a place where it belongs in the heap, from its first on. */
static void
sift_down(Points *points, uint32 place, uint32 count)
{
	uint32	   *heap = points->nearest;
	uint32		at = 0;

	for (uint32 child; (child = 2 * at + 1) < count; at = child)
	{
		if (child + 1 < count && is_farther(points, heap[child + 1], heap[child]))
			child++;
		if (!is_farther(points, heap[child], place))
			break;
		heap[at] = heap[child];
	}
	heap[at] = place;
}

/* sift_up adds a place to the heap behind so many. */
static void
sift_up(Points *points, uint32 place, uint32 count)
{
	uint32	   *heap = points->nearest;
	uint32		at = count;

	for (uint32 parent; at > 0; at = parent)
	{
		parent = (at - 1) / 2;
		if (!is_farther(points, place, heap[parent]))
			break;
		heap[at] = heap[parent];
	}
	heap[at] = place;
}

/* find_nearest finds so many places that are nearest to the point; there are as many. */
static void
find_nearest(Points *points, uint32 wanted)
{
	uint32		found = 0;
	uint32		i = 0;
	double		most;

	if (wanted == 0)
		return;
	for (; found < wanted; i++)
		if (!isnan(points->distance[i]))
			sift_up(points, i, found++);
	most = points->distance[points->nearest[0]];
	for (; i < points->places; i++)
		/* of equally near ones the first are there */
		if (points->distance[i] < most)
		{
			sift_down(points, i, found);
			most = points->distance[points->nearest[0]];
		}
}

/* ------------------------------------------------------------------------
 * Groups
 * ------------------------------------------------------------------------
 */

/* take puts the record of a place into a group. */
static void
take(Points *points, uint32 place, uint32 number, uint32 *group)
{
	group[points->record[place]] = number;
	for (int j = 0; j < points->attributes; j++)
		sdc_moments_add(&points->sum[j], -points->coordinate[j][place]);
	points->coordinate[0][place] = NAN;
	points->distance[place] = NAN;
	points->left--;
}

/* take_near makes a group of a place and those nearest to it; the distances are then those from it. */
static void
take_near(Points *points, uint32 place, uint32 k, uint32 number, uint32 *group)
{
	for (int j = 0; j < points->attributes; j++)
		points->point[j] = points->coordinate[j][place];
	take(points, place, number, group);
	measure_all(points);
	find_nearest(points, k - 1);
	for (uint32 i = 0; i < k - 1; i++)
		take(points, points->nearest[i], number, group);
}

/* from_centre finds the place that is farthest from the centre of those that are left. */
static uint32
from_centre(Points *points)
{
	for (int j = 0; j < points->attributes; j++)
		points->point[j] = sdc_moments_total(&points->sum[j]) / points->left;
	measure_all(points);
	return farthest(points);
}

/* close_up has those that are left close up where many were taken. */
static void
close_up(Points *points)
{
	uint32		to = 0;

	if (points->places - points->left < points->places / CLOSE_UP)
		return;
	for (uint32 i = 0; i < points->places; i++)
	{
		sdc_interrupts_step(i);
		if (isnan(points->coordinate[0][i]))
			continue;
		for (int j = 0; j < points->attributes; j++)
			points->coordinate[j][to] = points->coordinate[j][i];
		points->record[to++] = points->record[i];
	}
	points->places = to;
}

/* create_points measures all records. */
static Points *
create_points(const SdcMdavTask *task, const Measure *measure)
{
	Points	   *points = sdc_alloc(sizeof(Points));
	uint32		n = task->records;

	points->places = points->left = n;
	points->attributes = task->attributes;
	points->coordinate = sdc_alloc_array(double *, task->attributes);
	points->record = sdc_alloc_array(uint32, n);
	points->distance = sdc_alloc_array(double, n);
	points->point = sdc_alloc_array(double, task->attributes);
	points->sum = sdc_alloc_zeros(SdcMomentsSum, task->attributes);
	points->nearest = sdc_alloc_array(uint32, task->k);
	for (int j = 0; j < task->attributes; j++)
	{
		points->coordinate[j] = sdc_alloc_array(double, n);
		for (uint32 i = 0; i < n; i++)
		{
			sdc_interrupts_step(i);
			points->coordinate[j][i] = measured(&measure[j], task->column[j][i]);
			sdc_moments_add(&points->sum[j], points->coordinate[j][i]);
		}
	}
	for (uint32 i = 0; i < n; i++)
		points->record[i] = i;
	return points;
}

/* destroy_points frees them. */
static void
destroy_points(Points *points)
{
	for (int j = 0; j < points->attributes; j++)
		sdc_free(points->coordinate[j]);
	sdc_free(points->nearest);
	sdc_free(points->sum);
	sdc_free(points->point);
	sdc_free(points->distance);
	sdc_free(points->record);
	sdc_free(points->coordinate);
	sdc_free(points);
}

/* squares_within sums the squares of the distances of one attribute from the centres of the groups. */
static void
squares_within(const SdcMdavTask *task, int attribute, const Measure *measure, const uint32 *group, uint32 groups,
			   SdcMomentsSum *within)
{
	const double *value = task->column[attribute];
	double	   *mean = sdc_alloc_zeros(double, groups);
	uint32	   *count = sdc_alloc_zeros(uint32, groups);

	for (uint32 i = 0; i < task->records; i++)
	{
		sdc_interrupts_step(i);
		mean[group[i]] += measured(measure, value[i]);
		count[group[i]]++;
	}
	for (uint32 g = 0; g < groups; g++)
		mean[g] /= count[g];
	for (uint32 i = 0; i < task->records; i++)
	{
		double		apart = measured(measure, value[i]) - mean[group[i]];

		sdc_interrupts_step(i);
		sdc_moments_add(within, apart * apart);
	}
	sdc_free(count);
	sdc_free(mean);
}

/* make_groups makes the groups, and returns how many there are. */
static uint32
make_groups(Points *points, uint32 k, uint32 *group)
{
	uint32		all = points->left;
	uint32		groups = 0;

	while (points->left / 3 >= k)
	{
		SDC_REPORT(all - points->left, all);
		take_near(points, from_centre(points), k, groups++, group);
		take_near(points, farthest(points), k, groups++, group);
		close_up(points);
	}
	if (points->left / 2 >= k)
		take_near(points, from_centre(points), k, groups++, group);
	if (points->left == 0)
		return groups;
	for (uint32 i = 0; i < points->places; i++)
		if (!isnan(points->coordinate[0][i]))
			group[points->record[i]] = groups;
	return groups + 1;
}

/* sdc_mdav: see mdav.h. */
uint32
sdc_mdav(const SdcMdavTask *task, uint32 *group, double *within, double *squares)
{
	Measure    *measure = sdc_alloc_array(Measure, task->attributes);
	SdcMomentsSum sum = {0, 0};
	Points	   *points;
	uint32		groups;

	SDC_ASSERT(task->attributes >= 1 && task->k >= 1 && task->records >= task->k);
	*squares = 0;
	for (int j = 0; j < task->attributes; j++)
	{
		measure[j] = measure_of(task->column[j], task->records);
		*squares += measure[j].deviation > 0 ? task->records - 1.0 : 0;
	}
	points = create_points(task, measure);
	groups = make_groups(points, task->k, group);
	destroy_points(points);
	for (int j = 0; j < task->attributes; j++)
		squares_within(task, j, &measure[j], group, groups, &sum);
	*within = sdc_moments_total(&sum);
	sdc_free(measure);
	return groups;
}
