/*-------------------------------------------------------------------------
 *
 * recordswap.c
 *		Targeted record swapping: units at risk exchange their areas with similar units elsewhere.
 *
 * After the Office for National Statistics, in the form of Eurostat's census projects.  The region of a unit at a
 * level is what it has in the columns of areas down to that one.
 *
 *	1. A unit must move at the first level at which some record of it has values of risk that fewer than k units of its
 *	   region have.  The regions of deeper levels are parts of it: so it is at risk there, too.
 *	2. Profile 0 is the size and all columns of similar, profile f is without the last f of them.
 *	3. At every level each unit has a key: an exponential times the least number of units that have the values of one
 *	   of its records.  Small keys are rare people, as if drawn with such probabilities without replacement.
 *	4. Who must move, or was left over at the level before, looks for a partner in the order of the keys: by profile,
 *	   within one among units that must move at any level first, then among the others, the one with the smallest key
 *	   that has not moved and is in another region.
 *	5. The regions of the last level get shares of the pairs that the rate asks for, less what their units have begun
 *	   in step 4.  In random order, those of their units that have not moved look for a partner, by profile and key.
 *
 * Nobody moves twice.  A unit that found nobody at its level cannot leave its region of that level later: a unit that
 * could be its partner agrees in the last profile, did not move before, and so would have been found.
 *
 * The definition of each stratum is that of a file of its own; here strata are the first part of regions and profiles,
 * which is the same, but for what is drawn.
 *
 * O(n log n) for each level and profile.  Memory: eight words a record and level, some ten a unit and profile.
 *
 * Determinism: what is drawn from the stream, in which order, is described at each function and is part of
 * SDC_STREAM_VERSION.  Keys use log of the C library, which may differ in the last bit between machines.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include <math.h>

#include "kernel/areas/areaqueues.h"
#include "kernel/areas/recordswap.h"
#include "kernel/base/codesort.h"
#include "kernel/base/rankorder.h"
#include "kernel/base/sample.h"
#include "kernel/base/sortkey.h"

/* Who must move, and who else is in a profile. */
#define SIDES 2

/* A profile at the level that is worked on. */
typedef struct Profile
{
	uint32	   *class;			/* by unit */
	uint32		classes;
	uint32	   *bucket;			/* by unit: SIDES * class, and 1 more for who need not move */
	SdcAreaQueues queues;
} Profile;

struct SdcRecordSwap
{
	const SdcRecordSwapTask *task;
	SdcRecordSwapResult result;
	uint32		units;
	uint32		records;
	uint32	  **region;			/* by level, unit */
	uint32	   *regions;		/* by level */
	uint32	  **rarity;			/* by level, unit: units that have the values of its rarest record */
	uint32	   *risk_class;		/* by record */
	uint32	   *by_risk;		/* records by this class, those of one unit by unit */
	uint32	   *must;			/* by unit: the level at which it must move, or the number of levels */
	uint32	   *moved_at;		/* by unit: the level at which it did */
	bool	   *moved;			/* by unit */
	uint32	   *begun;			/* by region of the last level: pairs that its units began */
	Profile    *profile;

	/* the level that is worked on */
	int			level;
	uint32	   *order;			/* units by key */
	uint32	   *place;			/* of each unit in this order */
	bool		has_queues;
	uint32		credit;			/* until the next interrupt check */
};

/*
 * refine numbers the pairs of a class and a code as they are ordered, and makes these numbers the classes; order
 * becomes the elements in it, equal ones in the order that they had.
 */
