/*-------------------------------------------------------------------------
 *
 * test_lattice.c
 *		Full-domain generalization against all nodes, record by record, as the definition has it.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include <math.h>

#include "kernel/partition/lattice.h"

#include "random.h"
#include "tap.h"

#define RECORDS 40
#define COLUMNS 4
#define CODES 8
#define LEVELS 4
#define VALUES 5
#define EVERYTHING 1000

/* A table of the tests, and what is asked of it. */
typedef struct Table
{
	uint32		records;		/* of the source, */
	uint32		used;			/* and of the task */
	int			columns;
	uint32		code[COLUMNS][RECORDS];
	uint32		node[COLUMNS][LEVELS][CODES];
	uint32	   *level[COLUMNS][LEVELS];
	SdcLatticeColumn column[COLUMNS];
	uint32		record[RECORDS];
	uint32		sensitive[RECORDS];
	SdcCodedColumn sensitive_column;
	uint64		total[VALUES];
	int			of_demand[3][COLUMNS];
	SdcLatticeDemand demand[3];
	SdcLatticeTask task;
} Table;

/* What a node is, by the definition. */
typedef struct Node
{
	bool		feasible;
	uint32		suppressed;
	double		loss;
	double		column_loss[COLUMNS];
	bool		fails[RECORDS];
} Node;

/* make_hierarchy makes random levels, each a function of the one before. */
static void
make_hierarchy(Table *table, int c)
{
	SdcLatticeColumn *column = &table->column[c];
	uint32		nodes = column->codes;

	column->levels = 1 + pick(LEVELS);
	for (uint32 v = 0; v < column->codes; v++)
		table->node[c][0][v] = v;
	for (uint32 h = 1; h < column->levels; h++)
	{
		uint32		parent[CODES];
		uint32		parents = 1 + pick(nodes);

		/* numbers without gaps, of all nodes that there are */
		for (uint32 i = 0; i < nodes; i++)
			parent[i] = i < parents ? i : pick(parents);
		for (uint32 v = 0; v < column->codes; v++)
			table->node[c][h][v] = parent[table->node[c][h - 1][v]];
		nodes = parents;
	}
	for (uint32 h = 0; h < column->levels; h++)
		table->level[c][h] = table->node[c][h];
	column->node = table->level[c];
	column->importance = pick(2) == 0 ? 1 : 1 + pick(4);
}

/* make_demands demands k of all columns, or of some sets. */
static void
make_demands(Table *table)
{
	SdcLatticeTask *task = &table->task;
	bool		sets = pick(3) == 0;

	task->demands = sets ? 1 + (int) pick(3) : 1;
	for (int d = 0; d < task->demands; d++)
	{
		int			columns = 0;

		for (int c = 0; c < table->columns; c++)
			if (!sets || pick(2) == 0)
				table->of_demand[d][columns++] = c;
		if (columns == 0)
			table->of_demand[d][columns++] = (int) pick((uint32) table->columns);
		table->demand[d] = (SdcLatticeDemand) {table->of_demand[d], columns, 1 + pick(5)};
	}
	task->demand = table->demand;
}

/* make_table makes a random one. */
static void
make_table(Table *table)
{
	SdcLatticeTask *task = &table->task;
	bool		some = pick(4) == 0;

	memset(table, 0, sizeof(*table));
	table->records = 1 + pick(RECORDS);
	table->columns = 1 + (int) pick(COLUMNS);
	for (int c = 0; c < table->columns; c++)
	{
		table->column[c].codes = 1 + pick(CODES < table->records ? CODES : table->records);
		/* every code occurs */
		for (uint32 i = 0; i < table->records; i++)
			table->code[c][i] = i < table->column[c].codes ? i : pick(1 + pick(table->column[c].codes));
		table->column[c].code = table->code[c];
		make_hierarchy(table, c);
	}
	for (uint32 i = 0; i < table->records; i++)
	{
		table->sensitive[i] = pick(1 + pick(VALUES));
		table->total[table->sensitive[i]]++;
		if (!some || i == 0 || pick(3) > 0)
			table->record[table->used++] = i;
	}
	make_demands(table);
	task->column = table->column;
	task->columns = table->columns;
	task->record = some ? table->record : NULL;
	task->records = table->used;
	table->sensitive_column = (SdcCodedColumn) {table->sensitive, VALUES};
	task->condition.t = -1;
	if (pick(3) == 0)
		task->condition.l = 1 + uniform() * 2;
	if (pick(3) == 0)
	{
		task->condition.t = uniform();
		task->condition.ordered = pick(2) == 0;
	}
	task->condition.sensitive = task->condition.l > 0 || task->condition.t >= 0 ? &table->sensitive_column : NULL;
	task->condition.total = table->total;
	task->allowed = pick(3) == 0 ? 0 : pick(table->used + 1);
}

