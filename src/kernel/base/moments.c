/*-------------------------------------------------------------------------
 *
 * moments.c
 *		Central moments of the attributes of two files and of their pairs.
 *
 * Moments are computed in two passes, from the deviations, and merged by moving both
 * sides to the common mean: the pairwise formulas of T. F. Chan, G. H. Golub
 * and R. J. LeVeque, "Algorithms for computing the sample variance", The American
 * Statistician 37, 1983, and for higher orders P. Pebay, "Formulas for robust, one-pass
 * parallel computation of covariances and arbitrary-order statistical moments",
 * Sandia report 2008-6212.  There the sides are combined in one formula; here
 * each is moved (move_marginal, move_cross) and they are added, which is the same
 * algebra in fewer words.
 *
 * The mean comes from a compensated sum, as a double and what that lacks: deviations from
 * both together are right to the last bits even where a double cannot hold the
 * mean.  Values that are all equal are their mean.
 *
 * Products are summed by chunks of records that stay in the first-level cache, in two
 * lanes, and the chunks with compensation.  The order of all sums is fixed by the
 * code: the same doubles everywhere.  O(records attributes^2) time.  A moment that
 * overflows (values beyond 10^75) is infinite or NaN, which users of the table
 * take as not known.
 *
 * A record with a weight is that many records: sums are of weights times values, and the number of values is the sum of
 * the weights (mass).  Only sums of the first and second order are weighted.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include "kernel/base/bitset.h"
#include "kernel/base/doublelanes.h"
#include "kernel/base/moments.h"

/* Deviations of a chunk of 10 attributes fill 20 kB.  A multiple of SDC_DOUBLELANES. */
#define CHUNK 256

/* The ends of a range are known to a part of it: 1/32 to 1/15. */
#define RANGE_STEPS 32

/* The least double above zero is 2 to this power. */
#define LEAST_EXPONENT (-1074)

/* pairs_of is the number of pairs of attributes. */
static inline Size
pairs_of(int attributes)
{
	return (Size) attributes * (Size) (attributes - 1) / 2;
}

/* sdc_moments_table_size: see moments.h. */
Size
sdc_moments_table_size(int attributes)
{
	Size		k = (Size) attributes;
	Size		pairs = pairs_of(attributes);

	return SDC_MOMENTS_FILES * sizeof(SdcMoments) * (k + 2 * pairs) +
		((SDC_MOMENTS_FOURTH + SDC_MOMENTS_SECOND) * sizeof(double) + sizeof(double)) * pairs +
		sizeof(SdcMomentsCells) * k;
}

/* sdc_moments_table_map leaves the contents, and the number of records, alone. */
void
sdc_moments_table_map(void *memory, int attributes, SdcMomentsTable *table)
{
	Size		pairs = pairs_of(attributes);
	SdcMoments *moments = memory;
	double	   *cross;

	table->attributes = attributes;
	for (int file = 0; file < SDC_MOMENTS_FILES; file++)
	{
		table->attribute[file] = moments;
		table->own[file] = moments + attributes;
		moments += (Size) attributes + 2 * pairs;
	}
	cross = (double *) moments;
	for (int file = 0; file < SDC_MOMENTS_FILES; file++)
	{
		table->cross[file] = cross;
		cross += pairs * (Size) sdc_moments_words(file);
	}
	table->lost = cross;
	table->cells = (SdcMomentsCells *) (table->lost + pairs);
}

/* sdc_moments_complete: see moments.h. */
bool
sdc_moments_complete(const SdcMomentsTable *table, int file, int i, int j)
{
	return table->attribute[file][i].n == table->records &&
		table->attribute[file][j].n == table->records;
}

/* sdc_moments_pair: see moments.h. */
void
sdc_moments_pair(const SdcMomentsTable *table, int file, Size number, int i, int j,
				 SdcMomentsPair *pair)
{
	if (sdc_moments_complete(table, file, i, j))
	{
		pair->x = &table->attribute[file][i];
		pair->y = &table->attribute[file][j];
	}
	else
	{
		pair->x = &table->own[file][2 * number];
		pair->y = pair->x + 1;
	}
	pair->cross = table->cross[file] + number * (Size) sdc_moments_words(file);
}

