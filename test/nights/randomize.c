/*-------------------------------------------------------------------------
 *
 * randomize.c
 *		Compares nights of random anonymization, made by the extension, with the twin of the kernel tests.
 *
 * usage: randomize DRAWS STRATA SEED <NIGHTS
 *
 * DRAWS is 0 for RA 1, with the probabilities below.  NIGHTS are those of nights.h, with three attributes.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include <stdio.h>

#define KEYS 200
#define ATTRIBUTES 3

#include "../kernel/randomizetwin.h"

#define VALUES ATTRIBUTES
#include "nights.h"

static const char *const columns[ATTRIBUTES] = {"income", "age", "size"};
static const double probability[ATTRIBUTES] = {0.25, 0.25, 0.5};

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
	uint64		publication = 0;
	int			nights = 0;
	long		others = 0;

	if (argc != 4 || sdc_stream_create(&stream) != SDC_OK ||
		sdc_stream_master_from_seed(argv[3], strlen(argv[3]), master) != SDC_OK)
		return 2;
	method_name = "randomize";
	name = columns;
	history.subset = atoi(argv[1]);
	history.strata = (uint32) atoi(argv[2]);
	while (others == 0 && read_night(&source, &seen))
	{
		twin_night(&twin, &history, &source, publication + 1);
		publication += publication == 0 || !is_same(&old, &source);
		others += compare_night(&twin, &seen, ++nights);
		old = source;
	}
	return end_nights(nights, publication, others);
}
