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

#include "method/changes.h"
#include "method/continued/nightplan.h"
#include "method/continued/nightread.h"
#include "method/continued/nightstate.h"
#include "method/continued/nightwarnings.h"
#include "method/pipeline.h"
#include "method/recode.h"
#include "method/redraw.h"
#include "method/totals.h"
#include "method/unitsteps.h"
#include "method/weighting.h"
#include "relation/base/memory.h"
#include "relation/base/names.h"
#include "relation/base/progress.h"
#include "relation/base/spi.h"
#include "relation/catalog/catalog.h"
#include "relation/catalog/methods.h"
#include "relation/catalog/parameters.h"
#include "relation/column/ordering.h"
#include "relation/read/missing.h"
#include "relation/read/reader.h"
#include "relation/read/repeated.h"
#include "relation/read/sourceunits.h"
#include "relation/read/spelling.h"
#include "relation/read/weights.h"
#include "relation/rights/trust.h"
#include "utils/builtins.h"
#include "utils/json.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"

/* What lives as long as one call works. */
typedef struct Run
{
	MemoryContext context;		/* of all that is below */
	MemoryContext before;		/* the context that was current */
	SdcSpool   *spool;
} Run;

/* A step at work. */
typedef struct StepRun
{
	SdcMethodStep *step;
	SdcSource  *source;
	Oid			catalog_schema;
	SdcTarget  *target;
	SdcSpool   *spool;
	SdcRandom  *random;
} StepRun;

/* look_at_plan has a step look at the plan. */
static void
look_at_plan(void *arg)
{
	StepRun    *run = arg;

	run->step->check_plan(run->step, run->source, run->catalog_schema, run->target);
}

/* look_at_records has a step look at the number of records, or units. */
static void
look_at_records(void *arg)
{
	StepRun    *run = arg;

	if (run->source->units == NULL)
		run->step->check_records(run->step, run->source->records, "records");
	else
		run->step->check_records(run->step, run->source->units->count, "units");
}

/* protect_columns has a step protect its columns. */
static void
protect_columns(void *arg)
{
	StepRun    *run = arg;

	if (run->source->units == NULL || !sdc_methods_knows_units(run->step->method))
		run->step->protect(run->step, run->source, run->spool, run->random);
	else
		sdc_unitsteps_protect(run->step, run->source, run->spool, run->random);
}

/*
 * stream_method returns what names the streams of a step: its method. Swapping by ranks draws for every
 * attribute by its name; of what draws for several together, a second step of the same method draws by itself.
 */
static char *
stream_method(const SdcProtection *protection, const SdcMethodStep *step)
{
	int			before = 0;

	for (int i = 0; i < step->number; i++)
		if (protection->steps[i].method == step->method)
			before++;
	if (before == 0 || step->method->reach != SDC_REACH_NONE)
		return pstrdup(step->method->name);
	return psprintf("%s %d", step->method->name, before + 1);
}

/* run_step protects the columns of a step. */
static void
run_step(Run *run, SdcSource *source, SdcProtection *protection, SdcMethodStep *step)
{
	StepRun		work = {.step = step, .source = source, .spool = run->spool};

	work.random = sdc_random_create(protection->seed, stream_method(protection, step));
	sdc_step_within(step->place, protect_columns, &work);
	if (!step->quiet)
		sdc_changes_tell(source, step);
	if (source->units != NULL)
	{
		if (!step->quiet)
			sdc_unitsteps_warn(step, source);
		/* of a function it does not matter who is swapped with whom, nor where values are taken out */
		if (step->method->tells != SDC_TELLS_FUNCTION && step->method->tells != SDC_TELLS_SUPPRESSED)
			step->parameters = sdc_unitsteps_describe(step, source);
	}
}

/* run_read connects to SPI and reads the source; the records are then in the columns of its attributes. */
static void
run_read(Run *run, SdcSource *source, SdcNight *night)
{
	sdc_spi_connect();
	run->context = AllocSetContextCreate(CurrentMemoryContext, "sdc protect",
										 ALLOCSET_DEFAULT_SIZES);
	run->before = MemoryContextSwitchTo(run->context);
	/* half of the budget while reading: the server's sort has the other half */
	run->spool = sdc_spool_create(sdc_memory_budget() / 2, source->attribute_count + 2);
	sdc_progress_start(source->relid, source->protected_count);
	if (night != NULL)
		sdc_nightread_begin(night, source);
	/* a night reads the release before, too */
	sdc_progress_relations(night == NULL || night->first || night->reading != NULL ? 1 : 2);
	sdc_reader_read(source, run->spool);
}

