/*-------------------------------------------------------------------------
 *
 * test_continued.c
 *		Continued releases: random histories of hundreds of nights.
 *
 * After every night the state and the release are those of a twin that is written from the
 * definition and knows keys and lists only (continuedtwin.h); and what must hold of any night is
 * looked at by itself: mates are an involution, who stays keeps his partner, the released values are
 * those that came in, no lot is too small, and the same source again changes nothing.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include "kernel/rank/continued.h"
#include "kernel/rank/continuedplan.h"
#include "continuedtwin.h"
#include "takeover.h"
#include "tap.h"

#define NIGHTS 250
#define LENGTH(array) ((int) (sizeof(array) / sizeof((array)[0])))

/* The release and its state by the kernel: records are the members in the order of their keys. */
typedef struct Release
{
	uint64		publication;
	uint32		records;
	int			key[KEYS];
	int32		x[KEYS][COLUMNS];
	int32		y[KEYS][COLUMNS];
	SdcContinued column[COLUMNS];
} Release;

/* What the callbacks of a night know, and what they have seen. */
typedef struct Night
{
	const History *history;
	bool		erase;
	uint64		publication;
	uint32		stratum;
	int			column;
	uint32		drawn;			/* lots */
	bool		widows_drawn[COLUMNS][8];	/* there was a lot of widows */
	SdcContinuedLot kind;
} Night;

static char where[200];

/* night_window is the window beyond which a pair is far. */
static uint32
night_window(void *arg, uint32 positions)
{
	return lot_window(&((Night *) arg)->history->setting, positions);
}

/* night_start starts the stream of a lot. */
static SdcStream *
night_start(void *arg, SdcContinuedLot lot)
{
	Night	   *night = arg;

	twin_stream(night->column, sdc_continued_purpose(lot), night->stratum, night->publication);
	night->kind = lot;
	night->drawn++;
	if (lot == SDC_LOT_WIDOW)
		night->widows_drawn[night->column][night->stratum] = true;
	return stream;
}

/* night_pair swaps a lot, after a look at its size: one of the cells may have been left out. */
static void
night_pair(void *arg, const SdcSwapRun *run, const SdcSwapLot *lot)
{
	Night	   *night = arg;
	uint32		least = night->kind == SDC_LOT_WIDOW ?
		night->history->least_widows : night->history->least_new;

	if (night->kind == SDC_LOT_WIDOW && night->erase)
		least = 2;
	CHECKF(run->n % 2 == 0 && run->n >= least / 2 * 2, "a lot of %u: %s", run->n, where);
	for (uint32 i = 0; i < run->n; i++)
		CHECK(lot->position[i] < lot->positions && (i == 0 || lot->position[i - 1] < lot->position[i]));
	lot_run(&night->history->setting, run, lot);
}

/* Places of the sort of one column. */
typedef struct Place
{
	int32		value;
	uint32		tie;
	uint32		record;
} Place;

/* place_order compares values, then ties, then records. */
static int
place_order(const void *a, const void *b)
{
	const Place *p = a;
	const Place *q = b;

	if (p->value != q->value)
		return p->value < q->value ? -1 : 1;
	if (p->tie != q->tie)
		return p->tie < q->tie ? -1 : 1;
	return p->record < q->record ? -1 : p->record > q->record;
}

/* order_stratum sorts the values of a column in a stratum. */
static uint32
order_stratum(const Release *r, const Source *s, int j, uint32 stratum, const uint32 *tie,
			  uint32 *record, bool *tied)
{
	Place		place[KEYS];
	uint32		count = 0;

	for (uint32 i = 0; i < r->records; i++)
	{
		if (s->stratum[r->key[i]] == stratum && r->x[i][j] != MISSING)
			place[count++] = (Place) {r->x[i][j], tie[i], i};
	}
	qsort(place, count, sizeof(Place), place_order);
	for (uint32 i = 0; i < count; i++)
	{
		record[i] = place[i].record;
		tied[i] = i > 0 && place[i].value == place[i - 1].value;
	}
	return count;
}

