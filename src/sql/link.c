/*-------------------------------------------------------------------------
 *
 * link.c
 *		sdc_link_distance, sdc_link_probabilistic, sdc_link_rankswap,
 *		sdc_interval_disclosure.
 *
 * Each returns one row per original record, or per attribute.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"
#include "funcapi.h"
#include "kernel/agreement/problink.h"
#include "sql/args.h"
#include "sql/evaluation_args.h"
#include "relation/memory.h"
#include "measure/attack.h"
#include "measure/risk.h"
#include "utils/builtins.h"

PG_FUNCTION_INFO_V1(sdc_link_distance);
PG_FUNCTION_INFO_V1(sdc_link_probabilistic);
PG_FUNCTION_INFO_V1(sdc_link_rankswap);
PG_FUNCTION_INFO_V1(sdc_interval_disclosure);

/* A word that an argument can be. */
typedef struct Choice
{
	const char *name;
	int			value;
} Choice;

static const Choice metrics[] = {
	{"euclidean", SDC_METRIC_EUCLIDEAN},
	{"mahalanobis", SDC_METRIC_MAHALANOBIS},
	{"manhattan", SDC_METRIC_MANHATTAN},
	{"gower", SDC_METRIC_GOWER}
};

static const Choice modes[] = {
	{"intersection", SDC_RANK_INTERSECTION},
	{"union", SDC_RANK_UNION}
};

static const Choice assignments[] = {
	{"nearest", false},
	{"one-to-one", true}
};

/* read_choice reads an argument that is one of some words. */
static int
read_choice(FunctionCallInfo fcinfo, int number, const char *name, const Choice *choices, int count)
{
	char	   *word;
	StringInfoData list;

	sdc_args_require(fcinfo, number, name);
	word = text_to_cstring(PG_GETARG_TEXT_PP(number));
	initStringInfo(&list);
	for (int i = 0; i < count; i++)
	{
		if (strcmp(word, choices[i].name) == 0)
			return choices[i].value;
		appendStringInfo(&list, "%s%s", i == 0 ? "" : i == count - 1 ? " or " : ", ", choices[i].name);
	}
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("unknown value \"%s\" of argument \"%s\"", word, name),
			 errhint("It is %s.", list.data)));
	return 0;					/* not reached */
}

/* key_datum returns a record's key as a text datum, or sets its null flag. */
static Datum
key_datum(SdcPairing *pairing, uint32 record, bool *isnull)
{
	*isnull = record == SDC_RECORD_NONE;
	return *isnull ? (Datum) 0 : CStringGetTextDatum(sdc_pairing_key(pairing, record));
}

/* Fills in the columns of the result for record i. */
typedef void (*FillRow) (const SdcEvaluation *evaluation, const void *links, uint32 i,
						 Datum *values, bool *nulls);

/* return_links returns a row for every record that was attacked. */
static void
return_links(FunctionCallInfo fcinfo, const SdcEvaluation *evaluation, const void *links,
			 FillRow fill)
{
	ReturnSetInfo *result = (ReturnSetInfo *) fcinfo->resultinfo;
	MemoryContext row = AllocSetContextCreate(CurrentMemoryContext, "sdc row",
											  ALLOCSET_SMALL_SIZES);
	MemoryContext old = MemoryContextSwitchTo(row);
	Datum		values[8];
	bool		nulls[8];

	for (uint32 i = 0; i < evaluation->count; i++)
	{
		memset(nulls, 0, sizeof(nulls));
		values[0] = key_datum(evaluation->pairing, sdc_evaluation_record(evaluation, i), &nulls[0]);
		fill(evaluation, links, i, values, nulls);
		tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
		MemoryContextReset(row);
		if (i % 1024 == 0)
			CHECK_FOR_INTERRUPTS();
	}
	MemoryContextSwitchTo(old);
}

