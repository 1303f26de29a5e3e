/*-------------------------------------------------------------------------
 *
 * guesses.c
 *		What the candidates of a record tell of a value that is not known.
 *
 * M. Elliot, "Final report on the disclosure risk associated with the synthetic data produced by the
 * SYLLS team" (2014), and J. Taub, M. Elliot, M. Pampaka, D. Smith, "Differential correct
 * attribution probability for synthetic data" (2018) count records with the same key; here the
 * candidates of a record take their place, and their likelihood is their weight.
 *
 * Equal originals have the same candidates.  Their weights are added up by value; then the own record of
 * each is taken out, for which the heaviest value and the next one are enough to know.  Where windows
 * are all that makes candidates there is no need to list them (windowguess.h).
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"
#include "kernel/candidates/buckets.h"

#include <math.h>

#include "kernel/base/wordsort.h"
#include "kernel/candidates/search.h"
#include "kernel/candidates/windowguess.h"

/* Weights are tied up to this, relatively. */
#define TIE 1e-9

/* The values of a cell, as words of cell << 32 | value, ascending. */
typedef struct CellValues
{
	uint64	   *word;
	uint32	   *start;			/* by cell */
} CellValues;

typedef struct Guesser
{
	SdcConditions *conditions;
	SdcSearch  *search;
	const SdcCandidatesTarget *target;
	const uint32 *record;
	uint32		count;
	SdcCandidatesGuess *guess;
	uint32	   *order;			/* indexes of record[], by bucket and query */
	SdcWindowGuess *windows;	/* windows are all that makes candidates, or NULL */
	bool		whole;			/* all records of a cell are candidates */
	CellValues	cells;			/* then */
	uint32	   *last;			/* and the cells that the weights are of */
	uint32		lasts;
	bool		listed;			/* the weights are those of last[] */

	/* of the originals at work */
	uint32	   *candidate;
	double	   *likelihood;		/* by candidate */
	uint32		candidates;
	double	   *weight;			/* by value, the last one for missing ones */
	uint32	   *value;			/* those that have a weight */
	uint32		values;
	double		sum;
	uint32		shown;			/* candidates that have no blank there */
	double		likeliest;		/* of the candidates: where there is randomization, their weight is 1 */
	double		most;			/* the greatest weight, */
	uint32		mosts;			/* how many are tied with it, */
	double		next;			/* the greatest of the others, */
	uint32		nexts;			/* and how many are tied with that */
	uint32		credit;
} Guesser;

/* number_value numbers a value: missing ones are the last. */
static inline uint32
number_value(const SdcCandidatesTarget *target, uint32 code)
{
	return code == SDC_CODE_NULL ? target->codes : code;
}

/* record_of is the record of a place. */
static inline uint32
record_of(const Guesser *guesser, uint32 place)
{
	uint32		index = guesser->order[place];

	return sdc_record_at(guesser->record, index);
}

/* sort_values sorts the values of the records of every cell. */
static void
sort_values(Guesser *guesser)
{
	const SdcConditions *conditions = guesser->conditions;
	uint32		cells = conditions->bucket_cell[conditions->buckets];
	uint32		records = conditions->task->records;
	uint64	   *word = sdc_alloc_array(uint64, records);
	uint64	   *spare = sdc_alloc_array(uint64, records);
	uint64		place = 0;

	for (uint32 c = 0; c < cells; c++)
		for (uint32 p = conditions->cell_start[c]; p < conditions->cell_start[c + 1]; p++)
		{
			sdc_interrupts_step(p);
			word[place++] = (uint64) c << 32 |
				number_value(guesser->target, guesser->target->protected[conditions->order[p]]);
		}
	guesser->cells.word = sdc_wordsort(word, spare, records, 0, 32 + sdc_wordsort_width(cells));
	sdc_free(guesser->cells.word == word ? spare : word);
	guesser->cells.start = sdc_alloc_array(uint32, (uint64) cells + 1);
	place = 0;
	for (uint32 c = 0; c <= cells; c++)
	{
		sdc_interrupts_step(c);
		guesser->cells.start[c] = (uint32) place;
		if (c < cells)
			place += conditions->cell_start[c + 1] - conditions->cell_start[c];
	}
}

/* forget_weights prepares for other candidates. */
static void
forget_weights(Guesser *guesser)
{
	for (uint32 v = 0; v < guesser->values; v++)
		guesser->weight[guesser->value[v]] = 0;
	guesser->values = 0;
	guesser->candidates = 0;
	guesser->shown = 0;
	guesser->sum = 0;
}

/* is_blank tells whether a value is none. */
static inline bool
is_blank(const Guesser *guesser, uint32 value)
{
	return guesser->target->blanks && value == guesser->target->codes;
}

/* add_weight adds the weight of a candidate with a value; a blank is none. */
static inline void
add_weight(Guesser *guesser, uint32 value, double weight)
{
	guesser->sum += weight;
	if (is_blank(guesser, value))
		return;
	if (guesser->weight[value] == 0)
		guesser->value[guesser->values++] = value;
	guesser->weight[value] += weight;
	guesser->shown++;
}

