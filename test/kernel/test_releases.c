/*-------------------------------------------------------------------------
 *
 * test_releases.c
 *		Attacks over several releases, against their definitions pair by pair.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include <math.h>

#include "kernel/releases/differences.h"
#include "kernel/releases/historylinks.h"
#include "kernel/releases/movement.h"

#include "random.h"
#include "tap.h"

#define PERSONS 60
#define COLUMNS 3
#define RELEASES 70

/* A history: file t is release t, the truth lies behind the releases. */
static uint32 person[RELEASES + 1][PERSONS];
static uint32 code[RELEASES + 1][COLUMNS][PERSONS];
static uint32 class[RELEASES + 1][PERSONS];
static const uint32 *columns_of[RELEASES + 1][COLUMNS];
static const uint32 *class_of[RELEASES + 1];
static const uint32 *secret_of[RELEASES];
static uint32 width[RELEASES][COLUMNS];
static const uint32 *width_of[RELEASES];
static uint32 codes[COLUMNS];
static SdcHistoryFile file[RELEASES + 1];
static SdcHistoryFile truth[RELEASES];
static SdcHistory history;

/* make_file draws the people of a file, and in part their values from those of another one. */
static void
make_file(int f, int like, uint32 keep)
{
	uint32		records = 0;

	for (uint32 i = 0; i < PERSONS; i++)
	{
		if (pick(8) == 0)
			continue;
		person[f][records++] = i;
	}
	for (uint32 i = records; i > 1; i--)
	{
		uint32		other = pick(i);
		uint32		was = person[f][i - 1];

		person[f][i - 1] = person[f][other];
		person[f][other] = was;
	}
	for (int j = 0; j < COLUMNS; j++)
		for (uint32 i = 0; i < records; i++)
		{
			code[f][j][i] = pick(12) == 0 ? SDC_CODE_NULL : pick(codes[j]);
			for (uint32 o = 0; like >= 0 && o < file[like].records; o++)
				if (person[like][o] == person[f][i] && pick(100) < keep)
					code[f][j][i] = code[like][j][o];
		}
	for (int j = 0; j < COLUMNS; j++)
		columns_of[f][j] = code[f][j];
	file[f] = (SdcHistoryFile) {records, person[f], columns_of[f]};
}

/* make_history draws a history of some releases. */
static void
make_history(uint32 seed, int releases, uint32 classes)
{
	uint32		keep;

	random_state = seed;
	keep = 50 + pick(51);
	for (int j = 0; j < COLUMNS; j++)
		codes[j] = 2 + pick(50);
	for (int t = 0; t <= releases; t++)
	{
		make_file(t, t - 1, keep);
		for (uint32 i = 0; i < file[t].records; i++)
			class[t][i] = person[t][i] * 7919 % classes;
		class_of[t] = class[t];
	}
	for (int t = 0; t < releases; t++)
	{
		for (int j = 0; j < COLUMNS; j++)
			width[t][j] = j == 2 && pick(3) == 0 ? 0 : 1 + pick(12);
		width_of[t] = width[t];
		truth[t] = file[releases];
		secret_of[t] = class[releases];
	}
	history = (SdcHistory) {PERSONS, COLUMNS, codes, releases, file, width_of};
}

/* row_of finds a person in a file. */
static uint32
row_of(const SdcHistoryFile *in, uint32 who)
{
	for (uint32 i = 0; i < in->records; i++)
		if (in->person[i] == who)
			return i;
	return SDC_RECORD_NONE;
}

/* is_inside tells by the definition whether a value is in the window of another one. */
static bool
is_inside(int t, int j, uint32 value, uint32 x)
{
	int			below = 0;
	int			upto = 0;
	int			least = 0;		/* places at which the value starts and ends */
	int			most = 0;
	int			count = 0;
	int			start;
	int			end;

	for (uint32 i = 0; i < file[t].records; i++)
	{
		uint32		c = code[t][j][i];

		if (c == SDC_CODE_NULL)
			continue;
		count++;
		below += c < x;
		upto += c <= x;
		least += c < value;
		most += c <= value;
	}
	start = below - (int) width[t][j];
	end = upto - 1 + (int) width[t][j];
	if (start < 0)
		start = 0;
	if (end > count - 1)
		end = count - 1;
	return value != SDC_CODE_NULL && x != SDC_CODE_NULL && most > least && start <= end &&
		most - 1 >= start && least <= end;
}

