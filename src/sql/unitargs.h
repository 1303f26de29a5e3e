/*-------------------------------------------------------------------------
 *
 * unitargs.h
 *		The arguments that say what the records of a relation are about.
 *
 * They are the last ones of every function that protects,
 *		unit, totals, totals_force, row_level [, unit_size, unit_rows] [, weight] [, weight_group], missing
 * where unit_size and unit_rows are members of the steps of a function that takes several methods.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_SQL_UNITARGS_H
#define SDC_SQL_UNITARGS_H

#include "fmgr.h"
#include "method/step.h"
#include "relation/frame/openrelease.h"

/* Arguments that not all of these functions have. */
#define SDC_UNITARGS_METHOD 1	/* unit_size, unit_rows: those of the only step */
#define SDC_UNITARGS_WEIGHT 2
#define SDC_UNITARGS_GROUP 4	/* weight_group, behind that */

/* sdc_unitargs_read reads them for a protection, some of these among them; they stand before argument number end. */
extern void sdc_unitargs_read(FunctionCallInfo fcinfo, SdcProtection *protection, int some, int end);

/* sdc_unitargs_missing reads which values of columns stand for a missing one, as JSON; NULL: none. */
extern const char *sdc_unitargs_missing(FunctionCallInfo fcinfo, int number);

/* sdc_unitargs_weight reads which column says how many a record stands for, NULL: none; false: nothing is said. */
extern bool sdc_unitargs_weight(FunctionCallInfo fcinfo, int number, const char **weight);

/*
 * sdc_unitargs_counted reads the argument unit of a function that counts records by the columns of an argument, and
 * those of the argument sensitive, or NULL.  It returns columns as sdc_unitcolumns_find.
 */
extern List *sdc_unitargs_counted(FunctionCallInfo fcinfo, int number, Oid relid, List *qi, const char *argument,
								  const char *sensitive);

/* sdc_unitargs_member reads a member of a step that is about units; false: it is another one. */
extern bool sdc_unitargs_member(SdcMethodStep *step, const char *name, const char *text);

/* sdc_unitargs_finish sets what nothing was said of, when the method is known. */
extern void sdc_unitargs_finish(SdcMethodStep *step);

/* sdc_unitargs_weighted reads the argument weight of a function that measures a release. */
extern SdcWeightRequest sdc_unitargs_weighted(FunctionCallInfo fcinfo, int number);

#endif							/* SDC_SQL_UNITARGS_H */
