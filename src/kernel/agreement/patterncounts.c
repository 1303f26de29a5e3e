/*-------------------------------------------------------------------------
 *
 * patterncounts.c
 *		Counts of pairs by agreement in up to 16 attributes, without a look at pairs.
 *
 * A node of the recursion has groups of originals and protected records that agree in
 * some attributes, and counts their pairs by the agreement in the attributes that are
 * left.  It divides the groups by the codes of the next attribute and counts the pairs that
 * agree in it (first child), and counts all pairs regardless of the attribute (second
 * child); what the second counts more than the first are the pairs that do not agree in
 * it.  That is inclusion-exclusion over the sets of attributes, done in place.  Groups
 * with few pairs for their size are counted pair by pair.
 *
 * The attribute with the fewest agreeing pairs comes first, so that the groups of the first
 * children are small.  It has the last position in the tuples, and these are in
 * lexicographic order: tuples that are equal when the attributes done with are left out are
 * neighbours, in groups too, as the division is stable.  Protected records that have
 * become equal are merged; so the second children become small too.
 *
 * Counts by original take 2^attributes numbers each: the caller asks for blocks.  For
 * the total of all originals one set of counts does, and equal originals are merged too.
 *
 * Work: O(2^attributes n) at worst.  Memory: the tuples of both files, of bytes where these have few codes, and a copy
 * of the groups at each level, that is kept from node to node: of all protected records, but of a block of originals.
 * Deterministic: counts.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "kernel/agreement/patterncounts.h"
#include "kernel/agreement/patterntuples.h"
#include "kernel/base/bitset.h"
#include "kernel/base/bytelanes.h"

/* Protected records that originals are compared with at a time: 8 kB of narrow rows. */
#define CHUNK 512

/*
 * Originals that are counted at a time: a share of all, or so many.  All need as much time for the protected records.
 */
#define BLOCK_SHARE 8
#define BLOCK_LEAST 16384

/* A tuple in a group, and for how many records it stands. */
typedef struct Entry
{
	uint32		tuple;
	uint32		weight;
} Entry;

/* Entries of originals and of protected records that agree; starts in the node's arrays. */
typedef struct Group
{
	uint32		original;
	uint32		originals;
	uint32		protected;
	uint32		protected_count;
} Group;

/* What a node of the recursion counts. */
typedef struct GroupNode
{
	const Group *group;
	uint32		groups;
	const Entry *original;
	const Entry *protected;
} GroupNode;

/* Memory of one level of the recursion, kept from node to node. */
typedef struct Level
{
	Group	   *big;			/* groups of the node that are divided */
	Group	   *divided;		/* groups of its first child, then of its second */
	Entry	   *original;
	Entry	   *protected;
	uint32		big_size;
	uint32		divided_size;
	uint32		original_size;
	uint32		protected_size;
} Level;

/* Some protected records of a group, side by side. */
typedef struct Chunk
{
	uint8		narrow[CHUNK * SDC_TUPLES_NARROW];
	uint32		wide[SDC_PATTERNCOUNTS_ATTRIBUTES][CHUNK];
	uint32		weight[CHUNK];
	uint32		pattern[CHUNK]; /* agreement with an original */
} Chunk;

typedef struct Grouping
{
	SdcPatternCounts public;	/* first: callers see no more than this */

	/* set once */
	SdcTuplesShape shape;
	double		combinations[SDC_PATTERNCOUNTS_ATTRIBUTES + 1];	/* of the first positions */
	SdcTuples		original;
	SdcTuples		protected;

	/* changes */
	uint32	   *count;			/* counts of the originals of the block, or */
	uint64	   *total;			/* counts of all, when that is not NULL */
	uint32		first;			/* tuple of the first original of the block */
	Level		level[SDC_PATTERNCOUNTS_ATTRIBUTES + 1];
	uint32	   *seen_original;	/* by code: entries, then where the next goes */
	uint32	   *seen_protected;
	uint32	   *touched;		/* codes that originals of the group have */
	uint32		credit;			/* steps until the next interrupt check */
	Chunk		chunk;
} Grouping;

