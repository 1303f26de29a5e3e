/*-------------------------------------------------------------------------
 *
 * nightwarnings.c
 *		What is to be said of a release that is continued.
 *
 * Every warning once, with the number that it is about and what to do.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "method/continued/nightwarnings.h"
#include "method/recode.h"
#include "method/redraw.h"
#include "method/swap.h"
#include "relation/base/spi.h"
#include "utils/lsyscache.h"

/*
 * From these on something is said: lots of widows per cell, percent that have gone beyond the window since the first
 * night (p-distribution and p-buckets put many there themselves), nights of waiting.
 */
#define REDRAWN_MOST 0.5
#define BEYOND_MOST 10.0
#define NIGHTS_MOST 30

/*
 * How far swap distances of a lot are from fresh ones (Kolmogorov-Smirnov), by the size of the lot in 100 / p, of n =
 * 20,000, p = 5.
 */
static const struct
{
	double		size;
	const char *distance;
}			distances[] = {{5.0, "0.04"}, {2.0, "0.16"}, {1.0, "0.37"}, {0.0, "more than 0.37"}};

/*
 * warn_lot warns of the lots of a step: they are smaller because somebody wants it, or because there are no more
 * records, or units.
 */
static void
warn_lot(const SdcMethodStep *step, const SdcSource *source)
{
	uint64		records = source->units == NULL ? source->records : source->units->count;
	const char *what = source->units == NULL ? "records" : "units";
	const SdcSwapMethod *method = step->arguments;
	double		size = step->lot.changes * method->percent / 100.0;
	const char *place = pnstrdup(step->place, Max(1, strlen(step->place)) - 1);
	const char *after = step->place[0] == '\0' ? "" : ": ";
	bool		given = step->continuing->min_changes != 0;
	int			i = 0;

	while (distances[i].size > size)
		i++;
	ereport(WARNING,
			(errcode(ERRCODE_WARNING),
			 given ?
			 errmsg("%s%sargument \"min_changes\" is %u, and %u would hide who is new", place, after,
					step->lot.changes, step->default_lot) :
			 errmsg("%s%sargument \"min_changes\" is %u by default, for there are " UINT64_FORMAT " %s, and %u would hide who is new",
					place, after, step->lot.changes, records, what, step->default_lot),
			 errdetail("A newcomer's value is guessed right in %.0f %% of the cases, and distances of values differ from those of a fresh release by %s instead of 0.04 (Kolmogorov-Smirnov).",
					   100.0 / (2.0 * size + 1.0), distances[i].distance),
			 given ? errhint("Leave the argument out.") :
			 errhint("Use a larger p or fewer buckets, or continue a table of at least %u %s.", step->default_lot, what)));
}

/* sdc_nightwarnings_begin: see nightwarnings.h. */
void
sdc_nightwarnings_begin(const SdcProtection *protection, const SdcSource *source)
{
	for (int i = 0; i < protection->step_count; i++)
	{
		const SdcMethodStep *step = &protection->steps[i];

		if (step->continuing != NULL && step->lot.changes < step->default_lot)
			warn_lot(step, source);
	}
}

/* What is counted of the columns of a night. */
typedef struct Columns
{
	StringInfoData list;
	int			count;
} Columns;

/* add_column adds a column and a number to a list. */
static void
add_column(Columns *columns, const SdcAttribute *attribute, const char *format, double number)
{
	if (columns->count == 0)
		initStringInfo(&columns->list);
	sdc_spi_append_name(&columns->list, NameStr(attribute->name), columns->count++ == 0);
	appendStringInfo(&columns->list, format, number);
}

/* warn_redrawn warns of cells that have lost their partner more than once. */
static void
warn_redrawn(const SdcNight *night, const SdcSource *source, const char *release)
{
	Columns		columns = {.count = 0};

	for (int i = 0; i < source->attribute_count; i++)
		if (night->column[i].name != NULL && night->column[i].redrawn > REDRAWN_MOST)
			add_column(&columns, &source->attributes[i], " (%.2f)", night->column[i].redrawn);
	if (columns.count > 0)
		ereport(WARNING,
				(errcode(ERRCODE_WARNING),
				 errmsg("cells of release \"%s\" have lost their partner often: %s times on average", release,
						columns.list.data),
				 errdetail("A person who has lost a partner twice was in two lots, and the person's value is in both."),
				 errhint("Use a larger min_departures, or make a new release of other people.")));
}

/* is_drawn tells whether a step draws: a recoding gives the same value the same code whenever a record comes. */
static bool
is_drawn(const SdcProtection *protection)
{
	for (int i = 0; i < protection->step_count; i++)
		if (!sdc_recode_is(&protection->steps[i]))
			return true;
	return false;
}

