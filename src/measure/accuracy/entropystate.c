/*-------------------------------------------------------------------------
 *
 * entropystate.c
 *		States of entropy: the values of an aggregate (bytea) that count other values.
 *
 * A state is a bytea that holds a tally (tally.c) of the forms (canonical.c) of the values,
 * aligned. That of the aggregate that runs is changed in place, until it must grow; a larger one
 * takes its stead then.  Others are copied.  A packed state is as small as can be: the values
 * alone determine its bytes.
 *
 * A bytea from anywhere is looked at as a whole before it is merged, measured or copied.  The state
 * of an aggregate is not, with every row: it can only be somebody's initial value if not ours, and
 * a tally is safe to use whatever its bytes are.
 *
 * Counts are exact and the entropy does not depend on their order.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"
#include "kernel/base/tally.h"
#include "kernel/groups/entropy.h"
#include "measure/accuracy/entropystate.h"
#include "relation/base/compat.h"
#include "relation/base/memory.h"

/* Where the tally is in the bytea: as aligned as the bytea itself. */
#define STATE_OFFSET MAXALIGN(VARHDRSZ)

/* The largest tally that a bytea can hold. */
#define STATE_LIMIT (MaxAllocSize - STATE_OFFSET)

/* A new state has room for so many values, unless they are long. */
#define FIRST_VALUES 4
#define FIRST_LENGTH 1024

/* A value and its count, while equal values are looked for. */
typedef struct Counted
{
	Datum		value;
	uint64		count;
} Counted;

/* state_in is the tally in a bytea. */
static inline SdcTally *
state_in(bytea *datum)
{
	return (SdcTally *) ((char *) datum + STATE_OFFSET);
}

/* state_create makes a bytea with a tally without values, in the current context. */
static bytea *
state_create(const SdcTallyShape *shape, const void *label, uint32 label_length)
{
	bytea	   *datum;

	if (shape->size == 0)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("the distinct values of an aggregate need more than %zu MB",
						MaxAllocSize / (1024 * 1024)),
				 errhint("Count the values with GROUP BY, which can use temporary files, and take the entropy of the counts.")));
	/* zeros: a reader of a state must not find the bytes of before */
	datum = palloc0(STATE_OFFSET + shape->size);
	SET_VARSIZE(datum, STATE_OFFSET + shape->size);
	sdc_tally_init(state_in(datum), shape, label, label_length);
	return datum;
}

/* state_is_usable tells whether a bytea can be worked with where it is. */
static inline bool
state_is_usable(bytea *datum)
{
	return VARATT_IS_4B_U(datum) && PointerIsAligned(datum, uint64) &&
		VARSIZE(datum) >= STATE_OFFSET &&
		sdc_tally_usable(state_in(datum), VARSIZE(datum) - STATE_OFFSET);
}

/* refuse raises the error for what is no state. */
static void
refuse(void)
{
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_BINARY_REPRESENTATION),
			 errmsg("value is not a state of entropy"),
			 errhint("Use a state that sdc_entropy_state of this version has returned.")));
}

/* check_state insists on a state that is one from end to end. */
static void
check_state(bytea *state)
{
	const void *label;
	uint32		length;

	if (!state_is_usable(state) ||
		!sdc_tally_valid(state_in(state), VARSIZE(state) - STATE_OFFSET))
		refuse();
	label = sdc_tally_label(state_in(state), &length);
	if (!sdc_canonical_label_valid(label, length))
		refuse();
}

/* state_copy returns a copy of a state from anywhere. */
static bytea *
state_copy(Datum value)
{
	bytea	   *copy = DatumGetByteaPCopy(value);

	check_state(copy);
	return copy;
}

/* state_to_read returns a state from anywhere that is not changed. */
static bytea *
state_to_read(Datum value)
{
	bytea	   *datum = (bytea *) DatumGetPointer(value);

	if (!state_is_usable(datum))
		return state_copy(value);
	check_state(datum);
	return datum;
}

