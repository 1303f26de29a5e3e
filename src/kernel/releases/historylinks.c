/*-------------------------------------------------------------------------
 *
 * historylinks.c
 *		Whom an intruder finds in several releases.
 *
 * Each release alone, and all together, are attacked in the same way: the records of the last release are points,
 * each with the mean of what it was and the values that can have been its own in every release
 * (history.c), and the people who are looked for ask a tree of them (pointtree.c).  What candidates have in
 * common in every release is met person by person, in bitmaps; where these are too large, people by people.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include <math.h>

#include "kernel/releases/historylinks.h"
#include "kernel/releases/pointtree.h"

#define WORD_BITS 64

/* Questions between two looks for an interrupt; each looks for itself, too. */
#define QUESTIONS 64

/* The values of a truth, record by record, as long as it is that of the next span, too. */
typedef struct Known
{
	const uint32 *person;		/* whose they are */
	uint32	   *code;			/* NULL: of nobody yet */
} Known;

/* The releases of a span, ready to be asked. */
typedef struct Span
{
	const SdcHistoryTask *task;
	SdcHistoryKept *kept;		/* by column, from span to span, of single releases */
	const SdcHistoryFile *truth;
	SdcPointTree *tree;
	uint32	   *row;			/* record of each person in the last release */
	bool		single;
	double	  **percent;		/* by column, by code; of a single release those that are kept */
	/* one question */
	double	   *mean;
	uint32	   *code;			/* of a record whose values lie apart */
} Span;

/* People whose classes are met, from first on, some at a time. */
typedef struct Meeting
{
	uint32		first;
	uint32		count;
	uint64		words;			/* of a bitmap */
	uint64	   *set;			/* by person */
	uint64	   *met;			/* those of one release */
} Meeting;

/* class_words returns the words of a bitmap of classes. */
static uint64
class_words(uint32 classes)
{
	return ((uint64) classes + WORD_BITS - 1) / WORD_BITS;
}

/* sdc_history_link_memory: see historylinks.h. */
uint64
sdc_history_link_memory(uint32 records, uint32 persons, int columns, const uint32 *codes,
						uint32 classes)
{
	uint64		bytes = (uint64) records * (uint64) columns * (sizeof(double) + sizeof(SdcInterval)) +
		sdc_pointtree_memory(records, columns, classes) + 2 * (uint64) persons * sizeof(uint32) +
		(uint64) records * sizeof(uint32) + (uint64) persons * (uint64) columns * sizeof(uint32);
	uint32		most = 0;

	for (int j = 0; j < columns; j++)
	{
		bytes += (uint64) codes[j] * sizeof(double) + sdc_history_kept_memory(codes[j]);
		most = codes[j] > most ? codes[j] : most;
	}
	return bytes + sdc_history_memory(records, most);
}

/* look_at_column finds the means and boxes of the records in a column, and its percentages. */
static void
look_at_column(Span *span, SdcHistorySpan releases, int j, double *mean, SdcInterval *box)
{
	const SdcHistory *history = span->task->history;
	SdcHistoryColumn column = {history->columns, mean + j, box + j, true, NULL};

	if (span->single)
	{
		sdc_history_keep(history, releases.first, j, &span->kept[j]);
		sdc_history_single(history, releases.first, j, &span->kept[j], &column);
		span->percent[j] = span->kept[j].percent;
		return;
	}
	column.percent = span->percent[j] = sdc_alloc_array(double, history->codes[j]);
	sdc_history_column(history, releases, j, span->row, &column);
}

/*
 * begin_span prepares the attack on some releases; kept: for each column, or NULL; classes: the tree has the classes of
 * the last one.
 */
