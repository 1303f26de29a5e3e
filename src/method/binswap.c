/*-------------------------------------------------------------------------
 *
 * binswap.c
 *		Equi-depth and equi-width swapping of a relation.
 *
 * The records are partitioned into bins by the values of the swapping set; in every bin, one
 * random permutation moves the values of all its attributes jointly.
 *
 * So missing values, which have no place in a partitioning, stay where they are (relation/read/bins.c).
 *
 * Memory: eight bytes a record and attribute of the swapping set, four a record for bins and as much for
 * donors, more with strata or missing values, and what the kernel takes.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "kernel/groups/anatomy.h"
#include "lib/stringinfo.h"
#include "method/binswap.h"
#include "miscadmin.h"
#include "relation/base/memory.h"
#include "relation/base/names.h"
#include "relation/base/progress.h"
#include "relation/base/shortest.h"
#include "relation/catalog/methods.h"
#include "relation/column/donate.h"
#include "relation/column/grouprecords.h"
#include "relation/column/paircodes.h"
#include "relation/read/columnjobs.h"
#include "utils/builtins.h"
#include "utils/json.h"

#define PURPOSE_PERMUTATION "permutation"

PGDLLEXPORT void sdc_binswap_process(SdcJobs *jobs, void *arg);

/* check_plan insists on columns that have an order of numbers. */
static void
check_plan(SdcMethodStep *step, SdcSource *source, Oid catalog_schema, SdcTarget *target)
{
	(void) catalog_schema;
	(void) target;
	for (int i = 0; i < source->attribute_count; i++)
	{
		SdcAttribute *attribute = &source->attributes[i];

		if (sdc_step_is_of(step, attribute) &&
			attribute->type.kind == SDC_VALUE_NOMINAL)
			ereport(ERROR,
					(errcode(ERRCODE_DATATYPE_MISMATCH),
					 errmsg("column \"%s\" cannot be swapped in bins", NameStr(attribute->name)),
					 errdetail("Its type %s has no distances.",
							   format_type_be(attribute->type.typid)),
					 errhint("Columns of numbers, dates and times can; leave the column out of argument \"columns\".")));
	}
}

/* largest_move returns how far a value moves at most, in percent of the range of all; halves do not overflow. */
static double
largest_move(const double *value, const uint32 *donor, uint64 records)
{
	double		low = INFINITY;
	double		high = -INFINITY;
	double		move = 0;

	for (uint64 r = 0; r < records; r++)
	{
		if (r % 4096 == 0)
			CHECK_FOR_INTERRUPTS();
		if (isnan(value[r]))
			continue;
		low = fmin(low, value[r] / 2);
		high = fmax(high, value[r] / 2);
		move = fmax(move, fabs(value[donor[r]] / 2 - value[r] / 2));
	}
	return move > 0 ? 100 * move / (high - low) : 0;
}

/* swap_together swaps the values of some attributes jointly, in the bins that they form. */
static void
swap_together(const SdcBinRequest *request, SdcSource *source, SdcSpool *spool,
			  SdcRandom *random, const char *name, const int *attribute, int attributes)
{
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext, "sdc bins",
												  ALLOCSET_DEFAULT_SIZES);
	MemoryContext old = MemoryContextSwitchTo(context);
	SdcBins    *bins;
	uint32	   *donor;

	sdc_spool_set_limit(spool, sdc_memory_left(sdc_bins_memory(request, source, attributes)));
	bins = sdc_bins_make(request, source, attribute, attributes);
	donor = sdc_memory_array(source->records, sizeof(uint32));
	sdc_anatomy_donors(sdc_random_start(random, name, PURPOSE_PERMUTATION, 0), bins->bin,
					   bins->bins, (uint32) source->records, donor);
	sdc_random_verify(random);
	for (int j = 0; j < attributes; j++)
	{
		source->attributes[attribute[j]].largest_move = largest_move(bins->value[j], donor, source->records);
		sdc_free(bins->value[j]);
	}
	for (int j = 0; j < attributes; j++)
	{
		SdcAttribute *swapped = &source->attributes[attribute[j]];
		SdcColumn  *result = sdc_donate_column(swapped->column, &swapped->type, donor, spool,
											   source->records * 2 * sizeof(uint32),
											   &swapped->changed);

		sdc_column_destroy(swapped->column);
		swapped->column = result;
		swapped->bins = bins->bins;
		swapped->single_bins = bins->singles;
	}
	MemoryContextSwitchTo(old);
	MemoryContextDelete(context);
}

/* warn_singles warns of bins of one record, unless it is quiet. */
static void
warn_singles(const SdcAttribute *attribute, SdcBinKind kind, bool quiet)
{
	if (attribute->single_bins == 0 || quiet)
		return;
	ereport(WARNING,
			(errcode(ERRCODE_WARNING),
			 errmsg_plural(UINT64_FORMAT " of " UINT64_FORMAT " bins has one record, which stays as it is",
						   UINT64_FORMAT " of " UINT64_FORMAT " bins have one record each, which stays as it is",
						   attribute->single_bins, attribute->single_bins, attribute->bins),
			 errhint(kind == SDC_BIN_EQUIWIDTH ?
					 "Use fewer intervals or larger widths; sdc_swap_candidates lists those that leave no such bin." :
					 "Use larger strata, or fewer columns with missing values.")));
}

