/*-------------------------------------------------------------------------
 *
 * runwork.h
 *		The work of a run, with the rights of its policy's owner.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_PUBLISH_RUNWORK_H
#define SDC_PUBLISH_RUNWORK_H

#include "publish/runs.h"

/*
 * sdc_runwork_do has a function of the schema of the extension do a part of a run with the rights of a role: it gets
 * the policy, the number of the run, and what is known of it.  Its answer is in the memory context of the caller.
 */
extern Jsonb *sdc_runwork_do(const char *function, Oid owner, const SdcRun *run, Jsonb *known);

#endif							/* SDC_PUBLISH_RUNWORK_H */
