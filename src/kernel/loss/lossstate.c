/*-------------------------------------------------------------------------
 *
 * lossstate.c
 *		Information loss from a stream of records, in a state that can be merged.
 *
 * The state has the moments of the records so far (moments.c) and a buffer of the
 * last few.  A full buffer is a small file: its moments are computed exactly, in two
 * passes, and merged with the others.  So no record, be it the first, is ever taken for
 * the place where the data are; data far from 0, outliers and any order of records and
 * merges do no harm.  All missing values are known before a record counts.
 *
 * Per record: O(attributes^2) products, a merge of tables for BUFFER of them.
 * Memory: about 250 bytes a pair of attributes and 700 an attribute, in one piece
 * without pointers, aligned for doubles.  Determined by the records, their order and
 * that of the merges; other orders differ in the last digits.
 *
 * States also come from outside.  sdc_lossstate_valid looks at what loops and sizes
 * depend on; wrong moments make wrong measures and nothing worse.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include "kernel/base/bitset.h"
#include "kernel/base/moments.h"
#include "kernel/loss/lossstate.h"
#include "kernel/loss/lossterms.h"

/* Records in the buffer.  Fewer make a merge a larger part of the work, more a larger state. */
#define BUFFER 32

/* The first bytes of a state; another number for another layout. */
#define MAGIC UINT32_C(0x53444C32)

/* The tables and the buffer (attributes of the original, of the protected file) follow. */
struct SdcLossState
{
	uint32		magic;
	int32		attributes;
	uint64		records;		/* in the table */
	uint32		buffered;		/* records in the buffer, below BUFFER */
	uint32		unused;			/* 0 */
};

/* buffer_size is the size of the buffer. */
static inline Size
buffer_size(int attributes)
{
	return sizeof(double) * BUFFER * SDC_MOMENTS_FILES * (Size) attributes;
}

/* sdc_lossstate_size: see lossstate.h. */
Size
sdc_lossstate_size(int attributes)
{
	return sizeof(SdcLossState) + sdc_moments_table_size(attributes) + buffer_size(attributes);
}

/* map_table finds the table of a state. */
static void
map_table(const SdcLossState *state, SdcMomentsTable *table)
{
	sdc_moments_table_map((void *) (state + 1), state->attributes, table);
	table->records = state->records;
}

/* buffer_column is where the buffer has an attribute of a file. */
static inline double *
buffer_column(const SdcLossState *state, int file, int attribute)
{
	double	   *buffer = (double *) ((char *) (state + 1) +
									 sdc_moments_table_size(state->attributes));

	return buffer + ((Size) file * (Size) state->attributes + (Size) attribute) * BUFFER;
}

/* sdc_lossstate_init makes a state without records. */
void
sdc_lossstate_init(SdcLossState *state, int attributes)
{
	SDC_ASSERT(attributes >= 1 && attributes <= SDC_LOSSSTATE_ATTRIBUTES);
	memset(state, 0, sdc_lossstate_size(attributes));
	state->magic = MAGIC;
	state->attributes = attributes;
}

/* sdc_lossstate_attributes: see lossstate.h. */
int
sdc_lossstate_attributes(const SdcLossState *state)
{
	return state->attributes;
}

/* fill_block computes the moments of the buffer. */
static void
fill_block(const SdcLossState *state, SdcMomentsTable *block)
{
	int			k = state->attributes;
	Size		words = sdc_bitset_words(BUFFER);
	uint64	   *present[SDC_MOMENTS_FILES];
	const double **column = sdc_alloc_array(const double *, k);

	block->records = state->buffered;
	for (int file = 0; file < SDC_MOMENTS_FILES; file++)
	{
		present[file] = sdc_alloc_matrix(uint64, k, words);
		for (int j = 0; j < k; j++)
		{
			column[j] = buffer_column(state, file, j);
			sdc_moments_presence(column[j], block->records, present[file] + (Size) j * words);
		}
		sdc_moments_file(column, NULL, file, sdc_moments_words(file), block);
	}
	sdc_moments_lost(present[SDC_MOMENTS_ORIGINAL], present[SDC_MOMENTS_PROTECTED], NULL, block);
	memset(block->cells, 0, sizeof(SdcMomentsCells) * (Size) k);
	for (int j = 0; j < k; j++)
		sdc_moments_cells(buffer_column(state, SDC_MOMENTS_ORIGINAL, j), buffer_column(state, SDC_MOMENTS_PROTECTED, j),
						  NULL, block->records, &block->cells[j]);
	sdc_free(column);
	sdc_free(present[SDC_MOMENTS_PROTECTED]);
	sdc_free(present[SDC_MOMENTS_ORIGINAL]);
}

