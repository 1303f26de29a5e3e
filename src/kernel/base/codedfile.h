/*-------------------------------------------------------------------------
 *
 * codedfile.h
 *		One file of records as codes: what measures of groups and associations see.
 *
 * As in pairs.h, two values of an attribute are equal exactly when their codes are, and codes
 * have the order of the values.  A missing value (NULL) has the code SDC_CODE_NULL.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_CODEDFILE_H
#define SDC_KERNEL_CODEDFILE_H

#include "kernel/base/pairs.h"

typedef struct SdcCodedColumn
{
	const uint32 *code;			/* of each record, or SDC_CODE_NULL */
	uint32		codes;			/* codes are 0 .. codes - 1; some may occur in no record */
} SdcCodedColumn;

typedef struct SdcCodedFile
{
	uint32		records;
	int			attributes;
	const SdcCodedColumn *column;
} SdcCodedFile;

/* One value of one attribute, as part of a combination of values. */
typedef struct SdcItem
{
	uint32		attribute;
	uint32		code;
} SdcItem;

#endif							/* SDC_KERNEL_CODEDFILE_H */
