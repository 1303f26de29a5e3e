/*-------------------------------------------------------------------------
 *
 * agreeing.c
 *		Candidates of originals in a bucket whose records were randomized.
 *
 * Small buckets are looked at record by record.  In others everything is a bitmap of the records:
 * those inside a window, those that agree in a column (codemaps.h).  In how many columns of a draw
 * a record differs is added up for all records at once, bit by bit, as one adds numbers
 * on paper; what is above k is only noted to be so.  That takes a few operations on words for
 * 64 records.
 *
 * The records lie in the order of their worth, and what a likelihood is above the worth is
 * bounded for every number of differences (likelihood.h): the search for the highest one ends where
 * worth and bound are below it.  With a few columns that is done for every set of columns that
 * differ: there the likelihood depends on the worth only, and without distances records that are
 * worth the same are counted in the bitmap, not looked at one by one.
 *
 * Where every column has a law of its own a tree (lawtree.h) takes the place of the bitmaps.
 *
 * RA 1 looks first for what agrees in all columns but one (leftout.h), if that are not too many
 * records.
 *
 * A value that is missing among the shares makes no bound; then all likelihoods are computed.
 *
 * Records with blanks (blanks.h) come on top of those of the bucket, cell by cell.
 *
 * Time: for an original O(records / 64) a column, and what it finds.  Memory: a bitmap for every column, and 40 bytes
 * a record.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include <math.h>

#include "kernel/base/ordered.h"
#include "kernel/base/wordsort.h"
#include "kernel/candidates/agreeing.h"
#include "kernel/candidates/blanks.h"
#include "kernel/candidates/lawtree.h"
#include "kernel/candidates/leftout.h"

/* Buckets up to this are looked at record by record. */
#define SMALL_BUCKET 64

/* Words of a bitmap, in a column, that take as long as to look at one record. */
#define WORDS_A_RECORD 16

/* What rounding can do to a bound, and more. */
#define BOUND_SLACK 1e-6

/* Records that may be the best: one, or some that are alike. */
typedef struct Likely
{
	double		likelihood;
	uint32		record;			/* the first */
	uint32		count;
} Likely;

/* Columns that differ, and the likelihood that no record has more of: its logarithm. */
typedef struct LikelySet
{
	uint64		differs;
	double		greatest;
} LikelySet;

/* Sets of the columns that a set is gone through for, or of RA 1. */
#define LIKELY_SETS (1 << SDC_LIKELIHOOD_SETS)

struct SdcAgreeing
{
	SdcConditions *conditions;
	uint32		first;			/* places of the bucket: bit 0 is this one */
	uint32		count;
	bool		small;
	SdcLeftout *leftout;		/* RA 1, or NULL */
	SdcLawTree *laws;			/* all draws have laws, or NULL */

	Size		words;			/* of a bitmap */
	SdcCodeMap *window;		/* by WINDOW column, if they are conditions */
	SdcCodeMap *randomized;	/* by RANDOMIZED column */
	SdcCodeMap **list;			/* by index in task->column, of RANDOMIZED ones */
	uint64	   *mask;			/* the candidates so far */
	uint64	   *level;			/* those that differ in a number of columns */
	uint64	   *over;			/* more differences than digits can say */
	uint64	   *digit;			/* bitmaps of the digits of the number of differences */
	int			digits;			/* of the draw at work */
	uint32		worthless;		/* the first bit of a record that has no worth */

	LikelySet  *set;			/* LIKELY_SETS of them; NULL: none so far */
	Likely	   *likely;
	uint32		likelies;
	double		best;
	uint32		credit;
};

/* digits_of is how many digits numbers up to k have. */
static inline int
digits_of(int k)
{
	return sdc_wordsort_width((uint64) k);
}

/* create_list lists the records of the bucket by their codes in a column. */
static void
create_list(SdcAgreeing *agreeing, int column, SdcCodeMap *list)
{
	const uint32 *protected = agreeing->conditions->task->column[column].protected;
	uint64	   *entry = sdc_alloc_array(uint64, agreeing->count);

	for (uint32 i = 0; i < agreeing->count; i++)
	{
		uint32		record = agreeing->conditions->order[agreeing->first + i];

		sdc_interrupts_spend(&agreeing->credit, 1);
		entry[i] = (uint64) protected[record] << 32 | i;
	}
	sdc_codemap_create(list, entry, agreeing->count, agreeing->count);
	sdc_free(entry);
}

