/*-------------------------------------------------------------------------
 *
 * test_unitlinks.c
 *		Units that a person can be, against all ways to pair the rows of two units.
 *
 * Pairs of rows are judged by the twin of candidates.  Of units everything is tried.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include "kernel/candidates/bipartite.h"
#include "kernel/candidates/unitlinks.h"

#include "candidatetwin.h"
#include "tap.h"

#define MAX_ROWS 300
#define MAX_UNIT 6
#define MAX_WHOLES 4

/* A file of units. */
typedef struct UnitFile
{
	File		file;
	SdcUnits	units;
	uint32		of[MAX_ROWS];
	uint32		start[MAX_ROWS + 1];
	uint32		member[MAX_ROWS];
	SdcUnitWhole whole[MAX_WHOLES];
	uint32		original[MAX_WHOLES][MAX_ROWS];
	uint32		protected[MAX_WHOLES][MAX_ROWS];
	SdcInterval window[MAX_WHOLES][MAX_ROWS];
	SdcInterval wide[MAX_WHOLES][MAX_ROWS];
	SdcUnitLinksTask task;
	bool		sound;
} UnitFile;

/* What the best way to pair the rows of two units costs. */
typedef struct Cost
{
	bool		any;			/* there is one */
	double		unlikely;
	double		without;
	double		measure;
} Cost;

/* Pairs of rows. */
static double likelihood[MAX_ROWS][MAX_ROWS];
static double measure[MAX_ROWS][MAX_ROWS];
static Cost cost[MAX_ROWS][MAX_ROWS];

/* make_units makes units of some of the records, of up to so many rows each and within strata. */
static void
make_units(UnitFile *made, uint32 most)
{
	uint32		records = made->file.task.records;
	uint32		order[MAX_ROWS];
	uint32		units = 0;

	for (uint32 i = 0; i < records; i++)
	{
		uint32		place = pick(i + 1);

		order[i] = order[place];
		order[place] = i;
	}
	for (uint32 i = 0; i < records; i++)
		made->of[i] = UINT32_MAX;
	for (uint32 i = 0; i < records; i++)
	{
		uint32		size = 1 + pick(most);

		if (made->of[order[i]] != UINT32_MAX)
			continue;
		for (uint32 k = i; k < records && size > 0; k++)
			if (made->of[order[k]] == UINT32_MAX &&
				(made->file.stratum == NULL || made->file.stratum[order[k]] == made->file.stratum[order[i]]))
			{
				made->of[order[k]] = units;
				size--;
			}
		units++;
	}
	made->start[0] = 0;
	for (uint32 u = 0; u < units; u++)
	{
		made->start[u + 1] = made->start[u];
		for (uint32 i = 0; i < records; i++)
			if (made->of[i] == u)
				made->member[made->start[u + 1]++] = i;
	}
	made->units = (SdcUnits) {records, units, made->of, made->start, made->member};
}

/* sort_values lists the rows of a unit that have a value, by value and key, and returns how many they are. */
static uint32
sort_values(const UnitFile *made, const uint32 *code, uint32 u, uint32 *row)
{
	uint32		count = 0;

	for (uint32 r = made->start[u]; r < made->start[u + 1]; r++)
	{
		uint32		place = count;

		if (code[made->member[r]] == SDC_CODE_NULL)
			continue;
		for (; place > 0 && code[row[place - 1]] > code[made->member[r]]; place--)
			row[place] = row[place - 1];
		row[place] = made->member[r];
		count++;
	}
	return count;
}

/* swap_whole exchanges the values of units with equally many of them, within strata. */
static void
swap_whole(UnitFile *made, const uint32 *original, uint32 *protected)
{
	uint32		mine[MAX_UNIT];
	uint32		theirs[MAX_UNIT];
	bool		done[MAX_ROWS] = {false};

	memcpy(protected, original, made->file.task.records * sizeof(uint32));
	for (uint32 u = 0; u < made->units.count; u++)
	{
		uint32		v = pick(made->units.count);
		uint32		count = sort_values(made, original, u, mine);

		if (done[u] || done[v] || sort_values(made, original, v, theirs) != count ||
			(made->file.stratum != NULL &&
			 made->file.stratum[made->member[made->start[u]]] != made->file.stratum[made->member[made->start[v]]]))
			continue;
		done[u] = done[v] = true;
		for (uint32 r = 0; r < count; r++)
		{
			protected[mine[r]] = original[theirs[r]];
			protected[theirs[r]] = original[mine[r]];
		}
	}
}

