/*-------------------------------------------------------------------------
 *
 * fellegisunter.c
 *		Probabilistic record linkage: EM, weights and nearest links.
 *
 * Pairs of an original and a protected record are matched or not; attributes agree with
 * probability m in matched pairs and u in others, independently in each class (I. P.
 * Fellegi and A. B. Sunter, "A theory for record linkage", JASA 64, 1969).  EM estimates
 * the model from the counts of the patterns (M. A. Jaro, "Advances in record-linkage
 * methodology", JASA 84, 1989).  The weight of a pattern is the log2 of its
 * likelihood ratio, and an original is linked to the records of the highest weight.
 *
 * Likelihood ratios are products over attributes, from tables of eight attributes each.
 * A product of 64 ratios between 1e-6 and 1e6 may leave the range of a double: it becomes
 * 0 or infinite, and the probability that it is for 0 or 1, as it should be.
 *
 * All prefixes of the known attributes at once: the counts of the patterns of an original
 * are added up over the last attribute, again and again, and for each number of
 * attributes the patterns are tried in the order of their weights until they no longer
 * are as good as the best that occurs.
 *
 * Work: EM a few steps per round, pattern and attribute; links proportional to the patterns
 * that occur, after agreement.c.  Deterministic: sums in ascending order of patterns.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include <float.h>
#include <math.h>

#include "kernel/agreement/fellegisunter.h"

#define CLIP 1e-6
#define PRIOR_CLIP 1e-300		/* only so that there always is a class to learn from */
#define CHANGE 1e-10			/* what EM no longer cares for */
#define MAX_ROUNDS 2000

/* Weights that differ by less, relatively or absolutely, are equal. */
#define TIE 1e-9

/* Attributes whose patterns have a table of their own. */
#define TABLE_BITS 8
#define TABLE_SIZE (1 << TABLE_BITS)
#define TABLES (SDC_AGREEMENT_ATTRIBUTES / TABLE_BITS)

/* Attributes up to which all patterns are ordered by weight; 2^12 of them at most. */
#define ORDERED_BITS 12

/* A factor or term of each pattern of TABLE_BITS attributes. */
typedef struct Table
{
	int			tables;
	double		of[TABLES][TABLE_SIZE];
} Table;

/* What prefixes of the same number of attributes need. */
typedef struct Prefix
{
	int			attributes;
	Table		weight;
	uint32	   *order;			/* all patterns by descending weight, or NULL */
	double	   *ordered;		/* their weights, in this order */
} Prefix;

/* clip keeps a probability away from 0 and 1. */
static double
clip(double probability)
{
	if (!(probability > CLIP))
		return CLIP;
	return probability < 1 - CLIP ? probability : 1 - CLIP;
}

/*
 * fill_terms makes the tables of sums: of agree[j] or disagree[j] for every attribute, in
 * the order of the attributes, so that a pattern has the same weight wherever it is computed.
 */
static void
fill_terms(Table *table, const double *agree, const double *disagree, int attributes)
{
	table->tables = (attributes + TABLE_BITS - 1) / TABLE_BITS;
	for (int i = 0; i < table->tables; i++)
	{
		double	   *of = table->of[i];

		of[0] = 0;
		for (int bit = 0; bit < TABLE_BITS && i * TABLE_BITS + bit < attributes; bit++)
		{
			int			half = 1 << bit;

			for (int p = 0; p < half; p++)
			{
				of[half + p] = of[p] + agree[i * TABLE_BITS + bit];
				of[p] += disagree[i * TABLE_BITS + bit];
			}
		}
	}
}

/* fill_factors makes the tables of products. */
static void
fill_factors(Table *table, const double *agree, const double *disagree, int attributes)
{
	table->tables = (attributes + TABLE_BITS - 1) / TABLE_BITS;
	for (int i = 0; i < table->tables; i++)
	{
		double	   *of = table->of[i];

		of[0] = 1;
		for (int bit = 0; bit < TABLE_BITS && i * TABLE_BITS + bit < attributes; bit++)
		{
			int			half = 1 << bit;

			for (int p = 0; p < half; p++)
			{
				of[half + p] = of[p] * agree[i * TABLE_BITS + bit];
				of[p] *= disagree[i * TABLE_BITS + bit];
			}
		}
	}
}

