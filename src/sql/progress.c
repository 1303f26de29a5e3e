/*-------------------------------------------------------------------------
 *
 * progress.c
 *		The function below the view sdc_progress.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_authid.h"
#include "fmgr.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "relation/compat.h"
#include "relation/progress.h"
#include "sql/args.h"
#include "sql/rows.h"
#include "utils/backend_status.h"
#include "utils/builtins.h"
#include "utils/timestamp.h"

PG_FUNCTION_INFO_V1(sdc_progress_internal);

#define PROGRESS_COLUMNS 9

/* may_see tells whether the caller may see what another session does. */
static bool
may_see(const PgBackendStatus *status)
{
	return has_privs_of_role(GetUserId(), ROLE_PG_READ_ALL_STATS) ||
		has_privs_of_role(GetUserId(), status->st_userid);
}

/*
 * sdc_progress_internal() RETURNS SETOF record
 *
 * sdc_progress_internal returns a row for every session that runs a function of
 * this extension in the caller's database.
 */
Datum
sdc_progress_internal(PG_FUNCTION_ARGS)
{
	int			count = pgstat_fetch_stat_numbackends();

	sdc_rows_begin(fcinfo, 0);
	for (int i = 1; i <= count; i++)
	{
		LocalPgBackendStatus *local = sdc_local_backend_status(i);
		PgBackendStatus *status = local == NULL ? NULL : &local->backendStatus;
		Datum		values[PROGRESS_COLUMNS];
		bool		nulls[PROGRESS_COLUMNS] = {false};
		const int64 *param;

		if (status == NULL || status->st_progress_command != SDC_PROGRESS_COMMAND ||
			status->st_databaseid != MyDatabaseId || !may_see(status))
			continue;
		param = status->st_progress_param;
		values[0] = Int32GetDatum(status->st_procpid);
		values[1] = ObjectIdGetDatum(status->st_userid);
		values[2] = ObjectIdGetDatum(status->st_progress_command_target);
		values[3] = CStringGetTextDatum(sdc_progress_phase_name(param[SDC_PROGRESS_PHASE]));
		values[4] = Int64GetDatum(param[SDC_PROGRESS_RECORDS_DONE]);
		values[5] = Int64GetDatum(param[SDC_PROGRESS_RECORDS_TOTAL]);
		nulls[5] = param[SDC_PROGRESS_RECORDS_TOTAL] == 0;
		values[6] = Int64GetDatum(param[SDC_PROGRESS_ATTRIBUTES_DONE]);
		values[7] = Int64GetDatum(param[SDC_PROGRESS_ATTRIBUTES_TOTAL]);
		values[8] = TimestampTzGetDatum(status->st_activity_start_timestamp);
		sdc_rows_put(fcinfo, values, nulls);
	}
	return (Datum) 0;
}
