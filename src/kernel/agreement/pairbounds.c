/*-------------------------------------------------------------------------
 *
 * pairbounds.c
 *		Which pairs of an original can have a high sum of weights?
 *
 * What agreeing in an attribute adds to the sum is rounded to whole units, so many that the largest sum of units is a
 * byte.  The protected records lie in blocks, in each of them attribute after attribute, so that
 * an original is compared with a vector of them at once, and the units of all that agree are added.  The
 * bound is the sum of the units, and what rounding may have taken from it.
 *
 * Where disagreeing weighs more than agreeing the units are taken away, from a sum that begins with them: bytes wrap
 * around, and in the end the sum is one of 0 .. 255 again.  In wide attributes equal bytes may be different codes:
 * there the larger weight always counts, if it is that of disagreeing.
 *
 * Work: 4 instructions for a vector of records and an attribute.  Deterministic.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include <math.h>

#include "kernel/agreement/pairbounds.h"

/* Protected records of a vector and of a block: the sums of the vectors of a block are in registers together. */
#define VECTOR 16
#define VECTORS 4
#define BLOCK (VECTORS * VECTOR)

/* Vectors are read and written by memcpy: arrays are aligned to 8 bytes only. */
typedef uint8 Bytes __attribute__((vector_size(VECTOR)));

/* Sums are lower than this, so that rounding half a unit of all attributes up stays below 256. */
#define UNITS (255 - SDC_AGREEMENT_ATTRIBUTES / 2)

/* What is lost where sums of doubles are compared with others that were added up in another order. */
#define ROUNDING 1e-9

struct SdcPairBounds
{
	/* set once */
	SdcAgreementRows rows;
	uint32		blocks;
	uint8	   *code;			/* of the protected records: by block, attribute, record */

	/* of the weights */
	int			attributes;
	double		low;			/* the sum that has no units, with what rounding may have taken */
	double		unit;
	uint8		start;			/* units that an attribute with less weight where it agrees begins with */
	uint8		units[SDC_AGREEMENT_ATTRIBUTES];	/* that agreeing adds */

	/* of an original */
	uint8	   *sum;			/* by protected record, to the end of the last block */
};

/* blocks_of is the number of blocks of so many records. */
static inline uint32
blocks_of(uint32 records)
{
	return records / BLOCK + (records % BLOCK > 0);
}

/* sdc_pairbounds_create: see pairbounds.h. */
SdcPairBounds *
sdc_pairbounds_create(const SdcAgreement *agreement)
{
	SdcPairBounds *bounds = sdc_alloc(sizeof(SdcPairBounds));
	Size		attributes;
	Size		width;

	memset(bounds, 0, sizeof(SdcPairBounds));
	bounds->rows = sdc_agreement_rows(agreement);
	attributes = (Size) bounds->rows.attributes;
	width = attributes * BLOCK;
	bounds->blocks = blocks_of(bounds->rows.records);
	bounds->code = sdc_alloc_matrix(uint8, bounds->blocks, width);
	bounds->sum = sdc_alloc_matrix(uint8, bounds->blocks, BLOCK);
	for (uint32 y = 0; y < bounds->blocks * BLOCK; y++)
	{
		uint8	   *code = bounds->code + y / BLOCK * width + y % BLOCK;
		const uint8 *row = bounds->rows.protected + y * (Size) bounds->rows.stride;

		sdc_interrupts_step(y);
		for (Size j = 0; j < attributes; j++)
			code[j * BLOCK] = y < bounds->rows.records ? row[j] : SDC_AGREEMENT_NONE_PROTECTED;
	}
	return bounds;
}

/* sdc_pairbounds_destroy: see pairbounds.h. */
void
sdc_pairbounds_destroy(SdcPairBounds *bounds)
{
	sdc_free(bounds->code);
	sdc_free(bounds->sum);
	sdc_free(bounds);
}

/* sdc_pairbounds_set: see pairbounds.h. */
void
sdc_pairbounds_set(SdcPairBounds *bounds, const double *agree, const double *disagree, int attributes)
{
	double		range = 0;

	for (int j = 0; j < attributes; j++)
		range += fabs(agree[j] - disagree[j]);
	bounds->attributes = attributes;
	bounds->unit = range > 0 ? range / UNITS : 1;
	bounds->low = 0;
	bounds->start = 0;
	for (int j = 0; j < attributes; j++)
	{
		double		more = fabs(agree[j] - disagree[j]);
		double		units = rint(more / bounds->unit);
		uint8		whole = (uint8) units;

		bounds->units[j] = 0;
		if (agree[j] < disagree[j] && (bounds->rows.wide >> j & 1) != 0)
		{
			bounds->low += disagree[j];
			continue;
		}
		bounds->low += fmin(agree[j], disagree[j]) + fmax(0, more - units * bounds->unit);
		if (agree[j] < disagree[j])
			bounds->start += whole;
		bounds->units[j] = (uint8) (agree[j] < disagree[j] ? -whole : whole);
	}
}

