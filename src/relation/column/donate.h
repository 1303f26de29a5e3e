/*-------------------------------------------------------------------------
 *
 * donate.h
 *		Giving every record of a column the value of another record.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_RELATION_DONATE_H
#define SDC_RELATION_DONATE_H

#include "relation/column/column.h"
#include "relation/column/dictionary.h"
#include "relation/column/gather.h"
#include "relation/column/types.h"

/*
 * sdc_donate_column returns a new column of the same spool in which record r has the value that
 * record donor[r] has in the given one, and counts the records whose value differs
 * from before; it is a successor of the given one.  A record may donate to any number of others, also a missing
 * value.  used is how much of the budget the caller has taken; the choice between memory and temporary files does
 * not show in the result.
 */
extern SdcColumn *sdc_donate_column(SdcColumn *column, SdcType *type, const uint32 *donor,
									SdcSpool *spool, uint64 used, uint64 *changed);

/* sdc_donate_numbers does so for a column of numbers of a dictionary's values. */
extern SdcColumn *sdc_donate_numbers(SdcColumn *column, SdcDictionary *dictionary, SdcType *type,
									 const uint32 *donor, SdcSpool *spool, uint64 used,
									 uint64 *changed);

/*
 * sdc_donate_gathered does so where records have requested the values of their donors; with a dictionary the column
 * has the numbers of its values.
 */
extern SdcColumn *sdc_donate_gathered(SdcGather *gather, SdcColumn *column, SdcDictionary *dictionary, SdcType *type,
									  SdcSpool *spool, uint64 *changed);

#endif							/* SDC_RELATION_DONATE_H */
