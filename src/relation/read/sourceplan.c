/*-------------------------------------------------------------------------
 *
 * sourceplan.c
 *		The plan of a relation to protect: what happens to each attribute.
 *
 * Everything that can be wrong with a request is found here, before a row is
 * read: the kind of relation, names, types, keys, privileges on columns.
 *
 * What happens to a column, in this order: a key column stays; a column named in
 * omit, or classified as identifier, is left out; a column that names the unit of a record stays; a column named in
 * keep is copied; a column named in
 * columns is protected; without columns every numeric column is that is not
 * classified as sensitive or public; a column that forms the strata, or that the method reads
 * besides, is copied; with keep what is left by now is left out; a generated column that is computed
 * from a protected or omitted column is left out, because its values would
 * tell the original ones; the rest is copied.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/relation.h"
#include "access/sysattr.h"
#include "catalog/pg_index.h"
#include "nodes/bitmapset.h"
#include "nodes/readfuncs.h"
#include "optimizer/optimizer.h"
#include "relation/base/compat.h"
#include "relation/base/names.h"
#include "relation/base/spi.h"
#include "relation/column/paircodes.h"
#include "relation/read/distributed.h"
#include "relation/read/missing.h"
#include "relation/read/source.h"
#include "relation/read/unitplan.h"
#include "relation/read/weights.h"
#include "relation/rights/label.h"
#include "relation/rights/trust.h"
#include "rewrite/rewriteHandler.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/relcache.h"
#include "utils/syscache.h"

/* describe_attributes fills in the columns that are not dropped. */
static void
describe_attributes(SdcSource *source, Relation rel)
{
	TupleDesc	desc = RelationGetDescr(rel);
	SdcRole    *roles = source->as_registered ? NULL : sdc_label_roles(source->relid, NULL);

	source->attributes = palloc0(sizeof(SdcAttribute) * Max(desc->natts, 1));
	for (int i = 0; i < desc->natts; i++)
	{
		Form_pg_attribute att = TupleDescAttr(desc, i);
		SdcAttribute *attribute = &source->attributes[source->attribute_count];

		if (att->attisdropped)
			continue;
		attribute->attnum = att->attnum;
		attribute->name = att->attname;
		attribute->typmod = att->atttypmod;
		attribute->generated = att->attgenerated != '\0';
		attribute->role = roles == NULL ? SDC_ROLE_NONE : roles[i];
		attribute->action = SDC_ACTION_COPIED;
		sdc_type_lookup(&attribute->type, att->atttypid, att->attcollation);
		source->attribute_count++;
	}
}

/* require_physical_order insists on one for a relation without a key. */
static void
require_physical_order(const SdcSource *source)
{
	const char *reason = source->relkind == RELKIND_VIEW || source->relkind == RELKIND_FOREIGN_TABLE ?
		"The records of a view or foreign table have no physical order." : sdc_distributed_no_order(source->relid);

	if (reason != NULL)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("relation \"%s\" has no primary key", source->name),
				 errdetail("%s", reason),
				 errhint("Name the columns that identify a record in argument \"key\".")));
}

/* plan_key decides what identifies a record. */
static void
plan_key(SdcSource *source, const SdcSourceRequest *request)
{
	/* an evaluation takes the key that the release was made with, if it was one */
	List	   *names = request->key_given ? request->key :
		request->as_registered || request->unordered ? NIL : sdc_source_primary_key(source->relid);
	ListCell   *cell;

	if (request->key_given && names == NIL)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("argument \"key\" must name at least one column"),
				 errhint("Leave the argument out to use the primary key.")));
	if (request->unordered)
		return;
	if (names == NIL)
		require_physical_order(source);
	if (names == NIL && !request->only_needed)
		ereport(NOTICE,
				(errmsg("relation \"%s\" has no primary key, its records are numbered in physical order",
						source->name),
				 errhint("Name the columns that identify a record in argument \"key\".")));

	source->key = palloc(sizeof(int) * Max(list_length(names), 1));
	foreach(cell, names)
	{
		int			i = sdc_source_find_attribute(source, lfirst(cell), "key");
		SdcAttribute *attribute = &source->attributes[i];

		sdc_source_require_order(source, attribute, "part of the key");
		attribute->action = SDC_ACTION_KEY;
		attribute->named = request->key_given;
		attribute->type.collation = sdc_type_order_collation(attribute->type.collation);
		source->key[source->key_count++] = i;
	}
}