/* describe writes the parameters for the catalog. */
static char *
describe(const SdcBinRequest *request, bool complement, const List *alone)
{
	StringInfoData json;

	initStringInfo(&json);
	if (request->kind == SDC_BIN_EQUIDEPTH)
		appendStringInfo(&json, "{\"" SDC_PARAMETER_DEPTH "\": %u", request->depth);
	else if (request->width_count == 0)
		appendStringInfo(&json, "{\"" SDC_PARAMETER_INTERVALS "\": %u", request->intervals);
	else
	{
		appendStringInfoString(&json, "{\"" SDC_PARAMETER_WIDTHS "\": {");
		for (int i = 0; i < request->width_count; i++)
		{
			if (i > 0)
				appendStringInfoString(&json, ", ");
			escape_json(&json, list_nth(request->columns, i));
			appendStringInfo(&json, ": %s", sdc_shortest_text(request->widths[i]));
		}
		appendStringInfoChar(&json, '}');
		if (complement)
			appendStringInfo(&json, ", \"" SDC_PARAMETER_INTERVALS "\": %u", request->intervals);
	}
	if (complement)
		appendStringInfoString(&json, ", \"" SDC_PARAMETER_COMPLEMENT "\": \"swap\", \"" SDC_PARAMETER_COMPLEMENT_COLUMNS "\": ");
	if (complement)
		sdc_names_append_json(&json, alone);
	appendStringInfoChar(&json, '}');
	return json.data;
}

/* swap_alone swaps the values of an attribute in bins of its own: SdcColumnMethod's protect. */
static void
swap_alone(SdcColumnWork *work, int attribute)
{
	swap_together(work->parameters, work->source, work->spool, work->random,
				  NameStr(work->source->attributes[attribute].name), &attribute, 1);
}

/* alone_memory returns the bytes that this takes: SdcColumnMethod's memory, and least. */
static uint64
alone_memory(const SdcColumnWork *work, int attribute pg_attribute_unused())
{
	return sdc_bins_memory(work->parameters, work->source, 1);
}

static const SdcColumnMethod column_method = {.process = sdc_binswap_process, .protect = swap_alone,
.memory = alone_memory, .least = alone_memory};

/* sdc_binswap_process is what one process does. */
void
sdc_binswap_process(SdcJobs *jobs, void *arg)
{
	sdc_columnjobs_process(&column_method, jobs, arg);
}

/* swap_others swaps the attributes of a step that were not named, each by itself, and returns their names. */
static List *
swap_others(const SdcMethodStep *step, SdcSource *source, SdcSpool *spool, SdcRandom *random)
{
	SdcBinRequest request = *(const SdcBinRequest *) step->arguments;
	SdcColumnMethod method = column_method;
	int		   *index = palloc(sizeof(int) * step->protected_count);
	int			count = 0;
	List	   *names = NIL;

	/* a width is of a column that was named */
	request.columns = NIL;
	request.width_count = 0;
	request.widths = NULL;
	/* intervals take no longer than what workers cost: with one of them the call took 0.85 of the time */
	if (request.kind == SDC_BIN_EQUIDEPTH)
		method.entry = "sdc_binswap_process";
	method.parameters = &request;
	method.parameters_bytes = sizeof(request);
	for (int i = 0; i < source->attribute_count; i++)
		if (sdc_step_is_of(step, &source->attributes[i]) && source->attributes[i].complement)
			index[count++] = i;
	sdc_columnjobs_protect(&method, index, count, source, spool, random);
	for (int j = 0; j < count; j++)
	{
		names = lappend(names, NameStr(source->attributes[index[j]].name));
		warn_singles(&source->attributes[index[j]], request.kind, step->quiet);
	}
	return names;
}

/* protect swaps the swapping set jointly, and what else is protected one by one. */
static void
protect(SdcMethodStep *step, SdcSource *source, SdcSpool *spool, SdcRandom *random)
{
	const SdcBinRequest *request = step->arguments;
	int		   *together = palloc(sizeof(int) * step->protected_count);
	int			count = 0;
	List	   *alone;

	for (int i = 0; i < source->attribute_count; i++)
		if (sdc_step_is_of(step, &source->attributes[i]) &&
			!source->attributes[i].complement)
			together[count++] = i;
	if (count > 0)
	{
		swap_together(request, source, spool, random, "", together, count);
		warn_singles(&source->attributes[together[0]], request->kind, step->quiet);
		for (int j = 0; j < count; j++)
			sdc_progress_next();
	}
	alone = swap_others(step, source, spool, random);
	if (step->complement)
		step->parameters = describe(request, true, alone);
}

/* check_depth_records insists on a depth of no more than all records. */
static void
check_depth_records(const SdcMethodStep *step, uint64 records, const char *of)
{
	sdc_bins_check_depth(((const SdcBinRequest *) step->arguments)->depth, records, of);
}

/* sdc_binswap_prepare fills in a step. */
void
sdc_binswap_prepare(SdcMethodStep *step, const SdcBinRequest *request)
{
	step->arguments = request;
	step->parameters = describe(request, step->complement, NIL);
	step->check_plan = check_plan;
	step->protect = protect;
	step->class_units = request->depth;
	step->together = true;
	if (request->kind == SDC_BIN_EQUIDEPTH)
	{
		step->method = sdc_methods_find(SDC_METHOD_EQUIDEPTH);
		step->check_records = check_depth_records;
		step->unchanged_hint = "Use a larger depth.";
	}
	else
	{
		step->method = sdc_methods_find(SDC_METHOD_EQUIWIDTH);
		step->unchanged_hint = "Use fewer intervals or larger widths.";
	}
}
