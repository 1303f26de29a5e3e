/*-------------------------------------------------------------------------
 *
 * wildgroups.c
 *		How many records a record is like when a missing value is like every other one.
 *
 * Equal records are a group.  Groups that miss the same columns are only like themselves among each other; those that
 * miss others are looked for by the columns that both have.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include "kernel/base/codeindex.h"
#include "kernel/groups/wildgroups.h"

/* All groups, in the order of which columns they miss. */
typedef struct WildGroups
{
	const SdcCodedFile *coded;
	uint32		groups;
	const uint32 *record;		/* one of each */
	uint64	   *size;
	uint64	   *like;			/* records that those of it are like, as far as it was counted */
	uint32		patterns;		/* groups that miss the same columns: */
	uint32	   *start;			/* pattern p has member[start[p]] .. member[start[p + 1] - 1] */
	uint32	   *member;
} WildGroups;

/* take_codes copies what the groups of a pattern have in the columns that two patterns have; their number. */
static int
take_codes(const WildGroups *w, uint32 pattern, uint32 other, SdcCodedColumn *column)
{
	uint32		count = w->start[pattern + 1] - w->start[pattern];
	uint32		record = w->record[w->member[w->start[pattern]]];
	uint32		of_other = w->record[w->member[w->start[other]]];
	int			columns = 0;

	for (int j = 0; j < w->coded->attributes; j++)
	{
		const uint32 *code = w->coded->column[j].code;
		uint32	   *copy;

		if (code[record] == SDC_CODE_NULL || code[of_other] == SDC_CODE_NULL)
			continue;
		copy = sdc_alloc_array(uint32, count);
		for (uint32 i = 0; i < count; i++)
		{
			sdc_interrupts_step(i);
			copy[i] = code[w->record[w->member[w->start[pattern] + i]]];
		}
		column[columns++] = (SdcCodedColumn) {copy, w->coded->column[j].codes};
	}
	return columns;
}

/* free_codes frees these copies. */
static void
free_codes(const SdcCodedColumn *column, int columns)
{
	for (int j = 0; j < columns; j++)
		sdc_free((void *) (uintptr_t) column[j].code);
}

/* count_pair counts for the groups of a pattern the records of those of another one that they are like. */
static void
count_pair(WildGroups *w, uint32 pattern, uint32 other, SdcCodedColumn *column, SdcCodedColumn *of_other)
{
	uint32		count = w->start[pattern + 1] - w->start[pattern];
	uint32		others = w->start[other + 1] - w->start[other];
	int			columns = take_codes(w, pattern, other, column);
	SdcCodedFile looking = {count, columns, column};
	SdcCodedFile found = {others, take_codes(w, other, pattern, of_other), of_other};
	uint32	   *number = sdc_alloc_array(uint32, others);
	SdcCodeIndex index;
	uint64	   *sum;

	sdc_codeindex_create(&index, &found, columns, number);
	sum = sdc_alloc_zeros(uint64, index.count);
	for (uint32 i = 0; i < others; i++)
		sum[number[i]] += w->size[w->member[w->start[other] + i]];
	for (uint32 i = 0; i < count; i++)
	{
		uint32		like = sdc_codeindex_find(&index, &looking, i);

		sdc_interrupts_step(i);
		if (like != SDC_CODEINDEX_NONE)
			w->like[w->member[w->start[pattern] + i]] += sum[like];
	}
	sdc_codeindex_destroy(&index);
	sdc_free(sum);
	sdc_free(number);
	free_codes(column, columns);
	free_codes(of_other, columns);
}

/* find_patterns puts the groups in the order of which columns they miss. */
static void
find_patterns(WildGroups *w)
{
	int			columns = w->coded->attributes;
	SdcCodedColumn *missing = sdc_alloc_array(SdcCodedColumn, columns);
	SdcCodedFile file = {w->groups, columns, missing};
	uint32	   *pattern = sdc_alloc_array(uint32, w->groups);
	SdcCodeIndex index;

	for (int j = 0; j < columns; j++)
	{
		uint32	   *code = sdc_alloc_array(uint32, w->groups);

		for (uint32 g = 0; g < w->groups; g++)
		{
			sdc_interrupts_step(g);
			code[g] = w->coded->column[j].code[w->record[g]] == SDC_CODE_NULL;
		}
		missing[j] = (SdcCodedColumn) {code, 2};
	}
	sdc_codeindex_create(&index, &file, columns, pattern);
	w->patterns = index.count;
	sdc_codeindex_destroy(&index);
	free_codes(missing, columns);
	sdc_free(missing);
	w->start = sdc_alloc_zeros(uint32, (uint64) w->patterns + 2);
	w->member = sdc_alloc_array(uint32, w->groups);
	for (uint32 g = 0; g < w->groups; g++)
		w->start[pattern[g] + 2]++;
	for (uint32 p = 0; p < w->patterns; p++)
		w->start[p + 2] += w->start[p + 1];
	for (uint32 g = 0; g < w->groups; g++)
		w->member[w->start[pattern[g] + 1]++] = g;
	sdc_free(pattern);
}

/* sdc_wildgroups_least: see wildgroups.h. */
uint64
sdc_wildgroups_least(const SdcCodedFile *coded)
{
	WildGroups	w = {.coded = coded};
	SdcCodedColumn *column = sdc_alloc_matrix(SdcCodedColumn, 2, coded->attributes);
	uint32	   *group = sdc_alloc_array(uint32, coded->records);
	uint64		least = 0;
	SdcCodeIndex index;

	sdc_codeindex_create(&index, coded, coded->attributes, group);
	w.groups = index.count;
	w.record = index.first;
	w.size = sdc_alloc_zeros(uint64, w.groups);
	w.like = sdc_alloc_array(uint64, w.groups);
	for (uint32 i = 0; i < coded->records; i++)
		w.size[group[i]]++;
	sdc_free(group);
	find_patterns(&w);
	memcpy(w.like, w.size, w.groups * sizeof(uint64));
	for (uint32 p = 0; p < w.patterns; p++)
		for (uint32 q = 0; q < w.patterns; q++)
		{
			SDC_REPORT((uint64) p * w.patterns + q, (uint64) w.patterns * w.patterns);
			if (p != q)
				count_pair(&w, p, q, column, column + coded->attributes);
		}
	for (uint32 g = 0; g < w.groups; g++)
		if (g == 0 || w.like[g] < least)
			least = w.like[g];
	sdc_codeindex_destroy(&index);
	sdc_free(column);
	sdc_free(w.size);
	sdc_free(w.like);
	sdc_free(w.start);
	sdc_free(w.member);
	return least;
}