/* plan_omitted marks the columns that are left out. */
static void
plan_omitted(SdcSource *source, const SdcSourceRequest *request)
{
	ListCell   *cell;

	foreach(cell, request->omit)
	{
		SdcAttribute *attribute = &source->attributes[sdc_source_find_attribute(source, lfirst(cell), "omit")];

		if (attribute->action == SDC_ACTION_KEY)
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("column \"%s\" cannot be omitted, it is part of the key",
							NameStr(attribute->name)),
					 errhint("A protected table keeps the key so that it can be evaluated; leave the key out of what is published.")));
		attribute->action = SDC_ACTION_OMITTED;
	}
	for (int i = 0; i < source->attribute_count; i++)
	{
		SdcAttribute *attribute = &source->attributes[i];

		if (attribute->role == SDC_ROLE_IDENTIFIER && attribute->action != SDC_ACTION_KEY)
			attribute->action = SDC_ACTION_OMITTED;
	}
}

/* plan_kept marks the columns that are copied on purpose. */
static void
plan_kept(SdcSource *source, const SdcSourceRequest *request)
{
	ListCell   *cell;

	foreach(cell, request->keep)
	{
		SdcAttribute *attribute = &source->attributes[sdc_source_find_attribute(source, lfirst(cell), "keep")];

		if (attribute->action == SDC_ACTION_KEY)
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("column \"%s\" cannot be kept, it is part of the key",
							NameStr(attribute->name)),
					 errhint("Leave it out of argument \"keep\": a protected table always has the key.")));
		if (attribute->action == SDC_ACTION_OMITTED)
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("column \"%s\" cannot be both kept and left out", NameStr(attribute->name)),
					 attribute->role == SDC_ROLE_IDENTIFIER ?
					 errdetail("It is classified as identifier.") : 0,
					 errhint("Leave it out of argument \"keep\".")));
		attribute->kept = attribute->named = true;
	}
}

/* is_any_weight tells whether a column is never protected because it is a weight, of this call or of another one. */
static bool
is_any_weight(const SdcAttribute *attribute)
{
	return attribute->is_weight || attribute->role == SDC_ROLE_WEIGHT;
}

/* named_in returns the argument that can name the protected columns. */
static const char *
named_in(const SdcSourceRequest *request)
{
	return request->columns_argument != NULL ? request->columns_argument : "columns";
}

/* place_of returns the argument that names a protected column. */
static const char *
place_of(const SdcSourceRequest *request, const char *name)
{
	int			place = sdc_names_index(request->columns, name);

	return place < 0 || request->places == NIL ? named_in(request) : list_nth(request->places, place);
}

/* protect_named marks one column that an argument names. */
static void
protect_named(SdcSource *source, const SdcSourceRequest *request, const char *name)
{
	const char *argument = place_of(request, name);
	SdcAttribute *attribute = &source->attributes[sdc_source_find_attribute(source, name, argument)];

	if (attribute->action == SDC_ACTION_KEY)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("column \"%s\" cannot be protected, it is part of the key", name),
				 errhint("Leave it out of argument \"%s\", or name another key.", argument)));
	if (attribute->action == SDC_ACTION_COMPUTED)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("column \"%s\" cannot be both protected and computed", name),
				 errhint("Leave it out of argument \"%s\" or of argument \"totals\".", argument)));
	if (attribute->action == SDC_ACTION_UNIT)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("column \"%s\" cannot be protected, it names the unit of a record", name),
				 errhint("Leave it out of argument \"%s\"; argument \"unit\" names other columns.", argument)));
	/* another tool may have protected it, or it was grouped; it stays that of a home whose people go elsewhere */
	if (is_any_weight(attribute) && !source->as_registered &&
		(attribute->action == SDC_ACTION_GROUPED || !sdc_names_have(request->carried, name)))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("column \"%s\" cannot be protected, it is a weight", name),
				 errdetail("A weight says how many people a record stands for, and is released as it is, or grouped."),
				 errhint("Leave it out of argument \"%s\".", argument)));
	if (attribute->generated)
		ereport(ERROR,
				(errcode(ERRCODE_GENERATED_ALWAYS),
				 errmsg("column \"%s\" cannot be protected, it is a generated column", name),
				 errhint("Protect the columns that it is computed from.")));
	if (attribute->action == SDC_ACTION_OMITTED)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("column \"%s\" cannot be both protected and left out", name),
				 attribute->role == SDC_ROLE_IDENTIFIER ?
				 errdetail("It is classified as identifier.") : 0));
	if (attribute->kept)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("column \"%s\" cannot be both protected and kept", name),
				 errhint("Leave it out of argument \"%s\" or of argument \"keep\".", argument)));
	sdc_source_require_order(source, attribute, "protected");
	attribute->action = SDC_ACTION_PROTECTED;
	source->protected_count++;
}

