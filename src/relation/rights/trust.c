/*-------------------------------------------------------------------------
 *
 * trust.c
 *		With whose rights a relation is read.
 *
 * Reading a relation can run code of everybody who owns a part of it (see reach.c).  That code must
 * not run with the rights of somebody who does not trust its owner:
 *
 *	1.	A role trusts itself, superusers, roles that have its rights anyway, and those that
 *		sdc.trusted_owners names.  If it trusts all that is reached, it reads as it is.
 *	2.	Otherwise the relation is read with the rights of its owner, if the owner trusts all that is
 *		reached: code that the owner put there gets what the owner has.  That must not give the
 *		caller more than he has.  So he has the owner's rights, as superusers have, or the
 *		relation is a plain table without row security, of which he may read the columns.
 *	3.	Otherwise it is not read.
 *
 * That the reader is a member of the owner's role is no trust: a person who administers the role
 * makes others its members without asking them.
 *
 * A relation that a superuser has not named himself is not read by the second rule: a look at a view
 * should not even spend time on strangers' code.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "access/relation.h"
#include "access/transam.h"
#include "catalog/pg_class.h"
#include "catalog/pg_proc.h"
#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "relation/base/compat.h"
#include "relation/rights/reach.h"
#include "relation/rights/trust.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/rls.h"
#include "utils/syscache.h"
#include "utils/typcache.h"
#include "utils/varlena.h"

#define TRUST_ALL "*"
#define TRUST_HINT "SET sdc.trusted_owners TO the names of the roles whose code may run with your rights."

char	   *sdc_trusted_owners = NULL;

/*
 * sdc_trust_check_setting refuses what was set for a database: its owner, who can do that, could have
 * everybody trust him.  It is the check hook of the setting.
 */
bool
sdc_trust_check_setting(char **value, void **extra, GucSource source)
{
	List	   *names = NIL;

	(void) extra;
	if (source == PGC_S_DATABASE)
	{
		GUC_check_errdetail("It cannot be set for a database.");
		GUC_check_errhint("Set it in a session, for a role, or in the configuration file.");
		return false;
	}
	if (*value == NULL || SplitIdentifierString(pstrdup(*value), ',', &names))
		return true;
	GUC_check_errdetail("List syntax is invalid.");
	return false;
}

/* is_listed tells whether the setting names a role. */
static bool
is_listed(Oid role)
{
	List	   *names = NIL;
	ListCell   *cell;
	char	   *name = GetUserNameFromId(role, true);
	bool		listed = false;

	if (name == NULL || sdc_trusted_owners == NULL ||
		!SplitIdentifierString(pstrdup(sdc_trusted_owners), ',', &names))
		return false;
	foreach(cell, names)
		if (strcmp(lfirst(cell), name) == 0 || strcmp(lfirst(cell), TRUST_ALL) == 0)
			listed = true;
	list_free(names);
	return listed;
}

/*
 * is_trusted tells whether a reader lets code of an owner run with his rights.  The setting is the
 * caller's word, and counts for him only.
 */
static bool
is_trusted(Oid owner, Oid reader)
{
	return owner == reader || superuser_arg(owner) || has_privs_of_role(owner, reader) ||
		(reader == GetUserId() && is_listed(owner));
}

/* find_stranger returns the first object reached whose owner a reader does not trust, or NULL. */
static const SdcReached *
find_stranger(const SdcReach *reach, Oid reader)
{
	for (int i = 0; i < reach->count; i++)
		if (!is_trusted(reach->object[i].owner, reader))
			return &reach->object[i];
	return NULL;
}

/* sdc_trust_owner: see trust.h. */
Oid
sdc_trust_owner(Oid relid)
{
	HeapTuple	tuple = SearchSysCache1(RELOID, ObjectIdGetDatum(relid));
	Oid			owner;

	if (!HeapTupleIsValid(tuple))
		return InvalidOid;
	owner = ((Form_pg_class) GETSTRUCT(tuple))->relowner;
	ReleaseSysCache(tuple);
	return owner;
}

/* relation_owner insists on one. */
static Oid
relation_owner(Oid relid)
{
	Oid			owner = sdc_trust_owner(relid);

	if (!OidIsValid(owner))
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_TABLE),
				 errmsg("relation with OID %u does not exist", relid)));
	return owner;
}

/* role_name returns the name of a role for a message. */
static const char *
role_name(Oid role)
{
	char	   *name = GetUserNameFromId(role, true);

	return name != NULL ? name : psprintf("%u", role);
}

/*
 * refuse raises the error.  In a query of all releases a lack of rights means that there is
 * nothing to see, and this is something to see.
 */
static void
refuse(Oid relid, const SdcReached *stranger, bool unnamed)
{
	ereport(ERROR,
			(errcode(unnamed ? ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE :
					 ERRCODE_INSUFFICIENT_PRIVILEGE),
			 errmsg("relation \"%s\" is not read: that could run code of role \"%s\" with your rights",
					get_rel_name(relid), role_name(stranger->owner)),
			 errdetail("The role owns %s.", getObjectDescription(&stranger->object, true)),
			 unnamed ?
			 errhint("Evaluate the release by name, which reads a table with its owner's rights, or SET sdc.trusted_owners, if you trust the role.") :
			 errhint(TRUST_HINT)));
}

