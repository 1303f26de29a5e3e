/*-------------------------------------------------------------------------
 *
 * blanks.h
 *		Which protected records with blanks can be those of an original.
 *
 * For the files of this room only.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_BLANKS_H
#define SDC_KERNEL_BLANKS_H

#include "kernel/candidates/conditions.h"

/*
 * sdc_blanks_number numbers the records with blanks, which have the number of their bucket: those that are alike in
 * everything get the same number, from 0 on.  It returns how many numbers there are.
 */
extern uint32 sdc_blanks_number(SdcConditions *conditions, const uint32 *bucket, uint32 *number);

/* sdc_blanks_create is for conditions that are complete but for it. */
extern SdcBlanks *sdc_blanks_create(SdcConditions *conditions);
extern void sdc_blanks_destroy(SdcBlanks *blanks);

/* sdc_blanks_cells is how many cells records with blanks have; 0 for NULL. */
extern uint32 sdc_blanks_cells(const SdcBlanks *blanks);

/*
 * sdc_blanks_find returns how many cells have records that are compatible with an original, and where they are,
 * until the next question.  Where there is randomization its likelihood decides besides.
 */
extern uint32 sdc_blanks_find(SdcBlanks *blanks, uint32 original, const uint32 **cell);

/* sdc_blanks_fit tells whether a record with blanks is compatible, but for randomization. */
extern bool sdc_blanks_fit(const SdcBlanks *blanks, uint32 original, uint32 record);

#endif							/* SDC_KERNEL_BLANKS_H */
