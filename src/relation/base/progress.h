/*-------------------------------------------------------------------------
 *
 * progress.h
 *		Telling other sessions what a call is doing.
 *
 * Uses the server's command progress slots under a command number of our own,
 * which the server's views pass over and the view sdc_progress reads.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_RELATION_PROGRESS_H
#define SDC_RELATION_PROGRESS_H

#include "utils/backend_progress.h"

/* Far above the server's own commands; "SDC" in letters. */
#define SDC_PROGRESS_COMMAND ((ProgressCommandType) 0x534443)

typedef enum SdcPhase
{
	SDC_PHASE_READING = 1,
	SDC_PHASE_PROTECTING,
	SDC_PHASE_WRITING,
	SDC_PHASE_EVALUATING,
	SDC_PHASE_CODING
} SdcPhase;

/* The parameters that are reported, by index. */
enum
{
	SDC_PROGRESS_PHASE,
	SDC_PROGRESS_RECORDS_DONE,
	SDC_PROGRESS_RECORDS_TOTAL,
	SDC_PROGRESS_ATTRIBUTES_DONE,
	SDC_PROGRESS_ATTRIBUTES_TOTAL,
	SDC_PROGRESS_PHASE_START,	/* TimestampTz */
	SDC_PROGRESS_NUMBERS
};

/* What a session reports, if it does. */
typedef struct SdcProgress
{
	bool		reports;
	Oid			relid;
	int64		number[SDC_PROGRESS_NUMBERS];
} SdcProgress;

extern void sdc_progress_start(Oid relid, int attributes);
extern void sdc_progress_phase(SdcPhase phase, uint64 total);
/* sdc_progress_records reports what is done in this phase, of this attribute; it never goes back. */
extern void sdc_progress_records(uint64 done);

/*
 * What a call reads: so many relations, where it is more than one, which is said behind sdc_progress_start; then, for
 * each of them, the records that are expected, by the planner, and those that were read.  (Again: a relation that is
 * read once more, as it did not lie in order.)
 */
extern void sdc_progress_relations(int relations);
extern void sdc_progress_reading(double expected, bool again);
extern void sdc_progress_read(uint64 done);

/* sdc_progress_coding begins to make codes or numbers of so many columns that were read; sdc_progress_next ends one. */
extern void sdc_progress_coding(int columns);

/* sdc_progress_span tells which records a kernel works on, behind those that are done: what it tells is of these. */
extern void sdc_progress_span(uint64 done, uint64 records);

/*
 * sdc_progress_evaluating begins to evaluate so many records in parts, the first of which begins;
 * sdc_progress_next_part begins the next.  How far a part is its kernel tells by SDC_REPORT
 * (kernel/base/kernel_env.h).  What makes the groups or bins that columns are protected in tells it likewise, as if it
 * were of the first column.
 */
extern void sdc_progress_evaluating(uint64 records, int parts);
extern void sdc_progress_next_part(void);

extern void sdc_progress_attributes(int done);
/* sdc_progress_next reports one more of them. */
extern void sdc_progress_next(void);
extern void sdc_progress_end(void);

/* sdc_progress_save and sdc_progress_restore are around a command of the server, whose report takes our place. */
extern void sdc_progress_save(SdcProgress *saved);
extern void sdc_progress_restore(const SdcProgress *saved);
extern const char *sdc_progress_phase_name(int64 phase);

#endif							/* SDC_RELATION_PROGRESS_H */
