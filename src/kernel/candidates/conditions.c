/*-------------------------------------------------------------------------
 *
 * conditions.c
 *		What an attack asks of a pair.
 *
 * The known parts of bins are numbers of distinct vectors of codes (boxes.h).
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include <math.h>

#include "kernel/base/boxes.h"
#include "kernel/base/codesort.h"
#include "kernel/candidates/conditions.h"

/* sort_by is sdc_codesort_pass with memory of its own. */
static void
sort_by(SdcCodesort sort, const uint32 *from, uint32 count, uint32 *to, uint32 *credit)
{
	uint32	   *start = sdc_alloc_array(uint32, (uint64) sort.codes + 1);

	sdc_codesort_pass(&sort, from, to, count, start, credit);
	sdc_free(start);
}

/* sdc_conditions_sort: see conditions.h. */
void
sdc_conditions_sort(const uint32 *number, uint32 numbers, const uint32 *from, uint32 count,
					uint32 *to, uint32 *credit)
{
	sort_by((SdcCodesort) {number, 1, numbers, NULL}, from, count, to, credit);
}

/* sdc_conditions_order: see conditions.h. */
void
sdc_conditions_order(const SdcConditions *conditions, const uint32 *record, uint32 count, uint32 *order, uint32 *credit)
{
	uint32	   *from = sdc_alloc_array(uint32, count);

	sort_by((SdcCodesort) {conditions->query, 1, conditions->queries, record}, NULL, count, from, credit);
	sort_by((SdcCodesort) {conditions->bucket, 1, conditions->buckets, record}, from, count, order, credit);
	sdc_free(from);
}

/* number_parts numbers the known values of the originals: see sdc_conditions_part. */
static uint32
number_parts(SdcConditions *conditions, int joint, uint32 like, uint32 *part)
{
	const SdcCandidatesTask *task = conditions->task;
	SdcBoxes   *boxes = sdc_boxes_create(task->records);
	uint32		parts;

	for (int a = 0; a < conditions->count[SDC_CANDIDATES_JOINT]; a++)
	{
		const SdcCandidatesColumn *column =
			&task->column[conditions->column[SDC_CANDIDATES_JOINT][a]];
		uint64	   *word = sdc_boxes_column(boxes);

		if (column->set != joint || (like != SDC_RECORD_NONE && sdc_conditions_blank(column, like)))
			continue;
		for (uint32 i = 0; i < task->records; i++)
		{
			sdc_interrupts_spend(&conditions->credit, 1);
			word[i] = column->original[i] == SDC_CODE_NULL ? column->codes : column->original[i];
		}
		sdc_boxes_add(boxes, column->codes);
	}
	parts = sdc_boxes_number(boxes, NULL, 0, part);
	sdc_boxes_destroy(boxes);
	return parts;
}

/* sdc_conditions_part: see conditions.h. */
void
sdc_conditions_part(SdcConditions *conditions, int joint, uint32 like, uint32 **part, SdcNumberLists *bins)
{
	const SdcCandidatesTask *task = conditions->task;
	uint32	   *number = sdc_alloc_array(uint32, task->records);
	uint32		parts = number_parts(conditions, joint, like, number);
	uint64	   *pair = sdc_alloc_array(uint64, task->records);

	for (uint32 i = 0; i < task->records; i++)
	{
		sdc_interrupts_spend(&conditions->credit, 1);
		pair[i] = (uint64) number[i] << 32 | task->joint[joint].bin[i];
	}
	sdc_numberlists_create(bins, parts, pair, task->records);
	*part = number;
}

/* sdc_conditions_window: see conditions.h. */
SdcInterval
sdc_conditions_window(const SdcConditions *conditions, int column, uint32 original)
{
	const SdcCandidatesColumn *known = &conditions->task->column[column];

	return conditions->attack == SDC_CANDIDATES_WIDE && known->wide != NULL ?
		known->wide[original] : known->window[original];
}

/* sdc_conditions_inside: see conditions.h. */
bool
sdc_conditions_inside(const SdcConditions *conditions, uint32 original, uint32 record)
{
	for (int a = 0; conditions->windows && a < conditions->count[SDC_CANDIDATES_WINDOW]; a++)
	{
		int			j = conditions->column[SDC_CANDIDATES_WINDOW][a];
		const SdcCandidatesColumn *column = &conditions->task->column[j];
		uint32		code = column->protected[record];
		SdcInterval window;

		if (column->original[original] == SDC_CODE_NULL)
			continue;
		window = sdc_conditions_window(conditions, j, original);
		if ((code < window.first || code > window.last) && !sdc_conditions_blank(column, record))
			return false;
	}
	return true;
}

/* range_contains tells whether a group has a range with a value. */
static bool
range_contains(const SdcCandidatesColumn *column, uint32 group, uint32 code)
{
	SdcInterval range = column->range[group];

	if (range.first == SDC_CODE_NULL)
		return true;
	return code != SDC_CODE_NULL && code >= range.first && code <= range.last;
}

/* sdc_conditions_group: see conditions.h. */
bool
sdc_conditions_group(const SdcConditions *conditions, uint32 original, uint32 record)
{
	const SdcCandidatesTask *task = conditions->task;

	for (int a = 0; a < conditions->count[SDC_CANDIDATES_RANGE]; a++)
	{
		const SdcCandidatesColumn *column =
			&task->column[conditions->column[SDC_CANDIDATES_RANGE][a]];

		if (!range_contains(column, task->group[record], column->original[original]))
			return false;
	}
	for (int a = 0; a < conditions->count[SDC_CANDIDATES_SET]; a++)
	{
		int			j = conditions->column[SDC_CANDIDATES_SET][a];

		if (!sdc_numberlists_contains(&conditions->sets[a], task->group[record],
									  task->column[j].original[original]) &&
			!(conditions->anything[a] && sdc_numberlists_contains(&conditions->sets[a], task->group[record],
																 SDC_CANDIDATES_ANYTHING)))
			return false;
	}
	return true;
}

/* sdc_conditions_bins: see conditions.h. */
bool
sdc_conditions_bins(const SdcConditions *conditions, uint32 original, uint32 record)
{
	for (int s = 0; s < conditions->task->joints; s++)
		if (!sdc_numberlists_contains(&conditions->bins[s], conditions->part[s][original],
									  conditions->task->joint[s].bin[record]))
			return false;
	return true;
}

/* sdc_conditions_log: see conditions.h. */
double
sdc_conditions_log(const SdcConditions *conditions, uint32 original, uint32 record)
{
	if (!sdc_conditions_inside(conditions, original, record) ||
		!sdc_conditions_group(conditions, original, record) ||
		!sdc_conditions_bins(conditions, original, record))
		return -INFINITY;
	return sdc_likelihood_log(conditions->likelihood, record);
}
