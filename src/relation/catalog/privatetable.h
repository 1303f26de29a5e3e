/*-------------------------------------------------------------------------
 *
 * privatetable.h
 *		The rows that private states of releases are kept in.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_RELATION_PRIVATETABLE_H
#define SDC_RELATION_PRIVATETABLE_H

#include "access/htup.h"
#include "catalog/indexing.h"
#include "storage/lockdefs.h"
#include "utils/relcache.h"
#include "utils/snapshot.h"

/* The columns of the table, as in the install script. */
typedef enum SdcPrivateColumn
{
	SDC_PRIVATE_RELEASE = 1,
	SDC_PRIVATE_ROW_TYPE,
	SDC_PRIVATE_STREAM,
	SDC_PRIVATE_PART,
	SDC_PRIVATE_CONTENTS,
	SDC_PRIVATE_WRITTEN_BY
} SdcPrivateColumn;

#define SDC_PRIVATE_COLUMN_COUNT SDC_PRIVATE_WRITTEN_BY

/* sdc_privatetable_open opens the table that has the rows of a release, or of temporary ones. */
extern Relation sdc_privatetable_open(Oid schema, Oid release, LOCKMODE mode);

/* sdc_privatetable_count returns how many rows of a release count, under a snapshot or, with NULL, by now. */
extern uint64 sdc_privatetable_count(Relation table, Snapshot snapshot, Oid release);

/* sdc_privatetable_get returns the contents of one that counts, in the current memory context, or NULL. */
extern bytea *sdc_privatetable_get(Relation table, Snapshot snapshot, Oid release, int32 stream, int32 part);

/* A writer adds the rows of a release to a table; the caller has removed what it had. */
typedef struct SdcPrivateWriter
{
	Relation	table;
	Oid			release;
	CatalogIndexState indexes;
} SdcPrivateWriter;

extern void sdc_privatetable_begin(SdcPrivateWriter *writer, Relation table, Oid release);
extern void sdc_privatetable_put(SdcPrivateWriter *writer, int32 stream, int32 part, bytea *contents);
extern void sdc_privatetable_end(SdcPrivateWriter *writer);

/* sdc_privatetable_replace adds a row in the place of that with the same numbers. */
extern void sdc_privatetable_replace(Relation table, Oid release, int32 stream, int32 part, bytea *contents);

/*
 * sdc_privatetable_remove removes all rows of a release, and tells whether one counted.  The caller keeps others from
 * changing them by a lock on the release.
 */
extern bool sdc_privatetable_remove(Relation table, Oid release);

/* sdc_privatetable_clean removes those of releases that are gone, in both tables, as far as nobody else is about to. */
extern void sdc_privatetable_clean(Oid schema);

/*
 * sdc_privatetable_visit calls a function for every row that counts and that a dump has: of releases that are not
 * temporary.  The dump's snapshot is that of the statement.
 */
typedef void (*SdcPrivateVisit) (void *arg, HeapTuple row, Relation table);
extern void sdc_privatetable_visit(Oid schema, SdcPrivateVisit visit, void *arg);

/* sdc_privatetable_may_dump tells whether the caller may read the rows of a release: its owner, or who reads all. */
extern bool sdc_privatetable_may_dump(Oid release);

/*
 * sdc_privatetable_restore keeps a row of a dump, and notes who has restored it; not one of a release that was gone
 * when the dump was made.  dump is the table that it was added to.
 */
extern void sdc_privatetable_restore(Oid schema, HeapTuple row, Relation dump);

#endif							/* SDC_RELATION_PRIVATETABLE_H */
