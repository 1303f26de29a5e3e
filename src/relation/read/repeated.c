/*-------------------------------------------------------------------------
 *
 * repeated.c
 *		The warning about people who have several records, where each record counts as somebody else.
 *
 * What identifies people tells whether somebody has several records: it repeats.  One statement counts the records and
 * the values of all such columns, with the rights of whom the relation would be read by anyway.  It is a question
 * besides what was asked for: so an error of it is none, and it waits for no lock.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/relation.h"
#include "access/xact.h"
#include "catalog/pg_class.h"
#include "catalog/pg_index.h"
#include "miscadmin.h"
#include "relation/base/attempt.h"
#include "relation/base/memory.h"
#include "relation/base/progress.h"
#include "relation/base/spi.h"
#include "relation/catalog/actas.h"
#include "relation/column/types.h"
#include "relation/read/distributed.h"
#include "relation/read/repeated.h"
#include "relation/read/source.h"
#include "relation/rights/label.h"
#include "relation/rights/trust.h"
#include "storage/lmgr.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/syscache.h"

/* A statement remembers so many relations that it has warned of. */
#define MOST_SAID 16

/* A column that can tell people apart, and what it has. */
typedef struct Column
{
	char	   *name;
	SdcRole		role;
	int64		values;
	int64		records;		/* with a value */
} Column;

/* The work on a relation. */
typedef struct Look
{
	Oid			relid;
	bool		unnamed;
	MemoryContext context;		/* of the columns */
	int			count;
	Column	   *column;
} Look;

/* What this statement has warned of. */
static TimestampTz said_at = 0;
static Oid	said[MOST_SAID];
static int	said_count = 0;

/* was_said tells whether this statement has warned of a relation. */
static bool
was_said(Oid relid)
{
	if (said_at != GetCurrentStatementStartTimestamp())
	{
		said_at = GetCurrentStatementStartTimestamp();
		said_count = 0;
	}
	for (int i = 0; i < said_count; i++)
		if (said[i] == relid)
			return true;
	return false;
}

/* sdc_repeated_forget: see repeated.h. */
void
sdc_repeated_forget(void)
{
	said_count = 0;
}

/* carries_unique tells whether an index has each value of a column once. */
static bool
carries_unique(const Form_pg_index index, HeapTuple tuple, AttrNumber number)
{
	return index->indisunique && index->indisvalid && index->indimmediate && index->indnkeyatts == 1 &&
		index->indkey.values[0] == number && heap_attisnull(tuple, Anum_pg_index_indpred, NULL);
}

/*
 * cannot_repeat tells whether a unique index keeps a column from repeating; that of a parent is not about its
 * children.
 */
static bool
cannot_repeat(Relation rel, AttrNumber number)
{
	bool		unique = false;
	ListCell   *cell;

	if (rel->rd_rel->relkind == RELKIND_RELATION && rel->rd_rel->relhassubclass)
		return false;
	foreach(cell, RelationGetIndexList(rel))
	{
		HeapTuple	tuple = SearchSysCache1(INDEXRELID, ObjectIdGetDatum(lfirst_oid(cell)));

		if (!HeapTupleIsValid(tuple))
			continue;
		unique |= carries_unique((Form_pg_index) GETSTRUCT(tuple), tuple, number);
		ReleaseSysCache(tuple);
	}
	return unique;
}

/* can_count tells whether the caller may read a column, and its values are compared by nobody's code. */
static bool
can_count(Oid relid, Form_pg_attribute attribute)
{
	SdcType		type;

	if (pg_class_aclcheck(relid, GetUserId(), ACL_SELECT) != ACLCHECK_OK &&
		pg_attribute_aclcheck(relid, attribute->attnum, GetUserId(), ACL_SELECT) != ACLCHECK_OK)
		return false;
	sdc_type_lookup(&type, attribute->atttypid, attribute->attcollation);
	return type.orderable && sdc_trust_has_order(attribute->atttypid);
}

/* tells_apart tells whether what is classified so can tell people apart. */
static bool
tells_apart(SdcRole role)
{
	return role == SDC_ROLE_IDENTIFIER || role == SDC_ROLE_UNIT;
}

/* has_columns tells whether there is anything to look at, by the server's catalog alone. */
static bool
has_columns(Oid relid)
{
	int			count;
	SdcRole    *roles = sdc_label_roles(relid, &count);
	bool		found = false;

	for (int i = 0; i < count && !found; i++)
		found = tells_apart(roles[i]);
	pfree(roles);
	return found;
}

