/*-------------------------------------------------------------------------
 *
 * step.h
 *		What a protection is asked to do: the steps of its methods.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_METHOD_STEP_H
#define SDC_METHOD_STEP_H

#include "relation/base/random.h"
#include "relation/catalog/methods.h"
#include "relation/frame/turnover.h"
#include "relation/read/source.h"
#include "relation/write/release.h"

/* What is to be said of a column that keeps its values in half of the records or more. */
typedef enum SdcChanges
{
	SDC_CHANGES_MOST,			/* a warning: it is hardly protected */
	SDC_CHANGES_SOME,			/* a notice, as the method changes few values in any case; a warning if none did */
	SDC_CHANGES_DRAWN,			/* a notice: the caller has said how many change */
	SDC_CHANGES_GROUPED,		/* nothing, as its groups protect it, or few are to change; a warning if none did */
	SDC_CHANGES_ANY				/* nothing: the method does not protect by changing values */
} SdcChanges;

/* With whom a unit exchanges values of columns in which its records agree. */
typedef enum SdcUnitSize
{
	SDC_UNIT_SIZE_EQUAL,		/* units with about as many records */
	SDC_UNIT_SIZE_ANY
} SdcUnitSize;

/* sdc_unitsize_name is the word for it. */
static inline const char *
sdc_unitsize_name(SdcUnitSize size)
{
	return size == SDC_UNIT_SIZE_ANY ? "any" : "equal";
}

/* How columns are swapped in which the records of a unit differ. */
typedef enum SdcUnitRows
{
	SDC_UNIT_ROWS_DEFAULT,		/* whole, of a method that can do that */
	SDC_UNIT_ROWS_WHOLE,		/* the values of a unit go together to another one */
	SDC_UNIT_ROWS_EACH			/* each record by itself */
} SdcUnitRows;

struct SdcProtection;
struct SdcContinuing;
struct SdcNight;
struct SdcNightColumn;

/* Called for the original value of a member of a state. */
typedef void (*SdcTakeOriginal) (void *arg, uint32 member, bool valid, Datum value);

/* How many cells a step shows together; see night.h. */
typedef struct SdcLots
{
	uint32		changes;
	uint32		departures;
} SdcLots;

/* What one method is to do in a release. */
typedef struct SdcMethodStep
{
	int			number;			/* of the steps of a protection, from 0: SdcAttribute's step */
	const char *place;			/* in front of the names of its arguments in messages; "" where it is alone */
	const SdcMethod *method;	/* its name names the streams */
	const void *arguments;		/* of the method's own */
	char	   *parameters;		/* JSON, for the catalog; the method may set it when it runs */

	/* the columns that it protects, of char * */
	bool		columns_given;	/* otherwise all numeric ones that nothing else is said of */
	List	   *columns;
	const char *columns_argument;	/* the argument that names them, NULL: "columns" */
	int			columns_of_argument;	/* how many of them, from the first; the others are in: */
	const char *other_argument; /* another one, or NULL: all are in that */
	bool		complement;		/* the other numbers and times as well, each alone */
	bool		breaks_link;	/* quasi-identifiers are safe without being protected themselves */
	bool		numbered;		/* keep those of its columns that have large values as numbers of their distinct ones */
	List	   *read_besides;	/* that it takes without protecting them */
	List	   *relabelled;		/* those that have something else than values of the source's types in the release */
	List	   *qi;				/* what it takes as such */
	List	   *sensitive;
	int			protected_count;	/* set by the plan: columns that it protects */
	bool		quiet;			/* a trial: nothing is told of what it does */

	/* where records are about units (unitsteps.h) */
	SdcUnitSize unit_size;
	SdcUnitRows unit_rows;
	uint32		class_units;	/* units that a class of about the same size has at least; 0: 2 */
	bool		together;		/* its columns are drawn together, so they have one level */
	bool		groups;			/* it makes groups of records, though the release does not number them */

	SdcChanges	changes;
	const char *unchanged_hint; /* what to do about a column few of whose values change */
	/* where the release is continued (night.h) */
	const struct SdcContinuing *continuing; /* NULL: it is not, the step draws anew */
	bool		can_continue;	/* the method can be */
	/*
	 * calls take for the original values of some members of the state, in their order; NULL: all are the first stream
	 * of a column
	 */
	void		(*recall) (const struct SdcNight *night, SdcAttribute *attribute, struct SdcNightColumn *column,
						   const bool *some, SdcSpool *spool, SdcTakeOriginal take, void *arg);
	uint32		default_lot;	/* cells that are shown together unless anything else is asked for */
	SdcLots		lot;			/* what it has come to */
	char	   *own_parameters; /* parameters without what is said of being continued */
	struct SdcNight *night;		/* set when the step runs */
	/* raises an error for parameters that the number of records forbids, or NULL */
	void		(*check_records) (const struct SdcMethodStep *step, uint64 records, const char *of);
	/* replaces the values of its attributes, which are in columns of the spool */
	void		(*protect) (struct SdcMethodStep *step, SdcSource *source, SdcSpool *spool,
							SdcRandom *random);
	/*
	 * of a method that draws each column by itself: what the records of a column get, but for those that keep theirs
	 * (keeps, or NULL: nobody does), which have anything; drawn gets how many were drawn.  NULL: donors give it
	 */
	SdcColumn  *(*draw) (const struct SdcMethodStep *step, SdcAttribute *attribute, SdcColumn *original,
						 const bool *keeps, SdcStream *stream, SdcSpool *spool, uint64 *drawn);
	/* looks at the plan and, unless NULL, the target before any work; or NULL */
	void		(*check_plan) (struct SdcMethodStep *step, SdcSource *source, Oid catalog_schema,
							   SdcTarget *target);
	/* does what is left when the release is written; or NULL */
	void		(*finish) (const struct SdcMethodStep *step, Oid catalog_schema,
						   const SdcTarget *target, Oid release);
} SdcMethodStep;

/* What a protection function was asked to do. */
typedef struct SdcProtection
{
	SdcSourceRequest request;	/* what it says of protected columns comes from the steps */
	Oid			catalog_schema; /* where the extension's catalog is */
	const char *method;			/* relation/catalog/methods.h: names the catalog row and the default target */
	SdcMethodStep *steps;
	int			step_count;
	char	   *seed;			/* or NULL */
	char	   *target;			/* or NULL: the default */
	bool		replace;
	Oid			before;			/* the release to continue, where it is not the target; or InvalidOid */
	/* set when it runs */
	int			draws;			/* as in SdcReleaseRow */
	uint64		draw;
	char	   *drawn_from;
	SdcTurnover turnover;
	bool		skip_unchanged; /* a release that would be the same is not written under another name */
} SdcProtection;

/* sdc_step_is_of tells whether an attribute is protected by a step. */
static inline bool
sdc_step_is_of(const SdcMethodStep *step, const SdcAttribute *attribute)
{
	return attribute->action == SDC_ACTION_PROTECTED && attribute->step == step->number;
}

/* sdc_step_any_continued tells whether some step continues a release. */
static inline bool
sdc_step_any_continued(const SdcProtection *protection)
{
	for (int i = 0; i < protection->step_count; i++)
		if (protection->steps[i].continuing != NULL)
			return true;
	return false;
}

/*
 * sdc_step_within does some work, and puts a place in front of the message of an error about arguments or values.
 */
extern void sdc_step_within(const char *place, void (*work) (void *arg), void *arg);

/* sdc_step_check_continued insists on no average or suppression beside continued steps. */
extern void sdc_step_check_continued(const SdcProtection *protection);

#endif							/* SDC_METHOD_STEP_H */
