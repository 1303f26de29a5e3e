/*-------------------------------------------------------------------------
 *
 * numericcolumns.c
 *		The numeric columns of a relation, or of a release and its source side by side.
 *
 * The attributes are the columns of numbers, dates and times that are no key.  The bins of a release by
 * equi-depth or equi-width swapping follow from its source and its parameters: they are made again.
 *
 * Memory: eight bytes a record, attribute and file.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "access/relation.h"
#include "miscadmin.h"
#include "relation/base/memory.h"
#include "relation/base/names.h"
#include "relation/base/progress.h"
#include "relation/base/spi.h"
#include "relation/catalog/methods.h"
#include "relation/catalog/steps.h"
#include "relation/column/paircodes.h"
#include "relation/frame/numericcolumns.h"
#include "relation/read/missing.h"
#include "relation/read/fingerprint.h"
#include "relation/read/reader.h"
#include "relation/rights/label.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"

/*
 * number_columns lists the columns of a relation that have numbers, dates or times, without those of
 * a list; release, if it is one, must have them too.
 */
static List *
number_columns(Oid relid, Oid release, const List *without)
{
	Relation	rel = sdc_source_open(relid, AccessShareLock);
	SdcRole    *roles = sdc_label_roles(relid, NULL);
	List	   *names = NIL;

	for (int i = 0; i < RelationGetNumberOfAttributes(rel); i++)
	{
		Form_pg_attribute att = TupleDescAttr(RelationGetDescr(rel), i);
		char	   *name = NameStr(att->attname);
		SdcType		type;

		if (att->attisdropped || sdc_names_have(without, name) || roles[i] == SDC_ROLE_IDENTIFIER)
			continue;
		if (OidIsValid(release) && (get_attnum(release, name) <= 0 ||
									get_atttype(release, get_attnum(release, name)) != att->atttypid))
			continue;
		sdc_type_lookup(&type, att->atttypid, att->attcollation);
		if (type.orderable && type.kind != SDC_VALUE_NOMINAL)
			names = lappend(names, pstrdup(name));
	}
	relation_close(rel, NoLock);
	return names;
}

/* take_numbers reads the numbers of a column of a relation. */
static double *
take_numbers(SdcSource *source, const char *name)
{
	SdcAttribute *attribute = sdc_openrelease_attribute(source, name);
	SdcColumnReader *reader = sdc_column_open(attribute->column);
	double	   *number = sdc_memory_array(source->records, sizeof(double));

	for (uint64 r = 0; r < source->records; r++)
	{
		Datum		value;
		bool		valid = sdc_column_next(reader, &value);

		number[r] = valid ? sdc_type_number(&attribute->type, value) : NAN;
		if (r % 4096 == 0)
			CHECK_FOR_INTERRUPTS();
	}
	sdc_column_close(reader);
	return number;
}

/* take_columns takes all attributes of one relation, or of two. */
static void
take_columns(SdcNumericColumns *numbers, const List *names, const List *columns, SdcSource *source,
			 SdcSource *release)
{
	ListCell   *cell;

	numbers->records = source->records;
	numbers->attributes = list_length(names);
	numbers->name = palloc(sizeof(char *) * Max(numbers->attributes, 1));
	numbers->original = palloc(sizeof(double *) * Max(numbers->attributes, 1));
	numbers->swapped = palloc(sizeof(bool) * Max(numbers->attributes, 1));
	if (release != NULL)
		numbers->protected = palloc(sizeof(double *) * Max(numbers->attributes, 1));
	sdc_progress_coding(numbers->attributes);
	foreach(cell, names)
	{
		int			i = foreach_current_index(cell);

		numbers->name[i] = lfirst(cell);
		numbers->swapped[i] = sdc_names_have(columns, lfirst(cell));
		numbers->original[i] = take_numbers(source, lfirst(cell));
		if (release != NULL)
			numbers->protected[i] = take_numbers(release, lfirst(cell));
		sdc_progress_next();
	}
}

/* find_set returns the indexes of the swapping set in a source. */
static int *
find_set(SdcSource *source, const List *columns, int *count)
{
	int		   *attribute = palloc(sizeof(int) * Max(list_length(columns), 1));

	*count = 0;
	for (int i = 0; i < source->attribute_count; i++)
		if (sdc_names_have(columns, NameStr(source->attributes[i].name)))
			attribute[(*count)++] = i;
	return attribute;
}