/* number_units numbers the units that the records of a release are of. */
static void
number_units(const Release *r, const Source *s, uint32 *unit)
{
	uint32		number[KEYS];
	uint32		units = 0;

	for (int u = 0; u < KEYS; u++)
		number[u] = KEYS;
	for (uint32 i = 0; i < r->records; i++)
	{
		if (number[s->unit[r->key[i]]] == KEYS)
			number[s->unit[r->key[i]]] = units++;
		unit[i] = number[s->unit[r->key[i]]];
	}
}

/* draw_column draws the lots of a column; on the first night all of it. */
static void
draw_column(Release *r, const Source *s, Night *night, const SdcContinuedStratum *stratum,
			SdcContinuedWork *work, SdcContinuedNight *sum)
{
	const History *h = night->history;
	uint32		tie[KEYS];
	uint32		record[KEYS];
	uint32		unit[KEYS];
	bool		tied[KEYS];

	number_units(r, s, unit);
	twin_stream(night->column, "ties", 0, night->publication);
	sdc_stream_fill32(stream, tie, r->records);
	for (uint32 g = 0; g < h->strata; g++)
	{
		SdcContinuedOrder order = {.record = record, .tied = tied};
		SdcContinuedRules rules = {.least_new = h->least_new, .least_widows = h->least_widows,
			.unit = h->units > 0 ? unit : NULL,
			.erase = s->erase[night->column], .settle = stratum[g].settle, .arg = night, .window = night_window,
			.start = night_start,
		.pair = night_pair};

		order.count = order_stratum(r, s, night->column, g, tie, record, tied);
		night->stratum = g;
		sdc_continued_lots(&r->column[night->column], &order, &rules, 1e9, work, &sum[g]);
	}
}

/* release_cells writes the released values. */
static void
release_cells(Release *r)
{
	for (uint32 i = 0; i < r->records; i++)
	{
		for (int j = 0; j < COLUMNS; j++)
		{
			uint32		mate = r->column[j].mate[i];

			if (sdc_continued_paired(mate))
				r->y[i][j] = r->x[mate][j];
			else if (mate == SDC_CONTINUED_ALONE)
				r->y[i][j] = r->x[i][j];
			else if (mate == SDC_CONTINUED_PENDING)
				r->y[i][j] = MISSING;
		}
	}
}

/* free_release frees the columns. */
static void
free_release(Release *r)
{
	for (int j = 0; j < COLUMNS; j++)
		sdc_continued_destroy(&r->column[j]);
}

/* An arg of first_emit. */
typedef struct First
{
	SdcContinued *column;
	const uint32 *record;
} First;

/* first_emit is the emit function of the first night. */
static void
first_emit(void *arg, uint32 a, uint32 b)
{
	First	   *first = arg;

	sdc_continued_swap(first->column, first->record[a], first->record[b]);
}

/* first_night makes the release as the method alone does. */
static void
first_night(Release *r, const History *h, const Source *s)
{
	memset(r, 0, sizeof(*r));
	for (int k = 0; k < KEYS; k++)
	{
		if (!s->present[k])
			continue;
		memcpy(r->x[r->records], s->value[k], sizeof(r->x[0]));
		r->key[r->records++] = k;
	}
	for (int j = 0; j < COLUMNS; j++)
	{
		uint32		tie[KEYS];
		uint32		record[KEYS];
		bool		tied[KEYS];

		sdc_continued_create(&r->column[j], r->records);
		twin_stream(j, "ties", 0, 1);
		sdc_stream_fill32(stream, tie, r->records);
		for (uint32 g = 0; g < h->strata; g++)
		{
			First		first = {&r->column[j], record};
			SdcSwapRun	run = {.n = order_stratum(r, s, j, g, tie, record, tied),
			.stream = stream, .emit = first_emit, .arg = &first};

			if (run.n == 0)
				continue;
			run.unswapped = sdc_positionset_create(run.n);
			twin_stream(j, "draws", g, 1);
			lot_run(&h->setting, &run, NULL);
			sdc_positionset_destroy(run.unswapped);
		}
	}
	r->publication = 1;
	release_cells(r);
}