/*
 * product_error is what the product of two doubles lost (T. J. Dekker, "A floating-point
 * technique for extending the available precision", Numerische Mathematik 18, 1971).
 */
static double
product_error(double a, double b)
{
	const double splitter = 134217729;	/* 2^27 + 1 */
	double		a_high = a * splitter - (a * splitter - a);
	double		b_high = b * splitter - (b * splitter - b);
	double		a_low = a - a_high;
	double		b_low = b - b_high;

	return ((a_high * b_high - a * b) + a_high * b_low + a_low * b_high) + a_low * b_low;
}

/* sdc_moments_mean: the low part is what the division lost, and the carry. */
SdcMomentsMean
sdc_moments_mean(const SdcMoments *moments)
{
	const SdcMomentsSum *sum = &moments->sum;
	double		n = moments->mass;
	SdcMomentsMean mean = {0, 0};

	if (moments->n == 0)
		return mean;
	mean.high = sdc_moments_total(sum) / n;
	mean.low = (((sum->sum - mean.high * n) - product_error(mean.high, n)) + sum->carry) / n;
	return mean;
}

/*
 * sdc_moments_distance subtracts the parts one by one: the high ones are near each
 * other, and lose nothing.
 */
double
sdc_moments_distance(const SdcMoments *a, const SdcMoments *b)
{
	SdcMomentsMean from = sdc_moments_mean(a);
	SdcMomentsMean to = sdc_moments_mean(b);

	return (to.high - from.high) + (to.low - from.low);
}

/* piece_of is how many records there are from start to the next interrupt check. */
static inline uint64
piece_of(uint64 start, uint64 n, uint64 most)
{
	return n - start < most ? n - start : most;
}

/*
 * gather copies at most CHUNK numbers of the records that have a value in x and in "with", pads
 * them to whole lanes with zeros, and returns how many there are.  Where values are
 * missing at random a branch would be mispredicted all the time.
 */
static int
gather(const double *number, const double *x, const double *with, int n, double *value)
{
	int			count = 0;

	for (int i = 0; i < n; i++)
	{
		value[count] = number[i];
		count += (int) sdc_moments_present(x[i]) & (int) sdc_moments_present(with[i]);
	}
	for (int i = count; i % SDC_DOUBLELANES != 0; i++)
		value[i] = 0;
	return count;
}

/*
 * fill_deviations writes the deviations of at most CHUNK values from a mean, as above, times the root of the weight:
 * sums of their squares and products are weighted then.
 */
static int
fill_deviations(const double *x, const double *with, const double *weight, int n, SdcMomentsMean mean,
				double *deviation)
{
	double		weights[CHUNK + SDC_DOUBLELANES];
	int			count = gather(x, x, with, n, deviation);

	for (int i = 0; i < count; i++)
		deviation[i] = (deviation[i] - mean.high) - mean.low;
	if (weight == NULL)
		return count;
	(void) gather(weight, x, with, n, weights);
	for (int i = 0; i < count; i++)
		deviation[i] *= sqrt(weights[i]);
	return count;
}

/* add_lanes is sdc_moments_add for a sum in each lane. */
static inline void
add_lanes(SdcDoubleLanes *sum, SdcDoubleLanes *carry, SdcDoubleLanes value)
{
	SdcDoubleLanes total = *sum + value;
	SdcDoubleLanes added = total - *sum;

	*carry += (*sum - (total - added)) + (value - added);
	*sum = total;
}

/* weigh multiplies the values that gather has copied by their weights, which it adds to a sum. */
static void
weigh(const double *weight, const double *x, const double *with, int n, double *value, SdcMomentsSum *mass)
{
	double		weights[CHUNK + SDC_DOUBLELANES];
	int			count = gather(weight, x, with, n, weights);

	for (int i = 0; i < count; i++)
	{
		value[i] *= weights[i];
		sdc_moments_add(mass, weights[i]);
	}
}

/*
 * sum_values sums the values that are there, in records with a value in "with" too, and their weights,
 * and returns how many there are.  *first is the first of them, *varies whether
 * another is different.
 */
