/*-------------------------------------------------------------------------
 *
 * candidatetwin.h
 *		Candidates by their definitions, pair by pair, and files to try them on.
 *
 * The twin shares nothing with the kernel but the description of the task: windows are counted in
 * the sorted column, likelihoods are sums over subsets, distances are computed from the values.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_TEST_CANDIDATETWIN_H
#define SDC_TEST_CANDIDATETWIN_H

#include <math.h>

#include "kernel/candidates/candidates.h"

#include "random.h"

#define MAX_COLUMNS 80
#define MAX_SETS 3
#define TIE 1e-9

/* A task with all that belongs to it. */
typedef struct File
{
	SdcCandidatesTask task;
	SdcCandidatesColumn column[MAX_COLUMNS];
	uint32	   *original[MAX_COLUMNS];
	uint32	   *protected[MAX_COLUMNS];
	double	   *value[MAX_COLUMNS];
	double	   *share[MAX_COLUMNS];
	double	   *law[MAX_COLUMNS];
	double	   *noisy[MAX_COLUMNS];	/* the numbers of columns with noise */
	SdcInterval *window[MAX_COLUMNS];
	SdcInterval *wide[MAX_COLUMNS];
	uint32	   *width[MAX_COLUMNS];		/* by stratum: W; 2 W is wide */
	SdcInterval *range[MAX_COLUMNS];
	uint64	   *start[MAX_COLUMNS];
	uint32	   *element[MAX_COLUMNS];
	uint32	   *stratum;
	bool	   *astray;
	uint32	   *group;
	uint32	   *bin[MAX_SETS];
	SdcCandidatesJoint joint[MAX_SETS];
	SdcCandidatesDraw draw[MAX_SETS];
	bool		sound;			/* every record is its own candidate */
} File;

/* How files are made. */
typedef struct Shape
{
	uint32		records;
	int			columns;
	uint32		kinds;			/* bits of the kinds that occur; 0: all */
	uint32		codes;
	uint32		missing;		/* one value in so many; 0: none */
	uint32		strata;
	uint32		groups;
	uint32		bins;
	uint32		width;			/* W at most */
	bool		wild;			/* the release need not be what it is said to be */
	bool		wide;			/* windows may be left */
	bool		lost;			/* some codes are no numbers */
	bool		laws;			/* every draw has laws */
	uint32		blank;			/* one released value in so many is a blank, in some columns; 0: none */
} Shape;

/* words allocates so many numbers. */
static inline uint32 *
words(uint64 count)
{
	return sdc_alloc((count > 0 ? count : 1) * sizeof(uint32));
}

/* swap_within exchanges values that are there among the records of a class; NULL: of all. */
static void
swap_within(uint32 *code, uint32 records, const uint32 *class)
{
	for (uint32 i = 0; i < records; i++)
	{
		uint32		other = pick(records);
		uint32		held = code[i];

		if (held == SDC_CODE_NULL || code[other] == SDC_CODE_NULL ||
			(class != NULL && class[i] != class[other]))
			continue;
		code[i] = code[other];
		code[other] = held;
	}
}

/* draw_codes draws the original values of a column. */
static void
draw_codes(const Shape *shape, uint32 *code)
{
	uint32		codes = 1 + pick(shape->codes);

	for (uint32 i = 0; i < shape->records; i++)
	{
		code[i] = pick(pick(2) == 0 ? codes : 1 + pick(codes));
		if (shape->missing > 0 && pick(shape->missing) == 0)
			code[i] = SDC_CODE_NULL;
	}
}

/* draw_values gives codes numbers. */
static double *
draw_values(const Shape *shape, int a)
{
	double	   *value = sdc_alloc(shape->codes * sizeof(double));

	for (uint32 c = 0; c < shape->codes; c++)
	{
		value[c] = a % 2 == 0 ? c : exp(3.0 * c / shape->codes);
		if (shape->lost && pick(6) == 0)
			value[c] = NAN;
	}
	return value;
}

