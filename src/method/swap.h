/*-------------------------------------------------------------------------
 *
 * swap.h
 *		Protecting a column by a method that swaps sorted positions.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_METHOD_SWAP_H
#define SDC_METHOD_SWAP_H

#include "kernel/rank/rankswap.h"
#include "method/step.h"
#include "relation/column/ordering.h"

/*
 * A method that swaps sorted positions of one attribute in one stratum: the
 * kernel to run, and the parameters it is given.
 */
typedef struct SdcSwapMethod
{
	const char *name;			/* as in SdcMethodStep */
	void		(*run) (const SdcSwapRun *run, const void *parameters);
	/* the same for a lot of some positions, and beyond how many positions a pair of so many is far */
	void		(*run_lot) (const SdcSwapRun *run, const SdcSwapLot *lot, const void *parameters);
	uint32		(*window) (uint32 positions, const void *parameters);
	double		percent;		/* how far a value moves, of all positions: exactly, or about; set by who gets it */
	const void *parameters;
} SdcSwapMethod;

/*
 * sdc_swap_column returns a new column of the same spool with the values swapped,
 * and counts the records whose value differs from before.  The choice between
 * memory and temporary files does not show in the result.
 */
extern SdcColumn *sdc_swap_column(const SdcOrderingTask *task, SdcSpool *spool,
								  const SdcSwapMethod *method, uint64 *changed);

/* The in-memory path by itself, and the bytes that it takes at its peak. */
extern SdcColumn *sdc_swap_in_memory(const SdcOrderingTask *task, SdcSpool *spool,
									 const SdcSwapMethod *method, uint64 *changed);
extern uint64 sdc_swap_memory(const SdcOrderingTask *task);

/* sdc_swap_by_units does so, and counts the records that swap with another one of their unit, unless unit is NULL. */
extern SdcColumn *sdc_swap_by_units(const SdcOrderingTask *task, SdcSpool *spool, const SdcSwapMethod *method,
									const uint32 *unit, uint64 *changed, uint64 *within);

/*
 * sdc_swap_donors orders a column, whose values may be loaded, and returns the record that each one swaps with, itself
 * where it swaps with none.  Order and donors are in the task's arena, which has room for them.
 */
extern uint32 *sdc_swap_donors(const SdcOrderingTask *task, const Datum *values, const SdcSwapMethod *method,
							   SdcOrdering **ordering);
extern uint64 sdc_swap_donors_memory(const SdcOrderingTask *task);

#endif							/* SDC_METHOD_SWAP_H */
