/*-------------------------------------------------------------------------
 *
 * dependents.h
 *		What depends on relations that a replaced release has to drop.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_RELATION_DEPENDENTS_H
#define SDC_RELATION_DEPENDENTS_H

#include "nodes/pg_list.h"

/*
 * sdc_dependents_check insists that nothing but relations of the list (of OIDs) depends on any of
 * them: dropping them would fail.  release is the name for the message.
 */
extern void sdc_dependents_check(const char *release, List *relations);

/* sdc_dependents_drop drops a table or view, with the same error if something depends on it by now. */
extern void sdc_dependents_drop(const char *release, Oid relation);

/* sdc_dependents_check_withdrawn insists that nothing depends on a publication that is to be dropped. */
extern void sdc_dependents_check_withdrawn(const char *publication, Oid relation);

#endif							/* SDC_RELATION_DEPENDENTS_H */
