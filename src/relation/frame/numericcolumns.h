/*-------------------------------------------------------------------------
 *
 * numericcolumns.h
 *		The numeric columns of a relation, or of a release and its source side by side.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_MEASURE_NUMERICCOLUMNS_H
#define SDC_MEASURE_NUMERICCOLUMNS_H

#include "kernel/bins/correlationbias.h"
#include "relation/frame/openrelease.h"
#include "relation/read/bins.h"

/* Attributes as numbers, by record; NaN where a value is missing or not finite. */
typedef struct SdcNumericColumns
{
	uint64		records;
	int			attributes;
	char	  **name;
	double	  **original;
	double	  **protected;		/* NULL for a relation by itself */
	bool	   *swapped;		/* in the swapping set of what is asked for */
	uint32	   *bin;			/* of each record, or NULL */
	uint32		bins;
	uint64		singles;
	SdcBinning *binning;		/* of the swapping set, if that was asked for; NULL without one */
	bool		partial;		/* nothing but the swapping set, as the caller may not read all else */
	SdcReleaseRow row;			/* of the release */
} SdcNumericColumns;

/* What is asked for of a relation. */
typedef struct SdcNumericRequest
{
	Oid			relid;
	List	   *columns;		/* the swapping set */
	bool		key_given;
	List	   *key;
	List	   *strata;
	bool		only_columns;	/* nothing but the swapping set */
	bool		rebinned;		/* bins are made later, any number of times, and of records in any order */
	const SdcBinRequest *bins;	/* or NULL: bins are not asked for */
} SdcNumericRequest;

/*
 * Both read with the rights of the caller, in the current memory context.  Other sessions see then that the numbers are
 * evaluated, until sdc_progress_end.
 */
extern SdcNumericColumns *sdc_numericcolumns_load(const SdcNumericRequest *request);

/* sdc_numericcolumns_load_release does so for a release; its bins where its method has some. */
extern SdcNumericColumns *sdc_numericcolumns_load_release(Oid catalog_schema, Oid release,
														  bool bins);

/* sdc_numericcolumns_bias makes the task to compute in closed form what swapping in the bins does to correlations. */
extern SdcBiasTask sdc_numericcolumns_bias(const SdcNumericColumns *numbers);

/* sdc_numericcolumns_find returns the index of a named attribute, or raises an error. */
extern int	sdc_numericcolumns_find(const SdcNumericColumns *numbers, const char *name,
									const char *argument);

#endif							/* SDC_MEASURE_NUMERICCOLUMNS_H */
