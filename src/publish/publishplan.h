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
#include "relation/base/spi.h"
#include "relation/catalog/catalog.h"
#include "relation/read/unitcolumns.h"

typedef struct SdcPublishPlan
{
	SdcReleaseRow release;
	char	   *name;			/* of the release */
	Oid			reader;			/* the role that is to read it */
	TupleDesc	desc;			/* the columns that are published */
	List	   *columns;		/* their names */
	List	   *kept;			/* of them, those that are copied */
	List	   *unit;			/* columns that name the unit of a record; NIL: the release does not have all */
	bool		numbered;		/* a column with random numbers of the units is the first one of desc */
} SdcPublishPlan;

/*
 * sdc_publishplan_make locks a release of the caller's, so that nobody changes it, and decides what is published: what
 * is protected, and what keep names; where units have several records, with keep_units, their numbers.  It raises an
 * error about copied columns that keep does not name.
 */
extern void sdc_publishplan_make(SdcPublishPlan *plan, Oid catalog_schema, Oid release, List *keep, bool keep_units);

/* sdc_publishplan_take leaves of what is published some columns, and the numbers of units. */
extern void sdc_publishplan_take(SdcPublishPlan *plan, List *columns);

/*
 * sdc_publishplan_read hands over the records of the release, read with the rights of the plan's reader: what is
 * published of them but the numbers of units.  By units, the columns that name these stand before it, and records come
 * in the order of these.
 */
extern void sdc_publishplan_read(const SdcPublishPlan *plan, bool by_units, SdcSpiRow row, void *arg);

#endif							/* SDC_PUBLISH_PUBLISHPLAN_H */
