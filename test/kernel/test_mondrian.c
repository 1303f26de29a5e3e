/*-------------------------------------------------------------------------
 *
 * test_mondrian.c
 *		Mondrian against the recursion that defines it.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include "kernel/partition/median.h"
#include "kernel/partition/mondrian.h"

#include "random.h"
#include "tap.h"

#define ATTRIBUTES 30
#define UNTOUCHED UINT32_C(0xDEADBEEF)

/* A table of the tests, and what is asked of it. */
typedef struct Table
{
	uint32		records;
	int			attributes;
	uint32	   *code[ATTRIBUTES + 1];	/* the last: sensitive */
	uint32	   *record;
	uint32	   *unit;
	SdcCodedColumn column[ATTRIBUTES + 1];
	SdcCodedFile qi;
	SdcMondrianTask task;
} Table;

/* plain has a code for a missing value. */
static uint32
plain(const SdcCodedColumn *column, uint32 record)
{
	return column->code[record] != SDC_CODE_NULL ? column->code[record] : column->codes;
}

/* make_table makes a table of columns without codes yet; all records, no condition. */
static void
make_table(Table *table, uint32 records, int attributes)
{
	memset(table, 0, sizeof(Table));
	table->records = records;
	table->attributes = attributes;
	for (int a = 0; a <= ATTRIBUTES; a++)
	{
		table->code[a] = sdc_alloc(sizeof(uint32) * records);
		memset(table->code[a], 0, sizeof(uint32) * records);
		table->column[a].code = table->code[a];
		table->column[a].codes = 1;
	}
	table->record = sdc_alloc(sizeof(uint32) * records);
	table->unit = sdc_alloc(sizeof(uint32) * records);
	table->qi.records = records;
	table->qi.attributes = attributes;
	table->qi.column = table->column;
	table->task.qi = &table->qi;
	table->task.sensitive = &table->column[ATTRIBUTES];
	table->task.records = records;
}

/* free_table frees the columns. */
static void
free_table(Table *table)
{
	for (int a = 0; a <= ATTRIBUTES; a++)
		sdc_free(table->code[a]);
	sdc_free(table->record);
	sdc_free(table->unit);
}

/*
 * fill_column draws codes, the low ones more often if skew > 1, every 1 / missing a missing
 * one.
 */
static void
fill_column(Table *table, int column, uint32 codes, int skew, uint32 missing)
{
	table->column[column].codes = codes;
	for (uint32 r = 0; r < table->records; r++)
	{
		double		share = 1;

		for (int i = 0; i < skew; i++)
			share *= uniform();
		table->code[column][r] = missing > 0 && pick(missing) == 0 ? SDC_CODE_NULL :
			(uint32) (share * codes);
	}
}

/* keep_some makes the task one of some records, about one in so many. */
static void
keep_some(Table *table, uint32 one_in)
{
	table->task.records = 0;
	for (uint32 r = 0; r < table->records; r++)
		if (pick(one_in) == 0)
			table->record[table->task.records++] = r;
	table->task.record = table->record;
}

/* compare_codes is for qsort. */
static int
compare_codes(const void *a, const void *b)
{
	uint32		left = *(const uint32 *) a;
	uint32		right = *(const uint32 *) b;

	return (left > right) - (left < right);
}

/* sorted_codes makes a sorted copy of the codes of some records. */
static uint32 *
sorted_codes(const SdcCodedColumn *column, const uint32 *record, uint32 n)
{
	uint32	   *sorted = sdc_alloc(sizeof(uint32) * n);

	for (uint32 i = 0; i < n; i++)
		sorted[i] = plain(column, record[i]);
	qsort(sorted, n, sizeof(uint32), compare_codes);
	return sorted;
}

/* entropy is that of the sensitive values of some records. */
static double
entropy(const SdcMondrianTask *task, const uint32 *record, uint32 n)
{
	uint32	   *sorted = sorted_codes(task->sensitive, record, n);
	long double sum = 0;

	for (uint32 start = 0, end; start < n; start = end)
	{
		for (end = start + 1; end < n && sorted[end] == sorted[start];)
			end++;
		sum -= (long double) (end - start) / n * logl((long double) (end - start) / n);
	}
	sdc_free(sorted);
	return (double) sum;
}

