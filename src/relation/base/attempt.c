/*-------------------------------------------------------------------------
 *
 * attempt.c
 *		Evaluating a release without failing the query of all releases.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/xact.h"
#include "relation/base/attempt.h"
#include "relation/base/progress.h"
#include "utils/memutils.h"
#include "utils/resowner.h"

/*
 * must_rethrow tells whether an error is about more than one release: the session is
 * to end or the statement to be cancelled, the transaction cannot go on, memory or disk is full, or
 * sdc is broken.
 */
static bool
must_rethrow(const ErrorData *error)
{
	int			category = ERRCODE_TO_CATEGORY(error->sqlerrcode);

	return error->sqlerrcode == ERRCODE_OUT_OF_MEMORY || error->sqlerrcode == ERRCODE_DISK_FULL ||
		category == ERRCODE_TO_CATEGORY(ERRCODE_OPERATOR_INTERVENTION) ||
		category == ERRCODE_TO_CATEGORY(ERRCODE_TRANSACTION_ROLLBACK) ||
		category == ERRCODE_TO_CATEGORY(ERRCODE_INTERNAL_ERROR);
}

/* sdc_attempt_within: see attempt.h. */
ErrorData *
sdc_attempt_within(void (*work) (void *arg), void *arg, bool keep)
{
	MemoryContext context = CurrentMemoryContext;
	ResourceOwner owner = CurrentResourceOwner;
	ErrorData  *volatile error = NULL;

	BeginInternalSubTransaction(NULL);
	MemoryContextSwitchTo(context);
	PG_TRY();
	{
		work(arg);
		if (keep)
			ReleaseCurrentSubTransaction();
		else
			RollbackAndReleaseCurrentSubTransaction();
	}
	PG_CATCH();
	{
		MemoryContextSwitchTo(context);
		error = CopyErrorData();
		FlushErrorState();
		RollbackAndReleaseCurrentSubTransaction();
	}
	PG_END_TRY();
	MemoryContextSwitchTo(context);
	CurrentResourceOwner = owner;
	return error;
}

/*
 * sdc_attempt: a release that cannot be evaluated must not keep a view from showing the others.  The subtransaction is
 * undone in any case, which gives its locks back: a query of all releases does not hold those of all relations.
 */
ErrorData *
sdc_attempt(void (*work) (void *arg), void *arg)
{
	ErrorData  *error = sdc_attempt_within(work, arg, false);

	if (error == NULL)
		return NULL;
	sdc_progress_end();
	if (must_rethrow(error))
		ReThrowError(error);
	return error;
}
