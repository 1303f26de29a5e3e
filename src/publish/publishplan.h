/*-------------------------------------------------------------------------
 *
 * publishplan.h
 *		Which columns of a release are published.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_PUBLISH_PUBLISHPLAN_H
#define SDC_PUBLISH_PUBLISHPLAN_H

#include "access/tupdesc.h"
#include "relation/catalog/catalog.h"

typedef struct SdcPublishPlan
{
	SdcReleaseRow release;
	char	   *name;			/* of the release */
	Oid			reader;			/* the role that is to read it */
	TupleDesc	desc;			/* the columns that are published */
	List	   *columns;		/* their names */
	List	   *kept;			/* of them, those that are copied */
} SdcPublishPlan;

/*
 * sdc_publishplan_make locks a release of the caller's, so that nobody changes it, and decides what is published: what
 * is protected, and what keep names.  It raises an error about copied columns that keep does not name.
 */
extern void sdc_publishplan_make(SdcPublishPlan *plan, Oid catalog_schema, Oid release, List *keep);

#endif							/* SDC_PUBLISH_PUBLISHPLAN_H */
