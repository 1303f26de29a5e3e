/*-------------------------------------------------------------------------
 *
 * normal.h
 *		What intervals of 95 percent have of the normal distribution.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_NORMAL_H
#define SDC_KERNEL_NORMAL_H

/* 97.5 percent of the distribution are below: the number that the documents name, in all intervals. */
#define SDC_NORMAL_975 1.959964

#endif							/* SDC_KERNEL_NORMAL_H */