/* make_bins partitions the records of a source by the swapping set. */
static void
make_bins(SdcNumericColumns *numbers, const SdcBinRequest *request, SdcSource *source,
		  const List *columns)
{
	int			count;
	int		   *attribute = find_set(source, columns, &count);
	SdcBins    *bins;

	if (count == 0)
		return;
	sdc_progress_evaluating(source->records, 1);
	bins = sdc_bins_make(request, source, attribute, count);
	for (int i = 0; i < bins->attributes; i++)
		sdc_free(bins->value[i]);
	numbers->bin = bins->bin;
	numbers->bins = bins->bins;
	numbers->singles = bins->singles;
}

/* check_numbers insists on columns of numbers, dates and times. */
static void
check_numbers(SdcSource *source, const List *columns)
{
	ListCell   *cell;

	foreach(cell, columns)
	{
		SdcAttribute *attribute = sdc_openrelease_attribute(source, lfirst(cell));

		if (attribute->type.kind == SDC_VALUE_NOMINAL)
			ereport(ERROR,
					(errcode(ERRCODE_DATATYPE_MISMATCH),
					 errmsg("column \"%s\" has no numbers", NameStr(attribute->name)),
					 errdetail("Its type is %s.", format_type_be(attribute->type.typid)),
					 errhint("Name columns of numbers, dates or times.")));
	}
}

/* other_columns lists the columns of numbers that are neither in the swapping set nor strata nor key. */
static List *
other_columns(const SdcNumericRequest *request, const SdcSource *source)
{
	List	   *without = list_concat_copy(request->columns, request->strata);

	for (int i = 0; i < source->key_count; i++)
		without = lappend(without, NameStr(source->attributes[source->key[i]].name));
	if (request->rebinned)
		without = list_concat(without, sdc_source_primary_key(request->relid));
	return number_columns(request->relid, InvalidOid, without);
}

/* sdc_numericcolumns_load reads the numbers of a relation. */
SdcNumericColumns *
sdc_numericcolumns_load(const SdcNumericRequest *request)
{
	MemoryContext context = CurrentMemoryContext;
	MemoryContext work;
	SdcNumericColumns *numbers = palloc0(sizeof(SdcNumericColumns));
	SdcSourceRequest plan = {0};
	SdcSource  *source;
	SdcSpool   *spool;
	List	   *names;

	plan.relid = request->relid;
	plan.columns_given = true;
	plan.columns = request->columns;
	plan.key_given = request->key_given;
	plan.key = request->key;
	plan.strata = request->strata;
	plan.only_needed = true;
	/* bins can depend on the order of the records */
	plan.unordered = request->bins == NULL;
	sdc_source_check_kind(request->relid);
	sdc_source_check_readable(request->relid);
	source = sdc_source_plan(&plan);
	check_numbers(source, request->columns);
	if (!request->only_columns)
	{
		plan.also = other_columns(request, source);
		numbers->partial = request->rebinned && !sdc_fingerprint_may_read(request->relid, plan.also);
		if (numbers->partial)
			plan.also = NIL;
		source = sdc_source_plan(&plan);
	}
	names = list_concat_copy(request->columns, plan.also);
	sdc_spi_connect();
	work = AllocSetContextCreate(context, "sdc numbers", ALLOCSET_DEFAULT_SIZES);
	MemoryContextSwitchTo(work);
	spool = sdc_spool_create(sdc_memory_budget() / 4, source->attribute_count + 2);
	sdc_progress_start(request->relid, list_length(names));
	sdc_reader_read(source, spool);
	sdc_spool_set_limit(spool, 0);
	MemoryContextSwitchTo(context);
	take_columns(numbers, names, request->columns, source, NULL);
	if (request->bins != NULL)
		make_bins(numbers, request->bins, source, request->columns);
	if (request->rebinned && !numbers->partial)
	{
		int			count;
		int		   *attribute = find_set(source, request->columns, &count);

		numbers->binning = sdc_binning_open(source, attribute, count, true);
	}
	sdc_spool_destroy(spool);
	MemoryContextDelete(work);
	sdc_spi_finish();
	sdc_progress_evaluating(numbers->records, 1);
	return numbers;
}