/* count_shares finds the shares of the values of a column. */
static double *
count_shares(const Shape *shape, const uint32 *code)
{
	double	   *share = sdc_alloc(shape->codes * sizeof(double));
	double		total = 0;

	for (uint32 c = 0; c < shape->codes; c++)
		share[c] = 0;
	for (uint32 i = 0; i < shape->records; i++)
		if (code[i] != SDC_CODE_NULL)
		{
			share[code[i]]++;
			total++;
		}
	for (uint32 c = 0; c < shape->codes; c++)
		share[c] = total > 0 ? share[c] / total : 0;
	return share;
}

/*
 * swap_near exchanges values that are at most width positions apart in the sorted column of a
 * stratum, every one once.
 */
static void
swap_near(uint32 *code, uint32 records, const uint32 *stratum, uint32 s, uint32 width)
{
	uint32	   *order = words(records);
	bool	   *done = sdc_alloc(records + 1);
	uint32		count = 0;

	for (uint32 i = 0; i < records; i++)
	{
		uint32		place = count;

		if (code[i] == SDC_CODE_NULL || (stratum != NULL && stratum[i] != s))
			continue;
		for (; place > 0 && code[order[place - 1]] > code[i]; place--)
			order[place] = order[place - 1];
		order[place] = i;
		count++;
	}
	memset(done, false, records);
	for (uint32 p = 0; p < count; p++)
	{
		uint32		partner = p + pick(width + 1);
		uint32		held = code[order[p]];

		if (partner >= count || done[p] || done[partner])
			continue;
		code[order[p]] = code[order[partner]];
		code[order[partner]] = held;
		done[p] = done[partner] = true;
	}
	sdc_free(done);
	sdc_free(order);
}

/* make_window makes a column that was swapped by ranks. */
static void
make_window(File *file, const Shape *shape, int a)
{
	SdcCandidatesColumn *column = &file->column[a];
	uint32		strata = file->stratum != NULL ? shape->strata : 1;
	uint32	   *doubled = words(strata);

	file->width[a] = words(strata);
	for (uint32 s = 0; s < strata; s++)
	{
		file->width[a][s] = pick(shape->width + 1);
		doubled[s] = 2 * file->width[a][s];
		if (!shape->wild && !shape->wide)
			swap_near(file->protected[a], shape->records, file->stratum, s, file->width[a][s]);
	}
	file->window[a] = sdc_alloc((shape->records + 1) * sizeof(SdcInterval));
	file->wide[a] = sdc_alloc((shape->records + 1) * sizeof(SdcInterval));
	if (shape->wild || shape->wide)
		swap_within(file->protected[a], shape->records, file->stratum);
	column->window = file->window[a];
	sdc_candidates_windows(&file->task, column, file->width[a], file->window[a]);
	sdc_candidates_windows(&file->task, column, doubled, file->wide[a]);
	column->wide = shape->wide ? file->wide[a] : NULL;
	sdc_free(doubled);
}

/* make_group describes a column by what the groups have, ranges or sets. */
static void
make_group(File *file, const Shape *shape, int a)
{
	SdcCandidatesColumn *column = &file->column[a];
	uint64		elements = 0;

	file->range[a] = sdc_alloc(shape->groups * sizeof(SdcInterval));
	file->start[a] = sdc_alloc((shape->groups + 1) * sizeof(uint64));
	file->element[a] = words(shape->records);
	for (uint32 g = 0; g < shape->groups; g++)
	{
		SdcInterval range = {SDC_CODE_NULL - 1, 0};

		file->start[a][g] = elements;
		for (uint32 i = 0; i < shape->records; i++)
		{
			uint32		code = file->original[a][i];

			if (file->group[i] != g || (shape->wild && pick(4) == 0))
				continue;
			file->element[a][elements++] = code;
			if (code == SDC_CODE_NULL)
				range = (SdcInterval) {SDC_CODE_NULL, SDC_CODE_NULL};
			if (range.first == SDC_CODE_NULL)
				continue;
			range.first = code < range.first ? code : range.first;
			range.last = code > range.last ? code : range.last;
		}
		file->range[a][g] = range;
	}
	file->start[a][shape->groups] = elements;
	column->range = file->range[a];
	column->start = file->start[a];
	column->element = file->element[a];
}

