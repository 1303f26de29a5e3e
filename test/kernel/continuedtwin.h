/*-------------------------------------------------------------------------
 *
 * continuedtwin.h
 *		A night of a continued release from its definition, by keys and lists, in quadratic time.
 *
 * Everything is by key: who is a member, its original values as last published, the key of its
 * partner or a mark, what the release has.  The draws are from the same streams.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_TEST_CONTINUEDTWIN_H
#define SDC_TEST_CONTINUEDTWIN_H

#include "lottwin.h"
#include "random.h"

#ifndef KEYS
#define KEYS 90
#endif
#define COLUMNS 2
#define MISSING INT32_MIN

/* Marks of the twin. */
#define T_ALONE (-1)
#define T_WIDOW (-2)
#define T_PENDING (-3)

/* How a history is made and released. */
typedef struct History
{
	LotSetting	setting;
	uint32		strata;
	uint32		units;			/* whose records these are: lots are so many of them; 0: records */
	uint32		least_new;
	uint32		least_widows;
	uint32		churn;			/* keys in 1,000 that come, go, or change, each */
	uint32		values;			/* different ones */
	uint32		erase;			/* one night of so many ends all old values; 0: none */
	bool		within;			/* old values may not stay for ever: nobody is left out of a lot of widows */
} History;

/* The source of a night. */
typedef struct Source
{
	bool		present[KEYS];
	uint32		stratum[KEYS];
	uint32		unit[KEYS];		/* below KEYS */
	int32		value[KEYS][COLUMNS];
	bool		erase[COLUMNS]; /* tonight old values end, however few they are */
} Source;

typedef struct Twin
{
	uint64		publication;
	bool		member[KEYS];
	int32		x[KEYS][COLUMNS];
	int32		y[KEYS][COLUMNS];
	int			mate[KEYS][COLUMNS];
	bool		fresh[KEYS][COLUMNS];	/* a widow since the last lot of widows */
	bool		touched[KEYS][COLUMNS];
	int			redrawn[KEYS][COLUMNS];	/* lots of widows that gave it a partner */
} Twin;

static SdcStream *stream;
static uint8 master[SDC_MASTER_KEY_BYTES];
static const char *const column_name[COLUMNS] = {"income", "age"};
static const char *method_name = "test";

/* twin_stream starts a stream of a night; the first publication draws from those of the method. */
static void
twin_stream(int column, const char *purpose, uint32 stratum, uint64 publication)
{
	SdcStatus	status = publication == 1 ?
		sdc_stream_start(stream, master, method_name, column_name[column], purpose, stratum) :
		sdc_stream_restart(stream, master, method_name, column_name[column], purpose, stratum,
							   publication);

	if (status != SDC_OK)
		abort();
}

/* twin_less orders two cells by value, tie word and key. */
static bool
twin_less(const Twin *t, const uint32 *tie, int column, int a, int b)
{
	if (t->x[a][column] != t->x[b][column])
		return t->x[a][column] < t->x[b][column];
	if (tie[a] != tie[b])
		return tie[a] < tie[b];
	return a < b;
}

/* twin_ties draws the tie words of the members, in the order of their keys. */
static void
twin_ties(const Twin *t, int column, uint64 publication, uint32 *tie)
{
	twin_stream(column, "ties", 0, publication);
	for (int k = 0; k < KEYS; k++)
	{
		if (t->member[k])
			tie[k] = sdc_stream_next32(stream);
	}
}

