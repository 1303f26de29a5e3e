/*-------------------------------------------------------------------------
 *
 * queries.c
 *		The errors of random count queries on a release.
 *
 * The measure of W. Yang, S. Qiao, "A novel anonymization algorithm: privacy protection and
 * knowledge preservation", Expert Systems with Applications 37 (2010), and before it of X.
 * Xiao, Y. Tao, "Anatomy: simple and effective privacy preservation", VLDB 2006: select
 * count(*) where Q1 in (R1) and ... and S in (Rs), with random attributes and values
 * (querydraw.c), on the original file: Ans, and estimated from the release: Est (queryeval.c).  The
 * error is |Ans - Est| / Ans.
 *
 * A query that no original record satisfies has no relative error, and another one is drawn.
 * There may be no other one: when, after 1000 more, not one in 100 has an answer, the rest is given
 * up, and the result has fewer queries.  As Ans comes from the original file, the queries are the
 * same for all its releases.
 *
 * The mean is a compensated sum in the order of the draws; the median and the 95th percentile
 * are interpolated as by percentile_cont.  A release equal to its original has no error as a
 * plain count, and estimated from groups of equal records neither.
 *
 * Queries are evaluated in batches of up to 256.  Which queries of the batch a value satisfies is a row of
 * bits (querytable.c); the rows of a record's values, met, are the queries that it satisfies; and these are
 * counted for all queries at once (querycounts.c), over the file or in every group.  The records are visited in
 * the order of the groups where there are some.  Drawing a batch does not wait for the answers: of the last one
 * some queries may be too many, and are forgotten.
 *
 * Time: of a batch O(attributes * n) looks at rows, and O(values) for filling in the rows; in groups also
 * O(groups) for each query to which they contribute.  Memory: sdc_queries_memory, with eight queries in a row;
 * and of task->memory what is left for wider rows, and for codes in the order of the groups.  The results do
 * not depend on it.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include <math.h>

#include "kernel/base/codesort.h"
#include "kernel/base/moments.h"
#include "kernel/queries/queries.h"
#include "kernel/queries/querydraw.h"
#include "kernel/queries/queryeval.h"
#include "kernel/queries/querytable.h"

/*
 * For one number of attributes the rest is given up when, with so many draws more, not one draw in so many
 * has found a query with an answer.
 */
#define REDRAWS_PER_QUERY 100
#define REDRAWS_MORE 1000

/* Records that are compared between two looks for a cancel. */
#define COMPARE_RECORDS 65536

/* Records whose rows are made at a time: they stay in the first cache. */
#define BLOCK_RECORDS 128

/* The conditions that rows of a block are met with. */
typedef enum QueryRows
{
	ROWS_ORIGINAL,				/* all, in the original */
	ROWS_PROTECTED,				/* in the release: all that it has values for; of permuted ones without the sensitive */
	ROWS_SENSITIVE,				/* permuted: the sensitive condition in the release */
	ROWS_KINDS
} QueryRows;

/* An attribute in both files. */
typedef struct QueryColumn
{
	uint64	   *present;		/* bitmap of the codes that occur in the original */
	SdcQueryTable table;
	uint8	   *rows;			/* the memory of its rows */
	const uint32 *original;		/* codes, in the order of the groups if run->order is NULL */
	const uint32 *protected;	/* the same array if nothing is changed; NULL if there are no values */
	uint32	   *copy[2];		/* of codes, in the order of the groups; NULL: there is none */
	SdcQuerySet largest;		/* generalized: the largest set of which values have been counted for the batch, */
	SdcQueryCounts counted;		/* and how many of them */
} QueryColumn;