/* check_mahalanobis insists on attributes that have a covariance. */
static void
check_mahalanobis(const SdcPairing *pairing, const int *known, int count)
{
	for (int i = 0; i < count; i++)
		if (pairing->kind[known[i]] == SDC_VALUE_NOMINAL)
			ereport(ERROR,
					(errcode(ERRCODE_DATATYPE_MISMATCH),
					 errmsg("column \"%s\" cannot be used with the mahalanobis distance",
							pairing->attribute[known[i]]),
					 errdetail("Its values are not numbers, dates or times."),
					 errhint("Leave it out of argument \"known\", or use the gower distance.")));
}

/* fill_distance fills in (linked, distance, ties, correct). */
static void
fill_distance(const SdcEvaluation *evaluation, const void *links, uint32 i,
			  Datum *values, bool *nulls)
{
	const SdcLink *link = &((const SdcLink *) links)[i];

	values[1] = key_datum(evaluation->pairing, link->linked, &nulls[1]);
	values[2] = Float8GetDatum(link->distance);
	nulls[2] = link->ties == 0;
	values[3] = Int64GetDatum((int64) link->ties);
	values[4] = BoolGetDatum(link->correct);
}

/*
 * sdc_link_distance(release regclass, known name[], metric text, sample bigint, seed "any")
 *		RETURNS TABLE (record text, linked text, distance float8, ties bigint, correct boolean)
 */
Datum
sdc_link_distance(PG_FUNCTION_ARGS)
{
	SdcMetric	metric = (SdcMetric) read_choice(fcinfo, 2, "metric", metrics, lengthof(metrics));
	SdcSampleRequest sample;
	SdcEvaluation evaluation;
	int		   *known;
	int			count;

	sdc_evaluation_args_sample(fcinfo, 3, 4, &sample);
	sdc_args_result(fcinfo, 0);
	sdc_evaluation_args_begin(&evaluation, fcinfo, &sample, true, sdc_attack_distance_memory);
	known = sdc_evaluation_args_known(fcinfo, 1, evaluation.pairing, &count);
	if (metric == SDC_METRIC_MAHALANOBIS)
		check_mahalanobis(evaluation.pairing, known, count);
	return_links(fcinfo, &evaluation, sdc_attack_distance(&evaluation, known, count, metric),
				 fill_distance);
	sdc_evaluation_end(&evaluation);
	return (Datum) 0;
}

/* fill_probabilistic fills in (linked, weight, correct, ties). */
static void
fill_probabilistic(const SdcEvaluation *evaluation, const void *links, uint32 i,
				   Datum *values, bool *nulls)
{
	const SdcLink *link = &((const SdcLink *) links)[i];

	values[1] = key_datum(evaluation->pairing, link->linked, &nulls[1]);
	values[2] = Float8GetDatum(link->distance);
	values[3] = BoolGetDatum(link->correct);
	values[4] = Int64GetDatum((int64) link->ties);
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
	if (evaluation->count > SDC_PROBLINK_ASSIGNED)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("at most %d records can be assigned one to one, and there are %u",
						SDC_PROBLINK_ASSIGNED, evaluation->count),
				 errhint("Use assignment => 'nearest'.")));
	sdc_memory_require(evaluation->pairing->memory + sdc_problink_assign_memory(evaluation->count),
					   "one-to-one assignment");
}

/*
 * sdc_link_probabilistic(release regclass, known name[], assignment text, sample bigint,
 *						  seed "any")
 *		RETURNS TABLE (record text, linked text, weight float8, correct boolean, ties bigint)
 */
Datum
sdc_link_probabilistic(PG_FUNCTION_ARGS)
{
	bool		assign = read_choice(fcinfo, 2, "assignment", assignments, lengthof(assignments));
	SdcSampleRequest sample;
	SdcEvaluation evaluation;
	int		   *known;
	int			count;

	sdc_evaluation_args_sample(fcinfo, 3, 4, &sample);
	sdc_args_result(fcinfo, 0);
	sdc_evaluation_args_begin(&evaluation, fcinfo, &sample, true, sdc_attack_probabilistic_memory);
	known = sdc_evaluation_args_known(fcinfo, 1, evaluation.pairing, &count);
	if (assign)
		check_assignment(&evaluation);
	if (evaluation.count > 0)
		return_links(fcinfo, &evaluation,
					 sdc_attack_probabilistic(&evaluation, known, count, assign, true),
					 fill_probabilistic);
	sdc_evaluation_end(&evaluation);
	return (Datum) 0;
}

