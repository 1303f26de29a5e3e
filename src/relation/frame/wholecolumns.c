/*-------------------------------------------------------------------------
 *
 * wholecolumns.c
 *		What the methods of a release tell about each known column.
 *
 * A method that another tool registered without what is needed is an unknown one: such a column is
 * compatible with everything.  So is one of a second step that makes groups, which sdc does not make.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "catalog/pg_type.h"
#include "kernel/base/codeindex.h"
#include "relation/base/memory.h"
#include "relation/base/names.h"
#include "relation/column/forms.h"
#include "relation/column/grouprecords.h"
#include "relation/frame/wholelaws.h"
#include "relation/frame/wholeunits.h"
#include "relation/read/missing.h"
#include "relation/recode/rulelaw.h"
#include "relation/recode/rulevalue.h"
#include "utils/lsyscache.h"

/* The least share of records that an intruder takes to have moved, or not to have. */
#define MOVED_LEAST 1e-9

/* retain_of returns the probability that each column of a step keeps its value by itself, 0 if it does not. */
static double
retain_of(const SdcStep *step)
{
	double		retain = sdc_parameters_number(step->parameters, SDC_PARAMETER_RETAIN);

	return retain > 0 && retain < 1 ? retain : 0;
}

/*
 * draw_of returns how many columns a step draws for a record, all that each draws by itself, 0 for one with
 * probabilities, -1 if it does not tell.
 */
static int
draw_of(const SdcStep *step)
{
	double		drawn = sdc_parameters_number(step->parameters, SDC_PARAMETER_DRAWS);
	double		sum = 0;

	if (retain_of(step) > 0)
		return list_length(step->columns);
	if (!isnan(drawn))
		return drawn >= 1 && drawn <= list_length(step->columns) && drawn == floor(drawn) ?
			(int) drawn : -1;
	for (int i = 0; i < list_length(step->columns); i++)
	{
		double		probability = sdc_parameters_element(step->parameters,
														 SDC_PARAMETER_PROBABILITIES, i);

		if (!(probability >= 0 && probability <= 1))
			return -1;
		sum += probability;
	}
	return fabs(sum - 1) <= 1e-6 ? 0 : -1;
}

/* number_draw returns the number of the draw of a step, which is added if it is new. */
static int
number_draw(SdcWholeLoading *loading, const SdcStep *step)
{
	ListCell   *cell;

	foreach(cell, loading->draws)
		if (lfirst(cell) == step)
			return foreach_current_index(cell);
	loading->draws = lappend(loading->draws, unconstify(SdcStep *, step));
	return list_length(loading->draws) - 1;
}

/*
 * swapped_columns returns the columns that a step swapped together.  What it protected besides, it
 * swapped one by one; where it does not say what, nothing is known.
 */
static List *
swapped_columns(const SdcStep *step)
{
	if (!sdc_parameters_has(step->parameters, SDC_PARAMETER_COMPLEMENT))
		return step->columns;
	if (!sdc_parameters_has(step->parameters, SDC_PARAMETER_COMPLEMENT_COLUMNS))
		return NIL;
	return sdc_names_without(step->columns,
							 sdc_parameters_names(step->parameters, SDC_PARAMETER_COMPLEMENT_COLUMNS));
}

