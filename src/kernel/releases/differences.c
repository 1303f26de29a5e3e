/*-------------------------------------------------------------------------
 *
 * differences.c
 *		What the difference of two releases tells of those who came and those who went.
 *
 * Swapping keeps what values a column has, and how often.  So what one release has more often than the other is what
 * the newcomers brought, whoever holds it; a newcomer's value is among those of these that are within the windows of
 * the one that he got.  And who holds such a value got it from a newcomer: the holder's own value is what some newcomer
 * was given.  The attack is ours.
 *
 * Windows are intervals of codes, so that what is counted are differences of counts from the least code on.
 *
 * Complexity: O(records + codes) for a column.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include "kernel/releases/differences.h"

/* A side while a column is looked at. */
typedef struct Looking
{
	const SdcDifferenceSide *side;
	const SdcHistoryFile *file; /* the release */
	int			column;
	uint32		codes;
	SdcInterval *inverse;		/* by code: which have it in their window */
	uint32	   *row;			/* of each person in the release */
	uint32	   *elsewhere;		/* in the other one */
	uint32	   *count;			/* of each code in the release */
	uint32	   *appeared;		/* codes below each that appeared; codes + 1 */
	uint32	   *given;			/* codes below each that somebody who is looked for was given */
	uint32	   *truth;			/* record of each person in the truth */
	bool	   *mark;			/* by record of the truth: exposed; or NULL */
} Looking;

/* count_codes counts the values of a column of a file. */
static uint32 *
count_codes(const SdcHistoryFile *file, int column, uint32 codes)
{
	uint32	   *count = sdc_alloc_zeros(uint32, (uint64) codes + 1);

	for (uint32 i = 0; i < file->records; i++)
	{
		sdc_interrupts_step(i);
		if (file->code[column][i] != SDC_CODE_NULL)
			count[file->code[column][i]]++;
	}
	return count;
}

/* sdc_difference_appeared: see differences.h. */
uint64
sdc_difference_appeared(const SdcHistory *history, int release, int other, int column)
{
	uint32	   *count = count_codes(&history->release[release], column, history->codes[column]);
	uint32	   *before = count_codes(&history->release[other], column, history->codes[column]);
	uint64		appeared = 0;

	for (uint32 c = 0; c < history->codes[column]; c++)
		if (count[c] > before[c])
			appeared += count[c] - before[c];
	sdc_free(count);
	sdc_free(before);
	return appeared;
}

/* is_sought tells whether a person is one of those who are looked for. */
static bool
is_sought(const Looking *looking, uint32 person)
{
	return looking->row[person] != SDC_RECORD_NONE && looking->elsewhere[person] == SDC_RECORD_NONE;
}

/* sum_up replaces marks of codes, 0 or 1, by how many are below each. */
static void
sum_up(uint32 *mark, uint32 codes)
{
	uint32		below = 0;

	for (uint32 c = 0; c <= codes; c++)
	{
		uint32		is = mark[c];

		mark[c] = below;
		below += is;
	}
}

/* begin prepares all. */
static void
begin(Looking *looking, const SdcDifferenceSide *side, int column, SdcDifference *result)
{
	const SdcHistory *history = side->history;
	const SdcHistoryFile *other = &history->release[side->other];
	uint32	   *before;
	SdcPositions positions;

	looking->side = side;
	looking->file = &history->release[side->release];
	looking->column = column;
	looking->codes = history->codes[column];
	looking->row = sdc_alloc_array(uint32, history->persons);
	looking->elsewhere = sdc_alloc_array(uint32, history->persons);
	looking->truth = sdc_alloc_array(uint32, history->persons);
	sdc_history_rows(history, looking->file, looking->row);
	sdc_history_rows(history, other, looking->elsewhere);
	sdc_history_rows(history, side->truth, looking->truth);
	looking->inverse = sdc_alloc_array(SdcInterval, looking->codes);
	sdc_positions_create(&positions, looking->file->code[column], looking->file->records, looking->codes);
	sdc_history_inverse(&positions, history->width[side->release][column], looking->inverse);
	sdc_positions_destroy(&positions);
	looking->count = count_codes(looking->file, column, looking->codes);
	before = count_codes(other, column, looking->codes);
	looking->appeared = sdc_alloc_zeros(uint32, (uint64) looking->codes + 1);
	looking->given = sdc_alloc_zeros(uint32, (uint64) looking->codes + 1);
	for (uint32 c = 0; c < looking->codes; c++)
		if (looking->count[c] > before[c])
		{
			looking->appeared[c] = 1;
			result->appeared += looking->count[c] - before[c];
		}
	sdc_free(before);
	for (uint32 i = 0; i < looking->file->records; i++)
		if (looking->file->code[column][i] != SDC_CODE_NULL && is_sought(looking, looking->file->person[i]))
			looking->given[looking->file->code[column][i]] = 1;
	sum_up(looking->appeared, looking->codes);
	sum_up(looking->given, looking->codes);
}

