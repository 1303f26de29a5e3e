/*-------------------------------------------------------------------------
 *
 * joinedclasses.c
 *		The classes of sizes in which the units of a continued release have joined.
 *
 * The private state has them by the units of the release, which are found by reading the columns that name them once
 * more.  Sizes tell nothing that who knows the source does not know of most units: what is read here stays with
 * attacks.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "kernel/rank/continued.h"
#include "relation/base/memory.h"
#include "relation/catalog/catalogtable.h"
#include "relation/catalog/privatestate.h"
#include "relation/frame/joinedclasses.h"
#include "relation/read/keycursor.h"
#include "relation/read/reader.h"
#include "relation/read/sourceunits.h"

/* read_table reads the table of units of a release. */
static SdcSource *
read_table(const SdcReleaseRow *row, bool unnamed, SdcSpool *spool)
{
	SdcSourceRequest request = {.relid = row->release, .columns_given = true, .key_given = true, .key = row->key,
		.unit_given = true, .unit = row->unit, .only_needed = true, .as_registered = true, .unnamed = unnamed};
	SdcSource  *release = sdc_source_plan(&request);

	sdc_reader_read(release, spool);
	return sdc_sourceunits_table(release, NIL, spool);
}

/* find_classes finds the units of a source among those of the release, both in their order. */
static uint32 *
find_classes(const SdcSource *source, const SdcSource *table, const uint32 *of_release, SdcSpool *spool)
{
	SdcSource  *units = sdc_sourceunits_table(source, NIL, spool);
	uint32	   *least = sdc_memory_zeros(units->records, sizeof(uint32));
	uint32	   *of_unit = sdc_memory_array(units->records, sizeof(uint32));

	sdc_keycursor_pair(units, table, of_unit);
	for (uint64 u = 0; u < units->records; u++)
	{
		sdc_interrupts_step(u);
		if (of_unit[u] != SDC_CONTINUED_NOBODY)
			least[u] = of_release[of_unit[u]];
	}
	sdc_free(of_unit);
	return least;
}

/* count_units returns of how many units a state has the classes; 0: of none. */
static uint64
count_units(const SdcPrivateState *state)
{
	SdcPrivateRaw raw;
	int			place = 0;

	while (sdc_privatestate_next_raw(state, &place, &raw))
		if (raw.stream == SDC_JOINEDCLASSES_STREAM && raw.words)
			return raw.count;
	return 0;
}

/* find_units finds the classes of the units of a source; NULL: there are others in the release than in the state. */
static uint32 *
find_units(SdcPrivateState *state, uint64 count, const SdcReleaseRow *row, bool unnamed, const SdcSource *source)
{
	SdcSpool   *spool = sdc_spool_create(sdc_memory_budget() / 8, 2 * (list_length(row->key) + list_length(row->unit)));
	SdcSource  *table = read_table(row, unnamed, spool);
	uint32	   *least = NULL;

	if (table->records == count)
	{
		uint32	   *of_release = sdc_memory_array(count, sizeof(uint32));

		sdc_privatestate_words(state, SDC_JOINEDCLASSES_STREAM, of_release, count);
		least = find_classes(source, table, of_release, spool);
		sdc_free(of_release);
	}
	sdc_spool_destroy(spool);
	return least;
}

/* sdc_joinedclasses_read: see joinedclasses.h. */
uint32 *
sdc_joinedclasses_read(const SdcReleaseRow *row, bool unnamed, const SdcSource *source)
{
	SdcPrivateState *state = NULL;
	uint64		count;
	uint32	   *least;

	/* of a release that was changed the classes are not known any more */
	if (OidIsValid(row->release) &&
		sdc_keycursor_alike(source, source->unit, source->unit_count, row->release, row->unit))
		state = sdc_privatestate_open(sdc_catalogtable_schema(), row->release);
	if (state == NULL)
		return NULL;
	count = count_units(state);
	least = count == 0 ? NULL : find_units(state, count, row, unnamed, source);
	sdc_privatestate_close(state);
	return least;
}
