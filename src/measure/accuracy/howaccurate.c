/*-------------------------------------------------------------------------
 *
 * howaccurate.c
 *		Between which numbers a count of the source is, by what was published.
 *
 * The accuracy table says how each column was protected.  A count of copied columns, or of one rank swapped column
 * alone, is that of the source.  Of several columns of which up to three were rank swapped, the joint distribution of
 * the source is sought (kernel/queries/unswap.h), and windows are bounds.  Random anonymization is undone as
 * sdc_estimate does.  Of other methods nothing is said.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "access/relation.h"
#include "kernel/queries/unswap.h"
#include "measure/accuracy/howaccurate.h"
#include "measure/accuracy/swapbins.h"
#include "miscadmin.h"
#include "relation/base/memory.h"
#include "relation/base/names.h"
#include "relation/base/progress.h"
#include "relation/column/celljson.h"
#include "relation/frame/accuracyrows.h"
#include "relation/read/condition.h"
#include "relation/read/conditiongroups.h"
#include "relation/read/groupcount.h"
#include "relation/read/source.h"
#include "utils/lsyscache.h"

/* Kinds of what is said. */
#define KIND_EXACT "exact"
#define KIND_INTERVAL "interval"
#define KIND_BOUNDS "bounds"
#define KIND_UNKNOWN "unknown"

/* A count below is never said exactly. */
#define SMALL_COUNT 10

/* Cells that have intervals of swapped columns, at most. */
#define CELLS_MOST 1000

/*
 * The deviance of a table of counts that explains a release badly is so many times the square of what the normal
 * distribution has: less than once, as the margins and the other columns of all records are given.  Measured over
 * seeds (test/coverage).
 */
#define DEVIANCE_SCALE 0.3

/* By how many columns were swapped: bins to a window near a change of the condition, and bins at most. */
static const struct
{
	double		fine;
	uint32		bins;
}			resolutions[SDC_UNSWAP_COLUMNS + 1] = {{0, 0}, {8, 128}, {4, 48}, {2, 24}};

/* What was done to a column. */
typedef enum Law
{
	LAW_COPIED,
	LAW_SWAPPED,
	LAW_DRAWN,
	LAW_UNKNOWN
} Law;

/* The columns of the groups that are read: what copied columns must satisfy, swapped ones, and those to group by. */
typedef struct Asking
{
	const SdcAccurateRequest *request;
	SdcAccuracyDrawing drawing;
	List	   *conjuncts;
	SdcConditionColumn column[1 + SDC_ESTIMATE_COLUMNS];
	int			swapped;		/* columns from number 1 on */
	int			columns;
	bool		drawn;			/* some column was randomized, */
	bool		unknown;		/* or protected so that nothing is known */
	const SdcConditionGroups *groups;
	SdcCellJson *json;
	SdcSwapBins *bins;			/* of the swapped columns */
	bool		divided;
	uint32	   *place;			/* of each group in a table of counts, */
	double	   *all;			/* which has all groups, */
	double	   *count;			/* and those of the cell at hand behind the others */
	uint32		cells;			/* of the table, of one layer */
	double		deviation;		/* of the normal distribution */
} Asking;

/* law_of finds out what was done to a column. */
static Law
law_of(const Asking *asking, const char *name)
{
	const SdcAccuracyColumn *how = sdc_accuracyrows_column(&asking->drawing, name);

	if (how == NULL)
		return LAW_UNKNOWN;
	if (strcmp(how->method, SDC_MEASURE_COPIED) == 0)
		return LAW_COPIED;
	if (sdc_names_have(asking->drawing.qi, name))
		return LAW_DRAWN;
	return sdc_methods_find(how->method)->reach != SDC_REACH_NONE && how->reach > 0 ? LAW_SWAPPED : LAW_UNKNOWN;
}

