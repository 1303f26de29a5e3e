/*-------------------------------------------------------------------------
 *
 * recordswap.c
 *		Targeted record swapping of a relation.
 *
 * Units that are rare where they live exchange their areas with similar units elsewhere (kernel/areas/recordswap.c).
 * What goes along with an area moves with it; a column that depends on the areas and stays is told of.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "kernel/areas/recordswap.h"
#include "lib/stringinfo.h"
#include "method/recordswap.h"
#include "method/unitswap.h"
#include "relation/base/memory.h"
#include "relation/base/names.h"
#include "relation/base/shortest.h"
#include "relation/base/spi.h"
#include "relation/catalog/methods.h"
#include "relation/column/paircodes.h"
#include "utils/memutils.h"

#define PURPOSE_KEYS "keys"
#define PURPOSE_RATE "rate"

/* check_apart insists that what moves is not what is looked at. */
static void
check_apart(const List *moved, const char *moved_argument, const List *names, const char *argument)
{
	ListCell   *cell;

	foreach(cell, names)
		if (sdc_names_have(moved, lfirst(cell)))
			ereport(ERROR,
					(errcode(ERRCODE_DUPLICATE_COLUMN),
					 errmsg("column \"%s\" is named in arguments \"%s\" and \"%s\"", (char *) lfirst(cell),
							moved_argument, argument),
					 errhint("A column that moves with a unit describes neither its risk nor its likeness to others.")));
}

/* check_plan insists on columns that can be compared. */
static void
check_plan(SdcMethodStep *step, SdcSource *source, Oid catalog_schema, SdcTarget *target)
{
	const SdcRecordSwapRequest *request = step->arguments;

	(void) catalog_schema;
	(void) target;
	sdc_unitswap_check(source, request->areas, SDC_PARAMETER_AREAS);
	sdc_unitswap_check(source, request->carry, SDC_PARAMETER_CARRY);
	sdc_unitswap_check(source, request->risk, SDC_PARAMETER_RISK);
	sdc_unitswap_check(source, request->similar, SDC_PARAMETER_SIMILAR);
}

/* make_task makes the task of the kernel. */
static SdcRecordSwapTask
make_task(const SdcUnitSwap *swap, const SdcRecordSwapRequest *request)
{
	SdcRecordSwapTask task = {.units = swap->units, .stratum = swap->stratum, .strata = swap->strata};

	task.area = sdc_unitswap_unit_codes(swap, request->areas, SDC_PARAMETER_AREAS);
	task.levels = list_length(request->areas);
	task.risk = sdc_unitswap_codes(swap, request->risk, SDC_PARAMETER_RISK);
	task.risks = list_length(request->risk);
	task.similar = sdc_unitswap_unit_codes(swap, request->similar, SDC_PARAMETER_SIMILAR);
	task.similars = list_length(request->similar);
	/* nothing is to be known of these but that they can move */
	(void) sdc_unitswap_unit_codes(swap, request->carry, SDC_PARAMETER_CARRY);
	task.relax = request->relax;
	task.any_size = request->any_size;
	task.k = request->k;
	task.rate = request->rate;
	return task;
}

/* draw runs the kernel, with a stream for each level and one for the rate. */
static const SdcRecordSwapResult *
draw(SdcRecordSwap *swapping, const SdcRecordSwapRequest *request, SdcRandom *random)
{
	ListCell   *cell;

	foreach(cell, request->areas)
	{
		sdc_recordswap_level(swapping, foreach_current_index(cell),
							 sdc_random_start(random, lfirst(cell), PURPOSE_KEYS, 0));
		sdc_random_verify(random);
	}
	sdc_recordswap_rate(swapping, sdc_random_start(random, "", PURPOSE_RATE, 0));
	sdc_random_verify(random);
	return sdc_recordswap_finish(swapping);
}

/* report_levels says of the columns of areas what has happened; it is kept as long as the source is. */
static void
report_levels(SdcSource *source, const SdcRecordSwapRequest *request, const SdcRecordSwapResult *result)
{
	MemoryContext context = GetMemoryChunkContext(source);
	ListCell   *cell;

	foreach(cell, request->areas)
	{
		const SdcRecordSwapLevel *level = &result->level[foreach_current_index(cell)];
		SdcAreaReport *report = MemoryContextAllocZero(context, sizeof(SdcAreaReport));

		report->at_risk = level->at_risk;
		report->swapped = level->swapped;
		report->partial = level->partial;
		report->at_risk_after = level->at_risk_after;
		report->profiles = request->relax + 1;
		report->pairs = MemoryContextAlloc(context, sizeof(uint64) * report->profiles);
		for (int f = 0; f < report->profiles; f++)
			report->pairs[f] = level->pairs[f];
		report->last = lnext(request->areas, cell) == NULL;
		report->target = result->target;
		report->unmatched = result->unmatched;
		report->lacking = result->lacking;
		source->attributes[sdc_source_find_attribute(source, lfirst(cell), SDC_PARAMETER_AREAS)].areas = report;
	}
}

