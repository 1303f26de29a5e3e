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

/*
 * sdc_keycursor_pair finds the record of a source that each member of another relation is, by their keys, which are
 * alike; SDC_CONTINUED_NOBODY: none.
 */
extern void sdc_keycursor_pair(const SdcSource *members, const SdcSource *source, uint32 *of_member);

/*
 * sdc_keycursor_alike tells whether a relation has columns of some names that have the base types and the order of
 * attributes of a source.
 */
extern bool sdc_keycursor_alike(const SdcSource *source, const int *index, int count, Oid relid, const List *names);

#endif							/* SDC_RELATION_KEYCURSOR_H */
