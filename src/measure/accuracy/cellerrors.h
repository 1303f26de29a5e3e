/*-------------------------------------------------------------------------
 *
 * cellerrors.h
 *		Counts, sums and averages of a release by cells, beside those of its source.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_MEASURE_CELLERRORS_H
#define SDC_MEASURE_CELLERRORS_H

#include "relation/frame/openrelease.h"

/* Which of the two relations has a cell. */
typedef enum SdcCellState
{
	SDC_CELL_BOTH,
	SDC_CELL_LOST,				/* the source only */
	SDC_CELL_ARTIFICIAL			/* the release only */
} SdcCellState;

/* One statistic of one cell; NaN is NULL. */
typedef struct SdcCellError
{
	Datum		cell;			/* jsonb, which lives until the next one */
	const char *statistic;
	double		original;
	double		protected;
	double		relative_error;
	double		overlap;		/* of the intervals of averages */
	SdcCellState state;
} SdcCellError;

typedef struct SdcCellErrorsRequest
{
	Oid			catalog_schema;
	Oid			release;
	List	   *by;				/* columns (char *), at least one */
	char	   *measure;		/* a column of numbers, or NULL */
	SdcWeightRequest weight;
	void		(*emit) (void *arg, const SdcCellError *error);
	void	   *arg;
} SdcCellErrorsRequest;

/* sdc_cellerrors_measure reads a release and its source with the rights of the caller. */
extern void sdc_cellerrors_measure(const SdcCellErrorsRequest *request);

#endif							/* SDC_MEASURE_CELLERRORS_H */
