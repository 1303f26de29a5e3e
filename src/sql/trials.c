/*-------------------------------------------------------------------------
 *
 * trials.c
 *		What is below sdc_propose: releases of several steps on trial.
 *
 * The relation is read once for all trials of a call.  Nothing is stored.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "catalog/pg_type.h"
#include "measure/accuracy/queries.h"
#include "method/pipeline.h"
#include "relation/base/names.h"
#include "relation/catalog/catalogtable.h"
#include "relation/catalog/steps.h"
#include "relation/condition/conditioncounts.h"
#include "sql/args.h"
#include "sql/plumbing.h"
#include "sql/releaseargs.h"
#include "sql/rows.h"
#include "sql/stepargs.h"
#include "sql/trials.h"
#include "sql/workload.h"
#include "utils/builtins.h"
#include "utils/jsonb.h"
#include "utils/lsyscache.h"
#include "utils/tuplestore.h"
#include "utils/typcache.h"

/* The queries that tell how exact counts are: so many for each number of columns up to the last, of so many columns. */
#define QUERIES 200
#define QUERY_CONDITIONS 3
#define QUERY_COLUMNS 16

/* The arguments of trials, and of what counts on trial behind the second one. */
enum
{
	ARG_RELATION, ARG_TRIALS, ARG_SEEDS, ARG_KEY, ARG_OMIT, ARG_KEEP, ARG_UNIT, ARG_SAMPLE, ARG_LIMIT_FOUND,
	ARG_LIMIT_CERTAIN, ARG_LOSS, ARG_KNOWN, ARG_KNOWN_MAX
};
#define ARG_CONDITIONS (ARG_UNIT + 1)

/* What is measured of a release on trial; NaN: it is not defined. */
typedef struct Measured
{
	double		found;
	double		certain;
	double		il;
	double		score;
	double		count_error;
} Measured;

/* A call. */
typedef struct Call
{
	FunctionCallInfo fcinfo;
	SdcProtection protection;	/* of the first trial */
	int			count;			/* trials, weak ones first, */
	SdcMethodStep **steps;		/* and the steps of each */
	List	   *seeds;			/* char * */
	SdcSampleRequest sample;
	SdcWholeRequest whole;
	SdcTrials  *trials;
} Call;

/* sdc_trials_measure: see trials.h. */
void
sdc_trials_measure(FunctionCallInfo fcinfo, int known, int known_max, SdcFrame *release, SdcWholeRequest *whole,
				   const SdcSampleRequest *sample, SdcScore *score)
{
	SdcPeopleLinks links = {.context = release->context};

	if (sdc_steps_linked_columns(&release->row) != NIL)
	{
		SdcPairedReleaseRequest request = {.frame = release, .weight = {.wanted = true}};
		SdcEvaluation evaluation;
		int		   *order;
		int			count;

		sdc_evaluation_begin(&evaluation, &request, sample);
		order = sdc_evaluation_args_order(fcinfo, known, known_max, evaluation.paired, true, &count);
		/* without a seed every look at a sample sees another one */
		score->links = evaluation.sampled && sample->seed == NULL ? NULL : &links;
		sdc_score_measure(&evaluation, order, count, score);
		score->links = NULL;
		sdc_evaluation_end(&evaluation);
	}
	whole->frame = release;
	sdc_people_measure(whole, sample, &links, &score->people);
}

/* read_request reads what all trials have. */
static void
read_request(Call *call, FunctionCallInfo fcinfo)
{
	SdcSourceRequest *request = &call->protection.request;

	call->fcinfo = fcinfo;
	request->relid = sdc_args_relation(fcinfo, ARG_RELATION, "relation");
	call->protection.catalog_schema = sdc_catalogtable_schema();
	request->key_given = sdc_args_names(fcinfo, ARG_KEY, "key", &request->key);
	(void) sdc_args_names(fcinfo, ARG_OMIT, "omit", &request->omit);
	request->keep_given = sdc_args_names(fcinfo, ARG_KEEP, "keep", &request->keep);
	request->unit_given = sdc_args_names(fcinfo, ARG_UNIT, "unit", &request->unit);
	sdc_args_require(fcinfo, ARG_SEEDS, "seeds");
	call->seeds = sdc_args_texts(fcinfo, ARG_SEEDS, "seeds");
}

/* same_columns tells whether the steps of a trial protect what those of the first one do. */
static bool
same_columns(const SdcProtection *first, const SdcProtection *other)
{
	if (first->step_count != other->step_count)
		return false;
	for (int i = 0; i < first->step_count; i++)
		if (first->steps[i].method != other->steps[i].method ||
			!sdc_names_equal(first->steps[i].columns, other->steps[i].columns))
			return false;
	return true;
}

