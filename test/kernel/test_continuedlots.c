/*-------------------------------------------------------------------------
 *
 * test_continuedlots.c
 *		Lots of a continued release by hand: old values that have to end, distances, broken states.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include "kernel/rank/continued.h"
#include "lottwin.h"
#include "takeover.h"
#include "tap.h"

#define CELLS 8

static SdcStream *stream;
static uint8 master[SDC_MASTER_KEY_BYTES];
static int	started[3];			/* how often the stream of a lot was */
static uint64 publication;
static uint32 limit_of_pairs;	/* what hand_window returns */

/* hand_window is the window of all columns here. */
static uint32
hand_window(void *arg, uint32 positions)
{
	(void) arg;
	(void) positions;
	return limit_of_pairs;
}

/* hand_start starts the stream of a lot. */
static SdcStream *
hand_start(void *arg, SdcContinuedLot lot)
{
	(void) arg;
	started[lot]++;
	if (sdc_stream_restart(stream, master, "test", "hand", sdc_continued_purpose(lot), 0,
							   publication) != SDC_OK)
		abort();
	return stream;
}

/* hand_pair swaps a lot with a window of all positions. */
static void
hand_pair(void *arg, const SdcSwapRun *run, const SdcSwapLot *lot)
{
	(void) arg;
	sdc_rankswap_lot_by_window(run, lot, lot->positions);
}

/*
 * run_lots runs the lots of a column of records 0, 1, ... with these values; below 0: missing, from 100 on:
 * in another stratum.
 */
static SdcContinuedNight
run_lots(SdcContinued *column, const int *value, SdcContinuedRules rules, double limit)
{
	SdcContinuedWork *work = sdc_continued_work_create(column->records);
	SdcContinuedNight night;
	uint32		record[CELLS];
	bool		tied[CELLS];
	SdcContinuedOrder order = {.record = record, .tied = tied};

	for (int v = 0; v < 100; v++)
	{
		for (uint32 r = 0; r < column->records; r++)
		{
			if (value[r] != v)
				continue;
			tied[order.count] = order.count > 0 && value[record[order.count - 1]] == v;
			record[order.count++] = r;
		}
	}
	memset(started, 0, sizeof(started));
	publication++;
	rules.window = hand_window;
	rules.start = hand_start;
	rules.pair = hand_pair;
	sdc_continued_work_begin(work, column);
	sdc_continued_lots(column, &order, &rules, limit, work, &night);
	sdc_continued_work_destroy(work);
	CHECK(sdc_continued_check(column));
	return night;
}

/* no_mates makes a column in which records 0 .. widows - 1 have lost their mates. */
static void
no_mates(SdcContinued *column, uint32 widows)
{
	SdcContinued before;
	uint32		number[2 * CELLS];

	sdc_continued_create(&before, 2 * CELLS);
	sdc_continued_create(column, CELLS);
	for (uint32 r = 0; r < CELLS; r++)
	{
		number[r] = r;
		number[CELLS + r] = SDC_CONTINUED_NOBODY;
	}
	for (uint32 r = 0; r < widows; r++)
		sdc_continued_swap(&before, r, CELLS + r);
	for (uint32 r = widows; r + 1 < CELLS; r += 2)
		sdc_continued_swap(&before, r, r + 1);
	take_over(&before, number, column);
	sdc_continued_destroy(&before);
	for (uint32 r = 0; r < widows; r++)
		CHECK(column->mate[r] == SDC_CONTINUED_WIDOW && column->flags[r] == SDC_CONTINUED_NEW);
}

/* Distinct values, in another order than the records. */
static const int distinct[CELLS] = {50, 20, 70, 10, 80, 30, 60, 40};

/* marks counts the cells with a mark. */
static uint32
marks(const SdcContinued *column, uint32 mark)
{
	uint32		count = 0;

	for (uint32 r = 0; r < column->records; r++)
		count += column->mate[r] == mark;
	return count;
}

