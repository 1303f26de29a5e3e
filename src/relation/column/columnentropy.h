/*-------------------------------------------------------------------------
 *
 * columnentropy.h
 *		The entropy of the values of a column.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_RELATION_COLUMNENTROPY_H
#define SDC_RELATION_COLUMNENTROPY_H

#include "relation/column/column.h"
#include "relation/column/dictionary.h"

/*
 * sdc_columnentropy_of returns the entropy of the values of a column that are not missing.  numbers: the column has the
 * numbers of the values of this dictionary; NULL: it has values.
 */
extern double sdc_columnentropy_of(SdcColumn *column, const SdcType *type, const SdcDictionary *numbers);

#endif							/* SDC_RELATION_COLUMNENTROPY_H */
