/*-------------------------------------------------------------------------
 *
 * test_suppress.c
 *		Tests of kernel/groups/suppress.c.
 *
 * Demands and minimality are looked at by their definitions, pair by pair; small tables have their least cost by all
 * partitions into groups; golden values are of suppresstwin.py.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include "golden.h"
#include "kernel/groups/suppress.h"
#include "random.h"
#include "tap.h"

#define MOST_RECORDS 200
#define MOST_COLUMNS 6
#define MOST_DEMANDS 16

/* A table with what is demanded of it. */
typedef struct Table
{
	uint32		code[MOST_COLUMNS][MOST_RECORDS];
	double		cost[MOST_COLUMNS];
	SdcCodedColumn column[MOST_COLUMNS];
	SdcCodedFile coded;
	SdcSuppressDemand demand[MOST_DEMANDS];
	SdcSuppressTask task;
} Table;

/* begin makes a table with nothing in it. */
static void
begin(Table *table, uint32 records, int columns)
{
	memset(table, 0, sizeof(*table));
	for (int j = 0; j < columns; j++)
	{
		table->cost[j] = 1;
		table->column[j] = (SdcCodedColumn) {table->code[j], 100};
	}
	table->coded = (SdcCodedFile) {records, columns, table->column};
	table->task = (SdcSuppressTask) {&table->coded, NULL, records, table->cost, table->demand, 0};
}

/* demand adds a demand. */
static void
demand(Table *table, uint64 columns, uint32 k)
{
	table->demand[table->task.demands++] = (SdcSuppressDemand) {columns, k};
}

/* own counts the records that are equal in some columns. */
static uint32
own(const Table *table, const uint64 *blank, uint64 columns, uint32 record)
{
	uint32		count = 0;

	for (uint32 i = 0; i < table->coded.records; i++)
	{
		bool		same = true;

		for (int j = 0; j < table->coded.attributes; j++)
		{
			uint32		a = (blank[i] >> j & 1) != 0 ? SDC_CODE_NULL : table->code[j][i];
			uint32		b = (blank[record] >> j & 1) != 0 ? SDC_CODE_NULL : table->code[j][record];

			if ((columns >> j & 1) != 0 && a != b)
				same = false;
		}
		count += same;
	}
	return count;
}

/* holds tells whether all demands hold. */
static bool
holds(const Table *table, const uint64 *blank)
{
	for (int d = 0; d < table->task.demands; d++)
		for (uint32 i = 0; i < table->coded.records; i++)
			if (own(table, blank, table->demand[d].columns, i) < table->demand[d].k)
				return false;
	return true;
}

/* cost_of is what is taken out costs. */
static double
cost_of(const Table *table, const uint64 *blank)
{
	double		cost = 0;

	for (uint32 i = 0; i < table->coded.records; i++)
		for (int j = 0; j < table->coded.attributes; j++)
			if ((blank[i] >> j & 1) != 0)
				cost += table->cost[j];
	return cost;
}

/* of_values tells whether nothing is taken out but values. */
static bool
of_values(const Table *table, const uint64 *blank)
{
	for (uint32 i = 0; i < table->coded.records; i++)
		for (int j = 0; j < 64; j++)
			if ((blank[i] >> j & 1) != 0 && (j >= table->coded.attributes || table->code[j][i] == SDC_CODE_NULL))
				return false;
	return true;
}

/* same_cell tells whether two records are equal afterwards, lack a column, and had one value in it. */
static bool
same_cell(const Table *table, const uint64 *blank, int column, uint32 a, uint32 b)
{
	if ((blank[a] >> column & 1) == 0 || (blank[b] >> column & 1) == 0 ||
		table->code[column][a] != table->code[column][b])
		return false;
	for (int j = 0; j < table->coded.attributes; j++)
		if (((blank[a] >> j & 1) != 0 ? SDC_CODE_NULL : table->code[j][a]) !=
			((blank[b] >> j & 1) != 0 ? SDC_CODE_NULL : table->code[j][b]))
			return false;
	return true;
}

