/*-------------------------------------------------------------------------
 *
 * people.c
 *		How many people an intruder finds in a release, by all that leaves with it.
 *
 * The definition is ours.  The certain link is that of J. Nin, J. Herranz, V. Torra, "Rethinking rank
 * swapping to decrease disclosure risk", Data & Knowledge Engineering 64 (2008); maximum
 * knowledge is the term of J. Domingo-Ferrer, K. Muralidhar, "New directions in anonymization",
 * Information Sciences 337-338 (2016).  What is found by any attack is an upper bound: nobody
 * knows which attack is right about whom.  The best single one is a lower bound.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "kernel/base/sample.h"
#include "measure/attack/candidatejobs.h"
#include "measure/attack/people.h"
#include "miscadmin.h"
#include "relation/base/memory.h"
#include "relation/base/progress.h"

static const char *const attack_names[] = {
	[SDC_PEOPLE_CANDIDATES] = "candidates",
	[SDC_PEOPLE_NEAREST] = "nearest",
	[SDC_PEOPLE_DISTANCE] = "distance",
	[SDC_PEOPLE_WIDE] = "wide",
	[SDC_PEOPLE_NARROW] = "narrow",
	[SDC_PEOPLE_AGREEMENT] = "agreement"
};

/* sdc_people_attack_name: see people.h. */
const char *
sdc_people_attack_name(SdcPeopleAttack attack)
{
	return attack_names[attack];
}

/* check_everybody raises the error for a release of which nobody can tell what is left. */
static void
check_everybody(const SdcWholeRelease *whole, SdcCandidatesStatus status)
{
	if (status == SDC_CANDIDATES_EDGES)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("the %s have more than " UINT64_FORMAT " candidates in all",
						whole->by_units && !whole->unlinked ? "units" : "records", SDC_CANDIDATES_EDGES_MAX),
				 errhint("Name more columns in argument \"known\", or leave out argument \"everybody\".")));
	if (status == SDC_CANDIDATES_UNSOUND)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("a record of release \"%s\" cannot have been made from its original by the method that is recorded",
						whole->paired->name),
				 errhint("Register the release again with its method and parameters, or leave out argument \"everybody\".")));
}

/* are_linked tells whether units are looked for, by records of the release that are known to belong together. */
static bool
are_linked(const SdcWholeRelease *whole)
{
	return whole->by_units && !whole->unlinked;
}

/* units_task is what is known of units, when so much is known of records. */
static SdcUnitLinksTask *
units_task(const SdcWholeRelease *whole, const SdcCandidatesTask *records)
{
	SdcUnitLinksTask *task = palloc0(sizeof(SdcUnitLinksTask));

	task->records = *records;
	task->units = whole->units;
	task->known_rows = whole->known_rows;
	task->wholes = whole->swapped_count;
	task->whole = whole->swapped;
	return task;
}

/* unit_components finds which units are left; the component of a record is that of its unit. */
static SdcCandidatesStatus
unit_components(const SdcWholeRelease *whole, uint32 *component)
{
	uint32	   *of_unit = sdc_memory_array(whole->units->count, sizeof(uint32));
	SdcCandidatesStatus status = sdc_unitlinks_everybody(units_task(whole, &whole->task), of_unit);

	for (uint32 i = 0; i < whole->task.records && status == SDC_CANDIDATES_OK; i++)
		component[i] = of_unit[whole->units->of[i]];
	sdc_free(of_unit);
	return status;
}

/* find_components finds what is left when everybody else is known (candidates.h, unitlinks.h). */
static const uint32 *
find_components(const SdcWholeRelease *whole)
{
	uint32	   *component = sdc_memory_array(whole->task.records, sizeof(uint32));

	if (whole->wide)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("the candidates that remain when everybody else is known are not defined for method \"%s\"",
						whole->unsound),
				 errdetail("A value may have moved further than the window tells."),
				 errhint("Name columns that were protected otherwise in argument \"known\", or leave out argument \"everybody\".")));
	check_everybody(whole, are_linked(whole) ? unit_components(whole, component) :
					sdc_candidates_everybody(&whole->task, NULL, component));
	return component;
}

