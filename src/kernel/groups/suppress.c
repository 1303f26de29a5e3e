/*-------------------------------------------------------------------------
 *
 * suppress.c
 *		Local suppression: single values are taken out until every record has others like it.
 *
 * To find the least number of values is NP-hard (A. Meyerson, R. Williams, "On the complexity of optimal k-anonymity",
 * PODS 2004).  What is done here:
 *
 *	1. For each demand, and all sets of its columns from the cheapest on: the violating records that k of them, or
 *	   records that satisfy it, are like when these columns are taken out, lose them.
 *	2. At most k - 1 are left.  For the first of them and every set: what it costs to take the set out of it and those
 *	   that become like it, and to have as many others join as are missing: those that groups of more than k can spare,
 *	   else the smallest group.  The cheapest is done.  All of this is repeated until all demands hold.
 *	3. Values are given back, where that violates no demand: the most important columns first, of records that are equal
 *	   and had one value as many as possible, until nothing changes.
 *
 * Every step of 1 and 2 takes out a value, and with all of them gone all records are alike: so it ends.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include <math.h>

#include "kernel/groups/suppresscounts.h"

/* Columns that are taken out together. */
typedef struct Pattern
{
	double		cost;
	uint64		columns;
} Pattern;

/* A group that satisfies a demand, beside a record that does not. */
typedef struct Donor
{
	uint32		entry;
	uint64		differs;		/* columns in which the record has something else */
	uint64		has;			/* columns in which the group has a value */
} Donor;

/* Records that are to join others. */
typedef struct Pick
{
	const Donor *donor;
	uint32		count;
} Pick;

/* All that is at work. */
typedef struct Suppression
{
	const SdcSuppressTask *task;
	SdcSuppressTable table;
	SdcSuppressCounts *counts;	/* by demand */

	uint32		listed;			/* records that are looked at, ascending, */
	uint32	   *list;
	uint32	   *group;			/* the group of each of them, */
	uint32	   *first;			/* the first record of each group, */
	uint32	   *size;			/* and how many it has */
	uint32	   *slot;			/* a hash table of groups */

	Pattern    *pattern;		/* of a demand, the cheapest first; NULL: not made yet */
	uint32		patterns;
	Donor	   *donor;
	uint32		donors;
	uint32		donor_room;
	Pick	   *pick;
	uint32		picks;
} Suppression;

/* cost_of is what the values of some columns cost. */
static double
cost_of(const Suppression *s, uint64 columns)
{
	double		cost = 0;

	for (; columns != 0; columns &= columns - 1)
		cost += s->task->cost[sdc_suppresscounts_first(columns)];
	return cost;
}

/* set_blank has a record lack the values of some columns, and no others. */
static void
set_blank(Suppression *s, uint32 record, uint64 blank)
{
	blank &= s->table.valued[record];
	for (int d = 0; d < s->task->demands; d++)
		sdc_suppresscounts_move(&s->counts[d], &s->table, record, s->table.blank[record], blank);
	s->table.blank[record] = blank;
}

/*
 * group_alike puts the listed records that are alike in some columns into groups, in the order of their first records,
 * and returns how many there are.  Each is looked at as if some values were taken out of it, or given back.
 */
static uint32
group_alike(Suppression *s, uint64 columns, uint64 out, uint64 back)
{
	const SdcSuppressTable *table = &s->table;
	uint64		slots = sdc_suppresscounts_slots(s->listed);
	uint32		groups = 0;

	memset(s->slot, 0, slots * sizeof(uint32));
	for (uint32 i = 0; i < s->listed; i++)
	{
		uint32		record = s->list[i];
		uint64		blank = (table->blank[record] | out) & ~back;
		uint64		place = sdc_suppresscounts_hash(table, columns, record, blank) & (slots - 1);
		uint32		g;

		sdc_interrupts_step(i);
		for (; (g = s->slot[place]) != 0; place = (place + 1) & (slots - 1))
			if (sdc_suppresscounts_alike(table, columns, record, blank, s->first[g - 1],
										 (table->blank[s->first[g - 1]] | out) & ~back))
				break;
		if (g == 0)
		{
			s->first[groups] = record;
			s->size[groups] = 0;
			s->slot[place] = g = ++groups;
		}
		s->size[g - 1]++;
		s->group[i] = g - 1;
	}
	return groups;
}

