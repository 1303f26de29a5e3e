/*-------------------------------------------------------------------------
 *
 * candidates.c
 *		Which protected records a person can have become, by all that an intruder knows.
 *
 * An intruder who knows how a release was made knows more than distances: what is copied is equal, a
 * value swapped by ranks is in its window, a range contains it.  Of the records that are
 * compatible with all of that one can be chosen at random, or the most likely or nearest one.
 * A certain link is that of J. Nin, J. Herranz, V. Torra, "Rethinking rank swapping to decrease
 * disclosure risk", Data & Knowledge Engineering 64, 2008, for all columns of a release.
 *
 * Originals that are equal in all that is known are searched for once, bucket by bucket
 * (conditions.h, search.h).  Only whether the own record is among the candidates, and among the
 * best, differs between them: that is one comparison each.  The nearest of the own records is where the
 * search for the nearest begins.
 *
 * Complexity: see search.c, agreeing.c and cells.c.  Memory: O(records) for every column.  Determinism: by
 * the inputs.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"
#include "kernel/candidates/buckets.h"

#include <math.h>

#include "kernel/base/ordered.h"
#include "kernel/base/wordsort.h"
#include "kernel/candidates/bucketnearest.h"
#include "kernel/candidates/cells.h"
#include "kernel/candidates/matching.h"
#include "kernel/candidates/search.h"

/* Points that a search in a tree lists, so as not to look for them again. */
#define LISTED 256

/* Originals of a bucket that are put in the order of a tree. */
#define FOLLOWED 64

/* stratum_of is the stratum of a record. */
static inline uint64
stratum_of(const SdcCandidatesTask *task, uint32 record)
{
	return task->stratum == NULL ? 0 : task->stratum[record];
}

/* is_finite tells whether a code is that of a value with a place among the others. */
static inline bool
is_finite(const SdcCandidatesColumn *column, uint32 code)
{
	return column->value == NULL || !isnan(column->value[code]);
}

/*
 * sort_stratum returns the protected values of a column as stratum << 32 | code, ascending; finite: those only that
 * have a place among the others.
 */
static uint64 *
sort_stratum(const SdcCandidatesTask *task, const SdcCandidatesColumn *column, bool finite, uint32 *count)
{
	uint64	   *word = sdc_alloc_array(uint64, task->records);
	uint64	   *spare = sdc_alloc_array(uint64, task->records);
	uint64	   *sorted;

	*count = 0;
	for (uint32 i = 0; i < task->records; i++)
	{
		if (i % SDC_INTERRUPT_STEPS == 0)
			SDC_CHECK_INTERRUPTS();
		if (column->protected[i] == SDC_CODE_NULL || (finite && !is_finite(column, column->protected[i])))
			continue;
		word[(*count)++] = stratum_of(task, i) << 32 | column->protected[i];
	}
	sorted = sdc_wordsort(word, spare, *count, 0, 32 + sdc_wordsort_width(task->strata));
	sdc_free(sorted == word ? spare : word);
	return sorted;
}

/* count_below is the number of words below one. */
static uint32
count_below(const uint64 *word, uint32 count, uint64 bound)
{
	uint32		low = 0;
	uint32		high = count;

	SDC_BISECT(low, high, middle, word[middle] < bound);
	return low;
}

/* windows_of_all fills in the windows where there are no strata: they depend on the code only. */
static void
windows_of_all(const SdcCandidatesTask *task, const SdcCandidatesColumn *column, uint32 width,
			   SdcInterval *interval)
{
	SdcInterval *of_code = sdc_alloc_array(SdcInterval, column->codes);
	SdcPositions positions;

	sdc_positions_create(&positions, column->protected, task->records, column->codes);
	sdc_rankwindow_intervals(&positions, width, of_code);
	sdc_positions_destroy(&positions);
	for (uint32 i = 0; i < task->records; i++)
	{
		if (i % SDC_INTERRUPT_STEPS == 0)
			SDC_CHECK_INTERRUPTS();
		interval[i] = column->original[i] == SDC_CODE_NULL ? (SdcInterval) {1, 0} :
			of_code[column->original[i]];
	}
	sdc_free(of_code);
}

