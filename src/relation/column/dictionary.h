/*-------------------------------------------------------------------------
 *
 * dictionary.h
 *		The distinct values of an attribute, numbered, and columns of their numbers.
 *
 * Values are first told apart by their bytes, which needs no operator of the type: each
 * distinct form gets a number as it comes.  When all values are in, the numbers
 * get codes: the rank of the value in the order of the type, with one code for forms
 * that the type holds equal, such as 1.0 and 1.00.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_RELATION_DICTIONARY_H
#define SDC_RELATION_DICTIONARY_H

#include "kernel/base/pairs.h"
#include "relation/column/types.h"

typedef struct SdcDictionary SdcDictionary;

/* sdc_dictionary_create makes an empty dictionary of values of a type, in the current context. */
extern SdcDictionary *sdc_dictionary_create(const SdcType *type);
extern void sdc_dictionary_destroy(SdcDictionary *dictionary);

/*
 * sdc_dictionary_expect tells that a value will be looked for soon, and sdc_dictionary_expect_more, after the same for
 * other values, that it will be next: what it needs is on its way to the processor.
 */
extern void sdc_dictionary_expect(const SdcDictionary *dictionary, Datum value);
extern void sdc_dictionary_expect_more(const SdcDictionary *dictionary, Datum value);

/* sdc_dictionary_number returns the number of a value, which is added if it is new. */
extern uint32 sdc_dictionary_number(SdcDictionary *dictionary, Datum value);
extern uint32 sdc_dictionary_count(const SdcDictionary *dictionary);

/* sdc_dictionary_value returns the value with a number, which stays where it is. */
extern Datum sdc_dictionary_value(const SdcDictionary *dictionary, uint32 number);

/*
 * sdc_dictionary_alias has the value with a number be that with another one.  Numbers of values are not looked for any
 * more then.
 */
extern void sdc_dictionary_alias(SdcDictionary *dictionary, uint32 number, uint32 other);

/* sdc_dictionary_type is the type of the values. */
extern const SdcType *sdc_dictionary_type(const SdcDictionary *dictionary);

/* Bytes that the dictionary takes now. */
extern uint64 sdc_dictionary_memory(const SdcDictionary *dictionary);

/* The codes of a dictionary. */
typedef struct SdcDictionaryCodes
{
	uint32		codes;			/* they are 0 .. codes - 1 */
	uint32		values;			/* from here on they are of missing codes, where these were put last (missing.h) */
	uint32	   *code;			/* of each number */
	uint32	   *number;			/* of each code, the first of several that are equal */
} SdcDictionaryCodes;

/* sdc_dictionary_codes orders the values; in the current memory context. */
extern void sdc_dictionary_codes(const SdcDictionary *dictionary, SdcDictionaryCodes *codes);

/*
 * sdc_dictionary_classes finds the values that are equal.  It returns how many different ones there are, and for every
 * number a class below that; NULL where no two are equal.  It takes less time than codes where a type can be hashed.
 */
extern uint32 *sdc_dictionary_classes(const SdcDictionary *dictionary, uint32 *classes);

/* A column of numbers, which may share its dictionary with others. */
typedef struct SdcCodeList
{
	SdcDictionary *dictionary;
	MemoryContext context;		/* of the numbers */
	uint32	   *code;			/* of each record; SDC_CODE_NULL for NULL */
	uint64		count;
	uint64		space;
} SdcCodeList;

extern SdcCodeList *sdc_codelist_create(SdcDictionary *dictionary);
extern void sdc_codelist_grow(SdcCodeList *list);

/* sdc_codelist_reserve makes room for so many records in all. */
extern void sdc_codelist_reserve(SdcCodeList *list, uint64 records);

/* sdc_codelist_append adds the value of the next record. */
static inline void
sdc_codelist_append(SdcCodeList *list, Datum value, bool isnull)
{
	if (list->count == list->space)
		sdc_codelist_grow(list);
	list->code[list->count++] = isnull ? SDC_CODE_NULL :
		sdc_dictionary_number(list->dictionary, value);
}

/* sdc_codelist_rank replaces the numbers by codes. */
extern void sdc_codelist_rank(SdcCodeList *list, const SdcDictionaryCodes *codes);

#endif							/* SDC_RELATION_DICTIONARY_H */