/* list_violating lists the records that violate a demand. */
static void
list_violating(Suppression *s, int demand)
{
	s->listed = 0;
	for (uint32 i = 0; i < s->table.records; i++)
	{
		sdc_interrupts_step(i);
		if (sdc_suppresscounts_of(&s->counts[demand], &s->table, i, s->table.blank[i]) < s->task->demand[demand].k)
			s->list[s->listed++] = i;
	}
}

/* ------------------------------------------------------------------------
 * Patterns
 * ------------------------------------------------------------------------
 */

/* compare_patterns is for qsort: the cheapest first, then by their bits. */
static int
compare_patterns(const void *a, const void *b)
{
	const Pattern *first = a;
	const Pattern *second = b;

	if (first->cost != second->cost)
		return first->cost < second->cost ? -1 : 1;
	return first->columns < second->columns ? -1 : first->columns > second->columns;
}

/* make_patterns makes those of some columns: all their subsets, from that of none on. */
static void
make_patterns(Suppression *s, uint64 columns)
{
	uint64		subset = 0;

	s->patterns = 0;
	do
	{
		s->pattern[s->patterns++] = (Pattern) {cost_of(s, subset), subset};
		subset = (subset - columns) & columns;
	} while (subset != 0);
	qsort(s->pattern, s->patterns, sizeof(Pattern), compare_patterns);
}

/* take_pattern takes some columns out of the listed records that are like enough others then, and lists the rest. */
static void
take_pattern(Suppression *s, int demand, uint64 columns)
{
	const SdcSuppressDemand *of = &s->task->demand[demand];
	uint32		groups = group_alike(s, of->columns, columns, 0);
	uint32		left = 0;

	for (uint32 g = 0; g < groups; g++)
	{
		sdc_interrupts_step(g);
		if (s->size[g] < of->k && sdc_suppresscounts_of(&s->counts[demand], &s->table, s->first[g],
														s->table.blank[s->first[g]] | columns) >= of->k)
			s->size[g] = of->k;
	}
	for (uint32 i = 0; i < s->listed; i++)
	{
		uint32		record = s->list[i];

		sdc_interrupts_step(i);
		if (s->size[s->group[i]] >= of->k)
			set_blank(s, record, s->table.blank[record] | columns);
		else
			s->list[left++] = record;
	}
	s->listed = left;
}

/* ------------------------------------------------------------------------
 * The records that are left
 * ------------------------------------------------------------------------
 */

/* find_donors finds the groups that satisfy a demand, and what they have beside a record that does not. */
static void
find_donors(Suppression *s, int demand, uint32 record)
{
	const SdcSuppressTable *table = &s->table;
	const SdcSuppressCounts *counts = &s->counts[demand];
	const uint32 *code = table->code + (Size) record * table->columns;
	uint64		own = sdc_suppresscounts_has(table, record, table->blank[record]) & counts->columns;

	s->donor = sdc_alloc_room(s->donor, &s->donor_room, counts->entries, sizeof(Donor));
	s->donors = 0;
	for (uint32 e = 0; e < counts->entries; e++)
	{
		const SdcSuppressEntry *entry = &counts->entry[e];
		const uint32 *other = table->code + (Size) entry->record * table->columns;
		Donor		donor = {.entry = e};

		sdc_interrupts_step(e);
		if (entry->count < s->task->demand[demand].k)
			continue;
		donor.has = sdc_suppresscounts_has(table, entry->record, entry->blank) & counts->columns;
		donor.differs = donor.has ^ own;
		for (uint64 both = donor.has & own; both != 0; both &= both - 1)
			if (code[sdc_suppresscounts_first(both)] != other[sdc_suppresscounts_first(both)])
				donor.differs |= both & -both;
		s->donor[s->donors++] = donor;
	}
}

/* count_in returns how many records a group has. */
static inline uint32
count_in(const Suppression *s, int demand, const Donor *donor)
{
	return s->counts[demand].entry[donor->entry].count;
}

/*
 * find_largest finds, of the groups that can become one that lacks the values of some columns, the one that comes
 * behind another one when those with most records come first; NULL: there is none.
 */
