/*-------------------------------------------------------------------------
 *
 * support.c
 *		What random anonymization does to the support of a combination of values.
 *
 * W. Yang and S. Qiao, "A novel anonymization algorithm: privacy protection and knowledge
 * preservation", Expert Systems with Applications 37 (2010).  Their equation (10), the bias under
 * RA 1, is exact and follows from what is computed here.  Their equation (11) is not the variance
 * of the support in a release: this is exact instead.
 *
 * Let q be the combination, c its items, P_i the share of the value q_i among the records that
 * have a value in attribute i: missing values are not replaced and not donated.  Let h(S) be the
 * probability that S are the drawn ones among the attributes of q:
 *
 *	RA 1	h({}) = sum of p_j over the attributes that are not in q, h({i}) = p_i
 *	RA 2	h(S) = C(m - c, k - |S|) / C(m, k), m attributes of which k are drawn
 *
 * A record that lacks the items L (its values are others) has q in the release with probability
 * pi(L) = sum over S that contain L of h(S) times the product of P_i over S; 0 if one of the
 * values is missing.  Records are drawn for independently.  So the support in the release has the
 * expectation sum pi / n and the variance sum pi (1 - pi) / n^2 over the records.  pi of all L at
 * once is a sum over supersets (F. Yates, 1937, for two-level factors), in c 2^c steps.
 *
 * With strata all this is within a stratum, h is the same in all, and the sums are over the strata.
 *
 * Lift compares with q - q_i among the records that have a value in attribute i: then it is 1 for
 * one item, and the bias under RA 1 is |sum p_i (1 / lift_i - 1)|, with missing values too, but not with strata: lift
 * is that of the whole file.
 *
 * Time: O(c n), and O(c 2^c) for RA 2, in every stratum.  Memory: RA 2 12 bytes for each of the 2^c sets, 12 MB at
 * most; with strata 8 a record besides.  Records are counted before anything is added up: their order does not matter
 * to the last
 * bit.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include "kernel/base/codesort.h"
#include "kernel/base/moments.h"
#include "kernel/groups/support.h"

/* Records that are looked at column by column at a time. */
#define BLOCK 4096

/* In the set of items that a record lacks: one of the values is missing. */
#define LACK_MISSING (UINT32_C(1) << 31)

/* What is counted. */
typedef struct Tally
{
	uint64		match[SDC_SUPPORT_ITEMS];	/* records with the item */
	uint64		present[SDC_SUPPORT_ITEMS]; /* records with a value in its attribute */
	uint64		all;			/* records with all items */
	uint64		near[SDC_SUPPORT_ITEMS];	/* records with another value in just this item */
	uint32	   *set;			/* by items lacked, records; NULL: not counted */
} Tally;

/* Sums over the records. */
typedef struct Sums
{
	SdcMomentsSum expected;
	SdcMomentsSum own;			/* of it, by records that have all items */
	SdcMomentsSum others;
	SdcMomentsSum variance;
} Sums;

/*
 * compare_item adds an item to the sets that the records of a block lack: those that are listed, or records from one
 * on.
 */
static void
compare_item(const uint32 *code, uint32 wanted, int item, const uint32 *record, uint32 start, uint32 records,
			 uint32 *lack, Tally *tally)
{
	uint32		match = 0;
	uint32		present = 0;

	for (uint32 r = 0; r < records; r++)
	{
		uint32		here = code[sdc_record_at(record, start + r)];
		bool		same = here == wanted;
		bool		missing = here == SDC_CODE_NULL;

		lack[r] |= (uint32) !same << item | (missing ? LACK_MISSING : 0);
		match += same;
		present += !missing;
	}
	tally->match[item] += match;
	tally->present[item] += present;
}

/* count_sets counts the records of a block by what they lack. */
static void
count_sets(const uint32 *lack, uint32 records, Tally *tally)
{
	for (uint32 r = 0; r < records; r++)
	{
		if (lack[r] & LACK_MISSING)
			continue;
		if (tally->set != NULL)
			tally->set[lack[r]]++;
		if (lack[r] == 0)
			tally->all++;
		else if ((lack[r] & (lack[r] - 1)) == 0)
			tally->near[__builtin_ctz(lack[r])]++;
	}
}

