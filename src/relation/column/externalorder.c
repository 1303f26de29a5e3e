/*-------------------------------------------------------------------------
 *
 * externalorder.c
 *		The sorted order of one attribute's values, through temporary files.
 *
 * The elements are put into parts that follow each other in the order, by splitters from a sample, until a part
 * can be sorted in memory.  The order is by stratum, value, tie word and record, as in ordering.c; the tie words
 * are random, so that also a column of one value falls into parts.  Where the splitters lie changes times, and
 * nothing else.
 *
 * Time O(n) for each level of parts, of which there is one up to some hundred times the memory, and that of sorting the
 * parts; 20 bytes an element and its value in temporary files.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "relation/base/progress.h"
#include "relation/column/externalorder.h"
#include "relation/column/gather.h"
#include "utils/datum.h"

/* Parts that one pass makes at most, and elements of the sample for each. */
#define PARTS_MOST 256
#define PARTS_ENOUGH 128
#define SAMPLE_A_PART 48

/* Larger parts than this do not fit the processor's caches. */
#define PART_BYTES (UINT64CONST(8) * 1024 * 1024)

/* Elements of the column, in the order of their records. */
typedef struct Part
{
	SdcColumn  *value;
	SdcColumn  *tie;			/* int8: tie word and record */
	SdcColumn  *stratum;		/* int4, NULL: there is one only */
	int32		first;			/* the lowest stratum */
	int32		last;
} Part;

/* An element, as it is compared with splitters. */
typedef struct Element
{
	int32		stratum;
	uint32		tie;
	uint64		key;			/* of types that have one */
	Datum		value;			/* of the others */
} Element;

/* Elements that parts begin with, but for the first part. */
typedef struct Splitters
{
	uint32		count;
	Element    *element;
	uint64	   *key;			/* theirs, where they alone say which is the first; else NULL */
} Splitters;

/* A build at work. */
typedef struct Build
{
	const SdcOrderingTask *task;
	bool		by_key;
	uint64		memory;			/* of a part being sorted, */
	MemoryContext context;		/* which outlives the parts */
	SdcSpool   *spool;			/* of the parts */
	SdcSpool   *result;
	SdcSortedColumn *sorted;
	int32		stratum;		/* at hand */
	uint64		length;			/* its positions so far */
} Build;

/* Elements being read: those of the task's column, or those of a part. */
typedef struct Elements
{
	const Build *build;
	SdcColumnReader *value;
	SdcColumnReader *tie;		/* NULL: tie words are drawn, and records counted */
	SdcColumnReader *stratum;
	SdcStream  *stream;
	uint64		left;
	uint32		next;			/* number of the next record */
	uint32		record;			/* of the element at hand */
} Elements;

/* elements_open opens a part, or with NULL the task's column. */
static void
elements_open(Elements *elements, const Build *build, const Part *part)
{
	const SdcOrderingTask *task = build->task;
	SdcColumn  *value = part == NULL ? task->column : part->value;
	SdcColumn  *stratum = part == NULL ? task->stratum : part->stratum;

	memset(elements, 0, sizeof(Elements));
	elements->build = build;
	elements->value = sdc_column_open(value);
	elements->left = sdc_column_count(value);
	if (stratum != NULL)
		elements->stratum = sdc_column_open(stratum);
	if (part != NULL)
		elements->tie = sdc_column_open(part->tie);
	else if (task->random != NULL)
		elements->stream = sdc_ordering_ties(task);
}

/* elements_next fetches the next element; false: there is none. */
static inline bool
elements_next(Elements *elements, Element *element)
{
	for (; elements->left > 0; elements->left--)
	{
		bool		valid = sdc_column_next(elements->value, &element->value);
		Datum		datum = Int32GetDatum(0);

		if (elements->stratum != NULL)
			(void) sdc_column_next(elements->stratum, &datum);
		element->stratum = DatumGetInt32(datum);
		if (elements->tie == NULL)
		{
			elements->record = elements->next++;
			element->tie = elements->stream == NULL ? elements->record : sdc_stream_next32(elements->stream);
		}
		else
		{
			(void) sdc_column_next(elements->tie, &datum);
			element->tie = sdc_pair_first(datum);
			elements->record = sdc_pair_second(datum);
		}
		if (!valid)
			continue;
		if (elements->build->by_key)
			element->key = sdc_type_key(elements->build->task->type, element->value);
		elements->left--;
		return true;
	}
	return false;
}

