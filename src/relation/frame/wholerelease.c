/*-------------------------------------------------------------------------
 *
 * wholerelease.c
 *		A release and its source by all that an intruder knows.
 *
 * Each known column gets codes that are common to both files (paircodes.c), in the order of its values, and
 * what its step tells (wholecolumns.c, wholegroups.c).
 *
 * Memory: 16 bytes a value of a column with numbers, and 8 of another one; eight more for windows, and
 * 16 for those of the methods that have wide ones; and whatever the kernel takes.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "access/htup_details.h"
#include "access/relation.h"
#include "miscadmin.h"
#include "relation/base/memory.h"
#include "relation/base/names.h"
#include "relation/base/progress.h"
#include "relation/base/spi.h"
#include "relation/column/grouprecords.h"
#include "relation/frame/wholelaws.h"
#include "relation/frame/wholeunits.h"
#include "relation/read/missing.h"
#include "relation/recode/rulevalue.h"
#include "relation/rights/label.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"

/*
 * problem_of tells why a column of the source cannot be known, or returns NULL: the release must have it, as
 * it was or as its step tells, and its values must have an order.
 */
static const char *
problem_of(const SdcOpenRelease *opened, List *steps, Form_pg_attribute att)
{
	Oid			protected = sdc_openrelease_type(opened, NameStr(att->attname));
	const SdcStep *step = sdc_steps_find(steps, NameStr(att->attname));
	SdcType		type;

	if (!OidIsValid(protected))
		return "release \"%s\" does not have it";
	if (sdc_steps_keeps(step, NameStr(att->attname)) && protected != att->atttypid)
		return "it does not have its type in release \"%s\"";
	sdc_type_lookup(&type, att->atttypid, att->attcollation);
	if (!type.orderable)
		return "its values have no order that tells which are equal";
	return NULL;
}

/*
 * check_type insists on a column that has the type that it had when the release was made.  Another tool
 * may have copied a column to another type, which nobody knows how to compare.
 */
static void
check_type(const SdcOpenRelease *opened, List *steps, Form_pg_attribute att)
{
	Oid			protected = sdc_openrelease_type(opened, NameStr(att->attname));
	const SdcStep *step = sdc_steps_find(steps, NameStr(att->attname));

	if (OidIsValid(protected) && protected != att->atttypid &&
		(step != NULL || opened->row.made) && sdc_steps_keeps(step, NameStr(att->attname)))
		sdc_openrelease_refuse_type(opened);
}

/*
 * list_columns lists the columns that can be known, in their order: those that are classified as sensitive, or those
 * that are known when none are named.
 */
static List *
list_columns(const SdcWholeLoading *loading, bool sensitive)
{
	const SdcOpenRelease *opened = loading->opened;
	List	   *steps = loading->steps;
	Relation	rel = sdc_source_open(opened->row.source, AccessShareLock);
	TupleDesc	desc = RelationGetDescr(rel);
	SdcRole    *roles = sdc_label_roles(opened->row.source, NULL);
	List	   *names = NIL;

	for (int i = 0; i < desc->natts; i++)
	{
		Form_pg_attribute att = TupleDescAttr(desc, i);
		char	   *name = NameStr(att->attname);

		if (att->attisdropped)
			continue;
		if (!sensitive)
			check_type(opened, steps, att);
		if ((sensitive ? roles[i] == SDC_ROLE_SENSITIVE :
			 roles[i] != SDC_ROLE_SENSITIVE && roles[i] != SDC_ROLE_PUBLIC && roles[i] != SDC_ROLE_UNIT &&
			 !sdc_names_have(opened->row.key, name) && !sdc_names_have(loading->unit, name) &&
			 !sdc_names_have(opened->row.unit, name)) &&
			problem_of(opened, steps, att) == NULL)
			names = lappend(names, pstrdup(name));
	}
	relation_close(rel, NoLock);
	return names;
}