/* swapped_column returns a swapped column among those of the groups; it is added if it is new. */
static SdcConditionColumn *
swapped_column(Asking *asking, const char *name)
{
	for (int j = 1; j <= asking->swapped; j++)
		if (strcmp(asking->column[j].name, name) == 0)
			return &asking->column[j];
	if (asking->swapped == SDC_ESTIMATE_COLUMNS / 2)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("there can be at most %d swapped columns in a condition", SDC_ESTIMATE_COLUMNS / 2)));
	asking->column[++asking->swapped] = (SdcConditionColumn) {.name = name, .by = true, .missing = true};
	return &asking->column[asking->swapped];
}

/* take_conjunct takes one of the conditions that AND joins. */
static void
take_conjunct(Asking *asking, char *text)
{
	SdcCondition condition = {.text = text, .argument = "condition"};
	SdcConditionColumn *column = &asking->column[0];
	Law			law = LAW_COPIED;
	ListCell   *cell;

	sdc_condition_check(&condition, &asking->request->relid, 1);
	foreach(cell, condition.columns)
		law = Max(law, law_of(asking, lfirst(cell)));
	asking->drawn |= law == LAW_DRAWN;
	asking->unknown |= law == LAW_UNKNOWN;
	if (list_length(condition.columns) > 1 && (law == LAW_SWAPPED || law == LAW_DRAWN))
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("argument \"condition\" compares a swapped or randomized column with other columns"),
				 errhint("Join conditions on one such column each by AND.")));
	if (law == LAW_SWAPPED)
		column = swapped_column(asking, linitial(condition.columns));
	column->conditions = lappend(column->conditions, text);
}

/* take_by takes the columns to group by. */
static void
take_by(Asking *asking)
{
	ListCell   *cell;

	foreach(cell, asking->request->by)
	{
		Law			law;

		(void) sdc_source_find_column(asking->request->relid, lfirst(cell), "by");
		sdc_groupcount_check_column(asking->request->relid, lfirst(cell), "by");
		law = law_of(asking, lfirst(cell));
		if (law == LAW_SWAPPED)
			ereport(ERROR,
					(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
					 errmsg("column \"%s\" cannot be named in argument \"by\", it was swapped", (char *) lfirst(cell)),
					 errhint("Ask for one range of its values after the other in the condition.")));
		asking->drawn |= law == LAW_DRAWN;
		asking->unknown |= law == LAW_UNKNOWN;
	}
}

/* begin reads what the accuracy table says, and the condition. */
static void
begin(Asking *asking)
{
	const SdcAccurateRequest *request = asking->request;
	SdcCondition condition = {.text = request->condition, .argument = "condition", .split = true};
	ListCell   *cell;

	relation_close(sdc_source_open(request->relid, AccessShareLock), NoLock);
	sdc_source_check_kind(request->relid);
	sdc_source_check_readable(request->relid);
	(void) sdc_accuracyrows_read(request->catalog_schema, request->relid, &asking->drawing);
	if (asking->drawing.columns == NIL)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("relation \"%s\" has no accuracy table that you may read", get_rel_name(request->relid)),
				 errhint("Name a table that sdc_publish has made, and ask its owner for SELECT on the accuracy table beside it.")));
	asking->column[0] = (SdcConditionColumn) {.name = "", .missing = true};
	sdc_condition_check(&condition, &request->relid, 1);
	asking->conjuncts = condition.conjuncts;
	foreach(cell, asking->conjuncts)
		take_conjunct(asking, lfirst(cell));
	take_by(asking);
}

/* read_groups reads the groups; cells are strata. */
static void
read_groups(Asking *asking)
{
	const SdcAccurateRequest *request = asking->request;
	SdcConditionGroupsRequest groups = {.relid = request->relid, .column = asking->column, .strata = request->by};
	ListCell   *cell;

	asking->columns = 1 + asking->swapped;
	if (asking->columns + list_length(request->by) > (int) lengthof(asking->column))
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("there can be at most %d columns to group by", SDC_ESTIMATE_COLUMNS / 2)));
	foreach(cell, request->by)
		asking->column[asking->columns++] = (SdcConditionColumn) {.name = lfirst(cell), .by = true};
	groups.columns = asking->columns;
	sdc_conditiongroups_check(&groups);
	asking->groups = sdc_conditiongroups_read(&groups);
	asking->json = sdc_celljson_create(request->by, sdc_celljson_types(request->relid, request->by));
}