static uint32
refine(SdcRecordSwap *s, uint32 *class, uint32 classes, const uint32 *code, uint32 codes, uint32 *order,
	   uint32 elements)
{
	SdcCodesort by_code = {.code = code, .stride = 1, .codes = codes};
	SdcCodesort by_class = {.code = class, .stride = 1, .codes = classes};
	uint32	   *start = sdc_alloc_array(uint32, (uint64) (codes > classes ? codes : classes) + 1);
	uint32	   *spare = sdc_alloc_array(uint32, elements);
	uint32		count = 0;
	uint32		before = 0;

	sdc_codesort_pass(&by_code, order, spare, elements, start, &s->credit);
	sdc_codesort_pass(&by_class, spare, order, elements, start, &s->credit);
	for (uint32 i = 0; i < elements; i++)
	{
		uint32		old = class[order[i]];

		sdc_interrupts_spend(&s->credit, 1);
		if (i == 0 || old != before || code[order[i]] != code[order[i - 1]])
			count++;
		before = old;
		class[order[i]] = count - 1;
	}
	sdc_free(spare);
	sdc_free(start);
	return count;
}

/* number_order writes elements in the order of their numbers. */
static void
number_order(SdcRecordSwap *s, uint32 *order, uint32 elements)
{
	for (uint32 i = 0; i < elements; i++)
	{
		sdc_interrupts_spend(&s->credit, 1);
		order[i] = i;
	}
}

/* stratum_classes makes the strata the classes of the units. */
static uint32
stratum_classes(SdcRecordSwap *s, uint32 *class)
{
	for (uint32 u = 0; u < s->units; u++)
	{
		sdc_interrupts_spend(&s->credit, 1);
		class[u] = s->task->stratum != NULL ? s->task->stratum[u] : 0;
	}
	return s->task->stratum != NULL ? s->task->strata : 1;
}

/* copy_words returns a copy of what a number of elements have. */
static uint32 *
copy_words(const uint32 *word, uint32 elements)
{
	uint32	   *copy = sdc_alloc_array(uint32, elements);

	memcpy(copy, word, sizeof(uint32) * (Size) elements);
	return copy;
}

/* find_regions finds the regions of every level. */
static void
find_regions(SdcRecordSwap *s)
{
	const SdcRecordSwapTask *task = s->task;
	uint32	   *class = sdc_alloc_array(uint32, s->units);
	uint32		classes = stratum_classes(s, class);

	number_order(s, s->order, s->units);
	for (int h = 0; h < task->levels; h++)
	{
		classes = refine(s, class, classes, task->area[h].code, task->area[h].codes, s->order, s->units);
		s->region[h] = copy_words(class, s->units);
		s->regions[h] = classes;
	}
	sdc_free(class);
}

/* size_codes gives every unit its size as a code, and returns how many codes there are. */
static uint32
size_codes(SdcRecordSwap *s, uint32 *code)
{
	uint32		codes = 1;

	for (uint32 u = 0; u < s->units; u++)
	{
		sdc_interrupts_spend(&s->credit, 1);
		code[u] = sdc_units_size(s->task->units, u);
		codes = code[u] >= codes ? code[u] + 1 : codes;
	}
	return codes;
}

/* find_profiles finds the classes of every profile, from the last one to the first, which is finest. */
static void
find_profiles(SdcRecordSwap *s)
{
	const SdcRecordSwapTask *task = s->task;
	uint32	   *class = sdc_alloc_array(uint32, s->units);
	uint32	   *size = sdc_alloc_array(uint32, s->units);
	uint32		classes = stratum_classes(s, class);
	uint32		sizes = size_codes(s, size);

	number_order(s, s->order, s->units);
	if (!task->any_size)
		classes = refine(s, class, classes, size, sizes, s->order, s->units);
	for (int j = 0; j <= task->similars; j++)
	{
		if (j >= task->similars - task->relax)
		{
			Profile    *profile = &s->profile[task->similars - j];

			profile->class = copy_words(class, s->units);
			profile->classes = classes;
			profile->bucket = sdc_alloc_array(uint32, s->units);
		}
		if (j < task->similars)
			classes = refine(s, class, classes, task->similar[j].code, task->similar[j].codes, s->order, s->units);
	}
	sdc_free(size);
	sdc_free(class);
}