/* sum_terms is the sum of the terms of a pattern. */
static inline double
sum_terms(const Table *table, uint64 pattern)
{
	double		sum = table->of[0][pattern % TABLE_SIZE];

	for (int i = 1; i < table->tables; i++)
	{
		pattern /= TABLE_SIZE;
		sum += table->of[i][pattern % TABLE_SIZE];
	}
	return sum;
}

/* multiply_factors is the product of the factors of a pattern. */
static inline double
multiply_factors(const Table *table, uint64 pattern)
{
	double		product = table->of[0][pattern % TABLE_SIZE];

	for (int i = 1; i < table->tables; i++)
	{
		pattern /= TABLE_SIZE;
		product *= table->of[i][pattern % TABLE_SIZE];
	}
	return product;
}

/* ------------------------------------------------------------------------
 * EM
 * ------------------------------------------------------------------------
 */

/* What EM adds up in a round: of matched pairs and of all, their number and agreements. */
typedef struct Sums
{
	double		matched;
	double		all;
	double		matched_agree[SDC_AGREEMENT_ATTRIBUTES];
	double		all_agree[SDC_AGREEMENT_ATTRIBUTES];
} Sums;

/*
 * Patterns whose expectations are computed one after the other, before they are added up: divisions that do not wait.
 */
#define EXPECT_BLOCK 64

/* What EM reads in every round: tables of the factors, and for each pattern of TABLE_BITS attributes its bits. */
typedef struct Expectation
{
	Table		ratio;
	double		bits[TABLE_SIZE][TABLE_BITS];
} Expectation;

/* fill_bits makes the table of bits. */
static void
fill_bits(Expectation *expectation)
{
	for (int p = 0; p < TABLE_SIZE; p++)
		for (int bit = 0; bit < TABLE_BITS; bit++)
			expectation->bits[p][bit] = (p >> bit) & 1;
}

/*
 * add_expected adds up what is expected of a block.  Where an attribute disagrees, 0 is added: no branch depends on the
 * pattern, and the sums are the same.
 */
static void
add_expected(const SdcPatternCount *patterns, const double *matched, int count, const Expectation *expectation,
			 Sums *sums)
{
	for (int i = 0; i < count; i++)
	{
		uint64		rest = patterns[i].pattern;

		sums->matched += matched[i];
		for (int t = 0; t < expectation->ratio.tables; t++)
		{
			const double *bits = expectation->bits[rest % TABLE_SIZE];
			double	   *agree = sums->matched_agree + t * TABLE_BITS;

			for (int bit = 0; bit < TABLE_BITS; bit++)
				agree[bit] += matched[i] * bits[bit];
			rest /= TABLE_SIZE;
		}
	}
}

/* expect adds up what is expected to be matched, given the model. */
static void
expect(const SdcPatternCount *patterns, int count, const SdcLinkModel *model, Expectation *expectation,
	   Sums *sums)
{
	double		agree[SDC_AGREEMENT_ATTRIBUTES];
	double		disagree[SDC_AGREEMENT_ATTRIBUTES];
	double		odds = (1 - model->prior) / model->prior;

	for (int j = 0; j < model->attributes; j++)
	{
		agree[j] = model->m[j] / model->u[j];
		disagree[j] = (1 - model->m[j]) / (1 - model->u[j]);
	}
	memset(sums->matched_agree, 0, sizeof(sums->matched_agree));
	fill_factors(&expectation->ratio, agree, disagree, model->attributes);
	sums->matched = 0;
	for (int first = 0; first < count; first += EXPECT_BLOCK)
	{
		int			size = count - first < EXPECT_BLOCK ? count - first : EXPECT_BLOCK;
		double		matched[EXPECT_BLOCK];

		sdc_interrupts_step(first / EXPECT_BLOCK);
		for (int i = 0; i < size; i++)
			matched[i] = multiply_factors(&expectation->ratio, patterns[first + i].pattern);
		for (int i = 0; i < size; i++)
			matched[i] = (double) patterns[first + i].count / (1 + odds / matched[i]);
		add_expected(patterns + first, matched, size, expectation, sums);
	}
}

