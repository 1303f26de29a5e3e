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
#include "relation/base/compat.h"
#include "relation/base/spi.h"
#include "relation/catalog/actas.h"
#include "relation/catalog/catalogtable.h"
#include "replication/logicalworker.h"
#include "utils/guc.h"

#define SAFE_SEARCH_PATH "pg_catalog, pg_temp"

/* enter switches to a role, in a security-restricted context with settings of its own. */
static void
enter(SdcActAs *before, Oid role)
{
	GetUserIdAndSecContext(&before->user, &before->context);
	SetUserIdAndSecContext(role, before->context | SECURITY_LOCAL_USERID_CHANGE |
						   SECURITY_RESTRICTED_OPERATION);
	before->nest = NewGUCNestLevel();
	sdc_spi_set_for_now("search_path", SAFE_SEARCH_PATH);
}

/*
 * sdc_actas_begin changes nothing when the role is the current one: its own code can do what it could anyway.  Not so
 * where the session is another role's, which that code could go back to by RESET ROLE.
 */
void
sdc_actas_begin(SdcActAs *before, Oid role)
{
	if (role == GetUserId() && (role == GetSessionUserId() || InLocalUserIdChange()))
		before->nest = 0;
	else
		enter(before, role);
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

	enter(&plumbing.caller, BOOTSTRAP_SUPERUSERID);
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
	sdc_actas_end(&plumbing.caller);
}

/*
 * sdc_actas_caller: code of the caller's that the work runs finds no plumbing at work, whoever's rights it has, and the
 * plumbing finds the functions afterwards that it had before: settings are undone, search_path among them, and a role
 * that was set, while the user is still the caller.  After an error the end of the (sub)transaction has the user that
 * there was when it began, and undoes what that code has set or dropped.
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
	before.nest = NewGUCNestLevel();
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
	sdc_actas_end(&before);
}

/* sdc_actas_in_other_hands: see actas.h. */
bool
sdc_actas_in_other_hands(void)
{
	return InLocalUserIdChange() || InSecurityRestrictedOperation() || sdc_is_autovacuum_worker() || IsLogicalWorker();
}
