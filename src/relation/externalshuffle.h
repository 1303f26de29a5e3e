/*-------------------------------------------------------------------------
 *
 * externalshuffle.h
 *		Shuffling sets of records of any size.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_RELATION_EXTERNALSHUFFLE_H
#define SDC_RELATION_EXTERNALSHUFFLE_H

#include "relation/random.h"

/* Called for every element of a set that was shuffled, in any order: at its place, from 0, now is given. */
typedef void (*SdcShuffled) (void *arg, uint32 place, uint32 element, uint32 given);

typedef struct SdcExternalShuffle SdcExternalShuffle;

/* sdc_externalshuffle_create prepares to shuffle one set after the other, in so much memory. */
extern SdcExternalShuffle *sdc_externalshuffle_create(uint64 memory, SdcShuffled shuffled, void *arg);
extern void sdc_externalshuffle_destroy(SdcExternalShuffle *shuffle);

/* sdc_externalshuffle_put adds an element to the set at hand. */
extern void sdc_externalshuffle_put(SdcExternalShuffle *shuffle, uint32 element);

/* sdc_externalshuffle_end shuffles the set as sdc_sample_shuffle does, with the same draws, and begins another. */
extern void sdc_externalshuffle_end(SdcExternalShuffle *shuffle, SdcStream *stream);

#endif							/* SDC_RELATION_EXTERNALSHUFFLE_H */
