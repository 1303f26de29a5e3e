/*-------------------------------------------------------------------------
 *
 * assign.c
 *		Probabilistic record linkage one to one: a linear sum assignment.
 *
 * Shortest augmenting paths (R. Jonker and A. Volgenant, "A shortest augmenting path
 * algorithm for dense and sparse linear assignment problems", Computing 38, 1987): a
 * greedy beginning, two rounds of augmenting row reduction, and for each row
 * still free a path by Dijkstra's algorithm.  Deviations: the matrix of costs does
 * not exist, a row is computed from the codes whenever it is needed; the
 * row reduction gives up after so many steps; and costs are rounded.
 *
 * Costs are weights rounded to 2^-36 with the sign changed, so that sums and differences
 * are exact as long as they are below 2^17: equal is equal, and what is optimal does not depend
 * on errors of rounding.  The sum of the weights is that of an optimum but for n 2^-37.
 *
 * Deterministic, but the optimum is not unique, and which one is found must say nothing of
 * who is who: with "the first record in key order" on both sides records that
 * agree with none would be linked with their own protected ones.  So protected
 * records are taken in a scrambled order, that depends on their number only.
 *
 * O(n^3) at worst, O(n) memory.  A row costs n times a fraction of the attributes.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include <math.h>

#include "kernel/agreement/assign.h"

#define FREE UINT32_MAX

/* Costs are multiples of 1 / COST_UNITS. */
#define COST_UNITS 68719476736.0

/* Attributes whose agreement is one byte of a pattern, with a table of weights. */
#define TABLE_BITS 8
#define TABLE_SIZE (1 << TABLE_BITS)
#define TABLES (SDC_AGREEMENT_ATTRIBUTES / TABLE_BITS)

/* Codes compared at once.  Memory is aligned for words only, and codes are written singly. */
#define LANES 8
typedef uint16 Lanes __attribute__((vector_size(2 * LANES), aligned(2), may_alias));

/* Codes of 16 bits that equal nothing. */
#define NONE_ORIGINAL UINT16_MAX
#define NONE_PROTECTED (UINT16_MAX - 1)

/* Rounds of row reduction, and the steps of a round, in multiples of n. */
#define REDUCTIONS 2
#define REDUCTION_STEPS 2

typedef struct Assigner
{
	/* set once; columns are protected records in scrambled order */
	SdcAgreementRows rows;
	uint32		n;
	uint32		blocks;			/* of LANES columns */
	int			tables;
	double	   *table;			/* costs, TABLES times TABLE_SIZE */
	Lanes	   *code;			/* codes of the columns, blocks for each attribute */
	uint32	   *record;			/* the protected record of each column */

	/* changes */
	uint32	   *column_of;		/* of each row, or FREE */
	uint32	   *row_of;			/* of each column, or FREE */
	double	   *price;			/* of each column: the dual variable */
	Lanes	   *pattern;		/* of a row, one table at a time */
	double	   *cost;			/* of the row that was computed last */

	/* changes in a search */
	double	   *distance;		/* of each column */
	uint32	   *before;			/* the row that a column was reached from */
	uint32	   *queue;			/* columns reached at the smallest distance, in order */
	bool	   *queued;			/* they are, or were at a smaller one */
} Assigner;

/* scramble is a bijection of 32-bit words (the finalizer of MurmurHash3, A. Appleby). */
static inline uint32
scramble(uint32 x)
{
	x ^= x >> 16;
	x *= UINT32_C(0x85EBCA6B);
	x ^= x >> 13;
	x *= UINT32_C(0xC2B2AE35);
	return x ^ x >> 16;
}

/* scramble_columns sorts records by their scrambled indexes, by insertion into a shell. */
static void
scramble_columns(Assigner *assigner)
{
	uint32	   *record = assigner->record;

	for (uint32 i = 0; i < assigner->n; i++)
		record[i] = i;
	for (uint32 gap = 4095; gap > 0; gap /= 2)
	{
		SDC_CHECK_INTERRUPTS();
		for (uint32 i = gap; i < assigner->n; i++)
		{
			uint32		moving = record[i];
			uint32		hole = i;

			for (; hole >= gap && scramble(record[hole - gap] + 1) > scramble(moving + 1);
				 hole -= gap)
				record[hole] = record[hole - gap];
			record[hole] = moving;
		}
	}
}

