/*-------------------------------------------------------------------------
 *
 * celljson.h
 *		The values that the records of a cell agree in, as jsonb.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_RELATION_CELLJSON_H
#define SDC_RELATION_CELLJSON_H

#include "nodes/pg_list.h"

typedef struct SdcCellJson SdcCellJson;

/*
 * sdc_celljson_create prepares the cells of some columns (char *), in the current memory context; types are those
 * of the values that they will have.
 */
extern SdcCellJson *sdc_celljson_create(const List *names, const Oid *types);

/* sdc_celljson_types returns the types that columns of a relation have now. */
extern Oid *sdc_celljson_types(Oid relid, const List *names);

/*
 * sdc_celljson_build returns the object {column: value, ...}, which lives until the next one.  Values are strings,
 * as the types write them with settings that are fixed; NULL is null.
 */
extern Datum sdc_celljson_build(SdcCellJson *json, const Datum *values, const bool *nulls);

#endif							/* SDC_RELATION_CELLJSON_H */
