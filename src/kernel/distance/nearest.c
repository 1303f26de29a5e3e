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
 * see sdc_nearest_memory.  Determinism: whatever the order of visits, the result is the
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
	const SdcSpace *space;
	const uint32 *record;		/* as given */
	SdcNearforest *forest;		/* of protected points */
	uint32	   *place_of;		/* of every protected record, or NONE */
	SdcNearpoints originals;	/* first is an index of record[] */
	uint32	   *next;			/* the next index of the same query, or NONE */
	SdcNearquery *query;
	uint32		nearest;		/* a place near the query before, or NONE */
	SdcLink    *link;
} Linker;

/* own_place is the place of the own protected record of an index. */
static inline uint32
own_place(const Linker *linker, uint32 index)
{
	return linker->place_of[linker->record != NULL ? linker->record[index] : index];
}

/* hint_place is a place where the caller supposes the nearest record. */
static inline uint32
hint_place(const Linker *linker, uint32 hint)
{
	return hint < linker->space->pairs->records ? linker->place_of[hint] : NONE;
}

/* answer_query links all records of an original point. */
static void
answer_query(Linker *linker, uint32 point, const double *coordinate)
{
	int			dimensions = linker->space->dimensions;
	uint32		first = linker->originals.first[point];
	int			hinted = 0;
	SdcLink		result;

	sdc_nearquery_start(linker->query, coordinate, dimensions, dimensions);
	sdc_nearquery_try(linker->query, linker->nearest);
	for (uint32 i = first; i != NONE && hinted < HINTED_RECORDS; i = linker->next[i])
	{
		sdc_nearquery_try(linker->query, own_place(linker, i));
		sdc_nearquery_try(linker->query, hint_place(linker, linker->link[i].linked));
		hinted++;
	}
	sdc_nearquery_search(linker->query, dimensions, NULL, 0);
	linker->nearest = sdc_nearquery_nearest(linker->query, dimensions);
	sdc_nearquery_link(linker->query, dimensions, linker->space, &result);
	for (uint32 i = first, step = 0; i != NONE; i = linker->next[i], step++)
	{
		if (step % SDC_INTERRUPT_STEPS == 0)
			SDC_CHECK_INTERRUPTS();
		linker->link[i] = result;
		sdc_nearquery_correct(linker->query, own_place(linker, i), dimensions,
							  &linker->link[i].correct);
	}
}

/* answer_all takes the queries in their kd order. */
static void
answer_all(Linker *linker)
{
	int			dimensions = linker->space->dimensions;
	uint32		count = linker->originals.count;
	uint32	   *order = sdc_alloc((Size) count * sizeof(uint32));
	double	   *point = sdc_alloc((Size) GATHERED * dimensions * sizeof(double));

	for (uint32 i = 0; i < count; i++)
		order[i] = i;
	sdc_nearpoints_order(&linker->originals, dimensions, order, count);
	linker->query = sdc_nearquery_create(linker->forest);
	linker->nearest = NONE;
	for (uint32 start = 0; start < count; start += GATHERED)
	{
		uint32		block = count - start < GATHERED ? count - start : GATHERED;

		SDC_CHECK_INTERRUPTS();
		sdc_nearpoints_gather(&linker->originals, order + start, block, point);
		for (uint32 i = 0; i < block; i++)
			answer_query(linker, order[start + i], point + (Size) i * dimensions);
		if (count - start <= GATHERED)
			break;
	}
	sdc_nearquery_destroy(linker->query);
	sdc_free(point);
	sdc_free(order);
}

/* link_same writes one link for all: no distance to any record, or 0 to all of them. */
static void
link_same(uint32 count, uint32 ties, SdcLink *link)
{
	SdcLink		same = {0, ties > 0 ? 0 : SDC_RECORD_NONE, ties, ties, ties > 0};

	for (uint32 i = 0; i < count; i++)
	{
		if (i % SDC_INTERRUPT_STEPS == 0)
			SDC_CHECK_INTERRUPTS();
		link[i] = same;
	}
}

/* link_lost writes the links of the records without a coordinate. */
static void
link_lost(const uint32 *place_of, uint32 count, SdcLink *link)
{
	for (uint32 i = 0; i < count; i++)
	{
		if (i % SDC_INTERRUPT_STEPS == 0)
			SDC_CHECK_INTERRUPTS();
		if (place_of[i] == NONE)
			link_same(1, 0, &link[i]);
	}
}

/* plant_forest makes the forest of the protected points. */
static void
plant_forest(Linker *linker)
{
	uint32		records = linker->space->pairs->records;
	SdcNearpoints points;

	linker->place_of = sdc_alloc((Size) records * sizeof(uint32));
	sdc_nearpoints_collect(linker->space, false, NULL, records, &points, linker->place_of);
	linker->forest = sdc_nearforest_create(&points, linker->space->dimensions);
	sdc_nearpoints_free(&points);
	for (uint32 i = 0; i < records; i++)
	{
		if (i % SDC_INTERRUPT_STEPS == 0)
			SDC_CHECK_INTERRUPTS();
		if (linker->place_of[i] != NONE)
			linker->place_of[i] = linker->forest->place[linker->place_of[i]];
	}
}

/* sdc_nearest_run: see nearest.h. */
void
sdc_nearest_run(const SdcSpace *space, const uint32 *record, uint32 count, SdcLink *link)
{
	Linker		linker = {.space = space, .record = record, .link = link};

	if (space->dimensions == 0)
	{
		link_same(count, space->pairs->records, link);
		return;
	}
	plant_forest(&linker);
	linker.next = sdc_alloc((Size) count * sizeof(uint32));
	sdc_nearpoints_collect(space, true, record, count, &linker.originals, linker.next);
	link_lost(linker.next, count, link);
	sdc_nearpoints_chain(&linker.originals, count, linker.next, linker.next);
	answer_all(&linker);

	sdc_nearpoints_free(&linker.originals);
	sdc_free(linker.next);
	sdc_nearforest_destroy(linker.forest);
	sdc_free(linker.place_of);
}

/*
 * sdc_nearest_memory adds up what is there at the end, and the most of what is needed
 * beside it for a time.
 */
uint64
sdc_nearest_memory(uint32 records, int dimensions)
{
	uint64		words = (uint64) records * sizeof(uint32);

	return sdc_nearforest_memory(records, dimensions) +
		sdc_nearpoints_memory(records, dimensions) + 3 * words +
		sdc_nearpoints_work(records, dimensions) + sdc_nearquery_memory(dimensions) +
		(uint64) GATHERED * dimensions * sizeof(double) + 4096;
}
