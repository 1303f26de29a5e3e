/*-------------------------------------------------------------------------
 *
 * jobs.h
 *		Work in tasks, done by this process or shared with parallel workers.
 *
 * Work is a struct, with what its pointers lead to, and a function that each process runs: it takes the next of the
 * numbered tasks until there is none left.  Alone the session does so with the struct as it is.  With workers every
 * process, the session too, has a struct of its own with pointers to the same arrays, in memory that all of them see.
 * What these pointers are is said once (share); everything else is done here.  A struct may have members that a process
 * sets for itself.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_RELATION_JOBS_H
#define SDC_RELATION_JOBS_H

#include "nodes/pg_list.h"
#include "relation/base/random.h"
#include "relation/base/workers.h"

typedef struct SdcJobs SdcJobs;

/* What is done. */
typedef struct SdcJobsKind
{
	/* what one process does, and the name of this function, which is exported (PGDLLEXPORT) */
	void		(*process) (SdcJobs *jobs, void *work);
	const char *name;
	/* says what the pointers in the struct lead to; size is that of the struct */
	void		(*share) (SdcJobs *jobs, void *work);
	Size		size;
	/* by the session, when all tasks are done: makes the results of what was found; or NULL */
	void		(*merge) (SdcJobs *jobs, void *work);
	/* by the session, now and then: so many steps are done, by all processes; or NULL */
	void		(*tell) (void *work, uint64 done);
} SdcJobsKind;

/* The work at hand, as a process knows it. */
struct SdcJobs
{
	const SdcJobsKind *kind;	/* session */
	void	   *work;			/* of this process */
	SdcRandom  *random;			/* that it was begun with, or one that draws the same; or NULL */
	SdcWorkers *workers;		/* without any: a place for what processes have in common */
	MemoryContext context;		/* session: of what is here */
	bool		ended;			/* session: so have the workers */
	uint64		team;			/* memory for what processes make together; offset, */
	uint64		team_bytes;		/* and how much there is */

	/* session: what the pointers of the struct lead to */
	uint64		used;			/* bytes of what all processes see */
	uint64		copied;			/* and of what each has a copy of */
	struct HTAB *shared;		/* arrays by where they are, */
	List	   *arrays;			/* and all arrays */
	List	   *copies;
	List	   *pointers;
};

/*
 * For share: what a pointer leads to, by the pointer's address, which is in the struct or in a copy that was made
 * before.  Nothing is done with NULL, but to make room.
 *
 *	sdc_jobs_copy	structs, which every process has for itself: returns a copy, so that pointers in it can be shared
 *	sdc_jobs_share	an array that all processes see; once, however often it is shared
 *	sdc_jobs_room	zeros that all see
 *	sdc_jobs_result	the same, in place of an array that gets what is there when the work is done
 */
extern void *sdc_jobs_copy(SdcJobs *jobs, void *pointer, uint64 count, Size size);
extern void sdc_jobs_share(SdcJobs *jobs, void *pointer, uint64 count, Size size);
extern void sdc_jobs_room(SdcJobs *jobs, void *pointer, uint64 count, Size size);
extern void sdc_jobs_result(SdcJobs *jobs, void *pointer, uint64 count, Size size);

/*
 * sdc_jobs_begin has so many workers begin, as far as they can be had; the session is alone with none, where
 * temp_file_limit has no room for what is shared, and where the server has no place for a secret that is needed.
 * random: that of the work, or NULL.  team_bytes: memory for what processes make together, if there is room for that
 * too.
 *
 * The caller may do something else meanwhile that writes nothing.  Then sdc_jobs_end does what is left, in the current
 * memory context, and waits; and sdc_jobs_finish, which does so too if need be, makes the results and forgets
 * everything else.
 */
extern SdcJobs *sdc_jobs_begin(const SdcJobsKind *kind, void *work, int wanted, SdcRandom *random, uint64 team_bytes);
extern void sdc_jobs_end(SdcJobs *jobs);
extern void sdc_jobs_finish(SdcJobs *jobs);

/* sdc_jobs_run does all of it. */
extern void sdc_jobs_run(const SdcJobsKind *kind, void *work, int wanted, SdcRandom *random);

/* sdc_jobs_shared tells whether the struct is not the one that the caller has. */
static inline bool
sdc_jobs_shared(const SdcJobs *jobs)
{
	return jobs->workers->base != NULL;
}

/* sdc_jobs_next takes the next of so many tasks, or returns false. */
static inline bool
sdc_jobs_next(SdcJobs *jobs, uint32 tasks, uint32 *task)
{
	return sdc_workers_next(jobs->workers, tasks, task);
}

/* sdc_jobs_count counts steps that are done, and sdc_jobs_done is how many all processes have counted. */
extern void sdc_jobs_count(SdcJobs *jobs, uint64 steps);

static inline uint64
sdc_jobs_done(const SdcJobs *jobs)
{
	return pg_atomic_read_u64(&jobs->workers->shared->done);
}

/* sdc_jobs_team makes a team (kernel/base/team.h) of all processes, for as long as the memory context lives. */
static inline SdcTeam *
sdc_jobs_team(SdcJobs *jobs)
{
	return sdc_workers_team(jobs->workers, jobs->team, jobs->team_bytes);
}

#endif							/* SDC_RELATION_JOBS_H */
