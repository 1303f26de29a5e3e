/*-------------------------------------------------------------------------
 *
 * randomdraws.h
 *		What random anonymization and PRAM draw: attributes for every record.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_METHOD_RANDOMDRAWS_H
#define SDC_METHOD_RANDOMDRAWS_H

#include "kernel/groups/randomize.h"
#include "method/step.h"

#define SDC_PURPOSE_CHOICE "choice"
#define SDC_PURPOSE_DONORS "donors"
#define SDC_PURPOSE_PRAM "pram"

/* What sdc_randomize is asked for, or sdc_pram without matrices. */
typedef struct SdcRandomizing
{
	List	   *qi;				/* names, char * */
	int			draws;			/* attributes drawn for a record (RA 2), 0: RA 1 */
	const double *probability;	/* RA 1: of each name; NULL: optimal */
	double		retain;			/* PRAM: the probability that a value stays, of each column by itself; 0: not that */
} SdcRandomizing;

/* sdc_randomdraws_attributes lists the indexes of the attributes to randomize, in column order. */
extern int *sdc_randomdraws_attributes(const SdcMethodStep *step, const SdcSource *source);

/*
 * sdc_randomdraws_probabilities finds the probability of each of them; NULL where all sets are as likely, or each
 * attribute is drawn by itself.
 */
extern double *sdc_randomdraws_probabilities(const SdcMethodStep *step, const SdcSource *source, const int *index);

/*
 * sdc_randomdraws_choose draws the attributes of so many records, and sets the step's parameters; publication is 0 for
 * a release that is the first, or the only one.
 */
extern SdcChoice *sdc_randomdraws_choose(SdcMethodStep *step, const SdcSource *source, const double *probability,
										 uint32 records, SdcRandom *random, uint64 publication);

/* sdc_randomdraws_describe writes the parameters for the catalog, with the probabilities of so many attributes. */
extern char *sdc_randomdraws_describe(const SdcRandomizing *randomizing, const double *probability, int attributes);

/* sdc_randomdraws_stream starts the stream of a column that is drawn by itself; publication as above. */
extern SdcStream *sdc_randomdraws_stream(const SdcMethodStep *step, SdcRandom *random, const char *column,
										 uint64 publication);

#endif							/* SDC_METHOD_RANDOMDRAWS_H */
