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
#include "measure/accuracy/correlation.h"
#include "measure/accuracy/histogram.h"
#include "measure/attack/swapprivacy.h"
#include "relation/catalog/catalogtable.h"
#include "sql/args.h"
#include "sql/binargs.h"
#include "sql/rows.h"
#include "utils/builtins.h"

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

/* Which widths are candidates. */
static const char *const grids[] = {
	[SDC_WIDTH_INTERVALS] = "intervals",
	[SDC_WIDTH_CONTINUOUS] = "continuous",
	NULL
};

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

/* read_widths reads the widths to try, from argument number bound on: bound, grid, smallest. */
static void
read_widths(FunctionCallInfo fcinfo, int bound, SdcSwapWidths *widths)
{
	widths->share_most = read_share(fcinfo, bound, "bound", LEAST_SHARE, DEFAULT_SHARE);
	widths->grid = (SdcWidthGrid) sdc_args_word(fcinfo, bound + 1, "grid", grids);
	widths->share_least = read_share(fcinfo, bound + 2, "smallest", LEAST_SHARE,
									 Min(DEFAULT_SMALLEST, widths->share_most));
	if (widths->share_least > widths->share_most)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("argument \"smallest\" is larger than argument \"bound\"")));
}

/* read_depth reads the largest depth, for equi-depth swapping. */
static uint32
read_depth(FunctionCallInfo fcinfo, int number)
{
	double		most = PG_ARGISNULL(number) ? DEFAULT_DEPTH : PG_GETARG_FLOAT8(number);

	if (isnan(most) || most < 2 || most > PG_INT32_MAX || most != floor(most))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("argument \"bound\" is out of range"),
				 errhint("For equi-depth swapping it is the largest depth: a whole number, at least 2.")));
	return (uint32) most;
}

/* return_candidate is the SdcSwapCandidateEmit of sdc_swap_candidates; arg is its call. */
static void
return_candidate(void *arg, const SdcWidthCandidate *candidate, double bias)
{
	Datum		values[5];
	bool		nulls[5] = {false};

	values[0] = Float8GetDatum(candidate->share);
	values[1] = Int64GetDatum((int64) candidate->degree);
	values[2] = Int64GetDatum((int64) candidate->depth);
	values[3] = BoolGetDatum(candidate->representative);
	values[4] = Float8GetDatum(bias);
	nulls[4] = isnan(bias);
	sdc_rows_put(arg, values, nulls);
}

/*
 * sdc_swap_candidates(relation regclass, columns name[], bound float8, grid text, smallest float8)
 *		RETURNS TABLE (width_share float8, degree bigint, minimal_depth bigint,
 *					   representative boolean, expected_bias float8)
 */
Datum
sdc_swap_candidates(PG_FUNCTION_ARGS)
{
	SdcSwapWidths widths = {0};

	widths.columns = read_columns(fcinfo, 1);
	read_widths(fcinfo, 2, &widths);
	sdc_rows_begin(fcinfo, 0);
	widths.relid = sdc_args_relation(fcinfo, 0, "relation");
	sdc_swapprivacy_candidates(&widths, return_candidate, fcinfo);
	return (Datum) 0;
}

/*
 * sdc_swap_privacy(relation regclass, columns name[], method text, bound float8, grid text,
 *					smallest float8)
 *		RETURNS TABLE (candidates bigint, p_tuple float8, p_mdb float8, p_closed float8)
 */
Datum
sdc_swap_privacy(PG_FUNCTION_ARGS)
{
	SdcSwapWidths widths = {0};
	SdcSwapPrivacy privacy;
	SdcBinKind	kind;
	uint32		depth = 0;
	Datum		values[4];
	bool		nulls[4] = {false};

	widths.columns = read_columns(fcinfo, 1);
	kind = sdc_binargs_method(fcinfo, 2);
	sdc_rows_begin(fcinfo, 0);
	if (kind == SDC_BIN_EQUIWIDTH)
		read_widths(fcinfo, 3, &widths);
	else
		depth = read_depth(fcinfo, 3);
	widths.relid = sdc_args_relation(fcinfo, 0, "relation");
	if (kind == SDC_BIN_EQUIWIDTH)
		sdc_swapprivacy_widths(&widths, &privacy);
	else
		sdc_swapprivacy_depths(widths.relid, widths.columns, depth, &privacy);
	values[0] = Int64GetDatum((int64) privacy.candidates);
	values[1] = Float8GetDatum(privacy.tuple);
	values[2] = Float8GetDatum(privacy.minimal_depth);
	values[3] = Float8GetDatum(privacy.closed);
	sdc_rows_put(fcinfo, values, nulls);
	return (Datum) 0;
}

/*
 * sdc_correlation_bias(release regclass)
 *		RETURNS TABLE (bias float8, expected float8, deviation float8)
 */
Datum
sdc_correlation_bias(PG_FUNCTION_ARGS)
{
	Oid			release = sdc_args_relation(fcinfo, 0, "release");
	SdcCorrelationBias bias;
	Datum		values[3];
	bool		nulls[3];

	sdc_rows_begin(fcinfo, 0);
	sdc_correlation_measure(sdc_catalogtable_schema(), release, &bias);
	values[0] = Float8GetDatum(bias.measured);
	values[1] = Float8GetDatum(bias.expected);
	values[2] = Float8GetDatum(bias.deviation);
	nulls[0] = isnan(bias.measured);
	nulls[1] = isnan(bias.expected);
	nulls[2] = isnan(bias.deviation);
	sdc_rows_put(fcinfo, values, nulls);
	return (Datum) 0;
}

/*
 * sdc_expected_correlation_bias(relation regclass, columns name[], method text, depth int, intervals int,
 *								 widths float8[], key name[], strata name[])
 *		RETURNS TABLE (expected float8, deviation float8, bins bigint, single_bins bigint)
 */
Datum
sdc_expected_correlation_bias(PG_FUNCTION_ARGS)
{
	SdcNumericRequest request = {0};
	SdcBinRequest bins = {0};
	SdcCorrelationBias bias;
	Datum		values[4];
	bool		nulls[4] = {false};

	request.relid = sdc_args_relation(fcinfo, 0, "relation");
	request.columns = read_columns(fcinfo, 1);
	bins.kind = sdc_binargs_method(fcinfo, 2);
	bins.columns = request.columns;
	if (bins.kind == SDC_BIN_EQUIDEPTH)
		bins.depth = sdc_binargs_depth(fcinfo, 3);
	else
		sdc_binargs_boxes(fcinfo, 4, false, &bins);
	request.key_given = sdc_args_names(fcinfo, 6, "key", &request.key);
	(void) sdc_args_names(fcinfo, 7, "strata", &request.strata);
	request.bins = &bins;
	sdc_rows_begin(fcinfo, 0);
	sdc_correlation_expect(&request, &bias);
	values[0] = Float8GetDatum(bias.expected);
	values[1] = Float8GetDatum(bias.deviation);
	values[2] = Int64GetDatum((int64) bias.bins);
	values[3] = Int64GetDatum((int64) bias.singles);
	nulls[0] = isnan(bias.expected);
	nulls[1] = isnan(bias.deviation);
	sdc_rows_put(fcinfo, values, nulls);
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

	PG_RETURN_FLOAT8(sdc_histogram_variation(sdc_catalogtable_schema(), release, given,
											 columns, intervals));
}
