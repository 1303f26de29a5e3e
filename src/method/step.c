/*-------------------------------------------------------------------------
 *
 * step.c
 *		What a protection is asked to do: the steps of its methods.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "method/step.h"
#include "relation/catalog/methods.h"

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

/* sdc_step_check_continued: see step.h. */
void
sdc_step_check_continued(const SdcProtection *protection)
{
	for (int i = 0; i < protection->step_count && sdc_step_any_continued(protection); i++)
	{
		SdcMethodTells tells = protection->steps[i].method->tells;

		if (tells == SDC_TELLS_SUPPRESSED || tells == SDC_TELLS_AVERAGE)
			ereport(ERROR,
					(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
					 errmsg("steps[%d] cannot be in a release that is continued", i),
					 tells == SDC_TELLS_AVERAGE ? errdetail("The groups of two nights intersect.") :
					 errdetail("A value that is suppressed in one release and not in the next one is known."),
					 errhint("Protect the columns in a release of its own.")));
	}
}
