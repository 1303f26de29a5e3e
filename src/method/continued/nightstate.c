/*-------------------------------------------------------------------------
 *
 * nightstate.c
 *		The private state of a release that is continued: what it says of itself.
 *
 * The header is JSON: what the state is of (source, key, columns with their steps), what waits and since when, and the
 * numbers that sdc_pending and the next night's report show.  It says nothing that the streams beside it do not.
 *
 * Columns are known by their numbers as long as the source is the same relation, so that a column may be renamed, and
 * by their names where it came out of a dump.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "access/xact.h"
#include "method/continued/night.h"
#include "method/continued/nightstate.h"
#include "method/continued/nightunits.h"
#include "method/recode.h"
#include "relation/base/names.h"
#include "relation/catalog/methods.h"
#include "relation/catalog/steps.h"
#include "relation/column/types.h"
#include "relation/frame/openrelease.h"
#include "utils/builtins.h"
#include "utils/guc.h"
#include "utils/json.h"
#include "utils/lsyscache.h"

/* Members of the header. */
#define MEMBER_PUBLICATION "publication"
#define MEMBER_RECORDS "records"
#define MEMBER_FIRST_RECORDS "first_records"
#define MEMBER_SOURCE "source"
#define MEMBER_SOURCE_TYPE "source_row_type"
#define MEMBER_ARRIVED "newcomers"
#define MEMBER_CHANGED "changed"
#define MEMBER_SINCE "_since"
#define MEMBER_NIGHTS "_nights"
#define MEMBER_COPIED "copied"
#define MEMBER_SALT "salt"
#define MEMBER_KEY "key"
#define MEMBER_COLUMNS "columns"
#define MEMBER_RECODED "recoded"
#define MEMBER_NAME "name"
#define MEMBER_NUMBER "number"
#define MEMBER_TYPE "type"
#define MEMBER_PARAMETERS "parameters"
#define MEMBER_PENDING "pending"
#define MEMBER_WIDOWS "widows"
#define MEMBER_BEYOND "beyond"
#define MEMBER_FIRST_BEYOND "first_beyond"
#define MEMBER_LARGEST "largest"
#define MEMBER_REDRAWN "redrawn"
#define MEMBER_MARKS "marks"
#define MEMBER_RELEASED "released"
#define MEMBER_UNIT "unit"
#define MEMBER_UNITS "units"
#define MEMBER_LEVEL "level"
#define LEVEL_UNIT "unit"
#define LEVEL_ROW "row"

/* What waits of the night of units, as it is told. */
#define KIND_NEW_UNITS "new units"
#define KIND_CHANGED_UNITS "changed units"

/* As far as a double counts by ones. */
#define MOST_EXACT 9007199254740992.0

/* More marks than that no column has: what reads them is made as large as the header says. */
#define MARKS_MOST(members) (2.0 * (members) + 1024)

/* refuse_steps raises the error about a release that was made in another way. */
sdc_noreturn static void
refuse_steps(const SdcNight *night, const char *detail)
{
	ereport(ERROR,
			(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			 errmsg("release \"%s\" cannot be continued in this way", get_rel_name(night->before)),
			 errdetail_internal("%s", detail),
			 errhint("Continue it with the source, key, columns and parameters that it was made with, or make another release.")));
}

/* time_of reads a time; 0: there is none. */
static TimestampTz
time_of(SdcParameters *header, const char *member)
{
	double		number = sdc_parameters_number(header, psprintf("%s" MEMBER_SINCE, member));

	return isnan(number) ? 0 : (TimestampTz) number;
}

/* nights_of reads for how many nights something has waited; it is not there where nothing does. */
static uint32
nights_of(SdcParameters *header, const char *member)
{
	double		number = sdc_parameters_number(header, psprintf("%s" MEMBER_NIGHTS, member));

	return isnan(number) ? 0 : (uint32) number;
}

/* number_of reads a number that must be there, and is at most so large. */
static double
number_of(const SdcNight *night, SdcParameters *header, const char *member, double most)
{
	double		number = sdc_parameters_number(header, member);

	if (!(number >= 0 && number <= most))
		sdc_night_refuse(night, psprintf("The state does not say its \"%s\".", member));
	return number;
}