/* sdc_lossstate_flush merges the moments of the buffer, and forgets its records. */
void
sdc_lossstate_flush(SdcLossState *state)
{
	SdcMomentsTable table;
	SdcMomentsTable block;
	void	   *memory;

	if (state->buffered == 0)
		return;
	memory = sdc_alloc(sdc_moments_table_size(state->attributes));
	sdc_moments_table_map(memory, state->attributes, &block);
	fill_block(state, &block);
	map_table(state, &table);
	sdc_moments_merge(&table, &block);
	state->records = table.records;
	state->buffered = 0;
	memset(buffer_column(state, 0, 0), 0, buffer_size(state->attributes));
	sdc_free(memory);
}

/* sdc_lossstate_add: see lossstate.h. */
void
sdc_lossstate_add(SdcLossState *state, const double *original, const double *protected)
{
	double	   *x = buffer_column(state, SDC_MOMENTS_ORIGINAL, 0) + state->buffered;
	double	   *y = buffer_column(state, SDC_MOMENTS_PROTECTED, 0) + state->buffered;

	for (int j = 0; j < state->attributes; j++)
	{
		x[(Size) j * BUFFER] = original[j];
		y[(Size) j * BUFFER] = protected[j];
	}
	if (++state->buffered == BUFFER)
		sdc_lossstate_flush(state);
}

/* add_buffer adds the records in the buffer of another state. */
static void
add_buffer(SdcLossState *state, const SdcLossState *other)
{
	int			k = state->attributes;
	double	   *original = sdc_alloc_array(double, k);
	double	   *protected = sdc_alloc_array(double, k);

	for (uint32 i = 0; i < other->buffered; i++)
	{
		for (int j = 0; j < k; j++)
		{
			original[j] = buffer_column(other, SDC_MOMENTS_ORIGINAL, j)[i];
			protected[j] = buffer_column(other, SDC_MOMENTS_PROTECTED, j)[i];
		}
		sdc_lossstate_add(state, original, protected);
	}
	sdc_free(protected);
	sdc_free(original);
}

/* sdc_lossstate_merge: see lossstate.h. */
void
sdc_lossstate_merge(SdcLossState *state, const SdcLossState *other)
{
	SdcMomentsTable table;
	SdcMomentsTable others;

	SDC_ASSERT(state->attributes == other->attributes && state != other);
	map_table(state, &table);
	map_table(other, &others);
	sdc_moments_merge(&table, &others);
	state->records = table.records;
	add_buffer(state, other);
}

/* sdc_lossstate_measure works on a copy, as the buffer belongs to the measures. */
void
sdc_lossstate_measure(const SdcLossState *state, SdcLoss *loss)
{
	Size		size = sdc_lossstate_size(state->attributes);
	SdcLossState *copy = sdc_alloc(size);
	SdcMomentsTable table;

	memcpy(copy, state, size);
	sdc_lossstate_flush(copy);
	map_table(copy, &table);
	sdc_lossterms_measure(&table, true, NULL, NULL, loss);
	sdc_free(copy);
}

/* sdc_lossstate_valid: see lossstate.h.  The bytes need no alignment. */
bool
sdc_lossstate_valid(const void *bytes, Size size)
{
	SdcLossState head;

	if (size < sizeof(head))
		return false;
	memcpy(&head, bytes, sizeof(head));
	return head.magic == MAGIC &&
		head.attributes >= 1 && head.attributes <= SDC_LOSSSTATE_ATTRIBUTES &&
		size == sdc_lossstate_size(head.attributes) &&
		head.buffered < BUFFER && head.unused == 0;
}
