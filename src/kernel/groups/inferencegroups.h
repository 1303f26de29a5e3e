/*-------------------------------------------------------------------------
 *
 * inferencegroups.h
 *		The combinations of values of two files, put together by all attributes but a few.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_INFERENCEGROUPS_H
#define SDC_KERNEL_INFERENCEGROUPS_H

#include "kernel/base/pairs.h"

/* No combination of the release. */
#define SDC_RELEASE_NONE UINT32_MAX

/* What the originals that agree with a released combination outside some attributes have in common. */
typedef struct SdcAgreeing
{
	uint32		originals;		/* how many there are */
	uint32		most;			/* how many have the most frequent of their combinations */
	uint32		mosts;			/* how many combinations are that frequent */
	uint32		least;			/* how many have the least frequent one but the released one, or UINT32_MAX */
} SdcAgreeing;

/* A partition of the combinations by some of the attributes. */
typedef struct SdcPartition
{
	uint32	   *order;			/* combinations; those of a class are together, and classes ascend */
	uint32	   *suffix;			/* of each combination: its class */
} SdcPartition;

/* Element i < records is the original of record i, element records + i its record in the release. */
typedef struct SdcInferenceGroups
{
	/* given */
	const SdcPairColumn *column;
	int			attributes;
	int			first;			/* the attributes before it are never left out */
	uint32		records;

	/* set once: the distinct combinations, in lexicographic order */
	uint32	   *number;			/* of each element: its combination */
	uint32		combinations;
	uint32	   *element;		/* one that has it */
	uint32	   *originals;		/* how many originals have it */
	uint32	   *release;		/* its number in the release, or SDC_RELEASE_NONE */
	uint16	   *differs;		/* first attribute in which it is not as the combination before */
	uint32		releases;

	/* for one attribute at a time */
	uint32	   *value;			/* of each combination: its code there; codes if missing */
	uint32	   *prefix;			/* number of the first combination that agrees before it */
	uint32	   *place;			/* of a prefix: where the next one goes */
	bool		missing;		/* some have none there */

	/* changes */
	SdcPartition *partition;	/* one for every attribute that can be left out after another one, and one more */
	int			partitions;
	uint32	   *spare;			/* combinations */
	uint32	   *count;			/* by code */
	uint32		count_size;
	uint32		credit;
	SdcAgreeing *agreeing;		/* of each combination of the release */
} SdcInferenceGroups;

/* Receives what agrees outside a set of attributes, of which the last one that was added is the lowest. */
typedef void (*SdcInferenceVisit) (void *arg, const int *set, int size);

/* sdc_inferencegroups_create numbers the combinations; depth: how many attributes are left out at a time. */
extern void sdc_inferencegroups_create(SdcInferenceGroups *groups, int depth);
extern void sdc_inferencegroups_destroy(SdcInferenceGroups *groups);

/* sdc_inferencegroups_load takes the codes of the combinations in an attribute, and finds the prefixes. */
extern void sdc_inferencegroups_load(SdcInferenceGroups *groups, int attribute);

/* sdc_inferencegroups_few calls visit for every set of 1 .. depth attributes. */
extern void sdc_inferencegroups_few(SdcInferenceGroups *groups, int depth, SdcInferenceVisit visit, void *arg);

/* sdc_inferencegroups_all calls visit once, for the set of all attributes. */
extern void sdc_inferencegroups_all(SdcInferenceGroups *groups, SdcInferenceVisit visit, void *arg);

/* sdc_inferencegroups_room makes sure that there is a cleared count for each code and for missing values. */
extern void sdc_inferencegroups_room(SdcInferenceGroups *groups, uint32 codes);

#endif							/* SDC_KERNEL_INFERENCEGROUPS_H */
