/*-------------------------------------------------------------------------
 *
 * prammatrix.h
 *		The matrix of a column that keeps the counts of its values.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_METHOD_PRAMMATRIX_H
#define SDC_METHOD_PRAMMATRIX_H

#include "utils/jsonb.h"

typedef struct SdcPramMatrixRequest
{
	Oid			relid;
	const char *column;
	double		diagonal;
	double		least;			/* NAN: not asked for */
	JsonbContainer *missing;	/* missing codes by column, or NULL */
} SdcPramMatrixRequest;

/* sdc_prammatrix_make reads the column with the rights of the caller, and returns the JSON of {column: matrix}. */
extern char *sdc_prammatrix_make(const SdcPramMatrixRequest *request);

#endif							/* SDC_METHOD_PRAMMATRIX_H */