/* without_erasure: widows that are no lot stay, and nothing is drawn. */
static void
without_erasure(void)
{
	for (uint32 widows = 1; widows <= 4; widows++)
	{
		SdcContinued column;
		SdcContinuedNight night;
		uint32		alone = (CELLS - widows) % 2;

		no_mates(&column, widows);
		night = run_lots(&column, distinct,
						 (SdcContinuedRules) {.least_new = 100, .least_widows = widows + 1}, 100);
		CHECK(started[SDC_LOT_NEW] + started[SDC_LOT_WIDOW] + started[SDC_LOT_FAR] == 0);
		CHECK(night.widows == widows && marks(&column, SDC_CONTINUED_WIDOW) == widows);
		CHECK(night.lot[SDC_LOT_WIDOW] == 0 && night.redrawn == 0);
		CHECK(night.positions == CELLS && night.paired == CELLS - widows - alone);
		for (uint32 r = 0; r < widows; r++)
			CHECK(column.flags[r] == SDC_CONTINUED_NEW);
		sdc_continued_destroy(&column);
	}
}

/*
 * erase_widows: so many end, with a cell that is alone besides if has_alone.  Nobody stays a widow;
 * an odd cell is alone, and so is one by itself.
 */
static void
erase_widows(uint32 widows, bool has_alone)
{
	SdcContinuedRules rules = {.least_new = 100, .least_widows = 100, .erase = true};
	SdcContinued column;
	SdcContinuedNight night;
	uint32		others = CELLS - (CELLS - widows) % 2;	/* behind the pairs that stay */
	uint32		lot = widows + (has_alone ? CELLS - others : 0);
	uint32		drawn = lot / 2 * 2;
	int			value[CELLS];

	memcpy(value, distinct, sizeof(value));
	if (others < CELLS && !has_alone)
		value[others] = -1;
	no_mates(&column, widows);
	night = run_lots(&column, value, rules, 100);
	CHECK(started[SDC_LOT_WIDOW] == 1 && started[SDC_LOT_NEW] == 0);
	CHECK(night.lot[SDC_LOT_WIDOW] == drawn && night.redrawn == drawn);
	CHECK(night.widows == 0 && marks(&column, SDC_CONTINUED_WIDOW) == 0);
	CHECK(night.paired == drawn + others - widows);
	CHECK(marks(&column, SDC_CONTINUED_ALONE) == CELLS - night.paired);
	for (uint32 r = 0; r < CELLS; r++)
	{
		bool		stays = r >= widows && r < others;

		CHECK(column.flags[r] == 0);
		CHECK(column.redrawn[r] == (!stays && sdc_continued_paired(column.mate[r])));
		CHECK(!stays || column.mate[r] == ((r - widows) % 2 == 0 ? r + 1 : r - 1));
	}
	/* and again: there is nothing to end */
	rules.least_new = rules.least_widows = 1;
	night = run_lots(&column, value, rules, 100);
	CHECK(started[SDC_LOT_WIDOW] == 0 && night.redrawn == drawn);
	sdc_continued_destroy(&column);
}

/* erasure: of one to four widows. */
static void
erasure(void)
{
	for (uint32 widows = 1; widows <= 4; widows++)
	{
		erase_widows(widows, false);
		erase_widows(widows, true);
	}
}

/*
 * left_out: of three widows one stays as it is, but is not new any more: two others are needed for
 * the next lot, in which it is.  Where old values have to end, it ends as well.
 */