/* minimal tells whether no value can be given back, nor one of a column to any number of equal records. */
static bool
minimal(const Table *table, const uint64 *blank)
{
	for (int j = 0; j < table->coded.attributes; j++)
		for (uint32 i = 0; i < table->coded.records; i++)
		{
			uint64		changed[MOST_RECORDS];

			memcpy(changed, blank, sizeof(uint64) * table->coded.records);
			for (uint32 l = i; l < table->coded.records; l++)
			{
				if (!same_cell(table, blank, j, i, l))
					continue;
				changed[l] &= ~(UINT64_C(1) << j);
				if (holds(table, changed))
					return false;
			}
		}
	return true;
}

/* cost_in is the cost of groups: the columns in which one has several values are taken out of all its records. */
static double
cost_in(const Table *table, const int *group, int groups)
{
	double		cost = 0;

	for (int g = 0; g < groups; g++)
	{
		uint32		size = 0;
		uint32		first = 0;
		uint64		differing = 0;

		for (uint32 i = table->coded.records; i-- > 0;)
			if (group[i] == g)
			{
				size++;
				first = i;
			}
		if (size < table->demand[0].k)
			return INFINITY;
		for (uint32 i = 0; i < table->coded.records; i++)
			for (int j = 0; j < table->coded.attributes; j++)
				if (group[i] == g && table->code[j][i] != table->code[j][first])
					differing |= UINT64_C(1) << j;
		for (int j = 0; j < table->coded.attributes; j++)
			cost += (differing >> j & 1) != 0 ? size * table->cost[j] : 0;
	}
	return cost;
}

/* least puts the records from one on into groups in all ways, and returns the least cost: one demand on all columns. */
static double
least(const Table *table, int *group, uint32 record, int groups)
{
	double		best = INFINITY;

	if (record == table->coded.records)
		return cost_in(table, group, groups);
	for (group[record] = 0; group[record] <= groups; group[record]++)
		best = fmin(best, least(table, group, record + 1, group[record] == groups ? groups + 1 : groups));
	return best;
}

/* fill draws the values of a table. */
static void
fill(Table *table, uint32 values, uint32 missing)
{
	for (int j = 0; j < table->coded.attributes; j++)
		for (uint32 i = 0; i < table->coded.records; i++)
			table->code[j][i] = missing > 0 && pick(missing) == 0 ? SDC_CODE_NULL :
				pick(values);
}

/* test_hand has what is easy to see: who is alone needs the smallest group. */
static void
test_hand(void)
{
	Table		table;
	uint64		blank[5];
	const uint32 status[5] = {0, 1, 1, 0, 2};

	begin(&table, 5, 2);
	memcpy(table.code[1], status, sizeof(status));
	demand(&table, 3, 2);
	sdc_suppress(&table.task, blank);
	CHECK(blank[0] == 2 && blank[1] == 0 && blank[2] == 0 && blank[3] == 2 && blank[4] == 2);
	/* a third one can be spared */
	table.code[1][3] = 1;
	table.code[1][0] = 1;
	sdc_suppress(&table.task, blank);
	CHECK(blank[0] == 2 && blank[1] == 0 && blank[2] == 0 && blank[3] == 0 && blank[4] == 2);
	/* a missing value of the source is one like others */
	table.code[1][0] = SDC_CODE_NULL;
	sdc_suppress(&table.task, blank);
	CHECK(blank[0] == 0 && blank[1] == 0 && blank[2] == 0 && blank[3] == 0 && blank[4] == 2);
	/* and one of those that are alone is a reason to take out others */
	table.code[1][4] = 1;
	sdc_suppress(&table.task, blank);
	CHECK(blank[0] == 0 && blank[1] == 2 && blank[2] == 0 && blank[3] == 0 && blank[4] == 0);
}

