/*-------------------------------------------------------------------------
 *
 * numericcolumns.h
 *		The numbers of a relation, or of a release and its source side by side.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_MEASURE_NUMERICCOLUMNS_H
#define SDC_MEASURE_NUMERICCOLUMNS_H

#include "relation/bins.h"
#include "relation/opening.h"

/* Attributes as numbers, by record; NaN where a value is missing or not finite. */
typedef struct SdcNumbers
{
	uint64		records;
	int			attributes;
	char	  **name;
	double	  **original;
	double	  **masked;			/* NULL for a relation by itself */
	bool	   *swapped;		/* in the swapping set of what is asked for */
	uint32	   *bin;			/* of each record, or NULL */
	uint32		bins;
	uint64		singles;
	uint64		memory;			/* bytes of all this */
	SdcReleaseRow row;			/* of the release */
} SdcNumbers;

/* What is asked for of a relation. */
typedef struct SdcNumbersRequest
{
	Oid			relid;
	List	   *columns;		/* the swapping set */
	bool		key_given;
	List	   *key;
	List	   *strata;
	bool		only_columns;	/* nothing but the swapping set */
	const SdcBinRequest *bins;	/* or NULL: bins are not asked for */
} SdcNumbersRequest;

/* Both read with the rights of the caller, in the current memory context. */
extern SdcNumbers *sdc_numbers_load(const SdcNumbersRequest *request);

/* sdc_numbers_load_release does so for a release; its bins where its method has some. */
extern SdcNumbers *sdc_numbers_load_release(Oid catalog_schema, Oid release, bool bins);

/* sdc_numbers_find returns the index of a named attribute, or raises an error. */
extern int	sdc_numbers_find(const SdcNumbers *numbers, const char *name, const char *argument);

#endif							/* SDC_MEASURE_NUMERICCOLUMNS_H */