/* becomes_other tells whether a column will have other values than it has now, among which codes cannot be told. */
static bool
becomes_other(const SdcProtection *protection, const SdcAttribute *attribute)
{
	return OidIsValid(attribute->release_type) ||
		(attribute->action == SDC_ACTION_PROTECTED && sdc_recode_is(&protection->steps[attribute->step]));
}

/*
 * take_codes puts NULL in the place of the missing codes of columns whose values are swapped or drawn, and counts
 * the records that have a code where there will be other values; kept: for several protections.  It does so with the
 * columns whose step sees what was recoded, or with all others.
 */
static void
take_codes(const SdcProtection *protection, SdcSource *source, bool recoded, SdcSpool *spool, bool kept)
{
	for (int i = 0; i < source->attribute_count; i++)
	{
		SdcAttribute *attribute = &source->attributes[i];

		if (attribute->missing == NULL || attribute->column == NULL ||
			sdc_recode_is_seen(protection, attribute) != recoded)
			continue;
		if (attribute->action == SDC_ACTION_PROTECTED &&
			sdc_methods_leaves_codes(protection->steps[attribute->step].method))
			sdc_missing_take(attribute, spool, kept);
		else if (becomes_other(protection, attribute))
			sdc_missing_count(attribute);
	}
}

/* put_codes_back has records have their codes again, and counts those of the columns that have kept them. */
static void
put_codes_back(const SdcProtection *protection, SdcSource *source, SdcSpool *spool)
{
	for (int i = 0; i < source->attribute_count; i++)
	{
		SdcAttribute *attribute = &source->attributes[i];

		if (attribute->coded != NULL)
			sdc_missing_put_back(attribute, spool);
		else if (attribute->missing != NULL && attribute->column != NULL && !becomes_other(protection, attribute))
			sdc_missing_count(attribute);
	}
}

/* check_records has a step look at the number of records. */
static void
check_records(SdcMethodStep *step, SdcSource *source)
{
	StepRun		work = {.step = step, .source = source};

	if (step->check_records != NULL && source->records > 0)
		sdc_step_within(step->place, look_at_records, &work);
}

/* check_source finds the levels of columns, and insists on totals that are sums. */
static void
check_source(SdcSource *source, const SdcProtection *protection)
{
	if (source->units != NULL)
	{
		sdc_unitsteps_levels(source);
		sdc_totals_check(source, protection->request.totals_force);
	}
}

/*
 * recode_first runs the recodings, which no other step must have seen the values of: those see what is made of them,
 * and units have one value where that is the same.  kept: for several protections.
 */
static void
recode_first(Run *run, SdcSource *source, SdcProtection *protection, bool kept)
{
	for (int i = 0; i < protection->step_count; i++)
		if (sdc_recode_is(&protection->steps[i]))
			run_step(run, source, protection, &protection->steps[i]);
	take_codes(protection, source, true, run->spool, kept);
	if (source->units != NULL)
		sdc_unitsteps_levels(source);
}

/*
 * plan_night finds what one night of a release that is continued does with whom.  It compares values as they are
 * recoded, which therefore comes first.
 */
static void
plan_night(Run *run, SdcSource *source, SdcProtection *protection, SdcNight *night)
{
	uint64		records = source->records;

	recode_first(run, source, protection, false);
	sdc_nightplan_find(night, protection, source, run->spool);
	if (source->records < records)
		sdc_recode_recount(source);
}

/*
 * run_begin reads the source and protects it; night is NULL unless the release is continued, and before is the release
 * in whose place it comes, or InvalidOid; its own name is for messages.
 */