/* fill_bins says how the bins of a set were made; false: the step does not tell. */
static bool
fill_bins(const SdcSwappedSet *set, SdcBinRequest *request)
{
	SdcParameters *parameters = set->step->parameters;
	SdcParameters *widths = sdc_parameters_inner(parameters, SDC_PARAMETER_WIDTHS);
	double		number;

	memset(request, 0, sizeof(SdcBinRequest));
	request->columns = set->columns;
	if (set->step->method->tells == SDC_TELLS_EQUIDEPTH)
	{
		number = sdc_parameters_number(parameters, SDC_PARAMETER_DEPTH);
		request->kind = SDC_BIN_EQUIDEPTH;
		request->depth = number >= 2 && number <= PG_INT32_MAX ? (uint32) number : 0;
		return request->depth > 0;
	}
	request->kind = SDC_BIN_EQUIWIDTH;
	if (widths != NULL && !set->complement)
	{
		double	   *width = palloc(sizeof(double) * list_length(set->columns));
		ListCell   *cell;

		foreach(cell, set->columns)
		{
			number = sdc_parameters_number(widths, lfirst(cell));
			if (!(number > 0 && isfinite(number)))
				return false;
			width[foreach_current_index(cell)] = number;
		}
		request->widths = width;
		request->width_count = list_length(set->columns);
		return true;
	}
	number = sdc_parameters_number(parameters, SDC_PARAMETER_INTERVALS);
	request->intervals = number >= 1 && number <= PG_INT32_MAX ? (uint32) number : 0;
	return request->intervals > 0;
}

/*
 * type_of finds the type that values of a column have for the step that has protected it: the source's, or that of what
 * they were recoded to first.  False: nobody knows what they were recoded to.
 */
static bool
type_of(const SdcOpenRelease *opened, const char *name, SdcType *type)
{
	SdcAttribute attribute = {0};
	bool		unknown;
	SdcRule    *rule = sdc_openrelease_rule(opened, name, &unknown);
	Oid			typid;
	Oid			collation;

	get_atttypetypmodcoll(opened->row.source, get_attnum(opened->row.source, name), &typid, &attribute.typmod,
						  &collation);
	sdc_type_lookup(&attribute.type, typid, collation);
	if (rule != NULL)
		sdc_rulevalue_type(&attribute, rule->release_type);
	*type = attribute.type;
	return !unknown;
}

/* all_numeric tells whether all columns of the source that have a name have distances. */
static bool
all_numeric(const SdcOpenRelease *opened, List *names)
{
	ListCell   *cell;

	foreach(cell, names)
	{
		SdcType		type;

		if (!type_of(opened, lfirst(cell), &type) || type.kind == SDC_VALUE_NOMINAL)
			return false;
	}
	return true;
}

/* number_set returns the number of the set of a column, which is added if it is new; -1: it is not known. */
static int
number_set(SdcWholeLoading *loading, const SdcKnownColumn *known)
{
	List	   *together = swapped_columns(known->step);
	SdcSwappedSet *set = palloc0(sizeof(SdcSwappedSet));
	SdcBinRequest request;
	ListCell   *cell;

	set->step = known->step;
	set->complement = !sdc_names_have(together, known->name);
	set->columns = set->complement ? list_make1(unconstify(char *, known->name)) : together;
	if (together == NIL || !fill_bins(set, &request) ||
		!all_numeric(loading->opened, set->columns))
		return -1;
	foreach(cell, loading->sets)
	{
		const SdcSwappedSet *other = lfirst(cell);

		if (other->step == set->step && sdc_names_equal(other->columns, set->columns))
			return foreach_current_index(cell);
	}
	loading->sets = lappend(loading->sets, set);
	return list_length(loading->sets) - 1;
}

/* generalized_kind decides what a column with ranges or sets is, by its types. */
static void
generalized_kind(const SdcOpenRelease *opened, List *steps, SdcKnownColumn *known)
{
	SdcFormKind kind = sdc_forms_kind(known->type.typid, sdc_openrelease_type(opened, known->name));

	known->generalized = true;
	if (sdc_steps_with_groups(steps) != known->step || kind == SDC_FORM_OTHER)
		known->unreadable = true;
	else
		known->kind = kind == SDC_FORM_RANGE ? SDC_CANDIDATES_RANGE : SDC_CANDIDATES_SET;
}

/*
 * hierarchy_kind decides what a column is that was generalized along a hierarchy.  With one level for everybody it is
 * known what its values become: what is released, or that is everything; otherwise it is in what is released.
 */
