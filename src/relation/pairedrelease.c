/*-------------------------------------------------------------------------
 *
 * pairedrelease.c
 *		A release and its source, read and paired by key.
 *
 * Memory: the codes and numbers of all attributes (encode.c), 16 bytes a value and up to 24
 * where the release has values that the source does not have, and whatever the
 * caller's kernels need; all is asked of the budget before a row is read.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "relation/memory.h"
#include "relation/openrelease.h"
#include "relation/pairedrelease.h"
#include "relation/progress.h"
#include "relation/spi.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"

/* A pairing while its relations are read. */
typedef struct Reading
{
	SdcPairing *pairing;
	const SdcPairingRequest *request;
	SdcOpening *opening;
	SdcSource  *source;
	SdcSource  *release;
} Reading;

/* find_protected returns the protected attribute of a relation with a name. */
static SdcAttribute *
find_protected(SdcSource *source, const char *name)
{
	for (int i = 0; i < source->attribute_count; i++)
		if (source->attributes[i].action == SDC_ACTION_PROTECTED &&
			strcmp(NameStr(source->attributes[i].name), name) == 0)
			return &source->attributes[i];
	return NULL;
}

/* check_types insists that both relations have the attributes, with the same types. */
static void
check_types(SdcOpening *opening)
{
	bool		same = true;

	/* without a key the release numbers the records, if sdc made it */
	Assert(opening->release->key_count ==
		   Max(opening->source->key_count, opening->row.made ? 1 : 0));
	for (int i = 0; i < opening->source->attribute_count && same; i++)
	{
		SdcAttribute *attribute = &opening->source->attributes[i];
		SdcAttribute *other = find_protected(opening->release, NameStr(attribute->name));

		if (attribute->action == SDC_ACTION_PROTECTED)
			same = other != NULL && other->type.typid == attribute->type.typid;
	}
	for (int i = 0; i < opening->source->key_count && same; i++)
		same = opening->source->attributes[opening->source->key[i]].type.base ==
			opening->release->attributes[opening->release->key[i]].type.base;
	if (!same)
		sdc_opening_refuse(psprintf("a column of release \"%s\" does not have the type that it has in its source",
						opening->name));
}

/* encode_attributes gives the protected attributes their codes. */
static void
encode_attributes(Reading *reading)
{
	SdcPairing *pairing = reading->pairing;
	SdcPairColumn *columns = palloc0(sizeof(SdcPairColumn) * reading->source->protected_count);
	SdcArena	arena = {0};
	int			count = 0;

	pairing->attribute = palloc(sizeof(char *) * reading->source->protected_count);
	pairing->kind = palloc(sizeof(SdcValueKind) * reading->source->protected_count);
	for (int i = 0; i < reading->source->attribute_count; i++)
	{
		SdcAttribute *attribute = &reading->source->attributes[i];
		SdcAttribute *other;

		if (attribute->action != SDC_ACTION_PROTECTED)
			continue;
		other = find_protected(reading->release, NameStr(attribute->name));
		sdc_memory_require(pairing->memory +
						   sdc_encode_memory(attribute->column, other->column, &attribute->type),
						   "evaluating a release");
		sdc_encode_columns(attribute->column, other->column, &attribute->type, &arena,
						   &columns[count]);
		pairing->memory += (uint64) columns[count].codes *
			(columns[count].value == NULL ? 0 : sizeof(double)) +
			2 * reading->source->records * sizeof(uint32);
		pairing->attribute[count] = pstrdup(NameStr(attribute->name));
		pairing->kind[count++] = sdc_encode_kind(&attribute->type);
		sdc_column_destroy(attribute->column);
		sdc_column_destroy(other->column);
		sdc_progress_attributes(count);
	}
	sdc_arena_free(&arena);
	pairing->pairs.records = (uint32) reading->source->records;
	pairing->pairs.attributes = count;
	pairing->pairs.column = columns;
}

/* keep_keys loads the keys of the source, for their text. */
static void
keep_keys(Reading *reading)
{
	SdcPairing *pairing = reading->pairing;
	SdcSource  *source = reading->source;
	uint64		bytes = 0;

	for (int i = 0; i < source->key_count; i++)
		bytes += sdc_column_loaded_size(source->attributes[source->key[i]].column);
	pairing->memory += bytes;
	sdc_memory_require(pairing->memory, "evaluating a release");
	pairing->key_count = source->key_count;
	pairing->key = palloc(sizeof(Datum *) * Max(source->key_count, 1));
	pairing->key_output = palloc(sizeof(FmgrInfo) * Max(source->key_count, 1));
	for (int i = 0; i < source->key_count; i++)
	{
		SdcAttribute *attribute = &source->attributes[source->key[i]];
		Oid			output;
		bool		varlena;

		getTypeOutputInfo(attribute->type.typid, &output, &varlena);
		fmgr_info(output, &pairing->key_output[i]);
		pairing->key[i] = sdc_column_load(attribute->column,
										  sdc_memory_array(sdc_column_loaded_size(attribute->column), 1));
	}
}

