/*-------------------------------------------------------------------------
 *
 * widthwalk.h
 *		The candidates among all real widths.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_WIDTHWALK_H
#define SDC_KERNEL_WIDTHWALK_H

#include "kernel/bins/widthlist.h"

/*
 * sdc_widthwalk_run notes share_most, and every width down to share_least at which the minimal
 * depth changes.  SDC_ERROR_MEMORY: too many, or smaller widths than 2^-31.
 */
extern SdcStatus sdc_widthwalk_run(SdcWidthList *list);

#endif							/* SDC_KERNEL_WIDTHWALK_H */
