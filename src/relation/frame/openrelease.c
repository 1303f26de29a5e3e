/*-------------------------------------------------------------------------
 *
 * openrelease.c
 *		A release and its source, opened for an evaluation.
 *
 * Both relations are read in the order of the key, by whom trust.c decides.
 * The source must be what it was when the release was made: as many records, the same
 * checksum over key and protected columns.  The release must have the same keys.  Then
 * record i of one is record i of the other.  Of a release that is continued the source can have more records, which
 * are checked, and left out.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "access/relation.h"
#include "miscadmin.h"
#include "nodes/bitmapset.h"
#include "relation/base/memory.h"
#include "relation/base/names.h"
#include "relation/base/progress.h"
#include "relation/base/spi.h"
#include "relation/catalog/steps.h"
#include "kernel/base/units.h"
#include "relation/column/paircodes.h"
#include "relation/frame/openrelease.h"
#include "relation/read/missing.h"
#include "relation/read/reader.h"
#include "relation/read/repeated.h"
#include "relation/read/weights.h"
#include "relation/recode/rulelaw.h"
#include "relation/recode/rulevalue.h"
#include "relation/rights/trust.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/rel.h"
#include "utils/rls.h"

/* sdc_openrelease_refuse raises an error about what has changed. */
void
sdc_openrelease_refuse(const char *message)
{
	ereport(ERROR,
			(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			 errmsg_internal("%s", message),
			 errhint("Make the release again, or register it again with sdc_register.")));
}

/* sdc_openrelease_refuse_type: see openrelease.h. */
void
sdc_openrelease_refuse_type(const SdcOpenRelease *opened)
{
	sdc_openrelease_refuse(psprintf("a column of release \"%s\" does not have the type that it has in its source",
									opened->name));
}

/* names_exist tells whether a relation has all named columns. */
static bool
names_exist(Oid relid, List *names)
{
	ListCell   *cell;

	foreach(cell, names)
		if (get_attnum(relid, lfirst(cell)) <= 0)
			return false;
	return true;
}

/* release_key returns the names of the key in the release. */
static List *
release_key(const SdcReleaseRow *row)
{
	if (row->key == NIL && row->made)
		return list_make1(SDC_ROW_COLUMN);
	return row->key;
}

/*
 * check_relations insists that the caller may read source and release, which comes first, and that
 * both still have their columns.
 */
static void
check_relations(const SdcOpenRelease *opened)
{
	const SdcReleaseRow *row = &opened->row;
	char	   *source = get_rel_name(row->source);

	sdc_source_check_readable(row->release);
	if (source == NULL)
		sdc_openrelease_refuse(psprintf("the source of release \"%s\" does not exist any more",
										opened->name));
	sdc_source_check_readable(row->source);
	/* from here on its columns stay as they are, as those of the release do */
	relation_close(sdc_source_open(row->source, AccessShareLock), NoLock);
	/* the extension writes no such row, but a dump can have one */
	if (row->columns == NIL)
		sdc_openrelease_refuse(psprintf("release \"%s\" has no protected column", opened->name));
	if (!names_exist(row->source, row->columns) || !names_exist(row->source, row->key) ||
		!names_exist(row->source, row->unit) || (row->weight != NULL && get_attnum(row->source, row->weight) <= 0))
		sdc_openrelease_refuse(psprintf("source \"%s\" of release \"%s\" has lost columns that the release was made from",
						source, opened->name));
	if (!names_exist(row->release, row->columns) || !names_exist(row->release, release_key(row)))
		sdc_openrelease_refuse(psprintf("release \"%s\" has lost columns that it was made with",
										opened->name));
}

/*
 * check_origin insists on a checksum that was taken here.  One that came out of a dump, or belongs to other
 * relations, tells nothing about the source: it is keyed, so that nobody can confirm guesses with it.
 */
static void
check_origin(const SdcOpenRelease *opened)
{
	if (sdc_catalog_is_own(opened->catalog_schema, &opened->row))
		return;
	ereport(ERROR,
			(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			 errmsg("release \"%s\" came out of a dump: the checksum of its source \"%s\" must be taken again",
					opened->name, get_rel_name(opened->row.source)),
			 errhint("If the release was made from this source, its owner can say so with sdc_confirm_source.")));
}

