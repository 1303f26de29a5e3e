/*-------------------------------------------------------------------------
 *
 * spi.c
 *		Building and running SQL statements.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/namespace.h"
#include "kernel/base/kernel_env.h"
#include "relation/base/spi.h"
#include "tcop/dest.h"
#include "tcop/pquery.h"
#include "utils/builtins.h"
#include "utils/guc.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"

/* Where the rows of a statement go. */
typedef struct RowReceiver
{
	DestReceiver receiver;
	SdcSpiRow	row;
	void	   *arg;
	MemoryContext scratch;		/* reset after every row */
	uint64		rows;
} RowReceiver;

/* Where those of a cursor go. */
typedef struct FetchReceiver
{
	DestReceiver receiver;
	SdcSpiFetched fetched;
	void	   *arg;
} FetchReceiver;

/* sdc_spi_connect opens a connection to SPI. */
void
sdc_spi_connect(void)
{
	if (SPI_connect() != SPI_OK_CONNECT)
		elog(ERROR, "could not connect to SPI");
}

/* sdc_spi_connect_procedure: see spi.h. */
void
sdc_spi_connect_procedure(void)
{
	if (SPI_connect_ext(SPI_OPT_NONATOMIC) != SPI_OK_CONNECT)
		elog(ERROR, "could not connect to SPI");
}

/* sdc_spi_commit: see spi.h. */
void
sdc_spi_commit(void)
{
	SPI_commit();
}

/* sdc_spi_finish closes it. */
void
sdc_spi_finish(void)
{
	if (SPI_finish() != SPI_OK_FINISH)
		elog(ERROR, "could not finish SPI");
}

/* sdc_spi_select runs a SELECT under the active snapshot. */
void
sdc_spi_select(const char *sql)
{
	int			code = SPI_execute(sql, true, 0);

	if (code != SPI_OK_SELECT)
		elog(ERROR, "statement ended with %s", SPI_result_code_string(code));
}

/* receive_row is the rReceive of a RowReceiver. */
static bool
receive_row(TupleTableSlot *slot, DestReceiver *self)
{
	RowReceiver *receiver = (RowReceiver *) self;
	MemoryContext old = MemoryContextSwitchTo(receiver->scratch);

	sdc_interrupts_step(receiver->rows++);
	receiver->row(receiver->arg, slot);
	MemoryContextSwitchTo(old);
	MemoryContextReset(receiver->scratch);
	return true;
}

/* ignore_startup is the rStartup of a RowReceiver. */
static void
ignore_startup(DestReceiver *self, int operation, TupleDesc desc)
{
	(void) self;
	(void) operation;
	(void) desc;
}

/* ignore_end is its rShutdown and rDestroy. */
static void
ignore_end(DestReceiver *self)
{
	(void) self;
}

/* sdc_spi_select_rows runs a SELECT whose rows go to a function. */
void
sdc_spi_select_rows(const char *sql, SdcSpiRow row, void *arg)
{
	/* DestNone would have SPI say that nothing was returned */
	RowReceiver receiver = {{receive_row, ignore_startup, ignore_end, ignore_end, DestTuplestore},
	row, arg, NULL, 0};
	SPIExecuteOptions options = {0};
	int			code;

	receiver.scratch = AllocSetContextCreate(CurrentMemoryContext, "sdc row", ALLOCSET_DEFAULT_SIZES);
	options.read_only = true;
	options.dest = &receiver.receiver;
	code = SPI_execute_extended(sql, &options);
	if (code != SPI_OK_SELECT)
		elog(ERROR, "statement ended with %s", SPI_result_code_string(code));
	MemoryContextDelete(receiver.scratch);
}

/* receive_fetched is the rReceive of a FetchReceiver. */
static bool
receive_fetched(TupleTableSlot *slot, DestReceiver *self)
{
	FetchReceiver *receiver = (FetchReceiver *) self;

	return receiver->fetched(receiver->arg, slot);
}

/* sdc_spi_fetch_rows: see spi.h. */
uint64
sdc_spi_fetch_rows(Portal portal, long count, SdcSpiFetched fetched, void *arg)
{
	FetchReceiver receiver = {{receive_fetched, ignore_startup, ignore_end, ignore_end, DestTuplestore},
	fetched, arg};

	return PortalRunFetch(portal, FETCH_FORWARD, count, &receiver.receiver);
}

/* sdc_spi_run runs a statement that must end with the expected code. */
void
sdc_spi_run(const char *sql, int expected)
{
	sdc_spi_run_args(sql, expected, 0, NULL, NULL, NULL);
}

/* sdc_spi_run_args does the same with parameters. */
void
sdc_spi_run_args(const char *sql, int expected, int count, Oid *types,
				 Datum *values, const char *nulls)
{
	int			code = SPI_execute_with_args(sql, count, types, values, nulls, false, 0);

	if (code != expected)
		elog(ERROR, "statement ended with %s", SPI_result_code_string(code));
}

/*
 * sdc_spi_create: two sessions that create a relation of one name at the same time both find none.  The server tells
 * the second one about its own indexes.
 */
Oid
sdc_spi_create(const char *sql, const char *schema, const char *name)
{
	MemoryContext context = CurrentMemoryContext;
	Oid			relid;

	PG_TRY();
	{
		sdc_spi_run(sql, SPI_OK_UTILITY);
	}
	PG_CATCH();
	{
		if (geterrcode() != ERRCODE_UNIQUE_VIOLATION)
			PG_RE_THROW();
		MemoryContextSwitchTo(context);
		FlushErrorState();
		ereport(ERROR,
				(errcode(ERRCODE_DUPLICATE_TABLE),
				 errmsg("relation \"%s\" was created by another session at the same time", name),
				 errhint("Nothing was written. Try again.")));
	}
	PG_END_TRY();
	relid = get_relname_relid(name, get_namespace_oid(schema, false));
	if (!OidIsValid(relid))
		elog(ERROR, "created relation cannot be found");
	return relid;
}

/* sdc_spi_rows returns what SPI has counted. */
uint64
sdc_spi_rows(void)
{
	return SPI_processed;
}

/* sdc_spi_set_for_now changes a setting until the current nest level ends. */
void
sdc_spi_set_for_now(const char *name, const char *value)
{
	(void) set_config_option(name, value, PGC_USERSET, PGC_S_SESSION,
							 GUC_ACTION_SAVE, true, 0, false);
}

/* sdc_spi_qualified_name quotes a schema and a name as far as needed. */
char *
sdc_spi_qualified_name(const char *schema, const char *name)
{
	return quote_qualified_identifier(schema, name);
}

/* sdc_spi_relation_name returns the quoted, qualified name of a relation. */
char *
sdc_spi_relation_name(Oid relid)
{
	char	   *name = get_rel_name(relid);
	char	   *schema = get_namespace_name(get_rel_namespace(relid));

	if (name == NULL || schema == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_TABLE),
				 errmsg("relation with OID %u does not exist", relid)));
	return sdc_spi_qualified_name(schema, name);
}

/* sdc_spi_append_name appends a quoted name to a list. */
void
sdc_spi_append_name(StringInfo sql, const char *name, bool first)
{
	appendStringInfo(sql, "%s%s", first ? "" : ", ", quote_identifier(name));
}

/* sdc_spi_append_columns: see spi.h. */
void
sdc_spi_append_columns(StringInfo sql, const List *names, const char *before)
{
	ListCell   *cell;

	foreach(cell, names)
		appendStringInfo(sql, "%ssource.%s", foreach_current_index(cell) == 0 ? before : ", ",
						 quote_identifier(lfirst(cell)));
}
