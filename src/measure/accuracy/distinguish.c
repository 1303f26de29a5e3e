/*-------------------------------------------------------------------------
 *
 * distinguish.c
 *		How well the records of a release can be told from those of its source.
 *
 * Memory: the columns (releasecolumns.h), two numbers a record for each that has numbers, and what the kernel
 * takes for the products of features.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "measure/accuracy/distinguish.h"
#include "relation/base/memory.h"
#include "relation/frame/releasecolumns.h"

/* More features are an error: their products would not fit, and take too long. */
#define FEATURES_MOST 2000

/* describe_columns describes the columns to the kernel; codes becomes the sum of their codes. */
static SdcDistinguishColumn *
describe_columns(const SdcReleaseColumns *columns, uint64 *codes)
{
	SdcDistinguishColumn *column = palloc0(sizeof(SdcDistinguishColumn) * Max(columns->columns, 1));

	*codes = 0;
	for (int i = 0; i < columns->columns; i++)
	{
		const SdcReleaseColumn *from = &columns->column[i];

		if (from->kind == SDC_VALUE_NOMINAL)
		{
			column[i].original_code = from->pair.original;
			column[i].protected_code = from->pair.protected;
			column[i].codes = from->pair.codes;
			*codes += from->pair.codes;
			continue;
		}
		column[i].original_value = sdc_releasecolumns_values(columns, i, false);
		column[i].protected_value = sdc_releasecolumns_values(columns, i, true);
	}
	return column;
}

/* check_features insists on features that are not too many. */
static void
check_features(uint64 features, bool pairs)
{
	if (features > FEATURES_MOST)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("the columns have " UINT64_FORMAT " features, and %d are allowed", features,
						FEATURES_MOST),
				 errdetail("Every value of a column that has no numbers is one%s.",
						   pairs ? ", and so is every product of those of two columns" : ""),
				 errhint("Name columns with fewer values%s.", pairs ? ", or set pairs to false" : "")));
}

/* sdc_distinguish_measure: see distinguish.h. */
bool
sdc_distinguish_measure(const SdcDistinguishRequest *request, SdcDistinguished *result)
{
	SdcReleaseColumnsRequest wanted = {.catalog_schema = request->catalog_schema,
	.release = request->release, .given = request->given, .names = request->columns,
	.argument = "columns"};
	SdcReleaseColumns *columns = sdc_releasecolumns_open(&wanted);
	uint64		codes;
	SdcDistinguishTask task = {columns->records, columns->records, columns->columns,
	describe_columns(columns, &codes), request->pairs};
	uint64		features;
	bool		any = columns->records > 0 && columns->columns > 0;

	features = sdc_distinguishability_features(&task);
	check_features(features, request->pairs);
	if (any)
		sdc_distinguishability_measure(&task, result);
	sdc_releasecolumns_close(columns);
	return any;
}
