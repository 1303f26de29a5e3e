/*-------------------------------------------------------------------------
 *
 * randomdraws.h
 *		What random anonymization draws: attributes for every record.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_METHOD_RANDOMDRAWS_H
#define SDC_METHOD_RANDOMDRAWS_H

#include "kernel/groups/randomize.h"
#include "method/step.h"
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

/* sdc_randomdraws_attributes lists the indexes of the attributes to randomize, in column order. */
extern int *sdc_randomdraws_attributes(const SdcMethodStep *step, const SdcSource *source);

/* sdc_randomdraws_probabilities finds the probability of each of them; NULL where all sets are as likely. */
extern double *sdc_randomdraws_probabilities(const SdcMethodStep *step, const SdcSource *source, const int *index);

/*
 * sdc_randomdraws_choose draws the attributes of so many records, and sets the step's parameters; publication is 0 for
 * a release that is the first, or the only one.
 */
extern SdcChoice *sdc_randomdraws_choose(SdcMethodStep *step, const double *probability, uint32 records,
									   SdcRandom *random, uint64 publication);

/* sdc_randomdraws_describe writes the parameters for the catalog. */
extern char *sdc_randomdraws_describe(int draws, const double *probability, int attributes);

/* sdc_randomdraws_members finds the records that have a value in a column, by stratum. */
extern void sdc_randomdraws_members(const SdcSource *source, SdcColumn *column, SdcGroupRecords *members);

#endif							/* SDC_METHOD_RANDOMDRAWS_H */
