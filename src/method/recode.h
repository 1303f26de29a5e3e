/*-------------------------------------------------------------------------
 *
 * recode.h
 *		Recoding columns of a relation: coarser values, the same for everybody.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_METHOD_RECODE_H
#define SDC_METHOD_RECODE_H

#include "method/step.h"
#include "relation/recode/rule.h"

/* What a recoding is asked for. */
typedef struct SdcRecoding
{
	List	   *rules;			/* SdcRule *, by column */
	const char *argument;		/* the text that they are read from: JSON */
} SdcRecoding;

/* sdc_recode_prepare fills in what a protection by recoding is; the request must stay. */
extern void sdc_recode_prepare(SdcMethodStep *step, const SdcRecoding *recoding);

#endif							/* SDC_METHOD_RECODE_H */