/* create_bitmaps allocates what a search works with. */
static void
create_bitmaps(SdcAgreeing *agreeing)
{
	const SdcConditions *conditions = agreeing->conditions;
	int			digits = 0;

	for (int s = 0; s < conditions->likelihood->draws; s++)
		if (digits_of(conditions->likelihood->draw[s].k) > digits)
			digits = digits_of(conditions->likelihood->draw[s].k);
	agreeing->words = sdc_bitset_words(agreeing->count);
	agreeing->mask = sdc_alloc_array(uint64, agreeing->words);
	agreeing->level = sdc_alloc_array(uint64, agreeing->words);
	agreeing->over = sdc_alloc_array(uint64, agreeing->words);
	agreeing->digit = sdc_alloc_matrix(uint64, digits, agreeing->words);
	agreeing->worthless = agreeing->count;
	while (agreeing->worthless > 0 &&
		   conditions->worth[agreeing->first + agreeing->worthless - 1] == -INFINITY)
		agreeing->worthless--;
}

/* sdc_agreeing_create: see agreeing.h. */
SdcAgreeing *
sdc_agreeing_create(SdcConditions *conditions, uint32 bucket)
{
	SdcAgreeing *agreeing = sdc_alloc(sizeof(SdcAgreeing));
	int			windows = conditions->windows ? conditions->count[SDC_CANDIDATES_WINDOW] : 0;
	int			randomized = conditions->count[SDC_CANDIDATES_RANDOMIZED];

	agreeing->conditions = conditions;
	agreeing->credit = SDC_INTERRUPT_STEPS;
	agreeing->first = conditions->bucket_start[bucket];
	agreeing->count = conditions->bucket_start[bucket + 1] - agreeing->first;
	agreeing->likely = sdc_alloc_array(Likely, (uint64) agreeing->count + conditions->task->count + 1 +
									   sdc_blanks_cells(conditions->blanks));
	agreeing->set = NULL;
	agreeing->small = agreeing->count <= SMALL_BUCKET;
	agreeing->leftout = NULL;
	agreeing->laws = NULL;
	if (agreeing->small)
		return agreeing;
	if (sdc_lawtree_fits(conditions))
		agreeing->laws = sdc_lawtree_create(conditions, agreeing->first, agreeing->count);
	else if (conditions->likelihood->draws == 1 && conditions->likelihood->draw[0].single)
		agreeing->leftout = sdc_leftout_create(conditions, agreeing->first, agreeing->count);
	agreeing->window = sdc_alloc_array(SdcCodeMap, windows);
	for (int a = 0; a < windows; a++)
		create_list(agreeing, conditions->column[SDC_CANDIDATES_WINDOW][a], &agreeing->window[a]);
	agreeing->randomized = sdc_alloc_array(SdcCodeMap, randomized);
	agreeing->list = sdc_alloc_array(SdcCodeMap *, conditions->task->count);
	for (int a = 0; a < randomized; a++)
	{
		int			j = conditions->column[SDC_CANDIDATES_RANDOMIZED][a];

		create_list(agreeing, j, &agreeing->randomized[a]);
		agreeing->list[j] = &agreeing->randomized[a];
	}
	create_bitmaps(agreeing);
	return agreeing;
}

/* sdc_agreeing_destroy accepts NULL. */
void
sdc_agreeing_destroy(SdcAgreeing *agreeing)
{
	const SdcConditions *conditions;

	if (agreeing == NULL)
		return;
	conditions = agreeing->conditions;
	if (!agreeing->small)
	{
		for (int a = 0; a < conditions->count[SDC_CANDIDATES_RANDOMIZED]; a++)
			sdc_codemap_destroy(&agreeing->randomized[a]);
		for (int a = 0; conditions->windows && a < conditions->count[SDC_CANDIDATES_WINDOW]; a++)
			sdc_codemap_destroy(&agreeing->window[a]);
		sdc_free(agreeing->digit);
		if (agreeing->set != NULL)
			sdc_free(agreeing->set);
		sdc_free(agreeing->over);
		sdc_free(agreeing->level);
		sdc_free(agreeing->mask);
		sdc_free(agreeing->list);
		sdc_free(agreeing->randomized);
		sdc_free(agreeing->window);
	}
	sdc_lawtree_destroy(agreeing->laws);
	sdc_leftout_destroy(agreeing->leftout);
	sdc_free(agreeing->likely);
	sdc_free(agreeing);
}

