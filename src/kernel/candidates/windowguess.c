/*-------------------------------------------------------------------------
 *
 * windowguess.c
 *		What the candidates inside windows tell of a value, without a list of them.
 *
 * All candidates weigh 1.  To know whether the right value of an original is the heaviest, and whether
 * it still is without the own record, it is enough to know how many candidates have it and the value
 * of the own record, and of the other values which weigh more, as much, or one less.
 *
 * One column with a window: the released records inside lie one after the other in the order of the
 * column, and both ends of the window move on with the original's value.  The weights of all values and
 * how many values have each weight are kept while they do: O(1) for a record that comes or goes.
 *
 * Several: the candidates are a bitmap (windowmasks.h), in which the records with the same value
 * lie side by side and the most frequent values come first.  A weight is a count of bits, and so
 * are all weights of values that one record has.  Values that are not as frequent as the right one is
 * among the candidates need no look, and the first value that weighs more ends it: one look in a few.
 *
 * Time: one column: O(n log n).  Several: for an original O(records / 64) a column, and
 * the looks.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"
#include "kernel/candidates/buckets.h"

#include <math.h>

#include "kernel/base/ordered.h"
#include "kernel/base/wordsort.h"
#include "kernel/candidates/windowguess.h"
#include "kernel/candidates/windowmasks.h"

/* Candidates of buckets up to this are listed. */
#define SMALL_BUCKET 16

/* Words of a bitmap, in a column, that take as long as to list a candidate and to weigh it. */
#define WORDS_A_CANDIDATE 8

/* What the candidates of an original weigh. */
typedef struct Weights
{
	uint32		candidates;
	uint32		right;			/* with the right value */
	uint32		of_own;			/* with the value of the own protected record */
	bool		own;			/* that is a candidate */

	/* other values */
	bool		more;			/* one of them weighs more than the right one, or that of the own
								 * record does so even when it is taken out */
	uint32		equal;			/* how many weigh as much, */
	uint32		less;			/* and one less; both only if none weighs more */
} Weights;

/* One column: the records between two positions in its order. */
typedef struct Slide
{
	uint64	   *word;			/* code << 32 | value of the records of the bucket, ascending by code */
	uint32		start;
	uint32		end;
	uint32		most;			/* the greatest weight */
} Slide;

/* Several columns: values in the order of their bits. */
typedef struct Masked
{
	SdcWindowMasks *masks;
	uint32		values;			/* that occur in the bucket, the most frequent first */
	uint32		singles;		/* the first of those that one record has */
	uint32	   *value;			/* these values, */
	uint32	   *start;			/* and the first bit of each, and the end */
	bool		hardware;
} Masked;

struct SdcWindowGuess
{
	SdcConditions *conditions;
	const SdcCandidatesTarget *target;
	uint32		values;			/* numbers of values, missing ones the last */
	uint32	   *weight;			/* by value; 0 between buckets */
	uint32	   *having;			/* by weight: how many values have it */
	uint32	   *rank;			/* by value: where it is in Masked; SDC_RECORD_NONE between buckets */
	uint32		credit;

	/* of the bucket at work */
	const uint32 *record;		/* as given */
	const uint32 *index;
	uint32		count;
	SdcCandidatesGuess *guess;
	uint32		first;			/* places */
	uint32		records;
};

/* number_value numbers a value. */
static inline uint32
number_value(const SdcWindowGuess *guesser, uint32 code)
{
	return code == SDC_CODE_NULL ? guesser->values - 1 : code;
}

/* record_of is the record of an original. */
static inline uint32
record_of(const SdcWindowGuess *guesser, uint32 i)
{
	return sdc_record_at(guesser->record, guesser->index[i]);
}

/* truth_of is the right value of a record, own_of that of its own protected one. */
static inline uint32
truth_of(const SdcWindowGuess *guesser, uint32 record)
{
	return number_value(guesser, guesser->target->original[record]);
}

static inline uint32
own_of(const SdcWindowGuess *guesser, uint32 record)
{
	return number_value(guesser, guesser->target->protected[record]);
}

/* value_at is the value of the protected record at a place of the bucket. */
static inline uint32
value_at(const SdcWindowGuess *guesser, uint32 place)
{
	return own_of(guesser, guesser->conditions->order[guesser->first + place]);
}

/* ------------------------------------------------------------------------
 * The guess
 * ------------------------------------------------------------------------
 */

