/*-------------------------------------------------------------------------
 *
 * randomize.h
 *		Random anonymization: which attributes of a record change, and who donates.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_RANDOMIZE_H
#define SDC_KERNEL_RANDOMIZE_H

#include "kernel/base/kernel_env.h"
#include "kernel/base/stream.h"

/* The attributes that were drawn for each record: a set of bits. */
typedef struct SdcChoice
{
	uint32		records;
	int			attributes;
	Size		width;			/* bytes a record */
	uint8	   *bits;			/* bit j of record r: bits[r * width + j / 8] & (1 << j % 8) */
} SdcChoice;

static inline bool
sdc_choice_has(const SdcChoice *choice, uint32 record, int attribute)
{
	return (choice->bits[record * choice->width + attribute / 8] >> (attribute % 8)) & 1;
}

/* Bytes of a choice. */
extern uint64 sdc_choice_memory(uint32 records, int attributes);

/* sdc_choice_create makes one whose bits are for the caller to set. */
extern SdcChoice *sdc_choice_create(uint32 records, int attributes);

/*
 * sdc_choice_single draws one attribute for every record in record order (RA 1), attribute i with
 * probability[i]; they sum to 1 up to rounding, and one of 0 is never drawn.
 */
extern SdcChoice *sdc_choice_single(SdcStream *stream, uint32 records, const double *probability,
									int attributes);

/* sdc_choice_subset draws k distinct attributes for every record, uniformly (RA 2). */
extern SdcChoice *sdc_choice_subset(SdcStream *stream, uint32 records, int attributes, int k);

/*
 * sdc_choice_each draws one attribute of every record with a probability, by itself (PRAM), in record order; the
 * others stay as they are.
 */
extern void sdc_choice_each(SdcStream *stream, SdcChoice *choice, int attribute, double probability);
extern void sdc_choice_destroy(SdcChoice *choice);

/*
 * sdc_randomize_donors draws, in the order of member[], a donor uniformly from member[0 .. count - 1] for
 * every member of which the attribute was chosen, and writes it to donor[member]; the others
 * donate to themselves.  member[] has the records of one stratum that have a value, ascending; NULL: all
 * records 0 .. count - 1.
 */
extern void sdc_randomize_donors(SdcStream *stream, const SdcChoice *choice, int attribute,
								 const uint32 *member, uint32 count, uint32 *donor);

#endif							/* SDC_KERNEL_RANDOMIZE_H */