/* check_named insists on columns that can be known, and returns them in the order of the source. */
static List *
check_named(const SdcWholeLoading *loading, List *names, const char *argument)
{
	const SdcOpenRelease *opened = loading->opened;
	List	   *steps = loading->steps;
	Relation	rel = sdc_source_open(opened->row.source, AccessShareLock);
	ListCell   *cell;

	foreach(cell, names)
	{
		const char *name = lfirst(cell);
		AttrNumber	attnum = sdc_openrelease_find_named(opened, name, argument);
		const char *problem;

		if (sdc_names_have(loading->unit, name))
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("column \"%s\" cannot be named in argument \"%s\", it names the unit of a record",
							name, argument)));
		check_type(opened, steps, TupleDescAttr(RelationGetDescr(rel), attnum - 1));
		problem = problem_of(opened, steps, TupleDescAttr(RelationGetDescr(rel), attnum - 1));
		if (problem != NULL)
			ereport(ERROR,
					(errcode(!OidIsValid(sdc_openrelease_type(opened, name)) ?
							 ERRCODE_UNDEFINED_COLUMN : ERRCODE_DATATYPE_MISMATCH),
					 errmsg("column \"%s\" cannot be named in argument \"%s\"", name, argument),
					 errdetail_internal(problem, opened->name)));
	}
	relation_close(rel, NoLock);
	return sdc_openrelease_in_order(opened, names);
}

/* find_known decides which columns are known, and what each is. */
static void
find_known(SdcWholeLoading *loading)
{
	const SdcWholeRequest *request = loading->request;
	List	   *names = request->known_given ?
		check_named(loading, request->known, "known") :
		list_columns(loading, false);
	SdcWholeRelease *whole = loading->whole;
	ListCell   *cell;

	if (loading->target != NULL && !request->known_given)
		names = sdc_names_without(names, list_make1(unconstify(char *, loading->target->name)));
	if (request->copied_only)
		names = sdc_names_without(names, loading->opened->row.columns);
	if (names == NIL && !(request->may_be_none && !request->known_given) && !request->copied_only)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 request->known_given ? errmsg("argument \"known\" must name at least one column") :
				 errmsg("release \"%s\" has no column that an intruder knows", loading->opened->name),
				 errhint("Name columns of the release in argument \"known\"; the default is every column that is neither part of the key nor classified as sensitive or public.")));
	loading->count = list_length(names);
	loading->known = palloc0(sizeof(SdcKnownColumn) * Max(loading->count, 1));
	/* and as many for missing codes */
	loading->column = palloc0(sizeof(SdcCandidatesColumn) * 2 * Max(loading->count, 1));
	whole->name = palloc(sizeof(char *) * 2 * Max(loading->count, 1));
	foreach(cell, names)
	{
		SdcKnownColumn *known = &loading->known[foreach_current_index(cell)];

		known->name = whole->name[foreach_current_index(cell)] = lfirst(cell);
		known->step = sdc_steps_find(loading->steps, known->name);
		sdc_wholecolumns_kind(loading, known);
		loading->column[foreach_current_index(cell)].kind = known->kind;
	}
	whole->known = whole->task.count = loading->count;
	whole->task.column = loading->column;
	whole->task.draws = list_length(loading->draws);
	whole->task.draw = palloc0(sizeof(SdcCandidatesDraw) * Max(whole->task.draws, 1));
}

/* wanted_by_default is the only column of the release that is classified as sensitive. */
static const char *
wanted_by_default(const SdcWholeLoading *loading)
{
	List	   *names = list_columns(loading, true);

	if (list_length(names) != 1)
		ereport(ERROR,
				(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
				 errmsg("argument \"sensitive\" must be given"),
				 errdetail("%d columns of release \"%s\" are classified as sensitive.",
						   list_length(names), loading->opened->name),
				 errhint("Name the column that an intruder wants to learn, such as: sensitive => '{disease}'")));
	return linitial(names);
}

