/*-------------------------------------------------------------------------
 *
 * label.h
 *		What columns are classified as.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_RELATION_LABEL_H
#define SDC_RELATION_LABEL_H

#include "access/attnum.h"

typedef enum SdcRole
{
	SDC_ROLE_NONE,
	SDC_ROLE_IDENTIFIER,
	SDC_ROLE_QUASI_IDENTIFIER,
	SDC_ROLE_SENSITIVE,
	SDC_ROLE_PUBLIC
} SdcRole;

/* sdc_label_init makes the provider known to the server. */
extern void sdc_label_init(void);

/* sdc_label_check raises an error for a word that is not a role. */
extern void sdc_label_check(const char *role);

/* sdc_label_set classifies a column; NULL takes a classification back. */
extern void sdc_label_set(Oid relid, AttrNumber number, const char *role);

/* sdc_label_get returns what a column is classified as. */
extern SdcRole sdc_label_get(Oid relid, AttrNumber number);

#endif							/* SDC_RELATION_LABEL_H */