/* guess_without guesses after the own record has been taken out; there are others. */
static double
guess_without(const Weights *weights, bool same_value)
{
	uint32		right = weights->right - (same_value ? 1 : 0);
	uint32		of_own = weights->of_own - 1;

	if (right == 0 || weights->more)
		return 0;
	if (same_value)
		return weights->equal > 0 ? 0 : 1.0 / (1 + weights->less);
	if (of_own > right)
		return 0;
	return 1.0 / (1 + weights->equal + (of_own == right));
}

/* write_guess makes the guess of an original from the weights. */
static void
write_guess(const SdcWindowGuess *guesser, uint32 i, const Weights *weights)
{
	SdcCandidatesGuess *guess = &guesser->guess[guesser->index[i]];
	uint32		record = record_of(guesser, i);
	bool		same_value = truth_of(guesser, record) == own_of(guesser, record);
	uint32		ties = 1 + weights->equal;

	*guess = (SdcCandidatesGuess) {.candidates = weights->candidates, .found = NAN, .without = NAN};
	if (weights->candidates == 0)
		return;
	guess->share = (double) weights->right / weights->candidates;
	guess->same = weights->right == weights->candidates;
	guess->found = 0;
	if (weights->right > 0 && !weights->more && weights->of_own <= weights->right)
	{
		ties += !same_value && weights->of_own == weights->right;
		guess->found = 1.0 / ties;
	}
	if (!weights->own)
		guess->without = guess->found;
	else if (weights->candidates > 1)
		guess->without = guess_without(weights, same_value);
}

/* ------------------------------------------------------------------------
 * One column
 * ------------------------------------------------------------------------
 */

/* window_column is the only column in which the originals of the bucket have a window, or -1. */
static int
window_column(const SdcWindowGuess *guesser)
{
	const SdcConditions *conditions = guesser->conditions;
	uint32		record = record_of(guesser, 0);
	int			column = -1;
	int			windows = 0;

	for (int a = 0; a < conditions->count[SDC_CANDIDATES_WINDOW]; a++)
	{
		int			j = conditions->column[SDC_CANDIDATES_WINDOW][a];

		if (conditions->task->column[j].original[record] == SDC_CODE_NULL)
			continue;
		column = j;
		windows++;
	}
	return windows == 1 ? column : -1;
}

/* shift_value changes the weight of a value by one. */
static inline void
shift_value(SdcWindowGuess *guesser, Slide *slide, uint32 value, bool comes)
{
	uint32		weight = guesser->weight[value];
	uint32		shifted = comes ? weight + 1 : weight - 1;

	guesser->weight[value] = shifted;
	guesser->having[weight]--;
	guesser->having[shifted]++;
	if (shifted > slide->most)
		slide->most = shifted;
	else if (guesser->having[slide->most] == 0)
		slide->most--;
}

/* slide_to lets come and go what lies between the old ends and the new ones. */
static void
slide_to(SdcWindowGuess *guesser, Slide *slide, uint32 start, uint32 end)
{
	while (slide->end < end)
	{
		sdc_interrupts_spend(&guesser->credit, 1);
		shift_value(guesser, slide, (uint32) slide->word[slide->end++], true);
	}
	while (slide->start > start)
	{
		sdc_interrupts_spend(&guesser->credit, 1);
		shift_value(guesser, slide, (uint32) slide->word[--slide->start], true);
	}
	while (slide->end > end)
	{
		sdc_interrupts_spend(&guesser->credit, 1);
		shift_value(guesser, slide, (uint32) slide->word[--slide->end], false);
	}
	while (slide->start < start)
	{
		sdc_interrupts_spend(&guesser->credit, 1);
		shift_value(guesser, slide, (uint32) slide->word[slide->start++], false);
	}
}

/* count_below is the number of records of the bucket with a code below one. */
static uint32
count_below(const SdcWindowGuess *guesser, const Slide *slide, uint64 code)
{
	uint32		low = 0;
	uint32		high = guesser->records;

	SDC_BISECT(low, high, middle, slide->word[middle] >> 32 < code);
	return low;
}

/* weigh_slide fills in the weights of a record from those that are kept. */
static void
weigh_slide(const SdcWindowGuess *guesser, const Slide *slide, uint32 record, Weights *weights)
{
	const uint32 *having = guesser->having;
	uint32		truth = truth_of(guesser, record);
	uint32		value = own_of(guesser, record);
	uint32		right = guesser->weight[truth];
	uint32		of_own = guesser->weight[value];

	*weights = (Weights) {.candidates = slide->end - slide->start, .right = right, .of_own = of_own};
	/* the greatest may be the own record's alone, and not when that is taken out */
	weights->more = slide->most > right + 1 ||
		(slide->most == right + 1 && having[slide->most] > (of_own == slide->most));
	weights->equal = having[right] - 1 - (truth != value && of_own == right);
	weights->less = right == 0 ? 0 :
		having[right - 1] - (truth != value && of_own == right - 1);
}

