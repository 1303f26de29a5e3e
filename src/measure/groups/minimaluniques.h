/*-------------------------------------------------------------------------
 *
 * minimaluniques.h
 *		For every record of a relation the smallest sets of columns that make it unique.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_MEASURE_MINIMALUNIQUES_H
#define SDC_MEASURE_MINIMALUNIQUES_H

#include "nodes/pg_list.h"

typedef struct SdcUniquesRequest
{
	Oid			relid;
	List	   *columns;		/* char * */
	int			max_size;		/* of sets */
	double		fraction;		/* of the population; 0: not known */
	List	   *unit;			/* from sdc_unitcolumns_find (unitcolumns.h); NIL: each record is a unit */
	bool		key_given;
	List	   *key;
} SdcUniquesRequest;

/* What is found of a record. */
typedef struct SdcUniquesRecord
{
	char	   *record;			/* its key */
	int			sizes;
	const uint32 *size;			/* minimal uniques of 1, ..., sizes columns */
	uint64		score;
	double		dis;			/* where the fraction is known */
	int			columns;
	const uint64 *part;			/* of the score, by column */
} SdcUniquesRecord;

/* Called for every record in the order of the key, in a context that is empty each time. */
typedef void (*SdcUniquesEmit) (void *arg, const SdcUniquesRecord *record);

/* sdc_uniques_check insists on columns whose sets can be counted. */
extern void sdc_uniques_check(const SdcUniquesRequest *request);

/* sdc_uniques_find looks at all sets of columns up to a size. */
extern void sdc_uniques_find(const SdcUniquesRequest *request, SdcUniquesEmit emit, void *arg);

#endif							/* SDC_MEASURE_MINIMALUNIQUES_H */