/* cell is what a record has in a column of a node. */
static uint32
cell(const Table *table, const uint32 *level, const Node *node, uint32 i, int c)
{
	return level[c] == table->column[c].levels || node->fails[i] ? EVERYTHING :
		table->node[c][level[c]][table->code[c][table->record[i]]];
}

/* agrees tells whether two records have the same in some columns. */
static bool
agrees(const Table *table, const uint32 *level, const Node *node, uint32 i, uint32 j, const SdcLatticeDemand *demand)
{
	for (int d = 0; d < (demand == NULL ? table->columns : demand->columns); d++)
	{
		int			c = demand == NULL ? d : demand->column[d];

		if (cell(table, level, node, i, c) != cell(table, level, node, j, c))
			return false;
	}
	return true;
}

/* values_fail tells whether the records that are equal to one fail l or t. */
static bool
values_fail(const Table *table, const uint32 *level, const Node *node, uint32 i)
{
	const SdcLatticeTask *task = &table->task;
	double		count[VALUES] = {0};
	double		size = 0;
	double		entropy = 0;
	double		equal = 0;
	double		ordered = 0;
	double		sum = 0;
	int			values = 0;

	for (uint32 j = 0; j < table->used; j++)
		if (agrees(table, level, node, i, j, NULL))
		{
			count[table->sensitive[table->record[j]]]++;
			size++;
		}
	for (int s = 0; s < VALUES; s++)
	{
		double		q = count[s] / size;
		double		p = (double) table->total[s] / table->records;

		entropy -= q > 0 ? q * log(q) : 0;
		equal += fabs(q - p) / 2;
		sum += q - p;
		ordered += table->total[s] > 0 ? fabs(sum) : 0;
		values += table->total[s] > 0;
	}
	ordered = values < 2 ? 0 : ordered / (values - 1);
	return (task->condition.l > 0 && entropy < log(task->condition.l) - 1e-12) ||
		(task->condition.t >= 0 && (task->condition.ordered ? ordered : equal) > task->condition.t + 1e-12);
}

/* counts_fail tells whether a record fails a demand. */
static bool
counts_fail(const Table *table, const uint32 *level, const Node *node, uint32 i)
{
	for (int d = 0; d < table->task.demands; d++)
	{
		uint32		count = 0;

		for (uint32 j = 0; j < table->used; j++)
			count += agrees(table, level, node, i, j, &table->demand[d]);
		if (count < table->demand[d].k)
			return true;
	}
	return false;
}

/* ask_again suppresses those who fail demands until nobody does. */
static void
ask_again(const Table *table, const uint32 *level, Node *node)
{
	bool		again = true;

	while (again)
	{
		bool		fails[RECORDS] = {false};

		again = false;
		for (uint32 i = 0; i < table->used; i++)
			fails[i] = !node->fails[i] && counts_fail(table, level, node, i);
		for (uint32 i = 0; i < table->used; i++)
		{
			node->fails[i] |= fails[i];
			again |= fails[i];
		}
	}
}

/* join has the smallest group join the suppressed records; false: there is none. */
static bool
join(const Table *table, const uint32 *level, Node *node)
{
	uint32		smallest = UINT32_MAX;
	uint32		first = 0;
	bool		joins[RECORDS];

	for (uint32 i = 0; i < table->used; i++)
	{
		uint32		size = 0;

		for (uint32 j = 0; j < table->used; j++)
			size += agrees(table, level, node, i, j, NULL);
		if (node->fails[i] || size >= smallest)
			continue;
		smallest = size;
		first = i;
	}
	if (smallest == UINT32_MAX)
		return false;
	for (uint32 j = 0; j < table->used; j++)
		joins[j] = agrees(table, level, node, first, j, NULL);
	for (uint32 j = 0; j < table->used; j++)
		node->fails[j] |= joins[j];
	return true;
}

