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
	SDC_PHASE_EVALUATING
} SdcPhase;

/* The parameters that are reported, by index. */
enum
{
	SDC_PROGRESS_PHASE,
	SDC_PROGRESS_RECORDS_DONE,
	SDC_PROGRESS_RECORDS_TOTAL,
	SDC_PROGRESS_ATTRIBUTES_DONE,
	SDC_PROGRESS_ATTRIBUTES_TOTAL,
	SDC_PROGRESS_PHASE_START	/* TimestampTz */
};

extern void sdc_progress_start(Oid relid, int attributes);
extern void sdc_progress_phase(SdcPhase phase, uint64 total);
extern void sdc_progress_records(uint64 done);
extern void sdc_progress_attributes(int done);
/* sdc_progress_next reports one more of them. */
extern void sdc_progress_next(void);
extern void sdc_progress_end(void);
extern const char *sdc_progress_phase_name(int64 phase);

#endif							/* SDC_RELATION_PROGRESS_H */