/* find_target decides what is wanted: a column with values in the release that is not known. */
static void
find_target(SdcWholeLoading *loading)
{
	const SdcWholeRequest *request = loading->request;
	const char *name = request->target;
	SdcKnownColumn *target;

	if (!request->wants)
		return;
	if (name == NULL)
		name = wanted_by_default(loading);
	(void) check_named(loading, list_make1(unconstify(char *, name)),
					   "sensitive");
	target = palloc0(sizeof(SdcKnownColumn));
	target->name = name;
	target->step = sdc_steps_find(loading->steps, name);
	if (!sdc_steps_keeps(target->step, name))
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("column \"%s\" cannot be sensitive, it is generalized in release \"%s\"",
						name, loading->opened->name),
				 errhint("Name a column whose values the release has.")));
	if (request->known_given && sdc_names_have(request->known, name))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("column \"%s\" is named in arguments \"known\" and \"sensitive\"", name)));
	loading->target = target;
	sdc_wholecolumns_kind(loading, target);
}

/* has_kind tells whether a known column is of a kind. */
static bool
has_kind(const SdcWholeLoading *loading, SdcCandidatesKind kind)
{
	for (int j = 0; j < loading->count; j++)
		if (loading->known[j].kind == kind)
			return true;
	return false;
}

/* append_name adds a name to a list that may have it. */
static List *
append_name(List *names, const char *name)
{
	return sdc_names_have(names, name) ? names : lappend(names, pstrdup(name));
}

/* has_moved tells whether whole units have moved within their strata with a known column. */
static bool
has_moved(const SdcWholeLoading *loading)
{
	for (int j = 0; j < loading->count; j++)
		if (loading->known[j].moved)
			return true;
	return false;
}

/* plan_reading plans the reading of both files: what is known, the target, and what its methods need. */
static void
plan_reading(SdcWholeLoading *loading)
{
	SdcOpenRelease *opened = loading->opened;
	List	   *names = NIL;
	List	   *also;
	List	   *release;
	ListCell   *cell;

	for (int j = 0; j < loading->count; j++)
		names = lappend(names, unconstify(char *, loading->known[j].name));
	if (loading->target != NULL)
		names = lappend(names, unconstify(char *, loading->target->name));
	release = list_copy(names);
	for (int j = 0; j < loading->count; j++)
		if (loading->known[j].kind == SDC_CANDIDATES_SET && !loading->known[j].generalized)
			release = append_name(release, SDC_GROUP_COLUMN);
	if (loading->target != NULL && loading->target->kind == SDC_CANDIDATES_SET)
		release = append_name(release, SDC_GROUP_COLUMN);
	opened->with_strata = opened->row.strata != NIL &&
		(has_kind(loading, SDC_CANDIDATES_WINDOW) || has_kind(loading, SDC_CANDIDATES_JOINT) || has_moved(loading));
	also = sdc_names_without(names, opened->row.columns);
	if (loading->other)
		foreach(cell, loading->unit)
			also = append_name(also, lfirst(cell));
	sdc_openrelease_plan(opened, also, release);
	for (int j = 0; j < loading->count; j++)
	{
		loading->known[j].original = sdc_openrelease_attribute(opened->source, loading->known[j].name);
		loading->known[j].protected = sdc_openrelease_attribute(opened->release, loading->known[j].name);
	}
	if (loading->target == NULL)
		return;
	loading->target->original = sdc_openrelease_attribute(opened->source, loading->target->name);
	loading->target->protected = sdc_openrelease_attribute(opened->release, loading->target->name);
}

/* level_column makes a column of what a hierarchy makes of the original values of a known column at its level. */
static SdcColumn *
level_column(const SdcKnownColumn *known, SdcSpool *spool)
{
	MemoryContext scratch = AllocSetContextCreate(CurrentMemoryContext, "sdc level", ALLOCSET_DEFAULT_SIZES);
	SdcColumnReader *reader = sdc_column_open(known->original->column);
	SdcColumn  *result = sdc_column_create(spool, sdc_rule_type(known->rule));
	uint64		records = sdc_column_count(known->original->column);

	for (uint64 r = 0; r < records; r++)
	{
		Datum		value;
		bool		isnull = !sdc_column_next(reader, &value);
		bool		same;
		MemoryContext old = MemoryContextSwitchTo(scratch);

		if (known->everything)
			value = sdc_rulevalue_everything(known->rule);
		else if (!isnull)
			value = sdc_rulevalue_level(known->rule, known->level, value, known->original->missing != NULL &&
										sdc_missing_which(known->original, value) >= 0, &same);
		MemoryContextSwitchTo(old);
		sdc_column_append(result, value, isnull && !known->everything);
		MemoryContextReset(scratch);
		sdc_interrupts_step(r);
	}
	sdc_column_close(reader);
	sdc_column_finish(result);
	MemoryContextDelete(scratch);
	return result;
}