/*
 * protect_others marks columns that no argument names: all numeric ones where none are named, and the
 * numbers and times beside those that are where the complement is asked for.
 */
static void
protect_others(SdcSource *source, const SdcSourceRequest *request, const List *strata)
{
	for (int i = 0; i < source->attribute_count; i++)
	{
		SdcAttribute *attribute = &source->attributes[i];
		bool		numeric = sdc_type_is_numeric(attribute->type.typid);

		if (attribute->action != SDC_ACTION_COPIED || attribute->generated || attribute->kept ||
			is_any_weight(attribute) || attribute->role == SDC_ROLE_SENSITIVE || attribute->role == SDC_ROLE_PUBLIC ||
			list_member_int(strata, attribute->attnum) ||
			sdc_names_have(request->read_besides, NameStr(attribute->name)))
			continue;
		attribute->complement = request->columns_given || !numeric;
		if (attribute->complement ? !request->complement ||
			attribute->type.kind == SDC_VALUE_NOMINAL : false)
			continue;
		attribute->action = SDC_ACTION_PROTECTED;
		source->protected_count++;
	}
}

/* plan_protected marks the columns to protect; an evaluation may need none of them, and the key alone. */
static void
plan_protected(SdcSource *source, const SdcSourceRequest *request)
{
	List	   *strata = NIL;	/* attribute numbers */
	ListCell   *cell;

	foreach(cell, request->strata)
		strata = lappend_int(strata, sdc_source_find_column(source->relid, lfirst(cell), "strata"));
	foreach(cell, request->columns)
		protect_named(source, request, lfirst(cell));
	protect_others(source, request, strata);
	if (source->protected_count == 0 && request->also == NIL && !request->as_registered)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("no column of relation \"%s\" is to be protected", source->name),
				 errhint("Name columns in argument \"columns\"; the default is every numeric column that is neither part of the key or the strata nor classified otherwise.")));
}

/* plan_strata marks the columns that form the strata. */
static void
plan_strata(SdcSource *source, const SdcSourceRequest *request)
{
	ListCell   *cell;

	source->strata = palloc(sizeof(int) * Max(list_length(request->strata), 1));
	foreach(cell, request->strata)
	{
		int			i = sdc_source_find_attribute(source, lfirst(cell), "strata");
		SdcAttribute *attribute = &source->attributes[i];

		if (attribute->action == SDC_ACTION_PROTECTED)
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("column \"%s\" cannot be protected, it forms the strata",
							NameStr(attribute->name)),
					 errhint("Leave it out of argument \"%s\" or of argument \"strata\".",
							 place_of(request, NameStr(attribute->name)))));
		sdc_source_require_order(source, attribute, "used for strata");
		if (attribute->action != SDC_ACTION_KEY)
			attribute->type.collation = sdc_type_order_collation(attribute->type.collation);
		attribute->named = true;
		source->strata[source->strata_count++] = i;
	}
}

/*
 * plan_unnamed leaves out what no argument names, where the caller has said what is kept.  Names that
 * the method takes besides are checked by the method.
 */