static void
hierarchy_kind(const SdcOpenRelease *opened, SdcKnownColumn *known)
{
	SdcParameters *levels = sdc_parameters_inner(known->step->parameters, SDC_PARAMETER_LEVELS);
	SdcParameters *everything = sdc_parameters_inner(known->step->parameters, SDC_PARAMETER_EVERYTHING);
	double		level = levels == NULL ? 0 : sdc_parameters_number(levels, known->name);
	double		last = everything == NULL ? 0 : sdc_parameters_number(everything, known->name);

	known->rule = opened->row.made ? sdc_rulelaw_of(known->step->parameters, known->name, known->type.typid, -1,
													known->type.collation) : NULL;
	/* who owns the release can have given its column another type since */
	if (known->rule == NULL || sdc_openrelease_type(opened, known->name) != sdc_rule_type(known->rule) ||
		!(level >= 0 && level <= last && last <= known->rule->levels + 1 && level == floor(level)))
	{
		known->rule = NULL;
		known->generalized = known->unreadable = true;
		return;
	}
	known->leveled = levels != NULL && everything != NULL;
	known->everything = level == last;
	known->level = (uint32) level;
	known->generalized = !known->leveled;
	known->kind = known->leveled ? SDC_CANDIDATES_EXACT : SDC_CANDIDATES_SET;
}

/* has_hierarchy tells whether a column was generalized along a hierarchy: of cuts, it has one. */
static bool
has_hierarchy(const SdcKnownColumn *known)
{
	SdcParameters *parameters = known->step->parameters;
	SdcParameters *hierarchies = sdc_parameters_inner(parameters, SDC_PARAMETER_HIERARCHIES);
	char	   *scheme = sdc_parameters_text(parameters, SDC_PARAMETER_SCHEME);

	return hierarchies != NULL && ((scheme != NULL && strcmp(scheme, "lattice") == 0) ||
								   sdc_parameters_inner(hierarchies, known->name) != NULL);
}

/* has_groups tells whether a release has the numbers of its groups. */
static bool
has_groups(const SdcOpenRelease *opened)
{
	return sdc_openrelease_type(opened, SDC_GROUP_COLUMN) == INT4OID;
}

/* is_first_moved tells whether a column is the first known one of those that its step has moved together. */
static bool
is_first_moved(const SdcWholeLoading *loading, const SdcKnownColumn *known)
{
	if (known == loading->target)
		return false;
	for (const SdcKnownColumn *other = loading->known; other < known; other++)
		if (other->step == known->step)
			return false;
	return true;
}

/*
 * is_untold tells whether nothing tells what a column was recoded to, first or at last, or whether who owns the release
 * has given it another type since; of another type it is unreadable then.
 */
static bool
is_untold(const SdcWholeLoading *loading, SdcKnownColumn *known)
{
	const SdcOpenRelease *opened = loading->opened;
	bool		untold = !type_of(opened, known->name, &known->type) ||
		(known->step != NULL && sdc_steps_recoding(loading->steps, known->name) != NULL &&
		 known->step->method->keeps_types && sdc_openrelease_type(opened, known->name) != known->type.typid);

	known->generalized = known->unreadable = untold && !sdc_steps_keeps(known->step, known->name);
	return untold;
}

/*
 * averaged_kind decides what a column with averages is.  Groups of one column are runs of its sorted values, and a
 * value has become that of its run, or of one beside it; groups of several columns tell nothing about any of them.
 */
static void
averaged_kind(SdcKnownColumn *known)
{
	known->averaged = true;
	known->runs = sdc_steps_in_runs(known->step);
	if (known->runs)
		known->kind = SDC_CANDIDATES_WINDOW;
}

