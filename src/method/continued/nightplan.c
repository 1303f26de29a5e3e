/*-------------------------------------------------------------------------
 *
 * nightplan.c
 *		A release that is continued: who stays, is gone, changed and new.
 *
 * The members are the records of the release that is continued.  They and the source are both in the order of the
 * key, so that one pass over each pairs them.  Then a pass over every continued column finds whose values have
 * changed (nightchanges.c).  Records that are not shown yet leave the source here, and no step, no count and no
 * copied column knows of them.
 *
 * Time O(n) for every column of the key and every continued one; memory 18 bytes a member and 20 a record of the
 * source.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "method/continued/nightchanges.h"
#include "method/continued/nightplan.h"
#include "method/continued/nightread.h"
#include "method/continued/nightunits.h"
#include "method/continued/nightwarnings.h"
#include "method/recode.h"
#include "relation/base/memory.h"
#include "relation/column/dictionary.h"
#include "relation/read/keycursor.h"
#include "relation/read/reader.h"
#include "relation/read/sourceunits.h"
#include "utils/builtins.h"
#include "utils/guc.h"
#include "utils/lsyscache.h"

/* load_strata loads the numbers of the strata of a source, NULL without strata. */
static uint32 *
load_strata(const SdcSource *source)
{
	uint32	   *stratum;
	SdcColumnReader *reader;

	if (source->stratum == NULL)
		return NULL;
	stratum = sdc_memory_array(source->records, sizeof(uint32));
	reader = sdc_column_open(source->stratum);
	for (uint64 r = 0; r < source->records; r++)
	{
		Datum		value;

		(void) sdc_column_next(reader, &value);
		stratum[r] = (uint32) DatumGetInt32(value);
	}
	sdc_column_close(reader);
	return stratum;
}

/*
 * read_released reads the key and the continued columns of the release that is continued.  needed: bytes that the plan
 * takes.
 */
static void
read_released(SdcNight *night, SdcSource *source, const SdcSpool *spool, uint64 needed)
{
	/* what the plan and the source leave, and half of it for the values that are recalled */
	sdc_nightread_finish(night, source, Max(sdc_memory_budget() / 16,
											sdc_memory_left(needed + sdc_spool_memory(spool)) / 2));
	if (night->released->records != night->members)
		sdc_night_refuse(night, psprintf("It has " UINT64_FORMAT " records, and the state is of %u.",
										 night->released->records, night->members));
	for (int k = 0; k < source->key_count; k++)
		if (night->released->attributes[night->released->key[k]].type.base !=
			source->attributes[source->key[k]].type.base)
			sdc_night_refuse(night, "Its key has another type.");
	if (!sdc_keycursor_alike(source, source->unit, source->unit_count, night->before, night->row.unit))
		sdc_night_refuse(night, "The columns that name its units have other types.");
	/* the checksum of a text is of its bytes: restored into another encoding the release is believed once */
	if (night->released->checksum != night->released_sum && sdc_privatestate_same_encoding(night->state))
		sdc_night_refuse(night, "It has other values, or other records.");
}

/*
 * find_lot returns how many have to change, or to arrive, before any of it is shown in a night's columns: the largest
 * number of their steps.  Units join by the largest of all, so that those who join are a lot of records, too.
 */
static uint32
find_lot(const SdcNight *night, const SdcProtection *protection, const SdcSource *source)
{
	uint32		least = 1;

	for (int i = 0; i < source->attribute_count; i++)
		if (night->level == SDC_LEVEL_UNIT ? night->column[i].name != NULL : sdc_night_continues(night, source, i))
			least = Max(least, protection->steps[source->attributes[i].step].lot.changes);
	return least;
}

/* count_waiting counts who waits and who has changed. */
static void
count_waiting(SdcNight *night)
{
	night->arrived = night->plan.waiting;
	night->changed = 0;
	for (uint32 g = 0; g < night->strata; g++)
		if (!night->plan.stratum[g].settle)
			night->changed += night->plan.stratum[g].changed;
	night->arrived_since = night->arrived == 0 ? 0 : night->arrived_since != 0 ? night->arrived_since : night->now;
	night->changed_since = night->changed == 0 ? 0 : night->changed_since != 0 ? night->changed_since : night->now;
}

