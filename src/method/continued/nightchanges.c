/*-------------------------------------------------------------------------
 *
 * nightchanges.c
 *		Whose values are not what they were last published as.
 *
 * Where the release tells the original values, as it does of swapped columns, they lie at random places of it.  So the
 * state has a hash of them for every member, and only members for which the source has another one are looked at:
 *
 *	1. a pass over each column adds to the hashes of the source's records
 *	2. a pass over the members compares them with those of the state
 *	3. of members that differ the values are recalled and compared one by one; values that are not what the source has
 *	   are taken down
 *
 * A hash is the sum of one for each column, so that it can follow single values.  It is salted, so that nobody can make
 * a change that goes unseen by knowing the function; the salt is in the state.  It is of bytes that mean the same in
 * every database: of a type whose values the server compares by more than their bytes, a value that is equal and
 * written in another way has another hash, and step 3 finds it equal.  Of 64 bits, they may miss one change in 2^64.
 *
 * Other columns have their original values in the state, and are compared with it.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "kernel/base/kernel_env.h"
#include "method/continued/nightchanges.h"
#include "method/continued/nightread.h"
#include "miscadmin.h"
#include "relation/base/memory.h"
#include "relation/catalog/privatevalues.h"
#include "relation/column/types.h"
#include "utils/guc.h"

/* What stands for a value that is missing. */
#define MISSING UINT64_C(0x6E756C6C4E554C4C)

/* A column at work. */
typedef struct Work
{
	SdcNight   *night;
	SdcAttribute *attribute;
	SdcNightColumn *column;
	const uint32 *of_member;
	bool	   *changed;
	SdcColumnReader *reader;	/* of the source */
	uint32		next;			/* its next record */
	bool		valid;			/* the value before it */
	Datum		value;
} Work;

/* is_told tells whether the release tells the original values of an attribute. */
static bool
is_told(const SdcNight *night, const SdcProtection *protection, const SdcSource *source, int i)
{
	return sdc_night_continues(night, source, i) && protection->steps[source->attributes[i].step].recall != NULL;
}

/* key_of is what words of a column are mixed with: it depends on the column and the salt. */
static inline uint64
key_of(const Work *work, int stream)
{
	return work->night->salt ^ (uint64) stream * UINT64_C(0x9E3779B97F4A7C15);
}

/* mix is a bijection of words in which every bit depends on all others. */
static inline uint64
mix(uint64 key, uint64 word)
{
	word ^= key;
	word = (word ^ word >> 32) * UINT64_C(0xD6E8FEB86659FD93);
	word = (word ^ word >> 32) * UINT64_C(0xD6E8FEB86659FD93);
	return word ^ word >> 32;
}

/* hash_value is the hash of a value of a column. */
static inline uint64
hash_value(const Work *work, bool valid, Datum value)
{
	SdcChecksum sum = {SDC_CHECKSUM_INIT ^ work->night->salt};

	if (!valid)
		return mix(key_of(work, work->column->stream + 1), MISSING);
	if (work->attribute->type.sum == SDC_SUM_WORD)
		return mix(key_of(work, work->column->stream), (uint64) sdc_type_word(&work->attribute->type, value));
	sdc_type_checksum(&work->attribute->type, &sum, value, false);
	return mix(key_of(work, work->column->stream), sum.state);
}

/* add_words adds the hashes of the values of a reader that are numbers of so many bytes and lie at hand. */
static pg_attribute_always_inline uint32
add_words(const Work *work, SdcColumnReader *reader, uint64 *hash, int16 bytes)
{
	uint32		count = reader->plain;
	const char *values = reader->next;
	uint64		key = key_of(work, work->column->stream);

	for (uint32 i = 0; i < count; i++)
		hash[i] += mix(key, (uint64) fetch_att(values + (Size) i * bytes, true, bytes));
	sdc_column_read_plain(reader, count);
	return count;
}

/* add_many does so for values of which many lie at hand, and returns how many. */
static uint32
add_many(const Work *work, SdcColumnReader *reader, uint64 *hash)
{
	/* known sizes, which the loop is compiled for */
	switch (sdc_type_plain_bytes(&work->attribute->type))
	{
		case sizeof(int32):
			return add_words(work, reader, hash, sizeof(int32));
		case sizeof(int64):
			return add_words(work, reader, hash, sizeof(int64));
		default:
			return 0;
	}
}

