/*-------------------------------------------------------------------------
 *
 * agreeing.h
 *		Candidates of originals in a bucket whose records were randomized.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_AGREEING_H
#define SDC_KERNEL_AGREEING_H

#include "kernel/candidates/codemaps.h"
#include "kernel/candidates/conditions.h"

/* What a search finds. */
typedef struct SdcCandidatesFound
{
	uint64		candidates;
	double		likelihood;		/* the highest; 0 without randomization */
	double		measure;		/* the least of those, which is of the space */
	uint32		ties;			/* the best of them */
	uint32		linked;			/* the first of these, or none */
} SdcCandidatesFound;

typedef struct SdcAgreeing SdcAgreeing;

extern SdcAgreeing *sdc_agreeing_create(SdcConditions *conditions, uint32 bucket);
extern void sdc_agreeing_destroy(SdcAgreeing *agreeing);

/*
 * sdc_agreeing_find finds the candidates of an original; point are its coordinates.  The
 * likelihood of the conditions has taken it; hint is that of a candidate, or -INFINITY.
 */
extern void sdc_agreeing_find(SdcAgreeing *agreeing, uint32 original, const double *point,
							  double hint, SdcCandidatesFound *found);

/*
 * sdc_agreeing_mask is the bitmap of the candidates of the bucket, by place in it, until the next question; NULL: the
 * bucket is small.  Records with blanks are not among them.
 */
extern const uint64 *sdc_agreeing_mask(SdcAgreeing *agreeing, uint32 original);

/* sdc_agreeing_list writes the candidates, and returns how many there are. */
extern uint32 sdc_agreeing_list(SdcAgreeing *agreeing, uint32 original, uint32 *record);

#endif							/* SDC_KERNEL_AGREEING_H */
