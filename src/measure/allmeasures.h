/*-------------------------------------------------------------------------
 *
 * allmeasures.h
 *		All that is measured of a release, as one document.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_MEASURE_ALLMEASURES_H
#define SDC_MEASURE_ALLMEASURES_H

#include "relation/frame/evaluation.h"
#include "utils/jsonb.h"

typedef struct SdcAllMeasuresRequest
{
	Oid			catalog_schema;
	Oid			release;
	bool		known_given;	/* otherwise what sdc_people_found takes */
	List	   *known;
	SdcSampleRequest sample;	/* with a seed, if it is given */
	uint32		queries;		/* for each number of attributes, */
	const char *query_seed;		/* and what they are drawn from */
	double		min_support;	/* of associations */
	double		min_confidence;
} SdcAllMeasuresRequest;

/* What of it is asked for first; NAN: it is not defined. */
typedef struct SdcAllMeasures
{
	List	   *known;			/* names of the columns that were known to whom finds people */
	double		people_found;
	double		people_found_high;	/* ends of intervals; without a sample what was measured */
	double		certain_percent;
	double		certain_percent_high;
	double		il;
	double		dr;
	double		score;
	double		score_high;
	Jsonb	   *document;
} SdcAllMeasures;

/*
 * sdc_allmeasures_check raises the errors of arguments and rights, before any work; sdc_allmeasures_take
 * measures.  A part that is not defined for a release is left out of the document, with the reason.
 */
extern void sdc_allmeasures_check(const SdcAllMeasuresRequest *request);
extern void sdc_allmeasures_take(const SdcAllMeasuresRequest *request, SdcAllMeasures *measures);

/*
 * sdc_allmeasures_kept tells whether a document of before is what was asked for, of a release and a source that have
 * not changed since, and fills in the measures.
 */
extern bool sdc_allmeasures_kept(const SdcAllMeasuresRequest *request, Jsonb *document, SdcAllMeasures *measures);

#endif							/* SDC_MEASURE_ALLMEASURES_H */
