/*-------------------------------------------------------------------------
 *
 * attack.c
 *		The attacks on a release.
 *
 * The attacks of J. Nin, J. Herranz, V. Torra, "Rethinking rank
 * swapping to decrease disclosure risk", Data & Knowledge Engineering 64 (2008), after
 * J. Domingo-Ferrer, V. Torra, "A quantitative comparison of disclosure control methods
 * for microdata" (2001): each kernel is run on a pairing.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "kernel/agreement/assign.h"
#include "kernel/distance/nearest.h"
#include "measure/attack/attack.h"
#include "relation/base/memory.h"
#include "relation/catalog/steps.h"

/* Patterns of agreement may take as much memory, whatever the budget. */
#define PATTERNS_LEAST ((uint64) 1024 * 1024 * 1024)

/* sdc_attack_reach: see attack.h. */
SdcStepReach *
sdc_attack_reach(const SdcPairedRelease *paired, double percent, bool *known)
{
	SdcStepReach *reach = palloc0(sizeof(SdcStepReach) * Max(paired->pairs.attributes, 1));
	List	   *steps = sdc_steps_of(&paired->row);

	*known = false;
	for (int i = 0; i < paired->pairs.attributes; i++)
	{
		const SdcStep *step = sdc_steps_find(steps, paired->attribute[i]);

		if (percent > 0)
			reach[i] = (SdcStepReach) {.known = true, .percent = percent};
		else if (step != NULL)
			reach[i] = sdc_steps_reach(step);
		*known |= reach[i].known;
	}
	return reach;
}

/* sdc_attack_continued: see attack.h. */
bool
sdc_attack_continued(const SdcStepReach *reach, const int *known, int count)
{
	for (int i = 0; i < count; i++)
		if (reach[known[i]].continued)
			return true;
	return false;
}

/* sdc_attack_check_known: see attack.h. */
void
sdc_attack_check_known(int count)
{
	if (count > SDC_AGREEMENT_ATTRIBUTES)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("probabilistic and rank swapping record linkage can use at most %d attributes, not %d",
						SDC_AGREEMENT_ATTRIBUTES, count),
				 errhint("Functions with an argument \"known\" or \"known_max\" can use fewer; linkage by distance has no limit.")));
}

/* sdc_attack_rank_task prepares rank swapping record linkage. */
SdcRankTask *
sdc_attack_rank_task(const SdcPairedRelease *paired, const SdcStepReach *reach,
					 const int *known, int count, bool sound, const SdcMetricSpace *space)
{
	SdcRankTask *task = palloc(sizeof(SdcRankTask));
	const SdcInterval **intervals = palloc(sizeof(SdcInterval *) * count);

	sdc_attack_check_known(count);
	for (int i = 0; i < count; i++)
	{
		const SdcPairColumn *column = &paired->pairs.column[known[i]];
		SdcInterval *interval = sdc_memory_array(column->codes, sizeof(SdcInterval));
		uint32		values = sdc_pairs_count(column->original, paired->pairs.records);
		SdcPositions positions;

		/* what the release lacks by now was swapped all the same */
		sdc_positions_create(&positions, column->protected, paired->pairs.records, column->codes);
		sdc_rankwindow_intervals(&positions, sdc_steps_window(&reach[known[i]], sound, values), interval);
		sdc_positions_destroy(&positions);
		intervals[i] = interval;
	}
	*task = (SdcRankTask) {
		.pairs = &paired->pairs, .known = known, .count = count, .interval = intervals, .space = space,
	};
	return task;
}

/* sdc_attack_prefix_task: see attack.h. */
SdcRankTask *
sdc_attack_prefix_task(const SdcPairedRelease *paired, const SdcStepReach *reach, const int *known, int count,
					   bool sound, const SdcMetricSpace *space)
{
	SdcRankTask *task = palloc(sizeof(SdcRankTask));
	uint32	   *width = palloc(sizeof(uint32) * count);

	sdc_attack_check_known(count);
	for (int i = 0; i < count; i++)
	{
		const uint32 *code = paired->pairs.column[known[i]].protected;
		uint32		values = 0;

		for (uint32 r = 0; r < paired->pairs.records; r++)
			values += code[r] != SDC_CODE_NULL;
		width[i] = sdc_steps_window(&reach[known[i]], sound, values);
		CHECK_FOR_INTERRUPTS();
	}
	*task = (SdcRankTask) {.pairs = &paired->pairs, .known = known, .count = count, .width = width, .space = space};
	return task;
}

