/*-------------------------------------------------------------------------
 *
 * coarseaccuracy.c
 *		How exact a release is, in figures that show no record of its source.
 *
 * These are the rows of the table beside a publication (doc/methods-accuracy.md).  Other measures of a release are for
 * its owner, who may read the source; these are for everybody who has the release.  Kernels round the sums and counts
 * of the source, and the figures that follow (kernel/base/grain.h).  Beside every figure stands what it is rounded to;
 * one for which that is too coarse has no value.
 *
 * A generalized column is taken by what is released of its groups.
 *
 * Memory: the columns (releasecolumns.h, codedrelease.h), and a byte or two for each record and column; eight for
 * one with ranges or sets.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "kernel/base/grain.h"
#include "kernel/loss/coarsecorrelation.h"
#include "kernel/loss/coarsemargins.h"
#include "kernel/loss/valueclasses.h"
#include "kernel/queries/coarsecounts.h"
#include "measure/accuracy/associations.h"
#include "measure/accuracy/coarseaccuracy.h"
#include "relation/base/attempt.h"
#include "relation/base/memory.h"
#include "relation/base/progress.h"
#include "relation/column/grouprecords.h"
#include "relation/frame/accuracyrows.h"
#include "relation/frame/codedrelease.h"
#include "relation/frame/releasecolumns.h"

/* Words of the table. */
#define PART_CORRELATIONS "correlations"
#define PART_COUNTS "counts"
#define PART_UNIT_COUNTS "unit_counts"
#define PART_ASSOCIATIONS "associations"

/* Associations need a support of at least so many grains of records: below most of them come or go with a record. */
#define SUPPORT_GRAINS 4

/* The work on one part. */
typedef struct Measuring
{
	const SdcAccuracyRequest *request;
	SdcAccuracyPart part;
	MemoryContext context;		/* of the rows */
	List	   *rows;
} Measuring;

/* put adds a row. */
static void
put(Measuring *measuring, const char *part, const char *attribute, const char *measure, double value)
{
	MemoryContext before = MemoryContextSwitchTo(measuring->context);
	SdcAccuracyRow *row = palloc(sizeof(SdcAccuracyRow));

	row->part = part;
	row->attribute = attribute == NULL ? NULL : pstrdup(attribute);
	row->measure = pstrdup(measure);
	row->value = value;
	measuring->rows = lappend(measuring->rows, row);
	MemoryContextSwitchTo(before);
}

/* put_figure adds a figure and its rounding; what is withheld has no value, and what is not defined no row. */
static void
put_figure(Measuring *measuring, const char *part, const char *attribute, const char *measure, SdcFigure figure)
{
	if (isnan(figure.rounding))
		return;
	put(measuring, part, attribute, measure, figure.value);
	put(measuring, part, attribute, psprintf("%s" SDC_MEASURE_ROUNDING, measure),
		isfinite(figure.rounding) ? figure.rounding : NAN);
}

/* make_classes divides the values of a column by how many records of the release have each. */
static void
make_classes(const uint32 *released, uint32 codes, uint32 records, const double *value, SdcValueClasses *classes)
{
	uint64	   *count = sdc_memory_zeros((uint64) codes + 1, sizeof(uint64));

	for (uint32 r = 0; r < records; r++)
	{
		sdc_interrupts_step(r);
		count[released[r] == SDC_CODE_NULL ? codes : released[r]]++;
	}
	sdc_valueclasses_make(count, codes, value, (uint64) SDC_ACCURACY_CLASS_GRAINS * sdc_grain_of(records), classes);
	sdc_free(count);
}

/* ------------------------------------------------------------------------
 * Margins and correlations
 * ------------------------------------------------------------------------
 */

/* make_scores returns the scores of the records of a file (coarsecorrelation.h). */
static int8 *
make_scores(const SdcPairColumn *pair, const uint32 *code, uint32 records, const SdcValueClasses *classes)
{
	int8	   *score = sdc_memory_array(records, sizeof(int8));

	for (uint32 r = 0; r < records; r++)
	{
		sdc_interrupts_step(r);
		score[r] = isnan(sdc_pairs_value(pair, code[r])) ? 0 :
			(int8) (2 * classes->of[code[r]] - (int) (classes->values - 1));
	}
	return score;
}

