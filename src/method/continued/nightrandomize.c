/*-------------------------------------------------------------------------
 *
 * nightrandomize.c
 *		One night of the columns that a step of random anonymization continues.
 *
 *	1. which attributes of a record are drawn: of members, what the state says, for ever; of records that join,
 *	   drawn with the probabilities of the first night
 *	2. the original values: of members as they were last published, or, where they are shown, as they are
 *	3. the release is compared with what the state says it has
 *	4. a cell that was drawn keeps its replacement as long as its original is the same; all others of these get the
 *	   value of a donor among tonight's records
 *	5. cells that were not drawn have their original values
 *
 * No lots are needed: the release has the values of no column just as often as its source.  The first night is the
 * method itself.  The probabilities stay those of the first night, so that estimates from the release have one
 * distribution to go by.
 *
 * Memory: two choices of a bit a record and attribute, and six bytes a record for the attribute at hand, and eight
 * more where some have no value or there are strata; beside what donate.c takes.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "catalog/pg_type.h"
#include "kernel/groups/randomizememory.h"
#include "method/continued/nightrandomize.h"
#include "method/randomdraws.h"
#include "miscadmin.h"
#include "relation/base/memory.h"
#include "relation/base/progress.h"
#include "relation/column/donate.h"
#include "relation/column/grouprecords.h"
#include "utils/float.h"

/* The streams of a column, from its own on. */
enum
{
	STREAM_ORIGINAL, STREAM_REPLACEMENT, STREAM_DRAWN, STREAM_PROBABILITY
};

/* A step at work. */
typedef struct Memory
{
	SdcMethodStep *step;
	SdcNight   *night;
	SdcSource  *source;
	SdcSpool   *spool;
	SdcRandom  *random;
	int		   *index;			/* of the attributes of the step, in column order */
	double	   *probability;	/* of each of them, NULL where all sets are as likely */
	SdcChoice  *before;			/* of every member; NULL on the first night */
	SdcChoice  *choice;			/* of every record */
	uint32		records;
	uint32	   *donor;
	bool	   *keeps;			/* of every record: its original is what it was */
	uint64		used;			/* bytes that stay */
	bool		begins;			/* its columns do: they are drawn together, so that all do or none does */
} Memory;

/* A column at work. */
typedef struct Cells
{
	Memory	   *memory;
	int			number;			/* of the attribute in the choice */
	SdcAttribute *attribute;
	SdcNightColumn *column;
	SdcColumn  *original;		/* of every record */
	SdcColumn  *given;			/* what the donors have; may be the same */
	SdcColumn  *replacement;	/* of every member, nothing where it was not drawn; NULL on the first night */
	SdcColumn  *released;		/* in the release that is continued; NULL on the first night */
	SdcColumn  *next;			/* replacements of the new state */
	uint64		shown;			/* changes that are shown tonight */
} Cells;

/* put_one writes a stream of one number. */
static void
put_one(const Memory *memory, int stream, double number)
{
	SdcColumn  *column = sdc_column_create(memory->spool, FLOAT8OID);

	sdc_column_append(column, Float8GetDatum(number), false);
	sdc_column_finish(column);
	sdc_privatestate_put_column(memory->night->next, stream, column);
	sdc_column_destroy(column);
}

/* get_one reads a probability. */
static double
get_one(const Memory *memory, int stream)
{
	SdcColumn  *column = sdc_privatestate_column(memory->night->state, stream, FLOAT8OID, memory->spool);
	SdcColumnReader *reader = sdc_column_open(column);
	Datum		value;
	double		number = -1;

	if (sdc_column_count(column) == 1 && sdc_column_next(reader, &value))
		number = DatumGetFloat8(value);
	sdc_column_close(reader);
	sdc_column_destroy(column);
	if (!(number >= 0 && number <= 1))
		sdc_night_refuse(memory->night, "The state has a probability that is none.");
	return number;
}

/* column_of returns what the night knows of an attribute of the step. */
static SdcNightColumn *
column_of(const Memory *memory, int number)
{
	return &memory->night->column[memory->index[number]];
}

