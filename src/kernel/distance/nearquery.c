/*-------------------------------------------------------------------------
 *
 * nearquery.c
 *		The nearest points of one query, by several prefixes of its dimensions.
 *
 * One way through the trees serves all prefixes: what is near by the first c dimensions is
 * seldom far by the first c + 1, so they look at much the same leaves.  A measure
 * is computed once, and is that of every prefix on the way.
 *
 * Ties need the final least measure, so measures near the least one so far are kept, with
 * how many records have them.  Equal points apart, near measures are equal or differ by
 * rounding: a few are kept, and in the odd case that there are more, a second search
 * counts.
 *
 * Complexity: see neartree.c.  Memory: O(dimensions).  Determinism: whatever the order of
 * visits, the result is the same, since it is defined by the set of measures.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include <math.h>

#include "kernel/distance/nearquery.h"

/* Near measures that are kept. */
#define NEAR_MEASURES 16

#define NONE SDC_NEARPOINTS_NONE

/* How many records have one measure. */
typedef struct Near
{
	double		measure;
	uint32		first;
	uint32		count;
} Near;

/* What is known of one prefix. */
typedef struct Prefix
{
	double		least;			/* measure so far */
	uint32		nearest;		/* a point with it */
	bool		recount;		/* there were too many measures */
	int			nears;
	Near		near[NEAR_MEASURES];	/* up to least * SDC_METRICSPACE_TIE */
} Prefix;

struct SdcNearquery
{
	/* set once */
	const SdcNearforest *forest;
	const SdcMetricSpace *space;
	bool		simple;			/* all contributions are squared differences */

	/* the query at work */
	const double *coordinate;
	int			low;
	int			high;
	int			fall;
	uint32		visits;			/* that are left; 0: any number */
	uint32		more;			/* visits beyond them */
	Prefix	   *prefix;			/* these by prefix - low */
	double	   *limit;			/* least * SDC_METRICSPACE_TIE */
	double	   *measure;		/* of the point at work */
};

/* sdc_nearquery_create: see nearquery.h. */
SdcNearquery *
sdc_nearquery_create(const SdcNearforest *forest)
{
	SdcNearquery *query = sdc_alloc(sizeof(SdcNearquery));
	Size		dimensions = forest->space->dimensions;

	query->forest = forest;
	query->space = forest->space;
	query->simple = query->space->squared;
	for (Size d = 0; d < dimensions; d++)
		query->simple = query->simple && !query->space->nominal[d];
	query->prefix = sdc_alloc_array(Prefix, dimensions);
	query->limit = sdc_alloc_array(double, dimensions);
	query->measure = sdc_alloc_array(double, dimensions);
	return query;
}

/* sdc_nearquery_destroy accepts NULL. */
void
sdc_nearquery_destroy(SdcNearquery *query)
{
	if (query == NULL)
		return;
	sdc_free(query->measure);
	sdc_free(query->limit);
	sdc_free(query->prefix);
	sdc_free(query);
}

/* sdc_nearquery_start: see nearquery.h. */
void
sdc_nearquery_start(SdcNearquery *query, const double *coordinate, int low, int high)
{
	SDC_ASSERT(low >= 1 && low <= high && high <= query->space->dimensions);
	query->coordinate = coordinate;
	query->low = low;
	query->high = high;
	for (int c = 0; c <= high - low; c++)
	{
		Prefix	   *prefix = &query->prefix[c];

		prefix->least = INFINITY;
		prefix->nearest = NONE;
		prefix->recount = false;
		prefix->nears = 0;
		query->limit[c] = INFINITY;
	}
}

/*
 * measure_missing computes the measures of a point by the prefixes up to high.  It does what
 * sdc_metricspace_measure does, in the same order.
 */
static void
measure_missing(SdcNearquery *query, const double *b, int high)
{
	const SdcMetricSpace *space = query->space;
	const double *a = query->coordinate;
	double		sum = 0;
	int			common = 0;

	for (int d = 0; d < high; d++)
	{
		double		difference = a[d] - b[d];

		if (difference == difference)
		{
			common++;
			if (space->nominal[d])
				sum += difference != 0;
			else
				sum += space->squared ? difference * difference : fabs(difference);
		}
		if (d + 1 < query->low)
			continue;
		if (common == d + 1)
			query->measure[d + 1 - query->low] = sum;
		else
			query->measure[d + 1 - query->low] = common == 0 ? INFINITY :
				sum * ((double) (d + 1) / common);
	}
}

/* measure_point does the same, quickly if all dimensions are there and are numbers. */
static inline void
measure_point(SdcNearquery *query, uint32 place, int high)
{
	const double *a = query->coordinate;
	const double *b = query->forest->point + (Size) place * query->space->dimensions;
	double	   *measure = query->measure - query->low;
	double		sum = 0;
	int			d = 0;

	if (query->simple)
	{
		for (; d < query->low - 1; d++)
			sum += (a[d] - b[d]) * (a[d] - b[d]);
		for (; d < high; d++)
		{
			sum += (a[d] - b[d]) * (a[d] - b[d]);
			measure[d + 1] = sum;
		}
		if (sum == sum)
			return;
	}
	measure_missing(query, b, high);
}

/* sdc_nearquery_try: see nearquery.h. */
void
sdc_nearquery_try(SdcNearquery *query, uint32 place)
{
	if (place == NONE)
		return;
	measure_point(query, place, query->high);
	for (int c = 0; c <= query->high - query->low; c++)
		if (query->measure[c] < query->prefix[c].least)
		{
			query->prefix[c].least = query->measure[c];
			query->prefix[c].nearest = place;
			query->limit[c] = query->measure[c] * SDC_METRICSPACE_TIE;
		}
}

