/*-------------------------------------------------------------------------
 *
 * forms.h
 *		Which values of a column the ranges and sets contain that it was generalized to.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_RELATION_FORMS_H
#define SDC_RELATION_FORMS_H

#include "kernel/rank/rankwindow.h"
#include "relation/column/dictionary.h"
#include "utils/rangetypes.h"
#include "utils/typcache.h"

/* What a generalized column can have. */
typedef enum SdcFormKind
{
	SDC_FORM_RANGE,
	SDC_FORM_SET,
	SDC_FORM_OTHER
} SdcFormKind;

/* The values of a column as its forms, ranges or sets, are compared with them. */
typedef struct SdcForms
{
	SdcType    *type;			/* of the values */
	const SdcDictionary *dictionary;	/* that these are in, with codes */
	const SdcDictionaryCodes *coding;
	TypeCacheEntry *range;		/* of ranges; NULL: sets */
	Datum	   *bound;			/* ranges: the value of each code as an end of one, */
	RangeType **alone;			/* and the range of each missing code, which come last */
} SdcForms;

/* sdc_forms_kind tells what a release has in the place of a type of the source. */
extern SdcFormKind sdc_forms_kind(Oid source_type, Oid release_type);

/*
 * sdc_forms_begin prepares comparing forms of a type, in the current memory context.  taken is what is taken of the
 * memory by now.
 */
extern void sdc_forms_begin(SdcForms *forms, SdcType *type, const SdcDictionary *dictionary,
							const SdcDictionaryCodes *coding, Oid release_type);

/*
 * sdc_forms_is_empty tells whether a range or set of a type is empty: that is how its values can be suppressed where it
 * may not be NULL.
 */
extern bool sdc_forms_is_empty(Oid release_type, Datum form);

/* sdc_forms_range returns the codes that a range contains; last is below first if there are none. */
extern SdcInterval sdc_forms_range(const SdcForms *forms, Datum range);

/*
 * sdc_forms_set returns the number of elements of a set, and makes an array of their codes: SDC_CODE_NULL for NULL, and
 * for a value that no original record has, which null tells apart.
 */
extern int	sdc_forms_set(const SdcForms *forms, Datum set, uint32 **code, bool **null);

#endif							/* SDC_RELATION_FORMS_H */
