/*-------------------------------------------------------------------------
 *
 * heapwriter.h
 *		Writing records to a heap.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_RELATION_HEAPWRITER_H
#define SDC_RELATION_HEAPWRITER_H

#include "executor/tuptable.h"
#include "utils/relcache.h"

typedef struct SdcHeapWriter SdcHeapWriter;

/*
 * sdc_heapwriter_begin starts to fill a heap that nobody else can see.  toast is the table whose place that of
 * the heap's long values takes later, or InvalidOid.
 */
extern SdcHeapWriter *sdc_heapwriter_begin(Oid relid, Oid toast);

/*
 * sdc_heapwriter_begin_rows starts to add rows to a table that others read, and to its indexes, which are neither
 * unique nor on expressions.  The caller keeps other writers out.
 */
extern SdcHeapWriter *sdc_heapwriter_begin_rows(Oid relid);

/*
 * sdc_heapwriter_slot returns a slot, whose values and nulls the caller fills in; sdc_heapwriter_put
 * takes it then: what values point to is needed no longer.
 */
extern TupleTableSlot *sdc_heapwriter_slot(SdcHeapWriter *writer);
extern void sdc_heapwriter_put(SdcHeapWriter *writer);

/* sdc_heapwriter_put_tuple takes a copy of a tuple with the columns of the table instead. */
extern void sdc_heapwriter_put_tuple(SdcHeapWriter *writer, HeapTuple tuple);

/* sdc_heapwriter_end writes what is left. */
extern void sdc_heapwriter_end(SdcHeapWriter *writer);

#endif							/* SDC_RELATION_HEAPWRITER_H */
