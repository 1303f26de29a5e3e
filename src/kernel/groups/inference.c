/*-------------------------------------------------------------------------
 *
 * inference.c
 *		What an intruder who knows the original frequencies infers from random anonymization.
 *
 * W. Yang and S. Qiao, "A novel anonymization algorithm: privacy protection and knowledge
 * preservation", Expert Systems with Applications 37 (2010), equation (6).
 *
 * A record with the combination q of values, of which attribute i is drawn with the probability
 * p_i, becomes q' with the probability
 *
 *	q = q'				sum of a_i over all i
 *	q differs from q' in just one attribute w, and both have a value there		a_w
 *	otherwise			0
 *
 * where a_i = p_i P_i(q'_i), P_i being the shares among the originals that have a value in
 * attribute i.  A missing value is not replaced: a record without a value in attribute i stays
 * what it is when i is drawn.  So a_i = p_i for a q'_i that is missing, and no candidate differs
 * from q' there or by a missing value.  (For equality of combinations, missing equals missing.)
 *
 * The weight of a candidate q is that probability times the number s(q) of originals with it.
 * Let n_i be the number of originals that agree with q' in all attributes but i, and have a value
 * in i; if q'_i is missing, n_i = s(q').  The weights add up to D = sum_i a_i n_i.  For each q'
 * there are
 *
 *	maximal inference probability	heaviest weight / D
 *	corrected bound on it			max(s(q') / min_i n_i, max_i max_q s(q) / n_i)
 *	amplification					heaviest / lightest weight
 *
 * The bound corrects the paper's proposition 10, whose second term, a_w / sum_i a_i, needs n_i >=
 * s(q) for all i where this holds for i = w.  The first term bounds q' itself as D >= sum_i a_i
 * min n_i, the second those that differ in i as D >= a_i n_i.  Here i runs over the attributes with
 * a_i > 0: the others cannot have been drawn.  (With q' itself among the q of the second term, that
 * includes the first, which is not computed.)  Candidates have a weight above 0.
 *
 * Without any candidate D = 0: RA 1 cannot have made the record, and there is nothing to infer.
 * Such records (of a release from elsewhere) are counted, and are in no mean, maximum or hit.
 *
 * Method: distinct combinations of both files are numbered in lexicographic order.  Those that
 * agree in all attributes but w agree in the attributes before w, which is an interval of these
 * numbers, and in those after w.  For w from the last to the first the combinations are kept in
 * the order of the attributes after w, which a stable distribution by each attribute in turn
 * makes; from there a stable distribution by interval puts together what agrees.  No hashing: the
 * time does not depend on luck.
 *
 * Time: O(m (n + codes)) for m attributes.  Memory: about 160 bytes a record,
 * however many attributes.  Sums are compensated and in the order of the combinations: the order of
 * the records does not matter to the last bit.  Limit: donors from all records, not from strata.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include <math.h>

#include "kernel/base/codesort.h"
#include "kernel/base/moments.h"
#include "kernel/groups/inference.h"

/* Weights that differ by no more than this, relatively, are equal but for rounding. */
#define TIE_TOLERANCE 1e-12

/* No combination of the release. */
#define RELEASE_NONE UINT32_MAX

/* In which attribute a record was changed: in none, or in several. */
#define CHANGED_NONE UINT16_MAX
#define CHANGED_MANY (UINT16_MAX - 1)

/* A distinct combination of values. */
typedef struct Combination
{
	/* set once */
	uint32		element;		/* one that has it: see Inference */
	uint32		originals;		/* how many originals have it */
	uint32		release;		/* its number in the release, or RELEASE_NONE */
	uint32		differs;		/* first attribute in which it is not as the combination before */

	/* for one attribute at a time */
	uint32		value;			/* its code there; codes if missing */
	uint32		prefix;			/* number of the first combination that agrees before it */
	uint32		suffix;			/* the same for those that agree after it, ascending */
	uint32		place;			/* of a prefix: where the next one goes */
} Combination;

