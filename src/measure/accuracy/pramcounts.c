/*-------------------------------------------------------------------------
 *
 * pramcounts.c
 *		Counts of the source, estimated from a published table whose categories were drawn by matrices.
 *
 * Values that a matrix does not have have stayed what they are: missing values and codes, and all of a copied column.
 * The matrices are those that are given, or that the catalog has for somebody who may read the source, or those of the
 * accuracy table beside a publication.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "access/relation.h"
#include "kernel/base/normal.h"
#include "kernel/base/pairs.h"
#include "kernel/queries/unpram.h"
#include "measure/accuracy/pramcounts.h"
#include "miscadmin.h"
#include "relation/base/memory.h"
#include "relation/base/names.h"
#include "relation/base/progress.h"
#include "relation/catalog/steps.h"
#include "relation/column/celljson.h"
#include "relation/frame/accuracyrows.h"
#include "relation/read/codedtable.h"
#include "relation/recode/matrix.h"
#include "utils/lsyscache.h"

/* More combinations of values than anybody looks at. */
#define CELLS_MAX 1000000

/* A matrix of which errors are that many times as large is warned of. */
#define CONDITION_WARNED 1000

/* A column with its values. */
typedef struct Axis
{
	Datum	   *value;			/* by code of the axis */
	bool		has_null;		/* the last one is a missing value */
	uint32	   *code;			/* of each code of the table, and of a missing value */
} Axis;

/* ------------------------------------------------------------------------
 * Matrices
 * ------------------------------------------------------------------------
 */

/* refuse_method raises the error for a column of which nobody knows how it was drawn. */
sdc_noreturn static void
refuse_method(const char *column)
{
	ereport(ERROR,
			(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			 errmsg("column \"%s\" was neither drawn by a matrix that is known, nor copied", column),
			 errhint("Give \"matrices\" if you know it; sdc_estimate undoes sdc_pram with \"retain\" and sdc_randomize.")));
}

/* catalog_matrices returns the matrices that the catalog has for the columns. */
static List *
catalog_matrices(const SdcPramCountsRequest *request, const SdcReleaseRow *row)
{
	List	   *steps = sdc_steps_of(row);
	List	   *matrices = NIL;
	ListCell   *cell;

	foreach(cell, request->columns)
	{
		const SdcStep *step = sdc_names_have(row->columns, lfirst(cell)) ? sdc_steps_find(steps, lfirst(cell)) : NULL;
		SdcParameters *drawn = step == NULL ? NULL : sdc_parameters_inner(step->parameters, SDC_PARAMETER_MATRICES);
		SdcMatrix  *matrix = drawn == NULL ? NULL :
			sdc_matrix_find(sdc_matrix_read(drawn, SDC_PARAMETER_MATRICES), lfirst(cell));

		if ((step != NULL && matrix == NULL) || sdc_steps_suppressed(steps, lfirst(cell)))
			refuse_method(lfirst(cell));
		if (matrix != NULL)
			matrices = lappend(matrices, matrix);
	}
	return matrices;
}

/* published_matrices returns the matrices that an accuracy table has for the columns. */
static List *
published_matrices(const SdcPramCountsRequest *request)
{
	SdcAccuracyDrawing drawing;
	ListCell   *cell;

	(void) sdc_accuracyrows_read(request->catalog_schema, request->relid, &drawing);
	if (drawing.columns == NIL)
		ereport(ERROR,
				(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
				 errmsg("argument \"matrices\" must be given"),
				 errhint("The publisher states the matrices by which the columns were drawn: sdc_publish writes them to the accuracy table.")));
	foreach(cell, request->columns)
	{
		const SdcAccuracyColumn *column = sdc_accuracyrows_column(&drawing, lfirst(cell));

		if (sdc_matrix_find(drawing.matrices, lfirst(cell)) == NULL &&
			(column == NULL || strcmp(column->method, SDC_MEASURE_COPIED) != 0))
			refuse_method(lfirst(cell));
	}
	return drawing.matrices;
}

