/*-------------------------------------------------------------------------
 *
 * test_queries.c
 *		Errors of random queries against counting record by record.
 *
 * The queries are drawn again by the same kernel from the same stream, and everything else is
 * done in the simplest way.  test_querydraw checks what is drawn.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include <math.h>

#include "kernel/queries/queries.h"
#include "kernel/queries/querydraw.h"

#include "memory.h"
#include "random.h"
#include "tap.h"

#define MOST_ATTRIBUTES 8
#define MOST_SENSITIVES 3
#define MOST_COLUMNS (MOST_ATTRIBUTES + MOST_SENSITIVES)
#define AMPLE (UINT64_C(1) << 40)

static SdcStream *test_stream;
static uint64 test_seed = 1;

/* A task, and the memory that it points to. */
typedef struct Table
{
	SdcQueryTask task;
	SdcQueryAttribute *attribute;
	uint32	   *original[MOST_COLUMNS];
	uint32	   *protected[MOST_COLUMNS];
	uint32	   *group;
	SdcQuerySet *set[MOST_COLUMNS];	/* of generalized columns, by group */
	uint32	   *element[MOST_COLUMNS];
	double	   *weight[2];		/* of the records in both files; NULL: there are none */
} Table;

/* start_stream is the callback of the tasks. */
static SdcStream *
start_stream(void *arg, int attributes)
{
	static const uint8 master[SDC_MASTER_KEY_BYTES] = {5, 4, 3};

	CHECK(arg == &test_seed);
	CHECK(sdc_stream_start(test_stream, master, "queries", "", "test",
						   test_seed * 100 + (uint64) attributes) == SDC_OK);
	return test_stream;
}

/* table_columns is the number of columns of a table. */
static int
table_columns(const Table *table)
{
	return table->task.attributes + table->task.sensitives;
}

/* create_table makes a table without contents. */
static void
create_table(Table *table, uint32 records, int attributes, int sensitives, SdcQueryKind kind)
{
	memset(table, 0, sizeof(Table));
	table->attribute = sdc_alloc_zeros(SdcQueryAttribute, (uint64) (attributes + sensitives));
	table->task.records = records;
	table->task.kind = kind;
	table->task.attributes = attributes;
	table->task.sensitives = sensitives;
	table->task.qi = table->attribute;
	table->task.sensitive = table->attribute + attributes;
	table->task.queries = 20;
	table->task.stream = start_stream;
	table->task.arg = &test_seed;
	table->task.memory = AMPLE;
	for (int c = 0; c < attributes + sensitives; c++)
	{
		table->original[c] = sdc_alloc(records * sizeof(uint32));
		table->protected[c] = sdc_alloc(records * sizeof(uint32));
		table->attribute[c].original = table->original[c];
		table->attribute[c].protected = table->protected[c];
		if (kind == SDC_QUERY_GENERALIZED && c < attributes && pick(3) > 0)
			table->attribute[c].protected = NULL;
		table->attribute[c].codes = 1;
		memset(table->original[c], 0, records * sizeof(uint32));
		memset(table->protected[c], 0, records * sizeof(uint32));
	}
	table->group = sdc_alloc(records * sizeof(uint32));
	memset(table->group, 0, records * sizeof(uint32));
	table->task.group = kind == SDC_QUERY_PLAIN ? NULL : table->group;
	table->task.groups = kind == SDC_QUERY_PLAIN ? 0 : 1;
}

/* forget_sets frees the sets of values. */
static void
forget_sets(Table *table)
{
	for (int c = 0; c < MOST_COLUMNS; c++)
	{
		if (table->set[c] == NULL)
			continue;
		sdc_free(table->set[c]);
		sdc_free(table->element[c]);
		table->set[c] = NULL;
	}
}

/* destroy_table frees it. */
static void
destroy_table(Table *table)
{
	for (int c = 0; c < table_columns(table); c++)
	{
		sdc_free(table->original[c]);
		sdc_free(table->protected[c]);
	}
	forget_sets(table);
	for (int f = 0; f < 2; f++)
		if (table->weight[f] != NULL)
			sdc_free(table->weight[f]);
	sdc_free(table->group);
	sdc_free(table->attribute);
}

/* pick_code draws a code, skewed or not, or a missing value. */
static uint32
pick_code(uint32 codes, bool skewed, uint32 missing)
{
	uint32		code = pick(codes);

	if (skewed)
		code = pick(code + 1);
	return pick(100) < missing ? SDC_CODE_NULL : code;
}

