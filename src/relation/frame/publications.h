/*-------------------------------------------------------------------------
 *
 * publications.h
 *		The catalog of publications.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_RELATION_PUBLICATIONS_H
#define SDC_RELATION_PUBLICATIONS_H

#include "access/htup.h"
#include "nodes/pg_list.h"
#include "relation/read/contents.h"
#include "relation/read/fingerprint.h"
#include "utils/relcache.h"

/* The columns of the catalog of publications, as in the install script. */
typedef enum SdcPublicationColumn
{
	SDC_PUBLICATION_TABLE = 1,
	SDC_PUBLICATION_ROW_TYPE,
	SDC_PUBLICATION_RELEASE,	/* 0: it is gone, or temporary; of an accuracy table the publication */
	SDC_PUBLICATION_RELEASE_ROW_TYPE,
	SDC_PUBLICATION_MODE,
	SDC_PUBLICATION_COLUMNS,
	SDC_PUBLICATION_KEPT,		/* of them, those that are copied */
	SDC_PUBLICATION_RECORDS,
	SDC_PUBLICATION_SHA256,
	SDC_PUBLICATION_PAGES,		/* what they were when they belonged to the SHA-256, or empty */
	SDC_PUBLICATION_FORCED,
	SDC_PUBLICATION_PUBLISHED_BY,
	SDC_PUBLICATION_PUBLISHED_AT,
	SDC_PUBLICATION_WRITTEN_BY,
	SDC_PUBLICATION_SOURCE,		/* of the release, which may be gone; 0: it is gone, temporary, or not known */
	SDC_PUBLICATION_SOURCE_ROW_TYPE,
	SDC_PUBLICATION_DRAW		/* that of the release when it was published; 0: not known */
} SdcPublicationColumn;

#define SDC_PUBLICATION_COLUMN_COUNT SDC_PUBLICATION_DRAW

/* A row about a publication; lists are of char *. */
typedef struct SdcPublicationRow
{
	Oid			table;
	Oid			release;
	const char *mode;
	List	   *columns;
	List	   *kept;
	uint64		records;
	uint8		sha256[SDC_CONTENTS_BYTES];
	bool		has_pages;
	SdcFingerprint	pages;
	bool		forced;
	Oid			source;			/* this and the draw are written only; readers of the catalog visit it */
	uint64		draw;
} SdcPublicationRow;

/* sdc_publications_get finds what is known of a publication, or of an accuracy table; the release can be gone. */
extern bool sdc_publications_get(Oid schema, Oid table, SdcPublicationRow *row);

/* sdc_publications_note notes what a publication or an accuracy table has, and what its pages are, or NULL. */
extern void sdc_publications_note(Oid schema, const SdcPublicationRow *row, const SdcFingerprint *pages);

/* sdc_publications_has tells whether a table is a publication. */
extern bool sdc_publications_has(Oid schema, Oid table);

/*
 * An accuracy table (accuracytable.c) has a row of this mode, in which the release is the publication that it is about.
 * sdc_publications_is_accuracy tells whether a table is one, and of which publication, InvalidOid where that is gone;
 * sdc_publications_accuracy returns that of a publication, or InvalidOid.
 */
#define SDC_PUBLICATION_ACCURACY "accuracy"
extern bool sdc_publications_is_accuracy(Oid schema, Oid table, Oid *publication);
extern Oid	sdc_publications_accuracy(Oid schema, Oid publication);

/* sdc_publications_put enters a publication, in place of what was known of it; sdc_publications_remove forgets one. */
extern void sdc_publications_put(Oid schema, const SdcPublicationRow *row);
extern bool sdc_publications_remove(Oid schema, Oid table);

/*
 * sdc_publications_visit calls a function for every publication that the caller may know of: who has the rights of
 * its owner, or may know of its release, or may read it.  The values are those of a row; release and source are null
 * where they are not known, and for who may only read it.
 */
typedef void (*SdcPublicationVisit) (void *arg, Datum *values, bool *nulls);
extern void sdc_publications_visit(Oid schema, SdcPublicationVisit visit, void *arg);

/*
 * sdc_publications_restore returns what a row that somebody adds becomes, or NULL where its table is gone: a release
 * that is gone is none.
 */
extern HeapTuple sdc_publications_restore(HeapTuple row, Relation catalog);

#endif							/* SDC_RELATION_PUBLICATIONS_H */
