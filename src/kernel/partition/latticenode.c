/*-------------------------------------------------------------------------
 *
 * latticenode.c
 *		One node of a lattice of levels: its groups, who is suppressed, and what is lost.
 *
 * The groups of a node are rolled up from those of a lower node: what is equal there is equal here.  So only one
 * combination of values stands for a group, and a node costs as much as the lower one has groups.
 *
 * A record is suppressed whose group fails l or t, or of whose values in the columns of a demand there are fewer than
 * k; that is asked again of those who are left, until nobody fails.  The suppressed ones are a group that must satisfy
 * the same, or whole groups join them, the smallest first, until they do.
 *
 * Memory: 2 m + 12 words a combination for m columns, two more for each table that is kept, and five a combination with
 * a sensitive value.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include "kernel/base/codeindex.h"
#include "kernel/base/wordsort.h"
#include "kernel/partition/latticenode.h"

/* Columns whose nodes tell groups apart. */
typedef struct Projection
{
	int			columns;
	int		   *column;
	uint32	  **node;			/* by code */
} Projection;

/* code_of returns the code of a combination in a column. */
static inline uint32
code_of(const SdcLattice *lattice, uint32 combination, int column)
{
	return lattice->code[(uint64) combination * lattice->columns + column];
}

/* add_column adds a column to a projection, but for one in which all is equal. */
static void
add_column(const SdcLattice *lattice, Projection *projection, int column, const uint32 *level)
{
	if (level[column] == lattice->task->column[column].levels)
		return;
	projection->column[projection->columns] = column;
	projection->node[projection->columns++] = lattice->task->column[column].node[level[column]];
}

/* project chooses the columns of a demand, or all for NULL. */
static Projection
project(const SdcLattice *lattice, const SdcLatticeDemand *demand, const uint32 *level)
{
	Projection	projection = {0, sdc_alloc_array(int, lattice->columns), sdc_alloc_array(uint32 *, lattice->columns)};

	for (int c = 0; c < (demand == NULL ? lattice->columns : demand->columns); c++)
		add_column(lattice, &projection, demand == NULL ? c : demand->column[c], level);
	return projection;
}

/* end_projection frees one. */
static void
end_projection(Projection *projection)
{
	sdc_free(projection->column);
	sdc_free(projection->node);
}

/*
 * roll numbers what some combinations are in a projection, in the order in which they come, and returns how many
 * different ones there are.
 */
static uint32
roll(SdcLattice *lattice, const Projection *projection, const uint32 *combination, uint32 combinations, uint32 *map)
{
	uint64		slots = 4;
	uint32		count = 0;

	while (slots < 2 * (uint64) combinations)
		slots *= 2;
	memset(lattice->slot, 0, slots * sizeof(uint32));
	for (uint32 g = 0; g < combinations; g++)
	{
		const uint32 *code = lattice->code + (uint64) combination[g] * lattice->columns;
		uint32	   *key = lattice->key + (uint64) count * projection->columns;
		uint64		hash = UINT64_C(0x9E3779B97F4A7C15);
		uint64		at;

		sdc_interrupts_step(g);
		for (int c = 0; c < projection->columns; c++)
		{
			key[c] = projection->node[c][code[projection->column[c]]];
			hash = (hash ^ key[c]) * UINT64_C(0xBF58476D1CE4E5B9);
			hash ^= hash >> 29;
		}
		at = hash & (slots - 1);
		while (lattice->slot[at] != 0 &&
			   memcmp(lattice->key + (uint64) (lattice->slot[at] - 1) * projection->columns, key,
					  sizeof(uint32) * projection->columns) != 0)
			at = (at + 1) & (slots - 1);
		if (lattice->slot[at] == 0)
			lattice->slot[at] = ++count;
		map[g] = lattice->slot[at] - 1;
	}
	return count;
}

/* ------------------------------------------------------------------------
 * What all nodes share
 * ------------------------------------------------------------------------
 */

