/*-------------------------------------------------------------------------
 *
 * coarseaccuracy.h
 *		How exact a release is, in figures that show no record of its source.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_MEASURE_COARSEACCURACY_H
#define SDC_MEASURE_COARSEACCURACY_H

#include "nodes/pg_list.h"
#include "relation/frame/frame.h"
#include "utils/elog.h"

/* A class of values has at least so many grains of records. */
#define SDC_ACCURACY_CLASS_GRAINS 4

/* What is measured together. */
typedef enum SdcAccuracyPart
{
	SDC_ACCURACY_COLUMNS,		/* margins and correlations */
	SDC_ACCURACY_COMBINATIONS,	/* counts and associations */
	SDC_ACCURACY_PARTS
} SdcAccuracyPart;

typedef struct SdcAccuracyRequest
{
	Oid			catalog_schema;
	Oid			release;
	double		min_support;	/* of associations */
	double		min_confidence;
	SdcFrame   *frame;			/* that the release is in; or NULL */
} SdcAccuracyRequest;

/* A row of the accuracy table. */
typedef struct SdcAccuracyRow
{
	const char *part;
	const char *attribute;		/* NULL: of all */
	const char *measure;
	double		value;			/* NaN: none */
} SdcAccuracyRow;

/* sdc_coarseaccuracy_name names a part, as it stands in messages. */
extern const char *sdc_coarseaccuracy_name(SdcAccuracyPart part);

/*
 * sdc_coarseaccuracy_measure measures a part, reading release and source with the rights of the caller, and returns
 * its rows, SdcAccuracyRow *.  *error is NULL, or why there are none; what is about more than one release is raised.
 */
extern List *sdc_coarseaccuracy_measure(const SdcAccuracyRequest *request, SdcAccuracyPart part, ErrorData **error);

#endif							/* SDC_MEASURE_COARSEACCURACY_H */
