/*-------------------------------------------------------------------------
 *
 * attributerisk.c
 *		What an intruder learns about a value, whoever has it.
 *
 * The correct attribution probability is that of M. Elliot (2014) and J. Taub, M. Elliot, M. Pampaka, D. Smith
 * (2018), over candidates in the place of records with the same key.  A permuted value is looked for in
 * the group of the person's own record, which the intruder is taken to know.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "kernel/base/boxes.h"
#include "kernel/base/ordered.h"
#include "kernel/base/wordsort.h"
#include "measure/attack/attributerisk.h"
#include "miscadmin.h"
#include "relation/base/memory.h"

/* A share that is a bound up to this, relatively, reaches it. */
#define TIE 1e-9

/*
 * The target: values by number, missing ones the last, and how many released records have each.  Blanks are no value,
 * and nobody has them.
 */
typedef struct Target
{
	const SdcPairColumn *column;
	bool		blanks;			/* missing released values are blanks (candidates.h) */
	uint32		records;
	uint32		values;
	uint32	   *count;
	uint32		most;			/* the greatest count */
	uint32		ties;			/* how many values have it, */
	uint32		less;			/* and how many one less */
} Target;

/* number_value numbers a value. */
static inline uint32
number_value(const Target *target, uint32 code)
{
	return code == SDC_CODE_NULL ? target->values - 1 : code;
}

/* count_values counts the released values. */
static void
count_values(const SdcWholeRelease *whole, Target *target)
{
	target->column = &whole->target;
	target->blanks = whole->target_blanks;
	target->records = whole->task.records;
	target->values = whole->target.codes + 1;
	target->count = sdc_memory_array(target->values, sizeof(uint32));
	memset(target->count, 0, target->values * sizeof(uint32));
	for (uint32 i = 0; i < target->records; i++)
		target->count[number_value(target, target->column->protected[i])]++;
	if (target->blanks)
		target->count[target->values - 1] = 0;
	target->most = target->ties = target->less = 0;
	for (uint32 v = 0; v < target->values; v++)
		target->most = Max(target->most, target->count[v]);
	for (uint32 v = 0; v < target->values; v++)
	{
		target->ties += target->count[v] == target->most;
		target->less += target->count[v] + 1 == target->most;
	}
}

/* guess_blindly is how probably the most frequent value is that of a record. */
static double
guess_blindly(const Target *target, uint32 record)
{
	uint32		truth = number_value(target, target->column->original[record]);

	return target->most > 0 && target->count[truth] == target->most ? 1.0 / target->ties : 0;
}

/* guess_without is the same for the column without the released record of that one. */
static double
guess_without(const Target *target, uint32 record)
{
	uint32		truth = number_value(target, target->column->original[record]);
	uint32		own = number_value(target, target->column->protected[record]);
	uint32		right = target->count[truth];
	uint32		most = target->most;
	uint32		ties = target->ties;

	/* a blank takes nothing with it */
	if (target->count[own] == 0)
		return guess_blindly(target, record);
	if (truth == own)
		right--;
	if (target->count[own] == most)
	{
		/* without it the value has one less: that is the most, if no other had as many */
		ties = ties > 1 ? ties - 1 : target->less + 1;
		most -= target->ties == 1;
	}
	return most > 0 && right == most ? 1.0 / ties : 0;
}

/* run_guesses guesses the value of every record. */
static SdcCandidatesGuess *
run_guesses(const SdcWholeRelease *whole)
{
	SdcCandidatesTask task = whole->task;
	SdcCandidatesColumn group = {.kind = SDC_CANDIDATES_EXACT, .original = whole->group,
	.protected = whole->group, .codes = whole->groups};
	SdcCandidatesTarget target = {whole->target.original, whole->target.protected,
	whole->target.codes, whole->target_blanks};
	SdcCandidatesGuess *guess = sdc_memory_array(task.records, sizeof(SdcCandidatesGuess));

	if (whole->target_permuted)
		task = (SdcCandidatesTask) {.records = task.records, .count = 1, .column = &group};
	sdc_candidates_guess(&task, &target, NULL, task.records, guess);
	return guess;
}

/* sum_guesses sums them up. */
static void
sum_guesses(const Target *target, const SdcCandidatesGuess *guess, SdcAttributeRisk *risk)
{
	uint32		records = target->records;

	for (uint32 i = 0; i < records; i++)
	{
		double		blind = guess_blindly(target, i);

		risk->matched += guess[i].candidates > 0;
		risk->cap += guess[i].share;
		risk->cap_base += (double) target->count[number_value(target, target->column->original[i])] / records;
		risk->found += isnan(guess[i].found) ? blind : guess[i].found;
		risk->found_without += isnan(guess[i].without) ? guess_without(target, i) : guess[i].without;
		risk->baseline += blind;
		risk->disclosed += guess[i].same;
		risk->of_group += guess[i].same && guess[i].candidates > 1;
	}
	risk->cap_matched = risk->matched == 0 ? NAN : risk->cap / (double) risk->matched;
	risk->cap /= records;
	risk->cap_base /= records;
	risk->found *= 100.0 / records;
	risk->found_without *= 100.0 / records;
	risk->baseline *= 100.0 / records;
}

