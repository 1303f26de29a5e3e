/*-------------------------------------------------------------------------
 *
 * support.h
 *		What random anonymization does to the support of a combination of values.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_SUPPORT_H
#define SDC_KERNEL_SUPPORT_H

#include "kernel/base/codedfile.h"

/* Combinations have at most so many items: there are counts of all subsets. */
#define SDC_SUPPORT_ITEMS 20

typedef struct SdcSupportTask
{
	const SdcCodedFile *coded;	/* the attributes that random anonymization draws from */
	const SdcItem *item;		/* the combination, of different attributes, ascending */
	int			items;			/* 1 .. SDC_SUPPORT_ITEMS */
	const double *probability;	/* RA 1: of each attribute; NULL: RA 2 */
	int			k;				/* RA 2: attributes drawn for a record */
	const uint32 *stratum;		/* of each record, 0 .. strata - 1: donors are of the same; NULL: of all */
	uint32		strata;
} SdcSupportTask;

typedef struct SdcSupport
{
	uint64		records;		/* that have the combination */
	double		support;		/* their share of all records */
	double		expected;		/* the expected share in a release, exactly */
	double		own;			/* of it, by records that have the combination before, */
	double		others;			/* and by the others: equations (4) and (5) */
	double		bias;			/* |expected - support| / support; NaN when the support is 0 */
	double		variance;		/* of the share in a release, exactly */
	double		lift[SDC_SUPPORT_ITEMS];	/* of each item; NaN where it is not defined */
} SdcSupport;

extern void sdc_support_expect(const SdcSupportTask *task, SdcSupport *result);

#endif							/* SDC_KERNEL_SUPPORT_H */