/* nearest_task is what nearest knows: with everybody, which records are left for each as well. */
static const SdcCandidatesTask *
nearest_task(const SdcWholeRelease *whole, bool everybody)
{
	SdcCandidatesTask *task = palloc(sizeof(SdcCandidatesTask));
	SdcCandidatesColumn *column;

	*task = whole->task;
	if (!everybody)
		return task;
	column = palloc0(sizeof(SdcCandidatesColumn) * (task->count + 1));
	memcpy(column, task->column, sizeof(SdcCandidatesColumn) * task->count);
	column[task->count].kind = SDC_CANDIDATES_EXACT;
	column[task->count].original = column[task->count].protected = find_components(whole);
	column[task->count].codes = task->records;
	task->column = column;
	task->count++;
	return task;
}

/* add_job adds an attack on records, or with units on these, and returns where its links will be. */
static const SdcCandidatesLink *
add_job(SdcCandidatesWork *work, SdcCandidatesJob *job, const SdcCandidatesTask *task,
		const SdcUnitLinksTask *units, SdcCandidatesAttack attack)
{
	job[work->jobs] = (SdcCandidatesJob) {task, units, attack,
	sdc_memory_array(work->evaluation->count, sizeof(SdcCandidatesLink))};
	return job[work->jobs++].link;
}

/* narrow_task is what is known by the windows of the methods where pairs that are kept may have outgrown them. */
static SdcCandidatesTask *
narrow_task(const SdcWholeRelease *whole)
{
	SdcCandidatesTask *task = palloc(sizeof(SdcCandidatesTask));
	SdcCandidatesColumn *column = palloc(sizeof(SdcCandidatesColumn) * whole->task.count);

	*task = whole->task;
	memcpy(column, task->column, sizeof(SdcCandidatesColumn) * task->count);
	for (int j = 0; j < task->count; j++)
		if (whole->narrow[j] != NULL)
			column[j].window = whole->narrow[j];
	task->column = column;
	return task;
}

/* is_of tells whether links are of the known columns, which all have values in both files, in their order. */
static bool
is_of(const SdcPeopleLinks *links, const SdcEvaluation *evaluation, const SdcWholeRelease *whole)
{
	if (links == NULL || links->known != whole->task.count || whole->compared != whole->task.count ||
		whole->task.count == 0 || links->records != evaluation->count)
		return false;
	for (int j = 0; j < whole->compared; j++)
		if (strcmp(links->name[j], whole->name[j]) != 0)
			return false;
	return true;
}

/*
 * are_plain_windows tells whether all known columns were swapped by ranks, with sound windows, and nothing is missing
 * or without a number, and there are no strata: then nearest and distance do what the attacks on single values do.
 */
static bool
are_plain_windows(const SdcCandidatesTask *task)
{
	if (task->stratum != NULL)
		return false;
	for (int j = 0; j < task->count; j++)
	{
		const SdcCandidatesColumn *column = &task->column[j];
		const SdcPairColumn values = {column->original, column->protected, column->codes, column->value};

		if (column->kind != SDC_CANDIDATES_WINDOW || column->wide != NULL ||
			!sdc_pairs_complete(&values, task->records))
			return false;
	}
	return true;
}

/* are_inside tells whether every right record is among the candidates, as windows that are sound have it. */
static bool
are_inside(const SdcPeopleLinks *links)
{
	for (uint32 i = 0; i < links->records; i++)
		if (links->links.candidates[i] == 0)
			return false;
	return true;
}

/* find_agreement is the attack by agreement of the columns with values in both files. */
static const SdcLink *
find_agreement(const SdcEvaluation *evaluation, const SdcWholeRelease *whole)
{
	int		   *known = palloc(sizeof(int) * Max(whole->compared, 1));

	if (whole->compared == 0 || whole->compared > SDC_AGREEMENT_ATTRIBUTES)
		return NULL;
	for (int j = 0; j < whole->compared; j++)
		known[j] = j;
	return sdc_attack_probabilistic(evaluation, NULL, known, whole->compared, false, false);
}

