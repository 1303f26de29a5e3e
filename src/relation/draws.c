/*-------------------------------------------------------------------------
 *
 * draws.c
 *		Draws from the same records: their numbers, and what several tell.
 *
 * Every draw has a number of its own: a release that is made again from the same values, by the same seed and
 * parameters, is the same draw, and so is one that is continued.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "relation/draws.h"

/* How much of the error of one draw is left in the average of some: measured for rank swapping, census, p = 5. */
static const struct
{
	int			draws;
	int			percent;
}			left[] = {{30, 22}, {20, 26}, {10, 33}, {5, 45}, {2, 66}, {1, 100}};

/* sdc_draws_left: see draws.h. */
int
sdc_draws_left(int draws)
{
	int			i = 0;

	while (left[i].draws > Max(draws, 1))
		i++;
	return left[i].percent;
}

/* sdc_draws_new: see draws.h. */
uint64
sdc_draws_new(void)
{
	uint64		draw;

	do
	{
		if (!pg_strong_random(&draw, sizeof(draw)))
			ereport(ERROR,
					(errcode(ERRCODE_INTERNAL_ERROR),
					 errmsg("could not generate random bytes")));
	} while (draw == 0);
	return draw;
}
