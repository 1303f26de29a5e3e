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
#include "relation/catalogtable.h"
#include "relation/compat.h"
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

/* The plumbing that is at work: who has called it, and the schema that it finds functions in by their names. */
typedef struct Plumbing
{
	SdcActAs	caller;
	Oid			schema;
} Plumbing;

static const Plumbing *at_work; /* or NULL */

/* sdc_actas_plumbing: see actas.h. */
void
sdc_actas_plumbing(void (*work) (void *arg), void *arg)
{
	const Plumbing *outer = at_work;
	Plumbing	plumbing = {.schema = sdc_catalogtable_hold_schema()};
	SdcActAs   *caller = &plumbing.caller;

	GetUserIdAndSecContext(&caller->user, &caller->context);
	SetUserIdAndSecContext(BOOTSTRAP_SUPERUSERID, caller->context | SECURITY_LOCAL_USERID_CHANGE |
						   SECURITY_RESTRICTED_OPERATION);
	at_work = &plumbing;
	PG_TRY();
	{
		work(arg);
	}
	PG_FINALLY();
	{
		at_work = outer;
	}
	PG_END_TRY();
	SetUserIdAndSecContext(caller->user, caller->context);
}

/*
 * sdc_actas_caller: code of the caller's that the work runs finds no plumbing at work, whoever's rights it has, and the
 * plumbing finds the functions afterwards that it had before.  After an error the end of the (sub)transaction has the
 * user that there was when it began, and undoes what that code has dropped.
 */
void
sdc_actas_caller(void (*work) (void *arg), void *arg)
{
	const Plumbing *outer = at_work;
	SdcActAs	before = {0};

	GetUserIdAndSecContext(&before.user, &before.context);
	if (outer == NULL || before.user != BOOTSTRAP_SUPERUSERID)
	{
		work(arg);
		return;
	}
	SetUserIdAndSecContext(outer->caller.user, outer->caller.context);
	at_work = NULL;
	PG_TRY();
	{
		work(arg);
	}
	PG_FINALLY();
	{
		at_work = outer;
	}
	PG_END_TRY();
	sdc_catalogtable_require_schema(outer->schema);
	SetUserIdAndSecContext(before.user, before.context);
}

/* sdc_actas_in_other_hands: see actas.h. */
bool
sdc_actas_in_other_hands(void)
{
	return InLocalUserIdChange() || InSecurityRestrictedOperation() || sdc_is_autovacuum_worker() || IsLogicalWorker();
}
