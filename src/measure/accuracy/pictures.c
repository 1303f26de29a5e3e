/*-------------------------------------------------------------------------
 *
 * pictures.c
 *		What the pictures of a report show of a release, beside its source.
 *
 * Of every column a histogram and its statistics, of every two columns of numbers their correlations, of a few of these
 * pairs the values of some records.
 *
 * Memory: the columns (releasecolumns.h), two words for each value of one of them, and the numbers of all.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "kernel/bins/correlationbias.h"
#include "measure/accuracy/pictures.h"
#include "measure/accuracy/statisticerrors.h"
#include "miscadmin.h"
#include "relation/base/memory.h"
#include "relation/base/progress.h"
#include "relation/column/celljson.h"
#include "relation/frame/releasecolumns.h"

/* A column of numbers has so many bins, unless it has no more values than bars. */
#define BINS 20
#define BARS 8

/* The records below and above which values belong to the last bins, as a share of all. */
#define TAIL 0.005

/* Pairs of columns whose values are shown, and records of each. */
#define PLOTS 4
#define POINTS 300

/* The work on one release. */
typedef struct Drawing
{
	const SdcReleaseColumns *columns;
	SdcPictureEmit emit;
	void	   *arg;
	const SdcReleaseColumn *column; /* that is at work, */
	SdcStatisticFile file[2];	/* and what is known of it in both files */
} Drawing;

/* put emits a mark of the column at work. */
static void
put(const Drawing *drawing, const char *what, int place, Datum label, const double *number)
{
	SdcPicture	picture = {.what = what, .x = drawing->column->name, .place = place, .label = label};

	memcpy(picture.number, number, sizeof(picture.number));
	drawing->emit(drawing->arg, &picture);
}

/* put_statistic emits a statistic: SdcStatisticErrorEmit. */
static void
put_statistic(void *arg, const SdcStatisticError *error)
{
	const Drawing *drawing = arg;
	SdcPicture	picture = {.what = "statistic", .x = error->column, .y = error->statistic,
	.number = {error->original, error->protected, NAN, NAN}};

	drawing->emit(drawing->arg, &picture);
}

/* mass_of is the weight of the records with a value of the column at work in one of the files. */
static inline double
mass_of(const Drawing *drawing, int file, uint32 code)
{
	return drawing->file[file].margins.count[code];
}

/* put_facts emits what the values of a column are like. */
static void
put_facts(const Drawing *drawing)
{
	double		number[SDC_PICTURE_NUMBERS] = {0, 0, NAN, NAN};
	double		there[2] = {0, 0};

	for (uint32 c = 0; c < drawing->column->pair.codes; c++)
	{
		sdc_interrupts_step(c);
		number[0] += mass_of(drawing, 0, c) > 0;
		number[1] = Max(number[1], mass_of(drawing, 0, c));
		there[0] += mass_of(drawing, 0, c);
		there[1] += mass_of(drawing, 1, c);
	}
	number[1] = drawing->file[0].margins.mass > 0 ? number[1] / drawing->file[0].margins.mass : NAN;
	for (int file = 0; file < 2; file++)
	{
		double		all = drawing->file[file].margins.mass;

		number[2 + file] = all > 0 ? 1 - there[file] / all : NAN;
	}
	put(drawing, "column", 0, (Datum) 0, number);
}

/* put_bar emits the bar of a code, with its value. */
static void
put_bar(const Drawing *drawing, int place, uint32 code)
{
	const SdcReleaseColumn *column = drawing->column;
	double		number[SDC_PICTURE_NUMBERS] = {NAN, mass_of(drawing, 0, code), mass_of(drawing, 1, code), NAN};
	Datum		label = (Datum) 0;

	if (column->pair.value != NULL)
		number[0] = column->pair.value[code];
	else if (column->values.dictionary != NULL)
	{
		SdcCellJson *json = sdc_celljson_create(list_make1(unconstify(char *, column->name)), &column->type.typid);
		Datum		value = sdc_dictionary_value(column->values.dictionary, column->values.number[code]);
		bool		isnull = false;

		label = sdc_celljson_build(json, &value, &isnull);
	}
	put(drawing, "bar", place, label, number);
}

/* most_frequent finds the most frequent codes of a column, and returns them in the order of their values. */
static void
most_frequent(const Drawing *drawing, uint32 *top, uint32 wanted)
{
	uint32		count = 0;

	for (uint32 c = 0; c < drawing->column->pair.codes; c++)
	{
		double		mass = Max(mass_of(drawing, 0, c), mass_of(drawing, 1, c));
		uint32		least = 0;

		sdc_interrupts_step(c);
		if (count < wanted)
		{
			top[count++] = c;
			continue;
		}
		for (uint32 i = 1; i < wanted; i++)
			if (Max(mass_of(drawing, 0, top[i]), mass_of(drawing, 1, top[i])) <=
				Max(mass_of(drawing, 0, top[least]), mass_of(drawing, 1, top[least])))
				least = i;
		if (mass <= Max(mass_of(drawing, 0, top[least]), mass_of(drawing, 1, top[least])))
			continue;
		memmove(top + least, top + least + 1, sizeof(uint32) * (wanted - least - 1));
		top[wanted - 1] = c;
	}
}

