/*-------------------------------------------------------------------------
 *
 * loss.c
 *		Information loss between an original and a protected file of numbers.
 *
 * The moments of the whole files (moments.c), the measures that follow from them
 * (lossterms.c), and here the part of the probabilistic measure that takes the whole
 * column: the change of the quantiles of 5, 10, .., 95 percent, in units of the
 * sampling error sqrt(q (1 - q) / n) / f(Q_q).
 *
 * Quantiles interpolate linearly between order statistics (definition 7 of R. J. Hyndman
 * and Y. Fan, "Sample quantiles in statistical packages", The American Statistician 50,
 * 1996; what R and NumPy do).  The publication leaves the density open: here a Gaussian
 * kernel estimate whose width is B. W. Silverman's rule of thumb (Density
 * Estimation, 1986, equation 3.31) with the fallbacks of R's bw.nrd0.  A value 8.5 widths
 * away adds 2e-16 of what one at the place adds, and is not looked at.
 *
 * Time: O(records attributes^2) for the moments; the quantiles take a sort by
 * radix of each column and an exponential function for each distinct value near a
 * quantile.  Memory: the columns of a file with bitmaps, and two words a record for the sort.  Sums are
 * compensated and in record order; the result is determined by the inputs.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include "kernel/base/bitset.h"
#include "kernel/base/moments.h"
#include "kernel/base/ordered.h"
#include "kernel/base/sortkey.h"
#include "kernel/loss/loss.h"
#include "kernel/loss/lossterms.h"
#include "kernel/loss/lostvalues.h"
#include "kernel/loss/margins.h"

/* The quantiles: 5, 10, .., 95 percent. */
#define QUANTILES 19
#define QUANTILE_STEP 5			/* percent */
#define LOWER_QUARTILE 4		/* indexes of those of 25 and 75 percent */
#define UPPER_QUARTILE 14

/* How many widths of the kernel count. */
#define KERNEL_REACH 8.5

/* A key of 64 bits in digits whose histograms stay in the first-level cache. */
#define DIGIT_BITS 11
#define DIGIT_VALUES (1 << DIGIT_BITS)
#define DIGITS 6

/* A quantile: a value, and what was added to it, which a sum might lose. */
typedef struct Quantile
{
	double		value;
	double		more;
} Quantile;

/* One column and what is made of it. */
typedef struct Sorter
{
	uint64	   *key;			/* sorted, of the values there are */
	uint64	   *spare;
	uint32	   *histogram;		/* DIGITS times DIGIT_VALUES */
	uint32		n;
	/* lost values, of which quantiles take each to be the same number */
	uint32		lost;
	uint32		place;			/* of the first of them among all */
	double		number;
} Sorter;

/* value_at is a value of the sorted column. */
static inline double
value_at(const Sorter *sorter, uint32 i)
{
	uint64		key = sorter->key[i];
	uint64		bits = (key & SDC_SORTKEY_SIGN) ? key ^ SDC_SORTKEY_SIGN : ~key;
	double		value;

	memcpy(&value, &bits, sizeof(value));
	return value;
}

/* digit_of is a digit of a key, from the least significant one. */
static inline uint32
digit_of(uint64 key, int digit)
{
	return (uint32) (key >> (digit * DIGIT_BITS)) & (DIGIT_VALUES - 1);
}

/* load_column takes the keys of the values there are and counts their digits. */
static void
load_column(Sorter *sorter, const double *column, uint32 records)
{
	memset(sorter->histogram, 0, sizeof(uint32) * DIGITS * DIGIT_VALUES);
	sorter->n = 0;
	sorter->lost = 0;
	for (uint32 start = 0, end; start < records; start = end)
	{
		end = sdc_interrupts_block(start, records);
		for (uint32 i = start; i < end; i++)
		{
			uint64		key;

			if (!sdc_moments_present(column[i]))
				continue;
			key = sdc_sortkey_from_float8(column[i]);
			sorter->key[sorter->n++] = key;
			for (int digit = 0; digit < DIGITS; digit++)
				sorter->histogram[digit * DIGIT_VALUES + (int) digit_of(key, digit)]++;
		}
	}
}