/* count_measure counts the records of a point with a measure. */
static void
count_measure(const SdcNearquery *query, Prefix *prefix, double measure, uint32 place)
{
	uint32		first = query->forest->first[place];
	uint32		count = query->forest->multiplicity != NULL ? query->forest->multiplicity[place] : 1;
	int			i;

	for (i = 0; i < prefix->nears && prefix->near[i].measure != measure; i++)
		;
	if (i == NEAR_MEASURES)
	{
		prefix->recount = true;
		return;
	}
	if (i == prefix->nears)
	{
		Near		near = {measure, first, 0};

		prefix->near[prefix->nears++] = near;
	}
	prefix->near[i].count += count;
	if (first < prefix->near[i].first)
		prefix->near[i].first = first;
}

/* lower_least notes a measure less than all before. */
static void
lower_least(SdcNearquery *query, int c, double measure, uint32 place)
{
	Prefix	   *prefix = &query->prefix[c];
	double		limit = measure * SDC_METRICSPACE_TIE;
	int			kept = 0;

	prefix->least = measure;
	prefix->nearest = place;
	query->limit[c] = limit;
	for (int i = 0; i < prefix->nears; i++)
		if (prefix->near[i].measure <= limit)
			prefix->near[kept++] = prefix->near[i];
	prefix->nears = kept;
}

/* spend_visit counts a visit, and gives up prefixes when there were too many. */
static inline void
spend_visit(SdcNearquery *query)
{
	if (query->visits == 0 || --query->visits > 0)
		return;
	if (query->high > query->fall && query->fall >= query->low)
	{
		query->high = query->fall;
		query->visits = query->more;
	}
	else
		query->high = query->low - 1;
}

/* visit_point is called for points that may be near enough. */
static int
visit_point(void *arg, uint32 place)
{
	SdcNearquery *query = arg;
	int			prefixes = query->high - query->low + 1;

	measure_point(query, place, query->high);
	for (int c = 0; c < prefixes; c++)
	{
		double		measure = query->measure[c];

		/* without a distance both are infinite */
		if (!(measure <= query->limit[c]) || measure == INFINITY)
			continue;
		if (measure < query->prefix[c].least)
			lower_least(query, c, measure, place);
		count_measure(query, &query->prefix[c], measure, place);
	}
	spend_visit(query);
	return query->high;
}

/* recount_point is called in the second search, for one prefix: the least measure is known. */
static int
recount_point(void *arg, uint32 place)
{
	SdcNearquery *query = arg;
	int			high = query->high;
	int			c = high - query->low;

	measure_point(query, place, high);
	if (query->measure[c] <= query->limit[c])
		count_measure(query, &query->prefix[c], query->prefix[c].least, place);
	return high;
}

/* recount_prefix searches again for one prefix. */
static void
recount_prefix(SdcNearquery *query, int prefix)
{
	int			c = prefix - query->low;
	SdcNeartreeTask task = {.low = prefix, .high = prefix, .limit = &query->limit[c],
	.visit = recount_point, .arg = query};

	query->high = prefix;
	query->prefix[c].nears = 0;
	sdc_nearforest_search(query->forest, query->coordinate, &task);
}

/* sdc_nearquery_search: see nearquery.h. */
int
sdc_nearquery_search(SdcNearquery *query, int fall, uint32 *steps, uint32 visits)
{
	SdcNeartreeTask task = {.low = query->low, .high = query->high, .limit = query->limit,
	.fall = fall, .steps = steps, .visit = visit_point, .arg = query};
	int			reached;

	query->fall = fall;
	query->visits = query->more = visits;
	reached = sdc_nearforest_search(query->forest, query->coordinate, &task);
	for (int prefix = query->low; prefix <= reached; prefix++)
		if (query->prefix[prefix - query->low].recount)
			recount_prefix(query, prefix);
	query->high = reached;
	return reached;
}

/* sdc_nearquery_nearest: see nearquery.h. */
uint32
sdc_nearquery_nearest(const SdcNearquery *query, int prefix)
{
	return query->prefix[prefix - query->low].nearest;
}

/* sdc_nearquery_link: see nearquery.h. */
void
sdc_nearquery_link(const SdcNearquery *query, int prefix, const SdcMetricSpace *space,
				   SdcLink *link)
{
	const Prefix *found = &query->prefix[prefix - query->low];

	link->distance = 0;
	link->linked = SDC_RECORD_NONE;
	link->ties = 0;
	for (int i = 0; i < found->nears; i++)
	{
		link->ties += found->near[i].count;
		if (found->near[i].first < link->linked)
			link->linked = found->near[i].first;
	}
	link->candidates = link->ties;
	link->correct = false;
	if (found->nears > 0)
		link->distance = sdc_metricspace_distance(space, found->least);
}

/* sdc_nearquery_correct: see nearquery.h. */
void
sdc_nearquery_correct(SdcNearquery *query, uint32 place, int high, bool *correct)
{
	int			prefixes = high - query->low + 1;

	if (place != NONE)
		measure_point(query, place, high);
	for (int c = 0; c < prefixes; c++)
		correct[c] = place != NONE && query->prefix[c].nears > 0 &&
			query->measure[c] <= query->limit[c];
}