/* sum_of reads a checksum, or the salt. */
static uint64
sum_of(SdcParameters *header, const char *member)
{
	char	   *text = sdc_parameters_text(header, member);

	return text == NULL ? 0 : strtoull(text, NULL, 16);
}

/* type_name names the type that an attribute has in the source, as any database would. */
static char *
type_name(const SdcAttribute *attribute)
{
	int			nest = sdc_type_pin_names();
	char	   *name = format_type_be_qualified(attribute->rule != NULL ? attribute->rule->type.typid :
												attribute->type.typid);

	AtEOXact_GUC(true, nest);
	return name;
}

/* same_source tells whether numbers of columns mean what they meant. */
static bool
same_source(const SdcNight *night, const SdcSource *source)
{
	return sdc_parameters_number(night->header, MEMBER_SOURCE) == source->relid &&
		sdc_parameters_number(night->header, MEMBER_SOURCE_TYPE) == get_rel_type_id(source->relid);
}

/* find_attribute returns the attribute of the source that a column of the header is, -1 if it is gone. */
static int
find_attribute(const SdcNight *night, const SdcSource *source, SdcParameters *column)
{
	const char *name = sdc_parameters_text(column, MEMBER_NAME);
	double		number = sdc_parameters_number(column, MEMBER_NUMBER);
	bool		by_number = same_source(night, source);

	for (int i = 0; i < source->attribute_count; i++)
	{
		const SdcAttribute *attribute = &source->attributes[i];

		if (by_number ? attribute->attnum == number : name != NULL && strcmp(NameStr(attribute->name), name) == 0)
			return i;
	}
	return -1;
}

/* check_type insists on the type that a column had. */
static void
check_type(const SdcNight *night, const SdcAttribute *attribute, SdcParameters *column)
{
	const char *type = sdc_parameters_text(column, MEMBER_TYPE);

	if (type == NULL || strcmp(type, type_name(attribute)) != 0)
		refuse_steps(night, psprintf("Column \"%s\" has another type than before: %s in place of %s.",
									 NameStr(attribute->name), type_name(attribute), type == NULL ? "none" : type));
}

/*
 * check_collation insists that a column of the key, or one that names units, has the order of that of the release, in
 * which its members were numbered.  Deterministic collations have one order here.
 */
static void
check_collation(const SdcNight *night, const SdcAttribute *attribute, const List *names, int place)
{
	AttrNumber	number = place >= list_length(names) ? InvalidAttrNumber :
		get_attnum(night->before, list_nth(names, place));
	Oid			typid;
	int32		typmod;
	Oid			collation;

	if (number == InvalidAttrNumber)
		return;					/* that is told when the release is read */
	get_atttypetypmodcoll(night->before, number, &typid, &typmod, &collation);
	if (sdc_type_order_collation(collation) != sdc_type_order_collation(attribute->type.collation))
		refuse_steps(night, psprintf("Column \"%s\" has another collation than before.", NameStr(attribute->name)));
}

/* The columns of a source by which members of a release are found, and what the state and the release have of them. */
typedef struct Finding
{
	const char *member;			/* of the header */
	const int  *index;
	int			count;
	const List *names;
} Finding;

/*
 * is_found_by tells whether these are the columns by which members were found, and insists that they are as they
 * were.
 */
static bool
is_found_by(const SdcNight *night, const SdcSource *source, const Finding *finding)
{
	bool		same = sdc_parameters_length(night->header, finding->member) == finding->count;

	for (int k = 0; k < finding->count && same; k++)
	{
		SdcParameters *column = sdc_parameters_object(night->header, finding->member, k);
		const SdcAttribute *attribute = &source->attributes[finding->index[k]];

		same = find_attribute(night, source, column) == finding->index[k];
		if (same)
		{
			check_type(night, attribute, column);
			check_collation(night, attribute, finding->names, k);
		}
	}
	return same;
}

/* check_key insists on the key that the release was made with. */
static void
check_key(const SdcNight *night, const SdcSource *source)
{
	const Finding finding = {MEMBER_KEY, source->key, source->key_count, night->row.key};

	if (!is_found_by(night, source, &finding))
		refuse_steps(night, "It was made with another key.");
}

