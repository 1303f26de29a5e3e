/*-------------------------------------------------------------------------
 *
 * coarsecounts.c
 *		How far random counts on a release are from those on its source, and no record's value.
 *
 * The queries are those of querydraw.c: random attributes without replacement, a number of classes that is uniform,
 * and a uniform range or set of so many.  What differs from them is what would tell of a record: values are classes,
 * counts are rounded alike in both files (grain.h), an error is relative to the count of the release, and only
 * queries with many records in the release are asked, so that none of this depends on the source.
 *
 * No secret is drawn: the generator is S. Vigna's splitmix64, and every query and column has its own start, so that
 * releases of one source are asked the same, but for a column with other classes.
 *
 * Of ranges and sets a record adds to an estimate, for each column, the share of its classes that satisfy the
 * condition; a unit adds the probability that one of its records satisfies it, if these are drawn one by one.  A record
 * or a unit that is replaced moves a count by one, so a rounded one by the grain; percentiles are moved furthest by
 * moving all errors to one side.
 *
 * Queries are asked 64 at a time: for every class of a column there is a word of those that it satisfies.  Time:
 * O(records * columns) for a word; memory: a word for each column and class.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include "kernel/base/moments.h"
#include "kernel/queries/coarsecounts.h"
#include "kernel/queries/queries.h"

/* So many queries are wanted of one number of attributes, and so many will do; words of them at most are drawn. */
#define QUERIES_WANTED 100
#define QUERIES_ENOUGH 20
#define WORDS_DRAWN 4

/* A query counts if it has so many grains of records in the release. */
#define GRAINS_ENOUGH 20

#define WORD 64
#define CLASSES (SDC_COARSE_MISSING + 1)

/* The queries of a word, of one column. */
typedef struct Asking
{
	uint64		condition[WORD];	/* of each query: the classes; all if it does not ask for the column */
	uint64		satisfied[CLASSES]; /* of each class: the queries */
} Asking;

/* The work on one number of attributes. */
typedef struct Counting
{
	const SdcCoarseCounts *task;
	int			number;
	int			columns;
	Asking	   *asking;			/* of each column */
	int		   *order;			/* scratch: the attributes */
	uint32		original[WORD];
	double		released[WORD];
	uint32		queries;		/* that count */
	double		error[QUERIES_WANTED];
	double		move[QUERIES_WANTED];	/* of each error */
} Counting;

/* next_below draws a number below a bound, which is small. */
static uint32
next_below(uint64 *state, uint32 bound)
{
	uint64		z = (*state += UINT64_C(0x9E3779B97F4A7C15));

	z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
	z ^= z >> 31;
	return (uint32) (((z >> 32) * bound) >> 32);
}

/* start_at returns the state for the draws of one purpose of a query. */
static uint64
start_at(int number, uint32 query, uint32 purpose)
{
	uint64		state = (uint64) number << 48 | (uint64) query << 16 | purpose;

	/* the states of neighbours are far from one another */
	return state * UINT64_C(0xD1342543DE82EF95);
}

/* draw_condition draws the classes that satisfy the condition of a query. */
static uint64
draw_condition(const SdcCoarseColumn *column, uint64 state)
{
	uint32		count = 1 + next_below(&state, column->classes);
	uint64		left = (UINT64_C(1) << column->classes) - 1;
	uint64		condition = 0;

	if (column->range)
		return ((UINT64_C(1) << count) - 1) << next_below(&state, column->classes - count + 1);
	for (; count > 0; count--)
	{
		uint32		place = next_below(&state, (uint32) __builtin_popcountll(left));
		uint64		rest = left;

		for (; place > 0; place--)
			rest &= rest - 1;
		condition |= rest & -rest;
		left &= ~(rest & -rest);
	}
	return condition;
}