/* sort_pass moves the keys to their places by one digit, and exchanges the arrays. */
static void
sort_pass(Sorter *sorter, int digit)
{
	uint32	   *place = sorter->histogram + digit * DIGIT_VALUES;
	uint64	   *from = sorter->key;
	uint64	   *to = sorter->spare;
	uint32		sum = 0;

	for (int value = 0; value < DIGIT_VALUES; value++)
	{
		uint32		count = place[value];

		place[value] = sum;
		sum += count;
	}
	for (uint32 start = 0, end; start < sorter->n; start = end)
	{
		end = sdc_interrupts_block(start, sorter->n);
		for (uint32 i = start; i < end; i++)
			to[place[digit_of(from[i], digit)]++] = from[i];
	}
	sorter->key = to;
	sorter->spare = from;
}

/* sort_column sorts a column; a digit in which all keys agree needs no pass. */
static void
sort_column(Sorter *sorter, const double *column, uint32 records)
{
	load_column(sorter, column, records);
	for (int digit = 0; sorter->n > 0 && digit < DIGITS; digit++)
	{
		uint32		first = digit_of(sorter->key[0], digit);

		if (sorter->histogram[digit * DIGIT_VALUES + (int) first] < sorter->n)
			sort_pass(sorter, digit);
	}
}

/* first_from is the place of the first value of the sorted column that is >= value. */
static uint32
first_from(const Sorter *sorter, double value)
{
	uint64		key = sdc_sortkey_from_float8(value);
	uint32		low = 0;
	uint32		high = sorter->n;

	SDC_BISECT(low, high, middle, sorter->key[middle] < key);
	return low;
}

/* take_lost puts lost values into a sorted column, all of them as one number. */
static void
take_lost(Sorter *sorter, uint32 lost, double number)
{
	sorter->lost = lost;
	sorter->place = first_from(sorter, number);
	sorter->number = number;
}

/* value_among is a value of the sorted column, lost ones among the others. */
static double
value_among(const Sorter *sorter, uint32 i)
{
	if (i < sorter->place || sorter->lost == 0)
		return value_at(sorter, i);
	return i - sorter->place < sorter->lost ? sorter->number : value_at(sorter, i - sorter->lost);
}

/* find_quantiles computes the quantiles of a sorted column that is not empty. */
static void
find_quantiles(const Sorter *sorter, Quantile *quantile)
{
	for (int q = 0; q < QUANTILES; q++)
	{
		uint64		place = ((uint64) sorter->n + sorter->lost - 1) * (uint64) (QUANTILE_STEP * (q + 1));
		uint32		below = (uint32) (place / 100);
		double		part = (double) (place % 100) / 100;
		double		value = value_among(sorter, below);

		quantile[q].value = value;
		quantile[q].more = part > 0 ? part * (value_among(sorter, below + 1) - value) : 0;
	}
}

/* distance_of is how far quantile b is above a. */
static inline double
distance_of(Quantile a, Quantile b)
{
	return (b.value - a.value) + (b.more - a.more);
}

/*
 * kernel_width is Silverman's rule as R's bw.nrd0 has it, of the standard deviation
 * and the distance of the quartiles, or of the first alone where the second is 0.  Not all
 * values are equal.
 */
static double
kernel_width(const Sorter *sorter, double deviation, const Quantile *quantile)
{
	double		spread = distance_of(quantile[LOWER_QUARTILE], quantile[UPPER_QUARTILE]) / 1.34;

	if (!(spread < deviation))
		spread = deviation;
	if (spread == 0)
		spread = deviation;
	return 0.9 * spread * pow((double) sorter->n, -0.2);
}

/* density_at is the density estimate at a place. */
static double
density_at(const Sorter *sorter, Quantile at, double width)
{
	uint32		from = first_from(sorter, at.value + (at.more - KERNEL_REACH * width));
	uint32		to = first_from(sorter, at.value + (at.more + KERNEL_REACH * width));
	SdcMomentsSum sum = {0, 0};
	uint64		last_key = 0;	/* that of no number */
	double		last = 0;

	for (uint32 start = from, end; start < to; start = end)
	{
		double		piece = 0;

		end = sdc_interrupts_block(start, to);
		for (uint32 i = start; i < end; i++)
		{
			if (sorter->key[i] != last_key)
			{
				double		distance = ((value_at(sorter, i) - at.value) - at.more) / width;

				last_key = sorter->key[i];
				last = exp(-0.5 * distance * distance);
			}
			piece += last;
		}
		sdc_moments_add(&sum, piece);
	}
	return sdc_moments_total(&sum) / ((double) sorter->n * width * sqrt(2 * M_PI));
}

