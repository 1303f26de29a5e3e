/*-------------------------------------------------------------------------
 *
 * pram.c
 *		sdc_pram, sdc_pram_matrix, sdc_pram_counts.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "fmgr.h"
#include "measure/accuracy/pramcounts.h"
#include "method/pram.h"
#include "method/randomize.h"
#include "relation/base/names.h"
#include "relation/catalog/catalogtable.h"
#include "relation/recode/matrix.h"
#include "sql/args.h"
#include "sql/forms.h"
#include "sql/rows.h"
#include "sql/stepargs.h"
#include "utils/builtins.h"

PG_FUNCTION_INFO_V1(sdc_pram_matrix);
PG_FUNCTION_INFO_V1(sdc_pram_counts);

/* The arguments in front of those that all methods have. */
enum
{
	ARG_COLUMNS = 1, ARG_RETAIN, ARG_MATRICES, ARG_COMMON
};

/* read_retain reads the columns whose values stay with a probability, or come from the column. */
static void
read_retain(FunctionCallInfo fcinfo, SdcMethodStep *step)
{
	SdcRandomizing *randomizing = palloc0(sizeof(SdcRandomizing));

	sdc_args_choose(!sdc_args_names(fcinfo, ARG_COLUMNS, "columns", &randomizing->qi) || randomizing->qi == NIL,
					"columns", "It names the columns whose values are drawn anew, of any type, such as: '{illness, job}'");
	randomizing->retain = sdc_args_retain(fcinfo, ARG_RETAIN);
	sdc_randomize_prepare_pram(step, randomizing);
}

/* read_matrices reads the matrices, which say what becomes of the values of their columns. */
static void
read_matrices(FunctionCallInfo fcinfo, SdcMethodStep *step)
{
	SdcPramming *pramming = palloc0(sizeof(SdcPramming));
	Jsonb	   *matrices = PG_GETARG_JSONB_P(ARG_MATRICES);
	List	   *columns;

	pramming->matrices = sdc_matrix_read(&matrices->root, "matrices");
	pramming->argument = JsonbToCString(NULL, &matrices->root, -1);
	if (sdc_args_names(fcinfo, ARG_COLUMNS, "columns", &columns) &&
		(sdc_names_without(columns, sdc_matrix_columns(pramming->matrices)) != NIL ||
		 list_length(columns) != list_length(pramming->matrices)))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("arguments \"columns\" and \"matrices\" name other columns"),
				 errhint("There is one matrix for every column; \"columns\" can be left out.")));
	sdc_pram_prepare(step, pramming);
}

/* sdc_pram_read reads what is asked for. */
void
sdc_pram_read(FunctionCallInfo fcinfo, SdcMethodStep *step)
{
	sdc_args_choose(PG_ARGISNULL(ARG_RETAIN) && PG_ARGISNULL(ARG_MATRICES), "retain",
					"It is the probability that a value stays what it is, such as 0.8; the others are drawn from the distribution of the column.  sdc_sweep tries several.  Or give \"matrices\".");
	if (!PG_ARGISNULL(ARG_RETAIN) && !PG_ARGISNULL(ARG_MATRICES))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("arguments \"retain\" and \"matrices\" cannot be used together"),
				 errhint("Protect columns in different ways in steps of sdc_protect.")));
	if (PG_ARGISNULL(ARG_MATRICES))
		read_retain(fcinfo, step);
	else
		read_matrices(fcinfo, step);
}

/*
 * sdc_pram(relation text, columns name[], retain float8, matrices jsonb, target text, key name[], strata name[],
 *			omit name[], keep name[], seed "any", replace boolean, continued boolean, ...)
 * sdc_pram(relation regclass, ...)
 *		RETURNS TABLE (release regclass, attribute name, action text, method text, records bigint, changed bigint,
 *					   changed_percent float8, kept bigint, drawn bigint, ...)
 * sdc_pram(row_type anyelement, columns name[], retain float8, matrices jsonb, key name[], strata name[],
 *			omit name[], keep name[], seed "any", ...) RETURNS SETOF anyelement
 */
SDC_FORMS_CONTINUED(sdc_pram, sdc_pram_read, ARG_COMMON);

/* probability_argument reads a probability that says how much is protected. */
static double
probability_argument(FunctionCallInfo fcinfo, int number, const char *name)
{
	double		p = PG_GETARG_FLOAT8(number);

	if (!(p > 0 && p <= 1))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("argument \"%s\" is out of range", name),
				 errhint("It is a probability: above 0 and at most 1.")));
	return p;
}

/* sdc_pram_matrix(relation regclass, column name, diagonal float8, least float8, missing jsonb) RETURNS jsonb */
Datum
sdc_pram_matrix(PG_FUNCTION_ARGS)
{
	Oid			relid = sdc_args_relation(fcinfo, 0, "relation");
	SdcPramMatrixRequest request = {.relid = relid, .least = NAN};

	sdc_args_require(fcinfo, 1, "column");
	request.column = NameStr(*PG_GETARG_NAME(1));
	sdc_args_choose(PG_ARGISNULL(2), "diagonal",
					"It is the probability that a value stays in the first of two stages, such as 0.9; frequent values stay more often in the end, and rare ones less.");
	request.diagonal = probability_argument(fcinfo, 2, "diagonal");
	if (!PG_ARGISNULL(3))
		request.least = probability_argument(fcinfo, 3, "least");
	if (!PG_ARGISNULL(4))
		request.missing = &PG_GETARG_JSONB_P(4)->root;
	PG_RETURN_DATUM(DirectFunctionCall1(jsonb_in, CStringGetDatum(sdc_pram_make_matrix(&request))));
}

/* put_count returns a row of sdc_pram_counts. */
static void
put_count(void *arg, const SdcPramCount *count)
{
	Datum		values[] = {count->cell, Float8GetDatum(count->estimate), Float8GetDatum(count->standard_error),
	Float8GetDatum(count->low), Float8GetDatum(count->high), Float8GetDatum(count->raw)};
	bool		unknown = !count->known;
	bool		nulls[] = {false, unknown, unknown, unknown, unknown, false};

	sdc_rows_put(arg, values, nulls);
}

/*
 * sdc_pram_counts(relation regclass, columns name[], matrices jsonb)
 *		RETURNS TABLE (cell jsonb, estimate float8, standard_error float8, low float8, high float8, raw float8)
 */
Datum
sdc_pram_counts(PG_FUNCTION_ARGS)
{
	SdcPramCountsRequest request = {.emit = put_count, .arg = fcinfo};

	request.catalog_schema = sdc_catalogtable_schema();
	request.relid = sdc_args_relation(fcinfo, 0, "relation");
	sdc_args_require(fcinfo, 1, SDC_MEMBER_COLUMNS);
	(void) sdc_args_names(fcinfo, 1, SDC_MEMBER_COLUMNS, &request.columns);
	if (request.columns == NIL)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("argument \"columns\" must name at least one column")));
	if (!PG_ARGISNULL(2))
		request.matrices = PG_GETARG_JSONB_P(2);
	sdc_rows_begin(fcinfo, 0);
	sdc_pramcounts_measure(&request);
	return (Datum) 0;
}
