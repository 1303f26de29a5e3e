/*-------------------------------------------------------------------------
 *
 * movement.h
 *		What an intruder learns of single values when he sees which move between releases, and when.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_MOVEMENT_H
#define SDC_KERNEL_MOVEMENT_H

#include "kernel/releases/history.h"

/* Sums over the values that are attacked. */
typedef struct SdcMovement
{
	uint64		cells;
	uint64		candidates;
	uint64		inside;			/* the right value is one */
	uint64		exposed;		/* nothing else is */
	double		guess;			/* 1 / candidates, where it is inside */
} SdcMovement;

/*
 * What is told of single values, by record of the truth; NULL: that is not wanted.  Where no value is attacked it is
 * left as it was.
 */
typedef struct SdcMovementCells
{
	bool	   *seen;			/* set where a value is attacked, */
	bool	   *exposed;		/* and where its movements expose it */
	uint32	   *moving;			/* how many values its movements leave, 0 if the right one is not among them; */
	uint32	   *windows;		/* and windows alone */
} SdcMovementCells;

/*
 * sdc_movement_column attacks the values in a column of the people of a truth who are in the last release of a
 * span, and adds to moving what their movements leave; without them, windows alone, to windows, if it is not NULL.
 */
extern void sdc_movement_column(const SdcHistory *history, SdcHistorySpan span, int column,
								const SdcHistoryFile *truth, SdcMovement *moving,
								SdcMovement *windows, SdcMovementCells cells);

/* sdc_movement_release does it for a single release, with the rows of people there and what is kept of the column. */
extern void sdc_movement_release(const SdcHistoryFile *file, int column, const uint32 *row,
								 const SdcHistoryKept *kept, const SdcHistoryFile *truth,
								 SdcMovement *moving, SdcMovement *windows);

/*
 * sdc_movement_guesses adds 1 / candidates of each cell that has some to a guess: who adds those of one column after
 * the other has the sum that attacks on these columns would have, whoever they were done by.
 */
extern void sdc_movement_guesses(const uint32 *candidates, uint32 records, double *guess);

/* Bytes that it takes. */
extern uint64 sdc_movement_memory(uint32 records, uint32 persons, uint32 codes, int releases);

#endif							/* SDC_KERNEL_MOVEMENT_H */