/* position_of is the percentage of a value in a release. */
static double
position_of(int t, int j, uint32 x)
{
	int			below = 0;
	int			upto = 0;
	int			count = 0;

	for (uint32 i = 0; i < file[t].records; i++)
	{
		count += code[t][j][i] != SDC_CODE_NULL;
		below += code[t][j][i] != SDC_CODE_NULL && code[t][j][i] < x;
		upto += code[t][j][i] != SDC_CODE_NULL && code[t][j][i] <= x;
	}
	return 100.0 * (below + upto + 1) / (2.0 * count);
}

/* fits tells whether a person's row is in all windows of another one's values in a release, if it is there. */
static bool
fits(int t, uint32 i, uint32 who, bool absent)
{
	uint32		row = row_of(&file[t], who);

	if (row == SDC_RECORD_NONE)
		return absent;
	for (int j = 0; j < COLUMNS; j++)
		if (!is_inside(t, j, code[t][j][row], truth[0].code[j][i]))
			return false;
	return true;
}

/* distance_of is the squared distance of mean positions. */
static double
distance_of(int first, int last, uint32 i, uint32 who)
{
	double		sum = 0;
	int			common = 0;

	for (int j = 0; j < COLUMNS; j++)
	{
		double		x = 0;
		double		y = 0;
		int			seen = 0;

		for (int t = first; t <= last; t++)
		{
			uint32		row = row_of(&file[t], who);

			if (truth[0].code[j][i] != SDC_CODE_NULL)
				x += position_of(t, j, truth[0].code[j][i]);
			if (row == SDC_RECORD_NONE || code[t][j][row] == SDC_CODE_NULL)
				continue;
			y += position_of(t, j, code[t][j][row]);
			seen++;
		}
		if (seen == 0 || truth[0].code[j][i] == SDC_CODE_NULL)
			continue;
		common++;
		sum += (x / (last - first + 1) - y / seen) * (x / (last - first + 1) - y / seen);
	}
	return common == 0 ? (double) INFINITY : sum * COLUMNS / common;
}

/* share_of is the share of the own row among the nearest; boxed: of the candidates. */
static double
share_of(int first, int last, uint32 i, bool boxed, uint64 *candidates, bool *own)
{
	double		best = (double) INFINITY;
	double		distance[PERSONS];
	double		mine = (double) INFINITY;
	int			ties = 0;

	*candidates = 0;
	*own = false;
	for (uint32 r = 0; r < file[last].records; r++)
	{
		bool		fit = true;

		for (int t = first; t <= last && boxed; t++)
			fit &= fits(t, i, person[last][r], true);
		distance[r] = fit ? distance_of(first, last, i, person[last][r]) : (double) INFINITY;
		*candidates += fit;
		best = fmin(best, distance[r]);
		if (person[last][r] != truth[0].person[i])
			continue;
		*own = fit;
		mine = distance[r];
	}
	for (uint32 r = 0; r < file[last].records; r++)
		ties += distance[r] <= best * (1 + 1e-9) + 1e-9;
	return !isinf(mine) && mine <= best * (1 + 1e-9) + 1e-9 ? 1.0 / ties : 0;
}