/* end frees all. */
static void
end(Looking *looking)
{
	sdc_free(looking->row);
	sdc_free(looking->elsewhere);
	sdc_free(looking->truth);
	sdc_free(looking->inverse);
	sdc_free(looking->count);
	sdc_free(looking->appeared);
	sdc_free(looking->given);
}

/* has tells whether a code is one of those that were summed up. */
static bool
has(const uint32 *below, uint32 code)
{
	return below[code] < below[code + 1];
}

/* find_cells looks for the values of those who are looked for; guess, exposed and known: all or none. */
static void
find_cells(const Looking *looking, double *guess, bool *exposed, bool *known, SdcDifference *result)
{
	const SdcHistoryFile *truth = looking->side->truth;

	for (uint32 i = 0; i < truth->records; i++)
	{
		uint32		value = truth->code[looking->column][i];
		SdcInterval among = {0, looking->codes - 1};
		uint32		size = 0;
		bool		inside = false;

		sdc_interrupts_step(i);
		if (value == SDC_CODE_NULL || !is_sought(looking, truth->person[i]))
			continue;
		if (looking->side->linkable)
		{
			uint32		released = looking->file->code[looking->column][looking->row[truth->person[i]]];

			among = released == SDC_CODE_NULL ? (SdcInterval) {1, 0} : looking->inverse[released];
		}
		if (among.first <= among.last)
		{
			size = looking->appeared[among.last + 1] - looking->appeared[among.first];
			inside = value >= among.first && value <= among.last && has(looking->appeared, value);
		}
		result->cells++;
		result->exposed += inside && size == 1;
		result->guess += inside ? 1.0 / size : 0;
		if (looking->mark != NULL)
			looking->mark[i] |= inside && size == 1;
		if (known == NULL)
			continue;
		known[i] = true;
		exposed[i] &= inside && size == 1;
		guess[i] *= inside ? 1.0 / size : 0;
	}
}

/* find_partners looks for the values of those who hold what appeared. */
static void
find_partners(const Looking *looking, SdcDifference *result)
{
	const SdcHistoryFile *file = looking->file;

	for (uint32 i = 0; i < file->records; i++)
	{
		uint32		held = file->code[looking->column][i];
		uint32		own = looking->truth[file->person[i]];
		uint32		value;
		SdcInterval among;
		uint32		size = 0;
		bool		inside = false;

		sdc_interrupts_step(i);
		if (held == SDC_CODE_NULL || looking->count[held] != 1 || !has(looking->appeared, held) ||
			own == SDC_RECORD_NONE)
			continue;
		value = looking->side->truth->code[looking->column][own];
		if (value == SDC_CODE_NULL)
			continue;
		among = looking->inverse[held];
		if (among.first <= among.last)
		{
			/* nobody else has what the holder has, so that it counts only if he is looked for himself */
			size = looking->given[among.last + 1] - looking->given[among.first] -
				(has(looking->given, held) && held >= among.first && held <= among.last);
			inside = value != held && value >= among.first && value <= among.last && has(looking->given, value);
		}
		result->holders++;
		result->partners_exposed += inside && size == 1;
		result->partners_guess += inside ? 1.0 / size : 0;
		if (looking->mark != NULL)
			looking->mark[own] |= inside && size == 1;
	}
}

/* sdc_difference_column: see differences.h. */
void
sdc_difference_column(const SdcDifferenceSide *side, int column, double *guess, bool *exposed,
					  bool *known, SdcDifference *result)
{
	Looking		looking = {0};

	memset(result, 0, sizeof(SdcDifference));
	begin(&looking, side, column, result);
	find_cells(&looking, guess, exposed, known, result);
	if (side->linkable)
		find_partners(&looking, result);
	end(&looking);
}

/* sdc_difference_exposed: see differences.h. */
void
sdc_difference_exposed(const SdcDifferenceSide *side, int column, bool *exposed)
{
	Looking		looking = {.mark = exposed};
	SdcDifference found = {0};

	begin(&looking, side, column, &found);
	find_cells(&looking, NULL, NULL, NULL, &found);
	if (side->linkable)
		find_partners(&looking, &found);
	end(&looking);
}
