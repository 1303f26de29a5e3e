/*-------------------------------------------------------------------------
 *
 * binswap.h
 *		Equi-depth and equi-width swapping of a relation.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_METHOD_BINSWAP_H
#define SDC_METHOD_BINSWAP_H

#include "method/protect.h"

typedef enum SdcBinKind
{
	SDC_BIN_EQUIDEPTH,
	SDC_BIN_EQUIWIDTH
} SdcBinKind;

/* What sdc_equidepth_swap and sdc_equiwidth_swap are asked for. */
typedef struct SdcBinRequest
{
	SdcBinKind	kind;
	uint32		k;				/* equi-depth */
	uint32		intervals;		/* equi-width; not looked at for columns that have a width */
	List	   *columns;		/* names, char *, or NIL: the default */
	int			widths;			/* one for each name, or 0 */
	const double *width;
} SdcBinRequest;

/* SdcProtection's check_plan and protect; its arguments are an SdcBinRequest. */
extern void sdc_binswap_check(SdcProtection *protection, SdcSource *source, SdcTarget *target);
extern void sdc_binswap_protect(SdcProtection *protection, SdcSource *source, SdcSpool *spool,
								SdcRandom *random);

/* The bins of some attributes of a relation that has been read. */
typedef struct SdcBins
{
	int			attributes;
	double	  **value;			/* of each attribute, by record; NaN: missing or not finite */
	uint32	   *bin;			/* of each record; records that differ in what they miss share none */
	uint32		bins;
	uint64		singles;		/* bins of one record */
	uint64		memory;			/* bytes of all this */
} SdcBins;

/*
 * sdc_binswap_bins partitions the records by some attributes (indexes in source->attributes), each stratum by
 * itself, in the current memory context.
 */
extern SdcBins *sdc_binswap_bins(const SdcBinRequest *request, SdcSource *source,
								 const int *attribute, int attributes);

#endif							/* SDC_METHOD_BINSWAP_H */
