/*-------------------------------------------------------------------------
 *
 * cuts.c
 *		Mondrian along hierarchies: sets of records that are cut into the children of their nodes.
 *
 * As mondrian.c; but for a column with a hierarchy the node of a set is the lowest one with all its records, the width
 * that of the codes that it contains, and a cut goes to all children that occur.  Children that satisfy what is asked
 * for become sets, the others together are the rest.  While the rest is not empty and does not satisfy it, the smallest
 * such child joins it, of equally large ones that with the first record.  So a lone small child does not forbid a cut.
 * At least two sets must be left, otherwise the next column is tried.
 *
 * The records of a set lie together in one array, in any order; sets that are to be cut are on a stack.
 *
 * Time O(depth m n) for m columns with few levels; memory: 40 bytes a record, and 8 a code and level.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include "kernel/base/wordsort.h"
#include "kernel/partition/cuts.h"

#define NO_CHILD UINT32_MAX

/* Records of one piece of the array. */
typedef struct Part
{
	uint32		start;
	uint32		size;
} Part;

/* A child of a set, while it is cut. */
typedef struct Child
{
	uint32		size;
	uint32		start;			/* its places in the order by child */
	uint32		first;			/* its least record */
	bool		joined;			/* it is in the rest */
} Child;

/* What the steps share. */
typedef struct Cuts
{
	const SdcCutsTask *task;
	uint32	   *record;			/* all records; those of a set are together */
	uint32	   *order;			/* those of the set at hand by child, each in their order */
	uint32	   *child;			/* of each place of the set at hand, */
	uint32	   *number;			/* by node: which child it is, */
	Child	   *children;		/* and these */
	uint32		count;
	uint64	   *word;			/* for sorting */
	uint64	   *counts;			/* by sensitive code */
	uint64	  **size;			/* by column and level: codes of each node */
	Part	   *pending;
	uint32		depth;
	uint64	   *width;			/* of each column of the set at hand, of codes - 1, */
	uint32	   *level;			/* and the level of its node */
} Cuts;

/* code_at returns the code of a place of the array in a column. */
static inline uint32
code_at(const Cuts *cuts, uint32 place, int column)
{
	return cuts->task->column[column].code[cuts->record[place]];
}

/* find_node finds the lowest node of a set in a column with a hierarchy, and its width. */
static void
find_node(Cuts *cuts, const Part *part, int c)
{
	const SdcLatticeColumn *column = &cuts->task->column[c];
	uint32		first = code_at(cuts, part->start, c);
	uint32		level = 0;

	for (uint32 i = 0; i < part->size && level < column->levels; i++)
	{
		uint32		code = code_at(cuts, part->start + i, c);

		sdc_interrupts_step(i);
		while (level < column->levels && column->node[level][code] != column->node[level][first])
			level++;
	}
	cuts->level[c] = level;
	cuts->width[c] = level == column->levels ? column->codes - 1 :
		cuts->size[c][(uint64) level * column->codes + column->node[level][first]] - 1;
	/* nothing is below */
	if (level == 0)
		cuts->width[c] = 0;
}

/* find_range finds the width of a set in a column without a hierarchy. */
static void
find_range(Cuts *cuts, const Part *part, int c)
{
	uint32		low = UINT32_MAX;
	uint32		high = 0;

	for (uint32 i = 0; i < part->size; i++)
	{
		uint32		code = code_at(cuts, part->start + i, c);

		sdc_interrupts_step(i);
		low = code < low ? code : low;
		high = code > high ? code : high;
	}
	cuts->width[c] = high - low;
}

/* add_values counts the sensitive values of a child. */
static void
add_values(Cuts *cuts, const Child *child)
{
	const SdcCodedColumn *sensitive = cuts->task->condition.sensitive;

	for (uint32 i = 0; i < child->size && sensitive != NULL; i++)
	{
		sdc_interrupts_step(i);
		cuts->counts[sensitive->code[cuts->order[child->start + i]]]++;
	}
}

/* satisfies tells whether a child, or the rest for NULL, satisfies what is asked for. */
static bool
satisfies(Cuts *cuts, const Child *child)
{
	const SdcGroupCondition *condition = &cuts->task->condition;
	uint64		records = 0;

	if (child != NULL && child->size < cuts->task->k)
		return false;
	if (condition->sensitive != NULL)
		memset(cuts->counts, 0, sizeof(uint64) * condition->sensitive->codes);
	for (uint32 i = 0; i < cuts->count; i++)
	{
		if (child == NULL ? !cuts->children[i].joined : child != &cuts->children[i])
			continue;
		records += cuts->children[i].size;
		add_values(cuts, &cuts->children[i]);
	}
	return records >= cuts->task->k &&
		(condition->sensitive == NULL || sdc_groupcondition_holds(condition, cuts->counts, records));
}