/* record_of returns a record of the task. */
static inline uint32
record_of(const SdcLatticeTask *task, uint32 i)
{
	return task->record == NULL ? i : task->record[i];
}

/* find_combinations finds the different combinations of values. */
static void
find_combinations(SdcLattice *lattice)
{
	const SdcLatticeTask *task = lattice->task;
	SdcCodedColumn *column = sdc_alloc_array(SdcCodedColumn, task->columns);
	SdcCodedFile file = {task->records, task->columns, column};
	SdcCodeIndex index;

	for (int c = 0; c < task->columns; c++)
	{
		uint32	   *code = sdc_alloc_array(uint32, task->records);

		for (uint32 i = 0; i < task->records; i++)
		{
			sdc_interrupts_step(i);
			code[i] = task->column[c].code[record_of(task, i)];
		}
		column[c] = (SdcCodedColumn) {code, task->column[c].codes};
	}
	lattice->of = sdc_alloc_array(uint32, task->records);
	sdc_codeindex_create(&index, &file, task->columns, lattice->of);
	lattice->combinations = index.count;
	lattice->code = sdc_alloc_matrix(uint32, index.count, task->columns);
	for (uint32 d = 0; d < index.count; d++)
	{
		sdc_interrupts_step(d);
		for (int c = 0; c < task->columns; c++)
			lattice->code[(uint64) d * task->columns + c] = column[c].code[index.first[d]];
	}
	sdc_codeindex_destroy(&index);
	for (int c = 0; c < task->columns; c++)
		sdc_free((uint32 *) column[c].code);
	sdc_free(column);
}

/* measure_levels counts the codes of every node, and what all records lose at every level. */
static void
measure_levels(SdcLattice *lattice)
{
	const SdcLatticeTask *task = lattice->task;

	lattice->size = sdc_alloc_array(uint32 *, task->columns);
	lattice->spread = sdc_alloc_array(uint64 *, task->columns);
	for (int c = 0; c < task->columns; c++)
	{
		const SdcLatticeColumn *column = &task->column[c];

		lattice->size[c] = sdc_alloc_matrix(uint32, column->levels, column->codes);
		memset(lattice->size[c], 0, sizeof(uint32) * column->levels * column->codes);
		lattice->spread[c] = sdc_alloc_zeros(uint64, (uint64) column->levels + 1);
		for (uint32 h = 0; h < column->levels; h++)
		{
			uint32	   *size = lattice->size[c] + (uint64) h * column->codes;

			for (uint32 code = 0; code < column->codes; code++)
				size[column->node[h][code]]++;
			for (uint32 d = 0; d < lattice->combinations; d++)
			{
				sdc_interrupts_step(d);
				lattice->spread[c][h] += (uint64) lattice->base.count[d] *
					(size[column->node[h][code_of(lattice, d, c)]] - 1);
			}
		}
		lattice->spread[c][column->levels] = (uint64) task->records * (column->codes - 1);
	}
}

/* find_pairs finds the combinations with their sensitive values, by ascending codes; one may come several times. */
static void
find_pairs(SdcLattice *lattice)
{
	const SdcLatticeTask *task = lattice->task;
	uint32		codes = task->condition.sensitive->codes;
	uint32	   *start = sdc_alloc_zeros(uint32, (uint64) codes + 1);

	lattice->pairs = task->records;
	lattice->pair_combination = sdc_alloc_array(uint32, task->records);
	lattice->pair_code = sdc_alloc_array(uint32, task->records);
	lattice->pair_order = sdc_alloc_array(uint32, task->records);
	lattice->pair_start = sdc_alloc_array(uint32, (uint64) lattice->combinations + 2);
	lattice->counts = sdc_alloc_array(uint64, codes);
	lattice->hidden = sdc_alloc_array(uint64, codes);
	for (uint32 i = 0; i < task->records; i++)
		start[task->condition.sensitive->code[record_of(task, i)] + 1]++;
	for (uint32 s = 0; s < codes; s++)
		start[s + 1] += start[s];
	for (uint32 i = 0; i < task->records; i++)
	{
		uint32		code = task->condition.sensitive->code[record_of(task, i)];
		uint32		place = start[code]++;

		sdc_interrupts_step(i);
		lattice->pair_combination[place] = lattice->of[i];
		lattice->pair_code[place] = code;
	}
	sdc_free(start);
}

