/*-------------------------------------------------------------------------
 *
 * pages.h
 *		Whether the pages of a table are what they were.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_RELATION_PAGES_H
#define SDC_RELATION_PAGES_H

#include "utils/relcache.h"
#include "utils/snapshot.h"

#define SDC_PAGES_BYTES 32

/*
 * sdc_pages_digest looks at all pages of a table.  It returns false where they do not tell what a snapshot sees;
 * otherwise two tables, or one at two times, with the same digest have the same records, for the snapshots of both
 * looks.
 */
extern bool sdc_pages_digest(Relation rel, Snapshot snapshot, uint8 *digest);

#endif							/* SDC_RELATION_PAGES_H */