/* hidden_fail tells whether the suppressed records fail as a group. */
static bool
hidden_fail(const Table *table, const uint32 *level, const Node *node)
{
	for (uint32 i = 0; i < table->used; i++)
		if (node->fails[i])
			return values_fail(table, level, node, i) || counts_fail(table, level, node, i);
	return false;
}

/* lose finds the losses of a node. */
static void
lose(const Table *table, const uint32 *level, Node *node)
{
	double		sum = 0;
	double		weights = 0;

	for (int c = 0; c < table->columns; c++)
	{
		const SdcLatticeColumn *column = &table->column[c];

		node->column_loss[c] = 0;
		for (uint32 i = 0; i < table->used; i++)
		{
			double		contained = 0;

			for (uint32 v = 0; v < column->codes; v++)
				contained += level[c] == column->levels ||
					table->node[c][level[c]][v] == table->node[c][level[c]][table->code[c][table->record[i]]];
			node->column_loss[c] += node->fails[i] ? 1 : column->codes == 1 ? 0 : (contained - 1) / (column->codes - 1);
		}
		node->column_loss[c] /= table->used;
		sum += column->importance * node->column_loss[c];
		weights += column->importance;
	}
	node->loss = sum / weights;
}

/* judge finds who is suppressed. */
static Node
judge(const Table *table, const uint32 *level)
{
	Node		node = {.feasible = true};
	bool		fails[RECORDS];

	for (uint32 i = 0; i < table->used; i++)
		fails[i] = values_fail(table, level, &node, i);
	memcpy(node.fails, fails, sizeof(bool) * table->used);
	ask_again(table, level, &node);
	while (node.feasible && hidden_fail(table, level, &node))
	{
		node.feasible = join(table, level, &node);
		if (node.feasible && !hidden_fail(table, level, &node))
			ask_again(table, level, &node);
	}
	for (uint32 i = 0; i < table->used; i++)
		node.suppressed += node.fails[i];
	node.feasible = node.feasible && node.suppressed <= table->task.allowed;
	lose(table, level, &node);
	return node;
}

/* next_level goes to the next node in lexicographic order; false: there is none. */
static bool
next_level(const Table *table, uint32 *level)
{
	int			c = table->columns - 1;

	while (c >= 0 && level[c] == table->column[c].levels)
		level[c--] = 0;
	if (c < 0)
		return false;
	level[c]++;
	return true;
}

/* sum_of adds levels. */
static uint32
sum_of(const Table *table, const uint32 *level)
{
	uint32		sum = 0;

	for (int c = 0; c < table->columns; c++)
		sum += level[c];
	return sum;
}

/* search looks at all nodes. */
static bool
search(const Table *table, uint32 *best_level, Node *best)
{
	uint32		level[COLUMNS] = {0};
	bool		found = false;

	do
	{
		Node		node = judge(table, level);
		double		difference = node.loss - best->loss;

		if (!node.feasible)
			continue;
		if (found && fabs(difference) <= 1e-12 * fmax(node.loss, best->loss))
			difference = node.suppressed != best->suppressed ? (double) node.suppressed - best->suppressed :
				(double) sum_of(table, level) - sum_of(table, best_level);
		if (found && difference >= 0)
			continue;
		found = true;
		*best = node;
		memcpy(best_level, level, sizeof(level));
	} while (next_level(table, level));
	return found;
}

/* check_groups looks at the groups: those of the released values. */
static void
check_groups(const Table *table, const uint32 *level, const Node *node, const uint32 *group,
			 const SdcLatticeResult *result)
{
	for (uint32 i = 0; i < table->used; i++)
	{
		uint32		number = group[table->record[i]];

		CHECK(number >= 7 && number < 7 + result->groups);
		CHECK(node->fails[i] == (number == result->suppressed_group));
		for (uint32 j = 0; j < i; j++)
			CHECK((number == group[table->record[j]]) == agrees(table, level, node, i, j, NULL));
	}
}

