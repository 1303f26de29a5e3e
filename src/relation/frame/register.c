/*-------------------------------------------------------------------------
 *
 * register.c
 *		Classifying columns, and registering releases made elsewhere.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/relation.h"
#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "relation/base/compat.h"
#include "relation/base/memory.h"
#include "relation/base/names.h"
#include "relation/base/progress.h"
#include "relation/base/spi.h"
#include "relation/catalog/catalog.h"
#include "relation/catalog/privatestate.h"
#include "relation/frame/openrelease.h"
#include "relation/frame/publications.h"
#include "relation/frame/register.h"
#include "relation/read/reader.h"
#include "relation/read/weights.h"
#include "relation/rights/label.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/rel.h"

/* require_owner insists that the caller owns a relation. */
static void
require_owner(Oid relid)
{
	if (!sdc_is_relation_owner(relid, GetUserId()))
		aclcheck_error(ACLCHECK_NOT_OWNER, get_relkind_objtype(get_rel_relkind(relid)),
					   get_rel_name(relid));
}

/*
 * lock_entry keeps other sessions from changing what the catalog knows of a relation
 * until the end of the transaction, as COMMENT and SECURITY LABEL do.
 */
static void
lock_entry(Oid relid)
{
	relation_close(sdc_source_open(relid, ShareUpdateExclusiveLock), NoLock);
}

/* sdc_register_role sets or removes the role of a column. */
void
sdc_register_role(Oid relid, const char *attribute, const char *role)
{
	PreventCommandIfReadOnly("sdc_classify()");
	if (role != NULL)
		sdc_label_check(role);
	sdc_source_check_kind(relid);
	require_owner(relid);
	lock_entry(relid);
	sdc_label_set(relid, sdc_source_find_column(relid, attribute, "attribute"), role);
}

/*
 * common_columns lists the columns that source and release both have with one type, without the key: those that a
 * registration that names none is about.  Without an order of its values a column cannot be one.
 */
static List *
common_columns(const SdcRegistration *registration)
{
	List	   *key = registration->key_given ? registration->key : sdc_source_primary_key(registration->source);
	Relation	rel = sdc_source_open(registration->source, AccessShareLock);
	TupleDesc	desc = RelationGetDescr(rel);
	SdcRole    *roles = sdc_label_roles(registration->source, NULL);
	List	   *names = NIL;

	for (int i = 0; i < desc->natts; i++)
	{
		Form_pg_attribute att = TupleDescAttr(desc, i);
		AttrNumber	number = att->attisdropped ? InvalidAttrNumber :
			get_attnum(registration->release, NameStr(att->attname));
		SdcType		type;

		if (number <= 0 || get_atttype(registration->release, number) != att->atttypid ||
			att->attgenerated != '\0' || sdc_names_have(key, NameStr(att->attname)) ||
			roles[i] == SDC_ROLE_IDENTIFIER || roles[i] == SDC_ROLE_UNIT || roles[i] == SDC_ROLE_WEIGHT ||
			(registration->weight != NULL && strcmp(registration->weight, NameStr(att->attname)) == 0) ||
			(registration->unit_given && sdc_names_have(registration->unit, NameStr(att->attname))))
			continue;
		sdc_type_lookup(&type, att->atttypid, att->attcollation);
		if (type.orderable)
			names = lappend(names, pstrdup(NameStr(att->attname)));
	}
	relation_close(rel, NoLock);
	if (names == NIL)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("relations \"%s\" and \"%s\" have no column in common but the key",
						get_rel_name(registration->source), get_rel_name(registration->release)),
				 errhint("Name the columns that were protected in argument \"columns\".")));
	return names;
}

/*
 * read_source plans and reads the source, counts and checksums it as a release of it would, and keeps
 * the keys.
 */
static SdcSource *
read_source(const SdcRegistration *registration, SdcSpool **spool)
{
	SdcSourceRequest request = {0};
	SdcSource  *source;

	request.relid = registration->source;
	request.columns_given = true;
	request.columns = registration->columns_given ? registration->columns : common_columns(registration);
	request.key_given = registration->key_given;
	request.key = registration->key;
	request.unit_given = true;
	request.unit = registration->unit_given ? registration->unit :
		sdc_label_columns(registration->source, SDC_ROLE_UNIT);
	request.missing = registration->missing;
	request.only_needed = true;
	source = sdc_source_plan(&request);
	for (int i = 0; i < source->attribute_count; i++)
		source->attributes[i].summed = true;
	*spool = sdc_spool_create(sdc_memory_budget() / 4, source->attribute_count + 2);
	sdc_reader_read(source, *spool);
	return source;
}

