/*-------------------------------------------------------------------------
 *
 * frame.c
 *		A release with its source, in memory, for all who look at it.
 *
 * A trial has copies of the source's values, which are told apart by their bytes: the dictionary of a column of the
 * source has all of them.  What another column of a release that was read has is coded together with its source.
 *
 * Memory: of every column that is asked for eight bytes a record, and eight a distinct value with a number; of a column
 * that a trial protects, the dictionary besides.  Values are in the spools, a quarter of the budget in memory.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "relation/base/memory.h"
#include "relation/catalog/steps.h"
#include "relation/column/grouprecords.h"
#include "relation/column/paircodes.h"
#include "relation/frame/frame.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"

/*
 * sdc_framesource_create: see frame.h.  The types are those that an evaluation plans with: a method may
 * order a column in its own way.
 */
SdcFrameSource *
sdc_framesource_create(const SdcSource *planned)
{
	SdcFrameSource *held = palloc0(sizeof(SdcFrameSource));

	held->context = CurrentMemoryContext;
	held->source = sdc_source_copy(planned, 0);
	held->column = palloc0(sizeof(SdcFrameColumn) * Max(planned->attribute_count, 1));
	for (int i = 0; i < planned->attribute_count; i++)
	{
		SdcAttribute *attribute = &held->source->attributes[i];

		if (attribute->action == SDC_ACTION_COPIED)
			attribute->type.collation = sdc_type_order_collation(attribute->type.collation);
	}
	return held;
}

/* sdc_framesource_take: see frame.h. */
void
sdc_framesource_take(SdcFrameSource *held, const SdcSource *read)
{
	held->source->records = read->records;
	held->source->strata_found = read->strata_found;
	held->source->checksum = read->checksum;
	held->source->stratum = read->stratum;
	held->source->units = read->units;
	held->source->units_found = read->units_found;
	for (int i = 0; i < read->attribute_count; i++)
	{
		held->source->attributes[i].column = read->attributes[i].column;
		if (read->attributes[i].column != NULL)
			sdc_column_keep(read->attributes[i].column);
	}
}

/* sdc_framesource_smallest: see frame.h. */
uint64
sdc_framesource_smallest(const SdcFrameSource *held)
{
	const SdcSource *source = held->source;
	uint64		smallest = source->records;
	SdcGroupRecords members;
	uint32	   *stratum;

	if (source->stratum == NULL || source->records == 0)
		return smallest;
	stratum = sdc_grouprecords_strata(source->stratum, source->records);
	sdc_grouprecords_list(stratum, source->records, (uint32) source->strata_found, &members);
	for (uint32 s = 0; s < source->strata_found; s++)
		smallest = Min(smallest, sdc_grouprecords_count(&members, s));
	sdc_grouprecords_free(&members);
	sdc_free(stratum);
	return smallest;
}

/* add_groups adds the groups that a method has made, as the column that a release has them in. */
static void
add_groups(SdcSource *release)
{
	SdcAttribute *group = &release->attributes[release->attribute_count];

	if (release->group == NULL)
		return;
	namestrcpy(&group->name, SDC_GROUP_COLUMN);
	sdc_type_lookup(&group->type, INT4OID, InvalidOid);
	group->action = SDC_ACTION_ADDED;
	group->column = release->group;
	sdc_column_keep(group->column);
	release->attribute_count++;
}

/* sdc_frame_create: see frame.h. */
SdcFrame *
sdc_frame_create(SdcFrameSource *held, SdcSource *protected)
{
	SdcFrame   *release = palloc0(sizeof(SdcFrame));

	release->context = CurrentMemoryContext;
	release->held = held;
	release->release = sdc_source_copy(held->source, 1);
	release->release->group = protected->group;
	release->code = palloc0(sizeof(uint32 *) * Max(protected->attribute_count, 1));
	release->apart = palloc0(sizeof(SdcPairColumn) * Max(protected->attribute_count, 1));
	release->recoded = palloc0(sizeof(SdcPairColumn) * Max(protected->attribute_count, 1));
	for (int i = 0; i < protected->attribute_count; i++)
	{
		SdcAttribute *attribute = &release->release->attributes[i];

		if (attribute->action != SDC_ACTION_PROTECTED)
			continue;
		attribute->column = protected->attributes[i].column;
		attribute->averaged = protected->attributes[i].averaged;
		sdc_column_keep(attribute->column);
		if (!OidIsValid(protected->attributes[i].release_type))
			continue;
		sdc_type_lookup(&attribute->type, protected->attributes[i].release_type,
						sdc_type_order_collation(OidIsValid(attribute->type.collation) ? attribute->type.collation :
												 get_typcollation(protected->attributes[i].release_type)));
		attribute->missing = NULL;
	}
	add_groups(release->release);
	return release;
}

