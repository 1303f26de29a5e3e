/*-------------------------------------------------------------------------
 *
 * conditioncounts.h
 *		How many records satisfy conditions, of a relation and of rows that could be in its place.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_RELATION_CONDITIONCOUNTS_H
#define SDC_RELATION_CONDITIONCOUNTS_H

#include "access/tupdesc.h"
#include "relation/condition/condition.h"
#include "utils/tuplestore.h"

/*
 * Both count with the rights of the caller, for conditions that were checked on the relation, and return a count for
 * each.  The rows have the type of the relation's.
 */
extern uint64 *sdc_conditioncounts_relation(Oid relid, const SdcCondition *condition, int count);
extern uint64 *sdc_conditioncounts_store(Tuplestorestate *store, TupleDesc desc, const SdcCondition *condition,
										 int count);

#endif							/* SDC_RELATION_CONDITIONCOUNTS_H */
