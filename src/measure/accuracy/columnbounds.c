/*-------------------------------------------------------------------------
 *
 * columnbounds.c
 *		What a protected column of a publication tells for certain about a condition on it.
 *
 * Of records, by what was released of each:
 *
 *	windows		a rank swapped value is near that which it took the place of (swapbins.c)
 *	between		a mean of a run of near values: the original is not beyond the means beside it
 *	sets		a range or a set contains the original
 *	labels		a recoded value has the label of its class; where classes overlap, others can be of it too
 *	suppressed	what is missing can have been anything; the rest is true
 *
 * Of all records together:
 *
 *	kept		values were exchanged: as many originals satisfy the condition.  Where units have exchanged them
 *				as many units do: of at least the smallest ones, and at most the largest, in
 *				each class of sizes in which they were exchanged
 *	distance	the published distance of the distribution, at the ends of the classes that it is of, which the release
 *				decides: the condition must be a range
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "kernel/base/grain.h"
#include "kernel/base/units.h"
#include "kernel/loss/valueclasses.h"
#include "measure/accuracy/coarseaccuracy.h"
#include "measure/accuracy/columnbounds.h"
#include "miscadmin.h"
#include "relation/base/memory.h"
#include "relation/catalog/methods.h"
#include "relation/column/types.h"
#include "utils/lsyscache.h"

/* A published figure is so many roundings from the exact one, at most. */
#define ROUNDINGS 1.5

/* tells returns what the method of a column tells; of a copied column nothing is asked. */
static SdcMethodTells
tells(const SdcSwapBins *column)
{
	return sdc_methods_find(column->how->method)->tells;
}

/* count_codes counts the records whose code is marked. */
static double
count_codes(const SdcSwapBins *column, const bool *marked)
{
	double		sum = 0;

	for (uint32 c = 0; c <= column->codes; c++)
		sum += marked[c] ? column->count[c] : 0;
	return sum;
}

/* holds_somewhere tells whether the condition holds for a released value. */
static bool
holds_somewhere(const SdcSwapBins *column)
{
	for (uint32 c = 0; c < column->codes; c++)
		if (column->holds[c])
			return true;
	return false;
}

/* is_said tells whether records whose original a window or a mean says something of were protected one by one. */
static bool
is_said(const SdcColumnBoundsTask *task, const SdcSwapBins *column)
{
	const SdcAccuracyColumn *how = column->how;

	return !how->codes && !how->suppressed && !how->continued && task->drawing->strata == NIL &&
		!task->drawing->hidden_strata;
}

/* ------------------------------------------------------------------------
 * Records
 * ------------------------------------------------------------------------
 */

/* bound_between takes that originals are not beyond the released values beside their own. */
static void
bound_between(SdcSwapBins *column)
{
	bool		somewhere = holds_somewhere(column);

	for (uint32 c = 0; c < column->codes; c++)
	{
		bool		before = c > 0 ? column->holds[c - 1] : column->holds[c] && !column->from;
		bool		behind = c + 1 < column->codes ? column->holds[c + 1] : column->holds[c] && !column->upto;

		CHECK_FOR_INTERRUPTS();
		column->sure[c] = column->holds[c] && before && behind;
		/* a condition that holds for no released value can hold between any two */
		column->possible[c] = !somewhere || column->holds[c] || before || behind;
	}
	column->sure[column->codes] = column->possible[column->codes] = column->holds[column->codes];
}

/* bound_labels takes that a value has the label of its class; classes that overlap: others can be of it as well. */
static void
bound_labels(SdcSwapBins *column, bool apart)
{
	for (uint32 c = 0; c <= column->codes; c++)
	{
		column->sure[c] = column->holds[c];
		column->possible[c] = !apart || column->holds[c];
	}
}

/* take_rest takes what the form of a condition tells of values in the place of others. */
static void
take_rest(const SdcColumnBoundsTask *task, SdcSwapBins *column)
{
	bool		function = tells(column) == SDC_TELLS_FUNCTION && !column->how->suppressed;
	bool		ranges = column->meets != NULL || tells(column) == SDC_TELLS_MEMBERSHIP || task->labels;

	if (column->meets != NULL)
		for (uint32 c = 0; c <= column->codes; c++)
		{
			column->sure[c] = column->holds[c];
			column->possible[c] = column->holds[c] || column->meets[c];
		}
	else if (function && task->kind == SDC_FORM_MISSING)
		bound_labels(column, true);
	else if (ranges && task->kind == SDC_FORM_ONE_OF && holds_somewhere(column))
		bound_labels(column, function);
	/* a suppressed recoding is not told from a missing value */
	if (column->how->suppressed && ranges)
		column->possible[column->codes] = true;
}