/* read_widths reads the widths of the columns of a step. */
static bool
read_widths(const SdcStep *step, SdcBinRequest *request)
{
	SdcParameters *named = sdc_parameters_inner(step->parameters, SDC_PARAMETER_WIDTHS);
	double	   *widths;
	ListCell   *cell;

	if (named == NULL)
		return false;
	widths = palloc(sizeof(double) * Max(list_length(step->columns), 1));
	foreach(cell, step->columns)
	{
		double		number = sdc_parameters_number(named, lfirst(cell));

		if (!(number > 0))
			continue;
		widths[request->width_count++] = number;
		request->columns = lappend(request->columns, lfirst(cell));
	}
	request->widths = widths;
	return request->width_count > 0;
}

/*
 * release_bins finds out how a release was made, as far as its bins are known: one of its steps swaps a
 * set of columns in bins, whose names it returns.
 */
static List *
release_bins(const SdcReleaseRow *row, SdcBinRequest *request)
{
	List	   *steps = sdc_steps_of(row);
	const SdcStep *step = sdc_steps_only(steps, SDC_METHOD_EQUIDEPTH);
	const SdcStep *wide = sdc_steps_only(steps, SDC_METHOD_EQUIWIDTH);
	double		number;

	memset(request, 0, sizeof(SdcBinRequest));
	if ((step == NULL) == (wide == NULL))
		return NIL;
	request->kind = step != NULL ? SDC_BIN_EQUIDEPTH : SDC_BIN_EQUIWIDTH;
	step = step != NULL ? step : wide;
	if (sdc_parameters_has(step->parameters, SDC_PARAMETER_COMPLEMENT))
		return NIL;
	request->columns = step->columns;
	number = sdc_parameters_number(step->parameters, request->kind == SDC_BIN_EQUIDEPTH ?
								   SDC_PARAMETER_DEPTH : SDC_PARAMETER_INTERVALS);
	if (number >= (request->kind == SDC_BIN_EQUIDEPTH ? 2 : 1) && number <= PG_INT32_MAX)
	{
		request->depth = request->intervals = (uint32) number;
		return step->columns;
	}
	request->columns = NIL;
	return request->kind == SDC_BIN_EQUIWIDTH && read_widths(step, request) ? step->columns : NIL;
}

/* sdc_numericcolumns_load_release reads a release and its source. */
SdcNumericColumns *
sdc_numericcolumns_load_release(Oid catalog_schema, Oid release, bool bins)
{
	SdcNumericColumns *numbers = palloc0(sizeof(SdcNumericColumns));
	SdcOpenRelease *opened = sdc_openrelease_find(catalog_schema, release, false);
	SdcReleaseRow *row = &opened->row;
	SdcBinRequest request;
	List	   *swapped = bins ? release_bins(row, &request) : NIL;
	SdcSource  *source;
	SdcSource  *protected;
	List	   *names;

	sdc_openrelease_check_values(opened, sdc_steps_value_columns(&opened->row));
	numbers->row = *row;
	opened->with_strata = swapped != NIL;
	names = number_columns(row->source, row->release, row->key);
	if (swapped != NIL)
		names = sdc_names_without(names, row->strata);
	sdc_openrelease_plan(opened, sdc_names_without(names, row->columns), names);
	sdc_openrelease_load(opened);
	for (int i = 0; i < 2; i++)
		sdc_spool_set_limit(opened->spools[i], 0);
	source = sdc_missing_source(opened->source, opened->spools[0]);
	protected = sdc_missing_source(opened->release, opened->spools[1]);
	take_columns(numbers, names, swapped != NIL ? swapped : row->columns, source, protected);
	if (swapped != NIL)
		make_bins(numbers, &request, source, swapped);
	sdc_openrelease_end(opened);
	sdc_progress_evaluating(numbers->records, 1);
	return numbers;
}

/* sdc_numericcolumns_bias: see numericcolumns.h. */
SdcBiasTask
sdc_numericcolumns_bias(const SdcNumericColumns *numbers)
{
	SdcBiasTask task = {0};

	task.value = (const double *const *) numbers->original;
	task.attributes = numbers->attributes;
	task.records = (uint32) numbers->records;
	task.swapped = numbers->swapped;
	task.bin = numbers->bin;
	task.bins = numbers->bins;
	return task;
}

/* sdc_numericcolumns_find returns the index of a named attribute. */
int
sdc_numericcolumns_find(const SdcNumericColumns *numbers, const char *name, const char *argument)
{
	for (int i = 0; i < numbers->attributes; i++)
		if (strcmp(numbers->name[i], name) == 0)
			return i;
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("column \"%s\" has no numbers in both source and release", name),
			 errdetail("It is named in argument \"%s\".", argument)));
	return -1;					/* not reached */
}
