/*-------------------------------------------------------------------------
 *
 * totals.c
 *		Columns of units that are the sum of a column of their records.
 *
 * A household's income is the sum of its members'.  Protected apart from them it would agree with its parts in next to
 * no household; so it is computed of what they have in the release.
 *
 * Whole numbers and decimals are summed exactly; binary ones in the order of the records.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "catalog/pg_type.h"
#include "kernel/base/units.h"
#include "method/totals.h"
#include "relation/base/compat.h"
#include "relation/base/memory.h"
#include "relation/column/loadedvalues.h"
#include "relation/column/rangevalue.h"
#include "relation/read/missing.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"

/* Binary totals are equal up to this, relatively. */
#define EQUAL 1e-9

/* What is summed. */
typedef struct Parts
{
	const SdcUnits *units;
	SdcAttribute *attribute;
	const SdcType *type;
	SdcLoadedValues values;
} Parts;

/* sum_unit sums the values that a unit has of a column, as a value of a type; false: it has none. */
static bool
sum_unit(const Parts *parts, const SdcType *type, uint32 unit, Datum *sum)
{
	bool		any = false;
	double		binary = 0;
	Datum		decimal = (Datum) 0;

	for (uint32 i = parts->units->start[unit]; i < parts->units->start[unit + 1]; i++)
	{
		uint32		record = parts->units->member[i];

		if (!sdc_loadedvalues_valid(&parts->values, record) ||
			sdc_missing_which(parts->attribute, parts->values.value[record]) >= 0)
			continue;
		if (sdc_type_is_binary(parts->type))
			binary += sdc_type_number(parts->type, parts->values.value[record]);
		else
		{
			Datum		part = sdc_rangevalue_of(parts->type->base, parts->values.value[record], NUMERICOID);

			decimal = any ? DirectFunctionCall2(numeric_add, decimal, part) : part;
		}
		any = true;
	}
	if (any && sdc_type_is_binary(parts->type))
		*sum = type->base == FLOAT8OID ? Float8GetDatum(binary) :
			type->base == FLOAT4OID ? Float4GetDatum((float4) binary) :
			sdc_type_from_numeric(type, DirectFunctionCall1(float8_numeric, Float8GetDatum(binary)));
	else if (any)
		*sum = sdc_type_from_numeric(type, decimal);
	return any;
}

/* same_total tells whether a total is the sum. */
static bool
same_total(SdcAttribute *total, const SdcLoadedValues *totals, uint32 record, bool any, Datum sum, bool binary)
{
	SdcType    *type = &total->type;
	bool		has = sdc_loadedvalues_valid(totals, record) && sdc_missing_which(total, totals->value[record]) < 0;
	double		a;
	double		b;

	if (!any || !has)
		return any == has;
	if (!binary)
		return sdc_type_equal(type, totals->value[record], sum);
	a = sdc_type_number(type, totals->value[record]);
	b = sdc_type_number(type, sum);
	return a == b || fabs(a - b) <= EQUAL * fmax(fabs(a), fabs(b));
}

/* check_total counts the units in which some record has another total than the sum. */
static uint32
check_total(const SdcUnits *units, SdcAttribute *total, SdcAttribute *part)
{
	SdcLoadedValues totals = sdc_loadedvalues_load(total->column);
	Parts		parts = {units, part, &part->type, sdc_loadedvalues_load(part->column)};
	bool		binary = sdc_type_is_binary(&total->type) || sdc_type_is_binary(&part->type);
	MemoryContext scratch = AllocSetContextCreate(CurrentMemoryContext, "sdc totals", ALLOCSET_DEFAULT_SIZES);
	MemoryContext old = MemoryContextSwitchTo(scratch);
	uint32		differing = 0;

	for (uint32 u = 0; u < units->count; u++)
	{
		Datum		sum = (Datum) 0;
		bool		any = sum_unit(&parts, &total->type, u, &sum);
		bool		same = true;

		for (uint32 i = units->start[u]; i < units->start[u + 1] && same; i++)
			same = same_total(total, &totals, units->member[i], any, sum, binary);
		differing += !same;
		MemoryContextReset(scratch);
		CHECK_FOR_INTERRUPTS();
	}
	MemoryContextSwitchTo(old);
	MemoryContextDelete(scratch);
	sdc_loadedvalues_free(&totals);
	sdc_loadedvalues_free(&parts.values);
	return differing;
}