/* sum_codes sums up the codes of a unit, SDC_CODE_NULL without any. */
static uint32
sum_codes(const UnitFile *made, const uint32 *code, uint32 u)
{
	uint32		row[MAX_UNIT];
	uint32		count = sort_values(made, code, u, row);
	uint32		sum = 0;

	for (uint32 r = 0; r < count; r++)
		sum += code[row[r]];
	return count == 0 ? SDC_CODE_NULL : sum;
}

/* widen makes an interval from one value to another, and a bit on both sides. */
static SdcInterval
widen(uint32 a, uint32 b, uint32 by)
{
	uint32		least = a < b ? a : b;
	uint32		most = a < b ? b : a;
	uint32		below = pick(by + 1);

	if (a == SDC_CODE_NULL || b == SDC_CODE_NULL)
		return (SdcInterval) {1, 0};
	return (SdcInterval) {least < below ? 0 : least - below, most + pick(by + 1)};
}

/* is_alike tells whether units have the same sum of equally many values, and stratum: so they have one window. */
static bool
is_alike(const UnitFile *made, int a, int w, uint32 u, uint32 v)
{
	uint32		row[MAX_UNIT];

	return made->original[w][u] == made->original[w][v] &&
		sort_values(made, made->file.original[a], u, row) == sort_values(made, made->file.original[a], v, row) &&
		twin_strata(&made->file, made->member[made->start[u]], made->member[made->start[v]]);
}

/* share_windows has units that are alike have one window. */
static void
share_windows(UnitFile *made, int a, int w)
{
	for (uint32 u = 0; u < made->units.count; u++)
		for (uint32 v = 0; v < made->units.count; v++)
		{
			if (!is_alike(made, a, w, u, v))
				continue;
			if (made->window[w][v].first < made->window[w][u].first)
				made->window[w][u].first = made->window[w][v].first;
			if (made->window[w][v].last > made->window[w][u].last)
				made->window[w][u].last = made->window[w][v].last;
		}
}

/* make_whole has a column be swapped whole. */
static void
make_whole(UnitFile *made, int a, const Shape *shape)
{
	int			w = made->task.wholes++;
	uint32	   *protected = made->file.protected[a];
	SdcUnitWhole *whole = &made->whole[w];

	*whole = (SdcUnitWhole) {.column = a, .original = made->original[w], .protected = made->protected[w],
	.sums = MAX_UNIT * shape->codes + 20, .window = made->window[w]};
	if (!shape->wild)
		swap_whole(made, made->file.original[a], protected);
	else if (pick(2) == 0)
		draw_codes(shape, protected);
	for (uint32 u = 0; u < made->units.count; u++)
	{
		made->original[w][u] = sum_codes(made, made->file.original[a], u);
		made->protected[w][u] = sum_codes(made, protected, u);
		made->window[w][u] = shape->wild ? widen(made->original[w][u], made->original[w][u], 5) :
			widen(made->original[w][u], made->protected[w][u], 4);
	}
	share_windows(made, a, w);
	for (uint32 u = 0; u < made->units.count; u++)
		made->wide[w][u] = (SdcInterval) {made->window[w][u].first / 2, made->window[w][u].last + 3};
	if (shape->wide)
		whole->wide = made->wide[w];
	whole->blanks = shape->blank > 0 && pick(2) == 0;
	for (uint32 i = 0; whole->blanks && i < shape->records; i++)
		if (pick(2 * shape->blank) == 0)
			protected[i] = SDC_CODE_NULL;
	/* sums that nobody knows are not asked for */
	for (uint32 u = 0; u < made->units.count; u++)
		if (whole->blanks)
			made->protected[w][u] = sum_codes(made, protected, u);
}

/* make_unitfile draws a file of units. */
static void
make_unitfile(UnitFile *made, const Shape *shape, uint32 most)
{
	memset(made, 0, sizeof(*made));
	make_file(&made->file, shape);
	made->sound = made->file.sound;
	make_units(made, most);
	for (int a = 0; a < shape->columns && made->task.wholes < MAX_WHOLES; a++)
		if (made->file.column[a].kind == SDC_CANDIDATES_UNKNOWN && pick(4) > 0)
			make_whole(made, a, shape);
	made->task.units = &made->units;
	made->task.whole = made->whole;
	made->task.known_rows = pick(3) == 0 ? 1 + pick(4) : 0;
	made->task.records = made->file.task;
}

