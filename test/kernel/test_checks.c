/*-------------------------------------------------------------------------
 *
 * test_checks.c
 *		The checks of structures find what is broken in one.
 *
 * A structure is made, found good, and broken in one place after the other; each time its check
 * must say so.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include "kernel/agreement/patterncounts.h"
#include "kernel/base/tally.h"
#include "kernel/bins/shrinktree.h"
#include "kernel/distance/nearboxes.h"
#include "kernel/distance/nearpoints.h"
#include "kernel/itemsets/itemstore.h"
#include "kernel/itemsets/keylist.h"
#include "kernel/rank/positionset.h"
#include "kernel/rank/rankgroup.h"

#include "random.h"
#include "tap.h"

#ifdef SDC_CHECKS

#define RECORDS 2000
#define ATTRIBUTES 3

/* BREAK writes a wrong value for a moment, in which the structure must not be good. */
#define BREAK(place, value, good) \
	do { \
		__typeof__(place) kept = (place); \
		(place) = (value); \
		CHECKF(!(good), "%s = %s", #place, #value); \
		(place) = kept; \
	} while (0)

/* Two files of records, and their space. */
static uint32 original[ATTRIBUTES][RECORDS];
static uint32 protected[ATTRIBUTES][RECORDS];
static double number[ATTRIBUTES][RECORDS];
static SdcPairColumn column[ATTRIBUTES];
static SdcPairs pairs = {RECORDS, ATTRIBUTES, column};
static const int known[ATTRIBUTES] = {0, 1, 2};

/* make_pairs draws codes, about 300 of each attribute, whose numbers are their squares; two records are one point. */
static SdcMetricSpace *
make_pairs(void)
{
	random_state = 7;
	for (int a = 0; a < ATTRIBUTES; a++)
	{
		for (uint32 i = 0; i < RECORDS; i++)
		{
			original[a][i] = pick(300);
			protected[a][i] = pick(300);
			number[a][i] = (double) i * i;
		}
		protected[a][1] = protected[a][0];
		column[a] = (SdcPairColumn) {original[a], protected[a], 300, number[a]};
	}
	return sdc_metricspace_create(&pairs, known, ATTRIBUTES, SDC_METRIC_EUCLIDEAN);
}

/* position_sets: a bit that stands for nothing, and summaries that are wrong in either way. */
static void
position_sets(void)
{
	SdcPositionSet *set = sdc_positionset_create(300);
	uint64	   *word;			/* five words of 300 positions, then their summary, then others */

	word = (uint64 *) ((char *) set + sdc_positionset_memory(300)) - 10;
	sdc_positionset_fill(set, 200);
	for (uint32 position = 64; position < 128; position++)
		sdc_positionset_remove(set, position);
	sdc_positionset_remove(set, 5);
	CHECK(sdc_positionset_check(set));
	BREAK(word[3], word[3] | UINT64_C(1) << 8, sdc_positionset_check(set));
	BREAK(word[0], 0, sdc_positionset_check(set));
	BREAK(word[1], 1, sdc_positionset_check(set));
	for (int bit = 0; bit < 64; bit++)
		BREAK(word[5], word[5] ^ UINT64_C(1) << bit, sdc_positionset_check(set));
	CHECK(sdc_positionset_check(set));
	sdc_positionset_destroy(set);
}

/* item_stores: an itemset that is not found, twice there, or before its prefix. */
static void
item_stores(void)
{
	SdcItemstore *store = sdc_itemstore_create(10);
	uint32		prefix = SDC_ITEMSTORE_EMPTY;
	uint64		place = 0;

	for (uint32 i = 0; i < 5; i++)
		prefix = sdc_itemstore_add(store, prefix, (SdcItem) {i, 7 * i}, 9 - i);
	while (store->place[place] == SDC_ITEMSTORE_EMPTY)
		place++;
	CHECK(sdc_itemstore_check(store));
	BREAK(store->entry[1].item.code, 1000, sdc_itemstore_check(store));
	BREAK(store->entry[3].prefix, 3, sdc_itemstore_check(store));
	BREAK(store->entry[4], store->entry[3], sdc_itemstore_check(store));
	BREAK(store->place[place], SDC_ITEMSTORE_EMPTY, sdc_itemstore_check(store));
	BREAK(store->place[place], 5, sdc_itemstore_check(store));
	BREAK(store->n, 4, sdc_itemstore_check(store));
	BREAK(store->capacity, 4, sdc_itemstore_check(store));
	CHECK(sdc_itemstore_check(store));
	sdc_itemstore_destroy(store);
}

/* key_lists: bytes that are other keys, and a last key that is not the last. */
static void
key_lists(void)
{
	SdcKeylist *list = sdc_keylist_create(4);
	uint64	   *last = (uint64 *) ((char *) list + sdc_keylist_memory(4)) - 4;
	uint8	   *byte;

	for (uint64 i = 0; i < 10; i++)
		CHECK(sdc_keylist_append(list, (uint64[]) {1, i, 3}, 3, 100000) == SDC_OK);
	CHECK(sdc_keylist_check(list));
	/* the fifth word of a list is its first chunk, whose bytes follow two words */
	byte = (uint8 *) ((void **) list)[4] + 2 * sizeof(uint64);
	CHECK(byte[0] == 0 && byte[1] == 3 && byte[2] == 1 && byte[5] == 1 && byte[6] == 2);
	BREAK(last[1], 8, sdc_keylist_check(list));
	BREAK(byte[2], 2, sdc_keylist_check(list));	/* above what follows */
	BREAK(byte[6], 1, sdc_keylist_check(list));	/* one number less */
	BREAK(byte[6], 4, sdc_keylist_check(list));	/* a longer key than there is */
	BREAK(byte[7], 0, sdc_keylist_check(list));	/* the same key again */
	CHECK(sdc_keylist_check(list));
	sdc_keylist_destroy(list);
}

/* shrink_trees: points that are elsewhere, counts and boxes that are wrong. */
static void
shrink_trees(void)
{
	static double x[100];
	static double y[100];
	const double *const coordinate[2] = {x, y};
	SdcShrinktree *tree;
	uint32		slot;

	random_state = 3;
	for (int i = 0; i < 100; i++)
	{
		x[i] = pick(1000);
		y[i] = pick(1000);
	}
	tree = sdc_shrinktree_create(coordinate, 2, 100);
	for (uint32 point = 0; point < 30; point++)
		sdc_shrinktree_remove(tree, 3 * point);
	slot = tree->slot[1];
	CHECK(sdc_shrinktree_check(tree));
	BREAK(tree->node[0].count, 71, sdc_shrinktree_check(tree));
	BREAK(tree->node[0].first, 0, sdc_shrinktree_check(tree));
	BREAK(tree->node[1].parent, 3, sdc_shrinktree_check(tree));
	BREAK(tree->box[0], tree->box[0] - 1, sdc_shrinktree_check(tree));
	BREAK(tree->box[3], tree->box[3] + 1, sdc_shrinktree_check(tree));
	BREAK(tree->slot[1], SDC_SHRINKTREE_NONE, sdc_shrinktree_check(tree));
	BREAK(tree->slot[0], 5, sdc_shrinktree_check(tree));
	BREAK(tree->point[slot], 2, sdc_shrinktree_check(tree));
	BREAK(tree->leaf_node[slot / SDC_SHRINKTREE_LEAF], 0, sdc_shrinktree_check(tree));
	BREAK(x[1], x[1] + 1, sdc_shrinktree_check(tree));
	CHECK(sdc_shrinktree_check(tree));
	sdc_shrinktree_destroy(tree);
}

/* rank_trees: records, codes, and what nodes know of them; and the same of a group. */
static void
rank_trees(void)
{
	SdcMetricSpace *space = make_pairs();
	SdcRankTree *tree = sdc_ranktree_create(&pairs, known, ATTRIBUTES, space, NULL);
	SdcRankBins *bins = sdc_rankgroup_bins(tree, &pairs, known);
	SdcRankGroup *group = sdc_rankgroup_create(tree, bins, &pairs, known, 5);
	Size		behind = sdc_ranklevel_place(ATTRIBUTES, tree->level[1].count);

	CHECK(tree->levels == 3 && group->levels == 3 && group->attributes == 2);
	CHECK(sdc_ranktree_check(tree, &pairs, known));
	BREAK(tree->record[5], tree->record[6], sdc_ranktree_check(tree, &pairs, known));
	BREAK(tree->start[3], tree->start[4], sdc_ranktree_check(tree, &pairs, known));
	BREAK(tree->level[0].low[0], tree->level[0].low[0] + 1,
		  sdc_ranktree_check(tree, &pairs, known));
	BREAK(tree->level[1].high[0], tree->level[1].high[0] + 1,
		  sdc_ranktree_check(tree, &pairs, known));
	BREAK(tree->level[1].low[0], tree->level[1].low[0] + 1,
		  sdc_ranktree_check(tree, &pairs, known));
	BREAK(tree->level[2].high[0], tree->level[2].high[0] + 1,
		  sdc_ranktree_check(tree, &pairs, known));
	BREAK(tree->level[1].high[behind], 0, sdc_ranktree_check(tree, &pairs, known));
	BREAK(tree->level[1].least[0], RECORDS, sdc_ranktree_check(tree, &pairs, known));
	BREAK(tree->level[1].corner[1], -1, sdc_ranktree_check(tree, &pairs, known));
	CHECK(sdc_ranktree_check(tree, &pairs, known));
	CHECK(sdc_rankgroup_check(group, tree, bins));
	BREAK(group->point[0], group->point[1], sdc_rankgroup_check(group, tree, bins));
	BREAK(group->bin[0], group->bin[0] + 1, sdc_rankgroup_check(group, tree, bins));
	BREAK(group->member, 1, sdc_rankgroup_check(group, tree, bins));
	BREAK(group->level[2].high[0], group->level[2].high[0] + 1,
		  sdc_rankgroup_check(group, tree, bins));
	CHECK(sdc_rankgroup_check(group, tree, bins));
	sdc_rankgroup_destroy(group);
	sdc_rankgroup_unbin(bins);
	sdc_ranktree_destroy(tree);
	sdc_metricspace_destroy(space);
}

/* near_trees: points that are not in their boxes, and a forest that has lost one. */
static void
near_trees(void)
{
	SdcMetricSpace *space = make_pairs();
	uint32	   *place_of = sdc_alloc_array(uint32, RECORDS);
	SdcNearpoints points;
	SdcNearforest *forest;
	SdcNeartree *tree;

	sdc_nearpoints_collect(space, false, NULL, RECORDS, true, &points, place_of);
	forest = sdc_nearforest_create(&points, ATTRIBUTES, NULL);
	tree = forest->tree[0];
	CHECK(forest->trees == 1 && tree->levels == 3);
	CHECK(sdc_nearboxes_check(tree, forest->point));
	BREAK(tree->leaf[0], tree->leaf[0] + 1, sdc_nearboxes_check(tree, forest->point));
	BREAK(tree->box[0]->center[0], INFINITY, sdc_nearboxes_check(tree, forest->point));
	BREAK(tree->box[0]->half[1], 0, sdc_nearboxes_check(tree, forest->point));
	BREAK(tree->box[1]->half[0], 0, sdc_nearboxes_check(tree, forest->point));
	BREAK(tree->box[2]->half[1], -1, sdc_nearboxes_check(tree, forest->point));
	BREAK(tree->children[0], 8, sdc_nearboxes_check(tree, forest->point));
	BREAK(tree->levels, 2, sdc_nearboxes_check(tree, forest->point));
	CHECK(sdc_nearboxes_check(tree, forest->point));
	CHECK(sdc_nearforest_check(forest, &points));
	BREAK(forest->place[0], forest->place[1], sdc_nearforest_check(forest, &points));
	BREAK(forest->place[0], points.count, sdc_nearforest_check(forest, &points));
	BREAK(forest->first[9], RECORDS, sdc_nearforest_check(forest, &points));
	BREAK(forest->multiplicity[9], 0, sdc_nearforest_check(forest, &points));
	BREAK(forest->point[9], -1, sdc_nearforest_check(forest, &points));
	CHECK(sdc_nearforest_check(forest, &points));
	sdc_nearforest_destroy(forest);
	sdc_nearpoints_free(&points);
	sdc_free(place_of);
	sdc_metricspace_destroy(space);
}

/* tallies: a table that leads elsewhere, or nowhere, of a tally that is valid by itself. */
static void
tallies(void)
{
	SdcTallyShape shape;
	SdcTally   *tally;
	uint32	   *slot;
	uint32		used = 0;
	uint32		empty = 0;

	sdc_tally_shape(1, 5, 8, 10000, &shape);
	tally = (SdcTally *) sdc_alloc_zeros(uint8, shape.size);
	sdc_tally_init(tally, &shape, "x", 1);
	for (uint64 i = 0; i < 5; i++)
		CHECK(sdc_tally_add(tally, &i, sizeof(i), i + 1) == SDC_TALLY_ADDED);
	/* the table ends where the room for entries begins */
	slot = (uint32 *) ((char *) tally + shape.size - shape.room) - shape.slots;
	while (slot[used] == 0)
		used++;
	while (slot[empty] != 0)
		empty++;
	CHECK(sdc_tally_check(tally));
	BREAK(slot[used], 0, sdc_tally_check(tally));
	BREAK(slot[used], slot[used] + 1, sdc_tally_check(tally));
	BREAK(slot[empty], slot[used], sdc_tally_check(tally));
	BREAK(slot[empty], UINT32_MAX, sdc_tally_check(tally));
	/* the values of entries begin with their count and hash */
	BREAK(*(uint64 *) (slot + shape.slots), 2, sdc_tally_check(tally));
	BREAK(slot[shape.slots + 2], slot[shape.slots + 2] + 1, sdc_tally_check(tally));
	CHECK(sdc_tally_check(tally));
	CHECK(sdc_tally_valid(tally, shape.size));
	sdc_free(tally);
}

/* pattern_groups: members and starts of tuples, and records that are not those. */
static void
pattern_groups(void)
{
	uint32		original[2][6] = {{0, 1, 0, 1, 0, 1}, {1, 0, 1, 1, 0, 0}};
	uint32		protected[2][6] = {{1, 0, 1, 0, 0, 1}, {1, 0, 0, 9, 1, 1}};
	SdcPairColumn column[2] = {{original[0], protected[0], 2, NULL}, {original[1], protected[1], 2, NULL}};
	const SdcPairColumn *const columns[2] = {&column[0], &column[1]};
	const SdcAgreementRows rows = {.records = 6, .attributes = 2, .column = columns};
	const int	attribute[2] = {0, 1};
	SdcPatternCounts *counts = sdc_patterncounts_create(&rows, attribute, 2, NULL, 6);
	uint32	   *member = (uint32 *) counts->member;
	uint32	   *first = (uint32 *) counts->first;

	CHECK(counts->tuples == 4);
	CHECK(sdc_patterncounts_check(counts, NULL, 6));
	BREAK(member[0], member[1], sdc_patterncounts_check(counts, NULL, 6));
	BREAK(member[0], 6, sdc_patterncounts_check(counts, NULL, 6));
	BREAK(first[1], first[1] + 1, sdc_patterncounts_check(counts, NULL, 6));
	BREAK(first[1], 0, sdc_patterncounts_check(counts, NULL, 6));
	BREAK(first[4], 5, sdc_patterncounts_check(counts, NULL, 6));
	BREAK(original[1][1], 1, sdc_patterncounts_check(counts, NULL, 6));
	BREAK(protected[1][3], 1, sdc_patterncounts_check(counts, NULL, 6));
	CHECK(sdc_patterncounts_check(counts, NULL, 6));
	sdc_patterncounts_destroy(counts);
}

/* main runs the tests. */
int
main(void)
{
	RUN(position_sets);
	RUN(item_stores);
	RUN(key_lists);
	RUN(shrink_trees);
	RUN(rank_trees);
	RUN(near_trees);
	RUN(tallies);
	RUN(pattern_groups);
	return tap_done();
}

#else							/* there are no checks without assertions */

/* main has nothing to test. */
int
main(void)
{
	printf("1..0 # SKIP without assertions\n");
	return 0;
}

#endif							/* SDC_CHECKS */