/* sdc_entropystate_keep is also what the others begin with: the state that may be changed. */
bytea *
sdc_entropystate_keep(const SdcEntropyState *state)
{
	bytea	   *datum = (bytea *) DatumGetPointer(state->value);

	if (state->own && state_is_usable(datum))
		return datum;
	return state_copy(state->value);
}

static bytea *add_all(bytea *state, const SdcTally *other);

/* state_grow returns a larger state with the same values, which has room for one of some length. */
static bytea *
state_grow(bytea *state, uint32 length)
{
	SdcTally   *tally = state_in(state);
	SdcTallyShape shape;
	const void *label;
	uint32		label_length;
	bytea	   *grown;

	label = sdc_tally_label(tally, &label_length);
	sdc_tally_grown(tally, length, STATE_LIMIT, &shape);
	grown = state_create(&shape, label, label_length);
	if (sdc_tally_is_packed(tally))
		return add_all(grown, tally);
	if (!sdc_tally_move(tally, state_in(grown)))
		refuse();
	return grown;
}

/* state_add counts a value, and returns the state or the larger one that takes its place. */
static inline bytea *
state_add(bytea *state, const void *bytes, uint32 length, uint64 count)
{
	SdcTallyResult result = sdc_tally_add(state_in(state), bytes, length, count);

	if (result == SDC_TALLY_FULL)
	{
		state = state_grow(state, length);
		result = sdc_tally_add(state_in(state), bytes, length, count);
	}
	if (result == SDC_TALLY_OVERFLOW)
		ereport(ERROR,
				(errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
				 errmsg("too many values for an entropy")));
	if (result != SDC_TALLY_ADDED)
		refuse();
	return state;
}

/* add_all adds everything in a tally to a state; what it outgrows on the way is freed. */
static bytea *
add_all(bytea *state, const SdcTally *other)
{
	bytea	   *first = state;
	SdcTallyEntry entry;
	uint64		place = 0;
	uint32		steps = 0;

	while (sdc_tally_next(other, &place, &entry))
	{
		bytea	   *next = state_add(state, entry.bytes, entry.length, entry.count);

		if (next != state && state != first)
			pfree(state);
		state = next;
		if (++steps % 1024 == 0)
			CHECK_FOR_INTERRUPTS();
	}
	return state;
}

/* check_label raises the error for a state of values of another type. */
static void
check_label(bytea *state, const void *label, uint32 length)
{
	uint32		own_length;
	const void *own = sdc_tally_label(state_in(state), &own_length);

	if (own_length == length && memcmp(own, label, length) == 0)
		return;
	if (!sdc_canonical_label_valid(own, own_length))
		refuse();
	ereport(ERROR,
			(errcode(ERRCODE_DATATYPE_MISMATCH),
			 errmsg("the entropy of values of type %s cannot be aggregated with that of type %s",
					sdc_canonical_label_text(label), sdc_canonical_label_text(own)),
			 errhint("Cast the values of all states to one type, with one collation.")));
}

/* sdc_entropystate_add makes a state where there is none. */
bytea *
sdc_entropystate_add(const SdcEntropyState *state, SdcCanonicalType *type, Datum value)
{
	SdcCanonical form;
	const void *label;
	uint32		label_length;
	bytea	   *datum;

	label = sdc_canonical_label(type, &label_length);
	sdc_canonical_make(type, value, &form);
	if (state->none)
	{
		SdcTallyShape shape;

		sdc_tally_shape(label_length, form.length > FIRST_LENGTH ? 1 : FIRST_VALUES,
						form.length, STATE_LIMIT, &shape);
		datum = state_create(&shape, label, label_length);
	}
	else
	{
		datum = sdc_entropystate_keep(state);
		check_label(datum, label, label_length);
	}
	return state_add(datum, form.bytes, form.length, 1);
}

/* sdc_entropystate_merge makes a state where there is none. */
bytea *
sdc_entropystate_merge(const SdcEntropyState *state, Datum other)
{
	SdcTally   *tally = state_in(state_to_read(other));
	const void *label;
	uint32		label_length;
	bytea	   *datum;

	label = sdc_tally_label(tally, &label_length);
	if (state->none)
	{
		SdcTallyShape shape;

		sdc_tally_grown(tally, 0, STATE_LIMIT, &shape);
		datum = state_create(&shape, label, label_length);
	}
	else
	{
		datum = sdc_entropystate_keep(state);
		check_label(datum, label, label_length);
	}
	return add_all(datum, tally);
}