/* make_plan decides what happens to whom. */
static void
make_plan(SdcNight *night, const SdcProtection *protection, SdcSource *source, const uint32 *of_member,
		  const bool *changed, const bool *shown)
{
	uint32	   *stratum = load_strata(source);
	SdcContinuedPairing pairing = {night->members, (uint32) source->records, of_member, changed, stratum,
	Max(1, (uint32) source->strata_found), find_lot(night, protection, source), source->units, shown};

	night->strata = pairing.strata;
	sdc_continuedplan_make(&pairing, &night->plan);
	night->differs |= !sdc_continuedplan_is_quiet(&pairing, &night->plan);
	if (stratum != NULL)
		sdc_free(stratum);
	count_waiting(night);
}

/*
 * sdc_nightplan_departures: see nightplan.h.  Who was in several lots of widows shares that with few others, of whom he
 * has the value that is in his window each time: in lots of L of n records about 2 p n / 100 (L / n)^k others are left
 * after k lots.  With k = 3 and five others L is the cube root of 250 n^2 / p, and the least lot of changes is 500 / p.
 * A small table has a third of its records: with a quarter several times as many values are known.
 */
uint32
sdc_nightplan_departures(const SdcMethodStep *step, uint64 records)
{
	double		n = (double) records;
	double		least = ceil(Min(n / 3.0, cbrt(n * n * step->default_lot / 2.0)));

	if (step->continuing->min_departures != 0)
		return (uint32) step->continuing->min_departures;
	return Max(step->lot.changes, (uint32) least);
}

/* choose_lots settles how large the lots of a step are, of so many records, or units. */
static void
choose_lots(SdcMethodStep *step, uint64 records, bool of_units)
{
	const SdcContinuing *asked = step->continuing;
	uint64		most = Max(records, 2);

	step->lot.changes = asked->min_changes != 0 ? (uint32) asked->min_changes :
		(uint32) Min(step->default_lot, most);
	step->lot.departures = sdc_nightplan_departures(step, records);
	if ((uint64) asked->min_changes > records || (uint64) asked->min_departures > records)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg(of_units ? "argument \"%s\" is larger than the number of units" : "argument \"%s\" is larger than the number of records",
						(uint64) asked->min_changes > records ? "min_changes" : "min_departures"),
				 errhint("It must be between 1 and " UINT64_FORMAT ".", records)));
}

/* A step whose lots are chosen. */
typedef struct Choice
{
	SdcMethodStep *step;
	uint64		records;		/* or units */
	bool		of_units;
} Choice;

/* choose does so for sdc_step_within. */
static void
choose(void *arg)
{
	Choice	   *choice = arg;

	choose_lots(choice->step, choice->records, choice->of_units);
}

/*
 * settle decides what happens to whom in the columns of a night, where the record of every member is known; shown:
 * units that are, or NULL.  Records that have to wait are taken out of the source.  The plan still has what numbers the
 * others had.
 */
static void
settle(SdcNight *night, SdcProtection *protection, SdcSource *source, const uint32 *of_member, const bool *shown,
	   SdcSpool *spool)
{
	bool	   *changed = sdc_memory_array(night->members, sizeof(bool));

	sdc_nightchanges_find(night, protection, source, of_member, changed, spool);
	make_plan(night, protection, source, of_member, changed, shown);
	sdc_reader_keep(source, spool, night->plan.source, night->plan.records);
	sdc_sourceunits_keep(source, night->plan.source);
	night->stratum = load_strata(source);
	sdc_nightchanges_publish(night, changed);
	sdc_free(changed);
	night->memory = ((uint64) night->members + source->records * (night->stratum == NULL ? 1 : 2)) * sizeof(uint32);
}

/* plan_units finds which units stay, are gone, changed and new, and returns which of the source are shown. */
static bool *
plan_units(SdcNight *night, SdcProtection *protection, SdcSource *source, uint32 *of_member, SdcSpool *spool)
{
	bool		lots = find_lot(night, protection, source) > 1;
	uint32	   *of_unit = sdc_nightunits_pair(night, protection, source, of_member, lots, spool);
	bool	   *shown;

	settle(night->of_units, protection, night->of_units->table, of_unit, NULL, spool);
	shown = sdc_nightunits_show(night, source, of_member);
	sdc_free(of_unit);
	return shown;
}

