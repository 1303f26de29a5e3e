/*-------------------------------------------------------------------------
 *
 * attackerrisk.c
 *		What somebody finds in a relation who has a table of the population.
 *
 * The classes of both are two GROUP BYs of the server.  Where all columns are compared by equality, each class
 * of the population is looked up among those of the relation; otherwise the classes of the relation can
 * overlap, and the kernel looks for all pairs that are compatible.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "kernel/base/codeindex.h"
#include "measure/groups/attackerrisk.h"
#include "relation/base/memory.h"
#include "relation/base/progress.h"
#include "relation/read/contain.h"

/* Both relations, and how their columns are compared. */
typedef struct Comparison
{
	SdcClasses *release;
	SdcClasses *population;
	SdcContain *contain;		/* by column */
	bool		overlapping;	/* some column has ranges or sets */
	uint64		memory;			/* bytes that are taken */
	uint64	   *compatible;		/* F of each class of the release */
} Comparison;

/* plan_comparison checks the relations, before a row is read. */
static void
plan_comparison(Comparison *comparison, const SdcAttackerRequest *request)
{
	int			columns = list_length(request->qi);

	comparison->release = sdc_classes_plan(request->relid, request->qi, NULL, request->unit);
	comparison->population = sdc_classes_plan(request->population, request->qi, NULL, request->population_unit);
	comparison->contain = palloc0(sizeof(SdcContain) * columns);
	for (int i = 0; i < columns; i++)
	{
		sdc_contain_plan(&comparison->contain[i], comparison->release, comparison->population, i);
		if (comparison->contain[i].kind != SDC_CONTAIN_EQUAL)
			comparison->overlapping = true;
	}
}

/* read_comparison reads both relations into common codes. */
static void
read_comparison(Comparison *comparison)
{
	SdcClasses *release = comparison->release;
	SdcClasses *population = comparison->population;

	sdc_classes_read(release);
	sdc_classes_read(population);
	for (int i = 0; i < release->columns; i++)
		sdc_contain_elements(&comparison->contain[i]);
	sdc_classes_rank(release);
	sdc_classes_rank(population);
	for (int i = 0; i < release->columns; i++)
		sdc_contain_codes(&comparison->contain[i]);
	sdc_classes_sort(release);
	comparison->compatible = sdc_memory_zeros(release->coded.records, sizeof(uint64));
}

/* look_up adds the classes of the population to those of the release that they are equal to. */
static void
look_up(Comparison *comparison, SdcAttackerPresence *presence)
{
	const SdcClasses *release = comparison->release;
	const SdcClasses *population = comparison->population;
	SdcCodeIndex index;

	sdc_codeindex_create(&index, &release->coded, release->columns, NULL);
	for (uint32 i = 0; i < population->coded.records; i++)
	{
		uint32		class = sdc_codeindex_find(&index, &population->coded, i);

		/* classes are different: the numbers of their combinations are their own */
		if (class != SDC_CODEINDEX_NONE)
			comparison->compatible[class] += population->size[i];
		sdc_interrupts_step(i);
		if (i % SDC_INTERRUPT_STEPS == 0)
			SDC_REPORT(i, population->coded.records);
	}
	sdc_codeindex_destroy(&index);
	sdc_attackerrisk_presence(release->size, comparison->compatible, release->coded.records,
							  population->records, presence);
}

/* range_ends writes the first or the last codes of the ranges of all classes. */
static uint32 *
range_ends(const Comparison *comparison, int number, const uint32 *of_code)
{
	const SdcCodedFile *coded = &comparison->release->coded;
	uint32	   *end = sdc_memory_array(coded->records, sizeof(uint32));

	for (uint32 i = 0; i < coded->records; i++)
	{
		uint32		code = coded->column[number].code[i];

		end[i] = code == SDC_CODE_NULL ? SDC_CODE_NULL : of_code[code];
		sdc_interrupts_step(i);
	}
	return end;
}

/* describe_column tells the kernel what the classes have in a column. */
static void
describe_column(const Comparison *comparison, int number, SdcAttackerColumn *column)
{
	const SdcContain *contain = &comparison->contain[number];
	const SdcCodedColumn *population = &comparison->population->coded.column[number];

	column->population = population->code;
	column->codes = population->codes;
	switch (contain->kind)
	{
		case SDC_CONTAIN_EQUAL:
			column->kind = SDC_ATTACKER_EQUAL;
			column->low = comparison->release->coded.column[number].code;
			break;
		case SDC_CONTAIN_RANGE:
			column->kind = SDC_ATTACKER_RANGE;
			column->low = range_ends(comparison, number, contain->low);
			column->high = range_ends(comparison, number, contain->high);
			break;
		case SDC_CONTAIN_SET:
			column->kind = SDC_ATTACKER_SET;
			column->low = range_ends(comparison, number, contain->low);
			column->start = contain->start;
			column->element = contain->element;
			break;
	}
}

/* look_for_pairs finds the people of classes that can overlap. */
static void
look_for_pairs(Comparison *comparison, SdcAttackerPresence *presence)
{
	SdcAttackerTask task = {0};
	SdcAttackerColumn *column = palloc0(sizeof(SdcAttackerColumn) * comparison->release->columns);

	task.people = comparison->population->coded.records;
	task.count = comparison->population->size;
	task.classes = comparison->release->coded.records;
	task.columns = comparison->release->columns;
	task.column = column;
	task.released = comparison->release->size;
	for (int i = 0; i < task.columns; i++)
		describe_column(comparison, i, &column[i]);
	sdc_attackerrisk_cover(&task, comparison->compatible, presence);
}

/* sdc_attackerrisk_of: see attackerrisk.h. */
void
sdc_attackerrisk_of(const SdcAttackerRequest *request, SdcPopulationRisk *result)
{
	Comparison	comparison = {0};

	plan_comparison(&comparison, request);
	read_comparison(&comparison);
	sdc_progress_evaluating(comparison.release->coded.records, 1);
	if (comparison.overlapping)
		look_for_pairs(&comparison, &result->presence);
	else
		look_up(&comparison, &result->presence);
	result->people = comparison.population->records;
	sdc_attackerrisk_measure(comparison.release->size, comparison.compatible,
							 comparison.release->coded.records, request->threshold, &result->risk);
	sdc_progress_end();
}