/* fill_rankswap fills in (candidates, linked, correct, ties, distance, windows). */
static void
fill_rankswap(const SdcEvaluation *evaluation, const void *links, uint32 i,
			  Datum *values, bool *nulls)
{
	const SdcRankLink *rank = &((const SdcRankLink *) links)[i];

	values[1] = Int64GetDatum((int64) rank->link.candidates);
	values[2] = key_datum(evaluation->pairing, rank->link.linked, &nulls[2]);
	values[3] = BoolGetDatum(rank->link.correct);
	values[4] = Int64GetDatum((int64) rank->link.ties);
	values[5] = Float8GetDatum(rank->link.distance);
	nulls[5] = rank->link.ties == 0;
	values[6] = Int32GetDatum((int32) rank->inside);
}

/* read_reach reads argument p, or takes the reach of the release's own method. */
static SdcAttackReach
read_reach(FunctionCallInfo fcinfo, int number, const SdcPairing *pairing)
{
	SdcAttackReach reach = {0};

	if (!PG_ARGISNULL(number))
	{
		reach.percent = sdc_args_check_percent(PG_GETARG_DATUM(number), false, "p");
		reach.known = true;
		return reach;
	}
	reach = sdc_attack_reach(pairing);
	if (!reach.known)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("release \"%s\" does not tell how far its method moves a value", pairing->name),
				 errdetail("Its method is \"%s\".", pairing->row.method),
				 errhint("Give an upper bound in argument \"p\", in percent of the ranks.")));
	return reach;
}

/*
 * sdc_link_rankswap(release regclass, p float8, known name[], mode text, sample bigint,
 *					 seed "any")
 *		RETURNS TABLE (record text, candidates bigint, linked text, correct boolean,
 *					   ties bigint, distance float8, windows int)
 */
Datum
sdc_link_rankswap(PG_FUNCTION_ARGS)
{
	SdcRankMode mode = (SdcRankMode) read_choice(fcinfo, 3, "mode", modes, lengthof(modes));
	SdcSampleRequest sample;
	SdcEvaluation evaluation;
	SdcAttackReach reach;
	int		   *known;
	int			count;

	if (!PG_ARGISNULL(1))
		(void) sdc_args_check_percent(PG_GETARG_DATUM(1), false, "p");
	sdc_evaluation_args_sample(fcinfo, 4, 5, &sample);
	sdc_args_result(fcinfo, 0);
	sdc_evaluation_args_begin(&evaluation, fcinfo, &sample, true, sdc_attack_rankswap_memory);
	reach = read_reach(fcinfo, 1, evaluation.pairing);
	known = sdc_evaluation_args_known(fcinfo, 2, evaluation.pairing, &count);
	return_links(fcinfo, &evaluation,
				 sdc_attack_rankswap(&evaluation, &reach, known, count, mode), fill_rankswap);
	sdc_evaluation_end(&evaluation);
	return (Datum) 0;
}

/*
 * sdc_interval_disclosure(release regclass)
 *		RETURNS TABLE (attribute name, percent float8)
 */
Datum
sdc_interval_disclosure(PG_FUNCTION_ARGS)
{
	ReturnSetInfo *result;
	SdcEvaluation evaluation;

	sdc_args_result(fcinfo, 0);
	result = (ReturnSetInfo *) fcinfo->resultinfo;
	sdc_evaluation_args_begin(&evaluation, fcinfo, NULL, false, NULL);
	for (int j = 0; j < evaluation.pairing->pairs.attributes; j++)
	{
		Datum		values[2];
		bool		nulls[2] = {false};

		double		percent;

		values[0] = DirectFunctionCall1(namein, CStringGetDatum(evaluation.pairing->attribute[j]));
		nulls[1] = !sdc_risk_disclosure(evaluation.pairing, j, &percent);
		values[1] = Float8GetDatum(percent);
		tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
	}
	sdc_evaluation_end(&evaluation);
	return (Datum) 0;
}
