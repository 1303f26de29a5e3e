/*-------------------------------------------------------------------------
 *
 * accuracyrows.c
 *		The rows of an accuracy table, and how a publication was drawn by what they say.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "access/table.h"
#include "catalog/pg_class.h"
#include "catalog/pg_type.h"
#include "commands/defrem.h"
#include "miscadmin.h"
#include "relation/base/names.h"
#include "relation/base/spi.h"
#include "relation/catalog/actas.h"
#include "relation/catalog/catalog.h"
#include "relation/catalog/steps.h"
#include "relation/frame/accuracyrows.h"
#include "relation/frame/publications.h"
#include "relation/recode/matrix.h"
#include "relation/rights/trust.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/json.h"
#include "utils/jsonb.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"

/* The columns. */
static const struct
{
	const char *name;
	Oid			type;
}			columns[] = {{"part", TEXTOID}, {"attribute", NAMEOID}, {"measure", TEXTOID}, {"value", FLOAT8OID}};

/* sdc_accuracyrows_layout: see accuracyrows.h. */
TupleDesc
sdc_accuracyrows_layout(void)
{
	TupleDesc	desc = CreateTemplateTupleDesc(lengthof(columns));

	for (int i = 0; i < (int) lengthof(columns); i++)
		TupleDescInitEntry(desc, (AttrNumber) (i + 1), columns[i].name, columns[i].type, -1, 0);
	return desc;
}

/* sdc_accuracyrows_name: see accuracyrows.h. */
char *
sdc_accuracyrows_name(const char *publication)
{
	return makeObjectName(publication, NULL, "accuracy");
}

/* sdc_accuracyrows_fits: see accuracyrows.h. */
bool
sdc_accuracyrows_fits(Oid relid)
{
	Relation	rel = table_open(relid, AccessShareLock);
	TupleDesc	desc = RelationGetDescr(rel);
	bool		same = rel->rd_rel->relkind == RELKIND_RELATION && desc->natts == lengthof(columns);

	for (int i = 0; same && i < desc->natts; i++)
		same = !TupleDescAttr(desc, i)->attisdropped && TupleDescAttr(desc, i)->atttypid == columns[i].type &&
			strcmp(NameStr(TupleDescAttr(desc, i)->attname), columns[i].name) == 0;
	table_close(rel, NoLock);
	return same;
}

/*
 * find returns the accuracy table of a publication that the caller may read: the one that the catalog knows, or the
 * one of the name, where the two tables came to a server without the catalog.
 */
static Oid
find(Oid catalog_schema, Oid publication)
{
	Oid			table = sdc_publications_accuracy(catalog_schema, publication);

	if (!OidIsValid(table))
		table = get_relname_relid(sdc_accuracyrows_name(get_rel_name(publication)), get_rel_namespace(publication));
	if (!OidIsValid(table) || get_rel_relkind(table) != RELKIND_RELATION ||
		sdc_trust_owner(table) != sdc_trust_owner(publication) ||
		pg_class_aclcheck(table, GetUserId(), ACL_SELECT) != ACLCHECK_OK || !sdc_accuracyrows_fits(table))
		return InvalidOid;
	return table;
}

/* One probability of a matrix. */
typedef struct MatrixCell
{
	const char *column;
	char	   *from;
	char	   *to;
	double		p;
} MatrixCell;

/* Reading the rows of a table. */
typedef struct Reading
{
	SdcAccuracyDrawing *drawing;
	MemoryContext context;
	List	   *randomized;		/* columns that some step has drawn */
	List	   *drawn;			/* those of which a probability is known, */
	List	   *probabilities;	/* and that, double * */
	bool		withheld;		/* they are withheld */
	bool		unknown;		/* something is said of methods that is not known here */
	List	   *cells;			/* MatrixCell * */
} Reading;

/* sdc_accuracyrows_column: see accuracyrows.h. */
const SdcAccuracyColumn *
sdc_accuracyrows_column(const SdcAccuracyDrawing *drawing, const char *name)
{
	ListCell   *cell;

	foreach(cell, drawing->columns)
		if (strcmp(((const SdcAccuracyColumn *) lfirst(cell))->name, name) == 0)
			return lfirst(cell);
	return NULL;
}

/* column_of finds how a column was protected; it is added if nothing was said of it. */
static SdcAccuracyColumn *
column_of(SdcAccuracyDrawing *drawing, const char *name)
{
	SdcAccuracyColumn *column = unconstify(SdcAccuracyColumn *, sdc_accuracyrows_column(drawing, name));

	if (column == NULL)
	{
		column = palloc0(sizeof(SdcAccuracyColumn));
		column->name = name;
		column->method = SDC_METHOD_OTHER;
		drawing->columns = lappend(drawing->columns, column);
	}
	return column;
}

