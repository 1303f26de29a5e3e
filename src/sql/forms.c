/*-------------------------------------------------------------------------
 *
 * forms.c
 *		The forms of the functions that protect.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "catalog/pg_type.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "method/pipeline.h"
#include "method/recordswap.h"
#include "relation/catalog/catalogtable.h"
#include "relation/catalog/methods.h"
#include "sql/args.h"
#include "sql/continuingargs.h"
#include "sql/forms.h"
#include "sql/rows.h"
#include "sql/unitargs.h"
#include "utils/array.h"
#include "utils/builtins.h"

/* read_common reads the arguments of both forms, from number first on; draws: there is a seed. */
static void
read_common(FunctionCallInfo fcinfo, SdcProtection *protection, int first, bool draws)
{
	SdcSourceRequest *request = &protection->request;

	protection->catalog_schema = sdc_catalogtable_schema();
	request->key_given = sdc_args_names(fcinfo, first, "key", &request->key);
	(void) sdc_args_names(fcinfo, first + 1, "strata", &request->strata);
	(void) sdc_args_names(fcinfo, first + 2, "omit", &request->omit);
	request->keep_given = sdc_args_names(fcinfo, first + 3, "keep", &request->keep);
	if (draws)
		protection->seed = sdc_args_seed(fcinfo, first + 4);
}

/* read_own reads the method's own arguments: those of one step. */
static void
read_own(FunctionCallInfo fcinfo, const SdcForms *forms, SdcProtection *protection)
{
	if (forms->read_steps != NULL)
	{
		forms->read_steps(fcinfo, protection);
		return;
	}
	protection->steps = palloc0(sizeof(SdcMethodStep));
	protection->step_count = 1;
	protection->steps->place = "";
	forms->read(fcinfo, protection->steps);
	protection->method = protection->steps->method->name;
}

/* last_arguments tells what the last arguments say: of one method that does not know it, also how units are swapped. */
static int
last_arguments(const SdcForms *forms, const SdcProtection *protection)
{
	return SDC_UNITARGS_WEIGHT | SDC_UNITARGS_GROUP |
		(forms->read_steps == NULL && sdc_methods_swaps_units(protection->steps->method) ?
								  SDC_UNITARGS_METHOD : 0);
}

/*
 * The columns of a report: those of every method, those of methods with bins, those of what can be continued, and
 * those of areas and about units and weights.  The largest move of a value in its bin comes behind of methods with
 * bins, or stands where the largest distance of two partners does.  Behind it are those about missing codes, averages,
 * suppressed values, totals and levels of hierarchies.
 */
#define COLUMNS_OF_ANY 7
#define COLUMNS_OF_BINS 2
#define COLUMNS_BEHIND 2
#define COLUMNS_OF_CONTINUED 6
#define COLUMNS_OF_UNITS 5
#define CONTINUED_PAIRS 3
#define COLUMNS_OF_AREAS 8
#define AREAS_OF_EVERY_LEVEL 5
#define COLUMNS_OF_AVERAGES 2
#define COLUMNS_OF_LOSSES 4

/* has_all tells whether the report has the columns of all methods, as it is about steps. */
static bool
has_all(const SdcProtection *protection)
{
	return protection->step_count > 1 || protection->steps->place[0] != '\0';
}

/* has_method tells whether the report has the columns of a method. */
static bool
has_method(const SdcProtection *protection, const char *method)
{
	return has_all(protection) || strcmp(protection->steps->method->name, method) == 0;
}

/* has_bins tells whether the report has the columns of methods with bins. */
static bool
has_bins(const SdcProtection *protection)
{
	return has_all(protection) || protection->steps->method->bins;
}

/* has_continued tells whether the report has the columns about a release that is continued. */
static bool
has_continued(const SdcProtection *protection)
{
	return has_all(protection) || protection->steps->can_continue;
}

/* in_bins tells whether a column was swapped in bins. */
static bool
in_bins(const SdcProtection *protection, const SdcAttribute *attribute)
{
	return attribute->action == SDC_ACTION_PROTECTED &&
		protection->steps[attribute->step].method->bins;
}

