/*-------------------------------------------------------------------------
 *
 * test_rankorder.c
 *		The order of records, and the keys of numbers, against qsort.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include <float.h>

#include "kernel/base/rankorder.h"
#include "kernel/base/sortkey.h"

#include "tap.h"

#define MAX_N 40000
#define LENGTH(array) ((uint32) (sizeof(array) / sizeof((array)[0])))

static uint64 random_state = 1;

/* random64 is a generator of the test's own (splitmix64). */
static uint64
random64(void)
{
	uint64		z = (random_state += UINT64_C(0x9E3779B97F4A7C15));

	z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
	return z ^ (z >> 31);
}

/* What qsort sorts. */
typedef struct Item
{
	uint64		key;
	uint32		tie;
	uint32		record;
} Item;

/* compare_items is the definition of the order. */
static int
compare_items(const void *a, const void *b)
{
	const Item *x = a;
	const Item *y = b;

	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	if (x->tie != y->tie)
		return x->tie < y->tie ? -1 : 1;
	return (x->record > y->record) - (x->record < y->record);
}

/*
 * check_order sorts n keys both ways.  The work space is exactly as large as
 * it is said to be, so that the address sanitizer watches its ends.
 */
static void
check_order(const char *what, const uint64 *key, const uint32 *record, uint32 n,
			const uint32 *tie)
{
	Item	   *item = sdc_alloc(n * sizeof(Item));
	uint64	   *copy = sdc_alloc(n * sizeof(uint64));
	uint32	   *order = sdc_alloc(n * sizeof(uint32));
	void	   *work = sdc_alloc(sdc_rankorder_memory(n));
	bool	   *tied = sdc_alloc(n * sizeof(bool));

	memset(work, 0xA5, sdc_rankorder_memory(n));
	memset(tied, 0xA5, n * sizeof(bool));
	for (uint32 i = 0; i < n; i++)
	{
		uint32		r = record != NULL ? record[i] : i;

		item[i] = (Item) {key[i], tie != NULL ? tie[r] : 0, r};
		copy[i] = key[i];
	}
	qsort(item, n, sizeof(Item), compare_items);
	sdc_rankorder_ties(key, record, n, tie, work, order, tied);
	for (uint32 i = 0; i < n; i++)
	{
		CHECKF(tied[i] == (i > 0 && item[i].key == item[i - 1].key), "%s, n %u, place %u: tied %d", what, n, i, tied[i]);
		CHECKF(order[i] == item[i].record, "%s, n %u, place %u: %u, not %u",
			   what, n, i, order[i], item[i].record);
		CHECKF(copy[i] == key[i], "%s: key %u was changed", what, i);
	}
	sdc_free(work);
	sdc_free(tied);
	sdc_free(order);
	sdc_free(copy);
	sdc_free(item);
	/* one tie word for all */
	if (tie != NULL)
		check_order(what, key, record, n, NULL);
}

/* Kinds of keys: what a column can look like, and what hurts. */
typedef enum Kind
{
	ANY_BITS, UNIFORM, ALL_EQUAL, TWO_VALUES, HUNDRED_VALUES, ASCENDING,
	DESCENDING, SMALL_RANGE, ALL_BUT_ONE, ALL_BUT_ONE_LOW_BITS, PAIRS_LOW_BIT,
	EXTREMES, NEAR_TOP, FEW_LOW_BITS, CLUSTERS, KINDS
} Kind;

static const char *const kind_name[KINDS] = {
	"any bits", "uniform", "all equal", "two values", "hundred values",
	"ascending", "descending", "small range", "equal but for one far",
	"range of 2^40 with one at 2^63", "pairs that differ in the last bit",
	"0 and 2^64 - 1", "near 2^64", "33 bits with few values", "clusters"
};

/* make_key draws one key of a kind. */
static uint64
make_key(Kind kind, uint32 i, uint32 n)
{
	uint64		r = random64();

	switch (kind)
	{
		case UNIFORM:
			return sdc_sortkey_from_float8((double) (r >> 11) * 0x1p-53);
		case TWO_VALUES:
			return sdc_sortkey_from_float8(r % 2);
		case HUNDRED_VALUES:
			return sdc_sortkey_from_float8((double) (r % 100) - 50);
		case ASCENDING:
			return UINT64_C(1) << 40 | i;
		case DESCENDING:
			return (uint64) (n - i) << 33;
		case SMALL_RANGE:
			return 1000 + r % 300;
		case ALL_BUT_ONE:
			return i == n / 2 ? UINT64_MAX : 5;
		case ALL_BUT_ONE_LOW_BITS:
			return i == n / 2 ? UINT64_C(1) << 63 : r >> 32;
		case PAIRS_LOW_BIT:
			return (r % (n / 2 + 1)) << 40 | (r >> 63);
		case EXTREMES:
			return r % 2 ? UINT64_MAX : 0;
		case NEAR_TOP:
			return UINT64_MAX - r % 5000;
		case FEW_LOW_BITS:
			return (r >> 63) << 32 | (r % 3);
		case CLUSTERS:
			return (r % 4) << 62 | (r >> 60) << 30 | (r >> 33) % 7;
		case ALL_EQUAL:
			return 77;
		default:
			return r;
	}
}