/* check_links compares the links of a span with the definition. */
static void
check_links(int first, int last, const SdcHistoryLinks *got)
{
	SdcHistoryLinks expected = {0};

	for (uint32 i = 0; i < truth[0].records; i++)
	{
		uint64		candidates;
		bool		own;

		if (row_of(&file[last], truth[0].person[i]) == SDC_RECORD_NONE)
			continue;
		expected.targets++;
		expected.average += share_of(first, last, i, false, &candidates, &own);
		expected.windows += share_of(first, last, i, true, &candidates, &own);
		expected.candidates += candidates;
		expected.inside += own;
		expected.certain += own && candidates == 1;
		expected.guess += own ? 1.0 / (double) candidates : 0;
	}
	CHECK(got->targets == expected.targets && got->candidates == expected.candidates);
	CHECK(got->inside == expected.inside && got->certain == expected.certain);
	CHECK(fabs(got->average - expected.average) < 1e-9 && fabs(got->windows - expected.windows) < 1e-9);
	CHECK(fabs(got->guess - expected.guess) < 1e-9);
}

/* check_classes compares what candidates have in common. */
static void
check_classes(int first, int last, uint32 classes, const SdcHistoryLinks *got)
{
	uint64		sizes = 0;
	uint64		found = 0;
	uint64		inside = 0;

	for (uint32 i = 0; i < truth[0].records; i++)
	{
		uint64		size = 0;
		bool		own = false;

		if (row_of(&file[last], truth[0].person[i]) == SDC_RECORD_NONE)
			continue;
		for (uint32 c = 0; c < classes; c++)
		{
			bool		everywhere = true;

			for (int t = first; t <= last; t++)
			{
				bool		here = row_of(&file[t], truth[0].person[i]) == SDC_RECORD_NONE;

				for (uint32 r = 0; r < file[t].records && !here; r++)
					here = class[t][r] == c && fits(t, i, person[t][r], false);
				everywhere &= here;
			}
			size += everywhere;
			own |= everywhere && c == secret_of[0][i];
		}
		sizes += size;
		inside += own;
		found += own && size == 1;
	}
	CHECK(got->sizes == sizes && got->class_inside == inside && got->found == found);
}

/* check_found compares how probably the best attack finds each person. */
static void
check_found(int releases, bool windows_only)
{
	uint32		record[PERSONS];
	double		got[PERSONS] = {0};
	uint32		count = 0;

	for (uint32 i = 0; i < truth[0].records; i += 1 + pick(3))
	{
		got[count] = pick(5) == 0 ? 0.25 : 0;
		record[count++] = i;
	}
	for (uint32 k = 0; k < count; k++)
	{
		double		least = got[k];
		uint64		candidates;
		bool		own;
		double		expected = fmax(least, share_of(0, releases - 1, record[k], true, &candidates, &own));

		if (own)
			expected = fmax(expected, 1.0 / (double) candidates);
		if (!windows_only)
			expected = fmax(expected, share_of(0, releases - 1, record[k], false, &candidates, &own));
		sdc_history_find(&(SdcHistoryTask) {.history = &history, .truth = truth, .windows_only = windows_only},
						 &record[k], 1, &got[k]);
		CHECK(fabs(got[k] - expected) < 1e-9);
	}
}

/* check_movement compares what is told of the values of a release alone. */
static void
check_movement(int t, const SdcMovement *moving, const SdcMovement *windows)
{
	SdcMovement expected[2] = {{0}};

	for (int j = 0; j < COLUMNS; j++)
		if (history.width[t][j] > 0)
			sdc_movement_column(&history, (SdcHistorySpan) {t, 1}, j, &truth[t], &expected[0], &expected[1],
								(SdcMovementCells) {NULL});
	CHECK(memcmp(moving, &expected[0], sizeof(SdcMovement)) == 0);
	CHECK(memcmp(windows, &expected[1], sizeof(SdcMovement)) == 0);
}

