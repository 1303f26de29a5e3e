/*-------------------------------------------------------------------------
 *
 * spelling.h
 *		One way to write equal values.
 *
 * Groups, attacks and measures take values for the same that the type holds equal: 1200 and 1200.00, 'Meier' and
 * 'MEIER' of citext or under a collation that is not deterministic, minus zero, '24 hours' and '1 day', and whatever is
 * made of them.  Who reads them tells them apart, and may know how somebody's value is written.  So a release and
 * a publication have one spelling of equal values: the most frequent one in the column; of equally frequent ones the
 * shortest as text, and of these the first by its bytes.  It does not depend on the order of the records.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_RELATION_SPELLING_H
#define SDC_RELATION_SPELLING_H

#include "relation/read/source.h"

/* The spellings of the values of a column. */
typedef struct SdcSpelling SdcSpelling;

/* sdc_spelling_is_one tells whether equal values of a type are always written alike. */
extern bool sdc_spelling_is_one(Oid typid, int32 typmod, Oid collation);

/*
 * sdc_spelling_begin begins to collect them, in the current memory context; NULL: equal values of the type are always
 * written alike, or it has no equality.
 */
extern SdcSpelling *sdc_spelling_begin(Oid typid, int32 typmod, Oid collation);

/* sdc_spelling_add notes that so many records have a value, and returns the number of its spelling. */
extern uint32 sdc_spelling_add(SdcSpelling *spelling, Datum value, uint32 records);

/* sdc_spelling_choose chooses, when all are in.  It returns whether equal values are written in several ways. */
extern bool sdc_spelling_choose(SdcSpelling *spelling);

/* sdc_spelling_value returns a value in its chosen spelling, which is valid as long as what was collected. */
extern Datum sdc_spelling_value(SdcSpelling *spelling, Datum value);

/* sdc_spelling_end frees everything. */
extern void sdc_spelling_end(SdcSpelling *spelling);

/*
 * sdc_spelling_unify gives equal values of all columns of a release but the key one spelling.  The columns in which it
 * has changed something are marked (respelled).
 */
extern void sdc_spelling_unify(SdcSource *source, SdcSpool *spool);

/*
 * sdc_spelling_require_order insists that the caller trusts all whose functions compare the values to do so.
 */
extern void sdc_spelling_require_order(const SdcSource *source);

#endif							/* SDC_RELATION_SPELLING_H */