/* number_keys numbers the known values of the original records, and after them of the released ones. */
static uint32 *
number_keys(const SdcWholeRelease *whole)
{
	uint32		records = whole->task.records;
	SdcBoxes   *boxes = sdc_boxes_create(2 * records);
	uint32	   *number = sdc_memory_array(2 * (uint64) records, sizeof(uint32));

	for (int j = 0; j < whole->compared; j++)
	{
		const SdcPairColumn *column = &whole->paired->pairs.column[j];
		uint64	   *word = sdc_boxes_column(boxes);

		/* SDC_CODE_NULL becomes 0 */
		for (uint32 i = 0; i < records; i++)
		{
			word[i] = (uint32) (column->original[i] + 1);
			word[records + i] = (uint32) (column->protected[i] + 1);
		}
		sdc_boxes_add(boxes, column->codes);
		CHECK_FOR_INTERRUPTS();
	}
	(void) sdc_boxes_number(boxes, NULL, 0, number);
	sdc_boxes_destroy(boxes);
	return number;
}

/* The keys of a file with their values, ascending: key << 32 | value. */
static uint64 *
sort_keys(const Target *target, const uint32 *key, const uint32 *code, uint64 **owned)
{
	uint64	   *word = sdc_memory_array(2 * (uint64) target->records, sizeof(uint64));

	for (uint32 i = 0; i < target->records; i++)
		word[i] = (uint64) key[i] << 32 | number_value(target, code[i]);
	*owned = word;
	return sdc_wordsort(word, word + target->records, target->records, 0,
						32 + sdc_wordsort_width(2 * (uint64) target->records));
}

/* count_words counts the words of a sorted file from one up to before another. */
static uint32
count_words(const uint64 *word, uint32 records, uint64 from, uint64 end)
{
	uint32		place[2];

	for (int i = 0; i < 2; i++)
	{
		uint64		limit = i == 0 ? from : end;
		uint32		low = 0;
		uint32		high = records;

		SDC_BISECT(low, high, middle, word[middle] < limit);
		place[i] = low;
	}
	return place[1] - place[0];
}

/* share_of returns the share of the value of a word among those with its key; NaN: nobody has the key. */
static double
share_of(const uint64 *word, uint32 records, uint64 wanted)
{
	uint64		key = wanted >> 32 << 32;
	uint32		all = count_words(word, records, key, key + (UINT64CONST(1) << 32));

	return all == 0 ? NAN : (double) count_words(word, records, wanted, wanted + 1) / all;
}

/*
 * measure_tcap looks at the released records whose value has a share of at least tau among those with
 * their key: how often it is right of the originals with that key.
 */
static void
measure_tcap(const SdcWholeRelease *whole, const Target *target, double tau, SdcAttributeRisk *risk)
{
	uint32		records = target->records;
	uint32	   *key = number_keys(whole);
	uint64	   *owned[2];
	uint64	   *original = sort_keys(target, key, target->column->original, &owned[0]);
	uint64	   *released = sort_keys(target, key + records, target->column->protected, &owned[1]);
	uint64		targeted = 0;
	uint64		matched = 0;
	double		sum = 0;

	for (uint32 l = 0; l < records; l++)
	{
		uint64		word = (uint64) key[records + l] << 32 |
			number_value(target, target->column->protected[l]);
		double		share;

		if (l % 1024 == 0)
			CHECK_FOR_INTERRUPTS();
		if ((target->blanks && target->column->protected[l] == SDC_CODE_NULL) ||
			share_of(released, records, word) < tau * (1 - TIE))
			continue;
		targeted++;
		share = share_of(original, records, word);
		if (isnan(share))
			continue;
		matched++;
		sum += share;
	}
	risk->tcap = matched == 0 ? NAN : sum / (double) matched;
	risk->tcap_all = targeted == 0 ? NAN : sum / (double) targeted;
	sdc_free(owned[0]);
	sdc_free(owned[1]);
	sdc_free(key);
}

/* sdc_attributerisk_measure: see attributerisk.h. */
void
sdc_attributerisk_measure(const SdcWholeRequest *request, double tau, SdcAttributeRisk *risk)
{
	SdcEvaluation evaluation;
	SdcWholeRelease *whole = sdc_wholerelease_begin(&evaluation, request, NULL);
	Target		target;

	memset(risk, 0, sizeof(SdcAttributeRisk));
	risk->tcap = risk->tcap_all = NAN;
	risk->known = whole->task.records > 0;
	if (risk->known)
	{
		SdcCandidatesGuess *guess;

		count_values(whole, &target);
		guess = run_guesses(whole);
		sum_guesses(&target, guess, risk);
		sdc_free(guess);
		/* a range or a set is no key */
		if (whole->compared == whole->task.count)
			measure_tcap(whole, &target, tau, risk);
	}
	sdc_evaluation_end(&evaluation);
}
