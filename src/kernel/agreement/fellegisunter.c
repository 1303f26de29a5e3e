/*-------------------------------------------------------------------------
 *
 * fellegisunter.c
 *		Probabilistic record linkage: weights and nearest links.
 *
 * The weight of a pattern is the log2 of its likelihood ratio by a model (linkmodel.c), and an original is linked to
 * the records of the highest weight.
 *
 * All prefixes of the known attributes at once: the counts of the patterns of an original
 * are added up over the last attribute, again and again, and for each number of
 * attributes the patterns are tried in the order of their weights until they no longer
 * are as good as the best that occurs.  So it goes for as many attributes as have few patterns; with more of them
 * links are found pair by pair (pairlinks.c).
 *
 * Work: proportional to the patterns that occur, after agreement.c.  Deterministic: nothing to choose.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include <math.h>

#include "kernel/agreement/fellegisunter.h"
#include "kernel/agreement/linktables.h"
#include "kernel/agreement/pairlinks.h"
#include "kernel/agreement/pairmodel.h"
#include "kernel/agreement/patterncounts.h"
#include "kernel/base/ordered.h"

/* Attributes up to which all patterns are ordered by weight; 2^12 of them at most. */
#define ORDERED_BITS 12

/* What prefixes of the same number of attributes need. */
typedef struct Prefix
{
	int			attributes;
	SdcLinkTable weight;
	uint32	   *order;			/* all patterns by descending weight, or NULL */
	double	   *ordered;		/* their weights, in this order */
} Prefix;

/* ------------------------------------------------------------------------
 * Weights and links
 * ------------------------------------------------------------------------
 */

/* fill_weights makes the tables of the weights of a model. */
static void
fill_weights(SdcLinkTable *table, const SdcLinkModel *model)
{
	double		agree[SDC_AGREEMENT_ATTRIBUTES];
	double		disagree[SDC_AGREEMENT_ATTRIBUTES];

	sdc_link_weights(model, agree, disagree);
	sdc_linktable_terms(table, agree, disagree, model->attributes);
}

/* sdc_fellegisunter_weight adds up as the tables do. */
double
sdc_fellegisunter_weight(const SdcLinkModel *model, uint64 pattern)
{
	double		weight = 0;

	for (int first = 0; first < model->attributes; first += SDC_LINKTABLE_BITS)
	{
		double		part = 0;

		for (int j = first; j < first + SDC_LINKTABLE_BITS && j < model->attributes; j++)
			part += (pattern >> j) & 1 ? log2(model->m[j] / model->u[j]) :
				log2((1 - model->m[j]) / (1 - model->u[j]));
		weight += part;
	}
	return weight;
}

/* link_patterns links an original with these patterns, the own record's among them. */
static void
link_patterns(const SdcLinkTable *weight, const SdcPatternCount *patterns, int count,
			  uint64 own, SdcLink *link)
{
	double		best = -INFINITY;
	uint64		ties = 0;

	for (int i = 0; i < count; i++)
		best = fmax(best, sdc_linktable_sum(weight, patterns[i].pattern));
	for (int i = 0; i < count; i++)
		if (sdc_linktable_sum(weight, patterns[i].pattern) >= sdc_link_lowest_tie(best))
			ties += patterns[i].count;
	link->distance = best;
	link->ties = (uint32) ties;
	link->correct = sdc_linktable_sum(weight, own) >= sdc_link_lowest_tie(best);
}

