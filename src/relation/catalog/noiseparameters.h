/*-------------------------------------------------------------------------
 *
 * noiseparameters.h
 *		The laws of noise, as the catalog has them.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_RELATION_NOISEPARAMETERS_H
#define SDC_RELATION_NOISEPARAMETERS_H

#include "kernel/base/normal.h"
#include "relation/catalog/parameters.h"

typedef enum SdcNoiseScheme
{
	SDC_SCHEME_ADDITIVE,
	SDC_SCHEME_CORRELATED,
	SDC_SCHEME_KIM,
	SDC_SCHEME_MULTIPLICATIVE
} SdcNoiseScheme;

/* Their words, in this order, and NULL. */
extern const char *const sdc_noise_schemes[];

/* What the law of a column needs besides the amount, the scheme and the bounds. */
typedef struct SdcNoiseColumn
{
	double		mean;
	double		sd;				/* of n - 1; 0: the column is constant, and stays */
	double		unit;			/* numbers are multiples of it; 0: any */
	double		low;
	double		high;
} SdcNoiseColumn;

/* sdc_noiseparameters_law makes the law; false: the column stays as it is. */
extern bool sdc_noiseparameters_law(SdcNoiseScheme scheme, double amount, const SdcNoiseColumn *column,
									SdcNoiseLaw *law);

/* sdc_noiseparameters_bounds reads the bounds of a column; what is not an array of two numbers or nulls: false. */
extern bool sdc_noiseparameters_bounds(SdcParameters *bounds, const char *name, SdcNoiseColumn *column);

/*
 * sdc_noiseparameters_read reads what the parameters of a step say of a column; false: they do not say it all.
 */
extern bool sdc_noiseparameters_read(SdcParameters *parameters, const char *name, SdcNoiseScheme *scheme,
									 double *amount, SdcNoiseColumn *column);

#endif							/* SDC_RELATION_NOISEPARAMETERS_H */