/* fill_column makes an attribute; some codes are in the protected file only, some in none. */
static void
fill_column(Table *table, int column, uint32 codes)
{
	SdcQueryAttribute *attribute = &table->attribute[column];
	uint32		missing = pick(3) == 0 ? pick(60) : 0;
	bool		skewed = pick(2) == 0;
	bool		gaps = pick(2) == 0;
	uint32		changed = pick(3) * 40;

	attribute->codes = codes;
	attribute->range = pick(2) == 0;
	for (uint32 i = 0; i < table->task.records; i++)
	{
		uint32		code = pick_code(codes, skewed, missing);

		/* without the original values of every third code */
		if (gaps && codes > 3 && code != SDC_CODE_NULL && code % 3 == 1)
			code--;
		table->original[column][i] = code;
		if (pick(100) < changed)
			code = pick_code(codes, skewed, missing);
		table->protected[column][i] = code;
	}
}

/* fill_groups puts the records into groups, some of them empty. */
static void
fill_groups(Table *table, uint32 groups)
{
	if (table->task.kind == SDC_QUERY_PLAIN)
		return;
	table->task.groups = groups;
	for (uint32 i = 0; i < table->task.records; i++)
		table->group[i] = pick(groups);
}

/* own_set is the set of a group that has the different values of its records. */
static SdcQuerySet
own_set(const Table *table, int column, uint32 group, uint32 *element, uint64 first)
{
	SdcQuerySet set = {first, 0};

	for (uint32 i = 0; i < table->task.records; i++)
	{
		bool		seen = table->group[i] != group;

		for (uint32 k = 0; k < set.count && !seen; k++)
			seen = element[first + k] == table->original[column][i];
		if (!seen)
			element[first + set.count++] = table->original[column][i];
	}
	return set;
}

/* other_set is any set: nothing, all values with or without a missing one, neighbours, some of them. */
static SdcQuerySet
other_set(uint32 codes, uint32 *element, uint64 first)
{
	SdcQuerySet set = {first, 0};
	uint32		way = pick(5);

	if (way < 2)
		return (SdcQuerySet) {0, codes + way};
	if (way == 2)
		return (SdcQuerySet) {first, 0};
	if (way == 3)
	{
		set.first = pick(codes);
		set.count = 1 + pick(codes - (uint32) set.first);
		return set;
	}
	for (uint32 code = pick(3); code < codes && set.count < 20; code += 1 + pick(4))
		element[first + set.count++] = code;
	/* a missing value, or values that are in no file */
	for (uint32 more = pick(3); more > 0; more--)
		element[first + set.count++] = SDC_CODE_NULL;
	return set;
}

/* fill_sets gives the groups their sets of values, or some of them others. */
static void
fill_sets(Table *table, bool others)
{
	for (int c = 0; c < table->task.attributes; c++)
	{
		SdcQueryAttribute *attribute = &table->attribute[c];
		uint32		codes = attribute->codes;
		uint64		elements = (uint64) codes + 1;

		if (attribute->protected != NULL)
			continue;
		CHECK(table->set[c] == NULL);
		table->set[c] = sdc_alloc(table->task.groups * sizeof(SdcQuerySet));
		table->element[c] = sdc_alloc((elements + table->task.records + 22 * (uint64) table->task.groups) *
									  sizeof(uint32));
		for (uint32 code = 0; code <= codes; code++)
			table->element[c][code] = code < codes ? code : SDC_CODE_NULL;
		for (uint32 g = 0; g < table->task.groups; g++)
		{
			table->set[c][g] = others && pick(3) == 0 ? other_set(codes, table->element[c], elements) :
				own_set(table, c, g, table->element[c], elements);
			if (table->set[c][g].first == elements)
				elements += table->set[c][g].count;
		}
		attribute->set = table->set[c];
		attribute->element = table->element[c];
		attribute->elements = elements;
	}
}

/* fill_weights gives the records weights, others in each file. */
static void
fill_weights(Table *table)
{
	for (int f = 0; f < 2; f++)
	{
		table->task.weight[f] = table->weight[f] = sdc_alloc_array(double, table->task.records);
		for (uint32 i = 0; i < table->task.records; i++)
			table->weight[f][i] = (1 + pick(12)) / 4.0;
	}
}

/* weight_of is the weight of a record in a file. */
static double
weight_of(const Table *table, int file, uint32 record)
{
	return table->weight[file] == NULL ? 1 : table->weight[file][record];
}

/* random_table makes a small table of everything. */
static void
random_table(Table *table, SdcQueryKind kind, uint32 most_records, uint32 most_codes)
{
	create_table(table, pick(most_records + 1), 1 + (int) pick(5), (int) pick(MOST_SENSITIVES + 1),
				 kind);
	for (int c = 0; c < table_columns(table); c++)
		fill_column(table, c, 1 + pick(most_codes));
	fill_groups(table, 1 + pick(table->task.records / 2 + 2));
	fill_sets(table, true);
	table->task.queries = 1 + pick(25);
	test_seed++;
}