/* warn_unmatched warns of units that must move and did not. */
static void
warn_unmatched(const SdcSource *source, const SdcRecordSwapResult *result, int levels)
{
	uint32		at_risk = 0;

	for (int h = 0; h < levels; h++)
		at_risk += result->level[h].at_risk;
	if (result->unmatched == 0)
		return;
	ereport(WARNING,
			(errcode(ERRCODE_WARNING),
			 source->units != NULL ?
			 errmsg("%u of %u units at risk stay in their area", result->unmatched, at_risk) :
			 errmsg("%u of %u records at risk stay in their area", result->unmatched, at_risk),
			 errdetail("No similar one of another area is left for them."),
			 errhint("Use a larger relax, fewer columns in argument \"similar\", or larger strata.")));
}

/* Whether a column has one value in every region, and the numbers of its values if so. */
typedef struct Dependence
{
	SdcCodeList *list;
	uint32	   *first;			/* by region: the number that was seen there */
} Dependence;

/* No number was seen yet. */
#define NOTHING_SEEN (SDC_CODE_NULL - 1)

/* fits tells whether a number is the one of a region. */
static inline bool
fits(uint32 *first, uint32 region, uint32 number)
{
	if (first[region] == NOTHING_SEEN)
		first[region] = number;
	return first[region] == number;
}

/* forget_seen forgets what was seen in regions. */
static void
forget_seen(uint32 *first, uint32 regions)
{
	for (uint32 g = 0; g < regions; g++)
		first[g] = NOTHING_SEEN;
}

/* read_dependent numbers the values of a column as long as it has one in every region; false: it has more. */
static bool
read_dependent(const SdcUnitSwap *swap, SdcAttribute *attribute, const uint32 *region, uint32 regions, Dependence *d)
{
	SdcDictionary *dictionary = sdc_dictionary_create(&attribute->type);
	SdcColumnReader *reader = sdc_column_open(attribute->column);
	bool		dependent = true;

	d->list = sdc_codelist_create(dictionary);
	forget_seen(d->first, regions);
	for (uint32 r = 0; r < swap->units->records && dependent; r++)
	{
		Datum		value;
		bool		valid = sdc_column_next(reader, &value);

		sdc_interrupts_step(r);
		sdc_codelist_append(d->list, value, !valid);
		dependent = fits(d->first, region[swap->units->of[r]], d->list->code[r]);
	}
	sdc_column_close(reader);
	sdc_dictionary_destroy(dictionary);
	return dependent;
}

/*
 * contradicts tells whether a column has one value in every region of the source, and not in every one of the release.
 * Values are told apart by their bytes: what is written in several ways depends on nothing.
 */
static bool
contradicts(const SdcUnitSwap *swap, SdcAttribute *attribute, const uint32 *region, uint32 regions,
			const uint32 *partner)
{
	Dependence	d = {NULL, sdc_memory_array(regions, sizeof(uint32))};
	bool		found = false;

	if (read_dependent(swap, attribute, region, regions, &d))
	{
		forget_seen(d.first, regions);
		for (uint32 r = 0; r < swap->units->records && !found; r++)
		{
			sdc_interrupts_step(r);
			found = !fits(d.first, region[partner[swap->units->of[r]]], d.list->code[r]);
		}
	}
	if (d.list->code != NULL)
		sdc_free(d.list->code);
	sdc_free(d.first);
	return found;
}

