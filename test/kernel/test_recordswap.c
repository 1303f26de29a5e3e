/*-------------------------------------------------------------------------
 *
 * test_recordswap.c
 *		Targeted record swapping against its definition, by its invariants, and by hand.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include "kernel/areas/recordswap.h"
#include "kernel/base/sample.h"

#include "random.h"
#include "tap.h"

#define UNITS 64
#define SIZE 7
#define RECORDS (UNITS * SIZE)
#define LEVELS 3
#define COLUMNS 3

static SdcStream *stream;

/* start begins a stream of the test's own. */
static void
start(uint64 seed, uint64 number)
{
	uint8		master[SDC_MASTER_KEY_BYTES];

	CHECK(sdc_stream_master_from_seed((const char *) &seed, sizeof(seed), master) == SDC_OK);
	CHECK(sdc_stream_start(stream, master, "test", "", "recordswap", number) == SDC_OK);
}

/* A file of the tests, and what is asked of it. */
typedef struct Table
{
	uint32		of[RECORDS];
	uint32		first[UNITS + 1];
	uint32		member[RECORDS];
	uint32		stratum[UNITS];
	uint32		area[LEVELS][UNITS];
	uint32		risk[COLUMNS][RECORDS];
	uint32		similar[COLUMNS][UNITS];
	SdcUnits	units;
	SdcCodedColumn areas[LEVELS];
	SdcCodedColumn risks[COLUMNS];
	SdcCodedColumn similars[COLUMNS];
	SdcRecordSwapTask task;
} Table;

/* connect makes the task one of the arrays. */
static void
connect(Table *t, uint32 codes)
{
	t->units = (SdcUnits) {.records = t->units.records, .count = t->units.count, .of = t->of, .start = t->first,
	.member = t->member};
	for (int h = 0; h < LEVELS; h++)
		t->areas[h] = (SdcCodedColumn) {t->area[h], codes};
	for (int j = 0; j < COLUMNS; j++)
	{
		t->risks[j] = (SdcCodedColumn) {t->risk[j], codes};
		t->similars[j] = (SdcCodedColumn) {t->similar[j], codes};
	}
	t->task.units = &t->units;
	t->task.area = t->areas;
	t->task.risk = t->risks;
	t->task.similar = t->similars;
}

/* give_members lists the records of every unit, ascending. */
static void
give_members(Table *t)
{
	uint32		next = 0;

	for (uint32 u = 0; u < t->units.count; u++)
	{
		t->first[u] = next;
		for (uint32 r = 0; r < t->units.records; r++)
			if (t->of[r] == u)
				t->member[next++] = r;
	}
	t->first[t->units.count] = next;
}

/* draw_code draws one of so many codes, now and then a missing one. */
static uint32
draw_code(uint32 codes)
{
	return pick(12) == 0 ? SDC_CODE_NULL : pick(codes);
}

/* draw_units draws units, whose records are not next to each other. */
static void
draw_units(Table *t, uint32 sizes)
{
	uint32		records = 0;

	t->units.count = 1 + pick(UNITS);
	for (uint32 u = 0; u < t->units.count; u++)
		for (uint32 size = 1 + pick(sizes); size > 0; size--)
			t->of[records++] = u;
	for (uint32 i = records; i-- > 1;)
	{
		uint32		j = pick(i + 1);
		uint32		of = t->of[i];

		t->of[i] = t->of[j];
		t->of[j] = of;
	}
	t->units.records = records;
	give_members(t);
}

/* draw_table draws a file and a task. */
static void
draw_table(Table *t)
{
	static const double rates[] = {0, 0, 1, 5, 10, 25, 50, 100};
	uint32		codes = 1 + pick(4);

	draw_units(t, 1 + pick(SIZE));
	connect(t, codes);
	t->task.strata = 1 + pick(3);
	t->task.stratum = pick(2) == 0 ? NULL : t->stratum;
	t->task.levels = 1 + (int) pick(LEVELS);
	t->task.risks = (int) pick(COLUMNS + 1);
	t->task.similars = (int) pick(COLUMNS + 1);
	t->task.relax = (int) pick((uint32) t->task.similars + 1);
	t->task.any_size = pick(2) == 0;
	t->task.k = 1 + pick(5);
	t->task.rate = pick(3) == 0 ? 100 * uniform() : rates[pick(8)];
	for (uint32 u = 0; u < t->units.count; u++)
	{
		t->stratum[u] = pick(t->task.strata);
		for (int h = 0; h < LEVELS; h++)
			t->area[h][u] = draw_code(codes);
		for (int j = 0; j < COLUMNS; j++)
			t->similar[j][u] = draw_code(1 + pick(codes));
	}
	for (uint32 r = 0; r < t->units.records; r++)
		for (int j = 0; j < COLUMNS; j++)
			t->risk[j][r] = draw_code(1 + pick(codes));
}