/* ------------------------------------------------------------------------
 * Attacks on records, of units
 * ------------------------------------------------------------------------
 */

/* The known records of the units that are attacked, in the place of these. */
typedef struct UnitRows
{
	const SdcEvaluation *units;
	const SdcWholeRelease *whole;
	SdcEvaluation rows;
	uint32	   *index;			/* by unit: which of those that are attacked it is; SDC_RECORD_NONE: it is not */
} UnitRows;

/* is_known tells whether a record of a unit that is attacked is known. */
static bool
is_known(const UnitRows *of, uint32 record)
{
	const SdcUnits *units = of->whole->units;
	uint32		unit = units->of[record];
	uint32		known = of->whole->known_rows;

	/* members of a unit ascend */
	return of->index[unit] != SDC_RECORD_NONE && (known == 0 || known >= sdc_units_size(units, unit) ||
												  record < units->member[units->start[unit] + known]);
}

/* take_rows finds the records to attack. */
static void
take_rows(UnitRows *of, const SdcEvaluation *evaluation, const SdcWholeRelease *whole)
{
	const SdcUnits *units = whole->units;
	uint32		count = 0;

	of->units = evaluation;
	of->whole = whole;
	of->rows = *evaluation;
	of->rows.units = NULL;
	of->index = sdc_memory_array(units->count, sizeof(uint32));
	memset(of->index, 0xFF, units->count * sizeof(uint32));
	for (uint32 i = 0; i < evaluation->count; i++)
		of->index[sdc_evaluation_record(evaluation, i)] = i;
	of->rows.record = sdc_memory_array(units->records, sizeof(uint32));
	for (uint32 r = 0; r < units->records; r++)
		if (is_known(of, r))
			of->rows.record[count++] = r;
	of->rows.count = count;
	if (count == units->records)
		of->rows.record = NULL;
}

/* row_unit is which of the units that are attacked a record is of. */
static inline uint32
row_unit(const UnitRows *of, uint32 i)
{
	return of->index[of->whole->units->of[sdc_evaluation_record(&of->rows, i)]];
}

/* unit_of is the unit of a record that was linked, if one was. */
static inline uint32
unit_of(const UnitRows *of, uint32 record)
{
	return record == SDC_RECORD_NONE ? record : of->whole->units->of[record];
}

/* best_rows has every unit get the link of its record that is found best, by that share; the first one of several. */
static const SdcCandidatesLink *
best_rows(const UnitRows *of, const SdcCandidatesLink *link, bool candidates)
{
	SdcCandidatesLink *best = sdc_memory_array(of->units->count, sizeof(SdcCandidatesLink));
	double	   *most = sdc_memory_array(of->units->count, sizeof(double));

	for (uint32 i = 0; i < of->units->count; i++)
		most[i] = -1;
	for (uint32 r = 0; r < of->rows.count; r++)
	{
		uint32		i = row_unit(of, r);
		double		share = candidates ? sdc_candidates_share(&link[r]) : sdc_link_share(&link[r].link);

		if (share <= most[i])
			continue;
		most[i] = share;
		best[i] = link[r];
		best[i].link.linked = unit_of(of, link[r].link.linked);
	}
	sdc_free(most);
	return best;
}

/* best_agreement does so with links by agreement. */
static const SdcLink *
best_agreement(const UnitRows *of, const SdcLink *link)
{
	SdcLink    *best;
	double	   *most;

	if (link == NULL)
		return NULL;
	best = sdc_memory_array(of->units->count, sizeof(SdcLink));
	most = sdc_memory_array(of->units->count, sizeof(double));
	for (uint32 i = 0; i < of->units->count; i++)
		most[i] = -1;
	for (uint32 r = 0; r < of->rows.count; r++)
	{
		uint32		i = row_unit(of, r);

		if (sdc_link_share(&link[r]) <= most[i])
			continue;
		most[i] = sdc_link_share(&link[r]);
		best[i] = link[r];
		best[i].linked = unit_of(of, link[r].linked);
	}
	sdc_free(most);
	return best;
}

