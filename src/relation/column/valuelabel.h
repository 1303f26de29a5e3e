/*-------------------------------------------------------------------------
 *
 * valuelabel.h
 *		Ranges, sets and texts as a person would write them, for files.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_RELATION_VALUELABEL_H
#define SDC_RELATION_VALUELABEL_H

#include "utils/array.h"
#include "utils/rangetypes.h"

/* A range: separator stands between its ends; NULL is a hyphen between numbers, and the word "to" otherwise. */
extern char *sdc_valuelabel_range(TypeCacheEntry *type, const RangeType *range, const char *separator);

/* The values of an array: separator stands between them; NULL is a comma, and the word "or" before the last one. */
extern char *sdc_valuelabel_array(ArrayType *array, const char *separator);

/* A text that no spreadsheet takes for a formula. */
extern char *sdc_valuelabel_text(const char *text);

#endif							/* SDC_RELATION_VALUELABEL_H */