static void
left_out(void)
{
	SdcContinued column;
	SdcContinuedRules rules = {.least_new = 100, .least_widows = 2};
	SdcContinuedNight night;
	uint32		left = 0;
	uint32		pair[2];
	int			found = 0;

	no_mates(&column, 4);
	column.mate[3] = SDC_CONTINUED_PENDING;
	column.flags[3] = 0;
	night = run_lots(&column, distinct, rules, 100);
	CHECK(night.widows == 1 && night.lot[SDC_LOT_WIDOW] == 2 && night.pending == 1);
	while (left < 3 && column.mate[left] != SDC_CONTINUED_WIDOW)
		left++;
	CHECK(left < 3 && column.flags[left] == 0 && column.redrawn[left] == 0);
	night = run_lots(&column, distinct, rules, 100);
	CHECK(started[SDC_LOT_WIDOW] == 0 && night.widows == 1);
	rules.least_widows = 1;
	night = run_lots(&column, distinct, rules, 100);
	CHECK(started[SDC_LOT_WIDOW] == 0 && night.widows == 1);
	for (uint32 r = 0; r < 3; r++)
	{
		if (r != left)
			pair[found++] = r;
	}
	CHECK(found == 2 && column.mate[pair[0]] == pair[1]);
	sdc_continued_change(&column, pair[0], SDC_CONTINUED_VANISHED);
	CHECK(column.mate[pair[1]] == SDC_CONTINUED_WIDOW && column.redrawn[pair[1]] == 1);
	CHECK(column.mate[pair[0]] == SDC_CONTINUED_ALONE && column.redrawn[pair[0]] == 0);
	{
		int			value[CELLS];

		memcpy(value, distinct, sizeof(value));
		value[pair[0]] = -1;
		rules.least_widows = 2;
		night = run_lots(&column, value, rules, 100);
		CHECK(started[SDC_LOT_WIDOW] == 0 && night.widows == 2 && night.positions == CELLS - 2);
		rules.least_widows = 1;
		night = run_lots(&column, value, rules, 100);
		CHECK(started[SDC_LOT_WIDOW] == 1 && night.widows == 0);
		CHECK(column.mate[left] == pair[1] && column.mate[pair[1]] == left);
		CHECK(column.redrawn[left] == 1 && column.redrawn[pair[1]] == 2 && night.redrawn == 3);
	}
	sdc_continued_destroy(&column);
	no_mates(&column, 2);
	column.flags[0] = column.flags[1] = 0;
	night = run_lots(&column, distinct, (SdcContinuedRules) {.least_new = 1, .least_widows = 1,
					 .erase = true}, 100);
	CHECK(night.widows == 0 && column.mate[0] == 1);
	sdc_continued_destroy(&column);
}

/* tonight: who was left alone by a lot of new cells is in no lot of widows, but the night after. */
static void
tonight(void)
{
	SdcContinued column;
	SdcContinuedRules rules = {.least_new = 3, .least_widows = 1};
	SdcContinuedNight night;
	uint32		alone = 3;

	no_mates(&column, 2);
	CHECK(column.mate[2] == 3 && column.mate[6] == 7);
	column.flags[5] = SDC_CONTINUED_TOUCHED;
	column.redrawn[5] = 9;
	for (uint32 r = 3; r < 6; r++)
		sdc_continued_join(&column, r, true);
	sdc_continued_join(&column, 2, false);
	CHECK(sdc_continued_check(&column) && column.redrawn[5] == 0);
	{
		int			value[CELLS];

		memcpy(value, distinct, sizeof(value));
		value[2] = -1;
		night = run_lots(&column, value, rules, 100);
		CHECK(night.lot[SDC_LOT_NEW] == 2 && night.lot[SDC_LOT_WIDOW] == 2 && night.pending == 0);
		while (alone < 6 && column.mate[alone] != SDC_CONTINUED_ALONE)
			alone++;
		CHECK(alone < 6 && column.mate[0] == 1 && column.mate[2] == SDC_CONTINUED_ALONE);
		sdc_continued_change(&column, 6, SDC_CONTINUED_VANISHED);
		value[6] = -1;
		night = run_lots(&column, value, rules, 100);
		CHECK(column.mate[7] == alone && night.lot[SDC_LOT_WIDOW] == 2 && night.positions == 6);
		CHECK(column.redrawn[7] == 1 && column.redrawn[alone] == 1 && night.redrawn == 4);
	}
	sdc_continued_destroy(&column);
}

