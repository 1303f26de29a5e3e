/*-------------------------------------------------------------------------
 *
 * bins.c
 *		The bins that equi-depth and equi-width partitioning make of a relation's records.
 *
 * A value that is missing or not a finite number has no place in a partitioning: records are partitioned
 * together only with those that have numbers, values that are not finite and no values in the same
 * attributes, by the numbers that they have.
 *
 * Memory: eight bytes a record and attribute, four a record for bins, more with strata or missing values,
 * and what the kernel takes.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "kernel/bins/equidepth.h"
#include "kernel/bins/equiwidth.h"
#include "miscadmin.h"
#include "relation/base/memory.h"
#include "relation/base/names.h"
#include "relation/column/grouprecords.h"
#include "relation/column/paircodes.h"
#include "relation/read/bins.h"

struct SdcBinning
{
	const SdcBinRequest *request;	/* of the partitioning that is made */
	SdcSource  *source;
	const int  *attribute;		/* indexes in source->attributes */
	SdcBins    *bins;
	uint32	   *class;			/* of each record: those of a stratum that have and miss the same */
	uint32	   *class_stratum;	/* of each class */
	uint32		classes;
	SdcGroupRecords members;	/* of the classes; without a member: there is one class */
	double	   *low;			/* of each stratum and attribute */
	double	   *range;
};

/* load_values reads the numbers of an attribute, and refines the classes by what is missing. */
static void
load_values(SdcBinning *p, int number, uint32 *classes)
{
	SdcAttribute *attribute = &p->source->attributes[p->attribute[number]];
	SdcColumnReader *reader = sdc_column_open(attribute->column);
	double	   *value = p->bins->value[number];
	uint32	   *renumbered;
	uint32	   *stratum;
	uint32		count = 0;

	/* of each class the records that have a number, no value, or another value */
	renumbered = sdc_memory_array(3 * (uint64) *classes, sizeof(uint32));
	memset(renumbered, 0xFF, 3 * (uint64) *classes * sizeof(uint32));
	stratum = sdc_memory_array(Min(3 * (uint64) *classes, p->source->records), sizeof(uint32));
	for (uint64 r = 0; r < p->source->records; r++)
	{
		Datum		datum;
		bool		valid = sdc_column_next(reader, &datum);
		uint32	   *entry;

		value[r] = valid ? sdc_type_number(&attribute->type, datum) : NAN;
		entry = &renumbered[3 * (uint64) p->class[r] + (!valid ? 1 : isnan(value[r]) ? 2 : 0)];
		if (*entry == UINT32_MAX)
		{
			stratum[count] = p->class_stratum[p->class[r]];
			*entry = count++;
		}
		p->class[r] = *entry;
		if (r % 4096 == 0)
			CHECK_FOR_INTERRUPTS();
	}
	sdc_column_close(reader);
	sdc_free(renumbered);
	sdc_free(p->class_stratum);
	p->class_stratum = stratum;
	*classes = count;
}

/* start_classes gives every record the class of its stratum. */
static uint32
start_classes(SdcBinning *p)
{
	uint32		strata = (uint32) Max(p->source->strata_found, 1);

	p->class = sdc_grouprecords_strata(p->source->stratum, p->source->records);
	p->class_stratum = sdc_memory_array(strata, sizeof(uint32));
	for (uint32 s = 0; s < strata; s++)
		p->class_stratum[s] = s;
	return strata;
}

/* find_ranges finds where the values of every stratum and attribute lie. */
static void
find_ranges(SdcBinning *p)
{
	uint64		strata = Max(p->source->strata_found, 1);
	uint64		cells = strata * p->bins->attributes;
	SdcColumnReader *reader = p->source->stratum == NULL ? NULL :
		sdc_column_open(p->source->stratum);

	p->low = sdc_memory_array(cells, sizeof(double));
	p->range = sdc_memory_array(cells, sizeof(double));
	for (uint64 i = 0; i < cells; i++)
	{
		p->low[i] = INFINITY;
		p->range[i] = -INFINITY;
	}
	for (uint64 r = 0; r < p->source->records; r++)
	{
		Datum		stratum = Int32GetDatum(0);

		if (reader != NULL)
			(void) sdc_column_next(reader, &stratum);
		for (int j = 0; j < p->bins->attributes; j++)
		{
			uint64		cell = (uint64) DatumGetInt32(stratum) * p->bins->attributes + j;
			double		value = p->bins->value[j][r];

			if (isnan(value))
				continue;
			p->low[cell] = Min(p->low[cell], value);
			p->range[cell] = Max(p->range[cell], value);
		}
		if (r % 4096 == 0)
			CHECK_FOR_INTERRUPTS();
	}
	for (uint64 i = 0; i < cells; i++)
		p->range[i] = p->range[i] >= p->low[i] ? p->range[i] - p->low[i] : 0;
	if (reader != NULL)
		sdc_column_close(reader);
}