/* add_undefined leaves out the quantiles of one attribute. */
static void
add_undefined(SdcLossterms *terms)
{
	for (int q = 0; q < QUANTILES; q++)
		sdc_lossterms_add(terms, NAN, 0);
}

/* find_change finds how far quantiles are from those of a sorted column, or can be when values of it are lost. */
static void
find_change(Sorter *sorter, const Quantile *from, uint32 lost, SdcLostRange range, double *change)
{
	Quantile	to[QUANTILES];

	for (int end = 0; end < (lost > 0 ? 2 : 1); end++)
	{
		/* no quantile falls when a value rises */
		if (lost > 0)
			take_lost(sorter, lost, end == 0 ? range.low : range.high);
		find_quantiles(sorter, to);
		for (int q = 0; q < QUANTILES; q++)
		{
			double		distance = fabs(distance_of(from[q], to[q]));

			if (end == 0 || !(distance <= change[q]))
				change[q] = distance;
		}
	}
}

/* add_quantiles adds the terms of the quantiles of one attribute. */
static void
add_quantiles(Sorter *sorter, const double *original, const double *protected, uint32 records,
			  const SdcMoments *moments, const SdcMomentsCells *cells, SdcLossterms *terms)
{
	double		deviation = sqrt(moments->m2 / (double) (moments->n - 1));
	uint32		lost = (uint32) cells->lost.n;
	double		share = lost == 0 ? 0 : (double) lost / (double) moments->n;
	Quantile	quantile[QUANTILES];
	double		density[QUANTILES];
	double		change[QUANTILES];
	bool		constant;
	double		width;
	uint32		n;

	sort_column(sorter, original, records);
	n = sorter->n;
	constant = n == 1 || deviation == 0;
	if (n == 0 || (!constant && !sdc_moments_present(deviation)))
	{
		add_undefined(terms);
		return;
	}
	find_quantiles(sorter, quantile);
	width = constant ? 0 : kernel_width(sorter, deviation, quantile);
	for (int q = 0; q < QUANTILES; q++)
		density[q] = constant ? 0 : density_at(sorter, quantile[q], width);

	sort_column(sorter, protected, records);
	if (sorter->n + lost == 0)
	{
		add_undefined(terms);
		return;
	}
	find_change(sorter, quantile, lost, sdc_lostvalues_range(cells, moments), change);
	for (int q = 0; q < QUANTILES; q++)
	{
		double		level = QUANTILE_STEP * (q + 1) / 100.0;

		/* the quantile of a constant has no sampling variance: it is kept, or lost, or has no term */
		if (constant && (lost > 0 || change[q] > 0))
			sdc_lossterms_add_pil(terms, lost > 0 ? INFINITY : NAN, share);
		else
			/* multiplied, so that a density of 0, an infinite error, divides nothing */
			sdc_lossterms_add_pil(terms, change[q] * density[q] *
								  sqrt((double) n / (level * (1 - level))), share);
	}
}

/* start_sorter makes room for columns to sort, and end_sorter gives it back. */
static void
start_sorter(Sorter *sorter, uint32 records)
{
	sorter->key = sdc_alloc_array(uint64, records);
	sorter->spare = sdc_alloc_array(uint64, records);
	sorter->histogram = sdc_alloc_matrix(uint32, DIGITS, DIGIT_VALUES);
}

static void
end_sorter(Sorter *sorter)
{
	sdc_free(sorter->histogram);
	sdc_free(sorter->spare);
	sdc_free(sorter->key);
}

/* What a measurement works with. */
typedef struct Measuring
{
	const SdcLossTask *task;
	double	  **columns;		/* of the file at work */
	SdcMomentsTable table;
} Measuring;