/* naive_ranks lists the codes that occur in an original column, in ascending order. */
static uint32
naive_ranks(const SdcQueryAttribute *attribute, uint32 records, uint32 *code_of_rank)
{
	uint32		values = 0;

	for (uint32 code = 0; code < attribute->codes; code++)
	{
		bool		found = false;

		for (uint32 i = 0; i < records && !found; i++)
			found = attribute->original[i] == code;
		if (found)
			code_of_rank[values++] = code;
	}
	return values;
}

/* naive_satisfies looks whether a code satisfies a condition. */
static bool
naive_satisfies(const SdcQueryCondition *condition, const uint32 *code_of_rank, uint32 code)
{
	if (code == SDC_CODE_NULL || condition->count == 0)
		return false;
	if (condition->member == NULL)
		return code >= code_of_rank[condition->first] &&
			code <= code_of_rank[condition->first + condition->count - 1];
	for (uint32 rank = 0; rank < condition->values; rank++)
	{
		if (code_of_rank[rank] == code)
			return sdc_bitset_contains(condition->member, rank);
	}
	return false;
}

/* What the naive evaluation needs of one query. */
typedef struct Naive
{
	const Table *table;
	const SdcQueryDraw *draw;
	uint32	   *code_of_rank[MOST_COLUMNS];
	/* the answers of every condition for every code, the last one for a missing value */
	bool	   *answer[MOST_COLUMNS];
} Naive;

/* condition_column is the column of a condition. */
static int
condition_column(const Naive *naive, uint32 c)
{
	const SdcQueryTask *task = &naive->table->task;
	bool		sensitive = task->sensitives > 0 && c == naive->draw->conditions - 1;

	return (int) naive->draw->condition[c].attribute + (sensitive ? task->attributes : 0);
}

/* satisfies looks up an answer. */
static bool
satisfies(const Naive *naive, uint32 c, uint32 code)
{
	uint32		codes = naive->table->attribute[condition_column(naive, c)].codes;

	return naive->answer[c][code == SDC_CODE_NULL ? codes : code];
}

/* answer_codes evaluates the conditions of a query for all codes. */
static void
answer_codes(Naive *naive)
{
	for (uint32 c = 0; c < naive->draw->conditions; c++)
	{
		int			column = condition_column(naive, c);
		uint32		codes = naive->table->attribute[column].codes;

		for (uint32 code = 0; code < codes; code++)
			naive->answer[c][code] = naive_satisfies(&naive->draw->condition[c],
													 naive->code_of_rank[column], code);
		naive->answer[c][codes] = false;
	}
}

/* record_satisfies looks whether a record satisfies some of the conditions. */
static bool
record_satisfies(const Naive *naive, uint32 record, uint32 first, uint32 last, bool protected)
{
	for (uint32 c = first; c < last; c++)
	{
		int			column = condition_column(naive, c);
		const Table *table = naive->table;

		if (!satisfies(naive, c, protected ? table->protected[column][record] :
					   table->original[column][record]))
			return false;
	}
	return true;
}

/* values_satisfy looks whether a record of the release satisfies the conditions on what is not generalized. */
static bool
values_satisfy(const Naive *naive, uint32 record, uint32 conditions)
{
	for (uint32 c = 0; c < conditions; c++)
		if (naive->table->task.qi[naive->draw->condition[c].attribute].protected != NULL &&
			!record_satisfies(naive, record, c, c + 1, true))
			return false;
	return true;
}

/* share_of_group is the share of the values that a group has that satisfy a condition. */
static double
share_of_group(const Naive *naive, uint32 c, uint32 group)
{
	int			column = condition_column(naive, c);
	const SdcQuerySet *set = &naive->table->set[column][group];
	uint32		asked = 0;

	for (uint32 i = 0; i < set->count; i++)
		asked += satisfies(naive, c, naive->table->element[column][set->first + i]);
	return set->count == 0 ? 0 : (double) asked / set->count;
}

/* naive_group estimates how many records of a group satisfy the query. */
static double
naive_group(const Naive *naive, uint32 group)
{
	const SdcQueryTask *task = &naive->table->task;
	uint32		conditions = naive->draw->conditions;
	uint32		qi = conditions - (task->sensitives > 0);
	double		records = 0;
	double		sensitive = 0;
	double		matching = 0;

	for (uint32 i = 0; i < task->records; i++)
	{
		if (naive->table->group[i] != group)
			continue;
		records++;
		if (task->kind == SDC_QUERY_PERMUTED)
		{
			sensitive += record_satisfies(naive, i, qi, conditions, true);
			matching += record_satisfies(naive, i, 0, qi, true) * weight_of(naive->table, 1, i);
		}
		else
			sensitive += record_satisfies(naive, i, qi, conditions, true) * values_satisfy(naive, i, qi) *
				weight_of(naive->table, 1, i);
	}
	if (records == 0)
		return 0;
	if (task->kind == SDC_QUERY_PERMUTED)
		return sensitive * matching / records;
	for (uint32 c = 0; c < qi && sensitive > 0; c++)
		if (task->qi[naive->draw->condition[c].attribute].protected == NULL)
			sensitive *= share_of_group(naive, c, group);
	return sensitive;
}

