/*-------------------------------------------------------------------------
 *
 * inference.c
 *		What an intruder who knows the original frequencies infers from random anonymization.
 *
 * W. Yang and S. Qiao, "A novel anonymization algorithm: privacy protection and knowledge
 * preservation", Expert Systems with Applications 37 (2010): equation (6), for several draws and strata as well.
 *
 * T is the set of the attributes that are drawn of a record, k of m; P_i the share of the value q'_i among the
 * originals (of the stratum) that have a value in attribute i.  An original that differs from the released combination
 * q' in just the attributes A becomes q' with the probability W(A), up to a factor that is the same for all A,
 *
 *	RA 1	W({}) = sum of F_i, W({i}) = F_i = p_i P_i, p_i the probability of attribute i
 *	RA 2	W(A) = sum of f(T) over the T that contain A, f(T) the product of F_i = P_i over T
 *			     = product of F_i over A, times e(k - |A|) of the F_i outside A; e: elementary symmetric polynomial
 *
 * RA 1 is RA 2 of k = 1 with other F_i, so there is but one formula.  A missing value is not replaced: a record without
 * a value in attribute i stays what it is when i is drawn, P_i = 1, and no candidate differs from q' there, nor by a
 * missing value.  If k = m, W does not depend on A, and F_i is 1 (0 if P_i is).
 *
 * The weight of a candidate q is W(A) s(q), s(q) the number of originals (of the stratum) with it.  Let n(A) be the
 * number of originals that agree with q' outside A and lack the same values, M(A) the largest s(q) among them, C(A) how
 * many combinations have it.  The weights add up to D = sum of f(T) n(T) over T.  For each q' there are
 *
 *	maximal inference probability	heaviest weight / D
 *	corrected bound on it			max of M(T) / n(T) over the T with f(T) > 0
 *	probability of the true one		its weight / D
 *	gamma							largest / smallest W(A) > 0 among the A in which just some original differs
 *	amplification					heaviest / lightest weight, for k = 1
 *
 * The heaviest weight is the maximum of W(A) M(A) over the A of up to k attributes: whatever agrees with q' outside A
 * differs in a part B of A, and W(B) >= W(A).  So no pair of combinations is looked at.  The heaviest candidates are
 * the sum of C(A) over the A where the maximum is.  None is counted twice as W(B) > W(A), unless all is one f(T): then
 * T is the one set that counts.  Whether some original differs in just A is told by n of all parts of A (a sum with
 * alternating signs, F. Yates, 1937).
 *
 * The bound corrects the paper's proposition 10, whose second term, a_w / sum_i a_i, needs n_i >= s(q') for all i where
 * this holds for i = w only.  It bounds a candidate that differs in A by the T that contain A: M(T) >= s(q), and D >=
 * min n(T) times W(A).
 *
 * Without any candidate D = 0: random anonymization cannot have made the record, and there is nothing to infer.
 * Such records (of a release from elsewhere) are counted, and are in no mean, maximum or hit.
 *
 * Time: O(n + codes) and O(n m k) for each of the sets A, of which there are up to sum C(m, g) over g <= k: 1 if k = m.
 * Memory: about 200 bytes and 8 for each attribute a record, 16 for each draw after the first, and 4 for each set A
 * and combination of the release if 1 < k < m; no pairs.  Sums are compensated and in the order of the combinations:
 * the order of the records does not matter to the last bit.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include <math.h>

#include "kernel/base/codesort.h"
#include "kernel/base/moments.h"
#include "kernel/groups/inference.h"
#include "kernel/groups/inferencegroups.h"

/* Weights that differ by no more than this, relatively, are equal but for rounding. */
#define TIE_TOLERANCE 1e-12

/* Combinations of the release that are weighed at a time. */
#define BLOCK 256

/*
 * Draws are fewer, unless all attributes are drawn: 14 of 15 would need 2^15 - 1 sets, more than
 * SDC_INFERENCE_GROUPINGS.
 */
#define DRAWS 14

/* A combination in the release, with what its candidates weigh. */
typedef struct Release
{
	double		chance;			/* W({}) */
	double		total;			/* D */
	double		heaviest;
	double		lightest;		/* infinite without candidates */
	double		bound;			/* max M(T) / n(T) */
	double		largest;		/* W(A) */
	double		smallest;		/* infinite without one */
	uint32		ties;			/* heaviest candidates */
	uint32		records;		/* with the combination in the release, */
	uint32		hits;			/* and with one of the heaviest candidates in the original */
	uint32		originals;		/* s(q') */
	bool		forced;			/* there is one f(T), and it has been seen */
} Release;