/* meet_all has all people meet in the releases that two processes attack, some at a time, and adds what is left. */
static void
meet_all(const SdcHistoryTask *task, SdcHistoryLinking *const process[2], uint64 bytes, SdcHistoryLinks *alone,
		 SdcHistoryLinks *met)
{
	int			releases = task->history->releases;
	uint32		all = truth[releases - 1].records;
	uint32		people = sdc_history_meeting_people(task, bytes);
	uint64	   *set = malloc(sdc_history_meeting_bytes(task, people) + 1);

	CHECK(people <= all && (people > 0 || all == 0));
	CHECK(people == 1 || sdc_history_meeting_bytes(task, people) <= bytes);
	for (uint32 first = 0; first < all || first == 0; first += people > 0 ? people : 1)
	{
		SdcHistoryMeeting meeting = {.set = set};

		sdc_history_meeting_begin(task, people, first, &meeting);
		sdc_history_meeting_clear(&meeting);
		/* the releases in any order, and one of them twice */
		for (int k = 0; k <= releases; k++)
		{
			int			t = (int) (first + (uint32) (releases - k)) % releases;

			if (first == 0 && k < releases)
			{
				SdcMovement moving = {0};
				SdcMovement windows = {0};

				sdc_history_link_release(process[k % 2], t, &meeting, &alone[t], &moving, &windows);
				check_movement(t, &moving, &windows);
			}
			else
				sdc_history_meet(process[k % 2], t, &meeting);
		}
		sdc_history_meeting_end(process[0], &meeting, met);
	}
	free(set);
}

/* Links and what candidates have in common agree with the definitions, in one piece or in many, by whomever. */
static void
links_agree(void)
{
	static const uint32 some_classes[] = {3, 65, 2000};

	for (uint32 round = 0; round < 24; round++)
	{
		int			releases = 1 + (int) (round % 4);
		uint32		classes = some_classes[round % 3];
		SdcHistoryTask task = {&history, truth, classes, class_of, secret_of, false};
		SdcHistoryLinking *process[2];
		SdcHistoryLinks alone[4];
		SdcHistoryLinks together;
		SdcHistoryLinks again;

		make_history(round, releases, classes);
		process[0] = sdc_history_linking_create(&task);
		process[1] = sdc_history_linking_create(&task);
		sdc_history_link_together(process[round % 2], &together);
		CHECK(together.sizes == 0 && together.class_guess == 0);
		meet_all(&task, process, round % 2 == 0 ? 0 : 1 << 20, alone, &together);
		for (int t = 0; t < releases; t++)
		{
			check_links(t, t, &alone[t]);
			check_classes(t, t, classes, &alone[t]);
		}
		check_found(releases, round % 3 == 2);
		check_links(0, releases - 1, &together);
		check_classes(0, releases - 1, classes, &together);
		/* what is kept is that of this release, whatever came between */
		sdc_history_link_together(process[0], &together);
		sdc_history_link_release(process[0], 0, NULL, &again, &(SdcMovement) {0}, &(SdcMovement) {0});
		CHECK(memcmp(&again, &alone[0], sizeof(SdcHistoryLinks)) == 0);
		sdc_history_linking_destroy(process[0]);
		sdc_history_linking_destroy(process[1]);
	}
}

/* holder_of tells how many have a value in a release, and who. */
static int
holder_of(int t, int j, uint32 v, uint32 *who)
{
	int			count = 0;

	for (uint32 i = 0; i < file[t].records; i++)
		if (code[t][j][i] == v)
		{
			count++;
			*who = person[t][i];
		}
	return count;
}

/* value_of is what a person was in a release. */
static uint32
value_of(int t, int j, uint32 who)
{
	uint32		row = row_of(&file[t], who);

	return row == SDC_RECORD_NONE ? SDC_CODE_NULL : code[t][j][row];
}

/* can_be tells by the definition whether a value can be that of a person. */
static bool
can_be(int last, int j, uint32 who, uint32 v, bool moving)
{
	bool		seen = false;

	for (int t = 0; t <= last; t++)
	{
		uint32		now = value_of(t, j, who);
		uint32		next = t < last ? value_of(t + 1, j, who) : SDC_CODE_NULL;
		uint32		before_who = 0;
		uint32		after_who = 0;
		int			before = holder_of(t, j, v, &before_who);
		int			after = t < last ? holder_of(t + 1, j, v, &after_who) : 0;

		if (now == SDC_CODE_NULL)
			continue;
		seen |= before > 0;
		if (!is_inside(t, j, now, v))
			return false;
		if (next == SDC_CODE_NULL || !moving)
			continue;
		if ((before == 1 && after == 1 && (now != next) != (before_who != after_who)) ||
			(now != next && after == 0) || (now == next && before == 0 && after > 0))
			return false;
	}
	return seen;
}

