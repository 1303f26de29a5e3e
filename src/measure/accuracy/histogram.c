/*-------------------------------------------------------------------------
 *
 * histogram.c
 *		How far the joint histogram of a release is from that of its source.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "kernel/bins/histogramdistance.h"
#include "measure/accuracy/histogram.h"
#include "relation/base/memory.h"
#include "relation/base/progress.h"
#include "relation/frame/numericcolumns.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"

/* Some columns of both files. */
typedef struct Chosen
{
	const double **original;
	const double **protected;
	int			count;
} Chosen;

/* choose takes the columns that are named, or all. */
static void
choose(const SdcNumericColumns *numbers, bool given, const List *columns, Chosen *chosen)
{
	chosen->original = palloc(sizeof(double *) * Max(numbers->attributes, 1));
	chosen->protected = palloc(sizeof(double *) * Max(numbers->attributes, 1));
	chosen->count = 0;
	if (given)
	{
		ListCell   *cell;

		foreach(cell, columns)
		{
			int			i = sdc_numericcolumns_find(numbers, lfirst(cell), "columns");

			chosen->original[chosen->count] = numbers->original[i];
			chosen->protected[chosen->count++] = numbers->protected[i];
		}
	}
	else
		for (; chosen->count < numbers->attributes; chosen->count++)
		{
			chosen->original[chosen->count] = numbers->original[chosen->count];
			chosen->protected[chosen->count] = numbers->protected[chosen->count];
		}
}

/* sdc_histogram_variation returns the total variation between the histograms. */
double
sdc_histogram_variation(Oid catalog_schema, Oid release, bool given, const List *columns,
						uint32 intervals)
{
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext, "sdc swap measure",
												  ALLOCSET_DEFAULT_SIZES);
	MemoryContext old = MemoryContextSwitchTo(context);
	SdcNumericColumns *numbers = sdc_numericcolumns_load_release(catalog_schema, release, false);
	Chosen		chosen;
	double		variation;

	choose(numbers, given, columns, &chosen);
	if (chosen.count == 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("release \"%s\" has no column of numbers to compare", get_rel_name(release)),
				 errdetail("Columns of numbers, dates and times are compared that it has with the types of its source.")));
	variation = sdc_histogramdistance_variation(chosen.original, chosen.protected, chosen.count,
												(uint32) numbers->records, intervals);
	sdc_progress_end();
	MemoryContextSwitchTo(old);
	MemoryContextDelete(context);
	return variation;
}
