/*-------------------------------------------------------------------------
 *
 * nights.h
 *		The nights that a twin looks at, read from the standard input.
 *
 * Lines: "n" begins a night, "s ID STRATUM UNIT VALUE..." is a record of the source, "r ID VALUE..." one of the
 * release; N is a missing value, and IDs and UNITs are below KEYS.  There are VALUES values.  Included behind a twin of
 * the kernel tests, whose Source it fills.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_TEST_NIGHTS_H
#define SDC_TEST_NIGHTS_H

/* What the release has, and of which unit each record of the source is. */
typedef struct Seen
{
	uint32		unit[KEYS];
	bool		member[KEYS];
	int32		y[KEYS][VALUES];
} Seen;

/* read_values takes the values of a line, which has no more. */
static void
read_values(int32 *value)
{
	for (int j = 0; j < VALUES; j++)
	{
		const char *text = strtok(NULL, " \n");

		if (text == NULL)
			abort();
		value[j] = text[0] == 'N' ? MISSING : (int32) atoi(text);
	}
	if (strtok(NULL, " \n") != NULL)
		abort();
}

/* read_number takes a number of a line, which is below a limit. */
static int
read_number(int limit)
{
	const char *text = strtok(NULL, " \n");
	int			number = text == NULL ? -1 : atoi(text);

	if (number < 0 || number >= limit)
		abort();
	return number;
}

/* read_line takes a line of the source or the release. */
static void
read_line(char *line, Source *s, Seen *seen)
{
	const char *kind = strtok(line, " \n");
	int			k = read_number(KEYS);

	if (strcmp(kind, "s") == 0)
	{
		s->present[k] = true;
		s->stratum[k] = (uint32) read_number(1000);
		seen->unit[k] = (uint32) read_number(KEYS);
		read_values(s->value[k]);
	}
	else if (strcmp(kind, "r") == 0)
	{
		seen->member[k] = true;
		read_values(seen->y[k]);
	}
	else
		abort();
}

/* read_night reads the next night; false: there is none. */
static bool
read_night(Source *s, Seen *seen)
{
	static bool waits;			/* the line that begins it was read behind the night before */
	char		line[100];

	memset(s->present, 0, sizeof(s->present));
	memset(seen, 0, sizeof(*seen));
	if (!waits && (fgets(line, sizeof(line), stdin) == NULL || line[0] != 'n'))
		return false;
	waits = false;
	while (!waits && fgets(line, sizeof(line), stdin) != NULL)
	{
		waits = line[0] == 'n';
		if (!waits)
			read_line(line, s, seen);
	}
	return true;
}

/* end_nights says how many nights there were, and returns what the program ends with: a history has some nights. */
static int
end_nights(int nights, uint64 publications, long others)
{
	printf("# %d nights, %d publications\n", nights, (int) publications);
	return others > 0 || nights < 2;
}

#endif							/* SDC_TEST_NIGHTS_H */
