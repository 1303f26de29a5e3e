/*-------------------------------------------------------------------------
 *
 * comments.h
 *		What a publication says of itself: comments on the table, its columns, and its accuracy table.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_PUBLISH_COMMENTS_H
#define SDC_PUBLISH_COMMENTS_H

#include "publish/publishplan.h"

/* sdc_comments_write comments on a publication with some columns (char *), and on its accuracy table; within SPI. */
extern void sdc_comments_write(const SdcPublishPlan *plan, List *columns, Oid publication, Oid accuracy);

#endif							/* SDC_PUBLISH_COMMENTS_H */
