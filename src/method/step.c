/*-------------------------------------------------------------------------
 *
 * step.c
 *		What a protection is asked to do: the steps of its methods.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "method/step.h"

/* sdc_step_within: see step.h. */
void
sdc_step_within(const char *place, void (*work) (void *arg), void *arg)
{
	MemoryContext context = CurrentMemoryContext;

	if (place[0] == '\0')
	{
		work(arg);
		return;
	}
	PG_TRY();
	{
		work(arg);
	}
	PG_CATCH();
	{
		ErrorData  *error;
		int			category;

		MemoryContextSwitchTo(context);
		error = CopyErrorData();
		category = ERRCODE_TO_CATEGORY(error->sqlerrcode);
		FlushErrorState();
		if (category == ERRCODE_TO_CATEGORY(ERRCODE_DATA_EXCEPTION) ||
			category == ERRCODE_TO_CATEGORY(ERRCODE_SYNTAX_ERROR_OR_ACCESS_RULE_VIOLATION) ||
			category == ERRCODE_TO_CATEGORY(ERRCODE_PROGRAM_LIMIT_EXCEEDED) ||
			category == ERRCODE_TO_CATEGORY(ERRCODE_CONFIGURATION_LIMIT_EXCEEDED) ||
			category == ERRCODE_TO_CATEGORY(ERRCODE_FEATURE_NOT_SUPPORTED))
			error->message = psprintf("%.*s: %s", (int) strlen(place) - 1, place, error->message);
		ReThrowError(error);
	}
	PG_END_TRY();
}
