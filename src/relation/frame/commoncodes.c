/*-------------------------------------------------------------------------
 *
 * commoncodes.c
 *		Several relations with the same columns, read into codes that are common to all.
 *
 * All relations share one dictionary for each column (dictionary.c), so that a value has the same code
 * wherever it is, and records with the same key the same number.  Nothing is sorted but the different values.  Values
 * of a source are recoded first where those of its releases are.
 *
 * Memory: four bytes a value, up to eight while the number of records is not known; the different values; and with a
 * key of several columns for a while the keys again.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "kernel/base/bitset.h"
#include "kernel/base/codeindex.h"
#include "miscadmin.h"
#include "relation/base/memory.h"
#include "relation/base/names.h"
#include "relation/base/progress.h"
#include "relation/base/spi.h"
#include "relation/column/paircodes.h"
#include "relation/frame/commoncodes.h"
#include "relation/read/reader.h"
#include "relation/recode/rulevalue.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"

/* What is being read; columns are those of the key, and the others behind them. */
typedef struct Loading
{
	const SdcCommonRequest *request;
	List	   *names;
	int			keys;
	SdcDictionary **dictionary; /* by column */
	SdcType    *type;			/* by column, in the first file */
	SdcSource **source;			/* by file */
	SdcCodeList **list;			/* by file, by column */
	int			file;			/* the one that is being read */
} Loading;

/* list_of returns where a column of a file goes. */
static SdcCodeList **
list_of(const Loading *loading, int file, int column)
{
	return &loading->list[file * list_length(loading->names) + column];
}

/* rule_of returns what recodes a column of a file, or NULL. */
static SdcRule *
rule_of(const Loading *loading, int file, int column)
{
	return loading->request->rules == NULL || column < loading->keys ? NULL :
		loading->request->rules[file][column - loading->keys];
}

/* check_type insists on a column that all files have with one type, and whose values have an order. */
static void
check_type(const Loading *loading, int file, int column, const SdcAttribute *planned)
{
	const SdcType *type = &loading->type[column];
	SdcRule    *rule = rule_of(loading, file, column);
	SdcAttribute compared = *planned;
	SdcAttribute *attribute = &compared;

	if (rule != NULL)
		sdc_rulevalue_type(attribute, rule->release_type);

	sdc_source_require_order(loading->source[file], attribute, "compared");
	if (attribute->type.base == type->base &&
		sdc_type_order_collation(attribute->type.collation) == sdc_type_order_collation(type->collation))
		return;
	ereport(ERROR,
			(errcode(loading->request->sqlstate),
			 errmsg("column \"%s\" does not have the same type in relations \"%s\" and \"%s\"",
					NameStr(attribute->name), loading->source[0]->name,
					loading->source[file]->name),
			 errhint("%s", loading->request->hint)));
}

/* require_apart insists that each column of a file is asked for once: a restored row may say anything of a release. */
static void
require_apart(const Loading *loading, int file, const List *names)
{
	ListCell   *cell;

	foreach(cell, names)
		if (sdc_names_index(names, lfirst(cell)) < foreach_current_index(cell))
			ereport(ERROR,
					(errcode(loading->request->sqlstate),
					 errmsg("column \"%s\" of relation \"%s\" is two of the columns that are compared",
							(char *) lfirst(cell), get_rel_name(loading->request->relid[file])),
					 errdetail("A column is one of the key, a known one, or the sensitive one.")));
}

/* plan_file plans the reading of a file, and says where the values go. */
static void
plan_file(Loading *loading, int file)
{
	SdcSourceRequest request = {0};
	SdcSource  *source;
	List	   *names = loading->request->names == NULL ? loading->names : loading->request->names[file];

	require_apart(loading, file, names);
	request.relid = loading->request->relid[file];
	request.unnamed = loading->request->unnamed[file];
	request.columns_given = true;
	request.also = names;
	request.only_needed = true;
	request.unordered = true;
	request.as_registered = true;
	source = loading->source[file] = sdc_source_plan(&request);
	for (int i = 0; i < list_length(loading->names); i++)
	{
		SdcAttribute *attribute =
			&source->attributes[sdc_source_find_attribute(source, list_nth(names, i),
														  i < loading->keys ? "key" : "known")];

		if (file == 0)
		{
			loading->type[i] = attribute->type;
			loading->dictionary[i] = sdc_dictionary_create(&attribute->type);
		}
		check_type(loading, file, i, attribute);
		*list_of(loading, file, i) = sdc_codelist_create(loading->dictionary[i]);
		if (rule_of(loading, file, i) == NULL)
			attribute->codes = *list_of(loading, file, i);
	}
}