/* is_changed tells whether a member has other values than those of its state. */
static bool
is_changed(const Release *r, uint32 i, const Source *s)
{
	return s->present[r->key[i]] && memcmp(r->x[i], s->value[r->key[i]], sizeof(r->x[i])) != 0;
}

/* settle_cells takes over the changed values of a record, cell by cell. */
static void
settle_cells(Release *r, uint32 i, const int32 *value)
{
	for (int j = 0; j < COLUMNS; j++)
	{
		if (value[j] == r->x[i][j])
			continue;
		sdc_continued_change(&r->column[j], i, r->x[i][j] == MISSING ? SDC_CONTINUED_APPEARED :
							 value[j] == MISSING ? SDC_CONTINUED_VANISHED : SDC_CONTINUED_DIFFERS);
		r->x[i][j] = value[j];
	}
}

/* What a night does to records: members and sources are numbered by key. */
typedef struct Plan
{
	SdcContinuedPairing pairing;
	SdcContinuedPlan plan;
	uint32		source_of[KEYS];	/* by member */
	bool		changed[KEYS];	/* by member */
	uint32		stratum[KEYS];	/* by source */
	int			key[KEYS];		/* by source */
	SdcUnits	units;			/* of the sources */
	uint32		unit_of[KEYS];
	uint32		unit_start[KEYS + 1];
	uint32		unit_member[KEYS];
} Plan;

/* list_units lists the sources of every unit; some have none. */
static void
list_units(const Source *s, Plan *plan)
{
	uint32		listed = 0;

	for (uint32 u = 0; u < KEYS; u++)
	{
		plan->unit_start[u] = listed;
		for (uint32 i = 0; i < plan->pairing.sources; i++)
		{
			if (s->unit[plan->key[i]] != u)
				continue;
			plan->unit_of[i] = u;
			plan->unit_member[listed++] = i;
		}
	}
	plan->unit_start[KEYS] = listed;
	plan->units = (SdcUnits) {listed, KEYS, plan->unit_of, plan->unit_start, plan->unit_member};
	plan->pairing.units = &plan->units;
}

/* make_plan pairs members and sources by key. */
static void
make_plan(const Release *before, const History *h, const Source *s, Plan *plan)
{
	SdcContinuedPairing *pairing = &plan->pairing;

	*pairing = (SdcContinuedPairing) {.members = before->records, .source = plan->source_of,
		.changed = plan->changed, .stratum = h->strata > 1 ? plan->stratum : NULL,
	.strata = h->strata, .least = h->least_new};
	for (uint32 i = 0; i < before->records; i++)
	{
		plan->source_of[i] = SDC_CONTINUED_NOBODY;
		plan->changed[i] = is_changed(before, i, s);
	}
	for (int k = 0; k < KEYS; k++)
	{
		if (!s->present[k])
			continue;
		for (uint32 i = 0; i < before->records; i++)
		{
			if (before->key[i] == k)
				plan->source_of[i] = pairing->sources;
		}
		plan->key[pairing->sources] = k;
		plan->stratum[pairing->sources++] = s->stratum[k];
	}
	if (h->units > 0)
		list_units(s, plan);
	sdc_continuedplan_make(pairing, &plan->plan);
}

/* used makes a column what one before it may have left. */
static void
used(SdcContinued *column)
{
	for (uint32 record = 0; record < column->records; record++)
	{
		sdc_continued_join(column, record, true);
		column->flags[record] = SDC_CONTINUED_TOUCHED;
		column->redrawn[record] = 3;
	}
}

/* carry_over makes tonight's records: who stays and who joins, in the order of keys. */
static void
carry_over(const Release *before, const Source *s, const Plan *plan, Release *r)
{
	memset(r, 0, sizeof(*r));
	r->records = plan->plan.records;
	for (uint32 i = 0; i < r->records; i++)
	{
		uint32		member = plan->plan.member[i];
		int			k = plan->key[plan->plan.source[i]];

		CHECKF(member == SDC_CONTINUED_NOBODY || plan->plan.number[member] == i, "%s", where);
		memcpy(r->x[i], member == SDC_CONTINUED_NOBODY ? s->value[k] : before->x[member],
			   sizeof(r->x[0]));
		if (member != SDC_CONTINUED_NOBODY)
			memcpy(r->y[i], before->y[member], sizeof(r->y[0]));
		r->key[i] = k;
	}
	for (int j = 0; j < COLUMNS; j++)
	{
		sdc_continued_create(&r->column[j], r->records);
		used(&r->column[j]);
		sdc_continued_clear(&r->column[j]);
		take_over(&before->column[j], plan->plan.number, &r->column[j]);
	}
}

