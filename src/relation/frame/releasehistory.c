/*-------------------------------------------------------------------------
 *
 * releasehistory.c
 *		Several releases of a table and their sources, read together.
 *
 * Records are followed by their key.  A source may have changed since a release was made, which is what these
 * measures are about: its checksum is not asked.  A table that is not in the catalog can stand for a
 * release, such as a copy that was kept, if its source and p are named.
 *
 * Of a column that all releases recode in the same way, alone or before another step, an intruder knows what that makes
 * of a value: so the columns of the sources are recoded when they are read.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/relation.h"
#include "relation/base/memory.h"
#include "relation/base/names.h"
#include "relation/base/progress.h"
#include "relation/base/spi.h"
#include "relation/catalog/catalog.h"
#include "relation/catalog/steps.h"
#include "relation/frame/commoncodes.h"
#include "relation/frame/releasehistory.h"
#include "relation/read/repeated.h"
#include "relation/read/source.h"
#include "relation/recode/rulelaw.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"

/* What is known of one release before it is read. */
typedef struct OneRelease
{
	Oid			relid;
	bool		catalogued;
	SdcReleaseRow row;
	List	   *steps;
	List	   *key;
	Oid			source;
	bool		source_named;	/* the caller has named it */
	int			truth;			/* number of the file of its source */
} OneRelease;

typedef struct Opening
{
	const SdcHistoryRequest *request;
	OneRelease *one;			/* by release */
	List	   *known;
	List	   *recodings;		/* of these, SdcStep *: that which recodes it in all releases, or NULL */
	int			files;			/* releases first, then sources */
	Oid		   *relid;
	bool	   *unnamed;
	List	  **names;			/* by file: of the key, and what is known and sensitive, in the names of the file */
} Opening;

/* last_of returns the last release, whose names stand for those of all. */
static const OneRelease *
last_of(const Opening *opening)
{
	return &opening->one[opening->request->releases - 1];
}

/* go_on returns what to do where a release, or with NULL one that the message names, cannot be compared. */
static char *
go_on(const Opening *opening, const OneRelease *one, const char *otherwise)
{
	if (!opening->request->by_last)
		return pstrdup(otherwise);
	return psprintf("Drop %s to go on without it. Its joint risk with later releases is not measured then; the next release is drawn anew if it was the last one.",
					one == NULL ? "the earlier release" : psprintf("table %s", sdc_spi_relation_name(one->relid)));
}

/* live_name returns the name of a column by its number; NULL: it is gone. */
static const char *
live_name(Oid relid, AttrNumber number)
{
	const char *name = get_attname(relid, number, true);

	return name != NULL && get_attnum(relid, name) == number ? name : NULL;
}

/*
 * name_of returns what a release calls a column of the last one; NULL: it has none.  A column of the source that was
 * renamed is the same one, and another that has its name now is not; one that was made anew takes the place of one that
 * is gone.
 */
static const char *
name_of(const Opening *opening, const OneRelease *one, const char *name)
{
	const OneRelease *last = last_of(opening);
	AttrNumber	number = sdc_catalog_number(&last->row, name);
	const char *other = name;

	/* what the last one does not have is told when it is read */
	if (one == last)
		return name;
	if (number != InvalidAttrNumber && one->row.named != NIL && one->row.source == last->row.source)
	{
		other = sdc_catalog_name(&one->row, number);
		if (other == NULL && live_name(last->row.source, sdc_catalog_number(&one->row, name)) == NULL)
			other = name;
	}
	return other != NULL && get_attnum(one->relid, other) > 0 ? other : NULL;
}

/* name_in_source returns what a source calls such a column by now. */
static const char *
name_in_source(const Opening *opening, Oid source, const char *name)
{
	const OneRelease *last = last_of(opening);
	const char *other = source != last->row.source ? NULL : live_name(source, sdc_catalog_number(&last->row, name));

	return other == NULL ? name : other;
}