/* make_table makes room for the groups of a node. */
static void
make_table(const SdcLattice *lattice, SdcLatticeTable *table)
{
	table->level = sdc_alloc_zeros(uint32, lattice->columns);
	table->first = sdc_alloc_array(uint32, lattice->combinations);
	table->count = sdc_alloc_zeros(uint32, lattice->combinations);
	table->groups = 0;
	table->used = 0;
}

/* free_table gives it back. */
static void
free_table(SdcLatticeTable *table)
{
	sdc_free(table->level);
	sdc_free(table->first);
	sdc_free(table->count);
}

/* least_records is how many records a group has at least that is not suppressed. */
static uint32
least_records(const SdcLatticeTask *task)
{
	uint32		least = 1;

	for (int d = 0; d < task->demands; d++)
		if (task->demand[d].columns == task->columns && task->demand[d].k > least)
			least = task->demand[d].k;
	return sdc_groupcondition_least(&task->condition, least, task->records);
}

/* sdc_latticenode_create: see latticenode.h. */
SdcLattice *
sdc_latticenode_create(const SdcLatticeTask *task)
{
	SdcLattice *lattice = sdc_alloc_zeros(SdcLattice, 1);
	uint64		slots = 4;

	lattice->task = task;
	lattice->columns = task->columns;
	lattice->least = least_records(task);
	find_combinations(lattice);
	while (slots < 2 * (uint64) lattice->combinations)
		slots *= 2;
	make_table(lattice, &lattice->base);
	lattice->base.groups = lattice->combinations;
	for (uint32 d = 0; d < lattice->combinations; d++)
		lattice->base.first[d] = d;
	for (uint32 i = 0; i < task->records; i++)
		lattice->base.count[lattice->of[i]]++;
	for (int i = 0; i < SDC_LATTICE_TABLES; i++)
		make_table(lattice, &lattice->table[i]);
	measure_levels(lattice);
	if (task->condition.sensitive != NULL)
		find_pairs(lattice);
	lattice->key = sdc_alloc_matrix(uint32, (uint64) lattice->combinations + 1, task->columns);
	lattice->slot = sdc_alloc_array(uint32, slots);
	lattice->map = sdc_alloc_array(uint32, lattice->combinations);
	lattice->demanded = sdc_alloc_array(uint32, lattice->combinations);
	lattice->word = sdc_alloc_matrix(uint64, 2, lattice->combinations);
	lattice->fails = sdc_alloc_array(bool, lattice->combinations);
	return lattice;
}

/* sdc_latticenode_destroy: see latticenode.h. */
void
sdc_latticenode_destroy(SdcLattice *lattice)
{
	for (int c = 0; c < lattice->columns; c++)
	{
		sdc_free(lattice->size[c]);
		sdc_free(lattice->spread[c]);
	}
	sdc_free(lattice->size);
	sdc_free(lattice->spread);
	free_table(&lattice->base);
	for (int i = 0; i < SDC_LATTICE_TABLES; i++)
		free_table(&lattice->table[i]);
	if (lattice->task->condition.sensitive != NULL)
	{
		sdc_free(lattice->pair_combination);
		sdc_free(lattice->pair_code);
		sdc_free(lattice->pair_order);
		sdc_free(lattice->pair_start);
		sdc_free(lattice->counts);
		sdc_free(lattice->hidden);
	}
	sdc_free(lattice->of);
	sdc_free(lattice->code);
	sdc_free(lattice->key);
	sdc_free(lattice->slot);
	sdc_free(lattice->map);
	sdc_free(lattice->demanded);
	sdc_free(lattice->word);
	sdc_free(lattice->fails);
	sdc_free(lattice);
}