static void
plan_unnamed(SdcSource *source, const SdcSourceRequest *request)
{
	for (int i = 0; i < source->attribute_count; i++)
	{
		SdcAttribute *attribute = &source->attributes[i];

		if (sdc_names_have(request->read_besides, NameStr(attribute->name)))
			attribute->named = attribute->of_method = true;
		if (request->keep_given && attribute->action == SDC_ACTION_COPIED && !attribute->named)
			attribute->action = SDC_ACTION_OMITTED;
	}
}

/* computed_from_hidden tells whether a generated column tells what is not to be told. */
static bool
computed_from_hidden(SdcSource *source, Relation rel, SdcAttribute *attribute)
{
	Bitmapset  *used = NULL;

	pull_varattnos(build_column_default(rel, attribute->attnum), 1, &used);
	for (int i = 0; i < source->attribute_count; i++)
	{
		SdcAttribute *other = &source->attributes[i];

		if ((other->action == SDC_ACTION_PROTECTED || other->action == SDC_ACTION_OMITTED) &&
			bms_is_member(other->attnum - FirstLowInvalidHeapAttributeNumber, used))
			return true;
	}
	return false;
}

/*
 * plan_generated leaves out the generated columns that are computed from a column
 * that is protected or left out: a copy would tell the original values.  One that is named in
 * keep is an error.
 */
static void
plan_generated(SdcSource *source, Relation rel)
{
	StringInfoData left_out;
	int			count = 0;

	initStringInfo(&left_out);
	for (int i = 0; i < source->attribute_count; i++)
	{
		SdcAttribute *attribute = &source->attributes[i];

		if (!attribute->generated || attribute->action == SDC_ACTION_OMITTED ||
			!computed_from_hidden(source, rel, attribute))
			continue;
		if (attribute->action == SDC_ACTION_KEY)
			ereport(ERROR,
					(errcode(ERRCODE_GENERATED_ALWAYS),
					 errmsg("generated column \"%s\" cannot be part of the key", NameStr(attribute->name)),
					 errdetail("It is computed from columns that are protected or left out, and the key stays in the release."),
					 errhint("Name another key.")));
		if (attribute->kept)
			ereport(ERROR,
					(errcode(ERRCODE_GENERATED_ALWAYS),
					 errmsg("generated column \"%s\" cannot be kept", NameStr(attribute->name)),
					 errdetail("It is computed from columns that are protected or left out."),
					 errhint("Leave it out of argument \"keep\", or keep the columns that it is computed from.")));
		attribute->action = SDC_ACTION_OMITTED;
		sdc_spi_append_name(&left_out, NameStr(attribute->name), count++ == 0);
	}
	if (count > 0)
		ereport(NOTICE,
				(errcode(ERRCODE_GENERATED_ALWAYS),
				 errmsg_plural("generated column %s is left out, it is computed from columns that are protected or left out",
							   "generated columns %s are left out, they are computed from columns that are protected or left out",
							   count, left_out.data)));
	pfree(left_out.data);
}

/*
 * add_expression_columns adds the columns that the expressions of an index use.  They are taken from the
 * system catalog: the relation cache would evaluate what is constant in them.
 */
static Bitmapset *
add_expression_columns(Bitmapset *used, Relation index)
{
	bool		isnull;
	Datum		expressions = SysCacheGetAttr(INDEXRELID, index->rd_indextuple,
											  Anum_pg_index_indexprs, &isnull);

	if (!isnull)
		pull_varattnos(stringToNode(TextDatumGetCString(expressions)), 1, &used);
	return used;
}

/*
 * warn_unique_columns names the copied columns that carry a unique index: their
 * values identify records in the release as well as a key does.
 */