/* find_matrices returns the matrices of the columns; those without one are copied. */
static List *
find_matrices(const SdcPramCountsRequest *request)
{
	SdcReleaseRow row;
	List	   *matrices;
	ListCell   *cell;

	if (request->matrices == NULL)
		return sdc_catalog_get_visible(request->catalog_schema, request->relid, &row) ?
			catalog_matrices(request, &row) : published_matrices(request);
	matrices = sdc_matrix_read(&request->matrices->root, SDC_PARAMETER_MATRICES);
	foreach(cell, sdc_matrix_columns(matrices))
		if (!sdc_names_have(request->columns, lfirst(cell)))
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("column \"%s\" has a matrix, and is not named in argument \"columns\"",
							(char *) lfirst(cell))));
	return matrices;
}

/* invert fills in the inverse of a matrix; false, with a warning: there is none. */
static bool
invert(const SdcMatrix *matrix, SdcUnpramAxis *axis)
{
	double	   *inverse = sdc_memory_array((uint64) matrix->count * matrix->count, sizeof(double));
	double		condition = sdc_unpram_invert(matrix->p, (uint32) matrix->count, inverse);

	axis->drawn = (uint32) matrix->count;
	axis->inverse = inverse;
	if (isinf(condition))
		ereport(WARNING,
				(errcode(ERRCODE_WARNING),
				 errmsg("the matrix of column \"%s\" is singular: the counts of the source cannot be estimated",
						matrix->column),
				 errdetail("Sources with different counts make the same releases.")));
	else if (condition > CONDITION_WARNED)
		ereport(WARNING,
				(errcode(ERRCODE_WARNING),
				 errmsg("the matrix of column \"%s\" is nearly singular: little is known of the counts of the source",
						matrix->column),
				 errdetail("A difference of one record in the release can be one of %.0f in an estimate.", condition)));
	return isfinite(condition);
}

/* ------------------------------------------------------------------------
 * Counts
 * ------------------------------------------------------------------------
 */

/* number_values numbers the values of a column: those of its matrix, then others, and a missing one. */
static void
number_values(const SdcCodedTable *table, int number, SdcMatrix *matrix, Axis *axis, SdcUnpramAxis *described)
{
	const SdcCodedTableColumn *column = &table->column[number];
	uint32		codes = column->coding.codes;

	axis->code = sdc_memory_array((uint64) codes + 1, sizeof(uint32));
	axis->value = sdc_memory_array((uint64) codes + described->drawn + 1, sizeof(Datum));
	for (uint32 v = 0; v < described->drawn; v++)
		axis->value[v] = matrix->value[v];
	described->codes = described->drawn;
	for (uint32 c = 0; c < codes; c++)
	{
		Datum		value = sdc_codedtable_value(table, (uint32) number, c);
		uint32		row = matrix == NULL ? SDC_MATRIX_NONE : sdc_matrix_row(matrix, value);

		CHECK_FOR_INTERRUPTS();
		if (row == SDC_MATRIX_NONE)
		{
			row = described->codes++;
			axis->value[row] = value;
		}
		axis->code[c] = row;
	}
	for (uint32 i = 0; i < table->coded.records && !axis->has_null; i++)
		axis->has_null = table->coded.column[number].code[i] == SDC_CODE_NULL;
	axis->code[codes] = described->codes;
	described->codes += axis->has_null;
}

/* count_cells counts the records of every combination, whose number is told. */
static uint64 *
count_cells(const SdcCodedTable *table, const Axis *axis, const SdcUnpramAxis *described, uint64 *cells)
{
	uint64	   *records;

	*cells = 1;
	for (int a = 0; a < table->coded.attributes; a++)
	{
		*cells *= described[a].codes;
		if (*cells > CELLS_MAX)
			ereport(ERROR,
					(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
					 errmsg("the columns have more than %d combinations of values", CELLS_MAX),
					 errhint("Name fewer columns.")));
	}
	records = sdc_memory_zeros(*cells, sizeof(uint64));
	for (uint32 i = 0; i < table->coded.records; i++)
	{
		uint64		cell = 0;

		for (int a = 0; a < table->coded.attributes; a++)
		{
			uint32		code = table->coded.column[a].code[i];

			cell = cell * described[a].codes +
				axis[a].code[code == SDC_CODE_NULL ? table->column[a].coding.codes : code];
		}
		records[cell]++;
		if (i % 65536 == 0)
			CHECK_FOR_INTERRUPTS();
	}
	return records;
}

