/*-------------------------------------------------------------------------
 *
 * rankmethod.h
 *		The three rank swapping methods as the protection layer sees them.
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

/* sdc_rankmethod returns a method; its parameters are SdcRankParameters. */
extern const SdcSwapMethod *sdc_rankmethod(SdcRankKind kind);

/* sdc_rankmethod_check_buckets returns an int argument that is a number of buckets. */
extern uint32 sdc_rankmethod_check_buckets(Datum value, bool isnull);

#endif							/* SDC_METHOD_RANKMETHOD_H */
