/*-------------------------------------------------------------------------
 *
 * wholerelease.h
 *		A release and its source by all that an intruder knows: protected and copied columns.
 *
 * Pairings (pairedrelease.h) are of the protected columns, whatever the method; this is of any
 * columns, each with what its method tells about the values that it can have come from.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_RELATION_WHOLERELEASE_H
#define SDC_RELATION_WHOLERELEASE_H

#include "kernel/candidates/unitlinks.h"
#include "relation/catalog/steps.h"
#include "relation/frame/evaluation.h"

typedef struct SdcWholeRequest
{
	Oid			catalog_schema;
	Oid			release;
	SdcFrame   *frame;			/* that the release is in, in the place of both; or NULL */
	bool		unnamed;		/* see openrelease.h */
	bool		keys;			/* the keys are needed as well */
	bool		known_given;	/* otherwise all columns that are neither key nor sensitive or public */
	List	   *known;
	bool		copied_only;	/* only those of them that are copied */
	bool		by_units;		/* the intruder looks for units, where there are some, and knows */
	uint32		known_rows;		/* so many records of each; 0: all */
	bool		unlinked;		/* but not which records of the release belong together */
	bool		unit_given;		/* otherwise the units are those of the release */
	List	   *unit;			/* NIL: each record is one */
	bool		may_be_none;	/* without a known column the release is not read, and has no records */
	bool		wants;			/* the intruder wants to know the values of a column: */
	const char *target;			/* this one; NULL: the only one that is classified as sensitive */
} SdcWholeRequest;

typedef struct SdcWholeRelease
{
	/* what is known, as the kernel wants it */
	SdcCandidatesTask task;
	const char **name;			/* of its columns, in the order of the source's, */
	int			known;			/* which are so many; behind them come their missing codes */
	bool		runs;			/* some column has windows that end at the nearest released values */
	bool		windows;		/* some other one has windows, */
	bool		wide;			/* and those of some column need not contain the right value */
	const char *unsound;		/* the method of that column */
	const SdcInterval **narrow; /* by column: windows that a continued release may have outgrown; NULL without any */

	/* units, if there are any, and if they are looked for what is known of them besides */
	const SdcUnits *units;
	bool		by_units;
	bool		unlinked;
	uint32		known_rows;
	SdcUnitWhole *swapped;		/* columns that were swapped whole */
	int			swapped_count;

	/* the known columns with values in both files are the first of the pairing */
	SdcPairedRelease *paired;
	int			compared;

	SdcPairColumn target;		/* the codes of the target, */
	bool		target_blanks;	/* in which missing released values are blanks (candidates.h), */
	bool		target_permuted;	/* within groups: */
	const uint32 *group;		/* of each record, if something known or wanted was; or NULL */
	uint32		groups;
} SdcWholeRelease;

/*
 * sdc_wholerelease_begin begins an evaluation (evaluation.h) of a release, with a pairing of the
 * known columns, and reads the rest of what is known.  sdc_evaluation_end frees all.
 */
extern SdcWholeRelease *sdc_wholerelease_begin(SdcEvaluation *evaluation,
											   const SdcWholeRequest *request,
											   const SdcSampleRequest *sample);

/*
 * sdc_wholerelease_windows tells whether all that is known are these columns, in this order, and all of them were
 * swapped within windows that the right value is in, without strata, and are not continued.  Nothing is read.
 */
extern bool sdc_wholerelease_windows(const SdcWholeRequest *request, const char *const *name, int count);

/* sdc_wholerelease_check raises the errors about a release, and what is known and wanted of it, before it is read. */
extern void sdc_wholerelease_check(const SdcWholeRequest *request);

#endif							/* SDC_RELATION_WHOLERELEASE_H */