/* naive_estimate estimates the answer of a query from the release. */
static double
naive_estimate(const Naive *naive)
{
	const SdcQueryTask *task = &naive->table->task;
	double		estimate = 0;

	if (task->kind == SDC_QUERY_PLAIN)
	{
		for (uint32 i = 0; i < task->records; i++)
			estimate += record_satisfies(naive, i, 0, naive->draw->conditions, true) * weight_of(naive->table, 1, i);
	}
	for (uint32 g = 0; g < task->groups; g++)
		estimate += naive_group(naive, g);
	return estimate;
}

/* naive_answer counts in the original. */
static double
naive_answer(const Naive *naive)
{
	double		answer = 0;

	for (uint32 i = 0; i < naive->table->task.records; i++)
		answer += record_satisfies(naive, i, 0, naive->draw->conditions, false) * weight_of(naive->table, 0, i);
	return answer;
}

/* naive_percentile sorts by insertion and interpolates. */
static double
naive_percentile(double *error, uint32 count, double share)
{
	double		place = share * (count - 1);
	uint32		low = (uint32) place;

	for (uint32 i = 1; i < count; i++)
	{
		for (uint32 k = i; k > 0 && error[k - 1] > error[k]; k--)
		{
			double		held = error[k];

			error[k] = error[k - 1];
			error[k - 1] = held;
		}
	}
	if (low + 1 == count)
		return error[low];
	return error[low] * (1 - (place - low)) + error[low + 1] * (place - low);
}

/* naive_number is what sdc_queries_run should find for a number of attributes. */
static void
naive_number(Naive *naive, SdcQueryDraw *draw, int number, SdcQueryErrors *result)
{
	const SdcQueryTask *task = &naive->table->task;
	double	   *error = sdc_alloc(task->queries * sizeof(double));
	SdcStream  *stream = task->stream(task->arg, number);
	double		sum = 0;

	memset(result, 0, sizeof(SdcQueryErrors));
	while (task->records > 0 && result->queries < task->queries &&
		   result->redrawn < 100 * ((uint64) result->queries + 1) + 1000)
	{
		double		answer;

		sdc_querydraw_next(draw, stream, (uint32) number);
		answer_codes(naive);
		answer = naive_answer(naive);
		if (answer > 0)
		{
			error[result->queries] = fabs(answer - naive_estimate(naive)) / answer;
			sum += error[result->queries++];
		}
		else
			result->redrawn++;
	}
	result->attributes = number;
	result->mean = result->median = result->p95 = result->other[0] = result->other[1] = result->other[2] = NAN;
	if (result->queries > 0)
	{
		result->mean = sum / result->queries;
		result->median = naive_percentile(error, result->queries, 0.5);
		result->p95 = naive_percentile(error, result->queries, 0.95);
		result->other[0] = naive_percentile(error, result->queries, 0.05);
		result->other[1] = naive_percentile(error, result->queries, 0.25);
		result->other[2] = naive_percentile(error, result->queries, 0.75);
	}
	sdc_free(error);
}

/* naive_run is sdc_queries_run. */
static void
naive_run(const Table *table, SdcQueryErrors *result)
{
	const SdcQueryTask *task = &table->task;
	SdcQueryDomain domain[MOST_COLUMNS];
	SdcQueryDraw *draw;
	Naive		naive;

	for (int c = 0; c < table_columns(table); c++)
	{
		uint32		codes = table->attribute[c].codes;

		naive.code_of_rank[c] = sdc_alloc(codes * sizeof(uint32));
		domain[c].range = table->attribute[c].range;
		domain[c].values = naive_ranks(&table->attribute[c], task->records, naive.code_of_rank[c]);
	}
	for (int c = 0; c <= task->attributes; c++)
		naive.answer[c] = sdc_alloc(100000 * sizeof(bool));
	draw = sdc_querydraw_create((uint32) task->attributes, domain, (uint32) task->sensitives,
								domain + task->attributes);
	naive.table = table;
	naive.draw = draw;
	for (int number = 1; number <= sdc_queries_numbers(task); number++)
		naive_number(&naive, draw, number, &result[number - 1]);
	sdc_querydraw_destroy(draw);
	for (int c = 0; c < table_columns(table); c++)
		sdc_free(naive.code_of_rank[c]);
	for (int c = 0; c <= task->attributes; c++)
		sdc_free(naive.answer[c]);
}

