/*-------------------------------------------------------------------------
 *
 * shuffle.h
 *		Records in random order, as many as there are.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_PUBLISH_SHUFFLE_H
#define SDC_PUBLISH_SHUFFLE_H

#include "access/htup.h"

typedef struct SdcShuffle SdcShuffle;

/*
 * sdc_shuffle_create prepares to take records, in the current memory context, of which that takes so much; the
 * rest goes to temporary files.
 */
extern SdcShuffle *sdc_shuffle_create(uint64 memory);

/* sdc_shuffle_add copies a record. */
extern void sdc_shuffle_add(SdcShuffle *shuffle, MinimalTuple record);

/*
 * sdc_shuffle_next returns all records, each once, and then NULL.  Every order is as likely, whatever the
 * records are and in which order they came.  A record is good until the next call, and as in a heap tuple there are
 * MINIMAL_TUPLE_OFFSET bytes before it.
 */
extern MinimalTuple sdc_shuffle_next(SdcShuffle *shuffle);

/* sdc_shuffle_destroy frees everything; an error does so too. */
extern void sdc_shuffle_destroy(SdcShuffle *shuffle);

#endif							/* SDC_PUBLISH_SHUFFLE_H */