/* units_of counts the different units of some records. */
static uint32
units_of(const SdcMondrianTask *task, const uint32 *record, uint32 n)
{
	uint32		units = 0;

	for (uint32 i = 0; i < n; i++)
	{
		uint32		j = 0;

		while (task->unit[record[j]] != task->unit[record[i]])
			j++;
		units += j == i;
	}
	return units;
}

/* satisfies tells whether some records may be a group. */
static bool
satisfies(const SdcMondrianTask *task, const uint32 *record, uint32 n)
{
	if (n < task->k || (task->unit != NULL && units_of(task, record, n) < task->k))
		return false;
	return task->sensitive == NULL || task->l <= 0 ||
		entropy(task, record, n) >= log(task->l) - 1e-12;
}

/* all_codes is J of a column in a task, exactly. */
static uint64
all_codes(const SdcMondrianTask *task, int attribute)
{
	const SdcCodedColumn *column = &task->qi->column[attribute];

	for (uint32 i = 0; i < task->records; i++)
		if (column->code[task->record != NULL ? task->record[i] : i] == SDC_CODE_NULL)
			return (uint64) column->codes + 1;
	return column->codes;
}

/* The definition, step by step. */
typedef struct Reference
{
	const SdcMondrianTask *task;
	uint64		codes[ATTRIBUTES];	/* J */
	uint32		groups;
	uint32	   *group;
} Reference;

/* reference_order writes the attributes in the order in which they are tried. */
static void
reference_order(const Reference *reference, const uint32 *record, uint32 n, int *order)
{
	const SdcCodedFile *qi = reference->task->qi;
	uint64		range[ATTRIBUTES];

	for (int a = 0; a < qi->attributes; a++)
	{
		uint32	   *sorted = sorted_codes(&qi->column[a], record, n);
		int			place = a;

		range[a] = sorted[n - 1] - sorted[0];
		sdc_free(sorted);
		/* by fractions of integers: range / (J - 1), where a column with one code is not wide */
		for (; place > 0; place--)
		{
			int			other = order[place - 1];

			if (range[a] == 0 ||
				(range[other] > 0 && range[a] * (reference->codes[other] - 1) <=
				 range[other] * (reference->codes[a] - 1)))
				break;
			order[place] = other;
		}
		order[place] = a;
	}
}

/* reference_cut splits some records, if it may, into those up to the median and the others. */
static uint32
reference_cut(const Reference *reference, int attribute, const uint32 *record, uint32 n,
			  uint32 *split)
{
	const SdcCodedColumn *column = &reference->task->qi->column[attribute];
	uint32	   *sorted = sorted_codes(column, record, n);
	uint32		median = sorted[(n - 1) / 2];
	bool		last = median == sorted[n - 1];
	uint32		low = 0;
	uint32		high = 0;

	sdc_free(sorted);
	for (uint32 i = 0; i < n; i++)
	{
		uint32		code = plain(column, record[i]);

		low += last ? code < median : code <= median;
	}
	if (low == 0)
		return 0;
	for (uint32 i = 0, below = 0; i < n; i++)
	{
		uint32		code = plain(column, record[i]);

		if (last ? code < median : code <= median)
			split[below++] = record[i];
		else
			split[low + high++] = record[i];
	}
	return satisfies(reference->task, split, low) &&
		satisfies(reference->task, split + low, high) ? low : 0;
}

/* reference_walk cuts as far as it may. */
static void
reference_walk(Reference *reference, const uint32 *record, uint32 n)
{
	int			attributes = reference->task->qi->attributes;
	int			order[ATTRIBUTES];
	uint32	   *split = sdc_alloc(sizeof(uint32) * n);
	uint32		low = 0;

	reference_order(reference, record, n, order);
	for (int i = 0; i < attributes && low == 0; i++)
		low = reference_cut(reference, order[i], record, n, split);
	if (low > 0)
	{
		reference_walk(reference, split, low);
		reference_walk(reference, split + low, n - low);
	}
	else
	{
		for (uint32 i = 0; i < n; i++)
			reference->group[record[i]] = reference->groups;
		reference->groups++;
	}
	sdc_free(split);
}