/* attack_rows attacks the records of units; with linked ones by the distances and agreement of records only. */
static void
attack_rows(const SdcEvaluation *evaluation, const SdcWholeRelease *whole, bool everybody, SdcPeople *people)
{
	UnitRows	of;
	SdcCandidatesJob job[SDC_PEOPLE_ATTACKS];
	SdcCandidatesWork work = {.evaluation = &of.rows, .job = job};
	const SdcCandidatesLink *link[SDC_PEOPLE_AGREEMENT] = {NULL};
	SdcJobs    *jobs;

	take_rows(&of, evaluation, whole);
	if (!are_linked(whole))
		link[SDC_PEOPLE_NEAREST] = link[SDC_PEOPLE_CANDIDATES] =
			add_job(&work, job, nearest_task(whole, everybody), NULL, SDC_CANDIDATES_NEAREST);
	if (whole->windows)
		link[SDC_PEOPLE_DISTANCE] = add_job(&work, job, &whole->task, NULL, SDC_CANDIDATES_DISTANCE);
	if (!are_linked(whole) && whole->wide)
		link[SDC_PEOPLE_WIDE] = add_job(&work, job, &whole->task, NULL, SDC_CANDIDATES_WIDE);
	if (!are_linked(whole) && whole->narrow != NULL)
		link[SDC_PEOPLE_NARROW] = add_job(&work, job, narrow_task(whole), NULL, SDC_CANDIDATES_NEAREST);
	jobs = sdc_candidatejobs_begin(&work);
	people->agreement = best_agreement(&of, find_agreement(&of.rows, whole));
	sdc_candidatejobs_finish(jobs, &work);
	for (int a = 0; a < SDC_PEOPLE_AGREEMENT; a++)
		if (link[a] != NULL)
			people->link[a] = best_rows(&of, link[a], a == SDC_PEOPLE_CANDIDATES);
}

/* attack_units attacks linked units by all of their known records. */
static void
attack_units(const SdcEvaluation *evaluation, const SdcWholeRelease *whole, bool everybody, SdcPeople *people)
{
	SdcCandidatesJob job[SDC_PEOPLE_ATTACKS];
	SdcCandidatesWork work = {.evaluation = evaluation, .job = job};

	people->link[SDC_PEOPLE_NEAREST] = people->link[SDC_PEOPLE_CANDIDATES] =
		add_job(&work, job, NULL, units_task(whole, nearest_task(whole, everybody)), SDC_CANDIDATES_NEAREST);
	if (whole->wide)
		people->link[SDC_PEOPLE_WIDE] =
			add_job(&work, job, NULL, units_task(whole, &whole->task), SDC_CANDIDATES_WIDE);
	if (whole->narrow != NULL)
		people->link[SDC_PEOPLE_NARROW] =
			add_job(&work, job, NULL, units_task(whole, narrow_task(whole)), SDC_CANDIDATES_NEAREST);
	sdc_candidatejobs_finish(sdc_candidatejobs_begin(&work), &work);
}

/* nearest_unlinked is nearest for the records of units. */
static const SdcCandidatesLink *
nearest_unlinked(const SdcEvaluation *evaluation, const SdcWholeRelease *whole, bool everybody)
{
	UnitRows	of;
	SdcCandidatesJob job;
	SdcCandidatesWork work = {.evaluation = &of.rows, .job = &job};

	take_rows(&of, evaluation, whole);
	(void) add_job(&work, &job, nearest_task(whole, everybody), NULL, SDC_CANDIDATES_NEAREST);
	sdc_candidatejobs_finish(sdc_candidatejobs_begin(&work), &work);
	return best_rows(&of, job.link, false);
}

