/*-------------------------------------------------------------------------
 *
 * classes.c
 *		The classes of records of a relation that agree in some columns, as codes, with their sizes.
 *
 * The server finds the classes with GROUP BY, with its temporary files and parallel workers; what is kept
 * is a code for every class and column, and its size.  So a relation of any size fits that has few
 * classes.
 *
 * Two relations can share the dictionaries of columns, so that codes mean the same in both: they are made
 * when both were read.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "executor/tuptable.h"
#include "kernel/base/codesort.h"
#include "relation/base/memory.h"
#include "relation/base/progress.h"
#include "relation/base/spi.h"
#include "relation/catalog/actas.h"
#include "relation/read/classes.h"
#include "relation/read/distributed.h"
#include "relation/read/groupcount.h"
#include "relation/read/source.h"
#include "relation/rights/trust.h"
#include "tcop/dest.h"
#include "utils/builtins.h"
#include "utils/guc.h"
#include "utils/lsyscache.h"

/* Sizes there is room for at first. */
#define SPACE_FIRST 512

/* Where the classes go as they come. */
typedef struct ClassReceiver
{
	SdcClasses *classes;
	MemoryContext context;		/* of the sizes */
} ClassReceiver;

/* require_order insists on a type with an order, which is no stranger's. */
static void
require_order(Oid relid, const char *name, const SdcType *type)
{
	if (!type->orderable)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("column \"%s\" of relation \"%s\" cannot be compared", name, get_rel_name(relid)),
				 errdetail("Its type %s has no btree ordering.", format_type_be(type->typid)),
				 errhint("Leave the column out of the call, or cast it to an ordered type in a view.")));
	sdc_trust_require_order(type->typid);
}

/* plan_column describes a column. */
static void
plan_column(Oid relid, const char *name, SdcClassColumn *column)
{
	Oid			typid;
	Oid			collation;
	int32		typmod;

	get_atttypetypmodcoll(relid, get_attnum(relid, name), &typid, &typmod, &collation);
	column->table.name = name;
	sdc_type_lookup(&column->table.type, typid, sdc_type_order_collation(collation));
	require_order(relid, name, &column->table.type);
}

/* sdc_classes_plan: see classes.h. */
SdcClasses *
sdc_classes_plan(Oid relid, List *qi, const char *sensitive, List *unit)
{
	SdcClasses *classes = palloc0(sizeof(SdcClasses));
	int			columns = list_length(qi);
	ListCell   *cell;

	classes->relid = relid;
	classes->unit = unit;
	classes->reader = sdc_groupcount_check(relid, qi, sensitive);
	classes->columns = columns + (sensitive == NULL ? 0 : 1);
	classes->column = palloc0(sizeof(SdcClassColumn) * classes->columns);
	foreach(cell, qi)
		plan_column(relid, lfirst(cell), &classes->column[foreach_current_index(cell)]);
	if (sensitive != NULL)
		plan_column(relid, sensitive, &classes->column[columns]);
	return classes;
}

/* sdc_classes_cast: see classes.h. */
void
sdc_classes_cast(SdcClasses *classes, int column, Oid typid)
{
	SdcType    *type = &classes->column[column].table.type;

	classes->column[column].cast = typid;
	sdc_type_lookup(type, typid, type->collation);
}

/* sdc_classes_share: see classes.h. */
void
sdc_classes_share(SdcClasses *classes, int column, SdcClasses *other, int other_column)
{
	SdcCodedTableColumn *own = &classes->column[column].table;
	SdcCodedTableColumn *shared = &other->column[other_column].table;

	Assert(own->type.base == shared->type.base);
	if (shared->dictionary == NULL)
		shared->dictionary = sdc_dictionary_create(&shared->type);
	own->dictionary = shared->dictionary;
	classes->column[column].shares = &other->column[other_column];
}

/* statement builds the SELECT. */
static char *
statement(const SdcClasses *classes)
{
	StringInfoData sql;
	List	   *names = NIL;
	const char *count;
	char	   *from;

	for (int i = 0; i < classes->columns; i++)
		names = lappend(names, unconstify(char *, classes->column[i].table.name));
	from = sdc_distributed_counted(classes->relid, names, classes->unit, &count);
	initStringInfo(&sql);
	appendStringInfoString(&sql, "SELECT ");
	for (int i = 0; i < classes->columns; i++)
	{
		appendStringInfo(&sql, "source.%s", quote_identifier(classes->column[i].table.name));
		if (OidIsValid(classes->column[i].cast))
			appendStringInfo(&sql, "::%s", format_type_be_qualified(classes->column[i].cast));
		appendStringInfoString(&sql, ", ");
	}
	appendStringInfo(&sql, "%s FROM %s GROUP BY ", count, from);
	for (int i = 0; i < classes->columns; i++)
		appendStringInfo(&sql, "%s%d", i == 0 ? "" : ", ", i + 1);
	return sql.data;
}

/* keep_size keeps the size of the next class. */
static void
keep_size(ClassReceiver *receiver, uint64 number, uint64 size)
{
	SdcClasses *classes = receiver->classes;

	if (number == classes->space)
	{
		classes->space = number == 0 ? SPACE_FIRST : number * 2;
		classes->size = sdc_memory_grow(receiver->context, classes->size, number, classes->space, sizeof(uint64));
	}
	classes->size[number] = size;
	classes->records += size;
	if (classes->records >= SDC_CODE_NULL)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("relation \"%s\" has too many records", get_rel_name(classes->relid)),
				 errhint("At most %u can be evaluated.", SDC_CODE_NULL - 1)));
}