static void
warn_unique_columns(SdcSource *source, Relation rel)
{
	Bitmapset  *kept = NULL;
	Bitmapset  *named = NULL;
	Bitmapset  *alone = NULL;	/* unique without another column */
	StringInfoData list;
	int			count = 0;
	ListCell   *cell;

	for (int i = 0; i < source->attribute_count; i++)
	{
		SdcAction	action = source->attributes[i].action;

		if (action == SDC_ACTION_COPIED || action == SDC_ACTION_KEY)
			kept = bms_add_member(kept, source->attributes[i].attnum -
								  FirstLowInvalidHeapAttributeNumber);
	}
	foreach(cell, RelationGetIndexList(rel))
	{
		Relation	index = index_open(lfirst_oid(cell), AccessShareLock);
		Bitmapset  *used = NULL;

		if (index->rd_index->indisunique)
		{
			for (int i = 0; i < index->rd_index->indnkeyatts; i++)
				if (index->rd_index->indkey.values[i] != 0)
					used = bms_add_member(used, index->rd_index->indkey.values[i] -
										  FirstLowInvalidHeapAttributeNumber);
			used = add_expression_columns(used, index);
			if (bms_is_subset(used, kept))
				named = bms_add_members(named, used);
			if (bms_membership(used) == BMS_SINGLETON &&
				heap_attisnull(index->rd_indextuple, Anum_pg_index_indpred, NULL))
				alone = bms_add_members(alone, used);
		}
		index_close(index, AccessShareLock);
	}

	initStringInfo(&list);
	for (int i = 0; i < source->attribute_count; i++)
	{
		SdcAttribute *attribute = &source->attributes[i];

		attribute->unique = bms_is_member(attribute->attnum - FirstLowInvalidHeapAttributeNumber, alone);
		if (attribute->action == SDC_ACTION_COPIED &&
			bms_is_member(attribute->attnum - FirstLowInvalidHeapAttributeNumber, named))
			sdc_spi_append_name(&list, NameStr(attribute->name), count++ == 0);
	}
	if (count > 0)
		ereport(WARNING,
				(errcode(ERRCODE_WARNING),
				 errmsg_plural("column %s is copied although it carries a unique index",
							   "columns %s are copied although they carry a unique index",
							   count, list.data),
				 errdetail("Unique values identify records in the release."),
				 errhint("Leave such columns out with argument \"omit\", or classify them as identifier.")));
	pfree(list.data);
}

/* warn_unprotected names the quasi-identifiers that are copied as they are. */
static void
warn_unprotected(SdcSource *source, const char *argument)
{
	StringInfoData list;
	int			count = 0;

	initStringInfo(&list);
	for (int i = 0; i < source->attribute_count; i++)
	{
		SdcAttribute *attribute = &source->attributes[i];

		if (attribute->action == SDC_ACTION_COPIED &&
			attribute->role == SDC_ROLE_QUASI_IDENTIFIER)
			sdc_spi_append_name(&list, NameStr(attribute->name), count++ == 0);
	}
	if (count > 0)
		ereport(WARNING,
				(errcode(ERRCODE_WARNING),
				 errmsg_plural("quasi-identifier %s is copied without protection",
							   "quasi-identifiers %s are copied without protection",
							   count, list.data),
				 errhint("Name a quasi-identifier in argument \"%s\", unless it forms the strata.", argument)));
	pfree(list.data);
}

/*
 * check_privileges raises an error when the caller may not read a column that is
 * to be read.  The server checks again when the rows are read; this is for a
 * message that names the column and what to do.
 */
static void
check_privileges(SdcSource *source)
{
	Oid			user = GetUserId();

	if (pg_class_aclcheck(source->relid, user, ACL_SELECT) == ACLCHECK_OK)
		return;
	/* the physical order is nobody's who may read some columns only */
	if (source->key_count == 0 && !source->unordered)
		aclcheck_error(ACLCHECK_NO_PRIV, get_relkind_objtype(source->relkind), source->name);
	for (int i = 0; i < source->attribute_count; i++)
	{
		SdcAttribute *attribute = &source->attributes[i];

		if (attribute->read &&
			pg_attribute_aclcheck(source->relid, attribute->attnum, user, ACL_SELECT) != ACLCHECK_OK)
			ereport(ERROR,
					(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
					 errmsg("permission denied for column \"%s\" of relation \"%s\"",
							NameStr(attribute->name), source->name),
					 attribute->action == SDC_ACTION_COPIED && !source->only_needed ?
					 errhint("A column that is only copied can be left out with argument \"omit\".") : 0));
	}
}