/* find_everything finds the records whose released value is everything. */
static bool *
find_everything(const SdcKnownColumn *known, uint32 records)
{
	bool	   *found = sdc_memory_zeros(records, sizeof(bool));
	MemoryContext scratch = AllocSetContextCreate(CurrentMemoryContext, "sdc level", ALLOCSET_DEFAULT_SIZES);
	SdcColumnReader *reader = sdc_column_open(known->protected->column);

	for (uint32 r = 0; r < records; r++)
	{
		Datum		value;
		MemoryContext old = MemoryContextSwitchTo(scratch);

		found[r] = sdc_column_next(reader, &value) && sdc_rulevalue_is_everything(known->rule, value);
		MemoryContextSwitchTo(old);
		MemoryContextReset(scratch);
		sdc_interrupts_step(r);
	}
	sdc_column_close(reader);
	MemoryContextDelete(scratch);
	return found;
}

/*
 * code_level gives what a hierarchy makes of the original values, and what the release has, common codes.  A missing
 * value is one like others, unless some were put into the release later; everything is a blank.
 */
static void
code_level(const SdcWholeLoading *loading, const SdcKnownColumn *known, SdcArena *arena, SdcPairColumn *pair)
{
	uint32		records = loading->whole->task.records;
	SdcSpool   *spool = sdc_spool_create(sdc_memory_budget() / 4, 1);
	SdcColumn  *leveled = level_column(known, spool);
	bool	   *everything = find_everything(known, records);
	uint32	   *original;
	uint32	   *protected;
	bool		later;

	sdc_paircodes_columns(leveled, known->protected->column, &known->protected->type, arena, pair);
	sdc_column_destroy(leveled);
	sdc_spool_destroy(spool);
	sdc_column_destroy(known->original->column);
	sdc_column_destroy(known->protected->column);
	later = sdc_pairs_blanks(pair, records, false);
	original = unconstify(uint32 *, pair->original);
	protected = unconstify(uint32 *, pair->protected);
	for (uint32 r = 0; r < records; r++)
	{
		sdc_interrupts_step(r);
		if (original[r] == SDC_CODE_NULL)
			original[r] = pair->codes;
		if (everything[r])
			protected[r] = SDC_CODE_NULL;
		else if (protected[r] == SDC_CODE_NULL && !later)
			protected[r] = pair->codes;
	}
	pair->codes++;
	sdc_free(everything);
}

/*
 * code_column gives the values of a column in both files common codes, and tells whether the release has blanks; state,
 * unless NULL, gets the missing codes, which are no values then.  To permutation a missing value is one like others,
 * and nobody knows what other tools do with it.
 */
static bool
code_column(SdcWholeLoading *loading, SdcKnownColumn *known, SdcArena *arena,
			SdcPairColumn *pair, SdcPairColumn *state)
{
	uint32		records = loading->whole->task.records;
	bool		moved = known->kind == SDC_CANDIDATES_SET || known->moved ||
		(known->kind == SDC_CANDIDATES_UNKNOWN && !known->averaged);

	if (known->matrix != NULL)
		sdc_wholelaws_code(loading->opened, known, arena, pair, state);
	else if (known->leveled)
		code_level(loading, known, arena, pair);
	else
		sdc_openrelease_codes(loading->opened, known->original, known->protected, arena,
							  pair, NULL, state);
	sdc_openrelease_suppress(loading->opened, known->name, pair);
	if (known->step == NULL)
		sdc_openrelease_check_copied(loading->opened, known->name, pair->original, pair->protected, records);
	return known->suppressed || sdc_pairs_blanks(pair, records, moved);
}

