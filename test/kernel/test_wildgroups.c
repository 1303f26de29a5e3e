/*-------------------------------------------------------------------------
 *
 * test_wildgroups.c
 *		Tests of kernel/groups/wildgroups.c: all pairs of records.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include "kernel/groups/wildgroups.h"
#include "random.h"
#include "tap.h"

#define MOST_RECORDS 60
#define MOST_COLUMNS 5

/* all_pairs is the definition. */
static uint64
all_pairs(const SdcCodedFile *coded)
{
	uint64		least = 0;

	for (uint32 i = 0; i < coded->records; i++)
	{
		uint64		like = 0;

		for (uint32 l = 0; l < coded->records; l++)
		{
			bool		same = true;

			for (int j = 0; j < coded->attributes; j++)
			{
				uint32		a = coded->column[j].code[i];
				uint32		b = coded->column[j].code[l];

				if (a != b && a != SDC_CODE_NULL && b != SDC_CODE_NULL)
					same = false;
			}
			like += same;
		}
		if (i == 0 || like < least)
			least = like;
	}
	return least;
}

/* test_random compares the two on random tables. */
static void
test_random(void)
{
	for (int run = 0; run < 2000; run++)
	{
		uint32		code[MOST_COLUMNS][MOST_RECORDS];
		SdcCodedColumn column[MOST_COLUMNS];
		SdcCodedFile coded = {pick(MOST_RECORDS + 1), 1 + (int) pick(MOST_COLUMNS), column};
		uint32		values = 1 + pick(4);
		uint32		missing = pick(2) * (2 + pick(6));

		for (int j = 0; j < coded.attributes; j++)
		{
			column[j] = (SdcCodedColumn) {code[j], values};
			for (uint32 i = 0; i < coded.records; i++)
				code[j][i] = missing > 0 && pick(missing) == 0 ? SDC_CODE_NULL : pick(values);
		}
		CHECKF(sdc_wildgroups_least(&coded) == all_pairs(&coded), "run %d", run);
	}
}

int
main(void)
{
	RUN(test_random);
	return tap_done();
}