/* sdc_people_nearest: see people.h. */
const SdcCandidatesLink *
sdc_people_nearest(const SdcEvaluation *evaluation, const SdcWholeRelease *whole, bool everybody)
{
	const SdcCandidatesTask *task;
	SdcCandidatesJob job;
	SdcCandidatesWork work = {.evaluation = evaluation, .job = &job};

	if (evaluation->count == 0)
		return sdc_memory_array(0, sizeof(SdcCandidatesLink));
	if (whole->by_units && whole->unlinked)
		return nearest_unlinked(evaluation, whole, everybody);
	task = nearest_task(whole, everybody);
	(void) add_job(&work, &job, task, are_linked(whole) ? units_task(whole, task) : NULL, SDC_CANDIDATES_NEAREST);
	sdc_candidatejobs_finish(sdc_candidatejobs_begin(&work), &work);
	return job.link;
}

/* sdc_people_attack: see people.h. */
void
sdc_people_attack(const SdcEvaluation *evaluation, const SdcWholeRelease *whole, bool everybody,
				  const SdcPeopleLinks *links, SdcPeople *people)
{
	bool		same = is_of(links, evaluation, whole);
	bool		plain = same && !everybody && links->links.rankswap != NULL && whole->narrow == NULL && !whole->runs &&
		are_plain_windows(&whole->task) && are_inside(links);
	SdcCandidatesJob job[SDC_PEOPLE_ATTACKS];
	SdcCandidatesWork work = {.evaluation = evaluation, .job = job};
	SdcJobs    *jobs;

	memset(people, 0, sizeof(SdcPeople));
	people->records = sdc_evaluation_population(evaluation);
	if (evaluation->count == 0)
	{
		people->link[SDC_PEOPLE_NEAREST] = people->link[SDC_PEOPLE_CANDIDATES] =
			sdc_memory_array(0, sizeof(SdcCandidatesLink));
		return;
	}
	if (whole->by_units)
	{
		attack_rows(evaluation, whole, everybody, people);
		if (are_linked(whole))
			attack_units(evaluation, whole, everybody, people);
		return;
	}
	if (plain)
		people->found = &links->links;
	else
		people->link[SDC_PEOPLE_NEAREST] = people->link[SDC_PEOPLE_CANDIDATES] =
			add_job(&work, job, nearest_task(whole, everybody), NULL, SDC_CANDIDATES_NEAREST);
	if (whole->windows && !plain)
		people->link[SDC_PEOPLE_DISTANCE] = add_job(&work, job, &whole->task, NULL, SDC_CANDIDATES_DISTANCE);
	if (whole->wide)
		people->link[SDC_PEOPLE_WIDE] = add_job(&work, job, &whole->task, NULL, SDC_CANDIDATES_WIDE);
	if (whole->narrow != NULL)
		people->link[SDC_PEOPLE_NARROW] = add_job(&work, job, narrow_task(whole), NULL, SDC_CANDIDATES_NEAREST);
	jobs = sdc_candidatejobs_begin(&work);
	if (same)
		people->agreement_ties = links->links.probabilistic;
	else
		people->agreement = find_agreement(evaluation, whole);
	sdc_candidatejobs_finish(jobs, &work);
}

/* is_found tells whether an attack is one that was known already. */
static inline bool
is_found(const SdcPeople *people, int attack)
{
	return people->found != NULL && attack <= SDC_PEOPLE_DISTANCE;
}

/* sdc_people_has: see people.h. */
bool
sdc_people_has(const SdcPeople *people, SdcPeopleAttack attack)
{
	if (attack == SDC_PEOPLE_AGREEMENT)
		return people->agreement != NULL || people->agreement_ties != NULL;
	return is_found(people, attack) || people->link[attack] != NULL;
}

