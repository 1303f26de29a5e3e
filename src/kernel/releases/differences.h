/*-------------------------------------------------------------------------
 *
 * differences.h
 *		What the difference of two releases tells of those who came and those who went.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_DIFFERENCES_H
#define SDC_KERNEL_DIFFERENCES_H

#include "kernel/releases/history.h"

/*
 * One side: a release, what the intruder looks for there, and what the other release does not have.  Of newcomers
 * it is the second release, its source, and what the first lacks; of those who went the other way round.
 */
typedef struct SdcDifferenceSide
{
	const SdcHistory *history;
	int			release;		/* that has the people who are looked for */
	int			other;			/* that has them not */
	const SdcHistoryFile *truth;	/* of that release */
	bool		linkable;		/* rows can be followed by a key */
} SdcDifferenceSide;

typedef struct SdcDifference
{
	uint64		appeared;		/* values that the other release does not have as often */
	uint64		cells;
	uint64		exposed;
	double		guess;
	uint64		holders;		/* of values that appeared and that one record has */
	uint64		partners_exposed;
	double		partners_guess;
} SdcDifference;

/*
 * sdc_difference_column finds what a column tells of the people who are looked for.  Of each of them who has a
 * value in it, by record of the truth, it multiplies guess by that of the value, clears exposed if that is not
 * exposed, and sets known.
 */
extern void sdc_difference_column(const SdcDifferenceSide *side, int column, double *guess,
								  bool *exposed, bool *known, SdcDifference *result);

/*
 * sdc_difference_exposed sets exposed, by record of a truth, where a value of a newcomer or of a partner is exposed;
 * that truth is the one that the side has.
 */
extern void sdc_difference_exposed(const SdcDifferenceSide *side, int column, bool *exposed);

/* sdc_difference_appeared counts the values of a column that a release has more often than another. */
extern uint64 sdc_difference_appeared(const SdcHistory *history, int release, int other, int column);

#endif							/* SDC_KERNEL_DIFFERENCES_H */
