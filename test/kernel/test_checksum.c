/*-------------------------------------------------------------------------
 *
 * test_checksum.c
 *		Golden values of the checksum, and that it notices changes.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include "kernel/base/checksum.h"

#pragma GCC diagnostic ignored "-Wunused-const-variable"
#include "golden.h"
#include "tap.h"

/* checksum_of is the checksum of one string of bytes. */
static uint64
checksum_of(const void *bytes, Size length)
{
	SdcChecksum sum = {SDC_CHECKSUM_INIT};

	sdc_checksum_bytes(&sum, bytes, length);
	return sum.state;
}

/* golden_values compares with golden.py. */
static void
golden_values(void)
{
	static const char *const text[] = {"", "a", "abcdefgh",
	"abcdefghijklmno"};
	SdcChecksum sum = {SDC_CHECKSUM_INIT};
	uint8		all[256];

	CHECK(sum.state == golden_checksum[0]);
	for (int i = 0; i < 4; i++)
	{
		sdc_checksum_bytes(&sum, text[i], strlen(text[i]));
		CHECKF(sum.state == golden_checksum[i + 1], "\"%s\"", text[i]);
	}
	for (int i = 0; i < 256; i++)
		all[i] = (uint8) i;
	sdc_checksum_bytes(&sum, all, sizeof(all));
	CHECK(sum.state == golden_checksum[5]);
}

/* A column as it is summed: either numbers or texts, where NULL stands for a null. */
typedef struct Column
{
	const char *name;
	const char *const *text;
	const int64 *number;
	int			null;			/* the number in this place is a null; -1: none is */
} Column;

/* add_value adds a value, or a null, which has two words of its own. */
static void
add_value(SdcChecksum *sum, const Column *column, int place)
{
	if (column->text != NULL ? column->text[place] == NULL : column->null == place)
	{
		sdc_checksum_word(sum, UINT64_C(0x4E554C4C4E554C4C));
		sdc_checksum_word(sum, UINT64_C(0x6E756C6C6E756C6C));
	}
	else if (column->text != NULL)
		sdc_checksum_bytes(sum, column->text[place], strlen(column->text[place]));
	else
		sdc_checksum_word(sum, (uint64) column->number[place]);
}

/* table_sum is the checksum of a table: how many records, then each column's name and sum. */
static uint64
table_sum(int records, const Column *columns, int count)
{
	SdcChecksum sum = {SDC_CHECKSUM_INIT};

	sdc_checksum_word(&sum, (uint64) records);
	for (int i = 0; i < count; i++)
	{
		SdcChecksum values = {SDC_CHECKSUM_INIT};

		for (int r = 0; r < records; r++)
			add_value(&values, &columns[i], r);
		sdc_checksum_bytes(&sum, columns[i].name, strlen(columns[i].name));
		sdc_checksum_word(&sum, values.state);
	}
	return sum.state;
}

/* golden_tables compares tables with golden.py. */
static void
golden_tables(void)
{
	static const int64 id[] = {1, 2, 3, 4, 5};
	static const int64 a[] = {10, -20, 0, 40, 0};
	static const char *const text[] = {"ant", "", NULL, "a longer text", "abcdefgh"};
	Column		columns[] = {{"id", NULL, id, -1}, {"a", NULL, a, 2}, {"gr\303\266\303\237e", text, NULL, -1}};

	CHECK(table_sum(5, columns, 3) == golden_checksum_table[0]);
	CHECK(table_sum(5, columns, 2) == golden_checksum_table[1]);
	CHECK(table_sum(0, columns, 3) == golden_checksum_table[3]);
	columns[1].name = "b";
	CHECK(table_sum(5, columns, 2) == golden_checksum_table[2]);
	CHECK(golden_checksum_table[1] != golden_checksum_table[2]);
}

/* alignment_does_not_matter reads the same bytes at eight places. */
static void
alignment_does_not_matter(void)
{
	char		room[64];
	const char *text = "the quick brown fox jumps";
	uint64		expected = checksum_of(text, 25);

	for (int i = 0; i < 8; i++)
	{
		memcpy(room + i, text, 25);
		CHECKF(checksum_of(room + i, 25) == expected, "offset %d", i);
	}
}

/* changes_are_noticed flips every bit, cuts, appends zeros and exchanges. */
static void
changes_are_noticed(void)
{
	uint8		bytes[40] = {0};
	SdcChecksum ab = {SDC_CHECKSUM_INIT};
	SdcChecksum ba = {SDC_CHECKSUM_INIT};

	for (Size length = 0; length < 40; length++)
	{
		uint64		before = checksum_of(bytes, length);

		CHECKF(before != checksum_of(bytes, length + 1), "%zu zeros", length);
		for (Size bit = 0; bit < 8 * length; bit++)
		{
			bytes[bit / 8] ^= (uint8) (1 << (bit % 8));
			CHECKF(before != checksum_of(bytes, length), "bit %zu", bit);
			bytes[bit / 8] ^= (uint8) (1 << (bit % 8));
		}
	}

	sdc_checksum_bytes(&ab, "ab", 2);
	sdc_checksum_bytes(&ab, "c", 1);
	sdc_checksum_bytes(&ba, "a", 1);
	sdc_checksum_bytes(&ba, "bc", 2);
	CHECK(ab.state != ba.state);
	ab.state = ba.state = SDC_CHECKSUM_INIT;
	sdc_checksum_word(&ab, 1);
	sdc_checksum_word(&ab, 2);
	sdc_checksum_word(&ba, 2);
	sdc_checksum_word(&ba, 1);
	CHECK(ab.state != ba.state);
}

/* main runs the tests. */
int
main(void)
{
	RUN(golden_values);
	RUN(golden_tables);
	RUN(alignment_does_not_matter);
	RUN(changes_are_noticed);
	return tap_done();
}
