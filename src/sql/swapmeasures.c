/*-------------------------------------------------------------------------
 *
 * swapmeasures.c
 *		sdc_swap_candidates, sdc_swap_privacy, sdc_correlation_bias,
 *		sdc_expected_correlation_bias, sdc_histogram_error.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "fmgr.h"
#include "funcapi.h"
#include "kernel/bins/corrbias.h"
#include "kernel/bins/widths.h"
#include "sql/args.h"
#include "relation/memory.h"
#include "measure/numericcolumns.h"
#include "sql/binargs.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"

PG_FUNCTION_INFO_V1(sdc_swap_candidates);
PG_FUNCTION_INFO_V1(sdc_swap_privacy);
PG_FUNCTION_INFO_V1(sdc_correlation_bias);
PG_FUNCTION_INFO_V1(sdc_expected_correlation_bias);
PG_FUNCTION_INFO_V1(sdc_histogram_error);

/* The utility bounds where none is given: a share of the ranges, and a number of records. */
#define DEFAULT_SHARE 0.1
#define DEFAULT_SMALLEST 0.001
#define DEFAULT_DEPTH 10

/* No width is tried below this share of the ranges: there would be too many. */
#define LEAST_SHARE 1e-6

#define USE "measuring a release"

/* What the numbers of a call live in. */
typedef struct Work
{
	MemoryContext context;
	MemoryContext before;
} Work;

/* work_begin makes a context for one call, and work_end deletes it. */
static void
work_begin(Work *work)
{
	work->context = AllocSetContextCreate(CurrentMemoryContext, "sdc swap measure",
										  ALLOCSET_DEFAULT_SIZES);
	work->before = MemoryContextSwitchTo(work->context);
}

static void
work_end(Work *work)
{
	MemoryContextSwitchTo(work->before);
	MemoryContextDelete(work->context);
}

/* put_row adds one row to the result. */
static void
put_row(FunctionCallInfo fcinfo, Datum *values, bool *nulls)
{
	ReturnSetInfo *result = (ReturnSetInfo *) fcinfo->resultinfo;

	tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
}

/* read_columns reads the argument that names the swapping set. */
static List *
read_columns(FunctionCallInfo fcinfo, int number)
{
	List	   *columns;

	sdc_args_require(fcinfo, number, "columns");
	(void) sdc_args_names(fcinfo, number, "columns", &columns);
	if (columns == NIL)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("argument \"columns\" must name at least one column")));
	return columns;
}

/* read_share reads a width as a share of the ranges. */
static double
read_share(FunctionCallInfo fcinfo, int number, const char *name, double least, double fallback)
{
	double		share = PG_ARGISNULL(number) ? fallback : PG_GETARG_FLOAT8(number);

	if (isnan(share) || share < least || share > 1)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("argument \"%s\" is out of range", name),
				 errhint("It is a width as a share of the range of every column: between %g and 1.", least)));
	return share;
}

/* read_grid reads which widths are candidates. */
static SdcWidthGrid
read_grid(FunctionCallInfo fcinfo, int number)
{
	char	   *grid;

	sdc_args_require(fcinfo, number, "grid");
	grid = text_to_cstring(PG_GETARG_TEXT_PP(number));
	if (strcmp(grid, "intervals") == 0)
		return SDC_WIDTH_INTERVALS;
	if (strcmp(grid, "continuous") == 0)
		return SDC_WIDTH_CONTINUOUS;
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("argument \"grid\" is not known"),
			 errhint("It is intervals or continuous.")));
	return SDC_WIDTH_INTERVALS; /* not reached */
}

/* read_bounds reads the bounds of the widths, from argument number bound on: bound, grid, smallest. */
static void
read_bounds(FunctionCallInfo fcinfo, int bound, SdcWidthTask *task)
{
	double		most;

	memset(task, 0, sizeof(SdcWidthTask));
	task->share_most = read_share(fcinfo, bound, "bound", LEAST_SHARE, DEFAULT_SHARE);
	task->grid = read_grid(fcinfo, bound + 1);
	task->share_least = read_share(fcinfo, bound + 2, "smallest", LEAST_SHARE,
								   Min(DEFAULT_SMALLEST, task->share_most));
	if (task->share_least > task->share_most)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("argument \"smallest\" is larger than argument \"bound\"")));
	most = floor(1 / task->share_least);
	task->intervals_most = most > PG_INT32_MAX ? PG_INT32_MAX : (uint32) most;
}

/* keep_complete leaves out the records that miss a number. */
static void
keep_complete(SdcNumbers *numbers)
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