/* names_in returns what a release calls some columns, all of which it should have. */
static List *
names_in(const Opening *opening, const OneRelease *one, const List *columns)
{
	List	   *names = NIL;
	ListCell   *cell;

	foreach(cell, columns)
	{
		const char *name = name_of(opening, one, lfirst(cell));

		if (name == NULL)
			ereport(ERROR,
					(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
					 errmsg("release \"%s\" has no column \"%s\"", get_rel_name(one->relid), (char *) lfirst(cell)),
					 errdetail("The joint risk of releases is measured by columns that all of them have."),
					 errhint("%s", go_on(opening, one, "Name columns in argument \"known\" that all releases have."))));
		names = lappend(names, unconstify(char *, name));
	}
	return names;
}

/* open_release looks a release up. */
static void
open_release(const Opening *opening, int t)
{
	const SdcHistoryRequest *request = opening->request;
	OneRelease *one = &opening->one[t];
	Relation	rel = sdc_source_open(request->release[t], AccessShareLock);

	one->relid = request->release[t];
	sdc_source_check_kind(one->relid);
	sdc_source_check_readable(one->relid);
	one->catalogued = sdc_catalog_get(request->catalog_schema, one->relid, &one->row);
	if (!one->catalogued && request->by_last && t < request->releases - 1)
	{
		one->row = opening->one[request->releases - 1].row;
		one->catalogued = true;
	}
	if (!one->catalogued && (request->sources == 0 || request->p == 0))
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_OBJECT),
				 errmsg("relation \"%s\" is not a release", RelationGetRelationName(rel)),
				 errhint("Make it one with sdc_register; or name its source in argument \"sources\", and its window in argument \"p\".")));
	one->steps = one->catalogued ? sdc_steps_of(&one->row) : NIL;
	one->key = one->catalogued ? one->row.key : sdc_source_primary_key(one->relid);
	if (one->key == NIL)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_TABLE_DEFINITION),
				 errmsg("the records of release \"%s\" have no key", RelationGetRelationName(rel)),
				 errhint("Records are followed from release to release by their key: the source needs a primary key, or the release argument \"key\".")));
	one->source_named = request->sources > 0;
	if (request->by_last && t < request->releases - 1)
		one->source = opening->one[request->releases - 1].source;
	else
		one->source = request->sources == 0 ? one->row.source :
			request->source[request->sources == 1 ? 0 : t];
	if (!OidIsValid(one->source) || get_rel_name(one->source) == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("the source of release \"%s\" does not exist any more", RelationGetRelationName(rel)),
				 errhint("Name a table with its records in argument \"sources\".")));
	relation_close(rel, NoLock);
}

/* same_key tells whether a release has the key of the last one. */
static bool
same_key(const Opening *opening, const OneRelease *one)
{
	List	   *key = last_of(opening)->key;
	ListCell   *cell;

	if (list_length(key) != list_length(one->key))
		return false;
	foreach(cell, key)
	{
		const char *name = name_of(opening, one, lfirst(cell));

		if (name == NULL || strcmp(name, list_nth(one->key, foreach_current_index(cell))) != 0)
			return false;
	}
	return true;
}

/* check_keys insists on the same key in all releases. */
static void
check_keys(const Opening *opening)
{
	int			releases = opening->request->releases;

	for (int t = 0; t < releases - 1; t++)
		if (!same_key(opening, &opening->one[t]))
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("releases \"%s\" and \"%s\" do not have the same key",
							get_rel_name(opening->one[t].relid), get_rel_name(opening->one[releases - 1].relid)),
					 errhint("%s", go_on(opening, &opening->one[t],
										 "Records are followed from release to release by their key."))));
}

/* known_columns returns the columns that are known. */
static List *
known_columns(const Opening *opening)
{
	const SdcHistoryRequest *request = opening->request;
	const OneRelease *last = last_of(opening);
	List	   *known = request->known;

	if (!request->known_given && last->catalogued)
		known = sdc_steps_value_columns(&last->row);
	if (known == NIL)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("argument \"known\" must name at least one column"),
				 errhint("Name columns that the intruder knows, and that all releases have.")));
	return known;
}