/* check_unit insists on the columns of units that the release was made with, or on none. */
static void
check_unit(const SdcNight *night, const SdcSource *source)
{
	const Finding finding = {MEMBER_UNIT, source->unit, source->unit_count, night->row.unit};

	if (list_length(night->row.unit) != source->unit_count || !is_found_by(night, source, &finding))
		refuse_steps(night, "It was made with other units.");
}

/* is_continued tells whether a step continues what it has drawn for an attribute: a recoding draws nothing. */
static bool
is_continued(const SdcProtection *protection, const SdcAttribute *attribute)
{
	const SdcMethodStep *step = &protection->steps[attribute->step];

	return attribute->action == SDC_ACTION_PROTECTED && step->continuing != NULL && !sdc_recode_is(step);
}

/*
 * take_level takes the level that a column has had, which it keeps (nightunits.c).  One of which every unit had one
 * value can be said to be of records: it is drawn anew.
 */
static void
take_level(SdcNight *night, const SdcSource *source, int i, SdcParameters *column, const SdcMethodStep *step)
{
	const char *level = sdc_parameters_text(column, MEMBER_LEVEL);
	SdcParameters *units = sdc_parameters_inner(night->header, MEMBER_UNITS);
	const char *size;

	if (level == NULL)
		return;
	night->column[i].was_level = strcmp(level, LEVEL_UNIT) == 0 ? SDC_LEVEL_UNIT : SDC_LEVEL_ROW;
	if (night->column[i].was_level == SDC_LEVEL_ROW)
		return;
	night->column[i].begins = source->attributes[i].level == SDC_LEVEL_ROW;
	size = units == NULL ? NULL : sdc_parameters_text(units, SDC_PARAMETER_UNIT_SIZE);
	if (!night->column[i].begins && (size == NULL || strcmp(size, sdc_unitsize_name(step->unit_size)) != 0))
		refuse_steps(night, psprintf("Units were swapped with \"" SDC_PARAMETER_UNIT_SIZE "\": \"%s\".",
									 size == NULL ? "" : size));
}

/* take_column reads what the header says of a column. */
static void
take_column(SdcNight *night, const SdcProtection *protection, SdcSource *source, int place)
{
	SdcParameters *column = sdc_parameters_object(night->header, MEMBER_COLUMNS, place);
	const char *name = sdc_parameters_text(column, MEMBER_NAME);
	int			i = find_attribute(night, source, column);
	const SdcMethodStep *step;
	const char *method = sdc_parameters_text(column, SDC_MEMBER_METHOD);
	const char *parameters = sdc_parameters_text(column, MEMBER_PARAMETERS);

	if (i < 0 || name == NULL || !is_continued(protection, &source->attributes[i]))
		refuse_steps(night, psprintf("Column \"%s\" was protected, and is not any more.", name == NULL ? "" : name));
	step = &protection->steps[source->attributes[i].step];
	if (method == NULL || strcmp(method, step->method->name) != 0)
		refuse_steps(night, psprintf("Column \"%s\" was protected by method \"%s\".", name, method == NULL ? "" : method));
	if (parameters == NULL || strcmp(parameters, step->parameters) != 0)
		refuse_steps(night, psprintf("Column \"%s\" was protected with other parameters: %s.", name,
									 parameters == NULL ? "" : parameters));
	check_type(night, &source->attributes[i], column);
	take_level(night, source, i, column, step);
	night->column[i].name = pstrdup(name);
	night->column[i].stream = (place + 1) * SDC_NIGHT_STREAMS;
	night->column[i].widows_since = time_of(column, MEMBER_WIDOWS);
	night->column[i].widows_nights = nights_of(column, MEMBER_WIDOWS);
	night->column[i].pending_since = time_of(column, MEMBER_PENDING);
	night->column[i].beyond = sdc_parameters_number(column, MEMBER_BEYOND);
	night->column[i].first_beyond = sdc_parameters_number(column, MEMBER_FIRST_BEYOND);
	night->column[i].largest = sdc_parameters_number(column, MEMBER_LARGEST);
	night->column[i].redrawn = sdc_parameters_number(column, MEMBER_REDRAWN);
	night->column[i].marks = (uint32) number_of(night, column, MEMBER_MARKS, MARKS_MOST(night->members));
	if (night->column[i].begins)
		night->column[i].widows_since = night->column[i].pending_since = 0;
}

