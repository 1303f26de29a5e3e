/*-------------------------------------------------------------------------
 *
 * missing.c
 *		Values that stand for a missing one: the missing codes of columns.
 *
 * A value is compared with each code of its column, which are few.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "relation/base/memory.h"
#include "relation/catalog/parameters.h"
#include "relation/read/missing.h"
#include "relation/rights/trust.h"
#include "utils/builtins.h"
#include "utils/jsonb.h"
#include "utils/lsyscache.h"

/* A column can have so many codes. */
#define CODES_MOST 100

/* In the place of a number of a code: a value, and one that was not looked at. */
#define NO_CODE (-1)
#define NOT_SEEN (-2)

/* refuse_form raises the error about an argument that is no list of codes for each column. */
static void
refuse_form(void)
{
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("argument \"missing\" must be an object with an array of codes for each column"),
			 errhint("Such as: {\"income\": [-9, -8], \"job\": [\"refused\"]}")));
}

/* refuse_code raises the error about a code that is no value of the type of its column. */
static void
refuse_code(const SdcAttribute *attribute)
{
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("column \"%s\" has a missing code that is no value of its type", NameStr(attribute->name)),
			 errdetail("Its type is %s.", format_type_be(attribute->type.typid)),
			 errhint("Name values of the column in argument \"missing\"; NULL is missing in any case.")));
}

/* sdc_missing_read: what the input function says of a text would show it. */
bool
sdc_missing_read(const SdcAttribute *attribute, char *text, Datum *value)
{
	MemoryContext context = CurrentMemoryContext;
	volatile Datum code = (Datum) 0;
	int32		typmod = attribute->typmod;
	/* that of a domain would run its checks */
	Oid			base = getBaseTypeAndTypmod(attribute->type.typid, &typmod);
	volatile bool bad = false;
	int			nest = sdc_type_pin_settings();
	Oid			input;
	Oid			parameter;

	sdc_trust_require_input(base);
	getTypeInputInfo(base, &input, &parameter);
	PG_TRY();
	{
		code = OidInputFunctionCall(input, text, parameter, typmod);
	}
	PG_CATCH();
	{
		if (ERRCODE_TO_CATEGORY(geterrcode()) != ERRCODE_DATA_EXCEPTION)
			PG_RE_THROW();
		MemoryContextSwitchTo(context);
		FlushErrorState();
		bad = true;
	}
	PG_END_TRY();
	AtEOXact_GUC(true, nest);
	*value = code;
	return !bad;
}

/* find_column returns the attribute whose codes are named; NULL: it is gone since the release was made. */
static SdcAttribute *
find_column(SdcSource *source, const SdcSourceRequest *request, const char *name)
{
	SdcAttribute *attribute;

	if (request->as_registered && get_attnum(source->relid, name) <= 0)
		return NULL;
	attribute = &source->attributes[sdc_source_find_attribute(source, name, "missing")];
	if (attribute->action == SDC_ACTION_KEY || attribute->of_unit || attribute->is_weight)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("column \"%s\" cannot have missing codes", name),
				 errdetail(attribute->is_weight ? "It says how many people a record stands for." :
						   attribute->of_unit ? "It names the unit of a record." : "It is part of the key.")));
	sdc_source_require_order(source, attribute, "compared with missing codes");
	if (attribute->missing == NULL)
	{
		attribute->missing = palloc0(sizeof(SdcMissing));
		attribute->missing->code = palloc(sizeof(Datum) * CODES_MOST);
	}
	return attribute;
}

/* add_code adds a code, unless there is an equal one. */
static void
add_code(SdcAttribute *attribute, const JsonbValue *value)
{
	SdcMissing *missing = attribute->missing;
	char	   *text = sdc_parameters_scalar(value);
	Datum		code = (Datum) 0;

	if (text == NULL || !sdc_missing_read(attribute, text, &code))
		refuse_code(attribute);
	if (sdc_missing_which(attribute, code) >= 0)
		return;
	if (missing->count == CODES_MOST)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("column \"%s\" can have at most %d missing codes", NameStr(attribute->name), CODES_MOST)));
	missing->code[missing->count++] = code;
}

