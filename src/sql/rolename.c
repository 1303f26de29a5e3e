/*-------------------------------------------------------------------------
 *
 * rolename.c
 *		Type sdc_private.role_name: a role in a table of the extension, which goes into a dump by its name.
 *
 * It is the OID of a role, so that renaming the role leaves rows as they are.  Another cluster has other OIDs, and a
 * number of a dump can be that of somebody else there: text is the name alone, as an owner of a table is in a dump.
 * A role that does not exist is no error, which would end the restore of a table, but another value, of no role.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"
#include "sql/call.h"
#include "utils/acl.h"
#include "utils/builtins.h"

SDC_ANY_VERSION(sdc_private_role_name_in);	/* also in a dump and a restore */
SDC_ANY_VERSION(sdc_private_role_name_out);

/* How no role is written, which is a function of the extension where a row has a writer; dumps had the number. */
#define NONE "-"
#define NONE_AS_NUMBER "0"

/*
 * A role that does not exist here: the OID that every cluster has for database template1.  OIDs below 10000 are given
 * by hand, each once among all catalogs, and a cluster gives roles none below 16384.
 */
#define ELSEWHERE 1
#define ELSEWHERE_AS_TEXT "?"

/* What a name has that is written without quotes. */
#define PLAIN "abcdefghijklmnopqrstuvwxyz_0123456789"

/*
 * name_of returns the name that is written as the server quotes it, or NULL where the text is none.  A number without
 * quotes is none: who has that name is written with them.
 */
static const char *
name_of(const char *text)
{
	char	   *name = palloc(strlen(text) + 1);
	char	   *end = name;

	if (text[0] != '"')
		return strspn(text, PLAIN) == strlen(text) && (text[0] < '0' || text[0] > '9') ? text : NULL;
	for (text++; text[0] != '\0' && (text[0] != '"' || *++text == '"'); text++)
		*end++ = text[0];
	*end = '\0';
	return text[0] == '\0' ? name : NULL;
}

/*
 * sdc_private.role_name_in(cstring) RETURNS sdc_private.role_name
 *
 * sdc_private.role_name_in finds the role of a name.
 */
Datum
sdc_private_role_name_in(PG_FUNCTION_ARGS)
{
	const char *text = PG_GETARG_CSTRING(0);
	const char *name = name_of(text);
	Oid			role = name == NULL ? InvalidOid : get_role_oid(name, true);

	if (strcmp(text, NONE) == 0 || strcmp(text, NONE_AS_NUMBER) == 0)
		PG_RETURN_OID(InvalidOid);
	PG_RETURN_OID(OidIsValid(role) ? role : ELSEWHERE);
}

/*
 * sdc_private.role_name_out(sdc_private.role_name) RETURNS cstring
 *
 * sdc_private.role_name_out returns the name of a role, quoted where it must be.  One that was dropped does not exist
 * either: its number is not told, which could be another role's in time.
 */
Datum
sdc_private_role_name_out(PG_FUNCTION_ARGS)
{
	Oid			role = PG_GETARG_OID(0);
	const char *name = OidIsValid(role) ? GetUserNameFromId(role, true) : NULL;

	if (!OidIsValid(role))
		PG_RETURN_CSTRING(pstrdup(NONE));
	PG_RETURN_CSTRING(pstrdup(name == NULL ? ELSEWHERE_AS_TEXT : quote_identifier(name)));
}