/* twin_lot swaps the members of a set of keys; one is left out if they are odd, and returned. */
static int
twin_lot(Twin *t, const History *h, const Source *s, const uint32 *tie, int column, uint32 stratum,
		 const bool *in, const char *purpose, uint64 publication)
{
	int			list[KEYS];
	uint32		position[KEYS] = {0};
	uint32		mate[KEYS];
	uint32		n = 0;
	uint32		positions = 0;
	int			left_out = -1;

	for (int k = 0; k < KEYS; k++)
	{
		if (!t->member[k] || s->stratum[k] != stratum || t->x[k][column] == MISSING)
			continue;
		positions += in[k] || t->mate[k][column] != T_PENDING;
		if (in[k])
			list[n++] = k;
	}
	for (uint32 i = 1; i < n; i++)
	{
		for (uint32 j = i; j > 0 && twin_less(t, tie, column, list[j], list[j - 1]); j--)
		{
			int			k = list[j];

			list[j] = list[j - 1];
			list[j - 1] = k;
		}
	}
	if (n == 0)
		return -1;
	twin_stream(column, purpose, stratum, publication);
	if (n % 2 == 1)
	{
		uint32		out = sdc_stream_below(stream, n);

		left_out = list[out];
		for (uint32 i = out; i + 1 < n; i++)
			list[i] = list[i + 1];
		n--;
	}
	for (uint32 i = 0; i < n; i++)
	{
		position[i] = 0;
		for (int k = 0; k < KEYS; k++)
		{
			if (t->member[k] && s->stratum[k] == stratum && t->x[k][column] != MISSING &&
				(in[k] || t->mate[k][column] != T_PENDING))
				position[i] += twin_less(t, tie, column, k, list[i]);
		}
	}
	lot_twin(&h->setting, stream, position, n, positions, true, mate);
	for (uint32 i = 0; i < n; i++)
	{
		t->mate[list[i]][column] = list[mate[i]];
		t->fresh[list[i]][column] = false;
		t->touched[list[i]][column] = false;
		t->redrawn[list[i]][column] += strcmp(purpose, "lot-widow") == 0;
	}
	return left_out;
}

/* twin_widow takes the partner from a key. */
static void
twin_widow(Twin *t, int key, int column)
{
	t->mate[key][column] = T_WIDOW;
	t->fresh[key][column] = true;
	t->touched[key][column] = false;
}

/* twin_count counts the keys of a set, or the units that these are of. */
static uint32
twin_count(const History *h, const Source *s, const bool *in)
{
	uint32		count = 0;

	for (int k = 0; k < KEYS; k++)
	{
		bool		counted = false;

		for (int other = 0; other < k && h->units > 0; other++)
			counted |= in[other] && s->unit[other] == s->unit[k];
		count += in[k] && !counted;
	}
	return count;
}

/* twin_depart is step 1. */
static void
twin_depart(Twin *t, const Source *s)
{
	for (int a = 0; a < KEYS; a++)
	{
		if (!t->member[a] || s->present[a])
			continue;
		for (int j = 0; j < COLUMNS; j++)
		{
			if (t->mate[a][j] >= 0)
				twin_widow(t, t->mate[a][j], j);
		}
		t->member[a] = false;
	}
}

/* twin_changed tells whether a member has a value other than that of its state. */
static bool
twin_changed(const Twin *t, const Source *s, int key)
{
	bool		changed = false;

	for (int j = 0; j < COLUMNS; j++)
		changed |= s->value[key][j] != t->x[key][j];
	return t->member[key] && changed;
}

/* twin_change_cell takes over the value of one cell. */
static void
twin_change_cell(Twin *t, const Source *s, int q, int j)
{
	int32		o = t->x[q][j];
	int32		v = s->value[q][j];

	if (o == v)
		return;
	if (o == MISSING)
	{
		t->mate[q][j] = T_PENDING;
		t->redrawn[q][j] = 0;
	}
	else if (v == MISSING)
	{
		if (t->mate[q][j] >= 0)
			twin_widow(t, t->mate[q][j], j);
		t->mate[q][j] = T_ALONE;
		t->fresh[q][j] = t->touched[q][j] = false;
		t->redrawn[q][j] = 0;
	}
	else
		t->touched[q][j] = t->mate[q][j] >= 0;
	t->x[q][j] = v;
}

