/*-------------------------------------------------------------------------
 *
 * unitsearch.c
 *		The units that can be one of those that are known, one after the other.
 *
 * What is known of units is written into columns of their rows: how many rows there are, how many values of a column
 * that was swapped whole, and their sum.  So the search for the candidates of a row (search.h) asks for it, too.
 * Candidates are listed for the row that has the fewest; the units that these are rows of are looked at row by row
 * (conditions.h), up to one without a compatible row, and those that are left by a matching (bipartite.h).
 *
 * Units of which the same is known are searched for once.  Where all rows are known in nothing but copied columns,
 * units are candidates if they have the same rows as often: there, lists of rows are numbered in both files, and that
 * is all.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include <math.h>

#include "kernel/base/checksum.h"
#include "kernel/base/codesort.h"
#include "kernel/candidates/buckets.h"
#include "kernel/candidates/unitsearch.h"

/* Columns that say of rows what is known of their unit: its size, and three for each column that was swapped whole. */
#define HELPERS(wholes) (1 + 3 * (wholes))

/* Their arrays: both files, and two windows of the sums. */
#define HELPER_ARRAYS(wholes) (2 * HELPERS(wholes) + 2 * (wholes))

/* ------------------------------------------------------------------------
 * What is known of units, as columns of rows
 * ------------------------------------------------------------------------
 */

/* new_helper allocates an array by record, to be freed with the search. */
static void *
new_helper(SdcUnitSearch *search, Size size)
{
	void	   *helper = sdc_alloc_items(size, 1, search->units->records);

	search->helper[search->helpers++] = helper;
	return helper;
}

/* add_column adds a column of what is known of units; its codes are written to *original and *protected. */
static SdcCandidatesColumn *
add_column(SdcUnitSearch *search, SdcCandidatesKind kind, bool blanks, uint32 **original, uint32 **protected)
{
	SdcCandidatesColumn *column = &search->column[search->records.count++];

	*original = new_helper(search, sizeof(uint32));
	*protected = new_helper(search, sizeof(uint32));
	*column = (SdcCandidatesColumn) {.kind = kind, .blanks = blanks, .original = *original, .protected = *protected};
	return column;
}

/* add_sizes has a unit be compatible with units of as many rows. */
static void
add_sizes(SdcUnitSearch *search)
{
	uint32	   *original;
	uint32	   *protected;
	SdcCandidatesColumn *column = add_column(search, SDC_CANDIDATES_EXACT, false, &original, &protected);

	for (uint32 i = 0; i < search->units->records; i++)
	{
		sdc_interrupts_spend(&search->credit, 1);
		original[i] = protected[i] = sdc_units_size(search->units, search->units->of[i]);
		if (original[i] >= column->codes)
			column->codes = original[i] + 1;
	}
}

/* count_values counts the values of each unit in a file of a column. */
static void
count_values(SdcUnitSearch *search, const uint32 *code, uint32 *values)
{
	memset(values, 0, (Size) search->units->count * sizeof(uint32));
	for (uint32 i = 0; i < search->units->records; i++)
	{
		sdc_interrupts_spend(&search->credit, 1);
		values[search->units->of[i]] += code[i] != SDC_CODE_NULL;
	}
}

/* is_blank tells whether a unit, with so many protected values of a column that was swapped whole, has blanks there. */
static inline bool
is_blank(const SdcUnitSearch *search, const SdcUnitWhole *whole, uint32 unit, uint32 values)
{
	return whole->blanks && values < sdc_units_size(search->units, unit);
}

/* add_values has as many values be compatible, and in a pair of rows missing values with missing ones. */
static void
add_values(SdcUnitSearch *search, const SdcUnitWhole *whole, const uint32 *had, const uint32 *has)
{
	const SdcUnits *units = search->units;
	const SdcCandidatesColumn *codes = &search->column[whole->column];
	uint32	   *original;
	uint32	   *protected;
	uint32	   *there;
	uint32	   *here;
	SdcCandidatesColumn *values = add_column(search, SDC_CANDIDATES_EXACT, whole->blanks, &original, &protected);
	SdcCandidatesColumn *missing = add_column(search, SDC_CANDIDATES_EXACT, whole->blanks, &there, &here);

	missing->codes = 2;
	for (uint32 i = 0; i < units->records; i++)
	{
		uint32		unit = units->of[i];
		bool		blank = is_blank(search, whole, unit, has[unit]);

		sdc_interrupts_spend(&search->credit, 1);
		original[i] = had[unit];
		protected[i] = blank ? SDC_CODE_NULL : has[unit];
		there[i] = codes->original[i] != SDC_CODE_NULL;
		here[i] = blank ? SDC_CODE_NULL : codes->protected[i] != SDC_CODE_NULL;
		if (sdc_units_size(units, unit) >= values->codes)
			values->codes = sdc_units_size(units, unit) + 1;
	}
}

