/*-------------------------------------------------------------------------
 *
 * exchange.h
 *		Giving a table that others read new contents.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_PUBLISH_EXCHANGE_H
#define SDC_PUBLISH_EXCHANGE_H

#include "nodes/pg_list.h"

/* A table that gets new contents. */
typedef struct SdcExchange
{
	Oid			relid;
	Oid			toast;			/* the table of its long values, for sdc_heapwriter_begin */
	Oid			heap;			/* that takes the place of its own */
	List	   *originals;		/* its indexes, */
	List	   *made;			/* and those of the new heap */
	uint64		rows;
} SdcExchange;

/*
 * sdc_exchange_begin makes an empty heap that takes the place of that of a table later.  The caller has locked the
 * table, so that nobody else writes to it.
 */
extern SdcExchange *sdc_exchange_begin(Oid relid);

/* sdc_exchange_prepare gives the new heap, when it is filled, indexes and statistics of its own: nobody waits yet. */
extern void sdc_exchange_prepare(SdcExchange *exchange, uint64 rows);

/*
 * sdc_exchange_end has the new heaps of some tables that are prepared take their places, all at once: nobody who reads
 * several of them sees a new one beside an old one, or waits for one while he holds up another.  It returns for how
 * many milliseconds readers had to wait; they do so further on, until the transaction ends.
 */
extern double sdc_exchange_end(const List *exchanges);

/* sdc_exchange_analyze has the server take the statistics of a table, and reports on behind it. */
extern void sdc_exchange_analyze(Oid table);

/*
 * sdc_exchange_lock takes the lock that readers have to wait for, on all of some tables or on none.  It waits
 * for them in short attempts, so that others who come meanwhile do not wait long, and gives up in the end.  The caller
 * has locked the tables, so that nobody adds an index.
 */
extern void sdc_exchange_lock(List *tables);

/* sdc_exchange_delete_rows deletes all rows, one by one; the caller keeps other writers out. */
extern uint64 sdc_exchange_delete_rows(Oid relid);

#endif							/* SDC_PUBLISH_EXCHANGE_H */