/* find_columns lists the columns that are looked at. */
static void
find_columns(Look *look, Relation rel)
{
	TupleDesc	desc = RelationGetDescr(rel);
	SdcRole    *roles = sdc_label_roles(look->relid, NULL);

	look->column = MemoryContextAlloc(look->context, sizeof(Column) * Max(desc->natts, 1));
	for (int i = 0; i < desc->natts; i++)
	{
		Form_pg_attribute attribute = TupleDescAttr(desc, i);

		if (attribute->attisdropped || !tells_apart(roles[i]) ||
			!can_count(look->relid, attribute) || cannot_repeat(rel, attribute->attnum))
			continue;
		look->column[look->count++] = (Column) {
			.name = MemoryContextStrdup(look->context, NameStr(attribute->attname)), .role = roles[i]
		};
	}
}

/* statement counts the values of all columns, and their records: one row each, in their order. */
static char *
statement(const Look *look)
{
	StringInfoData sql;

	initStringInfo(&sql);
	for (int i = 0; i < look->count; i++)
	{
		const char *name = quote_identifier(look->column[i].name);
		const char *count;
		char	   *from = sdc_distributed_counted(look->relid, list_make1(look->column[i].name), NIL, &count);

		appendStringInfo(&sql, "%sSELECT %d AS number, pg_catalog.count(g.value) AS counted, "
						 "CAST(pg_catalog.sum(g.records) FILTER (WHERE pg_catalog.num_nulls(g.value) OPERATOR(pg_catalog.=) 0) AS pg_catalog.int8) AS of_all "
						 "FROM (SELECT source.%s AS value, %s AS records FROM %s GROUP BY source.%s) AS g",
						 i == 0 ? "" : " UNION ALL ", i, name, count, from, name);
	}
	appendStringInfoString(&sql, " ORDER BY number");
	return sql.data;
}

/* take_counts takes the result of the statement. */
static void
take_counts(Look *look)
{
	for (int i = 0; i < look->count; i++)
	{
		bool		isnull;
		Datum		values = SPI_getbinval(SPI_tuptable->vals[i], SPI_tuptable->tupdesc, 2, &isnull);
		Datum		records = SPI_getbinval(SPI_tuptable->vals[i], SPI_tuptable->tupdesc, 3, &isnull);

		look->column[i].values = DatumGetInt64(values);
		look->column[i].records = isnull ? 0 : DatumGetInt64(records);
	}
}

/* count_values looks at a relation: the work of an attempt. */
static void
count_values(void *arg)
{
	Look	   *look = arg;
	SdcActAs	before;
	Relation	rel;
	Oid			reader;
	char		memory[32];
	int			parts;
	int			nest;

	if (!ConditionalLockRelationOid(look->relid, AccessShareLock))
		return;
	rel = try_relation_open(look->relid, NoLock);
	if (rel == NULL)
		return;
	sdc_source_check_kind(look->relid);
	find_columns(look, rel);
	relation_close(rel, NoLock);
	if (look->count == 0)
		return;
	reader = sdc_trust_reader(look->relid, look->unnamed);
	sdc_actas_begin(&before, reader);
	sdc_spi_connect();
	nest = sdc_distributed_begin(look->relid, &parts);
	snprintf(memory, sizeof(memory), "%d", Max(work_mem, sdc_memory_sort_share(2 * parts)));
	sdc_spi_set_for_now("work_mem", memory);
	sdc_spi_set_for_now("jit", "off");
	sdc_progress_start(look->relid, look->count);
	sdc_spi_select(statement(look));
	take_counts(look);
	sdc_progress_end();
	sdc_distributed_end(nest);
	sdc_spi_finish();
	sdc_actas_end(&before);
}

/* repeating lists the columns that repeat; NULL: none does. */
static char *
repeating(const Look *look)
{
	StringInfoData list;

	initStringInfo(&list);
	for (int i = 0; i < look->count; i++)
	{
		const Column *column = &look->column[i];

		if (column->values < column->records)
			appendStringInfo(&list, "%sColumn \"%s\" is classified as %s, and has " INT64_FORMAT " values in " INT64_FORMAT " records.",
							 list.len == 0 ? "" : " ", column->name, sdc_label_role_name(column->role), column->values,
							 column->records);
	}
	return list.len == 0 ? NULL : list.data;
}

/* sdc_repeated_warn: see repeated.h. */
void
sdc_repeated_warn(Oid relid, bool unnamed)
{
	Look		look = {.relid = relid, .unnamed = unnamed, .context = CurrentMemoryContext};
	char	   *list;

	if (was_said(relid) || !has_columns(relid))
		return;
	if (sdc_attempt(count_values, &look) != NULL)
		return;
	list = repeating(&look);
	if (list == NULL)
		return;
	if (said_count < MOST_SAID)
		said[said_count++] = relid;
	ereport(WARNING,
			(errcode(ERRCODE_WARNING),
			 errmsg("each record of relation \"%s\" counts as somebody else, but somebody can have several",
					get_rel_name(relid)),
			 errdetail_internal("%s", list),
			 errhint("Name the columns that tell whom a record is about in argument \"unit\", or classify them as unit.")));
}