/* windows_of_strata fills in the windows where every stratum has a sorted column of its own. */
static void
windows_of_strata(const SdcCandidatesTask *task, const SdcCandidatesColumn *column,
				  const uint32 *width, SdcInterval *interval)
{
	uint32		count;
	uint64	   *sorted = sort_stratum(task, column, false, &count);

	for (uint32 i = 0; i < task->records; i++)
	{
		uint64		stratum = task->stratum[i];
		uint64		value = stratum << 32 | column->original[i];
		int64		least;
		int64		most;
		int64		start;
		int64		end;

		if (i % SDC_INTERRUPT_STEPS == 0)
			SDC_CHECK_INTERRUPTS();
		interval[i] = (SdcInterval) {1, 0};
		if (column->original[i] == SDC_CODE_NULL)
			continue;
		least = count_below(sorted, count, stratum << 32);
		most = (int64) count_below(sorted, count, (stratum + 1) << 32) - 1;
		start = (int64) count_below(sorted, count, value) - width[stratum];
		end = (int64) count_below(sorted, count, value + 1) - 1 + width[stratum];
		start = start < least ? least : start;
		end = end > most ? most : end;
		if (start <= end)
			interval[i] = (SdcInterval) {(uint32) sorted[start], (uint32) sorted[end]};
	}
	sdc_free(sorted);
}

/* sdc_candidates_windows: see candidates.h. */
void
sdc_candidates_windows(const SdcCandidatesTask *task, const SdcCandidatesColumn *column,
					   const uint32 *width, SdcInterval *interval)
{
	if (task->stratum != NULL)
		windows_of_strata(task, column, width, interval);
	else
		windows_of_all(task, column, width[0], interval);
}

/* sdc_candidates_neighbours: see candidates.h. */
void
sdc_candidates_neighbours(const SdcCandidatesTask *task, const SdcCandidatesColumn *column, SdcInterval *interval)
{
	uint32		count;
	uint64	   *sorted = sort_stratum(task, column, true, &count);

	for (uint32 i = 0; i < task->records; i++)
	{
		uint32		code = column->original[i];
		uint64		stratum = stratum_of(task, i) << 32;
		uint32		below;
		uint32		above;
		bool		has_below;
		bool		has_above;

		sdc_interrupts_step(i);
		interval[i] = code == SDC_CODE_NULL ? (SdcInterval) {1, 0} : (SdcInterval) {code, code};
		if (code == SDC_CODE_NULL || !is_finite(column, code))
			continue;
		below = count_below(sorted, count, stratum | code);
		above = count_below(sorted, count, (stratum | code) + 1);
		has_below = below > 0 && sorted[below - 1] >= stratum;
		has_above = above < count && sorted[above] <= (stratum | UINT32_MAX);
		/* a value that was not released itself is no end of its window */
		if (below == above)
			interval[i] = has_below ? (SdcInterval) {(uint32) sorted[below - 1], (uint32) sorted[below - 1]} :
				has_above ? (SdcInterval) {(uint32) sorted[above], (uint32) sorted[above]} : (SdcInterval) {1, 0};
		if (has_below)
			interval[i].first = (uint32) sorted[below - 1];
		if (has_above)
			interval[i].last = (uint32) sorted[above];
	}
	sdc_free(sorted);
}

/* The originals that are attacked. */
typedef struct Attack
{
	SdcConditions *conditions;
	SdcSearch  *search;
	const uint32 *record;		/* as given */
	uint32		count;
	uint32	   *order;			/* indexes of them, by bucket and query */
	SdcCandidatesLink *link;
	bool	   *inside;			/* by place in order */
	double	   *measure;		/* the own one, if it is inside */
} Attack;