/* is_close compares numbers that may be NaN. */
static bool
is_close(double a, double b)
{
	return a == b || (isnan(a) && isnan(b)) || fabs(a - b) <= 1e-11 * (1 + fabs(b));
}

/* compare_naive runs a task and compares the results. */
static void
compare_naive(const Table *table)
{
	SdcQueryErrors got[MOST_COLUMNS];
	SdcQueryErrors want[MOST_COLUMNS];

	sdc_queries_run(&table->task, got);
	naive_run(table, want);
	/* where no query had an answer, more attributes are not tried */
	for (int k = 1; k < sdc_queries_numbers(&table->task); k++)
		if (want[k - 1].queries == 0)
		{
			want[k] = want[k - 1];
			want[k].redrawn = 0;
		}
	for (int k = 0; k < sdc_queries_numbers(&table->task); k++)
	{
		CHECKF(got[k].attributes == k + 1, "%d", got[k].attributes);
		CHECKF(got[k].queries == want[k].queries && got[k].redrawn == want[k].redrawn,
			   "seed %d, j %d: %u and %u queries", (int) test_seed, k + 1, got[k].queries,
			   want[k].queries);
		CHECKF(is_close(got[k].mean, want[k].mean) && is_close(got[k].median, want[k].median) &&
			   is_close(got[k].p95, want[k].p95) && is_close(got[k].other[0], want[k].other[0]) &&
			   is_close(got[k].other[1], want[k].other[1]) && is_close(got[k].other[2], want[k].other[2]),
			   "kind %d, seed %d, n %u, j %d: mean %.17g, not %.17g", (int) table->task.kind,
			   (int) test_seed, table->task.records, k + 1, got[k].mean, want[k].mean);
	}
}

/* same_results compares all bits. */
static bool
same_results(const SdcQueryErrors *a, const SdcQueryErrors *b, int count)
{
	for (int k = 0; k < count; k++)
	{
		if (a[k].attributes != b[k].attributes || a[k].queries != b[k].queries ||
			a[k].redrawn != b[k].redrawn ||
			memcmp(&a[k].mean, &b[k].mean, sizeof(double)) != 0 ||
			memcmp(&a[k].median, &b[k].median, sizeof(double)) != 0 ||
			memcmp(&a[k].p95, &b[k].p95, sizeof(double)) != 0)
			return false;
	}
	return true;
}

/* random_tables compares small tables of all kinds. */
static void
random_tables(void)
{
	random_state = 11;
	for (int round = 0; round < ROUNDS(900); round++)
	{
		Table		table;

		random_table(&table, (SdcQueryKind) (round % 3), round % 4 == 0 ? 6 : 70,
					 round % 5 == 0 ? 2 : 14);
		/* batches of all sizes, and more queries than one has */
		if (round % 12 < 3)
			table.task.queries = 20 + pick(round % 24 < 3 ? 50 : 400);
		if (pick(3) == 0)
			table.task.memory = sdc_queries_memory(&table.task) + pick(6000);
		if (pick(3) == 0)
			fill_weights(&table);
		compare_naive(&table);
		destroy_table(&table);
	}
}

/* large_tables compares tables with many values, of several blocks of records. */
static void
large_tables(void)
{
	random_state = 12;
	for (int round = 0; round < 8; round++)
	{
		Table		table;

		create_table(&table, 1400 + pick(200), 3, 1, round % 4 == 0 ? SDC_QUERY_GENERALIZED :
					 round % 4 == 1 ? SDC_QUERY_PERMUTED : SDC_QUERY_PLAIN);
		fill_column(&table, 0, 3000);
		fill_column(&table, 1, 700);
		fill_column(&table, 2, 150);
		fill_column(&table, 3, 400);
		fill_groups(&table, 40);
		fill_sets(&table, round % 8 == 0);
		table.task.queries = table.task.kind == SDC_QUERY_PLAIN ? 30 : 5;
		test_seed++;
		compare_naive(&table);
		destroy_table(&table);
	}
}

/* edges compares the smallest tables, and such without any difference. */
static void
edges(void)
{
	random_state = 13;
	for (int kind = 0; kind < 3; kind++)
	{
		for (int round = 0; round < ROUNDS(48); round++)
		{
			Table		table;
			uint32		records = (uint32) round % 4;

			/* on the borders of words and blocks too */
			if (records == 3)
				records = 63 + pick(3) + pick(2) * 448;
			create_table(&table, records, 1 + round % 3, round / 3 % 3, (SdcQueryKind) kind);
			for (int c = 0; c < table_columns(&table); c++)
			{
				table.attribute[c].range = pick(2) == 0;
				if (round % 2 == 0)
					fill_column(&table, c, 1 + pick(3));
			}
			fill_sets(&table, round % 4 < 2);
			table.task.queries = 5;
			compare_naive(&table);
			destroy_table(&table);
		}
	}
}

