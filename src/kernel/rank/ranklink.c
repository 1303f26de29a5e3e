/*-------------------------------------------------------------------------
 *
 * ranklink.c
 *		Rank swapping record linkage: intersection and annotated union.
 *
 * Both attacks are from J. Nin, J. Herranz, V. Torra, "Rethinking rank swapping to
 * decrease disclosure risk", Data & Knowledge Engineering 64, 2008.  A record
 * swapped within windows is in the intersection of the windows of its
 * original; if that holds one record only, the link is certain.  Methods
 * that leave the window now and then empty the intersection; the union
 * asks for the records that are in the most windows instead.
 *
 * Records are searched for in a tree (ranksearch.c).  Here originals are put in the
 * order of their codes, so that equal ones come together and are searched for
 * once; only whether a link is correct differs between them.
 *
 * The original's own protected record is where the search starts: where it is inside many
 * windows, or near, few others have to be looked at.  It is a candidate like any other, so
 * that the result is the same without it.
 *
 * The union looks for groups of attributes instead, where that is quicker (rankunion.c).
 *
 * Complexity: see ranksearch.c.  Memory: a tree, and 40 bytes a record.  Determinism: by the inputs.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include "kernel/rank/rankcandidates.h"
#include "kernel/rank/rankunion.h"

/* Points up to which a search remembers its candidates, so as not to search for them again. */
#define LIST_POINTS 256

/* Originals for which it is worth while to plan a union by groups. */
#define MINIMUM_UNION 1000

/* sdc_ranklink_run: see ranklink.h. */
void
sdc_ranklink_run(const SdcRankTask *task, SdcRankMode mode, const uint32 *record,
				 uint32 count, SdcRankLink *link)
{
	int			outside = mode == SDC_RANK_UNION ? task->count - 1 : 0;
	bool		grouped;
	SdcRankTree *tree;
	SdcRankCandidates		finder;

	if (count == 0)
		return;
	tree = sdc_ranktree_create(task->pairs, task->known, task->count, task->space, NULL);
	sdc_rankcandidates_start(&finder, task, task->space, record, count, LIST_POINTS);
	grouped = mode == SDC_RANK_UNION && (count >= MINIMUM_UNION || task->groups > 0) &&
		sdc_rankunion_link(&finder, tree, link);
	for (uint32 place = 0, end; place < count && !grouped; place = end)
	{
		SDC_REPORT(place, count);
		end = sdc_rankcandidates_run_end(&finder, place, count, task->count);
		sdc_rankcandidates_link(&finder, tree, place, end, outside, link);
	}
	sdc_rankcandidates_end(&finder);
	sdc_ranktree_destroy(tree);
}
