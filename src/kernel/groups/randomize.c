/*-------------------------------------------------------------------------
 *
 * randomize.c
 *		Random anonymization: which attributes of a record change, and who donates.
 *
 * W. Yang and S. Qiao, "A novel anonymization algorithm: privacy protection and knowledge
 * preservation", Expert Systems with Applications 37 (2010): RA 1 replaces the value of one
 * attribute of every record, RA 2 those of k, by values drawn from the marginal distributions.  A
 * value drawn from the marginal is the value of a record drawn uniformly, so here donors are
 * drawn, and values do not matter.  A record may draw itself.
 *
 * How words are drawn from the stream, which a release depends on:
 *
 *	single	for each record one u of sdc_stream_uniform.  The attribute is the first i with
 *			u < c_i, c_i = p_0 + ... + p_i added up in this order in doubles; the last attribute
 *			that has a probability above 0 also takes what rounding left of 1.  An attribute with
 *			the same c_i as the one before it is never drawn.
 *	subset	for each record the algorithm of R. W. Floyd (J. Bentley, "Programming pearls: a
 *			sample of brilliance", Communications of the ACM 30, 1987): for j = m - k .. m - 1
 *			draw t of sdc_stream_below(j + 1); t is added to the set, or j if t is in it already.
 *			With 2k > m the m - k attributes that are not in the set are drawn so.
 *	each	for each record one u of sdc_stream_uniform, of a stream for the attribute alone, which is drawn if
 *			u < p: post-randomization (A. Gouweleeuw, P. Kooiman, L. Willenborg, P.-P. de Wolf, "Post
 *			randomisation for statistical disclosure control", Journal of Official Statistics 14, 1998), whose
 *			matrix then is (1 - p) I + p times the margin, and keeps the margin in expectation.
 *	donors	for each member whose attribute was chosen, in order, one sdc_stream_below(count).
 *
 * The first i with u < c_i is looked for from a place that depends on the leading bits of u (H. C.
 * Chen and Y. Asau, "On generating random variates from an empirical distribution", AIIE
 * Transactions 6, 1974), which makes no difference to what is found.
 *
 * Time: O(1) for each drawn attribute and donor.  Memory: a bit for each attribute of a record,
 * rounded up to bytes.  Determined by the stream and the arguments.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include "kernel/groups/randomize.h"

/* Places to start from: a power of two, so that u times their number is exact. */
#define GUIDE_MINIMUM 256
#define GUIDE_PER_ATTRIBUTE 4

/* Members that donors are drawn for at a time. */
#define BLOCK 512

/* Above any u. */
#define BOUND_ALL 2.0

/* A discrete distribution, to be drawn from by inversion. */
typedef struct Inversion
{
	double	   *bound;			/* attribute i is below bound[i] and not below those before */
	uint32	   *guide;			/* u from g / guides on: the first attribute it can be */
	uint32		guides;
} Inversion;

/* sdc_choice_memory: the structure and its bits. */
uint64
sdc_choice_memory(uint32 records, int attributes)
{
	return sizeof(SdcChoice) + (uint64) records * (((uint64) attributes + 7) / 8);
}

/* sdc_choice_create makes a choice in one piece of memory. */
SdcChoice *
sdc_choice_create(uint32 records, int attributes)
{
	SdcChoice  *choice = sdc_alloc(sdc_choice_memory(records, attributes));

	choice->records = records;
	choice->attributes = attributes;
	choice->width = ((Size) attributes + 7) / 8;
	choice->bits = (uint8 *) (choice + 1);
	return choice;
}

/* sdc_choice_destroy accepts NULL. */
void
sdc_choice_destroy(SdcChoice *choice)
{
	if (choice != NULL)
		sdc_free(choice);
}

/* inversion_create adds up the probabilities and finds the places to start from. */
static void
inversion_create(Inversion *inversion, const double *probability, int attributes)
{
	double		sum = 0;
	int			last = attributes - 1;
	uint32		at = 0;

	inversion->guides = GUIDE_MINIMUM;
	while (inversion->guides / GUIDE_PER_ATTRIBUTE < (uint32) attributes)
		inversion->guides *= 2;
	inversion->bound = sdc_alloc_array(double, attributes);
	inversion->guide = sdc_alloc_array(uint32, inversion->guides);
	while (last > 0 && !(probability[last] > 0))
		last--;
	for (int i = 0; i < attributes; i++)
	{
		sum += probability[i];
		inversion->bound[i] = i < last ? sum : BOUND_ALL;
	}
	for (uint32 g = 0; g < inversion->guides; g++)
	{
		while (inversion->bound[at] <= (double) g / inversion->guides)
			at++;
		inversion->guide[g] = at;
	}
}

/* inversion_destroy frees the arrays. */
static void
inversion_destroy(Inversion *inversion)
{
	sdc_free(inversion->bound);
	sdc_free(inversion->guide);
}