struct SdcQueryRun
{
	/* set once */
	const SdcQueryTask *task;
	uint32		words;			/* of a row */
	uint32		capacity;		/* queries of a batch */
	uint32		lane;			/* queries that are drawn together */
	uint32		columns;		/* quasi-identifiers, then sensitive attributes */
	QueryColumn *column;
	SdcQueryDomain *domain;		/* of each column */
	SdcQueryDraw *draw[SDC_QUERY_LANE];
	const SdcQueryCondition **asked;	/* scratch: of every column the conditions of a lane's queries */
	uint32	   *order;			/* the record at each place in the order of groups; NULL: records are in this order */
	uint32	   *place;			/* the same where the records have weights, also of copied codes */
	uint32	   *start;			/* the first place of each group; NULL: there are none */
	double	   *error;			/* of each query */
	SdcQueryShare *share;		/* generalized: of each quasi-identifier */
	/* of the batch */
	uint32		group;			/* that the next record is in, or one before it */
	double		mass[2][SDC_QUERIES_AT_ONCE];	/* weighted: what the first two count */
	SdcQueryCounts original;	/* the answers */
	SdcQueryCounts protected;	/* the estimates, or of a group */
	SdcQueryCounts sensitive;	/* of a group */
	SdcQueryEstimates estimates;
	uint64		rows[ROWS_KINDS][BLOCK_RECORDS * SDC_QUERY_WORDS];
};

/* column_attribute is the attribute behind a column. */
static const SdcQueryAttribute *
column_attribute(const SdcQueryTask *task, uint32 column)
{
	uint32		attributes = (uint32) task->attributes;

	return column < attributes ? &task->qi[column] : &task->sensitive[column - attributes];
}

/* draw_memory bounds the memory of a draw, before the values are counted. */
static uint64
draw_memory(const SdcQueryTask *task)
{
	uint32		columns = (uint32) (task->attributes + task->sensitives);
	SdcQueryDomain *domain = sdc_alloc_array(SdcQueryDomain, columns);
	uint64		memory;

	for (uint32 c = 0; c < columns; c++)
	{
		const SdcQueryAttribute *attribute = column_attribute(task, c);

		domain[c].range = attribute->range;
		domain[c].values = attribute->codes < task->records ? attribute->codes : task->records;
	}
	memory = sdc_querydraw_memory((uint32) task->attributes, domain,
								  (uint32) task->sensitives, domain + task->attributes);
	sdc_free(domain);
	return memory;
}

/* rows_memory is the memory of the rows of all values, of so many bytes each. */
static uint64
rows_memory(const SdcQueryTask *task, uint32 width)
{
	uint64		memory = 0;

	for (int c = 0; c < task->attributes + task->sensitives; c++)
		memory += sdc_querytable_bytes(column_attribute(task, (uint32) c)->codes, width) + width;
	return memory;
}

/* lanes_memory is the memory of the queries of a lane, and of the rows. */
static uint64
lanes_memory(const SdcQueryTask *task, uint32 width)
{
	return sdc_querytable_lane(width) * draw_memory(task) + rows_memory(task, width);
}

/* sdc_queries_memory: everything but what makes it faster. */
uint64
sdc_queries_memory(const SdcQueryTask *task)
{
	uint64		columns = (uint64) task->attributes + (uint64) task->sensitives;
	uint64		memory = sizeof(SdcQueryRun) + lanes_memory(task, 1);

	memory += columns * (sizeof(QueryColumn) + sizeof(SdcQueryDomain) + SDC_QUERY_LANE * sizeof(SdcQueryCondition *));
	for (uint32 c = 0; c < columns; c++)
		memory += sdc_bitset_bytes(column_attribute(task, c)->codes);
	memory += (uint64) task->queries * sizeof(double);
	if (task->kind != SDC_QUERY_PLAIN)
		memory += ((uint64) task->records + task->groups + 1) * sizeof(uint32);
	if (task->kind == SDC_QUERY_GENERALIZED)
		memory += (uint64) task->attributes * sizeof(SdcQueryShare);
	return memory;
}

/* choose_width chooses how many bytes a row has: as many as the memory allows and the queries need. */
static uint32
choose_width(const SdcQueryTask *task, uint64 *spare)
{
	static const uint32 widths[] = {SDC_QUERY_WIDTH, 8, 4, 2, 1};
	uint64		least = lanes_memory(task, 1);

	for (int k = 0;; k++)
	{
		uint64		more = lanes_memory(task, widths[k]) - least;

		if (widths[k] > 1 && (more > *spare || task->queries <= widths[k + 1] * 8))
			continue;
		*spare -= more;
		return widths[k];
	}
}