/* ------------------------------------------------------------------------
 * Counting
 * ------------------------------------------------------------------------
 */

/* load_chunk lays protected records side by side, in the positions that are left. */
static void
load_chunk(Grouping *grouping, int left, const Entry *protected, uint32 protected_count)
{
	Chunk	   *chunk = &grouping->chunk;
	const SdcTuples *tuples = &grouping->protected;

	for (uint32 j = 0; j < protected_count; j++)
	{
		memcpy(chunk->narrow + j * SDC_TUPLES_NARROW, tuples->narrow + (Size) protected[j].tuple * SDC_TUPLES_NARROW,
			   SDC_TUPLES_NARROW);
		chunk->weight[j] = protected[j].weight;
	}
	for (int position = 0; position < left; position++)
	{
		const uint32 *wide = tuples->wide[position];

		for (uint32 j = 0; j < protected_count && wide != NULL; j++)
			chunk->wide[position][j] = wide[protected[j].tuple];
	}
}

/* count_original counts the pairs of an original with the chunk, from cell base on. */
static inline void
count_original(Grouping *grouping, int left, Size base, const Entry *original,
			   uint32 protected_count)
{
	Chunk	   *chunk = &grouping->chunk;
	const SdcTuples *tuples = &grouping->original;
	const uint8 *narrow = tuples->narrow + (Size) original->tuple * SDC_TUPLES_NARROW;
	uint32		mask = (UINT32_C(1) << left) - 1;

	for (uint32 j = 0; j < protected_count; j++)
		chunk->pattern[j] = sdc_bytelanes_equal(narrow, chunk->narrow + j * SDC_TUPLES_NARROW) & mask;
	for (int position = 0; position < left; position++)
	{
		uint32		code;

		if (tuples->wide[position] == NULL)
			continue;
		code = tuples->wide[position][original->tuple];
		if (code >= grouping->shape.codes[position])
			continue;
		for (uint32 j = 0; j < protected_count; j++)
			chunk->pattern[j] |= (uint32) (chunk->wide[position][j] == code) << position;
	}
	if (grouping->total == NULL)
	{
		uint32	   *count = grouping->count +
			(original->tuple - grouping->first) * grouping->public.width + base;

		for (uint32 j = 0; j < protected_count; j++)
			count[chunk->pattern[j]] += chunk->weight[j];
	}
	else
	{
		for (uint32 j = 0; j < protected_count; j++)
			grouping->total[base + chunk->pattern[j]] +=
				(uint64) original->weight * chunk->weight[j];
	}
}

/* count_small counts the pairs of a group one by one, in the first left positions. */
static void
count_small(Grouping *grouping, int left, Size base, const Entry *original,
			uint32 originals, const Entry *protected, uint32 protected_count)
{
	while (protected_count > 0)
	{
		uint32		now = protected_count < CHUNK ? protected_count : CHUNK;

		load_chunk(grouping, left, protected, now);
		for (uint32 i = 0; i < originals; i++)
		{
			sdc_interrupts_spend(&grouping->credit, now / 4 + 1);
			count_original(grouping, left, base, &original[i], now);
		}
		protected += now;
		protected_count -= now;
	}
}

/* count_equal counts a group with no position left: all its pairs agree the same. */
static void
count_equal(Grouping *grouping, Size base, const Entry *original, uint32 originals,
			const Entry *protected, uint32 protected_count)
{
	uint64		weight = 0;

	sdc_interrupts_spend(&grouping->credit, originals + protected_count);
	for (uint32 j = 0; j < protected_count; j++)
		weight += protected[j].weight;
	for (uint32 i = 0; i < originals; i++)
	{
		if (grouping->total != NULL)
			grouping->total[base] += weight * original[i].weight;
		else
			grouping->count[(original[i].tuple - grouping->first) * grouping->public.width +
							base] += (uint32) weight;
	}
}

/*
 * is_small decides whether a group is counted pair by pair.  Otherwise it is divided, over
 * and over: each set of the positions left sees all its entries, at worst, but they get
 * fewer, and merge; the measured break-even grows by about 1.6 a position.
 */
