/*-------------------------------------------------------------------------
 *
 * args.c
 *		Reading and checking the arguments of SQL-callable functions.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "access/htup_details.h"
#include "catalog/namespace.h"
#include "catalog/pg_class.h"
#include "catalog/pg_type.h"
#include "funcapi.h"
#include "sql/args.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"
#include "utils/varlena.h"

/* sdc_args_require raises an error when an argument is NULL. */
void
sdc_args_require(FunctionCallInfo fcinfo, int number, const char *name)
{
	if (PG_ARGISNULL(number))
		ereport(ERROR,
				(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
				 errmsg("argument \"%s\" must not be null", name)));
}

/* sdc_args_text returns a text that must not be empty. */
char *
sdc_args_text(FunctionCallInfo fcinfo, int number, const char *name)
{
	char	   *given;

	sdc_args_require(fcinfo, number, name);
	given = text_to_cstring(PG_GETARG_TEXT_PP(number));
	if (strspn(given, " \t\r\n") == strlen(given))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("argument \"%s\" must not be empty", name)));
	return given;
}

/* sdc_args_choose raises an error when an argument that has no default is not given. */
void
sdc_args_choose(bool isnull, const char *name, const char *hint)
{
	if (isnull)
		ereport(ERROR,
				(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
				 errmsg("argument \"%s\" must be given", name),
				 errhint("%s", hint)));
}

/* sdc_args_find_word: see args.h. */
int
sdc_args_find_word(const char *word, const char *name, const char *const *words)
{
	StringInfoData list;

	initStringInfo(&list);
	for (int i = 0; words[i] != NULL; i++)
	{
		if (word != NULL && strcmp(word, words[i]) == 0)
			return i;
		appendStringInfo(&list, "%s%s", i == 0 ? "" : words[i + 1] == NULL ? " or " : ", ", words[i]);
	}
	ereport(ERROR,
			(errcode(word == NULL ? ERRCODE_NULL_VALUE_NOT_ALLOWED : ERRCODE_INVALID_PARAMETER_VALUE),
			 word == NULL ? errmsg("argument \"%s\" must not be null", name) :
			 errmsg("unknown value \"%s\" of argument \"%s\"", word, name),
			 errhint("It is %s.", list.data)));
	return 0;					/* not reached */
}

/* sdc_args_word reads an argument that is one of some words. */
int
sdc_args_word(FunctionCallInfo fcinfo, int number, const char *name, const char *const *words)
{
	return sdc_args_find_word(PG_ARGISNULL(number) ? NULL : text_to_cstring(PG_GETARG_TEXT_PP(number)), name, words);
}

/*
 * sdc_args_names reads an argument of type name[] into a list of char *.  It
 * returns false when the argument is NULL.
 */
bool
sdc_args_names(FunctionCallInfo fcinfo, int number, const char *name, List **list)
{
	ArrayType  *array;
	Datum	   *elements;
	bool	   *nulls;
	int			count;

	*list = NIL;
	if (PG_ARGISNULL(number))
		return false;
	array = PG_GETARG_ARRAYTYPE_P(number);
	if (ARR_NDIM(array) > 1)
		ereport(ERROR,
				(errcode(ERRCODE_ARRAY_SUBSCRIPT_ERROR),
				 errmsg("argument \"%s\" must be a one-dimensional array of column names", name)));
	if (ArrayGetNItems(ARR_NDIM(array), ARR_DIMS(array)) > MaxHeapAttributeNumber)
		ereport(ERROR,
				(errcode(ERRCODE_TOO_MANY_COLUMNS),
				 errmsg("argument \"%s\" names more than %d columns", name, MaxHeapAttributeNumber)));
	deconstruct_array(array, NAMEOID, NAMEDATALEN, false, TYPALIGN_CHAR,
					  &elements, &nulls, &count);
	for (int i = 0; i < count; i++)
	{
		char	   *element;
		ListCell   *cell;

		if (nulls[i])
			ereport(ERROR,
					(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
					 errmsg("argument \"%s\" must not contain nulls", name)));
		element = pstrdup(NameStr(*DatumGetName(elements[i])));
		foreach(cell, *list)
			if (strcmp(element, (char *) lfirst(cell)) == 0)
				ereport(ERROR,
						(errcode(ERRCODE_DUPLICATE_COLUMN),
						 errmsg("column \"%s\" is named twice in argument \"%s\"", element, name)));
		*list = lappend(*list, element);
	}
	return true;
}