/* record_at is the record of a bit. */
static inline uint32
record_at(const SdcAgreeing *agreeing, uint32 bit)
{
	return agreeing->conditions->order[agreeing->first + bit];
}

/* spend_words looks for a cancel after enough words. */
static inline void
spend_words(SdcAgreeing *agreeing)
{
	sdc_interrupts_spend(&agreeing->credit, agreeing->words / SDC_BITSET_BLOCK + 1 <
						 SDC_INTERRUPT_STEPS ?
						 (uint32) (agreeing->words / SDC_BITSET_BLOCK + 1) : SDC_INTERRUPT_STEPS);
}

/* ------------------------------------------------------------------------
 * The candidates
 * ------------------------------------------------------------------------
 */

/* start_mask begins with the records inside all windows. */
static void
start_mask(SdcAgreeing *agreeing, uint32 original)
{
	const SdcConditions *conditions = agreeing->conditions;

	memset(agreeing->mask, 0, agreeing->words * sizeof(uint64));
	memset(agreeing->mask, 0xFF, agreeing->count / SDC_BITSET_BITS * sizeof(uint64));
	if (agreeing->count % SDC_BITSET_BITS != 0)
		agreeing->mask[agreeing->count / SDC_BITSET_BITS] =
			(UINT64_C(1) << (agreeing->count % SDC_BITSET_BITS)) - 1;
	for (int a = 0; conditions->windows && a < conditions->count[SDC_CANDIDATES_WINDOW]; a++)
	{
		int			j = conditions->column[SDC_CANDIDATES_WINDOW][a];

		if (conditions->task->column[j].original[original] == SDC_CODE_NULL)
			continue;
		spend_words(agreeing);
		sdc_bitset_intersect(agreeing->mask,
						sdc_codemap_take(&agreeing->window[a],
										  sdc_conditions_window(conditions, j, original)),
						agreeing->words);
	}
}

/* add_differences adds 1 to the numbers of the records that do not agree. */
static void
add_differences(SdcAgreeing *agreeing, const uint64 *agree)
{
	Size		words = agreeing->words;

	for (Size w = 0; w < words; w += SDC_BITSET_LANES)
	{
		SdcBitsetLanes carry = ~*(const SdcBitsetLanes *) (agree + w);

		for (int p = 0; p < agreeing->digits; p++)
		{
			SdcBitsetLanes *digit = (SdcBitsetLanes *) (agreeing->digit + p * words + w);
			SdcBitsetLanes next = *digit & carry;

			*digit ^= carry;
			carry = next;
		}
		*(SdcBitsetLanes *) (agreeing->over + w) |= carry;
	}
}

/* agree_in is the bitmap of the records that agree with an original in a RANDOMIZED column. */
static inline const uint64 *
agree_in(SdcAgreeing *agreeing, int column, uint32 original)
{
	uint32		code = agreeing->conditions->task->column[column].original[original];

	spend_words(agreeing);
	return sdc_codemap_take(agreeing->list[column], (SdcInterval) {code, code});
}

/* take_level writes to level the candidates with so many differences in the draw at work. */
static void
take_level(SdcAgreeing *agreeing, int differences)
{
	Size		words = agreeing->words;

	spend_words(agreeing);
	sdc_bitset_subtract(agreeing->level, agreeing->mask, agreeing->over, words);
	for (int p = 0; p < agreeing->digits; p++)
	{
		const uint64 *digit = agreeing->digit + p * words;

		if (differences >> p & 1)
			sdc_bitset_intersect(agreeing->level, digit, words);
		else
			sdc_bitset_subtract(agreeing->level, agreeing->level, digit, words);
	}
}