/* take_flag takes a row that says that something is so; false: it says nothing that is known. */
static bool
take_flag(SdcAccuracyColumn *column, const char *measure)
{
	const struct
	{
		const char *measure;
		bool	   *flag;
	}			flags[] = {
		{SDC_MEASURE_KEPT, &column->kept}, {SDC_MEASURE_WHOLE, &column->whole},
		{SDC_MEASURE_CONTINUED, &column->continued}, {SDC_MEASURE_CODES, &column->codes},
		{SDC_MEASURE_BETWEEN, &column->between}, {SDC_MEASURE_BOUNDED, &column->bounded}
	};

	for (int i = 0; i < (int) lengthof(flags); i++)
		if (strcmp(measure, flags[i].measure) == 0)
			return *flags[i].flag = true;
	return false;
}

/* take_scheme takes a row about the scheme of noise; false: it is of something else. */
static bool
take_scheme(SdcAccuracyColumn *column, const char *measure)
{
	for (int i = 0; sdc_noise_schemes[i] != NULL; i++)
		if (strcmp(measure, sdc_noise_schemes[i]) == 0)
		{
			column->scheme = (SdcNoiseScheme) i;
			return true;
		}
	return false;
}

/* take_method takes a row about the method of a column, or how far that moves values; false: it is not known. */
static bool
take_method(SdcAccuracyDrawing *drawing, const char *name, const char *measure, double value)
{
	SdcAccuracyColumn *column = column_of(drawing, name);
	bool		number = value > 0 && isfinite(value);

	if (take_flag(column, measure) || take_scheme(column, measure))
		return true;
	if (strcmp(measure, SDC_METHOD_SUPPRESS) == 0)
		column->suppressed = true;
	else if (strcmp(measure, SDC_METHOD_RECODE) == 0 && strcmp(column->method, SDC_METHOD_OTHER) != 0)
		column->recoded = true;
	else if (strcmp(measure, SDC_MEASURE_COPIED) == 0 || sdc_methods_find(measure)->name != NULL)
	{
		column->recoded = strcmp(column->method, SDC_METHOD_RECODE) == 0;
		column->method = measure;
	}
	else if (strcmp(measure, SDC_PARAMETER_P) == 0 || strcmp(measure, SDC_PARAMETER_BUCKETS) == 0)
		column->reach = number ? value : 0;
	else if (strcmp(measure, SDC_MEASURE_UNIT_CLASS) == 0)
		column->unit_class = number ? value : 0;
	else if (strcmp(measure, SDC_MEASURE_AMOUNT) == 0)
		column->amount = number ? value : 0;
	else
		return strcmp(measure, SDC_METHOD_OTHER) == 0;
	return true;
}

/* take_margin takes a row about the distribution of a column. */
static void
take_margin(SdcAccuracyDrawing *drawing, const char *name, const char *measure, double value)
{
	if (!(value >= 0 && value <= 1))
		return;
	if (strcmp(measure, SDC_MEASURE_KS) == 0)
		column_of(drawing, name)->ks = value;
	else if (strcmp(measure, SDC_MEASURE_KS SDC_MEASURE_ROUNDING) == 0)
		column_of(drawing, name)->ks_rounding = value;
}

/* sdc_accuracyrows_matrix_measure: see accuracyrows.h. */
char *
sdc_accuracyrows_matrix_measure(const char *from, const char *to)
{
	StringInfoData json;

	initStringInfo(&json);
	appendStringInfoChar(&json, '[');
	escape_json(&json, from);
	appendStringInfoString(&json, ", ");
	escape_json(&json, to);
	appendStringInfoChar(&json, ']');
	return json.data;
}

/* take_cell takes a row about a matrix; what nobody has written here is left out. */
static void
take_cell(Reading *reading, const char *column, const char *measure, double p)
{
	MatrixCell *cell = palloc(sizeof(MatrixCell));
	JsonbContainer *array;

	if (measure[0] != '[' || !(p > 0 && p <= 1))
		return;
	array = &DatumGetJsonbP(DirectFunctionCall1(jsonb_in, CStringGetDatum(measure)))->root;
	if (!JsonContainerIsArray(array) || JsonContainerSize(array) != 2)
		return;
	cell->column = column;
	cell->from = sdc_parameters_scalar(getIthJsonbValueFromContainer(array, 0));
	cell->to = sdc_parameters_scalar(getIthJsonbValueFromContainer(array, 1));
	cell->p = p;
	if (cell->from != NULL && cell->to != NULL)
		reading->cells = lappend(reading->cells, cell);
}

