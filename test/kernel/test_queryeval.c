/*-------------------------------------------------------------------------
 *
 * test_queryeval.c
 *		Estimates from groups with and without an instruction that counts bits.
 *
 * What they should be is the business of test_queries.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include "kernel/queries/queryeval.h"

#include "random.h"
#include "tap.h"

/* random_bits makes a random bitmap. */
static SdcQueryBits
random_bits(uint32 records, Size words)
{
	SdcQueryBits made;

	made.bits = sdc_alloc(words * sizeof(uint64));
	made.below = sdc_alloc(words * sizeof(uint32));
	memset(made.bits, 0, words * sizeof(uint64));
	for (uint32 i = 0; i < records; i++)
		if (pick(3) == 0)
			sdc_bitset_add(made.bits, i);
	sdc_queryeval_below(&made, words);
	return made;
}

/* counting_agrees compares the instruction of the processor with the portable way. */
static void
counting_agrees(void)
{
	enum {RECORDS = 1024, GROUPS = 3000};
	Size		words = sdc_bitset_words(RECORDS + 1);
	SdcQueryBits bits[3];
	SdcQueryShare share[2];
	uint32		start[GROUPS + 1];
	uint32		distinct[GROUPS];
	SdcQueryGroups groups = {GROUPS, start};

	random_state = 17;
	for (int round = 0; round < 1000; round++)
	{
		uint64		word = random64() & random64();

		CHECK(sdc_bitset_popcount(word, false) == (uint32) __builtin_popcountll(word));
	}
	CHECK(sdc_bitset_popcount(~UINT64_C(0), false) == 64);
	for (int k = 0; k < 3; k++)
	{
		uint32		count = 0;

		bits[k] = random_bits(RECORDS, words);
		for (uint32 i = 0; i < RECORDS; i++)
			count += sdc_bitset_contains(bits[k].bits, i);
		CHECK(sdc_bitset_count(bits[k].bits, words) == count);
		CHECK(sdc_bitset_count_by(bits[k].bits, words, false) == count);
		CHECK(sdc_bitset_common(bits[0].bits, bits[k].bits, words) ==
			  sdc_bitset_common_by(bits[0].bits, bits[k].bits, words, false));
	}
	for (uint32 g = 0; g < GROUPS; g++)
	{
		start[g] = g * RECORDS / GROUPS;
		distinct[g] = 7 + pick(4);
	}
	start[GROUPS] = RECORDS;
	for (int k = 0; k < 2; k++)
	{
		share[k].selected = bits[k];
		share[k].distinct = distinct;
	}
	if (sdc_bitset_hardware())
	{
		CHECK(sdc_queryeval_permuted(&groups, &bits[0], &bits[1], true) ==
			  sdc_queryeval_permuted(&groups, &bits[0], &bits[1], false));
		CHECK(sdc_queryeval_generalized(&groups, 2, share, &bits[2], true) ==
			  sdc_queryeval_generalized(&groups, 2, share, &bits[2], false));
	}
	CHECK(sdc_queryeval_generalized(&groups, 2, share, &bits[2], false) > 0);
	for (int k = 0; k < 3; k++)
	{
		sdc_free(bits[k].bits);
		sdc_free(bits[k].below);
	}
}

/* main runs the tests. */
int
main(void)
{
	RUN(counting_agrees);
	return tap_done();
}
