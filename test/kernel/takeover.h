/*-------------------------------------------------------------------------
 *
 * takeover.h
 *		A column of last night taken over to tonight's records, by way of the state that is kept in between.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_TEST_TAKEOVER_H
#define SDC_TEST_TAKEOVER_H

#include "kernel/rank/continued.h"
#include "tap.h"

/* take_over packs the mates of a column, and unpacks them by tonight's numbers; what cells have besides follows. */
static void
take_over(const SdcContinued *before, const uint32 *number, SdcContinued *column)
{
	uint32	   *word = sdc_alloc_array(uint32, before->records + 1);
	SdcContinuedPacked packed = {.members = before->records, .word = word};
	uint32		pairs = 0;

	memcpy(word, before->mate, before->records * sizeof(uint32));
	packed.count = sdc_continued_pack(word, before->records);
	for (uint32 r = 0; r < before->records; r++)
		pairs += sdc_continued_paired(before->mate[r]);
	CHECK(packed.count == before->records - pairs / 2);
	CHECK(sdc_continued_unpack(&packed, number, column));
	for (uint32 r = 0; r < before->records; r++)
	{
		if (number[r] != SDC_CONTINUED_NOBODY && (before->flags[r] != 0 || before->redrawn[r] != 0))
			CHECK(sdc_continued_mark(column, number[r], before->flags[r], before->redrawn[r]));
	}
	sdc_free(word);
}

#endif							/* SDC_TEST_TAKEOVER_H */
