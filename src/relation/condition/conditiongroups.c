/*-------------------------------------------------------------------------
 *
 * conditiongroups.c
 *		The groups of records of a relation for which the same conditions hold.
 *
 * One statement with GROUP BY, run by the server with the rights of the caller, whose own the conditions are.  It
 * groups by the measure too, so that nobody but this file adds numbers up: compensated, and times whole numbers of
 * records.
 *
 * Memory: of every group its key, its number of records and two sums, a place in a hash table, and the distinct
 * values, all in large arrays.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "access/relation.h"
#include "catalog/pg_type.h"
#include "common/hashfn.h"
#include "kernel/base/codesort.h"
#include "kernel/base/moments.h"
#include "miscadmin.h"
#include "relation/base/memory.h"
#include "relation/base/names.h"
#include "relation/base/progress.h"
#include "relation/base/spi.h"
#include "relation/catalog/actas.h"
#include "relation/column/paircodes.h"
#include "relation/condition/condition.h"
#include "relation/condition/conditiongroups.h"
#include "relation/read/distributed.h"
#include "relation/read/groupcount.h"
#include "relation/read/source.h"
#include "relation/rights/trust.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/queryenvironment.h"
#include "utils/rel.h"
#include "utils/ruleutils.h"
#include "utils/syscache.h"
#include "utils/tuplestore.h"

/* Groups that there is room for at first, a power of two; there are twice as many slots. */
#define SPACE_FIRST 256

/* A group; in front of it in its entry is its key: numbers of strata and values, states, whether it is measured. */
typedef struct Payload
{
	uint64		records;
	SdcMomentsSum sum;
	SdcMomentsSum square;
} Payload;

/* A relation while its groups are read. */
typedef struct Reading
{
	const SdcConditionGroupsRequest *request;
	SdcConditionGroups *groups;
	int			strata;			/* columns */
	SdcConditionValues *stratum;	/* of each of them */
	SdcType		measure;
	int			words;			/* of a key */
	char	   *entry;			/* of the groups, */
	uint32		count;			/* of which there are so many */
	uint64		space;			/* and may be */
	uint32	   *slot;			/* the hash table: number of a group plus 1; 0: free */
	uint32	   *key;			/* of the row at hand */
	MemoryContext context;		/* of what stays */
} Reading;

/* lookup_type finds the type of a column, and insists on an order. */
static void
lookup_type(Oid relid, const char *name, SdcType *type)
{
	AttrNumber	number = get_attnum(relid, name);
	Oid			typid;
	int32		typmod;
	Oid			collation;

	get_atttypetypmodcoll(relid, number, &typid, &typmod, &collation);
	sdc_type_lookup(type, typid, sdc_type_order_collation(collation));
	if (!type->orderable)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("column \"%s\" of relation \"%s\" cannot be grouped by", name,
						get_rel_name(relid)),
				 errdetail("Its type %s has no btree ordering.", format_type_be(typid)),
				 errhint("Leave the column out of the call, or cast it to an ordered type in a view.")));
}

/* check_measure insists on a column of numbers. */
static void
check_measure(Oid relid, const char *name)
{
	SdcType		type;

	sdc_groupcount_check_column(relid, name, "measure");
	lookup_type(relid, name, &type);
	/* amounts of money are in an unknown currency */
	if (type.kind != SDC_VALUE_NUMBER || type.base == CASHOID)
		ereport(ERROR,
				(errcode(ERRCODE_DATATYPE_MISMATCH),
				 errmsg("column \"%s\" has no numbers", name),
				 errdetail("Its type is %s.", format_type_be(type.typid)),
				 errhint("Name a column of numbers in argument \"measure\".")));
}

/* sdc_conditiongroups_check: see conditiongroups.h. */
void
sdc_conditiongroups_check(const SdcConditionGroupsRequest *request)
{
	Oid			relid = request->relid;
	SdcType		type;
	ListCell   *cell;

	foreach(cell, request->strata)
	{
		sdc_groupcount_check_column(relid, lfirst(cell), "strata");
		lookup_type(relid, lfirst(cell), &type);
	}
	for (int j = 0; j < request->columns; j++)
	{
		if (!request->column[j].by)
			continue;
		sdc_groupcount_check_column(relid, request->column[j].name, "by");
		lookup_type(relid, request->column[j].name, &type);
	}
	if (request->measure != NULL)
		check_measure(relid, request->measure);
	(void) sdc_trust_values(relid);
}