/* put_bins sets the columns about bins, and counts them. */
static void
put_bins(const SdcProtection *protection, const SdcAttribute *attribute, Datum *values, bool *nulls, int *more)
{
	values[*more] = Int64GetDatum((int64) attribute->bins);
	values[*more + 1] = Int64GetDatum((int64) attribute->single_bins);
	nulls[*more] = nulls[*more + 1] = !in_bins(protection, attribute);
	*more += COLUMNS_OF_BINS;
}

/* put_largest sets the largest move of a value in its bin, if the column was swapped in bins. */
static void
put_largest(const SdcProtection *protection, const SdcAttribute *attribute, Datum *value, bool *isnull)
{
	if (!in_bins(protection, attribute))
		return;
	*value = Float8GetDatum(attribute->largest_move);
	*isnull = false;
}

/* put_again sets the columns about a release that is continued. */
static void
put_again(const SdcAttribute *attribute, Datum *values, bool *nulls)
{
	const SdcContinuation *continuation = &attribute->continuation;
	const Datum of[COLUMNS_OF_CONTINUED] = {
		Int64GetDatum((int64) continuation->kept), Int64GetDatum((int64) continuation->drawn),
		Int64GetDatum((int64) continuation->waiting), Int64GetDatum((int64) continuation->widows),
		Float8GetDatum(continuation->beyond), Float8GetDatum(continuation->largest)
	};

	for (int i = 0; i < COLUMNS_OF_CONTINUED; i++)
	{
		values[i] = of[i];
		/* of what has no pairs there is nothing to say from here on */
		nulls[i] = !attribute->continued || (i >= CONTINUED_PAIRS && isnan(continuation->largest));
	}
}

/* put_averages sets the columns about the groups whose averages a column has. */
static void
put_averages(const SdcAttribute *attribute, Datum *values, bool *nulls)
{
	values[0] = Int64GetDatum((int64) attribute->averages.groups);
	values[1] = Float8GetDatum(attribute->averages.sse_percent);
	nulls[0] = !attribute->averaged;
	nulls[1] = !attribute->averaged || isnan(attribute->averages.sse_percent);
}

/* put_losses sets the columns about suppressed values, totals and levels of hierarchies that the report has. */
static void
put_losses(const SdcProtection *protection, const SdcAttribute *attribute, Datum *values, bool *nulls)
{
	bool		averages = has_method(protection, SDC_METHOD_MICROAGGREGATE);
	bool		levels = has_method(protection, SDC_METHOD_GENERALIZE);
	const SdcLeveled *leveled = &attribute->leveled;

	if (!averages && !levels && !has_method(protection, SDC_METHOD_SUPPRESS))
		return;
	*nulls++ = !attribute->suppressible && !attribute->averaged && !leveled->made;
	*values++ = Int64GetDatum((int64) (attribute->suppressible ? attribute->suppressed :
									   attribute->averaged ? attribute->averages.suppressed : leveled->suppressed));
	if (averages)
	{
		*nulls++ = !attribute->averaged || isnan(attribute->averages.total_change);
		*values++ = Float8GetDatum(attribute->averages.total_change);
	}
	if (levels)
	{
		*nulls++ = !leveled->single;
		*values++ = Int32GetDatum((int32) leveled->level);
		*nulls = !leveled->made;
		*values = Float8GetDatum(leveled->loss);
	}
}

/* pairs_datum makes an array of the numbers of pairs of every profile. */
static Datum
pairs_datum(const SdcAreaReport *areas)
{
	Datum	   *pairs = palloc(sizeof(Datum) * areas->profiles);

	for (int f = 0; f < areas->profiles; f++)
		pairs[f] = Int64GetDatum((int64) areas->pairs[f]);
	return PointerGetDatum(construct_array(pairs, areas->profiles, INT8OID, sizeof(int64), FLOAT8PASSBYVAL,
										   TYPALIGN_DOUBLE));
}

