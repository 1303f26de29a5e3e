/*-------------------------------------------------------------------------
 *
 * checksum.h
 *		A 64-bit checksum of a sequence of values, to notice change.
 *
 * Not a cryptographic hash: it finds accidents, not forgery.  The result is
 * the same on every machine (bytes are taken as little-endian words).
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_CHECKSUM_H
#define SDC_KERNEL_CHECKSUM_H

#include "kernel/base/kernel_env.h"

typedef struct SdcChecksum
{
	uint64		state;
} SdcChecksum;

#define SDC_CHECKSUM_INIT UINT64_C(0x9E3779B97F4A7C15)

/* Adds one 64-bit word: multiply and fold, order matters. */
static inline void
sdc_checksum_word(SdcChecksum *sum, uint64 word)
{
	uint64		mixed = (sum->state ^ word) * UINT64_C(0xD6E8FEB86659FD93);

	sum->state = (mixed ^ (mixed >> 32)) + UINT64_C(0x632BE59BD9B4E019);
}

/* sdc_checksum_pair is the hash of two numbers: the finalizer of S. Vigna's splitmix64. */
static inline uint64
sdc_checksum_pair(uint32 a, uint32 b)
{
	uint64		z = ((uint64) a << 32 | b) + UINT64_C(0x9E3779B97F4A7C15);

	z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
	return z ^ (z >> 31);
}

/* Adds a string of bytes and its length. */
extern void sdc_checksum_bytes(SdcChecksum *sum, const void *bytes, Size length);

#endif							/* SDC_KERNEL_CHECKSUM_H */