/* ask draws a query with a condition on each of so many attributes, and on a sensitive column. */
static void
ask(Counting *counting, uint32 word, uint32 q)
{
	const SdcCoarseCounts *task = counting->task;
	uint32		query = word * WORD + q;
	uint64		state = start_at(counting->number, query, 0);

	for (int a = 0; a < task->attributes; a++)
		counting->order[a] = a;
	for (int a = 0; a <= counting->number; a++)
	{
		int			column;

		if (a < counting->number)
		{
			int			drawn = a + (int) next_below(&state, (uint32) (task->attributes - a));

			column = counting->order[drawn];
			counting->order[drawn] = counting->order[a];
		}
		else if (task->sensitives > 0)
			column = task->attributes + (int) next_below(&state, (uint32) task->sensitives);
		else
			break;
		counting->asking[column].condition[q] =
			draw_condition(&task->column[column], start_at(counting->number, query, (uint32) column + 1));
	}
}

/* draw_word draws 64 queries, and finds out which of them each class satisfies. */
static void
draw_word(Counting *counting, uint32 word)
{
	for (int c = 0; c < counting->columns; c++)
		memset(counting->asking[c].condition, 0xFF, sizeof(counting->asking[c].condition));
	for (uint32 q = 0; q < WORD; q++)
		ask(counting, word, q);
	for (int c = 0; c < counting->columns; c++)
	{
		Asking	   *asking = &counting->asking[c];

		/* a query that does not ask for the column is satisfied by all */
		memset(asking->satisfied, 0xFF, sizeof(asking->satisfied));
		for (uint32 q = 0; q < WORD; q++)
			for (uint64 left = ~asking->condition[q]; left != 0; left &= left - 1)
				asking->satisfied[__builtin_ctzll(left)] &= ~(UINT64_C(1) << q);
	}
}

/* counted is how many units there are to count: every record is one where there are none. */
static inline uint32
counted(const SdcCoarseCounts *task)
{
	return task->units == NULL ? task->records : task->units->count;
}

/* places_from is the first place of the records of a unit; the next unit has those that come after them. */
static inline uint32
places_from(const SdcCoarseCounts *task, uint32 unit)
{
	return task->units == NULL ? unit : task->units->start[unit];
}

/* record_at is the record at a place. */
static inline uint32
record_at(const SdcCoarseCounts *task, uint32 place)
{
	return task->units == NULL ? place : task->units->member[place];
}

/* count_original counts the units of the source that satisfy each query. */
static void
count_original(Counting *counting)
{
	const SdcCoarseCounts *task = counting->task;

	memset(counting->original, 0, sizeof(counting->original));
	for (uint32 u = 0; u < counted(task); u++)
	{
		uint64		any = 0;

		for (uint32 i = places_from(task, u); i < places_from(task, u + 1); i++)
		{
			uint64		met = ~UINT64_C(0);

			sdc_interrupts_step(i);
			for (int c = 0; c < counting->columns && met != 0; c++)
				met &= counting->asking[c].satisfied[task->column[c].original[record_at(task, i)]];
			any |= met;
		}
		for (; any != 0; any &= any - 1)
			counting->original[__builtin_ctzll(any)]++;
	}
}

/* share_of is the share of the classes of a record's ranges and sets that satisfy a query. */
static double
share_of(const Counting *counting, uint32 record, uint32 q)
{
	double		share = 1;

	for (int c = 0; c < counting->columns && share > 0; c++)
	{
		const SdcCoarseColumn *column = &counting->task->column[c];
		uint64		possible;

		if (column->released != NULL || counting->asking[c].condition[q] == ~UINT64_C(0))
			continue;
		possible = column->possible[record];
		share *= possible == 0 ? 0 : (double) __builtin_popcountll(possible & counting->asking[c].condition[q]) /
			__builtin_popcountll(possible);
	}
	return share;
}

/* released_met returns the queries that the values of a record in the release satisfy; ranges and sets may, too. */
static uint64
released_met(const Counting *counting, uint32 record)
{
	const SdcCoarseColumn *column = counting->task->column;
	uint64		met = ~UINT64_C(0);

	for (int c = 0; c < counting->columns; c++)
		if (column[c].released != NULL)
			met &= counting->asking[c].satisfied[column[c].released[record]];
	return met;
}

