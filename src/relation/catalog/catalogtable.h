/*-------------------------------------------------------------------------
 *
 * catalogtable.h
 *		The tables of the extension.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_RELATION_CATALOGTABLE_H
#define SDC_RELATION_CATALOGTABLE_H

#include "access/genam.h"
#include "access/htup.h"
#include "storage/lockdefs.h"
#include "utils/relcache.h"

/* The tables of the extension that are in a dump. */
#define SDC_TABLE_RELEASES "sdc_release_catalog"
#define SDC_TABLE_PUBLICATIONS "sdc_publication_catalog"
#define SDC_TABLE_EVALUATIONS "sdc_evaluation_catalog"
#define SDC_TABLE_POLICIES "sdc_policy_catalog"
#define SDC_TABLE_RUNS "sdc_run_log"
#define SDC_TABLE_STATE_DUMP "sdc_state_dump"
/* Those that are not: private states, which a dump has as rows of the last one. */
#define SDC_TABLE_STATES "sdc_state_catalog"
#define SDC_TABLE_TEMPORARY_STATES "sdc_temporary_states"

/* The columns of the catalog of releases, as in the install script. */
typedef enum SdcCatalogColumn
{
	SDC_CATALOG_RELEASE = 1,
	SDC_CATALOG_ROW_TYPE,
	SDC_CATALOG_SOURCE,
	SDC_CATALOG_SOURCE_ROW_TYPE,
	SDC_CATALOG_METHOD,
	SDC_CATALOG_PARAMETERS,
	SDC_CATALOG_COLUMNS,
	SDC_CATALOG_KEY,
	SDC_CATALOG_STRATA,
	SDC_CATALOG_OMITTED,
	SDC_CATALOG_QI,
	SDC_CATALOG_SENSITIVE,
	SDC_CATALOG_RECORDS,
	SDC_CATALOG_CHECKSUM,
	SDC_CATALOG_MADE,
	SDC_CATALOG_SEEDED,
	SDC_CATALOG_STREAM_VERSION,
	SDC_CATALOG_DRAWS,
	SDC_CATALOG_SEED,
	SDC_CATALOG_CREATED_BY,
	SDC_CATALOG_CREATED_AT,
	SDC_CATALOG_WRITTEN_BY,
	SDC_CATALOG_DRAW,
	SDC_CATALOG_NAMED,
	SDC_CATALOG_UNIT,
	SDC_CATALOG_UNITS,
	SDC_CATALOG_WEIGHT,
	SDC_CATALOG_MISSING
} SdcCatalogColumn;

#define SDC_CATALOG_COLUMN_COUNT SDC_CATALOG_MISSING
#define SDC_POLICY_COLUMN_COUNT 4
#define SDC_RUN_COLUMN_COUNT 11

/* written_by of a row that a function of the extension wrote. */
#define SDC_CATALOG_WRITTEN_BY_US 0

/* The schema of what the extension has for itself: it belongs to the bootstrap superuser, who alone can rename it. */
#define SDC_PRIVATE_SCHEMA "sdc_private"
extern Oid	sdc_catalogtable_schema(void);

/*
 * sdc_catalogtable_hold_schema returns it too, and keeps other sessions from dropping it until the transaction ends.
 * Code that this session calls can drop the extension all the same, if that is its owner's, and make a schema of this
 * name: sdc_catalogtable_require_schema insists that it has not.
 */
extern Oid	sdc_catalogtable_hold_schema(void);
extern void sdc_catalogtable_require_schema(Oid schema);

/*
 * sdc_catalogtable_require_types insists that the columns of one of the tables have the types that the library knows,
 * as all functions do that open one: values are taken for what they were.  There may be more columns, or fewer.
 */
extern void sdc_catalogtable_require_types(Relation table);

/*
 * sdc_catalogtable_open opens the catalog of releases, or its part about temporary tables, and keeps
 * the lock until the transaction ends: the extension cannot be dropped meanwhile.
 */
