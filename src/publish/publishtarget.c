/*-------------------------------------------------------------------------
 *
 * publishtarget.c
 *		The table that a release is published as.
 *
 * A new table has the names and types of the columns, and nothing else of the release: no comment, default, constraint
 * or option.  What a table has that is there already stays.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/table.h"
#include "access/toast_compression.h"
#include "catalog/namespace.h"
#include "catalog/pg_am.h"
#include "catalog/pg_class.h"
#include "catalog/pg_publication.h"
#include "commands/tablecmds.h"
#include "executor/executor.h"
#include "nodes/makefuncs.h"
#include "publish/publishplan.h"
#include "publish/publishtarget.h"
#include "relation/base/spi.h"
#include "relation/catalog/catalog.h"
#include "relation/frame/publications.h"
#include "relation/write/replaceable.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/varlena.h"

/* check_existing decides what to do about a relation that has the name. */
static void
check_existing(const SdcPublishTarget *target, Oid catalog_schema, Oid release, Oid source, bool replace)
{
	Oid			existing = target->existing;

	if (existing == release || existing == source ||
		sdc_catalog_state(catalog_schema, existing, NULL) != SDC_RELEASE_UNKNOWN)
		ereport(ERROR,
				(errcode(ERRCODE_WRONG_OBJECT_TYPE),
				 errmsg("relation \"%s\" is a %s, it cannot be a publication", target->name,
						existing == source ? "source" : "release"),
				 errhint("Name another target.")));
	if (!sdc_publications_has(catalog_schema, existing) || get_rel_relkind(existing) != RELKIND_RELATION)
		ereport(ERROR,
				(errcode(ERRCODE_DUPLICATE_TABLE),
				 errmsg("relation \"%s\" already exists, and is no publication", target->name),
				 errhint("Name another target.")));
	if (!replace)
		ereport(ERROR,
				(errcode(ERRCODE_DUPLICATE_TABLE),
				 errmsg("publication \"%s\" already exists", target->name),
				 errhint("Use replace => true to give it new contents, or name another target.")));
}

/* sdc_publishtarget_resolve: see publishtarget.h. */
void
sdc_publishtarget_resolve(SdcPublishTarget *target, Oid catalog_schema, const char *name, Oid release, Oid source,
						  bool replace)
{
	RangeVar   *range = makeRangeVarFromNameList(textToQualifiedNameList(cstring_to_text(name)));
	Oid			namespace;

	namespace = sdc_replaceable_schema("publication", range, replace ? ExclusiveLock : NoLock, &target->existing);
	target->schema = get_namespace_name(namespace);
	target->name = range->relname;
	if (isAnyTempNamespace(namespace))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("a publication cannot be temporary"),
				 errhint("Name a target in another schema.")));
	if (OidIsValid(target->existing))
		check_existing(target, catalog_schema, release, source, replace);
}

/* append_missing appends the columns of one table that another one does not have as they are. */
static void
append_missing(StringInfo text, const char *who, TupleDesc of, TupleDesc in)
{
	int			missing = 0;

	for (int i = 0; i < of->natts; i++)
	{
		Form_pg_attribute a = TupleDescAttr(of, i);
		bool		found = a->attisdropped;

		for (int j = 0; !found && j < in->natts; j++)
		{
			Form_pg_attribute b = TupleDescAttr(in, j);

			found = !b->attisdropped && strcmp(NameStr(a->attname), NameStr(b->attname)) == 0 &&
				a->atttypid == b->atttypid && a->atttypmod == b->atttypmod && a->attcollation == b->attcollation;
		}
		if (found)
			continue;
		appendStringInfo(text, "%s%s %s", missing == 0 ? who : ", ", quote_identifier(NameStr(a->attname)),
						 format_type_with_typemod(a->atttypid, a->atttypmod));
		missing++;
	}
	if (missing > 0)
		appendStringInfoString(text, ". ");
}

/* differences says which columns a publication and a release do not have in common. */
static char *
differences(TupleDesc there, TupleDesc desc)
{
	StringInfoData text;

	initStringInfo(&text);
	append_missing(&text, "Only the publication has: ", there, desc);
	append_missing(&text, "Only the release has: ", desc, there);
	return text.data;
}

/* check_layout insists that a table has exactly some columns. */
static void
check_layout(const SdcPublishTarget *target, Relation rel, TupleDesc desc)
{
	TupleDesc	there = RelationGetDescr(rel);
	bool		same = there->natts == desc->natts && rel->rd_rel->relam == HEAP_TABLE_AM_OID;

	for (int i = 0; same && i < desc->natts; i++)
	{
		Form_pg_attribute a = TupleDescAttr(there, i);
		Form_pg_attribute b = TupleDescAttr(desc, i);

		same = !a->attisdropped && a->attgenerated == '\0' && a->attidentity == '\0' &&
			strcmp(NameStr(a->attname), NameStr(b->attname)) == 0 && a->atttypid == b->atttypid &&
			a->atttypmod == b->atttypmod && a->attcollation == b->attcollation;
	}
	if (!same)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("publication \"%s\" has other columns than the release would give it", target->name),
				 errdetail("%sNames, types, collations and order of the columns stay the same, so that views and grants stay true.",
						   differences(there, desc)),
				 errhint("Name another target, or withdraw the publication first.")));
}

