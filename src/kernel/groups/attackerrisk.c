/*-------------------------------------------------------------------------
 *
 * attackerrisk.c
 *		What somebody finds in a release who has a table of the population.
 *
 * Prosecutor, journalist and marketer: K. El Emam and F. Dankar, "Protecting privacy using k-anonymity",
 * Journal of the American Medical Informatics Association 15 (2008).  k-map: L. Sweeney, 2002.  Presence:
 * M. Nergiz, M. Atzori and C. Clifton, "Hiding the presence of individuals from shared databases", SIGMOD
 * 2007; the sum over overlapping classes is ours.  Matches: C. Skinner and M. Elliot, "A measure of
 * disclosure risk for microdata", Journal of the Royal Statistical Society B 64 (2002).
 *
 * Classes that overlap are taken BLOCK at a time: for every column and value a bitmap of the classes of the
 * block that contain it, and for every different combination of values in the population the intersection
 * of its columns' bitmaps.  Two passes over the combinations, one for F and one for the sums of f / F,
 * which are added in the order of the classes.
 *
 * Memory: the bitmaps of a block, the combinations and their sums.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include <math.h>

#include "kernel/base/bitset.h"
#include "kernel/base/boxes.h"
#include "kernel/base/moments.h"
#include "kernel/groups/attackerrisk.h"

/* Classes at a time: their bitmap is a block of words. */
#define BLOCK (SDC_BITSET_BITS * SDC_BITSET_BLOCK)
#define WORDS SDC_BITSET_BLOCK

/* Different combinations of the population, and what a block of classes has of them. */
typedef struct Cover
{
	const SdcAttackerTask *task;
	uint32		combinations;
	uint32	   *first;			/* a person with each combination */
	uint64	   *people;			/* how many have it */
	SdcMomentsSum *presence;	/* of each combination */
	uint64	  **contains;		/* by column: WORDS words for every code, and for missing values */
	uint32		start;			/* the first class of the block */
	uint32		classes;		/* its classes */
	uint64		all[WORDS];		/* a bitmap with all of them */
} Cover;

/* add_class adds a class to the figures. */
static void
add_class(uint64 f, uint64 population, double threshold, SdcAttackerRisk *result,
		  SdcMomentsSum *marketer, uint64 *at_risk)
{
	double		risk = 1 / (double) f;
	uint64		all = population < f ? f : population;

	result->records += f;
	result->prosecutor_max = fmax(result->prosecutor_max, risk);
	at_risk[0] += risk > threshold ? f : 0;
	if (population == 0)
	{
		result->absent += f;
		return;
	}
	result->inconsistent += population < f ? f : 0;
	result->population_uniques += all == 1;
	risk = 1 / (double) all;
	result->journalist_max = fmax(result->journalist_max, risk);
	at_risk[1] += risk > threshold ? f : 0;
	if (result->k_map == 0 || all < result->k_map)
		result->k_map = all;
	sdc_moments_add(marketer, (double) f / (double) all);
}

/* sdc_attackerrisk_measure: see attackerrisk.h. */
void
sdc_attackerrisk_measure(const uint64 *released, const uint64 *population, uint32 classes,
						 double threshold, SdcAttackerRisk *result)
{
	SdcMomentsSum marketer = {0, 0};
	uint64		at_risk[2] = {0, 0};	/* records, from prosecutor and journalist */

	memset(result, 0, sizeof(*result));
	result->classes = classes;
	for (uint32 c = 0; c < classes; c++)
	{
		sdc_interrupts_step(c);
		add_class(released[c], population[c], threshold, result, &marketer, at_risk);
	}
	if (result->records == 0)
		return;
	result->prosecutor_mean = (double) classes / (double) result->records;
	result->prosecutor_at_risk = (double) at_risk[0] / (double) result->records;
	result->journalist_at_risk = (double) at_risk[1] / (double) result->records;
	result->marketer = sdc_moments_total(&marketer) / (double) result->records;
}

/* share_of is f / F, at most 1. */
static inline double
share_of(uint64 f, uint64 population)
{
	return population < f ? 1 : (double) f / (double) population;
}

