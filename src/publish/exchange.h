/*-------------------------------------------------------------------------
 *
 * exchange.h
 *		Giving a table that others read new contents.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_PUBLISH_EXCHANGE_H
#define SDC_PUBLISH_EXCHANGE_H

#include "postgres_ext.h"

/*
 * sdc_exchange_begin makes an empty heap that takes the place of that of a table later.  The caller has locked the
 * table, so that nobody else writes to it.  toast is the table of its long values, for sdc_heapwriter_begin.
 */
extern Oid	sdc_exchange_begin(Oid relid, Oid *toast);

/*
 * sdc_exchange_end has the new heap, when it is filled, take its place: with indexes and statistics of its own, that
 * are made before readers have to wait.  It returns for how many milliseconds they had to; they
 * do so further on, until the transaction ends.
 */
extern double sdc_exchange_end(Oid relid, Oid heap, uint64 rows);

/* sdc_exchange_analyze has the server take the statistics of a table, and reports on behind it. */
extern void sdc_exchange_analyze(Oid table);

/*
 * sdc_exchange_lock takes the lock that readers have to wait for, also on a table beside, if there is one.  It waits
 * for them in short attempts, so that others who come meanwhile do not wait long, and gives up in the end.  The caller
 * has locked the tables, so that nobody adds an index.
 */
extern void sdc_exchange_lock(Oid relid, Oid beside);

/* sdc_exchange_delete_rows deletes all rows, one by one; the caller keeps other writers out. */
extern uint64 sdc_exchange_delete_rows(Oid relid);

#endif							/* SDC_PUBLISH_EXCHANGE_H */