/* check_schema insists that the caller may use the schema of a relation, which he gave by its OID. */
static void
check_schema(Oid relid, Oid caller)
{
	Oid			schema = get_rel_namespace(relid);

	if (!sdc_has_schema_right(schema, caller, ACL_USAGE))
		aclcheck_error(ACLCHECK_NO_PRIV, OBJECT_SCHEMA, get_namespace_name(schema));
}

/* may_read_as tells whether reading with the owner's rights gives the caller nothing that he has not. */
static bool
may_read_as(Oid relid, Oid owner, Oid caller, const SdcReach *reach, bool unnamed)
{
	/* where policies restrict the owner, he sees less than the caller expects to read */
	if (check_enable_rls(relid, owner, true) == RLS_ENABLED)
		return false;
	if (unnamed && superuser_arg(caller))
		return false;
	return has_privs_of_role(caller, owner) || (reach->plain && !unnamed);
}

/* sdc_trust_reader decides by the rules above. */
Oid
sdc_trust_reader(Oid relid, bool unnamed)
{
	Oid			caller = GetUserId();
	Oid			owner = relation_owner(relid);
	SdcReach   *reach = sdc_reach_find(relid, caller, false);
	const SdcReached *stranger = find_stranger(reach, caller);

	if (stranger == NULL)
		return caller;
	if (!may_read_as(relid, owner, caller, reach, unnamed))
		refuse(relid, stranger, unnamed);
	/* the owner may reach less: policies do not apply to him */
	stranger = find_stranger(sdc_reach_find(relid, owner, false), owner);
	if (stranger != NULL)
		refuse(relid, stranger, unnamed);
	check_schema(relid, caller);
	return owner;
}

/* sdc_trust_require knows no other reader than the caller. */
void
sdc_trust_require(Oid relid)
{
	const SdcReached *stranger = find_stranger(sdc_reach_find(relid, GetUserId(), true), GetUserId());

	if (stranger != NULL)
		refuse(relid, stranger, false);
}

/* refuse_type raises the error about code that a type brings along. */
static void
refuse_type(Oid typid, const SdcReached *stranger, const char *message)
{
	ereport(ERROR,
			(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
			 errmsg_internal(message, format_type_be(typid), role_name(stranger->owner)),
			 errdetail("The role owns %s.", getObjectDescription(&stranger->object, true)),
			 errhint(TRUST_HINT)));
}

/* sdc_trust_values: see trust.h. */
Oid
sdc_trust_values(Oid relid)
{
	Oid			reader = sdc_trust_reader(relid, false);
	Relation	rel;

	if (reader == GetUserId())
	{
		sdc_trust_require(relid);
		return reader;
	}
	rel = relation_open(relid, NoLock);
	for (int i = 0; i < RelationGetDescr(rel)->natts; i++)
	{
		Form_pg_attribute att = TupleDescAttr(RelationGetDescr(rel), i);
		const SdcReached *stranger = att->attisdropped || att->atttypid < FirstNormalObjectId ? NULL :
			find_stranger(sdc_reach_find_type(att->atttypid), GetUserId());

		if (stranger != NULL)
			refuse_type(att->atttypid, stranger,
						"no condition is evaluated on values of type %s: that could run code of role \"%s\" with your rights");
	}
	relation_close(rel, NoLock);
	return reader;
}

/* has_code tells whether an object is a function, or can get one at any time. */
static bool
has_code(const ObjectAddress *object)
{
	return object->classId == ProcedureRelationId ||
		(object->classId == TypeRelationId && get_typtype(object->objectId) == TYPTYPE_DOMAIN);
}

/* sdc_trust_require_input: of types only domains, and what is made of them, run code of their owners. */
void
sdc_trust_require_input(Oid typid)
{
	SdcReach   *reach = sdc_reach_find_type(typid);

	for (int i = 0; i < reach->count; i++)
	{
		const SdcReached *reached = &reach->object[i];

		if (has_code(&reached->object) && !is_trusted(reached->owner, GetUserId()))
			refuse_type(typid, reached,
						"values of type %s are not read from text: that could run code of role \"%s\" with your rights");
	}
}

/* function_owner returns the owner of a function. */
static Oid
function_owner(Oid function)
{
	HeapTuple	tuple = SearchSysCache1(PROCOID, ObjectIdGetDatum(function));
	Oid			owner;

	if (!HeapTupleIsValid(tuple))
		elog(ERROR, "cache lookup failed for function %u", function);
	owner = ((Form_pg_proc) GETSTRUCT(tuple))->proowner;
	ReleaseSysCache(tuple);
	return owner;
}

/* A function that compares values of a type, and whose owner the caller does not trust. */
typedef struct StrangeOrder
{
	Oid			typid;
	Oid			function;
} StrangeOrder;