/* check_sensitive insists on a sensitive column that is copied, and not known. */
static void
check_sensitive(const Opening *opening)
{
	const char *name = opening->request->sensitive;

	if (name == NULL)
		return;
	if (sdc_names_have(opening->known, name) || sdc_names_have(last_of(opening)->key, name))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("sensitive column \"%s\" is known", name),
				 errhint("Name a column that is neither known nor part of the key.")));
	for (int t = 0; t < opening->request->releases; t++)
		if (sdc_steps_find(opening->one[t].steps, name_of(opening, &opening->one[t], name)) != NULL)
			ereport(ERROR,
					(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
					 errmsg("sensitive column \"%s\" is protected in release \"%s\"", name,
							get_rel_name(opening->one[t].relid)),
					 errhint("Name a column that the releases have as it is.")));
}

/* has_codes tells whether a column has missing codes in a release: these have no place among the ranks of values. */
static bool
has_codes(const Opening *opening, const OneRelease *one, const char *name)
{
	return one->row.missing != NULL &&
		sdc_parameters_has(sdc_parameters_read(one->row.missing), name_of(opening, one, name));
}

/* recoding_of returns the step that recodes a column in a release, NULL without. */
static const SdcStep *
recoding_of(const Opening *opening, const OneRelease *one, const char *name)
{
	return sdc_steps_recoding(one->steps, name_of(opening, one, name));
}

/*
 * common_recoding returns the step that recodes a column, if all releases that the catalog knows do the same; NULL:
 * they do not, or missing codes stay what they are.
 */
static const SdcStep *
common_recoding(const Opening *opening, const char *name)
{
	const OneRelease *last = last_of(opening);
	const SdcStep *common = recoding_of(opening, last, name);

	for (int t = 0; t < opening->request->releases && common != NULL; t++)
	{
		const OneRelease *one = &opening->one[t];
		const SdcStep *step = recoding_of(opening, one, name);

		if (one->catalogued && (step == NULL || has_codes(opening, one, name) ||
								!sdc_rulelaw_same(step->parameters, name_of(opening, one, name), common->parameters,
												  name)))
			return NULL;
	}
	return common;
}

/* is_recoded tells whether what is compared of a known column was recoded. */
static bool
is_recoded(const Opening *opening, const char *name)
{
	return list_nth(opening->recodings, sdc_names_index(opening->known, name)) != NULL;
}

/* reach_of returns the reach of a column in a release; false: it is copied. */
static bool
reach_of(const Opening *opening, const OneRelease *one, const char *name, SdcStepReach *reach)
{
	const SdcStep *step = sdc_steps_find(one->steps, name_of(opening, one, name));

	if (one->catalogued && step == NULL)
		return false;
	/* as copied: what is compared is the same function of both */
	if (step != NULL && step->method->tells == SDC_TELLS_FUNCTION && is_recoded(opening, name))
		return false;
	*reach = (SdcStepReach) {.known = true, .percent = opening->request->p};
	if (opening->request->p == 0)
		*reach = sdc_steps_reach(step);
	/* values of units have moved among units, and how far among records nobody knows */
	if (opening->request->p == 0 && one->row.units < one->row.records &&
		sdc_parameters_has(step->parameters, SDC_PARAMETER_UNIT_SIZE))
		reach->known = false;
	if (opening->request->p == 0 && has_codes(opening, one, name))
		reach->known = false;
	/* by rank among what the values were recoded to */
	if (opening->request->p == 0 && recoding_of(opening, one, name) != NULL && !is_recoded(opening, name))
		reach->known = false;
	return true;
}