/* intersect_draw leaves the candidates that differ in at most k columns of a draw. */
static void
intersect_draw(SdcAgreeing *agreeing, const SdcLikelihoodDraw *draw, uint32 original)
{
	Size		words = agreeing->words;

	agreeing->digits = digits_of(draw->k);
	memset(agreeing->over, 0, words * sizeof(uint64));
	memset(agreeing->digit, 0, agreeing->digits * words * sizeof(uint64));
	for (int a = 0; a < draw->active; a++)
	{
		int			j = draw->column[draw->at[a]];
		const uint64 *agree = agree_in(agreeing, j, original);

		if (draw->single && !(agreeing->conditions->task->column[j].probability > 0))
			sdc_bitset_intersect(agreeing->mask, agree, words);
		else
			add_differences(agreeing, agree);
	}
	for (int d = draw->k + 1; d < 1 << agreeing->digits; d++)
	{
		take_level(agreeing, d);
		sdc_bitset_subtract(agreeing->mask, agreeing->mask, agreeing->level, words);
	}
	sdc_bitset_subtract(agreeing->mask, agreeing->mask, agreeing->over, words);
}

/* next_bit is the first bit of a bitmap from one on, or count. */
static inline uint32
next_bit(const SdcAgreeing *agreeing, const uint64 *bits, uint32 bit)
{
	Size		w = bit / SDC_BITSET_BITS;
	uint64		word;

	if (bit >= agreeing->count)
		return agreeing->count;
	word = bits[w] & ~UINT64_C(0) << (bit % SDC_BITSET_BITS);
	while (word == 0 && ++w < agreeing->words)
		word = bits[w];
	return word == 0 ? agreeing->count :
		(uint32) (w * SDC_BITSET_BITS) + __builtin_ctzll(word);
}

/* filter_mask looks at the candidates from a bit on, one by one. */
static void
filter_mask(SdcAgreeing *agreeing, uint32 original, uint32 from, bool likely)
{
	const SdcConditions *conditions = agreeing->conditions;

	for (uint32 bit = next_bit(agreeing, agreeing->mask, from); bit < agreeing->count;
		 bit = next_bit(agreeing, agreeing->mask, bit + 1))
	{
		uint32		record = record_at(agreeing, bit);

		sdc_interrupts_spend(&agreeing->credit, 1);
		if (!sdc_conditions_group(conditions, original, record) ||
			!sdc_conditions_bins(conditions, original, record) ||
			(likely && sdc_likelihood_log(conditions->likelihood, record) == -INFINITY))
			sdc_bitset_remove(agreeing->mask, bit);
	}
}

/* lacks_shares tells whether an original has values that were never seen, or laws that may forbid something. */
static bool
lacks_shares(const SdcLikelihood *likelihood, uint32 original)
{
	for (int s = 0; s < likelihood->draws; s++)
	{
		const SdcLikelihoodDraw *draw = &likelihood->draw[s];

		if (draw->laws ? !draw->sure : draw->single && draw->unchanged == -INFINITY)
			return true;
		if (draw->laws)
			continue;
		for (int a = 0; a < draw->active; a++)
		{
			int			j = draw->column[draw->at[a]];

			if (likelihood->share[j][likelihood->task->column[j].original[original]] == -INFINITY)
				return true;
		}
	}
	return false;
}

/*
 * take_mask finds the candidates; the digits are those of the last draw if they are wanted.  Where all
 * columns can be drawn at once, all records are candidates.
 */
static void
take_mask(SdcAgreeing *agreeing, uint32 original, bool digits)
{
	const SdcConditions *conditions = agreeing->conditions;
	const SdcLikelihood *likelihood = conditions->likelihood;
	bool		others = conditions->task->joints > 0 || conditions->count[SDC_CANDIDATES_RANGE] +
		conditions->count[SDC_CANDIDATES_SET] > 0;

	start_mask(agreeing, original);
	for (int s = 0; s < likelihood->draws; s++)
		if (!likelihood->draw[s].laws &&
			(digits || likelihood->draw[s].single || likelihood->draw[s].active > likelihood->draw[s].k))
			intersect_draw(agreeing, &likelihood->draw[s], original);
	if (lacks_shares(likelihood, original))
		filter_mask(agreeing, original, 0, true);
	else if (others)
		filter_mask(agreeing, original, 0, false);
	filter_mask(agreeing, original, agreeing->worthless, true);
}