/* The work. */
typedef struct Inference
{
	SdcInferenceGroups groups;
	int			attributes;		/* m */
	int			draws;			/* k */
	bool		whole;			/* k = m > 1 */
	const double *probability;	/* k = 1 */
	Release    *release;		/* in the order of the combinations */
	double	   *factor;			/* F by attribute and combination of the release */
	uint32	   *agreeing;		/* n, if 1 < k < m: by block of BLOCK releases, set in its order, release; or NULL */
	uint32		sets;
	uint32		seen;			/* for the progress */
	uint32	   *binomial;		/* C(a, b) for a < attributes: [a * (k + 1) + b] */
} Inference;

/* ------------------------------------------------------------------------
 * Sets of attributes, in the order of their sizes, then of the highest attribute that is not in both
 * ------------------------------------------------------------------------
 */

/* sdc_inference_groupings: see inference.h. */
uint32
sdc_inference_groupings(int attributes, int draws)
{
	uint64		choices = 1;
	uint64		sum = 1;

	if (draws > 1 && draws == attributes)
		return 1;
	for (int g = 1; g <= draws && sum <= SDC_INFERENCE_GROUPINGS; g++)
	{
		choices = choices * (uint64) (attributes - g + 1) / (uint64) g;
		sum += choices;
	}
	return sum <= SDC_INFERENCE_GROUPINGS ? (uint32) sum : SDC_INFERENCE_GROUPINGS + 1;
}

/* fill_binomials writes the numbers of parts of a size of fewer than m attributes. */
static void
fill_binomials(Inference *inference)
{
	Size		width = (Size) inference->draws + 1;

	inference->binomial = sdc_alloc_matrix(uint32, width, (uint64) inference->attributes + 1);
	for (int a = 0; a <= inference->attributes; a++)
	{
		uint32	   *row = inference->binomial + (Size) a * width;
		const uint32 *above = a > 0 ? row - width : NULL;

		row[0] = 1;
		for (int b = 1; b <= inference->draws; b++)
			row[b] = a > 0 ? above[b] + above[b - 1] : 0;
	}
}

/* binomial is C(a, b). */
static inline uint32
binomial(const Inference *inference, int a, int b)
{
	return inference->binomial[(Size) a * (Size) (inference->draws + 1) + (Size) b];
}

/* set_number is the number of a set of attributes, descending, without one of them (-1: with all). */
static uint32
set_number(const Inference *inference, const int *set, int size, int without)
{
	int			left = without < 0 ? size : size - 1;
	uint32		number = 0;

	for (int g = 0; g < left; g++)
		number += binomial(inference, inference->attributes, g);
	for (int i = 0; i < size; i++)
		if (i != without)
			number += binomial(inference, set[i] - inference->groups.first, left--);
	return number;
}

/* next_set makes the next set of the same size of one, descending; false: it was the last one. */
static bool
next_set(const Inference *inference, int *set, int size)
{
	int			limit;

	for (int i = size - 1; i >= 0; i--)
	{
		limit = i > 0 ? set[i - 1] : inference->groups.attributes;
		if (set[i] + 1 == limit)
			continue;
		set[i]++;
		for (int j = i + 1; j < size; j++)
			set[j] = inference->groups.first + size - 1 - j;
		return true;
	}
	return false;
}

/* first_set makes the first set of a size. */
static void
first_set(const Inference *inference, int *set, int size)
{
	for (int i = 0; i < size; i++)
		set[i] = inference->groups.first + size - 1 - i;
}

/* ------------------------------------------------------------------------
 * The probability that an original becomes a combination of the release
 * ------------------------------------------------------------------------
 */

/* fill_stratum writes the factors of an attribute that was loaded, for the combinations of a stratum. */
static void
fill_stratum(Inference *inference, double probability, uint32 codes, uint32 start, uint32 end, double *factor)
{
	const SdcInferenceGroups *groups = &inference->groups;
	uint32		present = 0;

	for (uint32 t = start; t < end; t++)
	{
		sdc_interrupts_step(t);
		groups->count[groups->value[t]] += groups->originals[t];
		present += groups->value[t] < codes ? groups->originals[t] : 0;
	}
	for (uint32 t = start; t < end; t++)
	{
		uint32		count = groups->count[groups->value[t]];
		double		share = groups->value[t] == codes ? 1 : present > 0 ? (double) count / (double) present : 0;

		sdc_interrupts_step(t);
		if (groups->release[t] != SDC_RELEASE_NONE)
			factor[groups->release[t]] = inference->whole ? share > 0 : probability * share;
	}
	for (uint32 t = start; t < end; t++)
		groups->count[groups->value[t]] = 0;
}

