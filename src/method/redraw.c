/*-------------------------------------------------------------------------
 *
 * redraw.c
 *		What a release tells together with those that were drawn from the same records before.
 *
 * Draws from the same records average out, their groups and bins are intersected, and a seed that is used for a source
 * that has changed draws most pairs again and betrays the others.  Draws are counted by source, whatever the name,
 * method, parameters and seed of the release.  Only what decides the draw, all of it, tells that a draw is one that was
 * made before.  The release that is replaced is read for its keys: so many of its records are still there, so many are
 * gone, so many are new.  Other releases are not read, so that nobody has to wait for who replaces them.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "kernel/base/stream.h"
#include "lib/stringinfo.h"
#include "method/redraw.h"
#include "relation/base/names.h"
#include "relation/catalog/catalog.h"
#include "relation/catalog/methods.h"
#include "relation/catalog/parameters.h"
#include "relation/frame/draws.h"
#include "relation/read/reader.h"
#include "utils/guc.h"
#include "utils/json.h"
#include "utils/lsyscache.h"

/* draws_anew tells whether a step draws anything. */
static bool
draws_anew(const SdcMethodStep *step)
{
	return sdc_methods_draws(step->method);
}

/* averages tells whether the draws of a step average out. */
static bool
averages(const SdcMethodStep *step)
{
	const SdcMethod *method = step->method;

	return method->reach != SDC_REACH_NONE || method->tells == SDC_TELLS_NOISE;
}

