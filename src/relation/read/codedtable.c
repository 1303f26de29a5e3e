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

#include "kernel/base/ordered.h"
#include "kernel/base/units.h"
#include "relation/base/memory.h"
#include "relation/base/progress.h"
#include "relation/base/spi.h"
#include "relation/read/codedtable.h"
#include "relation/read/reader.h"

/* What is being read. */
typedef struct Loading
{
	SdcCodedTable *table;
	SdcCodeList **list;
	SdcSourceRequest request;
	bool		keyed;			/* the keys are wanted */
} Loading;

/* plan_table plans the reading, and says where the values go. */
static SdcSource *
plan_table(Oid relid, List *names, Loading *loading)
{
	SdcCodedTable *table = loading->table;
	SdcSource  *source;
	ListCell   *cell;

	loading->request.relid = relid;
	loading->request.columns_given = true;
	loading->request.also = names;
	loading->request.only_needed = true;
	source = sdc_source_plan(&loading->request);
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
	return source;
}

/* take_codes ranks the codes of all columns. */
static void
take_codes(Loading *loading, const SdcSource *source)
{
	SdcCodedTable *table = loading->table;
	SdcCodedColumn *coded = palloc(sizeof(SdcCodedColumn) * table->coded.attributes);

	sdc_progress_coding(table->coded.attributes);
	for (int i = 0; i < table->coded.attributes; i++)
	{
		SdcCodedTableColumn *column = &table->column[i];

		sdc_dictionary_codes(column->dictionary, &column->coding);
		sdc_codelist_rank(loading->list[i], &column->coding);
		coded[i].code = loading->list[i]->code;
		coded[i].codes = column->coding.codes;
		sdc_progress_next();
	}
	table->coded.column = coded;
	table->coded.records = (uint32) source->records;
}

/* take_keys loads the keys. */
static void
take_keys(SdcCodedTable *table, SdcSource *source)
{
	sdc_recordkeys_load(&table->keys, source);
}

/* load reads what is described. */
static SdcCodedTable *
load(Oid relid, List *names, Loading *loading)
{
	MemoryContext context = CurrentMemoryContext;
	MemoryContext work;
	int			attributes = list_length(names);
	SdcCodedTable *table = palloc0(sizeof(SdcCodedTable));
	SdcSource  *source;
	SdcSpool   *spool;

	loading->table = table;
	loading->list = palloc0(sizeof(SdcCodeList *) * attributes);
	table->column = palloc0(sizeof(SdcCodedTableColumn) * attributes);
	table->coded.attributes = attributes;
	source = plan_table(relid, names, loading);
	sdc_spi_connect();
	work = AllocSetContextCreate(context, "sdc table", ALLOCSET_DEFAULT_SIZES);
	MemoryContextSwitchTo(work);
	spool = sdc_spool_create(loading->keyed ? sdc_memory_budget() / 4 : 0, 1 + source->key_count);
	sdc_progress_start(relid, attributes);
	sdc_reader_read(source, spool);
	MemoryContextSwitchTo(context);
	if (loading->keyed)
		take_keys(table, source);
	take_codes(loading, source);
	sdc_spool_destroy(spool);
	MemoryContextDelete(work);
	sdc_spi_finish();
	sdc_progress_evaluating(table->coded.records, 1);
	return table;
}

/* sdc_codedtable_load reads columns of a relation. */
SdcCodedTable *
sdc_codedtable_load(Oid relid, List *names)
{
	Loading		loading = {0};

	loading.request.unordered = true;
	loading.request.as_registered = true;
	return load(relid, names, &loading);
}

/* sdc_codedtable_load_keyed reads them with a key. */
SdcCodedTable *
sdc_codedtable_load_keyed(Oid relid, List *names, bool given, List *key)
{
	Loading		loading = {0};

	loading.keyed = true;
	loading.request.key_given = given;
	loading.request.key = key;
	return load(relid, names, &loading);
}

/* sdc_codedtable_load_strata: see codedtable.h. */
SdcCodedTable *
sdc_codedtable_load_strata(Oid relid, List *names, List *strata)
{
	SdcCodedTable *table = sdc_codedtable_load(relid, list_concat_copy(names, strata));

	if (strata != NIL)
	{
		SdcCodedFile naming = table->coded;

		/* NULL equals NULL */
		naming.column += list_length(names);
		naming.attributes = list_length(strata);
		table->stratum = sdc_memory_array(naming.records, sizeof(uint32));
		table->strata = sdc_units_number(&naming, table->stratum);
	}
	table->coded.attributes = list_length(names);
	return table;
}

/* sdc_codedtable_place: see codedtable.h. */
uint32
sdc_codedtable_place(SdcCodedTable *table, uint32 attribute, Datum value, bool *found)
{
	SdcCodedTableColumn *column = &table->column[attribute];
	uint32		low = 0;
	uint32		high = column->coding.codes;

	SDC_BISECT(low, high, middle,
			   sdc_type_compare(&column->type, sdc_codedtable_value(table, attribute, middle), value) < 0);
	*found = low < column->coding.codes &&
		sdc_type_compare(&column->type, sdc_codedtable_value(table, attribute, low), value) == 0;
	return low;
}
