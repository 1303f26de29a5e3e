/*-------------------------------------------------------------------------
 *
 * suppress.h
 *		Local suppression: values of quasi-identifiers become NULL until every record has others like it.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_METHOD_SUPPRESS_H
#define SDC_METHOD_SUPPRESS_H

#include "method/groups/combinations.h"
#include "method/step.h"

/* What a suppression is asked for. */
typedef struct SdcSuppressionRequest
{
	List	   *qi;				/* names, char * */
	uint32		k;
	double	   *importance;		/* by column, positive; NULL: 1 each */
	Jsonb	   *sets;			/* argument "combinations", or NULL */
	SdcCombinations combinations;	/* what it says */
} SdcSuppressionRequest;

/* sdc_suppress_prepare fills in what a protection by suppression is; the request must stay. */
extern void sdc_suppress_prepare(SdcMethodStep *step, SdcSuppressionRequest *request);

#endif							/* SDC_METHOD_SUPPRESS_H */