/* ------------------------------------------------------------------------
 * The twin
 * ------------------------------------------------------------------------
 */

/* twin_ranks finds the ranks that the value of a row can have in its unit. */
static void
twin_ranks(const UnitFile *made, const uint32 *code, uint32 row, uint32 *least, uint32 *most)
{
	uint32		unit = made->of[row];

	*least = *most = 0;
	for (uint32 r = made->start[unit]; r < made->start[unit + 1]; r++)
	{
		uint32		other = code[made->member[r]];

		*least += other != SDC_CODE_NULL && other < code[row];
		*most += other != SDC_CODE_NULL && other <= code[row];
	}
	(*most)--;
}

/* has_blank tells whether a unit has a blank in a column that was swapped whole. */
static bool
has_blank(const UnitFile *made, const SdcUnitWhole *whole, uint32 v)
{
	bool		blank = false;

	for (uint32 r = made->start[v]; r < made->start[v + 1]; r++)
		blank = blank || made->file.protected[whole->column][made->member[r]] == SDC_CODE_NULL;
	return blank && whole->blanks;
}

/* twin_pair tells whether a pair of rows is compatible in a column that was swapped whole. */
static bool
twin_pair(const UnitFile *made, const SdcUnitWhole *whole, uint32 i, uint32 l)
{
	const uint32 *original = made->file.original[whole->column];
	const uint32 *protected = made->file.protected[whole->column];
	uint32		first;
	uint32		last;
	uint32		least;
	uint32		most;

	if (has_blank(made, whole, made->of[l]))
		return true;
	if (!twin_strata(&made->file, i, l) || (original[i] == SDC_CODE_NULL) != (protected[l] == SDC_CODE_NULL))
		return false;
	if (original[i] == SDC_CODE_NULL)
		return true;
	twin_ranks(made, original, i, &first, &last);
	twin_ranks(made, protected, l, &least, &most);
	return first <= most && least <= last;
}

/* twin_units tells whether what is known of a unit as a whole can be that of another one. */
static bool
twin_units(const UnitFile *made, SdcCandidatesAttack attack, uint32 u, uint32 v)
{
	if (made->task.known_rows > 0)
		return true;
	if (sdc_units_size(&made->units, u) != sdc_units_size(&made->units, v))
		return false;
	for (int w = 0; w < made->task.wholes; w++)
	{
		const SdcUnitWhole *whole = &made->whole[w];
		const SdcInterval *window = attack == SDC_CANDIDATES_WIDE && whole->wide != NULL ? whole->wide : whole->window;
		uint32		mine[MAX_UNIT];
		uint32		theirs[MAX_UNIT];

		if (has_blank(made, whole, v))
			continue;
		if (sort_values(made, made->file.original[whole->column], u, mine) !=
			sort_values(made, made->file.protected[whole->column], v, theirs))
			return false;
		if (whole->original[u] != SDC_CODE_NULL &&
			(whole->protected[v] < window[u].first || whole->protected[v] > window[u].last))
			return false;
	}
	return true;
}

/* fill_pairs judges all pairs of rows. */
static void
fill_pairs(const UnitFile *made, SdcCandidatesAttack attack)
{
	double		scale[MAX_COLUMNS];

	twin_scales(&made->file, scale);
	for (uint32 i = 0; i < made->file.task.records; i++)
		for (uint32 l = 0; l < made->file.task.records; l++)
		{
			likelihood[i][l] = twin_likelihood(&made->file, attack, i, l);
			for (int w = 0; w < made->task.wholes && made->task.known_rows == 0; w++)
				if (!twin_pair(made, &made->whole[w], i, l))
					likelihood[i][l] = 0;
			measure[i][l] = twin_measure(&made->file, scale, i, l);
		}
}

/* is_less compares two costs, of which the first is of a pairing. */
static bool
is_less(const Cost *a, const Cost *b)
{
	if (!b->any || fabs(a->unlikely - b->unlikely) > TIE)
		return !b->any || a->unlikely < b->unlikely;
	if (a->without != b->without)
		return a->without < b->without;
	return a->measure < b->measure;
}