/* put_areas sets the columns about the areas of a level. */
static void
put_areas(const SdcAreaReport *areas, Datum *values, bool *nulls)
{
	for (int i = 0; i < COLUMNS_OF_AREAS; i++)
		nulls[i] = areas == NULL || (i >= AREAS_OF_EVERY_LEVEL && !areas->last);
	if (areas == NULL)
		return;
	values[0] = Int64GetDatum((int64) areas->at_risk);
	values[1] = Int64GetDatum((int64) areas->swapped);
	values[2] = Int64GetDatum((int64) areas->partial);
	values[3] = pairs_datum(areas);
	values[4] = Int64GetDatum((int64) areas->at_risk_after);
	values[5] = Int64GetDatum((int64) areas->target);
	values[6] = Int64GetDatum((int64) areas->unmatched);
	values[7] = Int64GetDatum((int64) areas->lacking);
}

/* put_units sets the columns about units, and that about weights. */
static void
put_units(const SdcSource *source, const SdcAttribute *attribute, const SdcProtection *protection, Datum *values,
		  bool *nulls)
{
	bool		is_protected = attribute->action == SDC_ACTION_PROTECTED;
	bool		by_rows = is_protected && attribute->level == SDC_LEVEL_ROW;

	nulls[0] = attribute->level == SDC_LEVEL_UNKNOWN;
	values[0] = nulls[0] ? (Datum) 0 : CStringGetTextDatum(attribute->level == SDC_LEVEL_UNIT ? "unit" : "row");
	nulls[1] = source->units == NULL;
	values[1] = nulls[1] ? (Datum) 0 : Int64GetDatum((int64) source->units_found);
	nulls[2] = !by_rows || protection->steps[attribute->step].unit_rows != SDC_UNIT_ROWS_WHOLE;
	values[2] = Int64GetDatum((int64) attribute->alone);
	nulls[3] = source->units == NULL || !attribute->counted_within;
	values[3] = Int64GetDatum((int64) attribute->within_unit);
	nulls[4] = sdc_source_weight(source) == NULL || attribute->action == SDC_ACTION_ADDED ||
		isnan(attribute->weighted_change);
	values[4] = Float8GetDatum(attribute->weighted_change);
}

/* report_attribute adds to the report what happened to a column. */
static void
report_attribute(FunctionCallInfo fcinfo, const SdcSource *source, const SdcAttribute *attribute,
				 const SdcProtection *protection, Oid release)
{
	bool		is_protected = attribute->action == SDC_ACTION_PROTECTED;
	Datum		values[COLUMNS_OF_ANY + COLUMNS_OF_BINS + COLUMNS_OF_CONTINUED + COLUMNS_OF_AREAS +
					   COLUMNS_OF_UNITS + COLUMNS_BEHIND + COLUMNS_OF_AVERAGES + COLUMNS_OF_LOSSES] = {0};
	bool		nulls[lengthof(values)] = {false};
	int			more = COLUMNS_OF_ANY;

	values[0] = ObjectIdGetDatum(release);
	values[1] = NameGetDatum(&attribute->name);
	values[2] = CStringGetTextDatum(sdc_action_name(attribute->action));
	nulls[3] = !is_protected;
	if (is_protected)
		values[3] = CStringGetTextDatum(protection->steps[attribute->step].method->name);
	values[4] = Int64GetDatum((int64) source->records);
	values[5] = Int64GetDatum((int64) attribute->changed);
	nulls[5] = attribute->action == SDC_ACTION_OMITTED || attribute->action == SDC_ACTION_ADDED;
	nulls[6] = !is_protected || source->records == 0;
	if (!nulls[6])
		values[6] = Float8GetDatum(100.0 * attribute->changed / source->records);
	if (has_bins(protection))
		put_bins(protection, attribute, values, nulls, &more);
	if (has_continued(protection))
	{
		put_again(attribute, values + more, nulls + more);
		more += COLUMNS_OF_CONTINUED;
		put_largest(protection, attribute, &values[more - 1], &nulls[more - 1]);
	}
	if (has_method(protection, SDC_METHOD_RECORD_SWAP))
	{
		put_areas(attribute->areas, values + more, nulls + more);
		more += COLUMNS_OF_AREAS;
	}
	put_units(source, attribute, protection, values + more, nulls + more);
	more += COLUMNS_OF_UNITS;
	if (has_bins(protection) && !has_continued(protection))
	{
		nulls[more] = true;
		put_largest(protection, attribute, &values[more], &nulls[more]);
		more++;
	}
	nulls[more] = attribute->missing == NULL || attribute->action == SDC_ACTION_OMITTED;
	values[more] = Int64GetDatum((int64) attribute->coded_records);
	more++;
	if (has_method(protection, SDC_METHOD_MICROAGGREGATE))
	{
		put_averages(attribute, values + more, nulls + more);
		more += COLUMNS_OF_AVERAGES;
	}
	put_losses(protection, attribute, values + more, nulls + more);
	sdc_rows_put(fcinfo, values, nulls);
}