/* stratum_of is the stratum of a unit. */
static uint32
stratum_of(const Table *t, uint32 u)
{
	return t->task.stratum != NULL ? t->stratum[u] : 0;
}

/* same_region tells whether two units are in the same region of a level, whose areas each has as some unit does. */
static bool
same_region(const Table *t, int level, uint32 u, uint32 v)
{
	for (int h = 0; h <= level; h++)
		if (t->area[h][u] != t->area[h][v])
			return false;
	return stratum_of(t, u) == stratum_of(t, v);
}

/* same_profile tells whether two units agree in a profile. */
static bool
same_profile(const Table *t, int profile, uint32 u, uint32 v)
{
	for (int j = 0; j < t->task.similars - profile; j++)
		if (t->similar[j][u] != t->similar[j][v])
			return false;
	return stratum_of(t, u) == stratum_of(t, v) &&
		(t->task.any_size || sdc_units_size(&t->units, u) == sdc_units_size(&t->units, v));
}

/* same_risk tells whether two records agree in the columns of risk. */
static bool
same_risk(const Table *t, uint32 r, uint32 q)
{
	for (int j = 0; j < t->task.risks; j++)
		if (t->risk[j][r] != t->risk[j][q])
			return false;
	return true;
}

/* has_record tells whether a unit has a record with the values of risk of another one. */
static bool
has_record(const Table *t, uint32 u, uint32 record)
{
	for (uint32 i = t->first[u]; i < t->first[u + 1]; i++)
		if (same_risk(t, t->member[i], record))
			return true;
	return false;
}

/* rarity_of is the least number of units of the region that have the values of a record of a unit. */
static uint32
rarity_of(const Table *t, int level, uint32 u, const uint32 *whose)
{
	uint32		least = UINT32_MAX;

	for (uint32 i = t->first[u]; i < t->first[u + 1]; i++)
	{
		uint32		count = 0;

		for (uint32 v = 0; v < t->units.count; v++)
			count += same_region(t, level, whose[u], whose[v]) && has_record(t, v, t->member[i]);
		least = count < least ? count : least;
	}
	return least;
}

/* level_of is the level at which a unit must move; that of the last one and more: at none. */
static int
level_of(const Table *t, uint32 u, const uint32 *whose)
{
	int			level = 0;

	while (level < t->task.levels && rarity_of(t, level, u, whose) >= t->task.k)
		level++;
	return level;
}

/* What the twin finds. */
typedef struct Twin
{
	uint32		partner[UNITS];
	int			must[UNITS];
	int			moved_at[UNITS];	/* or -1 */
	double		key[UNITS];
	uint32		swapped[LEVELS];
	uint32		pairs[LEVELS][COLUMNS + 1];
	uint32		begun[UNITS];
	uint64		target;
	uint64		lacking;
} Twin;

/* is_before tells whether a unit comes before another one by key; v may be nobody. */
static bool
is_before(const Twin *w, uint32 u, uint32 v)
{
	return v == UNITS || w->key[u] < w->key[v];
}

/* twin_partner finds the partner of a unit in a profile; UNITS: there is none. */
static uint32
twin_partner(const Table *t, const Twin *w, int level, int profile, uint32 u, bool by_key)
{
	uint32		best[2] = {UNITS, UNITS};

	for (uint32 v = 0; v < t->units.count; v++)
	{
		bool		other = !by_key && w->must[v] == t->task.levels;

		if (w->moved_at[v] < 0 && !same_region(t, level, u, v) && same_profile(t, profile, u, v) &&
			is_before(w, v, best[other]))
			best[other] = v;
	}
	return best[0] != UNITS ? best[0] : best[1];
}

/* twin_move moves a unit if it can. */
static bool
twin_move(const Table *t, Twin *w, int level, uint32 u, bool by_key)
{
	for (int f = 0; f <= t->task.relax; f++)
	{
		uint32		v = twin_partner(t, w, level, f, u, by_key);

		if (v == UNITS)
			continue;
		w->partner[u] = v;
		w->partner[v] = u;
		w->moved_at[u] = w->moved_at[v] = level;
		w->swapped[level] += 2;
		w->pairs[level][f]++;
		return true;
	}
	return false;
}

