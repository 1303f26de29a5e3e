/*-------------------------------------------------------------------------
 *
 * draws.h
 *		Draws from the same records, and who can read several of them.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_RELATION_DRAWS_H
#define SDC_RELATION_DRAWS_H

#include "relation/catalog.h"

/* sdc_draws_new returns the number of a new draw. */
extern uint64 sdc_draws_new(void);

/* sdc_draws_left returns about how many percent of the error of one draw the average of so many has. */
extern int	sdc_draws_left(int draws);

/*
 * sdc_draws_find lists the releases and publications that show other draws from mostly the same records than a release
 * that is published as a table (InvalidOid: a new one), as far as the caller may know of them.  It reads the keys of
 * those that have the same owner.
 */
extern List *sdc_draws_find(Oid schema, const SdcReleaseRow *release, Oid target);

/* sdc_draws_warn warns of those of them that a reader of the publication can read as well. */
extern void sdc_draws_warn(const List *others, const SdcReleaseRow *release, Oid publication);

#endif							/* SDC_RELATION_DRAWS_H */
