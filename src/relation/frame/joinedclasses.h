/*-------------------------------------------------------------------------
 *
 * joinedclasses.h
 *		The classes of sizes in which the units of a continued release have joined.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_RELATION_JOINEDCLASSES_H
#define SDC_RELATION_JOINEDCLASSES_H

#include "relation/catalog/catalog.h"
#include "relation/read/source.h"

/* The stream of a private state that has the least size of the class of every unit, in their order, as words. */
#define SDC_JOINEDCLASSES_STREAM 3

/*
 * sdc_joinedclasses_read returns for every unit of a source that was read the least size of the class that it joined in
 * the release, 0 where that has none; in the current memory context.  NULL: no state of the release says so, or it is
 * none yet.
 */
extern uint32 *sdc_joinedclasses_read(const SdcReleaseRow *row, bool unnamed, const SdcSource *source);

#endif							/* SDC_RELATION_JOINEDCLASSES_H */
