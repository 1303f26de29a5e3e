/*-------------------------------------------------------------------------
 *
 * test_cuts.c
 *		Cuts along hierarchies against the recursion that defines them.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include <math.h>

#include "kernel/partition/cuts.h"
#include "kernel/partition/mondrian.h"

#include "random.h"
#include "tap.h"

#define RECORDS 60
#define COLUMNS 4
#define CODES 9
#define LEVELS 4
#define VALUES 4

/* A table of the tests, and what is asked of it. */
typedef struct Table
{
	uint32		records;
	int			columns;
	uint32		code[COLUMNS][RECORDS];
	uint32		node[COLUMNS][LEVELS][CODES];
	uint32	   *level[COLUMNS][LEVELS];
	SdcLatticeColumn column[COLUMNS];
	uint32		sensitive[RECORDS];
	SdcCodedColumn sensitive_column;
	uint64		total[VALUES];
	SdcCutsTask task;
	uint32		group[RECORDS]; /* as it should be */
	uint32		groups;
} Table;

/* make_column makes a column with or without a hierarchy; every code occurs. */
static void
make_column(Table *table, int c)
{
	SdcLatticeColumn *column = &table->column[c];
	uint32		nodes;

	column->codes = 1 + pick(CODES < table->records ? CODES : table->records);
	nodes = column->codes;
	for (uint32 i = 0; i < table->records; i++)
		table->code[c][i] = i < column->codes ? i : pick(1 + pick(column->codes));
	column->code = table->code[c];
	column->node = table->level[c];
	column->levels = pick(4) == 0 ? 0 : 1 + pick(LEVELS);
	for (uint32 h = 0; h < column->levels; h++)
	{
		uint32		parents = h == 0 ? nodes : 1 + pick(nodes);
		uint32		parent[CODES];

		for (uint32 i = 0; i < nodes; i++)
			parent[i] = i < parents ? i : pick(parents);
		for (uint32 v = 0; v < column->codes; v++)
			table->node[c][h][v] = h == 0 ? v : parent[table->node[c][h - 1][v]];
		table->level[c][h] = table->node[c][h];
		nodes = parents;
	}
}

/* make_table makes a random one. */
static void
make_table(Table *table)
{
	memset(table, 0, sizeof(*table));
	table->records = 1 + pick(RECORDS);
	table->columns = 1 + (int) pick(COLUMNS);
	for (int c = 0; c < table->columns; c++)
		make_column(table, c);
	for (uint32 i = 0; i < table->records; i++)
	{
		table->sensitive[i] = pick(1 + pick(VALUES));
		table->total[table->sensitive[i]]++;
	}
	table->sensitive_column = (SdcCodedColumn) {table->sensitive, VALUES};
	table->task = (SdcCutsTask) {table->column, table->columns, NULL, table->records, 1 + pick(6),
	{NULL, 0, -1, pick(2) == 0, table->total}};
	if (table->task.k > table->records)
		table->task.k = table->records;
	if (pick(3) == 0)
		table->task.condition.t = uniform();
	if (pick(3) == 0)
		table->task.condition.l = 1 + uniform();
	if (table->task.condition.t >= 0 || table->task.condition.l > 0)
		table->task.condition.sensitive = &table->sensitive_column;
}

/* holds tells whether some records satisfy what is asked for. */
static bool
holds(const Table *table, const bool *in)
{
	const SdcGroupCondition *condition = &table->task.condition;
	uint64		count[VALUES] = {0};
	uint32		records = 0;

	for (uint32 i = 0; i < table->records; i++)
		if (in[i])
		{
			records++;
			count[table->sensitive[i]]++;
		}
	/* test_lattice looks at the condition itself */
	return records >= table->task.k && records > 0 &&
		(condition->sensitive == NULL || sdc_groupcondition_holds(condition, count, records));
}

/* node_of is the node of a record at a level. */
static uint32
node_of(const Table *table, int c, uint32 level, uint32 record)
{
	return level == table->column[c].levels ? 0 : table->node[c][level][table->code[c][record]];
}

/* level_of is the lowest level of a column at which some records have one node. */
static uint32
level_of(const Table *table, int c, const bool *in)
{
	for (uint32 h = 0;; h++)
	{
		bool		same = true;

		for (uint32 i = 0; i < table->records; i++)
			for (uint32 j = 0; j < i; j++)
				same &= !in[i] || !in[j] || node_of(table, c, h, i) == node_of(table, c, h, j);
		if (same)
			return h;
	}
}

/* width_of is how wide some records are in a column. */
static double
width_of(const Table *table, int c, const bool *in)
{
	const SdcLatticeColumn *column = &table->column[c];
	uint32		level = column->levels == 0 ? 0 : level_of(table, c, in);
	double		contained = 0;
	uint32		low = CODES;
	uint32		high = 0;
	uint32		some = 0;

	for (uint32 i = 0; i < table->records; i++)
		if (in[i])
		{
			some = i;
			low = table->code[c][i] < low ? table->code[c][i] : low;
			high = table->code[c][i] > high ? table->code[c][i] : high;
		}
	if (column->codes == 1 || low == high)
		return 0;
	if (column->levels == 0)
		return (double) (high - low) / (column->codes - 1);
	for (uint32 v = 0; v < column->codes; v++)
		contained += level == column->levels || table->node[c][level][v] == node_of(table, c, level, some);
	return (contained - 1) / (column->codes - 1);
}

