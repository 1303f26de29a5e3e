/*-------------------------------------------------------------------------
 *
 * unitswap.c
 *		sdc_record_swap, sdc_permutation_swap, sdc_swap_guarantee.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "catalog/pg_type.h"
#include "fmgr.h"
#include "measure/guarantee.h"
#include "method/permuteswap.h"
#include "method/recordswap.h"
#include "relation/catalog/catalogtable.h"
#include "relation/catalog/methods.h"
#include "sql/args.h"
#include "sql/forms.h"
#include "sql/rows.h"
#include "sql/stepargs.h"
#include "utils/array.h"
#include "utils/builtins.h"

PG_FUNCTION_INFO_V1(sdc_swap_guarantee);

/* The arguments in front of those that all methods have. */
enum
{
	ARG_AREAS = 1, ARG_RISK, ARG_K, ARG_AREA_RATE, ARG_SIMILAR, ARG_RELAX, ARG_CARRY, ARG_AREA_ANY_SIZE, ARG_AREA_COMMON
};
enum
{
	ARG_COLUMNS = 1, ARG_RATE, ARG_ANY_SIZE, ARG_COMMON
};

/* read_some reads an argument that names at least one column. */
static List *
read_some(FunctionCallInfo fcinfo, int number, const char *name)
{
	List	   *names;

	sdc_args_require(fcinfo, number, name);
	(void) sdc_args_names(fcinfo, number, name, &names);
	if (names == NIL)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("argument \"%s\" must name at least one column", name)));
	return names;
}

/* read_bool reads an argument that is true or false. */
static bool
read_bool(FunctionCallInfo fcinfo, int number, const char *name)
{
	sdc_args_require(fcinfo, number, name);
	return PG_GETARG_BOOL(number);
}

/* read_rate reads a rate in percent; with open ends it is neither 0 nor 100. */
static double
read_rate(FunctionCallInfo fcinfo, int number, bool open, const char *hint)
{
	double		rate;

	sdc_args_choose(PG_ARGISNULL(number), SDC_PARAMETER_RATE, hint);
	rate = PG_GETARG_FLOAT8(number);
	if (!(rate >= 0 && rate <= 100) || (open && (rate <= 0 || rate >= 100)))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("argument \"%s\" is out of range", SDC_PARAMETER_RATE),
				 errhint("%s", hint)));
	return rate;
}

/* read_k reads k. */
static uint32
read_k(FunctionCallInfo fcinfo)
{
	static const char hint[] = "A unit must move if fewer than k units of its area have its values of risk: at least 1, where no unit must.  Usual are 2 to 5; a larger k protects more.";

	sdc_args_choose(PG_ARGISNULL(ARG_K), SDC_PARAMETER_K, hint);
	if (PG_GETARG_INT32(ARG_K) < 1)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("argument \"k\" is out of range"),
				 errhint("%s", hint)));
	return (uint32) PG_GETARG_INT32(ARG_K);
}

/* read_relax reads how many columns of similar can be given up. */
static int
read_relax(FunctionCallInfo fcinfo, const List *similar)
{
	sdc_args_require(fcinfo, ARG_RELAX, SDC_PARAMETER_RELAX);
	if (PG_GETARG_INT32(ARG_RELAX) < 0 || PG_GETARG_INT32(ARG_RELAX) > list_length(similar))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("argument \"relax\" is out of range"),
				 errhint("It is how many columns of argument \"similar\", from the last one, can be given up: between 0 and %d.",
						 list_length(similar))));
	return PG_GETARG_INT32(ARG_RELAX);
}

/* sdc_record_swap_read reads the arguments of sdc_record_swap. */
void
sdc_record_swap_read(FunctionCallInfo fcinfo, SdcMethodStep *step)
{
	SdcRecordSwapRequest *request = palloc0(sizeof(SdcRecordSwapRequest));

	request->areas = read_some(fcinfo, ARG_AREAS, SDC_PARAMETER_AREAS);
	sdc_args_require(fcinfo, ARG_RISK, SDC_PARAMETER_RISK);
	(void) sdc_args_names(fcinfo, ARG_RISK, SDC_PARAMETER_RISK, &request->risk);
	request->k = read_k(fcinfo);
	request->rate = read_rate(fcinfo, ARG_AREA_RATE, false,
							  "It is how many percent of the units move at least: between 0 and 100.  With 0 only those at risk do, with their partners.");
	(void) sdc_args_names(fcinfo, ARG_SIMILAR, SDC_PARAMETER_SIMILAR, &request->similar);
	request->relax = read_relax(fcinfo, request->similar);
	(void) sdc_args_names(fcinfo, ARG_CARRY, SDC_PARAMETER_CARRY, &request->carry);
	request->any_size = read_bool(fcinfo, ARG_AREA_ANY_SIZE, SDC_PARAMETER_ANY_SIZE);
	sdc_recordswap_prepare(step, request);
}