/*
 * require_memory asks the budget for what the catalog's number of records will take: a
 * column's number of distinct values is not known yet, and all values distinct is the
 * usual case.
 */
static void
require_memory(void *arg, const SdcReleaseRow *row)
{
	const SdcPairingRequest *request = ((Reading *) arg)->request;
	int			attributes = list_length(row->columns);
	uint64		needed = row->records * attributes * (2 * sizeof(uint32) + sizeof(double));
	uint64		extra = 0;

	if (request->keys)
		needed += row->records * sizeof(Datum) * Max(list_length(row->key), 1);
	if (request->extra != NULL)
		extra = request->extra(row->records, attributes);
	sdc_memory_require(needed + Max(extra, sdc_encode_expected_memory(row->records)),
					   "evaluating a release");
}

/* sdc_pairing_load reads and pairs a release and its source. */
SdcPairing *
sdc_pairing_load(const SdcPairingRequest *request)
{
	MemoryContext context = CurrentMemoryContext;
	MemoryContext work;
	SdcPairing *pairing = palloc0(sizeof(SdcPairing));
	Reading		reading = {pairing, request, NULL, NULL, NULL};
	SdcOpening *opening;

	opening = sdc_opening_find(request->catalog_schema, request->release, request->unnamed);
	reading.opening = opening;
	pairing->row = opening->row;
	pairing->name = opening->name;
	sdc_opening_check_values(opening);
	sdc_spi_connect();
	work = AllocSetContextCreate(context, "sdc pairing", ALLOCSET_DEFAULT_SIZES);
	MemoryContextSwitchTo(work);
	sdc_opening_plan(opening, NIL, opening->row.columns, NIL);
	check_types(opening);
	sdc_opening_read(opening, require_memory, &reading);
	reading.source = opening->source;
	reading.release = opening->release;
	MemoryContextSwitchTo(context);
	if (request->keys)
		keep_keys(&reading);
	encode_attributes(&reading);
	sdc_opening_close(opening);
	MemoryContextDelete(work);
	sdc_spi_finish();
	return pairing;
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

/*
 * sdc_pairing_key returns the key of a record as text: that of the column, of a row
 * of several columns, or the number of the record.
 */
char *
sdc_pairing_key(SdcPairing *pairing, uint32 record)
{
	StringInfoData text;

	if (pairing->key_count == 0)
		return psprintf("%u", record + 1);
	if (pairing->key_count == 1)
		return OutputFunctionCall(&pairing->key_output[0], pairing->key[0][record]);
	initStringInfo(&text);
	for (int i = 0; i < pairing->key_count; i++)
	{
		appendStringInfoChar(&text, i == 0 ? '(' : ',');
		append_quoted(&text, OutputFunctionCall(&pairing->key_output[i], pairing->key[i][record]));
	}
	appendStringInfoChar(&text, ')');
	return text.data;
}

/* find_known returns the index of a named protected attribute. */
static int
find_known(const SdcPairing *pairing, const char *name)
{
	StringInfoData list;

	for (int i = 0; i < pairing->pairs.attributes; i++)
		if (strcmp(pairing->attribute[i], name) == 0)
			return i;
	initStringInfo(&list);
	for (int i = 0; i < pairing->pairs.attributes; i++)
		sdc_spi_append_name(&list, pairing->attribute[i], i == 0);
	ereport(ERROR,
			(errcode(ERRCODE_UNDEFINED_COLUMN),
			 errmsg("column \"%s\" is not a protected column of release \"%s\"", name, pairing->name),
			 errdetail("It is named in argument \"known\"."),
			 errhint("The protected columns are %s.", list.data)));
	return -1;					/* not reached */
}

/* compare_ints is for qsort. */
static int
compare_ints(const void *a, const void *b)
{
	return *(const int *) a - *(const int *) b;
}

/*
 * sdc_pairing_known returns the indexes of the attributes that the intruder knows, ascending: in
 * which order he names them must not matter, not even to the last bit.
 */
int *
sdc_pairing_known(const SdcPairing *pairing, bool given, List *names, int *count)
{
	int		   *known = palloc(sizeof(int) * Max(pairing->pairs.attributes, 1));
	ListCell   *cell;

	*count = 0;
	if (!given)
	{
		while (*count < pairing->pairs.attributes)
		{
			known[*count] = *count;
			(*count)++;
		}
		return known;
	}
	if (names == NIL)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("argument \"known\" must name at least one column"),
				 errhint("Leave the argument out for all protected columns.")));
	foreach(cell, names)
		known[(*count)++] = find_known(pairing, lfirst(cell));
	qsort(known, *count, sizeof(int), compare_ints);
	return known;
}
