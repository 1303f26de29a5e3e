/*-------------------------------------------------------------------------
 *
 * inferencegroups.c
 *		The combinations of values of two files, put together by all attributes but a few.
 *
 * Distinct combinations of both files are numbered in lexicographic order.  Those that agree in all attributes but
 * those of a set agree in the attributes before the lowest of the set, w, which is an interval of these numbers, and in
 * those after w that are not in the set.  The latter are a partition: its classes are kept together by a stable
 * distribution by each attribute in turn, from the last to the first; from there a stable distribution by interval puts
 * together what agrees.  Sets are visited from the highest attribute to the lowest: a set and the same with a lower
 * attribute added have the partition above both in common.  So each set costs two distributions, and a partition is
 * kept for each attribute of a set.  No hashing: the time does not depend on luck.
 *
 * A missing value is not replaced: combinations agree only if they lack the same values, of the attributes of the set
 * too.  (For equality of combinations, missing equals missing.)
 *
 * Time: O(n + codes) for each set of attributes, and O(m (n + codes)) for m attributes before.
 * Memory: about 100 bytes for each record, however many attributes, and 16 for each attribute of a set after the first.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include "kernel/base/codesort.h"
#include "kernel/groups/inferencegroups.h"

/* What combinations that agree have in common. */
typedef struct Common
{
	uint32		total;			/* originals */
	uint32		most;			/* originals of the most frequent of these combinations */
	uint32		mosts;			/* how many combinations are that frequent */
	uint32		least;			/* originals of the least frequent one, UINT32_MAX: none */
	uint32		second;			/* and of the next, which may be as many */
} Common;

/* sdc_inferencegroups_room: see inferencegroups.h. */
void
sdc_inferencegroups_room(SdcInferenceGroups *groups, uint32 codes)
{
	groups->count = sdc_alloc_room(groups->count, &groups->count_size, codes + 1, sizeof(uint32));
	memset(groups->count, 0, ((Size) codes + 1) * sizeof(uint32));
}

/* ------------------------------------------------------------------------
 * The distinct combinations
 * ------------------------------------------------------------------------
 */

/* element_code is the code of an element in an attribute; a missing one is that after all others. */
static inline uint32
element_code(const SdcInferenceGroups *groups, const SdcPairColumn *column, uint32 element)
{
	uint32		code = element < groups->records ? column->original[element] :
		column->protected[element - groups->records];

	return code < column->codes ? code : column->codes;
}

/* load_elements takes the codes of all elements in an attribute. */
static void
load_elements(const SdcInferenceGroups *groups, const SdcPairColumn *column, uint32 *value)
{
	uint32		n = groups->records;

	for (uint32 start = 0, end; start < n; start = end)
	{
		end = sdc_interrupts_block(start, n);
		for (uint32 i = start; i < end; i++)
			value[i] = column->original[i] < column->codes ? column->original[i] : column->codes;
		for (uint32 i = start; i < end; i++)
			value[n + i] = column->protected[i] < column->codes ? column->protected[i] : column->codes;
	}
}

/* sort_elements returns the elements in the order of all attributes. */
static uint32 *
sort_elements(SdcInferenceGroups *groups, uint32 *value)
{
	uint32		n = 2 * groups->records;
	uint32	   *order = sdc_alloc_array(uint32, n);

	for (uint32 i = 0; i < n; i++)
	{
		sdc_interrupts_step(i);
		order[i] = i;
	}
	for (int w = groups->attributes - 1; w >= 0; w--)
	{
		SdcCodesort sort = {value, 1, groups->column[w].codes, NULL};
		uint32	   *sorted = groups->spare;

		load_elements(groups, &groups->column[w], value);
		sdc_inferencegroups_room(groups, groups->column[w].codes);
		sdc_codesort_pass(&sort, order, sorted, n, groups->count, &groups->credit);
		groups->spare = order;
		order = sorted;
	}
	return order;
}

/*
 * find_differences writes to differs[i] the first attribute in which the element in place i is
 * not as that in place i - 1; as many as there are attributes: in none.
 */
