/*-------------------------------------------------------------------------
 *
 * movement.c
 *		What an intruder learns of single values when he sees which move between releases, and when.
 *
 * Swapping is an involution: the value of a record is at its partner, and the partner's is at the record.  So a
 * record gets another value just when its own value moves to another record.  Who can follow the records compares the
 * nights on which a record changed with those on which each value in its windows did.  The attack is ours.
 *
 * A value forbids, for each step from a release to the next, that the record stays as it was (it moved itself, or
 * came back), or that it changes (it did not move, or is gone): two bitmaps of steps.  A record has two
 * as well, of the steps in which it stayed or changed; they fit if no forbidden bit is set.  Values lie in
 * their order, with what is forbidden by all and by some of each block of them, so that a window is seldom gone
 * through value by value.
 *
 * Complexity: O(records window releases / 64) at worst; where most values, or most records, do the same, far less.
 * Of a single release nothing moves: O(records + codes).
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include "kernel/releases/movement.h"

#define WORD_BITS 64

/* Values, or blocks of them, in a block: 2 to the power of this. */
#define BLOCK_SHIFT 4

/* Levels of blocks above 2^32 values. */
#define MAX_LEVELS 9

/* One level: the values, or blocks of those of the level below. */
typedef struct Level
{
	uint32		count;
	/* by element, words each */
	uint64	   *stays_all;		/* steps in which all of it forbid that the record stays as it was */
	uint64	   *stays_some;
	uint64	   *moves_all;		/* that it changes */
	uint64	   *moves_some;
	uint64	   *seen;			/* releases that some of it is in */
} Level;

typedef struct Movement
{
	const SdcHistory *history;
	SdcHistorySpan span;
	int			column;
	Size		words;			/* of a bitmap of steps or releases */
	uint32		codes;
	uint32	   *value;			/* number of each code among those that are in a release; codes + 1 */
	uint32		values;
	int			levels;
	Level		level[MAX_LEVELS];
	/* of the records of the last release */
	uint32	   *row;
	SdcInterval *box;
	uint64	   *stayed;			/* steps */
	uint64	   *moved;
	uint64	   *has;			/* releases in which it has a value */
	uint64	   *none;			/* a bitmap without a bit */
	uint32		credit;
} Movement;

/* A question: a record, and a range of values. */
typedef struct Asking
{
	Movement   *movement;
	const uint64 *stayed;
	const uint64 *moved;
	const uint64 *has;
	bool		everywhere;		/* it has a value in every release */
	uint32		first;
	uint32		last;
} Asking;

/* Where what is found goes; see movement.h. */
typedef struct Results
{
	SdcMovement *moving;
	SdcMovement *windows;		/* or NULL */
	SdcMovementCells cells;
} Results;

/* words_of returns the words of a bitmap of releases. */
static Size
words_of(int releases)
{
	return ((Size) releases + WORD_BITS - 1) / WORD_BITS;
}

/* sdc_movement_memory: see movement.h. */
uint64
sdc_movement_memory(uint32 records, uint32 persons, uint32 codes, int releases)
{
	uint64		bitmap = words_of(releases) * sizeof(uint64);

	return (uint64) records * (sizeof(SdcInterval) + 3 * bitmap) + (uint64) persons * 2 * sizeof(uint32) +
		((uint64) codes + 1) * (5 * sizeof(uint32) + 6 * bitmap) + sdc_history_memory(records, codes);
}

/* make_bitmaps makes empty bitmaps. */
static uint64 *
make_bitmaps(uint64 count, Size words)
{
	uint64	   *bits = sdc_alloc_matrix(uint64, count, words);

	memset(bits, 0, sizeof(uint64) * (Size) count * words);
	return bits;
}

/* set_bit sets a bit of a bitmap. */
static void
set_bit(uint64 *bits, int bit)
{
	bits[bit / WORD_BITS] |= UINT64_C(1) << bit % WORD_BITS;
}

