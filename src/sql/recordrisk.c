/*-------------------------------------------------------------------------
 *
 * recordrisk.c
 *		sdc_record_risk: for every record the attacks that link it.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "fmgr.h"
#include "funcapi.h"
#include "measure/attack/recordrisk.h"
#include "sql/args.h"
#include "sql/releaseargs.h"
#include "sql/rows.h"
#include "utils/array.h"
#include "utils/builtins.h"

PG_FUNCTION_INFO_V1(sdc_record_risk);

/* put_record returns (record, attacks, candidates, certain). */
static void
put_record(void *arg, const SdcRecordRisk *risk)
{
	Datum		attacks[SDC_RECORDRISK_ATTACKS];
	Datum		values[4];
	bool		nulls[4] = {false};

	for (int i = 0; i < risk->count; i++)
		attacks[i] = CStringGetTextDatum(risk->attack[i]);
	values[0] = CStringGetTextDatum(risk->record);
	values[1] = PointerGetDatum(construct_array(attacks, risk->count, TEXTOID, -1, false,
												TYPALIGN_INT));
	values[2] = Int64GetDatum((int64) risk->fewest);
	nulls[2] = risk->count == 0;
	values[3] = BoolGetDatum(risk->certain);
	sdc_rows_put(arg, values, nulls);
}

/*
 * sdc_record_risk(release regclass, known name[], sample bigint, seed "any", unit name[], known_rows int,
 *				 linked boolean)
 *		RETURNS TABLE (record text, attacks text[], candidates bigint, certain boolean)
 */
Datum
sdc_record_risk(PG_FUNCTION_ARGS)
{
	SdcWholeRequest request = {.keys = true};
	SdcEvaluation evaluation;

	sdc_recordrisk_measure(&evaluation, sdc_evaluation_args_begin_whole(&evaluation, fcinfo, 2, &request), put_record,
						   fcinfo);
	sdc_evaluation_end(&evaluation);
	return (Datum) 0;
}
