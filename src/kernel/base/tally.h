/*-------------------------------------------------------------------------
 *
 * tally.h
 *		Distinct strings of bytes and how often each occurs, in one piece of memory.
 *
 * A tally has a label, to which its owner gives a meaning: only tallies with the same label are
 * about the same things.  It has no pointers: its bytes can be copied, kept, and sent to another
 * machine of the same architecture.  It must be aligned to 8 bytes.
 *
 * Open, it has a hash table and room to grow; packed, it has neither, and its strings are in their
 * order: what was counted determines its bytes.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_TALLY_H
#define SDC_KERNEL_TALLY_H

#include "kernel/base/kernel_env.h"

typedef struct SdcTally SdcTally;

/* How large an open tally is to be. */
typedef struct SdcTallyShape
{
	Size		size;			/* of the whole; 0: it would be larger than allowed */
	uint64		slots;
	uint64		room;
} SdcTallyShape;

/* How adding to a tally ends. */
typedef enum SdcTallyResult
{
	SDC_TALLY_ADDED,
	SDC_TALLY_FULL,				/* nothing was added: make it larger */
	SDC_TALLY_OVERFLOW,			/* nothing was added: more than 2^63 - 1 in all */
	SDC_TALLY_BROKEN			/* somebody has changed its bytes */
} SdcTallyResult;

/* A string of a tally, where it lies there. */
typedef struct SdcTallyEntry
{
	const void *bytes;			/* aligned to 8 bytes */
	uint32		length;
	uint64		count;
} SdcTallyEntry;

/* sdc_tally_shape is the shape of an open tally for some strings of so many bytes each. */
extern void sdc_tally_shape(uint32 label_length, uint64 values, uint64 length, Size limit,
							SdcTallyShape *shape);

/*
 * sdc_tally_grown is the shape that a tally should get when it is too full for a string of so many
 * bytes: about twice what it has, or as much as limit bytes allow.
 */
extern void sdc_tally_grown(const SdcTally *tally, uint32 length, Size limit,
							SdcTallyShape *shape);

/* sdc_tally_init makes a tally without strings in memory of the shape's size that is all 0. */
extern void sdc_tally_init(SdcTally *tally, const SdcTallyShape *shape, const void *label,
						   uint32 label_length);

/*
 * sdc_tally_usable tells in constant time whether bytes can be worked with: whatever they are, no
 * function here then reads or writes outside of them.  sdc_tally_valid looks at all of them.
 */
extern bool sdc_tally_usable(const SdcTally *tally, Size size);
extern bool sdc_tally_valid(const SdcTally *tally, Size size);

extern bool sdc_tally_is_packed(const SdcTally *tally);
extern uint64 sdc_tally_values(const SdcTally *tally);
extern const void *sdc_tally_label(const SdcTally *tally, uint32 *length);

/* sdc_tally_add counts a string; a packed tally is always full. */
extern SdcTallyResult sdc_tally_add(SdcTally *tally, const void *bytes, uint32 length,
									uint64 count);

/*
 * sdc_tally_move puts everything of an open tally into a new one with the same label that is not
 * smaller; false: it is broken.
 */
extern bool sdc_tally_move(const SdcTally *from, SdcTally *to);

/* sdc_tally_next goes through the strings; *place is 0 at first; false: there are no more. */
extern bool sdc_tally_next(const SdcTally *tally, uint64 *place, SdcTallyEntry *entry);

/* sdc_tally_pack writes the packed form of a valid tally into memory of its size that is all 0. */
extern Size sdc_tally_packed_size(const SdcTally *tally);
extern void sdc_tally_pack(const SdcTally *tally, SdcTally *packed);

#ifdef SDC_CHECKS
/* sdc_tally_check looks at the table too, which sdc_tally_valid does not. */
extern bool sdc_tally_check(const SdcTally *tally);
#endif

#endif							/* SDC_KERNEL_TALLY_H */
