/*-------------------------------------------------------------------------
 *
 * pram.c
 *		PRAM by matrices: a value becomes another one as its row says; and a matrix that keeps the counts of values.
 *
 * A. Gouweleeuw, P. Kooiman, L. Willenborg, P.-P. de Wolf, "Post randomisation for statistical disclosure control:
 * theory and implementation", Journal of Official Statistics 14 (1998).  PRAM that retains values, or draws them from
 * their distribution, needs no matrix: that is random anonymization, column by column (randomize.c).
 *
 * How words are drawn from the stream of a column: for every record, whether it has a value or not, one u of
 * sdc_stream_uniform; the value becomes the first one up to which the probabilities of its row, added up in the
 * order given, are above u, or the last one that has any.  Strata do not matter.
 *
 * Memory: four bytes a record, for the column at hand.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "kernel/base/ordered.h"
#include "method/pram.h"
#include "method/randomize.h"
#include "miscadmin.h"
#include "relation/base/memory.h"
#include "relation/base/progress.h"
#include "relation/base/shortest.h"
#include "relation/catalog/methods.h"
#include "relation/catalog/parameters.h"
#include "relation/read/codedtable.h"
#include "relation/read/missing.h"
#include "relation/recode/matrix.h"
#include "relation/recode/rulecheck.h"
#include "utils/builtins.h"
#include "utils/guc.h"
#include "utils/json.h"
#include "utils/lsyscache.h"

/* A column at work. */
typedef struct Work
{
	const SdcMatrix *matrix;
	uint64		records;
	uint32	   *row;			/* of every record */
	double	   *bound;			/* row by row: the probabilities added up */
} Work;

/* find_rows finds the row of every value, and insists that there is one. */
static void
find_rows(Work *work, SdcColumn *column)
{
	uint64		missing = sdc_column_null_count(column);
	uint64		found = 0;

	work->row = sdc_matrix_rows(work->matrix, column);
	for (uint64 r = 0; r < work->records; r++)
	{
		sdc_interrupts_step(r);
		found += work->row[r] != SDC_MATRIX_NONE;
	}
	if (found + missing == work->records)
		return;
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("the matrix of column \"%s\" does not have all its values", work->matrix->column),
			 errdetail(UINT64_FORMAT " of " UINT64_FORMAT " records have a value without a row.",
					   work->records - missing - found, work->records),
			 errhint("sdc_pram_matrix makes a matrix that has all of them.")));
}

/* add_up adds up the probabilities of each row; what rounding leaves is for the last one that has any. */
static void
add_up(Work *work)
{
	int			count = work->matrix->count;

	work->bound = sdc_memory_array((uint64) count * count, sizeof(double));
	for (int u = 0; u < count; u++)
	{
		const double *p = work->matrix->p + (Size) u * count;
		double	   *bound = work->bound + (Size) u * count;
		int			last = count - 1;
		double		sum = 0;

		CHECK_FOR_INTERRUPTS();
		while (last > 0 && !(p[last] > 0))
			last--;
		for (int v = 0; v < count; v++)
		{
			sum += p[v];
			bound[v] = v < last ? sum : 1;
		}
	}
}

/* become finds which value one becomes. */
static int
become(const Work *work, uint32 row, double u)
{
	const double *bound = work->bound + (Size) row * work->matrix->count;
	int			low = 0;
	int			high = work->matrix->count - 1;

	SDC_BISECT(low, high, middle, !(bound[middle] > u));
	return low;
}

/* draw draws what every record has in the release: SdcMethodStep's draw. */
static SdcColumn *
draw(const SdcMethodStep *step, SdcAttribute *attribute, SdcColumn *original, const bool *keeps, SdcStream *stream,
	 SdcSpool *spool, uint64 *drawn)
{
	const SdcPramming *pramming = step->arguments;
	Work		work = {.records = sdc_column_count(original)};
	SdcColumn  *result = sdc_column_create(spool, attribute->type.typid);

	work.matrix = sdc_matrix_find(pramming->matrices, NameStr(attribute->name));
	find_rows(&work, original);
	add_up(&work);
	attribute->changed = 0;
	for (uint64 r = 0; r < work.records; r++)
	{
		double		u = sdc_stream_uniform(stream);
		bool		valid = work.row[r] != SDC_MATRIX_NONE;
		int			becomes = valid ? become(&work, work.row[r], u) : 0;

		sdc_interrupts_step(r);
		sdc_column_append(result, work.matrix->value[becomes], !valid);
		attribute->changed += valid && becomes != (int) work.row[r];
		*drawn += valid && (keeps == NULL || !keeps[r]);
	}
	sdc_column_finish(result);
	sdc_free(work.row);
	sdc_free(work.bound);
	return result;
}

/* check_plan makes values of what the matrices have. */
static void
check_plan(SdcMethodStep *step, SdcSource *source, Oid catalog_schema, SdcTarget *target)
{
	const SdcPramming *pramming = step->arguments;
	ListCell   *cell;

	(void) catalog_schema;
	(void) target;
	foreach(cell, pramming->matrices)
	{
		SdcMatrix  *matrix = lfirst(cell);
		SdcAttribute *attribute = &source->attributes[sdc_source_find_attribute(source, matrix->column, "matrices")];

		sdc_source_require_order(source, attribute, "drawn by a matrix");
		sdc_matrix_bind(matrix, attribute);
	}
}