/* load_widths reads the swapping set that widths are tried on. */
static void
load_widths(FunctionCallInfo fcinfo, List *columns, SdcWidthTask *task)
{
	SdcNumbersRequest request = {0};
	SdcNumbers *numbers;

	request.relid = sdc_args_relation(fcinfo, 0, "relation");
	request.columns = columns;
	request.only_columns = true;
	numbers = sdc_numbers_load(&request);
	keep_complete(numbers);
	task->value = (const double *const *) numbers->original;
	task->attributes = numbers->attributes;
	task->records = (uint32) numbers->records;
	task->memory = sdc_memory_budget() - Min(sdc_memory_budget(), numbers->memory);
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
 * sdc_swap_candidates(relation regclass, columns name[], bound float8, "grid" text, smallest float8)
 *		RETURNS TABLE (width_share float8, degree bigint, minimal_depth bigint,
 *					   representative boolean)
 */
Datum
sdc_swap_candidates(PG_FUNCTION_ARGS)
{
	List	   *columns = read_columns(fcinfo, 1);
	SdcWidthTask task;
	SdcWidthCandidate *candidate = NULL;
	uint64		count = 0;
	Work		work;

	read_bounds(fcinfo, 2, &task);
	sdc_args_result(fcinfo, 0);
	work_begin(&work);
	load_widths(fcinfo, columns, &task);
	if (task.records > 0)
		check_status(sdc_widths_find(&task, &candidate, &count));
	for (uint64 i = 0; i < count; i++)
	{
		Datum		values[4];
		bool		nulls[4] = {false};

		values[0] = Float8GetDatum(candidate[i].share);
		values[1] = Int64GetDatum((int64) candidate[i].degree);
		values[2] = Int64GetDatum((int64) candidate[i].depth);
		values[3] = BoolGetDatum(candidate[i].representative);
		put_row(fcinfo, values, nulls);
	}
	work_end(&work);
	return (Datum) 0;
}

/* depth_bound reads the largest k, for equi-depth swapping. */
static uint32
depth_bound(FunctionCallInfo fcinfo, int number)
{
	double		most = PG_ARGISNULL(number) ? DEFAULT_DEPTH : PG_GETARG_FLOAT8(number);

	if (isnan(most) || most < 2 || most > PG_INT32_MAX || most != floor(most))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("argument \"bound\" is out of range"),
				 errhint("For equi-depth swapping it is the largest k: a whole number, at least 2.")));
	return (uint32) most;
}

/* return_privacy returns the row of sdc_swap_privacy. */
static void
return_privacy(FunctionCallInfo fcinfo, const SdcSwapPrivacy *privacy)
{
	Datum		values[4];
	bool		nulls[4] = {false};

	if (privacy->candidates == 0)
		ereport(NOTICE,
				(errmsg("no width of the grid is admissible"),
				 errdetail("With every one some record is alone in its bin: nothing may be published."),
				 errhint("Increase argument \"bound\", or swap fewer columns.")));
	values[0] = Int64GetDatum((int64) privacy->candidates);
	values[1] = Float8GetDatum(privacy->tuple);
	values[2] = Float8GetDatum(privacy->minimal_depth);
	values[3] = Float8GetDatum(privacy->closed);
	put_row(fcinfo, values, nulls);
}

/*
 * sdc_swap_privacy(relation regclass, columns name[], method text, bound float8, "grid" text,
 *					smallest float8)
 *		RETURNS TABLE (candidates bigint, p_tuple float8, p_mdb float8, p_closed float8)
 */
Datum
sdc_swap_privacy(PG_FUNCTION_ARGS)
{
	List	   *columns = read_columns(fcinfo, 1);
	SdcBinKind	kind = sdc_binargs_method(fcinfo, 2);
	SdcSwapPrivacy privacy;
	SdcWidthTask task;
	Work		work;

	sdc_args_result(fcinfo, 0);
	if (kind == SDC_BIN_EQUIWIDTH)
		read_bounds(fcinfo, 3, &task);
	else
	{
		memset(&task, 0, sizeof(SdcWidthTask));
		task.intervals_most = depth_bound(fcinfo, 3);
	}
	work_begin(&work);
	load_widths(fcinfo, columns, &task);
	if (kind == SDC_BIN_EQUIWIDTH)
	{
		if (task.records > 0)
			check_status(sdc_widths_privacy(&task, &privacy));
		else
			privacy = (SdcSwapPrivacy) {0, 1, 1, 1};
	}
	else
	{
		if (task.intervals_most > task.records)
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("argument \"bound\" is larger than the number of records"),
					 task.records < 2 ? errhint("At least 2 records are needed.") :
					 errhint("For equi-depth swapping it is the largest k: between 2 and %u.",
							 task.records)));
		sdc_widths_privacy_depths(task.intervals_most, &privacy);
	}
	work_end(&work);
	return_privacy(fcinfo, &privacy);
	return (Datum) 0;
}

/* expected_bias computes what swapping does to correlations in closed form. */
static void
expected_bias(const SdcNumbers *numbers, SdcExpectedBias *expected)
{
	SdcBiasTask task = {0};

	task.value = (const double *const *) numbers->original;
	task.attributes = numbers->attributes;
	task.records = (uint32) numbers->records;
	task.swapped = numbers->swapped;
	task.bin = numbers->bin;
	task.bins = numbers->bins;
	sdc_memory_require(numbers->memory +
					   sdc_corrbias_expected_memory(task.records, task.attributes, task.bins), USE);
	sdc_corrbias_expected(&task, expected);
}

/*
 * sdc_correlation_bias(release regclass)
 *		RETURNS TABLE (bias float8, expected float8, deviation float8)
 */
