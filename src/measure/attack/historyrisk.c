/*-------------------------------------------------------------------------
 *
 * historyrisk.c
 *		What several releases tell together, and what the difference of two tells.
 *
 * Definitions are ours, after S. R. Ganta, S. P. Kasiviswanathan, A. Smith, "Composition attacks and auxiliary
 * information in data privacy", KDD 2008 (intersections of several releases), and X. Xiao, Y. Tao,
 * "m-invariance", SIGMOD 2007 (newcomers and those who go).
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "kernel/releases/differences.h"
#include "measure/attack/historyjobs.h"
#include "measure/attack/historyrisk.h"
#include "relation/base/memory.h"
#include "relation/base/progress.h"

/* What is attacked. */
typedef struct Attacks
{
	const SdcReleaseHistory *all;
	SdcHistoryEmit emit;
	void	   *arg;
} Attacks;

/* percent_of returns a share as a percentage, NaN of nothing. */
static double
percent_of(double part, uint64 whole)
{
	return whole == 0 ? NAN : 100.0 * part / (double) whole;
}

/* mean_of returns a mean, NaN of nothing. */
static double
mean_of(double sum, uint64 count)
{
	return count == 0 ? NAN : sum / (double) count;
}

/* emit_links passes on what links say of one release, or of all. */
static void
emit_links(const Attacks *attacks, Oid release, const SdcHistoryLinks *links)
{
	SdcHistoryRow row = {.attack = "average", .release = release, .targets = links->targets};
	uint64		n = links->targets;

	row.percent = percent_of(links->average, n);
	row.candidates = row.inside = row.guess = row.wrong = NAN;
	row.error = mean_of(links->error, links->error_cells);
	attacks->emit(attacks->arg, &row);
	row.attack = "windows";
	row.percent = percent_of(links->windows, n);
	row.candidates = mean_of((double) links->candidates, n);
	row.inside = percent_of((double) links->inside, n);
	row.guess = percent_of(links->guess, n);
	row.error = NAN;
	attacks->emit(attacks->arg, &row);
	row.attack = "certain";
	row.percent = percent_of((double) links->certain, n);
	attacks->emit(attacks->arg, &row);
	if (attacks->all->classes == 0)
		return;
	row.attack = "composition";
	row.percent = percent_of((double) links->found, n);
	row.candidates = mean_of((double) links->sizes, n);
	row.inside = percent_of((double) links->class_inside, n);
	row.guess = percent_of(links->class_guess, n);
	row.wrong = percent_of((double) links->wrong, n);
	attacks->emit(attacks->arg, &row);
}

/* emit_movement passes on what movements say. */
static void
emit_movement(const Attacks *attacks, const char *attack, Oid release, const SdcMovement *movement)
{
	SdcHistoryRow row = {.attack = attack, .release = release, .targets = movement->cells};

	row.percent = percent_of((double) movement->exposed, movement->cells);
	row.candidates = mean_of((double) movement->candidates, movement->cells);
	row.inside = percent_of((double) movement->inside, movement->cells);
	row.guess = percent_of(movement->guess, movement->cells);
	row.error = row.wrong = NAN;
	attacks->emit(attacks->arg, &row);
}

/* emit_found passes on what is found of one release, or of all. */
static void
emit_found(const Attacks *attacks, Oid release, const SdcHistoryFound *found)
{
	emit_links(attacks, release, &found->links);
	emit_movement(attacks, "movement", release, &found->moving);
	emit_movement(attacks, "windows_only", release, &found->windows);
}

/* sdc_historyrisk_link: see historyrisk.h. */
void
sdc_historyrisk_link(const SdcHistoryRequest *request, SdcHistoryEmit emit, void *arg)
{
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext, "sdc releases",
												  ALLOCSET_DEFAULT_SIZES);
	MemoryContext old = MemoryContextSwitchTo(context);
	SdcReleaseHistory *all = sdc_releasehistory_load(request);
	Attacks		attacks = {all, emit, arg};
	SdcHistoryFound *found = palloc0(sizeof(SdcHistoryFound) * (request->releases + 1));

	sdc_historyjobs_run(all, request->release[request->releases - 1], found);
	for (int t = 0; t < request->releases; t++)
		emit_found(&attacks, request->release[t], &found[t]);
	emit_found(&attacks, InvalidOid, &found[request->releases]);
	sdc_progress_end();
	MemoryContextSwitchTo(old);
	MemoryContextDelete(context);
}