/* bound_records finds what is known of records by what was released of each. */
static void
bound_records(const SdcColumnBoundsTask *task, SdcSwapBins *column)
{
	const SdcAccuracyColumn *how = column->how;
	bool		leaves = sdc_methods_leaves_codes(sdc_methods_find(how->method)) && !how->suppressed && !how->continued;

	/* what its method tells is about what the values were recoded to */
	if (how->recoded)
		return;
	if (tells(column) == SDC_TELLS_SUPPRESSED)
	{
		bound_labels(column, true);
		column->sure[column->codes] = false;
		column->possible[column->codes] = true;
	}
	else if (how->between && column->convex && is_said(task, column))
		bound_between(column);
	else if (how->reach > 0 && how->kept && !task->drawing->units && is_said(task, column))
		sdc_swapbins_bound(column);
	else if (leaves && task->kind == SDC_FORM_MISSING)
		bound_labels(column, true);
	else if (tells(column) == SDC_TELLS_FUNCTION || tells(column) == SDC_TELLS_MEMBERSHIP)
		take_rest(task, column);
	column->low = Max(column->low, count_codes(column, column->sure));
	column->high = Min(column->high, count_codes(column, column->possible));
}

/* ------------------------------------------------------------------------
 * All records
 * ------------------------------------------------------------------------
 */

/* A unit in the order of its class and its size. */
typedef struct SizedUnit
{
	uint32		class;
	uint32		size;
} SizedUnit;

/* compare_units is for qsort. */
static int
compare_units(const void *a, const void *b)
{
	const SizedUnit *one = a;
	const SizedUnit *other = b;

	if (one->class != other->class)
		return one->class < other->class ? -1 : 1;
	return one->size == other->size ? 0 : one->size < other->size ? -1 : 1;
}

/*
 * variance_of is how much the numbers of records of so many units differ between two draws from a class.  Units
 * that are in both make the difference smaller, and are not known.
 */
static double
variance_of(const SizedUnit *unit, uint32 count, uint32 units)
{
	double		sum = 0;
	double		squares = 0;

	for (uint32 i = 0; i < count; i++)
	{
		sum += unit[i].size;
		squares += (double) unit[i].size * unit[i].size;
	}
	return count < 2 ? 0 : 2.0 * units * (count - units) / count * (squares - sum * sum / count) / (count - 1);
}

/* bound_units finds how many records are of as many units of each class as the condition holds for. */
static void
bound_units(const SdcColumnBoundsTask *task, SdcSwapBins *column, double *low, double *high)
{
	uint32		count = task->units->count;
	uint32	   *class = sdc_memory_zeros(count, sizeof(uint32));
	SizedUnit  *unit = sdc_memory_array(count, sizeof(SizedUnit));
	uint32	   *holding = sdc_memory_zeros((uint64) count + 1, sizeof(uint32));
	double		least = column->how->unit_class;

	if (least > 0)
		(void) sdc_units_classes(count, task->units->size, NULL, 1, (uint32) Min(least, UINT32_MAX / 2), class);
	for (uint32 u = 0; u < count; u++)
	{
		sdc_interrupts_step(u);
		unit[u] = (SizedUnit) {class[u], task->units->size[u]};
		holding[class[u]] += task->unit_holds[u];
	}
	qsort(unit, count, sizeof(SizedUnit), compare_units);
	*low = *high = 0;
	for (uint32 first = 0, end; first < count; first = end)
	{
		uint32		units = holding[unit[first].class];

		for (end = first; end < count && unit[end].class == unit[first].class; end++)
			sdc_interrupts_step(end);
		for (uint32 i = 0; i < units; i++)
		{
			*low += unit[first + i].size;
			*high += unit[end - 1 - i].size;
		}
		column->spread += variance_of(unit + first, end - first, units);
	}
	sdc_free(class);
	sdc_free(unit);
	sdc_free(holding);
}

/* bound_kept takes that the values are those of the source in another order. */
static void
bound_kept(const SdcColumnBoundsTask *task, SdcSwapBins *column)
{
	double		low = count_codes(column, column->holds);
	double		high = low;

	if (task->units->hidden)
		return;
	if (task->unit_holds != NULL)
		bound_units(task, column, &low, &high);
	if (column->how->suppressed)
	{
		/* a missing value can have been any other one */
		if (task->unit_holds != NULL)
			return;
		low -= column->holds[column->codes] ? column->count[column->codes] : 0;
		high = low + column->count[column->codes];
	}
	column->low = Max(column->low, low);
	column->high = Min(column->high, high);
}

/* Originals below some number, at least and at most; and the same of the released ones. */
typedef struct Below
{
	const SdcSwapBins *column;
	const SdcValueClasses *classes;
	double		move;			/* how far they can be from each other */
	double		low;
	double		high;
} Below;

/* bound_below bounds the originals below a number that is above one code, and not above the next one. */
static void
bound_below(Below *below, uint32 next, double all)
{
	const SdcSwapBins *column = below->column;
	double		records = 0;

	below->low = 0;
	below->high = all;
	/* classes begin above the code before their first one, and not above that */
	for (uint32 c = 0; c < column->codes; c++)
	{
		if (c > 0 && below->classes->of[c] != below->classes->of[c - 1])
		{
			if (c + 1 <= next)
				below->low = Max(below->low, records - below->move);
			else if (c >= next + 1)
				below->high = Min(below->high, records + below->move);
		}
		records += column->count[c];
	}
}