static uint64
sum_values(const double *x, const double *with, const double *weight, uint64 n, SdcMomentsSum *sum, double *mass,
		   double *first, bool *varies)
{
	double		value[CHUNK + SDC_DOUBLELANES];
	SdcDoubleLanes sums = {0, 0};
	SdcDoubleLanes carries = {0, 0};
	SdcMomentsSum weights = {0, 0};
	uint64		total = 0;

	*first = 0;
	*varies = false;
	for (uint64 start = 0; start < n; start += CHUNK)
	{
		int			length = (int) piece_of(start, n, CHUNK);
		int			count;
		int			different = 0;

		SDC_CHECK_INTERRUPTS();
		count = gather(x + start, x + start, with + start, length, value);
		if (total == 0 && count > 0)
			*first = value[0];
		for (int i = 0; i < count; i++)
			different |= value[i] != *first;
		if (weight != NULL)
			weigh(weight + start, x + start, with + start, length, value, &weights);
		for (int i = 0; i < count; i += SDC_DOUBLELANES)
			add_lanes(&sums, &carries, sdc_doublelanes_read(value + i));
		*varies = *varies || different;
		total += (uint64) count;
	}
	*sum = (SdcMomentsSum) {sums[0], carries[0]};
	sdc_moments_add(sum, sums[1]);
	sum->carry += carries[1];
	*mass = weight == NULL ? (double) total : sdc_moments_total(&weights);
	return total;
}

/*
 * find_mean fills number and sum of the values of x in records that have a value
 * in "with" too, and returns their mean.  Values that are all equal are their mean without a
 * division: beyond 10^9 of them a sum could lose the last of its bits.
 */
static SdcMomentsMean
find_mean(const double *x, const double *with, const double *weight, uint64 n, SdcMoments *moments)
{
	double		first;
	bool		varies;

	memset(moments, 0, sizeof(SdcMoments));
	moments->n = sum_values(x, with, weight, n, &moments->sum, &moments->mass, &first, &varies);
	return varies ? sdc_moments_mean(moments) : (SdcMomentsMean) {first, 0};
}

/* add_powers adds the powers of n deviations to three sums. */
static void
add_powers(const double *deviation, int n, SdcMomentsSum *sums)
{
	double		m2 = 0;
	double		m3 = 0;
	double		m4 = 0;

	for (int i = 0; i < n; i++)
	{
		double		square = deviation[i] * deviation[i];

		m2 += square;
		m3 += square * deviation[i];
		m4 += square * square;
	}
	sdc_moments_add(&sums[0], m2);
	sdc_moments_add(&sums[1], m3);
	sdc_moments_add(&sums[2], m4);
}

/* set_powers stores the three sums. */
static void
set_powers(SdcMoments *moments, const SdcMomentsSum *sums)
{
	moments->m2 = sdc_moments_total(&sums[0]);
	moments->m3 = sdc_moments_total(&sums[1]);
	moments->m4 = sdc_moments_total(&sums[2]);
}

/* add_cross adds a product to a compensated sum in two arrays. */
static inline void
add_cross(double *cross, double *carry, SdcDoubleLanes lanes)
{
	SdcMomentsSum sum = {*cross, *carry};

	sdc_moments_add(&sum, lanes[0] + lanes[1]);
	*cross = sum.sum;
	*carry = sum.carry;
}

/*
 * add_products adds the products of the deviations of a pair, padded to whole
 * lanes.  The sum of the first is made in the same way in either case, so that two
 * equal files have equal covariances.
 */
