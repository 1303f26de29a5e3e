/*-------------------------------------------------------------------------
 *
 * redraw.c
 *		What a release tells together with those that were drawn from the same records before.
 *
 * Draws from the same records average out, their groups and bins are intersected, and a seed that is used for a source
 * that has changed draws most pairs again and betrays the others.  The release that is replaced is read for its keys:
 * so many of its records are still there, so many are gone, so many are new.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "method/redraw.h"
#include "relation/catalog.h"
#include "relation/keycursor.h"
#include "relation/memory.h"
#include "relation/methods.h"
#include "relation/reader.h"
#include "utils/lsyscache.h"

/* How much of the error of one draw is left in the average of some: measured for rank swapping, census, p = 5. */
static const struct
{
	int			draws;
	int			percent;
}			left[] = {{30, 22}, {20, 26}, {10, 33}, {5, 45}, {2, 66}};

/* has_key tells whether a release still has the columns of the key of its source. */
static bool
has_key(const SdcReleaseRow *row, const SdcSource *source)
{
	ListCell   *cell;
	int			k = 0;

	if (row->key == NIL || list_length(row->key) != source->key_count)
		return false;
	foreach(cell, row->key)
	{
		const SdcType *type = &source->attributes[source->key[k++]].type;
		AttrNumber	number = get_attnum(row->release, lfirst(cell));

		if (number <= 0 || getBaseType(get_atttype(row->release, number)) != type->base)
			return false;
	}
	return true;
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

/* find_turnover finds how the records of a source differ from those of a release. */
static void
find_turnover(const SdcReleaseRow *row, const SdcSource *source, SdcTurnover *turnover)
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

/* draws_anew tells whether a step draws anything: ranges and sets follow from the records. */
static bool
draws_anew(const SdcMethodStep *step)
{
	return sdc_methods_find(step->method)->groups != SDC_GROUPS_GENERALIZED;
}

/* averages tells whether the draws of a step average out. */
static bool
averages(const SdcMethodStep *step)
{
	return sdc_methods_find(step->method)->reach != SDC_REACH_NONE;
}

/* intersects tells whether those of one are intersected. */
static bool
intersects(const SdcMethodStep *step)
{
	return !averages(step);
}

/* has_step tells whether there is a step of a kind that draws anew. */
static bool
has_step(const SdcProtection *protection, bool (*kind) (const SdcMethodStep *step))
{
	for (int i = 0; i < protection->step_count; i++)
		if (protection->steps[i].continuing == NULL && kind(&protection->steps[i]))
			return true;
	return false;
}

/* smallest_lot returns how many records should come, or go, together; 0: no step says so. */
static uint32
smallest_lot(const SdcProtection *protection)
{
	uint32		least = 0;

	for (int i = 0; i < protection->step_count; i++)
		least = Max(least, protection->steps[i].default_lot);
	return least;
}

/* warn_average warns of draws whose average tells the values. */
static void
warn_average(const char *release, int draws, const SdcTurnover *turnover)
{
	int			i = 0;

	while (left[i].draws > draws)
		i++;
	ereport(WARNING,
			(errcode(ERRCODE_WARNING),
			 errmsg("release \"%s\" is draw %d from mostly the same records", release, draws),
			 errdetail("Of its records, " UINT64_FORMAT " are in the draw before; the average of all draws has at most %d %% of the error of one.",
					   turnover->stay, left[i].percent),
			 errhint("Continue the release instead: continued => true.")));
}

/* sdc_redraw_warn_groups: see redraw.h. */
void
sdc_redraw_warn_groups(const SdcProtection *protection, const char *release, uint64 draws)
{
	if (!has_step(protection, intersects))
		return;
	ereport(WARNING,
			(errcode(ERRCODE_WARNING),
			 errmsg("release \"%s\" is draw " UINT64_FORMAT " of bins, groups or replacements for mostly the same records", release, draws),
			 errdetail("Who has several of them intersects the bins and groups of a record, and takes its most frequent values."),
			 errhint("Publish one of them only, or continue the release where the method can: rank swapping, random anonymization.")));
}

/* warn_few warns of differences that show who has come and gone. */
static void
warn_few(const SdcProtection *protection, const char *release, const SdcTurnover *turnover)
{
	uint32		least = smallest_lot(protection);

	if ((turnover->arrived == 0 || turnover->arrived >= least) &&
		(turnover->gone == 0 || turnover->gone >= least))
		return;
	ereport(WARNING,
			(errcode(ERRCODE_WARNING),
			 errmsg("release \"%s\" differs from the one before by few records: " UINT64_FORMAT " are new and " UINT64_FORMAT " are gone",
					release, turnover->arrived, turnover->gone),
			 errdetail("The difference of the two releases has the values of these records, and of no others."),
			 errhint("Release when %u are new, or gone, or continue the release: continued => true.", least)));
}

/* warn_seed warns of a seed whose source has changed. */
static void
warn_seed(const char *release)
{
	ereport(WARNING,
			(errcode(ERRCODE_WARNING),
			 errmsg("release \"%s\" is drawn from a seed again, and its source has changed", release),
			 errdetail("Most pairs stay as they were, and those that do not tell which value is whose: after 30 nights with 1 %% of other records, 65 %% of the values are known exactly."),
			 errhint("Continue the release instead: continued => true.")));
}

/* sdc_redraw_warn: see redraw.h. */
int
sdc_redraw_warn(SdcProtection *protection, const SdcSource *source, Oid before, const char *name)
{
	SdcReleaseRow row;
	SdcTurnover *turnover = &protection->turnover;
	bool		seeded;
	bool		unchanged;
	int			draws;

	if (!OidIsValid(before) || !sdc_catalog_get(protection->catalog_schema, before, &row) || !row.made)
		return 1;
	/* a source that is gone was loaded anew, under another OID: the keys tell whether its records are the same */
	if (row.source != source->relid && get_rel_name(row.source) != NULL)
		return 1;
	seeded = protection->seed != NULL &&
		sdc_catalog_same_seed(protection->catalog_schema, &row, protection->seed);
	unchanged = sdc_catalog_check(protection->catalog_schema, &row, source->records,
								  source->checksum) == SDC_SEAL_INTACT;
	if (unchanged)
		*turnover = (SdcTurnover) {true, source->records, 0, 0};
	if (unchanged && (seeded || !has_step(protection, draws_anew)))
		return row.draws;
	find_turnover(&row, source, turnover);
	if (turnover->stay * 2 <= row.records)
		return 1;
	draws = row.draws + 1;
	if (seeded && has_step(protection, averages))
		warn_seed(name);
	else if (has_step(protection, averages))
		warn_average(name, draws, turnover);
	sdc_redraw_warn_groups(protection, name, (uint64) draws);
	if (has_step(protection, averages))
		warn_few(protection, name, turnover);
	return draws;
}
