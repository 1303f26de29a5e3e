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

#include "miscadmin.h"
#include "relation/actas.h"
#include "relation/spi.h"
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
