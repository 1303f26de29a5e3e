/*-------------------------------------------------------------------------
 *
 * turnover.c
 *		How the records of a source differ from those of a release, and those of two releases.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "relation/base/memory.h"
#include "relation/frame/turnover.h"
#include "relation/read/keycursor.h"
#include "relation/read/reader.h"
#include "utils/lsyscache.h"

/*
 * has_column tells whether a release has a column that can be read besides its key: whoever restored its row may have
 * written anything.
 */
static bool
has_column(const SdcReleaseRow *row)
{
	return row->columns != NIL && get_attnum(row->release, linitial(row->columns)) > 0;
}

/* has_key tells whether a release still has the columns of the key of its source, and the one that is read besides. */
static bool
has_key(const SdcReleaseRow *row, const SdcSource *source)
{
	return row->key != NIL && has_column(row) &&
		sdc_keycursor_alike(source, source->key, source->key_count, row->release, row->key);
}

/* read_keys reads the keys of a release. */
static SdcSource *
read_keys(const SdcReleaseRow *row, SdcSpool *spool)
{
	SdcSourceRequest request = {0};
	SdcSource  *release;

	request.relid = row->release;
	request.columns_given = true;
	request.columns = list_make1(linitial(row->columns));
	request.key_given = true;
	request.key = row->key;
	request.only_needed = true;
	request.as_registered = true;
	release = sdc_source_plan(&request);
	for (int i = 0; i < release->attribute_count; i++)
		release->attributes[i].summed = true;
	sdc_reader_read(release, spool);
	return release;
}

/* count_keys counts the keys of two relations that were read. */
static void
count_keys(const SdcSource *before, const SdcSource *source, SdcTurnover *turnover)
{
	SdcKeyCursor old;
	SdcKeyCursor new;

	sdc_keycursor_open(&old, before);
	sdc_keycursor_open(&new, source);
	while (old.record < before->records || new.record < source->records)
	{
		int			order = sdc_keycursor_compare(&old, &new);

		if ((old.record + new.record) % 4096 == 0)
			CHECK_FOR_INTERRUPTS();
		turnover->gone += order < 0;
		turnover->arrived += order > 0;
		turnover->stay += order == 0;
		if (order <= 0)
			sdc_keycursor_next(&old);
		if (order >= 0)
			sdc_keycursor_next(&new);
	}
	sdc_keycursor_close(&old);
	sdc_keycursor_close(&new);
}

/* sdc_turnover_find: see turnover.h. */
void
sdc_turnover_find(const SdcReleaseRow *row, const SdcSource *source, SdcTurnover *turnover)
{
	SdcSpool   *spool;

	memset(turnover, 0, sizeof(*turnover));
	turnover->known = true;
	if (!has_key(row, source))
	{
		turnover->stay = Min(row->records, source->records);
		turnover->gone = row->records - turnover->stay;
		turnover->arrived = source->records - turnover->stay;
		return;
	}
	spool = sdc_spool_create(sdc_memory_budget() / 8, source->key_count + 2);
	count_keys(read_keys(row, spool), source, turnover);
	sdc_spool_destroy(spool);
}

/* sdc_turnover_mostly_same: see turnover.h. */
bool
sdc_turnover_mostly_same(const SdcReleaseRow *before, const SdcReleaseRow *after)
{
	SdcTurnover turnover;
	SdcSpool   *spool;

	if (after->key == NIL || !has_column(after))
		return true;
	spool = sdc_spool_create(sdc_memory_budget() / 8, list_length(after->key) + 2);
	sdc_turnover_find(before, read_keys(after, spool), &turnover);
	sdc_spool_destroy(spool);
	return SDC_TURNOVER_MOSTLY_SAME(turnover);
}
