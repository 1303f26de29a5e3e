/*-------------------------------------------------------------------------
 *
 * keycursor.h
 *		The keys of a relation that was read, one after the other: two of them are merged so.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_RELATION_KEYCURSOR_H
#define SDC_RELATION_KEYCURSOR_H

#include "relation/read/source.h"

typedef struct SdcKeyCursor
{
	const SdcSource *source;
	SdcColumnReader **reader;
	Datum	   *value;			/* of every column of the key */
	uint64		record;			/* at hand; as many as there are: behind the last */
} SdcKeyCursor;

/* sdc_keycursor_open begins with the first key of a relation that was read in the order of its key. */
extern void sdc_keycursor_open(SdcKeyCursor *cursor, const SdcSource *source);

/* sdc_keycursor_next goes on to the next one. */
extern void sdc_keycursor_next(SdcKeyCursor *cursor);

/* sdc_keycursor_compare compares the keys at hand, by the types of the first; behind the last is above all. */
extern int	sdc_keycursor_compare(const SdcKeyCursor *a, const SdcKeyCursor *b);

/* sdc_keycursor_close closes the columns. */
extern void sdc_keycursor_close(SdcKeyCursor *cursor);

#endif							/* SDC_RELATION_KEYCURSOR_H */