static void
begin_span(Span *span, const SdcHistoryTask *task, SdcHistoryKept *kept, SdcHistorySpan releases, bool classes)
{
	const SdcHistory *history = task->history;
	int			last = releases.first + releases.count - 1;
	const SdcHistoryFile *file = &history->release[last];
	Size		columns = (Size) history->columns;
	double	   *mean = sdc_alloc_matrix(double, file->records, columns);
	SdcInterval *box = sdc_alloc_matrix(SdcInterval, file->records, columns);

	span->task = task;
	span->kept = kept;
	span->single = kept != NULL && releases.count == 1;
	span->truth = &task->truth[last];
	span->row = sdc_alloc_array(uint32, history->persons);
	span->percent = sdc_alloc_array(double *, columns);
	span->mean = sdc_alloc_array(double, columns);
	span->code = sdc_alloc_array(uint32, columns);
	sdc_history_rows(history, file, span->row);
	for (int j = 0; j < history->columns; j++)
		look_at_column(span, releases, j, mean, box);
	span->tree = sdc_pointtree_create(file->records, history->columns, mean, box,
									  classes && task->classes > 0 ? task->released[last] : NULL,
									  task->classes);
	sdc_free(mean);
	sdc_free(box);
}

/* end_span frees what begin_span has taken. */
static void
end_span(Span *span)
{
	sdc_pointtree_destroy(span->tree);
	for (int j = 0; j < span->task->history->columns && !span->single; j++)
		sdc_free(span->percent[j]);
	sdc_free(span->percent);
	sdc_free(span->row);
	sdc_free(span->mean);
	sdc_free(span->code);
}

/* ask prepares the question of a person with some values. */
static SdcPointQuery
ask(Span *span, const uint32 *code, uint32 person)
{
	for (int j = 0; j < span->task->history->columns; j++)
		span->mean[j] = code[j] == SDC_CODE_NULL ? SDC_HISTORY_MISSING : span->percent[j][code[j]];
	return (SdcPointQuery) {span->mean, code, span->row[person], false};
}

/* ask_record prepares that of a record of a truth. */
static SdcPointQuery
ask_record(Span *span, const SdcHistoryFile *truth, uint32 i)
{
	for (int j = 0; j < span->task->history->columns; j++)
		span->code[j] = truth->code[j][i];
	return ask(span, span->code, truth->person[i]);
}

/*
 * know lays the values of a truth record by record: who asks in the order of a tree would find each of them somewhere
 * else.
 */
static void
know(Known *known, const SdcHistoryFile *truth, int columns)
{
	if (known->code != NULL && known->person == truth->person)
		return;
	if (known->code != NULL)
		sdc_free(known->code);
	known->person = truth->person;
	known->code = sdc_alloc_matrix(uint32, truth->records, (uint64) columns);
	for (uint32 i = 0; i < truth->records; i++)
	{
		sdc_interrupts_step(i);
		for (int j = 0; j < columns; j++)
			known->code[(uint64) i * (uint64) columns + (uint64) j] = truth->code[j][i];
	}
}

/* add_error adds how far the means of the own record are from those that are known. */
static void
add_error(const Span *span, const SdcPointQuery *query, SdcHistoryLinks *links)
{
	const SdcPointTree *tree = span->tree;
	const double *mean = tree->mean + (uint64) tree->place[query->own] * (uint64) tree->columns;

	for (int j = 0; j < tree->columns; j++)
		if (mean[j] >= 0 && query->mean[j] >= 0)
		{
			links->error += fabs(query->mean[j] - mean[j]);
			links->error_cells++;
		}
}

/* add_classes sums up a bitmap of classes. */
static void
add_classes(const uint64 *set, uint64 words, uint32 right, SdcHistoryLinks *links)
{
	uint64		size = 0;
	bool		inside = set[right / WORD_BITS] >> right % WORD_BITS & 1;

	for (uint64 w = 0; w < words; w++)
		size += (uint64) __builtin_popcountll(set[w]);
	links->sizes += size;
	links->found += size == 1 && inside;
	links->wrong += size == 1 && !inside;
	links->class_inside += inside;
	links->class_guess += inside ? 1.0 / (double) size : 0;
}

