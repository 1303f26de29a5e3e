/*-------------------------------------------------------------------------
 *
 * messages.c
 *		What the extension has warned of during some work.
 *
 * A scheduled run has nobody who reads what it says.  So a run notes its warnings, for the log.  The server shows a
 * message that somebody may see to everything that could add to its context: there it is listened to.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "kernel/base/kernel_env.h"
#include "publish/messages.h"
#include "relation/catalog/catalogtable.h"
#include "utils/memutils.h"

/* As many are noted. */
#define MOST_MESSAGES 100

/* What the context of an error begins with that a function in PL/pgSQL of the extension has raised. */
#define OUR_FUNCTION "PL/pgSQL function " SDC_PRIVATE_SCHEMA "."

/* sdc_messages_is_ours: see messages.h. */
bool
sdc_messages_is_ours(const ErrorData *message)
{
	return (message->domain != NULL && strcmp(message->domain, TEXTDOMAIN) == 0) ||
		(message->context != NULL && strncmp(message->context, OUR_FUNCTION, strlen(OUR_FUNCTION)) == 0);
}

/* note notes the message that is being said: it is the callback of an error context. */
static void
note(void *arg)
{
	SdcMessages *messages = arg;
	MemoryContext before = MemoryContextSwitchTo(messages->context);
	ErrorData  *message = CopyErrorData();

	if (message->elevel == WARNING && message->message != NULL && sdc_messages_is_ours(message) &&
		list_length(messages->texts) < MOST_MESSAGES)
		messages->texts = lappend(messages->texts, message->detail == NULL ? pstrdup(message->message) :
								  psprintf("%s: %s", message->message, message->detail));
	FreeErrorData(message);
	MemoryContextSwitchTo(before);
}

/* sdc_messages_begin: see messages.h. */
void
sdc_messages_begin(SdcMessages *messages)
{
	messages->context = CurrentMemoryContext;
	messages->texts = NIL;
	messages->callback.callback = note;
	messages->callback.arg = messages;
	messages->callback.previous = error_context_stack;
	error_context_stack = &messages->callback;
}

/* sdc_messages_end: see messages.h. */
void
sdc_messages_end(SdcMessages *messages)
{
	error_context_stack = messages->callback.previous;
}