/* plan_relation plans the reading of key, protected and other columns, with strata and units. */
static SdcSource *
plan_relation(const SdcOpenRelease *opened, Oid relid, List *columns, List *key, List *strata, bool units,
			  List *also)
{
	SdcSourceRequest request = {0};

	request.relid = relid;
	request.columns_given = true;
	request.columns = columns;
	request.key_given = key != NIL;
	request.key = key;
	request.strata = strata;
	request.unit_given = true;
	request.unit = units ? opened->row.unit : NIL;
	request.missing = relid == opened->row.source ? opened->row.missing : NULL;
	request.also = also;
	request.only_needed = true;
	request.as_registered = true;
	request.unnamed = opened->unnamed;
	return sdc_source_plan(&request);
}

/* check_source insists that the source is what the release was made from. */
static void
check_source(SdcOpenRelease *opened)
{
	const SdcReleaseRow *row = &opened->row;
	const SdcSource *source = opened->source;

	if (source->records != row->records ||
		(!opened->confirming &&
		 sdc_catalog_check(opened->catalog_schema, row, source->records,
						   source->checksum) != SDC_SEAL_INTACT))
		sdc_openrelease_refuse(psprintf("source \"%s\" has changed since release \"%s\" was made",
										source->name, opened->name));
}

/* same_keys tells whether record by record both relations have the same column of the key. */
static bool
same_keys(const SdcSource *source, const SdcSource *release, int number)
{
	SdcAttribute *other = &release->attributes[release->key[number]];
	SdcAttribute *attribute = NULL;
	SdcColumnReader *theirs = sdc_column_open(other->column);
	SdcColumnReader *ours = NULL;
	bool		same = true;

	if (source->key_count > 0)
	{
		attribute = &source->attributes[source->key[number]];
		ours = sdc_column_open(attribute->column);
	}
	for (uint64 r = 0; r < source->records && same; r++)
	{
		Datum		mine = Int64GetDatum((int64) r + 1);	/* what sdc_row has */
		Datum		value;

		if (ours != NULL)
			(void) sdc_column_next(ours, &mine);
		(void) sdc_column_next(theirs, &value);
		same = ours == NULL ? sdc_type_word(&other->type, value) == (int64) r + 1 :
			sdc_type_equal(&attribute->type, mine, value);
		if (r % 4096 == 0)
			CHECK_FOR_INTERRUPTS();
	}
	sdc_column_close(theirs);
	if (ours != NULL)
		sdc_column_close(ours);
	return same;
}

/* sdc_openrelease_same_keys compares column by column. */
bool
sdc_openrelease_same_keys(const SdcSource *source, const SdcSource *release)
{
	bool		same = release->records == source->records;

	for (int i = 0; i < release->key_count && same; i++)
		same = same_keys(source, release, i);
	return same;
}

/* check_records refuses a release that does not have the records of the source. */
static void
check_records(const SdcOpenRelease *opened, bool same)
{
	if (!same)
		sdc_openrelease_refuse(psprintf("release \"%s\" does not have the records of its source \"%s\" any more",
										opened->name, opened->source->name));
}

/* find_release reads the catalog's row of a release, which stays as long as the transaction. */
static SdcOpenRelease *
find_release(Oid catalog_schema, Oid release)
{
	SdcOpenRelease *opened = palloc0(sizeof(SdcOpenRelease));

	relation_close(sdc_source_open(release, AccessShareLock), NoLock);
	opened->catalog_schema = catalog_schema;
	opened->name = get_rel_name(release);
	if (!sdc_catalog_get(catalog_schema, release, &opened->row))
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_OBJECT),
				 errmsg("relation \"%s\" is not a release", opened->name),
				 errhint("View sdc_releases lists the releases; sdc_register makes a table that another tool protected one.")));
	check_relations(opened);
	return opened;
}

/* sdc_openrelease_find finds a release and insists that it can be evaluated by the caller. */
SdcOpenRelease *
sdc_openrelease_find(Oid catalog_schema, Oid release, bool unnamed)
{
	SdcOpenRelease *opened = find_release(catalog_schema, release);

	opened->unnamed = unnamed;
	if (unnamed)
	{
		(void) sdc_trust_reader(opened->row.source, true);
		(void) sdc_trust_reader(opened->row.release, true);
	}
	check_origin(opened);
	return opened;
}

