/*-------------------------------------------------------------------------
 *
 * catalog.h
 *		The catalog of releases.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_RELATION_CATALOG_H
#define SDC_RELATION_CATALOG_H

#include "access/attnum.h"
#include "nodes/pg_list.h"
#include "relation/base/compat.h"
#include "relation/catalog/methods.h"
#include "relation/catalog/seal.h"

/* A row about a release; lists are of char *. */
typedef struct SdcReleaseRow
{
	Oid			release;
	Oid			source;			/* InvalidOid: it is gone */
	const char *method;
	char	   *parameters;		/* JSON */
	List	   *columns;		/* protected */
	List	   *key;			/* NIL: physical order */
	List	   *strata;
	List	   *omitted;
	List	   *qi;
	List	   *sensitive;
	uint64		records;
	uint64		checksum;		/* of the source, to be sealed */
	uint8		seal[SDC_SEAL_BYTES];	/* as it was read */
	bool		made;			/* by sdc, not registered */
	bool		seeded;
	int			stream_version; /* of the streams it was drawn from; 0: not by sdc */
	int			draws;			/* that were known when it was made, of mostly the same records; itself is one */
	List	   *unit;			/* columns of the source that name the unit of a record; NIL: each record is one */
	uint64		units;			/* how many there are; 0 with NIL */
	const char *weight;			/* the column of the source that says how many a record stands for; NULL: none */
	char	   *missing;		/* JSON, the missing codes of columns of the source; NULL: none */
	List	   *named;			/* by number of the source's columns: their names here, or ""; NIL: not known */
	uint64		draw;			/* which one it is: releases of the same draw have the same number; 0: not known */
	const char *drawn_from;		/* seed and what else decides a draw, to be sealed; NULL: nothing does */
	uint8		drawn_seal[SDC_SEAL_BYTES]; /* as it was read; nothing but 0 without */
} SdcReleaseRow;

/* What is known of a relation as a release. */
typedef enum SdcReleaseState
{
	SDC_RELEASE_UNKNOWN,		/* not a release */
	SDC_RELEASE_REGISTERED,		/* another tool made it */
	SDC_RELEASE_MADE			/* sdc made it */
} SdcReleaseState;

/*
 * sdc_catalog_names_datum makes a name[] of a list of char *, sdc_catalog_names_list the list again: without nulls,
 * each name once, and no more than a table can have columns.  sdc_catalog_names_sound tells whether that is all of it.
 */
extern Datum sdc_catalog_names_datum(List *names);
extern List *sdc_catalog_names_list(Datum names);
extern bool sdc_catalog_names_sound(Datum names);

/* sdc_catalog_state tells whether a relation is a release, and with source not NULL of what. */
extern SdcReleaseState sdc_catalog_state(Oid schema, Oid release, Oid *source);

/* sdc_catalog_get fills in what is known of a release; false: the relation is none. */
extern bool sdc_catalog_get(Oid schema, Oid release, SdcReleaseRow *row);

/* sdc_catalog_refuse_unknown raises the error about a relation that is no release. */
sdc_noreturn extern void sdc_catalog_refuse_unknown(Oid relid);

/* sdc_catalog_get_visible does so for a release that the caller may know of; others are none. */
extern bool sdc_catalog_get_visible(Oid schema, Oid release, SdcReleaseRow *row);
extern void sdc_catalog_put(Oid schema, const SdcReleaseRow *row);
extern bool sdc_catalog_remove(Oid schema, Oid release);

/* sdc_catalog_check tells whether the source of a release has as many records, and the same checksum. */
extern SdcSealState sdc_catalog_check(Oid schema, const SdcReleaseRow *row, uint64 records,
									  uint64 checksum);

/* sdc_catalog_same_draw tells whether all that has decided the draw of a release, made here, was the same. */
extern bool sdc_catalog_same_draw(Oid schema, const SdcReleaseRow *row, const char *drawn_from);

/*
 * sdc_catalog_of_source returns what is known of the releases of a source that sdc has made and the caller may know of,
 * SdcReleaseRow *, those that knew most draws first.
 */
extern List *sdc_catalog_of_source(Oid schema, Oid source);

/*
 * sdc_catalog_number returns the number of the source's column that a column of a release was made of, and
 * sdc_catalog_name the name that a column of the source, by its number, had when the release was made.  The columns of
 * the source may have other names by now.  InvalidAttrNumber and NULL: it is not known.
 */
extern AttrNumber sdc_catalog_number(const SdcReleaseRow *row, const char *name);
extern const char *sdc_catalog_name(const SdcReleaseRow *row, AttrNumber number);

/* sdc_catalog_is_own tells whether that can be told: the checksum did not come out of a dump. */
extern bool sdc_catalog_is_own(Oid schema, const SdcReleaseRow *row);

/* sdc_catalog_confirm takes records and checksum of a row for those of its source. */
extern void sdc_catalog_confirm(Oid schema, const SdcReleaseRow *row);

#endif							/* SDC_RELATION_CATALOG_H */
