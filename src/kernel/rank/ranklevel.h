/*-------------------------------------------------------------------------
 *
 * ranklevel.h
 *		A level of a tree of points with codes, and the order of the points in it.
 *
 * Points lie in kd order (kdorder.h).  A node has SDC_RANKLEVEL_FAN children, the last one of a
 * level perhaps fewer; the children of a node are a block, which is tested at once.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_RANKLEVEL_H
#define SDC_KERNEL_RANKLEVEL_H

#include "kernel/base/pairs.h"
#include "kernel/base/team.h"

/* Children of a node: four vectors of eight codes. */
#define SDC_RANKLEVEL_BITS 5
#define SDC_RANKLEVEL_FAN (1 << SDC_RANKLEVEL_BITS)

/* Levels of 32 for 2^32 points. */
#define SDC_RANKLEVEL_MOST 7

/* A code with its sign bit turned: its order without sign is theirs with it. */
static inline int32
sdc_ranklevel_signed(uint32 code)
{
	return (int32) (code ^ (UINT32_C(1) << 31));
}

/* sdc_ranklevel_code is the code that a signed one stands for. */
static inline uint32
sdc_ranklevel_code(int32 code)
{
	return (uint32) code ^ UINT32_C(0x80000000);
}

/*
 * One level of the tree: points, or nodes.  Node n of level l has the nodes n * 32 ..
 * n * 32 + 31 of level l - 1 as children.
 */
typedef struct SdcRankLevel
{
	uint32		count;
	int32	   *low;			/* by block, attribute and place in it: the least signed code */
	int32	   *high;			/* and the greatest; of points the same array */
	double	   *corner;			/* by node and dimension: the least and the greatest
								 * coordinate; not of points */
	uint32	   *least;			/* by node: the smallest record; not of points */
} SdcRankLevel;

/* sdc_ranklevel_blocks is the number of blocks of so many points or nodes. */
static inline uint32
sdc_ranklevel_blocks(uint32 count)
{
	return count / SDC_RANKLEVEL_FAN + (count % SDC_RANKLEVEL_FAN != 0);
}

/*
 * sdc_ranklevel_place is where the codes of a node or point are; those of the next attribute are
 * SDC_RANKLEVEL_FAN on.
 */
static inline Size
sdc_ranklevel_place(int attributes, uint32 node)
{
	return (Size) (node / SDC_RANKLEVEL_FAN) * attributes * SDC_RANKLEVEL_FAN +
		node % SDC_RANKLEVEL_FAN;
}

/*
 * sdc_ranklevel_positions gives each point its place in a column, by ranks, in which windows are
 * equally wide everywhere: twice the middle of its tie group.  The records of a point begin at
 * record[first[point]]; without first each is one, and without record they are numbered.
 */
extern void sdc_ranklevel_positions(const SdcPairColumn *column, uint32 records,
									const uint32 *record, const uint32 *first,
									uint32 points, double *position, uint32 *credit);

/*
 * sdc_ranklevel_order finds the kd order: of the largest nodes, of the next smaller ones in
 * them, and so on, so that each node is a part of space.  The members of a team take turns.
 */
extern void sdc_ranklevel_order(const double *const *position, int attributes, uint32 *order,
								uint32 points, SdcTeam *team);

/* sdc_ranklevel_part is this process's part of the nodes of a level: whole blocks. */
static inline SdcTeamPart
sdc_ranklevel_part(const SdcTeam *team, uint32 count)
{
	return sdc_team_part(team, count, SDC_RANKLEVEL_FAN);
}

/* sdc_ranklevel_codes allocates the codes of a level, missing where there is no node: each process writes its part. */
extern int32 *sdc_ranklevel_codes(uint32 count, int attributes, SdcTeam *team, uint32 *credit);

/* sdc_ranklevel_bound makes the codes of a level of nodes from those of their children: each process its part. */
extern void sdc_ranklevel_bound(SdcRankLevel *nodes, const SdcRankLevel *children,
								int attributes, SdcTeam *team, uint32 *credit);

#ifdef SDC_CHECKS
/* sdc_ranklevel_check tells whether nodes have the codes of their children, and no others. */
extern bool sdc_ranklevel_check(const SdcRankLevel *nodes, const SdcRankLevel *children,
								int attributes);
#endif

#endif							/* SDC_KERNEL_RANKLEVEL_H */
