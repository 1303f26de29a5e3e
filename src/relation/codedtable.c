/*-------------------------------------------------------------------------
 *
 * codedtable.c
 *		A relation read into codes, for measures that only count.
 *
 * Memory: four bytes a value, up to eight while the number of records is not known, and
 * the distinct values.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "relation/codedtable.h"
#include "relation/memory.h"
#include "relation/progress.h"
#include "relation/reader.h"
#include "relation/spi.h"

/* Records that a fetch can bring at most, and more; not more than all before, where these are few. */
#define FETCH_RECORDS 4096

/* What is being read. */
typedef struct Loading
{
	SdcCodedTable *table;
	SdcCodeList **list;
} Loading;

/* loading_memory returns the bytes that are taken, or soon will be. */
static uint64
loading_memory(const Loading *loading)
{
	uint64		bytes = 0;

	for (int i = 0; i < loading->table->coded.attributes; i++)
		bytes += sdc_codelist_memory(loading->list[i], Min(loading->list[i]->count, FETCH_RECORDS)) +
			sdc_dictionary_memory(loading->table->column[i].dictionary);
	return bytes;
}

/* watch_memory raises an error when the budget is used up. */
static void
watch_memory(void *arg)
{
	sdc_memory_require(loading_memory(arg), "reading a relation");
}

/* plan_table plans the reading, and says where the values go. */
static SdcSource *
plan_table(Oid relid, List *names, Loading *loading)
{
	SdcCodedTable *table = loading->table;
	SdcSourceRequest request = {0};
	SdcSource  *source;
	ListCell   *cell;

	request.relid = relid;
	request.columns_given = true;
	request.also = names;
	request.only_needed = true;
	request.unordered = true;
	request.as_registered = true;
	source = sdc_source_plan(&request);
	foreach(cell, names)
	{
		int			i = foreach_current_index(cell);
		SdcAttribute *attribute =
			&source->attributes[sdc_source_find_attribute(source, lfirst(cell), "columns")];

		table->column[i].name = lfirst(cell);
		table->column[i].type = attribute->type;
		table->column[i].dictionary = sdc_dictionary_create(&attribute->type);
		loading->list[i] = attribute->codes = sdc_codelist_create(table->column[i].dictionary);
	}
	source->watch = watch_memory;
	source->watch_arg = loading;
	return source;
}

/* sdc_codedtable_load reads columns of a relation. */
SdcCodedTable *
sdc_codedtable_load(Oid relid, List *names)
{
	MemoryContext context = CurrentMemoryContext;
	MemoryContext work;
	int			attributes = list_length(names);
	SdcCodedTable *table = palloc0(sizeof(SdcCodedTable));
	Loading		loading = {table, palloc0(sizeof(SdcCodeList *) * attributes)};
	SdcCodedColumn *coded = palloc(sizeof(SdcCodedColumn) * attributes);
	SdcSource  *source;
	SdcSpool   *spool;

	table->column = palloc0(sizeof(SdcCodedTableColumn) * attributes);
	table->coded.attributes = attributes;
	table->coded.column = coded;
	source = plan_table(relid, names, &loading);
	sdc_spi_connect();
	work = AllocSetContextCreate(context, "sdc table", ALLOCSET_DEFAULT_SIZES);
	MemoryContextSwitchTo(work);
	spool = sdc_spool_create(0, 1);
	sdc_progress_start(relid, attributes);
	sdc_reader_read(source, spool);
	MemoryContextSwitchTo(context);
	for (int i = 0; i < attributes; i++)
	{
		SdcCodedTableColumn *column = &table->column[i];

		table->memory += loading.list[i]->space * sizeof(uint32) +
			sdc_dictionary_memory(column->dictionary) +
			2 * (uint64) sdc_dictionary_count(column->dictionary) * sizeof(uint32);
		sdc_memory_require(table->memory, "reading a relation");
		sdc_dictionary_codes(column->dictionary, &column->coding);
		sdc_codelist_rank(loading.list[i], &column->coding);
		coded[i].code = loading.list[i]->code;
		coded[i].codes = column->coding.codes;
	}
	table->coded.records = (uint32) source->records;
	sdc_spool_destroy(spool);
	MemoryContextDelete(work);
	sdc_spi_finish();
	sdc_progress_end();
	return table;
}