/* expect_cell adds what is expected of a value. */
static void
expect_cell(SdcMovement *expected, uint64 size, bool own)
{
	expected->cells++;
	expected->candidates += size;
	expected->inside += own;
	expected->exposed += own && size == 1;
	expected->guess += own ? 1.0 / (double) size : 0;
}

/* Movements agree with the definition, over more than 64 releases, too. */
static void
movements_agree(void)
{
	for (uint32 round = 0; round < 40; round++)
	{
		int			releases = round % 8 == 7 ? 63 + (int) (round / 8) : 1 + (int) (round % 8);

		make_history(1000 + round, releases, 2);
		for (int j = 0; j < COLUMNS; j++)
		{
			SdcMovement got[2] = {{0}};
			SdcMovement expected[2] = {{0}};
			bool		seen[PERSONS] = {false};
			bool		exposed[PERSONS] = {false};
			uint32		left[2][PERSONS] = {{0}};

			sdc_movement_column(&history, (SdcHistorySpan) {0, releases}, j, &truth[0], &got[0], &got[1],
								(SdcMovementCells) {seen, exposed, left[0], left[1]});
			for (uint32 i = 0; i < truth[0].records; i++)
			{
				uint32		who = truth[0].person[i];
				uint32		x = truth[0].code[j][i];
				bool		any = false;

				for (int t = 0; t < releases; t++)
					any |= value_of(t, j, who) != SDC_CODE_NULL;
				any &= x != SDC_CODE_NULL && row_of(&file[releases - 1], who) != SDC_RECORD_NONE;
				CHECK(seen[i] == any);
				if (!any)
				{
					CHECK(!exposed[i]);
					continue;
				}
				for (int k = 0; k < 2; k++)
				{
					uint64		size = 0;
					bool		own = can_be(releases - 1, j, who, x, k == 0);

					for (uint32 v = 0; v < codes[j]; v++)
						size += can_be(releases - 1, j, who, v, k == 0);
					if (k == 0)
						CHECK(exposed[i] == (own && size == 1));
					CHECK(left[k][i] == (own ? size : 0));
					expect_cell(&expected[k], size, own);
				}
			}
			for (int k = 0; k < 2; k++)
			{
				double		guess = 0;

				sdc_movement_guesses(left[k], truth[0].records, &guess);
				CHECK(guess == got[k].guess);
				CHECK(got[k].cells == expected[k].cells && got[k].candidates == expected[k].candidates);
				CHECK(got[k].inside == expected[k].inside && got[k].exposed == expected[k].exposed);
				CHECK(fabs(got[k].guess - expected[k].guess) < 1e-9);
			}
		}
	}
}

/* appears tells how much more often a release has a value than another one. */
static int
appears(int t, int other, int j, uint32 v)
{
	uint32		who = 0;

	return holder_of(t, j, v, &who) - holder_of(other, j, v, &who);
}

/* is_sought tells whether a person is in one release and not in the other. */
static bool
is_sought(int t, int other, uint32 who)
{
	return row_of(&file[t], who) != SDC_RECORD_NONE && row_of(&file[other], who) == SDC_RECORD_NONE;
}

/* values_of counts the values that appeared and can be those of a person. */
static uint32
values_of(const SdcDifferenceSide *side, int j, uint32 who, uint32 x, bool *own)
{
	uint32		has = value_of(side->release, j, who);
	uint32		size = 0;

	*own = false;
	for (uint32 v = 0; v < codes[j]; v++)
		if (appears(side->release, side->other, j, v) > 0 &&
			(!side->linkable || is_inside(side->release, j, has, v)))
		{
			size++;
			*own |= v == x;
		}
	return size;
}