/*
 * distances: eight cells, 10 20 20 30 40 50 60 70, of which 40 waits: seven positions.  Twice the
 * place of a value is the number of those below and of those up to it: 1 4 4 7 - 9 11 13.  A pair is
 * 50 / 7 times their difference apart.
 */
static void
distances(void)
{
	static const int value[CELLS] = {10, 20, 20, 30, 40, 50, 60, 70};
	SdcContinuedRules rules = {.least_new = 2, .least_widows = 2};
	SdcContinued column;
	SdcContinuedNight night;

	sdc_continued_create(&column, CELLS);
	sdc_continued_swap(&column, 0, 5);	/* 8: 57.14 % */
	sdc_continued_swap(&column, 1, 2);	/* 0 */
	sdc_continued_swap(&column, 3, 7);	/* 6: 42.86 % */
	sdc_continued_join(&column, 4, true);
	night = run_lots(&column, value, rules, 42);
	CHECK(night.positions == 7 && night.paired == 6 && night.pending == 1 && night.widows == 0);
	CHECK(night.largest == 400.0 / 7 && night.beyond == 4);
	CHECK(run_lots(&column, value, rules, 43).beyond == 2);
	CHECK(run_lots(&column, value, rules, 400.0 / 7).beyond == 0);
	CHECK(run_lots(&column, value, rules, -1).beyond == 6);
	sdc_continued_swap(&column, 0, 2);	/* 3: 21.43 % */
	sdc_continued_swap(&column, 1, 7);	/* 9: 64.29 % */
	sdc_continued_swap(&column, 3, 5);	/* 2: 14.29 % */
	night = run_lots(&column, value, rules, 21);
	CHECK(night.largest == 450.0 / 7 && night.beyond == 4);
	CHECK(run_lots(&column, value, rules, 65).beyond == 0);
	sdc_continued_destroy(&column);
}

/* strata: a pair of which one has gone to another stratum is one, but has no distance, and is never far. */
static void
strata(void)
{
	static const int value[CELLS] = {10, 20, 30, 40, 150, 160, 170, 180};
	static const int other[CELLS] = {110, 120, 130, 140, 50, 60, 70, 80};
	SdcContinuedRules rules = {.least_new = 1, .least_widows = 1, .settle = true};
	SdcContinued column;
	SdcContinuedNight night;

	limit_of_pairs = 0;
	sdc_continued_create(&column, CELLS);
	for (uint32 r = 0; r < CELLS / 2; r++)
		sdc_continued_swap(&column, r, r + CELLS / 2);
	sdc_continued_change(&column, 0, SDC_CONTINUED_DIFFERS);
	night = run_lots(&column, value, rules, -1);
	CHECK(night.positions == 4 && night.paired == 4 && night.beyond == 0 && night.largest == 0);
	night = run_lots(&column, other, rules, -1);
	CHECK(night.paired == 4 && night.beyond == 0 && night.lot[SDC_LOT_FAR] == 0);
	sdc_continued_swap(&column, 0, 3);
	sdc_continued_swap(&column, 4, 7);
	night = run_lots(&column, value, rules, -1);
	CHECK(night.paired == 4 && night.beyond == 2 && night.largest == 75);
	sdc_continued_destroy(&column);
}

/*
 * far_pairs: the same cells; the groups of 20 and 60 are at positions 1 to 2 and 5, so three apart.  With
 * a window of 3 the pair stays though it was touched, with one of 2 it is drawn; untouched pairs stay.
 */
