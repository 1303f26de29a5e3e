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
 * sdc_movement_column attacks the values in a column of the people of a truth who are in the last release of a
 * span, and adds to moving what their movements leave; without them, windows alone, to windows, if it is not NULL.
 * seen and exposed, by record of the truth, are set where a value is attacked, and where its movements expose it; or
 * NULL.
 */
extern void sdc_movement_column(const SdcHistory *history, SdcHistorySpan span, int column,
								const SdcHistoryFile *truth, SdcMovement *moving,
								SdcMovement *windows, bool *seen, bool *exposed);

/* Bytes that it takes. */
extern uint64 sdc_movement_memory(uint32 records, uint32 persons, uint32 codes, int releases);

#endif							/* SDC_KERNEL_MOVEMENT_H */