/* fill_factors writes F for all attributes and combinations of the release. */
static void
fill_factors(Inference *inference)
{
	SdcInferenceGroups *groups = &inference->groups;

	inference->factor = sdc_alloc_matrix(double, (uint64) inference->attributes, groups->releases);
	for (int w = 0; w < inference->attributes; w++)
	{
		uint32		codes = groups->column[groups->first + w].codes;
		double		probability = inference->draws == 1 ? inference->probability[w] : 1;
		uint32		end;

		sdc_inferencegroups_load(groups, groups->first + w);
		sdc_inferencegroups_room(groups, codes);
		for (uint32 start = 0; start < groups->combinations; start = end)
		{
			for (end = start + 1; end < groups->combinations && groups->differs[end] >= groups->first; end++)
				sdc_interrupts_spend(&groups->credit, 1);
			fill_stratum(inference, probability, codes, start, end,
						 inference->factor + (Size) w * groups->releases);
		}
	}
}

/* add_factor adds an attribute to the elementary symmetric polynomials of every combination of a block. */
static inline void
add_factor(double (*sum)[BLOCK], int degree, const double *factor, uint32 count)
{
	for (int d = degree; d > 1; d--)
		for (uint32 x = 0; x < count; x++)
			sum[d][x] += sum[d - 1][x] * factor[x];
	for (uint32 x = 0; x < count; x++)
		sum[1][x] += factor[x];
}

/* set_has tells whether a set has an attribute. */
static inline bool
set_has(const int *set, int size, int attribute)
{
	for (int i = 0; i < size; i++)
		if (set[i] == attribute)
			return true;
	return false;
}

/* fill_chances writes W of a set of attributes for up to BLOCK combinations of the release. */
static void
fill_chances(const Inference *inference, const int *set, int size, uint32 start, uint32 count, double *chance)
{
	double		sum[DRAWS][BLOCK];
	uint32		releases = inference->groups.releases;
	int			first = inference->groups.first;
	int			degree = inference->whole ? 0 : inference->draws - size;

	SDC_ASSERT(degree >= 0 && degree < DRAWS && count <= BLOCK);
	for (int d = 1; d <= degree; d++)
		memset(sum[d], 0, count * sizeof(double));
	for (int w = 0; w < inference->attributes && degree > 0; w++)
		if (!set_has(set, size, first + w))
			add_factor(sum, degree, inference->factor + (Size) w * releases + start, count);
	for (uint32 x = 0; x < count; x++)
		chance[x] = degree > 0 ? sum[degree][x] : 1;
	for (int i = 0; i < size; i++)
	{
		const double *factor = inference->factor + (Size) (set[i] - first) * releases + start;

		for (uint32 x = 0; x < count; x++)
			chance[x] *= factor[x];
	}
}

/* ------------------------------------------------------------------------
 * Candidates
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

/* note_chance notes that some original becomes the combination with a probability. */
static inline void
note_chance(Release *release, double chance)
{
	release->largest = chance > release->largest ? chance : release->largest;
	release->smallest = chance < release->smallest ? chance : release->smallest;
}

/*
 * weigh_release adds the candidates of a combination that agree with it outside a set, of which there are some and W is
 * the chance, not 0.  drawn: the set is one of those that can be drawn, so that W is f.
 */
static inline void
weigh_release(Release *release, const SdcAgreeing *agreeing, double chance, bool drawn)
{
	bool		forced = drawn && chance >= release->chance * (1 - TIE_TOLERANCE);

	if (forced)
		release->heaviest = 0;
	if (forced || !release->forced)
		add_candidates(release, chance * agreeing->most, agreeing->mosts);
	release->forced = release->forced || forced;
	if (drawn)
	{
		double		bound = (double) agreeing->most / agreeing->originals;

		release->total += chance * agreeing->originals;
		release->bound = bound > release->bound ? bound : release->bound;
	}
}

/* keep_counts keeps how many originals agree outside a set with the combinations of a block of the release. */
static void
keep_counts(Inference *inference, uint32 number, uint32 start, uint32 count)
{
	uint32	   *kept = inference->agreeing + ((Size) (start / BLOCK) * inference->sets + number) * BLOCK;

	for (uint32 x = 0; x < count; x++)
		kept[x] = inference->groups.agreeing[start + x].originals;
}

