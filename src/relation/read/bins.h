/*-------------------------------------------------------------------------
 *
 * bins.h
 *		The bins that equi-depth and equi-width partitioning make of a relation's records.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_RELATION_BINS_H
#define SDC_RELATION_BINS_H

#include "relation/read/source.h"

typedef enum SdcBinKind
{
	SDC_BIN_EQUIDEPTH,
	SDC_BIN_EQUIWIDTH
} SdcBinKind;

/* What sdc_equidepth_swap and sdc_equiwidth_swap are asked for. */
typedef struct SdcBinRequest
{
	SdcBinKind	kind;
	uint32		depth;			/* equi-depth: least records of a bin */
	uint32		intervals;		/* equi-width; not looked at for columns that have a width */
	List	   *columns;		/* names, char *, or NIL: the default */
	int			width_count;	/* one for each name, or 0 */
	const double *widths;
	double		share;			/* equi-width: a width as a share of the range of every column, or 0 */
} SdcBinRequest;

/* The bins of some attributes of a relation that has been read. */
typedef struct SdcBins
{
	int			attributes;
	double	  **value;			/* of each attribute, by record; NaN: missing or not finite */
	uint32	   *bin;			/* of each record; records that differ in what they miss share none */
	uint32		bins;
	uint64		singles;		/* bins of one record */
} SdcBins;

/* The records of a relation, read so that they can be partitioned any number of times. */
typedef struct SdcBinning SdcBinning;

/*
 * sdc_binning_open reads the records by some attributes (indexes in source->attributes), in the current memory
 * context, in which it lies to the end; the source is not read again.  ranges: it will be partitioned by widths.
 */
extern SdcBinning *sdc_binning_open(SdcSource *source, const int *attribute, int attributes, bool ranges);

/*
 * sdc_binning_partition partitions the records, each stratum by itself.  The bins are those of the binning: the next
 * partitioning takes their place.
 */
extern SdcBins *sdc_binning_partition(SdcBinning *binning, const SdcBinRequest *request);

/*
 * sdc_bins_make reads and partitions the records by some attributes (indexes in source->attributes), each stratum by
 * itself, in the current memory context.
 */
extern SdcBins *sdc_bins_make(const SdcBinRequest *request, SdcSource *source,
								 const int *attribute, int attributes);

/* sdc_bins_memory returns about how many bytes that takes at its peak, for so many attributes. */
extern uint64 sdc_bins_memory(const SdcBinRequest *request, const SdcSource *source, int attributes);

/* sdc_bins_check_depth insists on a depth of no more than all records, or units: of. */
extern void sdc_bins_check_depth(uint32 depth, uint64 records, const char *of);

#endif							/* SDC_RELATION_BINS_H */