static void
far_pairs(void)
{
	static const int value[CELLS] = {10, 20, 20, 30, 40, 50, 60, 70};

	for (limit_of_pairs = 2; limit_of_pairs <= 3; limit_of_pairs++)
	{
		for (int settle = 0; settle < 2; settle++)
		{
			for (uint32 least = 4; least <= 5; least++)
			{
				bool		drawn = limit_of_pairs == 2 && settle && least == 4;
				SdcContinued column;
				SdcContinuedNight night;

				sdc_continued_create(&column, CELLS);
				sdc_continued_swap(&column, 1, 6);
				sdc_continued_swap(&column, 0, 7);
				sdc_continued_swap(&column, 3, 2);
				sdc_continued_change(&column, 1, SDC_CONTINUED_DIFFERS);
				sdc_continued_change(&column, 6, SDC_CONTINUED_DIFFERS);
				sdc_continued_change(&column, 2, SDC_CONTINUED_DIFFERS);
				sdc_continued_change(&column, 5, SDC_CONTINUED_DIFFERS);
				sdc_continued_join(&column, 4, true);
				CHECK(column.flags[5] == 0 && column.flags[6] == SDC_CONTINUED_TOUCHED);
				/* touch the widest pair as well, so that four cells are far with a window of 2 */
				sdc_continued_change(&column, 0, SDC_CONTINUED_DIFFERS);
				night = run_lots(&column, value, (SdcContinuedRules) {.least_new = least,
								 .least_widows = 2, .settle = settle}, 100);
				CHECK(started[SDC_LOT_FAR] == drawn && night.lot[SDC_LOT_FAR] == (drawn ? 4 : 0));
				CHECK(column.mate[3] == 2 && column.flags[2] == SDC_CONTINUED_TOUCHED);
				CHECK(column.flags[0] == (drawn ? 0 : SDC_CONTINUED_TOUCHED));
				CHECK(column.flags[1] == column.flags[6] && column.flags[0] == column.flags[1]);
				CHECK(night.redrawn == 0 && column.mate[4] == SDC_CONTINUED_PENDING);
				sdc_continued_destroy(&column);
			}
		}
	}
}

/* saturation: the number of lots that a cell has been through stops at 255. */
static void
saturation(void)
{
	SdcContinued column;

	no_mates(&column, 2);
	column.redrawn[0] = 254;
	column.redrawn[1] = 3;
	for (int i = 0; i < 3; i++)
	{
		SdcContinuedNight night = run_lots(&column, distinct, (SdcContinuedRules) {.least_new = 1,
										   .least_widows = 2}, 100);

		CHECK(column.mate[0] == 1 && column.redrawn[0] == 255 && column.redrawn[1] == 4 + i);
		CHECK(night.redrawn == 259 + (uint64) i);
		column.mate[0] = column.mate[1] = SDC_CONTINUED_WIDOW;
		column.flags[0] = column.flags[1] = SDC_CONTINUED_NEW;
	}
	sdc_continued_destroy(&column);
}

