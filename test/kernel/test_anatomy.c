/*-------------------------------------------------------------------------
 *
 * test_anatomy.c
 *		Anatomy against its definition, and permutations in groups.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include "kernel/base/sample.h"
#include "kernel/groups/anatomy.h"

#include "random.h"
#include "tap.h"

#define UNTOUCHED UINT32_C(0xDEADBEEF)

static SdcStream *stream;

/* start begins a stream of the test's own. */
static void
start(uint64 number)
{
	uint8		master[SDC_MASTER_KEY_BYTES];

	CHECK(sdc_stream_master_from_seed("anatomy", 7, master) == SDC_OK);
	CHECK(sdc_stream_start(stream, master, "test", "", "anatomy", number) == SDC_OK);
}

/* A column of the tests, and what is asked of it. */
typedef struct Table
{
	uint32		records;
	uint32	   *code;
	uint32	   *record;
	SdcCodedColumn column;
	SdcAnatomyTask task;
} Table;

/* make_table makes a column of one value. */
static void
make_table(Table *table, uint32 records)
{
	memset(table, 0, sizeof(Table));
	table->records = records;
	table->code = sdc_alloc(sizeof(uint32) * records);
	memset(table->code, 0, sizeof(uint32) * records);
	table->record = sdc_alloc(sizeof(uint32) * records);
	table->column.code = table->code;
	table->column.codes = 1;
	table->task.sensitive = &table->column;
	table->task.records = records;
	table->task.l = 1;
}

/* free_table frees the column. */
static void
free_table(Table *table)
{
	sdc_free(table->code);
	sdc_free(table->record);
}

/*
 * fill_column draws codes, the low ones more often if skew > 1, every 1 / missing a missing
 * one.
 */
