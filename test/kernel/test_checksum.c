/*-------------------------------------------------------------------------
 *
 * test_checksum.c
 *		Golden values of the checksum, and that it notices changes.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/kernel_env.h"

#include "kernel/checksum.h"

#pragma GCC diagnostic ignored "-Wunused-const-variable"
#include "golden.h"
#include "tap.h"

/* checksum_of is the checksum of one string of bytes. */
static uint64
checksum_of(const void *bytes, Size length)
{
	SdcChecksum sum = {SDC_CHECKSUM_INIT};

	sdc_checksum_bytes(&sum, bytes, length);
	return sum.state;
}

/* golden_values compares with golden.py. */
static void
golden_values(void)
{
	static const char *const text[] = {"", "a", "abcdefgh",
	"abcdefghijklmno"};
	SdcChecksum sum = {SDC_CHECKSUM_INIT};
	uint8		all[256];

	CHECK(sum.state == golden_checksum[0]);
	for (int i = 0; i < 4; i++)
	{
		sdc_checksum_bytes(&sum, text[i], strlen(text[i]));
		CHECKF(sum.state == golden_checksum[i + 1], "\"%s\"", text[i]);
	}
	for (int i = 0; i < 256; i++)
		all[i] = (uint8) i;
	sdc_checksum_bytes(&sum, all, sizeof(all));
	CHECK(sum.state == golden_checksum[5]);
}

/* alignment_does_not_matter reads the same bytes at eight places. */
static void
alignment_does_not_matter(void)
{
	char		room[64];
	const char *text = "the quick brown fox jumps";
	uint64		expected = checksum_of(text, 25);

	for (int i = 0; i < 8; i++)
	{
		memcpy(room + i, text, 25);
		CHECKF(checksum_of(room + i, 25) == expected, "offset %d", i);
	}
}

/* changes_are_noticed flips every bit, cuts, appends zeros and exchanges. */
static void
changes_are_noticed(void)
{
	uint8		bytes[40] = {0};
	SdcChecksum ab = {SDC_CHECKSUM_INIT};
	SdcChecksum ba = {SDC_CHECKSUM_INIT};

	for (Size length = 0; length < 40; length++)
	{
		uint64		before = checksum_of(bytes, length);

		CHECKF(before != checksum_of(bytes, length + 1), "%zu zeros", length);
		for (Size bit = 0; bit < 8 * length; bit++)
		{
			bytes[bit / 8] ^= (uint8) (1 << (bit % 8));
			CHECKF(before != checksum_of(bytes, length), "bit %zu", bit);
			bytes[bit / 8] ^= (uint8) (1 << (bit % 8));
		}
	}

	sdc_checksum_bytes(&ab, "ab", 2);
	sdc_checksum_bytes(&ab, "c", 1);
	sdc_checksum_bytes(&ba, "a", 1);
	sdc_checksum_bytes(&ba, "bc", 2);
	CHECK(ab.state != ba.state);
	ab.state = ba.state = SDC_CHECKSUM_INIT;
	sdc_checksum_word(&ab, 1);
	sdc_checksum_word(&ab, 2);
	sdc_checksum_word(&ba, 2);
	sdc_checksum_word(&ba, 1);
	CHECK(ab.state != ba.state);
}

/* main runs the tests. */
int
main(void)
{
	RUN(golden_values);
	RUN(alignment_does_not_matter);
	RUN(changes_are_noticed);
	return tap_done();
}