/* fill_table makes the costs of the patterns of TABLE_BITS attributes each, rounded. */
static void
fill_table(Assigner *assigner, const SdcLinkModel *model)
{
	for (int i = 0; i < assigner->tables; i++)
	{
		double	   *of = assigner->table + i * TABLE_SIZE;
		int			first = i * TABLE_BITS;

		of[0] = 0;
		for (int bit = 0; bit < TABLE_BITS && first + bit < model->attributes; bit++)
		{
			double		m = model->m[first + bit];
			double		u = model->u[first + bit];
			double		agree = -rint(log2(m / u) * COST_UNITS) / COST_UNITS;
			double		disagree = -rint(log2((1 - m) / (1 - u)) * COST_UNITS) / COST_UNITS;
			int			half = 1 << bit;

			for (int p = 0; p < half; p++)
			{
				of[half + p] = of[p] + agree;
				of[p] += disagree;
			}
		}
	}
}

/* fill_codes lays the codes of the columns side by side. */
static void
fill_codes(Assigner *assigner)
{
	const SdcAgreementRows *rows = &assigner->rows;

	for (int j = 0; j < rows->attributes; j++)
	{
		uint16	   *code = (uint16 *) (assigner->code + (Size) j * assigner->blocks);

		SDC_CHECK_INTERRUPTS();
		for (uint32 column = 0; column < assigner->blocks * LANES; column++)
			code[column] = NONE_PROTECTED;
		for (uint32 column = 0; column < assigner->n; column++)
		{
			uint32		y = assigner->record[column];
			uint32		wide = rows->column[j]->protected[y];

			if (wide != SDC_CODE_NULL)
				code[column] = (uint16) wide;
		}
	}
}

/* compute_row computes the costs of a row. */
static void
compute_row(Assigner *assigner, uint32 row)
{
	const SdcAgreementRows *rows = &assigner->rows;
	const uint16 *pattern = (const uint16 *) assigner->pattern;
	Lanes	   *lanes = assigner->pattern;	/* local: stores to it could change the struct */
	double	   *cost = assigner->cost;
	uint32		blocks = assigner->blocks;
	uint32		n = assigner->n;

	SDC_CHECK_INTERRUPTS();
	for (int i = 0; i < assigner->tables; i++)
	{
		const double *of = assigner->table + i * TABLE_SIZE;

		memset(lanes, 0, blocks * sizeof(Lanes));
		for (int j = i * TABLE_BITS; j < (i + 1) * TABLE_BITS && j < rows->attributes; j++)
		{
			const Lanes *code = assigner->code + (Size) j * blocks;
			uint32		wide = rows->column[j]->original[row];
			uint16		own = wide != SDC_CODE_NULL ? (uint16) wide : NONE_ORIGINAL;
			uint16		bit = (uint16) (1 << j % TABLE_BITS);

			for (uint32 block = 0; block < blocks; block++)
				lanes[block] |= (Lanes) (code[block] == own) & bit;
		}
		if (i == 0)
			for (uint32 column = 0; column < n; column++)
				cost[column] = of[pattern[column]];
		else
			for (uint32 column = 0; column < n; column++)
				cost[column] += of[pattern[column]];
	}
}

/* The two cheapest columns of a row, after prices; of equal ones free columns, then the first. */
typedef struct Cheapest
{
	double		first;
	double		second;
	uint32		column;
	uint32		second_column;
} Cheapest;

/* find_cheapest finds them in the row that was computed last. */
static Cheapest
find_cheapest(const Assigner *assigner)
{
	Cheapest	cheapest = {INFINITY, INFINITY, 0, 0};

	for (uint32 column = 0; column < assigner->n; column++)
	{
		double		cost = assigner->cost[column] - assigner->price[column];

		if (cost >= cheapest.second)
			continue;
		if (cost < cheapest.first)
		{
			cheapest.second = cheapest.first;
			cheapest.second_column = cheapest.column;
			cheapest.first = cost;
			cheapest.column = column;
		}
		else
		{
			cheapest.second = cost;
			cheapest.second_column = column;
		}
	}
	if (cheapest.first < cheapest.second || assigner->row_of[cheapest.column] == FREE)
		return cheapest;
	for (uint32 column = 0; column < assigner->n; column++)
	{
		if (assigner->row_of[column] != FREE ||
			assigner->cost[column] - assigner->price[column] > cheapest.first)
			continue;
		cheapest.column = column;
		break;
	}
	return cheapest;
}

