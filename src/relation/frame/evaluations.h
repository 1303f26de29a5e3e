/*-------------------------------------------------------------------------
 *
 * evaluations.h
 *		The evaluations of releases that are kept.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_RELATION_EVALUATIONS_H
#define SDC_RELATION_EVALUATIONS_H

#include "access/htup.h"
#include "datatype/timestamp.h"
#include "relation/read/fingerprint.h"
#include "utils/jsonb.h"
#include "utils/relcache.h"

/* The version of the definitions of the measures, raised when one of them changes. */
#define SDC_EVALUATIONS_VERSION "2"

/* The columns of the table, as in the install script. */
typedef enum SdcEvaluationColumn
{
	SDC_EVALUATION_RELEASE = 1,
	SDC_EVALUATION_ROW_TYPE,
	SDC_EVALUATION_AT,
	SDC_EVALUATION_BY,
	SDC_EVALUATION_VERSION,
	SDC_EVALUATION_KNOWN,
	SDC_EVALUATION_SAMPLE,		/* records; 0: all */
	SDC_EVALUATION_SOURCE_COLUMNS,	/* that the states are of */
	SDC_EVALUATION_RELEASE_COLUMNS,
	SDC_EVALUATION_SOURCE_STATE,	/* sealed (seal.h) */
	SDC_EVALUATION_RELEASE_STATE,
	SDC_EVALUATION_SOURCE_PAGES,	/* the same of their pages; empty: they do not tell */
	SDC_EVALUATION_RELEASE_PAGES,
	SDC_EVALUATION_MEASURES,
	SDC_EVALUATION_WRITTEN_BY
} SdcEvaluationColumn;

#define SDC_EVALUATION_COLUMN_COUNT SDC_EVALUATION_WRITTEN_BY

/* What is looked at of a release and its source, and what it was: [0] is the source, [1] the release. */
typedef struct SdcEvaluated
{
	SdcReleaseRow row;
	List	   *columns[2];
	SdcFingerprint	shape[2];
	SdcFingerprint	state[2];
	bool		has_pages[2];
	SdcFingerprint	pages[2];
} SdcEvaluated;

/*
 * sdc_evaluations_begin notes what a release is before it is evaluated, and insists that the caller may keep what is
 * found: he owns the release.  sdc_evaluations_put keeps it, under the same snapshot, if all is still the same.
 */
extern void sdc_evaluations_begin(Oid schema, Oid release, SdcEvaluated *evaluated);
extern void sdc_evaluations_put(Oid schema, SdcEvaluated *evaluated, List *known, int64 sample, Jsonb *measures);

/* An evaluation that is kept; lists are of char *. */
typedef struct SdcKeptEvaluation
{
	TimestampTz at;
	char	   *version;
	Jsonb	   *measures;
	bool		ours;			/* it was not restored */
	List	   *known;			/* the columns that the intruders knew, */
	bool		known_given;	/* and whether they were named, or are what leaves */
	List	   *columns[2];
	uint8		seal[2][SDC_SEAL_BYTES];
	uint8		pages[2][SDC_SEAL_BYTES];
} SdcKeptEvaluation;

/* sdc_evaluations_get finds what is kept of a release, into the current memory context. */
extern bool sdc_evaluations_get(Oid schema, Oid release, SdcKeptEvaluation *kept);

/* sdc_evaluations_mark returns what no other evaluation has, of this release or another: its seal has a nonce. */
extern char *sdc_evaluations_mark(const SdcKeptEvaluation *kept);

/* sdc_evaluations_number finds a number of the object that was measured, see sdc_evaluate; false: there is none. */
extern bool sdc_evaluations_number(JsonbContainer *object, const char *name, double *value);

/* sdc_evaluations_judged returns what a limit of a measure is held against; NAN: it is not defined. */
extern double sdc_evaluations_judged(const SdcKeptEvaluation *kept, const char *measure);

/* sdc_evaluations_may_read tells whether the caller may read all that it was made from. */
extern bool sdc_evaluations_may_read(const SdcReleaseRow *row, const SdcKeptEvaluation *kept);

/*
 * sdc_evaluations_problem reads release and source, and returns NULL where both are what they were, or what is
 * wrong with what is kept.  unnamed: see trust.h.  only_release: the source may have changed.
 */
extern char *sdc_evaluations_problem(Oid schema, const SdcReleaseRow *row, const SdcKeptEvaluation *kept,
									 bool unnamed, bool only_release);

/*
 * sdc_evaluations_unchanged tells whether what is kept would be the same again, of an evaluation that has begun with
 * the same arguments: it reads release and source.
 */
extern bool sdc_evaluations_unchanged(Oid schema, const SdcEvaluated *evaluated, const SdcKeptEvaluation *kept);

/* sdc_evaluations_restore returns a row that somebody adds, or NULL where its release is gone. */
extern HeapTuple sdc_evaluations_restore(HeapTuple row, Relation table);

#endif							/* SDC_RELATION_EVALUATIONS_H */