/* sdc_openrelease_find_restored is for who has checked that the caller owns the release. */
SdcOpenRelease *
sdc_openrelease_find_restored(Oid catalog_schema, Oid release)
{
	SdcOpenRelease *opened = find_release(catalog_schema, release);

	opened->confirming = true;
	return opened;
}

/* open_frame opens a release that is in a frame: reading it reads nothing. */
static SdcOpenRelease *
open_frame(SdcFrame *frame)
{
	SdcOpenRelease *opened = palloc0(sizeof(SdcOpenRelease));

	opened->frame = frame;
	opened->row = frame->row;
	opened->name = pstrdup(frame->name);
	return opened;
}

/* sdc_openrelease_get: see openrelease.h. */
SdcOpenRelease *
sdc_openrelease_get(Oid catalog_schema, Oid release, SdcFrame *frame, bool unnamed)
{
	return frame != NULL ? open_frame(frame) : sdc_openrelease_find(catalog_schema, release, unnamed);
}

/* sdc_openrelease_type: see openrelease.h. */
Oid
sdc_openrelease_type(const SdcOpenRelease *opened, const char *name)
{
	AttrNumber	number;

	if (opened->frame != NULL && sdc_frame_is_trial(opened->frame))
		return sdc_frame_type(opened->frame, name);
	number = get_attnum(opened->row.release, name);
	return number <= 0 ? InvalidOid : get_atttype(opened->row.release, number);
}

/* sdc_openrelease_find_named: see openrelease.h. */
AttrNumber
sdc_openrelease_find_named(const SdcOpenRelease *opened, const char *name, const char *argument)
{
	AttrNumber	number = sdc_source_find_column(opened->row.source, name, argument);

	if (sdc_names_have(opened->row.key, name))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("column \"%s\" cannot be named in argument \"%s\", it is part of the key",
						name, argument)));
	return number;
}

/* sdc_openrelease_in_order: see openrelease.h. */
List *
sdc_openrelease_in_order(const SdcOpenRelease *opened, const List *names)
{
	Bitmapset  *numbers = NULL;
	List	   *ordered = NIL;
	int			number = -1;
	ListCell   *cell;

	foreach(cell, names)
		numbers = bms_add_member(numbers, get_attnum(opened->row.source, lfirst(cell)));
	while ((number = bms_next_member(numbers, number)) >= 0)
		ordered = lappend(ordered, get_attname(opened->row.source, (AttrNumber) number, false));
	return ordered;
}

/* sdc_openrelease_check_values: see openrelease.h. */
void
sdc_openrelease_check_values(const SdcOpenRelease *opened, const List *columns)
{
	if (opened->row.columns != NIL && columns == NIL)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("release \"%s\" has ranges and sets in the place of values",
						opened->name),
				 errdetail("Linkage and losses are of single values."),
				 errhint("sdc_kanonymity, sdc_ldiversity and sdc_query_errors measure generalized releases.")));
}

/* check_key_types insists on keys that can be compared. */
static void
check_key_types(const SdcOpenRelease *opened)
{
	const SdcSource *source = opened->source;
	const SdcSource *release = opened->release;

	for (int i = 0; i < source->key_count; i++)
		if (source->attributes[source->key[i]].type.base !=
			release->attributes[release->key[i]].type.base)
			sdc_openrelease_refuse_type(opened);
}

/* plan_frame takes copies of what is in a frame; who does not want the strata does not see them. */
static void
plan_frame(SdcOpenRelease *opened)
{
	opened->source = sdc_source_copy(opened->frame->held->source, 0);
	opened->release = sdc_source_copy(opened->frame->release, 0);
	if (opened->with_strata)
		return;
	opened->source->stratum = NULL;
	opened->source->strata_found = 0;
}

/* sdc_openrelease_weigh: see openrelease.h. */
void
sdc_openrelease_weigh(SdcOpenRelease *opened, const SdcWeightRequest *request)
{
	if (request->wanted)
		opened->weight = request->given ? request->name : opened->row.weight;
}

/* find_weight returns the attribute of a relation that has the weights, or NULL. */
static SdcAttribute *
find_weight(const SdcOpenRelease *opened, SdcSource *source)
{
	for (int i = 0; opened->weight != NULL && i < source->attribute_count; i++)
		if (strcmp(NameStr(source->attributes[i].name), opened->weight) == 0)
			return source->attributes[i].action == SDC_ACTION_OMITTED && !source->attributes[i].is_weight ? NULL :
				&source->attributes[i];
	return NULL;
}

