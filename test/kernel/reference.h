/*-------------------------------------------------------------------------
 *
 * reference.h
 *		The reference data, as codes: a test that uses them is skipped where they are not.
 *
 * They are looked for in SDC_DATA, and beside the checkout.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_TEST_REFERENCE_H
#define SDC_TEST_REFERENCE_H

#include <stdio.h>

#include "kernel/base/kernel_env.h"

#define REFERENCE_COLUMNS 16

typedef struct Reference
{
	uint32		records;
	int			columns;
	char	   *text;			/* the file, its cells ended by 0 */
	char	   *name[REFERENCE_COLUMNS];
	char	  **cell[REFERENCE_COLUMNS];
	uint32	   *code[REFERENCE_COLUMNS];	/* numbers by size, texts by bytes */
	double	   *value[REFERENCE_COLUMNS];	/* of each record; NaN for texts */
	uint32		codes[REFERENCE_COLUMNS];
} Reference;

/* reference_order compares cells, numbers if both are. */
static inline int
reference_order(const void *a, const void *b)
{
	const char *x = **(char **const *) a;
	const char *y = **(char **const *) b;
	char	   *x_end;
	char	   *y_end;
	double		u = strtod(x, &x_end);
	double		v = strtod(y, &y_end);

	if (x_end != x && *x_end == 0 && y_end != y && *y_end == 0)
		return (u > v) - (u < v);
	return strcmp(x, y);
}

/* reference_encode gives the cells of a column their codes. */
static inline void
reference_encode(Reference *data, int column)
{
	char	 ***sorted = malloc(data->records * sizeof(char **));
	uint32		code = 0;

	data->code[column] = malloc(data->records * sizeof(uint32));
	data->value[column] = malloc(data->records * sizeof(double));
	for (uint32 i = 0; i < data->records; i++)
		sorted[i] = &data->cell[column][i];
	qsort(sorted, data->records, sizeof(char **), reference_order);
	for (uint32 i = 0; i < data->records; i++)
	{
		uint32		record = (uint32) (sorted[i] - data->cell[column]);
		char	   *end;

		if (i > 0 && reference_order(&sorted[i - 1], &sorted[i]) != 0)
			code++;
		data->code[column][record] = code;
		data->value[column][record] = strtod(*sorted[i], &end);
		if (*end != 0)
			data->value[column][record] = __builtin_nan("");
	}
	data->codes[column] = code + 1;
	free(sorted);
}

/* reference_split cuts a line at its commas. */
static inline void
reference_split(Reference *data, char *line, uint32 record)
{
	for (int j = 0; line != NULL && j < REFERENCE_COLUMNS; j++)
	{
		char	   *comma = strchr(line, ',');

		if (comma != NULL)
			*comma++ = 0;
		if (record == UINT32_MAX)
		{
			data->name[j] = line;
			data->columns = j + 1;
		}
		else
			data->cell[j][record] = line;
		line = comma;
	}
}

/* reference_read reads a whole file, or returns NULL. */
static inline char *
reference_read(const char *file)
{
	const char *directory = getenv("SDC_DATA");
	char		path[4096];
	FILE	   *stream;
	char	   *text;
	long		size;

	snprintf(path, sizeof(path), "%s/%s", directory ? directory : "../../../shared/data", file);
	stream = fopen(path, "rb");
	if (stream == NULL)
		return NULL;
	fseek(stream, 0, SEEK_END);
	size = ftell(stream);
	rewind(stream);
	text = malloc((size_t) size + 1);
	if (fread(text, 1, (size_t) size, stream) != (size_t) size)
		abort();
	text[size] = 0;
	fclose(stream);
	return text;
}

/* reference_load reads a file such as adult.csv; false, with a word about it, if it is not there. */
static inline bool
reference_load(const char *file, Reference *data)
{
	uint32		lines = 0;
	uint32		record = UINT32_MAX;

	memset(data, 0, sizeof(*data));
	data->text = reference_read(file);
	if (data->text == NULL)
	{
		printf("# skipped: no reference data %s (SDC_DATA)\n", file);
		return false;
	}
	for (const char *at = data->text; *at; at++)
		lines += *at == '\n';
	for (int j = 0; j < REFERENCE_COLUMNS; j++)
		data->cell[j] = malloc(lines * sizeof(char *));
	for (char *line = strtok(data->text, "\r\n"); line != NULL; line = strtok(NULL, "\r\n"))
		reference_split(data, line, record++);
	data->records = record;
	for (int j = 0; j < data->columns; j++)
		reference_encode(data, j);
	return true;
}

/* reference_column is the number of a column. */
static inline int
reference_column(const Reference *data, const char *name)
{
	for (int j = 0; j < data->columns; j++)
		if (strcmp(data->name[j], name) == 0)
			return j;
	abort();
}

/* reference_free forgets the data. */
static inline void
reference_free(Reference *data)
{
	for (int j = 0; j < REFERENCE_COLUMNS; j++)
	{
		free(data->cell[j]);
		free(data->code[j]);
		free(data->value[j]);
	}
	free(data->text);
}

#endif							/* SDC_TEST_REFERENCE_H */
