/*-------------------------------------------------------------------------
 *
 * mondrian.c
 *		Mondrian: strict multidimensional partitioning into groups.
 *
 * Sources: K. LeFevre, D. J. DeWitt, R. Ramakrishnan, "Mondrian multidimensional k-anonymity",
 * ICDE 2006, strict partitioning; the condition that the entropy of a sensitive attribute is at
 * least ln l is entropy l-diversity after A. Machanavajjhala, J. Gehrke, D. Kifer, M.
 * Venkitasubramaniam, "l-diversity: privacy beyond k-anonymity", ICDE 2006.
 *
 * A set of records is cut in two at the median of an attribute: the element number (size - 1) /
 * 2 of the sorted codes and all that are not greater go to the lower half; if it is the
 * greatest code, it goes to the upper half itself.  Attributes are tried from the widest on,
 * and the first whose halves are both allowed is cut.  The width of an attribute is the
 * difference between the greatest and the least code of the set over that of the whole
 * attribute, J - 1, of which J counts the codes of the column, those that occur in no record
 * too, and one more if the column misses values.  Widths are compared exactly, ties go to
 * the first attribute.  A half is allowed that has at least k records and an entropy of at
 * least ln l - 10^-12.
 *
 * The codes of a record, the number of its sensitive value and its own number are a row of one
 * array, and a cut brings the rows of each half together, so that small sets, which most are,
 * lie in the cache, and the least and greatest codes of all attributes are found with vectors
 * in one reading.  The rows come to lie in the order of the walk; where a walk goes on after a
 * lower half, and how far the upper half reaches, is noted at its first row, so that there is
 * no stack that could be too deep.
 *
 * The sensitive values of the upper half are counted by subtraction.  The number of counters is
 * kept below twice the number of records: where there are more, the values that occur are
 * numbered anew.
 *
 * Entropy is ln n - (sum c ln c) / n.  The sum is exact, in two words as fixed point numbers,
 * so that it depends neither on the order of the records nor on the numbers of the values.  It
 * needs log of the C library, which may differ in the last bit between libraries; a condition
 * notices that only within about 10^-15 of the limit, which is 10^-12 below all that is equal
 * to ln l.
 *
 * O(depth m n) for m attributes.  The depth is about log2(n / k), and at most O(m log n): of an
 * attribute with a code of so many records that a half is not much smaller than the whole, two
 * cuts leave half of the records, or that code alone.
 *
 * Memory: m + 2 words, rounded up to four, and seven more a record at most.
 *
 * Limits: fewer than 2^32 - 1 records.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include <math.h>

#include "kernel/base/ordered.h"
#include "kernel/base/pairs.h"
#include "kernel/partition/median.h"
#include "kernel/partition/mondrian.h"

/* What a condition on an entropy allows for rounding. */
#define ENTROPY_TOLERANCE 1e-12

/* Words of a vector. */
#define LANES 4

typedef int32 Lanes __attribute__((vector_size(LANES * 4), aligned(4), may_alias));

/* Turns unsigned codes into signed ones of the same order: vectors compare signed. */
#define SIGN UINT32_C(0x80000000)

/* Counts below have their c ln c in a table; of others there are few. */
#define TABLE_COUNTS 1024

/*
 * A sum of numbers c ln c: units of 2^-26 and of 2^-57.  No such number that is not 0 has bits
 * below.  With 2^32 records the sum is below 2^37, that of the fractions below 2^63.
 */
typedef struct EntropySum
{
	uint64		high;
	uint64		low;
} EntropySum;

#define HIGH_UNITS 0x1p26
#define LOW_UNITS 0x1p31		/* in a unit of the high word */

/* A set of records: rows of one piece. */
typedef struct Part
{
	uint32		start;
	uint32		size;
	uint32		slots;			/* numbers of sensitive values are below */
} Part;

/* An upper half that the walk has yet to reach, noted at its first row. */
typedef struct Pending
{
	uint32		size;
	uint32		slots;
} Pending;

