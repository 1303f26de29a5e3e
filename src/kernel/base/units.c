/*-------------------------------------------------------------------------
 *
 * units.c
 *		The units of a file's records, and classes of units of a size.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include "kernel/base/codesort.h"
#include "kernel/base/units.h"

/* same tells whether two records have the same codes. */
static bool
same(const SdcCodedFile *naming, uint32 a, uint32 b)
{
	for (int i = 0; i < naming->attributes; i++)
		if (naming->column[i].code[a] != naming->column[i].code[b])
			return false;
	return true;
}

/* sdc_units_number: see units.h. */
uint32
sdc_units_number(const SdcCodedFile *naming, uint32 *of)
{
	SdcCodesort *sort = sdc_alloc_array(SdcCodesort, (uint64) naming->attributes);
	uint32	   *order = sdc_alloc_array(uint32, naming->records);
	uint32	   *spare = sdc_alloc_array(uint32, naming->records);
	uint32		units = 0;
	uint32		credit = 0;

	for (int i = 0; i < naming->attributes; i++)
		sort[i] = (SdcCodesort) {naming->column[i].code, 1, naming->column[i].codes, NULL};
	for (uint32 r = 0; r < naming->records; r++)
		order[r] = r;
	(void) sdc_codesort_all(sort, naming->attributes, &order, &spare, naming->records, &credit);
	for (uint32 i = 0; i < naming->records; i++)
	{
		sdc_interrupts_step(i);
		if (i > 0 && !same(naming, order[i - 1], order[i]))
			units++;
		of[order[i]] = units;
	}
	sdc_free(order);
	sdc_free(spare);
	sdc_free(sort);
	return naming->records == 0 ? 0 : units + 1;
}

/* order_by_size orders units by their stratum, and in each by their size, the largest first. */
static uint32 *
order_by_size(uint32 count, const uint32 *size, const uint32 *stratum, uint32 strata, uint32 *credit)
{
	uint32	   *descending = sdc_alloc_array(uint32, count);
	uint32	   *order = sdc_alloc_array(uint32, count);
	uint32	   *ordered = sdc_alloc_array(uint32, count);
	uint32		largest = 0;
	uint32	   *start;

	for (uint32 u = 0; u < count; u++)
		largest = size[u] > largest ? size[u] : largest;
	for (uint32 u = 0; u < count; u++)
		descending[u] = largest - size[u];
	start = sdc_alloc_array(uint32, (uint64) (largest > strata ? largest : strata) + 2);
	sdc_codesort_pass(&(SdcCodesort) {descending, 1, largest + 1, NULL}, NULL, order, count, start, credit);
	sdc_free(descending);
	if (stratum != NULL)
	{
		sdc_codesort_pass(&(SdcCodesort) {stratum, 1, strata, NULL}, order, ordered, count, start, credit);
		sdc_free(order);
		order = ordered;
	}
	else
		sdc_free(ordered);
	sdc_free(start);
	return order;
}

/* sdc_units_classes: see units.h. */
uint32
sdc_units_classes(uint32 count, const uint32 *size, const uint32 *stratum, uint32 strata, uint32 least,
				  uint32 *class)
{
	uint32		credit = 0;
	uint32	   *order = order_by_size(count, size, stratum, strata, &credit);
	uint32		classes = 0;
	uint32		first = 0;		/* of the class that is made, */
	uint32		closed = 0;		/* and of the one before, in the same stratum; or first where there is none */

	for (uint32 i = 0; i < count; i++)
	{
		uint32		unit = order[i];
		bool		last = i + 1 == count || (stratum != NULL && stratum[order[i + 1]] != stratum[unit]);
		bool		size_ends = last || size[order[i + 1]] != size[unit];

		sdc_interrupts_spend(&credit, 1);
		class[unit] = classes;
		if (last && i + 1 - first < least && closed < first)
		{
			/* a remainder joins the class that was closed last */
			for (uint32 k = first; k <= i; k++)
				class[order[k]] = classes - 1;
			classes--;
		}
		if (last || (size_ends && i + 1 - first >= least))
		{
			classes++;
			closed = last ? i + 1 : first;
			first = i + 1;
		}
	}
	sdc_free(order);
	return classes;
}

/* sizes_of lists the numbers of records of all units. */
static uint32 *
sizes_of(const SdcUnits *units)
{
	uint32	   *size = sdc_alloc_array(uint32, units->count);

	for (uint32 u = 0; u < units->count; u++)
	{
		sdc_interrupts_step(u);
		size[u] = sdc_units_size(units, u);
	}
	return size;
}

