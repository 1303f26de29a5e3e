/*-------------------------------------------------------------------------
 *
 * anonymity.h
 *		The probabilistic anonymity of random anonymization.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_MEASURE_ANONYMITY_H
#define SDC_MEASURE_ANONYMITY_H

#include "kernel/base/codedfile.h"
#include "nodes/pg_list.h"

/*
 * sdc_anonymity_optimal returns the probabilities of attributes to be drawn that maximize probabilistic
 * anonymity, in the current memory context.
 */
extern double *sdc_anonymity_optimal(const SdcCodedFile *coded);

typedef struct SdcAnonymityRequest
{
	Oid			relid;
	List	   *qi;				/* char *: the columns that are drawn */
	List	   *strata;			/* char *: within whose values donors are drawn, or NIL */
	const double *probability;	/* of each column to be drawn, where one is; NULL: the optimal ones */
	int			draws;			/* above 0: so many columns of a record are drawn, all as likely */
} SdcAnonymityRequest;

/* sdc_anonymity_measure returns the probabilistic anonymity of a relation; false without records. */
extern bool sdc_anonymity_measure(const SdcAnonymityRequest *request, double *anonymity);

#endif							/* SDC_MEASURE_ANONYMITY_H */