/* found_share is the share of an attack that was known already. */
static double
found_share(const SdcRiskLinks *found, SdcPeopleAttack attack, uint32 i)
{
	if (attack == SDC_PEOPLE_CANDIDATES)
		return sdc_risk_share(found->candidates[i]);
	return sdc_risk_share(attack == SDC_PEOPLE_NEAREST ? found->rankswap[i] : found->distance[i]);
}

/* sdc_people_share: see people.h. */
double
sdc_people_share(const SdcPeople *people, SdcPeopleAttack attack, uint32 i)
{
	if (attack == SDC_PEOPLE_AGREEMENT)
		return people->agreement_ties != NULL ? sdc_risk_share(people->agreement_ties[i]) :
			sdc_link_share(&people->agreement[i]);
	if (is_found(people, attack))
		return found_share(people->found, attack, i);
	if (attack == SDC_PEOPLE_CANDIDATES)
		return sdc_candidates_share(&people->link[attack][i]);
	return sdc_link_share(&people->link[attack][i].link);
}

/* attack_single tells whether an attack that there is has one candidate for a record; by distance all are. */
static bool
attack_single(const SdcPeople *people, int attack, uint32 i)
{
	if (!is_found(people, attack))
		return sdc_candidates_single(&people->link[attack][i]);
	return (attack == SDC_PEOPLE_DISTANCE ? people->records : people->found->candidates[i]) == 1;
}

/* attack_certain tells whether it is the right one, too: it is a candidate where attacks were known already. */
static bool
attack_certain(const SdcPeople *people, int attack, uint32 i)
{
	return is_found(people, attack) ? attack_single(people, attack, i) :
		sdc_candidates_certain(&people->link[attack][i]);
}

/* sdc_people_certain: see people.h. */
bool
sdc_people_certain(const SdcPeople *people, uint32 i)
{
	for (int a = 0; a < SDC_PEOPLE_NARROW; a++)
		if (sdc_people_has(people, (SdcPeopleAttack) a) && attack_certain(people, a, i))
			return true;
	return false;
}

/* is_single tells whether some attack that has candidates has one for a record. */
static bool
is_single(const SdcPeople *people, uint32 i)
{
	for (int a = 0; a < SDC_PEOPLE_AGREEMENT; a++)
		if (sdc_people_has(people, (SdcPeopleAttack) a) && attack_single(people, a, i))
			return true;
	return false;
}

/* finish_rate computes the percentages of what was found. */
static void
finish_rate(const SdcEvaluation *evaluation, SdcPeopleRate *rate)
{
	rate->has_percent = evaluation->count > 0;
	rate->percent = 100.0 * rate->found / Max(evaluation->count, 1);
	rate->has_bounds = evaluation->sampled;
	sdc_sample_interval(rate->found, evaluation->count, sdc_evaluation_population(evaluation),
						&rate->low, &rate->high);
	rate->low *= 100;
	rate->high *= 100;
}

/* rate_attack sums up one attack. */
static void
rate_attack(const SdcEvaluation *evaluation, const SdcPeople *people, SdcPeopleAttack attack,
			SdcPeopleRate *rate)
{
	*rate = (SdcPeopleRate) {.attack = attack_names[attack],
	.has_candidates = attack != SDC_PEOPLE_AGREEMENT};
	for (uint32 i = 0; i < evaluation->count; i++)
	{
		rate->found += sdc_people_share(people, attack, i);
		if (!rate->has_candidates)
			continue;
		rate->single += attack_single(people, attack, i);
		rate->certain += attack != SDC_PEOPLE_NARROW && attack_certain(people, attack, i);
	}
	finish_rate(evaluation, rate);
}

/* rate_any sums up what the best attack on every record finds. */
static void
rate_any(const SdcEvaluation *evaluation, const SdcPeople *people, SdcPeopleRate *rate)
{
	*rate = (SdcPeopleRate) {.attack = "any", .has_candidates = true};
	for (uint32 i = 0; i < evaluation->count; i++)
	{
		double		share = 0;

		for (int a = 0; a < SDC_PEOPLE_ATTACKS; a++)
			if (sdc_people_has(people, (SdcPeopleAttack) a))
				share = fmax(share, sdc_people_share(people, (SdcPeopleAttack) a, i));
		rate->found += share;
		rate->single += is_single(people, i);
		rate->certain += sdc_people_certain(people, i);
	}
	finish_rate(evaluation, rate);
}

