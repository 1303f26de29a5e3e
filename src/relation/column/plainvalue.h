/*-------------------------------------------------------------------------
 *
 * plainvalue.h
 *		Values without what shows of how they were stored.
 *
 * Equal texts can lie compressed or not, beside their record or in it, and under a long or a short header; and so can
 * what composite values, arrays, ranges and multiranges have inside, to any depth, where the server leaves it as it is
 * when it stores the whole.  A composite value can be older than an attribute, and an array can have a list of NULLs
 * without a NULL.  pg_column_size and pg_column_compression tell all that.  A plain value has one form.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_RELATION_PLAINVALUE_H
#define SDC_RELATION_PLAINVALUE_H

#include "access/tupdesc.h"

/* How values of a type, and the columns of a record, become plain. */
typedef struct SdcPlainType SdcPlainType;
typedef struct SdcPlainRecord SdcPlainRecord;

/* sdc_plainvalue_type looks at a type, in the current memory context; NULL: its values are always plain. */
extern SdcPlainType *sdc_plainvalue_type(Oid typid);

/*
 * sdc_plainvalue_make returns a value as a plain one: that itself, or one in the current memory context.  storage is
 * how the column keeps its values (attstorage), which decides about headers.
 */
extern Datum sdc_plainvalue_make(const SdcPlainType *type, char storage, Datum value);

/* sdc_plainrecord_create looks at the columns of a record; NULL: all are always plain. */
extern SdcPlainRecord *sdc_plainrecord_create(TupleDesc desc);

/*
 * sdc_plainrecord_make makes the values of a record plain, in the current memory context.  It returns whether they lie
 * in the record already as they would in a new one.
 */
extern bool sdc_plainrecord_make(const SdcPlainRecord *record, Datum *values, const bool *nulls);

#endif							/* SDC_RELATION_PLAINVALUE_H */