/* mark_present marks the codes that occur in a file, and returns how many they are. */
static uint32
mark_present(const SdcQueryAttribute *attribute, uint32 records, uint64 *present)
{
	memset(present, 0, sdc_bitset_bytes(attribute->codes));
	for (uint32 i = 0; i < records; i++)
	{
		sdc_interrupts_step(i);
		if (attribute->original[i] == SDC_CODE_NULL)
			continue;
		SDC_ASSERT(attribute->original[i] < attribute->codes);
		sdc_bitset_add(present, attribute->original[i]);
	}
	return (uint32) sdc_bitset_count(present, sdc_bitset_words(attribute->codes));
}

/* sort_groups finds where each group starts, and the record at each place. */
static void
sort_groups(SdcQueryRun *run)
{
	const SdcQueryTask *task = run->task;
	SdcCodesort sort = {task->group, 1, task->groups, NULL};
	uint32		records = task->records;
	uint32	   *start;
	uint32		credit = 0;

	run->order = sdc_alloc_array(uint32, records);
	run->start = start = sdc_alloc_array(uint32, (Size) task->groups + 1);
	sdc_codesort_pass(&sort, NULL, run->order, records, start, &credit);
	/* now they are where the groups end */
	if (task->weight[0] != NULL)
		run->place = run->order;
	memmove(start + 1, start, (Size) task->groups * sizeof(uint32));
	start[0] = 0;
}

/* same_codes tells whether the release has an attribute unchanged. */
static bool
same_codes(const SdcQueryAttribute *attribute, uint32 records)
{
	if (attribute->protected == attribute->original)
		return true;
	for (uint32 i = 0; i < records;)
	{
		uint32		count = records - i < COMPARE_RECORDS ? records - i : COMPARE_RECORDS;

		if (memcmp(attribute->original + i, attribute->protected + i, count * sizeof(uint32)) != 0)
			return false;
		i += count;
		SDC_CHECK_INTERRUPTS();
	}
	return true;
}

/* copy_codes puts codes into the order of the groups. */
static uint32 *
copy_codes(const SdcQueryRun *run, const uint32 *code)
{
	uint32	   *copy = sdc_alloc_array(uint32, run->task->records);

	for (uint32 p = 0; p < run->task->records; p++)
	{
		copy[p] = code[run->order[p]];
		sdc_interrupts_step(p);
	}
	return copy;
}

/* copy_columns does so with the codes of all columns. */
static void
copy_columns(SdcQueryRun *run)
{
	for (uint32 c = 0; c < run->columns; c++)
	{
		QueryColumn *column = &run->column[c];
		bool		same = column->protected == column->original;

		column->original = column->copy[0] = copy_codes(run, column->original);
		if (same)
			column->protected = column->original;
		else if (column->protected != NULL)
			column->protected = column->copy[1] = copy_codes(run, column->protected);
	}
	if (run->place == NULL)
		sdc_free(run->order);
	run->order = NULL;
}

/* create_column prepares what all queries need of a column. */
static void
create_column(SdcQueryRun *run, uint32 c, uint32 width)
{
	const SdcQueryAttribute *attribute = column_attribute(run->task, c);
	QueryColumn *column = &run->column[c];
	uint32		records = run->task->records;

	memset(column, 0, sizeof(QueryColumn));
	column->original = attribute->original;
	column->protected = attribute->protected;
	if (column->protected != NULL && same_codes(attribute, records))
		column->protected = column->original;
	column->present = sdc_alloc(sdc_bitset_bytes(attribute->codes));
	run->domain[c].range = attribute->range;
	run->domain[c].values = mark_present(attribute, records, column->present);
	column->table.codes = attribute->codes;
	column->table.present = column->present;
	column->table.values = run->domain[c].values;
	column->table.range = attribute->range;
	column->table.width = width;
	/* rows do not cross the lines of a cache */
	column->rows = sdc_alloc_zeros(uint8, sdc_querytable_bytes(attribute->codes, width) + width);
	column->table.row = column->rows + (width - (uintptr_t) column->rows % width) % width;
}

