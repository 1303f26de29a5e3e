/*-------------------------------------------------------------------------
 *
 * messages.h
 *		What the extension has warned of during some work.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_PUBLISH_MESSAGES_H
#define SDC_PUBLISH_MESSAGES_H

#include "nodes/pg_list.h"

/* Listening: texts are char *, in the memory context in which it began. */
typedef struct SdcMessages
{
	ErrorContextCallback callback;
	MemoryContext context;
	List	   *texts;
} SdcMessages;

/*
 * sdc_messages_begin notes the warnings of the extension from now on, and sdc_messages_end ends that; an error ends it
 * too, and what was noted stays.
 */
extern void sdc_messages_begin(SdcMessages *messages);
extern void sdc_messages_end(SdcMessages *messages);

/*
 * sdc_messages_is_ours tells whether a message is one of the extension's, which names no value of a cell; that of
 * somebody's function can.
 */
extern bool sdc_messages_is_ours(const ErrorData *message);

#endif							/* SDC_PUBLISH_MESSAGES_H */