static void
add_products(const double *dx, const double *dy, int n, int words, double *cross, double *carry)
{
	SdcDoubleLanes s11 = {0, 0};
	SdcDoubleLanes s21 = s11;
	SdcDoubleLanes s12 = s11;
	SdcDoubleLanes s22 = s11;
	SdcDoubleLanes s31 = s11;
	SdcDoubleLanes s13 = s11;

	if (words == SDC_MOMENTS_SECOND)
	{
		for (int i = 0; i < n; i += SDC_DOUBLELANES)
			s11 += sdc_doublelanes_read(dx + i) * sdc_doublelanes_read(dy + i);
		add_cross(cross, carry, s11);
		return;
	}
	for (int i = 0; i < n; i += SDC_DOUBLELANES)
	{
		SdcDoubleLanes x = sdc_doublelanes_read(dx + i);
		SdcDoubleLanes y = sdc_doublelanes_read(dy + i);
		SdcDoubleLanes xy = x * y;
		SdcDoubleLanes xxy = x * xy;
		SdcDoubleLanes xyy = xy * y;

		s11 += xy;
		s21 += xxy;
		s12 += xyy;
		s22 += xy * xy;
		s31 += x * xxy;
		s13 += xyy * y;
	}
	add_cross(&cross[SDC_MOMENTS_11], &carry[SDC_MOMENTS_11], s11);
	add_cross(&cross[SDC_MOMENTS_21], &carry[SDC_MOMENTS_21], s21);
	add_cross(&cross[SDC_MOMENTS_12], &carry[SDC_MOMENTS_12], s12);
	add_cross(&cross[SDC_MOMENTS_22], &carry[SDC_MOMENTS_22], s22);
	add_cross(&cross[SDC_MOMENTS_31], &carry[SDC_MOMENTS_31], s31);
	add_cross(&cross[SDC_MOMENTS_13], &carry[SDC_MOMENTS_13], s13);
}

/* weight_from is the weights from a record on, or NULL. */
static inline const double *
weight_from(const double *weight, uint64 start)
{
	return weight == NULL ? NULL : weight + start;
}

/* fill_attribute computes the moments of one attribute, and returns its mean. */
static SdcMomentsMean
fill_attribute(const double *x, const double *weight, uint64 n, SdcMoments *moments)
{
	SdcMomentsSum sums[3] = {{0, 0}, {0, 0}, {0, 0}};
	SdcMomentsMean mean = find_mean(x, x, weight, n, moments);
	double		deviation[CHUNK + SDC_DOUBLELANES];

	for (uint64 start = 0; start < n; start += CHUNK)
	{
		int			length = (int) piece_of(start, n, CHUNK);

		SDC_CHECK_INTERRUPTS();
		length = fill_deviations(x + start, x + start, weight_from(weight, start), length, mean, deviation);
		add_powers(deviation, length, sums);
	}
	set_powers(moments, sums);
	return mean;
}

/* fill_pair computes the moments of a pair in which values are missing. */
static void
fill_pair(const double *x, const double *y, const double *weight, uint64 n, int words, SdcMoments *own, double *cross)
{
	SdcMomentsSum sums[2][3] = {{{0, 0}, {0, 0}, {0, 0}}, {{0, 0}, {0, 0}, {0, 0}}};
	SdcMomentsMean mean_x = find_mean(x, y, weight, n, &own[0]);
	SdcMomentsMean mean_y = find_mean(y, x, weight, n, &own[1]);
	double		carry[SDC_MOMENTS_CROSS] = {0};
	double		dx[CHUNK + SDC_DOUBLELANES];
	double		dy[CHUNK + SDC_DOUBLELANES];

	for (uint64 start = 0; start < n; start += CHUNK)
	{
		int			length = (int) piece_of(start, n, CHUNK);
		int			count;

		SDC_CHECK_INTERRUPTS();
		count = fill_deviations(x + start, y + start, weight_from(weight, start), length, mean_x, dx);
		(void) fill_deviations(y + start, x + start, weight_from(weight, start), length, mean_y, dy);
		add_powers(dx, count, sums[0]);
		add_powers(dy, count, sums[1]);
		add_products(dx, dy, count, words, cross, carry);
	}
	set_powers(&own[0], sums[0]);
	set_powers(&own[1], sums[1]);
	for (int w = 0; w < words; w++)
		cross[w] += carry[w];
}

/* What filling a table for one file works with. */
typedef struct Filler
{
	const double *const *column;
	const double *weight;		/* of every record, or NULL */
	int			file;
	int			words;
	SdcMomentsTable *table;
	SdcMomentsMean *mean;		/* of every attribute */
	double	   *deviation;		/* a chunk of every attribute */
	double	   *carry;			/* what the sums of pairs have lost */
} Filler;