/* sdc_args_texts reads an argument of type text[] into a list of char *. */
List *
sdc_args_texts(FunctionCallInfo fcinfo, int number, const char *name)
{
	ArrayType  *array;
	Datum	   *elements;
	bool	   *nulls;
	int			count;
	List	   *texts = NIL;

	if (PG_ARGISNULL(number))
		return NIL;
	array = PG_GETARG_ARRAYTYPE_P(number);
	if (ARR_NDIM(array) > 1)
		ereport(ERROR,
				(errcode(ERRCODE_ARRAY_SUBSCRIPT_ERROR),
				 errmsg("argument \"%s\" must be a one-dimensional array", name)));
	deconstruct_array(array, TEXTOID, -1, false, TYPALIGN_INT, &elements, &nulls, &count);
	for (int i = 0; i < count; i++)
	{
		if (nulls[i])
			ereport(ERROR,
					(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
					 errmsg("argument \"%s\" must not contain nulls", name)));
		texts = lappend(texts, TextDatumGetCString(elements[i]));
	}
	return texts;
}

/* sdc_args_qi reads the argument that names the quasi-identifiers. */
List *
sdc_args_qi(FunctionCallInfo fcinfo, int number)
{
	List	   *names;

	sdc_args_require(fcinfo, number, "qi");
	(void) sdc_args_names(fcinfo, number, "qi", &names);
	if (names == NIL)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("argument \"qi\" must name at least one column")));
	return names;
}

/* sdc_args_sensitive reads the argument that names the sensitive column. */
char *
sdc_args_sensitive(FunctionCallInfo fcinfo, int number)
{
	List	   *names;

	if (!sdc_args_names(fcinfo, number, "sensitive", &names))
		return NULL;
	if (list_length(names) != 1)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("argument \"sensitive\" must name one column, not %d", list_length(names)),
				 errhint("Name the column that must be diverse in every group, such as: sensitive => '{disease}'")));
	return linitial(names);
}

/* sdc_args_draws reads how many attributes of a record are drawn. */
int
sdc_args_draws(FunctionCallInfo fcinfo, int number, int attributes)
{
	int			draws;

	if (PG_ARGISNULL(number))
		return 0;
	draws = PG_GETARG_INT32(number);
	if (draws < 1 || draws > attributes)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("argument \"draws\" is out of range"),
				 errhint("It is how many attributes of a record are drawn: between 1 and %d, the number of quasi-identifiers.",
						 attributes)));
	return draws;
}

/* sdc_args_retain: see args.h. */
double
sdc_args_retain(FunctionCallInfo fcinfo, int number)
{
	double		retain = PG_GETARG_FLOAT8(number);

	if (!(retain > 0 && retain < 1))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("argument \"retain\" is out of range"),
				 errhint("It is the probability that a value stays what it is: above 0 and below 1.")));
	return retain;
}

/* read_numbers reads an array with a number for each of some columns, NaN for a NULL, and returns NULL for none. */
static double *
read_numbers(FunctionCallInfo fcinfo, int number, const char *name, const char *what, int columns)
{
	ArrayType  *array;
	Datum	   *elements;
	bool	   *nulls;
	int			count;
	double	   *numbers;

	if (PG_ARGISNULL(number))
		return NULL;
	array = PG_GETARG_ARRAYTYPE_P(number);
	count = ArrayGetNItems(ARR_NDIM(array), ARR_DIMS(array));
	if (ARR_NDIM(array) > 1 || count != columns)
		ereport(ERROR,
				(errcode(ERRCODE_ARRAY_SUBSCRIPT_ERROR),
				 errmsg("argument \"%s\" has the wrong length", name),
				 errhint("It has one %s for each quasi-identifier: %d.", what, columns)));
	deconstruct_array(array, FLOAT8OID, sizeof(float8), FLOAT8PASSBYVAL, TYPALIGN_DOUBLE,
					  &elements, &nulls, &count);
	numbers = palloc(sizeof(double) * count);
	for (int i = 0; i < count; i++)
		numbers[i] = nulls[i] ? NAN : DatumGetFloat8(elements[i]);
	return numbers;
}

