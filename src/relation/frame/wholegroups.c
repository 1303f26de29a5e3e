/*-------------------------------------------------------------------------
 *
 * wholegroups.c
 *		The ranges, sets and permuted values of the groups of a release, for what is known.
 *
 * Ranges and sets are read as the release has them: whoever generalized it, a range contains
 * the values of the source between its bounds, and a set those that are its elements.
 *
 * Memory: four bytes a record and column, eight a group and range, four an element; the distinct
 * values, ranges and sets of the column at hand.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "kernel/base/boxes.h"
#include "miscadmin.h"
#include "relation/base/memory.h"
#include "relation/column/dictionary.h"
#include "relation/column/forms.h"
#include "relation/frame/wholecolumns.h"
#include "relation/read/missing.h"
#include "relation/recode/rulevalue.h"

/* A generalized column: its values in both files, numbered. */
typedef struct Generalized
{
	int			number;			/* of the known column */
	SdcDictionary *dictionary;	/* of the original values */
	SdcDictionaryCodes coding;
	SdcForms	values;			/* that these contain */
	SdcDictionary *forms;		/* of the ranges or sets */
	uint32	   *form;			/* of each record, or SDC_CODE_NULL */
	uint32		records;
	/* of a hierarchy: some were taken out of the release later, */
	bool		later;
	bool	   *everything;		/* and which forms of records are everything */
} Generalized;

/* number_values numbers the values of a column, which is given back. */
static SdcCodeList *
number_values(SdcAttribute *attribute, SdcDictionary *dictionary)
{
	SdcCodeList *list = sdc_paircodes_number(attribute->column, dictionary);

	sdc_column_destroy(attribute->column);
	attribute->column = NULL;
	return list;
}

/* suppress_empty has records with an empty range or set count as those with a NULL in its place. */
static void
suppress_empty(SdcWholeLoading *loading, Generalized *generalized)
{
	uint32		forms = sdc_dictionary_count(generalized->forms);
	bool	   *empty = sdc_memory_array(forms, sizeof(bool));
	MemoryContext scratch = AllocSetContextCreate(CurrentMemoryContext, "sdc forms", ALLOCSET_DEFAULT_SIZES);
	MemoryContext old = MemoryContextSwitchTo(scratch);

	for (uint32 f = 0; f < forms; f++)
	{
		empty[f] = sdc_forms_is_empty(loading->known[generalized->number].protected->type.typid,
									  sdc_dictionary_value(generalized->forms, f));
		MemoryContextReset(scratch);
		CHECK_FOR_INTERRUPTS();
	}
	MemoryContextSwitchTo(old);
	MemoryContextDelete(scratch);
	for (uint32 i = 0; i < loading->whole->task.records; i++)
		if (generalized->form[i] != SDC_CODE_NULL && empty[generalized->form[i]])
			generalized->form[i] = SDC_CODE_NULL;
	sdc_free(empty);
}

/* find_everything finds the records whose form is everything. */
static void
find_everything(const SdcKnownColumn *known, Generalized *generalized)
{
	uint32		forms = sdc_dictionary_count(generalized->forms);
	bool	   *everything = sdc_memory_array(Max(forms, 1), sizeof(bool));

	for (uint32 f = 0; f < forms; f++)
	{
		everything[f] = sdc_rulevalue_is_everything(known->rule, sdc_dictionary_value(generalized->forms, f));
		CHECK_FOR_INTERRUPTS();
	}
	generalized->everything = sdc_memory_array(generalized->records, sizeof(bool));
	for (uint32 i = 0; i < generalized->records; i++)
		generalized->everything[i] = generalized->form[i] != SDC_CODE_NULL && everything[generalized->form[i]];
	sdc_free(everything);
}

/* read_generalized numbers the values of a generalized column in both files. */
static void
read_generalized(SdcWholeLoading *loading, int number, Generalized *generalized)
{
	SdcKnownColumn *known = &loading->known[number];
	SdcCandidatesColumn *column = &loading->column[number];
	SdcCodeList *original;
	SdcCodeList *forms;

	generalized->number = number;
	generalized->dictionary = sdc_dictionary_create(&known->original->type);
	original = number_values(known->original, generalized->dictionary);
	sdc_dictionary_codes(generalized->dictionary, &generalized->coding);
	sdc_missing_last(known->original, generalized->dictionary, &generalized->coding);
	sdc_codelist_rank(original, &generalized->coding);
	column->original = original->code;
	column->codes = generalized->coding.codes;
	generalized->forms = sdc_dictionary_create(&known->protected->type);
	forms = number_values(known->protected, generalized->forms);
	generalized->form = forms->code;
	for (uint32 i = 0; i < loading->whole->task.records; i++)
		generalized->later |= forms->code[i] == SDC_CODE_NULL && column->original[i] != SDC_CODE_NULL;
	generalized->records = loading->whole->task.records;
	/* no label is empty */
	if (known->rule == NULL)
		suppress_empty(loading, generalized);
	else
		find_everything(known, generalized);
}