/* What the visits of sdc_fellegisunter_nearest share. */
typedef struct Nearest
{
	const SdcAgreement *agreement;
	SdcLinkTable weight;
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
	const SdcLinkTable *weight = &namer->nearest.weight;
	double		lowest;

	link_nearest(&namer->nearest, index, record, patterns, count);
	lowest = sdc_link_lowest_tie(namer->nearest.link[index].distance);
	for (int i = 0; i < count; i++)
	{
		if (sdc_linktable_sum(weight, patterns[i].pattern) < lowest)
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

/* take_link takes a link of one number of attributes: SdcFellegiSunterResult. */
static void
take_link(void *arg, int known, uint32 index, const SdcLink *link)
{
	(void) known;
	((SdcLink *) arg)[index] = *link;
}

/* sdc_fellegisunter_nearest: see fellegisunter.h. */
void
sdc_fellegisunter_nearest(SdcAgreement *agreement, const SdcLinkModel *model,
						  const uint32 *record, uint32 count, bool names, SdcLink *link)
{
	Namer	   *namer;

	if (!model->listed)
	{
		sdc_pairlinks_find(agreement, model, 1, record, count, names, take_link, link);
		return;
	}
	namer = sdc_alloc(sizeof(Namer));
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
is_worse(const SdcLinkTable *weight, uint32 a, uint32 b)
{
	double		x = sdc_linktable_sum(weight, a);
	double		y = sdc_linktable_sum(weight, b);

	return x < y || (x == y && a > b);
}

/* order_patterns orders all patterns by descending weight: a heap sort, with the worst pattern at the root. */
static void
order_patterns(Prefix *prefix)
{
	uint32		count = UINT32_C(1) << prefix->attributes;

	prefix->order = sdc_alloc_array(uint32, count);
	prefix->ordered = sdc_alloc_array(double, count);
	for (uint32 i = 0; i < count; i++)
		prefix->order[i] = i;
#define ABOVE(a, b) is_worse(&prefix->weight, a, b)
	for (uint32 i = count / 2; i-- > 0;)
		SDC_HEAP_SIFT(prefix->order, count, i, prefix->order[i], ABOVE);
	for (uint32 size = count - 1; size > 0; size--)
	{
		uint32		moving = prefix->order[size];

		prefix->order[size] = prefix->order[0];
		SDC_HEAP_SIFT(prefix->order, size, 0, moving, ABOVE);
	}
#undef ABOVE
	for (uint32 i = 0; i < count; i++)
		prefix->ordered[i] = sdc_linktable_sum(&prefix->weight, prefix->order[i]);
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
	lowest = sdc_link_lowest_tie(link->distance);
	for (; i < UINT32_C(1) << prefix->attributes && prefix->ordered[i] >= lowest; i++)
		ties += tally[prefix->order[i]];
	link->ties = (uint32) ties;
	link->correct = sdc_linktable_sum(&prefix->weight, own) >= lowest;
}

/* link_by_list links an original for every number of attributes, by lists. */
static void
link_by_list(Prefixes *prefixes, uint32 index, uint64 own, const SdcPatternCount *patterns,
			 int count)
{
	for (int known = prefixes->attributes; known > 0; known--)
	{
		SdcLink		link = {0, SDC_RECORD_NONE, 0, prefixes->records, false};
		SdcPatternCount *folded = prefixes->list[known % 2];

		link_patterns(&prefixes->prefix[known - 1].weight, patterns, count, own, &link);
		prefixes->result(prefixes->arg, known, index, &link);
		count = sdc_agreement_fold(patterns, count, known, folded);
		patterns = folded;
		own &= (UINT64_C(1) << (known - 1)) - 1;
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

/* link_lists links originals by lists of the patterns of all attributes. */
static void
link_lists(SdcAgreement *agreement, const SdcLinkModel *models, const uint32 *record, uint32 count,
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

/* sdc_fellegisunter_prefixes: see fellegisunter.h. */
void
sdc_fellegisunter_prefixes(SdcAgreement *agreement, const SdcLinkModel *models,
						   const uint32 *record, uint32 count,
						   SdcFellegiSunterResult result, void *arg)
{
	int			attributes = sdc_agreement_rows(agreement).attributes;
	int			listed = 0;

	while (listed < attributes && models[listed].listed)
		listed++;
	if (listed == attributes)
	{
		link_lists(agreement, models, record, count, result, arg);
		return;
	}
	if (listed > 0)
	{
		SdcAgreement *first = sdc_agreement_first(agreement, listed);

		link_lists(first, models, record, count, result, arg);
		sdc_agreement_destroy(first);
	}
	sdc_pairlinks_find(agreement, models + listed, attributes - listed, record, count, false, result, arg);
}