/* sdc_missing_plan: see missing.h. */
void
sdc_missing_plan(SdcSource *source, const SdcSourceRequest *request)
{
	JsonbIterator *iterator;
	JsonbIteratorToken token;
	JsonbValue	value;
	Jsonb	   *json;
	int			objects = 0;
	int			arrays = 0;
	SdcAttribute *attribute = NULL;

	if (request->missing == NULL)
		return;
	json = DatumGetJsonbP(DirectFunctionCall1(jsonb_in, CStringGetDatum(request->missing)));
	if (!JB_ROOT_IS_OBJECT(json))
		refuse_form();
	iterator = JsonbIteratorInit(&json->root);
	while ((token = JsonbIteratorNext(&iterator, &value, false)) != WJB_DONE)
	{
		objects += token == WJB_BEGIN_OBJECT;
		arrays += token == WJB_BEGIN_ARRAY ? 1 : token == WJB_END_ARRAY ? -1 : 0;
		if (objects > 1 || arrays > 1 || token == WJB_VALUE)
			refuse_form();
		if (token == WJB_KEY)
			attribute = find_column(source, request, pnstrdup(value.val.string.val, value.val.string.len));
		else if (token == WJB_ELEM && attribute != NULL)
			add_code(attribute, &value);
	}
	for (int i = 0; i < source->attribute_count; i++)
		if (source->attributes[i].missing != NULL && source->attributes[i].missing->count == 0)
			source->attributes[i].missing = NULL;
}

/* sdc_missing_which: see missing.h. */
int
sdc_missing_which(SdcAttribute *attribute, Datum value)
{
	const SdcMissing *missing = attribute->missing;

	for (int i = 0; missing != NULL && i < missing->count; i++)
		if (sdc_type_equal(&attribute->type, missing->code[i], value))
			return i;
	return NO_CODE;
}

/* A walk over the values of a column. */
typedef struct Walk
{
	SdcColumnReader *reader;
	MemoryContext scratch;		/* of comparisons */
} Walk;

/* walk_begin begins at the first record. */
static void
walk_begin(Walk *walk, SdcColumn *column)
{
	walk->reader = sdc_column_open(column);
	walk->scratch = AllocSetContextCreate(CurrentMemoryContext, "sdc missing codes", ALLOCSET_SMALL_SIZES);
}

/* walk_end ends it. */
static void
walk_end(Walk *walk)
{
	sdc_column_close(walk->reader);
	MemoryContextDelete(walk->scratch);
}

/* walk_which is sdc_missing_which, in the scratch context. */
static int
walk_which(Walk *walk, SdcAttribute *attribute, Datum value)
{
	MemoryContext before = MemoryContextSwitchTo(walk->scratch);
	int			which = sdc_missing_which(attribute, value);

	MemoryContextSwitchTo(before);
	MemoryContextReset(walk->scratch);
	return which;
}

/* sdc_missing_blank: see missing.h. */
SdcColumn *
sdc_missing_blank(SdcAttribute *attribute, SdcColumn *column, SdcSpool *spool, SdcColumn **codes)
{
	uint64		records = sdc_column_count(column);
	SdcColumn  *blank = sdc_column_create(spool, sdc_column_type(column));
	Walk		walk;

	Assert(attribute->dictionary == NULL);
	if (codes != NULL)
		*codes = sdc_column_create(spool, sdc_column_type(column));
	walk_begin(&walk, column);
	for (uint64 r = 0; r < records; r++)
	{
		Datum		value;
		bool		valid = sdc_column_next(walk.reader, &value);
		bool		coded = valid && walk_which(&walk, attribute, value) != NO_CODE;

		sdc_interrupts_step(r);
		sdc_column_append(blank, value, !valid || coded);
		if (codes != NULL)
			sdc_column_append(*codes, value, !coded);
	}
	walk_end(&walk);
	sdc_column_finish(blank);
	if (codes != NULL)
		sdc_column_finish(*codes);
	return blank;
}

/* sdc_missing_take: see missing.h. */
void
sdc_missing_take(SdcAttribute *attribute, SdcSpool *spool, bool kept)
{
	SdcColumn  *blank = sdc_missing_blank(attribute, attribute->column, spool, &attribute->coded);

	if (kept)
	{
		sdc_column_keep(blank);
		sdc_column_keep(attribute->coded);
	}
	sdc_column_destroy(attribute->column);
	attribute->column = blank;
}

