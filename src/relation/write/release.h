/*-------------------------------------------------------------------------
 *
 * release.h
 *		Writing the protected records: to a table, or to a result set.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_RELATION_RELEASE_H
#define SDC_RELATION_RELEASE_H

#include "nodes/pg_list.h"
#include "relation/read/source.h"
#include "utils/tuplestore.h"

/* Where a protected table goes. */
typedef struct SdcTarget
{
	char	   *schema;
	char	   *name;
	Oid			replaced;		/* the release that it takes the place of, or invalid */
	List	   *views;			/* OIDs of views on what is replaced, which go when it goes, */
	bool		views_go;		/* or in any case */
	bool		continued;		/* set before it is resolved: the key is that of the release, whatever its name */
} SdcTarget;

/*
 * sdc_target_resolve finds out where the release goes and checks everything that can be
 * checked before work begins.  name is the caller's, possibly qualified, or NULL.
 */
extern void sdc_target_resolve(SdcTarget *target, const SdcSource *source, Oid catalog_schema,
							   const char *name, const char *method, bool replace);

/*
 * sdc_target_check checks what can be checked when the method has looked at source and target: nothing
 * may depend on what a replacement drops.
 */
extern void sdc_target_check(const SdcTarget *target, const SdcSource *source);

/*
 * sdc_release_write_table writes the records to a table and returns its OID: that of the release that
 * is replaced, where its table can be kept.
 */
extern Oid	sdc_release_write_table(SdcSource *source, const SdcTarget *target);

/* sdc_release_write_store adds the records to a result set of the source's row type. */
extern void sdc_release_write_store(SdcSource *source, Tuplestorestate *store,
									TupleDesc desc);

#endif							/* SDC_RELATION_RELEASE_H */
