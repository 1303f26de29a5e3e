/*-------------------------------------------------------------------------
 *
 * pages.c
 *		Whether the pages of a table are what they were.
 *
 * The server notes on every page where the log of its last change ends.  Of a table that is logged, a page with the
 * same number has the same records, but for what it says of transactions that are over.  So the file of a table and
 * the numbers of all its pages tell whether something has been written.
 *
 * That is not whether something is to be seen: a transaction that has written before can end later.  So the pages count
 * only when every transaction that they name was over when the snapshot was taken.  Then all later snapshots see the
 * same, whatever happens to others; who looks again with an older one finds such a transaction.  No record that a
 * newer transaction has deleted can be gone from its page, as the snapshot keeps it there.
 *
 * What is not logged so does not count: tables that are temporary or unlogged, other storage than heaps, foreign
 * tables, views; nor what a transaction writes to a table that it has made itself.  Tables with children have their
 * records elsewhere too, and distributed ones all of them.  A value that is stored out of line is never changed: its
 * record would be a new one.
 *
 * VACUUM, or the first look at a record, can change a number and no record.  Then there seems to be a change, and
 * the caller reads the records (state.c).
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "access/tableam.h"
#include "access/transam.h"
#include "catalog/pg_class.h"
#include "catalog/pg_inherits.h"
#include "kernel/base/kernel_env.h"
#include "miscadmin.h"
#include "relation/base/compat.h"
#include "relation/base/digest.h"
#include "relation/base/progress.h"
#include "relation/read/distributed.h"
#include "relation/read/pages.h"
#include "storage/bufmgr.h"
#include "storage/bufpage.h"
#include "utils/rel.h"

/* is_over tells whether a transaction was over when a snapshot was taken, or is none. */
static inline bool
is_over(TransactionId xid, Snapshot snapshot)
{
	return !TransactionIdIsNormal(xid) || TransactionIdPrecedes(xid, snapshot->xmin);
}

/* is_settled tells whether all transactions that a record names are over. */
static bool
is_settled(HeapTupleHeader record, Snapshot snapshot)
{
	if (!HeapTupleHeaderXminFrozen(record) && !is_over(HeapTupleHeaderGetRawXmin(record), snapshot))
		return false;
	if ((record->t_infomask & HEAP_XMAX_INVALID) != 0)
		return true;
	/* several transactions, and records that VACUUM FULL of old moved, are somebody else's business */
	return (record->t_infomask & (HEAP_XMAX_IS_MULTI | HEAP_MOVED)) == 0 &&
		is_over(HeapTupleHeaderGetRawXmax(record), snapshot);
}

/* is_page_settled tells whether all records of a page are. */
static bool
is_page_settled(Page page, Snapshot snapshot)
{
	OffsetNumber last = PageIsNew(page) ? 0 : PageGetMaxOffsetNumber(page);

	for (OffsetNumber i = FirstOffsetNumber; i <= last; i = OffsetNumberNext(i))
	{
		ItemId		item = PageGetItemId(page, i);

		if (ItemIdIsNormal(item) && !is_settled((HeapTupleHeader) PageGetItem(page, item), snapshot))
			return false;
	}
	return true;
}

/* tells tells whether the pages of a relation say what there is to see in it. */
static bool
tells(Relation rel)
{
	TupleDesc	desc = RelationGetDescr(rel);

	if (rel->rd_rel->relkind != RELKIND_RELATION || rel->rd_rel->relpersistence != RELPERSISTENCE_PERMANENT ||
		rel->rd_tableam != GetHeapamTableAmRoutine() || rel->rd_rel->relfilenode == 0 ||
		has_subclass(RelationGetRelid(rel)) || sdc_distributed_is(RelationGetRelid(rel)))
		return false;
	for (int i = 0; i < desc->natts; i++)
	{
		char		generated = TupleDescAttr(desc, i)->attgenerated;

		/* from version 18 on there are columns that are computed when they are read */
		if (generated != '\0' && generated != ATTRIBUTE_GENERATED_STORED)
			return false;
	}
	return true;
}

/* add_page adds a page to a digest, and tells whether its records are settled. */
static bool
add_page(Relation rel, BlockNumber number, BufferAccessStrategy strategy, Snapshot snapshot, SdcDigest *sum)
{
	Buffer		buffer = ReadBufferExtended(rel, MAIN_FORKNUM, number, RBM_NORMAL, strategy);
	XLogRecPtr	place;
	bool		settled;

	LockBuffer(buffer, BUFFER_LOCK_SHARE);
	place = BufferGetLSNAtomic(buffer);
	settled = is_page_settled(BufferGetPage(buffer), snapshot);
	UnlockReleaseBuffer(buffer);
	sdc_digest_add(sum, &place, sizeof(place));
	return settled;
}

/* sdc_pages_digest: see pages.h. */
bool
sdc_pages_digest(Relation rel, Snapshot snapshot, uint8 *digest)
{
	BufferAccessStrategy strategy = GetAccessStrategy(BAS_BULKREAD);
	bool		settled = tells(rel) && snapshot->snapshot_type == SNAPSHOT_MVCC;
	BlockNumber pages = settled ? RelationGetNumberOfBlocks(rel) : 0;
	const Oid	file[] = {MyDatabaseId, rel->rd_rel->reltablespace, rel->rd_rel->relfilenode, pages};
	SdcDigest	sum;

	sdc_digest_begin(&sum, NULL);
	sdc_digest_add(&sum, file, sizeof(file));
	for (BlockNumber i = 0; i < pages && settled; i++)
	{
		CHECK_FOR_INTERRUPTS();
		settled = add_page(rel, i, strategy, snapshot, &sum);
		/* records are as many in each page, as far as the server knows */
		sdc_progress_read((uint64) (Max(rel->rd_rel->reltuples, 0) * (double) (i + 1) / pages));
	}
	sdc_digest_end(&sum, digest);
	FreeAccessStrategy(strategy);
	return settled;
}
