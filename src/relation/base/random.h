/*-------------------------------------------------------------------------
 *
 * random.h
 *		The random streams of one call.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_RELATION_RANDOM_H
#define SDC_RELATION_RANDOM_H

#include "kernel/base/stream.h"

/* A master key and a stream; freed, and the key wiped, with its memory context. */
typedef struct SdcRandom SdcRandom;

/*
 * sdc_random_create makes the source of randomness of one call in the current
 * memory context.  With seed NULL the master key comes from the server's strong
 * generator and exists nowhere else.
 */
extern SdcRandom *sdc_random_create(const char *seed, const char *method);

/*
 * What a parallel worker draws the same from: sdc_random_share fills it in.  It has the key, and is no less secret: it
 * goes to workers by sdc_jobs_begin (jobs.h), and no other way.
 */
typedef struct SdcRandomShare
{
	char		method[NAMEDATALEN];
	uint8		master[SDC_MASTER_KEY_BYTES];
} SdcRandomShare;

extern void sdc_random_share(const SdcRandom *random, SdcRandomShare *share);
extern SdcRandom *sdc_random_attach(const SdcRandomShare *share);

/* sdc_random_start starts the stream of an attribute, purpose and stratum. */
extern SdcStream *sdc_random_start(SdcRandom *random, const char *attribute,
								   const char *purpose, uint64 stratum);

/*
 * sdc_random_restart starts that of a release that is published again and again: every publication, by its
 * number from 1 on, draws from streams of its own; 0 is for the streams of sdc_random_start.
 */
extern SdcStream *sdc_random_restart(SdcRandom *random, const char *attribute, const char *purpose,
										 uint64 stratum, uint64 publication);

/*
 * sdc_random_verify raises an error if libcrypto failed to deliver a word since
 * the stream was started: what was drawn must not be used.
 */
extern void sdc_random_verify(SdcRandom *random);

#endif							/* SDC_RELATION_RANDOM_H */