/* A place to cut at. */
typedef struct Cut
{
	uint32		last;			/* greatest difference to the least code in the lower half */
	uint32		size;			/* of the lower half */
} Cut;

/* What the steps share. */
typedef struct Mondrian
{
	/* set once */
	uint32		records;
	uint32		attributes;
	Size		words;			/* of a row: codes, sensitive, record, nothing */
	uint32		minimum;		/* records of every half */
	const uint32 *unit;			/* of each record, or NULL: a half has so many units at least, too */
	uint32	   *seen;			/* by unit: the half in which it was seen last, */
	uint32		half;			/* as they are numbered */
	uint32		units;			/* those numbers are below */
	uint32		fewest;			/* units of every half */
	bool		diverse;		/* there is a condition on the sensitive values */
	double		least;			/* entropy */
	uint32	   *last;			/* J - 1 of each attribute */
	EntropySum	table[TABLE_COUNTS];

	/* moved with every cut */
	int32	   *row;
	Pending    *pending;

	/* of the set at hand */
	int32	   *low;			/* of each word of its rows */
	int32	   *high;
	uint32	   *range;			/* high - low of each attribute */
	uint32	   *heap;			/* attributes to try */
	uint32		tries;			/* attributes in it */
	bool		counted;		/* sensitive and total are filled */
	uint32	   *sensitive;		/* number of the sensitive value of each row */
	uint32	   *total;			/* records of each number */
	uint32	   *lower;			/* and in the lower half of a cut */
	uint32	   *value;			/* difference to the least code of each row */
	uint32	   *spare;
	uint32		credit;			/* rows until the next interrupt check */
} Mondrian;

/* plain_code has a code for a missing value, after all others. */
static inline uint32
plain_code(const SdcCodedColumn *column, uint32 record)
{
	uint32		code = column->code[record];

	return code != SDC_CODE_NULL ? code : column->codes;
}

/* is_diverse tells whether there is a condition on the sensitive values. */
static bool
is_diverse(const SdcMondrianTask *task)
{
	return task->sensitive != NULL && task->l > 0;
}

/* row_words is the length of a row, whole vectors. */
static Size
row_words(const SdcMondrianTask *task)
{
	return ((Size) task->qi->attributes + 2 + LANES - 1) / LANES * LANES;
}

/* entropy_term is c ln c. */
static EntropySum
entropy_term(uint32 count)
{
	double		units = count > 1 ? count * log(count) * HIGH_UNITS : 0;
	int64		whole = (int64) units;
	EntropySum	term = {(uint64) whole, (uint64) ((units - (double) whole) * LOW_UNITS)};

	return term;
}

/* entropy_add adds c ln c to a sum, for a count that may be in the table. */
static inline void
entropy_add(const Mondrian *m, EntropySum *sum, uint32 count)
{
	EntropySum	term = count < TABLE_COUNTS ? m->table[count] : entropy_term(count);

	sum->high += term.high;
	sum->low += term.low;
}

/* entropy_of is the entropy of counts, given the sum of c ln c and that of c. */
static double
entropy_of(const EntropySum *sum, uint32 records)
{
	double		terms = ((double) sum->high + (double) sum->low / LOW_UNITS) / HIGH_UNITS;

	return log(records) - terms / records;
}

/*
 * number_codes replaces codes by numbers 0, 1, ... in the order of their first occurrence, and
 * returns how many there are.  A table with open addresses (D. E. Knuth, The Art of Computer
 * Programming 3, 6.4), as there may be far more codes than records.
 */
