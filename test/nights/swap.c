/*-------------------------------------------------------------------------
 *
 * swap.c
 *		Compares nights of rank swapping, made by the extension, with the twin of the kernel tests.
 *
 * usage: swap METHOD P BUCKETS MIN_CHANGES MIN_DEPARTURES STRATA WITHIN SEED <NIGHTS
 *
 * METHOD is 0 to 2, WITHIN 1 if old values end the night after they were left.  NIGHTS are lines: "n" begins a night,
 * "s ID STRATUM INCOME AGE" is a record of the source, "r ID INCOME AGE" one of the release; N is a missing value.
 * IDs are below KEYS.  It prints what differs, and ends with 1 then.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include <stdio.h>

#define KEYS 200

#include "../kernel/continuedtwin.h"

/* What the release has. */
typedef struct Seen
{
	bool		member[KEYS];
	int32		y[KEYS][COLUMNS];
} Seen;

static const char *const methods[] = {"rankswap", "rankswap_distribution", "rankswap_buckets"};

/* number_of reads a value. */
static int32
number_of(const char *text)
{
	return text[0] == 'N' ? MISSING : (int32) atoi(text);
}

/* is_same tells whether a night has changed nothing that is published, by the source and the marks. */
static bool
is_same(const Twin *before, const Twin *t, const Source *old, const Source *s)
{
	bool		same = memcmp(before->member, t->member, sizeof(t->member)) == 0;

	for (int k = 0; k < KEYS; k++)
	{
		if (!t->member[k] || !before->member[k])
			continue;
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
		t->publication = before.publication + !is_same(&before, t, old, s);
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

/* read_line takes a line of the source or the release. */
static void
read_line(const char *line, Source *s, Seen *seen)
{
	char		value[2][20];
	unsigned	stratum;
	int			k;

	if (sscanf(line, "s %d %u %19s %19s", &k, &stratum, value[0], value[1]) == 4)
	{
		s->present[k] = true;
		s->stratum[k] = stratum;
		for (int j = 0; j < COLUMNS; j++)
			s->value[k][j] = number_of(value[j]);
	}
	else if (sscanf(line, "r %d %19s %19s", &k, value[0], value[1]) == 3)
	{
		seen->member[k] = true;
		for (int j = 0; j < COLUMNS; j++)
			seen->y[k][j] = number_of(value[j]);
	}
	else
		abort();
}

int
main(int argc, char **argv)
{
	static Twin twin;
	static Source source;
	static Source old;
	static Seen seen;
	History		history = {0};
	char		line[100];
	int			night = 0;
	long		others = 0;

	if (argc != 9 || sdc_stream_create(&stream) != SDC_OK ||
		sdc_stream_master_from_seed(argv[8], strlen(argv[8]), master) != SDC_OK)
		return 2;
	method_name = methods[atoi(argv[1])];
	history.setting = (LotSetting) {atoi(argv[1]), atof(argv[2]), (uint32) atoi(argv[3])};
	history.least_new = (uint32) atoi(argv[4]);
	history.least_widows = (uint32) atoi(argv[5]);
	history.strata = (uint32) atoi(argv[6]);
	history.within = atoi(argv[7]) != 0;
	for (bool more = true; more && others == 0;)
	{
		more = fgets(line, sizeof(line), stdin) != NULL;
		if (more && line[0] != 'n')
		{
			read_line(line, &source, &seen);
			continue;
		}
		if (night > 0)
		{
			next_night(&twin, &history, &old, &source);
			others += compare_night(&twin, &seen, night);
		}
		night++;
		memset(source.present, 0, sizeof(source.present));
		memset(&seen, 0, sizeof(seen));
	}
	printf("# %d nights, %d publications\n", night - 1, (int) twin.publication);
	return others > 0 || night < 3;
}
