/*-------------------------------------------------------------------------
 *
 * paircodes.h
 *		Codes for the values of one attribute in two files.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_RELATION_PAIRCODES_H
#define SDC_RELATION_PAIRCODES_H

#include "kernel/base/codedfile.h"
#include "kernel/base/pairs.h"
#include "relation/base/memory.h"
#include "relation/column/column.h"
#include "relation/column/dictionary.h"
#include "relation/column/types.h"

/* The values behind codes. */
typedef struct SdcCodedValues
{
	SdcDictionary *dictionary;
	uint32	   *number;			/* in the dictionary, of each code */
} SdcCodedValues;

/*
 * Bytes that sdc_paircodes_columns takes besides its result: of two columns that were read, and
 * what to expect of so many records before.
 */
extern uint64 sdc_paircodes_memory(SdcColumn *original, SdcColumn *protected, SdcType *type);

/*
 * sdc_paircodes_columns gives the values of two columns of a type common codes (pairs.h), in
 * arrays in the current memory context.  The arena is work space.
 */
extern void sdc_paircodes_columns(SdcColumn *original, SdcColumn *protected, SdcType *type,
								  SdcArena *arena, SdcPairColumn *result);

/*
 * sdc_paircodes_values finds a value for each of these codes: the first one that has it, with the values of one column
 * before those of another.
 */
extern void sdc_paircodes_values(SdcColumn *column, const uint32 *code, SdcColumn *other, const uint32 *other_code,
								 const SdcType *type, uint32 codes, SdcCodedValues *values);

/* sdc_paircodes_numbers returns the numbers of values that are not nominal, by code. */
extern double *sdc_paircodes_numbers(const SdcType *type, const SdcCodedValues *values, uint32 codes);

/* sdc_paircodes_append numbers the values of a column behind others; it stops once the dictionary takes more bytes. */
extern void sdc_paircodes_append(SdcColumn *column, SdcCodeList *list, uint64 limit);

/* sdc_paircodes_number numbers the values of a column by a dictionary. */
static inline SdcCodeList *
sdc_paircodes_number(SdcColumn *column, SdcDictionary *dictionary)
{
	SdcCodeList *list = sdc_codelist_create(dictionary);

	sdc_paircodes_append(column, list, PG_UINT64_MAX);
	return list;
}

/* sdc_paircodes_rank gives the values of a column codes in their order, by a dictionary that has none yet. */
extern SdcCodeList *sdc_paircodes_rank(SdcColumn *column, SdcDictionary *dictionary, SdcDictionaryCodes *coding);

/* sdc_paircodes_codes does so where nobody asks for the values behind the codes. */
extern SdcCodedColumn sdc_paircodes_codes(SdcColumn *column, const SdcType *type);

#endif							/* SDC_RELATION_PAIRCODES_H */