/*
 * clip_prior keeps the prior inside of (0, 1).  It is not clipped like m and u: among
 * 10^12 pairs of a million records fewer than 1e-6 may well be matched.
 */
static double
clip_prior(double prior)
{
	if (!(prior > PRIOR_CLIP))
		return PRIOR_CLIP;
	return prior < 1 - DBL_EPSILON ? prior : 1 - DBL_EPSILON;
}

/* update sets a parameter and returns whether it changed. */
static bool
update(double *parameter, double value)
{
	double		old = *parameter;

	*parameter = value;
	return fabs(value - old) > CHANGE;
}

/* maximize sets the model to the most likely one, and returns whether it changed. */
static bool
maximize(const Sums *sums, SdcLinkModel *model)
{
	double		unmatched = sums->all - sums->matched;
	bool		changed = update(&model->prior, clip_prior(sums->matched / sums->all));

	for (int j = 0; j < model->attributes; j++)
	{
		double		agree = sums->all_agree[j] - sums->matched_agree[j];

		changed |= update(&model->m[j], clip(sums->matched_agree[j] / sums->matched));
		changed |= update(&model->u[j], clip(agree / unmatched));
	}
	return changed;
}

/*
 * sdc_fellegisunter_estimate: see fellegisunter.h.  Without records the model stays as it
 * begins.
 */
void
sdc_fellegisunter_estimate(const SdcPatternCount *patterns, int count, int attributes,
						   uint32 records, SdcLinkModel *model)
{
	Expectation *expectation = sdc_alloc(sizeof(Expectation));
	Sums		sums;
	bool		changed = count > 0;

	SDC_ASSERT(attributes >= 1 && attributes <= SDC_AGREEMENT_ATTRIBUTES);
	fill_bits(expectation);
	memset(&sums, 0, sizeof(sums));
	memset(model, 0, sizeof(*model));
	model->attributes = attributes;
	model->prior = clip_prior(1.0 / (records > 0 ? records : 1));
	for (int j = 0; j < attributes; j++)
	{
		model->m[j] = 0.9;
		model->u[j] = 0.1;
	}
	for (int i = 0; i < count; i++)
	{
		sums.all += (double) patterns[i].count;
		for (uint64 rest = patterns[i].pattern; rest != 0; rest &= rest - 1)
			sums.all_agree[__builtin_ctzll(rest)] += (double) patterns[i].count;
	}
	while (changed && model->rounds < MAX_ROUNDS)
	{
		expect(patterns, count, model, expectation, &sums);
		changed = maximize(&sums, model);
		model->rounds++;
	}
	sdc_free(expectation);
}

/* ------------------------------------------------------------------------
 * Weights and links
 * ------------------------------------------------------------------------
 */

/* fill_weights makes the tables of the weights of a model. */
static void
fill_weights(Table *table, const SdcLinkModel *model)
{
	double		agree[SDC_AGREEMENT_ATTRIBUTES];
	double		disagree[SDC_AGREEMENT_ATTRIBUTES];

	for (int j = 0; j < model->attributes; j++)
	{
		agree[j] = log2(model->m[j] / model->u[j]);
		disagree[j] = log2((1 - model->m[j]) / (1 - model->u[j]));
	}
	fill_terms(table, agree, disagree, model->attributes);
}

/* sdc_fellegisunter_weight adds up as the tables do. */
double
sdc_fellegisunter_weight(const SdcLinkModel *model, uint64 pattern)
{
	double		weight = 0;

	for (int first = 0; first < model->attributes; first += TABLE_BITS)
	{
		double		part = 0;

		for (int j = first; j < first + TABLE_BITS && j < model->attributes; j++)
			part += (pattern >> j) & 1 ? log2(model->m[j] / model->u[j]) :
				log2((1 - model->m[j]) / (1 - model->u[j]));
		weight += part;
	}
	return weight;
}

/* lowest_tie is the lowest weight that is a tie with the best. */
static inline double
lowest_tie(double best)
{
	return best - TIE * fmax(1, fabs(best));
}

