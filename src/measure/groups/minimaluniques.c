/*-------------------------------------------------------------------------
 *
 * minimaluniques.c
 *		For every record of a relation the smallest sets of columns that make it unique.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "kernel/base/codeindex.h"
#include "kernel/groups/minimaluniques.h"
#include "measure/groups/minimaluniques.h"
#include "relation/base/memory.h"
#include "relation/base/progress.h"
#include "relation/read/codedtable.h"

/* What is found of all records. */
typedef struct Uniques
{
	SdcCodedTable *table;
	SdcCodedFile coded;			/* its columns, without those that name units */
	uint32	   *unit;			/* of each record, or NULL */
	bool	   *first;			/* or NULL */
	int			sizes;
	uint32	   *size;
	uint64	   *score;
	uint64	   *part;
	double	   *dis;			/* or NULL */
	SdcMinimalUniques found;
} Uniques;

/* sdc_uniques_check: see minimaluniques.h. */
void
sdc_uniques_check(const SdcUniquesRequest *request)
{
	if (list_length(request->columns) > SDC_MINIMALUNIQUES_COLUMNS)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("%d columns have too many sets", list_length(request->columns)),
				 errhint("Name at most %d.", SDC_MINIMALUNIQUES_COLUMNS)));
}

/* take_arrays allocates the results. */
static void
take_arrays(Uniques *uniques, bool with_dis)
{
	uint64		records = uniques->coded.records;
	uint64		columns = (uint64) uniques->coded.attributes;

	uniques->size = sdc_memory_array(records * (uint64) uniques->sizes, sizeof(uint32));
	uniques->score = sdc_memory_array(records, sizeof(uint64));
	uniques->part = sdc_memory_array(records * columns, sizeof(uint64));
	if (with_dis)
		uniques->dis = sdc_memory_array(records, sizeof(double));
	if (with_dis && uniques->unit != NULL)
		uniques->first = sdc_memory_array(records, sizeof(bool));
}

/* load_units numbers the units of the records, whose columns come behind the others. */
static void
load_units(Uniques *uniques, const SdcUniquesRequest *request)
{
	SdcCodedFile naming = uniques->table->coded;
	SdcCodeIndex index;

	uniques->coded = uniques->table->coded;
	uniques->coded.attributes = list_length(request->columns);
	if (request->unit == NIL)
		return;
	naming.column += uniques->coded.attributes;
	uniques->unit = sdc_memory_array(naming.records, sizeof(uint32));
	sdc_codeindex_create(&index, &naming, list_length(request->unit), uniques->unit);
	sdc_codeindex_destroy(&index);
}

/* find_uniques runs the kernel. */
static void
find_uniques(Uniques *uniques, double fraction)
{
	SdcMinimalUniquesTask task = {&uniques->coded, uniques->sizes, uniques->unit};

	take_arrays(uniques, fraction > 0);
	sdc_minimaluniques_find(&task, uniques->size, uniques->score, uniques->part, uniques->first,
							&uniques->found);
	if (fraction > 0)
		sdc_minimaluniques_dis(uniques->score, uniques->first, task.coded->records, task.coded->attributes,
							   uniques->found.pairs, fraction, uniques->dis);
}

/* emit_records passes on what was found. */
static void
emit_records(Uniques *uniques, SdcUniquesEmit emit, void *arg)
{
	SdcCodedTable *table = uniques->table;
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext, "sdc row",
												  ALLOCSET_SMALL_SIZES);
	MemoryContext old = MemoryContextSwitchTo(context);

	for (uint32 i = 0; i < table->coded.records; i++)
	{
		SdcUniquesRecord record;

		record.record = sdc_recordkeys_text(&table->keys, i);
		record.sizes = uniques->sizes;
		record.size = uniques->size + (uint64) i * (uint64) uniques->sizes;
		record.score = uniques->score[i];
		record.dis = uniques->dis != NULL ? uniques->dis[i] : 0;
		record.columns = uniques->coded.attributes;
		record.part = uniques->part + (uint64) i * (uint64) uniques->coded.attributes;
		emit(arg, &record);
		MemoryContextReset(context);
		if (i % 1024 == 0)
		{
			CHECK_FOR_INTERRUPTS();
			SDC_REPORT(i, table->coded.records);
		}
	}
	MemoryContextSwitchTo(old);
	MemoryContextDelete(context);
}

/* sdc_uniques_find: see minimaluniques.h. */
void
sdc_uniques_find(const SdcUniquesRequest *request, SdcUniquesEmit emit, void *arg)
{
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext, "sdc uniques",
												  ALLOCSET_DEFAULT_SIZES);
	MemoryContext old = MemoryContextSwitchTo(context);
	Uniques		uniques = {0};

	uniques.table = sdc_codedtable_load_keyed(request->relid, list_concat_copy(request->columns, request->unit),
											  request->key_given, request->key);
	load_units(&uniques, request);
	uniques.sizes = Min(request->max_size, list_length(request->columns));
	sdc_progress_evaluating(uniques.table->coded.records, 2);
	find_uniques(&uniques, request->fraction);
	sdc_progress_next_part();
	emit_records(&uniques, emit, arg);
	sdc_progress_end();
	MemoryContextSwitchTo(old);
	MemoryContextDelete(context);
}
