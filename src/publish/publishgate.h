/*-------------------------------------------------------------------------
 *
 * publishgate.h
 *		Whether a release may be published: it was evaluated as it is, and keeps its limit.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_PUBLISH_PUBLISHGATE_H
#define SDC_PUBLISH_PUBLISHGATE_H

#include "publish/publish.h"
#include "publish/publishplan.h"

/*
 * sdc_publishgate_pass raises an error where a release may not be published, or, by force, a warning, and notes what
 * was measured.  Called before any work, while nobody can change what the statement sees of the release: another
 * statement could see what code of the owner has made of it.
 */
extern void sdc_publishgate_pass(const SdcPublishRequest *request, const SdcPublishPlan *plan, SdcPublished *published);

#endif							/* SDC_PUBLISH_PUBLISHGATE_H */