/* add_chunk adds the products of all complete pairs in a chunk of records. */
static void
add_chunk(const Filler *filler, uint64 start, int length)
{
	const SdcMomentsTable *table = filler->table;
	int			file = filler->file;
	int			words = filler->words;
	Size		stride = (Size) sdc_moments_words(file);
	Size		room = (Size) length + SDC_DOUBLELANES;
	Size		number = 0;

	for (int j = 0; j < table->attributes; j++)
	{
		const double *x = filler->column[j] + start;

		if (sdc_moments_complete(table, file, j, j))
			(void) fill_deviations(x, x, weight_from(filler->weight, start), length, filler->mean[j],
								   filler->deviation + (Size) j * room);
	}
	for (int i = 0; i < table->attributes; i++)
	{
		SDC_CHECK_INTERRUPTS();
		for (int j = i + 1; j < table->attributes; j++, number++)
		{
			if (sdc_moments_complete(table, file, i, j))
				add_products(filler->deviation + (Size) i * room,
							 filler->deviation + (Size) j * room, length, words,
							 table->cross[file] + number * stride,
							 filler->carry + number * (Size) words);
		}
	}
}

/* finish_pairs adds what the sums of complete pairs lost, and computes the other pairs. */
static void
finish_pairs(const Filler *filler)
{
	SdcMomentsTable *table = filler->table;
	int			file = filler->file;
	Size		number = 0;

	for (int i = 0; i < table->attributes; i++)
	{
		SDC_CHECK_INTERRUPTS();
		for (int j = i + 1; j < table->attributes; j++, number++)
		{
			double	   *cross = table->cross[file] + number * (Size) sdc_moments_words(file);
			const double *carry = filler->carry + number * (Size) filler->words;

			if (!sdc_moments_complete(table, file, i, j))
				fill_pair(filler->column[i], filler->column[j], filler->weight, table->records, filler->words,
						  &table->own[file][2 * number], cross);
			else
			{
				for (int w = 0; w < filler->words; w++)
					cross[w] += carry[w];
			}
		}
	}
}

/* chunk_of is the longest chunk of so many records. */
static inline Size
chunk_of(uint64 records)
{
	return records < CHUNK ? (Size) records : CHUNK;
}

/* sdc_moments_file_memory: see Filler. */
Size
sdc_moments_file_memory(uint64 records, int attributes)
{
	return (Size) attributes * sizeof(SdcMomentsMean) +
		sizeof(double) * ((chunk_of(records) + SDC_DOUBLELANES) * (Size) attributes +
						  SDC_MOMENTS_FOURTH * pairs_of(attributes));
}

/* sdc_moments_file: see moments.h. */
void
sdc_moments_file(const double *const *column, const double *weight, int file, int words, SdcMomentsTable *table)
{
	uint64		n = table->records;
	int			k = table->attributes;
	Filler		filler = {column, weight, file, words, table, NULL, NULL, NULL};

	SDC_ASSERT(words <= sdc_moments_words(file) && (weight == NULL || words == SDC_MOMENTS_SECOND));
	filler.mean = sdc_alloc(sdc_moments_file_memory(n, k));
	filler.deviation = (double *) (filler.mean + k);
	filler.carry = filler.deviation + (chunk_of(n) + SDC_DOUBLELANES) * (Size) k;
	memset(filler.carry, 0, pairs_of(k) * (Size) words * sizeof(double));
	memset(table->cross[file], 0,
		   pairs_of(k) * (Size) sdc_moments_words(file) * sizeof(double));
	for (int j = 0; j < k; j++)
		filler.mean[j] = fill_attribute(column[j], weight, n, &table->attribute[file][j]);
	for (uint64 start = 0; k > 1 && start < n; start += CHUNK)
		add_chunk(&filler, start, (int) piece_of(start, n, CHUNK));
	finish_pairs(&filler);
	sdc_free(filler.mean);
}

/* sdc_moments_presence: see moments.h. */
void
sdc_moments_presence(const double *column, uint64 n, uint64 *bitmap)
{
	memset(bitmap, 0, sdc_bitset_bytes(n));
	for (uint64 start = 0; start < n; start += SDC_BITSET_BITS)
	{
		uint64		end = start + piece_of(start, n, SDC_BITSET_BITS);
		uint64		word = 0;

		if (start % SDC_INTERRUPT_STEPS == 0)
			SDC_CHECK_INTERRUPTS();
		for (uint64 i = start; i < end; i++)
			word |= (uint64) sdc_moments_present(column[i]) << (i - start);
		bitmap[start / SDC_BITSET_BITS] = word;
	}
}

