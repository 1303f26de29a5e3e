/*-------------------------------------------------------------------------
 *
 * historyjobs.c
 *		Attacks over several releases, run by this process or shared with parallel workers.
 *
 * A task is the links of all releases together, a release alone, or what moves in a column over all releases; and the
 * same with the windows of the methods, where these are not sound.  Each process keeps what its releases have in common
 * and makes its trees by itself.  What it finds has a place of its own in the memory that processes share, and is
 * summed up in the order of one process: sums of columns are of cells, which are kept until all columns are done.
 *
 * What candidates have in common in every release is met in one set of bitmaps (historylinks.h).  Where memory does not
 * hold them for all people, some are met after the others: then all processes wait for each other in between.
 *
 * Memory: that of an attack for each process; the codes, and eight bytes a known value of one release, in the temporary
 * file that processes share.  When they are there the session gives up the codes that it has read.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "measure/attack/historyjobs.h"
#include "relation/base/jobs.h"
#include "relation/base/memory.h"
#include "relation/base/progress.h"
#include "utils/guc.h"

/* Bytes for the bitmaps of the sensitive values, at most. */
#define CLASSES_MEMORY UINT64CONST(67108864)

/* Sound windows, and those of the methods. */
#define PASSES 2

/* What is found of the values of a column in all releases together. */
typedef struct Moved
{
	SdcMovement moving;
	SdcMovement windows;
} Moved;

/* What one process works on. */
typedef struct Work
{
	SdcHistory	history[PASSES];
	SdcHistoryTask task[PASSES];
	int			files;
	int			passes;
	uint32		people;			/* whose classes are met at a time; 0: there are none */
	uint64	   *set;			/* of each of them */
	SdcHistoryFound *found[PASSES]; /* by release, and of all */
	/* shared work only: by column, what moves in all releases together; otherwise it is added up at once */
	Moved	   *moved[PASSES];
	uint32	   *moving;			/* by column, by record of the last truth: as in SdcMovementCells */
	uint32	   *windows;

	/* of this process */
	SdcHistoryLinking *linking; /* NULL: none, */
	int			pass;			/* or that of these windows */
	SdcHistoryLinks met;		/* session: what people had in common who were met, */
	uint32		first;			/* and the first of those who were met last */
} Work;

PGDLLEXPORT void sdc_historyjobs_process(SdcJobs *jobs, void *arg);

/* last_truth is the number of people who are looked for in all releases together. */
static inline uint32
last_truth(const Work *work)
{
	return work->task[0].truth[work->history[0].releases - 1].records;
}

/* tasks_of is how many tasks the windows of one pass are. */
static inline uint32
tasks_of(const SdcHistory *history)
{
	return 1 + (uint32) history->releases + (uint32) history->columns;
}

/* more_tasks_of is how many there are beside these, for the people who are met after the others. */
static inline uint64
more_tasks_of(const SdcReleaseHistory *all, uint32 people)
{
	uint32		all_people = all->truth[all->history.releases - 1].records;

	return people == 0 ? 0 : (uint64) ((all_people - 1) / people) * (uint64) all->history.releases;
}

/* stop_linking gives up what is kept from release to release. */
static void
stop_linking(Work *work)
{
	if (work->linking != NULL)
		sdc_history_linking_destroy(work->linking);
	work->linking = NULL;
}

/* linking_of returns what attacks people by the windows of a pass. */
static SdcHistoryLinking *
linking_of(Work *work, int pass)
{
	if (work->linking != NULL && work->pass != pass)
		stop_linking(work);
	if (work->linking == NULL)
		work->linking = sdc_history_linking_create(&work->task[pass]);
	work->pass = pass;
	return work->linking;
}

/* meeting_of is the meeting of the people from one on. */
static SdcHistoryMeeting
meeting_of(const Work *work, uint32 first)
{
	SdcHistoryMeeting meeting = {.set = work->set};

	sdc_history_meeting_begin(&work->task[0], work->people, first, &meeting);
	return meeting;
}

