/*-------------------------------------------------------------------------
 *
 * continuedpack.c
 *		The pairing of a column in few words, and taken over by the next night.
 *
 * Of each pair only the lower member's mate is kept.  Reading it, each member whose word comes next is one that no pair
 * before it has named as its upper one; so one pass renumbers the members and proves that they are paired.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include "kernel/rank/continued.h"

/* Words whose records are asked for ahead. */
#define PREFETCH_RECORDS 24

/* sdc_continued_pack: see continued.h.  What is written never comes before what is read. */
uint32
sdc_continued_pack(uint32 *mate, uint32 records)
{
	uint32		count = 0;

	for (uint32 r = 0; r < records; r++)
	{
		uint32		word = mate[r];

		sdc_interrupts_step(r);
		mate[count] = word;
		count += word > r;
	}
	return count;
}

/* sdc_continued_unpack_memory: the words, and a bit for each member. */
uint64
sdc_continued_unpack_memory(uint32 members)
{
	return (uint64) members * sizeof(uint32) + ((uint64) members / 64 + 1) * sizeof(uint64);
}

/* Members whose words were read, or are not needed: a bit for each. */
typedef struct Members
{
	uint64	   *known;
	uint32		count;
	uint32		block;			/* of 64 members, at work */
	uint64		mask;			/* those of it that come next */
} Members;

/* next_member returns the first member behind the one before that no pair has; SDC_CONTINUED_NOBODY: there is none. */
static inline uint32
next_member(Members *members)
{
	uint64		rest = ~members->known[members->block] & members->mask;
	uint32		member;

	while (rest == 0)
	{
		if (members->block == members->count / 64)
			return SDC_CONTINUED_NOBODY;
		rest = ~members->known[++members->block];
	}
	member = members->block * 64 + (uint32) __builtin_ctzll(rest);
	members->mask = ~UINT64_C(1) << (member % 64);
	return member < members->count ? member : SDC_CONTINUED_NOBODY;
}

/* know notes that a member is the upper one of a pair, and tells whether it was not known as one. */
static inline bool
know(Members *members, uint32 member)
{
	uint64	   *block = &members->known[member / 64];
	uint64		bit = UINT64_C(1) << (member % 64);
	bool		first = (*block & bit) == 0;

	*block |= bit;
	return first;
}

/* unpack_number is tonight's number of a member; without numbers it stays what it is. */
static inline uint32
unpack_number(const uint32 *number, uint32 member)
{
	return number == NULL ? member : number[member];
}

/* set_widow makes a cell that has lost its partner tonight. */
static inline void
set_widow(SdcContinued *column, uint32 record)
{
	column->mate[record] = SDC_CONTINUED_WIDOW;
	column->flags[record] = SDC_CONTINUED_NEW;
}

/* unpack_pair takes a pair over, of which one record or both may be gone. */
static inline void
unpack_pair(SdcContinued *column, uint32 a, uint32 b)
{
	if (a != SDC_CONTINUED_NOBODY && b != SDC_CONTINUED_NOBODY)
	{
		column->mate[a] = b;
		column->mate[b] = a;
	}
	else if (a != SDC_CONTINUED_NOBODY)
		set_widow(column, a);
	else if (b != SDC_CONTINUED_NOBODY)
		set_widow(column, b);
}

/* word_ahead is the word some places ahead that is a member, or the one at hand, or a member that there is. */
static inline uint32
word_ahead(const SdcContinuedPacked *packed, uint32 i, uint32 places)
{
	uint32		word = packed->word[packed->count - i > places ? i + places : i];

	return word < packed->members ? word : 0;
}

/* sdc_continued_unpack: see continued.h. */
bool
sdc_continued_unpack(const SdcContinuedPacked *packed, const uint32 *number, SdcContinued *column)
{
	Members		members = {.known = sdc_alloc_zeros(uint64, packed->members / 64 + 1),
	.count = packed->members, .mask = ~UINT64_C(0)};
	bool		right = true;

	for (uint32 i = 0; i < packed->count && right; i++)
	{
		uint32		word = packed->word[i];
		uint32		member = next_member(&members);
		uint32		record;

		sdc_interrupts_step(i);
		if (number != NULL)
		{
			record = number[word_ahead(packed, i, PREFETCH_RECORDS)];
			__builtin_prefetch(&column->mate[record < column->records ? record : 0], 1);
			__builtin_prefetch(&number[word_ahead(packed, i, 2 * PREFETCH_RECORDS)]);
		}
		if (member == SDC_CONTINUED_NOBODY || word <= member || word == SDC_CONTINUED_MOST ||
			(sdc_continued_paired(word) && (word >= packed->members || !know(&members, word))))
		{
			right = false;
			break;
		}
		record = unpack_number(number, member);
		SDC_ASSERT(record == SDC_CONTINUED_NOBODY || record < column->records);
		if (sdc_continued_paired(word))
			unpack_pair(column, record, unpack_number(number, word));
		else if (record != SDC_CONTINUED_NOBODY)
			column->mate[record] = word;
	}
	right = right && next_member(&members) == SDC_CONTINUED_NOBODY;
	sdc_free(members.known);
	return right;
}
