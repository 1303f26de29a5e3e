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

#include <math.h>

#include "relation/frame/draws.h"

/* How much of the error of one draw is left in the average of some: measured for rank swapping, census, p = 5. */
static const struct
{
	int			draws;
	double		percent;
}			left[] = {{1, 100}, {2, 66}, {5, 45}, {10, 33}, {20, 26}, {30, 22}};

/*
 * sdc_draws_left: between two that were measured the share falls with the logarithm of the draws; behind the last one
 * it stays.
 */
int
sdc_draws_left(int draws)
{
	int			i = 1;
	double		part;

	draws = Min(Max(draws, left[0].draws), left[lengthof(left) - 1].draws);
	while (left[i].draws < draws)
		i++;
	part = log((double) draws / left[i - 1].draws) / log((double) left[i].draws / left[i - 1].draws);
	return (int) rint(left[i - 1].percent + part * (left[i].percent - left[i - 1].percent));
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
