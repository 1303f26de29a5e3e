/*-------------------------------------------------------------------------
 *
 * source.c
 *		The relation to protect: its attributes.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "access/relation.h"
#include "catalog/pg_index.h"
#include "relation/base/compat.h"
#include "relation/base/spi.h"
#include "relation/read/source.h"
#include "relation/rights/trust.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/relcache.h"
#include "utils/syscache.h"

/* sdc_action_name returns how an action is called in results. */
const char *
sdc_action_name(SdcAction action)
{
	switch (action)
	{
		case SDC_ACTION_COPIED:
			return "copied";
		case SDC_ACTION_PROTECTED:
			return "protected";
		case SDC_ACTION_KEY:
			return "key";
		case SDC_ACTION_UNIT:
			return "unit";
		case SDC_ACTION_COMPUTED:
			return "computed";
		case SDC_ACTION_GROUPED:
			return "grouped";
		case SDC_ACTION_OMITTED:
			return "omitted";
		case SDC_ACTION_ADDED:
			return "added";
	}
	return NULL;
}

/* sdc_source_has_row_column tells whether a release gets the column sdc_row. */
bool
sdc_source_has_row_column(const SdcSource *source)
{
	return source->key_count == 0 && !source->keeps_row_type && !source->unordered;
}

/* sdc_source_has_group_column tells whether a release gets the column group_id. */
bool
sdc_source_has_group_column(const SdcSource *source)
{
	return source->has_groups && !source->keeps_row_type;
}

/* sdc_source_open locks and opens a relation that may be gone meanwhile. */
Relation
sdc_source_open(Oid relid, LOCKMODE mode)
{
	Relation	rel = try_relation_open(relid, mode);

	if (rel == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_TABLE),
				 errmsg("relation with OID %u does not exist", relid)));
	return rel;
}

/* sdc_source_refuse_changed: see source.h. */
void
sdc_source_refuse_changed(Oid relid)
{
	ereport(ERROR,
			(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			 errmsg("columns of relation \"%s\" have changed since the call began", get_rel_name(relid)),
			 errdetail("Code that ran while relations were read has changed them.")));
}

/* sdc_source_check_kind insists on a relation that has rows to protect. */
void
sdc_source_check_kind(Oid relid)
{
	switch (get_rel_relkind(relid))
	{
		case RELKIND_RELATION:
		case RELKIND_PARTITIONED_TABLE:
		case RELKIND_VIEW:
		case RELKIND_MATVIEW:
		case RELKIND_FOREIGN_TABLE:
			return;
		default:
			ereport(ERROR,
					(errcode(ERRCODE_WRONG_OBJECT_TYPE),
					 errmsg("\"%s\" is not a table", get_rel_name(relid)),
					 errhint("Tables, partitioned tables, views, materialized views and foreign tables can be protected.")));
	}
}

/* hint_columns lists the columns of a relation for a hint, the first 20 of them. */
static char *
hint_columns(Relation rel)
{
	StringInfoData list;
	int			shown = 0;

	initStringInfo(&list);
	for (int i = 0; i < RelationGetNumberOfAttributes(rel); i++)
	{
		Form_pg_attribute att = TupleDescAttr(RelationGetDescr(rel), i);

		if (att->attisdropped)
			continue;
		if (shown == 20)
		{
			appendStringInfoString(&list, ", ...");
			break;
		}
		sdc_spi_append_name(&list, NameStr(att->attname), shown == 0);
		shown++;
	}
	return list.data;
}

/*
 * sdc_source_find_column returns the number of a column named in an argument,
 * which must be an ordinary one.
 */
AttrNumber
sdc_source_find_column(Oid relid, const char *name, const char *argument)
{
	AttrNumber	number = get_attnum(relid, name);
	Relation	rel;

	if (number < 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_COLUMN_REFERENCE),
				 errmsg("system column \"%s\" cannot be used in argument \"%s\"", name, argument)));
	if (number != InvalidAttrNumber)
		return number;

	rel = relation_open(relid, AccessShareLock);
	ereport(ERROR,
			(errcode(ERRCODE_UNDEFINED_COLUMN),
			 errmsg("column \"%s\" of relation \"%s\" does not exist",
					name, RelationGetRelationName(rel)),
			 errdetail("It is named in argument \"%s\".", argument),
			 errhint("The columns are %s.", hint_columns(rel))));
	return InvalidAttrNumber;	/* not reached */
}

