/*-------------------------------------------------------------------------
 *
 * stored.h
 *		What the views over all releases show: what is kept of a release, or what is measured now.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_SQL_STORED_H
#define SDC_SQL_STORED_H

#include "datatype/timestamp.h"
#include "fmgr.h"
#include "relation/frame/evaluations.h"
#include "utils/jsonb.h"

typedef enum SdcStoredAnswer
{
	SDC_STORED_NOTHING,			/* the caller may not read the release or its source */
	SDC_STORED_SHOW,			/* what is kept */
	SDC_STORED_MEASURE,			/* nothing is kept, and it is small: it is measured now */
	SDC_STORED_PROBLEM			/* nothing is kept, and it is not small; or something is wrong */
} SdcStoredAnswer;

typedef struct SdcStored
{
	SdcStoredAnswer answer;
	TimestampTz at;
	Jsonb	   *measures;
	char	   *problem;		/* NULL, or why it is not what the release is now */
	char	   *other;			/* the problem where it was measured by other settings; NULL: it is small */
} SdcStored;

/* sdc_stored_check decides about the release in argument 0, which the caller has not named. */
extern void sdc_stored_check(FunctionCallInfo fcinfo, SdcStored *stored);

/* sdc_stored_kept returns what is kept of a release that the caller has named, or NULL where it is no more true. */
extern Jsonb *sdc_stored_kept(Oid release, bool only_release);

/*
 * sdc_stored_part returns a part of the measures, an object, or NULL; of the rows that it has, the one of an
 * index, or NULL behind the last one.
 */
extern JsonbContainer *sdc_stored_part(const SdcStored *stored, const char *part);
extern JsonbContainer *sdc_stored_row(JsonbContainer *part, int index);

/*
 * sdc_stored_setting is told a setting, and a part that is kept with the one of then: where they differ, what is small
 * is measured now, so that releases are comparable, and of what is not the problem says so.
 */
extern void sdc_stored_setting(SdcStored *stored, const char *part, const char *name, double setting);

/* sdc_stored_whole makes a whole number of one, not above an end. */
extern int64 sdc_stored_whole(double value, int64 end);

/* sdc_stored_problem returns the problem of a row: that of all, or of one of its parts, or NULL. */
extern char *sdc_stored_problem(const SdcStored *stored, const char *part);

/*
 * sdc_stored_put_rest fills in the last columns of a view: the problem of a part, and when the release was evaluated.
 * sdc_stored_put_problem puts a row that has only a problem, behind so many NULLs, of a function with so many columns.
 */
extern void sdc_stored_put_rest(const SdcStored *stored, const char *problem, Datum *values, bool *nulls);
extern void sdc_stored_put_problem(FunctionCallInfo fcinfo, const SdcStored *stored, const char *problem, int before,
								   int columns);

/*
 * sdc_stored_put_answer puts the rows of a release by functions for what is kept and for what is measured now, or a
 * row with the problem.
 */
typedef void (*SdcStoredPut) (FunctionCallInfo fcinfo, const SdcStored *stored);
extern void sdc_stored_put_answer(FunctionCallInfo fcinfo, const SdcStored *stored, SdcStoredPut put_kept,
								  SdcStoredPut put_now, int before, int columns);

#endif							/* SDC_SQL_STORED_H */
