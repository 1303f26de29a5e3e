/*-------------------------------------------------------------------------
 *
 * conditioncounts.c
 *		How many records satisfy conditions, of a relation and of rows that could be in its place.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "relation/base/spi.h"
#include "relation/condition/conditioncounts.h"
#include "relation/read/distributed.h"
#include "utils/builtins.h"
#include "utils/queryenvironment.h"

/* What rows that are in no relation are called in a statement. */
static char rows_name[] = "rows on trial";

/* Where the counts go. */
typedef struct Counts
{
	int			count;
	uint64	   *result;
} Counts;

/* take_row takes the counts: SdcSpiRow. */
static void
take_row(void *arg, TupleTableSlot *slot)
{
	Counts	   *counts = arg;

	slot_getallattrs(slot);
	for (int i = 0; i < counts->count; i++)
		counts->result[i] = (uint64) DatumGetInt64(slot->tts_values[i]);
}

/* count_rows counts what is called by a name. */
static void
count_rows(const char *from, const SdcCondition *condition, Counts *counts)
{
	StringInfoData sql;

	initStringInfo(&sql);
	for (int i = 0; i < counts->count; i++)
		appendStringInfo(&sql, "%s pg_catalog.count(*) FILTER (WHERE (%s\n))", i == 0 ? "SELECT" : ",", condition[i].text);
	appendStringInfo(&sql, " FROM %s AS " SDC_CONDITION_ALIAS, from);
	sdc_spi_select_rows(sql.data, take_row, counts);
}

/* sdc_conditioncounts_relation: see conditioncounts.h. */
uint64 *
sdc_conditioncounts_relation(Oid relid, const SdcCondition *condition, int count)
{
	Counts		counts = {count, palloc0(sizeof(uint64) * Max(count, 1))};
	bool		before = sdc_condition_begin();
	int			nest;

	sdc_spi_connect();
	nest = sdc_distributed_begin(relid, NULL);
	count_rows(sdc_spi_relation_name(relid), condition, &counts);
	sdc_distributed_end(nest);
	sdc_spi_finish();
	sdc_condition_end(before);
	return counts.result;
}

/* sdc_conditioncounts_store: see conditioncounts.h. */
uint64 *
sdc_conditioncounts_store(Tuplestorestate *store, TupleDesc desc, const SdcCondition *condition, int count)
{
	Counts		counts = {count, palloc0(sizeof(uint64) * Max(count, 1))};
	EphemeralNamedRelationData rows = {.md = {.name = rows_name}, .reldata = store};
	bool		before = sdc_condition_begin();

	sdc_spi_connect();
	rows.md.tupdesc = desc;
	rows.md.enrtype = ENR_NAMED_TUPLESTORE;
	rows.md.enrtuples = (double) tuplestore_tuple_count(store);
	if (SPI_register_relation(&rows) != SPI_OK_REL_REGISTER)
		elog(ERROR, "could not register rows");
	count_rows(quote_identifier(rows_name), condition, &counts);
	sdc_spi_finish();
	sdc_condition_end(before);
	return counts.result;
}