static void
run_begin(Run *run, SdcSource *source, SdcProtection *protection, SdcNight *night, Oid before, const char *name)
{
	SdcWeighting weighting;

	run_read(run, source, night);
	take_codes(protection, source, false, run->spool, false);
	check_source(source, protection);
	if (night != NULL)
		plan_night(run, source, protection, night);
	if (night != NULL && !night->first)
	{
		/* what goes on is the draw that it was */
		protection->draws = night->row.draws;
		protection->draw = night->row.draw;
	}
	else if (name != NULL)
		sdc_redraw_count(protection, source, before, name);
	sdc_weighting_begin(source, &weighting);
	for (int i = 0; i < protection->step_count; i++)
		check_records(&protection->steps[i], source);
	sdc_progress_phase(SDC_PHASE_PROTECTING, source->records);
	if (night == NULL)
		recode_first(run, source, protection, false);
	for (int i = 0; i < protection->step_count; i++)
		if (!sdc_recode_is(&protection->steps[i]))
			run_step(run, source, protection, &protection->steps[i]);
	sdc_totals_compute(source, run->spool);
	if (protection->request.weight_group > 0)
		sdc_weighting_group(source, (uint32) protection->request.weight_group, run->spool);
	sdc_weighting_end(source, &weighting);
	sdc_spelling_unify(source, run->spool);
	put_codes_back(protection, source, run->spool);
	sdc_recode_compare(source);
	if (night != NULL)
		sdc_nightplan_seal(night, protection, source);
	sdc_spool_set_limit(run->spool, sdc_memory_budget());
	sdc_progress_phase(SDC_PHASE_WRITING, source->records);
}

/* run_forget frees the records. */
static void
run_forget(Run *run)
{
	if (run->spool != NULL)
		sdc_spool_destroy(run->spool);
	run->spool = NULL;
}

