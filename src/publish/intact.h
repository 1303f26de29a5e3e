/*-------------------------------------------------------------------------
 *
 * intact.h
 *		Whether a publication is what was published.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_PUBLISH_INTACT_H
#define SDC_PUBLISH_INTACT_H

#include "nodes/pg_list.h"

/*
 * sdc_intact_problem returns what is wrong with a publication, or NULL: it and its accuracy table have the owner, the
 * columns, the records and the readers that they were published with.  The readers are names of roles, or public; an
 * owner whose name is not known any more is none.
 * It is told whether the columns are others, for then no new records can be written.
 */
extern char *sdc_intact_problem(Oid schema, Oid publication, Oid owner, const List *readers, bool *other_columns);

/* sdc_intact_note_accuracy notes what an accuracy table, which was just written, has. */
extern void sdc_intact_note_accuracy(Oid schema, Oid accuracy);

#endif							/* SDC_PUBLISH_INTACT_H */