/* bound_distance takes how far the distribution is from that of the source. */
static void
bound_distance(const SdcColumnBoundsTask *task, SdcSwapBins *column)
{
	uint64	   *count = sdc_memory_array((uint64) column->codes + 1, sizeof(uint64));
	SdcValueClasses classes;
	Below		below = {.column = column, .classes = &classes,
		.move = (column->how->ks + ROUNDINGS * column->how->ks_rounding) * task->records
	};
	/* whether a value is missing can have changed */
	bool		loose = column->how->continued || column->how->suppressed || tells(column) == SDC_TELLS_AVERAGE;
	double		valued = task->records - (loose ? 0 : column->count[column->codes]);
	uint32		first = 0;
	uint32		end;
	double		low;
	double		high;

	for (uint32 c = 0; c <= column->codes; c++)
		count[c] = column->count[c];
	while (first < column->codes && !column->holds[first])
		first++;
	for (end = first; end < column->codes && column->holds[end]; end++)
		;
	sdc_valueclasses_make(count, column->codes, column->value,
						  (uint64) SDC_ACCURACY_CLASS_GRAINS * sdc_grain_of(task->records), &classes);
	low = loose ? 0 : valued;
	high = valued;
	if (column->upto)
	{
		bound_below(&below, end, valued);
		low = below.low;
		high = below.high;
	}
	else if (loose)
	{
		bound_below(&below, column->codes, valued);
		low = below.low;
	}
	if (column->from)
	{
		bound_below(&below, first, valued);
		low -= below.high;
		high -= below.low;
	}
	column->low = Max(column->low, ceil(low));
	column->high = Min(column->high, floor(high));
	sdc_free(classes.of);
	sdc_free(count);
}

/* has_distance tells whether the distance of the distribution says something of the condition. */
static bool
has_distance(const SdcColumnBoundsTask *task, const SdcSwapBins *column)
{
	if (!column->convex || column->value == NULL || column->how->codes || column->how->ks_rounding <= 0 ||
		task->drawing->part || !holds_somewhere(column))
		return false;
	for (uint32 c = 0; c < column->codes; c++)
		if (isnan(column->value[c]))
			return false;
	return true;
}

/* why_unknown says why nothing is known. */
static const char *
why_unknown(const SdcColumnBoundsTask *task, const SdcSwapBins *column)
{
	const char *name = column->how->name;

	if (tells(column) == SDC_TELLS_NOTHING)
		return psprintf("Column \"%s\" was protected by another tool.", name);
	if (column->how->recoded)
		return psprintf("Column \"%s\" was recoded before it was protected: the table does not tell between which numbers a count is.",
						name);
	if (column->how->kept && task->units->hidden)
		return psprintf("Column \"%s\" was protected by units, whose numbers were not published or may not be read.", name);
	if (tells(column) == SDC_TELLS_MEMBERSHIP || (tells(column) == SDC_TELLS_FUNCTION && column->value == NULL))
		return psprintf("Column \"%s\" has ranges, sets or labels: ask for one by = or IN, or for those inside of another one by <@.",
						name);
	if (column->how->suppressed)
		return psprintf("Missing values of column \"%s\" can have been any others.", name);
	if (!column->convex)
		return psprintf("Column \"%s\" has other values than the source: ask for a range of them, by < or BETWEEN.", name);
	return psprintf("The accuracy table does not say how far column \"%s\" is from the source, or not finely enough.", name);
}

/* sdc_columnbounds_find: see columnbounds.h. */
void
sdc_columnbounds_find(const SdcColumnBoundsTask *task, SdcSwapBins *column)
{
	column->low = 0;
	column->high = task->records;
	bound_records(task, column);
	if (column->how->kept)
		bound_kept(task, column);
	if (has_distance(task, column))
		bound_distance(task, column);
	column->high = Max(column->high, column->low);
	if (column->low <= 0 && column->high >= task->records)
		column->why = why_unknown(task, column);
}

/* sdc_columnbounds_why_drawn: see columnbounds.h. */
const char *
sdc_columnbounds_why_drawn(Oid relid, const SdcAccuracyColumn *column, const SdcConditionForm *form)
{
	SdcType		type;

	sdc_type_lookup(&type, get_atttype(relid, get_attnum(relid, column->name)), InvalidOid);
	if (column->recoded && !(form->kind == SDC_FORM_ONE_OF && type.kind == SDC_VALUE_NOMINAL))
		return psprintf("Column \"%s\" was recoded before: ask for one of its ranges or labels by = or IN.", column->name);
	if (form->without)
		return psprintf("Missing values of column \"%s\" satisfy the condition: ask for them apart, by IS NULL.", column->name);
	return NULL;
}

/* sdc_columnbounds_turnover: see columnbounds.h. */
double
sdc_columnbounds_turnover(const SdcSwapBins *column, double records)
{
	const SdcAccuracyColumn *how = column->how;

	if (column->mixed != SDC_MIX_RANKS || !how->continued)
		return 0;
	return how->ks_rounding > 0 ? (how->ks + how->ks_rounding / 2) * records : NAN;
}
