/*-------------------------------------------------------------------------
 *
 * lossagg.c
 *		The aggregates sdc_information_loss, sdc_information_loss_state,
 *		sdc_information_loss_merge.
 *
 * The transition value is a packed form of a state (measure/accuracy/lossbytea.h).  In an aggregate it
 * belongs to the aggregate and is changed in place.  Called by hand, the functions
 * change a copy.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "funcapi.h"
#include "sql/call.h"
#include "sql/lossagg.h"
#include "utils/array.h"
#include "utils/float.h"

PG_FUNCTION_INFO_V1(sdc_information_loss_trans);
PG_FUNCTION_INFO_V1(sdc_information_loss_combine);
PG_FUNCTION_INFO_V1(sdc_information_loss_final);
PG_FUNCTION_INFO_V1(sdc_information_loss_state_final);

/* The columns of sdc_loss: two before the measures. */
#define LOSS_COLUMNS (2 + SDC_LOSSAGG_MEASURES)

/* state_to_change returns a state that may be changed: the aggregate's own, or a copy. */
static bytea *
state_to_change(FunctionCallInfo fcinfo, Datum value)
{
	return AggCheckCallContext(fcinfo,
							   NULL) ? sdc_lossbytea_read(value) : sdc_lossbytea_copy(value);
}

/* attributes_in returns the number of attributes in an array argument. */
static int
attributes_in(ArrayType *array, const char *name)
{
	int			length = ARR_NDIM(array) == 0 ? 0 : ARR_DIMS(array)[0];

	if (ARR_NDIM(array) > 1)
		ereport(ERROR,
				(errcode(ERRCODE_ARRAY_SUBSCRIPT_ERROR),
				 errmsg("argument \"%s\" must be a one-dimensional array", name),
				 errhint("Use ARRAY[column, ...], one value an attribute.")));
	if (length == 0)
		ereport(ERROR,
				(errcode(ERRCODE_ARRAY_SUBSCRIPT_ERROR),
				 errmsg("argument \"%s\" must not be an empty array", name),
				 errhint("Use ARRAY[column, ...], one value an attribute.")));
	if (length > SDC_LOSSSTATE_ATTRIBUTES)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("argument \"%s\" has %d elements, more than %d", name, length,
						SDC_LOSSSTATE_ATTRIBUTES),
				 errhint("Measure the attributes in groups.")));
	return length;
}

/*
 * array_values returns the elements of an array, NaN for NULL: in the array where
 * there are no NULLs.
 */
static const double *
array_values(ArrayType *array, int length)
{
	const double *packed = (const double *) ARR_DATA_PTR(array);
	const bits8 *present = ARR_NULLBITMAP(array);
	double	   *values;

	if (present == NULL)
		return packed;
	values = palloc(length * sizeof(double));
	for (int i = 0; i < length; i++)
		values[i] = present[i / 8] & (1 << (i % 8)) ? *packed++ : get_float8_nan();
	return values;
}

/*
 * sdc_information_loss_trans(state bytea, original float8[], protected float8[])
 *		RETURNS bytea
 *
 * sdc_information_loss_trans adds a record.  One whose original or protected array is NULL
 * is left out; a NULL element is a missing value.
 */
Datum
sdc_information_loss_trans(PG_FUNCTION_ARGS)
{
	ArrayType  *original;
	ArrayType  *protected;
	bytea	   *state;
	int			attributes;

	if (PG_ARGISNULL(1) || PG_ARGISNULL(2))
	{
		if (PG_ARGISNULL(0))
			PG_RETURN_NULL();
		PG_RETURN_BYTEA_P(state_to_change(fcinfo, PG_GETARG_DATUM(0)));
	}
	original = PG_GETARG_ARRAYTYPE_P(1);
	protected = PG_GETARG_ARRAYTYPE_P(2);
	attributes = attributes_in(original, "original");
	if (attributes_in(protected, "protected") != attributes)
		ereport(ERROR,
				(errcode(ERRCODE_ARRAY_SUBSCRIPT_ERROR),
				 errmsg("arguments \"original\" and \"protected\" have different lengths"),
				 errdetail("They have %d and %d elements.", attributes,
						   attributes_in(protected, "protected"))));

	/* the executor copies a new state to where the aggregate keeps it */
	state = PG_ARGISNULL(0) ? sdc_lossbytea_create(attributes) :
		state_to_change(fcinfo, PG_GETARG_DATUM(0));
	sdc_lossbytea_add(state, attributes, array_values(original, attributes),
					  array_values(protected, attributes));
	PG_RETURN_BYTEA_P(state);
}