/* order_records brings the records of every child together. */
static void
order_records(Cuts *cuts, const Part *part)
{
	uint32		start = 0;

	for (uint32 i = 0; i < cuts->count; i++)
	{
		cuts->children[i].start = start;
		start += cuts->children[i].size;
		cuts->children[i].size = 0;
	}
	for (uint32 i = 0; i < part->size; i++)
	{
		Child	   *child = &cuts->children[cuts->child[i]];

		uint32		record = cuts->record[part->start + i];

		sdc_interrupts_step(i);
		child->first = record < child->first ? record : child->first;
		cuts->order[child->start + child->size++] = record;
	}
}

/* find_children divides a set by the nodes below its own. */
static void
find_children(Cuts *cuts, const Part *part, int c)
{
	const SdcLatticeColumn *column = &cuts->task->column[c];
	const uint32 *node = column->node[cuts->level[c] - 1];

	cuts->count = 0;
	for (uint32 i = 0; i < part->size; i++)
		cuts->number[node[code_at(cuts, part->start + i, c)]] = NO_CHILD;
	for (uint32 i = 0; i < part->size; i++)
	{
		uint32	   *number = &cuts->number[node[code_at(cuts, part->start + i, c)]];

		sdc_interrupts_step(i);
		if (*number == NO_CHILD)
		{
			*number = cuts->count;
			cuts->children[cuts->count++] = (Child) {0, 0, UINT32_MAX, false};
		}
		cuts->child[i] = *number;
		cuts->children[*number].size++;
	}
	order_records(cuts, part);
}

/* find_halves divides a set at the median of a column without a hierarchy. */
static void
find_halves(Cuts *cuts, const Part *part, int c)
{
	uint32		median;
	uint32		greatest;
	const uint64 *sorted;

	for (uint32 i = 0; i < part->size; i++)
		cuts->word[i] = code_at(cuts, part->start + i, c);
	sorted = sdc_wordsort(cuts->word, cuts->word + cuts->task->records, part->size, 0, 32);
	median = (uint32) sorted[(part->size - 1) / 2];
	greatest = (uint32) sorted[part->size - 1];
	cuts->count = 2;
	cuts->children[0] = cuts->children[1] = (Child) {0, 0, UINT32_MAX, false};
	for (uint32 i = 0; i < part->size; i++)
	{
		uint32		code = code_at(cuts, part->start + i, c);

		sdc_interrupts_step(i);
		cuts->child[i] = median == greatest ? code == greatest : code > median;
		cuts->children[cuts->child[i]].size++;
	}
	order_records(cuts, part);
}

/* comes_before tells which of two children joins the rest first. */
static bool
comes_before(const Child *a, const Child *b)
{
	return a->size != b->size ? a->size < b->size : a->first < b->first;
}

/* make_rest has children join the rest until it satisfies what is asked for; it returns how many sets are left. */
static uint32
make_rest(Cuts *cuts)
{
	uint32		sets = 0;

	for (uint32 i = 0; i < cuts->count; i++)
	{
		cuts->children[i].joined = !satisfies(cuts, &cuts->children[i]);
		sets += !cuts->children[i].joined;
	}
	if (sets == cuts->count)
		return sets;
	while (sets > 0 && !satisfies(cuts, NULL))
	{
		uint32		best = NO_CHILD;

		for (uint32 i = 0; i < cuts->count; i++)
			if (!cuts->children[i].joined &&
				(best == NO_CHILD || comes_before(&cuts->children[i], &cuts->children[best])))
				best = i;
		cuts->children[best].joined = true;
		sets--;
	}
	return sets + 1;
}

/* try_column divides a set by a column; false: that is not allowed. */
static bool
try_column(Cuts *cuts, const Part *part, int c)
{
	if (cuts->task->column[c].levels > 0)
	{
		find_children(cuts, part, c);
		return make_rest(cuts) >= 2;
	}
	find_halves(cuts, part, c);
	return satisfies(cuts, &cuts->children[0]) && satisfies(cuts, &cuts->children[1]);
}

/* take_child appends the records of a child at a place of the array. */
static void
take_child(Cuts *cuts, const Child *child, uint32 *place)
{
	memcpy(cuts->record + *place, cuts->order + child->start, sizeof(uint32) * child->size);
	*place += child->size;
}

