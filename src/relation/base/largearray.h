/*-------------------------------------------------------------------------
 *
 * largearray.h
 *		Large arrays: in memory as long as the budget lasts, then in temporary files.
 *
 * Whatever is allocated by sdc_memory_array (memory.h) or by a kernel (kernel/base/kernel_env.h) comes from here
 * when it is large.  Such arrays are counted.  One that does not fit what is left of maintenance_work_mem lies in a
 * temporary file that is mapped into the address space: its user sees memory, and the operating system
 * decides what of it is in main memory.  So every algorithm works at any size, and its result does not depend
 * on where its arrays are.
 *
 * They are freed by sdc_free (not pfree), or with the memory context in which they were allocated.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_RELATION_LARGEARRAY_H
#define SDC_RELATION_LARGEARRAY_H

#include "kernel/base/kernel_env.h"
#include "storage/fd.h"

/*
 * sdc_largearray_file makes a temporary file with room for so many bytes, which are zero, and sdc_largearray_map maps
 * an open file: for what several processes share (workers.h).
 */
extern File sdc_largearray_file(uint64 bytes);
extern char *sdc_largearray_map(int file, uint64 bytes);

/*
 * sdc_largearray_shrink gives back what an array has beyond so many bytes, and tells whether it could: an array that
 * has not as many, or is no mapping of its own, stays as it is.
 */
extern bool sdc_largearray_shrink(void *start, uint64 size);

/* sdc_largearray_spares tells whether temp_file_limit has so much room beside what a call needs in any case. */
extern bool sdc_largearray_spares(uint64 bytes);

#endif							/* SDC_RELATION_LARGEARRAY_H */