/* run_night is a night by the kernel; the plan is the caller's to free. */
static void
run_night(const Release *before, const History *h, const Source *s, Night *night, Plan *plan,
		  SdcContinuedNight (*sum)[8], Release *r)
{
	SdcContinuedWork *work;

	make_plan(before, h, s, plan);
	carry_over(before, s, plan, r);
	*night = (Night) {.history = h, .erase = s->erase[0], .publication = before->publication + 1};
	for (uint32 i = 0; i < r->records; i++)
	{
		bool		joins = plan->plan.member[i] == SDC_CONTINUED_NOBODY;

		if (!joins && plan->plan.stratum[s->stratum[r->key[i]]].settle)
			settle_cells(r, i, s->value[r->key[i]]);
		for (int j = 0; joins && j < COLUMNS; j++)
			sdc_continued_join(&r->column[j], i, r->x[i][j] != MISSING);
	}
	work = sdc_continued_work_create(r->records);
	for (int j = 0; j < COLUMNS; j++)
	{
		night->column = j;
		sdc_continued_work_begin(work, &r->column[j]);
		draw_column(r, s, night, plan->plan.stratum, work, sum[j]);
	}
	sdc_continued_work_destroy(work);
	release_cells(r);
	r->publication = before->publication +
		(night->drawn > 0 || !sdc_continuedplan_is_quiet(&plan->pairing, &plan->plan));
}

/* find_key is the record of a key, or the number of records. */
static uint32
find_key(const Release *r, int key)
{
	uint32		i = 0;

	while (i < r->records && r->key[i] != key)
		i++;
	return i;
}

/* check_twin compares all that the kernel has with the twin. */
static void
check_twin(const Release *r, const Twin *t)
{
	uint32		members = 0;

	for (int k = 0; k < KEYS; k++)
		members += t->member[k];
	CHECKF(members == r->records, "%u members, %u: %s", r->records, members, where);
	for (uint32 i = 0; i < r->records && members == r->records; i++)
	{
		int			k = r->key[i];

		CHECKF(t->member[k], "%d is no member: %s", k, where);
		for (int j = 0; j < COLUMNS; j++)
		{
			uint32		mate = r->column[j].mate[i];
			uint8		flags = r->column[j].flags[i];
			int			mark = mate == SDC_CONTINUED_ALONE ? T_ALONE :
				mate == SDC_CONTINUED_WIDOW ? T_WIDOW :
				mate == SDC_CONTINUED_PENDING ? T_PENDING : r->key[mate];

			CHECKF(mark == t->mate[k][j], "%d %d: mate %d, %d: %s", k, j, mark, t->mate[k][j], where);
			CHECKF(r->x[i][j] == t->x[k][j] && r->y[i][j] == t->y[k][j], "%d %d: %s", k, j, where);
			CHECKF(((flags & SDC_CONTINUED_NEW) != 0) == t->fresh[k][j], "%d %d: %s", k, j, where);
			CHECKF(((flags & SDC_CONTINUED_TOUCHED) != 0) == t->touched[k][j], "%d %d: %s", k, j, where);
			CHECKF(r->column[j].redrawn[i] == (t->redrawn[k][j] < 255 ? t->redrawn[k][j] : 255),
				   "%d %d: %d lots of widows, %d: %s", k, j, r->column[j].redrawn[i],
				   t->redrawn[k][j], where);
		}
	}
}

