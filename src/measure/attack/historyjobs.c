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
#include "relation/base/largearray.h"
#include "relation/base/memory.h"
#include "relation/base/progress.h"
#include "relation/base/workers.h"
#include "utils/guc.h"

#define USE "comparing releases"

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
	int			passes;
	uint32		people;			/* whose classes are met at a time; 0: there are none */
	uint64	   *set;			/* of each of them */
	SdcHistoryFound *found[PASSES]; /* by release, and of all */
	/* shared work only: by column, what moves in all releases together; otherwise it is added up at once */
	Moved	   *moved[PASSES];
	uint32	   *moving;			/* by column, by record of the last truth: as in SdcMovementCells */
	uint32	   *windows;
} Work;

/* What is packed into the memory that processes share; offsets (relation/base/workers.h). */
typedef struct PackedFile
{
	uint32		records;
	uint64		person;
	uint64		code;			/* by column, offsets; behind them of the classes, if there are any */
} PackedFile;

typedef struct Packed
{
	SdcHistory	history;
	uint64		codes;
	uint64		file;			/* PackedFile: releases, then sources */
	int			files;
	uint64		truth;			/* by release: number of the file */
	uint64		width[PASSES];	/* by release, by column */
	int			passes;
	uint32		classes;
	uint32		people;
	uint64		set;
	uint64		found[PASSES];
	uint64		moved[PASSES];
	uint64		moving;
	uint64		windows;
} Packed;

/* What is packed. */
typedef struct Packing
{
	const SdcReleaseHistory *all;
	uint32		people;
} Packing;

/* One process. */
typedef struct Process
{
	Work		work;
	SdcWorkers *workers;		/* NULL: it is alone */
	SdcTeam    *team;			/* of all processes, as soon as they wait for each other */
	uint32		next;			/* alone: the task that is taken next, */
	uint64		done;			/* and those that are done */
	SdcHistoryLinking *linking; /* NULL: none, */
	int			pass;			/* or that of these windows */
	SdcHistoryLinks met;		/* leader: what people had in common who were met */
} Process;

PGDLLEXPORT void sdc_historyjobs_worker(dsm_segment *segment, shm_toc *toc);

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

/* next_task takes the next of so many tasks, or returns false. */
static bool
next_task(Process *process, uint32 tasks, uint32 *task)
{
	if (process->workers != NULL)
		return sdc_workers_next(process->workers, tasks, task);
	CHECK_FOR_INTERRUPTS();
	*task = process->next++;
	return *task < tasks;
}

/* count_done lets other sessions see how far the work is. */
static void
count_done(Process *process)
{
	uint64		done = process->workers == NULL ? ++process->done :
		pg_atomic_add_fetch_u64(&process->workers->shared->done, 1);

	if (!IsParallelWorker())
		sdc_progress_attributes((int) Min(done, PG_INT32_MAX));
}

/* stop_linking gives up what is kept from release to release. */
static void
stop_linking(Process *process)
{
	if (process->linking != NULL)
		sdc_history_linking_destroy(process->linking);
	process->linking = NULL;
}

