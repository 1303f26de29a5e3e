/*-------------------------------------------------------------------------
 *
 * matrix.c
 *		Matrices by which values become others: how likely each is what it becomes.
 *
 * A matrix is known to everybody who may know how a release was made: it tells nothing of one record that the
 * release does not.  The two-stage invariant one follows from the counts of the source, so that it is made and looked
 * at before it is used: A. Gouweleeuw, P. Kooiman, L. Willenborg, P.-P. de Wolf, "Post randomisation for statistical
 * disclosure control: theory and implementation", Journal of Official Statistics 14 (1998).
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "kernel/base/ordered.h"
#include "miscadmin.h"
#include "relation/base/compat.h"
#include "relation/base/memory.h"
#include "relation/catalog/parameters.h"
#include "relation/read/missing.h"
#include "relation/recode/matrix.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"

/* What a row may miss of 1. */
#define SUM_TOLERANCE 1e-9

/* refuse raises the error about a matrix that is none. */
sdc_noreturn static void
refuse(const char *argument, const char *column, const char *why)
{
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("argument \"%s\" has no matrix for column \"%s\"", argument, column),
			 errdetail_internal("%s", why),
			 errhint("Such as: {\"smokes\": {\"values\": [\"yes\", \"no\"], \"p\": [[0.9, 0.1], [0.2, 0.8]]}}; sdc_pram_matrix makes one.")));
}

/* read_values reads the texts of the values. */
static void
read_values(SdcMatrix *matrix, JsonbContainer *values, const char *argument)
{
	matrix->count = (int) JsonContainerSize(values);
	if (matrix->count > SDC_MATRIX_VALUES)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("the matrix of column \"%s\" has %d values", matrix->column, matrix->count),
				 errhint("It can have at most %d; recode the column first, or use \"retain\".", SDC_MATRIX_VALUES)));
	if (matrix->count == 0)
		refuse(argument, matrix->column, "It has no values.");
	matrix->text = palloc(sizeof(char *) * matrix->count);
	for (int i = 0; i < matrix->count; i++)
	{
		matrix->text[i] = sdc_parameters_scalar(getIthJsonbValueFromContainer(values, (uint32) i));
		if (matrix->text[i] == NULL)
			refuse(argument, matrix->column, psprintf("Element %d of \"values\" is no text, number or boolean.", i));
	}
}

/* read_row reads a row of probabilities. */
static void
read_row(SdcMatrix *matrix, int row, JsonbContainer *array, const char *argument)
{
	double		sum = 0;

	if (array == NULL || (int) JsonContainerSize(array) != matrix->count)
		refuse(argument, matrix->column, psprintf("Row %d of \"p\" does not have %d numbers.", row, matrix->count));
	for (int i = 0; i < matrix->count; i++)
	{
		JsonbValue *value = getIthJsonbValueFromContainer(array, (uint32) i);
		double		p = value->type == jbvNumeric ?
			DatumGetFloat8(DirectFunctionCall1(numeric_float8_no_overflow, NumericGetDatum(value->val.numeric))) : NAN;

		if (!(p >= 0 && p <= 1))
			refuse(argument, matrix->column, psprintf("Row %d of \"p\" has an element that is no probability.", row));
		matrix->p[(Size) row * matrix->count + i] = p;
		sum += p;
	}
	if (fabs(sum - 1) > SUM_TOLERANCE)
		refuse(argument, matrix->column, psprintf("Row %d of \"p\" does not sum to 1.", row));
}

/* read_one reads the matrix of a column. */
static SdcMatrix *
read_one(const char *column, const JsonbValue *value, const char *argument)
{
	SdcMatrix  *matrix = palloc0(sizeof(SdcMatrix));
	JsonbContainer *object = sdc_parameters_object_of(value);
	JsonbContainer *values = sdc_parameters_array_of(sdc_parameters_find(object, "values"));
	JsonbContainer *rows = sdc_parameters_array_of(sdc_parameters_find(object, "p"));

	matrix->column = column;
	if (values == NULL || rows == NULL || JsonContainerSize(object) != 2)
		refuse(argument, column, "Its members are \"values\" and \"p\", both arrays.");
	read_values(matrix, values, argument);
	if ((int) JsonContainerSize(rows) != matrix->count)
		refuse(argument, column, psprintf("It has %d values, and %d rows.", matrix->count,
										  (int) JsonContainerSize(rows)));
	matrix->p = sdc_memory_array((uint64) matrix->count * matrix->count, sizeof(double));
	for (int i = 0; i < matrix->count; i++)
		read_row(matrix, i, sdc_parameters_array_of(getIthJsonbValueFromContainer(rows, (uint32) i)), argument);
	return matrix;
}

/* sdc_matrix_read: see matrix.h. */
List *
sdc_matrix_read(JsonbContainer *json, const char *argument)
{
	JsonbIterator *iterator = NULL;
	JsonbValue	value;
	List	   *matrices = NIL;
	const char *column;

	if (!JsonContainerIsObject(json) || JsonContainerSize(json) == 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("argument \"%s\" must be an object with one member for each column", argument)));
	while ((column = sdc_parameters_next(json, &iterator, &value)) != NULL)
		matrices = lappend(matrices, read_one(column, &value, argument));
	return matrices;
}

/* sdc_matrix_columns: see matrix.h. */
List *
sdc_matrix_columns(const List *matrices)
{
	List	   *columns = NIL;
	ListCell   *cell;

	foreach(cell, matrices)
		columns = lappend(columns, pstrdup(((const SdcMatrix *) lfirst(cell))->column));
	return columns;
}