/* find_risks finds which records agree in the columns of risk. */
static void
find_risks(SdcRecordSwap *s)
{
	const SdcRecordSwapTask *task = s->task;
	uint32		classes = 1;

	memset(s->risk_class, 0, sizeof(uint32) * (Size) s->records);
	/* records unit by unit, so that those of one class are so as well */
	memcpy(s->by_risk, task->units->member, sizeof(uint32) * (Size) s->records);
	for (int j = 0; j < task->risks; j++)
		classes = refine(s, s->risk_class, classes, task->risk[j].code, task->risk[j].codes, s->by_risk, s->records);
}

/*
 * count_run counts the units that have records first .. end - 1 of an order, unit by unit, and gives each of them the
 * number if it is less than what it has.
 */
static void
count_run(SdcRecordSwap *s, const uint32 *order, uint32 first, uint32 end, uint32 *rarity)
{
	const uint32 *of = s->task->units->of;
	uint32		count = 1;

	sdc_interrupts_spend(&s->credit, 2 * (end - first));
	for (uint32 i = first + 1; i < end; i++)
		count += of[order[i]] != of[order[i - 1]];
	for (uint32 i = first; i < end; i++)
		if (count < rarity[of[order[i]]])
			rarity[of[order[i]]] = count;
}

/* count_rarity finds the rarest record of every unit, where each has the region of a unit. */
static void
count_rarity(SdcRecordSwap *s, const uint32 *region, uint32 regions, const uint32 *whose, uint32 *rarity)
{
	const uint32 *of = s->task->units->of;
	uint32	   *code = sdc_alloc_array(uint32, s->records);
	uint32	   *order = sdc_alloc_array(uint32, s->records);
	uint32	   *start = sdc_alloc_array(uint32, (uint64) regions + 1);
	SdcCodesort by_region = {.code = code, .stride = 1, .codes = regions};

	for (uint32 u = 0; u < s->units; u++)
		rarity[u] = UINT32_MAX;
	for (uint32 r = 0; r < s->records; r++)
	{
		sdc_interrupts_spend(&s->credit, 1);
		code[r] = region[whose != NULL ? whose[of[r]] : of[r]];
	}
	sdc_codesort_pass(&by_region, s->by_risk, order, s->records, start, &s->credit);
	for (uint32 first = 0, end; first < s->records; first = end)
	{
		end = first + 1;
		while (end < s->records && code[order[end]] == code[order[first]] &&
			   s->risk_class[order[end]] == s->risk_class[order[first]])
			end++;
		count_run(s, order, first, end, rarity);
	}
	sdc_free(start);
	sdc_free(order);
	sdc_free(code);
}

/* find_movers finds the level at which every unit must move. */
static void
find_movers(SdcRecordSwap *s)
{
	const SdcRecordSwapTask *task = s->task;

	for (int h = 0; h < task->levels; h++)
	{
		s->rarity[h] = sdc_alloc_array(uint32, s->units);
		count_rarity(s, s->region[h], s->regions[h], NULL, s->rarity[h]);
	}
	for (uint32 u = 0; u < s->units; u++)
	{
		uint32		level = 0;

		sdc_interrupts_spend(&s->credit, 1);
		while (level < (uint32) task->levels && s->rarity[level][u] >= task->k)
			level++;
		s->must[u] = level;
		if (level < (uint32) task->levels)
			s->result.level[level].at_risk++;
		for (int f = 0; f <= task->relax; f++)
			s->profile[f].bucket[u] = SIDES * s->profile[f].class[u] + (level == (uint32) task->levels);
	}
}

