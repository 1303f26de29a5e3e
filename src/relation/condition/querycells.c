/*-------------------------------------------------------------------------
 *
 * querycells.c
 *		What one query, given as text, says of two relations, cell by cell.
 *
 * One statement for both relations, so that the server compares values and orders the cells, and temporary files and
 * parallel workers are its business.  It runs with the caller's rights: the texts are his own (condition.h).
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "relation/base/spi.h"
#include "relation/column/celljson.h"
#include "relation/column/paircodes.h"
#include "relation/column/types.h"
#include "relation/condition/querycells.h"
#include "relation/read/distributed.h"
#include "utils/builtins.h"
#include "utils/memutils.h"

/* Where the cells go. */
typedef struct Output
{
	const SdcQueryCells *query;
	SdcQueryCellsEmit emit;
	void	   *arg;
	MemoryContext context;		/* for what stays */
	SdcCellJson *json;
	SdcType    *type;			/* of the aggregate, set with the first row */
	double		nobody;			/* the aggregate of no records */
} Output;

/* append_aggregate appends the SELECT of one relation: the columns of the cells as c0, c1, ..., and the aggregate. */
static void
append_aggregate(StringInfo sql, const SdcQueryCells *query, int number)
{
	ListCell   *cell;

	appendStringInfoString(sql, "SELECT ");
	foreach(cell, query->by)
		appendStringInfo(sql, SDC_CONDITION_ALIAS ".%s AS c%d, ", quote_identifier(lfirst(cell)),
						 foreach_current_index(cell));
	appendStringInfo(sql, "%d AS file, (%s\n) AS answer FROM %s AS " SDC_CONDITION_ALIAS, number,
					 query->aggregate->text, sdc_spi_relation_name(query->relids[number]));
	if (query->condition != NULL)
		appendStringInfo(sql, " WHERE (%s\n)", query->condition->text);
	foreach(cell, query->by)
		appendStringInfo(sql, "%s" SDC_CONDITION_ALIAS ".%s",
						 foreach_current_index(cell) == 0 ? " GROUP BY " : ", ",
						 quote_identifier(lfirst(cell)));
}

/*
 * cells_statement builds the statement: a row for every cell, with the aggregate of either relation and whether
 * it is there.
 */
static char *
cells_statement(const SdcQueryCells *query)
{
	StringInfoData sql;
	int			columns = list_length(query->by);

	initStringInfo(&sql);
	appendStringInfoString(&sql, "SELECT ");
	for (int i = 0; i < columns; i++)
		appendStringInfo(&sql, "g.c%d, ", i);
	for (int number = 0; number < 2; number++)
		appendStringInfo(&sql, "%spg_catalog.max(g.answer) FILTER (WHERE g.file OPERATOR(pg_catalog.=) %d), "
						 "pg_catalog.bool_or(g.file OPERATOR(pg_catalog.=) %d)",
						 number == 0 ? "" : ", ", number, number);
	appendStringInfoString(&sql, " FROM (");
	append_aggregate(&sql, query, 0);
	appendStringInfoString(&sql, " UNION ALL ");
	append_aggregate(&sql, query, 1);
	appendStringInfoString(&sql, ") AS g");
	for (int i = 0; i < columns; i++)
		appendStringInfo(&sql, "%sg.c%d", i == 0 ? " GROUP BY " : ", ", i);
	for (int i = 0; i < columns; i++)
		appendStringInfo(&sql, "%sg.c%d", i == 0 ? " ORDER BY " : ", ", i);
	return sql.data;
}

/* number_in is a column of a row as a number. */
static double
number_in(Output *output, TupleTableSlot *slot, int column)
{
	bool		isnull;
	Datum		value = slot_getattr(slot, column, &isnull);

	if (output->type == NULL)
	{
		MemoryContext old = MemoryContextSwitchTo(output->context);

		output->type = palloc0(sizeof(SdcType));
		sdc_type_lookup(output->type,
						TupleDescAttr(slot->tts_tupleDescriptor, column - 1)->atttypid, InvalidOid);
		MemoryContextSwitchTo(old);
	}
	return isnull ? NAN : sdc_type_number(output->type, value);
}

/* take_cell emits a cell: SdcSpiRow. */
static void
take_cell(void *arg, TupleTableSlot *slot)
{
	Output	   *output = arg;
	int			columns = list_length(output->query->by);
	double		value[2];

	slot_getallattrs(slot);
	for (int number = 0; number < 2; number++)
	{
		bool		isnull;
		int			column = columns + 2 * number + 1;
		bool		there = DatumGetBool(slot_getattr(slot, column + 1, &isnull));

		value[number] = there ? number_in(output, slot, column) : output->nobody;
	}
	output->emit(output->arg, sdc_celljson_build(output->json, slot->tts_values, slot->tts_isnull),
				 value);
}

/* sdc_querycells_run: see querycells.h. */
void
sdc_querycells_run(const SdcQueryCells *query, SdcQueryCellsEmit emit, void *arg)
{
	Output		output = {query, emit, arg, CurrentMemoryContext, NULL, NULL,
	query->aggregate->counts ? 0 : NAN};
	bool		before = sdc_condition_begin();
	int			nest[2];

	output.json = sdc_celljson_create(query->by, sdc_celljson_types(query->relids[0], query->by));
	sdc_spi_connect();
	for (int number = 0; number < 2; number++)
		nest[number] = sdc_distributed_begin(query->relids[number], NULL);
	sdc_spi_select_rows(cells_statement(query), take_cell, &output);
	for (int number = 2; number-- > 0;)
		sdc_distributed_end(nest[number]);
	sdc_spi_finish();
	sdc_condition_end(before);
}
