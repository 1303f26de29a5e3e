/*-------------------------------------------------------------------------
 *
 * contents.h
 *		The SHA-256 of what a table has, in whatever order.
 *
 *	value	NULL: "-".  A float8: "8:" and its eight bytes, the first one first (float8send).  Otherwise the bytes of
 *			its text in UTF-8, as COPY writes it before it quotes anything, under the settings of
 *			sdc_type_pin_settings; before them their number and a colon: "2:42"
 *	record	its values, one after the other
 *	names	the names of the columns, as if they were the values of a record
 *	table	SHA-256(SHA-256(names) SHA-256(record) SHA-256(record) ...), those of the records in ascending order of
 *			their bytes
 *
 * The reference says how to compute it elsewhere.  No two different tables are known to have the same.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_RELATION_CONTENTS_H
#define SDC_RELATION_CONTENTS_H

#include "access/tupdesc.h"

#define SDC_CONTENTS_BYTES 32

typedef struct SdcContents SdcContents;

/*
 * sdc_contents_begin begins with a table of so many records, and takes so much memory, or goes through temporary files.
 */
extern SdcContents *sdc_contents_begin(TupleDesc desc, uint64 records, uint64 memory);

/* sdc_contents_add adds a record, whose values are not toasted.  The settings must be pinned. */
extern void sdc_contents_add(SdcContents *contents, const Datum *values, const bool *nulls);

/* sdc_contents_end writes the result and frees everything. */
extern void sdc_contents_end(SdcContents *contents, uint8 *result);

#endif							/* SDC_RELATION_CONTENTS_H */
