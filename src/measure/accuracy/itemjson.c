/*-------------------------------------------------------------------------
 *
 * itemjson.c
 *		Combinations of values as jsonb.
 *
 * There can be hundreds of thousands of itemsets, and their items are the same all over again.  So
 * the text of every item is made once, and the binary form of jsonb, which is a heap format
 * that does not change (utils/jsonb.h), is put together from the parts: for an object the
 * entries of its keys, in ascending order of length and bytes, then those of the values, then the
 * bytes of all of them.  All are strings.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"
#include "measure/accuracy/itemjson.h"
#include "relation/base/memory.h"
#include "utils/guc.h"
#include "utils/jsonb.h"
#include "utils/lsyscache.h"

/* A string of the result. */
typedef struct Part
{
	const char *bytes;
	uint32		length;
} Part;

/* One attribute: its name and its values. */
typedef struct Attribute
{
	Part		name;
	FmgrInfo	output;
	Part	   *value;			/* by code; bytes NULL: not made yet */
} Attribute;

struct SdcItemJson
{
	const SdcCodedTable *table;
	MemoryContext context;		/* of the texts */
	MemoryContext one;			/* of the one that is made */
	SdcKept		kept;			/* the texts */
	int			nest;			/* of the settings */
	Attribute  *attribute;
	const SdcItem **sorted;		/* the items at hand in the order of their keys */
	char	   *buffer[2];
	Size		space[2];
};

/* sdc_itemjson_create prepares the items of a table. */
SdcItemJson *
sdc_itemjson_create(const SdcCodedTable *table)
{
	SdcItemJson *json = palloc0(sizeof(SdcItemJson));

	json->table = table;
	json->context = CurrentMemoryContext;
	json->one = AllocSetContextCreate(json->context, "sdc item", ALLOCSET_SMALL_SIZES);
	json->nest = sdc_type_pin_settings();
	json->attribute = palloc0(sizeof(Attribute) * table->coded.attributes);
	json->sorted = palloc(sizeof(SdcItem *) * table->coded.attributes);
	for (int i = 0; i < table->coded.attributes; i++)
	{
		const SdcCodedTableColumn *column = &table->column[i];
		Oid			output;
		bool		varlena;

		json->attribute[i].name.bytes = column->name;
		json->attribute[i].name.length = (uint32) strlen(column->name);
		getTypeOutputInfo(column->type.typid, &output, &varlena);
		fmgr_info(output, &json->attribute[i].output);
		json->attribute[i].value =
			sdc_memory_array_in(json->context, column->coding.codes, sizeof(Part));
		memset(json->attribute[i].value, 0, column->coding.codes * sizeof(Part));
	}
	return json;
}

/* sdc_itemjson_destroy gives the settings back; the memory goes with its context. */
void
sdc_itemjson_destroy(SdcItemJson *json)
{
	AtEOXact_GUC(true, json->nest);
}

/* item_value returns the text of an item's value. */
static const Part *
item_value(SdcItemJson *json, const SdcItem *item)
{
	Part	   *part = &json->attribute[item->attribute].value[item->code];

	if (part->bytes == NULL)
	{
		MemoryContext old = MemoryContextSwitchTo(json->one);
		const char *text = OutputFunctionCall(&json->attribute[item->attribute].output,
											  sdc_codedtable_value(json->table, item->attribute, item->code));

		part->length = (uint32) strlen(text);
		MemoryContextSwitchTo(json->context);
		part->bytes = sdc_memory_keep(&json->kept, text, (Size) part->length + 1);
		MemoryContextReset(json->one);
		MemoryContextSwitchTo(old);
	}
	return part;
}

/* compare_names is the order of keys in jsonb. */
static int
compare_names(const Part *a, const Part *b)
{
	if (a->length != b->length)
		return a->length < b->length ? -1 : 1;
	return memcmp(a->bytes, b->bytes, a->length);
}

/* sort_items puts the items into the order of their keys. */
static void
sort_items(SdcItemJson *json, const SdcItem *item, int items)
{
	for (int i = 0; i < items; i++)
	{
		const Part *name = &json->attribute[item[i].attribute].name;
		int			place = i;

		for (; place > 0; place--)
		{
			const SdcItem *before = json->sorted[place - 1];

			if (compare_names(&json->attribute[before->attribute].name, name) <= 0)
				break;
			json->sorted[place] = before;
		}
		json->sorted[place] = &item[i];
	}
}

/* append_part appends a string: its entry, which is number i, and its bytes. */
static void
append_part(const Part *part, int i, JEntry *entry, char *data, Size *length)
{
	memcpy(data + *length, part->bytes, part->length);
	*length += part->length;
	if (*length > JENTRY_OFFLENMASK)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("a combination of values is too large for jsonb")));
	entry[i] = JENTRY_ISSTRING |
		(i % JB_OFFSET_STRIDE == 0 ? JENTRY_HAS_OFF | (uint32) *length : part->length);
}

/* sdc_itemjson_build returns the object of some items. */
Datum
sdc_itemjson_build(SdcItemJson *json, int place, const SdcItem *item, int items)
{
	Size		head = VARHDRSZ + sizeof(uint32) + 2 * items * sizeof(JEntry);
	Size		size = head;
	Size		length = 0;
	uint32	   *header;
	JEntry	   *entry;
	char	   *data;

	for (int i = 0; i < items; i++)
		size += json->attribute[item[i].attribute].name.length + item_value(json, &item[i])->length;
	if (size > json->space[place])
	{
		if (json->buffer[place] != NULL)
			pfree(json->buffer[place]);
		json->space[place] = Max(2 * size, 1024);
		json->buffer[place] = MemoryContextAllocHuge(json->context, json->space[place]);
	}
	sort_items(json, item, items);
	header = (uint32 *) (json->buffer[place] + VARHDRSZ);
	entry = (JEntry *) (header + 1);
	data = json->buffer[place] + head;
	*header = (uint32) items | JB_FOBJECT;
	for (int i = 0; i < items; i++)
		append_part(&json->attribute[json->sorted[i]->attribute].name, i, entry, data, &length);
	for (int i = 0; i < items; i++)
		append_part(item_value(json, json->sorted[i]), items + i, entry, data, &length);
	SET_VARSIZE(json->buffer[place], head + length);
	return PointerGetDatum(json->buffer[place]);
}
