/*-------------------------------------------------------------------------
 *
 * report.c
 *		What is below sdc_report, and reads relations.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "catalog/pg_type.h"
#include "fmgr.h"
#include "funcapi.h"
#include "measure/accuracy/pictures.h"
#include "measure/attack/recordrisk.h"
#include "relation/catalog/catalogtable.h"
#include "relation/frame/accuracyrows.h"
#include "sql/args.h"
#include "sql/plumbing.h"
#include "sql/releaseargs.h"
#include "sql/rows.h"
#include "utils/array.h"
#include "utils/builtins.h"

/* put_name sets a column of a row to a name, or NULL. */
static void
put_name(const char *text, NameData *name, Datum *value, bool *isnull)
{
	*isnull = text == NULL;
	if (*isnull)
		return;
	namestrcpy(name, text);
	*value = NameGetDatum(name);
}

/* put_picture returns a mark of a picture; arg is the call. */
static void
put_picture(void *arg, const SdcPicture *picture)
{
	Datum		number[SDC_PICTURE_NUMBERS];
	bool		none[SDC_PICTURE_NUMBERS];
	int			count = SDC_PICTURE_NUMBERS;
	int			first = 1;
	NameData	name[2];
	Datum		values[6];
	bool		nulls[6] = {false};

	for (int i = 0; i < SDC_PICTURE_NUMBERS; i++)
	{
		number[i] = Float8GetDatum(picture->number[i]);
		none[i] = isnan(picture->number[i]);
	}
	values[0] = CStringGetTextDatum(picture->what);
	put_name(picture->x, &name[0], &values[1], &nulls[1]);
	put_name(picture->y, &name[1], &values[2], &nulls[2]);
	values[3] = Int32GetDatum(picture->place);
	values[4] = picture->label;
	nulls[4] = picture->label == (Datum) 0;
	values[5] = PointerGetDatum(construct_md_array(number, none, 1, &count, &first, FLOAT8OID, sizeof(float8),
												   FLOAT8PASSBYVAL, TYPALIGN_DOUBLE));
	sdc_rows_put(arg, values, nulls);
	pfree(DatumGetPointer(values[0]));
	pfree(DatumGetPointer(values[5]));
}

/*
 * sdc_private.report_pictures(release regclass)
 *		RETURNS TABLE (what text, x name, y name, place int, label jsonb, number float8[])
 */
SDC_PLUMBING(report_pictures)
{
	Oid			release = sdc_args_relation(fcinfo, 0, "release");

	sdc_rows_begin(fcinfo, 0);
	sdc_pictures_measure(sdc_catalogtable_schema(), release, put_picture, fcinfo);
	return (Datum) 0;
}

/* The most candidates that a class of people has; none links the others. */
static const uint32 class_most[] = {1, 2, 5, 10, 100, UINT32_MAX};

/* count_person counts somebody in the class of his candidates: SdcRecordRiskEmit. */
static void
count_person(void *arg, const SdcRecordRisk *risk)
{
	int64	   *people = arg;
	int			class = lengthof(class_most);

	for (int i = lengthof(class_most) - 1; i >= 0 && risk->count > 0; i--)
		if (risk->fewest <= class_most[i])
			class = i;
	people[class]++;
}

/*
 * sdc_private.report_candidates(release regclass) RETURNS bigint[]
 *
 * sdc_private.report_candidates counts the people whom some attack links, by the candidates that the best of them
 * leaves (1, 2, to 5, to 10, to 100, more), and those whom none links.
 */
SDC_PLUMBING(report_candidates)
{
	SdcWholeRequest request = {.catalog_schema = sdc_catalogtable_schema(), .keys = true, .by_units = true};
	SdcSampleRequest sample = {0};
	SdcEvaluation evaluation;
	int64		people[lengthof(class_most) + 1] = {0};
	Datum		count[lengthof(people)];

	request.release = sdc_args_relation(fcinfo, 0, "release");
	sdc_recordrisk_measure(&evaluation, sdc_wholerelease_begin(&evaluation, &request, &sample), count_person, people);
	sdc_evaluation_end(&evaluation);
	for (int i = 0; i < (int) lengthof(people); i++)
		count[i] = Int64GetDatum(people[i]);
	PG_RETURN_ARRAYTYPE_P(construct_array(count, lengthof(people), INT8OID, sizeof(int64), FLOAT8PASSBYVAL,
										  TYPALIGN_DOUBLE));
}

/* put_row returns a row of an accuracy table: SdcSpiRow; arg is the call. */
static void
put_row(void *arg, TupleTableSlot *slot)
{
	slot_getallattrs(slot);
	sdc_rows_put(arg, slot->tts_values, slot->tts_isnull);
}

/*
 * sdc_private.report_published(publication regclass)
 *		RETURNS TABLE (part text, attribute name, measure text, value float8)
 *
 * sdc_private.report_published returns the accuracy table of a publication; no row: there is none that the caller may
 * read.
 */
SDC_PLUMBING(report_published)
{
	Oid			publication = sdc_args_relation(fcinfo, 0, "publication");

	sdc_rows_begin(fcinfo, 0);
	(void) sdc_accuracyrows_visit(sdc_catalogtable_schema(), publication, put_row, fcinfo);
	return (Datum) 0;
}