/* try_pairings tries all rows of v for the row of u with a number, and what follows. */
static void
try_pairings(const UnitFile *made, uint32 u, uint32 v, uint32 r, uint32 taken, Cost so_far)
{
	uint32		known = sdc_units_size(&made->units, u);
	uint32		i;

	if (made->task.known_rows > 0 && made->task.known_rows < known)
		known = made->task.known_rows;
	if (r == known)
	{
		if (is_less(&so_far, &cost[u][v]))
			cost[u][v] = so_far;
		cost[u][v].any = true;
		return;
	}
	i = made->member[made->start[u] + r];
	for (uint32 s = 0; s < sdc_units_size(&made->units, v); s++)
	{
		uint32		l = made->member[made->start[v] + s];
		Cost		next = so_far;

		if ((taken >> s & 1) != 0 || !(likelihood[i][l] > 0))
			continue;
		next.unlikely -= log(likelihood[i][l]);
		next.without += isinf(measure[i][l]) ? 1 : 0;
		next.measure += isinf(measure[i][l]) ? 0 : measure[i][l];
		try_pairings(made, u, v, r + 1, taken | UINT32_C(1) << s, next);
	}
}

/* fill_costs tries all pairs of units. */
static void
fill_costs(const UnitFile *made, SdcCandidatesAttack attack)
{
	fill_pairs(made, attack);
	for (uint32 u = 0; u < made->units.count; u++)
		for (uint32 v = 0; v < made->units.count; v++)
		{
			cost[u][v] = (Cost) {false, 0, 0, 0};
			if (twin_units(made, attack, u, v))
				try_pairings(made, u, v, 0, 0, (Cost) {true, 0, 0, 0});
		}
}

/* twin_attack attacks a unit by the costs. */
static SdcCandidatesLink
twin_attack(const UnitFile *made, uint32 u)
{
	SdcCandidatesLink found = {.link.linked = SDC_RECORD_NONE, .inside = cost[u][u].any};
	Cost		best = {true, INFINITY, INFINITY, INFINITY};

	for (uint32 v = 0; v < made->units.count; v++)
		if (cost[u][v].any && cost[u][v].unlikely < best.unlikely)
			best.unlikely = cost[u][v].unlikely;
	for (uint32 v = 0; v < made->units.count; v++)
		if (cost[u][v].any && cost[u][v].unlikely <= best.unlikely + TIE && cost[u][v].without < best.without)
			best.without = cost[u][v].without;
	for (uint32 v = 0; v < made->units.count; v++)
		if (cost[u][v].any && cost[u][v].unlikely <= best.unlikely + TIE && cost[u][v].without == best.without &&
			cost[u][v].measure < best.measure)
			best.measure = cost[u][v].measure;
	for (uint32 v = 0; v < made->units.count; v++)
	{
		found.link.candidates += cost[u][v].any;
		if (!cost[u][v].any || cost[u][v].unlikely > best.unlikely + TIE || cost[u][v].without != best.without ||
			cost[u][v].measure > best.measure * (1 + TIE))
			continue;
		found.link.ties++;
		if (found.link.linked == SDC_RECORD_NONE)
			found.link.linked = v;
		found.link.correct = found.link.correct || u == v;
	}
	return found;
}

/* ------------------------------------------------------------------------
 * The tests
 * ------------------------------------------------------------------------
 */

/* compare_links compares an attack on some of the units, all or every third. */
static void
compare_links(const UnitFile *made, SdcCandidatesAttack attack, uint64 seed, uint32 step)
{
	static SdcCandidatesLink link[MAX_ROWS];
	uint32		unit[MAX_ROWS] = {0};
	uint32		count = 0;

	for (uint32 u = 0; u < made->units.count; u += step)
		unit[count++] = u;
	sdc_unitlinks_run(&made->task, attack, step == 1 ? NULL : unit, count, link);
	for (uint32 c = 0; c < count; c++)
	{
		SdcCandidatesLink twin = twin_attack(made, unit[c]);
		const SdcCandidatesLink *found = &link[c];

		CHECKF(found->link.candidates == twin.link.candidates && found->inside == twin.inside &&
			   found->link.ties == twin.link.ties && found->link.linked == twin.link.linked &&
			   found->link.correct == twin.link.correct,
			   "attack %d, seed %d, unit %u: %u candidates (%u), inside %d (%d), %u ties (%u), linked %u (%u), "
			   "correct %d (%d)", (int) attack, (int) seed, unit[c], found->link.candidates, twin.link.candidates,
			   found->inside, twin.inside, found->link.ties, twin.link.ties, found->link.linked, twin.link.linked,
			   found->link.correct, twin.link.correct);
		CHECKF(!made->sound || found->inside, "attack %d, seed %d, unit %u", (int) attack, (int) seed, unit[c]);
	}
}

