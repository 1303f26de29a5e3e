/*-------------------------------------------------------------------------
 *
 * checksum.c
 *		A 64-bit checksum of a sequence of values, to notice change.
 *
 * Every word goes through an invertible step (exclusive or, multiply by an odd
 * constant, fold, add), so two sequences of equal length that differ in one
 * word never agree, and others agree with a chance of about 2^-64.
 *
 * Linear time, no memory.  The result does not depend on the byte order of
 * the machine or on the alignment of the bytes.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include "kernel/base/checksum.h"

/* load64 reads a little-endian word; compilers make it one instruction. */
static inline uint64
load64(const uint8 *bytes)
{
	uint64		word = 0;

	for (int i = 7; i >= 0; i--)
		word = word << 8 | bytes[i];
	return word;
}

/*
 * sdc_checksum_bytes adds the length first, so that "ab" "c" is not "a" "bc",
 * and then the bytes as little-endian words, the last one filled with zeros.
 */
void
sdc_checksum_bytes(SdcChecksum *sum, const void *bytes, Size length)
{
	const uint8 *next = bytes;
	uint64		last = 0;

	sdc_checksum_word(sum, length);
	for (; length >= 8; length -= 8, next += 8)
		sdc_checksum_word(sum, load64(next));
	if (length > 0)
	{
		for (Size i = 0; i < length; i++)
			last |= (uint64) next[i] << (8 * i);
		sdc_checksum_word(sum, last);
	}
}