/* run_end frees everything. */
static void
run_end(Run *run)
{
	run_forget(run);
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
check_parameters(const SdcMethodStep *step)
{
#ifdef USE_ASSERT_CHECKING
	const SdcMethod *method = step->method;
	SdcParameters *parameters = sdc_parameters_read(step->parameters);
	int			known = 0;

	for (int i = 0; method->parameters[i] != NULL; i++)
		known += sdc_parameters_has(parameters, method->parameters[i]);
	known += sdc_parameters_has(parameters, SDC_PARAMETER_UNIT_SIZE) +
		sdc_parameters_has(parameters, SDC_PARAMETER_UNIT_ROWS) +
		sdc_parameters_has(parameters, SDC_PARAMETER_ROW_LEVEL);
	Assert(method->name != NULL && parameters != NULL && sdc_parameters_count(parameters) == known);
#else
	(void) step;
#endif
}

/* append_member appends a member of a step that is an array of names, if there are any. */
static void
append_member(StringInfo json, const char *member, const List *names)
{
	if (names == NIL)
		return;
	appendStringInfo(json, ", \"%s\": ", member);
	sdc_names_append_json(json, names);
}

/* append_step appends what was done to columns by no method, if there are any. */
static void
append_step(StringInfo json, const char *what, List *columns, const char *more)
{
	if (columns == NIL)
		return;
	appendStringInfo(json, ", {\"" SDC_MEMBER_METHOD "\": \"%s\"%s", what, more);
	append_member(json, SDC_MEMBER_COLUMNS, columns);
	appendStringInfoChar(json, '}');
}

/* describe_steps writes the steps as the catalog has them, and which columns were computed, or grouped. */
static char *
describe_steps(const SdcProtection *protection, List *computed, List *grouped)
{
	StringInfoData json;

	initStringInfo(&json);
	appendStringInfoString(&json, "{\"" SDC_MEMBER_STEPS "\": [");
	for (int i = 0; i < protection->step_count; i++)
	{
		const SdcMethodStep *step = &protection->steps[i];
		const SdcMethod *method = step->method;

		check_parameters(step);
		appendStringInfo(&json, "%s{\"" SDC_MEMBER_METHOD "\": \"%s\"", i == 0 ? "" : ", ", method->name);
		if (strcmp(method->protects, SDC_MEMBER_COLUMNS) == 0)
			append_member(&json, SDC_MEMBER_COLUMNS, step->columns);
		append_member(&json, SDC_MEMBER_QI, step->qi);
		append_member(&json, SDC_MEMBER_SENSITIVE, step->sensitive);
		/* what is left of the parameters, an object: its members and its end */
		appendStringInfo(&json, "%s%s", strcmp(step->parameters, "{}") == 0 ? "" : ", ", step->parameters + 1);
	}
	append_step(&json, SDC_METHOD_TOTALS, computed, "");
	append_step(&json, SDC_METHOD_WEIGHT_GROUP, grouped,
				psprintf(", \"" SDC_METHOD_WEIGHT_GROUP "\": %d", protection->request.weight_group));
	appendStringInfoString(&json, "]}");
	return json.data;
}

/* sdc_pipeline_describe: see pipeline.h. */
char *
sdc_pipeline_describe(const SdcProtection *protection)
{
	return describe_steps(protection, NIL, NIL);
}

/* concat_names returns the names that steps have in a list, each once. */
static List *
concat_names(const SdcProtection *protection, bool sensitive)
{
	List	   *names = NIL;

	for (int i = 0; i < protection->step_count; i++)
	{
		List	   *more = sensitive ? protection->steps[i].sensitive : protection->steps[i].qi;

		names = list_concat(names, sdc_names_without(more, names));
	}
	return names;
}

/* release_row is what the catalog has of a release. */
static SdcReleaseRow
release_row(const SdcSource *source, const SdcProtection *protection, Oid release)
{
	SdcReleaseRow row = {0};
	List	   *computed = action_names(source, SDC_ACTION_COMPUTED);
	List	   *grouped = action_names(source, SDC_ACTION_GROUPED);

	row.release = release;
	row.source = source->relid;
	row.method = computed != NIL || grouped != NIL ? SDC_METHOD_PROTECT : protection->method;
	if (strcmp(row.method, SDC_METHOD_PROTECT) == 0)
		row.parameters = describe_steps(protection, computed, grouped);
	else
	{
		check_parameters(protection->steps);
		row.parameters = protection->steps->parameters;
	}
	row.columns = list_concat(list_concat(action_names(source, SDC_ACTION_PROTECTED), computed), grouped);
	row.key = index_names(source, source->key, source->key_count);
	row.strata = index_names(source, source->strata, source->strata_count);
	row.unit = index_names(source, source->unit, source->unit_count);
	row.units = source->units_found;
	row.weight = sdc_source_weight(source) == NULL ? NULL : NameStr(sdc_source_weight(source)->name);
	row.missing = unconstify(char *, protection->request.missing);
	row.omitted = action_names(source, SDC_ACTION_OMITTED);
	row.qi = concat_names(protection, false);
	if (row.qi == NIL)
		row.qi = role_names(source, SDC_ROLE_QUASI_IDENTIFIER);
	row.sensitive = concat_names(protection, true);
	if (row.sensitive == NIL)
		row.sensitive = role_names(source, SDC_ROLE_SENSITIVE);
	row.records = source->records;
	row.checksum = source->checksum;
	row.made = true;
	row.seeded = protection->seed != NULL;
	row.stream_version = SDC_STREAM_VERSION;
	row.drawn_from = protection->drawn_from;
	row.draws = protection->draws;
	row.draw = protection->draw;
	return row;
}

/* enter_release writes the catalog's row, and the private state of a release that is continued. */
static void
enter_release(SdcSource *source, SdcProtection *protection, SdcNight *night, Oid release)
{
	SdcReleaseRow row = release_row(source, protection, release);

	if (night != NULL && release == night->before && !night->differs)
		sdc_catalog_confirm(protection->catalog_schema, &row);
	else
		sdc_catalog_put(protection->catalog_schema, &row);
	if (night != NULL)
	{
		sdc_nightwarnings_end(night, protection, source, get_rel_name(release));
		sdc_nightstate_end(night, protection, source, release);
	}
	else
		(void) sdc_privatestate_remove(protection->catalog_schema, release);
}

/* write_release writes the records to the target, unless it has them already. */
static Oid
write_release(SdcSource *source, const SdcProtection *protection, const SdcNight *night, const SdcTarget *target)
{
	if (night != NULL && !night->differs && (night->before == target->replaced || protection->skip_unchanged))
		return night->before;
	return sdc_release_write_table(source, target);
}

/* check_types insists on columns whose types run nobody's functions when the release is analyzed. */
static void
check_types(const SdcSource *source)
{
	for (int i = 0; i < source->attribute_count; i++)
		if (source->attributes[i].action != SDC_ACTION_OMITTED)
			sdc_trust_require_column(source->attributes[i].type.typid);
}

/* request_columns has the columns of all steps protected. */
static void
request_columns(SdcProtection *protection)
{
	SdcSourceRequest *request = &protection->request;

	request->columns_given = true;
	for (int i = 0; i < protection->step_count; i++)
	{
		SdcMethodStep *step = &protection->steps[i];
		const char *argument = step->columns_argument != NULL ? step->columns_argument : SDC_MEMBER_COLUMNS;
		ListCell   *cell;

		step->number = i;
		foreach(cell, step->columns)
		{
			bool		other = step->other_argument != NULL &&
				foreach_current_index(cell) >= step->columns_of_argument;

			/* a step before it protects it already */
			if (sdc_names_have(request->columns, lfirst(cell)))
				continue;
			request->columns = lappend(request->columns, lfirst(cell));
			request->places = lappend(request->places,
									  psprintf("%s%s", step->place, other ? step->other_argument : argument));
			if (other)
				request->carried = lappend(request->carried, lfirst(cell));
		}
		request->columns_argument = protection->step_count == 1 && step->place[0] == '\0' ? argument : SDC_MEMBER_STEPS;
		request->columns_given &= step->columns_given;
		request->complement |= step->complement;
		request->breaks_link |= step->breaks_link;
		request->read_besides = list_concat(request->read_besides, step->read_besides);
	}
}

/*
 * step_of returns the step that protects an attribute: that which names it, or that for all others.  Of a column
 * that is recoded first it is the step that draws or groups its values then; one that only takes some out is none.
 */
static SdcMethodStep *
step_of(const SdcProtection *protection, const SdcAttribute *attribute)
{
	SdcMethodStep *named = NULL;
	SdcMethodStep *rest = NULL;

	for (int i = 0; i < protection->step_count; i++)
	{
		SdcMethodStep *step = &protection->steps[i];

		if (sdc_names_have(step->columns, NameStr(attribute->name)) &&
			(named == NULL || step->method->tells != SDC_TELLS_SUPPRESSED))
			named = step;
		if (!step->columns_given || step->complement)
			rest = step;
	}
	Assert(named != NULL || rest != NULL);
	return named != NULL ? named : rest;
}

/* unnamed_columns lists the columns that a step protects without having named them. */
static List *
unnamed_columns(const SdcSource *source, const SdcMethodStep *step)
{
	List	   *names = NIL;

	for (int i = 0; i < source->attribute_count; i++)
		if (sdc_step_is_of(step, &source->attributes[i]) && !source->attributes[i].complement)
			names = lappend(names, NameStr(source->attributes[i].name));
	return names;
}

/* plan plans what happens to the source. */
static SdcSource *
plan(SdcProtection *protection)
{
	SdcSource  *source;

	request_columns(protection);
	source = sdc_source_plan(&protection->request);
	if (protection->request.weight_group > 0 && sdc_step_any_continued(protection))
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("the weights of a release that is continued cannot be grouped"),
				 errdetail("Their means would change with every record that comes or goes.")));
	sdc_step_check_continued(protection);
	for (int i = 0; i < source->attribute_count; i++)
	{
		SdcAttribute *attribute = &source->attributes[i];
		SdcMethodStep *step;

		if (attribute->action != SDC_ACTION_PROTECTED)
			continue;
		step = step_of(protection, attribute);
		step->protected_count++;
		attribute->step = step->number;
		attribute->passed = sdc_recode_is_passed(protection, attribute);
		/* what is continued is compared with values of before; what is passed by value is as good as its number */
		attribute->numbered = step->numbered && step->continuing == NULL && !attribute->type.typbyval &&
			attribute->missing == NULL && !attribute->passed;
	}
	for (int i = 0; i < protection->step_count; i++)
	{
		SdcMethodStep *step = &protection->steps[i];

		source->has_groups |= step->method->groups != SDC_GROUPS_NONE;
		if (!step->columns_given)
			step->columns = unnamed_columns(source, step);
	}
	return source;
}