/* twin_level is a level of the twin. */
static void
twin_level(const Table *t, Twin *w, int level, const uint32 *self)
{
	bool		seen[UNITS] = {false};

	for (uint32 u = 0; u < t->units.count; u++)
		w->key[u] = -log(sdc_stream_uniform(stream)) * rarity_of(t, level, u, self);
	for (uint32 i = 0; i < t->units.count; i++)
	{
		uint32		next = UNITS;

		for (uint32 u = 0; u < t->units.count; u++)
			if (!seen[u] && is_before(w, u, next))
				next = u;
		seen[next] = true;
		if (w->must[next] <= level && w->moved_at[next] < 0 && twin_move(t, w, level, next, false))
			w->begun[next]++;
	}
}

/* compare_areas compares two units by stratum and areas, missing ones last. */
static int
compare_areas(const Table *t, uint32 u, uint32 v)
{
	if (stratum_of(t, u) != stratum_of(t, v))
		return stratum_of(t, u) < stratum_of(t, v) ? -1 : 1;
	for (int h = 0; h < t->task.levels; h++)
		if (t->area[h][u] != t->area[h][v])
			return t->area[h][u] < t->area[h][v] ? -1 : 1;
	return 0;
}

/* twin_regions lists a unit of every region of the last level, in the order of the regions. */
static uint32
twin_regions(const Table *t, uint32 *region)
{
	uint32		count = 0;

	for (uint32 u = 0; u < t->units.count; u++)
	{
		uint32		place = 0;

		while (place < count && compare_areas(t, region[place], u) < 0)
			place++;
		if (place < count && compare_areas(t, region[place], u) == 0)
			continue;
		for (uint32 i = count++; i > place; i--)
			region[i] = region[i - 1];
		region[place] = u;
	}
	return count;
}

/* twin_quota is the share of a region: a difference of floors of cumulated shares plus one number for all. */
static uint32
twin_quota(const Table *t, uint32 region, double pairs, uint32 units, uint32 cut)
{
	uint32		below = 0;
	uint32		upto = 0;

	for (uint32 u = 0; u < t->units.count; u++)
		if (stratum_of(t, u) == stratum_of(t, region))
		{
			below += compare_areas(t, u, region) < 0;
			upto += compare_areas(t, u, region) <= 0;
		}
	/* the numbers are small, so that a little more makes quotients exact */
	return (uint32) (floor((pairs * upto + cut) / units + 1e-9) - floor((pairs * below + cut) / units + 1e-9));
}

/* twin_fill adds pairs that units of a region begin. */
static uint32
twin_fill(const Table *t, Twin *w, uint32 region, uint32 wanted)
{
	bool		tried[UNITS] = {false};

	while (wanted > 0)
	{
		uint32		next = UNITS;

		for (uint32 u = 0; u < t->units.count; u++)
			if (!tried[u] && w->moved_at[u] < 0 && compare_areas(t, u, region) == 0 && is_before(w, u, next))
				next = u;
		if (next == UNITS)
			break;
		tried[next] = true;
		if (twin_move(t, w, t->task.levels - 1, next, true))
			wanted--;
	}
	return wanted;
}

/* twin_rate adds pairs until the rate is reached. */
static void
twin_rate(const Table *t, Twin *w)
{
	uint32		region[UNITS];
	uint32		quota[UNITS];
	uint32		order[UNITS];
	uint32		regions = twin_regions(t, region);
	uint32		units = 0;
	uint32		cut = 0;

	for (uint32 g = 0; g < regions; g++)
	{
		order[g] = g;
		if (g == 0 || stratum_of(t, region[g]) != stratum_of(t, region[g - 1]))
		{
			units = 0;
			for (uint32 u = 0; u < t->units.count; u++)
				units += stratum_of(t, u) == stratum_of(t, region[g]);
			cut = sdc_stream_below(stream, units);
			w->target += 2 * (uint64) floor(units * t->task.rate / 200 + 0.5);
		}
		quota[g] = twin_quota(t, region[g], floor(units * t->task.rate / 200 + 0.5), units, cut);
	}
	sdc_sample_shuffle(stream, order, regions);
	for (uint32 i = 0; i < regions; i++)
	{
		uint32		g = order[i];
		uint32		begun = 0;

		for (uint32 u = 0; u < t->units.count; u++)
			begun += compare_areas(t, u, region[g]) == 0 ? w->begun[u] : 0;
		if (quota[g] > begun)
			w->lacking += twin_fill(t, w, region[g], quota[g] - begun);
	}
}