static uint32
number_codes(uint32 *code, uint32 records)
{
	int			bits = 3;
	Size		slots = 8;
	uint64	   *table;			/* number + 1, code */
	uint32		numbers = 0;

	/* three quarters full at most */
	while (slots / 4 * 3 < records)
	{
		slots *= 2;
		bits++;
	}
	table = sdc_alloc_array(uint64, slots);
	for (Size start = 0; start < slots; start += SDC_INTERRUPT_STEPS)
	{
		Size		rest = slots - start;

		SDC_CHECK_INTERRUPTS();
		memset(table + start, 0,
			   (rest < SDC_INTERRUPT_STEPS ? rest : SDC_INTERRUPT_STEPS) * sizeof(uint64));
	}
	for (uint32 i = 0; i < records; i++)
	{
		Size		place = (Size) (code[i] * UINT64_C(0x9E3779B97F4A7C15) >> (64 - bits));

		sdc_interrupts_step(i);
		while (table[place] != 0 && (uint32) table[place] != code[i])
			place = (place + 1) & (slots - 1);
		if (table[place] == 0)
			table[place] = (uint64) ++numbers << 32 | code[i];
		code[i] = (uint32) (table[place] >> 32) - 1;
	}
	sdc_free(table);
	return numbers;
}

/*
 * number_sensitive writes a number for the sensitive value of every record of the task, in
 * their order, and returns what all numbers are below: slot_limit at most.
 */
static uint32
number_sensitive(const SdcMondrianTask *task, uint32 *number)
{
	for (uint32 i = 0; i < task->records; i++)
	{
		sdc_interrupts_step(i);
		number[i] = plain_code(task->sensitive, sdc_record_at(task->record, i));
	}
	if (task->sensitive->codes < task->records)
		return task->sensitive->codes + 1;
	return number_codes(number, task->records);
}

/* count_numbers counts how often each number occurs. */
static void
count_numbers(const uint32 *number, uint32 records, uint32 *count, uint32 slots,
			  uint32 *credit)
{
	memset(count, 0, slots * sizeof(uint32));
	for (uint32 start = 0, end; start < records; start = end)
	{
		end = sdc_interrupts_piece(start, records);
		sdc_interrupts_spend(credit, end - start);
		for (uint32 i = start; i < end; i++)
			count[number[i]]++;
	}
}

/* sdc_mondrian_diversity: see mondrian.h; 1 without records. */
double
sdc_mondrian_diversity(const SdcMondrianTask *task)
{
	uint32		records = task->records;
	uint32	   *number;
	uint32	   *count;
	uint32		slots;
	uint32		credit = 0;
	EntropySum	sum = {0, 0};

	SDC_ASSERT(task->sensitive != NULL);
	if (records == 0)
		return 1;
	number = sdc_alloc_array(uint32, records);
	slots = number_sensitive(task, number);
	count = sdc_alloc_array(uint32, slots);
	count_numbers(number, records, count, slots, &credit);
	for (uint32 s = 0; s < slots; s++)
	{
		EntropySum	term = entropy_term(count[s]);

		sdc_interrupts_spend(&credit, 1);
		sum.high += term.high;
		sum.low += term.low;
	}
	sdc_free(count);
	sdc_free(number);
	return exp(entropy_of(&sum, records));
}

/* least_records is how many records a half has at least, whatever they are. */
static uint32
least_records(const SdcMondrianTask *task)
{
	uint32		least = task->k > 1 ? task->k : 1;
	double		values;

	if (!is_diverse(task))
		return least;
	values = ceil(task->l * (1 - 1e-9));	/* well below what the tolerance allows */
	if (values >= UINT32_MAX)
		return UINT32_MAX;
	return values > least ? (uint32) values : least;
}

/* fill_attribute writes the codes of an attribute into the rows, and finds its J - 1. */
static void
fill_attribute(Mondrian *m, const SdcMondrianTask *task, uint32 attribute)
{
	const SdcCodedColumn *column = &task->qi->column[attribute];
	int32	   *to = m->row + attribute;
	bool		missing = task->missing != NULL && task->missing[attribute];

	for (uint32 i = 0; i < m->records; i++, to += m->words)
	{
		uint32		code = plain_code(column, sdc_record_at(task->record, i));

		sdc_interrupts_step(i);
		missing |= code == column->codes;
		*to = (int32) (code ^ SIGN);
	}
	m->last[attribute] = column->codes - !missing;
}