/* describe_cell makes the values of a cell jsonb. */
static Datum
describe_cell(SdcCellJson *json, const Axis *axis, const SdcUnpramAxis *described, int axes, uint64 cell)
{
	Datum	   *value = palloc(sizeof(Datum) * axes);
	bool	   *isnull = palloc(sizeof(bool) * axes);
	Datum		result;

	for (int a = axes - 1; a >= 0; a--)
	{
		uint32		code = (uint32) (cell % described[a].codes);

		isnull[a] = axis[a].has_null && code == described[a].codes - 1;
		value[a] = isnull[a] ? (Datum) 0 : axis[a].value[code];
		cell /= described[a].codes;
	}
	result = sdc_celljson_build(json, value, isnull);
	pfree(value);
	pfree(isnull);
	return result;
}

/* emit_cells estimates what is known, and emits it. */
static void
emit_cells(const SdcPramCountsRequest *request, const SdcCodedTable *table, const Axis *axis,
		   const SdcUnpramAxis *described, bool known)
{
	SdcCellJson *json = sdc_celljson_create(request->columns, sdc_celljson_types(request->relid, request->columns));
	uint64		cells;
	uint64	   *records = count_cells(table, axis, described, &cells);
	double	   *estimate = sdc_memory_zeros(Max(cells, 1), sizeof(double));
	double	   *error = sdc_memory_zeros(Max(cells, 1), sizeof(double));

	if (known)
		sdc_unpram_cells(described, table->coded.attributes, records, estimate, error);
	for (uint64 c = 0; c < cells; c++)
	{
		SdcPramCount count = {.known = known, .estimate = estimate[c], .standard_error = error[c],
			.low = estimate[c] - SDC_NORMAL_975 * error[c], .high = estimate[c] + SDC_NORMAL_975 * error[c],
			.raw = (double) records[c]
		};

		CHECK_FOR_INTERRUPTS();
		count.cell = describe_cell(json, axis, described, table->coded.attributes, c);
		request->emit(request->arg, &count);
	}
}

/* check_request insists on columns that the caller may read. */
static void
check_request(const SdcPramCountsRequest *request)
{
	ListCell   *cell;

	relation_close(sdc_source_open(request->relid, AccessShareLock), NoLock);
	sdc_source_check_kind(request->relid);
	sdc_source_check_readable(request->relid);
	foreach(cell, request->columns)
		(void) sdc_source_find_column(request->relid, lfirst(cell), SDC_MEMBER_COLUMNS);
}

/* sdc_pramcounts_measure: see pramcounts.h. */
void
sdc_pramcounts_measure(const SdcPramCountsRequest *request)
{
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext, "sdc pram counts", ALLOCSET_DEFAULT_SIZES);
	MemoryContext before = MemoryContextSwitchTo(context);
	int			axes = list_length(request->columns);
	Axis	   *axis = palloc0(sizeof(Axis) * axes);
	SdcUnpramAxis *described = palloc0(sizeof(SdcUnpramAxis) * axes);
	SdcCodedTable *table;
	List	   *matrices;
	bool		known = true;
	ListCell   *cell;

	check_request(request);
	matrices = find_matrices(request);
	foreach(cell, request->columns)
	{
		SdcMatrix  *matrix = sdc_matrix_find(matrices, lfirst(cell));

		if (matrix == NULL)
			continue;
		sdc_matrix_bind_relation(matrix, request->relid);
		known &= invert(matrix, &described[foreach_current_index(cell)]);
	}
	table = sdc_codedtable_load(request->relid, request->columns);
	foreach(cell, request->columns)
		number_values(table, foreach_current_index(cell), sdc_matrix_find(matrices, lfirst(cell)),
					  &axis[foreach_current_index(cell)], &described[foreach_current_index(cell)]);
	emit_cells(request, table, axis, described, known);
	sdc_progress_end();
	MemoryContextSwitchTo(before);
	MemoryContextDelete(context);
}