/* append_output appends an expression of the inner SELECT, with its name in the outer one. */
static void
append_output(StringInfo inner, StringInfo outer, int *count, const char *expression)
{
	appendStringInfo(inner, "%s%s AS o%d", *count == 0 ? "" : ", ", expression, *count);
	appendStringInfo(outer, "%sg.o%d", *count == 0 ? "" : ", ", *count);
	(*count)++;
}

/* column_expression is a column of the relation. */
static char *
column_expression(const char *name)
{
	return psprintf(SDC_CONDITION_ALIAS ".%s", quote_identifier(name));
}

/* state_expression is the state of a column with conditions: 0 without a value, 2 if all of them hold, else 1. */
static char *
state_expression(const SdcConditionColumn *column)
{
	StringInfoData sql;
	ListCell   *cell;

	initStringInfo(&sql);
	appendStringInfoString(&sql, "CASE WHEN ");
	if (!column->missing)
		appendStringInfo(&sql, "%s IS NOT DISTINCT FROM NULL THEN %d WHEN ", column_expression(column->name),
						 SDC_ESTIMATE_MISSING);
	foreach(cell, column->conditions)
		appendStringInfo(&sql, "%s(%s\n)", foreach_current_index(cell) == 0 ? "" : " AND ",
						 (char *) lfirst(cell));
	appendStringInfo(&sql, " THEN %d ELSE %d END", SDC_ESTIMATE_TRUE, SDC_ESTIMATE_FALSE);
	return sql.data;
}

/* groups_statement builds the statement: strata, values, states, the measure, and the number of records. */
static char *
groups_statement(const SdcConditionGroupsRequest *request, const char *from)
{
	StringInfoData inner;
	StringInfoData outer;
	int			count = 0;
	ListCell   *cell;

	initStringInfo(&inner);
	initStringInfo(&outer);
	foreach(cell, request->strata)
		append_output(&inner, &outer, &count, column_expression(lfirst(cell)));
	for (int j = 0; j < request->columns; j++)
		if (request->column[j].by)
			append_output(&inner, &outer, &count, column_expression(request->column[j].name));
	for (int j = 0; j < request->columns; j++)
		if (request->column[j].conditions != NIL)
			append_output(&inner, &outer, &count, state_expression(&request->column[j]));
	if (request->measure != NULL)
		append_output(&inner, &outer, &count, column_expression(request->measure));
	return psprintf("SELECT %s%spg_catalog.count(*) FROM (SELECT %s FROM %s AS " SDC_CONDITION_ALIAS
					") AS g%s%s", outer.data, count == 0 ? "" : ", ", inner.data,
					from, count == 0 ? "" : " GROUP BY ", outer.data);
}

/* find_center finds a number near the mean of the measure, which does not depend on the order of the records. */
static double
find_center(const SdcConditionGroupsRequest *request, const char *from)
{
	double		mean;
	bool		isnull;
	Datum		value;

	if (request->measure == NULL)
		return 0;
	sdc_spi_select(psprintf("SELECT CAST(pg_catalog.avg(%s) AS pg_catalog.float8) FROM %s AS " SDC_CONDITION_ALIAS,
							column_expression(request->measure), from));
	value = SPI_getbinval(SPI_tuptable->vals[0], SPI_tuptable->tupdesc, 1, &isnull);
	mean = isnull ? 0 : DatumGetFloat8(value);
	SPI_freetuptable(SPI_tuptable);
	/* the last digits of a mean can depend on it */
	if (isfinite((float) mean))
		mean = (double) (float) mean;
	return isfinite(mean) ? mean : 0;
}

/* entry_size is the size of an entry. */
static Size
entry_size(const Reading *reading)
{
	return MAXALIGN(reading->words * sizeof(uint32)) + sizeof(Payload);
}