/* take_recoded has a column that the header knows as recoded be recoded as it was. */
static void
take_recoded(const SdcNight *night, const SdcProtection *protection, const SdcSource *source, SdcParameters *column)
{
	const char *name = sdc_parameters_text(column, MEMBER_NAME);
	int			i = find_attribute(night, source, column);
	const char *named = i < 0 ? NULL : NameStr(source->attributes[i].name);
	const SdcRecoding *recoding = named == NULL ? NULL : sdc_recode_of(protection, named);
	const SdcStep *before = name == NULL ? NULL : sdc_steps_recoding(sdc_steps_of(&night->row), name);

	if (recoding == NULL)
		refuse_steps(night, psprintf("Column \"%s\" was recoded, and is not any more.", name == NULL ? "" : name));
	check_type(night, &source->attributes[i], column);
	if (before == NULL || !sdc_recode_continue(recoding, named, before->parameters, name))
		refuse_steps(night, psprintf("Column \"%s\" was recoded by another rule.", name));
}

/* check_recoded has all columns be recoded as they were, and no others. */
static void
check_recoded(const SdcNight *night, const SdcProtection *protection, const SdcSource *source)
{
	int			count = sdc_parameters_length(night->header, MEMBER_RECODED);

	for (int i = 0; i < count; i++)
		take_recoded(night, protection, source, sdc_parameters_object(night->header, MEMBER_RECODED, i));
	for (int i = 0; i < source->attribute_count; i++)
	{
		const char *name = NameStr(source->attributes[i].name);
		const SdcRecoding *recoding = sdc_recode_of(protection, name);

		if (recoding != NULL && !sdc_rule_find(recoding->rules, name)->continued)
			refuse_steps(night, psprintf("Column \"%s\" was not recoded before.", name));
	}
}

/* take_waiting reads how many members there are, and since when others wait. */
static void
take_waiting(SdcNight *night, SdcParameters *header)
{
	night->members = (uint32) number_of(night, header, MEMBER_RECORDS, PG_UINT32_MAX);
	night->first_records = (uint64) number_of(night, header, MEMBER_FIRST_RECORDS, MOST_EXACT);
	night->arrived_since = time_of(header, MEMBER_ARRIVED);
	night->arrived_nights = nights_of(header, MEMBER_ARRIVED);
	night->changed_since = time_of(header, MEMBER_CHANGED);
	night->changed_nights = nights_of(header, MEMBER_CHANGED);
}

/* take_header reads the header, and insists that it is of this source, key and steps. */
static void
take_header(SdcNight *night, const SdcProtection *protection, SdcSource *source)
{
	SdcParameters *units;

	night->header = sdc_parameters_read(sdc_privatestate_header(night->state));
	night->publication = (uint64) number_of(night, night->header, MEMBER_PUBLICATION, MOST_EXACT) + 1;
	take_waiting(night, night->header);
	units = sdc_parameters_inner(night->header, MEMBER_UNITS);
	if (units != NULL)
	{
		night->of_units = palloc0(sizeof(SdcNight));
		night->of_units->before = night->before;
		take_waiting(night->of_units, units);
	}
	night->copied = sum_of(night->header, MEMBER_COPIED);
	night->salt = sum_of(night->header, MEMBER_SALT);
	night->released_sum = sum_of(night->header, MEMBER_RELEASED);
	check_key(night, source);
	check_unit(night, source);
	check_recoded(night, protection, source);
	for (int i = 0; i < sdc_parameters_length(night->header, MEMBER_COLUMNS); i++)
		take_column(night, protection, source, i);
	for (int i = 0; i < source->attribute_count; i++)
		if (is_continued(protection, &source->attributes[i]) && night->column[i].name == NULL)
			refuse_steps(night, psprintf("Column \"%s\" was not protected before.", NameStr(source->attributes[i].name)));
}

/* refuse_stateless raises the error about a release without a private state. */
sdc_noreturn static void
refuse_stateless(Oid release)
{
	ereport(ERROR,
			(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			 errmsg("release \"%s\" has no private state, so it cannot be continued", get_rel_name(release)),
			 errdetail("It was made without continued => true, or its state was forgotten or not restored."),
			 errhint("Drop the release to begin anew, which is another draw from the same source.")));
}

