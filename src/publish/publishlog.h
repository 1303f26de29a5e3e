/*-------------------------------------------------------------------------
 *
 * publishlog.h
 *		The log of what is published and withdrawn without a run.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_PUBLISH_PUBLISHLOG_H
#define SDC_PUBLISH_PUBLISHLOG_H

#include "publish/publish.h"

/* sdc_publishlog_published enters a publication, unless a run is at work: the run's own row says it. */
extern void sdc_publishlog_published(const SdcPublishRequest *request, const SdcPublished *published,
									 const List *warnings);

/* sdc_publishlog_withdrawn enters that a publication, by its qualified name, was withdrawn, and why. */
extern void sdc_publishlog_withdrawn(Oid schema, const char *target, Oid owner, const char *why);

#endif							/* SDC_PUBLISH_PUBLISHLOG_H */