/* put_spread puts the errors of mean and deviation of a column of numbers; those of times have no zero. */
static void
put_spread(Measuring *measuring, const SdcReleaseColumns *columns, int number)
{
	const SdcReleaseColumn *column = &columns->column[number];
	double	   *value[2];
	SdcFigure	mean;
	SdcFigure	deviation;

	for (int file = 0; file < 2; file++)
		value[file] = sdc_releasecolumns_values(columns, number, file == 1);
	sdc_coarsemargins_spread(value[0], value[1], columns->records, sdc_grain_of(columns->records), &mean, &deviation);
	for (int file = 0; file < 2; file++)
		sdc_free(value[file]);
	if (column->kind == SDC_VALUE_NUMBER)
		put_figure(measuring, SDC_PART_MARGINS, column->name, "mean_error", mean);
	put_figure(measuring, SDC_PART_MARGINS, column->name, "sd_error", deviation);
}

/* put_column puts what is said of one column, and returns its scores: span 0 where it has none. */
static SdcCoarseScores
put_column(Measuring *measuring, const SdcReleaseColumns *columns, int number)
{
	const SdcReleaseColumn *column = &columns->column[number];
	const SdcPairColumn *pair = &column->pair;
	SdcCoarseScores scores = {0};
	SdcValueClasses classes;
	uint32		count[2][SDC_VALUE_CLASSES];
	SdcFigure	kolmogorov;
	SdcFigure	hellinger;

	if (column->kind != SDC_VALUE_NOMINAL)
		put_spread(measuring, columns, number);
	make_classes(pair->protected, pair->codes, columns->records, pair->value, &classes);
	sdc_valueclasses_count(&classes, pair->original, pair->codes, columns->records, count[0]);
	sdc_valueclasses_count(&classes, pair->protected, pair->codes, columns->records, count[1]);
	sdc_coarsemargins_distances(count[0], count[1], classes.classes, columns->records,
								sdc_grain_of(columns->records), &kolmogorov, &hellinger);
	put_figure(measuring, SDC_PART_MARGINS, column->name, SDC_MEASURE_KS, kolmogorov);
	put_figure(measuring, SDC_PART_MARGINS, column->name, "hellinger", hellinger);
	if (column->kind != SDC_VALUE_NOMINAL && classes.values > 1)
	{
		scores.span = (int) classes.values - 1;
		scores.original = make_scores(pair, pair->original, columns->records, &classes);
		scores.released = make_scores(pair, pair->protected, columns->records, &classes);
	}
	sdc_free(classes.of);
	return scores;
}

/* The changes of the correlations of one column, or of all. */
typedef struct Changes
{
	double		change;			/* the sum */
	double		move;
	double		largest;
	double		largest_move;
	uint32		pairs;
} Changes;

/* add_change adds the change of a pair. */
static void
add_change(Changes *changes, double change, double move)
{
	changes->change += change;
	changes->move += move;
	changes->largest = fmax(changes->largest, change);
	changes->largest_move = fmax(changes->largest_move, move);
	changes->pairs++;
}

/* put_mean puts the mean of some changes. */
static void
put_mean(Measuring *measuring, const char *attribute, const Changes *changes)
{
	if (changes->pairs > 0)
		put_figure(measuring, PART_CORRELATIONS, attribute, "mean_change",
				   sdc_figure_round(changes->change / changes->pairs, changes->move / changes->pairs));
}

/* put_correlations puts how much the correlations of the columns change. */
static void
put_correlations(Measuring *measuring, const SdcReleaseColumns *columns, const SdcCoarseScores *scores)
{
	Changes    *of = palloc0(sizeof(Changes) * Max(columns->columns, 1));
	Changes		all = {0};

	for (int i = 0; i < columns->columns; i++)
		for (int j = 0; j < i; j++)
		{
			double		change;
			double		move;

			if (scores[i].span == 0 || scores[j].span == 0)
				continue;
			sdc_coarsecorrelation_change(&scores[j], &scores[i], columns->records, sdc_grain_of(columns->records),
										 &change, &move);
			if (isnan(change))
				continue;
			add_change(&all, change, move);
			add_change(&of[i], change, move);
			add_change(&of[j], change, move);
		}
	put_mean(measuring, NULL, &all);
	if (all.pairs > 0)
		put_figure(measuring, PART_CORRELATIONS, NULL, "largest_change",
				   sdc_figure_round(all.largest, all.largest_move));
	for (int i = 0; i < columns->columns; i++)
		put_mean(measuring, columns->column[i].name, &of[i]);
}