/*
 * sdc_record_swap(relation text, areas name[], risk name[], k int, rate float8, similar name[], relax int,
 *				   carry name[], any_size boolean, target text, key name[], strata name[], omit name[],
 *				   keep name[], seed "any", replace boolean)
 * sdc_record_swap(relation regclass, ...)
 *		RETURNS TABLE (release regclass, attribute name, action text, method text, records bigint, changed bigint,
 *					   changed_percent float8, at_risk bigint, swapped bigint, partial bigint, profiles bigint[],
 *					   at_risk_after bigint, target_units bigint, unmatched bigint, short bigint)
 * sdc_record_swap(row_type anyelement, ..., key name[], strata name[], omit name[], keep name[], seed "any")
 *		RETURNS SETOF anyelement
 */
SDC_FORMS_ALL(sdc_record_swap, sdc_record_swap_read, ARG_AREA_COMMON);

/* sdc_permutation_swap_read reads the arguments of sdc_permutation_swap. */
void
sdc_permutation_swap_read(FunctionCallInfo fcinfo, SdcMethodStep *step)
{
	SdcPermuteSwapRequest *request = palloc0(sizeof(SdcPermuteSwapRequest));

	step->columns = read_some(fcinfo, ARG_COLUMNS, SDC_MEMBER_COLUMNS);
	step->columns_given = true;
	request->rate = read_rate(fcinfo, ARG_RATE, true,
							  "It is how many percent of the units are selected to exchange values: above 0 and below 100.  A larger rate protects more, up to about 100 s / (1 + s), where s is the root of the size of the largest stratum.");
	request->any_size = read_bool(fcinfo, ARG_ANY_SIZE, SDC_PARAMETER_ANY_SIZE);
	sdc_permuteswap_prepare(step, request);
}

/*
 * sdc_permutation_swap(relation text, columns name[], rate float8, any_size boolean, target text, key name[],
 *						strata name[], omit name[], keep name[], seed "any", replace boolean)
 * sdc_permutation_swap(relation regclass, ...)
 *		RETURNS TABLE (release regclass, attribute name, action text, method text, records bigint, changed bigint,
 *					   changed_percent float8)
 * sdc_permutation_swap(row_type anyelement, ..., key name[], strata name[], omit name[], keep name[], seed "any")
 *		RETURNS SETOF anyelement
 */
SDC_FORMS_ALL(sdc_permutation_swap, sdc_permutation_swap_read, ARG_COMMON);

/* texts_datum makes an array of texts. */
static Datum
texts_datum(const List *texts)
{
	Datum	   *values = palloc(sizeof(Datum) * Max(list_length(texts), 1));
	ListCell   *cell;

	foreach(cell, texts)
		values[foreach_current_index(cell)] = CStringGetTextDatum(lfirst(cell));
	return PointerGetDatum(construct_array(values, list_length(texts), TEXTOID, -1, false, TYPALIGN_INT));
}

/* put_number sets a number, or NULL for NaN. */
static void
put_number(double number, Datum *value, bool *isnull)
{
	*value = Float8GetDatum(number);
	*isnull = isnan(number);
}

/* put_count sets a whole number, or NULL for NaN. */
static void
put_count(double number, Datum *value, bool *isnull)
{
	*isnull = isnan(number);
	*value = Int64GetDatum(*isnull ? 0 : (int64) number);
}

/*
 * sdc_swap_guarantee(release regclass)
 *		RETURNS TABLE (epsilon float8, epsilon_pair float8, attained float8, largest_stratum bigint, strata bigint,
 *					   single_strata bigint, selected_percent float8, moved_percent float8, invariants text[])
 */
Datum
sdc_swap_guarantee(PG_FUNCTION_ARGS)
{
	SdcGuarantee guarantee;
	Datum		values[9];
	bool		nulls[9] = {false};

	sdc_rows_begin(fcinfo, 0);
	sdc_guarantee_find(sdc_catalogtable_schema(), sdc_args_relation(fcinfo, 0, "release"), &guarantee);
	put_number(guarantee.epsilon, &values[0], &nulls[0]);
	put_number(2 * guarantee.epsilon, &values[1], &nulls[1]);
	put_number(guarantee.attained, &values[2], &nulls[2]);
	put_count(guarantee.largest_stratum, &values[3], &nulls[3]);
	put_count(guarantee.strata, &values[4], &nulls[4]);
	put_count(guarantee.single_strata, &values[5], &nulls[5]);
	put_number(guarantee.selected_percent, &values[6], &nulls[6]);
	put_number(guarantee.moved_percent, &values[7], &nulls[7]);
	values[8] = texts_datum(guarantee.invariants);
	nulls[8] = isnan(guarantee.epsilon);
	sdc_rows_put(fcinfo, values, nulls);
	return (Datum) 0;
}