/* sdc_units_size_classes: see units.h. */
uint32
sdc_units_size_classes(const SdcUnits *units, const uint32 *stratum, uint32 strata, uint32 least, uint32 *class)
{
	uint32	   *size = sizes_of(units);
	uint32		classes = sdc_units_classes(units->count, size, stratum, strata, least, class);

	sdc_free(size);
	return classes;
}

/* least_sizes finds the least size of the class that each unit would be in if all classes were made now. */
static uint32 *
least_sizes(const SdcUnits *units, const uint32 *size, const uint32 *stratum, uint32 strata, uint32 least,
			uint32 *class)
{
	uint32		classes = sdc_units_classes(units->count, size, stratum, strata, least, class);
	uint32	   *of_class = sdc_alloc_array(uint32, classes);
	uint32	   *of_unit = sdc_alloc_array(uint32, units->count);

	for (uint32 c = 0; c < classes; c++)
		of_class[c] = UINT32_MAX;
	for (uint32 u = 0; u < units->count; u++)
	{
		sdc_interrupts_step(u);
		of_class[class[u]] = size[u] < of_class[class[u]] ? size[u] : of_class[class[u]];
	}
	for (uint32 u = 0; u < units->count; u++)
	{
		sdc_interrupts_step(u);
		of_unit[u] = of_class[class[u]];
	}
	sdc_free(of_class);
	return of_unit;
}

/*
 * join_classes finds the classes of the units of one stratum that are in none: the units come by size, the largest
 * first, and those that are in a class by its least size.
 */
static void
join_classes(const uint32 *order, uint32 count, const uint32 *size, const uint32 *fresh, const uint32 *is_in,
			 uint32 *least_of)
{
	uint32		class = 0;		/* the greatest least size up to the size at hand; 0: there is none */

	/* for those that are smaller than all classes: the last one that comes by */
	for (uint32 i = 0; i < count; i++)
		class = is_in[order[i]] != 0 ? is_in[order[i]] : class;
	for (uint32 last = count; last > 0;)
	{
		uint32		first = last - 1;

		while (first > 0 && size[order[first - 1]] == size[order[last - 1]])
			first--;
		for (uint32 i = first; i < last; i++)
			class = is_in[order[i]] != 0 ? is_in[order[i]] : class;
		for (uint32 i = first; i < last; i++)
		{
			sdc_interrupts_step(i);
			if (is_in[order[i]] == 0)
				least_of[order[i]] = class != 0 ? class : fresh[order[i]];
		}
		last = first;
	}
}

/* number_classes numbers the classes that units are in: a class is the units of a stratum with one least size. */
static uint32
number_classes(uint32 count, const uint32 *least_of, const uint32 *stratum, uint32 strata, uint32 *class)
{
	uint32		credit = 0;
	uint32	   *order = order_by_size(count, least_of, stratum, strata, &credit);
	uint32		classes = 0;

	for (uint32 i = 0; i < count; i++)
	{
		uint32		before = i == 0 ? 0 : order[i - 1];

		sdc_interrupts_spend(&credit, 1);
		classes += i > 0 && (least_of[before] != least_of[order[i]] ||
							 (stratum != NULL && stratum[before] != stratum[order[i]]));
		class[order[i]] = classes;
	}
	sdc_free(order);
	return count == 0 ? 0 : classes + 1;
}

/* sdc_units_joined_classes: see units.h. */
uint32
sdc_units_joined_classes(const SdcUnits *units, const uint32 *stratum, uint32 strata, uint32 least,
						 uint32 *least_of, uint32 *class)
{
	uint32		count = units->count;
	uint32	   *size = sizes_of(units);
	uint32	   *fresh = least_sizes(units, size, stratum, strata, least, class);
	uint32	   *is_in = sdc_alloc_array(uint32, count);
	uint32		credit = 0;
	uint32	   *order;
	uint32		next;

	memcpy(is_in, least_of, (size_t) count * sizeof(uint32));
	for (uint32 u = 0; u < count; u++)
		size[u] = is_in[u] != 0 ? is_in[u] : size[u];
	order = order_by_size(count, size, stratum, strata, &credit);
	for (uint32 first = 0; first < count; first = next)
	{
		for (next = first + 1; next < count; next++)
			if (stratum != NULL && stratum[order[next]] != stratum[order[first]])
				break;
		join_classes(order + first, next - first, size, fresh, is_in, least_of);
	}
	sdc_free(order);
	sdc_free(is_in);
	sdc_free(fresh);
	sdc_free(size);
	return number_classes(count, least_of, stratum, strata, class);
}