/* sdc_queries_create prepares everything that all queries share. */
SdcQueryRun *
sdc_queries_create(const SdcQueryTask *task)
{
	SdcQueryRun *run = sdc_alloc_zeros(SdcQueryRun, 1);
	uint64		least = sdc_queries_memory(task);
	uint64		spare = task->memory > least ? task->memory - least : 0;
	uint32		width = choose_width(task, &spare);

	SDC_ASSERT(task->attributes > 0 && task->sensitives >= 0);
	run->task = task;
	run->words = run->estimates.words = sdc_querytable_words(width);
	run->capacity = width * 8;
	run->lane = sdc_querytable_lane(width);
	run->columns = (uint32) (task->attributes + task->sensitives);
	run->column = sdc_alloc_array(QueryColumn, run->columns);
	run->domain = sdc_alloc_array(SdcQueryDomain, run->columns);
	for (uint32 c = 0; c < run->columns; c++)
		create_column(run, c, width);
	if (task->kind != SDC_QUERY_PLAIN)
		sort_groups(run);
	if (task->kind == SDC_QUERY_GENERALIZED)
		run->share = sdc_alloc_zeros(SdcQueryShare, (Size) task->attributes);
	if (run->order != NULL && (uint64) run->columns * 2 * task->records * sizeof(uint32) <= spare)
		copy_columns(run);
	for (uint32 q = 0; q < run->lane; q++)
		run->draw[q] = sdc_querydraw_create((uint32) task->attributes, run->domain,
											(uint32) task->sensitives, run->domain + task->attributes);
	run->asked = sdc_alloc_matrix(const SdcQueryCondition *, run->columns, SDC_QUERY_LANE);
	run->error = sdc_alloc_array(double, task->queries);
	return run;
}

/* destroy_array accepts NULL. */
static void
destroy_array(void *array)
{
	if (array != NULL)
		sdc_free(array);
}

/* destroy_column frees what a column has. */
static void
destroy_column(QueryColumn *column)
{
	destroy_array(column->copy[0]);
	destroy_array(column->copy[1]);
	sdc_free(column->present);
	sdc_free(column->rows);
}

/* sdc_queries_destroy: see queries.h. */
void
sdc_queries_destroy(SdcQueryRun *run)
{
	sdc_free(run->error);
	sdc_free(run->asked);
	for (uint32 q = 0; q < run->lane; q++)
		sdc_querydraw_destroy(run->draw[q]);
	for (uint32 c = 0; c < run->columns; c++)
		destroy_column(&run->column[c]);
	destroy_array(run->share);
	destroy_array(run->start);
	destroy_array(run->place != NULL ? run->place : run->order);
	sdc_free(run->domain);
	sdc_free(run->column);
	sdc_free(run);
}

/* fill_lane fills in the rows of all columns for so many queries that have been drawn. */
static void
fill_lane(SdcQueryRun *run, uint32 lane, uint32 drawn)
{
	const SdcQueryCondition **asked = run->asked;
	uint32		attributes = (uint32) run->task->attributes;

	memset(asked, 0, (Size) run->columns * SDC_QUERY_LANE * sizeof(asked[0]));
	for (uint32 q = 0; q < drawn; q++)
	{
		const SdcQueryDraw *draw = run->draw[q];
		uint32		qi = draw->conditions - (run->task->sensitives > 0);

		for (uint32 k = 0; k < draw->conditions; k++)
		{
			uint32		c = draw->condition[k].attribute + (k < qi ? 0 : attributes);

			asked[(Size) c * SDC_QUERY_LANE + q] = &draw->condition[k];
		}
	}
	for (uint32 c = 0; c < run->columns; c++)
	{
		SDC_CHECK_INTERRUPTS();
		sdc_querytable_fill(&run->column[c].table, lane, asked + (Size) c * SDC_QUERY_LANE);
	}
}

/* draw_batch draws so many queries. */
static void
draw_batch(SdcQueryRun *run, SdcStream *stream, int number, uint32 queries)
{
	memset(run->estimates.active, 0, sizeof(run->estimates.active));
	for (uint32 c = 0; c < run->columns; c++)
	{
		memset(run->column[c].table.asking, 0, sizeof(run->column[c].table.asking));
		run->column[c].largest.count = 0;
	}
	for (uint32 q = 0; q < queries;)
	{
		uint32		lane = q / run->lane;
		uint32		drawn = 0;

		for (; q < queries && drawn < run->lane; q++)
		{
			sdc_querydraw_next(run->draw[drawn++], stream, (uint32) number);
			run->estimates.active[q / 64] |= UINT64_C(1) << (q % 64);
		}
		fill_lane(run, lane, drawn);
	}
}