/* ------------------------------------------------------------------------
 * Groups
 * ------------------------------------------------------------------------
 */

/* is_below tells whether every level of a table is at most that of a node. */
static bool
is_below(const SdcLattice *lattice, const SdcLatticeTable *table, const uint32 *level)
{
	for (int c = 0; c < lattice->columns; c++)
		if (table->level[c] > level[c])
			return false;
	return table->groups > 0;
}

/* sdc_latticenode_table: see latticenode.h. */
SdcLatticeTable *
sdc_latticenode_table(SdcLattice *lattice, const uint32 *level)
{
	SdcLatticeTable *from = &lattice->base;
	SdcLatticeTable *table = NULL;
	Projection	projection;

	lattice->clock++;
	for (int i = 0; i < SDC_LATTICE_TABLES; i++)
		if (is_below(lattice, &lattice->table[i], level) && lattice->table[i].groups <= from->groups)
			from = &lattice->table[i];
	from->used = lattice->clock;
	if (memcmp(from->level, level, sizeof(uint32) * lattice->columns) == 0)
		return from;
	for (int i = 0; i < SDC_LATTICE_TABLES; i++)
		if (&lattice->table[i] != from && (table == NULL || lattice->table[i].used < table->used))
			table = &lattice->table[i];
	projection = project(lattice, NULL, level);
	table->groups = roll(lattice, &projection, from->first, from->groups, lattice->map);
	end_projection(&projection);
	memcpy(table->level, level, sizeof(uint32) * lattice->columns);
	memset(table->count, 0, sizeof(uint32) * table->groups);
	/* a group has the first of its combinations */
	for (uint32 g = from->groups; g-- > 0;)
	{
		table->first[lattice->map[g]] = from->first[g];
		table->count[lattice->map[g]] += from->count[g];
	}
	table->used = lattice->clock;
	return table;
}

/* sdc_latticenode_groups: see latticenode.h. */
const uint32 *
sdc_latticenode_groups(SdcLattice *lattice, const SdcLatticeTable *table)
{
	Projection	projection = project(lattice, NULL, table->level);
	uint32		groups = roll(lattice, &projection, lattice->base.first, lattice->base.groups, lattice->map);

	SDC_ASSERT(groups == table->groups);
	(void) groups;
	end_projection(&projection);
	return lattice->map;
}

/* ------------------------------------------------------------------------
 * Conditions
 * ------------------------------------------------------------------------
 */

/* order_pairs orders the pairs by the groups of a node. */
static void
order_pairs(SdcLattice *lattice, const SdcLatticeTable *table)
{
	const uint32 *group = sdc_latticenode_groups(lattice, table);
	uint32	   *start = lattice->pair_start;

	memset(start, 0, sizeof(uint32) * ((uint64) table->groups + 2));
	for (uint32 p = 0; p < lattice->pairs; p++)
		start[group[lattice->pair_combination[p]] + 2]++;
	for (uint32 g = 0; g < table->groups; g++)
		start[g + 2] += start[g + 1];
	for (uint32 p = 0; p < lattice->pairs; p++)
	{
		sdc_interrupts_step(p);
		lattice->pair_order[start[group[lattice->pair_combination[p]] + 1]++] = p;
	}
}

/* count_values adds the sensitive values of a group to counts. */
static void
count_values(const SdcLattice *lattice, uint32 group, uint64 *count)
{
	for (uint32 i = lattice->pair_start[group]; i < lattice->pair_start[group + 1]; i++)
		count[lattice->pair_code[lattice->pair_order[i]]]++;
}

/* suppress suppresses a group. */
static void
suppress(SdcLattice *lattice, const SdcLatticeTable *table, uint32 group)
{
	lattice->fails[group] = true;
	lattice->suppressed += table->count[group];
	if (lattice->task->condition.sensitive != NULL)
		count_values(lattice, group, lattice->hidden);
}