/* plan_again plans a night that is not the first. */
static void
plan_again(SdcNight *night, SdcProtection *protection, SdcSource *source, SdcSpool *spool)
{
	uint64		needed = (uint64) night->members * (sizeof(uint32) + sizeof(bool)) +
		sdc_nightchanges_memory(night, source) +
		sdc_continuedplan_memory(night->members, (uint32) source->records, (uint32) source->strata_found) +
		(source->stratum == NULL ? 0 : 2 * source->records * sizeof(uint32));
	uint32	   *of_member = sdc_memory_array(night->members, sizeof(uint32));
	bool	   *shown = NULL;

	read_released(night, source, spool, needed);
	sdc_keycursor_pair(night->released, source, of_member);
	if (night->of_units != NULL)
		shown = plan_units(night, protection, source, of_member, spool);
	settle(night, protection, source, of_member, shown, spool);
	sdc_nightread_end(night);
	if (shown != NULL)
		sdc_free(shown);
	sdc_free(of_member);
	sdc_free(night->plan.source);
	night->plan.source = NULL;
}

/* begin plans the first night of the columns of a night. */
static void
begin(SdcNight *night, SdcProtection *protection, SdcSource *source)
{
	night->strata = Max(1, (uint32) source->strata_found);
	night->stratum = load_strata(source);
	night->first_records = source->records;
	night->differs = true;
	sdc_nightchanges_begin(night, protection, source);
}

/* begin_units plans the first night of the units. */
static void
begin_units(SdcNight *night, SdcProtection *protection, SdcSource *source, SdcSpool *spool)
{
	SdcNight   *units = night->of_units;

	sdc_nightunits_table(night, protection, source, spool);
	units->salt = night->salt;
	begin(units, protection, units->table);
	night->salt = units->salt;
	sdc_nightunits_keep(units, units->table->records);
}

/* sdc_nightplan_find: see nightplan.h. */
void
sdc_nightplan_find(SdcNight *night, SdcProtection *protection, SdcSource *source, SdcSpool *spool)
{
	for (int i = 0; i < protection->step_count; i++)
	{
		Choice		choice = {&protection->steps[i], source->units == NULL ? source->records : source->units->count,
		source->units != NULL};

		if (choice.step->continuing != NULL)
			sdc_step_within(choice.step->place, choose, &choice);
		else if (!sdc_recode_is(choice.step))
			night->differs = true;
	}
	if (source->records > SDC_CONTINUED_RECORDS)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("relation \"%s\" has more than %u records", source->name, SDC_CONTINUED_RECORDS),
				 errhint("Release so many without continued => true.")));
	sdc_nightwarnings_begin(protection, source);
	night->now = GetCurrentTimestamp();
	/* of its own, so that there are no records any more when it is written */
	night->next_spool = sdc_spool_create(sdc_memory_budget() / 64, 1);
	night->next = sdc_privatestate_create(night->catalog_schema, night->next_spool);
	sdc_nightunits_levels(night, protection, source);
	if (night->first)
	{
		begin(night, protection, source);
		if (night->of_units != NULL)
			begin_units(night, protection, source, spool);
	}
	else
	{
		uint64		records = source->records;

		plan_again(night, protection, source, spool);
		protection->turnover.known = true;
		protection->turnover.gone = night->plan.departed;
		protection->turnover.stay = night->members - night->plan.departed;
		protection->turnover.arrived = records - protection->turnover.stay;
	}
	night->units = source->units;
}

/*
 * add_released adds the name of a column of the release, and the checksum of its values, as the reader does.  Who made
 * the column may have summed it up, before its equal values were written alike, or missing codes put back; of units
 * these are other values.
 */
static void
add_released(SdcAttribute *attribute, const SdcNightColumn *column, SdcChecksum *sum)
{
	SdcChecksum values = {SDC_CHECKSUM_INIT};

	if (column->summed && !column->of_units && !attribute->respelled && attribute->missing == NULL)
		values.state = column->sum;
	else
		sdc_reader_sum(attribute, &values);
	sdc_checksum_bytes(sum, NameStr(attribute->name), strlen(NameStr(attribute->name)));
	sdc_checksum_word(sum, values.state);
}

