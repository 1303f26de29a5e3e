/*-------------------------------------------------------------------------
 *
 * distributed.h
 *		Tables whose rows are on other servers, or lie in no order that lasts.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_RELATION_DISTRIBUTED_H
#define SDC_RELATION_DISTRIBUTED_H

#include "nodes/pg_list.h"

/*
 * sdc_distributed_is tells whether Citus manages a table: its rows are on other servers, or in other tables, and its
 * own file is empty.
 */
extern bool sdc_distributed_is(Oid relid);

/*
 * sdc_distributed_no_order returns why the records of a relation, or of one of its partitions or children, have no
 * physical order that could number them: a sentence for an error.  NULL: they have one.
 */
extern char *sdc_distributed_no_order(Oid relid);

/*
 * Between these, the server may aggregate the partitions of a relation one by one, and so have other servers aggregate
 * those that are theirs, which it does not by itself.  sdc_distributed_begin opens a nest level of settings, which
 * sdc_distributed_end closes; parts, unless NULL, becomes how many hash tables a statement can have at a time for it.
 */
extern int	sdc_distributed_begin(Oid relid, int *parts);
extern void sdc_distributed_end(int nest);

/*
 * sdc_distributed_counted returns what stands in the place of a relation, as "source", in a statement that counts its
 * records by some columns (char *): its name, or what its servers have counted.  count becomes what stands in the place
 * of count(*).  With columns that name the unit of a record (char *, NIL: there are none) units are counted, each once.
 * The caller has the relation locked, and is who reads it.
 */
extern char *sdc_distributed_counted(Oid relid, List *names, List *unit, const char **count);

#endif							/* SDC_RELATION_DISTRIBUTED_H */
