/*-------------------------------------------------------------------------
 *
 * risk.h
 *		The disclosure risk of a release.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_MEASURE_RISK_H
#define SDC_MEASURE_RISK_H

#include "relation/frame/evaluation.h"

/*
 * The links of every attack with all known attributes, by record that is attacked: how many records are the best if
 * the right one is among them, 0 otherwise.  rankswap is NULL where there is no attack on the method, or two;
 * candidates are all inside of its windows, if the right one is, and 0 otherwise.
 */
typedef struct SdcRiskLinks
{
	uint32	   *distance;
	uint32	   *probabilistic;
	uint32	   *rankswap;
	uint32	   *candidates;
} SdcRiskLinks;

/* The share of such a link that is correct. */
static inline double
sdc_risk_share(uint32 ties)
{
	return ties > 0 ? 1.0 / ties : 0.0;
}

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
 * not NULL, has get the links with all of them; rankswap and candidates are set to NULL where there is no such attack,
 * or where the release is a continued one.  percent is what the intruder takes for the reach of the method (attack.h).
 */
extern SdcRisk *sdc_risk_count(const SdcEvaluation *evaluation, double percent, const int *known, int known_max,
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
extern int	sdc_risk_rates(const SdcEvaluation *evaluation, double percent, const int *known, int known_max,
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