/* randomize_records changes the columns of a draw, as random anonymization does. */
static void
randomize_records(File *file, const Shape *shape, int set)
{
	const SdcCandidatesDraw *draw = &file->draw[set];
	int			times = draw->k > 0 ? draw->k : 1;

	for (uint32 i = 0; i < shape->records; i++)
		for (int t = 0; t < times; t++)
		{
			int			a = (int) pick((uint32) draw->columns);
			uint32		donor = pick(shape->records);

			if (a >= file->task.count || file->column[a].kind != SDC_CANDIDATES_RANDOMIZED ||
				file->column[a].set != set || (draw->k == 0 && !(file->column[a].probability > 0)) ||
				file->original[a][i] == SDC_CODE_NULL || file->original[a][donor] == SDC_CODE_NULL)
				continue;
			file->protected[a][i] = file->original[a][donor];
		}
}

/*
 * make_noise gives a column noise: it makes every number of every other one, unless it is to be wild.  Numbers are not
 * so far from each other that the probabilities of some are 0.
 */
static void
make_noise(File *file, const Shape *shape, int a)
{
	SdcNoiseLaw *noise = &file->column[a].noise;
	bool		scaled = pick(2) == 0;
	double		least = scaled && !shape->wild ? 1 : -0.5 * shape->codes + 0.5 * pick(2);

	file->noisy[a] = sdc_alloc(shape->codes * sizeof(double));
	for (uint32 c = 0; c < shape->codes; c++)
		file->noisy[a][c] = shape->wild && c > 0 && c == shape->codes - 1 ? NAN : least + c;
	*noise = (SdcNoiseLaw) {.kind = scaled ? SDC_NOISE_SCALED : pick(2) == 0 ? SDC_NOISE_ADDED : SDC_NOISE_SHRUNK,
		.scale = scaled ? 0.7 : 1 + shape->codes / (4.0 + pick(8)), .mean = 0.3 * shape->codes, .shrink = 1.2,
		.low = -INFINITY, .high = INFINITY, .unit = pick(2), .spread = 1 + pick(9)};
	if (noise->kind != SDC_NOISE_SHRUNK && pick(3) == 0)
		noise->low = least;
	if (noise->kind != SDC_NOISE_SHRUNK && pick(3) == 0)
		noise->high = least + shape->codes - (noise->unit > 0 ? 0.4 : 1);
	if (noise->low == noise->high)
		noise->high++;
	file->column[a].value = file->noisy[a];
}

/* make_laws gives a draw laws, by which some values cannot become others, unless they are to become what they did. */
static void
make_laws(File *file, const Shape *shape, int set)
{
	file->draw[set].laws = true;
	file->draw[set].k = 0;
	for (int a = 0; a < file->task.count; a++)
	{
		uint32		codes = file->column[a].codes;
		bool		all = pick(2) == 0;

		if (file->column[a].kind != SDC_CANDIDATES_RANDOMIZED || file->column[a].set != set)
			continue;
		if (pick(2) == 0)
		{
			make_noise(file, shape, a);
			continue;
		}
		file->law[a] = sdc_alloc((Size) codes * codes * sizeof(double) + 1);
		for (uint32 i = 0; i < codes * codes; i++)
			file->law[a][i] = all || !shape->wild || pick(4) > 0 ? log((1 + pick(5)) / 8.0) : -INFINITY;
		file->column[a].law = file->law[a];
	}
}