/* sdc_totals_check: see totals.h. */
void
sdc_totals_check(const SdcSource *source, bool force)
{
	for (int i = 0; i < source->total_count && !force; i++)
	{
		SdcAttribute *total = &source->attributes[source->total[i]];
		SdcAttribute *part = &source->attributes[source->part[i]];
		uint32		differing = check_total(source->units, total, part);

		if (differing > 0)
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg_plural("column \"%s\" is not the sum of column \"%s\" in %u of " UINT64_FORMAT " units",
								   "column \"%s\" is not the sum of column \"%s\" in %u of " UINT64_FORMAT " units",
								   differing, NameStr(total->name), NameStr(part->name), differing,
								   source->units_found),
					 errhint("Use totals_force => true to compute it in the release all the same.")));
	}
}

/* compute_total computes a total. */
static void
compute_total(const SdcUnits *units, SdcAttribute *total, SdcAttribute *part, SdcSpool *spool)
{
	Parts		parts = {units, part, &part->type, sdc_loadedvalues_load(part->column)};
	SdcLoadedValues before = sdc_loadedvalues_load(total->column);
	SdcColumn  *computed = sdc_column_create(spool, sdc_column_type(total->column));
	Datum	   *sum = sdc_memory_array(units->count, sizeof(Datum));
	bool	   *any = sdc_memory_array(units->count, sizeof(bool));
	SdcKept		kept = {0};
	MemoryContext scratch = AllocSetContextCreate(CurrentMemoryContext, "sdc totals", ALLOCSET_DEFAULT_SIZES);

	for (uint32 u = 0; u < units->count; u++)
	{
		MemoryContext old = MemoryContextSwitchTo(scratch);

		any[u] = sum_unit(&parts, &total->type, u, &sum[u]);
		MemoryContextSwitchTo(old);
		if (any[u] && !total->type.typbyval)
			sum[u] = PointerGetDatum(sdc_memory_keep(&kept, DatumGetPointer(sum[u]),
													 VARSIZE_ANY(DatumGetPointer(sum[u]))));
		MemoryContextReset(scratch);
		CHECK_FOR_INTERRUPTS();
	}
	total->changed = 0;
	for (uint32 r = 0; r < units->records; r++)
	{
		uint32		u = units->of[r];
		bool		had = sdc_loadedvalues_valid(&before, r);
		/* where there is nothing to sum, a code stays */
		bool		stays = !any[u] && had && sdc_missing_which(total, before.value[r]) >= 0;

		total->changed += any[u] ? !had || !sdc_type_equal(&total->type, sum[u], before.value[r]) : had && !stays;
		sdc_column_append(computed, any[u] ? sum[u] : before.value[r], !any[u] && !stays);
		sdc_interrupts_step(r);
	}
	sdc_column_finish(computed);
	MemoryContextDelete(scratch);
	sdc_free(sum);
	sdc_free(any);
	sdc_loadedvalues_free(&parts.values);
	sdc_loadedvalues_free(&before);
	sdc_column_destroy(total->column);
	total->column = computed;
	total->level = SDC_LEVEL_UNIT;
}

/* sdc_totals_compute: see totals.h. */
void
sdc_totals_compute(SdcSource *source, SdcSpool *spool)
{
	for (int i = 0; i < source->total_count; i++)
		compute_total(source->units, &source->attributes[source->total[i]],
					  &source->attributes[source->part[i]], spool);
}