/* put_bars emits the bars of a column: of its most frequent values, and one of all others. */
static void
put_bars(const Drawing *drawing)
{
	uint32		codes = drawing->column->pair.codes;
	uint32		shown = codes <= BARS ? codes : BARS - 1;
	double		others[SDC_PICTURE_NUMBERS] = {NAN, 0, 0, NAN};
	uint32		top[BARS];
	uint32		next = 0;

	most_frequent(drawing, top, shown);
	for (uint32 c = 0; c < codes; c++)
	{
		sdc_interrupts_step(c);
		if (next < shown && top[next] == c)
		{
			put_bar(drawing, (int) next++, c);
			continue;
		}
		others[1] += mass_of(drawing, 0, c);
		others[2] += mass_of(drawing, 1, c);
	}
	if (codes > shown)
		put(drawing, "bar", BARS, (Datum) 0, others);
}

/* find_ends finds the values below and above which there are few records of both files; false: there are no values. */
static bool
find_ends(const Drawing *drawing, double *low, double *high)
{
	const SdcPairColumn *pair = &drawing->column->pair;
	double		all = 0;
	double		passed = 0;

	*low = *high = NAN;
	for (uint32 c = 0; c < pair->codes; c++)
		if (isfinite(pair->value[c]))
			all += mass_of(drawing, 0, c) + mass_of(drawing, 1, c);
	for (uint32 c = 0; c < pair->codes; c++)
	{
		sdc_interrupts_step(c);
		if (!isfinite(pair->value[c]))
			continue;
		passed += mass_of(drawing, 0, c) + mass_of(drawing, 1, c);
		if (isnan(*low) && passed > TAIL * all)
			*low = pair->value[c];
		*high = pair->value[c];
		if (passed >= (1 - TAIL) * all)
			break;
	}
	return isfinite(*high - *low);
}

/* put_bins emits the bins of a column of numbers. */
static void
put_bins(const Drawing *drawing)
{
	const SdcPairColumn *pair = &drawing->column->pair;
	double		bin[BINS][2] = {{0}};
	double		low;
	double		high;

	if (!find_ends(drawing, &low, &high))
		return;
	if (high <= low)
		high = low + 1;
	for (uint32 c = 0; c < pair->codes; c++)
	{
		double		place;
		int			index;

		sdc_interrupts_step(c);
		if (!isfinite(pair->value[c]))
			continue;
		place = BINS * ((pair->value[c] - low) / (high - low));
		index = place >= BINS ? BINS - 1 : place <= 0 ? 0 : (int) place;
		bin[index][0] += mass_of(drawing, 0, c);
		bin[index][1] += mass_of(drawing, 1, c);
	}
	for (int i = 0; i < BINS; i++)
	{
		const double number[SDC_PICTURE_NUMBERS] = {low + (high - low) * i / BINS, low + (high - low) * (i + 1) / BINS,
		bin[i][0], bin[i][1]};

		put(drawing, "bin", i, (Datum) 0, number);
	}
}

/* The columns of numbers, their values, and their correlations. */
typedef struct Numbers
{
	int			count;
	int		   *column;
	double	  **value[2];
	double	   *rho[2];			/* of i > j at i (i + 1) / 2 + j */
} Numbers;

/* draw_column emits the marks of a column, and keeps its numbers, if it has some. */
static void
draw_column(Drawing *drawing, int number, Numbers *numbers)
{
	drawing->column = &drawing->columns->column[number];
	for (int file = 0; file < 2; file++)
		sdc_statisticerrors_load(drawing->columns, number, file, &drawing->file[file]);
	put_facts(drawing);
	if (drawing->column->kind == SDC_VALUE_NOMINAL || drawing->column->pair.codes <= BARS)
		put_bars(drawing);
	else
		put_bins(drawing);
	sdc_statisticerrors_of(drawing->columns, number, drawing->file, put_statistic, drawing);
	for (int file = 0; file < 2; file++)
		numbers->value[file][numbers->count] = drawing->file[file].value;
	if (drawing->file[0].value != NULL)
		numbers->column[numbers->count++] = number;
}