/* broken_states: what sdc_continued_check must find in the state of three cells: 0 and 1 a pair, 2 not. */
static void
broken_states(void)
{
	static const struct
	{
		uint32		mate[3];
		uint8		flags[3];
		uint8		redrawn;	/* of the third */
		bool		sound;
	}			states[] = {
		{{1, 0, SDC_CONTINUED_ALONE}, {0}, 7, true},
		{{1, 0, SDC_CONTINUED_WIDOW}, {0}, 7, true},
		{{1, 0, SDC_CONTINUED_WIDOW}, {SDC_CONTINUED_TOUCHED, 0, SDC_CONTINUED_NEW}, 7, true},
		{{1, 0, SDC_CONTINUED_PENDING}, {SDC_CONTINUED_TOUCHED, SDC_CONTINUED_TOUCHED, 0}, 0, true},
		{{0, 1, SDC_CONTINUED_ALONE}, {0}, 0, false},	/* each with itself */
		{{1, 2, 0}, {0}, 0, false},	/* a circle */
		{{1, 2, 1}, {0}, 0, false},
		{{1, SDC_CONTINUED_ALONE, SDC_CONTINUED_ALONE}, {0}, 0, false},
		{{1, 0, 3}, {0}, 0, false}, /* nobody has this number */
		{{1, 0, SDC_CONTINUED_MOST - 1}, {0}, 0, false},
		{{1, 0, SDC_CONTINUED_MOST}, {0}, 0, false},	/* no mark */
		{{1, 0, SDC_CONTINUED_ALONE}, {0, 0, 4}, 0, false}, /* no flag */
		{{1, 0, SDC_CONTINUED_WIDOW}, {0, 0, 128}, 0, false},
		{{1, 0, SDC_CONTINUED_ALONE}, {SDC_CONTINUED_NEW, 0, 0}, 0, false},
		{{1, 0, SDC_CONTINUED_ALONE}, {0, 0, SDC_CONTINUED_NEW}, 0, false},
		{{1, 0, SDC_CONTINUED_PENDING}, {0, 0, SDC_CONTINUED_NEW}, 0, false},
		{{1, 0, SDC_CONTINUED_WIDOW}, {0, 0, SDC_CONTINUED_TOUCHED}, 0, false},
		{{1, 0, SDC_CONTINUED_ALONE}, {0, 0, SDC_CONTINUED_TOUCHED}, 0, false},
		{{1, 0, SDC_CONTINUED_PENDING}, {0, 0, SDC_CONTINUED_TOUCHED}, 0, false},
		{{1, 0, SDC_CONTINUED_PENDING}, {0}, 1, false}
	};

	for (Size i = 0; i < sizeof(states) / sizeof(states[0]); i++)
	{
		SdcContinued column;

		sdc_continued_create(&column, 3);
		CHECK(sdc_continued_check(&column));
		memcpy(column.mate, states[i].mate, sizeof(states[i].mate));
		memcpy(column.flags, states[i].flags, sizeof(states[i].flags));
		column.redrawn[2] = states[i].redrawn;
		CHECKF(sdc_continued_check(&column) == states[i].sound, "state %d", (int) i);
		sdc_continued_destroy(&column);
	}
}

/* broken_words: what sdc_continued_unpack must find in the words of four members. */
static void
broken_words(void)
{
	static const struct
	{
		uint32		word[5];
		uint32		count;
		bool		sound;
	}			states[] = {
		{{1, 3}, 2, true},
		{{3, 2}, 2, true},
		{{2, SDC_CONTINUED_WIDOW, SDC_CONTINUED_PENDING}, 3, true},
		{{SDC_CONTINUED_ALONE, SDC_CONTINUED_ALONE, SDC_CONTINUED_ALONE, SDC_CONTINUED_ALONE}, 4, true},
		{{1, 3, SDC_CONTINUED_ALONE}, 3, false},	/* one too many */
		{{1}, 1, false},		/* one too few */
		{{0}, 0, false},
		{{SDC_CONTINUED_ALONE, SDC_CONTINUED_ALONE, SDC_CONTINUED_ALONE}, 3, false},
		{{0, 2, SDC_CONTINUED_ALONE}, 3, false},	/* with itself */
		{{1, 1, SDC_CONTINUED_ALONE}, 3, false},	/* with one before it */
		{{2, 2, SDC_CONTINUED_ALONE}, 3, false},	/* two with the same */
		{{1, 4}, 2, false},		/* nobody has this number */
		{{1, SDC_CONTINUED_MOST - 1}, 2, false},
		{{1, SDC_CONTINUED_MOST, SDC_CONTINUED_ALONE}, 3, false}	/* no mark */
	};

	for (Size i = 0; i < sizeof(states) / sizeof(states[0]); i++)
	{
		SdcContinuedPacked packed = {4, states[i].word, states[i].count};
		static const uint32 number[] = {0, 1, 2, 3};
		SdcContinued column;

		for (int as = 0; as < 2; as++)
		{
			sdc_continued_create(&column, 4);
			CHECKF(sdc_continued_unpack(&packed, as == 0 ? NULL : number, &column) == states[i].sound,
				   "words %d", (int) i);
			CHECKF(!states[i].sound || sdc_continued_check(&column), "words %d", (int) i);
			sdc_continued_destroy(&column);
		}
	}
}