/*
 * weigh_set is the SdcInferenceVisit that adds the candidates outside a set.  With k = 1 it is known of each set
 * whether an original differs in just its attribute, as then there is another combination.
 */
static void
weigh_set(void *arg, const int *set, int size)
{
	Inference  *inference = arg;
	const SdcAgreeing *agreeing = inference->groups.agreeing;
	uint32		number = inference->agreeing != NULL ? set_number(inference, set, size, -1) : 0;
	uint32		releases = inference->groups.releases;

	for (uint32 start = 0, count; start < releases; start += count)
	{
		double		chance[BLOCK];

		SDC_CHECK_INTERRUPTS();
		count = releases - start < BLOCK ? releases - start : BLOCK;
		fill_chances(inference, set, size, start, count, chance);
		if (inference->agreeing != NULL)
			keep_counts(inference, number, start, count);
		for (uint32 r = start; r < start + count; r++)
		{
			Release    *release = &inference->release[r];
			double		here = chance[r - start];

			if (size == 0 || inference->whole)
				release->chance = here;
			if (agreeing[r].originals == 0 || !(here > 0))
				continue;
			weigh_release(release, &agreeing[r], here, size == inference->draws);
			if (inference->whole)
				note_chance(release, here);
			if (inference->draws > 1 || agreeing[r].least == UINT32_MAX)
				continue;
			note_chance(release, here);
			release->lightest = fmin(release->lightest, here * agreeing[r].least);
		}
	}
	SDC_REPORT(++inference->seen, inference->sets + 1);
}

/* weigh_same adds the combinations themselves as candidates. */
static void
weigh_same(Inference *inference)
{
	for (uint32 r = 0; r < inference->groups.releases; r++)
	{
		uint32		originals = inference->release[r].originals;

		sdc_interrupts_step(r);
		inference->groups.agreeing[r] = (SdcAgreeing)
		{
			originals, originals, originals > 0, originals > 0 ? originals : UINT32_MAX
		};
	}
	weigh_set(inference, NULL, 0);
}

/* ------------------------------------------------------------------------
 * In which attributes originals differ, if 1 < k < m
 * ------------------------------------------------------------------------
 */

/* A set, and the same without one of its attributes. */
typedef struct Part
{
	uint32		set;
	uint32		without;
} Part;

/* list_parts lists the parts of all sets, by the attribute that is left out; returns how many there are. */
static uint32
list_parts(const Inference *inference, Part *part)
{
	int			set[DRAWS];
	uint32		parts = 0;

	for (int w = inference->groups.first; w < inference->groups.attributes; w++)
		for (int size = 1; size <= inference->draws; size++)
		{
			SDC_CHECK_INTERRUPTS();
			first_set(inference, set, size);
			do
				for (int i = 0; i < size; i++)
					if (set[i] == w)
						part[parts++] = (Part)
					{
						set_number(inference, set, size, -1), set_number(inference, set, size, i)
					};
			while (next_set(inference, set, size));
		}
	return parts;
}

/*
 * note_differing notes the chances of originals in a block of the release, where n has been replaced by those that
 * differ.
 */
static void
note_differing(Inference *inference, const uint32 *differing, uint32 start, uint32 count)
{
	int			set[DRAWS];

	for (int size = 0; size <= inference->draws; size++)
	{
		first_set(inference, set, size);
		do
		{
			double		chance[BLOCK];

			SDC_CHECK_INTERRUPTS();
			fill_chances(inference, set, size, start, count, chance);
			for (uint32 x = 0; x < count; x++)
				if (differing[x] > 0 && chance[x] > 0)
					note_chance(&inference->release[start + x], chance[x]);
			differing += BLOCK;
		} while (next_set(inference, set, size));
	}
}

/* find_differing takes those who differ in fewer attributes from those who agree outside a set. */
static void
find_differing(Inference *inference)
{
	Part	   *part;
	uint32		parts;

	part = sdc_alloc_matrix(Part, inference->sets, (uint64) inference->draws);
	parts = list_parts(inference, part);
	for (uint32 start = 0, count; start < inference->groups.releases; start += count)
	{
		uint32	   *kept = inference->agreeing + (Size) start * inference->sets;

		count = inference->groups.releases - start < BLOCK ? inference->groups.releases - start : BLOCK;
		for (uint32 i = 0; i < parts; i++)
		{
			uint32	   *all = kept + (Size) part[i].set * BLOCK;
			const uint32 *fewer = kept + (Size) part[i].without * BLOCK;

			sdc_interrupts_spend(&inference->groups.credit, count);
			for (uint32 x = 0; x < count; x++)
				all[x] -= fewer[x];
		}
		note_differing(inference, kept, start, count);
	}
	sdc_free(part);
}