/* attack_column attacks the values of a column in all releases together. */
static void
attack_column(Work *work, int pass, int column)
{
	const SdcHistory *history = &work->history[pass];
	const SdcHistorySpan span = {0, history->releases};
	SdcHistoryFound *found = &work->found[pass][history->releases];
	Moved	   *moved = work->moved[pass] == NULL ? NULL : &work->moved[pass][column];
	SdcMovementCells cells = {0};

	stop_linking(work);
	if (!sdc_releasehistory_protected(history, span, column))
		return;
	if (moved != NULL && pass == 0)
	{
		cells.moving = work->moving + (uint64) column * last_truth(work);
		cells.windows = work->windows + (uint64) column * last_truth(work);
	}
	sdc_movement_column(history, span, column, &work->task[0].truth[history->releases - 1],
						moved == NULL ? &found->moving : &moved->moving,
						moved == NULL ? &found->windows : &moved->windows, cells);
}

/* run_task does one task: first the links of all releases, which may take longest, last the columns. */
static void
run_task(Work *work, uint32 task)
{
	int			releases = work->history[0].releases;
	int			pass = (int) (task / tasks_of(&work->history[0]));
	int			number = (int) (task % tasks_of(&work->history[0]));

	if (number == 0)
		sdc_history_link_together(linking_of(work, pass), &work->found[pass][releases].links);
	else if (number <= releases)
	{
		SdcHistoryFound *found = &work->found[pass][number - 1];
		SdcHistoryMeeting meeting = meeting_of(work, 0);

		sdc_history_link_release(linking_of(work, pass), number - 1, pass == 0 && work->people > 0 ? &meeting : NULL,
								 &found->links, &found->moving, &found->windows);
	}
	else
		attack_column(work, pass, number - 1 - releases);
}

/* end_meeting adds what the people from one on have in common; by the session alone, when all releases were met. */
static void
end_meeting(Work *work, uint32 first)
{
	SdcHistoryMeeting meeting = meeting_of(work, first);

	sdc_history_meeting_end(linking_of(work, 0), &meeting, &work->met);
}

/* begin_meeting ends a meeting, and begins that of the next people. */
static void
begin_meeting(SdcJobs *jobs, Work *work, const SdcHistoryMeeting *next)
{
	end_meeting(work, work->first);
	sdc_history_meeting_clear(next);
	pg_atomic_write_u32(&jobs->workers->shared->next, 0);
}

/* meet_others has people meet who were not met when the releases were attacked. */
static void
meet_others(SdcJobs *jobs, Work *work)
{
	SdcTeam    *team = sdc_jobs_team(jobs);

	while (last_truth(work) - work->first > work->people)
	{
		SdcHistoryMeeting meeting = meeting_of(work, work->first + work->people);
		uint32		task;

		sdc_team_barrier(team);
		if (sdc_team_first(team))
			begin_meeting(jobs, work, &meeting);
		sdc_team_barrier(team);
		while (sdc_jobs_next(jobs, (uint32) work->history[0].releases, &task))
		{
			sdc_history_meet(linking_of(work, 0), (int) task, &meeting);
			sdc_jobs_count(jobs, 1);
		}
		work->first = meeting.first;
	}
}

/* share_files shares files, with so many columns. */
static void
share_files(SdcJobs *jobs, const SdcHistoryFile **files, int count, int columns)
{
	SdcHistoryFile *file = sdc_jobs_copy(jobs, files, (uint64) count, sizeof(SdcHistoryFile));

	for (int f = 0; f < count; f++)
	{
		const uint32 **code = sdc_jobs_copy(jobs, &file[f].code, (uint64) columns, sizeof(uint32 *));

		sdc_jobs_share(jobs, &file[f].person, file[f].records, sizeof(uint32));
		for (int j = 0; j < columns; j++)
			sdc_jobs_share(jobs, &code[j], file[f].records, sizeof(uint32));
	}
}

/* share_classes shares the classes of releases and their truths. */
static void
share_classes(SdcJobs *jobs, SdcHistoryTask *task, const SdcHistory *history)
{
	uint64		releases = (uint64) history->releases;
	const uint32 **released = sdc_jobs_copy(jobs, &task->released, releases, sizeof(uint32 *));
	const uint32 **secret = sdc_jobs_copy(jobs, &task->secret, releases, sizeof(uint32 *));

	for (int t = 0; t < history->releases && task->classes > 0; t++)
	{
		sdc_jobs_share(jobs, &released[t], history->release[t].records, sizeof(uint32));
		sdc_jobs_share(jobs, &secret[t], task->truth[t].records, sizeof(uint32));
	}
}