/* report_added adds to the report a column that only the release has. */
static void
report_added(FunctionCallInfo fcinfo, const SdcSource *source, const SdcProtection *protection, const char *name,
			 Oid release)
{
	SdcAttribute added = {.action = SDC_ACTION_ADDED};

	namestrcpy(&added.name, name);
	report_attribute(fcinfo, source, &added, protection, release);
}

/*
 * return_report returns what happened to every column of the source, in their order, and behind them
 * the columns that only the release has, in theirs.
 */
static void
return_report(FunctionCallInfo fcinfo, const SdcSource *source, const SdcProtection *protection,
			  Oid release)
{
	for (int i = 0; i < source->attribute_count; i++)
		report_attribute(fcinfo, source, &source->attributes[i], protection, release);
	if (sdc_source_has_group_column(source))
		report_added(fcinfo, source, protection, SDC_GROUP_COLUMN, release);
	if (sdc_source_has_row_column(source))
		report_added(fcinfo, source, protection, SDC_ROW_COLUMN, release);
}

/* write_release reads the arguments, writes the release and reports. */
static Datum
write_release(FunctionCallInfo fcinfo, const SdcForms *forms, Oid relid)
{
	int			target = forms->first;
	int			replace = forms->first + (forms->draws ? 6 : 5);
	bool		continued_last = forms->continues && !forms->draws;
	SdcProtection protection = {0};
	SdcSource  *source;
	Oid			release;

	PreventCommandIfReadOnly("protecting into a table");
	sdc_rows_begin(fcinfo, 0);
	protection.request.relid = relid;
	read_own(fcinfo, forms, &protection);
	read_common(fcinfo, &protection, forms->first + 1, forms->draws);
	if (!PG_ARGISNULL(target))
		protection.target = text_to_cstring(PG_GETARG_TEXT_PP(target));
	sdc_args_require(fcinfo, replace, "replace");
	protection.replace = PG_GETARG_BOOL(replace);
	if (forms->continues)
		sdc_continuingargs_read(fcinfo, continued_last ? fcinfo->nargs - 1 : replace + 1,
								protection.steps->default_lot > 0, protection.steps);
	sdc_unitargs_read(fcinfo, &protection, last_arguments(forms, &protection),
					  fcinfo->nargs - forms->behind - (continued_last ? 1 : 0));
	source = sdc_pipeline_to_table(&protection, &release);
	return_report(fcinfo, source, &protection, release);
	return (Datum) 0;
}

/* sdc_forms_text is the form that takes the name of a table. */
Datum
sdc_forms_text(FunctionCallInfo fcinfo, const SdcForms *forms)
{
	return write_release(fcinfo, forms, sdc_args_relation_text(fcinfo, 0));
}

/* sdc_forms_regclass is the form that takes a table's OID. */
Datum
sdc_forms_regclass(FunctionCallInfo fcinfo, const SdcForms *forms)
{
	return write_release(fcinfo, forms, sdc_args_relation(fcinfo, 0, "relation"));
}