/* number_groups numbers the combinations of ranges and sets, and finds a record of each. */
static uint32 *
number_groups(SdcWholeLoading *loading, const Generalized *generalized, int count)
{
	uint32		records = loading->whole->task.records;
	uint32	   *group = sdc_memory_array(records, sizeof(uint32));
	SdcBoxes   *boxes;
	uint32	   *member;

	boxes = sdc_boxes_create(records);
	for (int g = 0; g < count; g++)
	{
		uint64	   *word = sdc_boxes_column(boxes);

		/* SDC_CODE_NULL becomes 0 */
		for (uint32 i = 0; i < records; i++)
			word[i] = (uint32) (generalized[g].form[i] + 1);
		sdc_boxes_add(boxes, sdc_dictionary_count(generalized[g].forms));
		CHECK_FOR_INTERRUPTS();
	}
	loading->whole->task.groups = sdc_boxes_number(boxes, NULL, 0, group);
	sdc_boxes_destroy(boxes);
	loading->whole->task.group = group;
	member = sdc_memory_array(loading->whole->task.groups, sizeof(uint32));
	for (uint32 i = records; i-- > 0;)
		member[group[i]] = i;
	return member;
}

/* begin_forms prepares comparing the ranges or sets of a column with its values. */
static void
begin_forms(SdcWholeLoading *loading, Generalized *generalized)
{
	const SdcKnownColumn *known = &loading->known[generalized->number];

	sdc_forms_begin(&generalized->values, &known->original->type, generalized->dictionary, &generalized->coding,
					known->protected->type.typid);
}

/* fill_ranges finds the codes of the ranges of a column. */
static void
fill_ranges(SdcWholeLoading *loading, Generalized *generalized, const uint32 *member)
{
	SdcCandidatesColumn *column = &loading->column[generalized->number];
	uint32		groups = loading->whole->task.groups;
	SdcInterval *range = sdc_memory_array(groups, sizeof(SdcInterval));
	MemoryContext scratch = AllocSetContextCreate(CurrentMemoryContext, "sdc ranges",
												  ALLOCSET_DEFAULT_SIZES);
	MemoryContext old = MemoryContextSwitchTo(scratch);

	begin_forms(loading, generalized);
	for (uint32 g = 0; g < groups; g++)
	{
		uint32		form = generalized->form[member[g]];

		range[g] = form == SDC_CODE_NULL ? (SdcInterval) {SDC_CODE_NULL, 0} :
			sdc_forms_range(&generalized->values, sdc_dictionary_value(generalized->forms, form));
		CHECK_FOR_INTERRUPTS();
	}
	MemoryContextSwitchTo(old);
	MemoryContextDelete(scratch);
	column->range = range;
}

/* The elements of the sets of a column, as they are found. */
typedef struct Elements
{
	uint32	   *element;
	uint64		count;
	uint64		space;
} Elements;

/* add_element adds one. */
static void
add_element(Elements *elements, uint32 code)
{
	if (elements->count == elements->space)
	{
		uint64		space = Max(2 * elements->space, 1024);

		elements->element = sdc_memory_grow(CurrentMemoryContext, elements->element, elements->count, space,
											sizeof(uint32));
		elements->space = space;
	}
	elements->element[elements->count++] = code;
}

/* add_set adds the elements of a set that some original record has. */
static void
add_set(Elements *elements, const Generalized *generalized, Datum form)
{
	uint32	   *code;
	bool	   *null;
	int			count = sdc_forms_set(&generalized->values, form, &code, &null);

	for (int i = 0; i < count; i++)
	{
		if (null[i] || code[i] != SDC_CODE_NULL)
			add_element(elements, code[i]);
		CHECK_FOR_INTERRUPTS();
	}
	sdc_free(code);
	sdc_free(null);
}