/*
 * check_types insists on the types that the columns had when the reading was planned: code of an owner may have run
 * since, of a relation that was read before.
 */
static void
check_types(const SdcClasses *classes, TupleDesc desc)
{
	for (int i = 0; i < classes->columns; i++)
		if (TupleDescAttr(desc, i)->atttypid != classes->column[i].table.type.typid)
			sdc_source_refuse_changed(classes->relid);
}

/* receive_class keeps a class: SdcSpiRow. */
static void
receive_class(void *arg, TupleTableSlot *slot)
{
	ClassReceiver *receiver = arg;
	SdcClasses *classes = receiver->classes;
	uint64		number = classes->column[0].list->count;

	if (number == 0)
		check_types(classes, slot->tts_tupleDescriptor);
	slot_getallattrs(slot);
	for (int i = 0; i < classes->columns; i++)
		sdc_codelist_append(classes->column[i].list, slot->tts_values[i], slot->tts_isnull[i]);
	keep_size(receiver, number, (uint64) DatumGetInt64(slot->tts_values[classes->columns]));
}

/* run_statement has the server find the classes; its hash tables may take half of the budget. */
static void
run_statement(const char *sql, ClassReceiver *receiver)
{
	int			parts;
	int			nest = sdc_distributed_begin(receiver->classes->relid, &parts);
	char		memory[32];

	snprintf(memory, sizeof(memory), "%d", Max(work_mem, sdc_memory_sort_share(2 * parts)));
	sdc_spi_set_for_now("work_mem", memory);
	sdc_spi_set_for_now("jit", "off");	/* there is next to nothing to compile */
	sdc_spi_select_rows(sql, receive_class, receiver);
	sdc_distributed_end(nest);
}

/* sdc_classes_read: see classes.h. */
void
sdc_classes_read(SdcClasses *classes)
{
	ClassReceiver receiver = {0};
	SdcActAs	acting;

	receiver.classes = classes;
	receiver.context = CurrentMemoryContext;
	for (int i = 0; i < classes->columns; i++)
	{
		SdcClassColumn *column = &classes->column[i];

		if (column->table.dictionary == NULL)
			column->table.dictionary = sdc_dictionary_create(&column->table.type);
		column->list = sdc_codelist_create(column->table.dictionary);
	}
	sdc_actas_begin(&acting, classes->reader);
	sdc_spi_connect();
	sdc_progress_start(classes->relid, classes->columns);
	run_statement(statement(classes), &receiver);
	sdc_spi_finish();
	sdc_actas_end(&acting);
}

/* rank_column makes codes of the numbers of a column. */
static void
rank_column(SdcClassColumn *column)
{
	if (column->shares != NULL)
		column->table.coding = column->shares->table.coding;
	else
		sdc_dictionary_codes(column->table.dictionary, &column->table.coding);
	sdc_codelist_rank(column->list, &column->table.coding);
}

/* sdc_classes_rank: see classes.h. */
void
sdc_classes_rank(SdcClasses *classes)
{
	SdcCodedColumn *coded = palloc(sizeof(SdcCodedColumn) * classes->columns);

	for (int i = 0; i < classes->columns; i++)
	{
		SdcClassColumn *column = &classes->column[i];

		rank_column(column);
		coded[i].code = column->list->code;
		coded[i].codes = column->table.coding.codes;
	}
	classes->coded.records = sdc_classes_count(classes);
	classes->coded.attributes = classes->columns;
	classes->coded.column = coded;
}

/* reorder_codes puts codes into an order; spare is as large. */
static void
reorder_codes(uint32 *code, const uint32 *order, uint32 count, uint32 *spare)
{
	for (uint32 i = 0; i < count; i++)
	{
		spare[i] = code[order[i]];
		if (i % 65536 == 0)
			CHECK_FOR_INTERRUPTS();
	}
	memcpy(code, spare, sizeof(uint32) * (Size) count);
}

/* reorder_sizes puts the sizes into an order. */
static void
reorder_sizes(SdcClasses *classes, const uint32 *order, uint32 count)
{
	uint64	   *size = sdc_memory_array(count, sizeof(uint64));

	for (uint32 i = 0; i < count; i++)
	{
		size[i] = classes->size[order[i]];
		if (i % 65536 == 0)
			CHECK_FOR_INTERRUPTS();
	}
	sdc_free(classes->size);
	classes->size = size;
}

/* sdc_classes_sort: see classes.h. */
void
sdc_classes_sort(SdcClasses *classes)
{
	uint32		count = classes->coded.records;
	uint64		most = 0;
	uint32	   *order;
	uint32	   *spare;
	uint32	   *start;
	uint32		credit = 0;

	if (count == 0)
		return;
	for (int i = 0; i < classes->columns; i++)
		most = Max(most, classes->coded.column[i].codes);
	order = sdc_memory_array(count, sizeof(uint32));
	spare = sdc_memory_array(count, sizeof(uint32));
	start = sdc_memory_array(most + 1, sizeof(uint32));
	for (uint32 i = 0; i < count; i++)
		order[i] = i;
	for (int i = classes->columns - 1; i >= 0; i--)
	{
		const SdcCodedColumn *column = &classes->coded.column[i];
		SdcCodesort sort = {column->code, 1, column->codes, NULL};
		uint32	   *sorted = spare;

		sdc_codesort_pass(&sort, order, sorted, count, start, &credit);
		spare = order;
		order = sorted;
	}
	for (int i = 0; i < classes->columns; i++)
		reorder_codes(classes->column[i].list->code, order, count, spare);
	reorder_sizes(classes, order, count);
	sdc_free(order);
	sdc_free(spare);
	sdc_free(start);
}