/* sdc_recordswap_create: see recordswap.h. */
SdcRecordSwap *
sdc_recordswap_create(const SdcRecordSwapTask *task)
{
	SdcRecordSwap *s = sdc_alloc_zeros(SdcRecordSwap, 1);

	SDC_ASSERT(task->levels >= 1 && task->relax >= 0 && task->relax <= task->similars && task->k >= 1);
	s->task = task;
	s->units = task->units->count;
	s->records = task->units->records;
	s->result.partner = sdc_alloc_array(uint32, s->units);
	s->result.level = sdc_alloc_zeros(SdcRecordSwapLevel, task->levels);
	for (int h = 0; h < task->levels; h++)
		s->result.level[h].pairs = sdc_alloc_zeros(uint32, task->relax + 1);
	s->region = sdc_alloc_zeros(uint32 *, task->levels);
	s->regions = sdc_alloc_zeros(uint32, task->levels);
	s->rarity = sdc_alloc_zeros(uint32 *, task->levels);
	s->risk_class = sdc_alloc_array(uint32, s->records);
	s->by_risk = sdc_alloc_array(uint32, s->records);
	s->must = sdc_alloc_array(uint32, s->units);
	s->moved_at = sdc_alloc_zeros(uint32, s->units);
	s->moved = sdc_alloc_zeros(bool, s->units);
	s->profile = sdc_alloc_zeros(Profile, task->relax + 1);
	s->order = sdc_alloc_array(uint32, s->units);
	s->place = sdc_alloc_array(uint32, s->units);
	number_order(s, s->result.partner, s->units);
	find_regions(s);
	find_profiles(s);
	find_risks(s);
	find_movers(s);
	s->begun = sdc_alloc_zeros(uint32, s->regions[task->levels - 1]);
	return s;
}

/* forget_queues frees the queues of the level before. */
static void
forget_queues(SdcRecordSwap *s)
{
	for (int f = 0; s->has_queues && f <= s->task->relax; f++)
		sdc_areaqueues_destroy(&s->profile[f].queues);
	s->has_queues = false;
}

/* order_units orders the units by key: one uniform number each, in their order, makes its exponential. */
static void
order_units(SdcRecordSwap *s, SdcStream *stream)
{
	const uint32 *rarity = s->rarity[s->level];
	uint64	   *key = sdc_alloc_array(uint64, s->units);
	void	   *work = sdc_alloc(sdc_rankorder_memory(s->units));

	for (uint32 u = 0; u < s->units; u++)
	{
		sdc_interrupts_spend(&s->credit, 1);
		key[u] = sdc_sortkey_from_float8(-log(sdc_stream_uniform(stream)) * rarity[u]);
	}
	sdc_rankorder_sort(key, NULL, s->units, NULL, work, s->order);
	for (uint32 i = 0; i < s->units; i++)
	{
		sdc_interrupts_spend(&s->credit, 1);
		s->place[s->order[i]] = i;
	}
	sdc_free(work);
	sdc_free(key);
}

/* make_queues makes the queues of the level for every profile. */
static void
make_queues(SdcRecordSwap *s)
{
	SdcAreaQueuesTask task = {
		.units = s->units, .region = s->region[s->level], .regions = s->regions[s->level],
		.order = s->order, .place = s->place, .gone = s->moved
	};

	for (int f = 0; f <= s->task->relax; f++)
	{
		task.bucket = s->profile[f].bucket;
		task.buckets = SIDES * s->profile[f].classes;
		sdc_areaqueues_create(&s->profile[f].queues, &task);
	}
	s->has_queues = true;
}

/*
 * find_partner finds the partner of a unit in a profile: who must move comes before the others, unless it is by key
 * alone.
 */
static uint32
find_partner(SdcRecordSwap *s, uint32 unit, Profile *profile, bool by_key)
{
	uint32		bucket = SIDES * profile->class[unit];
	uint32		region = s->region[s->level][unit];
	uint32		mover = sdc_areaqueues_next(&profile->queues, bucket, region);
	uint32		other;

	if (mover != SDC_AREAQUEUES_NONE && !by_key)
		return mover;
	other = sdc_areaqueues_next(&profile->queues, bucket + 1, region);
	if (mover == SDC_AREAQUEUES_NONE || other == SDC_AREAQUEUES_NONE)
		return mover == SDC_AREAQUEUES_NONE ? other : mover;
	return s->place[mover] < s->place[other] ? mover : other;
}

