/*-------------------------------------------------------------------------
 *
 * privatestate.h
 *		The private state of a continued release: streams of values, words or bytes, and a header.
 *
 * Who has it can undo the release: it is as secret as the source.  What the streams mean is the caller's; here they are
 * kept, and it is told whether they are what was kept.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_RELATION_PRIVATESTATE_H
#define SDC_RELATION_PRIVATESTATE_H

#include "relation/column/column.h"
#include "utils/snapshot.h"

typedef struct SdcPrivateState SdcPrivateState;

/*
 * sdc_privatestate_open finds the state of a release, or returns NULL where there is none.  One of another version,
 * with parts too few or too many, or with a header that is not what was written, is an error.  So is a stream, when it
 * is read (below), and nothing of it is used before.  The state stays what it is now until it is closed, whatever is
 * written.
 */
extern SdcPrivateState *sdc_privatestate_open(Oid schema, Oid release);
extern void sdc_privatestate_close(SdcPrivateState *state);

/* The same in a worker, of a state that the session has open: sdc_privatestate_snapshot is by what it sees that. */
extern Snapshot sdc_privatestate_snapshot(const SdcPrivateState *state);
extern SdcPrivateState *sdc_privatestate_reopen(Oid schema, Oid release, Snapshot snapshot);

/* sdc_privatestate_header returns the caller's text. */
extern const char *sdc_privatestate_header(const SdcPrivateState *state);

/* sdc_privatestate_same_encoding tells whether it was written in a database of this encoding. */
extern bool sdc_privatestate_same_encoding(const SdcPrivateState *state);

/*
 * These read a stream: as a finished column of the type that was written, or as so many words or bytes as were written.
 * Anything else is an error.  sdc_privatestate_count tells how many values, words or bytes a stream has.
 */
extern uint64 sdc_privatestate_count(const SdcPrivateState *state, int stream);
extern SdcColumn *sdc_privatestate_column(SdcPrivateState *state, int stream, Oid typid, SdcSpool *spool);
extern void sdc_privatestate_words(SdcPrivateState *state, int stream, uint32 *words, uint64 count);
extern void sdc_privatestate_bytes(SdcPrivateState *state, int stream, uint8 *bytes, uint64 count);

/*
 * sdc_privatestate_next_raw tells of the streams of words or bytes, one after the other, as long as there are any: from
 * a place on, 0 at first, which moves behind the stream.
 */
typedef struct SdcPrivateRaw
{
	int			stream;
	bool		words;
	uint64		count;
} SdcPrivateRaw;

extern bool sdc_privatestate_next_raw(const SdcPrivateState *state, int *place, SdcPrivateRaw *raw);

/*
 * sdc_privatestate_create begins a state; its streams, numbered from 1 on, go to a column of a spool in any order, each
 * once.  Words are numbers up to most, or among the last four of 32 bits.  sdc_privatestate_finish has the streams take
 * the place of what a release had, and ends the state.
 */
extern SdcPrivateState *sdc_privatestate_create(Oid schema, SdcSpool *spool);
extern void sdc_privatestate_put_column(SdcPrivateState *state, int stream, SdcColumn *column);
extern void sdc_privatestate_put_words(SdcPrivateState *state, int stream, const uint32 *words, uint64 count,
									   uint32 most);
extern void sdc_privatestate_put_bytes(SdcPrivateState *state, int stream, const uint8 *bytes, uint64 count);
extern void sdc_privatestate_finish(SdcPrivateState *state, Oid release, const char *header);

/* sdc_privatestate_abandon ends a state that nobody needs. */
extern void sdc_privatestate_abandon(SdcPrivateState *state);

/* sdc_privatestate_set_header gives a state that is open another header; its streams stay. */
extern void sdc_privatestate_set_header(SdcPrivateState *state, const char *header);

/*
 * sdc_privatestate_remove removes the state of a release, and those of releases that are gone; it tells whether there
 * was one.  The caller holds a lock on the release that keeps others from doing so.
 */
extern bool sdc_privatestate_remove(Oid schema, Oid release);

#endif							/* SDC_RELATION_PRIVATESTATE_H */
