/*-------------------------------------------------------------------------
 *
 * workload.c
 *		The argument "workload", and what is below the workloads of policies.
 *
 * The conditions of a policy are its owner's, and are analyzed and evaluated with the owner's rights, whoever calls.
 * A condition that cannot be evaluated on a release, whose columns can have other types, is a problem of that
 * condition, and not of the run.  What is said of it has no value: messages of evaluations can have some.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"
#include "publish/policies.h"
#include "relation/base/attempt.h"
#include "relation/base/names.h"
#include "relation/catalog/actas.h"
#include "relation/catalog/catalog.h"
#include "relation/catalog/catalogtable.h"
#include "relation/catalog/steps.h"
#include "relation/condition/conditioncounts.h"
#include "sql/args.h"
#include "sql/plumbing.h"
#include "sql/rows.h"
#include "sql/workload.h"
#include "utils/acl.h"
#include "utils/builtins.h"

#define ARGUMENT "workload"

/* Conditions of one workload. */
#define CONDITIONS_MOST 1000

/* Conditions on one relation. */
typedef struct Counting
{
	Oid			relid;
	const char *what;			/* the relation, for messages */
	int			count;
	SdcCondition *condition;
	uint64	   *records;		/* that satisfy each, */
	const char **problem;		/* or why there is no number */
} Counting;

/* check_conditions checks the conditions on their relation: the work of sdc_attempt. */
static void
check_conditions(void *arg)
{
	Counting   *counting = arg;

	for (int i = 0; i < counting->count; i++)
		sdc_condition_check(&counting->condition[i], &counting->relid, 1);
}

/* sdc_workload_read: see workload.h. */
SdcCondition *
sdc_workload_read(FunctionCallInfo fcinfo, int number, Oid relid, int *count)
{
	Counting	counting = {.relid = relid};
	List	   *texts;

	sdc_args_require(fcinfo, number, ARGUMENT);
	texts = sdc_args_texts(fcinfo, number, ARGUMENT);
	*count = counting.count = list_length(texts);
	if (*count > CONDITIONS_MOST)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("argument \"" ARGUMENT "\" has more than %d conditions", CONDITIONS_MOST)));
	counting.condition = palloc0(sizeof(SdcCondition) * Max(*count, 1));
	for (int i = 0; i < *count; i++)
		counting.condition[i] = (SdcCondition) {.text = list_nth(texts, i), .argument = ARGUMENT, .trusted = true};
	check_conditions(&counting);
	return counting.condition;
}

/*
 * sdc_private.workload_check(owner regrole, source regclass, workload text[]) RETURNS void
 *
 * sdc_private.workload_check raises the error of a condition that cannot be evaluated on a source, with the rights of
 * the policy's owner; owner NULL: the caller's.
 */
SDC_PLUMBING(workload_check)
{
	Oid			owner = PG_ARGISNULL(0) ? GetUserId() : PG_GETARG_OID(0);
	Oid			source = sdc_args_relation(fcinfo, 1, "source");
	SdcActAs	before;
	int			count;

	sdc_policies_require_owner(owner);
	if (!has_privs_of_role(GetUserId(), owner))
		ereport(ERROR,
				(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
				 errmsg("the policy belongs to another role")));
	sdc_actas_begin(&before, owner);
	(void) sdc_workload_read(fcinfo, 2, source, &count);
	sdc_actas_end(&before);
	PG_RETURN_VOID();
}

/* count_records counts the records that satisfy conditions: the work of sdc_attempt. */
static void
count_records(void *arg)
{
	Counting   *counting = arg;

	counting->records = sdc_conditioncounts_relation(counting->relid, counting->condition, counting->count);
}

/* count_apart counts the records for each condition by itself: some of them cannot be evaluated. */
static void
count_apart(Counting *counting)
{
	counting->records = palloc0(sizeof(uint64) * counting->count);
	for (int i = 0; i < counting->count; i++)
	{
		Counting	one = {.relid = counting->relid, .count = 1, .condition = &counting->condition[i]};
		ErrorData  *error = sdc_attempt(count_records, &one);

		if (error == NULL)
			counting->records[i] = one.records[0];
		else
			counting->problem[i] = psprintf("it cannot be evaluated on the %s (SQLSTATE %s)", counting->what,
											unpack_sql_state(error->sqlerrcode));
	}
}

