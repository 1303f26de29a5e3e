/*-------------------------------------------------------------------------
 *
 * label.c
 *		What columns are classified as.
 *
 * A classification is a security label of the column, of the provider "sdc".  So it
 * follows the column through renames, goes with it, and is dumped and restored,
 * all by the server.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/xact.h"
#include "catalog/objectaddress.h"
#include "catalog/pg_class.h"
#include "commands/seclabel.h"
#include "relation/label.h"

#define PROVIDER "sdc"

/* The words for the roles, in the order of SdcRole without the first. */
static const char *const role_names[] = {
	"identifier", "quasi-identifier", "sensitive", "public"
};

/* find_role returns the role of a word, or SDC_ROLE_NONE. */
static SdcRole
find_role(const char *name)
{
	for (int i = 0; i < (int) lengthof(role_names); i++)
		if (strcmp(name, role_names[i]) == 0)
			return (SdcRole) (i + 1);
	return SDC_ROLE_NONE;
}

/* sdc_label_check raises an error for a word that is not a role. */
void
sdc_label_check(const char *role)
{
	if (find_role(role) == SDC_ROLE_NONE)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("role \"%s\" does not exist", role),
				 errhint("A column is an identifier, quasi-identifier, sensitive or public; null takes a classification back.")));
}

/*
 * check_relabel is called for SECURITY LABEL FOR sdc.  The server has checked that the
 * caller owns the object.
 */
static void
check_relabel(const ObjectAddress *object, const char *label)
{
	if (object->classId != RelationRelationId || object->objectSubId == 0)
		ereport(ERROR,
				(errcode(ERRCODE_WRONG_OBJECT_TYPE),
				 errmsg("only columns can be classified")));
	if (label != NULL)
		sdc_label_check(label);
}

/* sdc_label_init makes the provider known to the server. */
void
sdc_label_init(void)
{
	register_label_provider(PROVIDER, check_relabel);
}

/* sdc_label_set classifies a column. */
void
sdc_label_set(Oid relid, AttrNumber number, const char *role)
{
	ObjectAddress object;

	ObjectAddressSubSet(object, RelationRelationId, relid, number);
	SetSecurityLabel(&object, PROVIDER, role);
	CommandCounterIncrement();
}

/* sdc_label_get returns what a column is classified as. */
SdcRole
sdc_label_get(Oid relid, AttrNumber number)
{
	ObjectAddress object;
	char	   *label;

	ObjectAddressSubSet(object, RelationRelationId, relid, number);
	label = GetSecurityLabel(&object, PROVIDER);
	return label == NULL ? SDC_ROLE_NONE : find_role(label);
}
