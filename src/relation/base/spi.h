/*-------------------------------------------------------------------------
 *
 * spi.h
 *		Building and running SQL statements.
 *
 * The only place where names become SQL text.  Names come from the catalog or
 * are checked against it; values are always parameters.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_RELATION_SPI_H
#define SDC_RELATION_SPI_H

#include "executor/spi.h"
#include "executor/tuptable.h"
#include "lib/stringinfo.h"

extern void sdc_spi_connect(void);
extern void sdc_spi_finish(void);

/* A connection for a procedure that ends transactions, and the end of one. */
extern void sdc_spi_connect_procedure(void);
extern void sdc_spi_commit(void);

/* Runs a SELECT under the snapshot of the statement that is being executed. */
extern void sdc_spi_select(const char *sql);

/*
 * sdc_spi_select_rows does so, and hands over row after row instead of keeping them: there may be as many as
 * records.  (A cursor would do that too, but without parallel workers.)  What row allocates lives until the next.
 */
typedef void (*SdcSpiRow) (void *arg, TupleTableSlot *slot);
extern void sdc_spi_select_rows(const char *sql, SdcSpiRow row, void *arg);

/*
 * sdc_spi_fetch_rows hands the next rows of a cursor over, as the executor has them, until there were so many or a
 * function says that it wants no more, and returns how many there were.
 */
typedef bool (*SdcSpiFetched) (void *arg, TupleTableSlot *slot);
extern uint64 sdc_spi_fetch_rows(Portal portal, long count, SdcSpiFetched fetched, void *arg);

/* Runs a statement and insists on one result code of SPI. */
extern void sdc_spi_run(const char *sql, int expected);
extern void sdc_spi_run_args(const char *sql, int expected, int count, Oid *types,
							 Datum *values, const char *nulls);

/* Runs a CREATE statement of a relation, and returns that: an error where another session was quicker. */
extern Oid	sdc_spi_create(const char *sql, const char *schema, const char *name);

/* The number of rows that the last statement returned or changed. */
extern uint64 sdc_spi_rows(void);

/* Changes a setting until the current nest level of settings ends. */
extern void sdc_spi_set_for_now(const char *name, const char *value);

/* The quoted, qualified name of a relation, and that of two names. */
extern char *sdc_spi_relation_name(Oid relid);
extern char *sdc_spi_qualified_name(const char *schema, const char *name);

/* Appends a quoted name, after a comma if it is not the first. */
extern void sdc_spi_append_name(StringInfo sql, const char *name, bool first);

/*
 * Appends columns of what a statement calls source, with something before the first.  They are qualified, so that they
 * are never names of the result.
 */
extern void sdc_spi_append_columns(StringInfo sql, const List *names, const char *before);

#endif							/* SDC_RELATION_SPI_H */
