/*-------------------------------------------------------------------------
 *
 * stream.h
 *		Keyed random streams: ChaCha20 under a key derived by HMAC-SHA-256.
 *
 * One 256-bit master key belongs to a release.  Every use of randomness in it
 * has a stream of its own, named by (method, attribute, purpose, stratum).
 * The same master key and name give the same words on every machine; two
 * different names give independent streams.
 *
 *	sub key = HMAC-SHA-256(master key,
 *						   "sdc-stream-1" 0x00 method 0x00 attribute 0x00
 *						   purpose 0x00 stratum as 8 bytes little-endian)
 *	words	= ChaCha20 (RFC 8439 block function, nonce 0, counter from 0)
 *			  key stream, read as little-endian 32-bit or 64-bit words
 *
 * SDC_STREAM_VERSION changes whenever any of this, or the way a kernel draws
 * from its stream, changes: it is kept with every release.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_STREAM_H
#define SDC_KERNEL_STREAM_H

#include "kernel/base/kernel_env.h"

#define SDC_STREAM_VERSION 1
#define SDC_MASTER_KEY_BYTES 32

typedef struct SdcStream SdcStream;

/*
 * sdc_stream_create makes a stream that is not started yet.  It holds a
 * libcrypto context: the code that creates it must see that sdc_stream_destroy is
 * called, in the server by a memory context callback.
 */
extern SdcStatus sdc_stream_create(SdcStream **stream);
extern void sdc_stream_destroy(SdcStream *stream);

/*
 * sdc_stream_start places the stream at the beginning of the named sequence.
 * It can be called any number of times on one stream.
 */
extern SdcStatus sdc_stream_start(SdcStream *stream,
								  const uint8 master[SDC_MASTER_KEY_BYTES],
								  const char *method, const char *attribute,
								  const char *purpose, uint64 stratum);

/*
 * sdc_stream_restart does so for a release that is published again and again under one
 * master key: behind the stratum the sub key's name has the number of the publication, as 8 bytes
 * little-endian, so that every publication draws from streams of its own.
 */
extern SdcStatus sdc_stream_restart(SdcStream *stream,
										const uint8 master[SDC_MASTER_KEY_BYTES],
										const char *method, const char *attribute,
										const char *purpose, uint64 stratum, uint64 publication);

/*
 * sdc_stream_status: SDC_OK while all words so far came from the cipher.  After
 * a run it proves that libcrypto never refused to go on; when it did, what was
 * drawn must be thrown away.
 */
extern SdcStatus sdc_stream_status(const SdcStream *stream);

/* sdc_stream_master_from_seed derives a master key from a seed text. */
extern SdcStatus sdc_stream_master_from_seed(const char *seed, Size length,
											 uint8 master[SDC_MASTER_KEY_BYTES]);

/*
 * The next words of the key stream, whose position is counted in 32-bit words.
 * They do not fail once the stream is started; see sdc_stream_status.
 */
extern uint32 sdc_stream_next32(SdcStream *stream);
extern uint64 sdc_stream_next64(SdcStream *stream);

/* sdc_stream_fill32 writes the next count 32-bit words to words. */
extern void sdc_stream_fill32(SdcStream *stream, uint32 *words, Size count);

/* sdc_stream_below draws uniformly from 0 .. bound - 1, without bias; bound > 0. */
extern uint32 sdc_stream_below(SdcStream *stream, uint32 bound);

/* sdc_stream_uniform draws uniformly from the open interval (0, 1), 53 bits. */
extern double sdc_stream_uniform(SdcStream *stream);

#endif							/* SDC_KERNEL_STREAM_H */