/* divide has the children of a set, and the rest, cut later; the order of records does not matter. */
static void
divide(Cuts *cuts, const Part *part)
{
	uint32		place = part->start;
	uint32		start;

	for (uint32 i = 0; i < cuts->count; i++)
	{
		start = place;
		if (cuts->children[i].joined)
			continue;
		take_child(cuts, &cuts->children[i], &place);
		cuts->pending[cuts->depth++] = (Part) {start, place - start};
	}
	start = place;
	for (uint32 i = 0; i < cuts->count; i++)
		if (cuts->children[i].joined)
			take_child(cuts, &cuts->children[i], &place);
	if (place > start)
		cuts->pending[cuts->depth++] = (Part) {start, place - start};
}

/* cut cuts a set, by the widest column for which that is allowed; false: there is none. */
static bool
cut(Cuts *cuts, const Part *part)
{
	const SdcCutsTask *task = cuts->task;

	if (part->size < 2 || part->size / 2 < task->k)
		return false;
	for (int c = 0; c < task->columns; c++)
		if (task->column[c].levels > 0)
			find_node(cuts, part, c);
		else
			find_range(cuts, part, c);
	for (;;)
	{
		int			widest = -1;

		for (int c = 0; c < task->columns; c++)
			if (cuts->width[c] > 0 &&
				(widest < 0 || cuts->width[c] * (task->column[widest].codes - 1) >
				 cuts->width[widest] * (task->column[c].codes - 1)))
				widest = c;
		if (widest < 0)
			return false;
		if (try_column(cuts, part, widest))
			return true;
		cuts->width[widest] = 0;
	}
}

/* count_codes counts the codes of every node of the columns. */
static void
count_codes(Cuts *cuts)
{
	cuts->size = sdc_alloc_array(uint64 *, cuts->task->columns);
	for (int c = 0; c < cuts->task->columns; c++)
	{
		const SdcLatticeColumn *column = &cuts->task->column[c];

		cuts->size[c] = sdc_alloc_matrix(uint64, column->levels, column->codes);
		memset(cuts->size[c], 0, sizeof(uint64) * column->levels * column->codes);
		for (uint32 h = 0; h < column->levels; h++)
			for (uint32 code = 0; code < column->codes; code++)
				cuts->size[c][(uint64) h * column->codes + column->node[h][code]]++;
	}
}

/* create makes all but the records. */
static void
create(Cuts *cuts, const SdcCutsTask *task)
{
	uint32		codes = 2;

	cuts->task = task;
	for (int c = 0; c < task->columns; c++)
		codes = task->column[c].codes > codes ? task->column[c].codes : codes;
	cuts->record = sdc_alloc_array(uint32, task->records);
	cuts->order = sdc_alloc_array(uint32, task->records);
	cuts->child = sdc_alloc_array(uint32, task->records);
	cuts->number = sdc_alloc_array(uint32, codes);
	cuts->children = sdc_alloc_array(Child, codes);
	cuts->word = sdc_alloc_matrix(uint64, 2, task->records);
	cuts->counts = sdc_alloc_array(uint64, task->condition.sensitive == NULL ? 1 : task->condition.sensitive->codes);
	cuts->pending = sdc_alloc_array(Part, (uint64) task->records + 1);
	cuts->width = sdc_alloc_array(uint64, task->columns);
	cuts->level = sdc_alloc_array(uint32, task->columns);
	cuts->depth = 0;
	count_codes(cuts);
}

/* destroy frees everything. */
static void
destroy(Cuts *cuts)
{
	for (int c = 0; c < cuts->task->columns; c++)
		sdc_free(cuts->size[c]);
	sdc_free(cuts->size);
	sdc_free(cuts->record);
	sdc_free(cuts->order);
	sdc_free(cuts->child);
	sdc_free(cuts->number);
	sdc_free(cuts->children);
	sdc_free(cuts->word);
	sdc_free(cuts->counts);
	sdc_free(cuts->pending);
	sdc_free(cuts->width);
	sdc_free(cuts->level);
}

/* sdc_cuts: see cuts.h. */
uint32
sdc_cuts(const SdcCutsTask *task, uint32 first, uint32 *group)
{
	Cuts		cuts;
	uint32		groups = 0;
	uint32		done = 0;

	create(&cuts, task);
	for (uint32 i = 0; i < task->records; i++)
		cuts.record[i] = task->record == NULL ? i : task->record[i];
	cuts.pending[cuts.depth++] = (Part) {0, task->records};
	while (cuts.depth > 0)
	{
		Part		part = cuts.pending[--cuts.depth];

		SDC_CHECK_INTERRUPTS();
		if (cut(&cuts, &part))
		{
			divide(&cuts, &part);
			continue;
		}
		for (uint32 i = 0; i < part.size; i++)
			group[cuts.record[part.start + i]] = first + groups;
		groups++;
		done += part.size;
		SDC_REPORT(done, task->records);
	}
	destroy(&cuts);
	return groups;
}