/* count_holders counts the records that have each code in a release, and who the last of them is. */
static void
count_holders(const SdcHistoryFile *file, int column, uint32 codes, uint32 *count, uint32 *holder)
{
	memset(count, 0, sizeof(uint32) * (Size) codes);
	for (uint32 i = 0; i < file->records; i++)
	{
		uint32		code = file->code[column][i];

		sdc_interrupts_step(i);
		if (code == SDC_CODE_NULL)
			continue;
		count[code]++;
		holder[code] = file->person[i];
	}
}

/* number_values numbers the codes that some release has. */
static void
number_values(Movement *movement)
{
	const SdcHistory *history = movement->history;

	memset(movement->value, 0, sizeof(uint32) * ((Size) movement->codes + 1));
	for (int t = movement->span.first; t < movement->span.first + movement->span.count; t++)
	{
		const SdcHistoryFile *file = &history->release[t];

		for (uint32 i = 0; i < file->records; i++)
		{
			uint32		code = file->code[movement->column][i];

			sdc_interrupts_step(i);
			if (code != SDC_CODE_NULL)
				movement->value[code] = 1;
		}
	}
	movement->values = 0;
	for (uint32 c = 0; c <= movement->codes; c++)
	{
		uint32		is = movement->value[c];

		movement->value[c] = movement->values;
		movement->values += is;
	}
}

/* is_value tells whether a code is one that some release has. */
static bool
is_value(const Movement *movement, uint32 code)
{
	return movement->value[code] < movement->value[code + 1];
}

/* add_step marks what values forbid in the step from a release to the next. */
static void
add_step(Movement *movement, int step, uint32 *const count[2], uint32 *const holder[2])
{
	Level	   *level = &movement->level[0];

	for (uint32 c = 0; c < movement->codes; c++)
	{
		Size		at = movement->value[c] * movement->words;
		bool		single = count[0][c] == 1 && count[1][c] == 1;

		sdc_interrupts_step(c);
		if (!is_value(movement, c))
			continue;
		if (single ? holder[0][c] != holder[1][c] : count[0][c] == 0 && count[1][c] > 0)
			set_bit(level->stays_all + at, step);
		if (single ? holder[0][c] == holder[1][c] : count[1][c] == 0)
			set_bit(level->moves_all + at, step);
	}
}

/* mark_values fills in the lowest level. */
static void
mark_values(Movement *movement)
{
	uint32	   *count[2];
	uint32	   *holder[2];
	Level	   *level = &movement->level[0];
	int			first = movement->span.first;

	for (int i = 0; i < 2; i++)
	{
		count[i] = sdc_alloc_array(uint32, movement->codes);
		holder[i] = sdc_alloc_array(uint32, movement->codes);
	}
	for (int t = 0; t < movement->span.count; t++)
	{
		uint32	   *swap;

		swap = count[0], count[0] = count[1], count[1] = swap;
		swap = holder[0], holder[0] = holder[1], holder[1] = swap;
		count_holders(&movement->history->release[first + t], movement->column, movement->codes,
					  count[1], holder[1]);
		for (uint32 c = 0; c < movement->codes; c++)
			if (count[1][c] > 0)
				set_bit(level->seen + movement->value[c] * movement->words, t);
		if (t > 0)
			add_step(movement, t - 1, count, holder);
	}
	for (int i = 0; i < 2; i++)
	{
		sdc_free(count[i]);
		sdc_free(holder[i]);
	}
}

/* make_level makes a level of so many elements, all bitmaps empty. */
static void
make_level(Level *level, uint32 count, Size words, bool lowest)
{
	level->count = count;
	level->stays_all = make_bitmaps(count, words);
	level->moves_all = make_bitmaps(count, words);
	level->seen = make_bitmaps(count, words);
	level->stays_some = lowest ? level->stays_all : make_bitmaps(count, words);
	level->moves_some = lowest ? level->moves_all : make_bitmaps(count, words);
}

