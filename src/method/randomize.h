/*-------------------------------------------------------------------------
 *
 * randomize.h
 *		Random anonymization of a relation.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_METHOD_RANDOMIZE_H
#define SDC_METHOD_RANDOMIZE_H

#include "method/pipeline.h"

/* What sdc_randomize is asked for. */
typedef struct SdcRandomizing
{
	List	   *qi;				/* names, char * */
	int			draws;			/* attributes drawn for a record (RA 2), 0: RA 1 */
	const double *probability;	/* RA 1: of each name; NULL: optimal */
} SdcRandomizing;

/* sdc_randomize_prepare fills in what a protection by random anonymization is; the request must stay. */
extern void sdc_randomize_prepare(SdcMethodStep *step, const SdcRandomizing *randomizing);

#endif							/* SDC_METHOD_RANDOMIZE_H */