/* share_pass shares the windows of a pass, and makes room for what is found by them. */
static void
share_pass(SdcJobs *jobs, Work *work, int pass)
{
	SdcHistory *history = &work->history[pass];
	const uint32 **width = sdc_jobs_copy(jobs, &history->width, (uint64) history->releases, sizeof(uint32 *));

	for (int t = 0; t < history->releases; t++)
		sdc_jobs_share(jobs, &width[t], (uint64) history->columns, sizeof(uint32));
	if (pass > 0)
		sdc_jobs_room(jobs, &work->found[pass], (uint64) history->releases + 1, sizeof(SdcHistoryFound));
	sdc_jobs_room(jobs, &work->moved[pass], (uint64) history->columns, sizeof(Moved));
}

/* share says what there is: SdcJobsKind. */
static void
share(SdcJobs *jobs, void *arg)
{
	Work	   *work = arg;
	SdcHistory *history = &work->history[0];
	SdcHistoryTask *task = &work->task[0];
	int			columns = history->columns + (task->classes > 0);
	uint64		cells = (uint64) last_truth(work) * (uint64) history->columns;

	(void) sdc_jobs_copy(jobs, &history->codes, (uint64) history->columns, sizeof(uint32));
	share_files(jobs, &history->release, work->files, columns);
	share_files(jobs, &task->truth, history->releases, columns);
	share_classes(jobs, task, history);
	for (int pass = 0; pass < work->passes; pass++)
		share_pass(jobs, work, pass);
	sdc_jobs_result(jobs, &work->found[0], (uint64) history->releases + 1, sizeof(SdcHistoryFound));
	sdc_jobs_room(jobs, &work->moving, cells, sizeof(uint32));
	sdc_jobs_room(jobs, &work->windows, cells, sizeof(uint32));
	if (work->people > 0)
		sdc_jobs_room(jobs, &work->set, sdc_history_meeting_bytes(task, work->people), 1);
}

/* begin_process makes of the first pass what is the same in the second, and, of a session alone, room for results. */
static void
begin_process(const SdcJobs *jobs, Work *work)
{
	for (int pass = 0; pass < work->passes; pass++)
	{
		const uint32 *const *width = work->history[pass].width;

		work->history[pass] = work->history[0];
		work->history[pass].width = width;
		work->task[pass] = work->task[0];
		work->task[pass].history = &work->history[pass];
		work->task[pass].windows_only = pass > 0;
		if (pass > 0 && !sdc_jobs_shared(jobs))
			work->found[pass] = palloc0(sizeof(SdcHistoryFound) * (work->history[0].releases + 1));
	}
	if (work->people > 0 && !sdc_jobs_shared(jobs))
		work->set = sdc_memory_zeros(sdc_history_meeting_bytes(&work->task[0], work->people), 1);
}

/* sdc_historyjobs_process is what one process does: SdcJobsKind. */
void
sdc_historyjobs_process(SdcJobs *jobs, void *arg)
{
	Work	   *work = arg;
	uint32		task;

	begin_process(jobs, work);
	while (sdc_jobs_next(jobs, (uint32) work->passes * tasks_of(&work->history[0]), &task))
	{
		run_task(work, task);
		sdc_jobs_count(jobs, 1);
	}
	if (work->people > 0 && work->people < last_truth(work))
		meet_others(jobs, work);
	if (IsParallelWorker())
		stop_linking(work);
}

/* tell_done tells others how many tasks are done: SdcJobsKind. */
static void
tell_done(void *arg pg_attribute_unused(), uint64 done)
{
	sdc_progress_attributes((int) Min(done, PG_INT32_MAX));
}

/* add_moved adds what a column has told, but for the guess. */
static void
add_moved(SdcMovement *to, const SdcMovement *from)
{
	to->cells += from->cells;
	to->candidates += from->candidates;
	to->inside += from->inside;
	to->exposed += from->exposed;
}

