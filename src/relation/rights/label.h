/*-------------------------------------------------------------------------
 *
 * label.h
 *		What columns are classified as, themselves or where they come from.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_RELATION_LABEL_H
#define SDC_RELATION_LABEL_H

#include "access/attnum.h"
#include "nodes/pg_list.h"

typedef enum SdcRole
{
	SDC_ROLE_NONE,
	SDC_ROLE_IDENTIFIER,
	SDC_ROLE_QUASI_IDENTIFIER,
	SDC_ROLE_SENSITIVE,
	SDC_ROLE_PUBLIC,
	SDC_ROLE_UNIT,				/* names the unit that a record is about, alone or with others */
	SDC_ROLE_WEIGHT				/* says how many of the population a record stands for */
} SdcRole;

/* sdc_label_init makes the provider known to the server. */
extern void sdc_label_init(void);

/* sdc_label_check raises an error for a word that is not a role. */
extern void sdc_label_check(const char *role);

/* sdc_label_set classifies a column; NULL takes a classification back. */
extern void sdc_label_set(Oid relid, AttrNumber number, const char *role);

/*
 * sdc_label_roles returns what the columns of a relation are classified as, themselves or where they come from, by
 * their numbers less one; in the current memory context.  count, if it is not NULL, is set to how many there are.
 */
extern SdcRole *sdc_label_roles(Oid relid, int *count);

/* sdc_label_columns lists the names (char *) of the columns of a relation that have a role, in their order. */
extern List *sdc_label_columns(Oid relid, SdcRole role);

/* sdc_label_role_name is the word for a role, NULL for none. */
extern const char *sdc_label_role_name(SdcRole role);

#endif							/* SDC_RELATION_LABEL_H */