/* twin_run is the whole twin. */
static void
twin_run(const Table *t, Twin *w, uint64 seed)
{
	uint32		self[UNITS];

	memset(w, 0, sizeof(Twin));
	for (uint32 u = 0; u < t->units.count; u++)
	{
		self[u] = w->partner[u] = u;
		w->moved_at[u] = -1;
	}
	for (uint32 u = 0; u < t->units.count; u++)
		w->must[u] = level_of(t, u, self);
	for (int h = 0; h < t->task.levels; h++)
	{
		start(seed, (uint64) h);
		twin_level(t, w, h, self);
	}
	start(seed, LEVELS);
	twin_rate(t, w);
}

/* run swaps a table. */
static SdcRecordSwap *
run(const Table *t, uint64 seed)
{
	SdcRecordSwap *swap = sdc_recordswap_create(&t->task);

	for (int h = 0; h < t->task.levels; h++)
	{
		start(seed, (uint64) h);
		sdc_recordswap_level(swap, h, stream);
	}
	start(seed, LEVELS);
	sdc_recordswap_rate(swap, stream);
	return swap;
}

/* How often the tables had what is rare. */
typedef struct Seen
{
	uint32		at_risk;
	uint32		partial;
	uint32		unmatched;
	uint32		lacking;
	uint32		relaxed;
	uint32		exact;
	uint32		rated;
} Seen;

/* check_level compares a level with the twin, and adds up what was seen. */
static void
check_level(const Table *t, const Twin *w, const SdcRecordSwapResult *result, int h, Seen *seen)
{
	const SdcRecordSwapLevel *level = &result->level[h];
	uint32		at_risk = 0;
	uint32		partial = 0;
	uint32		after = 0;

	for (uint32 u = 0; u < t->units.count; u++)
	{
		at_risk += w->must[u] == h;
		partial += w->must[u] == h && w->moved_at[u] > h;
		after += level_of(t, u, w->partner) == h;
	}
	CHECK(level->at_risk == at_risk && level->partial == partial);
	CHECKF(level->at_risk_after == after, "%u %u", level->at_risk_after, after);
	CHECK(level->swapped == w->swapped[h]);
	for (int f = 0; f <= t->task.relax; f++)
	{
		CHECK(level->pairs[f] == w->pairs[h][f]);
		seen->relaxed += f > 0 ? level->pairs[f] : 0;
	}
	seen->at_risk += at_risk;
	seen->partial += partial;
}

/*
 * check_invariants checks what must hold whatever is drawn: who has whose areas, who stays where he must not, and how
 * many move.
 */
static void
check_invariants(const Table *t, const SdcRecordSwapResult *result, Seen *seen)
{
	uint32		self[UNITS];
	uint32		moved = 0;
	uint32		swapped = 0;
	uint32		at_risk = 0;
	uint32		partial = 0;
	uint32		stay = 0;

	for (uint32 u = 0; u < t->units.count; u++)
		self[u] = u;
	for (uint32 u = 0; u < t->units.count; u++)
	{
		uint32		v = result->partner[u];
		int			must = level_of(t, u, self);

		CHECK(v < t->units.count && result->partner[v] == u);
		CHECK(same_profile(t, t->task.relax, u, v));
		CHECK(u == v || !same_region(t, t->task.levels - 1, u, v));
		moved += u != v;
		stay += must < t->task.levels && same_region(t, must, u, v);
	}
	for (int h = 0; h < t->task.levels; h++)
	{
		swapped += result->level[h].swapped;
		at_risk += result->level[h].at_risk;
		partial += result->level[h].partial;
	}
	CHECK(swapped == moved);
	CHECKF(stay == partial + result->unmatched, "%u %u %u", stay, partial, result->unmatched);
	CHECK(t->task.k > 1 || at_risk == 0);
	CHECK(at_risk > 0 || swapped + 2 * result->lacking == result->target);
	CHECK(result->target > 0 || result->lacking == 0);
	seen->exact += at_risk == 0 && result->lacking == 0 && swapped > 0;
	seen->rated += at_risk > 0 && swapped > 0 && result->target > 0;
}

