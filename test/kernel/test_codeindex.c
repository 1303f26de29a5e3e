/*-------------------------------------------------------------------------
 *
 * test_codeindex.c
 *		Combinations of codes are numbered and found as by comparing all pairs of records.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include "kernel/base/codeindex.h"

#include "random.h"
#include "tap.h"

#define MOST 120
#define COLUMNS 4

/* A file of a few records. */
typedef struct File
{
	uint32		code[COLUMNS][MOST];
	SdcCodedColumn column[COLUMNS];
	SdcCodedFile coded;
} File;

/* make_file draws a file with so many codes a column, and missing values. */
static void
make_file(File *file, uint32 records, const uint32 *codes)
{
	file->coded = (SdcCodedFile) {records, COLUMNS, file->column};
	for (int j = 0; j < COLUMNS; j++)
	{
		file->column[j] = (SdcCodedColumn) {file->code[j], codes[j]};
		for (uint32 i = 0; i < records; i++)
			file->code[j][i] = pick(6) == 0 ? SDC_CODE_NULL : pick(codes[j]);
	}
}

/* agree tells whether two records agree in the first columns. */
static bool
agree(const File *a, uint32 i, const File *b, uint32 k, int columns)
{
	for (int j = 0; j < columns; j++)
		if (a->code[j][i] != b->code[j][k])
			return false;
	return true;
}

/* first_like is the first record of a file that agrees with a record, or its number of records. */
static uint32
first_like(const File *in, const File *of, uint32 record, int columns)
{
	uint32		i = 0;

	while (i < in->coded.records && !agree(in, i, of, record, columns))
		i++;
	return i;
}

/* check_index compares an index with a look at all pairs. */
static void
check_index(const SdcCodeIndex *index, const File *file, const File *other, const uint32 *number)
{
	uint32		next = 0;

	for (uint32 i = 0; i < file->coded.records; i++)
	{
		uint32		first = first_like(file, file, i, index->columns);

		CHECK(number[i] == (first == i ? next : number[first]));
		if (first == i)
			CHECK(index->first[next++] == i);
	}
	CHECK(index->count == next);
	for (uint32 i = 0; i < other->coded.records; i++)
	{
		uint32		first = first_like(file, other, i, index->columns);

		CHECK(sdc_codeindex_find(index, &other->coded, i) ==
			  (first == file->coded.records ? SDC_CODEINDEX_NONE : number[first]));
	}
}

/* Small files of all kinds, by any number of columns. */
static void
small_files_agree(void)
{
	static File file;
	static File other;

	for (uint32 round = 0; round < 3000; round++)
	{
		uint32		codes[COLUMNS];
		uint32		number[MOST];
		SdcCodeIndex index;

		random_state = round;
		for (int j = 0; j < COLUMNS; j++)
			codes[j] = 1 + pick(1 + pick(8));
		make_file(&file, pick(MOST + 1), codes);
		make_file(&other, pick(MOST + 1), codes);
		sdc_codeindex_create(&index, &file.coded, (int) pick(COLUMNS + 1), number);
		check_index(&index, &file, &other, number);
		sdc_codeindex_destroy(&index);
	}
}

int
main(void)
{
	RUN(small_files_agree);
	return tap_done();
}
