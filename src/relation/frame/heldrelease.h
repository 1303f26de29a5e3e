/*-------------------------------------------------------------------------
 *
 * heldrelease.h
 *		A release that is in memory, and nowhere else.
 *
 * A source is read once; every release that is made of it on trial has columns of its own for what is
 * protected, and shares all others with it.  Measures take one for a release that was read (openrelease.h).
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_RELATION_HELDRELEASE_H
#define SDC_RELATION_HELDRELEASE_H

#include "relation/catalog/catalog.h"
#include "relation/column/dictionary.h"
#include "relation/read/source.h"

/* What is found out once about a column of the source, for all releases. */
typedef struct SdcHeldColumn
{
	SdcPairColumn pair;			/* its codes; original is NULL as long as nobody has asked */
	SdcDictionary *dictionary;	/* of its values, */
	uint32	   *code;			/* and the code of each number */
} SdcHeldColumn;

/* A source in memory. */
typedef struct SdcHeldSource
{
	MemoryContext context;		/* of all that is found out */
	SdcSource  *source;			/* that was read, with the types of its columns as measures have them */
	SdcHeldColumn *column;		/* of each attribute */
	uint64		memory;			/* bytes that are taken by what was found out */
} SdcHeldSource;

/* A release of it. */
typedef struct SdcHeldRelease
{
	MemoryContext context;		/* of all this */
	SdcReleaseRow row;			/* what the catalog would know of it */
	const char *name;			/* that it would have, for messages */
	SdcHeldSource *held;
	SdcSource  *release;		/* the attributes of the source in their order, with the values of the release,
								 * and behind them the groups, if the method makes some */
	const uint32 **code;		/* of each protected attribute the codes, NULL as long as nobody has asked */
} SdcHeldRelease;

/*
 * sdc_heldsource_create makes one, in the current memory context, of a source that was planned; its columns
 * come with sdc_heldsource_take, when it was read.  They are kept until their spool is destroyed.
 */
extern SdcHeldSource *sdc_heldsource_create(const SdcSource *planned);
extern void sdc_heldsource_take(SdcHeldSource *held, const SdcSource *read);

/* sdc_heldsource_smallest returns the number of records of the smallest stratum, of all without strata. */
extern uint64 sdc_heldsource_smallest(const SdcHeldSource *held);

/*
 * sdc_heldrelease_create makes one, in the current memory context, of what a method has made of a copy of the
 * source that was read.
 */
extern SdcHeldRelease *sdc_heldrelease_create(SdcHeldSource *held, SdcSource *protected);

/* sdc_heldrelease_type returns the type that a column has in the release, InvalidOid without the column. */
extern Oid	sdc_heldrelease_type(const SdcHeldRelease *release, const char *name);

/*
 * sdc_heldrelease_codes gives the values of an attribute in both files common codes: those that
 * sdc_paircodes_columns would give them.  The release has no values but those of the source.
 */
extern void sdc_heldrelease_codes(SdcHeldRelease *release, int attribute, SdcPairColumn *result);

#endif							/* SDC_RELATION_HELDRELEASE_H */