/* test_edges has what is at the ends. */
static void
test_edges(void)
{
	Table		table;
	uint64		blank[MOST_RECORDS] = {7};

	begin(&table, 0, 2);
	demand(&table, 3, 1);
	sdc_suppress(&table.task, blank);
	CHECK(blank[0] == 7);
	begin(&table, 1, 1);
	demand(&table, 1, 1);
	sdc_suppress(&table.task, blank);
	CHECK(blank[0] == 0);
	/* k = n: columns with several values go */
	begin(&table, 6, 3);
	for (uint32 i = 0; i < 6; i++)
		table.code[1][i] = i / 3;
	demand(&table, 7, 6);
	sdc_suppress(&table.task, blank);
	for (uint32 i = 0; i < 6; i++)
		CHECK(blank[i] == 2);
	/* nothing to do */
	begin(&table, 6, 2);
	for (uint32 i = 0; i < 6; i++)
		table.code[0][i] = SDC_CODE_NULL;
	demand(&table, 3, 6);
	sdc_suppress(&table.task, blank);
	for (uint32 i = 0; i < 6; i++)
		CHECK(blank[i] == 0);
}

/* test_random looks at the definition on random tables: values, demands, minimality, and a bound of the cost. */
static void
test_random(void)
{
	for (int run = 0; run < 3000; run++)
	{
		Table		table;
		uint64		blank[MOST_RECORDS];
		uint32		records = 1 + pick(run % 10 == 0 ? 48 : 16);
		int			columns = 1 + (int) pick(MOST_COLUMNS);
		int			demands = 1 + (int) pick(run % 3 == 0 ? 5 : 1);
		double		bound = 0;

		begin(&table, records, columns);
		fill(&table, 1 + pick(5), pick(2) * 5);
		for (int j = 0; j < columns; j++)
			table.cost[j] = run % 2 == 0 ? 1 : (1 + pick(40)) / 8.0;
		for (int d = 0; d < demands; d++)
		{
			uint64		all = (UINT64_C(1) << columns) - 1;
			uint32		most = records < 6 ? records : 6;

			demand(&table, demands == 1 ? all : 1 + pick((uint32) all), 1 + pick(most));
		}
		for (uint32 i = 0; i < records; i++)
		{
			uint64		none[MOST_RECORDS] = {0};
			double		cheapest = 0;

			for (int d = 0; d < demands; d++)
				if (own(&table, none, table.demand[d].columns, i) < table.demand[d].k)
					cheapest = 1.0 / 8;
			/* who has no value loses none */
			for (int j = 0; j < columns; j++)
				if (table.code[j][i] == SDC_CODE_NULL)
					cheapest = 0;
			bound += cheapest;
		}
		sdc_suppress(&table.task, blank);
		CHECKF(of_values(&table, blank), "run %d", run);
		CHECKF(holds(&table, blank), "run %d", run);
		CHECKF(minimal(&table, blank), "run %d", run);
		CHECKF(cost_of(&table, blank) >= bound, "run %d", run);
	}
}

/* test_optimum compares costs with the least ones. */
static void
test_optimum(void)
{
	int			optimal = 0;
	double		sum = 0;
	double		worst = 1;
	int			tables = 0;

	while (tables < 160)
	{
		Table		table;
		uint64		blank[MOST_RECORDS];
		uint64		none[MOST_RECORDS] = {0};
		int			group[MOST_RECORDS];
		double		found;
		double		best;

		begin(&table, 5 + (uint32) tables % 3, 3);
		fill(&table, 3, 0);
		for (int j = 0; j < 3; j++)
			table.cost[j] = tables % 2 == 0 ? 1 : (8 + pick(17)) / 8.0;
		demand(&table, 7, 2 + pick(2));
		if (holds(&table, none))
			continue;
		sdc_suppress(&table.task, blank);
		found = cost_of(&table, blank);
		best = least(&table, group, 0, 0);
		CHECK(found >= best - 1e-9);
		tables++;
		optimal += found <= best + 1e-9;
		sum += found / best;
		worst = fmax(worst, found / best);
	}
	CHECKF(optimal >= 112, "%d of 160", optimal);
	CHECKF(sum <= 1.1 * 160, "mean %g", sum / 160);
	CHECKF(worst <= 2, "worst %g", worst);
	printf("# optimal %d of 160, mean %.4f, worst %.4f\n", optimal, sum / 160, worst);
}