/* recode_file makes codes of what rules make of the values of a file that were read. */
static void
recode_file(const Loading *loading, int file, SdcSpool *spool)
{
	SdcSource  *source = loading->source[file];
	List	   *names = loading->request->names == NULL ? loading->names : loading->request->names[file];

	for (int i = loading->keys; i < list_length(names); i++)
	{
		const SdcRule *rule = rule_of(loading, file, i);
		SdcAttribute *attribute;

		if (rule == NULL)
			continue;
		attribute = &source->attributes[sdc_source_find_attribute(source, list_nth(names, i), "known")];
		sdc_rulevalue_recode(rule, attribute, spool);
		sdc_paircodes_append(attribute->column, *list_of(loading, file, i), PG_UINT64_MAX);
	}
}

/* read_file reads a file. */
static void
read_file(Loading *loading, int file)
{
	MemoryContext work = AllocSetContextCreate(CurrentMemoryContext, "sdc file", ALLOCSET_DEFAULT_SIZES);
	MemoryContext before = MemoryContextSwitchTo(work);
	SdcSpool   *spool = sdc_spool_create(0, 2 * list_length(loading->names));

	loading->file = file;
	sdc_reader_read(loading->source[file], spool);
	recode_file(loading, file, spool);
	sdc_spool_destroy(spool);
	MemoryContextSwitchTo(before);
	MemoryContextDelete(work);
}

/* take_codes makes codes of the numbers of the values. */
static void
take_codes(Loading *loading, SdcCommonCodes *common)
{
	int			columns = list_length(loading->names);
	uint64		most = 0;

	for (int i = 0; i < columns; i++)
		most = Max(most, sdc_dictionary_count(loading->dictionary[i]));
	common->codes = palloc(sizeof(uint32) * Max(columns, 1));
	for (int i = 0; i < columns; i++)
	{
		SdcDictionaryCodes coding;

		sdc_dictionary_codes(loading->dictionary[i], &coding);
		for (int f = 0; f < loading->request->files; f++)
			sdc_codelist_rank(*list_of(loading, f, i), &coding);
		common->codes[i] = coding.codes;
		sdc_free(coding.code);
		sdc_free(coding.number);
		sdc_dictionary_destroy(loading->dictionary[i]);
	}
}

/* number_keys numbers the keys of several columns in all files. */
static void
number_keys(const Loading *loading, SdcCommonCodes *common)
{
	SdcCodedFile all = {0, loading->keys, NULL};
	SdcCodedColumn *column = palloc(sizeof(SdcCodedColumn) * loading->keys);
	uint64		records = 0;
	uint32	   *number;
	SdcCodeIndex index;

	for (int f = 0; f < loading->request->files; f++)
		records += common->file[f].records;
	if (records > PG_UINT32_MAX / 2)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("releases of more than %u records in all cannot be compared", PG_UINT32_MAX / 2)));
	all.records = (uint32) records;
	all.column = column;
	for (int i = 0; i < loading->keys; i++)
	{
		uint32	   *code = sdc_memory_array(records, sizeof(uint32));

		column[i] = (SdcCodedColumn) {code, common->codes[i]};
		for (int f = 0; f < loading->request->files; f++)
		{
			memcpy(code, (*list_of(loading, f, i))->code, sizeof(uint32) * common->file[f].records);
			code += common->file[f].records;
		}
	}
	number = sdc_memory_array(records, sizeof(uint32));
	sdc_codeindex_create(&index, &all, loading->keys, number);
	common->persons = index.count;
	sdc_codeindex_destroy(&index);
	for (int i = 0; i < loading->keys; i++)
		sdc_free(unconstify(uint32 *, column[i].code));
	for (int f = 0, first = 0; f < loading->request->files; first += common->file[f++].records)
	{
		common->file[f].person = (*list_of(loading, f, 0))->code;
		memcpy(common->file[f].person, number + first, sizeof(uint32) * common->file[f].records);
	}
	sdc_free(number);
}

