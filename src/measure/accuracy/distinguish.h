/*-------------------------------------------------------------------------
 *
 * distinguish.h
 *		How well the records of a release can be told from those of its source.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_MEASURE_DISTINGUISH_H
#define SDC_MEASURE_DISTINGUISH_H

#include "kernel/loss/distinguishability.h"
#include "nodes/pg_list.h"

typedef struct SdcDistinguishRequest
{
	Oid			catalog_schema;
	Oid			release;
	bool		given;			/* otherwise all columns but the key */
	List	   *columns;		/* char * */
	bool		pairs;
} SdcDistinguishRequest;

/* What came of it; false: there are no records, or no column that both relations have. */
typedef SdcDistinguishability SdcDistinguished;

/* sdc_distinguish_measure reads a release and its source with the rights of the caller. */
extern bool sdc_distinguish_measure(const SdcDistinguishRequest *request, SdcDistinguished *result);

#endif							/* SDC_MEASURE_DISTINGUISH_H */