/* fill_rows makes the rows of all records, in their order. */
static void
fill_rows(Mondrian *m, const SdcMondrianTask *task)
{
	int32	   *to = m->row + m->attributes;

	for (uint32 a = 0; a < m->attributes; a++)
		fill_attribute(m, task, a);
	for (uint32 i = 0; i < m->records; i++, to += m->words)
	{
		sdc_interrupts_step(i);
		to[0] = m->diverse ? (int32) m->sensitive[i] : 0;
		to[1] = (int32) sdc_record_at(task->record, i);
		for (Size word = m->attributes + 2; word < m->words; word++)
			to[word - m->attributes] = 0;
	}
}

/* narrow_lanes takes one vector of a row into the least and the greatest. */
static inline __attribute__((always_inline)) void
narrow_lanes(const int32 *row, Lanes *low, Lanes *high)
{
	Lanes		value = *(const Lanes *) row;
	Lanes		less = value < *low;
	Lanes		more = value > *high;

	*low = (value & less) | (*low & ~less);
	*high = (value & more) | (*high & ~more);
}

/* range_lanes does so for up to three vectors of some rows, a constant where it is called. */
static inline __attribute__((always_inline)) void
range_lanes(const int32 *row, Size words, uint32 rows, int vectors, int32 *low, int32 *high)
{
	Lanes		l[3];
	Lanes		h[3];

	for (int v = 0; v < vectors; v++)
	{
		l[v] = ((const Lanes *) low)[v];
		h[v] = ((const Lanes *) high)[v];
	}
	for (; rows > 0; rows--, row += words)
	{
		narrow_lanes(row, &l[0], &h[0]);
		if (vectors > 1)
			narrow_lanes(row + LANES, &l[1], &h[1]);
		if (vectors > 2)
			narrow_lanes(row + 2 * LANES, &l[2], &h[2]);
	}
	for (int v = 0; v < vectors; v++)
	{
		((Lanes *) low)[v] = l[v];
		((Lanes *) high)[v] = h[v];
	}
}

/* find_ranges finds the least and the greatest code of all attributes. */
static void
find_ranges(Mondrian *m, const Part *part)
{
	const int32 *first = m->row + m->words * part->start;
	Size		words = m->words;

	memcpy(m->low, first, words * sizeof(int32));
	memcpy(m->high, first, words * sizeof(int32));
	for (uint32 start = 0, end; start < part->size; start = end)
	{
		const int32 *row = first + words * start;
		uint32		rows;

		end = sdc_interrupts_piece(start, part->size);
		rows = end - start;
		for (Size word = 0; word < m->attributes; word += 3 * LANES)
		{
			Size		left = m->attributes - word;

			sdc_interrupts_spend(&m->credit, rows);
			if (left > 2 * LANES)
				range_lanes(row + word, words, rows, 3, m->low + word, m->high + word);
			else if (left > LANES)
				range_lanes(row + word, words, rows, 2, m->low + word, m->high + word);
			else
				range_lanes(row + word, words, rows, 1, m->low + word, m->high + word);
		}
	}
}

/* goes_first tells whether attribute a is tried before b: both have a range above 0. */
static inline bool
goes_first(const Mondrian *m, uint32 a, uint32 b)
{
	uint64		width_a = (uint64) m->range[a] * m->last[b];
	uint64		width_b = (uint64) m->range[b] * m->last[a];

	return width_a != width_b ? width_a > width_b : a < b;
}

/* sift_down brings the attribute at a place of the heap to where it belongs below. */
static void
sift_down(Mondrian *m, uint32 place)
{
#define ABOVE(a, b) goes_first(m, a, b)
	SDC_HEAP_SIFT(m->heap, m->tries, place, m->heap[place], ABOVE);
#undef ABOVE
}