/* count_records fills the tally of the records from one place of the list to another. */
static void
count_records(const SdcSupportTask *task, const uint32 *record, uint32 first, uint32 last, Tally *tally)
{
	uint32		lack[BLOCK];

	for (uint32 start = first, records; start < last; start += records)
	{
		records = last - start < BLOCK ? last - start : BLOCK;
		SDC_CHECK_INTERRUPTS();
		memset(lack, 0, records * sizeof(uint32));
		for (int i = 0; i < task->items; i++)
			compare_item(task->coded->column[task->item[i].attribute].code, task->item[i].code, i, record, start,
						 records, lack, tally);
		count_sets(lack, records, tally);
	}
}

/* add_tally adds the counts of a stratum to those of all, without the sets. */
static void
add_tally(Tally *all, const Tally *tally)
{
	all->all += tally->all;
	for (int i = 0; i < SDC_SUPPORT_ITEMS; i++)
	{
		all->match[i] += tally->match[i];
		all->present[i] += tally->present[i];
		all->near[i] += tally->near[i];
	}
}

/* add_records adds records that have the combination in the release with a probability; own: and had it before. */
static inline void
add_records(Sums *sums, uint64 records, double probability, bool own)
{
	/* rounding must not make it more than 1 */
	probability = fmin(probability, 1.0);
	sdc_moments_add(&sums->expected, (double) records * probability);
	sdc_moments_add(own ? &sums->own : &sums->others, (double) records * probability);
	sdc_moments_add(&sums->variance, (double) records * (probability * (1 - probability)));
}

/* add_single adds the records under RA 1: those that lack two items cannot get both. */
static void
add_single(const SdcSupportTask *task, const Tally *tally, const double *share, Sums *sums)
{
	SdcMomentsSum stay = {0, 0};
	int			item = 0;

	for (int j = 0; j < task->coded->attributes; j++)
	{
		double		kept = 1;

		sdc_interrupts_step(j);
		if (item < task->items && task->item[item].attribute == (uint32) j)
			kept = share[item++];
		sdc_moments_add(&stay, task->probability[j] * kept);
	}
	add_records(sums, tally->all, sdc_moments_total(&stay), true);
	for (int i = 0; i < task->items; i++)
		add_records(sums, tally->near[i],
					task->probability[task->item[i].attribute] * share[i], false);
}

/*
 * draw_chance is h of a set of size items under RA 2: the probability that these were drawn and
 * the other items of the combination were not.  Factor by factor, as binomials overflow; 0 where
 * it cannot be.
 */
static double
draw_chance(int attributes, int k, int items, int size)
{
	double		chance = 1;

	for (int j = 0; j < size; j++)
		chance *= (double) (k > j ? k - j : 0) / (attributes - j);
	for (int j = 0; j < items - size; j++)
	{
		int			rest = attributes - k - j;

		chance *= (double) (rest > 0 ? rest : 0) / (attributes - size - j);
	}
	return chance;
}

/* fill_chances writes h(S) times the product of the shares for every set of items. */
static void
fill_chances(const SdcSupportTask *task, const double *share, double *chance)
{
	uint32		sets = UINT32_C(1) << task->items;
	double		drawn[SDC_SUPPORT_ITEMS + 1] = {0};

	for (int size = 0; size <= task->items; size++)
		drawn[size] = draw_chance(task->coded->attributes, task->k, task->items, size);
	/* products first: a set has that of the set without its lowest item */
	chance[0] = 1;
	for (uint32 set = 1; set < sets; set++)
	{
		sdc_interrupts_step(set);
		chance[set] = chance[set & (set - 1)] * share[__builtin_ctz(set)];
	}
	for (uint32 set = 0; set < sets; set++)
	{
		sdc_interrupts_step(set);
		chance[set] *= drawn[__builtin_popcount(set)];
	}
}

/* add_supersets replaces the number of every set by the sum over all sets that contain it. */
static void
add_supersets(double *number, int items)
{
	uint32		sets = UINT32_C(1) << items;
	uint32		credit = 0;

	for (uint32 bit = 1; bit < sets; bit *= 2)
	{
		for (uint32 base = 0; base < sets; base += 2 * bit)
		{
			sdc_interrupts_spend(&credit, bit);
			for (uint32 set = base; set < base + bit; set++)
				number[set] += number[set + bit];
		}
	}
}