/* count_released estimates the same from the release; where it has all values, that is counting. */
static void
count_released(Counting *counting)
{
	const SdcCoarseCounts *task = counting->task;
	bool		values = true;

	for (int c = 0; c < counting->columns; c++)
		values = values && task->column[c].released != NULL;
	memset(counting->released, 0, sizeof(counting->released));
	for (uint32 u = 0; u < counted(task); u++)
	{
		uint64		any = 0;
		double		share[WORD];

		for (uint32 i = places_from(task, u); i < places_from(task, u + 1); i++)
		{
			uint64		met = released_met(counting, record_at(task, i));

			sdc_interrupts_step(i);
			for (uint64 left = values ? 0 : met; left != 0; left &= left - 1)
			{
				uint32		q = (uint32) __builtin_ctzll(left);
				double		before = any >> q & 1 ? share[q] : 0;

				share[q] = before + (1 - before) * share_of(counting, record_at(task, i), q);
			}
			any |= met;
		}
		for (; any != 0; any &= any - 1)
			counting->released[__builtin_ctzll(any)] += values ? 1 : share[__builtin_ctzll(any)];
	}
}

/* take_errors takes the errors of the queries that count. */
static void
take_errors(Counting *counting)
{
	double		grain = counting->task->grain;

	for (uint32 q = 0; q < WORD && counting->queries < QUERIES_WANTED; q++)
	{
		double		released = counting->released[q];

		if (released < GRAINS_ENOUGH * grain)
			continue;
		counting->error[counting->queries] =
			fabs((double) sdc_grain_count(counting->original[q], counting->task->grain) -
				 sdc_grain_sum(released, grain)) / released;
		counting->move[counting->queries++] = grain / released;
	}
}

/* percentile interpolates between two errors, when all of them are moved to one side. */
static double
percentile(const Counting *counting, double share, int side)
{
	double		error[QUERIES_WANTED];

	for (uint32 q = 0; q < counting->queries; q++)
		error[q] = fmax(counting->error[q] + side * counting->move[q], 0);
	return sdc_queries_percentile(error, counting->queries, share);
}

/* tell_percentile computes a percentile of the errors. */
static SdcFigure
tell_percentile(const Counting *counting, double share)
{
	double		value = percentile(counting, share, 0);
	double		more = percentile(counting, share, 1) - value;
	double		less = value - percentile(counting, share, -1);

	return sdc_figure_round(value, fmax(more, less));
}

/* tell_mean computes their mean. */
static SdcFigure
tell_mean(const Counting *counting)
{
	SdcMomentsSum error = {0, 0};
	SdcMomentsSum move = {0, 0};

	for (uint32 q = 0; q < counting->queries; q++)
	{
		sdc_moments_add(&error, counting->error[q]);
		sdc_moments_add(&move, counting->move[q]);
	}
	return sdc_figure_round(sdc_moments_total(&error) / counting->queries,
							sdc_moments_total(&move) / counting->queries);
}

/* sdc_coarsecounts_run: see coarsecounts.h. */
bool
sdc_coarsecounts_run(const SdcCoarseCounts *task, int number, SdcCoarseErrors *errors)
{
	Counting   *counting = sdc_alloc_zeros(Counting, 1);
	bool		enough;

	SDC_ASSERT(number >= 1 && number <= task->attributes);
	counting->task = task;
	counting->number = number;
	counting->columns = task->attributes + task->sensitives;
	counting->asking = sdc_alloc_array(Asking, counting->columns);
	counting->order = sdc_alloc_array(int, task->attributes);
	errors->mean = errors->median = errors->p95 = sdc_figure_withheld();
	for (uint32 word = 0; word < WORDS_DRAWN && counting->queries < QUERIES_WANTED; word++)
	{
		draw_word(counting, word);
		count_original(counting);
		count_released(counting);
		take_errors(counting);
	}
	enough = counting->queries >= QUERIES_ENOUGH;
	if (enough)
	{
		errors->mean = tell_mean(counting);
		errors->median = tell_percentile(counting, 0.5);
		errors->p95 = tell_percentile(counting, 0.95);
	}
	sdc_free(counting->order);
	sdc_free(counting->asking);
	sdc_free(counting);
	return enough;
}