/* inversion_find is the first attribute with a bound above u. */
static inline uint32
inversion_find(const Inversion *inversion, double u)
{
	uint32		at = inversion->guide[(uint32) (u * inversion->guides)];

	while (inversion->bound[at] <= u)
		at++;
	return at;
}

/* sdc_choice_single draws an attribute for each record by inversion. */
SdcChoice *
sdc_choice_single(SdcStream *stream, uint32 records, const double *probability, int attributes)
{
	SdcChoice  *choice = sdc_choice_create(records, attributes);
	uint8	   *row = choice->bits;
	Inversion	inversion;

	SDC_ASSERT(attributes > 0);
	inversion_create(&inversion, probability, attributes);
	for (uint32 r = 0; r < records; r++, row += choice->width)
	{
		uint32		attribute;

		sdc_interrupts_step(r);
		attribute = inversion_find(&inversion, sdc_stream_uniform(stream));
		for (Size byte = 0; byte < choice->width; byte++)
			row[byte] = 0;
		row[attribute / 8] = (uint8) (1 << (attribute % 8));
	}
	inversion_destroy(&inversion);
	return choice;
}

/* draw_subset adds k of the attributes to an empty set. */
static inline void
draw_subset(SdcStream *stream, uint8 *row, uint32 attributes, uint32 k)
{
	for (uint32 j = attributes - k; j < attributes; j++)
	{
		uint32		drawn = sdc_stream_below(stream, j + 1);

		if ((row[drawn / 8] >> (drawn % 8)) & 1)
			drawn = j;
		row[drawn / 8] |= (uint8) (1 << (drawn % 8));
	}
}

/* sdc_choice_subset draws k attributes for each record, or those that are not among them. */
SdcChoice *
sdc_choice_subset(SdcStream *stream, uint32 records, int attributes, int k)
{
	SdcChoice  *choice = sdc_choice_create(records, attributes);
	uint8	   *row = choice->bits;
	bool		complement = 2 * k > attributes;
	uint32		draws = (uint32) (complement ? attributes - k : k);
	uint8		last = (uint8) (0xFF >> ((8 - attributes % 8) % 8));
	uint32		credit = 0;

	SDC_ASSERT(attributes > 0 && k >= 0 && k <= attributes);
	for (uint32 r = 0; r < records; r++, row += choice->width)
	{
		sdc_interrupts_spend(&credit, draws + 1);
		for (Size byte = 0; byte < choice->width; byte++)
			row[byte] = 0;
		draw_subset(stream, row, (uint32) attributes, draws);
		if (!complement)
			continue;
		for (Size byte = 0; byte < choice->width; byte++)
			row[byte] = (uint8) ~row[byte];
		row[choice->width - 1] &= last;
	}
	return choice;
}

/* sdc_choice_each sets or clears one bit of every record. */
void
sdc_choice_each(SdcStream *stream, SdcChoice *choice, int attribute, double probability)
{
	uint8	   *byte = choice->bits + attribute / 8;
	uint8		bit = (uint8) (1 << (attribute % 8));

	SDC_ASSERT(attribute >= 0 && attribute < choice->attributes);
	for (uint32 r = 0; r < choice->records; r++, byte += choice->width)
	{
		sdc_interrupts_step(r);
		if (sdc_stream_uniform(stream) < probability)
			*byte |= bit;
		else
			*byte &= (uint8) ~bit;
	}
}

/*
 * draw_block draws for members start .. start + members - 1.  All numbers are drawn before the
 * first donor is looked up, so that the processor can wait for the memory of many donors at once.
 */
static void
draw_block(SdcStream *stream, const SdcChoice *choice, int attribute,
		   const uint32 *member, uint32 count, uint32 start, uint32 members, uint32 *donor)
{
	uint32		taker[BLOCK];
	uint32		drawn[BLOCK];
	uint32		draws = 0;

	for (uint32 i = start; i < start + members; i++)
	{
		uint32		record = member != NULL ? member[i] : i;

		SDC_ASSERT(record < choice->records);
		donor[record] = record;
		if (!sdc_choice_has(choice, record, attribute))
			continue;
		taker[draws] = record;
		drawn[draws++] = sdc_stream_below(stream, count);
	}
	for (uint32 i = 0; i < draws; i++)
		donor[taker[i]] = member != NULL ? member[drawn[i]] : drawn[i];
}

/* sdc_randomize_donors: see randomize.h. */
void
sdc_randomize_donors(SdcStream *stream, const SdcChoice *choice, int attribute,
					 const uint32 *member, uint32 count, uint32 *donor)
{
	SDC_ASSERT(attribute >= 0 && attribute < choice->attributes);
	for (uint32 start = 0, members; start < count; start += members)
	{
		members = count - start < BLOCK ? count - start : BLOCK;
		SDC_CHECK_INTERRUPTS();
		draw_block(stream, choice, attribute, member, count, start, members, donor);
	}
}