/* measure_columns measures margins and correlations. */
static void
measure_columns(Measuring *measuring)
{
	SdcReleaseColumnsRequest request = {.catalog_schema = measuring->request->catalog_schema,
	.release = measuring->request->release, .frame = measuring->request->frame};
	SdcReleaseColumns *columns = sdc_releasecolumns_open(&request);
	SdcCoarseScores *scores = palloc0(sizeof(SdcCoarseScores) * Max(columns->columns, 1));

	sdc_progress_evaluating(columns->records, columns->columns + 1);
	for (int i = 0; i < columns->columns && columns->records > 0; i++)
	{
		CHECK_FOR_INTERRUPTS();
		scores[i] = put_column(measuring, columns, i);
		sdc_progress_next_part();
	}
	put_correlations(measuring, columns, scores);
	sdc_releasecolumns_close(columns);
}

/* ------------------------------------------------------------------------
 * Counts
 * ------------------------------------------------------------------------
 */

/* A generalized column, as it is released: in every group a range or a set. */
typedef struct Generalized
{
	const SdcCodedRelease *coded;
	const SdcComparedColumn *column;
	bool		range;
	SdcGroupRecords members;	/* of the groups */
	uint32	   *seen;			/* of each code: the number of the look at which it was seen last */
	uint32		looks;
	uint32	   *found;			/* the different codes of the group at hand, */
	uint32		count;
	uint32		low;			/* the least one and the greatest one of them, */
	uint32		high;
	bool		missing;		/* and whether the group has a missing value, or a missing code besides others */
} Generalized;

/*
 * look_at finds out what a group has: a set has that, too, and of a range the least and the greatest value are
 * released.
 */
static void
look_at(Generalized *generalized, uint32 group)
{
	const uint32 *member = sdc_grouprecords_of(&generalized->members, group);
	const bool *coded = generalized->column->coded;
	bool		any = false;

	generalized->looks++;
	generalized->count = 0;
	generalized->low = SDC_CODE_NULL;
	generalized->high = 0;
	generalized->missing = false;
	for (uint32 i = 0; i < sdc_grouprecords_count(&generalized->members, group); i++)
	{
		uint32		code = generalized->column->pair.original[member[i]];

		sdc_interrupts_step(i);
		if (code == SDC_CODE_NULL)
		{
			generalized->missing = true;
			continue;
		}
		if (generalized->seen[code] == generalized->looks)
			continue;
		generalized->seen[code] = generalized->looks;
		generalized->found[generalized->count++] = code;
		generalized->low = Min(generalized->low, code);
		generalized->high = Max(generalized->high, code);
		any |= coded != NULL && coded[code];
	}
	generalized->missing |= any && generalized->count > 1;
}

/*
 * divide_generalized makes classes from what is released: of a range from its two ends, of a set from its values, each
 * as often as the group has records.  A range of a group with a missing value is missing.
 */
static void
divide_generalized(Generalized *generalized, const double *value, SdcValueClasses *classes)
{
	uint32		codes = generalized->column->pair.codes;
	uint32		records = generalized->coded->records;
	uint64	   *count = sdc_memory_zeros((uint64) codes + 1, sizeof(uint64));
	uint64		all = 0;

	for (uint32 g = 0; g < generalized->coded->groups; g++)
	{
		uint32		size = sdc_grouprecords_count(&generalized->members, g);

		look_at(generalized, g);
		if (generalized->missing || generalized->count == 0)
			count[codes] += generalized->range ? 2 * (uint64) size : size;
		if (generalized->range && !generalized->missing && generalized->count > 0)
		{
			count[generalized->low] += size;
			count[generalized->high] += size;
		}
		for (uint32 i = 0; !generalized->range && i < generalized->count; i++)
			count[generalized->found[i]] += size;
	}
	for (uint64 c = 0; c <= codes; c++)
		all += count[c];
	sdc_valueclasses_make(count, codes, value,
						  (all + records - 1) / records * SDC_ACCURACY_CLASS_GRAINS * sdc_grain_of(records), classes);
	sdc_free(count);
}

/* group_classes returns the bitmap of the classes of the group at hand; bit SDC_COARSE_MISSING: it can be missing. */
static uint64
group_classes(const Generalized *generalized, const double *value, const SdcValueClasses *classes)
{
	uint64		bits = generalized->missing ? UINT64_C(1) << SDC_COARSE_MISSING : 0;
	uint32		low = 0;
	uint32		high = classes->values - 1;

	for (uint32 i = 0; !generalized->range && i < generalized->count; i++)
		bits |= UINT64_C(1) << classes->of[generalized->found[i]];
	if (!generalized->range || (generalized->count == 0 && !generalized->missing))
		return bits;
	/* a missing range can have been any, and an end that is not finite is that of all */
	if (!generalized->missing && !isnan(value[generalized->low]))
		low = classes->of[generalized->low];
	if (!generalized->missing && !isnan(value[generalized->high]))
		high = classes->of[generalized->high];
	return bits | (((UINT64_C(2) << high) - 1) & ~((UINT64_C(1) << low) - 1));
}