/* check_kind sorts n keys of a kind, with ties of two kinds and a subset. */
static void
check_kind(Kind kind, uint32 n)
{
	uint64	   *key = sdc_alloc(n * sizeof(uint64));
	uint32	   *record = sdc_alloc(n * sizeof(uint32));
	uint32	   *tie = sdc_alloc(3 * (n + 1) * sizeof(uint32));

	memset(key, 0, n * sizeof(uint64));
	for (uint32 i = 0; i < 3 * (n + 1); i++)
		tie[i] = (uint32) random64();
	for (uint32 i = 0; i < n; i++)
	{
		key[i] = make_key(kind, i, n);
		record[i] = 3 * i + (uint32) (random64() % 3);
	}
	check_order(kind_name[kind], key, NULL, n, tie);
	check_order(kind_name[kind], key, record, n, tie);

	/* tie words that tie themselves: the record decides */
	for (uint32 i = 0; i < 3 * (n + 1); i++)
		tie[i] = (uint32) (random64() % 3) * UINT32_C(0x7FFFFFFF);
	check_order(kind_name[kind], key, NULL, n, tie);
	check_order(kind_name[kind], key, record, n, tie);
	sdc_free(tie);
	sdc_free(record);
	sdc_free(key);
}

/* small_sizes sorts all kinds at sizes 0 .. 70. */
static void
small_sizes(void)
{
	for (uint32 n = 0; n <= 70; n++)
	{
		for (int kind = 0; kind < KINDS; kind++)
			check_kind((Kind) kind, n);
	}
}

/* middle_sizes sorts around the sizes at which the method changes. */
static void
middle_sizes(void)
{
	static const uint32 n[] = {255, 256, 1000, 4095, 4096, 4097, 8192, 9001};

	for (uint32 i = 0; i < LENGTH(n); i++)
	{
		for (int kind = 0; kind < KINDS; kind++)
			check_kind((Kind) kind, n[i]);
	}
}

/* large_sizes sorts 40,000 of each kind. */
static void
large_sizes(void)
{
	for (int kind = 0; kind < KINDS; kind++)
		check_kind((Kind) kind, MAX_N);
}

/* compare_float8 is the order of float8 in PostgreSQL's btree. */
static int
compare_float8(double a, double b)
{
	if (isnan(a) || isnan(b))
		return isnan(a) - isnan(b) == 0 ? 0 : (isnan(a) ? 1 : -1);
	return (a > b) - (a < b);
}

/* float8_keys compares all pairs of remarkable numbers and random ones. */
static void
float8_keys(void)
{
	double		value[300] = {
		0.0, -0.0, 1.0, -1.0, 4.9e-324, -4.9e-324, 2e-310, -2e-310,
		DBL_MIN, -DBL_MIN, DBL_MAX, -DBL_MAX, DBL_EPSILON, INFINITY, -INFINITY,
		NAN, -NAN, 1.5, nextafter(1.5, 2), nextafter(1.5, 1), 1e300, -1e300
	};
	const int	fixed = 22;

	for (int i = fixed; i < 300; i++)
	{
		uint64		bits = random64();

		if (i < 40)
			bits |= UINT64_C(0x7FF0000000000001);	/* NaN, any payload */
		memcpy(&value[i], &bits, sizeof(double));
	}
	for (int i = 0; i < 300; i++)
	{
		for (int j = 0; j < 300; j++)
		{
			uint64		a = sdc_sortkey_from_float8(value[i]);
			uint64		b = sdc_sortkey_from_float8(value[j]);

			CHECKF((a > b) - (a < b) == compare_float8(value[i], value[j]),
				   "%a and %a", value[i], value[j]);
		}
	}
}

/* int64_keys compares pairs of integers. */
static void
int64_keys(void)
{
	static const int64 value[] = {INT64_MIN, INT64_MIN + 1, -1000, -1, 0, 1, 2,
	INT64_C(1) << 32, INT64_MAX - 1, INT64_MAX};

	for (uint32 i = 0; i < LENGTH(value); i++)
	{
		for (uint32 j = 0; j < LENGTH(value); j++)
			CHECK((sdc_sortkey_from_int64(value[i]) <
				   sdc_sortkey_from_int64(value[j])) == (i < j));
	}
}

/* float8_order sorts a column with every special value. */
static void
float8_order(void)
{
	static const double special[] = {0.0, -0.0, NAN, -NAN, INFINITY, -INFINITY,
	4.9e-324, -4.9e-324, 1.0, DBL_MAX};
	static uint64 key[5000];
	static uint32 tie[5000];

	for (uint32 i = 0; i < 5000; i++)
	{
		uint64		r = random64();

		tie[i] = (uint32) random64();
		key[i] = sdc_sortkey_from_float8(r % 2 ? special[r / 2 % 10] :
										 (double) (int64) r * 0x1p-60);
	}
	check_order("special values", key, NULL, 5000, tie);
	check_order("special values", key, NULL, 37, tie);
}

/* memory_is_small is the promise of the header. */
static void
memory_is_small(void)
{
	CHECK(sdc_rankorder_memory(1000000) <= 16 * 1000000 + 32768);
	CHECK(sdc_rankorder_memory(UINT32_MAX) >= (Size) 16 * UINT32_MAX);
}

/* main runs the tests. */
int
main(void)
{
	RUN(float8_keys);
	RUN(int64_keys);
	RUN(small_sizes);
	RUN(middle_sizes);
	RUN(large_sizes);
	RUN(float8_order);
	RUN(memory_is_small);
	return tap_done();
}