/* keep_columns has the columns of a relation that was read last as long as their spool. */
static void
keep_columns(SdcSource *relation)
{
	for (int i = 0; i < relation->attribute_count; i++)
		if (relation->attributes[i].column != NULL)
			sdc_column_keep(relation->attributes[i].column);
}

/* sdc_frame_take: see frame.h. */
SdcFrame *
sdc_frame_take(SdcSource *source, SdcSource *release)
{
	SdcFrame   *frame = palloc0(sizeof(SdcFrame));

	frame->context = CurrentMemoryContext;
	frame->held = palloc0(sizeof(SdcFrameSource));
	frame->held->context = CurrentMemoryContext;
	frame->held->source = source;
	frame->held->column = palloc0(sizeof(SdcFrameColumn) * Max(source->attribute_count, 1));
	frame->release = release;
	frame->code = palloc0(sizeof(uint32 *) * Max(source->attribute_count, 1));
	frame->recoded = palloc0(sizeof(SdcPairColumn) * Max(source->attribute_count, 1));
	keep_columns(source);
	keep_columns(release);
	return frame;
}

/* sdc_frame_close: see frame.h. */
void
sdc_frame_close(SdcFrame *frame)
{
	for (int i = 0; i < 2; i++)
		sdc_spool_destroy(frame->spools[i]);
	MemoryContextDelete(frame->context);
}

/* find_column returns the column of a release that was read with a name. */
static SdcColumn *
find_column(const SdcFrame *frame, const NameData *name)
{
	for (int i = 0; i < frame->release->attribute_count; i++)
		if (strcmp(NameStr(frame->release->attributes[i].name), NameStr(*name)) == 0)
			return frame->release->attributes[i].column;
	return NULL;
}

/* sdc_frame_type: see frame.h. */
Oid
sdc_frame_type(const SdcFrame *trial, const char *name)
{
	for (int i = 0; i < trial->release->attribute_count; i++)
	{
		const SdcAttribute *attribute = &trial->release->attributes[i];

		if (attribute->action != SDC_ACTION_OMITTED && strcmp(NameStr(attribute->name), name) == 0)
			return attribute->type.typid;
	}
	return InvalidOid;
}

/* number_values finds the code of every number that the dictionary gives a value of the source. */
static void
number_values(SdcFrameColumn *known, SdcColumn *column)
{
	SdcColumnReader *reader = sdc_column_open(column);
	uint64		records = sdc_column_count(column);
	uint64		space = 0;

	for (uint64 r = 0; r < records; r++)
	{
		Datum		value;
		uint32		number;

		if (r % 4096 == 0)
			CHECK_FOR_INTERRUPTS();
		if (!sdc_column_next(reader, &value))
			continue;
		number = sdc_dictionary_number(known->dictionary, value);
		if (number >= space)
		{
			uint64		before = space;

			space = Max(2 * space, 1024);
			known->code = sdc_memory_grow(CurrentMemoryContext, known->code, before, space, sizeof(uint32));
		}
		known->code[number] = known->pair.original[r];
	}
	sdc_column_close(reader);
}

/* code_source gives the values of a column of the source their codes. */
static void
code_source(SdcFrameSource *held, int number)
{
	SdcFrameColumn *known = &held->column[number];
	SdcAttribute *attribute = &held->source->attributes[number];
	MemoryContext old = MemoryContextSwitchTo(held->context);
	SdcArena	arena = {0};

	sdc_paircodes_columns(attribute->column, attribute->column, &attribute->type, &arena, &known->pair);
	sdc_arena_free(&arena);
	sdc_free(unconstify(uint32 *, known->pair.protected));
	known->pair.protected = NULL;
	if (attribute->action == SDC_ACTION_PROTECTED)
	{
		known->dictionary = sdc_dictionary_create(&attribute->type);
		number_values(known, attribute->column);
	}
	MemoryContextSwitchTo(old);
}

/* code_trial gives the values of a column of a trial the codes that they have in the source. */
static uint32 *
code_trial(const SdcFrame *trial, int number)
{
	const SdcFrameColumn *known = &trial->held->column[number];
	SdcColumn  *column = trial->release->attributes[number].column;
	SdcColumnReader *reader = sdc_column_open(column);
	uint64		records = sdc_column_count(column);
	MemoryContext old = MemoryContextSwitchTo(trial->context);
	uint32	   *code = sdc_memory_array(records, sizeof(uint32));

	for (uint64 r = 0; r < records; r++)
	{
		Datum		value;

		code[r] = sdc_column_next(reader, &value) ?
			known->code[sdc_dictionary_number(known->dictionary, value)] : SDC_CODE_NULL;
		if (r % 4096 == 0)
			CHECK_FOR_INTERRUPTS();
	}
	sdc_column_close(reader);
	MemoryContextSwitchTo(old);
	return code;
}