/* link_patterns links an original with these patterns, the own record's among them. */
static void
link_patterns(const Table *weight, const SdcPatternCount *patterns, int count,
			  uint64 own, SdcLink *link)
{
	double		best = -INFINITY;
	uint64		ties = 0;

	for (int i = 0; i < count; i++)
		best = fmax(best, sum_terms(weight, patterns[i].pattern));
	for (int i = 0; i < count; i++)
		if (sum_terms(weight, patterns[i].pattern) >= lowest_tie(best))
			ties += patterns[i].count;
	link->distance = best;
	link->ties = (uint32) ties;
	link->correct = sum_terms(weight, own) >= lowest_tie(best);
}

/* What the visits of sdc_fellegisunter_nearest share. */
typedef struct Nearest
{
	const SdcAgreement *agreement;
	Table		weight;
	uint32		records;
	SdcLink    *link;
} Nearest;

/* link_nearest links one original. */
static void
link_nearest(void *arg, uint32 index, uint32 record, const SdcPatternCount *patterns, int count)
{
	Nearest    *nearest = arg;
	SdcLink    *link = &nearest->link[index];

	link->linked = SDC_RECORD_NONE;
	link->candidates = nearest->records;
	link_patterns(&nearest->weight, patterns, count,
				  sdc_agreement_pattern(nearest->agreement, record, record), link);
}

/* ------------------------------------------------------------------------
 * Names
 * ------------------------------------------------------------------------
 */

/* An original and the pattern that the record it is linked to has. */
typedef struct Wanted
{
	uint64		pattern;
	uint32		index;
	uint32		record;
} Wanted;

/* What the visits of a search for names share. */
typedef struct Namer
{
	Nearest		nearest;		/* first: it is what link_nearest gets */
	Wanted	   *wanted;
	Size		count;
	Size		size;
} Namer;

/* want_names notes the patterns that the best records of an original have. */
static void
want_names(void *arg, uint32 index, uint32 record, const SdcPatternCount *patterns, int count)
{
	Namer	   *namer = arg;
	const Table *weight = &namer->nearest.weight;
	double		lowest;

	link_nearest(&namer->nearest, index, record, patterns, count);
	lowest = lowest_tie(namer->nearest.link[index].distance);
	for (int i = 0; i < count; i++)
	{
		if (sum_terms(weight, patterns[i].pattern) < lowest)
			continue;
		if (namer->count == namer->size)
		{
			Wanted	   *more = sdc_alloc_matrix(Wanted, 2, namer->size);

			memcpy(more, namer->wanted, namer->size * sizeof(Wanted));
			sdc_free(namer->wanted);
			namer->wanted = more;
			namer->size *= 2;
		}
		namer->wanted[namer->count++] = (Wanted) {patterns[i].pattern, index, record};
	}
}

/* sort_wanted sorts by pattern: a merge sort from the bottom up. */
static void
sort_wanted(Namer *namer)
{
	Wanted	   *from = namer->wanted;
	Wanted	   *to = sdc_alloc_array(Wanted, namer->size);

	for (Size run = 1; run < namer->count; run *= 2)
	{
		Wanted	   *swap = from;

		for (Size start = 0; start < namer->count; start += 2 * run)
		{
			Size		left = start;
			Size		middle = start + run < namer->count ? start + run : namer->count;
			Size		end = middle + run < namer->count ? middle + run : namer->count;
			Size		right = middle;

			for (Size i = start; i < end; i++)
			{
				sdc_interrupts_step(i);
				if (right == end || (left < middle && from[left].pattern <= from[right].pattern))
					to[i] = from[left++];
				else
					to[i] = from[right++];
			}
		}
		from = to;
		to = swap;
	}
	sdc_free(to);
	namer->wanted = from;
}

/* hash_codes hashes the codes of a record in the attributes of a pattern; 0 if one is missing. */
static inline uint64
hash_codes(const SdcAgreementRows *rows, bool original, uint32 record, uint64 pattern)
{
	uint64		hash = UINT64_C(0x9E3779B97F4A7C15);

	for (; pattern != 0; pattern &= pattern - 1)
	{
		const SdcPairColumn *column = rows->column[__builtin_ctzll(pattern)];
		uint32		code = original ? column->original[record] : column->protected[record];

		if (code == SDC_CODE_NULL)
			return 0;
		hash = (hash ^ code) * UINT64_C(0xBF58476D1CE4E5B9);
		hash ^= hash >> 29;
	}
	return hash | 1;
}