/* order_attributes makes a heap of the attributes that are not constant in a set. */
static void
order_attributes(Mondrian *m)
{
	m->tries = 0;
	for (uint32 a = 0; a < m->attributes; a++)
	{
		m->range[a] = (uint32) m->high[a] - (uint32) m->low[a];
		if (m->range[a] > 0)
			m->heap[m->tries++] = a;
	}
	sdc_interrupts_spend(&m->credit, m->attributes);
	for (uint32 place = m->tries / 2; place-- > 0;)
		sift_down(m, place);
}

/* next_attribute takes the widest attribute out of the heap. */
static uint32
next_attribute(Mondrian *m)
{
	uint32		attribute = m->heap[0];

	m->heap[0] = m->heap[--m->tries];
	if (m->tries > 0)
		sift_down(m, 0);
	return attribute;
}

/* fill_values copies the codes of an attribute, as differences to the least. */
static void
fill_values(Mondrian *m, const Part *part, uint32 attribute)
{
	const int32 *from = m->row + m->words * part->start + attribute;
	uint32		low = (uint32) m->low[attribute];

	for (uint32 start = 0, end; start < part->size; start = end)
	{
		end = sdc_interrupts_piece(start, part->size);
		sdc_interrupts_spend(&m->credit, end - start);
		for (uint32 i = start; i < end; i++, from += m->words)
			m->value[i] = (uint32) *from - low;
	}
}

/* find_cut finds where an attribute with a range above 0 is cut, given its values. */
static Cut
find_cut(Mondrian *m, uint32 size, uint32 range)
{
	SdcMedian	median;
	Cut			cut;

	sdc_median_find(m->value, size, range, m->spare, &m->credit, &median);
	if (median.value == range)
	{
		cut.last = median.value - 1;
		cut.size = median.less;
	}
	else
	{
		cut.last = median.value;
		cut.size = median.less + median.equal;
	}
	return cut;
}

/* renumber gives the sensitive values of a set new numbers, without gaps. */
static void
renumber(Mondrian *m, Part *part)
{
	int32	   *number = m->row + m->words * part->start + m->attributes;
	uint32		numbers = 0;

	memset(m->total, 0, part->slots * sizeof(uint32));
	for (uint32 i = 0; i < part->size; i++, number += m->words)
	{
		uint32	   *known = &m->total[*number];

		sdc_interrupts_spend(&m->credit, 1);
		if (*known == 0)
			*known = ++numbers;
		*number = (int32) (*known - 1);
	}
	part->slots = numbers;
}

/* count_sensitive counts the sensitive values of a set, if that has not been done. */
static void
count_sensitive(Mondrian *m, Part *part)
{
	const int32 *from = m->row + m->words * part->start + m->attributes;

	if (m->counted)
		return;
	if (part->slots / 2 > part->size)
		renumber(m, part);
	for (uint32 i = 0; i < part->size; i++, from += m->words)
	{
		sdc_interrupts_spend(&m->credit, 1);
		m->sensitive[i] = (uint32) *from;
	}
	count_numbers(m->sensitive, part->size, m->total, part->slots, &m->credit);
	m->counted = true;
}

/* count_lower counts the sensitive values of the lower half of a cut. */
static void
count_lower(Mondrian *m, const Part *part, const Cut *cut)
{
	memset(m->lower, 0, part->slots * sizeof(uint32));
	for (uint32 start = 0, end; start < part->size; start = end)
	{
		end = sdc_interrupts_piece(start, part->size);
		sdc_interrupts_spend(&m->credit, end - start);
		for (uint32 i = start; i < end; i++)
			m->lower[m->sensitive[i]] += m->value[i] <= cut->last;
	}
}

/*
 * has_units tells whether both halves of a cut have enough units.  A unit whose records are in both is one of each.
 */
