/*-------------------------------------------------------------------------
 *
 * associations.h
 *		Frequent itemsets and associations of a relation, and what a release keeps of them.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_MEASURE_ASSOCIATIONS_H
#define SDC_MEASURE_ASSOCIATIONS_H

#include "kernel/itemsets/rules.h"
#include "relation/frame/codedrelease.h"

/* What an association is: SDC_RULE_ANTECEDENT, SDC_RULE_RULE or SDC_RULE_ANY. */
typedef SdcRuleReading SdcAssociationReading;

/* A frequent itemset; the jsonb lives until the next one. */
typedef struct SdcFrequentItemset
{
	Datum		itemset;		/* jsonb {attribute: value, ...} */
	int			length;			/* items */
	uint64		records;		/* that have them all */
	double		support;
} SdcFrequentItemset;

typedef struct SdcItemsetRequest
{
	Oid			relid;
	bool		columns_given;	/* otherwise all columns but keys and identifiers */
	List	   *columns;
	double		min_support;
	int			max_length;
	int			limit;			/* so many itemsets, or an error */
	void		(*emit) (void *arg, const SdcFrequentItemset *itemset);
	void	   *arg;
} SdcItemsetRequest;

/* sdc_associations_parts is in how many parts associations are found, for sdc_progress. */
extern int	sdc_associations_parts(SdcAssociationReading reading);

/* sdc_associations_itemsets reads a relation and emits its frequent itemsets in a fixed order. */
extern void sdc_associations_itemsets(const SdcItemsetRequest *request);

/* An association; the jsonb live until the next one. */
typedef struct SdcAssociation
{
	Datum		antecedent;		/* jsonb {attribute: value, ...} */
	Datum		consequent;
	int			length;			/* items of the antecedent; with SDC_RULE_ANY of both */
	uint64		records;		/* that support it */
	double		support;
	double		confidence;
	double		lift;
	uint64		antecedent_records;
	uint64		consequent_records;
	uint64		both_records;
} SdcAssociation;

typedef struct SdcAssociationRequest
{
	Oid			relid;
	List	   *qi;
	List	   *sensitive;
	double		min_support;
	double		min_confidence;
	int			max_length;
	SdcAssociationReading reading;
	void		(*emit) (void *arg, const SdcAssociation *association);
	void	   *arg;
} SdcAssociationRequest;

/* sdc_associations_find reads a relation and emits its associations in a fixed order. */
extern void sdc_associations_find(const SdcAssociationRequest *request);

/*
 * sdc_associations_length is the length of the associations that are looked for where nobody says how long they may be.
 * There is no limit for up to 16 columns; of more, there are at most 100,000 sets of so many columns or fewer.
 */
extern int	sdc_associations_length(int columns);

/* What a release keeps of the associations of one length. */
typedef struct SdcRecalled
{
	int			length;			/* 0: of all */
	uint64		original;		/* associations of the source, */
	uint64		recovered;		/* of these also in the release, */
	uint64		artificial;		/* and associations of the release only */
	double		recall_percent; /* of the original ones; both NaN if there are none */
	double		artificial_percent;
} SdcRecalled;

typedef struct SdcRecallRequest
{
	SdcCodedReleaseRequest release;
	double		min_support;
	double		min_confidence;
	SdcAssociationReading reading;
	int			max_length;		/* as SdcAssociationRequest has it; 0: sdc_associations_length */
	MemoryContext context;		/* of the rows */
	/* set by sdc_associations_recall */
	int			rows;
	SdcRecalled *row;			/* the lengths that there are, ascending, and the total */
} SdcRecallRequest;

/* sdc_associations_recall reads a release and its source and compares their associations. */
extern void sdc_associations_recall(SdcRecallRequest *request);

/*
 * sdc_associations_tasks prepares the finding of the associations of a source and of its release, which were read.
 * Each may use half of the memory that is left.  sdc_associations_check raises the error for what could not be done.
 */
extern void sdc_associations_tasks(const SdcCodedRelease *coded, const SdcRecallRequest *request,
								   SdcRuleTask task[2]);
extern void sdc_associations_check(SdcStatus status);

#endif							/* SDC_MEASURE_ASSOCIATIONS_H */