/* any_missing tells whether a bitmap lacks a bit of another. */
static bool
any_missing(const uint64 *bits, const uint64 *of, Size words)
{
	for (Size w = 0; w < words; w++)
		if ((of[w] & ~bits[w]) != 0)
			return true;
	return false;
}

/* mass_of is the sum of the weights of the records of a bitmap, or how many there are. */
static double
mass_of(const uint64 *bits, Size words, const double *weight)
{
	SdcMomentsSum mass = {0, 0};

	if (weight == NULL)
		return (double) sdc_bitset_count(bits, words);
	for (Size w = 0; w < words; w++)
		for (uint64 left = bits[w]; left != 0; left &= left - 1)
			sdc_moments_add(&mass, weight[w * SDC_BITSET_BITS + (Size) __builtin_ctzll(left)]);
	return sdc_moments_total(&mass);
}

/* sdc_moments_lost: a pair is lost where the original file has it and the protected one does not. */
void
sdc_moments_lost(const uint64 *original, const uint64 *protected, const double *weight, SdcMomentsTable *table)
{
	int			k = table->attributes;
	Size		words = sdc_bitset_words(table->records);
	uint64	   *both = sdc_alloc_array(uint64, words);
	bool	   *any = sdc_alloc_array(bool, k);
	Size		number = 0;

	for (int j = 0; j < k; j++)
		any[j] = any_missing(protected + (Size) j * words, original + (Size) j * words, words);
	for (int i = 0; i < k; i++)
		for (int j = i + 1; j < k; j++, number++)
		{
			table->lost[number] = 0;
			if (!any[i] && !any[j])
				continue;
			SDC_CHECK_INTERRUPTS();
			memcpy(both, original + (Size) i * words, words * sizeof(uint64));
			sdc_bitset_intersect(both, original + (Size) j * words, words);
			table->lost[number] = mass_of(both, words, weight);
			sdc_bitset_intersect(both, protected + (Size) i * words, words);
			sdc_bitset_intersect(both, protected + (Size) j * words, words);
			table->lost[number] -= mass_of(both, words, weight);
		}
	sdc_free(any);
	sdc_free(both);
}

/*
 * widen_range makes room in the range of the cells, which has some cells if not first.  Its ends are multiples of the
 * least power of two of which it takes RANGE_STEPS at most: they tell no value, and are the same in whatever order
 * values and ranges come, as the multiples of a power of two are those of all smaller ones.
 */
static void
widen_range(SdcMomentsCells *cells, bool first, double low, double high)
{
	int			exponent = DBL_MAX_EXP + 1;
	double		unit;

	if (!first)
	{
		low = cells->least < low ? cells->least : low;
		high = cells->greatest > high ? cells->greatest : high;
	}
	if (high > low)
	{
		if (high - low <= DBL_MAX)
			(void) frexp(high - low, &exponent);
		unit = ldexp(1, exponent - 6 > LEAST_EXPONENT ? exponent - 6 : LEAST_EXPONENT);
		while (ceil(high / unit) - floor(low / unit) > RANGE_STEPS)
			unit *= 2;
		low = floor(low / unit) * unit;
		high = ceil(high / unit) * unit;
	}
	cells->least = low < -DBL_MAX ? -DBL_MAX : low;
	cells->greatest = high > DBL_MAX ? DBL_MAX : high;
}

/* add_original takes an original value into the range of the cells. */
static inline void
add_original(SdcMomentsCells *cells, double x)
{
	bool		first = cells->cells.n + cells->lost.n == 0;

	if (first || x < cells->least || x > cells->greatest)
		widen_range(cells, first, x, x);
}

/* count adds a cell of a weight to a number of cells. */
static inline void
count(SdcMomentsCount *cells, double weight)
{
	cells->n++;
	cells->mass += weight;
}

/* add_lost adds a lost cell: what it costs is known when the range of all is. */
static void
add_lost(SdcMomentsCells *cells, double x, double weight)
{
	count(&cells->lost, weight);
	if (!sdc_moments_present(1 / fabs(x)))
		return;
	sdc_moments_add(&cells->inverse, weight / fabs(x));
	count(&cells->inverses, weight);
}