/* by_record gives the rows of units their windows. */
static const SdcInterval *
by_record(SdcUnitSearch *search, const SdcInterval *window)
{
	SdcInterval *copy;

	if (window == NULL)
		return NULL;
	copy = new_helper(search, sizeof(SdcInterval));
	for (uint32 i = 0; i < search->units->records; i++)
	{
		sdc_interrupts_spend(&search->credit, 1);
		copy[i] = window[search->units->of[i]];
	}
	return copy;
}

/* add_sums has sums be in the windows of units. */
static void
add_sums(SdcUnitSearch *search, const SdcUnitWhole *whole, const uint32 *has)
{
	const SdcUnits *units = search->units;
	uint32	   *original;
	uint32	   *protected;
	SdcCandidatesColumn *column = add_column(search, SDC_CANDIDATES_WINDOW, whole->blanks, &original, &protected);

	column->codes = whole->sums;
	column->window = by_record(search, whole->window);
	column->wide = by_record(search, whole->wide);
	for (uint32 i = 0; i < units->records; i++)
	{
		uint32		unit = units->of[i];

		sdc_interrupts_spend(&search->credit, 1);
		original[i] = whole->original[unit];
		protected[i] = is_blank(search, whole, unit, has[unit]) ? SDC_CODE_NULL : whole->protected[unit];
	}
}

/*
 * sort_rows writes the rows of each unit in the order of their numbers: those of a unit begin where start says, up to
 * the next one, or as many as there is room for.  Rows that have no number, SDC_CODE_NULL, are left out.
 */
static void
sort_rows(SdcUnitSearch *search, const uint32 *number, uint32 numbers, const uint32 *start, uint32 *sorted)
{
	const SdcUnits *units = search->units;
	uint32	   *order = sdc_alloc_array(uint32, units->records);
	uint32	   *work = sdc_alloc_array(uint32, (uint64) numbers + 2);
	uint32	   *next = sdc_alloc_array(uint32, units->count);

	memcpy(next, start, (Size) units->count * sizeof(uint32));
	sdc_codesort_pass(&(SdcCodesort) {number, 1, numbers + 1, NULL}, NULL, order, units->records, work,
					  &search->credit);
	for (uint32 p = 0; p < units->records; p++)
	{
		sdc_interrupts_spend(&search->credit, 1);
		if (number[order[p]] != SDC_CODE_NULL)
			sorted[next[units->of[order[p]]]++] = order[p];
	}
	sdc_free(next);
	sdc_free(work);
	sdc_free(order);
}

/* rank_file finds the ranks that the values of a file can have; values: by unit, how many there are; sorted: these. */
static SdcInterval *
rank_file(SdcUnitSearch *search, const uint32 *code, uint32 codes, const uint32 *values, uint32 *sorted)
{
	const SdcUnits *units = search->units;
	SdcInterval *rank = sdc_alloc_array(SdcInterval, units->records);

	sort_rows(search, code, codes, units->start, sorted);
	for (uint32 i = 0; i < units->records; i++)
		rank[i] = (SdcInterval) {0, UINT32_MAX};
	for (uint32 u = 0; u < units->count; u++)
		for (uint32 first = 0, end; first < values[u]; first = end)
		{
			const uint32 *row = sorted + units->start[u];

			for (end = first + 1; end < values[u] && code[row[end]] == code[row[first]];)
				end++;
			sdc_interrupts_spend(&search->credit, end - first);
			for (uint32 r = first; r < end; r++)
				rank[row[r]] = (SdcInterval) {first, end - 1};
		}
	return rank;
}

/* number_rows replaces sorted rows that have ranks by their numbers in their unit. */
static void
number_rows(SdcUnitSearch *search, const uint32 *values, uint32 *sorted)
{
	const SdcUnits *units = search->units;
	uint32	   *number = sdc_alloc_array(uint32, units->records);

	for (uint32 u = 0; u < units->count; u++)
	{
		sdc_interrupts_spend(&search->credit, sdc_units_size(units, u));
		for (uint32 i = units->start[u]; i < units->start[u + 1]; i++)
			number[units->member[i]] = i - units->start[u];
		for (uint32 r = 0; r < values[u]; r++)
			sorted[units->start[u] + r] = number[sorted[units->start[u] + r]];
	}
	sdc_free(number);
}