/* A combination in the release, with what its candidates weigh. */
typedef struct Release
{
	double		chance;			/* sum of a_i */
	double		total;			/* D */
	double		heaviest;
	double		lightest;		/* infinite without candidates */
	double		bound;			/* max_i max_q s(q) / n_i */
	uint32		ties;			/* heaviest candidates */
	uint32		records;		/* with the combination in the release, */
	uint32		hits;			/* and with one of the heaviest candidates in the original */
	uint32		originals;		/* s(q') */
} Release;

/*
 * The work.  Element i < n is the original of record i, element n + i its record in the release.
 */
typedef struct Inference
{
	/* set once */
	const SdcPairs *pairs;
	const double *probability;
	uint32		records;
	uint32		elements;
	uint32	   *number;			/* of each element: its combination */
	Combination *combination;	/* in lexicographic order */
	uint32		combinations;
	Release    *release;		/* in the same order */
	uint32		releases;
	uint16	   *changed;		/* of each record: the attribute, or CHANGED_... */

	/* changes */
	uint32	   *order;			/* elements, then combinations by the attributes after one */
	uint32	   *spare;			/* the same size */
	uint32	   *value;			/* of each element: its code in an attribute */
	uint32	   *count;			/* by code */
	uint32		count_size;
	uint32		credit;
} Inference;

/* What combinations that agree in all attributes but one have in common. */
typedef struct Neighbours
{
	uint32		total;			/* originals with a value there */
	uint32		most;			/* originals of the most frequent of these combinations */
	uint32		mosts;			/* how many combinations are that frequent */
	uint32		least;			/* originals of the least frequent one, UINT32_MAX: none */
	uint32		second;			/* and of the next, which may be as many */
} Neighbours;

/*
 * clear_counts makes sure that there is a count for each code and for missing values, and clears
 * it.
 */
static void
clear_counts(Inference *inference, uint32 codes)
{
	inference->count = sdc_alloc_room(inference->count, &inference->count_size, codes + 1, sizeof(uint32));
	memset(inference->count, 0, ((Size) codes + 1) * sizeof(uint32));
}

/* swap_orders makes what was distributed the order. */
static void
swap_orders(Inference *inference)
{
	uint32	   *order = inference->order;

	inference->order = inference->spare;
	inference->spare = order;
}

/* ------------------------------------------------------------------------
 * The distinct combinations
 * ------------------------------------------------------------------------
 */

/* load_values takes the codes of all elements in an attribute; missing ones come last. */
static void
load_values(Inference *inference, const SdcPairColumn *column)
{
	uint32	   *value = inference->value;
	uint32		n = inference->records;

	for (uint32 start = 0, end; start < n; start = end)
	{
		end = sdc_interrupts_block(start, n);
		for (uint32 i = start; i < end; i++)
			value[i] = column->original[i] < column->codes ? column->original[i] : column->codes;
		for (uint32 i = start; i < end; i++)
			value[n + i] = column->protected[i] < column->codes ? column->protected[i] : column->codes;
	}
}

/* sort_elements orders the elements by one attribute, stably. */
static void
sort_elements(Inference *inference, const SdcPairColumn *column)
{
	SdcCodesort sort = {inference->value, 1, column->codes, NULL};
	uint32		credit = 0;

	load_values(inference, column);
	clear_counts(inference, column->codes);
	sdc_codesort_pass(&sort, inference->order, inference->spare, inference->elements, inference->count, &credit);
	swap_orders(inference);
}

/*
 * find_differences writes to differs[i] the first attribute in which the element in place i is
 * not as that in place i - 1; as many as there are attributes: in none.
 */
