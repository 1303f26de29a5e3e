/*-------------------------------------------------------------------------
 *
 * bipartite.h
 *		Whether every row on the left can have a row on the right of its own.
 *
 * The edges are a bitmap for each row on the left.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_BIPARTITE_H
#define SDC_KERNEL_BIPARTITE_H

#include "kernel/base/bitset.h"

/* No row. */
#define SDC_BIPARTITE_NONE UINT32_MAX

typedef struct SdcBipartite
{
	uint32		left;			/* rows */
	uint32		right;
	Size		words;			/* of the bitmap of a row on the left */
	uint64	   *edge;			/* these, one after the other */
	uint64		room;			/* words of edge */

	/* work, for so many rows on a side */
	uint32		rows;
	uint32	   *match;			/* by row on the left: the one on the right that it has */
	uint32	   *owner;			/* by row on the right: the one on the left that has it */
	uint32	   *level;			/* by row on the left: how far it is from one that has none */
	uint32	   *list;			/* rows to go on from; rows of a path, */
	uint32	   *taken;			/* and what these get */
	Size	   *at;				/* by row on the left: the word of its edges to go on with */
	uint64	   *fresh;			/* rows on the right that were not looked at */
	uint32		credit;
} SdcBipartite;

extern SdcBipartite *sdc_bipartite_create(void);
extern void sdc_bipartite_destroy(SdcBipartite *graph);

/* sdc_bipartite_begin makes a graph without edges. */
extern void sdc_bipartite_begin(SdcBipartite *graph, uint32 left, uint32 right);

/* sdc_bipartite_edges is the bitmap of a row on the left. */
static inline uint64 *
sdc_bipartite_edges(const SdcBipartite *graph, uint32 row)
{
	return graph->edge + (Size) row * graph->words;
}

/*
 * sdc_bipartite_matches tells whether all rows on the left can have different rows on the right.
 * O(edges sqrt(rows)) at worst, and 64 edges that are gone or not there take one step.
 */
extern bool sdc_bipartite_matches(SdcBipartite *graph);

#endif							/* SDC_KERNEL_BIPARTITE_H */
