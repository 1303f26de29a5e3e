/*-------------------------------------------------------------------------
 *
 * randomizetwin.h
 *		A night of random anonymization with a memory from its definition, by keys.
 *
 * For each key: which attributes were drawn, and for each of them one original and its replacement.  The draws are
 * from the same streams.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_TEST_RANDOMIZETWIN_H
#define SDC_TEST_RANDOMIZETWIN_H

#include "kernel/base/stream.h"

#define STRATA 4
#define MISSING INT32_MIN

static SdcStream *stream;
static uint8 master[SDC_MASTER_KEY_BYTES];
static const char *method_name = "test";
static const char *const letters[] = {"a", "b", "c", "d", "e", "f", "g", "h", "i"};
static const char *const *name = letters;	/* of the attributes */

/* How a history is made and released. */
typedef struct History
{
	int			subset;			/* RA 2: so many attributes; 0: RA 1 */
	uint32		strata;
	uint32		churn;			/* keys in 1,000 that come, go, or change, each */
	uint32		missing;		/* one value of so many is missing; 0: none */
	const double *probability;	/* RA 1: of each attribute */
} History;

typedef struct Source
{
	bool		present[KEYS];
	uint32		stratum[KEYS];
	int32		value[KEYS][ATTRIBUTES];
} Source;

/* What the twin knows of a key, and what it publishes. */
typedef struct Twin
{
	bool		member[KEYS];
	bool		drawn[KEYS][ATTRIBUTES];
	int32		original[KEYS][ATTRIBUTES];
	int32		replacement[KEYS][ATTRIBUTES];
	int32		released[KEYS][ATTRIBUTES];
} Twin;

/* again starts a stream of a night; that of the first is the method's own. */
static void
again(const char *attribute, const char *purpose, uint32 stratum, uint64 publication)
{
	SdcStatus	status = publication == 1 ?
		sdc_stream_start(stream, master, method_name, attribute, purpose, stratum) :
		sdc_stream_restart(stream, master, method_name, attribute, purpose, stratum, publication);

	if (status != SDC_OK)
		abort();
}

/* twin_draw draws the attributes of a key by the definitions of the methods. */
static void
twin_draw(Twin *t, const History *h, int k)
{
	int			draws = 2 * h->subset > ATTRIBUTES ? ATTRIBUTES - h->subset : h->subset;

	for (int j = 0; j < ATTRIBUTES; j++)
		t->drawn[k][j] = false;
	if (h->subset == 0)
	{
		double		u = sdc_stream_uniform(stream);
		double		bound = h->probability[0];
		int			j = 0;

		while (u >= bound && j < ATTRIBUTES - 1)
			bound += h->probability[++j];
		t->drawn[k][j] = true;
		return;
	}
	for (int j = ATTRIBUTES - draws; j < ATTRIBUTES; j++)
	{
		uint32		drawn = sdc_stream_below(stream, (uint32) j + 1);

		t->drawn[k][t->drawn[k][drawn] ? (uint32) j : drawn] = true;
	}
	for (int j = 0; j < ATTRIBUTES && draws != h->subset; j++)
		t->drawn[k][j] = !t->drawn[k][j];
}

/* twin_night is a night of the twin. */
static void
twin_night(Twin *t, const History *h, const Source *s, uint64 publication)
{
	bool		fresh[KEYS];

	again("", "choice", 0, publication);
	for (int k = 0; k < KEYS; k++)
	{
		fresh[k] = s->present[k] && !t->member[k];
		t->member[k] = s->present[k];
		if (fresh[k])
			twin_draw(t, h, k);
	}
	for (int j = 0; j < ATTRIBUTES; j++)
	{
		for (uint32 g = 0; g < h->strata; g++)
		{
			int32		values[KEYS];
			uint32		count = 0;

			for (int k = 0; k < KEYS; k++)
			{
				if (s->present[k] && s->stratum[k] == g && s->value[k][j] != MISSING)
					values[count++] = s->value[k][j];
			}
			again(name[j], "donors", g, publication);
			for (int k = 0; k < KEYS; k++)
			{
				if (!s->present[k] || s->stratum[k] != g)
					continue;
				t->released[k][j] = s->value[k][j];
				if (!t->drawn[k][j])
					continue;
				if (fresh[k] || t->original[k][j] != s->value[k][j])
				{
					t->original[k][j] = s->value[k][j];
					t->replacement[k][j] = s->value[k][j] == MISSING ? MISSING :
						values[sdc_stream_below(stream, count)];
				}
				t->released[k][j] = t->replacement[k][j];
			}
		}
	}
}

#endif							/* SDC_TEST_RANDOMIZETWIN_H */
