/*-------------------------------------------------------------------------
 *
 * anonymity.c
 *		The probabilistic anonymity of random anonymization.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

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

/* column_entropies returns the entropies of all columns. */
static double *
column_entropies(const SdcCodedFile *coded)
{
	double	   *entropy = palloc(sizeof(double) * coded->attributes);

	for (int i = 0; i < coded->attributes; i++)
	{
		CHECK_FOR_INTERRUPTS();
		entropy[i] = column_entropy(coded, i);
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

/* sdc_anonymity_optimal does so for attributes that have been read. */
double *
sdc_anonymity_optimal(const SdcCodedFile *coded)
{
	return optimal_probabilities(column_entropies(coded), coded->attributes);
}

/* sdc_anonymity_measure reads the columns in a context of its own. */
bool
sdc_anonymity_measure(Oid relid, List *qi, const double *probability, double *anonymity)
{
	MemoryContext context;
	MemoryContext before;
	SdcCodedTable *table;
	double	   *entropy;
	uint32		records;

	context = AllocSetContextCreate(CurrentMemoryContext, "sdc anonymity", ALLOCSET_DEFAULT_SIZES);
	before = MemoryContextSwitchTo(context);
	table = sdc_codedtable_load(relid, qi);
	records = table->coded.records;
	sdc_progress_evaluating(records, table->coded.attributes);
	entropy = column_entropies(&table->coded);
	if (probability == NULL)
		probability = optimal_probabilities(entropy, table->coded.attributes);
	*anonymity = sdc_entropy_anonymity(entropy, probability, table->coded.attributes);
	sdc_progress_end();
	MemoryContextSwitchTo(before);
	MemoryContextDelete(context);
	return records > 0;
}