/*
 * in_order returns who is looked for in the order of the tree, so that those who look at the same leaves do it
 * together.
 */
static uint32 *
in_order(const Span *span)
{
	uint32	   *record = sdc_alloc_array(uint32, span->tree->points);

	memset(record, 0xFF, sizeof(uint32) * (Size) span->tree->points);	/* SDC_RECORD_NONE */
	for (uint32 i = 0; i < span->truth->records; i++)
	{
		uint32		row = span->row[span->truth->person[i]];

		sdc_interrupts_step(i);
		if (row != SDC_RECORD_NONE)
			record[span->tree->place[row]] = i;
	}
	return record;
}

/* link_span attacks the people of its truth who are in the last release; set: a bitmap, or NULL. */
static void
link_span(Span *span, Known *known, const uint32 *secret, uint64 *set, SdcHistoryLinks *links)
{
	const SdcHistoryFile *truth = span->truth;
	uint64		words = class_words(span->task->classes);
	int			columns = span->task->history->columns;
	uint32	   *record = in_order(span);

	know(known, truth, columns);
	memset(links, 0, sizeof(SdcHistoryLinks));
	for (uint32 p = 0; p < span->tree->points; p++)
	{
		uint32		i = record[p];
		SdcPointQuery query;
		SdcPointFound found;

		if (p % QUESTIONS == 0)
			SDC_CHECK_INTERRUPTS();
		if (i == SDC_RECORD_NONE)
			continue;
		query = ask(span, known->code + (uint64) i * (uint64) columns, truth->person[i]);
		links->targets++;
		add_error(span, &query, links);
		if (!span->task->windows_only)
		{
			sdc_pointtree_nearest(span->tree, &query, &found);
			links->average += found.share;
			query.alone = found.share == 1;
		}
		sdc_pointtree_boxes(span->tree, &query, &found);
		links->windows += found.share;
		links->certain += found.candidates == 1 && found.inside;
		links->candidates += found.candidates;
		links->inside += found.inside;
		links->guess += found.inside ? 1.0 / (double) found.candidates : 0;
		if (set == NULL)
			continue;
		memset(set, 0, sizeof(uint64) * words);
		sdc_pointtree_classes(span->tree, &query, set);
		add_classes(set, words, secret[i], links);
	}
	sdc_free(record);
}

/* meet leaves of the classes of people those that their candidates have in one more release. */
static void
meet(Span *span, const SdcHistoryFile *truth, Meeting *meeting)
{
	for (uint32 i = 0; i < meeting->count; i++)
	{
		uint64	   *set = meeting->set + i * meeting->words;
		SdcPointQuery query;

		if (i % QUESTIONS == 0)
			SDC_CHECK_INTERRUPTS();
		if (span->row[truth->person[meeting->first + i]] == SDC_RECORD_NONE)
			continue;
		query = ask_record(span, truth, meeting->first + i);
		memset(meeting->met, 0, sizeof(uint64) * meeting->words);
		sdc_pointtree_classes(span->tree, &query, meeting->met);
		for (uint64 w = 0; w < meeting->words; w++)
			set[w] &= meeting->met[w];
	}
}

/* end_meeting sums up the people who are in the last release; row: their records there. */
static void
end_meeting(const SdcHistoryTask *task, const uint32 *row, const Meeting *meeting,
			SdcHistoryLinks *links)
{
	int			last = task->history->releases - 1;

	for (uint32 i = 0; i < meeting->count; i++)
		if (row[task->truth[last].person[meeting->first + i]] != SDC_RECORD_NONE)
			add_classes(meeting->set + i * meeting->words, meeting->words,
						task->secret[last][meeting->first + i], links);
}

