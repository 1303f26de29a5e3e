/*-------------------------------------------------------------------------
 *
 * rankmethod.h
 *		The three rank swapping methods.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_METHOD_RANKMETHOD_H
#define SDC_METHOD_RANKMETHOD_H

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

/* sdc_rankmethod_get returns a method; the parameters must stay. */
extern SdcSwapMethod sdc_rankmethod_get(SdcRankKind kind, const SdcRankParameters *parameters);

/* sdc_rankmethod_find returns the method that has a name. */
extern SdcSwapMethod sdc_rankmethod_find(const char *name, const SdcRankParameters *parameters);

/* sdc_rankmethod_prepare fills in what a protection by a method is. */
extern void sdc_rankmethod_prepare(SdcMethodStep *step, SdcRankKind kind,
								   const SdcRankParameters *parameters);

#endif							/* SDC_METHOD_RANKMETHOD_H */