static void
find_differences(const SdcInferenceGroups *groups, const uint32 *order, uint32 *value, uint16 *differs)
{
	uint32		n = 2 * groups->records;

	for (uint32 i = 0; i < n; i++)
		differs[i] = (uint16) groups->attributes;
	for (int w = groups->attributes - 1; w >= 0; w--)
	{
		uint32		before;

		load_elements(groups, &groups->column[w], value);
		before = value[order[0]];
		for (uint32 start = 0, end; start < n; start = end)
		{
			end = sdc_interrupts_block(start, n);
			for (uint32 i = start; i < end; i++)
			{
				uint32		here = value[order[i]];

				differs[i] = here != before ? (uint16) w : differs[i];
				before = here;
			}
		}
	}
	differs[0] = 0;
}

/* create_combinations allocates what there is of each combination. */
static void
create_combinations(SdcInferenceGroups *groups, uint32 combinations)
{
	groups->element = sdc_alloc_array(uint32, combinations);
	groups->originals = sdc_alloc_zeros(uint32, combinations);
	groups->release = sdc_alloc_array(uint32, combinations);
	groups->differs = sdc_alloc_array(uint16, combinations);
	groups->value = sdc_alloc_array(uint32, combinations);
	groups->prefix = sdc_alloc_array(uint32, combinations);
	groups->place = sdc_alloc_array(uint32, combinations);
}

/* add_element makes the element the next one of a combination. */
static inline void
add_element(SdcInferenceGroups *groups, uint32 element, uint32 number)
{
	groups->number[element] = number;
	if (element < groups->records)
		groups->originals[number]++;
	else if (groups->release[number] == SDC_RELEASE_NONE)
		groups->release[number] = groups->releases++;
}

/* number_combinations finds the distinct combinations of the sorted elements. */
static void
number_combinations(SdcInferenceGroups *groups, const uint32 *order, const uint16 *differs)
{
	uint32		n = 2 * groups->records;
	uint32		combinations = 0;

	for (uint32 i = 0; i < n; i++)
	{
		sdc_interrupts_step(i);
		combinations += i == 0 || differs[i] < groups->attributes;
	}
	create_combinations(groups, combinations);
	for (uint32 i = 0; i < n; i++)
	{
		sdc_interrupts_step(i);
		if (i == 0 || differs[i] < groups->attributes)
		{
			uint32		number = groups->combinations++;

			groups->element[number] = order[i];
			groups->release[number] = SDC_RELEASE_NONE;
			groups->differs[number] = differs[i];
		}
		add_element(groups, order[i], groups->combinations - 1);
	}
}

/* sdc_inferencegroups_load: see inferencegroups.h. */
void
sdc_inferencegroups_load(SdcInferenceGroups *groups, int attribute)
{
	const SdcPairColumn *column = &groups->column[attribute];
	uint32		prefix = 0;

	groups->missing = false;
	for (uint32 t = 0; t < groups->combinations; t++)
	{
		sdc_interrupts_step(t);
		if (groups->differs[t] < attribute)
			prefix = t;
		groups->value[t] = element_code(groups, column, groups->element[t]);
		groups->missing = groups->missing || groups->value[t] == column->codes;
		groups->prefix[t] = prefix;
		groups->place[t] = t;
	}
}

/* ------------------------------------------------------------------------
 * Combinations that agree
 * ------------------------------------------------------------------------
 */

/* add_combination adds what one combination tells of those that it agrees with. */
static inline void
add_combination(Common *common, uint32 originals)
{
	if (originals == 0)
		return;
	common->total += originals;
	if (originals > common->most)
	{
		common->most = originals;
		common->mosts = 0;
	}
	common->mosts += originals == common->most;
	if (originals < common->least)
	{
		common->second = common->least;
		common->least = originals;
	}
	else if (originals < common->second)
		common->second = originals;
}

/*
 * add_group notes what agrees with members of a group; those that lack the value of the attribute that was loaded
 * differ.
 */