/* add_cell adds a cell: a difference, or a ratio, that is too large for a double is no term of its sum. */
static inline void
add_cell(SdcMomentsCells *cells, double x, double protected, double weight)
{
	double		difference = fabs(x - protected);
	double		ratio = difference / fabs(x);

	count(&cells->cells, weight);
	if (!sdc_moments_present(difference))
		return;
	sdc_moments_add(&cells->absolute, weight * difference);
	count(&cells->absolutes, weight);
	if (!sdc_moments_present(ratio))
		return;					/* also where x is 0 */
	sdc_moments_add(&cells->relative, weight * ratio);
	count(&cells->relatives, weight);
}

/* sdc_moments_cells: see moments.h. */
void
sdc_moments_cells(const double *original, const double *protected, const double *weight, uint64 n,
				  SdcMomentsCells *cells)
{
	for (uint64 start = 0; start < n; start += SDC_INTERRUPT_STEPS)
	{
		uint64		end = start + piece_of(start, n, SDC_INTERRUPT_STEPS);

		SDC_CHECK_INTERRUPTS();
		for (uint64 i = start; i < end; i++)
		{
			double		mass = weight == NULL ? 1 : weight[i];

			if (!sdc_moments_present(original[i]))
				continue;
			add_original(cells, original[i]);
			if (sdc_moments_present(protected[i]))
				add_cell(cells, original[i], protected[i], mass);
			else
				add_lost(cells, original[i], mass);
		}
	}
}

/*
 * move_marginal is the moments about a point that is p below the mean: the powers of
 * a binomial, in which the sum of the deviations themselves is 0.
 */
static void
move_marginal(const SdcMoments *from, double p, SdcMoments *to)
{
	double		n = from->mass;

	to->m2 = from->m2 + n * p * p;
	to->m3 = from->m3 + 3 * p * from->m2 + n * p * p * p;
	to->m4 = from->m4 + 4 * p * from->m3 + 6 * p * p * from->m2 + n * p * p * p * p;
}

/* move_cross is the products about a point that is (p, q) below the means, in the same way. */
static void
move_cross(const SdcMomentsPair *pair, double p, double q, int words, double *to)
{
	const double *c = pair->cross;
	double		n = pair->x->mass;
	double		m20 = pair->x->m2;
	double		m02 = pair->y->m2;

	to[SDC_MOMENTS_11] = c[SDC_MOMENTS_11] + n * p * q;
	if (words == SDC_MOMENTS_SECOND)
		return;
	to[SDC_MOMENTS_21] = c[SDC_MOMENTS_21] + 2 * p * c[SDC_MOMENTS_11] + q * m20 + n * p * p * q;
	to[SDC_MOMENTS_12] = c[SDC_MOMENTS_12] + 2 * q * c[SDC_MOMENTS_11] + p * m02 + n * p * q * q;
	to[SDC_MOMENTS_22] = c[SDC_MOMENTS_22] + 2 * q * c[SDC_MOMENTS_21] + 2 * p * c[SDC_MOMENTS_12] +
		q * q * m20 + p * p * m02 + 4 * p * q * c[SDC_MOMENTS_11] + n * p * p * q * q;
	to[SDC_MOMENTS_31] = c[SDC_MOMENTS_31] + 3 * p * c[SDC_MOMENTS_21] + q * pair->x->m3 +
		3 * p * p * c[SDC_MOMENTS_11] + 3 * p * q * m20 + n * p * p * p * q;
	to[SDC_MOMENTS_13] = c[SDC_MOMENTS_13] + 3 * q * c[SDC_MOMENTS_12] + p * pair->y->m3 +
		3 * q * q * c[SDC_MOMENTS_11] + 3 * p * q * m02 + n * p * q * q * q;
}

/* merge_marginal adds the values of b to a. */
static void
merge_marginal(SdcMoments *a, const SdcMoments *b)
{
	SdcMoments	moved_a;
	SdcMoments	moved_b;
	SdcMomentsSum sum = a->sum;
	double		distance = sdc_moments_distance(a, b);
	double		n = a->mass + b->mass;

	if (b->n == 0)
		return;
	move_marginal(a, -distance * (b->mass / n), &moved_a);
	move_marginal(b, distance * (a->mass / n), &moved_b);
	sdc_moments_add(&sum, b->sum.sum);
	sum.carry += b->sum.carry;
	a->n += b->n;
	a->mass = n;
	a->sum.sum = sdc_moments_total(&sum);
	a->sum.carry = (sum.sum - a->sum.sum) + sum.carry;
	a->m2 = moved_a.m2 + moved_b.m2;
	a->m3 = moved_a.m3 + moved_b.m3;
	a->m4 = moved_a.m4 + moved_b.m4;
}