/* check_steps has the steps that recode, or all others, look at the plan. */
static void
check_steps(SdcProtection *protection, SdcSource *source, SdcTarget *target, bool recoding)
{
	for (int i = 0; i < protection->step_count; i++)
	{
		StepRun		work = {&protection->steps[i], source, protection->catalog_schema, target, NULL, NULL};

		if (work.step->check_plan != NULL && sdc_recode_is(work.step) == recoding)
			sdc_step_within(work.step->place, look_at_plan, &work);
	}
}

/* check_plan has every step look at the plan: those behind a recoding with the types that values will have become. */
static void
check_plan(SdcProtection *protection, SdcSource *source, SdcTarget *target)
{
	SdcAttribute *before;

	check_steps(protection, source, target, true);
	before = sdc_recode_types_begin(source);
	check_steps(protection, source, target, false);
	sdc_recode_types_end(source, before);
}

/* tell_plan says what the caller may not have meant. */
static void
tell_plan(const SdcSource *source)
{
	sdc_source_notice_copied(source);
	if (source->unit_count == 0)
		sdc_repeated_warn(source->relid, false);
}

/* sdc_pipeline_plan: see pipeline.h. */
SdcSource *
sdc_pipeline_plan(SdcProtection *protection)
{
	SdcSource  *source = plan(protection);

	check_types(source);
	check_plan(protection, source, NULL);
	return source;
}

