/*-------------------------------------------------------------------------
 *
 * mdav.h
 *		Groups of k near records: maximum distance to average vector.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_MDAV_H
#define SDC_KERNEL_MDAV_H

#include "kernel/base/kernel_env.h"

typedef struct SdcMdavTask
{
	uint32		records;		/* at least k */
	int			attributes;		/* at least 1 */
	const double *const *column;	/* the numbers of each attribute, finite, and so are their squares */
	uint32		k;				/* at least 1 */
} SdcMdavTask;

/*
 * sdc_mdav puts records into groups of k that are near each other, and of up to 2 k - 1 once.  Attributes are measured
 * from their means, in standard deviations (n - 1); one that is constant tells nothing.  While 3 k records are left, r
 * is the farthest one from their centre; r and its k - 1 nearest are a group; s is the farthest one from r of those
 * left then; s and its k - 1 nearest are a group.  With 2 k or more left, r and its nearest are one, and the rest is
 * another one.  Of equally near or far records the lower one is taken.
 *
 * group[r] gets the number of the group of record r, from 0; the number of groups is returned.  *within is the sum of
 * the squares of the measured distances from the centres of the groups, *squares that from the centre of all.
 */
extern uint32 sdc_mdav(const SdcMdavTask *task, uint32 *group, double *within, double *squares);

#endif							/* SDC_KERNEL_MDAV_H */
