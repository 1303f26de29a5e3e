/*-------------------------------------------------------------------------
 *
 * pram.h
 *		PRAM by matrices, and one that keeps the counts of values.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_METHOD_PRAM_H
#define SDC_METHOD_PRAM_H

#include "method/step.h"
#include "utils/jsonb.h"

/* What sdc_pram is asked for with matrices. */
typedef struct SdcPramming
{
	List	   *matrices;		/* SdcMatrix *, one for every column */
	const char *argument;		/* the same as it was given */
} SdcPramming;

/* sdc_pram_prepare fills in what a protection by matrices is; the request must stay. */
extern void sdc_pram_prepare(SdcMethodStep *step, const SdcPramming *pramming);

typedef struct SdcPramMatrixRequest
{
	Oid			relid;
	const char *column;
	double		diagonal;
	double		least;			/* NAN: not asked for */
	JsonbContainer *missing;	/* missing codes by column, or NULL */
} SdcPramMatrixRequest;

/* sdc_pram_make_matrix reads the column with the rights of the caller, and returns the JSON of {column: matrix}. */
extern char *sdc_pram_make_matrix(const SdcPramMatrixRequest *request);

#endif							/* SDC_METHOD_PRAM_H */