/* check_reach insists on windows for all known columns that are protected. */
static void
check_reach(const Opening *opening)
{
	for (int t = 0; t < opening->request->releases; t++)
	{
		const OneRelease *one = &opening->one[t];
		ListCell   *cell;

		foreach(cell, opening->known)
		{
			SdcStepReach reach;

			if (sdc_names_have(one->key, name_of(opening, one, lfirst(cell))))
				ereport(ERROR,
						(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						 errmsg("column \"%s\" is part of the key of release \"%s\"",
								(char *) lfirst(cell), get_rel_name(one->relid)),
						 errhint("An intruder who knows the key needs no attack: name other columns in argument \"known\".")));
			if (reach_of(opening, one, lfirst(cell), &reach) && !reach.known)
				ereport(ERROR,
						(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
						 errmsg("how far values of column \"%s\" moved in release \"%s\" is not known",
								(char *) lfirst(cell), get_rel_name(one->relid)),
						 has_codes(opening, one, lfirst(cell)) ? errdetail("Its missing codes have stayed where they were.") :
						 recoding_of(opening, one, lfirst(cell)) != NULL && !is_recoded(opening, lfirst(cell)) ?
						 errdetail("They were recoded, and not by the same rule in all releases.") :
						 one->row.units > 0 ? errdetail("They moved between units, and these attacks are by records.") : 0,
						 errhint("Name a window in argument \"p\", a percentage of the ranks: above 0 and at most 100.")));
		}
	}
}

/* add_sources adds the sources to the files, each once. */
static void
add_sources(Opening *opening)
{
	int			releases = opening->request->releases;

	for (int t = 0; t < releases; t++)
	{
		OneRelease *one = &opening->one[t];

		opening->relid[t] = one->relid;
		opening->unnamed[t] = false;
	}
	opening->files = releases;
	for (int t = 0; t < releases; t++)
	{
		OneRelease *one = &opening->one[t];

		for (one->truth = releases; one->truth < opening->files; one->truth++)
			if (opening->relid[one->truth] == one->source)
				break;
		if (one->truth < opening->files)
			continue;
		opening->relid[opening->files] = one->source;
		opening->unnamed[opening->files++] = false;
	}
}

/* compared_columns lists the key, and what is known and sensitive, as the last release calls them. */
static List *
compared_columns(const Opening *opening)
{
	List	   *columns = list_concat_copy(last_of(opening)->key, opening->known);

	if (opening->request->sensitive != NULL)
		columns = lappend(columns, unconstify(char *, opening->request->sensitive));
	return columns;
}

/* name_sources says what the sources call these. */
static void
name_sources(Opening *opening, const List *columns)
{
	for (int f = opening->request->releases; f < opening->files; f++)
	{
		ListCell   *cell;

		opening->names[f] = NIL;
		foreach(cell, columns)
			opening->names[f] = lappend(opening->names[f], unconstify(char *, name_in_source(opening, opening->relid[f],
																							 lfirst(cell))));
	}
}

/* open_all looks at all that can be known before a row is read. */
static void
open_all(Opening *opening, const SdcHistoryRequest *request)
{
	List	   *columns;
	ListCell   *cell;

	opening->request = request;
	opening->one = palloc0(sizeof(OneRelease) * request->releases);
	opening->relid = palloc(sizeof(Oid) * 2 * request->releases);
	opening->unnamed = palloc(sizeof(bool) * 2 * request->releases);
	opening->names = palloc(sizeof(List *) * 2 * request->releases);
	for (int t = request->releases - 1; t >= 0; t--)
		open_release(opening, t);
	check_keys(opening);
	opening->known = known_columns(opening);
	columns = compared_columns(opening);
	for (int t = 0; t < request->releases; t++)
		opening->names[t] = names_in(opening, &opening->one[t], columns);
	foreach(cell, opening->known)
		opening->recodings = lappend(opening->recodings,
									 unconstify(SdcStep *, common_recoding(opening, lfirst(cell))));
	check_sensitive(opening);
	check_reach(opening);
	add_sources(opening);
	name_sources(opening, columns);
}