/* make_draws gives draws their columns and probabilities, and randomizes. */
static void
make_draws(File *file, const Shape *shape)
{
	for (int s = 0; s < file->task.draws; s++)
	{
		int			known = 0;
		double		rest = 1;

		for (int a = 0; a < file->task.count; a++)
			if (file->column[a].kind == SDC_CANDIDATES_RANDOMIZED && file->column[a].set == s)
			{
				known++;
				file->column[a].probability = pick(8) == 0 ? 0 : pick(5) == 0 ? rest : rest / 3;
				rest -= file->column[a].probability;
			}
		file->draw[s].columns = known + (int) pick(3);
		if (file->draw[s].columns == 0)
			file->draw[s].columns = 1;
		file->draw[s].k = pick(2) == 0 ? 0 : 1 + (int) pick((uint32) file->draw[s].columns);
		file->draw[s].retain = 0;
		file->draw[s].laws = false;
		if (shape->laws)
			make_laws(file, shape, s);
		else if (file->draw[s].k > 0 && pick(3) == 0)
		{
			file->draw[s].retain = (1 + pick(9)) / 10.0;
			file->draw[s].k = file->draw[s].columns;
		}
		else if (pick(4) == 0)
			make_laws(file, shape, s);
		/* all columns could be drawn, so that those known are among the first ones */
		if (!shape->wild)
		{
			int			columns = file->draw[s].columns;

			file->draw[s].columns = file->task.count;
			randomize_records(file, shape, s);
			file->draw[s].columns = columns;
		}
	}
}

/* make_column makes one column. */
static void
make_column(File *file, const Shape *shape, int a)
{
	SdcCandidatesColumn *column = &file->column[a];
	uint32		records = shape->records;

	do
		column->kind = (SdcCandidatesKind) pick(SDC_CANDIDATES_KINDS);
	while (shape->kinds != 0 && (shape->kinds >> column->kind & 1) == 0);
	file->original[a] = words(records);
	file->protected[a] = words(records);
	draw_codes(shape, file->original[a]);
	memcpy(file->protected[a], file->original[a], records * sizeof(uint32));
	if (shape->wild && pick(2) == 0)
		draw_codes(shape, file->protected[a]);
	column->original = file->original[a];
	column->protected = file->protected[a];
	column->codes = shape->codes;
	file->value[a] = draw_values(shape, a);
	file->share[a] = count_shares(shape, file->original[a]);
	if (column->kind == SDC_CANDIDATES_WINDOW || column->kind == SDC_CANDIDATES_UNKNOWN)
		column->value = pick(4) == 0 ? NULL : file->value[a];
	if (column->kind == SDC_CANDIDATES_RANDOMIZED)
	{
		column->set = (int) pick((uint32) file->task.draws);
		column->share = file->share[a];
		/* shares that are not of this file */
		if (shape->wild && pick(3) == 0)
			file->share[a][pick(shape->codes)] = 0;
	}
	else if (column->kind == SDC_CANDIDATES_WINDOW)
		make_window(file, shape, a);
	else if (column->kind == SDC_CANDIDATES_RANGE || column->kind == SDC_CANDIDATES_SET)
		make_group(file, shape, a);
	else if (column->kind == SDC_CANDIDATES_UNKNOWN)
		swap_within(file->protected[a], records, NULL);
	else if (column->kind == SDC_CANDIDATES_JOINT)
	{
		column->set = (int) pick((uint32) file->task.joints);
		swap_within(file->protected[a], records, file->bin[column->set]);
		if (pick(3) == 0)
			column->protected = NULL;
	}
}

/* blank_set has some sets contain everything, in the place of one of their elements. */
static void
blank_set(File *file, const Shape *shape, int a)
{
	for (uint32 g = 0; g < shape->groups; g++)
		if (file->start[a][g] < file->start[a][g + 1] && pick(shape->blank) == 0)
			file->element[a][file->start[a][g + 1] - 1] = SDC_CANDIDATES_ANYTHING;
}