/* sdc_attackerrisk_presence: people outside of all classes have 0. */
void
sdc_attackerrisk_presence(const uint64 *released, const uint64 *population, uint32 classes,
						  uint64 people, SdcAttackerPresence *result)
{
	uint64		covered = 0;

	result->least = 1;
	result->greatest = 0;
	for (uint32 c = 0; c < classes; c++)
	{
		sdc_interrupts_step(c);
		if (population[c] == 0)
			continue;
		covered += population[c];
		result->least = fmin(result->least, share_of(released[c], population[c]));
		result->greatest = fmax(result->greatest, share_of(released[c], population[c]));
	}
	if (covered < people || people == 0)
		result->least = 0;
}

/* find_combinations numbers the different combinations of values of the population. */
static void
find_combinations(Cover *cover)
{
	const SdcAttackerTask *task = cover->task;
	SdcBoxes   *boxes = sdc_boxes_create(task->people);
	uint32	   *number = sdc_alloc_array(uint32, task->people);

	for (int j = 0; j < task->columns; j++)
	{
		uint64	   *column = sdc_boxes_column(boxes);

		for (uint32 i = 0; i < task->people; i++)
		{
			sdc_interrupts_step(i);
			column[i] = task->column[j].population[i];
		}
		sdc_boxes_add(boxes, UINT32_MAX);
	}
	cover->combinations = sdc_boxes_number(boxes, NULL, 0, number);
	sdc_boxes_destroy(boxes);
	cover->first = sdc_alloc_array(uint32, cover->combinations);
	cover->people = sdc_alloc_zeros(uint64, cover->combinations);
	cover->presence = sdc_alloc_array(SdcMomentsSum, cover->combinations);
	memset(cover->presence, 0, (Size) cover->combinations * sizeof(SdcMomentsSum));
	for (uint32 i = 0; i < task->people; i++)
	{
		sdc_interrupts_step(i);
		cover->first[number[i]] = i;
		cover->people[number[i]] += task->count != NULL ? task->count[i] : 1;
	}
	sdc_free(number);
}

/* bitmap_of is the bitmap of a code, or of missing values. */
static inline uint64 *
bitmap_of(const SdcAttackerColumn *column, uint64 *contains, uint32 code)
{
	return contains + (Size) (code == SDC_CODE_NULL ? column->codes : code) * WORDS;
}

/*
 * mark_range marks where the range of a class begins and ends: a bit is set from the first mark on, and clear
 * from the second one on.
 */
static void
mark_range(const SdcAttackerColumn *column, uint64 *contains, uint32 low, uint32 high, uint32 bit)
{
	if (low > high || low >= column->codes)
		return;
	sdc_bitset_add(bitmap_of(column, contains, low), bit);
	if (high < column->codes - 1)
		sdc_bitset_add(bitmap_of(column, contains, high + 1), bit);
}

/* sweep_marks turns the marks of ranges into the bitmaps of all codes. */
static void
sweep_marks(const SdcAttackerColumn *column, uint64 *contains)
{
	for (uint32 code = 1; code < column->codes; code++)
	{
		sdc_interrupts_step(code);
		for (Size w = 0; w < WORDS; w++)
			contains[(Size) code * WORDS + w] ^= contains[((Size) code - 1) * WORDS + w];
	}
}

/* add_set adds a class to the bitmaps of the values of a set. */
static void
add_set(const SdcAttackerColumn *column, uint64 *contains, uint32 set, uint32 bit)
{
	for (uint32 e = column->start[set]; e < column->start[set + 1]; e++)
	{
		sdc_interrupts_step(e);
		sdc_bitset_add(bitmap_of(column, contains, column->element[e]), bit);
	}
}

/* add_everything adds a class to the bitmaps of all values. */
static void
add_everything(const SdcAttackerColumn *column, uint64 *contains, uint32 bit)
{
	sdc_bitset_add(bitmap_of(column, contains, SDC_CODE_NULL), bit);
	if (column->kind == SDC_ATTACKER_RANGE)
		mark_range(column, contains, 0, UINT32_MAX, bit);
	else
		for (uint32 code = 0; code < column->codes; code++)
		{
			sdc_interrupts_step(code);
			sdc_bitset_add(bitmap_of(column, contains, code), bit);
		}
}