/* draws_of is how many attributes are drawn for a record; 0: each by itself, or all, and the step says what of. */
static int
draws_of(const Memory *memory)
{
	const SdcRandomizing *randomizing = memory->step->arguments;

	return memory->step->draw != NULL || randomizing->retain > 0 ? 0 : Max(randomizing->draws, 1);
}

/* find_probabilities finds the probabilities: those of the first night. */
static void
find_probabilities(Memory *memory)
{
	if (draws_of(memory) == 0)
		return;
	if (memory->begins)
		memory->probability = sdc_randomdraws_probabilities(memory->step, memory->source, memory->index);
	else if (((const SdcRandomizing *) memory->step->arguments)->draws == 0)
	{
		memory->probability = palloc(sizeof(double) * memory->step->protected_count);
		for (int j = 0; j < memory->step->protected_count; j++)
			memory->probability[j] = get_one(memory, column_of(memory, j)->stream + STREAM_PROBABILITY);
	}
}

/* check_choice insists that of every member as many attributes are drawn as there should be; any by themselves. */
static void
check_choice(const Memory *memory)
{
	for (uint32 m = 0; m < memory->before->records && draws_of(memory) > 0; m++)
	{
		int			drawn = 0;

		if (m % 4096 == 0)
			CHECK_FOR_INTERRUPTS();
		for (int j = 0; j < memory->step->protected_count; j++)
			drawn += sdc_choice_has(memory->before, m, j);
		if (drawn != draws_of(memory))
			sdc_night_refuse(memory->night, "The state has drawn other numbers of attributes.");
	}
}

/* read_choice reads which attributes were drawn for the members. */
static void
read_choice(Memory *memory)
{
	uint32		members = memory->night->members;
	uint8	   *drawn = sdc_memory_array(Max(members, 1), sizeof(uint8));
	SdcChoice  *before = sdc_choice_create(members, memory->step->protected_count);

	memset(before->bits, 0, (Size) members * before->width);
	for (int j = 0; j < memory->step->protected_count; j++)
	{
		sdc_privatestate_bytes(memory->night->state, column_of(memory, j)->stream + STREAM_DRAWN, drawn, members);
		for (uint32 m = 0; m < members; m++)
		{
			if (m % 4096 == 0)
				CHECK_FOR_INTERRUPTS();
			if (drawn[m] != 0)
				before->bits[m * before->width + j / 8] |= (uint8) (1 << (j % 8));
		}
	}
	sdc_free(drawn);
	memory->before = before;
	check_choice(memory);
}

/* draw_newcomers draws the attributes of so many records, of a publication; all, where the step says what they get. */
static SdcChoice *
draw_newcomers(const Memory *memory, uint32 records, uint64 publication)
{
	SdcChoice  *all;

	if (memory->step->draw == NULL)
		return sdc_randomdraws_choose(memory->step, memory->source, memory->probability, records, memory->random,
									  publication);
	all = sdc_choice_create(records, memory->step->protected_count);
	memset(all->bits, 0xFF, (Size) records * all->width);
	return all;
}

/* choose finds the attributes that are drawn for every record. */
static void
choose(Memory *memory)
{
	const SdcNight *night = memory->night;
	SdcChoice  *newcomers;
	uint32		count = 0;

	StaticAssertStmt(SDC_RANDOMIZE_NEW == SDC_CONTINUED_NOBODY, "nobody has one number only");
	find_probabilities(memory);
	if (memory->begins)
	{
		memory->choice = draw_newcomers(memory, memory->records, 0);
		return;
	}
	read_choice(memory);
	for (uint32 r = 0; r < memory->records; r++)
	{
		if (r % 65536 == 0)
			CHECK_FOR_INTERRUPTS();
		count += night->plan.member[r] == SDC_CONTINUED_NOBODY;
	}
	newcomers = draw_newcomers(memory, count, night->publication);
	memory->choice = sdc_choice_continue(memory->before, newcomers, night->plan.member, memory->records,
										 memory->step->protected_count);
	sdc_choice_destroy(newcomers);
}

/* take_original notes whether the original value of a record is the one that it was: SdcNightTake. */
static void
take_original(void *arg, uint32 record, const SdcNightOriginal *original)
{
	Cells	   *cells = arg;

	cells->memory->keeps[record] = !original->joins && !original->shown;
	cells->shown += original->shown;
}