/* Two releases that are compared. */
typedef struct Comparison
{
	const SdcReleaseHistory *all;
	bool		linkable;
	SdcDifferenceEmit emit;
	void	   *arg;
} Comparison;

/* count_people counts those who are in one release only. */
static uint64
count_people(const SdcHistory *history, int release, int other)
{
	uint32	   *row = sdc_memory_array(history->persons, sizeof(uint32));
	uint64		count = 0;

	sdc_history_rows(history, &history->release[other], row);
	for (uint32 i = 0; i < history->release[release].records; i++)
		count += row[history->release[release].person[i]] == SDC_RECORD_NONE;
	sdc_free(row);
	return count;
}

/* emit_whole passes on what is found of whole records. */
static void
emit_whole(const Comparison *comparison, const SdcDifferenceSide *side, SdcDifferenceRow *row,
		   const double *guess, const bool *exposed, const bool *known)
{
	const SdcHistory *history = side->history;

	row->attribute = NULL;
	row->appeared = count_people(history, 1, 0);
	row->vanished = count_people(history, 0, 1);
	row->cells = row->exposed = 0;
	row->guess = 0;
	row->has_holders = false;
	for (uint32 i = 0; i < side->truth->records; i++)
		if (known[i])
		{
			row->cells++;
			row->exposed += exposed[i];
			row->guess += guess[i];
		}
	comparison->emit(comparison->arg, row);
}

/* compare_side compares from one side: release has the people whom other has not. */
static void
compare_side(const Comparison *comparison, const char *name, int release, int other)
{
	const SdcHistory *history = &comparison->all->history;
	SdcDifferenceSide side = {history, release, other, &comparison->all->truth[release], comparison->linkable};
	uint32		records = side.truth->records;
	double	   *guess = sdc_memory_array(records, sizeof(double));
	bool	   *exposed = sdc_memory_array(records, sizeof(bool));
	bool	   *known = sdc_memory_array(records, sizeof(bool));
	SdcDifferenceRow row = {.side = name};

	memset(exposed, true, records);
	memset(known, false, records);
	for (uint32 i = 0; i < records; i++)
		guess[i] = 1;
	for (int j = 0; j < history->columns; j++)
	{
		SdcDifference found;

		sdc_difference_column(&side, j, guess, exposed, known, &found);
		row.attribute = list_nth(comparison->all->known, j);
		row.appeared = release == 1 ? found.appeared : sdc_difference_appeared(history, other, release, j);
		row.vanished = release == 0 ? found.appeared : sdc_difference_appeared(history, other, release, j);
		row.cells = found.cells;
		row.exposed = found.exposed;
		row.guess = found.guess;
		row.has_holders = comparison->linkable;
		row.holders = found.holders;
		row.partners_exposed = found.partners_exposed;
		row.partners_guess = found.partners_guess;
		comparison->emit(comparison->arg, &row);
		sdc_progress_next();
	}
	emit_whole(comparison, &side, &row, guess, exposed, known);
	sdc_free(guess);
	sdc_free(exposed);
	sdc_free(known);
}

/* sdc_historyrisk_compare: see historyrisk.h. */
void
sdc_historyrisk_compare(const SdcHistoryRequest *request, bool linkable, SdcDifferenceEmit emit,
						void *arg)
{
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext, "sdc releases",
												  ALLOCSET_DEFAULT_SIZES);
	MemoryContext old = MemoryContextSwitchTo(context);
	SdcReleaseHistory *all = sdc_releasehistory_load(request);
	Comparison	comparison = {all, linkable, emit, arg};

	sdc_progress_start(request->release[1], 2 * all->history.columns);
	sdc_progress_phase(SDC_PHASE_EVALUATING, 0);
	compare_side(&comparison, "newcomers", 1, 0);
	compare_side(&comparison, "departed", 0, 1);
	sdc_progress_end();
	MemoryContextSwitchTo(old);
	MemoryContextDelete(context);
}