/* noise_kind decides what a column is that has noise: one that is constant stays as it is. */
static void
noise_kind(SdcWholeLoading *loading, SdcKnownColumn *known)
{
	if (!sdc_wholelaws_find(known))
		return;
	known->kind = sdc_wholelaws_has(known) ? SDC_CANDIDATES_RANDOMIZED : SDC_CANDIDATES_EXACT;
	if (known->kind == SDC_CANDIDATES_RANDOMIZED)
		known->set = number_draw(loading, known->step);
}

/* sdc_wholecolumns_kind: see wholecolumns.h. */
void
sdc_wholecolumns_kind(SdcWholeLoading *loading, SdcKnownColumn *known)
{
	const SdcStep *step = known->step;

	known->kind = step == NULL ? SDC_CANDIDATES_EXACT : SDC_CANDIDATES_UNKNOWN;
	known->suppressed = sdc_steps_suppressed(loading->steps, known->name);
	if (is_untold(loading, known))
		return;
	switch (step == NULL ? SDC_TELLS_NOTHING : step->method->tells)
	{
		case SDC_TELLS_NOTHING:
			break;
		case SDC_TELLS_WINDOW:
		case SDC_TELLS_WINDOW_MOSTLY:
			if (sdc_steps_reach(step).known)
				known->kind = SDC_CANDIDATES_WINDOW;
			break;
		case SDC_TELLS_EQUIDEPTH:
		case SDC_TELLS_EQUIWIDTH:
			known->set = number_set(loading, known);
			if (known->set >= 0)
				known->kind = SDC_CANDIDATES_JOINT;
			break;
		case SDC_TELLS_LIKELIHOOD:
			if (!sdc_wholelaws_find(known) && draw_of(step) < 0)
				break;
			known->kind = SDC_CANDIDATES_RANDOMIZED;
			known->set = number_draw(loading, step);
			break;
		case SDC_TELLS_NOISE:
			noise_kind(loading, known);
			break;
		case SDC_TELLS_MEMBERSHIP:
			if (has_hierarchy(known))
				hierarchy_kind(loading->opened, known);
			else
				generalized_kind(loading->opened, loading->steps, known);
			break;
		case SDC_TELLS_FUNCTION:
			/* what somebody wants to learn is the value itself */
			if (known == loading->target)
				break;
			/* FALLTHROUGH */
		case SDC_TELLS_SUPPRESSED:
			known->kind = SDC_CANDIDATES_EXACT;
			break;
		case SDC_TELLS_AVERAGE:
			averaged_kind(known);
			break;
		case SDC_TELLS_PERMUTATION:
			if (sdc_steps_with_groups(loading->steps) == step && has_groups(loading->opened))
				known->kind = SDC_CANDIDATES_SET;
			break;
		case SDC_TELLS_MOVED:
			known->moved = true;
			if (!is_first_moved(loading, known))
				break;
			known->kind = SDC_CANDIDATES_RANDOMIZED;
			known->set = number_draw(loading, step);
			break;
	}
}

/* sdc_wholecolumns_share: see wholecolumns.h. */
void
sdc_wholecolumns_share(SdcWholeLoading *loading, int number)
{
	const SdcKnownColumn *known = &loading->known[number];
	SdcCandidatesColumn *column = &loading->column[number];
	const SdcStep *step = known->step;
	const SdcUnits *units = loading->made;
	SdcCandidatesDraw *draw = unconstify(SdcCandidatesDraw *, &loading->whole->task.draw[known->set]);
	double	   *share = sdc_memory_array(column->codes, sizeof(double));
	uint64		values = 0;
	List	   *order = step->qi != NIL ? step->qi : step->columns;

	draw->columns = list_length(step->columns);
	draw->laws = sdc_wholelaws_has(known);
	draw->k = draw->laws ? 0 : draw_of(step);
	draw->retain = retain_of(step);
	for (uint32 c = 0; c < column->codes; c++)
		share[c] = 0;
	for (uint32 i = 0; i < loading->whole->task.records; i++)
	{
		if (column->original[i] == SDC_CODE_NULL)
			continue;
		/* units have donated theirs once */
		if (known->swapped == SDC_SWAPPED_UNITS && units->member[units->start[units->of[i]]] != i)
			continue;
		share[column->original[i]]++;
		values++;
	}
	for (uint32 c = 0; c < column->codes; c++)
		share[c] /= (double) Max(values, 1);
	column->share = share;
	column->set = known->set;
	if (draw->laws)
		sdc_wholelaws_fill(known, column);
	else if (draw->k == 0)
		column->probability = sdc_parameters_element(step->parameters, SDC_PARAMETER_PROBABILITIES,
													 Max(sdc_names_index(order, known->name), 0));
}

