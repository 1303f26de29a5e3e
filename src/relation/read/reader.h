/*-------------------------------------------------------------------------
 *
 * reader.h
 *		Reading a relation in the order of its key.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_RELATION_READER_H
#define SDC_RELATION_READER_H

#include "relation/read/source.h"

/* Record numbers are 32 bits wide, and the largest is kept free. */
#define SDC_MAX_RECORDS UINT64CONST(4294967294)

/*
 * sdc_reader_read reads all records of the source in key order into the columns
 * of its attributes, and counts and checksums them.  Needs an SPI connection.
 */
extern void sdc_reader_read(SdcSource *source, SdcSpool *spool);

/* sdc_reader_sum adds the values of a column that was read to a checksum. */
extern void sdc_reader_sum(SdcAttribute *attribute, SdcChecksum *sum);

/* sdc_reader_keep leaves of what was read some records, whose numbers are ascending. */
extern void sdc_reader_keep(SdcSource *source, SdcSpool *spool, const uint32 *records, uint32 count);

#endif							/* SDC_RELATION_READER_H */