/* ------------------------------------------------------------------------
 * The best of them
 * ------------------------------------------------------------------------
 */

/* add_likely adds records that may be the best. */
static inline void
add_likely(SdcAgreeing *agreeing, double likelihood, uint32 record, uint32 count)
{
	if (!(likelihood >= agreeing->best - SDC_LIKELIHOOD_TIE))
		return;
	agreeing->best = likelihood > agreeing->best ? likelihood : agreeing->best;
	agreeing->likely[agreeing->likelies++] = (Likely) {likelihood, record, count};
}

/* add_one adds a record, for a tree. */
static void
add_one(void *agreeing, uint32 record, double likelihood)
{
	add_likely(agreeing, likelihood, record, 1);
}

/* search_bits looks for likely records in a bitmap; bound is what they have above their worth. */
static void
search_bits(SdcAgreeing *agreeing, const uint64 *bits, double bound)
{
	const double *worth = agreeing->conditions->worth + agreeing->first;

	for (uint32 bit = next_bit(agreeing, bits, 0); bit < agreeing->count;
		 bit = next_bit(agreeing, bits, bit + 1))
	{
		uint32		record = record_at(agreeing, bit);

		sdc_interrupts_spend(&agreeing->credit, 1);
		if (worth[bit] + bound < agreeing->best - BOUND_SLACK)
			break;
		add_likely(agreeing, sdc_likelihood_log(agreeing->conditions->likelihood, record), record,
				   1);
	}
}

/* run_end is the end of the records that are worth as much as one. */
static uint32
run_end(const SdcAgreeing *agreeing, uint32 bit)
{
	const double *worth = agreeing->conditions->worth + agreeing->first;
	uint32		low = bit + 1;
	uint32		high = agreeing->count;

	SDC_BISECT(low, high, middle, worth[middle] == worth[bit]);
	return low;
}

/* A search for the best, set of columns that differ by set. */
typedef struct SetSearch
{
	SdcAgreeing *agreeing;
	SdcLikelihoodDraw *draw;
	int			sets;

	/* by active column */
	const uint64 *agree[SDC_BITSET_BITS];
	double		same[SDC_BITSET_BITS];	/* the worth of the original's value */
	double		other[SDC_BITSET_BITS];	/* and of another one, at most */
} SetSearch;

/* start_sets looks up what all sets need. */
static void
start_sets(SetSearch *search, uint32 original)
{
	const SdcLikelihood *likelihood = search->agreeing->conditions->likelihood;

	for (int a = 0; a < search->draw->active; a++)
	{
		int			j = search->draw->column[search->draw->at[a]];

		search->agree[a] = agree_in(search->agreeing, j, original);
		search->same[a] = likelihood->share[j][likelihood->task->column[j].original[original]];
		search->other[a] = log(sdc_likelihood_other(likelihood, j));
	}
}

/* collect_set keeps a set that may have likely records. */
static void
collect_set(void *arg, uint64 differs, double greatest)
{
	SetSearch  *search = arg;

	if (greatest > 0 && log(greatest) >= search->agreeing->best - BOUND_SLACK)
		search->agreeing->set[search->sets++] = (LikelySet) {differs, log(greatest)};
}

/* set_word is a word of the bitmap of the candidates that differ in just the columns of a set. */
static inline uint64
set_word(const SetSearch *search, uint64 differs, Size w)
{
	uint64		word = search->agreeing->mask[w];

	for (int a = 0; a < search->draw->active && word != 0; a++)
		word &= differs >> a & 1 ? ~search->agree[a][w] : search->agree[a][w];
	return word;
}

/*
 * count_alike counts the records of a set from a bit to before end, which are worth the same, and
 * removes them from the word at work; *w and *word go on to that of the end.
 */
static uint32
count_alike(const SetSearch *search, uint64 differs, uint32 end, Size *w, uint64 *word)
{
	uint32		count = 0;

	while (*w < (end - 1) / SDC_BITSET_BITS)
	{
		count += sdc_bitset_popcount(*word, false);
		*word = set_word(search, differs, ++*w);
		sdc_interrupts_spend(&search->agreeing->credit, 1);
	}
	for (; *word != 0; *word &= *word - 1, count++)
		if (*w * SDC_BITSET_BITS + __builtin_ctzll(*word) >= end)
			break;
	return count;
}

