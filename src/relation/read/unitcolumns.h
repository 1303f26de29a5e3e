/*-------------------------------------------------------------------------
 *
 * unitcolumns.h
 *		The columns that name the units of a relation whose records are counted.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_RELATION_UNITCOLUMNS_H
#define SDC_RELATION_UNITCOLUMNS_H

#include "nodes/pg_list.h"

/* The column of a published table that has the numbers of its units. */
#define SDC_UNIT_COLUMN "sdc_unit"

/* What the argument unit of a call says, and what the call counts by. */
typedef struct SdcUnitRequest
{
	bool		given;			/* NULL is not */
	List	   *names;			/* char *; NIL: each record is a unit */
	List	   *qi;				/* char *: columns that cannot name units, */
	const char *qi_argument;	/* and the argument that has them */
	const char *sensitive;		/* likewise, or NULL */
} SdcUnitRequest;

/*
 * sdc_unitcolumns_find returns the columns of a relation (char *) that name the unit of a record: those that the
 * argument names; otherwise those that a release has recorded, those that are classified as unit, or the column
 * sdc_unit.  NIL: each record is a unit.  The caller can read them, the server can group by them, and none of them
 * has a missing value,
 * which would be an error.
 */
extern List *sdc_unitcolumns_find(Oid relid, const SdcUnitRequest *request);

#endif							/* SDC_RELATION_UNITCOLUMNS_H */
