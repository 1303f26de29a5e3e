/*-------------------------------------------------------------------------
 *
 * risk.h
 *		The disclosure risk of a release.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_MEASURE_RISK_H
#define SDC_MEASURE_RISK_H

#include "measure/evaluation.h"

/* The links of every attack with all known attributes, by record that is attacked; NULL: there is no such attack. */
typedef struct SdcRiskLinks
{
	SdcLink    *distance;
	SdcLink    *probabilistic;
	SdcLink    *rankswap;
} SdcRiskLinks;

/* The correct links of every attack: sums of shares, for c = 1 .. known_max attributes. */
typedef struct SdcRisk
{
	int			known_max;
	bool		specific;		/* there is an attack on the method */
	double	   *distance;
	double	   *probabilistic;
	double	   *rankswap;
} SdcRisk;

/*
 * sdc_risk_count counts the correct links of every attack; known are known_max attributes.  The arrays that links, if
 * not NULL, has get the links with all of them; that of an attack that there is not is set to NULL.
 */
extern SdcRisk *sdc_risk_count(const SdcEvaluation *evaluation, const int *known, int known_max,
							   SdcRiskLinks *links);

/* The rate of an attack with so many attributes known. */
typedef struct SdcRiskRate
{
	const char *attack;
	int			known;
	double		linked;			/* correct links, a sum of shares */
	bool		has_percent;	/* there are records */
	double		percent;
	bool		has_bounds;		/* the links come from a sample: then also */
	double		low;			/* its 95 % confidence interval, in percent */
	double		high;
} SdcRiskRate;

/* sdc_risk_rates returns the number of rates of all attacks, and the rates; what is known as above. */
extern int	sdc_risk_rates(const SdcEvaluation *evaluation, const int *known, int known_max,
						   SdcRiskRate **rates);

/* The interval disclosure of an attribute. */
typedef struct SdcDisclosure
{
	const char *attribute;
	bool		known;			/* a record has a value in both files */
	double		percent;
} SdcDisclosure;

/* sdc_risk_disclosures returns that of every attribute. */
extern SdcDisclosure *sdc_risk_disclosures(const SdcPairedRelease *paired);

/*
 * sdc_risk_disclosure returns the interval disclosure of an attribute in percent, or below 0 of
 * all of them together; false where no record has a value in both files.
 */
extern bool sdc_risk_disclosure(const SdcPairedRelease *paired, int attribute, double *percent);

#endif							/* SDC_MEASURE_RISK_H */