/* sdc_args_importance: see args.h. */
double *
sdc_args_importance(FunctionCallInfo fcinfo, int number, int columns, const char *meaning)
{
	double	   *importance = read_numbers(fcinfo, number, "importance", "number", columns);

	for (int i = 0; importance != NULL && i < columns; i++)
		if (!(importance[i] > 0 && importance[i] <= 1e9))
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("element %d of argument \"importance\" is out of range", i + 1),
					 errhint("It is %s, above 0 and at most 1e9: a high number keeps the column.", meaning)));
	return importance;
}

/* sdc_args_probabilities reads the probabilities that attributes are drawn with. */
double *
sdc_args_probabilities(FunctionCallInfo fcinfo, int number, int attributes)
{
	double	   *probability = read_numbers(fcinfo, number, "probabilities", "probability", attributes);
	double		sum = 0;

	if (probability == NULL)
		return NULL;
	for (int i = 0; i < attributes; i++)
	{
		if (isnan(probability[i]) || probability[i] < 0 || probability[i] > 1)
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("element %d of argument \"probabilities\" is not a probability", i + 1),
					 errhint("Probabilities are between 0 and 1.")));
		sum += probability[i];
	}
	if (fabs(sum - 1) > 1e-6)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("the elements of argument \"probabilities\" do not sum to 1"),
				 errhint("One attribute of every record is drawn with these probabilities.")));
	for (int i = 0; i < attributes; i++)
		probability[i] /= sum;
	return probability;
}

/* sdc_args_share reads a share of the records. */
double
sdc_args_share(FunctionCallInfo fcinfo, int number, const char *name, double fallback)
{
	double		share = PG_ARGISNULL(number) ? fallback : PG_GETARG_FLOAT8(number);

	if (isnan(share) || share < 0 || share > 1)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("argument \"%s\" is out of range", name),
				 errhint("It is a share: between 0 and 1.")));
	return share;
}

/* sdc_args_fraction reads the share of a population that a sample has. */
double
sdc_args_fraction(FunctionCallInfo fcinfo, int number)
{
	double		fraction = PG_GETARG_FLOAT8(number);

	if (isnan(fraction) || fraction <= 0 || fraction > 1)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("argument \"fraction\" is out of range"),
				 errhint("It is the share of the population that the sample has: above 0 and at most 1.")));
	return fraction;
}

/* sdc_args_percent: see args.h. */
double
sdc_args_percent(FunctionCallInfo fcinfo, int number)
{
	return PG_ARGISNULL(number) ? 0 : sdc_args_check_percent(PG_GETARG_DATUM(number), false);
}

/* sdc_args_check_percent checks p, a percentage: above 0 and up to 100. */
double
sdc_args_check_percent(Datum value, bool isnull)
{
	double		percent = isnull ? 0 : DatumGetFloat8(value);

	sdc_args_choose(isnull, "p",
					"It says how far values move, as a percentage of the ranks: above 0 and at most 100.  Usual are 2 to 20; a larger p protects more.");
	if (isnan(percent) || percent <= 0 || percent > 100)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("argument \"p\" is out of range"),
				 errhint("It is a percentage of the ranks: above 0 and at most 100.")));
	return percent;
}

