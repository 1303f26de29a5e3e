/*-------------------------------------------------------------------------
 *
 * dependents.c
 *		What depends on relations that a replaced release has to drop.
 *
 * The server would refuse to drop them too, but only when all work is done, and with the hint to drop
 * everything that depends on them.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_class.h"
#include "catalog/pg_type.h"
#include "relation/base/spi.h"
#include "relation/write/dependents.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"

/* A message names so many objects. */
#define NAMES_MOST 5

/*
 * Finds what depends on relations $1, or on their row types, as a description: of a rule it is that of
 * its view.  What belongs to one of the relations goes with it.  The description is NULL
 * where the caller may not look into the object's schema.
 */
static const char *const dependents_query =
"WITH going (class, object) AS ("
" SELECT 'pg_catalog.pg_class'::pg_catalog.regclass, r FROM pg_catalog.unnest($1) AS r"
" UNION ALL"
" SELECT 'pg_catalog.pg_type'::pg_catalog.regclass, t.oid FROM pg_catalog.pg_class AS c"
" JOIN pg_catalog.pg_type AS row_type ON row_type.oid OPERATOR(pg_catalog.=) c.reltype"
" JOIN pg_catalog.pg_type AS t ON t.oid OPERATOR(pg_catalog.=) row_type.oid"
" OR t.oid OPERATOR(pg_catalog.=) row_type.typarray"
" WHERE c.oid OPERATOR(pg_catalog.=) ANY ($1)"
"), dependent (class, object, part, relation) AS ("
" SELECT DISTINCT CASE WHEN v.oid IS NULL THEN d.classid ELSE 'pg_catalog.pg_class'::pg_catalog.regclass END,"
" CASE WHEN v.oid IS NULL THEN d.objid ELSE v.oid END,"
" CASE WHEN v.oid IS NULL THEN d.objsubid ELSE 0 END,"
" CASE WHEN d.classid OPERATOR(pg_catalog.=) 'pg_catalog.pg_class'::pg_catalog.regclass THEN d.objid"
" ELSE w.ev_class END"
" FROM going AS g JOIN pg_catalog.pg_depend AS d ON d.refclassid OPERATOR(pg_catalog.=) g.class"
" AND d.refobjid OPERATOR(pg_catalog.=) g.object AND d.deptype OPERATOR(pg_catalog.=) 'n'"
" LEFT JOIN pg_catalog.pg_rewrite AS w ON w.oid OPERATOR(pg_catalog.=) d.objid"
" AND d.classid OPERATOR(pg_catalog.=) 'pg_catalog.pg_rewrite'::pg_catalog.regclass"
" LEFT JOIN pg_catalog.pg_class AS v ON v.oid OPERATOR(pg_catalog.=) w.ev_class"
" AND v.relkind OPERATOR(pg_catalog.=) ANY ('{v,m}'::pg_catalog.\"char\"[])"
" WHERE NOT EXISTS (SELECT FROM pg_catalog.pg_depend AS own"
" WHERE own.classid OPERATOR(pg_catalog.=) d.classid AND own.objid OPERATOR(pg_catalog.=) d.objid"
" AND own.deptype OPERATOR(pg_catalog.=) ANY ('{a,i}'::pg_catalog.\"char\"[])"
" AND own.refclassid OPERATOR(pg_catalog.=) 'pg_catalog.pg_class'::pg_catalog.regclass"
" AND own.refobjid OPERATOR(pg_catalog.=) ANY ($1))"
"), named (name) AS ("
" SELECT CASE WHEN s.oid IS NULL OR pg_catalog.has_schema_privilege(s.oid, 'USAGE')"
" THEN pg_catalog.pg_describe_object(d.class, d.object, d.part) END"
" FROM dependent AS d"
" LEFT JOIN pg_catalog.pg_class AS c ON c.oid OPERATOR(pg_catalog.=) d.relation"
" LEFT JOIN pg_catalog.pg_proc AS p ON d.class OPERATOR(pg_catalog.=) 'pg_catalog.pg_proc'::pg_catalog.regclass"
" AND p.oid OPERATOR(pg_catalog.=) d.object"
" LEFT JOIN pg_catalog.pg_namespace AS s"
" ON s.oid OPERATOR(pg_catalog.=) COALESCE(c.relnamespace, p.pronamespace)"
") SELECT name FROM named ORDER BY name COLLATE pg_catalog.\"C\"";