static void
fill_column(Table *table, uint32 codes, int skew, uint32 missing)
{
	table->column.codes = codes;
	for (uint32 r = 0; r < table->records; r++)
	{
		double		share = 1;

		for (int i = 0; i < skew; i++)
			share *= uniform();
		table->code[r] = missing > 0 && pick(missing) == 0 ? SDC_CODE_NULL :
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

/* record_at is the record number of an index. */
static uint32
record_at(const Table *table, uint32 index)
{
	return table->task.record != NULL ? table->task.record[index] : index;
}

/* code_at is the code of an index; a missing value has the greatest of all. */
static uint32
code_at(const Table *table, uint32 index)
{
	return table->code[record_at(table, index)];
}

/* The definition, step by step: buckets by code, each with its records. */
typedef struct Reference
{
	uint32		values;
	uint32	   *value;			/* codes, ascending */
	uint32	   *size;
	uint32	   *left;
	uint32	  **member;			/* the first left are in no group yet */
	uint32		groups;
	bool	   *has;			/* of each group and value */
} Reference;

/* reference_fill makes the buckets, by looking for the next code again and again. */
static void
reference_fill(Reference *reference, const Table *table)
{
	uint32		n = table->task.records;

	memset(reference, 0, sizeof(Reference));
	reference->value = sdc_alloc(sizeof(uint32) * n);
	reference->size = sdc_alloc(sizeof(uint32) * n);
	reference->left = sdc_alloc(sizeof(uint32) * n);
	reference->member = sdc_alloc(sizeof(uint32 *) * n);
	for (uint64 next = 0;; next++)
	{
		uint32		values = reference->values;
		uint64		least = UINT64_MAX;
		uint32		size = 0;

		for (uint32 i = 0; i < n; i++)
			if (code_at(table, i) >= next && code_at(table, i) < least)
				least = code_at(table, i);
		if (least == UINT64_MAX)
			break;
		reference->member[values] = sdc_alloc(sizeof(uint32) * n);
		for (uint32 i = 0; i < n; i++)
			if (code_at(table, i) == least)
				reference->member[values][size++] = record_at(table, i);
		reference->value[values] = (uint32) least;
		reference->size[values] = reference->left[values] = size;
		reference->values++;
		next = least;
	}
	reference->has = sdc_alloc((Size) (n + 1) * (reference->values + 1));
	memset(reference->has, 0, (Size) (n + 1) * (reference->values + 1));
}

/* reference_free frees the buckets. */
static void
reference_free(Reference *reference)
{
	for (uint32 v = 0; v < reference->values; v++)
		sdc_free(reference->member[v]);
	sdc_free(reference->member);
	sdc_free(reference->value);
	sdc_free(reference->size);
	sdc_free(reference->left);
	sdc_free(reference->has);
}

/* reference_take takes a record of a bucket into a group. */
static void
reference_take(Reference *reference, uint32 v, uint32 g, uint32 first, uint32 *group)
{
	group[reference->member[v][--reference->left[v]]] = first + g;
	reference->has[(Size) g * reference->values + v] = true;
}

/*
 * reference_group makes one group of the l largest buckets, or says that there are not so many.
 */
static bool
reference_group(Reference *reference, uint32 l, uint32 first, uint32 *group)
{
	uint32		g = reference->groups;
	uint32		present = 0;

	for (uint32 v = 0; v < reference->values; v++)
		present += reference->left[v] > 0;
	if (present < l)
		return false;
	/* the ones taken are looked at with the sizes before */
	for (uint32 i = 0; i < l; i++)
	{
		uint32		best = UINT32_MAX;

		for (uint32 v = 0; v < reference->values; v++)
			if (!reference->has[(Size) g * reference->values + v] &&
				(best == UINT32_MAX || reference->left[v] > reference->left[best]))
				best = v;
		reference_take(reference, best, g, first, group);
	}
	reference->groups++;
	return true;
}

/* reference_rest places one record of the residue: in a group without its value, or in any. */
static void
reference_rest(Reference *reference, uint32 v, uint32 first, uint32 *group)
{
	uint32		lacking = 0;
	uint32		drawn;

	for (uint32 g = 0; g < reference->groups; g++)
		lacking += !reference->has[(Size) g * reference->values + v];
	drawn = sdc_stream_below(stream, lacking > 0 ? lacking : reference->groups);
	for (uint32 g = 0; g < reference->groups; g++)
	{
		if (lacking > 0 && reference->has[(Size) g * reference->values + v])
			continue;
		if (drawn-- == 0)
		{
			reference_take(reference, v, g, first, group);
			return;
		}
	}
}

/* reference_run is what sdc_anatomy does; *residue is what was not taken from the l largest. */
static uint32
reference_run(const Table *table, uint32 first, uint32 *group, uint32 *residue)
{
	Reference	reference;
	uint32		groups;

	*residue = 0;
	if (table->task.records == 0)
		return 0;
	reference_fill(&reference, table);
	if (reference.values < table->task.l)
	{
		for (uint32 i = 0; i < table->task.records; i++)
			group[record_at(table, i)] = first;
		reference_free(&reference);
		return 1;
	}
	for (uint32 v = 0; v < reference.values; v++)
		sdc_sample_shuffle(stream, reference.member[v], reference.size[v]);
	while (reference_group(&reference, table->task.l, first, group))
		;
	for (uint32 v = 0; v < reference.values; v++)
	{
		*residue += reference.left[v];
		while (reference.left[v] > 0)
			reference_rest(&reference, v, first, group);
	}
	groups = reference.groups;
	reference_free(&reference);
	return groups;
}

/* largest is the number of records of the most frequent value. */
static uint32
largest(const Table *table)
{
	uint32		most = 0;

	for (uint32 i = 0; i < table->task.records; i++)
	{
		uint32		count = 0;

		for (uint32 j = 0; j < table->task.records; j++)
			count += code_at(table, j) == code_at(table, i);
		if (count > most)
			most = count;
	}
	return most;
}

/* check_groups checks groups with a feasible l: l or more records, all of different values. */
static void
check_groups(const Table *table, const uint32 *group, uint32 first, uint32 groups)
{
	uint32		n = table->task.records;
	uint32	   *size = sdc_alloc(sizeof(uint32) * (groups + 1));

	memset(size, 0, sizeof(uint32) * (groups + 1));
	CHECK(groups == n / table->task.l);
	for (uint32 i = 0; i < n; i++)
	{
		uint32		own = group[record_at(table, i)];

		CHECK(own - first < groups);
		size[own - first]++;
		for (uint32 j = 0; j < i; j++)
			CHECKF(own != group[record_at(table, j)] || code_at(table, i) != code_at(table, j),
				   "%u and %u in %u", i, j, own);
	}
	for (uint32 g = 0; g < groups; g++)
		CHECKF(size[g] >= table->task.l, "group %u of %u", g, size[g]);
	sdc_free(size);
}

/* compare runs both and compares all; true if l is feasible. */
static bool
compare(const Table *table, uint32 first, uint64 seed)
{
	uint32	   *group = sdc_alloc(sizeof(uint32) * table->records);
	uint32	   *expected = sdc_alloc(sizeof(uint32) * table->records);
	uint32		n = table->task.records;
	uint32		l = table->task.l;
	bool		feasible = n == 0 || largest(table) <= n / l;
	uint32		residue;
	uint32		groups;
	uint32		next;
	uint32		differ = 0;

	CHECK(sdc_anatomy_feasible(&table->task) == (n == 0 ? UINT32_MAX : n / largest(table)));
	for (uint32 r = 0; r < table->records; r++)
		group[r] = expected[r] = UNTOUCHED;
	start(seed);
	groups = sdc_anatomy(&table->task, stream, first, group);
	next = sdc_stream_next32(stream);
	start(seed);
	CHECK(groups == reference_run(table, first, expected, &residue));
	CHECK(next == sdc_stream_next32(stream));
	for (uint32 r = 0; r < table->records; r++)
		differ += group[r] != expected[r];
	CHECKF(differ == 0, "%u of %u records, l %u", differ, n, l);
	if (feasible && n > 0)
	{
		CHECK(residue == n % l);
		check_groups(table, group, first, groups);
	}
	sdc_free(expected);
	sdc_free(group);
	return feasible;
}

/* random_tables are small and of all kinds. */
static void
random_tables(void)
{
	static const uint32 sizes[] = {1, 2, 3, 5, 9, 10, 33, 70, 150, 300};
	static const uint32 codes[] = {1, 2, 3, 7, 20, 41, 300, 5000, 1000000, UINT32_MAX};
	int			feasible = 0;

	for (uint32 seed = 1; seed <= 600; seed++)
	{
		Table		table;

		random_state = seed;
		make_table(&table, sizes[pick(10)]);
		fill_column(&table, codes[pick(10)], 1 + (int) pick(3), (uint32[]) {0, 0, 1, 5}[pick(4)]);
		if (pick(3) == 0)
			keep_some(&table, 1 + pick(4));
		table.task.l = 1 + pick(pick(2) == 0 ? 8 : 40);
		if (pick(2) == 0 && table.task.records > 0)
			table.task.l = sdc_anatomy_feasible(&table.task) + pick(2);
		feasible += compare(&table, seed % 3 == 0 ? 0 : pick(1000), seed);
		free_table(&table);
	}
	CHECKF(feasible > 200 && feasible < 500, "%d", feasible);
}

/* sort_members writes the records group by group, and to end where each group ends. */
static void
sort_members(const uint32 *group, uint32 groups, uint32 records, uint32 *member, uint32 *end)
{
	memset(end, 0, sizeof(uint32) * (groups + 1));
	for (uint32 r = 0; r < records; r++)
	{
		CHECK(group[r] < groups);
		end[group[r] + 1]++;
	}
	for (uint32 g = 0; g < groups; g++)
		end[g + 1] += end[g];
	for (uint32 r = 0; r < records; r++)
		member[end[group[r]]++] = r;
}

/* check_large checks sizes of groups, and that no group has a value twice. */
static void
check_large(const Table *table, const uint32 *group, uint32 groups)
{
	uint32		l = table->task.l;
	uint32		codes = table->column.codes;
	uint32	   *member = sdc_alloc(sizeof(uint32) * table->records);
	uint32	   *end = sdc_alloc(sizeof(uint32) * (table->records + 1));
	uint32	   *last = sdc_alloc(sizeof(uint32) * ((Size) codes + 1));	/* group with a value */
	uint32		twice = 0;

	sort_members(group, groups, table->records, member, end);
	for (uint32 g = 0; g < groups; g++)
	{
		uint32		size = end[g] - (g > 0 ? end[g - 1] : 0);

		CHECKF(size >= l && size < 2 * l, "group %u of %u", g, size);
	}
	for (uint32 v = 0; v <= codes; v++)
		last[v] = UNTOUCHED;
	for (uint32 i = 0; i < table->records; i++)
	{
		uint32		code = table->code[member[i]];

		code = code == SDC_CODE_NULL ? codes : code;
		twice += last[code] == group[member[i]];
		last[code] = group[member[i]];
	}
	CHECKF(twice == 0, "%u twice", twice);
	sdc_free(last);
	sdc_free(end);
	sdc_free(member);
}

/* check_donors checks that donors are a permutation in each group. */
static void
check_donors(const uint32 *group, uint32 groups, uint32 records)
{
	uint32	   *donor = sdc_alloc(sizeof(uint32) * records);
	bool	   *seen = sdc_alloc(sizeof(bool) * records);
	uint32		fixed = 0;

	memset(seen, 0, sizeof(bool) * records);
	sdc_anatomy_donors(stream, group, groups, records, donor);
	for (uint32 r = 0; r < records; r++)
	{
		CHECK(donor[r] < records && group[donor[r]] == group[r] && !seen[donor[r]]);
		seen[donor[r]] = true;
		fixed += donor[r] == r;
	}
	/* one in each group on average, and a variance of one */
	CHECKF(fabs((double) fixed - groups) < 5 * sqrt(groups), "%u of %u", fixed, groups);
	sdc_free(seen);
	sdc_free(donor);
}

/* Large columns, without the reference. */
static void
large_tables(void)
{
	enum
	{
		RECORDS = 60000
	};
	uint32	   *group = sdc_alloc(sizeof(uint32) * RECORDS);

	for (uint32 seed = 0; seed < 6; seed++)
	{
		uint32		codes = seed < 2 ? 14 : seed < 4 ? 2000 : RECORDS;
		Table		table;
		uint32		groups;

		random_state = seed;
		make_table(&table, RECORDS);
		fill_column(&table, codes, seed % 2 == 0 ? 1 : 2, seed < 4 ? 50 : 0);
		table.task.l = seed % 2 == 0 ? sdc_anatomy_feasible(&table.task) : 3;
		start(seed);
		groups = sdc_anatomy(&table.task, stream, 0, group);
		CHECKF(groups == RECORDS / table.task.l, "%u groups with l %u", groups, table.task.l);
		check_large(&table, group, groups);
		check_donors(group, groups, RECORDS);
		free_table(&table);
	}
	sdc_free(group);
}

/* chi_square compares counts of outcomes that are all as likely. */
static double
chi_square(const int *seen, int outcomes, int draws)
{
	double		expected = (double) draws / outcomes;
	double		sum = 0;

	for (int i = 0; i < outcomes; i++)
		sum += (seen[i] - expected) * (seen[i] - expected) / expected;
	return sum;
}

/* Each of the 36 ways to put 3 and 3 records into 3 groups comes as often. */
static void
members_are_uniform(void)
{
	enum
	{
		DRAWS = 36000
	};
	Table		table;
	int			seen[64 * 64] = {0};
	int			ways[36] = {0};
	int			found = 0;

	make_table(&table, 6);
	table.column.codes = 2;
	for (uint32 r = 0; r < 6; r++)
		table.code[r] = r % 2;
	table.task.l = 2;
	start(1000);
	for (int i = 0; i < DRAWS; i++)
	{
		uint32		group[6];
		uint32		way = 0;

		CHECK(sdc_anatomy(&table.task, stream, 0, group) == 3);
		for (int r = 0; r < 6; r++)
			way = way * 4 + group[r];
		seen[way]++;
	}
	for (int way = 0; way < 64 * 64; way++)
		if (seen[way] > 0 && found++ < 36)
			ways[found - 1] = seen[way];
	CHECK(found == 36);
	CHECK(chi_square(ways, 36, DRAWS) < tap_chi_square_limit(35));
	free_table(&table);
}

/* residue_of counts in which of the groups that are larger than l a value is. */
static void
residue_of(const uint32 *code, uint32 records, uint32 l, uint32 value, int draws, int *seen)
{
	Table		table;

	make_table(&table, records);
	table.column.codes = 10;
	memcpy(table.code, code, sizeof(uint32) * records);
	table.task.l = l;
	for (int i = 0; i < draws; i++)
	{
		uint32		group[16];
		uint32		size[16] = {0};

		sdc_anatomy(&table.task, stream, 0, group);
		for (uint32 r = 0; r < records; r++)
			size[group[r]]++;
		for (uint32 r = 0; r < records; r++)
			if (code[r] == value && size[group[r]] > l)
				seen[group[r]]++;
	}
	free_table(&table);
}

/* The residue goes to all groups that lack its value, and as often to each. */
static void
residue_is_uniform(void)
{
	enum
	{
		DRAWS = 12000
	};
	int			seen[16] = {0};

	/* 01, 01, 01, then 2 to any of them */
	start(2000);
	residue_of((uint32[]) {0, 1, 0, 1, 2, 0, 1}, 7, 2, 2, DRAWS, seen);
	CHECK(chi_square(seen, 3, DRAWS) < tap_chi_square_limit(2));
	CHECK(seen[0] + seen[1] + seen[2] == DRAWS);

	/* 01, 02, 01, then 2 to the first or the last */
	memset(seen, 0, sizeof(seen));
	residue_of((uint32[]) {0, 2, 1, 0, 2, 0, 1}, 7, 2, 2, DRAWS, seen);
	CHECK(seen[1] == 0 && seen[0] + seen[2] == DRAWS);
	seen[1] = seen[2];
	CHECK(chi_square(seen, 2, DRAWS) < tap_chi_square_limit(1));

	/* forced: 01, 01, then 0 to any of them, where each has one 1 */
	memset(seen, 0, sizeof(seen));
	residue_of((uint32[]) {0, 1, 0, 1, 0}, 5, 2, 1, DRAWS, seen);
	CHECK(chi_square(seen, 2, DRAWS) < tap_chi_square_limit(1));
	CHECK(seen[0] + seen[1] == DRAWS);
}

/* Groups by hand: their order, ties of buckets, missing values last. */
static void
groups_by_hand(void)
{
	Table		table;
	uint32		group[7];

	/* six values once: pairs in the order of the codes */
	make_table(&table, 6);
	table.column.codes = 6;
	table.task.l = 2;
	memcpy(table.code, (uint32[]) {SDC_CODE_NULL, 1, 5, 3, 0, 2}, 6 * sizeof(uint32));
	start(3000);
	CHECK(sdc_anatomy(&table.task, stream, 10, group) == 3);
	CHECK(group[4] == 10 && group[1] == 10);
	CHECK(group[5] == 11 && group[3] == 11);
	CHECK(group[2] == 12 && group[0] == 12);
	/* the largest bucket is that of the missing value */
	memcpy(table.code, (uint32[]) {SDC_CODE_NULL, 1, SDC_CODE_NULL, 3, 0, SDC_CODE_NULL},
		   6 * sizeof(uint32));
	CHECK(sdc_anatomy(&table.task, stream, 0, group) == 3);
	CHECK(group[4] == 0 && group[1] == 1 && group[3] == 2);
	CHECK(sdc_anatomy_feasible(&table.task) == 2);
	/* and is not the value that has the next code */
	table.column.codes = 4;
	CHECK(sdc_anatomy_feasible(&table.task) == 2);
	table.task.l = 5;
	CHECK(sdc_anatomy(&table.task, stream, 7, group) == 1);
	for (int r = 0; r < 6; r++)
		CHECK(group[r] == 7);
	free_table(&table);
}

/* Nothing, one record, one value, all different. */
static void
hardly_any(void)
{
	Table		table;
	uint32		group[100] = {5};

	make_table(&table, 100);
	table.task.records = 0;
	start(4000);
	CHECK(sdc_anatomy(&table.task, stream, 3, group) == 0 && group[0] == 5);
	CHECK(sdc_anatomy_feasible(&table.task) == UINT32_MAX);
	sdc_anatomy_donors(stream, group, 0, 0, NULL);
	table.task.records = 1;
	CHECK(sdc_anatomy_feasible(&table.task) == 1);
	CHECK(sdc_anatomy(&table.task, stream, 3, group) == 1 && group[0] == 3);
	table.task.l = UINT32_MAX;
	CHECK(sdc_anatomy(&table.task, stream, 4, group) == 1 && group[0] == 4);
	for (int missing = 0; missing < 2; missing++)
	{
		table.task.records = 100;
		for (uint32 r = 0; r < 100; r++)
			table.code[r] = missing ? SDC_CODE_NULL : 0;
		for (table.task.l = 1; table.task.l < 4; table.task.l++)
			compare(&table, 1, 1);
		CHECK(sdc_anatomy_feasible(&table.task) == 1);
	}
	table.column.codes = 100;
	for (uint32 r = 0; r < 100; r++)
		table.code[r] = 99 - r;
	for (table.task.l = 1; table.task.l < 103; table.task.l++)
		CHECK(compare(&table, 1, 1) == (table.task.l <= 100));
	free_table(&table);
}

/* The same stream gives the same groups and donors; another gives others. */
static void
streams_decide(void)
{
	Table		table;
	uint32		group[2][500];
	uint32		donor[2][500];
	int			same = 0;

	random_state = 5;
	make_table(&table, 500);
	fill_column(&table, 20, 1, 0);
	table.task.l = 3;
	for (int other = 0; other < 2; other++)
	{
		for (int i = 0; i < 2; i++)
		{
			uint32		groups;

			start(5000 + (uint64) (other * i));
			groups = sdc_anatomy(&table.task, stream, 0, group[i]);
			sdc_anatomy_donors(stream, group[0], groups, 500, donor[i]);
		}
		same = 0;
		for (int r = 0; r < 500; r++)
			same += (group[0][r] == group[1][r]) + (donor[0][r] == donor[1][r]);
		CHECKF(other ? same < 500 : same == 1000, "%d", same);
	}
	free_table(&table);
}

/*
 * All permutations of the groups {0, 2, 5} and {3, 6, 7, 8} come as often, together; {1, 4} is
 * swapped or not.
 */
static void
donors_are_uniform(void)
{
	enum
	{
		DRAWS = 60000
	};
	static const uint32 group[] = {2, 0, 2, 1, 0, 2, 1, 1, 1};
	static const uint32 third[] = {3, 6, 7, 8};
	int		   *seen = sdc_alloc(sizeof(int) * 64 * 256 * 2);
	int			ways[288] = {0};
	int			found = 0;

	memset(seen, 0, sizeof(int) * 64 * 256 * 2);
	start(6000);
	for (int i = 0; i < DRAWS; i++)
	{
		uint32		donor[9];
		uint32		way = 0;

		sdc_anatomy_donors(stream, group, 3, 9, donor);
		for (int r = 0; r < 9; r++)
			CHECK(donor[r] < 9 && group[donor[r]] == group[r]);
		way = donor[1] == 1;
		way = way * 4 + donor[0] / 2;
		way = way * 4 + donor[2] / 2;
		way = way * 4 + donor[5] / 2;
		for (int k = 0; k < 4; k++)
			way = way * 4 + (donor[third[k]] == 3 ? 0 : donor[third[k]] - 5);
		seen[way]++;
	}
	for (int way = 0; way < 64 * 256 * 2; way++)
		if (seen[way] > 0 && found++ < 288)
			ways[found - 1] = seen[way];
	CHECKF(found == 288, "%d", found);
	CHECK(chi_square(ways, 288, DRAWS) < tap_chi_square_limit(287));
	sdc_free(seen);
}

/* What donors draw: a shuffle of the records of each group, in the order of the groups. */
static void
donors_draw_shuffles(void)
{
	static const uint32 group[] = {3, 0, 3, 1, 0, 3, 1, 1, 1, 0};
	uint32		member[10] = {1, 4, 9, 3, 6, 7, 8, 0, 2, 5};
	uint32		own[10];
	uint32		donor[10];

	memcpy(own, member, sizeof(own));
	start(7000);
	sdc_anatomy_donors(stream, group, 4, 10, donor);
	start(7000);
	sdc_sample_shuffle(stream, member, 3);
	sdc_sample_shuffle(stream, member + 3, 4);
	sdc_sample_shuffle(stream, member + 7, 3);
	for (int i = 0; i < 10; i++)
		CHECK(donor[own[i]] == member[i]);
}

/* main runs the tests. */
int
main(void)
{
	if (sdc_stream_create(&stream) != SDC_OK)
		return 1;
	RUN(random_tables);
	RUN(large_tables);
	RUN(members_are_uniform);
	RUN(residue_is_uniform);
	RUN(groups_by_hand);
	RUN(hardly_any);
	RUN(streams_decide);
	RUN(donors_are_uniform);
	RUN(donors_draw_shuffles);
	sdc_stream_destroy(stream);
	return tap_done();
}
