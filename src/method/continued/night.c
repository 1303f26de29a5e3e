/*-------------------------------------------------------------------------
 *
 * night.c
 *		A release that is continued: what one night of it knows.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "method/continued/night.h"
#include "miscadmin.h"
#include "utils/lsyscache.h"

/* sdc_night_refuse: see night.h. */
void
sdc_night_refuse(const SdcNight *night, const char *detail)
{
	ereport(ERROR,
			(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			 errmsg("release \"%s\" does not agree with its private state", get_rel_name(night->before)),
			 errdetail_internal("%s", detail),
			 errhint("Restore the release and its state as they were, or drop the release and begin anew, which is another draw from the same source.")));
}

/* sdc_night_released: see night.h. */
SdcAttribute *
sdc_night_released(const SdcNight *night, const SdcNightColumn *column)
{
	for (int i = 0; i < night->released->attribute_count; i++)
		if (strcmp(NameStr(night->released->attributes[i].name), column->name) == 0)
			return &night->released->attributes[i];
	sdc_night_refuse(night, "It has lost a column.");
}

/* sdc_night_originals: see night.h. */
SdcColumn *
sdc_night_originals(const SdcNight *night, SdcAttribute *attribute, const SdcNightColumn *column, SdcSpool *spool,
					SdcNightTake take, void *arg)
{
	SdcColumnReader *was = sdc_column_open(column->original);
	SdcColumnReader *is = sdc_column_open(attribute->column);
	SdcColumn  *result = sdc_column_create(spool, attribute->type.typid);
	Datum		old = (Datum) 0;
	uint32		next = 0;

	for (uint32 r = 0; r < night->plan.records; r++)
	{
		SdcNightOriginal original = {.joins = night->plan.member[r] == SDC_CONTINUED_NOBODY};
		Datum		value;

		if (r % 4096 == 0)
			CHECK_FOR_INTERRUPTS();
		original.is_valid = sdc_column_next(is, &value);
		for (; !original.joins && next <= night->plan.member[r]; next++)
			original.was_valid = sdc_column_next(was, &old);
		original.shown = !original.joins && sdc_night_settles(night, r) &&
			sdc_night_differ(attribute, original.is_valid, value, original.was_valid, old);
		if (original.joins || original.shown)
			sdc_column_append(result, value, !original.is_valid);
		else
			sdc_column_append(result, old, !original.was_valid);
		take(arg, r, &original);
	}
	sdc_column_finish(result);
	sdc_column_close(was);
	sdc_column_close(is);
	return result;
}