/* keep_weights has the weights of a relation kept that is to be read: others can want them for the checksum only. */
static void
keep_weights(const SdcOpenRelease *opened, SdcSource *source)
{
	SdcAttribute *attribute = find_weight(opened, source);

	if (attribute != NULL)
		attribute->summed = false;
}

/* sdc_openrelease_weights: see openrelease.h. */
void
sdc_openrelease_weights(const SdcOpenRelease *opened, SdcRecordWeights *weights)
{
	const SdcUnits *units = opened->source->units;
	SdcAttribute *attribute = find_weight(opened, opened->source);
	uint32	   *unit;

	memset(weights, 0, sizeof(*weights));
	if (opened->weight == NULL)
		return;
	weights->of[0] = weights->of[1] = sdc_weights_load(opened->source, attribute);
	attribute = find_weight(opened, opened->release);
	if (attribute != NULL)
		weights->of[1] = sdc_weights_load(opened->release, attribute);
	if (units == NULL)
		return;
	unit = sdc_memory_array(units->records, sizeof(uint32));
	memcpy(unit, units->of, (Size) units->records * sizeof(uint32));
	weights->unit = unit;
	weights->units = units->count;
}

/* with_weight adds the weight to the columns of a relation that are read besides some. */
static List *
with_weight(const SdcOpenRelease *opened, Oid relid, const List *columns, List *also)
{
	if (opened->weight == NULL || (relid == opened->row.release && get_attnum(relid, opened->weight) <= 0))
		return also;
	sdc_weights_find(relid, opened->weight);
	if (sdc_names_have(columns, opened->weight) || sdc_names_have(also, opened->weight))
		return also;
	return lappend(list_copy(also), unconstify(char *, opened->weight));
}

/* share_codes has the columns of a release have the missing codes of those of its source, if these have their type. */
static void
share_codes(const SdcSource *source, SdcSource *release)
{
	for (int i = 0; i < release->attribute_count; i++)
		for (int j = 0; j < source->attribute_count; j++)
			if (release->attributes[i].type.typid == source->attributes[j].type.typid &&
				strcmp(NameStr(release->attributes[i].name), NameStr(source->attributes[j].name)) == 0)
				release->attributes[i].missing = source->attributes[j].missing;
}

/* sdc_openrelease_plan plans the reading of both relations. */
void
sdc_openrelease_plan(SdcOpenRelease *opened, List *source_also, List *release_columns)
{
	const SdcReleaseRow *row = &opened->row;

	if (opened->frame != NULL)
	{
		plan_frame(opened);
		return;
	}
	if (!opened->unnamed && row->unit == NIL && !opened->has_units)
		sdc_repeated_warn(row->source, false);
	opened->source = plan_relation(opened, row->source, row->columns, row->key,
								   opened->with_strata ? row->strata : NIL, true,
								   with_weight(opened, row->source, row->columns, source_also));
	opened->release = plan_relation(opened, row->release, NIL, release_key(row), NIL, false,
									with_weight(opened, row->release, NIL, release_columns));
	share_codes(opened->source, opened->release);
	check_key_types(opened);
}

/* sdc_openrelease_attribute: see openrelease.h. */
SdcAttribute *
sdc_openrelease_attribute(SdcSource *source, const char *name)
{
	return &source->attributes[sdc_source_find_attribute(source, name, "columns")];
}

/* sdc_openrelease_rule: see openrelease.h. */
SdcRule *
sdc_openrelease_rule(const SdcOpenRelease *opened, const char *name, bool *unknown)
{
	const SdcStep *step = sdc_steps_recoding(sdc_steps_of(&opened->row), name);
	SdcRule    *rule;
	Oid			typid;
	int32		typmod;
	Oid			collation;

	*unknown = step != NULL;
	if (step == NULL || !opened->row.made)
		return NULL;
	get_atttypetypmodcoll(opened->row.source, get_attnum(opened->row.source, name), &typid, &typmod, &collation);
	rule = sdc_rulelaw_of(step->parameters, name, typid, typmod, collation);
	/* the parameters can be anybody's */
	if (rule != NULL && OidIsValid(rule->release_type) != sdc_names_have(step->relabelled, name))
		rule = NULL;
	*unknown = rule == NULL;
	return rule;
}