static const Donor *
find_largest(const Suppression *s, int demand, uint64 lacking, const Donor *before)
{
	uint64		kept = s->task->demand[demand].columns & ~lacking;
	const Donor *largest = NULL;

	for (const Donor *donor = s->donor; donor < s->donor + s->donors; donor++)
	{
		sdc_interrupts_step((uint64) (donor - s->donor));
		if ((donor->differs & kept) != 0)
			continue;
		if (before != NULL && (count_in(s, demand, donor) > count_in(s, demand, before) ||
							   (count_in(s, demand, donor) == count_in(s, demand, before) && donor <= before)))
			continue;
		if (largest == NULL || count_in(s, demand, donor) > count_in(s, demand, largest))
			largest = donor;
	}
	return largest;
}

/* find_smallest finds the one of them with fewest records. */
static const Donor *
find_smallest(const Suppression *s, int demand, uint64 lacking)
{
	uint64		kept = s->task->demand[demand].columns & ~lacking;
	const Donor *smallest = NULL;

	for (const Donor *donor = s->donor; donor < s->donor + s->donors; donor++)
	{
		sdc_interrupts_step((uint64) (donor - s->donor));
		if ((donor->differs & kept) == 0 &&
			(smallest == NULL || count_in(s, demand, donor) < count_in(s, demand, smallest)))
			smallest = donor;
	}
	return smallest;
}

/* pick_donors picks as many records as are missing, and returns what it costs that they lack the values, too. */
static double
pick_donors(Suppression *s, int demand, uint64 lacking, uint32 missing)
{
	uint32		k = s->task->demand[demand].k;
	const Donor *donor = NULL;
	double		cost = 0;

	s->picks = 0;
	while (missing > 0 && (donor = find_largest(s, demand, lacking, donor)) != NULL && count_in(s, demand, donor) > k)
	{
		uint32		spare = count_in(s, demand, donor) - k;

		if (spare > missing)
			spare = missing;
		cost += spare * cost_of(s, donor->has & lacking);
		s->pick[s->picks++] = (Pick) {donor, spare};
		missing -= spare;
	}
	if (missing == 0)
		return cost;
	donor = find_smallest(s, demand, lacking);
	if (donor == NULL)
		return INFINITY;
	s->picks = 1;
	s->pick[0] = (Pick) {donor, count_in(s, demand, donor)};
	return s->pick[0].count * cost_of(s, donor->has & lacking);
}

/* becomes_like tells whether a record becomes like another one when some columns are taken out of both. */
static inline bool
becomes_like(const Suppression *s, int demand, uint32 record, uint32 other, uint64 columns)
{
	return sdc_suppresscounts_alike(&s->table, s->task->demand[demand].columns, record,
									s->table.blank[record] | columns, other, s->table.blank[other] | columns);
}

/* lacking_with returns the columns of a demand in which a record has no value when some are taken out of it. */
static inline uint64
lacking_with(const Suppression *s, int demand, uint32 record, uint64 columns)
{
	return s->task->demand[demand].columns &
		~sdc_suppresscounts_has(&s->table, record, s->table.blank[record] | columns);
}

/* judge_pattern returns what it costs that the first record that is left satisfies a demand without some columns. */
static double
judge_pattern(Suppression *s, int demand, uint64 columns, double least)
{
	const SdcSuppressTable *table = &s->table;
	uint32		record = s->list[0];
	uint32		k = s->task->demand[demand].k;
	uint32		like = 0;
	double		cost = 0;

	for (uint32 i = 0; i < s->listed; i++)
		if (becomes_like(s, demand, s->list[i], record, columns))
		{
			like++;
			cost += cost_of(s, columns & sdc_suppresscounts_has(table, s->list[i], table->blank[s->list[i]]));
		}
	s->picks = 0;
	if (cost >= least || like >= k ||
		sdc_suppresscounts_of(&s->counts[demand], table, record, table->blank[record] | columns) >= k)
		return cost;
	return cost + pick_donors(s, demand, lacking_with(s, demand, record, columns), k - like);
}

/* take_from has the first records of a group lose the values of some columns. */
static void
take_from(Suppression *s, int demand, const Pick *pick, uint64 lacking)
{
	/* a copy: its place can change */
	SdcSuppressEntry entry = s->counts[demand].entry[pick->donor->entry];
	uint32		left = pick->count;

	for (uint32 i = 0; i < s->table.records && left > 0; i++)
	{
		sdc_interrupts_step(i);
		if (!sdc_suppresscounts_alike(&s->table, s->task->demand[demand].columns, i, s->table.blank[i], entry.record,
									  entry.blank))
			continue;
		set_blank(s, i, s->table.blank[i] | lacking);
		left--;
	}
}

