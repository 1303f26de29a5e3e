/*-------------------------------------------------------------------------
 *
 * loadedvalues.h
 *		All values of a column, to be looked at in any order.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_RELATION_LOADEDVALUES_H
#define SDC_RELATION_LOADEDVALUES_H

#include "relation/column/column.h"

typedef struct SdcLoadedValues
{
	Datum	   *value;			/* of every record */
	bool	   *valid;			/* whether it has one; NULL: all have */
} SdcLoadedValues;

/* sdc_loadedvalues_load loads them to large arrays, which sdc_loadedvalues_free gives back. */
extern SdcLoadedValues sdc_loadedvalues_load(SdcColumn *column);
extern void sdc_loadedvalues_free(SdcLoadedValues *values);

/* sdc_loadedvalues_valid tells whether a record has a value. */
static inline bool
sdc_loadedvalues_valid(const SdcLoadedValues *values, uint32 record)
{
	return values->valid == NULL || values->valid[record];
}

#endif							/* SDC_RELATION_LOADEDVALUES_H */