/* check_indexes insists that the indexes can be filled with whatever is published. */
static void
check_indexes(const SdcPublishTarget *target, Relation rel, bool rows)
{
	ListCell   *cell;

	foreach(cell, RelationGetIndexList(rel))
	{
		Relation	index = index_open(lfirst_oid(cell), AccessShareLock);

		sdc_replaceable_check_index("publication", target->name, index, rows);
		if (index->rd_index->indisunique)
			ereport(ERROR,
					(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
					 errmsg("publication \"%s\" has unique index \"%s\"", target->name, RelationGetRelationName(index)),
					 errdetail("A publication has no key: nothing in it needs to be unique."),
					 errhint("Drop the index, or name another target.")));
		index_close(index, NoLock);
	}
}

/* check_replication insists that subscribers, if there are any, get what is published. */
static void
check_replication(const SdcPublishTarget *target, Relation rel, bool rows)
{
	PublicationDesc published;

	if (!RelationIsPermanent(rel))
		return;
	RelationBuildPublicationDesc(rel, &published);
	if (!rows && (published.pubactions.pubinsert || published.pubactions.pubdelete))
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("publication \"%s\" is replicated to subscribers, who would keep its old rows", target->name),
				 errhint("Use mode => 'rows'.")));
	if (rows)
		CheckCmdReplicaIdentity(rel, CMD_DELETE);
}

/* sdc_publishtarget_check: see publishtarget.h. */
void
sdc_publishtarget_check(const SdcPublishTarget *target, TupleDesc desc, bool rows)
{
	Relation	rel;

	if (!OidIsValid(target->existing))
		return;
	rel = try_table_open(target->existing, NoLock);
	if (rel == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_TABLE),
				 errmsg("publication \"%s\" was dropped meanwhile", target->name)));
	CheckTableNotInUse(rel, "replace the contents of");
	check_layout(target, rel, desc);
	sdc_replaceable_check_table("publication", target->name, target->existing);
	check_indexes(target, rel, rows);
	check_replication(target, rel, rows);
	table_close(rel, NoLock);
}

/* storage_name returns the name of a way to store the values of a column. */
static const char *
storage_name(char storage)
{
	switch (storage)
	{
		case TYPSTORAGE_PLAIN:
			return "PLAIN";
		case TYPSTORAGE_EXTERNAL:
			return "EXTERNAL";
		case TYPSTORAGE_MAIN:
			return "MAIN";
		default:
			return "EXTENDED";
	}
}

/* append_storage appends what is special about the way in which values of a column are stored. */
static void
append_storage(StringInfo sql, Form_pg_attribute att, int *count)
{
	const char *name = quote_identifier(NameStr(att->attname));

	if (att->attstorage != get_typstorage(att->atttypid))
		appendStringInfo(sql, "%s ALTER COLUMN %s SET STORAGE %s", (*count)++ == 0 ? "" : ",", name,
						 storage_name(att->attstorage));
	if (CompressionMethodIsValid(att->attcompression))
		appendStringInfo(sql, "%s ALTER COLUMN %s SET COMPRESSION %s", (*count)++ == 0 ? "" : ",", name,
						 GetCompressionMethodName(att->attcompression));
}

/* sdc_publishtarget_create: see publishtarget.h. */
Oid
sdc_publishtarget_create(const SdcPublishTarget *target, Oid release, TupleDesc desc)
{
	const char *name = sdc_spi_qualified_name(target->schema, target->name);
	StringInfoData create;
	StringInfoData storage;
	int			count = 0;
	Oid			relid;

	initStringInfo(&create);
	initStringInfo(&storage);
	appendStringInfo(&create, "CREATE TABLE %s USING heap AS SELECT ", name);
	appendStringInfo(&storage, "ALTER TABLE %s", name);
	for (int i = 0; i < desc->natts; i++)
	{
		/* the column of numbers of units is in no release */
		if (get_attnum(release, NameStr(TupleDescAttr(desc, i)->attname)) <= 0)
			appendStringInfoString(&create, "NULL::pg_catalog.int8 AS " SDC_UNIT_COLUMN);
		else
			sdc_spi_append_name(&create, NameStr(TupleDescAttr(desc, i)->attname), i == 0);
		append_storage(&storage, TupleDescAttr(desc, i), &count);
	}
	appendStringInfo(&create, " FROM %s AS source WITH NO DATA", sdc_spi_relation_name(release));
	relid = sdc_spi_create(create.data, target->schema, target->name);
	if (count > 0)
		sdc_spi_run(storage.data, SPI_OK_UTILITY);
	return relid;
}

/* sdc_publishtarget_check_nulls: see publishtarget.h. */
void
sdc_publishtarget_check_nulls(const SdcPublishTarget *target, const bool *has_nulls)
{
	Relation	rel;

	if (!OidIsValid(target->existing))
		return;
	rel = table_open(target->existing, NoLock);
	for (int i = 0; i < RelationGetNumberOfAttributes(rel); i++)
		if (has_nulls[i] && TupleDescAttr(RelationGetDescr(rel), i)->attnotnull)
			ereport(ERROR,
					(errcode(ERRCODE_NOT_NULL_VIOLATION),
					 errmsg("column \"%s\" of publication \"%s\" must not be null, and the release has nulls",
							NameStr(TupleDescAttr(RelationGetDescr(rel), i)->attname), target->name),
					 errhint("Drop the constraint, or name another target.")));
	table_close(rel, NoLock);
}