/* check_kept: a pair of two that stay with their values stays, and their cells with it. */
static void
check_kept(const Release *before, const Release *r, const Source *s)
{
	for (uint32 i = 0; i < before->records; i++)
	{
		int			k = before->key[i];
		uint32		now = find_key(r, k);

		for (int j = 0; s->present[k] && j < COLUMNS; j++)
		{
			uint32		mate = before->column[j].mate[i];
			uint8		touched = before->column[j].flags[i];

			CHECK(now < r->records);
			if (mate == SDC_CONTINUED_WIDOW && r->column[j].mate[now] == SDC_CONTINUED_WIDOW)
				CHECKF(r->y[now][j] == before->y[i][j], "a widow's cell: %s", where);
			if (!sdc_continued_paired(mate))
				continue;
			if (!s->present[before->key[mate]])
			{
				CHECKF(r->column[j].mate[now] != SDC_CONTINUED_WIDOW ||
					   r->y[now][j] == before->y[i][j], "a new widow's cell: %s", where);
				continue;
			}
			touched |= before->column[j].flags[mate];
			if ((touched & SDC_CONTINUED_TOUCHED) != 0 || is_changed(before, i, s) ||
				is_changed(before, mate, s))
				continue;
			CHECKF(sdc_continued_paired(r->column[j].mate[now]) &&
				   r->key[r->column[j].mate[now]] == before->key[mate] &&
				   r->y[now][j] == before->y[i][j], "a pair is broken: %s", where);
		}
	}
}

/* check_still: a cell that is in no lot changes with the value of its partner, or its own, only. */
static void
check_still(const Release *before, const Release *r, const Source *s)
{
	for (uint32 i = 0; i < before->records; i++)
	{
		int			k = before->key[i];
		uint32		now = find_key(r, k);

		for (int j = 0; s->present[k] && j < COLUMNS; j++)
		{
			uint32		was = before->column[j].mate[i];
			uint32		mate = r->column[j].mate[now];
			bool		same = sdc_continued_paired(was) && sdc_continued_paired(mate) ?
				before->key[was] == r->key[mate] : was == mate;

			if (!same || r->y[now][j] == before->y[i][j])
				continue;
			CHECKF(sdc_continued_paired(was) ? is_changed(before, was, s) :
				   was == SDC_CONTINUED_ALONE && is_changed(before, i, s),
				   "a cell has changed in no lot: %s", where);
		}
	}
}

/* value_order compares values. */
static int
value_order(const void *a, const void *b)
{
	int32		x = *(const int32 *) a;
	int32		y = *(const int32 *) b;

	return (x > y) - (x < y);
}

/* check_multiset: without widows and cells that wait a column has the values of its originals. */
static void
check_multiset(const Release *r, const History *h, const Source *s, long *full)
{
	for (int j = 0; j < COLUMNS; j++)
	{
		int32		x[KEYS];
		int32		y[KEYS];
		bool		complete = true;

		for (uint32 i = 0; i < r->records; i++)
		{
			uint32		mate = r->column[j].mate[i];

			complete &= mate != SDC_CONTINUED_WIDOW && mate != SDC_CONTINUED_PENDING;
			x[i] = r->x[i][j];
			y[i] = r->y[i][j];
			CHECKF(h->least_new > 1 || x[i] == s->value[r->key[i]][j], "an old value: %s", where);
		}
		if (!complete)
			continue;
		(*full)++;
		qsort(x, r->records, sizeof(int32), value_order);
		qsort(y, r->records, sizeof(int32), value_order);
		CHECKF(memcmp(x, y, r->records * sizeof(int32)) == 0, "other values: %s", where);
	}
}

/*
 * check_widows: after a lot of widows at most one cell of the stratum has the value of someone
 * departed.  And who waits is new, or had no value.
 */