/* memory_changes_nothing runs tables with rows of all widths, and codes in both orders. */
static void
memory_changes_nothing(void)
{
	random_state = 14;
	for (int round = 0; round < ROUNDS(42); round++)
	{
		SdcQueryErrors want[MOST_COLUMNS];
		SdcQueryErrors got[MOST_COLUMNS];
		Table		table;
		int			numbers;

		random_table(&table, (SdcQueryKind) (round % 3), 3000, round % 2 == 0 ? 40 : 2500);
		table.task.queries = 1 + pick(round % 3 == 0 ? 300 : 80);
		if (pick(3) == 0)
			fill_weights(&table);
		numbers = sdc_queries_numbers(&table.task);
		sdc_queries_run(&table.task, want);
		sdc_queries_run(&table.task, got);
		CHECK(same_results(got, want, numbers));
		for (int part = 0; part < 10; part++)
		{
			table.task.memory = sdc_queries_memory(&table.task) +
				(part == 0 ? 0 : pick(4000u << part / 2));
			sdc_queries_run(&table.task, got);
			CHECKF(same_results(got, want, numbers), "round %d, part %d", round, part);
		}
		destroy_table(&table);
	}
}

/* memory_is_kept measures what tables take that are allowed little more than the least. */
static void
memory_is_kept(void)
{
	random_state = 19;
	for (int round = 0; round < ROUNDS(60); round++)
	{
		SdcQueryErrors result[MOST_COLUMNS];
		Table		table;

		random_table(&table, (SdcQueryKind) (round % 3), round % 2 == 0 ? 10 : 3000, round % 4 < 2 ? 5 : 900);
		/* so few errors are sorted in place */
		table.task.queries = 1 + pick(1024 / sizeof(double));
		if (pick(3) == 0)
			fill_weights(&table);
		for (int part = 0; part < 8; part++)
		{
			uint64		least = sdc_queries_memory(&table.task);

			table.task.memory = least + (part == 0 ? 0 : pick(1000u << part * 2));
			if (!memory_begin())
				break;
			sdc_queries_run(&table.task, result);
			CHECKF(memory_most <= (int64) table.task.memory, "round %d, part %d: %lld bytes, not %llu more than %llu",
				   round, part, (long long) memory_most, (unsigned long long) (table.task.memory - least),
				   (unsigned long long) least);
			CHECKF(part > 0 || least < 2 * (uint64) memory_most, "round %d: %lld bytes of %llu", round,
				   (long long) memory_most, (unsigned long long) least);
		}
		destroy_table(&table);
	}
}

/* copy_original makes another release of the original of a table. */
static void
copy_original(Table *copy, const Table *table, SdcQueryKind kind)
{
	create_table(copy, table->task.records, table->task.attributes, table->task.sensitives, kind);
	copy->task.queries = table->task.queries;
	for (int c = 0; c < table_columns(table); c++)
	{
		uint32		between = 1 + pick(3);	/* new codes between those of the original */
		uint32		codes = table->attribute[c].codes * between;

		copy->attribute[c].codes = codes;
		copy->attribute[c].range = table->attribute[c].range;
		for (uint32 i = 0; i < table->task.records; i++)
		{
			uint32		code = table->original[c][i];

			copy->original[c][i] = code == SDC_CODE_NULL ? code : code * between;
			copy->protected[c][i] = pick_code(codes, false, 10);
		}
	}
	fill_groups(copy, 1 + pick(20));
	fill_sets(copy, true);
}

/*
 * parts_make_the_whole asks with one number of attributes after the other, in any order, as those do who share them.
 */
static void
parts_make_the_whole(void)
{
	random_state = 19;
	for (int round = 0; round < ROUNDS(60); round++)
	{
		SdcQueryErrors want[MOST_COLUMNS];
		SdcQueryErrors got[MOST_COLUMNS];
		SdcQueryRun *run;
		Table		table;
		int			numbers;
		int			first;

		random_table(&table, (SdcQueryKind) (round % 3), round % 4 == 0 ? 3 : 50, 14);
		numbers = sdc_queries_numbers(&table.task);
		first = (int) pick((uint32) numbers);
		sdc_queries_run(&table.task, want);
		run = sdc_queries_create(&table.task);
		for (int k = 0; k < numbers; k++)
		{
			int			number = 1 + (first + k) % numbers;

			sdc_queries_number(run, number, &got[number - 1]);
		}
		sdc_queries_finish(&table.task, got);
		CHECKF(same_results(got, want, numbers), "round %d", round);
		sdc_queries_destroy(run);
		destroy_table(&table);
	}
}