static void
add_group(SdcInferenceGroups *groups, uint32 codes, const uint32 *member, uint32 members)
{
	Common		common[2] = {{.least = UINT32_MAX, .second = UINT32_MAX}, {.least = UINT32_MAX, .second = UINT32_MAX}};

	sdc_interrupts_spend(&groups->credit, members);
	for (uint32 i = 0; i < members; i++)
		add_combination(&common[groups->value[member[i]] == codes], groups->originals[member[i]]);
	for (uint32 i = 0; i < members; i++)
	{
		uint32		release = groups->release[member[i]];
		const Common *here = &common[groups->value[member[i]] == codes];

		if (release != SDC_RELEASE_NONE)
			groups->agreeing[release] = (SdcAgreeing)
		{
			here->total, here->most, here->mosts,
				groups->originals[member[i]] == here->least ? here->second : here->least
		};
	}
}

/* group_combinations puts together what agrees before and after the attribute that was loaded. */
static void
group_combinations(SdcInferenceGroups *groups, const SdcPartition *partition, uint32 codes)
{
	const uint32 *prefix = groups->prefix;
	const uint32 *suffix = partition->suffix;
	uint32	   *grouped = groups->spare;
	uint32		n = groups->combinations;

	for (uint32 start = 0, end; start < n; start = end)
	{
		end = sdc_interrupts_block(start, n);
		for (uint32 i = start; i < end; i++)
			grouped[groups->place[prefix[partition->order[i]]]++] = partition->order[i];
	}
	for (uint32 start = 0, end; start < n; start = end)
	{
		uint32		first = grouped[start];

		for (end = start + 1; end < n; end++)
			if (prefix[grouped[end]] != prefix[first] || suffix[grouped[end]] != suffix[first])
				break;
		add_group(groups, codes, grouped + start, end - start);
	}
}

/* refine orders the combinations of a partition by further values too, and numbers its classes. */
static void
refine(SdcInferenceGroups *groups, SdcPartition *partition, const uint32 *value, uint32 codes)
{
	uint32	   *suffix = partition->suffix;
	uint32	   *sorted = groups->spare;
	uint32		n = groups->combinations;
	uint32		class = 0;
	uint32		before = 0;
	uint32		last = 0;
	SdcCodesort sort = {value, 1, codes, NULL};

	sdc_inferencegroups_room(groups, codes);
	sdc_codesort_pass(&sort, partition->order, sorted, n, groups->count, &groups->credit);
	groups->spare = partition->order;
	partition->order = sorted;
	for (uint32 i = 0; i < n; i++)
	{
		uint32		t = sorted[i];

		sdc_interrupts_step(i);
		/* only the one before has its new class already: before is its old one */
		if (i > 0 && (suffix[t] != before || value[t] != last))
			class = i;
		before = suffix[t];
		last = value[t];
		suffix[t] = class;
	}
}

/* refine_missing parts the combinations that have no value in the attribute that was loaded from the others. */
static void
refine_missing(SdcInferenceGroups *groups, SdcPartition *partition, uint32 codes)
{
	uint32	   *missing;

	if (!groups->missing)
		return;
	missing = sdc_alloc_array(uint32, groups->combinations);
	for (uint32 t = 0; t < groups->combinations; t++)
	{
		sdc_interrupts_step(t);
		missing[t] = groups->value[t] == codes;
	}
	refine(groups, partition, missing, 2);
	sdc_free(missing);
}

/* open_partition copies a partition to the next one, which leaves out the attribute that was loaded. */
static void
open_partition(SdcInferenceGroups *groups, SdcPartition *partition, uint32 codes)
{
	Size		bytes = (Size) groups->combinations * sizeof(uint32);

	SDC_CHECK_INTERRUPTS();
	memcpy(partition[1].order, partition[0].order, bytes);
	memcpy(partition[1].suffix, partition[0].suffix, bytes);
	refine_missing(groups, partition + 1, codes);
}

