/*-------------------------------------------------------------------------
 *
 * randomizeexternal.c
 *		Random anonymization of more records than fit the memory budget.
 *
 * The same release as that of randomize.c, with the same draws, through temporary files:
 *
 *	1.	the attributes that are drawn for every record, a bit each, in columns of bytes
 *	2.	of an attribute that all records have a value of, without strata, the donors are drawn record by record, and
 *		every record requests the value of its donor
 *	3.	otherwise the records that have a value are brought together by stratum (relation/wordorder); a donor is drawn
 *		by its position there, which is then made its number
 *	4.	the requests are granted (relation/gather)
 *
 * Of all records nothing is in memory.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "kernel/groups/randomize.h"
#include "method/randomdraws.h"
#include "method/randomizeexternal.h"
#include "miscadmin.h"
#include "relation/base/memory.h"
#include "relation/base/progress.h"
#include "relation/column/donate.h"
#include "relation/column/gather.h"
#include "relation/column/wordorder.h"

/* Records whose attributes are drawn at a time. */
#define BLOCK_RECORDS 1024

/* The records of the strata, those that have a value, ascending in each. */
typedef struct Members
{
	SdcColumn  *word;			/* int8: stratum, record and whether the attribute is drawn for it */
	SdcColumn  *record;			/* int4, at the same positions */
	SdcColumn  *stratum;		/* int4: strata that have any, */
	SdcColumn  *length;			/* int8: and how many */
} Members;

/* A step at work. */
typedef struct External
{
	SdcSource  *source;
	SdcSpool   *spool;
	SdcRandom  *random;
	SdcColumn **bits;			/* of eight attributes each, or of one that is drawn by itself, "char" */
	bool		each;			/* they are drawn by themselves */
	uint64		memory;			/* beside the spool */
} External;

/* put_bits writes the choice of some records behind that of those before, from a column of bits on. */
static void
put_bits(const External *external, const SdcChoice *choice, int first)
{
	const uint8 *bits = choice->bits;

	for (uint32 r = 0; r < choice->records; r++)
		for (Size byte = 0; byte < choice->width; byte++)
			sdc_column_append(external->bits[first + byte], CharGetDatum((char) *bits++), false);
}

/* choose draws the attributes of some records, or one attribute by itself. */
static SdcChoice *
choose(const SdcMethodStep *step, SdcStream *stream, uint32 records, const double *probability)
{
	const SdcRandomizing *randomizing = step->arguments;
	SdcChoice  *choice;

	if (randomizing->draws > 0)
		return sdc_choice_subset(stream, records, step->protected_count, randomizing->draws);
	if (randomizing->retain == 0)
		return sdc_choice_single(stream, records, probability, step->protected_count);
	choice = sdc_choice_create(records, 1);
	memset(choice->bits, 0, records * choice->width);
	sdc_choice_each(stream, choice, 0, 1 - randomizing->retain);
	return choice;
}

/* draw_stream draws what one stream does, for all records. */
static void
draw_stream(const External *external, const SdcMethodStep *step, const double *probability, SdcStream *stream,
			int first)
{
	for (uint64 r = 0; r < external->source->records; r += BLOCK_RECORDS)
	{
		SdcChoice  *choice = choose(step, stream, (uint32) Min(BLOCK_RECORDS, external->source->records - r),
									probability);

		CHECK_FOR_INTERRUPTS();
		put_bits(external, choice, first);
		sdc_choice_destroy(choice);
	}
	sdc_random_verify(external->random);
}

/* draw_bits draws the attributes of all records, and returns how many columns of bits they take. */
static int
draw_bits(External *external, const SdcMethodStep *step, const int *index, const double *probability)
{
	int			attributes = step->protected_count;
	int			columns;

	external->each = ((const SdcRandomizing *) step->arguments)->retain > 0;
	columns = external->each ? attributes : (attributes + 7) / 8;
	external->bits = palloc(sizeof(SdcColumn *) * columns);
	for (int i = 0; i < columns; i++)
		external->bits[i] = sdc_column_create(external->spool, CHAROID);
	if (!external->each)
		draw_stream(external, step, probability, sdc_random_start(external->random, "", SDC_PURPOSE_CHOICE, 0), 0);
	else
		for (int j = 0; j < attributes; j++)
			draw_stream(external, step, probability,
						sdc_random_start(external->random, NameStr(external->source->attributes[index[j]].name),
										 SDC_PURPOSE_PRAM, 0), j);
	for (int i = 0; i < columns; i++)
		sdc_column_finish(external->bits[i]);
	return columns;
}