/* payload_of is what an entry has behind its key. */
static Payload *
payload_of(const Reading *reading, char *entry)
{
	return (Payload *) (entry + MAXALIGN(reading->words * sizeof(uint32)));
}

/* entry_of is the entry of a group. */
static char *
entry_of(const Reading *reading, uint32 group)
{
	return reading->entry + group * entry_size(reading);
}

/* place_of finds the slot of the key at hand: that of its group, or a free one. */
static uint32 *
place_of(const Reading *reading, const uint32 *key)
{
	Size		bytes = reading->words * sizeof(uint32);
	uint64		mask = 2 * reading->space - 1;
	uint64		place = hash_bytes_extended((const unsigned char *) key, (int) bytes, 0) & mask;

	while (reading->slot[place] != 0 && memcmp(entry_of(reading, reading->slot[place] - 1), key, bytes) != 0)
		place = (place + 1) & mask;
	return &reading->slot[place];
}

/* make_space makes room for more groups. */
static void
make_space(Reading *reading)
{
	uint64		space = reading->space == 0 ? SPACE_FIRST : 2 * reading->space;

	if (reading->slot != NULL)
		sdc_free(reading->slot);
	reading->entry = sdc_memory_grow(reading->context, reading->entry, reading->space, space, entry_size(reading));
	reading->space = space;
	reading->slot = sdc_memory_array_in(reading->context, 2 * space, sizeof(uint32));
	memset(reading->slot, 0, 2 * space * sizeof(uint32));
	for (uint32 g = 0; g < reading->count; g++)
	{
		sdc_interrupts_step(g);
		*place_of(reading, (const uint32 *) entry_of(reading, g)) = g + 1;
	}
}

/* find_group returns the entry of the key at hand, which is made if there is none. */
static char *
find_group(Reading *reading)
{
	uint32	   *place = place_of(reading, reading->key);

	if (*place != 0)
		return entry_of(reading, *place - 1);
	if (reading->count == SDC_CODE_NULL - 1)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("relation \"%s\" has too many groups", get_rel_name(reading->request->relid)),
				 errhint("There can be at most %u.", SDC_CODE_NULL - 1)));
	if (reading->count == reading->space)
	{
		make_space(reading);
		place = place_of(reading, reading->key);
	}
	memset(entry_of(reading, reading->count), 0, entry_size(reading));
	memcpy(entry_of(reading, reading->count), reading->key, reading->words * sizeof(uint32));
	*place = reading->count + 1;
	return entry_of(reading, reading->count++);
}

/* number_of is the number of a value in its dictionary. */
static uint32
number_of(const SdcConditionValues *values, TupleTableSlot *slot, int column)
{
	return slot->tts_isnull[column] ? SDC_CODE_NULL :
		sdc_dictionary_number(values->dictionary, slot->tts_values[column]);
}

/* make_key makes the key of a row; the measure is what it returns, NaN if it is missing. */
static double
make_key(Reading *reading, TupleTableSlot *slot)
{
	const SdcConditionGroupsRequest *request = reading->request;
	uint32	   *key = reading->key;
	uint32	   *state;
	int			next = 0;
	double		measure = NAN;

	for (int i = 0; i < reading->strata; i++)
		*key++ = number_of(&reading->stratum[i], slot, next++);
	for (int j = 0; j < request->columns; j++)
		if (request->column[j].by)
			*key++ = number_of(&reading->groups->values[j], slot, next++);
	state = key;
	for (int j = 0, by = reading->strata; j < request->columns; j++)
	{
		*key = SDC_ESTIMATE_TRUE;
		if (request->column[j].by && slot->tts_isnull[by++])
			*key = SDC_ESTIMATE_MISSING;
		if (request->column[j].conditions != NIL)
			*key = (uint32) DatumGetInt32(slot->tts_values[next++]);
		key++;
	}
	if (request->measure != NULL && !slot->tts_isnull[next])
		measure = sdc_type_number(&reading->measure, slot->tts_values[next]);
	*key = request->measure == NULL || !isnan(measure);
	/* a number that is not finite is no value */
	for (int j = 0; j < request->columns; j++)
		if (*key == 0 && strcmp(request->column[j].name, request->measure) == 0)
			state[j] = SDC_ESTIMATE_MISSING;
	return measure;
}

