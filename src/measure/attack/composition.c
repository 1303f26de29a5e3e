/*-------------------------------------------------------------------------
 *
 * composition.c
 *		What a release tells together with those before it, in two numbers.
 *
 * The attacks are those of historyrisk.c.  Here they are joined, person by person and value by value, as a limit asks
 * for what any of them finds.  What a release tells alone is another number (people.c).
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "kernel/base/sample.h"
#include "kernel/releases/differences.h"
#include "kernel/releases/historylinks.h"
#include "kernel/releases/movement.h"
#include "measure/attack/composition.h"
#include "relation/base/memory.h"
#include "relation/base/progress.h"
#include "relation/base/random.h"

#define SAMPLE_METHOD "sample"
#define SAMPLE_PURPOSE "people"

/* The people who are looked for: records of the last truth, in the order of their keys. */
typedef struct Targets
{
	uint32	   *record;
	uint32		all;			/* before a sample was drawn */
	uint32		count;
} Targets;

/* last_of returns the number of the last release. */
static int
last_of(const SdcReleaseHistory *all)
{
	return all->history.releases - 1;
}

/* find_targets lists the people of the last truth who are in the last release. */
static void
find_targets(const SdcReleaseHistory *all, Targets *targets)
{
	const SdcHistory *history = &all->history;
	const SdcHistoryFile *truth = &all->truth[last_of(all)];
	uint32	   *known = sdc_memory_array(history->persons, sizeof(uint32));
	uint32	   *released = sdc_memory_array(history->persons, sizeof(uint32));

	sdc_history_rows(history, truth, known);
	sdc_history_rows(history, &history->release[last_of(all)], released);
	targets->record = sdc_memory_array(truth->records, sizeof(uint32));
	targets->all = 0;
	for (uint32 i = 0; i < history->persons; i++)
		if (known[i] != SDC_RECORD_NONE && released[i] != SDC_RECORD_NONE)
			targets->record[targets->all++] = known[i];
	targets->count = targets->all;
	sdc_free(known);
	sdc_free(released);
}

/* draw_sample leaves a sample of the people. */
static void
draw_sample(const SdcSampleRequest *sample, Targets *targets)
{
	SdcRandom  *random;
	uint32	   *place;

	if (!sample->given || sample->count >= targets->all)
		return;
	targets->count = (uint32) sample->count;
	place = sdc_memory_array(targets->count, sizeof(uint32));
	random = sdc_random_create(sample->seed, SAMPLE_METHOD);
	sdc_sample_draw(sdc_random_start(random, "", SAMPLE_PURPOSE, 0), targets->all, targets->count, place);
	sdc_random_verify(random);
	/* in ascending order, so that nothing is overwritten that is still wanted */
	for (uint32 i = 0; i < targets->count; i++)
		targets->record[i] = targets->record[place[i]];
	sdc_free(place);
}

/* find_people looks for them in all releases together. */
static double
find_people(const SdcReleaseHistory *all, const SdcSampleRequest *sample)
{
	SdcHistory	narrow;
	SdcHistoryTask task = {.history = &all->history, .truth = all->truth};
	Targets		targets;
	double	   *share;
	double		found = 0;
	double		low;
	double		high;

	find_targets(all, &targets);
	draw_sample(sample, &targets);
	share = sdc_memory_array(targets.count, sizeof(double));
	for (uint32 i = 0; i < targets.count; i++)
		share[i] = 0;
	sdc_history_find(&task, targets.record, targets.count, share);
	sdc_progress_next();
	if (sdc_releasehistory_narrow(all, &narrow))
	{
		task.history = &narrow;
		task.windows_only = true;
		sdc_history_find(&task, targets.record, targets.count, share);
	}
	for (uint32 i = 0; i < targets.count; i++)
		found += share[i];
	sdc_free(share);
	sdc_free(targets.record);
	if (targets.all == 0)
		return NAN;
	if (targets.count == targets.all)
		return 100 * found / targets.all;
	sdc_sample_interval(found, targets.count, targets.all, &low, &high);
	return 100 * high;
}

/* expose_column marks the values of a column that the attacks see, and those that they expose. */
static void
expose_column(const SdcHistory *history, const SdcHistoryFile *truth, int column, bool *seen,
			  bool *exposed)
{
	int			last = history->releases - 1;
	SdcMovement moving = {0};

	sdc_movement_column(history, (SdcHistorySpan) {0, history->releases}, column, truth, &moving, NULL,
						(SdcMovementCells) {.seen = seen, .exposed = exposed});
	if (last == 0)
		return;
	sdc_difference_exposed(&(SdcDifferenceSide) {history, last, last - 1, truth, true}, column, exposed);
	sdc_difference_exposed(&(SdcDifferenceSide) {history, last - 1, last, truth, true}, column, exposed);
}

/* find_values looks for the values of the people. */
static double
find_values(const SdcReleaseHistory *all)
{
	const SdcHistoryFile *truth = &all->truth[last_of(all)];
	SdcHistory	narrow;
	bool	   *seen = sdc_memory_array(truth->records, sizeof(bool));
	bool	   *exposed = sdc_memory_array(truth->records, sizeof(bool));
	uint64		cells = 0;
	uint64		found = 0;
	bool		two = sdc_releasehistory_narrow(all, &narrow);

	for (int j = 0; j < all->history.columns; j++)
	{
		if (!sdc_releasehistory_protected(&all->history, (SdcHistorySpan) {0, all->history.releases}, j))
			continue;
		memset(seen, false, truth->records);
		memset(exposed, false, truth->records);
		expose_column(&all->history, truth, j, seen, exposed);
		if (two)
			expose_column(&narrow, truth, j, seen, exposed);
		for (uint32 i = 0; i < truth->records; i++)
		{
			cells += seen[i];
			found += seen[i] && exposed[i];
		}
		sdc_progress_next();
		CHECK_FOR_INTERRUPTS();
	}
	sdc_free(seen);
	sdc_free(exposed);
	return cells == 0 ? NAN : 100.0 * (double) found / (double) cells;
}

/* sdc_composition_measure: see composition.h. */
void
sdc_composition_measure(const SdcHistoryRequest *request, const SdcSampleRequest *sample,
						SdcComposition *result)
{
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext, "sdc releases",
												  ALLOCSET_DEFAULT_SIZES);
	MemoryContext old = MemoryContextSwitchTo(context);
	SdcReleaseHistory *all = sdc_releasehistory_load(request);

	sdc_progress_start(request->release[request->releases - 1], all->history.columns + 1);
	sdc_progress_phase(SDC_PHASE_EVALUATING, 0);
	result->people_found = find_people(all, sample);
	result->exposed = find_values(all);
	sdc_progress_end();
	MemoryContextSwitchTo(old);
	MemoryContextDelete(context);
}