/* assign links a row and a column, and returns the row that the column is taken from. */
static uint32
assign(Assigner *assigner, uint32 row, uint32 column)
{
	uint32		loser = assigner->row_of[column];

	if (loser != FREE)
		assigner->column_of[loser] = FREE;
	assigner->row_of[column] = row;
	assigner->column_of[row] = column;
	return loser;
}

/* begin assigns rows to free columns among their cheapest, at prices of 0. */
static void
begin(Assigner *assigner)
{
	for (uint32 i = 0; i < assigner->n; i++)
	{
		assigner->column_of[i] = FREE;
		assigner->row_of[i] = FREE;
		assigner->price[i] = 0;
	}
	for (uint32 row = 0; row < assigner->n; row++)
	{
		Cheapest	cheapest;

		compute_row(assigner, row);
		cheapest = find_cheapest(assigner);
		if (assigner->row_of[cheapest.column] == FREE)
			(void) assign(assigner, row, cheapest.column);
	}
}

/*
 * reduce_rows lets each free row outbid the row that has its cheapest column, by as much as
 * that is cheaper than the second cheapest; who loses it goes on in its place.  Where
 * both are the same there is nothing to bid, and the row is left for a search.
 */
static void
reduce_rows(Assigner *assigner)
{
	uint64		steps = REDUCTION_STEPS * (uint64) assigner->n;

	for (uint32 start = 0; start < assigner->n; start++)
	{
		uint32		row = assigner->column_of[start] == FREE ? start : FREE;

		while (row != FREE && steps-- > 0)
		{
			Cheapest	cheapest;

			compute_row(assigner, row);
			cheapest = find_cheapest(assigner);
			if (cheapest.first < cheapest.second)
			{
				if (isfinite(cheapest.second))
					assigner->price[cheapest.column] -= cheapest.second - cheapest.first;
			}
			else if (assigner->row_of[cheapest.column] != FREE)
				break;
			row = assign(assigner, row, cheapest.column);
		}
		if (steps == 0 || steps == UINT64_MAX)
			return;
	}
}

/*
 * relax lowers the distances of the columns by a way through a row at a distance of offset
 * from its costs, and queues columns at the smallest distance.  Returns a free one
 * of these, or FREE.
 */
static uint32
relax(Assigner *assigner, uint32 row, double offset, double smallest, uint32 *end)
{
	for (uint32 column = 0; column < assigner->n; column++)
	{
		double		distance = assigner->cost[column] - assigner->price[column] - offset;

		if (distance >= assigner->distance[column] || assigner->queued[column])
			continue;
		assigner->distance[column] = distance;
		assigner->before[column] = row;
		if (distance > smallest)
			continue;
		if (assigner->row_of[column] == FREE)
			return column;
		assigner->queued[column] = true;
		assigner->queue[(*end)++] = column;
	}
	return FREE;
}

/* queue_smallest queues the columns at the next smallest distance, or returns a free one. */
static uint32
queue_smallest(Assigner *assigner, double *smallest, uint32 *end)
{
	double		least = INFINITY;

	for (uint32 column = 0; column < assigner->n; column++)
		if (assigner->distance[column] < least && !assigner->queued[column])
			least = assigner->distance[column];
	*smallest = least;
	for (uint32 column = 0; column < assigner->n; column++)
		if (assigner->distance[column] == least && assigner->row_of[column] == FREE)
			return column;
	for (uint32 column = 0; column < assigner->n; column++)
	{
		if (assigner->distance[column] != least || assigner->queued[column])
			continue;
		assigner->queued[column] = true;
		assigner->queue[(*end)++] = column;
	}
	return FREE;
}

