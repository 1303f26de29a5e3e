/*-------------------------------------------------------------------------
 *
 * fulldomain.h
 *		Generalizing values to levels of hierarchies: one for all values of a column, or by group.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_METHOD_FULLDOMAIN_H
#define SDC_METHOD_FULLDOMAIN_H

#include "method/groups/combinations.h"
#include "method/groups/partition.h"
#include "relation/recode/rulelevels.h"

/* What sdc_generalize is asked for besides, where there are hierarchies. */
typedef struct SdcFullDomainRequest
{
	bool		cuts;			/* groups have nodes of their own: Mondrian along hierarchies */
	List	   *hierarchies;	/* SdcRule *, as they are given, */
	char	   *argument;		/* and as JSON */
	double		suppress_percent;
	double		t;				/* negative: none */
	bool		ordered;		/* its distance */
	double	   *importance;		/* of each quasi-identifier, or NULL */
	Jsonb	   *sets;			/* the argument "combinations"; NULL: all quasi-identifiers together */
	SdcCombinations combinations;	/* what it says */
} SdcFullDomainRequest;

/* What came of it. */
typedef struct SdcFullDomain
{
	const SdcFullDomainRequest *request;
	List	   *rules;			/* SdcRule *, one for each quasi-identifier; NULL: cut at medians */
	SdcRuleLevels *levels;		/* of each quasi-identifier */
	uint32		strata;
	uint32	   *level;			/* by stratum, of cuts by group, and quasi-identifier; levels: everything */
	bool	   *suppressed;		/* of each record */
	uint64		suppressed_count;
	double	   *loss;			/* of each quasi-identifier */
	double		release_loss;
} SdcFullDomain;

/* sdc_fulldomain_plan finds the hierarchies of the columns, and the types that the release has. */
extern void sdc_fulldomain_plan(const SdcPartitionRequest *request, SdcSource *source);

/*
 * sdc_fulldomain_begin reads the tables of the hierarchies, and numbers what values become, in the current memory
 * context; sdc_fulldomain_group then groups the records of every stratum, and returns how many groups there are, 0 if
 * all together do not satisfy what is asked for.
 */
extern SdcFullDomain *sdc_fulldomain_begin(const SdcPartitionRequest *request, SdcSource *source,
										   const SdcPartition *partition, uint32 strata);
extern uint32 sdc_fulldomain_group(SdcFullDomain *domain, const SdcPartitionRequest *request, SdcPartition *partition,
								   const SdcPartitionColumn *sensitive, uint32 stratum, const uint32 *record,
								   uint32 records);

/* sdc_fulldomain_levels finds the levels of groups that were cut, when they have their numbers. */
extern void sdc_fulldomain_levels(SdcPartition *partition);

/* sdc_fulldomain_has tells whether a quasi-identifier has a level. */
extern bool sdc_fulldomain_has(const SdcPartition *partition, int number);

/* sdc_fulldomain_column makes the column of the release of a quasi-identifier, and fills in its report. */
extern SdcColumn *sdc_fulldomain_column(const SdcPartition *partition, int number, SdcSource *source,
										SdcAttribute *attribute, SdcSpool *spool);

/* sdc_fulldomain_describe writes the parameters of hierarchies for the catalog; domain NULL: there is no result yet. */
extern void sdc_fulldomain_describe(StringInfo json, const char *comma, const SdcPartitionRequest *request,
									const SdcFullDomain *domain);

#endif							/* SDC_METHOD_FULLDOMAIN_H */