/* sdc_pipeline_to_table makes a release in a table. */
SdcSource *
sdc_pipeline_to_table(SdcProtection *protection, Oid *release)
{
	SdcSource  *source = plan(protection);
	SdcTarget	target = {.continued = sdc_step_any_continued(protection)};
	SdcNight   *night;
	Oid			before;
	Run			run;

	check_types(source);
	sdc_target_resolve(&target, source, protection->catalog_schema, protection->target,
					   protection->method, protection->replace || target.continued);
	check_plan(protection, source, &target);
	sdc_target_check(&target, source);
	before = OidIsValid(protection->before) ? protection->before : target.replaced;
	night = sdc_nightstate_open(protection, source, before);
	tell_plan(source);
	run_begin(&run, source, protection, night, before, target.name);
	*release = write_release(source, protection, night, &target);
	for (int i = 0; i < protection->step_count; i++)
		if (protection->steps[i].finish != NULL)
			protection->steps[i].finish(&protection->steps[i], protection->catalog_schema, &target, *release);
	run_forget(&run);
	enter_release(source, protection, night, *release);
	run_end(&run);
	sdc_changes_warn_distinct(source);
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

	sdc_spelling_require_order(source);
	check_plan(protection, source, NULL);
	tell_plan(source);
	run_begin(&run, source, protection, NULL, InvalidOid, NULL);
	sdc_release_write_store(source, store, desc);
	run_end(&run);
	sdc_changes_warn_distinct(source);
}

/* A relation that was read, and the trial at hand. */
struct SdcTrials
{
	SdcProtection *protection;
	SdcSource  *source;			/* as it was planned and read; its columns are kept */
	SdcFrameSource *held;
	Run			run;
	const char *seed;			/* that the columns were ordered with */
	MemoryContext context;		/* of the trial, NULL without one; */
	SdcSpool   *spool;			/* what it protects */
};

/* keep_recoded has what recodings have made of columns last as long as their spool. */
static void
keep_recoded(SdcSource *source)
{
	for (int i = 0; i < source->attribute_count; i++)
		if (source->attributes[i].rule != NULL)
			sdc_column_keep(source->attributes[i].column);
}

/* sdc_pipeline_read: see pipeline.h. */
SdcTrials *
sdc_pipeline_read(SdcProtection *protection)
{
	SdcTrials  *trials = palloc0(sizeof(SdcTrials));

	trials->protection = protection;
	trials->source = plan(protection);
	/* values, and not their numbers: they are read for the measures, too; and they are sorted once */
	for (int i = 0; i < trials->source->attribute_count; i++)
	{
		trials->source->attributes[i].numbered = false;
		trials->source->attributes[i].order = palloc0(sizeof(SdcOrdering));
	}
	/* before the method looks at the plan, which can order a column in another way */
	trials->held = sdc_framesource_create(trials->source);
	check_plan(protection, trials->source, NULL);
	tell_plan(trials->source);
	run_read(&trials->run, trials->source, NULL);
	sdc_framesource_take(trials->held, trials->source);
	take_codes(protection, trials->source, false, trials->run.spool, true);
	check_source(trials->source, protection);
	recode_first(&trials->run, trials->source, protection, true);
	keep_recoded(trials->source);
	if (sdc_source_weight(trials->source) != NULL)
		sdc_free(sdc_weights_load(trials->source, sdc_source_weight(trials->source)));
	sdc_spool_set_limit(trials->run.spool, sdc_memory_budget() / 8);
	return trials;
}