/* correlate finds the correlations of all pairs. */
static void
correlate(const SdcReleaseColumns *columns, Numbers *numbers)
{
	Size		places = Max((Size) numbers->count * ((Size) numbers->count + 1) / 2, 1);

	for (int file = 0; file < 2; file++)
		numbers->rho[file] = sdc_alloc_array(double, places);
	(void) sdc_correlationbias_pairs((const double *const *) numbers->value[0],
									 (const double *const *) numbers->value[1],
									 numbers->count, columns->records, numbers->rho);
}

/* A pair of columns, and why it is shown. */
typedef struct Plot
{
	int			x;
	int			y;
	double		by;
} Plot;

/* choose takes a pair among those that are shown, if it is one: by what it is, or by how much it changes. */
static void
choose(Plot *plot, int plots, int x, int y, double by)
{
	for (int i = 0; i < plots; i++)
	{
		Plot		last = plot[i];

		if (!(by > last.by))
			continue;
		plot[i] = (Plot) {x, y, by};
		x = last.x;
		y = last.y;
		by = last.by;
	}
}

/* put_points emits the values of some records in one of the files. */
static void
put_points(const Drawing *drawing, const Numbers *numbers, const Plot *plot, int file)
{
	uint32		records = drawing->columns->records;
	uint32		points = Min(records, POINTS);

	for (uint32 i = 0; i < points; i++)
	{
		/* multiples of the golden section are spread evenly whatever their number, and in step with no order */
		double		turn = (i + 1) * 0.6180339887498949;
		uint32		r = records <= POINTS ? i : (uint32) ((turn - floor(turn)) * records);
		SdcPicture	picture = {.what = file == 1 ? "after" : "before", .place = (int) i,
			.x = drawing->columns->column[numbers->column[plot->x]].name,
			.y = drawing->columns->column[numbers->column[plot->y]].name,
		.number = {numbers->value[file][plot->x][r], numbers->value[file][plot->y][r], NAN, NAN}};

		if (isfinite(picture.number[0]) && isfinite(picture.number[1]))
			drawing->emit(drawing->arg, &picture);
	}
}

/*
 * draw_pairs emits the correlations of all pairs, and the points of those that have most in common in the source, and
 * of those that change most.
 */
static void
draw_pairs(const Drawing *drawing, const Numbers *numbers)
{
	Plot		plot[PLOTS] = {{0}};
	Size		place = 0;

	for (int i = 0; i < numbers->count; i++)
		for (int j = 0; j <= i; j++, place++)
		{
			SdcPicture	picture = {.what = "pair", .x = drawing->columns->column[numbers->column[j]].name,
				.y = drawing->columns->column[numbers->column[i]].name,
			.number = {numbers->rho[0][place], numbers->rho[1][place], NAN, NAN}};

			CHECK_FOR_INTERRUPTS();
			if (j == i || isnan(picture.number[0]) || isnan(picture.number[1]))
				continue;
			drawing->emit(drawing->arg, &picture);
			/* of few values points would lie on each other */
			if (drawing->columns->column[numbers->column[i]].pair.codes <= BARS ||
				drawing->columns->column[numbers->column[j]].pair.codes <= BARS)
				continue;
			choose(plot, PLOTS / 2, j, i, fabs(picture.number[0]));
			choose(plot + PLOTS / 2, PLOTS / 2, j, i, fabs(picture.number[1] - picture.number[0]));
		}
	for (int p = 0; p < PLOTS; p++)
	{
		bool		shown = plot[p].by == 0;

		for (int before = 0; before < p; before++)
			shown = shown || (plot[before].x == plot[p].x && plot[before].y == plot[p].y);
		for (int file = 0; file < 2 && !shown; file++)
			put_points(drawing, numbers, &plot[p], file);
	}
}

/* sdc_pictures_measure: see pictures.h. */
void
sdc_pictures_measure(Oid catalog_schema, Oid release, SdcPictureEmit emit, void *arg)
{
	SdcReleaseColumnsRequest request = {.catalog_schema = catalog_schema, .release = release, .labels = true,
	.weight = {.wanted = true}};
	SdcReleaseColumns *columns = sdc_releasecolumns_open(&request);
	Drawing		drawing = {.columns = columns, .emit = emit, .arg = arg};
	Numbers		numbers = {0};

	numbers.column = palloc(sizeof(int) * Max(columns->columns, 1));
	for (int file = 0; file < 2; file++)
		numbers.value[file] = palloc(sizeof(double *) * Max(columns->columns, 1));
	sdc_progress_evaluating(columns->records, columns->columns + 1);
	for (int i = 0; i < columns->columns; i++)
	{
		CHECK_FOR_INTERRUPTS();
		draw_column(&drawing, i, &numbers);
		sdc_progress_next_part();
	}
	for (int file = 0; file < 2; file++)
		sdc_margins_end(&drawing.file[file].margins);
	correlate(columns, &numbers);
	draw_pairs(&drawing, &numbers);
	sdc_releasecolumns_close(columns);
}
