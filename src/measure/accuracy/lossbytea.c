/*-------------------------------------------------------------------------
 *
 * lossbytea.c
 *		States of information loss as the values (bytea) of an aggregate.
 *
 * A packed state holds a state of kernel/loss/lossstate.c as it is, aligned: partial aggregation
 * needs no serialization, and states can be kept in tables.  Whatever bytea comes from
 * outside is checked before it is worked with.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"
#include "measure/accuracy/lossbytea.h"
#include "relation/base/compat.h"

/* Where the state is in the bytea: as aligned as the bytea itself. */
#define STATE_OFFSET MAXALIGN(VARHDRSZ)

/* state_in is the state in a bytea. */
static inline SdcLossState *
state_in(bytea *datum)
{
	return (SdcLossState *) ((char *) datum + STATE_OFFSET);
}

/* sdc_lossbytea_create makes the packed form of a state without records. */
bytea *
sdc_lossbytea_create(int attributes)
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

/* sdc_lossbytea_copy returns a copy of a packed state from anywhere. */
bytea *
sdc_lossbytea_copy(Datum value)
{
	bytea	   *copy = DatumGetByteaPCopy(value);

	if (!state_is_usable(copy))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_BINARY_REPRESENTATION),
				 errmsg("value is not a state of information loss"),
				 errhint("Use a state that sdc_information_loss_state of this version has returned.")));
	return copy;
}

/* sdc_lossbytea_read returns a packed state that is not changed. */
bytea *
sdc_lossbytea_read(Datum value)
{
	bytea	   *datum = (bytea *) DatumGetPointer(value);

	return state_is_usable(datum) ? datum : sdc_lossbytea_copy(value);
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

/* sdc_lossbytea_add adds a record. */
void
sdc_lossbytea_add(bytea *packed, int attributes, const double *original, const double *protected)
{
	check_attributes(attributes, sdc_lossstate_attributes(state_in(packed)));
	sdc_lossstate_add(state_in(packed), original, protected);
}

/* sdc_lossbytea_merge adds what another packed state has. */
void
sdc_lossbytea_merge(bytea *packed, bytea *other)
{
	check_attributes(sdc_lossstate_attributes(state_in(other)),
					 sdc_lossstate_attributes(state_in(packed)));
	sdc_lossstate_merge(state_in(packed), state_in(other));
}

/* sdc_lossbytea_flush leaves no single record in the state. */
void
sdc_lossbytea_flush(bytea *packed)
{
	sdc_lossstate_flush(state_in(packed));
}

/* sdc_lossbytea_measure measures what the state has. */
void
sdc_lossbytea_measure(bytea *packed, SdcLoss *loss)
{
	sdc_lossstate_measure(state_in(packed), loss);
}