/* What a class is partitioned by: the attributes of which its records have numbers. */
typedef struct ClassTask
{
	const double **value;
	double	   *low;
	double	   *range;
	double	   *width;
	int			attributes;
} ClassTask;

/* named_width returns the width of an attribute, which were given in the order of the names. */
static double
named_width(const SdcBinning *p, int number)
{
	const char *name = NameStr(p->source->attributes[p->attribute[number]].name);
	int			place = sdc_names_index(p->request->columns, name);

	/* of what was swapped here all have one: somebody else has said how a release was made */
	if (place < 0)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("the parameters of the release have no width of column \"%s\"", name)));
	return p->request->widths[place];
}

/* own_width returns the width of an attribute in a stratum; any of a constant one, and 0 if intervals are asked for. */
static double
own_width(const SdcBinning *p, int number, uint64 cell)
{
	double		width;

	if (p->request->width_count > 0)
		return named_width(p, number);
	if (p->request->share == 0)
		return 0;
	width = p->request->share * p->range[cell];
	return width > 0 ? width : 1;
}

/* class_task finds the attributes of a class; stratum is that of its records. */
static void
class_task(const SdcBinning *p, uint32 record, uint32 stratum, ClassTask *task)
{
	task->attributes = 0;
	for (int j = 0; j < p->bins->attributes; j++)
	{
		uint64		cell = (uint64) stratum * p->bins->attributes + j;

		if (isnan(p->bins->value[j][record]))
			continue;
		task->value[task->attributes] = p->bins->value[j];
		if (p->request->kind == SDC_BIN_EQUIWIDTH)
		{
			task->low[task->attributes] = p->low[cell];
			task->range[task->attributes] = p->range[cell];
			task->width[task->attributes] = own_width(p, j, cell);
		}
		task->attributes++;
	}
}

/* partition_class partitions the records of one class, and returns the number of bins. */
static uint32
partition_class(const SdcBinning *p, uint32 class, const ClassTask *task)
{
	bool		single = p->members.member == NULL;
	const uint32 *member = single ? NULL : sdc_grouprecords_of(&p->members, class);
	uint32		records = single ? (uint32) p->source->records :
		sdc_grouprecords_count(&p->members, class);

	if (task->attributes == 0)
	{
		/* nothing of these records can move */
		for (uint32 i = 0; i < records; i++)
			p->bins->bin[single ? i : member[i]] = p->bins->bins;
		return 1;
	}
	if (p->request->kind == SDC_BIN_EQUIDEPTH)
	{
		SdcEquidepthTask depth = {0};

		depth.value = task->value;
		depth.attributes = task->attributes;
		depth.record = member;
		depth.records = records;
		depth.k = p->request->depth;
		return sdc_equidepth(&depth, p->bins->bins, p->bins->bin);
	}
	else
	{
		SdcEquiwidthTask width = {0};

		width.value = task->value;
		width.attributes = task->attributes;
		width.record = member;
		width.records = records;
		width.low = task->low;
		width.range = task->range;
		width.intervals = p->request->width_count > 0 || p->request->share > 0 ? 0 : p->request->intervals;
		width.width = task->width;
		return sdc_equiwidth(&width, p->bins->bins, p->bins->bin);
	}
}

/* count_singles counts the bins of one record. */
static uint64
count_singles(const SdcBins *bins, uint64 records)
{
	uint8	   *seen = sdc_memory_zeros(bins->bins, sizeof(uint8));
	uint64		singles = 0;

	for (uint64 r = 0; r < records; r++)
		if (seen[bins->bin[r]] < 2)
			seen[bins->bin[r]]++;
	for (uint32 b = 0; b < bins->bins; b++)
		singles += seen[b] == 1;
	sdc_free(seen);
	return singles;
}

