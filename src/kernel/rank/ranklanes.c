/*-------------------------------------------------------------------------
 *
 * ranklanes.c
 *		Tests of a block of nodes or points at once, on vector units.
 *
 * All tests are written once, with vectors as the compiler knows them, and compiled for what
 * every machine of a kind has and, on x86-64, for AVX2 too: the results are the same bits.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include "kernel/rank/ranklanes.h"

#define FAN SDC_RANKLEVEL_FAN

/* Lanes of a vector; where the machine's are shorter, the compiler takes several. */
#define LANES 8
#define STEPS (FAN / LANES)

typedef int32 Lanes __attribute__((vector_size(LANES * 4), aligned(4), may_alias));

/* Bins of a block. */
typedef int8_t Bytes __attribute__((vector_size(FAN), aligned(1), may_alias));
typedef uint8 Bins __attribute__((vector_size(FAN), aligned(1), may_alias));

/* lane_bits makes a bit of each lane, of STEPS vectors of comparisons. */
static inline __attribute__((always_inline)) uint32
lane_bits(const Lanes *flag)
{
	static const Lanes bit = {1, 2, 4, 8, 16, 32, 64, 128};
	uint64		words[LANES / 2];
	uint64		all = 0;
	Lanes		bits = flag[0] & bit;

	for (int k = 1; k < STEPS; k++)
		bits |= flag[k] & (bit << (k * LANES));
	memcpy(words, &bits, sizeof(words));
	for (int k = 0; k < LANES / 2; k++)
		all |= words[k];
	return (uint32) (all | all >> 32);
}

/* block_lanes is the block test, for whatever machine it is compiled. */
static inline __attribute__((always_inline)) uint32
block_lanes(const int32 *low, const int32 *high, const SdcRankTest *test, uint64 open,
			int32 allowed, SdcRankBlock *block)
{
	Lanes		outside[STEPS];
	Lanes		few[STEPS];

	memcpy(outside, block->outside, sizeof(outside));
	for (int word = 0; word < 2; word++)
	{
		Lanes		some_open[STEPS] = {{0}};

		for (uint32 rest = (uint32) (open >> 32 * word); rest != 0; rest &= rest - 1)
		{
			int			place = __builtin_ctz(rest);
			int32		bit = (int32) (UINT32_C(1) << place);
			const SdcRankTest *window = &test[32 * word + place];
			const Lanes *from = (const Lanes *) (low + (32 * word + place) * FAN);
			const Lanes *to = (const Lanes *) (high + (32 * word + place) * FAN);

			for (int k = 0; k < STEPS; k++)
			{
				Lanes		none = (from[k] > window->last) | (to[k] < window->first);
				Lanes		some = (from[k] < window->first) | (to[k] > window->last);

				outside[k] -= none;
				some_open[k] |= some & ~none & bit;
			}
		}
		memcpy(block->open[word], some_open, sizeof(some_open));
	}
	for (int k = 0; k < STEPS; k++)
		few[k] = outside[k] <= allowed;
	memcpy(block->outside, outside, sizeof(outside));
	return lane_bits(few);
}

/* point_lanes is the points test, for whatever machine it is compiled. */
static inline __attribute__((always_inline)) uint32
point_lanes(const int32 *code, const SdcRankTest *test, uint64 open, int32 allowed, int32 *result)
{
	Lanes		outside[STEPS];
	Lanes		few[STEPS];

	memcpy(outside, result, sizeof(outside));
	for (; open != 0; open &= open - 1)
	{
		int			a = __builtin_ctzll(open);
		const Lanes *from = (const Lanes *) (code + a * FAN);

		for (int k = 0; k < STEPS; k++)
			outside[k] -= (from[k] < test[a].first) | (from[k] > test[a].last);
	}
	for (int k = 0; k < STEPS; k++)
		few[k] = outside[k] <= allowed;
	memcpy(result, outside, sizeof(outside));
	return lane_bits(few);
}

/* block_portable is for what every machine of this kind has. */
static uint32
block_portable(const int32 *low, const int32 *high, const SdcRankTest *test, uint64 open,
			   int32 allowed, SdcRankBlock *block)
{
	return block_lanes(low, high, test, open, allowed, block);
}

/* points_portable is for what every machine of this kind has. */
static uint32
points_portable(const int32 *code, const SdcRankTest *test, uint64 open, int32 allowed,
				int32 *outside)
{
	return point_lanes(code, test, open, allowed, outside);
}

#if defined(__x86_64__) && defined(__GNUC__)

/* block_avx2 has eight lanes in one step. */
__attribute__((target("avx2"))) static uint32
block_avx2(const int32 *low, const int32 *high, const SdcRankTest *test, uint64 open,
		   int32 allowed, SdcRankBlock *block)
{
	return block_lanes(low, high, test, open, allowed, block);
}