/* count_all counts the records for all conditions that have no problem yet, in one reading if that can be. */
static void
count_all(Counting *counting)
{
	Counting	asked = {.relid = counting->relid, .what = counting->what};
	int		   *place = palloc(sizeof(int) * Max(counting->count, 1));

	asked.condition = palloc(sizeof(SdcCondition) * Max(counting->count, 1));
	asked.problem = palloc0(sizeof(char *) * Max(counting->count, 1));
	for (int i = 0; i < counting->count; i++)
		if (counting->problem[i] == NULL)
		{
			asked.condition[asked.count] = counting->condition[i];
			place[asked.count++] = i;
		}
	if (asked.count > 0 && sdc_attempt(count_records, &asked) != NULL)
		count_apart(&asked);
	counting->records = palloc0(sizeof(uint64) * Max(counting->count, 1));
	for (int i = 0; i < asked.count; i++)
	{
		counting->records[place[i]] = asked.records[i];
		counting->problem[place[i]] = asked.problem[i];
	}
}

/* find_problems finds the conditions on columns that do not leave, and those that the release cannot answer. */
static void
find_problems(const Counting *source, Counting *release, const List *columns, const SdcReleaseRow *row)
{
	List	   *without_values = sdc_names_without(row->columns, sdc_steps_value_columns(row));

	for (int i = 0; i < source->count; i++)
	{
		Counting	one = {.relid = release->relid, .count = 1, .condition = &release->condition[i]};
		ErrorData  *error;

		if (sdc_names_without(source->condition[i].columns, columns) != NIL)
		{
			release->problem[i] = "it asks for a column that is left out";
			continue;
		}
		release->condition[i].without_values = without_values;
		error = sdc_attempt(check_conditions, &one);
		if (error != NULL)
			release->problem[i] = psprintf("it cannot be asked of the release: %s", error->message);
	}
}

/* put_answers returns what source and release answer. */
static void
put_answers(FunctionCallInfo fcinfo, const Counting *source, const Counting *release)
{
	for (int i = 0; i < source->count; i++)
	{
		const char *problem = source->problem[i] != NULL ? source->problem[i] : release->problem[i];
		Datum		values[5];
		bool		nulls[5] = {false};

		values[0] = Int32GetDatum(i + 1);
		values[1] = CStringGetTextDatum(source->condition[i].text);
		values[2] = Int64GetDatum((int64) source->records[i]);
		values[3] = Int64GetDatum((int64) release->records[i]);
		nulls[2] = source->problem[i] != NULL;
		nulls[3] = release->problem[i] != NULL;
		nulls[4] = problem == NULL;
		values[4] = problem == NULL ? (Datum) 0 : CStringGetTextDatum(problem);
		sdc_rows_put(fcinfo, values, nulls);
	}
}

/*
 * sdc_private.workload_counts(release regclass, columns name[], workload text[])
 *		RETURNS TABLE (query int, condition text, answer bigint, released bigint, problem text)
 *
 * The records of a source, and of a release of which these columns leave, that satisfy conditions.
 */
SDC_PLUMBING(workload_counts)
{
	Oid			release = sdc_args_relation(fcinfo, 0, "release");
	SdcReleaseRow row;
	Counting	of[2] = {{.what = "source"}, {.relid = release, .what = "release"}};
	List	   *columns = NIL;

	(void) sdc_args_names(fcinfo, 1, "columns", &columns);
	sdc_rows_begin(fcinfo, 0);
	if (!sdc_catalog_get_visible(sdc_catalogtable_schema(), release, &row))
		sdc_catalog_refuse_unknown(release);
	of[0].relid = row.source;
	of[0].condition = sdc_workload_read(fcinfo, 2, row.source, &of[0].count);
	of[1].count = of[0].count;
	of[1].condition = palloc0(sizeof(SdcCondition) * Max(of[0].count, 1));
	for (int i = 0; i < 2; i++)
		of[i].problem = palloc0(sizeof(char *) * Max(of[0].count, 1));
	for (int i = 0; i < of[0].count; i++)
		of[1].condition[i] = (SdcCondition) {.text = of[0].condition[i].text, .argument = ARGUMENT, .trusted = true};
	find_problems(&of[0], &of[1], columns, &row);
	for (int i = 0; i < 2; i++)
		count_all(&of[i]);
	put_answers(fcinfo, &of[0], &of[1]);
	return (Datum) 0;
}
