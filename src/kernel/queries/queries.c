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
 * Records are bits of bitmaps (queryindex.c), in the order of the groups where there are some.
 * An attribute that the release has unchanged has one index for both files.
 *
 * Time: of a query O(conditions * n / 64) words, and O(conditions * groups) where there are
 * groups; more for attributes with many values or with little memory (queryindex.c).  Memory:
 * sdc_queries_memory, and of task->memory what is left for indexes, in about equal shares.  The
 * results do not depend on it.
 *
 * Limits: for sets of an attribute with some hundreds of values or more, all records are looked at
 * for each query; for ranges they are not.
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
#include "kernel/queries/queryindex.h"

/*
 * For one number of attributes the rest is given up when, with so many draws more, not one draw in so many
 * has found a query with an answer.
 */
#define REDRAWS_PER_QUERY 100
#define REDRAWS_MORE 1000

/* Records that are compared between two looks for a cancel. */
#define COMPARE_RECORDS 65536

/* An attribute in both files. */
typedef struct QueryColumn
{
	uint64	   *present;		/* bitmap of the codes that occur in the original */
	SdcQueryIndex *original;
	SdcQueryIndex *protected;	/* NULL: there is none, or none is asked for */
	uint64	   *different;		/* generalized: the first record of each value in each group */
	uint32	   *distinct;		/* generalized: the number of values in each group */
} QueryColumn;

typedef struct QueryRun
{
	/* set once */
	const SdcQueryTask *task;
	Size		words;			/* of a bitmap of records */
	bool		hardware;
	uint32		columns;		/* quasi-identifiers, then sensitive attributes */
	QueryColumn *column;
	SdcQueryDomain *domain;		/* of each column */
	SdcQueryDraw *draw;
	uint32	   *place;			/* of each record in the order of groups; NULL: there are none */
	uint32	   *start;			/* the first place of each group */
	uint64	   *codes;			/* scratch: a bitmap of the codes of any attribute, and one more */
	double	   *error;			/* of each query */
	/* of the query that is looked at */
	SdcQueryBits match;			/* records that satisfy the conditions on quasi-identifiers */
	SdcQueryBits sensitive;		/* records that satisfy the sensitive one */
	SdcQueryShare *share;		/* of each condition; only for generalized more than one */
} QueryRun;

/* column_attribute is the attribute behind a column. */
static const SdcQueryAttribute *
column_attribute(const SdcQueryTask *task, uint32 column)
{
	uint32		attributes = (uint32) task->attributes;

	return column < attributes ? &task->qi[column] : &task->sensitive[column - attributes];
}

/* most_codes is the largest number of codes of all attributes. */
static uint32
most_codes(const SdcQueryTask *task)
{
	uint32		most = 0;

	for (int c = 0; c < task->attributes + task->sensitives; c++)
	{
		uint32		codes = column_attribute(task, (uint32) c)->codes;

		most = codes > most ? codes : most;
	}
	return most;
}

