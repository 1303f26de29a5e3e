/*-------------------------------------------------------------------------
 *
 * changes.c
 *		What a caller is told of the columns of a release: few changes, and values that are nearly all different.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "method/changes.h"
#include "relation/base/spi.h"

/* append_share appends a name and how many percent of something it is about. */
static void
append_share(StringInfo list, const SdcAttribute *attribute, const char *percent, bool first)
{
	sdc_spi_append_name(list, NameStr(attribute->name), first);
	appendStringInfo(list, " (%s %%)", percent);
}

/* append_changed appends a protected attribute with the percentage of its values that changed. */
static void
append_changed(StringInfo list, const SdcAttribute *attribute, uint64 values, bool first)
{
	uint64		percent = attribute->changed * 100 / values;

	append_share(list, attribute, attribute->changed > 0 && percent == 0 ? "below 1" :
				 psprintf(UINT64_FORMAT, percent), first);
}

/* sdc_changes_tell: see changes.h. */
void
sdc_changes_tell(const SdcSource *source, const SdcMethodStep *step)
{
	StringInfoData warned;
	StringInfoData noticed;
	int			warnings = 0;
	int			notices = 0;

	initStringInfo(&warned);
	initStringInfo(&noticed);
	for (int i = 0; i < source->attribute_count; i++)
	{
		const SdcAttribute *attribute = &source->attributes[i];
		uint64		values;

		if (!sdc_step_is_of(step, attribute))
			continue;
		values = source->records - sdc_column_null_count(attribute->column);
		if (attribute->changed * 2 >= values)
			continue;
		if (step->changes == SDC_CHANGES_MOST ||
			(attribute->changed == 0 && (step->changes == SDC_CHANGES_SOME ||
										 step->changes == SDC_CHANGES_GROUPED)))
			append_changed(&warned, attribute, values, warnings++ == 0);
		else if (step->changes == SDC_CHANGES_SOME || step->changes == SDC_CHANGES_DRAWN)
			append_changed(&noticed, attribute, values, notices++ == 0);
	}
	if (warnings > 0)
		ereport(WARNING,
				(errcode(ERRCODE_WARNING),
				 errmsg_plural("fewer than half of the values of a protected column changed: %s",
							   "fewer than half of the values of protected columns changed: %s",
							   warnings, warned.data),
				 errhint("%s", step->unchanged_hint)));
	if (notices > 0)
		ereport(NOTICE,
				(errmsg_plural("fewer than half of the values of a protected column changed: %s",
							   "fewer than half of the values of protected columns changed: %s",
							   notices, noticed.data)));
	pfree(warned.data);
	pfree(noticed.data);
}

/* sdc_changes_warn_distinct: see changes.h. */
void
sdc_changes_warn_distinct(const SdcSource *source)
{
	StringInfoData list;
	int			count = 0;

	initStringInfo(&list);
	for (int i = 0; i < source->attribute_count; i++)
	{
		const SdcAttribute *attribute = &source->attributes[i];

		if (attribute->distinct > 0)
			append_share(&list, attribute, psprintf("%d", attribute->distinct), count++ == 0);
	}
	if (count > 0)
		ereport(WARNING,
				(errcode(ERRCODE_WARNING),
				 errmsg_plural("nearly all values of a copied column are different: %s",
							   "nearly all values of copied columns are different: %s",
							   count, list.data),
				 errdetail("Different values identify records in the release."),
				 errhint("Leave such columns out with argument \"omit\", or classify them as identifier.")));
	pfree(list.data);
}
