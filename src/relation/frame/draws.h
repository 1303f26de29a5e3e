/*-------------------------------------------------------------------------
 *
 * draws.h
 *		Draws from the same records: their numbers, and what several tell.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_RELATION_DRAWS_H
#define SDC_RELATION_DRAWS_H

/* sdc_draws_new returns the number of a new draw. */
extern uint64 sdc_draws_new(void);

/* sdc_draws_left returns about how many percent of the error of one draw the average of so many has. */
extern int	sdc_draws_left(int draws);

#endif							/* SDC_RELATION_DRAWS_H */