/* What finds protected records that agree in the attributes of one pattern. */
typedef struct Finder
{
	SdcAgreementRows rows;
	uint64		pattern;
	uint32		mask;			/* of the hash */
	uint32	   *head;			/* first record with such a hash, or SDC_RECORD_NONE */
	uint32	   *next;			/* the next one, ascending */
} Finder;

/* index_protected enters all protected records, from the last, so that chains ascend. */
static void
index_protected(Finder *finder, uint64 pattern)
{
	const SdcAgreementRows *rows = &finder->rows;

	finder->pattern = pattern;
	memset(finder->head, 0xFF, ((Size) finder->mask + 1) * sizeof(uint32));
	for (uint32 y = rows->records; y-- > 0;)
	{
		uint64		hash = hash_codes(rows, false, y, pattern);
		uint32	   *head = &finder->head[(hash >> 32) & finder->mask];

		sdc_interrupts_step(y);
		if (hash == 0)
			continue;
		finder->next[y] = *head;
		*head = y;
	}
}

/* find_first is the first protected record with exactly this pattern; there is one. */
static uint32
find_first(const SdcAgreement *agreement, const Finder *finder, bool indexed,
		   const Wanted *wanted)
{
	uint32		steps = 0;
	uint32		y = 0;

	if (indexed)
		y = finder->head[(hash_codes(&finder->rows, true, wanted->record, wanted->pattern) >> 32) & finder->mask];
	while (sdc_agreement_pattern(agreement, wanted->record, y) != wanted->pattern)
	{
		sdc_interrupts_step(++steps);
		y = indexed ? finder->next[y] : y + 1;
		SDC_ASSERT(y < finder->rows.records);
	}
	return y;
}

/* Originals with the same pattern that are worth an index of the protected records. */
#define INDEXED_MINIMUM 4

/* find_names finds the first of the best records of every original. */
static void
find_names(Namer *namer)
{
	const SdcAgreement *agreement = namer->nearest.agreement;
	Finder		finder = {sdc_agreement_rows(agreement), 0, 1, NULL, NULL};
	bool		indexed = false;

	while (finder.mask < finder.rows.records)
		finder.mask = 2 * finder.mask + 1;
	finder.head = sdc_alloc_array(uint32, (Size) finder.mask + 1);
	finder.next = sdc_alloc_array(uint32, finder.rows.records);
	sort_wanted(namer);
	for (Size i = 0; i < namer->count; i++)
	{
		const Wanted *wanted = &namer->wanted[i];
		uint32	   *linked = &namer->nearest.link[wanted->index].linked;
		uint32		found;

		if (i % 64 == 0)
			SDC_CHECK_INTERRUPTS();
		if (i == 0 || wanted->pattern != wanted[-1].pattern)
		{
			/* what agrees nowhere is mostly found at once */
			indexed = wanted->pattern != 0 && namer->count - i >= INDEXED_MINIMUM &&
				wanted[INDEXED_MINIMUM - 1].pattern == wanted->pattern;
			if (indexed)
				index_protected(&finder, wanted->pattern);
		}
		found = find_first(agreement, &finder, indexed, wanted);
		if (found < *linked)
			*linked = found;
	}
	sdc_free(finder.head);
	sdc_free(finder.next);
}

/* sdc_fellegisunter_nearest: see fellegisunter.h. */
void
sdc_fellegisunter_nearest(SdcAgreement *agreement, const SdcLinkModel *model,
						  const uint32 *record, uint32 count, bool names, SdcLink *link)
{
	Namer	   *namer = sdc_alloc(sizeof(Namer));

	namer->nearest.agreement = agreement;
	namer->nearest.records = sdc_agreement_rows(agreement).records;
	namer->nearest.link = link;
	fill_weights(&namer->nearest.weight, model);
	if (!names)
		sdc_agreement_visit(agreement, record, count, link_nearest, &namer->nearest);
	else
	{
		namer->count = 0;
		namer->size = (Size) count + 1;
		namer->wanted = sdc_alloc_array(Wanted, namer->size);
		sdc_agreement_visit(agreement, record, count, want_names, namer);
		find_names(namer);
		sdc_free(namer->wanted);
	}
	sdc_free(namer);
}

