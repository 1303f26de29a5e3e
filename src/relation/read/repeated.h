/*-------------------------------------------------------------------------
 *
 * repeated.h
 *		The warning about people who have several records, where each record counts as somebody else.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_RELATION_REPEATED_H
#define SDC_RELATION_REPEATED_H

#include "postgres_ext.h"

/*
 * sdc_repeated_warn warns of a relation whose records are to be units, if columns that are classified as identifier or
 * unit have a value twice.  The columns are read as the caller would read them; what he may not read, and what cannot
 * be read, is passed over.  A statement warns once of a relation.  unnamed: the caller has not named the relation.
 */
extern void sdc_repeated_warn(Oid relid, bool unnamed);

/* sdc_repeated_forget has the statement warn once more: of another run of a policy. */
extern void sdc_repeated_forget(void);

#endif							/* SDC_RELATION_REPEATED_H */
