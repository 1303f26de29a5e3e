/*-------------------------------------------------------------------------
 *
 * codeindex.h
 *		The different combinations of codes in columns of a coded file, numbered and found again.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_CODEINDEX_H
#define SDC_KERNEL_CODEINDEX_H

#include "kernel/base/codedfile.h"

/* Of some columns from the first one on; missing values are alike. */
typedef struct SdcCodeIndex
{
	const SdcCodedFile *coded;
	int			columns;
	uint32		count;			/* combinations */
	uint32	   *first;			/* the first record of each */
	uint32	   *slot;			/* a hash table of numbers plus 1; 0: free */
	uint64		mask;			/* slots - 1 */
} SdcCodeIndex;

/* No such combination. */
#define SDC_CODEINDEX_NONE UINT32_MAX

/*
 * sdc_codeindex_create numbers the combinations as they come, from 0 on; number, if not NULL, becomes that of
 * each record.  O(records columns).
 */
extern void sdc_codeindex_create(SdcCodeIndex *index, const SdcCodedFile *coded, int columns,
								 uint32 *number);
extern void sdc_codeindex_destroy(SdcCodeIndex *index);

/* sdc_codeindex_find finds the combination of a record of another file with common codes. */
extern uint32 sdc_codeindex_find(const SdcCodeIndex *index, const SdcCodedFile *other, uint32 record);

#endif							/* SDC_KERNEL_CODEINDEX_H */
