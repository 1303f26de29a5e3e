/*-------------------------------------------------------------------------
 *
 * pipeline.c
 *		The way of a relation from its source to its release.
 *
 * Plan, read, protect attribute by attribute, write, enter in the catalog: all in
 * the caller's transaction, so that an error or a cancel leaves nothing.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "method/pipeline.h"
#include "relation/catalog.h"
#include "relation/memory.h"
#include "relation/methods.h"
#include "relation/parameters.h"
#include "relation/progress.h"
#include "relation/reader.h"
#include "relation/spi.h"
#include "relation/trust.h"
#include "utils/builtins.h"
#include "utils/memutils.h"

/* append_share appends a name and how many percent of something it is about. */
static void
append_share(StringInfo list, const SdcAttribute *attribute, const char *percent, bool first)
{
	sdc_spi_append_name(list, NameStr(attribute->name), first);
	appendStringInfo(list, " (%s %%)", percent);
}

/* append_changed appends a protected attribute with the percentage of its values that changed. */
static void
append_changed(StringInfo list, const SdcAttribute *attribute, uint64 values, bool first)
{
	uint64		percent = attribute->changed * 100 / values;

	append_share(list, attribute, attribute->changed > 0 && percent == 0 ? "below 1" :
				 psprintf(UINT64_FORMAT, percent), first);
}

/*
 * tell_changes names the protected attributes that have fewer than half of their values changed, as it
 * is with small strata or many ties.  A missing value is none.
 */
static void
tell_changes(const SdcSource *source, const SdcProtection *protection)
{
	StringInfoData warned;
	StringInfoData noticed;
	int			warnings = 0;
	int			notices = 0;

	initStringInfo(&warned);
	initStringInfo(&noticed);
	for (int i = 0; i < source->attribute_count; i++)
	{
		const SdcAttribute *attribute = &source->attributes[i];
		uint64		values;

		if (attribute->action != SDC_ACTION_PROTECTED)
			continue;
		values = source->records - sdc_column_null_count(attribute->column);
		if (attribute->changed * 2 >= values)
			continue;
		if (protection->changes == SDC_CHANGES_MOST ||
			(attribute->changed == 0 && (protection->changes == SDC_CHANGES_SOME ||
										 protection->changes == SDC_CHANGES_GROUPED)))
			append_changed(&warned, attribute, values, warnings++ == 0);
		else if (protection->changes == SDC_CHANGES_SOME || protection->changes == SDC_CHANGES_DRAWN)
			append_changed(&noticed, attribute, values, notices++ == 0);
	}
	if (warnings > 0)
		ereport(WARNING,
				(errcode(ERRCODE_WARNING),
				 errmsg_plural("fewer than half of the values of a protected column changed: %s",
							   "fewer than half of the values of protected columns changed: %s",
							   warnings, warned.data),
				 errhint("%s", protection->unchanged_hint)));
	if (notices > 0)
		ereport(NOTICE,
				(errmsg_plural("fewer than half of the values of a protected column changed: %s",
							   "fewer than half of the values of protected columns changed: %s",
							   notices, noticed.data)));
	pfree(warned.data);
	pfree(noticed.data);
}

/*
 * warn_distinct names the copied attributes whose values are nearly all different, as it was counted
 * while the release was written: they identify records as a key does.
 */
static void
warn_distinct(const SdcSource *source)
{
	StringInfoData list;
	int			count = 0;

	initStringInfo(&list);
	for (int i = 0; i < source->attribute_count; i++)
	{
		const SdcAttribute *attribute = &source->attributes[i];

		if (attribute->distinct > 0)
			append_share(&list, attribute, psprintf("%d", attribute->distinct), count++ == 0);
	}
	if (count > 0)
		ereport(WARNING,
				(errcode(ERRCODE_WARNING),
				 errmsg_plural("nearly all values of a copied column are different: %s",
							   "nearly all values of copied columns are different: %s",
							   count, list.data),
				 errdetail("Different values identify records in the release."),
				 errhint("Leave such columns out with argument \"omit\", or classify them as identifier.")));
	pfree(list.data);
}

/* What lives as long as one call works. */
typedef struct Run
{
	MemoryContext context;		/* of all that is below */
	MemoryContext before;		/* the context that was current */
	SdcSpool   *spool;
} Run;

/*
 * run_begin connects to SPI, reads the source and protects it; the records are then in
 * the columns of its attributes.
 */
static void
run_begin(Run *run, SdcSource *source, SdcProtection *protection)
{
	SdcRandom  *random;

	sdc_spi_connect();
	run->context = AllocSetContextCreate(CurrentMemoryContext, "sdc protect",
										 ALLOCSET_DEFAULT_SIZES);
	run->before = MemoryContextSwitchTo(run->context);
	random = sdc_random_create(protection->seed, protection->method);
	/* half of the budget while reading: the server's sort has the other half */
	run->spool = sdc_spool_create(sdc_memory_budget() / 2, source->attribute_count + 2);
	sdc_progress_start(source->relid, source->protected_count);

	sdc_reader_read(source, run->spool);
	if (protection->check_records != NULL && source->records > 0)
		protection->check_records(protection, source->records);
	sdc_progress_phase(SDC_PHASE_PROTECTING, source->records);
	protection->protect(protection, source, run->spool, random);
	tell_changes(source, protection);
	sdc_spool_set_limit(run->spool, sdc_memory_budget());
	sdc_progress_phase(SDC_PHASE_WRITING, source->records);
}

