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

/* sdc_nightunits_begin plans the first night of the units. */
extern void sdc_nightunits_begin(SdcNight *night, SdcProtection *protection, SdcSource *source, SdcSpool *spool);

/*
 * sdc_nightunits_plan finds which units stay, are gone, changed and new, where it is known which record each member is.
 * Those whose unit has to wait are nobody then.  It returns of every unit of the source whether it is shown.
 */
extern bool *sdc_nightunits_plan(SdcNight *night, SdcProtection *protection, SdcSource *source, uint32 *of_member,
								 SdcSpool *spool);

#endif							/* SDC_METHOD_NIGHTUNITS_H */
