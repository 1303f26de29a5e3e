/*-------------------------------------------------------------------------
 *
 * nearpoints.h
 *		Points of records, and trees of them.
 *
 * Equal records are one point.  Points stay where they are, dimension by dimension, or have no coordinates but
 * those of their codes, which take time but no memory; a forest has a copy, in the order of its trees.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_NEARPOINTS_H
#define SDC_KERNEL_NEARPOINTS_H

#include "kernel/distance/neartree.h"

/* No point, or no record. */
#define SDC_NEARPOINTS_NONE UINT32_MAX

/* Points of which few are equal. */
typedef struct SdcNearpoints
{
	const SdcMetricSpace *space;
	bool		original;		/* of original records, */
	const uint32 *record;		/* of these */
	uint32		count;
	double	  **column;			/* coordinates by dimension; NULL: those of codes, looked up */
	bool		complete;		/* no point lacks a coordinate */
	uint32	   *first;			/* the first record (index of record[]) that is there */
	uint32	   *multiplicity;	/* how many are; both NULL: point i is record i, alone */
} SdcNearpoints;

/* sdc_nearpoints_first is the first record of a point, and sdc_nearpoints_multiplicity how many it has. */
static inline uint32
sdc_nearpoints_first(const SdcNearpoints *points, uint32 point)
{
	return points->first != NULL ? points->first[point] : point;
}

static inline uint32
sdc_nearpoints_multiplicity(const SdcNearpoints *points, uint32 point)
{
	return points->multiplicity != NULL ? points->multiplicity[point] : 1;
}

/* sdc_nearpoints_at is the coordinate of the record with an index, where there are no columns. */
static inline double
sdc_nearpoints_at(const SdcNearpoints *points, int d, uint32 index)
{
	const SdcPairColumn *column = &points->space->pairs->column[points->space->attribute[d]];
	uint32		record = sdc_record_at(points->record, index);

	return sdc_metricspace_coordinate(points->space, d,
									  points->original ? column->original[record] : column->protected[record]);
}

/* sdc_nearpoints_coordinate is the coordinate of a point. */
static inline double
sdc_nearpoints_coordinate(const SdcNearpoints *points, int d, uint32 point)
{
	return points->column != NULL ? points->column[d][point] :
		sdc_nearpoints_at(points, d, sdc_nearpoints_first(points, point));
}

/*
 * sdc_nearpoints_collect makes points of records, original or protected.  place_of[i] becomes
 * the point of record[i] (of i, if record is NULL), NONE if it has no coordinate.  record must stay.  Without columns
 * there are none, unless the space has a factor.
 */
extern void sdc_nearpoints_collect(const SdcMetricSpace *space, bool original, const uint32 *record,
								   uint32 count, bool columns, SdcNearpoints *points, uint32 *place_of);
extern void sdc_nearpoints_free(SdcNearpoints *points);

/*
 * sdc_nearpoints_chain connects the records of each point in ascending order: next[i] is the
 * next one of the point of i, or NONE.  place_of and next can be the same array.
 */
extern void sdc_nearpoints_chain(const SdcNearpoints *points, uint32 count,
								 const uint32 *place_of, uint32 *next);

/* sdc_nearpoints_order permutes order[], which holds points: neighbours by the first dimensions. */
extern void sdc_nearpoints_order(const SdcNearpoints *points, int dimensions, uint32 *order,
								 uint32 count);

/* sdc_nearpoints_gather writes the first coordinates of points to one point after the other. */
extern void sdc_nearpoints_gather(const SdcNearpoints *points, int dimensions, const uint32 *order, uint32 count,
								  double *point);

/* Points in the order of trees. */
typedef struct SdcNearforest
{
	const SdcMetricSpace *space;
	double	   *point;			/* coordinates, point by point */
	uint32	   *first;
	uint32	   *multiplicity;	/* NULL: all are 1 */
	uint32	   *place;			/* where each of the points that it was made of is */
	SdcNeartree **tree;
	int			trees;
	SdcTeam    *team;			/* that made it, */
	uint64		mark;			/* and where its memory began */
} SdcNearforest;

/*
 * sdc_nearforest_create makes trees of points, which it does not keep, so that those are
 * neighbours that are it by the first dimensions.  A team has one forest, which it gives up when all members do.
 */
extern SdcNearforest *sdc_nearforest_create(const SdcNearpoints *points, int dimensions, SdcTeam *team);
extern void sdc_nearforest_destroy(SdcNearforest *forest);

/* sdc_nearforest_search searches all trees; high of the task becomes what it returns. */
extern int	sdc_nearforest_search(const SdcNearforest *forest, const double *query,
								  SdcNeartreeTask *task);

#ifdef SDC_CHECKS
extern bool sdc_nearforest_check(const SdcNearforest *forest, const SdcNearpoints *points);
#endif

/*
 * Bytes at most, without columns: of points, what is needed for a time to collect and to order them, and of
 * a forest while and after it is made.
 */
extern uint64 sdc_nearpoints_order_memory(uint32 records, int dimensions);
extern uint64 sdc_nearforest_memory(uint32 records, int dimensions);

#endif							/* SDC_KERNEL_NEARPOINTS_H */
