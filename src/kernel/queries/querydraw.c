/*-------------------------------------------------------------------------
 *
 * querydraw.c
 *		Draws random count queries.
 *
 * The workload of W. Yang, S. Qiao, "A novel anonymization algorithm: privacy protection and
 * knowledge preservation", Expert Systems with Applications 37 (2010): attributes uniformly
 * without replacement, the number of values of a condition uniform on 1 .. J and the set of
 * values uniform.  For attributes with an order this also offers ranges, which the paper has
 * not: the number of values is the same, and their first one uniform.
 *
 * What is drawn from the stream for one query, in this order, which is part of
 * SDC_STREAM_VERSION (sdc_stream_below unless said otherwise):
 *
 *	attributes	the first so many steps of a shuffle of 0 .. m - 1 from the left, then sorted
 *	sensitive	its number; nothing if there is none
 *	conditions	by ascending attribute, the sensitive one last; nothing if J is 0:
 *				the number of values minus 1, below J; for a range of r values its first rank,
 *				below J - r + 1; for a set draw_set
 *
 * A set of r of J = 10^6 values by single draws would take longer than anything else, so
 * draw_set first puts every rank into the set with probability k / 64, k the nearest to 64 r / J,
 * 64 ranks with each word of the stream, and then adds or removes single ranks, uniform ones among
 * those that can be, until there are r.  All sets of one size are equally likely after the
 * first step, and remain so: the result is exactly uniform.  Expected are at most 6 J / 64 words
 * of 64 bits, and about J / 50 single draws.
 *
 * Memory: the bitmaps of the sets.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include "kernel/queries/querydraw.h"

/* Sets are drawn with a density of so many parts at first: 2^DENSITY_BITS. */
#define DENSITY_BITS 6
#define DENSITIES (1u << DENSITY_BITS)

/* set_bytes is the memory of the set of a condition. */
static Size
set_bytes(const SdcQueryDomain *domain)
{
	return domain->range ? 0 : sdc_bitset_bytes((uint64) domain->values + 1);
}

/* sensitive_bytes is the memory of the set of any sensitive attribute. */
static Size
sensitive_bytes(uint32 sensitives, const SdcQueryDomain *sensitive)
{
	Size		most = 0;

	for (uint32 s = 0; s < sensitives; s++)
	{
		Size		bytes = set_bytes(&sensitive[s]);

		most = bytes > most ? bytes : most;
	}
	return most;
}

/* sdc_querydraw_memory: the structure, its arrays and the sets. */
uint64
sdc_querydraw_memory(uint32 attributes, const SdcQueryDomain *qi,
					 uint32 sensitives, const SdcQueryDomain *sensitive)
{
	uint64		memory = sizeof(SdcQueryDraw) + sensitive_bytes(sensitives, sensitive);

	memory += ((uint64) attributes + 1) *
		(sizeof(SdcQueryCondition) + sizeof(uint32) + sizeof(uint64 *));
	for (uint32 a = 0; a < attributes; a++)
		memory += set_bytes(&qi[a]);
	return memory;
}

/* sdc_querydraw_create: see querydraw.h. */
SdcQueryDraw *
sdc_querydraw_create(uint32 attributes, const SdcQueryDomain *qi,
					 uint32 sensitives, const SdcQueryDomain *sensitive)
{
	SdcQueryDraw *draw = sdc_alloc(sizeof(SdcQueryDraw));

	draw->attributes = attributes;
	draw->sensitives = sensitives;
	draw->qi = qi;
	draw->sensitive = sensitive;
	draw->conditions = 0;
	draw->condition = sdc_alloc_array(SdcQueryCondition, (Size) attributes + 1);
	draw->order = sdc_alloc_array(uint32, (Size) attributes + 1);
	draw->member = sdc_alloc_array(uint64 *, (Size) attributes + 1);
	for (uint32 a = 0; a < attributes; a++)
		draw->member[a] = sdc_alloc(set_bytes(&qi[a]));
	draw->member[attributes] = sdc_alloc(sensitive_bytes(sensitives, sensitive));
	return draw;
}

/* sdc_querydraw_destroy accepts NULL. */
void
sdc_querydraw_destroy(SdcQueryDraw *draw)
{
	if (draw == NULL)
		return;
	for (uint32 a = 0; a <= draw->attributes; a++)
		sdc_free(draw->member[a]);
	sdc_free(draw->member);
	sdc_free(draw->order);
	sdc_free(draw->condition);
	sdc_free(draw);
}

