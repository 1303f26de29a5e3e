/*-------------------------------------------------------------------------
 *
 * replaceable.c
 *		Where a table can be written, and what keeps one that is there from getting a new heap.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "catalog/catalog.h"
#include "catalog/namespace.h"
#include "catalog/pg_index.h"
#include "catalog/pg_inherits.h"
#include "catalog/pg_type.h"
#include "commands/tablecmds.h"
#include "miscadmin.h"
#include "relation/base/compat.h"
#include "relation/base/spi.h"
#include "relation/read/distributed.h"
#include "relation/rights/trust.h"
#include "relation/write/replaceable.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"

/* sdc_replaceable_schema: see replaceable.h. */
Oid
sdc_replaceable_schema(const char *what, RangeVar *range, LOCKMODE lock, Oid *existing)
{
	Oid			schema = RangeVarGetCreationNamespace(range);
	const char *name = get_namespace_name(schema);

	if (IsCatalogNamespace(schema) || IsToastNamespace(schema))
		ereport(ERROR,
				(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
				 errmsg("schema \"%s\" is the server's own, a %s cannot be there", name, what),
				 errhint("Name a target in another schema.")));
	if (!sdc_has_schema_right(schema, GetUserId(), ACL_CREATE))
		ereport(ERROR,
				(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
				 errmsg("permission denied for schema %s", name),
				 errdetail("Role \"%s\" may not create a %s there.", GetUserNameFromId(GetUserId(), false), what),
				 errhint("Name a target in another schema, or GRANT CREATE ON SCHEMA %s TO the role.",
						 quote_identifier(name))));
	return RangeVarGetAndCheckCreationNamespace(range, lock, existing);
}

/* check_local insists on a table whose rows are where a replacement would write them. */
static void
check_local(const char *what, const char *name, Oid relid)
{
	if (sdc_distributed_is(relid))
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("%s \"%s\" is a distributed or reference table", what, name),
				 errdetail("Its rows are on several servers, and readers would keep the old ones."),
				 errhint("Name another target; then, in one transaction, DELETE the rows of this table and INSERT those of the other.")));
}

/* sdc_replaceable_check_table: see replaceable.h. */
void
sdc_replaceable_check_table(const char *what, const char *name, Oid relid)
{
	Oid			types[] = {OIDOID};
	Datum		values[] = {ObjectIdGetDatum(relid)};
	uint64		count;

	check_local(what, name, relid);
	sdc_spi_connect();
	sdc_spi_run_args("SELECT FROM pg_catalog.pg_constraint "
					 "WHERE (conrelid OPERATOR(pg_catalog.=) $1 OR confrelid OPERATOR(pg_catalog.=) $1) "
					 "AND contype OPERATOR(pg_catalog.=) ANY (ARRAY['c', 'f', 'x']::pg_catalog.\"char\"[])",
					 SPI_OK_SELECT, 1, types, values, NULL);
	count = SPI_processed;
	sdc_spi_finish();
	if (get_rel_relispartition(relid) || has_superclass(relid) ||
		find_inheritance_children(relid, NoLock) != NIL)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("%s \"%s\" is a partition or has inheritance", what, name),
				 errdetail("A replacement is not checked against partition bounds."),
				 errhint("Detach it, or name another target.")));
	if (count > 0)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("%s \"%s\" has a check, foreign key or exclusion constraint", what, name),
				 errdetail("A replacement is not checked against it."),
				 errhint("Drop the constraint, or name another target.")));
}

/* sdc_replaceable_check_index: see replaceable.h. */
void
sdc_replaceable_check_index(const char *what, const char *name, Relation index, bool rows)
{
	if (!heap_attisnull(index->rd_indextuple, Anum_pg_index_indexprs, NULL) ||
		!heap_attisnull(index->rd_indextuple, Anum_pg_index_indpred, NULL))
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("%s \"%s\" has index \"%s\" on an expression or with a condition",
						what, name, RelationGetRelationName(index)),
				 errhint("Drop the index, or name another target.")));
	sdc_trust_require_index(RelationGetRelid(index), rows);
}