static void
check_widows(const Release *before, const Release *r, const Source *s, const Night *night,
			 const SdcContinuedNight (*sum)[8])
{
	for (int j = 0; j < COLUMNS; j++)
	{
		uint32		widows[8] = {0};
		uint32		waiting[8] = {0};
		bool		waits[8][KEYS] = {{false}};

		for (uint32 i = 0; i < r->records; i++)
		{
			uint32		mate = r->column[j].mate[i];
			uint32		was = find_key(before, r->key[i]);

			widows[s->stratum[r->key[i]]] += mate == SDC_CONTINUED_WIDOW;
			waiting[s->stratum[r->key[i]]] += mate == SDC_CONTINUED_PENDING;
			waits[s->stratum[r->key[i]]][r->key[i]] = mate == SDC_CONTINUED_PENDING;
			CHECKF(mate != SDC_CONTINUED_PENDING || was == before->records ||
				   before->column[j].mate[was] == SDC_CONTINUED_PENDING ||
				   before->x[was][j] == MISSING, "who waits: %s", where);
		}
		for (uint32 g = 0; g < night->history->strata; g++)
		{
			CHECKF(!night->widows_drawn[j][g] || widows[g] <= 1, "%u widows: %s", widows[g], where);
			CHECKF(!s->erase[j] || widows[g] == 0, "%u widows are left: %s", widows[g], where);
			CHECKF(widows[g] == sum[j][g].widows && waiting[g] == sum[j][g].pending,
				   "counts: %s", where);
			CHECKF(twin_count(night->history, s, waits[g]) < night->history->least_new, "%u wait: %s", waiting[g],
				   where);
		}
	}
}

/* check_again: the same source once more is the same release, and the same state. */
static void
check_again(const Release *r, const History *h, const Source *s)
{
	Release		again;
	Night		night;
	Plan		plan;
	SdcContinuedNight sum[COLUMNS][8];

	run_night(r, h, s, &night, &plan, sum, &again);
	CHECKF(night.drawn == 0 && again.publication == r->publication &&
		   again.records == r->records && memcmp(again.key, r->key, sizeof(r->key)) == 0 &&
		   memcmp(again.x, r->x, sizeof(r->x)) == 0 && memcmp(again.y, r->y, sizeof(r->y)) == 0,
		   "the same source again: %s", where);
	for (int j = 0; j < COLUMNS && again.records == r->records; j++)
		CHECKF(memcmp(again.column[j].mate, r->column[j].mate, r->records * sizeof(uint32)) == 0 &&
			   memcmp(again.column[j].flags, r->column[j].flags, r->records) == 0 &&
			   memcmp(again.column[j].redrawn, r->column[j].redrawn, r->records) == 0,
			   "the same state again: %s", where);
	free_release(&again);
	sdc_continuedplan_destroy(&plan.plan);
}

/* check_departures: of a night with nothing but departures the release is the old one less their rows. */
static void
check_departures(const Release *before, const Release *r, const Plan *plan, const Night *night)
{
	for (uint32 g = 0; g < night->history->strata; g++)
	{
		if (plan->plan.stratum[g].settle || plan->plan.stratum[g].join)
			return;
	}
	if (night->drawn > 0)
		return;
	for (uint32 i = 0; i < r->records; i++)
		CHECKF(memcmp(r->y[i], before->y[find_key(before, r->key[i])], sizeof(r->y[i])) == 0,
			   "a departure shows elsewhere: %s", where);
}

/* new_values gives a key values; some are missing. */
static void
new_values(const History *h, Source *s, int key)
{
	for (int j = 0; j < COLUMNS; j++)
		s->value[key][j] = pick(10) == 0 ? MISSING : (int32) pick(h->values);
}

/* next_source has keys come, go, come back as others, and change. */
static void
next_source(const History *h, Source *s)
{
	s->erase[0] = h->erase > 0 && pick(h->erase) == 0;
	for (int j = 1; j < COLUMNS; j++)
		s->erase[j] = s->erase[0];
	for (int k = 0; k < KEYS; k++)
	{
		if (!s->present[k])
		{
			s->present[k] = pick(1000) < h->churn;
			s->stratum[k] = pick(h->strata);
			new_values(h, s, k);
			continue;
		}
		s->present[k] = pick(1000) >= h->churn;
		if (pick(1000) < h->churn / 2)
			new_values(h, s, k);
		else if (pick(1000) < h->churn)
			s->value[k][pick(COLUMNS)] = (int32) pick(h->values);
		if (pick(4000) < h->churn)
			s->stratum[k] = pick(h->strata);
		if (h->units > 0 && pick(4000) < h->churn)
			s->unit[k] = pick(h->units);
	}
}