/* intersects tells whether what is known from those of one is intersected: a function is the same again. */
static bool
intersects(const SdcMethodStep *step)
{
	return !averages(step) && step->method->tells != SDC_TELLS_FUNCTION;
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

/* same_columns tells whether a release protects what the new one does. */
static bool
same_columns(const SdcProtection *protection, const SdcReleaseRow *before)
{
	List	   *others = before->columns;

	for (int i = 0; i < protection->step_count; i++)
		others = sdc_names_without(others, protection->steps[i].columns);
	return others == NIL;
}

/*
 * warn_average warns of draws whose average tells the values.  Of more than two nobody knows that all of them protect
 * the same columns.
 */
static void
warn_average(const SdcProtection *protection, const SdcReleaseRow *before, const char *release)
{
	bool		all = protection->draws == 2 && same_columns(protection, before);

	ereport(WARNING,
			(errcode(ERRCODE_WARNING),
			 errmsg("release \"%s\" is draw %d from mostly the same records", release, protection->draws),
			 errdetail("Of its records, " UINT64_FORMAT " are in the draw before; the average of %s has about %d %% of the error of one.",
					   protection->turnover.stay, all ? "all draws" : "a column that all draws protect",
					   sdc_draws_left(protection->draws)),
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
			 errdetail("An intruder who has several of them intersects the bins and groups of a record, and takes its most frequent values."),
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

/* append_names appends names to what decides a draw, each as a string of JSON. */
static void
append_names(StringInfo text, const char *what, const List *names)
{
	ListCell   *cell;

	appendStringInfo(text, " %s", what);
	foreach(cell, names)
		escape_json(text, lfirst(cell));
}

/*
 * append_values appends a checksum of what methods take and do not protect: quasi-identifiers and strata.  The key and
 * the protected columns have one in the catalog.
 */
static void
append_values(StringInfo text, SdcSource *source)
{
	SdcChecksum sum = {SDC_CHECKSUM_INIT};
	SdcAttribute stratum = {.column = source->stratum};
	int			nest = sdc_type_pin_settings();

	for (int i = 0; i < source->attribute_count; i++)
		if (source->attributes[i].of_method && source->attributes[i].action == SDC_ACTION_COPIED &&
			source->attributes[i].column != NULL)
			sdc_reader_sum(&source->attributes[i], &sum);
	if (source->stratum != NULL)
	{
		sdc_type_lookup(&stratum.type, INT4OID, InvalidOid);
		sdc_reader_sum(&stratum, &sum);
	}
	AtEOXact_GUC(true, nest);
	appendStringInfo(text, " values " UINT64_FORMAT, sum.state);
}

/* compare_texts is for list_sort. */
static int
compare_texts(const ListCell *a, const ListCell *b)
{
	return strcmp(lfirst(a), lfirst(b));
}

/* takes_order tells whether the order in which a step names its columns matters. */
static bool
takes_order(const SdcMethod *method)
{
	return method->groups != SDC_GROUPS_NONE || method->tells == SDC_TELLS_SUPPRESSED ||
		method->tells == SDC_TELLS_AVERAGE;
}

/* describe_part returns what decides what a step does with some columns. */
static char *
describe_part(const SdcMethodStep *step, const List *columns)
{
	StringInfoData text;

	initStringInfo(&text);
	/* as jsonb the members of an object have one order */
	appendStringInfo(&text, " %s %s", step->method->name,
					 JsonbToCString(NULL, sdc_parameters_read(step->parameters), -1));
	append_names(&text, "columns", columns);
	if (step->method->groups != SDC_GROUPS_NONE)
	{
		append_names(&text, "qi", step->qi);
		append_names(&text, "sensitive", step->sensitive);
	}
	return text.data;
}

/*
 * describe_step appends what decides the draw of a step to parts.  Ranks are swapped column by column; other methods
 * take columns together, and in the order of the source, however they were named.  Only for groups the order of names
 * counts.
 */
static List *
describe_step(const SdcMethodStep *step, List *parts)
{
	const SdcMethod *method = step->method;
	List	   *columns = list_copy(step->columns);
	ListCell   *cell;

	if (method->reach != SDC_REACH_NONE)
	{
		foreach(cell, columns)
			parts = lappend(parts, describe_part(step, list_make1(lfirst(cell))));
		return parts;
	}
	if (!takes_order(method))
		list_sort(columns, compare_texts);
	return lappend(parts, describe_part(step, columns));
}

/*
 * describe_draw returns all that decides a draw; NULL: chance does.  Steps draw from streams of their own, so that
 * their order does not count.
 */
static char *
describe_draw(const SdcProtection *protection, SdcSource *source)
{
	StringInfoData text;
	List	   *key = NIL;
	List	   *strata = NIL;
	List	   *parts = NIL;
	ListCell   *cell;

	for (int i = 0; i < protection->step_count; i++)
		if (protection->seed == NULL && draws_anew(&protection->steps[i]))
			return NULL;
	for (int k = 0; k < source->key_count; k++)
		key = lappend(key, NameStr(source->attributes[source->key[k]].name));
	for (int k = 0; k < source->strata_count; k++)
		strata = lappend(strata, NameStr(source->attributes[source->strata[k]].name));
	initStringInfo(&text);
	appendStringInfo(&text, "stream %d seed ", SDC_STREAM_VERSION);
	escape_json(&text, protection->seed == NULL ? "" : protection->seed);
	for (int i = 0; i < protection->step_count; i++)
		parts = describe_step(&protection->steps[i], parts);
	list_sort(parts, compare_texts);
	foreach(cell, parts)
		appendStringInfoString(&text, lfirst(cell));
	append_names(&text, "key", key);
	append_names(&text, "strata", strata);
	append_values(&text, source);
	return text.data;
}

/* is_same tells whether a release was drawn by what decides this draw, from the same values. */
static bool
is_same(const SdcProtection *protection, const SdcSource *source, const SdcReleaseRow *row)
{
	return protection->drawn_from != NULL &&
		sdc_catalog_same_draw(protection->catalog_schema, row, protection->drawn_from) &&
		sdc_catalog_check(protection->catalog_schema, row, source->records, source->checksum) == SDC_SEAL_INTACT;
}

/*
 * find_before finds the release in whose place this one comes, if it is of mostly the same records.  A source that is
 * gone was loaded anew, under another OID: the keys tell whether its records are the same.
 */
static bool
find_before(SdcProtection *protection, const SdcSource *source, Oid before, SdcReleaseRow *row)
{
	SdcTurnover *turnover = &protection->turnover;

	if (!OidIsValid(before) || !sdc_catalog_get(protection->catalog_schema, before, row) || !row->made ||
		(row->source != source->relid && get_rel_name(row->source) != NULL))
		return false;
	if (sdc_catalog_check(protection->catalog_schema, row, source->records, source->checksum) == SDC_SEAL_INTACT)
		*turnover = (SdcTurnover) {true, source->records, 0, 0};
	else
		sdc_turnover_find(row, source, turnover);
	return SDC_TURNOVER_MOSTLY_SAME(*turnover);
}

/* warn says what a draw tells together with the one in whose place it comes. */
static void
warn(const SdcProtection *protection, const SdcReleaseRow *before, const char *name)
{
	if (has_step(protection, averages) && protection->drawn_from != NULL &&
		sdc_catalog_same_draw(protection->catalog_schema, before, protection->drawn_from))
		warn_seed(name);
	else if (has_step(protection, averages))
		warn_average(protection, before, name);
	sdc_redraw_warn_groups(protection, name, (uint64) protection->draws);
	if (has_step(protection, averages))
		warn_few(protection, name, &protection->turnover);
}

/* sdc_redraw_count: see redraw.h. */
void
sdc_redraw_count(SdcProtection *protection, SdcSource *source, Oid before, const char *name)
{
	SdcReleaseRow replaced;
	bool		again = find_before(protection, source, before, &replaced);
	int			known = again ? replaced.draws : 0;
	ListCell   *cell;

	protection->drawn_from = describe_draw(protection, source);
	protection->draw = 0;
	if (again && is_same(protection, source, &replaced))
		protection->draw = replaced.draw;
	foreach(cell, sdc_catalog_of_source(protection->catalog_schema, source->relid))
	{
		const SdcReleaseRow *row = lfirst(cell);

		/* what a release of other records has taken the place of does not count */
		if (row->release == before)
			continue;
		known = Max(known, row->draws);
		if (protection->draw == 0 && is_same(protection, source, row))
			protection->draw = row->draw;
	}
	if (protection->draw == 0)
	{
		protection->draw = sdc_draws_new();
		known++;
	}
	protection->draws = Max(known, 1);
	if (again && replaced.draw != protection->draw)
		warn(protection, &replaced, name);
}