/* compare_components compares the components with the closure of the graph (S. Warshall, 1962). */
static void
compare_components(const UnitFile *made, uint64 seed)
{
	static bool path[MAX_ROWS][MAX_ROWS];
	uint32		component[MAX_ROWS];
	uint32		units = made->units.count;
	bool		sound = true;
	SdcCandidatesStatus status = sdc_unitlinks_everybody(&made->task, component);

	for (uint32 u = 0; u < units; u++)
	{
		sound = sound && cost[u][u].any;
		for (uint32 v = 0; v < units; v++)
			path[u][v] = cost[u][v].any;
	}
	CHECKF(status == (sound ? SDC_CANDIDATES_OK : SDC_CANDIDATES_UNSOUND), "seed %d: status %d", (int) seed,
		   (int) status);
	if (status != SDC_CANDIDATES_OK)
		return;
	for (uint32 k = 0; k < units; k++)
		for (uint32 u = 0; u < units; u++)
			for (uint32 v = 0; path[u][k] && v < units; v++)
				path[u][v] = path[u][v] || path[k][v];
	for (uint32 u = 0; u < units; u++)
		for (uint32 v = 0; v < units; v++)
			CHECKF((component[u] == component[v]) == (path[u][v] && path[v][u]) && component[u] < units,
				   "seed %d: components of %u and %u", (int) seed, u, v);
}

/* draw_shape draws a small shape. */
static Shape
draw_shape(uint64 seed)
{
	Shape		shape = {0};

	random_state = seed * 1000003;
	shape.records = 1 + pick(pick(3) == 0 ? 6 : 36);
	shape.columns = 1 + (int) pick(4);
	shape.codes = 1 + pick(pick(2) == 0 ? 3 : 12);
	shape.missing = pick(2) == 0 ? 0 : 2 + pick(8);
	shape.strata = pick(4) == 0 ? 2 : 1;
	shape.groups = 1 + pick(4);
	shape.bins = 1 + pick(4);
	shape.width = pick(8);
	shape.wild = pick(4) == 0;
	shape.wide = pick(4) == 0;
	shape.lost = pick(5) == 0;
	return shape;
}

/* try_shape compares all that is said of one file. */
static void
try_shape(const Shape *shape, uint64 seed, uint32 most, uint32 step)
{
	static UnitFile made;

	random_state = seed;
	make_unitfile(&made, shape, most);
	fill_costs(&made, SDC_CANDIDATES_NEAREST);
	compare_links(&made, SDC_CANDIDATES_NEAREST, seed, step);
	compare_components(&made, seed);
	fill_costs(&made, SDC_CANDIDATES_WIDE);
	compare_links(&made, SDC_CANDIDATES_WIDE, seed, step);
	free_file(&made.file);
}

/* Each kind alone; whole columns are of the last. */
static void
test_kinds(void)
{
	for (uint64 seed = 1; seed <= ROUNDS(1050); seed++)
	{
		Shape		shape = draw_shape(seed);

		shape.kinds = UINT32_C(1) << seed % SDC_CANDIDATES_KINDS;
		if (seed % 3 == 0)
			shape.kinds |= 1 << SDC_CANDIDATES_UNKNOWN;
		try_shape(&shape, seed, 1 + (uint32) seed % 4, 1);
	}
}

/* Columns that were swapped whole, beside copied ones and windows, and with more rows. */
static void
test_wholes(void)
{
	for (uint64 seed = 1; seed <= ROUNDS(1000); seed++)
	{
		Shape		shape = draw_shape(seed + 1111);

		shape.kinds = 1 << SDC_CANDIDATES_UNKNOWN | (seed % 2 == 0 ? 1 << SDC_CANDIDATES_EXACT : 0) |
			(seed % 5 == 0 ? 1 << SDC_CANDIDATES_WINDOW : 0);
		try_shape(&shape, seed, 2 + (uint32) seed % (MAX_UNIT - 1), 1);
	}
}