/* plan_only_needed leaves out what is neither key nor protected nor asked for. */
static void
plan_only_needed(SdcSource *source, const SdcSourceRequest *request)
{
	Bitmapset  *also = NULL;
	ListCell   *cell;

	foreach(cell, request->also)
	{
		int			i = sdc_source_find_attribute(source, lfirst(cell), "columns");

		sdc_source_require_order(source, &source->attributes[i], "used as a category");
		/* whatever it is classified as: nothing is released */
		if (source->attributes[i].action == SDC_ACTION_OMITTED)
			source->attributes[i].action = SDC_ACTION_COPIED;
		source->attributes[i].type.collation =
			sdc_type_order_collation(source->attributes[i].type.collation);
		also = bms_add_member(also, i);
	}
	for (int i = 0; i < source->attribute_count; i++)
		if (source->attributes[i].action == SDC_ACTION_COPIED && !bms_is_member(i, also))
			source->attributes[i].action = SDC_ACTION_OMITTED;
}

/* check_row_column insists that a release can get the column sdc_row. */
static void
check_row_column(SdcSource *source)
{
	int			kept = 0;

	for (int i = 0; i < source->attribute_count; i++)
	{
		if (source->attributes[i].action == SDC_ACTION_OMITTED)
			continue;
		kept++;
		if (strcmp(NameStr(source->attributes[i].name), SDC_ROW_COLUMN) == 0)
			ereport(ERROR,
					(errcode(ERRCODE_DUPLICATE_COLUMN),
					 errmsg("relation \"%s\" has a column \"%s\" and no primary key",
							source->name, SDC_ROW_COLUMN),
					 errhint("Use it as the key with key => '{%s}', or leave it out with argument \"omit\".",
							 SDC_ROW_COLUMN)));
	}
	if (kept >= MaxHeapAttributeNumber)
		ereport(ERROR,
				(errcode(ERRCODE_TOO_MANY_COLUMNS),
				 errmsg("a release of relation \"%s\" would have more than %d columns",
						source->name, MaxHeapAttributeNumber),
				 errdetail("Without a key it gets the column \"%s\".", SDC_ROW_COLUMN),
				 errhint("Name a key, or leave columns out with argument \"omit\".")));
}

/* plan_reading decides which columns are read from the source. */
static void
plan_reading(SdcSource *source)
{
	for (int i = 0; i < source->attribute_count; i++)
		source->attributes[i].read = source->attributes[i].action != SDC_ACTION_OMITTED ||
			source->attributes[i].is_weight;
	for (int i = 0; i < source->strata_count; i++)
		source->attributes[source->strata[i]].read = true;
	for (int i = 0; i < source->unit_count; i++)
		source->attributes[source->unit[i]].read = true;
	if (sdc_source_has_row_column(source))
		check_row_column(source);
}

/*
 * sdc_source_plan checks a request and decides what happens to every column.
 * The source stays locked against changes of its definition until the end of
 * the transaction.
 */
SdcSource *
sdc_source_plan(const SdcSourceRequest *request)
{
	SdcSource  *source = palloc0(sizeof(SdcSource));
	Relation	rel;

	rel = sdc_source_open(request->relid, AccessShareLock);
	sdc_source_check_kind(request->relid);
	sdc_source_check_readable(request->relid);
	source->relid = request->relid;
	source->relkind = rel->rd_rel->relkind;
	source->name = pstrdup(RelationGetRelationName(rel));
	source->schema = get_namespace_name(RelationGetNamespace(rel));
	source->keeps_row_type = request->keeps_row_type;
	source->as_registered = request->as_registered;
	source->only_needed = request->only_needed;
	source->unordered = request->unordered;
	describe_attributes(source, rel);
	plan_key(source, request);
	plan_omitted(source, request);
	plan_kept(source, request);
	sdc_unitplan_make(source, request);
	sdc_weights_plan(source, request);
	plan_protected(source, request);
	plan_strata(source, request);
	plan_unnamed(source, request);
	if (request->only_needed)
		plan_only_needed(source, request);
	else
		plan_generated(source, rel);
	plan_reading(source);
	sdc_missing_plan(source, request);
	check_privileges(source);
	source->reader = sdc_trust_reader(source->relid, request->unnamed);
	if (!request->only_needed)
	{
		warn_unique_columns(source, rel);
		if (!request->breaks_link)
			warn_unprotected(source, named_in(request));
	}
	relation_close(rel, NoLock);
	return source;
}