/* leaves_codes tells whether the method of a known column has left its missing codes where they were. */
static bool
leaves_codes(const SdcKnownColumn *known)
{
	return known->kind == SDC_CANDIDATES_WINDOW || known->kind == SDC_CANDIDATES_JOINT || known->averaged ||
		(known->kind == SDC_CANDIDATES_RANDOMIZED && !known->moved);
}

/*
 * add_state has an intruder know which missing code somebody has in a column: a record that has the same one in the
 * release can be the person, or lacks the value that was taken out.
 */
static void
add_state(SdcWholeLoading *loading, int number, const SdcPairColumn *state)
{
	SdcCandidatesTask *task = &loading->whole->task;

	loading->whole->name[task->count] = loading->known[number].name;
	loading->column[task->count++] = (SdcCandidatesColumn) {.kind = SDC_CANDIDATES_EXACT, .original = state->original,
	.protected = state->protected, .codes = state->codes, .blanks = loading->column[number].blanks};
}

/* kinds_of returns what records have in a column: a value, 0, or what it is in the place of one. */
static uint32 *
kinds_of(const SdcPairColumn *pair, const uint32 *code, const uint32 *state, uint32 records)
{
	uint32	   *kind = sdc_memory_array(records, sizeof(uint32));

	for (uint32 i = 0; i < records; i++)
	{
		sdc_interrupts_step(i);
		if (state != NULL && state[i] != SDC_CODE_NULL)
			kind[i] = 1 + pair->codes + state[i];
		else if (code[i] == SDC_CODE_NULL)
			kind[i] = SDC_CODE_NULL;
		else
			kind[i] = pair->value == NULL || !isnan(pair->value[code[i]]) ? 0 : 1 + code[i];
	}
	return kind;
}

/*
 * add_kinds has an intruder know whether somebody has a value in a column with averages of groups, or what in the place
 * of one: it stays, or it is taken out.
 */
static void
add_kinds(SdcWholeLoading *loading, int number, const SdcPairColumn *pair, const SdcPairColumn *state)
{
	uint32		records = loading->whole->task.records;
	SdcPairColumn kinds = {.codes = 1 + pair->codes + state->codes};

	if (state->codes == 0 && sdc_pairs_complete(pair, records))
		return;
	kinds.original = kinds_of(pair, pair->original, state->original, records);
	kinds.protected = kinds_of(pair, pair->protected, state->protected, records);
	add_state(loading, number, &kinds);
	loading->column[loading->whole->task.count - 1].blanks = sdc_pairs_blanks(&kinds, records, false);
}

/* code_columns codes all that have values in both files; they are the pairing. */
static void
code_columns(SdcWholeLoading *loading)
{
	SdcWholeRelease *whole = loading->whole;
	SdcPairColumn *pair = palloc0(sizeof(SdcPairColumn) * loading->count);
	SdcArena	arena = {0};

	sdc_progress_coding(loading->count);
	for (int j = 0; j < loading->count; j++)
	{
		SdcKnownColumn *known = &loading->known[j];
		SdcCandidatesColumn *column = &loading->column[j];
		SdcPairColumn state = {0};
		bool		numbers = known->kind == SDC_CANDIDATES_WINDOW || known->noise.kind != SDC_NOISE_NONE ||
			(known->kind == SDC_CANDIDATES_UNKNOWN && !known->moved);

		if (known->generalized)
			continue;
		column->blanks = code_column(loading, known, &arena, &pair[whole->compared],
									 leaves_codes(known) ? &state : NULL) &&
			known->kind != SDC_CANDIDATES_SET && known->kind != SDC_CANDIDATES_UNKNOWN && !known->moved;
		column->original = pair[whole->compared].original;
		column->protected = pair[whole->compared].protected;
		column->codes = pair[whole->compared].codes;
		column->value = numbers ? pair[whole->compared].value : NULL;
		whole->compared++;
		if (known->averaged && !known->runs && loading->opened->row.made)
			add_kinds(loading, j, &pair[whole->compared - 1], &state);
		else if (state.codes > 0)
			add_state(loading, j, &state);
		sdc_progress_next();
	}
	if (loading->target != NULL)
	{
		sdc_openrelease_unrecode(loading->target->original);
		whole->target_blanks = code_column(loading, loading->target, &arena, &whole->target, NULL);
	}
	sdc_arena_free(&arena);
	whole->paired->pairs = (SdcPairs) {whole->task.records, whole->compared, pair};
}