/* random_tables compares thousands of small files with the twin. */
static void
random_tables(void)
{
	Table	   *t = sdc_alloc_zeros(Table, 1);
	Twin	   *w = sdc_alloc_zeros(Twin, 1);
	Seen		seen = {0};

	for (uint64 seed = 1; seed <= ROUNDS(3000); seed++)
	{
		SdcRecordSwap *swap;
		const SdcRecordSwapResult *result;
		uint32		differ = 0;
		uint32		unmatched = 0;

		random_state = seed;
		draw_table(t);
		swap = run(t, seed);
		result = sdc_recordswap_finish(swap);
		twin_run(t, w, seed);
		for (uint32 u = 0; u < t->units.count; u++)
		{
			differ += result->partner[u] != w->partner[u];
			unmatched += w->must[u] < t->task.levels && w->moved_at[u] < 0;
		}
		CHECKF(differ == 0, "seed %d: %u of %u", (int) seed, differ, t->units.count);
		CHECK(result->target == w->target && result->lacking == w->lacking && result->unmatched == unmatched);
		for (int h = 0; h < t->task.levels; h++)
			check_level(t, w, result, h, &seen);
		check_invariants(t, result, &seen);
		seen.unmatched += unmatched;
		seen.lacking += result->lacking > 0;
		sdc_recordswap_destroy(swap);
	}
	printf("# at risk %u, partial %u, unmatched %u, lacking %u, relaxed %u, exact %u, rated %u\n", seen.at_risk,
		   seen.partial, seen.unmatched, seen.lacking, seen.relaxed, seen.exact, seen.rated);
	CHECK(seen.at_risk > 1000 && seen.partial > 100 && seen.unmatched > 1000 && seen.lacking > 100);
	CHECK(seen.relaxed > 1000 && seen.exact > 100 && seen.rated > 100);
	sdc_free(w);
	sdc_free(t);
}

/* A unit of the example: province, town, kind, and the colors of its records. */
typedef struct Example
{
	uint32		province;
	uint32		town;
	char		kind;
	const char *colors;
} Example;

static const Example example[] = {
	{1, 11, 'a', "rx"}, {1, 11, 'b', "xx"}, {1, 12, 'c', "x"}, {1, 12, 'd', "yx"}, {2, 21, 'a', "xx"},
	{2, 21, 'b', "xy"}, {2, 22, 'c', "g"}, {2, 22, 'd', "xx"}, {1, 12, 'b', "xxx"}, {2, 21, 'e', "bx"}
};

/* make_example makes the table of the example. */
static void
make_example(Table *t)
{
	memset(t, 0, sizeof(Table));
	t->units.count = 10;
	for (uint32 u = 0; u < 10; u++)
	{
		t->area[0][u] = example[u].province;
		t->area[1][u] = example[u].town;
		t->similar[0][u] = (uint32) (example[u].kind - 'a');
		for (const char *color = example[u].colors; *color != '\0'; color++)
		{
			t->risk[0][t->units.records] = (uint32) *color;
			t->of[t->units.records++] = u;
		}
	}
	give_members(t);
	connect(t, 128);
	t->task.levels = 2;
	t->task.risks = t->task.similars = 1;
	t->task.k = 2;
}

/* Whatever is drawn, the example has one result. */
static void
by_hand(void)
{
	static const uint32 expected[] = {4, 5, 6, 7, 0, 1, 2, 3, 8, 9};
	Table	   *t = sdc_alloc_zeros(Table, 1);

	make_example(t);
	for (uint64 seed = 0; seed < ROUNDS(200); seed++)
	{
		SdcRecordSwap *swap = run(t, seed);
		const SdcRecordSwapResult *result = sdc_recordswap_finish(swap);

		for (uint32 u = 0; u < 10; u++)
			CHECKF(result->partner[u] == expected[u], "%u-%u", u + 1, result->partner[u] + 1);
		CHECK(result->level[0].at_risk == 5 && result->level[1].at_risk == 1);
		CHECK(result->level[0].swapped == 8 && result->level[1].swapped == 0);
		CHECK(result->level[0].partial == 0 && result->level[1].partial == 0);
		CHECK(result->level[0].pairs[0] == 4 && result->unmatched == 1 && result->target == 0);
		sdc_recordswap_destroy(swap);
	}
	sdc_free(t);
}

