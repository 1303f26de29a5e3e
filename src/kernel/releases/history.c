/*-------------------------------------------------------------------------
 *
 * history.c
 *		Several releases of a table, and what the records of the last one were in all of them.
 *
 * The ends of windows rise with the value that the window is of (rankwindow.c).  So the values that have a
 * certain one in their window are next to each other, and those that have what a record was in every release in
 * theirs are, too: however many releases there are, all that windows tell of a record is one interval for
 * every column.
 *
 * Definitions are ours.  Averaging over independent releases is old; intersection over several is S. R. Ganta,
 * S. P. Kasiviswanathan, A. Smith, "Composition attacks and auxiliary information in data privacy", KDD 2008.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include "kernel/releases/history.h"

static const SdcInterval nothing = {1, 0};

/* sdc_history_memory: see history.h. */
uint64
sdc_history_memory(uint32 records, uint32 codes)
{
	return (uint64) records * sizeof(uint32) +
		((uint64) codes + 1) * (2 * sizeof(SdcInterval) + 2 * sizeof(uint32));
}

/* sdc_history_rows: see history.h. */
void
sdc_history_rows(const SdcHistory *history, const SdcHistoryFile *file, uint32 *row)
{
	memset(row, 0xFF, (Size) history->persons * sizeof(uint32));	/* SDC_RECORD_NONE */
	for (uint32 i = 0; i < file->records; i++)
	{
		sdc_interrupts_step(i);
		row[file->person[i]] = i;
	}
}

/* sdc_history_inverse: see history.h. */
void
sdc_history_inverse(const SdcPositions *positions, uint32 width, SdcInterval *inverse)
{
	uint32		codes = positions->codes;
	SdcInterval *window;
	uint32		first = 0;
	uint32		last = 0;

	if (width == 0 || positions->count == 0)
	{
		for (uint32 c = 0; c < codes; c++)
			inverse[c] = positions->count == 0 ? nothing : (SdcInterval) {c, c};
		return;
	}
	window = sdc_alloc_array(SdcInterval, codes);
	sdc_rankwindow_intervals(positions, width, window);
	for (uint32 c = 0, steps = 0; c < codes; c++)
	{
		sdc_interrupts_step(c);
		/* the first code whose window does not end before c, and the last whose does not begin behind */
		for (; first < codes && window[first].last < c; first++)
			sdc_interrupts_step(steps++);
		for (; last < codes && window[last].first <= c; last++)
			sdc_interrupts_step(steps++);
		inverse[c] = first < last ? (SdcInterval) {first, last - 1} : nothing;
	}
	sdc_free(window);
}

/* narrow leaves of a box what an interval has in common with it. */
static void
narrow(SdcInterval *box, const SdcInterval *with)
{
	if (with->first > box->first)
		box->first = with->first;
	if (with->last < box->last)
		box->last = with->last;
}

/* add_release adds one release to what is known of the records. */
static void
add_release(const SdcHistory *history, int t, int column, const uint32 *row,
			SdcHistoryColumn *result, uint32 *count, const SdcPositions *positions,
			const SdcInterval *inverse)
{
	const SdcHistoryFile *file = &history->release[t];

	for (uint32 i = 0; i < file->records; i++)
	{
		uint32		code = file->code[column][i];
		uint32		at = row[file->person[i]];
		SdcInterval *box;

		sdc_interrupts_step(i);
		if (at == SDC_RECORD_NONE)
			continue;
		box = &result->box[(uint64) at * (uint64) result->stride];
		if (code == SDC_CODE_NULL)
		{
			if (result->strict)
				*box = nothing;
			continue;
		}
		narrow(box, &inverse[code]);
		if (result->mean == NULL)
			continue;
		result->mean[(uint64) at * (uint64) result->stride] += sdc_history_percent(positions, code);
		count[at]++;
	}
}

/* begin_column sets what is known before a release was seen. */
static void
begin_column(const SdcHistory *history, const SdcHistoryFile *last, int column,
			 SdcHistoryColumn *result)
{
	for (uint32 i = 0; i < last->records; i++)
	{
		uint64		at = (uint64) i * (uint64) result->stride;

		sdc_interrupts_step(i);
		result->box[at] = history->codes[column] == 0 ? nothing :
			(SdcInterval) {0, history->codes[column] - 1};
		if (result->mean != NULL)
			result->mean[at] = 0;
	}
	if (result->percent != NULL)
		for (uint32 c = 0; c < history->codes[column]; c++)
			result->percent[c] = 0;
}