/* order_windows writes the originals in the order of their windows in a column: first << 32 | number. */
static uint64 *
order_windows(SdcWindowGuess *guesser, int column, uint64 **owned)
{
	uint64	   *word = sdc_alloc_matrix(uint64, 2, guesser->count);

	for (uint32 i = 0; i < guesser->count; i++)
	{
		sdc_interrupts_spend(&guesser->credit, 1);
		word[i] = (uint64) sdc_conditions_window(guesser->conditions, column,
												 record_of(guesser, i)).first << 32 | i;
	}
	*owned = word;
	return sdc_wordsort(word, word + guesser->count, guesser->count, 32, 32);
}

/* start_slide sorts the records of the bucket by a column. */
static uint64 *
start_slide(SdcWindowGuess *guesser, int column, Slide *slide)
{
	const uint32 *protected = guesser->conditions->task->column[column].protected;
	const uint32 *order = guesser->conditions->order + guesser->first;
	uint64	   *word = sdc_alloc_matrix(uint64, 2, guesser->records);

	for (uint32 p = 0; p < guesser->records; p++)
	{
		sdc_interrupts_spend(&guesser->credit, 1);
		word[p] = (uint64) protected[order[p]] << 32 | own_of(guesser, order[p]);
	}
	*slide = (Slide) {.word = sdc_wordsort(word, word + guesser->records, guesser->records, 32, 32)};
	return word;
}

/* run_slide guesses where there is a window in one column. */
static void
run_slide(SdcWindowGuess *guesser, int column)
{
	Slide		slide;
	uint64	   *owned[2];
	uint64	   *order;

	owned[0] = start_slide(guesser, column, &slide);
	order = order_windows(guesser, column, &owned[1]);
	for (uint32 k = 0; k < guesser->count; k++)
	{
		uint32		i = (uint32) order[k];
		uint32		record = record_of(guesser, i);
		SdcInterval window = sdc_conditions_window(guesser->conditions, column, record);
		Weights		weights = {0};

		sdc_interrupts_spend(&guesser->credit, 16);
		/* an empty window leaves the ends where they are */
		if (window.first <= window.last)
		{
			slide_to(guesser, &slide, count_below(guesser, &slide, window.first),
					 count_below(guesser, &slide, (uint64) window.last + 1));
			weigh_slide(guesser, &slide, record, &weights);
			weights.own = sdc_buckets_compatible(guesser->conditions, record, record);
		}
		write_guess(guesser, i, &weights);
	}
	slide_to(guesser, &slide, slide.start, slide.start);
	sdc_free(owned[0]);
	sdc_free(owned[1]);
}

/* ------------------------------------------------------------------------
 * Several columns
 * ------------------------------------------------------------------------
 */

/* rank_values puts the values of the bucket in the order of how many records have them. */
static void
rank_values(SdcWindowGuess *guesser, Masked *masked)
{
	uint64	   *word = sdc_alloc_matrix(uint64, 2, guesser->records);
	uint64	   *sorted;
	uint32		bit = 0;

	masked->value = sdc_alloc_array(uint32, guesser->records);
	masked->start = sdc_alloc_array(uint32, (uint64) guesser->records + 1);
	masked->values = 0;
	for (uint32 p = 0; p < guesser->records; p++)
	{
		sdc_interrupts_spend(&guesser->credit, 1);
		if (guesser->weight[value_at(guesser, p)]++ == 0)
			masked->value[masked->values++] = value_at(guesser, p);
	}
	for (uint32 v = 0; v < masked->values; v++)
	{
		uint32		value = masked->value[v];

		sdc_interrupts_spend(&guesser->credit, 1);
		word[v] = (uint64) (guesser->records - guesser->weight[value]) << 32 | value;
		guesser->weight[value] = 0;
	}
	sorted = sdc_wordsort(word, word + masked->values, masked->values, 0, 64);
	masked->singles = masked->values;
	for (uint32 v = 0; v < masked->values; v++)
	{
		uint32		frequency = guesser->records - (uint32) (sorted[v] >> 32);

		sdc_interrupts_spend(&guesser->credit, 1);
		masked->value[v] = (uint32) sorted[v];
		guesser->rank[masked->value[v]] = v;
		masked->start[v] = bit;
		bit += frequency;
		if (frequency == 1 && masked->singles == masked->values)
			masked->singles = v;
	}
	masked->start[masked->values] = bit;
	sdc_free(word);
}