/* sdc_forms_rows is the row type form. */
Datum
sdc_forms_rows(FunctionCallInfo fcinfo, const SdcForms *forms)
{
	ReturnSetInfo *result = (ReturnSetInfo *) fcinfo->resultinfo;
	SdcProtection protection = {0};

	protection.request.relid = sdc_args_row_type(fcinfo, 0);
	protection.request.keeps_row_type = true;
	sdc_rows_begin(fcinfo, MAT_SRF_USE_EXPECTED_DESC);
	read_own(fcinfo, forms, &protection);
	read_common(fcinfo, &protection, forms->first, forms->draws);
	sdc_unitargs_read(fcinfo, &protection, last_arguments(forms, &protection), fcinfo->nargs - forms->behind);
	sdc_pipeline_to_store(&protection, result->setResult, result->setDesc);
	return (Datum) 0;
}

/* sdc_forms_continue: see forms.h. */
Datum
sdc_forms_continue(FunctionCallInfo fcinfo, const SdcForms *forms)
{
	int			target = forms->first;
	int			before = target + 5;
	SdcProtection protection = {0};
	SdcSource  *source;
	Oid			release;
	Datum		values[6];
	bool		nulls[6] = {false};

	PreventCommandIfReadOnly("protecting into a table");
	sdc_rows_begin(fcinfo, 0);
	protection.request.relid = sdc_args_relation(fcinfo, 0, "source");
	read_own(fcinfo, forms, &protection);
	read_common(fcinfo, &protection, target + 1, false);
	sdc_args_require(fcinfo, target, "target");
	protection.target = text_to_cstring(PG_GETARG_TEXT_PP(target));
	if (!PG_ARGISNULL(before))
		protection.before = sdc_args_relation(fcinfo, before, "before");
	sdc_args_require(fcinfo, before + 1, "skip");
	protection.skip_unchanged = PG_GETARG_BOOL(before + 1);
	sdc_unitargs_read(fcinfo, &protection, SDC_UNITARGS_WEIGHT | SDC_UNITARGS_GROUP, fcinfo->nargs);
	source = sdc_pipeline_to_table(&protection, &release);
	values[0] = ObjectIdGetDatum(release);
	values[1] = Int64GetDatum((int64) source->records);
	values[2] = BoolGetDatum(release == protection.before);
	values[3] = Int64GetDatum((int64) (protection.turnover.stay + protection.turnover.gone));
	values[4] = Int64GetDatum((int64) protection.turnover.gone);
	values[5] = Int64GetDatum((int64) protection.turnover.arrived);
	nulls[3] = nulls[4] = nulls[5] = !protection.turnover.known;
	sdc_rows_put(fcinfo, values, nulls);
	return (Datum) 0;
}

/* sdc_forms_plan: see forms.h. */
Datum
sdc_forms_plan(FunctionCallInfo fcinfo, const SdcForms *forms)
{
	SdcProtection protection = {0};
	SdcSource  *source;

	sdc_rows_begin(fcinfo, 0);
	protection.request.relid = sdc_args_relation(fcinfo, 0, "source");
	read_own(fcinfo, forms, &protection);
	read_common(fcinfo, &protection, forms->first, false);
	sdc_unitargs_read(fcinfo, &protection, SDC_UNITARGS_WEIGHT | SDC_UNITARGS_GROUP, fcinfo->nargs);
	source = sdc_pipeline_plan(&protection);
	for (int i = 0; i < source->attribute_count; i++)
	{
		const SdcAttribute *attribute = &source->attributes[i];
		Datum		values[3];
		bool		nulls[3] = {false};

		values[0] = NameGetDatum(&attribute->name);
		values[1] = CStringGetTextDatum(sdc_action_name(attribute->action));
		nulls[2] = attribute->action != SDC_ACTION_PROTECTED;
		if (!nulls[2])
			values[2] = CStringGetTextDatum(protection.steps[attribute->step].method->name);
		sdc_rows_put(fcinfo, values, nulls);
	}
	return (Datum) 0;
}