/* reference_run is what sdc_mondrian does. */
static uint32
reference_run(const SdcMondrianTask *task, uint32 first, uint32 *group)
{
	Reference	reference = {.task = task, .groups = first, .group = group};
	uint32	   *record = sdc_alloc(sizeof(uint32) * task->records);

	for (uint32 i = 0; i < task->records; i++)
		record[i] = task->record != NULL ? task->record[i] : i;
	for (int a = 0; a < task->qi->attributes; a++)
		reference.codes[a] = all_codes(task, a);
	if (task->records > 0)
		reference_walk(&reference, record, task->records);
	sdc_free(record);
	return reference.groups - first;
}

/* check_groups checks that each group satisfies the conditions, without the reference's order. */
static void
check_groups(const SdcMondrianTask *task, uint32 first, uint32 groups, const uint32 *group)
{
	uint32	   *start = sdc_alloc(sizeof(uint32) * (groups + 2));
	uint32	   *member = sdc_alloc(sizeof(uint32) * task->records);
	Reference	reference = {.task = task};
	uint32	   *split = sdc_alloc(sizeof(uint32) * task->records);

	memset(start, 0, sizeof(uint32) * (groups + 2));
	for (uint32 i = 0; i < task->records; i++)
	{
		uint32		record = task->record != NULL ? task->record[i] : i;

		CHECKF(group[record] - first < groups, "record %u: %u", record, group[record]);
		start[group[record] - first + 2]++;
	}
	for (uint32 g = 0; g < groups; g++)
		start[g + 2] += start[g + 1];
	for (uint32 i = 0; i < task->records; i++)
	{
		uint32		record = task->record != NULL ? task->record[i] : i;

		member[start[group[record] - first + 1]++] = record;
	}
	for (uint32 g = 0; g < groups; g++)
	{
		uint32		n = start[g + 1] - start[g];

		CHECKF(n > 0, "group %u is empty", g);
		CHECKF(satisfies(task, member + start[g], n), "group %u of %u", g, n);
		for (int a = 0; a < task->qi->attributes; a++)
			CHECKF(reference_cut(&reference, a, member + start[g], n, split) == 0,
				   "group %u can be cut by %d", g, a);
	}
	sdc_free(split);
	sdc_free(member);
	sdc_free(start);
}

/* compare runs both, compares all and returns the number of groups. */
static uint32
compare(const Table *table, uint32 first)
{
	const SdcMondrianTask *task = &table->task;
	uint32	   *group = sdc_alloc(sizeof(uint32) * table->records);
	uint32	   *expected = sdc_alloc(sizeof(uint32) * table->records);
	uint32		groups;
	uint32		differ = 0;

	for (uint32 r = 0; r < table->records; r++)
		group[r] = expected[r] = UNTOUCHED;
	groups = sdc_mondrian(task, first, group);
	CHECK(groups == reference_run(task, first, expected));
	for (uint32 r = 0; r < table->records; r++)
		differ += group[r] != expected[r];
	CHECKF(differ == 0, "%u of %u records, %d attributes, l %g, k %u", differ, task->records,
		   table->attributes, task->l, task->k);
	if (differ == 0)
		check_groups(task, first, groups, group);
	sdc_free(expected);
	sdc_free(group);
	return groups;
}

/* ask puts a random condition that all records together satisfy. */
static void
ask(Table *table)
{
	SdcMondrianTask *task = &table->task;
	uint32		kind = pick(4);

	task->k = kind == 1 || kind == 3 ? 1 + pick(12) : 0;
	if (task->k > task->records)
		task->k = task->records;
	if (kind == 0 && pick(4) == 0)
		task->sensitive = NULL;
	if (kind >= 2)
	{
		double		most = sdc_mondrian_diversity(task);

		task->l = 1 + pick(16) * 0.5;
		if (task->l > most)
			task->l = pick(2) == 0 ? most : 1;
	}
}