/* sdc_openrelease_unrecode: see openrelease.h. */
void
sdc_openrelease_unrecode(SdcAttribute *attribute)
{
	if (attribute->rule == NULL)
		return;
	Assert(!OidIsValid(attribute->rule->release_type));
	attribute->column = attribute->before;
	attribute->rule = NULL;
}

/*
 * recode_source has the source that was read have what recodings made of its columns.  The values before stay as
 * long as the spool; what is in a frame has the codes of both.
 */
static void
recode_source(SdcOpenRelease *opened)
{
	SdcSource  *source = opened->source;

	for (int i = 0; i < source->attribute_count; i++)
	{
		SdcAttribute *attribute = &source->attributes[i];
		bool		unknown;
		SdcRule    *rule;

		if (attribute->column == NULL || !sdc_names_have(opened->row.columns, NameStr(attribute->name)))
			continue;
		rule = sdc_openrelease_rule(opened, NameStr(attribute->name), &unknown);
		if (rule == NULL)
			continue;
		if (opened->spools[0] == NULL)
			opened->spools[0] = sdc_spool_create(sdc_memory_budget() / 8, source->attribute_count);
		sdc_column_keep(attribute->column);
		sdc_rulevalue_recode(rule, attribute, opened->spools[0]);
	}
	share_codes(source, opened->release);
}

/* sdc_openrelease_read reads both relations and insists that they fit. */
void
sdc_openrelease_read(SdcOpenRelease *opened)
{
	const SdcReleaseRow *row = &opened->row;
	int			columns = opened->source->attribute_count + 2;

	if (row->records > PG_UINT32_MAX / 2)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("a release of more than %u records cannot be evaluated", PG_UINT32_MAX / 2),
				 errhint("Release and evaluate it in parts.")));
	sdc_progress_start(row->source, list_length(row->columns));
	if (opened->frame != NULL)
	{
		if (opened->recoded)
			recode_source(opened);
		return;
	}
	for (int i = 0; i < 2; i++)
	{
		opened->spools[i] = sdc_spool_create(sdc_memory_budget() / 8, columns);
		if (opened->owner != NULL)
			sdc_spool_own(opened->spools[i], opened->owner);
	}
	keep_weights(opened, opened->source);
	keep_weights(opened, opened->release);
	sdc_progress_relations(2);
	/* records of the source that wait are nobody's business yet */
	if (sdc_steps_continued(row))
	{
		sdc_reader_read(opened->release, opened->spools[1]);
		/* the source is read by its keys: what it lacks is not to be laid at the door of the source */
		check_records(opened, opened->release->records == row->records);
		opened->source->like = opened->release;
	}
	sdc_reader_read(opened->source, opened->spools[0]);
	check_source(opened);
	if (opened->source->like == NULL)
		sdc_reader_read(opened->release, opened->spools[1]);
	check_records(opened, sdc_openrelease_same_keys(opened->source, opened->release));
	if (opened->recoded)
		recode_source(opened);
}

/* sdc_openrelease_close gives back what the reading took. */
void
sdc_openrelease_close(SdcOpenRelease *opened)
{
	for (int i = 0; i < 2; i++)
		if (opened->spools[i] != NULL)
			sdc_spool_destroy(opened->spools[i]);
	sdc_memory_trim();
}

/* sdc_openrelease_load: see openrelease.h. */
void
sdc_openrelease_load(SdcOpenRelease *opened)
{
	MemoryContext context = CurrentMemoryContext;

	sdc_spi_connect();
	opened->work = AllocSetContextCreate(context, "sdc reading a release", ALLOCSET_DEFAULT_SIZES);
	MemoryContextSwitchTo(opened->work);
	sdc_openrelease_read(opened);
	MemoryContextSwitchTo(context);
}

/* sdc_openrelease_end: see openrelease.h. */
void
sdc_openrelease_end(SdcOpenRelease *opened)
{
	sdc_openrelease_close(opened);
	MemoryContextDelete(opened->work);
	sdc_spi_finish();
}

