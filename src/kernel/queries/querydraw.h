/*-------------------------------------------------------------------------
 *
 * querydraw.h
 *		Draws random count queries: internal to the kernel queries.
 *
 * A query is drawn in terms of the ranks 0 .. J - 1 of the distinct values of an attribute in
 * the original file, and so depends on that file and the stream alone.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_QUERYDRAW_H
#define SDC_KERNEL_QUERYDRAW_H

#include "kernel/base/bitset.h"
#include "kernel/base/stream.h"

/* What a workload must know of an attribute. */
typedef struct SdcQueryDomain
{
	uint32		values;			/* J: distinct values that occur in the original file */
	bool		range;			/* asked for by ranges of values, not by sets */
} SdcQueryDomain;

/* One condition of a query: the value of an attribute is one of these. */
typedef struct SdcQueryCondition
{
	uint32		attribute;		/* a quasi-identifier, or a sensitive attribute */
	uint32		values;			/* J */
	uint32		count;			/* of the values asked for; 0 only if J is */
	uint32		first;			/* the rank of the first one; of a set undefined */
	const uint64 *member;		/* bitmap of the ranks and of J, which is none; of a range NULL */
} SdcQueryCondition;

/* Attributes, and room for one query. */
typedef struct SdcQueryDraw
{
	/* set once */
	uint32		attributes;
	uint32		sensitives;
	const SdcQueryDomain *qi;
	const SdcQueryDomain *sensitive;
	/* the query drawn last */
	uint32		conditions;		/* in ascending order of attributes; a sensitive one last */
	SdcQueryCondition *condition;	/* attributes + 1 */
	uint32	   *order;			/* a permutation of the attributes */
	uint64	  **member;			/* of each attribute a bitmap; the last one is of the sensitive */
} SdcQueryDraw;

/* Bytes that a draw takes; it keeps the arrays of domains, which the caller owns. */
extern uint64 sdc_querydraw_memory(uint32 attributes, const SdcQueryDomain *qi,
								   uint32 sensitives, const SdcQueryDomain *sensitive);

extern SdcQueryDraw *sdc_querydraw_create(uint32 attributes, const SdcQueryDomain *qi,
										  uint32 sensitives, const SdcQueryDomain *sensitive);
extern void sdc_querydraw_destroy(SdcQueryDraw *draw);

/*
 * sdc_querydraw_next draws a query with so many of the quasi-identifiers: the attributes, the
 * sensitive attribute, and then the values of each condition.  O(attributes + values).
 */
extern void sdc_querydraw_next(SdcQueryDraw *draw, SdcStream *stream, uint32 number);

#endif							/* SDC_KERNEL_QUERYDRAW_H */