/* All kinds together. */
static void
test_mixtures(void)
{
	for (uint64 seed = 1; seed <= ROUNDS(750); seed++)
	{
		Shape		shape = draw_shape(seed + 7777);

		try_shape(&shape, seed, 1 + (uint32) seed % 5, seed % 5 == 0 ? 3 : 1);
	}
}

/* Blanks. */
static void
test_blanks(void)
{
	static const uint32 blank[] = {1, 2, 3, 5, 12};

	for (uint64 seed = 1; seed <= ROUNDS(750); seed++)
	{
		Shape		shape = draw_shape(seed + 4444);

		shape.blank = blank[seed % 5];
		if (seed % 2 == 0)
			shape.kinds = UINT32_C(1) << seed / 2 % SDC_CANDIDATES_KINDS | 1 << SDC_CANDIDATES_UNKNOWN;
		try_shape(&shape, seed, 1 + (uint32) seed % 4, 1);
	}
}

/* More rows, with trees and bitmaps. */
static void
test_large(void)
{
	for (uint64 seed = 1; seed <= ROUNDS(30); seed++)
	{
		Shape		shape = draw_shape(seed + 9999);

		shape.records = 150 + pick(MAX_ROWS - 150);
		shape.codes = 1 + pick(pick(2) == 0 ? 8 : 200);
		shape.width = pick(60);
		if (seed % 2 == 0)
			shape.kinds = 1 << SDC_CANDIDATES_WINDOW | (seed % 4 == 0 ? 1 << SDC_CANDIDATES_EXACT : 0);
		try_shape(&shape, seed, 1 + (uint32) seed % 4, 1);
	}
}

/* Where every unit is a row, the results are those of rows. */
static void
test_single_rows(void)
{
	static UnitFile made;
	static SdcCandidatesLink rows[MAX_ROWS];
	static SdcCandidatesLink link[MAX_ROWS];

	for (uint64 seed = 1; seed <= ROUNDS(1500); seed++)
	{
		Shape		shape = draw_shape(seed + 5555);
		SdcCandidatesAttack attack = seed % 3 == 0 ? SDC_CANDIDATES_WIDE : SDC_CANDIDATES_NEAREST;

		shape.blank = seed % 4 == 0 ? 3 : 0;
		random_state = seed;
		memset(&made, 0, sizeof(made));
		make_file(&made.file, &shape);
		for (uint32 i = 0; i < shape.records; i++)
			made.of[i] = made.start[i] = made.member[i] = i;
		made.start[shape.records] = shape.records;
		made.units = (SdcUnits) {shape.records, shape.records, made.of, made.start, made.member};
		made.task = (SdcUnitLinksTask) {.records = made.file.task, .units = &made.units, .known_rows = seed % 2};
		sdc_candidates_run(&made.file.task, attack, NULL, shape.records, rows);
		sdc_unitlinks_run(&made.task, attack, NULL, shape.records, link);
		for (uint32 i = 0; i < shape.records; i++)
			CHECKF(link[i].link.candidates == rows[i].link.candidates && link[i].inside == rows[i].inside &&
				   link[i].link.ties == rows[i].link.ties && link[i].link.linked == rows[i].link.linked &&
				   link[i].link.correct == rows[i].link.correct && (link[i].link.candidates == 1 ||
				   link[i].link.distance == rows[i].link.distance), "seed %d, record %u: %u candidates (%u)", (int) seed, i,
				   link[i].link.candidates, rows[i].link.candidates);
		free_file(&made.file);
	}
}

/* ------------------------------------------------------------------------
 * The table of the definition
 * ------------------------------------------------------------------------
 */

static const uint32 toy_of[9] = {0, 0, 1, 1, 2, 2, 3, 4, 4};
static const uint32 toy_start[6] = {0, 2, 4, 6, 7, 9};
static const uint32 toy_member[9] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
static const SdcUnits toy_units = {9, 5, toy_of, toy_start, toy_member};

/* 10 11 12 13 14 20 30 40 41 */
static const uint32 toy_original[9] = {0, 2, 1, 7, 5, 8, 6, 3, 4};
static const uint32 toy_protected[9] = {1, 3, 0, 6, 4, 8, 7, 2, 5};