/* count_codes counts how often a file has each code. */
static uint32 *
count_codes(const uint32 *code, uint64 records, uint32 codes)
{
	uint32	   *count = sdc_memory_zeros(codes, sizeof(uint32));

	for (uint64 i = 0; i < records; i++)
	{
		sdc_interrupts_step(i);
		if (code[i] != SDC_CODE_NULL)
			count[code[i]]++;
	}
	return count;
}

/*
 * sdc_openrelease_suppress: the release has more of such values than its source.  The donors of random anonymization
 * may be any records: what these draw is a value of the source.  So is all that a trial has.
 */
void
sdc_openrelease_suppress(const SdcOpenRelease *opened, const char *name, SdcPairColumn *column)
{
	uint64		records = opened->source->records;
	const SdcStep *step = sdc_steps_find(sdc_steps_of(&opened->row), name);
	bool		any_number = step != NULL && step->method->tells == SDC_TELLS_LIKELIHOOD;
	uint32	   *protected;
	uint32	   *before;
	uint32	   *after;
	uint32		c = 0;

	while (c < column->codes && column->value != NULL && !isnan(column->value[c]))
		c++;
	if (c == column->codes || column->value == NULL || (opened->frame != NULL && sdc_frame_is_trial(opened->frame)))
		return;
	before = count_codes(column->original, records, column->codes);
	after = count_codes(column->protected, records, column->codes);
	protected = sdc_memory_array(records, sizeof(uint32));
	for (uint64 i = 0; i < records; i++)
	{
		uint32		code = column->protected[i];

		sdc_interrupts_step(i);
		protected[i] = code != SDC_CODE_NULL && isnan(column->value[code]) &&
			(any_number ? before[code] == 0 : after[code] > before[code]) ? SDC_CODE_NULL : code;
	}
	if (opened->frame == NULL)
		sdc_free(unconstify(uint32 *, column->protected));
	column->protected = protected;
	sdc_free(before);
	sdc_free(after);
}

/*
 * take_codes_apart has missing codes have no numbers among the codes of a column, and with state not NULL no place.
 * The arrays of a frame stay its own.
 */
static void
take_codes_apart(const SdcOpenRelease *opened, SdcAttribute *original, SdcAttribute *protected, SdcPairColumn *result,
				 SdcPairColumn *state)
{
	uint64		records = opened->source->records;
	SdcPairColumn before = *result;

	if (state != NULL)
		memset(state, 0, sizeof(*state));
	if (original->missing == NULL)
		return;
	if (state == NULL)
	{
		sdc_missing_no_numbers(original, original->column, protected->column, records, result);
		return;
	}
	sdc_missing_apart(original, original->column, protected->column, records, result, state);
	if (opened->frame != NULL)
		return;
	sdc_free(unconstify(uint32 *, before.original));
	sdc_free(unconstify(uint32 *, before.protected));
}

/* sdc_openrelease_codes: see openrelease.h. */
void
sdc_openrelease_codes(SdcOpenRelease *opened, SdcAttribute *original, SdcAttribute *protected,
					  SdcArena *arena, SdcPairColumn *result, SdcCodedValues *values, SdcPairColumn *state)
{
	bool		source_first = opened->source->like == NULL;

	if (opened->frame != NULL)
		sdc_frame_codes(opened->frame, (int) (original - opened->source->attributes),
						original->rule == NULL ? NULL : original, result);
	else
		sdc_paircodes_columns(original->column, protected->column, &original->type, arena, result);
	if (values != NULL)
	{
		/* the first one that was read */
		sdc_paircodes_values(source_first ? original->column : protected->column,
							 source_first ? result->original : result->protected,
							 source_first ? protected->column : original->column,
							 source_first ? result->protected : result->original,
							 &original->type, result->codes, values);
	}
	take_codes_apart(opened, original, protected, result, state);
	sdc_column_destroy(original->column);
	sdc_column_destroy(protected->column);
	/* blocks of all columns lie between each other: the codes would come on top of what was freed */
	sdc_memory_trim();
}

/* sdc_openrelease_numbers: see openrelease.h. */
void
sdc_openrelease_numbers(SdcOpenRelease *opened, SdcAttribute *original, SdcAttribute *protected, SdcArena *arena,
						SdcPairColumn *result)
{
	SdcPairColumn state;

	sdc_openrelease_codes(opened, original, protected, arena, result, NULL, &state);
	if (state.codes == 0)
		return;
	sdc_free(unconstify(uint32 *, state.original));
	sdc_free(unconstify(uint32 *, state.protected));
}

