/*-------------------------------------------------------------------------
 *
 * windowguess.h
 *		What the candidates inside windows tell of a value, without a list of them.
 *
 * For the files of this room only.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_WINDOWGUESS_H
#define SDC_KERNEL_WINDOWGUESS_H

#include "kernel/candidates/conditions.h"

typedef struct SdcWindowGuess SdcWindowGuess;

/* sdc_windowguess_create: windows must be conditions, nothing randomized, and buckets one cell. */
extern SdcWindowGuess *sdc_windowguess_create(SdcConditions *conditions,
											  const SdcCandidatesTarget *target);
extern void sdc_windowguess_destroy(SdcWindowGuess *guesser);

/*
 * sdc_windowguess_run guesses the values of originals of a bucket, with equal ones one after the other:
 * number i is index[i], or record[index[i]] if record is not NULL, and gets guess[index[i]].
 * It returns false, and has done nothing, if listing the candidates is quicker.
 */
extern bool sdc_windowguess_run(SdcWindowGuess *guesser, const uint32 *record, const uint32 *index,
								uint32 count, SdcCandidatesGuess *guess);

#endif							/* SDC_KERNEL_WINDOWGUESS_H */
