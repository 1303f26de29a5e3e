/*-------------------------------------------------------------------------
 *
 * binswap.c
 *		sdc_equidepth_swap and sdc_equiwidth_swap.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"
#include "method/binswap.h"
#include "sql/args.h"
#include "sql/binargs.h"
#include "sql/forms.h"
#include "sql/stepargs.h"

/* The arguments in front of those that all methods have. */
enum
{
	ARG_DEPTH = 1, ARG_DEPTH_COMPLEMENT, ARG_DEPTH_COLUMNS, ARG_DEPTH_COMMON
};
enum
{
	ARG_INTERVALS = 1, ARG_WIDTHS, ARG_WIDTH_COMPLEMENT, ARG_WIDTH_COLUMNS, ARG_WIDTH_COMMON
};

/* What happens to the columns that are not in the swapping set. */
static const char *const complements[] = {"copy", "swap", NULL};

/* begin_request starts what both methods have. */
static SdcBinRequest *
begin_request(FunctionCallInfo fcinfo, SdcMethodStep *step, SdcBinKind kind,
			  int complement, int columns)
{
	SdcBinRequest *request = palloc0(sizeof(SdcBinRequest));

	request->kind = kind;
	step->complement = sdc_args_word(fcinfo, complement, "complement", complements) == 1;
	step->columns_given = sdc_args_names(fcinfo, columns, "columns",
													   &step->columns);
	request->columns = step->columns;
	return request;
}

/* sdc_equidepth_swap_read reads the arguments of sdc_equidepth_swap. */
void
sdc_equidepth_swap_read(FunctionCallInfo fcinfo, SdcMethodStep *step)
{
	SdcBinRequest *request = begin_request(fcinfo, step, SDC_BIN_EQUIDEPTH,
										   ARG_DEPTH_COMPLEMENT, ARG_DEPTH_COLUMNS);

	request->depth = sdc_binargs_depth(fcinfo, ARG_DEPTH);
	sdc_binswap_prepare(step, request);
}

/* sdc_equiwidth_swap_read reads the arguments of sdc_equiwidth_swap. */
void
sdc_equiwidth_swap_read(FunctionCallInfo fcinfo, SdcMethodStep *step)
{
	SdcBinRequest *request = begin_request(fcinfo, step, SDC_BIN_EQUIWIDTH,
										   ARG_WIDTH_COMPLEMENT, ARG_WIDTH_COLUMNS);

	sdc_binargs_boxes(fcinfo, ARG_INTERVALS, step->complement, request);
	sdc_binswap_prepare(step, request);
}

/*
 * sdc_equidepth_swap(relation text, depth int, complement text, columns name[], target text, key name[],
 *					  strata name[], omit name[], keep name[], seed "any", replace boolean)
 * sdc_equidepth_swap(relation regclass, ...)
 *		RETURNS TABLE (release regclass, attribute name, action text, method text,
 *					   records bigint, changed bigint, changed_percent float8,
 *					   bins bigint, single_bins bigint, ..., largest float8)
 * sdc_equidepth_swap(row_type anyelement, depth int, complement text, columns name[], key name[],
 *					  strata name[], omit name[], keep name[], seed "any") RETURNS SETOF anyelement
 */
SDC_FORMS_ALL(sdc_equidepth_swap, sdc_equidepth_swap_read, ARG_DEPTH_COMMON);

/*
 * sdc_equiwidth_swap(relation text, intervals int, widths float8[], complement text, columns name[],
 *					  target text, key name[], strata name[], omit name[], keep name[], seed "any",
 *					  replace boolean)
 * sdc_equiwidth_swap(relation regclass, ...)
 *		RETURNS TABLE (release regclass, attribute name, action text, method text,
 *					   records bigint, changed bigint, changed_percent float8,
 *					   bins bigint, single_bins bigint, ..., largest float8)
 * sdc_equiwidth_swap(row_type anyelement, intervals int, widths float8[], complement text,
 *					  columns name[], key name[], strata name[], omit name[], keep name[], seed "any")
 *		RETURNS SETOF anyelement
 */
SDC_FORMS_ALL(sdc_equiwidth_swap, sdc_equiwidth_swap_read, ARG_WIDTH_COMMON);