/* twin_change is step 2 of a stratum, but for the pairs that are far; it tells whether there was any. */
static bool
twin_change(Twin *t, const History *h, const Source *s, uint32 stratum)
{
	bool		changed[KEYS];
	uint32		count;

	for (int k = 0; k < KEYS; k++)
		changed[k] = s->stratum[k] == stratum && twin_changed(t, s, k);
	count = twin_count(h, s, changed);
	if (count == 0 || count < h->least_new)
		return false;
	for (int q = 0; q < KEYS; q++)
	{
		for (int j = 0; changed[q] && j < COLUMNS; j++)
			twin_change_cell(t, s, q, j);
	}
	return true;
}

/* twin_apart is the distance of two cells' tie groups among the cells that do not wait. */
static uint32
twin_apart(const Twin *t, const Source *s, int j, int a, int b, uint32 stratum, uint32 *positions)
{
	int32		low = t->x[a][j] < t->x[b][j] ? t->x[a][j] : t->x[b][j];
	int32		high = t->x[a][j] < t->x[b][j] ? t->x[b][j] : t->x[a][j];
	uint32		upto_low = 0;
	uint32		below_high = 0;

	*positions = 0;
	for (int k = 0; k < KEYS; k++)
	{
		if (!t->member[k] || s->stratum[k] != stratum || t->x[k][j] == MISSING ||
			t->mate[k][j] == T_PENDING)
			continue;
		(*positions)++;
		upto_low += t->x[k][j] <= low;
		below_high += t->x[k][j] < high;
	}
	return low == high ? 0 : below_high - (upto_low - 1);
}

/* twin_far lists the pairs that a change has moved apart: the rest of step 2. */
static uint32
twin_far(const Twin *t, const History *h, const Source *s, int j, uint32 stratum, bool *far)
{
	for (int k = 0; k < KEYS; k++)
	{
		int			b = t->member[k] ? t->mate[k][j] : T_ALONE;
		uint32		positions;

		far[k] = b >= 0 && s->stratum[k] == stratum && s->stratum[b] == stratum &&
			(t->touched[k][j] || t->touched[b][j]) &&
			twin_apart(t, s, j, k, b, stratum, &positions) > lot_window(&h->setting, positions);
	}
	return twin_count(h, s, far);
}

/* twin_join is step 3 of a stratum. */
static void
twin_join(Twin *t, const History *h, const Source *s, uint32 stratum, const bool *was)
{
	bool		arrived[KEYS];
	uint32		count;

	for (int k = 0; k < KEYS; k++)
		arrived[k] = s->present[k] && s->stratum[k] == stratum && !was[k];
	count = twin_count(h, s, arrived);
	for (int k = 0; k < KEYS && count > 0 && count >= h->least_new; k++)
	{
		if (!arrived[k])
			continue;
		t->member[k] = true;
		for (int j = 0; j < COLUMNS; j++)
		{
			t->x[k][j] = s->value[k][j];
			t->mate[k][j] = t->x[k][j] == MISSING ? T_ALONE : T_PENDING;
			t->fresh[k][j] = t->touched[k][j] = false;
			t->redrawn[k][j] = 0;
		}
	}
}

/* twin_draw is step 4 of a column and a stratum. */
static void
twin_draw(Twin *t, const History *h, const Source *s, const uint32 *tie, int j, uint32 stratum,
		  const bool *far, uint32 far_count, uint64 publication)
{
	bool		in[KEYS];
	bool		recent[KEYS];
	uint32		count;
	uint32		widows = 0;
	bool		ends;
	int			tonight = -1;
	int			out;

#define HERE(k) (t->member[k] && s->stratum[k] == stratum)
	for (int k = 0; k < KEYS; k++)
		in[k] = HERE(k) && t->mate[k][j] == T_PENDING;
	count = twin_count(h, s, in);
	if (count > 0 && count >= h->least_new)
	{
		tonight = twin_lot(t, h, s, tie, j, stratum, in, "lot-new", publication);
		if (tonight >= 0)
			t->mate[tonight][j] = T_ALONE;
	}
	for (int k = 0; k < KEYS; k++)
	{
		recent[k] = HERE(k) && t->mate[k][j] == T_WIDOW && t->fresh[k][j];
		widows += HERE(k) && t->mate[k][j] == T_WIDOW;
		in[k] = HERE(k) && (t->mate[k][j] == T_WIDOW ||
							(t->mate[k][j] == T_ALONE && t->x[k][j] != MISSING && k != tonight));
	}
	count = twin_count(h, s, recent);
	ends = s->erase[j] || (h->within && count > 0 && count >= h->least_widows);
	if ((count > 0 && count >= h->least_widows) || (ends && widows > 0))
	{
		out = twin_lot(t, h, s, tie, j, stratum, in, "lot-widow", publication);
		if (out >= 0)
			t->fresh[out][j] = false;
		if (out >= 0 && ends)
			t->mate[out][j] = T_ALONE;
	}
	if (far_count > 0 && far_count >= h->least_new)
		twin_lot(t, h, s, tie, j, stratum, far, "lot-far", publication);
#undef HERE
}