/* refuse_key raises the error for a key that does not tell the records of a relation apart. */
static void
refuse_key(const Loading *loading, int file, bool null)
{
	StringInfoData list;

	initStringInfo(&list);
	for (int i = 0; i < loading->keys; i++)
		appendStringInfo(&list, "%s%s", i == 0 ? "" : ", ", quote_identifier(list_nth(loading->names, i)));
	ereport(ERROR,
			(errcode(null ? ERRCODE_NOT_NULL_VIOLATION : ERRCODE_UNIQUE_VIOLATION),
			 errmsg(null ? "the key (%s) of relation \"%s\" contains nulls" :
					"the key (%s) of relation \"%s\" is not unique", list.data, loading->source[file]->name),
			 errhint("Records are followed from release to release by their key.")));
}

/* check_missing insists on keys without NULLs. */
static void
check_missing(const Loading *loading, int file)
{
	for (int i = 0; i < loading->keys; i++)
	{
		const SdcCodeList *list = *list_of(loading, file, i);

		for (uint64 r = 0; r < list->count; r++)
		{
			if (list->code[r] == SDC_CODE_NULL)
				refuse_key(loading, file, true);
			if (r % 65536 == 0)
				CHECK_FOR_INTERRUPTS();
		}
	}
}

/* check_unique insists on keys that come once in a file. */
static void
check_unique(const Loading *loading, const SdcCommonCodes *common, int file)
{
	const SdcCommonFile *self = &common->file[file];
	Size		bytes = sdc_bitset_bytes(common->persons);
	uint64	   *seen;

	seen = sdc_memory_array(bytes, 1);
	memset(seen, 0, bytes);
	for (uint32 r = 0; r < self->records; r++)
	{
		if (sdc_bitset_contains(seen, self->person[r]))
			refuse_key(loading, file, false);
		sdc_bitset_add(seen, self->person[r]);
		if (r % 65536 == 0)
			CHECK_FOR_INTERRUPTS();
	}
	sdc_free(seen);
}

/* take_files makes the result of what was read. */
static void
take_files(Loading *loading, SdcCommonCodes *common)
{
	int			columns = list_length(loading->names) - loading->keys;

	for (int f = 0; f < loading->request->files; f++)
	{
		SdcCommonFile *file = &common->file[f];

		file->records = (uint32) loading->source[f]->records;
		file->code = palloc(sizeof(uint32 *) * Max(columns, 1));
		for (int j = 0; j < columns; j++)
			file->code[j] = (*list_of(loading, f, loading->keys + j))->code;
		check_missing(loading, f);
		if (loading->keys == 1)
			file->person = (*list_of(loading, f, 0))->code;
	}
	if (loading->keys > 1)
		number_keys(loading, common);
	else
		common->persons = common->codes[0];
	for (int f = 0; f < loading->request->files; f++)
		check_unique(loading, common, f);
	for (int f = 0; f < loading->request->files && loading->keys > 1; f++)
		for (int i = 1; i < loading->keys; i++)
		{
			SdcCodeList *list = *list_of(loading, f, i);

			if (list->code != NULL)
				sdc_free(list->code);
		}
	common->codes += loading->keys;
}

/* sdc_commoncodes_load: see commoncodes.h. */
SdcCommonCodes *
sdc_commoncodes_load(const SdcCommonRequest *request)
{
	SdcCommonCodes *common = palloc0(sizeof(SdcCommonCodes));
	Loading		loading = {.request = request};
	MemoryContext context = CurrentMemoryContext;
	int			columns;

	loading.names = list_concat_copy(request->key, request->columns);
	loading.keys = list_length(request->key);
	columns = list_length(loading.names);
	loading.dictionary = palloc0(sizeof(SdcDictionary *) * columns);
	loading.type = palloc0(sizeof(SdcType) * columns);
	loading.source = palloc0(sizeof(SdcSource *) * request->files);
	loading.list = palloc0(sizeof(SdcCodeList *) * columns * request->files);
	common->file = palloc0(sizeof(SdcCommonFile) * request->files);
	for (int f = 0; f < request->files; f++)
		plan_file(&loading, f);
	sdc_spi_connect();
	MemoryContextSwitchTo(context);
	sdc_progress_relations(request->files);
	for (int f = 0; f < request->files; f++)
		read_file(&loading, f);
	take_codes(&loading, common);
	sdc_spi_finish();
	take_files(&loading, common);
	return common;
}