/* test_codes has the same values with other codes, of which only equality matters, and only some of the records. */
static void
test_codes(void)
{
	for (int run = 0; run < 200; run++)
	{
		Table		table;
		Table		other;
		uint64		blank[MOST_RECORDS];
		uint64		again[MOST_RECORDS];
		uint32		record[MOST_RECORDS];

		begin(&table, 20, 4);
		fill(&table, 4, 7);
		demand(&table, 3, 3);
		demand(&table, 13, 2);
		sdc_suppress(&table.task, blank);
		begin(&other, 41, 4);
		fill(&other, 4, 7);
		for (int j = 0; j < 4; j++)
			for (uint32 i = 0; i < 20; i++)
				other.code[j][2 * i + 1] = table.code[j][i] == SDC_CODE_NULL ? SDC_CODE_NULL :
					90 - 7 * table.code[j][i];
		for (uint32 i = 0; i < 41; i++)
			again[i] = 77;
		for (uint32 i = 0; i < 20; i++)
			record[i] = 2 * i + 1;
		other.task.record = record;
		other.task.records = 20;
		demand(&other, 3, 3);
		demand(&other, 13, 2);
		sdc_suppress(&other.task, again);
		for (uint32 i = 0; i < 41; i++)
			CHECKF(again[i] == (i % 2 == 0 ? 77 : blank[i / 2]), "run %d record %u", run, i);
	}
}

/* check_golden compares a table with what the twin makes of it. */
static void
check_golden(uint64 seed, const uint32 *values, uint32 missing, Table *table, const uint8 *golden)
{
	uint64		blank[MOST_RECORDS];

	random_state = seed;
	for (int j = 0; j < table->coded.attributes; j++)
		for (uint32 i = 0; i < table->coded.records; i++)
		{
			uint32		a = pick(values[j]);
			uint32		b = pick(values[j]);

			table->code[j][i] = missing > 0 && pick(missing) == 0 ? SDC_CODE_NULL : a < b ? a : b;
		}
	sdc_suppress(&table->task, blank);
	for (uint32 i = 0; i < table->coded.records; i++)
		CHECKF(blank[i] == golden[i], "seed %d record %u: %d, not %d", (int) seed, i, (int) blank[i], golden[i]);
	CHECK(holds(table, blank));
	CHECK(minimal(table, blank));
}

/* test_golden has one demand, costs and missing values, all pairs, and demands with a k of their own. */
static void
test_golden(void)
{
	Table		table;
	const uint32 three[] = {2, 12, 8};
	const uint32 four[] = {2, 12, 18, 8};
	const uint32 small[] = {3, 5, 4};

	begin(&table, 200, 3);
	demand(&table, 7, 5);
	check_golden(11, three, 0, &table, golden_suppress0);
	begin(&table, 160, 4);
	table.cost[1] = 3;
	table.cost[2] = 2;
	table.cost[3] = 1.5;
	demand(&table, 15, 3);
	check_golden(12, four, 12, &table, golden_suppress1);
	begin(&table, 160, 4);
	for (int a = 0; a < 4; a++)
		for (int b = a + 1; b < 4; b++)
			demand(&table, UINT64_C(1) << a | UINT64_C(1) << b, 5);
	check_golden(13, four, 0, &table, golden_suppress2);
	begin(&table, 90, 3);
	table.cost[0] = 2;
	demand(&table, 3, 4);
	demand(&table, 6, 3);
	demand(&table, 7, 2);
	check_golden(14, small, 6, &table, golden_suppress3);
}

int
main(void)
{
	RUN(test_hand);
	RUN(test_edges);
	RUN(test_random);
	RUN(test_optimum);
	RUN(test_codes);
	RUN(test_golden);
	return tap_done();
}
