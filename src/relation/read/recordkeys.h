/*-------------------------------------------------------------------------
 *
 * recordkeys.h
 *		The keys of the records of a relation, as text.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_RELATION_RECORDKEYS_H
#define SDC_RELATION_RECORDKEYS_H

#include "relation/read/source.h"

typedef struct SdcRecordKeys
{
	int			count;			/* columns; 0: records are numbered */
	Datum	  **value;			/* by column, by record */
	FmgrInfo   *output;
} SdcRecordKeys;

/*
 * sdc_recordkeys_load loads them, in the current memory context; sdc_recordkeys_load_units what the units of the
 * records are named by, in their place.
 */
extern void sdc_recordkeys_load(SdcRecordKeys *keys, SdcSource *source);
extern void sdc_recordkeys_load_units(SdcRecordKeys *keys, SdcSource *source);

/*
 * sdc_recordkeys_text returns the key of a record: that of the column, of a row of several columns, or the number
 * of the record.
 */
extern char *sdc_recordkeys_text(SdcRecordKeys *keys, uint32 record);

#endif							/* SDC_RELATION_RECORDKEYS_H */
