/*-------------------------------------------------------------------------
 *
 * randomize.c
 *		Compares nights of random anonymization, made by the extension, with the twin of the kernel tests.
 *
 * usage: randomize DRAWS STRATA SEED <NIGHTS
 *
 * DRAWS is 0 for RA 1, with the probabilities below.  NIGHTS are lines as those of swap.c, with three attributes.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include <stdio.h>

#define KEYS 200
#define ATTRIBUTES 3

#include "../kernel/randomizetwin.h"

static const char *const columns[ATTRIBUTES] = {"income", "age", "size"};
static const double probability[ATTRIBUTES] = {0.25, 0.25, 0.5};

/* What the release has. */
typedef struct Seen
{
	bool		member[KEYS];
	int32		y[KEYS][ATTRIBUTES];
} Seen;

/* number_of reads a value. */
static int32
number_of(const char *text)
{
	return text[0] == 'N' ? MISSING : (int32) atoi(text);
}

/* compare_night counts the records that differ, and shows the first. */
static long
compare_night(const Twin *t, const Seen *seen, int night)
{
	long		others = 0;

	for (int k = 0; k < KEYS; k++)
	{
		bool		differs = t->member[k] != seen->member[k] ||
			(t->member[k] && memcmp(t->released[k], seen->y[k], sizeof(seen->y[k])) != 0);

		if (differs && others++ < 3)
			printf("# night %d, record %d: %d %d %d, released %d %d %d\n", night, k, t->released[k][0],
				   t->released[k][1], t->released[k][2], seen->y[k][0], seen->y[k][1], seen->y[k][2]);
	}
	return others;
}

/* read_line takes a line of the source or the release. */
static void
read_line(const char *line, Source *s, Seen *seen)
{
	char		value[3][20];
	unsigned	stratum;
	int			k;

	if (sscanf(line, "s %d %u %19s %19s %19s", &k, &stratum, value[0], value[1], value[2]) == 5)
	{
		s->present[k] = true;
		s->stratum[k] = stratum;
		for (int j = 0; j < ATTRIBUTES; j++)
			s->value[k][j] = number_of(value[j]);
	}
	else if (sscanf(line, "r %d %19s %19s %19s", &k, value[0], value[1], value[2]) == 4)
	{
		seen->member[k] = true;
		for (int j = 0; j < ATTRIBUTES; j++)
			seen->y[k][j] = number_of(value[j]);
	}
	else
		abort();
}

/* is_same tells whether a source is what it was. */
static bool
is_same(const Source *old, const Source *s)
{
	bool		same = memcmp(old->present, s->present, sizeof(s->present)) == 0;

	for (int k = 0; k < KEYS && same; k++)
		same = !s->present[k] || (old->stratum[k] == s->stratum[k] &&
								  memcmp(old->value[k], s->value[k], sizeof(s->value[k])) == 0);
	return same;
}

int
main(int argc, char **argv)
{
	static Twin twin;
	static Source source;
	static Source old;
	static Seen seen;
	History		history = {.probability = probability};
	char		line[100];
	uint64		publication = 0;
	int			night = 0;
	long		others = 0;

	if (argc != 4 || sdc_stream_create(&stream) != SDC_OK ||
		sdc_stream_master_from_seed(argv[3], strlen(argv[3]), master) != SDC_OK)
		return 2;
	method_name = "randomize";
	name = columns;
	history.subset = atoi(argv[1]);
	history.strata = (uint32) atoi(argv[2]);
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
			twin_night(&twin, &history, &source, publication + 1);
			publication += publication == 0 || !is_same(&old, &source);
			others += compare_night(&twin, &seen, night);
			old = source;
		}
		night++;
		memset(source.present, 0, sizeof(source.present));
		memset(&seen, 0, sizeof(seen));
	}
	printf("# %d nights, %d publications\n", night - 1, (int) publication);
	return others > 0 || night < 3;
}