/* values_of lists the values of the matrix of a column: each becomes another one, or stays; NIL: too many. */
static List *
values_of(const Reading *reading, const char *column)
{
	List	   *values = NIL;
	ListCell   *cell;

	foreach(cell, reading->cells)
	{
		const MatrixCell *one = lfirst(cell);

		CHECK_FOR_INTERRUPTS();
		if (strcmp(one->column, column) == 0 && !sdc_names_have(values, one->from))
			values = lappend(values, one->from);
		if (list_length(values) > SDC_ACCURACY_MATRIX)
			return NIL;
	}
	return values;
}

/* make_matrix puts the matrix of a column together; NULL: some of its rows are not there, or there are too many. */
static SdcMatrix *
make_matrix(const Reading *reading, const char *column)
{
	List	   *values = values_of(reading, column);
	SdcMatrix  *matrix = palloc0(sizeof(SdcMatrix));
	ListCell   *cell;

	if (values == NIL)
		return NULL;
	matrix->column = column;
	matrix->count = list_length(values);
	matrix->text = palloc(sizeof(char *) * matrix->count);
	matrix->p = palloc0(sizeof(double) * matrix->count * matrix->count);
	foreach(cell, values)
		matrix->text[foreach_current_index(cell)] = lfirst(cell);
	foreach(cell, reading->cells)
	{
		const MatrixCell *one = lfirst(cell);
		int			to = strcmp(one->column, column) == 0 ? sdc_names_index(values, one->to) : -1;

		if (to >= 0)
			matrix->p[sdc_names_index(values, one->from) * matrix->count + to] = one->p;
	}
	for (int i = 0; i < matrix->count; i++)
	{
		double		sum = 0;

		for (int j = 0; j < matrix->count; j++)
			sum += matrix->p[i * matrix->count + j];
		if (fabs(sum - 1) > 1e-6)
			return NULL;
	}
	return matrix;
}

/* make_matrices makes all of them. */
static void
make_matrices(Reading *reading)
{
	List	   *made = NIL;
	ListCell   *cell;

	foreach(cell, reading->cells)
	{
		const char *column = ((const MatrixCell *) lfirst(cell))->column;
		SdcMatrix  *matrix;

		CHECK_FOR_INTERRUPTS();
		if (sdc_names_have(made, column))
			continue;
		made = lappend(made, unconstify(char *, column));
		matrix = make_matrix(reading, column);
		if (matrix != NULL)
			reading->drawing->matrices = lappend(reading->drawing->matrices, matrix);
	}
}

/* take_all takes a row about the methods of all columns; false: it is not known. */
static bool
take_all(SdcAccuracyDrawing *drawing, const char *measure, double value)
{
	if (strcmp(measure, SDC_MEASURE_DRAWS) == 0)
		drawing->draws = value >= 1 && value <= MaxHeapAttributeNumber ? (int) value : drawing->draws;
	else if (strcmp(measure, SDC_MEASURE_RETAIN) == 0)
		drawing->retain = value > 0 && value < 1 ? value : drawing->retain;
	else if (strcmp(measure, SDC_MEASURE_STRATUM) == 0)
		drawing->hidden_strata = true;
	else if (strcmp(measure, SDC_MEASURE_UNITS) == 0)
		drawing->units = true;
	else if (strcmp(measure, SDC_MEASURE_PART) == 0)
		drawing->part = true;
	else
		return strcmp(measure, SDC_MEASURE_PROBABILITY SDC_MEASURE_ROUNDING) == 0;
	return true;
}

