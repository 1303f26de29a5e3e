/*-------------------------------------------------------------------------
 *
 * contingency.c
 *		How much two attributes tell of each other: chi-square of their contingency table.
 *
 * K. Pearson's statistic (1900): the sum of (O - E)^2 / E over the cells of the table, E = row
 * total times column total over all.  Only records that have both values count.
 *
 * Most cells of a large table are empty, and are not visited: together they add the sum of their E,
 * which is n less the sum of E over the others.  In integers this is (n^2 - sum r c) / n, and
 * (O - E)^2 / E = (O n - r c)^2 / (r c n): so nothing cancels that was rounded before, and a
 * table of independent attributes has exactly 0.
 *
 * A small table is counted in place.  For a large one the records are sorted by radix, by the
 * second attribute for the totals of the columns and then by the first: equal cells are
 * neighbours.  Both visit the cells in the order of their codes, so that the sum is the same to
 * the last bit, whatever the order of the records, and whether there are many codes that occur in
 * no record.
 *
 * Time: linear.  Memory: 20 bytes a record; a table is small if its counts fit into that.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include "kernel/base/moments.h"
#include "kernel/base/wordsort.h"
#include "kernel/groups/contingency.h"

/* Cells that are always counted in place. */
#define SMALL_TABLE 4096

/* Sums over the cells. */
typedef struct Sums
{
	uint64		records;
	uint64		products;		/* of the totals of cells with records: at most records^2 < 2^64 */
	SdcMomentsSum chi_square;
} Sums;

/* add_cell adds a cell with records in it. */
static inline void
add_cell(Sums *sums, uint64 count, uint64 row, uint64 column)
{
	uint64		observed = count * sums->records;
	uint64		product = row * column;
	double		difference = (double) (observed > product ? observed - product :
									   product - observed);

	sums->products += product;
	sdc_moments_add(&sums->chi_square, difference / (double) product *
					(difference / (double) sums->records));
}

/* finish adds the empty cells. */
static void
finish(Sums *sums, SdcContingency *result)
{
	result->records = sums->records;
	if (sums->records > 0)
		sdc_moments_add(&sums->chi_square,
						(double) (sums->records * sums->records - sums->products) /
						(double) sums->records);
	result->chi_square = sdc_moments_total(&sums->chi_square);
}

/* in_place: whether the table is so small that its cells are counted in place. */
static bool
in_place(const SdcCodedColumn *a, const SdcCodedColumn *b, uint32 records)
{
	return a->codes > 0 && b->codes > 0 &&
		(uint64) a->codes * b->codes <= (records > SMALL_TABLE ? records : SMALL_TABLE);
}

/* count_in_place counts the cells, the rows and the columns of a small table. */
static uint64
count_in_place(const SdcCodedColumn *a, const SdcCodedColumn *b, uint32 records,
			   uint32 *cell, uint32 *row, uint32 *column)
{
	uint64		both = 0;

	for (uint32 r = 0; r < records; r++)
	{
		sdc_interrupts_step(r);
		if (a->code[r] == SDC_CODE_NULL || b->code[r] == SDC_CODE_NULL)
			continue;
		cell[(Size) a->code[r] * b->codes + b->code[r]]++;
		both++;
	}
	for (uint32 i = 0; i < a->codes; i++)
	{
		for (uint32 j = 0; j < b->codes; j++, cell++)
		{
			sdc_interrupts_step(j);
			row[i] += *cell;
			column[j] += *cell;
		}
	}
	return both;
}

/* count_values counts the totals that are not 0. */
static uint32
count_values(const uint32 *total, uint32 codes)
{
	uint32		values = 0;

	for (uint32 i = 0; i < codes; i++)
	{
		sdc_interrupts_step(i);
		values += total[i] > 0;
	}
	return values;
}