/* take_first has the first record that is left satisfy a demand, in the cheapest way. */
static void
take_first(Suppression *s, int demand)
{
	uint32		record = s->list[0];
	uint64		best = 0;
	uint64		blank;
	uint64		lacking;
	double		least = INFINITY;

	find_donors(s, demand, record);
	for (uint32 p = 0; p < s->patterns; p++)
	{
		double		cost = judge_pattern(s, demand, s->pattern[p].columns, least);

		SDC_CHECK_INTERRUPTS();
		if (cost < least)
		{
			least = cost;
			best = s->pattern[p].columns;
		}
	}
	SDC_ASSERT(isfinite(least));
	(void) judge_pattern(s, demand, best, INFINITY);
	lacking = lacking_with(s, demand, record, best);
	blank = s->table.blank[record] | best;
	for (uint32 i = 0; i < s->listed; i++)
		if (sdc_suppresscounts_alike(&s->table, s->task->demand[demand].columns, s->list[i],
									 s->table.blank[s->list[i]] | best, record, blank))
			set_blank(s, s->list[i], s->table.blank[s->list[i]] | best);
	for (uint32 p = 0; p < s->picks; p++)
		take_from(s, demand, &s->pick[p], lacking);
}

/* satisfy has all records satisfy a demand; false: they did. */
static bool
satisfy(Suppression *s, int demand)
{
	list_violating(s, demand);
	if (s->listed == 0)
		return false;
	make_patterns(s, s->task->demand[demand].columns);
	for (uint32 p = 1; p < s->patterns && s->listed > 0; p++)
	{
		SDC_REPORT((uint64) demand * s->patterns + p, (uint64) s->task->demands * s->patterns);
		take_pattern(s, demand, s->pattern[p].columns);
	}
	while (s->listed > 0)
	{
		take_first(s, demand);
		list_violating(s, demand);
	}
	return true;
}

/* ------------------------------------------------------------------------
 * Giving back
 * ------------------------------------------------------------------------
 */

/*
 * count_back returns how many of some records that are equal, and had one value in a column, can have it again: all of
 * them, or as many as leave k of those that they are like now in all demands.
 */
static uint32
count_back(const Suppression *s, int column, uint32 record, uint32 size)
{
	uint64		bit = SDC_SUPPRESS_BIT(column);
	uint64		blank = s->table.blank[record];
	uint32		least = 1;
	uint32		most = size;
	bool		all = true;

	for (int d = 0; d < s->task->demands; d++)
	{
		uint32		k = s->task->demand[d].k;
		uint32		now;
		uint32		then;

		if ((s->task->demand[d].columns & bit) == 0)
			continue;
		now = sdc_suppresscounts_of(&s->counts[d], &s->table, record, blank);
		then = sdc_suppresscounts_of(&s->counts[d], &s->table, record, blank & ~bit);
		if (then + size < k || (now > size && now - size < k))
			all = false;
		if (then < k && k - then > least)
			least = k - then;
		if (now - k < most)
			most = now - k;
	}
	if (all)
		return size;
	return most >= least ? most : 0;
}

/* give_back gives back values of a column; false: there is none to give back. */
static bool
give_back(Suppression *s, int column)
{
	uint64		bit = SDC_SUPPRESS_BIT(column);
	bool		changed = false;
	uint32	   *next = s->group;
	uint32		groups;

	s->listed = 0;
	for (uint32 i = 0; i < s->table.records; i++)
	{
		sdc_interrupts_step(i);
		if ((s->table.blank[i] & bit) != 0)
			s->list[s->listed++] = i;
	}
	groups = group_alike(s, ~UINT64_C(0), 0, bit);
	/* a chain of the records of each group, in their order */
	for (uint32 g = 0; g < groups; g++)
		s->first[g] = UINT32_MAX;
	for (uint32 i = s->listed; i-- > 0;)
	{
		uint32		g = s->group[i];

		next[i] = s->first[g];
		s->first[g] = i;
	}
	for (uint32 g = 0; g < groups; g++)
	{
		uint32		i = s->first[g];
		uint32		back = count_back(s, column, s->list[i], s->size[g]);

		sdc_interrupts_step(g);
		for (; back > 0; back--, i = next[i])
		{
			set_blank(s, s->list[i], s->table.blank[s->list[i]] & ~bit);
			changed = true;
		}
	}
	return changed;
}