/* blank_window makes the windows again, now that some of the released values are gone. */
static void
blank_window(File *file, int a)
{
	uint32		strata = file->stratum != NULL ? file->task.strata : 1;
	uint32	   *doubled = words(strata);

	for (uint32 s = 0; s < strata; s++)
		doubled[s] = 2 * file->width[a][s];
	sdc_candidates_windows(&file->task, &file->column[a], file->width[a], file->window[a]);
	sdc_candidates_windows(&file->task, &file->column[a], doubled, file->wide[a]);
	sdc_free(doubled);
}

/* blank_values takes values out of the release, and some records out of their strata. */
static void
blank_values(File *file, const Shape *shape)
{
	if (shape->blank == 0)
		return;
	for (int a = 0; a < shape->columns; a++)
	{
		SdcCandidatesColumn *column = &file->column[a];

		if (column->kind == SDC_CANDIDATES_SET)
			blank_set(file, shape, a);
		if (column->kind == SDC_CANDIDATES_RANGE || column->kind == SDC_CANDIDATES_SET ||
			column->kind == SDC_CANDIDATES_UNKNOWN || column->protected == NULL || pick(3) == 0)
			continue;
		column->blanks = true;
		for (uint32 i = 0; i < shape->records; i++)
			if (pick(shape->blank) == 0)
				file->protected[a][i] = SDC_CODE_NULL;
		if (column->kind == SDC_CANDIDATES_WINDOW)
			blank_window(file, a);
	}
	if (file->stratum == NULL || pick(2) == 0)
		return;
	file->astray = sdc_alloc((shape->records + 1) * sizeof(bool));
	for (uint32 i = 0; i < shape->records; i++)
		file->astray[i] = pick(shape->blank) == 0;
	file->task.astray = file->astray;
}

/* make_file draws a file. */
static void
make_file(File *file, const Shape *shape)
{
	memset(file, 0, sizeof(*file));
	file->sound = !shape->wild && !shape->wide;
	file->task.records = shape->records;
	file->task.count = shape->columns;
	file->task.column = file->column;
	file->task.groups = shape->groups;
	file->task.draws = 1 + (int) pick(MAX_SETS - 1);
	file->task.draw = file->draw;
	/* without a column of their own, joint swaps are not there, or tell nothing */
	file->task.joints = shape->kinds != 0 && (shape->kinds >> SDC_CANDIDATES_JOINT & 1) == 0 &&
		pick(2) == 0 ? 0 : 1 + (int) pick(MAX_SETS);
	file->task.joint = file->joint;
	file->group = words(shape->records);
	if (shape->strata > 1)
		file->stratum = words(shape->records);
	file->task.stratum = file->stratum;
	file->task.strata = shape->strata;
	file->task.group = file->group;
	for (int s = 0; s < MAX_SETS; s++)
	{
		file->bin[s] = words(shape->records);
		file->joint[s] = (SdcCandidatesJoint) {file->bin[s], shape->bins};
	}
	for (uint32 i = 0; i < shape->records; i++)
	{
		file->group[i] = pick(shape->groups);
		if (file->stratum != NULL)
			file->stratum[i] = pick(shape->strata);
		for (int s = 0; s < MAX_SETS; s++)
			file->bin[s][i] = pick(shape->bins);
	}
	for (int a = 0; a < shape->columns; a++)
		make_column(file, shape, a);
	make_draws(file, shape);
	blank_values(file, shape);
}

/* free_file frees it. */
static void
free_file(File *file)
{
	for (int a = 0; a < file->task.count; a++)
	{
		sdc_free(file->original[a]);
		sdc_free(file->protected[a]);
		sdc_free(file->value[a]);
		sdc_free(file->share[a]);
		if (file->law[a] != NULL)
			sdc_free(file->law[a]);
		if (file->noisy[a] != NULL)
			sdc_free(file->noisy[a]);
		if (file->window[a] != NULL)
		{
			sdc_free(file->width[a]);
			sdc_free(file->wide[a]);
			sdc_free(file->window[a]);
		}
		if (file->range[a] != NULL)
		{
			sdc_free(file->range[a]);
			sdc_free(file->start[a]);
			sdc_free(file->element[a]);
		}
	}
	for (int s = 0; s < MAX_SETS; s++)
		sdc_free(file->bin[s]);
	if (file->stratum != NULL)
		sdc_free(file->stratum);
	if (file->astray != NULL)
		sdc_free(file->astray);
	sdc_free(file->group);
}