/* sum_columns sums up what columns have told of all releases together. */
static void
sum_columns(const Work *work, int pass)
{
	const SdcHistory *history = &work->history[pass];
	SdcHistoryFound *found = &work->found[pass][history->releases];

	for (int j = 0; j < history->columns; j++)
	{
		add_moved(&found->moving, &work->moved[pass][j].moving);
		add_moved(&found->windows, &work->moved[pass][j].windows);
		if (pass > 0)
			continue;
		sdc_movement_guesses(work->moving + (uint64) j * last_truth(work), last_truth(work), &found->moving.guess);
		sdc_movement_guesses(work->windows + (uint64) j * last_truth(work), last_truth(work), &found->windows.guess);
	}
}

/* take_found makes the results of what was found by the windows of all passes. */
static void
take_found(const Work *work)
{
	int			releases = work->history[0].releases;
	SdcHistoryFound *found = work->found[0];
	SdcHistoryLinks *together = &found[releases].links;

	together->sizes = work->met.sizes;
	together->found = work->met.found;
	together->wrong = work->met.wrong;
	together->class_inside = work->met.class_inside;
	together->class_guess = work->met.class_guess;
	for (int t = 0; t <= releases && work->passes > 1; t++)
	{
		const SdcHistoryFound *narrow = &work->found[1][t];

		found[t].links.windows = Max(found[t].links.windows, narrow->links.windows);
		found[t].moving.exposed = Max(found[t].moving.exposed, narrow->moving.exposed);
		found[t].windows.exposed = Max(found[t].windows.exposed, narrow->windows.exposed);
	}
}

/* end_all ends the last meeting, when all processes have done their tasks, and makes the results: SdcJobsKind. */
static void
end_all(SdcJobs *jobs pg_attribute_unused(), void *arg)
{
	Work	   *work = arg;

	if (work->people > 0)
		end_meeting(work, work->first);
	stop_linking(work);
	for (int pass = 0; pass < work->passes; pass++)
		if (work->moved[pass] != NULL)
			sum_columns(work, pass);
	take_found(work);
}

/*
 * workers_wanted is how many workers help, each with so many bytes of its own.  None where temp_file_limit may be in
 * the way of these.
 */
static int
workers_wanted(const SdcReleaseHistory *all, uint64 bytes)
{
	uint64		values = 0;
	int			wanted;

	for (int t = 0; t < all->history.releases; t++)
		values += (uint64) all->history.release[t].records * (uint64) all->history.columns;
	wanted = sdc_workers_wanted(values);
	return temp_file_limit >= 0 && bytes > sdc_workers_share(wanted) ? 0 : wanted;
}

/* sdc_historyjobs_run: see historyjobs.h. */
void
sdc_historyjobs_run(SdcReleaseHistory *all, Oid relid, SdcHistoryFound *found)
{
	static const SdcJobsKind kind = {.process = sdc_historyjobs_process, .name = "sdc_historyjobs_process",
	.share = share, .size = sizeof(Work), .merge = end_all, .tell = tell_done};
	const SdcHistory *history = &all->history;
	Work		work = {.history = {*history}, .files = all->files, .found = {found},
	.task = {{history, all->truth, all->classes, all->released, all->secret, false}}};
	uint64		links = sdc_history_link_memory(all->most_records, history->persons, history->columns, history->codes,
												all->classes);
	uint64		movement = sdc_movement_memory(all->most_records, history->persons, sdc_releasehistory_codes(all),
											   history->releases);
	uint32		tasks;
	SdcJobs    *jobs;

	work.people = sdc_history_meeting_people(&work.task[0],
											 Min(CLASSES_MEMORY, sdc_memory_share(sdc_memory_held() + links)));
	work.passes = sdc_releasehistory_narrow(all, &work.history[1]) ? 2 : 1;
	tasks = tasks_of(history) * (uint32) work.passes;
	sdc_progress_start(relid, (int) Min(tasks + more_tasks_of(all, work.people), PG_INT32_MAX));
	sdc_progress_phase(SDC_PHASE_EVALUATING, 0);
	jobs = sdc_jobs_begin(&kind, &work, Min(workers_wanted(all, Max(links, movement)), (int) tasks - 1), NULL, 0);
	if (sdc_jobs_shared(jobs))
		sdc_releasehistory_forget(all);
	sdc_jobs_finish(jobs);
}
