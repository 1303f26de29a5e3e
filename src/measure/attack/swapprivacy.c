/*-------------------------------------------------------------------------
 *
 * swapprivacy.c
 *		The candidates for the bins of a swapping, and the privacy that they leave.
 *
 * Records that miss a number of the swapping set are left out of the widths.  The correlation bias that is expected of
 * a width is that of sdc_expected_correlation_bias, of all records.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "kernel/base/rankorder.h"
#include "kernel/base/sortkey.h"
#include "measure/attack/swapprivacy.h"
#include "relation/base/memory.h"
#include "relation/base/progress.h"
#include "relation/frame/numericcolumns.h"
#include "utils/memutils.h"

/* At most so many bytes are taken for a record, and for each of its values, besides the list of candidates. */
#define RECORD_BYTES 64
#define VALUE_BYTES 160

/* What is read of a relation. */
typedef struct SwapSet
{
	SdcNumericColumns *numbers;
	SdcWidthTask task;			/* of the records that have all numbers of the set */
	uint32	   *order;			/* the records in the order of their numbers, in which numbers has them then */
	uint32	   *bin;			/* of each, in this order */
	SdcBiasPairs *pairs;		/* what their correlations are */
} SwapSet;

/* is_complete tells whether a record has all numbers of the set. */
static inline bool
is_complete(const SdcNumericColumns *numbers, int attributes, uint64 record)
{
	for (int a = 0; a < attributes; a++)
		if (isnan(numbers->original[a][record]))
			return false;
	return true;
}

/* take_complete leaves out the records that miss a number of the set. */
static void
take_complete(const SdcNumericColumns *numbers, int attributes, SdcWidthTask *task)
{
	uint64		complete = 0;
	uint64		kept = 0;
	double	  **value;

	for (uint64 r = 0; r < numbers->records; r++)
	{
		sdc_interrupts_step(r);
		complete += is_complete(numbers, attributes, r);
	}
	task->value = (const double *const *) numbers->original;
	task->attributes = attributes;
	task->records = (uint32) complete;
	if (complete == numbers->records)
		return;
	value = palloc(sizeof(double *) * attributes);
	for (int a = 0; a < attributes; a++)
		value[a] = sdc_memory_array(complete, sizeof(double));
	for (uint64 r = 0; r < numbers->records; r++)
	{
		sdc_interrupts_step(r);
		if (!is_complete(numbers, attributes, r))
			continue;
		for (int a = 0; a < attributes; a++)
			value[a][kept] = numbers->original[a][r];
		kept++;
	}
	task->value = (const double *const *) value;
}

/* load_set reads the swapping set, and the other numbers if correlations are looked at. */
static void
load_set(Oid relid, List *columns, bool correlations, SwapSet *set)
{
	SdcNumericRequest request = {0};

	request.relid = relid;
	request.columns = columns;
	request.only_columns = !correlations;
	request.rebinned = correlations;
	set->numbers = sdc_numericcolumns_load(&request);
	take_complete(set->numbers, list_length(columns), &set->task);
	/* what grows with the records may be in files; candidates, of which there can be any number, are to fit */
	set->task.memory = sdc_memory_share(sdc_memory_held()) +
		set->task.records * (RECORD_BYTES + VALUE_BYTES * (uint64) set->task.attributes);
}