/* fill_level sums up the level below. */
static void
fill_level(Level *level, const Level *below, Size words)
{
	memset(level->stays_all, 0xFF, sizeof(uint64) * words * level->count);
	memset(level->moves_all, 0xFF, sizeof(uint64) * words * level->count);
	for (uint32 i = 0; i < below->count; i++)
	{
		Size		from = i * words;
		Size		to = (i >> BLOCK_SHIFT) * words;

		sdc_interrupts_step(i);
		for (Size w = 0; w < words; w++)
		{
			level->stays_all[to + w] &= below->stays_all[from + w];
			level->moves_all[to + w] &= below->moves_all[from + w];
			level->stays_some[to + w] |= below->stays_some[from + w];
			level->moves_some[to + w] |= below->moves_some[from + w];
			level->seen[to + w] |= below->seen[from + w];
		}
	}
}

/* make_levels makes the values and the blocks above them. */
static void
make_levels(Movement *movement)
{
	make_level(&movement->level[0], movement->values, movement->words, true);
	mark_values(movement);
	movement->levels = 1;
	while (movement->level[movement->levels - 1].count > 1)
	{
		const Level *below = &movement->level[movement->levels - 1];
		Level	   *level = &movement->level[movement->levels++];

		make_level(level, ((below->count - 1) >> BLOCK_SHIFT) + 1, movement->words, false);
		fill_level(level, below, movement->words);
	}
}

/* add_record_step marks what the records do in one step. */
static void
add_record_step(Movement *movement, int step, const uint32 *before)
{
	const SdcHistoryFile *file = &movement->history->release[movement->span.first + step];
	const SdcHistoryFile *earlier = step > 0 ? file - 1 : NULL;

	for (uint32 i = 0; i < file->records; i++)
	{
		uint32		at = movement->row[file->person[i]];
		uint32		code = file->code[movement->column][i];
		uint32		was;

		sdc_interrupts_step(i);
		if (at == SDC_RECORD_NONE || code == SDC_CODE_NULL)
			continue;
		set_bit(movement->has + at * movement->words, step);
		if (earlier == NULL || before[file->person[i]] == SDC_RECORD_NONE)
			continue;
		was = earlier->code[movement->column][before[file->person[i]]];
		if (was != SDC_CODE_NULL)
			set_bit((was == code ? movement->stayed : movement->moved) + at * movement->words, step - 1);
	}
}

/* mark_records finds the windows and the steps of the records of the last release. */
static void
mark_records(Movement *movement)
{
	const SdcHistory *history = movement->history;
	int			last = movement->span.first + movement->span.count - 1;
	uint32		records = history->release[last].records;
	uint32	   *before = sdc_alloc_array(uint32, history->persons);
	SdcHistoryColumn column = {.stride = 1};

	movement->row = sdc_alloc_array(uint32, history->persons);
	movement->box = column.box = sdc_alloc_array(SdcInterval, records);
	movement->stayed = make_bitmaps(records, movement->words);
	movement->moved = make_bitmaps(records, movement->words);
	movement->has = make_bitmaps(records, movement->words);
	movement->none = make_bitmaps(1, movement->words);
	sdc_history_rows(history, &history->release[last], movement->row);
	sdc_history_column(history, movement->span, movement->column, movement->row, &column);
	for (int t = 0; t < movement->span.count; t++)
	{
		add_record_step(movement, t, before);
		sdc_history_rows(history, &history->release[movement->span.first + t], before);
	}
	sdc_free(before);
}

/* meets tells whether two bitmaps have a bit in common. */
static bool
meets(const uint64 *a, const uint64 *b, Size words)
{
	for (Size w = 0; w < words; w++)
		if ((a[w] & b[w]) != 0)
			return true;
	return false;
}

