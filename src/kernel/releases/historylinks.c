/*-------------------------------------------------------------------------
 *
 * historylinks.c
 *		Whom an intruder finds in several releases.
 *
 * Each release alone, and all together, are attacked in the same way: the records of the last release are points,
 * each with the mean of what it was and the values that can have been its own in every release
 * (history.c), and the people who are looked for ask a tree of them (pointtree.c).  What candidates have in
 * common in every release is met person by person, in bitmaps; where these are too large, some people after the other.
 *
 * Releases do not know each other: several processes can each attack some, and meet in the same bitmaps.
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

/* How many questions before one is asked the values are fetched, and how much of them at a time. */
#define AHEAD 4
#define LINE 64

/*
 * The values of a truth, record by record, as long as it is that of the next span, too: who asks in the order of a tree
 * would find each of them somewhere else.
 */
typedef struct Known
{
	const uint32 *person;		/* whose they are */
	uint32	   *code;			/* NULL: of nobody yet */
	double	   *mean;			/* percentages of them */
	bool		stale;			/* these are those of other releases */
} Known;

struct SdcHistoryLinking
{
	const SdcHistoryTask *task;
	SdcHistoryKept *kept;		/* by column, from release to release */
	Known		known;
	uint64	   *met;			/* a bitmap of classes; NULL: there are none */
	/* the span at hand, ready to be asked */
	const SdcHistoryFile *truth;
	SdcPointTree *tree;
	uint32	   *row;			/* record of each person in its last release */
	bool		single;
	double	  **percent;		/* by column, by code; of a single release those that are kept */
	/* one question */
	double	   *mean;
	uint32	   *code;			/* of a record whose values lie apart */
};

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
		(uint64) records * sizeof(uint32) + (uint64) persons * (uint64) columns * (sizeof(uint32) + sizeof(double));
	uint32		most = 0;

	for (int j = 0; j < columns; j++)
	{
		bytes += (uint64) codes[j] * sizeof(double) + sdc_history_kept_memory(codes[j]);
		most = codes[j] > most ? codes[j] : most;
	}
	return bytes + sdc_history_memory(records, most);
}

/* forget frees what is known. */
static void
forget(Known *known)
{
	if (known->code == NULL)
		return;
	sdc_free(known->code);
	sdc_free(known->mean);
	known->code = NULL;
}

/* sdc_history_linking_create: see historylinks.h. */
SdcHistoryLinking *
sdc_history_linking_create(const SdcHistoryTask *task)
{
	SdcHistoryLinking *linking = sdc_alloc_zeros(SdcHistoryLinking, 1);
	uint64		columns = (uint64) task->history->columns;

	linking->task = task;
	linking->kept = sdc_alloc_zeros(SdcHistoryKept, columns);
	linking->row = sdc_alloc_array(uint32, task->history->persons);
	linking->percent = sdc_alloc_array(double *, columns);
	linking->mean = sdc_alloc_array(double, columns);
	linking->code = sdc_alloc_array(uint32, columns);
	if (task->classes > 0)
		linking->met = sdc_alloc_array(uint64, class_words(task->classes));
	return linking;
}

/* sdc_history_linking_destroy: see historylinks.h. */
void
sdc_history_linking_destroy(SdcHistoryLinking *linking)
{
	for (int j = 0; j < linking->task->history->columns; j++)
		sdc_history_kept_destroy(&linking->kept[j]);
	sdc_free(linking->kept);
	forget(&linking->known);
	if (linking->met != NULL)
		sdc_free(linking->met);
	sdc_free(linking->row);
	sdc_free(linking->percent);
	sdc_free(linking->mean);
	sdc_free(linking->code);
	sdc_free(linking);
}

/* look_at_column finds the means and boxes of the records in a column, and its percentages. */
static void
look_at_column(SdcHistoryLinking *linking, SdcHistorySpan releases, int j, double *mean, SdcInterval *box)
{
	const SdcHistory *history = linking->task->history;
	SdcHistoryColumn column = {history->columns, mean + j, box + j, true, NULL};

	if (linking->single)
	{
		linking->known.stale |= sdc_history_keep(history, releases.first, j, &linking->kept[j]);
		sdc_history_single(history, releases.first, j, &linking->kept[j], &column);
		linking->percent[j] = linking->kept[j].percent;
		return;
	}
	linking->known.stale = true;
	column.percent = linking->percent[j] = sdc_alloc_array(double, history->codes[j]);
	sdc_history_column(history, releases, j, linking->row, &column);
}