/*
 * Who has the smallest key: unit u with a probability in proportion to 1 over its rarity.  All must move, but region
 * 1 has
 * one unit: it finds the one of region 0 with the smallest key, or is found by it.
 */
static void
keys_are_drawn_by_risk(void)
{
	static const uint32 color[] = {0, 1, 1, 2, 2, 2, 3};
	enum
	{
		DRAWS = 30000
	};
	Table	   *t = sdc_alloc_zeros(Table, 1);
	int			drawn[6] = {0};
	double		chi_square = 0;

	t->units.count = t->units.records = 7;
	for (uint32 u = 0; u < 7; u++)
	{
		t->of[u] = u;
		t->risk[0][u] = color[u];
		t->area[0][u] = u == 6;
	}
	give_members(t);
	connect(t, 4);
	t->task.levels = t->task.risks = 1;
	t->task.k = 4;
	for (uint64 seed = 0; seed < DRAWS; seed++)
	{
		SdcRecordSwap *swap = run(t, seed);
		const SdcRecordSwapResult *result = sdc_recordswap_finish(swap);

		CHECK(result->partner[6] < 6);
		drawn[result->partner[6]]++;
		sdc_recordswap_destroy(swap);
	}
	for (int u = 0; u < 6; u++)
	{
		double		expected = DRAWS / 3.0 / (u == 0 ? 1 : u < 3 ? 2 : 3);

		chi_square += (drawn[u] - expected) * (drawn[u] - expected) / expected;
	}
	CHECKF(chi_square < tap_chi_square_limit(5), "%g", chi_square);
	sdc_free(t);
}

/* Without anybody at risk exactly the rate moves. */
static void
large_tables(void)
{
	enum
	{
		MANY = 20000, AREAS = 3
	};
	static const double rates[] = {0, 5, 10, 25};
	uint32	   *self = sdc_alloc_array(uint32, MANY + 1);
	uint32	   *area = sdc_alloc_array(uint32, MANY);
	uint32	   *zero = sdc_alloc_zeros(uint32, MANY);
	SdcUnits	units = {MANY, MANY, self, self, self};
	SdcCodedColumn areas[2] = {{area, 40}, {zero, 1}};
	SdcRecordSwapTask task = {.units = &units, .area = areas, .levels = 2, .k = 1};

	random_state = 7;
	for (uint32 u = 0; u <= MANY; u++)
		self[u] = u;
	for (uint32 u = 0; u < MANY; u++)
		area[u] = pick(40);
	for (int i = 0; i < 4; i++)
	{
		SdcRecordSwap *swap;
		const SdcRecordSwapResult *result;
		uint32		moved = 0;

		task.rate = rates[i];
		swap = sdc_recordswap_create(&task);
		for (int h = 0; h < 2; h++)
		{
			start(1, (uint64) h);
			sdc_recordswap_level(swap, h, stream);
		}
		start(1, 9);
		sdc_recordswap_rate(swap, stream);
		result = sdc_recordswap_finish(swap);
		for (uint32 u = 0; u < MANY; u++)
		{
			CHECK(result->partner[result->partner[u]] == u);
			moved += result->partner[u] != u;
		}
		CHECKF(moved == MANY * rates[i] / 100, "%u at %g", moved, rates[i]);
		CHECK(result->target == moved && result->lacking == 0);
		sdc_recordswap_destroy(swap);
	}
	sdc_free(zero);
	sdc_free(area);
	sdc_free(self);
}

/* No unit at all is nothing to swap. */
static void
nobody(void)
{
	Table	   *t = sdc_alloc_zeros(Table, 1);
	SdcRecordSwap *swap;
	const SdcRecordSwapResult *result;

	connect(t, 1);
	t->task.levels = 1;
	t->task.k = 3;
	t->task.rate = 10;
	swap = run(t, 1);
	result = sdc_recordswap_finish(swap);
	CHECK(result->target == 0 && result->lacking == 0 && result->level[0].at_risk == 0);
	sdc_recordswap_destroy(swap);
	sdc_free(t);
}

/* main runs the tests. */
int
main(void)
{
	if (sdc_stream_create(&stream) != SDC_OK)
		return 1;
	RUN(random_tables);
	RUN(by_hand);
	RUN(keys_are_drawn_by_risk);
	RUN(large_tables);
	RUN(nobody);
	sdc_stream_destroy(stream);
	return tap_done();
}
