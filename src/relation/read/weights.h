/*-------------------------------------------------------------------------
 *
 * weights.h
 *		How many of the population each record stands for.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_RELATION_WEIGHTS_H
#define SDC_RELATION_WEIGHTS_H

#include "relation/read/source.h"

/*
 * sdc_weights_name returns the column of a relation that has the weights, NULL if records stand for themselves: the one
 * that was given, which is NULL for none; otherwise the one that is classified as weight.
 */
extern const char *sdc_weights_name(Oid relid, bool given, const char *name);

/*
 * sdc_weights_plan decides which column of a relation that is planned has the weights.  It is released as it is, or
 * grouped, and so is one that is classified as weight where another one, or none, is named.  Who reads some columns
 * only
 * asks for the weights himself.
 */
extern void sdc_weights_plan(SdcSource *source, const SdcSourceRequest *request);

/* sdc_weights_refuse_unit raises the error about a weight that names units. */
extern void sdc_weights_refuse_unit(const char *name);

/* sdc_weights_require_number insists on a column of numbers. */
extern void sdc_weights_require_number(const char *name, const SdcType *type);

/*
 * sdc_weights_load returns the weights of the records of a relation that was read, in memory that sdc_free gives back.
 * Each is a number above 0, and the same in all records of a unit, or there is an error with the number of those that
 * are not.
 */
extern double *sdc_weights_load(const SdcSource *source, SdcAttribute *attribute);

/* sdc_weights_find insists that a relation has a column of a name that can be the weight. */
extern void sdc_weights_find(Oid relid, const char *name);

/*
 * sdc_weights_require insists on such weights of a relation whose records are counted by the server: it counts those
 * that
 * are none, and the units, named by columns (char *), that have several.  The caller is connected to SPI.
 */
extern void sdc_weights_require(Oid relid, const char *name, const List *unit);

/* sdc_weights_number is a weight as an exact number in SQL, of a record that is called something. */
extern char *sdc_weights_number(const char *record, const char *name);

/* sdc_weights_check raises that error for counts of records without a weight, and of those that are not above 0. */
extern void sdc_weights_check(const char *relation, const char *name, uint64 missing, uint64 bad);

#endif							/* SDC_RELATION_WEIGHTS_H */