/* sdc_args_check_buckets checks a number of buckets. */
uint32
sdc_args_check_buckets(Datum value, bool isnull)
{
	sdc_args_choose(isnull, "buckets",
					"It is into how many buckets the ranks are cut: at least 1.  Usual are 5 to 50; fewer buckets protect more.");
	if (DatumGetInt32(value) < 1)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("argument \"buckets\" is out of range"),
				 errhint("It must be at least 1.")));
	return (uint32) DatumGetInt32(value);
}

/* seed_text returns a seed of any accepted type as text. */
static char *
seed_text(Oid type, Datum value)
{
	Oid			output;
	bool		varlena;

	switch (getBaseType(type))
	{
		case UNKNOWNOID:
			return pstrdup(DatumGetCString(value));
		case TEXTOID:
		case VARCHAROID:
		case NAMEOID:
		case INT2OID:
		case INT4OID:
		case INT8OID:
			getTypeOutputInfo(type, &output, &varlena);
			return OidOutputFunctionCall(output, value);
		case BPCHAROID:
			/* its blanks at the end mean nothing */
			return TextDatumGetCString(DirectFunctionCall1(rtrim1, value));
		default:
			ereport(ERROR,
					(errcode(ERRCODE_DATATYPE_MISMATCH),
					 errmsg("argument \"seed\" must be text or an integer, not type %s",
							format_type_be(type))));
	}
	return NULL;				/* not reached */
}

/*
 * sdc_args_seed_value reads a seed given as text or as an integer; 42 and '42' are the
 * same seed.  NULL means none, and an empty one is an unset variable's.  A seed never goes into a
 * message.
 */
char *
sdc_args_seed_value(FunctionCallInfo fcinfo, int number, Datum value, bool isnull)
{
	char	   *seed;

	if (isnull)
		return NULL;
	seed = seed_text(get_fn_expr_argtype(fcinfo->flinfo, number), value);
	if (seed[0] == '\0')
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("argument \"seed\" must not be empty"),
				 errhint("Leave it out for randomness that is kept nowhere.")));
	return seed;
}

/* sdc_args_seed reads the seed of a function that has its arguments at hand. */
char *
sdc_args_seed(FunctionCallInfo fcinfo, int number)
{
	return sdc_args_seed_value(fcinfo, number, PG_GETARG_DATUM(number), PG_ARGISNULL(number));
}

/* sdc_args_relation_text looks up a relation by a possibly qualified name. */
Oid
sdc_args_relation_text(FunctionCallInfo fcinfo, int number)
{
	RangeVar   *name;

	sdc_args_require(fcinfo, number, "relation");
	name = makeRangeVarFromNameList(textToQualifiedNameList(PG_GETARG_TEXT_PP(number)));
	return RangeVarGetRelid(name, AccessShareLock, false);
}

/* sdc_args_relation reads a regclass argument. */
Oid
sdc_args_relation(FunctionCallInfo fcinfo, int number, const char *name)
{
	Oid			relid;

	sdc_args_require(fcinfo, number, name);
	relid = PG_GETARG_OID(number);
	if (get_rel_name(relid) == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_TABLE),
				 errmsg("relation with OID %u does not exist", relid)));
	return relid;
}

/*
 * sdc_args_row_type returns the relation whose row type the argument has, as
 * in sdc_rankswap(NULL::census).
 */
Oid
sdc_args_row_type(FunctionCallInfo fcinfo, int number)
{
	Oid			type = get_fn_expr_argtype(fcinfo->flinfo, number);
	Oid			relid = OidIsValid(type) ? get_typ_typrelid(type) : InvalidOid;

	if (!OidIsValid(relid) || get_rel_relkind(relid) == RELKIND_COMPOSITE_TYPE)
		ereport(ERROR,
				(errcode(ERRCODE_DATATYPE_MISMATCH),
				 errmsg("type %s is not the row type of a table", format_type_be(type)),
				 errhint("Pass a null of the table's row type, such as NULL::census, or the table's name.")));
	if (!PG_ARGISNULL(number))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("the row type argument must be null"),
				 errhint("Pass a null of the table's row type, such as NULL::census: the function reads the table itself.")));
	return relid;
}
