/*-------------------------------------------------------------------------
 *
 * heldrelease.c
 *		A release that is in memory, and nowhere else.
 *
 * Values are told apart by their bytes: a release has copies of the source's, so that the dictionary of a
 * column of the source has all of them.
 *
 * Memory: of every column that is asked for, eight bytes a distinct value and four a record, and the
 * dictionary; four bytes a record for its codes in the release at hand.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "relation/base/memory.h"
#include "relation/column/grouprecords.h"
#include "relation/column/paircodes.h"
#include "relation/frame/heldrelease.h"
#include "utils/builtins.h"

#define USE "evaluating a release"

/*
 * sdc_heldsource_create: see heldrelease.h.  The types are those that an evaluation plans with: a method may
 * order a column in its own way.
 */
SdcHeldSource *
sdc_heldsource_create(const SdcSource *planned)
{
	SdcHeldSource *held = palloc0(sizeof(SdcHeldSource));

	held->context = CurrentMemoryContext;
	held->source = sdc_source_copy(planned, 0);
	held->column = palloc0(sizeof(SdcHeldColumn) * Max(planned->attribute_count, 1));
	for (int i = 0; i < planned->attribute_count; i++)
	{
		SdcAttribute *attribute = &held->source->attributes[i];

		if (attribute->action == SDC_ACTION_COPIED)
			attribute->type.collation = sdc_type_order_collation(attribute->type.collation);
	}
	return held;
}

/* sdc_heldsource_take: see heldrelease.h. */
void
sdc_heldsource_take(SdcHeldSource *held, const SdcSource *read)
{
	held->source->records = read->records;
	held->source->strata_found = read->strata_found;
	held->source->checksum = read->checksum;
	held->source->stratum = read->stratum;
	for (int i = 0; i < read->attribute_count; i++)
	{
		held->source->attributes[i].column = read->attributes[i].column;
		if (read->attributes[i].column != NULL)
			sdc_column_keep(read->attributes[i].column);
	}
}

/* sdc_heldsource_smallest: see heldrelease.h. */
uint64
sdc_heldsource_smallest(const SdcHeldSource *held)
{
	const SdcSource *source = held->source;
	uint64		smallest = source->records;
	SdcGroupRecords members;
	uint32	   *stratum;

	if (source->stratum == NULL || source->records == 0)
		return smallest;
	sdc_memory_expect(source->records * sizeof(uint32) +
					  sdc_grouprecords_memory(source->records, source->strata_found), USE);
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

/* sdc_heldrelease_create: see heldrelease.h. */
SdcHeldRelease *
sdc_heldrelease_create(SdcHeldSource *held, SdcSource *protected)
{
	SdcHeldRelease *release = palloc0(sizeof(SdcHeldRelease));

	release->context = CurrentMemoryContext;
	release->held = held;
	release->release = sdc_source_copy(held->source, 1);
	release->release->group = protected->group;
	release->code = palloc0(sizeof(uint32 *) * Max(protected->attribute_count, 1));
	for (int i = 0; i < protected->attribute_count; i++)
	{
		SdcAttribute *attribute = &release->release->attributes[i];

		if (attribute->action != SDC_ACTION_PROTECTED)
			continue;
		attribute->column = protected->attributes[i].column;
		sdc_column_keep(attribute->column);
		if (OidIsValid(protected->attributes[i].release_type))
			sdc_type_lookup(&attribute->type, protected->attributes[i].release_type,
							sdc_type_order_collation(attribute->type.collation));
	}
	add_groups(release->release);
	return release;
}

/* sdc_heldrelease_type: see heldrelease.h. */
Oid
sdc_heldrelease_type(const SdcHeldRelease *release, const char *name)
{
	for (int i = 0; i < release->release->attribute_count; i++)
	{
		const SdcAttribute *attribute = &release->release->attributes[i];

		if (attribute->action != SDC_ACTION_OMITTED && strcmp(NameStr(attribute->name), name) == 0)
			return attribute->type.typid;
	}
	return InvalidOid;
}

/* number_values finds the code of every number that the dictionary gives a value of the source. */
static void
number_values(SdcHeldSource *held, SdcHeldColumn *known, SdcColumn *column)
{
	SdcColumnReader *reader = sdc_column_open(column);
	uint64		records = sdc_column_count(column);
	uint64		space = 0;

	for (uint64 r = 0; r < records; r++)
	{
		Datum		value;
		uint32		number;

		if (r % 4096 == 0)
		{
			CHECK_FOR_INTERRUPTS();
			sdc_memory_expect(held->memory + sdc_dictionary_memory(known->dictionary) +
							  2 * space * sizeof(uint32), USE);
		}
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
	held->memory += sdc_dictionary_memory(known->dictionary) + space * sizeof(uint32);
}

/* code_source gives the values of a column of the source their codes. */
static void
code_source(SdcHeldSource *held, int number)
{
	SdcHeldColumn *known = &held->column[number];
	SdcAttribute *attribute = &held->source->attributes[number];
	uint64		records = held->source->records;
	MemoryContext old = MemoryContextSwitchTo(held->context);
	SdcArena	arena = {0};

	sdc_memory_expect(held->memory + 2 * records * sizeof(uint32) +
					  sdc_paircodes_memory(attribute->column, attribute->column, &attribute->type), USE);
	sdc_paircodes_columns(attribute->column, attribute->column, &attribute->type, &arena, &known->pair);
	sdc_arena_free(&arena);
	sdc_free(unconstify(uint32 *, known->pair.protected));
	known->pair.protected = NULL;
	held->memory += records * sizeof(uint32) +
		(known->pair.value == NULL ? 0 : known->pair.codes * sizeof(double));
	if (attribute->action == SDC_ACTION_PROTECTED)
	{
		known->dictionary = sdc_dictionary_create(&attribute->type);
		number_values(held, known, attribute->column);
	}
	MemoryContextSwitchTo(old);
}

/* code_release gives the values of a column of the release the codes that they have in the source. */
static uint32 *
code_release(const SdcHeldRelease *release, int number)
{
	const SdcHeldColumn *known = &release->held->column[number];
	SdcColumn  *column = release->release->attributes[number].column;
	SdcColumnReader *reader = sdc_column_open(column);
	uint64		records = sdc_column_count(column);
	MemoryContext old = MemoryContextSwitchTo(release->context);
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

/* sdc_heldrelease_codes: see heldrelease.h. */
void
sdc_heldrelease_codes(SdcHeldRelease *release, int attribute, SdcPairColumn *result)
{
	SdcHeldSource *held = release->held;

	if (held->column[attribute].pair.original == NULL)
		code_source(held, attribute);
	if (release->code[attribute] == NULL)
	{
		if (held->source->attributes[attribute].action != SDC_ACTION_PROTECTED)
			release->code[attribute] = held->column[attribute].pair.original;
		else
		{
			sdc_memory_expect(held->memory + held->source->records * sizeof(uint32), USE);
			release->code[attribute] = code_release(release, attribute);
		}
	}
	*result = held->column[attribute].pair;
	result->protected = release->code[attribute];
}
