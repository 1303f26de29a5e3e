/*-------------------------------------------------------------------------
 *
 * associate.c
 *		sdc_frequent_itemsets, sdc_associations, sdc_association_recall, sdc_association_changes,
 *		and what is below the view sdc_association_recall.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "fmgr.h"
#include "funcapi.h"
#include "measure/accuracy/associationchanges.h"
#include "measure/accuracy/associations.h"
#include "sql/args.h"
#include "sql/plumbing.h"
#include "sql/qiargs.h"
#include "sql/rows.h"
#include "sql/settings.h"
#include "sql/stored.h"
#include "utils/builtins.h"

PG_FUNCTION_INFO_V1(sdc_frequent_itemsets);
PG_FUNCTION_INFO_V1(sdc_associations);
PG_FUNCTION_INFO_V1(sdc_association_recall);
PG_FUNCTION_INFO_V1(sdc_association_changes);

/* The columns of sdc_association_recall, and those of the view behind its first. */
#define RECALL_COLUMNS 6
#define VIEW_COLUMNS (RECALL_COLUMNS + 4)

/* What an association is. */
static const char *const readings[] = {
	[SDC_RULE_ANTECEDENT] = "antecedent",
	[SDC_RULE_RULE] = "rule",
	[SDC_RULE_ANY] = "any",
	NULL
};

/* read_max_length reads the largest number of items. */
static int
read_max_length(FunctionCallInfo fcinfo, int number)
{
	if (PG_ARGISNULL(number))
		return PG_INT32_MAX;
	if (PG_GETARG_INT32(number) < 1)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("argument \"max_length\" is out of range"),
				 errhint("It is a number of items: at least 1.")));
	return PG_GETARG_INT32(number);
}

/* put_itemset returns a frequent itemset; arg is that of the function. */
static void
put_itemset(void *arg, const SdcFrequentItemset *itemset)
{
	Datum		values[4];
	bool		nulls[4] = {false};

	values[0] = itemset->itemset;
	values[1] = Int32GetDatum(itemset->length);
	values[2] = Int64GetDatum((int64) itemset->records);
	values[3] = Float8GetDatum(itemset->support);
	sdc_rows_put(arg, values, nulls);
}

/*
 * sdc_frequent_itemsets(relation regclass, columns name[], min_support float8, max_length int)
 *		RETURNS TABLE (itemset jsonb, length int, records bigint, support float8)
 */
Datum
sdc_frequent_itemsets(PG_FUNCTION_ARGS)
{
	SdcItemsetRequest request = {0};

	request.relid = sdc_args_relation(fcinfo, 0, "relation");
	request.min_support = sdc_args_share(fcinfo, 2, "min_support",
										 sdc_setting_association_min_support);
	request.max_length = read_max_length(fcinfo, 3);
	request.columns_given = sdc_args_names(fcinfo, 1, "columns", &request.columns);
	request.limit = sdc_setting_itemset_limit;
	request.emit = put_itemset;
	request.arg = fcinfo;
	sdc_rows_begin(fcinfo, 0);
	sdc_associations_itemsets(&request);
	return (Datum) 0;
}

/* put_association returns an association; arg is that of the function. */
static void
put_association(void *arg, const SdcAssociation *association)
{
	Datum		values[10];
	bool		nulls[10] = {false};

	values[0] = association->antecedent;
	values[1] = association->consequent;
	values[2] = Int32GetDatum(association->length);
	values[3] = Int64GetDatum((int64) association->records);
	values[4] = Float8GetDatum(association->support);
	values[5] = Float8GetDatum(association->confidence);
	values[6] = Float8GetDatum(association->lift);
	values[7] = Int64GetDatum((int64) association->antecedent_records);
	values[8] = Int64GetDatum((int64) association->consequent_records);
	values[9] = Int64GetDatum((int64) association->both_records);
	sdc_rows_put(arg, values, nulls);
}

/*
 * sdc_associations(relation regclass, qi name[], sensitive name[], min_support float8,
 *					min_confidence float8, max_length int, reading text)
 *		RETURNS TABLE (antecedent jsonb, consequent jsonb, length int, records bigint,
 *					   support float8, confidence float8, lift float8,
 *					   antecedent_records bigint, consequent_records bigint, both_records bigint)
 */