/* points_avx2 has eight lanes in one step. */
__attribute__((target("avx2"))) static uint32
points_avx2(const int32 *code, const SdcRankTest *test, uint64 open, int32 allowed,
			int32 *outside)
{
	return point_lanes(code, test, open, allowed, outside);
}

#endif

/* overlap_lanes is the overlap test, for whatever machine it is compiled. */
static inline __attribute__((always_inline)) uint32
overlap_lanes(const int32 *low, const int32 *high, const SdcRankTest *test, int attributes)
{
	Lanes		none[STEPS] = {{0}};

	for (int a = 0; a < attributes; a++)
		for (int k = 0; k < STEPS; k++)
			none[k] |= (((const Lanes *) (low + a * FAN))[k] > test[a].last) |
				(((const Lanes *) (high + a * FAN))[k] < test[a].first);
	return ~lane_bits(none);
}

/* members_bytes flags the points that are in one of the windows of the first attributes not. */
static inline __attribute__((always_inline)) void
members_bytes(const uint8 *bin, const SdcRankRange *range, int attributes, Bytes *none)
{
	*none = (Bytes) {0};
	for (int a = 0; a < attributes; a++)
		*none |= (Bytes) (*(const Bins *) (bin + a * FAN) + range[a].shift) > range[a].span;
}

/* others_bytes flags the points that are outside of more than allowed of the open windows. */
static inline __attribute__((always_inline)) void
others_bytes(const uint8 *bin, const SdcRankRange *range, uint64 open, int allowed, Bytes *many)
{
	Bytes		outside = {0};

	for (; open != 0; open &= open - 1)
	{
		int			a = __builtin_ctzll(open);

		outside -= (Bytes) (*(const Bins *) (bin + a * FAN) + range[a].shift) > range[a].span;
	}
	*many = outside > (int8_t) allowed;
}

/* byte_bits makes a bit of each byte of a comparison. */
static inline uint32
byte_bits(const Bytes *flag)
{
	static const Bins bit = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128,
	1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
	Bins		bits = (Bins) *flag & bit;
	uint64		words[FAN / 8];
	uint32		all = 0;

	memcpy(words, &bits, sizeof(words));
	/* the sum of the bytes of a word */
	for (int k = 0; k < FAN / 8; k++)
		all |= (uint32) (words[k] * UINT64_C(0x0101010101010101) >> 56) << (8 * k);
	return all;
}

/* overlap_portable is for what every machine of this kind has. */
static uint32
overlap_portable(const int32 *low, const int32 *high, const SdcRankTest *test, int attributes)
{
	return overlap_lanes(low, high, test, attributes);
}

/* members_portable is for what every machine of this kind has. */
static uint32
members_portable(const uint8 *bin, const SdcRankRange *range, int attributes, uint64 open,
				 int allowed)
{
	Bytes		flag;
	uint32		bits;

	members_bytes(bin, range, attributes, &flag);
	bits = ~byte_bits(&flag);
	if (bits == 0)
		return 0;
	others_bytes(bin, range, open, allowed, &flag);
	return bits & ~byte_bits(&flag);
}

#if defined(__x86_64__) && defined(__GNUC__)

/* overlap_avx2 has eight lanes in one step. */
__attribute__((target("avx2"))) static uint32
overlap_avx2(const int32 *low, const int32 *high, const SdcRankTest *test, int attributes)
{
	return overlap_lanes(low, high, test, attributes);
}

/* members_avx2 has a block in one step. */
__attribute__((target("avx2"))) static uint32
members_avx2(const uint8 *bin, const SdcRankRange *range, int attributes, uint64 open,
			 int allowed)
{
	typedef char Mask __attribute__((vector_size(FAN)));
	Bytes		flag;
	uint32		bits;

	members_bytes(bin, range, attributes, &flag);
	bits = ~(uint32) __builtin_ia32_pmovmskb256((Mask) flag);
	if (bits == 0)
		return 0;
	others_bytes(bin, range, open, allowed, &flag);
	return bits & ~(uint32) __builtin_ia32_pmovmskb256((Mask) flag);
}

#endif

/* sdc_ranklanes_choose: see ranklanes.h. */
SdcRankTests
sdc_ranklanes_choose(bool vectors)
{
	static const SdcRankTests portable = {block_portable, points_portable, overlap_portable,
	members_portable};

#if defined(__x86_64__) && defined(__GNUC__)
	static const SdcRankTests avx2 = {block_avx2, points_avx2, overlap_avx2, members_avx2};

	if (vectors && __builtin_cpu_supports("avx2"))
		return avx2;
#else
	(void) vectors;
#endif
	return portable;
}