/* take_row adds a row of the statement to its group: SdcSpiRow. */
static void
take_row(void *arg, TupleTableSlot *slot)
{
	Reading    *reading = arg;
	double		measure;
	uint64		records;
	Payload    *payload;
	MemoryContext old;

	slot_getallattrs(slot);
	records = (uint64) DatumGetInt64(slot->tts_values[slot->tts_tupleDescriptor->natts - 1]);
	if (records == 0)
		return;					/* without GROUP BY there is a row of no records */
	old = MemoryContextSwitchTo(reading->context);
	measure = make_key(reading, slot);
	payload = payload_of(reading, find_group(reading));
	MemoryContextSwitchTo(old);
	payload->records += records;
	if (!isnan(measure))
	{
		double		deviation = measure - reading->groups->center;

		sdc_moments_add(&payload->sum, deviation * (double) records);
		sdc_moments_add(&payload->square, deviation * deviation * (double) records);
	}
}

/* create_values prepares the values of a column. */
static void
create_values(Oid relid, const char *name, SdcConditionValues *values)
{
	lookup_type(relid, name, &values->type);
	values->dictionary = sdc_dictionary_create(&values->type);
}

/* begin_reading prepares tables and dictionaries. */
static void
begin_reading(Reading *reading)
{
	const SdcConditionGroupsRequest *request = reading->request;
	SdcConditionGroups *groups = reading->groups;
	ListCell   *cell;

	reading->context = CurrentMemoryContext;
	reading->strata = list_length(request->strata);
	reading->stratum = palloc0(sizeof(SdcConditionValues) * Max(reading->strata, 1));
	groups->values = palloc0(sizeof(SdcConditionValues) * Max(request->columns, 1));
	reading->words = reading->strata + request->columns + 1;
	foreach(cell, request->strata)
		create_values(request->relid, lfirst(cell), &reading->stratum[foreach_current_index(cell)]);
	for (int j = 0; j < request->columns; j++)
	{
		if (!request->column[j].by)
			continue;
		create_values(request->relid, request->column[j].name, &groups->values[j]);
		reading->words++;
	}
	if (request->measure != NULL)
		lookup_type(request->relid, request->measure, &reading->measure);
	reading->key = palloc0(sizeof(uint32) * reading->words);
	make_space(reading);
}

/* code_of is the code of a number. */
static uint32
code_of(const SdcConditionValues *values, uint32 number)
{
	return number == SDC_CODE_NULL ? SDC_CODE_NULL : values->coding.code[number];
}

/*
 * number_strata gives the combinations of the values of strata numbers; code has those of each group, column after
 * column.
 */
static void
number_strata(const Reading *reading, const uint32 *code)
{
	SdcConditionGroups *groups = reading->groups;
	uint32	   *order = sdc_alloc_array(uint32, groups->groups);
	uint32	   *other = sdc_alloc_array(uint32, groups->groups);
	uint32		credit = 0;

	for (uint32 g = 0; g < groups->groups; g++)
		order[g] = g;
	for (int i = reading->strata; i-- > 0;)
	{
		uint32		codes = reading->stratum[i].coding.codes;
		SdcCodesort sort = {code + (Size) i * groups->groups, 1, codes, NULL};
		uint32	   *start = sdc_alloc_array(uint32, (uint64) codes + 1);
		uint32	   *sorted = other;

		sdc_codesort_pass(&sort, order, sorted, groups->groups, start, &credit);
		other = order;
		order = sorted;
		sdc_free(start);
	}
	for (uint32 g = 0; g < groups->groups; g++)
	{
		bool		same = g > 0;

		sdc_interrupts_step(g);
		for (int i = 0; i < reading->strata && same; i++)
			same = code[(Size) i * groups->groups + order[g]] ==
				code[(Size) i * groups->groups + order[g - 1]];
		groups->strata += !same;
		groups->group[order[g]].stratum = groups->strata - 1;
	}
	sdc_free(order);
	sdc_free(other);
}

