/*-------------------------------------------------------------------------
 *
 * swaptable.h
 *		The table of the methods that swap by ranks.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_METHOD_SWAPTABLE_H
#define SDC_METHOD_SWAPTABLE_H

#include "method/swap.h"

typedef enum SdcRankKind
{
	SDC_RANK_STANDARD,
	SDC_RANK_DISTRIBUTION,
	SDC_RANK_BUCKETS
} SdcRankKind;

typedef struct SdcRankParameters
{
	double		percent;		/* standard and p-distribution: (0, 100] */
	uint32		buckets;		/* p-buckets: at least 1 */
} SdcRankParameters;

/* sdc_swaptable_get returns a method; the parameters must stay. */
extern SdcSwapMethod sdc_swaptable_get(SdcRankKind kind, const SdcRankParameters *parameters);

/* sdc_swaptable_find returns the method that has a name. */
extern SdcSwapMethod sdc_swaptable_find(const char *name, const SdcRankParameters *parameters);

#endif							/* SDC_METHOD_SWAPTABLE_H */