/* sdc_people_rates: see people.h. */
int
sdc_people_rates(const SdcEvaluation *evaluation, const SdcPeople *people, SdcPeopleRate *rate)
{
	int			count = 0;
	int			best = 0;

	for (int a = 0; a < SDC_PEOPLE_ATTACKS; a++)
	{
		if (!sdc_people_has(people, (SdcPeopleAttack) a))
			continue;
		rate_attack(evaluation, people, (SdcPeopleAttack) a, &rate[count]);
		if (rate[count].found > rate[best].found)
			best = count;
		count++;
	}
	rate_any(evaluation, people, &rate[count++]);
	rate[count] = rate[best];
	rate[count++].attack = "best";
	/* a blind guess finds one of all, whoever is in the sample */
	rate[count] = (SdcPeopleRate) {.attack = "chance", .has_percent = evaluation->count > 0};
	if (evaluation->count > 0)
	{
		rate[count].found = (double) evaluation->count / sdc_evaluation_population(evaluation);
		rate[count].percent = 100.0 / sdc_evaluation_population(evaluation);
	}
	return count + 1;
}

/* guess_blindly is what is found by who knows nothing of anybody. */
static void
guess_blindly(uint64 records, SdcPeopleFound *found)
{
	found->known = records > 0;
	found->found = 100.0 / Max(records, 1);
	found->certain = records == 1 ? 100 : 0;
}

/* note_any notes what the best attack on every record finds; of a sample the upper ends. */
static void
note_any(const SdcEvaluation *evaluation, const SdcPeople *people, SdcPeopleFound *found)
{
	SdcPeopleRate any;
	double		low;

	rate_any(evaluation, people, &any);
	if (!any.has_percent)
		return;
	found->known = true;
	found->found = any.has_bounds ? any.high : any.percent;
	sdc_sample_interval((double) any.certain, evaluation->count, people->records, &low, &found->certain);
	found->certain *= 100;
}

/*
 * take_links counts the people that links find that are known already; false if these are not all that there is to
 * find, so that the release has to be read.
 */
static bool
take_links(const SdcWholeRequest *request, const SdcPeopleLinks *links, SdcPeopleFound *found)
{
	SdcPairedRelease paired = {.pairs.records = links->all};
	SdcEvaluation evaluation = {.paired = &paired, .count = links->records, .sampled = links->records < links->all};
	SdcPeople	people = {.found = &links->links, .records = links->all, .agreement_ties = links->links.probabilistic};

	if (links->known == 0 || links->links.rankswap == NULL || !links->complete || !are_inside(links) ||
		!sdc_wholerelease_windows(request, links->name, links->known))
		return false;
	note_any(&evaluation, &people, found);
	return true;
}

/* sdc_people_measure: see people.h. */
void
sdc_people_measure(const SdcWholeRequest *request, const SdcSampleRequest *sample,
				   const SdcPeopleLinks *links, SdcPeopleFound *found)
{
	SdcWholeRequest by_units = *request;
	SdcEvaluation evaluation;
	SdcWholeRelease *whole;
	SdcPeople	people;

	by_units.by_units = true;
	memset(found, 0, sizeof(SdcPeopleFound));
	if (links != NULL && take_links(request, links, found))
		return;
	whole = sdc_wholerelease_begin(&evaluation, &by_units, sample);
	if (request->copied_only && whole->task.count == 0)
		guess_blindly(whole->by_units ? whole->paired->row.units : whole->paired->row.records, found);
	sdc_people_attack(&evaluation, whole, false, links, &people);
	note_any(&evaluation, &people, found);
	sdc_evaluation_end(&evaluation);
}
