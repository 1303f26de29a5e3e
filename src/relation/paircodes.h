/*-------------------------------------------------------------------------
 *
 * paircodes.h
 *		Codes for the values of one attribute in two files.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_RELATION_PAIRCODES_H
#define SDC_RELATION_PAIRCODES_H

#include "kernel/base/pairs.h"
#include "relation/column.h"
#include "relation/memory.h"
#include "relation/types.h"

/* What the values of a type are to a measure. */
typedef enum SdcValueKind
{
	SDC_VALUE_NUMBER,			/* numbers, whose zero means something */
	SDC_VALUE_TIME,				/* dates and times: differences mean something */
	SDC_VALUE_NOMINAL			/* nothing but equality and order */
} SdcValueKind;

extern SdcValueKind sdc_encode_kind(const SdcType *type);

/* sdc_encode_number returns the number of a value of a type that is not nominal; NaN if it is not finite. */
extern double sdc_encode_number(const SdcType *type, Datum value);

/*
 * Bytes that sdc_encode_columns takes besides its result: of two columns that were read, and what to
 * expect of so many records before.
 */
extern uint64 sdc_encode_memory(SdcColumn *original, SdcColumn *masked, SdcType *type);
extern uint64 sdc_encode_expected_memory(uint64 records);

/*
 * sdc_encode_columns gives the values of two columns of a type common codes (pairs.h), in
 * arrays in the current memory context.  The arena is work space.
 */
extern void sdc_encode_columns(SdcColumn *original, SdcColumn *masked, SdcType *type,
							   SdcArena *arena, SdcPairColumn *result);

#endif							/* SDC_RELATION_PAIRCODES_H */