static inline bool
is_small(const Group *group, int left)
{
	static const uint32 growth[SDC_PATTERNCOUNTS_ATTRIBUTES + 1] = {
		0, 4, 6, 8, 14, 22, 34, 54, 86, 138, 220, 352, 562, 900, 1440, 2306, 3690
	};

	return left == 0 || (uint64) group->originals * group->protected_count <=
		((uint64) group->originals + group->protected_count) * growth[left];
}

/*
 * divide_group divides a group by the codes of one position, with the entries of each
 * code in the order they had; codes in the order in which originals show them.  Of a code
 * that an original has, seen_original is never 0, and seen_protected is 0 if no protected
 * record has it: first both are counts, then places (plus 1, that of protected).
 */
static void
divide_group(Grouping *grouping, int position, const GroupNode *node, const Group *group,
			 Level *level, GroupNode *result, uint32 *originals, uint32 *protected_count)
{
	const Entry *original = node->original + group->original;
	const Entry *protected = node->protected + group->protected;
	const SdcTuplesView	x = sdc_tuples_view(&grouping->original, position);
	const SdcTuplesView	y = sdc_tuples_view(&grouping->protected, position);
	uint32	   *seen_original = grouping->seen_original;
	uint32	   *seen_protected = grouping->seen_protected;
	uint32		codes = grouping->shape.codes[position];
	uint32		touched = 0;

	for (uint32 i = 0; i < group->originals; i++)
	{
		uint32		code = sdc_tuples_code(&x, original[i].tuple);

		if (code < codes && seen_original[code]++ == 0)
			grouping->touched[touched++] = code;
	}
	for (uint32 j = 0; j < group->protected_count; j++)
	{
		uint32		code = sdc_tuples_code(&y, protected[j].tuple);

		if (code < codes && seen_original[code] != 0)
			seen_protected[code]++;
	}
	for (uint32 i = 0; i < touched; i++)
	{
		uint32		code = grouping->touched[i];

		if (seen_protected[code] == 0)
			continue;
		level->divided[result->groups++] = (Group) {*originals, seen_original[code],
													*protected_count, seen_protected[code]};
		*originals += seen_original[code];
		*protected_count += seen_protected[code];
		seen_original[code] = *originals - seen_original[code];
		seen_protected[code] = *protected_count - seen_protected[code] + 1;
	}
	for (uint32 i = 0; i < group->originals; i++)
	{
		uint32		code = sdc_tuples_code(&x, original[i].tuple);

		if (code < codes && seen_protected[code] != 0)
			level->original[seen_original[code]++] = original[i];
	}
	for (uint32 j = 0; j < group->protected_count; j++)
	{
		uint32		code = sdc_tuples_code(&y, protected[j].tuple);

		if (code < codes && seen_original[code] != 0)
			level->protected[seen_protected[code]++ - 1] = protected[j];
	}
	for (uint32 i = 0; i < touched; i++)
		seen_original[grouping->touched[i]] = seen_protected[grouping->touched[i]] = 0;
}

/* divide divides all groups of a node by the codes of a position; the node's sums are known. */
static GroupNode
divide(Grouping *grouping, int position, const GroupNode *node, Level *level, uint32 *originals)
{
	GroupNode	result = {NULL, 0, NULL, NULL};
	uint32		protected_count = 0;

	*originals = 0;
	for (uint32 i = 0; i < node->groups; i++)
	{
		sdc_interrupts_spend(&grouping->credit,
							 node->group[i].originals + node->group[i].protected_count);
		divide_group(grouping, position, node, &node->group[i], level, &result, originals,
					 &protected_count);
	}
	result.group = level->divided;
	result.original = level->original;
	result.protected = level->protected;
	return result;
}

/* merge_entries merges neighbours that agree in the first positions, and counts the rest. */
static uint32
merge_entries(const SdcTuples *tuples, int positions, const Entry *entry, uint32 count,
			  Entry *merged)
{
	uint32		entries = 1;

	merged[0] = entry[0];
	for (uint32 i = 1; i < count; i++)
		if (sdc_tuples_same(tuples, positions, entry[i - 1].tuple, entry[i].tuple))
			merged[entries - 1].weight += entry[i].weight;
		else
			merged[entries++] = entry[i];
	return entries;
}