/* add_whole adds what a column tells that was swapped whole. */
static void
add_whole(SdcUnitSearch *search, const SdcUnitWhole *whole)
{
	const SdcUnits *units = search->units;
	const SdcCandidatesColumn *column = &search->column[whole->column];
	uint32	   *had = sdc_alloc_array(uint32, units->count);
	uint32	   *has = sdc_alloc_array(uint32, units->count);
	SdcUnitRanks *ranks = &search->ranks[search->ranked++];

	ranks->values = has;
	ranks->place = sdc_alloc_array(uint32, units->records);
	count_values(search, column->original, had);
	count_values(search, column->protected, has);
	add_values(search, whole, had, has);
	add_sums(search, whole, has);
	ranks->original = rank_file(search, column->original, column->codes, had, ranks->place);
	for (uint32 u = 0; u < units->count; u++)
		if (is_blank(search, whole, u, has[u]))
			has[u] = 0;
	ranks->protected = rank_file(search, column->protected, column->codes, has, ranks->place);
	number_rows(search, has, ranks->place);
	sdc_free(had);
}

/* describe_units makes the columns of what is known of units. */
static void
describe_units(SdcUnitSearch *search)
{
	const SdcUnitLinksTask *task = search->task;
	int			wholes = task->known_rows == 0 ? task->wholes : 0;

	search->records = task->records;
	search->column = sdc_alloc_array(SdcCandidatesColumn, task->records.count + HELPERS(wholes));
	memcpy(search->column, task->records.column, (Size) task->records.count * sizeof(SdcCandidatesColumn));
	search->records.column = search->column;
	search->helper = sdc_alloc_array(void *, HELPER_ARRAYS(wholes));
	search->helpers = 0;
	search->ranks = sdc_alloc_array(SdcUnitRanks, wholes);
	search->ranked = 0;
	if (task->known_rows == 0)
		add_sizes(search);
	for (int w = 0; w < wholes; w++)
		add_whole(search, &task->whole[w]);
}

/* ------------------------------------------------------------------------
 * Units of which the same is known
 * ------------------------------------------------------------------------
 */

/* take_known lists the known rows of each unit, equal ones next to each other, and makes their numbers. */
static void
take_known(SdcUnitSearch *search)
{
	const SdcUnits *units = search->units;
	const SdcConditions *conditions = search->conditions;
	uint32	   *number = sdc_alloc_array(uint32, units->records);
	uint32		place = 0;

	search->start = sdc_alloc_array(uint32, (uint64) units->count + 1);
	search->known = sdc_alloc_array(uint32, units->records);
	for (uint32 u = 0; u < units->count; u++)
	{
		uint32		size = sdc_units_size(units, u);
		uint32		known = search->task->known_rows > 0 && search->task->known_rows < size ?
			search->task->known_rows : size;

		sdc_interrupts_spend(&search->credit, 1);
		search->start[u] = place;
		place += known;
		for (uint32 r = 0; r < size; r++)
		{
			uint32		row = units->member[units->start[u] + r];

			number[row] = r < known ? conditions->query[row] : SDC_CODE_NULL;
		}
	}
	search->start[units->count] = place;
	sort_rows(search, number, conditions->queries, search->start, search->known);
	sdc_free(number);
}

/* Lists of numbers, of which equal ones get one number. */
typedef struct Lists
{
	uint32		lists;
	const uint32 *start;		/* the first element of a list, and the end */
	const uint32 *element;
} Lists;

/* hash_list mixes the elements of a list. */
static uint64
hash_list(const Lists *lists, uint32 list)
{
	uint64		hash = lists->start[list + 1] - lists->start[list];

	for (uint32 e = lists->start[list]; e < lists->start[list + 1]; e++)
		hash = sdc_checksum_pair(hash, lists->element[e]);
	return hash;
}

/* same_lists compares two lists. */
static bool
same_lists(const Lists *lists, uint32 a, uint32 b)
{
	uint32		length = lists->start[a + 1] - lists->start[a];

	return lists->start[b + 1] - lists->start[b] == length &&
		memcmp(lists->element + lists->start[a], lists->element + lists->start[b], (Size) length * sizeof(uint32)) == 0;
}

