/*-------------------------------------------------------------------------
 *
 * randomize.h
 *		Random anonymization of a relation.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_METHOD_RANDOMIZE_H
#define SDC_METHOD_RANDOMIZE_H

#include "kernel/groups/randomize.h"
#include "method/pipeline.h"
#include "relation/column/grouprecords.h"

#define SDC_PURPOSE_CHOICE "choice"
#define SDC_PURPOSE_DONORS "donors"

/* What sdc_randomize is asked for. */
typedef struct SdcRandomizing
{
	List	   *qi;				/* names, char * */
	int			draws;			/* attributes drawn for a record (RA 2), 0: RA 1 */
	const double *probability;	/* RA 1: of each name; NULL: optimal */
} SdcRandomizing;

/* sdc_randomize_prepare fills in what a protection by random anonymization is; the request must stay. */
extern void sdc_randomize_prepare(SdcMethodStep *step, const SdcRandomizing *randomizing);

/* Parts of it, for a release that is continued. */

/* sdc_randomize_attributes lists the indexes of the attributes to randomize, in column order. */
extern int *sdc_randomize_attributes(const SdcMethodStep *step, const SdcSource *source);

/* sdc_randomize_probabilities finds the probability of each of them; NULL where all sets are as likely. */
extern double *sdc_randomize_probabilities(const SdcMethodStep *step, const SdcSource *source, const int *index);

/*
 * sdc_randomize_choose draws the attributes of so many records, and sets the step's parameters; publication is 0 for a
 * release that is the first, or the only one.
 */
extern SdcChoice *sdc_randomize_choose(SdcMethodStep *step, const double *probability, uint32 records,
									   SdcRandom *random, uint64 publication);

/* sdc_randomize_members finds the records that have a value in a column, by stratum. */
extern void sdc_randomize_members(const SdcSource *source, SdcColumn *column, SdcGroupRecords *members);

#endif							/* SDC_METHOD_RANDOMIZE_H */