/* add_subset adds the records under RA 2. */
static void
add_subset(const SdcSupportTask *task, const Tally *tally, const double *share, Sums *sums)
{
	uint32		sets = UINT32_C(1) << task->items;
	double	   *chance = sdc_alloc_array(double, sets);

	fill_chances(task, share, chance);
	add_supersets(chance, task->items);
	for (uint32 set = 0; set < sets; set++)
	{
		sdc_interrupts_step(set);
		if (tally->set[set] > 0)
			add_records(sums, tally->set[set], chance[set], set == 0);
	}
	sdc_free(chance);
}

/* write_result makes shares of the sums, and the lifts. */
static void
write_result(const SdcSupportTask *task, const Tally *tally, const Sums *sums, SdcSupport *result)
{
	double		n = (double) task->coded->records;
	double		all = (double) tally->all;
	double		total = sdc_moments_total(&sums->expected);

	result->records = tally->all;
	result->bias = all > 0 ? fabs(total - all) / all : __builtin_nan("");
	result->support = n > 0 ? all / n : 0;
	result->expected = n > 0 ? total / n : 0;
	result->own = n > 0 ? sdc_moments_total(&sums->own) / n : 0;
	result->others = n > 0 ? sdc_moments_total(&sums->others) / n : 0;
	result->variance = n > 0 ? sdc_moments_total(&sums->variance) / n / n : 0;
	for (int i = 0; i < SDC_SUPPORT_ITEMS; i++)
		result->lift[i] = __builtin_nan("");
	for (int i = 0; i < task->items; i++)
	{
		double		alone = (double) (tally->all + tally->near[i]) * (double) tally->match[i];

		if (alone > 0)
			result->lift[i] = all * (double) tally->present[i] / alone;
	}
}

/* add_stratum adds the records from one place of the list to another, which are donors of each other. */
static void
add_stratum(const SdcSupportTask *task, const uint32 *record, uint32 first, uint32 last, uint32 *set, Tally *all,
			Sums *sums)
{
	Tally		tally;
	double		share[SDC_SUPPORT_ITEMS];

	memset(&tally, 0, sizeof(tally));
	tally.set = set;
	if (set != NULL)
		memset(set, 0, sizeof(uint32) << task->items);
	count_records(task, record, first, last, &tally);
	for (int i = 0; i < task->items; i++)
		share[i] = tally.present[i] > 0 ? (double) tally.match[i] / (double) tally.present[i] : 0;
	if (task->probability != NULL)
		add_single(task, &tally, share, sums);
	else
		add_subset(task, &tally, share, sums);
	add_tally(all, &tally);
}

/* add_strata adds the records stratum by stratum. */
static void
add_strata(const SdcSupportTask *task, uint32 *set, Tally *all, Sums *sums)
{
	const SdcCodesort sort = {task->stratum, 1, task->strata, NULL};
	uint32	   *order = sdc_alloc_array(uint32, task->coded->records);
	uint32	   *end = sdc_alloc_array(uint32, (uint64) task->strata + 1);
	uint32		credit = 0;

	sdc_codesort_pass(&sort, NULL, order, task->coded->records, end, &credit);
	for (uint32 s = 0; s < task->strata; s++)
		add_stratum(task, order, s > 0 ? end[s - 1] : 0, end[s], set, all, sums);
	sdc_free(end);
	sdc_free(order);
}

/* sdc_support_expect counts the records of each stratum by the items that they lack, then adds up. */
void
sdc_support_expect(const SdcSupportTask *task, SdcSupport *result)
{
	uint32		records = task->coded->records;
	uint32	   *set = task->probability == NULL ? sdc_alloc_array(uint32, (Size) 1 << task->items) : NULL;
	Tally		all;
	Sums		sums;

	SDC_ASSERT(task->items >= 1 && task->items <= SDC_SUPPORT_ITEMS);
	SDC_ASSERT(task->probability != NULL || (task->k >= 0 && task->k <= task->coded->attributes));
	memset(&all, 0, sizeof(all));
	memset(&sums, 0, sizeof(sums));
	if (task->stratum == NULL)
		add_stratum(task, NULL, 0, records, set, &all, &sums);
	else
		add_strata(task, set, &all, &sums);
	write_result(task, &all, &sums, result);
	if (set != NULL)
		sdc_free(set);
}