/* search assigns a free row along the shortest path to a free column. */
static void
search(Assigner *assigner, uint32 free_row)
{
	uint32		start = 0;
	uint32		end = 0;
	uint32		done = 0;		/* of the queue: at a smaller distance */
	double		smallest = -INFINITY;
	uint32		column = FREE;

	for (uint32 i = 0; i < assigner->n; i++)
	{
		assigner->distance[i] = INFINITY;
		assigner->queued[i] = false;
	}
	compute_row(assigner, free_row);
	(void) relax(assigner, free_row, 0, smallest, &end);
	for (;;)
	{
		if (start == end)
		{
			done = end;
			column = queue_smallest(assigner, &smallest, &end);
		}
		while (column == FREE && start < end)
		{
			uint32		through = assigner->queue[start++];
			uint32		row = assigner->row_of[through];

			compute_row(assigner, row);
			column = relax(assigner, row, assigner->cost[through] -
						   assigner->price[through] - smallest, smallest, &end);
		}
		if (column != FREE)
			break;
	}
	for (uint32 i = 0; i < done; i++)
		assigner->price[assigner->queue[i]] +=
			assigner->distance[assigner->queue[i]] - smallest;
	for (uint32 row = FREE; row != free_row;)
	{
		uint32		next;

		row = assigner->before[column];
		next = assigner->column_of[row];
		assigner->row_of[column] = row;
		assigner->column_of[row] = column;
		column = next;
	}
}

/* assigner_create makes an assigner with nothing assigned. */
static Assigner *
assigner_create(SdcAgreement *agreement, const SdcLinkModel *model)
{
	Assigner   *assigner = sdc_alloc(sizeof(Assigner));
	Size		n;

	assigner->rows = sdc_agreement_rows(agreement);
	n = assigner->n = assigner->rows.records;
	assigner->blocks = (assigner->n + LANES - 1) / LANES;
	assigner->tables = (assigner->rows.attributes + TABLE_BITS - 1) / TABLE_BITS;
	assigner->table = sdc_alloc_matrix(double, TABLES, TABLE_SIZE);
	assigner->code = sdc_alloc_matrix(Lanes, assigner->rows.attributes, assigner->blocks);
	assigner->record = sdc_alloc_array(uint32, n);
	assigner->column_of = sdc_alloc_array(uint32, n);
	assigner->row_of = sdc_alloc_array(uint32, n);
	assigner->price = sdc_alloc_array(double, n);
	assigner->pattern = sdc_alloc_array(Lanes, assigner->blocks);
	assigner->cost = sdc_alloc_array(double, n);
	assigner->distance = sdc_alloc_array(double, n);
	assigner->before = sdc_alloc_array(uint32, n);
	assigner->queue = sdc_alloc_array(uint32, n);
	assigner->queued = sdc_alloc_array(bool, n);
	scramble_columns(assigner);
	fill_table(assigner, model);
	fill_codes(assigner);
	return assigner;
}

/* assigner_destroy frees it. */
static void
assigner_destroy(Assigner *assigner)
{
	sdc_free(assigner->table);
	sdc_free(assigner->code);
	sdc_free(assigner->record);
	sdc_free(assigner->column_of);
	sdc_free(assigner->row_of);
	sdc_free(assigner->price);
	sdc_free(assigner->pattern);
	sdc_free(assigner->cost);
	sdc_free(assigner->distance);
	sdc_free(assigner->before);
	sdc_free(assigner->queue);
	sdc_free(assigner->queued);
	sdc_free(assigner);
}

/* sdc_assign_links: see assign.h. */
void
sdc_assign_links(SdcAgreement *agreement, const SdcLinkModel *model, SdcLink *link)
{
	Assigner   *assigner = assigner_create(agreement, model);

	SDC_ASSERT(assigner->n <= SDC_ASSIGN_RECORDS);
	begin(assigner);
	for (int i = 0; i < REDUCTIONS; i++)
		reduce_rows(assigner);
	for (uint32 row = 0; row < assigner->n; row++)
		if (assigner->column_of[row] == FREE)
			search(assigner, row);
	for (uint32 row = 0; row < assigner->n; row++)
	{
		uint32		y = assigner->record[assigner->column_of[row]];

		link[row].linked = y;
		link[row].distance = sdc_fellegisunter_weight(model,
													  sdc_agreement_pattern(agreement, row, y));
		link[row].ties = 1;
		link[row].candidates = assigner->n;
		link[row].correct = y == row;
	}
	assigner_destroy(assigner);
}