/* is_asked tells whether a query of the batch has a condition on a column. */
static bool
is_asked(const SdcQueryRun *run, const QueryColumn *column)
{
	uint64		asking = 0;

	for (uint32 w = 0; w < run->words; w++)
		asking |= column->table.asking[w];
	return asking != 0;
}

/* meet_column takes from rows of a block the queries that the values of a column do not satisfy. */
static void
meet_column(SdcQueryRun *run, const QueryColumn *column, const uint32 *code, uint32 first, uint32 count,
			QueryRows rows)
{
	if (is_asked(run, column))
		sdc_querytable_intersect(&column->table, code, run->order, first, count, run->rows[rows]);
}

/* protected_rows are the rows that the conditions on a column of the release belong to. */
static QueryRows
protected_rows(const SdcQueryRun *run, uint32 c)
{
	bool		sensitive = c >= (uint32) run->task->attributes;

	return sensitive && run->task->kind == SDC_QUERY_PERMUTED ? ROWS_SENSITIVE : ROWS_PROTECTED;
}

/* meet_block makes the rows of a block. */
static void
meet_block(SdcQueryRun *run, uint32 first, uint32 count)
{
	Size		bytes = (Size) count * run->words * sizeof(uint64);

	SDC_CHECK_INTERRUPTS();
	memset(run->rows[ROWS_PROTECTED], 0xFF, bytes);
	memset(run->rows[ROWS_SENSITIVE], 0xFF, bytes);
	/* what both files have is met once */
	for (uint32 c = 0; c < run->columns; c++)
		if (run->column[c].protected == run->column[c].original && protected_rows(run, c) == ROWS_PROTECTED)
			meet_column(run, &run->column[c], run->column[c].original, first, count, ROWS_PROTECTED);
	memcpy(run->rows[ROWS_ORIGINAL], run->rows[ROWS_PROTECTED], bytes);
	for (uint32 c = 0; c < run->columns; c++)
	{
		const QueryColumn *column = &run->column[c];

		if (column->protected == column->original && protected_rows(run, c) == ROWS_PROTECTED)
			continue;
		meet_column(run, column, column->original, first, count, ROWS_ORIGINAL);
		if (column->protected != NULL)
			meet_column(run, column, column->protected, first, count, protected_rows(run, c));
	}
}

/*
 * count_values counts the values of the set that a group has in a column that are asked for.  Those of the largest set
 * are kept: it may be all values, of many groups.
 */
static void
count_values(SdcQueryRun *run, uint32 c, uint32 group, SdcQueryShare *share)
{
	QueryColumn *column = &run->column[c];
	const SdcQueryAttribute *attribute = column_attribute(run->task, c);
	const SdcQuerySet *set = &attribute->set[group];
	uint64	   *rows = run->rows[ROWS_SENSITIVE];
	uint32		count;

	share->asking = column->table.asking;
	share->distinct = set->count;
	if (set->count > 0 && set->count == column->largest.count && set->first == column->largest.first)
	{
		share->selected = column->counted;
		return;
	}
	sdc_querycounts_clear(&share->selected);
	for (uint32 done = 0; done < set->count; done += count)
	{
		SDC_CHECK_INTERRUPTS();
		count = set->count - done;
		count = count < BLOCK_RECORDS ? count : BLOCK_RECORDS;
		memset(rows, 0xFF, (Size) count * run->words * sizeof(uint64));
		sdc_querytable_intersect(&column->table, attribute->element + set->first, NULL, done, count, rows);
		sdc_querycounts_add(&share->selected, rows, count, run->words);
	}
	if (set->count <= column->largest.count)
		return;
	column->largest = *set;
	column->counted = share->selected;
}

