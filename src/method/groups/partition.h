/*-------------------------------------------------------------------------
 *
 * partition.h
 *		The groups of a relation's records that generalization and permutation make.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_METHOD_PARTITION_H
#define SDC_METHOD_PARTITION_H

#include "method/step.h"
#include "relation/column/dictionary.h"

typedef enum SdcPartitionKind
{
	SDC_PARTITION_MONDRIAN,
	SDC_PARTITION_ANATOMY
} SdcPartitionKind;

struct SdcFullDomainRequest;
struct SdcFullDomain;

/* What sdc_generalize and sdc_permute are asked for. */
typedef struct SdcPartitionRequest
{
	SdcPartitionKind kind;
	List	   *qi;				/* names, char *; looked at by Mondrian */
	const char *sensitive;		/* or NULL: no l */
	double		l;				/* 0: none */
	uint32		k;				/* 0: none */
	bool		force;
	struct SdcFullDomainRequest *domain;	/* hierarchies, of which columns get one level (fulldomain.h); or NULL */
} SdcPartitionRequest;

/* A column as codes. */
typedef struct SdcPartitionColumn
{
	SdcCodeList *list;
	SdcDictionaryCodes coding;
} SdcPartitionColumn;

typedef struct SdcPartition
{
	uint32		records;
	int			attributes;
	SdcPartitionColumn *qi;		/* in the order of the request; with Mondrian only */
	uint32	   *group;			/* of each record, from 0 */
	uint32		groups;
	struct SdcFullDomain *domain;	/* what came of hierarchies; or NULL */
} SdcPartition;

/*
 * sdc_partition_make groups the records of a source that has been read, each stratum by itself, in
 * the current memory context.  l or k that is not feasible is an error that names what is.
 */
extern SdcPartition *sdc_partition_make(const SdcPartitionRequest *request, SdcSource *source,
									SdcSpool *spool, SdcRandom *random);

/* sdc_partition_check checks a request against the plan, before any work. */
extern void sdc_partition_check(const SdcPartitionRequest *request, SdcSource *source);

/* sdc_partition_column returns the groups, from 1, as a column of the release. */
extern SdcColumn *sdc_partition_column(const SdcPartition *groups, SdcSpool *spool);

/*
 * sdc_partition_describe writes the parameters for the catalog; grouping_method is the name of the kind, or NULL;
 * groups NULL: before they are made.
 */
extern char *sdc_partition_describe(const SdcPartitionRequest *request, const char *grouping_method,
									const SdcPartition *groups);

#endif							/* SDC_METHOD_PARTITION_H */
