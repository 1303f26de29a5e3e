/*-------------------------------------------------------------------------
 *
 * noise.h
 *		Numbers and noise.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_METHOD_NOISE_H
#define SDC_METHOD_NOISE_H

#include "method/step.h"
#include "relation/catalog/noiseparameters.h"
#include "utils/jsonb.h"

/* What sdc_noise is asked for. */
typedef struct SdcNoising
{
	double		amount;
	SdcNoiseScheme scheme;
	JsonbContainer *bounds;		/* by column [low, high], or NULL */
	/* empty at first; what the step finds, as members of an object of JSON: */
	StringInfo	laws;
	StringInfo	covariances;
} SdcNoising;

/* sdc_noise_prepare fills in what a protection by noise is; the request must stay. */
extern void sdc_noise_prepare(SdcMethodStep *step, const SdcNoising *noising);

#endif							/* SDC_METHOD_NOISE_H */