/* partners_of counts the values that who is looked for was given, and that can be those of a holder. */
static uint32
partners_of(const SdcDifferenceSide *side, int j, uint32 who, uint32 x, bool *own)
{
	int			t = side->release;
	uint32		has = value_of(t, j, who);
	uint32		size = 0;

	*own = false;
	for (uint32 y = 0; y < codes[j]; y++)
	{
		bool		given = false;

		for (uint32 r = 0; r < file[t].records; r++)
			given |= code[t][j][r] == y && person[t][r] != who && is_sought(t, side->other, person[t][r]);
		if (given && is_inside(t, j, has, y))
		{
			size++;
			*own |= y == x;
		}
	}
	return size;
}

/* is_holder tells whether a person alone has a value that appeared. */
static bool
is_holder(const SdcDifferenceSide *side, int j, uint32 who)
{
	uint32		has = value_of(side->release, j, who);
	uint32		unused = 0;

	return side->linkable && has != SDC_CODE_NULL && holder_of(side->release, j, has, &unused) == 1 &&
		appears(side->release, side->other, j, has) > 0;
}

/* check_difference compares what a column tells; guess, exposed and known are those of a call for it alone. */
static void
check_difference(const SdcDifferenceSide *side, int j, const SdcDifference *got, const double *guess,
				 const bool *exposed, const bool *known)
{
	SdcDifference expected = {0};
	bool		marked[PERSONS] = {false};
	bool		own = false;

	sdc_difference_exposed(side, j, marked);
	for (uint32 v = 0; v < codes[j]; v++)
		if (appears(side->release, side->other, j, v) > 0)
			expected.appeared += (uint64) appears(side->release, side->other, j, v);
	for (uint32 i = 0; i < truth[0].records; i++)
	{
		uint32		who = truth[0].person[i];
		uint32		x = truth[0].code[j][i];
		bool		sought = x != SDC_CODE_NULL && is_sought(side->release, side->other, who);
		uint32		size = sought ? values_of(side, j, who, x, &own) : 0;
		bool		told = sought && own && size == 1;

		CHECK(known[i] == sought && exposed[i] == (!sought || told));
		CHECK(fabs(guess[i] - (!sought ? 1 : own ? 1.0 / size : 0)) < 1e-12);
		expected.cells += sought;
		expected.exposed += told;
		expected.guess += sought && own ? 1.0 / size : 0;
		if (x != SDC_CODE_NULL && is_holder(side, j, who))
		{
			size = partners_of(side, j, who, x, &own);
			expected.holders++;
			expected.partners_exposed += own && size == 1;
			expected.partners_guess += own ? 1.0 / size : 0;
			told |= own && size == 1;
		}
		CHECK(marked[i] == told);
	}
	CHECK(got->appeared == expected.appeared && got->cells == expected.cells);
	CHECK(sdc_difference_appeared(&history, side->release, side->other, j) == expected.appeared);
	CHECK(got->exposed == expected.exposed && got->holders == expected.holders);
	CHECK(got->partners_exposed == expected.partners_exposed);
	CHECK(fabs(got->guess - expected.guess) < 1e-9);
	CHECK(fabs(got->partners_guess - expected.partners_guess) < 1e-9);
}

/* What a difference tells of those who came or went agrees with the definition. */
static void
differences_agree(void)
{
	for (uint32 round = 0; round < 60; round++)
	{
		int			t = (int) (round % 2);
		SdcDifferenceSide side = {&history, t, 1 - t, &truth[0], round % 3 != 0};

		make_history(5000 + round, 2, 2);
		for (int j = 0; j < COLUMNS; j++)
		{
			double		guess[PERSONS];
			bool		exposed[PERSONS];
			bool		known[PERSONS] = {false};
			SdcDifference got;

			for (uint32 i = 0; i < PERSONS; i++)
			{
				guess[i] = 1;
				exposed[i] = true;
			}
			sdc_difference_column(&side, j, guess, exposed, known, &got);
			check_difference(&side, j, &got, guess, exposed, known);
		}
	}
}

int
main(void)
{
	RUN(links_agree);
	RUN(movements_agree);
	RUN(differences_agree);
	return tap_done();
}