/* compare_counted is for qsort_arg. */
static int
compare_counted(const void *a, const void *b, void *type)
{
	CHECK_FOR_INTERRUPTS();
	return sdc_canonical_compare(type, ((const Counted *) a)->value, ((const Counted *) b)->value);
}

/*
 * merge_equal adds up the counts of equal values with different forms, and returns how many values
 * there are then.
 */
static uint64
merge_equal(SdcCanonicalType *type, const SdcTallyEntry *entries, uint64 *count, uint64 values)
{
	MemoryContext work = AllocSetContextCreate(CurrentMemoryContext, "sdc entropy",
											   ALLOCSET_DEFAULT_SIZES);
	MemoryContext old = MemoryContextSwitchTo(work);
	Counted    *counted = sdc_memory_array(values, sizeof(Counted));
	Datum	   *value = sdc_memory_array(values, sizeof(Datum));
	uint64		merged = 0;

	sdc_canonical_values(type, entries, values, value);
	for (uint64 i = 0; i < values; i++)
	{
		counted[i].value = value[i];
		counted[i].count = count[i];
	}
	qsort_arg(counted, values, sizeof(Counted), compare_counted, type);
	for (uint64 i = 0; i < values; i++)
	{
		if (i > 0 && sdc_canonical_compare(type, counted[i - 1].value, counted[i].value) == 0)
			count[merged - 1] += counted[i].count;
		else
			count[merged++] = counted[i].count;
	}
	MemoryContextSwitchTo(old);
	MemoryContextDelete(work);
	return merged;
}

/* label_type returns the type of a label; it is remembered between calls. */
static SdcCanonicalType *
label_type(void **remembered, MemoryContext context, const void *label, uint32 length)
{
	SdcCanonicalType *type = *remembered;
	MemoryContext old;

	if (type != NULL)
	{
		uint32		known_length;
		const void *known = sdc_canonical_label(type, &known_length);

		if (known_length == length && memcmp(known, label, length) == 0)
			return type;
	}
	old = MemoryContextSwitchTo(context);
	*remembered = sdc_canonical_type_of_label(label, length);
	MemoryContextSwitchTo(old);
	return *remembered;
}

/* sdc_entropystate_measure adds up equal values first where forms do not tell. */
bool
sdc_entropystate_measure(Datum value, void **known, MemoryContext context, double *entropy)
{
	SdcTally   *tally = state_in(state_to_read(value));
	uint64		values = sdc_tally_values(tally);
	uint64	   *count = sdc_memory_array(values, sizeof(uint64));
	SdcTallyEntry *entries = NULL;
	SdcTallyEntry entry;
	uint64		place = 0;
	uint32		label_length;
	const void *label = sdc_tally_label(tally, &label_length);

	if (!sdc_canonical_label_exact(label))
		entries = sdc_memory_array(values, sizeof(SdcTallyEntry));
	for (uint64 i = 0; i < values && sdc_tally_next(tally, &place, &entry); i++)
	{
		count[i] = entry.count;
		if (entries != NULL)
			entries[i] = entry;
		if (i % 4096 == 0)
			CHECK_FOR_INTERRUPTS();
	}
	if (entries != NULL && values > 0)
		values = merge_equal(label_type(known, context, label, label_length), entries, count,
							 values);
	*entropy = sdc_entropy_of_counts(count, values);
	sdc_free(count);
	if (entries != NULL)
		sdc_free(entries);
	return values > 0;
}

/* sdc_entropystate_pack copies the tally. */
bytea *
sdc_entropystate_pack(Datum value)
{
	SdcTally   *tally = state_in(state_to_read(value));
	Size		size = STATE_OFFSET + sdc_tally_packed_size(tally);
	bytea	   *packed = palloc0(size);

	SET_VARSIZE(packed, size);
	sdc_tally_pack(tally, state_in(packed));
	return packed;
}