/* open_before opens the state of the release that is to be continued. */
static void
open_before(SdcNight *night, const SdcProtection *protection, SdcSource *source)
{
	if (!sdc_catalog_get(night->catalog_schema, night->before, &night->row) || night->row.source != source->relid)
		refuse_steps(night, "It is a release of another source.");
	if (strcmp(night->row.missing == NULL ? "" : night->row.missing,
			   protection->request.missing == NULL ? "" : protection->request.missing) != 0)
		refuse_steps(night, "It was made with other missing codes.");
	night->state = sdc_privatestate_open(night->catalog_schema, night->before);
	if (night->state == NULL)
		refuse_stateless(night->before);
	take_header(night, protection, source);
}

/* begin_columns numbers the streams of a first night. */
static void
begin_columns(SdcNight *night, const SdcProtection *protection, SdcSource *source)
{
	int			place = 0;

	for (int i = 0; i < source->attribute_count; i++)
	{
		if (!is_continued(protection, &source->attributes[i]))
			continue;
		night->column[i].name = NameStr(source->attributes[i].name);
		night->column[i].stream = (++place) * SDC_NIGHT_STREAMS;
		night->column[i].begins = true;
	}
}

/* check_steps insists that what can be continued is, if anything is. */
static void
check_steps(const SdcProtection *protection)
{
	for (int i = 0; i < protection->step_count; i++)
	{
		const SdcMethodStep *step = &protection->steps[i];

		if (step->continuing == NULL && step->can_continue)
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("steps[%d] is not continued, and another step is", i),
					 errhint("Have every step that can be \"continued\": true, or none.")));
	}
}

/* sdc_nightstate_open: see nightstate.h. */
SdcNight *
sdc_nightstate_open(SdcProtection *protection, SdcSource *source, Oid before)
{
	SdcNight   *night;

	for (int i = 0; i < protection->step_count; i++)
		protection->steps[i].own_parameters = protection->steps[i].parameters;
	if (!sdc_step_any_continued(protection))
		return NULL;
	check_steps(protection);
	if (source->key_count == 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("relation \"%s\" has no key, by which a release could be continued", source->name),
				 errhint("Name columns in argument \"key\" that identify every record, for ever.")));
	sdc_nightunits_check(source);
	night = palloc0(sizeof(SdcNight));
	night->catalog_schema = protection->catalog_schema;
	night->before = before;
	night->first = !OidIsValid(before);
	night->publication = 1;
	night->column = palloc0(sizeof(SdcNightColumn) * source->attribute_count);
	if (night->first)
		begin_columns(night, protection, source);
	else
		open_before(night, protection, source);
	for (int i = 0; i < protection->step_count; i++)
		protection->steps[i].night = night;
	return night;
}

/* append_since appends a time, unless it is 0. */
static void
append_since(StringInfo json, const char *member, TimestampTz since)
{
	if (since != 0)
		appendStringInfo(json, ", \"%s" MEMBER_SINCE "\": " INT64_FORMAT, member, since);
}

/* append_waited appends since when, and for how many nights, something has waited. */
static void
append_waited(StringInfo json, const SdcNight *night, const char *member, TimestampTz since, uint32 nights)
{
	append_since(json, member, since);
	if (since != 0)
		appendStringInfo(json, ", \"%s" MEMBER_NIGHTS "\": %u", member, sdc_night_waited(night, since, nights));
}

/* append_column appends what a column is known by. */
static void
append_column(StringInfo json, const SdcAttribute *attribute, bool first)
{
	appendStringInfo(json, "%s{\"" MEMBER_NAME "\": ", first ? "" : ", ");
	escape_json(json, NameStr(attribute->name));
	appendStringInfo(json, ", \"" MEMBER_NUMBER "\": %d, \"" MEMBER_TYPE "\": ", attribute->attnum);
	escape_json(json, type_name(attribute));
}