/* rule_in returns what recodes a known column of a source, NULL if nothing does. */
static SdcRule *
rule_in(const Opening *opening, Oid source, int column)
{
	const SdcStep *step = list_nth(opening->recodings, column);
	const char *name = list_nth(opening->known, column);
	AttrNumber	number = get_attnum(source, name_in_source(opening, source, name));
	Oid			typid;
	int32		typmod;
	Oid			collation;
	SdcRule    *rule;

	/* a column that is not there is told when the source is read */
	if (step == NULL || number <= 0)
		return NULL;
	get_atttypetypmodcoll(source, number, &typid, &typmod, &collation);
	rule = sdc_rulelaw_of(step->parameters, name, typid, typmod, collation);
	if (rule == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("how column \"%s\" of release \"%s\" was recoded is not known", name,
						get_rel_name(last_of(opening)->relid)),
				 errhint("Name other columns in argument \"known\".")));
	return rule;
}

/* make_rules finds what recodes the columns of each file: those of the sources. */
static SdcRule ***
make_rules(const Opening *opening, int columns)
{
	SdcRule  ***rules = palloc(sizeof(SdcRule **) * opening->files);

	for (int f = 0; f < opening->files; f++)
	{
		rules[f] = palloc0(sizeof(SdcRule *) * Max(columns, 1));
		for (int j = 0; j < list_length(opening->known) && f >= opening->request->releases; j++)
			rules[f][j] = rule_in(opening, opening->relid[f], j);
	}
	return rules;
}

/* make_files makes files for the kernels. */
static SdcHistoryFile *
make_files(const SdcCommonCodes *common, int files)
{
	SdcHistoryFile *file = palloc(sizeof(SdcHistoryFile) * files);

	for (int f = 0; f < files; f++)
	{
		file[f].records = common->file[f].records;
		file[f].person = common->file[f].person;
		file[f].code = (const uint32 *const *) common->file[f].code;
	}
	return file;
}

/* make_widths computes the windows of a release: sound ones, or those of the method. */
static uint32 *
make_widths(const Opening *opening, const SdcReleaseHistory *self, int t, bool sound)
{
	const SdcHistoryFile *file = &self->history.release[t];
	uint32	   *width = palloc0(sizeof(uint32) * self->history.columns);

	for (int j = 0; j < self->history.columns; j++)
	{
		uint32		values = 0;
		SdcStepReach reach;

		if (!reach_of(opening, &opening->one[t], list_nth(opening->known, j), &reach))
			continue;
		for (uint32 i = 0; i < file->records; i++)
			values += file->code[j][i] != SDC_CODE_NULL;
		width[j] = sdc_steps_window(&reach, sound, values);
		CHECK_FOR_INTERRUPTS();
	}
	return width;
}

/* take_classes makes a class of missing values, too. */
static void
take_classes(const SdcCommonFile *file, int column, uint32 codes)
{
	uint32	   *code = file->code[column];

	for (uint32 i = 0; i < file->records; i++)
		if (code[i] == SDC_CODE_NULL)
			code[i] = codes;
	CHECK_FOR_INTERRUPTS();
}

/* is_continued tells whether a known column of some release has windows that are wider than those of its method. */
static bool
is_continued(const Opening *opening)
{
	for (int t = 0; t < opening->request->releases; t++)
	{
		ListCell   *cell;

		foreach(cell, opening->known)
		{
			SdcStepReach reach;

			if (reach_of(opening, &opening->one[t], lfirst(cell), &reach) && reach.continued)
				return true;
		}
	}
	return false;
}

