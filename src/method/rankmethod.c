/*-------------------------------------------------------------------------
 *
 * rankmethod.c
 *		The three rank swapping methods.
 *
 * J. Nin, J. Herranz, V. Torra, "Rethinking rank swapping to decrease disclosure
 * risk", Data & Knowledge Engineering 64 (2008).  The windows are taken of the
 * records that have a value in the stratum.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "kernel/base/units.h"
#include "kernel/rank/rankswap.h"
#include "method/continued/nightoriginals.h"
#include "method/continued/nightswap.h"
#include "method/externalswap.h"
#include "method/rankmethod.h"
#include "method/swaptable.h"
#include "relation/base/shortest.h"
#include "relation/catalog/methods.h"
#include "relation/read/columnjobs.h"
#include "utils/builtins.h"

/* A method as every process knows it. */
typedef struct Known
{
	NameData	name;
	SdcRankParameters parameters;
} Known;

PGDLLEXPORT void sdc_rankmethod_process(SdcJobs *jobs, void *arg);

/* check_bucket_records insists on no more buckets than records. */
static void
check_bucket_records(const SdcMethodStep *step, uint64 records, const char *of)
{
	const SdcSwapMethod *method = step->arguments;
	const SdcRankParameters *parameters = method->parameters;

	if (parameters->buckets > records)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("argument \"buckets\" is larger than the number of %s", of),
				 errhint("It must be between 1 and " UINT64_FORMAT ".", records)));
}

/* tell_share tells of a percentage that may have been meant as a share. */
static void
tell_share(const SdcMethodStep *step, uint64 records, const char *of)
{
	const SdcSwapMethod *method = step->arguments;

	if (!step->quiet)
		ereport(NOTICE,
				(errmsg("argument \"p\" is %s percent of the ranks of " UINT64_FORMAT " %s",
						sdc_shortest_text(((const SdcRankParameters *) method->parameters)->percent), records, of),
				 errhint("It is a percentage: for five percent give 5, not 0.05.")));
}

/* task_of is what is to be ordered for a column. */
static SdcOrderingTask
task_of(const SdcColumnWork *work, int attribute)
{
	SdcAttribute *swapped = &work->source->attributes[attribute];
	SdcOrderingTask task = {0};

	task.column = swapped->column;
	task.type = &swapped->type;
	task.stratum = work->source->stratum;
	task.strata = work->source->strata_found;
	task.random = work->random;
	task.attribute = NameStr(swapped->name);
	task.kept = swapped->order;
	return task;
}

/* swap_attribute swaps a column: SdcColumnMethod's protect. */
static void
swap_attribute(SdcColumnWork *work, int attribute)
{
	const Known *known = work->parameters;
	SdcSwapMethod method = sdc_swaptable_find(NameStr(known->name), &known->parameters);
	SdcAttribute *swapped = &work->source->attributes[attribute];
	SdcOrderingTask task = task_of(work, attribute);
	SdcColumn  *result;

	task.arena = &work->arena;
	if (!work->in_worker)
		result = sdc_swap_column(&task, work->spool, &method, &swapped->changed);
	else if (work->in_memory)
		result = sdc_swap_in_memory(&task, work->spool, &method, &swapped->changed);
	else
		result = sdc_externalswap_column(&task, work->spool, &method, &swapped->changed);
	sdc_column_destroy(swapped->column);
	swapped->column = result;
}

/* swap_memory returns the bytes that this takes in memory: SdcColumnMethod's memory. */
static uint64
swap_memory(const SdcColumnWork *work, int attribute)
{
	SdcOrderingTask task = task_of(work, attribute);

	return sdc_swap_memory(&task);
}

/* swap_least returns those that no file can have: SdcColumnMethod's least. */
static uint64
swap_least(const SdcColumnWork *work, int attribute pg_attribute_unused())
{
	return sdc_rankswap_memory((uint32) work->source->records);
}

static const SdcColumnMethod column_method = {.process = sdc_rankmethod_process, .entry = "sdc_rankmethod_process",
.protect = swap_attribute, .memory = swap_memory, .least = swap_least};

/* sdc_rankmethod_process is what one process does. */
void
sdc_rankmethod_process(SdcJobs *jobs, void *arg)
{
	sdc_columnjobs_process(&column_method, jobs, arg);
}

/* swap_columns swaps the columns of a step. */
static void
swap_columns(const SdcMethodStep *step, SdcSource *source, SdcSpool *spool, SdcRandom *random)
{
	const SdcSwapMethod *method = step->arguments;
	Known		known = {.parameters = *(const SdcRankParameters *) method->parameters};
	SdcColumnMethod own = column_method;
	int		   *attribute = palloc(sizeof(int) * Max(source->attribute_count, 1));
	int			count = 0;

	namestrcpy(&known.name, method->name);
	own.parameters = &known;
	own.parameters_bytes = sizeof(known);
	for (int i = 0; i < source->attribute_count; i++)
		if (sdc_step_is_of(step, &source->attributes[i]))
			attribute[count++] = i;
	sdc_columnjobs_protect(&own, attribute, count, source, spool, random);
	pfree(attribute);
}

/* protect swaps the columns of a step, anew or as a release of them is continued. */
static void
protect(SdcMethodStep *step, SdcSource *source, SdcSpool *spool, SdcRandom *random)
{
	if (step->night != NULL && step->continuing != NULL)
		sdc_nightswap_protect(step, source, spool, random);
	else
		swap_columns(step, source, spool, random);
}

/* sdc_rankmethod_prepare fills in a step. */
void
sdc_rankmethod_prepare(SdcMethodStep *step, SdcRankKind kind,
					   const SdcRankParameters *parameters)
{
	SdcRankParameters *kept = palloc(sizeof(SdcRankParameters));
	SdcSwapMethod *method = palloc(sizeof(SdcSwapMethod));
	double		lot;

	*kept = *parameters;
	*method = sdc_swaptable_get(kind, kept);
	if (kind == SDC_RANK_BUCKETS)
	{
		step->parameters = psprintf("{\"" SDC_PARAMETER_BUCKETS "\": %u}", kept->buckets);
		step->check_records = check_bucket_records;
	}
	else
	{
		step->parameters = psprintf("{\"" SDC_PARAMETER_P "\": %s}",
										  sdc_shortest_text(kept->percent));
		if (kept->percent < 1)
			step->check_records = tell_share;
	}
	step->class_units = kind == SDC_RANK_BUCKETS ? kept->buckets : sdc_units_least(kept->percent);
	step->method = sdc_methods_find(method->name);
	step->arguments = method;
	step->protect = protect;
	step->can_continue = true;
	step->recall = sdc_nightoriginals_recall;
	/* of eleven values that could be somebody's, one is */
	lot = ceil(kind == SDC_RANK_BUCKETS ? 5.0 * kept->buckets : 500.0 / kept->percent);
	step->default_lot = (uint32) Min(Max(2.0, lot), (double) SDC_CONTINUED_RECORDS);
	step->unchanged_hint = "Use larger strata or a larger window, or leave the column out.";
}