/* number_lists numbers lists, equal ones alike, in the order in which they come; first[] are the first ones. */
static uint32
number_lists(SdcUnitSearch *search, const Lists *lists, uint32 *number, uint32 *first)
{
	uint64		slots = 2;
	uint32		count = 0;
	uint32	   *slot;

	while (slots < 2 * (uint64) lists->lists)
		slots *= 2;
	slot = sdc_alloc_array(uint32, slots);
	memset(slot, 0xFF, (Size) slots * sizeof(uint32));
	for (uint32 i = 0; i < lists->lists; i++)
	{
		uint64		place = hash_list(lists, i) & (slots - 1);

		sdc_interrupts_spend(&search->credit, 1 + lists->start[i + 1] - lists->start[i]);
		while (slot[place] != UINT32_MAX && !same_lists(lists, first[slot[place]], i))
			place = (place + 1) & (slots - 1);
		if (slot[place] == UINT32_MAX)
		{
			first[count] = i;
			slot[place] = count++;
		}
		number[i] = slot[place];
	}
	sdc_free(slot);
	return count;
}

/* group_units finds the units of which the same is known. */
static void
group_units(SdcUnitSearch *search)
{
	uint32		units = search->units->count;
	uint32		rows = search->start[units];
	uint32	   *element = sdc_alloc_array(uint32, rows);

	for (uint32 r = 0; r < rows; r++)
	{
		sdc_interrupts_spend(&search->credit, 1);
		element[r] = search->conditions->query[search->known[r]];
	}
	search->group = sdc_alloc_array(uint32, units);
	search->first = sdc_alloc_array(uint32, units);
	search->groups = number_lists(search, &(Lists) {units, search->start, element}, search->group, search->first);
	sdc_free(element);
}

/* are_copied tells whether nothing but equality is asked for, and of all rows. */
static bool
are_copied(const SdcUnitSearch *search)
{
	return search->task->known_rows == 0 && search->conditions->blanks == NULL &&
		search->conditions->space->dimensions == 0 &&
		search->conditions->count[SDC_CANDIDATES_EXACT] == search->records.count;
}

/* bucket_rows writes the bucket of the rows of both files, unit by unit and ascending in each. */
static void
bucket_rows(SdcUnitSearch *search, uint32 *element)
{
	const SdcConditions *conditions = search->conditions;
	uint32		records = search->units->records;
	uint32	   *bucket = sdc_alloc_array(uint32, records);
	uint32	   *sorted = sdc_alloc_array(uint32, records);

	for (int file = 0; file < 2; file++)
	{
		const uint32 *number = file == 0 ? conditions->bucket : bucket;

		for (uint32 b = 0; file == 1 && b < conditions->buckets; b++)
			for (uint32 p = conditions->bucket_start[b]; p < conditions->bucket_start[b + 1]; p++)
				bucket[conditions->order[p]] = b;
		sort_rows(search, number, conditions->buckets, search->units->start, sorted);
		for (uint32 r = 0; r < records; r++)
		{
			sdc_interrupts_spend(&search->credit, 1);
			element[(Size) file * records + r] = number[sorted[r]];
		}
	}
	sdc_free(sorted);
	sdc_free(bucket);
}

/* find_same lists the units that have the same rows. */
static void
find_same(SdcUnitSearch *search)
{
	uint32		records = search->units->records;
	uint32		units = search->units->count;
	uint32	   *element = sdc_alloc_matrix(uint32, 2, records);
	uint64		lists = 2 * (uint64) units;
	uint32	   *start = sdc_alloc_array(uint32, lists + 1);
	uint32	   *number = sdc_alloc_matrix(uint32, 2, units);
	uint32	   *first = sdc_alloc_matrix(uint32, 2, units);
	uint32		numbers;

	bucket_rows(search, element);
	for (uint32 u = 0; u <= units; u++)
	{
		start[u] = search->units->start[u];
		start[units + u] = records + search->units->start[u];
	}
	/* the original rows of all units, and then the protected ones */
	numbers = number_lists(search, &(Lists) {2 * units, start, element}, number, first);
	search->same_of = number;
	search->same = sdc_alloc_array(uint32, units);
	search->same_start = sdc_alloc_zeros(uint32, (uint64) numbers + 1);
	sdc_conditions_sort(number + units, numbers, NULL, units, search->same, &search->credit);
	for (uint32 u = 0; u < units; u++)
		search->same_start[number[units + u]]++;
	sdc_codesort_starts(search->same_start, (uint64) numbers + 1, &search->credit);
	sdc_free(first);
	sdc_free(start);
	sdc_free(element);
}

