/*-------------------------------------------------------------------------
 *
 * verifyrecord.c
 *		What somebody finds of himself in a release, who has nothing but his record.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/relation.h"
#include "measure/attack/verifyrecord.h"
#include "relation/base/memory.h"
#include "relation/base/progress.h"
#include "relation/catalog/parameters.h"
#include "relation/column/paircodes.h"
#include "relation/read/codedtable.h"
#include "relation/rights/trust.h"
#include "utils/builtins.h"
#include "utils/jsonb.h"
#include "utils/lsyscache.h"
#include "utils/numeric.h"
#include "utils/typcache.h"

#define RECORD_HINT "It is an object of values by column, such as {\"age\": 39, \"city\": \"Ghent\"}."

/* A value of the record. */
typedef struct OwnValue
{
	AttrNumber	number;
	char	   *name;
	bool		isnull;
	Datum		value;
} OwnValue;

/* The record. */
typedef struct OwnRecord
{
	int			count;
	OwnValue   *value;			/* in the order of the relation's columns */
} OwnRecord;

/* value_text returns the text of a value of a JSON object, or NULL. */
static char *
value_text(const JsonbValue *value)
{
	char	   *text = sdc_parameters_scalar(value);

	if (text == NULL && value->type != jbvNull)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("argument \"record\" has a value that is not a string, number, boolean or null"),
				 errhint(RECORD_HINT)));
	return text;
}

/* check_type insists on values that have ranks: ranges and sets stand for several. */
static void
check_type(Oid relid, const char *name, Oid base)
{
	if (OidIsValid(get_element_type(base)) || type_is_range(base) || type_is_multirange(base))
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("column \"%s\" of relation \"%s\" has ranges or sets in the place of values",
						name, get_rel_name(relid)),
				 errhint("Leave the column out: only values have ranks.")));
}

/* read_value makes a value of a member of the object. */
static void
read_value(Oid relid, char *name, const JsonbValue *value, OwnValue *own)
{
	char	   *text = value_text(value);
	Oid			typid;
	Oid			input;
	Oid			parameter;

	own->name = name;
	own->number = sdc_source_find_column(relid, own->name, "record");
	typid = getBaseType(get_atttype(relid, own->number));
	check_type(relid, own->name, typid);
	own->isnull = text == NULL;
	if (own->isnull)
		return;
	/* that of a domain would run its checks */
	sdc_trust_require_input(typid);
	getTypeInputInfo(typid, &input, &parameter);
	own->value = OidInputFunctionCall(input, text, parameter, -1);
}

/* compare_values is for qsort. */
static int
compare_values(const void *a, const void *b)
{
	return ((const OwnValue *) a)->number - ((const OwnValue *) b)->number;
}

/* read_record reads the object. */
static void
read_record(Oid relid, Datum record, OwnRecord *own)
{
	Jsonb	   *json = DatumGetJsonbP(record);
	JsonbIterator *iterator = NULL;
	JsonbValue	value;
	char	   *name;

	if (!JB_ROOT_IS_OBJECT(json) || JB_ROOT_COUNT(json) < 1 ||
		JB_ROOT_COUNT(json) > MaxHeapAttributeNumber)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("argument \"record\" is not a record"),
				 errhint(RECORD_HINT)));
	own->count = 0;
	own->value = palloc0(sizeof(OwnValue) * (Size) JB_ROOT_COUNT(json));
	while ((name = sdc_parameters_next(&json->root, &iterator, &value)) != NULL)
		read_value(relid, name, &value, &own->value[own->count++]);
	qsort(own->value, (Size) own->count, sizeof(OwnValue), compare_values);
}

/* make_room moves the codes from a place on by one. */
static uint32 *
make_room(const SdcCodedColumn *coded, uint32 records, uint32 place)
{
	uint32	   *code = sdc_memory_array(records, sizeof(uint32));

	for (uint32 i = 0; i < records; i++)
	{
		code[i] = coded->code[i];
		code[i] += code[i] >= place && code[i] != SDC_CODE_NULL;
		sdc_interrupts_step(i);
	}
	return code;
}

/* numbers_of returns the numbers behind the codes of a column, or NULL. */
static double *
numbers_of(SdcCodedTable *table, int number, uint32 place, bool found)
{
	SdcCodedTableColumn *column = &table->column[number];
	uint32		codes = column->coding.codes;
	double	   *value;

	if (column->type.kind == SDC_VALUE_NOMINAL)
		return NULL;
	value = sdc_memory_array((uint64) codes + 1, sizeof(double));
	for (uint32 code = 0; code < codes; code++)
	{
		value[code + (!found && code >= place)] =
			sdc_type_number(&column->type, sdc_codedtable_value(table, (uint32) number, code));
		sdc_interrupts_step(code);
	}
	/* nobody has it */
	if (!found)
		value[place] = 0;
	return value;
}

/* describe_column tells the kernel of a column of the release and the value of the record. */
static void
describe_column(SdcCodedTable *table, int number, const OwnValue *own, uint32 *code,
				SdcPermutationColumn *column)
{
	const SdcCodedColumn *coded = &table->coded.column[number];
	bool		found = true;

	*code = own->isnull ? SDC_CODE_NULL : sdc_codedtable_place(table, (uint32) number, own->value, &found);
	column->original = code;
	column->codes = coded->codes + (found ? 0 : 1);
	column->released = found ? coded->code : make_room(coded, table->coded.records, *code);
	column->value = numbers_of(table, number, *code, found);
}

/* verify looks for the record, and passes on what it finds. */
static void
verify(SdcCodedTable *table, const OwnRecord *own, SdcVerifyEmit emit, void *arg)
{
	SdcPermutationTask task = {.queries = 1};
	SdcPermutationColumn *column = palloc0(sizeof(SdcPermutationColumn) * (Size) own->count);
	uint32	   *code = palloc(sizeof(uint32) * (Size) own->count);
	SdcPermutationRecord found;

	for (int j = 0; j < own->count; j++)
		describe_column(table, j, &own->value[j], &code[j], &column[j]);
	task.records = table->coded.records;
	task.attributes = own->count;
	task.column = column;
	sdc_permutationdistance_find(&task, &found);
	for (int j = 0; j < own->count; j++)
	{
		SdcVerifiedColumn verified = {own->value[j].name, found.distance, 0, 0};

		sdc_permutationsummary_around(&task, j, &found, &verified.variance, &verified.frequency);
		emit(arg, &verified);
	}
}

/* sdc_verifyrecord_find: see verifyrecord.h. */
void
sdc_verifyrecord_find(Oid relid, Datum record, SdcVerifyEmit emit, void *arg)
{
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext, "sdc verify",
												  ALLOCSET_DEFAULT_SIZES);
	MemoryContext old = MemoryContextSwitchTo(context);
	Relation	rel = sdc_source_open(relid, AccessShareLock);
	List	   *names = NIL;
	OwnRecord	own;

	sdc_source_check_kind(relid);
	sdc_source_check_readable(relid);
	relation_close(rel, NoLock);
	read_record(relid, record, &own);
	for (int j = 0; j < own.count; j++)
		names = lappend(names, own.value[j].name);
	verify(sdc_codedtable_load(relid, names), &own, emit, arg);
	sdc_progress_end();
	MemoryContextSwitchTo(old);
	MemoryContextDelete(context);
}