/* fill_file gets the columns of a file and fills the table. */
static void
fill_file(Measuring *measuring, int file, int words)
{
	for (int j = 0; j < measuring->table.attributes; j++)
		measuring->task->column(measuring->task->arg, file == SDC_MOMENTS_PROTECTED, j, measuring->columns[j]);
	sdc_moments_file((const double *const *) measuring->columns, measuring->task->weight[file], file, words,
					 &measuring->table);
}

/* mark_presence marks which values of the file at work there are. */
static uint64 *
mark_presence(const Measuring *measuring)
{
	Size		words = sdc_bitset_words(measuring->task->records);
	uint64	   *present = sdc_alloc_matrix(uint64, measuring->table.attributes, words);

	for (int j = 0; j < measuring->table.attributes; j++)
		sdc_moments_presence(measuring->columns[j], measuring->task->records, present + (Size) j * words);
	return present;
}

/* fill_table fills the table from both files, but for the cells; the protected one is at work then. */
static void
fill_table(Measuring *measuring)
{
	uint64	   *original;
	uint64	   *protected;

	fill_file(measuring, SDC_MOMENTS_ORIGINAL, measuring->task->with_pil ? SDC_MOMENTS_FOURTH : SDC_MOMENTS_SECOND);
	original = mark_presence(measuring);
	SDC_REPORT(1, (uint64) measuring->table.attributes + 3);
	fill_file(measuring, SDC_MOMENTS_PROTECTED, SDC_MOMENTS_SECOND);
	protected = mark_presence(measuring);
	sdc_moments_lost(original, protected, measuring->task->weight[SDC_MOMENTS_ORIGINAL], &measuring->table);
	sdc_free(protected);
	sdc_free(original);
}

/* deviation_of is the standard deviation of a column without weights. */
static double
deviation_of(const double *column, uint32 records)
{
	SdcMarginsRecords of = {.records = records};
	SdcMarginsSpread spread;

	sdc_margins_spread(column, NULL, &of, &spread);
	return spread.deviation;
}

/* sdc_loss_measure: see loss.h. */
void
sdc_loss_measure(const SdcLossTask *task, SdcLoss *loss)
{
	uint32		records = task->records;
	int			attributes = task->attributes;
	bool		with_pil = task->with_pil;
	const double *weight = task->weight[SDC_MOMENTS_ORIGINAL];
	void	   *memory = sdc_alloc(sdc_moments_table_size(attributes));
	Measuring	measuring = {task, sdc_alloc_array(double *, attributes), {0}};
	SdcMomentsTable *table = &measuring.table;
	double	   *original;
	double	   *deviation = weight == NULL ? NULL : sdc_alloc_array(double, attributes);
	SdcLossterms quantiles = {.terms = 0};
	Sorter		sorter;

	sdc_moments_table_map(memory, attributes, table);
	table->records = records;
	for (int j = 0; j < attributes; j++)
		measuring.columns[j] = sdc_alloc_array(double, records);
	fill_table(&measuring);
	memset(table->cells, 0, sizeof(SdcMomentsCells) * (Size) attributes);
	if (with_pil)
		start_sorter(&sorter, records);
	original = sdc_alloc_array(double, records);
	for (int j = 0; j < attributes; j++)
	{
		const double *protected = measuring.columns[j];

		task->column(task->arg, false, j, original);
		SDC_REPORT(2 + j, (uint64) attributes + 3);
		sdc_moments_cells(original, protected, weight, records, &table->cells[j]);
		if (weight != NULL)
			deviation[j] = deviation_of(original, records);
		if (with_pil)
			add_quantiles(&sorter, original, protected, records, &table->attribute[SDC_MOMENTS_ORIGINAL][j],
						  &table->cells[j], &quantiles);
		sdc_free(measuring.columns[j]);
	}
	sdc_free(original);
	if (with_pil)
		end_sorter(&sorter);
	SDC_REPORT((uint64) attributes + 2, (uint64) attributes + 3);
	sdc_lossterms_measure(table, with_pil, with_pil ? &quantiles : NULL, deviation, loss);
	if (deviation != NULL)
		sdc_free(deviation);
	sdc_free(measuring.columns);
	sdc_free(memory);
}