/* make_bins makes the bins of some attributes: of records, or of units where these were swapped. */
static SdcCandidatesJoint
make_bins(SdcWholeLoading *loading, const SdcStep *step, const SdcBinRequest *request, const int *attribute, int count)
{
	const SdcUnits *units = loading->made;
	SdcSpool   *spool = NULL;
	SdcSource  *table = sdc_wholeunits_table(loading, step, attribute, count, &spool);
	SdcBins    *bins = sdc_bins_make(request, table != NULL ? table : loading->opened->source, attribute, count);
	uint32	   *bin = bins->bin;

	for (int j = 0; j < bins->attributes; j++)
		sdc_free(bins->value[j]);
	if (table != NULL)
	{
		bin = sdc_memory_array(units->records, sizeof(uint32));
		for (uint32 i = 0; i < units->records; i++)
			bin[i] = bins->bin[units->of[i]];
		sdc_free(bins->bin);
		sdc_spool_destroy(spool);
	}
	return (SdcCandidatesJoint) {bin, bins->bins};
}

/*
 * number_together numbers what the records of both files have in the known columns of a step, and returns how many
 * combinations there are.  A missing value is one.
 */
static uint32
number_together(const SdcWholeLoading *loading, const SdcStep *step, uint32 *original, uint32 *protected)
{
	uint64		records = loading->whole->task.records;
	SdcCodedColumn *both = palloc(sizeof(SdcCodedColumn) * loading->count);
	uint32	   *number = sdc_memory_array(2 * records, sizeof(uint32));
	SdcCodedFile file = {(uint32) (2 * records), 0, both};
	SdcCodeIndex index;

	for (int j = 0; j < loading->count; j++)
	{
		uint32	   *code;

		if (loading->known[j].step != step)
			continue;
		code = sdc_memory_array(2 * records, sizeof(uint32));
		memcpy(code, loading->column[j].original, records * sizeof(uint32));
		memcpy(code + records, loading->column[j].protected, records * sizeof(uint32));
		both[file.attributes++] = (SdcCodedColumn) {code, loading->column[j].codes};
	}
	sdc_codeindex_create(&index, &file, file.attributes, number);
	sdc_codeindex_destroy(&index);
	memcpy(original, number, records * sizeof(uint32));
	memcpy(protected, number + records, records * sizeof(uint32));
	for (int a = 0; a < file.attributes; a++)
		sdc_free(unconstify(uint32 *, both[a].code));
	sdc_free(number);
	return index.count;
}

/*
 * sdc_wholecolumns_together: see wholecolumns.h.  Of m combinations a record keeps its own with probability 1 - s, and
 * has each of the others with s / (m - 1): as if it had a draw with probability s m / (m - 1) of any of them.
 */