/*
 * search_set adds the likely records of a set.  Their likelihood is a constant above their worth, so that
 * they are those that are worth most.  Where there is a distance they are added one by one,
 * and else all of the same worth at once: the first one is the first in the order of records, too.
 */
static void
search_set(SetSearch *search, const LikelySet *set)
{
	SdcAgreeing *agreeing = search->agreeing;
	const double *worth = agreeing->conditions->worth + agreeing->first;
	bool		alike = agreeing->conditions->space->dimensions == 0;
	double		limit = agreeing->best - set->greatest - BOUND_SLACK;
	bool		any = false;

	for (int a = 0; a < search->draw->active; a++)
		limit += set->differs >> a & 1 ? search->other[a] : search->same[a];
	for (Size w = 0; w * SDC_BITSET_BITS < agreeing->count; w++)
	{
		uint64		word;

		if (worth[w * SDC_BITSET_BITS] < limit)
			return;
		word = set_word(search, set->differs, w);
		sdc_interrupts_spend(&agreeing->credit, 1);
		while (word != 0)
		{
			uint32		bit = (uint32) (w * SDC_BITSET_BITS) + __builtin_ctzll(word);
			uint32		record = record_at(agreeing, bit);
			uint32		count = 1;

			if (worth[bit] < limit)
				return;
			/* only what is worth as much as the first one can be tied with it */
			if (!any && !(worth[bit] - 2 * SDC_LIKELIHOOD_TIE < limit))
				limit = worth[bit] - 2 * SDC_LIKELIHOOD_TIE;
			any = true;
			if (alike)
				count = count_alike(search, set->differs, run_end(agreeing, bit), &w, &word);
			else
				word &= word - 1;
			add_likely(agreeing, sdc_likelihood_log(agreeing->conditions->likelihood, record),
					   record, count);
		}
	}
}

/* search_sets goes through the sets, the most likely one first, as long as they can matter. */
static void
search_sets(SdcAgreeing *agreeing, SdcLikelihoodDraw *draw, uint32 original)
{
	SetSearch	search = {.agreeing = agreeing, .draw = draw};

	if (agreeing->set == NULL)
		agreeing->set = sdc_alloc_array(LikelySet, LIKELY_SETS);
	start_sets(&search, original);
	sdc_likelihood_sets(agreeing->conditions->likelihood, draw, collect_set, &search);
	while (search.sets > 0)
	{
		LikelySet  *first = agreeing->set;
		LikelySet	set;

		for (int i = 1; i < search.sets; i++)
			if (agreeing->set[i].greatest > first->greatest)
				first = &agreeing->set[i];
		set = *first;
		*first = agreeing->set[--search.sets];
		if (set.greatest < agreeing->best - BOUND_SLACK)
			return;
		search_set(&search, &set);
	}
}

/* search_draw looks for likely records, set by set or number of differences by number. */
static void
search_draw(SdcAgreeing *agreeing, uint32 original)
{
	SdcLikelihood *likelihood = agreeing->conditions->likelihood;
	SdcLikelihoodDraw *draw = &likelihood->draw[0];
	int			most = draw->active < draw->k ? draw->active : draw->k;

	if (draw->active <= (draw->single ? SDC_BITSET_BITS : SDC_LIKELIHOOD_SETS))
	{
		search_sets(agreeing, draw, original);
		return;
	}
	sdc_likelihood_bounds(likelihood, draw);
	for (int d = 0; d <= most; d++)
	{
		take_level(agreeing, d);
		search_bits(agreeing, agreeing->level, draw->bound[d]);
	}
}

/* bound_draws is what records have above their worth at most, by all draws; laws have no bound. */
static double
bound_draws(SdcLikelihood *likelihood)
{
	double		sum = 0;

	for (int s = 0; s < likelihood->draws; s++)
	{
		SdcLikelihoodDraw *draw = &likelihood->draw[s];
		int			most = draw->active < draw->k ? draw->active : draw->k;
		double		greatest;

		if (draw->laws)
			return INFINITY;
		sdc_likelihood_bounds(likelihood, draw);
		greatest = draw->bound[0];
		for (int d = 1; d <= most; d++)
			if (!(draw->bound[d] <= greatest))
				greatest = draw->bound[d];
		sum += greatest;
	}
	return sum;
}

