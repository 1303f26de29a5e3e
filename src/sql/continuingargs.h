/*-------------------------------------------------------------------------
 *
 * continuingargs.h
 *		Arguments that say how a release is continued.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_SQL_CONTINUINGARGS_H
#define SDC_SQL_CONTINUINGARGS_H

#include "fmgr.h"
#include "method/continued/night.h"

/*
 * sdc_continuingargs_read reads, from an argument on, continued boolean, and where there are lots, min_changes int,
 * min_departures int, erase_within interval.
 */
extern void sdc_continuingargs_read(FunctionCallInfo fcinfo, int number, bool lots, SdcMethodStep *step);

#endif							/* SDC_SQL_CONTINUINGARGS_H */
