/*-------------------------------------------------------------------------
 *
 * keycursor.c
 *		The keys of a relation that was read, one after the other.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "relation/read/keycursor.h"

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
