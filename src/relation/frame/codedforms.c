/*-------------------------------------------------------------------------
 *
 * codedforms.c
 *		What a generalized release has in the place of values, as sets of codes.
 *
 * A set has its elements; a missing one, and one that no original record has, satisfy no condition.  A range that is
 * that of its group, from the least to the greatest value of the group's records and NULL with a missing one, has the
 * different values of the group, as equation (12) wants it.  Every other range, which somebody has changed, has the
 * different values of the source that it contains.  A NULL in the place of a set or range was suppressed, and has all.
 *
 * Sets are parts of an array of elements: all codes, the missing value, and then what else there is.  The elements of a
 * range are consecutive codes, and take no room.
 *
 * Where all records of each group have the same sets, the groups stay what they are.
 *
 * Memory: the elements; four bytes a record for the members of groups, and 32 where groups come apart.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "kernel/base/boxes.h"
#include "relation/frame/codedforms.h"
#include "miscadmin.h"
#include "relation/base/memory.h"
#include "relation/column/forms.h"
#include "relation/column/grouprecords.h"
#include "utils/memutils.h"

/* The sets of one column while they are found. */
typedef struct Making
{
	const SdcCodedRelease *coded;
	SdcReleaseColumn *column;
	SdcForms	values;
	uint32		forms;			/* different ones */
	SdcQuerySet *found;			/* sets by number: of forms, all values, of groups */
	uint64		space;			/* of elements */
} Making;

/* add_element appends an element. */
static void
add_element(Making *making, uint32 code)
{
	SdcReleaseColumn *column = making->column;

	if (column->elements == making->space)
	{
		uint64		space = Max(2 * making->space, 1024);

		column->element = sdc_memory_grow(CurrentMemoryContext, column->element, column->elements, space,
										  sizeof(uint32));
		making->space = space;
	}
	column->element[column->elements++] = code;
}

/* compare_codes is for qsort. */
static int
compare_codes(const void *a, const void *b)
{
	uint32		left = *(const uint32 *) a;
	uint32		right = *(const uint32 *) b;

	return left < right ? -1 : left > right;
}

/* add_set adds the different elements of a set. */
static SdcQuerySet
add_set(Making *making, Datum form)
{
	SdcQuerySet set = {making->column->elements, 0};
	uint32	   *code;
	bool	   *null;
	int			count = sdc_forms_set(&making->values, form, &code, &null);
	bool		missing = false;

	/* values that the source lacks are told apart from no others */
	for (int i = 0; i < count; i++)
	{
		if (null[i] && missing)
			continue;
		missing = missing || null[i];
		if (code[i] == SDC_CODE_NULL)
			add_element(making, SDC_CODE_NULL);
	}
	if (count > 0)
		qsort(code, count, sizeof(uint32), compare_codes);
	for (int i = 0; i < count && code[i] != SDC_CODE_NULL; i++)
		if (i == 0 || code[i] != code[i - 1])
			add_element(making, code[i]);
	sdc_free(code);
	sdc_free(null);
	set.count = (uint32) (making->column->elements - set.first);
	return set;
}

/* find_forms finds the sets of all forms. */
static void
find_forms(Making *making)
{
	SdcDictionary *forms = making->column->form->dictionary;
	MemoryContext context = CurrentMemoryContext;
	MemoryContext scratch = AllocSetContextCreate(context, "sdc forms", ALLOCSET_DEFAULT_SIZES);

	for (uint32 f = 0; f < making->forms; f++)
	{
		Datum		form = sdc_dictionary_value(forms, f);
		SdcInterval range;

		CHECK_FOR_INTERRUPTS();
		if (making->values.range == NULL)
		{
			making->found[f] = add_set(making, form);
			continue;
		}
		MemoryContextSwitchTo(scratch);
		range = sdc_forms_range(&making->values, form);
		MemoryContextSwitchTo(context);
		MemoryContextReset(scratch);
		making->found[f] = (SdcQuerySet) {range.first, range.first > range.last ? 0 : range.last - range.first + 1};
	}
	MemoryContextDelete(scratch);
}

/* The values of the records of a group. */
typedef struct GroupValues
{
	SdcQuerySet set;
	uint32		least;
	uint32		greatest;		/* below least without a value */
	bool		missing;		/* there are missing ones, or missing codes besides others: its range is missing */
} GroupValues;

/* find_group lists the different values of a group; seen has for each code the last group with it, counted from 1. */
static void
find_group(Making *making, const SdcGroupRecords *members, uint32 group, uint32 *seen, GroupValues *values)
{
	const uint32 *record = sdc_grouprecords_of(members, group);
	bool		coded = false;

	*values = (GroupValues) {{making->column->elements, 0}, SDC_CODE_NULL, 0, false};
	for (uint32 i = 0; i < sdc_grouprecords_count(members, group); i++)
	{
		uint32		code = making->column->pair.original[record[i]];

		if (code == SDC_CODE_NULL ? values->missing : seen[code] == group + 1)
			continue;
		add_element(making, code);
		if (code == SDC_CODE_NULL)
		{
			values->missing = true;
			continue;
		}
		seen[code] = group + 1;
		coded |= making->column->coded != NULL && making->column->coded[code];
		values->least = Min(values->least, code);
		values->greatest = Max(values->greatest, code);
	}
	values->set.count = (uint32) (making->column->elements - values->set.first);
	values->missing |= coded && values->least < values->greatest;
}

/* is_own tells whether a range is that of the values of a group. */
static bool
is_own(const Making *making, uint32 form, const GroupValues *values)
{
	const SdcQuerySet *range;

	if (form == SDC_CODE_NULL || values->missing)
		return form == SDC_CODE_NULL && values->missing;
	range = &making->found[form];
	return range->count > 0 && range->first == values->least && range->first + range->count - 1 == values->greatest;
}