/* read_trials reads the steps of all trials. */
static void
read_trials(Call *call)
{
	FunctionCallInfo fcinfo = call->fcinfo;
	JsonbContainer *array;

	sdc_args_require(fcinfo, ARG_TRIALS, "trials");
	array = &PG_GETARG_JSONB_P(ARG_TRIALS)->root;
	call->count = JsonContainerIsArray(array) && !JsonContainerIsScalar(array) ? (int) JsonContainerSize(array) : 0;
	call->steps = palloc(sizeof(SdcMethodStep *) * Max(call->count, 1));
	for (int t = 0; t < call->count; t++)
	{
		SdcProtection other = call->protection;

		sdc_stepargs_read_array(JsonbValueToJsonb(getIthJsonbValueFromContainer(array, (uint32) t)), &other);
		if (t == 0)
		{
			call->protection.method = other.method;
			call->protection.step_count = other.step_count;
			/* a copy: the plan changes the steps */
			call->protection.steps = palloc(sizeof(SdcMethodStep) * other.step_count);
			memcpy(call->protection.steps, other.steps, sizeof(SdcMethodStep) * other.step_count);
		}
		call->steps[t] = other.steps;
		if (same_columns(&call->protection, &other))
			continue;
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("element %d of argument \"trials\" protects other columns than the first one", t)));
	}
	if (call->count == 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("argument \"trials\" must be an array of arrays of steps")));
}

/* query_columns lists what random queries are asked of: columns that leave, of many every so-manyth. */
static List *
query_columns(const SdcSource *source)
{
	List	   *all = NIL;
	List	   *names = NIL;
	int			count;

	for (int i = 0; i < source->attribute_count; i++)
		if ((source->attributes[i].action == SDC_ACTION_PROTECTED ||
			 source->attributes[i].action == SDC_ACTION_COPIED) && source->attributes[i].type.orderable)
			all = lappend(all, NameStr(source->attributes[i].name));
	count = Min(list_length(all), QUERY_COLUMNS);
	for (int i = 0; i < count; i++)
		names = lappend(names, list_nth(all, (int) ((int64) i * list_length(all) / count)));
	return names;
}

/* count_error returns what three of four random counts by few columns are off by at most, in percent. */
static double
count_error(SdcFrame *release)
{
	SdcWorkload workload = {0};
	double		sum = 0;
	int			asked = 0;

	workload.release.frame = release;
	workload.release.qi_given = workload.release.sensitive_given = workload.release.recoded = true;
	workload.release.qi = query_columns(release->held->source);
	workload.queries = QUERIES;
	workload.most = QUERY_CONDITIONS;
	workload.seed = SDC_QUERIES_SEED;
	workload.context = release->context;
	if (workload.release.qi == NIL)
		return NAN;
	sdc_queries_measure(&workload);
	for (int i = 0; i < workload.numbers; i++)
	{
		/* without answers there are no errors */
		if (isnan(workload.errors[i].other[2]))
			continue;
		sum += workload.errors[i].other[2];
		asked++;
	}
	return asked == 0 ? NAN : 100 * sum / asked;
}

/* measure makes the release of a trial with a seed, and measures it. */
static void
measure(Call *call, int trial, int seed, bool whole, Measured *result)
{
	SdcScore	score = {0};
	SdcFrame *release;

	call->protection.seed = call->sample.seed = list_nth(call->seeds, seed);
	release = sdc_pipeline_try(call->trials, call->steps[trial]);
	sdc_trials_measure(call->fcinfo, ARG_KNOWN, ARG_KNOWN_MAX, release, &call->whole, &call->sample, &score);
	result->found = score.people.known ? score.people.found : NAN;
	result->certain = score.people.known ? score.people.certain : NAN;
	result->il = score.has_loss ? score.il : NAN;
	result->score = score.has_loss && score.has_risk ? score.score : NAN;
	result->count_error = whole ? count_error(release) : NAN;
	sdc_pipeline_forget(call->trials);
}

/* put_trial returns the row of a trial. */
static void
put_trial(Call *call, int trial, int seed, const Measured *measured)
{
	const double number[] = {measured->found, measured->certain, measured->il, measured->score, measured->count_error};
	Datum		values[2 + lengthof(number)];
	bool		nulls[2 + lengthof(number)] = {false};

	values[0] = Int32GetDatum(trial + 1);
	values[1] = Int32GetDatum(seed + 1);
	for (int i = 0; i < (int) lengthof(number); i++)
	{
		values[2 + i] = Float8GetDatum(number[i]);
		nulls[2 + i] = isnan(number[i]);
	}
	sdc_rows_put(call->fcinfo, values, nulls);
}

/* within tells whether a trial keeps the limits. */
static bool
within(const Call *call, const Measured *measured)
{
	FunctionCallInfo fcinfo = call->fcinfo;

	return measured->found <= PG_GETARG_FLOAT8(ARG_LIMIT_FOUND) &&
		(PG_ARGISNULL(ARG_LIMIT_CERTAIN) || measured->certain <= PG_GETARG_FLOAT8(ARG_LIMIT_CERTAIN));
}

/*
 * search finds the first trial within the limits by bisection, and returns its row: none if the last one is not, or if
 * one before them loses as much as is known to do already.
 */
