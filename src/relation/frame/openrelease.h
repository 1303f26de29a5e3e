/*-------------------------------------------------------------------------
 *
 * openrelease.h
 *		A release and its source, opened for an evaluation.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_RELATION_OPENRELEASE_H
#define SDC_RELATION_OPENRELEASE_H

#include "relation/base/compat.h"
#include "relation/base/memory.h"
#include "relation/catalog/catalog.h"
#include "relation/column/paircodes.h"
#include "relation/frame/frame.h"
#include "relation/read/source.h"

/* How the argument weight of a call is, where there is one. */
typedef struct SdcWeightRequest
{
	bool		wanted;			/* what is measured can be weighted */
	bool		given;			/* otherwise it is as the release has it */
	const char *name;			/* NULL: none */
} SdcWeightRequest;

/* The weights of records, and where there are some the units that these are about. */
typedef struct SdcRecordWeights
{
	const double *of[2];		/* in the source and in the release, or NULL */
	const uint32 *unit;			/* or NULL: each record is one */
	uint32		units;
} SdcRecordWeights;

typedef struct SdcOpenRelease
{
	SdcReleaseRow row;			/* what the catalog knows of the release */
	char	   *name;			/* of the release */
	Oid			catalog_schema;
	bool		unnamed;		/* the caller has not named the release */
	bool		confirming;		/* the source is what it is, whatever the checksum says */
	bool		with_strata;	/* set by who wants the strata of the source found again */
	const char *weight;			/* set by sdc_openrelease_weigh: the column of the source, or NULL */
	bool		has_units;		/* set by a caller that has units of its own for it */
	/* set by an attack: columns of the source have what a recoding made of them, and their values as before */
	bool		recoded;
	ResourceOwner owner;		/* of the files, or NULL */
	SdcFrame   *frame;			/* that it is in; NULL: it is read */
	/* set by sdc_openrelease_plan */
	SdcSource  *source;
	SdcSource  *release;
	/* set by sdc_openrelease_read, but not of what is in a frame */
	SdcSpool   *spools[2];		/* one for each: a reading that begins again empties its own */
	MemoryContext work;			/* set by sdc_openrelease_load: of the reading */
} SdcOpenRelease;

/*
 * sdc_openrelease_find finds a release and insists that the caller may read it and its source, and
 * that both have their columns.  unnamed: the caller has not named the release, so whoever
 * registered it must not get to run functions with the caller's rights.
 */
extern SdcOpenRelease *sdc_openrelease_find(Oid catalog_schema, Oid release, bool unnamed);

/*
 * sdc_openrelease_frame reads a release and its source whole: what a measure can ask of either.  Its context is one of
 * the current memory context, and its files last as long as owner.
 */
extern SdcFrame *sdc_openrelease_frame(Oid catalog_schema, Oid release, ResourceOwner owner);

/* sdc_openrelease_get does so, or opens a release that is in a frame unless that is NULL: reading it reads nothing. */
extern SdcOpenRelease *sdc_openrelease_get(Oid catalog_schema, Oid release, SdcFrame *frame, bool unnamed);

/*
 * sdc_openrelease_rule returns the rule by which a column of the source was recoded first, whatever came then, in the
 * current memory context; NULL: it was not, or unknown is set as nothing tells how.
 */
extern struct SdcRule *sdc_openrelease_rule(const SdcOpenRelease *opened, const char *name, bool *unknown);

/* sdc_openrelease_unrecode gives a column of the source that was read its values back, where it keeps its type. */
extern void sdc_openrelease_unrecode(SdcAttribute *attribute);

/* sdc_openrelease_type returns the type that a column has in the release, InvalidOid without the column. */
extern Oid	sdc_openrelease_type(const SdcOpenRelease *opened, const char *name);

/* sdc_openrelease_find_named returns the number of a column of the source that is named in an argument, and no key. */
extern AttrNumber sdc_openrelease_find_named(const SdcOpenRelease *opened, const char *name, const char *argument);

/* sdc_openrelease_in_order returns columns of the source in its order, each once: however they are named. */
extern List *sdc_openrelease_in_order(const SdcOpenRelease *opened, const List *names);

