/*-------------------------------------------------------------------------
 *
 * areaqueues.h
 *		Units that wait for a partner from another region, in an order: who is next.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_AREAQUEUES_H
#define SDC_KERNEL_AREAQUEUES_H

#include "kernel/base/kernel_env.h"

/* A queue for every bucket and region; units that are gone are passed over. */
typedef struct SdcAreaQueues
{
	uint32	   *unit;			/* by bucket, region, place in the order */
	uint32	   *head;			/* of each queue: its first unit that is not known to be gone */
	uint32	   *end;			/* behind its last one */
	uint64	   *heap;			/* of each bucket: its queues by the place of their heads; the place above the queue */
	uint32	   *first;			/* of each bucket: its first queue, where its heap is */
	uint32	   *size;			/* of its heap */
	const uint32 *place;		/* by unit */
	const uint32 *region;		/* by unit */
	const bool *gone;			/* by unit; only more are */
	uint32		credit;			/* until the next interrupt check */
} SdcAreaQueues;

/* What they are made from. */
typedef struct SdcAreaQueuesTask
{
	uint32		units;
	const uint32 *bucket;		/* of each unit */
	uint32		buckets;
	const uint32 *region;		/* of each unit */
	uint32		regions;
	const uint32 *order;		/* the units, each once */
	const uint32 *place;		/* of each unit in this order */
	const bool *gone;			/* of each unit; the caller's, who sets more of it */
} SdcAreaQueuesTask;

/* Nobody. */
#define SDC_AREAQUEUES_NONE UINT32_MAX

/* sdc_areaqueues_create makes them; O(units + buckets + regions). */
extern void sdc_areaqueues_create(SdcAreaQueues *queues, const SdcAreaQueuesTask *task);
extern void sdc_areaqueues_destroy(SdcAreaQueues *queues);

/*
 * sdc_areaqueues_next returns the first unit of a bucket that is not gone, nor of a region; SDC_AREAQUEUES_NONE: there
 * is none.  O(log units) each, and for each unit that is gone.
 */
extern uint32 sdc_areaqueues_next(SdcAreaQueues *queues, uint32 bucket, uint32 region);

#endif							/* SDC_KERNEL_AREAQUEUES_H */
