/*-------------------------------------------------------------------------
 *
 * progress.c
 *		Telling other sessions what a call is doing.
 *
 * An abort clears the report by itself.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "relation/progress.h"
#include "utils/timestamp.h"

/* Attributes that have been reported as done; what is left by an error counts for nothing. */
static int	attributes_done = 0;

/* sdc_progress_start begins the report of a call on a relation. */
void
sdc_progress_start(Oid relid, int attributes)
{
	pgstat_progress_start_command(SDC_PROGRESS_COMMAND, relid);
	pgstat_progress_update_param(SDC_PROGRESS_ATTRIBUTES_TOTAL, attributes);
	attributes_done = 0;
	sdc_progress_phase(SDC_PHASE_READING, 0);
}

/* sdc_progress_phase reports a new phase; total 0 is unknown. */
void
sdc_progress_phase(SdcPhase phase, uint64 total)
{
	const int	index[] = {SDC_PROGRESS_PHASE, SDC_PROGRESS_RECORDS_DONE, SDC_PROGRESS_RECORDS_TOTAL,
	SDC_PROGRESS_PHASE_START};
	const int64 value[] = {phase, 0, (int64) total, GetCurrentTimestamp()};

	pgstat_progress_update_multi_param(4, index, value);
}

/* sdc_progress_records reports the records that are done in this phase. */
void
sdc_progress_records(uint64 done)
{
	pgstat_progress_update_param(SDC_PROGRESS_RECORDS_DONE, (int64) done);
}

/* sdc_progress_attributes reports the attributes that are protected; the next begins. */
void
sdc_progress_attributes(int done)
{
	const int	index[] = {SDC_PROGRESS_ATTRIBUTES_DONE, SDC_PROGRESS_RECORDS_DONE};
	const int64 value[] = {done, 0};

	attributes_done = done;
	pgstat_progress_update_multi_param(2, index, value);
}

/* sdc_progress_next reports that one more attribute is protected. */
void
sdc_progress_next(void)
{
	sdc_progress_attributes(attributes_done + 1);
}

/* sdc_progress_end ends the report. */
void
sdc_progress_end(void)
{
	pgstat_progress_end_command();
}

/* sdc_progress_phase_name returns how a phase is called in the view. */
const char *
sdc_progress_phase_name(int64 phase)
{
	switch (phase)
	{
		case SDC_PHASE_READING:
			return "reading";
		case SDC_PHASE_PROTECTING:
			return "protecting";
		case SDC_PHASE_WRITING:
			return "writing";
		case SDC_PHASE_EVALUATING:
			return "evaluating";
		default:
			return "starting";
	}
}
