/*-------------------------------------------------------------------------
 *
 * keycursor.c
 *		The keys of a relation that was read, one after the other.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "kernel/rank/continued.h"
#include "relation/read/keycursor.h"
#include "utils/lsyscache.h"

/* take reads the key at hand, if there is one. */
static void
take(SdcKeyCursor *cursor)
{
	if (cursor->record < cursor->source->records)
		for (int k = 0; k < cursor->source->key_count; k++)
			(void) sdc_column_next(cursor->reader[k], &cursor->value[k]);
}

/* sdc_keycursor_open: see keycursor.h. */
void
sdc_keycursor_open(SdcKeyCursor *cursor, const SdcSource *source)
{
	cursor->source = source;
	cursor->record = 0;
	cursor->reader = palloc(sizeof(SdcColumnReader *) * source->key_count);
	cursor->value = palloc0(sizeof(Datum) * source->key_count);
	for (int k = 0; k < source->key_count; k++)
		cursor->reader[k] = sdc_column_open(source->attributes[source->key[k]].column);
	take(cursor);
}

/* sdc_keycursor_next: see keycursor.h. */
void
sdc_keycursor_next(SdcKeyCursor *cursor)
{
	cursor->record++;
	take(cursor);
}

/* sdc_keycursor_compare: see keycursor.h. */
int
sdc_keycursor_compare(const SdcKeyCursor *a, const SdcKeyCursor *b)
{
	int			order = 0;

	if (a->record == a->source->records)
		return 1;
	if (b->record == b->source->records)
		return -1;
	for (int k = 0; k < a->source->key_count && order == 0; k++)
	{
		SdcType    *type = &a->source->attributes[a->source->key[k]].type;

		/* most keys are the same, and so is then what is passed by value */
		if (!type->typbyval || a->value[k] != b->value[k])
			order = sdc_type_compare(type, a->value[k], b->value[k]);
	}
	return order;
}

/* sdc_keycursor_close: see keycursor.h. */
void
sdc_keycursor_close(SdcKeyCursor *cursor)
{
	for (int k = 0; k < cursor->source->key_count; k++)
		sdc_column_close(cursor->reader[k]);
}

/* sdc_keycursor_pair: see keycursor.h. */
void
sdc_keycursor_pair(const SdcSource *members, const SdcSource *source, uint32 *of_member)
{
	SdcKeyCursor member;
	SdcKeyCursor record;

	sdc_keycursor_open(&member, members);
	sdc_keycursor_open(&record, source);
	for (; member.record < members->records; sdc_keycursor_next(&member))
	{
		int			order;

		sdc_interrupts_step(member.record);
		while ((order = sdc_keycursor_compare(&record, &member)) < 0)
			sdc_keycursor_next(&record);
		of_member[member.record] = order == 0 ? (uint32) record.record : SDC_CONTINUED_NOBODY;
	}
	sdc_keycursor_close(&member);
	sdc_keycursor_close(&record);
}

/* sdc_keycursor_alike: see keycursor.h. */
bool
sdc_keycursor_alike(const SdcSource *source, const int *index, int count, Oid relid, const List *names)
{
	ListCell   *cell;

	if (list_length(names) != count)
		return false;
	foreach(cell, names)
	{
		const SdcType *type = &source->attributes[index[foreach_current_index(cell)]].type;
		AttrNumber	number = get_attnum(relid, lfirst(cell));
		Oid			typid;
		int32		typmod;
		Oid			collation;

		if (number <= 0)
			return false;
		get_atttypetypmodcoll(relid, number, &typid, &typmod, &collation);
		if (getBaseType(typid) != type->base ||
			sdc_type_order_collation(collation) != sdc_type_order_collation(type->collation))
			return false;
	}
	return true;
}