/* count_block counts the values of a block, within the range, that fit. */
static uint64
count_block(const Asking *asking, int height, uint32 block)
{
	Movement   *movement = asking->movement;
	const Level *level = &movement->level[height];
	Size		words = movement->words;
	Size		at = block * words;
	uint64		first = (uint64) block << BLOCK_SHIFT * height;
	uint64		last = (((uint64) block + 1) << BLOCK_SHIFT * height) - 1;
	uint64		count = 0;
	uint32		end;

	sdc_interrupts_spend(&movement->credit, 1);
	if (first < asking->first)
		first = asking->first;
	if (last > asking->last)
		last = asking->last;
	if (first > last || !meets(asking->has, level->seen + at, words) ||
		meets(asking->stayed, level->stays_all + at, words) ||
		meets(asking->moved, level->moves_all + at, words))
		return 0;
	if (height == 0)
		return 1;
	if (asking->everywhere && !meets(asking->stayed, level->stays_some + at, words) &&
		!meets(asking->moved, level->moves_some + at, words))
		return last - first + 1;
	end = ((block + 1) << BLOCK_SHIFT) - 1;
	if (end >= movement->level[height - 1].count)
		end = movement->level[height - 1].count - 1;
	for (uint32 below = block << BLOCK_SHIFT; below <= end; below++)
		if ((uint64) below << BLOCK_SHIFT * (height - 1) <= asking->last &&
			((uint64) below + 1) << BLOCK_SHIFT * (height - 1) > asking->first)
			count += count_block(asking, height - 1, below);
	return count;
}

/* add_found adds what is found of one value. */
static void
add_found(SdcMovement *result, uint64 candidates, bool inside)
{
	result->cells++;
	result->candidates += candidates;
	result->inside += inside;
	result->exposed += inside && candidates == 1;
	result->guess += inside ? 1.0 / (double) candidates : 0;
}

/* add_cell looks for the values that one of a record can be, and returns how many, 0 without the right one. */
static uint32
add_cell(Movement *movement, uint32 at, uint32 code, bool moving, SdcMovement *result)
{
	const SdcInterval *box = &movement->box[at];
	Asking		asking = {.movement = movement, .stayed = movement->none, .moved = movement->none};
	uint64		candidates = 0;
	bool		inside = false;

	if (moving)
	{
		asking.stayed = movement->stayed + at * movement->words;
		asking.moved = movement->moved + at * movement->words;
	}
	asking.has = movement->has + at * movement->words;
	asking.everywhere = true;
	for (int t = 0; t < movement->span.count; t++)
		asking.everywhere &= asking.has[t / WORD_BITS] >> t % WORD_BITS & 1;
	if (box->first <= box->last && movement->value[box->first] < movement->value[box->last + 1])
	{
		asking.first = movement->value[box->first];
		asking.last = movement->value[box->last + 1] - 1;
		candidates = count_block(&asking, movement->levels - 1, 0);
		if (is_value(movement, code) && code >= box->first && code <= box->last)
		{
			asking.first = asking.last = movement->value[code];
			inside = count_block(&asking, 0, asking.first) == 1;
		}
	}
	add_found(result, candidates, inside);
	return inside ? (uint32) candidates : 0;
}

/* has_value tells whether a record has a value in some release. */
static bool
has_value(const Movement *movement, uint32 at)
{
	for (Size w = 0; w < movement->words; w++)
		if (movement->has[at * movement->words + w] != 0)
			return true;
	return false;
}

/* end frees all. */
static void
end(Movement *movement)
{
	for (int l = 0; l < movement->levels; l++)
	{
		Level	   *level = &movement->level[l];

		sdc_free(level->stays_all);
		sdc_free(level->moves_all);
		sdc_free(level->seen);
		if (l > 0)
		{
			sdc_free(level->stays_some);
			sdc_free(level->moves_some);
		}
	}
	sdc_free(movement->value);
	sdc_free(movement->row);
	sdc_free(movement->box);
	sdc_free(movement->stayed);
	sdc_free(movement->moved);
	sdc_free(movement->has);
	sdc_free(movement->none);
}

/* add_cells tells of one value what it was asked for; candidates: 0 without the right one. */
static void
add_cells(const SdcMovementCells *cells, uint32 record, uint32 moving, uint32 windows)
{
	if (cells->seen != NULL)
		cells->seen[record] = true;
	if (cells->exposed != NULL)
		cells->exposed[record] |= moving == 1;
	if (cells->moving != NULL)
		cells->moving[record] = moving;
	if (cells->windows != NULL)
		cells->windows[record] = windows;
}