/* end_column makes means of sums; used: releases that have values in the column. */
static void
end_column(const SdcHistory *history, const SdcHistoryFile *last, int column,
		   SdcHistoryColumn *result, const uint32 *count, int used)
{
	for (uint32 i = 0; i < last->records && result->mean != NULL; i++)
	{
		double	   *mean = &result->mean[(uint64) i * (uint64) result->stride];

		sdc_interrupts_step(i);
		*mean = count[i] == 0 ? SDC_HISTORY_MISSING : *mean / count[i];
	}
	for (uint32 c = 0; c < history->codes[column] && result->percent != NULL; c++)
		result->percent[c] = used == 0 ? SDC_HISTORY_MISSING : result->percent[c] / used;
}

/* sdc_history_column: see history.h. */
void
sdc_history_column(const SdcHistory *history, SdcHistorySpan span, int column,
				   const uint32 *row, SdcHistoryColumn *result)
{
	const SdcHistoryFile *last = &history->release[span.first + span.count - 1];
	uint32		codes = history->codes[column];
	uint32	   *count = sdc_alloc_zeros(uint32, last->records);
	SdcInterval *inverse = sdc_alloc_array(SdcInterval, codes);
	int			used = 0;

	begin_column(history, last, column, result);
	for (int t = span.first; t < span.first + span.count; t++)
	{
		const SdcHistoryFile *file = &history->release[t];
		SdcPositions positions;

		sdc_positions_create(&positions, file->code[column], file->records, codes);
		sdc_history_inverse(&positions, history->width[t][column], inverse);
		add_release(history, t, column, row, result, count, &positions, inverse);
		used += positions.count > 0;
		for (uint32 c = 0; c < codes && positions.count > 0 && result->percent != NULL; c++)
			result->percent[c] += sdc_history_percent(&positions, c);
		sdc_positions_destroy(&positions);
	}
	end_column(history, last, column, result, count, used);
	sdc_free(inverse);
	sdc_free(count);
}

/* sdc_history_kept_memory: see history.h. */
uint64
sdc_history_kept_memory(uint32 codes)
{
	return ((uint64) codes + 1) * (2 * sizeof(uint32) + sizeof(SdcInterval) + sizeof(double));
}

/* sdc_history_keep: see history.h. */
bool
sdc_history_keep(const SdcHistory *history, int release, int column, SdcHistoryKept *kept)
{
	const SdcHistoryFile *file = &history->release[release];
	uint32		codes = history->codes[column];
	uint32		width = history->width[release][column];
	SdcPositions positions;

	sdc_positions_create(&positions, file->code[column], file->records, codes);
	if (kept->below != NULL && kept->width == width &&
		memcmp(kept->below, positions.below, sizeof(uint32) * ((Size) codes + 1)) == 0)
	{
		sdc_positions_destroy(&positions);
		return false;
	}
	if (kept->below != NULL)
		sdc_free(kept->below);
	else
	{
		kept->inverse = sdc_alloc_array(SdcInterval, codes);
		kept->percent = sdc_alloc_array(double, codes);
		kept->different = sdc_alloc_array(uint32, (uint64) codes + 1);
	}
	kept->below = positions.below;
	kept->width = width;
	sdc_history_inverse(&positions, width, kept->inverse);
	kept->different[0] = 0;
	for (uint32 c = 0; c < codes; c++)
	{
		sdc_interrupts_step(c);
		kept->different[c + 1] = kept->different[c] + (kept->below[c] < kept->below[c + 1]);
		kept->percent[c] = positions.count == 0 ? SDC_HISTORY_MISSING : sdc_history_percent(&positions, c);
	}
	return true;
}

/* sdc_history_kept_destroy frees what is kept. */
void
sdc_history_kept_destroy(SdcHistoryKept *kept)
{
	if (kept->below == NULL)
		return;
	sdc_free(kept->below);
	sdc_free(kept->inverse);
	sdc_free(kept->percent);
	sdc_free(kept->different);
	kept->below = NULL;
}

/* sdc_history_single: see history.h. */
void
sdc_history_single(const SdcHistory *history, int release, int column, const SdcHistoryKept *kept,
				   SdcHistoryColumn *result)
{
	const SdcHistoryFile *file = &history->release[release];

	for (uint32 i = 0; i < file->records; i++)
	{
		uint64		at = (uint64) i * (uint64) result->stride;
		uint32		code = file->code[column][i];

		sdc_interrupts_step(i);
		if (code != SDC_CODE_NULL)
			result->box[at] = kept->inverse[code];
		else
			result->box[at] = result->strict || history->codes[column] == 0 ? nothing :
				(SdcInterval) {0, history->codes[column] - 1};
		if (result->mean != NULL)
			result->mean[at] = code == SDC_CODE_NULL ? SDC_HISTORY_MISSING : kept->percent[code];
	}
}
