/*-------------------------------------------------------------------------
 *
 * progress.c
 *		Telling other sessions what a call is doing.
 *
 * An abort clears the report by itself.  What is reported within a phase goes forward only, whoever reports: what
 * would be less than before is left out.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "kernel/base/kernel_env.h"
#include "relation/base/progress.h"
#include "utils/backend_status.h"
#include "utils/timestamp.h"

/* What a planner expects may be anything. */
#define EXPECTED_MOST 1e15

/* What has been reported; what is left by an error counts for nothing. */
static SdcPhase phase_now = SDC_PHASE_READING;
static int	attributes_done = 0;
static uint64 records_done = 0;

/* The relations that are read: those there are, the one at hand, and what is expected of the first and of this one. */
static int	relations = 1;
static int	relation = -1;
static double first_expected = 0;
static double expected_now = 0;

/* What kernels tell of themselves is of these records of the phase, or of none; and of which share of them. */
static uint64 span_start = 0;
static uint64 span_records = 0;
static SdcReportScope scope = {0, 1};

/* sdc_progress_start begins the report of a call on a relation. */
void
sdc_progress_start(Oid relid, int attributes)
{
	pgstat_progress_start_command(SDC_PROGRESS_COMMAND, relid);
	pgstat_progress_update_param(SDC_PROGRESS_ATTRIBUTES_TOTAL, attributes);
	attributes_done = 0;
	relations = 1;
	sdc_progress_phase(SDC_PHASE_READING, 0);
}

/* sdc_progress_phase reports a new phase; total 0 is unknown. */
void
sdc_progress_phase(SdcPhase phase, uint64 total)
{
	const int	index[] = {SDC_PROGRESS_PHASE, SDC_PROGRESS_RECORDS_DONE, SDC_PROGRESS_RECORDS_TOTAL,
	SDC_PROGRESS_PHASE_START};
	const int64 value[] = {phase, 0, (int64) total, GetCurrentTimestamp()};

	phase_now = phase;
	records_done = 0;
	relation = -1;
	sdc_progress_span(0, phase == SDC_PHASE_PROTECTING ? total : 0);
	pgstat_progress_update_multi_param(4, index, value);
}

/* sdc_progress_records reports the records that are done in this phase. */
void
sdc_progress_records(uint64 done)
{
	if (done <= records_done)
		return;
	records_done = done;
	pgstat_progress_update_param(SDC_PROGRESS_RECORDS_DONE, (int64) done);
}

/* sdc_progress_relations tells how many relations are read in this phase. */
void
sdc_progress_relations(int count)
{
	relations = count;
}

/*
 * sdc_progress_reading begins to read a relation.  The total is that of the first for each: relations that belong
 * together have about as many records.
 */
void
sdc_progress_reading(double expected, bool again)
{
	if (phase_now != SDC_PHASE_READING || (again && relation >= 0))
		return;
	relation++;
	expected = Min(expected, EXPECTED_MOST);
	expected_now = expected;
	if (relation > 0)
		return;
	first_expected = expected;
	pgstat_progress_update_param(SDC_PROGRESS_RECORDS_TOTAL, (int64) (expected * relations));
}

/* sdc_progress_read reports the records that were read: of one of several relations, as a share of those expected. */
void
sdc_progress_read(uint64 done)
{
	if (phase_now != SDC_PHASE_READING)
		return;
	if (relations > 1)
	{
		double		share = expected_now > 0 ? Min(1.0, done / expected_now) : 0;

		done = (uint64) (first_expected * Min(relation + share, relations));
	}
	sdc_progress_records(done);
}

/* sdc_progress_coding begins to make codes of columns. */
void
sdc_progress_coding(int columns)
{
	pgstat_progress_update_param(SDC_PROGRESS_ATTRIBUTES_TOTAL, columns);
	sdc_progress_attributes(0);
	sdc_progress_phase(SDC_PHASE_CODING, 0);
}

/* sdc_progress_evaluating begins to evaluate records in parts. */
void
sdc_progress_evaluating(uint64 records, int parts)
{
	sdc_progress_attributes(0);
	sdc_progress_phase(SDC_PHASE_EVALUATING, records * parts);
	sdc_progress_span(0, records);
}

/* sdc_progress_span has what kernels tell be of some records. */
void
sdc_progress_span(uint64 done, uint64 records)
{
	span_start = done;
	span_records = records;
	scope = (SdcReportScope) {0, 1};
}

/* sdc_progress_next_part begins the next part. */
void
sdc_progress_next_part(void)
{
	sdc_progress_records(span_start + span_records);
	sdc_progress_span(span_start + span_records, span_records);
}

/* sdc_report reports how far a kernel is: SDC_REPORT. */
void
sdc_report(uint64 done, uint64 total)
{
	double		share;

	if (span_records == 0 || total == 0)
		return;
	share = scope.start + scope.share * Min(1.0, (double) done / total);
	sdc_progress_records(span_start + (uint64) (span_records * Min(1.0, share)));
}

/* sdc_report_within has what is told from now on be of a share of what was told before: SDC_REPORT_WITHIN. */
SdcReportScope
sdc_report_within(uint64 start, uint64 end, uint64 total)
{
	SdcReportScope before = scope;

	if (total > 0)
		scope = (SdcReportScope) {before.start + before.share * start / total, before.share * (end - start) / total};
	return before;
}

/* sdc_report_back ends that: SDC_REPORT_BACK. */
void
sdc_report_back(SdcReportScope before)
{
	scope = before;
}

/* sdc_progress_attributes reports the attributes that are protected; the next begins. */
void
sdc_progress_attributes(int done)
{
	const int	index[] = {SDC_PROGRESS_ATTRIBUTES_DONE, SDC_PROGRESS_RECORDS_DONE};
	const int64 value[] = {done, 0};

	attributes_done = done;
	records_done = 0;
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
	sdc_progress_span(0, 0);
	pgstat_progress_end_command();
}

/* sdc_progress_save: see progress.h. */
void
sdc_progress_save(SdcProgress *saved)
{
	saved->reports = MyBEEntry != NULL && MyBEEntry->st_progress_command == SDC_PROGRESS_COMMAND;
	if (!saved->reports)
		return;
	saved->relid = MyBEEntry->st_progress_command_target;
	for (int i = 0; i < SDC_PROGRESS_NUMBERS; i++)
		saved->number[i] = MyBEEntry->st_progress_param[i];
}

/* sdc_progress_restore: see progress.h. */
void
sdc_progress_restore(const SdcProgress *saved)
{
	int			index[SDC_PROGRESS_NUMBERS];

	if (!saved->reports)
		return;
	for (int i = 0; i < SDC_PROGRESS_NUMBERS; i++)
		index[i] = i;
	pgstat_progress_start_command(SDC_PROGRESS_COMMAND, saved->relid);
	pgstat_progress_update_multi_param(SDC_PROGRESS_NUMBERS, index, saved->number);
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
		case SDC_PHASE_CODING:
			return "coding";
		default:
			return "starting";
	}
}
