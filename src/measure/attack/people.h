/*-------------------------------------------------------------------------
 *
 * people.h
 *		How many people an intruder finds in a release, by all that leaves with it.
 *
 * People are the records, or units of several records (evaluation.h, unitlinks.h): then all that is said of records
 * below is of units.  Attacks by distance and agreement are on records, and a unit counts with the one that is found
 * best; so are all others where it is not known which records of the release belong together.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_MEASURE_PEOPLE_H
#define SDC_MEASURE_PEOPLE_H

#include "measure/attack/attack.h"
#include "measure/attack/risk.h"
#include "relation/frame/wholerelease.h"

/* The attacks.  CANDIDATES chooses at random among those that NEAREST chooses the nearest of. */
typedef enum SdcPeopleAttack
{
	SDC_PEOPLE_CANDIDATES,
	SDC_PEOPLE_NEAREST,
	SDC_PEOPLE_DISTANCE,
	SDC_PEOPLE_WIDE,
	SDC_PEOPLE_NARROW,			/* by windows that a continued release has outgrown: never certain */
	SDC_PEOPLE_AGREEMENT
} SdcPeopleAttack;

#define SDC_PEOPLE_ATTACKS (SDC_PEOPLE_AGREEMENT + 1)

extern const char *sdc_people_attack_name(SdcPeopleAttack attack);

/* What they find, by record that is attacked. */
typedef struct SdcPeople
{
	const SdcCandidatesLink *link[SDC_PEOPLE_AGREEMENT];	/* NULL: there is no such attack, */
	const SdcRiskLinks *found;	/* or all but agreement are these, which were known already; or NULL */
	uint32		records;		/* of the release */
	const SdcLink *agreement;	/* or NULL, */
	const uint32 *agreement_ties;	/* or known already as the risk has them; or NULL */
} SdcPeople;

/* The links of a release that was attacked already (risk.h), by the same records. */
typedef struct SdcPeopleLinks
{
	MemoryContext context;		/* of what is below */
	int			known;			/* columns that they know, 0: there are no links; */
	uint32		records;		/* that were attacked, */
	uint32		all;			/* of so many; */
	bool		complete;		/* every value of these columns is there in both files, and a number; */
	const char **name;			/* their names, in the order in which they are known */
	SdcRiskLinks links;
} SdcPeopleLinks;

/*
 * sdc_people_attack attacks the records of an evaluation that was begun by sdc_wholerelease_begin.  With
 * everybody, the intruder knows everybody else, too: candidates and nearest choose among what
 * that leaves; a release that may not have the right record among the candidates is an error then.
 * links: see sdc_people_measure.
 */
extern void sdc_people_attack(const SdcEvaluation *evaluation, const SdcWholeRelease *whole,
							  bool everybody, const SdcPeopleLinks *links, SdcPeople *people);

/* sdc_people_has tells whether there is an attack. */
extern bool sdc_people_has(const SdcPeople *people, SdcPeopleAttack attack);

/* The share of an attack on a record (index i of the evaluation): how probably it finds the person. */
extern double sdc_people_share(const SdcPeople *people, SdcPeopleAttack attack, uint32 i);

/* sdc_people_certain tells whether some attack has one candidate for a record, and is right. */
extern bool sdc_people_certain(const SdcPeople *people, uint32 i);

/* sdc_people_nearest runs nearest alone, for every record that is attacked. */
extern const SdcCandidatesLink *sdc_people_nearest(const SdcEvaluation *evaluation,
												   const SdcWholeRelease *whole, bool everybody);

/* What one attack finds in all. */
typedef struct SdcPeopleRate
{
	const char *attack;			/* or any, best, chance */
	double		found;
	bool		has_percent;	/* there was a record to attack */
	double		percent;
	bool		has_bounds;		/* it was a sample */
	double		low;
	double		high;
	bool		has_candidates; /* the attack has candidates */
	uint64		single;
	uint64		certain;
} SdcPeopleRate;

#define SDC_PEOPLE_RATES (SDC_PEOPLE_ATTACKS + 3)

/* sdc_people_rates fills in the rates, up to SDC_PEOPLE_RATES, and returns how many there are. */
extern int	sdc_people_rates(const SdcEvaluation *evaluation, const SdcPeople *people,
							 SdcPeopleRate *rate);

/* The headline: people found by any attack, and for certain, in percent; of a sample the upper ends. */
typedef struct SdcPeopleFound
{
	bool		known;			/* the release has records */
	double		found;
	double		certain;
} SdcPeopleFound;

/*
 * sdc_people_measure reads a release and measures it.  With copied_only it measures a release whose
 * protected columns tell nothing: without others, what a blind guess finds.  known is not set
 * without records, and without a known column if there may be none.  What links has of the attacks here, of the
 * columns that are known here, is not found again; it may be NULL.
 */
extern void sdc_people_measure(const SdcWholeRequest *request, const SdcSampleRequest *sample,
							   const SdcPeopleLinks *links, SdcPeopleFound *found);

#endif							/* SDC_MEASURE_PEOPLE_H */