/*
 * releases_are_asked_the_same runs two releases of one original, of any kinds.  As the streams
 * are at the same place afterwards, the queries were the same.
 */
static void
releases_are_asked_the_same(void)
{
	random_state = 15;
	for (int round = 0; round < ROUNDS(150); round++)
	{
		SdcQueryErrors first[MOST_COLUMNS];
		SdcQueryErrors second[MOST_COLUMNS];
		Table		table;
		Table		copy;
		uint64		word;

		random_table(&table, (SdcQueryKind) (round % 3), 60, 10);
		copy_original(&copy, &table, (SdcQueryKind) (round / 3 % 3));
		sdc_queries_run(&table.task, first);
		word = sdc_stream_next64(test_stream);
		sdc_queries_run(&copy.task, second);
		CHECK(word == sdc_stream_next64(test_stream));
		for (int k = 0; k < sdc_queries_numbers(&table.task); k++)
			CHECKF(first[k].queries == second[k].queries &&
				   first[k].redrawn == second[k].redrawn, "round %d, j %d", round, k + 1);
		compare_naive(&copy);
		destroy_table(&copy);
		destroy_table(&table);
	}
}

/* identity_has_no_errors: plain counts, and groups of records with equal attributes. */
static void
identity_has_no_errors(void)
{
	random_state = 16;
	for (int round = 0; round < ROUNDS(90); round++)
	{
		SdcQueryErrors result[MOST_COLUMNS];
		Table		table;

		random_table(&table, (SdcQueryKind) (round % 3), 300, 12);
		for (int c = 0; c < table_columns(&table); c++)
		{
			/* what was protected gives each group its value */
			for (uint32 i = 0; i < table.task.records; i++)
				if (table.task.kind != SDC_QUERY_PLAIN && c < table.task.attributes)
					table.original[c][i] = table.protected[c][table.group[i] % table.task.records];
			for (uint32 i = 0; i < table.task.records; i++)
				table.protected[c][i] = table.original[c][i];
		}
		forget_sets(&table);
		fill_sets(&table, false);
		sdc_queries_run(&table.task, result);
		for (int k = 0; k < sdc_queries_numbers(&table.task); k++)
		{
			CHECKF(result[k].queries == 0 || (result[k].mean == 0 && result[k].p95 == 0),
				   "round %d, kind %d: %g", round, round % 3, result[k].mean);
			CHECK(result[k].queries > 0 || table.task.records == 0 || result[k].redrawn > 1000);
		}
		destroy_table(&table);
	}
}

/* redraws_end: nothing to find, or hardly ever. */
static void
redraws_end(void)
{
	SdcQueryErrors result[MOST_COLUMNS];
	Table		table;
	int			given_up = 0;

	create_table(&table, 5, 2, 1, SDC_QUERY_PLAIN);
	table.attribute[0].range = true;
	for (uint32 i = 0; i < 5; i++)
		table.original[0][i] = table.original[1][i] = SDC_CODE_NULL;
	sdc_queries_run(&table.task, result);
	CHECK(result[0].queries == 0 && result[0].redrawn == 100 + 1000);
	CHECK(isnan(result[0].mean) && isnan(result[0].median) && isnan(result[0].p95));
	destroy_table(&table);

	/* only one record has values everywhere */
	for (int seed = 0; seed < 6; seed++)
	{
		create_table(&table, 40, 8, 0, SDC_QUERY_PLAIN);
		for (int c = 0; c < 8; c++)
		{
			table.attribute[c].codes = 40;
			table.attribute[c].range = c % 2 == 0;
			for (uint32 i = 0; i < 40; i++)
				table.original[c][i] = table.protected[c][i] =
					i % 8 == (uint32) c || i == 39 ? i : SDC_CODE_NULL;
		}
		table.task.queries = 4;
		test_seed = 1000 + (uint64) seed;
		sdc_queries_run(&table.task, result);
		compare_naive(&table);
		CHECK(result[0].queries == 4 && result[0].redrawn < 100);
		for (int k = 0; k < 8; k++)
		{
			CHECK(result[k].redrawn <= 1400);
			CHECK((result[k].queries < 4) == (result[k].redrawn == 1100 + 100 * result[k].queries ||
											  (k > 0 && result[k - 1].queries == 0)));
			given_up += result[k].queries > 0 && result[k].queries < 4;
		}
		destroy_table(&table);
	}
	CHECKF(given_up > 0, "no run was given up halfway");
}

