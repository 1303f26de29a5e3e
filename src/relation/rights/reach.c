/*-------------------------------------------------------------------------
 *
 * reach.c
 *		What the reading of a relation reaches, and so may run.
 *
 * A SELECT runs more than what it says.  Planning alone evaluates the expressions and
 * conditions of indexes, the expressions of extended statistics and check constraints, and
 * sorts the bounds of partitions by their operator class, of the relation and of every
 * partition or child; a view brings its relations and functions, an active policy its own, a
 * foreign table its server.  The owner of one of these can change what it does at any time.
 *
 * So all objects are collected that can be reached, with their owners.  Which ones an
 * expression names the server knows already: they are what it depends on (pg_depend).  Objects
 * of the server itself are not there, and are of no interest.  Nothing is evaluated here:
 * expressions stay the text that they are in the system catalogs.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/table.h"
#include "access/transam.h"
#include "catalog/indexing.h"
#include "catalog/pg_amop.h"
#include "catalog/pg_amproc.h"
#include "catalog/pg_attrdef.h"
#include "catalog/pg_attribute.h"
#include "catalog/pg_cast.h"
#include "catalog/pg_class.h"
#include "catalog/pg_collation.h"
#include "catalog/pg_constraint.h"
#include "catalog/pg_conversion.h"
#include "catalog/pg_depend.h"
#include "catalog/pg_foreign_data_wrapper.h"
#include "catalog/pg_foreign_server.h"
#include "catalog/pg_index.h"
#include "catalog/pg_inherits.h"
#include "catalog/pg_opclass.h"
#include "catalog/pg_operator.h"
#include "catalog/pg_opfamily.h"
#include "catalog/pg_policy.h"
#include "catalog/pg_proc.h"
#include "catalog/pg_rewrite.h"
#include "catalog/pg_statistic_ext.h"
#include "catalog/pg_type.h"
#include "kernel/base/kernel_env.h"
#include "miscadmin.h"
#include "relation/rights/reach.h"
#include "utils/fmgroids.h"
#include "utils/hsearch.h"
#include "utils/lsyscache.h"
#include "utils/rls.h"
#include "utils/syscache.h"

/* attgenerated of a column that is computed when it is read (from 18 on). */
#define GENERATED_VIRTUAL 'v'

/* The objects to look at; those before next have been. */
typedef struct Search
{
	SdcReach   *reach;
	Oid			reader;
	bool		types;
	HTAB	   *seen;			/* of ObjectAddress */
	ObjectAddress *todo;
	int			next;
	int			count;
	int			space;
} Search;

/* push has an object looked at, once. */
static void
push(Search *search, Oid class, Oid object)
{
	ObjectAddress key;
	bool		found;

	memset(&key, 0, sizeof(key));
	ObjectAddressSet(key, class, object);
	(void) hash_search(search->seen, &key, HASH_ENTER, &found);
	if (found)
		return;
	if (search->count == search->space)
	{
		search->space *= 2;
		search->todo = repalloc(search->todo, search->space * sizeof(ObjectAddress));
	}
	search->todo[search->count++] = key;
}

/*
 * is_followed tells whether a dependency leads to something that may be run, or be changed by
 * somebody else than who owns the object that depends on it.
 */
static bool
is_followed(const Search *search, const ObjectAddress *from, Oid class)
{
	switch (class)
	{
		case ProcedureRelationId:
		case OperatorRelationId:
		case OperatorClassRelationId:
		case OperatorFamilyRelationId:
		case CollationRelationId:
		case CastRelationId:
		case ForeignServerRelationId:
		case ForeignDataWrapperRelationId:
			return true;
		case RelationRelationId:
			/* a table's parents and an index's table are not read for its sake */
			return from->classId != RelationRelationId;
		case TypeRelationId:
			/* a column's type runs nothing when the column is read */
			return from->classId != RelationRelationId || search->types;
		default:
			return false;
	}
}

/* push_dependencies has everything looked at that an object depends on. */
static void
push_dependencies(Search *search, const ObjectAddress *object)
{
	Relation	depend = table_open(DependRelationId, AccessShareLock);
	ScanKeyData key[2];
	SysScanDesc scan;
	HeapTuple	tuple;

	ScanKeyInit(&key[0], Anum_pg_depend_classid, BTEqualStrategyNumber, F_OIDEQ,
				ObjectIdGetDatum(object->classId));
	ScanKeyInit(&key[1], Anum_pg_depend_objid, BTEqualStrategyNumber, F_OIDEQ,
				ObjectIdGetDatum(object->objectId));
	scan = systable_beginscan(depend, DependDependerIndexId, true, NULL, 2, key);
	while (HeapTupleIsValid(tuple = systable_getnext(scan)))
	{
		Form_pg_depend found = (Form_pg_depend) GETSTRUCT(tuple);

		if (is_followed(search, object, found->refclassid))
			push(search, found->refclassid, found->refobjid);
	}
	systable_endscan(scan);
	table_close(depend, AccessShareLock);
}

