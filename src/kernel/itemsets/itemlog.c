/*-------------------------------------------------------------------------
 *
 * itemlog.c
 *		Itemsets with their counts, one after the other, in little memory.
 *
 * An itemset that a search emits mostly begins as the one before, and what has its prefix was mostly told: so
 * there are only the items that are new, the count, and the prefix's count or a 0 for the one that is known. Numbers
 * have seven bits in a byte, the lowest first, of which the last byte has the highest bit clear.
 *
 * Memory: about six bytes an itemset.  Deterministic: nothing to choose.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include "kernel/itemsets/itemlog.h"

#define BITS 7
#define MORE 0x80
#define MAX_SHIFT 63			/* of the last byte of a number */

/* sdc_itemlog_create: see itemlog.h. */
SdcItemlog *
sdc_itemlog_create(int max_items, SdcItemlogPiece piece, void *arg)
{
	SdcItemlog *log = sdc_alloc_zeros(SdcItemlog, 1);

	log->piece = piece;
	log->arg = arg;
	log->max_items = max_items;
	log->item = sdc_alloc_array(SdcItem, max_items);
	log->count = sdc_alloc_zeros(uint64, (Size) max_items + 1);
	return log;
}

/* sdc_itemlog_destroy: see itemlog.h. */
void
sdc_itemlog_destroy(SdcItemlog *log)
{
	sdc_free(log->count);
	sdc_free(log->item);
	sdc_free(log);
}

/* sdc_itemlog_begin: see itemlog.h. */
void
sdc_itemlog_begin(SdcItemlog *log, uint8 *at, uint8 *end)
{
	memset(log->count, 0, ((Size) log->max_items + 1) * sizeof(uint64));
	log->at = at;
	log->end = end;
	log->items = 0;
}

/* sdc_itemlog_put: see itemlog.h. */
bool
sdc_itemlog_put(SdcItemlog *log, uint64 number)
{
	for (;;)
	{
		bool		more = number >= MORE;

		if (log->at == log->end && !log->piece(log->arg, &log->at, &log->end))
			return false;
		*log->at++ = (uint8) ((number & (MORE - 1)) | (more ? MORE : 0));
		if (!more)
			return true;
		number >>= BITS;
	}
}

/* sdc_itemlog_get: see itemlog.h. */
bool
sdc_itemlog_get(SdcItemlog *log, uint64 *number)
{
	*number = 0;
	for (int shift = 0; shift <= MAX_SHIFT; shift += BITS)
	{
		uint8		byte;

		if (log->at == log->end && !log->piece(log->arg, &log->at, &log->end))
			return false;
		byte = *log->at++;
		*number |= (uint64) (byte & (MORE - 1)) << shift;
		if ((byte & MORE) == 0)
			return true;
	}
	return false;
}

/* sdc_itemlog_write: see itemlog.h. */
bool
sdc_itemlog_write(SdcItemlog *log, const SdcItem *item, int items, uint64 count, uint64 prefix_count)
{
	int			common = 0;

	SDC_ASSERT(items >= 1 && prefix_count >= 1);
	while (common < items - 1 && common < log->items && item[common].attribute == log->item[common].attribute &&
		   item[common].code == log->item[common].code)
		common++;

	/* nearly always there is one item more */
	if (!sdc_itemlog_put(log, 2 * (uint64) common + (items == common + 1)) ||
		(items > common + 1 && !sdc_itemlog_put(log, (uint64) items)))
		return false;
	for (int i = common; i < items; i++)
	{
		log->item[i] = item[i];
		if (!sdc_itemlog_put(log, item[i].attribute) || !sdc_itemlog_put(log, item[i].code))
			return false;
	}
	if (!sdc_itemlog_put(log, count) || !sdc_itemlog_put(log, log->count[items - 1] == prefix_count ? 0 : prefix_count))
		return false;
	log->count[items - 1] = prefix_count;
	log->count[items] = count;
	log->items = items;
	return true;
}

/* read_items reads the items of an itemset. */
static bool
read_items(SdcItemlog *log)
{
	uint64		head;
	uint64		items;

	if (!sdc_itemlog_get(log, &head))
		return false;
	items = head / 2 + 1;
	if (head % 2 == 0 && !sdc_itemlog_get(log, &items))
		return false;
	for (uint64 i = head / 2; i < items; i++)
	{
		uint64		attribute;
		uint64		code;

		if (!sdc_itemlog_get(log, &attribute) || !sdc_itemlog_get(log, &code))
			return false;
		log->item[i] = (SdcItem) {(uint32) attribute, (uint32) code};
	}
	log->items = (int) items;
	return true;
}

/* sdc_itemlog_read: see itemlog.h. */
bool
sdc_itemlog_read(SdcItemlog *log, uint64 *count, uint64 *prefix_count)
{
	if (!read_items(log) || !sdc_itemlog_get(log, count) || !sdc_itemlog_get(log, prefix_count))
		return false;
	if (*prefix_count == 0)
		*prefix_count = log->count[log->items - 1];
	log->count[log->items - 1] = *prefix_count;
	log->count[log->items] = *count;
	return true;
}
