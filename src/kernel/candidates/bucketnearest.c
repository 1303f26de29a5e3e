/*-------------------------------------------------------------------------
 *
 * bucketnearest.c
 *		The nearest records of a bucket, where distance is all there is to tell them apart.
 *
 * This is linkage by distance (nearest.h) with the records of the bucket, which are counted by their
 * places in it.  Number i of the originals there is the original of record i, so that a link to it
 * is correct.  Originals of the bucket whose own record is not in it, which happens only when
 * what is said to be copied is not, come after the others, under numbers that are left.
 *
 * Time and memory: those of nearest.c.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include "kernel/candidates/bucketnearest.h"
#include "kernel/distance/nearest.h"

/* The bucket as two files. */
typedef struct BucketFiles
{
	SdcConditions *conditions;
	uint32		first;			/* place */
	uint32		count;			/* protected records */
	int			columns;
	SdcPairs	pairs;
	SdcPairColumn *column;		/* those of the trees */
	uint32	  **original;		/* by column */
	uint32	  **protected;
	SdcMetricSpace space;
	uint32	   *asked;			/* by number: index of the caller, or none */
	uint32	   *number;			/* of those that are asked for, ascending */
	SdcLink    *link;			/* of these */
} BucketFiles;

/* start_files takes the protected records of the bucket. */
static void
start_files(BucketFiles *files)
{
	SdcConditions *conditions = files->conditions;

	files->columns = conditions->trees;
	files->column = sdc_alloc_array(SdcPairColumn, files->columns);
	files->original = sdc_alloc_array(uint32 *, files->columns);
	files->protected = sdc_alloc_array(uint32 *, files->columns);
	files->pairs = (SdcPairs) {files->count, files->columns, files->column};
	files->space = *conditions->space;
	files->space.pairs = &files->pairs;
	files->space.attribute = sdc_alloc_array(int, files->columns);
	for (int a = 0; a < files->columns; a++)
	{
		const SdcPairColumn *column = &conditions->pair[conditions->tree[a]];

		files->original[a] = sdc_alloc_array(uint32, files->count);
		files->protected[a] = sdc_alloc_array(uint32, files->count);
		files->column[a] = (SdcPairColumn) {files->original[a], files->protected[a],
		column->codes, column->value};
		for (uint32 i = 0; i < files->count; i++)
		{
			sdc_interrupts_spend(&conditions->credit, 1);
			files->protected[a][i] = column->protected[conditions->order[files->first + i]];
		}
		for (int d = 0; d < files->space.dimensions; d++)
			if (conditions->space->attribute[d] == conditions->tree[a])
				files->space.attribute[d] = a;
	}
	files->asked = sdc_alloc_array(uint32, files->count);
	files->number = sdc_alloc_array(uint32, files->count);
	files->link = sdc_alloc_array(SdcLink, files->count);
}

/* end_files frees what start_files allocated. */
static void
end_files(BucketFiles *files)
{
	for (int a = 0; a < files->columns; a++)
	{
		sdc_free(files->protected[a]);
		sdc_free(files->original[a]);
	}
	sdc_free(files->link);
	sdc_free(files->number);
	sdc_free(files->asked);
	sdc_free(files->space.attribute);
	sdc_free(files->protected);
	sdc_free(files->original);
	sdc_free(files->column);
}

/* clear_asked begins with no original. */
static void
clear_asked(BucketFiles *files)
{
	for (uint32 i = 0; i < files->count; i++)
	{
		sdc_interrupts_spend(&files->conditions->credit, 1);
		files->asked[i] = SDC_RECORD_NONE;
	}
}

/* write_links translates the links of the originals that were asked for. */
static void
write_links(const BucketFiles *files, uint32 asked, bool own, SdcCandidatesLink *link)
{
	const uint32 *order = files->conditions->order + files->first;

	for (uint32 i = 0; i < asked; i++)
	{
		SdcCandidatesLink *to = &link[files->asked[files->number[i]]];

		*to = (SdcCandidatesLink) {files->link[i], own};
		to->link.candidates = files->count;
		if (to->link.ties == 0)
		{
			/* far from all of them, or near: nobody knows */
			to->link.ties = files->count;
			to->link.linked = order[0];
			to->link.correct = own;
			continue;
		}
		to->link.linked = order[to->link.linked];
		to->link.correct = own && to->link.correct;
	}
}

/* link_asked links the originals that are asked for. */
static void
link_asked(BucketFiles *files, const uint32 *record, bool own, SdcCandidatesLink *link)
{
	SdcConditions *conditions = files->conditions;
	uint32		asked = 0;

	for (uint32 i = 0; i < files->count; i++)
	{
		sdc_interrupts_spend(&conditions->credit, 1);
		if (files->asked[i] == SDC_RECORD_NONE)
			continue;
		for (int a = 0; a < files->columns; a++)
			files->original[a][i] =
				conditions->pair[conditions->tree[a]].original[record[files->asked[i]]];
		files->link[asked].linked = SDC_RECORD_NONE;
		files->number[asked++] = i;
	}
	if (asked == 0)
		return;
	sdc_nearest_run(&files->space, files->number, asked, NULL, files->link);
	write_links(files, asked, own, link);
}

/* sdc_bucketnearest_run: see bucketnearest.h. */
void
sdc_bucketnearest_run(SdcConditions *conditions, uint32 bucket, const uint32 *record,
					  uint32 count, SdcCandidatesLink *link)
{
	BucketFiles files = {.conditions = conditions, .first = conditions->bucket_start[bucket]};
	uint32		end = conditions->bucket_start[bucket + 1];
	uint32	   *strange = sdc_alloc_array(uint32, count);
	uint32		strangers = 0;

	files.count = end - files.first;
	start_files(&files);
	clear_asked(&files);
	for (uint32 i = 0; i < count; i++)
	{
		uint32		place = conditions->place[record[i]];

		sdc_interrupts_spend(&conditions->credit, 1);
		if (place >= files.first && place < end)
			files.asked[place - files.first] = i;
		else
			strange[strangers++] = i;
	}
	link_asked(&files, record, true, link);
	for (uint32 done = 0, part; done < strangers; done += part)
	{
		part = strangers - done < files.count ? strangers - done : files.count;
		clear_asked(&files);
		memcpy(files.asked, strange + done, (Size) part * sizeof(uint32));
		link_asked(&files, record, false, link);
	}
	end_files(&files);
	sdc_free(strange);
}