/* ------------------------------------------------------------------------
 * Prefixes
 * ------------------------------------------------------------------------
 */

/* What the visits of sdc_fellegisunter_prefixes share. */
typedef struct Prefixes
{
	/* set once */
	const SdcAgreement *agreement;
	int			attributes;
	uint32		records;
	Prefix	   *prefix;			/* of 1, 2, ... attributes */
	SdcFellegiSunterResult result;
	void	   *arg;

	/* changes */
	uint32	   *tally;			/* counts of all patterns, if there are tables */
	SdcPatternCount *list[2];	/* or only of those that occur */
	int			size;			/* room in list */
} Prefixes;

/* is_worse orders patterns by weight, ties by pattern. */
static inline bool
is_worse(const Table *weight, uint32 a, uint32 b)
{
	double		x = sum_terms(weight, a);
	double		y = sum_terms(weight, b);

	return x < y || (x == y && a > b);
}

/* sift_down puts a pattern into a heap with a hole; the worst pattern is at the root. */
static void
sift_down(const Table *weight, uint32 *heap, uint32 size, uint32 hole, uint32 pattern)
{
	for (uint32 child = 2 * hole + 1; child < size; child = 2 * hole + 1)
	{
		if (child + 1 < size && is_worse(weight, heap[child + 1], heap[child]))
			child++;
		if (is_worse(weight, pattern, heap[child]))
			break;
		heap[hole] = heap[child];
		hole = child;
	}
	heap[hole] = pattern;
}

/* order_patterns orders all patterns by descending weight: a heap sort. */
static void
order_patterns(Prefix *prefix)
{
	uint32		count = UINT32_C(1) << prefix->attributes;

	prefix->order = sdc_alloc_array(uint32, count);
	prefix->ordered = sdc_alloc_array(double, count);
	for (uint32 i = 0; i < count; i++)
		prefix->order[i] = i;
	for (uint32 i = count / 2; i-- > 0;)
		sift_down(&prefix->weight, prefix->order, count, i, prefix->order[i]);
	for (uint32 size = count - 1; size > 0; size--)
	{
		uint32		moving = prefix->order[size];

		prefix->order[size] = prefix->order[0];
		sift_down(&prefix->weight, prefix->order, size, 0, moving);
	}
	for (uint32 i = 0; i < count; i++)
		prefix->ordered[i] = sum_terms(&prefix->weight, prefix->order[i]);
}

/* link_tally links by the counts of all patterns, from the highest weight down. */
static void
link_tally(const Prefix *prefix, const uint32 *tally, uint64 own, SdcLink *link)
{
	uint32		i = 0;
	uint64		ties = 0;
	double		lowest;

	while (tally[prefix->order[i]] == 0)
		i++;
	link->distance = prefix->ordered[i];
	lowest = lowest_tie(link->distance);
	for (; i < UINT32_C(1) << prefix->attributes && prefix->ordered[i] >= lowest; i++)
		ties += tally[prefix->order[i]];
	link->ties = (uint32) ties;
	link->correct = sum_terms(&prefix->weight, own) >= lowest;
}

/* fold_list adds the patterns that differ in the last attribute only; both halves ascend. */
static int
fold_list(const SdcPatternCount *from, int count, uint64 bit, SdcPatternCount *to)
{
	int			low = 0;
	int			high = 0;
	int			middle;
	int			folded = 0;

	while (high < count && (from[high].pattern & bit) == 0)
		high++;
	middle = high;
	while (low < middle || high < count)
	{
		uint64		left = low < middle ? from[low].pattern : UINT64_MAX;
		uint64		right = high < count ? from[high].pattern - bit : UINT64_MAX;

		to[folded] = (SdcPatternCount) {left < right ? left : right, 0};
		if (low < middle && left <= right)
			to[folded].count += from[low++].count;
		if (high < count && right <= left)
			to[folded].count += from[high++].count;
		folded++;
	}
	return folded;
}

