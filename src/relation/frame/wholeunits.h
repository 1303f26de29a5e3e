/*-------------------------------------------------------------------------
 *
 * wholeunits.h
 *		What the methods of a release tell about the units of its records.
 *
 * For wholerelease.c and the files that it uses.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_RELATION_WHOLEUNITS_H
#define SDC_RELATION_WHOLEUNITS_H

#include "relation/frame/wholecolumns.h"

/* A column by unit: what was swapped between units, within classes of these. */
typedef struct SdcUnitColumn
{
	SdcCandidatesTask task;		/* units in the place of records, and classes in that of strata */
	SdcCandidatesColumn column;
} SdcUnitColumn;

/*
 * sdc_wholeunits_take keeps the units of a source that was read, if there are any: those that the release was made
 * with, and those that are looked for.  keys: it keeps what these are named by, too.
 */
extern void sdc_wholeunits_take(SdcWholeLoading *loading, bool keys);

/*
 * sdc_wholeunits_table is the table of units that a step has swapped these attributes of the source in, in their place;
 * NULL where it has swapped records.  Its columns belong to the spool, which is the caller's.
 */
extern SdcSource *sdc_wholeunits_table(SdcWholeLoading *loading, const SdcStep *step, const int *attribute, int count,
									   SdcSpool **spool);

/*
 * sdc_wholeunits_levels finds which known columns were protected by units, and which were swapped whole: these tell of
 * records nothing but distances.
 */
extern void sdc_wholeunits_levels(SdcWholeLoading *loading);

/* sdc_wholeunits_column is a known column by unit, or the sums of one that was swapped whole; NULL: it is by record. */
extern SdcUnitColumn *sdc_wholeunits_column(SdcWholeLoading *loading, int number);

/* sdc_wholeunits_classes has records be compatible with those of units of the same class, where these have windows. */
extern void sdc_wholeunits_classes(SdcWholeLoading *loading);

#endif							/* SDC_RELATION_WHOLEUNITS_H */
