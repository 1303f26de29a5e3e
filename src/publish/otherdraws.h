/*-------------------------------------------------------------------------
 *
 * otherdraws.h
 *		Who can read several draws from the same records.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_PUBLISH_OTHERDRAWS_H
#define SDC_PUBLISH_OTHERDRAWS_H

#include "relation/catalog/catalog.h"

/*
 * sdc_otherdraws_find lists the releases and publications that show other draws from mostly the same records than a
 * release that is published as a table (InvalidOid: a new one), as far as the caller may know of them.  It reads the
 * keys of those that have the same owner.
 */
extern List *sdc_otherdraws_find(Oid schema, const SdcReleaseRow *release, Oid target);

/* sdc_otherdraws_warn warns of those of them that a reader of the publication can read as well. */
extern void sdc_otherdraws_warn(const List *others, const SdcReleaseRow *release, Oid publication);

#endif							/* SDC_PUBLISH_OTHERDRAWS_H */