static void
search(Call *call)
{
	FunctionCallInfo fcinfo = call->fcinfo;
	int			beyond = -1;
	int			kept = call->count;
	Measured	measured;

	while (kept - beyond > 1)
	{
		int			trial = (beyond + kept) / 2;

		measure(call, trial, 0, false, &measured);
		if (within(call, &measured))
			kept = trial;
		else
			beyond = trial;
		if (beyond == trial && !PG_ARGISNULL(ARG_LOSS) && measured.il >= PG_GETARG_FLOAT8(ARG_LOSS))
			return;
	}
	if (kept == call->count)
		return;
	measure(call, kept, 0, true, &measured);
	put_trial(call, kept, 0, &measured);
}

/*
 * sdc_private.trials(relation regclass, trials jsonb, seeds text[], key name[], omit name[], keep name[], unit name[],
 *					  sample bigint, limit_people_found float8, limit_certain_percent float8, loss float8, known name[],
 *					  known_max int)
 *		RETURNS TABLE (trial int, draw int, people_found float8, certain_percent float8, il float8, score float8,
 *					   count_error float8)
 *
 * Without a limit all trials are made with all seeds.  Otherwise only the first one, by bisection with the first seed,
 * that keeps it, unless it loses as much as is given.
 */
SDC_PLUMBING(trials)
{
	Call		call = {0};

	sdc_rows_begin(fcinfo, 0);
	read_request(&call, fcinfo);
	if (call.seeds == NIL)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("argument \"seeds\" must have at least one seed")));
	read_trials(&call);
	call.sample.given = !PG_ARGISNULL(ARG_SAMPLE);
	if (call.sample.given)
		call.sample.count = PG_GETARG_INT64(ARG_SAMPLE);
	call.whole.may_be_none = true;
	call.trials = sdc_pipeline_read(&call.protection);
	if (!PG_ARGISNULL(ARG_LIMIT_FOUND))
		search(&call);
	else
		for (int t = 0; t < call.count; t++)
			for (int s = 0; s < list_length(call.seeds); s++)
			{
				Measured	measured;

				measure(&call, t, s, true, &measured);
				put_trial(&call, t, s, &measured);
			}
	sdc_pipeline_end(call.trials);
	return (Datum) 0;
}

/* asks_for tells whether a condition is about a column of a list. */
static bool
asks_for(const SdcCondition *condition, const List *names)
{
	ListCell   *cell;

	foreach(cell, condition->columns)
		if (sdc_names_have(names, lfirst(cell)))
			return true;
	return false;
}

/* put_answers returns what a release, and its source, answer. */
static void
put_answers(Call *call, const SdcCondition *condition, int count, int seed, const uint64 *answer,
			const uint64 *estimate)
{
	for (int i = 0; i < count; i++)
	{
		Datum		values[4];
		bool		nulls[4] = {false};

		values[0] = Int32GetDatum(i + 1);
		values[1] = Int32GetDatum(seed + 1);
		values[2] = Int64GetDatum((int64) answer[i]);
		nulls[3] = estimate == NULL || asks_for(&condition[i], call->protection.request.omit);
		values[3] = nulls[3] ? (Datum) 0 : Int64GetDatum((int64) estimate[i]);
		sdc_rows_put(call->fcinfo, values, nulls);
	}
}

/*
 * sdc_private.trial_counts(relation regclass, steps jsonb, seeds text[], key name[], omit name[], keep name[],
 *							unit name[], workload text[])
 *		RETURNS TABLE (query int, draw int, answer bigint, estimate bigint)
 *
 * The records that satisfy conditions, in a relation and in releases of it; steps NULL: the conditions are checked.
 */
SDC_PLUMBING(trial_counts)
{
	Call		call = {0};
	Oid			relid;
	TupleDesc	desc;
	int			count;
	SdcCondition *condition;
	uint64	   *answer;

	sdc_rows_begin(fcinfo, 0);
	read_request(&call, fcinfo);
	relid = call.protection.request.relid;
	condition = sdc_workload_read(fcinfo, ARG_CONDITIONS, relid, &count);
	if (count == 0 || PG_ARGISNULL(ARG_TRIALS))
		return (Datum) 0;
	desc = lookup_rowtype_tupdesc_copy(get_rel_type_id(relid), -1);
	answer = sdc_conditioncounts_relation(relid, condition, count);
	for (int s = 0; s < list_length(call.seeds); s++)
	{
		SdcProtection protection = call.protection;
		Tuplestorestate *store = tuplestore_begin_heap(false, false, work_mem);

		protection.request.keeps_row_type = true;
		protection.seed = list_nth(call.seeds, s);
		sdc_stepargs_read_array(PG_GETARG_JSONB_P(ARG_TRIALS), &protection);
		sdc_pipeline_to_store(&protection, store, desc);
		put_answers(&call, condition, count, s, answer, sdc_conditioncounts_store(store, desc, condition, count));
		tuplestore_end(store);
	}
	return (Datum) 0;
}