/* elements_close closes them. */
static void
elements_close(Elements *elements)
{
	sdc_column_close(elements->value);
	if (elements->stratum != NULL)
		sdc_column_close(elements->stratum);
	if (elements->tie != NULL)
		sdc_column_close(elements->tie);
	if (elements->stream != NULL)
		sdc_random_verify(elements->build->task->random);
}

/* compare_elements is the order of elements, but for that of equal ones, which are in the order of their records. */
static inline int
compare_elements(const Build *build, const Element *a, const Element *b)
{
	int			result = 0;

	if (a->stratum != b->stratum)
		return a->stratum < b->stratum ? -1 : 1;
	if (!build->by_key)
		result = sdc_type_compare(build->task->type, a->value, b->value);
	else if (a->key != b->key)
		return a->key < b->key ? -1 : 1;
	if (result == 0 && a->tie != b->tie)
		return a->tie < b->tie ? -1 : 1;
	return result;
}

/* compare_sampled is that for qsort_arg. */
static int
compare_sampled(const void *a, const void *b, void *arg)
{
	return compare_elements(arg, a, b);
}

/*
 * draw_sample copies elements that lie about evenly over a part: one of every step, at places that no order of the
 * records follows.
 */
static uint32
draw_sample(const Build *build, const Part *part, uint64 count, uint32 most, Element *sample)
{
	const SdcType *type = build->task->type;
	Elements	elements;
	Element		element;
	uint64		step = Max(1, count / most);
	uint64		number = 0;
	uint64		place = 0;
	uint32		drawn = 0;

	elements_open(&elements, build, part);
	while (drawn < most && elements_next(&elements, &element))
	{
		if (number++ != place)
			continue;
		if (!build->by_key)
			element.value = datumCopy(element.value, type->typbyval, type->typlen);
		sample[drawn++] = element;
		place = drawn * step + ((uint64) drawn * UINT64CONST(0x9E3779B97F4A7C15) >> 32) % step;
	}
	elements_close(&elements);
	qsort_arg(sample, drawn, sizeof(Element), compare_sampled, unconstify(Build *, build));
	return drawn;
}

/* choose_splitters takes every so manieth element of a sample; parts begin with them. */
static void
choose_splitters(const Build *build, Element *sample, uint32 drawn, uint32 parts, Splitters *splitters)
{
	splitters->element = sample;
	splitters->count = 0;
	splitters->key = NULL;
	for (uint32 i = 1; i < parts; i++)
	{
		Element    *element = &sample[(uint64) drawn * i / parts];

		if (splitters->count == 0 || compare_elements(build, &sample[splitters->count - 1], element) < 0)
			sample[splitters->count++] = *element;
	}
	if (!build->by_key || build->task->stratum != NULL)
		return;
	splitters->key = palloc(sizeof(uint64) * parts);
	for (uint32 i = 0; i < splitters->count; i++)
		splitters->key[i] = sample[i].key;
}

/* search_part returns how many splitters are not above an element. */
static uint32
search_part(const Build *build, const Splitters *splitters, const Element *element)
{
	uint32		count = splitters->count;
	uint32		low = 0;

	while (count > 0)
	{
		uint32		half = count / 2;

		if (compare_elements(build, &splitters->element[low + half], element) <= 0)
		{
			low += half + 1;
			count -= half + 1;
		}
		else
			count = half;
	}
	return low;
}

/* find_part does so too; mostly the keys tell, and they are searched without a branch that could be mispredicted. */
static inline uint32
find_part(const Build *build, const Splitters *splitters, const Element *element)
{
	const uint64 *low = splitters->key;
	uint32		count = splitters->count;

	if (low == NULL || count == 0)
		return search_part(build, splitters, element);
	while (count > 1)
	{
		uint32		half = count / 2;

		low = low[half - 1] < element->key ? low + half : low;
		count -= half;
	}
	low += *low < element->key;
	if (low < splitters->key + splitters->count && *low == element->key)
		return search_part(build, splitters, element);
	return (uint32) (low - splitters->key);
}

/* create_part makes an empty part. */
static void
create_part(const Build *build, Part *part)
{
	part->value = sdc_column_create(build->spool, sdc_column_type(build->task->column));
	part->tie = sdc_column_create(build->spool, INT8OID);
	part->stratum = build->task->stratum == NULL ? NULL : sdc_column_create(build->spool, INT4OID);
	part->first = PG_INT32_MAX;
	part->last = 0;
}

