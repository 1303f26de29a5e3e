/*-------------------------------------------------------------------------
 *
 * names.h
 *		Lists of the names of columns (char *).
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_RELATION_NAMES_H
#define SDC_RELATION_NAMES_H

#include "lib/stringinfo.h"
#include "nodes/pg_list.h"

/* sdc_names_index returns the place of a name in a list, -1 if it is not there. */
extern int	sdc_names_index(const List *names, const char *name);

/* sdc_names_have tells whether it is there. */
extern bool sdc_names_have(const List *names, const char *name);

/* sdc_names_add appends a copy of a name that a list has not. */
extern List *sdc_names_add(List *names, const char *name);

/* sdc_names_without returns the names of one list that are not in another, in a new list. */
extern List *sdc_names_without(const List *names, const List *others);

/* sdc_names_equal tells whether two lists have the same names in the same order. */
extern bool sdc_names_equal(const List *a, const List *b);

/* sdc_names_check_roles raises an error for a quasi-identifier that is also sensitive. */
extern void sdc_names_check_roles(const List *qi, const List *sensitive);

/* sdc_names_append_json appends names, or other texts, as an array of JSON. */
extern void sdc_names_append_json(StringInfo json, const List *names);

#endif							/* SDC_RELATION_NAMES_H */