/* weigh_cells adds up whole cells; nothing if they are those of the originals before. */
static void
weigh_cells(Guesser *guesser, uint32 original)
{
	const SdcCells *cells = guesser->search->cells;

	sdc_cells_find(guesser->search->cells, original);
	if (guesser->listed && cells->found == guesser->lasts &&
		memcmp(cells->cell, guesser->last, (Size) cells->found * sizeof(uint32)) == 0)
		return;
	forget_weights(guesser);
	for (uint32 c = 0; c < cells->found; c++)
	{
		uint32		cell = cells->cell[c];

		guesser->last[c] = cell;
		for (uint32 p = guesser->cells.start[cell]; p < guesser->cells.start[cell + 1]; p++)
		{
			sdc_interrupts_spend(&guesser->credit, 1);
			add_weight(guesser, (uint32) guesser->cells.word[p], 1);
			guesser->candidates++;
		}
	}
	guesser->lasts = cells->found;
	guesser->listed = true;
}

/* weigh_likely adds up candidates by how likely they are, in units of the most likely one. */
static void
weigh_likely(Guesser *guesser)
{
	const uint32 *protected = guesser->target->protected;

	guesser->likeliest = -INFINITY;
	for (uint32 c = 0; c < guesser->candidates; c++)
	{
		guesser->likelihood[c] = sdc_likelihood_log(guesser->conditions->likelihood,
													guesser->candidate[c]);
		guesser->likeliest = fmax(guesser->likeliest, guesser->likelihood[c]);
	}
	for (uint32 c = 0; c < guesser->candidates; c++)
		add_weight(guesser, number_value(guesser->target, protected[guesser->candidate[c]]),
				   exp(guesser->likelihood[c] - guesser->likeliest));
}

/* weigh_candidates adds up the weights of the candidates of an original. */
static void
weigh_candidates(Guesser *guesser, uint32 original)
{
	const uint32 *protected = guesser->target->protected;

	if (guesser->whole)
	{
		weigh_cells(guesser, original);
		return;
	}
	forget_weights(guesser);
	guesser->candidates = sdc_search_list(guesser->search, original, guesser->candidate);
	sdc_interrupts_spend(&guesser->credit, guesser->candidates);
	if (guesser->conditions->likelihood != NULL)
		weigh_likely(guesser);
	else
		for (uint32 c = 0; c < guesser->candidates; c++)
			add_weight(guesser, number_value(guesser->target, protected[guesser->candidate[c]]), 1);
}

/* is_tied tells whether a weight is tied with a greatest one, or above it. */
static inline bool
is_tied(double weight, double most)
{
	return weight >= most * (1 - TIE);
}

/* find_heaviest finds the greatest weight, and the greatest of those that are not tied with it. */
static void
find_heaviest(Guesser *guesser)
{
	guesser->most = guesser->next = 0;
	guesser->mosts = guesser->nexts = 0;
	for (uint32 v = 0; v < guesser->values; v++)
		guesser->most = fmax(guesser->most, guesser->weight[guesser->value[v]]);
	for (uint32 v = 0; v < guesser->values; v++)
	{
		double		weight = guesser->weight[guesser->value[v]];

		if (is_tied(weight, guesser->most))
			guesser->mosts++;
		else
			guesser->next = fmax(guesser->next, weight);
	}
	for (uint32 v = 0; v < guesser->values; v++)
	{
		double		weight = guesser->weight[guesser->value[v]];

		guesser->nexts += !is_tied(weight, guesser->most) && is_tied(weight, guesser->next);
	}
	sdc_interrupts_spend(&guesser->credit, 3 * guesser->values);
}

/* own_weight is that of the own protected record of an original, 0 if it is no candidate. */
static double
own_weight(const Guesser *guesser, uint32 record)
{
	SdcConditions *conditions = guesser->conditions;

	if (!sdc_buckets_compatible(conditions, record, record))
		return 0;
	return conditions->likelihood == NULL ? 1 :
		exp(sdc_likelihood_log(conditions->likelihood, record) - guesser->likeliest);
}

/*
 * guess_without guesses after taking out a record with a value and a weight: its value loses the
 * weight, and the others stay what they are.
 */
static double
guess_without(const Guesser *guesser, uint32 truth, uint32 value, double own)
{
	bool		heaviest = is_tied(guesser->weight[value], guesser->most);
	bool		alone = heaviest && guesser->mosts == 1;
	double		left = guesser->weight[value] - own;
	double		others = alone ? guesser->next : guesser->most;
	double		most = fmax(left, others);
	uint32		ties = 0;

	if (others > 0 && is_tied(others, most))
		ties += alone ? guesser->nexts : guesser->mosts - (heaviest ? 1 : 0);
	if (left > 0 && is_tied(left, most))
		ties++;
	if (truth == value)
		return left > 0 && is_tied(left, most) ? 1.0 / ties : 0;
	return guesser->weight[truth] > 0 && is_tied(guesser->weight[truth], others) &&
		is_tied(others, most) ? 1.0 / ties : 0;
}