/* sum_released is the checksum that reading key and continued columns of tonight's release will give. */
static uint64
sum_released(const SdcNight *night, SdcSource *source)
{
	SdcChecksum sum = {SDC_CHECKSUM_INIT};

	sdc_checksum_word(&sum, source->records);
	for (int k = 0; k < source->key_count; k++)
		add_released(&source->attributes[source->key[k]], &night->column[source->key[k]], &sum);
	for (int i = 0; i < source->attribute_count; i++)
		if (night->column[i].name != NULL ||
			(source->attributes[i].of_unit && source->attributes[i].action != SDC_ACTION_KEY))
			add_released(&source->attributes[i], &night->column[i], &sum);
	return sum.state;
}

/* describe_step says in the parameters of a step how it is continued, and how far values have come. */
static void
describe_step(SdcMethodStep *step, const SdcSource *source)
{
	StringInfoData json;
	double		largest = 0.0;

	for (int i = 0; i < source->attribute_count; i++)
		if (sdc_step_is_of(step, &source->attributes[i]))
			largest = Max(largest, source->attributes[i].continuation.largest);
	initStringInfo(&json);
	/* without the end of the object */
	appendBinaryStringInfo(&json, step->parameters, (int) strlen(step->parameters) - 1);
	appendStringInfo(&json, "%s\"" SDC_PARAMETER_CONTINUED "\": true", json.len > 1 ? ", " : "");
	if (step->default_lot > 0)
	{
		appendStringInfo(&json, ", \"" SDC_PARAMETER_MIN_CHANGES "\": %u, \"" SDC_PARAMETER_MIN_DEPARTURES "\": %u",
						 step->lot.changes, step->lot.departures);
		if (step->continuing->erase_within != NULL)
			appendStringInfo(&json, ", \"" SDC_PARAMETER_ERASE_WITHIN "\": \"%s\"",
							 DatumGetCString(DirectFunctionCall1(interval_out,
																 IntervalPGetDatum(step->continuing->erase_within))));
		appendStringInfo(&json, ", \"" SDC_PARAMETER_LARGEST "\": %.17g", largest);
	}
	appendStringInfoChar(&json, '}');
	step->parameters = json.data;
}

/* is_carried tells whether an attribute has what the source has, or what one rule makes of that for everybody. */
static bool
is_carried(const SdcProtection *protection, const SdcAttribute *attribute)
{
	return attribute->action == SDC_ACTION_COPIED || attribute->action == SDC_ACTION_UNIT ||
		(attribute->action == SDC_ACTION_PROTECTED && sdc_recode_is(&protection->steps[attribute->step]));
}

/* forget_released forgets the release that was read: the pages of its files are there for the next one. */
static void
forget_released(SdcNight *night)
{
	sdc_nightread_forget(night);
	if (night->released_spool != NULL)
		sdc_spool_destroy(night->released_spool);
	night->released_spool = NULL;
}

/* sdc_nightplan_seal: see nightplan.h. */
void
sdc_nightplan_seal(SdcNight *night, SdcProtection *protection, SdcSource *source)
{
	SdcChecksum sum = {SDC_CHECKSUM_INIT};
	int			nest = sdc_type_pin_settings();
	uint64		released;

	for (int i = 0; i < source->attribute_count; i++)
	{
		SdcAttribute *attribute = &source->attributes[i];

		if (attribute->action == SDC_ACTION_OMITTED)
			continue;
		sdc_checksum_bytes(&sum, NameStr(attribute->name), strlen(NameStr(attribute->name)));
		sdc_checksum_word(&sum, attribute->type.typid);
		if (is_carried(protection, attribute))
			sdc_reader_sum(attribute, &sum);
	}
	for (int i = 0; i < protection->step_count; i++)
		if (protection->steps[i].continuing != NULL)
			describe_step(&protection->steps[i], source);
	released = sum_released(night, source);
	AtEOXact_GUC(true, nest);
	/* what was released can differ by missing codes alone */
	night->differs |= night->first || sum.state != night->copied || released != night->released_sum ||
		(night->of_units != NULL && night->of_units->differs);
	night->released_sum = released;
	night->copied = sum.state;
	forget_released(night);
}
