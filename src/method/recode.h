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
#include "relation/catalog/parameters.h"
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

/* sdc_recode_of returns the recoding of a protection that has a column, NULL without. */
extern const SdcRecoding *sdc_recode_of(const SdcProtection *protection, const char *column);

/*
 * sdc_recode_continue has a recoding make of a column what the parameters of one say that was before, where it can have
 * another name; false: that had another rule for it, or they do not tell.
 */
extern bool sdc_recode_continue(const SdcRecoding *recoding, const char *column, SdcParameters *parameters,
								const char *before);

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

/* sdc_recode_recount counts anew which records were recoded, when some have left the source since. */
extern void sdc_recode_recount(SdcSource *source);

/* sdc_recode_compare counts the records whose value is another one than in the source, where it is kept. */
extern void sdc_recode_compare(SdcSource *source);

#endif							/* SDC_METHOD_RECODE_H */