/* fail_values suppresses the groups whose sensitive values do not satisfy l or t. */
static void
fail_values(SdcLattice *lattice, const SdcLatticeTable *table)
{
	uint32		codes;

	if (lattice->task->condition.sensitive == NULL)
		return;
	codes = lattice->task->condition.sensitive->codes;
	order_pairs(lattice, table);
	memset(lattice->hidden, 0, sizeof(uint64) * codes);
	for (uint32 g = 0; g < table->groups; g++)
	{
		sdc_interrupts_step(g);
		memset(lattice->counts, 0, sizeof(uint64) * codes);
		count_values(lattice, g, lattice->counts);
		if (!sdc_groupcondition_holds(&lattice->task->condition, lattice->counts, table->count[g]))
			suppress(lattice, table, g);
	}
}

/* fail_demand suppresses the groups for which fewer than k records that are left agree; false: there are none. */
static bool
fail_demand(SdcLattice *lattice, const SdcLatticeTable *table, const SdcLatticeDemand *demand)
{
	Projection	projection = project(lattice, demand, table->level);
	bool		whole = projection.columns == 0;
	uint32		values = roll(lattice, &projection, table->first, table->groups, lattice->map);
	bool		found = false;

	end_projection(&projection);
	/* nobody is suppressed to what is everything anyway */
	if (whole)
		return false;
	memset(lattice->demanded, 0, sizeof(uint32) * values);
	for (uint32 g = 0; g < table->groups; g++)
		lattice->demanded[lattice->map[g]] += lattice->fails[g] ? 0 : table->count[g];
	for (uint32 g = 0; g < table->groups; g++)
	{
		sdc_interrupts_step(g);
		if (lattice->fails[g] || lattice->demanded[lattice->map[g]] >= demand->k)
			continue;
		suppress(lattice, table, g);
		found = true;
	}
	return found;
}

/* fail_counts suppresses the groups that are too small, or fail demands, until nobody fails. */
static void
fail_counts(SdcLattice *lattice, const SdcLatticeTable *table)
{
	const SdcLatticeTask *task = lattice->task;
	bool		again = true;

	for (uint32 g = 0; g < table->groups; g++)
	{
		sdc_interrupts_step(g);
		if (!lattice->fails[g] && table->count[g] < lattice->least)
			suppress(lattice, table, g);
	}
	while (again && lattice->suppressed <= task->allowed)
	{
		again = false;
		for (int d = 0; d < task->demands; d++)
			if (task->demand[d].columns < task->columns)
				again |= fail_demand(lattice, table, &task->demand[d]);
	}
}

/* judge_first finds who fails before the suppressed ones are looked at. */
static SdcLatticeTable *
judge_first(SdcLattice *lattice, const uint32 *level, bool values)
{
	SdcLatticeTable *table = sdc_latticenode_table(lattice, level);

	memset(lattice->fails, 0, sizeof(bool) * table->groups);
	lattice->suppressed = 0;
	if (values)
		fail_values(lattice, table);
	if (lattice->suppressed <= lattice->task->allowed)
		fail_counts(lattice, table);
	return table;
}

/* sdc_latticenode_passes: see latticenode.h. */
bool
sdc_latticenode_passes(SdcLattice *lattice, const uint32 *level)
{
	const SdcLatticeTask *task = lattice->task;
	const SdcLatticeTable *table = sdc_latticenode_table(lattice, level);
	uint32		few = 0;

	for (uint32 g = 0; g < table->groups; g++)
		few += table->count[g] < lattice->least ? table->count[g] : 0;
	/* by merging, l and t can become worse for those who are left */
	if (few > task->allowed || (task->condition.sensitive != NULL && task->allowed > 0))
		return few <= task->allowed;
	(void) judge_first(lattice, level, task->condition.sensitive != NULL);
	return lattice->suppressed <= task->allowed;
}

