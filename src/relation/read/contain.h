/*-------------------------------------------------------------------------
 *
 * contain.h
 *		Which values of one column the ranges and sets of another one contain.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_RELATION_CONTAIN_H
#define SDC_RELATION_CONTAIN_H

#include "relation/read/classes.h"

/* How values of two columns of one name are compared. */
typedef enum SdcContainKind
{
	SDC_CONTAIN_EQUAL,			/* by equality: they have common codes */
	SDC_CONTAIN_RANGE,			/* the first one has ranges of the second one's values */
	SDC_CONTAIN_SET				/* it has arrays of them */
} SdcContainKind;

typedef struct SdcContain
{
	SdcContainKind kind;
	SdcClassColumn *outer;		/* values, ranges or arrays */
	SdcClassColumn *inner;		/* values */
	uint32	   *start;			/* SET: by number of the array, where its elements start; and behind all */
	uint32	   *element;		/* their numbers, later codes, in inner's dictionary; or SDC_CODE_NULL */
	uint32	   *low;			/* RANGE: by code of the range, the first code that it contains, */
	uint32	   *high;			/* and the last one; below low without any.  SET: low is the number of the array.  Of
								 * what is empty both are SDC_CODE_NULL, as it was suppressed */
} SdcContain;

/*
 * sdc_contain_plan decides how column number of two relations are compared, and has them read accordingly; types
 * that cannot be are an error.  Before sdc_classes_read.
 */
extern void sdc_contain_plan(SdcContain *contain, SdcClasses *outer, SdcClasses *inner, int number);

/* sdc_contain_elements looks into the arrays, when both were read and before sdc_classes_rank. */
extern void sdc_contain_elements(SdcContain *contain);

/* sdc_contain_codes makes codes of what the arrays and ranges contain, after sdc_classes_rank. */
extern void sdc_contain_codes(SdcContain *contain);

#endif							/* SDC_RELATION_CONTAIN_H */
