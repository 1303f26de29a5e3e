/*-------------------------------------------------------------------------
 *
 * unitswap.h
 *		Methods that have whole units exchange the values of some columns.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_METHOD_UNITSWAP_H
#define SDC_METHOD_UNITSWAP_H

#include "kernel/base/codedfile.h"
#include "kernel/base/units.h"
#include "lib/stringinfo.h"
#include "method/step.h"

/* A source as such a method sees it. */
typedef struct SdcUnitSwap
{
	SdcSource  *source;
	SdcSpool   *spool;
	const SdcUnits *units;		/* of the source; or each record is one */
	uint32	   *stratum;		/* of each unit; NULL: there is one stratum */
	uint32		strata;
} SdcUnitSwap;

/*
 * sdc_unitswap_check insists, before anything is read, on columns that a method can compare, and that no other
 * argument has: those before it are in names.
 */
extern void sdc_unitswap_check(SdcSource *source, const List *names, const char *argument);

/* sdc_unitswap_begin finds the units of a source that was read, and their strata. */
extern void sdc_unitswap_begin(SdcUnitSwap *swap, SdcSource *source, SdcSpool *spool);

/* sdc_unitswap_codes returns the codes of columns by record, in their order. */
extern SdcCodedColumn *sdc_unitswap_codes(const SdcUnitSwap *swap, const List *names, const char *argument);

/* sdc_unitswap_unit_codes returns them by unit; a column of which units have two values is an error. */
extern SdcCodedColumn *sdc_unitswap_unit_codes(const SdcUnitSwap *swap, const List *names, const char *argument);

/* sdc_unitswap_number numbers what units have in several columns; it returns how many combinations there are. */
extern uint32 sdc_unitswap_number(const SdcUnitSwap *swap, const SdcCodedColumn *column, int columns, uint32 *number);

/* sdc_unitswap_exchange gives every unit the values of another one, or its own, in the columns of a step. */
extern void sdc_unitswap_exchange(const SdcUnitSwap *swap, const SdcMethodStep *step, const uint32 *donor);

/* sdc_unitswap_append_names appends a member of JSON that is an array of names, if there are any. */
extern void sdc_unitswap_append_names(StringInfo json, const char *member, const List *names);

#endif							/* SDC_METHOD_UNITSWAP_H */