/* sdc_openrelease_check_copied: see openrelease.h. */
void
sdc_openrelease_check_copied(const SdcOpenRelease *opened, const char *name, const uint32 *original,
							 const uint32 *protected, uint64 records)
{
	uint64		changed = 0;

	if (!opened->row.made || sdc_names_have(opened->row.columns, name))
		return;
	for (uint64 i = 0; i < records; i++)
	{
		sdc_interrupts_step(i);
		changed += protected[i] != original[i] && protected[i] != SDC_CODE_NULL;
	}
	if (changed > 0)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("column \"%s\" of release \"%s\" does not have the values of its source \"%s\" any more",
						name, opened->name, opened->source->name),
				 errdetail("The column was copied, and has another value in " UINT64_FORMAT " of " UINT64_FORMAT " records.",
						   changed, records),
				 errhint("Restore the values of the column, set those that are suppressed to NULL, or make the release again.  To keep the release as it is, call sdc_unregister and then sdc_register.")));
}

/*
 * measured_columns lists the columns besides the key that a measure can ask for: both relations have them, and the
 * values of the source have an order.
 */
static List *
measured_columns(const SdcReleaseRow *row)
{
	Relation	rel = sdc_source_open(row->source, AccessShareLock);
	List	   *names = NIL;

	for (int i = 0; i < RelationGetNumberOfAttributes(rel); i++)
	{
		Form_pg_attribute att = TupleDescAttr(RelationGetDescr(rel), i);
		char	   *name = NameStr(att->attname);
		SdcType		type;

		if (att->attisdropped || sdc_names_have(row->key, name) || get_attnum(row->release, name) <= 0)
			continue;
		sdc_type_lookup(&type, att->atttypid, att->attcollation);
		if (type.orderable)
			names = lappend(names, pstrdup(name));
	}
	relation_close(rel, NoLock);
	return names;
}

/* sdc_openrelease_frame: see openrelease.h. */
SdcFrame *
sdc_openrelease_frame(Oid catalog_schema, Oid release, ResourceOwner owner)
{
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext, "sdc frame", ALLOCSET_DEFAULT_SIZES);
	MemoryContext before = MemoryContextSwitchTo(context);
	SdcOpenRelease *opened = sdc_openrelease_find(catalog_schema, release, false);
	SdcWeightRequest weight = {.wanted = true};
	List	   *names = measured_columns(&opened->row);
	List	   *released = list_copy(names);
	SdcFrame   *frame;

	if (!sdc_names_have(names, SDC_GROUP_COLUMN) && get_attnum(release, SDC_GROUP_COLUMN) > 0)
		released = lappend(released, pstrdup(SDC_GROUP_COLUMN));
	opened->owner = owner;
	sdc_openrelease_weigh(opened, &weight);
	opened->with_strata = opened->row.strata != NIL;
	sdc_openrelease_plan(opened, sdc_names_without(names, opened->row.columns), released);
	sdc_spi_connect();
	MemoryContextSwitchTo(context);
	/* the files last longer than the subtransaction that an error ends */
	PG_TRY();
	{
		sdc_openrelease_read(opened);
	}
	PG_CATCH();
	{
		sdc_openrelease_close(opened);
		PG_RE_THROW();
	}
	PG_END_TRY();
	sdc_spi_finish();
	MemoryContextSwitchTo(context);
	frame = sdc_frame_take(opened->source, opened->release);
	frame->row = opened->row;
	frame->name = opened->name;
	memcpy(frame->spools, opened->spools, sizeof(frame->spools));
	MemoryContextSwitchTo(before);
	return frame;
}

/* sum_everything has a relation read for its checksum and keys only. */
static void
sum_everything(SdcSource *source)
{
	for (int i = 0; i < source->attribute_count; i++)
		source->attributes[i].summed = true;
}

/* sdc_openrelease_check_unchanged keeps keys only, and those not for long. */
void
sdc_openrelease_check_unchanged(SdcOpenRelease *opened)
{
	/* what a release has in place of values need not have an order */
	sdc_openrelease_plan(opened, NIL, opened->row.columns);
	sum_everything(opened->source);
	sum_everything(opened->release);
	sdc_openrelease_load(opened);
	sdc_openrelease_end(opened);
	sdc_progress_end();
}
