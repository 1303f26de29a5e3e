/*-------------------------------------------------------------------------
 *
 * releaseargs.c
 *		The arguments of the functions that attack and measure a release.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "relation/catalog/catalogtable.h"
#include "sql/args.h"
#include "sql/releaseargs.h"
#include "sql/rows.h"

/* sdc_evaluation_args_sample reads the arguments sample and seed. */
void
sdc_evaluation_args_sample(FunctionCallInfo fcinfo, int sample, int seed,
						   SdcSampleRequest *request)
{
	memset(request, 0, sizeof(SdcSampleRequest));
	request->seed = sdc_args_seed(fcinfo, seed);
	if (PG_ARGISNULL(sample))
		return;
	request->given = true;
	request->count = PG_GETARG_INT64(sample);
	if (request->count < 1)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("argument \"sample\" is out of range"),
				 errhint("It is a number of records, or of units, at least 1; without it all are attacked.")));
}

/* begin_evaluation reads the release that argument 0 names. */
static void
begin_evaluation(SdcEvaluation *evaluation, FunctionCallInfo fcinfo,
				 SdcPairedReleaseRequest *request, const SdcSampleRequest *sample)
{
	request->catalog_schema = sdc_catalogtable_schema();
	request->release = sdc_args_relation(fcinfo, 0, "release");
	sdc_evaluation_begin(evaluation, request, sample);
}

/* sdc_evaluation_args_begin begins an evaluation. */
void
sdc_evaluation_args_begin(SdcEvaluation *evaluation, FunctionCallInfo fcinfo,
						  const SdcSampleRequest *sample, bool keys)
{
	SdcPairedReleaseRequest request = {.keys = keys};

	begin_evaluation(evaluation, fcinfo, &request, sample);
}

/* sdc_evaluation_args_begin_weighted: see releaseargs.h. */
void
sdc_evaluation_args_begin_weighted(SdcEvaluation *evaluation, FunctionCallInfo fcinfo,
								   const SdcSampleRequest *sample, SdcWeightRequest weight)
{
	SdcPairedReleaseRequest request = {.weight = weight};

	begin_evaluation(evaluation, fcinfo, &request, sample);
}

/* sdc_evaluation_args_begin_strata: see releaseargs.h. */
void
sdc_evaluation_args_begin_strata(SdcEvaluation *evaluation, FunctionCallInfo fcinfo)
{
	SdcPairedReleaseRequest request = {.strata = true};

	begin_evaluation(evaluation, fcinfo, &request, NULL);
}

/* sdc_evaluation_args_begin_unnamed begins one of a release that the caller has not named. */
void
sdc_evaluation_args_begin_unnamed(SdcEvaluation *evaluation, FunctionCallInfo fcinfo)
{
	SdcPairedReleaseRequest request = {.unnamed = true, .weight = {.wanted = true}};

	begin_evaluation(evaluation, fcinfo, &request, NULL);
}

/* sdc_evaluation_args_known reads argument known: the indexes of the attributes. */
int *
sdc_evaluation_args_known(FunctionCallInfo fcinfo, int number, const SdcPairedRelease *paired,
						  int *count)
{
	List	   *names;
	bool		given = sdc_args_names(fcinfo, number, "known", &names);

	return sdc_pairedrelease_known(paired, given, names, count);
}

/* sdc_evaluation_args_whole: see releaseargs.h. */
void
sdc_evaluation_args_whole(FunctionCallInfo fcinfo, int known, SdcWholeRequest *request)
{
	request->catalog_schema = sdc_catalogtable_schema();
	request->release = sdc_args_relation(fcinfo, 0, "release");
	request->known_given = sdc_args_names(fcinfo, known, "known", &request->known);
}

/* read_units has units be looked for, and reads arguments unit, the number of which is given, known_rows and linked. */
static void
read_units(FunctionCallInfo fcinfo, int unit, SdcWholeRequest *request)
{
	request->by_units = true;
	if (PG_NARGS() <= unit)
		return;
	request->unit_given = sdc_args_names(fcinfo, unit, "unit", &request->unit);
	if (!PG_ARGISNULL(unit + 1) && PG_GETARG_INT32(unit + 1) < 1)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("argument \"known_rows\" is out of range"),
				 errhint("It is a number of records of each unit, at least 1; without it all are known.")));
	request->known_rows = PG_ARGISNULL(unit + 1) ? 0 : (uint32) PG_GETARG_INT32(unit + 1);
	sdc_args_require(fcinfo, unit + 2, "linked");
	request->unlinked = !PG_GETARG_BOOL(unit + 2);
}

/* check_known_max reads argument known_max: at most so many of the attributes that are known. */
static int
check_known_max(FunctionCallInfo fcinfo, int number, const SdcPairedRelease *paired, int attributes)
{
	if (PG_ARGISNULL(number))
		return attributes;
	if (PG_GETARG_INT32(number) < 1 || PG_GETARG_INT32(number) > attributes)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("argument \"known_max\" is out of range"),
				 attributes == 0 ? errhint("No protected column of release \"%s\" is known.", paired->name) :
				 errhint("Release \"%s\" has %d protected columns%s: it must be between 1 and %d.",
						 paired->name, attributes,
						 attributes == paired->pairs.attributes ? "" : " that are known", attributes)));
	return PG_GETARG_INT32(number);
}

/* sdc_evaluation_args_begin_whole: see releaseargs.h. */
SdcWholeRelease *
sdc_evaluation_args_begin_whole(SdcEvaluation *evaluation, FunctionCallInfo fcinfo, int sample,
								SdcWholeRequest *request)
{
	SdcSampleRequest sampling;

	sdc_evaluation_args_whole(fcinfo, 1, request);
	sdc_evaluation_args_sample(fcinfo, sample, sample + 1, &sampling);
	read_units(fcinfo, sample + 2, request);
	sdc_rows_begin(fcinfo, 0);
	return sdc_wholerelease_begin(evaluation, request, &sampling);
}

/* sdc_evaluation_args_order: see releaseargs.h. */
int *
sdc_evaluation_args_order(FunctionCallInfo fcinfo, int known, int known_max,
						  const SdcPairedRelease *paired, bool copied, int *count)
{
	List	   *names;
	bool		given = sdc_args_names(fcinfo, known, "known", &names);
	int		   *order = sdc_pairedrelease_known(paired, given && !copied, names, count);
	ListCell   *cell;

	if (given)
		*count = 0;
	foreach(cell, names)
		for (int i = 0; i < paired->pairs.attributes; i++)
			if (strcmp(paired->attribute[i], lfirst(cell)) == 0)
				order[(*count)++] = i;
	*count = check_known_max(fcinfo, known_max, paired, *count);
	return order;
}