/* run_in_place computes chi-square of a small table. */
static void
run_in_place(const SdcCodedColumn *a, const SdcCodedColumn *b, uint32 records,
			 Sums *sums, SdcContingency *result)
{
	Size		cells = (Size) a->codes * b->codes;
	uint32	   *cell = sdc_alloc_zeros(uint32, cells + a->codes + b->codes);
	uint32	   *row = cell + cells;
	uint32	   *column = row + a->codes;

	sums->records = count_in_place(a, b, records, cell, row, column);
	for (Size i = 0; i < a->codes; i++)
	{
		if (row[i] == 0)
			continue;
		for (Size j = 0; j < b->codes; j++)
		{
			uint32		count = cell[i * b->codes + j];

			sdc_interrupts_step(j);
			if (count > 0)
				add_cell(sums, count, row[i], column[j]);
		}
	}
	result->rows = count_values(row, a->codes);
	result->columns = count_values(column, b->codes);
	sdc_free(cell);
}

/* run_end is where a run of words ends that agree when shifted. */
static inline uint64
run_end(const uint64 *word, uint64 start, uint64 count, int shift)
{
	uint64		end = start;

	do
	{
		sdc_interrupts_step(end);
		end++;
	} while (end < count && word[end] >> shift == word[start] >> shift);
	return end;
}

/* load_words makes words of the codes of the records that have both, the column's above. */
static uint64
load_words(const SdcCodedColumn *a, const SdcCodedColumn *b, uint32 records, uint64 *word)
{
	uint64		both = 0;

	for (uint32 r = 0; r < records; r++)
	{
		sdc_interrupts_step(r);
		if (a->code[r] != SDC_CODE_NULL && b->code[r] != SDC_CODE_NULL)
			word[both++] = (uint64) b->code[r] << 32 | a->code[r];
	}
	return both;
}

/* number_columns puts the row above the number of the column, and counts the columns' records. */
static uint32
number_columns(uint64 *word, uint64 count, uint32 *column)
{
	uint32		columns = 0;

	for (uint64 i = 0, end; i < count; i = end)
	{
		end = run_end(word, i, count, 32);
		column[columns] = (uint32) (end - i);
		for (uint64 k = i; k < end; k++)
		{
			sdc_interrupts_step(k);
			word[k] = word[k] << 32 | columns;
		}
		columns++;
	}
	return columns;
}

/* run_sorted computes chi-square of a large table. */
static void
run_sorted(const SdcCodedColumn *a, const SdcCodedColumn *b, uint32 records,
		   Sums *sums, SdcContingency *result)
{
	uint64	   *first = sdc_alloc_matrix(uint64, 2, records);
	uint64	   *second = first + records;
	uint32	   *column = sdc_alloc_array(uint32, records);
	uint64		count = load_words(a, b, records, first);
	uint64	   *word;

	sums->records = count;
	word = sdc_wordsort(first, second, count, 32, sdc_wordsort_width(b->codes));
	result->columns = number_columns(word, count, column);
	word = sdc_wordsort(word, word == first ? second : first, count, 32,
						sdc_wordsort_width(a->codes));
	for (uint64 i = 0, end; i < count; i = end)
	{
		end = run_end(word, i, count, 32);
		for (uint64 k = i, next; k < end; k = next)
		{
			next = run_end(word, k, end, 0);
			add_cell(sums, next - k, end - i, column[(uint32) word[k]]);
		}
		result->rows++;
	}
	sdc_free(column);
	sdc_free(first);
}

/* sdc_contingency takes the way that suits the table. */
void
sdc_contingency(const SdcCodedColumn *a, const SdcCodedColumn *b, uint32 records,
				SdcContingency *result)
{
	Sums		sums;

	memset(&sums, 0, sizeof(sums));
	memset(result, 0, sizeof(*result));
	if (in_place(a, b, records))
		run_in_place(a, b, records, &sums, result);
	else
		run_sorted(a, b, records, &sums, result);
	finish(&sums, result);
}