/* load_widths reads the swapping set that widths are tried on. */
static void
load_widths(const SdcSwapWidths *widths, bool correlations, SwapSet *set)
{
	double		most = floor(1 / widths->share_least);

	set->task.grid = widths->grid;
	set->task.share_least = widths->share_least;
	set->task.share_most = widths->share_most;
	set->task.intervals_most = most > PG_INT32_MAX ? PG_INT32_MAX : (uint32) most;
	load_set(widths->relid, widths->columns, correlations, set);
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

/*
 * order_numbers puts the records in the order of their numbers, those of the first column first: so that no sum
 * depends on the order in which they were read.
 */
static void
order_numbers(SwapSet *set)
{
	SdcNumericColumns *numbers = set->numbers;
	uint32		records = (uint32) numbers->records;
	uint64	   *key = sdc_memory_array(records, sizeof(uint64));
	void	   *work = sdc_memory_array(sdc_rankorder_memory(records), 1);
	uint32	   *place = sdc_memory_zeros(records, sizeof(uint32));

	set->order = sdc_memory_array(records, sizeof(uint32));
	set->bin = sdc_memory_array(records, sizeof(uint32));
	for (int a = numbers->attributes - 1; a >= 0; a--)
	{
		for (uint32 r = 0; r < records; r++)
		{
			sdc_interrupts_step(r);
			key[r] = sdc_sortkey_from_float8(numbers->original[a][r]);
		}
		sdc_rankorder_sort(key, NULL, records, place, work, set->order);
		for (uint32 i = 0; i < records; i++)
		{
			sdc_interrupts_step(i);
			place[set->order[i]] = i;
		}
	}
	for (int a = 0; a < numbers->attributes; a++)
	{
		memcpy(key, numbers->original[a], records * sizeof(double));
		for (uint32 r = 0; r < records; r++)
		{
			sdc_interrupts_step(r);
			memcpy(&numbers->original[a][place[r]], &key[r], sizeof(double));
		}
	}
	sdc_free(place);
	sdc_free(work);
	sdc_free(key);
}

/* begin_bias prepares to say what is expected of widths. */
static void
begin_bias(SwapSet *set)
{
	SdcBiasTask task;

	order_numbers(set);
	task = sdc_numericcolumns_bias(set->numbers);
	task.bias_only = true;
	set->pairs = sdc_correlationbias_begin(&task);
}

/* number_bins gives the bins of the records numbers in the order of the records: sums over bins have one order then. */
static void
number_bins(const SwapSet *set, const SdcBins *bins)
{
	uint32	   *number = sdc_memory_array(bins->bins, sizeof(uint32));
	uint32		found = 0;

	memset(number, 0xFF, sizeof(uint32) * (Size) bins->bins);
	for (uint64 i = 0; i < set->numbers->records; i++)
	{
		uint32	   *here = &number[bins->bin[set->order[i]]];

		sdc_interrupts_step(i);
		if (*here == UINT32_MAX)
			*here = found++;
		set->bin[i] = *here;
	}
	sdc_free(number);
}

/* expected_bias returns the correlation bias that is expected of a width. */
static double
expected_bias(const SwapSet *set, const SdcWidthCandidate *candidate)
{
	SdcBinRequest request = {.kind = SDC_BIN_EQUIWIDTH};
	SdcExpectedBias expected;
	SdcBins    *bins;

	if (set->task.grid == SDC_WIDTH_INTERVALS)
		request.intervals = (uint32) rint(1 / candidate->share);
	else
		request.share = candidate->share;
	bins = sdc_binning_partition(set->numbers->binning, &request);
	number_bins(set, bins);
	sdc_correlationbias_of(set->pairs, set->bin, bins->bins, &expected);
	return expected.bias;
}

/* sdc_swapprivacy_candidates lists the widths that can be used. */
void
sdc_swapprivacy_candidates(const SdcSwapWidths *widths, SdcSwapCandidateEmit emit, void *arg)
{
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext, "sdc swap measure",
												  ALLOCSET_DEFAULT_SIZES);
	MemoryContext old = MemoryContextSwitchTo(context);
	SwapSet		set = {0};
	SdcWidthCandidate *candidate = NULL;
	uint64		count = 0;
	double		bias = NAN;

	load_widths(widths, true, &set);
	sdc_progress_evaluating(set.numbers->records, 2);
	if (set.task.records > 0)
		check_status(sdc_widths_find(&set.task, &candidate, &count));
	sdc_progress_next_part();
	if (count > 0 && !set.numbers->partial)
		begin_bias(&set);
	for (uint64 i = 0; i < count; i++)
	{
		SdcReportScope before = SDC_REPORT_WITHIN(i, i + 1, count);

		/* where all numbers are swapped it is the same with all widths */
		if (!set.numbers->partial && (i == 0 || set.numbers->attributes > set.task.attributes))
			bias = expected_bias(&set, &candidate[i]);
		emit(arg, &candidate[i], bias);
		SDC_REPORT_BACK(before);
	}
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
	SwapSet		set = {0};

	load_widths(widths, false, &set);
	if (set.task.records > 0)
		check_status(sdc_widths_privacy(&set.task, privacy));
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
	SwapSet		set = {0};

	load_set(relid, columns, false, &set);
	if (most > set.task.records)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("argument \"bound\" is larger than the number of records"),
				 set.task.records < 2 ? errhint("At least 2 records are needed.") :
				 errhint("For equi-depth swapping it is the largest depth: between 2 and %u.",
						 set.task.records)));
	sdc_widths_privacy_depths(most, privacy);
	sdc_progress_end();
	MemoryContextSwitchTo(old);
	MemoryContextDelete(context);
}