/* take_units has k count units of about some records each, of which all records together have enough. */
static void
take_units(Table *table, uint32 records)
{
	SdcMondrianTask *task = &table->task;
	uint32	   *all = sdc_alloc(sizeof(uint32) * (task->records + 1));
	uint32		units;

	task->units = table->records / records + 1;
	for (uint32 r = 0; r < table->records; r++)
		table->unit[r] = pick(task->units);
	task->unit = table->unit;
	for (uint32 i = 0; i < task->records; i++)
		all[i] = task->record != NULL ? task->record[i] : i;
	units = units_of(task, all, task->records);
	if (task->k > units)
		task->k = units;
	sdc_free(all);
}

/* random_tables are small and of all kinds. */
static void
random_tables(void)
{
	static const uint32 sizes[] = {1, 2, 3, 5, 9, 10, 33, 70, 200, 600};
	static const uint32 codes[] = {1, 2, 3, 7, 20, 41, 300, 5000, 1000000, UINT32_MAX};

	for (uint32 seed = 1; seed <= 1200; seed++)
	{
		Table		table;

		random_state = seed;
		make_table(&table, sizes[pick(10)], 1 + (int) pick(seed % 20 == 0 ? ATTRIBUTES : 9));
		for (int a = 0; a < table.attributes; a++)
			fill_column(&table, a, codes[pick(10)], 1 + (int) pick(4),
						(uint32[]) {0, 0, 0, 1, 3, 10}[pick(6)]);
		fill_column(&table, ATTRIBUTES, codes[pick(10)], 1 + (int) pick(3),
					(uint32[]) {0, 0, 1, 5}[pick(4)]);
		if (pick(3) == 0)
			keep_some(&table, 1 + pick(4));
		ask(&table);
		if (pick(2) == 0)
			take_units(&table, 1 + pick(5));
		compare(&table, seed % 3 == 0 ? 0 : pick(1000));
		free_table(&table);
	}
}

/*
 * large_tables has medians of more than one digit, and more sensitive values than the table of
 * logarithms.
 */
static void
large_tables(void)
{
	for (uint32 seed = 1; seed <= 5; seed++)
	{
		Table		table;
		uint32		groups;

		random_state = seed;
		make_table(&table, 20000, 6);
		fill_column(&table, 0, 20000000, 1, 0);
		fill_column(&table, 1, UINT32_MAX, 8, 0);
		fill_column(&table, 2, 3000, 3, 50);
		fill_column(&table, 3, 2, 1, 0);
		fill_column(&table, 4, 16, 2, 0);
		fill_column(&table, 5, 90, 1, 2);
		fill_column(&table, ATTRIBUTES, seed % 2 == 0 ? 10 : 2000000, seed % 2 == 0 ? 2 : 1, 0);
		table.task.l = seed < 4 ? 5 : 0;
		table.task.k = seed > 2 ? 5 : 0;
		groups = compare(&table, 0);
		CHECKF(groups > 500, "%u groups", groups);
		free_table(&table);
	}
}

/* Halves of one record against all others, again and again. */
static void
deep_partitions(void)
{
	Table		table;

	random_state = 7;
	make_table(&table, 3000, 3);
	for (int a = 0; a < 3; a++)
		fill_column(&table, a, 1000000, 8, 0);
	CHECK(compare(&table, 0) > 100);
	/* more than half of the records have one code, in the middle, of each attribute */
	for (uint32 r = 0; r < table.records; r++)
		for (int a = 0; a < 3; a++)
			table.code[a][r] = pick(1000) < 501 ? 500000 : pick(1000000);
	CHECK(compare(&table, 0) > 100);
	free_table(&table);
}