/* no_records has nothing to ask, and says so. */
static void
no_records(void)
{
	for (int kind = 0; kind < 3; kind++)
	{
		SdcQueryErrors result[MOST_COLUMNS];
		Table		table;

		create_table(&table, 0, 3, 1, (SdcQueryKind) kind);
		fill_sets(&table, false);
		CHECK(sdc_queries_numbers(&table.task) == 2);
		sdc_queries_run(&table.task, result);
		for (int k = 0; k < 2; k++)
			CHECK(result[k].queries == 0 && result[k].redrawn == 0 && isnan(result[k].mean));
		destroy_table(&table);
	}
}

/* known_errors is an example by hand: one value, so that all queries ask for it. */
static void
known_errors(void)
{
	/* the original has it 4 times; counted are 3, half of 5, and 5 * 3 / 5 */
	static const double want[] = {1 / 4.0, 1.5 / 4, 1 / 4.0};

	for (int kind = 0; kind < 3; kind++)
	{
		SdcQueryErrors result[MOST_COLUMNS];
		Table		table;

		create_table(&table, 5, 1, 0, (SdcQueryKind) kind);
		table.original[0][4] = SDC_CODE_NULL;
		table.protected[0][3] = table.protected[0][4] = SDC_CODE_NULL;
		if (kind == SDC_QUERY_GENERALIZED)
			table.attribute[0].protected = NULL;
		fill_sets(&table, false);
		sdc_queries_run(&table.task, result);
		CHECK(sdc_queries_numbers(&table.task) == 1);
		CHECKF(result[0].mean == want[kind], "%d: %g", kind, result[0].mean);
		CHECK(result[0].median == want[kind] && result[0].p95 == want[kind]);
		CHECK(result[0].queries == 20 && result[0].redrawn == 0);
		destroy_table(&table);
	}
}

/* suppressed_sets are estimated from what is there: of 6 records with one value, in two groups. */
static void
suppressed_sets(void)
{
	static const uint32 elements[] = {0, SDC_CODE_NULL, SDC_CODE_NULL};
	static const struct
	{
		SdcQuerySet set[2];
		double		want;
	}			cases[] = {
		{{{0, 1}, {0, 1}}, 0},	/* the value */
		{{{0, 0}, {0, 0}}, 1},	/* nothing satisfies a condition */
		{{{1, 1}, {1, 2}}, 1},	/* nor does what the original lacks */
		{{{0, 2}, {0, 1}}, 1 / 6.0},	/* half of 2 and 4 */
		{{{0, 2}, {0, 3}}, (6 - (1 + 4 / 3.0)) / 6}	/* half of 2, a third of 4 */
	};

	for (int i = 0; i < 5; i++)
	{
		SdcQueryErrors result[MOST_COLUMNS];
		Table		table;

		create_table(&table, 6, 1, 0, SDC_QUERY_GENERALIZED);
		table.attribute[0].protected = NULL;
		table.attribute[0].set = cases[i].set;
		table.attribute[0].element = elements;
		table.attribute[0].elements = 3;
		table.task.groups = 2;
		for (uint32 r = 2; r < 6; r++)
			table.group[r] = 1;
		sdc_queries_run(&table.task, result);
		CHECKF(fabs(result[0].mean - cases[i].want) < 1e-15, "case %d: %g", i, result[0].mean);
		destroy_table(&table);
	}
}

/* memory_is_small is a promise to the caller: less than the codes of both files take. */
static void
memory_is_small(void)
{
	Table		table;

	for (int kind = 0; kind < 3; kind++)
	{
		create_table(&table, 8, 8, 1, (SdcQueryKind) kind);
		table.task.records = 1000000;
		table.task.groups = 200000;
		table.task.queries = 1000;
		for (int c = 0; c < 9; c++)
			table.attribute[c].codes = 1000000;
		CHECKF(sdc_queries_memory(&table.task) < 2 * 4 * 9 * UINT64_C(1000000) / 2, "%g MB",
			   (double) sdc_queries_memory(&table.task) / 1e6);
		destroy_table(&table);
	}
}

/* main runs the tests. */
int
main(void)
{
	if (sdc_stream_create(&test_stream) != SDC_OK)
		return 1;
	RUN(random_tables);
	RUN(large_tables);
	RUN(edges);
	RUN(memory_changes_nothing);
	RUN(memory_is_kept);
	RUN(parts_make_the_whole);
	RUN(releases_are_asked_the_same);
	RUN(identity_has_no_errors);
	RUN(redraws_end);
	RUN(no_records);
	RUN(known_errors);
	RUN(suppressed_sets);
	RUN(memory_is_small);
	sdc_stream_destroy(test_stream);
	return tap_done();
}