/* check_column insists that the release has a column of the source, with its type, or ranges, sets or labels. */
static void
check_column(const SdcSource *source, Oid release, const SdcAttribute *attribute, bool generalized)
{
	const char *name = NameStr(attribute->name);
	AttrNumber	number = get_attnum(release, name);
	Oid			type;

	if (number == InvalidAttrNumber)
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_COLUMN),
				 errmsg("column \"%s\" of relation \"%s\" does not exist", name, get_rel_name(release)),
				 errdetail("A release has the key and every protected column of its source \"%s\".",
						   source->name),
				 errhint("Name the columns that were protected in argument \"columns\".")));
	type = get_atttype(release, number);
	if (generalized && (get_range_subtype(type) != InvalidOid || get_element_type(type) == attribute->type.typid ||
						type == TEXTOID))
		return;
	if (type != attribute->type.typid)
		ereport(ERROR,
				(errcode(ERRCODE_DATATYPE_MISMATCH),
				 errmsg("column \"%s\" of relation \"%s\" has type %s, not %s as in \"%s\"",
						name, get_rel_name(release), format_type_be(type),
						format_type_be(attribute->type.typid), source->name)));
}

/* read_release reads the keys of the release. */
static SdcSource *
read_release(const SdcSource *source, Oid relid, SdcSpool **spool)
{
	SdcSourceRequest request = {0};
	SdcSource  *release;

	request.relid = relid;
	request.columns_given = true;
	for (int i = 0; i < source->key_count; i++)
		request.key = lappend(request.key, NameStr(source->attributes[source->key[i]].name));
	request.key_given = request.key != NIL;
	request.unordered = request.key == NIL;
	/* one protected column will do: a relation without a key is read for its number of records */
	for (int i = 0; i < source->attribute_count && request.also == NIL; i++)
		if (source->attributes[i].action == SDC_ACTION_PROTECTED)
			request.also = list_make1(NameStr(source->attributes[i].name));
	request.only_needed = true;
	release = sdc_source_plan(&request);
	for (int i = 0; i < release->attribute_count; i++)
		release->attributes[i].summed = true;
	*spool = sdc_spool_create(sdc_memory_budget() / 4, release->attribute_count + 2);
	sdc_reader_read(release, *spool);
	return release;
}

/* check_release insists that the release can be compared with its source. */
static void
check_release(const SdcRegistration *registration, const SdcSource *source)
{
	Oid			relid = registration->release;
	SdcSpool   *spool;
	SdcSource  *release;

	for (int i = 0; i < source->attribute_count; i++)
		if (source->attributes[i].action == SDC_ACTION_KEY ||
			source->attributes[i].action == SDC_ACTION_PROTECTED)
			check_column(source, relid, &source->attributes[i],
						 sdc_names_have(registration->generalized, NameStr(source->attributes[i].name)));
	release = read_release(source, relid, &spool);
	if (release->records != source->records)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("relation \"%s\" has " UINT64_FORMAT " records, and its source \"%s\" has " UINT64_FORMAT,
						release->name, release->records, source->name, source->records),
				 errhint("A release has one record for each record of its source.")));
	if (source->key_count > 0 && !sdc_openrelease_same_keys(source, release))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("relation \"%s\" does not have the keys of its source \"%s\"",
						release->name, source->name),
				 errhint("A release has one record for each record of its source, with the same key.")));
	sdc_spool_destroy(spool);
}

/* check_named insists that columns named in qi or sensitive exist on both sides. */
static void
check_named(const SdcRegistration *registration, List *names, const char *argument)
{
	ListCell   *cell;

	foreach(cell, names)
	{
		(void) sdc_source_find_column(registration->source, lfirst(cell), argument);
		(void) sdc_source_find_column(registration->release, lfirst(cell), argument);
	}
}

/* find_weight returns the column of the source that has the weights, or NULL. */
static const char *
find_weight(const SdcRegistration *registration, const SdcSource *source)
{
	const char *name = sdc_weights_name(registration->source, registration->weight_given, registration->weight);

	if (name == NULL)
		return NULL;
	sdc_weights_find(registration->source, name);
	for (int i = 0; i < source->attribute_count; i++)
		if (strcmp(NameStr(source->attributes[i].name), name) == 0 && source->attributes[i].of_unit)
			sdc_weights_refuse_unit(name);
	return name;
}

