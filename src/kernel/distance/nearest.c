/*-------------------------------------------------------------------------
 *
 * nearest.c
 *		Distance based record linkage: for original records the nearest protected ones.
 *
 * The attack of D. Pagliuca and G. Seri ("Some results of individual ranking method on the
 * system of enterprise accounts annual survey", Esprit SDC project, 1999), by
 * nearest neighbour search instead of all pairs:
 *
 * Equal protected points become one point that counts for as many, and equal
 * originals one query: with coarse attributes hardly anything else is left, and no
 * number of tied records costs more than one.
 *
 * Points go into trees (nearpoints.h), one for each set of dimensions that they have.
 *
 * Queries are taken in kd order: one follows another in its neighbourhood, whose part of the
 * tree is in the cache.  A query starts from the best of a few points that are probably
 * near: the record's own protected one, a hint of the caller, and the result of the
 * query before.
 *
 * Complexity: O(n log n) while neighbours are much nearer than other records; in high
 * dimensions up to O(n^2), a fraction of which remains.  Memory: O(n dimensions),
 * 8 bytes a record and column, and a tree.  Determinism: whatever the order of visits, the result is the
 * same, since it is defined by the set of measures.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include "kernel/distance/nearest.h"
#include "kernel/distance/nearquery.h"

/* Records of a query whose own records and hints are tried. */
#define HINTED_RECORDS 4

/* Queries whose coordinates are gathered at a time. */
#define GATHERED 256

#define NONE SDC_NEARPOINTS_NONE

typedef struct Linker
{
	const SdcMetricSpace *space;
	const uint32 *record;		/* as given */
	bool		columns;		/* points have columns */
	SdcTeam    *team;
	SdcNearforest *forest;		/* of protected points */
	uint32	   *place_of;		/* of every protected record, or NONE */
	SdcNearpoints originals;	/* first is an index of record[] */
	uint32	   *next;			/* the next index of the same query, or NONE */
	uint32	   *order;			/* of the queries */
	SdcNearquery *query;
	uint32		nearest;		/* a place near the query before, or NONE */
	SdcLink    *link;
} Linker;

/* own_place is the place of the own protected record of an index. */
static inline uint32
own_place(const Linker *finder, uint32 index)
{
	return finder->place_of[sdc_record_at(finder->record, index)];
}

/* hint_place is a place where the caller supposes the nearest record. */
static inline uint32
hint_place(const Linker *finder, uint32 hint)
{
	return hint < finder->space->pairs->records ? finder->place_of[hint] : NONE;
}

/* answer_query links all records of an original point. */
static void
answer_query(Linker *finder, uint32 point, const double *coordinate)
{
	int			dimensions = finder->space->dimensions;
	uint32		first = sdc_nearpoints_first(&finder->originals, point);
	int			hinted = 0;
	SdcLink		result;

	sdc_nearquery_start(finder->query, coordinate, dimensions, dimensions);
	sdc_nearquery_try(finder->query, finder->nearest);
	for (uint32 i = first; i != NONE && hinted < HINTED_RECORDS; i = finder->next[i])
	{
		sdc_nearquery_try(finder->query, own_place(finder, i));
		sdc_nearquery_try(finder->query, hint_place(finder, finder->link[i].linked));
		hinted++;
	}
	sdc_nearquery_search(finder->query, dimensions, NULL, 0);
	finder->nearest = sdc_nearquery_nearest(finder->query, dimensions);
	sdc_nearquery_link(finder->query, dimensions, finder->space, &result);
	for (uint32 i = first, step = 0; i != NONE; i = finder->next[i], step++)
	{
		sdc_interrupts_step(step);
		finder->link[i] = result;
		sdc_nearquery_correct(finder->query, own_place(finder, i), dimensions,
							  &finder->link[i].correct);
	}
}

/* order_queries puts the queries in their kd order. */
static void
order_queries(Linker *finder)
{
	uint32		count = finder->originals.count;

	finder->order = sdc_alloc_array(uint32, count);
	for (uint32 i = 0; i < count; i++)
		finder->order[i] = i;
	sdc_nearpoints_order(&finder->originals, finder->space->dimensions, finder->order, count);
}