/* test_tables compares random ones. */
static void
test_tables(void)
{
	uint32		found = 0;
	uint32		suppressed = 0;

	random_state = 20;
	for (int n = 0; n < ROUNDS(4000); n++)
	{
		static Table table;
		uint32		group[RECORDS];
		uint32		level[COLUMNS];
		uint32		expected_level[COLUMNS];
		double		column_loss[COLUMNS];
		SdcLatticeResult result = {.level = level, .column_loss = column_loss};
		Node		expected = {false};
		bool		feasible;

		make_table(&table);
		/* nobody demands more records than there are */
		for (int d = 0; d < table.task.demands; d++)
			if (table.demand[d].k > table.used)
				table.demand[d].k = table.used;
		feasible = search(&table, expected_level, &expected);
		CHECKF(sdc_lattice(&table.task, 7, group, &result) == feasible, "table %d", n);
		if (!feasible)
			continue;
		found++;
		suppressed += expected.suppressed > 0;
		CHECKF(memcmp(level, expected_level, sizeof(uint32) * table.columns) == 0, "table %d", n);
		CHECKF(result.suppressed == expected.suppressed, "table %d: %u, %u", n, result.suppressed, expected.suppressed);
		CHECKF(fabs(result.loss - expected.loss) < 1e-12, "table %d: %g, %g", n, result.loss, expected.loss);
		for (int c = 0; c < table.columns; c++)
			CHECK(fabs(column_loss[c] - expected.column_loss[c]) < 1e-12);
		check_groups(&table, level, &expected, group, &result);
	}
	CHECKF(found > 1000 && suppressed > 200, "%u found, %u with suppressed records", found, suppressed);
	printf("# %u found, %u with suppressed records\n", found, suppressed);
}

/* test_hand is reckoned by hand: 1, 2 and 3, 4 in pairs; one record is alone. */
static void
test_hand(void)
{
	uint32		code[] = {0, 0, 1, 2, 2, 3};
	uint32		same[] = {0, 1, 2, 3};
	uint32		pairs[] = {0, 0, 1, 1};
	uint32	   *node[] = {same, pairs};
	SdcLatticeColumn column = {code, 4, 2, node, 1};
	int			all[] = {0};
	SdcLatticeDemand demand = {all, 1, 2};
	SdcLatticeTask task = {.column = &column, .columns = 1, .records = 6, .demand = &demand, .demands = 1,
	.condition = {.t = -1}};
	uint32		level;
	double		loss;
	uint32		group[6];
	SdcLatticeResult result = {.level = &level, .column_loss = &loss};

	CHECK(sdc_lattice_nodes(&column, 1) == 3);
	/* in pairs every cell has lost 1 of 3 */
	CHECK(sdc_lattice(&task, 0, group, &result) && level == 1 && result.suppressed == 0 && result.groups == 2);
	CHECK(fabs(loss - 1.0 / 3) < 1e-15);
	/* or the two that are alone are suppressed, and are a group: 2 of 6, that is as much, and more are suppressed */
	task.allowed = 2;
	CHECK(sdc_lattice(&task, 0, group, &result) && level == 1 && result.suppressed == 0);
	/* with more weight on each other there is no choice */
	demand.k = 4;
	task.allowed = 5;
	CHECK(sdc_lattice(&task, 0, group, &result) && level == 2 && loss == 1);
	demand.k = 7;
	task.allowed = 6;
	CHECK(!sdc_lattice(&task, 0, group, &result));
}

/* test_nodes counts the nodes: 10^6 are not too many, and no product overflows. */
static void
test_nodes(void)
{
	SdcLatticeColumn column[40];

	for (int c = 0; c < 40; c++)
		column[c].levels = 9;
	CHECK(sdc_lattice_nodes(column, 0) == 1);
	CHECK(sdc_lattice_nodes(column, 5) == 100000);
	CHECK(sdc_lattice_nodes(column, 6) == 1000000);
	column[6].levels = 0;
	CHECK(sdc_lattice_nodes(column, 7) == 1000000);
	column[6].levels = 1;
	CHECK(sdc_lattice_nodes(column, 7) == 1000001);
	CHECK(sdc_lattice_nodes(column, 40) == 1000001);
	column[0].levels = UINT32_MAX;
	CHECK(sdc_lattice_nodes(column, 40) == 1000001);
}

int
main(void)
{
	RUN(test_nodes);
	RUN(test_hand);
	RUN(test_tables);
	return tap_done();
}
