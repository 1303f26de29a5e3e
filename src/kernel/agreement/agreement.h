/*-------------------------------------------------------------------------
 *
 * agreement.h
 *		In which attributes do pairs of an original and a protected record agree?
 *
 * A pattern is a set of attributes, bit j for known attribute j.  The pattern of a
 * pair is the set of attributes with equal codes; a missing value agrees
 * with nothing.  There are n^2 pairs: they are counted, never visited one by one.
 *
 * Two ways, chosen by what they cost: pairs that agree somewhere from an
 * inverted index (few such pairs), or the counts of the pairs that agree at least in
 * a set of attributes, for every set, by grouping, and inclusion-exclusion (many).
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_AGREEMENT_H
#define SDC_KERNEL_AGREEMENT_H

#include "kernel/base/bytelanes.h"
#include "kernel/base/pairs.h"
#include "kernel/base/team.h"

typedef struct SdcPatternCount
{
	uint64		pattern;
	uint64		count;			/* > 0 */
} SdcPatternCount;

/* An index of the known attributes of a file of pairs, which must stay, for all that follows. */
typedef struct SdcAgreement SdcAgreement;

/* At most so many attributes. */
#define SDC_AGREEMENT_ATTRIBUTES 64

/* Bytes that everything below takes at most, for so many records and attributes. */
extern SdcAgreement *sdc_agreement_create(const SdcPairs *pairs, const int *known, int count);
extern void sdc_agreement_destroy(SdcAgreement *agreement);

/* sdc_agreement_first makes an index of the first attributes of one, which must stay. */
extern SdcAgreement *sdc_agreement_first(const SdcAgreement *agreement, int count);

/*
 * sdc_agreement_totals counts the n^2 pairs by pattern; ascending patterns, only those
 * that occur, *count of them; sdc_free it.  With many attributes there can be
 * more patterns than there is memory for, each of which takes SDC_AGREEMENT_PATTERN_BYTES: if
 * there are about more than most, the result is NULL.  The members of a team count a part of the pairs each, in lists
 * that they make together.
 */
#define SDC_AGREEMENT_PATTERN_BYTES 128
extern SdcPatternCount *sdc_agreement_totals(SdcAgreement *agreement, SdcTeam *team, uint64 most, int *count);

/*
 * sdc_agreement_fold adds up the counts of patterns, as above, that differ in the last of so many attributes only, and
 * returns how many are left.
 */
extern int	sdc_agreement_fold(const SdcPatternCount *from, int count, int attributes, SdcPatternCount *to);

/*
 * sdc_agreement_visit calls visit for every original record of record[] (NULL: all), in any
 * order, with the patterns of its pairs with all protected records, as above.
 */
typedef void (*SdcAgreementVisit) (void *arg, uint32 index, uint32 record,
								   const SdcPatternCount *patterns, int count);
extern void sdc_agreement_visit(SdcAgreement *agreement, const uint32 *record, uint32 count,
								SdcAgreementVisit visit, void *arg);

/*
 * What is compared: the columns by attribute.  Equal codes agree; SDC_CODE_NULL agrees with nothing.  The same codes as
 * bytes, in rows by record: different bytes are different codes, and the same bytes the same codes, but in
 * wide attributes.
 */
typedef struct SdcAgreementRows
{
	uint32		records;
	int			attributes;
	const SdcPairColumn *const *column;
	int			stride;			/* bytes of a row: attributes, rounded up to SDC_BYTELANES */
	const uint8 *original;
	const uint8 *protected;
	uint64		wide;			/* attributes whose bytes do not tell all */
	const uint64 *agreeing;		/* pairs that agree in an attribute */
} SdcAgreementRows;

extern SdcAgreementRows sdc_agreement_rows(const SdcAgreement *agreement);

/* Bytes that equal nothing, and not each other: of an original, of a protected record. */
#define SDC_AGREEMENT_NONE_ORIGINAL 255
#define SDC_AGREEMENT_NONE_PROTECTED 254

/*
 * sdc_agreement_compare is the pattern of a pair in the first attributes; it is known already that it agrees in some
 * of them.
 */
static inline uint64
sdc_agreement_compare(const SdcAgreementRows *rows, int attributes, uint32 original, uint32 protected, uint64 agreeing)
{
	const uint8 *a = rows->original + original * (Size) rows->stride;
	const uint8 *b = rows->protected + protected * (Size) rows->stride;
	uint64		pattern = 0;

#pragma GCC unroll 4
	for (int i = 0; i < attributes; i += SDC_BYTELANES)
		pattern |= (uint64) sdc_bytelanes_equal(a + i, b + i) << i;
	pattern &= ~UINT64_C(0) >> (64 - attributes);
	for (uint64 rest = pattern & rows->wide & ~agreeing; rest != 0; rest &= rest - 1)
	{
		const SdcPairColumn *column = rows->column[__builtin_ctzll(rest)];

		if (column->original[original] != column->protected[protected])
			pattern &= ~(rest & -rest);
	}
	return pattern;
}

/* The pattern of one pair. */
extern uint64 sdc_agreement_pattern(const SdcAgreement *agreement, uint32 original,
									uint32 protected);

#endif							/* SDC_KERNEL_AGREEMENT_H */