Datum
sdc_associations(PG_FUNCTION_ARGS)
{
	SdcAssociationRequest request = {0};

	request.relid = sdc_args_relation(fcinfo, 0, "relation");
	request.qi = sdc_args_qi(fcinfo, 1);
	request.min_support = sdc_args_share(fcinfo, 3, "min_support",
										 sdc_setting_association_min_support);
	sdc_args_require(fcinfo, 2, "sensitive");
	(void) sdc_args_names(fcinfo, 2, "sensitive", &request.sensitive);
	request.min_confidence = sdc_args_share(fcinfo, 4, "min_confidence",
											sdc_setting_association_min_confidence);
	request.max_length = read_max_length(fcinfo, 5);
	request.reading = (SdcAssociationReading) sdc_args_word(fcinfo, 6, "reading", readings);
	request.emit = put_association;
	request.arg = fcinfo;
	sdc_rows_begin(fcinfo, 0);
	sdc_associations_find(&request);
	return (Datum) 0;
}

/* recall compares associations: it is the work of sdc_rows_attempt. */
static void
recall(void *arg)
{
	sdc_associations_recall(arg);
}

/* put_view_rest fills in the last columns of the view: problem and time, and what counts as an association. */
static void
put_view_rest(const SdcStored *stored, const char *problem, double min_support, double min_confidence,
			  Datum *values, bool *nulls)
{
	sdc_stored_put_rest(stored, problem, values, nulls);
	values[2] = Float8GetDatum(min_support);
	values[3] = Float8GetDatum(min_confidence);
	nulls[2] = isnan(min_support);
	nulls[3] = isnan(min_confidence);
}

/* return_recall returns the rows, those of the view with stored. */
static void
return_recall(FunctionCallInfo fcinfo, const SdcRecallRequest *request, const SdcStored *stored)
{
	for (int i = 0; i < request->rows; i++)
	{
		const SdcRecalled *row = &request->row[i];
		Datum		values[VIEW_COLUMNS] = {0};
		bool		nulls[VIEW_COLUMNS] = {false};

		values[0] = Int32GetDatum(row->length);
		nulls[0] = row->length == 0;
		values[1] = Int64GetDatum((int64) row->original);
		values[2] = Int64GetDatum((int64) row->recovered);
		values[3] = Int64GetDatum((int64) row->artificial);
		values[4] = Float8GetDatum(row->recall_percent);
		nulls[4] = isnan(row->recall_percent);
		values[5] = Float8GetDatum(row->artificial_percent);
		nulls[5] = isnan(row->artificial_percent);
		if (stored != NULL)
			put_view_rest(stored, NULL, request->min_support, request->min_confidence, values + RECALL_COLUMNS,
						  nulls + RECALL_COLUMNS);
		sdc_rows_put(fcinfo, values, nulls);
	}
}

/* read_recall reads the arguments that say which associations are compared. */
static void
read_recall(FunctionCallInfo fcinfo, SdcRecallRequest *request)
{
	memset(request, 0, sizeof(*request));
	request->min_support = sdc_args_share(fcinfo, 1, "min_support",
										  sdc_setting_association_min_support);
	request->min_confidence = sdc_args_share(fcinfo, 2, "min_confidence",
											 sdc_setting_association_min_confidence);
	request->reading = (SdcAssociationReading) sdc_args_word(fcinfo, 3, "reading", readings);
	request->max_length = read_max_length(fcinfo, 4);
	sdc_qiargs_read(fcinfo, 5, 6, &request->release);
}

/*
 * sdc_association_recall(release regclass, min_support float8, min_confidence float8, reading text,
 *						  max_length int, qi name[], sensitive name[])
 *		RETURNS TABLE (length int, original bigint, recovered bigint, artificial bigint,
 *					   recall_percent float8, artificial_percent float8)
 */
Datum
sdc_association_recall(PG_FUNCTION_ARGS)
{
	SdcRecallRequest request;

	read_recall(fcinfo, &request);
	sdc_rows_begin(fcinfo, 0);
	request.context = CurrentMemoryContext;
	sdc_associations_recall(&request);
	return_recall(fcinfo, &request, NULL);
	return (Datum) 0;
}

/*
 * sdc_private.association_length(columns int) RETURNS int
 *
 * It returns how long associations of so many columns may be where nobody says it.
 */
PG_FUNCTION_INFO_V1(sdc_private_association_length);
Datum
sdc_private_association_length(PG_FUNCTION_ARGS)
{
	PG_RETURN_INT32(sdc_associations_length(PG_ARGISNULL(0) ? 0 : PG_GETARG_INT32(0)));
}

/* put_change returns an association with what has become of it; arg is that of the function. */
static void
put_change(void *arg, const SdcAssociationChange *change)
{
	static const char *const fates[] = {
		[SDC_ASSOCIATION_KEPT] = "kept",
		[SDC_ASSOCIATION_LOST] = "lost",
		[SDC_ASSOCIATION_NEW] = "new"
	};
	Datum		values[8];
	bool		nulls[8] = {false};

	values[0] = CStringGetTextDatum(fates[change->fate]);
	values[1] = change->antecedent;
	values[2] = change->consequent;
	values[3] = Int32GetDatum(change->length);
	for (int file = 0; file < 2; file++)
	{
		values[4 + 2 * file] = Float8GetDatum(change->support[file]);
		values[5 + 2 * file] = Float8GetDatum(change->confidence[file]);
		nulls[4 + 2 * file] = nulls[5 + 2 * file] = isnan(change->support[file]);
	}
	sdc_rows_put(arg, values, nulls);
	pfree(DatumGetPointer(values[0]));
}