/* begin_meeting takes the next people: no class is excluded yet. */
static void
begin_meeting(const SdcHistoryTask *task, Meeting *meeting, uint32 first)
{
	uint32		left = task->truth[task->history->releases - 1].records - first;
	uint64		room = task->memory / (sizeof(uint64) * meeting->words);

	meeting->first = first;
	meeting->count = room < 1 ? 1 : room < left ? (uint32) room : left;
	if (meeting->count > left)
		meeting->count = left;
	if (meeting->set == NULL)
		meeting->set = sdc_alloc_matrix(uint64, meeting->count, meeting->words);
	memset(meeting->set, 0xFF, sizeof(uint64) * meeting->words * meeting->count);
}

/* meet_others meets what is left of the people, after those of the first meeting. */
static void
meet_others(const SdcHistoryTask *task, SdcHistoryKept *kept, const uint32 *row, Meeting *meeting,
			SdcHistoryLinks *links)
{
	const SdcHistoryFile *truth = &task->truth[task->history->releases - 1];

	while (meeting->first + meeting->count < truth->records)
	{
		begin_meeting(task, meeting, meeting->first + meeting->count);
		for (int t = 0; t < task->history->releases; t++)
		{
			Span		span;

			begin_span(&span, task, kept, (SdcHistorySpan) {t, 1}, true);
			meet(&span, truth, meeting);
			end_span(&span);
		}
		end_meeting(task, row, meeting, links);
	}
}

/* sdc_history_link: see historylinks.h. */
void
sdc_history_link(const SdcHistoryTask *task, SdcHistoryLinks *alone, SdcHistoryLinks *together,
				 SdcHistoryProgress progress, void *arg)
{
	int			releases = task->history->releases;
	const SdcHistoryFile *truth = &task->truth[releases - 1];
	Meeting		meeting = {0};
	Known		known = {0};
	SdcHistoryKept *kept = sdc_alloc_zeros(SdcHistoryKept, (uint64) task->history->columns);
	Span		span;

	meeting.words = class_words(task->classes);
	if (task->classes > 0)
	{
		meeting.met = sdc_alloc_array(uint64, meeting.words);
		begin_meeting(task, &meeting, 0);
	}
	for (int t = 0; t < releases; t++)
	{
		begin_span(&span, task, kept, (SdcHistorySpan) {t, 1}, true);
		link_span(&span, &known, task->classes > 0 ? task->secret[t] : NULL, meeting.met, &alone[t]);
		if (task->classes > 0)
			meet(&span, truth, &meeting);
		end_span(&span);
		progress(arg);
	}
	begin_span(&span, task, NULL, (SdcHistorySpan) {0, releases}, false);
	link_span(&span, &known, NULL, NULL, together);
	sdc_free(known.code);
	if (task->classes > 0)
	{
		end_meeting(task, span.row, &meeting, together);
		meet_others(task, kept, span.row, &meeting, together);
		sdc_free(meeting.met);
		sdc_free(meeting.set);
	}
	end_span(&span);
	for (int j = 0; j < task->history->columns; j++)
		sdc_history_kept_destroy(&kept[j]);
	sdc_free(kept);
	progress(arg);
}

/* sdc_history_find: see historylinks.h. */
void
sdc_history_find(const SdcHistoryTask *task, const uint32 *record, uint32 count, double *share)
{
	Span		span;

	begin_span(&span, task, NULL, (SdcHistorySpan) {0, task->history->releases}, false);
	for (uint32 i = 0; i < count; i++)
	{
		SdcPointQuery query;
		SdcPointFound found;

		if (i % QUESTIONS == 0)
			SDC_CHECK_INTERRUPTS();
		if (span.row[span.truth->person[record[i]]] == SDC_RECORD_NONE)
			continue;
		query = ask_record(&span, span.truth, record[i]);
		if (!task->windows_only)
		{
			sdc_pointtree_nearest(span.tree, &query, &found);
			share[i] = fmax(share[i], found.share);
			query.alone = found.share == 1;
		}
		sdc_pointtree_boxes(span.tree, &query, &found);
		share[i] = fmax(share[i], found.share);
		if (found.inside)
			share[i] = fmax(share[i], 1.0 / (double) found.candidates);
	}
	end_span(&span);
}