/* unpack_entry writes group number g from its key and payload; strata has the codes of its strata. */
static void
unpack_entry(const Reading *reading, char *entry, uint32 g, uint32 *strata)
{
	SdcConditionGroups *groups = reading->groups;
	const SdcConditionGroupsRequest *request = reading->request;
	const Payload *payload = payload_of(reading, entry);
	const uint32 *key = (const uint32 *) entry;

	for (int i = 0; i < reading->strata; i++)
		strata[(Size) i * groups->groups + g] = code_of(&reading->stratum[i], *key++);
	for (int j = 0; j < request->columns; j++)
		if (request->column[j].by)
			groups->code[j][g] = code_of(&groups->values[j], *key++);
	for (int j = 0; j < request->columns; j++)
		groups->state[j][g] = (uint8) *key++;
	groups->group[g].measured = *key != 0;
	groups->group[g].records = payload->records;
	groups->group[g].sum = sdc_moments_total(&payload->sum);
	groups->group[g].square = sdc_moments_total(&payload->square);
}

/* end_reading makes arrays of the entries. */
static void
end_reading(Reading *reading)
{
	SdcConditionGroups *groups = reading->groups;
	const SdcConditionGroupsRequest *request = reading->request;
	uint32	   *strata;

	groups->groups = reading->count;
	groups->group = sdc_memory_array(groups->groups, sizeof(SdcEstimateGroup));
	groups->state = palloc0(sizeof(uint8 *) * Max(request->columns, 1));
	groups->code = palloc0(sizeof(uint32 *) * Max(request->columns, 1));
	strata = sdc_memory_array((uint64) groups->groups * Max(reading->strata, 1), sizeof(uint32));
	for (int i = 0; i < reading->strata; i++)
		sdc_dictionary_codes(reading->stratum[i].dictionary, &reading->stratum[i].coding);
	for (int j = 0; j < request->columns; j++)
	{
		groups->state[j] = sdc_memory_array(groups->groups, sizeof(uint8));
		if (!request->column[j].by)
			continue;
		sdc_dictionary_codes(groups->values[j].dictionary, &groups->values[j].coding);
		groups->code[j] = sdc_memory_array(groups->groups, sizeof(uint32));
	}
	for (uint32 g = 0; g < groups->groups; g++)
	{
		sdc_interrupts_step(g);
		unpack_entry(reading, entry_of(reading, g), g, strata);
	}
	sdc_free(reading->slot);
	sdc_free(reading->entry);
	number_strata(reading, strata);
	sdc_free(strata);
}

/* Values that are kept apart from their relation. */
typedef struct Apart
{
	Tuplestorestate *store;
	TupleDesc	desc;
	MemoryContext context;
} Apart;

/* keep_row keeps a row: SdcSpiRow. */
static void
keep_row(void *arg, TupleTableSlot *slot)
{
	Apart	   *apart = arg;
	MemoryContext before = MemoryContextSwitchTo(apart->context);

	if (apart->desc == NULL)
		apart->desc = CreateTupleDescCopy(slot->tts_tupleDescriptor);
	MemoryContextSwitchTo(before);
	tuplestore_puttupleslot(apart->store, slot);
}

/* readable_columns lists the columns of a relation that the caller may read, for a SELECT. */
static char *
readable_columns(Oid relid)
{
	Relation	rel = relation_open(relid, AccessShareLock);
	bool		all = pg_class_aclcheck(relid, GetUserId(), ACL_SELECT) == ACLCHECK_OK;
	StringInfoData sql;

	initStringInfo(&sql);
	for (int i = 0; i < RelationGetDescr(rel)->natts; i++)
	{
		Form_pg_attribute att = TupleDescAttr(RelationGetDescr(rel), i);

		if (!att->attisdropped &&
			(all || pg_attribute_aclcheck(relid, att->attnum, GetUserId(), ACL_SELECT) == ACLCHECK_OK))
			appendStringInfo(&sql, "%s%s", sql.len == 0 ? "" : ", ", column_expression(NameStr(att->attname)));
	}
	relation_close(rel, NoLock);
	return sql.data;
}

