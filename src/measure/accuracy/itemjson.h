/*-------------------------------------------------------------------------
 *
 * itemjson.h
 *		Combinations of values as jsonb.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_MEASURE_ITEMJSON_H
#define SDC_MEASURE_ITEMJSON_H

#include "kernel/base/codedfile.h"
#include "relation/read/codedtable.h"

typedef struct SdcItemJson SdcItemJson;

/*
 * sdc_itemjson_create prepares the items of a table in the current memory context.  Until
 * sdc_itemjson_destroy settings that output functions depend on are fixed.
 */
extern SdcItemJson *sdc_itemjson_create(const SdcCodedTable *table);
extern void sdc_itemjson_destroy(SdcItemJson *json);

/*
 * sdc_itemjson_build returns the object {attribute: value, ...} of items of different attributes, in
 * memory that is used again for the next one with the same place (0 or 1).
 */
extern Datum sdc_itemjson_build(SdcItemJson *json, int place, const SdcItem *item, int items);

#endif							/* SDC_MEASURE_ITEMJSON_H */
