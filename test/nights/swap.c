/*-------------------------------------------------------------------------
 *
 * swap.c
 *		Compares nights of rank swapping, made by the extension, with the twin of the kernel tests.
 *
 * usage: swap METHOD P BUCKETS MIN_CHANGES MIN_DEPARTURES STRATA WITHIN UNITS SEED <NIGHTS
 *
 * METHOD is 0 to 2, WITHIN 1 if old values end the night after they were left, UNITS how many units the records are of,
 * or 0.  NIGHTS are those of nights.h, with two columns.  It prints what differs, and ends with 1 then.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include <stdio.h>

#define KEYS 200

#include "../kernel/continuedtwin.h"

#define VALUES COLUMNS
#include "nights.h"

static const char *const methods[] = {"rankswap", "rankswap_distribution", "rankswap_buckets"};

/* is_same tells whether a night has changed nothing that is published, by the source and the marks. */
static bool
is_same(const Twin *before, const Twin *t, const Source *old, const Source *s, const History *h)
{
	bool		same = memcmp(before->member, t->member, sizeof(t->member)) == 0;

	for (int k = 0; k < KEYS; k++)
	{
		if (!t->member[k] || !before->member[k])
			continue;
		same &= h->units == 0 || old->unit[k] == s->unit[k];
		same &= old->stratum[k] == s->stratum[k] && memcmp(before->mate[k], t->mate[k], sizeof(t->mate[k])) == 0 &&
			memcmp(before->x[k], t->x[k], sizeof(t->x[k])) == 0;
	}
	return same;
}

/* next_night runs the twin. */
static void
next_night(Twin *t, const History *h, Source *old, Source *s)
{
	Twin		before = *t;

	for (int j = 0; j < COLUMNS; j++)
	{
		s->erase[j] = false;
		for (int k = 0; k < KEYS; k++)
			s->erase[j] |= h->within && t->member[k] && t->mate[k][j] == T_WIDOW;
	}
	if (t->publication == 0)
		twin_first(t, h, s);
	else
	{
		twin_night(t, h, s);
		t->publication = before.publication + !is_same(&before, t, old, s, h);
	}
	*old = *s;
}

/* compare_night counts the cells that differ, and shows the first. */
static long
compare_night(const Twin *t, const Seen *seen, int night)
{
	long		others = 0;

	for (int k = 0; k < KEYS; k++)
	{
		bool		differs = t->member[k] != seen->member[k];

		for (int j = 0; j < COLUMNS && t->member[k]; j++)
			differs |= t->y[k][j] != seen->y[k][j];
		if (differs && others++ < 3)
			printf("# night %d, record %d: %d and %d, released %d and %d\n", night, k, t->y[k][0], t->y[k][1],
				   seen->y[k][0], seen->y[k][1]);
	}
	return others;
}

int
main(int argc, char **argv)
{
	static Twin twin;
	static Source source;
	static Source old;
	static Seen seen;
	History		history = {0};
	int			nights = 0;
	long		others = 0;

	if (argc != 10 || sdc_stream_create(&stream) != SDC_OK ||
		sdc_stream_master_from_seed(argv[9], strlen(argv[9]), master) != SDC_OK)
		return 2;
	method_name = methods[atoi(argv[1])];
	history.setting = (LotSetting) {atoi(argv[1]), atof(argv[2]), (uint32) atoi(argv[3])};
	history.least_new = (uint32) atoi(argv[4]);
	history.least_widows = (uint32) atoi(argv[5]);
	history.strata = (uint32) atoi(argv[6]);
	history.within = atoi(argv[7]) != 0;
	history.units = (uint32) atoi(argv[8]);
	while (others == 0 && read_night(&source, &seen))
	{
		memcpy(source.unit, seen.unit, sizeof(source.unit));
		next_night(&twin, &history, &old, &source);
		others += compare_night(&twin, &seen, ++nights);
	}
	return end_nights(nights, twin.publication, others);
}
