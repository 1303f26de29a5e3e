/*-------------------------------------------------------------------------
 *
 * nightjobs.h
 *		The columns of a night, shared with parallel workers.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_METHOD_NIGHTJOBS_H
#define SDC_METHOD_NIGHTJOBS_H

#include "method/continued/nightcolumn.h"

typedef struct SdcNightJobs SdcNightJobs;

/*
 * sdc_nightjobs_begin has workers continue some of so many columns, which are marked as shared: what the state says of
 * these is read.  NULL: none is, and nobody helps.  Columns that are shared go to the files of their spools.  Until the
 * jobs end nothing can be written to a table.
 */
extern SdcNightJobs *sdc_nightjobs_begin(SdcNightCells *const *columns, int count);

/* sdc_nightjobs_take tells whether the session can have a shared column, for good; otherwise a worker has it. */
extern bool sdc_nightjobs_take(SdcNightJobs *jobs, int place);

/* sdc_nightjobs_wait waits for a column that a worker has, and fills in what has come of it. */
extern void sdc_nightjobs_wait(SdcNightJobs *jobs, int place);

extern void sdc_nightjobs_end(SdcNightJobs *jobs);

#endif							/* SDC_METHOD_NIGHTJOBS_H */