/* check_numbers checks the groups of a table with one attribute. */
static void
check_numbers(Table *table, const uint32 *code, const uint32 *expected, uint32 groups)
{
	uint32		group[16];

	memcpy(table->code[0], code, sizeof(uint32) * table->records);
	CHECK(sdc_mondrian(&table->task, 0, group) == groups);
	for (uint32 r = 0; r < table->records; r++)
		CHECKF(group[r] == expected[r], "record %u: %u", r, group[r]);
}

/* Some cuts by hand. */
static void
cuts_by_hand(void)
{
	Table		table;

	make_table(&table, 6, 1);
	table.column[0].codes = 9;
	table.task.k = 2;
	/* the median is element (6 - 1) / 2 = 2; then a missing value is the last */
	check_numbers(&table, (uint32[]) {5, 1, 2, 4, 3, 0}, (uint32[]) {1, 0, 0, 1, 1, 0}, 2);
	check_numbers(&table, (uint32[]) {SDC_CODE_NULL, 1, 8, SDC_CODE_NULL, 2, 0},
				  (uint32[]) {1, 0, 1, 1, 0, 0}, 2);
	/* the median goes down, unless it is the maximum */
	check_numbers(&table, (uint32[]) {4, 4, 4, 4, 7, 7}, (uint32[]) {0, 0, 0, 0, 1, 1}, 2);
	check_numbers(&table, (uint32[]) {1, 7, 7, 7, 7, 1}, (uint32[]) {0, 1, 1, 1, 1, 0}, 2);
	check_numbers(&table, (uint32[]) {1, 7, 7, 7, 7, 7}, (uint32[]) {0, 0, 0, 0, 0, 0}, 1);
	/* only at the median: 1 | 5 is not tried */
	check_numbers(&table, (uint32[]) {1, 4, 4, 4, 4, 7}, (uint32[]) {0, 0, 0, 0, 0, 0}, 1);
	table.task.k = 1;
	check_numbers(&table, (uint32[]) {1, 4, 4, 4, 4, 7}, (uint32[]) {0, 1, 1, 1, 1, 2}, 3);
	free_table(&table);
}

/*
 * first_cut tells which of two attributes is cut: they have the codes 0 and more in different
 * records.
 */
static int
first_cut(Table *table, uint32 more_0, uint32 codes_0, uint32 more_1, uint32 codes_1)
{
	uint32		group[4];

	table->column[0].codes = codes_0;
	table->column[1].codes = codes_1;
	memcpy(table->code[0], (uint32[]) {0, 0, more_0, more_0}, sizeof(group));
	memcpy(table->code[1], (uint32[]) {0, more_1, 0, more_1}, sizeof(group));
	CHECK(sdc_mondrian(&table->task, 0, group) == 2);
	return group[1] == group[0] ? 0 : 1;
}

/* The widest attribute is cut: width is relative to J - 1, of which missing values are one. */
static void
widths_are_relative(void)
{
	Table		table;

	make_table(&table, 4, 2);
	table.task.k = 2;
	CHECK(first_cut(&table, 1, 2, 1, 2) == 0);
	CHECK(first_cut(&table, 5, 11, 2, 3) == 1);
	CHECK(first_cut(&table, 5, 11, 1, 3) == 0);	/* both 1 / 2 */
	CHECK(first_cut(&table, 5, 12, 1, 3) == 1);
	CHECK(first_cut(&table, 5, 11, 1, 2) == 1);
	CHECK(first_cut(&table, 5, 6, 1, 2) == 0);
	/* a missing value is the code 5 of 0 .. 5, or 6 of 0 .. 6 */
	CHECK(first_cut(&table, SDC_CODE_NULL, 5, 4, 5) == 0);
	CHECK(first_cut(&table, SDC_CODE_NULL, 5, 3, 5) == 0);
	CHECK(first_cut(&table, 4, 5, SDC_CODE_NULL, 5) == 0);
	CHECK(first_cut(&table, 4, 6, SDC_CODE_NULL, 6) == 1);
	/* widths that are equal as doubles: (2^32 - 3) / (2^32 - 2) and (2^32 - 4) / (2^32 - 3) */
	CHECK(first_cut(&table, UINT32_MAX - 3, UINT32_MAX - 1, UINT32_MAX - 2, UINT32_MAX) == 1);
	CHECK(first_cut(&table, UINT32_MAX - 2, UINT32_MAX, UINT32_MAX - 3, UINT32_MAX - 1) == 0);
	free_table(&table);
}