/* twin_release is step 5. */
static void
twin_release(Twin *t)
{
	for (int k = 0; k < KEYS; k++)
	{
		for (int j = 0; t->member[k] && j < COLUMNS; j++)
		{
			int			mate = t->mate[k][j];

			if (mate >= 0)
				t->y[k][j] = t->x[mate][j];
			else if (mate == T_ALONE)
				t->y[k][j] = t->x[k][j];
			else if (mate == T_PENDING)
				t->y[k][j] = MISSING;
		}
	}
}

/* twin_night is a whole night. */
static void
twin_night(Twin *t, const History *h, const Source *s)
{
	static bool far[COLUMNS][KEYS];
	bool		was[KEYS];
	bool		settled[8] = {false};
	uint32		tie[KEYS];
	uint32		far_count;

	twin_depart(t, s);
	memcpy(was, t->member, sizeof(was));
	for (uint32 g = 0; g < h->strata; g++)
		settled[g] = twin_change(t, h, s, g);
	for (uint32 g = 0; g < h->strata; g++)
		twin_join(t, h, s, g, was);
	for (int j = 0; j < COLUMNS; j++)
	{
		twin_ties(t, j, t->publication + 1, tie);
		for (uint32 g = 0; g < h->strata; g++)
		{
			far_count = 0;
			if (settled[g])
				far_count = twin_far(t, h, s, j, g, far[j]);
			twin_draw(t, h, s, tie, j, g, far[j], far_count, t->publication + 1);
		}
	}
	twin_release(t);
}

/* twin_first is the first night: the method as published, in every stratum. */
static void
twin_first(Twin *t, const History *h, const Source *s)
{
	uint32		tie[KEYS];

	memset(t, 0, sizeof(*t));
	memcpy(t->member, s->present, sizeof(t->member));
	memcpy(t->x, s->value, sizeof(t->x));
	for (int j = 0; j < COLUMNS; j++)
	{
		twin_ties(t, j, 1, tie);
		for (uint32 g = 0; g < h->strata; g++)
		{
			uint32		position[KEYS];
			uint32		mate[KEYS];
			int			list[KEYS];
			uint32		n = 0;

			for (int k = 0; k < KEYS; k++)
			{
				t->mate[k][j] = g == 0 ? T_ALONE : t->mate[k][j];
				if (s->present[k] && s->stratum[k] == g && t->x[k][j] != MISSING)
					list[n++] = k;
			}
			for (uint32 i = 1; i < n; i++)
			{
				for (uint32 e = i; e > 0 && twin_less(t, tie, j, list[e], list[e - 1]); e--)
				{
					int			k = list[e];

					list[e] = list[e - 1];
					list[e - 1] = k;
				}
			}
			for (uint32 i = 0; i < n; i++)
				position[i] = i;
			twin_stream(j, "draws", g, 1);
			lot_twin(&h->setting, stream, position, n, n, false, mate);
			for (uint32 i = 0; i < n; i++)
				t->mate[list[i]][j] = mate[i] == LOT_NOBODY ? T_ALONE : list[mate[i]];
		}
	}
	t->publication = 1;
	twin_release(t);
}

#endif							/* SDC_TEST_CONTINUEDTWIN_H */
