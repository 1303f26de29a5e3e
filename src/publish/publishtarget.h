/*-------------------------------------------------------------------------
 *
 * publishtarget.h
 *		The table that a release is published as.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_PUBLISH_PUBLISHTARGET_H
#define SDC_PUBLISH_PUBLISHTARGET_H

#include "access/tupdesc.h"

typedef struct SdcPublishTarget
{
	char	   *schema;
	char	   *name;
	Oid			existing;		/* the publication that gets new contents, or InvalidOid */
} SdcPublishTarget;

/*
 * sdc_publishtarget_resolve finds out where a publication goes; source is that of the release, or InvalidOid.  A table
 * that is there is locked: others read it, and nobody writes to it.
 */
extern void sdc_publishtarget_resolve(SdcPublishTarget *target, Oid catalog_schema, const char *name, Oid release,
									  Oid source, bool replace);

/*
 * sdc_publishtarget_check insists that a publication can get new contents of some columns; rows: row by row.  Code of
 * an owner can change it while a release is read, so it is called before that and after it.
 */
extern void sdc_publishtarget_check(const SdcPublishTarget *target, TupleDesc desc, bool rows);

/* sdc_publishtarget_create makes the table, with storage and compression of the columns as the release has them. */
extern Oid	sdc_publishtarget_create(const SdcPublishTarget *target, Oid release, TupleDesc desc);

/* sdc_publishtarget_check_nulls insists that no column that must not be null gets nulls. */
extern void sdc_publishtarget_check_nulls(const SdcPublishTarget *target, const bool *has_nulls);

#endif							/* SDC_PUBLISH_PUBLISHTARGET_H */