/* append_continued appends what is known of a column that is continued. */
static void
append_continued(StringInfo json, const SdcNight *night, const SdcNightColumn *column, const SdcAttribute *attribute,
				 const SdcMethodStep *step, bool first)
{
	append_column(json, attribute, first);
	appendStringInfo(json, ", \"" SDC_MEMBER_METHOD "\": \"%s\", \"" MEMBER_PARAMETERS "\": ", step->method->name);
	escape_json(json, step->own_parameters);
	appendStringInfo(json, ", \"" MEMBER_PENDING "\": " UINT64_FORMAT ", \"" MEMBER_WIDOWS "\": " UINT64_FORMAT
					 ", \"" MEMBER_BEYOND "\": %.17g, \"" MEMBER_FIRST_BEYOND "\": %.17g, \"" MEMBER_LARGEST "\": %.17g, \"" MEMBER_REDRAWN "\": %.17g, \"" MEMBER_MARKS "\": %u",
					 attribute->continuation.pending, attribute->continuation.widows, column->beyond,
					 column->first_beyond, column->largest, column->redrawn, column->marks);
	if (night->level != SDC_LEVEL_UNKNOWN)
		appendStringInfo(json, ", \"" MEMBER_LEVEL "\": \"%s\"", column->of_units ? LEVEL_UNIT : LEVEL_ROW);
	append_since(json, MEMBER_PENDING, column->pending_since);
	append_waited(json, night, MEMBER_WIDOWS, column->widows_since, column->widows_nights);
	appendStringInfoChar(json, '}');
}

/* append_columns appends the columns that are continued, in the order of their streams. */
static void
append_columns(StringInfo json, const SdcNight *night, const SdcProtection *protection, const SdcSource *source)
{
	int			done = 0;
	int			before = -1;

	while (done != before)
	{
		int			stream = (done + 1) * SDC_NIGHT_STREAMS;

		before = done;
		for (int i = 0; i < source->attribute_count; i++)
		{
			const SdcAttribute *attribute = &source->attributes[i];

			if (night->column[i].name == NULL || night->column[i].stream != stream)
				continue;
			append_continued(json, night, &night->column[i], attribute, &protection->steps[attribute->step],
							 done == 0);
			done++;
			break;
		}
	}
}

/* append_night appends how many members there are, and who waits. */
static void
append_night(StringInfo json, const SdcNight *night, uint64 members)
{
	appendStringInfo(json, "\"" MEMBER_RECORDS "\": " UINT64_FORMAT ", \"" MEMBER_FIRST_RECORDS "\": " UINT64_FORMAT ", \""
					 MEMBER_ARRIVED "\": " UINT64_FORMAT ", \"" MEMBER_CHANGED "\": " UINT64_FORMAT, members,
					 night->first_records, night->arrived, night->changed);
	append_waited(json, night, MEMBER_ARRIVED, night->arrived_since, night->arrived_nights);
	append_waited(json, night, MEMBER_CHANGED, night->changed_since, night->changed_nights);
}

/* append_named appends what columns are known by, as an array. */
static void
append_named(StringInfo json, const SdcSource *source, const char *member, const int *index, int count)
{
	appendStringInfo(json, ", \"%s\": [", member);
	for (int k = 0; k < count; k++)
	{
		append_column(json, &source->attributes[index[k]], k == 0);
		appendStringInfoChar(json, '}');
	}
	appendStringInfoChar(json, ']');
}

/* append_recoded appends the columns that are recoded: how the catalog tells. */
static void
append_recoded(StringInfo json, const SdcSource *source)
{
	int			count = 0;
	int		   *index = palloc(sizeof(int) * Max(source->attribute_count, 1));

	for (int i = 0; i < source->attribute_count; i++)
		if (source->attributes[i].rule != NULL)
			index[count++] = i;
	if (count > 0)
		append_named(json, source, MEMBER_RECODED, index, count);
	pfree(index);
}

/* append_units appends what is known of the units, if a column is continued at their level. */
static void
append_units(StringInfo json, const SdcNight *night, const SdcProtection *protection, const SdcSource *source)
{
	SdcUnitSize size = SDC_UNIT_SIZE_EQUAL;

	if (source->unit_count == 0)
		return;
	append_named(json, source, MEMBER_UNIT, source->unit, source->unit_count);
	if (night->of_units == NULL)
		return;
	for (int i = 0; i < source->attribute_count; i++)
		if (night->column[i].name != NULL && night->column[i].of_units)
			size = protection->steps[source->attributes[i].step].unit_size;
	appendStringInfo(json, ", \"" MEMBER_UNITS "\": {\"" SDC_PARAMETER_UNIT_SIZE "\": \"%s\", ", sdc_unitsize_name(size));
	append_night(json, night->of_units, source->units->count);
	appendStringInfoChar(json, '}');
}