/*
 * read_from returns what stands behind FROM: the relation, or where the caller does not trust all who own a part of it
 * its values, read with the rights of its owner.  Nothing of theirs is planned or run with the caller's rights then.
 */
static const char *
read_from(Oid relid)
{
	Oid			reader = sdc_trust_values(relid);
	char	   *name = sdc_spi_relation_name(relid);
	char	   *columns = readable_columns(relid);
	EphemeralNamedRelation values = palloc0(sizeof(EphemeralNamedRelationData));
	Apart		apart = {.context = CurrentMemoryContext};
	SdcActAs	before;

	if (reader == GetUserId())
		return name;
	apart.store = tuplestore_begin_heap(false, false, work_mem);
	sdc_actas_begin(&before, reader);
	sdc_spi_select_rows(psprintf("SELECT %s FROM %s AS " SDC_CONDITION_ALIAS, columns, name), keep_row, &apart);
	if (apart.desc == NULL)
	{
		/* without rows */
		sdc_spi_select(psprintf("SELECT %s FROM %s AS " SDC_CONDITION_ALIAS " LIMIT 0", columns, name));
		apart.desc = SPI_tuptable->tupdesc;
	}
	sdc_actas_end(&before);
	values->md.name = "values of the relation";
	values->md.tupdesc = apart.desc;
	values->md.enrtype = ENR_NAMED_TUPLESTORE;
	values->md.enrtuples = (double) tuplestore_tuple_count(apart.store);
	values->reldata = apart.store;
	if (SPI_register_relation(values) != SPI_OK_REL_REGISTER)
		elog(ERROR, "could not register values");
	return quote_identifier(values->md.name);
}

/* sdc_conditiongroups_read: see conditiongroups.h. */
SdcConditionGroups *
sdc_conditiongroups_read(const SdcConditionGroupsRequest *request)
{
	SdcConditionGroups *groups = palloc0(sizeof(SdcConditionGroups));
	Reading		reading = {.request = request, .groups = groups};
	MemoryContext context = CurrentMemoryContext;
	bool		before = sdc_condition_begin();
	const char *from;
	int			nest;

	begin_reading(&reading);
	sdc_spi_connect();
	sdc_progress_start(request->relid, request->columns);
	from = read_from(request->relid);
	groups->center = find_center(request, from);
	nest = sdc_distributed_begin(request->relid, NULL);
	sdc_spi_select_rows(groups_statement(request, from), take_row, &reading);
	sdc_distributed_end(nest);
	sdc_spi_finish();
	sdc_condition_end(before);
	MemoryContextSwitchTo(context);
	end_reading(&reading);
	return groups;
}

/* sdc_conditiongroups_holds: see conditiongroups.h.  Nothing is read but the value. */
bool
sdc_conditiongroups_holds(Oid relid, const SdcConditionColumn *column, Datum value)
{
	bool		before = sdc_condition_begin();
	MemoryContext context = CurrentMemoryContext;
	Oid			types[1];
	int32		typmod;
	Oid			collation;
	bool		isnull;
	bool		holds;

	get_atttypetypmodcoll(relid, get_attnum(relid, column->name), &types[0], &typmod, &collation);
	sdc_spi_connect();
	sdc_spi_run_args(psprintf("SELECT %s FROM (SELECT $1%s AS %s) AS " SDC_CONDITION_ALIAS, state_expression(column),
							  OidIsValid(collation) ? psprintf(" COLLATE %s", generate_collation_name(collation)) : "",
							  quote_identifier(column->name)),
					 SPI_OK_SELECT, 1, types, &value, NULL);
	holds = DatumGetInt32(SPI_getbinval(SPI_tuptable->vals[0], SPI_tuptable->tupdesc, 1, &isnull)) == SDC_ESTIMATE_TRUE;
	sdc_spi_finish();
	sdc_condition_end(before);
	MemoryContextSwitchTo(context);
	return holds;
}
