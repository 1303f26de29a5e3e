/*-------------------------------------------------------------------------
 *
 * matching.h
 *		Candidates that are left when everybody else is known (declared in candidates.h).
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_MATCHING_H
#define SDC_KERNEL_MATCHING_H

#include "kernel/candidates/candidates.h"

#endif							/* SDC_KERNEL_MATCHING_H */
