/*-------------------------------------------------------------------------
 *
 * recordrisk.h
 *		For every record, or unit of records, the attacks that link it.
 *
 * The attacks are those of people.h, but the choice at random: they see all that leaves.  A record counts as
 * linked by an attack when its own protected record is among those that the attack finds best.  The
 * candidates are what is left to choose from: for nearest and wide the records that it can have
 * become, for distance and agreement those that are equally good.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_MEASURE_RECORDRISK_H
#define SDC_MEASURE_RECORDRISK_H

#include "measure/attack/people.h"

/* There are at most so many attacks. */
#define SDC_RECORDRISK_ATTACKS SDC_PEOPLE_ATTACKS

/* How a record fares under the attacks. */
typedef struct SdcRecordRisk
{
	char	   *record;			/* its key */
	const char *attack[SDC_RECORDRISK_ATTACKS]; /* names of those that link it */
	int			count;
	uint32		fewest;			/* candidates of the best of them, 0: none links it */
	bool		certain;		/* the only candidate of some attack */
} SdcRecordRisk;

/* Called for every record that was attacked, in a context that is empty each time. */
typedef void (*SdcRecordRiskEmit) (void *arg, const SdcRecordRisk *risk);

/* sdc_recordrisk_measure runs all attacks, and passes on what they say of every record. */
extern void sdc_recordrisk_measure(const SdcEvaluation *evaluation, const SdcWholeRelease *whole,
								   SdcRecordRiskEmit emit, void *arg);

#endif							/* SDC_MEASURE_RECORDRISK_H */