/* sdc_attack_distance links the records by distance. */
SdcLink *
sdc_attack_distance(const SdcEvaluation *evaluation, SdcTeam *team, const int *known, int count,
					SdcMetric metric)
{
	SdcMetricSpace *space = sdc_metricspace_create(&evaluation->paired->pairs, known, count,
												   metric);
	SdcLink    *link = sdc_memory_array(evaluation->count, sizeof(SdcLink));

	for (uint32 i = 0; i < evaluation->count; i++)
		link[i].linked = SDC_RECORD_NONE;
	sdc_nearest_run(space, evaluation->record, evaluation->count, team, link);
	sdc_metricspace_destroy(space);
	return link;
}

/* sdc_attack_models: see attack.h.  How many sets of attributes there will be is not known before. */
void
sdc_attack_models(SdcAgreement *agreement, SdcTeam *team, bool prefixes, SdcLinkModel *models)
{
	uint64		most = Max(sdc_memory_budget(), PATTERNS_LEAST) / SDC_AGREEMENT_PATTERN_BYTES;
	bool		found = prefixes ? sdc_linkmodel_prefixes(agreement, team, most, models) :
		sdc_linkmodel_all(agreement, team, most, models);

	if (!found)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("the records agree in more than " UINT64_FORMAT " different sets of attributes",
						most),
				 errhint("Use fewer attributes, or increase maintenance_work_mem.")));
}

/* sdc_attack_agreement indexes the agreement of known attributes. */
SdcAgreement *
sdc_attack_agreement(const SdcPairedRelease *paired, const int *known, int count)
{
	sdc_attack_check_known(count);
	return sdc_agreement_create(&paired->pairs, known, count);
}

/* sdc_attack_probabilistic links the records by agreement. */
SdcLink *
sdc_attack_probabilistic(const SdcEvaluation *evaluation, SdcTeam *team, const int *known, int count,
						 bool assign, bool names)
{
	const SdcPairedRelease *paired = evaluation->paired;
	SdcAgreement *agreement = sdc_attack_agreement(paired, known, count);
	SdcLink    *link = sdc_memory_array(evaluation->count, sizeof(SdcLink));
	SdcLinkModel model;
	SdcReportScope before;

	sdc_attack_models(agreement, team, false, &model);
	/* the same pairs of records once more, one by one */
	SDC_REPORT(1, 2);
	before = SDC_REPORT_WITHIN(1, 2, 2);
	if (assign)
		sdc_assign_links(agreement, &model, link);
	else
		sdc_fellegisunter_nearest(agreement, &model, evaluation->record, evaluation->count, names,
								  link);
	SDC_REPORT_BACK(before);
	sdc_agreement_destroy(agreement);
	return link;
}

/* run_rankswap links the records by one kind of windows. */
static SdcRankLink *
run_rankswap(const SdcEvaluation *evaluation, const SdcStepReach *reach, const int *known, int count,
			 SdcRankMode mode, bool sound, const SdcMetricSpace *space)
{
	SdcRankTask *task = sdc_attack_rank_task(evaluation->paired, reach, known, count, sound, space);
	SdcRankLink *link = sdc_memory_array(evaluation->count, sizeof(SdcRankLink));

	sdc_ranklink_run(task, mode, evaluation->record, evaluation->count, link);
	return link;
}

/* sdc_attack_rankswap links the records by the reach of the method. */
SdcRankLink *
sdc_attack_rankswap(const SdcEvaluation *evaluation, const SdcStepReach *reach,
					const int *known, int count, SdcRankMode mode)
{
	const SdcMetricSpace *space;
	SdcRankLink *link;
	SdcRankLink *narrow;

	sdc_attack_check_known(count);
	space = sdc_metricspace_create(&evaluation->paired->pairs, known, count, SDC_METRIC_EUCLIDEAN);
	link = run_rankswap(evaluation, reach, known, count, mode, true, space);
	if (!sdc_attack_continued(reach, known, count))
		return link;
	narrow = run_rankswap(evaluation, reach, known, count, mode, false, space);
	for (uint32 i = 0; i < evaluation->count; i++)
		if (sdc_link_share(&narrow[i].link) > sdc_link_share(&link[i].link))
		{
			uint32		candidates = link[i].link.candidates;

			link[i] = narrow[i];
			link[i].link.candidates = candidates;
		}
	return link;
}
