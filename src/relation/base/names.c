/*-------------------------------------------------------------------------
 *
 * names.c
 *		Lists of the names of columns (char *).
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "relation/base/names.h"
#include "utils/json.h"

/* sdc_names_index returns the place of a name in a list. */
int
sdc_names_index(const List *names, const char *name)
{
	ListCell   *cell;

	foreach(cell, names)
		if (strcmp(lfirst(cell), name) == 0)
			return foreach_current_index(cell);
	return -1;
}

/* sdc_names_have tells whether a list has a name. */
bool
sdc_names_have(const List *names, const char *name)
{
	return sdc_names_index(names, name) >= 0;
}

/* sdc_names_add: see names.h. */
List *
sdc_names_add(List *names, const char *name)
{
	return sdc_names_have(names, name) ? names : lappend(names, pstrdup(name));
}

/* sdc_names_without returns the names of one list that are not in another. */
List *
sdc_names_without(const List *names, const List *others)
{
	List	   *rest = NIL;
	ListCell   *cell;

	foreach(cell, names)
		if (!sdc_names_have(others, lfirst(cell)))
			rest = lappend(rest, lfirst(cell));
	return rest;
}

/* sdc_names_equal tells whether two lists have the same names in the same order. */
bool
sdc_names_equal(const List *a, const List *b)
{
	ListCell   *left;
	ListCell   *right;

	if (list_length(a) != list_length(b))
		return false;
	forboth(left, a, right, b)
		if (strcmp(lfirst(left), lfirst(right)) != 0)
			return false;
	return true;
}

/* sdc_names_check_roles: a group would have one value of a column that were both. */
void
sdc_names_check_roles(const List *qi, const List *sensitive)
{
	ListCell   *cell;

	foreach(cell, sensitive)
		if (sdc_names_have(qi, lfirst(cell)))
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("column \"%s\" cannot be both a quasi-identifier and sensitive",
							(char *) lfirst(cell)),
					 errhint("Name it in one of the arguments \"qi\" and \"sensitive\".")));
}

/* sdc_names_append_json: see names.h. */
void
sdc_names_append_json(StringInfo json, const List *names)
{
	ListCell   *cell;

	appendStringInfoChar(json, '[');
	foreach(cell, names)
	{
		appendStringInfoString(json, foreach_current_index(cell) == 0 ? "" : ", ");
		escape_json(json, lfirst(cell));
	}
	appendStringInfoChar(json, ']');
}