/* holds tells whether a condition holds in a group. */
static bool
holds(const Asking *asking, int column, uint32 group)
{
	return asking->groups->state[column][group] == SDC_ESTIMATE_TRUE;
}

/* emit emits a cell by one of its groups; a small count has an interval. */
static void
emit(const Asking *asking, uint32 group, SdcAccurateCell *cell)
{
	int			count = list_length(asking->request->by);
	Datum	   *value = palloc(sizeof(Datum) * Max(count, 1));
	bool	   *isnull = palloc(sizeof(bool) * Max(count, 1));

	for (int i = 0; i < count; i++)
		value[i] = sdc_conditiongroups_value(asking->groups, asking->columns - count + i, group, &isnull[i]);
	cell->cell = sdc_celljson_build(asking->json, value, isnull);
	if (cell->low == cell->high && cell->low < SMALL_COUNT)
	{
		cell->low = 0;
		cell->high = SMALL_COUNT;
		cell->estimate = NAN;
		cell->kind = KIND_BOUNDS;
	}
	asking->request->emit(asking->request->arg, cell);
	pfree(value);
	pfree(isnull);
}

/* How many records of a cell satisfy the condition as they were released, and what bounds the number of originals. */
typedef struct Counted
{
	uint32		group;			/* one of the cell */
	uint64		records;		/* whose copied columns satisfy it */
	uint64		released;
	uint64		sure;
	uint64		possible;
} Counted;

/* count_cells counts the groups of each cell. */
static Counted *
count_cells(const Asking *asking)
{
	const SdcConditionGroups *groups = asking->groups;
	Counted    *counted = sdc_memory_zeros(Max(groups->strata, 1), sizeof(Counted));

	for (uint32 g = 0; g < groups->groups; g++)
	{
		Counted    *cell = &counted[groups->group[g].stratum];
		uint64		records = groups->group[g].records;
		bool		released = holds(asking, 0, g);
		bool		sure = released;
		bool		possible = released;

		sdc_interrupts_step(g);
		cell->group = g;
		cell->records += released ? records : 0;
		for (int j = 0; j < asking->swapped; j++)
		{
			const SdcSwapBins *column = &asking->bins[j];
			uint32		code = Min(groups->code[1 + j][g], column->codes);

			released &= column->holds[code];
			sure &= column->sure[code];
			possible &= column->possible[code];
		}
		cell->released += released ? records : 0;
		cell->sure += sure ? records : 0;
		cell->possible += possible ? records : 0;
	}
	return counted;
}

/* read_column takes what the groups say of a swapped column. */
static void
read_column(const Asking *asking, int number, SdcSwapBins *column)
{
	const SdcConditionGroups *groups = asking->groups;

	column->how = sdc_accuracyrows_column(&asking->drawing, asking->column[1 + number].name);
	column->codes = groups->values[1 + number].coding.codes;
	column->strata = asking->drawing.strata != NIL;
	column->count = sdc_memory_zeros((uint64) column->codes + 1, sizeof(uint32));
	column->holds = sdc_memory_zeros((uint64) column->codes + 1, sizeof(bool));
	for (uint32 g = 0; g < groups->groups; g++)
	{
		uint32		code = Min(groups->code[1 + number][g], column->codes);

		sdc_interrupts_step(g);
		column->count[code] += (uint32) groups->group[g].records;
		column->holds[code] = holds(asking, 1 + number, g);
	}
	sdc_swapbins_bound(column);
}

