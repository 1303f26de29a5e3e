/*-------------------------------------------------------------------------
 *
 * workers.h
 *		Work that the server's parallel workers share with the session that has it.
 *
 * The leader puts what the work needs into one piece of memory, which is a temporary file that all of them map, and
 * launches workers. Each process, the leader too, takes the next of the numbered tasks until there is none left,
 * so whatever number of workers there is, all tasks are done: without any the leader does them. Pointers mean
 * nothing to another process; what is in the piece names other parts of it by their offsets.
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

/* An array that is in the piece of memory already. */
typedef struct SdcWorkersArray
{
	const void *data;
	uint64		offset;
} SdcWorkersArray;

/* What a process knows of the work. */
typedef struct SdcWorkers
{
	char	   *base;			/* the piece of memory; leader: NULL while it is not known how large it will be */
	SdcWorkersShared *shared;	/* at its beginning */
	uint64		bytes;
	uint64		used;			/* leader: bytes that are taken */
	SdcWorkersArray *array;		/* leader: what was put there by sdc_workers_put_array */
	int			arrays;
	int			array_space;
	File		file;
	ParallelContext *context;
	void		(*tell) (void *arg, uint64 done);	/* see sdc_workers_tell */
	void	   *tell_arg;
	MemoryContextCallback callback;
} SdcWorkers;

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
 * sdc_workers_create makes a piece of so many bytes, 0: of none, but with its beginning.  sdc_workers_launch launches
 * workers, with a secret or NULL.
 */
extern SdcWorkers *sdc_workers_create(uint64 bytes);
extern void sdc_workers_launch(SdcWorkers *workers, const char *entry, int wanted, const void *secret, Size bytes);

/*
 * sdc_workers_start launches workers, whose entry is a function as in access/parallel.h.  pack puts what they need into
 * the piece of memory, and returns the offset of what describes the work (root).  It is called twice and does the same
 * each time: what it puts is only counted at first.
 */
typedef uint64 (*SdcWorkersPack) (SdcWorkers *workers, const void *arg);
extern SdcWorkers *sdc_workers_start(const char *entry, int wanted, SdcWorkersPack pack, const void *arg);

/*
 * The same, with something secret that workers find by sdc_workers_secret: it comes into no file, and is wiped when
 * they are done, however that is.  sdc_workers_keep_secrets tells whether the server has a place for that.
 */
extern SdcWorkers *sdc_workers_start_secret(const char *entry, int wanted, SdcWorkersPack pack, const void *arg,
											const void *secret, Size bytes);
extern const void *sdc_workers_secret(shm_toc *toc);
extern bool sdc_workers_keep_secrets(void);

/*
 * sdc_workers_put puts some bytes there, or zeros in place of NULL, and sdc_workers_put_array an array, once however
 * often it is put, or nothing in place of NULL.  Both return the offset.
 */
extern uint64 sdc_workers_put(SdcWorkers *workers, const void *data, uint64 bytes);
extern uint64 sdc_workers_put_array(SdcWorkers *workers, const void *data, uint64 count, Size size);

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
