/*-------------------------------------------------------------------------
 *
 * linkage.c
 *		The links of one attack, record by record.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "kernel/agreement/assign.h"
#include "measure/attack/attackjobs.h"
#include "measure/attack/linkage.h"
#include "relation/base/memory.h"

/* How results of attacks lie in memory: each begins with its link. */
StaticAssertDecl(offsetof(SdcRankLink, link) == 0 && offsetof(SdcCandidatesLink, link) == 0,
				 "a result of an attack begins with its link");

/* emit_links passes on what was found for every record: results of a size, of which ranks tell more. */
static void
emit_links(const SdcEvaluation *evaluation, const void *results, Size size, bool ranks,
		   SdcLinkageEmit emit, void *arg)
{
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext, "sdc row",
												  ALLOCSET_SMALL_SIZES);
	MemoryContext old = MemoryContextSwitchTo(context);

	for (uint32 i = 0; i < evaluation->count; i++)
	{
		SdcLinkageRow row;

		row.link = (const SdcLink *) ((const char *) results + i * size);
		row.inside = ranks ? ((const SdcRankLink *) results)[i].inside : 0;
		row.record = sdc_evaluation_key(evaluation, sdc_evaluation_record(evaluation, i));
		row.linked = row.link->linked == SDC_RECORD_NONE ? NULL :
			sdc_evaluation_key(evaluation, row.link->linked);
		emit(arg, &row);
		MemoryContextReset(context);
		if (i % 1024 == 0)
			CHECK_FOR_INTERRUPTS();
	}
	MemoryContextSwitchTo(old);
}

/* check_mahalanobis insists on attributes that have a covariance. */
static void
check_mahalanobis(const SdcPairedRelease *paired, const int *known, int count)
{
	for (int i = 0; i < count; i++)
		if (paired->kind[known[i]] == SDC_VALUE_NOMINAL)
			ereport(ERROR,
					(errcode(ERRCODE_DATATYPE_MISMATCH),
					 errmsg("column \"%s\" cannot be used with the mahalanobis distance",
							paired->attribute[known[i]]),
					 errdetail("Its values are not numbers, dates or times."),
					 errhint("Leave it out of argument \"known\", or use the gower distance.")));
}

/* run_job runs an attack, and returns its links. */
static void *
run_job(const SdcEvaluation *evaluation, const SdcStepReach *reach, const int *known, int count, SdcAttackJob job)
{
	SdcAttackWork work = {.evaluation = *evaluation, .reach = reach, .known = known, .known_max = count,
	.job = &job, .jobs = 1};

	job.link = sdc_memory_array(evaluation->count,
								job.kind == SDC_ATTACK_WINDOW ? sizeof(SdcRankLink) : sizeof(SdcLink));
	sdc_attackjobs_run(&work);
	return job.link;
}

/* sdc_linkage_distance links the records by distance. */
void
sdc_linkage_distance(const SdcEvaluation *evaluation, const int *known, int count,
					 SdcMetric metric, SdcLinkageEmit emit, void *arg)
{
	if (metric == SDC_METRIC_MAHALANOBIS)
		check_mahalanobis(evaluation->paired, known, count);
	emit_links(evaluation, run_job(evaluation, NULL, known, count,
								   (SdcAttackJob) {.kind = SDC_ATTACK_DISTANCE, .metric = metric}),
			   sizeof(SdcLink), false, emit, arg);
}

/* check_assignment insists on a file that can be assigned one to one. */
static void
check_assignment(const SdcEvaluation *evaluation)
{
	if (evaluation->sampled)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("a sample cannot be assigned one to one"),
				 errhint("Leave out argument \"sample\", or use assignment => 'nearest'.")));
	if (evaluation->count > SDC_ASSIGN_RECORDS)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("at most %d records can be assigned one to one, and there are %u",
						SDC_ASSIGN_RECORDS, evaluation->count),
				 errhint("Use assignment => 'nearest'.")));
}

/* sdc_linkage_probabilistic links the records by agreement. */
void
sdc_linkage_probabilistic(const SdcEvaluation *evaluation, const int *known, int count,
						  bool assign, SdcLinkageEmit emit, void *arg)
{
	const void *link;

	sdc_attack_check_known(count);
	if (assign)
		check_assignment(evaluation);
	if (evaluation->count == 0)
		return;
	if (assign)
		link = sdc_attack_probabilistic(evaluation, NULL, known, count, true, true);
	else
		link = run_job(evaluation, NULL, known, count, (SdcAttackJob) {.kind = SDC_ATTACK_AGREEMENT});
	emit_links(evaluation, link, sizeof(SdcLink), false, emit, arg);
}

/* sdc_linkage_reach finds the reach that an attack is to use for each attribute. */
SdcStepReach *
sdc_linkage_reach(const SdcPairedRelease *paired, double percent)
{
	bool		known;
	SdcStepReach *reach = sdc_attack_reach(paired, percent, &known);

	if (!known && percent == 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("release \"%s\" does not tell how far its method moves a value",
						paired->name),
				 errdetail("Its method is \"%s\".", paired->row.method),
				 errhint("Give an upper bound in argument \"p\", in percent of the ranks.")));
	return reach;
}

/* sdc_linkage_rankswap links the records by the reach of the method. */
void
sdc_linkage_rankswap(const SdcEvaluation *evaluation, const SdcStepReach *reach,
					 const int *known, int count, SdcRankMode mode, SdcLinkageEmit emit, void *arg)
{
	sdc_attack_check_known(count);
	emit_links(evaluation, run_job(evaluation, reach, known, count,
								   (SdcAttackJob) {.kind = SDC_ATTACK_WINDOW, .mode = mode}),
			   sizeof(SdcRankLink), true, emit, arg);
}

/* sdc_linkage_release passes on links by all that is known. */
void
sdc_linkage_release(const SdcEvaluation *evaluation, const SdcCandidatesLink *link,
					SdcLinkageEmit emit, void *arg)
{
	emit_links(evaluation, link, sizeof(SdcCandidatesLink), false, emit, arg);
}