/* registration_row makes the catalog's row. */
static SdcReleaseRow
registration_row(const SdcRegistration *registration, const SdcSource *source, const char *weight)
{
	SdcReleaseRow row = {0};

	row.release = registration->release;
	row.source = registration->source;
	row.method = registration->method;
	row.parameters = registration->parameters;
	for (int i = 0; i < source->attribute_count; i++)
		if (source->attributes[i].action == SDC_ACTION_PROTECTED)
			row.columns = lappend(row.columns, NameStr(source->attributes[i].name));
	for (int i = 0; i < source->key_count; i++)
		row.key = lappend(row.key, NameStr(source->attributes[source->key[i]].name));
	for (int i = 0; i < source->unit_count; i++)
		row.unit = lappend(row.unit, NameStr(source->attributes[source->unit[i]].name));
	row.units = source->units_found;
	row.weight = weight;
	row.missing = unconstify(char *, registration->missing);
	row.qi = registration->qi;
	row.sensitive = registration->sensitive;
	row.records = source->records;
	row.checksum = source->checksum;
	return row;
}

/* sdc_register_release enters a table that another tool protected. */
void
sdc_register_release(const SdcRegistration *registration)
{
	SdcSource  *source;
	SdcSpool   *spool;
	SdcReleaseRow row;

	PreventCommandIfReadOnly("sdc_register()");
	if (registration->source == registration->release)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("a relation cannot be its own release")));
	sdc_source_check_kind(registration->release);
	require_owner(registration->release);
	lock_entry(registration->release);
	if (sdc_catalog_state(registration->catalog_schema, registration->release, NULL) == SDC_RELEASE_MADE)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("relation \"%s\" is a release made by sdc",
						get_rel_name(registration->release)),
				 errhint("Call sdc_unregister first.")));
	if (sdc_publications_has(registration->catalog_schema, registration->release))
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("relation \"%s\" is a publication, and no release", get_rel_name(registration->release))));
	check_named(registration, registration->qi, "qi");
	check_named(registration, registration->sensitive, "sensitive");

	sdc_spi_connect();
	sdc_progress_start(registration->source, 0);
	sdc_progress_relations(2);
	source = read_source(registration, &spool);
	check_release(registration, source);
	sdc_spool_destroy(spool);
	row = registration_row(registration, source, find_weight(registration, source));
	sdc_catalog_put(registration->catalog_schema, &row);
	sdc_spi_finish();
	sdc_progress_end();
}

/* sdc_register_forget forgets a release; its table stays. */
void
sdc_register_forget(Oid catalog_schema, Oid release)
{
	PreventCommandIfReadOnly("sdc_unregister()");
	require_owner(release);
	lock_entry(release);
	if (!sdc_catalog_remove(catalog_schema, release))
		sdc_catalog_refuse_unknown(release);
}

/* sdc_register_forget_state: see register.h. */
void
sdc_register_forget_state(Oid catalog_schema, Oid release)
{
	PreventCommandIfReadOnly("sdc_forget()");
	require_owner(release);
	lock_entry(release);
	if (sdc_catalog_state(catalog_schema, release, NULL) == SDC_RELEASE_UNKNOWN)
		sdc_catalog_refuse_unknown(release);
	if (!sdc_privatestate_remove(catalog_schema, release))
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("release \"%s\" has no private state", get_rel_name(release)),
				 errhint("Releases that were made with continued => true have one.")));
}

/*
 * sdc_register_confirm takes the checksum of a restored source again.  A release of another owner is no error: one
 * statement confirms all releases that are the caller's, among those that she sees.
 */
bool
sdc_register_confirm(Oid catalog_schema, Oid release)
{
	SdcOpenRelease *opened;

	PreventCommandIfReadOnly("sdc_confirm_source()");
	if (!sdc_is_relation_owner(release, GetUserId()))
	{
		ereport(NOTICE,
				(errmsg("relation \"%s\" belongs to another role: the source of a release is confirmed by its owner",
						get_rel_name(release))));
		return false;
	}
	lock_entry(release);
	opened = sdc_openrelease_find_restored(catalog_schema, release);
	if (sdc_catalog_is_own(catalog_schema, &opened->row))
		return false;
	sdc_openrelease_check_unchanged(opened);
	opened->row.checksum = opened->source->checksum;
	sdc_catalog_confirm(catalog_schema, &opened->row);
	return true;
}