/* kept_matches is the number of conditions whose records are all kept. */
static uint32
kept_matches(const SdcQueryTask *task)
{
	return task->kind == SDC_QUERY_GENERALIZED ? (uint32) task->attributes : 1;
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

/* sdc_queries_memory: everything but what makes indexes faster. */
uint64
sdc_queries_memory(const SdcQueryTask *task)
{
	uint64		records = sdc_queryindex_words(task->records) * sizeof(uint64);
	uint64		columns = (uint64) task->attributes + (uint64) task->sensitives;
	uint64		memory = draw_memory(task);

	memory += columns * (sizeof(QueryColumn) + sizeof(SdcQueryDomain) + sizeof(uint32) +
						 2 * sdc_queryindex_least());
	for (uint32 c = 0; c < columns; c++)
		memory += sdc_bitset_bytes(column_attribute(task, c)->codes);
	memory += sdc_queryindex_scratch(most_codes(task)) * sizeof(uint32);
	memory += sdc_bitset_bytes((uint64) most_codes(task) + 1);
	memory += (uint64) task->queries * sizeof(double);
	/* bitmaps with the counts of their words, half as large */
	memory += (2 + (uint64) kept_matches(task)) * (records + records / 2);
	memory += kept_matches(task) * sizeof(SdcQueryShare);
	if (task->kind != SDC_QUERY_PLAIN)
		memory += ((uint64) task->records + task->groups + 1) * sizeof(uint32);
	if (task->kind == SDC_QUERY_GENERALIZED)
	{
		memory += (uint64) task->attributes * (records + (uint64) task->groups * sizeof(uint32));
		memory += (uint64) task->records * sizeof(uint32);
	}
	return memory;
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

/* sort_groups finds where each group starts, and the place of each record. */
static void
sort_groups(QueryRun *run)
{
	const SdcQueryTask *task = run->task;
	uint32		records = task->records;
	uint32	   *start;
	uint32		credit = 0;

	run->place = sdc_alloc_array(uint32, records);
	run->start = start = sdc_alloc_zeros(uint32, (Size) task->groups + 1);
	for (uint32 i = 0; i < records; i++)
	{
		SDC_ASSERT(task->group[i] < task->groups);
		start[task->group[i]]++;
		sdc_interrupts_step(i);
	}
	sdc_codesort_starts(start, task->groups, &credit);
	/* placing a record moves the start of its group on, at last to that of the next one */
	for (uint32 i = 0; i < records; i++)
	{
		run->place[i] = start[task->group[i]]++;
		sdc_interrupts_step(i);
	}
	memmove(start + 1, start, (Size) task->groups * sizeof(uint32));
	start[0] = 0;
}

/* create_order returns the record at each place. */
static uint32 *
create_order(const QueryRun *run)
{
	uint32	   *order = sdc_alloc_array(uint32, run->task->records);

	for (uint32 i = 0; i < run->task->records; i++)
	{
		order[run->place[i]] = i;
		sdc_interrupts_step(i);
	}
	return order;
}

/*
 * find_different marks the first record of each value in each group, and counts them; missing
 * values are one value.  The last group that had a code is kept in scratch.
 */
static void
find_different(const QueryRun *run, const uint32 *order, const SdcQueryAttribute *attribute,
			   QueryColumn *column, uint32 *scratch)
{
	uint32		groups = run->task->groups;
	uint32		missing = UINT32_MAX;	/* the last group that had one */

	column->different = sdc_alloc_zeros(uint64, run->words);
	column->distinct = sdc_alloc_array(uint32, groups);
	memset(scratch, 0xFF, (Size) attribute->codes * sizeof(uint32));
	for (uint32 g = 0; g < groups; g++)
	{
		column->distinct[g] = 0;
		for (uint32 p = run->start[g]; p < run->start[g + 1]; p++)
		{
			uint32		code = attribute->original[order[p]];
			uint32	   *last = code == SDC_CODE_NULL ? &missing : &scratch[code];

			sdc_interrupts_step(p);
			if (*last == g)
				continue;
			*last = g;
			sdc_bitset_add(column->different, p);
			column->distinct[g]++;
		}
	}
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

/* create_index makes an index of a column in one file. */
static SdcQueryIndex *
create_index(const QueryRun *run, uint32 c, const uint32 *code, uint64 memory, uint32 *scratch)
{
	SdcQueryColumn file;

	file.records = run->task->records;
	file.code = code;
	file.codes = column_attribute(run->task, c)->codes;
	file.place = run->place;
	file.present = run->column[c].present;
	file.values = run->domain[c].values;
	file.range = run->domain[c].range;
	file.portable = false;
	return sdc_queryindex_create(&file, memory, scratch);
}

/* sort_columns writes the columns in ascending order of their codes. */
static void
sort_columns(const QueryRun *run, uint32 *sorted)
{
	for (uint32 c = 0; c < run->columns; c++)
	{
		uint32		codes = column_attribute(run->task, c)->codes;
		uint32		place = c;

		while (place > 0 && column_attribute(run->task, sorted[place - 1])->codes > codes)
		{
			sorted[place] = sorted[place - 1];
			place--;
		}
		sorted[place] = c;
	}
}

/*
 * create_indexes makes the indexes of all columns, each with an equal share of the memory that
 * those before it left.  The smallest ones come first: what they do not need is for the others.
 */
static void
create_indexes(QueryRun *run, uint32 *scratch)
{
	const SdcQueryTask *task = run->task;
	uint64		least = sdc_queries_memory(task);
	uint64		memory = task->memory > least ? task->memory - least : 0;
	uint32		left = run->columns * 2;
	uint32	   *sorted = sdc_alloc_array(uint32, run->columns);

	sort_columns(run, sorted);
	for (uint32 k = 0; k < run->columns; k++, left -= 2)
	{
		uint32		c = sorted[k];
		const SdcQueryAttribute *attribute = column_attribute(task, c);
		QueryColumn *column = &run->column[c];

		column->original = create_index(run, c, attribute->original, memory / left, scratch);
		memory -= sdc_queryindex_memory(column->original);
		if (attribute->protected == NULL)
			continue;
		if (same_codes(attribute, task->records))
		{
			column->protected = column->original;
			continue;
		}
		column->protected = create_index(run, c, attribute->protected, memory / (left - 1),
										 scratch);
		memory -= sdc_queryindex_memory(column->protected);
	}
	sdc_free(sorted);
}

/* create_bits allocates a bitmap of records. */
static void
create_bits(const QueryRun *run, SdcQueryBits *bits)
{
	bits->bits = sdc_alloc_array(uint64, run->words);
	bits->below = sdc_alloc_array(uint32, run->words);
}

/* destroy_bits frees it. */
static void
destroy_bits(SdcQueryBits *bits)
{
	sdc_free(bits->bits);
	sdc_free(bits->below);
}

/* create_run prepares everything that all queries share. */
static void
create_run(QueryRun *run, const SdcQueryTask *task)
{
	uint32	   *scratch = sdc_alloc_array(uint32, sdc_queryindex_scratch(most_codes(task)));

	memset(run, 0, sizeof(QueryRun));
	run->task = task;
	run->words = sdc_queryindex_words(task->records);
	run->hardware = sdc_bitset_hardware();
	run->columns = (uint32) (task->attributes + task->sensitives);
	run->column = sdc_alloc_array(QueryColumn, run->columns);
	run->domain = sdc_alloc_array(SdcQueryDomain, run->columns);
	if (task->kind != SDC_QUERY_PLAIN)
		sort_groups(run);
	for (uint32 c = 0; c < run->columns; c++)
	{
		const SdcQueryAttribute *attribute = column_attribute(task, c);
		QueryColumn *column = &run->column[c];

		memset(column, 0, sizeof(QueryColumn));
		column->present = sdc_alloc(sdc_bitset_bytes(attribute->codes));
		run->domain[c].range = attribute->range;
		run->domain[c].values = mark_present(attribute, task->records, column->present);
	}
	if (task->kind == SDC_QUERY_GENERALIZED)
	{
		uint32	   *order = create_order(run);

		for (uint32 c = 0; c < (uint32) task->attributes; c++)
			if (task->qi[c].protected == NULL)
				find_different(run, order, &task->qi[c], &run->column[c], scratch);
		sdc_free(order);
	}
	create_indexes(run, scratch);
	sdc_free(scratch);

	run->draw = sdc_querydraw_create((uint32) task->attributes, run->domain,
									 (uint32) task->sensitives,
									 run->domain + task->attributes);
	run->codes = sdc_alloc(sdc_bitset_bytes((uint64) most_codes(task) + 1));
	run->error = sdc_alloc_array(double, task->queries);
	create_bits(run, &run->match);
	create_bits(run, &run->sensitive);
	run->share = sdc_alloc_array(SdcQueryShare, kept_matches(task));
	for (uint32 m = 0; m < kept_matches(task); m++)
		create_bits(run, &run->share[m].selected);
}

/* destroy_column frees what a column has; both files may have one index. */
static void
destroy_column(QueryColumn *column)
{
	if (column->protected != column->original)
		sdc_queryindex_destroy(column->protected);
	sdc_queryindex_destroy(column->original);
	sdc_free(column->present);
	if (column->different != NULL)
	{
		sdc_free(column->different);
		sdc_free(column->distinct);
	}
}

/* destroy_run frees everything. */
static void
destroy_run(QueryRun *run)
{
	for (uint32 m = 0; m < kept_matches(run->task); m++)
		destroy_bits(&run->share[m].selected);
	sdc_free(run->share);
	destroy_bits(&run->sensitive);
	destroy_bits(&run->match);
	sdc_free(run->error);
	sdc_free(run->codes);
	sdc_querydraw_destroy(run->draw);
	for (uint32 c = 0; c < run->columns; c++)
		destroy_column(&run->column[c]);
	if (run->place != NULL)
	{
		sdc_free(run->place);
		sdc_free(run->start);
	}
	sdc_free(run->domain);
	sdc_free(run->column);
}

/* qi_conditions is the number of conditions on quasi-identifiers. */
static uint32
qi_conditions(const QueryRun *run)
{
	return run->draw->conditions - (run->task->sensitives > 0);
}

/* sensitive_condition is the condition on a sensitive attribute, or NULL. */
static const SdcQueryCondition *
sensitive_condition(const QueryRun *run)
{
	return run->task->sensitives > 0 ? &run->draw->condition[qi_conditions(run)] : NULL;
}

/* sensitive_column is the column of the condition on a sensitive attribute. */
static const QueryColumn *
sensitive_column(const QueryRun *run)
{
	return &run->column[(uint32) run->task->attributes + sensitive_condition(run)->attribute];
}

/*
 * match_qi finds the records of a file that satisfy all conditions on quasi-identifiers; for
 * generalized releases it keeps those that satisfy each.
 */
static void
match_qi(QueryRun *run, bool protected)
{
	for (uint32 c = 0; c < qi_conditions(run); c++)
	{
		const SdcQueryCondition *condition = &run->draw->condition[c];
		const QueryColumn *column = &run->column[condition->attribute];
		const SdcQueryIndex *index = protected ? column->protected : column->original;
		uint64	   *match = run->share[c % kept_matches(run->task)].selected.bits;

		sdc_queryindex_match(index, condition, run->codes, match);
		if (c == 0)
			memcpy(run->match.bits, match, run->words * sizeof(uint64));
		else
			sdc_bitset_meet(run->match.bits, match, run->words);
		SDC_CHECK_INTERRUPTS();
	}
}

/* match_sensitive finds the records of a file that satisfy the sensitive condition, if any. */
static void
match_sensitive(QueryRun *run, bool protected)
{
	const QueryColumn *column;

	if (run->task->sensitives == 0)
		return;
	column = sensitive_column(run);
	sdc_queryindex_match(protected ? column->protected : column->original, sensitive_condition(run),
						 run->codes, run->sensitive.bits);
}

/* count_matches counts the records found that satisfy all conditions. */
static uint64
count_matches(const QueryRun *run)
{
	if (run->task->sensitives == 0)
		return sdc_bitset_count(run->match.bits, run->words);
	return sdc_bitset_common(run->match.bits, run->sensitive.bits, run->words);
}

/* match_protected turns the records found in the original into those of the release. */
static void
match_protected(QueryRun *run)
{
	bool		changed = false;

	for (uint32 c = 0; c < qi_conditions(run) && !changed; c++)
	{
		const QueryColumn *column = &run->column[run->draw->condition[c].attribute];

		changed = column->protected != column->original;
	}
	if (run->task->kind != SDC_QUERY_GENERALIZED && changed)
		match_qi(run, true);
	if (run->task->sensitives > 0 &&
		sensitive_column(run)->protected != sensitive_column(run)->original)
		match_sensitive(run, true);
}

/*
 * match_values finds the records of a release with generalized attributes that satisfy the conditions on its
 * other quasi-identifiers, in place of the records of the original, and returns them; NULL without such conditions.
 */
static SdcQueryBits *
match_values(QueryRun *run)
{
	bool		found = false;

	for (uint32 c = 0; c < qi_conditions(run); c++)
	{
		const SdcQueryCondition *condition = &run->draw->condition[c];
		const SdcQueryIndex *index = run->column[condition->attribute].protected;
		uint64	   *match = run->share[c].selected.bits;

		if (index == NULL)
			continue;
		sdc_queryindex_match(index, condition, run->codes, match);
		if (found)
			sdc_bitset_meet(run->match.bits, match, run->words);
		else
			memcpy(run->match.bits, match, run->words * sizeof(uint64));
		found = true;
		SDC_CHECK_INTERRUPTS();
	}
	return found ? &run->match : NULL;
}

/*
 * estimate_generalized estimates it where some attributes are generalized; others has the records that satisfy
 * the rest, or is NULL.
 */
static double
estimate_generalized(QueryRun *run, const SdcQueryGroups *groups, SdcQueryBits *others)
{
	uint32		shares = 0;

	for (uint32 c = 0; c < qi_conditions(run); c++)
	{
		const QueryColumn *column = &run->column[run->draw->condition[c].attribute];
		SdcQueryShare share = run->share[c];

		if (column->protected != NULL)
			continue;
		sdc_bitset_meet(share.selected.bits, column->different, run->words);
		sdc_queryeval_below(&share.selected, run->words);
		share.distinct = column->distinct;
		run->share[c] = run->share[shares];
		run->share[shares++] = share;
	}
	return sdc_queryeval_generalized(groups, shares, run->share, others, run->hardware);
}

/* estimate_groups estimates the answer of a query from the groups of the release. */
static double
estimate_groups(QueryRun *run)
{
	SdcQueryGroups groups = {run->task->groups, run->start};
	SdcQueryBits *values = run->task->kind == SDC_QUERY_GENERALIZED ? match_values(run) : NULL;
	SdcQueryBits *sensitive = run->task->sensitives > 0 ? &run->sensitive : values;

	if (sensitive != NULL)
	{
		if (values != NULL && sensitive != values)
			sdc_bitset_meet(sensitive->bits, values->bits, run->words);
		sdc_queryeval_below(sensitive, run->words);
	}
	if (run->task->kind == SDC_QUERY_PERMUTED)
	{
		sdc_queryeval_below(&run->match, run->words);
		return sdc_queryeval_permuted(&groups, &run->match, sensitive, run->hardware);
	}
	return estimate_generalized(run, &groups, sensitive);
}

/* compare_errors orders two errors; none is NaN. */
static int
compare_errors(const void *a, const void *b)
{
	double		left = *(const double *) a;
	double		right = *(const double *) b;

	return (left > right) - (left < right);
}

/* percentile interpolates between the two errors next to a share of sorted ones. */
static double
percentile(const double *error, uint32 count, double share)
{
	double		place = share * (count - 1);
	uint32		low = (uint32) floor(place);
	uint32		high = (uint32) ceil(place);

	return error[low] + (place - low) * (error[high] - error[low]);
}

/* summarize computes mean and percentiles of the errors, and sorts them. */
static void
summarize(double *error, SdcQueryErrors *result)
{
	SdcMomentsSum sum = {0, 0};

	result->mean = result->median = result->p95 = __builtin_nan("");
	if (result->queries == 0)
		return;
	for (uint32 q = 0; q < result->queries; q++)
		sdc_moments_add(&sum, error[q]);
	result->mean = sdc_moments_total(&sum) / result->queries;
	qsort(error, result->queries, sizeof(double), compare_errors);
	result->median = percentile(error, result->queries, 0.5);
	result->p95 = percentile(error, result->queries, 0.95);
}

/* run_number asks so many queries with one number of attributes. */
static void
run_number(QueryRun *run, int number, SdcQueryErrors *result, uint32 queries)
{
	const SdcQueryTask *task = run->task;
	SdcStream  *stream = task->stream(task->arg, number);

	result->attributes = number;
	result->queries = 0;
	result->redrawn = 0;
	while (task->records > 0 && result->queries < queries &&
		   result->redrawn < REDRAWS_MORE + REDRAWS_PER_QUERY * ((uint64) result->queries + 1))
	{
		uint64		answer;
		double		estimate;

		SDC_CHECK_INTERRUPTS();
		sdc_querydraw_next(run->draw, stream, (uint32) number);
		match_qi(run, false);
		match_sensitive(run, false);
		answer = count_matches(run);
		if (answer == 0)
		{
			result->redrawn++;
			continue;
		}
		match_protected(run);
		estimate = task->kind == SDC_QUERY_PLAIN ? (double) count_matches(run) :
			estimate_groups(run);
		run->error[result->queries++] = fabs((double) answer - estimate) / (double) answer;
	}
	summarize(run->error, result);
}

/* sdc_queries_run: see queries.h. */
void
sdc_queries_run(const SdcQueryTask *task, SdcQueryErrors *result)
{
	QueryRun	run;

	SDC_ASSERT(task->attributes > 0 && task->sensitives >= 0);
	create_run(&run, task);
	for (int number = 1; number <= sdc_queries_numbers(task); number++)
		/* what no query of fewer attributes found, none of more attributes does */
		run_number(&run, number, &result[number - 1],
				   number > 1 && result[number - 2].queries == 0 ? 0 : task->queries);
	destroy_run(&run);
}