/* record_of is the record of a place. */
static inline uint32
record_of(const Attack *attack, uint32 place)
{
	uint32		index = attack->order[place];

	return sdc_record_at(attack->record, index);
}

/*
 * find_own notes which own records of the places [place, end) are candidates, and the best that
 * they have: where the search begins.
 */
static void
find_own(Attack *attack, uint32 place, uint32 end, SdcCandidatesFound *found)
{
	SdcConditions *conditions = attack->conditions;

	found->measure = INFINITY;
	found->likelihood = -INFINITY;
	if (conditions->likelihood != NULL)
		sdc_likelihood_take(conditions->likelihood, record_of(attack, place));
	for (uint32 i = place; i < end; i++)
	{
		uint32		record = record_of(attack, i);
		double		likelihood = 0;

		sdc_interrupts_spend(&conditions->credit, 1);
		attack->inside[i] = sdc_buckets_compatible(conditions, record, record);
		if (attack->inside[i] && conditions->likelihood != NULL)
			likelihood = sdc_likelihood_log(conditions->likelihood, record);
		attack->inside[i] = attack->inside[i] && likelihood != -INFINITY;
		if (!attack->inside[i])
			continue;
		attack->measure[i] = sdc_search_own(attack->search, record_of(attack, place), record);
		found->measure = fmin(found->measure, attack->measure[i]);
		found->likelihood = fmax(found->likelihood, likelihood);
	}
}

/* write_links makes the links of the places [place, end) from what was found. */
static void
write_links(Attack *attack, uint32 place, uint32 end, const SdcCandidatesFound *found)
{
	SdcConditions *conditions = attack->conditions;
	SdcLink		link = {.linked = found->linked, .ties = found->ties,
	.candidates = (uint32) found->candidates};

	if (found->candidates > 0 && !isinf(found->measure))
		link.distance = sdc_metricspace_distance(conditions->space, found->measure);
	for (uint32 i = place; i < end; i++)
	{
		SdcCandidatesLink *to = &attack->link[attack->order[i]];

		sdc_interrupts_spend(&conditions->credit, 1);
		*to = (SdcCandidatesLink) {link, attack->inside[i]};
		to->link.correct = attack->inside[i] &&
			attack->measure[i] <= found->measure * SDC_METRICSPACE_TIE &&
			(conditions->likelihood == NULL ||
			 sdc_likelihood_log(conditions->likelihood, record_of(attack, i)) >=
			 found->likelihood - SDC_LIKELIHOOD_TIE);
	}
}

/* is_distance tells whether distance is all that counts in a bucket, and it is a large one. */
static bool
is_distance(const SdcConditions *conditions, uint32 bucket)
{
	return !conditions->windows && !conditions->cells && conditions->likelihood == NULL &&
		conditions->blanks == NULL && conditions->space->dimensions > 0 &&
		conditions->bucket_start[bucket + 1] - conditions->bucket_start[bucket] > SDC_SEARCH_SCAN;
}

/* link_distance links the originals of a bucket by distance: places [place, end). */
static void
link_distance(Attack *attack, uint32 place, uint32 end)
{
	SdcConditions *conditions = attack->conditions;
	uint32		count = end - place;
	uint32	   *record = sdc_alloc_array(uint32, count);
	SdcCandidatesLink *link = sdc_alloc_array(SdcCandidatesLink, count);
	SdcReportScope before;

	for (uint32 i = 0; i < count; i++)
		record[i] = record_of(attack, place + i);
	before = SDC_REPORT_WITHIN(place, end, attack->count);
	sdc_bucketnearest_run(conditions, conditions->bucket[record[0]], record, count, link);
	SDC_REPORT_BACK(before);
	for (uint32 i = 0; i < count; i++)
	{
		sdc_interrupts_spend(&conditions->credit, 1);
		attack->link[attack->order[place + i]] = link[i];
	}
	sdc_free(link);
	sdc_free(record);
}