/* ------------------------------------------------------------------------
 * The twin
 * ------------------------------------------------------------------------
 */

/* twin_blank tells whether a released value was taken out, or looks as if it were. */
static inline bool
twin_blank(const File *file, int a, uint32 l)
{
	return file->column[a].blanks && file->protected[a][l] == SDC_CODE_NULL;
}

/* twin_strata tells whether two records can be of one stratum. */
static bool
twin_strata(const File *file, uint32 i, uint32 l)
{
	return file->stratum == NULL || file->stratum[i] == file->stratum[l] ||
		(file->astray != NULL && file->astray[l]);
}

/* twin_window counts positions in the sorted column of the stratum. */
static bool
twin_window(const File *file, int a, SdcCandidatesAttack attack, uint32 i, uint32 l)
{
	uint32		x = file->original[a][i];
	uint32		y = file->protected[a][l];
	int64		width;
	int64		below_x = 0;	/* values below x */
	int64		up_to_x = 0;
	int64		below_y = 0;
	int64		up_to_y = 0;
	int64		values = 0;

	if (x == SDC_CODE_NULL)
		return true;
	width = file->width[a][file->stratum != NULL ? file->stratum[i] : 0];
	if (attack == SDC_CANDIDATES_WIDE && file->column[a].wide != NULL)
		width *= 2;
	for (uint32 r = 0; r < file->task.records; r++)
	{
		uint32		code = file->protected[a][r];

		if (code == SDC_CODE_NULL ||
			(file->stratum != NULL && file->stratum[i] != file->stratum[r]))
			continue;
		values++;
		below_x += code < x;
		up_to_x += code <= x;
		below_y += code < y;
		up_to_y += code <= y;
	}
	/*
	 * The tie group of y begins before the window of x ends, and ends after it begins.  A value that the stratum of x
	 * lacks lies between two positions, or before or behind all of them.
	 */
	return below_y <= up_to_x - 1 + width && up_to_y - 1 >= below_x - width && below_y < values && up_to_y > 0;
}

/* twin_bin looks for an original in the bin of l with the known values of i. */
static bool
twin_bin(const File *file, int set, uint32 i, uint32 l)
{
	for (uint32 r = 0; r < file->task.records; r++)
	{
		bool		same = file->bin[set][r] == file->bin[set][l];

		for (int a = 0; a < file->task.count && same; a++)
			if (file->column[a].kind == SDC_CANDIDATES_JOINT && file->column[a].set == set)
				same = twin_blank(file, a, l) || file->original[a][r] == file->original[a][i];
		if (same)
			return true;
	}
	return false;
}

/* twin_set looks through the set of the group of l. */
static bool
twin_set(const File *file, int a, uint32 i, uint32 l)
{
	uint32		g = file->group[l];

	for (uint64 e = file->start[a][g]; e < file->start[a][g + 1]; e++)
		if (file->element[a][e] == file->original[a][i] || file->element[a][e] == SDC_CANDIDATES_ANYTHING)
			return true;
	return false;
}

