/*-------------------------------------------------------------------------
 *
 * weighting.c
 *		What a protection does to the weights of records, and to weighted totals.
 *
 * A swap of the values of two records changes a weighted total by the difference of their weights times that of their
 * values: by nothing where weights are equal in the strata.
 *
 * Memory: a weight a record, and 16 bytes a unit while weights are grouped or compared.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "catalog/pg_type.h"
#include "kernel/base/moments.h"
#include "kernel/base/units.h"
#include "method/weighting.h"
#include "relation/base/memory.h"
#include "relation/column/dictionary.h"
#include "relation/column/grouprecords.h"
#include "relation/column/paircodes.h"
#include "relation/read/missing.h"
#include "relation/read/sourceunits.h"
#include "relation/read/weights.h"
#include "utils/fmgrprotos.h"

/* Units with a weight that no other one has are warned of above so many percent. */
#define OWN_PERCENT 5

/* A unit, or a record where each is one, by its weight. */
typedef struct Weighed
{
	double		weight;
	uint32		stratum;
	uint32		number;
} Weighed;

/* total_of is the weighted sum of what an attribute has in a column of numbers, NaN of another one. */
static double
total_of(const SdcAttribute *attribute, SdcColumn *column, const double *weight)
{
	SdcMomentsSum sum = {0, 0};
	SdcColumnReader *reader;
	uint64		records;

	if (column == NULL || attribute->is_weight || attribute->action == SDC_ACTION_KEY ||
		attribute->action == SDC_ACTION_UNIT || attribute->action == SDC_ACTION_OMITTED ||
		OidIsValid(attribute->release_type) || attribute->type.kind != SDC_VALUE_NUMBER)
		return NAN;
	records = sdc_column_count(column);
	reader = sdc_column_open(column);
	for (uint64 r = 0; r < records; r++)
	{
		Datum		value;

		sdc_interrupts_step(r);
		if (!sdc_column_next(reader, &value))
			continue;
		if (attribute->dictionary != NULL)
			value = sdc_dictionary_value(attribute->dictionary, (uint32) DatumGetInt32(value));
		if (sdc_missing_which(unconstify(SdcAttribute *, attribute), value) >= 0)
			continue;
		sdc_moments_add(&sum, weight[r] * sdc_type_number(&attribute->type, value));
	}
	sdc_column_close(reader);
	return sdc_moments_total(&sum);
}

/* sdc_weighting_begin: see weighting.h. */
void
sdc_weighting_begin(const SdcSource *source, SdcWeighting *weighting)
{
	SdcAttribute *weight = sdc_source_weight(source);

	memset(weighting, 0, sizeof(*weighting));
	if (weight == NULL)
		return;
	weighting->weight = sdc_weights_load(source, weight);
	weighting->total = palloc(sizeof(double) * source->attribute_count);
	for (int i = 0; i < source->attribute_count; i++)
	{
		const SdcAttribute *attribute = &source->attributes[i];

		weighting->total[i] = total_of(attribute, attribute->before != NULL ? attribute->before : attribute->column,
									   weighting->weight);
	}
}

/* compare_weighed orders by stratum, weight and number. */
static int
compare_weighed(const void *a, const void *b)
{
	const Weighed *left = a;
	const Weighed *right = b;

	if (left->stratum != right->stratum)
		return left->stratum < right->stratum ? -1 : 1;
	if (left->weight != right->weight)
		return left->weight < right->weight ? -1 : 1;
	return left->number < right->number ? -1 : left->number > right->number;
}

/* weigh_units returns the units of a source with their weights, in order; strata: within the strata. */
static Weighed *
weigh_units(const SdcSource *source, const double *weight, bool strata, uint32 *count)
{
	const SdcUnits *units = source->units;
	uint32	   *stratum = NULL;
	Weighed    *weighed;

	*count = units != NULL ? units->count : (uint32) source->records;
	weighed = sdc_memory_array(*count, sizeof(Weighed));
	if (strata && source->stratum != NULL)
		stratum = units != NULL ? sdc_sourceunits_strata(source) :
			sdc_grouprecords_strata(source->stratum, source->records);
	for (uint32 u = 0; u < *count; u++)
		weighed[u] = (Weighed) {weight[units != NULL ? units->member[units->start[u]] : u],
			stratum == NULL ? 0 : stratum[u], u};
	if (stratum != NULL)
		sdc_free(stratum);
	qsort(weighed, *count, sizeof(Weighed), compare_weighed);
	return weighed;
}