/* What a history came to, so that none is empty. */
typedef struct Tally
{
	long		lots[3];
	long		quiet;
	long		full;
} Tally;

/* run_history runs the nights of one history. */
static void
run_history(const History *h, uint64 seed, Tally *tally)
{
	Source		source = {0};
	Release		before;
	Release		now;
	Twin		twin;
	Night		night;
	Plan		plan;
	SdcContinuedNight sum[COLUMNS][8];

	random_state = seed;
	for (int k = 0; k < KEYS; k++)
	{
		source.present[k] = pick(3) > 0;
		source.stratum[k] = pick(h->strata);
		source.unit[k] = h->units > 0 ? pick(h->units) : 0;
		new_values(h, &source, k);
	}
	first_night(&before, h, &source);
	twin_first(&twin, h, &source);
	check_twin(&before, &twin);
	for (int n = 2; n <= NIGHTS; n++)
	{
		snprintf(where, sizeof(where), "seed %u, night %d", (unsigned) seed, n);
		next_source(h, &source);
		run_night(&before, h, &source, &night, &plan, sum, &now);
		twin_night(&twin, h, &source);
		twin.publication = now.publication;
		check_twin(&now, &twin);
		for (int j = 0; j < COLUMNS; j++)
		{
			CHECKF(sdc_continued_check(&now.column[j]), "no involution: %s", where);
			for (uint32 g = 0; g < h->strata; g++)
			{
				for (int lot = 0; lot < 3; lot++)
					tally->lots[lot] += sum[j][g].lot[lot];
			}
		}
		check_kept(&before, &now, &source);
		check_still(&before, &now, &source);
		check_multiset(&now, h, &source, &tally->full);
		check_widows(&before, &now, &source, &night, sum);
		check_departures(&before, &now, &plan, &night);
		check_again(&now, h, &source);
		tally->quiet += now.publication == before.publication;
		free_release(&before);
		sdc_continuedplan_destroy(&plan.plan);
		before = now;
	}
	free_release(&before);
}

/* histories runs the histories of one method. */
static void
histories(const LotSetting *setting)
{
	static const uint32 least[] = {1, 2, 5, 12};
	Tally		tally = {0};

	for (int i = 0; i < 2 * LENGTH(least); i++)
	{
		for (uint32 strata = 1; strata <= 3; strata += 2)
		{
			History		h = {.setting = *setting, .strata = strata, .units = i < LENGTH(least) ? 0 : 30,
				.least_new = least[i % LENGTH(least)],
				.least_widows = (strata == 1 ? 1 : 2) * least[i % LENGTH(least)],
				.churn = i % 2 ? 60 : 15, .values = i % LENGTH(least) < 2 ? 1000 : 15,
			.erase = i % LENGTH(least) == 3 && strata == 1 ? 6 : 0};

			run_history(&h, 100 * setting->method + 10 * (uint64) i + strata, &tally);
		}
	}
	for (int lot = 0; lot < 3; lot++)
		CHECKF(tally.lots[lot] > 100, "lot %d: %ld cells", lot, tally.lots[lot]);
	CHECKF(tally.quiet > 50 && tally.full > 50, "%ld quiet nights, %ld full columns", tally.quiet,
		   tally.full);
}

/* standard_histories: and so on for each method. */
static void
standard_histories(void)
{
	histories(&(LotSetting) {LOT_STANDARD, 8, 0});
}

static void
distribution_histories(void)
{
	histories(&(LotSetting) {LOT_DISTRIBUTION, 12, 0});
}

static void
bucket_histories(void)
{
	histories(&(LotSetting) {LOT_BUCKETS, 0, 12});
}

int
main(void)
{
	CHECK(sdc_stream_create(&stream) == SDC_OK);
	CHECK(sdc_stream_master_from_seed("continued", 9, master) == SDC_OK);
	RUN(standard_histories);
	RUN(distribution_histories);
	RUN(bucket_histories);
	sdc_stream_destroy(stream);
	return tap_done();
}