Datum
sdc_correlation_bias(PG_FUNCTION_ARGS)
{
	Oid			release = sdc_args_relation(fcinfo, 0, "release");
	SdcNumbers *numbers;
	SdcExpectedBias expected = {0};
	Datum		values[3];
	bool		nulls[3] = {false};
	double		bias;
	Work		work;

	sdc_args_result(fcinfo, 0);
	work_begin(&work);
	numbers = sdc_numbers_load_release(sdc_args_extension_schema(fcinfo), release, true);
	bias = sdc_corrbias_measured((const double *const *) numbers->original,
								 (const double *const *) numbers->masked, numbers->attributes,
								 (uint32) numbers->records);
	nulls[1] = nulls[2] = numbers->bin == NULL;
	if (numbers->bin != NULL)
		expected_bias(numbers, &expected);
	work_end(&work);
	values[0] = Float8GetDatum(bias);
	values[1] = Float8GetDatum(expected.bias);
	values[2] = Float8GetDatum(expected.deviation);
	nulls[0] = isnan(bias);
	nulls[1] |= isnan(expected.bias);
	nulls[2] |= isnan(expected.deviation);
	put_row(fcinfo, values, nulls);
	return (Datum) 0;
}

/*
 * sdc_expected_correlation_bias(relation regclass, columns name[], method text, k int, intervals int,
 *								 width float8[], key name[], strata name[])
 *		RETURNS TABLE (expected float8, deviation float8, bins bigint, single_bins bigint)
 */
Datum
sdc_expected_correlation_bias(PG_FUNCTION_ARGS)
{
	SdcNumbersRequest request = {0};
	SdcBinRequest bins = {0};
	SdcNumbers *numbers;
	SdcExpectedBias expected;
	Datum		values[4];
	bool		nulls[4] = {false};
	Work		work;

	request.relid = sdc_args_relation(fcinfo, 0, "relation");
	request.columns = read_columns(fcinfo, 1);
	bins.kind = sdc_binargs_method(fcinfo, 2);
	bins.columns = request.columns;
	if (bins.kind == SDC_BIN_EQUIDEPTH)
		bins.k = sdc_binargs_k(fcinfo, 3);
	else
	{
		bins.intervals = sdc_binargs_intervals(fcinfo, 4);
		if (!PG_ARGISNULL(5))
			sdc_binargs_widths(fcinfo, 5, &bins);
	}
	request.key_given = sdc_args_names(fcinfo, 6, "key", &request.key);
	(void) sdc_args_names(fcinfo, 7, "strata", &request.strata);
	request.bins = &bins;
	sdc_args_result(fcinfo, 0);
	work_begin(&work);
	numbers = sdc_numbers_load(&request);
	if (bins.kind == SDC_BIN_EQUIDEPTH && numbers->records > 0)
		sdc_binargs_check_k(bins.k, numbers->records);
	expected_bias(numbers, &expected);
	values[0] = Float8GetDatum(expected.bias);
	values[1] = Float8GetDatum(expected.deviation);
	values[2] = Int64GetDatum((int64) numbers->bins);
	values[3] = Int64GetDatum((int64) numbers->singles);
	nulls[0] = isnan(expected.bias);
	nulls[1] = isnan(expected.deviation);
	work_end(&work);
	put_row(fcinfo, values, nulls);
	return (Datum) 0;
}

/*
 * sdc_histogram_error(release regclass, columns name[], intervals int) RETURNS float8
 *
 * sdc_histogram_error returns the total variation between the joint histograms of source and release.
 */
Datum
sdc_histogram_error(PG_FUNCTION_ARGS)
{
	Oid			release = sdc_args_relation(fcinfo, 0, "release");
	List	   *columns;
	bool		given = sdc_args_names(fcinfo, 1, "columns", &columns);
	uint32		intervals = sdc_binargs_intervals(fcinfo, 2);
	SdcNumbers *numbers;
	const double **original;
	const double **masked;
	int			count = 0;
	double		variation;
	Work		work;

	work_begin(&work);
	numbers = sdc_numbers_load_release(sdc_args_extension_schema(fcinfo), release, false);
	original = palloc(sizeof(double *) * Max(numbers->attributes, 1));
	masked = palloc(sizeof(double *) * Max(numbers->attributes, 1));
	if (given)
	{
		ListCell   *cell;

		foreach(cell, columns)
		{
			int			i = sdc_numbers_find(numbers, lfirst(cell), "columns");

			original[count] = numbers->original[i];
			masked[count++] = numbers->masked[i];
		}
	}
	else
		for (; count < numbers->attributes; count++)
		{
			original[count] = numbers->original[count];
			masked[count] = numbers->masked[count];
		}
	if (count == 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("release \"%s\" has no column of numbers to compare", get_rel_name(release))));
	sdc_memory_require(numbers->memory +
					   sdc_corrbias_variation_memory((uint32) numbers->records), USE);
	variation = sdc_corrbias_variation(original, masked, count, (uint32) numbers->records,
									   intervals);
	work_end(&work);
	PG_RETURN_FLOAT8(variation);
}