/* group_run gives the units of a run their mean weight. */
static void
group_run(const Weighed *weighed, uint32 start, uint32 end, double *mean)
{
	SdcMomentsSum sum = {0, 0};
	double		value;

	for (uint32 i = start; i < end; i++)
		sdc_moments_add(&sum, weighed[i].weight);
	/* equal ones are their mean, whatever the division loses */
	value = weighed[start].weight == weighed[end - 1].weight ? weighed[start].weight :
		sdc_moments_total(&sum) / (end - start);
	for (uint32 i = start; i < end; i++)
		mean[weighed[i].number] = value;
}

/* group_units returns the mean weight of the run of every unit. */
static double *
group_units(const SdcSource *source, const double *weight, uint32 size)
{
	uint32		count;
	Weighed    *weighed = weigh_units(source, weight, true, &count);
	double	   *mean = sdc_memory_array(count, sizeof(double));
	uint32		next;

	for (uint32 start = 0; start < count; start = next)
	{
		uint32		stratum_end = start;
		uint32		runs;

		while (stratum_end < count && weighed[stratum_end].stratum == weighed[start].stratum)
			stratum_end++;
		next = stratum_end;
		runs = Max((stratum_end - start) / size, 1);
		for (uint32 run = 0; run < runs; run++)
			group_run(weighed, start + run * size, run + 1 == runs ? stratum_end : start + (run + 1) * size, mean);
		CHECK_FOR_INTERRUPTS();
	}
	sdc_free(weighed);
	return mean;
}

/* sdc_weighting_group: see weighting.h. */
void
sdc_weighting_group(SdcSource *source, uint32 size, SdcSpool *spool)
{
	SdcAttribute *attribute = sdc_source_weight(source);
	double	   *weight = sdc_weights_load(source, attribute);
	double	   *mean = group_units(source, weight, size);
	SdcColumn  *grouped = sdc_column_create(spool, sdc_column_type(attribute->column));

	attribute->changed = 0;
	for (uint64 r = 0; r < source->records; r++)
	{
		double		value = mean[source->units != NULL ? source->units->of[r] : r];
		Datum		datum = Float8GetDatum(value);

		sdc_interrupts_step(r);
		if (attribute->type.base == NUMERICOID)
			datum = DirectFunctionCall1(float8_numeric, datum);
		attribute->changed += value != weight[r];
		sdc_column_append(grouped, datum, false);
		if (attribute->type.base == NUMERICOID)
			pfree(DatumGetPointer(datum));
	}
	sdc_column_finish(grouped);
	sdc_column_destroy(attribute->column);
	attribute->column = grouped;
	sdc_free(mean);
	sdc_free(weight);
}

/* warn_own tells how many units have a weight that no other one has. */
static void
warn_own(const SdcSource *source, const double *weight)
{
	uint32		count;
	Weighed    *weighed = weigh_units(source, weight, false, &count);
	uint64		own = 0;

	for (uint32 i = 0; i < count; i++)
		own += (i == 0 || weighed[i - 1].weight != weighed[i].weight) &&
			(i + 1 == count || weighed[i + 1].weight != weighed[i].weight);
	sdc_free(weighed);
	if (own * 100 <= (uint64) count * OWN_PERCENT)
		return;
	ereport(WARNING,
			(errcode(ERRCODE_WARNING),
			 source->units != NULL ?
			 errmsg(UINT64_FORMAT " of %u units have a weight in column \"%s\" that no other unit has", own, count,
					NameStr(sdc_source_weight(source)->name)) :
			 errmsg(UINT64_FORMAT " of %u records have a weight in column \"%s\" that no other record has", own, count,
					NameStr(sdc_source_weight(source)->name)),
			 errdetail("Such a weight identifies whom it belongs to."),
			 errhint("Use weight_group => 10 to release the means of ten weights each, or leave the column out.")));
}

/* sdc_weighting_end: see weighting.h. */
void
sdc_weighting_end(SdcSource *source, SdcWeighting *weighting)
{
	SdcAttribute *attribute = sdc_source_weight(source);
	double	   *released;

	if (attribute == NULL)
		return;
	released = sdc_weights_load(source, attribute);
	for (int i = 0; i < source->attribute_count; i++)
	{
		double		before = weighting->total[i];
		double		after = isnan(before) ? NAN :
			total_of(&source->attributes[i], source->attributes[i].column, released);

		source->attributes[i].weighted_change = before == 0 || !isfinite(after) ? NAN :
			100 * (after - before) / fabs(before);
	}
	if (attribute->action != SDC_ACTION_OMITTED)
		warn_own(source, released);
	sdc_free(released);
	sdc_free(weighting->weight);
	pfree(weighting->total);
}
