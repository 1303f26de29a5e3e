/*-------------------------------------------------------------------------
 *
 * steps.h
 *		The steps that a release was made in: which method has protected which columns.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_RELATION_STEPS_H
#define SDC_RELATION_STEPS_H

#include "relation/catalog/catalog.h"
#include "relation/catalog/methods.h"
#include "relation/catalog/parameters.h"

/* One of them; lists are of char *, in the order in which they were named. */
typedef struct SdcStep
{
	const SdcMethod *method;	/* its name is NULL where another tool has protected the columns */
	const char *method_name;
	SdcParameters *parameters;	/* of the method */
	List	   *columns;		/* that it has protected */
	List	   *again;			/* that another step has protected before, and this one too: it has suppressed values */
	List	   *recoded;		/* of a recoding: columns that another step has protected then, as recoded */
	List	   *relabelled;		/* columns that have something else than values of the source's types */
	List	   *alone;			/* of them, those that it has not swapped jointly with the others */
	List	   *qi;				/* what it took as such */
	List	   *sensitive;
} SdcStep;

/* How far the method of a step moves a value, as far as that is known. */
typedef struct SdcStepReach
{
	bool		known;
	double		percent;		/* of the ranks */
	double		buckets;		/* or, where above 0, a number of buckets */
	bool		continued;		/* pairs that were made by it are kept, and may be further apart by now */
	double		largest;		/* percent of the ranks: the most that a value is away, where that is known */
} SdcStepReach;

/*
 * sdc_steps_of returns the steps of a release, a list of SdcStep *, in the current memory context.  Every
 * protected column is in one of them; a release of one method has one step.
 */
extern List *sdc_steps_of(const SdcReleaseRow *row);

/* sdc_steps_continued tells whether a release is continued: it has some of its source's records only. */
extern bool sdc_steps_continued(const SdcReleaseRow *row);

/*
 * sdc_steps_find returns the step that has protected a column, NULL if none has.  Of a column that was recoded
 * before, it is the step that came then; sdc_steps_recoding returns the recoding of a column, whether or not one
 * came.
 */
extern const SdcStep *sdc_steps_find(List *steps, const char *column);
extern const SdcStep *sdc_steps_recoding(List *steps, const char *column);

/* sdc_steps_with_groups returns the step that has made groups, NULL if none has. */
extern const SdcStep *sdc_steps_with_groups(List *steps);

/* sdc_steps_only returns the step of a method, NULL if there is none, or another one of the same method. */
extern const SdcStep *sdc_steps_only(List *steps, const char *method_name);

/*
 * sdc_steps_randomized returns the only step by which columns get values from their distributions, random
 * anonymization or PRAM; NULL if there is none, or several.
 */
extern const SdcStep *sdc_steps_randomized(List *steps);

/* sdc_steps_suppressed tells whether a column has values that may have been suppressed. */
extern bool sdc_steps_suppressed(List *steps, const char *column);

/* sdc_steps_in_classes tells whether units swap by a step within classes of about one size. */
extern bool sdc_steps_in_classes(const SdcStep *step);

/* sdc_steps_unit_class is how many units the classes of a step have at least, in which units of about one size swap. */
extern uint32 sdc_steps_unit_class(const SdcStep *step);

/* sdc_steps_in_runs tells whether a step that averages has made groups of each column: they are runs of its values. */
extern bool sdc_steps_in_runs(const SdcStep *step);

/*
 * sdc_steps_reach finds the reach of a step: for releases of sdc, and for those registered under the name of a method
 * of sdc with its parameters.
 */
extern SdcStepReach sdc_steps_reach(const SdcStep *step);

/*
 * sdc_steps_window returns the window of a reach, in positions among some values: all where it is not known.  A sound
 * one has the right value in it: for a release that is continued it is half as wide again, or as wide as its largest
 * distance, if that is more.
 */
extern uint32 sdc_steps_window(const SdcStepReach *reach, bool sound, uint32 values);

/* sdc_steps_keeps tells whether a release has values of the source's type in a column of a step; NULL: it is copied. */
extern bool sdc_steps_keeps(const SdcStep *step, const char *column);

/* sdc_steps_value_columns returns the protected columns that have values of the source's types in the release. */
extern List *sdc_steps_value_columns(const SdcReleaseRow *row);

/*
 * sdc_steps_linked_columns returns these, and those whose values were recoded to ones of another type and then
 * protected as these are: an intruder who knows a value recodes it himself, and links what he gets.
 */
extern List *sdc_steps_linked_columns(const SdcReleaseRow *row);

#endif							/* SDC_RELATION_STEPS_H */