/* fill_sets finds the codes of the sets of a column. */
static void
fill_sets(SdcWholeLoading *loading, Generalized *generalized, const uint32 *member)
{
	SdcCandidatesColumn *column = &loading->column[generalized->number];
	uint32		groups = loading->whole->task.groups;
	uint64	   *start = sdc_memory_array((uint64) groups + 1, sizeof(uint64));
	Elements	elements = {0};

	begin_forms(loading, generalized);
	for (uint32 g = 0; g < groups; g++)
	{
		uint32		form = generalized->form[member[g]];

		start[g] = elements.count;
		if (form == SDC_CODE_NULL)
			add_element(&elements, SDC_CANDIDATES_ANYTHING);
		else
			add_set(&elements, generalized,
					sdc_dictionary_value(generalized->forms, form));
	}
	start[groups] = elements.count;
	column->start = start;
	column->element = elements.element;
}

/* number_levels finds the forms that the values of a column become at every level of its hierarchy. */
static uint32 *
number_levels(const SdcKnownColumn *known, Generalized *generalized, uint32 levels)
{
	const SdcDictionaryCodes *coding = &generalized->coding;
	uint32	   *form = sdc_memory_array((uint64) coding->codes * levels, sizeof(uint32));
	MemoryContext scratch = AllocSetContextCreate(CurrentMemoryContext, "sdc forms", ALLOCSET_DEFAULT_SIZES);
	uint32	   *classes;
	uint32		count;

	for (uint64 i = 0; i < (uint64) coding->codes * levels; i++)
	{
		uint32		code = (uint32) (i / levels);
		MemoryContext old = MemoryContextSwitchTo(scratch);
		bool		same;
		Datum		value = sdc_rulevalue_level(known->rule, (uint32) (i % levels),
												sdc_dictionary_value(generalized->dictionary, coding->number[code]),
												code >= coding->values, &same);

		MemoryContextSwitchTo(old);
		form[i] = sdc_dictionary_number(generalized->forms, value);
		MemoryContextReset(scratch);
		CHECK_FOR_INTERRUPTS();
	}
	MemoryContextDelete(scratch);
	/* equal ones can be written in several ways */
	classes = sdc_dictionary_classes(generalized->forms, &count);
	for (uint64 i = 0; i < (uint64) coding->codes * levels && classes != NULL; i++)
		form[i] = classes[form[i]];
	for (uint32 i = 0; i < generalized->records && classes != NULL; i++)
		if (generalized->form[i] != SDC_CODE_NULL)
			generalized->form[i] = classes[generalized->form[i]];
	return form;
}

/* list_members lists the codes of every form: start[f] .. start[f + 1] - 1 in the array that it returns. */
static uint32 *
list_members(const Generalized *generalized, const uint32 *form, uint32 levels, uint64 *start, uint32 forms)
{
	uint64		pairs = (uint64) generalized->coding.codes * levels;
	uint32	   *member = sdc_memory_array(pairs, sizeof(uint32));

	memset(start, 0, sizeof(uint64) * ((uint64) forms + 1));
	for (int pass = 0; pass < 2; pass++)
	{
		for (uint64 i = pairs; i-- > 0;)
		{
			/* a form of the same value on several levels counts once: they follow each other */
			if (i % levels > 0 && form[i] == form[i - 1])
				continue;
			if (pass == 0)
				start[form[i]]++;
			else
				member[--start[form[i]]] = (uint32) (i / levels);
		}
		for (uint32 f = 1; f <= forms && pass == 0; f++)
			start[f] += start[f - 1];
	}
	return member;
}

/* fill_nodes finds the codes of the nodes of a hierarchy.  A missing value is one, and everything has all. */
static void
fill_nodes(SdcWholeLoading *loading, Generalized *generalized, const uint32 *member)
{
	const SdcKnownColumn *known = &loading->known[generalized->number];
	SdcCandidatesColumn *column = &loading->column[generalized->number];
	uint32		groups = loading->whole->task.groups;
	uint32		levels = (uint32) known->rule->levels + 1;
	uint64	   *start = sdc_memory_array((uint64) groups + 1, sizeof(uint64));
	Elements	elements = {0};
	uint32	   *form = number_levels(known, generalized, levels);
	uint32		forms = sdc_dictionary_count(generalized->forms);
	uint64	   *first = sdc_memory_array((uint64) forms + 1, sizeof(uint64));
	uint32	   *list = list_members(generalized, form, levels, first, forms);

	for (uint32 g = 0; g < groups; g++)
	{
		uint32		own = generalized->form[member[g]];

		start[g] = elements.count;
		if (own == SDC_CODE_NULL)
			add_element(&elements, generalized->later ? SDC_CANDIDATES_ANYTHING : SDC_CODE_NULL);
		else if (generalized->everything[member[g]])
			add_element(&elements, SDC_CANDIDATES_ANYTHING);
		else
			for (uint64 i = first[own]; i < first[own + 1]; i++)
				add_element(&elements, list[i]);
		CHECK_FOR_INTERRUPTS();
	}
	start[groups] = elements.count;
	column->start = start;
	column->element = elements.element;
	sdc_free(form);
	sdc_free(first);
	sdc_free(list);
}