/*
 * sdc_information_loss_combine(state bytea, other bytea) RETURNS bytea
 *
 * sdc_information_loss_combine merges two states; NULL is the state of no records.  It
 * is also the transition of sdc_information_loss_merge, whose states anybody can make.
 */
Datum
sdc_information_loss_combine(PG_FUNCTION_ARGS)
{
	bytea	   *state;
	bytea	   *other;

	if (PG_ARGISNULL(1))
	{
		if (PG_ARGISNULL(0))
			PG_RETURN_NULL();
		PG_RETURN_BYTEA_P(state_to_change(fcinfo, PG_GETARG_DATUM(0)));
	}
	if (PG_ARGISNULL(0))
		PG_RETURN_BYTEA_P(sdc_lossbytea_copy(PG_GETARG_DATUM(1)));

	state = state_to_change(fcinfo, PG_GETARG_DATUM(0));
	other = sdc_lossbytea_read(PG_GETARG_DATUM(1));
	sdc_lossbytea_merge(state, other);
	PG_RETURN_BYTEA_P(state);
}

/*
 * sdc_information_loss_state_final(state bytea) RETURNS bytea
 *
 * sdc_information_loss_state_final returns a copy without the last records in it: who keeps
 * or sends a state should not hand out values that its sums do not show.
 */
Datum
sdc_information_loss_state_final(PG_FUNCTION_ARGS)
{
	bytea	   *state = sdc_lossbytea_copy(PG_GETARG_DATUM(0));

	sdc_lossbytea_flush(state);
	PG_RETURN_BYTEA_P(state);
}

/* count_datum is a count as bigint; only a made-up state has more. */
static Datum
count_datum(uint64 count)
{
	return Int64GetDatum((int64) Min(count, (uint64) PG_INT64_MAX));
}

/* has_any_part tells whether the probabilistic measure has a part with terms. */
static bool
has_any_part(const SdcLoss *loss)
{
	for (int i = 0; i < SDC_LOSS_PARTS; i++)
		if (loss->has_part[i])
			return true;
	return false;
}

/* sdc_lossagg_measures: see lossagg.h. */
void
sdc_lossagg_measures(const SdcLoss *loss, Datum *values, bool *nulls)
{
	bool		known = loss->records > 0 && loss->attributes > 0;
	int			column = 0;

	for (int i = 0; i < 5; i++)
	{
		nulls[column] = !known || !loss->has_il[i];
		values[column++] = Float8GetDatum(loss->il[i]);
	}
	nulls[column] = !known;
	values[column++] = Float8GetDatum(loss->total);
	nulls[column] = !known;
	values[column++] = Float8GetDatum(loss->il1s);

	nulls[column] = !known || !loss->has_pil || !has_any_part(loss);
	values[column++] = Float8GetDatum(loss->pil_total);
	for (int i = 0; i < SDC_LOSS_PARTS; i++)
	{
		nulls[column] = !known || !loss->has_pil || !loss->has_part[i];
		values[column++] = Float8GetDatum(loss->pil[i]);
	}
	for (int i = 0; i < 5; i++)
	{
		nulls[column] = !known;
		values[column++] = count_datum(loss->left_out[i]);
	}
	nulls[column] = !known;
	values[column++] = count_datum(loss->il1s_left_out);
	nulls[column] = !known || !loss->has_pil;
	values[column++] = count_datum(loss->pil_left_out);
	nulls[column] = !known;
	values[column++] = count_datum(loss->lost);
	Assert(column == SDC_LOSSAGG_MEASURES);
}

/*
 * sdc_information_loss_final(state bytea) RETURNS sdc_loss
 *
 * sdc_information_loss_final measures a state, and leaves it as it is: in a window the
 * aggregation goes on afterwards.
 */
Datum
sdc_information_loss_final(PG_FUNCTION_ARGS)
{
	bytea	   *state = sdc_lossbytea_read(PG_GETARG_DATUM(0));
	Datum		values[LOSS_COLUMNS];
	bool		nulls[LOSS_COLUMNS] = {false};
	TupleDesc	desc;
	SdcLoss		loss;

	if (get_call_result_type(fcinfo, NULL, &desc) != TYPEFUNC_COMPOSITE ||
		desc->natts != LOSS_COLUMNS)
		elog(ERROR, "sdc_information_loss_final does not return sdc_loss");
	sdc_lossbytea_measure(state, &loss);
	values[0] = count_datum(loss.records);
	values[1] = Int32GetDatum(loss.attributes);
	sdc_lossagg_measures(&loss, values + 2, nulls + 2);
	PG_RETURN_DATUM(HeapTupleGetDatum(heap_form_tuple(desc, values, nulls)));
}