/* object_class returns the catalog of the objects that rows of a catalog lead to: those themselves, or others. */
static Oid
object_class(Oid class)
{
	switch (class)
	{
		case IndexRelationId:
			return RelationRelationId;
		case AccessMethodOperatorRelationId:
			return OperatorRelationId;
		case AccessMethodProcedureRelationId:
			return ProcedureRelationId;
		default:
			return class;
	}
}

/* Decides whether a row of a system catalog is of interest, and returns the OID of its object. */
typedef Oid (*Interest) (HeapTuple tuple);

/* push_parts has the objects of a system catalog looked at that belong to a relation, type or operator family. */
static void
push_parts(Search *search, Oid class, Oid index, AttrNumber column, Oid owner, Interest interest)
{
	Relation	catalog = table_open(class, AccessShareLock);
	ScanKeyData key;
	SysScanDesc scan;
	HeapTuple	tuple;

	ScanKeyInit(&key, column, BTEqualStrategyNumber, F_OIDEQ, ObjectIdGetDatum(owner));
	scan = systable_beginscan(catalog, index, true, NULL, 1, &key);
	while (HeapTupleIsValid(tuple = systable_getnext(scan)))
	{
		Oid			object = interest(tuple);

		if (OidIsValid(object))
			push(search, object_class(class), object);
	}
	systable_endscan(scan);
	table_close(catalog, AccessShareLock);
}

/* any_index takes every index. */
static Oid
any_index(HeapTuple tuple)
{
	return ((Form_pg_index) GETSTRUCT(tuple))->indexrelid;
}

/* any_statistics takes all extended statistics. */
static Oid
any_statistics(HeapTuple tuple)
{
	return ((Form_pg_statistic_ext) GETSTRUCT(tuple))->oid;
}

/* any_check takes check constraints. */
static Oid
any_check(HeapTuple tuple)
{
	Form_pg_constraint constraint = (Form_pg_constraint) GETSTRUCT(tuple);

	return constraint->contype == CONSTRAINT_CHECK ? constraint->oid : InvalidOid;
}

/* any_policy takes every policy. */
static Oid
any_policy(HeapTuple tuple)
{
	return ((Form_pg_policy) GETSTRUCT(tuple))->oid;
}

/* any_rule takes every rule. */
static Oid
any_rule(HeapTuple tuple)
{
	return ((Form_pg_rewrite) GETSTRUCT(tuple))->oid;
}

/* computed_default takes the expressions of generated columns that are computed when they are read. */
static Oid
computed_default(HeapTuple tuple)
{
	Form_pg_attrdef found = (Form_pg_attrdef) GETSTRUCT(tuple);

	return get_attgenerated(found->adrelid, found->adnum) == GENERATED_VIRTUAL ?
		found->oid : InvalidOid;
}

/* made_operator takes operators that are not the server's. */
static Oid
made_operator(HeapTuple tuple)
{
	Oid			operator = ((Form_pg_amop) GETSTRUCT(tuple))->amopopr;

	return operator >= FirstNormalObjectId ? operator : InvalidOid;
}

/* made_function takes functions that are not the server's. */
static Oid
made_function(HeapTuple tuple)
{
	Oid			function = ((Form_pg_amproc) GETSTRUCT(tuple))->amproc;

	return function >= FirstNormalObjectId ? function : InvalidOid;
}

/*
 * look_at_opclass has what compares and hashes for an operator class looked at: bounds of partitions and entries of
 * indexes have their order by it.  It does not depend on these functions; they belong to its family, which can be the
 * server's.
 */
static void
look_at_opclass(Search *search, Oid opclass)
{
	HeapTuple	tuple = SearchSysCache1(CLAOID, ObjectIdGetDatum(opclass));
	Oid			family;

	if (!HeapTupleIsValid(tuple))
		return;					/* dropped meanwhile */
	family = ((Form_pg_opclass) GETSTRUCT(tuple))->opcfamily;
	ReleaseSysCache(tuple);
	push_parts(search, AccessMethodOperatorRelationId, AccessMethodStrategyIndexId, Anum_pg_amop_amopfamily, family,
			   made_operator);
	push_parts(search, AccessMethodProcedureRelationId, AccessMethodProcedureIndexId, Anum_pg_amproc_amprocfamily,
			   family, made_function);
}

/* has_policies tells whether policies apply to the reading of a relation; first: it is the one that is named. */
static bool
has_policies(const Search *search, Oid relid, bool enabled, bool first)
{
	if (!enabled)
		return false;
	/* below a view it depends on the view's owner: take them to apply */
	return !first || check_enable_rls(relid, search->reader, true) == RLS_ENABLED;
}

/* look_at_table has the parts of a table looked at, and its children. */
static void
look_at_table(Search *search, Oid relid, Form_pg_class class)
{
	ListCell   *cell;

	push_parts(search, IndexRelationId, IndexIndrelidIndexId, Anum_pg_index_indrelid, relid, any_index);
	push_parts(search, StatisticExtRelationId, StatisticExtRelidIndexId,
			   Anum_pg_statistic_ext_stxrelid, relid, any_statistics);
	push_parts(search, ConstraintRelationId, ConstraintRelidTypidNameIndexId,
			   Anum_pg_constraint_conrelid, relid, any_check);
	push_parts(search, AttrDefaultRelationId, AttrDefaultIndexId, Anum_pg_attrdef_adrelid, relid,
			   computed_default);
	if (class->relhassubclass)
		foreach(cell, find_inheritance_children(relid, NoLock))
			push(search, RelationRelationId, lfirst_oid(cell));
}

