/*-------------------------------------------------------------------------
 *
 * sourceunits.h
 *		The units that the records of a relation are about.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_RELATION_SOURCEUNITS_H
#define SDC_RELATION_SOURCEUNITS_H

#include "kernel/base/units.h"
#include "relation/read/source.h"

/*
 * sdc_sourceunits_find numbers the units of a relation that was read, in the order of the columns that name them, in
 * the current memory context.  A missing value in one of these columns is an error.  Without such columns it does
 * nothing.
 */
extern void sdc_sourceunits_find(SdcSource *source);

/* sdc_sourceunits_refuse_null raises the error about records that are about nobody. */
extern void sdc_sourceunits_refuse_null(const char *relation, const char *name, uint64 missing);

/*
 * sdc_sourceunits_level decides whether a column is the same in all records of a unit, as far as it is not known: where
 * no unit has two different values.  A missing value is one.
 */
extern SdcLevel sdc_sourceunits_level(const SdcUnits *units, SdcAttribute *attribute);

/* sdc_sourceunits_first returns a column of the same spool with the value that the first record of each unit has. */
extern SdcColumn *sdc_sourceunits_first(const SdcUnits *units, SdcColumn *column, SdcSpool *spool);

/* sdc_sourceunits_spread returns a column in which the records of a unit have the value that another one has for it. */
extern SdcColumn *sdc_sourceunits_spread(const SdcUnits *units, SdcColumn *column, SdcSpool *spool);

/*
 * sdc_sourceunits_table makes a source of the table of units: it has a record for each, whose key are the columns that
 * name it, and of these and some others the values of the first record of each unit, in a spool.  It has no strata.
 */
extern SdcSource *sdc_sourceunits_table(const SdcSource *source, const List *columns, SdcSpool *spool);

/* sdc_sourceunits_keep numbers the units anew where a source has only some records left, of these numbers. */
extern void sdc_sourceunits_keep(SdcSource *source, const uint32 *records);

/*
 * sdc_sourceunits_strata returns the stratum of every unit, NULL where there are none.  A unit whose records are in
 * several is an error.
 */
extern uint32 *sdc_sourceunits_strata(const SdcSource *source);

#endif							/* SDC_RELATION_SOURCEUNITS_H */