/* sdc_matrix_find: see matrix.h. */
SdcMatrix *
sdc_matrix_find(const List *matrices, const char *column)
{
	ListCell   *cell;

	foreach(cell, matrices)
		if (strcmp(((const SdcMatrix *) lfirst(cell))->column, column) == 0)
			return lfirst(cell);
	return NULL;
}

/* compare_values compares two values by their numbers: qsort_arg. */
static int
compare_values(const void *a, const void *b, void *arg)
{
	SdcMatrix  *matrix = arg;

	return sdc_type_compare(&matrix->type, matrix->value[*(const int *) a], matrix->value[*(const int *) b]);
}

/* sdc_matrix_bind: see matrix.h. */
void
sdc_matrix_bind(SdcMatrix *matrix, SdcAttribute *attribute)
{
	matrix->type = attribute->type;
	matrix->value = palloc(sizeof(Datum) * matrix->count);
	matrix->order = palloc(sizeof(int) * matrix->count);
	for (int i = 0; i < matrix->count; i++)
	{
		if (!sdc_missing_read(attribute, matrix->text[i], &matrix->value[i]))
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("element %d of the values of the matrix of column \"%s\" is no value of its type", i,
							matrix->column),
					 errdetail("Its type is %s.", format_type_be(attribute->type.typid))));
		matrix->order[i] = i;
	}
	qsort_arg(matrix->order, matrix->count, sizeof(int), compare_values, matrix);
	for (int i = 1; i < matrix->count; i++)
		if (compare_values(&matrix->order[i - 1], &matrix->order[i], matrix) == 0)
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("the matrix of column \"%s\" has a value twice", matrix->column),
					 errdetail("Elements %d and %d are equal.", Min(matrix->order[i - 1], matrix->order[i]),
							   Max(matrix->order[i - 1], matrix->order[i]))));
}

/* sdc_matrix_bind_relation: see matrix.h. */
void
sdc_matrix_bind_relation(SdcMatrix *matrix, Oid relid)
{
	SdcAttribute attribute = {0};
	Oid			typid;
	Oid			collation;

	get_atttypetypmodcoll(relid, get_attnum(relid, matrix->column), &typid, &attribute.typmod, &collation);
	sdc_type_lookup(&attribute.type, typid, sdc_type_order_collation(collation));
	namestrcpy(&attribute.name, matrix->column);
	sdc_matrix_bind(matrix, &attribute);
}

/* sdc_matrix_row: see matrix.h. */
uint32
sdc_matrix_row(const SdcMatrix *matrix, Datum value)
{
	SdcType    *type = unconstify(SdcType *, &matrix->type);
	int			low = 0;
	int			high = matrix->count;

	SDC_BISECT(low, high, middle, sdc_type_compare(type, matrix->value[matrix->order[middle]], value) < 0);
	return low < matrix->count && sdc_type_compare(type, matrix->value[matrix->order[low]], value) == 0 ?
		(uint32) matrix->order[low] : SDC_MATRIX_NONE;
}

/* sdc_matrix_rows: see matrix.h. */
uint32 *
sdc_matrix_rows(const SdcMatrix *matrix, SdcColumn *column)
{
	uint32	   *row = sdc_memory_array(Max(sdc_column_count(column), 1), sizeof(uint32));
	MemoryContext scratch = AllocSetContextCreate(CurrentMemoryContext, "sdc matrix", ALLOCSET_SMALL_SIZES);
	MemoryContext before = MemoryContextSwitchTo(scratch);
	SdcColumnReader *reader = sdc_column_open(column);

	for (uint64 r = 0; r < sdc_column_count(column); r++)
	{
		Datum		value;

		row[r] = sdc_column_next(reader, &value) ? sdc_matrix_row(matrix, value) : SDC_MATRIX_NONE;
		if (r % 4096 == 0)
			CHECK_FOR_INTERRUPTS();
	}
	sdc_column_close(reader);
	MemoryContextSwitchTo(before);
	MemoryContextDelete(scratch);
	return row;
}

/*
 * sdc_matrix_invariant: with P of d on the diagonal and e elsewhere, u is what is made of k first with probability
 * P(k, u), and comes from v then with Q(u, v) = P(v, u) n(v) / sum of P(w, u) n(w).  R = P Q.
 */
double *
sdc_matrix_invariant(const uint64 *records, int count, double diagonal, double least)
{
	double	   *r = sdc_memory_array((uint64) count * count, sizeof(double));
	double	   *made = palloc(sizeof(double) * count);
	double		beside = count > 1 ? (1 - diagonal) / (count - 1) : 0;
	double		own = count > 1 ? diagonal : 1;
	double		total = 0;
	double		sum = 0;
	double		mixed = 1;

	for (int i = 0; i < count; i++)
		total += (double) records[i];
	for (int i = 0; i < count; i++)
	{
		made[i] = beside * total + (own - beside) * (double) records[i];
		sum += 1 / made[i];
	}
	for (int k = 0; k < count; k++)
	{
		CHECK_FOR_INTERRUPTS();
		for (int v = 0; v < count; v++)
		{
			double		through = k == v ?
				own * own / made[k] + beside * beside * (sum - 1 / made[k]) :
				own * beside * (1 / made[k] + 1 / made[v]) + beside * beside * (sum - 1 / made[k] - 1 / made[v]);

			r[(Size) k * count + v] = through * (double) records[v];
		}
		if (least > r[(Size) k * count + k])
			mixed = fmin(mixed, (1 - least) / (1 - r[(Size) k * count + k]));
	}
	for (int k = 0; k < count && mixed < 1; k++)
		for (int v = 0; v < count; v++)
			r[(Size) k * count + v] = mixed * r[(Size) k * count + v] + (k == v ? 1 - mixed : 0);
	return r;
}
