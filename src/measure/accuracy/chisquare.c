/*-------------------------------------------------------------------------
 *
 * chisquare.c
 *		Chi-square of every two columns of a relation.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "kernel/groups/contingency.h"
#include "measure/accuracy/chisquare.h"
#include "relation/base/memory.h"
#include "relation/base/progress.h"
#include "relation/read/codedtable.h"

/* compare_columns fills in what two columns tell of each other. */
static void
compare_columns(const SdcCodedTable *table, int a, int b, SdcChiSquare *pair)
{
	SdcContingency result;
	uint32		least;

	sdc_contingency(&table->coded.column[a], &table->coded.column[b], table->coded.records,
					&result);
	least = Min(result.rows, result.columns);
	pair->first = table->column[a].name;
	pair->second = table->column[b].name;
	pair->records = result.records;
	pair->varied = least > 1;
	pair->chi_square = result.chi_square;
	pair->chi_square_n = result.chi_square / Max(result.records, 1);
	pair->cramers_v = least > 1 ? sqrt(result.chi_square / result.records / (least - 1)) : 0;
}

/* sdc_chisquare_measure reads the columns in a context of its own, in which emit is called. */
void
sdc_chisquare_measure(Oid relid, List *names, SdcChiSquareEmit emit, void *arg)
{
	MemoryContext context;
	MemoryContext before;
	SdcCodedTable *table;

	context = AllocSetContextCreate(CurrentMemoryContext, "sdc chi-square", ALLOCSET_DEFAULT_SIZES);
	before = MemoryContextSwitchTo(context);
	table = sdc_codedtable_load(relid, names);
	sdc_progress_evaluating(table->coded.records, table->coded.attributes * (table->coded.attributes - 1) / 2);
	for (int a = 0; a < table->coded.attributes; a++)
		for (int b = a + 1; b < table->coded.attributes; b++)
		{
			SdcChiSquare pair;

			compare_columns(table, a, b, &pair);
			emit(arg, &pair);
			sdc_progress_next_part();
		}
	sdc_progress_end();
	MemoryContextSwitchTo(before);
	MemoryContextDelete(context);
}