/* start_masked gives the records of the bucket their bits. */
static void
start_masked(SdcWindowGuess *guesser, uint32 bucket, Masked *masked)
{
	uint32	   *bit = sdc_alloc_array(uint32, guesser->records);
	uint32	   *next;

	rank_values(guesser, masked);
	next = sdc_alloc_array(uint32, masked->values);
	memcpy(next, masked->start, masked->values * sizeof(uint32));
	for (uint32 p = 0; p < guesser->records; p++)
	{
		sdc_interrupts_spend(&guesser->credit, 1);
		bit[p] = next[guesser->rank[value_at(guesser, p)]]++;
	}
	masked->masks = sdc_windowmasks_create(guesser->conditions, bucket, bit);
	masked->hardware = sdc_bitset_hardware();
	sdc_free(next);
	sdc_free(bit);
}

/* end_masked frees it, and forgets where values are. */
static void
end_masked(SdcWindowGuess *guesser, Masked *masked)
{
	for (uint32 v = 0; v < masked->values; v++)
	{
		sdc_interrupts_spend(&guesser->credit, 1);
		guesser->rank[masked->value[v]] = SDC_RECORD_NONE;
	}
	sdc_windowmasks_destroy(masked->masks);
	sdc_free(masked->start);
	sdc_free(masked->value);
}

/* count_bits counts the bits [first, end), hardware as for sdc_bitset_popcount. */
SDC_BITSET_INLINE uint32
count_bits(const uint64 *mask, uint32 first, uint32 end, bool hardware)
{
	Size		w = first / SDC_BITSET_BITS;
	Size		last = end / SDC_BITSET_BITS;
	uint64		from = ~UINT64_C(0) << first % SDC_BITSET_BITS;
	uint64		below = (UINT64_C(1) << end % SDC_BITSET_BITS) - 1;
	uint64		count = 0;

	if (w == last)
		return below == 0 ? 0 : sdc_bitset_popcount(mask[w] & from & below, hardware);
	count = sdc_bitset_popcount(mask[w] & from, hardware);
	for (w++; w < last; w++)
		count += sdc_bitset_popcount(mask[w], hardware);
	/* the last bit may be the last one of the bitmap */
	return (uint32) count + (below == 0 ? 0 : sdc_bitset_popcount(mask[last] & below, hardware));
}

/* rank_weight is the weight of the value with a rank, if it has one. */
SDC_BITSET_INLINE uint32
rank_weight(const Masked *masked, const uint64 *mask, uint32 rank, bool hardware)
{
	return rank == SDC_RECORD_NONE ? 0 :
		count_bits(mask, masked->start[rank], masked->start[rank + 1], hardware);
}

/* add_singles counts the values that one record has, but for two that are known. */
SDC_BITSET_INLINE void
add_singles(const Masked *masked, const uint64 *mask, const uint32 known[2], Weights *weights,
			bool hardware)
{
	uint32		count = count_bits(mask, masked->start[masked->singles],
								   masked->start[masked->values], hardware);

	for (int k = 0; k < 2; k++)
		if (known[k] != SDC_RECORD_NONE && known[k] >= masked->singles &&
			(k == 0 || known[k] != known[0]))
			count -= rank_weight(masked, mask, known[k], hardware);
	if (weights->right == 1)
		weights->equal += count;
	else if (weights->right == 2)
		weights->less += count;
}

/*
 * weigh_by fills in the weights of the candidates in a bitmap; known: the ranks of the right value and of
 * that of the own record.  It returns how many values it looked at.
 */
SDC_BITSET_INLINE uint32
weigh_by(const Masked *masked, const uint64 *mask, const uint32 known[2], Weights *weights,
		 bool hardware)
{
	uint32		least;
	uint32		v = 0;

	weights->candidates = (uint32) sdc_bitset_count_by(mask, masked->masks->words, hardware);
	weights->right = rank_weight(masked, mask, known[0], hardware);
	weights->of_own = rank_weight(masked, mask, known[1], hardware);
	/* without the own record the right value may have one less */
	least = known[0] == known[1] && weights->right > 1 ? weights->right - 1 : weights->right;
	for (; weights->right > 0 && v < masked->singles &&
		 masked->start[v + 1] - masked->start[v] >= least; v++)
	{
		uint32		weight;

		if (v == known[0] || v == known[1])
			continue;
		weight = rank_weight(masked, mask, v, hardware);
		if (weight > weights->right)
		{
			weights->more = true;
			return v;
		}
		weights->equal += weight == weights->right;
		weights->less += weight == weights->right - 1;
	}
	if (least == 1)
		add_singles(masked, mask, known, weights, hardware);
	return v;
}

