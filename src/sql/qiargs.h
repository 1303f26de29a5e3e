/*-------------------------------------------------------------------------
 *
 * qiargs.h
 *		The arguments that say which release is compared with its source, and by which columns.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_SQL_QIARGS_H
#define SDC_SQL_QIARGS_H

#include "fmgr.h"
#include "relation/frame/codedrelease.h"

/* sdc_qiargs_read reads the release, argument 0, and the arguments that name roles; 0: none. */
extern void sdc_qiargs_read(FunctionCallInfo fcinfo, int qi, int sensitive,
							SdcCodedReleaseRequest *request);

#endif							/* SDC_SQL_QIARGS_H */
