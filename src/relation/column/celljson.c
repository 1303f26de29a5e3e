/*-------------------------------------------------------------------------
 *
 * celljson.c
 *		The values that the records of a cell agree in, as jsonb.
 *
 * As in itemsets every value is a string: the number of a column of text and that of a column of numbers look alike,
 * and no function of a type's owner makes JSON of its values.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"
#include "relation/column/celljson.h"
#include "relation/column/types.h"
#include "utils/guc.h"
#include "utils/jsonb.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"

struct SdcCellJson
{
	int			columns;
	const char **name;
	FmgrInfo   *output;
	MemoryContext scratch;		/* of the object at hand */
};

/* sdc_celljson_create: see celljson.h. */
SdcCellJson *
sdc_celljson_create(const List *names, const Oid *types)
{
	SdcCellJson *json = palloc0(sizeof(SdcCellJson));
	ListCell   *cell;

	json->scratch = AllocSetContextCreate(CurrentMemoryContext, "sdc cell", ALLOCSET_SMALL_SIZES);
	json->name = palloc(sizeof(char *) * Max(list_length(names), 1));
	json->output = palloc(sizeof(FmgrInfo) * Max(list_length(names), 1));
	foreach(cell, names)
	{
		Oid			output;
		bool		varlena;

		getTypeOutputInfo(types[json->columns], &output, &varlena);
		fmgr_info(output, &json->output[json->columns]);
		json->name[json->columns++] = lfirst(cell);
	}
	return json;
}

/* sdc_celljson_types: see celljson.h. */
Oid *
sdc_celljson_types(Oid relid, const List *names)
{
	Oid		   *types = palloc(sizeof(Oid) * Max(list_length(names), 1));
	ListCell   *cell;

	foreach(cell, names)
		types[foreach_current_index(cell)] = get_atttype(relid, get_attnum(relid, lfirst(cell)));
	return types;
}

/* push_text adds a string to an object. */
static void
push_text(JsonbParseState **state, JsonbIteratorToken token, const char *text)
{
	JsonbValue	value = {.type = jbvNull};

	if (text != NULL)
	{
		value.type = jbvString;
		value.val.string.val = unconstify(char *, text);
		value.val.string.len = (int) strlen(text);
	}
	(void) pushJsonbValue(state, token, &value);
}

/* sdc_celljson_build: see celljson.h. */
Datum
sdc_celljson_build(SdcCellJson *json, const Datum *values, const bool *nulls)
{
	JsonbParseState *state = NULL;
	JsonbValue *object;
	Datum		result;
	int			nest = sdc_type_pin_settings();
	MemoryContext old;

	MemoryContextReset(json->scratch);
	old = MemoryContextSwitchTo(json->scratch);
	(void) pushJsonbValue(&state, WJB_BEGIN_OBJECT, NULL);
	for (int i = 0; i < json->columns; i++)
	{
		push_text(&state, WJB_KEY, json->name[i]);
		push_text(&state, WJB_VALUE, nulls[i] ? NULL : OutputFunctionCall(&json->output[i], values[i]));
	}
	object = pushJsonbValue(&state, WJB_END_OBJECT, NULL);
	result = JsonbPGetDatum(JsonbValueToJsonb(object));
	MemoryContextSwitchTo(old);
	AtEOXact_GUC(true, nest);
	return result;
}