/* fill_unreadable makes a column that tells nothing: all have the same value. */
static void
fill_unreadable(SdcWholeLoading *loading, SdcCandidatesColumn *column)
{
	uint32		records = loading->whole->task.records;
	uint32	   *code = sdc_memory_array(records, sizeof(uint32));

	memset(code, 0, records * sizeof(uint32));
	*column = (SdcCandidatesColumn) {.kind = SDC_CANDIDATES_EXACT, .original = code,
	.protected = code, .codes = 1};
}

/* find_astray finds the released records that do not show their strata, as a blank hides a known column of these. */
static void
find_astray(SdcWholeLoading *loading)
{
	SdcCandidatesTask *task = &loading->whole->task;
	bool	   *astray = NULL;

	for (int j = 0; j < loading->count; j++)
	{
		const SdcCandidatesColumn *column = &loading->column[j];

		if (!column->blanks || !sdc_names_have(loading->opened->row.strata, loading->known[j].name))
			continue;
		if (astray == NULL)
		{
			astray = sdc_memory_array(task->records, sizeof(bool));
			memset(astray, false, task->records * sizeof(bool));
		}
		for (uint32 i = 0; i < task->records; i++)
			astray[i] = astray[i] || column->protected[i] == SDC_CODE_NULL;
	}
	task->astray = astray;
}

/* fill_columns adds what the steps tell. */
static void
fill_columns(SdcWholeLoading *loading)
{
	SdcCandidatesTask *task = &loading->whole->task;
	SdcSource  *source = loading->opened->source;

	sdc_wholeunits_levels(loading);
	if (source->stratum != NULL)
	{
		task->stratum = sdc_grouprecords_strata(source->stratum, source->records);
		task->strata = (uint32) Max(source->strata_found, 1);
		task->in_strata = has_moved(loading);
		find_astray(loading);
	}
	for (int j = 0; j < loading->count; j++)
	{
		if (loading->known[j].unreadable)
			fill_unreadable(loading, &loading->column[j]);
		else if (loading->known[j].runs)
			sdc_wholecolumns_runs(loading, j);
		else if (loading->known[j].kind == SDC_CANDIDATES_WINDOW || loading->known[j].swapped == SDC_SWAPPED_WHOLE)
			sdc_wholecolumns_windows(loading, j);
		else if (loading->known[j].kind == SDC_CANDIDATES_RANDOMIZED && loading->known[j].moved)
			sdc_wholecolumns_together(loading, j);
		else if (loading->known[j].kind == SDC_CANDIDATES_RANDOMIZED)
			sdc_wholecolumns_share(loading, j);
		else if (loading->known[j].kind == SDC_CANDIDATES_JOINT)
			loading->column[j].set = loading->known[j].set;
	}
	sdc_wholeunits_classes(loading);
	sdc_wholegroups_generalized(loading);
	sdc_wholegroups_permuted(loading);
	if (loading->target != NULL && loading->target->kind == SDC_CANDIDATES_SET)
		sdc_wholegroups_target(loading);
}

/* take_units decides what the units are, and what is known of them. */
static void
take_units(SdcWholeLoading *loading)
{
	const SdcWholeRequest *request = loading->request;
	SdcWholeRelease *whole = loading->whole;

	loading->unit = request->unit_given ? request->unit : loading->opened->row.unit;
	loading->other = sdc_names_without(loading->unit, loading->opened->row.unit) != NIL ||
		sdc_names_without(loading->opened->row.unit, loading->unit) != NIL;
	loading->opened->has_units = loading->unit != NIL;
	whole->by_units = request->by_units && loading->unit != NIL;
	whole->unlinked = request->unlinked;
	whole->known_rows = request->known_rows;
	if (request->known_rows > 0 && !whole->by_units)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("argument \"known_rows\" is about units, and each record of release \"%s\" is one",
						loading->opened->name),
				 errhint("Name the columns that tell whom a record is about in argument \"unit\".")));
}

