/*-------------------------------------------------------------------------
 *
 * ordering.h
 *		The sorted order of one attribute's values, in memory.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_RELATION_ORDERING_H
#define SDC_RELATION_ORDERING_H

#include "relation/base/memory.h"
#include "relation/base/random.h"
#include "relation/column/column.h"
#include "relation/column/types.h"

/* The purposes of the streams that rank methods draw from. */
#define SDC_PURPOSE_TIES "ties"
#define SDC_PURPOSE_DRAWS "draws"

/*
 * The records with a value, by stratum, in a stratum by (value, tie word,
 * record number).  Stratum s has positions start[s] .. start[s + 1] - 1.
 */
typedef struct SdcOrdering
{
	uint32		count;			/* records with a value */
	uint32	   *order;			/* record at each position */
	uint32		strata;			/* at least 1 */
	uint32	   *start;			/* strata + 1 positions */
	uint32		longest;		/* positions of the largest stratum */
	bool	   *tied;			/* at each position: its value is that of the one before; NULL unless asked for */
} SdcOrdering;

/* What is to be ordered. */
typedef struct SdcOrderingTask
{
	SdcColumn  *column;
	SdcType    *type;
	SdcColumn  *stratum;		/* stratum of each record, or NULL */
	uint64		strata;			/* their number */
	int32		first_stratum;	/* their numbers begin here */
	const uint32 *tie;			/* given tie words of all records; NULL: they are drawn */
	SdcRandom  *random;			/* NULL: ties stay in the order of the records */
	const char *attribute;		/* its name: names the stream of the ties, */
	uint64		publication;	/* and so does the number of the publication; 0: it is the first, or the only one */
	bool		ties;			/* tell which values are tied, of a type with a sort key */
	SdcOrdering *kept;			/* NULL, or where the order is kept for the next time: empty the first time */
	SdcArena   *arena;			/* for everything that is as long as the column */
} SdcOrderingTask;

/* sdc_ordering_ties starts the stream of the tie words of a task: one 32-bit word a record. */
extern SdcStream *sdc_ordering_ties(const SdcOrderingTask *task);

/* The bytes of the arena that sdc_ordering_build takes at its peak. */
extern uint64 sdc_ordering_memory(const SdcOrderingTask *task);

/* The bytes of the arena that its result keeps, from the arena's beginning where no values are. */
extern uint64 sdc_ordering_result_memory(const SdcOrderingTask *task);

/*
 * sdc_ordering_build orders the values.  values is the loaded column; it may be NULL
 * where the type has a sort key.  The tie word of record r is the r-th 32-bit word of
 * the stream (attribute, "ties").  The result is in the arena, in front of which
 * nothing else is left there; or it is what is kept, which nobody may change.
 */
extern SdcOrdering *sdc_ordering_build(const SdcOrderingTask *task, const Datum *values);

#endif							/* SDC_RELATION_ORDERING_H */