/* find_released finds the column in the release that is continued. */
static void
find_released(Cells *cells)
{
	SdcSource  *released = cells->memory->night->released;

	for (int i = 0; i < released->attribute_count && cells->released == NULL; i++)
		if (strcmp(NameStr(released->attributes[i].name), cells->column->name) == 0)
			cells->released = released->attributes[i].column;
	if (cells->released == NULL)
		sdc_night_refuse(cells->memory->night, "It has lost a column.");
}

/* check_released insists that the release has what the state says. */
static void
check_released(Cells *cells)
{
	const SdcNight *night = cells->memory->night;
	SdcColumnReader *released;
	SdcColumnReader *original = sdc_column_open(cells->column->original);
	SdcColumnReader *replacement = sdc_column_open(cells->replacement);

	if (sdc_column_count(cells->replacement) != night->members)
		sdc_night_refuse(night, "The state has other members.");
	find_released(cells);
	released = sdc_column_open(cells->released);
	for (uint32 m = 0; m < night->members; m++)
	{
		bool		drawn = sdc_choice_has(cells->memory->before, m, cells->number);
		Datum		is;
		Datum		own;
		Datum		other;
		bool		is_valid = sdc_column_next(released, &is);
		bool		own_valid = sdc_column_next(original, &own);
		bool		other_valid = sdc_column_next(replacement, &other);

		if (m % 4096 == 0)
			CHECK_FOR_INTERRUPTS();
		if (sdc_night_differ(cells->attribute, is_valid, is, drawn ? other_valid : own_valid, drawn ? other : own))
			sdc_night_refuse(night, psprintf("Column \"%s\" has other values.", cells->column->name));
	}
	sdc_column_close(released);
	sdc_column_close(original);
	sdc_column_close(replacement);
}

/* draw_stratum draws the donors of one stratum. */
static void
draw_stratum(Cells *cells, uint32 stratum, const uint32 *member, uint32 count)
{
	Memory	   *memory = cells->memory;
	const char *name = NameStr(cells->attribute->name);
	SdcStream  *stream = sdc_random_restart(memory->random, name, SDC_PURPOSE_DONORS, stratum,
											memory->begins ? 0 : memory->night->publication);

	CHECK_FOR_INTERRUPTS();
	cells->attribute->continuation.drawn += sdc_randomize_continue(stream, memory->choice, cells->number, member, count,
														 memory->keeps, memory->donor);
	sdc_random_verify(memory->random);
}

/* draw_values has the step say what the records get that keep nothing. */
static void
draw_values(Cells *cells)
{
	Memory	   *memory = cells->memory;
	uint64		drawn = 0;

	cells->given = memory->step->draw(memory->step, cells->attribute, cells->original, memory->keeps,
									  sdc_randomdraws_stream(memory->step, memory->random,
															 NameStr(cells->attribute->name),
															 memory->begins ? 0 : memory->night->publication),
									  memory->spool, &drawn);
	sdc_random_verify(memory->random);
	cells->attribute->continuation.drawn += drawn;
}

/* draw_donors draws the donors of the column, and gives their values. */
static void
draw_donors(Cells *cells)
{
	Memory	   *memory = cells->memory;
	SdcGroupRecords members;
	uint64		changed;

	if (memory->step->draw != NULL)
	{
		draw_values(cells);
		return;
	}
	for (uint32 r = 0; r < memory->records; r++)
	{
		if (r % 65536 == 0)
			CHECK_FOR_INTERRUPTS();
		memory->donor[r] = r;
	}
	if (memory->source->stratum == NULL && sdc_column_null_count(cells->original) == 0)
		draw_stratum(cells, 0, NULL, memory->records);
	else
	{
		sdc_grouprecords_valued(memory->source->stratum, (uint32) memory->source->strata_found, cells->original,
								&members);
		for (uint32 s = 0; s < members.groups; s++)
			if (sdc_grouprecords_count(&members, s) > 0)
				draw_stratum(cells, s, sdc_grouprecords_of(&members, s), sdc_grouprecords_count(&members, s));
		sdc_grouprecords_free(&members);
	}
	cells->given = cells->attribute->continuation.drawn == 0 ? cells->original :
		sdc_donate_column(cells->original, &cells->attribute->type, memory->donor, memory->spool, memory->used,
						  &changed);
}