/* move_unit moves a unit if there is a partner for it; false: there is none. */
static bool
move_unit(SdcRecordSwap *s, uint32 unit, bool by_key)
{
	SdcRecordSwapLevel *level = &s->result.level[s->level];

	for (int f = 0; f <= s->task->relax; f++)
	{
		uint32		partner = find_partner(s, unit, &s->profile[f], by_key);

		if (partner == SDC_AREAQUEUES_NONE)
			continue;
		s->result.partner[unit] = partner;
		s->result.partner[partner] = unit;
		s->moved[unit] = s->moved[partner] = true;
		s->moved_at[unit] = s->moved_at[partner] = (uint32) s->level;
		level->swapped += 2;
		level->pairs[f]++;
		return true;
	}
	return false;
}

/*
 * sdc_recordswap_level: see recordswap.h.
 *
 * Draws: those of order_units.
 */
void
sdc_recordswap_level(SdcRecordSwap *s, int level, SdcStream *stream)
{
	const uint32 *last = s->region[s->task->levels - 1];

	forget_queues(s);
	s->level = level;
	order_units(s, stream);
	make_queues(s);
	for (uint32 i = 0; i < s->units; i++)
	{
		uint32		unit = s->order[i];

		sdc_interrupts_spend(&s->credit, 1);
		if (s->must[unit] <= (uint32) level && !s->moved[unit] && move_unit(s, unit, false))
			s->begun[last[unit]]++;
	}
}

/*
 * stratum_quotas gives the regions of a stratum, whose units end at each of them, their shares of its pairs: by
 * cumulated units, so that the shares are whole and their sum is that of all.
 *
 * Draws: below(units), where the fractions of the cumulated shares are cut.
 */
static void
stratum_quotas(SdcRecordSwap *s, SdcStream *stream, const uint32 *end, uint32 first, uint32 behind, uint32 *quota)
{
	uint64		start = first == 0 ? 0 : end[first - 1];
	uint64		units = end[behind - 1] - start;
	uint64		pairs = (uint64) floor((double) units * s->task->rate / 200.0 + 0.5);
	uint64		cut = sdc_stream_below(stream, (uint32) units);
	uint64		below = 0;

	for (uint32 g = first; g < behind; g++)
	{
		uint64		upto = (pairs * (end[g] - start) + cut) / units;

		sdc_interrupts_spend(&s->credit, 1);
		quota[g] = (uint32) (upto - below);
		below = upto;
	}
	s->result.target += 2 * pairs;
}

/* find_quotas gives the regions of the last level their shares, stratum by stratum. */
static void
find_quotas(SdcRecordSwap *s, SdcStream *stream, const uint32 *unit, const uint32 *end, uint32 *quota)
{
	const uint32 *stratum = s->task->stratum;
	uint32		regions = s->regions[s->level];

	for (uint32 first = 0, behind; first < regions; first = behind)
	{
		behind = first + 1;
		while (behind < regions &&
			   (stratum == NULL || stratum[unit[end[behind] - 1]] == stratum[unit[end[first] - 1]]))
			behind++;
		stratum_quotas(s, stream, end, first, behind, quota);
	}
}

/* fill_region adds pairs that the units of a region begin, first .. behind - 1 by key; it returns how many it lacks. */
static uint32
fill_region(SdcRecordSwap *s, const uint32 *unit, uint32 first, uint32 behind, uint32 wanted)
{
	for (uint32 i = first; i < behind && wanted > 0; i++)
	{
		sdc_interrupts_spend(&s->credit, 1);
		if (!s->moved[unit[i]] && move_unit(s, unit[i], true))
			wanted--;
	}
	return wanted;
}