/* kernel_memory returns what partitioning the records takes besides. */
static uint64
kernel_memory(const SdcBinRequest *request, const SdcSource *source, int attributes)
{
	return request->kind == SDC_BIN_EQUIDEPTH ?
		sdc_equidepth_memory((uint32) source->records, attributes) :
		sdc_equiwidth_memory((uint32) source->records, attributes);
}

/* values_memory returns what the values and the bins take. */
static uint64
values_memory(const SdcSource *source, int attributes)
{
	return source->records * (attributes * sizeof(double) + sizeof(uint32));
}

/* sdc_bins_memory: see bins.h. */
uint64
sdc_bins_memory(const SdcBinRequest *request, const SdcSource *source, int attributes)
{
	/* classes are few, of records that differ in what they miss: as in find_classes */
	return values_memory(source, attributes) +
		sdc_grouprecords_memory(source->records, 3 * Max(source->strata_found, 1)) +
		kernel_memory(request, source, attributes);
}

/* find_classes reads the values and lists the records of every class. */
static uint32
find_classes(SdcBinning *p)
{
	uint64		records = p->source->records;
	uint32		classes;

	p->bins->bin = sdc_memory_array(records, sizeof(uint32));
	classes = start_classes(p);
	for (int j = 0; j < p->bins->attributes; j++)
	{
		p->bins->value[j] = sdc_memory_array(records, sizeof(double));
		load_values(p, j, &classes);
	}
	if (records == 0)
		return 0;
	if (classes > 1)
		sdc_grouprecords_list(p->class, records, classes, &p->members);
	sdc_free(p->class);
	return classes;
}

/* sdc_binning_open: see bins.h. */
SdcBinning *
sdc_binning_open(SdcSource *source, const int *attribute, int attributes, bool ranges)
{
	SdcBinning *p = palloc0(sizeof(SdcBinning));

	p->source = source;
	p->attribute = attribute;
	p->bins = palloc0(sizeof(SdcBins));
	p->bins->attributes = attributes;
	p->bins->value = palloc(sizeof(double *) * attributes);
	p->classes = find_classes(p);
	if (ranges)
		find_ranges(p);
	return p;
}

/* sdc_binning_partition: see bins.h. */
SdcBins *
sdc_binning_partition(SdcBinning *p, const SdcBinRequest *request)
{
	ClassTask	task;
	int			attributes = p->bins->attributes;
	uint64		done = 0;

	p->request = request;
	p->bins->bins = 0;
	task.value = palloc(sizeof(double *) * attributes);
	task.low = palloc(sizeof(double) * attributes);
	task.range = palloc(sizeof(double) * attributes);
	task.width = palloc(sizeof(double) * attributes);
	for (uint32 c = 0; c < p->classes; c++)
	{
		bool		single = p->members.member == NULL;
		uint32		record = single ? 0 : sdc_grouprecords_of(&p->members, c)[0];
		uint64		records = single ? p->source->records : sdc_grouprecords_count(&p->members, c);
		SdcReportScope before = SDC_REPORT_WITHIN(done, done + records, p->source->records);

		class_task(p, record, p->class_stratum[c], &task);
		p->bins->bins += partition_class(p, c, &task);
		SDC_REPORT_BACK(before);
		done += records;
		CHECK_FOR_INTERRUPTS();
	}
	p->bins->singles = count_singles(p->bins, p->source->records);
	pfree(task.value);
	pfree(task.low);
	pfree(task.range);
	pfree(task.width);
	return p->bins;
}

/* sdc_bins_make: see bins.h. */
SdcBins *
sdc_bins_make(const SdcBinRequest *request, SdcSource *source, const int *attribute, int attributes)
{
	SdcBinning *p = sdc_binning_open(source, attribute, attributes, request->kind == SDC_BIN_EQUIWIDTH);
	SdcBins    *bins = sdc_binning_partition(p, request);

	if (p->members.member != NULL)
		sdc_grouprecords_free(&p->members);
	return bins;
}

/* sdc_bins_check_depth insists on a depth of no more than all records, or units. */
void
sdc_bins_check_depth(uint32 depth, uint64 records, const char *of)
{
	if (depth > records)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("argument \"depth\" is larger than the number of %s", of),
				 records < 2 ? errhint("At least 2 %s are needed.", of) :
				 errhint("It must be between 2 and " UINT64_FORMAT ".", records)));
}