/* weigh_candidates visits all sets of attributes in which candidates differ. */
static void
weigh_candidates(Inference *inference)
{
	SdcInferenceGroups *groups = &inference->groups;
	uint64		places = ((uint64) groups->releases + BLOCK - 1) / BLOCK * BLOCK;

	inference->sets = sdc_inference_groupings(inference->attributes, inference->draws);
	SDC_ASSERT(inference->sets <= SDC_INFERENCE_GROUPINGS);
	if (inference->whole)
	{
		sdc_inferencegroups_all(groups, weigh_set, inference);
		return;
	}
	if (inference->draws > 1)
	{
		fill_binomials(inference);
		inference->agreeing = sdc_alloc_matrix(uint32, places, inference->sets);
	}
	weigh_same(inference);
	sdc_inferencegroups_few(groups, inference->draws, weigh_set, inference);
	if (inference->agreeing == NULL)
		return;
	find_differing(inference);
	sdc_free(inference->agreeing);
	sdc_free(inference->binomial);
}

/* ------------------------------------------------------------------------
 * Records and results
 * ------------------------------------------------------------------------
 */

/* Sums over the records. */
typedef struct Sums
{
	SdcMomentsSum mean;
	SdcMomentsSum bound;
	SdcMomentsSum amplification;
	SdcMomentsSum hits;
	SdcMomentsSum gamma;
	SdcMomentsSum right;		/* probability of the true original */
	SdcMomentsSum logarithm;	/* of it */
	bool		never;			/* it is 0 for some record */
	uint64		records;
} Sums;

/* original_chance is W of the attributes in which a record was changed; 0: it cannot have been. */
static double
original_chance(const Inference *inference, uint32 record, uint32 release)
{
	const SdcInferenceGroups *groups = &inference->groups;
	int			set[DRAWS];
	int			size = 0;
	double		chance;

	for (int w = groups->attributes - 1; w >= groups->first; w--)
	{
		const SdcPairColumn *column = &groups->column[w];
		uint32		original = column->original[record];
		uint32		protected = column->protected[record];

		if (original == protected)
			continue;
		if (original >= column->codes || protected >= column->codes || (size == inference->draws && !inference->whole))
			return 0;
		if (!inference->whole)
			set[size++] = w;
	}
	if (size == 0)
		return inference->release[release].chance;
	fill_chances(inference, set, size, release, 1, &chance);
	return chance;
}

/* add_records adds so many records with the same original and released combination, of which one is given. */
static void
add_records(Inference *inference, uint32 record, uint32 records, Sums *sums, SdcInference *result)
{
	const SdcInferenceGroups *groups = &inference->groups;
	uint32		original = groups->number[record];
	uint32		protected = groups->number[groups->records + record];
	Release    *release = &inference->release[groups->release[protected]];
	double		weight;
	double		probability;

	release->records += records;
	result->unchanged += original == protected ? records : 0;
	if (!(release->total > 0))
		return;
	weight = original_chance(inference, record, groups->release[protected]) * groups->originals[original];
	if (weight > 0 && weight >= release->heaviest * (1 - TIE_TOLERANCE))
		release->hits += records;
	probability = fmin(weight / release->total, 1.0);
	sdc_moments_add(&sums->right, records * probability);
	if (weight > 0)
		sdc_moments_add(&sums->logarithm, records * log(probability));
	else
		sums->never = true;
}

/* visit_records adds all records, in the order of what they were and have become. */
static void
visit_records(Inference *inference, Sums *sums, SdcInference *result)
{
	const SdcInferenceGroups *groups = &inference->groups;
	SdcCodesort original = {groups->number, 1, groups->combinations, NULL};
	SdcCodesort protected = {groups->number + groups->records, 1, groups->combinations, NULL};
	uint32	   *order = sdc_codesort_two(&protected, &original, groups->records);

	for (uint32 start = 0, end; start < groups->records; start = end)
	{
		uint32		first = order[start];

		for (end = start + 1; end < groups->records; end++)
			if (original.code[order[end]] != original.code[first] ||
				protected.code[order[end]] != protected.code[first])
				break;
		sdc_interrupts_spend(&inference->groups.credit, end - start + (uint32) groups->attributes);
		add_records(inference, first, end - start, sums, result);
	}
	sdc_free(order);
}

