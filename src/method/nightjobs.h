/*-------------------------------------------------------------------------
 *
 * nightjobs.h
 *		The columns of a night, ordered by parallel workers while the session goes on.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_METHOD_NIGHTJOBS_H
#define SDC_METHOD_NIGHTJOBS_H

#include "relation/ordering.h"

typedef struct SdcNightJobs SdcNightJobs;

/*
 * sdc_nightjobs_begin has workers order what so many tasks say, of one source, in the order of the tasks; the first one
 * is left to the session.  NULL: nobody helps.  Columns that are shared go to the file of their spool.  Until the jobs
 * end nothing can be written to a table.
 */
extern SdcNightJobs *sdc_nightjobs_begin(const SdcOrderingTask *tasks, int count, SdcSpool *spool);

/*
 * sdc_nightjobs_order returns the order of a task that a worker has or will have, which stays there until the jobs end.
 * NULL: none has taken it, and none will.  Before the column of a task is given up, this has to be called.
 */
extern SdcOrdering *sdc_nightjobs_order(SdcNightJobs *jobs, int task);

extern void sdc_nightjobs_end(SdcNightJobs *jobs);

#endif							/* SDC_METHOD_NIGHTJOBS_H */