/* count_rows counts the rows of records at places from one on, and where these have weights adds them up. */
static void
count_rows(SdcQueryRun *run, int file, SdcQueryCounts *counts, const uint64 *rows, uint32 first, uint32 count)
{
	const double *weight = run->task->weight[file];

	sdc_querycounts_add(counts, rows, count, run->words);
	for (uint32 i = 0; weight != NULL && i < count; i++)
	{
		double		mass = weight[run->place == NULL ? first + i : run->place[first + i]];

		for (uint32 w = 0; w < run->words; w++)
			for (uint64 left = rows[(Size) i * run->words + w]; left != 0; left &= left - 1)
				run->mass[file][w * 64 + (uint32) __builtin_ctzll(left)] += mass;
	}
}

/* mass_of is what was counted in a file by weights, or NULL. */
static const double *
mass_of(const SdcQueryRun *run, int file)
{
	return run->task->weight[file] == NULL ? NULL : run->mass[file];
}

/* finish_group adds what a group says to the estimates. */
static void
finish_group(SdcQueryRun *run, uint32 group)
{
	SDC_CHECK_INTERRUPTS();
	if (run->task->kind == SDC_QUERY_PERMUTED)
	{
		sdc_queryeval_permuted(&run->estimates, run->start[group + 1] - run->start[group], &run->protected,
							   mass_of(run, 1),
							   run->task->sensitives > 0 ? &run->sensitive : NULL);
		sdc_querycounts_clear(&run->sensitive);
	}
	else
	{
		uint32		shares = 0;

		for (int c = 0; c < run->task->attributes; c++)
			if (run->column[c].protected == NULL && is_asked(run, &run->column[c]))
				count_values(run, (uint32) c, group, &run->share[shares++]);
		sdc_queryeval_generalized(&run->estimates, &run->protected, mass_of(run, 1), shares, run->share);
	}
	sdc_querycounts_clear(&run->protected);
	memset(run->mass[1], 0, sizeof(run->mass[1]));
}

/* count_groups counts the rows of a block in each group. */
static void
count_groups(SdcQueryRun *run, uint32 first, uint32 count)
{
	for (uint32 done = 0; done < count;)
	{
		uint32		place = first + done;
		uint32		left;

		while (run->start[run->group + 1] <= place)
			run->group++;
		left = run->start[run->group + 1] - place;
		left = left < count - done ? left : count - done;
		count_rows(run, 1, &run->protected, run->rows[ROWS_PROTECTED] + (Size) done * run->words, place, left);
		if (run->task->kind == SDC_QUERY_PERMUTED)
			sdc_querycounts_add(&run->sensitive, run->rows[ROWS_SENSITIVE] + (Size) done * run->words, left,
								run->words);
		done += left;
		if (first + done == run->start[run->group + 1])
			finish_group(run, run->group);
	}
}

/* counted is the count of a query in a file. */
static double
counted(const SdcQueryRun *run, int file, const SdcQueryCounts *counts, uint32 query)
{
	return run->task->weight[file] == NULL ? sdc_querycounts_get(counts, query) : run->mass[file][query];
}

/* ask_batch finds the answers of the queries that have been drawn, and the estimates. */
static void
ask_batch(SdcQueryRun *run, uint32 queries)
{
	uint32		count;

	run->group = 0;
	sdc_querycounts_clear(&run->original);
	sdc_querycounts_clear(&run->protected);
	memset(run->mass, 0, sizeof(run->mass));
	memset(run->estimates.estimate, 0, sizeof(run->estimates.estimate));
	for (uint32 first = 0; first < run->task->records; first += count)
	{
		count = run->task->records - first;
		count = count < BLOCK_RECORDS ? count : BLOCK_RECORDS;
		meet_block(run, first, count);
		count_rows(run, 0, &run->original, run->rows[ROWS_ORIGINAL], first, count);
		if (run->task->kind == SDC_QUERY_PLAIN)
			count_rows(run, 1, &run->protected, run->rows[ROWS_PROTECTED], first, count);
		else
			count_groups(run, first, count);
	}
	for (uint32 q = 0; q < queries && run->task->kind == SDC_QUERY_PLAIN; q++)
		run->estimates.estimate[q] = counted(run, 1, &run->protected, q);
}

