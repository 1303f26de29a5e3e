/*-------------------------------------------------------------------------
 *
 * combinations.c
 *		Which sets of quasi-identifiers must have how many records alike.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "method/groups/combinations.h"
#include "relation/base/compat.h"
#include "relation/base/memory.h"
#include "relation/base/names.h"
#include "relation/catalog/methods.h"
#include "relation/catalog/parameters.h"
#include "utils/builtins.h"
#include "utils/numeric.h"

/* More sets than anybody can want to be looked at. */
#define SETS_MAX 10000

/* What is read. */
typedef struct Reading
{
	List	   *qi;
	uint32		k;				/* of sets that have none of their own */
	int			widest;			/* columns that a set can have */
	SdcCombinations *found;
} Reading;

/* refuse raises the error about something that is not as it should be. */
sdc_noreturn static void
refuse(const char *problem)
{
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("argument \"combinations\": %s", problem),
			 errhint("It is a number of columns, an object such as {\"size\": 2, \"k\": 10} or {\"columns\": [\"sex\", \"job\"], \"k\": 5}, or an array of these.")));
}

/* number_of reads a whole number of at least 1. */
static uint32
number_of(const JsonbValue *value, const char *what)
{
	int32		number = 0;

	if (value->type == jbvNumeric)
	{
		Numeric		whole = DatumGetNumeric(DirectFunctionCall2(numeric_trunc, NumericGetDatum(value->val.numeric),
															  Int32GetDatum(0)));

		if (DatumGetBool(DirectFunctionCall2(numeric_eq, NumericGetDatum(whole),
											 NumericGetDatum(value->val.numeric))) &&
			DatumGetBool(DirectFunctionCall2(numeric_le, NumericGetDatum(whole),
											 DirectFunctionCall1(int4_numeric, Int32GetDatum(PG_INT32_MAX)))) &&
			DatumGetBool(DirectFunctionCall2(numeric_gt, NumericGetDatum(whole),
											 DirectFunctionCall1(int4_numeric, Int32GetDatum(0)))))
			number = DatumGetInt32(DirectFunctionCall1(numeric_int4, NumericGetDatum(whole)));
	}
	if (number < 1)
		refuse(psprintf("%s is not a whole number of at least 1", what));
	return (uint32) number;
}

/* add_set adds a set. */
static void
add_set(Reading *reading, uint64 columns, uint32 k)
{
	SdcCombinations *found = reading->found;

	if (found->count == SETS_MAX)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("argument \"combinations\" has more than %d sets of columns", SETS_MAX),
				 errhint("Use a smaller size, or name the sets in members \"columns\".")));
	if (__builtin_popcountll(columns) > reading->widest)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("a set of more than %d quasi-identifiers cannot be demanded", reading->widest),
				 errdetail("The time doubles with each of them."),
				 errhint("Name fewer columns in \"qi\", or demand smaller sets, such as: combinations => '2'")));
	found->demand[found->count++] = (SdcSuppressDemand) {columns, k};
}

/* add_sets adds all sets of a size that begin with some columns, in the order of the quasi-identifiers. */
static void
add_sets(Reading *reading, uint64 begun, int next, uint32 left, uint32 k)
{
	if (left == 0)
	{
		add_set(reading, begun, k);
		return;
	}
	for (int j = next; j + (int) left <= list_length(reading->qi); j++)
		add_sets(reading, begun | UINT64_C(1) << j, j + 1, left - 1, k);
}

/* check_size insists on a size that there can be, and adds its sets. */
static void
check_size(Reading *reading, const JsonbValue *value, uint32 k)
{
	uint32		size = number_of(value, "a size");

	if (size > (uint32) list_length(reading->qi))
		refuse(psprintf("size %u is more than there are quasi-identifiers, %d", size, list_length(reading->qi)));
	add_sets(reading, 0, 0, size, k);
}

/* columns_of reads the names of a set. */
static uint64
columns_of(const Reading *reading, const JsonbValue *value)
{
	JsonbContainer *array = sdc_parameters_array_of(value);
	uint64		columns = 0;

	if (array == NULL || JsonContainerSize(array) == 0)
		refuse("member \"columns\" is not an array of names");
	for (uint32 i = 0; i < JsonContainerSize(array); i++)
	{
		char	   *name = sdc_parameters_text_of(getIthJsonbValueFromContainer(array, i));
		int			index;

		if (name == NULL)
			refuse("member \"columns\" is not an array of names");
		index = sdc_names_index(reading->qi, name);
		if (index < 0)
			refuse(psprintf("column \"%s\" is not a quasi-identifier", name));
		if ((columns & UINT64_C(1) << index) != 0)
			refuse(psprintf("column \"%s\" is named twice in a set", name));
		columns |= UINT64_C(1) << index;
	}
	return columns;
}

/* read_object reads an object with a size or columns. */
static void
read_object(Reading *reading, JsonbContainer *object)
{
	JsonbValue *size = sdc_parameters_find(object, "size");
	JsonbValue *columns = sdc_parameters_find(object, SDC_MEMBER_COLUMNS);
	JsonbValue *k = sdc_parameters_find(object, SDC_PARAMETER_K);
	uint32		own = k == NULL ? reading->k : number_of(k, "member \"k\"");

	if ((size == NULL) == (columns == NULL))
		refuse("a set has one of the members \"size\" and \"columns\"");
	if (JsonContainerSize(object) != (k == NULL ? 1 : 2))
		refuse("a set has no other members than \"size\", \"columns\" and \"k\"");
	if (size != NULL)
		check_size(reading, size, own);
	else
		add_set(reading, columns_of(reading, columns), own);
}

/* read_element reads a size or an object. */
static void
read_element(Reading *reading, const JsonbValue *value)
{
	if (value->type == jbvNumeric)
		check_size(reading, value, reading->k);
	else if (value->type == jbvBinary && JsonContainerIsObject(value->val.binary.data))
		read_object(reading, value->val.binary.data);
	else
		refuse("a set is neither a number nor an object");
}

/* sdc_combinations_read: see combinations.h. */
void
sdc_combinations_read(Jsonb *argument, List *qi, uint32 k, int widest, SdcCombinations *combinations)
{
	Reading		reading = {qi, k, widest, combinations};

	*combinations = (SdcCombinations) {0};
	if (list_length(qi) > SDC_SUPPRESS_COLUMNS)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("argument \"qi\" has more than %d columns", SDC_SUPPRESS_COLUMNS),
				 errhint("Name them in several steps of sdc_protect.")));
	combinations->demand = sdc_memory_array(SETS_MAX, sizeof(SdcSuppressDemand));
	if (argument == NULL)
		add_sets(&reading, 0, 0, (uint32) list_length(qi), k);
	else if (JB_ROOT_IS_OBJECT(argument))
		read_object(&reading, &argument->root);
	else
		for (uint32 i = 0; i < JB_ROOT_COUNT(argument); i++)
			read_element(&reading, getIthJsonbValueFromContainer(&argument->root, i));
	if (combinations->count == 0)
		refuse("there is no set");
}

/* sdc_combinations_largest_k: see combinations.h. */
uint32
sdc_combinations_largest_k(const SdcCombinations *combinations)
{
	uint32		k = 1;

	for (int d = 0; d < combinations->count; d++)
		k = Max(k, combinations->demand[d].k);
	return k;
}