void
sdc_wholecolumns_together(SdcWholeLoading *loading, int number)
{
	uint32		records = loading->whole->task.records;
	SdcCandidatesColumn *column = &loading->column[number];
	SdcCandidatesDraw *draw = unconstify(SdcCandidatesDraw *, &loading->whole->task.draw[loading->known[number].set]);
	uint32	   *original = sdc_memory_array(records, sizeof(uint32));
	uint32	   *protected = sdc_memory_array(records, sizeof(uint32));
	uint32		combinations = number_together(loading, loading->known[number].step, original, protected);
	double	   *share = sdc_memory_array(combinations, sizeof(double));
	double		moved = 0;

	for (uint32 i = 0; i < records; i++)
		moved += original[i] != protected[i];
	for (uint32 c = 0; c < combinations; c++)
		share[c] = 1.0 / combinations;
	/* nothing is impossible: the candidates are those of all other columns */
	moved = fmin(fmax(moved / Max(records, 1), MOVED_LEAST), 1 - MOVED_LEAST);
	column->original = original;
	column->protected = protected;
	column->codes = combinations;
	column->share = share;
	column->set = loading->known[number].set;
	column->probability = combinations < 2 ? MOVED_LEAST : moved * combinations / (combinations - 1);
	/* whether another column is drawn, which nobody knows */
	draw->columns = 2;
	draw->k = 0;
}

/* sdc_wholecolumns_bins: see wholecolumns.h. */
void
sdc_wholecolumns_bins(SdcWholeLoading *loading)
{
	SdcSource  *source = loading->opened->source;
	SdcCandidatesJoint *joint = palloc0(sizeof(SdcCandidatesJoint) *
										Max(list_length(loading->sets), 1));
	SdcSpool   *spool;
	ListCell   *cell;

	loading->whole->task.joints = list_length(loading->sets);
	loading->whole->task.joint = joint;
	if (loading->sets == NIL)
		return;
	/* they were made without the missing codes */
	spool = sdc_spool_create(sdc_memory_budget() / 8, source->attribute_count);
	loading->opened->source = sdc_missing_source(source, spool);
	foreach(cell, loading->sets)
	{
		const SdcSwappedSet *set = lfirst(cell);
		int		   *attribute = palloc(sizeof(int) * source->attribute_count);
		int			count = 0;
		SdcBinRequest request;

		for (int i = 0; i < source->attribute_count; i++)
			if (sdc_names_have(set->columns, NameStr(source->attributes[i].name)))
				attribute[count++] = i;
		(void) fill_bins(set, &request);
		joint[foreach_current_index(cell)] = make_bins(loading, set->step, &request, attribute, count);
	}
	loading->opened->source = source;
	sdc_spool_destroy(spool);
}

/* count_values counts the values that a column was swapped with, by stratum: the release can have blanks. */
static uint32 *
count_values(const SdcCandidatesTask *task, const SdcCandidatesColumn *column)
{
	uint32		strata = task->stratum == NULL ? 1 : task->strata;
	uint32	   *count = sdc_memory_array(strata, sizeof(uint32));

	memset(count, 0, strata * sizeof(uint32));
	for (uint32 i = 0; i < task->records; i++)
		if (column->original[i] != SDC_CODE_NULL)
			count[task->stratum == NULL ? 0 : task->stratum[i]]++;
	return count;
}

/* Windows of a reach: those of the method, twice as wide ones, or those that the right value is in. */
typedef enum Windows
{
	WINDOWS_OWN,
	WINDOWS_TWICE,
	WINDOWS_SOUND
} Windows;

/* make_windows makes the windows of a reach. */
static SdcInterval *
make_windows(const SdcCandidatesTask *task, const SdcCandidatesColumn *column, const SdcStepReach *reach,
			 Windows windows)
{
	SdcInterval *interval = sdc_memory_array(task->records, sizeof(SdcInterval));
	uint32		strata = task->stratum == NULL ? 1 : task->strata;
	uint32	   *width = count_values(task, column);

	for (uint32 s = 0; s < strata; s++)
	{
		uint32		values = width[s];

		width[s] = sdc_steps_window(reach, windows == WINDOWS_SOUND, values);
		if (windows == WINDOWS_TWICE)
			width[s] = (uint32) Min((uint64) values, 2 * (uint64) width[s]);
	}
	sdc_candidates_windows(task, column, width, interval);
	sdc_free(width);
	return interval;
}