/* make_history describes what was read. */
static void
make_history(const Opening *opening, const SdcCommonCodes *common, SdcReleaseHistory *self)
{
	int			releases = opening->request->releases;
	int			columns = list_length(opening->known);
	SdcHistoryFile *file = make_files(common, opening->files);
	SdcHistoryFile *truth = palloc(sizeof(SdcHistoryFile) * releases);
	int		   *truth_file = palloc(sizeof(int) * releases);
	const uint32 **width = palloc(sizeof(uint32 *) * releases);
	const uint32 **narrow = is_continued(opening) ? palloc(sizeof(uint32 *) * releases) : NULL;

	self->history = (SdcHistory) {common->persons, columns, common->codes, releases, file, width};
	self->released = palloc0(sizeof(uint32 *) * releases);
	self->secret = palloc0(sizeof(uint32 *) * releases);
	if (opening->request->sensitive != NULL)
	{
		self->classes = common->codes[columns] + 1;
		for (int f = 0; f < opening->files; f++)
			take_classes(&common->file[f], columns, common->codes[columns]);
	}
	for (int t = 0; t < releases; t++)
	{
		truth_file[t] = opening->one[t].truth;
		truth[t] = file[truth_file[t]];
		width[t] = make_widths(opening, self, t, true);
		if (narrow != NULL)
			narrow[t] = make_widths(opening, self, t, false);
		self->most_records = Max(self->most_records, file[t].records);
		if (self->classes == 0)
			continue;
		self->released[t] = file[t].code[columns];
		self->secret[t] = truth[t].code[columns];
	}
	self->files = opening->files;
	self->truth = truth;
	self->truth_file = truth_file;
	self->narrow = narrow;
	self->known = opening->known;
}

/* sdc_releasehistory_load: see releasehistory.h. */
SdcReleaseHistory *
sdc_releasehistory_load(const SdcHistoryRequest *request)
{
	SdcReleaseHistory *self = palloc0(sizeof(SdcReleaseHistory));
	Opening		opening = {0};
	SdcCommonRequest common = {0};

	open_all(&opening, request);
	common.files = opening.files;
	common.relid = opening.relid;
	common.unnamed = opening.unnamed;
	common.key = last_of(&opening)->key;
	common.names = opening.names;
	common.sqlstate = request->by_last ? ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE : ERRCODE_DATATYPE_MISMATCH;
	common.hint = go_on(&opening, NULL, "Name releases whose columns have the types of their sources.");
	common.columns = list_copy(opening.known);
	if (request->sensitive != NULL)
		common.columns = lappend(common.columns, pstrdup(request->sensitive));
	common.rules = make_rules(&opening, list_length(common.columns));
	for (int t = 0; t < request->releases; t++)
		if (opening.one[t].row.unit == NIL && OidIsValid(opening.one[t].row.source))
			sdc_repeated_warn(opening.one[t].row.source, true);
	sdc_progress_start(request->release[request->releases - 1], list_length(common.columns));
	make_history(&opening, sdc_commoncodes_load(&common), self);
	return self;
}

/* sdc_releasehistory_forget: see releasehistory.h. */
void
sdc_releasehistory_forget(SdcReleaseHistory *all)
{
	int			columns = all->history.columns + (all->classes > 0);

	for (int f = 0; f < all->files; f++)
	{
		const SdcHistoryFile *file = &all->history.release[f];

		/* a file without records may have none */
		for (int j = 0; j < columns; j++)
			if (file->code[j] != NULL)
				sdc_free(unconstify(uint32 *, file->code[j]));
		if (file->person != NULL)
			sdc_free(unconstify(uint32 *, file->person));
	}
}

/* sdc_releasehistory_codes: see releasehistory.h. */
uint32
sdc_releasehistory_codes(const SdcReleaseHistory *all)
{
	uint32		most = 0;

	for (int j = 0; j < all->history.columns; j++)
		most = Max(most, all->history.codes[j]);
	return most;
}

/* sdc_releasehistory_protected: see releasehistory.h. */
bool
sdc_releasehistory_protected(const SdcHistory *history, SdcHistorySpan span, int column)
{
	for (int t = span.first; t < span.first + span.count; t++)
		if (history->width[t][column] > 0)
			return true;
	return false;
}

/* sdc_releasehistory_narrow: see releasehistory.h. */
bool
sdc_releasehistory_narrow(const SdcReleaseHistory *all, SdcHistory *narrow)
{
	*narrow = all->history;
	narrow->width = all->narrow;
	return all->narrow != NULL;
}