/* link_by_list links an original for every number of attributes, by lists. */
static void
link_by_list(Prefixes *prefixes, uint32 index, uint64 own, const SdcPatternCount *patterns,
			 int count)
{
	for (int known = prefixes->attributes; known > 0; known--)
	{
		SdcLink		link = {0, SDC_RECORD_NONE, 0, prefixes->records, false};
		uint64		bit = UINT64_C(1) << (known - 1);
		SdcPatternCount *folded = prefixes->list[known % 2];

		link_patterns(&prefixes->prefix[known - 1].weight, patterns, count, own, &link);
		prefixes->result(prefixes->arg, known, index, &link);
		count = fold_list(patterns, count, bit, folded);
		patterns = folded;
		own &= bit - 1;
	}
}

/* link_by_tally does the same by the counts of all patterns. */
static void
link_by_tally(Prefixes *prefixes, uint32 index, uint64 own, const SdcPatternCount *patterns,
			  int count)
{
	uint32	   *tally = prefixes->tally;

	memset(tally, 0, sizeof(uint32) << prefixes->attributes);
	for (int i = 0; i < count; i++)
		tally[patterns[i].pattern] = (uint32) patterns[i].count;
	for (int known = prefixes->attributes; known > 0; known--)
	{
		SdcLink		link = {0, SDC_RECORD_NONE, 0, prefixes->records, false};
		uint32		half = UINT32_C(1) << (known - 1);

		link_tally(&prefixes->prefix[known - 1], tally, own, &link);
		prefixes->result(prefixes->arg, known, index, &link);
		for (uint32 i = 0; i < half; i++)
			tally[i] += tally[half + i];
		own &= half - 1;
	}
}

/* link_prefixes links one original for every number of attributes. */
static void
link_prefixes(void *arg, uint32 index, uint32 record, const SdcPatternCount *patterns, int count)
{
	Prefixes   *prefixes = arg;
	uint64		own = sdc_agreement_pattern(prefixes->agreement, record, record);

	if (prefixes->tally != NULL && count >= 1 << prefixes->attributes >> 4)
	{
		link_by_tally(prefixes, index, own, patterns, count);
		return;
	}
	if (count > prefixes->size)
	{
		prefixes->size = count > 2 * prefixes->size ? count : 2 * prefixes->size;
		for (int i = 0; i < 2; i++)
		{
			sdc_free(prefixes->list[i]);
			prefixes->list[i] = sdc_alloc_array(SdcPatternCount, prefixes->size);
		}
	}
	link_by_list(prefixes, index, own, patterns, count);
}

/* sdc_fellegisunter_prefixes: see fellegisunter.h. */
void
sdc_fellegisunter_prefixes(SdcAgreement *agreement, const SdcLinkModel *models,
						   const uint32 *record, uint32 count,
						   SdcFellegiSunterResult result, void *arg)
{
	SdcAgreementRows rows = sdc_agreement_rows(agreement);
	bool		ordered = rows.attributes <= ORDERED_BITS;
	Prefixes	prefixes = {agreement, rows.attributes, rows.records, NULL, result, arg, NULL,
		{sdc_alloc_array(SdcPatternCount, 64), sdc_alloc_array(SdcPatternCount, 64)}, 64};

	prefixes.prefix = sdc_alloc_array(Prefix, rows.attributes);
	for (int i = 0; i < rows.attributes; i++)
	{
		SDC_ASSERT(models[i].attributes == i + 1);
		fill_weights(&prefixes.prefix[i].weight, &models[i]);
		prefixes.prefix[i].attributes = i + 1;
		if (ordered)
			order_patterns(&prefixes.prefix[i]);
	}
	if (ordered)
		prefixes.tally = sdc_alloc_array(uint32, (Size) 1 << rows.attributes);
	sdc_agreement_visit(agreement, record, count, link_prefixes, &prefixes);
	for (int i = 0; ordered && i < rows.attributes; i++)
	{
		sdc_free(prefixes.prefix[i].order);
		sdc_free(prefixes.prefix[i].ordered);
	}
	if (ordered)
		sdc_free(prefixes.tally);
	sdc_free(prefixes.list[0]);
	sdc_free(prefixes.list[1]);
	sdc_free(prefixes.prefix);
}
