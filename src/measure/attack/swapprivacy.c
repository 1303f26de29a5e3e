/*-------------------------------------------------------------------------
 *
 * swapprivacy.c
 *		The candidates for the bins of a swapping, and the privacy that they leave.
 *
 * Records that miss a number of the swapping set are left out.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "measure/attack/swapprivacy.h"
#include "relation/base/memory.h"
#include "relation/base/progress.h"
#include "relation/frame/numericcolumns.h"
#include "utils/memutils.h"

/* At most so many bytes are taken for a record, and for each of its values, besides the list of candidates. */
#define RECORD_BYTES 64
#define VALUE_BYTES 160

/* keep_complete leaves out the records that miss a number. */
static void
keep_complete(SdcNumericColumns *numbers)
{
	uint64		kept = 0;

	for (uint64 r = 0; r < numbers->records; r++)
	{
		bool		complete = true;

		for (int i = 0; i < numbers->attributes && complete; i++)
			complete = !isnan(numbers->original[i][r]);
		if (!complete)
			continue;
		for (int i = 0; i < numbers->attributes; i++)
			numbers->original[i][kept] = numbers->original[i][r];
		kept++;
	}
	numbers->records = kept;
}

/* load_set reads the swapping set. */
static void
load_set(Oid relid, List *columns, SdcWidthTask *task)
{
	SdcNumericRequest request = {0};
	SdcNumericColumns *numbers;

	request.relid = relid;
	request.columns = columns;
	request.only_columns = true;
	numbers = sdc_numericcolumns_load(&request);
	keep_complete(numbers);
	task->value = (const double *const *) numbers->original;
	task->attributes = numbers->attributes;
	task->records = (uint32) numbers->records;
	/* what grows with the records may be in files; candidates, of which there can be any number, are to fit */
	task->memory = sdc_memory_share(sdc_memory_held()) +
		numbers->records * (RECORD_BYTES + VALUE_BYTES * (uint64) numbers->attributes);
}

/* load_widths reads the swapping set that widths are tried on. */
static void
load_widths(const SdcSwapWidths *widths, SdcWidthTask *task)
{
	double		most = floor(1 / widths->share_least);

	task->grid = widths->grid;
	task->share_least = widths->share_least;
	task->share_most = widths->share_most;
	task->intervals_most = most > PG_INT32_MAX ? PG_INT32_MAX : (uint32) most;
	load_set(widths->relid, widths->columns, task);
}

/* check_status raises the error for what a kernel could not do. */
static void
check_status(SdcStatus status)
{
	if (status == SDC_ERROR_MEMORY)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("there are more candidates than fit into the " UINT64_FORMAT " MB of memory that are allowed",
						sdc_memory_budget() / (1024 * 1024)),
				 errhint("Increase maintenance_work_mem or argument \"smallest\", or use the grid intervals.")));
	Assert(status == SDC_OK);
}

/* sdc_swapprivacy_candidates lists the widths that can be used. */
void
sdc_swapprivacy_candidates(const SdcSwapWidths *widths, SdcSwapCandidateEmit emit, void *arg)
{
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext, "sdc swap measure",
												  ALLOCSET_DEFAULT_SIZES);
	MemoryContext old = MemoryContextSwitchTo(context);
	SdcWidthTask task = {0};
	SdcWidthCandidate *candidate = NULL;
	uint64		count = 0;

	load_widths(widths, &task);
	if (task.records > 0)
		check_status(sdc_widths_find(&task, &candidate, &count));
	for (uint64 i = 0; i < count; i++)
		emit(arg, &candidate[i]);
	sdc_progress_end();
	MemoryContextSwitchTo(old);
	MemoryContextDelete(context);
}

/* sdc_swapprivacy_widths measures the privacy of equi-width swapping. */
void
sdc_swapprivacy_widths(const SdcSwapWidths *widths, SdcSwapPrivacy *privacy)
{
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext, "sdc swap measure",
												  ALLOCSET_DEFAULT_SIZES);
	MemoryContext old = MemoryContextSwitchTo(context);
	SdcWidthTask task = {0};

	load_widths(widths, &task);
	if (task.records > 0)
		check_status(sdc_widths_privacy(&task, privacy));
	else
		*privacy = (SdcSwapPrivacy) {0, 1, 1, 1};
	sdc_progress_end();
	MemoryContextSwitchTo(old);
	MemoryContextDelete(context);
	if (privacy->candidates == 0)
		ereport(NOTICE,
				(errmsg("no width of the grid is admissible"),
				 errdetail("With every one some record is alone in its bin: nothing may be published."),
				 errhint("Increase argument \"bound\", or swap fewer columns.")));
}

/* sdc_swapprivacy_depths measures the privacy of equi-depth swapping. */
void
sdc_swapprivacy_depths(Oid relid, List *columns, uint32 most, SdcSwapPrivacy *privacy)
{
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext, "sdc swap measure",
												  ALLOCSET_DEFAULT_SIZES);
	MemoryContext old = MemoryContextSwitchTo(context);
	SdcWidthTask task = {0};

	load_set(relid, columns, &task);
	if (most > task.records)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("argument \"bound\" is larger than the number of records"),
				 task.records < 2 ? errhint("At least 2 records are needed.") :
				 errhint("For equi-depth swapping it is the largest depth: between 2 and %u.",
						 task.records)));
	sdc_widths_privacy_depths(most, privacy);
	sdc_progress_end();
	MemoryContextSwitchTo(old);
	MemoryContextDelete(context);
}