/* fill_bitmaps makes the bitmaps of a column for the classes of the block. */
static void
fill_bitmaps(const Cover *cover, int j)
{
	const SdcAttackerColumn *column = &cover->task->column[j];
	uint64	   *contains = cover->contains[j];

	memset(contains, 0, ((Size) column->codes + 1) * WORDS * sizeof(uint64));
	for (uint32 bit = 0; bit < cover->classes; bit++)
	{
		uint32		class = cover->start + bit;
		uint32		low = column->low[class];

		SDC_CHECK_INTERRUPTS();
		if (column->kind == SDC_ATTACKER_EQUAL)
			sdc_bitset_add(bitmap_of(column, contains, low), bit);
		else if (low == SDC_CODE_NULL)
			add_everything(column, contains, bit);
		else if (column->kind == SDC_ATTACKER_RANGE)
			mark_range(column, contains, low, column->high[class], bit);
		else
			add_set(column, contains, low, bit);
	}
	if (column->kind == SDC_ATTACKER_RANGE)
		sweep_marks(column, contains);
}

/* find_compatible writes which classes of the block a combination is compatible with. */
static void
find_compatible(const Cover *cover, uint32 combination, uint64 *compatible)
{
	memcpy(compatible, cover->all, sizeof(cover->all));
	for (int j = 0; j < cover->task->columns; j++)
	{
		const SdcAttackerColumn *column = &cover->task->column[j];
		uint32		code = column->population[cover->first[combination]];

		sdc_bitset_intersect(compatible, bitmap_of(column, cover->contains[j], code), WORDS);
	}
}

/* cover_block counts the people of the classes of a block, and then adds to their presence. */
static void
cover_block(Cover *cover, uint64 *population)
{
	const uint64 *released = cover->task->released + cover->start;

	for (int pass = 0; pass < 2; pass++)
	{
		for (uint32 i = 0; i < cover->combinations; i++)
		{
			uint64		compatible[WORDS];

			if (i % (SDC_INTERRUPT_STEPS / BLOCK) == 0)
				SDC_CHECK_INTERRUPTS();
			find_compatible(cover, i, compatible);
			for (uint32 w = 0; w < WORDS; w++)
			{
				for (uint64 rest = compatible[w]; rest != 0; rest &= rest - 1)
				{
					uint32		bit = w * SDC_BITSET_BITS + (uint32) __builtin_ctzll(rest);

					if (pass == 0)
						population[bit] += cover->people[i];
					else
						sdc_moments_add(&cover->presence[i],
										share_of(released[bit], population[bit]));
				}
			}
		}
	}
}

/* sdc_attackerrisk_cover: see attackerrisk.h. */
void
sdc_attackerrisk_cover(const SdcAttackerTask *task, uint64 *population,
					   SdcAttackerPresence *presence)
{
	Cover		cover;

	cover.task = task;
	find_combinations(&cover);
	cover.contains = sdc_alloc_array(uint64 *, task->columns);
	for (int j = 0; j < task->columns; j++)
		cover.contains[j] = sdc_alloc_matrix(uint64, (uint64) task->column[j].codes + 1, WORDS);
	memset(population, 0, (Size) task->classes * sizeof(uint64));
	for (uint64 start = 0; start < task->classes; start += BLOCK)
	{
		SDC_REPORT(start, task->classes);
		cover.start = (uint32) start;
		cover.classes = task->classes - cover.start < BLOCK ? task->classes - cover.start : BLOCK;
		memset(cover.all, 0, sizeof(cover.all));
		for (uint32 bit = 0; bit < cover.classes; bit++)
			sdc_bitset_add(cover.all, bit);
		for (int j = 0; j < task->columns; j++)
			fill_bitmaps(&cover, j);
		cover_block(&cover, population + start);
	}
	presence->least = task->people > 0 ? 1 : 0;
	presence->greatest = 0;
	for (uint32 i = 0; i < cover.combinations; i++)
	{
		double		share = fmin(1, sdc_moments_total(&cover.presence[i]));

		sdc_interrupts_step(i);
		presence->least = fmin(presence->least, share);
		presence->greatest = fmax(presence->greatest, share);
	}
	for (int j = 0; j < task->columns; j++)
		sdc_free(cover.contains[j]);
	sdc_free(cover.contains);
	sdc_free(cover.presence);
	sdc_free(cover.people);
	sdc_free(cover.first);
}

/* sdc_attackerrisk_match: see attackerrisk.h. */
double
sdc_attackerrisk_match(uint64 uniques, uint64 pairs, double share)
{
	double		right = share * (double) uniques;

	if (uniques == 0 && pairs == 0)
		return NAN;
	if (share >= 1)
		return 1;
	return right / (right + 2 * (1 - share) * (double) pairs);
}