/* Readers of what the members have. */
typedef struct Before
{
	SdcColumnReader *replacement;
	SdcColumnReader *released;
	uint32		next;			/* member that comes next */
	bool		replacement_valid;
	Datum		replacement_value;
	bool		released_valid;
	Datum		released_value;
} Before;

/* go_to_member reads what a record had the night before; it tells whether it was a member. */
static bool
go_to_member(const Cells *cells, Before *before, uint32 record)
{
	uint32		member = before->replacement == NULL ? SDC_CONTINUED_NOBODY : cells->memory->night->plan.member[record];

	if (member == SDC_CONTINUED_NOBODY)
		return false;
	for (; before->next <= member; before->next++)
	{
		before->replacement_valid = sdc_column_next(before->replacement, &before->replacement_value);
		before->released_valid = sdc_column_next(before->released, &before->released_value);
	}
	return true;
}

/* release_cell releases a cell, of which this is the original value and that what its donor has. */
static void
release_cell(Cells *cells, Before *before, uint32 r, bool own_valid, Datum own, bool given_valid, Datum given,
			 SdcColumn *result)
{
	SdcAttribute *attribute = cells->attribute;
	bool		member = go_to_member(cells, before, r);
	bool		drawn = sdc_choice_has(cells->memory->choice, r, cells->number);
	bool		kept = drawn && member && cells->memory->keeps[r];
	bool		valid = kept ? before->replacement_valid : given_valid;
	Datum		value = kept ? before->replacement_value : given;

	sdc_column_append(result, value, !valid);
	sdc_column_append(cells->next, value, !valid || !drawn);
	attribute->changed += sdc_night_differ(attribute, valid, value, own_valid, own);
	attribute->continuation.kept += member &&
		!sdc_night_differ(attribute, valid, value, before->released_valid, before->released_value);
}

/* release_cells makes the column of the release, and the replacements of the state. */
static void
release_cells(Cells *cells)
{
	SdcAttribute *attribute = cells->attribute;
	SdcColumnReader *originals = sdc_column_open(cells->original);
	SdcColumnReader *givens = sdc_column_open(cells->given);
	Before		before = {0};
	SdcColumn  *result = sdc_column_create(cells->memory->spool, attribute->type.typid);

	if (cells->replacement != NULL)
	{
		before.replacement = sdc_column_open(cells->replacement);
		before.released = sdc_column_open(cells->released);
	}
	cells->next = sdc_column_create(cells->memory->spool, attribute->type.typid);
	attribute->changed = 0;
	for (uint32 r = 0; r < cells->memory->records; r++)
	{
		Datum		own;
		Datum		given;
		bool		own_valid = sdc_column_next(originals, &own);
		bool		given_valid = sdc_column_next(givens, &given);

		CHECK_FOR_INTERRUPTS();
		release_cell(cells, &before, r, own_valid, own, given_valid, given, result);
		if (r % 4096 == 0)
			sdc_progress_records(r);
	}
	sdc_column_finish(result);
	sdc_column_finish(cells->next);
	sdc_column_close(originals);
	sdc_column_close(givens);
	if (cells->replacement != NULL)
	{
		sdc_column_close(before.replacement);
		sdc_column_close(before.released);
	}
	attribute->column = result;
}

/* keep_state writes the state of the column. */
static void
keep_state(Cells *cells)
{
	Memory	   *memory = cells->memory;
	SdcPrivateState *next = memory->night->next;
	int			stream = cells->column->stream;
	uint8	   *drawn = sdc_memory_array(Max(memory->records, 1), sizeof(uint8));

	for (uint32 r = 0; r < memory->records; r++)
	{
		if (r % 65536 == 0)
			CHECK_FOR_INTERRUPTS();
		drawn[r] = sdc_choice_has(memory->choice, r, cells->number);
	}
	sdc_privatestate_put_column(next, stream + STREAM_ORIGINAL, cells->original);
	sdc_privatestate_put_column(next, stream + STREAM_REPLACEMENT, cells->next);
	sdc_privatestate_put_bytes(next, stream + STREAM_DRAWN, drawn, memory->records);
	if (memory->probability != NULL)
		put_one(memory, stream + STREAM_PROBABILITY, memory->probability[cells->number]);
	sdc_free(drawn);
}

