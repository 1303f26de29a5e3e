/*-------------------------------------------------------------------------
 *
 * histogramdistance.c
 *		How far the joint histogram of a protected file is from that of the original one.
 *
 * Histograms have a box for each combination of intervals; only those are made that a record of
 * either file is in.  The total variation is half the sum over the boxes of the differences
 * between the shares of the two files, a whole number over 2 n: exact but for one division.
 *
 * Time: linear in records times attributes (boxes.c).  Memory: 88 bytes a record.  Determined by the
 * values, whatever their order.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include "kernel/base/boxes.h"
#include "kernel/base/scale.h"
#include "kernel/bins/equiwidth.h"
#include "kernel/bins/histogramdistance.h"

/* add_column adds an attribute of both files to the boxes; the original one makes the grid. */
static void
add_column(SdcBoxes *boxes, const double *original, const double *protected, uint32 records,
		   uint32 intervals)
{
	uint64	   *column = sdc_boxes_column(boxes);
	const double *value = original;
	double		low;
	double		high;
	double		range;
	SdcEquiwidthTask grid = {0};

	if (sdc_scale_limits(original, records, &low, &high) == 0)
		low = high = 0;
	range = high - low;
	grid.value = &value;
	grid.attributes = 1;
	grid.records = records;
	grid.low = &low;
	grid.range = &range;
	grid.intervals = intervals;
	(void) sdc_equiwidth_indices(&grid, 0, column);
	value = protected;
	sdc_boxes_add(boxes, sdc_equiwidth_indices(&grid, 0, column + records));
}

/* sdc_histogramdistance_variation: see histogramdistance.h. */
double
sdc_histogramdistance_variation(const double *const *original, const double *const *protected,
								int attributes, uint32 records, uint32 intervals)
{
	SdcBoxes   *boxes;
	uint32	   *box;
	int64	   *surplus;		/* of original records in each box */
	uint32		count;
	uint64		sum = 0;

	SDC_ASSERT(records <= UINT32_MAX / 2 && intervals > 0);
	if (records == 0)
		return 0;
	boxes = sdc_boxes_create(2 * records);
	for (int a = 0; a < attributes; a++)
	{
		SDC_REPORT(a, attributes + 1);
		add_column(boxes, original[a], protected[a], records, intervals);
	}
	box = sdc_alloc_matrix(uint32, 2, records);
	count = sdc_boxes_number(boxes, NULL, 0, box);
	sdc_boxes_destroy(boxes);
	surplus = sdc_alloc_zeros(int64, count);
	for (uint32 r = 0; r < records; r++)
	{
		sdc_interrupts_step(r);
		surplus[box[r]]++;
		surplus[box[records + r]]--;
	}
	for (uint32 b = 0; b < count; b++)
	{
		sdc_interrupts_step(b);
		sum += (uint64) llabs(surplus[b]);
	}
	sdc_free(surplus);
	sdc_free(box);
	return (double) sum / (2.0 * records);
}
