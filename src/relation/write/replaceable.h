/*-------------------------------------------------------------------------
 *
 * replaceable.h
 *		What keeps a table from getting a new heap.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_RELATION_REPLACEABLE_H
#define SDC_RELATION_REPLACEABLE_H

#include "nodes/primnodes.h"
#include "storage/lockdefs.h"
#include "utils/relcache.h"

/*
 * sdc_replaceable_schema returns the schema of a table that is to be written, and what is there under its name: the
 * caller may create tables in that schema, which is not the server's own.  What is there is locked.
 */
extern Oid	sdc_replaceable_schema(const char *what, RangeVar *range, LOCKMODE lock, Oid *existing);

/*
 * sdc_replaceable_check_table insists that a table has its rows on this server, has no constraint that a new heap would
 * not be checked against, and is no partition; what is its kind, for the message.
 */
extern void sdc_replaceable_check_table(const char *what, const char *name, Oid relid);

/*
 * sdc_replaceable_check_index insists on an index without expression and condition, which can fail for some contents:
 * the server's error would tell a value, and it would be the owner's code that runs; and on one that runs no code of
 * strangers.  rows: contents are added row by row, by the caller.
 */
extern void sdc_replaceable_check_index(const char *what, const char *name, Relation index, bool rows);

#endif							/* SDC_RELATION_REPLACEABLE_H */