/* add_hashes adds the hashes of an attribute of the source. */
static void
add_hashes(const Work *work, uint64 *hash)
{
	SdcColumnReader *reader = sdc_column_open(work->attribute->column);
	uint64		records = sdc_column_count(work->attribute->column);

	for (uint64 s = 0; s < records; s++)
	{
		uint32		many = add_many(work, reader, hash + s);
		Datum		value;
		bool		valid;

		if (many > 0 || s % 4096 == 0)
			CHECK_FOR_INTERRUPTS();
		s += many;
		if (s == records)
			break;
		valid = sdc_column_next(reader, &value);
		hash[s] += hash_value(work, valid, value);
	}
	sdc_column_close(reader);
}

/* hash_source makes the hashes of all records of the source. */
static void
hash_source(SdcNight *night, SdcProtection *protection, SdcSource *source)
{
	int			nest = sdc_type_pin_settings();

	night->hash = sdc_memory_array(source->records, sizeof(uint64));
	memset(night->hash, 0, source->records * sizeof(uint64));
	for (int i = 0; i < source->attribute_count; i++)
	{
		Work		work = {.night = night, .attribute = &source->attributes[i], .column = &night->column[i]};

		if (is_told(night, protection, source, i))
			add_hashes(&work, night->hash);
	}
	AtEOXact_GUC(true, nest);
}

/* hash_stream is where the state has the hashes of the members of a night. */
static int
hash_stream(const SdcNight *night)
{
	return night->level == SDC_LEVEL_UNIT ? SDC_NIGHT_STREAM_UNIT_HASHES : SDC_NIGHT_STREAM_HASHES;
}

/* read_hashes reads those of the members. */
static void
read_hashes(SdcNight *night)
{
	uint64		bytes = night->members * sizeof(uint64);

	if (sdc_privatestate_count(night->state, hash_stream(night)) != bytes)
		sdc_night_refuse(night, "The state has other members.");
	night->was_hashed = sdc_nightread_bytes(night, hash_stream(night), bytes);
	if (night->was_hashed != NULL)
		return;
	night->was_hashed = night->was_read = sdc_memory_array(bytes, 1);
	sdc_privatestate_bytes(night->state, hash_stream(night), (uint8 *) night->was_read, bytes);
}

/* was_hash is that of a member. */
static inline uint64
was_hash(const SdcNight *night, uint32 member)
{
	return sdc_lowest_first(night->was_hashed[member]);
}

/* find_suspects marks the members whose hashes differ, and counts them. */
static uint32
find_suspects(SdcNight *night, const uint32 *of_member, bool *suspect)
{
	uint32		count = 0;

	read_hashes(night);
	for (uint32 m = 0; m < night->members; m++)
	{
		if (m % 4096 == 0)
			CHECK_FOR_INTERRUPTS();
		suspect[m] = of_member[m] != SDC_CONTINUED_NOBODY && night->hash[of_member[m]] != was_hash(night, m);
		count += suspect[m];
	}
	return count;
}

/* go_to reads what the source has of a member that it has. */
static void
go_to(Work *work, uint32 member)
{
	for (; work->next <= work->of_member[member]; work->next++)
		work->valid = sdc_column_next(work->reader, &work->value);
}

/* take_original compares the original value of a member with what the source has: SdcTakeOriginal. */
static void
take_original(void *arg, uint32 member, bool valid, Datum value)
{
	Work	   *work = arg;
	uint64		was;
	uint64		is;
	int			change;

	go_to(work, member);
	was = hash_value(work, valid, value);
	is = hash_value(work, work->valid, work->value);
	if (!sdc_night_differ(work->attribute, work->valid, work->value, valid, value))
	{
		if (was == is)
			return;
		change = SDC_NIGHT_OTHER_BYTES;
		work->night->hash[work->of_member[member]] += was - is;
	}
	else
	{
		change = !valid ? SDC_CONTINUED_APPEARED : !work->valid ? SDC_CONTINUED_VANISHED : SDC_CONTINUED_DIFFERS;
		work->changed[member] = true;
	}
	sdc_column_append(work->column->changes, sdc_nightchange_make(member, change), false);
	sdc_column_append(work->column->was, valid ? value : (Datum) 0, !valid);
}

/* recall_suspects finds what has become of the values of an attribute that the release tells. */
static void
recall_suspects(Work *work, SdcMethodStep *step, const bool *suspect, SdcSpool *spool)
{
	int			nest = sdc_type_pin_settings();

	work->column->changes = sdc_column_create(spool, INT8OID);
	work->column->was = sdc_column_create(spool, work->attribute->type.typid);
	work->reader = sdc_column_open(work->attribute->column);
	step->recall(work->night, work->attribute, work->column, suspect, spool, take_original, work);
	sdc_column_close(work->reader);
	sdc_column_finish(work->column->changes);
	sdc_column_finish(work->column->was);
	AtEOXact_GUC(true, nest);
}