/* protect_column continues a column. */
static void
protect_column(Cells *cells)
{
	SdcAttribute *attribute = cells->attribute;
	SdcNight   *night = cells->memory->night;

	attribute->continued = true;
	memset(&attribute->continuation, 0, sizeof(SdcContinuation));
	attribute->continuation.waiting = night->arrived;
	/* nobody has a partner */
	attribute->continuation.beyond = attribute->continuation.largest = get_float8_nan();
	if (cells->memory->begins)
	{
		memset(cells->memory->keeps, 0, cells->memory->records);
		cells->original = attribute->column;
	}
	else
	{
		cells->replacement = sdc_privatestate_column(night->state, cells->column->stream + STREAM_REPLACEMENT,
													 attribute->type.typid, cells->memory->spool);
		check_released(cells);
		cells->original = sdc_night_originals(night, attribute, cells->column, cells->memory->spool, take_original,
											  cells);
		sdc_column_destroy(attribute->column);
	}
	attribute->column = NULL;
	draw_donors(cells);
	release_cells(cells);
	keep_state(cells);
	night->differs |= attribute->continuation.drawn > 0 || cells->shown > 0;
	if (cells->given != cells->original)
		sdc_column_destroy(cells->given);
	sdc_column_destroy(cells->original);
	sdc_column_destroy(cells->next);
	if (cells->replacement != NULL)
		sdc_column_destroy(cells->replacement);
}

/* lists_members tells whether the records that have a value may have to be listed: of a later night all may be. */
static bool
lists_members(const Memory *memory)
{
	const SdcSource *source = memory->source;
	bool		lists = !memory->begins || source->stratum != NULL;

	for (int j = 0; j < memory->step->protected_count && !lists; j++)
		lists = sdc_column_null_count(source->attributes[memory->index[j]].column) > 0;
	return lists;
}

/* working_memory returns the bytes that stay while values are donated. */
static uint64
working_memory(const Memory *memory)
{
	uint32		members = memory->begins ? 0 : memory->night->members;
	uint64		bits = sdc_choice_memory(memory->records, memory->step->protected_count);

	return 2 * bits + sdc_choice_memory(members, memory->step->protected_count) + (uint64) members +
		(uint64) memory->records * (sizeof(uint32) + sizeof(bool) + sizeof(uint8)) +
		(lists_members(memory) ?
		 sdc_grouprecords_memory(2 * (uint64) memory->records, memory->source->strata_found) : 0);
}

/* sdc_nightrandomize_protect: see nightrandomize.h. */
void
sdc_nightrandomize_protect(SdcMethodStep *step, SdcSource *source, SdcSpool *spool, SdcRandom *random)
{
	Memory		memory = {.step = step, .night = step->night, .source = source, .spool = spool, .random = random,
	.records = (uint32) source->records};

	memory.index = sdc_randomdraws_attributes(step, source);
	memory.begins = column_of(&memory, 0)->begins;
	memory.used = working_memory(&memory);
	sdc_spool_set_limit(spool, sdc_memory_left(memory.used) / 2);
	choose(&memory);
	memory.donor = sdc_memory_array(Max(memory.records, 1), sizeof(uint32));
	memory.keeps = sdc_memory_array(Max(memory.records, 1), sizeof(bool));
	for (int j = 0; j < step->protected_count; j++)
	{
		Cells		cells = {.memory = &memory, .number = j, .attribute = &source->attributes[memory.index[j]],
		.column = column_of(&memory, j)};

		protect_column(&cells);
		sdc_progress_next();
	}
	sdc_choice_destroy(memory.choice);
	sdc_choice_destroy(memory.before);
	sdc_free(memory.donor);
	sdc_free(memory.keeps);
}
