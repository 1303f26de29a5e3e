/*-------------------------------------------------------------------------
 *
 * reach.h
 *		What the reading of a relation reaches, and so may run.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_RELATION_REACH_H
#define SDC_RELATION_REACH_H

#include "catalog/objectaddress.h"

/* An object that has an owner. */
typedef struct SdcReached
{
	ObjectAddress object;
	Oid			owner;
} SdcReached;

typedef struct SdcReach
{
	int			count;
	SdcReached *object;			/* the relation itself comes first */
	bool		plain;			/* tables and materialized views only, and no policy applies */
} SdcReach;

/*
 * sdc_reach_find finds what is reached when a role reads a relation.  With types also the types of
 * its columns, whose owners define casts and checks that a condition on them may run.
 */
extern SdcReach *sdc_reach_find(Oid relid, Oid reader, bool types);

/* sdc_reach_find_type finds what is reached when text becomes a value of a type. */
extern SdcReach *sdc_reach_find_type(Oid typid);

#endif							/* SDC_RELATION_REACH_H */