/* open_bits reads the bits of an attribute; place is the one in its bytes. */
static SdcColumnReader *
open_bits(const External *external, int number, int *place)
{
	*place = external->each ? 0 : number % 8;
	return sdc_column_open(external->bits[external->each ? number : number / 8]);
}

/* next_bit reads whether an attribute is drawn for the next record. */
static inline bool
next_bit(SdcColumnReader *bits, int place)
{
	Datum		byte;

	(void) sdc_column_next(bits, &byte);
	return ((uint8) DatumGetChar(byte) >> place) & 1;
}

/* draw_all draws donors among all records. */
static void
draw_all(const External *external, const SdcAttribute *attribute, int number, SdcGather *gather)
{
	uint32		records = (uint32) external->source->records;
	int			place;
	SdcColumnReader *bits = open_bits(external, number, &place);
	SdcStream  *stream = sdc_random_start(external->random, NameStr(attribute->name), SDC_PURPOSE_DONORS, 0);

	for (uint32 r = 0; r < records; r++)
		if (next_bit(bits, place))
			sdc_gather_put(gather, sdc_stream_below(stream, records), r);
	sdc_column_close(bits);
	sdc_random_verify(external->random);
}

/* member_words writes the words of the records that have a value, and NULL for others. */
static SdcColumn *
member_words(const External *external, const SdcAttribute *attribute, int number)
{
	SdcColumn  *stratum = external->source->stratum;
	SdcColumn  *words = sdc_column_create(external->spool, INT8OID);
	SdcColumnReader *values = sdc_column_open(attribute->column);
	int			place;
	SdcColumnReader *bits = open_bits(external, number, &place);
	SdcColumnReader *strata = stratum == NULL ? NULL : sdc_column_open(stratum);

	for (uint64 r = 0; r < external->source->records; r++)
	{
		Datum		value;
		Datum		in = Int32GetDatum(0);
		bool		valid = sdc_column_next(values, &value);
		bool		drawn = next_bit(bits, place);

		if (strata != NULL)
			(void) sdc_column_next(strata, &in);
		sdc_column_append(words, sdc_word_datum((uint64) DatumGetInt32(in) << 33 | r << 1 | drawn), !valid);
	}
	sdc_column_finish(words);
	sdc_column_close(values);
	sdc_column_close(bits);
	if (strata != NULL)
		sdc_column_close(strata);
	return words;
}

/* order_words brings the words of the records of each stratum together; without strata they are. */
static SdcColumn *
order_words(const External *external, SdcColumn *words)
{
	SdcSortedColumn sorted;

	if (external->source->stratum == NULL)
		return words;
	sdc_wordorder_sort(words, external->memory, external->spool, &sorted);
	sdc_column_destroy(words);
	sdc_column_destroy(sorted.record);
	sdc_column_destroy(sorted.length);
	sdc_column_destroy(sorted.stratum);
	return sorted.value;
}

/* end_stratum notes how many members a stratum has, if it has any. */
static void
end_stratum(Members *members, int32 stratum, uint64 length)
{
	if (length == 0)
		return;
	sdc_column_append(members->stratum, Int32GetDatum(stratum), false);
	sdc_column_append(members->length, Int64GetDatum((int64) length), false);
}

/* find_members finds the members of an attribute. */
static void
find_members(const External *external, const SdcAttribute *attribute, int number, Members *members)
{
	SdcColumnReader *reader;
	uint64		length = 0;
	int32		stratum = 0;

	members->word = order_words(external, member_words(external, attribute, number));
	members->record = sdc_column_create(external->spool, INT4OID);
	members->stratum = sdc_column_create(external->spool, INT4OID);
	members->length = sdc_column_create(external->spool, INT8OID);
	reader = sdc_column_open(members->word);
	for (uint64 i = 0; i < sdc_column_count(members->word); i++)
	{
		Datum		word;

		if (!sdc_column_next(reader, &word))
			continue;
		if ((int32) (sdc_word_of(word) >> 33) != stratum)
		{
			end_stratum(members, stratum, length);
			stratum = (int32) (sdc_word_of(word) >> 33);
			length = 0;
		}
		length++;
		sdc_column_append(members->record, Int32GetDatum((int32) (uint32) (sdc_word_of(word) >> 1)), false);
	}
	sdc_column_close(reader);
	end_stratum(members, stratum, length);
	sdc_column_finish(members->record);
	sdc_column_finish(members->stratum);
	sdc_column_finish(members->length);
}