/* divide makes bins of all swapped columns, and a table of all groups. */
static void
divide(Asking *asking)
{
	const SdcConditionGroups *groups = asking->groups;

	asking->divided = asking->drawing.strata == NIL && asking->swapped <= SDC_UNSWAP_COLUMNS && groups->groups > 0;
	asking->cells = 1;
	for (int j = 0; j < asking->swapped && asking->divided; j++)
	{
		asking->divided = sdc_swapbins_divide(&asking->bins[j], resolutions[asking->swapped].fine,
											  resolutions[asking->swapped].bins);
		asking->cells *= asking->bins[j].bins;
	}
	if (!asking->divided)
		return;
	asking->place = sdc_memory_zeros(groups->groups, sizeof(uint32));
	asking->all = sdc_memory_zeros(asking->cells, sizeof(double));
	asking->count = sdc_memory_array(2 * (uint64) asking->cells, sizeof(double));
	for (uint32 g = 0; g < groups->groups; g++)
	{
		sdc_interrupts_step(g);
		for (int j = 0; j < asking->swapped; j++)
			asking->place[g] = asking->place[g] * asking->bins[j].bins +
				asking->bins[j].bin[Min(groups->code[1 + j][g], asking->bins[j].codes)];
		asking->all[asking->place[g]] += (double) groups->group[g].records;
	}
}

/* unswap finds the interval of a cell. */
static void
unswap(const Asking *asking, uint32 number, SdcUnswapResult *result)
{
	const SdcConditionGroups *groups = asking->groups;
	bool		alone = asking->column[0].conditions == NIL && asking->request->by == NIL;
	SdcUnswapTask task = {.layers = alone ? 1 : 2, .columns = asking->swapped,
		.threshold = DEVIANCE_SCALE * asking->deviation * asking->deviation
	};
	double	   *inside = asking->count + (alone ? 0 : asking->cells);

	memcpy(asking->count, asking->all, sizeof(double) * asking->cells);
	for (uint32 i = 0; i < asking->cells && !alone; i++)
		inside[i] = 0;
	for (uint32 g = 0; g < groups->groups && !alone; g++)
	{
		sdc_interrupts_step(g);
		if (groups->group[g].stratum != number || !holds(asking, 0, g))
			continue;
		asking->count[asking->place[g]] -= (double) groups->group[g].records;
		inside[asking->place[g]] += (double) groups->group[g].records;
	}
	for (int j = 0; j < asking->swapped; j++)
		task.column[j] = (SdcUnswapColumn) {asking->bins[j].bins, asking->bins[j].mix, asking->bins[j].margin,
			asking->bins[j].bin_holds
		};
	task.count = asking->count;
	sdc_unswap_run(&task, result);
}

/* bound fills in the bounds of a cell: those of the windows, and those of the margins, which the source has too. */
static void
bound(const Asking *asking, const Counted *counted, SdcAccurateCell *cell)
{
	double		records = 0;
	double		low = (double) counted->records;
	double		high = (double) Min(counted->possible, counted->records);

	for (uint32 c = 0; c <= asking->bins[0].codes; c++)
		records += asking->bins[0].count[c];
	for (int j = 0; j < asking->swapped; j++)
	{
		low += (double) asking->bins[j].records - records;
		high = Min(high, (double) asking->bins[j].records);
	}
	*cell = (SdcAccurateCell) {.released = (double) counted->released, .estimate = NAN, .kind = KIND_BOUNDS};
	cell->low = Max(low, (double) counted->sure);
	cell->high = high;
}

/* answer_swapped emits the cells where columns were swapped. */
static void
answer_swapped(Asking *asking)
{
	uint32		strata;
	Counted    *counted;

	read_groups(asking);
	strata = asking->groups->strata;
	if (strata > CELLS_MOST)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("there can be at most %d cells, not %u", CELLS_MOST, strata),
				 errhint("Name fewer columns in argument \"by\", or put a part of the cells into the condition.")));
	asking->bins = palloc0(sizeof(SdcSwapBins) * asking->swapped);
	for (int j = 0; j < asking->swapped; j++)
		read_column(asking, j, &asking->bins[j]);
	counted = count_cells(asking);
	divide(asking);
	sdc_progress_evaluating(asking->groups->groups, Max(strata, 1));
	for (uint32 i = 0; i < (asking->request->by == NIL ? 1 : strata); i++)
	{
		SdcAccurateCell cell;
		SdcUnswapResult result;

		bound(asking, &counted[i], &cell);
		if (asking->divided && cell.low < cell.high)
		{
			unswap(asking, i, &result);
			cell.low = Max(cell.low, Min(floor(result.low), cell.high));
			cell.high = Min(cell.high, Max(ceil(result.high), cell.low));
			cell.estimate = Min(Max(rint(result.estimate), cell.low), cell.high);
			cell.kind = KIND_INTERVAL;
		}
		emit(asking, counted[i].group, &cell);
		sdc_progress_next_part();
	}
}