/* sdc_unitsearch_create: see unitsearch.h. */
SdcUnitSearch *
sdc_unitsearch_create(const SdcUnitLinksTask *task, SdcCandidatesAttack attack)
{
	SdcUnitSearch *search = sdc_alloc_zeros(SdcUnitSearch, 1);
	uint32		units = task->units->count;

	search->task = task;
	search->units = task->units;
	search->credit = SDC_INTERRUPT_STEPS;
	describe_units(search);
	search->conditions = sdc_buckets_create(&search->records, attack);
	search->search = sdc_search_create(search->conditions, task->records.records);
	/* the rows of a unit lead from bucket to bucket */
	sdc_search_keep(search->search);
	take_known(search);
	group_units(search);
	if (are_copied(search))
		find_same(search);
	search->count = sdc_alloc_array(uint32, search->conditions->queries);
	memset(search->count, 0xFF, (Size) search->conditions->queries * sizeof(uint32));
	search->row = sdc_alloc_array(uint32, task->records.records);
	search->seen = sdc_alloc_zeros(uint32, units);
	search->accepted = sdc_alloc_zeros(uint32, units);
	search->candidate = sdc_alloc_array(uint32, units);
	search->graph = sdc_bipartite_create();
	return search;
}

/* sdc_unitsearch_destroy frees it. */
void
sdc_unitsearch_destroy(SdcUnitSearch *search)
{
	sdc_bipartite_destroy(search->graph);
	sdc_free(search->candidate);
	sdc_free(search->accepted);
	sdc_free(search->seen);
	sdc_free(search->row);
	sdc_free(search->count);
	if (search->same != NULL)
	{
		sdc_free(search->same_start);
		sdc_free(search->same);
		sdc_free(search->same_of);
	}
	sdc_free(search->first);
	sdc_free(search->group);
	sdc_free(search->known);
	sdc_free(search->start);
	sdc_search_destroy(search->search);
	sdc_buckets_destroy(search->conditions);
	for (int r = 0; r < search->ranked; r++)
	{
		sdc_free(search->ranks[r].place);
		sdc_free(search->ranks[r].values);
		sdc_free(search->ranks[r].protected);
		sdc_free(search->ranks[r].original);
	}
	sdc_free(search->ranks);
	for (int h = 0; h < search->helpers; h++)
		sdc_free(search->helper[h]);
	sdc_free(search->helper);
	sdc_free(search->column);
	sdc_free(search);
}

/* ------------------------------------------------------------------------
 * The search
 * ------------------------------------------------------------------------
 */

/* count_row is how many candidates a row has. */
static uint32
count_row(SdcUnitSearch *search, uint32 row)
{
	uint32	   *count = &search->count[search->conditions->query[row]];

	if (*count == SDC_RECORD_NONE)
	{
		SdcCandidatesFound found = {.measure = INFINITY, .likelihood = -INFINITY};

		sdc_search_find(search->search, row, &found);
		*count = (uint32) found.candidates;
	}
	return *count;
}

/* rarest_row is the known row of a unit that has the fewest candidates. */
static uint32
rarest_row(SdcUnitSearch *search, uint32 unit)
{
	uint32		rarest = search->known[search->start[unit]];

	for (uint32 r = search->start[unit] + 1; r < search->start[unit + 1]; r++)
		if (count_row(search, search->known[r]) < count_row(search, rarest))
			rarest = search->known[r];
	return rarest;
}

/* ranks_fit tells whether the ranks that values have in their units allow a row to have become a protected one. */
static inline bool
ranks_fit(const SdcUnitSearch *search, uint32 row, uint32 protected)
{
	for (int r = 0; r < search->ranked; r++)
	{
		SdcInterval original = search->ranks[r].original[row];
		SdcInterval released = search->ranks[r].protected[protected];

		if (original.first > released.last || released.first > original.last)
			return false;
	}
	return true;
}

/* fits tells whether a row can have become a protected one. */
static bool
fits(SdcUnitSearch *search, uint32 row, uint32 protected)
{
	SdcConditions *conditions = search->conditions;

	/* first what is told soonest */
	if (!ranks_fit(search, row, protected) || !sdc_buckets_compatible(conditions, row, protected))
		return false;
	if (conditions->likelihood == NULL)
		return true;
	sdc_likelihood_take(conditions->likelihood, row);
	return sdc_likelihood_log(conditions->likelihood, protected) != -INFINITY;
}