/* choose_best finds the nearest of the likely records. */
static void
choose_best(SdcAgreeing *agreeing, const double *point, SdcCandidatesFound *found)
{
	const SdcMetricSpace *space = agreeing->conditions->space;
	double	   *own = sdc_alloc_array(double, space->dimensions);

	found->likelihood = agreeing->best;
	found->measure = INFINITY;
	for (int pass = 0; pass < 2; pass++)
		for (uint32 i = 0; i < agreeing->likelies; i++)
		{
			const Likely *likely = &agreeing->likely[i];
			double		measure;

			sdc_interrupts_spend(&agreeing->credit, 1);
			if (likely->likelihood < agreeing->best - SDC_LIKELIHOOD_TIE)
				continue;
			sdc_metricspace_protected(space, likely->record, own);
			measure = sdc_metricspace_measure(space, point, own);
			if (pass == 0)
				found->measure = measure < found->measure ? measure : found->measure;
			else if (measure <= found->measure * SDC_METRICSPACE_TIE)
			{
				found->ties += likely->count;
				found->linked = likely->record < found->linked ? likely->record : found->linked;
			}
		}
	sdc_free(own);
}

/* find_small looks at the records of a small bucket, and writes the candidates to record[], if it is not NULL. */
static uint32
find_small(SdcAgreeing *agreeing, uint32 original, uint32 *record)
{
	uint32		candidates = 0;

	for (uint32 bit = 0; bit < agreeing->count; bit++)
	{
		uint32		found = record_at(agreeing, bit);
		double		of_record = sdc_conditions_log(agreeing->conditions, original, found);

		sdc_interrupts_spend(&agreeing->credit, 1);
		if (of_record == -INFINITY)
			continue;
		if (record != NULL)
			record[candidates] = found;
		candidates++;
		add_likely(agreeing, of_record, found, 1);
	}
	return candidates;
}

/*
 * agree_but tells whether a record agrees with an original in all active columns but one, and in that
 * too where it comes first: so that it is found once.
 */
static bool
agree_but(const SdcAgreeing *agreeing, int left_out, uint32 original, uint32 record)
{
	const SdcLikelihoodDraw *draw = &agreeing->conditions->likelihood->draw[0];

	for (int a = 0; a < draw->active; a++)
	{
		const SdcCandidatesColumn *column =
			&agreeing->conditions->task->column[draw->column[draw->at[a]]];
		bool		agrees = column->protected[record] == column->original[original];

		if (a == left_out ? agrees && a > 0 : !agrees)
			return false;
	}
	return true;
}

/*
 * find_leftout looks at what agrees in all columns but one, and writes the candidates to record[],
 * if it is not NULL.  false: that are too many records, and nothing was done.
 */
static bool
find_leftout(SdcAgreeing *agreeing, uint32 original, uint32 *candidates, uint32 *record)
{
	const SdcLeftout *leftout = agreeing->leftout;
	const SdcLikelihoodDraw *draw = &agreeing->conditions->likelihood->draw[0];
	uint64		hash = sdc_leftout_hash(leftout, original);
	uint64		total = 0;
	uint32		first;
	uint32		end;

	if (draw->active == 0)
		return false;
	for (int a = 0; a < draw->active; a++)
	{
		sdc_leftout_find(leftout, draw->at[a], original, hash, &first, &end);
		total += end - first;
	}
	if (total > SMALL_BUCKET + agreeing->words * draw->active / WORDS_A_RECORD)
		return false;
	*candidates = 0;
	for (int a = 0; a < draw->active; a++)
	{
		sdc_leftout_find(leftout, draw->at[a], original, hash, &first, &end);
		for (uint32 w = first; w < end; w++)
		{
			uint32		found = record_at(agreeing, sdc_leftout_place(leftout, draw->at[a], w));
			double		of_record;

			sdc_interrupts_spend(&agreeing->credit, 1);
			if (!agree_but(agreeing, a, original, found))
				continue;
			of_record = sdc_conditions_log(agreeing->conditions, original, found);
			if (of_record == -INFINITY)
				continue;
			if (record != NULL)
				record[*candidates] = found;
			(*candidates)++;
			add_likely(agreeing, of_record, found, 1);
		}
	}
	return true;
}

