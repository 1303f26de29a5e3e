/*-------------------------------------------------------------------------
 *
 * nightoriginals.c
 *		The original values of a column that is swapped.
 *
 * The state has no value that the release tells: the original value of a record is what its mate has there, and
 * its own if it is alone.  Of cells that are pending or widows the state has it.  All this is looked up for the
 * few members only for which the source has something else (nightchanges.c); of all others it is what the source
 * has.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "method/continued/nightchanges.h"
#include "method/continued/nightmarks.h"
#include "method/continued/nightoriginals.h"
#include "method/continued/nightread.h"
#include "miscadmin.h"
#include "relation/base/memory.h"

/* count_kept counts the cells whose original value the state has, among packed mates. */
static uint64
count_kept(const uint32 *mate, uint64 count)
{
	uint64		kept = 0;

	for (uint64 r = 0; r < count; r++)
		kept += mate[r] == SDC_CONTINUED_WIDOW || mate[r] == SDC_CONTINUED_PENDING;
	return kept;
}

/* sdc_nightoriginals_mate_count: see nightoriginals.h. */
uint64
sdc_nightoriginals_mate_count(const SdcNight *night, const SdcNightColumn *column)
{
	uint64		count = sdc_privatestate_count(night->state, column->stream + SDC_NIGHTSWAP_MATE);

	if (count > night->members)
		sdc_night_refuse(night, "The state pairs records that cannot be pairs.");
	return count;
}

/* read_mates reads the mates of a column. */
static void
read_mates(const SdcNight *night, const SdcNightColumn *column, uint32 *mates)
{
	sdc_nightread_words(night, column->stream + SDC_NIGHTSWAP_MATE, mates,
						sdc_nightoriginals_mate_count(night, column));
}

/* read_kept reads the original values that the state has, which are as many as the mates say. */
static SdcColumn *
read_kept(const SdcNight *night, const SdcNightColumn *column, const uint32 *mates, Oid typid, SdcSpool *spool)
{
	SdcColumn  *kept = sdc_privatestate_column(night->state, column->stream + SDC_NIGHTSWAP_ORIGINAL, typid, spool);

	if (count_kept(mates, sdc_nightoriginals_mate_count(night, column)) != sdc_column_count(kept))
		sdc_night_refuse(night, "The state has values of cells that have none.");
	return kept;
}

/* sdc_nightoriginals_read: see nightoriginals.h. */
void
sdc_nightoriginals_read(const SdcNight *night, const SdcNightColumn *column, uint32 *mates, uint32 *marks, Oid typid,
						SdcSpool *spool)
{
	SdcColumn  *kept;

	read_mates(night, column, mates);
	kept = read_kept(night, column, mates, typid, spool);
	if (sdc_column_null_count(kept) > 0)
		sdc_night_refuse(night, "The state lacks a value.");
	sdc_column_destroy(kept);
	sdc_nightmarks_read(night, column, marks);
}

/* What is known of the members of a column before tonight. */
typedef struct Members
{
	const SdcNight *night;
	const uint32 *mate;
	SdcColumnReader *kept;		/* what the state has */
	const Datum *released;		/* what the release has, loaded */
	const bool *missing;		/* where it has nothing; NULL: nowhere */
} Members;

/* has_value tells whether a member has a value in the release. */
static inline bool
has_value(const Members *members, uint32 member)
{
	return members->missing == NULL || !members->missing[member];
}

/* original_of tells the original value of a member, if it has one; kept is what the state has of those that need it. */
static bool
original_of(const Members *members, uint32 member, Datum kept, Datum *value)
{
	uint32		mate = members->mate[member];

	if (mate == SDC_CONTINUED_WIDOW || mate == SDC_CONTINUED_PENDING)
	{
		if (has_value(members, member) != (mate == SDC_CONTINUED_WIDOW))
			sdc_night_refuse(members->night, "The state lacks a value.");
		*value = kept;
		return true;
	}
	if (sdc_continued_paired(mate))
	{
		if (!has_value(members, member) || !has_value(members, mate))
			sdc_night_refuse(members->night, "The state pairs records without values.");
		member = mate;
	}
	*value = members->released[member];
	return has_value(members, member);
}

/* find_missing marks the values that a column does not have; NULL: it has all. */
static bool *
find_missing(SdcColumn *column)
{
	uint64		count = sdc_column_count(column);
	SdcColumnReader *reader;
	bool	   *missing;
	Datum		value;

	if (sdc_column_null_count(column) == 0)
		return NULL;
	missing = sdc_memory_array(count, sizeof(bool));
	reader = sdc_column_open(column);
	for (uint64 r = 0; r < count; r++)
		missing[r] = !sdc_column_next(reader, &value);
	sdc_column_close(reader);
	return missing;
}