/* give_back_all gives back all that can be given back, of the most important column first. */
static void
give_back_all(Suppression *s)
{
	bool		changed;

	do
	{
		uint64		done = 0;

		changed = false;
		for (int n = 0; n < s->table.columns; n++)
		{
			int			next = -1;

			for (int j = 0; j < s->table.columns; j++)
				if ((done & SDC_SUPPRESS_BIT(j)) == 0 && (next < 0 || s->task->cost[j] > s->task->cost[next]))
					next = j;
			done |= SDC_SUPPRESS_BIT(next);
			changed |= give_back(s, next);
		}
	} while (changed);
}

/* ------------------------------------------------------------------------
 * All of it
 * ------------------------------------------------------------------------
 */

/* load takes the codes of the records. */
static void
load(Suppression *s)
{
	const SdcSuppressTask *task = s->task;
	SdcSuppressTable *table = &s->table;

	table->records = task->records;
	table->columns = task->coded->attributes;
	table->code = sdc_alloc_matrix(uint32, table->records, table->columns);
	table->valued = sdc_alloc_zeros(uint64, table->records);
	table->blank = sdc_alloc_zeros(uint64, table->records);
	for (uint32 i = 0; i < table->records; i++)
	{
		uint32		record = task->record == NULL ? i : task->record[i];

		sdc_interrupts_step(i);
		for (int j = 0; j < table->columns; j++)
		{
			uint32		code = task->coded->column[j].code[record];

			table->code[(Size) i * table->columns + j] = code;
			if (code != SDC_CODE_NULL)
				table->valued[i] |= SDC_SUPPRESS_BIT(j);
		}
	}
}

/* create makes what is needed. */
static void
create(Suppression *s)
{
	const SdcSuppressTask *task = s->task;
	uint32		records = task->records;
	uint32		largest = 1;
	uint32		patterns = 1;

	load(s);
	s->counts = sdc_alloc_array(SdcSuppressCounts, task->demands);
	for (int d = 0; d < task->demands; d++)
	{
		uint32		own = UINT32_C(1) << __builtin_popcountll(task->demand[d].columns);

		sdc_suppresscounts_create(&s->counts[d], &s->table, task->demand[d].columns);
		if (own > patterns)
			patterns = own;
		if (task->demand[d].k > largest)
			largest = task->demand[d].k;
	}
	s->list = sdc_alloc_array(uint32, records);
	s->group = sdc_alloc_array(uint32, records);
	s->first = sdc_alloc_array(uint32, records);
	s->size = sdc_alloc_array(uint32, records);
	s->slot = sdc_alloc_array(uint32, sdc_suppresscounts_slots(records));
	s->pattern = sdc_alloc_array(Pattern, patterns);
	s->pick = sdc_alloc_array(Pick, largest);
}

/* destroy frees it. */
static void
destroy(Suppression *s)
{
	for (int d = 0; d < s->task->demands; d++)
		sdc_suppresscounts_destroy(&s->counts[d]);
	sdc_free(s->counts);
	sdc_free(s->list);
	sdc_free(s->group);
	sdc_free(s->first);
	sdc_free(s->size);
	sdc_free(s->slot);
	sdc_free(s->pattern);
	sdc_free(s->pick);
	if (s->donor != NULL)
		sdc_free(s->donor);
	sdc_free(s->table.code);
	sdc_free(s->table.valued);
	sdc_free(s->table.blank);
}

/* sdc_suppress: see suppress.h. */
void
sdc_suppress(const SdcSuppressTask *task, uint64 *blank)
{
	Suppression s = {.task = task};
	bool		changed;

	if (task->records == 0)
		return;
	create(&s);
	do
	{
		changed = false;
		for (int d = 0; d < task->demands; d++)
			changed |= satisfy(&s, d);
	} while (changed);
	give_back_all(&s);
	for (uint32 i = 0; i < task->records; i++)
		blank[task->record == NULL ? i : task->record[i]] = s.table.blank[i];
	destroy(&s);
}
