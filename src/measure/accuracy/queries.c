/*-------------------------------------------------------------------------
 *
 * queries.c
 *		How far random counts on a release are from those on its source.
 *
 * The relative error is that of W. Yang, S. Qiao, "A novel anonymization algorithm: privacy protection
 * and knowledge preservation", Expert Systems with Applications 37 (2010).  Of methods that keep the
 * schema of the source, the count on the release is the estimate.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "measure/accuracy/queries.h"
#include "measure/accuracy/queryjobs.h"
#include "relation/base/memory.h"
#include "relation/base/random.h"

#define METHOD "query_errors"

/* query_attributes describes columns to the kernel. */
static SdcQueryAttribute *
query_attributes(const SdcComparedColumn *column, int count)
{
	SdcQueryAttribute *attribute = palloc0(sizeof(SdcQueryAttribute) * Max(count, 1));

	for (int i = 0; i < count; i++)
	{
		attribute[i].original = column[i].pair.original;
		attribute[i].protected = column[i].pair.protected;
		attribute[i].codes = column[i].pair.codes;
		attribute[i].range = column[i].kind != SDC_VALUE_NOMINAL;
		attribute[i].set = column[i].set;
		attribute[i].element = column[i].element;
		attribute[i].elements = column[i].elements;
	}
	return attribute;
}

/* sdc_queries_measure reads a release and asks the queries; the errors are in workload->context. */
void
sdc_queries_measure(SdcWorkload *workload)
{
	SdcCodedRelease *coded = sdc_codedrelease_open(&workload->release);
	SdcQueryTask task = {0};

	task.records = coded->records;
	task.kind = coded->kind;
	task.attributes = coded->qi_count;
	task.qi = query_attributes(coded->qi, coded->qi_count);
	task.sensitives = coded->sensitive_count;
	task.sensitive = query_attributes(coded->sensitive, coded->sensitive_count);
	task.group = coded->group;
	task.groups = coded->groups;
	for (int file = 0; file < 2; file++)
		task.weight[file] = coded->weights.of[file];
	task.queries = workload->queries;
	task.most = workload->most;
	workload->numbers = sdc_queries_numbers(&task);
	workload->errors = MemoryContextAlloc(workload->context,
										  sizeof(SdcWorkloadErrors) * workload->numbers);
	sdc_queryjobs_run(&task, sdc_random_create(workload->seed, METHOD), workload->errors);
	sdc_codedrelease_close(coded);
}