/* find_groups finds the records whose range is that of their group: the set of that is theirs. */
static void
find_groups(Making *making)
{
	const SdcCodedRelease *coded = making->coded;
	uint32	   *form = making->column->form->code;
	uint32	   *seen = sdc_memory_zeros(making->column->pair.codes, sizeof(uint32));
	SdcGroupRecords members;

	sdc_grouprecords_list(coded->group, coded->records, coded->groups, &members);
	for (uint32 g = 0; g < coded->groups; g++)
	{
		const uint32 *record = sdc_grouprecords_of(&members, g);
		GroupValues values;

		CHECK_FOR_INTERRUPTS();
		find_group(making, &members, g, seen, &values);
		making->found[making->forms + 1 + g] = values.set;
		for (uint32 i = 0; i < sdc_grouprecords_count(&members, g); i++)
			if (is_own(making, form[record[i]], &values))
				form[record[i]] = making->forms + 1 + g;
	}
	sdc_grouprecords_free(&members);
	sdc_free(seen);
}

/* any_missing tells whether an original value is missing. */
static bool
any_missing(const SdcReleaseColumn *column, uint32 records)
{
	for (uint32 r = 0; r < records; r++)
		if (column->pair.original[r] == SDC_CODE_NULL)
			return true;
	return false;
}

/* make_sets numbers the sets of a column, and puts their numbers in the place of the forms of its records. */
static void
make_sets(const SdcCodedRelease *coded, SdcReleaseColumn *column, SdcQuerySet **found)
{
	SdcDictionaryCodes coding = {.codes = column->pair.codes, .values = column->pair.codes,
	.number = column->values.number};
	Making		making = {.coded = coded, .column = column,
	.forms = sdc_dictionary_count(column->form->dictionary)};
	const SdcType *release = sdc_dictionary_type(column->form->dictionary);
	uint32	   *form = column->form->code;

	sdc_forms_begin(&making.values, &column->type, column->values.dictionary, &coding, release->typid);
	*found = making.found = sdc_memory_array((uint64) making.forms + 1 + coded->groups, sizeof(SdcQuerySet));
	for (uint32 code = 0; code < column->pair.codes; code++)
		add_element(&making, code);
	add_element(&making, SDC_CODE_NULL);
	making.found[making.forms] = (SdcQuerySet) {0, column->pair.codes + any_missing(column, coded->records)};
	find_forms(&making);
	if (making.values.range != NULL)
		find_groups(&making);
	for (uint32 r = 0; r < coded->records; r++)
		if (form[r] == SDC_CODE_NULL)
			form[r] = making.forms;
	if (making.values.bound != NULL)
		sdc_free(making.values.bound);
}

/* number_groups numbers the combinations of what records have in the generalized columns. */
static void
number_groups(SdcCodedRelease *coded)
{
	uint32		records = coded->records;
	uint32	   *group = sdc_memory_array(records, sizeof(uint32));
	SdcBoxes   *boxes = sdc_boxes_create(records);

	for (int i = 0; i < coded->qi_count; i++)
	{
		const SdcCodeList *form = coded->qi[i].form;
		uint64	   *word;
		uint64		most = 0;

		if (form == NULL)
			continue;
		word = sdc_boxes_column(boxes);
		/* SDC_CODE_NULL becomes 0 */
		for (uint32 r = 0; r < records; r++)
		{
			word[r] = (uint32) (form->code[r] + 1);
			most = Max(most, word[r]);
		}
		sdc_boxes_add(boxes, most);
		CHECK_FOR_INTERRUPTS();
	}
	coded->groups = sdc_boxes_number(boxes, NULL, 0, group);
	coded->group = group;
	sdc_boxes_destroy(boxes);
}

/* find_members finds a record of each group. */
static uint32 *
find_members(const SdcCodedRelease *coded)
{
	uint32	   *member = sdc_memory_zeros(coded->groups, sizeof(uint32));

	for (uint32 r = coded->records; r-- > 0;)
		member[coded->group[r]] = r;
	return member;
}

/* is_uniform tells whether all records of each group have the same sets. */
static bool
is_uniform(const SdcCodedRelease *coded, const uint32 *member)
{
	for (int i = 0; i < coded->qi_count; i++)
	{
		const SdcCodeList *form = coded->qi[i].form;

		for (uint32 r = 0; form != NULL && r < coded->records; r++)
			if (form->code[r] != form->code[member[coded->group[r]]])
				return false;
		CHECK_FOR_INTERRUPTS();
	}
	return true;
}

/* sdc_codedforms_sets: see codedforms.h. */
void
sdc_codedforms_sets(SdcCodedRelease *coded)
{
	SdcQuerySet **found = palloc0(sizeof(SdcQuerySet *) * Max(coded->qi_count, 1));
	uint32	   *member;

	for (int i = 0; i < coded->qi_count; i++)
		if (coded->qi[i].form != NULL)
			make_sets(coded, &coded->qi[i], &found[i]);
	member = find_members(coded);
	if (!is_uniform(coded, member))
	{
		sdc_free(member);
		number_groups(coded);
		member = find_members(coded);
	}
	for (int i = 0; i < coded->qi_count; i++)
	{
		SdcReleaseColumn *column = &coded->qi[i];

		if (column->form == NULL)
			continue;
		column->set = sdc_memory_array(coded->groups, sizeof(SdcQuerySet));
		for (uint32 g = 0; g < coded->groups; g++)
			column->set[g] = found[i][column->form->code[member[g]]];
		sdc_free(found[i]);
	}
	sdc_free(member);
}
