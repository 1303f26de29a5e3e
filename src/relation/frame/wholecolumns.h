/*-------------------------------------------------------------------------
 *
 * wholecolumns.h
 *		What the methods of a release tell about each known column.
 *
 * For wholerelease.c and the files that it uses.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_RELATION_WHOLECOLUMNS_H
#define SDC_RELATION_WHOLECOLUMNS_H

#include "relation/frame/openrelease.h"
#include "relation/frame/wholerelease.h"
#include "relation/read/bins.h"
#include "relation/recode/matrix.h"
#include "relation/recode/rule.h"

/* What was swapped in the place of the values of a column. */
typedef enum SdcSwapped
{
	SDC_SWAPPED_RECORDS,		/* those of records */
	SDC_SWAPPED_UNITS,			/* those of units, which have one */
	SDC_SWAPPED_WHOLE			/* all those of a unit together */
} SdcSwapped;

/* What a known column is to the kernel, before and while both files are read. */
typedef struct SdcKnownColumn
{
	const char *name;
	const SdcStep *step;		/* that has protected it; NULL: it is copied */
	SdcCandidatesKind kind;
	bool		generalized;	/* the release has ranges or sets */
	bool		unreadable;		/* it has something else, which tells nothing */
	bool		moved;			/* its step has moved columns together: the first known one stands for all */
	bool		suppressed;		/* values may have been taken out: nothing that is missing tells anything */
	SdcType		type;			/* of what an intruder knows: the source's values, or what they were recoded to */
	const SdcRule *rule;		/* its hierarchy; NULL: it has none */
	bool		leveled;		/* the release has a level of its hierarchy: */
	uint32		level;
	bool		everything;		/* that is everything */
	bool		averaged;		/* it has averages of groups, and records that miss something are what they were; */
	bool		runs;			/* of its own, so that its windows end at the nearest released values */
	SdcMatrix  *matrix;			/* by which it was drawn; NULL: it was not */
	uint32	   *row;			/* of it, by code */
	SdcNoiseLaw noise;			/* that it has; of no kind: none */
	int			set;			/* RANDOMIZED, JOINT: see candidates.h */
	SdcSwapped	swapped;
	bool		blanks;			/* of what was swapped whole: missing protected values are blanks */
	SdcAttribute *original;
	SdcAttribute *protected;
} SdcKnownColumn;

/* Columns that were swapped together. */
typedef struct SdcSwappedSet
{
	const SdcStep *step;
	List	   *columns;		/* names */
	bool		complement;		/* it is one column, swapped by itself */
} SdcSwappedSet;

/* All of them, while they are read. */
typedef struct SdcWholeLoading
{
	const SdcWholeRequest *request;
	SdcWholeRelease *whole;
	SdcOpenRelease *opened;
	List	   *steps;
	const SdcUnits *made;		/* the units that the release was made with; NULL: each record was one */
	/* of each of them the least size of the class that it joined (units.h), 0: nobody knows; NULL: by their sizes */
	const uint32 *joined;
	List	   *unit;			/* names of the columns that name those that are looked for; NIL: each record is one */
	bool		other;			/* which are other ones */
	int			count;
	SdcKnownColumn *known;
	SdcKnownColumn *target;		/* or NULL */
	List	   *sets;			/* SdcSwappedSet *, in the order of task.joint */
	List	   *draws;			/* const SdcStep *, in the order of task.draw */
	List	   *classes;		/* SdcUnitColumn *: those with classes (wholeunits.h) */
	SdcCandidatesColumn *column;	/* that of whole->task */
	SdcPairColumn *pair;		/* that of whole->paired, by known column */
} SdcWholeLoading;

/*
 * sdc_wholecolumns_kind decides what a column is, by its step and by the types that it has in source and
 * release.
 */
extern void sdc_wholecolumns_kind(SdcWholeLoading *loading, SdcKnownColumn *known);

/* sdc_wholecolumns_share fills in what a draw of random anonymization does with a column. */
extern void sdc_wholecolumns_share(SdcWholeLoading *loading, int number);

/*
 * sdc_wholecolumns_together fills in how likely a record keeps what its step has moved, for the first column of
 * these.
 */
extern void sdc_wholecolumns_together(SdcWholeLoading *loading, int number);

/* sdc_wholecolumns_bins makes the bins of the sets, from the values of the source. */
extern void sdc_wholecolumns_bins(SdcWholeLoading *loading);

/* sdc_wholecolumns_sound tells whether the right value is in the windows of a step, as far as its reach is known. */
extern bool sdc_wholecolumns_sound(const SdcStep *step, const SdcStepReach *reach);

/* sdc_wholecolumns_windows makes the windows of a column, or of the sums of units; the strata must be there. */
extern void sdc_wholecolumns_windows(SdcWholeLoading *loading, int number);

/* sdc_wholecolumns_runs makes the windows of a column that has averages of its own. */
extern void sdc_wholecolumns_runs(SdcWholeLoading *loading, int number);

/*
 * wholegroups.c: the groups that have the same ranges and sets in all known columns, with these; and the
 * groups within which values were permuted, with their values.
 */
extern void sdc_wholegroups_generalized(SdcWholeLoading *loading);
extern void sdc_wholegroups_permuted(SdcWholeLoading *loading);

/* sdc_wholegroups_target finds the groups within which the target was permuted. */
extern void sdc_wholegroups_target(SdcWholeLoading *loading);

#endif							/* SDC_RELATION_WHOLECOLUMNS_H */
