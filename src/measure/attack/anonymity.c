/*-------------------------------------------------------------------------
 *
 * anonymity.c
 *		The probabilistic anonymity of random anonymization.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "kernel/base/codesort.h"
#include "kernel/base/moments.h"
#include "kernel/groups/entropy.h"
#include "measure/attack/anonymity.h"
#include "miscadmin.h"
#include "relation/base/memory.h"
#include "relation/base/progress.h"
#include "relation/read/codedtable.h"
#include "utils/memutils.h"

/* column_entropy returns the entropy of a column's values. */
static double
column_entropy(const SdcCodedFile *coded, int attribute)
{
	const SdcCodedColumn *column = &coded->column[attribute];
	uint64	   *count = sdc_memory_zeros(column->codes, sizeof(uint64));
	double		entropy;

	for (uint32 r = 0; r < coded->records; r++)
	{
		sdc_interrupts_step(r);
		if (column->code[r] != SDC_CODE_NULL)
			count[column->code[r]]++;
	}
	entropy = sdc_entropy_of_counts(count, column->codes);
	sdc_free(count);
	return entropy;
}

/* stratified_entropy returns the mean entropy of a column's values over the records, each with that of its stratum. */
static double
stratified_entropy(const SdcCodedFile *coded, int attribute, const uint32 *stratum, uint32 strata)
{
	const SdcCodedColumn *column = &coded->column[attribute];
	const SdcCodesort by_stratum = {stratum, 1, strata, NULL};
	const SdcCodesort by_code = {column->code, 1, column->codes, NULL};
	uint32	   *order = sdc_codesort_two(&by_stratum, &by_code, coded->records);
	uint64	   *count = sdc_memory_array(Max(Min(column->codes, coded->records), 1), sizeof(uint64));
	SdcMomentsSum sum = {0, 0};
	uint32		values = 0;
	uint32		start = 0;

	for (uint32 i = 0; i < coded->records; i++)
	{
		uint32		code = column->code[order[i]];
		bool		first = i == start;

		sdc_interrupts_step(i);
		if (code != SDC_CODE_NULL)
		{
			if (first || code != column->code[order[i - 1]])
				count[values++] = 0;
			count[values - 1]++;
		}
		if (i + 1 < coded->records && stratum[order[i + 1]] == stratum[order[i]])
			continue;
		sdc_moments_add(&sum, sdc_entropy_of_counts(count, values) * (i + 1 - start));
		start = i + 1;
		values = 0;
	}
	sdc_free(count);
	sdc_free(order);
	return coded->records > 0 ? sdc_moments_total(&sum) / coded->records : 0;
}

/* column_entropies returns the entropies of all columns; stratum NULL: all are one. */
static double *
column_entropies(const SdcCodedFile *coded, const uint32 *stratum, uint32 strata)
{
	double	   *entropy = palloc(sizeof(double) * coded->attributes);

	for (int i = 0; i < coded->attributes; i++)
	{
		CHECK_FOR_INTERRUPTS();
		entropy[i] = stratum == NULL ? column_entropy(coded, i) : stratified_entropy(coded, i, stratum, strata);
		sdc_progress_next_part();
	}
	return entropy;
}

/* optimal_probabilities returns the probabilities that maximize probabilistic anonymity. */
static double *
optimal_probabilities(const double *entropy, int attributes)
{
	double	   *probability = palloc(sizeof(double) * attributes);

	sdc_entropy_optimal(entropy, attributes, probability);
	return probability;
}

/* sdc_anonymity_optimal does so for attributes that have been read; strata do not matter. */
double *
sdc_anonymity_optimal(const SdcCodedFile *coded)
{
	return optimal_probabilities(column_entropies(coded, NULL, 1), coded->attributes);
}

/* anonymity_of is the probabilistic anonymity of a table. */
static double
anonymity_of(const SdcCodedTable *table, const SdcAnonymityRequest *request)
{
	const SdcCodedFile *coded = &table->coded;
	const double *probability = request->probability;
	double	   *entropy = column_entropies(coded, table->stratum, table->strata);

	if (request->draws > 0)
		return sdc_entropy_anonymity_drawn(entropy, coded->attributes, request->draws);
	if (probability == NULL)
		probability = table->stratum != NULL ? sdc_anonymity_optimal(coded) :
			optimal_probabilities(entropy, coded->attributes);
	return sdc_entropy_anonymity(entropy, probability, coded->attributes);
}

/* sdc_anonymity_measure reads the columns in a context of its own. */
bool
sdc_anonymity_measure(const SdcAnonymityRequest *request, double *anonymity)
{
	MemoryContext context;
	MemoryContext before;
	SdcCodedTable *table;
	uint32		records;
	bool		twice = request->strata != NIL && request->probability == NULL && request->draws == 0;

	context = AllocSetContextCreate(CurrentMemoryContext, "sdc anonymity", ALLOCSET_DEFAULT_SIZES);
	before = MemoryContextSwitchTo(context);
	table = sdc_codedtable_load_strata(request->relid, request->qi, request->strata);
	records = table->coded.records;
	/* the best probabilities are those of the whole table */
	sdc_progress_evaluating(records, table->coded.attributes * (twice ? 2 : 1));
	*anonymity = anonymity_of(table, request);
	sdc_progress_end();
	MemoryContextSwitchTo(before);
	MemoryContextDelete(context);
	return records > 0;
}