/* visit_below visits the sets that have these attributes, and some more that are below a limit. */
static void
visit_below(SdcInferenceGroups *groups, int *set, int size, int depth, int limit, SdcInferenceVisit visit, void *arg)
{
	SdcPartition *partition = &groups->partition[size];

	for (int w = limit - 1; w >= groups->first; w--)
	{
		uint32		codes = groups->column[w].codes;
		bool		deeper = size + 1 < depth && w > groups->first;

		sdc_inferencegroups_load(groups, w);
		set[size] = w;
		group_combinations(groups, partition, codes);
		visit(arg, set, size + 1);
		if (deeper)
			open_partition(groups, partition, codes);
		if (w > groups->first)
			refine(groups, partition, groups->value, codes);
		if (deeper)
			visit_below(groups, set, size + 1, depth, w, visit, arg);
	}
}

/* start_partition makes the first partition one class of all combinations. */
static void
start_partition(SdcInferenceGroups *groups)
{
	for (uint32 t = 0; t < groups->combinations; t++)
	{
		sdc_interrupts_step(t);
		groups->partition[0].order[t] = t;
		groups->partition[0].suffix[t] = 0;
	}
}

/* sdc_inferencegroups_few: see inferencegroups.h. */
void
sdc_inferencegroups_few(SdcInferenceGroups *groups, int depth, SdcInferenceVisit visit, void *arg)
{
	int		   *set = sdc_alloc_array(int, depth);

	start_partition(groups);
	visit_below(groups, set, 0, depth, groups->attributes, visit, arg);
	sdc_free(set);
}

/* sdc_inferencegroups_all: see inferencegroups.h. */
void
sdc_inferencegroups_all(SdcInferenceGroups *groups, SdcInferenceVisit visit, void *arg)
{
	int			size = groups->attributes - groups->first;
	int		   *set = sdc_alloc_array(int, size);

	start_partition(groups);
	for (int w = groups->attributes - 1; w >= groups->first; w--)
	{
		set[groups->attributes - 1 - w] = w;
		sdc_inferencegroups_load(groups, w);
		if (w > groups->first)
			refine_missing(groups, &groups->partition[0], groups->column[w].codes);
	}
	group_combinations(groups, &groups->partition[0], groups->column[groups->first].codes);
	visit(arg, set, size);
	sdc_free(set);
}

/* sdc_inferencegroups_create: see inferencegroups.h. */
void
sdc_inferencegroups_create(SdcInferenceGroups *groups, int depth)
{
	uint32		n = 2 * groups->records;
	uint32	   *value = sdc_alloc_array(uint32, n);
	uint16	   *differs = sdc_alloc_array(uint16, n);
	uint32	   *order;

	SDC_ASSERT(groups->records > 0 && groups->records <= UINT32_MAX / 2 && depth > 0);
	SDC_ASSERT(groups->first < groups->attributes && groups->attributes < UINT16_MAX);
	groups->number = sdc_alloc_array(uint32, n);
	groups->spare = sdc_alloc_array(uint32, n);
	order = sort_elements(groups, value);
	find_differences(groups, order, value, differs);
	number_combinations(groups, order, differs);
	sdc_free(order);
	sdc_free(value);
	sdc_free(differs);
	sdc_free(groups->spare);
	groups->spare = sdc_alloc_array(uint32, groups->combinations);
	groups->agreeing = sdc_alloc_array(SdcAgreeing, groups->releases);
	groups->partitions = depth;
	groups->partition = sdc_alloc_array(SdcPartition, depth);
	for (int i = 0; i < depth; i++)
	{
		groups->partition[i].order = sdc_alloc_array(uint32, groups->combinations);
		groups->partition[i].suffix = sdc_alloc_array(uint32, groups->combinations);
	}
}

/* sdc_inferencegroups_destroy: see inferencegroups.h. */
void
sdc_inferencegroups_destroy(SdcInferenceGroups *groups)
{
	for (int i = 0; i < groups->partitions; i++)
	{
		sdc_free(groups->partition[i].order);
		sdc_free(groups->partition[i].suffix);
	}
	sdc_free(groups->partition);
	sdc_free(groups->agreeing);
	sdc_free(groups->number);
	sdc_free(groups->element);
	sdc_free(groups->originals);
	sdc_free(groups->release);
	sdc_free(groups->differs);
	sdc_free(groups->value);
	sdc_free(groups->prefix);
	sdc_free(groups->place);
	sdc_free(groups->spare);
	if (groups->count != NULL)
		sdc_free(groups->count);
}