static bool
has_units(Mondrian *m, const Part *part, const Cut *cut)
{
	const int32 *record = m->row + m->words * part->start + m->attributes + 1;
	uint32		found[2] = {0, 0};

	if (m->half > UINT32_MAX - 2)
	{
		memset(m->seen, 0, m->units * sizeof(uint32));
		m->half = 0;
	}
	for (int upper = 0; upper < 2; upper++)
	{
		m->half++;
		for (uint32 i = 0; i < part->size && found[upper] < m->fewest; i++)
		{
			uint32		unit = m->unit[(uint32) record[m->words * i]];

			sdc_interrupts_spend(&m->credit, 1);
			if ((m->value[i] > cut->last) != (upper == 1) || m->seen[unit] == m->half)
				continue;
			m->seen[unit] = m->half;
			found[upper]++;
		}
	}
	return found[0] >= m->fewest && found[1] >= m->fewest;
}

/* is_allowed tells whether both halves of a cut satisfy the conditions. */
static bool
is_allowed(Mondrian *m, Part *part, const Cut *cut)
{
	uint32		upper = part->size - cut->size;
	EntropySum	below = {0, 0};
	EntropySum	above = {0, 0};

	if (cut->size < m->minimum || upper < m->minimum)
		return false;
	if (m->unit != NULL && !has_units(m, part, cut))
		return false;
	if (!m->diverse)
		return true;
	count_sensitive(m, part);
	count_lower(m, part, cut);
	for (uint32 s = 0; s < part->slots; s++)
	{
		sdc_interrupts_spend(&m->credit, 1);
		entropy_add(m, &below, m->lower[s]);
		entropy_add(m, &above, m->total[s] - m->lower[s]);
	}
	return entropy_of(&below, cut->size) >= m->least &&
		entropy_of(&above, upper) >= m->least;
}

/* swap_rows swaps two rows. */
static inline void
swap_rows(const Mondrian *m, int32 *a, int32 *b)
{
	for (Size word = 0; word < m->words; word += LANES)
	{
		Lanes		held = *(Lanes *) (a + word);

		*(Lanes *) (a + word) = *(Lanes *) (b + word);
		*(Lanes *) (b + word) = held;
	}
}

/*
 * move_rows brings the rows of the lower half before the others.  It lists those on the wrong
 * side, without branches that no processor could foresee, and swaps them in pairs.
 */
static void
move_rows(Mondrian *m, const Part *part, const Cut *cut)
{
	int32	   *row = m->row + m->words * part->start;
	uint32	   *greater = m->spare; /* rows of the upper half among the first */
	uint32	   *less = m->spare + cut->size;
	uint32		found[2] = {0, 0};

	for (uint32 start = 0, end; start < cut->size; start = end)
	{
		end = sdc_interrupts_piece(start, cut->size);
		sdc_interrupts_spend(&m->credit, end - start);
		for (uint32 i = start; i < end; i++)
		{
			greater[found[0]] = i;
			found[0] += m->value[i] > cut->last;
		}
	}
	for (uint32 start = cut->size, end; start < part->size; start = end)
	{
		end = sdc_interrupts_piece(start, part->size);
		sdc_interrupts_spend(&m->credit, end - start);
		for (uint32 i = start; i < end; i++)
		{
			less[found[1]] = i;
			found[1] += m->value[i] <= cut->last;
		}
	}
	SDC_ASSERT(found[0] == found[1]);
	for (uint32 i = 0; i < found[0]; i++)
	{
		sdc_interrupts_spend(&m->credit, 1);
		swap_rows(m, row + m->words * greater[i], row + m->words * less[i]);
	}
}

/*
 * cut_part cuts a set, if that is allowed, and says how many records are in the lower half: or
 * 0.
 */
static uint32
cut_part(Mondrian *m, Part *part)
{
	if (part->size / 2 < m->minimum)
		return 0;
	find_ranges(m, part);
	order_attributes(m);
	m->counted = false;
	while (m->tries > 0)
	{
		uint32		attribute = next_attribute(m);
		Cut			cut;

		fill_values(m, part, attribute);
		cut = find_cut(m, part->size, m->range[attribute]);
		SDC_ASSERT(cut.size > 0 && cut.size < part->size);
		if (is_allowed(m, part, &cut))
		{
			move_rows(m, part, &cut);
			return cut.size;
		}
	}
	return 0;
}