/* twin_column tells whether l is compatible with i in a column, but for randomization. */
static bool
twin_column(const File *file, int a, SdcCandidatesAttack attack, uint32 i, uint32 l)
{
	const SdcCandidatesColumn *column = &file->column[a];
	uint32		x = file->original[a][i];
	uint32		y = file->protected[a][l];
	SdcInterval range;

	if (twin_blank(file, a, l))
		return true;
	switch (column->kind)
	{
		case SDC_CANDIDATES_EXACT:
			return x == y;
		case SDC_CANDIDATES_WINDOW:
			return (x == SDC_CODE_NULL) == (y == SDC_CODE_NULL) && twin_strata(file, i, l) &&
				(attack == SDC_CANDIDATES_DISTANCE || twin_window(file, a, attack, i, l));
		case SDC_CANDIDATES_RANDOMIZED:
			return (x == SDC_CODE_NULL) == (y == SDC_CODE_NULL);
		case SDC_CANDIDATES_RANGE:
			range = file->range[a][file->group[l]];
			return range.first == SDC_CODE_NULL ||
				(x != SDC_CODE_NULL && x >= range.first && x <= range.last);
		case SDC_CANDIDATES_SET:
			return twin_set(file, a, i, l);
		case SDC_CANDIDATES_JOINT:
			return column->protected == NULL || (x == SDC_CODE_NULL) == (y == SDC_CODE_NULL);
		default:
			return true;
	}
}

/* choose is the number of sets of b among a. */
static double
choose(int a, int b)
{
	double		result = 1;

	if (b < 0 || b > a)
		return 0;
	for (int t = 1; t <= b; t++)
		result = result * (a - b + t) / t;
	return result;
}

/* twin_average is the mean share of the value of a record in a column, 1 without any. */
static double
twin_average(const SdcCandidatesColumn *column)
{
	double		sum = 0;

	if (column->noise.kind != SDC_NOISE_NONE)
		return (column->noise.unit > 0 ? column->noise.unit : 1) / (2 * sqrt(M_PI) * column->noise.spread);
	for (uint32 c = 0; c < column->codes; c++)
		sum += column->share[c] * column->share[c];
	return sum > 0 ? sum : 1;
}

/* twin_draw is the likelihood of one draw, with all subsets of Same, times what an arbitrary value has for blanks. */
static double
twin_draw(const File *file, int set, uint32 i, uint32 l)
{
	const SdcCandidatesDraw *draw = &file->draw[set];
	double		same[MAX_COLUMNS];
	int			sames = 0;
	int			differ = 0;
	double		changed = 1;
	double		unchanged = 1;
	double		blank = 1;
	double		laws = 1;
	double		sum = 0;

	for (int a = 0; a < file->task.count; a++)
	{
		const SdcCandidatesColumn *column = &file->column[a];
		uint32		x = file->original[a][i];
		uint32		y = file->protected[a][l];

		if (column->kind != SDC_CANDIDATES_RANDOMIZED || column->set != set ||
			x == SDC_CODE_NULL)
			continue;
		if (twin_blank(file, a, l))
		{
			blank *= twin_average(column);
			continue;
		}
		if (draw->laws)
			laws *= exp(column->law != NULL ? column->law[(Size) x * column->codes + y] :
						sdc_noiselaw_log(&column->noise, column->value[x], column->value[y]));
		unchanged -= column->probability * (x == y ? 1 - column->share[x] : 1);
		if (x == y)
			same[sames++] = column->share[x];
		else
		{
			differ++;
			changed *= column->share[y] * (draw->k == 0 ? column->probability : 1);
		}
	}
	if (draw->laws)
		return blank * laws;
	if (draw->k == 0)
		return differ > 1 ? 0 : blank * (differ == 1 ? changed : unchanged > 1e-15 ? unchanged : 0);
	if (draw->retain > 0)
	{
		for (int b = 0; b < sames; b++)
			changed *= draw->retain + (1 - draw->retain) * same[b];
		return blank * changed * pow(1 - draw->retain, differ);
	}
	for (uint32 subset = 0; subset < UINT32_C(1) << sames; subset++)
	{
		double		product = 1;
		int			size = __builtin_popcount(subset);

		for (int b = 0; b < sames; b++)
			product *= subset >> b & 1 ? same[b] : 1;
		sum += product * choose(draw->columns - sames - differ, draw->k - differ - size);
	}
	return blank * changed * sum / choose(draw->columns, draw->k);
}