/* finish_part ends writing a part. */
static void
finish_part(Part *part)
{
	sdc_column_finish(part->value);
	sdc_column_finish(part->tie);
	if (part->stratum != NULL)
		sdc_column_finish(part->stratum);
}

/* destroy_part frees a part. */
static void
destroy_part(Part *part)
{
	sdc_column_destroy(part->value);
	sdc_column_destroy(part->tie);
	if (part->stratum != NULL)
		sdc_column_destroy(part->stratum);
}

/* put_element adds an element to a part. */
static inline void
put_element(Part *part, const Element *element, uint32 record)
{
	sdc_column_append(part->value, element->value, false);
	sdc_column_append(part->tie, sdc_pair_datum(element->tie, record), false);
	if (part->stratum == NULL)
		return;
	sdc_column_append(part->stratum, Int32GetDatum(element->stratum), false);
	part->first = Min(part->first, element->stratum);
	part->last = Max(part->last, element->stratum);
}

/* distribute puts the elements of a part, or with NULL those of the column, into parts. */
static void
distribute(const Build *build, const Part *part, const Splitters *splitters, Part *parts)
{
	Elements	elements;
	Element		element;

	for (uint32 i = 0; i <= splitters->count; i++)
		create_part(build, &parts[i]);
	elements_open(&elements, build, part);
	while (elements_next(&elements, &element))
	{
		put_element(&parts[find_part(build, splitters, &element)], &element, elements.record);
		if (part == NULL && elements.record % 65536 == 0)
			sdc_progress_records(elements.record);
	}
	elements_close(&elements);
	for (uint32 i = 0; i <= splitters->count; i++)
		finish_part(&parts[i]);
}

/* part_task is the ordering of a part by itself. */
static SdcOrderingTask
part_task(const Build *build, const Part *part)
{
	SdcOrderingTask task = *build->task;

	task.kept = NULL;			/* that of the column, not of a part of it */
	task.column = part->value;
	task.random = NULL;
	task.stratum = NULL;
	task.strata = 1;
	if (part->stratum != NULL && part->first < part->last)
	{
		task.stratum = part->stratum;
		task.first_stratum = part->first;
		task.strata = (uint64) (part->last - part->first) + 1;
	}
	return task;
}

/* part_memory returns the bytes that sorting a part in memory takes. */
static uint64
part_memory(const Build *build, const Part *part)
{
	SdcOrderingTask task = part_task(build, part);

	return sdc_ordering_memory(&task) + sdc_arena_bytes(sdc_column_loaded_size(part->value), 1) +
		2 * sdc_arena_bytes(sdc_column_count(part->value), sizeof(uint32));
}

/* end_stratum notes how long a stratum was. */
static void
end_stratum(Build *build)
{
	SdcSortedColumn *sorted = build->sorted;

	if (build->length == 0)
		return;
	sdc_column_append(sorted->length, Int64GetDatum((int64) build->length), false);
	sdc_column_append(sorted->stratum, Int32GetDatum(build->stratum), false);
	sorted->longest = Max(sorted->longest, build->length);
	build->length = 0;
}

/* write_part writes a part that is ordered. */
static void
write_part(Build *build, const Part *part, const SdcOrdering *ordering, const Datum *values, const uint32 *record)
{
	SdcSortedColumn *sorted = build->sorted;

	for (uint32 s = 0; s < ordering->strata; s++)
	{
		int32		stratum = part->stratum == NULL ? 0 : part->first + (int32) s;

		if (ordering->start[s + 1] == ordering->start[s])
			continue;
		if (stratum != build->stratum)
			end_stratum(build);
		build->stratum = stratum;
		build->length += ordering->start[s + 1] - ordering->start[s];
	}
	for (uint32 i = 0; i < ordering->count; i++)
	{
		uint32		element = ordering->order[i];

		sdc_column_append(sorted->record, Int32GetDatum((int32) record[element]), false);
		sdc_column_append(sorted->value, values[element], false);
	}
	sorted->count += ordering->count;
}