/* take_method_row takes a row about a method, of one column or of all. */
static void
take_method_row(Reading *reading, TupleTableSlot *slot)
{
	SdcAccuracyDrawing *drawing = reading->drawing;
	char	   *measure = TextDatumGetCString(slot->tts_values[2]);
	char	   *attribute = slot->tts_isnull[1] ? NULL : pstrdup(NameStr(*DatumGetName(slot->tts_values[1])));
	double	   *value = palloc(sizeof(double));

	*value = slot->tts_isnull[3] ? NAN : DatumGetFloat8(slot->tts_values[3]);
	if (attribute == NULL)
		reading->unknown |= !take_all(drawing, measure, *value);
	else if (strcmp(measure, SDC_MEASURE_STRATUM) == 0)
		drawing->strata = lappend(drawing->strata, attribute);
	else if (strcmp(measure, SDC_MEASURE_PROBABILITY) == 0 && isnan(*value))
		reading->withheld = true;
	else if (strcmp(measure, SDC_MEASURE_PROBABILITY) == 0)
	{
		if (!(*value >= 0 && *value <= 1))
			return;
		reading->drawn = lappend(reading->drawn, attribute);
		reading->probabilities = lappend(reading->probabilities, value);
	}
	else
	{
		reading->unknown |= !take_method(drawing, attribute, measure, *value);
		if (strcmp(measure, SDC_METHOD_RANDOMIZE) == 0 || strcmp(measure, SDC_METHOD_PRAM) == 0)
			reading->randomized = lappend(reading->randomized, attribute);
	}
}

/* take_row takes a row of the table: SdcSpiRow. */
static void
take_row(void *arg, TupleTableSlot *slot)
{
	Reading    *reading = arg;
	MemoryContext before = MemoryContextSwitchTo(reading->context);
	const char *part;

	slot_getallattrs(slot);
	part = slot->tts_isnull[0] || slot->tts_isnull[2] ? "" : TextDatumGetCString(slot->tts_values[0]);
	if (strcmp(part, SDC_PART_METHOD) == 0)
		take_method_row(reading, slot);
	else if (*part != '\0' && !slot->tts_isnull[1] && !slot->tts_isnull[3])
	{
		char	   *attribute = pstrdup(NameStr(*DatumGetName(slot->tts_values[1])));
		char	   *measure = TextDatumGetCString(slot->tts_values[2]);
		double		value = DatumGetFloat8(slot->tts_values[3]);

		if (strcmp(part, SDC_PART_MATRIX) == 0)
			take_cell(reading, attribute, measure, value);
		else if (strcmp(part, SDC_PART_MARGINS) == 0)
			take_margin(reading->drawing, attribute, measure, value);
	}
	MemoryContextSwitchTo(before);
}

/* conclude puts together what was read: draws of the randomized columns, what they retain, or a probability of each. */
static void
conclude(Reading *reading)
{
	SdcAccuracyDrawing *drawing = reading->drawing;
	int			count = list_length(reading->randomized);
	double	   *probability = palloc(sizeof(double) * Max(count, 1));
	ListCell   *cell;

	foreach(cell, drawing->columns)
	{
		SdcAccuracyColumn *column = lfirst(cell);

		if (column->suppressed && strcmp(column->method, SDC_METHOD_OTHER) == 0)
			column->method = SDC_METHOD_SUPPRESS;
	}
	if (drawing->draws > count)
		return;
	if (drawing->draws == 0 && drawing->retain == 0)
	{
		foreach(cell, reading->randomized)
		{
			int			place = sdc_names_index(reading->drawn, lfirst(cell));

			if (place < 0)
				return;
			probability[foreach_current_index(cell)] = *(double *) list_nth(reading->probabilities, place);
		}
		drawing->probability = probability;
	}
	drawing->qi = reading->randomized;
}

/* sdc_accuracyrows_visit: the rows are read as every relation is. */
bool
sdc_accuracyrows_visit(Oid catalog_schema, Oid publication, SdcSpiRow row, void *arg)
{
	Oid			table = find(catalog_schema, publication);
	SdcActAs	before;
	Oid			reader;

	if (!OidIsValid(table))
		return false;
	reader = sdc_trust_reader(table, false);
	sdc_spi_connect();
	sdc_actas_begin(&before, reader);
	sdc_spi_select_rows(psprintf("SELECT t.part, t.attribute, t.measure, t.value FROM %s AS t", sdc_spi_relation_name(table)),
						row, arg);
	sdc_actas_end(&before);
	sdc_spi_finish();
	return true;
}

/* sdc_accuracyrows_read: see accuracyrows.h. */
bool
sdc_accuracyrows_read(Oid catalog_schema, Oid publication, SdcAccuracyDrawing *drawing)
{
	Reading		reading = {.drawing = drawing, .context = CurrentMemoryContext};

	memset(drawing, 0, sizeof(SdcAccuracyDrawing));
	if (!sdc_accuracyrows_visit(catalog_schema, publication, take_row, &reading))
		return false;
	if (reading.unknown)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("\"%s\" was protected in a way that this version of sdc does not know", get_rel_name(publication)),
				 errdetail("Its accuracy table says so."),
				 errhint("A later version has published it: install that.")));
	conclude(&reading);
	make_matrices(&reading);
	return !reading.withheld;
}