/* oid_array makes an array of a list of OIDs. */
static Datum
oid_array(List *oids)
{
	Datum	   *elements = palloc(sizeof(Datum) * Max(list_length(oids), 1));
	ListCell   *cell;

	foreach(cell, oids)
		elements[foreach_current_index(cell)] = ObjectIdGetDatum(lfirst_oid(cell));
	return PointerGetDatum(construct_array(elements, list_length(oids), OIDOID, sizeof(Oid), true,
										   TYPALIGN_INT));
}

/* refuse raises the error; names is what depends, or NULL where that is not known. */
static void
refuse(const char *release, const char *names)
{
	ereport(ERROR,
			(errcode(ERRCODE_DEPENDENT_OBJECTS_STILL_EXIST),
			 errmsg("release \"%s\" cannot be replaced, other objects depend on it", release),
			 names == NULL ? errdetail("Its columns change.") :
			 errdetail("Its columns change, and these objects depend on it: %s.", names),
			 errhint("Drop or change those objects first, or name another target.")));
}

/* list_dependents puts the result of the query together, in the caller's memory; NULL: there are none. */
static char *
list_dependents(MemoryContext context)
{
	MemoryContext old = MemoryContextSwitchTo(context);
	uint64		count = sdc_spi_rows();
	uint64		named = 0;
	StringInfoData list;

	initStringInfo(&list);
	for (uint64 i = 0; i < count && named < NAMES_MOST; i++)
	{
		char	   *name = SPI_getvalue(SPI_tuptable->vals[i], SPI_tuptable->tupdesc, 1);

		if (name != NULL)
			appendStringInfo(&list, "%s%s", named++ == 0 ? "" : ", ", name);
	}
	if (count > named)
		appendStringInfo(&list, named > 0 ? " and " UINT64_FORMAT " more" :
						 UINT64_FORMAT " in schemas that you may not use", count - named);
	MemoryContextSwitchTo(old);
	return count > 0 ? list.data : NULL;
}

/* find_dependents describes what depends on some relations; NULL: nothing. */
static char *
find_dependents(List *relations)
{
	MemoryContext context = CurrentMemoryContext;
	Oid			types[] = {OIDARRAYOID};
	Datum		values[] = {oid_array(relations)};
	char	   *names;

	sdc_spi_connect();
	sdc_spi_run_args(dependents_query, SPI_OK_SELECT, 1, types, values, NULL);
	names = list_dependents(context);
	sdc_spi_finish();
	return names;
}

/* sdc_dependents_check looks before anything is dropped. */
void
sdc_dependents_check(const char *release, List *relations)
{
	char	   *names = find_dependents(relations);

	if (names != NULL)
		refuse(release, names);
}

/* sdc_dependents_check_withdrawn does so for a publication. */
void
sdc_dependents_check_withdrawn(const char *publication, Oid relation)
{
	char	   *names = find_dependents(list_make1_oid(relation));

	if (names != NULL)
		ereport(ERROR,
				(errcode(ERRCODE_DEPENDENT_OBJECTS_STILL_EXIST),
				 errmsg("publication \"%s\" cannot be withdrawn, other objects depend on it", publication),
				 errdetail("These objects depend on it: %s.", names),
				 errhint("Drop those objects first: they show the published table.")));
}

/* sdc_dependents_drop drops what something may have come to depend on since it was checked. */
void
sdc_dependents_drop(const char *release, Oid relation)
{
	MemoryContext context = CurrentMemoryContext;

	PG_TRY();
	{
		sdc_spi_run(psprintf("DROP %s %s", get_rel_relkind(relation) == RELKIND_VIEW ? "VIEW" : "TABLE",
							 sdc_spi_relation_name(relation)), SPI_OK_UTILITY);
	}
	PG_CATCH();
	{
		if (geterrcode() != ERRCODE_DEPENDENT_OBJECTS_STILL_EXIST)
			PG_RE_THROW();
		/* the transaction fails nevertheless */
		MemoryContextSwitchTo(context);
		FlushErrorState();
		refuse(release, NULL);
	}
	PG_END_TRY();
}