/* answer_all takes the queries in this order. */
static void
answer_all(Linker *finder)
{
	int			dimensions = finder->space->dimensions;
	uint32		count = finder->originals.count;
	double	   *point = sdc_alloc_matrix(double, GATHERED, dimensions);

	finder->query = sdc_nearquery_create(finder->forest);
	finder->nearest = NONE;
	for (uint32 start = 0; start < count; start += GATHERED)
	{
		uint32		block = count - start < GATHERED ? count - start : GATHERED;

		SDC_CHECK_INTERRUPTS();
		SDC_REPORT(start, count);
		sdc_nearpoints_gather(&finder->originals, dimensions, finder->order + start, block, point);
		for (uint32 i = 0; i < block; i++)
			answer_query(finder, finder->order[start + i], point + (Size) i * dimensions);
		if (count - start <= GATHERED)
			break;
	}
	sdc_nearquery_destroy(finder->query);
	sdc_free(point);
}

/* link_same writes one link for all: no distance to any record, or 0 to all of them. */
static void
link_same(uint32 count, uint32 ties, SdcLink *link)
{
	SdcLink		same = {0, ties > 0 ? 0 : SDC_RECORD_NONE, ties, ties, ties > 0};

	for (uint32 i = 0; i < count; i++)
	{
		sdc_interrupts_step(i);
		link[i] = same;
	}
}

/* link_lost writes the links of the records without a coordinate. */
static void
link_lost(const uint32 *place_of, uint32 count, SdcLink *link)
{
	for (uint32 i = 0; i < count; i++)
	{
		sdc_interrupts_step(i);
		if (place_of[i] == NONE)
			link_same(1, 0, &link[i]);
	}
}

/* plant_forest makes the forest of the protected points. */
static void
plant_forest(Linker *finder)
{
	uint32		records = finder->space->pairs->records;
	SdcNearpoints points;

	finder->place_of = sdc_alloc_array(uint32, records);
	sdc_nearpoints_collect(finder->space, false, NULL, records, finder->columns, &points, finder->place_of);
	finder->forest = sdc_nearforest_create(&points, finder->space->dimensions, finder->team);
	sdc_nearpoints_free(&points);
	for (uint32 i = 0; i < records; i++)
	{
		sdc_interrupts_step(i);
		if (finder->place_of[i] != NONE)
			finder->place_of[i] = finder->forest->place[finder->place_of[i]];
	}
}

/* run links originals, with or without columns. */
static void
run(const SdcMetricSpace *space, const uint32 *record, uint32 count, bool columns, SdcTeam *team, SdcLink *link)
{
	Linker		finder = {.space = space, .record = record, .columns = columns, .team = team, .link = link};

	if (space->dimensions == 0)
	{
		link_same(count, space->pairs->records, link);
		return;
	}
	plant_forest(&finder);
	finder.next = sdc_alloc_array(uint32, count);
	sdc_nearpoints_collect(space, true, record, count, columns, &finder.originals, finder.next);
	link_lost(finder.next, count, link);
	sdc_nearpoints_chain(&finder.originals, count, finder.next, finder.next);
	order_queries(&finder);
	answer_all(&finder);

	sdc_free(finder.order);
	sdc_nearpoints_free(&finder.originals);
	sdc_free(finder.next);
	sdc_nearforest_destroy(finder.forest);
	sdc_free(finder.place_of);
}

/* sdc_nearest_run: see nearest.h. */
void
sdc_nearest_run(const SdcMetricSpace *space, const uint32 *record, uint32 count, SdcTeam *team, SdcLink *link)
{
	run(space, record, count, true, team, link);
}

/* sdc_nearest_run_lean: see nearest.h. */
void
sdc_nearest_run_lean(const SdcMetricSpace *space, const uint32 *record, uint32 count, SdcTeam *team, SdcLink *link)
{
	run(space, record, count, false, team, link);
}
