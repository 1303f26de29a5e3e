/*-------------------------------------------------------------------------
 *
 * missing.h
 *		Values that stand for a missing one: the missing codes of columns.
 *
 * Surveys write -9 for "refused" and -8 for "does not apply".  Such a code has no place among the values: while a
 * column is protected by swapping or drawing values, NULL stands in its place, and afterwards the record has its code
 * again.  Where numbers are measured it is left out like NULL.  Otherwise it is a value like others.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_RELATION_MISSING_H
#define SDC_RELATION_MISSING_H

#include "relation/column/dictionary.h"
#include "relation/column/paircodes.h"
#include "relation/read/source.h"

/* The missing codes of a column, in the order in which they were named, each once. */
typedef struct SdcMissing
{
	int			count;
	Datum	   *code;
} SdcMissing;

/*
 * sdc_missing_plan reads the codes that a request names for the attributes of a source.  They are read by the input
 * functions of the types, as far as the caller trusts their owners.
 */
extern void sdc_missing_plan(SdcSource *source, const SdcSourceRequest *request);

/*
 * sdc_missing_read makes a value of the type of an attribute of a text; false: it is none.  Neither checks of a domain
 * run, nor the input function of a type whose owner the caller does not trust.
 */
extern bool sdc_missing_read(const SdcAttribute *attribute, char *text, Datum *value);

/* sdc_missing_which returns the number of the code that a value is, from 0; -1: it is none. */
extern int	sdc_missing_which(SdcAttribute *attribute, Datum value);

/*
 * sdc_missing_take puts NULL in the place of the codes of an attribute, whose column has its values, until
 * sdc_missing_put_back; kept: the columns last as long as their spool.  sdc_missing_count only counts the records that
 * have a code.
 */
extern void sdc_missing_take(SdcAttribute *attribute, SdcSpool *spool, bool kept);
extern void sdc_missing_put_back(SdcAttribute *attribute, SdcSpool *spool);
extern void sdc_missing_count(SdcAttribute *attribute);

/*
 * sdc_missing_blank returns a column of an attribute with NULL in the place of codes.  codes, unless NULL, gets one
 * that has these, and NULL for all else.
 */
extern SdcColumn *sdc_missing_blank(SdcAttribute *attribute, SdcColumn *column, SdcSpool *spool, SdcColumn **codes);

/* sdc_missing_source returns a source that was read with NULL in the place of all codes; itself if there are none. */
extern SdcSource *sdc_missing_source(SdcSource *source, SdcSpool *spool);

/*
 * sdc_missing_last orders the values of a dictionary anew, codes behind all others in the order in which they were
 * named.
 */
extern void sdc_missing_last(SdcAttribute *attribute, const SdcDictionary *dictionary, SdcDictionaryCodes *coding);

/* sdc_missing_flags tells which values of a dictionary are codes, by their codes; NULL without any. */
extern bool *sdc_missing_flags(SdcAttribute *attribute, const SdcDictionary *dictionary,
							   const SdcDictionaryCodes *coding);

/*
 * sdc_missing_apart has NULL in the place of codes in two columns that were coded together (pairs.h), and the other
 * values have codes as if there had been none.  state gets which code a record has in each of them, NULL for none.
 * Both are in the current memory context, and the arrays before stay.
 */
extern void sdc_missing_apart(SdcAttribute *attribute, SdcColumn *original, SdcColumn *protected, uint64 records,
							  SdcPairColumn *pair, SdcPairColumn *state);

/* sdc_missing_no_numbers takes the numbers of codes away, which stay values like others. */
extern void sdc_missing_no_numbers(SdcAttribute *attribute, SdcColumn *original, SdcColumn *protected, uint64 records,
								   SdcPairColumn *pair);

#endif							/* SDC_RELATION_MISSING_H */
