/*-------------------------------------------------------------------------
 *
 * runs.h
 *		The log of runs: what was published, rejected, withdrawn, by whom and why.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_PUBLISH_RUNS_H
#define SDC_PUBLISH_RUNS_H

#include "datatype/timestamp.h"
#include "nodes/pg_list.h"
#include "utils/jsonb.h"

/* The columns of the log, as in the install script. */
enum
{
	SDC_RUN_NUMBER = 1, SDC_RUN_POLICY, SDC_RUN_OWNER, SDC_RUN_STARTED_BY, SDC_RUN_STARTED_AT, SDC_RUN_FINISHED_AT,
	SDC_RUN_STATUS, SDC_RUN_REASON, SDC_RUN_APPROVERS, SDC_RUN_DETAIL, SDC_RUN_WRITTEN_BY
};

/* What has become of a run.  Nothing but the functions that do these things writes them. */
#define SDC_RUN_RUNNING "running"
#define SDC_RUN_PUBLISHED "published"
#define SDC_RUN_REJECTED "rejected"
#define SDC_RUN_FAILED "failed"
#define SDC_RUN_WAITING "waiting"
#define SDC_RUN_WITHDRAWN "withdrawn"

/* A row of the log. */
typedef struct SdcRun
{
	int64		number;
	const char *policy;			/* NULL: without one */
	const char *owner;			/* a role, by its name then, or now if its release is there */
	const char *started_by;		/* who was logged in */
	TimestampTz started_at;
	TimestampTz finished_at;	/* 0: not yet */
	const char *status;
	const char *reason;			/* NULL: none is needed */
	List	   *approvers;		/* char *, roles that may see it */
	Jsonb	   *detail;			/* NULL in what is visited: sdc_runs_detail */
	Datum		kept;			/* the same as the table has it, which may be far away */
	Oid			written_by;		/* who restored it, or InvalidOid */
} SdcRun;

/* Whether a run is at work: what it publishes is in its own row. */
extern bool sdc_runs_at_work;

/* sdc_runs_add enters a run of the caller's, and gives it its number. */
extern void sdc_runs_add(Oid schema, SdcRun *run);

/* sdc_runs_find finds a run, and tells whether it is there. */
extern bool sdc_runs_find(Oid schema, int64 number, SdcRun *run);

/* sdc_runs_change replaces the row of a run: who does it holds the lock of the policy. */
extern void sdc_runs_change(Oid schema, const SdcRun *run);

/* sdc_runs_remove removes the row of a run. */
extern void sdc_runs_remove(Oid schema, int64 number);

/*
 * sdc_runs_visit calls a function for every run that counts, or for those of a policy, in no order.  What a run has
 * measured is not read: sdc_runs_detail does that.
 */
typedef void (*SdcRunVisit) (void *arg, const SdcRun *run);
extern void sdc_runs_visit(Oid schema, const char *policy, SdcRunVisit visit, void *arg);
extern Jsonb *sdc_runs_detail(const SdcRun *run);

/*
 * sdc_runs_may_see tells whether the caller may know of a run: who has the rights of its owner, as sdc_runs_is_own
 * tells, or may approve it.
 */
extern bool sdc_runs_may_see(const SdcRun *run);
extern bool sdc_runs_is_own(const SdcRun *run);

/*
 * sdc_runs_lock takes the lock of a policy, which one session can have, until the transaction ends, or for a run that
 * ends transactions: that one keeps it until sdc_runs_unlock, which the run calls on every way out, and the end of the
 * session too.  False: another session has it.  sdc_runs_is_locked tells whether any has.
 */
extern bool sdc_runs_lock(Oid schema, const char *policy, Oid owner, bool run);
extern void sdc_runs_unlock(void);
extern bool sdc_runs_is_locked(Oid schema, const char *policy, Oid owner);

/*
 * sdc_runs_lock_name waits for others that set or drop a policy of a name, and keeps them waiting until the transaction
 * ends: those of other names go on.
 */
extern void sdc_runs_lock_name(Oid schema, const char *policy);

/*
 * sdc_runs_require_own_hand refuses to begin, approve, publish or withdraw anything where code of somebody's is at work
 * that another session, or a run, has called: the log would say that it was done by the role that is logged in.
 */
extern void sdc_runs_require_own_hand(const char *function);

#endif							/* SDC_PUBLISH_RUNS_H */