/*
 * follow_tree puts the places [place, end) of a bucket, which are sorted by query, in the order in which
 * a tree has their own records: searches that follow each other then need the same parts of it.
 */
static void
follow_tree(Attack *attack, const SdcCellTree *tree, uint32 place, uint32 end)
{
	SdcConditions *conditions = attack->conditions;
	uint32	   *rank = sdc_alloc_array(uint32, tree->count);
	uint32	   *number = sdc_alloc_array(uint32, end - place);
	uint32	   *from = sdc_alloc_array(uint32, end - place);
	uint32	   *sorted = sdc_alloc_array(uint32, end - place);

	for (uint32 r = 0; r < tree->count; r++)
		rank[tree->tree->record[r]] = r;
	for (uint32 i = place; i < end; i++)
	{
		uint32		own = conditions->place[record_of(attack, i)] - tree->start;

		sdc_interrupts_spend(&conditions->credit, 1);
		from[i - place] = attack->order[i];
		/* equal originals stay together: where the first of them is */
		if (i > place && conditions->query[record_of(attack, i)] ==
			conditions->query[record_of(attack, i - 1)])
			number[i - place] = number[i - place - 1];
		else
			number[i - place] = own < tree->count ? rank[own] : tree->count;
	}
	sdc_conditions_sort(number, tree->count + 1, NULL, end - place, sorted, &conditions->credit);
	for (uint32 i = 0; i < end - place; i++)
		attack->order[place + i] = from[sorted[i]];
	sdc_free(sorted);
	sdc_free(from);
	sdc_free(number);
	sdc_free(rank);
}

/* link_bucket searches for the originals of a bucket, places [place, end). */
static void
link_bucket(Attack *attack, uint32 place, uint32 end)
{
	const SdcConditions *conditions = attack->conditions;
	const SdcCellTree *tree = end - place < FOLLOWED ? NULL :
		sdc_search_tree(attack->search, conditions->bucket[record_of(attack, place)]);

	if (tree != NULL)
		follow_tree(attack, tree, place, end);
	for (uint32 next; place < end; place = next)
	{
		uint32		query = conditions->query[record_of(attack, place)];
		SdcCandidatesFound found;

		for (next = place + 1; next < end; next++)
			if (conditions->query[record_of(attack, next)] != query)
				break;
		SDC_REPORT(place, attack->count);
		find_own(attack, place, next, &found);
		sdc_search_find(attack->search, record_of(attack, place), &found);
		write_links(attack, place, next, &found);
	}
}

/* sdc_candidates_run: see candidates.h. */
void
sdc_candidates_run(const SdcCandidatesTask *task, SdcCandidatesAttack attack,
				   const uint32 *record, uint32 count, SdcCandidatesLink *link)
{
	Attack		state = {.record = record, .count = count, .link = link};

	if (count == 0)
		return;
	state.conditions = sdc_buckets_create(task, attack);
	state.search = sdc_search_create(state.conditions, LISTED);
	state.order = sdc_alloc_array(uint32, count);
	state.inside = sdc_alloc_array(bool, count);
	state.measure = sdc_alloc_array(double, count);
	sdc_conditions_order(state.conditions, state.record, state.count, state.order, &state.conditions->credit);
	for (uint32 place = 0, end; place < count; place = end)
	{
		uint32		bucket = state.conditions->bucket[record_of(&state, place)];

		for (end = place + 1; end < count; end++)
			if (state.conditions->bucket[record_of(&state, end)] != bucket)
				break;
		if (is_distance(state.conditions, bucket))
			link_distance(&state, place, end);
		else
			link_bucket(&state, place, end);
	}
	sdc_free(state.measure);
	sdc_free(state.inside);
	sdc_free(state.order);
	sdc_search_destroy(state.search);
	sdc_buckets_destroy(state.conditions);
}