/*
 * merge merges entries of the groups of a node that have become equal, now that only
 * the first positions count: protected records, and originals when they share the counts.
 */
static GroupNode
merge(Grouping *grouping, int positions, const GroupNode *node, Level *level)
{
	GroupNode	result = {level->divided, node->groups, node->original, level->protected};
	uint32		originals = 0;
	uint32		protected_count = 0;

	if (grouping->total != NULL)
		result.original = level->original;
	for (uint32 i = 0; i < node->groups; i++)
	{
		Group		group = node->group[i];
		uint32		count;

		sdc_interrupts_spend(&grouping->credit, group.originals + group.protected_count);
		count = merge_entries(&grouping->protected, positions, node->protected + group.protected,
							  group.protected_count, level->protected + protected_count);
		group.protected = protected_count;
		group.protected_count = count;
		protected_count += count;
		if (grouping->total != NULL)
		{
			count = merge_entries(&grouping->original, positions,
								  node->original + group.original, group.originals,
								  level->original + originals);
			group.original = originals;
			group.originals = count;
			originals += count;
		}
		level->divided[i] = group;
	}
	return result;
}

/* subtract_cells takes the second half of counts from the first. */
static inline void
subtract_cells(uint32 *count, Size half)
{
	Size		i = 0;

#ifdef __SSE2__
	for (; i + 4 <= half; i += 4)
	{
		__m128i		x = _mm_loadu_si128((const __m128i *) (count + i));
		__m128i		y = _mm_loadu_si128((const __m128i *) (count + half + i));

		_mm_storeu_si128((__m128i *) (count + i), _mm_sub_epi32(x, y));
	}
#endif
	for (; i < half; i++)
		count[i] -= count[i + half];
}

/* subtract takes the pairs that agree in an attribute from all: the others remain. */
static void
subtract(Grouping *grouping, Size base, Size half, const Entry *original,
		 uint32 originals)
{
	if (grouping->total != NULL)
	{
		for (Size i = base; i < base + half; i++)
			grouping->total[i] -= grouping->total[i + half];
		return;
	}
	for (uint32 i = 0; i < originals; i++)
	{
		uint32	   *count = grouping->count +
			(original[i].tuple - grouping->first) * grouping->public.width + base;

		sdc_interrupts_spend(&grouping->credit, (uint32) half / 8 + 1);
		subtract_cells(count, half);
	}
}

/*
 * count_node adds the pairs of the groups of a node to the counts from base on, by their
 * agreement in the first left positions.  These counts are 0 before; the small
 * groups are counted last, as the difference is one of the divided groups alone.
 */
static void
count_node(Grouping *grouping, int left, Size base, const GroupNode *node)
{
	Level	   *level = &grouping->level[left];
	GroupNode	big = *node;
	uint64		originals = 0;
	uint64		protected_count = 0;

	level->big = sdc_alloc_room(level->big, &level->big_size, node->groups, sizeof(Group));
	big.group = level->big;
	big.groups = 0;
	for (uint32 i = 0; i < node->groups; i++)
	{
		if (is_small(&node->group[i], left))
			continue;
		level->big[big.groups++] = node->group[i];
		originals += node->group[i].originals;
		protected_count += node->group[i].protected_count;
	}
	if (big.groups > 0)
	{
		Size		half = (Size) 1 << (left - 1);
		uint32		most = (uint32) (originals < protected_count ? originals : protected_count);
		uint32		agreeing;
		GroupNode	child;

		level->original = sdc_alloc_room(level->original, &level->original_size, (uint32) originals, sizeof(Entry));
		level->protected = sdc_alloc_room(level->protected, &level->protected_size, (uint32) protected_count,
										  sizeof(Entry));
		level->divided = sdc_alloc_room(level->divided, &level->divided_size, most, sizeof(Group));
		child = divide(grouping, left - 1, &big, level, &agreeing);
		if (agreeing > 0)
			count_node(grouping, left - 1, base + half, &child);
		child = big;
		/* counts by record need level->original again, and leave it alone */
		if (grouping->combinations[left - 1] * big.groups < 0.5 * (double) protected_count)
			child = merge(grouping, left - 1, &big, level);
		count_node(grouping, left - 1, base, &child);
		if (agreeing > 0)
			subtract(grouping, base, half, level->original, agreeing);
	}
	for (uint32 i = 0; i < node->groups; i++)
	{
		const Group *group = &node->group[i];

		if (left == 0)
			count_equal(grouping, base, node->original + group->original, group->originals,
						node->protected + group->protected, group->protected_count);
		else if (is_small(group, left))
			count_small(grouping, left, base, node->original + group->original,
						group->originals, node->protected + group->protected, group->protected_count);
	}
}