/* Missing values of other records do not make an attribute wider. */
static void
other_records_do_not_matter(void)
{
	Table		table;
	uint32		group[5] = {9, 9, 9, 9, 9};

	make_table(&table, 5, 2);
	table.column[0].codes = table.column[1].codes = 5;
	memcpy(table.code[0], (uint32[]) {0, SDC_CODE_NULL, 0, 4, 4}, 5 * sizeof(uint32));
	memcpy(table.code[1], (uint32[]) {0, 0, 4, 0, 4}, 5 * sizeof(uint32));
	memcpy(table.record, (uint32[]) {0, 2, 3, 4}, 4 * sizeof(uint32));
	table.task.record = table.record;
	table.task.records = 4;
	table.task.k = 2;
	CHECK(sdc_mondrian(&table.task, 3, group) == 2);
	CHECK(group[0] == 3 && group[2] == 3 && group[3] == 4 && group[4] == 4 && group[1] == 9);
	free_table(&table);
}

/* Entropy is compared with 10^-12 to spare, and no more. */
static void
entropy_has_a_tolerance(void)
{
	Table		table;
	uint32	   *group;

	for (uint32 l = 1; l <= 50; l++)
	{
		uint32		copies = l < 10 ? 300 : 3;	/* beyond the table of logarithms and within */

		make_table(&table, 2 * l * copies, 1);
		group = sdc_alloc(sizeof(uint32) * table.records);
		table.column[0].codes = 2;
		table.column[ATTRIBUTES].codes = l;
		for (uint32 r = 0; r < table.records; r++)
		{
			table.code[0][r] = r % 2;
			table.code[ATTRIBUTES][r] = r / 2 % l;
		}
		table.task.l = l;
		CHECKF(sdc_mondrian(&table.task, 0, group) == 2, "l %u", l);
		table.task.l = l * (1 + 0.8e-12);
		CHECKF(sdc_mondrian(&table.task, 0, group) == 2, "l %u", l);
		table.task.l = l * (1 + 1.2e-12);
		CHECKF(sdc_mondrian(&table.task, 0, group) == 1, "l %u", l);
		sdc_free(group);
		free_table(&table);
	}
}

/* The order of the records changes nothing. */
static void
order_does_not_matter(void)
{
	Table		table;
	Table		other;
	uint32		order[4000];
	uint32		group[4000];
	uint32		permuted[4000];

	random_state = 11;
	make_table(&table, 4000, 5);
	make_table(&other, 4000, 5);
	for (int a = 0; a < 5; a++)
		fill_column(&table, a, 7u << 3 * a, 2, 9);
	fill_column(&table, ATTRIBUTES, 30, 2, 9);
	for (uint32 i = 0; i < 4000; i++)
	{
		uint32		place = pick(i + 1);

		order[i] = order[place];
		order[place] = i;
	}
	for (int a = 0; a <= ATTRIBUTES; a++)
	{
		other.column[a].codes = table.column[a].codes;
		for (uint32 i = 0; i < 4000; i++)
			other.code[a][i] = table.code[a][order[i]];
	}
	table.task.l = other.task.l = 6.5;
	CHECK(sdc_mondrian(&table.task, 0, group) == sdc_mondrian(&other.task, 0, permuted));
	for (uint32 i = 0; i < 4000; i++)
		CHECK(permuted[i] == group[order[i]]);
	CHECK(sdc_mondrian_diversity(&table.task) == sdc_mondrian_diversity(&other.task));
	free_table(&other);
	free_table(&table);
}