/* sdc_source_find_attribute returns the index in source->attributes of a named column. */
int
sdc_source_find_attribute(SdcSource *source, const char *name, const char *argument)
{
	AttrNumber	number;

	/* by name: a release in memory has a column more than its relation */
	for (int i = 0; i < source->attribute_count; i++)
		if (strcmp(NameStr(source->attributes[i].name), name) == 0)
			return i;
	number = sdc_source_find_column(source->relid, name, argument);
	elog(ERROR, "column %d of relation %u is missing", number, source->relid);
	return -1;
}

/*
 * sdc_source_primary_key returns the names of the primary key's columns in the
 * order of the key, or NIL.
 */
List *
sdc_source_primary_key(Oid relid)
{
	Relation	rel = relation_open(relid, AccessShareLock);
	List	   *names = NIL;
	List	   *indexes = RelationGetIndexList(rel);
	ListCell   *cell;

	foreach(cell, indexes)
	{
		HeapTuple	tuple = SearchSysCache1(INDEXRELID, ObjectIdGetDatum(lfirst_oid(cell)));
		Form_pg_index index;

		if (!HeapTupleIsValid(tuple))
			elog(ERROR, "cache lookup failed for index %u", lfirst_oid(cell));
		index = (Form_pg_index) GETSTRUCT(tuple);
		if (index->indisprimary && index->indisvalid)
			for (int i = 0; i < index->indnkeyatts; i++)
				names = lappend(names, get_attname(relid, index->indkey.values[i], false));
		ReleaseSysCache(tuple);
	}
	relation_close(rel, NoLock);
	return names;
}

/* sdc_source_require_order raises the error for a column whose type has no order, or a stranger's. */
void
sdc_source_require_order(SdcSource *source, SdcAttribute *attribute, const char *use)
{
	if (!attribute->type.orderable)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("column \"%s\" of relation \"%s\" cannot be %s",
						NameStr(attribute->name), source->name, use),
				 errdetail("Its type %s has no btree ordering.", format_type_be(attribute->type.typid)),
				 errhint("Leave the column out of the call, or cast it to an ordered type in a view.")));
	sdc_trust_require_order(attribute->type.typid);
}

/* sdc_source_notice_copied names the columns that are copied and that no argument names. */
void
sdc_source_notice_copied(const SdcSource *source)
{
	StringInfoData list;
	int			count = 0;

	initStringInfo(&list);
	for (int i = 0; i < source->attribute_count; i++)
	{
		const SdcAttribute *attribute = &source->attributes[i];

		if (attribute->action == SDC_ACTION_COPIED && !attribute->named)
			sdc_spi_append_name(&list, NameStr(attribute->name), count++ == 0);
	}
	if (count > 0)
		ereport(NOTICE,
				(errmsg_plural("copied as it is: %s", "copied as they are: %s", count, list.data),
				 errhint("Name such columns in argument \"keep\" if they are meant to be copied, or in argument \"omit\" to leave them out.")));
	pfree(list.data);
}

/* sdc_source_copy: see source.h. */
SdcSource *
sdc_source_copy(const SdcSource *source, int more)
{
	SdcSource  *copy = palloc(sizeof(SdcSource));

	*copy = *source;
	copy->attributes = palloc0(sizeof(SdcAttribute) * (source->attribute_count + more));
	memcpy(copy->attributes, source->attributes, sizeof(SdcAttribute) * source->attribute_count);
	return copy;
}

/* sdc_source_check_readable insists that the caller may read some column of a relation. */
void
sdc_source_check_readable(Oid relid)
{
	if (pg_class_aclcheck(relid, GetUserId(), ACL_SELECT) != ACLCHECK_OK &&
		pg_attribute_aclcheck_all(relid, GetUserId(), ACL_SELECT, ACLMASK_ANY) != ACLCHECK_OK)
		aclcheck_error(ACLCHECK_NO_PRIV, get_relkind_objtype(get_rel_relkind(relid)),
					   get_rel_name(relid));
}

/* sdc_source_may_read: see source.h. */
bool
sdc_source_may_read(Oid relid, AttrNumber number)
{
	return pg_class_aclcheck(relid, GetUserId(), ACL_SELECT) == ACLCHECK_OK ||
		pg_attribute_aclcheck(relid, number, GetUserId(), ACL_SELECT) == ACLCHECK_OK;
}

/* sdc_source_require_right: see source.h. */
void
sdc_source_require_right(Oid relid, AttrNumber number)
{
	if (!sdc_source_may_read(relid, number))
		ereport(ERROR,
				(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
				 errmsg("permission denied for column \"%s\" of relation \"%s\"", get_attname(relid, number, false),
						get_rel_name(relid))));
}