/* count_block counts the pairs of the originals' tuples [first, end) with all. */
static void
count_block(Grouping *grouping, uint32 first, uint32 end)
{
	uint32		protected_count = grouping->protected.count;
	Entry	   *original = sdc_alloc_array(Entry, (Size) end - first);
	Entry	   *protected = sdc_alloc_array(Entry, protected_count);
	Group		group = {0, end - first, 0, protected_count};
	GroupNode	node = {&group, 1, original, protected};

	for (uint32 i = first; i < end; i++)
		original[i - first] = (Entry) {i, grouping->original.first[i + 1] -
									   grouping->original.first[i]};
	for (uint32 j = 0; j < protected_count; j++)
		protected[j] = (Entry) {j, grouping->protected.first[j + 1] - grouping->protected.first[j]};
	if (protected_count > 0)
		count_node(grouping, grouping->public.positions, 0, &node);
	sdc_free(original);
	sdc_free(protected);
}

/* block_size is how many originals are counted at a time. */
static uint32
block_size(uint32 records)
{
	return records / BLOCK_SHARE > BLOCK_LEAST ? records / BLOCK_SHARE : BLOCK_LEAST;
}

/* next_block is where the block ends that begins at a tuple. */
static uint32
next_block(const Grouping *grouping, uint32 start, uint32 end)
{
	uint32		size = block_size(grouping->shape.rows.records);

	return end - start > size ? start + size : end;
}

/* sdc_patterncounts_total: see patterncounts.h.  Differences are taken in place, so blocks are added up. */
void
sdc_patterncounts_total(SdcPatternCounts *public, uint64 *total)
{
	Grouping   *grouping = (Grouping *) public;
	uint64	   *block = sdc_alloc_array(uint64, public->width);

	memset(total, 0, public->width * sizeof(uint64));
	grouping->total = block;
	for (uint32 start = 0, next; start < public->tuples; start = next)
	{
		next = next_block(grouping, start, public->tuples);
		memset(block, 0, public->width * sizeof(uint64));
		count_block(grouping, start, next);
		for (Size i = 0; i < public->width; i++)
			total[i] += block[i];
	}
	grouping->total = NULL;
	sdc_free(block);
}

/* sdc_patterncounts_count: see patterncounts.h. */
void
sdc_patterncounts_count(SdcPatternCounts *public, uint32 first, uint32 end, uint32 *count)
{
	Grouping   *grouping = (Grouping *) public;

	SDC_ASSERT(first <= end && end <= public->tuples);
	memset(count, 0, ((Size) end - first) * public->width * sizeof(uint32));
	grouping->count = count;
	grouping->first = first;
	for (uint32 start = first, next; start < end; start = next)
	{
		next = next_block(grouping, start, end);
		count_block(grouping, start, next);
	}
}

/* ------------------------------------------------------------------------
 * Beginning and end
 * ------------------------------------------------------------------------
 */