/* look_at_relation has the parts of a relation looked at. */
static void
look_at_relation(Search *search, Oid relid)
{
	HeapTuple	tuple = SearchSysCacheCopy1(RELOID, ObjectIdGetDatum(relid));
	Form_pg_class class;

	if (!HeapTupleIsValid(tuple))
		return;					/* dropped meanwhile */
	class = (Form_pg_class) GETSTRUCT(tuple);
	switch (class->relkind)
	{
		case RELKIND_VIEW:
			search->reach->plain = false;
			push_parts(search, RewriteRelationId, RewriteRelRulenameIndexId,
					   Anum_pg_rewrite_ev_class, relid, any_rule);
			break;
		case RELKIND_FOREIGN_TABLE:
			search->reach->plain = false;
			look_at_table(search, relid, class);
			break;
		case RELKIND_RELATION:
		case RELKIND_PARTITIONED_TABLE:
		case RELKIND_MATVIEW:
			look_at_table(search, relid, class);
			break;
		default:
			break;
	}
	if (has_policies(search, relid, class->relrowsecurity, search->next == 1))
	{
		search->reach->plain = false;
		push_parts(search, PolicyRelationId, PolicyPolrelidPolnameIndexId, Anum_pg_policy_polrelid,
				   relid, any_policy);
	}
	heap_freetuple(tuple);
}

/* note_owner notes who owns an object, if it can be owned. */
static void
note_owner(Search *search, const ObjectAddress *object)
{
	SdcReach   *reach = search->reach;
	AttrNumber	column = InvalidAttrNumber;
	int			cache = -1;
	HeapTuple	tuple;
	bool		isnull;

	switch (object->classId)
	{
		case RelationRelationId:
		case ProcedureRelationId:
		case OperatorRelationId:
		case OperatorClassRelationId:
		case OperatorFamilyRelationId:
		case CollationRelationId:
		case TypeRelationId:
		case ForeignServerRelationId:
		case ForeignDataWrapperRelationId:
			column = get_object_attnum_owner(object->classId);
			cache = get_object_catcache_oid(object->classId);
			break;
		default:
			return;
	}
	tuple = SearchSysCache1(cache, ObjectIdGetDatum(object->objectId));
	if (!HeapTupleIsValid(tuple))
		return;
	reach->object = repalloc(reach->object, (reach->count + 1) * sizeof(SdcReached));
	reach->object[reach->count].object = *object;
	reach->object[reach->count++].owner =
		DatumGetObjectId(SysCacheGetAttr(cache, tuple, column, &isnull));
	ReleaseSysCache(tuple);
}

/* look_at_type has the parts of a type looked at: the checks of a domain, the columns of a row. */
static void
look_at_type(Search *search, Oid typid)
{
	Oid			relid = get_typ_typrelid(typid);

	push_parts(search, ConstraintRelationId, ConstraintTypidIndexId, Anum_pg_constraint_contypid,
			   typid, any_check);
	if (OidIsValid(relid))
		push(search, RelationRelationId, relid);
}

/* find goes from object to object until there is no new one. */
static SdcReach *
find(Oid class, Oid object, Oid reader, bool types)
{
	Search		search = {0};
	HASHCTL		control = {0};

	control.keysize = sizeof(ObjectAddress);
	control.entrysize = sizeof(ObjectAddress);
	control.hcxt = CurrentMemoryContext;
	search.seen = hash_create("sdc reach", 64, &control, HASH_ELEM | HASH_BLOBS | HASH_CONTEXT);
	search.reach = palloc0(sizeof(SdcReach));
	search.reader = reader;
	search.types = types;
	search.space = 16;
	search.todo = palloc(search.space * sizeof(ObjectAddress));
	search.reach->plain = true;
	search.reach->object = palloc(sizeof(SdcReached));
	push(&search, class, object);
	while (search.next < search.count)
	{
		ObjectAddress at = search.todo[search.next++];

		if (search.next % 64 == 0)
			CHECK_FOR_INTERRUPTS();	/* of a table with many partitions */
		note_owner(&search, &at);
		if (at.classId == RelationRelationId)
			look_at_relation(&search, at.objectId);
		if (at.classId == TypeRelationId)
			look_at_type(&search, at.objectId);
		if (at.classId == OperatorClassRelationId)
			look_at_opclass(&search, at.objectId);
		push_dependencies(&search, &at);
	}
	hash_destroy(search.seen);
	pfree(search.todo);
	return search.reach;
}

/* sdc_reach_find begins at a relation. */
SdcReach *
sdc_reach_find(Oid relid, Oid reader, bool types)
{
	return find(RelationRelationId, relid, reader, types);
}

/* sdc_reach_find_type begins at a type, and follows those that it is made of. */
SdcReach *
sdc_reach_find_type(Oid typid)
{
	return find(TypeRelationId, typid, InvalidOid, true);
}