/* describe writes the header. */
static char *
describe(const SdcNight *night, const SdcProtection *protection, const SdcSource *source, uint64 publication)
{
	StringInfoData json;

	initStringInfo(&json);
	appendStringInfo(&json, "{\"" MEMBER_PUBLICATION "\": " UINT64_FORMAT ", \"" MEMBER_SOURCE "\": %u, \""
					 MEMBER_SOURCE_TYPE "\": %u, \"" MEMBER_COPIED "\": \"%016llx\", \"" MEMBER_RELEASED "\": \"%016llx\", \"" MEMBER_SALT "\": \"%016llx\", ",
					 publication, source->relid, get_rel_type_id(source->relid), (unsigned long long) night->copied,
					 (unsigned long long) night->released_sum, (unsigned long long) night->salt);
	append_night(&json, night, source->records);
	append_named(&json, source, MEMBER_KEY, source->key, source->key_count);
	append_units(&json, night, protection, source);
	append_recoded(&json, source);
	appendStringInfoString(&json, ", \"" MEMBER_COLUMNS "\": [");
	append_columns(&json, night, protection, source);
	appendStringInfoString(&json, "]}");
	return json.data;
}

/* sdc_nightstate_end: see nightstate.h. */
void
sdc_nightstate_end(SdcNight *night, SdcProtection *protection, SdcSource *source, Oid release)
{
	if (night->differs || release != night->before)
	{
		sdc_privatestate_finish(night->next, release,
								describe(night, protection, source, night->publication));
	}
	else
	{
		sdc_privatestate_abandon(night->next);
		/* not written: a key that is equal and has other bytes now is as it was there */
		night->released_sum = night->released->checksum;
		sdc_privatestate_set_header(night->state, describe(night, protection, source, night->publication - 1));
	}
	sdc_spool_destroy(night->next_spool);
	if (night->state != NULL)
		sdc_privatestate_close(night->state);
}

/* tell_waiting tells what one member of the header says, or of its part about units. */
static void
tell_waiting(SdcParameters *object, const char *member, const char *kind, const char *column, SdcNightWaits waits,
			 void *arg)
{
	double		records = sdc_parameters_number(object, member);

	waits(arg, kind, column, isnan(records) ? 0 : (uint64) records, time_of(object, member));
}

/* sdc_nightstate_pending: see nightstate.h. */
void
sdc_nightstate_pending(Oid catalog_schema, Oid release, SdcNightWaits waits, void *arg)
{
	SdcPrivateState *state;
	SdcParameters *header;
	SdcParameters *units;

	if (sdc_catalog_state(catalog_schema, release, NULL) == SDC_RELEASE_UNKNOWN)
		sdc_catalog_refuse_unknown(release);
	state = sdc_privatestate_open(catalog_schema, release);
	if (state == NULL)
		refuse_stateless(release);
	header = sdc_parameters_read(sdc_privatestate_header(state));
	tell_waiting(header, MEMBER_ARRIVED, MEMBER_ARRIVED, NULL, waits, arg);
	tell_waiting(header, MEMBER_CHANGED, MEMBER_CHANGED, NULL, waits, arg);
	units = sdc_parameters_inner(header, MEMBER_UNITS);
	if (units != NULL)
	{
		tell_waiting(units, MEMBER_ARRIVED, KIND_NEW_UNITS, NULL, waits, arg);
		tell_waiting(units, MEMBER_CHANGED, KIND_CHANGED_UNITS, NULL, waits, arg);
	}
	for (int i = 0; i < sdc_parameters_length(header, MEMBER_COLUMNS); i++)
	{
		SdcParameters *column = sdc_parameters_object(header, MEMBER_COLUMNS, i);
		const char *name = sdc_parameters_text(column, MEMBER_NAME);

		tell_waiting(column, MEMBER_PENDING, MEMBER_PENDING, name, waits, arg);
		tell_waiting(column, MEMBER_WIDOWS, MEMBER_WIDOWS, name, waits, arg);
	}
	sdc_privatestate_close(state);
}