/* hidden_satisfy tells whether the suppressed records satisfy as a group what is demanded. */
static bool
hidden_satisfy(const SdcLattice *lattice, const uint32 *level)
{
	const SdcLatticeTask *task = lattice->task;

	if (lattice->suppressed == 0)
		return true;
	if (lattice->suppressed < lattice->least)
		return false;
	for (int d = 0; d < task->demands; d++)
	{
		bool		whole = true;

		for (int c = 0; c < task->demand[d].columns; c++)
			whole &= level[task->demand[d].column[c]] == task->column[task->demand[d].column[c]].levels;
		if (!whole && lattice->suppressed < task->demand[d].k)
			return false;
	}
	return task->condition.sensitive == NULL ||
		sdc_groupcondition_holds(&task->condition, lattice->hidden, lattice->suppressed);
}

/* order_groups sorts groups by their records, and then by their first ones. */
static const uint64 *
order_groups(SdcLattice *lattice, const SdcLatticeTable *table)
{
	for (uint32 g = 0; g < table->groups; g++)
		lattice->word[g] = (uint64) table->count[g] << 32 | g;
	return sdc_wordsort(lattice->word, lattice->word + lattice->combinations, table->groups, 0, 64);
}

/* sdc_latticenode_judge: see latticenode.h. */
SdcLatticeTable *
sdc_latticenode_judge(SdcLattice *lattice, const uint32 *level)
{
	SdcLatticeTable *table = judge_first(lattice, level, lattice->task->condition.sensitive != NULL);
	const uint64 *order = NULL;
	uint32		next = 0;

	while (lattice->suppressed <= lattice->task->allowed && !hidden_satisfy(lattice, level))
	{
		if (order == NULL)
			order = order_groups(lattice, table);
		while (next < table->groups && lattice->fails[(uint32) order[next]])
			next++;
		if (next == table->groups)
			return NULL;
		suppress(lattice, table, (uint32) order[next]);
		if (hidden_satisfy(lattice, level))
			fail_counts(lattice, table);
	}
	return lattice->suppressed <= lattice->task->allowed ? table : NULL;
}

/* ------------------------------------------------------------------------
 * Losses
 * ------------------------------------------------------------------------
 */

/* loss_of is the mean loss of a cell of a column, of a sum over the records that have one, and those suppressed. */
static double
loss_of(const SdcLattice *lattice, int column, uint64 spread, uint64 suppressed)
{
	uint64		others = lattice->task->column[column].codes - 1;
	double		lost = others == 0 ? 0 : (double) spread / (double) others;

	return (lost + (double) suppressed) / lattice->task->records;
}

/* sdc_latticenode_column_loss: see latticenode.h. */
double
sdc_latticenode_column_loss(const SdcLattice *lattice, int column, uint32 level)
{
	return loss_of(lattice, column, lattice->spread[column][level], 0);
}

/* sdc_latticenode_mean: see latticenode.h. */
double
sdc_latticenode_mean(const SdcLattice *lattice, const double *column_loss)
{
	double		sum = 0;
	double		importance = 0;

	for (int c = 0; c < lattice->columns; c++)
	{
		sum += lattice->task->column[c].importance * column_loss[c];
		importance += lattice->task->column[c].importance;
	}
	return sum / importance;
}

/* sdc_latticenode_losses: see latticenode.h. */
void
sdc_latticenode_losses(SdcLattice *lattice, const SdcLatticeTable *table, double *column_loss)
{
	for (int c = 0; c < lattice->columns; c++)
	{
		const SdcLatticeColumn *column = &lattice->task->column[c];
		uint32		level = table->level[c];
		uint64		spread = lattice->spread[c][level];

		for (uint32 g = 0; g < table->groups && lattice->suppressed > 0; g++)
		{
			uint32		size = column->codes;

			sdc_interrupts_step(g);
			if (level < column->levels)
				size = lattice->size[c][(uint64) level * column->codes +
										column->node[level][code_of(lattice, table->first[g], c)]];
			spread -= lattice->fails[g] ? (uint64) table->count[g] * (size - 1) : 0;
		}
		column_loss[c] = loss_of(lattice, c, spread, lattice->suppressed);
	}
}
