/*-------------------------------------------------------------------------
 *
 * forms.h
 *		What the functions that protect have in common.
 *
 * Each has a form that takes a table's name, one that takes its OID, and one that takes its row
 * type.  The first two write a release and return what happened to every column;
 * the third returns the protected rows.  Argument 0 is the relation.  Behind a method's own
 * arguments stand, from number first on,
 *		target, key, strata, omit, seed, replace
 * and in the row type form
 *		key, strata, omit, seed
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_SQL_FORMS_H
#define SDC_SQL_FORMS_H

#include "fmgr.h"
#include "method/pipeline.h"

/* sdc_protection_begin starts a form that writes a release. */
extern void sdc_protection_begin(FunctionCallInfo fcinfo, SdcProtection *protection, Oid relid);

/* sdc_protection_to_table does the work, when the method's own arguments are read. */
extern Datum sdc_protection_to_table(FunctionCallInfo fcinfo, SdcProtection *protection,
									 int first);

/* The same for the row type form. */
extern void sdc_protection_begin_rows(FunctionCallInfo fcinfo, SdcProtection *protection);
extern Datum sdc_protection_to_rows(FunctionCallInfo fcinfo, SdcProtection *protection, int first);

#endif							/* SDC_SQL_FORMS_H */