/* divide makes sets of some records by a column: the number of each is in set; false: it is not allowed. */
static bool
divide(const Table *table, int c, const bool *in, uint32 *set, uint32 *sets)
{
	bool		joined[RECORDS] = {false};
	uint32		level = table->column[c].levels == 0 ? 0 : level_of(table, c, in);
	uint32		key[RECORDS];
	uint32		left = 0;
	bool		rest[RECORDS] = {false};
	bool		any = false;

	if (table->column[c].levels == 0)
	{
		uint32		sorted[RECORDS];
		uint32		n = 0;
		uint32		median;

		for (uint32 v = 0; v < table->column[c].codes; v++)
			for (uint32 i = 0; i < table->records; i++)
				if (in[i] && table->code[c][i] == v)
					sorted[n++] = v;
		median = sorted[(n - 1) / 2];
		for (uint32 i = 0; i < table->records; i++)
			key[i] = median == sorted[n - 1] ? table->code[c][i] == median : table->code[c][i] > median;
	}
	else
		for (uint32 i = 0; i < table->records; i++)
			key[i] = node_of(table, c, level - 1, i);
	/* those that fail are the rest */
	for (uint32 v = 0; v < CODES; v++)
	{
		bool		child[RECORDS];
		bool		some = false;

		for (uint32 i = 0; i < table->records; i++)
			some |= child[i] = in[i] && key[i] == v;
		joined[v] = some && !holds(table, child);
		any |= joined[v];
		left += some && !joined[v];
		if (table->column[c].levels == 0 && joined[v])
			return false;
	}
	for (;;)
	{
		uint32		best = CODES;
		uint32		smallest = RECORDS + 1;

		for (uint32 i = 0; i < table->records; i++)
			rest[i] = in[i] && joined[key[i]];
		if (!any || holds(table, rest) || left == 0)
			break;
		for (uint32 i = 0; i < table->records; i++)
		{
			uint32		size = 0;

			for (uint32 j = 0; j < table->records; j++)
				size += in[j] && key[j] == key[i];
			if (!in[i] || joined[key[i]] || size >= smallest)
				continue;
			smallest = size;
			best = key[i];
		}
		joined[best] = true;
		left--;
	}
	*sets = CODES + 1;
	for (uint32 i = 0; i < table->records; i++)
		set[i] = rest[i] ? CODES : key[i];
	return left + any >= 2;
}

/* cut is the recursion. */
static void
cut(Table *table, const bool *in)
{
	bool		tried[COLUMNS] = {false};

	for (;;)
	{
		int			widest = -1;
		uint32		set[RECORDS];
		uint32		sets;

		for (int c = 0; c < table->columns; c++)
			if (!tried[c] && width_of(table, c, in) > 0 &&
				(widest < 0 || width_of(table, c, in) > width_of(table, widest, in) + 1e-12))
				widest = c;
		if (widest < 0)
			break;
		tried[widest] = true;
		if (!divide(table, widest, in, set, &sets))
			continue;
		for (uint32 s = 0; s < sets; s++)
		{
			bool		part[RECORDS];
			bool		some = false;

			for (uint32 i = 0; i < table->records; i++)
				some |= part[i] = in[i] && set[i] == s;
			if (some)
				cut(table, part);
		}
		return;
	}
	for (uint32 i = 0; i < table->records; i++)
		if (in[i])
			table->group[i] = table->groups;
	table->groups++;
}

/* test_tables compares random ones. */
static void
test_tables(void)
{
	uint32		groups = 0;

	random_state = 21;
	for (int n = 0; n < 3000; n++)
	{
		static Table table;
		bool		all[RECORDS];
		uint32		group[RECORDS];
		uint32		found;

		make_table(&table);
		for (uint32 i = 0; i < table.records; i++)
			all[i] = true;
		if (!holds(&table, all))
			continue;
		cut(&table, all);
		groups += table.groups;
		found = sdc_cuts(&table.task, 3, group);
		CHECKF(found == table.groups, "table %d: %u, %u", n, found, table.groups);
		for (uint32 i = 0; i < table.records; i++)
		{
			CHECK(group[i] >= 3 && group[i] < 3 + found);
			for (uint32 j = 0; j < i; j++)
				CHECKF((group[i] == group[j]) == (table.group[i] == table.group[j]), "table %d: %u, %u", n, i, j);
		}
	}
	CHECKF(groups > 10000, "%u", groups);
	printf("# %u groups\n", groups);
}

/* test_mondrian: without hierarchies it is Mondrian. */
static void
test_mondrian(void)
{
	random_state = 22;
	for (int n = 0; n < 1000; n++)
	{
		static Table table;
		SdcCodedColumn column[COLUMNS];
		bool		missing[COLUMNS] = {false};
		SdcCodedFile qi = {0, 0, column};
		SdcMondrianTask task = {.qi = &qi, .missing = missing};
		uint32		group[RECORDS];
		uint32		other[RECORDS];

		make_table(&table);
		table.task.condition = (SdcGroupCondition) {.t = -1};
		for (int c = 0; c < table.columns; c++)
		{
			table.column[c].levels = 0;
			column[c] = (SdcCodedColumn) {table.code[c], table.column[c].codes};
		}
		qi.records = task.records = table.records;
		qi.attributes = table.columns;
		task.k = table.task.k;
		CHECK(sdc_cuts(&table.task, 0, group) == sdc_mondrian(&task, 0, other));
		for (uint32 i = 0; i < table.records; i++)
			for (uint32 j = 0; j < i; j++)
				CHECK((group[i] == group[j]) == (other[i] == other[j]));
	}
}

int
main(void)
{
	RUN(test_tables);
	RUN(test_mondrian);
	return tap_done();
}