/* Diversity of some columns, of some with far more codes than records. */
static void
diversities(void)
{
	static const uint32 codes[] = {1, 2, 14, 3000, UINT32_MAX};
	Table		table;

	make_table(&table, 5000, 1);
	table.task.records = 0;
	CHECK(sdc_mondrian_diversity(&table.task) == 1);
	table.task.records = 1;
	CHECK(sdc_mondrian_diversity(&table.task) == 1);
	table.task.records = 5000;
	CHECK(sdc_mondrian_diversity(&table.task) == 1);
	for (uint32 seed = 1; seed <= 15; seed++)
	{
		double		expected;

		random_state = seed;
		fill_column(&table, ATTRIBUTES, codes[seed % 5], 1 + (int) (seed % 2), seed % 3);
		keep_some(&table, 1 + seed % 2);
		expected = exp(entropy(&table.task, table.record, table.task.records));
		CHECKF(fabs(sdc_mondrian_diversity(&table.task) - expected) <= 1e-13 * expected,
			   "seed %u", seed);
	}
	free_table(&table);
}

/* Nothing, one record, constant columns. */
static void
hardly_any(void)
{
	Table		table;
	uint32		group[20] = {7};

	make_table(&table, 20, 3);
	table.task.records = 0;
	table.task.l = 5;
	CHECK(sdc_mondrian(&table.task, 3, group) == 0 && group[0] == 7);
	table.task.records = 1;
	table.task.l = 1;
	CHECK(sdc_mondrian(&table.task, 3, group) == 1 && group[0] == 3);
	table.task.records = 20;
	for (int missing = 0; missing < 2; missing++)
	{
		for (int a = 0; a < 3; a++)
			for (uint32 r = 0; r < 20; r++)
				table.code[a][r] = missing ? SDC_CODE_NULL : 0;
		table.task.l = 0;
		CHECK(sdc_mondrian(&table.task, 5, group) == 1);
		for (uint32 r = 0; r < 20; r++)
			CHECK(group[r] == 5);
	}
	/* no attribute at all */
	table.qi.attributes = 0;
	CHECK(sdc_mondrian(&table.task, 0, group) == 1);
	free_table(&table);
}

/* medians_are_exact compares medians with sorted numbers. */
static void
medians_are_exact(void)
{
	static const uint32 spans[] = {0, 1, 2, 200, 255, 256, 2047, 2048, 65536, 5000000, UINT32_MAX};
	uint32	   *value = sdc_alloc(sizeof(uint32) * 5000);
	uint32	   *spare = sdc_alloc(sizeof(uint32) * 5000);
	uint32		credit = 0;

	for (uint32 seed = 1; seed <= 600; seed++)
	{
		uint32		n;
		uint32		span = spans[seed % 11];
		uint32		step = seed % 3 == 0 ? 1 + span / 5 : 1;
		SdcMedian	median;
		uint32		rank;
		uint32		end;

		random_state = seed;
		n = 1 + pick((uint32[]) {3, 40, 300, 5000}[seed % 4]);
		rank = (n - 1) / 2;
		for (uint32 i = 0; i < n; i++)
			value[i] = (uint32) (random64() % ((uint64) span + 1)) / step * step;
		sdc_median_find(value, n, span, spare, &credit, &median);
		qsort(value, n, sizeof(uint32), compare_codes);
		CHECKF(median.value == value[rank], "%u numbers up to %u", n, span);
		end = median.less + median.equal;
		CHECK(median.less <= rank && rank < end && end <= n);
		CHECK(value[median.less] == median.value && value[end - 1] == median.value);
		CHECK(median.less == 0 || value[median.less - 1] < median.value);
		CHECK(end == n || value[end] > median.value);
	}
	sdc_free(spare);
	sdc_free(value);
}

/* main runs the tests. */
int
main(void)
{
	RUN(medians_are_exact);
	RUN(random_tables);
	RUN(large_tables);
	RUN(deep_partitions);
	RUN(cuts_by_hand);
	RUN(widths_are_relative);
	RUN(other_records_do_not_matter);
	RUN(entropy_has_a_tolerance);
	RUN(order_does_not_matter);
	RUN(diversities);
	RUN(hardly_any);
	return tap_done();
}