/* prepare finds the release, and decides what is known of it. */
static void
prepare(SdcWholeLoading *loading)
{
	const SdcWholeRequest *request = loading->request;
	SdcWholeRelease *whole = loading->whole;

	loading->opened = sdc_openrelease_get(request->catalog_schema, request->release, request->frame, request->unnamed);
	whole->paired = palloc0(sizeof(SdcPairedRelease));
	whole->paired->row = loading->opened->row;
	whole->paired->name = loading->opened->name;
	loading->steps = sdc_steps_of(&loading->opened->row);
	take_units(loading);
	find_target(loading);
	find_known(loading);
}

/* load reads both files in the current memory context. */
static SdcWholeRelease *
load(const SdcWholeRequest *request)
{
	SdcWholeRelease *whole = palloc0(sizeof(SdcWholeRelease));
	SdcWholeLoading loading = {.request = request, .whole = whole};
	SdcOpenRelease *opened;

	prepare(&loading);
	if (loading.count == 0)
		return whole;
	opened = loading.opened;
	opened->recoded = true;
	plan_reading(&loading);
	sdc_openrelease_load(opened);
	whole->task.records = (uint32) opened->source->records;
	sdc_wholeunits_take(&loading, request->keys);
	if (request->keys && !whole->by_units)
		sdc_pairedrelease_keep_keys(whole->paired, opened->source);
	if (whole->task.records > 0)
		sdc_wholecolumns_bins(&loading);
	code_columns(&loading);
	if (whole->task.records > 0)
		fill_columns(&loading);
	sdc_openrelease_end(opened);
	return whole;
}

/* has_windows_only tells whether all columns that are known have nothing but windows that the right value is in. */
static bool
has_windows_only(const SdcWholeLoading *loading)
{
	for (int j = 0; j < loading->count; j++)
	{
		const SdcKnownColumn *known = &loading->known[j];
		SdcStepReach reach;

		if (known->kind != SDC_CANDIDATES_WINDOW)
			return false;
		reach = sdc_steps_reach(known->step);
		if (reach.continued || !sdc_wholecolumns_sound(known->step, &reach))
			return false;
	}
	return loading->count > 0 && loading->opened->row.strata == NIL && loading->unit == NIL &&
		loading->opened->row.missing == NULL &&
		loading->opened->row.unit == NIL;
}

/* sdc_wholerelease_windows: see wholerelease.h. */
bool
sdc_wholerelease_windows(const SdcWholeRequest *request, const char *const *name, int count)
{
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext, "sdc whole release",
												  ALLOCSET_DEFAULT_SIZES);
	MemoryContext old = MemoryContextSwitchTo(context);
	SdcWholeLoading loading = {.request = request, .whole = palloc0(sizeof(SdcWholeRelease))};
	bool		same;

	prepare(&loading);
	same = loading.count == count && has_windows_only(&loading);
	for (int j = 0; j < count && same; j++)
		same = strcmp(name[j], loading.known[j].name) == 0;
	MemoryContextSwitchTo(old);
	MemoryContextDelete(context);
	return same;
}

/* sdc_wholerelease_check: see wholerelease.h. */
void
sdc_wholerelease_check(const SdcWholeRequest *request)
{
	(void) sdc_wholerelease_windows(request, NULL, 0);
}

/* sdc_wholerelease_begin: see wholerelease.h. */
SdcWholeRelease *
sdc_wholerelease_begin(SdcEvaluation *evaluation, const SdcWholeRequest *request,
					   const SdcSampleRequest *sample)
{
	SdcWholeRelease *whole;

	sdc_evaluation_start(evaluation, sample);
	whole = load(request);
	evaluation->paired = whole->paired;
	evaluation->units = whole->by_units ? whole->units : NULL;
	sdc_evaluation_draw(evaluation);
	return whole;
}
