/*-------------------------------------------------------------------------
 *
 * nightunits.h
 *		A release that is continued, of records that are of units: the night of the table of units.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_METHOD_NIGHTUNITS_H
#define SDC_METHOD_NIGHTUNITS_H

#include "method/continued/night.h"

/* sdc_nightunits_check insists on columns of units that stay in the release, before it is read. */
extern void sdc_nightunits_check(const SdcSource *source);

/*
 * sdc_nightunits_levels keeps the first levels of the columns, of a source that was read, and begins the night of the
 * units, if any column is continued at their level.  Without units it does nothing.
 */
extern void sdc_nightunits_levels(SdcNight *night, const SdcProtection *protection, SdcSource *source);

/* sdc_nightunits_table makes the table of units of the first night. */
extern void sdc_nightunits_table(SdcNight *night, const SdcProtection *protection, const SdcSource *source,
								 SdcSpool *spool);

/*
 * sdc_nightunits_pair makes it of a later night, and finds which unit of the source each unit of the release is, where
 * it is known which record each member is.  lots: there are lots of several.
 */
extern uint32 *sdc_nightunits_pair(SdcNight *night, const SdcProtection *protection, const SdcSource *source,
								   const uint32 *of_member, bool lots, SdcSpool *spool);

/*
 * sdc_nightunits_show returns of every unit of the source whether it is shown, where the night of the units is planned.
 * Members whose unit has to wait are nobody then.
 */
extern bool *sdc_nightunits_show(SdcNight *night, const SdcSource *source, uint32 *of_member);

/*
 * sdc_nightunits_keep writes the least sizes of the classes of so many units to the state, if any, and forgets them and
 * the values of the table: its steps take their own.
 */
extern void sdc_nightunits_keep(SdcNight *units, uint64 count);

#endif							/* SDC_METHOD_NIGHTUNITS_H */