/* guess_record fills in the guess of an original whose candidates have been weighed. */
static void
guess_record(Guesser *guesser, uint32 record, SdcCandidatesGuess *guess)
{
	const SdcCandidatesTarget *target = guesser->target;
	uint32		truth = number_value(target, target->original[record]);
	uint32		value = number_value(target, target->protected[record]);
	double		right = guesser->weight[truth];
	double		own;

	*guess = (SdcCandidatesGuess) {.candidates = guesser->candidates, .found = NAN, .without = NAN};
	if (guesser->candidates == 0)
		return;
	guess->share = right / guesser->sum;
	if (guesser->shown == 0)
		return;
	guess->found = right > 0 && is_tied(right, guesser->most) ? 1.0 / guesser->mosts : 0;
	guess->same = guesser->values == 1 && right > 0 && guesser->shown == guesser->candidates;
	own = is_blank(guesser, value) ? 0 : own_weight(guesser, record);
	if (own == 0)
		guess->without = guess->found;
	else if (guesser->shown > 1)
		guess->without = guess_without(guesser, truth, value, own);
}

/* start_guesser allocates what is needed. */
static void
start_guesser(Guesser *guesser, const SdcCandidatesTask *task)
{
	uint32		codes = guesser->target->codes;

	guesser->conditions = sdc_buckets_create(task, SDC_CANDIDATES_NEAREST);
	guesser->search = sdc_search_create(guesser->conditions, task->records);
	guesser->whole = !guesser->conditions->windows && guesser->conditions->likelihood == NULL;
	guesser->windows = guesser->conditions->windows && guesser->conditions->likelihood == NULL &&
		!guesser->conditions->cells && guesser->conditions->blanks == NULL && !guesser->target->blanks ?
		sdc_windowguess_create(guesser->conditions, guesser->target) : NULL;
	guesser->order = sdc_alloc_array(uint32, guesser->count);
	guesser->candidate = sdc_alloc_array(uint32, task->records);
	guesser->likelihood = sdc_alloc_array(double, task->records);
	guesser->last = sdc_alloc_array(uint32, task->records);
	guesser->weight = sdc_alloc_zeros(double, (uint64) codes + 1);
	guesser->value = sdc_alloc_array(uint32, (uint64) codes + 1);
	sdc_conditions_order(guesser->conditions, guesser->record, guesser->count, guesser->order, &guesser->credit);
	if (guesser->whole)
		sort_values(guesser);
}

/* end_guesser frees it. */
static void
end_guesser(Guesser *guesser)
{
	if (guesser->whole)
	{
		sdc_free(guesser->cells.word);
		sdc_free(guesser->cells.start);
	}
	sdc_free(guesser->value);
	sdc_free(guesser->weight);
	sdc_free(guesser->last);
	sdc_free(guesser->likelihood);
	sdc_free(guesser->candidate);
	sdc_free(guesser->order);
	sdc_windowguess_destroy(guesser->windows);
	sdc_search_destroy(guesser->search);
	sdc_buckets_destroy(guesser->conditions);
}

/* list_bucket guesses from the lists of candidates, of the originals of a bucket: places [place, end). */
static void
list_bucket(Guesser *guesser, uint32 place, uint32 end)
{
	const uint32 *query = guesser->conditions->query;

	for (uint32 next; place < end; place = next)
	{
		uint32		first = record_of(guesser, place);

		weigh_candidates(guesser, first);
		find_heaviest(guesser);
		for (next = place; next < end && query[record_of(guesser, next)] == query[first]; next++)
		{
			sdc_interrupts_spend(&guesser->credit, 1);
			guess_record(guesser, record_of(guesser, next), &guesser->guess[guesser->order[next]]);
		}
	}
}

/* sdc_candidates_guess: see candidates.h. */
void
sdc_candidates_guess(const SdcCandidatesTask *task, const SdcCandidatesTarget *target,
					 const uint32 *record, uint32 count, SdcCandidatesGuess *guess)
{
	Guesser		guesser = {.target = target, .record = record, .count = count, .guess = guess,
	.credit = SDC_INTERRUPT_STEPS};
	const uint32 *bucket;

	if (count == 0)
		return;
	start_guesser(&guesser, task);
	bucket = guesser.conditions->bucket;
	for (uint32 place = 0, end; place < count; place = end)
	{
		uint32		first = bucket[record_of(&guesser, place)];

		for (end = place + 1; end < count && bucket[record_of(&guesser, end)] == first; end++)
			sdc_interrupts_spend(&guesser.credit, 1);
		if (guesser.windows == NULL ||
			!sdc_windowguess_run(guesser.windows, record, guesser.order + place, end - place, guess))
			list_bucket(&guesser, place, end);
	}
	end_guesser(&guesser);
}