/*
 * find_blanks looks at the records with blanks, and writes the candidates to record[], if it is not NULL.  It returns
 * how many there are.
 */
static uint32
find_blanks(SdcAgreeing *agreeing, uint32 original, uint32 *record)
{
	const SdcConditions *conditions = agreeing->conditions;
	const uint32 *cell;
	uint32		cells = sdc_blanks_find(conditions->blanks, original, &cell);
	uint32		candidates = 0;

	for (uint32 c = 0; c < cells; c++)
	{
		const uint32 *start = conditions->cell_start + cell[c];
		uint32		first = conditions->order[start[0]];
		double		of_record = sdc_likelihood_log(conditions->likelihood, first);

		sdc_interrupts_spend(&agreeing->credit, 1);
		if (of_record == -INFINITY)
			continue;
		if (record != NULL)
			memcpy(record + candidates, conditions->order + start[0], (start[1] - start[0]) * sizeof(uint32));
		candidates += start[1] - start[0];
		add_likely(agreeing, of_record, first, start[1] - start[0]);
	}
	return candidates;
}

/* sdc_agreeing_find: see agreeing.h. */
void
sdc_agreeing_find(SdcAgreeing *agreeing, uint32 original, const double *point, double hint,
				  SdcCandidatesFound *found)
{
	SdcLikelihood *likelihood = agreeing->conditions->likelihood;
	uint32		candidates;

	*found = (SdcCandidatesFound) {.linked = SDC_RECORD_NONE};
	agreeing->likelies = 0;
	agreeing->best = hint;
	if (agreeing->small)
		found->candidates = find_small(agreeing, original, NULL);
	else if (agreeing->leftout != NULL && find_leftout(agreeing, original, &candidates, NULL))
		found->candidates = candidates;
	else if (agreeing->laws != NULL)
	{
		found->candidates = sdc_lawtree_count(agreeing->laws, original);
		sdc_lawtree_search(agreeing->laws, original, &agreeing->best, add_one, agreeing);
	}
	else
	{
		take_mask(agreeing, original, true);
		found->candidates = sdc_bitset_count(agreeing->mask, agreeing->words);
		if (found->candidates > 0 && likelihood->draws == 1)
			search_draw(agreeing, original);
		else if (found->candidates > 0)
			search_bits(agreeing, agreeing->mask, bound_draws(likelihood));
	}
	found->candidates += find_blanks(agreeing, original, NULL);
	if (found->candidates > 0)
		choose_best(agreeing, point, found);
}

/* sdc_agreeing_mask: see agreeing.h. */
const uint64 *
sdc_agreeing_mask(SdcAgreeing *agreeing, uint32 original)
{
	if (agreeing->small)
		return NULL;
	take_mask(agreeing, original, false);
	return agreeing->mask;
}

/* list_bucket lists the candidates of the bucket. */
static uint32
list_bucket(SdcAgreeing *agreeing, uint32 original, uint32 *record)
{
	uint32		count = 0;

	if (agreeing->small)
		return find_small(agreeing, original, record);
	if (agreeing->leftout != NULL && find_leftout(agreeing, original, &count, record))
		return count;
	take_mask(agreeing, original, false);
	for (uint32 bit = next_bit(agreeing, agreeing->mask, 0); bit < agreeing->count;
		 bit = next_bit(agreeing, agreeing->mask, bit + 1))
	{
		sdc_interrupts_spend(&agreeing->credit, 1);
		record[count++] = record_at(agreeing, bit);
	}
	return count;
}

/* sdc_agreeing_list: see agreeing.h. */
uint32
sdc_agreeing_list(SdcAgreeing *agreeing, uint32 original, uint32 *record)
{
	uint32		count;

	/* none of them is likely enough to be noted */
	agreeing->likelies = 0;
	agreeing->best = INFINITY;
	count = list_bucket(agreeing, original, record);
	return count + find_blanks(agreeing, original, record + count);
}
