/*-------------------------------------------------------------------------
 *
 * queryeval.c
 *		Estimates a count from the groups of a release.
 *
 * Equations (12) and (13) of W. Yang, S. Qiao, "A novel anonymization algorithm: privacy
 * protection and knowledge preservation", Expert Systems with Applications 37 (2010).  Both
 * need, in each group, numbers of records that satisfy something.  With the records in the
 * order of the groups these are numbers of bits between two places of a bitmap: the
 * difference of two counts below a place, each a number kept per word and the bits of one word.
 *
 * Of different values of a group only one record each is looked at, so that the values that are
 * asked for can be counted in the same way.
 *
 * O(groups * conditions) at most; a group is left at the first condition that none of its
 * values satisfies.  Groups are added in their order, products taken in the order of the
 * conditions: the result is determined to the last bit.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include "kernel/queries/queryeval.h"

/* Groups of a block: lists of so many stay in the first cache. */
#define BLOCK_GROUPS 1024

/* count_below counts the bits below a place. */
SDC_BITSET_INLINE uint32
count_below(const SdcQueryBits *bits, uint32 place, bool hardware)
{
	uint32		word = place / SDC_BITSET_BITS;
	uint64		mask = (UINT64_C(1) << (place % SDC_BITSET_BITS)) - 1;

	return bits->below[word] + sdc_bitset_popcount(bits->bits[word] & mask, hardware);
}

/* below_by computes the counts of a bitmap. */
SDC_BITSET_INLINE void
below_by(SdcQueryBits *bits, Size words, bool hardware)
{
	uint32		count = 0;

	for (Size w = 0; w < words; w++)
	{
		bits->below[w] = count;
		count += sdc_bitset_popcount(bits->bits[w], hardware);
	}
}

/* below_hardware is below_by where the processor counts. */
SDC_BITSET_COUNTS static void
below_hardware(SdcQueryBits *bits, Size words)
{
	below_by(bits, words, true);
}

/* sdc_queryeval_below: see queryeval.h. */
void
sdc_queryeval_below(SdcQueryBits *bits, Size words)
{
	if (sdc_bitset_hardware())
		below_hardware(bits, words);
	else
		below_by(bits, words, false);
}

/*
 * Groups are looked at in blocks.  Of a block those are listed that may contribute, as groups that
 * do not are too frequent to be left by a branch, and too irregular.
 */
typedef struct Block
{
	uint32		groups;
	uint32		group[BLOCK_GROUPS];
	double		number[BLOCK_GROUPS];	/* a number of records, or the part of it that is left */
} Block;

/*
 * start_block lists the groups from first on that have one of some records, and how many; of
 * all records if bits is NULL.  before is how many there are before the block, and then
 * behind it.
 */
SDC_BITSET_INLINE void
start_block(const SdcQueryGroups *groups, uint32 first, const SdcQueryBits *bits, uint32 *before,
			bool hardware, Block *block)
{
	uint32		left = groups->groups - first;
	uint32		last = first + (left < BLOCK_GROUPS ? left : BLOCK_GROUPS);
	uint32		listed = 0;

	SDC_CHECK_INTERRUPTS();
	for (uint32 g = first; g < last; g++)
	{
		uint32		end = groups->start[g + 1];
		uint32		upto = bits == NULL ? end : count_below(bits, end, hardware);

		block->group[listed] = g;
		block->number[listed] = upto - *before;
		listed += upto != *before;
		*before = upto;
	}
	block->groups = listed;
}

/* permuted_by is sdc_queryeval_permuted: m of N records and s sensitive values make m s / N. */
SDC_BITSET_INLINE double
permuted_by(const SdcQueryGroups *groups, const SdcQueryBits *match,
			const SdcQueryBits *sensitive, bool hardware)
{
	double		estimate = 0;
	uint32		before = 0;
	Block		block;

	for (uint64 first = 0; first < groups->groups; first += BLOCK_GROUPS)
	{
		start_block(groups, (uint32) first, match, &before, hardware, &block);
		for (uint32 k = 0; k < block.groups; k++)
		{
			uint32		start = groups->start[block.group[k]];
			uint32		end = groups->start[block.group[k] + 1];
			uint32		values = end - start;

			if (sensitive != NULL)
				values = count_below(sensitive, end, hardware) -
					count_below(sensitive, start, hardware);
			/* below 2^64, and exact below 2^53, as both are below the number of records */
			estimate += block.number[k] * values / (end - start);
		}
	}
	return estimate;
}

/* permuted_hardware is permuted_by where the processor counts. */
SDC_BITSET_COUNTS static double
permuted_hardware(const SdcQueryGroups *groups, const SdcQueryBits *match,
				  const SdcQueryBits *sensitive)
{
	return permuted_by(groups, match, sensitive, true);
}

/* sdc_queryeval_permuted: see queryeval.h. */
double
sdc_queryeval_permuted(const SdcQueryGroups *groups, const SdcQueryBits *match,
					   const SdcQueryBits *sensitive, bool hardware)
{
	if (hardware)
		return permuted_hardware(groups, match, sensitive);
	return permuted_by(groups, match, sensitive, false);
}

/* take_share takes the share of the values of each group that is asked for, if there is one. */
SDC_BITSET_INLINE void
take_share(const SdcQueryGroups *groups, const SdcQueryShare *share, bool hardware, Block *block)
{
	uint32		listed = 0;

	for (uint32 k = 0; k < block->groups; k++)
	{
		uint32		g = block->group[k];
		uint32		selected = count_below(&share->selected, groups->start[g + 1], hardware) -
			count_below(&share->selected, groups->start[g], hardware);

		block->group[listed] = g;
		block->number[listed] = block->number[k] * ((double) selected / share->distinct[g]);
		listed += selected != 0;
	}
	block->groups = listed;
}

/* generalized_by is sdc_queryeval_generalized. */
SDC_BITSET_INLINE double
generalized_by(const SdcQueryGroups *groups, uint32 shares, const SdcQueryShare *share,
			   const SdcQueryBits *sensitive, bool hardware)
{
	double		estimate = 0;
	uint32		before = 0;
	Block		block;

	for (uint64 first = 0; first < groups->groups; first += BLOCK_GROUPS)
	{
		start_block(groups, (uint32) first, sensitive, &before, hardware, &block);
		for (uint32 s = 0; s < shares; s++)
			take_share(groups, &share[s], hardware, &block);
		for (uint32 k = 0; k < block.groups; k++)
			estimate += block.number[k];
	}
	return estimate;
}

/* generalized_hardware is generalized_by where the processor counts. */
SDC_BITSET_COUNTS static double
generalized_hardware(const SdcQueryGroups *groups, uint32 shares, const SdcQueryShare *share,
					 const SdcQueryBits *sensitive)
{
	return generalized_by(groups, shares, share, sensitive, true);
}

/* sdc_queryeval_generalized: see queryeval.h. */
double
sdc_queryeval_generalized(const SdcQueryGroups *groups, uint32 shares,
						  const SdcQueryShare *share, const SdcQueryBits *sensitive,
						  bool hardware)
{
	if (hardware)
		return generalized_hardware(groups, shares, share, sensitive);
	return generalized_by(groups, shares, share, sensitive, false);
}