/* toy_shares sums up the shares of a choice at random. */
static double
toy_shares(const SdcCandidatesLink *link, uint32 count)
{
	double		sum = 0;

	for (uint32 i = 0; i < count; i++)
		sum += sdc_candidates_share(&link[i]);
	return sum;
}

/* What is found for a window of so many positions. */
static void
try_toy(uint32 width, double rows, double unlinked, double found, double unsized, double first, double left)
{
	SdcInterval window[9];
	SdcCandidatesColumn column[2] = {{.kind = SDC_CANDIDATES_WINDOW, .original = toy_original,
	.protected = toy_protected, .codes = 9, .window = window}};
	SdcUnitLinksTask task = {.records = {.records = 9, .count = 1, .column = column, .strata = 1},
	.units = &toy_units};
	SdcCandidatesLink link[9];
	uint32		component[5];
	uint32		of_row[9];
	double		best = 0;

	sdc_candidates_windows(&task.records, &column[0], &width, window);
	sdc_candidates_run(&task.records, SDC_CANDIDATES_NEAREST, NULL, 9, link);
	CHECKF(fabs(toy_shares(link, 9) - rows) < 1e-9, "W %u: %.10f rows", width, toy_shares(link, 9));
	for (uint32 u = 0; u < 5; u++)
	{
		double		most = 0;

		for (uint32 r = toy_start[u]; r < toy_start[u + 1]; r++)
			most = fmax(most, sdc_candidates_share(&link[r]));
		best += most;
	}
	CHECKF(fabs(best - unlinked) < 1e-9, "W %u: %.10f", width, best);
	sdc_unitlinks_run(&task, SDC_CANDIDATES_NEAREST, NULL, 5, link);
	CHECKF(fabs(toy_shares(link, 5) - found) < 1e-9, "W %u: %.10f", width, toy_shares(link, 5));
	CHECK(sdc_unitlinks_everybody(&task, component) == SDC_CANDIDATES_OK);
	task.known_rows = 9;
	sdc_unitlinks_run(&task, SDC_CANDIDATES_NEAREST, NULL, 5, link);
	CHECKF(fabs(toy_shares(link, 5) - unsized) < 1e-9, "W %u: %.10f", width, toy_shares(link, 5));
	task.known_rows = 1;
	sdc_unitlinks_run(&task, SDC_CANDIDATES_NEAREST, NULL, 5, link);
	CHECKF(fabs(toy_shares(link, 5) - first) < 1e-9, "W %u: %.10f", width, toy_shares(link, 5));
	task.known_rows = 0;
	for (uint32 i = 0; i < 9; i++)
		of_row[i] = component[toy_of[i]];
	column[1] = (SdcCandidatesColumn) {.kind = SDC_CANDIDATES_EXACT, .original = of_row, .protected = of_row,
	.codes = 5};
	task.records.count = 2;
	sdc_unitlinks_run(&task, SDC_CANDIDATES_NEAREST, NULL, 5, link);
	CHECKF(fabs(toy_shares(link, 5) - left) < 1e-9, "W %u: %.10f", width, toy_shares(link, 5));
}

static void
test_toy(void)
{
	try_toy(1, 10.0 / 3, 2, 5, 13.0 / 3, 11.0 / 6, 5);
	/* E can be A, but A nobody else: so E is E, and then B is B */
	try_toy(2, 13.0 / 6, 1.3166666666666667, 4, 3.25, 1.45, 5);
	try_toy(3, 1.6619047619047619, 1.0095238095238095, 8.0 / 3, 28.0 / 15, 37.0 / 30, 8.0 / 3);
}

/* ------------------------------------------------------------------------
 * Large units, and matchings
 * ------------------------------------------------------------------------
 */

#define LARGE 1500