/* has_new_values tells whether a trial can have values in a column that its source lacks. */
static bool
has_new_values(const SdcFrame *trial, const char *name)
{
	List	   *steps = sdc_steps_of(&trial->row);
	const SdcStep *step = sdc_steps_find(steps, name);

	return step != NULL && (step->method->tells == SDC_TELLS_NOISE || sdc_steps_recoding(steps, name) != NULL ||
							sdc_parameters_has(step->parameters, SDC_PARAMETER_MATRICES));
}

/* code_together gives source and trial common codes, in the place of those of the trial before. */
static void
code_together(SdcFrame *trial, int number)
{
	SdcPairColumn *pair = &trial->held->column[number].pair;
	SdcAttribute *attribute = &trial->held->source->attributes[number];
	MemoryContext old = MemoryContextSwitchTo(trial->held->context);
	SdcArena	arena = {0};

	if (pair->original != NULL)
		sdc_free(unconstify(uint32 *, pair->original));
	sdc_paircodes_columns(attribute->column, trial->release->attributes[number].column, &attribute->type, &arena,
						  pair);
	sdc_arena_free(&arena);
	trial->code[number] = pair->protected;
	MemoryContextSwitchTo(old);
}

/* find_trial finds the codes of a column of a trial. */
static void
find_trial(SdcFrame *trial, int number)
{
	SdcFrameSource *held = trial->held;

	if (held->source->attributes[number].action == SDC_ACTION_PROTECTED &&
		has_new_values(trial, NameStr(held->source->attributes[number].name)))
	{
		code_together(trial, number);
		return;
	}
	if (held->column[number].pair.original == NULL)
		code_source(held, number);
	if (held->source->attributes[number].action != SDC_ACTION_PROTECTED)
		trial->code[number] = held->column[number].pair.original;
	else
		trial->code[number] = code_trial(trial, number);
}

/* find_both finds the codes of a column of a release that was read, and of its source. */
static void
find_both(SdcFrame *frame, int number)
{
	SdcFrameSource *held = frame->held;
	SdcAttribute *attribute = &held->source->attributes[number];
	SdcPairColumn *pair = &held->column[number].pair;
	SdcColumn  *released = find_column(frame, &attribute->name);
	MemoryContext old = MemoryContextSwitchTo(held->context);
	SdcArena	arena = {0};

	sdc_paircodes_columns(attribute->column, released, &attribute->type, &arena, pair);
	sdc_arena_free(&arena);
	frame->code[number] = pair->protected;
	MemoryContextSwitchTo(old);
}

/*
 * find_apart finds codes, once, that are apart from those of the source: of what an attribute has, and a column of the
 * release.
 */
static void
find_apart(SdcFrame *frame, SdcAttribute *attribute, SdcColumn *released, SdcPairColumn *apart)
{
	MemoryContext old = MemoryContextSwitchTo(frame->context);
	SdcArena	arena = {0};

	if (apart->original == NULL)
		sdc_paircodes_columns(attribute->column, released, &attribute->type, &arena, apart);
	sdc_arena_free(&arena);
	MemoryContextSwitchTo(old);
}

/* sdc_frame_codes: see frame.h. */
void
sdc_frame_codes(SdcFrame *frame, int attribute, SdcAttribute *recoded, SdcPairColumn *result)
{
	bool		trial = sdc_frame_is_trial(frame);
	SdcAttribute *own = &frame->held->source->attributes[attribute];

	if (recoded != NULL || (trial && frame->release->attributes[attribute].averaged))
	{
		SdcPairColumn *apart = recoded != NULL ? &frame->recoded[attribute] : &frame->apart[attribute];

		find_apart(frame, recoded != NULL ? recoded : own, trial ? frame->release->attributes[attribute].column :
				   find_column(frame, &own->name), apart);
		*result = *apart;
		return;
	}
	if (frame->code[attribute] == NULL && sdc_frame_is_trial(frame))
		find_trial(frame, attribute);
	else if (frame->code[attribute] == NULL)
		find_both(frame, attribute);
	*result = frame->held->column[attribute].pair;
	result->protected = frame->code[attribute];
}