/* generalize_column makes the classes of a generalized column, and says which of them each record can have. */
static uint64 *
generalize_column(const SdcCodedRelease *coded, const SdcComparedColumn *column, const double *value,
				  SdcValueClasses *classes)
{
	Generalized generalized = {.coded = coded, .column = column, .range = value != NULL};
	uint64	   *possible = sdc_memory_array(coded->records, sizeof(uint64));

	sdc_grouprecords_list(coded->group, coded->records, coded->groups, &generalized.members);
	generalized.seen = sdc_memory_zeros(column->pair.codes, sizeof(uint32));
	generalized.found = sdc_memory_array(column->pair.codes, sizeof(uint32));
	divide_generalized(&generalized, value, classes);
	for (uint32 g = 0; g < coded->groups; g++)
	{
		uint64		bits;

		look_at(&generalized, g);
		bits = group_classes(&generalized, value, classes);
		for (uint32 i = 0; i < sdc_grouprecords_count(&generalized.members, g); i++)
			possible[sdc_grouprecords_of(&generalized.members, g)[i]] = bits;
	}
	sdc_free(generalized.seen);
	sdc_free(generalized.found);
	sdc_grouprecords_free(&generalized.members);
	return possible;
}

/* record_classes returns the class of each record of a file. */
static uint8 *
record_classes(const SdcValueClasses *classes, const double *value, const uint32 *code, uint32 records)
{
	uint8	   *class = sdc_memory_array(records, sizeof(uint8));

	for (uint32 r = 0; r < records; r++)
	{
		sdc_interrupts_step(r);
		class[r] = code[r] == SDC_CODE_NULL || (value != NULL && isnan(value[code[r]])) ? SDC_COARSE_MISSING :
			classes->of[code[r]];
	}
	return class;
}

/* divide_column makes the classes of a column of a release, and those of its records. */
static void
divide_column(const SdcCodedRelease *coded, const SdcComparedColumn *column, SdcCoarseColumn *coarse)
{
	const SdcPairColumn *pair = &column->pair;
	const double *value = pair->value;
	SdcValueClasses classes;

	if (pair->protected != NULL)
	{
		make_classes(pair->protected, pair->codes, coded->records, value, &classes);
		coarse->released = record_classes(&classes, value, pair->protected, coded->records);
	}
	else
		coarse->possible = generalize_column(coded, column, value, &classes);
	coarse->original = record_classes(&classes, value, pair->original, coded->records);
	coarse->classes = classes.values;
	coarse->range = column->kind != SDC_VALUE_NOMINAL;
	sdc_free(classes.of);
}

/* put_counts puts the errors of counts by so many attributes; false: there were too few queries to tell any. */
static bool
put_counts(Measuring *measuring, const SdcCoarseCounts *task, int number)
{
	const char *part = task->units == NULL ? PART_COUNTS : PART_UNIT_COUNTS;
	SdcCoarseErrors errors;
	bool		told = sdc_coarsecounts_run(task, number, &errors);

	put_figure(measuring, part, NULL, psprintf("mean_error_%d", number), errors.mean);
	put_figure(measuring, part, NULL, psprintf("median_error_%d", number), errors.median);
	put_figure(measuring, part, NULL, psprintf("p95_error_%d", number), errors.p95);
	return told;
}

/*
 * put_all_counts puts those by as many attributes as sdc_query_errors asks for; where those by so many are too rare,
 * those by more are left out.
 */
static void
put_all_counts(Measuring *measuring, const SdcCoarseCounts *task)
{
	SdcQueryTask numbers = {.attributes = task->attributes, .sensitives = task->sensitives};

	sdc_progress_evaluating(task->records, sdc_queries_numbers(&numbers));
	for (int number = 1; number <= sdc_queries_numbers(&numbers) && put_counts(measuring, task, number); number++)
		sdc_progress_next_part();
}