/* recall_some tells the original values of some members. */
static void
recall_some(const Members *members, const bool *some, SdcTakeOriginal take, void *arg)
{
	for (uint32 m = 0; m < members->night->members; m++)
	{
		uint32		mate = members->mate[m];
		Datum		kept = (Datum) 0;
		Datum		value;
		bool		valid;

		if (m % 4096 == 0)
			CHECK_FOR_INTERRUPTS();
		if ((mate == SDC_CONTINUED_WIDOW || mate == SDC_CONTINUED_PENDING) && !sdc_column_next(members->kept, &kept))
			sdc_night_refuse(members->night, "The state lacks a value.");
		if (!some[m])
			continue;
		valid = original_of(members, m, kept, &value);
		take(arg, m, valid, value);
	}
}

/* sdc_nightoriginals_recall: see nightoriginals.h. */
void
sdc_nightoriginals_recall(const SdcNight *night, SdcAttribute *attribute, SdcNightColumn *column, const bool *some,
						  SdcSpool *spool, SdcTakeOriginal take, void *arg)
{
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext, "sdc recall", ALLOCSET_DEFAULT_SIZES);
	MemoryContext before = MemoryContextSwitchTo(context);
	SdcColumn  *released = sdc_night_released(night, column)->column;
	uint64		count = sdc_nightoriginals_mate_count(night, column);
	uint32	   *word;
	SdcColumn  *kept;
	Members		members = {.night = night};
	SdcContinued cells;

	/* the numbers and marks of the plan, the mates as they are kept and as they are, and the hashes */
	members.missing = find_missing(released);
	members.released = sdc_column_load(released, sdc_memory_array(sdc_column_loaded_size(released), 1));
	word = sdc_memory_array(count, sizeof(uint32));
	read_mates(night, column, word);
	kept = read_kept(night, column, word, attribute->type.typid, spool);
	members.kept = sdc_column_open(kept);
	sdc_continued_create(&cells, night->members);
	if (!sdc_continued_unpack(&(SdcContinuedPacked) {night->members, word, (uint32) count}, NULL, &cells))
		sdc_night_refuse(night, "The state pairs records that cannot be pairs.");
	members.mate = cells.mate;
	MemoryContextSwitchTo(before);
	recall_some(&members, some, take, arg);
	sdc_column_close(members.kept);
	sdc_column_destroy(kept);
	MemoryContextDelete(context);
}

/* What members had, being read. */
typedef struct Stays
{
	SdcColumnReader *changes;
	SdcColumnReader *was;
	uint64		left;			/* of both */
	uint32		record;			/* the next one that keeps what it had */
	bool		valid;
	Datum		value;
} Stays;

/* next_stay finds the next record that keeps a value that the source has not. */
static void
next_stay(const SdcNight *night, Stays *stays)
{
	while (stays->left > 0)
	{
		Datum		change;

		stays->left--;
		(void) sdc_column_next(stays->changes, &change);
		stays->valid = sdc_column_next(stays->was, &stays->value);
		stays->record = night->plan.number[sdc_nightchange_member(change)];
		if (sdc_nightchange_kind(change) == SDC_NIGHT_OTHER_BYTES || !sdc_night_settles(night, stays->record))
			return;
	}
	stays->record = SDC_CONTINUED_NOBODY;
}

/* sdc_nightoriginals_patch: see nightoriginals.h. */
SdcColumn *
sdc_nightoriginals_patch(const SdcNight *night, const SdcNightColumn *column, SdcColumn *source, SdcSpool *spool)
{
	SdcColumnReader *reader = sdc_column_open(source);
	SdcColumn  *result = sdc_column_create(spool, sdc_column_type(source));
	Stays		stays = {.changes = sdc_column_open(column->changes), .was = sdc_column_open(column->was),
	.left = sdc_column_count(column->changes)};

	next_stay(night, &stays);
	for (uint32 r = 0; r < night->plan.records; r++)
	{
		Datum		value;
		bool		valid = sdc_column_next(reader, &value);

		if (r % 4096 == 0)
			CHECK_FOR_INTERRUPTS();
		if (r != stays.record)
		{
			sdc_column_append(result, value, !valid);
			continue;
		}
		sdc_column_append(result, stays.value, !stays.valid);
		next_stay(night, &stays);
	}
	sdc_column_finish(result);
	sdc_column_close(reader);
	sdc_column_close(stays.changes);
	sdc_column_close(stays.was);
	return result;
}
