/*-------------------------------------------------------------------------
 *
 * unitgroups.c
 *		How well units, each of one or several records, are hidden in the groups of these.
 *
 * In a group a unit counts once, however many records it has there.  A unit as a whole is hidden among those that have
 * as many records as it in every group.  To find these, the cells of each unit are followed in the order of their
 * groups through a tree whose edges are pairs of a group and a number of records: units that end at the same node are
 * alike.  The edges are in a hash table with open addressing, at most half full, and are compared number by number.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include "kernel/base/codesort.h"
#include "kernel/groups/unitgroups.h"

/* The tree: node n > 0 was reached from a node by a cell. */
typedef struct Tree
{
	const SdcUnitGroupsTask *task;
	uint32		nodes;			/* with the root, 0 */
	uint32	   *parent;
	uint32	   *cell;
	uint32	   *slot;			/* nodes by what leads to them; 0: free */
	uint64		mask;			/* slots - 1 */
} Tree;

/* least is the smallest of some numbers above 0, and counts the ones; 0 without any. */
static uint64
least(const uint64 *number, uint32 count, uint64 *ones)
{
	uint64		smallest = 0;

	*ones = 0;
	for (uint32 i = 0; i < count; i++)
	{
		sdc_interrupts_step(i);
		if (number[i] > 0 && (smallest == 0 || number[i] < smallest))
			smallest = number[i];
		*ones += number[i] == 1;
	}
	return smallest;
}

/* measure_groups counts the units and the records of every group. */
static void
measure_groups(const SdcUnitGroupsTask *task, SdcUnitGroups *result)
{
	uint64	   *units = sdc_alloc_zeros(uint64, task->groups);
	uint64	   *records = sdc_alloc_zeros(uint64, task->groups);
	uint64		single_records;

	for (uint32 i = 0; i < task->cells; i++)
	{
		sdc_interrupts_step(i);
		units[task->group[i]]++;
		records[task->group[i]] += task->count[i];
	}
	for (uint32 i = 0; i < task->cells; i++)
	{
		double		share = (double) task->count[i] / (double) records[task->group[i]];

		sdc_interrupts_step(i);
		if (share > result->share)
			result->share = share;
	}
	result->groups = task->groups;
	result->k = least(units, task->groups, &result->single);
	result->k_rows = least(records, task->groups, &single_records);
	sdc_free(records);
	sdc_free(units);
}

/* leads_to tells whether a node was reached from another one by a cell like this. */
static inline bool
leads_to(const Tree *tree, uint32 node, uint32 from, uint32 cell)
{
	const SdcUnitGroupsTask *task = tree->task;
	uint32		other = tree->cell[node];

	return tree->parent[node] == from && task->group[other] == task->group[cell] &&
		task->count[other] == task->count[cell];
}

/* follow returns the node that a cell leads to, a new one if none has gone there. */
static inline uint32
follow(Tree *tree, uint32 from, uint32 cell)
{
	const SdcUnitGroupsTask *task = tree->task;
	uint64		hash = (uint64) from << 32 | task->group[cell];
	uint64		place;

	hash = (hash ^ hash >> 29) * UINT64_C(0x9E3779B97F4A7C15);
	hash = (hash ^ hash >> 32 ^ task->count[cell]) * UINT64_C(0xBF58476D1CE4E5B9);
	place = (hash ^ hash >> 32) & tree->mask;
	while (tree->slot[place] != 0 && !leads_to(tree, tree->slot[place], from, cell))
		place = (place + 1) & tree->mask;
	if (tree->slot[place] == 0)
	{
		tree->slot[place] = tree->nodes;
		tree->parent[tree->nodes] = from;
		tree->cell[tree->nodes++] = cell;
	}
	return tree->slot[place];
}

/* tree_create makes a tree with a root, and room for as many nodes as there are cells. */
static void
tree_create(Tree *tree, const SdcUnitGroupsTask *task)
{
	uint64		slots = 8;

	while (slots < 2 * (uint64) task->cells)
		slots *= 2;
	tree->task = task;
	tree->nodes = 1;
	tree->parent = sdc_alloc_array(uint32, (uint64) task->cells + 1);
	tree->cell = sdc_alloc_array(uint32, (uint64) task->cells + 1);
	tree->slot = sdc_alloc_zeros(uint32, slots);
	tree->mask = slots - 1;
}

/* order_cells returns the cells by unit, and those of a unit by group. */
static uint32 *
order_cells(const SdcUnitGroupsTask *task)
{
	const SdcCodesort by_unit = {task->unit, 1, task->units, NULL};
	const SdcCodesort by_group = {task->group, 1, task->groups, NULL};

	return sdc_codesort_two(&by_unit, &by_group, task->cells);
}

/* measure_units counts the units that are alike. */
static void
measure_units(const SdcUnitGroupsTask *task, SdcUnitGroups *result)
{
	uint32	   *order = order_cells(task);
	Tree		tree;
	uint64	   *alike;
	uint32		node = 0;

	tree_create(&tree, task);
	alike = sdc_alloc_zeros(uint64, (uint64) task->cells + 1);
	for (uint32 i = 0; i < task->cells; i++)
	{
		sdc_interrupts_step(i);
		if (i % SDC_INTERRUPT_STEPS == 0)
			SDC_REPORT(i, task->cells);
		node = follow(&tree, node, order[i]);
		if (i + 1 == task->cells || task->unit[order[i + 1]] != task->unit[order[i]])
		{
			alike[node]++;
			node = 0;
		}
	}
	result->k_whole = least(alike, tree.nodes, &result->whole_unique);
	sdc_free(alike);
	sdc_free(tree.slot);
	sdc_free(tree.cell);
	sdc_free(tree.parent);
	sdc_free(order);
}

/* sdc_unitgroups_measure: see unitgroups.h. */
void
sdc_unitgroups_measure(const SdcUnitGroupsTask *task, SdcUnitGroups *result)
{
	memset(result, 0, sizeof(*result));
	if (task->cells == 0)
		return;
	measure_groups(task, result);
	measure_units(task, result);
}
