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

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/table.h"
#include "access/xact.h"
#include "catalog/indexing.h"
#include "catalog/objectaddress.h"
#include "catalog/pg_class.h"
#include "catalog/pg_inherits.h"
#include "commands/seclabel.h"
#include "relation/label.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"

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

/* own_role returns what a column itself is classified as. */
static SdcRole
own_role(Oid relid, AttrNumber number)
{
	ObjectAddress object;
	char	   *label;

	ObjectAddressSubSet(object, RelationRelationId, relid, number);
	label = GetSecurityLabel(&object, PROVIDER);
	return label == NULL ? SDC_ROLE_NONE : find_role(label);
}

/* role_of_parents returns what a column is classified as in the nearest ancestor that says so. */
static SdcRole
role_of_parents(Oid relid, const char *name)
{
	Relation	inherits = table_open(InheritsRelationId, AccessShareLock);
	ScanKeyData key;
	SysScanDesc scan;
	HeapTuple	tuple;
	SdcRole		role = SDC_ROLE_NONE;

	ScanKeyInit(&key, Anum_pg_inherits_inhrelid, BTEqualStrategyNumber, F_OIDEQ,
				ObjectIdGetDatum(relid));
	scan = systable_beginscan(inherits, InheritsRelidSeqnoIndexId, true, NULL, 1, &key);
	while (role == SDC_ROLE_NONE && HeapTupleIsValid(tuple = systable_getnext(scan)))
	{
		Oid			parent = ((Form_pg_inherits) GETSTRUCT(tuple))->inhparent;
		AttrNumber	number = get_attnum(parent, name);

		if (number > 0)
			role = own_role(parent, number);
		if (role == SDC_ROLE_NONE)
			role = role_of_parents(parent, name);
	}
	systable_endscan(scan);
	table_close(inherits, AccessShareLock);
	return role;
}

/* is_identifier_below tells whether a column is an identifier in a partition or child. */
static bool
is_identifier_below(Oid relid, const char *name)
{
	ListCell   *cell;

	if (!has_subclass(relid))
		return false;
	foreach(cell, find_all_inheritors(relid, NoLock, NULL))
	{
		AttrNumber	number = get_attnum(lfirst_oid(cell), name);

		if (number > 0 && own_role(lfirst_oid(cell), number) == SDC_ROLE_IDENTIFIER)
			return true;
	}
	return false;
}

/*
 * sdc_label_get returns what a column is classified as: itself, or in a table that it is inherited
 * from.  What identifies people in a part identifies them in the whole.
 */
SdcRole
sdc_label_get(Oid relid, AttrNumber number)
{
	SdcRole		role = own_role(relid, number);
	char	   *name = get_attname(relid, number, false);

	if (role == SDC_ROLE_NONE && is_identifier_below(relid, name))
		role = SDC_ROLE_IDENTIFIER;
	if (role == SDC_ROLE_NONE && get_rel_relkind(relid) != RELKIND_VIEW)
		role = role_of_parents(relid, name);
	return role;
}