/* compare_all compares an attribute whose original values the state has. */
static void
compare_all(Work *work, SdcSpool *spool)
{
	SdcNight   *night = work->night;
	SdcColumnReader *was;

	work->column->original = sdc_privatestate_column(night->state, work->column->stream,
													 work->attribute->type.typid, spool);
	if (sdc_column_count(work->column->original) != night->members)
		sdc_night_refuse(night, "The state has other members.");
	was = sdc_column_open(work->column->original);
	work->reader = sdc_column_open(work->attribute->column);
	for (uint32 m = 0; m < night->members; m++)
	{
		Datum		old;
		bool		old_valid = sdc_column_next(was, &old);

		if (m % 4096 == 0)
			CHECK_FOR_INTERRUPTS();
		if (work->of_member[m] == SDC_CONTINUED_NOBODY)
			continue;
		go_to(work, m);
		if (sdc_night_differ(work->attribute, work->valid, work->value, old_valid, old))
			work->changed[m] = true;
	}
	sdc_column_close(was);
	sdc_column_close(work->reader);
}

/* sdc_nightchanges_memory: hashes of the source and the members, and who is suspected. */
uint64
sdc_nightchanges_memory(const SdcNight *night, const SdcSource *source)
{
	return source->records * sizeof(uint64) + (uint64) night->members * (sizeof(uint64) + sizeof(bool));
}

/* sdc_nightchanges_find: see nightchanges.h. */
void
sdc_nightchanges_find(SdcNight *night, SdcProtection *protection, SdcSource *source, const uint32 *of_member,
					  bool *changed, SdcSpool *spool)
{
	bool	   *suspect = sdc_memory_array(night->members, sizeof(bool));
	uint32		suspects = 0;
	bool		told = false;

	memset(changed, 0, night->members);
	for (int i = 0; i < source->attribute_count; i++)
	{
		night->tells |= is_told(night, protection, source, i);
		told |= is_told(night, protection, source, i) && !night->column[i].begins;
	}
	if (night->tells)
		hash_source(night, protection, source);
	if (told)
		suspects = find_suspects(night, of_member, suspect);
	for (int i = 0; i < source->attribute_count; i++)
	{
		Work		work = {.night = night, .attribute = &source->attributes[i], .column = &night->column[i],
		.of_member = of_member, .changed = changed};

		if (!sdc_night_continues(night, source, i) || work.column->begins)
			continue;
		if (!is_told(night, protection, source, i))
			compare_all(&work, spool);
		else if (suspects > 0)
			recall_suspects(&work, &protection->steps[work.attribute->step], suspect, spool);
	}
	sdc_free(suspect);
}

/* keep_hashes writes those of so many records to the new state, and forgets them. */
static void
keep_hashes(SdcNight *night, uint64 records)
{
	for (uint64 r = 0; r < records; r++)
		night->hash[r] = sdc_lowest_first(night->hash[r]);
	sdc_privatestate_put_bytes(night->next, hash_stream(night), (uint8 *) night->hash, records * sizeof(uint64));
	sdc_free(night->hash);
	night->hash = NULL;
}

/* sdc_nightchanges_publish: of members whose changes wait it is what it was.  Hashes move to the front of the array. */
void
sdc_nightchanges_publish(SdcNight *night, const bool *changed)
{
	if (!night->tells)
		return;
	for (uint32 r = 0; r < night->plan.records; r++)
	{
		uint32		member = night->plan.member[r];
		uint64		hash = night->hash[night->plan.source[r]];

		if (r % 4096 == 0)
			CHECK_FOR_INTERRUPTS();
		if (member != SDC_CONTINUED_NOBODY && night->was_hashed != NULL && changed[member] &&
			!sdc_night_settles(night, r))
			hash = was_hash(night, member);
		night->hash[r] = hash;
	}
	if (night->was_read != NULL)
		sdc_free(night->was_read);
	night->was_hashed = night->was_read = NULL;
	keep_hashes(night, night->plan.records);
}

/* sdc_nightchanges_begin: see nightchanges.h. */
void
sdc_nightchanges_begin(SdcNight *night, SdcProtection *protection, SdcSource *source)
{
	for (int i = 0; i < source->attribute_count; i++)
		night->tells |= is_told(night, protection, source, i);
	if (!night->tells)
		return;
	if (night->salt == 0 && !pg_strong_random(&night->salt, sizeof(night->salt)))
		ereport(ERROR,
				(errcode(ERRCODE_INTERNAL_ERROR),
				 errmsg("could not generate random values")));
	hash_source(night, protection, source);
	keep_hashes(night, source->records);
}