/* order_cells makes the cells in the order of their patterns. */
static void
order_cells(SdcPatternCounts *public)
{
	int			ascending[SDC_PATTERNCOUNTS_ATTRIBUTES]; /* positions in the order of attributes */

	for (int i = 0; i < public->positions; i++)
	{
		int			hole = i;

		for (; hole > 0 && public->attribute[ascending[hole - 1]] > public->attribute[i]; hole--)
			ascending[hole] = ascending[hole - 1];
		ascending[hole] = i;
	}
	public->cell = sdc_alloc_array(uint32, public->width);
	public->pattern = sdc_alloc_array(uint64, public->width);
	public->cell[0] = 0;
	public->pattern[0] = 0;
	for (int i = 0; i < public->positions; i++)
	{
		Size		half = (Size) 1 << i;

		for (Size j = 0; j < half; j++)
		{
			public->cell[half + j] = public->cell[j] | UINT32_C(1) << ascending[i];
			public->pattern[half + j] = public->pattern[j] |
				UINT64_C(1) << public->attribute[ascending[i]];
		}
	}
}

/* sdc_patterncounts_create: see patterncounts.h. */
SdcPatternCounts *
sdc_patterncounts_create(const SdcAgreementRows *rows, const int *attribute, int count, const uint32 *record,
						 uint32 records)
{
	Grouping   *grouping = sdc_alloc(sizeof(Grouping));
	SdcPatternCounts *public = &grouping->public;
	Size		room;

	SDC_ASSERT(count >= 0 && count <= SDC_PATTERNCOUNTS_ATTRIBUTES);
	memset(grouping, 0, sizeof(Grouping));
	grouping->shape.rows = *rows;
	grouping->shape.positions = public->positions = count;
	grouping->shape.attribute = public->attribute;
	public->width = (Size) 1 << count;
	grouping->combinations[0] = 1;
	for (int i = 0; i < count; i++)
	{
		public->attribute[i] = attribute[count - 1 - i];
		grouping->shape.codes[i] = rows->column[public->attribute[i]]->codes;
		if (grouping->shape.codes[i] > grouping->shape.most_codes)
			grouping->shape.most_codes = grouping->shape.codes[i];
		grouping->combinations[i + 1] = grouping->combinations[i] * (grouping->shape.codes[i] + 1.0);
	}
	sdc_tuples_make(&grouping->original, &grouping->shape, true, record, records, 255);
	sdc_tuples_make(&grouping->protected, &grouping->shape, false, NULL, rows->records, 254);
	public->tuples = grouping->original.count;
	public->member = grouping->original.member;
	public->first = grouping->original.first;
	room = (Size) grouping->shape.most_codes + 1;
	grouping->seen_original = sdc_alloc_zeros(uint32, room);
	grouping->seen_protected = sdc_alloc_zeros(uint32, room);
	grouping->touched = sdc_alloc_array(uint32, room);
	order_cells(public);
	SDC_ASSERT(sdc_patterncounts_check(public, record, records));
	return public;
}

/* sdc_patterncounts_destroy frees everything but the caller's counts. */
void
sdc_patterncounts_destroy(SdcPatternCounts *public)
{
	Grouping   *grouping = (Grouping *) public;

	for (int i = 0; i <= SDC_PATTERNCOUNTS_ATTRIBUTES; i++)
	{
		Level	   *level = &grouping->level[i];
		void	   *memory[4] = {level->big, level->divided, level->original, level->protected};

		for (int j = 0; j < 4; j++)
			if (memory[j] != NULL)
				sdc_free(memory[j]);
	}
	sdc_tuples_free(&grouping->original);
	sdc_tuples_free(&grouping->protected);
	sdc_free(grouping->seen_original);
	sdc_free(grouping->seen_protected);
	sdc_free(grouping->touched);
	sdc_free(public->cell);
	sdc_free(public->pattern);
	sdc_free(grouping);
}

#ifdef SDC_CHECKS

/* sdc_patterncounts_check: the tuples of both files; record as for sdc_patterncounts_create. */
bool
sdc_patterncounts_check(const SdcPatternCounts *public, const uint32 *record, uint32 records)
{
	const Grouping *grouping = (const Grouping *) public;

	return sdc_tuples_check(&grouping->original, &grouping->shape, true, record, records) &&
		sdc_tuples_check(&grouping->protected, &grouping->shape, false, NULL, grouping->shape.rows.records);
}

#endif							/* SDC_CHECKS */