/*
 * sdc_recordswap_rate: see recordswap.h.  A unit that had to move and did not finds nobody here either.
 *
 * Draws: those of stratum_quotas for every stratum, then one sdc_sample_shuffle of the regions.
 */
void
sdc_recordswap_rate(SdcRecordSwap *s, SdcStream *stream)
{
	uint32		regions = s->regions[s->level];
	uint32	   *unit = sdc_alloc_array(uint32, s->units);
	uint32	   *end = sdc_alloc_array(uint32, (uint64) regions + 1);
	uint32	   *quota = sdc_alloc_array(uint32, regions);
	uint32	   *region = sdc_alloc_array(uint32, regions);
	SdcCodesort by_region = {.code = s->region[s->level], .stride = 1, .codes = regions};

	SDC_ASSERT(s->level == s->task->levels - 1);
	sdc_codesort_pass(&by_region, s->order, unit, s->units, end, &s->credit);
	find_quotas(s, stream, unit, end, quota);
	number_order(s, region, regions);
	sdc_sample_shuffle(stream, region, regions);
	for (uint32 i = 0; i < regions; i++)
	{
		uint32		g = region[i];

		sdc_interrupts_spend(&s->credit, 1);
		if (quota[g] > s->begun[g])
			s->result.lacking += fill_region(s, unit, g == 0 ? 0 : end[g - 1], end[g], quota[g] - s->begun[g]);
	}
	sdc_free(region);
	sdc_free(quota);
	sdc_free(end);
	sdc_free(unit);
}

/* count_after counts who would have to move in the release, by the first level. */
static void
count_after(SdcRecordSwap *s)
{
	uint32	   *rarity = sdc_alloc_array(uint32, s->units);
	bool	   *counted = sdc_alloc_zeros(bool, s->units);

	for (int h = 0; h < s->task->levels; h++)
	{
		count_rarity(s, s->region[h], s->regions[h], s->result.partner, rarity);
		for (uint32 u = 0; u < s->units; u++)
		{
			sdc_interrupts_spend(&s->credit, 1);
			if (counted[u] || rarity[u] >= s->task->k)
				continue;
			counted[u] = true;
			s->result.level[h].at_risk_after++;
		}
	}
	sdc_free(counted);
	sdc_free(rarity);
}

/* sdc_recordswap_finish: see recordswap.h. */
const SdcRecordSwapResult *
sdc_recordswap_finish(SdcRecordSwap *s)
{
	for (uint32 u = 0; u < s->units; u++)
	{
		sdc_interrupts_spend(&s->credit, 1);
		if (s->must[u] == (uint32) s->task->levels)
			continue;
		if (!s->moved[u])
			s->result.unmatched++;
		else if (s->moved_at[u] > s->must[u])
			s->result.level[s->must[u]].partial++;
	}
	count_after(s);
	return &s->result;
}

/* sdc_recordswap_destroy: see recordswap.h. */
void
sdc_recordswap_destroy(SdcRecordSwap *s)
{
	forget_queues(s);
	for (int h = 0; h < s->task->levels; h++)
	{
		sdc_free(s->region[h]);
		sdc_free(s->rarity[h]);
		sdc_free(s->result.level[h].pairs);
	}
	for (int f = 0; f <= s->task->relax; f++)
	{
		sdc_free(s->profile[f].class);
		sdc_free(s->profile[f].bucket);
	}
	sdc_free(s->region);
	sdc_free(s->regions);
	sdc_free(s->rarity);
	sdc_free(s->result.level);
	sdc_free(s->result.partner);
	sdc_free(s->risk_class);
	sdc_free(s->by_risk);
	sdc_free(s->must);
	sdc_free(s->moved_at);
	sdc_free(s->moved);
	sdc_free(s->begun);
	sdc_free(s->profile);
	sdc_free(s->order);
	sdc_free(s->place);
	sdc_free(s);
}
