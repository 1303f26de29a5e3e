/*-------------------------------------------------------------------------
 *
 * boxes.h
 *		Number the distinct vectors of whole numbers that records have.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_BOXES_H
#define SDC_KERNEL_BOXES_H

#include "kernel/base/kernel_env.h"

typedef struct SdcBoxes SdcBoxes;

/* sdc_boxes_memory is what numbering takes, until sdc_boxes_destroy. */
extern uint64 sdc_boxes_memory(uint32 records);

/* sdc_boxes_create makes vectors without components. */
extern SdcBoxes *sdc_boxes_create(uint32 records);
extern void sdc_boxes_destroy(SdcBoxes *boxes);

/*
 * A component is added in two steps: its numbers are written to sdc_boxes_column, by record, and
 * sdc_boxes_add, which is told what they are at most, appends them to the vectors.
 */
extern uint64 *sdc_boxes_column(SdcBoxes *boxes);
extern void sdc_boxes_add(SdcBoxes *boxes, uint64 most);

/*
 * sdc_boxes_number numbers the distinct vectors in lexicographic order, from first on, and returns how
 * many there are.  The number of vector i goes to number[record[i]], or number[i] with record NULL.
 */
extern uint32 sdc_boxes_number(SdcBoxes *boxes, const uint32 *record, uint32 first,
							   uint32 *number);

#endif							/* SDC_KERNEL_BOXES_H */