/* sdc_wholegroups_generalized: see wholecolumns.h. */
void
sdc_wholegroups_generalized(SdcWholeLoading *loading)
{
	Generalized *generalized = palloc0(sizeof(Generalized) * Max(loading->count, 1));
	int			count = 0;
	uint32	   *member;

	for (int j = 0; j < loading->count; j++)
		if (loading->known[j].generalized && !loading->known[j].unreadable)
			read_generalized(loading, j, &generalized[count++]);
	if (count == 0)
		return;
	member = number_groups(loading, generalized, count);
	for (int g = 0; g < count; g++)
	{
		if (loading->known[generalized[g].number].rule != NULL)
			fill_nodes(loading, &generalized[g], member);
		else if (loading->known[generalized[g].number].kind == SDC_CANDIDATES_RANGE)
			fill_ranges(loading, &generalized[g], member);
		else
			fill_sets(loading, &generalized[g], member);
		sdc_free(generalized[g].form);
		sdc_dictionary_destroy(generalized[g].dictionary);
		sdc_dictionary_destroy(generalized[g].forms);
	}
}

/* read_groups reads the numbers of the groups of the release, once. */
static void
read_groups(SdcWholeLoading *loading)
{
	SdcWholeRelease *whole = loading->whole;
	SdcSource  *release = loading->opened->release;
	SdcAttribute *attribute = &release->attributes[
		sdc_source_find_attribute(release, SDC_GROUP_COLUMN, "columns")];
	SdcDictionary *dictionary;
	SdcCodeList *list;

	if (whole->group != NULL)
		return;
	dictionary = sdc_dictionary_create(&attribute->type);
	list = number_values(attribute, dictionary);
	for (uint32 i = 0; i < whole->task.records; i++)
		if (list->code[i] == SDC_CODE_NULL)
			sdc_openrelease_refuse(psprintf("a record of release \"%s\" has no group",
											loading->opened->name));
	whole->group = list->code;
	whole->groups = sdc_dictionary_count(dictionary);
	sdc_dictionary_destroy(dictionary);
}

/* fill_permuted lists the values of every group; one with a blank can have any value. */
static void
fill_permuted(SdcWholeLoading *loading, SdcCandidatesColumn *column)
{
	const SdcCandidatesTask *task = &loading->whole->task;
	uint64	   *start = sdc_memory_array((uint64) task->groups + 1,
												   sizeof(uint64));
	uint32	   *element = sdc_memory_array(task->records, sizeof(uint32));
	const SdcPairColumn values = {column->original, column->protected, column->codes, NULL};
	uint32		missing = sdc_pairs_blanks(&values, task->records, true) ? SDC_CANDIDATES_ANYTHING : SDC_CODE_NULL;

	memset(start, 0, ((uint64) task->groups + 1) * sizeof(uint64));
	for (uint32 i = 0; i < task->records; i++)
		start[task->group[i]]++;
	/* the ends become starts as the records are put before them */
	for (uint32 g = 1; g <= task->groups; g++)
		start[g] += start[g - 1];
	for (uint32 i = 0; i < task->records; i++)
		element[--start[task->group[i]]] = column->protected[i] == SDC_CODE_NULL ? missing : column->protected[i];
	column->start = start;
	column->element = element;
}

/* sdc_wholegroups_permuted: see wholecolumns.h. */
void
sdc_wholegroups_permuted(SdcWholeLoading *loading)
{
	for (int j = 0; j < loading->count; j++)
	{
		if (loading->known[j].kind != SDC_CANDIDATES_SET || loading->known[j].generalized)
			continue;
		read_groups(loading);
		loading->whole->task.group = loading->whole->group;
		loading->whole->task.groups = loading->whole->groups;
		fill_permuted(loading, &loading->column[j]);
	}
}

/* sdc_wholegroups_target: see wholecolumns.h. */
void
sdc_wholegroups_target(SdcWholeLoading *loading)
{
	read_groups(loading);
	loading->whole->target_permuted = true;
}
