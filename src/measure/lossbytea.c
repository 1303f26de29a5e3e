/*-------------------------------------------------------------------------
 *
 * lossbytea.c
 *		States of information loss as the values (bytea) of an aggregate.
 *
 * An image holds a state of kernel/loss/lossstate.c as it is, aligned: partial aggregation
 * needs no serialization, and states can be kept in tables.  Whatever bytea comes from
 * outside is checked before it is worked with.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"
#include "measure/lossbytea.h"
#include "relation/compat.h"

/* Where the state is in the bytea: as aligned as the bytea itself. */
#define STATE_OFFSET MAXALIGN(VARHDRSZ)

/* state_in is the state in a bytea. */
static inline SdcLossState *
state_in(bytea *datum)
{
	return (SdcLossState *) ((char *) datum + STATE_OFFSET);
}

/* sdc_lossimage_create makes the image of a state without records. */
bytea *
sdc_lossimage_create(int attributes)
{
	Size		size = STATE_OFFSET + sdc_lossstate_size(attributes);
	bytea	   *datum = palloc0(size);

	SET_VARSIZE(datum, size);
	sdc_lossstate_init(state_in(datum), attributes);
	return datum;
}

/* state_is_usable tells whether a bytea can be worked with where it is. */
static bool
state_is_usable(bytea *datum)
{
	return VARATT_IS_4B_U(datum) && PointerIsAligned(datum, double) &&
		VARSIZE(datum) >= STATE_OFFSET &&
		sdc_lossstate_valid(state_in(datum), VARSIZE(datum) - STATE_OFFSET);
}

/* sdc_lossimage_copy returns a copy of an image from anywhere. */
bytea *
sdc_lossimage_copy(Datum value)
{
	bytea	   *copy = DatumGetByteaPCopy(value);

	if (!state_is_usable(copy))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_BINARY_REPRESENTATION),
				 errmsg("value is not a state of information loss"),
				 errhint("Use what sdc_information_loss_state returned, from this version of the extension.")));
	return copy;
}

/* sdc_lossimage_read returns an image that is not changed. */
bytea *
sdc_lossimage_read(Datum value)
{
	bytea	   *datum = (bytea *) DatumGetPointer(value);

	return state_is_usable(datum) ? datum : sdc_lossimage_copy(value);
}

/* check_attributes raises the error for a record, or state, of other attributes. */
static void
check_attributes(int attributes, int expected)
{
	if (attributes != expected)
		ereport(ERROR,
				(errcode(ERRCODE_ARRAY_SUBSCRIPT_ERROR),
				 errmsg("information loss of %d attributes cannot be aggregated with that of %d",
						attributes, expected),
				 errhint("All arrays of an aggregate must have the same attributes.")));
}

/* sdc_lossimage_add adds a record. */
void
sdc_lossimage_add(bytea *image, int attributes, const double *original, const double *masked)
{
	check_attributes(attributes, sdc_lossstate_attributes(state_in(image)));
	sdc_lossstate_add(state_in(image), original, masked);
}

/* sdc_lossimage_merge adds what another image has. */
void
sdc_lossimage_merge(bytea *image, bytea *other)
{
	check_attributes(sdc_lossstate_attributes(state_in(other)),
					 sdc_lossstate_attributes(state_in(image)));
	sdc_lossstate_merge(state_in(image), state_in(other));
}

/* sdc_lossimage_flush leaves no single record in the state. */
void
sdc_lossimage_flush(bytea *image)
{
	sdc_lossstate_flush(state_in(image));
}

/* sdc_lossimage_measure measures what the state has. */
void
sdc_lossimage_measure(bytea *image, SdcLoss *loss)
{
	sdc_lossstate_measure(state_in(image), loss);
}