/*
 * sdc_association_changes(release regclass, min_support float8, min_confidence float8, reading text,
 *						   max_length int, qi name[], sensitive name[])
 *		RETURNS TABLE (change text, antecedent jsonb, consequent jsonb, length int,
 *					   original_support float8, original_confidence float8,
 *					   protected_support float8, protected_confidence float8)
 */
Datum
sdc_association_changes(PG_FUNCTION_ARGS)
{
	SdcRecallRequest request;

	read_recall(fcinfo, &request);
	sdc_rows_begin(fcinfo, 0);
	sdc_associationchanges_list(&request, put_change, fcinfo);
	return (Datum) 0;
}

/* put_stored returns the recall that is kept of a release, or the reason why there is none. */
static void
put_stored(FunctionCallInfo fcinfo, const SdcStored *stored)
{
	static const char *const name[RECALL_COLUMNS] = {
		"length", "original", "recovered", "artificial", "recall_percent", "artificial_percent"
	};
	JsonbContainer *part = sdc_stored_part(stored, "association_recall");
	char	   *problem = sdc_stored_problem(stored, "association_recall");
	double		min_support = NAN;
	double		min_confidence = NAN;
	JsonbContainer *row;

	(void) sdc_evaluations_number(part, "min_support", &min_support);
	(void) sdc_evaluations_number(part, "min_confidence", &min_confidence);
	if (sdc_stored_row(part, 0) == NULL && problem != NULL)
		sdc_stored_put_problem(fcinfo, stored, problem, RECALL_COLUMNS, VIEW_COLUMNS);
	for (int i = 0; (row = sdc_stored_row(part, i)) != NULL; i++)
	{
		Datum		values[VIEW_COLUMNS];
		bool		nulls[VIEW_COLUMNS];
		double		number[RECALL_COLUMNS] = {0};

		for (int j = 0; j < RECALL_COLUMNS; j++)
			nulls[j] = !sdc_evaluations_number(row, name[j], &number[j]);
		values[0] = Int32GetDatum((int32) sdc_stored_whole(number[0], PG_INT32_MAX));
		for (int j = 1; j < 4; j++)
			values[j] = Int64GetDatum(sdc_stored_whole(number[j], PG_INT64_MAX));
		for (int j = 4; j < RECALL_COLUMNS; j++)
			values[j] = Float8GetDatum(number[j]);
		put_view_rest(stored, problem, min_support, min_confidence, values + RECALL_COLUMNS, nulls + RECALL_COLUMNS);
		sdc_rows_put(fcinfo, values, nulls);
	}
}

/* put_now measures the recall of a release by the settings, or says why there is none. */
static void
put_now(FunctionCallInfo fcinfo, const SdcStored *stored)
{
	SdcRecallRequest request = {0};
	char	   *problem;

	request.min_support = sdc_setting_association_min_support;
	request.min_confidence = sdc_setting_association_min_confidence;
	request.reading = SDC_RULE_ANTECEDENT;
	sdc_qiargs_read(fcinfo, 0, 0, &request.release);
	request.release.unnamed = true;
	request.context = CurrentMemoryContext;
	if (!sdc_rows_attempt(recall, &request, &problem))
		return;
	if (problem != NULL)
		sdc_stored_put_problem(fcinfo, stored, problem, RECALL_COLUMNS, VIEW_COLUMNS);
	else
		return_recall(fcinfo, &request, stored);
}

/*
 * sdc_private.stored_association_recall(release regclass) RETURNS SETOF record
 *
 * It returns the recall of a release, as it is kept or by the settings, or the reason
 * why there is none; no row when the caller may not read the release or its source.
 */
SDC_PLUMBING(stored_association_recall)
{
	SdcStored	stored;

	sdc_rows_begin(fcinfo, 0);
	sdc_stored_check(fcinfo, &stored);
	sdc_stored_setting(&stored, "association_recall", "min_support", sdc_setting_association_min_support);
	sdc_stored_setting(&stored, "association_recall", "min_confidence", sdc_setting_association_min_confidence);
	sdc_stored_put_answer(fcinfo, &stored, put_stored, put_now, RECALL_COLUMNS, VIEW_COLUMNS);
	return (Datum) 0;
}