/*
 * random_bits is a word whose bits are set with probability density / DENSITIES each, 0 <
 * density < DENSITIES: a comparison of 64 random binary fractions with that number, from its
 * last digit that is 1 to the first.
 */
static uint64
random_bits(SdcStream *stream, uint32 density)
{
	uint64		bits = 0;

	for (int digit = __builtin_ctz(density); digit < DENSITY_BITS; digit++)
	{
		uint64		word = sdc_stream_next64(stream);

		bits = (density >> digit) & 1 ? bits | word : bits & word;
	}
	return bits;
}

/* draw_dense puts every rank into the set with one probability, and returns how many are in. */
static uint32
draw_dense(SdcStream *stream, uint32 values, uint32 density, uint64 *member)
{
	Size		words = sdc_bitset_words((uint64) values + 1);
	uint32		credit = 0;
	uint32		count = 0;

	for (Size w = 0; w < words; w++)
	{
		uint64		first = (uint64) w * SDC_BITSET_BITS;
		uint64		bits = 0;

		if (first < values && density > 0)
		{
			bits = density < DENSITIES ? random_bits(stream, density) : ~UINT64_C(0);
			if (values - first < SDC_BITSET_BITS)
				bits &= (UINT64_C(1) << (values - first)) - 1;
		}
		member[w] = bits;
		count += sdc_bitset_popcount(bits, false);
		sdc_interrupts_spend(&credit, DENSITY_BITS);
	}
	return count;
}

/* draw_set writes a uniform set of count of the values as a bitmap; 0 < count <= values. */
static void
draw_set(SdcStream *stream, uint32 values, uint32 count, uint64 *member)
{
	uint32		density = (uint32) (((uint64) count * (2 * DENSITIES) + values) /
									((uint64) values * 2));
	uint32		have = draw_dense(stream, values, density, member);
	uint32		credit = 0;

	while (have != count)
	{
		uint32		rank = sdc_stream_below(stream, values);
		bool		present = sdc_bitset_contains(member, rank);

		if (have < count && !present)
		{
			sdc_bitset_add(member, rank);
			have++;
		}
		else if (have > count && present)
		{
			sdc_bitset_remove(member, rank);
			have--;
		}
		sdc_interrupts_spend(&credit, 1);
	}
}

/* draw_values draws the values of a condition. */
static void
draw_values(SdcStream *stream, const SdcQueryDomain *domain, uint32 attribute, uint64 *member,
			SdcQueryCondition *condition)
{
	condition->attribute = attribute;
	condition->values = domain->values;
	condition->count = 0;
	condition->first = 0;
	condition->member = domain->range ? NULL : member;
	if (domain->values == 0)
		return;
	condition->count = 1 + sdc_stream_below(stream, domain->values);
	if (domain->range)
		condition->first = sdc_stream_below(stream, domain->values - condition->count + 1);
	else
		draw_set(stream, domain->values, condition->count, member);
}

/* draw_attributes writes so many of the attributes to the beginning of order, sorted. */
static void
draw_attributes(SdcStream *stream, uint32 attributes, uint32 number, uint32 *order)
{
	for (uint32 a = 0; a < attributes; a++)
		order[a] = a;
	for (uint32 a = 0; a < number; a++)
	{
		uint32		other = a + sdc_stream_below(stream, attributes - a);
		uint32		drawn = order[other];
		uint32		place = a;

		/* what was at a goes to where the drawn one was */
		order[other] = order[a];
		while (place > 0 && order[place - 1] > drawn)
		{
			order[place] = order[place - 1];
			place--;
		}
		order[place] = drawn;
	}
}

/* sdc_querydraw_next: see querydraw.h. */
void
sdc_querydraw_next(SdcQueryDraw *draw, SdcStream *stream, uint32 number)
{
	uint32		sensitive = 0;

	SDC_ASSERT(number <= draw->attributes);
	draw_attributes(stream, draw->attributes, number, draw->order);
	if (draw->sensitives > 0)
		sensitive = sdc_stream_below(stream, draw->sensitives);
	for (uint32 c = 0; c < number; c++)
	{
		uint32		attribute = draw->order[c];

		draw_values(stream, &draw->qi[attribute], attribute, draw->member[attribute],
					&draw->condition[c]);
	}
	draw->conditions = number;
	if (draw->sensitives > 0)
		draw_values(stream, &draw->sensitive[sensitive], sensitive,
					draw->member[draw->attributes],
					&draw->condition[draw->conditions++]);
}