/* by_record gives the records of units their windows, which are given back; NULL: there are none. */
static SdcInterval *
by_record(const SdcUnits *units, SdcInterval *window)
{
	SdcInterval *copy;

	if (window == NULL)
		return NULL;
	copy = sdc_memory_array(units->records, sizeof(SdcInterval));
	for (uint32 i = 0; i < units->records; i++)
		copy[i] = window[units->of[i]];
	sdc_free(window);
	return copy;
}

/* add_whole adds a column that was swapped whole, of which the windows are those of sums. */
static void
add_whole(SdcWholeLoading *loading, int number, const SdcUnitColumn *sums, const SdcInterval *window,
		  const SdcInterval *wide)
{
	SdcWholeRelease *whole = loading->whole;

	/* the sums of other units are nobody's */
	if (loading->other)
		return;
	if (whole->swapped == NULL)
		whole->swapped = palloc0(sizeof(SdcUnitWhole) * loading->count);
	whole->swapped[whole->swapped_count++] = (SdcUnitWhole) {.column = number,
		.blanks = loading->known[number].blanks, .original = sums->column.original,
		.protected = sums->column.protected, .sums = sums->column.codes, .window = window, .wide = wide
	};
}

/* sdc_wholecolumns_sound: see wholecolumns.h. */
bool
sdc_wholecolumns_sound(const SdcStep *step, const SdcStepReach *reach)
{
	return step->method->tells == SDC_TELLS_WINDOW || reach->largest > 0;
}

/* note_narrow notes windows that a continued release may have outgrown. */
static void
note_narrow(SdcWholeLoading *loading, int number, const SdcInterval *window)
{
	if (window == NULL)
		return;
	if (loading->whole->narrow == NULL)
		loading->whole->narrow = palloc0(sizeof(SdcInterval *) * loading->whole->task.count);
	loading->whole->narrow[number] = window;
}

/* sdc_wholecolumns_windows: see wholecolumns.h. */
void
sdc_wholecolumns_windows(SdcWholeLoading *loading, int number)
{
	const SdcKnownColumn *known = &loading->known[number];
	SdcWholeRelease *whole = loading->whole;
	SdcCandidatesColumn *column = &loading->column[number];
	SdcUnitColumn *of_units = sdc_wholeunits_column(loading, number);
	const SdcCandidatesTask *task = of_units != NULL ? &of_units->task : &whole->task;
	const SdcCandidatesColumn *values = of_units != NULL ? &of_units->column : column;
	SdcStepReach reach = sdc_steps_reach(known->step);
	bool		sound = sdc_wholecolumns_sound(known->step, &reach);
	SdcInterval *window = make_windows(task, values, &reach, WINDOWS_SOUND);
	SdcInterval *narrow = reach.continued ? make_windows(task, values, &reach, WINDOWS_OWN) : NULL;
	SdcInterval *wide = sound ? NULL : make_windows(task, values, &reach, WINDOWS_TWICE);

	whole->windows = true;
	if (!sound)
	{
		whole->wide = true;
		whole->unsound = known->step->method_name;
	}
	if (known->swapped == SDC_SWAPPED_WHOLE)
	{
		add_whole(loading, number, of_units, window, wide);
		return;
	}
	if (of_units != NULL)
	{
		window = by_record(loading->made, window);
		narrow = by_record(loading->made, narrow);
		wide = by_record(loading->made, wide);
	}
	column->window = window;
	column->wide = wide;
	note_narrow(loading, number, narrow);
}

/* sdc_wholecolumns_runs: see wholecolumns.h. */
void
sdc_wholecolumns_runs(SdcWholeLoading *loading, int number)
{
	const SdcCandidatesTask *task = &loading->whole->task;
	SdcInterval *window = sdc_memory_array(task->records, sizeof(SdcInterval));

	sdc_candidates_neighbours(task, &loading->column[number], window);
	loading->column[number].window = window;
	loading->whole->runs = true;
}