/* run_end frees everything. */
static void
run_end(Run *run)
{
	sdc_spool_destroy(run->spool);
	sdc_progress_end();
	MemoryContextSwitchTo(run->before);
	MemoryContextDelete(run->context);
	sdc_spi_finish();
}

/* action_names lists the names of the attributes with an action. */
static List *
action_names(const SdcSource *source, SdcAction action)
{
	List	   *names = NIL;

	for (int i = 0; i < source->attribute_count; i++)
		if (source->attributes[i].action == action)
			names = lappend(names, NameStr(source->attributes[i].name));
	return names;
}

/* index_names lists the names of the attributes with the given indexes. */
static List *
index_names(const SdcSource *source, const int *indexes, int count)
{
	List	   *names = NIL;

	for (int i = 0; i < count; i++)
		names = lappend(names, NameStr(source->attributes[indexes[i]].name));
	return names;
}

/* role_names lists the names of the attributes of the release with a role. */
static List *
role_names(const SdcSource *source, SdcRole role)
{
	List	   *names = NIL;

	for (int i = 0; i < source->attribute_count; i++)
		if (source->attributes[i].role == role &&
			source->attributes[i].action != SDC_ACTION_OMITTED)
			names = lappend(names, NameStr(source->attributes[i].name));
	return names;
}

/* check_parameters insists in assert builds that a method has the parameters that it is known to have. */
static void
check_parameters(const SdcProtection *protection)
{
#ifdef USE_ASSERT_CHECKING
	const SdcMethod *method = sdc_methods_find(protection->method);
	SdcParameters *parameters = sdc_parameters_read(protection->parameters);
	int			known = 0;

	for (int i = 0; method->parameters[i] != NULL; i++)
		known += sdc_parameters_has(parameters, method->parameters[i]);
	Assert(method->name != NULL && parameters != NULL && sdc_parameters_count(parameters) == known);
#else
	(void) protection;
#endif
}

/* enter_release writes the catalog's row. */
static void
enter_release(const SdcSource *source, const SdcProtection *protection, Oid release)
{
	SdcReleaseRow row = {0};

	check_parameters(protection);
	row.release = release;
	row.source = source->relid;
	row.method = protection->method;
	row.parameters = protection->parameters;
	row.columns = action_names(source, SDC_ACTION_PROTECTED);
	row.key = index_names(source, source->key, source->key_count);
	row.strata = index_names(source, source->strata, source->strata_count);
	row.omitted = action_names(source, SDC_ACTION_OMITTED);
	row.qi = protection->qi != NIL ? protection->qi : role_names(source, SDC_ROLE_QUASI_IDENTIFIER);
	row.sensitive = protection->sensitive != NIL ? protection->sensitive :
		role_names(source, SDC_ROLE_SENSITIVE);
	row.records = source->records;
	row.checksum = source->checksum;
	row.made = true;
	row.seeded = protection->seed != NULL;
	row.stream_version = SDC_STREAM_VERSION;
	sdc_catalog_put(protection->catalog_schema, &row);
}

/* check_types insists on columns whose types run nobody's functions when the release is analyzed. */
static void
check_types(const SdcSource *source)
{
	for (int i = 0; i < source->attribute_count; i++)
		if (source->attributes[i].action != SDC_ACTION_OMITTED)
			sdc_trust_require_column(source->attributes[i].type.typid);
}

/* plan plans what happens to the source. */
static SdcSource *
plan(const SdcProtection *protection)
{
	SdcSource  *source = sdc_source_plan(&protection->request);

	source->has_groups = sdc_methods_find(protection->method)->groups != SDC_GROUPS_NONE;
	return source;
}

/* sdc_pipeline_to_table makes a release in a table. */
SdcSource *
sdc_pipeline_to_table(SdcProtection *protection, Oid *release)
{
	SdcSource  *source = plan(protection);
	SdcTarget	target;
	Run			run;

	check_types(source);
	sdc_target_resolve(&target, source, protection->catalog_schema, protection->target,
					   protection->method, protection->replace);
	if (protection->check_plan != NULL)
		protection->check_plan(protection, source, &target);
	sdc_target_check(&target, source);
	sdc_source_notice_copied(source);
	run_begin(&run, source, protection);
	*release = sdc_release_write_table(source, &target);
	if (protection->finish != NULL)
		protection->finish(protection, source, &target, *release);
	enter_release(source, protection, *release);
	run_end(&run);
	warn_distinct(source);
	if (OidIsValid(target.replaced) && *release != target.replaced)
		ereport(NOTICE,
				(errmsg("release \"%s\" was created anew, because its columns change", target.name),
				 errdetail("Grants, comments and indexes of the old table are lost.")));
	return source;
}

/* sdc_pipeline_to_store returns the protected rows. */
void
sdc_pipeline_to_store(SdcProtection *protection, Tuplestorestate *store, TupleDesc desc)
{
	SdcSource  *source = plan(protection);
	Run			run;

	if (protection->check_plan != NULL)
		protection->check_plan(protection, source, NULL);
	sdc_source_notice_copied(source);
	run_begin(&run, source, protection);
	sdc_release_write_store(source, store, desc);
	run_end(&run);
	warn_distinct(source);
}
