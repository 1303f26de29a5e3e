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

/* sdc_recode_is tells whether a step recodes. */
extern bool sdc_recode_is(const SdcMethodStep *step);

/* sdc_recode_is_passed tells whether a column that is recoded is one of another step, or read by it. */
extern bool sdc_recode_is_passed(const SdcProtection *protection, const SdcAttribute *attribute);

/* sdc_recode_is_seen tells whether the step of an attribute sees what a recoding before it has made of the values. */
extern bool sdc_recode_is_seen(const SdcProtection *protection, const SdcAttribute *attribute);

/*
 * sdc_recode_types_begin has columns that are passed to another step have the types that their values will have become,
 * while that looks at the plan; sdc_recode_types_end undoes it, and notes what that step has made of them.
 */
extern SdcAttribute *sdc_recode_types_begin(SdcSource *source);
extern void sdc_recode_types_end(SdcSource *source, SdcAttribute *before);

/* sdc_recode_compare counts the records whose value is another one than in the source, in columns that were passed. */
extern void sdc_recode_compare(SdcSource *source);

#endif							/* SDC_METHOD_RECODE_H */