/* warn_contradictions names the copied columns that depend on the areas and do not move with them. */
static void
warn_contradictions(const SdcUnitSwap *swap, const SdcRecordSwapTask *task, const uint32 *partner)
{
	uint32	   *region = sdc_memory_array(swap->units->count, sizeof(uint32));
	uint32		regions = sdc_unitswap_number(swap, task->area, task->levels, region);
	StringInfoData list;
	int			count = 0;

	initStringInfo(&list);
	for (int i = 0; i < swap->source->attribute_count; i++)
	{
		SdcAttribute *attribute = &swap->source->attributes[i];

		if (attribute->action == SDC_ACTION_COPIED && attribute->column != NULL &&
			contradicts(swap, attribute, region, regions, partner))
			sdc_spi_append_name(&list, NameStr(attribute->name), count++ == 0);
	}
	if (count > 0)
		ereport(WARNING,
				(errcode(ERRCODE_WARNING),
				 errmsg_plural("a column that depends on the areas does not move with them: %s",
							   "columns that depend on the areas do not move with them: %s", count, list.data),
				 errdetail("In the source every area has one value; the swapped records contradict it."),
				 errhint("Name such columns in argument \"carry\", or leave them out with argument \"omit\".")));
	pfree(list.data);
	sdc_free(region);
}

/* protect swaps the areas, and what goes along with them. */
static void
protect(SdcMethodStep *step, SdcSource *source, SdcSpool *spool, SdcRandom *random)
{
	const SdcRecordSwapRequest *request = step->arguments;
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext, "sdc record swapping",
												  ALLOCSET_DEFAULT_SIZES);
	MemoryContext old = MemoryContextSwitchTo(context);
	SdcUnitSwap swap;
	SdcRecordSwapTask task;
	SdcRecordSwap *swapping;
	const SdcRecordSwapResult *result;

	sdc_unitswap_begin(&swap, source, spool);
	task = make_task(&swap, request);
	swapping = sdc_recordswap_create(&task);
	result = draw(swapping, request, random);
	report_levels(source, request, result);
	if (!step->quiet)
	{
		warn_unmatched(source, result, task.levels);
		warn_contradictions(&swap, &task, result->partner);
	}
	sdc_unitswap_exchange(&swap, step, result->partner);
	MemoryContextSwitchTo(old);
	MemoryContextDelete(context);
}

/* describe writes the parameters for the catalog. */
static char *
describe(const SdcRecordSwapRequest *request)
{
	StringInfoData json;

	initStringInfo(&json);
	appendStringInfoChar(&json, '{');
	sdc_unitswap_append_names(&json, SDC_PARAMETER_AREAS, request->areas);
	sdc_unitswap_append_names(&json, SDC_PARAMETER_RISK, request->risk);
	appendStringInfo(&json, ", \"" SDC_PARAMETER_K "\": %u, \"" SDC_PARAMETER_RATE "\": %s", request->k,
					 sdc_shortest_text(request->rate));
	sdc_unitswap_append_names(&json, SDC_PARAMETER_SIMILAR, request->similar);
	appendStringInfo(&json, ", \"" SDC_PARAMETER_RELAX "\": %d", request->relax);
	sdc_unitswap_append_names(&json, SDC_PARAMETER_CARRY, request->carry);
	appendStringInfo(&json, ", \"" SDC_PARAMETER_ANY_SIZE "\": %s}", request->any_size ? "true" : "false");
	return json.data;
}

/* sdc_recordswap_prepare: see recordswap.h. */
void
sdc_recordswap_prepare(SdcMethodStep *step, const SdcRecordSwapRequest *request)
{
	check_apart(request->areas, SDC_PARAMETER_AREAS, request->carry, SDC_PARAMETER_CARRY);
	check_apart(request->areas, SDC_PARAMETER_AREAS, request->risk, SDC_PARAMETER_RISK);
	check_apart(request->areas, SDC_PARAMETER_AREAS, request->similar, SDC_PARAMETER_SIMILAR);
	check_apart(request->carry, SDC_PARAMETER_CARRY, request->risk, SDC_PARAMETER_RISK);
	check_apart(request->carry, SDC_PARAMETER_CARRY, request->similar, SDC_PARAMETER_SIMILAR);
	step->method = sdc_methods_find(SDC_METHOD_RECORD_SWAP);
	step->arguments = request;
	step->parameters = describe(request);
	step->columns_given = true;
	step->columns = list_concat_copy(request->areas, request->carry);
	step->columns_argument = SDC_PARAMETER_AREAS;
	step->columns_of_argument = list_length(request->areas);
	step->other_argument = SDC_PARAMETER_CARRY;
	step->read_besides = list_concat_copy(request->risk, sdc_names_without(request->similar, request->risk));
	step->check_plan = check_plan;
	step->protect = protect;
	step->unit_size = request->any_size ? SDC_UNIT_SIZE_ANY : SDC_UNIT_SIZE_EQUAL;
	step->changes = SDC_CHANGES_GROUPED;
	step->unchanged_hint = "Use a larger k or rate, or a larger relax.";
}