/*
 * begin_span prepares the attack on some releases; single: on one, with what is kept; classes: the tree has the classes
 * of the last one.
 */
static void
begin_span(SdcHistoryLinking *linking, SdcHistorySpan releases, bool single, bool classes)
{
	const SdcHistoryTask *task = linking->task;
	const SdcHistory *history = task->history;
	int			last = releases.first + releases.count - 1;
	const SdcHistoryFile *file = &history->release[last];
	uint64		columns = (uint64) history->columns;
	double	   *mean = sdc_alloc_matrix(double, file->records, columns);
	SdcInterval *box = sdc_alloc_matrix(SdcInterval, file->records, columns);

	linking->single = single;
	linking->truth = &task->truth[last];
	sdc_history_rows(history, file, linking->row);
	for (int j = 0; j < history->columns; j++)
		look_at_column(linking, releases, j, mean, box);
	linking->tree = sdc_pointtree_create(file->records, history->columns, mean, box,
										 classes && task->classes > 0 ? task->released[last] : NULL,
										 task->classes);
	sdc_free(mean);
	sdc_free(box);
}

/* end_span frees what begin_span has taken. */
static void
end_span(SdcHistoryLinking *linking)
{
	sdc_pointtree_destroy(linking->tree);
	for (int j = 0; j < linking->task->history->columns && !linking->single; j++)
		sdc_free(linking->percent[j]);
	/* of a single release it is told when they are others */
	linking->known.stale |= !linking->single;
}

/* percent_of returns what a value of a column stands for. */
static inline double
percent_of(const SdcHistoryLinking *linking, int column, uint32 code)
{
	return code == SDC_CODE_NULL ? SDC_HISTORY_MISSING : linking->percent[column][code];
}

/* ask_record prepares the question of a record of a truth; false: the person is not in the last release. */
static bool
ask_record(SdcHistoryLinking *linking, const SdcHistoryFile *truth, uint32 i, SdcPointQuery *query)
{
	uint32		row = linking->row[truth->person[i]];

	if (row == SDC_RECORD_NONE)
		return false;
	for (int j = 0; j < linking->task->history->columns; j++)
	{
		linking->code[j] = truth->code[j][i];
		linking->mean[j] = percent_of(linking, j, linking->code[j]);
	}
	*query = (SdcPointQuery) {linking->mean, linking->code, linking->tree->place[row], false};
	return true;
}

/* know lays the values of the truth, and what they stand for, record by record. */
static void
know(SdcHistoryLinking *linking)
{
	Known	   *known = &linking->known;
	const SdcHistoryFile *truth = linking->truth;
	int			columns = linking->task->history->columns;
	bool		same = known->code != NULL && known->person == truth->person;

	if (same && !known->stale)
		return;
	if (!same)
	{
		forget(known);
		known->person = truth->person;
		known->code = sdc_alloc_matrix(uint32, truth->records, (uint64) columns);
		known->mean = sdc_alloc_matrix(double, truth->records, (uint64) columns);
	}
	for (uint32 i = 0; i < truth->records; i++)
	{
		uint64		at = (uint64) i * (uint64) columns;

		sdc_interrupts_step(i);
		for (int j = 0; j < columns; j++)
		{
			known->code[at + (uint64) j] = truth->code[j][i];
			known->mean[at + (uint64) j] = percent_of(linking, j, truth->code[j][i]);
		}
	}
	known->stale = false;
}

/* ask_known prepares the question of a record whose values are known, and whose own record is at a place. */
static inline SdcPointQuery
ask_known(const SdcHistoryLinking *linking, uint32 record, uint32 place)
{
	uint64		at = (uint64) record * (uint64) linking->task->history->columns;

	return (SdcPointQuery) {linking->known.mean + at, linking->known.code + at, place, false};
}

/* look_ahead has the values of who asks soon fetched; record: who is at each place of the tree. */
static inline void
look_ahead(const SdcHistoryLinking *linking, const uint32 *record, uint32 place)
{
	Size		columns = (Size) linking->task->history->columns;
	SdcPointQuery query;

	if (linking->tree->points - place <= AHEAD || record[place + AHEAD] == SDC_RECORD_NONE)
		return;
	query = ask_known(linking, record[place + AHEAD], 0);
	for (Size b = 0; b < sizeof(double) * columns; b += LINE)
		__builtin_prefetch((const char *) query.mean + b);
	for (Size b = 0; b < sizeof(uint32) * columns; b += LINE)
		__builtin_prefetch((const char *) query.code + b);
}