/* What an original is compared by in an attribute: its code, and what it adds that another has it too. */
typedef struct Compared
{
	Bytes		code;
	Bytes		units;
} Compared;

/* agreeing has the units of an attribute where a vector of protected records has the original's code. */
static inline Bytes
agreeing(const uint8 *code, const Compared *compared)
{
	Bytes		others;

	memcpy(&others, code, VECTOR);
	return (Bytes) (others == compared->code) & compared->units;
}

/* look_at_block bounds the sums of an original with a block of protected records. */
static inline void
look_at_block(const uint8 *code, const Compared *compared, int attributes, uint8 start, uint8 *to)
{
	Bytes		sum[VECTORS] = {(Bytes) {0} + start, (Bytes) {0} + start, (Bytes) {0} + start, (Bytes) {0} + start};

	for (int j = 0; j < attributes; j++, code += BLOCK)
	{
		sum[0] += agreeing(code, &compared[j]);
		sum[1] += agreeing(code + VECTOR, &compared[j]);
		sum[2] += agreeing(code + 2 * VECTOR, &compared[j]);
		sum[3] += agreeing(code + 3 * VECTOR, &compared[j]);
	}
	memcpy(to, sum, BLOCK);
}

/* sdc_pairbounds_prepare: see pairbounds.h. */
void
sdc_pairbounds_prepare(SdcPairBounds *bounds, uint32 original)
{
	const uint8 *row = bounds->rows.original + original * (Size) bounds->rows.stride;
	Size		width = (Size) bounds->rows.attributes * BLOCK;
	Compared	compared[SDC_AGREEMENT_ATTRIBUTES];

	for (int j = 0; j < bounds->attributes; j++)
	{
		compared[j].code = (Bytes) {0} + row[j];
		compared[j].units = (Bytes) {0} + bounds->units[j];
	}
	for (uint32 block = 0; block < bounds->blocks; block++)
	{
		sdc_interrupts_step(block);
		look_at_block(bounds->code + block * width, compared, bounds->attributes, bounds->start,
					  bounds->sum + block * (Size) BLOCK);
	}
}

/* sdc_pairbounds_highest: see pairbounds.h. */
uint32
sdc_pairbounds_highest(const SdcPairBounds *bounds)
{
	uint32		records = bounds->rows.records;
	uint8		highest = 0;

	for (uint32 y = 0; y < records; y++)
		highest = bounds->sum[y] > highest ? bounds->sum[y] : highest;
	return (uint32) ((const uint8 *) memchr(bounds->sum, highest, records) - bounds->sum);
}

/* has_any tells whether a block has a sum of so many units or more. */
static inline bool
has_any(const uint8 *sum, uint8 units)
{
	Bytes		any = {0};
	uint64		word[2];

	for (int v = 0; v < VECTORS; v++)
	{
		Bytes		sums;

		memcpy(&sums, sum + v * VECTOR, VECTOR);
		any |= (Bytes) (sums >= units);
	}
	memcpy(word, &any, sizeof(word));
	return (word[0] | word[1]) != 0;
}

/* sdc_pairbounds_find: see pairbounds.h. */
uint32
sdc_pairbounds_find(const SdcPairBounds *bounds, double least, uint32 *found)
{
	uint32		records = bounds->rows.records;
	uint32		count = 0;
	double		units = ceil((least - ROUNDING * fmax(1, fabs(least)) - bounds->low) / bounds->unit);
	uint8		lowest;

	if (!(units <= 255))
		return 0;
	lowest = units > 0 ? (uint8) units : 0;
	for (uint32 start = 0; start < records; start += BLOCK)
	{
		uint32		end = records - start > BLOCK ? start + BLOCK : records;

		if (lowest > 0 && !has_any(bounds->sum + start, lowest))
			continue;
		for (uint32 y = start; y < end; y++)
		{
			found[count] = y;
			count += bounds->sum[y] >= lowest;
		}
	}
	return count;
}