/* add_edge adds the edge to a row on the right, if it fits; it returns whether it does. */
static bool
add_edge(SdcUnitSearch *search, uint64 *edges, uint32 row, const uint32 *member, uint32 right)
{
	sdc_interrupts_spend(&search->credit, 1);
	if (!fits(search, row, member[right]))
		return false;
	sdc_bitset_add(edges, right);
	return true;
}

/* add_edges adds the edges of a row to those of a unit, and tells whether there are any. */
static bool
add_edges(SdcUnitSearch *search, uint64 *edges, uint32 row, uint32 other)
{
	const SdcUnits *units = search->units;
	const uint32 *member = units->member + units->start[other];
	const SdcUnitRanks *ranks = search->ranks;
	bool		any = false;

	if (search->ranked > 0 && ranks->original[row].last < ranks->values[other])
	{
		/* a value of a column that was swapped whole can only be one that has its rank */
		const uint32 *place = ranks->place + units->start[other];
		uint32		first = ranks->protected[member[place[ranks->original[row].first]]].first;
		uint32		last = ranks->protected[member[place[ranks->original[row].last]]].last;

		for (uint32 p = first; p <= last; p++)
			any = add_edge(search, edges, row, member, place[p]) || any;
		return any;
	}
	for (uint32 l = 0; l < sdc_units_size(units, other); l++)
		any = add_edge(search, edges, row, member, l) || any;
	return any;
}

/* sdc_unitsearch_edges: see unitsearch.h. */
bool
sdc_unitsearch_edges(SdcUnitSearch *search, uint32 unit, uint32 other)
{
	const uint32 *known = search->known + search->start[unit];
	uint32		rows = search->start[unit + 1] - search->start[unit];
	SdcBipartite *graph = search->graph;

	sdc_bipartite_begin(graph, rows, sdc_units_size(search->units, other));
	for (uint32 a = 0; a < rows; a++)
	{
		uint64	   *edges = sdc_bipartite_edges(graph, a);

		if (a > 0 && search->conditions->query[known[a]] == search->conditions->query[known[a - 1]])
			memcpy(edges, edges - graph->words, graph->words * sizeof(uint64));
		else if (!add_edges(search, edges, known[a], other))
			return false;
	}
	return true;
}

/* is_itself tells whether every known row of a unit can have become its own protected one: that is a matching. */
static bool
is_itself(SdcUnitSearch *search, uint32 unit)
{
	for (uint32 r = search->start[unit]; r < search->start[unit + 1]; r++)
	{
		sdc_interrupts_spend(&search->credit, 1);
		if (!fits(search, search->known[r], search->known[r]))
			return false;
	}
	return true;
}

/* take_same takes the units that have the same rows as one. */
static void
take_same(SdcUnitSearch *search, uint32 unit)
{
	uint32		number = search->same_of[unit];

	for (uint32 s = search->same_start[number]; s < search->same_start[number + 1]; s++)
		search->candidate[search->candidates++] = search->same[s];
}

/* find_units looks at all units that the candidates of a row belong to. */
static void
find_units(SdcUnitSearch *search, uint32 unit)
{
	uint32		known = search->start[unit + 1] - search->start[unit];
	uint32		rows = sdc_search_list(search->search, rarest_row(search, unit), search->row);

	for (uint32 r = 0; r < rows; r++)
	{
		uint32		other = search->units->of[search->row[r]];

		sdc_interrupts_spend(&search->credit, 1);
		if (search->seen[other] == search->searches || sdc_units_size(search->units, other) < known)
			continue;
		search->seen[other] = search->searches;
		if ((other == unit && is_itself(search, unit)) ||
			(sdc_unitsearch_edges(search, unit, other) && sdc_bipartite_matches(search->graph)))
			search->candidate[search->candidates++] = other;
	}
}

/* sdc_unitsearch_find: see unitsearch.h. */
void
sdc_unitsearch_find(SdcUnitSearch *search, uint32 group)
{
	search->candidates = 0;
	if (++search->searches == 0)
	{
		/* the numbers have come round */
		memset(search->seen, 0, (Size) search->units->count * sizeof(uint32));
		memset(search->accepted, 0, (Size) search->units->count * sizeof(uint32));
		search->searches = 1;
	}
	if (search->same != NULL)
		take_same(search, search->first[group]);
	else
		find_units(search, search->first[group]);
	for (uint32 c = 0; c < search->candidates; c++)
		search->accepted[search->candidate[c]] = search->searches;
}