/* add_release adds the records of one combination of the release. */
static void
add_release(const Release *release, Sums *sums, SdcInference *result)
{
	double		records = release->records;
	double		probability;
	double		amplification;
	double		gamma;

	if (!(release->total > 0))
	{
		result->impossible += release->records;
		return;
	}
	/* a single candidate: rounding must not make it more than 1 */
	probability = fmin(release->heaviest / release->total, 1.0);
	amplification = release->heaviest / release->lightest;
	gamma = release->largest / release->smallest;
	sdc_moments_add(&sums->mean, records * probability);
	sdc_moments_add(&sums->bound, records * release->bound);
	sdc_moments_add(&sums->amplification, records * amplification);
	sdc_moments_add(&sums->gamma, records * gamma);
	sdc_moments_add(&sums->hits, (double) release->hits / release->ties);
	sums->records += release->records;
	result->maximum = fmax(result->maximum, probability);
	result->bound_maximum = fmax(result->bound_maximum, release->bound);
	result->amplification_maximum = fmax(result->amplification_maximum, amplification);
	result->gamma_maximum = fmax(result->gamma_maximum, gamma);
}

/* write_result adds up the records, and the combinations of the release in their order. */
static void
write_result(Inference *inference, SdcInference *result)
{
	Sums		sums;
	double		records;

	memset(&sums, 0, sizeof(sums));
	visit_records(inference, &sums, result);
	for (uint32 r = 0; r < inference->groups.releases; r++)
	{
		sdc_interrupts_step(r);
		add_release(&inference->release[r], &sums, result);
	}
	if (sums.records == 0)
		return;
	records = (double) sums.records;
	result->mean = sdc_moments_total(&sums.mean) / records;
	result->bound_mean = sdc_moments_total(&sums.bound) / records;
	result->amplification_mean = sdc_moments_total(&sums.amplification) / records;
	result->gamma_mean = sdc_moments_total(&sums.gamma) / records;
	result->true_mean = sdc_moments_total(&sums.right) / records;
	result->anonymity = sums.never ? HUGE_VAL : exp(-sdc_moments_total(&sums.logarithm) / records);
	result->hits = sdc_moments_total(&sums.hits);
	if (inference->draws > 1)
		result->amplification_mean = result->amplification_maximum = __builtin_nan("");
}

/* create_releases allocates the combinations of the release. */
static void
create_releases(Inference *inference)
{
	const SdcInferenceGroups *groups = &inference->groups;

	inference->release = sdc_alloc_zeros(Release, groups->releases);
	for (uint32 t = 0; t < groups->combinations; t++)
	{
		sdc_interrupts_step(t);
		if (groups->release[t] == SDC_RELEASE_NONE)
			continue;
		inference->release[groups->release[t]].originals = groups->originals[t];
		inference->release[groups->release[t]].lightest = HUGE_VAL;
		inference->release[groups->release[t]].smallest = HUGE_VAL;
	}
}

/* sdc_inference_measure: see inference.h.  The stratum is an attribute before all others that is never drawn. */
void
sdc_inference_measure(const SdcInferenceTask *task, SdcInference *result)
{
	int			strata = task->stratum != NULL;
	int			attributes = task->pairs->attributes;
	SdcPairColumn *column;
	Inference	inference = {.attributes = attributes, .draws = task->draws, .probability = task->probability,
	.whole = task->draws > 1 && task->draws == attributes};

	SDC_ASSERT(task->draws >= 1 && task->draws <= attributes);
	memset(result, 0, sizeof(*result));
	if (task->pairs->records == 0)
		return;
	column = sdc_alloc_array(SdcPairColumn, (uint64) (attributes + strata));
	if (strata)
		column[0] = (SdcPairColumn) {task->stratum, task->stratum, task->strata, NULL};
	memcpy(column + strata, task->pairs->column, sizeof(SdcPairColumn) * (Size) attributes);
	inference.groups = (SdcInferenceGroups) {.column = column, .attributes = attributes + strata, .first = strata,
	.records = task->pairs->records};
	sdc_inferencegroups_create(&inference.groups, inference.whole ? 1 : task->draws);
	create_releases(&inference);
	fill_factors(&inference);
	weigh_candidates(&inference);
	write_result(&inference, result);
	sdc_free(inference.factor);
	sdc_free(inference.release);
	sdc_inferencegroups_destroy(&inference.groups);
	sdc_free(column);
}