/* draw_stratum draws the donors of the next stratum, by position. */
static void
draw_stratum(SdcStream *stream, SdcColumnReader *words, uint32 first, uint32 length, SdcGather *gather)
{
	for (uint32 i = 0; i < length;)
	{
		Datum		word;

		if (!sdc_column_next(words, &word))
			continue;
		i++;
		if (sdc_word_of(word) & 1)
			sdc_gather_put(gather, first + sdc_stream_below(stream, length), (uint32) (sdc_word_of(word) >> 1));
	}
}

/* draw_members draws donors among the members of every stratum: returns them by record, NULL where none is drawn. */
static SdcColumn *
draw_members(const External *external, const SdcAttribute *attribute, Members *members)
{
	SdcGather  *gather = sdc_gather_begin(members->record, external->memory);
	SdcColumnReader *words = sdc_column_open(members->word);
	SdcColumnReader *strata = sdc_column_open(members->stratum);
	SdcColumnReader *lengths = sdc_column_open(members->length);
	SdcColumn  *nobody = sdc_column_create(external->spool, INT4OID);
	SdcColumn  *donors;
	SdcType		type;
	uint32		first = 0;
	uint64		changed;

	for (uint64 i = 0; i < sdc_column_count(members->stratum); i++)
	{
		Datum		stratum;
		Datum		length;

		(void) sdc_column_next(strata, &stratum);
		(void) sdc_column_next(lengths, &length);
		draw_stratum(sdc_random_start(external->random, NameStr(attribute->name), SDC_PURPOSE_DONORS,
									  (uint64) DatumGetInt32(stratum)),
					 words, first, (uint32) DatumGetInt64(length), gather);
		sdc_random_verify(external->random);
		first += (uint32) DatumGetInt64(length);
		CHECK_FOR_INTERRUPTS();
	}
	sdc_column_close(words);
	sdc_column_close(strata);
	sdc_column_close(lengths);
	for (uint64 r = 0; r < external->source->records; r++)
		sdc_column_append(nobody, (Datum) 0, true);
	sdc_column_finish(nobody);
	sdc_type_lookup(&type, INT4OID, InvalidOid);
	donors = sdc_gather_end(gather, nobody, &type, external->spool, &changed);
	sdc_column_destroy(nobody);
	return donors;
}

/* put_donors has every record request the value of its donor. */
static void
put_donors(SdcColumn *donors, SdcGather *gather)
{
	SdcColumnReader *reader = sdc_column_open(donors);

	for (uint64 r = 0; r < sdc_column_count(donors); r++)
	{
		Datum		donor;

		if (sdc_column_next(reader, &donor))
			sdc_gather_put(gather, (uint32) DatumGetInt32(donor), (uint32) r);
	}
	sdc_column_close(reader);
}

/* randomize_attribute randomizes an attribute, of which that is the number in the choice. */
static void
randomize_attribute(const External *external, SdcAttribute *attribute, int number)
{
	SdcColumn  *donors = NULL;
	SdcGather  *gather;
	SdcColumn  *result;

	if (external->source->stratum != NULL || sdc_column_null_count(attribute->column) > 0)
	{
		Members		members;

		find_members(external, attribute, number, &members);
		donors = draw_members(external, attribute, &members);
		sdc_column_destroy(members.word);
		sdc_column_destroy(members.record);
		sdc_column_destroy(members.stratum);
		sdc_column_destroy(members.length);
	}
	gather = sdc_gather_begin(attribute->column, external->memory);
	if (donors == NULL)
		draw_all(external, attribute, number, gather);
	else
	{
		put_donors(donors, gather);
		sdc_column_destroy(donors);
	}
	result = sdc_donate_gathered(gather, attribute->column, attribute->dictionary, &attribute->type, external->spool,
								 &attribute->changed);
	sdc_column_destroy(attribute->column);
	attribute->column = result;
}

/* sdc_randomize_external: see randomizeexternal.h. */
void
sdc_randomize_external(const SdcMethodStep *step, SdcSource *source, SdcSpool *spool, SdcRandom *random,
					   const int *index, const double *probability, uint64 dictionaries)
{
	External	external = {.source = source, .spool = spool, .random = random};
	uint64		left = sdc_memory_left(dictionaries);
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext, "sdc external randomization",
												  ALLOCSET_DEFAULT_SIZES);
	MemoryContext before = MemoryContextSwitchTo(context);
	int			columns;

	external.memory = left / 4 * 3;
	sdc_spool_set_limit(spool, left / 4);
	columns = draw_bits(&external, step, index, probability);
	for (int j = 0; j < step->protected_count; j++)
	{
		randomize_attribute(&external, &source->attributes[index[j]], j);
		sdc_progress_next();
	}
	for (int i = 0; i < columns; i++)
		sdc_column_destroy(external.bits[i]);
	MemoryContextSwitchTo(before);
	MemoryContextDelete(context);
}