/* add_error adds how far the means of the own record are from those that are known. */
static void
add_error(const SdcPointTree *tree, const SdcPointQuery *query, SdcHistoryLinks *links)
{
	const double *mean = tree->mean + (uint64) query->own * (uint64) tree->columns;

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
in_order(const SdcHistoryLinking *linking)
{
	uint32	   *record = sdc_alloc_array(uint32, linking->tree->points);

	memset(record, 0xFF, sizeof(uint32) * (Size) linking->tree->points);	/* SDC_RECORD_NONE */
	for (uint32 i = 0; i < linking->truth->records; i++)
	{
		uint32		row = linking->row[linking->truth->person[i]];

		sdc_interrupts_step(i);
		if (row != SDC_RECORD_NONE)
			record[linking->tree->place[row]] = i;
	}
	return record;
}

/* link_person attacks somebody. */
static void
link_person(SdcHistoryLinking *linking, SdcPointQuery *query, SdcHistoryLinks *links)
{
	SdcPointFound found;

	links->targets++;
	add_error(linking->tree, query, links);
	if (!linking->task->windows_only)
	{
		sdc_pointtree_nearest(linking->tree, query, &found);
		links->average += found.share;
		query->alone = found.share == 1;
	}
	sdc_pointtree_boxes(linking->tree, query, &found);
	links->windows += found.share;
	links->certain += found.candidates == 1 && found.inside;
	links->candidates += found.candidates;
	links->inside += found.inside;
	links->guess += found.inside ? 1.0 / (double) found.candidates : 0;
}

/* link_span attacks the people of its truth who are in the last release; secret: the class of each, or NULL. */
static void
link_span(SdcHistoryLinking *linking, const uint32 *secret, SdcHistoryLinks *links)
{
	uint64		words = class_words(linking->task->classes);
	uint32	   *record = in_order(linking);

	know(linking);
	memset(links, 0, sizeof(SdcHistoryLinks));
	for (uint32 p = 0; p < linking->tree->points; p++)
	{
		SdcPointQuery query;

		if (p % QUESTIONS == 0)
			SDC_CHECK_INTERRUPTS();
		look_ahead(linking, record, p);
		if (record[p] == SDC_RECORD_NONE)
			continue;
		query = ask_known(linking, record[p], p);
		link_person(linking, &query, links);
		if (secret == NULL)
			continue;
		memset(linking->met, 0, sizeof(uint64) * words);
		sdc_pointtree_classes(linking->tree, &query, linking->met);
		add_classes(linking->met, words, secret[record[p]], links);
	}
	sdc_free(record);
}

/*
 * meet excludes of the classes of people those that none of their candidates has in the release at hand.  Bits are only
 * set: whoever sets others at the same time, and in whatever order, the same are set at the end.
 */
static void
meet(SdcHistoryLinking *linking, const SdcHistoryMeeting *meeting)
{
	const SdcHistoryTask *task = linking->task;
	const SdcHistoryFile *truth = &task->truth[task->history->releases - 1];

	for (uint32 i = 0; i < meeting->count; i++)
	{
		uint64	   *set = meeting->set + i * meeting->words;
		SdcPointQuery query;

		if (i % QUESTIONS == 0)
			SDC_CHECK_INTERRUPTS();
		if (!ask_record(linking, truth, meeting->first + i, &query))
			continue;
		memset(linking->met, 0, sizeof(uint64) * meeting->words);
		sdc_pointtree_classes(linking->tree, &query, linking->met);
		for (uint64 w = 0; w < meeting->words; w++)
			if ((~__atomic_load_n(&set[w], __ATOMIC_RELAXED) & ~linking->met[w]) != 0)
				(void) __atomic_fetch_or(&set[w], ~linking->met[w], __ATOMIC_RELAXED);
	}
}

/* sdc_history_meeting_people: see historylinks.h. */
uint32
sdc_history_meeting_people(const SdcHistoryTask *task, uint64 bytes)
{
	uint32		all = task->truth[task->history->releases - 1].records;
	uint64		room;

	if (task->classes == 0)
		return 0;
	room = bytes / (sizeof(uint64) * class_words(task->classes));
	return room >= all ? all : room < 1 ? 1 : (uint32) room;
}

/* sdc_history_meeting_bytes: see historylinks.h. */
uint64
sdc_history_meeting_bytes(const SdcHistoryTask *task, uint32 people)
{
	return people * class_words(task->classes) * sizeof(uint64);
}

/* sdc_history_meeting_begin: see historylinks.h. */
void
sdc_history_meeting_begin(const SdcHistoryTask *task, uint32 people, uint32 first, SdcHistoryMeeting *meeting)
{
	uint32		left = task->truth[task->history->releases - 1].records - first;

	meeting->first = first;
	meeting->count = people < left ? people : left;
	meeting->words = class_words(task->classes);
}

/* sdc_history_meeting_clear: see historylinks.h. */
void
sdc_history_meeting_clear(const SdcHistoryMeeting *meeting)
{
	memset(meeting->set, 0, sizeof(uint64) * meeting->words * meeting->count);
}

/* sdc_history_meet: see historylinks.h. */
void
sdc_history_meet(SdcHistoryLinking *linking, int release, const SdcHistoryMeeting *meeting)
{
	begin_span(linking, (SdcHistorySpan) {release, 1}, true, true);
	meet(linking, meeting);
	end_span(linking);
}

/* sdc_history_meeting_end: see historylinks.h. */
void
sdc_history_meeting_end(SdcHistoryLinking *linking, const SdcHistoryMeeting *meeting, SdcHistoryLinks *links)
{
	const SdcHistoryTask *task = linking->task;
	int			last = task->history->releases - 1;

	sdc_history_rows(task->history, &task->history->release[last], linking->row);
	for (uint32 i = 0; i < meeting->count; i++)
	{
		sdc_interrupts_step(i);
		if (linking->row[task->truth[last].person[meeting->first + i]] == SDC_RECORD_NONE)
			continue;
		for (uint64 w = 0; w < meeting->words; w++)
			linking->met[w] = ~meeting->set[i * meeting->words + w];
		add_classes(linking->met, meeting->words, task->secret[last][meeting->first + i], links);
	}
}

/* sdc_history_link_release: see historylinks.h. */
void
sdc_history_link_release(SdcHistoryLinking *linking, int release, const SdcHistoryMeeting *meeting,
						 SdcHistoryLinks *links, SdcMovement *moving, SdcMovement *windows)
{
	const SdcHistoryTask *task = linking->task;
	const SdcHistory *history = task->history;

	begin_span(linking, (SdcHistorySpan) {release, 1}, true, true);
	link_span(linking, task->classes > 0 ? task->secret[release] : NULL, links);
	if (meeting != NULL)
		meet(linking, meeting);
	end_span(linking);
	for (int j = 0; j < history->columns; j++)
		if (history->width[release][j] > 0)
			sdc_movement_release(&history->release[release], j, linking->row, &linking->kept[j], &task->truth[release],
								 moving, windows);
}

/* sdc_history_link_together: see historylinks.h. */
void
sdc_history_link_together(SdcHistoryLinking *linking, SdcHistoryLinks *links)
{
	begin_span(linking, (SdcHistorySpan) {0, linking->task->history->releases}, false, false);
	link_span(linking, NULL, links);
	end_span(linking);
}

/* sdc_history_find: see historylinks.h. */
void
sdc_history_find(const SdcHistoryTask *task, const uint32 *record, uint32 count, double *share)
{
	SdcHistoryLinking *linking = sdc_history_linking_create(task);

	begin_span(linking, (SdcHistorySpan) {0, task->history->releases}, false, false);
	for (uint32 i = 0; i < count; i++)
	{
		SdcPointQuery query;
		SdcPointFound found;

		if (i % QUESTIONS == 0)
			SDC_CHECK_INTERRUPTS();
		if (!ask_record(linking, linking->truth, record[i], &query))
			continue;
		if (!task->windows_only)
		{
			sdc_pointtree_nearest(linking->tree, &query, &found);
			share[i] = fmax(share[i], found.share);
			query.alone = found.share == 1;
		}
		sdc_pointtree_boxes(linking->tree, &query, &found);
		share[i] = fmax(share[i], found.share);
		if (found.inside)
			share[i] = fmax(share[i], 1.0 / (double) found.candidates);
	}
	end_span(linking);
	sdc_history_linking_destroy(linking);
}