static void
find_differences(Inference *inference, uint16 *differs)
{
	const uint32 *order = inference->order;
	const uint32 *value = inference->value;
	int			attributes = inference->pairs->attributes;
	uint32		n = inference->elements;

	for (uint32 i = 0; i < n; i++)
		differs[i] = (uint16) attributes;
	for (int w = attributes - 1; w >= 0; w--)
	{
		uint32		before;

		load_values(inference, &inference->pairs->column[w]);
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

/* add_element makes the element the next one of a combination. */
static inline void
add_element(Inference *inference, uint32 element, uint32 number)
{
	Combination *combination = &inference->combination[number];

	inference->number[element] = number;
	if (element < inference->records)
	{
		combination->originals++;
		return;
	}
	if (combination->release == RELEASE_NONE)
	{
		combination->release = inference->releases++;
		memset(&inference->release[combination->release], 0, sizeof(Release));
	}
	inference->release[combination->release].records++;
}

/* number_combinations finds the distinct combinations of the sorted elements. */
static void
number_combinations(Inference *inference)
{
	uint32		n = inference->elements;
	uint16	   *differs = (uint16 *) inference->spare;
	uint32		attributes = (uint32) inference->pairs->attributes;

	find_differences(inference, differs);
	for (uint32 i = 0; i < n; i++)
	{
		sdc_interrupts_step(i);
		if (i == 0 || differs[i] < attributes)
			inference->combination[inference->combinations++] = (Combination)
		{
			.element = inference->order[i],
			.release = RELEASE_NONE,
			.differs = differs[i]
		};
		add_element(inference, inference->order[i], inference->combinations - 1);
	}
	for (uint32 t = 0; t < inference->combinations; t++)
	{
		Combination *combination = &inference->combination[t];
		Release    *release;

		sdc_interrupts_step(t);
		if (combination->release == RELEASE_NONE)
			continue;
		release = &inference->release[combination->release];
		release->originals = combination->originals;
		release->lightest = HUGE_VAL;
	}
}

/* find_changes notes in which attribute each record was changed. */
static void
find_changes(Inference *inference)
{
	const SdcPairs *pairs = inference->pairs;
	uint16	   *changed = inference->changed;

	for (uint32 start = 0, end; start < pairs->records; start = end)
	{
		end = sdc_interrupts_piece(start, pairs->records);
		for (uint32 i = start; i < end; i++)
			changed[i] = CHANGED_NONE;
		for (int w = 0; w < pairs->attributes; w++)
		{
			const uint32 *original = pairs->column[w].original;
			const uint32 *protected = pairs->column[w].protected;

			SDC_CHECK_INTERRUPTS();
			for (uint32 i = start; i < end; i++)
			{
				uint16		now = changed[i] == CHANGED_NONE ? (uint16) w : CHANGED_MANY;

				changed[i] = original[i] != protected[i] ? now : changed[i];
			}
		}
	}
}

/* ------------------------------------------------------------------------
 * Candidates that differ in one attribute
 * ------------------------------------------------------------------------
 */

/* add_candidates adds so many candidates of one weight. */
static inline void
add_candidates(Release *release, double weight, uint32 candidates)
{
	if (weight > release->heaviest * (1 + TIE_TOLERANCE))
	{
		release->heaviest = weight;
		release->ties = candidates;
	}
	else if (weight >= release->heaviest * (1 - TIE_TOLERANCE))
	{
		release->heaviest = fmax(release->heaviest, weight);
		release->ties += candidates;
	}
}

/*
 * add_neighbours adds what one combination tells of those it agrees with in all attributes but
 * one.
 */
static inline void
add_neighbours(Neighbours *neighbours, uint32 originals)
{
	if (originals == 0)
		return;
	neighbours->total += originals;
	if (originals > neighbours->most)
	{
		neighbours->most = originals;
		neighbours->mosts = 0;
	}
	neighbours->mosts += originals == neighbours->most;
	if (originals < neighbours->least)
	{
		neighbours->second = neighbours->least;
		neighbours->least = originals;
	}
	else if (originals < neighbours->second)
		neighbours->second = originals;
}

/* draw_chance is a_w of a value that is not missing. */
static inline double
draw_chance(double probability, uint32 count, uint32 present)
{
	return present > 0 ? probability * ((double) count / (double) present) : 0;
}

/*
 * add_drawn adds the candidates of a combination of the release if one attribute was drawn:
 * chance is a_w, and the neighbours include the combination itself.  If it is one of the most
 * frequent ones, the next frequent is lighter than it is itself, and cannot be the heaviest.
 */
static inline void
add_drawn(Release *release, double chance, const Neighbours *neighbours)
{
	bool		most = release->originals == neighbours->most;
	bool		least = release->originals == neighbours->least;
	uint32		lightest = least ? neighbours->second : neighbours->least;

	release->chance += chance;
	if (!(chance > 0) || neighbours->total == 0)
		return;
	release->total += chance * neighbours->total;
	release->bound = fmax(release->bound, (double) neighbours->most / neighbours->total);
	if (neighbours->mosts > (uint32) most)
		add_candidates(release, chance * neighbours->most, neighbours->mosts - most);
	if (lightest != UINT32_MAX)
		release->lightest = fmin(release->lightest, chance * lightest);
}

/*
 * add_group adds the candidates that agree in all attributes but w, of which some may be missing.
 */
static void
add_group(Inference *inference, int w, const uint32 *member, uint32 members, uint32 present)
{
	uint32		codes = inference->pairs->column[w].codes;
	Neighbours	neighbours = {.least = UINT32_MAX, .second = UINT32_MAX};

	for (uint32 i = 0; i < members; i++)
	{
		const Combination *combination = &inference->combination[member[i]];

		sdc_interrupts_spend(&inference->credit, 1);
		if (combination->value < codes)
			add_neighbours(&neighbours, combination->originals);
	}
	for (uint32 i = 0; i < members; i++)
	{
		const Combination *combination = &inference->combination[member[i]];
		Neighbours	alone = {.least = UINT32_MAX, .second = UINT32_MAX};

		sdc_interrupts_spend(&inference->credit, 1);
		if (combination->release == RELEASE_NONE)
			continue;
		if (combination->value < codes)
		{
			add_drawn(&inference->release[combination->release],
					  draw_chance(inference->probability[w],
								  inference->count[combination->value], present), &neighbours);
			continue;
		}
		/* drawn for nothing: the combination stayed what it was */
		add_neighbours(&alone, combination->originals);
		add_drawn(&inference->release[combination->release], inference->probability[w], &alone);
	}
}

/* count_originals counts the codes of the originals in an attribute; returns how many have one. */
static uint32
count_originals(Inference *inference, const SdcPairColumn *column)
{
	uint32		present = 0;

	clear_counts(inference, column->codes);
	for (uint32 i = 0; i < inference->records; i++)
	{
		sdc_interrupts_step(i);
		if (column->original[i] < column->codes)
		{
			inference->count[column->original[i]]++;
			present++;
		}
	}
	return present;
}

/* load_combinations takes the codes of the combinations in an attribute, and finds the prefixes. */
static void
load_combinations(Inference *inference, int w)
{
	const SdcPairColumn *column = &inference->pairs->column[w];
	Combination *combination = inference->combination;
	uint32		prefix = 0;

	for (uint32 t = 0; t < inference->combinations; t++)
	{
		uint32		element = combination[t].element;
		uint32		code = element < inference->records ? column->original[element] :
			column->protected[element - inference->records];

		sdc_interrupts_step(t);
		if (combination[t].differs < (uint32) w)
			prefix = t;
		combination[t].value = code < column->codes ? code : column->codes;
		combination[t].prefix = prefix;
		combination[t].place = t;
	}
}

/* visit_groups puts the combinations together that agree before and after attribute w. */
static void
visit_groups(Inference *inference, int w)
{
	Combination *combination = inference->combination;
	uint32	   *grouped = inference->spare;
	uint32		n = inference->combinations;
	uint32		present = count_originals(inference, &inference->pairs->column[w]);

	for (uint32 i = 0; i < n; i++)
	{
		uint32		t = inference->order[i];

		sdc_interrupts_step(i);
		grouped[combination[combination[t].prefix].place++] = t;
	}
	for (uint32 start = 0, end; start < n; start = end)
	{
		const Combination *first = &combination[grouped[start]];

		for (end = start + 1; end < n; end++)
		{
			const Combination *other = &combination[grouped[end]];

			sdc_interrupts_spend(&inference->credit, 1);
			if (other->prefix != first->prefix || other->suffix != first->suffix)
				break;
		}
		add_group(inference, w, grouped + start, end - start, present);
	}
}

/*
 * sort_combinations orders the combinations by attribute w too, and numbers what agrees from w on.
 */
static void
sort_combinations(Inference *inference, int w)
{
	Combination *combination = inference->combination;
	uint32		codes = inference->pairs->column[w].codes;
	uint32		n = inference->combinations;
	uint32		suffix = 0;
	uint32		before = 0;
	uint32		credit = 0;
	SdcCodesort sort = {&combination[0].value, sizeof(Combination) / sizeof(uint32), codes, NULL};

	clear_counts(inference, codes);
	sdc_codesort_pass(&sort, inference->order, inference->spare, n, inference->count, &credit);
	swap_orders(inference);
	for (uint32 i = 0; i < n; i++)
	{
		Combination *here = &combination[inference->order[i]];

		sdc_interrupts_step(i);
		/* only the one before has a new suffix already: before is its old one */
		if (i > 0 && (here->suffix != before ||
					  here->value != combination[inference->order[i - 1]].value))
			suffix = i;
		before = here->suffix;
		here->suffix = suffix;
	}
}

/* weigh_candidates visits the attributes from the last to the first. */
static void
weigh_candidates(Inference *inference)
{
	for (uint32 t = 0; t < inference->combinations; t++)
	{
		sdc_interrupts_step(t);
		inference->order[t] = t;
	}
	for (int w = inference->pairs->attributes - 1; w >= 0; w--)
	{
		load_combinations(inference, w);
		if (inference->probability[w] > 0)
			visit_groups(inference, w);
		if (w > 0)
			sort_combinations(inference, w);
		SDC_REPORT(inference->pairs->attributes - w, inference->pairs->attributes + 1);
	}
	/* the combinations themselves */
	for (uint32 t = 0; t < inference->releases; t++)
	{
		Release    *release = &inference->release[t];
		double		weight = release->chance * release->originals;

		sdc_interrupts_step(t);
		if (!(weight > 0))
			continue;
		add_candidates(release, weight, 1);
		release->lightest = fmin(release->lightest, weight);
	}
}

/* ------------------------------------------------------------------------
 * Records and results
 * ------------------------------------------------------------------------
 */

/* add_hit notes whether the original of a record is one of the heaviest candidates. */
static inline void
add_hit(Release *release, double weight)
{
	if (weight > 0 && weight >= release->heaviest * (1 - TIE_TOLERANCE))
		release->hits++;
}

/* count_hits finds the records that have their original among the heaviest candidates. */
static void
count_hits(Inference *inference, SdcInference *result)
{
	const uint32 *original = inference->number;
	const uint32 *protected = inference->number + inference->records;
	Combination *combination = inference->combination;

	for (int w = -1; w < inference->pairs->attributes; w++)
	{
		const SdcPairColumn *column = w < 0 ? NULL : &inference->pairs->column[w];
		uint16		wanted = w < 0 ? CHANGED_NONE : (uint16) w;
		uint32		present = w < 0 ? 0 : count_originals(inference, column);

		for (uint32 i = 0; i < inference->records; i++)
		{
			Release    *release;
			double		chance;

			sdc_interrupts_step(i);
			if (inference->changed[i] != wanted)
				continue;
			release = &inference->release[combination[protected[i]].release];
			if (w < 0)
			{
				chance = release->chance;
				result->unchanged++;
			}
			else if (column->original[i] < column->codes && column->protected[i] < column->codes)
				chance = draw_chance(inference->probability[w],
									 inference->count[column->protected[i]], present);
			else
				continue;
			add_hit(release, chance * combination[original[i]].originals);
		}
	}
}

/* Sums over the records. */
typedef struct Sums
{
	SdcMomentsSum mean;
	SdcMomentsSum bound;
	SdcMomentsSum amplification;
	SdcMomentsSum hits;
	uint64		records;
} Sums;

/* add_release adds the records of one combination of the release. */
static void
add_release(const Release *release, Sums *sums, SdcInference *result)
{
	double		records = release->records;
	double		probability;
	double		amplification;

	if (!(release->total > 0))
	{
		result->impossible += release->records;
		return;
	}
	/* a single candidate: rounding must not make it more than 1 */
	probability = fmin(release->heaviest / release->total, 1.0);
	amplification = release->heaviest / release->lightest;
	sdc_moments_add(&sums->mean, records * probability);
	sdc_moments_add(&sums->bound, records * release->bound);
	sdc_moments_add(&sums->amplification, records * amplification);
	sdc_moments_add(&sums->hits, (double) release->hits / release->ties);
	sums->records += release->records;
	result->maximum = fmax(result->maximum, probability);
	result->bound_maximum = fmax(result->bound_maximum, release->bound);
	result->amplification_maximum = fmax(result->amplification_maximum, amplification);
}

/* write_result adds up the combinations of the release in their order. */
static void
write_result(const Inference *inference, SdcInference *result)
{
	Sums		sums;

	memset(&sums, 0, sizeof(sums));
	for (uint32 t = 0; t < inference->releases; t++)
	{
		sdc_interrupts_step(t);
		add_release(&inference->release[t], &sums, result);
	}
	if (sums.records == 0)
		return;
	result->mean = sdc_moments_total(&sums.mean) / (double) sums.records;
	result->bound_mean = sdc_moments_total(&sums.bound) / (double) sums.records;
	result->amplification_mean = sdc_moments_total(&sums.amplification) / (double) sums.records;
	result->hits = sdc_moments_total(&sums.hits);
}

/* create_arrays allocates all but the counts. */
static void
create_arrays(Inference *inference)
{
	Size		elements = inference->elements;

	inference->number = sdc_alloc_array(uint32, elements);
	inference->order = sdc_alloc_array(uint32, elements);
	inference->spare = sdc_alloc_array(uint32, elements);
	inference->value = sdc_alloc_array(uint32, elements);
	inference->combination = sdc_alloc_array(Combination, elements);
	inference->release = sdc_alloc_array(Release, inference->records);
	inference->changed = sdc_alloc_array(uint16, inference->records);
}

/* destroy_arrays frees what create_arrays and clear_counts allocated. */
static void
destroy_arrays(Inference *inference)
{
	sdc_free(inference->number);
	sdc_free(inference->order);
	sdc_free(inference->spare);
	sdc_free(inference->value);
	sdc_free(inference->combination);
	sdc_free(inference->release);
	sdc_free(inference->changed);
	if (inference->count != NULL)
		sdc_free(inference->count);
}

/* sdc_inference_measure: see inference.h. */
void
sdc_inference_measure(const SdcPairs *pairs, const double *probability, SdcInference *result)
{
	Inference	inference = {.pairs = pairs, .probability = probability,
	.records = pairs->records, .elements = 2 * pairs->records};

	SDC_ASSERT(pairs->records <= UINT32_MAX / 2 && pairs->attributes < CHANGED_MANY);
	memset(result, 0, sizeof(*result));
	if (pairs->records == 0)
		return;
	create_arrays(&inference);
	for (uint32 i = 0; i < inference.elements; i++)
	{
		sdc_interrupts_step(i);
		inference.order[i] = i;
	}
	for (int w = pairs->attributes - 1; w >= 0; w--)
		sort_elements(&inference, &pairs->column[w]);
	number_combinations(&inference);
	find_changes(&inference);
	weigh_candidates(&inference);
	count_hits(&inference, result);
	write_result(&inference, result);
	destroy_arrays(&inference);
}