/* answer_plain emits the cells where the count is that of the source, or nothing is known. */
static void
answer_plain(Asking *asking)
{
	Counted    *counted;

	asking->column[0].conditions = asking->conjuncts;
	asking->swapped = 0;
	read_groups(asking);
	counted = count_cells(asking);
	for (uint32 i = 0; i < (asking->request->by == NIL ? 1 : asking->groups->strata); i++)
	{
		double		released = (double) counted[i].released;
		double		known = asking->unknown ? NAN : released;
		SdcAccurateCell cell = {.released = released, .estimate = known, .low = known, .high = known,
			.kind = asking->unknown ? KIND_UNKNOWN : KIND_EXACT
		};

		sdc_interrupts_step(i);
		emit(asking, counted[i].group, &cell);
	}
}

/* take_estimate emits a cell of sdc_estimate. */
static void
take_estimate(void *arg, const SdcEstimatedCell *estimated)
{
	const Asking *asking = arg;
	double		reach = asking->deviation * estimated->estimate.standard_error;
	SdcAccurateCell cell = {.cell = estimated->cell, .released = estimated->estimate.raw,
		.estimate = estimated->estimate.estimate, .low = estimated->estimate.estimate - reach,
		.high = estimated->estimate.estimate + reach, .kind = KIND_INTERVAL
	};

	if (asking->request->statistic == SDC_ESTIMATE_COUNT)
	{
		cell.low = Max(floor(cell.low), 0);
		cell.high = Max(ceil(cell.high), cell.low);
	}
	asking->request->emit(asking->request->arg, &cell);
}

/* answer_drawn emits the cells where columns were randomized. */
static void
answer_drawn(Asking *asking)
{
	const SdcAccurateRequest *request = asking->request;
	SdcEstimateRequest estimate = {.catalog_schema = request->catalog_schema, .relid = request->relid,
		.conditions = asking->conjuncts, .measure = request->measure, .statistic = request->statistic,
		.by = request->by, .emit = take_estimate, .arg = asking
	};

	sdc_estimate_measure(&estimate);
}

/* normal_deviation returns how many standard deviations around the mean have a share of the normal distribution. */
static double
normal_deviation(double share)
{
	double		low = 0;
	double		high = 40;

	for (int i = 0; i < 100; i++)
	{
		double		middle = (low + high) / 2;

		if (erf(middle * M_SQRT1_2) < share)
			low = middle;
		else
			high = middle;
	}
	return low;
}

/* sdc_howaccurate_measure works in a context of its own. */
void
sdc_howaccurate_measure(const SdcAccurateRequest *request)
{
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext, "sdc how accurate", ALLOCSET_DEFAULT_SIZES);
	MemoryContext before = MemoryContextSwitchTo(context);
	Asking	   *asking = palloc0(sizeof(Asking));

	asking->request = request;
	asking->deviation = normal_deviation(request->confidence);
	begin(asking);
	asking->unknown |= asking->drawn && asking->swapped > 0;
	if (request->statistic != SDC_ESTIMATE_COUNT &&
		(asking->unknown || asking->swapped > 0 || asking->drawing.qi == NIL))
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("sums and averages are known of randomized publications only"),
				 errhint("Ask for counts.")));
	if (request->statistic != SDC_ESTIMATE_COUNT || (asking->drawn && !asking->unknown))
		answer_drawn(asking);
	else if (asking->unknown || asking->swapped == 0 ||
			 (asking->swapped == 1 && asking->column[0].conditions == NIL && request->by == NIL))
		answer_plain(asking);
	else
		answer_swapped(asking);
	sdc_progress_end();
	MemoryContextSwitchTo(before);
	MemoryContextDelete(context);
}