/* One unit is found; of two large ones that can be each other, the nearer one. */
static void
test_large_units(void)
{
	static uint32 original[2 * LARGE];
	static uint32 protected[2 * LARGE];
	static uint32 of[2 * LARGE];
	static uint32 member[2 * LARGE];
	static double value[4 * LARGE];
	static SdcInterval window[2 * LARGE];
	uint32		start[3] = {0, LARGE, 2 * LARGE};
	SdcUnits	units = {2 * LARGE, 2, of, start, member};
	SdcCandidatesColumn column = {.kind = SDC_CANDIDATES_WINDOW, .original = original, .protected = protected,
	.codes = 4 * LARGE, .value = value, .window = window};
	SdcUnitLinksTask task = {.records = {.records = 2 * LARGE, .count = 1, .column = &column, .strata = 1},
	.units = &units};
	SdcCandidatesLink link[2];

	for (uint32 i = 0; i < 2 * LARGE; i++)
	{
		of[i] = i / LARGE;
		member[i] = i;
		/* values of the two alternate; each is two away from what it has become */
		original[i] = 2 * (i % LARGE) * 2 % (4 * LARGE) + 2 * of[i];
		protected[i] = original[i] + (of[i] == 0 ? 1 : 0);
		window[i] = (SdcInterval) {original[i] < 3 ? 0 : original[i] - 3,
		original[i] + 5 < 4 * LARGE ? original[i] + 5 : 4 * LARGE - 1};
	}
	for (uint32 c = 0; c < 4 * LARGE; c++)
		value[c] = c;
	sdc_unitlinks_run(&task, SDC_CANDIDATES_NEAREST, NULL, 2, link);
	for (uint32 u = 0; u < 2; u++)
		CHECKF(link[u].link.candidates == 2 && link[u].inside && link[u].link.correct && link[u].link.ties == 1 &&
			   link[u].link.linked == u, "unit %u: %u candidates, %u ties", u, link[u].link.candidates,
			   link[u].link.ties);
	units.count = 1;
	start[1] = 2 * LARGE;
	memset(of, 0, sizeof(of));
	sdc_unitlinks_run(&task, SDC_CANDIDATES_NEAREST, NULL, 1, link);
	CHECK(link[0].link.candidates == 1 && link[0].inside && link[0].link.correct);
}

/* find_path is the matching of one row after the other, by recursion. */
static bool
find_path(const SdcBipartite *graph, uint32 row, uint32 *owner, bool *reached)
{
	for (uint32 r = 0; r < graph->right; r++)
	{
		if (reached[r] || !sdc_bitset_contains(sdc_bipartite_edges(graph, row), r))
			continue;
		reached[r] = true;
		if (owner[r] == UINT32_MAX || find_path(graph, owner[r], owner, reached))
		{
			owner[r] = row;
			return true;
		}
	}
	return false;
}

/* Graphs in which all rows can just be matched, or all but a few. */
static void
test_matchings(void)
{
	SdcBipartite *graph = sdc_bipartite_create();
	uint32		perfect = 0;

	for (uint64 seed = 1; seed <= ROUNDS(3000); seed++)
	{
		uint32		owner[MAX_ROWS];
		bool		all = true;
		uint32		left;
		uint32		right;
		uint32		each;

		random_state = seed;
		left = 1 + pick(seed % 4 == 0 ? 130 : 20);
		right = left + pick(3);
		each = 1 + pick(4);
		sdc_bipartite_begin(graph, left, right);
		for (uint32 row = 0; row < left; row++)
			for (uint32 e = 0; e <= each; e++)
				sdc_bitset_add(sdc_bipartite_edges(graph, row), e == 0 && seed % 2 == 0 ? row * 7 % left : pick(right));
		memset(owner, 0xFF, sizeof(owner));
		for (uint32 row = 0; row < left && all; row++)
		{
			bool		reached[MAX_ROWS] = {false};

			all = find_path(graph, row, owner, reached);
		}
		perfect += all;
		CHECKF(sdc_bipartite_matches(graph) == all, "seed %d: not %d", (int) seed, all);
	}
	CHECKF(perfect > 500 && perfect < 2800, "%u graphs", perfect);
	sdc_bipartite_begin(graph, 2, 1);
	sdc_bitset_add(sdc_bipartite_edges(graph, 0), 0);
	sdc_bitset_add(sdc_bipartite_edges(graph, 1), 0);
	CHECK(!sdc_bipartite_matches(graph));
	sdc_bipartite_destroy(graph);
}

int
main(void)
{
	RUN(test_toy);
	RUN(test_matchings);
	RUN(test_kinds);
	RUN(test_wholes);
	RUN(test_mixtures);
	RUN(test_blanks);
	RUN(test_large);
	RUN(test_single_rows);
	RUN(test_large_units);
	return tap_done();
}