/* measure_counts measures counts of records, and those of units where several records are about one. */
static void
measure_counts(Measuring *measuring, const SdcCodedRelease *coded)
{
	int			columns = coded->qi_count + coded->sensitive_count;
	SdcCoarseColumn *column = palloc0(sizeof(SdcCoarseColumn) * columns);
	SdcCoarseCounts task = {.records = coded->records, .grain = sdc_grain_of(coded->records),
		.attributes = coded->qi_count, .sensitives = coded->sensitive_count, .column = column
	};

	if (coded->records == 0 || coded->kind == SDC_QUERY_PERMUTED)
		return;
	for (int i = 0; i < columns; i++)
		divide_column(coded, i < coded->qi_count ? &coded->qi[i] :
					  &coded->sensitive[i - coded->qi_count], &column[i]);
	put_all_counts(measuring, &task);
	task.units = coded->units;
	if (task.units == NULL)
		return;
	task.grain = sdc_grain_of(task.units->count);
	put_all_counts(measuring, &task);
}

/* ------------------------------------------------------------------------
 * Associations
 * ------------------------------------------------------------------------
 */

/* put_recall puts the shares of associations with so many columns, or of all, that are kept and that are new. */
static void
put_recall(Measuring *measuring, const SdcRecall *recall, int length)
{
	double		original = (double) recall->original;
	double		move = recall->firm == 0 ? INFINITY : (double) recall->fragile / (double) recall->firm;
	SdcFigure	kept = sdc_figure_withheld();
	SdcFigure	new = sdc_figure_withheld();
	const char *behind = length == 0 ? "" : psprintf("_%d", length);

	if (length > 0 && recall->original == 0 && recall->fragile == 0)
		return;
	if (recall->original > 0)
	{
		double		artificial = (double) recall->artificial / original;

		kept = sdc_figure_round((double) recall->recovered / original, move);
		new = sdc_figure_round(artificial, move * (1 + artificial));
	}
	put_figure(measuring, PART_ASSOCIATIONS, NULL, psprintf("kept%s", behind), kept);
	put_figure(measuring, PART_ASSOCIATIONS, NULL, psprintf("new%s", behind), new);
}

/* measure_associations compares the associations of the rounded counts of the source with those of the release. */
static void
measure_associations(Measuring *measuring, const SdcCodedRelease *coded)
{
	SdcRecallRequest request = {.min_support = measuring->request->min_support,
		.min_confidence = measuring->request->min_confidence, .reading = SDC_RULE_ANTECEDENT
	};
	SdcRuleTask task[2];
	SdcRecall  *recall;

	sdc_associations_tasks(coded, &request, task);
	task[0].grain = sdc_grain_of(coded->records);
	recall = palloc0(sizeof(SdcRecall) * (task[0].coded->attributes + 1));
	if (task[0].min_count >= SUPPORT_GRAINS * (uint64) task[0].grain)
	{
		sdc_progress_evaluating(coded->records, 2);
		sdc_associations_check(sdc_rules_recall(&task[0], &task[1], recall));
	}
	for (int length = 1; length <= task[0].coded->attributes; length++)
		put_recall(measuring, &recall[length], length);
	put_recall(measuring, &recall[0], 0);
}

/* measure_combinations measures counts, and associations where there is a sensitive column for them. */
static void
measure_combinations(Measuring *measuring)
{
	SdcCodedReleaseRequest request = {.catalog_schema = measuring->request->catalog_schema,
	.release = measuring->request->release, .frame = measuring->request->frame, .units = true};
	SdcCodedRelease *coded = sdc_codedrelease_open(&request);

	measure_counts(measuring, coded);
	if (coded->sensitive_count > 0)
		measure_associations(measuring, coded);
	sdc_codedrelease_close(coded);
}

/* The parts. */
static const struct
{
	const char *name;
	void		(*measure) (Measuring *measuring);
}			parts[] = {
	[SDC_ACCURACY_COLUMNS] = {"margins and correlations", measure_columns},
	[SDC_ACCURACY_COMBINATIONS] = {"counts and associations", measure_combinations}
};

/* measure measures a part: it is the work of sdc_attempt. */
static void
measure(void *arg)
{
	Measuring  *measuring = arg;

	parts[measuring->part].measure(measuring);
}

/* sdc_coarseaccuracy_name: see coarseaccuracy.h. */
const char *
sdc_coarseaccuracy_name(SdcAccuracyPart part)
{
	return parts[part].name;
}

/* sdc_coarseaccuracy_measure: see coarseaccuracy.h. */
List *
sdc_coarseaccuracy_measure(const SdcAccuracyRequest *request, SdcAccuracyPart part, ErrorData **error)
{
	Measuring	measuring = {.request = request, .part = part, .context = CurrentMemoryContext};

	*error = sdc_attempt(measure, &measuring);
	return *error == NULL ? measuring.rows : NIL;
}