/*
 * sdc_openrelease_codes gives the values of an attribute in both files common codes, and their columns back.
 * values, unless NULL, are those behind the codes.
 *
 * Missing codes have no numbers.  With state, which is not given together with values, the column has NULL in their
 * place, and state has which of them a record has (missing.h), or nothing where the column has no missing codes.
 */
extern void sdc_openrelease_codes(SdcOpenRelease *opened, SdcAttribute *original, SdcAttribute *protected,
								  SdcArena *arena, SdcPairColumn *result, SdcCodedValues *values,
								  SdcPairColumn *state);

/* sdc_openrelease_numbers does so with NULL in the place of missing codes, where nobody asks which of them it is. */
extern void sdc_openrelease_numbers(SdcOpenRelease *opened, SdcAttribute *original, SdcAttribute *protected,
									SdcArena *arena, SdcPairColumn *result);

/*
 * sdc_openrelease_suppress has released values without a number (NaN, infinity) count as missing if they stand in the
 * place of others.
 */
extern void sdc_openrelease_suppress(const SdcOpenRelease *opened, const char *name, SdcPairColumn *column);

/*
 * sdc_openrelease_check_copied insists that a column that sdc has copied into the release, of which these are the
 * codes in both files, has the values of the source.  The checksum is of the protected columns only.  A value that the
 * release lacks was suppressed after the release was made, and passes.
 */
extern void sdc_openrelease_check_copied(const SdcOpenRelease *opened, const char *name, const uint32 *original,
										 const uint32 *protected, uint64 records);

/*
 * sdc_openrelease_find_restored finds a release of the caller's, the checksum of whose source
 * may be another's.
 */
extern SdcOpenRelease *sdc_openrelease_find_restored(Oid catalog_schema, Oid release);

/*
 * sdc_openrelease_check_unchanged reads a release and its source for nothing but to see that they
 * are what they were.
 */
extern void sdc_openrelease_check_unchanged(SdcOpenRelease *opened);

/*
 * sdc_openrelease_same_keys tells whether two relations that were read have the same keys,
 * record by record.
 */
extern bool sdc_openrelease_same_keys(const SdcSource *source, const SdcSource *release);

/* sdc_openrelease_check_values insists on columns that can be measured: not on ranges and sets alone. */
extern void sdc_openrelease_check_values(const SdcOpenRelease *opened, const List *columns);

/*
 * sdc_openrelease_plan plans the reading: of the source key and protected columns and also others, of the release the
 * key and named columns.
 */
extern void sdc_openrelease_plan(SdcOpenRelease *opened, List *source_also, List *release_columns);

/* sdc_openrelease_attribute returns the attribute of a planned relation with a name. */
extern SdcAttribute *sdc_openrelease_attribute(SdcSource *source, const char *name);

/*
 * sdc_openrelease_weigh decides, before the plan, by which column records are weighted: the one that is asked for; the
 * one that a release was made with; that which the source of another tool's release has classified as weight.
 */
extern void sdc_openrelease_weigh(SdcOpenRelease *opened, const SdcWeightRequest *request);

/*
 * sdc_openrelease_weights returns the weights of the records in both files, when these were read, in the current memory
 * context; NULL without.  A release that has no such column has the weights of its source.
 */
extern void sdc_openrelease_weights(const SdcOpenRelease *opened, SdcRecordWeights *weights);

/* sdc_openrelease_read reads both relations. */
extern void sdc_openrelease_read(SdcOpenRelease *opened);
extern void sdc_openrelease_close(SdcOpenRelease *opened);

/*
 * sdc_openrelease_load reads both for a measure that takes what it needs of them, in the current memory context, until
 * sdc_openrelease_end gives back what the reading took.
 */
extern void sdc_openrelease_load(SdcOpenRelease *opened);
extern void sdc_openrelease_end(SdcOpenRelease *opened);

/* sdc_openrelease_refuse_type raises an error about a column whose type is another one by now. */
sdc_noreturn extern void sdc_openrelease_refuse_type(const SdcOpenRelease *opened);

/* sdc_openrelease_refuse raises an error about what has changed since the release was made. */
sdc_noreturn extern void sdc_openrelease_refuse(const char *message);

#endif							/* SDC_RELATION_OPENRELEASE_H */