/* sdc_pram_prepare: see pram.h. */
void
sdc_pram_prepare(SdcMethodStep *step, const SdcPramming *pramming)
{
	step->method = sdc_methods_find(SDC_METHOD_PRAM);
	step->arguments = pramming;
	step->parameters = psprintf("{\"" SDC_PARAMETER_MATRICES "\": %s}", pramming->argument);
	step->changes = SDC_CHANGES_DRAWN;
	step->unchanged_hint = "Use a matrix that changes more values, or leave the column out.";
	step->check_plan = check_plan;
	step->draw = draw;
	step->protect = sdc_randomize_each;
	step->can_continue = true;
	step->columns_given = true;
	step->columns = sdc_matrix_columns(pramming->matrices);
	step->columns_argument = "matrices";
	step->together = true;
}

/* ------------------------------------------------------------------------
 * A matrix that keeps the counts: texts that the input function of the type reads, in the order of the values
 * ------------------------------------------------------------------------
 */

/* quoted returns a name as a string of JSON. */
static char *
quoted(const char *name)
{
	StringInfoData json;

	initStringInfo(&json);
	escape_json(&json, name);
	return json.data;
}

/* codes_of reads the missing codes of the column; NULL: it has none. */
static SdcAttribute *
codes_of(const SdcPramMatrixRequest *request, const SdcCodedTable *table)
{
	SdcAttribute *attribute = palloc0(sizeof(SdcAttribute));
	SdcSource	source = {.relid = request->relid, .name = get_rel_name(request->relid), .attribute_count = 1,
	.attributes = attribute};
	SdcSourceRequest codes = {.relid = request->relid};
	JsonbValue *value = sdc_parameters_find(request->missing, request->column);
	Oid			typid;
	Oid			collation;

	if (value == NULL || value->type != jbvBinary)
		return NULL;
	attribute->type = table->column[0].type;
	namestrcpy(&attribute->name, request->column);
	get_atttypetypmodcoll(request->relid, get_attnum(request->relid, request->column), &typid, &attribute->typmod,
						  &collation);
	/* a relation can have other columns with codes, which do not matter here */
	codes.missing = psprintf("{%s: %s}", quoted(request->column), JsonbToCString(NULL, value->val.binary.data, -1));
	sdc_missing_plan(&source, &codes);
	return attribute->missing == NULL ? NULL : attribute;
}

/* forget_codes leaves out the values that are missing codes. */
static void
forget_codes(SdcAttribute *attribute, const SdcCodedTable *table, SdcRuleValues *values)
{
	for (uint32 c = 0; attribute != NULL && c < values->coding->codes; c++)
		if (sdc_missing_which(attribute, sdc_codedtable_value(table, 0, c)) >= 0)
			values->records[c] = 0;
}

/* put_matrix writes the values that there are, and the matrix. */
static void
put_matrix(const SdcPramMatrixRequest *request, const SdcCodedTable *table, const SdcRuleValues *values,
		   StringInfo json)
{
	uint64	   *records = palloc(sizeof(uint64) * SDC_MATRIX_VALUES);
	int			count = 0;
	double	   *p;
	Oid			output;
	bool		varlena;

	getTypeOutputInfo(table->column[0].type.base, &output, &varlena);
	for (uint32 c = 0; c < values->coding->codes; c++)
	{
		if (values->records[c] == 0)
			continue;
		if (count == SDC_MATRIX_VALUES)
			ereport(ERROR,
					(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
					 errmsg("column \"%s\" has more than %d different values", request->column, SDC_MATRIX_VALUES),
					 errhint("Recode it first, or use \"retain\".")));
		appendStringInfoString(json, count == 0 ? "" : ", ");
		escape_json(json, OidOutputFunctionCall(output, sdc_codedtable_value(table, 0, c)));
		records[count++] = values->records[c];
	}
	appendStringInfoString(json, "], \"p\": [");
	p = sdc_matrix_invariant(records, count, request->diagonal, request->least);
	for (int k = 0; k < count; k++)
	{
		appendStringInfoString(json, k == 0 ? "[" : ", [");
		for (int v = 0; v < count; v++)
			appendStringInfo(json, "%s%s", v == 0 ? "" : ", ", sdc_shortest_text(p[(Size) k * count + v]));
		appendStringInfoChar(json, ']');
	}
	if (count == 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("column \"%s\" has no values", request->column)));
}

/* sdc_pram_make_matrix: see pram.h. */
char *
sdc_pram_make_matrix(const SdcPramMatrixRequest *request)
{
	SdcCodedTable *table;
	SdcRuleValues values;
	StringInfoData json;
	int			nest;

	sdc_source_check_kind(request->relid);
	sdc_source_check_readable(request->relid);
	(void) sdc_source_find_column(request->relid, request->column, "column");
	table = sdc_codedtable_load(request->relid, list_make1(unconstify(char *, request->column)));
	values = sdc_rulecheck_values(table->column[0].dictionary, &table->column[0].coding, table->coded.column[0].code,
								  table->coded.records);
	forget_codes(codes_of(request, table), table, &values);
	initStringInfo(&json);
	appendStringInfo(&json, "{%s: {\"values\": [", quoted(request->column));
	nest = sdc_type_pin_settings();
	put_matrix(request, table, &values, &json);
	AtEOXact_GUC(true, nest);
	appendStringInfoString(&json, "]}}");
	sdc_progress_end();
	return json.data;
}
