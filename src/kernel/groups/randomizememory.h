/*-------------------------------------------------------------------------
 *
 * randomizememory.h
 *		Random anonymization that is published again: what was drawn for a record stays.
 *
 * Records are those of tonight.  member[r] is the number that record r had the night before, or
 * SDC_RANDOMIZE_NEW.  A night:
 *
 *	1. newcomers draw their attributes	sdc_choice_single or sdc_choice_subset, for as many records
 *	2. sdc_choice_continue				the others keep theirs, for ever
 *	3. sdc_randomize_continue			for every attribute and stratum: donors of newcomers and of those
 *										whose original value has changed; the others keep what they have
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_RANDOMIZEMEMORY_H
#define SDC_KERNEL_RANDOMIZEMEMORY_H

#include "kernel/base/kernel_env.h"
#include "kernel/base/stream.h"
#include "kernel/groups/randomize.h"

#define SDC_RANDOMIZE_NEW UINT32_MAX

/*
 * sdc_choice_continue gives every record the attributes that were drawn for it: those of before for a member,
 * the next ones of newcomers, which is as long as there are newcomers, for the others.  There may be no
 * member, or no newcomer; then before or newcomers may be NULL.
 */
extern SdcChoice *sdc_choice_continue(const SdcChoice *before, const SdcChoice *newcomers,
									  const uint32 *member, uint32 records, int attributes);

/*
 * sdc_randomize_continue draws, in the order of member[], a donor from member[0 .. count - 1] for every
 * member of which the attribute was chosen and that is not to keep its replacement: keeps[record].  The others
 * donate to themselves.  member[] is as in sdc_randomize_donors; where nobody keeps anything the
 * draws are the same.  It returns how many were drawn.
 */
extern uint32 sdc_randomize_continue(SdcStream *stream, const SdcChoice *choice, int attribute,
									 const uint32 *member, uint32 count, const bool *keeps, uint32 *donor);

#endif							/* SDC_KERNEL_RANDOMIZEMEMORY_H */
