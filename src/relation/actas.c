/*-------------------------------------------------------------------------
 *
 * actas.c
 *		Acting as another role for a while.
 *
 * The only place where the user is changed.  As the server's own maintenance commands do, it
 * goes with a security-restricted context, in which code of that role cannot leave
 * anything behind in the session, and with a nest level of settings and a safe
 * search path: whatever that code sets is undone, on every way out.  After an error the
 * end of the (sub)transaction does it.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_authid.h"
#include "miscadmin.h"
#include "postmaster/autovacuum.h"
#include "relation/actas.h"
#include "relation/spi.h"
#include "replication/logicalworker.h"
#include "utils/guc.h"

#define SAFE_SEARCH_PATH "pg_catalog, pg_temp"

/* sdc_actas_begin changes nothing when the role is the current one. */
void
sdc_actas_begin(SdcActAs *before, Oid role)
{
	GetUserIdAndSecContext(&before->user, &before->context);
	before->nest = 0;
	if (role == before->user)
		return;
	SetUserIdAndSecContext(role, before->context | SECURITY_LOCAL_USERID_CHANGE |
						   SECURITY_RESTRICTED_OPERATION);
	before->nest = NewGUCNestLevel();
	sdc_spi_set_for_now("search_path", SAFE_SEARCH_PATH);
}

/* sdc_actas_end rolls settings back, those set with SET too. */
void
sdc_actas_end(const SdcActAs *before)
{
	if (before->nest == 0)
		return;
	AtEOXact_GUC(false, before->nest);
	SetUserIdAndSecContext(before->user, before->context);
}

/* Who has called the plumbing that is at work, or NULL. */
static const SdcActAs *caller;

/* sdc_actas_plumbing: see actas.h. */
void
sdc_actas_plumbing(void (*work) (void *arg), void *arg)
{
	const SdcActAs *outer = caller;
	SdcActAs	before = {0};

	GetUserIdAndSecContext(&before.user, &before.context);
	SetUserIdAndSecContext(BOOTSTRAP_SUPERUSERID, before.context | SECURITY_LOCAL_USERID_CHANGE |
						   SECURITY_RESTRICTED_OPERATION);
	caller = &before;
	PG_TRY();
	{
		work(arg);
	}
	PG_FINALLY();
	{
		caller = outer;
	}
	PG_END_TRY();
	SetUserIdAndSecContext(before.user, before.context);
}

/*
 * sdc_actas_caller: code of the caller's that the work runs finds no plumbing at work, whoever's rights it has.
 * After an error the end of the (sub)transaction has the user that there was when it began.
 */
void
sdc_actas_caller(void (*work) (void *arg), void *arg)
{
	const SdcActAs *outer = caller;
	SdcActAs	before = {0};

	GetUserIdAndSecContext(&before.user, &before.context);
	if (outer == NULL || before.user != BOOTSTRAP_SUPERUSERID)
	{
		work(arg);
		return;
	}
	SetUserIdAndSecContext(outer->user, outer->context);
	caller = NULL;
	PG_TRY();
	{
		work(arg);
	}
	PG_FINALLY();
	{
		caller = outer;
	}
	PG_END_TRY();
	SetUserIdAndSecContext(before.user, before.context);
}

/* sdc_actas_in_other_hands: see actas.h. */
bool
sdc_actas_in_other_hands(void)
{
	return InLocalUserIdChange() || InSecurityRestrictedOperation() || IsAutoVacuumWorkerProcess() || IsLogicalWorker();
}