/* sdc_pipeline_source: see pipeline.h. */
const SdcFrameSource *
sdc_pipeline_source(const SdcTrials *trials)
{
	return trials->held;
}

/* order_anew forgets the orders of columns where ties have other words, which come from the seed. */
static void
order_anew(SdcTrials *trials)
{
	const char *seed = trials->protection->seed;

	if (trials->seed == seed || (trials->seed != NULL && seed != NULL && strcmp(trials->seed, seed) == 0))
		return;
	for (int i = 0; i < trials->source->attribute_count; i++)
	{
		SdcOrdering *order = trials->source->attributes[i].order;

		if (order == NULL || order->start == NULL)
			continue;
		sdc_free(order->order);
		sdc_free(order->start);
		memset(order, 0, sizeof(SdcOrdering));
	}
	trials->seed = seed;
}

/*
 * take_steps has copies of a trial's steps in the place of those that were planned: methods write into them.  What
 * recodes has done so for all trials.
 */
static void
take_steps(SdcProtection *protection, const SdcMethodStep *given)
{
	SdcMethodStep *steps = palloc(sizeof(SdcMethodStep) * protection->step_count);

	for (int i = 0; i < protection->step_count; i++)
	{
		steps[i] = sdc_recode_is(&given[i]) ? protection->steps[i] : given[i];
		steps[i].number = i;
		steps[i].quiet = true;
		steps[i].protected_count = protection->steps[i].protected_count;
		if (!steps[i].columns_given)
			steps[i].columns = protection->steps[i].columns;
	}
	protection->steps = steps;
}

/* sdc_pipeline_try: see pipeline.h. */
SdcFrame *
sdc_pipeline_try(SdcTrials *trials, const SdcMethodStep *steps)
{
	SdcProtection protection = *trials->protection;
	Run			run = trials->run;
	MemoryContext before;
	SdcSource  *source;
	SdcFrame *release;

	order_anew(trials);
	trials->context = AllocSetContextCreate(run.context, "sdc trial", ALLOCSET_DEFAULT_SIZES);
	before = MemoryContextSwitchTo(trials->context);
	source = sdc_source_copy(trials->source, 0);
	run.spool = trials->spool = sdc_spool_create(sdc_memory_budget() / 8, source->attribute_count + 2);
	take_steps(&protection, steps);
	sdc_progress_start(source->relid, source->protected_count);
	for (int i = 0; i < protection.step_count; i++)
		check_records(&protection.steps[i], source);
	sdc_progress_phase(SDC_PHASE_PROTECTING, source->records);
	for (int i = 0; i < protection.step_count; i++)
		if (!sdc_recode_is(&protection.steps[i]))
			run_step(&run, source, &protection, &protection.steps[i]);
	sdc_totals_compute(source, run.spool);
	put_codes_back(&protection, source, run.spool);
	sdc_spool_set_limit(trials->spool, sdc_memory_budget() / 8);
	release = sdc_frame_create(trials->held, source);
	release->row = release_row(source, &protection, InvalidOid);
	release->name = psprintf("%s_%s", source->name, protection.method);
	MemoryContextSwitchTo(before);
	return release;
}

/* sdc_pipeline_forget: see pipeline.h. */
void
sdc_pipeline_forget(SdcTrials *trials)
{
	sdc_spool_destroy(trials->spool);
	MemoryContextDelete(trials->context);
	trials->spool = NULL;
	trials->context = NULL;
}

/* sdc_pipeline_end: see pipeline.h. */
void
sdc_pipeline_end(SdcTrials *trials)
{
	run_end(&trials->run);
}