/* attack_release does it for a single release, where nothing moves: all values of a window are candidates. */
static void
attack_release(const SdcHistoryFile *file, const SdcHistoryFile *truth, int column, const uint32 *row,
			   const SdcHistoryKept *kept, const Results *results)
{
	const uint32 *different = kept->different;

	for (uint32 i = 0; i < truth->records; i++)
	{
		uint32		at = row[truth->person[i]];
		uint32		code = truth->code[column][i];
		uint32		candidates = 0;
		bool		inside = false;
		SdcInterval box;

		sdc_interrupts_step(i);
		if (at == SDC_RECORD_NONE || code == SDC_CODE_NULL || file->code[column][at] == SDC_CODE_NULL)
			continue;
		box = kept->inverse[file->code[column][at]];
		if (box.first <= box.last)
		{
			candidates = different[box.last + 1] - different[box.first];
			inside = code >= box.first && code <= box.last && different[code] < different[code + 1];
		}
		add_found(results->moving, candidates, inside);
		if (results->windows != NULL)
			add_found(results->windows, candidates, inside);
		candidates = inside ? candidates : 0;
		add_cells(&results->cells, i, candidates, candidates);
	}
}

/* look_at_release prepares that, and frees it again. */
static void
look_at_release(const SdcHistory *history, int release, int column, const SdcHistoryFile *truth,
				const Results *results)
{
	const SdcHistoryFile *file = &history->release[release];
	uint32	   *row = sdc_alloc_array(uint32, history->persons);
	SdcHistoryKept kept = {0};

	sdc_history_rows(history, file, row);
	(void) sdc_history_keep(history, release, column, &kept);
	attack_release(file, truth, column, row, &kept, results);
	sdc_history_kept_destroy(&kept);
	sdc_free(row);
}

/* sdc_movement_release: see movement.h. */
void
sdc_movement_release(const SdcHistoryFile *file, int column, const uint32 *row, const SdcHistoryKept *kept,
					 const SdcHistoryFile *truth, SdcMovement *moving, SdcMovement *windows)
{
	attack_release(file, truth, column, row, kept, &(Results) {moving, windows, {0}});
}

/* attack_records does it for several releases. */
static void
attack_records(Movement *movement, const SdcHistoryFile *truth, const Results *results)
{
	for (uint32 i = 0; i < truth->records; i++)
	{
		uint32		at = movement->row[truth->person[i]];
		uint32		code = truth->code[movement->column][i];
		uint32		moving;
		uint32		windows = 0;

		sdc_interrupts_step(i);
		if (at == SDC_RECORD_NONE || code == SDC_CODE_NULL || !has_value(movement, at))
			continue;
		moving = add_cell(movement, at, code, true, results->moving);
		if (results->windows != NULL)
			windows = add_cell(movement, at, code, false, results->windows);
		add_cells(&results->cells, i, moving, windows);
	}
}

/* sdc_movement_column: see movement.h. */
void
sdc_movement_column(const SdcHistory *history, SdcHistorySpan span, int column, const SdcHistoryFile *truth,
					SdcMovement *moving, SdcMovement *windows, SdcMovementCells cells)
{
	Movement	movement = {.history = history, .span = span, .column = column};
	Results		results = {moving, windows, cells};

	if (span.count == 1)
	{
		look_at_release(history, span.first, column, truth, &results);
		return;
	}
	movement.words = words_of(span.count);
	movement.codes = history->codes[column];
	movement.credit = SDC_INTERRUPT_STEPS;
	movement.value = sdc_alloc_array(uint32, (uint64) movement.codes + 1);
	number_values(&movement);
	make_levels(&movement);
	mark_records(&movement);
	attack_records(&movement, truth, &results);
	end(&movement);
}

/* sdc_movement_guesses: see movement.h. */
void
sdc_movement_guesses(const uint32 *candidates, uint32 records, double *guess)
{
	for (uint32 i = 0; i < records; i++)
	{
		sdc_interrupts_step(i);
		if (candidates[i] > 0)
			*guess += 1.0 / (double) candidates[i];
	}
}