/* weigh_hardware is weigh_by where the processor counts. */
SDC_BITSET_COUNTS static uint32
weigh_hardware(const Masked *masked, const uint64 *mask, const uint32 known[2], Weights *weights)
{
	return weigh_by(masked, mask, known, weights, true);
}

/* weigh_portable is the same where it does not. */
static uint32
weigh_portable(const Masked *masked, const uint64 *mask, const uint32 known[2], Weights *weights)
{
	return weigh_by(masked, mask, known, weights, false);
}

/* run_masked guesses where there are windows in several columns. */
static void
run_masked(SdcWindowGuess *guesser, uint32 bucket)
{
	const uint32 *query = guesser->conditions->query;
	const uint64 *mask = NULL;
	Masked		masked;

	start_masked(guesser, bucket, &masked);
	for (uint32 i = 0; i < guesser->count; i++)
	{
		uint32		record = record_of(guesser, i);
		const uint32 known[2] = {guesser->rank[truth_of(guesser, record)],
								 guesser->rank[own_of(guesser, record)]};
		Weights		weights = {.own = sdc_buckets_compatible(guesser->conditions, record, record)};
		uint64		looks;

		if (i == 0 || query[record] != query[record_of(guesser, i - 1)])
			mask = sdc_windowmasks_take(masked.masks, record);
		looks = 1 + masked.masks->words / SDC_BITSET_BLOCK;
		looks += masked.hardware ? weigh_hardware(&masked, mask, known, &weights) :
			weigh_portable(&masked, mask, known, &weights);
		sdc_interrupts_spend(&guesser->credit, looks < SDC_INTERRUPT_STEPS ? (uint32) looks :
							 SDC_INTERRUPT_STEPS);
		write_guess(guesser, i, &weights);
	}
	end_masked(guesser, &masked);
}

/* ------------------------------------------------------------------------
 * All together
 * ------------------------------------------------------------------------
 */

/* sdc_windowguess_create: see windowguess.h. */
SdcWindowGuess *
sdc_windowguess_create(SdcConditions *conditions, const SdcCandidatesTarget *target)
{
	SdcWindowGuess *guesser = sdc_alloc(sizeof(SdcWindowGuess));

	guesser->conditions = conditions;
	guesser->target = target;
	guesser->values = target->codes + 1;
	guesser->credit = SDC_INTERRUPT_STEPS;
	guesser->weight = sdc_alloc_zeros(uint32, guesser->values);
	guesser->having = sdc_alloc_zeros(uint32, (uint64) conditions->task->records + 1);
	guesser->having[0] = guesser->values;
	guesser->rank = sdc_alloc_array(uint32, guesser->values);
	memset(guesser->rank, 0xFF, (Size) guesser->values * sizeof(uint32));
	return guesser;
}

/* sdc_windowguess_destroy accepts NULL. */
void
sdc_windowguess_destroy(SdcWindowGuess *guesser)
{
	if (guesser == NULL)
		return;
	sdc_free(guesser->rank);
	sdc_free(guesser->having);
	sdc_free(guesser->weight);
	sdc_free(guesser);
}

/* sdc_windowguess_run: see windowguess.h. */
bool
sdc_windowguess_run(SdcWindowGuess *guesser, const uint32 *record, const uint32 *index, uint32 count,
					SdcCandidatesGuess *guess)
{
	const SdcConditions *conditions = guesser->conditions;
	uint32		bucket;
	int			column;

	guesser->record = record;
	guesser->index = index;
	guesser->count = count;
	guesser->guess = guess;
	bucket = conditions->bucket[record_of(guesser, 0)];
	guesser->first = conditions->bucket_start[bucket];
	guesser->records = conditions->bucket_start[bucket + 1] - guesser->first;
	if (guesser->records <= SMALL_BUCKET)
		return false;
	column = window_column(guesser);
	if (column >= 0)
		run_slide(guesser, column);
	else if (sdc_windowmasks_wanted(guesser->conditions, bucket, WORDS_A_CANDIDATE))
		run_masked(guesser, bucket);
	else
		return false;
	return true;
}
