/*-------------------------------------------------------------------------
 *
 * recordkeys.c
 *		The keys of the records of a relation, as text.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "lib/stringinfo.h"
#include "relation/base/memory.h"
#include "relation/read/recordkeys.h"
#include "utils/lsyscache.h"

/* load_columns loads some columns of a relation, indexes in its attributes. */
static void
load_columns(SdcRecordKeys *keys, SdcSource *source, const int *column, int count)
{
	keys->count = count;
	keys->value = palloc(sizeof(Datum *) * Max(count, 1));
	keys->output = palloc(sizeof(FmgrInfo) * Max(count, 1));
	for (int i = 0; i < count; i++)
	{
		SdcAttribute *attribute = &source->attributes[column[i]];
		Oid			output;
		bool		varlena;

		getTypeOutputInfo(attribute->type.typid, &output, &varlena);
		fmgr_info(output, &keys->output[i]);
		keys->value[i] = sdc_column_load(attribute->column,
										 sdc_memory_array(sdc_column_loaded_size(attribute->column),
														  1));
	}
}

/* sdc_recordkeys_load: see recordkeys.h. */
void
sdc_recordkeys_load(SdcRecordKeys *keys, SdcSource *source)
{
	load_columns(keys, source, source->key, source->key_count);
}

/* sdc_recordkeys_load_units: see recordkeys.h. */
void
sdc_recordkeys_load_units(SdcRecordKeys *keys, SdcSource *source)
{
	load_columns(keys, source, source->unit, source->unit_count);
}

/* append_quoted appends one column of a key as in the text of a row. */
static void
append_quoted(StringInfo text, const char *value)
{
	bool		quote = value[0] == '\0' || strpbrk(value, "\"\\(), \t\n\r\v\f") != NULL;

	if (quote)
		appendStringInfoChar(text, '"');
	for (const char *c = value; *c != '\0'; c++)
	{
		if (*c == '"' || *c == '\\')
			appendStringInfoChar(text, *c);
		appendStringInfoChar(text, *c);
	}
	if (quote)
		appendStringInfoChar(text, '"');
}

/* sdc_recordkeys_text: see recordkeys.h. */
char *
sdc_recordkeys_text(SdcRecordKeys *keys, uint32 record)
{
	StringInfoData text;

	if (keys->count == 0)
		return psprintf("%u", record + 1);
	if (keys->count == 1)
		return OutputFunctionCall(&keys->output[0], keys->value[0][record]);
	initStringInfo(&text);
	for (int i = 0; i < keys->count; i++)
	{
		appendStringInfoChar(&text, i == 0 ? '(' : ',');
		append_quoted(&text, OutputFunctionCall(&keys->output[i], keys->value[i][record]));
	}
	appendStringInfoChar(&text, ')');
	return text.data;
}