/* compare_errors orders two errors; none is NaN. */
static int
compare_errors(const void *a, const void *b)
{
	double		left = *(const double *) a;
	double		right = *(const double *) b;

	return (left > right) - (left < right);
}

/* sdc_queries_percentile: see queries.h. */
double
sdc_queries_percentile(double *error, uint32 count, double share)
{
	double		place = share * (count - 1);
	uint32		low = (uint32) floor(place);
	uint32		high = (uint32) ceil(place);

	qsort(error, count, sizeof(double), compare_errors);
	return error[low] + (place - low) * (error[high] - error[low]);
}

/* summarize computes mean and percentiles of the errors, and sorts them. */
static void
summarize(double *error, SdcQueryErrors *result)
{
	static const double share[] = {0.05, 0.25, 0.75};
	SdcMomentsSum sum = {0, 0};

	result->mean = result->median = result->p95 = __builtin_nan("");
	result->other[0] = result->other[1] = result->other[2] = __builtin_nan("");
	if (result->queries == 0)
		return;
	for (uint32 q = 0; q < result->queries; q++)
		sdc_moments_add(&sum, error[q]);
	result->mean = sdc_moments_total(&sum) / result->queries;
	result->median = sdc_queries_percentile(error, result->queries, 0.5);
	result->p95 = sdc_queries_percentile(error, result->queries, 0.95);
	for (int i = 0; i < 3; i++)
		result->other[i] = sdc_queries_percentile(error, result->queries, share[i]);
}

/* batch_size is how many queries are drawn next: those that are missing, with as many redrawn ones as until now. */
static uint32
batch_size(const SdcQueryRun *run, const SdcQueryErrors *result)
{
	uint64		missing = run->task->queries - result->queries;
	uint64		drawn = result->redrawn + result->queries;

	if (result->redrawn > 0)
		missing += missing * (drawn + 1) / ((uint64) result->queries + 1) + 1;
	return missing < run->capacity ? (uint32) missing : run->capacity;
}

/* is_done tells whether enough queries have an answer, or too few ever will. */
static bool
is_done(const SdcQueryRun *run, const SdcQueryErrors *result)
{
	return result->queries == run->task->queries ||
		result->redrawn >= REDRAWS_MORE + REDRAWS_PER_QUERY * ((uint64) result->queries + 1);
}

/* sdc_queries_number: see queries.h. */
void
sdc_queries_number(SdcQueryRun *run, int number, SdcQueryErrors *result)
{
	SdcStream  *stream = run->task->stream(run->task->arg, number);
	uint32		told = 0;

	result->attributes = number;
	result->queries = 0;
	result->redrawn = 0;
	while (run->task->records > 0 && !is_done(run, result))
	{
		uint32		queries = batch_size(run, result);

		draw_batch(run, stream, number, queries);
		ask_batch(run, queries);
		for (uint32 q = 0; q < queries && !is_done(run, result); q++)
		{
			double		answer = counted(run, 0, &run->original, q);

			if (answer == 0)
				result->redrawn++;
			else
				run->error[result->queries++] = fabs(answer - run->estimates.estimate[q]) / answer;
		}
		if (run->task->advance != NULL)
			run->task->advance(run->task->arg, result->queries - told);
		told = result->queries;
	}
	summarize(run->error, result);
}

/* sdc_queries_finish: what no query of fewer attributes found, none of more attributes does. */
void
sdc_queries_finish(const SdcQueryTask *task, SdcQueryErrors *result)
{
	for (int number = 2; number <= sdc_queries_numbers(task); number++)
		if (result[number - 2].queries == 0)
		{
			result[number - 1] = result[number - 2];
			result[number - 1].attributes = number;
			result[number - 1].redrawn = 0;
		}
}

/* sdc_queries_run: see queries.h. */
void
sdc_queries_run(const SdcQueryTask *task, SdcQueryErrors *result)
{
	SdcQueryRun *run = sdc_queries_create(task);

	for (int number = 1; number <= sdc_queries_numbers(task); number++)
		if (number == 1 || result[number - 2].queries > 0)
			sdc_queries_number(run, number, &result[number - 1]);
		else
			result[number - 1].queries = 0;
	sdc_queries_finish(task, result);
	sdc_queries_destroy(run);
}