/* many_members: a bit more than a block of 64 of them, whose pairs cross its end; pack and unpack undo each other. */
static void
many_members(void)
{
	for (uint32 n = 60; n < 200; n++)
	{
		uint32		number[200];
		SdcContinued before;
		SdcContinued column;

		sdc_continued_create(&before, n);
		sdc_continued_create(&column, n);
		for (uint32 r = 0; r < n; r++)
			number[r] = r;
		for (uint32 r = 0; r + 1 < n - r; r += 1 + r % 3)
			sdc_continued_swap(&before, r, n - 1 - r);
		take_over(&before, number, &column);
		CHECKF(memcmp(before.mate, column.mate, n * sizeof(uint32)) == 0, "%u", n);
		sdc_continued_destroy(&before);
		sdc_continued_destroy(&column);
	}
}

/*
 * wrong_marks: what sdc_continued_mark must find of cells: a pair, a widow of before, one of tonight, one that waits,
 * and one that is alone.
 */
static void
wrong_marks(void)
{
	static const uint32 word[] = {1, SDC_CONTINUED_WIDOW, 6, SDC_CONTINUED_PENDING, SDC_CONTINUED_ALONE};
	static const uint32 number[] = {0, 1, 2, 3, 4, 5, SDC_CONTINUED_NOBODY};
	static const struct
	{
		uint32		record;
		uint8		flags;
		uint8		redrawn;
		bool		sound;
		uint8		has;		/* flags afterwards */
	}			marks[] = {
		{0, SDC_CONTINUED_TOUCHED, 0, true, SDC_CONTINUED_TOUCHED},
		{0, 0, 3, true, 0},
		{0, SDC_CONTINUED_NEW, 0, false, 0},
		{0, 4, 0, false, 0},
		{2, SDC_CONTINUED_NEW, 1, true, SDC_CONTINUED_NEW},
		{2, 0, 255, true, 0},
		{2, SDC_CONTINUED_TOUCHED, 0, false, 0},
		{3, SDC_CONTINUED_TOUCHED, 9, true, SDC_CONTINUED_NEW},
		{3, 0, 9, true, SDC_CONTINUED_NEW},
		{4, 0, 1, false, 0},
		{4, SDC_CONTINUED_NEW, 0, false, 0},
		{5, 0, 7, true, 0},
		{5, SDC_CONTINUED_TOUCHED, 0, false, 0},
		{5, SDC_CONTINUED_NEW, 0, false, 0}
	};

	for (Size i = 0; i < sizeof(marks) / sizeof(marks[0]); i++)
	{
		SdcContinuedPacked packed = {7, word, 5};
		SdcContinued column;

		sdc_continued_create(&column, 6);
		CHECK(sdc_continued_unpack(&packed, number, &column));
		CHECK(column.mate[3] == SDC_CONTINUED_WIDOW && column.flags[3] == SDC_CONTINUED_NEW);
		CHECKF(sdc_continued_mark(&column, marks[i].record, marks[i].flags, marks[i].redrawn) == marks[i].sound,
			   "mark %d", (int) i);
		if (marks[i].sound)
			CHECKF(column.flags[marks[i].record] == marks[i].has &&
				   column.redrawn[marks[i].record] == marks[i].redrawn && sdc_continued_check(&column),
				   "mark %d", (int) i);
		sdc_continued_destroy(&column);
	}
}

int
main(void)
{
	CHECK(sdc_stream_create(&stream) == SDC_OK);
	CHECK(sdc_stream_master_from_seed("lots", 4, master) == SDC_OK);
	RUN(broken_words);
	RUN(many_members);
	RUN(wrong_marks);
	RUN(without_erasure);
	RUN(erasure);
	RUN(left_out);
	RUN(tonight);
	RUN(distances);
	RUN(strata);
	RUN(far_pairs);
	RUN(saturation);
	RUN(broken_states);
	sdc_stream_destroy(stream);
	return tap_done();
}
