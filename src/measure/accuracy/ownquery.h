/*-------------------------------------------------------------------------
 *
 * ownquery.h
 *		How far a query of an analyst's own on a release is from that on its source.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_MEASURE_OWNQUERY_H
#define SDC_MEASURE_OWNQUERY_H

#include "relation/frame/openrelease.h"

/* What both say of one cell; NaN is NULL. */
typedef struct SdcOwnQueryCell
{
	Datum		cell;			/* jsonb, which lives until the next one */
	double		answer;			/* of the source, */
	double		estimate;		/* and of the release */
	double		relative_error;
} SdcOwnQueryCell;

typedef struct SdcOwnQuery
{
	Oid			catalog_schema;
	Oid			release;
	const char *aggregate;		/* texts of the arguments of these names (relation/condition/condition.h) */
	const char *condition;		/* or NULL */
	List	   *by;				/* columns, char * */
	SdcWeightRequest weight;	/* by which records are counted, where nothing else is asked */
	void		(*emit) (void *arg, const SdcOwnQueryCell *cell);
	void	   *arg;
} SdcOwnQuery;

/* sdc_ownquery_measure asks a release and its source, with the rights of the caller. */
extern void sdc_ownquery_measure(const SdcOwnQuery *query);

#endif							/* SDC_MEASURE_OWNQUERY_H */