/* merge_cross adds the products of pair b to those of pair a, in cross. */
static void
merge_cross(const SdcMomentsPair *a, const SdcMomentsPair *b, int words, double *cross)
{
	double		moved_a[SDC_MOMENTS_CROSS];
	double		moved_b[SDC_MOMENTS_CROSS];
	double		p = sdc_moments_distance(a->x, b->x);
	double		q = sdc_moments_distance(a->y, b->y);
	double		n = a->x->mass + b->x->mass;
	double		share_a = a->x->mass / n;
	double		share_b = b->x->mass / n;

	if (b->x->n == 0)
		return;
	move_cross(a, -p * share_b, -q * share_b, words, moved_a);
	move_cross(b, p * share_a, q * share_a, words, moved_b);
	for (int w = 0; w < words; w++)
		cross[w] = moved_a[w] + moved_b[w];
}

/*
 * merge_pair adds pair number (i, j) of another table.  The attributes of the table
 * must not have been merged yet.  A pair that becomes incomplete gets moments of
 * its own, which until now were those of the attributes.
 */
static void
merge_pair(SdcMomentsTable *table, const SdcMomentsTable *other, int file, Size number,
		   int i, int j)
{
	int			words = sdc_moments_words(file);
	SdcMoments *own = &table->own[file][2 * number];
	SdcMomentsPair a;
	SdcMomentsPair b;

	sdc_moments_pair(table, file, number, i, j, &a);
	sdc_moments_pair(other, file, number, i, j, &b);
	merge_cross(&a, &b, words, table->cross[file] + number * (Size) words);
	if (sdc_moments_complete(table, file, i, j) && sdc_moments_complete(other, file, i, j))
		return;
	if (a.x != own)
	{
		own[0] = *a.x;
		own[1] = *a.y;
	}
	merge_marginal(&own[0], b.x);
	merge_marginal(&own[1], b.y);
}

/* add_count adds a number of cells to another. */
static void
add_count(SdcMomentsCount *a, const SdcMomentsCount *b)
{
	a->n += b->n;
	a->mass += b->mass;
}

/* merge_cells adds the cells of b to a. */
static void
merge_cells(SdcMomentsCells *a, const SdcMomentsCells *b)
{
	if (b->cells.n + b->lost.n > 0)
		widen_range(a, a->cells.n + a->lost.n == 0, b->least, b->greatest);
	sdc_moments_add(&a->relative, b->relative.sum);
	a->relative.carry += b->relative.carry;
	sdc_moments_add(&a->absolute, b->absolute.sum);
	a->absolute.carry += b->absolute.carry;
	sdc_moments_add(&a->inverse, b->inverse.sum);
	a->inverse.carry += b->inverse.carry;
	add_count(&a->cells, &b->cells);
	add_count(&a->relatives, &b->relatives);
	add_count(&a->absolutes, &b->absolutes);
	add_count(&a->lost, &b->lost);
	add_count(&a->inverses, &b->inverses);
}

/* sdc_moments_merge: see moments.h. */
void
sdc_moments_merge(SdcMomentsTable *table, const SdcMomentsTable *other)
{
	SDC_ASSERT(table->attributes == other->attributes);
	for (int file = 0; file < SDC_MOMENTS_FILES; file++)
	{
		Size		number = 0;

		for (int i = 0; i < table->attributes; i++)
		{
			SDC_CHECK_INTERRUPTS();
			for (int j = i + 1; j < table->attributes; j++, number++)
				merge_pair(table, other, file, number, i, j);
		}
		for (int j = 0; j < table->attributes; j++)
			merge_marginal(&table->attribute[file][j], &other->attribute[file][j]);
	}
	for (Size number = 0; number < pairs_of(table->attributes); number++)
		table->lost[number] += other->lost[number];
	for (int j = 0; j < table->attributes; j++)
		merge_cells(&table->cells[j], &other->cells[j]);
	table->records += other->records;
}