/* name_group writes the number of a group to its records. */
static void
name_group(Mondrian *m, const Part *part, uint32 number, uint32 *group)
{
	const int32 *row = m->row + m->words * part->start + m->attributes + 1;

	for (uint32 i = 0; i < part->size; i++, row += m->words)
	{
		sdc_interrupts_spend(&m->credit, 1);
		group[(uint32) *row] = number;
	}
}

/* walk cuts the whole and its halves, the lower ones first, and returns the number of groups. */
static uint32
walk(Mondrian *m, uint32 slots, uint32 first, uint32 *group)
{
	Part		part = {0, m->records, slots};
	uint32		groups = 0;

	for (;;)
	{
		uint32		lower = cut_part(m, &part);

		if (lower > 0)
		{
			m->pending[part.start + lower].size = part.size - lower;
			m->pending[part.start + lower].slots = part.slots;
			part.size = lower;
			continue;
		}
		name_group(m, &part, first + groups, group);
		groups++;
		part.start += part.size;
		SDC_REPORT(part.start, m->records);
		if (part.start == m->records)
			return groups;
		part.size = m->pending[part.start].size;
		part.slots = m->pending[part.start].slots;
	}
}

/* create makes everything but the rows; of the sensitive values only their numbers. */
static Mondrian *
create(const SdcMondrianTask *task, uint32 *slots)
{
	Mondrian   *m = sdc_alloc(sizeof(Mondrian));
	Size		records = task->records;
	Size		words = row_words(task);

	m->records = task->records;
	m->attributes = (uint32) task->qi->attributes;
	m->words = words;
	m->minimum = least_records(task);
	m->diverse = is_diverse(task);
	m->credit = 0;
	m->unit = task->k > 1 ? task->unit : NULL;
	m->units = task->units;
	m->fewest = task->k;
	m->half = 0;
	m->seen = m->unit == NULL ? NULL : sdc_alloc_zeros(uint32, task->units);
	*slots = 0;
	m->sensitive = m->total = m->lower = NULL;
	if (m->diverse)
	{
		m->least = log(task->l) - ENTROPY_TOLERANCE;
		for (uint32 c = 0; c < TABLE_COUNTS; c++)
			m->table[c] = entropy_term(c);
		m->sensitive = sdc_alloc_array(uint32, records);
		*slots = number_sensitive(task, m->sensitive);
		m->total = sdc_alloc_array(uint32, *slots);
		m->lower = sdc_alloc_array(uint32, *slots);
	}
	m->row = sdc_alloc_matrix(int32, records, words);
	m->pending = sdc_alloc_array(Pending, records);
	m->value = sdc_alloc_array(uint32, records);
	m->spare = sdc_alloc_array(uint32, records);
	m->last = sdc_alloc_matrix(uint32, words, 5);	/* and four others of this length */
	m->range = m->last + words;
	m->heap = m->range + words;
	m->low = (int32 *) (m->heap + words);
	m->high = m->low + words;
	return m;
}

/* destroy frees everything. */
static void
destroy(Mondrian *m)
{
	if (m->diverse)
	{
		sdc_free(m->sensitive);
		sdc_free(m->total);
		sdc_free(m->lower);
	}
	if (m->seen != NULL)
		sdc_free(m->seen);
	sdc_free(m->row);
	sdc_free(m->pending);
	sdc_free(m->value);
	sdc_free(m->spare);
	sdc_free(m->last);
	sdc_free(m);
}

/* sdc_mondrian: see mondrian.h. */
uint32
sdc_mondrian(const SdcMondrianTask *task, uint32 first, uint32 *group)
{
	Mondrian   *m;
	uint32		slots;
	uint32		groups;

	if (task->records == 0)
		return 0;
	SDC_ASSERT(task->records >= task->k);
	SDC_ASSERT(!is_diverse(task) || log(sdc_mondrian_diversity(task)) >= log(task->l) - 1e-9);
	m = create(task, &slots);
	fill_rows(m, task);
	groups = walk(m, slots, first, group);
	destroy(m);
	return groups;
}
