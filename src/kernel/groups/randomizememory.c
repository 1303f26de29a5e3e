/*-------------------------------------------------------------------------
 *
 * randomizememory.c
 *		Random anonymization that is published again: what was drawn for a record stays.
 *
 * A fresh draw every night averages out: the value that a record has most often is its own.  An answer that is
 * given once and for ever tells no more in the thirtieth release than in the first: the permanent randomized
 * response of U. Erlingsson, V. Pihur, A. Korolova, "RAPPOR: randomized aggregatable
 * privacy-preserving ordinal response", CCS 2014, section 2.  Which attributes were drawn is never drawn
 * again, or those that stay the same would be known to be true; that a changed original draws a donor for
 * itself alone is ours.
 *
 * How words are drawn from the stream: those of sdc_randomize_donors, for fewer members.  Time O(records) for the
 * choice, and for each attribute.  Determined by the stream and the arguments.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include "kernel/groups/randomizememory.h"

/* sdc_choice_continue: see randomizememory.h. */
SdcChoice *
sdc_choice_continue(const SdcChoice *before, const SdcChoice *newcomers, const uint32 *member,
					   uint32 records, int attributes)
{
	SdcChoice  *choice = sdc_choice_create(records, attributes);
	uint32		next = 0;

	for (uint32 r = 0; r < records; r++)
	{
		const SdcChoice *from = member[r] == SDC_RANDOMIZE_NEW ? newcomers : before;
		uint32		row = member[r] == SDC_RANDOMIZE_NEW ? next++ : member[r];

		sdc_interrupts_step(r);
		SDC_ASSERT(from->attributes == attributes && row < from->records);
		memcpy(choice->bits + r * choice->width, from->bits + row * from->width, choice->width);
	}
	SDC_ASSERT(next == (newcomers == NULL ? 0 : newcomers->records));
	return choice;
}

/* sdc_randomize_continue: see randomizememory.h. */
uint32
sdc_randomize_continue(SdcStream *stream, const SdcChoice *choice, int attribute, const uint32 *member,
					uint32 count, const bool *keeps, uint32 *donor)
{
	uint32		drawn = 0;

	SDC_ASSERT(attribute >= 0 && attribute < choice->attributes);
	for (uint32 i = 0; i < count; i++)
	{
		uint32		record = member != NULL ? member[i] : i;

		sdc_interrupts_step(i);
		SDC_ASSERT(record < choice->records);
		donor[record] = record;
		if (keeps[record] || !sdc_choice_has(choice, record, attribute))
			continue;
		donor[record] = sdc_stream_below(stream, count);
		if (member != NULL)
			donor[record] = member[donor[record]];
		drawn++;
	}
	return drawn;
}