/* linking_of returns what attacks people by the windows of a pass. */
static SdcHistoryLinking *
linking_of(Process *process, int pass)
{
	if (process->linking != NULL && process->pass != pass)
		stop_linking(process);
	if (process->linking == NULL)
		process->linking = sdc_history_linking_create(&process->work.task[pass]);
	process->pass = pass;
	return process->linking;
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
attack_column(Process *process, int pass, int column)
{
	Work	   *work = &process->work;
	const SdcHistory *history = &work->history[pass];
	const SdcHistorySpan span = {0, history->releases};
	SdcHistoryFound *found = &work->found[pass][history->releases];
	Moved	   *moved = work->moved[pass] == NULL ? NULL : &work->moved[pass][column];
	SdcMovementCells cells = {0};

	stop_linking(process);
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
run_task(Process *process, uint32 task)
{
	Work	   *work = &process->work;
	int			releases = work->history[0].releases;
	int			pass = (int) (task / tasks_of(&work->history[0]));
	int			number = (int) (task % tasks_of(&work->history[0]));

	if (number == 0)
		sdc_history_link_together(linking_of(process, pass), &work->found[pass][releases].links);
	else if (number <= releases)
	{
		SdcHistoryFound *found = &work->found[pass][number - 1];
		SdcHistoryMeeting meeting = meeting_of(work, 0);

		sdc_history_link_release(linking_of(process, pass), number - 1, pass == 0 && work->people > 0 ? &meeting : NULL,
								 &found->links, &found->moving, &found->windows);
	}
	else
		attack_column(process, pass, number - 1 - releases);
	count_done(process);
}

/* end_meeting adds what the people from one on have in common; by the leader alone, when all releases were met. */
static void
end_meeting(Process *process, uint32 first)
{
	SdcHistoryMeeting meeting = meeting_of(&process->work, first);

	sdc_history_meeting_end(linking_of(process, 0), &meeting, &process->met);
}

/* begin_meeting ends a meeting, and begins that of the next people. */
static void
begin_meeting(Process *process, uint32 first, uint32 next)
{
	SdcHistoryMeeting meeting = meeting_of(&process->work, next);

	end_meeting(process, first);
	sdc_history_meeting_clear(&meeting);
	process->next = 0;
	if (process->workers != NULL)
		pg_atomic_write_u32(&process->workers->shared->next, 0);
}

/* meet_others has people meet who were not met when the releases were attacked, and returns the first of the last. */
static uint32
meet_others(Process *process)
{
	const Work *work = &process->work;
	uint32		first = 0;

	if (work->people > 0 && work->people < last_truth(work) && process->workers != NULL)
		process->team = sdc_workers_team(process->workers, 0, 0);
	while (work->people > 0 && last_truth(work) - first > work->people)
	{
		SdcHistoryMeeting meeting = meeting_of(work, first + work->people);
		uint32		task;

		sdc_team_meet(process->team);
		if (sdc_team_first(process->team))
			begin_meeting(process, first, meeting.first);
		sdc_team_meet(process->team);
		while (next_task(process, (uint32) work->history[0].releases, &task))
		{
			sdc_history_meet(linking_of(process, 0), (int) task, &meeting);
			count_done(process);
		}
		first = meeting.first;
	}
	return first;
}

/* take_tasks does what one process does, and returns the first of the people who were met last. */
static uint32
take_tasks(Process *process)
{
	const Work *work = &process->work;
	uint32		task;

	while (next_task(process, (uint32) work->passes * tasks_of(&work->history[0]), &task))
		run_task(process, task);
	return meet_others(process);
}

/* pack_file packs a file. */
static PackedFile
pack_file(SdcWorkers *workers, const SdcHistoryFile *file, int columns)
{
	PackedFile	packed = {.records = file->records};
	uint64	   *code = palloc(sizeof(uint64) * Max(columns, 1));

	packed.person = sdc_workers_put(workers, file->person, file->records * sizeof(uint32));
	for (int j = 0; j < columns; j++)
	{
		CHECK_FOR_INTERRUPTS();
		code[j] = sdc_workers_put(workers, file->code[j], file->records * sizeof(uint32));
	}
	packed.code = sdc_workers_put(workers, code, sizeof(uint64) * columns);
	pfree(code);
	return packed;
}

/* pack_files packs releases and sources. */
static uint64
pack_files(SdcWorkers *workers, const SdcReleaseHistory *all)
{
	PackedFile *file = palloc(sizeof(PackedFile) * all->files);
	uint64		offset;

	for (int f = 0; f < all->files; f++)
		file[f] = pack_file(workers, &all->history.release[f], all->history.columns + (all->classes > 0));
	offset = sdc_workers_put(workers, file, sizeof(PackedFile) * all->files);
	pfree(file);
	return offset;
}

/* pack_widths packs windows. */
static uint64
pack_widths(SdcWorkers *workers, const SdcHistory *history)
{
	Size		columns = (Size) history->columns;
	uint32	   *width = palloc(sizeof(uint32) * columns * history->releases);
	uint64		offset;

	for (int t = 0; t < history->releases; t++)
		memcpy(width + (Size) t * columns, history->width[t], sizeof(uint32) * columns);
	offset = sdc_workers_put(workers, width, sizeof(uint32) * columns * history->releases);
	pfree(width);
	return offset;
}

/* cells_of is how many cells are kept until all columns are done. */
static uint64
cells_of(const SdcReleaseHistory *all)
{
	return (uint64) all->truth[all->history.releases - 1].records * (uint64) all->history.columns;
}

/* set_bytes is what the bitmaps of people take who are met at a time. */
static uint64
set_bytes(const SdcReleaseHistory *all, uint32 people)
{
	SdcHistoryTask task = {&all->history, all->truth, all->classes, all->released, all->secret, false};

	return people == 0 ? 0 : sdc_history_meeting_bytes(&task, people);
}

/* pack packs the work: SdcWorkersPack. */
static uint64
pack(SdcWorkers *workers, const void *arg)
{
	const Packing *packing = arg;
	const SdcReleaseHistory *all = packing->all;
	Packed		packed = {.history = all->history, .files = all->files, .passes = 1, .classes = all->classes,
	.people = packing->people};
	SdcHistory	history[PASSES] = {all->history};

	if (sdc_releasehistory_narrow(all, &history[1]))
		packed.passes = 2;
	packed.codes = sdc_workers_put(workers, all->history.codes, sizeof(uint32) * all->history.columns);
	packed.file = pack_files(workers, all);
	packed.truth = sdc_workers_put(workers, all->truth_file, sizeof(int) * all->history.releases);
	for (int pass = 0; pass < packed.passes; pass++)
	{
		packed.width[pass] = pack_widths(workers, &history[pass]);
		packed.found[pass] = sdc_workers_put(workers, NULL, sizeof(SdcHistoryFound) * (all->history.releases + 1));
		packed.moved[pass] = sdc_workers_put(workers, NULL, sizeof(Moved) * all->history.columns);
	}
	packed.moving = sdc_workers_put(workers, NULL, cells_of(all) * sizeof(uint32));
	packed.windows = sdc_workers_put(workers, NULL, cells_of(all) * sizeof(uint32));
	packed.set = sdc_workers_put(workers, NULL, set_bytes(all, packing->people));
	if (workers->base != NULL)
		memset(sdc_workers_at(workers, packed.set), 0xFF, set_bytes(all, packing->people));
	return sdc_workers_put(workers, &packed, sizeof(Packed));
}

/* unpack_file makes a file of what is packed. */
static SdcHistoryFile
unpack_file(const SdcWorkers *workers, const PackedFile *packed, int columns)
{
	const uint64 *offset = sdc_workers_at(workers, packed->code);
	const uint32 **code = palloc(sizeof(uint32 *) * Max(columns, 1));

	for (int j = 0; j < columns; j++)
		code[j] = sdc_workers_at(workers, offset[j]);
	return (SdcHistoryFile) {packed->records, sdc_workers_at(workers, packed->person), code};
}

/* unpack_widths makes windows of them. */
static const uint32 *const *
unpack_widths(const SdcWorkers *workers, const Packed *packed, int pass)
{
	const uint32 *width = sdc_workers_at(workers, packed->width[pass]);
	const uint32 **by_release = palloc(sizeof(uint32 *) * packed->history.releases);

	for (int t = 0; t < packed->history.releases; t++)
		by_release[t] = width + (Size) t * (Size) packed->history.columns;
	return by_release;
}

/* unpack_task makes of it what is attacked. */
static SdcHistoryTask
unpack_task(const SdcWorkers *workers, const Packed *packed, SdcHistory *history)
{
	int			releases = packed->history.releases;
	int			columns = packed->history.columns;
	const PackedFile *from = sdc_workers_at(workers, packed->file);
	const int  *truth_file = sdc_workers_at(workers, packed->truth);
	SdcHistoryFile *file = palloc(sizeof(SdcHistoryFile) * packed->files);
	SdcHistoryFile *truth = palloc(sizeof(SdcHistoryFile) * releases);
	const uint32 **released = palloc0(sizeof(uint32 *) * releases);
	const uint32 **secret = palloc0(sizeof(uint32 *) * releases);

	for (int f = 0; f < packed->files; f++)
		file[f] = unpack_file(workers, &from[f], columns + (packed->classes > 0));
	for (int t = 0; t < releases; t++)
	{
		truth[t] = file[truth_file[t]];
		if (packed->classes == 0)
			continue;
		released[t] = file[t].code[columns];
		secret[t] = truth[t].code[columns];
	}
	*history = packed->history;
	history->codes = sdc_workers_at(workers, packed->codes);
	history->release = file;
	return (SdcHistoryTask) {history, truth, packed->classes, released, secret, false};
}

/* unpack makes of it what a process works on. */
static void
unpack(SdcWorkers *workers, Process *process)
{
	const Packed *packed = sdc_workers_at(workers, workers->shared->root);
	Work	   *work = &process->work;

	process->workers = workers;
	work->task[0] = unpack_task(workers, packed, &work->history[0]);
	work->passes = packed->passes;
	for (int pass = 0; pass < packed->passes; pass++)
	{
		work->history[pass] = work->history[0];
		work->history[pass].width = unpack_widths(workers, packed, pass);
		work->task[pass] = work->task[0];
		work->task[pass].history = &work->history[pass];
		work->task[pass].windows_only = pass > 0;
		work->found[pass] = sdc_workers_at(workers, packed->found[pass]);
		work->moved[pass] = sdc_workers_at(workers, packed->moved[pass]);
	}
	work->people = packed->people;
	work->set = sdc_workers_at(workers, packed->set);
	work->moving = sdc_workers_at(workers, packed->moving);
	work->windows = sdc_workers_at(workers, packed->windows);
}

/* sdc_historyjobs_worker is what a worker does. */
void
sdc_historyjobs_worker(dsm_segment *segment pg_attribute_unused(), shm_toc *toc)
{
	Process		process = {.workers = NULL};

	unpack(sdc_workers_attach(toc), &process);
	(void) take_tasks(&process);
	stop_linking(&process);
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
take_found(Process *process, SdcHistoryFound *found)
{
	const Work *work = &process->work;
	int			releases = work->history[0].releases;
	SdcHistoryLinks *together = &found[releases].links;

	memcpy(found, work->found[0], sizeof(SdcHistoryFound) * (releases + 1));
	together->sizes = process->met.sizes;
	together->found = process->met.found;
	together->wrong = process->met.wrong;
	together->class_inside = process->met.class_inside;
	together->class_guess = process->met.class_guess;
	for (int t = 0; t <= releases && work->passes > 1; t++)
	{
		const SdcHistoryFound *narrow = &work->found[1][t];

		found[t].links.windows = Max(found[t].links.windows, narrow->links.windows);
		found[t].moving.exposed = Max(found[t].moving.exposed, narrow->moving.exposed);
		found[t].windows.exposed = Max(found[t].windows.exposed, narrow->windows.exposed);
	}
}

/* end_all ends the last meeting, when all processes have done their tasks, and makes the results. */
static void
end_all(Process *process, uint32 last, SdcHistoryFound *found)
{
	const Work *work = &process->work;

	if (work->people > 0)
		end_meeting(process, last);
	stop_linking(process);
	for (int pass = 0; pass < work->passes; pass++)
		if (work->moved[pass] != NULL)
			sum_columns(work, pass);
	take_found(process, found);
}

/* run_alone attacks in this process. */
static void
run_alone(const SdcReleaseHistory *all, uint32 people, SdcHistoryFound *found)
{
	Process		process = {.workers = NULL};
	Work	   *work = &process.work;

	work->history[0] = all->history;
	work->passes = sdc_releasehistory_narrow(all, &work->history[1]) ? 2 : 1;
	for (int pass = 0; pass < work->passes; pass++)
	{
		work->task[pass] = (SdcHistoryTask) {&work->history[pass], all->truth, all->classes, all->released, all->secret,
											 pass > 0};
		work->found[pass] = palloc0(sizeof(SdcHistoryFound) * (all->history.releases + 1));
	}
	work->people = people;
	if (people > 0)
	{
		SdcHistoryMeeting meeting;

		work->set = sdc_memory_array(set_bytes(all, people), 1);
		meeting = meeting_of(work, 0);
		sdc_history_meeting_clear(&meeting);
	}
	end_all(&process, take_tasks(&process), found);
	if (people > 0)
		sdc_free(work->set);
}

/* run_shared attacks with workers. */
static void
run_shared(SdcReleaseHistory *all, int wanted, uint32 people, SdcHistoryFound *found)
{
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext, "sdc releases shared", ALLOCSET_DEFAULT_SIZES);
	MemoryContext old = MemoryContextSwitchTo(context);
	Packing		packing = {all, people};
	SdcWorkers *workers = sdc_workers_start("sdc_historyjobs_worker", wanted, pack, &packing);
	Process		process = {.workers = NULL};
	uint32		last;

	sdc_releasehistory_forget(all);
	unpack(workers, &process);
	last = take_tasks(&process);
	sdc_workers_finish(workers);
	end_all(&process, last, found);
	sdc_workers_destroy(workers);
	MemoryContextSwitchTo(old);
	MemoryContextDelete(context);
}

/*
 * workers_wanted is how many workers help, each with so many bytes of its own.  None where temp_file_limit is in the
 * way.
 */
static int
workers_wanted(const SdcReleaseHistory *all, uint32 people, uint64 bytes)
{
	uint64		packed = all->memory + 2 * cells_of(all) * sizeof(uint32) + set_bytes(all, people);
	uint64		values = 0;
	int			wanted;

	for (int t = 0; t < all->history.releases; t++)
		values += (uint64) all->history.release[t].records * (uint64) all->history.columns;
	wanted = sdc_workers_wanted(values);
	if (temp_file_limit >= 0 && (!sdc_largearray_spares(packed) || bytes > sdc_workers_share(wanted)))
		return 0;
	return wanted;
}

/* sdc_historyjobs_run: see historyjobs.h. */
void
sdc_historyjobs_run(SdcReleaseHistory *all, Oid relid, SdcHistoryFound *found)
{
	const SdcHistory *history = &all->history;
	SdcHistory	narrow;
	uint64		links = sdc_history_link_memory(all->most_records, history->persons, history->columns, history->codes,
												all->classes);
	uint64		movement = sdc_movement_memory(all->most_records, history->persons, sdc_releasehistory_codes(all),
											   history->releases);
	SdcHistoryTask task = {history, all->truth, all->classes, all->released, all->secret, false};
	uint32		people = sdc_history_meeting_people(&task, Min(CLASSES_MEMORY, sdc_memory_share(all->memory + links)));
	uint32		tasks = tasks_of(history) * (sdc_releasehistory_narrow(all, &narrow) ? 2 : 1);
	int			wanted;

	sdc_memory_expect(all->memory + Max(links, movement), USE);
	sdc_progress_start(relid, (int) Min(tasks + more_tasks_of(all, people), PG_INT32_MAX));
	sdc_progress_phase(SDC_PHASE_EVALUATING, 0);
	wanted = Min(workers_wanted(all, people, Max(links, movement)), (int) tasks - 1);
	if (wanted == 0)
		run_alone(all, people, found);
	else
		run_shared(all, wanted, people, found);
}
