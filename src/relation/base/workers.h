/*-------------------------------------------------------------------------
 *
 * workers.h
 *		Work that the server's parallel workers share with the session that has it.
 *
 * One piece of memory, which is a temporary file that all of them map, has what the work needs (jobs.h), and each
 * process, the leader too, takes the next of the numbered tasks until there is none left, so whatever number of workers
 * there is, all tasks are done: without any the leader does them. Pointers mean nothing to another process; what is in
 * the piece names other parts of it by their offsets.
 *
 * A worker reads no relation and runs nobody's code. Its errors, and a cancel of the leader, end the call.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_RELATION_WORKERS_H
#define SDC_RELATION_WORKERS_H

#include "access/parallel.h"
#include "kernel/base/team.h"
#include "port/atomics.h"
#include "storage/fd.h"
#include "storage/spin.h"

/* The beginning of the piece of memory. */
typedef struct SdcWorkersShared
{
	pg_atomic_uint32 next;		/* the task that is taken next */
	pg_atomic_uint64 done;		/* steps that are done, for sdc_progress */
	pg_atomic_uint32 members;	/* of a team; 0: not known yet */
	pg_atomic_uint64 met;		/* how often one of them has come to a place where they meet */
	slock_t		lock;			/* for what the tasks have in common */
	uint64		root;			/* offset of what describes the work */
} SdcWorkersShared;

/* What a process knows of the work. */
typedef struct SdcWorkers
{
	char	   *base;			/* the piece of memory, or NULL: there are no workers */
	SdcWorkersShared *shared;	/* at its beginning, or of this process alone */
	uint64		bytes;
	File		file;
	ParallelContext *context;
	void		(*tell) (void *arg, uint64 done);	/* see sdc_workers_tell */
	void	   *tell_arg;
	MemoryContextCallback callback;
} SdcWorkers;

/*
 * sdc_workers_init is called when the library is loaded.  Where another one was put in its place, as a package does,
 * workers would load that: then there are none until the session ends.
 */
extern void sdc_workers_init(void);

/* sdc_workers_share is what each of so many workers takes of maintenance_work_mem, in bytes. */
extern uint64 sdc_workers_share(int workers);

/* sdc_workers_wanted is how many workers help with so much work, 0 for little. */
extern int	sdc_workers_wanted(uint64 steps);

/* sdc_workers_bytes is what so many bytes take of the piece. */
static inline uint64
sdc_workers_bytes(uint64 bytes)
{
	return TYPEALIGN64(64, bytes);
}

/*
 * sdc_workers_create makes a piece of so many bytes, of zeros behind its beginning; 0: there will be no workers.
 * sdc_workers_launch launches them; their entry is a function as in access/parallel.h.
 *
 * A secret, or NULL, is found by workers with sdc_workers_secret: it comes into no file, and is wiped when they are
 * done, however that is.  sdc_workers_keep_secrets tells whether the server has a place for that.
 */
extern SdcWorkers *sdc_workers_create(uint64 bytes);
extern void sdc_workers_launch(SdcWorkers *workers, const char *entry, int wanted, const void *secret, Size bytes);
extern const void *sdc_workers_secret(shm_toc *toc);
extern bool sdc_workers_keep_secrets(void);

/* sdc_workers_copy is memcpy, of so much that a cancel cannot wait for its end: the memory is a file. */
extern void sdc_workers_copy(void *to, const void *from, uint64 bytes);

/* sdc_workers_at is what lies at an offset; 0 stands for nothing, NULL. */
static inline void *
sdc_workers_at(const SdcWorkers *workers, uint64 offset)
{
	return offset == 0 ? NULL : workers->base + offset;
}

/* sdc_workers_next takes the next of so many tasks, or returns false. */
extern bool sdc_workers_next(SdcWorkers *workers, uint32 tasks, uint32 *task);

/*
 * sdc_workers_team makes a team (kernel/base/team.h) of the processes that were launched, with memory at an offset, for
 * as long as the memory context lives.
 */
extern SdcTeam *sdc_workers_team(SdcWorkers *workers, uint64 memory, uint64 bytes);

/*
 * sdc_workers_tell has a function called while sdc_workers_finish waits, as often as somebody may want to know: it
 * tells others how many steps are done (SdcWorkersShared).
 */
extern void sdc_workers_tell(SdcWorkers *workers, void (*tell) (void *arg, uint64 done), void *arg);

/*
 * sdc_workers_wait waits until a worker has set a flag there, and tells whether one has: not if none works any more, or
 * none could be had.
 */
extern bool sdc_workers_wait(SdcWorkers *workers, pg_atomic_uint32 *flag);

/* sdc_workers_finish waits for the workers; sdc_workers_destroy gives the piece of memory back. */
extern void sdc_workers_finish(SdcWorkers *workers);
extern void sdc_workers_destroy(SdcWorkers *workers);

/* sdc_workers_attach is what a worker's entry begins with. */
extern SdcWorkers *sdc_workers_attach(shm_toc *toc);

#endif							/* SDC_RELATION_WORKERS_H */