extern Relation sdc_catalogtable_open(Oid schema, bool temporary, LOCKMODE mode);

/* These open the table of policies, and that of runs, and keep the lock likewise. */
extern Relation sdc_catalogtable_open_policies(Oid schema, LOCKMODE mode);
extern Relation sdc_catalogtable_open_runs(Oid schema, LOCKMODE mode);

/* sdc_catalogtable_open_publications does so for the catalog of publications (publications.c), of so many columns. */
extern Relation sdc_catalogtable_open_publications(Oid schema, LOCKMODE mode, int columns);

/* sdc_catalogtable_open_evaluations opens that of evaluations (evaluations.c), or its part about temporary releases. */
extern Relation sdc_catalogtable_open_evaluations(Oid schema, bool temporary, LOCKMODE mode, int columns);

/* sdc_catalogtable_open_states opens that of private states (privatetable.c), or its part about temporary releases. */
extern Relation sdc_catalogtable_open_states(Oid schema, bool temporary, LOCKMODE mode, int columns);

/*
 * The catalogs of releases, of publications, of evaluations and of private states begin with the same two columns: the
 * relation that a row is about, with which the primary key begins, and its row type.  The five that follow are for all
 * of them.
 */

/*
 * sdc_catalogtable_open_subjects opens one of them for these two columns alone.  What follows may be of another
 * version: a dump and a DROP work while library and objects differ.
 */
extern Relation sdc_catalogtable_open_subjects(Oid schema, const char *name, LOCKMODE mode);
/* sdc_catalogtable_begin_scan looks for the rows about a relation, or for all: InvalidOid. */
extern SysScanDesc sdc_catalogtable_begin_scan(Relation table, Oid relid, ScanKey key);

/*
 * sdc_catalogtable_refuse_newer refuses the snapshot of a dump that is older than what is written about a relation that
 * it has: the contents of a relation that was exchanged are the new ones for every snapshot.
 */
extern void sdc_catalogtable_refuse_newer(Relation table);

/* sdc_catalogtable_is_live tells whether the relation, or with source the source of a release, is still there. */
extern bool sdc_catalogtable_is_live(HeapTuple row, Relation catalog, bool source);

/* sdc_catalogtable_may_say tells whether the writer of a row is we, or owns the relation that it is about. */
extern bool sdc_catalogtable_may_say(Oid writer, Oid relid);

/* sdc_catalogtable_clean removes rows about relations that are gone, as far as nobody else does. */
extern void sdc_catalogtable_clean(Relation catalog);

/* sdc_catalogtable_find returns a copy of the row of a release that counts, or NULL. */
extern HeapTuple sdc_catalogtable_find(Relation catalog, Oid release);

/* sdc_catalogtable_value returns a column of a row, where nothing can be NULL. */
extern Datum sdc_catalogtable_value(HeapTuple row, Relation catalog, SdcCatalogColumn column);

/* sdc_catalogtable_may_see tells whether the caller may know of the release of a row. */
extern bool sdc_catalogtable_may_see(HeapTuple row, Relation catalog);

/* sdc_catalogtable_visit calls a function for every row that counts. */
typedef void (*SdcCatalogVisit) (void *arg, HeapTuple row, Relation catalog);
extern void sdc_catalogtable_visit(Relation catalog, SdcCatalogVisit visit, void *arg);

/* sdc_catalogtable_remove removes the row of a release, and tells whether there was one that counts. */
extern bool sdc_catalogtable_remove(Relation catalog, Oid release);

/*
 * sdc_catalogtable_delete deletes a row whose place something new takes, and tells whether it could: not if another
 * session has changed it, or has written it since the snapshot of a transaction that keeps its first one.
 */
extern bool sdc_catalogtable_delete(Relation table, HeapTuple row);

/* sdc_catalogtable_secret reads the secret of the installation. */
extern void sdc_catalogtable_secret(Oid schema, uint8 *secret);

#endif							/* SDC_RELATION_CATALOGTABLE_H */