/* twin_likelihood is the likelihood of a pair, 0 if it is not compatible. */
static double
twin_likelihood(const File *file, SdcCandidatesAttack attack, uint32 i, uint32 l)
{
	double		product = 1;

	for (int a = 0; a < file->task.count; a++)
		if (!twin_column(file, a, attack, i, l))
			return 0;
	for (int s = 0; s < file->task.joints; s++)
		if (!twin_bin(file, s, i, l))
			return 0;
	for (int s = 0; s < file->task.draws; s++)
		product *= twin_draw(file, s, i, l);
	return product;
}

/* twin_scale is the standard deviation of a column, 0 where it tells nothing apart. */
static inline double
twin_scale(const File *file, int a)
{
	double		sum = 0;
	double		squares = 0;
	double		count = 0;

	for (int pass = 0; pass < 2; pass++)
		for (uint32 i = 0; i < file->task.records; i++)
		{
			uint32		code = file->original[a][i];
			double		value = code == SDC_CODE_NULL ? NAN : file->value[a][code];

			if (value != value)
				continue;
			if (pass == 0)
			{
				sum += value;
				count++;
			}
			else
				squares += (value - sum / count) * (value - sum / count);
		}
	return count < 2 || squares < 1e-20 ? 0 : sqrt(squares / (count - 1));
}

/* twin_measure is the square of the distance of a pair; scale[] are those of the columns. */
static inline double
twin_measure(const File *file, const double *scale, uint32 i, uint32 l)
{
	double		sum = 0;
	int			dimensions = 0;
	int			common = 0;

	for (int a = 0; a < file->task.count; a++)
	{
		double		difference = NAN;
		uint32		x = file->original[a][i];
		uint32		y = file->protected[a][l];

		if (scale[a] == 0)
			continue;
		dimensions++;
		if (x != SDC_CODE_NULL && y != SDC_CODE_NULL)
			difference = (file->value[a][x] - file->value[a][y]) / scale[a];
		if (difference != difference)
			continue;
		common++;
		sum += difference * difference;
	}
	if (dimensions == 0)
		return 0;
	return common == 0 ? INFINITY : sum * dimensions / common;
}

/* twin_link attacks record i: work has room for two numbers a record. */
static inline SdcCandidatesLink
twin_link(const File *file, SdcCandidatesAttack attack, const double *scale, uint32 i,
		  double *work)
{
	uint32		records = file->task.records;
	SdcCandidatesLink found = {.link.linked = SDC_RECORD_NONE};
	double	   *likelihood = work;
	double	   *measure = work + records;
	double		most = 0;
	double		least = INFINITY;

	for (uint32 l = 0; l < records; l++)
	{
		likelihood[l] = twin_likelihood(file, attack, i, l);
		measure[l] = twin_measure(file, scale, i, l);
		found.link.candidates += likelihood[l] > 0;
		most = likelihood[l] > most ? likelihood[l] : most;
	}
	found.inside = likelihood[i] > 0;
	for (uint32 l = 0; l < records; l++)
		if (likelihood[l] > 0 && likelihood[l] * (1 + TIE) >= most && measure[l] < least)
			least = measure[l];
	for (uint32 l = 0; l < records; l++)
	{
		if (!(likelihood[l] > 0) || likelihood[l] * (1 + TIE) < most ||
			measure[l] > least * (1 + TIE))
			continue;
		found.link.ties++;
		found.link.linked = l < found.link.linked ? l : found.link.linked;
		found.link.correct = found.link.correct || l == i;
	}
	found.link.distance = isinf(least) ? 0 : sqrt(least);
	return found;
}

/* twin_scales finds the scales of all columns that have a distance. */
static inline void
twin_scales(const File *file, double *scale)
{
	for (int a = 0; a < file->task.count; a++)
	{
		const SdcCandidatesColumn *column = &file->column[a];

		scale[a] = column->value != NULL && (column->kind == SDC_CANDIDATES_WINDOW ||
											 column->kind == SDC_CANDIDATES_UNKNOWN) ?
			twin_scale(file, a) : 0;
	}
}

#endif							/* SDC_TEST_CANDIDATETWIN_H */