/* sort_part sorts a part in memory and writes it. */
static void
sort_part(Build *build, const Part *part)
{
	SdcOrderingTask task = part_task(build, part);
	uint64		count = sdc_column_count(part->value);
	uint64		size = sdc_column_loaded_size(part->value);
	SdcColumnReader *reader = sdc_column_open(part->tie);
	MemoryContext before = CurrentMemoryContext;
	SdcOrdering *ordering;
	uint32	   *record;
	uint32	   *tie;
	Datum	   *values;

	MemoryContextSwitchTo(build->context);
	sdc_arena_reserve(task.arena, part_memory(build, part));
	MemoryContextSwitchTo(before);
	values = sdc_column_load(part->value, sdc_arena_take(task.arena, size, 1));
	record = sdc_arena_take(task.arena, count, sizeof(uint32));
	tie = sdc_arena_take(task.arena, count, sizeof(uint32));
	for (uint64 i = 0; i < count; i++)
	{
		Datum		pair;

		(void) sdc_column_next(reader, &pair);
		tie[i] = sdc_pair_first(pair);
		record[i] = sdc_pair_second(pair);
	}
	sdc_column_close(reader);
	task.tie = tie;
	ordering = sdc_ordering_build(&task, values);
	write_part(build, part, ordering, values, record);
	sdc_free(ordering);
}

static void split(Build *build, const Part *part, uint64 memory);

/* settle sorts a part, or has it split. */
static void
settle(Build *build, Part *part)
{
	uint64		memory = part_memory(build, part);

	if (sdc_column_count(part->value) > 1 && memory > build->memory)
		split(build, part, memory);
	else if (sdc_column_count(part->value) > 0)
		sort_part(build, part);
}

/* split sorts a part that takes so much memory, or with NULL the column, part by part. */
static void
split(Build *build, const Part *part, uint64 memory)
{
	uint64		count = part == NULL ? sdc_column_count(build->task->column) -
		sdc_column_null_count(build->task->column) : sdc_column_count(part->value);
	/* a third more than they need, as parts are not equal */
	uint32		wanted = (uint32) Min(PARTS_MOST, Min(count, memory / (build->memory / 4 * 3) + 2));
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext, "sdc parts", ALLOCSET_DEFAULT_SIZES);
	MemoryContext before = MemoryContextSwitchTo(context);
	Element    *sample = sdc_memory_array((uint64) wanted * SAMPLE_A_PART, sizeof(Element));
	Part	   *parts = palloc(sizeof(Part) * (wanted + 1));
	Splitters	splitters;
	uint32		drawn = draw_sample(build, part, count, wanted * SAMPLE_A_PART, sample);

	choose_splitters(build, sample, drawn, wanted, &splitters);
	distribute(build, part, &splitters, parts);
	for (uint32 i = 0; i <= splitters.count; i++)
	{
		/* equal in all that is compared, and so in the order of their records */
		if (part != NULL && sdc_column_count(parts[i].value) == count)
			sort_part(build, &parts[i]);
		else
			settle(build, &parts[i]);
		destroy_part(&parts[i]);
	}
	MemoryContextSwitchTo(before);
	MemoryContextDelete(context);
}

/* sdc_externalorder_build: see externalorder.h. */
void
sdc_externalorder_build(const SdcOrderingTask *task, uint64 memory, SdcSpool *spool, SdcSortedColumn *sorted)
{
	Build		build = {.task = task, .by_key = task->type->key != SDC_KEY_NONE, .memory = memory / 4 * 3,
	.context = CurrentMemoryContext, .result = spool, .sorted = sorted, .stratum = -1};
	uint64		needed = sdc_ordering_memory(task) + sdc_column_loaded_size(task->column) +
		2 * sizeof(uint32) * sdc_column_count(task->column);

	build.memory = Min(build.memory, Max(PART_BYTES, needed / PARTS_ENOUGH));
	memset(sorted, 0, sizeof(SdcSortedColumn));
	sorted->record = sdc_column_create(spool, INT4OID);
	sorted->value = sdc_column_create(spool, sdc_column_type(task->column));
	sorted->length = sdc_column_create(spool, INT8OID);
	sorted->stratum = sdc_column_create(spool, INT4OID);
	build.spool = sdc_spool_create(memory / 4, (int) Min(PARTS_MOST, needed / build.memory + 2) * 3);
	if (sdc_column_count(task->column) > sdc_column_null_count(task->column))
		split(&build, NULL, needed);
	end_stratum(&build);
	sdc_spool_destroy(build.spool);
	sdc_arena_free(task->arena);
	sdc_column_finish(sorted->record);
	sdc_column_finish(sorted->value);
	sdc_column_finish(sorted->length);
	sdc_column_finish(sorted->stratum);
}

/* sdc_externalorder_destroy: see externalorder.h. */
void
sdc_externalorder_destroy(SdcSortedColumn *sorted)
{
	sdc_column_destroy(sorted->record);
	sdc_column_destroy(sorted->value);
	sdc_column_destroy(sorted->length);
	sdc_column_destroy(sorted->stratum);
}