/* is_strange tells whether the caller does not trust the owner of a function that compares values of a type. */
static bool
is_strange(Oid typid, Oid function, StrangeOrder *strange)
{
	if (!OidIsValid(function) || function < FirstNormalObjectId || is_trusted(function_owner(function), GetUserId()))
		return false;
	strange->typid = typid;
	strange->function = function;
	return true;
}

static bool has_strange_order(Oid typid, StrangeOrder *strange);

/* has_strange_columns tells so of the columns of a row. */
static bool
has_strange_columns(Oid row, StrangeOrder *strange)
{
	TupleDesc	desc = lookup_rowtype_tupdesc(row, -1);
	bool		found = false;

	for (int i = 0; i < desc->natts && !found; i++)
		found = !TupleDescAttr(desc, i)->attisdropped &&
			has_strange_order(TupleDescAttr(desc, i)->atttypid, strange);
	ReleaseTupleDesc(desc);
	return found;
}

/* has_strange_parts tells so of what values of a type are made of. */
static bool
has_strange_parts(Oid typid, Oid base, StrangeOrder *strange)
{
	TypeCacheEntry *entry;

	if (OidIsValid(get_element_type(base)))
		return has_strange_order(get_element_type(base), strange);
	switch (get_typtype(base))
	{
		case TYPTYPE_COMPOSITE:
			return has_strange_columns(base, strange);
		case TYPTYPE_MULTIRANGE:
			return has_strange_order(get_multirange_range(base), strange);
		case TYPTYPE_RANGE:
			entry = lookup_type_cache(base, TYPECACHE_RANGE_INFO);
			return is_strange(typid, entry->rng_cmp_proc_finfo.fn_oid, strange) ||
				has_strange_order(entry->rngelemtype->type_id, strange);
		default:
			return false;
	}
}

/*
 * has_strange_order tells whether comparing values of a type could run code of somebody whom the caller does not trust.
 * Who made the operator class is a superuser, but its functions stay with their owners, who can put anything else in
 * their place.
 */
static bool
has_strange_order(Oid typid, StrangeOrder *strange)
{
	Oid			base = getBaseType(typid);
	TypeCacheEntry *entry;

	check_stack_depth();
	if (get_typtype(base) == TYPTYPE_PSEUDO)
		return false;
	entry = lookup_type_cache(base, TYPECACHE_LT_OPR | TYPECACHE_CMP_PROC | TYPECACHE_EQ_OPR | TYPECACHE_HASH_PROC |
							  TYPECACHE_HASH_EXTENDED_PROC);
	return is_strange(typid, entry->cmp_proc, strange) || is_strange(typid, entry->hash_proc, strange) ||
		is_strange(typid, entry->hash_extended_proc, strange) ||
		is_strange(typid, OidIsValid(entry->lt_opr) ? get_opcode(entry->lt_opr) : InvalidOid, strange) ||
		is_strange(typid, OidIsValid(entry->eq_opr) ? get_opcode(entry->eq_opr) : InvalidOid, strange) ||
		has_strange_parts(typid, base, strange);
}

/* sdc_trust_has_order: see trust.h. */
bool
sdc_trust_has_order(Oid typid)
{
	StrangeOrder strange;

	return !has_strange_order(typid, &strange);
}

/* sdc_trust_require_order: see trust.h. */
void
sdc_trust_require_order(Oid typid)
{
	StrangeOrder strange;
	SdcReached	reached;

	if (!has_strange_order(typid, &strange))
		return;
	ObjectAddressSet(reached.object, ProcedureRelationId, strange.function);
	reached.owner = function_owner(strange.function);
	refuse_type(strange.typid, &reached,
				"values of type %s are not compared: that could run code of role \"%s\" with your rights");
}

/*
 * sdc_trust_require_column: the server runs functions of a range type when its column is analyzed, and
 * checks of a domain when rows are added or restored, as the owner of the table or whoever does it.  To analyze a
 * column compares its values, too.
 */
void
sdc_trust_require_column(Oid typid)
{
	SdcReach   *reach;

	if (typid < FirstNormalObjectId)
		return;
	reach = sdc_reach_find_type(typid);
	for (int i = 0; i < reach->count; i++)
		if (has_code(&reach->object[i].object) &&
			!is_trusted(reach->object[i].owner, GetUserId()))
			refuse_type(typid, &reach->object[i],
						"a column of type %s is not released: that could run code of role \"%s\" with your rights");
	sdc_trust_require_order(typid);
}

/* sdc_trust_require_index: an index is built as the owner of its table, and a row enters it as who adds the row. */
void
sdc_trust_require_index(Oid index, bool rows)
{
	Oid			role = rows ? GetUserId() : relation_owner(index);
	SdcReach   *reach = sdc_reach_find(index, role, false);

	for (int i = 0; i < reach->count; i++)
		if (has_code(&reach->object[i].object) && !is_trusted(reach->object[i].owner, role))
			ereport(ERROR,
					(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
					 errmsg("index \"%s\" is not filled: that could run code of role \"%s\" with the rights of role \"%s\"",
							get_rel_name(index), role_name(reach->object[i].owner), role_name(role)),
					 errdetail("The role owns %s.", getObjectDescription(&reach->object[i].object, true)),
					 errhint("Drop the index, or name another target.")));
}