/* sdc_missing_put_back: see missing.h. */
void
sdc_missing_put_back(SdcAttribute *attribute, SdcSpool *spool)
{
	SdcColumn  *column;
	SdcColumnReader *values;
	SdcColumnReader *codes;
	uint64		records;

	if (attribute->coded == NULL)
		return;
	records = sdc_column_count(attribute->column);
	attribute->coded_records = sdc_column_count(attribute->coded) - sdc_column_null_count(attribute->coded);
	column = sdc_column_create(spool, sdc_column_type(attribute->column));
	values = sdc_column_open(attribute->column);
	codes = sdc_column_open(attribute->coded);
	for (uint64 r = 0; r < records; r++)
	{
		Datum		value;
		Datum		code;
		bool		valid = sdc_column_next(values, &value);
		bool		coded = sdc_column_next(codes, &code);

		sdc_interrupts_step(r);
		sdc_column_append(column, valid ? value : code, !valid && !coded);
	}
	sdc_column_close(codes);
	sdc_column_close(values);
	sdc_column_finish(column);
	sdc_column_destroy(attribute->coded);
	sdc_column_destroy(attribute->column);
	attribute->coded = NULL;
	attribute->column = column;
}

/* sdc_missing_count: see missing.h. */
void
sdc_missing_count(SdcAttribute *attribute)
{
	uint64		records = sdc_column_count(attribute->column);
	Walk		walk;

	attribute->coded_records = 0;
	walk_begin(&walk, attribute->column);
	for (uint64 r = 0; r < records; r++)
	{
		Datum		value;

		sdc_interrupts_step(r);
		if (sdc_column_next(walk.reader, &value))
			attribute->coded_records += walk_which(&walk, attribute, value) != NO_CODE;
	}
	walk_end(&walk);
}

/* sdc_missing_source: see missing.h. */
SdcSource *
sdc_missing_source(SdcSource *source, SdcSpool *spool)
{
	SdcSource  *copy = source;

	for (int i = 0; i < source->attribute_count; i++)
	{
		SdcAttribute *attribute = &source->attributes[i];

		if (attribute->missing == NULL || attribute->column == NULL)
			continue;
		if (copy == source)
			copy = sdc_source_copy(source, 0);
		copy->attributes[i].column = sdc_missing_blank(attribute, attribute->column, spool, NULL);
	}
	return copy;
}

/* sdc_missing_last: see missing.h. */
void
sdc_missing_last(SdcAttribute *attribute, const SdcDictionary *dictionary, SdcDictionaryCodes *coding)
{
	const SdcMissing *missing = attribute->missing;
	uint32		code[CODES_MOST];	/* of each missing code, if a record has it */
	uint32		values = 0;
	uint32		next;
	uint32	   *after;			/* of each code, what it becomes */
	uint32	   *number;

	if (missing == NULL)
		return;
	for (int i = 0; i < missing->count; i++)
		code[i] = SDC_CODE_NULL;
	after = sdc_memory_array(coding->codes, sizeof(uint32));
	number = sdc_memory_array(coding->codes, sizeof(uint32));
	for (uint32 c = 0; c < coding->codes; c++)
	{
		int			which = sdc_missing_which(attribute, sdc_dictionary_value(dictionary, coding->number[c]));

		sdc_interrupts_step(c);
		if (which == NO_CODE)
			after[c] = values++;
		else
			code[which] = c;
	}
	next = values;
	for (int i = 0; i < missing->count; i++)
		if (code[i] != SDC_CODE_NULL)
			after[code[i]] = next++;
	for (uint32 c = 0; c < coding->codes; c++)
	{
		sdc_interrupts_step(c);
		number[after[c]] = coding->number[c];
	}
	for (uint32 i = 0; i < sdc_dictionary_count(dictionary); i++)
	{
		sdc_interrupts_step(i);
		coding->code[i] = after[coding->code[i]];
	}
	sdc_free(coding->number);
	coding->number = number;
	sdc_free(after);
	coding->values = values;
}