/* notice_drift tells of a release that has gone far from a fresh one. */
static void
notice_drift(const SdcNight *night, const SdcProtection *protection, const SdcSource *source, const char *release)
{
	Columns		columns = {.count = 0};
	bool		grown = source->records > 2 * night->first_records || source->records * 2 < night->first_records;

	for (int i = 0; i < source->attribute_count; i++)
		if (night->column[i].name != NULL && night->column[i].beyond - night->column[i].first_beyond > BEYOND_MOST)
			add_column(&columns, &source->attributes[i], " (%.1f %%)", night->column[i].beyond);
	if (columns.count == 0 && !grown)
		return;
	ereport(NOTICE,
			(columns.count > 0 ?
			 errmsg("values of release \"%s\" are farther away than they would be drawn: %s", release, columns.list.data) :
			 errmsg("release \"%s\" began with " UINT64_FORMAT " records, and has " UINT64_FORMAT, release,
					night->first_records, source->records),
			 is_drawn(protection) ? errhint("Drop the release and begin anew; it counts as another draw.") :
			 errhint("Drop the release and begin anew, so that thresholds and means are those of the records of today.")));
}

/* is_old tells whether something has waited for long. */
static bool
is_old(const SdcNight *night, TimestampTz since, uint32 nights)
{
	return sdc_night_waited(night, since, nights) > NIGHTS_MOST;
}

/* old_changes counts the members whose changed values have waited for long. */
static uint64
old_changes(const SdcNight *night)
{
	return is_old(night, night->changed_since, night->changed_nights) ? night->changed : 0;
}

/* notice_waiting tells of what has waited for long, and of nothing else. */
static void
notice_waiting(const SdcNight *night, const SdcSource *source, const char *release)
{
	uint64		arrived = is_old(night, night->arrived_since, night->arrived_nights) ? night->arrived : 0;
	uint64		changed = old_changes(night) + (night->of_units == NULL ? 0 : old_changes(night->of_units));
	uint64		widows = 0;

	for (int i = 0; i < source->attribute_count; i++)
	{
		const SdcNightColumn *column = &night->column[i];

		if (column->name != NULL && is_old(night, column->widows_since, column->widows_nights))
			widows += source->attributes[i].continuation.widows;
	}
	if (arrived == 0 && changed == 0 && widows == 0)
		return;
	ereport(NOTICE,
			(errmsg("changes have waited in release \"%s\" for more than %d nights: " UINT64_FORMAT " newcomers, " UINT64_FORMAT " changed records, " UINT64_FORMAT " values of people who are gone",
					release, NIGHTS_MOST, arrived, changed, widows),
			 errhint("sdc_pending tells more.  Argument erase_within ends values of people who are gone.")));
}

/*
 * warn_departed warns of a source that has lost more than half of the records: perhaps it was only half loaded, and who
 * comes back with the rest would be drawn once more.  The release that had them is the one before; a run has a limit.
 */
static void
warn_departed(const SdcNight *night, const SdcProtection *protection, const char *release)
{
	bool		of_run = OidIsValid(protection->before);

	if (night->first || night->plan.departed <= night->members / 2)
		return;
	ereport(WARNING,
			(errcode(ERRCODE_WARNING),
			 errmsg("of %u records of release \"%s\", %u are gone from its source", night->members,
					of_run ? get_rel_name(protection->before) : release,
					night->plan.departed),
			 is_drawn(protection) ?
			 errdetail("A person who comes back is new and is drawn anew; two draws of a value tell more than one.") : 0,
			 of_run ?
			 errhint("Limit \"max_gone\" of the policy decides whether that is published: SELECT sdc_policy_alter(..., limits => '{\"max_gone\": ...}') changes it.") :
			 errhint("If the source was not complete, roll back the transaction, and continue the release when it is.")));
}

/* warn_erased warns of lots that were drawn before they were full. */
static void
warn_erased(const SdcNight *night, const SdcProtection *protection, const SdcSource *source, const char *release)
{
	Columns		columns = {.count = 0};
	uint32		least = PG_UINT32_MAX;

	for (int i = 0; i < source->attribute_count; i++)
	{
		const SdcAttribute *attribute = &source->attributes[i];

		if (night->column[i].name == NULL || attribute->continuation.erased == 0)
			continue;
		add_column(&columns, attribute, " (%.0f)", (double) attribute->continuation.erased);
		least = Min(least, protection->steps[attribute->step].lot.changes);
	}
	if (columns.count > 0)
		ereport(WARNING,
				(errcode(ERRCODE_WARNING),
				 errmsg("values of people who are gone have left release \"%s\" in lots of fewer than %u: %s", release, least,
						columns.list.data),
				 errdetail("A reader of both releases looks for partners among so few records; in a lot of one, the value is known."),
				 errhint("Use a longer erase_within where the law allows it.")));
}

/* sdc_nightwarnings_end: see nightwarnings.h. */
void
sdc_nightwarnings_end(const SdcNight *night, const SdcProtection *protection, const SdcSource *source,
					  const char *release)
{
	if (!night->first && night->differs)
		sdc_redraw_warn_groups(protection, release, night->publication);
	warn_departed(night, protection, release);
	warn_erased(night, protection, source, release);
	warn_redrawn(night, source, release);
	notice_drift(night, protection, source, release);
	notice_waiting(night, source, release);
}
