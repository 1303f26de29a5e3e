/*-------------------------------------------------------------------------
 *
 * fingerprint.h
 *		What a relation is by now, to tell later whether it has changed.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_RELATION_FINGERPRINT_H
#define SDC_RELATION_FINGERPRINT_H

#include "nodes/pg_list.h"
#include "relation/catalog/catalog.h"

/* Two states are equal if and only if nothing has changed: of others no two are known. */
typedef struct SdcFingerprint
{
	uint64		word[2];
} SdcFingerprint;

/* sdc_fingerprint_columns lists the names of the columns of a relation that the caller may read, in their order. */
extern List *sdc_fingerprint_columns(Oid relid);

/* sdc_fingerprint_may_read tells whether the caller may read some columns, as far as they are there. */
extern bool sdc_fingerprint_may_read(Oid relid, List *columns);

/*
 * sdc_fingerprint_take reads some columns of all records, under the snapshot of the statement, in whatever order.  All
 * columns by their names, types and roles are part of the state, and of a release (or NULL) what is known of it.
 * unnamed: see trust.h.
 */
extern void sdc_fingerprint_take(Oid catalog_schema, Oid relid, List *columns, const SdcReleaseRow *release,
								 bool unnamed, SdcFingerprint *state);

/* sdc_fingerprint_shape is the same without the records: nothing is read. */
extern void sdc_fingerprint_shape(Oid catalog_schema, Oid relid, List *columns, const SdcReleaseRow *release,
							SdcFingerprint *state);

/*
 * sdc_fingerprint_pages is another state, which takes a look at the pages and reads no record; false where there
 * is none.  Two of them that are equal say that nothing has changed; others say nothing.
 */
extern bool sdc_fingerprint_pages(Oid catalog_schema, Oid relid, List *columns, const SdcReleaseRow *release,
							SdcFingerprint *state);

#endif							/* SDC_RELATION_FINGERPRINT_H */