/* sdc_missing_flags: see missing.h. */
bool *
sdc_missing_flags(SdcAttribute *attribute, const SdcDictionary *dictionary, const SdcDictionaryCodes *coding)
{
	bool	   *coded;

	if (attribute->missing == NULL)
		return NULL;
	coded = sdc_memory_array(coding->codes, sizeof(bool));
	for (uint32 c = 0; c < coding->codes; c++)
	{
		sdc_interrupts_step(c);
		coded[c] = sdc_missing_which(attribute, sdc_dictionary_value(dictionary, coding->number[c])) != NO_CODE;
	}
	return coded;
}

/* look_at notes which values of a column are codes, by the codes that these have in common with another column. */
static void
look_at(SdcAttribute *attribute, SdcColumn *column, const uint32 *code, uint64 records, int *which)
{
	Walk		walk;

	walk_begin(&walk, column);
	for (uint64 r = 0; r < records; r++)
	{
		Datum		value;

		sdc_interrupts_step(r);
		if (sdc_column_next(walk.reader, &value) && which[code[r]] == NOT_SEEN)
			which[code[r]] = walk_which(&walk, attribute, value);
	}
	walk_end(&walk);
}

/* find_codes finds which of the common codes of two columns are missing codes. */
static int *
find_codes(SdcAttribute *attribute, SdcColumn *original, SdcColumn *protected, uint64 records,
		   const SdcPairColumn *pair)
{
	int		   *which = sdc_memory_array(pair->codes, sizeof(int));

	for (uint32 c = 0; c < pair->codes; c++)
		which[c] = NOT_SEEN;
	look_at(attribute, original, pair->original, records, which);
	look_at(attribute, protected, pair->protected, records, which);
	return which;
}

/* map_codes returns what the codes of records become. */
static uint32 *
map_codes(const uint32 *code, uint64 records, const uint32 *after)
{
	uint32	   *mapped = sdc_memory_array(records, sizeof(uint32));

	for (uint64 r = 0; r < records; r++)
	{
		sdc_interrupts_step(r);
		mapped[r] = code[r] == SDC_CODE_NULL ? SDC_CODE_NULL : after[code[r]];
	}
	return mapped;
}

/* sdc_missing_apart: see missing.h. */
void
sdc_missing_apart(SdcAttribute *attribute, SdcColumn *original, SdcColumn *protected, uint64 records,
				  SdcPairColumn *pair, SdcPairColumn *state)
{
	int		   *which = find_codes(attribute, original, protected, records, pair);
	uint32	   *after = sdc_memory_array(pair->codes, sizeof(uint32));
	uint32	   *stands = sdc_memory_array(pair->codes, sizeof(uint32));
	double	   *value = pair->value == NULL ? NULL : sdc_memory_array(pair->codes, sizeof(double));
	SdcPairColumn before = *pair;

	pair->codes = 0;
	for (uint32 c = 0; c < before.codes; c++)
	{
		bool		coded = which[c] >= 0;

		stands[c] = coded ? (uint32) which[c] : SDC_CODE_NULL;
		after[c] = coded ? SDC_CODE_NULL : pair->codes;
		if (!coded && value != NULL)
			value[pair->codes] = before.value[c];
		pair->codes += !coded;
	}
	pair->value = value;
	pair->original = map_codes(before.original, records, after);
	pair->protected = map_codes(before.protected, records, after);
	*state = (SdcPairColumn) {map_codes(before.original, records, stands),
	map_codes(before.protected, records, stands), (uint32) attribute->missing->count, NULL};
	sdc_free(stands);
	sdc_free(after);
	sdc_free(which);
}

/* sdc_missing_no_numbers: see missing.h. */
void
sdc_missing_no_numbers(SdcAttribute *attribute, SdcColumn *original, SdcColumn *protected, uint64 records,
					   SdcPairColumn *pair)
{
	int		   *which;
	double	   *value;

	if (pair->value == NULL)
		return;
	which = find_codes(attribute, original, protected, records, pair);
	value = sdc_memory_array(pair->codes, sizeof(double));
	for (uint32 c = 0; c < pair->codes; c++)
		value[c] = which[c] >= 0 ? NAN : pair->value[c];
	pair->value = value;
	sdc_free(which);
}
